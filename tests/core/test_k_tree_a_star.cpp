#include "check.h"
#include "k_tree_fixtures.h"
#include "random_problem.h"
#include "search_fixtures.h"

#include "core/treewidth/sampling/k_tree_a_star.h"

using namespace optbn;
using namespace fixtures;

namespace {

constexpr std::size_t kAll = 1000000;

MutualInformation random_information(Node n, Random &random) {
  MutualInformation table{n, std::vector<double>(std::size_t{n} * n, 0)};
  for (Node a = 0; a < n; ++a)
    for (Node b = 0; b < a; ++b)
      table.value[std::size_t{a} * n + b] = table.value[std::size_t{b} * n + a] =
          std::pow(random.uniform(), 3);
  return table;
}

// The largest sum of gains over all sequences of insertions, all of them tried.
double best_by_trial(std::vector<std::vector<Node>> bags, std::vector<Node> outside,
                     const InsertionGain &gain) {
  if (outside.empty())
    return 0;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < outside.size(); ++i) {
    const Node v = outside[i];
    std::vector<Node> rest = outside;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const std::size_t count = bags.size();
    for (std::size_t b = 0; b < count; ++b)
      for (std::size_t out = 0; out < bags[b].size(); ++out) {
        std::vector<Node> bag = bags[b];
        bag.erase(bag.begin() + static_cast<std::ptrdiff_t>(out));
        const double one = gain.gain(v, bag.data());
        CHECK(one <= gain.most(v) + 1e-12);
        bag.insert(std::lower_bound(bag.begin(), bag.end(), v), v);
        bags.push_back(bag);
        best = std::max(best, one + best_by_trial(bags, rest, gain));
        bags.pop_back();
      }
  }
  return best;
}

// The sum of the gains of the insertions, in the order of the bags.
double value_of(const KTree &tree, const InsertionGain &gain) {
  double sum = 0;
  for (std::size_t i = 1; i < tree.bags(); ++i) {
    std::vector<Node> separator;
    std::remove_copy(tree.bag(i), tree.bag_end(i), std::back_inserter(separator),
                     tree.introduced[i]);
    sum += gain.gain(tree.introduced[i], separator.data());
  }
  return sum;
}

void check_grown(const GrownKTree &grown, Node n, const std::vector<Node> &clique,
                 const InsertionGain &gain) {
  CHECK_EQUAL(grown.tree.nodes, n);
  CHECK(well_formed(grown.tree));
  CHECK(std::equal(clique.begin(), clique.end(), grown.tree.bag(0)));
  CHECK_NEAR(grown.value, value_of(grown.tree, gain), 1e-10);
  CHECK(grown.bound >= grown.value);
}

std::vector<Node> outside_of(const std::vector<Node> &clique, Node n) {
  std::vector<Node> all(n), outside;
  std::iota(all.begin(), all.end(), Node{0});
  std::set_difference(all.begin(), all.end(), clique.begin(), clique.end(),
                      std::back_inserter(outside));
  return outside;
}

void check_against_trial(Node n, unsigned k, const InsertionGain &gain, Random &random,
                         unsigned &narrow_proofs, unsigned &narrow_losses) {
  std::vector<Node> clique = random_names(n, random);
  clique.resize(k + 1);
  std::sort(clique.begin(), clique.end());
  const double best = best_by_trial({clique}, outside_of(clique, n), gain);
  const Host host;
  Watch watch(host);
  const GrownKTree grown = grow_k_tree(n, clique, gain, kAll, watch);
  check_grown(grown, n, clique, gain);
  CHECK(grown.optimal());
  CHECK_NEAR(grown.value, best, 1e-10);
  for (const std::size_t width : {std::size_t{1}, std::size_t{3}}) {
    const GrownKTree narrow = grow_k_tree(n, clique, gain, width, watch);
    check_grown(narrow, n, clique, gain);
    CHECK(narrow.bound >= best - 1e-10);
    narrow_proofs += narrow.optimal();
    narrow_losses += narrow.value < best - 1e-10;
  }
}

} // namespace

TEST(k_tree_a_star_finds_the_best_growth) {
  Random random(1);
  unsigned proofs = 0, losses = 0;
  for (unsigned repeat = 0; repeat < 30; ++repeat)
    for (const auto &[n, k] :
         std::vector<std::pair<Node, unsigned>>{{4, 0}, {5, 1}, {6, 2}, {6, 3}, {5, 4}, {5, 3}}) {
      const MutualInformation information = random_information(n, random);
      check_against_trial(n, k, InformationGain(information, k), random, proofs, losses);
      const ParentSets sets = random_sets(random.next(), n, 12, 3);
      const SetTrie trie(sets, k);
      check_against_trial(n, k, ScoreGain(trie, k), random, proofs, losses);
    }
  CHECK(proofs > 100 && losses > 10);
}

TEST(k_tree_a_star_is_better_and_surer_the_wider) {
  Random random(2);
  const Node n = 14;
  const unsigned k = 3;
  const MutualInformation information = random_information(n, random);
  const InformationGain gain(information, k);
  const std::vector<Node> clique = related_clique(information, k, {5});
  const Host host;
  Watch watch(host);
  const GrownKTree narrow = grow_k_tree(n, clique, gain, 1, watch);
  const GrownKTree wide = grow_k_tree(n, clique, gain, 3000, watch);
  check_grown(narrow, n, clique, gain);
  check_grown(wide, n, clique, gain);
  CHECK(wide.value > narrow.value);
  CHECK(wide.bound < narrow.bound);
  // Random k-trees that contain the clique are no better.
  for (unsigned repeat = 0; repeat < 1000; ++repeat) {
    const KTree tree = k_tree_of(n, k, grown_edges(n, k, random));
    std::vector<Node> name(n), taken(tree.bag(0), tree.bag_end(0));
    for (std::size_t i = 0; i <= k; ++i)
      name[taken[i]] = clique[i];
    const std::vector<Node> from = outside_of(taken, n), to = outside_of(clique, n);
    for (std::size_t i = 0; i < from.size(); ++i)
      name[from[i]] = to[i];
    double value = 0;
    for (const auto &[a, b] : renamed(edges(tree), name))
      value += information(a, b);
    for (const Node a : clique)
      for (const Node b : clique)
        value -= a < b ? information(a, b) : 0;
    CHECK(value <= wide.value + 1e-10);
  }
}

TEST(k_tree_a_star_does_not_depend_on_names) {
  Random random(3);
  const Node n = 9;
  const unsigned k = 2;
  const MutualInformation information = random_information(n, random);
  const std::vector<Node> name = random_names(n, random);
  MutualInformation other = information;
  for (Node a = 0; a < n; ++a)
    for (Node b = 0; b < n; ++b)
      other.value[std::size_t{name[a]} * n + name[b]] = information(a, b);
  const Host host;
  Watch watch(host);
  const std::vector<Node> clique = related_clique(information, k, {4});
  const std::vector<Node> theirs = related_clique(other, k, {name[4]});
  for (const Node v : clique)
    CHECK(std::binary_search(theirs.begin(), theirs.end(), name[v]));
  const GrownKTree one = grow_k_tree(n, clique, InformationGain(information, k), kAll, watch);
  const GrownKTree two = grow_k_tree(n, theirs, InformationGain(other, k), kAll, watch);
  CHECK_NEAR(one.value, two.value, 1e-12);
  CHECK(renamed(edges(one.tree), name) == edges(two.tree));
}

TEST(k_tree_a_star_starts_with_what_is_related) {
  MutualInformation information{5, std::vector<double>(25, 0)};
  const auto set = [&](Node a, Node b, double value) {
    information.value[a * 5u + b] = information.value[b * 5u + a] = value;
  };
  set(1, 4, 3);
  set(1, 2, 1);
  set(4, 3, 2);
  set(1, 0, 1.5);
  CHECK((related_clique(information, 0, {2}) == std::vector<Node>{2}));
  CHECK((related_clique(information, 2, {1}) == std::vector<Node>{1, 3, 4}));
  CHECK((related_clique(information, 2, {2, 0}) == std::vector<Node>{0, 1, 2}));
  CHECK((related_clique(information, 2, {3, 2, 0}) == std::vector<Node>{0, 2, 3}));
  CHECK((related_clique(information, 4, {1}) == std::vector<Node>{0, 1, 2, 3, 4}));
}

TEST(k_tree_a_star_stops_with_a_k_tree_and_a_bound) {
  Random random(4);
  const Node n = 16;
  const unsigned k = 3;
  const MutualInformation information = random_information(n, random);
  const InformationGain gain(information, k);
  const std::vector<Node> clique = related_clique(information, k, {0});
  const Host patient;
  Watch all(patient);
  const GrownKTree whole = grow_k_tree(n, clique, gain, 300, all);
  for (const int polls : {0, 1}) {
    const Host host = host_stopping_after(polls, 1);
    Watch watch(host);
    const GrownKTree grown = grow_k_tree(n, clique, gain, 300, watch);
    check_grown(grown, n, clique, gain);
    CHECK(grown.bound >= whole.value);
    CHECK(polls > 0 || !grown.optimal());
  }
}
