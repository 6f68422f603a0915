// BitSet: a set of small numbers in a fixed number of 64-bit words, passed by value.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace optbn {

// Number of trailing zeros; word must not be 0.
inline unsigned lowest_bit(std::uint64_t word) {
#ifdef __GNUC__
  return static_cast<unsigned>(__builtin_ctzll(word));
#else
  unsigned bit = 0;
  for (; !(word & 1); word >>= 1)
    ++bit;
  return bit;
#endif
}

// Without the processor's own instruction, which the compiler may not assume.
inline unsigned count_bits(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<unsigned>(word * 0x0101010101010101u >> 56);
}

// Elements are 0 .. 64 Words - 1.
template <unsigned Words> struct BitSet {
  std::array<std::uint64_t, Words> word{};

  static BitSet first(unsigned n) { // {0, ..., n - 1}
    BitSet set;
    for (unsigned i = 0; i < n; ++i)
      set.insert(i);
    return set;
  }
  static BitSet of(unsigned i) {
    BitSet set;
    set.insert(i);
    return set;
  }

  bool contains(unsigned i) const { return word[i / 64] >> (i % 64) & 1; }
  void insert(unsigned i) { word[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(unsigned i) { word[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

  bool empty() const {
    std::uint64_t any = 0;
    for (unsigned w = 0; w < Words; ++w)
      any |= word[w];
    return any == 0;
  }
  unsigned size() const {
    unsigned count = 0;
    for (unsigned w = 0; w < Words; ++w)
      count += count_bits(word[w]);
    return count;
  }
  unsigned lowest() const { // of a set that is not empty
    unsigned w = 0;
    while (word[w] == 0)
      ++w;
    return 64 * w + lowest_bit(word[w]);
  }
  bool inside(const BitSet &other) const {
    std::uint64_t outside = 0;
    for (unsigned w = 0; w < Words; ++w)
      outside |= word[w] & ~other.word[w];
    return outside == 0;
  }
  bool intersects(const BitSet &other) const {
    std::uint64_t common = 0;
    for (unsigned w = 0; w < Words; ++w)
      common |= word[w] & other.word[w];
    return common != 0;
  }

  BitSet &operator|=(const BitSet &other) {
    for (unsigned w = 0; w < Words; ++w)
      word[w] |= other.word[w];
    return *this;
  }
  BitSet &operator&=(const BitSet &other) {
    for (unsigned w = 0; w < Words; ++w)
      word[w] &= other.word[w];
    return *this;
  }
  BitSet &operator-=(const BitSet &other) {
    for (unsigned w = 0; w < Words; ++w)
      word[w] &= ~other.word[w];
    return *this;
  }
  friend BitSet operator|(BitSet a, const BitSet &b) { return a |= b; }
  friend BitSet operator&(BitSet a, const BitSet &b) { return a &= b; }
  friend BitSet operator-(BitSet a, const BitSet &b) { return a -= b; }
  friend bool operator==(const BitSet &a, const BitSet &b) { return a.word == b.word; }
  friend bool operator!=(const BitSet &a, const BitSet &b) { return a.word != b.word; }
  friend bool operator<(const BitSet &a, const BitSet &b) { return a.word < b.word; }

  // visit(i) for every element, ascending.
  template <class Visit> void for_each(Visit visit) const {
    for (unsigned w = 0; w < Words; ++w)
      for (std::uint64_t rest = word[w]; rest; rest &= rest - 1)
        visit(64 * w + lowest_bit(rest));
  }

  std::uint64_t hash() const {
    std::uint64_t h = 0;
    for (unsigned w = 0; w < Words; ++w) {
      h = (h ^ word[w]) * 0x9e3779b97f4a7c15u;
      h ^= h >> 32;
    }
    return h;
  }
};

// The widths, in words, that code for any number of nodes is compiled for.
#define OPTBN_FOR_EACH_WIDTH(apply) apply(1) apply(2) apply(4) apply(8) apply(16)

// f(std::integral_constant) of the least of these widths that is not below `words`, at most 16.
template <class F> auto with_width(unsigned words, F f) {
  if (words <= 1)
    return f(std::integral_constant<unsigned, 1>());
  if (words <= 2)
    return f(std::integral_constant<unsigned, 2>());
  if (words <= 4)
    return f(std::integral_constant<unsigned, 4>());
  if (words <= 8)
    return f(std::integral_constant<unsigned, 8>());
  return f(std::integral_constant<unsigned, 16>());
}

} // namespace optbn
