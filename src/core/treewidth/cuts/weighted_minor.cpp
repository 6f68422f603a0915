#include "core/treewidth/cuts/weighted_minor.h"

#include "core/treewidth/cuts/heaviest_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

namespace optbn {

namespace {

// No pair of less weight is contracted, in successive sequences; and the contracted pairs of a
// minor lack no more than this.
constexpr double kLeastWeight[] = {.99, .8, .55};
constexpr double kMostLacking = .9;
// What a contracted pair lacks counts so much against weight in common; random terms.
constexpr double kLackingFactor = 3, kDegreeNoise = 1, kCommonNoise = .5;
// Subgraphs grow from pairs of at least this weight, with this noise.
constexpr double kLeastSeed = .1, kGrowthNoise = .3;

class Contraction {
public:
  Contraction(const PairWeights &weights, double least_weight, double noise, Random &random)
      : nodes_(weights.size()), least_weight_(least_weight), noise_(noise), random_(random),
        left_(nodes_), weight_(std::size_t{nodes_} * nodes_), witness_(weight_.size()),
        tree_(nodes_), lacking_(nodes_, 0) {
    std::iota(left_.begin(), left_.end(), Node{0});
    for (Node a = 0; a < nodes_; ++a)
      for (Node b = 0; b < nodes_; ++b) {
        weight_[at(a, b)] = a == b ? 0 : weights.weight(a, b);
        witness_[at(a, b)] = weights.witness(a, b);
      }
  }

  std::size_t size() const { return left_.size(); }

  // One node less: contracted into another, or deleted where there is none.
  void step() {
    const Node v = lightest(), into = partner(v);
    left_.erase(std::find(left_.begin(), left_.end(), v));
    if (into == v)
      return;
    lacking_[into] += lacking_[v] + 1 - weight_[at(v, into)];
    tree_[into].push_back(witness_[at(v, into)]);
    tree_[into].insert(tree_[into].end(), tree_[v].begin(), tree_[v].end());
    for (const Node u : left_)
      if (u != into && weight_[at(v, u)] > weight_[at(into, u)]) {
        weight_[at(into, u)] = weight_[at(u, into)] = weight_[at(v, u)];
        witness_[at(into, u)] = witness_[at(u, into)] = witness_[at(v, u)];
      }
  }

  WeightedMinor minor() const {
    WeightedMinor minor;
    minor.nodes = static_cast<unsigned>(left_.size());
    for (unsigned j = 0; j < minor.nodes; ++j) {
      for (unsigned i = 0; i < j; ++i) {
        minor.weight.push_back(weight_[at(left_[i], left_[j])]);
        minor.witness.push_back(witness_[at(left_[i], left_[j])]);
      }
      const std::vector<Witness> &tree = tree_[left_[j]];
      minor.contracted.insert(minor.contracted.end(), tree.begin(), tree.end());
      minor.lacking += lacking_[left_[j]];
    }
    return minor;
  }

private:
  std::size_t at(Node a, Node b) const { return std::size_t{a} * nodes_ + b; }

  Node lightest() {
    Node lightest = left_.front();
    double least = std::numeric_limits<double>::infinity();
    for (const Node v : left_) {
      double sum = noise_ * kDegreeNoise * random_.uniform();
      for (const Node u : left_)
        sum += weight_[at(v, u)];
      if (sum < least) {
        least = sum;
        lightest = v;
      }
    }
    return lightest;
  }

  // The node itself where there is none.
  Node partner(Node v) {
    Node partner = v;
    double least = std::numeric_limits<double>::infinity();
    for (const Node u : left_) {
      const double lacks = 1 - weight_[at(v, u)];
      if (u == v || 1 - lacks < least_weight_ || lacking_[u] + lacking_[v] + lacks > kMostLacking)
        continue;
      double loss = kLackingFactor * lacks + noise_ * kCommonNoise * random_.uniform();
      for (const Node w : left_)
        if (w != v && w != u)
          loss += std::min(weight_[at(v, w)], weight_[at(u, w)]);
      if (loss < least) {
        least = loss;
        partner = u;
      }
    }
    return partner;
  }

  const Node nodes_;
  const double least_weight_, noise_;
  Random &random_;
  std::vector<Node> left_;
  std::vector<double> weight_;
  std::vector<Witness> witness_;
  std::vector<std::vector<Witness>> tree_; // by node: the pairs contracted into it
  std::vector<double> lacking_;            // and what these lack
};

using Key = std::vector<std::tuple<Node, Node, Node>>;

Key key_of(const WeightedMinor &minor) {
  Key key;
  for (const std::vector<Witness> *list : {&minor.witness, &minor.contracted})
    for (const Witness &witness : *list)
      key.push_back({witness.a, witness.b, witness.child});
  std::sort(key.begin(), key.end());
  return key;
}

// The node of most weight towards the group, about; the number of nodes where none has any.
Node closest(const PairWeights &weights, const std::vector<Node> &group, Random &random) {
  const Node n = weights.size();
  Node closest = n;
  double most = 0;
  for (Node u = 0; u < n; ++u) {
    if (std::find(group.begin(), group.end(), u) != group.end())
      continue;
    double sum = 0;
    for (const Node v : group)
      sum += weights.weight(u, v);
    const double pull = sum > 0 ? sum + kGrowthNoise * random.uniform() : 0;
    if (pull > most) {
      most = pull;
      closest = u;
    }
  }
  return closest;
}

WeightedMinor induced(const PairWeights &weights, const std::vector<Node> &group) {
  WeightedMinor minor;
  minor.nodes = static_cast<unsigned>(group.size());
  for (unsigned j = 0; j < minor.nodes; ++j)
    for (unsigned i = 0; i < j; ++i) {
      minor.weight.push_back(weights.weight(group[i], group[j]));
      minor.witness.push_back(weights.witness(group[i], group[j]));
    }
  return minor;
}

} // namespace

std::vector<WeightedMinor> weighted_minors(const PairWeights &weights, unsigned nodes,
                                           unsigned sequences, Random &random) {
  std::vector<WeightedMinor> minors;
  std::set<Key> seen;
  for (unsigned i = 0; i < sequences; ++i) {
    Contraction contraction(weights, kLeastWeight[i % 3], i < 3 ? 0 : 1, random);
    while (contraction.size() > nodes)
      contraction.step();
    WeightedMinor minor = contraction.minor();
    if (minor.lacking <= kMostLacking && seen.insert(key_of(minor)).second)
      minors.push_back(std::move(minor));
  }
  return minors;
}

std::vector<WeightedMinor> close_subgraphs(const PairWeights &weights, unsigned nodes,
                                           unsigned pairs, Random &random) {
  const Node n = weights.size();
  std::vector<std::pair<Node, Node>> seeds;
  for (Node b = 0; b < n; ++b)
    for (Node a = 0; a < b; ++a)
      if (weights.weight(a, b) >= kLeastSeed)
        seeds.push_back({a, b});
  random.shuffle(seeds);
  seeds.resize(std::min<std::size_t>(seeds.size(), pairs));
  std::set<std::vector<Node>> groups;
  for (const auto &[a, b] : seeds) {
    std::vector<Node> group{a, b};
    for (Node next = 0; group.size() < nodes && next < n;) {
      next = closest(weights, group, random);
      if (next < n)
        group.push_back(next);
    }
    std::sort(group.begin(), group.end());
    groups.insert(std::move(group));
  }
  std::vector<WeightedMinor> subgraphs;
  for (const std::vector<Node> &group : groups)
    subgraphs.push_back(induced(weights, group));
  return subgraphs;
}

} // namespace optbn
