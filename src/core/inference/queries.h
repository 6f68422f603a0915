// The queries that a junction tree answers exactly.
//
// Each runs in a Propagation, the workspace, which may be used for any number of queries, one at a
// time. Natural logarithms. All but log_probability() throw ImpossibleEvidence when the evidence
// has probability 0; all throw MemoryLimit, and Interrupted or TimeLimitReached when the watch
// stops. Sources: Jensen, Lauritzen & Olesen 1990 (posteriors), Dawid 1992, doi 10.1007/BF01890546
// (most probable states, draws).
#pragma once

#include "core/base/random.h"
#include "core/inference/propagation.h"

#include <cstdint>
#include <vector>

namespace optbn {

// log P(evidence); with likelihoods, the log of their expectation. Minus infinity for the
// impossible.
double log_probability(Propagation &propagation, const Evidence &evidence, Watch &watch);

// Posteriors of all nodes, one after another, each with all its levels.
std::vector<double> marginals(Propagation &propagation, const Evidence &evidence, Watch &watch);

// Joint posterior of some nodes (see joint_posterior.cpp): an array, the first node fastest. Its
// tables, and the messages over these nodes, count against the memory limit.
std::vector<double> joint_posterior(Propagation &propagation, const Evidence &evidence,
                                    const std::vector<Node> &nodes, Watch &watch);

// The state of all nodes whose probability, times the likelihoods, is largest. Of several the first
// from the root of the tree down: in the residual of a clique, the node that is eliminated last has
// the lowest possible level, then the one before it.
State most_probable(Propagation &propagation, const Evidence &evidence, Watch &watch);

// Independent draws from the posterior of all nodes, one row after another.
std::vector<std::uint16_t> draw_rows(Propagation &propagation, const Evidence &evidence,
                                     std::size_t rows, Random &random, Watch &watch);

// For evidence that is impossible as a whole: a minimal set of nodes whose evidence is impossible.
// Takes one collect() for each node with evidence.
std::vector<Node> conflicting_nodes(Propagation &propagation, const Evidence &evidence,
                                    Watch &watch);

// By node: is it one of `nodes`, or has it evidence, or is it an ancestor of such a node?
std::vector<char> relevant_nodes(const JunctionTree &tree, const Evidence &evidence,
                                 const std::vector<Node> &nodes);

} // namespace optbn
