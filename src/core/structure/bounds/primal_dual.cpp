#include "core/structure/bounds/primal_dual.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/column_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace optbn {

namespace {

using Vector = std::vector<double>;

// Steps between two computations of the bound.
constexpr unsigned kCheckInterval = 40;

// The nearest point of the simplex: every coordinate less a threshold, none below 0. Michelot's
// iteration (1986, doi 10.1007/BF00938486) raises the threshold from below until it no longer
// changes, with ever fewer coordinates above it. Relative to the largest coordinate, so that even
// huge ones do no harm.
void project(double *x, std::size_t size) {
  const double largest = *std::max_element(x, x + size);
  double threshold = -1;
  for (std::size_t before = size + 1;;) {
    double sum = -1;
    std::size_t above = 0;
    for (std::size_t j = 0; j < size; ++j)
      if (x[j] - largest > threshold) {
        sum += x[j] - largest;
        ++above;
      }
    if (above >= before)
      break;
    threshold = sum / static_cast<double>(above);
    before = above;
  }
  for (std::size_t j = 0; j < size; ++j)
    x[j] = std::max(0.0, x[j] - largest - threshold);
}

double distance(const Vector &a, const Vector &b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

bool not_negative(const Vector &a) {
  return std::all_of(a.begin(), a.end(), [](double value) { return value >= 0; });
}

[[maybe_unused]] bool on_simplices(const Vector &x, const SimplexProgram &program) {
  for (std::size_t b = 0; b < program.blocks(); ++b) {
    const double sum =
        std::accumulate(x.begin() + program.block[b], x.begin() + program.block[b + 1], 0.0);
    if (!about_equal(sum, 1))
      return false;
  }
  return not_negative(x);
}

class HybridGradient {
public:
  HybridGradient(PrimalDualIterate &iterate, const SimplexProgram &program)
      : iterate_(iterate), program_(program), tiles_(program), x_(iterate.x), y_(iterate.y),
        reduced_(x_.size()), next_x_(x_.size()), next_y_(y_.size()) {
    for (std::size_t b = 0; b < program.blocks(); ++b)
      project(x_.data() + program.block[b], program.block[b + 1] - program.block[b]);
    precondition();
    multiply(x_, ax_);
    iterate_.best = y_;
    iterate_.bound = bound(y_);
    if (iterate_.weight <= 0)
      iterate_.weight = initial_weight();
    restart(error(x_, ax_, y_));
  }

  // Returns the steps that were taken.
  unsigned run(unsigned steps, double tolerance, Watch &watch) {
    for (unsigned step = 1; step <= steps; ++step) {
      if (watch.stopped())
        return step - 1;
      take_step();
      if ((step % kCheckInterval == 0 || step == steps) && check(step) < tolerance)
        return step;
    }
    return steps;
  }

private:
  // Step lengths in proportion to how far a coordinate can move (Pock & Chambolle 2011, doi
  // 10.1109/ICCV.2011.6126441); one length for all columns of a block, as the projection needs.
  void precondition() {
    primal_step_.assign(program_.blocks(), 0);
    Vector of_row(program_.rows(), 0), largest(program_.rows(), 0);
    for (std::size_t b = 0; b < program_.blocks(); ++b) {
      for (std::uint32_t j = program_.block[b]; j < program_.block[b + 1]; ++j) {
        double sum = 0;
        for (std::uint32_t e = program_.start[j]; e < program_.start[j + 1]; ++e) {
          sum += std::abs(program_.value[e]);
          double &most = largest[program_.row[e]];
          most = std::max(most, std::abs(program_.value[e]));
        }
        primal_step_[b] = std::max(primal_step_[b], sum);
      }
      for (std::uint32_t j = program_.block[b]; j < program_.block[b + 1]; ++j)
        for (std::uint32_t e = program_.start[j]; e < program_.start[j + 1]; ++e) {
          double &most = largest[program_.row[e]];
          of_row[program_.row[e]] += most;
          most = 0;
        }
    }
    for (double &step : primal_step_)
      step = 1 / std::max(1.0, step);
    dual_step_.resize(program_.rows());
    for (std::size_t r = 0; r < program_.rows(); ++r)
      dual_step_[r] = 1 / std::max(1.0, of_row[r]);
  }

  // The root mean square of the costs, over the norm of the right-hand sides.
  double initial_weight() const {
    double costs = 0, rows = 0;
    for (const double c : program_.cost)
      costs += c * c;
    for (const double r : program_.rhs)
      rows += r * r;
    return std::sqrt((costs + 1e-12) / (static_cast<double>(program_.columns()) * (rows + 1e-12)));
  }

  void multiply(const Vector &x, Vector &ax) const {
    ax.assign(program_.rows(), 0);
    for (std::size_t j = 0; j < x.size(); ++j)
      if (x[j] > 0)
        for (std::uint32_t e = program_.start[j]; e < program_.start[j + 1]; ++e)
          ax[program_.row[e]] += x[j] * program_.value[e];
  }

  double bound(const Vector &y) {
    tiles_.reduced_costs(program_.cost, y, reduced_);
    double sum = 0;
    for (std::size_t r = 0; r < program_.rows(); ++r)
      sum += program_.rhs[r] * y[r];
    for (std::size_t b = 0; b < program_.blocks(); ++b)
      sum += *std::min_element(reduced_.begin() + program_.block[b],
                               reduced_.begin() + program_.block[b + 1]);
    return sum;
  }

  // How far (x, y) is from an optimal pair, in units of cost.
  double error(const Vector &x, const Vector &ax, const Vector &y) {
    const double z = bound(y);
    if (z > iterate_.bound) {
      iterate_.bound = z;
      iterate_.best = y;
    }
    double objective = 0, infeasibility = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      objective += program_.cost[j] * x[j];
    for (std::size_t r = 0; r < program_.rows(); ++r) {
      const double missing = std::max(0.0, program_.rhs[r] - ax[r]);
      infeasibility += missing * missing;
    }
    return std::abs(objective - z) + iterate_.weight * std::sqrt(infeasibility);
  }

  void restart(double error) {
    error_ = error;
    average_x_.assign(x_.size(), 0);
    average_y_.assign(y_.size(), 0);
    averaged_ = 0;
    steps_ = 0;
    restart_x_ = x_;
    restart_y_ = y_;
  }

  // A step as long as PDLP's rule allows, tried again where it proves too long.
  void take_step() {
    tiles_.reduced_costs(program_.cost, y_, reduced_);
    for (;;) {
      ++trials_;
      double movement = 0;
      for (std::size_t b = 0; b < program_.blocks(); ++b) {
        const double step = length_ / iterate_.weight * primal_step_[b];
        double moved = 0;
        const std::uint32_t first = program_.block[b], last = program_.block[b + 1];
        for (std::uint32_t j = first; j < last; ++j)
          next_x_[j] = x_[j] - step * reduced_[j];
        project(next_x_.data() + first, last - first);
        for (std::uint32_t j = first; j < last; ++j)
          moved += (next_x_[j] - x_[j]) * (next_x_[j] - x_[j]);
        movement += moved * iterate_.weight / primal_step_[b];
      }
      multiply(next_x_, next_ax_);
      double interaction = 0;
      for (std::size_t r = 0; r < program_.rows(); ++r) {
        const double step = length_ * iterate_.weight * dual_step_[r];
        next_y_[r] = std::max(0.0, y_[r] + step * (program_.rhs[r] - 2 * next_ax_[r] + ax_[r]));
        const double moved = next_y_[r] - y_[r];
        movement += moved * moved / (iterate_.weight * dual_step_[r]);
        interaction += moved * (next_ax_[r] - ax_[r]);
      }
      const double limit = interaction != 0 ? movement / (2 * std::abs(interaction))
                                            : std::numeric_limits<double>::infinity();
      const double taken = length_;
      length_ = std::min({(1 - std::pow(trials_ + 1, -.3)) * limit,
                          (1 + std::pow(trials_ + 1, -.6)) * length_, 1e6});
      if (taken <= limit) {
        accept(taken);
        return;
      }
    }
  }

  void accept(double length) {
    x_.swap(next_x_);
    y_.swap(next_y_);
    ax_.swap(next_ax_);
    for (std::size_t j = 0; j < x_.size(); ++j)
      average_x_[j] += length * x_[j];
    for (std::size_t r = 0; r < y_.size(); ++r)
      average_y_[r] += length * y_[r];
    averaged_ += length;
    ++steps_;
  }

  // Compares the iterate with the average since the last restart, and restarts from the better of
  // the two once its error is much less than at that restart. Returns this error.
  double check(unsigned step) {
    Vector mean_x = average_x_, mean_y = average_y_, mean_ax;
    for (double &x : mean_x)
      x /= averaged_;
    for (double &y : mean_y)
      y /= averaged_;
    multiply(mean_x, mean_ax);
    const double of_mean = error(mean_x, mean_ax, mean_y), of_last = error(x_, ax_, y_);
    const double least = std::min(of_mean, of_last);
    if (least > .3 * error_ && steps_ < std::max(200u, step / 3))
      return least;
    if (of_mean < of_last) {
      x_.swap(mean_x);
      y_.swap(mean_y);
      ax_.swap(mean_ax);
    }
    update_primal_weight();
    restart(least);
    return least;
  }

  // The primal weight follows the distances that both sides have moved, smoothed.
  void update_primal_weight() {
    const double in_x = distance(x_, restart_x_), in_y = distance(y_, restart_y_);
    if (in_x > 1e-9 && in_y > 1e-9)
      iterate_.weight = std::sqrt(iterate_.weight * in_y / in_x);
  }

  PrimalDualIterate &iterate_;
  const SimplexProgram &program_;
  const ColumnTiles tiles_;
  Vector &x_, &y_;
  Vector reduced_; // the reduced costs at the last y asked about: the gradient in x
  Vector ax_, next_x_, next_y_, next_ax_;
  Vector primal_step_, dual_step_; // relative lengths, by block and by row
  Vector average_x_, average_y_, restart_x_, restart_y_;
  double averaged_ = 0; // the lengths of the steps in the averages
  double error_ = 0;    // at the last restart
  double length_ = 1;
  unsigned steps_ = 0; // since the last restart
  double trials_ = 0;
};

} // namespace

unsigned primal_dual_hybrid_gradient(PrimalDualIterate &iterate, const SimplexProgram &program,
                                     unsigned steps, double tolerance, Watch &watch) {
  const unsigned taken = HybridGradient(iterate, program).run(steps, tolerance, watch);
  OPTBN_INVARIANT(on_simplices(iterate.x, program), "the x of every block add up to 1");
  OPTBN_INVARIANT(not_negative(iterate.y) && not_negative(iterate.best),
                  "multipliers are not negative");
  return taken;
}

} // namespace optbn
