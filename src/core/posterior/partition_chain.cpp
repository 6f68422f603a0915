#include "core/posterior/partition_chain.h"

#include "core/base/errors.h"
#include "core/base/log_sum.h"
#include "core/structure/domains.h"

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

// Sums have a relative error below this.
const double kPrecision = 1e-6;

// Reversals of arcs after each move of a node: on ALARM ten bring more for their time than one or
// four.
const unsigned kReversals = 10;

// The start of a chain is hot: scores are multiplied by an inverse temperature that rises from this to
// 1 over this share of the start, so that the chain is not caught by the first good networks.
const double kHottest = 0.02, kHotShare = 0.8;

// The layer of a node that is taken out.
const std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

} // namespace

FamilyIndex::FamilyIndex(const ParentSets &sets) : sets_(sets), lists_(sets.size()) {
  require_feasible(sets);
  for (Node v = 0; v < sets.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[v];
    std::vector<std::uint32_t> weighty;
    for (std::uint32_t i = 0; i < candidates.size(); ++i)
      if (candidates.score[i] > kLogZero)
        weighty.push_back(i);
    std::stable_sort(weighty.begin(), weighty.end(), [&](std::uint32_t i, std::uint32_t j) {
      return candidates.score[i] > candidates.score[j];
    });
    Lists &lists = lists_[v];
    for (const std::uint32_t i : weighty)
      if (candidates.size_of(i) == 0)
        lists.empty = i;
    lists.negligible = std::log(static_cast<double>(weighty.size()) / kPrecision);
    lists.offset.assign(sets.size() + 2, 0);
    for (const std::uint32_t i : weighty)
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        ++lists.offset[*u + 1];
    lists.offset.back() = weighty.size();
    std::partial_sum(lists.offset.begin(), lists.offset.end(), lists.offset.begin());
    std::vector<std::size_t> next(lists.offset.begin(), lists.offset.end() - 1);
    lists.sets.resize(lists.offset.back());
    for (const std::uint32_t i : weighty) {
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        lists.sets[next[*u]++] = i;
      lists.sets[next.back()++] = i;
    }
  }
}

PartitionChain::PartitionChain(const FamilyIndex &families, std::uint64_t seed)
    : families_(families), random_(seed), layer_(families.size(), kNowhere),
      members_(families.size() + 2u) {
  set_layers(parents_of(along_random_order()));
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
    const Weighed sets = sets_clear_of(is_waiting, v, families_.all(v));
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

std::uint32_t PartitionChain::highest_parent(Node v, std::uint32_t set, Node except) const {
  const CandidateSets &sets = families_.sets(v);
  std::uint32_t highest = 0;
  for (const Node *u = sets.begin_of(set); u != sets.end_of(set); ++u)
    if (*u != except)
      highest = std::max(highest, layer_[*u]);
  return highest;
}

void PartitionChain::list_layers() {
  for (std::vector<Node> &members : members_)
    members.clear();
  for (Node v = 0; v < families_.size(); ++v)
    if (layer_[v] != kNowhere)
      members_[layer_[v]].push_back(v);
}

// The sets of a node whose highest parent is in the layer before its own, but for those that are
// negligible: of each parent there, the sets of which it is the first such parent.
template <class Visit> void PartitionChain::each_set_of_layer(Node v, const Visit &visit) const {
  const CandidateSets &sets = families_.sets(v);
  const std::uint32_t before = layer_[v] - 1;
  if (before == 0) {
    if (families_.empty_set(v) != FamilyIndex::kNone)
      visit(families_.empty_set(v));
    return;
  }
  double largest = kLogZero;
  for (const Node first : members_[before])
    for (const std::uint32_t i : families_.with_parent(v, first)) {
      if (log_weight(v, i) < largest - families_.negligible(v))
        break;
      if (std::any_of(sets.begin_of(i), sets.end_of(i), [&](Node u) {
            return layer_[u] > before || (layer_[u] == before && u < first);
          }))
        continue;
      largest = std::max(largest, log_weight(v, i));
      visit(i);
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
  list_layers();
}

PartitionChain::Sums PartitionChain::sums_of(Node u, Node parent) const {
  LogSum without, beside, alone;
  each_set_of_layer(u, [&](std::uint32_t i) { without.add(log_weight(u, i)); });
  const std::uint32_t before = layer_[u] - 1;
  for (const std::uint32_t i : families_.with_parent(u, parent)) {
    if (log_weight(u, i) < std::min(beside.largest(), alone.largest()) - families_.negligible(u))
      break;
    const std::uint32_t highest = highest_parent(u, i, parent);
    if (highest == before)
      beside.add(log_weight(u, i));
    else if (highest < before)
      alone.add(log_weight(u, i));
  }
  return {without.log(), beside.log(), alone.log()};
}

// Of sets whose parents are all in the layers.
std::vector<double> PartitionChain::sums_by_highest_parent(Node v, std::uint32_t layers) const {
  std::vector<LogSum> sums(layers + 1);
  for (const std::uint32_t i : families_.all(v)) {
    LogSum &sum = sums[highest_parent(v, i, v)];
    if (log_weight(v, i) >= sum.largest() - families_.negligible(v))
      sum.add(log_weight(v, i));
  }
  std::vector<double> logs;
  for (const LogSum &sum : sums)
    logs.push_back(sum.log());
  return logs;
}

// With the node taken out there are k layers. Place 2q is in layer q, and place 2q + 1 is a new layer
// after layer q. What a node u of layer l may choose depends on the place by four cases alone:
// the node is in its layer or later; in the layer before, beside others; alone in it; earlier.
void PartitionChain::move() {
  const Node n = families_.size();
  const Node v = random_.below(n);
  take_out(v);
  std::uint32_t k = 0;
  while (!members_[k + 1].empty())
    ++k;
  std::vector<double> later(k + 2, 0), beside(k + 2, 0), alone(k + 2, 0), earlier(k + 2, 0);
  for (Node u = 0; u < n; ++u) {
    if (u == v)
      continue;
    const Sums sums = sums_of(u, v);
    const std::uint32_t l = layer_[u];
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
  const auto place = static_cast<std::uint32_t>(draw_by_logs(places, random_));
  const std::uint32_t q = place / 2, is_new = place % 2;
  for (std::uint32_t &other : layer_)
    other += is_new && other > q && other != kNowhere;
  layer_[v] = q + is_new;
  list_layers();
}

// ---- networks ------------------------------------------------------------------------------------

Choice PartitionChain::draw() {
  Choice choice;
  for (Node v = 0; v < families_.size(); ++v) {
    Weighed sets;
    each_set_of_layer(v, [&](std::uint32_t i) { sets.add(i, log_weight(v, i)); });
    choice.push_back(draw_one(sets));
  }
  return choice;
}

std::uint32_t PartitionChain::draw_one(const Weighed &sets) {
  return sets.numbers[draw_by_logs(sets.logs, random_)];
}

PartitionChain::Weighed PartitionChain::sets_clear_of(const std::vector<bool> &nodes, Node v,
                                                      FamilyIndex::Range range) const {
  const CandidateSets &sets = families_.sets(v);
  Weighed clear;
  for (const std::uint32_t i : range) { // by decreasing weight
    if (!clear.logs.empty() && log_weight(v, i) < clear.logs[0] - families_.negligible(v))
      break;
    if (std::none_of(sets.begin_of(i), sets.end_of(i), [&](Node u) { return nodes[u]; }))
      clear.add(i, log_weight(v, i));
  }
  return clear;
}

Graph PartitionChain::parents_of(const Choice &choice) const {
  Graph parents;
  for (Node v = 0; v < families_.size(); ++v)
    parents.emplace_back(families_.sets(v).begin_of(choice[v]),
                         families_.sets(v).end_of(choice[v]));
  return parents;
}

void PartitionChain::set_layers(const Graph &parents) {
  for (const Node v : topological_order(parents)) {
    layer_[v] = 1;
    for (const Node u : parents[v])
      layer_[v] = std::max(layer_[v], layer_[u] + 1);
  }
  list_layers();
}

// ---- reversal of an arc --------------------------------------------------------------------------

void PartitionChain::reverse(unsigned count) {
  Graph parents = parents_of(draw());
  for (unsigned i = 0; i < count; ++i)
    reverse_arc(parents);
  set_layers(parents);
}

// The arc a -> b becomes b -> a: both lose their parents, a gets new ones, b among them, and then b,
// so that there is no cycle. The way back draws parents of b first. Each draw has the probability
// weight / sum, and weights cancel against those of the networks: numbers of arcs and sums are left.
void PartitionChain::reverse_arc(Graph &parents) {
  std::vector<std::pair<Node, Node>> arcs;
  for (Node v = 0; v < families_.size(); ++v)
    for (const Node u : parents[v])
      arcs.emplace_back(u, v);
  if (arcs.empty())
    return;
  const auto [a, b] = arcs[random_.below(static_cast<std::uint32_t>(arcs.size()))];
  const auto sets_without_cycle = [&](Node v, FamilyIndex::Range range) {
    return sets_clear_of(descendants_of(parents, v), v, range);
  };
  const auto take_one = [&](Node v, const Weighed &from) {
    const std::uint32_t set = draw_one(from);
    parents[v].assign(families_.sets(v).begin_of(set), families_.sets(v).end_of(set));
  };
  const std::vector<Node> old_of_a = parents[a], old_of_b = parents[b];
  parents[a].clear();
  const double back_second = sets_without_cycle(a, families_.all(a)).log_sum();
  parents[b].clear();
  const double back_first = sets_without_cycle(b, families_.with_parent(b, a)).log_sum();
  const Weighed first = sets_without_cycle(a, families_.with_parent(a, b));
  if (!first.empty()) {
    take_one(a, first);
    const Weighed second = sets_without_cycle(b, families_.all(b));
    if (!second.empty()) {
      take_one(b, second);
      const double after = static_cast<double>(arcs.size() - old_of_a.size() - old_of_b.size() +
                                               parents[a].size() + parents[b].size());
      const double log_ratio = std::log(static_cast<double>(arcs.size()) / after) +
                               first.log_sum() + second.log_sum() - back_first - back_second;
      if (std::log(random_.uniform()) < log_ratio)
        return;
    }
  }
  parents[a] = old_of_a;
  parents[b] = old_of_b;
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
