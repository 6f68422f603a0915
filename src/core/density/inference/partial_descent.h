// PartialDescent: log densities in one cutset network of rows with missing levels, or with hidden
// nodes.
//
// Rows descend the tree of cuts together; a row whose level at a cut is missing descends all
// branches, with the weights of the cuts. Leaves are evaluated by sum-product, a block of rows at a
// time (tree_block.h), and the density of a row is the sum over the leaves that it reaches. A
// workspace, for one thread.
#pragma once

#include "core/base/host.h"
#include "core/data/partial_rows.h"
#include "core/density/density.h"
#include "core/density/inference/tree_block.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace optbn {

class PartialDescent {
public:
  // The network must outlive this object.
  PartialDescent(const CutsetNetwork &network, const std::vector<unsigned> &levels)
      : network_(network), levels_(levels) {}

  // answers[i] = log P of what is observed in row numbers[i]. Unfinished when the watch stops.
  void log_densities(const PartialRows &rows, const std::vector<std::uint32_t> &numbers,
                     Watch &watch, double *answers);

private:
  // A row at some node.
  struct RowOnPath {
    std::uint32_t index; // of its answer
    double log_path;     // log of the weights of the cuts on its path
  };

  void descend(std::size_t node, const std::vector<RowOnPath> &rows);
  void answer_leaf(const TreeDensity &tree, const std::vector<RowOnPath> &rows);

  const CutsetNetwork &network_;
  const std::vector<unsigned> &levels_;
  const PartialRows *rows_ = nullptr;
  const std::uint32_t *numbers_ = nullptr;
  Watch *watch_ = nullptr;
  double *answers_ = nullptr;
  const TreeDensity *tree_ = nullptr; // the tree of block_
  std::unique_ptr<TreeBlock> block_;  // reused for the next rows: it is large
};

} // namespace optbn
