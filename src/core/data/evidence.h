// Evidence: what is known about some variables when a model is asked about others; and Row and
// State, of which answers consist.
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

// An observed node has one level. A likelihood weighs the levels of a node, as a report of it that
// may err does (Pearl's virtual evidence): any numbers of at least 0. A set of levels that are
// possible is the likelihood of zeros and ones.
class Evidence {
public:
  static constexpr std::int32_t kUnknown = -1;

  explicit Evidence(Node nodes) : level_(nodes, kUnknown) {}

  Node size() const { return static_cast<Node>(level_.size()); }

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

// Variables whose evidence cannot hold together, none of them without effect: evidence that is not
// needed for `impossible(evidence)` is left out, variable by variable. The evidence must be
// impossible.
template <class Impossible>
std::vector<Node> smallest_conflict(Evidence evidence, Impossible impossible) {
  std::vector<Node> conflict;
  for (Node v = 0; v < evidence.size(); ++v) {
    if (!evidence.about(v))
      continue;
    Evidence without = evidence;
    without.forget(v);
    if (impossible(without))
      evidence = std::move(without);
    else
      conflict.push_back(v);
  }
  return conflict;
}

} // namespace optbn
