// Random: a small, fast stream of random numbers that is the same on every platform.
//
// xoshiro256++ (Blackman & Vigna 2021, doi 10.1145/3460772), its state filled by splitmix64 so that
// neighbouring seeds give unrelated streams. Integers are drawn without bias by Lemire's method
// (doi 10.1145/3230636). Not thread-safe: every task owns its stream.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace optbn {

class Random {
public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t &word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform on 0..bound-1; bound >= 1.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t threshold = (0u - bound) % bound;
      while (static_cast<std::uint32_t>(product) < threshold)
        product = (next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // Uniform on [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  template <class Range> void shuffle(Range &range) {
    for (auto i = static_cast<std::uint32_t>(range.size()); i > 1; --i)
      std::swap(range[i - 1], range[below(i)]);
  }

private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4];
};

constexpr double kTwoPi = 6.283185307179586; // in densities of normals, too

// Box & Muller
inline double standard_normal(Random &random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(kTwoPi * random.uniform());
}

// Where among weights that are not negative this part of their sum ends: with a uniform part of the
// sum a draw in proportion to them. A weight of 0 is never drawn, however sums are rounded.
template <class Weight>
std::size_t draw_by_weight(double part, std::size_t count, const Weight &weight) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double own = weight(i);
    if (own == 0)
      continue;
    last = i;
    part -= own;
    if (part < 0)
      break;
  }
  return last;
}

} // namespace optbn
