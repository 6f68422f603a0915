// HeaviestGraph: the most weight that the edges of a graph of bounded tree-width can have, for at
// most eight nodes.
//
// Weights are not negative, so that some k-tree is heaviest. It is composed as in the exact search
// over k-trees (exact/subtree_dp.h), without orders: of what hangs below a separator S, the nodes
// C, either two parts share S, or one node of C and S make a bag below which the rest of C hangs.
// At most 3^m binom(m, k) steps. Exact where the sums of weights are: with whole numbers.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

constexpr unsigned kHeaviestGraphNodes = 8;

// Pairs of m nodes are numbered (0, 1), (0, 2), (1, 2), (0, 3), ...
inline std::size_t pair_count(unsigned nodes) { return std::size_t{nodes} * (nodes - 1) / 2; }
inline std::size_t pair_number(unsigned a, unsigned b) {
  return a < b ? std::size_t{b} * (b - 1) / 2 + a : std::size_t{a} * (a - 1) / 2 + b;
}

class HeaviestGraph {
public:
  // k is at least 1 and less than `nodes`.
  HeaviestGraph(unsigned nodes, unsigned k);

  // By pair.
  double weight(const std::vector<double> &weights);

  // Is the pair an edge of the heaviest graph, that of the last weights? By pair.
  std::vector<char> edges() const;

  double steps() const { return steps_; } // of weight(), about

private:
  using Mask = std::uint32_t;

  // Tables have a row for each separator or bag, with an entry for each set of nodes.
  std::size_t of_separator(Mask separator, Mask nodes) const {
    return std::size_t{number_[separator]} << nodes_ | nodes;
  }
  std::size_t of_bag(Mask bag, Mask nodes) const {
    return std::size_t{number_[bag]} << nodes_ | nodes;
  }
  void solve_below(Mask separator, Mask nodes);
  void solve_bag(Mask bag, Mask nodes);
  void trace_below(Mask separator, Mask nodes, std::vector<char> &edges) const;
  void trace_bag(Mask bag, Mask nodes, std::vector<char> &edges) const;
  void join(Mask bag, std::vector<char> &edges) const;

  const unsigned nodes_, k_;
  std::vector<Mask> separators_, bags_;
  std::vector<std::uint32_t> number_; // of a separator or a bag
  double steps_ = 0;
  std::vector<double> joined_; // weight of the pairs of v and U: [v << nodes_ | U]
  std::vector<double> below_;  // the most weight of nodes below a separator,
  std::vector<double> child_;  // below any one separator within a bag,
  std::vector<double> bag_;    // and below all of them together
  Mask root_ = 0;              // bag
};

} // namespace optbn
