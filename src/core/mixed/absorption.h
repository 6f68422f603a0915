// Absorption: a conditional Gaussian network in which the evidence on continuous nodes has become
// weights of discrete ones.
//
// An observed continuous node Y has a normal density given its parents. Where a parent X is
// unknown, the arc from X to Y is reversed (Shachter & Kenley 1989, doi 10.1287/mnsc.35.5.527): Y
// gets its distribution given the other parents of both, and X that given them and the observed
// value. After the last reversal Y has discrete parents alone, and its density at the observed
// value is a weight of their levels. Then what is left is a network over the unknown nodes without
// evidence on continuous ones: factors of discrete nodes, and regressions of continuous nodes,
// parents first. It is the posterior, whatever is asked of it. This is local computation with
// univariate regressions, Cowell's (2005) form of the strong junction tree of Lauritzen & Jensen
// (2001, doi 10.1023/A:1008935617754): a regression depends on those discrete nodes only whose
// evidence and arcs have to do with it, and it is moved there by reversals, which are their
// *exchanges*.
//
// With Y | X, Z ~ N(a + b X + c Z, s^2) and X | Z ~ N(d + e Z, t^2), S = hypot(s, b t):
//   Y | Z    ~ N(a + b d + (c + b e) Z, S^2)
//   X | Y, Z ~ N((s/S)^2 (d + e Z) + (b t/S)(t/S) (Y - a - c Z), (t s/S)^2).
// Standard deviations are products and hypotenuses, never differences; no matrix is inverted.
//
// Cost of a reversal: the configurations of the discrete parents of both, times their parents.
#pragma once

#include "core/base/host.h"
#include "core/completion/mixed_network.h"
#include "core/data/evidence.h"
#include "core/mixed/log_factor.h"

#include <cstdint>
#include <vector>

namespace optbn {

// What is known: levels and likelihoods of discrete nodes, and values, by node, of continuous ones;
// not a number where nothing is known.
struct MixedEvidence {
  Evidence levels;
  std::vector<double> values;
};

// A continuous node given discrete and continuous ones.
struct ConditionalNormal {
  Node node = 0;
  std::vector<Node> discrete, continuous; // of the latter the first is the earliest in order
  std::vector<double>
      numbers; // by configuration of the discrete ones, the first fastest: intercept,
               // slopes, standard deviation

  std::size_t stride() const { return continuous.size() + 2; }
};

struct AbsorbedNetwork {
  static constexpr std::int32_t kNoTable = -1;

  std::vector<LogFactor> factors;         // of unknown discrete nodes
  std::vector<std::int32_t> table_of;     // by factor: the unknown node whose table it is
  std::vector<ConditionalNormal> normals; // of unknown continuous nodes, parents first
  double log_constant = 0;                // of the density of the evidence
};

// `families`: by node, does its local model count? Throws MemoryLimit before the work, if the
// regressions need more bytes than this.
AbsorbedNetwork absorb(const MixedNetwork &network, const MixedEvidence &evidence,
                       const std::vector<char> &families, double memory_limit, Watch &watch);

} // namespace optbn
