// Propagation: one query put to a junction tree, and the workspace for it.
//
// collect() fills the cliques' tables from the leaves to the root: the tables of the families,
// times the messages of the children; the message to the parent is the sum over the clique's own
// members (the maximum, for the most probable state). Messages are divided by their largest cell,
// and the logarithms of the divisors add up to log P(evidence). distribute() then goes back from
// the root: a table is multiplied by what the rest of the network says of its separator, and holds
// the posterior joint probability of its members. 0 / 0 is 0 (Jensen, Lauritzen & Olesen 1990).
//
// An observed node has one level for the time of the query, so evidence makes tables smaller; so
// has a node that is irrelevant to it, neither asked for nor observed nor an ancestor of such, and
// its table is left out, since it would sum to 1. A table exists only block by block unless it is
// kept for later: P(evidence) alone takes hardly any memory. Cells are products of many numbers; in
// a clique where they could become too small for a double, they are made from sums of logarithms.
//
// Time and memory are linear in the cells of the sliced tables; log P to about 1e-13 a clique.
// Belongs to one thread; the answer to a query does not depend on the queries before.
#pragma once

#include "core/base/host.h"
#include "core/data/evidence.h"
#include "core/inference/junction_tree.h"

#include <limits>
#include <memory>
#include <vector>

namespace optbn {

class Propagation {
public:
  enum class Reduction { sum, maximum };

  explicit Propagation(const JunctionTree &tree,
                       double memory_limit = std::numeric_limits<double>::infinity());

  // Begins a query. Nodes that are not relevant are left out.
  void pose(const Evidence &evidence, const std::vector<char> &relevant);

  // Which tables the answer needs; none after pose().
  void keep(std::size_t clique) { keep_[clique] = true; }
  void keep_all() { keep_.assign(keep_.size(), true); }

  // The logarithm of the sum, or of the maximum, of all products: minus infinity when the evidence
  // is impossible. Throws MemoryLimit, Interrupted, TimeLimitReached.
  double collect(Reduction reduction, Watch &watch);

  // After collect(sum), along a path that begins with the root and whose tables are kept: the
  // table of the last clique becomes the posterior of its members.
  void distribute(const std::vector<std::size_t> &path, Watch &watch);

  // After collect(sum) with all tables kept: all tables, and the posteriors of the nodes, one after
  // another, each with all its levels.
  std::vector<double> distribute_all(Watch &watch);

  const JunctionTree &tree() const { return tree_; }
  const CliquePlan &plan(std::size_t clique) const { return *plan_[clique]; }
  std::size_t extent(Node v) const { return extent_[v]; }
  std::size_t level(Node v) const { return level_[v]; } // of an observed node, otherwise 0
  const Passes &passes() const { return passes_; }

  // A kept table, and the message upwards: the sums over the table's own members are `mass` times
  // the message.
  const double *table(std::size_t clique) const { return tables_.get() + table_start_[clique]; }
  const double *message(std::size_t clique) const { return up_.data() + message_start_[clique]; }
  double mass(std::size_t clique) const { return mass_[clique]; }

  double memory_limit() const { return memory_limit_; }
  double bytes() const; // of the present query: tables that are kept, and messages

  // So many cells have been worked on: now and then the watch is asked, and what it says thrown.
  void spend(std::size_t cells, Watch &watch) const;

private:
  // A likelihood of one node, in a clique that holds it.
  struct Weight {
    Node node;
    std::vector<double> values; // the largest is 1
    double smallest;            // of those above 0
    TableStrides strides;
  };

  void set_levels(const Evidence &evidence, const std::vector<char> &relevant);
  void lay_plans();
  void set_weights(const Evidence &evidence);
  void make_room();
  double smallest_cell(std::size_t clique) const;
  template <class Visit> void for_each_factor(std::size_t clique, Visit visit) const;
  void fill_block(std::size_t clique, std::size_t block, double *cells) const;
  double fill_by_logarithms(std::size_t clique, double *cells, Watch &watch) const;
  bool normalise_message(std::size_t clique);
  void make_ratios(std::size_t clique);
  template <class Read> void pass_down(std::size_t clique, Read read, Watch &watch);
  void read_separator(std::size_t clique, std::size_t child, const double *cells,
                      std::size_t block);

  const JunctionTree &tree_;
  const Passes &passes_;
  const double memory_limit_;

  std::vector<std::size_t> extent_, level_; // by node
  std::vector<char> relevant_;
  std::vector<std::size_t> offset_;      // by family: where its table is sliced
  std::vector<const CliquePlan *> plan_; // the junction tree's, or one of our own
  std::vector<CliquePlan> own_plan_;
  std::vector<char> stale_;
  std::vector<std::vector<Weight>> weights_; // by clique
  std::vector<std::uint32_t> weighted_;      // the cliques that have some
  double log_scale_ = 0;                     // of the weights

  std::vector<char> keep_;
  std::unique_ptr<double[]> tables_;
  std::size_t room_ = 0; // cells of `tables_`
  std::vector<std::size_t> table_start_, message_start_;
  std::vector<double> up_, down_; // messages to the parents, and what the parents say
  std::vector<double> mass_, smallest_message_;
  std::vector<double> block_; // of a table that is not kept
  std::vector<std::size_t> marginal_start_;
  mutable std::size_t spent_ = 0; // cells since the watch was asked
};

} // namespace optbn
