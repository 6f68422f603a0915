#include "core/structure/constraints/subproblem_solver.h"

#include "core/structure/domains.h"
#include "core/structure/engines/local_search.h"
#include "core/structure/solve.h"

#include <algorithm>
#include <utility>

namespace optbn {

double score_of(const ParentSets &sets, const std::vector<std::uint32_t> &choice) {
  double score = 0;
  for (Node v = 0; v < sets.size(); ++v)
    score += sets.nodes[v].score[choice[v]];
  return score;
}

std::optional<Searched> SubproblemSolver::search(const Subproblem &subproblem,
                                                 const Multipliers &warm, double cutoff) {
  const PricedSubproblem priced(sets_, subproblem, warm.arc_price);
  if (!blocked_nodes(priced.sets).empty())
    return std::nullopt;
  SearchOptions options = options_;
  options.gap = 0;
  options.cutoff = cutoff - arcs_allowance(subproblem, warm.arc_price);
  options.cutoff -= rounding(options.cutoff); // so that a bound below it is below `cutoff`
  options.seconds -= record_.seconds();
  options.warm = warm;
  if (!known_.best().empty())
    options.start = topological_order(graph_of(sets_, known_.best()));
  Watch watch(host_);
  SearchResult found = solve(priced.sets, options, watch);
  nodes_ += found.nodes;
  subsets_ += found.subsets;
  insertions_ += found.insertions;
  Network best = in_all_sets(priced, found.network.choice);
  known_.offer(best, graph_of(sets_, best));
  const double bound = bound_after(found, best, subproblem, warm.arc_price);
  return Searched{found.proved ? std::move(best) : Network(), bound, std::move(found)};
}

double SubproblemSolver::bound_after(const SearchResult &found, const Network &best,
                                     const Subproblem &subproblem, double arc_price) const {
  if (arc_price == 0)
    return found.bound;
  const double arcs = static_cast<double>(arc_count(graph_of(sets_, best)));
  return best.score - arc_price * arcs + (found.bound - found.network.score) +
         arcs_allowance(subproblem, arc_price);
}

Network SubproblemSolver::local_optimum(const Subproblem &subproblem,
                                        const std::vector<Node> &order, unsigned chains) {
  const PricedSubproblem priced(sets_, subproblem, 0);
  LocalSearchOptions effort;
  effort.chains = chains;
  effort.restarts = 0;
  effort.start = order;
  Watch watch(host_);
  const LocalSearchResult found = local_search(whole_problem(priced.sets), effort, watch);
  insertions_ += found.insertions;
  return found.network.empty() ? Network() : in_all_sets(priced, found.network.choice);
}

Network SubproblemSolver::in_all_sets(const PricedSubproblem &priced,
                                      const std::vector<std::uint32_t> &choice) const {
  Network network;
  network.choice.resize(choice.size());
  for (Node v = 0; v < sets_.size(); ++v)
    network.choice[v] = priced.index[v][choice[v]];
  network.score = score_of(sets_, network.choice);
  return network;
}

} // namespace optbn
