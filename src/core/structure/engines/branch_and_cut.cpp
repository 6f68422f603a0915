#include "core/structure/engines/branch_and_cut.h"

#include "core/base/invariant.h"
#include "core/base/parallel.h"
#include "core/structure/bounds/closure.h"
#include "core/structure/engines/frontier.h"
#include "core/structure/engines/order_search.h"
#include "core/structure/proof/branch_proof.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace optbn {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A node's rounds of optimising and separating, at most, and how long they go on without closing
// this fraction of the gap. Effort in separation.
constexpr unsigned kRounds = 15, kPatience = 2, kEffort = 2;
constexpr double kLeastGain = .02;

// Pivots of a linear program, at most; arcs that strong branching tries, and the pivots of a trial.
constexpr unsigned kMostPivots = 5000, kTrials = 8, kTrialPivots = 60;

// How far above its node's least a reduced cost may be, as a fraction of the gap, for its set to be
// a column: when optimising, and not to be dropped again, and in the trials, whose gains are right
// up to that.
constexpr double kGoodWindow = .05, kBadWindow = .2, kTrialWindow = .3;
// Columns of a node that are added at once, and that it keeps at least.
constexpr std::size_t kMoreSets = 16, kLeastSets = 5;

// A program has all columns it needs when its optimum is this near the bound of all sets, as a
// fraction of the gap.
constexpr double kPriced = 1e-4;

// Arcs of this weight are fractional.
constexpr double kFractional = .02;

// A search over orders may do as much work as its subproblem took before, and at least this.
constexpr double kOrderWork = 1e6;

// The share of the memory for waiting subproblems, and for what a search over orders stores.
constexpr double kWaitingShare = .5, kOrderMemory = 1e8;

// The work of a multiplication of the simplex method, in sets examined.
constexpr double kMultiplicationWork = .15;
// A node of a search over orders takes the work of examining so many sets, and this share of all.
constexpr double kNodeWork = 5000, kNodeShare = .5;

template <unsigned Words> struct Subproblem {
  Relaxation<Words> relaxation; // of the sets that are left
  Dual<Words> dual;
  Cost bound; // the dual proves as much, or more: exclude() relies on that
  std::shared_ptr<BranchProof<Words>> proof{}; // if there is one
};

struct Arc {
  Node from, to;
};

template <unsigned Words> using SubproblemFrontier = Frontier<Words, Subproblem<Words>>;

template <unsigned Words> double count_sets(const CostProblem<Words> &problem) {
  double sets = 0;
  for (const CostDomain<Words> &domain : problem.domains)
    sets += static_cast<double>(domain.size());
  return sets;
}

// Searches one subproblem after another. A worker owns it.
template <unsigned Words> class Branching {
  using Set = BitSet<Words>;
  using Marks = typename Relaxation<Words>::Marks;
  using ReducedCosts = typename Relaxation<Words>::ReducedCosts;
  using Open = Subproblem<Words>;

public:
  Branching(const ProofTask &task, SubproblemFrontier<Words> &frontier, Watch &watch)
      : task_(task), frontier_(frontier), watch_(watch) {}

  void run(Open open) {
    const Cost bound = open.bound;
    work_ = 0;
    std::vector<Open> parts;
    if (raise_bound(open) && !closed_by_orders(open) && !closed_by_weights(open))
      parts = branch(open);
    frontier_.finish(bound, std::move(parts), 1, work_);
  }

  // Leaves out the sets that no better network has; false if no network is left.
  bool exclude(Open &open) const {
    const CostProblem<Words> &problem = open.relaxation.problem();
    const ReducedCosts costs = open.relaxation.reduced(open.dual);
    OPTBN_INVARIANT(open.relaxation.bound(open.dual, costs) >= open.bound,
                    "the dual of a subproblem proves its bound");
    const Cost gap = cutoff() - open.bound;
    Marks marks = open.relaxation.basic_sets();
    bool any = false;
    for (Node v = 0; v < problem.size(); ++v) {
      const Cost limit = *std::min_element(costs[v].begin(), costs[v].end()) + gap;
      for (std::size_t i = 0; i < costs[v].size(); ++i) {
        marks[v][i] = marks[v][i] || costs[v][i] < limit;
        any = any || !marks[v][i];
      }
    }
    if (any && open.proof)
      open.proof->exclude(open.dual, open.bound, cutoff());
    return !any || (propagate(open, marks) && restrict_to(open, marks));
  }

private:
  Cost cutoff() const { return frontier_.cutoff(); }

  void say_bound(const Open &open) const {
    if (open.proof)
      open.proof->raise_bound(open.dual, open.bound, cutoff());
  }

  // Unmarks the sets that no network has. False if a node has no set left.
  bool propagate(const Open &open, Marks &marks) const {
    for (bool changed = true; changed;) {
      std::vector<Set> paths;
      const bool left = unmark_cycles(open.relaxation.problem(), marks, paths);
      changed = !paths.empty();
      if (changed && open.proof)
        open.proof->exclude(paths, open.dual, open.bound, cutoff());
      if (!left)
        return false;
    }
    return true;
  }

  // Leaves the marked sets. False if they admit no network.
  bool restrict_to(Open &open, const Marks &marks) const {
    if (open.proof)
      if (const Set cluster = blocked(open.relaxation.problem(), marks); !cluster.empty())
        open.proof->exclude({cluster}, open.dual, open.bound, cutoff());
    return open.relaxation.restrict_to(marks);
  }

  static Set blocked(const CostProblem<Words> &problem, const Marks &marks) {
    const Set all = Set::first(problem.size());
    return all - closure(Set(), all, [&](unsigned v, const Set &allowed) {
             for (std::size_t i = 0; i < marks[v].size(); ++i)
               if (marks[v][i] && problem.domains[v].set[i].inside(allowed))
                 return true;
             return false;
           });
  }

  // Does the bound reach the cutoff, but for what sums of scores are rounded by?
  bool closed(const Open &open) const {
    const CostProblem<Words> &problem = frontier_.problem();
    return open.bound >= cutoff() - problem.cost(rounding(problem.score(cutoff())));
  }

  // --- the bound --------------------------------------------------------------------------------

  // Optimises, excludes and separates for as long as that pays. False if nothing is left.
  bool raise_bound(Open &open) {
    const double before = open.relaxation.work();
    unsigned idle = 0;
    for (unsigned round = 0; round < kRounds && idle < kPatience && !watch_.stopped(); ++round) {
      if (round > 0)
        open.relaxation.separate(kEffort, watch_);
      const Cost last = open.bound, gap = cutoff() - last;
      optimise_with_pricing(open);
      if (closed(open)) {
        say_bound(open);
        return false;
      }
      if (!exclude(open))
        return false;
      const bool pays =
          static_cast<double>(open.bound - last) > kLeastGain * static_cast<double>(gap);
      idle = pays ? 0 : idle + 1;
    }
    work_ += open.relaxation.work() - before;
    say_bound(open);
    return true;
  }

  // Optimises until no set is missing that would lower the optimum. Sets are dropped once: where the
  // gap is less than the program's rounding, they could come back and be dropped again for ever.
  void optimise_with_pricing(Open &open) {
    for (bool first = true, complete = false; !complete && !watch_.stopped(); first = false) {
      DualSimplex simplex = open.relaxation.simplex();
      optimise(simplex);
      open.relaxation.take(simplex);
      const auto [costs, bound] = evaluate(open);
      const Cost gap = std::max<Cost>(cutoff() - open.bound, 0);
      const double missing = simplex.objective() - problem_units(bound);
      if (first)
        open.relaxation.drop_bad_columns(costs, share(kBadWindow, gap), kLeastSets);
      const std::size_t before = open.relaxation.column_count();
      open.relaxation.add_good_columns(costs, share(kGoodWindow, gap), kMoreSets);
      complete = gap == 0 || missing <= kPriced * problem_units(gap) ||
                 open.relaxation.column_count() == before;
    }
  }

  // A little beyond the cutoff, so that rounding does not leave the bound below it.
  double enough() const {
    const double units = problem_units(cutoff());
    return units + 1e-9 * std::abs(units) + 1e-6;
  }

  DualSimplex::Status optimise(DualSimplex &simplex, unsigned pivots = kMostPivots) {
    const double before = simplex.work();
    const DualSimplex::Status status = simplex.run(enough(), pivots, watch_);
    work_ += (simplex.work() - before) * kMultiplicationWork;
    return status;
  }

  // Takes the dual of the relaxation's multipliers if it proves more. Returns its reduced costs and
  // bound.
  std::pair<ReducedCosts, Cost> evaluate(Open &open) {
    Dual<Words> found = open.relaxation.dual();
    ReducedCosts costs = open.relaxation.reduced(found);
    const Cost bound = open.relaxation.bound(found, costs);
    work_ += open.relaxation.evaluation_work(found);
    if (bound > open.bound) {
      open.dual = std::move(found);
      open.bound = bound;
    }
    return {std::move(costs), bound};
  }

  // --- what decisions imply ---------------------------------------------------------------------

  // Unmarks the sets that would close a cycle with arcs that all marked sets of their nodes have:
  // those of a node u that contain a node v, where there is a path of such arcs from u to v. Adds
  // the nodes of these paths; none if nothing changes. False if a node has no set left.
  static bool unmark_cycles(const CostProblem<Words> &problem, Marks &marks,
                            std::vector<Set> &paths) {
    const Node n = problem.size();
    std::vector<Set> parents(n); // in all marked sets
    for (Node v = 0; v < n; ++v) {
      parents[v] = Set::first(n);
      for (std::size_t i = 0; i < marks[v].size(); ++i)
        if (marks[v][i])
          parents[v] &= problem.domains[v].set[i];
    }
    for (Node u = 0; u < n; ++u) {
      std::vector<Set> path_to(n); // from u, along a shortest path, both included
      Set descendants;
      path_to[u].insert(u);
      for (Set reached = Set::of(u); !reached.empty();) {
        Set next;
        for (Node v = 0; v < n; ++v) {
          const Set from = parents[v] & reached;
          if (from.empty() || descendants.contains(v))
            continue;
          if (v == u) { // a cycle, or no set at all
            paths = {path_to[from.lowest()]};
            return false;
          }
          path_to[v] = path_to[from.lowest()];
          path_to[v].insert(v);
          descendants.insert(v);
          next.insert(v);
        }
        reached = next;
      }
      Set met;
      for (std::size_t i = 0; i < marks[u].size(); ++i)
        if (marks[u][i] && problem.domains[u].set[i].intersects(descendants)) {
          met |= problem.domains[u].set[i] & descendants;
          marks[u][i] = false;
        }
      met.for_each([&](unsigned v) { paths.push_back(path_to[v]); });
    }
    return true;
  }

  // Does a set of v remain when it is decided whether the arc is in the network?
  static bool agrees(const Arc &arc, bool present, unsigned v, const Set &set) {
    if (v == arc.to)
      return set.contains(arc.from) == present;
    return !present || v != arc.from || !set.contains(arc.to);
  }

  // --- search over orders -----------------------------------------------------------------------

  // (It knows no limits.)
  bool closed_by_orders(Open &open) {
    if (open.relaxation.limits() || count_sets(open.relaxation.problem()) > task_.most_by_orders)
      return false;
    ProofTask task{task_.problem, Network()};
    task.memory_limit = std::min(task_.memory_limit, kOrderMemory);
    std::optional<ProofText> text;
    if (open.proof)
      task.proof = &text.emplace(open.proof->new_text());
    OrderSearch<Words> orders(open.relaxation.problem(), task, cutoff(), false);
    orders.run(open.dual, kInfinite, std::max(kOrderWork, work_), 1, watch_);
    work_ += orders.work();
    if (orders.cutoff() < cutoff())
      frontier_.offer(orders.cutoff(), orders.conclude().best.choice);
    if (text && orders.exhausted())
      open.proof->keep(*text);
    return orders.exhausted();
  }

  // --- limited searches -------------------------------------------------------------------------

  // Offers the network of the weights, if they are whole and its limits admit it. Is nothing else
  // left that is better? (When the watch stops, a network may not be admitted that should be.)
  bool closed_by_weights(const Open &open) {
    if (!open.relaxation.limits())
      return false;
    const CostProblem<Words> &problem = open.relaxation.problem();
    const bool decided = count_sets(problem) <= problem.size();
    std::vector<std::uint32_t> choice =
        decided ? std::vector<std::uint32_t>(problem.size(), 0) : whole_choice(open);
    if (!choice.empty()) {
      std::vector<Set> sets;
      Cost cost = 0;
      for (Node v = 0; v < problem.size(); ++v) {
        sets.push_back(problem.domains[v].set[choice[v]]);
        cost += problem.domains[v].cost[choice[v]];
        choice[v] = problem.domains[v].index[choice[v]];
      }
      if (cost < cutoff() && acyclic(sets) && open.relaxation.limits()->admits(sets, watch_))
        frontier_.offer(cost, std::move(choice));
    }
    return closed(open) || (decided && !watch_.stopped());
  }

  // By node the one set that has weight; empty if some node has several.
  static std::vector<std::uint32_t> whole_choice(const Open &open) {
    const CostProblem<Words> &problem = open.relaxation.problem();
    const FractionalNetwork<Words> network = open.relaxation.weights();
    std::vector<std::uint32_t> choice;
    for (Node v = 0; v < problem.size(); ++v) {
      if (network.support[v].size() != 1)
        return {};
      const std::vector<Set> &sets = problem.domains[v].set;
      const auto place = std::find(sets.begin(), sets.end(), network.support[v].front().set);
      choice.push_back(static_cast<std::uint32_t>(place - sets.begin()));
    }
    return choice;
  }

  static bool acyclic(const std::vector<Set> &sets) {
    const Set all = Set::first(static_cast<unsigned>(sets.size()));
    return closure(Set(), all,
                   [&](unsigned v, const Set &allowed) { return sets[v].inside(allowed); }) == all;
  }

  // --- branching --------------------------------------------------------------------------------

  std::vector<Open> branch(Open &open) {
    std::vector<Open> parts;
    if (watch_.stopped()) {
      parts.push_back(open); // nothing is lost
      return parts;
    }
    const Cost gap = std::max<Cost>(cutoff() - open.bound, 0);
    open.relaxation.add_good_columns(open.relaxation.reduced(open.dual), share(kTrialWindow, gap),
                                     ~std::size_t{0});
    DualSimplex simplex = open.relaxation.simplex();
    optimise(simplex);
    const Arc arc = choose_arc(open, simplex);
    for (const bool present : {true, false}) {
      Open part = open;
      if (open.proof)
        part.proof = open.proof->side(arc.from, arc.to, present);
      if (decide(part, simplex, arc, present))
        parts.push_back(std::move(part));
    }
    return parts;
  }

  // False if nothing is left.
  bool decide(Open &part, DualSimplex simplex, const Arc &arc, bool present) {
    const CostProblem<Words> &problem = part.relaxation.problem();
    Marks marks(problem.size());
    for (Node v = 0; v < problem.size(); ++v)
      for (const Set &set : problem.domains[v].set)
        marks[v].push_back(agrees(arc, present, v, set));
    if (!propagate(part, marks))
      return false;
    part.relaxation.for_each_column([&](std::uint32_t column, Node v, std::uint32_t i) {
      if (!marks[v][i])
        simplex.forbid(column);
    });
    optimise(simplex);
    part.relaxation.take(simplex);
    if (!restrict_to(part, marks))
      return false;
    evaluate(part);
    say_bound(part);
    return !closed(part);
  }

  // The arc whose two sides are estimated to raise the bound most.
  Arc choose_arc(const Open &open, const DualSimplex &simplex) {
    const double gap = enough() - simplex.objective();
    Arc best{};
    double most = -1;
    for (const Arc &arc : arcs_to_try(open)) {
      double product = 1;
      for (const bool present : {false, true})
        product *= std::max(1e-6 * gap, std::min(gap, trial_gain(open, simplex, arc, present)));
      if (product > most) {
        most = product;
        best = arc;
      }
    }
    return best;
  }

  double trial_gain(const Open &open, DualSimplex simplex, const Arc &arc, bool present) {
    const CostProblem<Words> &problem = open.relaxation.problem();
    open.relaxation.for_each_column([&](std::uint32_t column, Node v, std::uint32_t i) {
      if (!agrees(arc, present, v, problem.domains[v].set[i]))
        simplex.forbid(column);
    });
    const double before = simplex.objective();
    if (optimise(simplex, kTrialPivots) == DualSimplex::Status::infeasible)
      return kInfinite;
    return simplex.objective() - before;
  }

  // Fractional arcs on fractional cycles first, and those nearest to one half; where there are none,
  // arcs that some sets of a node have and others lack.
  std::vector<Arc> arcs_to_try(const Open &open) const {
    const Node n = open.relaxation.problem().size();
    const FractionalNetwork<Words> network = open.relaxation.weights();
    std::vector<double> weight(std::size_t{n} * n, 0); // [from * n + to]
    std::vector<Set> ancestors(n);
    for (Node v = 0; v < n; ++v)
      for (const auto &weighted : network.support[v]) {
        ancestors[v] |= weighted.set;
        weighted.set.for_each(
            [&](unsigned u) { weight[std::size_t{u} * n + v] += weighted.weight; });
      }
    for (Node via = 0; via < n; ++via)
      for (Node v = 0; v < n; ++v)
        if (ancestors[v].contains(via))
          ancestors[v] |= ancestors[via];
    std::vector<std::pair<double, Arc>> ranked;
    for (Node u = 0; u < n; ++u)
      for (Node v = 0; v < n; ++v) {
        const double there = weight[std::size_t{u} * n + v], back = weight[std::size_t{v} * n + u];
        if (there > kFractional && there < 1 - kFractional)
          ranked.push_back({std::abs(there - .5) - (ancestors[u].contains(v) ? 1 : 0) -
                                .1 * std::min(there, back),
                            {u, v}});
      }
    if (ranked.empty())
      ranked = undecided(open);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    std::vector<Arc> arcs;
    for (std::size_t i = 0; i < ranked.size() && i < kTrials; ++i)
      arcs.push_back(ranked[i].second);
    return arcs;
  }

  static std::vector<std::pair<double, Arc>> undecided(const Open &open) {
    std::vector<std::pair<double, Arc>> arcs;
    const CostProblem<Words> &problem = open.relaxation.problem();
    for (Node v = 0; v < problem.size(); ++v) {
      Set some, all = Set::first(problem.size());
      for (const Set &set : problem.domains[v].set) {
        some |= set;
        all &= set;
      }
      (some - all).for_each([&](unsigned u) { arcs.push_back({0, {static_cast<Node>(u), v}}); });
    }
    return arcs;
  }

  double problem_units(Cost cost) const { return frontier_.problem().units(cost); }

  const ProofTask &task_;
  SubproblemFrontier<Words> &frontier_;
  Watch &watch_;
  double work_ = 0; // on the present subproblem, in sets examined, about
};

// About the memory of a subproblem: sets, columns and their duals; groups take most of a row's.
template <unsigned Words> double bytes_of(const Relaxation<Words> &relaxation) {
  return count_sets(relaxation.problem()) * (8.0 * Words + 40) +
         2000.0 * static_cast<double>(relaxation.row_count());
}

} // namespace

template <unsigned Words>
double sets_within(const CostProblem<Words> &problem, const Dual<Words> &dual, Cost gap) {
  double within = 0;
  for (Node v = 0; v < problem.size(); ++v) {
    const std::vector<Cost> costs = reduced_costs(problem, dual, v);
    const Cost limit = *std::min_element(costs.begin(), costs.end()) + gap;
    within += static_cast<double>(
        std::count_if(costs.begin(), costs.end(), [&](Cost cost) { return cost < limit; }));
  }
  return within;
}

template <unsigned Words>
Proof branch_and_cut(const CostProblem<Words> &problem, const ProofTask &task,
                     const RootDual<Words> &root, Cost cutoff, bool has_best, Watch &watch) {
  Subproblem<Words> whole{root.relaxation(), root.dual(), root.bound()};
  if (task.proof)
    whole.proof = std::make_shared<BranchProof<Words>>(task.proof->log);
  const auto proof = whole.proof;
  const double waiting = kWaitingShare * task.memory_limit / bytes_of(whole.relaxation);
  SubproblemFrontier<Words> frontier(problem, task, cutoff, has_best,
                                     static_cast<std::size_t>(std::min(waiting, 1e6)));
  if (Branching<Words>(task, frontier, watch).exclude(whole))
    frontier.add(std::move(whole)); // (before a bound is reported: none waiting is none left)
  frontier.raise_bound(root.bound());
  const double node_work = kNodeWork + kNodeShare * count_sets(problem);
  frontier.pause_after(task.node_limit, std::min(task.work_limit, task.node_limit * node_work));
  const auto work = [&] {
    Branching<Words> branching(task, frontier, watch);
    Subproblem<Words> open{root.relaxation(), {}, 0};
    while (frontier.pop(open, watch)) {
      branching.run(std::move(open));
      frontier.log(watch);
    }
  };
  parallel_for(watch, workers_of(task, watch),
               [&](std::size_t, unsigned) { frontier.run_worker(work); });
  if (proof) {
    task.proof->begin();
    proof->append_to(*task.proof);
    task.proof->end();
  }
  return frontier.conclude();
}

#define OPTBN_INSTANTIATE(words)                                                                   \
  template double sets_within(const CostProblem<words> &, const Dual<words> &, Cost);              \
  template Proof branch_and_cut(const CostProblem<words> &, const ProofTask &,                     \
                                const RootDual<words> &, Cost, bool, Watch &);
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
