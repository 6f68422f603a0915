#include "core/posterior/graph_block.h"

#include "core/base/simd/lane_power.h"

namespace optbn {

namespace {

template <class Lanes> OPTBN_INLINE void zero(Lanes &to) { fill(to, 0); }

struct Kernels {
  template <class Lanes>
  static OPTBN_INLINE void sum_terms(const GraphBlock &block, const double *b, const double *of_b,
                                     const double *scale, double *even, double *odd) {
    for (std::size_t lane = 0; lane < kLowSets; lane += width<Lanes>()) {
      Lanes total_same, total_other, down;
      zero(total_same);
      zero(total_other);
      load(down, scale + lane);
      for (std::size_t o = 0; o < block.outer.size; ++o) {
        Lanes outer, of_outer, same, other;
        load(outer, block.outer.product.value.data() + o * kLowSets + lane);
        load(of_outer, block.outer.product.exponent.data() + o * kLowSets + lane);
        of_outer = of_outer - down;
        zero(same);
        zero(other);
        for (std::size_t i = o == 0; i < block.inner.size; ++i) {
          Lanes product, exponent, even_s, odd_s;
          load(product, block.inner.product.value.data() + i * kLowSets + lane);
          load(exponent, block.inner.product.exponent.data() + i * kLowSets + lane);
          multiply(product, product, outer);
          exponent = exponent + of_outer;
          const std::size_t place = block.outer.place[o] + block.inner.place[i];
          zero(even_s);
          zero(odd_s);
          for (std::size_t s = 0; s < kLowSets; ++s) {
            Lanes low, of_low, power, rest;
            load(low, block.low.value.data() + s * kLowSets + lane);
            load(of_low, block.low.exponent.data() + s * kLowSets + lane);
            power_of_two(power, exponent + of_low + of_b[place + s]);
            multiply(rest, b[place + s], low);
            if (is_odd(s))
              odd_s = odd_s + rest * power;
            else
              even_s = even_s + rest * power;
          }
          multiply(even_s, even_s, product);
          multiply(odd_s, odd_s, product);
          const bool turned = block.outer.sign[o] != block.inner.sign[i];
          same = same + (turned ? odd_s : even_s);
          other = other + (turned ? even_s : odd_s);
        }
        total_same = total_same + same;
        total_other = total_other + other;
      }
      store(even + lane, total_same);
      store(odd + lane, total_other);
    }
  }

  template <class Lanes>
  static OPTBN_INLINE void derive(GraphBlock &block, const double *b, const double *of_b,
                                  double scale, double inverse) {
    for (std::size_t lane = 0; lane < kLowSets; lane += width<Lanes>()) {
      Lanes z, of_z, by_low[kLowSets];
      for (std::size_t i = 0; i < width<Lanes>(); ++i)
        z[i] = is_odd(lane + i) ? block.placed.value[lane + i] : -block.placed.value[lane + i];
      load(of_z, block.placed.exponent.data() + lane);
      multiply(z, inverse, z);
      of_z = of_z - scale;
      for (Lanes &one : by_low)
        zero(one);
      for (std::size_t o = 0; o < block.outer.size; ++o) {
        Lanes outer, of_outer, by_outer;
        load(outer, block.outer.product.value.data() + o * kLowSets + lane);
        load(of_outer, block.outer.product.exponent.data() + o * kLowSets + lane);
        of_outer = of_outer + of_z;
        load(by_outer, block.outer.derivative.data() + o * kLowSets + lane);
        for (std::size_t i = o == 0; i < block.inner.size; ++i) {
          Lanes inner, exponent, product, by_product, by_inner;
          load(inner, block.inner.product.value.data() + i * kLowSets + lane);
          load(exponent, block.inner.product.exponent.data() + i * kLowSets + lane);
          exponent = exponent + of_outer;
          const double sign = block.outer.sign[o] * block.inner.sign[i];
          multiply(product, inner, outer);
          product = product * sign;
          const std::size_t place = block.outer.place[o] + block.inner.place[i];
          zero(by_product);
          for (std::size_t s = 0; s < kLowSets; ++s) {
            Lanes low, of_low, power, share;
            load(low, block.low.value.data() + s * kLowSets + lane);
            load(of_low, block.low.exponent.data() + s * kLowSets + lane);
            power_of_two(power, exponent + of_low + of_b[place + s]);
            multiply(share, b[place + s], z);
            share = share * power;
            Lanes part;
            multiply(part, share, low);
            by_product = is_odd(s) ? by_product - part : by_product + part;
            multiply(part, share, product);
            by_low[s] = by_low[s] + part;
          }
          by_product = by_product * sign;
          load(by_inner, block.inner.derivative.data() + i * kLowSets + lane);
          Lanes part;
          multiply(part, by_product, outer);
          store(block.inner.derivative.data() + i * kLowSets + lane, by_inner + part);
          multiply(part, by_product, inner);
          by_outer = by_outer + part;
        }
        store(block.outer.derivative.data() + o * kLowSets + lane, by_outer);
      }
      for (std::size_t s = 0; s < kLowSets; ++s)
        store(block.low_derivative.data() + s * kLowSets + lane,
              is_odd(s) ? Lanes(-by_low[s]) : by_low[s]);
    }
  }

  template <class Lanes>
  static OPTBN_INLINE void add_terms(const GraphBlock &block, double *z, double *lost,
                                     const double *of_z) {
    for (std::size_t o = 0; o < block.outer.size; ++o)
      for (std::size_t i = o == 0; i < block.inner.size; ++i) {
        double product[kLowSets], exponent[kLowSets]; // Z(U) times those of the others
        const double *inner = block.inner.product.value.data() + i * kLowSets,
                     *of_inner = block.inner.product.exponent.data() + i * kLowSets,
                     *outer = block.outer.product.value.data() + o * kLowSets,
                     *of_outer = block.outer.product.exponent.data() + o * kLowSets;
        const double sign = block.outer.sign[o] * block.inner.sign[i];
        for (std::size_t l = 0; l < kLowSets; ++l) {
          product[l] = block.placed.value[l] * (inner[l] * outer[l]) * sign;
          exponent[l] = block.placed.exponent[l] + of_inner[l] + of_outer[l];
        }
        const std::size_t place = block.outer.place[o] + block.inner.place[i];
        for (std::size_t lane = 0; lane < kLowSets; lane += width<Lanes>()) {
          Lanes sum, below, unit, terms;
          load(sum, z + place + lane);
          load(below, lost + place + lane);
          load(unit, of_z + place + lane);
          zero(terms);
          for (std::size_t l = 0; l < kLowSets; ++l) {
            Lanes low, of_low, power, term;
            load(low, block.low_of_placed.value.data() + l * kLowSets + lane);
            load(of_low, block.low_of_placed.exponent.data() + l * kLowSets + lane);
            power_of_two(power, of_low + exponent[l] - unit);
            multiply(term, product[l], low);
            terms = terms + term * power;
          }
          const Lanes more = terms - below, next = sum + more;
          store(lost + place + lane, (next - sum) - more);
          store(z + place + lane, next);
        }
      }
  }
};

// The kernels compiled for one instruction set.
#define OPTBN_GRAPH_KERNELS(NAME, LANES, TARGET)                                                   \
  struct NAME {                                                                                    \
    TARGET static void sum_terms(const GraphBlock &block, const double *b, const double *of_b,     \
                                 const double *scale, double *even, double *odd) {                 \
      Kernels::sum_terms<LANES>(block, b, of_b, scale, even, odd);                                 \
    }                                                                                              \
    TARGET static void derive(GraphBlock &block, const double *b, const double *of_b,              \
                              double scale, double inverse) {                                      \
      Kernels::derive<LANES>(block, b, of_b, scale, inverse);                                      \
    }                                                                                              \
    TARGET static void add_terms(const GraphBlock &block, double *z, double *lost,                 \
                                 const double *of_z) {                                             \
      Kernels::add_terms<LANES>(block, z, lost, of_z);                                             \
    }                                                                                              \
  };

OPTBN_GRAPH_KERNELS(Plain, Lanes2, )
#ifdef OPTBN_AVX2
OPTBN_GRAPH_KERNELS(Avx2, Lanes4, OPTBN_AVX2)
OPTBN_GRAPH_KERNELS(Avx512, Lanes8, OPTBN_AVX512)
#endif

} // namespace

std::vector<GraphKernels> all_graph_kernels() {
  std::vector<GraphKernels> all{{Plain::sum_terms, Plain::derive, Plain::add_terms}};
#ifdef OPTBN_AVX2
  if (has_avx2())
    all.push_back({Avx2::sum_terms, Avx2::derive, Avx2::add_terms});
  if (has_avx512())
    all.push_back({Avx512::sum_terms, Avx512::derive, Avx512::add_terms});
#endif
  return all;
}

} // namespace optbn
