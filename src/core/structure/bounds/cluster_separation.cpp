#include "core/structure/bounds/cluster_separation.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace optbn {

namespace {

// Thresholds k of the clusters that are looked for.
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

// A walk over clusters that always makes the best move, up or down (tabu search): a node that moved
// stays put for the next few moves, or the walk would go back at once.
template <unsigned Words> class ClusterWalk {
public:
  ClusterWalk(const FractionalNetwork<Words> &network, unsigned k, unsigned effort)
      : network_(network), k_(k), idle_moves_(6 * (1 + effort)), tabu_(4 + effort),
        change_(network.size()), moved_(network.size()) {}

  // Calls visit(cluster) for every local maximum of the violation on the way from `first`. Ends
  // after a number of moves without a new best.
  template <class Visit> void walk(const BitSet<Words> &first, Visit visit) {
    cluster_ = first;
    std::fill(moved_.begin(), moved_.end(), 0);
    double here = survey(), best = here;
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
      here = survey();
      if (here > best + 1e-9) {
        best = here;
        idle = 0;
      }
    }
  }

  double looks() const { return looks_; } // at shares, and as many as there are nodes a move

private:
  // The cluster's violation, and in change_ what it gains when a node goes in or out.
  double survey() {
    std::fill(change_.begin(), change_.end(), 0.0);
    looks_ += network_.size();
    double charged = 0;
    for (Node v = 0; v < network_.size(); ++v) {
      const bool member = cluster_.contains(v);
      double own = 0;
      looks_ += static_cast<double>(network_.shares[v].size());
      for (const auto &share : network_.shares[v]) {
        const BitSet<Words> inside = share.set & cluster_;
        const unsigned parents = size_up_to(inside, k_);
        if (parents < k_)
          own += share.weight;
        if (member && parents + 1 == k_)
          (share.set - cluster_).for_each([&](unsigned u) { change_[u] += share.weight; });
        if (member && parents == k_)
          inside.for_each([&](unsigned u) { change_[u] -= share.weight; });
      }
      change_[v] += member ? own : -own;
      charged += member ? own : 0;
    }
    return k_ - charged;
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
  std::vector<unsigned> moved_; // the move that last toggled a node
  double looks_ = 0;
};

// Calls start(cluster) for the clusters of one node and the parents it takes, all of them or, when
// k = 1, one.
template <unsigned Words, class Start>
void for_each_seed(const FractionalNetwork<Words> &network, Node v, unsigned k, Start start) {
  const BitSet<Words> self = BitSet<Words>::of(v);
  for (const auto &share : network.shares[v]) {
    if (share.weight < kSeedWeight || size_up_to(share.set, k) < k)
      continue;
    start(share.set | self);
    if (k == 1)
      share.set.for_each([&](unsigned u) { start(BitSet<Words>::of(u) | self); });
  }
}

// What is left of all nodes when one after the other is taken out, each time that whose sets among
// those outside weigh most: large clusters, which walks from a node and its parents do not reach.
template <unsigned Words> class Peeling {
public:
  explicit Peeling(const FractionalNetwork<Words> &network)
      : network_(network), uses_(network.size()) {
    for (Node v = 0; v < network.size(); ++v)
      for (const auto &share : network.shares[v]) {
        const auto number = static_cast<std::uint32_t>(child_.size());
        child_.push_back(v);
        weight_.push_back(share.weight);
        members_.push_back(share.set.size());
        share.set.for_each([&](unsigned u) { uses_[u].push_back(number); });
      }
  }

  // The least charged cluster on the way that takes `first` out first.
  BitSet<Words> peel(Node first) {
    BitSet<Words> left = BitSet<Words>::first(network_.size()), best;
    inside_ = members_;
    free_.assign(network_.size(), 0);
    for (std::size_t s = 0; s < child_.size(); ++s)
      if (inside_[s] == 0)
        free_[child_[s]] += weight_[s];
    double charged = std::accumulate(free_.begin(), free_.end(), 0.0), least = 2;
    for (Node v = first, size = network_.size(); size > 2; --size, v = freest(left)) {
      left.erase(v);
      charged -= free_[v];
      for (const std::uint32_t s : uses_[v])
        if (--inside_[s] == 0) {
          free_[child_[s]] += weight_[s];
          charged += left.contains(child_[s]) ? weight_[s] : 0;
        }
      if (charged < least) {
        least = charged;
        best = left;
      }
    }
    looks_ += static_cast<double>(child_.size()) + network_.size() * network_.size() / 2.0;
    return best;
  }

  double looks() const { return looks_; }

private:
  Node freest(const BitSet<Words> &left) const {
    Node best = network_.size();
    left.for_each([&](unsigned v) {
      if (best == network_.size() || free_[v] > free_[best])
        best = static_cast<Node>(v);
    });
    return best;
  }

  const FractionalNetwork<Words> &network_;
  std::vector<std::vector<std::uint32_t>> uses_; // by node, the shares it is a parent in
  std::vector<Node> child_;                      // of a share
  std::vector<double> weight_;
  std::vector<unsigned> members_, inside_; // parents, and those that are left
  std::vector<double> free_;               // by node, the weight of its sets without such
  double looks_ = 0;
};

// Calls start(cluster) for distinct clusters that peeling leaves, whichever node goes first.
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
  work += peeling.looks();
}

// Most violated first, each once.
template <unsigned Words> void tidy(std::vector<ViolatedCluster<Words>> &found) {
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
  // (Fewer than k nodes promise nothing.)
  const auto visit = [&](const ViolatedCluster<Words> &violated) {
    if (violated.violation > least && violated.cluster.nodes.size() > violated.cluster.k)
      found.push_back(violated);
  };
  for (unsigned k = 1; k <= kLargestK; ++k) {
    ClusterWalk<Words> search(network, k, effort);
    for (Node v = 0; v < network.size() && !watch.stopped(); ++v)
      for_each_seed(network, v, k, [&](const BitSet<Words> &first) { search.walk(first, visit); });
    if (k == 1 && effort > 0)
      for_each_large_seed(network, watch, work,
                          [&](const BitSet<Words> &first) { search.walk(first, visit); });
    work += search.looks();
  }
  tidy(found);
  return found;
}

#define OPTBN_INSTANTIATE(words)                                                                   \
  template std::vector<ViolatedCluster<words>> violated_clusters(                                  \
      const FractionalNetwork<words> &, double, unsigned, Watch &, double &);
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
