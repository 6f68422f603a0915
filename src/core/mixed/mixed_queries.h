// Exact questions to conditional Gaussian networks.
//
// A question takes the nodes that it asks about and the evidence, and their ancestors: all other
// nodes are barren. Of these it takes the parts that hang together with the asked nodes through
// unknown ones. There the evidence on continuous nodes is absorbed (absorption.h), and the discrete
// nodes are left to factor_elimination.h. Given the discrete nodes that the regressions of a
// continuous node and of its ancestors depend on, it is normal: its posterior is a mixture over
// their configurations.
//
// Natural logarithms. All throw MemoryLimit before a step that needs more bytes than they may use,
// Interrupted and TimeLimitReached; and ImpossibleEvidence, but for log_density().
#pragma once

#include "core/base/random.h"
#include "core/mixed/absorption.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct MixedQuery {
  const MixedNetwork &network;
  const MixedEvidence &evidence;
  double memory_limit; // bytes
  Watch &watch;
};

// A mixture of normal distributions of some continuous nodes, and of levels of discrete ones.
struct MixtureComponents {
  std::vector<std::uint16_t> levels;      // of the discrete nodes, component by component
  std::vector<double> weights;            // above 0, sum 1
  std::vector<double> means, covariances; // component by component; symmetric matrices
};

// Of the posterior of one node.
struct NodePosterior {
  std::vector<double> levels; // probabilities, of a discrete node
  double mean = 0, sd = 0;    // of a continuous one
};

// What a row has in each node: a level, or a value.
struct MixedRow {
  std::vector<std::uint16_t> levels;
  std::vector<double> values;
};

// The log-density of the evidence; minus infinity where it is impossible.
double log_density(const MixedQuery &query);

// The joint posterior of discrete nodes without evidence: an array, the first node fastest.
std::vector<double> joint_levels(const MixedQuery &query, const std::vector<Node> &nodes);

// The joint posterior of continuous nodes without evidence, at least one, and discrete ones.
MixtureComponents joint_mixture(const MixedQuery &query, const std::vector<Node> &discrete,
                                const std::vector<Node> &continuous);

// The posterior of a node without evidence.
NodePosterior posterior_of(const MixedQuery &query, Node node);

// The posterior of each node by itself; of an observed one its value, and a standard deviation of
// 0.
std::vector<NodePosterior> each_posterior(const MixedQuery &query);

// The row of largest density, likelihoods included.
MixedRow most_probable_row(const MixedQuery &query);

// Independent draws from the posterior of all nodes.
std::vector<MixedRow> draw_mixed_rows(const MixedQuery &query, std::size_t rows, Random &random);

// A smallest set of discrete nodes whose evidence is impossible, if all of it is. (That on
// continuous nodes never is.)
std::vector<Node> conflicting_levels(const MixedQuery &query);

} // namespace optbn
