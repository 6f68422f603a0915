// Evidence: what is known about some variables in a query; and Row and State, the results.
#pragma once

#include "core/base/errors.h"
#include "core/data/dataset.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

using Row = std::vector<std::uint16_t>; // a level for every variable

// The most probable state of all variables.
struct State {
  Row row;
  double log_probability; // of the whole row, likelihoods aside
};

// An observed node has one level. A likelihood gives each level of a node a weight of at least 0,
// as an unreliable report of the node does (Pearl's virtual evidence). A set of possible levels is
// a likelihood of zeros and ones.
class Evidence {
public:
  static constexpr std::int32_t kUnknown = -1;

  explicit Evidence(Node nodes) : level_(nodes, kUnknown) {}

  Node size() const { return static_cast<Node>(level_.size()); }

  void observe(Node node, unsigned level) { level_[node] = static_cast<std::int32_t>(level); }
  void add_likelihood(Node node, std::vector<double> likelihood) {
    likelihoods_.emplace_back(node, std::move(likelihood));
  }

  void remove(Node node) {
    level_[node] = kUnknown;
    likelihoods_.erase(std::remove_if(likelihoods_.begin(), likelihoods_.end(),
                                      [&](const auto &of) { return of.first == node; }),
                       likelihoods_.end());
  }

  // Is there evidence about the node?
  bool has_evidence(Node node) const {
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

// The evidence has probability 0: no posterior exists.
struct ImpossibleEvidence : Error {
  ImpossibleEvidence() : Error("the evidence is impossible") {}
};

// Variables whose evidence is contradictory, and would not be without any one of them: evidence
// that is not needed for `impossible(evidence)` is left out, variable by variable. The evidence
// must be impossible.
template <class Impossible>
std::vector<Node> smallest_conflict(Evidence evidence, Impossible impossible) {
  std::vector<Node> conflict;
  for (Node v = 0; v < evidence.size(); ++v) {
    if (!evidence.has_evidence(v))
      continue;
    Evidence without = evidence;
    without.remove(v);
    if (impossible(without))
      evidence = std::move(without);
    else
      conflict.push_back(v);
  }
  return conflict;
}

} // namespace optbn
