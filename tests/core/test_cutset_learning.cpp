#include "check.h"
#include "cutset_fixtures.h"
#include "random_problem.h"

#include "core/density/cuts/cut_rules.h"
#include "core/density/cuts/cut_screen.h"
#include "core/density/learn/chow_liu.h"

using namespace optbn;
using namespace cutset_test;

namespace {

const Host kHost;

CutsetNetwork learned(const Dataset &data, const std::vector<double> &weights,
                      const CutsetSettings &settings, unsigned threads = 1,
                      const CutsetNetwork *start = nullptr, std::uint64_t seed = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  Random random(seed);
  return learn_cutset(TrainingRows(data), weights, settings, start, random, watch);
}

CutsetNetwork pruned(const CutsetNetwork &network, const Dataset &data, const Smoothing &smoothing,
                     const Dataset &validation, const Host &host = {}) {
  Watch free(kHost), watch(host);
  const TrainingRows rows(data);
  return prune(network, Training(rows, {}, smoothing, free), TrainingRows(validation), watch);
}

double log_likelihood(const CutsetNetwork &network, const Rows &rows) {
  double sum = 0;
  for (const WeightedRow &row : rows)
    sum += row.weight * std::log(density_test::probability(network, row.row));
  return sum;
}

// Over all rows that there can be.
double total_probability(const CutsetNetwork &network, const std::vector<unsigned> &levels) {
  double sum = 0;
  Row row(levels.size(), 0);
  for (;;) {
    sum += density_test::probability(network, row);
    std::size_t v = 0;
    while (v < row.size() && ++row[v] == levels[v])
      row[v++] = 0;
    if (v == row.size())
      return sum;
  }
}

// The most cuts on a way.
unsigned depth(const CutsetNetwork &network, const std::vector<unsigned> &levels,
               std::uint32_t node = 0) {
  const CutsetNetwork::CutNode &here = network.nodes[node];
  unsigned deepest = 0;
  if (here.cut != CutsetNetwork::kLeaf)
    for (unsigned level = 0; level < levels[here.cut]; ++level)
      deepest = std::max(deepest, 1 + depth(network, levels, here.first + level));
  return deepest;
}

CutsetSettings exact(CutRule rule, Prior prior, double alpha) {
  CutsetSettings settings;
  settings.rule = rule;
  settings.smoothing = {prior, alpha};
  settings.min_rows = 8;
  settings.min_features = 2;
  settings.min_child_rows = false;
  settings.screen = 0;
  return settings;
}

// Rows with something for cuts to find: the first column decides how the others hang together.
Dataset mixed_table(std::uint64_t seed, std::size_t rows, unsigned columns) {
  Random random(seed);
  Dataset data = two_level_table(seed, rows, columns);
  for (std::size_t row = 0; row < rows; ++row)
    for (unsigned c = 2; c < columns; ++c)
      if (random.below(4) > 0)
        data.columns[c].codes[row] = static_cast<std::uint16_t>(
            data.columns[c - 1].codes[row] ^ (c % 3 == 0 ? data.columns[0].codes[row] : 0));
  return data;
}

} // namespace

TEST(likelihood_cuts_are_as_defined) {
  Random random(2);
  unsigned cuts = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const Prior prior : kPriors)
      for (unsigned kind = 0; kind < 3; ++kind) {
        const Dataset data =
            seed % 2 ? mixed_table(seed, 120, 6) : fixtures::random_table(seed, 120, 5, 3);
        CutsetSettings settings = exact(CutRule::likelihood, prior, 0.02 + 0.1 * random.uniform());
        settings.penalty = static_cast<CutPenalty>(seed % 3);
        settings.min_child_rows = seed >= 3;
        const std::vector<double> weights = weights_of_kind(kind, data.rows, random);
        const Rows rows = rows_of(data, weights);
        const SlowLearner slow(levels_of(data), rows, settings.smoothing);
        const CutsetNetwork network = learned(data, weights, settings);
        CHECK(same(network, 0, slow.grown(rows, every_variable(levels_of(data)), settings)));
        CHECK_NEAR(total_probability(network, levels_of(data)), 1.0, 1e-10);
        cuts += static_cast<unsigned>(network.nodes.size() > 1);
      }
  CHECK(cuts > 40);
}

TEST(entropy_cuts_are_as_defined) {
  Random random(4);
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (unsigned kind = 0; kind < 3; ++kind) {
      const Dataset data =
          seed % 2 ? two_level_table(seed, 90, 6) : fixtures::random_table(seed, 90, 5, 3);
      CutsetSettings settings = exact(CutRule::entropy, kPriors[seed / 2], 0.3);
      settings.min_entropy = seed == 7 ? 0.6 : 0.01;
      const std::vector<double> weights = weights_of_kind(kind, data.rows, random);
      const Rows rows = rows_of(data, weights);
      const SlowLearner slow(levels_of(data), rows, settings.smoothing);
      const CutsetNetwork network = learned(data, weights, settings);
      CHECK(same(network, 0, slow.grown(rows, every_variable(levels_of(data)), settings)));
    }
}

TEST(pruning_is_as_defined) {
  Random random(5);
  unsigned pruned_ones = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Dataset data =
        seed % 2 ? mixed_table(seed, 120, 6) : fixtures::random_table(seed, 120, 5, 3);
    Dataset validation = data; // other rows of the same kind: some of them, with noise
    validation.rows = validation.total = 40;
    for (Column &column : validation.columns) {
      column.codes.resize(40);
      for (std::uint16_t &level : column.codes)
        level = random.below(6) ? level : static_cast<std::uint16_t>(random.below(column.levels));
    }
    CutsetSettings settings = exact(CutRule::entropy, kPriors[seed % 5], seed % 3 == 0 ? 0 : 0.2);
    const std::vector<unsigned> levels = levels_of(data);
    const Rows rows = rows_of(data);
    const SlowLearner slow(levels, rows, settings.smoothing);
    const CutsetNetwork grown = learned(data, {}, settings);
    const CutsetNetwork kept = pruned(grown, data, settings.smoothing, validation);
    const Reference whole = slow.grown(rows, every_variable(levels), settings);
    CHECK(same(kept, 0, slow.pruned(whole, rows, every_variable(levels), rows_of(validation))));
    CHECK(log_likelihood(kept, rows_of(validation)) >=
          log_likelihood(grown, rows_of(validation)) - 1e-9);
    pruned_ones += kept.nodes.size() > 1 && kept.nodes.size() < grown.nodes.size();
  }
  CHECK(pruned_ones > 2);
}

TEST(pruning_without_validation_rows_leaves_a_tree) {
  const Dataset data = mixed_table(3, 100, 5);
  Dataset none = data;
  none.rows = none.total = 0;
  for (Column &column : none.columns)
    column.codes.clear();
  const CutsetSettings settings = exact(CutRule::likelihood, Prior::joint, 0.05);
  const CutsetNetwork network = learned(data, {}, settings);
  CHECK(network.nodes.size() > 1);
  Watch watch(kHost);
  CHECK(same_network(pruned(network, data, settings.smoothing, none),
                     uncut(learn_chow_liu(TrainingRows(data), {}, settings.smoothing, watch))));
}

TEST(pruning_that_is_stopped_leaves_the_network) {
  const Dataset data = mixed_table(3, 100, 5);
  const CutsetSettings settings = exact(CutRule::entropy, Prior::laplace, 0.2);
  const CutsetNetwork network = learned(data, {}, settings);
  CHECK(!same_network(pruned(network, data, settings.smoothing, data), network));
  CHECK(same_network(pruned(network, data, settings.smoothing, data, host_stopping_after(0, 1)),
                     network));
}

// Without smoothing a tree has probability 0 where it joins two levels never seen together. The
// tree of all rows joins the second column to the last; that of the rows with 0 in the first column
// has the third in between.
TEST(pruning_without_smoothing_keeps_possible_rows_possible) {
  Dataset data;
  for (const unsigned levels : {2u, 2u, 2u, 2u})
    fixtures::add_discrete(data, levels, {});
  const auto add = [&](unsigned times, const Row &row) {
    data.total = data.rows += times;
    for (std::size_t c = 0; c < row.size(); ++c)
      data.columns[c].codes.insert(data.columns[c].codes.end(), times,
                                   static_cast<std::uint16_t>(row[c]));
  };
  for (const Row &row : {Row{0, 0, 0, 0}, Row{0, 1, 1, 1}})
    add(20, row);
  for (const Row &row : {Row{0, 0, 1, 1}, Row{0, 0, 0, 1}})
    add(4, row);
  add(1, {0, 1, 0, 1});
  for (const Row &row : {Row{1, 0, 0, 0}, Row{1, 0, 1, 0}, Row{1, 1, 0, 1}, Row{1, 1, 1, 1}})
    add(30, row);
  CutsetSettings settings = exact(CutRule::likelihood, Prior::joint, 0);
  settings.max_depth = 1;
  CutsetNetwork cut;
  cut.nodes.resize(3);
  cut.nodes[0].cut = 0;
  cut.nodes[0].first = 1;
  const CutsetNetwork network = learned(data, {}, settings, 1, &cut);
  const Row possible = {0, 1, 0, 0};
  CHECK(density_test::probability(network, possible) > 0);
  settings.max_depth = 0;
  CHECK_EQUAL(density_test::probability(learned(data, {}, settings), possible), 0.0);

  Dataset validation = data;
  validation.rows = validation.total = 1;
  for (std::size_t c = 0; c < possible.size(); ++c)
    validation.columns[c].codes = {static_cast<std::uint16_t>(possible[c])};
  CHECK(same_network(pruned(network, data, settings.smoothing, validation), network));
}

TEST(cuts_keep_to_their_limits) {
  const Dataset data = mixed_table(1, 200, 8);
  const std::vector<unsigned> levels = levels_of(data);
  for (const CutRule rule : {CutRule::likelihood, CutRule::entropy, CutRule::random}) {
    CutsetSettings settings = exact(rule, Prior::laplace, 0.5);
    settings.min_rows = 0;
    CHECK(depth(learned(data, {}, settings), levels) > 2);
    settings.max_depth = 2;
    CHECK_EQUAL(depth(learned(data, {}, settings), levels), 2u);
    settings.max_depth = 100;
    settings.min_features = 6; // cut with 8 or 7 variables left
    CHECK_EQUAL(depth(learned(data, {}, settings), levels), 2u);
    settings.min_features = 2;
    settings.min_rows = 200;
    CHECK_EQUAL(depth(learned(data, {}, settings), levels), 0u);
    settings.min_rows = 199;
    CHECK(depth(learned(data, {}, settings), levels) <= 2);
  }
}

TEST(random_cuts_follow_the_variances) {
  Dataset data;
  data.rows = data.total = 20;
  std::vector<std::uint16_t> tenth(20, 0), half(20, 0), thirds(20, 0), constant(20, 1);
  for (std::uint16_t row = 0; row < 20; ++row) {
    tenth[row] = row < 2;
    half[row] = row % 2;
    thirds[row] = row % 3;
  }
  fixtures::add_discrete(data, 2, tenth);    // 2 * 0.1 * 0.9
  fixtures::add_discrete(data, 2, half);     // 2 * 0.5 * 0.5
  fixtures::add_discrete(data, 3, thirds);   // 1 - 2 * 0.35^2 - 0.3^2
  fixtures::add_discrete(data, 2, constant); // never
  fixtures::add_discrete(data, 4, thirds);   // never: nothing would be known of its last level
  CutsetSettings settings = exact(CutRule::random, Prior::laplace, 1);
  settings.max_depth = 1;
  const double variances[] = {0.18, 0.5, 0.665, 0, 0};
  unsigned drawn[5] = {};
  const unsigned draws = 4000;
  for (std::uint64_t seed = 0; seed < draws; ++seed)
    ++drawn[learned(data, {}, settings, 1, nullptr, seed).nodes[0].cut];
  for (unsigned v = 0; v < 5; ++v) {
    const double p = variances[v] / 1.345;
    CHECK_NEAR(drawn[v] / double(draws), p, 4 * std::sqrt(p * (1 - p) / draws));
  }
}

// On all rows and on a part of them, whatever their weights.
TEST(screens_are_as_defined) {
  Random random(6);
  unsigned screened = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (unsigned kind = 0; kind < 3; ++kind) {
      const Dataset data =
          seed % 2 ? mixed_table(seed, 150, 7) : fixtures::random_table(seed, 150, 6, 4);
      const std::vector<double> weights = weights_of_kind(kind, data.rows, random);
      const Smoothing smoothing = {kPriors[seed / 2], 0.1};
      const Rows all = rows_of(data, weights);
      const SlowLearner slow(levels_of(data), all, smoothing);
      const TrainingRows rows(data);
      Watch watch(kHost);
      const Training training(rows, weights, smoothing, watch);
      for (const bool whole : {true, false}) {
        const Slice slice = whole ? training.all_rows : training.all_rows.part(1, 0);
        const Rows here = whole ? all : slow.split(all, 1)[0];
        const PairCounts counts = slice.counted();
        std::vector<Node> scope = every_variable(levels_of(data));
        if (!whole)
          scope.erase(scope.begin() + 1);
        SpanningTree tree;
        TreeLearner(training.smoother).learn(counts, scope, tree);
        PairCounts room(rows.items().size());
        CutScreen screen(slice, counts, tree, training.smoother, room);
        for (const Node v : scope)
          if (all_above(part_sizes(counts, rows.items(), v), 0)) {
            CHECK_NEAR(screen.likelihood(v), slow.screened(tree, here, v), 1e-8);
            ++screened;
          }
      }
    }
  CHECK(screened > 300);
}

TEST(screening_of_one_takes_what_the_screen_likes_best) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data =
        seed % 2 ? mixed_table(seed, 300, 12) : fixtures::random_table(seed, 300, 8, 3);
    CutsetSettings settings = exact(CutRule::likelihood, Prior::joint, 0.05);
    settings.screen = 1;
    settings.max_depth = 1;
    const TrainingRows rows(data);
    Watch watch(kHost);
    const Training training(rows, {}, settings.smoothing, watch);
    SpanningTree tree;
    TreeLearner(training.smoother).learn(training.counts, rows.items().all_variables(), tree);
    PairCounts room(rows.items().size());
    CutScreen screen(training.all_rows, training.counts, tree, training.smoother, room);
    Node best = 0;
    for (Node v = 1; v < data.size(); ++v)
      if (screen.likelihood(v) > screen.likelihood(best))
        best = v;
    CHECK_EQUAL(learned(data, {}, settings).nodes[0].cut, best);
  }
}

TEST(screening_tries_the_best_in_full) {
  unsigned same_cut = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data =
        seed % 2 ? mixed_table(seed, 300, 12) : fixtures::random_table(seed, 300, 8, 3);
    Random random(seed);
    for (unsigned kind = 0; kind < 3; ++kind) {
      const std::vector<double> weights = weights_of_kind(kind, data.rows, random);
      CutsetSettings settings = exact(CutRule::likelihood, Prior::joint, 0.05);
      const CutsetNetwork all = learned(data, weights, settings);
      settings.screen = data.size() / 2;
      same_cut += learned(data, weights, settings).nodes[0].cut == all.nodes[0].cut;
      settings.screen = 1;
      settings.max_depth = 1;
      const Rows rows = rows_of(data, weights);
      const CutsetNetwork one = learned(data, weights, settings);
      settings.max_depth = 0;
      CHECK(one.nodes.size() > 1);
      CHECK(log_likelihood(one, rows) > log_likelihood(learned(data, weights, settings), rows));
    }
  }
  CHECK(same_cut >= 10); // of 12
}

TEST(cutset_learning_goes_on_from_where_it_stopped) {
  for (const CutRule rule : {CutRule::likelihood, CutRule::entropy}) {
    const Dataset data =
        rule == CutRule::likelihood ? mixed_table(4, 250, 8) : fixtures::random_table(4, 250, 6, 3);
    CutsetSettings settings = exact(rule, Prior::joint, 0.05);
    const CutsetNetwork whole = learned(data, {}, settings);
    settings.max_depth = 1;
    const CutsetNetwork begun = learned(data, {}, settings);
    settings.max_depth = 100;
    CHECK(whole.nodes.size() > begun.nodes.size());
    CHECK(same_network(learned(data, {}, settings, 1, &begun), whole));
    CHECK(same_network(learned(data, {}, settings, 1, &whole), whole));
  }
}

// Rows other than those that the cuts were learned from may lack a level of their variable. What
// the prior holds possible stays possible.
TEST(cutset_learning_does_not_follow_cuts_that_leave_a_part_empty) {
  unsigned cuts = 0;
  for (const unsigned levels : {2u, 3u})
    for (const CutRule rule : {CutRule::likelihood, CutRule::entropy, CutRule::random}) {
      const Dataset data =
          levels == 2 ? mixed_table(5, 250, 6) : fixtures::random_table(5, 250, 5, 3);
      CutsetSettings settings = exact(rule, Prior::laplace, 0.5);
      settings.min_rows = 20;
      const CutsetNetwork begun = learned(data, {}, settings);
      CHECK(begun.nodes.size() > 1);
      for (const Node lacking : {begun.nodes[0].cut, begun.nodes[begun.nodes[0].first].cut}) {
        if (lacking == CutsetNetwork::kLeaf)
          continue;
        std::vector<double> weights; // of the other rows, that have level 0 only
        for (const std::uint16_t level : data.columns[lacking].codes)
          weights.push_back(level == 0);
        const CutsetNetwork network = learned(data, weights, settings, 1, &begun);
        cuts += network.nodes.size() > 1;
        for (const CutsetNetwork::CutNode &node : network.nodes)
          CHECK(node.weight > 0);
        CHECK_NEAR(total_probability(network, levels_of(data)), 1.0, 1e-10);
        for (const WeightedRow &row : rows_of(data))
          CHECK(density_test::probability(network, row.row) > 0);
      }
    }
  CHECK(cuts > 4);
}

TEST(cutset_learning_that_is_stopped_leaves_a_whole_network) {
  const Dataset data = mixed_table(6, 300, 8);
  const std::vector<unsigned> levels = levels_of(data);
  for (const CutRule rule : {CutRule::likelihood, CutRule::entropy, CutRule::random}) {
    const CutsetSettings settings = exact(rule, Prior::joint, 0.05);
    const Host host = host_stopping_after(0, 1);
    Watch watch(host);
    Random random(1);
    const TrainingRows rows(data);
    const CutsetNetwork network = learn_cutset(rows, {}, settings, nullptr, random, watch);
    Watch free(kHost);
    CHECK(same_network(network, uncut(learn_chow_liu(rows, {}, settings.smoothing, free))));
    CHECK_NEAR(total_probability(network, levels), 1.0, 1e-10);
    const CutsetNetwork begun = learned(data, {}, settings);
    CHECK(same_network(learn_cutset(rows, {}, settings, &begun, random, watch), begun));
    const Training training(rows, {}, settings.smoothing, free);
    CHECK_THROWS(learn_cutset(training, settings, nullptr, random, watch, WhenStopped::abandon),
                 Interrupted);
  }
}

// A leaf of the network to start from keeps its tree. One that has none, below a cut that the rows
// do not allow, takes the tree of all rows. Tables are those of the leaf's rows.
TEST(cutset_learning_that_is_stopped_settles_leaves) {
  Random random(8);
  for (unsigned kind = 0; kind < 3; ++kind)
    for (const bool two_levels : {true, false}) {
      const Dataset data =
          two_levels ? mixed_table(6, 300, 8) : fixtures::random_table(6, 300, 6, 3);
      const std::vector<unsigned> levels = levels_of(data);
      std::vector<double> weights = weights_of_kind(kind, data.rows, random);
      weights.resize(data.rows, 1.0);
      CutsetSettings settings = exact(CutRule::random, Prior::joint, 0.05);
      settings.max_depth = 1;
      const CutsetNetwork begun = learned(data, {}, settings);
      const Node cut = begun.nodes[0].cut;
      const TrainingRows rows(data);
      const Host host = host_stopping_after(0, 1);
      Watch watch(host), free(kHost);
      const auto stopped = [&] { // on other rows
        return learn_cutset(rows, weights, settings, &begun, random, watch);
      };
      {
        const Rows all = rows_of(data, weights);
        const SlowLearner slow(levels, all, settings.smoothing);
        const std::vector<Rows> parts = slow.split(all, cut);
        Reference expected;
        expected.cut = cut;
        for (unsigned level = 0; level < levels[cut]; ++level) {
          SpanningTree tree = {{}, std::vector<Node>(levels.size(), SpanningTree::kNone)};
          const TreeDensity &leaf = begun.leaves[level];
          for (const TreeDensity::TreeNode &node : leaf.nodes) {
            tree.order.push_back(node.variable);
            if (node.parent != TreeDensity::kRoot)
              tree.parent[node.variable] = leaf.nodes[node.parent].variable;
          }
          expected.weights.push_back(slow.total(parts[level]) / slow.total(all));
          expected.below.push_back(slow.refitted(tree, parts[level], tree.order));
        }
        CHECK(same(stopped(), 0, expected));
      }
      for (std::size_t row = 0; row < data.rows; ++row)
        weights[row] *= data.columns[cut].codes[row] != 1;
      CHECK(
          same_network(stopped(), uncut(learn_chow_liu(rows, weights, settings.smoothing, free))));
    }
}

TEST(long_work_heeds_an_interrupt) {
  const Host interrupted = host_stopping_after(0, 1);
  const Host late = host_stopping_after(0, 1, StopReason::time_limit);
  const Dataset data = two_level_table(3, 3000, 300);
  const TrainingRows rows(data);
  const Slice slices[] = {Slice(rows, {}), Slice(rows, std::vector<double>(data.rows, 0.5))};
  PairCounts counts(rows.items().size());
  for (const Slice &slice : slices) {
    Watch watch(interrupted), limited(late);
    CHECK_THROWS(slice.count(counts, &watch), Interrupted);
    slice.count(counts, &limited); // what has begun is finished
    CHECK_EQUAL(counts.total, slice.total());
  }
  const Smoother smoother({Prior::laplace, 1}, rows.items(), counts);
  const std::vector<Node> all = rows.items().all_variables();
  Watch watch(interrupted);
  SpanningTree tree;
  CHECK_THROWS(TreeLearner(smoother, &watch).learn(counts, all, tree), Interrupted);
  CHECK_THROWS(entropy_cut(counts, all, smoother, 0, watch), Interrupted);
}

TEST(cutset_learning_does_not_depend_on_threads) {
  // Wide enough for slices to be shared out.
  const Dataset data = mixed_table(9, 90, 170);
  CutsetSettings settings = exact(CutRule::likelihood, Prior::joint, 0.1);
  settings.min_rows = 30;
  settings.max_depth = 2;
  const CutsetNetwork one = learned(data, {}, settings, 1);
  CHECK(one.nodes.size() > 1);
  CHECK(same_network(learned(data, {}, settings, 3), one));
}

TEST(cutset_learning_of_poor_data) {
  for (const Prior prior : kPriors)
    for (const CutRule rule : {CutRule::likelihood, CutRule::entropy, CutRule::random})
      for (const double alpha : {0.0, 0.2})
        for (const unsigned levels : {2u, 3u}) {
          CutsetSettings settings = exact(rule, prior, alpha);
          settings.min_rows = 0;
          settings.min_features = 0;
          Dataset data = fixtures::random_table(7, 12, 4, levels);
          fixtures::add_discrete(data, levels, std::vector<std::uint16_t>(12, 1));
          const CutsetNetwork network = learned(data, {}, settings);
          CHECK_NEAR(total_probability(network, levels_of(data)), 1.0, 1e-10);
          for (const WeightedRow &row : rows_of(data))
            CHECK(density_test::probability(network, row.row) > 0);
          Dataset one = data;
          one.rows = one.total = 1;
          for (Column &column : one.columns)
            column.codes.resize(1);
          const CutsetNetwork of_one = learned(one, {}, settings);
          CHECK_EQUAL(of_one.nodes.size(), std::size_t{1});
          CHECK_NEAR(total_probability(of_one, levels_of(one)), 1.0, 1e-10);
        }
}
