#include "check.h"

#include "core/base/random.h"
#include "core/structure/bounds/primal_dual.h"

#include <algorithm>
#include <limits>

using namespace optbn;

namespace {

PrimalDualIterate solve(const SimplexProgram &program, unsigned steps) {
  Host host;
  Watch watch(host);
  PrimalDualIterate iterate;
  iterate.x.assign(program.columns(), 0);
  iterate.y.assign(program.rows(), 0);
  primal_dual_hybrid_gradient(iterate, program, steps, 0, watch);
  return iterate;
}

// Two columns of costs 0 and `cost`; the second weighs at least `part`.
SimplexProgram forced(double cost, double part) {
  SimplexProgram program;
  program.rhs = {part};
  program.end_column(0);
  program.add_entry(0, 1);
  program.end_column(cost);
  program.end_block();
  return program;
}

} // namespace

TEST(primal_dual_finds_the_optimum_of_a_small_program) {
  const PrimalDualIterate iterate = solve(forced(8, .25), 2000);
  CHECK_NEAR(iterate.bound, 2, 1e-6);
  CHECK_NEAR(iterate.best[0], 8, 1e-3);
  CHECK_NEAR(iterate.x[1], .25, 1e-3);
}

// The inequality of three nodes that have each other as best parents in a circle: one of them has
// to go without.
TEST(primal_dual_breaks_a_circle) {
  SimplexProgram program;
  program.rhs = {1};
  for (const double loss : {3., 2., 4.}) {
    program.end_column(0);
    program.add_entry(0, 1);
    program.end_column(loss);
    program.end_block();
  }
  const PrimalDualIterate iterate = solve(program, 2000);
  CHECK_NEAR(iterate.bound, 2, 1e-6);
  CHECK_NEAR(iterate.x[3], 1, 1e-3);
}

// Weak duality on random programs: no choice of one column a block that satisfies the rows costs
// less than the bound; and the bound beats that of no multipliers whenever it can.
TEST(primal_dual_bounds_every_solution) {
  Random random(1);
  unsigned raised = 0;
  for (unsigned trial = 0; trial < 50; ++trial) {
    SimplexProgram program;
    program.rhs = {1, 1, 2};
    std::vector<std::vector<double>> rows;
    for (unsigned b = 0; b < 4; ++b) {
      for (unsigned j = 0; j < 3; ++j) {
        rows.push_back({});
        for (unsigned r = 0; r < 3; ++r) {
          rows.back().push_back(random.below(2));
          if (rows.back()[r] != 0)
            program.add_entry(r, rows.back()[r]);
        }
        program.end_column(random.below(10));
      }
      program.end_block();
    }
    double cheapest = std::numeric_limits<double>::infinity();
    for (unsigned choice = 0; choice < 81; ++choice) {
      double cost = 0, activity[3] = {0, 0, 0};
      for (unsigned b = 0, rest = choice; b < 4; ++b, rest /= 3) {
        const unsigned j = 3 * b + rest % 3;
        cost += program.cost[j];
        for (unsigned r = 0; r < 3; ++r)
          activity[r] += rows[j][r];
      }
      if (activity[0] >= 1 && activity[1] >= 1 && activity[2] >= 2)
        cheapest = std::min(cheapest, cost);
    }
    const double few = solve(program, 1).bound, many = solve(program, 400).bound;
    CHECK(few <= cheapest + 1e-9 && many <= cheapest + 1e-9);
    raised += many > few + 1e-6;
  }
  CHECK(raised > 5);
}

TEST(primal_dual_continues_from_its_iterate) {
  const SimplexProgram program = forced(8, .25);
  PrimalDualIterate iterate = solve(program, 400);
  const double before = iterate.bound;
  Host host;
  Watch watch(host);
  primal_dual_hybrid_gradient(iterate, program, 40, 0, watch);
  CHECK(iterate.bound >= before - 1e-6);
}

TEST(primal_dual_stopped_beforehand_keeps_the_multipliers) {
  Host host;
  host.should_stop = [] { return StopReason::interrupt; };
  Watch watch(host);
  PrimalDualIterate iterate;
  iterate.x = {1, 0};
  iterate.y = {4};
  primal_dual_hybrid_gradient(iterate, forced(8, .25), 100, 0, watch);
  CHECK_EQUAL(iterate.best[0], 4);
  CHECK_NEAR(iterate.bound, 1, 1e-12);
}
