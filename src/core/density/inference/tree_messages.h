// TreeMessages: sum-product or max-product (Pearl 1988, chapter 4) in one tree density, with one
// set of evidence.
//
// The belief of a level of a node is its weight by the evidence, times the messages from the node's
// children; a message is the belief times the table, summed or maximised over the levels of the
// node, for each level of its parent. Both are logarithms: a node may have thousands of children
// that contradict each other, so that products underflow at any common scale. Nodes without
// evidence at them or below send ones and cost nothing.
//
// Time O(size of the tables). A workspace, for one thread and any number of trees.
#pragma once

#include "core/density/density.h"
#include "core/density/inference/level_weights.h"

#include <vector>

namespace optbn {

class TreeMessages {
public:
  // log P(evidence); minus infinity for the impossible.
  double collect(const TreeDensity &tree, const LevelWeights &evidence);

  // After collect(), for the same tree: its tables given the evidence, in the same layout. They
  // define a tree density of the same shape; entries are 0 where the parent's level is impossible.
  const std::vector<double> &condition();

  // Sets the levels of the variables of the tree with the largest probability, times the weights of
  // the evidence, together with the best levels of hidden nodes; in a tie the lowest levels, from
  // the root on. Returns the logarithm of that product; if it is minus infinity, the row is not
  // changed.
  double maximise(const TreeDensity &tree, const LevelWeights &evidence, std::uint16_t *row);

private:
  void begin(const TreeDensity &tree, const LevelWeights &evidence);
  double exponentiate(std::size_t m); // sets relative_; returns the largest belief

  const TreeDensity *tree_ = nullptr;
  std::vector<std::size_t> belief_, message_; // where those of each node begin in logs_
  std::vector<char> informed_;                // is there evidence at it or below?
  std::vector<double> logs_;                  // beliefs by level, messages by parent level
  std::vector<double> relative_;              // exp of the beliefs less the largest
  std::vector<unsigned> best_;                // max-product: level by message
  std::vector<double> tables_;                // of condition()
};

} // namespace optbn
