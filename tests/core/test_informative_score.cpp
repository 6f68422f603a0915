#include "check.h"
#include "k_tree_fixtures.h"
#include "search_fixtures.h"

#include "core/treewidth/codes/dandelion.h"
#include "core/treewidth/informative_score.h"

using namespace optbn;
using namespace fixtures;

namespace {

MutualInformation random_information(Node n, Random &random) {
  MutualInformation table{n, std::vector<double>(std::size_t{n} * n, 0)};
  for (Node a = 0; a < n; ++a)
    for (Node b = 0; b < a; ++b)
      table.value[std::size_t{a} * n + b] = table.value[std::size_t{b} * n + a] = random.uniform();
  return table;
}

// The best set of every node that is a clique with it: in a k-tree these are the sets in bags.
double pseudo_score(const ParentSets &sets, const Edges &graph) {
  double sum = 0;
  for (Node v = 0; v < sets.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[v];
    double best = kImpossible;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      bool fits = true;
      for (const Node *a = candidates.begin_of(i); a != candidates.end_of(i); ++a) {
        fits &= joined(graph, *a, v);
        for (const Node *b = candidates.begin_of(i); b != a; ++b)
          fits &= joined(graph, *a, *b);
      }
      if (fits)
        best = std::max(best, candidates.score[i]);
    }
    sum += best;
  }
  return sum;
}

double information_sum(const MutualInformation &information, const Edges &graph) {
  double sum = 0;
  for (const auto &[a, b] : graph)
    sum += information(a, b);
  return sum;
}

} // namespace

TEST(informative_score_is_as_defined) {
  Random random(1);
  for (const auto &[n, k] : std::vector<std::pair<Node, unsigned>>{
           {1, 0}, {5, 0}, {6, 1}, {3, 2}, {9, 2}, {12, 4}, {40, 4}, {30, 7}}) {
    const MutualInformation information = random_information(n, random);
    const ParentSets sets = random_sets(n * 10 + k, n, 30, 4, 4);
    const SetTrie trie(sets, k);
    InformativeScorer scorer(information, trie, k);
    for (unsigned repeat = 0; repeat < 30; ++repeat) {
      const Edges graph = grown_edges(n, k, random);
      const InformativeScore score = scorer(k_tree_of(n, k, graph));
      CHECK_NEAR(score.information, information_sum(information, graph), 1e-12);
      CHECK_NEAR(score.pseudo, pseudo_score(sets, graph), 1e-10);
      CHECK_EQUAL(score.value(), score.information / -score.pseudo);
    }
  }
}

// Of 660,000 bags more than half a million are different, more than the cache can store.
TEST(informative_score_does_not_depend_on_what_was_scored_before) {
  Random random(2);
  const Node n = 60;
  const unsigned k = 4;
  const MutualInformation information = random_information(n, random);
  const SetTrie trie(random_sets(5, n, 200, 3), k);
  InformativeScorer used(information, trie, k);
  DandelionDecoder decoder(n, k);
  for (unsigned repeat = 0; repeat < 12000; ++repeat)
    used(decoder.decode(random_code(n, k, random)));
  for (unsigned repeat = 0; repeat < 20; ++repeat) {
    const KTree tree = decode(random_code(n, k, random));
    InformativeScorer fresh(information, trie, k);
    const InformativeScore one = used(tree), other = fresh(tree);
    CHECK_EQUAL(one.information, other.information);
    CHECK_EQUAL(one.pseudo, other.pseudo);
  }
}

// A node all of whose sets are in no bag: the score is far below any network's, but finite.
TEST(informative_score_of_an_impossible_k_tree_is_finite) {
  ParentSets sets = random_sets(1, 5, 4, 2);
  sets.nodes[0] = {};
  add_set(sets.nodes[0], -3, {1, 2});
  add_set(sets.nodes[0], -4, {1, 3});
  Random random(3);
  const MutualInformation information = random_information(5, random);
  const SetTrie trie(sets, 1);
  InformativeScorer scorer(information, trie, 1);
  const KTree path = k_tree_of(5, 1, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const double pseudo = scorer(path).pseudo;
  CHECK(std::isfinite(pseudo));
  double worst = 0;
  for (const CandidateSets &candidates : sets.nodes)
    worst += candidates.score.back();
  CHECK(pseudo < worst);
  CHECK_EQUAL(scorer(path).value(), -1);
}
