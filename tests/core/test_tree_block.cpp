#include "check.h"
#include "density_fixtures.h"

#include "core/base/log_sum.h"
#include "core/base/random.h"
#include "core/density/inference/tree_block.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace optbn;
using namespace density_test;

namespace {

constexpr std::uint16_t kMissing = PartialRows::kMissing;

// A forest of variables, some of them hidden, with random tables, some of whose cells are 0; all
// have one to four levels.
TreeDensity small_tree(Node variables, Random &random) {
  MixtureShape shape;
  shape.hidden = 3;
  shape.zeros = 0.1;
  std::vector<unsigned> levels;
  std::vector<Node> scope;
  for (Node v = 0; v < variables; ++v) {
    levels.push_back(1 + random.below(4));
    scope.push_back(v);
  }
  return random_tree(levels, scope, shape, random);
}

// By variable of a tree; variables it has not have one.
std::vector<unsigned> levels_of(const TreeDensity &tree, Node variables) {
  std::vector<unsigned> levels(variables, 1);
  for (const TreeDensity::TreeNode &node : tree.nodes)
    if (node.variable != TreeDensity::kHidden)
      levels[node.variable] = node.levels;
  return levels;
}

// All states of all members that agree with a row, one by one: the density of what is observed, and
// into `expected` the sum of the densities of the states in which a cell of a table is used.
double enumerate(const TreeDensity &tree, const PartialRows &data, std::size_t row,
                 std::vector<double> &expected) {
  std::vector<unsigned> levels;
  for (const TreeDensity::TreeNode &node : tree.nodes)
    levels.push_back(node.levels);
  double total = 0;
  for_each_row(levels, [&](const Row &state) {
    double p = 1;
    std::vector<std::size_t> cells;
    for (std::size_t m = 0; m < tree.nodes.size(); ++m) {
      const TreeDensity::TreeNode &node = tree.nodes[m];
      const std::size_t above = node.parent == TreeDensity::kRoot ? 0 : state[node.parent];
      cells.push_back(node.table + above * node.levels + state[m]);
      p *= tree.tables[cells.back()];
      if (node.variable != TreeDensity::kHidden) {
        const std::uint16_t cell = data.columns[node.variable][row];
        p *= cell == kMissing || cell == state[m];
      }
    }
    total += p;
    for (const std::size_t cell : cells)
      expected[cell] += p;
  });
  return total;
}

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

// Densities and counts of all rows agree with those by enumeration; tolerances are relative.
template <class Real> void check_by_enumeration(double tolerance) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 150; ++repeat) {
    const auto variables = static_cast<Node>(1 + random.below(5));
    TreeDensity tree = small_tree(variables, random);
    TreeBlockOf<Real> block(tree);
    for (unsigned again = 0; again < 2; ++again) {
      const std::size_t count = 1 + random.below(again ? 64 : 20);
      const double missing = random.below(4) == 0 ? 1 : random.below(3) * 0.3;
      const PartialRows data = random_rows(levels_of(tree, variables), count + 3, missing, random);
      std::vector<std::uint32_t> rows = numbers(count + 3);
      random.shuffle(rows);
      std::vector<double> log_densities(count), weights(count);
      block.collect(data, rows.data(), count, log_densities.data());
      std::vector<double> wanted(tree.tables.size(), 0.0), expected(tree.tables.size(), 0.25);
      for (std::size_t r = 0; r < count; ++r) {
        std::vector<double> cells(tree.tables.size(), 0.0);
        const double density = enumerate(tree, data, rows[r], cells);
        if (density == 0)
          CHECK_EQUAL(log_densities[r], kLogZero);
        else
          CHECK_NEAR(log_densities[r], std::log(density), tolerance);
        weights[r] = density == 0 ? 0 : random.uniform();
        for (std::size_t cell = 0; cell < cells.size(); ++cell)
          wanted[cell] += density == 0 ? 0 : weights[r] * cells[cell] / density;
      }
      block.distribute(weights.data(), expected.data());
      for (std::size_t cell = 0; cell < wanted.size(); ++cell)
        CHECK_NEAR(expected[cell], 0.25 + wanted[cell], tolerance * (1 + wanted[cell]));
      // Other tables: those of a tree of the same shape.
      for (const TreeDensity::TreeNode &node : tree.nodes)
        std::reverse(tree.tables.begin() + static_cast<std::ptrdiff_t>(node.table),
                     tree.tables.begin() + static_cast<std::ptrdiff_t>(node.table) + node.levels);
      block.reload();
    }
  }
}

// Kernels of other instructions give the same bits.
template <class Real> void check_kernels() {
  Random random(2);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    TreeDensity tree;
    for (unsigned m = 0; m < 12; ++m)
      tree.add(m % 2 ? static_cast<Node>(m / 2) : TreeDensity::kHidden, 1 + random.below(21),
               m == 0 ? TreeDensity::kRoot : (m - 1) / 2 * 2);
    for (double &p : tree.tables)
      p = random.uniform() * 1e-3;
    const std::size_t count = 1 + random.below(64);
    const PartialRows data = random_rows(levels_of(tree, 6), count, 0.1, random);
    const std::vector<std::uint32_t> rows = numbers(count);
    const std::vector<double> weights(count, 0.5);
    std::vector<std::vector<double>> logs, counts;
    for (const BlockKernels<Real> *kernels :
         {&plain_block_kernels<Real>(), &avx2_block_kernels<Real>(),
          &fastest_block_kernels<Real>()}) {
      TreeBlockOf<Real> block(tree, *kernels);
      logs.emplace_back(count);
      counts.emplace_back(tree.tables.size());
      block.collect(data, rows.data(), count, logs.back().data());
      block.distribute(weights.data(), counts.back().data());
    }
    CHECK(logs[0] == logs[1] && logs[0] == logs[2]);
    CHECK(counts[0] == counts[1] && counts[0] == counts[2]);
  }
}

// A star and a chain of thousands of members, whose densities are far below the smallest number.
template <class Real> void check_large(double tolerance) {
  for (const bool star : {true, false}) {
    TreeDensity tree;
    constexpr Node kVariables = 5000;
    std::uint32_t hidden = tree.add(TreeDensity::kHidden, 2, TreeDensity::kRoot);
    for (Node v = 0; v < kVariables; ++v) {
      if (!star && v > 0)
        hidden = tree.add(TreeDensity::kHidden, 2, hidden);
      tree.add(v, 2, hidden);
    }
    // Whatever the hidden state, a variable is 1 with probability 1/8.
    for (const TreeDensity::TreeNode &node : tree.nodes)
      for (std::size_t p = 0; p < tree.blocks(node); ++p) {
        const bool is_hidden = node.variable == TreeDensity::kHidden;
        tree.tables[node.table + 2 * p] = is_hidden ? 0.25 + 0.5 * p : 0.875;
        tree.tables[node.table + 2 * p + 1] = is_hidden ? 0.75 - 0.5 * p : 0.125;
      }
    PartialRows data;
    data.rows = 2;
    data.columns.assign(kVariables, {0, 1});
    data.columns[7] = {1, kMissing};
    TreeBlockOf<Real> block(tree);
    const std::vector<std::uint32_t> rows = numbers(2);
    double logs[2];
    block.collect(data, rows.data(), 2, logs);
    CHECK_NEAR(logs[0], (kVariables - 1) * std::log(0.875) + std::log(0.125),
               tolerance * kVariables);
    CHECK_NEAR(logs[1], (kVariables - 1) * std::log(0.125), tolerance * kVariables);
    std::vector<double> expected(tree.tables.size(), 0.0);
    const double weights[2] = {1, 1};
    block.distribute(weights, expected.data());
    for (const TreeDensity::TreeNode &node : tree.nodes) {
      const std::size_t cells = 2 * tree.blocks(node);
      const double *const of = expected.data() + node.table;
      CHECK_NEAR(std::accumulate(of, of + cells, 0.0), 2, 1000 * tolerance);
    }
  }
}

// Trees of hundreds of members with tables that are all but certain, which evidence at random
// contradicts everywhere: densities and counts are those of sum-product in logarithms.
template <class Real> void check_by_logarithms(double tolerance) {
  Random random(4);
  for (unsigned repeat = 0; repeat < 40; ++repeat) {
    const auto variables = static_cast<Node>(100 + random.below(200));
    TreeDensity tree = small_tree(variables, random);
    const double sharpness = 1 + random.below(40);
    for (const TreeDensity::TreeNode &node : tree.nodes)
      for (std::size_t p = 0; p < tree.blocks(node); ++p) {
        double *const column = tree.tables.data() + node.table + p * node.levels;
        for (unsigned l = 0; l < node.levels; ++l)
          column[l] = std::pow(random.uniform(), sharpness) + 1e-30;
        const double sum = std::accumulate(column, column + node.levels, 0.0);
        for (unsigned l = 0; l < node.levels; ++l)
          column[l] /= sum;
      }
    const std::vector<unsigned> levels = levels_of(tree, variables);
    const PartialRows data = random_rows(levels, 20, 0.3, random);
    TreeBlockOf<Real> block(tree);
    std::vector<double> logs(20), weights(20, 1.0);
    block.collect(data, numbers(20).data(), 20, logs.data());
    TreeMessages messages;
    TreeDescent descent;
    std::vector<double> wanted(tree.tables.size(), 0.0), expected(tree.tables.size(), 0.0);
    for (std::size_t r = 0; r < 20; ++r) {
      const double log_density = messages.collect(tree, LevelWeights(levels, evidence_of(data, r)));
      CHECK_NEAR(logs[r], log_density, tolerance * variables);
      descent.add_pairs(tree, messages.condition(), 1, wanted.data());
    }
    block.distribute(weights.data(), expected.data());
    for (std::size_t cell = 0; cell < wanted.size(); ++cell)
      CHECK_NEAR(expected[cell], wanted[cell], 1000 * tolerance);
  }
}

// Children that contradict each other about the level of their parent: whatever comes first is far
// from the truth by orders that no scale common to both levels holds.
template <class Real> void check_contradiction(Node children, double tolerance) {
  for (const bool hidden : {true, false}) {
    TreeDensity tree;
    const std::uint32_t hub =
        tree.add(hidden ? TreeDensity::kHidden : children, 2, TreeDensity::kRoot);
    tree.tables = {0.75, 0.25};
    for (Node v = 0; v < children; ++v) {
      tree.add(v, 2, hub);
      std::copy_n(std::vector<double>{0.9, 0.1, 0.1, 0.9}.begin(), 4, tree.tables.end() - 4);
    }
    // Ones first, ones last, by turns, alone; and a row that is undecided, up to the prior.
    const Node half = children / 2;
    PartialRows data;
    data.rows = 5;
    for (Node v = 0; v < children; ++v) {
      const std::uint16_t first = v < half + 3, last = v >= half - 3, by_turns = v % 2;
      const std::uint16_t even = v < 2 * half ? v < half : kMissing;
      data.columns.push_back({first, last, by_turns, 1, even});
    }
    data.columns.emplace_back(data.rows, kMissing);
    TreeBlockOf<Real> block(tree);
    const std::vector<std::uint32_t> rows = numbers(data.rows);
    std::vector<double> logs(data.rows), expected(tree.tables.size(), 0.0);
    block.collect(data, rows.data(), data.rows, logs.data());
    block.distribute(std::vector<double>{1, 2, 3, 4, 5}.data(), expected.data());
    std::vector<double> of_hub(2, 0.0), of_first(4, 0.0);
    for (std::size_t r = 0; r < data.rows; ++r) {
      double ones = 0, zeros = 0;
      for (Node v = 0; v < children; ++v) {
        ones += data.columns[v][r] == 1;
        zeros += data.columns[v][r] == 0;
      }
      const double if_zero = std::log(0.75) + zeros * std::log(0.9) + ones * std::log(0.1);
      const double if_one = std::log(0.25) + zeros * std::log(0.1) + ones * std::log(0.9);
      CHECK_NEAR(logs[r], log_add(if_zero, if_one), tolerance * children);
      const double share = 1 / (1 + std::exp(if_zero - if_one)), weight = 1.0 + r;
      of_hub[0] += weight * (1 - share);
      of_hub[1] += weight * share;
      of_first[data.columns[0][r]] += weight * (1 - share);
      of_first[2 + data.columns[0][r]] += weight * share;
    }
    for (std::size_t cell = 0; cell < 2; ++cell)
      CHECK_NEAR(expected[cell], of_hub[cell], 1000 * tolerance);
    for (std::size_t cell = 0; cell < 4; ++cell)
      CHECK_NEAR(expected[2 + cell], of_first[cell], 1000 * tolerance);
  }
}

// Nothing of a contradiction is possible when a level is excluded by a zero of a table.
template <class Real> void check_impossible_contradiction(Node children) {
  TreeDensity tree;
  const std::uint32_t hub = tree.add(TreeDensity::kHidden, 2, TreeDensity::kRoot);
  tree.tables = {0.5, 0.5};
  for (Node v = 0; v < children; ++v) {
    tree.add(v, 2, hub);
    const double p = v == 0 ? 0 : 0.1; // of a 1 under level 0
    std::copy_n(std::vector<double>{1 - p, p, 1, 0}.begin(), 4, tree.tables.end() - 4);
  }
  PartialRows data;
  data.rows = 2;
  data.columns.assign(children, {1, 0});
  data.columns[0] = {1, 0};
  double logs[2];
  TreeBlockOf<Real>(tree).collect(data, numbers(2).data(), 2, logs);
  CHECK_EQUAL(logs[0], kLogZero);
  CHECK_NEAR(logs[1], std::log(0.5), 1e-6);
}

// Two children that have each lost the only state that their last leaf leaves possible: no number
// is left.
template <class Real> void check_all_lost(unsigned leaves) {
  TreeDensity tree;
  const std::uint32_t root = tree.add(TreeDensity::kHidden, 2, TreeDensity::kRoot);
  tree.tables = {0.5, 0.5};
  Node variables = 0;
  for (unsigned child = 0; child < 2; ++child) {
    const std::uint32_t hidden = tree.add(TreeDensity::kHidden, 2, root);
    std::fill(tree.tables.end() - 4, tree.tables.end(), 0.5);
    for (unsigned leaf = 0; leaf <= leaves; ++leaf) {
      tree.add(variables++, 2, hidden);
      const double p = leaf == 0 ? 0 : 0.9, q = leaf == 0 ? 1 : 0.1; // of a 1 under 0, under 1
      std::copy_n(std::vector<double>{1 - p, p, 1 - q, q}.begin(), 4, tree.tables.end() - 4);
    }
  }
  PartialRows data;
  data.rows = 1;
  data.columns.assign(variables, {1});
  double log_density = 0;
  TreeBlockOf<Real>(tree).collect(data, numbers(1).data(), 1, &log_density);
  CHECK_NEAR(log_density, 2 * (std::log(0.5) + leaves * std::log(0.1)), 1e-6);
}

// Messages that are scaled to just below twice their threshold, absorbed by one member.
template <class Real> void check_growth(unsigned children, double threshold, double tolerance) {
  constexpr unsigned kLeaves = 10;
  const double p = std::pow(threshold, 1.0 / kLeaves) * 0.995, agree = 0.99;
  TreeDensity tree;
  const std::uint32_t hub = tree.add(TreeDensity::kHidden, 2, TreeDensity::kRoot);
  tree.tables = {0.5, 0.5};
  Node variables = 0;
  for (unsigned child = 0; child < children; ++child) {
    const std::uint32_t hidden = tree.add(TreeDensity::kHidden, 2, hub);
    std::copy_n(std::vector<double>{agree, 1 - agree, 1 - agree, agree}.begin(), 4,
                tree.tables.end() - 4);
    for (unsigned leaf = 0; leaf < kLeaves; ++leaf) {
      tree.add(variables++, 2, hidden);
      std::copy_n(std::vector<double>{1 - p, p, 1 - p / 2, p / 2}.begin(), 4,
                  tree.tables.end() - 4);
    }
  }
  PartialRows data;
  data.rows = 1;
  data.columns.assign(variables, {1});
  double log_density = 0;
  TreeBlockOf<Real> block(tree);
  block.collect(data, numbers(1).data(), 1, &log_density);
  const double other = std::pow(0.5, kLeaves), scale = kLeaves * std::log(p);
  const double of_zero = children * (scale + std::log(agree + (1 - agree) * other));
  const double of_one = children * (scale + std::log(1 - agree + agree * other));
  CHECK_NEAR(log_density, std::log(0.5) + log_add(of_zero, of_one), tolerance * variables);
  std::vector<double> expected(tree.tables.size(), 0.0);
  const double weight = 1;
  block.distribute(&weight, expected.data());
  CHECK_NEAR(expected[0] + expected[1], 1, 1000 * tolerance);
}

// Probabilities that single precision does not know.
template <class Real> void check_faint(double p, double tolerance) {
  TreeDensity tree;
  const std::uint32_t root = tree.add(0, 2, TreeDensity::kRoot);
  tree.add(1, 2, root);
  tree.tables = {1 - p, p, 1 - p, p, 0.5, 0.5};
  PartialRows data;
  data.rows = 3;
  data.columns = {{1, kMissing, 0}, {kMissing, 1, 0}};
  TreeBlockOf<Real> block(tree);
  double logs[3];
  block.collect(data, numbers(3).data(), 3, logs);
  CHECK_NEAR(logs[0], std::log(p), tolerance);
  CHECK_NEAR(logs[1], std::log(p) + std::log(1.5), tolerance);
  CHECK_NEAR(logs[2], 0, tolerance);
  const double weights[3] = {1, 1, 1};
  std::vector<double> expected(6, 0.0);
  block.distribute(weights, expected.data());
  CHECK_NEAR(expected[0], 1 + 2.0 / 3, tolerance);
  CHECK_NEAR(expected[1], 1 + 1.0 / 3, tolerance);
}

} // namespace

TEST(tree_block_agrees_with_enumeration) {
  check_by_enumeration<double>(1e-12);
  check_by_enumeration<float>(1e-5);
}

TEST(tree_block_gives_the_same_bits_by_all_instructions) {
  check_kernels<double>();
  check_kernels<float>();
}

TEST(tree_block_does_not_underflow) {
  check_large<double>(1e-13);
  check_large<float>(1e-6);
}

TEST(tree_block_agrees_with_logarithms) {
  check_by_logarithms<double>(1e-13);
  check_by_logarithms<float>(1e-7);
}

TEST(tree_block_hears_children_that_contradict_each_other) {
  for (const Node children : {40, 200, 1500}) {
    check_contradiction<double>(children, 1e-13);
    check_contradiction<float>(children, 1e-6);
  }
  check_all_lost<double>(1500);
  check_all_lost<float>(200);
  check_impossible_contradiction<double>(1500);
  check_impossible_contradiction<float>(200);
}

TEST(tree_block_does_not_overflow) {
  check_growth<double>(1300, 0x1p-200, 1e-13);
  check_growth<float>(200, 0x1p-30, 1e-6);
}

TEST(tree_block_knows_the_smallest_probabilities) {
  check_faint<float>(1e-60, 1e-6);
  check_faint<float>(1e-20, 1e-6);
  check_faint<double>(1e-300, 1e-12);
}

TEST(tree_block_knows_nothing_without_observations) {
  Random random(3);
  const TreeDensity tree = small_tree(9, random);
  PartialRows data;
  data.rows = 5;
  data.columns.assign(9, std::vector<std::uint16_t>(5, kMissing));
  const std::vector<std::uint32_t> rows = numbers(5);
  double logs[5];
  TreeBlock(tree).collect(data, rows.data(), 5, logs);
  for (const double log_density : logs)
    CHECK_EQUAL(log_density, 0.0);
}

TEST(tree_block_of_nothing) {
  const TreeDensity empty;
  const std::uint32_t rows[2] = {0, 1};
  double logs[2] = {1, 1};
  TreeBlock block(empty);
  block.collect(PartialRows{2, {}}, rows, 2, logs);
  CHECK(logs[0] == 0 && logs[1] == 0);
  const double weights[2] = {1, 1};
  block.distribute(weights, nullptr);
}
