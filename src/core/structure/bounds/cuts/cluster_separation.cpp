#include "core/structure/bounds/cuts/cluster_separation.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace optbn {

namespace {

// Thresholds k of the clusters that are sought.
constexpr unsigned kLargestK = 3;

// Only sets of at least this weight are starting points.
constexpr double kSeedWeight = .05;

// min(size of the set, most + 1): small counts need no population count.
template <unsigned Words> unsigned size_up_to(const BitSet<Words> &set, unsigned most) {
  unsigned count = 0;
  for (unsigned w = 0; w < Words; ++w)
    for (std::uint64_t rest = set.word[w]; rest && count <= most; rest &= rest - 1)
      ++count;
  return count;
}

// Tabu search over clusters: always makes the best move, up or down. A node that was moved must not
// be moved again for the next few moves, or the search would go back at once.
template <unsigned Words> class ClusterTabuSearch {
public:
  ClusterTabuSearch(const FractionalNetwork<Words> &network, unsigned k, unsigned effort)
      : network_(network), k_(k), idle_moves_(6 * (1 + effort)), tabu_(4 + effort),
        change_(network.size()), moved_(network.size()) {}

  // Calls visit(cluster) for every local maximum of the violation from `first` on. Ends after a
  // number of moves without a new best.
  template <class Visit> void search(const BitSet<Words> &first, Visit visit) {
    cluster_ = first;
    std::fill(moved_.begin(), moved_.end(), 0);
    double here = evaluate(), best = here;
    bool rising = true;
    for (unsigned move = tabu_ + 1, idle = 0; idle < idle_moves_; ++move, ++idle) {
      const Node v = best_move(move);
      if (v == network_.size())
        return;
      if (rising && change_[v] <= 0)
        visit(ViolatedCluster<Words>{{cluster_, k_, 0}, here});
      rising = change_[v] > 0;
      toggle(v);
      moved_[v] = move;
      here = evaluate();
      if (here > best + 1e-9) {
        best = here;
        idle = 0;
      }
    }
  }

  double work() const { return work_; } // weighted sets examined, and one for every node a move

private:
  // The cluster's violation, and in change_ by how much it rises when a node is added or removed.
  double evaluate() {
    std::fill(change_.begin(), change_.end(), 0.0);
    work_ += network_.size();
    double counted = 0;
    for (Node v = 0; v < network_.size(); ++v) {
      const bool member = cluster_.contains(v);
      double own = 0;
      work_ += static_cast<double>(network_.support[v].size());
      for (const auto &weighted : network_.support[v]) {
        const BitSet<Words> inside = weighted.set & cluster_;
        const unsigned parents = size_up_to(inside, k_);
        if (parents < k_)
          own += weighted.weight;
        if (member && parents + 1 == k_)
          (weighted.set - cluster_).for_each([&](unsigned u) { change_[u] += weighted.weight; });
        if (member && parents == k_)
          inside.for_each([&](unsigned u) { change_[u] -= weighted.weight; });
      }
      change_[v] += member ? own : -own;
      counted += member ? own : 0;
    }
    return k_ - counted;
  }

  Node best_move(unsigned move) const {
    Node best = network_.size();
    for (Node v = 0; v < network_.size(); ++v)
      if (moved_[v] + tabu_ < move && (best == network_.size() || change_[v] > change_[best]))
        best = v;
    return best;
  }

  void toggle(Node v) {
    if (cluster_.contains(v))
      cluster_.erase(v);
    else
      cluster_.insert(v);
  }

  const FractionalNetwork<Words> &network_;
  const unsigned k_, idle_moves_, tabu_;
  BitSet<Words> cluster_;
  std::vector<double> change_;
  std::vector<unsigned> moved_; // the last move that toggled a node
  double work_ = 0;
};

// Calls start(cluster) for the clusters of one node and the parents in one of its sets: all of them
// or, when k = 1, one as well.
template <unsigned Words, class Start>
void for_each_seed(const FractionalNetwork<Words> &network, Node v, unsigned k, Start start) {
  const BitSet<Words> self = BitSet<Words>::of(v);
  for (const auto &weighted : network.support[v]) {
    if (weighted.weight < kSeedWeight || size_up_to(weighted.set, k) < k)
      continue;
    start(weighted.set | self);
    if (k == 1)
      weighted.set.for_each([&](unsigned u) { start(BitSet<Words>::of(u) | self); });
  }
}

// What is left of all nodes when one after another is removed, each time the one whose sets without
// parents among those left weigh most: large clusters, which a search from a node and its parents
// does not reach.
template <unsigned Words> class Peeling {
public:
  explicit Peeling(const FractionalNetwork<Words> &network)
      : network_(network), sets_with_(network.size()) {
    for (Node v = 0; v < network.size(); ++v)
      for (const auto &weighted : network.support[v]) {
        const auto number = static_cast<std::uint32_t>(child_.size());
        child_.push_back(v);
        weight_.push_back(weighted.weight);
        members_.push_back(weighted.set.size());
        weighted.set.for_each([&](unsigned u) { sets_with_[u].push_back(number); });
      }
  }

  // The cluster of least counted weight that is left on the way, when `first` is removed first.
  BitSet<Words> peel(Node first) {
    BitSet<Words> rest = BitSet<Words>::first(network_.size()), best;
    inside_ = members_;
    free_weight_.assign(network_.size(), 0);
    for (std::size_t s = 0; s < child_.size(); ++s)
      if (inside_[s] == 0)
        free_weight_[child_[s]] += weight_[s];
    double counted = std::accumulate(free_weight_.begin(), free_weight_.end(), 0.0), least = 2;
    for (Node v = first, size = network_.size(); size > 2;
         --size, v = node_of_most_free_weight(rest)) {
      rest.erase(v);
      counted -= free_weight_[v];
      for (const std::uint32_t s : sets_with_[v])
        if (--inside_[s] == 0) {
          free_weight_[child_[s]] += weight_[s];
          counted += rest.contains(child_[s]) ? weight_[s] : 0;
        }
      if (counted < least) {
        least = counted;
        best = rest;
      }
    }
    work_ += static_cast<double>(child_.size()) + network_.size() * network_.size() / 2.0;
    return best;
  }

  double work() const { return work_; }

private:
  Node node_of_most_free_weight(const BitSet<Words> &rest) const {
    Node best = network_.size();
    rest.for_each([&](unsigned v) {
      if (best == network_.size() || free_weight_[v] > free_weight_[best])
        best = static_cast<Node>(v);
    });
    return best;
  }

  const FractionalNetwork<Words> &network_;
  std::vector<std::vector<std::uint32_t>> sets_with_; // by node, the weighted sets that contain it
  std::vector<Node> child_;                           // of a weighted set
  std::vector<double> weight_;
  std::vector<unsigned> members_, inside_; // parents, and those of them that are left
  std::vector<double> free_weight_;        // by node, the weight of its sets that have none left
  double work_ = 0;
};

// Calls start(cluster) for the distinct clusters that peeling leaves, each node being first once.
template <unsigned Words, class Start>
void for_each_large_seed(const FractionalNetwork<Words> &network, Watch &watch, double &work,
                         Start start) {
  Peeling<Words> peeling(network);
  std::vector<BitSet<Words>> seeds;
  for (Node v = 0; v < network.size() && !watch.stopped(); ++v)
    seeds.push_back(peeling.peel(v));
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  std::for_each(seeds.begin(), seeds.end(), start);
  work += peeling.work();
}

// Most violated first, each once.
template <unsigned Words> void sort_unique(std::vector<ViolatedCluster<Words>> &found) {
  const auto key = [](const ViolatedCluster<Words> &c) {
    return std::make_tuple(-c.violation, c.cluster.k, c.cluster.nodes);
  };
  std::sort(found.begin(), found.end(),
            [&](const auto &a, const auto &b) { return key(a) < key(b); });
  const auto same = [](const auto &a, const auto &b) {
    return a.cluster.k == b.cluster.k && a.cluster.nodes == b.cluster.nodes;
  };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

} // namespace

template <unsigned Words>
std::vector<ViolatedCluster<Words>> violated_clusters(const FractionalNetwork<Words> &network,
                                                      double least, unsigned effort, Watch &watch,
                                                      double &work) {
  std::vector<ViolatedCluster<Words>> found;
  // (Of k nodes or fewer the inequality always holds.)
  const auto visit = [&](const ViolatedCluster<Words> &violated) {
    if (violated.violation > least && violated.cluster.nodes.size() > violated.cluster.k)
      found.push_back(violated);
  };
  for (unsigned k = 1; k <= kLargestK; ++k) {
    ClusterTabuSearch<Words> tabu(network, k, effort);
    for (Node v = 0; v < network.size() && !watch.stopped(); ++v)
      for_each_seed(network, v, k, [&](const BitSet<Words> &first) { tabu.search(first, visit); });
    if (k == 1 && effort > 0)
      for_each_large_seed(network, watch, work,
                          [&](const BitSet<Words> &first) { tabu.search(first, visit); });
    work += tabu.work();
  }
  sort_unique(found);
  return found;
}

#define OPTBN_INSTANTIATE(words)                                                                   \
  template std::vector<ViolatedCluster<words>> violated_clusters(                                  \
      const FractionalNetwork<words> &, double, unsigned, Watch &, double &);
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
