// The loops over pairs of two-level variables in which learning spends its time.
//
// Tables of pairs are given by their margins: of u and v both being present the probability (or
// the count), the other cells follow. Arrays are padded to whole vectors (PairCounts::kWidth).
// In a Chow-Liu tree of n variables most of the n^2 / 2 pairs are weak. The squared correlation of
// two-level variables is no smaller than their mutual information (log(1 + x) <= x in the
// chi-squared bound on the divergence), and costs one multiplication where that costs four
// logarithms: Prim's algorithm computes information where the bound exceeds the strongest edge so
// far, and remains exact. Where a variable is rarely present that bound is loose, and a second one
// follows, of one logarithm: with d the covariance, r the correlation and q = 1 - p,
//   information <= p_both log(p_both / (p_u p_v)) - d + r^2 (1 - q_u q_v),
// as log t <= t - 1 in the cells other than that of both being present.
//
// Vector instructions are picked by what the processor can do; all give the same bits.
#pragma once

#include <cstddef>
#include <vector>

namespace optbn {

// What the variables outside a growing spanning tree know: the strongest edge into it, as its
// mutual information rounded to multiples of 2^-34, and the rank of that edge among equal ones.
// Infinite where a variable is in the tree, or takes no part.
struct Border {
  double *strongest, *rank;
};

// Proportions of variables on a slice: p of being present, log p, the entropy-like p log p + (1 -
// p) log(1 - p), and 1 / sqrt(p (1 - p)), or 0.
struct Margins {
  double *p, *log_p, *p_log_p, *scale;
};

// What a prior adds to the counts of u together with each v:
//   per_whole whole[v] + per_share share[v] + everywhere
struct RowPrior {
  const double *whole, *share;
  double per_whole, per_share, everywhere;
};

struct PairKernels {
  // p log p + (1 - p) log(1 - p)
  void (*p_log_p)(const double *p, std::size_t size, double *result);

  // Margins from p; and log_likelihood[v] = count log p + (total - count) log(1 - p).
  void (*margins)(const Margins &margins, const double *counts, double total, std::size_t size,
                  double *log_likelihood);

  // u joins: its edges are offered to the border. p_both = (counts + prior) / total, of u and every
  // other variable. Pairs that cannot be stronger, as information is at most the squared
  // correlation, are passed over.
  void (*offer)(const Margins &margins, std::size_t u, const double *counts, const RowPrior &prior,
                double total, std::size_t size, const Border &border);

  // The strongest edge on the border: its information (-1 where all are infinite) and rank.
  void (*strongest)(const Border &border, std::size_t size, double *information, double *rank);

  // For edges i: sum over the cells of count log p.
  void (*edges)(const double *p_u, const double *p_v, const double *p_both, const double *n_u,
                const double *n_v, const double *n_both, double total, std::size_t size,
                double *log_likelihood);
};

// Those that this machine can run, from the plain ones to the fastest.
std::vector<PairKernels> all_pair_kernels();
inline PairKernels pair_kernels() { return all_pair_kernels().back(); }

} // namespace optbn
