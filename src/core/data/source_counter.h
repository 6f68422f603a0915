// SourceCounter: the cell counts of column sets whose rows a RowSource keeps.
//
// A query to a source reads all of its rows, however few columns it names; a set costs hardly
// anything once the cells of a block that contains its columns are in memory. So sets are covered
// by few blocks, as large as their cells allow; one query fetches several blocks; and blocks are
// cached as long as there is room, as the sets of the next level are mostly within them.
//
// Cells are sorted, so that counts have one order whatever the source.
#pragma once

#include "core/data/row_source.h"
#include "core/data/set_counter.h"

#include <deque>

namespace optbn {

// Blocks that together contain all sets, each of at most `most` cells (products of levels), unless
// a set has more by itself. Greedy: a block begins with the first set that is in none, and adds the
// column with which it contains most further sets.
std::vector<Block> cover(const std::vector<const Node *> &sets, unsigned size,
                         const std::vector<unsigned> &levels, double most);

// Asks the source for the cells of blocks, a few at a time, until the watch stops.
void for_each_block(RowSource &source, std::vector<Block> blocks,
                    const std::vector<unsigned> &levels, Watch &watch,
                    const std::function<void(Block block, const Dataset &cells)> &visit);

class SourceCounter final : public SetCounter {
public:
  // Of a block that contains several sets: few enough for the working memory of a database (4 MB by
  // default in PostgreSQL) to hold the groups.
  static constexpr double kMostCells = 30000;

  explicit SourceCounter(const Dataset &data); // which has a source

  void count(const std::vector<const Node *> &sets, unsigned size, double units, Watch &watch,
             const Visit &visit) override;

private:
  struct CachedBlock {
    Block block;
    Dataset cells;
  };

  void add_to_cache(Block block, Dataset cells);

  RowSource &source_;
  const std::uint64_t total_;
  const std::vector<unsigned> levels_;
  std::deque<CachedBlock> cache_; // the newest last
  std::size_t bytes_ = 0;         // of the cached blocks
};

} // namespace optbn
