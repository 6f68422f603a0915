// RowDensities: a mixture made ready to answer many rows.
//
// Components without hidden members look complete rows up (log_odds_network.h); the other rows go
// through the components by sum-product (partial_descent.h). Rows are answered in blocks that fit
// into a cache, blocks side by side on the host's threads. Those that something is missing from are
// put aside and answered together, thousands of them: sum-product works on many rows at a time, and
// of a block hardly one comes to each leaf. Answers do not depend on the number of threads.
// The functions are those of density_queries.h, and the watch advances by one unit a row.
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
  // Holds on to the mixture. Throws Interrupted or TimeLimitReached when the watch stops.
  RowDensities(const DensityMixture &mixture, Watch &watch);

  std::vector<double> of_mixture(const PartialRows &rows, Watch &watch) const;
  std::vector<double> by_component(const PartialRows &rows, Watch &watch) const;
  std::vector<double> posteriors(const PartialRows &rows, Node variable, Watch &watch) const;

private:
  // What one thread needs to answer a block of rows.
  struct Desk {
    explicit Desk(const RowDensities &densities);
    CompleteRows rows;
    LogOddsNetwork::Workspace workspace;
    std::vector<PartialDescent> descents; // by component
    std::vector<double> scattered;
    std::vector<double> answers; // the first component's for all rows, then the second's
  };
  // Works on rows begin .. begin + count - 1, and on rows that something is missing from.
  using BlockWork = std::function<void(Desk &desk, std::size_t begin, std::size_t count)>;
  using GroupWork = std::function<void(const std::vector<std::uint32_t> &numbers)>;

  // What a block says of rows that something is missing from is void: they come in groups later.
  void for_each_block(std::size_t rows, Watch &watch, const BlockWork &block,
                      const GroupWork &group) const;
  void answer(const PartialRows &rows, std::size_t begin, std::size_t count, Desk &desk,
              Watch &watch) const;
  // As Desk::answers, of any rows.
  std::vector<double> answer_partial(const PartialRows &rows,
                                     const std::vector<std::uint32_t> &numbers, Watch &watch) const;
  // Of row i of `count` that were answered.
  double mix(const std::vector<double> &answers, std::size_t i, std::size_t count,
             std::vector<double> &scratch) const;

  const DensityMixture &mixture_;
  std::vector<double> log_weights_;
  UsualLevels usual_;
  std::vector<std::unique_ptr<LogOddsNetwork>> log_odds_; // null: has hidden members
};

// Has one of its trees hidden members?
bool has_hidden_members(const CutsetNetwork &network);

} // namespace optbn
