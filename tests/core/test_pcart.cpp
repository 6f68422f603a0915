#include "check.h"
#include "random_problem.h"
#include "tree_fixtures.h"

#include "core/base/errors.h"
#include "core/score/enumeration.h"
#include "core/score/local_structure/pcart_score.h"

#include <numeric>

using namespace fixtures;

namespace {

// What a tree says of the data: the sum over its leaves, each row routed by hand.
double score_of_tree(const Dataset &data, const ScoreSettings &chosen, const SlowTrees &slow,
                     Node child, const std::vector<Node> &parents, const Tree &tree) {
  std::vector<std::vector<std::size_t>> rows_of(tree.nodes.size());
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::size_t at = 0;
    while (tree.nodes[at].parent != TreeNode::kLeaf) {
      const TreeNode &node = tree.nodes[at];
      const unsigned cell = slow.cell(parents[static_cast<std::size_t>(node.parent)], row);
      const bool left = node.levels.empty()
                            ? cell < node.cell
                            : std::count(node.levels.begin(), node.levels.end(), cell) > 0;
      at = left ? node.left : node.right;
    }
    rows_of[at].push_back(row);
  }
  double score = tree.log_norm;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].parent == TreeNode::kLeaf) {
      double rows = 0;
      for (const std::size_t row : rows_of[i])
        rows += data.weight(row);
      CHECK_EQUAL(rows, tree.nodes[i].rows);
      score += tree.log_leaf + leaf_score(data, chosen, child, rows_of[i], 1);
    }
  return score;
}

void check_all_families(const Dataset &data, const ScoreSettings &chosen) {
  const Host host;
  Watch watch(host);
  PcartScore score(data, chosen);
  for (Node child = 0; child < data.size(); ++child)
    for (const std::vector<Node> &parents : all_parent_sets(data, child)) {
      SlowTrees slow(data, chosen, parents);
      const double wanted = slow.score(child);
      CHECK_NEAR(score_one(score, child, parents), wanted, 1e-9);
      const Tree tree = score.best_tree(child, parents, watch);
      CHECK_NEAR(tree.score, wanted, 1e-9);
      CHECK_NEAR(tree.log_leaf, slow.log_leaf(), 1e-12);
      CHECK_NEAR(tree.log_norm, slow.log_norm(), 1e-9);
      if (chosen.leaf.iss == 0) // shares would have to be traced
        CHECK_NEAR(score_of_tree(data, chosen, slow, child, parents, tree), wanted, 1e-9);
    }
}

std::vector<double> all_scores(const Dataset &data, const ScoreSettings &chosen, unsigned threads) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  const auto score = make_score(data, chosen);
  std::vector<double> all;
  for (unsigned size = 0; size <= 3; ++size) {
    FamilyBatch batch;
    batch.parents = size;
    for (Node child = 0; child < data.size(); ++child)
      for (const std::vector<Node> &parents : all_parent_sets(data, child))
        if (parents.size() == size)
          batch.add(child, parents.data());
    FamilyScores result;
    score->score(batch, watch, result);
    all.insert(all.end(), result.score.begin(), result.score.end());
  }
  return all;
}

} // namespace

TEST(pcart_equals_the_best_of_all_trees) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Dataset data = mixed_data(seed, 10 + 15 * seed, 3, 2, 4, seed % 2 == 0);
    ScoreSettings chosen = tree_settings(data, "pcart", seed % 3);
    check_all_families(data, chosen);
    chosen.leaf = {0.1, 0, 3, 0.5, 1, 0.1};
    check_all_families(data, chosen);
  }
}

TEST(pcart_with_levels_that_do_not_occur) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Dataset data = mixed_data(seed, 25, 3, 1, 3);
    for (Column &column : data.columns)
      if (column.discrete())
        column.levels += 2;
    check_all_families(data, tree_settings(data, "pcart"));
  }
}

TEST(pcart_with_a_sample_size_shared_out_over_the_space) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Dataset data = mixed_data(seed, 30, 3, 1, 3);
    data.columns[0].levels += 1; // a level that does not occur still takes its share
    ScoreSettings chosen = tree_settings(data, "pcart");
    chosen.leaf.iss = static_cast<double>(seed);
    check_all_families(data, chosen);
  }
}

// Of four or more levels in an order, for numbers and for responses of two and of more levels.
TEST(pcart_cuts_many_levels_in_the_order_of_the_response) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Dataset data = mixed_data(seed, 25 + 10 * seed, 2, 2, 5, seed % 2 == 0);
    const Dataset more = random_table(seed + 100, data.rows, 1, 2);
    data.columns.insert(data.columns.begin(), more.columns[0]);
    if (seed > 4)
      data.columns[1].levels += 2; // that do not occur
    ScoreSettings chosen = tree_settings(data, "pcart", 1);
    chosen.max_levels = 3;
    chosen.leaf.iss = seed > 5 ? 2 : 0;
    check_all_families(data, chosen);
  }
}

TEST(pcart_of_many_levels_has_a_price_of_many_levels) {
  Column column;
  column.levels = 5000;
  for (std::uint16_t level = 0; level < 40; ++level)
    column.codes.push_back(level);
  const TreeAxis many = TreeAxis::many_levels(column, false);
  CHECK_NEAR(tree_prior({&many}).log_leaf, -5001 * std::log(2), 1e-8);
  const double log_z = -tree_prior({&many}).log_norm - tree_prior({&many}).log_leaf;
  CHECK(0 < log_z && log_z < std::log(2));
  const TreeAxis few = TreeAxis::levels(column, true, false);
  CHECK(tree_prior({&few}).log_leaf > -10);
}

// Fifteen bits of code and ten rows: boxes are listed, not tabulated.
TEST(pcart_with_few_rows_in_a_large_space) {
  const Dataset data = mixed_data(5, 10, 2, 5, 3);
  const ScoreSettings chosen = tree_settings(data, "pcart", 2);
  const auto score = make_score(data, chosen);
  for (const std::vector<Node> &parents :
       std::vector<std::vector<Node>>{{2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}})
    CHECK_NEAR(score_one(*score, 0, parents), SlowTrees(data, chosen, parents).score(0), 1e-9);
}

// More splits than are kept between sweeps, for responses enough to need two.
TEST(pcart_with_many_levels) {
  Random random(3);
  Dataset data;
  data.rows = data.total = 600;
  for (unsigned levels : {11, 8, 2, 2, 2, 2, 2, 2, 2, 2, 2}) {
    std::vector<std::uint16_t> codes;
    for (std::size_t row = 0; row < data.rows; ++row)
      codes.push_back(static_cast<std::uint16_t>(random.below(levels)));
    add_discrete(data, levels, codes);
  }
  const ScoreSettings chosen = tree_settings(data, "pcart");
  PcartScore score(data, chosen);
  const std::vector<Node> parents{0, 1};
  FamilyBatch batch;
  batch.parents = 2;
  for (Node child = 2; child < data.size(); ++child)
    batch.add(child, parents.data());
  const Host host;
  Watch watch(host);
  FamilyScores result;
  score.score(batch, watch, result);
  const SlowTrees slow(data, chosen, parents);
  for (const Node child : {Node{2}, Node{10}}) { // of either sweep
    const Tree tree = score.best_tree(child, parents, watch);
    CHECK_NEAR(result.score[child - 2u], tree.score, 1e-9);
    CHECK_NEAR(score_of_tree(data, chosen, slow, child, parents, tree), tree.score, 1e-9);
  }
}

TEST(pcart_does_not_depend_on_rows_levels_or_threads) {
  const Dataset data = mixed_data(8, 80, 4, 2, 4);
  const ScoreSettings chosen = tree_settings(data, "pcart");
  const std::vector<double> wanted = all_scores(data, chosen, 1);
  CHECK(wanted == all_scores(data, chosen, 3));

  Dataset shuffled = data;
  for (Column &column : shuffled.columns) {
    std::reverse(column.codes.begin(), column.codes.end());
    std::reverse(column.values.begin(), column.values.end());
    if (!column.ordered)
      for (std::uint16_t &code : column.codes)
        code = static_cast<std::uint16_t>((code + 1) % column.levels);
  }
  const std::vector<double> got = all_scores(shuffled, chosen, 1);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    CHECK_NEAR(got[i], wanted[i], 1e-9);
}

TEST(pcart_threads_give_equal_scores) {
  const Dataset data = mixed_data(2, 60, 3, 2, 3);
  const ScoreSettings chosen = tree_settings(data, "pcart");
  CHECK(all_scores(data, chosen, 1) == all_scores(data, chosen, 2));
}

// Interrupted anywhere, between parent sets or amid the boxes of one, it ends at once.
TEST(pcart_threads_stop_at_any_poll) {
  Random random(7);
  Dataset data;
  data.rows = data.total = 400;
  for (unsigned levels : {11, 9, 8, 2, 2, 2}) {
    std::vector<std::uint16_t> codes;
    for (std::size_t row = 0; row < data.rows; ++row)
      codes.push_back(static_cast<std::uint16_t>(random.below(levels)));
    add_discrete(data, levels, codes);
  }
  EnumerationOptions options;
  options.rules.max_parents.assign(data.size(), 3); // tables, lists, splits kept and not
  options.rules.required.resize(data.size());
  options.rules.forbidden.resize(data.size());
  for (const unsigned threads : {1, 2})
    for (int polls : {0, 1, 2, 5, 11, 18}) {
      const auto score = make_score(data, tree_settings(data, "pcart"));
      const Host host = fixtures::host_stopping_after(polls, threads);
      Watch watch(host);
      CHECK_THROWS(enumerate_parent_sets(data, *score, options, watch), Interrupted);
    }
}

TEST(pcart_says_when_trees_do_not_fit_into_memory) {
  const Dataset data = mixed_data(1, 50, 4, 2, 4);
  ScoreSettings chosen = tree_settings(data, "pcart", 4);
  chosen.memory_limit = 1e4;
  const auto score = make_score(data, chosen);
  CHECK_THROWS(score_one(*score, 0, {1, 2, 3, 4, 5}), MemoryLimit);
}

TEST(the_prior_of_trees_is_that_of_the_paper) {
  const auto axis = [](unsigned levels, bool ordinal) {
    Column column;
    column.levels = levels;
    column.codes.assign(levels, 0);
    std::iota(column.codes.begin(), column.codes.end(), std::uint16_t{0});
    return TreeAxis::levels(column, ordinal, false);
  };
  const TreeAxis two = axis(2, false), three = axis(3, false), four = axis(4, false);
  const TreeAxis halves = TreeAxis::dyadic(Column(), {0, 1}, 2);
  CHECK_NEAR(tree_prior({&two}).log_norm, 1.1631508098056809, 1e-12);
  CHECK_NEAR(tree_prior({&three}).log_norm, 2.24523379652258, 1e-12);
  CHECK_NEAR(tree_prior({&four}).log_norm, 3.0903236103717786, 1e-12);
  CHECK_NEAR(tree_prior({&halves}).log_norm, 1.0565410747474226, 1e-12);
  CHECK_NEAR(tree_prior({&two, &two}).log_leaf, -2.0794415416798357, 1e-12);
  CHECK_NEAR(tree_prior({&two, &two}).log_norm, 1.8045360558070367, 1e-12);
  CHECK_EQUAL(tree_prior({}).log_norm, 0);
}

TEST(axes_number_parts_before_wholes) {
  Column column;
  column.levels = 5;
  column.codes = {0, 1, 2, 4};
  column.values = {0, 0.24, 0.25, 1, 7, -7};
  const std::vector<TreeAxis> axes{
      TreeAxis::levels(column, false, false), TreeAxis::levels(column, true, false),
      TreeAxis::levels(column, true, true), TreeAxis::dyadic(column, {0, 1}, 3),
      TreeAxis::many_levels(column, false).in_order({2, 0, 3, 1})};
  for (const TreeAxis &axis : axes)
    for (std::uint64_t region = axis.first(); region <= axis.root(); ++region) {
      const std::vector<std::uint32_t> cells = axis.cells_of(region);
      CHECK_EQUAL(cells.size() == 1, axis.is_cell(region));
      double splits = 0;
      if (!axis.is_cell(region))
        axis.for_each_split(region, [&](std::uint64_t left, std::uint64_t right) {
          CHECK(left < region && right < region);
          std::vector<std::uint32_t> both = axis.cells_of(left), more = axis.cells_of(right);
          both.insert(both.end(), more.begin(), more.end());
          std::sort(both.begin(), both.end());
          CHECK(both == cells);
          ++splits;
        });
      CHECK_EQUAL(splits, axis.splits(region));
      for (std::uint32_t cell = 0; cell < axis.cells(); ++cell) {
        const bool held = std::count(cells.begin(), cells.end(), cell) > 0;
        const std::vector<std::uint64_t> around = axis.regions_around({cell});
        CHECK_EQUAL(std::count(around.begin(), around.end(), region), held);
        CHECK_EQUAL(axis.holds(region, cell), held);
        const std::vector<std::uint64_t> both = axis.regions_around({0, cell});
        CHECK_EQUAL(std::count(both.begin(), both.end(), region), held || axis.holds(region, 0));
      }
    }
  CHECK(axes[3].cell_of_row() == (std::vector<std::uint32_t>{0, 1, 2, 7, 7, 0}));
}

TEST(the_size_penalty_counts_the_sets_of_that_size) {
  const Dataset data = mixed_data(4, 40, 3, 2, 3);
  for (const char *label : {"pcart", "ft"}) {
    const auto plain = make_score(data, tree_settings(data, label));
    const auto penalised = make_score(data, tree_settings(data, std::string(label) + "-p"));
    for (const std::vector<Node> &parents : all_parent_sets(data, 0)) {
      const double sets[] = {1, 4, 6, 4, 1};
      CHECK_NEAR(score_one(*penalised, 0, parents),
                 score_one(*plain, 0, parents) - std::log(sets[parents.size()]), 1e-12);
    }
  }
}
