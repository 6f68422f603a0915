// PartitionChain: networks drawn by Monte Carlo, where tables over all subsets do not fit.
//
// A network has one partition into layers (Kuipers & Moffa 2017, doi 10.1080/01621459.2015.1133426):
// nodes without parents are in layer 1, and the layer of any other is one more than the highest one
// of its parents. Given the layers, nodes choose their parents independently: a node of layer l one
// of the sets whose highest parent is in layer l - 1. So the weight of a partition is a product of
// sums, and a chain over partitions has the networks in the end. Two moves leave the distribution as
// it is:
//     move     takes a node out and puts it into one of all layers, old or new, by their weights;
//     reverse  draws a network and reverses arcs of it, each with new parents for both its ends, as
//              Grzegorczyk & Husmeier (2008, doi 10.1007/s10994-008-5057-7) do.
#pragma once

#include "core/base/host.h"
#include "core/base/log_sum.h"
#include "core/base/random.h"
#include "core/graph/directed.h"
#include "core/posterior/part_posterior.h"
#include "core/score/parent_sets.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace optbn {

// The numbers of the sets of each node that have weight, all and by parent, by decreasing score.
// Chains share it.
class FamilyIndex {
public:
  // Throws Infeasible where no network is possible.
  explicit FamilyIndex(const ParentSets &sets);

  struct Range {
    const std::uint32_t *first, *last;
    const std::uint32_t *begin() const { return first; }
    const std::uint32_t *end() const { return last; }
  };

  Node size() const { return sets_.size(); }
  const CandidateSets &sets(Node v) const { return sets_.nodes[v]; }
  Range all(Node v) const { return list(v, size()); }
  Range with_parent(Node v, Node parent) const { return list(v, parent); }
  std::uint32_t empty_set(Node v) const { return lists_[v].empty; } // or kNone
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  // Sets that score so much less than another one do not count beside it, however many they are.
  double negligible(Node v) const { return lists_[v].negligible; }

private:
  struct Lists {
    std::vector<std::size_t> offset; // by parent, then of all
    std::vector<std::uint32_t> sets;
    std::uint32_t empty = kNone;
    double negligible;
  };

  Range list(Node v, std::size_t number) const {
    const Lists &lists = lists_[v];
    return {lists.sets.data() + lists.offset[number], lists.sets.data() + lists.offset[number + 1]};
  }

  const ParentSets &sets_;
  std::vector<Lists> lists_; // by node
};

class PartitionChain {
public:
  // Begins with a network along a random order.
  PartitionChain(const FamilyIndex &families, std::uint64_t seed);

  void move();
  void reverse(unsigned count);

  // Scores count so many times; 1 at first.
  void set_inverse_temperature(double factor) { inverse_temperature_ = factor; }

  // A network of the partition.
  Choice draw();

  // The layer of each node, from 1.
  const std::vector<std::uint32_t> &layers() const { return layer_; }

private:
  // Sums of weights of the sets of a node, of which a parent is taken out: `without` it, with it and
  // another one in the layer before the node's (`beside`), with it and none there (`alone`).
  struct Sums {
    double without, beside, alone;
  };

  // Numbers of sets of a node, and the logarithms of their weights.
  struct Weighed {
    std::vector<std::uint32_t> numbers;
    std::vector<double> logs;

    bool empty() const { return numbers.empty(); }
    double log_sum() const { return log_sum_exp(logs.data(), logs.size()); }
    void add(std::uint32_t number, double log) {
      numbers.push_back(number);
      logs.push_back(log);
    }
  };

  Choice along_random_order();
  void list_layers();
  void take_out(Node v);
  template <class Visit> void each_set_of_layer(Node v, const Visit &visit) const;
  Sums sums_of(Node u, Node parent) const;
  std::vector<double> sums_by_highest_parent(Node v, std::uint32_t layers) const;
  std::uint32_t highest_parent(Node v, std::uint32_t set, Node except) const;
  // Those of the range without any of these nodes.
  Weighed sets_clear_of(const std::vector<bool> &nodes, Node v, FamilyIndex::Range range) const;
  std::uint32_t draw_one(const Weighed &sets);
  Graph parents_of(const Choice &choice) const;
  void reverse_arc(Graph &parents);
  void set_layers(const Graph &parents);

  double log_weight(Node v, std::uint32_t set) const {
    return inverse_temperature_ * families_.sets(v).score[set];
  }

  const FamilyIndex &families_;
  Random random_;
  double inverse_temperature_ = 1;
  std::vector<std::uint32_t> layer_;
  std::vector<std::vector<Node>> members_; // by layer
};

// Of a chain: so many networks, at equal distances in moves, after a start with falling temperature.
struct ChainLength {
  std::size_t start, between, networks;
};

std::vector<Choice> run_chain(const FamilyIndex &families, std::uint64_t seed,
                              const ChainLength &length, Watch &watch);

} // namespace optbn
