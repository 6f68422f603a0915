// A* over k-trees: the best way to grow a k-tree from a clique.
//
// Nie et al. 2016 compare with a search of this kind without defining it; this is our definition. A
// state is a k-tree over some of the nodes; it is built from a given clique of k + 1 nodes by
// insertions, each of which joins one more node v to a separator S, k nodes of a bag, and adds
// gain(v, S). No insertion of v adds more than most(v), so that
//     f = sum of the gains so far + sum of most(v) over the nodes that are still outside
// is an upper bound for all k-trees that extend a state, and never increases along a path. There
// are two kinds of gain:
//   - information: the mutual information of v with S, over a k-tree the sum over its edges outside
//     the clique; most(v) is the sum over the k nodes of most mutual information with v;
//   - score: the score of v's best parent set within S less that of its empty set; most(v) is the
//     same for its best set of up to k parents. The sum is a lower bound of the best network in the
//     k-tree.
// States are expanded by number of nodes, not best first. This makes no difference to the states
// that have to be expanded (all with an f above the optimum), but allows a beam search: of each
// number of nodes only the `width` states with the largest f are expanded, and the largest f among
// the pruned ones is recorded. The result has therefore a bound, and is optimal when value and
// bound are equal. States that are the same k-tree are merged, by a 64-bit hash of their edges.
//
// A search takes O(width n^3 k^2) at most. It belongs to one thread.
#pragma once

#include "core/base/host.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/mutual_information.h"
#include "core/treewidth/within/bag_scores.h"

#include <cstddef>
#include <vector>

namespace optbn {

class InsertionGain {
public:
  virtual ~InsertionGain() = default;
  virtual double gain(Node v, const Node *separator) const = 0; // k ascending nodes
  virtual double most(Node v) const = 0;
};

class InformationGain final : public InsertionGain {
public:
  InformationGain(const MutualInformation &information, unsigned k);
  double gain(Node v, const Node *separator) const override;
  double most(Node v) const override { return most_[v]; }

private:
  const MutualInformation &information_;
  const unsigned k_;
  std::vector<double> most_;
};

class ScoreGain final : public InsertionGain {
public:
  // sets: of up to k parents.
  ScoreGain(const SetTrie &sets, unsigned k) : sets_(sets), k_(k) {}
  double gain(Node v, const Node *separator) const override;
  double most(Node v) const override { return sets_.most(v); }

private:
  const SetTrie &sets_;
  const unsigned k_;
};

struct GrownKTree {
  KTree tree;
  double value = 0; // sum of the gains of all insertions
  double bound = 0; // no k-tree that contains the clique has a larger value

  bool optimal() const;
};

// clique: k + 1 ascending nodes of `nodes`; width at least 1. A watch that stops, even beforehand,
// still leaves a k-tree, that of width 1.
GrownKTree grow_k_tree(Node nodes, const std::vector<Node> &clique, const InsertionGain &gain,
                       std::size_t width, Watch &watch);

// A clique to begin with: some nodes (one at least, say two or three at random), to which the node
// with most mutual information with the nodes so far is added until there are k + 1. Ascending.
std::vector<Node> related_clique(const MutualInformation &information, unsigned k,
                                 std::vector<Node> some);

} // namespace optbn
