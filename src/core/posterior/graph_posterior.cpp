#include "core/posterior/graph_posterior.h"

#include "core/base/errors.h"
#include "core/base/simd/aligned_array.h"
#include "core/base/simd/max_plus.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

using Mask = std::uint32_t;

Mask bit(unsigned i) { return Mask{1} << i; }

Mask without_own_bit(Mask set, unsigned node) {
  const Mask below = bit(node) - 1;
  return (set & ~(below | bit(node))) >> 1 | (set & below);
}

// All T in a set of nodes outside U, with A_T(U) up to sign: the empty one first, then with each
// further node those so far once more.
struct Products {
  std::vector<double> value, exponent;
  std::vector<Mask> with; // U + T

  explicit Products(unsigned nodes)
      : value(std::size_t{1} << nodes), exponent(std::size_t{1} << nodes),
        with(std::size_t{1} << nodes) {}
};

struct Factor {
  unsigned node;
  double value, exponent; // a_v(U)
};

} // namespace

class GraphPosterior::Passes {
public:
  Passes(const std::vector<std::vector<ScaledSet>> &nodes, std::vector<Table> &sums, Table &rest)
      : nodes_(static_cast<unsigned>(nodes.size())), bits_(std::max(nodes_, 4u) - 1), sums_(sums),
        rest_(rest), before_(std::size_t{1} << nodes_), spread_(std::size_t{1} << nodes_),
        products_(nodes_), share_(std::size_t{1} << nodes_) {
    const std::size_t size = std::size_t{1} << bits_;
    for (unsigned v = 0; v < nodes_; ++v) {
      sums_.emplace_back(size);
      derivative_.emplace_back(size);
      Table &a = sums_.back();
      maxima_.fill(a.value.data(), size, 0);
      maxima_.fill(a.exponent.data(), size, kNoExponent);
      maxima_.fill(derivative_.back().data(), size, 0);
      for (const ScaledSet &set : nodes[v])
        a.exponent[without_own_bit(set.parents, v)] = set.weight.exponent;
      maxima_.superset_max(a.exponent.data(), bits_);
      for (const ScaledSet &set : nodes[v]) {
        const Mask own = without_own_bit(set.parents, v);
        a.value[own] =
            set.weight.value * Scaled::power_of_two(set.weight.exponent - a.exponent[own]);
      }
      kernels_.sum_subsets(a.value.data(), a.exponent.data(), bits_);
    }
  }

  // Fills B, from the full set down.
  void backward(Watch &watch) {
    const Mask full = static_cast<Mask>((std::size_t{1} << nodes_) - 1);
    rest_.value[full] = 1;
    rest_.exponent[full] = 0;
    for (Mask set = full; set-- > 0;) {
      list_factors(set);
      double scale = kNoExponent; // the largest exponent of a product with one node
      for (const Factor &a : factors_)
        scale = std::max(scale, a.exponent + rest_.exponent[set | bit(a.node)]);
      list_products(set);
      double sum = 0, absolute = 0;
      const std::size_t size = std::size_t{1} << factors_.size();
      for (std::size_t t = 1; t < size; ++t) {
        const Mask with = products_.with[t];
        const double term =
            products_.value[t] * rest_.value[with] *
            Scaled::power_of_two(products_.exponent[t] + rest_.exponent[with] - scale);
        sum -= term;
        absolute += std::abs(term);
      }
      const double up = sum > 0 ? std::floor(std::log2(sum)) : 0;
      rest_.value[set] = sum * std::exp2(-up);
      rest_.exponent[set] = scale + up;
      spread_[set] = absolute * std::exp2(-up);
      watch.advance(1);
      if ((set & 0xff) == 0)
        throw_if_stopped(watch);
    }
  }

  // Fills Z, from the empty set up, and gives all derivatives of the total by a_v(U) as shares of it,
  // in units of a_v(U). Returns the sum of all terms' sizes, as shares of the total.
  double forward(const Scaled &total, Watch &watch) {
    const Mask full = static_cast<Mask>((std::size_t{1} << nodes_) - 1);
    for (Mask set = 0;; ++set) { // the largest product that ends in the set, for the exponents
      before_.value[set] = set == 0;
      before_.exponent[set] = set == 0 ? 0 : kNoExponent;
      for (unsigned v = 0; v < nodes_; ++v)
        if (set & bit(v)) {
          const Mask rest = set & ~bit(v);
          before_.exponent[set] =
              std::max(before_.exponent[set],
                       before_.exponent[rest] + sums_[v].exponent[without_own_bit(rest, v)]);
        }
      if (set == full)
        break;
    }
    double terms = 0;
    for (Mask set = 0; set < full; ++set) {
      list_factors(set);
      list_products(set);
      const double z = before_.value[set], of_z = before_.exponent[set];
      const std::size_t size = std::size_t{1} << factors_.size();
      for (std::size_t t = 1; t < size; ++t) {
        const Mask with = products_.with[t];
        const double product = -products_.value[t] * z;
        const double exponent = products_.exponent[t] + of_z;
        before_.value[with] += product * Scaled::power_of_two(exponent - before_.exponent[with]);
        share_[t] = -z * rest_.value[with] *
                    Scaled::power_of_two(exponent + rest_.exponent[with] - total.exponent) /
                    total.value;
      }
      for (std::size_t i = factors_.size(); i-- > 0;) { // the transpose of list_products()
        const Factor &a = factors_[i];
        const std::size_t half = std::size_t{1} << i;
        double derivative = 0;
        for (std::size_t t = 0; t < half; ++t) {
          derivative -= share_[half + t] * products_.value[t];
          share_[t] -= share_[half + t] * a.value;
        }
        derivative_[a.node][without_own_bit(set, a.node)] = derivative;
      }
      terms += z * spread_[set] *
               Scaled::power_of_two(of_z + rest_.exponent[set] - total.exponent) / total.value;
      watch.advance(1);
      if ((set & 0xff) == 0)
        throw_if_stopped(watch);
    }
    return terms;
  }

  // The probability of a family.
  void sum_derivatives() {
    for (unsigned v = 0; v < nodes_; ++v)
      kernels_.sum_supersets(derivative_[v].data(), sums_[v].exponent.data(), bits_);
  }
  double probability(unsigned v, const ScaledSet &set) const {
    const Mask own = without_own_bit(set.parents, v);
    return derivative_[v][own] * set.weight.value *
           Scaled::power_of_two(set.weight.exponent - sums_[v].exponent[own]);
  }

private:
  void list_factors(Mask set) {
    factors_.clear();
    for (unsigned v = 0; v < nodes_; ++v)
      if (!(set & bit(v))) {
        const Mask own = without_own_bit(set, v);
        factors_.push_back({v, sums_[v].value[own], sums_[v].exponent[own]});
      }
  }

  void list_products(Mask set) {
    products_.value[0] = 1;
    products_.exponent[0] = 0;
    products_.with[0] = set;
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const Factor &a = factors_[i];
      const std::size_t half = std::size_t{1} << i;
      for (std::size_t t = 0; t < half; ++t) {
        products_.value[half + t] = -products_.value[t] * a.value;
        products_.exponent[half + t] = products_.exponent[t] + a.exponent;
        products_.with[half + t] = products_.with[t] | bit(a.node);
      }
    }
  }

  const unsigned nodes_, bits_; // of arrays without a node's own bit
  const ScaledSums kernels_ = all_scaled_sums().back();
  const MaxPlus maxima_ = max_plus();
  std::vector<Table> &sums_;
  Table &rest_;
  std::vector<AlignedArray> derivative_; // by a_v(U)
  Table before_;                         // Z
  AlignedArray spread_;                  // sums of the sizes of the terms of B, in its units
  std::vector<Factor> factors_;
  Products products_;
  AlignedArray share_;
};

double graph_posterior_bytes(unsigned nodes) {
  return std::ldexp((1.5 * nodes + 9) * sizeof(double), static_cast<int>(nodes));
}

GraphPosterior::GraphPosterior(const FamilyWeights &weights, Watch &watch)
    : PartPosterior(weights), rest_(std::size_t{1} << nodes()) {
  if (nodes() > kGraphPosteriorNodes)
    throw Error("graph_posterior: too many nodes");
  Passes passes(sets_, sums_, rest_);
  passes.backward(watch);
  log_sum_ += rest_[0].log();
  const double terms = passes.forward(rest_[0], watch);
  // Each sum has at most 2^n terms of some 4 n operations. Errors of B, of Z, of the derivatives and
  // of the total add up.
  rounding_ = 4 * terms * (std::ldexp(1.0, static_cast<int>(nodes())) + 4 * nodes()) * 0x1p-53;
  passes.sum_derivatives();
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
    const Scaled a = sums_[left[i]][without_own_bit(placed, left[i])];
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
