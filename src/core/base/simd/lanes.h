// Lanes: several numbers in one vector register, one source for three instruction sets.
//
// Kernels are templates over a register of doubles, Lanes2, Lanes4 or Lanes8, on which + - * / work
// lane by lane. They are written once, always inlined, and instantiated in one function each for
// the plain instructions, OPTBN_AVX2 and OPTBN_AVX512; the caller chooses the function by what the
// processor can run. All give the same bits: a lane does the same operations everywhere, and a
// product is rounded before it is added to anything (multiply()). Lanes are passed by reference
// only: how functions pass registers depends on the instruction set.
#pragma once

#include "core/base/simd/processor.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace optbn {

typedef double Lanes2 __attribute__((vector_size(16)));
typedef double Lanes4 __attribute__((vector_size(32)));
typedef double Lanes8 __attribute__((vector_size(64)));

// The bits of lanes, as whole numbers with a sign and without.
template <class Lanes> struct BitsOf;
template <> struct BitsOf<Lanes2> {
  typedef std::int64_t Type __attribute__((vector_size(16)));
  typedef std::uint64_t Unsigned __attribute__((vector_size(16)));
};
template <> struct BitsOf<Lanes4> {
  typedef std::int64_t Type __attribute__((vector_size(32)));
  typedef std::uint64_t Unsigned __attribute__((vector_size(32)));
};
template <> struct BitsOf<Lanes8> {
  typedef std::int64_t Type __attribute__((vector_size(64)));
  typedef std::uint64_t Unsigned __attribute__((vector_size(64)));
};

template <class Lanes> constexpr std::size_t width() { return sizeof(Lanes) / sizeof(double); }

template <class Lanes, class Number> OPTBN_INLINE void load(Lanes &to, const Number *from) {
  std::memcpy(&to, from, sizeof to);
}
template <class Lanes, class Number> OPTBN_INLINE void store(Number *to, const Lanes &from) {
  std::memcpy(to, &from, sizeof from);
}
// product = a * b, never fused with a following addition into one operation with one rounding,
// whatever instructions the compiler may use. The factor a may be one number.
//
// Clang fuses within one statement only, and not at all where the pragma forbids it; it judges an
// assembler statement by the instructions of this template, which has no wide registers.
template <class Lanes, class Factor>
OPTBN_INLINE void multiply(Lanes &product, const Factor &a, const Lanes &b) {
#ifdef __clang__
#pragma clang fp contract(off)
#endif
  product = a * b;
#if defined(__clang__)
#elif defined(__x86_64__)
  __asm__("" : "+v"(product));
#elif defined(__aarch64__)
  __asm__("" : "+w"(product));
#elif defined(__GNUC__)
  __asm__("" : "+m"(product));
#endif
}

// Written with intrinsics: compilers split such operations lane by lane in a template that is
// compiled for any processor.
//   fill          to = value in every lane
//   larger        result = max(x, y)
//   if_less       result = x < y ? yes : no
//   if_equal      result = x == y ? yes : no
//   any_at_least  is x >= y in any lane?
template <class Lanes> inline void fill(Lanes &to, double value);
template <class Lanes> inline void larger(Lanes &result, const Lanes &x, const Lanes &y);
template <class Lanes>
inline void if_less(Lanes &result, const Lanes &x, const Lanes &y, const Lanes &yes,
                    const Lanes &no);
template <class Lanes>
inline void if_equal(Lanes &result, const Lanes &x, const Lanes &y, const Lanes &yes,
                     const Lanes &no);
template <class Lanes> inline bool any_at_least(const Lanes &x, const Lanes &y);

template <> inline void fill(Lanes2 &to, double value) { to = Lanes2{value, value}; }
template <> inline void larger(Lanes2 &result, const Lanes2 &x, const Lanes2 &y) {
  result = Lanes2{x[0] > y[0] ? x[0] : y[0], x[1] > y[1] ? x[1] : y[1]};
}
template <>
inline void if_less(Lanes2 &result, const Lanes2 &x, const Lanes2 &y, const Lanes2 &yes,
                    const Lanes2 &no) {
  result = Lanes2{x[0] < y[0] ? yes[0] : no[0], x[1] < y[1] ? yes[1] : no[1]};
}
template <>
inline void if_equal(Lanes2 &result, const Lanes2 &x, const Lanes2 &y, const Lanes2 &yes,
                     const Lanes2 &no) {
  result = Lanes2{x[0] == y[0] ? yes[0] : no[0], x[1] == y[1] ? yes[1] : no[1]};
}
template <> inline bool any_at_least(const Lanes2 &x, const Lanes2 &y) {
  return x[0] >= y[0] || x[1] >= y[1];
}

#ifdef OPTBN_AVX2
template <> OPTBN_AVX2 inline void fill(Lanes4 &to, double value) {
  to = (Lanes4)_mm256_set1_pd(value);
}
template <> OPTBN_AVX2 inline void larger(Lanes4 &result, const Lanes4 &x, const Lanes4 &y) {
  result = (Lanes4)_mm256_max_pd((__m256d)x, (__m256d)y);
}
template <>
OPTBN_AVX2 inline void if_less(Lanes4 &result, const Lanes4 &x, const Lanes4 &y, const Lanes4 &yes,
                               const Lanes4 &no) {
  const __m256d less = _mm256_cmp_pd((__m256d)x, (__m256d)y, _CMP_LT_OQ);
  result = (Lanes4)_mm256_blendv_pd((__m256d)no, (__m256d)yes, less);
}
template <>
OPTBN_AVX2 inline void if_equal(Lanes4 &result, const Lanes4 &x, const Lanes4 &y, const Lanes4 &yes,
                                const Lanes4 &no) {
  const __m256d equal = _mm256_cmp_pd((__m256d)x, (__m256d)y, _CMP_EQ_OQ);
  result = (Lanes4)_mm256_blendv_pd((__m256d)no, (__m256d)yes, equal);
}
template <> OPTBN_AVX2 inline bool any_at_least(const Lanes4 &x, const Lanes4 &y) {
  return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)x, (__m256d)y, _CMP_GE_OQ)) != 0;
}

template <> OPTBN_AVX512 inline void fill(Lanes8 &to, double value) {
  to = (Lanes8)_mm512_set1_pd(value);
}
template <> OPTBN_AVX512 inline void larger(Lanes8 &result, const Lanes8 &x, const Lanes8 &y) {
  result = (Lanes8)_mm512_maskz_max_pd(0xff, (__m512d)x, (__m512d)y);
}
template <>
OPTBN_AVX512 inline void if_less(Lanes8 &result, const Lanes8 &x, const Lanes8 &y,
                                 const Lanes8 &yes, const Lanes8 &no) {
  const __mmask8 less = _mm512_cmp_pd_mask((__m512d)x, (__m512d)y, _CMP_LT_OQ);
  result = (Lanes8)_mm512_mask_blend_pd(less, (__m512d)no, (__m512d)yes);
}
template <>
OPTBN_AVX512 inline void if_equal(Lanes8 &result, const Lanes8 &x, const Lanes8 &y,
                                  const Lanes8 &yes, const Lanes8 &no) {
  const __mmask8 equal = _mm512_cmp_pd_mask((__m512d)x, (__m512d)y, _CMP_EQ_OQ);
  result = (Lanes8)_mm512_mask_blend_pd(equal, (__m512d)no, (__m512d)yes);
}
template <> OPTBN_AVX512 inline bool any_at_least(const Lanes8 &x, const Lanes8 &y) {
  return _mm512_cmp_pd_mask((__m512d)x, (__m512d)y, _CMP_GE_OQ) != 0;
}
#endif

} // namespace optbn
