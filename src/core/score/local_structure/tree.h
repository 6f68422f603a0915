// Tree: a decision tree over the parents of a node, the result of PcartScore::best_tree().
#pragma once

#include <cstdint>
#include <vector>

namespace optbn {

struct TreeNode {
  static constexpr int kLeaf = -1;

  int parent = kLeaf;                // which of the parents is split on, from 0
  std::uint32_t left = 0, right = 0; // indices of the children
  unsigned cell = 0;                 // continuous: cells before this one go left
  std::vector<unsigned> levels;      // discrete: these levels go left, all others right
  std::uint32_t rows = 0;
};

struct Tree {
  std::vector<TreeNode> nodes; // in preorder, the root first
  double log_leaf = 0, log_norm = 0, score = 0;
};

} // namespace optbn
