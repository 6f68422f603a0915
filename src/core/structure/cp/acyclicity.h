// Acyclicity as a constraint: removes the sets that no acyclic choice of live sets contains
// (generalised arc consistency; Troesser et al. 2021, doi 10.24963/ijcai.2021/584).
//
// A set of v is supported if and only if it is inside the closure to which v is never added: the
// rest follows any solution's order. Removing unsupported sets changes no closure, so once is
// enough. One closure shows through which nodes each node was reached; further ones are needed only
// for nodes through which others were.
#pragma once

#include "core/structure/bounds/closure.h"
#include "core/structure/cp/search_state.h"

#include <vector>

namespace optbn {

namespace acyclicity {

template <class Set> struct Reached {
  Set nodes;
  std::vector<Set> needs; // the nodes outside the prefix through which a node was reached
};

template <class Domain, class Set = typename Domain::Set>
Reached<Set> closure_of_live(const SearchState<Domain> &state) {
  Reached<Set> reached{state.prefix(), std::vector<Set>(state.size())};
  state.rest().for_each([&](unsigned v) {
    if (state.can_come_next(v))
      reached.nodes.insert(v);
  });
  const auto append = [&](unsigned v, const Set &allowed) {
    const Rank rank = state.domain(v).live_inside(allowed);
    if (rank == kNoSet)
      return false;
    (state.domain(v).set(rank) - state.prefix()).for_each([&](unsigned u) {
      reached.needs[v].insert(u);
      reached.needs[v] |= reached.needs[u];
    });
    return true;
  };
  reached.nodes = closure(reached.nodes, state.all() - reached.nodes, append);
  return reached;
}

// The nodes that were reached through v may be reached without it; where not, v has no such parent.
template <class Domain, class Set>
void remove_unsupported(SearchState<Domain> &state, unsigned v, const Set &dependants) {
  Set ordered = state.all() - dependants;
  ordered.erase(v);
  const auto has_live_inside = [&](unsigned w, const Set &allowed) {
    return state.domain(w).live_inside(allowed) != kNoSet;
  };
  const Set unreached = dependants - closure(ordered, dependants, has_live_inside);
  if (!unreached.empty())
    state.remove_if(v, [&](Rank, const Set &set, Cost) { return set.intersects(unreached); });
}

} // namespace acyclicity

// False when there is no acyclic choice.
template <class Domain> bool make_consistent(SearchState<Domain> &state) {
  using Set = typename Domain::Set;
  const acyclicity::Reached<Set> reached = acyclicity::closure_of_live(state);
  if (reached.nodes != state.all())
    return false;
  std::vector<Set> dependants(state.size());
  state.rest().for_each(
      [&](unsigned v) { reached.needs[v].for_each([&](unsigned u) { dependants[u].insert(v); }); });
  state.rest().for_each([&](unsigned v) {
    if (!dependants[v].empty())
      acyclicity::remove_unsupported(state, v, dependants[v]);
  });
  return true;
}

} // namespace optbn
