#include "core/treewidth/exact/separated_gains.h"

#include "core/base/errors.h"
#include "core/base/simd/max_plus.h"
#include "core/base/simd/processor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

constexpr unsigned kNone = 32;

double factorial(unsigned k) { return k < 2 ? 1 : k * factorial(k - 1); }

// Prefixes of the orders of k members.
double prefix_count(unsigned k) {
  double count = 0;
  for (unsigned size = 0; size <= k; ++size)
    count += factorial(k) / factorial(size);
  return count;
}

} // namespace

std::vector<float> gains_among_all(const SetTrie &sets, Watch &watch) {
  const unsigned n = sets.size();
  const MaxPlus kernels = max_plus();
  std::vector<Node> all(n);
  std::iota(all.begin(), all.end(), Node{0});
  std::vector<float> gains(bag_table_size(n), 0);
  std::vector<double> table;
  for (Node v = 0; v < n && !watch.stopped(); ++v) {
    table.assign(std::size_t{1} << n, 0);
    sets.for_each_within(v, all.data(), n, [&](double gain, std::uint32_t mask, std::uint32_t) {
      table[mask] = gain;
    });
    kernels.superset_max(table.data(), n);
    for (std::size_t set = 0; set < table.size(); ++set)
      gains[set * n + v] = static_cast<float>(table[set]);
  }
  return gains;
}

double SeparatedGains::bytes(unsigned nodes, unsigned k) {
  return sizeof(float) * std::ldexp(factorial(k) + k, static_cast<int>(nodes));
}

double SeparatedGains::steps(unsigned nodes, unsigned k) {
  return std::ldexp(prefix_count(k), static_cast<int>(nodes)) * (nodes - k) / 2;
}

// A number is a sum of at most `nodes` gains, none of them negative. They are rounded, and so is
// every sum: a relative error of at most `nodes` half units in the last place of single precision.
// A few more are for the operations on the sum of two numbers.
double SeparatedGains::rounding_error(unsigned nodes, double total) {
  return (nodes + 4) * std::ldexp(total, -24);
}

// The same loops compiled twice, as in max_plus.h; loops with lengths known at compile time become
// a few vector instructions.
template <unsigned Sets> struct SeparatedGains::Plain {
  static void fill(SeparatedGains &self, const Prefix &before, unsigned last, float *to) {
    self.fill<Sets>(before, last, to);
  }
  static void pair(SeparatedGains &self, const float *gains) { self.pair<Sets>(gains); }
};

#ifdef OPTBN_AVX2
template <unsigned Sets> struct SeparatedGains::Fast {
  OPTBN_AVX2 static void fill(SeparatedGains &self, const Prefix &before, unsigned last,
                              float *to) {
    self.fill<Sets>(before, last, to);
  }
  OPTBN_AVX2 static void pair(SeparatedGains &self, const float *gains) { self.pair<Sets>(gains); }
};
#endif

template <unsigned Sets> SeparatedGains::Loops SeparatedGains::loops() {
#ifdef OPTBN_AVX2
  if (has_avx2())
    return {Fast<Sets>::fill, Fast<Sets>::pair};
#endif
  return {Plain<Sets>::fill, Plain<Sets>::pair};
}

// The prefix `before` and the member `last`, kNone for the empty prefix.
template <unsigned Sets>
OPTBN_INLINE void SeparatedGains::fill(const Prefix &before, unsigned last, float *to) const {
  const bool empty = last == kNone;
  const NodeMask prefix = empty ? 0 : before.nodes | mask_of(member_[last]);
  for (NodeMask side = 0; side < sides(); ++side) {
    const NodeMask nodes = nodes_of_side_[side];
    float best[Sets] = {}; // gains are never below 0
    if (!empty) {
      const float *const shorter = before.gains + side * std::size_t{Sets};
      const float gain = gains_[std::size_t{nodes | before.nodes} * nodes_ + member_[last]];
      for (unsigned set = 0; set < Sets; ++set)
        best[set] = shorter[set] + (set >> last & 1 ? 0 : gain);
    }
    const float *const gains = gains_ + std::size_t{nodes | prefix} * nodes_;
    for (NodeMask rest = side; rest != 0; rest &= rest - 1) {
      const unsigned position = lowest_bit(rest);
      const float *const smaller = to + (side ^ mask_of(position)) * std::size_t{Sets};
      const float gain = gains[other_[position]];
      for (unsigned set = 0; set < Sets; ++set) {
        const float sum = smaller[set] + gain;
        best[set] = best[set] < sum ? sum : best[set];
      }
    }
    for (unsigned set = 0; set < Sets; ++set)
      to[side * std::size_t{Sets} + set] = best[set];
  }
}

// The family of a member is assigned to one of the two sides.
template <unsigned Sets> OPTBN_INLINE void SeparatedGains::pair(const float *gains) {
  const NodeMask all = sides() - 1;
  for (NodeMask side = 0; side < sides() / 2; ++side) {
    const float *const here = gains + side * std::size_t{Sets};
    const float *const there = gains + (all ^ side) * std::size_t{Sets};
    float sum[Sets];
    for (unsigned set = 0; set < Sets; ++set)
      sum[set] = here[set] + there[Sets - 1 - set];
    for (unsigned half = Sets / 2; half > 0; half /= 2)
      for (unsigned set = 0; set < half; ++set)
        sum[set] = sum[set] < sum[set + half] ? sum[set + half] : sum[set];
    most_[side] = std::max(most_[side], sum[0]);
  }
}

SeparatedGains::SeparatedGains(const std::vector<float> &gains, unsigned nodes, unsigned k)
    : gains_(gains.data()), nodes_(nodes), k_(k), orders_(static_cast<std::size_t>(factorial(k))) {
  const Loops by_width[] = {loops<2>(),  loops<4>(),  loops<8>(),   loops<16>(),
                            loops<32>(), loops<64>(), loops<128>(), loops<256>()};
  if (k < 1 || k > std::size(by_width))
    throw Error("separators of this size cannot be indexed");
  loops_ = by_width[k - 1];
  values_.resize((orders_ + k) << nodes);
  most_.resize(sides());
  nodes_of_side_.resize(sides());
}

void SeparatedGains::separate(NodeMask separator, Watch &watch) {
  for (NodeMask side = 0; side < sides(); ++side)
    nodes_of_side_[side] = expanded(side, separator);
  member_.clear();
  other_.clear();
  for (unsigned v = 0; v < nodes_; ++v)
    (separator & mask_of(v) ? member_ : other_).push_back(v);
  std::fill(most_.begin(), most_.end(), 0.0f);
  next_order_ = 0;
  float *const empty = values_.data() + (orders_ << nodes_);
  loops_.fill(*this, {}, kNone, empty);
  extend({0, 0, empty}, watch);
  std::copy(most_.begin(), most_.begin() + static_cast<std::ptrdiff_t>(sides() / 2),
            most_.rbegin());
}

// All orders with this prefix, in lexicographic order, the order of their numbers.
void SeparatedGains::extend(const Prefix &prefix, Watch &watch) {
  const unsigned length = count_bits(prefix.members);
  for (unsigned next = 0; next < k_ && !watch.stopped(); ++next) {
    if (prefix.members >> next & 1)
      continue;
    const bool complete = length + 1 == k_;
    const std::size_t slot = complete ? next_order_++ : orders_ + length + 1;
    float *const to = values_.data() + (slot << nodes_);
    loops_.fill(*this, prefix, next, to);
    if (complete)
      loops_.pair(*this, to);
    else
      extend({prefix.members | 1u << next, prefix.nodes | mask_of(member_[next]), to}, watch);
  }
}

} // namespace optbn
