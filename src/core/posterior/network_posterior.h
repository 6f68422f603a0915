// NetworkPosterior: how probable families and networks are, given candidate sets with their scores.
//
// A network has a probability proportional to the exponential of its score, times its prior. Sums
// over networks factorise over the strong components of the graph of possible arcs: parents outside
// a component are there whatever is chosen inside, so sets that differ in them alone are added up
// first. Of a component, the prior counts
//     graphs  every network once, or
//     orders  every network once for each order of the component's nodes in which parents come
//             first.
// Which nodes are ordered together is part of the second prior. So its components are those of the
// arcs that are allowed, whatever candidate sets there are.
#pragma once

#include "core/base/host.h"
#include "core/graph/directed.h"
#include "core/posterior/part_posterior.h"
#include "core/score/parent_sets.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace optbn {

class NetworkPosterior {
public:
  // Throws Infeasible where no network is possible, MemoryLimit, TooManyNodes with the size of a
  // component that is too large, and what the parts throw.
  static NetworkPosterior of_graphs(const ParentSets &sets, double memory_limit, Watch &watch);
  // `allowed`: node -> all that may be its parents, besides those that it has in a set.
  static NetworkPosterior of_orders(const ParentSets &sets, const Graph &allowed,
                                    double memory_limit, Watch &watch);

  // The logarithm of the sum over all networks.
  double log_sum() const;

  // By node and candidate set; none is further from the exact one than rounding().
  const std::vector<std::vector<double>> &probabilities() const { return probability_; }
  double rounding() const;

  const std::vector<std::vector<Node>> &components() const { return components_; }

  // Independent networks: by node, the number of a candidate set.
  std::vector<Choice> draw(std::size_t count, Random &random, Watch &watch) const;

private:
  // The candidate sets of a node, by what they are inside its component.
  struct Merged {
    std::vector<std::vector<std::uint32_t>> candidates; // of each set inside
    std::vector<std::vector<double>> share;             // of its weight
  };

  enum class CountedAs { graphs, orders };

  NetworkPosterior(const ParentSets &sets, const Graph &arcs, CountedAs counted,
                   double memory_limit, Watch &watch);
  void add_part(const ParentSets &sets, const std::vector<Node> &nodes, CountedAs counted,
                Watch &watch);

  std::vector<std::vector<Node>> components_;
  std::vector<std::unique_ptr<PartPosterior>> parts_; // by component
  std::vector<Merged> merged_;                        // by node
  std::vector<std::vector<double>> probability_;
};

} // namespace optbn
