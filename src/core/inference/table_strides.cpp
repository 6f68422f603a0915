#include "core/inference/table_strides.h"

#include "core/base/simd/processor.h"

#include <algorithm>

namespace optbn {

void TableStrides::set(const std::size_t *extent, const std::size_t *stride, std::size_t variables,
                       std::size_t split) {
  depth_ = 0;
  outer_.clear();
  for (std::size_t i = 0; i < split; ++i) {
    if (extent[i] == 1)
      continue;
    if (depth_ > 0 && stride[i] == inner_[depth_ - 1].stride * inner_[depth_ - 1].count)
      inner_[depth_ - 1].count *= extent[i];
    else
      inner_[depth_++] = {extent[i], stride[i]};
  }
  if (depth_ == 0)
    inner_[depth_++] = {1, 0};
  for (std::size_t i = split; i < variables; ++i) {
    if (extent[i] == 1)
      continue;
    if (!outer_.empty() && stride[i] == outer_.back().stride * outer_.back().count)
      outer_.back().count *= extent[i];
    else
      outer_.push_back({extent[i], stride[i]});
  }
}

std::size_t TableStrides::start(std::size_t block) const {
  std::size_t cell = 0;
  for (const Loop &loop : outer_) {
    cell += block % loop.count * loop.stride;
    block /= loop.count;
  }
  return cell;
}

namespace {

// ---- runs of 8 cells and more -------------------------------------------------------------------

struct PlainRuns {
  static void multiply(double *to, const double *by, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      to[i] *= by[i];
  }
  static void scale(double *to, double by, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      to[i] *= by;
  }
  static void add(double *to, const double *from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      to[i] += from[i];
  }
  static void raise(double *to, const double *from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      to[i] = std::max(to[i], from[i]);
  }
  static double sum(const double *from, std::size_t n) {
    double lane[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      for (std::size_t k = 0; k < 4; ++k)
        lane[k] += from[i + k];
    return rest_of_sum((lane[0] + lane[2]) + (lane[1] + lane[3]), from + i, n - i);
  }
  static double largest(const double *from, std::size_t n) {
    return *std::max_element(from, from + n);
  }
  static double rest_of_sum(double sum, const double *from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      sum += from[i];
    return sum;
  }
};

#ifdef OPTBN_AVX2
struct Avx2Runs {
  OPTBN_AVX2 static void multiply(double *to, const double *by, std::size_t n) {
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      _mm256_storeu_pd(to + i, _mm256_mul_pd(_mm256_loadu_pd(to + i), _mm256_loadu_pd(by + i)));
    PlainRuns::multiply(to + i, by + i, n - i);
  }
  OPTBN_AVX2 static void scale(double *to, double by, std::size_t n) {
    const __m256d factor = _mm256_set1_pd(by);
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      _mm256_storeu_pd(to + i, _mm256_mul_pd(_mm256_loadu_pd(to + i), factor));
    PlainRuns::scale(to + i, by, n - i);
  }
  OPTBN_AVX2 static void add(double *to, const double *from, std::size_t n) {
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      _mm256_storeu_pd(to + i, _mm256_add_pd(_mm256_loadu_pd(to + i), _mm256_loadu_pd(from + i)));
    PlainRuns::add(to + i, from + i, n - i);
  }
  OPTBN_AVX2 static void raise(double *to, const double *from, std::size_t n) {
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      _mm256_storeu_pd(to + i, _mm256_max_pd(_mm256_loadu_pd(to + i), _mm256_loadu_pd(from + i)));
    PlainRuns::raise(to + i, from + i, n - i);
  }
  OPTBN_AVX2 static double sum(const double *from, std::size_t n) {
    __m256d lanes = _mm256_setzero_pd();
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      lanes = _mm256_add_pd(lanes, _mm256_loadu_pd(from + i));
    const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(lanes), _mm256_extractf128_pd(lanes, 1));
    return PlainRuns::rest_of_sum(_mm_cvtsd_f64(pair) + _mm_cvtsd_f64(_mm_unpackhi_pd(pair, pair)),
                                  from + i, n - i);
  }
  OPTBN_AVX2 static double largest(const double *from, std::size_t n) {
    __m256d lanes = _mm256_loadu_pd(from);
    std::size_t i = 4;
    for (; i + 4 <= n; i += 4)
      lanes = _mm256_max_pd(lanes, _mm256_loadu_pd(from + i));
    double lane[4];
    _mm256_storeu_pd(lane, lanes);
    const double most = *std::max_element(lane, lane + 4);
    return i < n ? std::max(most, *std::max_element(from + i, from + n)) : most;
  }
};
#endif

// ---- a pass for one cell, a run with stride 1 (along), a run with stride 0 (across) -------------

struct Assign {
  using Cell = double;
  using Factor = const double;
  static OPTBN_INLINE void cell(Cell &cell, Factor &factor) { cell = factor; }
  static OPTBN_INLINE void store(double, Factor &) {}
  template <class Runs> static OPTBN_INLINE void along(Cell *cells, Factor *factor, std::size_t n) {
    std::copy(factor, factor + n, cells);
  }
  template <class Runs>
  static OPTBN_INLINE void across(Cell *cells, Factor &factor, std::size_t n) {
    std::fill(cells, cells + n, factor);
  }
};

struct Multiply {
  using Cell = double;
  using Factor = const double;
  static OPTBN_INLINE void cell(Cell &cell, Factor &factor) { cell *= factor; }
  static OPTBN_INLINE void store(double, Factor &) {}
  template <class Runs> static OPTBN_INLINE void along(Cell *cells, Factor *factor, std::size_t n) {
    Runs::multiply(cells, factor, n);
  }
  template <class Runs>
  static OPTBN_INLINE void across(Cell *cells, Factor &factor, std::size_t n) {
    Runs::scale(cells, factor, n);
  }
};

struct Add {
  using Cell = const double;
  using Factor = double;
  static OPTBN_INLINE void cell(Cell &cell, Factor &factor) { factor += cell; }
  static OPTBN_INLINE void store(double local, Factor &factor) { factor = local; }
  template <class Runs> static OPTBN_INLINE void along(Cell *cells, Factor *factor, std::size_t n) {
    Runs::add(factor, cells, n);
  }
  template <class Runs>
  static OPTBN_INLINE void across(Cell *cells, Factor &factor, std::size_t n) {
    factor += Runs::sum(cells, n);
  }
};

struct Raise {
  using Cell = const double;
  using Factor = double;
  static OPTBN_INLINE void cell(Cell &cell, Factor &factor) { factor = std::max(factor, cell); }
  static OPTBN_INLINE void store(double local, Factor &factor) { factor = local; }
  template <class Runs> static OPTBN_INLINE void along(Cell *cells, Factor *factor, std::size_t n) {
    Runs::raise(factor, cells, n);
  }
  template <class Runs>
  static OPTBN_INLINE void across(Cell *cells, Factor &factor, std::size_t n) {
    factor = std::max(factor, Runs::largest(cells, n));
  }
};

// ---- the two innermost loops --------------------------------------------------------------------

// `Count` and `Stride` of the inner loop are compile-time constants, so the compiler unrolls it. A
// factor of stride 0 in the outer loop stays in registers: adding to the same few numbers in memory
// again and again is slow.
template <class Pass, std::size_t Count, std::size_t Stride>
OPTBN_INLINE void short_runs(typename Pass::Cell *cells, typename Pass::Factor *factor,
                             TableStrides::Loop second) {
  if (second.stride == 0) {
    double local[Count];
    for (std::size_t i = 0; i < Count; ++i)
      local[i] = factor[i * Stride];
    for (std::size_t j = 0; j < second.count; ++j, cells += Count)
      for (std::size_t i = 0; i < Count; ++i)
        Pass::cell(cells[i], local[i * Stride]);
    for (std::size_t i = 0; i < Count; ++i)
      Pass::store(local[i * Stride], factor[i * Stride]);
    return;
  }
  for (std::size_t j = 0; j < second.count; ++j, cells += Count, factor += second.stride)
    for (std::size_t i = 0; i < Count; ++i)
      Pass::cell(cells[i], factor[i * Stride]);
}

template <class Pass, class Runs, std::size_t Stride>
OPTBN_INLINE void runs(typename Pass::Cell *cells, typename Pass::Factor *factor, std::size_t count,
                       TableStrides::Loop second) {
  switch (count) {
  case 1:
    return short_runs<Pass, 1, Stride>(cells, factor, second);
  case 2:
    return short_runs<Pass, 2, Stride>(cells, factor, second);
  case 3:
    return short_runs<Pass, 3, Stride>(cells, factor, second);
  case 4:
    return short_runs<Pass, 4, Stride>(cells, factor, second);
  case 5:
    return short_runs<Pass, 5, Stride>(cells, factor, second);
  case 6:
    return short_runs<Pass, 6, Stride>(cells, factor, second);
  case 7:
    return short_runs<Pass, 7, Stride>(cells, factor, second);
  default:
    break;
  }
  for (std::size_t j = 0; j < second.count; ++j, cells += count, factor += second.stride)
    if (Stride == 1)
      Pass::template along<Runs>(cells, factor, count);
    else
      Pass::template across<Runs>(cells, *factor, count);
}

template <class Pass, class Runs>
OPTBN_INLINE void two_loops(typename Pass::Cell *cells, typename Pass::Factor *factor,
                            TableStrides::Loop first, TableStrides::Loop second) {
  if (first.stride == 1)
    return runs<Pass, Runs, 1>(cells, factor, first.count, second);
  if (first.stride == 0)
    return runs<Pass, Runs, 0>(cells, factor, first.count, second);
  for (std::size_t j = 0; j < second.count; ++j, cells += first.count, factor += second.stride)
    for (std::size_t i = 0; i < first.count; ++i)
      Pass::cell(cells[i], factor[i * first.stride]);
}

// ---- all loops ----------------------------------------------------------------------------------

template <class Pass, class Runs>
OPTBN_INLINE void all_loops(typename Pass::Cell *cells, const TableStrides &strides,
                            typename Pass::Factor *factor) {
  const TableStrides::Loop *const loop = strides.loops();
  const std::size_t depth = strides.depth();
  const TableStrides::Loop second = depth > 1 ? loop[1] : TableStrides::Loop{1, 0};
  if (depth <= 2)
    return two_loops<Pass, Runs>(cells, factor, loop[0], second);
  const std::size_t step = loop[0].count * second.count;
  std::size_t counter[TableStrides::kDepth] = {}; // counters of the loops around these two
  for (;;) {
    two_loops<Pass, Runs>(cells, factor, loop[0], second);
    std::size_t level = 2;
    for (; level < depth; ++level) {
      factor += loop[level].stride;
      if (++counter[level] < loop[level].count)
        break;
      factor -= loop[level].stride * loop[level].count;
      counter[level] = 0;
    }
    if (level >= depth)
      return;
    cells += step;
  }
}

template <class Pass>
void run_plain(typename Pass::Cell *cells, const TableStrides &strides,
               typename Pass::Factor *factor) {
  all_loops<Pass, PlainRuns>(cells, strides, factor);
}

#ifdef OPTBN_AVX2
template <class Pass>
OPTBN_AVX2 void run_avx2(typename Pass::Cell *cells, const TableStrides &strides,
                         typename Pass::Factor *factor) {
  all_loops<Pass, Avx2Runs>(cells, strides, factor);
}
#endif

} // namespace

const Passes &plain_passes() {
  static const Passes passes = {run_plain<Assign>, run_plain<Multiply>, run_plain<Add>,
                                run_plain<Raise>};
  return passes;
}

const Passes &fastest_passes() {
#ifdef OPTBN_AVX2
  static const Passes passes = {run_avx2<Assign>, run_avx2<Multiply>, run_avx2<Add>,
                                run_avx2<Raise>};
  if (has_avx2())
    return passes;
#endif
  return plain_passes();
}

} // namespace optbn
