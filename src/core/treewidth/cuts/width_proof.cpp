#include "core/treewidth/cuts/width_proof.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/multipliers.h"
#include "core/structure/engines/branch_and_cut.h"
#include "core/treewidth/cuts/width_cuts.h"

#include <algorithm>

namespace optbn {

namespace {

// To examine a set: as many bits as there are nodes.
double set_seconds(const Problem &problem) { return 2e-9 * std::max(1.0, problem.size() / 32.0); }

// Rounds of the root's dual; it ends earlier where further rounds do not pay.
constexpr unsigned kRounds = 1000;

// The problem without sets of more than k parents: their families are wider.
Problem narrow_problem(const ParentSets &sets, unsigned k) {
  Problem problem = whole_problem(sets);
  for (Node v = 0; v < problem.size(); ++v) {
    const Domain &all = problem.domains[v];
    Domain narrow;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (sets.nodes[v].size_of(all.origin[i]) <= k) {
        narrow.score.push_back(all.score[i]);
        narrow.origin.push_back(all.origin[i]);
        const auto mask = all.mask.begin() + static_cast<std::ptrdiff_t>(i * problem.words);
        narrow.mask.insert(narrow.mask.end(), mask, mask + problem.words);
      }
    problem.domains[v] = std::move(narrow);
  }
  return problem;
}

// A network's choice of sets as indices of a problem's domains, and back.
Network within(const Problem &problem, Network network) {
  for (Node v = 0; v < problem.size(); ++v) {
    const std::vector<std::uint32_t> &origin = problem.domains[v].origin;
    const auto place = std::find(origin.begin(), origin.end(), network.choice[v]);
    OPTBN_INVARIANT(place != origin.end(), "a narrow network has narrow families");
    network.choice[v] = static_cast<std::uint32_t>(place - origin.begin());
  }
  return network;
}

Network outside(const Problem &problem, Network network) {
  for (Node v = 0; v < problem.size(); ++v)
    network.choice[v] = problem.domains[v].origin[network.choice[v]];
  return network;
}

template <unsigned Words>
Proof search(const ProofTask &task, unsigned k, double bound, Watch &watch) {
  const CostProblem<Words> problem(task.problem);
  const WidthCuts<Words> cuts(k);
  Cost cutoff = 0;
  for (Node v = 0; v < problem.size(); ++v)
    cutoff += problem.domains[v].cost[task.start.choice[v]];
  RootDual<Words> root(problem, in_costs(task.warm, problem), cutoff, watch, task.work_limit,
                       &cuts);
  root.improve(kRounds);
  if (problem.score(root.bound()) > bound + rounding(bound)) {
    Proof proof;
    proof.best = task.start;
    proof.bound = problem.score(root.bound());
    return proof;
  }
  ProofTask rest = task;
  rest.work_limit = std::max(0.0, task.work_limit - root.work());
  return branch_and_cut(problem, rest, root, cutoff, true, watch);
}

} // namespace

bool width_proof_exists(Node nodes, unsigned k) {
  return k >= 1 && k <= kLargestCutWidth && nodes >= k + 2 && nodes <= kWidthCutNodes;
}

WidthProof prove_width(const ParentSets &sets, unsigned k, const WidthProofOptions &options,
                       Watch &watch) {
  const Problem problem = narrow_problem(sets, k);
  ProofTask task{problem, within(problem, options.start)};
  task.warm = options.warm;
  task.gap = options.gap;
  task.memory_limit = options.memory_limit;
  task.work_limit = options.seconds / set_seconds(problem);
  watch.restart(0); // the amount of work is not known
  task.report = [&](double score, double bound) { watch.report_bounds(score, bound); };
  const Proof proof = with_width(
      problem.words, [&](auto words) { return search<words>(task, k, options.bound, watch); });
  return {outside(problem, proof.best), proof.bound, proof.proved, proof.nodes};
}

} // namespace optbn
