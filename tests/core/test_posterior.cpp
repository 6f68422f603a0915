#include "check.h"

#include "core/base/errors.h"
#include "core/posterior/graph_block.h"
#include "core/posterior/graph_posterior.h"
#include "core/posterior/network_posterior.h"
#include "core/posterior/order_posterior.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>

using namespace optbn;

namespace {

enum class CountedAs { graphs, orders };

using Probabilities = std::vector<std::vector<double>>;

// All networks, or all orders with their networks, that have weight.
struct Enumerated {
  double log_sum;
  Probabilities probability;
  std::map<Choice, double> networks;
};

bool is_order(const FamilyWeights &weights, const Choice &choice,
              const std::vector<unsigned> &order) {
  std::uint32_t before = 0;
  for (const unsigned v : order) {
    if (weights[v][choice[v]].parents & ~before)
      return false;
    before |= 1u << v;
  }
  return true;
}

double count_orders(const FamilyWeights &weights, const Choice &choice) {
  std::vector<unsigned> order(weights.size());
  std::iota(order.begin(), order.end(), 0u);
  double count = 0;
  do
    count += is_order(weights, choice, order);
  while (std::next_permutation(order.begin(), order.end()));
  return count;
}

Enumerated enumerate(const FamilyWeights &weights, CountedAs counted) {
  Enumerated result;
  std::map<Choice, double> logs;
  double most = -1e300;
  const std::function<void(Choice &, double)> extend = [&](Choice &choice, double log) {
    const std::size_t v = choice.size();
    if (v == weights.size()) {
      const double orders = count_orders(weights, choice);
      if (orders == 0)
        return;
      logs[choice] = log + (counted == CountedAs::orders ? std::log(orders) : 0);
      most = std::max(most, logs[choice]);
      return;
    }
    for (std::uint32_t i = 0; i < weights[v].size(); ++i) {
      choice.push_back(i);
      extend(choice, log + weights[v][i].log_weight);
      choice.pop_back();
    }
  };
  Choice none;
  extend(none, 0);
  double sum = 0;
  for (const auto &[choice, log] : logs)
    sum += std::exp(log - most);
  result.log_sum = most + std::log(sum);
  for (const std::vector<WeightedSet> &sets : weights)
    result.probability.emplace_back(sets.size());
  for (const auto &[choice, log] : logs) {
    const double probability = std::exp(log - result.log_sum);
    result.networks[choice] = probability;
    for (std::size_t v = 0; v < weights.size(); ++v)
      result.probability[v][choice[v]] += probability;
  }
  return result;
}

// Some of the sets of each node, the empty one always among them, or never of some.
FamilyWeights random_weights(std::uint64_t seed, unsigned nodes, double spread, unsigned most,
                             double share = 0.7) {
  Random random(seed);
  FamilyWeights weights(nodes);
  for (unsigned v = 0; v < nodes; ++v)
    for (std::uint32_t set = 0; set < 1u << nodes; ++set) {
      unsigned size = 0;
      for (unsigned u = 0; u < nodes; ++u)
        size += set >> u & 1;
      if (!(set >> v & 1) && size <= most && (set == 0 || random.uniform() < share))
        weights[v].push_back({set, spread * (random.uniform() - 0.5)});
    }
  return weights;
}

std::unique_ptr<PartPosterior> posterior(const FamilyWeights &weights, CountedAs counted) {
  const Host host;
  Watch watch(host);
  if (counted == CountedAs::graphs)
    return std::make_unique<GraphPosterior>(weights, watch);
  return std::make_unique<OrderPosterior>(weights, watch);
}

double difference(const Probabilities &x, const Probabilities &y) {
  double most = 0;
  for (std::size_t v = 0; v < x.size(); ++v)
    for (std::size_t i = 0; i < x[v].size(); ++i)
      most = std::max(most, std::abs(x[v][i] - y[v][i]));
  return most;
}

// By node and set of nodes, the sum of the weights of all sets inside, relative to the largest one;
// and the sum of the logarithms of these.
std::pair<std::vector<std::vector<long double>>, double> sums_inside(const FamilyWeights &weights) {
  const std::size_t n = weights.size(), all = (std::size_t{1} << n) - 1;
  double scale = 0;
  std::vector<std::vector<long double>> inside(n);
  for (std::size_t v = 0; v < n; ++v) {
    double most = -1e300;
    for (const WeightedSet &set : weights[v])
      most = std::max(most, set.log_weight);
    scale += most;
    inside[v].assign(all + 1, 0);
    for (const WeightedSet &set : weights[v])
      inside[v][set.parents] += std::exp(static_cast<long double>(set.log_weight - most));
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t set = 0; set <= all; ++set)
        if (set >> u & 1)
          inside[v][set] += inside[v][set ^ std::size_t{1} << u];
  }
  return {inside, scale};
}

// A second recursion, from the last node of an order on.
double log_sum_over_orders(const FamilyWeights &weights) {
  const auto [inside, scale] = sums_inside(weights);
  std::vector<long double> behind(inside[0].size(), 0); // of orders of the nodes outside
  behind.back() = 1;
  for (std::size_t placed = behind.size() - 1; placed-- > 0;)
    for (std::size_t v = 0; v < weights.size(); ++v)
      if (!(placed >> v & 1))
        behind[placed] += inside[v][placed] * behind[placed | std::size_t{1} << v];
  return scale + static_cast<double>(std::log(behind[0]));
}

// A second recursion, over the layers of networks (from nodes without parents on): all its terms are
// positive. forward[U, A]: networks of U whose last layer is A; a node of the next layer has a parent
// in A. Of all families: those of which one is left alone are networks with it.
double log_sum_over_layers(const FamilyWeights &weights) {
  const auto n = static_cast<unsigned>(weights.size());
  const std::uint32_t all = (1u << n) - 1;
  const auto [inside, scale] = sums_inside(weights);
  std::vector<std::uint32_t> ternary(all + 1, 0); // a digit 1 for each member
  for (std::uint32_t set = 1, power = 1; set <= all; ++set) {
    if ((set & (set - 1)) == 0)
      ternary[set] = power, power *= 3;
    else
      ternary[set] = ternary[set & (set - 1)] + ternary[set & (0 - set)];
  }
  // by placed nodes (digits 1) and those of them in the last layer (digits 2)
  std::vector<long double> state(2 * std::size_t{ternary[all]} + 1, 0), product(all + 1);
  state[0] = 1;
  long double sum = 0;
  for (std::uint32_t placed = 0; placed <= all; ++placed)
    for (std::uint32_t last = placed;; last = (last - 1) & placed) {
      product[0] = state[ternary[placed] + ternary[last]];
      if (placed == all)
        sum += product[0];
      const std::uint32_t open = all & ~placed;
      for (std::uint32_t next = (0 - open) & open; next && product[0] > 0;
           next = (next - open) & open) {
        unsigned v = 0;
        while (!(next >> v & 1))
          ++v;
        const long double without = placed ? inside[v][placed & ~last] : 0;
        product[next] = product[next & (next - 1)] * (inside[v][placed] - without);
        state[ternary[placed | next] + ternary[next]] += product[next];
      }
      if (last == 0)
        break;
    }
  return scale + static_cast<double>(std::log(sum));
}

} // namespace

TEST(posteriors_equal_enumeration) {
  for (const CountedAs counted : {CountedAs::graphs, CountedAs::orders})
    for (unsigned nodes = 1; nodes <= 4; ++nodes)
      for (const double spread : {0.0, 3.0, 100.0, 50000.0})
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
          const FamilyWeights weights = random_weights(seed, nodes, spread, nodes, 0.4);
          const Enumerated wanted = enumerate(weights, counted);
          const auto found = posterior(weights, counted);
          CHECK_NEAR(found->log_sum(), wanted.log_sum, 1e-11 * (1 + std::abs(wanted.log_sum)));
          CHECK(difference(found->probabilities(), wanted.probability) < 1e-10);
        }
}

TEST(posteriors_equal_enumeration_where_a_set_is_missing) {
  for (const CountedAs counted : {CountedAs::graphs, CountedAs::orders}) {
    FamilyWeights weights = random_weights(3, 4, 5, 3, 0.5);
    weights[1] = {{1, -2}, {5, 1}}; // node 0 is always a parent of node 1
    const Enumerated wanted = enumerate(weights, counted);
    const auto found = posterior(weights, counted);
    CHECK_NEAR(found->log_sum(), wanted.log_sum, 1e-9);
    CHECK(difference(found->probabilities(), wanted.probability) < 1e-10);
  }
}

// More nodes than a block of the table has bits: the same sum with the nodes in another order, so
// that others are the high ones.
TEST(posteriors_equal_second_recursions) {
  for (const CountedAs counted : {CountedAs::graphs, CountedAs::orders})
    for (const double spread : {1.0, 10.0, 40.0}) {
      const auto second = [&](const FamilyWeights &weights) {
        return counted == CountedAs::graphs ? log_sum_over_layers(weights)
                                            : log_sum_over_orders(weights);
      };
      const FamilyWeights weights = random_weights(7, 12, spread, 3, 0.5);
      const auto found = posterior(weights, counted);
      const double log_sum = second(weights);
      CHECK_NEAR(found->log_sum(), log_sum, 1e-9);
      for (unsigned v = 0; v < 12; v += 4)
        for (std::size_t i = 0; i < weights[v].size(); i += 1 + weights[v].size() / 2) {
          FamilyWeights with = weights;
          with[v] = {weights[v][i]};
          CHECK_NEAR(found->probabilities()[v][i], std::exp(second(with) - log_sum), 1e-9);
        }
    }
}

TEST(posteriors_do_not_depend_on_the_order_of_the_nodes) {
  for (const double spread : {8.0, 30000.0})
    for (const CountedAs counted : {CountedAs::graphs, CountedAs::orders}) {
      const unsigned n = counted == CountedAs::graphs ? 12 : 15;
      const FamilyWeights weights = random_weights(5, n, spread, 2);
      FamilyWeights turned(n);
      for (unsigned v = 0; v < n; ++v)
        for (const WeightedSet &set : weights[v]) {
          std::uint32_t parents = 0;
          for (unsigned u = 0; u < n; ++u)
            parents |= (set.parents >> u & 1) << (n - 1 - u);
          turned[n - 1 - v].push_back({parents, set.log_weight});
        }
      const auto found = posterior(weights, counted), other = posterior(turned, counted);
      CHECK_NEAR(found->log_sum() / other->log_sum(), 1, 1e-12);
      Probabilities back(n);
      for (unsigned v = 0; v < n; ++v)
        back[v] = other->probabilities()[n - 1 - v];
      CHECK(difference(found->probabilities(), back) < 1e-9);
      for (const std::vector<double> &of_node : found->probabilities())
        CHECK_NEAR(std::accumulate(of_node.begin(), of_node.end(), 0.0), 1, 1e-9);
    }
}

// The probability of a family is the derivative of the sum by its weight.
TEST(probabilities_are_derivatives_of_the_sum) {
  for (const CountedAs counted : {CountedAs::graphs, CountedAs::orders}) {
    FamilyWeights weights = random_weights(8, counted == CountedAs::graphs ? 10 : 14, 6, 3, 0.3);
    const auto found = posterior(weights, counted);
    for (const unsigned v : {0u, 4u, 9u}) {
      const std::size_t i = weights[v].size() / 2;
      const double h = 1e-4;
      weights[v][i].log_weight += h;
      const double above = posterior(weights, counted)->log_sum();
      weights[v][i].log_weight -= 2 * h;
      const double below = posterior(weights, counted)->log_sum();
      weights[v][i].log_weight += h;
      CHECK_NEAR((above - below) / (2 * h), found->probabilities()[v][i], 1e-6);
    }
  }
}

TEST(rounding_is_bounded_and_small) {
  for (const double spread : {0.0, 20.0}) {
    const FamilyWeights weights = random_weights(2, 12, spread, 12, 0.3);
    const auto found = posterior(weights, CountedAs::graphs);
    double off = 0;
    for (const std::vector<double> &of_node : found->probabilities())
      off = std::max(off, std::abs(std::accumulate(of_node.begin(), of_node.end(), -1.0)));
    CHECK(off <= 3e3 * found->rounding()); // as a node has up to 600 sets
    CHECK(found->rounding() > 0 && found->rounding() < 1e-8);
  }
}

// Chi-squared of 20,000 draws among all networks, those of few expected draws together.
TEST(draws_have_the_probabilities_of_networks) {
  const Host host;
  Watch watch(host);
  for (const CountedAs counted : {CountedAs::graphs, CountedAs::orders})
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      const FamilyWeights weights = random_weights(seed, 4, 4, 3, 0.5);
      const Enumerated wanted = enumerate(weights, counted);
      Random random(seed);
      constexpr double kDraws = 20000;
      std::map<Choice, double> times;
      for (const Choice &choice :
           posterior(weights, counted)->draw(static_cast<std::size_t>(kDraws), random, watch))
        ++times[choice];
      double statistic = 0, freedom = -1, rare_found = 0, rare_wanted = 0;
      for (const auto &[choice, probability] : wanted.networks) {
        const double expected = kDraws * probability;
        if (expected < 8) {
          rare_found += times[choice];
          rare_wanted += expected;
          continue;
        }
        statistic += std::pow(times[choice] - expected, 2) / expected;
        ++freedom;
      }
      if (rare_wanted > 8) {
        statistic += std::pow(rare_found - rare_wanted, 2) / rare_wanted;
        ++freedom;
      }
      CHECK(freedom > 20);
      CHECK(std::abs(statistic - freedom) < 4.5 * std::sqrt(2 * freedom));
    }
}

TEST(draws_of_larger_problems_have_the_probabilities_of_families) {
  const Host host;
  Watch watch(host);
  for (const CountedAs counted : {CountedAs::graphs, CountedAs::orders}) {
    const FamilyWeights weights =
        random_weights(4, counted == CountedAs::graphs ? 10 : 14, 12, 3, 0.3);
    const auto found = posterior(weights, counted);
    Random random(7);
    constexpr double kDraws = 4000;
    Probabilities share;
    for (const std::vector<WeightedSet> &sets : weights)
      share.emplace_back(sets.size());
    for (const Choice &choice : found->draw(static_cast<std::size_t>(kDraws), random, watch))
      for (std::size_t v = 0; v < choice.size(); ++v)
        share[v][choice[v]] += 1 / kDraws;
    CHECK(difference(share, found->probabilities()) < 5 * std::sqrt(0.25 / kDraws));
  }
}

TEST(all_kernels_give_the_same_bits) {
  Random random(1);
  std::vector<double> x(64), y(64), of_x(64), of_y(64);
  for (std::size_t i = 0; i < 64; ++i) {
    x[i] = 1 + random.uniform();
    y[i] = 1 + random.uniform();
    of_x[i] = -1.0 * random.below(3000);
    of_y[i] = i % 7 ? -1.0 * random.below(3000) : kNoExponent;
  }
  std::vector<double> rising(64); // exponents that do not fall with the set
  for (std::size_t set = 0; set < 64; ++set)
    for (unsigned b = 0; b < 6; ++b)
      rising[set] += (set >> b & 1) * 150.0 * b;
  std::vector<std::vector<double>> first;
  for (const ScaledSums &kernels : all_scaled_sums()) {
    std::vector<double> sum = x, of_sum = of_x, packed_sum = y, of_packed_sum = of_x, value(64),
                        exponent(64), below = x, above = y, product(64);
    kernels.add_products(sum.data(), of_sum.data(), x.data(), of_x.data(), y.data(), of_y.data(),
                         64);
    std::vector<Packed> packed(64);
    kernels.pack(packed.data(), sum.data(), of_sum.data(), 64);
    kernels.add_packed_products(packed_sum.data(), of_packed_sum.data(), packed.data(), y.data(),
                                of_y.data(), 64);
    kernels.unpack(value.data(), exponent.data(), packed.data(), 64);
    kernels.sum_subsets(below.data(), rising.data(), 6);
    kernels.sum_supersets(above.data(), rising.data(), 6);
    kernels.products(product.data(), x.data(), of_x.data(), y.data(), of_x.data(), of_x.data(),
                     -4000, 64);
    for (std::size_t i = 0; i < 64; ++i) {
      CHECK_NEAR(std::log2(value[i]) + exponent[i], std::log2(sum[i]) + of_sum[i], 1e-12);
      const Scaled one = unpacked(packed[i]);
      CHECK(one.value == value[i] && one.exponent == exponent[i]);
    }
    const std::vector<std::vector<double>> all{sum,      of_sum, packed_sum, of_packed_sum, value,
                                               exponent, below,  above,      product};
    if (first.empty())
      first = all;
    CHECK(all == first);
  }
}

TEST(all_kernels_of_networks_give_the_same_bits) {
  Random random(9);
  const auto fill = [&random](double *value, double *exponent, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      value[i] = 1 + random.uniform();
      exponent[i] = i % 9 == 5 ? kNoExponent : -1.0 * random.below(40);
    }
  };
  GraphBlock block(4, 2);
  for (SetProducts *sets : {&block.inner, &block.outer}) {
    sets->size = sets == &block.inner ? 4 : 2;
    fill(sets->product.value.data(), sets->product.exponent.data(), sets->size * kLowSets);
  }
  block.inner.place = {0, 8, 16, 24};
  block.inner.sign = {1, -1, -1, 1};
  block.outer.place = {0, 32};
  block.outer.sign = {1, -1};
  for (LaneTable *table : {&block.low, &block.low_of_placed})
    fill(table->value.data(), table->exponent.data(), kLowSets * kLowSets);
  fill(block.placed.value.data(), block.placed.exponent.data(), kLowSets);
  std::vector<double> b(64), of_b(64), scale(kLowSets, -3);
  fill(b.data(), of_b.data(), 64);
  std::vector<std::vector<double>> first;
  for (const GraphKernels &kernels : all_graph_kernels()) {
    std::vector<double> even(kLowSets), odd(kLowSets), z(64, 0.5), lost(64, 1e-18);
    for (SetProducts *sets : {&block.inner, &block.outer})
      std::fill_n(sets->derivative.data(), sets->size * kLowSets, 0.25);
    kernels.sum_terms(block, b.data(), of_b.data(), scale.data(), even.data(), odd.data());
    kernels.add_terms(block, z.data(), lost.data(), of_b.data());
    kernels.derive(block, b.data(), of_b.data(), -20, 0.7);
    const auto copy = [](const AlignedArray &array, std::size_t size) {
      return std::vector<double>(array.data(), array.data() + size);
    };
    const std::vector<std::vector<double>> all{even,
                                               odd,
                                               z,
                                               lost,
                                               copy(block.inner.derivative, 4 * kLowSets),
                                               copy(block.outer.derivative, 2 * kLowSets),
                                               copy(block.low_derivative, kLowSets * kLowSets)};
    if (first.empty())
      first = all;
    CHECK(all == first);
  }
}

namespace {

// Two parts, of which one may have parents in the other, and a node alone.
ParentSets parts() {
  Random random(3);
  const std::vector<std::vector<Node>> allowed{{1}, {0}, {0, 1, 3}, {1, 2, 5}, {}, {2, 0}};
  ParentSets sets;
  for (const std::vector<Node> &parents : allowed) {
    sets.nodes.emplace_back();
    for (unsigned mask = 0; mask < 1u << parents.size(); ++mask) {
      std::vector<Node> set;
      for (std::size_t i = 0; i < parents.size(); ++i)
        if (mask >> i & 1)
          set.push_back(parents[i]);
      std::sort(set.begin(), set.end());
      sets.nodes.back().add(6 * random.uniform(), set.data(), set.data() + set.size());
    }
    sets.nodes.back().sort();
  }
  return sets;
}

FamilyWeights in_one_piece(const ParentSets &sets) {
  FamilyWeights weights(sets.size());
  for (Node v = 0; v < sets.size(); ++v)
    for (std::size_t i = 0; i < sets.nodes[v].size(); ++i) {
      std::uint32_t parents = 0;
      for (const Node *u = sets.nodes[v].begin_of(i); u != sets.nodes[v].end_of(i); ++u)
        parents |= 1u << *u;
      weights[v].push_back({parents, sets.nodes[v].score[i]});
    }
  return weights;
}

} // namespace

TEST(components_are_summed_apart) {
  const Host host;
  Watch watch(host);
  const ParentSets sets = parts();
  const NetworkPosterior found = NetworkPosterior::of_graphs(sets, 1e9, watch);
  CHECK_EQUAL(found.components().size(), std::size_t{3});
  const auto whole = posterior(in_one_piece(sets), CountedAs::graphs);
  CHECK_NEAR(found.log_sum(), whole->log_sum(), 1e-10);
  CHECK(difference(found.probabilities(), whole->probabilities()) < 1e-12);
  Random random(2);
  constexpr double kDraws = 4000;
  Probabilities share;
  for (const std::vector<double> &of_node : found.probabilities())
    share.emplace_back(of_node.size());
  for (const Choice &choice : found.draw(static_cast<std::size_t>(kDraws), random, watch))
    for (std::size_t v = 0; v < choice.size(); ++v)
      share[v][choice[v]] += 1 / kDraws;
  CHECK(difference(share, found.probabilities()) < 5 * std::sqrt(0.25 / kDraws));
}

// Orders are of nodes that may depend on each other, whether they have sets with arcs or not.
TEST(orders_are_counted_by_allowed_arcs) {
  const Host host;
  Watch watch(host);
  ParentSets sets; // an arc from 0 to 1, or none; 2 is alone
  sets.nodes.resize(3);
  const Node first = 0;
  for (CandidateSets &candidates : sets.nodes)
    candidates.add(0, nullptr, nullptr);
  sets.nodes[1].add(0, &first, &first + 1);
  const Graph all{{1, 2}, {0, 2}, {0, 1}}, apart{{}, {0}, {}};
  const auto with_arc = [&](const Graph &allowed) {
    return NetworkPosterior::of_orders(sets, allowed, 1e9, watch).probabilities()[1][1];
  };
  CHECK_NEAR(with_arc(all), 1.0 / 3, 1e-12); // 3 orders of 6 + 3
  CHECK_NEAR(with_arc(apart), 0.5, 1e-12);
}

TEST(posteriors_are_refused_where_they_have_no_room_or_no_network) {
  const Host host;
  Watch watch(host);
  CHECK_THROWS(NetworkPosterior::of_graphs(parts(), 100, watch), MemoryLimit);
  ParentSets cycle;
  cycle.nodes.resize(2);
  const Node first = 0, second = 1;
  cycle.nodes[0].add(0, &second, &second + 1);
  cycle.nodes[1].add(0, &first, &first + 1);
  CHECK_THROWS(NetworkPosterior::of_orders(cycle, {{1}, {0}}, 1e9, watch), Infeasible);
  ParentSets many;
  for (Node v = 0; v < 40; ++v) {
    many.nodes.emplace_back();
    const Node before = (v + 39) % 40;
    many.nodes.back().add(1, &before, &before + 1);
    many.nodes.back().add(0, nullptr, nullptr);
  }
  CHECK_THROWS(NetworkPosterior::of_graphs(many, 1e18, watch), TooManyNodes);
}
