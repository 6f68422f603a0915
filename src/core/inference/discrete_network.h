// DiscreteNetwork: a Bayesian network whose nodes all have finitely many levels, and Evidence: what
// is known about some of them.
#pragma once

#include "core/base/errors.h"
#include "core/data/dataset.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

struct DiscreteNetwork {
  std::vector<unsigned> levels;            // by node, at least 1
  std::vector<std::vector<Node>> parents;  // by node, in any order
  std::vector<std::vector<double>> tables; // by node: P(node | parents), the node fastest, then
                                           // its parents in the order given

  Node size() const { return static_cast<Node>(levels.size()); }
};

// An observed node has one level. A likelihood weighs the levels of a node, as a report of it that
// may err does (Pearl's virtual evidence): any numbers of at least 0. A set of levels that are
// possible is the likelihood of zeros and ones.
class Evidence {
public:
  static constexpr std::int32_t kUnknown = -1;

  explicit Evidence(Node nodes) : level_(nodes, kUnknown) {}

  void observe(Node node, unsigned level) { level_[node] = static_cast<std::int32_t>(level); }
  void weigh(Node node, std::vector<double> likelihood) {
    likelihoods_.emplace_back(node, std::move(likelihood));
  }

  void forget(Node node) {
    level_[node] = kUnknown;
    likelihoods_.erase(std::remove_if(likelihoods_.begin(), likelihoods_.end(),
                                      [&](const auto &of) { return of.first == node; }),
                       likelihoods_.end());
  }

  // Is there evidence about the node?
  bool about(Node node) const {
    return observed(node) || std::any_of(likelihoods_.begin(), likelihoods_.end(),
                                         [&](const auto &of) { return of.first == node; });
  }
  bool observed(Node node) const { return level_[node] != kUnknown; }
  std::int32_t level(Node node) const { return level_[node]; } // or kUnknown
  const std::vector<std::pair<Node, std::vector<double>>> &likelihoods() const {
    return likelihoods_;
  }

private:
  std::vector<std::int32_t> level_;
  std::vector<std::pair<Node, std::vector<double>>> likelihoods_;
};

// The evidence has probability 0: nothing can be said given it.
struct ImpossibleEvidence : Error {
  ImpossibleEvidence() : Error("the evidence is impossible") {}
};

} // namespace optbn
