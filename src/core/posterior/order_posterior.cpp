// How the table is passed through
// -------------------------------
// As in subset_dp.cpp, a subset is a number whose low bits are its position in a *block* and whose
// high bits H name the block; sums a_v(U) are made block by block, where they are needed. They have
// exponents of their own (scaled_sums.h): that of a_v(U) is the largest of a weight inside U, and as
// it does not fall when U grows, a partial sum aligned to it loses nothing that counts.
//
// Forward, in counting order, the table is filled with L. Backward, R takes the place of L, of which
// no later block is needed any more. While L and R of a block are there, so is
//     g_v(U) = L(U) R(U + v) / R(empty set), in units of a_v(U)
// the derivative by a_v(U), and the transpose of the sum that made a_v gives those by the weights.

#include "core/posterior/order_posterior.h"

#include "core/base/bit_set.h"
#include "core/base/errors.h"
#include "core/base/simd/aligned_array.h"
#include "core/base/simd/max_plus.h"
#include "core/base/subset_mask.h"
#include "core/posterior/merged_sets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr unsigned kLowBits = 12; // arrays of 2^12 numbers, which the first levels of a cache hold

// Few nodes get some subsets that are never used, so that arrays are as long as kernels want them.
unsigned low_bits(unsigned nodes) { return std::clamp(nodes, 4u, kLowBits); }
unsigned high_bits(unsigned nodes) { return std::max(nodes, low_bits(nodes)) - low_bits(nodes); }

// Scaled numbers, by subset of some low nodes.
struct Array {
  explicit Array(unsigned bits) : value(std::size_t{1} << bits), exponent(std::size_t{1} << bits) {}
  AlignedArray value, exponent;
};

// a_v(U) of one node, for the subsets U of one block after another, and its transpose.
class NodeSums {
public:
  NodeSums(std::vector<MergedSets::Set> sets, unsigned bits, unsigned low, unsigned high)
      : sets_(std::move(sets), low, high), bits_(bits) {}

  void tabulate(Mask block, Array &to, const ScaledSums &sums, const MaxPlus &maxima) {
    const std::size_t size = std::size_t{1} << bits_;
    inside_ = sets_.inside(block);
    maxima.fill(to.exponent.data(), size, kNoExponent);
    for (const MergedSets::Set &set : inside_)
      to.exponent[position(set)] = set.weight.exponent;
    maxima.superset_max(to.exponent.data(), bits_);
    maxima.fill(to.value.data(), size, 0);
    for (const MergedSets::Set &set : inside_)
      to.value[position(set)] = set.weight.value * scale(set, to.exponent);
    sums.sum_subsets(to.value.data(), to.exponent.data(), bits_);
  }

  // `derivative`: by a_v(U), in units of its exponents; spoilt.
  void take_shares(double *derivative, const AlignedArray &exponent, const ScaledSums &sums) {
    sums.sum_supersets(derivative, exponent.data(), bits_);
    for (MergedSets::Set &set : inside_)
      set.share += derivative[position(set)] * scale(set, exponent);
  }

  MergedSets &sets() { return sets_; }

private:
  std::size_t position(const MergedSets::Set &set) const {
    return set.parents & ((std::size_t{1} << bits_) - 1);
  }
  double scale(const MergedSets::Set &set, const AlignedArray &exponent) const {
    return Scaled::power_of_two(set.weight.exponent - exponent[position(set)]);
  }

  MergedSets sets_;
  unsigned bits_;
  MergedSets::Span inside_;
};

// The passes over the table.
class TablePasses {
public:
  TablePasses(const std::vector<std::vector<ScaledSet>> &nodes, Packed *table)
      : nodes_(static_cast<unsigned>(nodes.size())), low_(low_bits(nodes_)),
        high_(high_bits(nodes_)), size_(std::size_t{1} << low_), table_(table), of_high_node_(low_),
        here_(low_), there_(low_), rest_(low_), derivative_(size_) {
    for (unsigned v = 0; v < nodes_; ++v) {
      std::vector<MergedSets::Set> sets;
      for (const ScaledSet &set : nodes[v])
        sets.push_back({own_mask(v, set.parents), set.weight});
      const unsigned bits = v < low_ ? low_ - 1 : low_;
      sums_.emplace_back(std::move(sets), bits, low_, high_);
      if (v < low_)
        of_low_node_.emplace_back(bits);
    }
  }

  // Fills the table with L.
  void forward(Watch &watch) {
    for (Mask block = 0; block < bit(high_); ++block) {
      clear(here_);
      if (block == 0)
        set_one(here_, 0);
      for (unsigned v = low_; v < nodes_; ++v)
        if (const Mask own = bit(v - low_); block & own) {
          tabulate(v, block, of_high_node_);
          kernels_.add_packed_products(here_.value.data(), here_.exponent.data(),
                                       table_ + (block ^ own) * size_, of_high_node_.value.data(),
                                       of_high_node_.exponent.data(), size_);
        }
      tabulate_low_nodes(block);
      for (std::size_t next = 1; next < size_; ++next) {
        const unsigned v = lowest_bit(next);
        append_low_node(v, here_, next, next - (std::size_t{1} << v));
      }
      kernels_.pack(table_ + block * size_, here_.value.data(), here_.exponent.data(), size_);
      pause(watch);
    }
  }

  // Puts R in the place of L, and gives every set the derivative of the total by its weight.
  void backward(const Scaled &total, Watch &watch) {
    for (Mask block = bit(high_); block-- > 0;) {
      kernels_.unpack(here_.value.data(), here_.exponent.data(), table_ + block * size_, size_);
      clear(rest_);
      if (block == bit(high_) - 1)
        set_one(rest_, (std::size_t{1} << std::min(nodes_, low_)) - 1);
      for (unsigned v = low_; v < nodes_; ++v)
        if (const Mask own = bit(v - low_); !(block & own)) {
          tabulate(v, block, of_high_node_);
          kernels_.unpack(there_.value.data(), there_.exponent.data(),
                          table_ + (block | own) * size_, size_);
          kernels_.add_products(rest_.value.data(), rest_.exponent.data(), there_.value.data(),
                                there_.exponent.data(), of_high_node_.value.data(),
                                of_high_node_.exponent.data(), size_);
          derive(0, there_, 0, 0, of_high_node_, size_, total);
          sums_[v].take_shares(derivative_.data(), of_high_node_.exponent, kernels_);
        }
      tabulate_low_nodes(block);
      for (std::size_t last = size_ - 1; last-- > 0;) {
        const unsigned v = lowest_bit(~last);
        append_low_node(v, rest_, last + 1 - (std::size_t{1} << v), last + 1);
      }
      for (unsigned v = 0; v < of_low_node_.size(); ++v) {
        const std::size_t length = std::size_t{1} << v;
        for (std::size_t from = 0; from < size_; from += 2 * length)
          derive(from, rest_, from + length, from / 2, of_low_node_[v], length, total);
        sums_[v].take_shares(derivative_.data(), of_low_node_[v].exponent, kernels_);
      }
      kernels_.pack(table_ + block * size_, rest_.value.data(), rest_.exponent.data(), size_);
      pause(watch);
    }
  }

  // Of a node, by set in the order of the masks that it has here.
  const std::vector<MergedSets::Set> &shares(unsigned v) { return sums_[v].sets().with_shares(); }
  Mask own_mask(unsigned v, Mask parents) const {
    return v < low_ ? without_own_bit(parents, v, low_) : parents;
  }

private:
  void clear(Array &array) const {
    maxima_.fill(array.value.data(), size_, 0);
    maxima_.fill(array.exponent.data(), size_, kNoExponent);
  }
  static void set_one(Array &array, std::size_t position) {
    array.value[position] = 1;
    array.exponent[position] = 0;
  }

  void tabulate(unsigned v, Mask block, Array &to) {
    sums_[v].tabulate(block, to, kernels_, maxima_);
  }

  void tabulate_low_nodes(Mask block) {
    for (unsigned v = 0; v < of_low_node_.size(); ++v)
      tabulate(v, block, of_low_node_[v]);
  }

  // Adds a_v times 2^v numbers of the array to as many others. Of the two places one has bit v, the
  // other has not, and the bits below run through all.
  void append_low_node(unsigned v, Array &array, std::size_t to, std::size_t from) {
    if (v >= of_low_node_.size())
      return;
    const std::size_t length = std::size_t{1} << v, at = std::min(to, from) / 2;
    const Array &a = of_low_node_[v];
    if (length >= kScaledLanes) {
      kernels_.add_products(array.value.data() + to, array.exponent.data() + to,
                            array.value.data() + from, array.exponent.data() + from,
                            a.value.data() + at, a.exponent.data() + at, length);
      return;
    }
    for (std::size_t i = 0; i < length; ++i) {
      Scaled sum{array.value[to + i], array.exponent[to + i]};
      sum +=
          {array.value[from + i] * a.value[at + i], array.exponent[from + i] + a.exponent[at + i]};
      array.value[to + i] = sum.value;
      array.exponent[to + i] = sum.exponent;
    }
  }

  // The derivatives by a_v(U), at `at` of its array, for U at `from` of this block and U + v at `to`
  // of another array.
  void derive(std::size_t from, const Array &other, std::size_t to, std::size_t at, const Array &a,
              std::size_t length, const Scaled &total) {
    if (length >= kScaledLanes) {
      kernels_.products(derivative_.data() + at, here_.value.data() + from,
                        here_.exponent.data() + from, other.value.data() + to,
                        other.exponent.data() + to, a.exponent.data() + at, total.exponent, length);
      return;
    }
    for (std::size_t i = 0; i < length; ++i)
      derivative_[at + i] = here_.value[from + i] * other.value[to + i] *
                            Scaled::power_of_two(here_.exponent[from + i] + other.exponent[to + i] +
                                                 a.exponent[at + i] - total.exponent);
  }

  void pause(Watch &watch) const {
    watch.advance(size_);
    throw_if_stopped(watch);
  }

  const unsigned nodes_, low_, high_;
  const std::size_t size_;
  Packed *const table_;
  const ScaledSums kernels_ = all_scaled_sums().back();
  const MaxPlus maxima_ = max_plus();
  std::vector<NodeSums> sums_;
  std::vector<Array> of_low_node_;
  Array of_high_node_, here_, there_, rest_;
  AlignedArray derivative_;
};

} // namespace

double order_posterior_bytes(unsigned nodes) {
  return std::ldexp(sizeof(Packed), static_cast<int>(low_bits(nodes) + high_bits(nodes)));
}

OrderPosterior::OrderPosterior(const FamilyWeights &weights, Watch &watch)
    : PartPosterior(weights) {
  const unsigned n = nodes();
  if (n > kOrderPosteriorNodes)
    throw Error("order_posterior: too many nodes");
  rest_.reset(new Packed[std::size_t{1} << (low_bits(n) + high_bits(n))]);
  TablePasses passes(sets_, rest_.get());
  passes.forward(watch);
  const Scaled total = unpacked(rest_[(std::size_t{1} << n) - 1]);
  log_sum_ += total.log();
  passes.backward(total, watch);
  // Nothing cancels: L and R have the error of n packed numbers and of n sums of n products each.
  rounding_ = 2 * n * (0x1p-43 + 4 * n * 0x1p-53);
  for (unsigned v = 0; v < n; ++v) {
    const std::vector<MergedSets::Set> &shares = passes.shares(v);
    probability_.emplace_back();
    for (const ScaledSet &set : sets_[v]) {
      const auto found = std::lower_bound(
          shares.begin(), shares.end(), passes.own_mask(v, set.parents),
          [](const MergedSets::Set &share, Mask parents) { return share.parents < parents; });
      probability_[v].push_back(found->share * found->weight.value / total.value);
    }
  }
}

std::vector<Choice> OrderPosterior::draw(std::size_t count, Random &random, Watch &watch) const {
  std::vector<Choice> choices(count, Choice(nodes()));
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  draw_after(0, all, choices, random, watch);
  return choices;
}

// Networks that have placed the same nodes share the work on them.
void OrderPosterior::draw_after(Mask placed, const std::vector<std::size_t> &numbers,
                                std::vector<Choice> &choices, Random &random, Watch &watch) const {
  std::vector<unsigned> next;
  std::vector<std::vector<std::uint32_t>> inside; // of the next nodes, sets
  std::vector<Scaled> sums;
  for (unsigned v = 0; v < nodes(); ++v) {
    if (placed & bit(v))
      continue;
    next.push_back(v);
    inside.push_back(sets_inside(v, placed));
    Scaled sum;
    for (const std::uint32_t i : inside.back())
      sum += sets_[v][i].weight;
    const Scaled after = unpacked(rest_[placed | bit(v)]);
    sums.push_back({sum.value * after.value, sum.exponent + after.exponent});
  }
  if (next.empty())
    return;
  throw_if_stopped(watch);
  const Wheel wheel(relative(sums));
  std::vector<std::vector<std::size_t>> groups(next.size());
  for (const std::size_t number : numbers)
    groups[wheel.draw(random)].push_back(number);
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (groups[i].empty())
      continue;
    draw_sets(next[i], inside[i], groups[i], choices, random);
    draw_after(placed | bit(next[i]), groups[i], choices, random, watch);
  }
}

} // namespace optbn
