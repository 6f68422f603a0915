// TreeMessages: one piece of evidence through one tree density, by sum-product or max-product
// (Pearl 1988, chapter 4).
//
// The belief of a level of a member is its weight by the evidence, times what the members below say
// of it; a message is the belief summed or maximised over the levels of the member, given one of
// its parent. Both are kept as logarithms: a member may have thousands of children that contradict
// each other, whose products no common scale could hold. Members with no evidence below them send
// ones and cost nothing.
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

  // After collect(), of the same tree: its tables given the evidence, laid out alike. They make a
  // tree density of the same shape; zeros stand where the parent's level is impossible.
  const std::vector<double> &condition();

  // The levels of the variables of the tree whose probability, times the weights of the evidence
  // and together with the best levels of hidden members, is largest: of several the lowest, from
  // the root on. Gives the logarithm of that product; minus infinity leaves the row alone.
  double maximise(const TreeDensity &tree, const LevelWeights &evidence, std::uint16_t *row);

private:
  void begin(const TreeDensity &tree, const LevelWeights &evidence);
  double weigh(std::size_t m); // relative_ = beliefs relative to the largest, which it gives

  const TreeDensity *tree_ = nullptr;
  std::vector<std::size_t> belief_, message_; // where those of each member begin in `logs_`
  std::vector<char> informed_;                // is there evidence at it or below?
  std::vector<double> logs_;                  // beliefs by level, messages by parent level
  std::vector<double> relative_;              // scratch of weigh()
  std::vector<unsigned> best_;                // max-product: level by message
  std::vector<double> tables_;                // of condition()
};

} // namespace optbn
