#include "core/posterior/partition_chain.h"

#include "core/base/errors.h"
#include "core/base/log_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// A sum of exponentials.
class LogSum {
public:
  void add(double log) {
    if (log > largest_) {
      sum_ *= std::exp(largest_ - log);
      largest_ = log;
    }
    sum_ += std::exp(log - largest_);
  }
  double largest() const { return largest_; }
  double log() const { return largest_ == kLogZero ? kLogZero : largest_ + std::log(sum_); }

private:
  double largest_ = kLogZero, sum_ = 0;
};

// The number of one of these, by their logarithms.
std::size_t draw_by_logs(const std::vector<double> &logs, Random &random) {
  const double most = *std::max_element(logs.begin(), logs.end());
  std::vector<double> weights;
  for (const double log : logs)
    weights.push_back(std::exp(log - most));
  return Wheel(std::move(weights)).draw(random);
}

// The logarithm of the relative error of sums.
const double kLogPrecision = -14; // 1e-6

// Reversals of arcs after each move of a node: on 100 normal columns thirty bring more for their time
// than ten, on ALARM as much.
const unsigned kReversals = 30;

// The start of a chain is hot: scores are multiplied by an inverse temperature that rises from this to
// 1 over this share of the start, so that the chain is not caught by the first good networks.
const double kHottest = 0.02, kHotShare = 0.8;
// All sets weigh much the same then; so many of the best ones do for a start.
const std::size_t kHotSets = 100;

// The layer of a node that is taken out.
const std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

} // namespace

PartitionChain::PartitionChain(const FamilyIndex &families, std::uint64_t seed)
    : families_(families), random_(seed), layer_(families.size(), kNowhere),
      network_(parents_of(along_random_order())) {
  set_layers();
}

// Each node has one of its sets among the nodes before it.
Choice PartitionChain::along_random_order() {
  const Node n = families_.size();
  Choice choice(n);
  std::vector<Node> waiting(n);
  std::iota(waiting.begin(), waiting.end(), Node{0});
  std::vector<bool> is_waiting(n, true);
  std::size_t tried = 0; // the last ones of those that wait
  while (!waiting.empty()) {
    const std::size_t last = waiting.size() - ++tried;
    std::swap(waiting[random_.below(static_cast<std::uint32_t>(last + 1))], waiting[last]);
    const Node v = waiting[last];
    const Weighed sets = sets_clear_of(is_waiting, v, families_.of(v).all());
    if (sets.empty())
      continue;
    choice[v] = draw_one(sets);
    is_waiting[v] = false;
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(last));
    tried = 0;
  }
  return choice;
}

// ---- sets by layers ------------------------------------------------------------------------------

template <class Visit>
void PartitionChain::scan(const FamilyIndex::Family &family, FamilyIndex::List list,
                          const FamilyIndex::Members &avoided, double log_sum,
                          const Visit &visit) const {
  const bool hot = inverse_temperature_ != 1;
  std::size_t visited = 0;
  for (std::size_t i = 0; i < list.size; ++i) {
    const std::uint32_t rank = list.rank[i];
    if (hot ? visited >= kHotSets && log_sum > kLogZero
            : list.log_rest[i] < log_sum + kLogPrecision)
      return;
    if (family.touches(rank, avoided))
      continue;
    log_sum = visit(rank, log_weight(family, rank));
    ++visited;
  }
}

// The sets of a node whose highest parent is in the layer before its own, but for those that are
// negligible: of each parent there, the sets of which it is the first such parent.
template <class Visit> void PartitionChain::each_set_of_layer(Node v, const Visit &visit) const {
  const FamilyIndex::Family &family = families_.of(v);
  const std::uint32_t before = layer_[v] - 1;
  if (before == 0) {
    if (family.empty_set() != FamilyIndex::Family::kNone)
      visit(family.empty_set(), log_weight(family, family.empty_set()));
    return;
  }
  FamilyIndex::Members avoided = family.members([&](Node u) { return layer_[u] > before; });
  double largest = kLogZero;
  for (std::size_t i = 0; i < family.universe().size(); ++i) {
    const Node first = family.universe()[i];
    if (layer_[first] != before)
      continue;
    scan(family, family.with_parent(first), avoided, largest, [&](std::uint32_t rank, double log) {
      visit(rank, log);
      return largest = std::max(largest, log);
    });
    FamilyIndex::Family::insert(i, avoided);
  }
}

// ---- moves of one node ---------------------------------------------------------------------------

// Layers of the others are numbered without gaps.
void PartitionChain::take_out(Node v) {
  const std::uint32_t layer = layer_[v];
  layer_[v] = kNowhere;
  if (std::find(layer_.begin(), layer_.end(), layer) == layer_.end())
    for (std::uint32_t &other : layer_)
      other -= other > layer && other != kNowhere;
}

PartitionChain::Sums PartitionChain::sums_of(Node u, Node parent) const {
  const FamilyIndex::Family &family = families_.of(u);
  const std::uint32_t before = layer_[u] - 1;
  LogSum without, beside, alone;
  each_set_of_layer(u, [&](std::uint32_t, double log) { without.add(log); });
  const auto later = family.members([&](Node w) { return layer_[w] > before && w != parent; });
  const auto in_layer = family.members([&](Node w) { return layer_[w] == before; });
  scan(family, family.with_parent(parent), later, kLogZero, [&](std::uint32_t rank, double log) {
    (family.touches(rank, in_layer) ? beside : alone).add(log);
    // move() has two sums of these
    return std::min(std::max(without.largest(), beside.largest()),
                    std::max(beside.largest(), alone.largest()));
  });
  return {without.log(), beside.log(), alone.log()};
}

// Of sets whose parents are all in the layers.
std::vector<double> PartitionChain::sums_by_highest_parent(Node v, std::uint32_t layers) const {
  const FamilyIndex::Family &family = families_.of(v);
  std::vector<std::uint32_t> layer_of;
  for (const Node u : family.universe())
    layer_of.push_back(layer_[u]);
  const double log_size = std::log(static_cast<double>(family.size()));
  std::vector<LogSum> sums(layers + 1);
  for (std::uint32_t rank = 0; rank < family.size(); ++rank) {
    std::uint32_t highest = 0;
    family.for_each_parent(rank, [&](std::size_t i) { highest = std::max(highest, layer_of[i]); });
    const double log = log_weight(family, rank);
    if (log + log_size >= sums[highest].largest() + kLogPrecision)
      sums[highest].add(log);
  }
  std::vector<double> logs;
  for (const LogSum &sum : sums)
    logs.push_back(sum.log());
  return logs;
}

// With the node taken out there are k layers. Place 2q is in layer q, and place 2q + 1 is a new layer
// after layer q. What a node u of layer l may choose depends on the place by four cases alone:
// the node is in its layer or later; in the layer before, beside others; alone in it; earlier. A node
// that has no set with this parent keeps its parents, and forbids that the other be alone.
void PartitionChain::move() {
  const Node v = random_.below(families_.size());
  take_out(v);
  std::uint32_t k = 0;
  for (const std::uint32_t layer : layer_)
    k = layer == kNowhere ? k : std::max(k, layer);
  std::vector<double> later(k + 2, 0), beside(k + 2, 0), alone(k + 2, 0), earlier(k + 2, 0);
  const std::vector<Node> &children = families_.possible_children(v);
  auto child = children.begin();
  for (Node u = 0; u < families_.size(); ++u) {
    if (u == v)
      continue;
    const std::uint32_t l = layer_[u];
    if (child == children.end() || *child != u) {
      alone[l] = kLogZero;
      continue;
    }
    ++child;
    const Sums sums = sums_of(u, v);
    const double with = log_add(sums.beside, sums.alone);
    later[l] += sums.without;
    beside[l] += log_add(sums.without, with);
    alone[l] += with;
    earlier[l] += log_add(sums.without, sums.beside);
  }
  // Of the nodes of the layers up to q, and of those after q.
  std::partial_sum(later.begin(), later.end(), later.begin());
  std::partial_sum(earlier.rbegin(), earlier.rend(), earlier.rbegin());
  const std::vector<double> own = sums_by_highest_parent(v, k);
  std::vector<double> places(2 * k + 2, kLogZero);
  for (std::uint32_t q = 0; q <= k; ++q) {
    const double rest = later[q] + (q < k ? earlier[q + 2] : 0);
    if (q > 0)
      places[2 * q] = own[q - 1] + rest + beside[q + 1];
    places[2 * q + 1] = own[q] + rest + alone[q + 1];
  }
  put_in(v, static_cast<std::uint32_t>(draw_by_logs(places, random_)));
  draw_parents(v);
  for (const Node u : children)
    draw_parents(u);
}

void PartitionChain::put_in(Node v, std::uint32_t place) {
  const std::uint32_t q = place / 2, is_new = place % 2;
  for (std::uint32_t &other : layer_)
    other += is_new && other > q && other != kNowhere;
  layer_[v] = q + is_new;
}

// ---- networks ------------------------------------------------------------------------------------

Choice PartitionChain::draw() {
  Choice choice;
  for (Node v = 0; v < families_.size(); ++v)
    choice.push_back(draw_set(v));
  return choice;
}

std::uint32_t PartitionChain::draw_set(Node v) {
  Weighed sets;
  each_set_of_layer(
      v, [&](std::uint32_t rank, double log) { sets.add(families_.of(v).number(rank), log); });
  return draw_one(sets);
}

void PartitionChain::draw_parents(Node v) { set_parents(v, draw_set(v)); }

void PartitionChain::set_parents(Node v, std::uint32_t set) {
  const CandidateSets &sets = families_.sets(v);
  network_.set_parents(v, {sets.begin_of(set), sets.end_of(set)});
}

std::uint32_t PartitionChain::draw_one(const Weighed &sets) {
  return sets.numbers[draw_by_logs(sets.logs, random_)];
}

PartitionChain::Weighed PartitionChain::sets_clear_of(const std::vector<bool> &nodes, Node v,
                                                      FamilyIndex::List list) const {
  const FamilyIndex::Family &family = families_.of(v);
  const auto avoided = family.members([&](Node u) { return nodes[u]; });
  Weighed clear;
  scan(family, list, avoided, kLogZero, [&](std::uint32_t rank, double log) {
    clear.add(family.number(rank), log);
    return clear.logs[0]; // the largest
  });
  return clear;
}

Graph PartitionChain::parents_of(const Choice &choice) const {
  Graph parents;
  for (Node v = 0; v < families_.size(); ++v)
    parents.emplace_back(families_.sets(v).begin_of(choice[v]),
                         families_.sets(v).end_of(choice[v]));
  return parents;
}

void PartitionChain::set_layers() {
  const Graph &parents = network_.parents();
  for (const Node v : topological_order(parents)) {
    layer_[v] = 1;
    for (const Node u : parents[v])
      layer_[v] = std::max(layer_[v], layer_[u] + 1);
  }
}

// ---- reversal of an arc --------------------------------------------------------------------------

void PartitionChain::reverse(unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    reverse_arc();
  set_layers();
}

// The arc a -> b becomes b -> a: both lose their parents, a gets new ones, b among them, and then b,
// so that there is no cycle. The way back draws parents of b first. Each draw has the probability
// weight / sum, and weights cancel against those of the networks: numbers of arcs and sums are left.
void PartitionChain::reverse_arc() {
  if (network_.arcs() == 0)
    return;
  const std::size_t arcs = network_.arcs();
  const auto [a, b] = network_.arc(random_.below(static_cast<std::uint32_t>(arcs)));
  const auto sets_without_cycle = [&](Node v, FamilyIndex::List list) {
    return sets_clear_of(network_.descendants(v), v, list);
  };
  const std::vector<Node> old_of_a = network_.parents()[a], old_of_b = network_.parents()[b];
  network_.set_parents(a, {});
  const double back_second = sets_without_cycle(a, families_.of(a).all()).log_sum();
  network_.set_parents(b, {});
  const double back_first = sets_without_cycle(b, families_.of(b).with_parent(a)).log_sum();
  const Weighed first = sets_without_cycle(a, families_.of(a).with_parent(b));
  if (!first.empty()) {
    set_parents(a, draw_one(first));
    const Weighed second = sets_without_cycle(b, families_.of(b).all());
    if (!second.empty()) {
      set_parents(b, draw_one(second));
      const double log_ratio =
          std::log(static_cast<double>(arcs) / static_cast<double>(network_.arcs())) +
          first.log_sum() + second.log_sum() - back_first - back_second;
      if (std::log(random_.uniform()) < log_ratio)
        return;
    }
  }
  network_.set_parents(a, old_of_a);
  network_.set_parents(b, old_of_b);
}

std::vector<Choice> run_chain(const FamilyIndex &families, std::uint64_t seed,
                              const ChainLength &length, Watch &watch) {
  PartitionChain chain(families, seed);
  const auto advance = [&] {
    throw_if_stopped(watch);
    chain.move();
    chain.reverse(kReversals);
    watch.advance(1);
  };
  for (std::size_t i = 0; i < length.start; ++i) {
    const double done = static_cast<double>(i) / static_cast<double>(length.start);
    chain.set_inverse_temperature(std::min(1.0, kHottest * std::pow(kHottest, -done / kHotShare)));
    advance();
  }
  chain.set_inverse_temperature(1);
  std::vector<Choice> networks;
  while (networks.size() < length.networks) {
    for (std::size_t i = 0; i < length.between; ++i)
      advance();
    networks.push_back(chain.draw());
  }
  return networks;
}

} // namespace optbn
