#include "core/density/counts/bit_selection.h"

#include "core/base/simd/popcount.h"
#include "core/base/simd/processor.h"

namespace optbn {

namespace {

// Appends bits to a map, a few at a time.
class Appender {
public:
  explicit Appender(std::uint64_t *to) : to_(to) {}

  // The lowest `count` bits of `bits`, the others being 0.
  void add(std::uint64_t bits, unsigned count) {
    word_ |= bits << filled_;
    if (filled_ + count >= 64) {
      *to_++ = word_;
      word_ = filled_ == 0 ? 0 : bits >> (64 - filled_);
      filled_ -= 64;
    }
    filled_ += count;
  }
  void finish() {
    if (filled_ > 0)
      *to_ = word_;
  }

private:
  std::uint64_t *to_;
  std::uint64_t word_ = 0;
  unsigned filled_ = 0;
};

void select_plain(const std::uint64_t *map, const std::uint64_t *mask, std::size_t words,
                  std::uint64_t *to) {
  Appender out(to);
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t left = mask[w]; left != 0; left &= left - 1)
      out.add((map[w] & left & (~left + 1)) != 0, 1);
  out.finish();
}

#ifdef OPTBN_BMI2
OPTBN_BMI2 void select_bmi2(const std::uint64_t *map, const std::uint64_t *mask, std::size_t words,
                            std::uint64_t *to) {
  Appender out(to);
  for (std::size_t w = 0; w < words; ++w)
    if (mask[w] != 0)
      out.add(_pext_u64(map[w], mask[w]), static_cast<unsigned>(_mm_popcnt_u64(mask[w])));
  out.finish();
}
#endif

} // namespace

std::vector<SelectBits> all_bit_selections() {
  std::vector<SelectBits> selections = {select_plain};
#ifdef OPTBN_BMI2
  if (has_bmi2())
    selections.push_back(select_bmi2);
#endif
  return selections;
}

std::vector<std::uint64_t> select_bits(const std::uint64_t *maps, std::size_t count,
                                       const std::vector<std::uint64_t> &mask) {
  static const SelectBits select = all_bit_selections().back();
  std::uint32_t ones = 0;
  count_intersections(mask.data(), 1, mask.size(), mask.data(), &ones);
  const std::size_t words = mask.size(), selected = (std::size_t{ones} + 63) / 64;
  std::vector<std::uint64_t> result(count * selected);
  for (std::size_t i = 0; i < count; ++i)
    select(maps + i * words, mask.data(), words, result.data() + i * selected);
  return result;
}

} // namespace optbn
