#include "core/structure/domains.h"

#include "core/base/bit_set.h"
#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/graph/directed.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

unsigned words_for(std::size_t nodes) {
  const auto least = static_cast<unsigned>((nodes + 63) / 64);
  return least > 16 ? least : with_width(least, [](auto words) -> unsigned { return words; });
}

void append(Domain &domain, double score, const std::vector<std::uint64_t> &mask,
            std::uint32_t origin) {
  domain.score.push_back(score);
  domain.mask.insert(domain.mask.end(), mask.begin(), mask.end());
  domain.origin.push_back(origin);
}

// No set after the empty set can be the best choice: reading stops there.
Graph possible_parents(const ParentSets &sets) {
  Graph graph(sets.size());
  std::vector<Node> seen_by(sets.size(), sets.size());
  for (Node v = 0; v < sets.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[v];
    for (std::size_t i = 0; i < candidates.size() && candidates.size_of(i) > 0; ++i)
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        if (seen_by[*u] != v) {
          seen_by[*u] = v;
          graph[v].push_back(*u);
        }
  }
  return graph;
}

// Fills a domain best set first, and once a set has lost a parent leaves out the sets that an
// earlier one dominates. Subsets are looked up among the sets in the domain so far; of sets with
// more than kSmall parents only equal ones are, which costs the search a little time, but never
// changes its result.
class DomainBuilder {
public:
  DomainBuilder(Domain &domain, unsigned words) : domain_(domain), words_(words) {}

  // The empty set dominates everything after it.
  bool complete() const { return complete_; }

  void add(double score, const std::vector<Node> &members, bool shrunk, std::uint32_t origin) {
    mask_.assign(words_, 0);
    hash_ = 0;
    for (const Node u : members)
      toggle(u);
    if (shrunk && slots_.empty())
      rehash();
    if (!slots_.empty() && dominated(members))
      return;
    OPTBN_INVARIANT(domain_.size() == 0 || score <= domain_.score.back(),
                    "the sets of a node come best first");
    append(domain_, score, mask_, origin);
    hashes_.push_back(hash_);
    complete_ = members.empty();
    if (slots_.empty())
      return;
    if (2 * domain_.size() > slots_.size())
      rehash();
    else
      slots_[slot_of(mask_.data(), hash_)] = static_cast<std::uint32_t>(domain_.size() - 1);
  }

private:
  static constexpr std::size_t kSmall = 10;
  static constexpr std::uint32_t kFree = UINT32_MAX;

  // The hash of a set is the exclusive or of its members' keys, so that it follows the mask.
  static std::uint64_t key(std::uint64_t u) {
    u = (u + 1) * 0x9e3779b97f4a7c15u;
    u = (u ^ (u >> 30)) * 0xbf58476d1ce4e5b9u;
    u = (u ^ (u >> 27)) * 0x94d049bb133111ebu;
    return u ^ (u >> 31);
  }

  void toggle(Node u) {
    mask_[u / 64] ^= std::uint64_t{1} << (u % 64);
    hash_ ^= key(u);
  }

  bool contains_mask() const { return slots_[slot_of(mask_.data(), hash_)] != kFree; }

  // Is a subset of the set in mask_ in the domain? Visits the subsets in Gray code order, adding or
  // removing one parent a step; when none is found, mask_ ends as it began.
  bool dominated(const std::vector<Node> &members) {
    if (members.size() > kSmall || members.empty())
      return contains_mask();
    for (unsigned step = 1; step <= 1u << members.size(); ++step) {
      if (contains_mask())
        return true;
      unsigned member = 0; // the lowest one bit of step, or the last member
      while (member + 1 < members.size() && !(step >> member & 1))
        ++member;
      toggle(members[member]);
    }
    return false;
  }

  std::size_t slot_of(const std::uint64_t *mask, std::uint64_t hash) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t slot = hash & last;
    while (slots_[slot] != kFree &&
           !std::equal(mask, mask + words_, domain_.mask.data() + slots_[slot] * words_))
      slot = (slot + 1) & last;
    return slot;
  }

  void rehash() {
    std::size_t capacity = 16;
    while (capacity < 4 * domain_.size())
      capacity *= 2;
    slots_.assign(capacity, kFree);
    for (std::uint32_t i = 0; i < domain_.size(); ++i)
      slots_[slot_of(domain_.mask.data() + std::size_t{i} * words_, hashes_[i])] = i;
  }

  Domain &domain_;
  const unsigned words_;
  bool complete_ = false;
  std::vector<std::uint64_t> mask_; // the present set, and its hash
  std::uint64_t hash_ = 0;
  std::vector<std::uint64_t> hashes_; // of the sets in the domain
  std::vector<std::uint32_t> slots_;  // open addressing: numbers of sets; empty until needed
};

// The component on these nodes (ascending), with only the parents among them.
Component restrict_to(const ParentSets &sets, std::vector<Node> nodes) {
  const Node outside = sets.size();
  std::vector<Node> position(sets.size(), outside);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    position[nodes[i]] = static_cast<Node>(i);

  Component component;
  component.problem.words = words_for(nodes.size());
  component.problem.domains.resize(nodes.size());
  std::vector<Node> members;
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[nodes[v]];
    DomainBuilder builder(component.problem.domains[v], component.problem.words);
    for (std::uint32_t i = 0; i < candidates.size() && !builder.complete(); ++i) {
      members.clear();
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        if (position[*u] != outside)
          members.push_back(position[*u]);
      builder.add(candidates.score[i], members, members.size() < candidates.size_of(i), i);
    }
  }
  component.nodes = std::move(nodes);
  return component;
}

// The problem as plain lists again.
ParentSets unpack(const Problem &problem) {
  ParentSets sets;
  sets.nodes.resize(problem.size());
  std::vector<Node> members;
  for (Node v = 0; v < problem.size(); ++v) {
    const Domain &domain = problem.domains[v];
    for (std::size_t i = 0; i < domain.size(); ++i) {
      members.clear();
      for (Node u = 0; u < problem.size(); ++u)
        if (domain.mask[i * problem.words + u / 64] >> (u % 64) & 1)
          members.push_back(u);
      sets.nodes[v].add(domain.score[i], members.data(), members.data() + members.size());
    }
  }
  return sets;
}

Graph possible_parents(const Problem &problem) {
  Graph graph(problem.size());
  std::vector<std::uint64_t> all(problem.words);
  for (Node v = 0; v < problem.size(); ++v) {
    const std::vector<std::uint64_t> &mask = problem.domains[v].mask;
    all.assign(problem.words, 0);
    for (std::size_t w = 0; w < mask.size(); ++w)
      all[w % problem.words] |= mask[w];
    for (Node u = 0; u < problem.size(); ++u)
      if (all[u / 64] >> (u % 64) & 1)
        graph[v].push_back(u);
  }
  return graph;
}

// Parents outside a component are free, so sets may now be dominated that were not with all their
// parents; dropping them can break the component into smaller ones, whose arcs again point forward.
void split_further(Component component, std::vector<Component> &done) {
  std::vector<std::vector<Node>> strong = strong_components(possible_parents(component.problem));
  if (strong.size() == 1) {
    done.push_back(std::move(component));
    return;
  }
  const ParentSets sets = unpack(component.problem);
  for (std::vector<Node> &nodes : strong) {
    Component smaller = restrict_to(sets, std::move(nodes));
    for (std::size_t v = 0; v < smaller.nodes.size(); ++v) {
      const Domain &whole = component.problem.domains[smaller.nodes[v]];
      for (std::uint32_t &origin : smaller.problem.domains[v].origin)
        origin = whole.origin[origin];
      smaller.nodes[v] = component.nodes[smaller.nodes[v]];
    }
    split_further(std::move(smaller), done);
  }
}

[[maybe_unused]] bool each_node_once(const std::vector<Component> &components, Node nodes) {
  std::vector<unsigned> times(nodes, 0);
  for (const Component &component : components)
    for (const Node v : component.nodes)
      ++times[v];
  return std::all_of(times.begin(), times.end(), [](unsigned n) { return n == 1; });
}

} // namespace

Problem whole_problem(const ParentSets &sets) {
  Problem problem;
  problem.words = words_for(sets.size());
  problem.domains.resize(sets.size());
  std::vector<std::uint64_t> mask;
  for (Node v = 0; v < sets.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[v];
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
      mask.assign(problem.words, 0);
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        mask[*u / 64] |= std::uint64_t{1} << (*u % 64);
      append(problem.domains[v], candidates.score[i], mask, i);
    }
  }
  return problem;
}

std::vector<Component> split(const ParentSets &sets) {
  std::vector<Component> components;
  for (std::vector<Node> &component : strong_components(possible_parents(sets)))
    split_further(restrict_to(sets, std::move(component)), components);
  OPTBN_INVARIANT(each_node_once(components, sets.size()), "every node is in one component");
  return components;
}

// The closure: repeatedly adds a node one of whose sets is inside the nodes added so far. Every set
// counts its parents that are still missing, so each is visited once per parent.
std::vector<Node> blocked_nodes(const ParentSets &sets) {
  struct SetOfNode {
    Node node;
    std::uint32_t set;
  };
  const Node n = sets.size();
  std::vector<bool> reached(n, false);
  std::vector<Node> unprocessed; // reached, their children not updated yet
  for (Node v = 0; v < n; ++v)
    for (std::size_t i = 0; i < sets.nodes[v].size() && !reached[v]; ++i)
      if (sets.nodes[v].size_of(i) == 0) {
        reached[v] = true;
        unprocessed.push_back(v);
      }

  std::vector<std::vector<SetOfNode>> children(n);
  std::vector<std::vector<std::uint32_t>> missing(n);
  for (Node v = 0; v < n; ++v) {
    if (reached[v])
      continue;
    for (std::uint32_t i = 0; i < sets.nodes[v].size(); ++i) {
      missing[v].push_back(sets.nodes[v].size_of(i));
      for (const Node *u = sets.nodes[v].begin_of(i); u != sets.nodes[v].end_of(i); ++u)
        children[*u].push_back({v, i});
    }
  }

  while (!unprocessed.empty()) {
    const Node u = unprocessed.back();
    unprocessed.pop_back();
    for (const SetOfNode &one : children[u])
      if (--missing[one.node][one.set] == 0 && !reached[one.node]) {
        reached[one.node] = true;
        unprocessed.push_back(one.node);
      }
  }

  std::vector<Node> blocked;
  for (Node v = 0; v < n; ++v)
    if (!reached[v])
      blocked.push_back(v);
  return blocked;
}

void require_feasible(const ParentSets &sets) {
  std::vector<Node> blocked = blocked_nodes(sets);
  if (!blocked.empty())
    throw Infeasible(std::move(blocked));
}

} // namespace optbn
