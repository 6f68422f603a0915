#include "core/structure/engines/order_search.h"

#include "core/base/arena.h"
#include "core/base/invariant.h"
#include "core/base/parallel.h"
#include "core/structure/bounds/closure.h"
#include "core/structure/bounds/multipliers.h"
#include "core/structure/bounds/root_dual.h"
#include "core/structure/engines/frontier.h"
#include "core/structure/engines/reduced_cost_kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// Prefixes that a dive may enter before it leaves the rest to the queue: enough to make taking one
// from the queue cheap, few enough to let the bound rise steadily.
constexpr unsigned kDiveNodes = 5000;
constexpr double kDiveWork = 1e9; // sets looked at

// Rounds of the dual at first and later, and nodes of the tree after the first of them. Among a
// million sets a node takes a second, as does a round: then the tree may take so many times the
// work that the dual took.
constexpr unsigned kFirstRounds = 15, kMoreRounds = 5;
constexpr double kFirstNodes = 10000, kFirstShare = 0.5;

// The problem and the dual that bounds it.
template <unsigned Words> struct Root {
  const CostProblem<Words> &problem;
  const Dual<Words> &dual;
  std::vector<std::vector<std::uint32_t>> groups_of; // node -> numbers of its groups in the dual

  Root(const CostProblem<Words> &whole, const Dual<Words> &prices)
      : problem(whole), dual(prices), groups_of(whole.size()) {
    for (std::uint32_t g = 0; g < dual.groups.size(); ++g)
      for (const Node v : dual.groups[g].nodes)
        groups_of[v].push_back(g);
  }
};

// The sets that a node may still take, cheapest first, and what they cost after all charges.
template <unsigned Words> struct Slate {
  const BitSet<Words> *set;
  const std::uint32_t *index; // in the node's domain
  const Cost *reduced;
  std::uint32_t size;
  std::uint32_t available;    // the first set inside the prefix, or size
  Cost least;                 // at most the least of the reduced costs
  const BitSet<Words> *tight; // the sets of that reduced cost
  std::uint32_t tights;
  BitSet<Words> parents; // all that the sets contain, at least
};

// A cluster of which some members may stand already.
template <unsigned Words> struct LiveCluster : Cluster<Words> {
  unsigned left; // k less the members that stand
};

// A node of the search tree.
template <unsigned Words> struct Frame {
  BitSet<Words> prefix, rest;
  Cost paid, promised, bound;
  Slate<Words> *slate; // by node; of the rest only
  std::vector<LiveCluster<Words>> *clusters;
};

// Depth-first search below one task. One worker owns it.
template <unsigned Words> class Dive {
public:
  using Set = BitSet<Words>;

  Dive(const Root<Words> &root, Frontier<Words> &frontier, Watch &watch)
      : root_(root), frontier_(frontier), watch_(watch), kernels_(reduced_cost_kernels<Words>()),
        clusters_(root.problem.size() + 1u), ancestors_(root.problem.size()) {
    plant();
  }

  void run(const OpenPrefix &prefix) {
    nodes_ = 0;
    work_ = 0;
    left_.clear();
    order_.clear();
    const Arena::Scope scope(arena_);
    Frame<Words> *frame = ground_.bound < upper() ? &ground_ : nullptr;
    for (const Node v : prefix.order)
      if (frame)
        frame = step(*frame, v);
    if (frame && (order_.empty() || frontier_.first_visit(frame->prefix, frame->paid)))
      descend(*frame);
    frontier_.finish(prefix, std::move(left_), nodes_, work_);
  }

private:
  Cost upper() const { return frontier_.upper(); }
  bool halted() { return nodes_ >= kDiveNodes || work_ >= kDiveWork || watch_.stopped(); }

  // --- frames -----------------------------------------------------------------------------------

  // The frame of the empty prefix, on which all others stand.
  void plant() {
    const Node n = root_.problem.size();
    ground_.rest = Set::first(n);
    ground_.slate = arena_.take<Slate<Words>>(n);
    ground_.clusters = &clusters_[0];
    for (const Cluster<Words> &cluster : root_.dual.clusters)
      ground_.clusters->push_back({cluster, cluster.k});
    ground_.promised = promised(root_.dual);
    ground_.bound = ground_.promised;
    for (Node v = 0; v < n; ++v) {
      const std::vector<Set> &sets = root_.problem.domains[v].set;
      const std::vector<Cost> costs = reduced_costs(root_.problem, root_.dual, v);
      Cost *reduced = arena_.take<Cost>(sets.size());
      std::copy(costs.begin(), costs.end(), reduced);
      std::uint32_t *index = arena_.take<std::uint32_t>(sets.size());
      std::iota(index, index + sets.size(), 0u);
      Slate<Words> &slate = ground_.slate[v];
      slate = {sets.data(), index,
               reduced,     static_cast<std::uint32_t>(sets.size()),
               0,           kernels_.least(reduced, sets.size()),
               nullptr,     0,
               Set()};
      ground_.bound += slate.least;
    }
    if (ground_.bound >= upper())
      return;
    for (Node v = 0; v < n; ++v) {
      Slate<Words> &slate = ground_.slate[v];
      shorten(slate, slate.least + upper() - ground_.bound, ground_.prefix);
      list_tight(slate);
    }
  }

  // Takes the charges of a cluster off again.
  void refund(Cost *reduced, const Slate<Words> &slate, const LiveCluster<Words> &cluster) const {
    if (cluster.k == 1) {
      kernels_.charge_disjoint(reduced, reduced, slate.set, slate.size, cluster.nodes,
                               cluster.price);
      return;
    }
    for (std::uint32_t i = 0; i < slate.size; ++i)
      reduced[i] += cluster.charges(slate.set[i]) ? cluster.price : 0;
  }

  // Copies a slate without the sets that cost `dearest` or more, up to the first inside the prefix.
  // Returns the copy of the reduced costs.
  Cost *shorten(Slate<Words> &slate, Cost dearest, const Set &prefix) {
    Cost *reduced = arena_.take<Cost>(slate.size);
    Set *set = arena_.take<Set>(slate.size);
    std::uint32_t *index = arena_.take<std::uint32_t>(slate.size);
    std::uint32_t kept = 0;
    bool found = false;
    Set parents;
    for (std::uint32_t i = 0; i < slate.size && !found; ++i) {
      reduced[kept] = slate.reduced[i];
      set[kept] = slate.set[i];
      index[kept] = slate.index[i];
      if (slate.reduced[i] >= dearest)
        continue;
      parents |= set[kept];
      found = set[kept].inside(prefix);
      ++kept;
    }
    slate.reduced = reduced;
    slate.set = set;
    slate.index = index;
    slate.size = kept;
    slate.available = found ? kept - 1 : kept;
    slate.parents = parents;
    return reduced;
  }

  void list_tight(Slate<Words> &slate) {
    Set *tight = arena_.take<Set>(slate.size);
    const std::size_t count =
        kernels_.pick(tight, slate.reduced, slate.set, slate.size, slate.least);
    arena_.keep<Set>(slate.size, count);
    slate.tight = tight;
    slate.tights = static_cast<std::uint32_t>(count);
  }

  // The frame in which v stands too, or null when its bound ends the matter.
  Frame<Words> *step(const Frame<Words> &from, Node v) {
    const Slate<Words> &own = from.slate[v];
    if (own.available == own.size)
      return nullptr;
    order_.push_back(v);
    Frame<Words> *frame = arena_.take<Frame<Words>>(1);
    frame->prefix = from.prefix;
    frame->prefix.insert(v);
    frame->rest = from.rest;
    frame->rest.erase(v);
    frame->paid = from.paid + price_of_entry(from, v);
    frame->promised = from.promised;
    frame->clusters = &clusters_[order_.size()];
    settle_clusters(from, v, *frame);
    for (const std::uint32_t g : root_.groups_of[v]) {
      const GroupInequality &group = root_.dual.groups[g];
      frame->promised += group.promised(frame->prefix) - group.promised(from.prefix);
    }
    frame->slate = arena_.take<Slate<Words>>(root_.problem.size());
    frame->bound = frame->paid + frame->promised;
    const Cost slack = upper() - from.bound;
    frame->rest.for_each([&](unsigned w) {
      frame->slate[w] = from.slate[w];
      follow(frame->slate[w], w, v, frame->prefix, slack);
      frame->bound += frame->slate[w].least;
    });
    OPTBN_INVARIANT(frame->bound >= from.bound,
                    "no network costs less for beginning with more nodes");
    if (frame->bound >= upper())
      return nullptr;
    frame->rest.for_each([&](unsigned w) {
      if (!frame->slate[w].tight)
        list_tight(frame->slate[w]);
    });
    return frame;
  }

  // A cluster that v leaves promises less; one that promises nothing charges nothing.
  void settle_clusters(const Frame<Words> &from, Node v, Frame<Words> &to) {
    to.clusters->clear();
    ended_.clear();
    for (const LiveCluster<Words> &cluster : *from.clusters) {
      if (!cluster.nodes.contains(v)) {
        to.clusters->push_back(cluster);
        continue;
      }
      to.promised -= cluster.price;
      if (cluster.left == 1) {
        ended_.push_back(cluster);
      } else {
        to.clusters->push_back(cluster);
        --to.clusters->back().left;
      }
    }
  }

  // The slate of w after v has come to stand.
  void follow(Slate<Words> &slate, Node w, Node v, const Set &prefix, Cost slack) {
    bool untouched = true;
    for (const LiveCluster<Words> &cluster : ended_)
      untouched = untouched && !cluster.nodes.contains(w);
    if (untouched) {
      if (slate.parents.contains(v)) {
        slate.available =
            static_cast<std::uint32_t>(kernels_.first_inside(slate.set, slate.available, prefix));
        slate.size = std::min(slate.size, slate.available + 1);
      }
      return;
    }
    Cost *reduced = shorten(slate, slate.least + slack, prefix);
    for (const LiveCluster<Words> &cluster : ended_)
      if (cluster.nodes.contains(w))
        refund(reduced, slate, cluster);
    slate.least = kernels_.least(reduced, slate.size);
    slate.tight = nullptr;
  }

  // --- the bound --------------------------------------------------------------------------------

  // Raises the frame's bound by clusters that its tight sets violate. False when it reaches the
  // upper bound.
  bool ascend(Frame<Words> &frame) {
    const auto has_tight = [&](unsigned v, const Set &allowed) {
      const Slate<Words> &slate = frame.slate[v];
      for (std::uint32_t i = 0; i < slate.tights; ++i)
        if (slate.tight[i].inside(allowed))
          return true;
      return false;
    };
    // A price changes the tight sets of stuck nodes only, so the closure goes on where it was.
    Set reached = frame.prefix;
    sequence_.clear();
    while (frame.bound < upper()) {
      reached = closure(reached, frame.rest - reached, [&](unsigned v, const Set &allowed) {
        const bool enters = has_tight(v, allowed);
        if (enters)
          sequence_.push_back(static_cast<Node>(v));
        return enters;
      });
      const Set stuck = frame.rest - reached;
      if (stuck.empty()) {
        try_sequence(frame);
        return frame.bound < upper();
      }
      const Set cluster = small_cluster(frame, stuck);
      work_ += 1.0 * cluster.size() * frame.rest.size(); // a closure for each that may go
      raise(frame, minimal_cluster(frame.prefix | frame.rest, cluster, has_tight));
    }
    return false;
  }

  Set small_cluster(const Frame<Words> &frame, const Set &stuck) const {
    unsigned seed = stuck.lowest();
    stuck.for_each([&](unsigned v) {
      if (frame.slate[v].tights < frame.slate[seed].tights)
        seed = v;
    });
    const auto missed = [&](unsigned v, const Set &cluster) -> const Set * {
      const Slate<Words> &slate = frame.slate[v];
      const Set *const end = slate.tight + slate.tights;
      const Set *set = slate.tight;
      while (set < end && set->meets(cluster))
        ++set;
      return set < end ? set : nullptr;
    };
    const auto misses = [&](unsigned v, const Set &cluster) {
      const Slate<Words> &slate = frame.slate[v];
      return static_cast<unsigned>(
          std::count_if(slate.tight, slate.tight + slate.tights,
                        [&](const Set &set) { return !set.meets(cluster); }));
    };
    return grown_cluster(stuck, seed, missed, misses);
  }

  void raise(Frame<Words> &frame, const Set &cluster) {
    Cost amount = kNoCost;
    cluster.for_each([&](unsigned v) {
      const Slate<Words> &slate = frame.slate[v];
      const Cost least = kernels_.least_disjoint(slate.reduced, slate.set, slate.size, cluster);
      if (least < kNoCost)
        amount = std::min(amount, least - slate.least);
    });
    frame.bound += std::min(amount, upper());
    if (frame.bound >= upper())
      return;
    OPTBN_INVARIANT(amount > 0, "the bound rises with the price of a cluster that is stuck");
    frame.promised += amount;
    frame.clusters->push_back({{cluster, 1, amount}, 1});
    cluster.for_each([&](unsigned v) {
      Slate<Words> &slate = frame.slate[v];
      work_ += 3.0 * slate.size;
      Cost *reduced = arena_.take<Cost>(slate.size);
      kernels_.charge_disjoint(reduced, slate.reduced, slate.set, slate.size, cluster, -amount);
      slate.reduced = reduced;
      list_tight(slate);
    });
  }

  // The tight sets admit an order: perhaps the network is an improvement.
  void try_sequence(const Frame<Words> &frame) {
    Cost total = frame.paid;
    Set before = frame.prefix;
    for (const Node v : sequence_) {
      const Slate<Words> &slate = frame.slate[v];
      const std::size_t i = kernels_.first_inside(slate.set, slate.size, before);
      total += root_.problem.domains[v].cost[slate.index[i]];
      before.insert(v);
    }
    OPTBN_INVARIANT(total >= frame.bound, "a network costs no less than the bound of its prefix");
    if (total < upper()) {
      std::vector<Node> order = order_;
      order.insert(order.end(), sequence_.begin(), sequence_.end());
      frontier_.offer(order);
    }
  }

  // --- the tree ---------------------------------------------------------------------------------

  struct Child {
    Cost bound;
    Node node;
  };

  void descend(Frame<Words> &frame) {
    ++nodes_;
    work_ += 10.0 * frame.rest.size();
    if (!ascend(frame) || frame.rest.empty())
      return;
    const std::vector<Child> children = children_of(frame);
    for (const Child &child : children) {
      if (child.bound >= upper())
        return;
      if (halted()) {
        leave(child);
        continue;
      }
      if (children.size() > 1 && !first_visit(frame, child.node))
        continue;
      const Arena::Scope scope(arena_);
      const std::size_t depth = order_.size();
      if (Frame<Words> *next = step(frame, child.node))
        descend(*next);
      order_.resize(depth);
    }
  }

  // The nodes that may come next, lowest bound first.
  std::vector<Child> children_of(const Frame<Words> &frame) {
    std::vector<Child> children;
    bool alone = false;
    const Set source = smallest_closed_set(frame);
    frame.rest.for_each([&](unsigned v) {
      const Slate<Words> &slate = frame.slate[v];
      if (alone || slate.available == slate.size)
        return;
      alone = slate.available == 0;
      if (alone)
        children.clear();
      else if (!source.contains(v))
        return;
      children.push_back(
          {frame.bound + slate.reduced[slate.available] - slate.least, static_cast<Node>(v)});
    });
    std::sort(children.begin(), children.end(), [](const Child &a, const Child &b) {
      return a.bound < b.bound || (a.bound == b.bound && a.node < b.node);
    });
    return children;
  }

  // The nodes of a set that has no possible parents outside itself and the prefix can be
  // ordered before all others.
  Set smallest_closed_set(const Frame<Words> &frame) {
    ancestors_.resize(root_.problem.size());
    frame.rest.for_each([&](unsigned v) {
      ancestors_[v] = frame.slate[v].parents - frame.prefix;
      ancestors_[v].insert(v);
    });
    frame.rest.for_each([&](unsigned u) {
      frame.rest.for_each([&](unsigned v) {
        if (ancestors_[v].contains(u))
          ancestors_[v] |= ancestors_[u];
      });
    });
    Set smallest = frame.rest;
    unsigned size = smallest.size();
    frame.rest.for_each([&](unsigned v) {
      if (ancestors_[v].size() < size) {
        smallest = ancestors_[v];
        size = smallest.size();
      }
    });
    return smallest;
  }

  bool first_visit(const Frame<Words> &frame, Node v) {
    Set prefix = frame.prefix;
    prefix.insert(v);
    return frontier_.first_visit(prefix, frame.paid + price_of_entry(frame, v));
  }

  // The cost of the best set of v inside the prefix; there is one.
  Cost price_of_entry(const Frame<Words> &frame, Node v) const {
    const Slate<Words> &slate = frame.slate[v];
    return root_.problem.domains[v].cost[slate.index[slate.available]];
  }

  void leave(const Child &child) {
    std::vector<Node> order = order_;
    order.push_back(child.node);
    left_.push_back({std::move(order), child.bound});
  }

  const Root<Words> &root_;
  Frontier<Words> &frontier_;
  Watch &watch_;
  const ReducedCostKernels<Words> kernels_;
  Arena arena_;
  Frame<Words> ground_{};
  std::vector<Node> order_; // the prefix
  std::vector<OpenPrefix> left_;
  unsigned nodes_ = 0;
  double work_ = 0;                                       // sets looked at, about
  std::vector<std::vector<LiveCluster<Words>>> clusters_; // by size of the prefix
  // Scratch:
  std::vector<LiveCluster<Words>> ended_; // clusters that the node which stands last has ended
  std::vector<Node> sequence_;            // in which the closure let nodes in
  std::vector<Set> ancestors_;
};

// The tree and its bound take turns, the tree twice as long each time: easy problems need no more
// than a fair bound, hard ones are worth the best.
template <unsigned Words> Proof prove(const ProofTask &task, Watch &watch) {
  const CostProblem<Words> problem(task.problem);
  Frontier<Words> frontier(problem, task);
  RootDual<Words> dual(problem, in_costs(task.warm, problem), frontier.upper(), watch,
                       task.work_limit);
  // A dual from an earlier search may do as it is.
  const bool warm = !task.warm.clusters.empty() || !task.warm.groups.empty();
  bool dual_pays = dual.improve(warm ? 0 : kFirstRounds);
  frontier.raise_bound(dual.bound());
  for (double times = 1; frontier.open(watch); times *= 2) {
    if (dual_pays)
      frontier.allow(times * kFirstNodes, std::max(kDiveWork, times * kFirstShare * dual.work()));
    else
      frontier.allow(task.node_limit, task.work_limit);
    const Root<Words> root(problem, dual.dual());
    // What ends with so much work does not depend on threads.
    const unsigned threads = std::isfinite(task.work_limit) ? 1 : watch.host().threads;
    parallel_for(watch, std::max(1u, threads), [&](std::size_t, unsigned) {
      Dive<Words> dive(root, frontier, watch);
      OpenPrefix prefix;
      while (frontier.take(prefix, watch))
        dive.run(prefix);
    });
    if (dual_pays && frontier.open(watch)) {
      dual_pays = dual.improve(kMoreRounds);
      frontier.raise_bound(dual.bound());
    }
  }
  Proof proof = frontier.conclude();
  proof.root = in_units(dual.dual(), problem);
  return proof;
}

} // namespace

Proof order_search(const ProofTask &task, Watch &watch) {
  return with_width(task.problem.words, [&](auto words) { return prove<words>(task, watch); });
}

} // namespace optbn
