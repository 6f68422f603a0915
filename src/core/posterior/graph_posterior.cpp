#include "core/posterior/graph_posterior.h"

#include "core/base/errors.h"
#include "core/base/simd/aligned_array.h"
#include "core/base/simd/max_plus.h"
#include "core/base/subset_mask.h"
#include "core/posterior/graph_block.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// The place of a set without node v in a table over such sets.
Mask own_place(Mask set, unsigned v) { return without_own_bit(set, v, kGraphPosteriorNodes); }

constexpr unsigned kInnerNodes = 8; // all of whose products stay in a cache

// Nodes beside the placed ones are few, but the lowest ones are always there: those that a small
// problem does not have have no parents and one set, of weight 1.
unsigned padded(unsigned nodes) { return std::max(nodes, kLowNodes + 1); }

} // namespace

class GraphPosterior::Passes {
public:
  Passes(const std::vector<std::vector<ScaledSet>> &sets, std::vector<Table> &sums, Table &rest)
      : nodes_(padded(static_cast<unsigned>(sets.size()))), bits_(nodes_ - 1),
        sets_(std::size_t{1} << nodes_), sums_(sums), rest_(rest), before_(sets_), lost_(sets_),
        spread_(sets_), block_(std::size_t{1} << std::min(high(), kInnerNodes),
                               std::size_t{1} << (high() - std::min(high(), kInnerNodes))) {
    const std::size_t size = std::size_t{1} << bits_;
    for (unsigned v = 0; v < nodes_; ++v) {
      sums_.emplace_back(size);
      derivative_.emplace_back(size);
      maxima_.fill(derivative_[v].data(), size, 0);
      tabulate(v < sets.size() ? sets[v] : std::vector<ScaledSet>{{0, {1, 0}}}, v, sums_[v]);
    }
  }

  // Fills B, from the full set down.
  void backward(Watch &watch) {
    for (std::size_t first = sets_; first > 0;) {
      first -= kLowSets;
      set_up(first);
      double scale[kLowSets], even[kLowSets], odd[kLowSets];
      // A term is not larger than that of any one of its nodes.
      for (std::size_t l = 0; l < kLowSets; ++l) {
        scale[l] = kNoExponent;
        for (const unsigned v : beside_)
          scale[l] =
              std::max(scale[l], sum(v, first + l).exponent + rest_.exponent[(first + l) | bit(v)]);
      }
      kernels_.sum_terms(block_, rest_.value.data(), rest_.exponent.data(), scale, even, odd);
      for (std::size_t l = kLowSets; l-- > 0;)
        finish_rest(first, l, scale[l], is_odd(l) ? even[l] : odd[l], is_odd(l) ? odd[l] : even[l]);
      pause(watch);
    }
  }

  // Fills Z, from the empty set up, and finds the derivatives of the total by all a_v(U). Returns
  // the sum of the sizes of all terms, as a share of the total.
  double forward(Watch &watch) {
    const Scaled total = rest_[0];
    maxima_.fill(before_.value.data(), sets_, 0);
    maxima_.fill(lost_.data(), sets_, 0);
    find_largest_before();
    before_.value[0] = 1;
    double terms = 0;
    for (std::size_t first = 0; first < sets_; first += kLowSets) {
      set_up(first);
      finish_before(first, total);
      kernels_.add_terms(block_, before_.value.data(), lost_.data(), before_.exponent.data());
      kernels_.derive(block_, rest_.value.data(), rest_.exponent.data(), total.exponent,
                      1 / total.value);
      for (std::size_t i = 0; i < low_pairs_.size(); ++i)
        block_.low_derivative[i] += low_pairs_[i];
      derive_low(first);
      derive_beside(first);
      for (std::size_t l = 0; l < kLowSets; ++l)
        terms += block_.placed.value[l] * spread_[first + l] / total.value *
                 Scaled::power_of_two(block_.placed.exponent[l] + rest_.exponent[first + l] -
                                      total.exponent);
      pause(watch);
    }
    for (unsigned v = 0; v < nodes_; ++v)
      scaled_.sum_supersets(derivative_[v].data(), sums_[v].exponent.data(), bits_);
    return terms;
  }

  double probability(unsigned v, const ScaledSet &set) const {
    const std::size_t own = own_place(set.parents, v);
    return derivative_[v][own] * set.weight.value *
           Scaled::power_of_two(set.weight.exponent - sums_[v].exponent[own]);
  }

  // So many numbers are added one after another, at most, to one of B or Z.
  double additions() const {
    return 8 + static_cast<double>(std::size_t{1} << kInnerNodes) +
           std::ldexp(1, static_cast<int>(high()) - static_cast<int>(kInnerNodes));
  }

private:
  unsigned high() const { return nodes_ - kLowNodes; }
  Scaled sum(unsigned v, std::size_t placed) const {
    return sums_[v][own_place(static_cast<Mask>(placed), v)];
  }

  void tabulate(const std::vector<ScaledSet> &sets, unsigned v, Table &a) {
    const std::size_t size = std::size_t{1} << bits_;
    maxima_.fill(a.value.data(), size, 0);
    maxima_.fill(a.exponent.data(), size, kNoExponent);
    for (const ScaledSet &set : sets)
      a.exponent[own_place(set.parents, v)] = set.weight.exponent;
    maxima_.superset_max(a.exponent.data(), bits_);
    for (const ScaledSet &set : sets) {
      const std::size_t own = own_place(set.parents, v);
      a.value[own] = set.weight.value * Scaled::power_of_two(set.weight.exponent - a.exponent[own]);
    }
    scaled_.sum_subsets(a.value.data(), a.exponent.data(), bits_);
  }

  // The products of a block, whose first set has none of the lowest nodes.
  void set_up(std::size_t first) {
    beside_.clear();
    for (unsigned v = kLowNodes; v < nodes_; ++v)
      if (!(first & bit(v)))
        beside_.push_back(v);
    inner_nodes_ = std::min<std::size_t>(beside_.size(), kInnerNodes);
    list_products(first, 0, inner_nodes_, 0, block_.inner);
    list_products(first, inner_nodes_, beside_.size(), first, block_.outer);
    for (std::size_t l = 0; l < kLowSets; ++l)
      for (std::size_t s = 0; s < kLowSets; ++s) {
        Scaled product{1, 0};
        for (unsigned v = 0; v < kLowNodes; ++v)
          if ((s & ~l) & bit(v)) {
            const Scaled a = sum(v, first + l);
            product = {product.value * a.value, product.exponent + a.exponent};
          }
        if (l & ~s)
          product = {};
        block_.low.value[s * kLowSets + l] = product.value;
        block_.low.exponent[s * kLowSets + l] = product.exponent;
        block_.low_of_placed.value[l * kLowSets + s] =
            is_odd(s ^ l) ? product.value : -product.value;
        block_.low_of_placed.exponent[l * kLowSets + s] = product.exponent;
      }
  }

  // Of the nodes beside the placed ones from `begin` to `end`: the empty set, then with each further
  // node those so far once more.
  void list_products(std::size_t first, std::size_t begin, std::size_t end, std::size_t place,
                     SetProducts &list) {
    maxima_.fill(list.product.value.data(), kLowSets, 1);
    maxima_.fill(list.product.exponent.data(), kLowSets, 0);
    list.place[0] = place;
    list.sign[0] = 1;
    list.size = 1;
    for (std::size_t i = begin; i < end; ++i) {
      const unsigned v = beside_[i];
      const std::size_t own = own_place(static_cast<Mask>(first), v);
      const double *a = sums_[v].value.data() + own, *of_a = sums_[v].exponent.data() + own;
      for (std::size_t t = 0; t < list.size; ++t) {
        const std::size_t from = t * kLowSets, to = (list.size + t) * kLowSets;
        for (std::size_t l = 0; l < kLowSets; ++l) {
          list.product.value[to + l] = list.product.value[from + l] * a[l];
          list.product.exponent[to + l] = list.product.exponent[from + l] + of_a[l];
        }
        list.place[list.size + t] = list.place[t] + bit(v);
        list.sign[list.size + t] = -list.sign[t];
      }
      list.size *= 2;
    }
    maxima_.fill(list.derivative.data(), list.size * kLowSets, 0);
  }

  // The transpose: from the derivatives by all products those by a_v(U).
  void derive_factors(std::size_t first, std::size_t begin, std::size_t end, SetProducts &list) {
    for (std::size_t i = end; i-- > begin;) {
      const unsigned v = beside_[i];
      const std::size_t own = own_place(static_cast<Mask>(first), v);
      const double *a = sums_[v].value.data() + own;
      double *derivative = derivative_[v].data() + own;
      list.size /= 2;
      for (std::size_t t = 0; t < list.size; ++t)
        for (std::size_t l = 0; l < kLowSets; ++l) {
          const double with = list.derivative[(list.size + t) * kLowSets + l];
          derivative[l] += with * list.product.value[t * kLowSets + l];
          list.derivative[t * kLowSets + l] += with * a[l];
        }
    }
  }
  void derive_beside(std::size_t first) {
    derive_factors(first, inner_nodes_, beside_.size(), block_.outer);
    derive_factors(first, 0, inner_nodes_, block_.inner);
  }

  void derive_low(std::size_t first) {
    for (std::size_t l = 0; l < kLowSets; ++l)
      for (std::size_t s = 0; s < kLowSets; ++s)
        for (unsigned v = 0; v < kLowNodes; ++v)
          if (!(l & ~s) && (s & ~l) & bit(v)) {
            const std::size_t own = own_place(static_cast<Mask>(first + l), v);
            derivative_[v][own] += block_.low_derivative[s * kLowSets + l] *
                                   block_.low.value[(s & ~std::size_t{bit(v)}) * kLowSets + l];
          }
  }

  // B of a set whose terms beyond the lowest nodes are known, in units of 2^scale.
  void finish_rest(std::size_t first, std::size_t l, double scale, double plus, double minus) {
    const std::size_t set = first + l;
    if (set + 1 == sets_) {
      rest_.value[set] = 1;
      rest_.exponent[set] = spread_[set] = 0;
      return;
    }
    double largest = scale;
    for (unsigned v = 0; v < kLowNodes; ++v)
      if (!(l & bit(v)))
        largest = std::max(largest, sum(v, set).exponent + rest_.exponent[set | bit(v)]);
    plus *= Scaled::power_of_two(scale - largest);
    minus *= Scaled::power_of_two(scale - largest);
    for (std::size_t s = l + 1; s < kLowSets; ++s)
      if (!(l & ~s)) {
        const double term = block_.low.value[s * kLowSets + l] * rest_.value[first + s] *
                            Scaled::power_of_two(block_.low.exponent[s * kLowSets + l] +
                                                 rest_.exponent[first + s] - largest);
        (is_odd(s ^ l) ? plus : minus) += term;
      }
    const double value = plus - minus, up = value > 0 ? std::floor(std::log2(value)) : 0;
    rest_.value[set] = value * Scaled::power_of_two(-up);
    rest_.exponent[set] = largest + up;
    spread_[set] = (plus + minus) * Scaled::power_of_two(-up);
  }

  // The exponents of Z: of the largest product of an order that ends in the set.
  void find_largest_before() {
    before_.exponent[0] = 0;
    for (std::size_t set = 1; set < sets_; ++set) {
      double most = kNoExponent;
      for (unsigned v = 0; v < nodes_; ++v)
        if (set & bit(v)) {
          const std::size_t rest = set & ~std::size_t{bit(v)};
          most = std::max(most, before_.exponent[rest] + sum(v, rest).exponent);
        }
      before_.exponent[set] = most;
    }
  }

  // Z of the sets of a block, from the smaller ones among them; and the derivatives of the total by
  // low(s, l) that these terms give.
  void finish_before(std::size_t first, const Scaled &total) {
    std::fill(low_pairs_.begin(), low_pairs_.end(), 0);
    for (std::size_t s = 0; s < kLowSets; ++s) {
      for (std::size_t l = 0; l < s; ++l)
        if (!(l & ~s)) {
          const double z = is_odd(s ^ l) ? before_.value[first + l] : -before_.value[first + l];
          const double exponent =
              block_.low.exponent[s * kLowSets + l] + before_.exponent[first + l];
          before_.value[first + s] += z * block_.low.value[s * kLowSets + l] *
                                      Scaled::power_of_two(exponent - before_.exponent[first + s]);
          low_pairs_[s * kLowSets + l] =
              z * rest_.value[first + s] / total.value *
              Scaled::power_of_two(exponent + rest_.exponent[first + s] - total.exponent);
        }
      block_.placed.value[s] = before_.value[first + s];
      block_.placed.exponent[s] = before_.exponent[first + s];
    }
  }

  void pause(Watch &watch) const {
    watch.advance(kLowSets);
    throw_if_stopped(watch);
  }

  const unsigned nodes_, bits_; // of arrays without a node's own bit
  const std::size_t sets_;
  const GraphKernels kernels_ = all_graph_kernels().back();
  const ScaledSums scaled_ = all_scaled_sums().back();
  const MaxPlus maxima_ = max_plus();
  std::vector<Table> &sums_;
  Table &rest_;
  std::vector<AlignedArray> derivative_; // by a_v(U)
  Table before_;                         // Z
  AlignedArray lost_;                    // low parts of Z
  AlignedArray spread_;                  // sums of the sizes of the terms of B, in its units
  std::vector<unsigned> beside_;         // nodes that are neither placed nor among the lowest
  std::size_t inner_nodes_ = 0;
  GraphBlock block_;
  std::vector<double> low_pairs_ = std::vector<double>(kLowSets * kLowSets);
};

double graph_posterior_bytes(unsigned nodes) {
  return std::ldexp((1.5 * nodes + 9) * sizeof(double), static_cast<int>(nodes));
}

GraphPosterior::GraphPosterior(const FamilyWeights &weights, Watch &watch)
    : PartPosterior(weights), rest_(std::size_t{1} << padded(nodes())) {
  if (nodes() > kGraphPosteriorNodes)
    throw Error("graph_posterior: too many nodes");
  Passes passes(sets_, sums_, rest_);
  passes.backward(watch);
  log_sum_ += rest_[0].log();
  // The error of a term is that of its operations, some 4 n. Those of B, of Z, of the derivatives and
  // of the total add up.
  rounding_ = 4 * passes.forward(watch) * (passes.additions() + 4 * nodes()) * 0x1p-53;
  for (unsigned v = 0; v < nodes(); ++v) {
    probability_.emplace_back();
    for (const ScaledSet &set : sets_[v])
      probability_[v].push_back(passes.probability(v, set));
  }
}

std::vector<Choice> GraphPosterior::draw(std::size_t count, Random &random, Watch &watch) const {
  std::vector<Choice> choices(count, Choice(nodes()));
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  draw_after(0, 0, all, choices, random, watch);
  return choices;
}

// The next layer R has the weight
//     product over v in R of the weights of sets inside `placed` that meet the last layer,
//     times the sum over the rest in which each node has a parent outside `placed`,
// which is, again by inclusion and exclusion, of the nodes X that have none,
//     sum over X of (-1)^|X| A_X(placed) B(placed + R + X).
// It comes node by node, for all R at once.
void GraphPosterior::draw_after(Mask placed, Mask layer, const std::vector<std::size_t> &numbers,
                                std::vector<Choice> &choices, Random &random, Watch &watch) const {
  std::vector<unsigned> left;
  for (unsigned v = 0; v < nodes(); ++v)
    if (!(placed & bit(v)))
      left.push_back(v);
  if (left.empty())
    return;
  const std::size_t size = std::size_t{1} << left.size();
  std::vector<Mask> with(size, placed); // the placed nodes with R
  std::vector<Scaled> weight(size);     // of the parents of R; then of R
  std::vector<std::vector<std::uint32_t>> sets;
  weight[0] = {1, 0};
  for (std::size_t i = 0; i < left.size(); ++i) {
    sets.push_back(sets_inside(left[i], placed, layer));
    Scaled sum;
    for (const std::uint32_t set : sets.back())
      sum += sets_[left[i]][set].weight;
    const std::size_t half = std::size_t{1} << i;
    for (std::size_t r = 0; r < half; ++r) {
      with[half + r] = with[r] | bit(left[i]);
      weight[half + r] = {weight[r].value * sum.value, weight[r].exponent + sum.exponent};
    }
  }
  std::vector<Scaled> after(size); // the sum over the rest
  for (std::size_t r = 0; r < size; ++r)
    after[r] = rest_[with[r]];
  for (std::size_t i = 0; i < left.size(); ++i) {
    throw_if_stopped(watch);
    const Scaled a = sums_[left[i]][own_place(placed, left[i])];
    const std::size_t half = std::size_t{1} << i;
    for (std::size_t r = 0; r < size; ++r)
      if (!(r & half))
        after[r].value -=
            a.value * after[r + half].value *
            Scaled::power_of_two(a.exponent + after[r + half].exponent - after[r].exponent);
  }
  for (std::size_t r = 0; r < size; ++r)
    weight[r] = {weight[r].value * std::max(0.0, after[r].value),
                 weight[r].exponent + after[r].exponent};
  weight[0] = {};
  std::map<std::size_t, std::vector<std::size_t>> groups;
  {
    const Wheel wheel(relative(weight));
    for (const std::size_t number : numbers)
      groups[wheel.draw(random)].push_back(number);
  }
  weight = {};
  after = {};
  for (const auto &[r, group] : groups) {
    for (std::size_t i = 0; i < left.size(); ++i)
      if (r >> i & 1)
        draw_sets(left[i], sets[i], group, choices, random);
    draw_after(with[r], with[r] & ~placed, group, choices, random, watch);
  }
}

} // namespace optbn
