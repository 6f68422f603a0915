#include "core/structure/engines/order_search.h"

#include "core/base/arena.h"
#include "core/base/invariant.h"
#include "core/base/parallel.h"
#include "core/structure/bounds/greedy_ascent.h"
#include "core/structure/engines/closed_set.h"
#include "core/structure/engines/frontier.h"
#include "core/structure/engines/prefix_memo.h"
#include "core/structure/engines/reduced_cost_kernels.h"
#include "core/structure/proof/proof_steps.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// Prefixes that a dive may visit before it returns the rest to the queue: enough to make access to
// the queue cheap, few enough to let the bound rise steadily.
constexpr unsigned kDiveNodes = 5000;
constexpr double kDiveWork = 1e9; // sets examined

// A greedy ascent ends after so many steps that raise the bound by less than such a part of the gap.
constexpr unsigned kMostNegligible = 100;
constexpr Cost kNegligible = 1 << 20;

// The memo's share of the memory, and what it never exceeds.
constexpr double kMemoShare = 0.5, kMostMemory = 64e9;

struct OpenPrefix {
  std::vector<Node> order;
  Cost bound; // no network of an order that begins with it costs less
};

template <unsigned Words> using PrefixFrontier = Frontier<Words, OpenPrefix>;

// The prefixes that were reached before, for all workers.
template <unsigned Words> class SharedMemo {
public:
  explicit SharedMemo(double bytes) : bytes_(bytes), memo_(bytes) {}

  void clear() { memo_ = PrefixMemo<Words>(bytes_); }

  bool first_visit(const BitSet<Words> &prefix, Cost cost) {
    const std::lock_guard<std::mutex> lock(guard_);
    return !memo_.reached_before(prefix, cost);
  }

private:
  const double bytes_;
  std::mutex guard_;
  PrefixMemo<Words> memo_;
};

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

// The active domain of a node: the sets that it may still have, cheapest first, and their reduced
// costs.
template <unsigned Words> struct ActiveDomain {
  const BitSet<Words> *set;
  const std::uint32_t *index; // in the node's CostDomain
  const Cost *reduced;
  std::uint32_t size;
  std::uint32_t available;    // the first set inside the prefix, or size
  Cost least;                 // at most the least of the reduced costs
  const BitSet<Words> *tight; // the sets of that reduced cost
  std::uint32_t tight_count;
  BitSet<Words> parents; // a superset of the sets' union
};

// A cluster of which some members may be in the prefix, but fewer than k.
template <unsigned Words> struct ActiveCluster : Cluster<Words> {
  unsigned rhs; // k less the members in the prefix
};

// A node of the search tree, kept while the search is below it.
template <unsigned Words> struct Frame {
  BitSet<Words> prefix, rest;
  Cost prefix_cost, constant_term, bound;
  ActiveDomain<Words> *domains; // by node; of the rest only
  std::vector<ActiveCluster<Words>> *clusters;
};

// Depth-first search below one task. One worker owns it.
template <unsigned Words> class Dive {
public:
  using Set = BitSet<Words>;

  // proof: where steps go, or null.
  Dive(const Root<Words> &root, PrefixFrontier<Words> &frontier, SharedMemo<Words> &memo,
       ProofSteps<Words> *proof, Watch &watch)
      : root_(root), frontier_(frontier), memo_(memo), proof_(proof), watch_(watch),
        kernels_(reduced_cost_kernels<Words>()), clusters_(root.problem.size() + 1u) {
    make_root_frame();
  }

  void run(const OpenPrefix &prefix) {
    nodes_ = 0;
    work_ = 0;
    postponed_.clear();
    order_.clear();
    const Arena::Scope scope(arena_);
    Frame<Words> *frame = root_frame_.bound < cutoff() ? &root_frame_ : nullptr;
    if (frame && prefix.order.empty())
      frame = copy_of_root_frame();
    begin_steps(prefix);
    for (const Node v : prefix.order) {
      if (frame)
        frame = append(*frame, v);
      else if (proof_)
        steps_.append(v);
    }
    if (frame && (order_.empty() || memo_.first_visit(frame->prefix, frame->prefix_cost)))
      descend(*frame);
    end_steps(prefix);
    frontier_.finish(prefix.bound, std::move(postponed_), nodes_, work_);
  }

private:
  Cost cutoff() const { return frontier_.cutoff(); }
  bool halted() { return nodes_ >= kDiveNodes || work_ >= kDiveWork || watch_.stopped(); }

  // --- frames -----------------------------------------------------------------------------------

  // The frame of the empty prefix, from which all others are made.
  void make_root_frame() {
    const Node n = root_.problem.size();
    root_frame_.rest = Set::first(n);
    root_frame_.domains = arena_.allocate<ActiveDomain<Words>>(n);
    root_frame_.clusters = &root_clusters_;
    for (const Cluster<Words> &cluster : root_.dual.clusters)
      root_frame_.clusters->push_back({cluster, cluster.k});
    root_frame_.constant_term = constant_term(root_.dual);
    root_frame_.bound = root_frame_.constant_term;
    for (Node v = 0; v < n; ++v) {
      const std::vector<Set> &sets = root_.problem.domains[v].set;
      const std::vector<Cost> costs = reduced_costs(root_.problem, root_.dual, v);
      Cost *reduced = arena_.allocate<Cost>(sets.size());
      std::copy(costs.begin(), costs.end(), reduced);
      std::uint32_t *index = arena_.allocate<std::uint32_t>(sets.size());
      std::iota(index, index + sets.size(), 0u);
      ActiveDomain<Words> &domain = root_frame_.domains[v];
      domain = {sets.data(), index,
                reduced,     static_cast<std::uint32_t>(sets.size()),
                0,           kernels_.least(reduced, sets.size()),
                nullptr,     0,
                Set()};
      root_frame_.bound += domain.least;
    }
    if (root_frame_.bound >= cutoff())
      return;
    for (Node v = 0; v < n; ++v) {
      ActiveDomain<Words> &domain = root_frame_.domains[v];
      filter(domain, domain.least + cutoff() - root_frame_.bound, root_frame_.prefix);
      list_tight(domain);
    }
  }

  // To search below: its bound rises, while the root frame must stay as it is.
  Frame<Words> *copy_of_root_frame() {
    const Node n = root_.problem.size();
    Frame<Words> *frame = arena_.allocate<Frame<Words>>(1);
    *frame = root_frame_;
    frame->domains = arena_.allocate<ActiveDomain<Words>>(n);
    std::copy(root_frame_.domains, root_frame_.domains + n, frame->domains);
    clusters_[0] = root_clusters_;
    frame->clusters = &clusters_[0];
    return frame;
  }

  // Adds the price of a cluster, subtracted before, to the reduced costs of the sets that count.
  void remove_price(Cost *reduced, const ActiveDomain<Words> &domain,
                    const ActiveCluster<Words> &cluster) const {
    if (cluster.k == 1) {
      kernels_.add_to_disjoint(reduced, reduced, domain.set, domain.size, cluster.nodes,
                               cluster.price);
      return;
    }
    for (std::uint32_t i = 0; i < domain.size; ++i)
      reduced[i] += cluster.counts(domain.set[i]) ? cluster.price : 0;
  }

  // Copies a domain without the sets whose reduced cost is `limit` or more, up to the first set
  // inside the prefix. Returns the copy of the reduced costs.
  Cost *filter(ActiveDomain<Words> &domain, Cost limit, const Set &prefix) {
    Cost *reduced = arena_.allocate<Cost>(domain.size);
    Set *set = arena_.allocate<Set>(domain.size);
    std::uint32_t *index = arena_.allocate<std::uint32_t>(domain.size);
    std::uint32_t count = 0;
    bool found = false;
    Set parents;
    for (std::uint32_t i = 0; i < domain.size && !found; ++i) {
      reduced[count] = domain.reduced[i];
      set[count] = domain.set[i];
      index[count] = domain.index[i];
      if (domain.reduced[i] >= limit)
        continue;
      parents |= set[count];
      found = set[count].inside(prefix);
      ++count;
    }
    domain.reduced = reduced;
    domain.set = set;
    domain.index = index;
    domain.size = count;
    domain.available = found ? count - 1 : count;
    domain.parents = parents;
    return reduced;
  }

  void list_tight(ActiveDomain<Words> &domain) {
    Set *tight = arena_.allocate<Set>(domain.size);
    const std::size_t count =
        kernels_.pick(tight, domain.reduced, domain.set, domain.size, domain.least);
    arena_.shrink<Set>(domain.size, count);
    domain.tight = tight;
    domain.tight_count = static_cast<std::uint32_t>(count);
  }

  // The frame of the prefix with v appended, or null when its bound reaches the cutoff.
  Frame<Words> *append(const Frame<Words> &from, Node v) {
    order_.push_back(v);
    const Cost slack = cutoff() - from.bound;
    say_append(v, slack + from.bound);
    if (from.domains[v].available == from.domains[v].size)
      return nullptr;
    Frame<Words> *frame = arena_.allocate<Frame<Words>>(1);
    frame->prefix = from.prefix;
    frame->prefix.insert(v);
    frame->rest = from.rest;
    frame->rest.erase(v);
    frame->prefix_cost = from.prefix_cost + cost_of_appending(from, v);
    frame->constant_term = from.constant_term;
    frame->clusters = &clusters_[order_.size()];
    update_clusters(from, v, *frame);
    for (const std::uint32_t g : root_.groups_of[v]) {
      const GroupInequality &group = root_.dual.groups[g];
      frame->constant_term += group.constant_term(frame->prefix) - group.constant_term(from.prefix);
    }
    frame->domains = arena_.allocate<ActiveDomain<Words>>(root_.problem.size());
    frame->bound = frame->prefix_cost + frame->constant_term;
    frame->rest.for_each([&](unsigned w) {
      frame->domains[w] = from.domains[w];
      update_domain(frame->domains[w], w, v, frame->prefix, slack);
      // (Of several domains nothing may be left, where another worker has lowered the cutoff below
      // the bound: the sum of their infinite costs would overflow.)
      frame->bound = std::min(frame->bound + frame->domains[w].least, kNoCost);
    });
    OPTBN_INVARIANT(frame->bound >= from.bound,
                    "no network costs less for beginning with more nodes");
    if (frame->bound >= cutoff())
      return nullptr;
    frame->rest.for_each([&](unsigned w) {
      if (!frame->domains[w].tight)
        list_tight(frame->domains[w]);
    });
    return frame;
  }

  // Where v is a member, the right-hand side falls by 1; where it falls to 0, the cluster is
  // satisfied: its price is removed.
  void update_clusters(const Frame<Words> &from, Node v, Frame<Words> &to) {
    to.clusters->clear();
    satisfied_.clear();
    for (const ActiveCluster<Words> &cluster : *from.clusters) {
      if (!cluster.nodes.contains(v)) {
        to.clusters->push_back(cluster);
        continue;
      }
      to.constant_term -= cluster.price;
      if (cluster.rhs == 1) {
        satisfied_.push_back(cluster);
      } else {
        to.clusters->push_back(cluster);
        --to.clusters->back().rhs;
      }
    }
  }

  // The active domain of w after v has been appended.
  void update_domain(ActiveDomain<Words> &domain, Node w, Node v, const Set &prefix, Cost slack) {
    bool untouched = true;
    for (const ActiveCluster<Words> &cluster : satisfied_)
      untouched = untouched && !cluster.nodes.contains(w);
    if (untouched) {
      if (domain.parents.contains(v)) {
        domain.available =
            static_cast<std::uint32_t>(kernels_.first_inside(domain.set, domain.available, prefix));
        domain.size = std::min(domain.size, domain.available + 1);
      }
      return;
    }
    Cost *reduced = filter(domain, domain.least + slack, prefix);
    for (const ActiveCluster<Words> &cluster : satisfied_)
      if (cluster.nodes.contains(w))
        remove_price(reduced, domain, cluster);
    domain.least = kernels_.least(reduced, domain.size);
    domain.tight = nullptr;
  }

  // --- the bound --------------------------------------------------------------------------------

  // Raises the frame's bound by clusters that its tight sets violate. False when it reaches the
  // cutoff.
  bool ascend(Frame<Words> &frame) {
    closure_order_.clear();
    FrameStore store{*this, frame};
    const auto appended = [&](unsigned v) { closure_order_.push_back(static_cast<Node>(v)); };
    if (frame.bound < cutoff() && greedy_ascent(frame.prefix, frame.rest, store, appended))
      try_closure_order(frame);
    return frame.bound < cutoff();
  }

  // The store of greedy_ascent(): a domain that changes is replaced by a copy in the arena, so that
  // the frames above keep theirs.
  struct FrameStore {
    Dive &dive;
    Frame<Words> &frame;
    unsigned negligible = 0; // steps so far

    bool has_tight_inside(unsigned v, const Set &allowed) const {
      const ActiveDomain<Words> &domain = frame.domains[v];
      for (std::uint32_t i = 0; i < domain.tight_count; ++i)
        if (domain.tight[i].inside(allowed))
          return true;
      return false;
    }

    unsigned tight_count(unsigned v) const { return frame.domains[v].tight_count; }

    const Set *tight_outside(unsigned v, const Set &cluster) const {
      const ActiveDomain<Words> &domain = frame.domains[v];
      const Set *const end = domain.tight + domain.tight_count;
      const Set *set = domain.tight;
      while (set < end && set->intersects(cluster))
        ++set;
      return set < end ? set : nullptr;
    }

    unsigned tight_count_outside(unsigned v, const Set &cluster) const {
      const ActiveDomain<Words> &domain = frame.domains[v];
      return static_cast<unsigned>(
          std::count_if(domain.tight, domain.tight + domain.tight_count,
                        [&](const Set &set) { return !set.intersects(cluster); }));
    }

    Cost slack_outside(unsigned v, const Set &cluster) const {
      const ActiveDomain<Words> &domain = frame.domains[v];
      const Cost least =
          dive.kernels_.least_disjoint(domain.reduced, domain.set, domain.size, cluster);
      return least < kNoCost ? least - domain.least : kNoCost;
    }

    Set violated_within(const Set &blocked) {
      const Set cluster = grown_cluster(blocked, *this);
      dive.work_ += 1.0 * cluster.size() * frame.rest.size(); // a closure for each member
      return cluster;
    }

    bool raise(const Set &cluster, Cost amount) {
      // (Where a dual is optimal up to rounding, sets that should tie differ by next to nothing.)
      if (amount < (dive.cutoff() - frame.bound) / kNegligible && ++negligible > kMostNegligible)
        return false;
      if (dive.proof_)
        dive.steps_.raise(cluster);
      frame.bound += std::min(amount, dive.cutoff());
      if (frame.bound >= dive.cutoff())
        return false;
      frame.constant_term += amount;
      frame.clusters->push_back({{cluster, 1, amount}, 1});
      cluster.for_each([&](unsigned v) { dive.subtract(frame.domains[v], cluster, amount); });
      return true;
    }
  };

  // From the reduced costs of the sets that count in the cluster.
  void subtract(ActiveDomain<Words> &domain, const Set &cluster, Cost amount) {
    work_ += 3.0 * domain.size;
    Cost *reduced = arena_.allocate<Cost>(domain.size);
    kernels_.add_to_disjoint(reduced, domain.reduced, domain.set, domain.size, cluster, -amount);
    domain.reduced = reduced;
    list_tight(domain);
  }

  // The tight sets admit an order: its network may be an improvement.
  void try_closure_order(const Frame<Words> &frame) {
    Cost total = frame.prefix_cost;
    Set before = frame.prefix;
    for (const Node v : closure_order_) {
      const ActiveDomain<Words> &domain = frame.domains[v];
      const std::size_t i = kernels_.first_inside(domain.set, domain.size, before);
      total += root_.problem.domains[v].cost[domain.index[i]];
      before.insert(v);
    }
    OPTBN_INVARIANT(total >= frame.bound, "a network costs no less than the bound of its prefix");
    if (total < cutoff()) {
      std::vector<Node> order = order_;
      order.insert(order.end(), closure_order_.begin(), closure_order_.end());
      offer(order);
    }
  }

  // The network in which every node has its best set among the nodes before it.
  void offer(const std::vector<Node> &order) {
    std::vector<std::uint32_t> choice(root_.problem.size());
    Set before;
    Cost cost = 0;
    for (const Node v : order) {
      const CostDomain<Words> &domain = root_.problem.domains[v];
      std::size_t i = 0;
      while (!domain.set[i].inside(before))
        ++i;
      choice[v] = domain.index[i];
      cost += domain.cost[i];
      before.insert(v);
    }
    frontier_.offer(cost, std::move(choice));
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
    const Node in_closed = in_closed_;
    for (const Child &child : children) {
      if (child.bound >= cutoff())
        break;
      if (halted()) {
        postpone(child);
        say_seen(child.node);
        continue;
      }
      if (children.size() > 1 && !first_visit(frame, child.node)) {
        say_seen(child.node);
        continue;
      }
      const Arena::Scope scope(arena_);
      const std::size_t depth = order_.size();
      if (Frame<Words> *next = append(frame, child.node))
        descend(*next);
      if (proof_)
        steps_.end();
      order_.resize(depth);
    }
    if (proof_)
      steps_.covered(in_closed);
  }

  // The nodes that may come next, lowest bound first.
  std::vector<Child> children_of(const Frame<Words> &frame) {
    std::vector<Child> children;
    bool forced = false;
    const Set closed =
        smallest_closed_set(frame.rest, [&](unsigned v) { return frame.domains[v].parents; });
    in_closed_ = static_cast<Node>(closed.lowest());
    frame.rest.for_each([&](unsigned v) {
      const ActiveDomain<Words> &domain = frame.domains[v];
      if (forced || domain.available == domain.size)
        return;
      forced = domain.available == 0;
      if (forced) {
        children.clear();
        in_closed_ = static_cast<Node>(v);
      } else if (!closed.contains(v)) {
        return;
      }
      children.push_back(
          {frame.bound + domain.reduced[domain.available] - domain.least, static_cast<Node>(v)});
    });
    std::sort(children.begin(), children.end(), [](const Child &a, const Child &b) {
      return a.bound < b.bound || (a.bound == b.bound && a.node < b.node);
    });
    return children;
  }

  bool first_visit(const Frame<Words> &frame, Node v) {
    Set prefix = frame.prefix;
    prefix.insert(v);
    return memo_.first_visit(prefix, frame.prefix_cost + cost_of_appending(frame, v));
  }

  // The cost of the best set of v inside the prefix; there is one.
  Cost cost_of_appending(const Frame<Words> &frame, Node v) const {
    const ActiveDomain<Words> &domain = frame.domains[v];
    return root_.problem.domains[v].cost[domain.index[domain.available]];
  }

  // --- the proof --------------------------------------------------------------------------------

  void begin_steps(const OpenPrefix &prefix) {
    steps_.clear();
    said_cutoff_ = kNoCost;
    if (proof_ && prefix.order.empty())
      steps_.same();
  }
  void end_steps(const OpenPrefix &prefix) {
    if (!proof_)
      return;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, prefix.order.size()); ++i)
      steps_.end();
    proof_->dive(steps_);
  }
  void say_append(Node v, Cost cutoff) {
    if (!proof_)
      return;
    if (cutoff != said_cutoff_)
      steps_.cutoff(cutoff);
    said_cutoff_ = cutoff;
    steps_.append(v);
  }
  void say_seen(Node v) {
    if (proof_)
      steps_.seen(v);
  }

  void postpone(const Child &child) {
    std::vector<Node> order = order_;
    order.push_back(child.node);
    postponed_.push_back({std::move(order), child.bound});
  }

  const Root<Words> &root_;
  PrefixFrontier<Words> &frontier_;
  SharedMemo<Words> &memo_;
  ProofSteps<Words> *const proof_;
  Watch &watch_;
  const ReducedCostKernels<Words> kernels_;
  Arena arena_;
  Frame<Words> root_frame_{};
  std::vector<ActiveCluster<Words>> root_clusters_;
  std::vector<Node> order_; // the prefix
  std::vector<OpenPrefix> postponed_;
  DiveSteps<Words> steps_;     // if there is a proof
  Cost said_cutoff_ = kNoCost; // in these steps
  unsigned nodes_ = 0;
  double work_ = 0;                                         // sets examined, about
  std::vector<std::vector<ActiveCluster<Words>>> clusters_; // by size of the prefix
  // Scratch:
  std::vector<ActiveCluster<Words>>
      satisfied_;                   // clusters that the last node of the prefix satisfies
  std::vector<Node> closure_order_; // in which the closure added the nodes
  Node in_closed_ = 0;              // in the closed set of which the last children are
};

} // namespace

template <unsigned Words> class OrderSearch<Words>::Tree {
public:
  Tree(const CostProblem<Words> &problem, const ProofTask &task, Cost cutoff, bool has_best)
      : problem(problem), frontier(problem, task, cutoff, has_best),
        memo(std::min(kMemoShare * task.memory_limit, kMostMemory)) {
    if (task.proof)
      proof = std::make_unique<ProofSteps<Words>>(*task.proof);
    frontier.add({{}, 0});
  }

  const CostProblem<Words> &problem;
  PrefixFrontier<Words> frontier;
  SharedMemo<Words> memo;
  std::unique_ptr<ProofSteps<Words>> proof; // or none
};

template <unsigned Words>
OrderSearch<Words>::OrderSearch(const CostProblem<Words> &problem, const ProofTask &task,
                                Cost cutoff, bool has_best)
    : tree_(std::make_unique<Tree>(problem, task, cutoff, has_best)) {}

template <unsigned Words> OrderSearch<Words>::~OrderSearch() = default;

template <unsigned Words>
void OrderSearch<Words>::run(const Dual<Words> &dual, double nodes, double work, unsigned threads,
                             Watch &watch) {
  tree_->frontier.pause_after(nodes, work);
  const Root<Words> root(tree_->problem, dual);
  say_dual(dual);
  const auto dive_on = [&] {
    Dive<Words> dive(root, tree_->frontier, tree_->memo, tree_->proof.get(), watch);
    OpenPrefix prefix;
    while (tree_->frontier.pop(prefix, watch))
      dive.run(prefix);
  };
  if (threads > 1)
    parallel_for(watch, threads,
                 [&](std::size_t, unsigned) { tree_->frontier.run_worker(dive_on); });
  else
    dive_on();
}

template <unsigned Words> void OrderSearch<Words>::begin_again() {
  tree_->frontier.begin_again({{}, 0});
  tree_->memo.clear();
}
template <unsigned Words> void OrderSearch<Words>::raise_bound(Cost bound) {
  tree_->frontier.raise_bound(bound);
}
template <unsigned Words> void OrderSearch<Words>::say_dual(const Dual<Words> &dual) {
  if (tree_->proof)
    tree_->proof->dual(dual, tree_->frontier.cutoff());
}
template <unsigned Words> bool OrderSearch<Words>::unfinished(Watch &watch) const {
  return tree_->frontier.unfinished(watch);
}
template <unsigned Words> bool OrderSearch<Words>::exhausted() const {
  return tree_->frontier.exhausted();
}
template <unsigned Words> Cost OrderSearch<Words>::cutoff() const {
  return tree_->frontier.cutoff();
}
template <unsigned Words> double OrderSearch<Words>::nodes() const {
  return tree_->frontier.nodes();
}
template <unsigned Words> double OrderSearch<Words>::work() const { return tree_->frontier.work(); }
template <unsigned Words> Proof OrderSearch<Words>::conclude() const {
  return tree_->frontier.conclude();
}
template <unsigned Words> void OrderSearch<Words>::log(Watch &watch) const {
  tree_->frontier.log(watch);
}

#define OPTBN_INSTANTIATE(words) template class OrderSearch<words>;
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
