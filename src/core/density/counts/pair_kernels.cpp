#include "core/density/counts/pair_kernels.h"

#include "core/base/simd/lane_log.h"
#include "core/base/simd/lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace optbn {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kRounding = 0x1.8p18; // a sum with it is rounded to a multiple of 2^-34
constexpr double kSlack = 0x1p-32;     // for the rounding of bounds and of mutual informations
constexpr std::size_t kAhead = 128;    // large tables are prefetched so far ahead
constexpr double kRare = 0.1;          // the second bound pays if presence is rarer than this

template <class Lanes> OPTBN_INLINE void at_least_zero(Lanes &x) {
  if_less(x, x, Lanes{}, Lanes{}, x);
}

// sum += x log x
template <class Lanes> OPTBN_INLINE void add_x_log_x(Lanes &sum, const Lanes &x) {
  Lanes log, product;
  logarithm(log, x);
  multiply(product, x, log);
  sum = sum + product;
}

template <class Lanes>
OPTBN_INLINE void all_p_log_p(const double *p, std::size_t size, double *result) {
  for (std::size_t v = 0; v < size; v += width<Lanes>()) {
    Lanes present, sum{};
    load(present, p + v);
    add_x_log_x(sum, present);
    add_x_log_x(sum, 1.0 - present);
    store(result + v, sum);
  }
}

template <class Lanes>
OPTBN_INLINE void margins_of(const Margins &margins, const double *counts, double total,
                             std::size_t size, double *log_likelihood) {
  for (std::size_t v = 0; v < size; v += width<Lanes>()) {
    Lanes p, n, log_p, log_q, x, y, variance;
    load(p, margins.p + v);
    load(n, counts + v);
    const Lanes q = 1.0 - p;
    logarithm(log_p, p);
    logarithm(log_q, q);
    multiply(x, p, log_p);
    multiply(y, q, log_q);
    store(margins.p_log_p + v, x + y);
    store(margins.log_p + v, log_p);
    multiply(x, n, log_p);
    multiply(y, total - n, log_q);
    store(log_likelihood + v, x + y);
    multiply(variance, p, q);
    for (std::size_t lane = 0; lane < width<Lanes>(); ++lane)
      margins.scale[v + lane] = variance[lane] > 0 ? 1 / std::sqrt(variance[lane]) : 0;
  }
}

// Replaces an edge by another that is stronger, or as strong and of smaller rank.
template <class Lanes>
OPTBN_INLINE void prefer(Lanes &strength, Lanes &rank, const Lanes &other,
                         const Lanes &other_rank) {
  Lanes smaller;
  if_less(smaller, other_rank, rank, other_rank, rank);
  if_equal(rank, other, strength, smaller, rank);
  if_less(rank, strength, other, other_rank, rank);
  if_less(strength, strength, other, other, strength);
}

template <class Lanes>
OPTBN_INLINE void update_edges(const Margins &margins, std::size_t u, const double *counts,
                               const RowPrior &prior, double total, std::size_t size,
                               const Fringe &fringe) {
  Lanes per_count, per_share, constant, inverse, p_u, q_u, scale_u, log_p_u;
  fill(per_count, prior.per_count);
  fill(per_share, prior.per_share);
  fill(constant, prior.constant);
  fill(inverse, total > 0 ? 1 / total : 0.0);
  fill(p_u, margins.p[u]);
  fill(q_u, 1 - margins.p[u]);
  fill(scale_u, margins.scale[u]);
  fill(log_p_u, margins.log_p[u]);
  const bool rare = margins.p[u] < kRare;
  Lanes index, u_index, shift;
  fill(u_index, static_cast<double>(u));
  fill(shift, 65536);
  for (std::size_t lane = 0; lane < width<Lanes>(); ++lane)
    index[lane] = static_cast<double>(lane);
  for (std::size_t v = 0; v < size; v += width<Lanes>()) {
    Lanes both, whole, share, p_v, scale_v, strongest, product, correlation, bound;
    load(both, counts + v);
    load(whole, prior.counts + v);
    load(share, prior.shares + v);
    load(p_v, margins.p + v);
    load(scale_v, margins.scale + v);
    load(strongest, fringe.strongest + v);
    const std::size_t ahead = std::min(v + kAhead, size - 1);
    __builtin_prefetch(counts + ahead);
    __builtin_prefetch(prior.counts + ahead);
    multiply(whole, whole, per_count);
    multiply(share, share, per_share);
    both = both + (whole + (share + constant));
    multiply(both, both, inverse);
    multiply(product, p_u, p_v);
    multiply(correlation, both - product, scale_v);
    multiply(correlation, correlation, scale_u);
    multiply(bound, correlation, correlation);
    if (!any_at_least<Lanes>(bound + kSlack, strongest))
      continue;

    Lanes equal{};
    add_x_log_x(equal, both);
    if (rare) {
      Lanes log_p, apart, chance;
      load(log_p, margins.log_p + v);
      multiply(apart, both, log_p_u + log_p);
      multiply(chance, q_u, 1.0 - p_v);
      multiply(chance, bound, 1.0 - chance);
      if (!any_at_least<Lanes>(((equal - apart) - (both - product)) + (chance + kSlack), strongest))
        continue;
    }

    Lanes only_u = p_u - both, only_v = p_v - both, neither = q_u - only_v, margin_v;
    at_least_zero(only_u);
    at_least_zero(only_v);
    at_least_zero(neither);
    Lanes unequal{};
    add_x_log_x(equal, neither);
    add_x_log_x(unequal, only_u);
    add_x_log_x(unequal, only_v);
    load(margin_v, margins.p_log_p + v);
    Lanes information = (equal + unequal) - (margin_v + margins.p_log_p[u]);
    at_least_zero(information);
    information = (information + kRounding) - kRounding;

    Lanes rank, old_rank;
    const Lanes other = index + static_cast<double>(v);
    Lanes low, high;
    if_less(low, other, u_index, other, u_index);
    if_less(high, other, u_index, u_index, other);
    multiply(rank, low, shift);
    rank = rank + high;
    load(old_rank, fringe.rank + v);
    prefer(strongest, old_rank, information, rank);
    store(fringe.strongest + v, strongest);
    store(fringe.rank + v, old_rank);
  }
}

template <class Lanes>
OPTBN_INLINE void strongest_edge(const Fringe &fringe, std::size_t size, double *information,
                                 double *rank) {
  Lanes most, most_rank, lowest;
  fill(lowest, -1.0);
  most = lowest;
  fill(most_rank, kInfinite);
  const Lanes infinite = most_rank;
  for (std::size_t v = 0; v < size; v += width<Lanes>()) {
    Lanes next, next_rank;
    load(next, fringe.strongest + v);
    load(next_rank, fringe.rank + v);
    if_less(next, next, infinite, next, lowest);
    prefer(most, most_rank, next, next_rank);
  }
  *information = -1;
  *rank = kInfinite;
  for (std::size_t lane = 0; lane < width<Lanes>(); ++lane)
    if (most[lane] > *information || (most[lane] == *information && most_rank[lane] < *rank)) {
      *information = most[lane];
      *rank = most_rank[lane];
    }
}

// sum += n log p
template <class Lanes> OPTBN_INLINE void add_n_log_p(Lanes &sum, const Lanes &n, Lanes &p) {
  Lanes log, product;
  at_least_zero(p);
  logarithm(log, p);
  multiply(product, n, log);
  sum = sum + product;
}

template <class Lanes>
OPTBN_INLINE void edge_likelihoods(const double *p_u, const double *p_v, const double *p_both,
                                   const double *n_u, const double *n_v, const double *n_both,
                                   double total, std::size_t size, double *log_likelihood) {
  for (std::size_t i = 0; i < size; i += width<Lanes>()) {
    Lanes u, v, both, in_u, in_v, in_both, sum{};
    load(u, p_u + i);
    load(v, p_v + i);
    load(both, p_both + i);
    load(in_u, n_u + i);
    load(in_v, n_v + i);
    load(in_both, n_both + i);
    Lanes only_u = u - both, only_v = v - both, neither = (1.0 - u) - only_v;
    add_n_log_p(sum, in_both, both);
    add_n_log_p(sum, in_u - in_both, only_u);
    add_n_log_p(sum, in_v - in_both, only_v);
    add_n_log_p(sum, (total - in_u) - (in_v - in_both), neither);
    store(log_likelihood + i, sum);
  }
}

// ---- the same for each instruction set ----------------------------------------------------------

#define OPTBN_KERNELS(set, attribute, Lanes)                                                       \
  namespace set {                                                                                  \
  attribute void p_log_p(const double *p, std::size_t size, double *result) {                      \
    all_p_log_p<Lanes>(p, size, result);                                                           \
  }                                                                                                \
  attribute void margins(const Margins &margins, const double *counts, double total,               \
                         std::size_t size, double *log_likelihood) {                               \
    margins_of<Lanes>(margins, counts, total, size, log_likelihood);                               \
  }                                                                                                \
  attribute void update(const Margins &margins, std::size_t u, const double *counts,               \
                        const RowPrior &prior, double total, std::size_t size,                     \
                        const Fringe &fringe) {                                                    \
    update_edges<Lanes>(margins, u, counts, prior, total, size, fringe);                           \
  }                                                                                                \
  attribute void strongest(const Fringe &fringe, std::size_t size, double *information,            \
                           double *rank) {                                                         \
    strongest_edge<Lanes>(fringe, size, information, rank);                                        \
  }                                                                                                \
  attribute void edges(const double *p_u, const double *p_v, const double *p_both,                 \
                       const double *n_u, const double *n_v, const double *n_both, double total,   \
                       std::size_t size, double *log_likelihood) {                                 \
    edge_likelihoods<Lanes>(p_u, p_v, p_both, n_u, n_v, n_both, total, size, log_likelihood);      \
  }                                                                                                \
  constexpr PairKernels kKernels = {p_log_p, margins, update, strongest, edges};                   \
  }

OPTBN_KERNELS(plain, , Lanes2)
#ifdef OPTBN_AVX2
OPTBN_KERNELS(avx2, OPTBN_AVX2, Lanes4)
OPTBN_KERNELS(avx512, OPTBN_AVX512, Lanes8)
#endif

} // namespace

std::vector<PairKernels> all_pair_kernels() {
  std::vector<PairKernels> kernels = {plain::kKernels};
#ifdef OPTBN_AVX2
  if (has_avx2())
    kernels.push_back(avx2::kKernels);
  if (has_avx512())
    kernels.push_back(avx512::kKernels);
#endif
  return kernels;
}

} // namespace optbn
