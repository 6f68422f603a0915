#include "check.h"

#include "core/base/random.h"
#include "core/structure/bounds/dual_simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace optbn;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
using Status = DualSimplex::Status;

// Every block has a dear column with an entry of 1 in all rows, unless `hard`.
SimplexProgram random_program(Random &random, bool hard = false) {
  SimplexProgram program;
  const unsigned blocks = 2 + random.below(6), rows = 1 + random.below(12);
  for (unsigned r = 0; r < rows; ++r)
    program.rhs.push_back(1 + random.below(2));
  for (unsigned b = 0; b < blocks; ++b) {
    for (unsigned j = 2 + random.below(6); j > 0; --j) {
      for (unsigned r = 0; r < rows; ++r)
        if ((j == 1 && !hard) || random.below(3) == 0)
          program.add_entry(r, j == 1 || random.below(2) ? 1 : random.uniform());
      program.end_column(j == 1 ? 20 : 10 * random.uniform());
    }
    program.end_block();
  }
  return program;
}

// The program without some columns.
SimplexProgram without(const SimplexProgram &program, const std::vector<bool> &forbidden) {
  SimplexProgram rest;
  rest.rhs = program.rhs;
  for (std::size_t b = 0; b < program.blocks(); ++b) {
    for (std::uint32_t j = program.block[b]; j < program.block[b + 1]; ++j) {
      if (forbidden[j])
        continue;
      for (std::uint32_t e = program.start[j]; e < program.start[j + 1]; ++e)
        rest.add_entry(program.row[e], program.value[e]);
      rest.end_column(program.cost[j]);
    }
    rest.end_block();
  }
  return rest;
}

// The bound that multipliers prove: what weak duality says of them, whoever found them.
double bound(const SimplexProgram &program, const std::vector<double> &price) {
  double sum = 0;
  for (std::size_t r = 0; r < program.rows(); ++r)
    sum += program.rhs[r] * price[r];
  for (std::size_t b = 0; b < program.blocks(); ++b) {
    double least = kInfinite;
    for (std::uint32_t j = program.block[b]; j < program.block[b + 1]; ++j) {
      double reduced = program.cost[j];
      for (std::uint32_t e = program.start[j]; e < program.start[j + 1]; ++e)
        reduced -= price[program.row[e]] * program.value[e];
      least = std::min(least, reduced);
    }
    sum += least;
  }
  return sum;
}

// x is feasible and costs no more than the multipliers' bound: both are optimal.
void check_optimal(const SimplexProgram &program, const DualSimplex &simplex) {
  const std::vector<double> x = simplex.weights(), y = simplex.prices();
  std::vector<double> activity(program.rows(), 0);
  double cost = 0, infeasibility = 0;
  for (std::size_t b = 0; b < program.blocks(); ++b) {
    double sum = -1;
    for (std::uint32_t j = program.block[b]; j < program.block[b + 1]; ++j) {
      sum += x[j];
      cost += x[j] * program.cost[j];
      infeasibility = std::max(infeasibility, -x[j]);
      for (std::uint32_t e = program.start[j]; e < program.start[j + 1]; ++e)
        activity[program.row[e]] += x[j] * program.value[e];
    }
    infeasibility = std::max(infeasibility, std::abs(sum));
  }
  for (std::size_t r = 0; r < program.rows(); ++r) {
    infeasibility = std::max(infeasibility, program.rhs[r] - activity[r]);
    CHECK(y[r] >= 0);
  }
  CHECK(infeasibility < 1e-7);
  CHECK_NEAR(bound(program, y), cost, 1e-6);
  CHECK_NEAR(simplex.objective(), cost, 1e-6);
}

std::vector<std::uint32_t> basis_of(const DualSimplex &simplex, const SimplexProgram &program) {
  std::vector<std::uint32_t> basis;
  for (std::uint32_t v = 0; v < program.columns() + program.rows(); ++v)
    if (simplex.is_basic(v))
      basis.push_back(v);
  return basis;
}

} // namespace

TEST(dual_simplex_ends_at_an_optimum) {
  Random random(1);
  const Host host;
  Watch watch(host);
  for (unsigned trial = 0; trial < 2000; ++trial) {
    const SimplexProgram program = random_program(random);
    if (*std::max_element(program.rhs.begin(), program.rhs.end()) > 1 && program.blocks() < 4)
      continue; // may have no solution
    DualSimplex simplex(program, {});
    CHECK(simplex.run(kInfinite, 1000, watch) == Status::optimal);
    check_optimal(program, simplex);
    // Again from its basis: nothing is left to do.
    DualSimplex again(program, basis_of(simplex, program));
    CHECK(again.run(kInfinite, 1000, watch) == Status::optimal);
    CHECK(again.pivots() <= 2);
    check_optimal(program, again);
  }
}

TEST(dual_simplex_continues_after_rows_are_added_and_columns_forbidden) {
  Random random(2);
  const Host host;
  Watch watch(host);
  unsigned infeasible = 0, optimal = 0;
  for (unsigned trial = 0; trial < 1000; ++trial) {
    const SimplexProgram program = random_program(random, trial % 2);
    DualSimplex simplex(program, {});
    simplex.run(1e4, 1000, watch);
    std::vector<bool> forbidden(program.columns(), false);
    for (std::size_t b = 0; b < program.blocks(); ++b) // one column of each block stays
      for (std::uint32_t j = program.block[b] + 1; j < program.block[b + 1]; ++j)
        if (random.below(3) == 0) {
          forbidden[j] = true;
          simplex.forbid(j);
        }
    const SimplexProgram rest = without(program, forbidden);
    const Status status = simplex.run(1e4, 1000, watch);
    if (status == Status::optimal) {
      ++optimal;
      DualSimplex fresh(rest, {});
      CHECK(fresh.run(kInfinite, 1000, watch) == Status::optimal);
      check_optimal(rest, fresh);
      CHECK_NEAR(simplex.objective(), fresh.objective(), 1e-6);
      const std::vector<double> x = simplex.weights();
      for (std::uint32_t j = 0; j < program.columns(); ++j)
        CHECK(!forbidden[j] || x[j] < 1e-9);
    } else {
      ++infeasible;
      CHECK(bound(rest, simplex.prices()) >= 1e4 * (1 - 1e-6)); // the ray is a proof
    }
  }
  CHECK(infeasible > 50 && optimal > 500);
}

TEST(dual_simplex_accepts_any_part_of_a_basis) {
  Random random(3);
  const Host host;
  Watch watch(host);
  for (unsigned trial = 0; trial < 500; ++trial) {
    SimplexProgram program = random_program(random);
    std::fill(program.rhs.begin(), program.rhs.end(), 1);
    std::vector<std::uint32_t> basis;
    for (std::uint32_t v = 0; v < program.columns() + program.rows(); ++v)
      if (random.below(2))
        basis.push_back(v);
    DualSimplex simplex(program, basis);
    CHECK(simplex.run(kInfinite, 1000, watch) == Status::optimal);
    check_optimal(program, simplex);
  }
}

TEST(dual_simplex_stops_at_what_is_enough_and_at_its_limit) {
  Random random(4);
  const Host host;
  Watch watch(host);
  unsigned early = 0;
  for (unsigned trial = 0; trial < 200; ++trial) {
    SimplexProgram program = random_program(random);
    std::fill(program.rhs.begin(), program.rhs.end(), 1);
    DualSimplex whole(program, {});
    whole.run(kInfinite, 1000, watch);
    DualSimplex part(program, {});
    if (part.run(whole.objective() - 1e-3, 1000, watch) == Status::enough)
      CHECK(part.objective() >= whole.objective() - 1e-3);
    DualSimplex one(program, {});
    if (one.run(kInfinite, 1, watch) == Status::stopped) {
      ++early;
      CHECK_EQUAL(one.pivots(), 1);
      CHECK(bound(program, one.prices()) <= whole.objective() + 1e-6);
    }
  }
  CHECK(early > 50);
}
