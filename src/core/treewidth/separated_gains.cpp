#include "core/treewidth/separated_gains.h"

#include "core/base/avx2.h"
#include "core/base/errors.h"
#include "core/base/max_plus.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

// Of the orders of k members.
double prefix_count(unsigned k) {
  double count = 1, of_size = 1;
  for (unsigned size = 0; size < k; ++size)
    count += of_size *= k - size;
  return count;
}

// to[i] = max(to[i], from[i] + gain), for a number of places that is known beforehand: a few vector
// instructions.
template <unsigned Size> OPTBN_INLINE void max_add(float *to, const float *from, float gain) {
  float sum[Size];
  for (unsigned i = 0; i < Size; ++i)
    sum[i] = from[i] + gain;
  for (unsigned i = 0; i < Size; ++i)
    to[i] = to[i] < sum[i] ? sum[i] : to[i];
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
    std::copy(table.begin(), table.end(),
              gains.begin() + static_cast<std::ptrdiff_t>(std::size_t{v} << n));
  }
  return gains;
}

double SeparatedGains::bytes(unsigned nodes, unsigned k) {
  return sizeof(float) * std::ldexp(prefix_count(k), static_cast<int>(nodes));
}

double SeparatedGains::steps(unsigned nodes, unsigned k) {
  return bytes(nodes, k) / sizeof(float) * (nodes - k) / 2;
}

// A number is a sum of at most `nodes` gains, none of them negative. They are rounded, and so is
// every sum: a relative error of at most nodes half units in the last place of single precision.
// A few more are for what is done with the sum of two.
double SeparatedGains::slack(unsigned nodes, double total) {
  return (nodes + 4) * std::ldexp(total, -24);
}

SeparatedGains::SeparatedGains(const std::vector<float> &gains, unsigned nodes, unsigned k)
    : gains_(gains.data()), nodes_(nodes), k_(k), prefixes_{{0, 0, 0}} {
  const Fill by_width[] = {pick_fill<2>(),  pick_fill<4>(),  pick_fill<8>(),   pick_fill<16>(),
                           pick_fill<32>(), pick_fill<64>(), pick_fill<128>(), pick_fill<256>()};
  if (k < 1 || k > std::size(by_width))
    throw Error("separators of this size cannot be indexed");
  fill_ = by_width[k - 1];
  extend(0);
  values_.resize(prefixes_.size() << nodes);
  prefix_nodes_.resize(prefixes_.size());
  nodes_before_.resize(prefixes_.size());
}

// Complete prefixes come in lexicographic order, as orders are numbered.
void SeparatedGains::extend(std::size_t prefix) {
  const unsigned members = prefixes_[prefix].members;
  if (count_bits(members) == k_)
    complete_.push_back(prefix);
  for (unsigned next = 0; next < k_; ++next)
    if (!(members >> next & 1)) {
      prefixes_.push_back({prefix, next, members | 1u << next});
      extend(prefixes_.size() - 1);
    }
}

void SeparatedGains::take(NodeMask separator) {
  separator_ = separator;
  member_.clear();
  other_.clear();
  for (unsigned v = 0; v < nodes_; ++v)
    (separator & mask_of(v) ? member_ : other_).push_back(v);
  for (std::size_t p = 0; p < prefixes_.size(); ++p) {
    prefix_nodes_[p] = selected(separator, prefixes_[p].members);
    nodes_before_[p] = prefix_nodes_[prefixes_[p].before];
  }
}

template <unsigned Sets> OPTBN_INLINE void SeparatedGains::fill(NodeMask side) {
  const NodeMask nodes = spread(side, separator_);
  const std::size_t block = prefixes_.size() * Sets;
  float *const best = values_.data() + side * block;
  std::fill_n(best, block, 0.0f); // gains are never below
  for (NodeMask rest = side; rest != 0; rest &= rest - 1) {
    const unsigned place = lowest_bit(rest), v = other_[place];
    const float *const before = values_.data() + (side ^ mask_of(place)) * block;
    const float *const gain = gains_ + (std::size_t{v} << nodes_) + (nodes ^ mask_of(v));
    for (std::size_t p = 0; p < prefix_nodes_.size(); ++p)
      max_add<Sets>(best + p * Sets, before + p * Sets, gain[prefix_nodes_[p]]);
  }
  for (std::size_t p = 1; p < prefixes_.size(); ++p) {
    const Prefix &prefix = prefixes_[p];
    const float *const before = best + prefix.before * Sets;
    const std::size_t own = std::size_t{member_[prefix.last]} << nodes_;
    const float gain = gains_[own + (nodes | nodes_before_[p])];
    for (unsigned set = 0; set < Sets; ++set) {
      const float sum = before[set] + (set >> prefix.last & 1 ? 0 : gain);
      best[p * Sets + set] = std::max(best[p * Sets + set], sum);
    }
  }
}

template <unsigned Sets> void SeparatedGains::fill_plainly(SeparatedGains &self, NodeMask side) {
  self.fill<Sets>(side);
}

#ifdef OPTBN_AVX2
template <unsigned Sets>
OPTBN_AVX2 void SeparatedGains::fill_fast(SeparatedGains &self, NodeMask side) {
  self.fill<Sets>(side);
}
#endif

template <unsigned Sets> SeparatedGains::Fill SeparatedGains::pick_fill() {
#ifdef OPTBN_AVX2
  if (__builtin_cpu_supports("avx2"))
    return fill_fast<Sets>;
#endif
  return fill_plainly<Sets>;
}

} // namespace optbn
