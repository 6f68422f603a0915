// PartitionChain: networks drawn by Monte Carlo, where tables over all subsets do not fit.
//
// A network has one partition into layers (Kuipers & Moffa 2017, doi 10.1080/01621459.2015.1133426):
// nodes without parents are in layer 1, and the layer of any other is one more than the highest one
// of its parents. Given the layers, nodes choose their parents independently: a node of layer l one
// of the sets whose highest parent is in layer l - 1. So the weight of a partition is a product of
// sums. The state of a chain is a network with its partition. Two moves leave the distribution as it
// is:
//     move     takes a node out and puts it into one of all layers, old or new, by their weights, and
//              draws new parents for it and for the nodes that may have it as a parent;
//     reverse  reverses arcs of the network, each with new parents for both its ends, as Grzegorczyk
//              & Husmeier (2008, doi 10.1007/s10994-008-5057-7) do.
#pragma once

#include "core/base/host.h"
#include "core/base/log_sum.h"
#include "core/base/random.h"
#include "core/graph/linked_network.h"
#include "core/posterior/family_index.h"
#include "core/posterior/part_posterior.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

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
  void take_out(Node v);
  void put_in(Node v, std::uint32_t place);
  // visit(rank, log of the weight) for the sets of a list that avoid these nodes, by decreasing
  // weight, until the rest is negligible beside exp(log_sum): at first the one given, then what
  // visit() returns.
  template <class Visit>
  void scan(const FamilyIndex::Family &family, FamilyIndex::List list,
            const FamilyIndex::Members &avoided, double log_sum, const Visit &visit) const;
  template <class Visit> void each_set_of_layer(Node v, const Visit &visit) const;
  Sums sums_of(Node u, Node parent) const;
  std::vector<double> sums_by_highest_parent(Node v, std::uint32_t layers) const;
  // Those of the list without any of these nodes.
  Weighed sets_clear_of(const std::vector<bool> &nodes, Node v, FamilyIndex::List list) const;
  std::uint32_t draw_one(const Weighed &sets);
  Graph parents_of(const Choice &choice) const;
  std::uint32_t draw_set(Node v);
  void draw_parents(Node v);
  void set_parents(Node v, std::uint32_t set);
  void reverse_arc();
  void set_layers();

  double log_weight(const FamilyIndex::Family &family, std::uint32_t rank) const {
    return inverse_temperature_ * family.score(rank);
  }

  const FamilyIndex &families_;
  Random random_;
  double inverse_temperature_ = 1;
  std::vector<std::uint32_t> layer_;
  LinkedNetwork network_;
};

// Of a chain: so many networks, at equal distances in moves, after a start with falling temperature.
struct ChainLength {
  std::size_t start, between, networks;
};

std::vector<Choice> run_chain(const FamilyIndex &families, std::uint64_t seed,
                              const ChainLength &length, Watch &watch);

} // namespace optbn
