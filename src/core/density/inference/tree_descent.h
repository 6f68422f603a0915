// TreeDescent: from the roots of a tree density down, for marginals and draws.
//
// `tables` are those of the tree, or those of TreeMessages::condition() for evidence. Time O(size
// of the tables) for marginals, O(levels of the nodes) for a draw. A workspace, for one thread and
// any number of trees.
#pragma once

#include "core/base/random.h"
#include "core/density/density.h"
#include "core/density/inference/level_weights.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class TreeDescent {
public:
  // Adds `mass` times the marginal of every variable of the tree to `cells`, where the levels of
  // variable v begin at evidence.first(v).
  void add_marginals(const TreeDensity &tree, const std::vector<double> &tables, double mass,
                     const LevelWeights &evidence, double *cells);
  // Adds `mass` times the probability of each level of a node together with each level of its
  // parent to `expected`, in the layout of the tables.
  void add_pairs(const TreeDensity &tree, const std::vector<double> &tables, double mass,
                 double *expected);
  // Draws the levels of its variables.
  void draw(const TreeDensity &tree, const std::vector<double> &tables, Random &random,
            std::uint16_t *row);

private:
  // visit(cell of the tables, mass there); sets marginals_ to the masses of the levels of nodes.
  template <class Visit>
  void descend(const TreeDensity &tree, const std::vector<double> &tables, double mass,
               Visit visit);

  std::vector<double> marginals_;
  std::vector<std::size_t> first_; // where the levels of each node begin in marginals_
  std::vector<std::uint16_t> levels_;
};

} // namespace optbn
