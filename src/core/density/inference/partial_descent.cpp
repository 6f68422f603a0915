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
  std::vector<RowOnPath> at_root;
  for (std::uint32_t i = 0; i < numbers.size(); ++i)
    at_root.push_back({i, 0});
  descend(0, at_root);
}

void PartialDescent::descend(std::size_t index, const std::vector<RowOnPath> &rows) {
  if (rows.empty() || watch_->stopped())
    return;
  const CutsetNetwork::CutNode &node = network_.nodes[index];
  if (node.cut == CutsetNetwork::kLeaf)
    return answer_leaf(network_.leaves[node.first], rows);
  const std::uint16_t *const column = rows_->columns[node.cut].data();
  for (unsigned level = 0; level < levels_[node.cut]; ++level) {
    const double log_weight = std::log(network_.nodes[node.first + level].weight);
    if (log_weight == kLogZero)
      continue;
    std::vector<RowOnPath> here;
    for (const RowOnPath &row : rows) {
      const std::uint16_t observed = column[numbers_[row.index]];
      if (observed == level || observed == PartialRows::kMissing)
        here.push_back({row.index, row.log_path + log_weight});
    }
    descend(node.first + level, here);
  }
}

void PartialDescent::answer_leaf(const TreeDensity &tree, const std::vector<RowOnPath> &rows) {
  if (tree_ != &tree) {
    block_ = std::make_unique<TreeBlock>(tree);
    tree_ = &tree;
  }
  std::uint32_t numbers[TreeBlock::kRows];
  double logs[TreeBlock::kRows];
  for (std::size_t first = 0; first < rows.size() && !watch_->stopped();
       first += TreeBlock::kRows) {
    const std::size_t count = std::min(TreeBlock::kRows, rows.size() - first);
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = numbers_[rows[first + i].index];
    block_->collect(*rows_, numbers, count, logs);
    for (std::size_t i = 0; i < count; ++i) {
      double &answer = answers_[rows[first + i].index];
      answer = log_add(answer, rows[first + i].log_path + logs[i]);
    }
  }
}

} // namespace optbn
