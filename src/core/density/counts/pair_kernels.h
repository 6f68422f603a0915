// The loops over pairs of two-level variables in which learning spends its time.
//
// The table of a pair follows from its margins and the probability (or the count) of u and v both
// being present. Arrays are padded to full vectors (PairCounts::kWidth).
// In a Chow-Liu tree of n variables most of the n^2 / 2 pairs are weak. The squared correlation of
// two-level variables is no smaller than their mutual information (log(1 + x) <= x in the
// chi-squared bound on the divergence), and costs one multiplication where that costs four
// logarithms: Prim's algorithm computes information where the bound exceeds the strongest edge so
// far, and remains exact. Where a variable is rarely present that bound is loose, and a second one
// follows, of one logarithm: with d the covariance, r the correlation and q = 1 - p,
//   information <= p_both log(p_both / (p_u p_v)) - d + r^2 (1 - q_u q_v),
// as log t <= t - 1 in the cells other than that of both being present.
//
// Vector instructions are chosen by what the processor can run; all give the same bits.
#pragma once

#include <cstddef>
#include <vector>

namespace optbn {

// The fringe of Prim's algorithm: for each variable outside the spanning tree so far its strongest
// edge into it, as mutual information rounded to multiples of 2^-34, and the rank of that edge
// among equal ones. Infinite for variables that are in the tree or not in the scope.
struct Fringe {
  double *strongest, *rank;
};

// Proportions of variables on a slice: p of being present, log p, the entropy-like p log p + (1 -
// p) log(1 - p), and 1 / sqrt(p (1 - p)), or 0.
struct Margins {
  double *p, *log_p, *p_log_p, *scale;
};

// What a prior adds to the counts of u together with each v:
//   per_count counts[v] + per_share shares[v] + constant
struct RowPrior {
  const double *counts, *shares;
  double per_count, per_share, constant;
};

struct PairKernels {
  // p log p + (1 - p) log(1 - p)
  void (*p_log_p)(const double *p, std::size_t size, double *result);

  // Margins from p; and log_likelihood[v] = count log p + (total - count) log(1 - p).
  void (*margins)(const Margins &margins, const double *counts, double total, std::size_t size,
                  double *log_likelihood);

  // u is added to the tree: updates the fringe by its edges. p_both = (counts + prior) / total, of
  // u and every other variable. Skips pairs that cannot be stronger, since their information is at
  // most the squared correlation.
  void (*update)(const Margins &margins, std::size_t u, const double *counts, const RowPrior &prior,
                 double total, std::size_t size, const Fringe &fringe);

  // The strongest edge of the fringe: its information (-1 if all are infinite) and rank.
  void (*strongest)(const Fringe &fringe, std::size_t size, double *information, double *rank);

  // For edges i: sum over the cells of count log p.
  void (*edges)(const double *p_u, const double *p_v, const double *p_both, const double *n_u,
                const double *n_v, const double *n_both, double total, std::size_t size,
                double *log_likelihood);
};

// Those that this machine can run, from the plain ones to the fastest.
std::vector<PairKernels> all_pair_kernels();
inline PairKernels pair_kernels() { return all_pair_kernels().back(); }

} // namespace optbn
