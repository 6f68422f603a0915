#include "core/dag/region_bound.h"

#include "core/dag/multipliers.h"

#include <algorithm>
#include <limits>

namespace optbn {

RegionBound::RegionBound(const ParentSets &sets, const Multipliers &multipliers, double arc_price) {
  if (sets.size() > kTreeNodes)
    return;
  const PricedRegion priced(sets, Region(sets), arc_price);
  const Problem problem = whole_problem(priced.sets);
  if (sets.size() <= 64)
    price<1>(problem, multipliers);
  else if (sets.size() <= 128)
    price<2>(problem, multipliers);
  else
    price<16>(problem, multipliers);
  for (Node v = 0; v < sets.size(); ++v) {
    std::vector<Cost> in_own_order(reduced_[v].size());
    for (std::size_t i = 0; i < in_own_order.size(); ++i)
      in_own_order[priced.index[v][i]] = reduced_[v][i];
    reduced_[v] = std::move(in_own_order);
  }
}

template <unsigned Words>
void RegionBound::price(const Problem &problem, const Multipliers &multipliers) {
  const CostProblem<Words> costs(problem);
  const Dual<Words> dual = in_costs(multipliers, costs);
  for (Node v = 0; v < costs.size(); ++v)
    reduced_.push_back(reduced_costs(costs, dual, v));
  promised_ = promised(dual);
  ideal_ = costs.ideal;
  bits_ = costs.bits;
}

double RegionBound::operator()(const Region &region) const {
  if (reduced_.empty())
    return std::numeric_limits<double>::infinity();
  Cost bound = promised_;
  for (Node v = 0; v < reduced_.size(); ++v) {
    Cost least = kNoCost;
    for (const std::uint32_t i : region.sets_of(v))
      least = std::min(least, reduced_[v][i]);
    bound += least;
  }
  return ideal_ - std::ldexp(static_cast<double>(bound), -bits_);
}

} // namespace optbn
