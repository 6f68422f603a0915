// SubproblemSolver: the best network of a subproblem, by solve() or, roughly, by local search.
//
// Networks are returned as choices among all sets, their scores without the price of arcs. The
// solver counts what it does. Owner only.
#pragma once

#include "core/base/host.h"
#include "core/structure/constraints/known_networks.h"
#include "core/structure/constraints/subproblem.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace optbn {

// The score of a choice of sets.
double score_of(const ParentSets &sets, const std::vector<std::uint32_t> &choice);

// What the search of a subproblem gives.
struct Searched {
  Network best; // of the subproblem with arcs priced, whatever the constraints; empty: not proved
  double bound; // no network of the subproblem that meets the constraints scores more
  SearchResult result; // of solve(), about the priced subproblem
};

class SubproblemSolver {
public:
  // Subproblems are searched with the options of the whole search, whose clock is that of `record`,
  // from the best of the known networks, which all that is found is offered to.
  SubproblemSolver(const ParentSets &sets, const NetworkConstraints &constraints,
                   const SearchOptions &options, KnownNetworks &known, const AnytimeRecord &record,
                   Watch &watch)
      : sets_(sets), constraints_(constraints), options_(options), known_(known), record_(record),
        host_(nested_host(watch)) {}

  const ParentSets &sets() const { return sets_; }

  // Searches a subproblem with each arc at the price that the multipliers have, and ends early once
  // its bound is below the cutoff. None when the subproblem has no network.
  std::optional<Searched> search(const Subproblem &subproblem, const Multipliers &warm,
                                 double cutoff);

  // The network of a quick local search from this order; empty when there is none.
  Network local_optimum(const Subproblem &subproblem, const std::vector<Node> &order,
                        unsigned chains);

  // The right-hand side of the limit of arcs times its price; less where the sets have fewer arcs.
  double arcs_allowance(const Subproblem &subproblem, double price) const {
    return price == 0 ? 0 : price * std::min(constraints_.max_arcs, subproblem.most_arcs());
  }

  double nodes() const { return nodes_; }
  double subsets() const { return subsets_; }
  double insertions() const { return insertions_; }

private:
  double bound_after(const SearchResult &found, const Network &best, const Subproblem &subproblem,
                     double arc_price) const;
  Network in_all_sets(const PricedSubproblem &priced,
                      const std::vector<std::uint32_t> &choice) const;

  const ParentSets &sets_;
  const NetworkConstraints &constraints_;
  const SearchOptions &options_;
  KnownNetworks &known_;
  const AnytimeRecord &record_;
  const Host host_;
  double nodes_ = 0, subsets_ = 0, insertions_ = 0; // as in SearchResult
};

} // namespace optbn
