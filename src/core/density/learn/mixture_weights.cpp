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

class WeightEm {
public:
  WeightEm(const std::vector<double> &log_densities, std::size_t components,
           const std::vector<double> &row_weights, Watch &watch)
      : watch_(watch), components_(components),
        rows_(components > 0 ? log_densities.size() / components : 0),
        blocks_((rows_ + kBlockRows - 1) / kBlockRows), strips_(std::min<std::size_t>(blocks_, 16)),
        kernels_(fastest_block_kernels<double>()), row_weights_(blocks_ * kBlockRows, 0.0),
        densities_(blocks_ * kBlockRows * components, 1.0), strip_sums_(strips_) {
    for (std::size_t r = 0; r < rows_; ++r) {
      const double weight = row_weights.empty() ? 1 : row_weights[r];
      total_ += weight;
      set_row(log_densities, r, weight);
    }
  }

  MixtureWeights run_from_equal() {
    const std::vector<double> equal(components_, 1 / static_cast<double>(components_));
    if (possible_ <= 0)
      return {equal, peak_log_likelihood_ / total_};
    for (std::size_t strip = 0; strip < strips_; ++strip) // even if the watch has stopped
      sum_strip(strip, equal);
    Point at = sum_up(equal);
    while (steps_ < kMostSteps && at.gap > kTolerance) {
      Point next = evaluate(at.next_weights);
      Point far = evaluate(extrapolated(at, next));
      if (far.log_likelihood < next.log_likelihood)
        far = evaluate(next.next_weights);
      if (watch_.stopped()) // sums may be unfinished
        break;
      OPTBN_INVARIANT(about_at_most(at.log_likelihood, far.log_likelihood),
                      "the likelihood never falls");
      OPTBN_INVARIANT(add_up_to_one(far.weights), "the weights of a mixture sum to 1");
      at = std::move(far);
    }
    return {at.weights, (at.log_likelihood + peak_log_likelihood_) / total_};
  }

private:
  struct Point {
    std::vector<double> weights, next_weights; // and those after a step of EM
    double log_likelihood = kLogZero;
    double gap = 0; // how much the mean log-likelihood can still rise, at most
  };

  static bool add_up_to_one(const std::vector<double> &weights) {
    return about_equal(std::accumulate(weights.begin(), weights.end(), 0.0), 1);
  }

  // Stores the densities of a row, divided by the largest of them.
  void set_row(const std::vector<double> &log_densities, std::size_t row, double weight) {
    double peak = kLogZero;
    for (std::size_t c = 0; c < components_; ++c)
      peak = std::max(peak, log_densities[c * rows_ + row]);
    peak_log_likelihood_ += weight > 0 ? weight * peak : 0;
    if (!(peak > kLogZero))
      return;
    possible_ += weight;
    row_weights_[row] = weight;
    double *const cells = block(row / kBlockRows) + row % kBlockRows;
    for (std::size_t c = 0; c < components_; ++c)
      cells[c * kBlockRows] = std::exp(log_densities[c * rows_ + row] - peak);
  }

  double *block(std::size_t b) { return densities_.data() + b * kBlockRows * components_; }

  // The likelihood of the weights, and the weights after the next step.
  Point evaluate(std::vector<double> weights) {
    const auto strip = [&](std::size_t i, unsigned) { sum_strip(i, weights); };
    if (densities_.size() < kWorthThreads)
      for (std::size_t i = 0; i < strips_; ++i)
        strip(i, 0);
    else
      parallel_for(watch_, strips_, strip);
    return sum_up(std::move(weights));
  }

  void sum_strip(std::size_t strip, const std::vector<double> &weights) {
    Sums &strip_sums = strip_sums_[strip];
    strip_sums.log_likelihood = 0;
    strip_sums.factors.assign(components_, 0.0);
    std::vector<double> sums(components_);
    for (std::size_t b = blocks_ * strip / strips_; b < blocks_ * (strip + 1) / strips_; ++b)
      add_block(b, weights, sums, strip_sums);
  }

  Point sum_up(std::vector<double> weights) {
    ++steps_;
    Point point{std::move(weights), std::vector<double>(components_, 0.0), 0, 0};
    for (const Sums &strip_sums : strip_sums_) {
      point.log_likelihood += strip_sums.log_likelihood;
      for (std::size_t c = 0; c < strip_sums.factors.size(); ++c)
        point.next_weights[c] += strip_sums.factors[c];
    }
    double most = 1;
    for (std::size_t c = 0; c < components_; ++c) {
      const double factor = point.next_weights[c] / possible_;
      most = std::max(most, factor);
      point.next_weights[c] = point.weights[c] * factor;
    }
    point.gap = std::log(most);
    return point;
  }

  struct Sums { // over the rows of a strip
    double log_likelihood;
    std::vector<double> factors; // by component
  };

  void add_block(std::size_t b, const std::vector<double> &weights, std::vector<double> &sums,
                 Sums &strip_sums) {
    alignas(64) double density[kBlockRows];
    const double *const row_weights = row_weights_.data() + b * kBlockRows;
    kernels_.product({weights.data(), 0, 1}, block(b), density, 1, components_, kBlockRows,
                     kBlockRows);
    for (std::size_t r = 0; r < kBlockRows; ++r) {
      if (row_weights[r] > 0)
        strip_sums.log_likelihood += row_weights[r] * std::log(density[r]);
      density[r] = row_weights[r] > 0 ? row_weights[r] / density[r] : 0;
    }
    kernels_.inner_products(block(b), components_, density, 1, sums.data(), kBlockRows);
    for (std::size_t c = 0; c < components_; ++c)
      strip_sums.factors[c] += sums[c];
  }

  // Extrapolates along the parabola through a point and the two steps after it; no weight becomes
  // less than a tenth of that after the second step, since a weight of 0 never changes.
  std::vector<double> extrapolated(const Point &first, const Point &second) const {
    double change = 0, bend = 0;
    for (std::size_t c = 0; c < components_; ++c) {
      const double r = second.weights[c] - first.weights[c];
      const double v = second.next_weights[c] - second.weights[c] - r;
      change += r * r;
      bend += v * v;
    }
    const double length = bend > 0 ? std::max(1.0, std::sqrt(change / bend)) : 1;
    std::vector<double> weights(components_);
    double sum = 0;
    for (std::size_t c = 0; c < components_; ++c) {
      const double r = second.weights[c] - first.weights[c];
      const double v = second.next_weights[c] - second.weights[c] - r;
      weights[c] = std::max(first.weights[c] + 2 * length * r + length * length * v,
                            second.next_weights[c] / 10);
      sum += weights[c];
    }
    for (double &weight : weights)
      weight /= sum;
    return weights;
  }

  Watch &watch_;
  const std::size_t components_, rows_, blocks_, strips_;
  const BlockKernels<double> &kernels_;
  std::vector<double> row_weights_; // 0 if the row is impossible in all components
  std::vector<double> densities_;   // by block, component and row
  std::vector<Sums> strip_sums_;
  double total_ = 0, possible_ = 0; // weight of all rows, of possible ones
  double peak_log_likelihood_ = 0;  // of the densities that were divided out
  unsigned steps_ = 0;
};

} // namespace

MixtureWeights fit_weights(const std::vector<double> &log_densities, std::size_t components,
                           const std::vector<double> &row_weights, Watch &watch) {
  return WeightEm(log_densities, components, row_weights, watch).run_from_equal();
}

} // namespace optbn
