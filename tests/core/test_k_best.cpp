#include "check.h"
#include "random_problem.h"

#include "core/base/errors.h"
#include "core/structure/engines/subset_dp.h"
#include "core/structure/k_best.h"

#include <map>
#include <tuple>

using namespace optbn;

namespace {

using Choice = std::vector<std::uint32_t>;

std::vector<Network> solve(const Problem &problem, unsigned k, bool classes, unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  return k_best(problem, k, classes, watch);
}

std::vector<Choice> all_networks(const Problem &problem) {
  std::vector<Choice> result;
  for (const Domain &domain : problem.domains)
    if (domain.size() == 0)
      return result;
  Choice choice(problem.size(), 0);
  for (bool more = true; more;) {
    if (acyclic(problem, choice))
      result.push_back(choice);
    more = false;
    for (Node v = 0; v < problem.size() && !more; ++v) {
      more = ++choice[v] < problem.domains[v].size();
      if (!more)
        choice[v] = 0;
    }
  }
  return result;
}

// Adjacencies (a, b) and v-structures (a, v, c), each as pairs and triples of nodes.
using ClassKey = std::pair<std::set<std::pair<Node, Node>>, std::set<std::tuple<Node, Node, Node>>>;

ClassKey class_of(const Problem &problem, const Choice &choice) {
  const Node n = problem.size();
  const auto parent = [&](Node u, Node v) { return problem.domains[v].mask[choice[v]] >> u & 1; };
  ClassKey key;
  for (Node v = 0; v < n; ++v)
    for (Node a = 0; a < n; ++a) {
      if (!parent(a, v))
        continue;
      key.first.insert({std::min(a, v), std::max(a, v)});
      for (Node c = 0; c < a; ++c)
        if (parent(c, v) && !parent(c, a) && !parent(a, c))
          key.second.insert({c, v, a});
    }
  return key;
}

// The scores, best first, of all networks or of the best members of all classes.
std::vector<double> all_scores(const Problem &problem, bool classes) {
  std::vector<double> scores;
  std::map<ClassKey, double> best;
  for (const Choice &choice : all_networks(problem)) {
    const double score = score_of(problem, choice);
    scores.push_back(score);
    const auto known = best.emplace(class_of(problem, choice), score).first;
    known->second = std::max(known->second, score);
  }
  if (classes) {
    scores.clear();
    for (const auto &entry : best)
      scores.push_back(entry.second);
  }
  std::sort(scores.rbegin(), scores.rend());
  return scores;
}

void check_ranking(const Problem &problem, unsigned k, bool classes) {
  const std::vector<double> scores = all_scores(problem, classes);
  const std::vector<Network> networks = solve(problem, k, classes);
  CHECK_EQUAL(networks.size(), std::min<std::size_t>(k, scores.size()));
  std::set<Choice> choices;
  std::set<ClassKey> keys;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    CHECK(acyclic(problem, networks[i].choice));
    CHECK_EQUAL(networks[i].score, score_of(problem, networks[i].choice));
    CHECK_NEAR(networks[i].score, scores[i], 1e-11);
    CHECK(i == 0 || networks[i].score <= networks[i - 1].score);
    choices.insert(networks[i].choice);
    keys.insert(class_of(problem, networks[i].choice));
  }
  CHECK_EQUAL(choices.size(), networks.size());
  if (classes)
    CHECK_EQUAL(keys.size(), networks.size());
}

} // namespace

TEST(k_best_is_the_head_of_the_full_enumeration) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 120; ++repeat) {
    RandomProblem shape;
    shape.nodes = static_cast<Node>(repeat % 6);
    shape.sets = 1 + random.below(shape.nodes == 5 ? 5 : 9);
    shape.without_empty = 0.15 * random.below(3);
    shape.distinct_scores = random.below(2) * 3;
    const Problem problem = random_problem(shape, random);
    for (const unsigned k : {1u, 7u, 40u})
      for (const bool classes : {false, true})
        check_ranking(problem, k, classes);
  }
}

TEST(k_best_is_complete_when_there_are_fewer) {
  Random random(2);
  for (unsigned repeat = 0; repeat < 10; ++repeat) {
    RandomProblem shape;
    shape.nodes = 4;
    const Problem problem = random_problem(shape, random);
    for (const bool classes : {false, true})
      check_ranking(problem, kKBestNetworks, classes);
  }
}

TEST(k_best_finds_all_dags_and_classes_over_four_nodes) {
  Problem problem;
  for (Node v = 0; v < 4; ++v) {
    Domain domain;
    for (std::uint64_t mask = 0; mask < 16; ++mask)
      if (!(mask >> v & 1)) {
        domain.score.push_back(-double(domain.size())); // no two alike, not score equivalent
        domain.mask.push_back(mask);
        domain.origin.push_back(0);
      }
    problem.domains.push_back(domain);
  }
  CHECK_EQUAL(solve(problem, 1000, false).size(), 543u); // OEIS A003024
  CHECK_EQUAL(solve(problem, 1000, true).size(), 185u);  // OEIS A007984
}

TEST(k_best_distinguishes_sets_by_number_and_classes_by_parents) {
  Problem problem; // both nodes hold the same set twice, as happens when parents have been removed
  problem.domains = {{{-1, -2}, {0, 0}, {0, 1}}, {{-1, -3, -4}, {1, 1, 0}, {0, 1, 2}}};
  CHECK_EQUAL(solve(problem, 10, false).size(), 6u);
  const std::vector<Network> classes = solve(problem, 10, true);
  CHECK_EQUAL(classes.size(), 2u);
  CHECK((classes[0].choice == Choice{0, 0}));
  CHECK((classes[1].choice == Choice{0, 2}));
}

TEST(k_best_does_not_depend_on_threads) {
  Random random(3);
  RandomProblem shape;
  shape.nodes = 11;
  shape.sets = 30;
  for (const unsigned distinct_scores : {0u, 3u}) {
    shape.distinct_scores = distinct_scores;
    const Problem problem = random_problem(shape, random);
    for (const bool classes : {false, true}) {
      const std::vector<Network> one = solve(problem, 20, classes);
      for (const unsigned threads : {2u, 4u}) {
        const std::vector<Network> more = solve(problem, 20, classes, threads);
        CHECK_EQUAL(more.size(), one.size());
        for (std::size_t i = 0; i < one.size(); ++i)
          CHECK(more[i].choice == one[i].choice && more[i].score == one[i].score);
      }
    }
  }
}

TEST(k_best_does_not_depend_on_names_or_on_k) {
  Random random(4);
  RandomProblem shape;
  shape.nodes = 8;
  shape.sets = 15;
  const Problem problem = random_problem(shape, random);
  std::vector<Node> name(shape.nodes);
  std::iota(name.begin(), name.end(), Node{0});
  for (const bool classes : {false, true}) {
    const std::vector<Network> many = solve(problem, 200, classes);
    CHECK_EQUAL(many.size(), 200u);
    random.shuffle(name);
    const std::vector<Network> other_names = solve(renamed(problem, name), 200, classes);
    const std::vector<Network> few = solve(problem, 30, classes);
    for (std::size_t i = 0; i < many.size(); ++i)
      CHECK_NEAR(other_names[i].score, many[i].score, 1e-11);
    for (std::size_t i = 0; i < few.size(); ++i)
      CHECK_NEAR(few[i].score, many[i].score, 1e-11);
  }
}

TEST(k_best_begins_with_the_optimum) {
  Random random(5);
  RandomProblem shape;
  shape.nodes = 13;
  shape.sets = 40;
  const Problem problem = random_problem(shape, random);
  Host host;
  Watch watch(host);
  const double optimum = subset_dp(problem, watch).score;
  for (const bool classes : {false, true})
    CHECK_NEAR(solve(problem, 3, classes).at(0).score, optimum, 1e-11);
}

TEST(k_best_is_empty_when_nothing_is_possible) {
  Problem cycle;
  cycle.domains = {{{-1}, {0b10}, {0}}, {{-1}, {0b01}, {0}}};
  Problem unscored;
  unscored.domains = {{{-std::numeric_limits<double>::infinity()}, {0}, {0}}};
  for (const bool classes : {false, true}) {
    CHECK(solve(cycle, 5, classes).empty());
    CHECK(solve(unscored, 5, classes).empty());
  }
  CHECK(solve(Problem(), 0, false).empty());
  CHECK_EQUAL(solve(Problem(), 5, true).size(), 1u); // no nodes: one network
}

TEST(k_best_refuses_what_it_cannot_number) {
  Problem large;
  large.domains.resize(kSubsetDpNodes + 1u);
  CHECK_THROWS(solve(large, 1, false), Error);
  CHECK_THROWS(solve(Problem(), kKBestNetworks + 1, false), Error);
}

TEST(k_best_stops_on_request_with_any_threads) {
  Random random(6);
  RandomProblem shape;
  shape.nodes = 13;
  shape.sets = 30;
  const Problem problem = random_problem(shape, random);
  for (const unsigned threads : {1u, 3u})
    for (int polls = 0; polls < 4; ++polls) {
      Host host = host_stopping_after(polls, threads, StopReason::time_limit);
      host.report_progress = [&](double done, double total) {
        CHECK_EQUAL(total, std::ldexp(1.0, 13));
        CHECK(done <= total);
      };
      Watch watch(host);
      const std::vector<Network> networks = k_best(problem, 50, polls % 2 == 1, watch);
      CHECK(networks.empty() == (watch.reason() != StopReason::none));
      CHECK(polls > 0 || networks.empty());
    }
}

TEST(k_best_fits_in_the_memory_it_forecasts) {
  CHECK(k_best_bytes(15, 100, true) < 2e8);
  CHECK(k_best_bytes(20, 10, true) < 5e8);
  CHECK(k_best_bytes(20, 10, true) > k_best_bytes(20, 10, false));
  CHECK(k_best_bytes(20, 10, false) > 8 * 10 * std::ldexp(1.0, 20));
}
