#include "core/structure/constraints/diving.h"

#include <utility>

namespace optbn {

namespace {

// The subproblem in which local search from this order finds the best network; none if there is no
// subproblem with a network.
std::optional<Subproblem> most_promising(std::vector<Subproblem> subproblems,
                                         const std::vector<Node> &order, SubproblemSolver &solver,
                                         Watch &watch) {
  std::optional<Subproblem> best;
  double best_score = -std::numeric_limits<double>::infinity();
  for (Subproblem &subproblem : subproblems) {
    if (best && watch.stopped()) // any will do
      break;
    const Network network = solver.local_optimum(subproblem, order, 0);
    if (network.score > best_score) {
      best = std::move(subproblem);
      best_score = network.score;
    }
  }
  return best;
}

} // namespace

void dive(Subproblem subproblem, std::vector<Node> order, const NetworkConstraints &constraints,
          const SubproblemBound &bound, SubproblemSolver &solver, KnownNetworks &known,
          Watch &watch) {
  for (Network network = solver.local_optimum(subproblem, order, 1); !network.empty();
       network = solver.local_optimum(subproblem, order, 0)) {
    const Graph graph = graph_of(solver.sets(), network);
    known.offer(network, graph);
    order = topological_order(graph);
    std::optional<Subproblem> repaired =
        most_promising(repairs(constraints, subproblem, graph, bound), order, solver, watch);
    if (!repaired)
      return;
    subproblem = std::move(*repaired);
  }
}

} // namespace optbn
