#include "core/data/source_counter.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr double kCellsOfPass = SourceCounter::kMostCells;
constexpr std::size_t kBytesHeld = 64u << 20;

bool holds(const Block &block, const Node *set, unsigned size) {
  return std::includes(block.begin(), block.end(), set, set + size);
}

// One block of a cover: which columns are in, and how many cells they have.
class GrowingBlock {
public:
  GrowingBlock(const Node *set, unsigned size, const std::vector<unsigned> &levels)
      : size_(size), levels_(levels), inside_(levels.size(), 0) {
    for (unsigned i = 0; i < size; ++i)
      add(set[i]);
  }

  // Takes in the best column that leaves at most so many cells; false when none helps.
  bool grow(const std::vector<const Node *> &open, double most) {
    // Per column: sets that it completes, and sets that it brings to one column from complete.
    std::vector<std::pair<double, double>> worth(levels_.size());
    for (const Node *set : open) {
      Node missing[2] = {};
      unsigned count = 0;
      for (unsigned i = 0; i < size_ && count <= 2; ++i)
        if (!inside_[set[i]] && count++ < 2)
          missing[count - 1] = set[i];
      if (count == 1)
        ++worth[missing[0]].first;
      else if (count == 2)
        for (const Node column : missing)
          ++worth[column].second;
    }
    std::pair<double, double> best;
    Node chosen = 0;
    for (Node column = 0; column < worth.size(); ++column) {
      if (inside_[column] || cells_ * levels_[column] > most)
        continue;
      const double price = std::log(levels_[column]);
      const std::pair<double, double> offer(worth[column].first / price,
                                            worth[column].second / price);
      if (offer > best) {
        best = offer;
        chosen = column;
      }
    }
    if (best.first == 0 && best.second == 0)
      return false;
    add(chosen);
    return true;
  }

  Block block() const {
    Block columns;
    for (Node column = 0; column < inside_.size(); ++column)
      if (inside_[column])
        columns.push_back(column);
    return columns;
  }

private:
  void add(Node column) {
    inside_[column] = 1;
    cells_ *= levels_[column];
  }

  const unsigned size_;
  const std::vector<unsigned> &levels_;
  std::vector<char> inside_;
  double cells_ = 1;
};

double cells_of(const Block &block, const std::vector<unsigned> &levels) {
  return std::accumulate(block.begin(), block.end(), 1.0,
                         [&](double product, Node column) { return product * levels[column]; });
}

} // namespace

std::vector<Block> cover(const std::vector<const Node *> &sets, unsigned size,
                         const std::vector<unsigned> &levels, double most) {
  std::vector<Block> blocks;
  std::vector<const Node *> open = sets;
  while (!open.empty()) {
    GrowingBlock growing(open[0], size, levels);
    while (growing.grow(open, most)) {
    }
    blocks.push_back(growing.block());
    open.erase(std::remove_if(open.begin(), open.end(),
                              [&](const Node *set) { return holds(blocks.back(), set, size); }),
               open.end());
  }
  return blocks;
}

void for_each_block(RowSource &source, std::vector<Block> blocks,
                    const std::vector<unsigned> &levels, Watch &watch,
                    const std::function<void(Block block, const Dataset &cells)> &visit) {
  for (auto next = blocks.begin(); next != blocks.end() && !watch.stopped();) {
    std::vector<Block> pass;
    for (double cells = 0; next != blocks.end() && cells < kCellsOfPass; ++next) {
      cells += cells_of(*next, levels);
      pass.push_back(std::move(*next));
    }
    const std::vector<Dataset> cells = source.cells(pass);
    for (std::size_t i = 0; i < pass.size(); ++i)
      visit(std::move(pass[i]), cells[i]);
  }
}

SourceCounter::SourceCounter(const Dataset &data)
    : source_(*data.source), total_(data.total), levels_(levels_of(data)) {}

void SourceCounter::count(const std::vector<const Node *> &sets, unsigned size, double units,
                          Watch &watch, const Take &take) {
  if (size == 0) {
    const CellCounts all{{static_cast<std::uint32_t>(total_)}, 0};
    for (std::size_t i = 0; i < sets.size(); ++i)
      take(i, all);
    return;
  }
  std::vector<std::size_t> open(sets.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  const auto count_within = [&](const Held &held) {
    const auto outside = std::stable_partition(
        open.begin(), open.end(), [&](std::size_t i) { return !holds(held.block, sets[i], size); });
    const std::vector<std::size_t> within(outside, open.end());
    open.erase(outside, open.end());
    std::vector<const Node *> wanted;
    for (const std::size_t i : within)
      wanted.push_back(sets[i]);
    const double share = static_cast<double>(wanted.size()) / static_cast<double>(sets.size());
    count_rows(held.cells, BitColumns(held.cells), wanted, size, units * share, watch,
               [&](std::size_t i, const CellCounts &cells) { take(within[i], cells); });
  };

  for (const Held &held : held_)
    count_within(held);
  std::vector<const Node *> uncovered;
  for (const std::size_t i : open)
    uncovered.push_back(sets[i]);
  for_each_block(source_, cover(uncovered, size, levels_, kMostCells), levels_, watch,
                 [&](Block block, const Dataset &cells) {
                   hold(std::move(block), distinct_rows(cells));
                   count_within(held_.back());
                 });
}

void SourceCounter::hold(Block block, Dataset cells) {
  const auto bytes_of = [](const Held &held) {
    return held.cells.rows * (2 * held.block.size() + sizeof(std::uint32_t));
  };
  held_.push_back({std::move(block), std::move(cells)});
  bytes_ += bytes_of(held_.back());
  for (; bytes_ > kBytesHeld && held_.size() > 1; held_.pop_front())
    bytes_ -= bytes_of(held_.front());
}

} // namespace optbn
