#include "core/score/tree_prior.h"

#include "core/base/binomial.h"

#include <cmath>

namespace optbn {

TreePrior tree_prior(const std::vector<const TreeAxis *> &axes) {
  TreePrior prior;
  double choices = 0;
  for (const TreeAxis *axis : axes)
    choices += axis->choices();
  if (choices == 0)
    return prior;
  const double gamma = 1 / (4 * choices);
  prior.log_leaf = std::log(gamma);

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
      if (axes[u]->kind() == AxisKind::dyadic) {
        if (left > 0)
          splits += z[t - stride[u]] * z[t - stride[u]];
        continue;
      }
      for (std::size_t m = 1; m <= left; ++m) {
        const double ways = axes[u]->kind() == AxisKind::ordinal
                                ? 1
                                : binomial(static_cast<unsigned>(left), static_cast<unsigned>(m));
        splits += ways * z[none + (left - m) * stride[u]] * z[none + (m - 1) * stride[u]];
      }
    }
    z[t] = 1 + gamma * splits;
  }
  prior.log_norm = -prior.log_leaf - std::log(z.back());
  return prior;
}

} // namespace optbn
