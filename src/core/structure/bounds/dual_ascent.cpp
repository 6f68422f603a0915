#include "core/structure/bounds/dual_ascent.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/greedy_ascent.h"

#include <algorithm>

namespace optbn {

namespace {

// The store of greedy_ascent() at the root: reduced costs and tight sets in vectors.
template <unsigned Words> class RootStore {
  using Set = BitSet<Words>;

public:
  RootStore(const CostProblem<Words> &problem, Dual<Words> &dual, Cost upper, unsigned steps,
            Watch &watch)
      : problem_(problem), dual_(dual), upper_(upper), steps_(steps), watch_(watch),
        bound_(bound_of(problem, dual)), slack_(problem.size()), tight_(problem.size()) {
    for (Node v = 0; v < problem.size(); ++v) {
      slack_[v] = reduced_costs(problem, dual, v);
      const Cost least = *std::min_element(slack_[v].begin(), slack_[v].end());
      for (Cost &slack : slack_[v])
        slack -= least;
      list_tight(v);
    }
  }

  Cost bound() const { return bound_; }
  bool goes_on() { return steps_ > 0 && bound_ < upper_ && !watch_.stopped(); }

  bool has_tight_inside(unsigned v, const Set &allowed) const {
    return std::any_of(tight_[v].begin(), tight_[v].end(),
                       [&](const Set &set) { return set.inside(allowed); });
  }

  Cost slack_outside(unsigned v, const Set &cluster) const {
    Cost least = kNoCost;
    for (std::size_t i = 0; i < slack_[v].size(); ++i)
      if (slack_[v][i] < least && !problem_.domains[v].set[i].intersects(cluster))
        least = slack_[v][i];
    return least;
  }

  Set violated_within(const Set &blocked) const { return blocked; }

  bool raise(const Set &cluster, Cost amount) {
    if (amount == kNoCost) {
      bound_ = kNoCost;
      return false;
    }
    cluster.for_each([&](unsigned v) {
      for (std::size_t i = 0; i < slack_[v].size(); ++i)
        if (!problem_.domains[v].set[i].intersects(cluster))
          slack_[v][i] -= amount;
      list_tight(v);
    });
    add_price(cluster, amount);
    bound_ += amount;
    --steps_;
    return goes_on();
  }

private:
  void list_tight(unsigned v) {
    tight_[v].clear();
    for (std::size_t i = 0; i < slack_[v].size(); ++i)
      if (slack_[v][i] == 0)
        tight_[v].push_back(problem_.domains[v].set[i]);
  }

  void add_price(const Set &nodes, Cost amount) {
    for (Cluster<Words> &cluster : dual_.clusters)
      if (cluster.k == 1 && cluster.nodes == nodes) {
        cluster.price += amount;
        return;
      }
    dual_.clusters.push_back({nodes, 1, amount});
  }

  const CostProblem<Words> &problem_;
  Dual<Words> &dual_;
  const Cost upper_;
  unsigned steps_; // that are left
  Watch &watch_;
  Cost bound_;
  std::vector<std::vector<Cost>> slack_; // reduced cost less the node's least
  std::vector<std::vector<Set>> tight_;  // the sets without slack
};

} // namespace

template <unsigned Words>
Cost ascend(const CostProblem<Words> &problem, Dual<Words> &dual, Cost upper, unsigned steps,
            Watch &watch) {
  RootStore<Words> store(problem, dual, upper, steps, watch);
  if (store.goes_on())
    greedy_ascent(BitSet<Words>(), BitSet<Words>::first(problem.size()), store, [](unsigned) {});
  OPTBN_INVARIANT(store.bound() == kNoCost || store.bound() == bound_of(problem, dual),
                  "steps add up to the bound that the dual proves");
  return store.bound();
}

#define OPTBN_INSTANTIATE(words)                                                                   \
  template Cost ascend(const CostProblem<words> &, Dual<words> &, Cost, unsigned, Watch &);
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
