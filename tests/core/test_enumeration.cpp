#include "check.h"
#include "tree_fixtures.h"

#include "core/base/errors.h"
#include "core/score/enumeration.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace fixtures;

namespace {

using Family = std::pair<std::vector<Node>, double>;

EnumerationOptions unconstrained(const Dataset &data) {
  EnumerationOptions options;
  options.rules.max_parents.assign(data.size(), data.size());
  options.rules.required.resize(data.size());
  options.rules.forbidden.resize(data.size());
  return options;
}

EnumerationResult enumerate(const Dataset &data, const ScoreSettings &chosen,
                            const EnumerationOptions &options, unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  const auto score = make_score(data, chosen);
  return enumerate_parent_sets(data, *score, options, watch);
}

bool contains(const std::vector<Node> &set, const std::vector<Node> &part) {
  return std::includes(set.begin(), set.end(), part.begin(), part.end());
}

// All allowed sets of v that beat every allowed proper subset by more than -slack.
std::map<std::vector<Node>, double> brute_force(const Dataset &data, LocalScore &score, Node v,
                                                const EnumerationOptions &options) {
  std::map<std::vector<Node>, double> allowed, kept;
  for (unsigned mask = 0; mask < 1u << data.size(); ++mask) {
    std::vector<Node> set;
    for (Node u = 0; u < data.size(); ++u)
      if (mask >> u & 1)
        set.push_back(u);
    const auto barred = [&](Node u) {
      const auto &forbidden = options.rules.forbidden[v];
      return u == v || !score.admits(v, u) ||
             std::find(forbidden.begin(), forbidden.end(), u) != forbidden.end();
    };
    if (set.size() <= options.rules.max_parents[v] && contains(set, options.rules.required[v]) &&
        std::none_of(set.begin(), set.end(), barred))
      allowed[set] = score_one(score, v, set);
  }
  for (const auto &[set, value] : allowed) {
    double best = -LocalScore::kInfinity;
    for (const auto &[other, other_value] : allowed)
      if (other != set && contains(set, other))
        best = std::max(best, other_value);
    if (value > best - options.slack && value > -LocalScore::kInfinity)
      kept[set] = value;
  }
  return kept;
}

void check_against_brute_force(const Dataset &data, const ScoreSettings &chosen,
                               const EnumerationOptions &options) {
  const EnumerationResult found = enumerate(data, chosen, options);
  const auto score = make_score(data, chosen);
  for (Node v = 0; v < data.size(); ++v) {
    const CandidateSets &sets = found.sets.nodes[v];
    std::map<std::vector<Node>, double> got;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      got[std::vector<Node>(sets.begin_of(i), sets.end_of(i))] = sets.score[i];
      CHECK(i == 0 || sets.score[i - 1] >= sets.score[i]);
    }
    const auto wanted = brute_force(data, *score, v, options);
    // Where a set ties with a subset, rounding decides; scores settle the comparison then.
    for (const auto &[set, value] : wanted) {
      const auto at = got.find(set);
      CHECK(at != got.end());
      if (at != got.end())
        CHECK_NEAR(at->second, value, 1e-9);
    }
    CHECK_EQUAL(got.size(), wanted.size());
  }
}

} // namespace

TEST(enumeration_equals_brute_force_for_every_score) {
  for (const char *label : {"loglik", "bic", "fnml", "qnml", "bde", "bds", "k2", "bdj"})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Dataset data = random_table(seed, 30 + 40 * seed, 6, 4, seed % 3 == 0);
      check_against_brute_force(data, settings(label, seed), unconstrained(data));
      const ScoreSettings with = with_prior(settings(label, seed), 6, seed);
      check_against_brute_force(data, with, unconstrained(data));
      check_against_brute_force(data, with_experiments(with, data), unconstrained(data));
      check_against_brute_force(data, with_experiments(settings(label, seed), data),
                                unconstrained(data));
    }
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Dataset data = random_table(seed, 30 + 40 * seed, 5, 4, seed % 2 == 0);
    check_against_brute_force(data, settings("bdla"), unconstrained(data));
    check_against_brute_force(data, with_experiments(settings("bdla"), data), unconstrained(data));
  }
}

// Few rows, so that many events are new.
TEST(enumeration_equals_brute_force_for_predictive_scores) {
  for (const double iss : {0.0, 1e-3, 1.0, 20.0})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Dataset data = random_table(seed, 20 + 40 * seed, 6, 4, seed % 3 == 0);
      const ScoreSettings chosen =
          settings_with_new_rows("pred-loglik", data, 5 + 15 * (seed % 4), iss);
      check_against_brute_force(data, chosen, unconstrained(data));
      EnumerationOptions options = unconstrained(data);
      options.rules.required[0] = {1};
      options.rules.forbidden[2] = {5};
      options.slack = static_cast<double>(seed);
      check_against_brute_force(data, chosen, options);
    }
  for (const char *label : {"pred-loglik-g", "pred-loglik-cg"})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Dataset data;
      data.rows = data.total = 40;
      const bool mixed = std::string(label) == "pred-loglik-cg";
      if (mixed)
        data = random_table(seed, 20 + 30 * seed, 3, 3, seed % 3 == 0);
      add_continuous(data, seed, mixed ? 3 : 6);
      const ScoreSettings chosen = settings_with_new_rows(label, data, 10, seed % 2);
      check_against_brute_force(data, chosen, unconstrained(data));
    }
}

// The mean over fewer rows may rise or fall with a parent.
TEST(enumeration_equals_brute_force_for_node_averages) {
  for (const char *label : {"nal", "pnal", "pnal-g", "pnal-cg"})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Dataset data;
      data.rows = data.total = 60;
      const bool tables = std::string(label).find('-') == std::string::npos,
                 mixed = std::string(label) == "pnal-cg";
      if (tables || mixed)
        data = random_table(seed, 30 + 40 * seed, tables ? 6 : 3, 3, seed % 3 == 0);
      if (!tables)
        add_continuous(data, seed, mixed ? 3 : 6);
      data = with_holes(data, seed, seed % 2 == 0 ? 0.05 : 0.3, seed % 3);
      for (const double k : {0.01, 2.0})
        check_against_brute_force(data, settings(label, k), unconstrained(data));
      EnumerationOptions options = unconstrained(data);
      options.rules.required[0] = {1};
      options.rules.forbidden[2] = {5};
      options.slack = 0.1;
      check_against_brute_force(data, with_prior(settings(label, 1), 6, seed), options);
    }
}

// A penalty per row that outweighs a level of the child, and a bound of the residuals.
TEST(enumeration_prunes_node_averages) {
  Dataset table = with_holes(random_table(2, 230, 12, 3), 1, 0.1), continuous;
  continuous.rows = continuous.total = 230;
  add_continuous(continuous, 3, 12);
  for (const bool discrete : {false, true}) {
    const Dataset data = discrete ? table : with_holes(continuous, 1, 0.01);
    const EnumerationResult found =
        enumerate(data, settings(discrete ? "pnal" : "pnal-g", 3), unconstrained(data));
    double considered = 0, counted = 0;
    for (Node v = 0; v < data.size(); ++v) {
      considered += found.considered[v];
      counted += found.counted[v];
    }
    CHECK(counted < considered * 0.9);
  }
}

// Sets beyond the first that makes a new row impossible, or that no larger one can improve on, are
// not scored.
TEST(enumeration_prunes_predictive_scores) {
  for (const double iss : {0.0, 1.0}) {
    Dataset data = random_table(2, 230, 12, 3);
    const ScoreSettings chosen = settings_with_new_rows("pred-loglik", data, 30, iss);
    const EnumerationResult found = enumerate(data, chosen, unconstrained(data));
    double considered = 0, counted = 0;
    for (Node v = 0; v < data.size(); ++v) {
      considered += found.considered[v];
      counted += found.counted[v];
    }
    CHECK(counted < considered * (iss == 0 ? 0.5 : 1));
  }
}

TEST(enumeration_equals_brute_force_for_gaussian_and_mixed_data) {
  for (const char *label : {"bic-g", "bge", "bic-cg"})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Dataset data;
      data.rows = data.total = 60;
      if (std::string(label) == "bic-cg")
        data = random_table(seed, 200, 3, 3);
      add_continuous(data, seed, std::string(label) == "bic-cg" ? 3 : 6);
      ScoreSettings chosen = settings(label);
      chosen.k = 2;
      chosen.iss_w = 8;
      chosen.nu.assign(6, 0.25);
      check_against_brute_force(data, chosen, unconstrained(data));
      check_against_brute_force(data, with_prior(chosen, 6, seed), unconstrained(data));
      check_against_brute_force(data, with_experiments(chosen, data), unconstrained(data));
    }
}

TEST(enumeration_equals_brute_force_for_trees_and_discretised_tables) {
  for (const char *label : {"pcart", "pcart-p", "ft", "ft-p"})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Dataset data = mixed_data(seed, 40 * seed, 4, seed % 2 == 0 ? 1 : 0, 3);
      ScoreSettings chosen = tree_settings(data, label);
      check_against_brute_force(data, chosen, unconstrained(data));
      check_against_brute_force(data, with_experiments(chosen, data), unconstrained(data));
      EnumerationOptions options = unconstrained(data);
      options.rules.required[0] = {1};
      options.slack = 1;
      chosen.leaf.iss = 1;
      check_against_brute_force(data, chosen, options);
    }
}

TEST(enumeration_obeys_constraints_and_slack) {
  for (const char *label : {"bic", "fnml", "bde", "k2"})
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Dataset data = random_table(seed, 120, 6, 3);
      EnumerationOptions options = unconstrained(data);
      options.rules.max_parents = {5, 0, 3, 2, 5, 1};
      options.rules.required[0] = {2, 4};
      options.rules.required[3] = {5};
      options.rules.required[5] = {0};
      options.rules.forbidden[0] = {1};
      options.rules.forbidden[4] = {0, 2, 3};
      check_against_brute_force(data, settings(label, 2), options);
      options.slack = static_cast<double>(seed);
      check_against_brute_force(data, settings(label, 2), options);
      options.slack = LocalScore::kInfinity;
      check_against_brute_force(data, settings(label, 2), options);
    }
}

TEST(enumeration_prunes_without_counting) {
  const Dataset data = random_table(3, 100, 12, 3);
  const EnumerationResult found =
      enumerate(data, settings("bic", std::log(100.0) / 2), unconstrained(data));
  for (Node v = 0; v < data.size(); ++v) {
    CHECK_EQUAL(found.considered[v], 2048);
    CHECK(found.counted[v] < 1500);
  }
}

TEST(enumeration_threads_give_equal_bits) {
  const Dataset data = random_table(17, 500, 10, 4);
  for (const char *label : {"bic", "bde", "bds"}) {
    const EnumerationResult one = enumerate(data, settings(label), unconstrained(data), 1);
    for (unsigned threads : {2u, 4u}) {
      const EnumerationResult many = enumerate(data, settings(label), unconstrained(data), threads);
      for (Node v = 0; v < data.size(); ++v) {
        CHECK(one.sets.nodes[v].score == many.sets.nodes[v].score);
        CHECK(one.sets.nodes[v].parents == many.sets.nodes[v].parents);
      }
    }
  }
}

// Little memory cuts levels into blocks, which changes nothing but that.
TEST(enumeration_in_blocks_gives_equal_bits) {
  const Dataset data = random_table(4, 300, 10, 3);
  EnumerationOptions options = unconstrained(data);
  options.rules.max_parents.assign(data.size(), 4);
  options.rules.required[2] = {7};
  options.rules.required[9] = {1, 5};
  options.rules.forbidden[4] = {0, 9};
  for (const char *label : {"k2", "bic"}) {
    options.memory_limit = LocalScore::kInfinity;
    const EnumerationResult whole = enumerate(data, settings(label, 1), options);
    options.memory_limit = 60000; // some 110 families a block
    for (const unsigned threads : {1u, 3u}) {
      const EnumerationResult blocks = enumerate(data, settings(label, 1), options, threads);
      CHECK(blocks.counted == whole.counted);
      CHECK(blocks.complete == whole.complete);
      for (Node v = 0; v < data.size(); ++v) {
        CHECK(blocks.sets.nodes[v].score == whole.sets.nodes[v].score);
        CHECK(blocks.sets.nodes[v].parents == whole.sets.nodes[v].parents);
      }
    }
  }
}

TEST(enumeration_stops_and_respects_memory) {
  const Dataset data = random_table(5, 2000, 18, 3);
  const auto score = make_score(data, settings("k2"));
  for (StopReason reason : {StopReason::interrupt, StopReason::time_limit}) {
    Host host;
    int polls = 0;
    host.should_stop = [&] { return ++polls > 2 ? reason : StopReason::none; };
    Watch watch(host);
    if (reason == StopReason::interrupt)
      CHECK_THROWS(enumerate_parent_sets(data, *score, unconstrained(data), watch), Interrupted);
    else
      CHECK_THROWS(enumerate_parent_sets(data, *score, unconstrained(data), watch),
                   TimeLimitReached);
  }
  EnumerationOptions options = unconstrained(data);
  options.memory_limit = 1e5;
  CHECK_THROWS(enumerate(data, settings("k2"), options), MemoryLimit);
}

namespace {

// Of every node, the sets up to the level that is complete are those of the whole enumeration.
void check_part(const EnumerationResult &part, const EnumerationResult &whole) {
  for (Node v = 0; v < part.sets.nodes.size(); ++v) {
    CandidateSets wanted;
    const CandidateSets &all = whole.sets.nodes[v];
    for (std::size_t i = 0; i < all.size(); ++i)
      if (static_cast<int>(all.size_of(i)) <= part.complete[v])
        wanted.add(all.score[i], all.begin_of(i), all.end_of(i));
    CHECK(part.sets.nodes[v].score == wanted.score);
    CHECK(part.sets.nodes[v].parents == wanted.parents);
  }
}

} // namespace

// Whatever ends it early.
TEST(enumeration_in_part_is_complete_as_far_as_it_says) {
  const Dataset data = random_table(3, 400, 9, 3);
  EnumerationOptions options = unconstrained(data);
  options.rules.required[4] = {1, 2};
  options.rules.max_parents[3] = 2;
  const EnumerationResult whole = enumerate(data, settings("bic", 1), options);
  options.partial = true;
  std::set<int> reached;
  for (const double budget : {0.0, 5.0, 20.0, 100.0, 300.0, 1e9})
    for (const unsigned polls : {0u, 1u, 2u, 4u, 6u, 1000u})
      for (const unsigned threads : {1u, 3u}) {
        EnumerationLimits limits;
        limits.budget = budget;
        unsigned left = polls;
        Host host;
        host.threads = threads;
        host.should_stop = [&left] {
          return left-- == 0 ? StopReason::time_limit : StopReason::none;
        };
        Watch watch(host);
        const auto score = make_score(data, settings("bic", 1));
        const EnumerationResult part = enumerate_parent_sets(data, *score, options, watch, limits);
        check_part(part, whole);
        reached.insert(part.complete.begin(), part.complete.end());
        CHECK(std::accumulate(part.counted.begin(), part.counted.end(), 0.0) <= budget);
      }
  CHECK_EQUAL(whole.complete[3], 2);
  CHECK_EQUAL(whole.complete[0], 8);
  CHECK(reached.count(-1) == 1 && reached.count(2) == 1 && reached.count(8) == 1);
}

TEST(enumeration_goes_on_where_it_was_cut_short) {
  const Dataset data = random_table(5, 300, 8, 3);
  EnumerationOptions options = unconstrained(data);
  options.rules.required[4] = {1, 2};
  const auto score = make_score(data, settings("bic", 1));
  const Host host;
  Watch watch(host);
  const EnumerationResult whole = enumerate_parent_sets(data, *score, options, watch);
  options.partial = true;
  for (const double least_branching : {LocalScore::kInfinity, 0.0}) {
    options.least_branching = least_branching;
    Enumeration enumeration(data, *score, options);
    std::vector<int> reached(data.size(), -1);
    for (const double budget : {10.0, 0.0, 30.0, 60.0, 100.0, LocalScore::kInfinity, 10.0}) {
      EnumerationLimits limits;
      limits.budget = budget;
      const EnumerationResult part = enumeration.go_on(limits, watch);
      check_part(part, whole);
      for (Node v = 0; v < data.size(); ++v)
        CHECK(part.complete[v] >= reached[v]);
      reached = part.complete;
    }
    CHECK(reached == whole.complete);
    if (least_branching > 0) // nothing is scored twice
      CHECK(enumeration.go_on({}, watch).counted == whole.counted);
  }
}
