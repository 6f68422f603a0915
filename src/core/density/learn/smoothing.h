// Smoothing: the prior that turns counts of a slice of the data into probabilities.
//
// With M the rows of the whole training set, N those of the slice, k_u the levels of u:
//   joint     p_uv = (N_uv + a q_uv) / (N + a), p_u likewise, theta = p_uv / p_v, where
//             q_uv = (M_uv + 1 / (k_u k_v)) / (M + 1) comes from the whole training set
//   marginal  theta(x | y) = (N_xy + a q_x) / (N_y + a): the formula as Di Mauro et al. (2015)
//             print it; the distribution depends on the root, and mutual information is that of
//             the counts
//   product   as joint, with q_uv = q_u q_v
//   laplace   a for every cell: p_uv = (N_uv + a) / (N + a k_u k_v); a root as if it were in a pair
//             with another variable of as many levels
//   uniform   as product, with q_u = 1 / k_u: a imaginary rows, spread evenly over the cells
// In the first three a is alpha M on the whole set and alpha N on a slice: `alpha` is the weight of
// the prior as a share of the rows. In the others a is alpha itself, on every slice. A distribution
// with neither counts nor a prior is uniform.
#pragma once

#include "core/density/counts/items.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/counts/pair_kernels.h"

#include <vector>

namespace optbn {

enum class Prior { joint, marginal, product, laplace, uniform };

struct Smoothing {
  Prior prior = Prior::joint;
  double alpha = 0.1; // at least 0
};

// The tables of any slice of a training set. Safe to share between threads.
class Smoother {
public:
  // `whole`: counts of the whole training set, which must outlive the smoother, as must `items`.
  Smoother(const Smoothing &smoothing, const Items &items, const PairCounts &whole);

  const Items &items() const { return items_; }
  const Smoothing &smoothing() const { return smoothing_; }

  // a on a slice of so many rows.
  double strength(double total) const;

  // How many rows, spread evenly over all cells, have the effect of the prior on the whole set, so
  // that a tree is the most likely one of the rows and these; 0 where there are no such rows. (Of
  // the joint prior: N_uv + a (N_uv + 1 / (k_u k_v)) / (N + 1) is in proportion to it.)
  double imaginary_rows() const;

  // p_uv, the level of u fastest, for mutual information.
  void joint(const PairCounts &counts, Node u, Node v, double *table) const;

  // P(u | v), the level of u fastest, and P(u).
  void conditional(const PairCounts &counts, Node u, Node v, double *table) const;
  void alone(const PairCounts &counts, Node u, double *levels) const;

  // Turns counts of the levels of u into P(u).
  void smooth(Node u, double total, double *levels) const;

  // For two-level variables, of being present: what the prior adds to the counts of u with every
  // other variable, where it is of strength a; what it adds to those of u alone; and to all rows.
  RowPrior row_prior(Node u, double a) const;
  double prior_alone(Node u, double a) const;
  double prior_total(double a) const;

private:
  double share(Node v, unsigned level) const { return levels_[first_[v] + level]; }
  void add_shares(Node u, Node v, double a, double *table) const;

  const Smoothing smoothing_;
  const Items &items_;
  const PairCounts &whole_;
  std::vector<std::size_t> first_; // by variable, into levels_
  std::vector<double> levels_;     // q_u
  std::vector<double> present_;    // q_u of level 1 where all have two levels, padded
};

} // namespace optbn
