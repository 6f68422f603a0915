#include "check.h"
#include "density_fixtures.h"

#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/log_sum.h"
#include "core/density/density_queries.h"

#include <map>

using namespace optbn;
using namespace density_test;

namespace {

Host host_of(unsigned threads) {
  Host host;
  host.threads = threads;
  return host;
}

bool equal(const std::vector<double> &a, const std::vector<double> &b) { // not a number is itself
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (x != x && y != y); });
}

// Of successive rows: the largest correlation of an indicator of a level with that of a level of
// the next row, in standard deviations of what independent rows show.
double dependence(const std::vector<std::uint16_t> &drawn, const std::vector<unsigned> &levels) {
  const std::size_t variables = levels.size(), pairs = drawn.size() / variables - 1;
  double largest = 0;
  for (std::size_t u = 0; u < variables; ++u)
    for (std::size_t v = 0; v < variables; ++v)
      for (unsigned x = 0; x < levels[u]; ++x)
        for (unsigned y = 0; y < levels[v]; ++y) {
          double first = 0, next = 0, both = 0;
          for (std::size_t i = 0; i < pairs; ++i) {
            const bool a = drawn[i * variables + u] == x, b = drawn[(i + 1) * variables + v] == y;
            first += a;
            next += b;
            both += a && b;
          }
          const auto n = static_cast<double>(pairs);
          const double p = first / n, q = next / n, variance = p * (1 - p) * q * (1 - q) * n;
          if (variance > 1)
            largest = std::max(largest, std::abs(both - n * p * q) / std::sqrt(variance));
        }
  return largest;
}

// visit(mixture, evidence, what enumeration says) for random models of every kind.
template <class Visit> void for_random_questions(unsigned repeats, Visit visit) {
  Random random(1);
  for (unsigned repeat = 0; repeat < repeats; ++repeat) {
    const DensityMixture mixture = random_mixture(shape_of_kind(repeat), random);
    for (unsigned i = 0; i < 4; ++i) {
      const Evidence evidence = random_evidence(mixture.levels, random);
      visit(mixture, evidence, RowEnumeration(mixture, evidence), random);
    }
  }
}

// Thousands of variables in one component, each with likelihoods against its neighbours.
DensityMixture chain(Node variables, double stay) {
  DensityMixture mixture;
  mixture.levels.assign(variables, 2);
  mixture.weights = {1};
  TreeDensity tree;
  for (Node v = 0; v < variables; ++v) {
    tree.add(v, 2, v == 0 ? TreeDensity::kRoot : v - 1u);
    if (v == 0)
      tree.tables = {0.5, 0.5};
    else
      std::copy_n(std::vector<double>{stay, 1 - stay, 1 - stay, stay}.begin(), 4,
                  tree.tables.end() - 4);
  }
  mixture.components.push_back(uncut(tree));
  return mixture;
}

} // namespace

TEST(log_probability_of_evidence_is_that_of_enumeration) {
  Host host;
  Watch watch(host);
  unsigned impossible = 0;
  for_random_questions(600, [&](const DensityMixture &mixture, const Evidence &evidence,
                                const RowEnumeration &all, Random &) {
    const double found = log_probability(mixture, evidence, watch);
    if (all.total > 0)
      CHECK_NEAR(found, std::log(all.total), 1e-12);
    else
      CHECK_EQUAL(found, kLogZero);
    impossible += !(all.total > 0);
  });
  CHECK(impossible > 100);
}

TEST(marginals_are_those_of_enumeration) {
  Host host;
  Watch watch(host);
  for_random_questions(600, [&](const DensityMixture &mixture, const Evidence &evidence,
                                const RowEnumeration &all, Random &) {
    if (!(all.total > 0)) {
      CHECK_THROWS(marginals(mixture, evidence, watch), ImpossibleEvidence);
      return;
    }
    const std::vector<double> found = marginals(mixture, evidence, watch);
    std::size_t first = 0;
    for (Node v = 0; v < mixture.size(); ++v) {
      const std::vector<double> expected = all.joint({v});
      for (unsigned level = 0; level < mixture.levels[v]; ++level)
        CHECK_NEAR(found[first + level], expected[level], 1e-13);
      first += mixture.levels[v];
    }
    CHECK_EQUAL(found.size(), first);
  });
}

TEST(joint_posteriors_are_those_of_enumeration) {
  Host host;
  Watch watch(host);
  for_random_questions(300, [&](const DensityMixture &mixture, const Evidence &evidence,
                                const RowEnumeration &all, Random &random) {
    std::vector<Node> variables;
    for (Node v = 0; v < mixture.size(); ++v)
      if (!evidence.observed(v) && random.below(3) > 0)
        variables.push_back(v);
    random.shuffle(variables);
    if (!(all.total > 0)) {
      CHECK_THROWS(joint_posterior(mixture, evidence, variables, watch), ImpossibleEvidence);
      return;
    }
    const std::vector<double> found = joint_posterior(mixture, evidence, variables, watch);
    const std::vector<double> expected = all.joint(variables);
    CHECK_EQUAL(found.size(), expected.size());
    for (std::size_t cell = 0; cell < found.size(); ++cell)
      CHECK_NEAR(found[cell], expected[cell], 1e-13);
  });
}

TEST(most_probable_state_is_exact_or_at_least_a_local_maximum) {
  Host host;
  Watch watch(host);
  unsigned exact = 0, approximate = 0, best = 0;
  for_random_questions(600, [&](const DensityMixture &mixture, const Evidence &evidence,
                                const RowEnumeration &all, Random &) {
    if (!(all.total > 0)) {
      CHECK_THROWS(most_probable(mixture, evidence, watch), ImpossibleEvidence);
      return;
    }
    const State state = most_probable(mixture, evidence, watch);
    CHECK_NEAR(state.log_probability, std::log(probability(mixture, state.row)), 1e-12);
    std::map<Row, double> weight;
    for (std::size_t i = 0; i < all.rows.size(); ++i)
      weight[all.rows[i]] = all.weights[i];
    const double found = weight[state.row];
    CHECK(found > 0);
    const double largest = *std::max_element(all.weights.begin(), all.weights.end());
    if (exact_most_probable(mixture)) {
      ++exact;
      CHECK_NEAR(found, largest, 1e-12 * largest);
      return;
    }
    ++approximate;
    best += found > largest * (1 - 1e-12);
    for (std::size_t v = 0; v < state.row.size(); ++v)
      for (unsigned level = 0; level < mixture.levels[v]; ++level) {
        Row other = state.row;
        other[v] = static_cast<std::uint16_t>(level);
        CHECK(weight[other] <= found * (1 + 1e-12));
      }
    for (std::size_t c = 0; c < mixture.components.size(); ++c) {
      DensityMixture alone = mixture;
      alone.components = {mixture.components[c]};
      alone.weights = {1};
      if (!(mixture.weights[c] > 0) || log_probability(alone, evidence, watch) == kLogZero ||
          !exact_most_probable(alone))
        continue;
      CHECK(weight[most_probable(alone, evidence, watch).row] <= found * (1 + 1e-12));
    }
  });
  CHECK(exact > 300);
  CHECK(approximate > 300);
  CHECK(best > approximate * 9 / 10);
}

// So many variables that their changes are not judged at once. Hidden states that are one by one
// less likely than another make a level more likely together: that of the variable `odd`.
TEST(most_probable_state_of_many_variables_climbs) {
  constexpr Node kVariables = 1500;
  Host host;
  for (const Node odd : {0, 750, kVariables - 1}) {
    DensityMixture mixture;
    mixture.levels.assign(kVariables, 2);
    mixture.weights = {1};
    TreeDensity tree;
    tree.add(TreeDensity::kHidden, 3, TreeDensity::kRoot);
    tree.tables = {0.4, 0.3, 0.3};
    for (Node v = 0; v < kVariables; ++v) {
      tree.add(v, 2, 0);
      const double sure = v == odd ? 1 : 0.9, other = v == odd ? 0.1 : 0.9;
      const std::vector<double> table = {sure, 1 - sure, other, 1 - other, other, 1 - other};
      std::copy(table.begin(), table.end(), tree.tables.end() - 6);
    }
    mixture.components.push_back(uncut(tree));
    Watch watch(host);
    Row expected(kVariables, 0);
    expected[odd] = 1;
    const State state = most_probable(mixture, Evidence(kVariables), watch);
    CHECK(state.row == expected);
    CHECK_NEAR(state.log_probability, (kVariables - 1) * std::log(0.9) + std::log(0.54), 1e-9);
  }
}

TEST(exact_most_probable_knows_the_hard_cases) {
  Random random(2);
  MixtureShape shape;
  CHECK(exact_most_probable(random_mixture(shape, random)));
  shape.components = 3;
  CHECK(!exact_most_probable(random_mixture(shape, random)));
  shape.silent_others = true;
  CHECK(exact_most_probable(random_mixture(shape, random)));
  DensityMixture hidden = chain(3, 0.9);
  hidden.components[0].leaves[0].nodes[1].variable = TreeDensity::kHidden;
  CHECK(!exact_most_probable(hidden));
}

TEST(conflicting_nodes_are_a_smallest_conflict) {
  Host host;
  Watch watch(host);
  unsigned conflicts = 0;
  for_random_questions(400, [&](const DensityMixture &mixture, const Evidence &evidence,
                                const RowEnumeration &all, Random &) {
    if (all.total > 0)
      return;
    const std::vector<Node> nodes = conflicting_nodes(mixture, evidence, watch);
    Evidence kept = evidence;
    for (Node v = 0; v < mixture.size(); ++v)
      if (std::find(nodes.begin(), nodes.end(), v) == nodes.end())
        kept.remove(v);
    CHECK_EQUAL(RowEnumeration(mixture, kept).total, 0);
    for (const Node v : nodes) {
      CHECK(evidence.has_evidence(v));
      Evidence without = kept;
      without.remove(v);
      CHECK(RowEnumeration(mixture, without).total > 0);
    }
    ++conflicts;
  });
  CHECK(conflicts > 100);
}

TEST(draws_follow_the_posterior) {
  Host host;
  Watch watch(host);
  Random random(3);
  constexpr std::size_t kDraws = 20000;
  for (unsigned repeat = 0; repeat < 40; ++repeat) {
    MixtureShape shape = shape_of_kind(repeat);
    shape.variables = 4;
    const DensityMixture mixture = random_mixture(shape, random);
    const Evidence evidence = random_evidence(mixture.levels, random);
    const RowEnumeration all(mixture, evidence);
    if (!(all.total > 0)) {
      CHECK_THROWS(draw_rows(mixture, evidence, 5, random, watch), ImpossibleEvidence);
      continue;
    }
    const std::vector<std::uint16_t> drawn = draw_rows(mixture, evidence, kDraws, random, watch);
    std::map<Row, double> counts;
    for (std::size_t i = 0; i < kDraws; ++i)
      ++counts[Row(drawn.begin() + static_cast<std::ptrdiff_t>(4 * i),
                   drawn.begin() + static_cast<std::ptrdiff_t>(4 * i + 4))];
    double chi_square = 0, cells = 0;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
      const double expected = kDraws * all.weights[i] / all.total, found = counts[all.rows[i]];
      if (!(expected > 0)) {
        CHECK_EQUAL(found, 0);
        continue;
      }
      chi_square += (found - expected) * (found - expected) / expected;
      ++cells;
    }
    CHECK(chi_square < cells + 5 * std::sqrt(2 * cells) + 10);
    CHECK_EQUAL(drawn.size(), 4 * kDraws);
    CHECK(dependence(drawn, mixture.levels) < 5);
  }
}

TEST(draws_are_the_same_for_a_seed_and_none_are_asked_of_nobody) {
  Host host;
  Watch watch(host);
  Random random(4);
  const DensityMixture mixture = random_mixture(shape_of_kind(8), random);
  const Evidence nothing(mixture.size());
  Random first(7), second(7);
  CHECK(draw_rows(mixture, nothing, 50, first, watch) ==
        draw_rows(mixture, nothing, 50, second, watch));
  CHECK(draw_rows(mixture, nothing, 0, first, watch).empty());
}

TEST(row_log_densities_are_those_of_enumeration) {
  Host host;
  Random random(5);
  for (unsigned repeat = 0; repeat < 200; ++repeat) {
    const DensityMixture mixture = random_mixture(shape_of_kind(repeat), random);
    const PartialRows rows = random_rows(mixture.levels, 30, 0.1 * (repeat % 11), random);
    Watch watch(host);
    const std::vector<double> whole = log_densities(mixture, rows, watch);
    const std::vector<double> parts = component_log_densities(mixture, rows, watch);
    CHECK_EQUAL(whole.size(), rows.rows);
    CHECK_EQUAL(parts.size(), rows.rows * mixture.components.size());
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const double expected = std::log(RowEnumeration(mixture, evidence_of(rows, i)).total);
      CHECK(expected == whole[i] || std::abs(expected - whole[i]) < 1e-12);
    }
    for (std::size_t c = 0; c < mixture.components.size(); ++c) {
      DensityMixture alone = mixture;
      alone.components = {mixture.components[c]};
      alone.weights = {1};
      for (std::size_t i = 0; i < rows.rows; i += 7) {
        const double expected = std::log(RowEnumeration(alone, evidence_of(rows, i)).total);
        const double found = parts[c * rows.rows + i];
        CHECK(expected == found || std::abs(expected - found) < 1e-12);
      }
    }
  }
}

// More variables than a word has bits, more rows than a block, more levels than a byte tells apart.
TEST(row_log_densities_of_many_complete_rows_are_products_of_table_entries) {
  Host host;
  Watch watch(host);
  Random random(10);
  for (const double zeros : {0.0, 0.01}) {
    MixtureShape shape;
    shape.variables = 150;
    shape.most_cuts = 5;
    shape.components = 4;
    shape.most_levels = 4;
    shape.zeros = zeros;
    const DensityMixture mixture = random_mixture(shape, random);
    const PartialRows rows = random_rows(mixture.levels, 3000, 0, random);
    const std::vector<double> found = log_densities(mixture, rows, watch);
    unsigned impossible = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      Row row;
      for (const auto &column : rows.columns)
        row.push_back(column[i]);
      const double expected = std::log(probability(mixture, row));
      CHECK(found[i] == expected || std::abs(found[i] - expected) < 1e-11);
      impossible += expected == kLogZero;
    }
    CHECK(zeros > 0 ? impossible > 100 && impossible < 2900 : impossible == 0);
  }
}

TEST(row_answers_know_hundreds_of_levels) {
  Host host;
  Watch watch(host);
  Random random(11);
  DensityMixture mixture;
  mixture.levels = {700, 2, 3};
  mixture.weights = {1};
  const MixtureShape shape;
  mixture.components = {uncut(random_tree(mixture.levels, {0, 1, 2}, shape, random))};
  const PartialRows rows = random_rows(mixture.levels, 200, 0, random);
  const std::vector<double> found = log_densities(mixture, rows, watch);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const Row row = {rows.columns[0][i], rows.columns[1][i], rows.columns[2][i]};
    CHECK_NEAR(found[i], std::log(probability(mixture, row)), 1e-12);
  }
}

TEST(row_posteriors_are_those_of_enumeration) {
  Host host;
  Watch watch(host);
  Random random(6);
  unsigned impossible = 0;
  for (unsigned repeat = 0; repeat < 200; ++repeat) {
    const DensityMixture mixture = random_mixture(shape_of_kind(repeat), random);
    PartialRows rows = random_rows(mixture.levels, 20, 0.1 * (repeat % 11), random);
    const Node v = static_cast<Node>(repeat % mixture.size());
    const std::vector<double> found = posteriors(mixture, rows, v, watch);
    CHECK_EQUAL(found.size(), rows.rows * mixture.levels[v]);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const RowEnumeration others(mixture, evidence_of(rows, i, v));
      const std::vector<double> expected = others.joint({v});
      impossible += !(others.total > 0);
      for (unsigned level = 0; level < mixture.levels[v]; ++level) {
        const double p = found[i * mixture.levels[v] + level];
        if (others.total > 0)
          CHECK_NEAR(p, expected[level], 1e-12);
        else
          CHECK(p != p);
      }
    }
    rows.columns[v].clear(); // is not read
    CHECK(equal(posteriors(mixture, rows, v, watch), found));
  }
  CHECK(impossible > 10);
}

// So many rows with gaps that they are not answered in one group.
TEST(row_answers_do_not_depend_on_threads_or_on_other_rows) {
  Random random(7);
  for (const unsigned kind : {2u, 5u, 9u, 13u}) {
    MixtureShape shape = shape_of_kind(kind);
    shape.variables = 40;
    shape.most_cuts = 4;
    shape.components = 3;
    shape.zeros = 0.01;
    const DensityMixture mixture = random_mixture(shape, random);
    const PartialRows rows = random_rows(mixture.levels, 20000, 0.05, random);
    std::vector<std::size_t> order(rows.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(order);
    order.resize(2000);
    PartialRows some;
    some.rows = order.size();
    for (const auto &column : rows.columns) {
      some.columns.emplace_back();
      for (const std::size_t i : order)
        some.columns.back().push_back(column[i]);
    }
    const Host one = host_of(1), three = host_of(3);
    Watch watch(one), watch_of_three(three);
    const std::vector<double> whole = log_densities(mixture, rows, watch);
    const std::vector<double> parts = component_log_densities(mixture, rows, watch);
    const std::vector<double> posterior = posteriors(mixture, rows, 3, watch);
    CHECK(equal(log_densities(mixture, rows, watch_of_three), whole));
    CHECK(equal(component_log_densities(mixture, rows, watch_of_three), parts));
    CHECK(equal(posteriors(mixture, rows, 3, watch_of_three), posterior));
    const std::vector<double> of_some = log_densities(mixture, some, watch);
    for (std::size_t i = 0; i < order.size(); ++i)
      CHECK(of_some[i] == whole[order[i]] || std::abs(of_some[i] - whole[order[i]]) < 1e-12);
    const Evidence evidence = random_evidence(mixture.levels, random);
    if (log_probability(mixture, evidence, watch) == kLogZero)
      continue;
    CHECK(equal(marginals(mixture, evidence, watch), marginals(mixture, evidence, watch_of_three)));
    CHECK(most_probable(mixture, evidence, watch).row ==
          most_probable(mixture, evidence, watch_of_three).row);
  }
}

TEST(the_watch_counts_rows_and_stops_questions_whatever_the_threads) {
  Random random(8);
  const DensityMixture mixture = random_mixture(shape_of_kind(4), random);
  const PartialRows rows = random_rows(mixture.levels, 5000, 0.2, random);
  const Evidence nothing(mixture.size());
  for (const unsigned threads : {1u, 3u}) {
    double done = 0;
    Host host = host_of(threads);
    host.report_progress = [&](double so_far, double) { done = so_far; };
    for (const bool posterior : {false, true}) {
      Watch watch(host, static_cast<double>(rows.rows));
      if (posterior)
        posteriors(mixture, rows, 1, watch);
      else
        log_densities(mixture, rows, watch);
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
      watch.stopped();
      CHECK_EQUAL(done, 5000);
    }
    host.should_stop = [] { return StopReason::interrupt; };
    Watch watch(host);
    CHECK_THROWS(log_densities(mixture, rows, watch), Interrupted);
    CHECK_THROWS(marginals(mixture, nothing, watch), Interrupted);
    CHECK_THROWS(most_probable(mixture, nothing, watch), Interrupted);
    CHECK_THROWS(joint_posterior(mixture, nothing, {0, 1}, watch), Interrupted);
    CHECK_THROWS(draw_rows(mixture, nothing, 5, random, watch), Interrupted);
  }
}

TEST(thousands_of_variables_do_not_underflow) {
  constexpr Node kVariables = 5000;
  const DensityMixture mixture = chain(kVariables, 0.1);
  Host host;
  Watch watch(host);
  Evidence all_zero(kVariables);
  PartialRows rows{1, std::vector<std::vector<std::uint16_t>>(kVariables, {0})};
  for (Node v = 0; v < kVariables; ++v)
    all_zero.observe(v, 0);
  const double expected = std::log(0.5) + (kVariables - 1) * std::log(0.1);
  CHECK_NEAR(log_probability(mixture, all_zero, watch), expected, 1e-8);
  CHECK_NEAR(log_densities(mixture, rows, watch)[0], expected, 1e-8);
  rows.columns[2500][0] = PartialRows::kMissing;
  all_zero.remove(2500);
  const double without = std::log(0.5) + (kVariables - 3) * std::log(0.1) + std::log(0.82);
  CHECK_NEAR(log_probability(mixture, all_zero, watch), without, 1e-8);
  CHECK_NEAR(log_densities(mixture, rows, watch)[0], without, 1e-8);
  CHECK_NEAR(marginals(mixture, all_zero, watch)[5001], 0.81 / 0.82, 1e-12);
  const State state = most_probable(mixture, all_zero, watch);
  CHECK_EQUAL(state.row[2500], 1);
  CHECK_NEAR(state.log_probability, without + std::log(0.81 / 0.82), 1e-8);
}

// The children of one variable, half of them saying one thing, then half the other.
TEST(contradictions_do_not_underflow) {
  constexpr Node kVariables = 2001;
  DensityMixture mixture;
  mixture.levels.assign(kVariables, 2);
  mixture.weights = {1};
  TreeDensity tree;
  tree.add(0, 2, TreeDensity::kRoot);
  for (Node v = 1; v < kVariables; ++v)
    tree.add(v, 2, 0);
  tree.tables = {0.3, 0.7};
  for (Node v = 1; v < kVariables; ++v)
    for (const double p : {0.9, 0.1, 0.1, 0.9})
      tree.tables.push_back(p);
  mixture.components.push_back(uncut(tree));
  Host host;
  Watch watch(host);
  Evidence evidence(kVariables);
  for (Node v = 1; v < kVariables; ++v)
    evidence.observe(v, v <= 1000 ? 0 : 1);
  const double expected = 1000 * (std::log(0.9) + std::log(0.1));
  CHECK_NEAR(log_probability(mixture, evidence, watch), expected, 1e-8);
  CHECK_NEAR(marginals(mixture, evidence, watch)[0], 0.3, 1e-9);
}

TEST(no_rows_have_no_answers) {
  Host host;
  Watch watch(host);
  Random random(9);
  MixtureShape shape;
  const DensityMixture mixture = random_mixture(shape, random);
  PartialRows none = random_rows(mixture.levels, 0, 0, random);
  CHECK(log_densities(mixture, none, watch).empty());
  CHECK(component_log_densities(mixture, none, watch).empty());
  CHECK(posteriors(mixture, none, 0, watch).empty());
}

TEST(parameters_count_tables_cuts_and_weights) {
  DensityMixture mixture;
  mixture.levels = {3, 2, 4};
  TreeDensity tree;
  tree.add(0, 3, TreeDensity::kRoot);
  tree.add(1, 2, 0);
  tree.add(2, 4, 0);
  CHECK_EQUAL(parameters(uncut(tree)), 2 + 3 * 1 + 3 * 3);
  CutsetNetwork cut;
  cut.nodes = {{1, 1, 1}, {CutsetNetwork::kLeaf, 0, 0.5}, {CutsetNetwork::kLeaf, 1, 0.5}};
  cut.leaves.resize(2);
  for (TreeDensity &leaf : cut.leaves) {
    leaf.add(0, 3, TreeDensity::kRoot);
    leaf.add(2, 4, TreeDensity::kRoot);
  }
  CHECK_EQUAL(parameters(cut), 1 + 2 * (2 + 3));
  mixture.components = {cut, uncut(tree)};
  CHECK_EQUAL(parameters(mixture), 11 + 14 + 1);
}

TEST(a_model_that_does_not_hold_together_is_refused) {
  Random random(9);
  const DensityMixture sound = random_mixture(shape_of_kind(4), random);
  optbn::check(sound);
  const auto refused = [&](auto change) {
    DensityMixture broken = sound;
    change(broken);
    CHECK_THROWS(optbn::check(broken), MalformedModel);
  };
  refused([](DensityMixture &m) { m.weights.pop_back(); });
  refused([](DensityMixture &m) { m.weights[0] = -1; });
  refused([](DensityMixture &m) { m.components[0].nodes.clear(); });
  refused([](DensityMixture &m) { m.components[0].leaves.emplace_back(); });
  refused([](DensityMixture &m) { m.components[0].nodes[0].weight = std::nan(""); });
  refused([](DensityMixture &m) { m.components[0].leaves[0].tables[0] = -0.5; });
  refused([](DensityMixture &m) { m.components[0].leaves[0].tables.push_back(0.5); });
  refused([](DensityMixture &m) { m.components[0].leaves[0].nodes[0].parent = 0; });
}
