#include "core/score/gaussian/bge_score.h"

#include "core/base/log_gamma.h"
#include "core/base/parallel.h"
#include "core/data/row_source.h"
#include "core/score/gaussian/residual_products.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {
constexpr double kPi = 3.141592653589793;
constexpr std::size_t kFamiliesPerTask = 1024;
constexpr double kOperationsPerExtension = 50;

double prior_scale(double mu, double freedom) { return mu * (freedom - 1) / (mu + 1); } // t

// Rows whose cross product is R: the centred data, the shift of the mean, and the prior's diagonal.
Eigen::MatrixXd posterior_rows(const Dataset &data, double mu, double t,
                               const std::vector<double> &nu) {
  const auto rows = static_cast<Eigen::Index>(data.rows);
  const auto n = static_cast<Eigen::Index>(data.size());
  const auto total = static_cast<double>(data.total);
  Eigen::MatrixXd stacked(rows + 1 + n, n);
  stacked.bottomRows(n).setZero();
  for (Eigen::Index c = 0; c < n; ++c) {
    const std::vector<double> &values = data.columns[static_cast<std::size_t>(c)].values;
    double sum = 0;
    for (std::size_t row = 0; row < data.rows; ++row)
      sum += data.weight(row) * values[row];
    const double mean = sum / total;
    for (std::size_t row = 0; row < data.rows; ++row)
      stacked(static_cast<Eigen::Index>(row), c) =
          std::sqrt(data.weight(row)) * (values[row] - mean);
    stacked(rows, c) =
        std::sqrt(total * mu / (total + mu)) * (mean - nu[static_cast<std::size_t>(c)]);
    stacked(rows + 1 + c, c) = std::sqrt(t);
  }
  return stacked;
}

// R itself, from the moments of the rows.
Eigen::MatrixXd posterior_products(const Moments &moments, double mu, double t,
                                   const std::vector<double> &nu) {
  const auto n = static_cast<Eigen::Index>(nu.size());
  const Eigen::VectorXd shift = Eigen::Map<const Eigen::VectorXd>(moments.mean.data(), n) -
                                Eigen::Map<const Eigen::VectorXd>(nu.data(), n);
  return Eigen::Map<const Eigen::MatrixXd>(moments.products.data(), n, n) +
         moments.rows * mu / (moments.rows + mu) * shift * shift.transpose() +
         t * Eigen::MatrixXd::Identity(n, n);
}

ColumnFactor posterior_factor(const Dataset &data, double mu, double t,
                              const std::vector<double> &nu) {
  if (!data.source)
    return ColumnFactor(posterior_rows(data, mu, t, nu));
  return ColumnFactor::of_products(posterior_products(data.source->moments({}).at(0), mu, t, nu));
}

// Runs body(begin, end) for chunks of kFamiliesPerTask families, on threads.
template <class Body> void in_chunks(std::size_t families, Watch &watch, Body body) {
  const std::size_t chunks = (families + kFamiliesPerTask - 1) / kFamiliesPerTask;
  parallel_for(watch, chunks, [&](std::size_t chunk, unsigned) {
    const std::size_t begin = chunk * kFamiliesPerTask;
    body(begin, std::min(begin + kFamiliesPerTask, families));
  });
}

} // namespace

BgeScore::BgeScore(const Dataset &data, double mu, double w, const std::vector<double> &nu)
    : rows_(static_cast<double>(data.total)), freedom_(w - data.size()),
      posterior_(posterior_factor(data, mu, prior_scale(mu, freedom_), nu)) {
  const double log_t = std::log(prior_scale(mu, freedom_));
  for (int l = 0; l <= data.size(); ++l) {
    double terms = -l * rows_ / 2 * std::log(kPi) + l / 2.0 * std::log(mu / (rows_ + mu)) +
                   (freedom_ + l) / 2 * l * log_t;
    for (int i = 1; i <= l; ++i)
      terms +=
          log_gamma((rows_ + freedom_ + l + 1 - i) / 2) - log_gamma((freedom_ + l + 1 - i) / 2);
    constant_.push_back(terms);
  }
}

void BgeScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const unsigned size = batch.parents;
  result.score.resize(batch.size());
  result.superset_bound.assign(batch.size(), kInfinity);
  if (size > 0 && !posterior_.factorise(watch))
    return;
  in_chunks(batch.size(), watch, [&](std::size_t begin, std::size_t end) {
    ColumnFactor::Basis basis;
    for (std::size_t i = begin; i < end && !watch.stopped(); ++i) {
      const Node *first = batch.parents_of(i);
      const double residual_length =
          posterior_.residual_length({first, first + size}, batch.child[i], basis);
      double parents = 0; // log|R| of the parents; the child's length makes it that of the family
      for (unsigned j = 0; j < size; ++j)
        parents += 2 * std::log(basis.lengths[j]);
      const double family = parents + 2 * std::log(residual_length);
      result.score[i] = family_score(size, parents, family);
    }
    watch.advance(end - begin);
  });
}

double BgeScore::family_score(std::size_t size, double parents, double family) const {
  const double l = static_cast<double>(size);
  return constant_[size + 1] - constant_[size] - (rows_ + freedom_ + l + 1) / 2 * family +
         (rows_ + freedom_ + l) / 2 * parents;
}

bool BgeScore::compute_products(Watch &watch) {
  if (products_.size() == 0 && posterior_.factorise(watch))
    products_ = posterior_.products(watch);
  return products_.size() > 0;
}

std::vector<double> BgeScore::score_nearly(const FamilyBatch &batch, Watch &watch) {
  std::vector<double> scores(batch.size(), std::numeric_limits<double>::quiet_NaN());
  if (!compute_products(watch))
    return scores;
  in_chunks(batch.size(), watch, [&](std::size_t begin, std::size_t end) {
    ResidualProducts residual;
    for (std::size_t i = begin; i < end && !watch.stopped(); ++i) {
      const Node *first = batch.parents_of(i);
      residual.regress_child(products_, batch.child[i], {first, first + batch.parents});
      if (residual.exact())
        scores[i] = family_score(batch.parents, residual.log_determinant(),
                                 residual.log_determinant() + std::log(residual.rss()));
    }
  });
  score_others(batch, scores, watch);
  return scores;
}

void BgeScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  if (!compute_products(watch))
    return;
  const auto run = [&](std::size_t i, unsigned) {
    Extensions &family = batch[i];
    const std::vector<Eigen::Index> parents(family.parents.begin(), family.parents.end());
    ResidualProducts residual;
    residual.regress(products_, family.child, parents);
    family.score.resize(family.added.size());
    std::vector<std::size_t> number; // columns that need more digits
    std::vector<Eigen::Index> others;
    for (std::size_t j = 0; j < family.added.size(); ++j) {
      const Node u = family.added[j];
      if (!residual.exact(u)) {
        number.push_back(j);
        others.push_back(u);
        continue;
      }
      const double log_parents = residual.log_determinant() + std::log(residual.rss_of(u));
      family.score[j] = family_score(parents.size() + 1, log_parents,
                                     log_parents + std::log(residual.rss_with(u)));
    }
    if (!others.empty())
      extend_by_lengths(family, parents, number, others);
  };
  for_each_family(batch, kOperationsPerExtension, watch, run);
}

void BgeScore::reduce(std::vector<Reductions> &batch, Watch &watch) {
  if (!compute_products(watch))
    return;
  parallel_for(watch, batch.size(), [&](std::size_t i, unsigned) {
    Reductions &family = batch[i];
    family.score.assign(family.removed.size(), std::numeric_limits<double>::quiet_NaN());
    if (family.removed.empty())
      return;
    ResidualProducts residual;
    residual.regress_child(products_, family.child, {family.parents.begin(), family.parents.end()});
    if (!residual.exact())
      return;
    const ResidualProducts::Reduced reduced = residual.reduce();
    for (std::size_t j = 0; j < family.removed.size(); ++j) {
      const auto position =
          std::lower_bound(family.parents.begin(), family.parents.end(), family.removed[j]);
      const auto k = static_cast<Eigen::Index>(position - family.parents.begin());
      const double log_parents = residual.log_determinant() + std::log(reduced.determinant[k]);
      family.score[j] = family_score(family.parents.size() - 1, log_parents,
                                     log_parents + std::log(reduced.rss[k]));
    }
  });
  reduce_others(batch, watch);
}

void BgeScore::extend_by_lengths(Extensions &family, const std::vector<Eigen::Index> &parents,
                                 const std::vector<std::size_t> &number,
                                 const std::vector<Eigen::Index> &added) const {
  ColumnFactor::ExtendedLengths lengths;
  posterior_.extend_lengths(parents, added, family.child, lengths);
  double given = 0;
  for (const double length : lengths.basis.lengths)
    given += 2 * std::log(length);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    const double log_parents = given + 2 * std::log(lengths.added[j]);
    family.score[number[i]] =
        family_score(parents.size() + 1, log_parents, log_parents + 2 * std::log(lengths.child[j]));
  }
}

} // namespace optbn
