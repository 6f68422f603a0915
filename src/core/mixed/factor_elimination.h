// FactorElimination: sums and maxima over all nodes of a product of factors.
//
// Nodes are eliminated one after another (bucket elimination; Dechter 1999, doi
// 10.1016/S0004-3702(99)00059-4). The bucket of a node is a table over it and the nodes that are
// left of its factors and messages; its message is the sum over the node, or the maximum, and goes
// to the bucket that its next node has. What is left in the end is a table over the nodes that are
// *kept*, the root. The way back from the root gives posteriors, draws, and the state of the
// largest product.
//
// Everything is a natural logarithm (log_factor.h) until it is a posterior probability. The order
// is found by greedy rules, and depends on the structure alone. Time and memory are linear in the
// cells of the buckets. Belongs to one thread.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/mixed/log_factor.h"

#include <cstdint>
#include <vector>

namespace optbn {

class FactorElimination {
public:
  enum class Reduction { sum, maximum };

  // Throws MemoryLimit before the work, if the buckets need more bytes. `levels`: by node.
  FactorElimination(std::vector<LogFactor> factors, const std::vector<unsigned> &levels,
                    const std::vector<Node> &kept, double memory_limit, Watch &watch);

  // The logarithm of the sum, or the maximum, of the product; kLogZero if it is 0 everywhere.
  double collect(Reduction reduction, Watch &watch);

  // After collect(sum), of a product that is not 0 everywhere: the probabilities of the kept nodes,
  // the first fastest.
  std::vector<double> joint() const;

  // After collect(sum): by node the probabilities of its levels; nothing of a node of no factor.
  std::vector<std::vector<double>> marginals() const;

  // With no nodes kept, after collect(sum) or collect(maximum): a level for each node of a factor.
  void draw(Random &random, std::vector<std::uint16_t> &level) const;
  void most_probable(std::vector<std::uint16_t> &level) const;

private:
  struct Bucket {
    std::vector<Node> members; // the node that is eliminated, then the others; of the root all kept
    unsigned first_levels = 1; // of the eliminated node
    std::vector<std::size_t> factors, children;
    std::vector<double> table, message; // a message is over the other members
  };

  void place_factors(const std::vector<Node> &order);
  double bytes() const;
  void fill(Bucket &bucket, Watch &watch) const;
  std::vector<Node> separator(const Bucket &bucket) const;
  template <class Choose> void choose(std::vector<std::uint16_t> &level, Choose choose_level) const;

  const std::vector<LogFactor> factors_;
  const std::vector<unsigned> &levels_;
  std::vector<Bucket> buckets_; // in the order of elimination, the root last
  double total_ = 0;
};

} // namespace optbn
