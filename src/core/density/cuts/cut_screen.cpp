#include "core/density/cuts/cut_screen.h"

#include "core/density/cuts/cut_rules.h"

#include <cmath>

namespace optbn {

CutScreen::CutScreen(const Slice &slice, const PairCounts &counts, const SpanningTree &tree,
                     const Smoother &smoother, PairCounts &part)
    : items_(smoother.items()), counts_(counts), tree_(tree), pairs_(edge_pairs(tree, items_)),
      within_(slice, pairs_), learner_(smoother), part_(part) {}

double CutScreen::likelihood(Node v) {
  const SpanningTree below = within(tree_, without(tree_.order, v));
  const std::vector<double> sizes = part_sizes(counts_, items_, v);
  together_.resize(sizes.size() - 1);
  for (unsigned level = 1; level < sizes.size(); ++level)
    within_.count(v, level, together_[level - 1]);
  double sum = 0;
  for (unsigned level = 0; level < sizes.size(); ++level) {
    set_part(v, level, sizes[level]);
    sum += sizes[level] * std::log(sizes[level] / counts_.total) +
           learner_.log_likelihood(part_, below);
  }
  return sum;
}

std::uint64_t CutScreen::steps() const { return within_.steps() + 16 * pairs_.size(); }

// Sets the counts of the part, for items and for the edges of the tree only.
void CutScreen::set_part(Node v, unsigned level, double size) {
  part_.total = size;
  const std::size_t begin = items_.first(v), end = items_.first(v + 1u);
  for (std::size_t item = 0; item < items_.size(); ++item) {
    double &alone = part_.row(item)[item];
    alone = level > 0 ? counts_.row(begin + level - 1)[item] : counts_.alone(item);
    for (std::size_t other = begin; level == 0 && other < end; ++other)
      alone -= counts_.row(other)[item];
  }
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    const auto [one, other] = pairs_[pair];
    double &together = part_.row(other)[one];
    together = level > 0 ? together_[level - 1][pair] : counts_.row(other)[one];
    for (std::size_t with = 0; level == 0 && with < together_.size(); ++with)
      together -= together_[with][pair];
  }
}

} // namespace optbn
