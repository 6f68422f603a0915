// Propagation: one query in a junction tree, and the workspace for it.
//
// collect() computes the cliques' tables from the leaves to the root: the tables of the families,
// times the messages of the children; the message to the parent is the sum over the clique's
// residual (the maximum, for the most probable state). Messages are divided by their largest cell,
// and the logarithms of the divisors add up to log P(evidence). distribute() then proceeds from the
// root: a table is multiplied by the ratio of the parent's marginal of the separator to the message
// upwards, and so becomes the posterior joint probability of its members. 0 / 0 is 0 (Jensen,
// Lauritzen & Olesen 1990).
//
// An observed node has one level during the query, so evidence makes tables smaller. So has an
// irrelevant node, one that is neither in the query nor observed nor an ancestor of such a node;
// its table is left out, since it would sum to 1. A table exists only block by block unless it is
// stored for later: P(evidence) alone takes hardly any memory. Where the memory limit has no room
// for stored tables they are computed twice, once in each direction. Cells are products of many
// numbers; in a clique where they could become too small for a double, they are made from sums of
// logarithms.
//
// Time and memory are linear in the cells of the sliced tables; log P is exact to about 1e-13 for
// each clique. Belongs to one thread; the result of a query does not depend on earlier queries.
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

  // `held`: so many bytes of the memory limit the network itself takes.
  explicit Propagation(const JunctionTree &tree,
                       double memory_limit = std::numeric_limits<double>::infinity(),
                       double held = 0);

  // Begins a query. Nodes that are not relevant are left out.
  void set_evidence(const Evidence &evidence, const std::vector<char> &relevant);

  // Which tables collect() stores; none after set_evidence().
  void store(std::size_t clique) { stored_[clique] = true; }
  // These tables too, or none of them, where they do not fit into the memory limit.
  void store_if_they_fit(const std::vector<std::size_t> &cliques);

  // The logarithm of the sum, or of the maximum, of all products: minus infinity when the evidence
  // is impossible. Throws MemoryLimit, Interrupted, TimeLimitReached.
  double collect(Reduction reduction, Watch &watch);

  // After collect(sum), along a path that begins with the root and the last of whose tables is
  // stored: this table becomes the posterior of its members.
  void distribute(const std::vector<std::size_t> &path, Watch &watch);

  // After collect(sum): the same for all tables; returns the posteriors of the nodes, one after
  // another, each with all its levels.
  std::vector<double> distribute_all(Watch &watch);

  const JunctionTree &tree() const { return tree_; }
  const CliquePlan &plan(std::size_t clique) const { return *plan_[clique]; }
  std::size_t extent(Node v) const { return extent_[v]; }
  std::size_t level(Node v) const { return level_[v]; } // of an observed node, otherwise 0
  const Passes &passes() const { return passes_; }

  // After collect(), before distribute(): a table, which stays until the next one is asked for.
  const double *any_table(std::size_t clique, Watch &watch);

  // A stored table, and the message upwards: the sums over the table's residual are `mass` times
  // the message.
  const double *table(std::size_t clique) const { return tables_.get() + table_start_[clique]; }
  const double *message(std::size_t clique) const { return up_.data() + message_start_[clique]; }
  double mass(std::size_t clique) const { return mass_[clique]; }

  // What collect() returned last.
  double log_probability() const { return log_probability_; }

  double memory_limit() const { return memory_limit_; }     // of queries
  [[noreturn]] void throw_memory_limit(double bytes) const; // where a query needs so many
  double bytes() const; // of the current query: stored tables and messages

  // So many cells have been processed: polls the watch now and then, and throws when it stops.
  void count_work(std::size_t cells, Watch &watch) const;

private:
  // A likelihood of one node, in a clique that contains it.
  struct Weight {
    Node node;
    std::vector<double> values; // the largest is 1
    double smallest;            // of those above 0
    TableStrides strides;
  };

  void set_levels(const Evidence &evidence, const std::vector<char> &relevant);
  void update_plans();
  void set_weights(const Evidence &evidence);
  void allocate();
  double smallest_cell(std::size_t clique) const;
  template <class Visit> void for_each_factor(std::size_t clique, Visit visit) const;
  void fill_block(std::size_t clique, std::size_t block, double *cells) const;
  double fill_by_logarithms(std::size_t clique, double *cells, Watch &watch) const;
  double *begin_table(std::size_t clique, double &log_scale, Watch &watch);
  bool normalise_message(std::size_t clique);
  void make_ratios(std::size_t clique);
  template <class Read> void pass_down(std::size_t clique, Read read, Watch &watch);
  void add_to_separator(std::size_t clique, std::size_t child, const double *cells,
                        std::size_t block);

  const JunctionTree &tree_;
  const Passes &passes_;
  const double held_, memory_limit_; // bytes: of the network, and of queries

  std::vector<std::size_t> extent_, level_; // by node
  std::vector<char> relevant_;
  std::vector<std::size_t> offset_;      // by family: where its table is sliced
  std::vector<const CliquePlan *> plan_; // the junction tree's, or that of the query
  std::vector<CliquePlan> query_plan_;
  std::vector<char> stale_;
  std::vector<std::vector<Weight>> weights_; // by clique
  std::vector<std::uint32_t> weighted_;      // the cliques that have any
  double log_scale_ = 0;                     // of the weights

  std::vector<char> stored_;
  std::unique_ptr<double[]> tables_;
  std::size_t allocated_ = 0; // cells of `tables_`
  std::vector<std::size_t> table_start_, message_start_;
  std::vector<double> up_, down_; // messages to the parents, and from them
  std::vector<double> mass_, smallest_message_;
  std::vector<double> block_; // of a table that is not stored
  std::vector<double> whole_; // or this, where it is needed as a whole
  double log_probability_ = 0;
  std::vector<std::size_t> marginal_start_;
  mutable std::size_t unpolled_ = 0; // cells since the watch was polled
};

} // namespace optbn
