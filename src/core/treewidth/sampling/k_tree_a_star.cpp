#include "core/treewidth/sampling/k_tree_a_star.h"

#include "core/base/invariant.h"
#include "core/structure/search.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace optbn {

InformationGain::InformationGain(const MutualInformation &information, unsigned k)
    : information_(information), k_(k) {
  std::vector<double> row;
  for (Node v = 0; v < information.nodes; ++v) {
    row.assign(information.row(v), information.row(v) + information.nodes);
    const auto end = row.begin() + std::min<std::ptrdiff_t>(k, information.nodes);
    std::partial_sort(row.begin(), end, row.end(), std::greater<double>());
    most_.push_back(std::accumulate(row.begin(), end, 0.0));
  }
}

double InformationGain::gain(Node v, const Node *separator) const {
  const double *const row = information_.row(v);
  double sum = 0;
  for (unsigned i = 0; i < k_; ++i)
    sum += row[separator[i]];
  return sum;
}

double ScoreGain::gain(Node v, const Node *separator) const {
  double largest = 0;
  sets_.for_each_within(v, separator, k_, [&](double gain, std::uint32_t, std::uint32_t) {
    largest = std::max(largest, gain);
  });
  return largest;
}

bool GrownKTree::optimal() const { return bound - value <= rounding(value); }

namespace {

struct State {
  KTree tree; // its bags so far
  std::vector<bool> inside;
  double f = 0;
  std::uint64_t hash = 0; // of the edges outside the clique
};

// v joined to the bag of a state without the member `omitted`.
struct Insertion {
  double f;
  std::uint64_t hash;
  std::uint32_t state, bag;
  Node v, omitted;
};

bool comes_before(const Insertion &a, const Insertion &b) {
  return a.f != b.f ? a.f > b.f : a.hash < b.hash;
}

std::uint64_t hash_of_edge(Node a, Node b) {
  std::uint64_t z = (std::uint64_t{std::min(a, b)} << 16 | std::max(a, b)) + 1;
  z = (z ^ (z << 31)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// The best insertions of one round, at most `width` after trim(), no k-tree twice.
class Beam {
public:
  explicit Beam(std::size_t width) : width_(width) {}

  bool accepts(double f) const { return f > threshold_; }

  void add(const Insertion &insertion) {
    const auto [entry, is_new] = by_hash_.emplace(insertion.hash, insertion);
    if (!is_new && comes_before(insertion, entry->second))
      entry->second = insertion;
    if (by_hash_.size() > 4 * width_ + 1000)
      trim();
  }

  void prune(double f) { pruned_ = std::max(pruned_, f); }

  // Reduces the beam to `width` insertions and returns them, best first.
  std::vector<Insertion> trim() {
    std::vector<Insertion> all;
    for (const auto &entry : by_hash_)
      all.push_back(entry.second);
    std::sort(all.begin(), all.end(), comes_before);
    if (all.size() > width_) {
      prune(all[width_].f);
      all.resize(width_);
      threshold_ = all.back().f;
      by_hash_.clear();
      for (const Insertion &insertion : all)
        by_hash_.emplace(insertion.hash, insertion);
    }
    return all;
  }

  double pruned() const { return pruned_; } // the largest f that was pruned

private:
  const std::size_t width_;
  std::unordered_map<std::uint64_t, Insertion> by_hash_;
  double threshold_ = -std::numeric_limits<double>::infinity();
  double pruned_ = -std::numeric_limits<double>::infinity();
};

class Growth {
public:
  Growth(Node nodes, const std::vector<Node> &clique, const InsertionGain &gain)
      : gain_(gain), separator_(clique.size() - 1) {
    start_.tree = {nodes, static_cast<unsigned>(clique.size() - 1), clique, {0}, {clique[0]}};
    start_.inside.assign(nodes, false);
    for (const Node v : clique)
      start_.inside[v] = true;
    for (Node v = 0; v < nodes; ++v)
      if (!start_.inside[v])
        start_.f += gain_.most(v);
  }

  // The best k-tree by a beam of this width, if it is above `cutoff`; otherwise, and when the watch
  // (if there is one) stops, the tree of `grown` remains. The bound holds in any case.
  void search(std::size_t width, double cutoff, Watch *watch, GrownKTree &grown) {
    std::vector<State> states{start_};
    double pruned = cutoff;
    const std::size_t rounds = start_.tree.nodes - start_.tree.bag_size();
    for (std::size_t round = 0; round < rounds && !states.empty(); ++round) {
      Beam beam(width);
      for (std::uint32_t i = 0; i < states.size(); ++i) {
        if (watch && watch->stopped()) {
          grown.bound = std::max({pruned, beam.pruned(), largest_f(states)});
          return;
        }
        list_insertions(states[i], i, cutoff, beam);
      }
      std::vector<State> next;
      for (const Insertion &insertion : beam.trim())
        next.push_back(after(states[insertion.state], insertion));
      pruned = std::max(pruned, beam.pruned());
      states = std::move(next);
    }
    if (!states.empty()) {
      OPTBN_INVARIANT(well_formed(states[0].tree), "the result is a k-tree");
      grown.tree = std::move(states[0].tree);
      grown.value = states[0].f;
    }
    grown.bound = std::max(pruned, grown.value);
  }

private:
  static double largest_f(const std::vector<State> &states) {
    return std::max_element(states.begin(), states.end(),
                            [](const State &a, const State &b) { return a.f < b.f; })
        ->f;
  }

  // Every separator once: in the bag that introduces the last of its nodes.
  void list_insertions(const State &state, std::uint32_t index, double cutoff, Beam &beam) {
    const KTree &tree = state.tree;
    for (std::uint32_t bag = 0; bag < tree.bags(); ++bag)
      for (const Node *omitted = tree.bag(bag); omitted != tree.bag_end(bag); ++omitted)
        if (bag == 0 || *omitted != tree.introduced[bag]) {
          std::remove_copy(tree.bag(bag), tree.bag_end(bag), separator_.begin(), *omitted);
          for (Node v = 0; v < tree.nodes; ++v)
            if (!state.inside[v])
              list_insertion(state, {0, 0, index, bag, v, *omitted}, cutoff, beam);
        }
  }

  void list_insertion(const State &state, Insertion insertion, double cutoff, Beam &beam) {
    const Node v = insertion.v;
    OPTBN_INVARIANT(about_at_most(gain_.gain(v, separator_.data()), gain_.most(v)),
                    "the gain of an insertion is at most most(v)");
    insertion.f = state.f - (gain_.most(v) - gain_.gain(v, separator_.data()));
    if (insertion.f <= cutoff)
      return;
    if (!beam.accepts(insertion.f)) {
      beam.prune(insertion.f);
      return;
    }
    insertion.hash = state.hash;
    for (const Node u : separator_)
      insertion.hash ^= hash_of_edge(u, v);
    // Without edges (k = 0) the nodes inside distinguish states.
    insertion.hash ^= hash_of_edge(v, v);
    beam.add(insertion);
  }

  static State after(const State &before, const Insertion &insertion) {
    State state = before;
    KTree &tree = state.tree;
    std::vector<Node> bag(before.tree.bag(insertion.bag), before.tree.bag_end(insertion.bag));
    std::replace(bag.begin(), bag.end(), insertion.omitted, insertion.v);
    std::sort(bag.begin(), bag.end());
    tree.members.insert(tree.members.end(), bag.begin(), bag.end());
    tree.parent.push_back(insertion.bag);
    tree.introduced.push_back(insertion.v);
    state.inside[insertion.v] = true;
    state.f = insertion.f;
    state.hash = insertion.hash;
    return state;
  }

  const InsertionGain &gain_;
  State start_;
  std::vector<Node> separator_;
};

} // namespace

GrownKTree grow_k_tree(Node nodes, const std::vector<Node> &clique, const InsertionGain &gain,
                       std::size_t width, Watch &watch) {
  GrownKTree grown;
  Growth growth(nodes, clique, gain);
  growth.search(1, -std::numeric_limits<double>::infinity(), nullptr, grown);
  if (width > 1 && !grown.optimal())
    growth.search(width, grown.value, &watch, grown);
  return grown;
}

std::vector<Node> related_clique(const MutualInformation &information, unsigned k,
                                 std::vector<Node> some) {
  std::vector<Node> clique = std::move(some);
  std::vector<double> total(information.nodes, 0);
  const auto add = [&](Node v) {
    for (Node u = 0; u < information.nodes; ++u)
      total[u] += information(v, u);
    total[v] = -std::numeric_limits<double>::infinity();
  };
  std::for_each(clique.begin(), clique.end(), add);
  while (clique.size() < k + 1) {
    const auto next = std::max_element(total.begin(), total.end());
    clique.push_back(static_cast<Node>(next - total.begin()));
    add(clique.back());
  }
  std::sort(clique.begin(), clique.end());
  return clique;
}

} // namespace optbn
