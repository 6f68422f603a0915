// FactorElimination against sums over all cells.

#include "check.h"

#include "core/base/errors.h"
#include "core/base/log_sum.h"
#include "core/mixed/factor_elimination.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace optbn;
using Reduction = FactorElimination::Reduction;

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct Problem {
  std::vector<unsigned> levels;
  std::vector<LogFactor> factors;
};

// `scale`: of the logarithms. A tenth of the cells is 0.
Problem random_problem(Node nodes, double scale, Random &random) {
  Problem problem;
  for (Node v = 0; v < nodes; ++v)
    problem.levels.push_back(1 + random.below(3));
  for (Node f = 0; f < nodes + 2; ++f) {
    LogFactor factor;
    for (Node v = 0; v < nodes; ++v)
      if (v == f || random.below(4) == 0)
        factor.nodes.push_back(v);
    random.shuffle(factor.nodes);
    const double cells = cells_of(factor.nodes, problem.levels);
    for (double c = 0; c < cells; ++c)
      factor.logs.push_back(random.below(10) == 0 ? kLogZero : scale * (random.uniform() - 0.5));
    problem.factors.push_back(std::move(factor));
  }
  return problem;
}

// The logarithm of the product in each cell over all nodes.
std::vector<double> all_cells(const Problem &problem) {
  std::vector<Node> nodes(problem.levels.size());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  CellWalk walk(nodes, problem.levels);
  for (const LogFactor &factor : problem.factors)
    walk.follow(factor.nodes, problem.levels);
  std::vector<double> logs;
  for (std::size_t c = 0; c < walk.cells(); ++c, walk.next()) {
    logs.push_back(0);
    for (std::size_t f = 0; f < problem.factors.size(); ++f)
      logs.back() += problem.factors[f].logs[walk.at(f)];
  }
  return logs;
}

// Probabilities of a table over some nodes.
std::vector<double> joint_of(const Problem &problem, const std::vector<Node> &asked) {
  const std::vector<double> logs = all_cells(problem);
  const double total = log_sum_exp(logs.data(), logs.size());
  std::vector<Node> nodes(problem.levels.size());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  CellWalk walk(nodes, problem.levels);
  walk.follow(asked, problem.levels);
  std::vector<double> sums(static_cast<std::size_t>(cells_of(asked, problem.levels)), 0);
  for (std::size_t c = 0; c < walk.cells(); ++c, walk.next())
    sums[walk.at(0)] += std::exp(logs[c] - total);
  return sums;
}

void check_near(const std::vector<double> &a, const std::vector<double> &b) {
  CHECK_EQUAL(a.size(), b.size());
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    CHECK_NEAR(a[i], b[i], 1e-10);
}

} // namespace

TEST(factor_elimination_is_a_sum_over_all_cells) {
  Random random(1);
  Host host;
  Watch watch(host);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const Problem problem =
        random_problem(static_cast<Node>(1 + random.below(6)), repeat % 2 ? 4 : 5000, random);
    const std::vector<double> logs = all_cells(problem);
    const double total = log_sum_exp(logs.data(), logs.size());
    FactorElimination elimination(problem.factors, problem.levels, {}, kNoLimit, watch);
    const double found = elimination.collect(Reduction::sum, watch);
    if (total == kLogZero) {
      CHECK(found == kLogZero);
      continue;
    }
    CHECK_NEAR(found, total, 1e-9 * (1 + std::abs(total)));
    const auto marginals = elimination.marginals();
    for (Node v = 0; v < problem.levels.size(); ++v)
      check_near(marginals[v], joint_of(problem, {v}));

    std::vector<Node> asked(problem.levels.size());
    std::iota(asked.begin(), asked.end(), Node{0});
    random.shuffle(asked);
    asked.resize(1 + random.below(static_cast<unsigned>(asked.size())));
    FactorElimination with_kept(problem.factors, problem.levels, asked, kNoLimit, watch);
    with_kept.collect(Reduction::sum, watch);
    check_near(with_kept.joint(), joint_of(problem, asked));

    const double largest = *std::max_element(logs.begin(), logs.end());
    CHECK_NEAR(elimination.collect(Reduction::maximum, watch), largest,
               1e-9 * (1 + std::abs(largest)));
    std::vector<std::uint16_t> level(problem.levels.size(), 0);
    elimination.most_probable(level);
    std::size_t cell = 0, stride = 1;
    for (Node v = 0; v < problem.levels.size(); ++v) {
      cell += stride * level[v];
      stride *= problem.levels[v];
    }
    CHECK_NEAR(logs[cell], largest, 1e-9 * (1 + std::abs(largest)));
  }
}

TEST(factor_elimination_refuses_what_does_not_fit) {
  Host host;
  Watch watch(host);
  const LogFactor factor{{0, 1}, std::vector<double>(9, 0)};
  CHECK_THROWS(FactorElimination({factor}, {3, 3}, {}, 100, watch), MemoryLimit);
}
