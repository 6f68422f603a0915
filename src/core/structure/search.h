// The options and the result of a structure search, whatever its method.
//
// A search maximises the sum of local scores over acyclic choices of one candidate set per node.
// It returns a network and a bound: no network over the same candidate sets scores more than
// `bound`. Optimal means score = bound; a search that stops early still gives both.
#pragma once

#include "core/score/parent_sets.h"
#include "core/structure/anytime.h"
#include "core/structure/bounds/exact_costs.h"
#include "core/structure/proof/proof_log.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace optbn {

// Multipliers of inequalities that every network satisfies, as dual.h explains them, in natural log
// units: together with the candidate sets they prove a bound.
struct Multipliers {
  struct Cluster {
    std::vector<Node> nodes;
    unsigned k;
    double price;
  };
  struct Group {
    std::vector<Node> nodes;
    std::vector<double>
        coefficient; // node i, parents in the group by bits: [i << nodes.size() | bits]
  };
  std::vector<Cluster> clusters;
  std::vector<Group> groups;
  double arc_price = 0; // of "no more arcs than allowed", where there is such a constraint
};

enum class Method {
  automatic,      // each component by the method that suits it
  dp,             // every component by subset dynamic programming
  elsa,           // every component by constraint programming
  elsa_ig,        // the same, its domains in decision trees by information gain
  lagrangian,     // every component by search over orders under a Lagrangian bound
  branch_and_cut, // every component by branching on arcs, with linear programs
  local           // local search and a bound
};

struct SearchOptions {
  Method method = Method::automatic;
  double gap = 0; // the search may end once bound - score is at most this
  double cutoff = -std::numeric_limits<double>::infinity();      // or once the bound is below this
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes that tables may take
  double seconds = std::numeric_limits<double>::infinity(); // time left: no longer step is begun
  // Proofs, or Method::local, may take the work of about so many seconds, counted, not timed.
  double effort = std::numeric_limits<double>::infinity();
  std::vector<Node> start;  // an order of the nodes, or empty
  unsigned chains = 4;      // of local search: all of them by Method::local, else at most two
  bool first_climbs = true; // does the first of them climb from `start`? (The others never do.)
  Multipliers warm;         // of an earlier search, or none
  // Subproblems of branch and cut of more sets are not searched over orders: at 0 a proof has
  // branches on arcs alone.
  double most_by_orders = std::numeric_limits<double>::infinity();
  int cost_bits = kCostBits; // that no sum of costs exceeds in a tree search
  ProofLog *proof = nullptr; // where the steps of a proof go, or null
};

// What is proved of a part of the nodes: its choices cost no less than `target`, in quanta of
// 2^-bits (exact_costs.h). Its steps are these pieces of the log; none for a target of 0.
struct ProofPart {
  std::vector<Node> nodes;
  int bits;
  std::int64_t target;
  std::vector<ProofLog::Piece> steps;
};

// The result of a component of the problem, a strong component of its possible-parent graph.
struct ComponentResult {
  std::vector<Node> nodes;
  // Where the network or its proof comes from: local search that did not reach a bound, local
  // search that reached the bound of pattern_database.h, or the method that searched afterwards.
  enum class Engine { local, bound, dp, elsa, elsa_ig, lagrangian, branch_and_cut } engine;
  double score, bound;
  bool proved;
};

struct SearchResult : AnytimeResult {
  double subsets = 0;           // tabulated by dynamic programming
  double insertions = 0;        // nodes that local search tried at every position of an order
  double nodes = 0;             // of search trees
  Multipliers multipliers;      // of the components that were searched by a tree
  std::vector<ProofPart> proof; // if its steps were written
  std::vector<ComponentResult>
      components; // in an order in which arcs between components point forward
};

} // namespace optbn
