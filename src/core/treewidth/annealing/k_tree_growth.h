// Growing k-trees greedily around the local scores.
//
// A k-tree grows node by node, each attached to a bag. The next node is the one of least loss
// compared with its best parent set, and it is attached where its best set within a bag is largest
// (k-MAX, Scanagatta, Corani, Zaffalon, Yoo & Kang 2018, doi 10.1016/j.ijar.2018.02.004). Gains of
// earlier nodes from it as a parent are ignored: a good order of the nodes finds them.
//
// A grower is not thread-safe; the sets that it reads are.
#pragma once

#include "core/base/random.h"
#include "core/graph/undirected.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/within/bag_scores.h"

#include <cstdint>
#include <vector>

namespace optbn {

class KTreeGrower {
public:
  // sets: candidate sets of up to k parents; k is at most the number of nodes less one.
  KTreeGrower(const SetTrie &sets, unsigned k);

  // A k-tree of all nodes, from a clique of related nodes around a random one. noise: how much the
  // losses, which are between 0 and 1, are disturbed.
  KTree grow(double noise, Random &random);

  // A k-tree that contains as much as it can of a graph whose nodes are eliminated in this order:
  // all of it, when the order's width is at most k.
  KTree around(const UndirectedGraph &graph, const std::vector<Node> &order, Random &random);

  // Removes so many nodes, all but those of a random connected part of the bags, and attaches them
  // again.
  KTree regrow(const KTree &tree, std::size_t nodes, double noise, Random &random);

private:
  // The best bag so far for a node that is not yet attached.
  struct Candidate {
    double loss;
    std::uint32_t bag;
    std::uint32_t parents; // a mask over the bag
    std::uint32_t ties;
  };

  KTree initial_clique(Random &random);
  void complete(KTree &part, std::vector<Node> missing, double noise, Random &random);
  double gain_within(Node v, const std::vector<Node> &nodes) const;
  void update_candidate(const KTree &tree, std::uint32_t bag, Node v, double noise, Random &random);
  void insert(KTree &tree, Node v, Random &random);
  void attach(KTree &tree, std::uint32_t bag, unsigned omitted, Node v);

  const SetTrie &sets_;
  const unsigned k_;
  std::vector<double> most_;             // node -> the largest gain of any set
  std::vector<Candidate> candidates_;    // by node
  std::vector<std::uint32_t> first_bag_; // node -> the first bag that contains it
};

} // namespace optbn
