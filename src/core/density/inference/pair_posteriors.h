// PairPosteriors: how often a tree density expects every pair of items in rows with missing levels.
//
// What is known separates the missing variables of a row into islands, the connected parts of the
// tree that they form. Sum-product (Pearl 1988, chapter 4) goes up each island, in logarithms, as
// in tree_messages.h, and down again; the joint posterior of two variables of an island follows
// along the path between them:
//   P(u, v | known) = sum over levels of w P(u, w | known) P(v | w, known), w the parent of v.
// Variables of different islands are independent. With m the posterior of an item, 1 or 0 where its
// variable is known, items i and j are expected m_i m_j times, plus their covariance if they are of
// one island.
//
// Time O(items^2) a row at most: of the items that it has or may have. A workspace, for one thread.
#pragma once

#include "core/data/partial_rows.h"
#include "core/density/counts/items.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/density.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class PairPosteriors {
public:
  // Of a tree without hidden nodes, over all variables; it and the items must outlive this object.
  PairPosteriors(const TreeDensity &tree, const Items &items);

  // Returns log P of what the row knows, and adds to the counts, on the diagonal and right of it,
  // `weight` times the posterior of each pair of items; nothing if what it knows is impossible.
  double add(const PartialRows &rows, std::size_t row, double weight, PairCounts &counts);

private:
  static constexpr std::uint32_t kKnown = 0xffffffff;

  bool known(std::size_t node) const { return island_[node] == kKnown; }
  bool separated(std::size_t node) const; // is it a root, or is its parent known?
  void read(const PartialRows &rows, std::size_t row);
  double collect();
  double message(std::size_t node, std::size_t parent_level, double *posterior);
  void distribute();
  void join();
  void join(std::size_t a, std::size_t b);
  double joint(std::size_t a, std::size_t b, std::size_t x, std::size_t y) const;
  void count(double weight, PairCounts &counts);
  void count_island_pairs(double weight, PairCounts &counts) const;

  double log_probability(std::size_t node, std::size_t parent_level) const {
    const TreeDensity::TreeNode &n = tree_.nodes[node];
    return log_tables_[n.table + parent_level * n.levels + level_[node]];
  }
  std::size_t first_item(std::size_t node) const { // of its level 1
    return items_.first(tree_.nodes[node].variable);
  }

  const TreeDensity &tree_;
  const Items &items_;
  std::vector<double> log_tables_;
  std::vector<std::uint32_t> node_of_; // by variable
  // By node:
  std::vector<std::uint16_t> level_;   // that is known
  std::vector<std::uint32_t> island_;  // the root of its island, or kKnown
  std::vector<char> informed_;         // is something known below?
  std::vector<std::uint32_t> place_;   // in `missing_`
  std::vector<std::size_t> first_;     // where its levels begin in the next two
  std::vector<double> below_;          // log P(known below | level)
  std::vector<double> posterior_;      // P(level | known)
  std::vector<double> conditional_;    // P(level | parent's level, known), in the tree's layout
  std::vector<std::uint32_t> missing_; // nodes, parents before their children
  std::vector<std::size_t> offset_;    // of two places: where their joint posterior begins in
  std::vector<double> joints_;         // the level of the first place fastest
  struct Item {
    std::size_t item;
    double posterior;
  };
  std::vector<Item> possible_; // ascending
};

} // namespace optbn
