// The cut that lowers the mean entropy of the variables most (Rahman, Kothalkar & Gogate 2014):
//
//   H(slice) - sum over the parts s of N_s / N H(s without the variable)
//
// where H is the mean of the entropies of the variables, of smoothed proportions.
#include "core/density/cuts/cut_rules.h"

#include "core/base/pace.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr std::uint64_t kStepsPerItem = 16; // of a pace, for its entropies on the parts of a cut

// Sums of entropies on a slice and on parts of it, all from the slice's pair counts.
class Entropies {
public:
  Entropies(const PairCounts &counts, const std::vector<Node> &scope, const Smoother &smoother)
      : counts_(counts), scope_(scope), smoother_(smoother), items_(smoother.items()),
        kernels_(pair_kernels()), p_(PairCounts::padded(items_.size())), p_log_p_(p_.size()) {}

  double whole() {
    double sum = 0;
    for (const Node u : scope_) {
      levels_.resize(items_.levels(u));
      level_counts(counts_, items_, u, levels_.data());
      sum += entropy(u, counts_.total);
    }
    return sum;
  }

  // By part of a cut on v, of the other variables.
  std::vector<double> parts(Node v, const std::vector<double> &sizes) {
    if (items_.two_levels())
      return {of_two_levels(v, 0, sizes[0]), of_two_levels(v, 1, sizes[1])};
    std::vector<double> sums(sizes.size(), 0);
    for (const Node u : scope_) {
      if (u == v)
        continue;
      const unsigned levels = items_.levels(u);
      table_.resize(levels * sizes.size());
      table_counts(counts_, items_, u, v, table_.data());
      for (std::size_t part = 0; part < sizes.size(); ++part) {
        levels_.assign(table_.begin() + part * levels, table_.begin() + (part + 1) * levels);
        sums[part] += entropy(u, sizes[part]);
      }
    }
    return sums;
  }

private:
  // All variables at once.
  double of_two_levels(Node v, unsigned part, double size) {
    const double a = smoother_.strength(size), total = size + smoother_.prior_total(a);
    for (const Node u : scope_) {
      const double with = counts_.row(v)[u];
      const double present = part == 1 ? with : counts_.alone(u) - with;
      p_[u] = (present + smoother_.prior_alone(u, a)) / total;
    }
    kernels_.p_log_p(p_.data(), p_.size(), p_log_p_.data());
    double sum = 0;
    for (const Node u : scope_)
      sum -= u == v ? 0 : p_log_p_[u];
    return sum;
  }

  // Of u, whose levels are counted in levels_.
  double entropy(Node u, double total) {
    smoother_.smooth(u, total, levels_.data());
    double sum = 0;
    for (const double p : levels_)
      sum -= p > 0 ? p * std::log(p) : 0;
    return sum;
  }

  const PairCounts &counts_;
  const std::vector<Node> &scope_;
  const Smoother &smoother_;
  const Items &items_;
  const PairKernels kernels_;
  std::vector<double> levels_, table_; // of a variable, of a pair
  std::vector<double> p_, p_log_p_;    // by variable
};

} // namespace

Node entropy_cut(const PairCounts &counts, const std::vector<Node> &scope, const Smoother &smoother,
                 double min_entropy, Watch &watch) {
  Entropies entropies(counts, scope, smoother);
  const auto variables = static_cast<double>(scope.size());
  const double before = entropies.whole() / variables;
  if (before <= min_entropy)
    return kNoCut;
  Node cut = kNoCut;
  double most = 0;
  Pace pace(&watch);
  for (const Node v : scope) {
    pace.advance(kStepsPerItem * smoother.items().size());
    const std::vector<double> sizes = part_sizes(counts, smoother.items(), v);
    if (!all_above(sizes, 0))
      continue;
    const std::vector<double> sums = entropies.parts(v, sizes);
    double after = 0;
    for (std::size_t part = 0; part < sizes.size(); ++part)
      after += sizes[part] / counts.total * sums[part] / (variables - 1);
    if (exceeds(before - after, most)) {
      most = before - after;
      cut = v;
    }
  }
  return cut;
}

} // namespace optbn
