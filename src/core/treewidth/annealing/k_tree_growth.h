// Growing k-trees greedily around the local scores.
//
// A k-tree grows node by node, each on a handle. The next node is the one that loses least against
// its best parent set, and it goes where its best set within a bag is largest (k-MAX, Scanagatta,
// Corani, Zaffalon, Yoo & Kang 2018, doi 10.1016/j.ijar.2018.02.004). What the nodes before it
// could gain from it as a parent is not looked at: a good order of the nodes finds that.
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

  // How nodes come in.
  struct Style {
    bool greedy = true; // the node that loses least next; otherwise in random order
    double noise = 0;   // how far chance perturbs the losses, which lie between 0 and 1
  };

  // A k-tree of all nodes, from a clique of related nodes around a random one.
  KTree grow(Style style, Random &random);

  // A k-tree that holds as much as it can of a graph whose nodes are eliminated in this order: all
  // of it, when the order's width is at most k.
  KTree around(const UndirectedGraph &graph, const std::vector<Node> &order, Random &random);

  // A random connected part of the bags stays; the others' nodes, so many, are inserted again.
  KTree regrow(const KTree &tree, std::size_t nodes, Style style, Random &random);

private:
  // The best place so far for a node that is not in yet.
  struct Offer {
    double loss;
    std::uint32_t bag;
    std::uint32_t parents; // a mask over the bag
    std::uint32_t ties;
  };

  KTree first_bag(Random &random);
  void complete(KTree &part, std::vector<Node> missing, Style style, Random &random);
  double gain_within(Node v, const std::vector<Node> &nodes) const;
  void offer(const KTree &tree, std::uint32_t bag, Node v, double noise, Random &random);
  void insert(KTree &tree, Node v, Random &random);
  void hang(KTree &tree, std::uint32_t bag, unsigned omitted, Node v);

  const SetTrie &sets_;
  const unsigned k_;
  std::vector<double> most_;        // node -> the largest gain of any set
  std::vector<Offer> offers_;       // by node
  std::vector<std::uint32_t> home_; // node -> the first bag that holds it
};

} // namespace optbn
