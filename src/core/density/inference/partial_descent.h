// PartialDescent: rows with missing levels, or under hidden members, on their way through one
// cutset network.
//
// Rows go down the cuts together; one whose level at a cut is missing goes all ways, with the
// weights of the cuts as it goes. Leaves answer by sum-product, a block of rows at a time
// (tree_block.h), and a row adds up what the leaves say that it came to. A workspace, for one
// thread.
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
  // Holds on to the network.
  PartialDescent(const CutsetNetwork &network, const std::vector<unsigned> &levels)
      : network_(network), levels_(levels) {}

  // answers[i] = log P of what is observed in row numbers[i]. Unfinished when the watch stops.
  void log_densities(const PartialRows &rows, const std::vector<std::uint32_t> &numbers,
                     Watch &watch, double *answers);

private:
  // A row at some place.
  struct Traveller {
    std::uint32_t index; // of its answer
    double log_way;      // log of the weights of the cuts on its way
  };

  void go(std::size_t place, const std::vector<Traveller> &travellers);
  void answer_leaf(const TreeDensity &tree, const std::vector<Traveller> &travellers);

  const CutsetNetwork &network_;
  const std::vector<unsigned> &levels_;
  const PartialRows *rows_ = nullptr;
  const std::uint32_t *numbers_ = nullptr;
  Watch *watch_ = nullptr;
  double *answers_ = nullptr;
  const TreeDensity *tree_ = nullptr; // what block_ is of
  std::unique_ptr<TreeBlock> block_;  // kept for the next rows: it is large
};

} // namespace optbn
