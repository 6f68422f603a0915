// RowDensities: a mixture preprocessed for queries about many rows.
//
// Complete rows are evaluated by look-ups in components without hidden nodes (log_odds_network.h),
// all others by sum-product (partial_descent.h). Rows are processed in blocks that fit into a
// cache, blocks in parallel on the host's threads. Incomplete rows are collected from many blocks
// and evaluated together: sum-product works on many rows at a time, and few rows of one block reach
// the same leaf. Results do not depend on the number of threads. The functions are those of
// density_queries.h, and the watch advances by one unit per row.
#pragma once

#include "core/base/host.h"
#include "core/data/partial_rows.h"
#include "core/density/density.h"
#include "core/density/inference/complete_rows.h"
#include "core/density/inference/log_odds_network.h"
#include "core/density/inference/partial_descent.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace optbn {

class RowDensities {
public:
  // The mixture must outlive this object. Throws Interrupted or TimeLimitReached when the watch
  // stops.
  RowDensities(const DensityMixture &mixture, Watch &watch);

  std::vector<double> of_mixture(const PartialRows &rows, Watch &watch) const;
  std::vector<double> by_component(const PartialRows &rows, Watch &watch) const;
  std::vector<double> posteriors(const PartialRows &rows, Node variable, Watch &watch) const;

private:
  // The workspace of one thread for a block of rows.
  struct BlockWorkspace {
    explicit BlockWorkspace(const RowDensities &densities);
    CompleteRows rows;
    LogOddsNetwork::Workspace workspace;
    std::vector<PartialDescent> descents; // by component
    std::vector<double> scattered;
    std::vector<double> answers; // the first component's for all rows, then the second's
  };
  // Evaluates rows begin .. begin + count - 1, and a group of incomplete rows.
  using BlockWork =
      std::function<void(BlockWorkspace &workspace, std::size_t begin, std::size_t count)>;
  using GroupWork = std::function<void(const std::vector<std::uint32_t> &numbers)>;

  // Answers of a block for its incomplete rows are ignored: these come in groups later.
  void for_each_block(std::size_t rows, Watch &watch, const BlockWork &block,
                      const GroupWork &group) const;
  void answer(const PartialRows &rows, std::size_t begin, std::size_t count,
              BlockWorkspace &workspace, Watch &watch) const;
  // As BlockWorkspace::answers, for any rows.
  std::vector<double> answer_partial(const PartialRows &rows,
                                     const std::vector<std::uint32_t> &numbers, Watch &watch) const;
  // The log density in the mixture of row i of `count` rows.
  double mix(const std::vector<double> &answers, std::size_t i, std::size_t count,
             std::vector<double> &scratch) const;

  const DensityMixture &mixture_;
  std::vector<double> log_weights_;
  ReferenceLevels reference_;
  std::vector<std::unique_ptr<LogOddsNetwork>> log_odds_; // null: has hidden nodes
};

// Has one of its trees hidden nodes?
bool has_hidden_nodes(const CutsetNetwork &network);

} // namespace optbn
