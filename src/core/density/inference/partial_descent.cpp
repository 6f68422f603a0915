#include "core/density/inference/partial_descent.h"

#include "core/base/log_sum.h"

#include <algorithm>
#include <cmath>

namespace optbn {

void PartialDescent::log_densities(const PartialRows &rows,
                                   const std::vector<std::uint32_t> &numbers, Watch &watch,
                                   double *answers) {
  rows_ = &rows;
  numbers_ = numbers.data();
  watch_ = &watch;
  answers_ = answers;
  std::fill_n(answers, numbers.size(), kLogZero);
  std::vector<Traveller> travellers;
  for (std::uint32_t i = 0; i < numbers.size(); ++i)
    travellers.push_back({i, 0});
  go(0, travellers);
}

void PartialDescent::go(std::size_t index, const std::vector<Traveller> &travellers) {
  if (travellers.empty() || watch_->stopped())
    return;
  const CutsetNetwork::Place &place = network_.places[index];
  if (place.cut == CutsetNetwork::kLeaf)
    return answer_leaf(network_.leaves[place.first], travellers);
  const std::uint16_t *const column = rows_->columns[place.cut].data();
  for (unsigned level = 0; level < levels_[place.cut]; ++level) {
    const double log_weight = std::log(network_.places[place.first + level].weight);
    if (log_weight == kLogZero)
      continue;
    std::vector<Traveller> here;
    for (const Traveller &traveller : travellers) {
      const std::uint16_t observed = column[numbers_[traveller.index]];
      if (observed == level || observed == PartialRows::kMissing)
        here.push_back({traveller.index, traveller.log_way + log_weight});
    }
    go(place.first + level, here);
  }
}

void PartialDescent::answer_leaf(const TreeDensity &tree,
                                 const std::vector<Traveller> &travellers) {
  if (tree_ != &tree) {
    block_ = std::make_unique<TreeBlock>(tree);
    tree_ = &tree;
  }
  std::uint32_t numbers[TreeBlock::kRows];
  double logs[TreeBlock::kRows];
  for (std::size_t first = 0; first < travellers.size() && !watch_->stopped();
       first += TreeBlock::kRows) {
    const std::size_t count = std::min(TreeBlock::kRows, travellers.size() - first);
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = numbers_[travellers[first + i].index];
    block_->collect(*rows_, numbers, count, logs);
    for (std::size_t i = 0; i < count; ++i) {
      double &answer = answers_[travellers[first + i].index];
      answer = log_add(answer, travellers[first + i].log_way + logs[i]);
    }
  }
}

} // namespace optbn
