// PairWeights: how much weight a fractional network gives every pair of nodes in its moral graph.
//
// A pair {a, b} is joined in the moral graph of a network where one of these holds:
//   an arc joins a and b, in one of its two directions (there are never both);
//   a certain node v has both of them as parents.
// Each is a *witness*: the sum of the weights of the sets that have it is at most 1 in any network,
// and the pair is joined where it is 1. A pair's weight is that of its heaviest witness. Sums of the
// weights of different witnesses would count a pair twice.
#pragma once

#include "core/structure/bounds/cuts/cluster_separation.h"

#include <cstddef>
#include <vector>

namespace optbn {

// Two nodes, and the child of which both are parents; without a child: an arc joins them.
struct Witness {
  static constexpr Node kNoChild = static_cast<Node>(~0u);

  Node a = 0, b = 0, child = kNoChild;

  bool is_arc() const { return child == kNoChild; }
};

class PairWeights {
public:
  template <unsigned Words> explicit PairWeights(const FractionalNetwork<Words> &network);

  Node size() const { return nodes_; }
  double weight(Node a, Node b) const { return weight_[at(a, b)]; }
  const Witness &witness(Node a, Node b) const { return witness_[at(a, b)]; }

private:
  std::size_t at(Node a, Node b) const { return std::size_t{a} * nodes_ + b; }
  void join(Witness witness, double weight);

  Node nodes_;
  std::vector<double> weight_;
  std::vector<Witness> witness_;
};

template <unsigned Words>
PairWeights::PairWeights(const FractionalNetwork<Words> &network)
    : nodes_(network.size()), weight_(std::size_t{nodes_} * nodes_, 0), witness_(weight_.size()) {
  std::vector<double> together(weight_.size(), 0);
  for (Node v = 0; v < nodes_; ++v)
    for (const auto &weighted : network.support[v])
      weighted.set.for_each([&](unsigned u) {
        together[at(std::min<Node>(u, v), std::max<Node>(u, v))] += weighted.weight;
      });
  for (Node b = 0; b < nodes_; ++b)
    for (Node a = 0; a < b; ++a)
      join({a, b}, together[at(a, b)]);
  for (Node v = 0; v < nodes_; ++v) {
    std::fill(together.begin(), together.end(), 0.0);
    BitSet<Words> parents;
    for (const auto &weighted : network.support[v]) {
      parents |= weighted.set;
      weighted.set.for_each([&](unsigned a) {
        weighted.set.for_each([&](unsigned b) {
          if (a < b)
            together[at(a, b)] += weighted.weight;
        });
      });
    }
    parents.for_each([&](unsigned a) {
      parents.for_each([&](unsigned b) {
        if (a < b)
          join({static_cast<Node>(a), static_cast<Node>(b), v}, together[at(a, b)]);
      });
    });
  }
}

// (An arc, rather than a child, where both are as good but for rounding.)
inline void PairWeights::join(Witness witness, double weight) {
  const Node a = witness.a, b = witness.b;
  if (!witness.is_arc() && weight <= weight_[at(a, b)] + 1e-9)
    return;
  weight_[at(a, b)] = weight_[at(b, a)] = std::min(weight, 1.0);
  witness_[at(a, b)] = witness_[at(b, a)] = witness;
}

} // namespace optbn
