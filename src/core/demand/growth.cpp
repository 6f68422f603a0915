#include "core/demand/growth.h"

#include "core/base/ascending.h"
#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/score/mixed_families.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace optbn {

namespace {

// Extensions scored between two checks of the watch, whose stop loses them: so many, or so costly.
constexpr std::size_t kExtensionsAtOnce = 100000;
constexpr double kCostAtOnce = 1; // second

void set_bit(std::vector<std::uint64_t> &bits, Node u) {
  bits[u / 64] |= std::uint64_t{1} << (u % 64);
}

// Is the difference more than rounding?
bool better(double score, double than) {
  return score > than + 1e-11 * std::max(1.0, std::abs(than));
}

template <class Item> void sort_unique(std::vector<Item> &items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

} // namespace

std::vector<double> score_families(LocalScore &score, const std::vector<Node> &nodes,
                                   const std::vector<std::vector<Node>> &families, Watch &watch) {
  MixedFamilies mixed;
  for (const Node v : nodes)
    mixed.add(v, families[v]);
  Host host = watch.host();
  host.should_stop = [&watch] {
    const StopReason reason = watch.stopped() ? watch.reason() : StopReason::none;
    return reason == StopReason::interrupt ? reason : StopReason::none;
  };
  Watch patient_watch(host);
  std::vector<double> scores = mixed.score(score, patient_watch);
  if (patient_watch.stopped())
    throw Interrupted();
  return scores;
}

Growth::Growth(LocalScore &score, FamilyRules rules, Watch &watch, std::vector<double> cost)
    : score_(score), rules_(std::move(rules)), watch_(watch),
      possible_parents_(rules_.required.size()), tables_(rules_.required.size()),
      cost_(std::move(cost)) {
  for (Node v = 0; v < size(); ++v) {
    std::vector<char> allowed(size(), 1);
    allowed[v] = 0;
    for (const Node u : rules_.forbidden[v])
      allowed[u] = 0;
    for (const Node u : rules_.required[v])
      allowed[u] = 0;
    for (Node u = 0; u < size(); ++u)
      if (allowed[u] && score_.admits(v, u))
        possible_parents_[v].push_back(u);
  }
  meet(rules_.required);
}

double Growth::cost_of(std::size_t parents) const {
  return cost_.empty() ? 0 : cost_[std::min(parents, cost_.size() - 1)];
}

void Growth::count(std::size_t families, std::size_t parents) {
  scored_ += static_cast<double>(families);
  effort_ += static_cast<double>(families) * cost_of(parents);
}

std::vector<double> Growth::meet(const std::vector<std::vector<Node>> &families) {
  std::vector<Node> unknown;
  for (Node v = 0; v < size(); ++v)
    if (tables_[v].find(families[v]) == kNone)
      unknown.push_back(v);
  const std::vector<double> scores = score_families(score_, unknown, families, watch_);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    tables_[unknown[i]].add(families[unknown[i]], scores[i]);
    count(1, families[unknown[i]].size());
  }
  std::vector<double> result;
  for (Node v = 0; v < size(); ++v)
    result.push_back(tables_[v][tables_[v].find(families[v])].score);
  return result;
}

bool Growth::meet(const ParentSets &earlier) {
  MixedFamilies unknown;
  std::vector<std::pair<Node, std::vector<Node>>> added; // by number
  for (Node v = 0; v < earlier.size(); ++v)
    for (std::size_t i = 0; i < earlier.nodes[v].size(); ++i) {
      std::vector<Node> set(earlier.nodes[v].begin_of(i), earlier.nodes[v].end_of(i));
      if (tables_[v].find(set) != kNone || !allows(rules_, score_, v, set))
        continue;
      unknown.add(v, set);
      added.emplace_back(v, std::move(set));
    }
  const std::vector<double> scores = unknown.score_nearly(score_, watch_);
  if (watch_.stopped())
    return false;
  for (std::size_t i = 0; i < added.size(); ++i) {
    FamilyTable &table = tables_[added[i].first];
    if (table.find(added[i].second) == kNone) // may be there twice
      table.add(added[i].second, scores[i]);
    count(1, added[i].second.size());
  }
  return true;
}

void Growth::forget() {
  for (Node v = 0; v < size(); ++v) {
    const double root = tables_[v][0].score;
    tables_[v] = FamilyTable();
    tables_[v].add(rules_.required[v], root);
  }
}

double Growth::bytes() const {
  double sum = 0;
  for (const FamilyTable &table : tables_)
    sum += static_cast<double>(table.bytes());
  return sum;
}

bool Growth::grow_shrink(std::vector<Query> &queries) {
  std::vector<Query *> unfinished;
  for (Query &query : queries)
    unfinished.push_back(&query);
  while (true) {
    to_extend_.clear();
    to_shrink_.clear();
    const auto done = [this](Query *query) { return choose(*query, Unscored::request); };
    unfinished.erase(std::remove_if(unfinished.begin(), unfinished.end(), done), unfinished.end());
    if (unfinished.empty())
      return true;
    if (extend(to_extend_) && shrink(to_shrink_))
      continue;
    for (Query *query : unfinished)
      choose(*query, Unscored::accept);
    return false;
  }
}

// choose(), add_parents() and remove_parents() return false when they have requested a family that
// is not scored.
bool Growth::choose(Query &query, Unscored unscored) {
  const Node v = query.child;
  Choice &choice = query.choice;
  choice.score = -LocalScore::kInfinity;
  choice.family = kNone;
  choice.added.assign((size() + 63u) / 64, 0);
  choice.absent.assign(choice.added.size(), 0);
  bool feasible = true;
  for (const Node u : rules_.required[v]) {
    const bool inside = query.before.contain(u);
    set_bit(inside ? choice.added : choice.absent, u);
    feasible = feasible && inside;
  }
  if (!feasible)
    return true;
  std::uint32_t at = 0;
  if (!add_parents(query, at, unscored) || !remove_parents(v, at, unscored))
    return false;
  choice.family = at;
  choice.score = tables_[v][at].score;
  return true;
}

bool Growth::add_parents(Query &query, std::uint32_t &at, Unscored unscored) {
  FamilyTable &table = tables_[query.child];
  const unsigned most = std::min(rules_.max_parents[query.child], growth_limit_);
  while (table[at].size < most) {
    if (!table[at].extended) {
      if (unscored == Unscored::accept)
        return true;
      to_extend_.push_back({query.child, at});
      return false;
    }
    std::vector<FamilyTable::Extension> &extensions = table[at].extensions;
    auto best = extensions.begin();
    for (; best != extensions.end() && !query.before.contain(best->added); ++best)
      set_bit(query.choice.absent, best->added);
    if (best == extensions.end())
      return true;
    set_bit(query.choice.added, best->added);
    at = number_extension(query.child, at, static_cast<std::size_t>(best - extensions.begin()));
  }
  return true;
}

// The number of a family's extension; gives it one where it has none.
std::uint32_t Growth::number_extension(Node child, std::uint32_t family, std::size_t extension) {
  FamilyTable &table = tables_[child];
  const FamilyTable::Extension chosen = table[family].extensions[extension];
  if (chosen.family != kNone)
    return chosen.family;
  const std::uint32_t number = table.add(with(table.members(family), chosen.added), chosen.score);
  table[family].extensions[extension].family = number; // the families may have moved in memory
  return number;
}

std::uint32_t Growth::extended(Node child, std::uint32_t family, Node added) {
  const auto &extensions = tables_[child][family].extensions;
  const auto found = std::find_if(extensions.begin(), extensions.end(),
                                  [added](const auto &one) { return one.added == added; });
  OPTBN_INVARIANT(found != extensions.end(), "an added parent raises the score");
  return number_extension(child, family, static_cast<std::size_t>(found - extensions.begin()));
}

bool Growth::remove_parents(Node child, std::uint32_t &at, Unscored unscored) {
  const FamilyTable &table = tables_[child];
  while (table[at].smaller != at) {
    if (table[at].smaller == kNone) {
      if (unscored == Unscored::accept)
        return true;
      to_shrink_.push_back({child, at});
      return false;
    }
    at = table[at].smaller;
  }
  return true;
}

bool Growth::extend(std::vector<FamilyRef> refs) {
  sort_unique(refs);
  const FamilyRef *const end = refs.data() + refs.size();
  for (const FamilyRef *first = refs.data(), *last = first; first != end; first = last) {
    if (must_stop())
      return false;
    std::size_t extensions = 0;
    double cost = 0;
    for (; last != end && extensions < kExtensionsAtOnce && cost < kCostAtOnce; ++last) {
      const std::size_t more = possible_parents_[last->child].size();
      extensions += more;
      cost += static_cast<double>(more) * cost_of(tables_[last->child][last->family].size + 1u);
    }
    extend_batch(first, last);
  }
  return !watch_.stopped();
}

void Growth::extend_batch(const FamilyRef *first, const FamilyRef *last) {
  std::vector<Extensions> batch;
  for (const FamilyRef *ref = first; ref != last; ++ref) {
    Extensions family;
    family.child = ref->child;
    family.parents = tables_[ref->child].members(ref->family);
    const std::vector<Node> &possible = possible_parents_[ref->child];
    std::set_difference(possible.begin(), possible.end(), family.parents.begin(),
                        family.parents.end(), std::back_inserter(family.added));
    batch.push_back(std::move(family));
  }
  score_.extend(batch, watch_);
  if (watch_.stopped())
    return;
  for (const Extensions &family : batch) {
    FamilyTable &table = tables_[family.child];
    const std::uint32_t number = (first++)->family;
    std::vector<FamilyTable::Extension> improving;
    for (std::size_t i = 0; i < family.added.size(); ++i)
      if (better(family.score[i], table[number].score))
        improving.push_back({family.score[i], family.added[i], kNone});
    table.set_extensions(number, std::move(improving));
    count(family.added.size(), family.parents.size() + 1);
  }
}

template <class Visit> void Growth::for_each_removable(const FamilyRef &ref, Visit visit) const {
  const std::vector<Node> &required = rules_.required[ref.child];
  for (const Node u : tables_[ref.child].members(ref.family))
    if (!std::binary_search(required.begin(), required.end(), u))
      visit(u);
}

bool Growth::shrink(std::vector<FamilyRef> refs) {
  if (must_stop())
    return false;
  sort_unique(refs);
  std::vector<Reductions> batch;
  for (const FamilyRef &ref : refs) {
    Reductions family;
    family.child = ref.child;
    for_each_removable(ref, [&](Node removed) {
      if (tables_[ref.child].find_without(ref.family, removed) == kNone)
        family.removed.push_back(removed);
    });
    if (family.removed.empty())
      continue;
    family.parents = tables_[ref.child].members(ref.family);
    batch.push_back(std::move(family));
  }
  score_.reduce(batch, watch_);
  if (watch_.stopped())
    return false;
  for (const Reductions &family : batch)
    for (std::size_t i = 0; i < family.removed.size(); ++i) {
      tables_[family.child].add(without(family.parents, family.removed[i]), family.score[i]);
      count(1, family.parents.size() - 1);
    }
  for (const FamilyRef &ref : refs) {
    FamilyTable &table = tables_[ref.child];
    std::uint32_t best = ref.family;
    for_each_removable(ref, [&](Node removed) {
      const std::uint32_t smaller = table.find_without(ref.family, removed);
      if (better(table[smaller].score, table[best].score))
        best = smaller;
    });
    table[ref.family].smaller = best;
  }
  return true;
}

bool Growth::can_extend(Node child, std::uint32_t family) const {
  const FamilyTable &table = tables_[child];
  return !table[family].extended && table[family].size < rules_.max_parents[child];
}

bool Growth::learn_pairs(std::size_t promising) {
  constexpr std::uint32_t root = 0;
  std::vector<FamilyRef> refs;
  for (Node v = 0; v < size(); ++v)
    if (can_extend(v, root))
      refs.push_back({v, root});
  if (!extend(std::move(refs)))
    return false;
  refs.clear();
  for (Node v = 0; v < size(); ++v)
    for (std::size_t i = 0; i < promising && i < tables_[v][root].extensions.size(); ++i) {
      const std::uint32_t single = number_extension(v, root, i);
      if (can_extend(v, single))
        refs.push_back({v, single});
    }
  return extend(std::move(refs));
}

bool Growth::learn_neighbours(const std::vector<std::vector<Node>> &families) {
  std::vector<FamilyRef> refs;
  for (Node v = 0; v < size(); ++v) {
    const std::uint32_t number = tables_[v].find(families[v]);
    OPTBN_INVARIANT(number != kNone, "the search has met the families in use");
    refs.push_back({v, number});
  }
  if (!shrink(refs)) // which scores those with one parent less
    return false;
  std::vector<FamilyRef> around;
  const auto add = [&](Node v, std::uint32_t number) {
    if (can_extend(v, number))
      around.push_back({v, number});
  };
  for (const FamilyRef &ref : refs) {
    add(ref.child, ref.family);
    for_each_removable(ref, [&](Node removed) {
      add(ref.child, tables_[ref.child].find_without(ref.family, removed));
    });
  }
  return extend(std::move(around));
}

} // namespace optbn
