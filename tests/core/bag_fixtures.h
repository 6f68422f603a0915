// Random k-trees and candidate sets, made in slow and obvious ways, for the tests of bounded
// tree-width.
#pragma once

#include "random_problem.h"

#include "core/treewidth/k_tree.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace optbn {

// A k-tree by its definition: a clique, then node after node with a random separator. Not uniform.
inline KTree grown_k_tree(Node nodes, unsigned k, Random &random) {
  std::vector<Node> name(nodes);
  std::iota(name.begin(), name.end(), Node{0});
  random.shuffle(name);
  std::vector<std::vector<Node>> bags = {{name.begin(), name.begin() + k + 1}};
  KTree tree{nodes, k, {}, {0}, {}};
  tree.introduced.push_back(*std::min_element(bags[0].begin(), bags[0].end()));
  for (Node next = static_cast<Node>(k + 1); next < nodes; ++next) {
    const auto parent = random.below(static_cast<std::uint32_t>(bags.size()));
    std::vector<Node> bag = bags[parent];
    bag[random.below(k + 1)] = name[next];
    bags.push_back(bag);
    tree.parent.push_back(parent);
    tree.introduced.push_back(name[next]);
  }
  for (std::vector<Node> &bag : bags) {
    std::sort(bag.begin(), bag.end());
    tree.members.insert(tree.members.end(), bag.begin(), bag.end());
  }
  return tree;
}

// The same k-tree with node v called name[v].
inline KTree renamed(KTree tree, const std::vector<Node> &name) {
  for (Node &v : tree.members)
    v = name[v];
  for (Node &v : tree.introduced)
    v = name[v];
  for (std::size_t i = 0; i < tree.bags(); ++i)
    std::sort(tree.members.begin() + static_cast<std::ptrdiff_t>(i * tree.bag_size()),
              tree.members.begin() + static_cast<std::ptrdiff_t>((i + 1) * tree.bag_size()));
  return tree;
}

// The same k-tree rooted at another bag.
inline KTree rooted_at(const KTree &tree, std::size_t root) {
  std::vector<std::size_t> order = {root}, above = {0};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t b = 0; b < tree.bags(); ++b) {
      const bool joined =
          (b > 0 && tree.parent[b] == order[i]) || (order[i] > 0 && tree.parent[order[i]] == b);
      if (joined && std::find(order.begin(), order.end(), b) == order.end()) {
        order.push_back(b);
        above.push_back(i);
      }
    }
  KTree result{tree.nodes, tree.k, {}, {}, {}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node *const bag = tree.bag(order[i]), *const end = tree.bag_end(order[i]);
    result.members.insert(result.members.end(), bag, end);
    result.parent.push_back(static_cast<std::uint32_t>(above[i]));
    const std::size_t parent = order[above[i]];
    result.introduced.push_back(i == 0 ? *bag : *std::find_if(bag, end, [&](Node v) {
      return !std::binary_search(tree.bag(parent), tree.bag_end(parent), v);
    }));
  }
  return result;
}

struct RandomSets {
  unsigned sets = 12;           // about so many candidate sets a node
  unsigned parents = 3;         // at most so many parents a set
  double without_empty = 0;     // probability that a node lacks the empty set
  unsigned distinct_scores = 0; // scores are whole numbers below this; 0: reals
};

inline ParentSets random_sets(Node nodes, const RandomSets &shape, Random &random) {
  RandomProblem as_problem;
  as_problem.nodes = nodes;
  as_problem.sets = shape.sets;
  as_problem.parents = shape.parents;
  as_problem.without_empty = shape.without_empty;
  as_problem.distinct_scores = shape.distinct_scores;
  const Problem problem = random_problem(as_problem, random);
  ParentSets result;
  for (const Domain &domain : problem.domains) {
    result.nodes.emplace_back();
    for (std::size_t i = 0; i < domain.size(); ++i) {
      std::vector<Node> set;
      for (Node u = 0; u < nodes; ++u)
        if (domain.mask[i * problem.words + u / 64] >> (u % 64) & 1)
          set.push_back(u);
      result.nodes.back().add(domain.score[i], set.data(), set.data() + set.size());
    }
    result.nodes.back().sort();
  }
  return result;
}

inline ParentSets renamed(const ParentSets &sets, const std::vector<Node> &name) {
  ParentSets result;
  result.nodes.resize(sets.size());
  for (Node v = 0; v < sets.size(); ++v) {
    CandidateSets &to = result.nodes[name[v]];
    for (std::size_t i = 0; i < sets.nodes[v].size(); ++i) {
      std::vector<Node> set(sets.nodes[v].begin_of(i), sets.nodes[v].end_of(i));
      for (Node &u : set)
        u = name[u];
      std::sort(set.begin(), set.end());
      to.add(sets.nodes[v].score[i], set.data(), set.data() + set.size());
    }
    to.sort();
  }
  return result;
}

inline bool acyclic(const std::vector<std::vector<Node>> &parents) {
  std::vector<bool> in_prefix(parents.size());
  for (std::size_t round = 0; round < parents.size(); ++round)
    for (std::size_t v = 0; v < parents.size(); ++v)
      in_prefix[v] = in_prefix[v] || std::all_of(parents[v].begin(), parents[v].end(),
                                                 [&](Node u) { return in_prefix[u]; });
  return std::find(in_prefix.begin(), in_prefix.end(), false) == in_prefix.end();
}

inline bool families_in_bags(const KTree &tree, const std::vector<std::vector<Node>> &parents) {
  for (Node v = 0; v < parents.size(); ++v) {
    bool fits = false;
    for (std::size_t i = 0; i < tree.bags(); ++i) {
      const auto in_bag = [&](Node u) {
        return std::find(tree.bag(i), tree.bag_end(i), u) != tree.bag_end(i);
      };
      fits |= in_bag(v) && std::all_of(parents[v].begin(), parents[v].end(), in_bag);
    }
    if (!fits)
      return false;
  }
  return true;
}

} // namespace optbn
