// Leaves: the marginal likelihood of the rows in a region of the parents' space.
//
// Talvitie, Eggeling & Koivisto (2018), section 2.3; natural logs. With n rows in the region:
//     Dirichlet, counts n_x of r levels, alpha a level
//         log Γ(r alpha) - log Γ(n + r alpha) + sum_x [log Γ(n_x + alpha) - log Γ(alpha)]
//     normal-inverse-gamma, mean m and s = sum of squares about it (Chipman, George & McCulloch
//     1998)
//         -n/2 log pi + nu/2 log(lambda nu) + log(a / (n + a)) / 2
//         + log Γ((n + nu)/2) - log Γ(nu/2) - (n + nu)/2 log(s + t + nu lambda)
//         with t = n a (m - mu)^2 / (n + a)
// A region without rows scores 0.
#pragma once

#include "core/base/log_gamma.h"
#include "core/data/dataset.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace optbn {

// A continuous response y is modelled as (y - centre) / spread.
struct Scale {
  double centre = 0, spread = 1;
};

struct LeafPrior {
  double alpha = 0.5;                       // Dirichlet, per level
  double iss = 0;                           // > 0: replaces alpha, and is divided over the space
  double nu = 1, lambda = 1, mu = 0, a = 1; // normal-inverse-gamma
};

// The Dirichlet leaf of a response with r levels.
struct DirichletLeaf {
  LogRising level, all; // of alpha and of r alpha

  DirichletLeaf(double alpha, unsigned r, std::uint64_t largest)
      : level(alpha, largest), all(r * alpha, largest) {}
};

// The Dirichlet leaves that one thread needs, made on first use.
class DirichletLeaves {
public:
  DirichletLeaves(const LeafPrior &prior, std::uint64_t largest)
      : prior_(prior), largest_(prior.iss > 0 ? std::min(largest, kShortTable) : largest) {}

  // For a region with a share of the space. Valid as long as this object.
  const DirichletLeaf &of(double share, unsigned levels) {
    const double alpha = prior_.iss > 0 ? prior_.iss * share / levels : prior_.alpha;
    return leaves_.try_emplace({alpha, levels}, alpha, levels, largest_).first->second;
  }

private:
  static constexpr std::uint64_t kShortTable = 63; // shares are many

  const LeafPrior prior_;
  const std::uint64_t largest_; // count that is tabulated
  std::map<std::pair<double, unsigned>, DirichletLeaf> leaves_;
};

// Immutable, and so safe to share between threads.
class NormalLeaves {
public:
  NormalLeaves(const LeafPrior &prior, std::uint64_t largest);

  // The score is constant(n) - exponent(n) log(s + weight(n) (m - mu)^2 + nu lambda).
  double constant(std::uint32_t n) const {
    return n < constant_.size() ? constant_[n] : compute_constant(n);
  }
  double exponent(std::uint32_t n) const { return (n + nu_) / 2; }
  double weight(std::uint32_t n) const { return n * a_ / (n + a_); }
  double mu() const { return mu_; }
  double nu_lambda() const { return nu_lambda_; }

private:
  double compute_constant(double n) const;

  double nu_, nu_lambda_, mu_, a_, constant_part_;
  std::vector<double> constant_;
};

} // namespace optbn
