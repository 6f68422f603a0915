#include "core/structure/bounds/dual_ascent.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/closure.h"

#include <algorithm>

namespace optbn {

namespace {

template <unsigned Words> class Ascent {
public:
  Ascent(const CostProblem<Words> &problem, Dual<Words> &dual)
      : problem_(problem), dual_(dual), all_(BitSet<Words>::first(problem.size())),
        slack_(problem.size()), tight_(problem.size()) {
    bound_ = bound_of(problem, dual);
    for (Node v = 0; v < problem.size(); ++v) {
      slack_[v] = reduced_costs(problem, dual, v);
      const Cost least = *std::min_element(slack_[v].begin(), slack_[v].end());
      for (Cost &slack : slack_[v])
        slack -= least;
      list_tight(v);
    }
  }

  Cost bound() const { return bound_; }

  // One cluster's step; false when the tight sets admit an acyclic choice.
  bool raise() {
    const auto has_set_inside = [this](unsigned v, const BitSet<Words> &allowed) {
      return std::any_of(tight_[v].begin(), tight_[v].end(),
                         [&](const BitSet<Words> &set) { return set.inside(allowed); });
    };
    const BitSet<Words> blocked = all_ - closure(BitSet<Words>(), all_, has_set_inside);
    if (blocked.empty())
      return false;
    const BitSet<Words> cluster = minimal_cluster(all_, blocked, has_set_inside);
    Cost step = kNoCost;
    cluster.for_each([&](unsigned v) {
      for (std::size_t i = 0; i < slack_[v].size(); ++i)
        if (slack_[v][i] < step && !problem_.domains[v].set[i].intersects(cluster))
          step = slack_[v][i];
    });
    if (step == kNoCost) { // every member needs another one as a parent: no network at all
      bound_ = kNoCost;
      return false;
    }
    OPTBN_INVARIANT(step > 0, "the bound rises with the price of a violated cluster");
    cluster.for_each([&](unsigned v) {
      for (std::size_t i = 0; i < slack_[v].size(); ++i)
        if (!problem_.domains[v].set[i].intersects(cluster))
          slack_[v][i] -= step;
      list_tight(v);
    });
    add_price(cluster, step);
    bound_ += step;
    return true;
  }

private:
  void list_tight(unsigned v) {
    tight_[v].clear();
    for (std::size_t i = 0; i < slack_[v].size(); ++i)
      if (slack_[v][i] == 0)
        tight_[v].push_back(problem_.domains[v].set[i]);
  }

  void add_price(const BitSet<Words> &nodes, Cost step) {
    for (Cluster<Words> &cluster : dual_.clusters)
      if (cluster.k == 1 && cluster.nodes == nodes) {
        cluster.price += step;
        return;
      }
    dual_.clusters.push_back({nodes, 1, step});
  }

  const CostProblem<Words> &problem_;
  Dual<Words> &dual_;
  const BitSet<Words> all_;
  std::vector<std::vector<Cost>> slack_;          // reduced cost less the node's least
  std::vector<std::vector<BitSet<Words>>> tight_; // the sets without slack
  Cost bound_;
};

} // namespace

template <unsigned Words>
Cost ascend(const CostProblem<Words> &problem, Dual<Words> &dual, Cost upper, unsigned steps,
            Watch &watch) {
  Ascent<Words> ascent(problem, dual);
  for (unsigned step = 0; step < steps && ascent.bound() < upper && !watch.stopped(); ++step)
    if (!ascent.raise())
      break;
  OPTBN_INVARIANT(ascent.bound() == kNoCost || ascent.bound() == bound_of(problem, dual),
                  "steps add up to the bound that the dual proves");
  return ascent.bound();
}

#define OPTBN_INSTANTIATE(words)                                                                   \
  template Cost ascend(const CostProblem<words> &, Dual<words> &, Cost, unsigned, Watch &);
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
