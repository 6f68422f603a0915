#include "core/structure/domains.h"

#include "core/base/bit_set.h"
#include "core/base/errors.h"
#include "core/base/invariant.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

using Graph = std::vector<std::vector<Node>>; // node -> its possible parents

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

// Nothing after the empty set can be the best choice: reading stops there.
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

// Tarjan's algorithm (1972, doi 10.1137/0201010) without recursion. It walks from children to
// parents, so a component comes out after every component that its arcs may come from.
class StrongComponents {
public:
  explicit StrongComponents(const Graph &parents)
      : parents_(parents), found_(parents.size(), kUnseen), low_(parents.size()),
        next_arc_(parents.size(), 0), pending_(parents.size(), false) {
    for (Node v = 0; v < parents.size(); ++v)
      if (found_[v] == kUnseen)
        walk_from(v);
  }

  std::vector<std::vector<Node>> take() { return std::move(components_); }

private:
  static constexpr std::uint32_t kUnseen = UINT32_MAX;

  void walk_from(Node root) {
    enter(root);
    while (!path_.empty()) {
      const Node v = path_.back();
      if (next_arc_[v] < parents_[v].size()) {
        const Node u = parents_[v][next_arc_[v]++];
        if (found_[u] == kUnseen)
          enter(u);
        else if (pending_[u])
          low_[v] = std::min(low_[v], found_[u]);
      } else {
        path_.pop_back();
        if (!path_.empty())
          low_[path_.back()] = std::min(low_[path_.back()], low_[v]);
        if (low_[v] == found_[v])
          close(v);
      }
    }
  }

  void enter(Node v) {
    found_[v] = low_[v] = count_++;
    path_.push_back(v);
    open_.push_back(v);
    pending_[v] = true;
  }

  void close(Node root) {
    const auto first = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    std::vector<Node> component(first, open_.end());
    open_.erase(first, open_.end());
    for (const Node v : component)
      pending_[v] = false;
    std::sort(component.begin(), component.end());
    components_.push_back(std::move(component));
  }

  const Graph &parents_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> found_, low_;
  std::vector<std::size_t> next_arc_;
  std::vector<bool> pending_;
  std::vector<Node> path_, open_;
  std::vector<std::vector<Node>> components_;
};

// Fills a domain best set first, and once a set has lost a parent leaves out the sets that an
// earlier one dominates. Subsets are looked up among the sets kept so far; of sets with more than
// kSmall parents only equals are, which costs the search a little time and never its answer.
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

  bool kept() const { return slots_[slot_of(mask_.data(), hash_)] != kFree; }

  // Is a subset of the set in mask_ kept? Walks the subsets in Gray code order, one parent in or
  // out a step; when none is kept it ends where it began.
  bool dominated(const std::vector<Node> &members) {
    if (members.size() > kSmall || members.empty())
      return kept();
    for (unsigned step = 1; step <= 1u << members.size(); ++step) {
      if (kept())
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
  std::vector<std::uint64_t> mask_; // the set at hand, and its hash
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

// Parents outside a component come free, so sets that were worth their inside parents may no longer
// be; dropping them can break the component into smaller ones, whose arcs again point forward.
void split_further(Component component, std::vector<Component> &done) {
  std::vector<std::vector<Node>> parts =
      StrongComponents(possible_parents(component.problem)).take();
  if (parts.size() == 1) {
    done.push_back(std::move(component));
    return;
  }
  const ParentSets sets = unpack(component.problem);
  for (std::vector<Node> &part : parts) {
    Component smaller = restrict_to(sets, std::move(part));
    for (std::size_t v = 0; v < smaller.nodes.size(); ++v) {
      const Domain &whole = component.problem.domains[smaller.nodes[v]];
      for (std::uint32_t &origin : smaller.problem.domains[v].origin)
        origin = whole.origin[origin];
      smaller.nodes[v] = component.nodes[smaller.nodes[v]];
    }
    split_further(std::move(smaller), done);
  }
}

bool each_node_once(const std::vector<Component> &components, Node nodes) {
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
  for (std::vector<Node> &component : StrongComponents(possible_parents(sets)).take())
    split_further(restrict_to(sets, std::move(component)), components);
  OPTBN_INVARIANT(each_node_once(components, sets.size()), "every node is in one part");
  return components;
}

// The closure: again and again add a node one of whose sets lies among those added. Every set
// counts its parents that are still missing, so each is looked at once per parent.
std::vector<Node> blocked_nodes(const ParentSets &sets) {
  struct Waiting {
    Node node;
    std::uint32_t set;
  };
  const Node n = sets.size();
  std::vector<bool> reached(n, false);
  std::vector<Node> fresh; // reached, their children not told yet
  for (Node v = 0; v < n; ++v)
    for (std::size_t i = 0; i < sets.nodes[v].size() && !reached[v]; ++i)
      if (sets.nodes[v].size_of(i) == 0) {
        reached[v] = true;
        fresh.push_back(v);
      }

  std::vector<std::vector<Waiting>> children(n);
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

  while (!fresh.empty()) {
    const Node u = fresh.back();
    fresh.pop_back();
    for (const Waiting &waiting : children[u])
      if (--missing[waiting.node][waiting.set] == 0 && !reached[waiting.node]) {
        reached[waiting.node] = true;
        fresh.push_back(waiting.node);
      }
  }

  std::vector<Node> stuck;
  for (Node v = 0; v < n; ++v)
    if (!reached[v])
      stuck.push_back(v);
  return stuck;
}

void require_feasible(const ParentSets &sets) {
  std::vector<Node> blocked = blocked_nodes(sets);
  if (!blocked.empty())
    throw Infeasible(std::move(blocked));
}

} // namespace optbn
