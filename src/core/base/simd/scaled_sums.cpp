#include "core/base/simd/scaled_sums.h"

#include "core/base/simd/lane_power.h"

namespace optbn {

namespace {

constexpr double kBias = 0x1p22 - 0x1p12; // of packed exponents, beside that of doubles
constexpr double kTwo52 = 0x1p52;

// sum += term, with their exponents.
template <class Lanes>
OPTBN_INLINE void add_scaled(Lanes &sum, Lanes &of_sum, const Lanes &term, const Lanes &of_term) {
  Lanes common, scale_sum, scale_term;
  larger(common, of_sum, of_term);
  power_of_two(scale_sum, of_sum - common);
  power_of_two(scale_term, of_term - common);
  sum = sum * scale_sum + term * scale_term; // products by powers of two are exact
  of_sum = common;
}

template <class Lanes>
OPTBN_INLINE void unpack_lanes(Lanes &value, Lanes &exponent, const Packed *from) {
  typedef typename BitsOf<Lanes>::Unsigned Bits;
  constexpr std::uint64_t kOne = 0x3ff0000000000000, kBitsOfTwo52 = 0x4330000000000000;
  Bits word;
  load(word, from);
  value = (Lanes)((word << 22 >> 12) | kOne);
  exponent = (Lanes)((word >> 42) | kBitsOfTwo52) - (kTwo52 + kBias + 1023);
}

template <class Lanes>
OPTBN_INLINE void pack_lanes(Packed *to, const Lanes &value, const Lanes &exponent) {
  typedef typename BitsOf<Lanes>::Unsigned Bits;
  const Bits whole = (Bits)(exponent + (kTwo52 + kBias)) << 42;
  const Bits word = (((Bits)value + 512) >> 10) + whole;
  Lanes least, none, result;
  fill(least, -kBias);
  fill(none, 0);
  if_less(result, exponent, least, none, (Lanes)word);
  store(to, result);
}

// Lane i of the result is lane i & ~bit (or, upper, i | bit) of x.
template <class Lanes, bool upper, int bit> OPTBN_INLINE void partner(Lanes &to, const Lanes &x) {
  typename BitsOf<Lanes>::Type from;
  for (int i = 0; i < static_cast<int>(width<Lanes>()); ++i)
    from[i] = upper ? i | bit : i & ~bit;
#ifdef __clang__
  for (int i = 0; i < static_cast<int>(width<Lanes>()); ++i)
    to[i] = x[from[i]];
#else
  to = __builtin_shuffle(x, from);
#endif
}

// Adds, within a register, to each lane with (or, upper, without) this bit the one that differs in
// it; then the same for larger bits.
template <class Lanes, bool upper, int bit>
OPTBN_INLINE void transform_within(Lanes &value, const Lanes &exponent) {
  if constexpr (bit < static_cast<int>(width<Lanes>())) {
    Lanes other, of_other, scale, counts;
    for (int i = 0; i < static_cast<int>(width<Lanes>()); ++i)
      counts[i] = ((i & bit) == 0) == upper;
    partner<Lanes, upper, bit>(other, value);
    partner<Lanes, upper, bit>(of_other, exponent);
    power_of_two(scale, upper ? exponent - of_other : of_other - exponent);
    value = value + other * (scale * counts);
    transform_within<Lanes, upper, 2 * bit>(value, exponent);
  }
}

struct Kernels {
  template <class Lanes>
  static OPTBN_INLINE void add_products(double *sum, double *of_sum, const double *x,
                                        const double *of_x, const double *y, const double *of_y,
                                        std::size_t size) {
    for (std::size_t i = 0; i < size; i += width<Lanes>()) {
      Lanes s, of_s, a, of_a, b, of_b, term;
      load(s, sum + i);
      load(of_s, of_sum + i);
      load(a, x + i);
      load(of_a, of_x + i);
      load(b, y + i);
      load(of_b, of_y + i);
      multiply(term, a, b);
      add_scaled(s, of_s, term, of_a + of_b);
      store(sum + i, s);
      store(of_sum + i, of_s);
    }
  }

  template <class Lanes>
  static OPTBN_INLINE void add_packed_products(double *sum, double *of_sum, const Packed *x,
                                               const double *y, const double *of_y,
                                               std::size_t size) {
    for (std::size_t i = 0; i < size; i += width<Lanes>()) {
      Lanes s, of_s, a, of_a, b, of_b, term;
      load(s, sum + i);
      load(of_s, of_sum + i);
      unpack_lanes(a, of_a, x + i);
      load(b, y + i);
      load(of_b, of_y + i);
      multiply(term, a, b);
      add_scaled(s, of_s, term, of_a + of_b);
      store(sum + i, s);
      store(of_sum + i, of_s);
    }
  }

  template <class Lanes>
  static OPTBN_INLINE void pack(Packed *to, const double *value, const double *exponent,
                                std::size_t size) {
    for (std::size_t i = 0; i < size; i += width<Lanes>()) {
      Lanes v, e;
      load(v, value + i);
      load(e, exponent + i);
      pack_lanes(to + i, v, e);
    }
  }

  template <class Lanes>
  static OPTBN_INLINE void unpack(double *value, double *exponent, const Packed *from,
                                  std::size_t size) {
    for (std::size_t i = 0; i < size; i += width<Lanes>()) {
      Lanes v, e;
      unpack_lanes(v, e, from + i);
      store(value + i, v);
      store(exponent + i, e);
    }
  }

  template <class Lanes, bool upper>
  static OPTBN_INLINE void transform(double *value, const double *exponent, unsigned bits) {
    const std::size_t size = std::size_t{1} << bits;
    for (std::size_t i = 0; i < size; i += width<Lanes>()) {
      Lanes v, e;
      load(v, value + i);
      load(e, exponent + i);
      transform_within<Lanes, upper, 1>(v, e);
      store(value + i, v);
    }
    for (std::size_t half = width<Lanes>(); half < size; half *= 2)
      for (std::size_t base = 0; base < size; base += 2 * half)
        for (std::size_t i = base; i < base + half; i += width<Lanes>()) {
          Lanes below, above, of_below, of_above, scale;
          load(below, value + i);
          load(above, value + i + half);
          load(of_below, exponent + i);
          load(of_above, exponent + i + half);
          power_of_two(scale, of_below - of_above);
          if (upper)
            store(value + i, below + above * scale);
          else
            store(value + i + half, above + below * scale);
        }
  }

  template <class Lanes>
  static OPTBN_INLINE void products(double *to, const double *x, const double *of_x,
                                    const double *y, const double *of_y, const double *shift,
                                    double scale, std::size_t size) {
    for (std::size_t i = 0; i < size; i += width<Lanes>()) {
      Lanes a, of_a, b, of_b, more, product, factor;
      load(a, x + i);
      load(of_a, of_x + i);
      load(b, y + i);
      load(of_b, of_y + i);
      load(more, shift + i);
      multiply(product, a, b);
      power_of_two(factor, of_a + of_b + more - scale);
      store(to + i, product * factor);
    }
  }
};

// The kernels compiled for one instruction set.
#define OPTBN_SCALED_SUMS(NAME, LANES, TARGET)                                                     \
  struct NAME {                                                                                    \
    TARGET static void add_products(double *sum, double *of_sum, const double *x,                  \
                                    const double *of_x, const double *y, const double *of_y,       \
                                    std::size_t size) {                                            \
      Kernels::add_products<LANES>(sum, of_sum, x, of_x, y, of_y, size);                           \
    }                                                                                              \
    TARGET static void add_packed_products(double *sum, double *of_sum, const Packed *x,           \
                                           const double *y, const double *of_y,                    \
                                           std::size_t size) {                                     \
      Kernels::add_packed_products<LANES>(sum, of_sum, x, y, of_y, size);                          \
    }                                                                                              \
    TARGET static void pack(Packed *to, const double *value, const double *exponent,               \
                            std::size_t size) {                                                    \
      Kernels::pack<LANES>(to, value, exponent, size);                                             \
    }                                                                                              \
    TARGET static void unpack(double *value, double *exponent, const Packed *from,                 \
                              std::size_t size) {                                                  \
      Kernels::unpack<LANES>(value, exponent, from, size);                                         \
    }                                                                                              \
    TARGET static void sum_subsets(double *value, const double *exponent, unsigned bits) {         \
      Kernels::transform<LANES, false>(value, exponent, bits);                                     \
    }                                                                                              \
    TARGET static void sum_supersets(double *value, const double *exponent, unsigned bits) {       \
      Kernels::transform<LANES, true>(value, exponent, bits);                                      \
    }                                                                                              \
    TARGET static void products(double *to, const double *x, const double *of_x, const double *y,  \
                                const double *of_y, const double *shift, double scale,             \
                                std::size_t size) {                                                \
      Kernels::products<LANES>(to, x, of_x, y, of_y, shift, scale, size);                          \
    }                                                                                              \
  };

OPTBN_SCALED_SUMS(Plain, Lanes2, )
#ifdef OPTBN_AVX2
OPTBN_SCALED_SUMS(Avx2, Lanes4, OPTBN_AVX2)
OPTBN_SCALED_SUMS(Avx512, Lanes8, OPTBN_AVX512)
#endif

template <class Set> ScaledSums sums_of() {
  return {Set::add_products, Set::add_packed_products, Set::pack,    Set::unpack,
          Set::sum_subsets,  Set::sum_supersets,       Set::products};
}

} // namespace

Scaled unpacked(Packed packed) {
  const Packed both[] = {packed, packed};
  Lanes2 value, exponent;
  unpack_lanes(value, exponent, both);
  return {value[0], exponent[0]};
}

std::vector<ScaledSums> all_scaled_sums() {
  std::vector<ScaledSums> all{sums_of<Plain>()};
#ifdef OPTBN_AVX2
  if (has_avx2())
    all.push_back(sums_of<Avx2>());
  if (has_avx512())
    all.push_back(sums_of<Avx512>());
#endif
  return all;
}

} // namespace optbn
