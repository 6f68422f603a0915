#include "core/data/source_counter.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr double kCellsPerQuery = SourceCounter::kMostCells;
constexpr std::size_t kCacheBytes = 64u << 20;

bool contains(const Block &block, const Node *set, unsigned size) {
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

  // Adds the best column with which there are at most so many cells; false when none helps.
  bool grow(const std::vector<const Node *> &uncovered_sets, double most) {
    // Per column: sets that it completes, and sets that it brings to one column from complete.
    std::vector<std::pair<double, double>> benefit(levels_.size());
    for (const Node *set : uncovered_sets) {
      Node missing[2] = {};
      unsigned count = 0;
      for (unsigned i = 0; i < size_ && count <= 2; ++i)
        if (!inside_[set[i]] && count++ < 2)
          missing[count - 1] = set[i];
      if (count == 1)
        ++benefit[missing[0]].first;
      else if (count == 2)
        for (const Node column : missing)
          ++benefit[column].second;
    }
    std::pair<double, double> best;
    Node chosen = 0;
    for (Node column = 0; column < benefit.size(); ++column) {
      if (inside_[column] || cells_ * levels_[column] > most)
        continue;
      const double cost = std::log(std::max(2u, levels_[column]));
      const std::pair<double, double> ratios(benefit[column].first / cost,
                                             benefit[column].second / cost);
      if (ratios > best) {
        best = ratios;
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
  std::vector<const Node *> uncovered_sets = sets;
  while (!uncovered_sets.empty()) {
    GrowingBlock growing(uncovered_sets[0], size, levels);
    while (growing.grow(uncovered_sets, most)) {
    }
    blocks.push_back(growing.block());
    uncovered_sets.erase(
        std::remove_if(uncovered_sets.begin(), uncovered_sets.end(),
                       [&](const Node *set) { return contains(blocks.back(), set, size); }),
        uncovered_sets.end());
  }
  return blocks;
}

void for_each_block(RowSource &source, std::vector<Block> blocks,
                    const std::vector<unsigned> &levels, Watch &watch,
                    const std::function<void(Block block, const Dataset &cells)> &visit) {
  for (auto next = blocks.begin(); next != blocks.end() && !watch.stopped();) {
    std::vector<Block> query;
    for (double cells = 0; next != blocks.end() && cells < kCellsPerQuery; ++next) {
      cells += cells_of(*next, levels);
      query.push_back(std::move(*next));
    }
    const std::vector<Dataset> cells = source.cells(query);
    for (std::size_t i = 0; i < query.size(); ++i)
      visit(std::move(query[i]), cells[i]);
  }
}

SourceCounter::SourceCounter(const Dataset &data)
    : source_(*data.source), total_(data.total), levels_(levels_of(data)) {}

void SourceCounter::count(const std::vector<const Node *> &sets, unsigned size, double units,
                          Watch &watch, const Visit &visit) {
  if (size == 0) {
    const CellCounts all{{static_cast<std::uint32_t>(total_)}, 0};
    for (std::size_t i = 0; i < sets.size(); ++i)
      visit(i, all);
    return;
  }
  std::vector<std::size_t> uncovered_sets(sets.size());
  std::iota(uncovered_sets.begin(), uncovered_sets.end(), std::size_t{0});
  const auto count_within = [&](const CachedBlock &cached) {
    const auto outside =
        std::stable_partition(uncovered_sets.begin(), uncovered_sets.end(), [&](std::size_t i) {
          return !contains(cached.block, sets[i], size);
        });
    const std::vector<std::size_t> within(outside, uncovered_sets.end());
    if (within.empty())
      return;
    uncovered_sets.erase(outside, uncovered_sets.end());
    std::vector<const Node *> wanted;
    for (const std::size_t i : within)
      wanted.push_back(sets[i]);
    const double share = static_cast<double>(wanted.size()) / static_cast<double>(sets.size());
    count_rows(DistinctRows(cached.cells), wanted, size, units * share, watch,
               [&](std::size_t i, const CellCounts &cells) { visit(within[i], cells); });
  };

  for (const CachedBlock &cached : cache_)
    count_within(cached);
  std::vector<const Node *> uncovered;
  for (const std::size_t i : uncovered_sets)
    uncovered.push_back(sets[i]);
  for_each_block(source_, cover(uncovered, size, levels_, kMostCells), levels_, watch,
                 [&](Block block, const Dataset &cells) {
                   add_to_cache(std::move(block), cells);
                   count_within(cache_.back());
                 });
}

void SourceCounter::add_to_cache(Block block, Dataset cells) {
  const auto bytes_of = [](const CachedBlock &cached) {
    return cached.cells.rows * (2 * cached.block.size() + sizeof(std::uint32_t));
  };
  cache_.push_back({std::move(block), std::move(cells)});
  bytes_ += bytes_of(cache_.back());
  for (; bytes_ > kCacheBytes && cache_.size() > 1; cache_.pop_front())
    bytes_ -= bytes_of(cache_.front());
}

} // namespace optbn
