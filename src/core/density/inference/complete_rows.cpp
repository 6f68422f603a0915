#include "core/density/inference/complete_rows.h"

#include "core/base/bit_set.h"

#include <algorithm>
#include <numeric>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace optbn {

ReferenceLevels::ReferenceLevels(const std::vector<unsigned> &levels,
                                 std::vector<std::uint16_t> reference)
    : levels_(levels), reference_(std::move(reference)), first_(levels.size() + 1, 0) {
  for (std::size_t v = 0; v < levels.size(); ++v)
    first_[v + 1] = first_[v] + levels[v] - 1;
}

namespace {

// Bit i: is codes[i] another level? For 64 codes.
std::uint64_t others(const std::uint16_t *codes, std::uint16_t level) {
  std::uint64_t bits = 0;
#ifdef __SSE2__
  const __m128i levels = _mm_set1_epi16(static_cast<short>(level));
  for (unsigned i = 0; i < 64; i += 16) {
    const auto *const at = reinterpret_cast<const __m128i *>(codes + i);
    const __m128i equal = _mm_packs_epi16(_mm_cmpeq_epi16(_mm_loadu_si128(at), levels),
                                          _mm_cmpeq_epi16(_mm_loadu_si128(at + 1), levels));
    bits |= std::uint64_t{static_cast<std::uint16_t>(~_mm_movemask_epi8(equal))} << i;
  }
#else
  for (unsigned i = 0; i < 64; ++i)
    bits |= std::uint64_t{codes[i] != level} << i;
#endif
  return bits;
}

} // namespace

std::size_t CompleteRows::rows_at_a_time(std::size_t variables) {
  constexpr std::size_t kBytes = std::size_t{1} << 18;
  return std::clamp<std::size_t>(kBytes / (3 * variables + 1) / kStep, 1, 64) * kStep;
}

void CompleteRows::read(const PartialRows &rows, std::size_t begin, std::size_t count) {
  columns_.clear();
  for (const std::vector<std::uint16_t> &column : rows.columns)
    columns_.push_back(column.data() + begin);
  find_differing(count);
  levels_.resize(count * stride_);
  indicators_.resize(count * (stride_ + kPadding));
  counts_.assign(count, 0);
  is_complete_.assign(count, true);
  for (std::size_t step = 0; step * kStep < count; ++step)
    read_step(step, std::min(kStep, count - step * kStep));
  sort_complete();
}

// Column by column, as the data are stored.
void CompleteRows::find_differing(std::size_t count) {
  const std::size_t variables = reference_.variables(), steps = (count + kStep - 1) / kStep;
  differing_.assign(steps * variables, 0);
  for (std::size_t v = 0; v < variables; ++v)
    for (std::size_t step = 0; step < steps; ++step) {
      const std::uint16_t *const levels = columns_[v] + step * kStep;
      std::uint64_t &bits = differing_[step * variables + v];
      if ((step + 1) * kStep <= count)
        bits = others(levels, reference_[v]);
      else
        for (std::size_t i = 0; i < count % kStep; ++i)
          bits |= std::uint64_t{levels[i] != reference_[v]} << i;
    }
}

void CompleteRows::read_step(std::size_t step, std::size_t count) {
  const std::size_t begin = step * kStep;
  for (std::size_t i = begin; i < begin + count; ++i) {
    std::uint16_t *const levels = levels_.data() + i * stride_;
    std::copy(reference_.row().begin(), reference_.row().end(), levels);
    levels[stride_ - 1] = 0;
  }
  const std::uint64_t *const differing = differing_.data() + step * reference_.variables();
  for (std::size_t v = 0; v < reference_.variables(); ++v)
    for (std::uint64_t bits = differing[v]; bits != 0; bits &= bits - 1) {
      const std::size_t i = begin + lowest_bit(bits);
      const std::uint16_t level = columns_[v][i];
      if (level == PartialRows::kMissing) {
        is_complete_[i] = false;
        continue;
      }
      levels_[i * stride_ + v] = level;
      indicators_of(i)[counts_[i]++] = reference_.indicator(v, level);
    }
  for (std::size_t i = begin; i < begin + count; ++i)
    while (counts_[i] % kPadding != 0)
      indicators_of(i)[counts_[i]++] = static_cast<std::uint32_t>(reference_.indicators());
}

// A counting sort by the number of indicators.
void CompleteRows::sort_complete() {
  complete_.clear();
  incomplete_.clear();
  ends_.assign(stride_ / kPadding + 3, 0);
  for (std::uint32_t i = 0; i < counts_.size(); ++i)
    if (is_complete_[i])
      ++ends_[counts_[i] / kPadding + 1];
    else
      incomplete_.push_back(i);
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
  complete_.resize(ends_.back());
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (is_complete_[i]) // an end starts as the begin of its class
      complete_[ends_[counts_[i] / kPadding]++] = static_cast<std::uint16_t>(i);
}

} // namespace optbn
