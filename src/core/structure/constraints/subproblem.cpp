#include "core/structure/constraints/subproblem.h"

#include <algorithm>
#include <numeric>

namespace optbn {

Test with_parent(Node v, Node parent) {
  return {v, [parent](const Node *first, const Node *last) {
            return std::binary_search(first, last, parent);
          }};
}

Test without_parent(Node v, Node parent) {
  return {v, [parent](const Node *first, const Node *last) {
            return !std::binary_search(first, last, parent);
          }};
}

Test with_at_least(Node v, std::size_t parents) {
  return {v, [parents](const Node *first, const Node *last) {
            return static_cast<std::size_t>(last - first) >= parents;
          }};
}

Test with_exactly(Node v, const std::vector<Node> &parents) {
  return {v, [parents](const Node *first, const Node *last) {
            return std::equal(first, last, parents.begin(), parents.end());
          }};
}

Subproblem::Subproblem(const ParentSets &sets) : all_(&sets) {
  for (const CandidateSets &candidates : sets.nodes) {
    std::vector<std::uint32_t> every(candidates.size());
    std::iota(every.begin(), every.end(), 0u);
    remaining_.push_back(std::make_shared<const std::vector<std::uint32_t>>(std::move(every)));
  }
}

bool Subproblem::keep(const Test &test, bool outcome) {
  const CandidateSets &candidates = all_->nodes[test.node];
  std::vector<std::uint32_t> remaining;
  for (const std::uint32_t i : *remaining_[test.node])
    if (test.holds(candidates.begin_of(i), candidates.end_of(i)) == outcome)
      remaining.push_back(i);
  if (remaining.size() < remaining_[test.node]->size())
    remaining_[test.node] =
        std::make_shared<const std::vector<std::uint32_t>>(std::move(remaining));
  return !remaining_[test.node]->empty();
}

void Subproblem::require_path(Node from, Node to) {
  paths_.push_back({from, to});
  require_order(from, to);
}

double Subproblem::arcs(bool fewest) const {
  double arcs = 0;
  for (Node v = 0; v < all_->size(); ++v) {
    const auto sizes = std::minmax_element(
        remaining_[v]->begin(), remaining_[v]->end(), [&](std::uint32_t a, std::uint32_t b) {
          return all_->nodes[v].size_of(a) < all_->nodes[v].size_of(b);
        });
    arcs += all_->nodes[v].size_of(fewest ? *sizes.first : *sizes.second);
  }
  return arcs;
}

bool branch(Subproblem &subproblem, const std::vector<Test> &tests,
            std::vector<Subproblem> &failing) {
  for (const Test &test : tests) {
    Subproblem child = subproblem;
    if (child.keep(test, false))
      failing.push_back(std::move(child));
    if (!subproblem.keep(test, true))
      return false;
  }
  return true;
}

void branch(Subproblem subproblem, const MarkovClass &markov_class,
            std::vector<Subproblem> &failing) {
  const Node n = static_cast<Node>(markov_class.neighbours.size());
  std::vector<Test> nothing_new, same_colliders;
  for (Node v = 0; v < n; ++v) {
    nothing_new.push_back({v, [&markov_class, v](const Node *first, const Node *last) {
                             return std::all_of(
                                 first, last, [&](Node u) { return markov_class.adjacent(u, v); });
                           }});
    same_colliders.push_back({v, [&markov_class, v](const Node *first, const Node *last) {
                                std::vector<std::pair<Node, Node>> colliding;
                                for (const Node *a = first; a != last; ++a)
                                  for (const Node *b = a + 1; b != last; ++b)
                                    if (!markov_class.adjacent(*a, *b))
                                      colliding.push_back({*a, *b});
                                return colliding == markov_class.colliding_parents[v];
                              }});
  }
  if (!branch(subproblem, nothing_new, failing))
    return;
  for (Node v = 0; v < n; ++v)
    for (const Node u : markov_class.neighbours[v]) {
      if (u > v)
        break;
      Subproblem not_adjacent = subproblem;
      if (not_adjacent.keep(without_parent(v, u), true) &&
          not_adjacent.keep(without_parent(u, v), true))
        failing.push_back(std::move(not_adjacent));
      subproblem.require_adjacent(u, v);
    }
  branch(subproblem, same_colliders, failing);
}

PricedSubproblem::PricedSubproblem(const ParentSets &all, const Subproblem &subproblem,
                                   double arc_price)
    : index(all.size()) {
  sets.nodes.resize(all.size());
  for (Node v = 0; v < all.size(); ++v) {
    const CandidateSets &candidates = all.nodes[v];
    const auto priced = [&](std::uint32_t i) {
      return candidates.score[i] - arc_price * candidates.size_of(i);
    };
    index[v] = subproblem.sets_of(v);
    std::stable_sort(index[v].begin(), index[v].end(),
                     [&](std::uint32_t a, std::uint32_t b) { return priced(a) > priced(b); });
    std::vector<Node> before;
    for (const auto &[u, w] : subproblem.order())
      if (w == v)
        before.push_back(u);
    for (const std::uint32_t i : index[v]) {
      std::vector<Node> set(candidates.begin_of(i), candidates.end_of(i));
      set.insert(set.end(), before.begin(), before.end());
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      sets.nodes[v].add(priced(i), set.data(), set.data() + set.size());
    }
  }
}

} // namespace optbn
