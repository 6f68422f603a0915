#include "core/density/learn/mixture_weights.h"

#include "core/base/invariant.h"
#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/density/inference/block_kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr double kTolerance = 1e-5;
constexpr unsigned kMostSteps = 3000;
constexpr std::size_t kWorthThreads = 2000000; // cells, which take about a millisecond

class WeightClimb {
public:
  WeightClimb(const std::vector<double> &log_densities, std::size_t components,
              const std::vector<double> &row_weights, Watch &watch)
      : watch_(watch), components_(components),
        rows_(components > 0 ? log_densities.size() / components : 0),
        blocks_((rows_ + kBlockRows - 1) / kBlockRows), strips_(std::min<std::size_t>(blocks_, 16)),
        kernels_(fastest_block_kernels<double>()), row_weights_(blocks_ * kBlockRows, 0.0),
        densities_(blocks_ * kBlockRows * components, 1.0), parts_(strips_) {
    for (std::size_t r = 0; r < rows_; ++r) {
      const double weight = row_weights.empty() ? 1 : row_weights[r];
      total_ += weight;
      read(log_densities, r, weight);
    }
  }

  MixtureWeights from_equal() {
    const std::vector<double> equal(components_, 1 / static_cast<double>(components_));
    if (explained_ <= 0)
      return {equal, said_by_peaks_ / total_};
    for (std::size_t strip = 0; strip < strips_; ++strip) // whatever the watch says
      visit_strip(strip, equal);
    Point at = added_up(equal);
    while (steps_ < kMostSteps && at.gap > kTolerance) {
      Point next = visit(at.better);
      Point far = visit(extrapolated(at, next));
      if (far.log_likelihood < next.log_likelihood)
        far = visit(next.better);
      if (watch_.stopped()) // sums may be unfinished
        break;
      OPTBN_INVARIANT(about_at_most(at.log_likelihood, far.log_likelihood),
                      "the likelihood never falls");
      OPTBN_INVARIANT(add_up_to_one(far.weights), "the weights of a mixture sum to 1");
      at = std::move(far);
    }
    return {at.weights, (at.log_likelihood + said_by_peaks_) / total_};
  }

private:
  struct Point {
    std::vector<double> weights, better; // and where a step of EM leads
    double log_likelihood = kLogZero;
    double gap = 0; // what the mean log-likelihood may still rise by, at most
  };

  static bool add_up_to_one(const std::vector<double> &weights) {
    return about_equal(std::accumulate(weights.begin(), weights.end(), 0.0), 1);
  }

  // The densities of a row, over the largest of them.
  void read(const std::vector<double> &log_densities, std::size_t row, double weight) {
    double peak = kLogZero;
    for (std::size_t c = 0; c < components_; ++c)
      peak = std::max(peak, log_densities[c * rows_ + row]);
    said_by_peaks_ += weight > 0 ? weight * peak : 0;
    if (!(peak > kLogZero))
      return;
    explained_ += weight;
    row_weights_[row] = weight;
    double *const cells = block(row / kBlockRows) + row % kBlockRows;
    for (std::size_t c = 0; c < components_; ++c)
      cells[c * kBlockRows] = std::exp(log_densities[c * rows_ + row] - peak);
  }

  double *block(std::size_t b) { return densities_.data() + b * kBlockRows * components_; }

  // The likelihood of the weights, and the step from them.
  Point visit(std::vector<double> weights) {
    const auto strip = [&](std::size_t i, unsigned) { visit_strip(i, weights); };
    if (densities_.size() < kWorthThreads)
      for (std::size_t i = 0; i < strips_; ++i)
        strip(i, 0);
    else
      parallel_for(watch_, strips_, strip);
    return added_up(std::move(weights));
  }

  void visit_strip(std::size_t strip, const std::vector<double> &weights) {
    Part &part = parts_[strip];
    part.log_likelihood = 0;
    part.factors.assign(components_, 0.0);
    std::vector<double> sums(components_);
    for (std::size_t b = blocks_ * strip / strips_; b < blocks_ * (strip + 1) / strips_; ++b)
      add_block(b, weights, sums, part);
  }

  Point added_up(std::vector<double> weights) {
    ++steps_;
    Point point{std::move(weights), std::vector<double>(components_, 0.0), 0, 0};
    for (const Part &part : parts_) {
      point.log_likelihood += part.log_likelihood;
      for (std::size_t c = 0; c < part.factors.size(); ++c)
        point.better[c] += part.factors[c];
    }
    double most = 1;
    for (std::size_t c = 0; c < components_; ++c) {
      const double factor = point.better[c] / explained_;
      most = std::max(most, factor);
      point.better[c] = point.weights[c] * factor;
    }
    point.gap = std::log(most);
    return point;
  }

  struct Part { // of the rows
    double log_likelihood;
    std::vector<double> factors; // by component
  };

  void add_block(std::size_t b, const std::vector<double> &weights, std::vector<double> &sums,
                 Part &part) {
    alignas(64) double density[kBlockRows];
    const double *const row_weights = row_weights_.data() + b * kBlockRows;
    kernels_.product({weights.data(), 0, 1}, block(b), density, 1, components_, kBlockRows,
                     kBlockRows);
    for (std::size_t r = 0; r < kBlockRows; ++r) {
      if (row_weights[r] > 0)
        part.log_likelihood += row_weights[r] * std::log(density[r]);
      density[r] = row_weights[r] > 0 ? row_weights[r] / density[r] : 0;
    }
    kernels_.inner_products(block(b), components_, density, 1, sums.data(), kBlockRows);
    for (std::size_t c = 0; c < components_; ++c)
      part.factors[c] += sums[c];
  }

  // Along the parabola through a point and the two steps from it; no weight falls below a tenth of
  // what the second step gives it, since a weight of 0 never comes back.
  std::vector<double> extrapolated(const Point &first, const Point &second) const {
    double change = 0, bend = 0;
    for (std::size_t c = 0; c < components_; ++c) {
      const double r = second.weights[c] - first.weights[c];
      const double v = second.better[c] - second.weights[c] - r;
      change += r * r;
      bend += v * v;
    }
    const double length = bend > 0 ? std::max(1.0, std::sqrt(change / bend)) : 1;
    std::vector<double> weights(components_);
    double sum = 0;
    for (std::size_t c = 0; c < components_; ++c) {
      const double r = second.weights[c] - first.weights[c];
      const double v = second.better[c] - second.weights[c] - r;
      weights[c] =
          std::max(first.weights[c] + 2 * length * r + length * length * v, second.better[c] / 10);
      sum += weights[c];
    }
    for (double &weight : weights)
      weight /= sum;
    return weights;
  }

  Watch &watch_;
  const std::size_t components_, rows_, blocks_, strips_;
  const BlockKernels<double> &kernels_;
  std::vector<double> row_weights_; // 0 where no component explains the row
  std::vector<double> densities_;   // by block, component and row
  std::vector<Part> parts_;
  double total_ = 0, explained_ = 0; // weight of all rows, of those explained
  double said_by_peaks_ = 0;         // log-likelihood that was divided out
  unsigned steps_ = 0;
};

} // namespace

MixtureWeights fit_weights(const std::vector<double> &log_densities, std::size_t components,
                           const std::vector<double> &row_weights, Watch &watch) {
  return WeightClimb(log_densities, components, row_weights, watch).from_equal();
}

} // namespace optbn
