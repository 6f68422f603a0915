#include "core/score/local_structure/tree_prior.h"

#include "core/base/log_sum.h"

#include <cmath>

namespace optbn {

TreePrior tree_prior(const std::vector<const TreeAxis *> &axes) {
  TreePrior prior;
  double log_choices = kLogZero;
  for (const TreeAxis *axis : axes)
    log_choices = log_add(log_choices, axis->log_choices());
  if (log_choices == kLogZero)
    return prior;
  prior.log_leaf = -std::log(4) - log_choices;

  std::vector<std::size_t> stride;
  std::size_t types = 1;
  for (const TreeAxis *axis : axes) {
    stride.push_back(types);
    types *= axis->extent() + 1;
  }
  std::vector<double> z(types); // in units of gamma
  for (std::size_t t = 0; t < types; ++t) {
    double splits = 0;
    for (std::size_t u = 0; u < axes.size(); ++u) {
      const std::size_t left = t / stride[u] % (axes[u]->extent() + 1);
      const std::size_t none = t - left * stride[u]; // the same with t_u = 0
      if (axes[u]->prior_kind() == AxisKind::dyadic) {
        if (left > 0)
          splits += std::exp(prior.log_leaf) * z[t - stride[u]] * z[t - stride[u]];
        continue;
      }
      double log_ways = prior.log_leaf; // the number of ways alone may overflow
      for (std::size_t m = 1; m <= left; ++m) {
        if (axes[u]->prior_kind() == AxisKind::categorical)
          log_ways += std::log((left - m + 1.0) / m);
        splits +=
            std::exp(log_ways) * z[none + (left - m) * stride[u]] * z[none + (m - 1) * stride[u]];
      }
    }
    z[t] = 1 + splits;
  }
  prior.log_norm = -prior.log_leaf - std::log(z.back());
  return prior;
}

} // namespace optbn
