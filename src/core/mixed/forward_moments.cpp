#include "core/mixed/forward_moments.h"

#include "core/base/errors.h"

#include <Eigen/Householder>

#include <algorithm>
#include <cmath>
#include <set>

namespace optbn {

namespace {

bool is_in(const std::vector<Node> &nodes, Node v) {
  return std::find(nodes.begin(), nodes.end(), v) != nodes.end();
}

// A factor of the same covariance without more columns than rows, by reflecting one row after the
// other (Golub & Van Loan 2013, 5.2.2, transposed).
Eigen::MatrixXd square_factor(Eigen::MatrixXd wide) {
  const Eigen::Index size = wide.rows();
  Eigen::VectorXd scratch(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Eigen::Index right = wide.cols() - i, below = size - i - 1;
    double coefficient = 0, length = 0;
    wide.row(i).tail(right).makeHouseholderInPlace(coefficient, length);
    wide(i, i) = length;
    wide.bottomRightCorner(below, right)
        .applyHouseholderOnTheRight(wide.row(i).tail(right - 1).transpose(), coefficient,
                                    scratch.data());
  }
  return wide.leftCols(size).triangularView<Eigen::Lower>();
}

class MomentState {
public:
  MomentState(const std::vector<LogFactor> &factors, const std::vector<unsigned> &levels,
              const std::function<std::vector<double>(const std::vector<Node> &)> &joint_of,
              double memory_limit)
      : factors_(factors), levels_(levels), joint_of_(joint_of), memory_limit_(memory_limit),
        cells_(1) {}

  double cells_with(const ConditionalNormal &regression) const {
    return cells_of(joined(regression.discrete), levels_);
  }

  void enter(const ConditionalNormal &regression);
  // What no later regression has, of continuous nodes and of discrete ones.
  void leave(const std::set<Node> &needed, const std::vector<Node> &later);
  Moments moments() const; // of the only node that is left, without discrete ones

private:
  struct Cell {
    Eigen::VectorXd mean;
    Eigen::MatrixXd factor; // of the covariance: a row for each continuous node
  };

  std::vector<Node> joined(const std::vector<Node> &more) const;
  void enter_discrete(const std::vector<Node> &more);
  bool is_separated(Node node, const std::vector<Node> &later) const;
  void average_over(Node node);

  const std::vector<LogFactor> &factors_;
  const std::vector<unsigned> &levels_;
  const std::function<std::vector<double>(const std::vector<Node> &)> &joint_of_;
  const double memory_limit_;
  std::vector<Node> discrete_, continuous_;
  std::vector<Cell> cells_;
};

std::vector<Node> MomentState::joined(const std::vector<Node> &more) const {
  std::vector<Node> all = discrete_;
  for (const Node v : more)
    if (!is_in(all, v))
      all.push_back(v);
  return all;
}

// New nodes come last: the cells of the old ones repeat.
void MomentState::enter_discrete(const std::vector<Node> &more) {
  discrete_ = joined(more);
  const double size = static_cast<double>(continuous_.size() + 1),
               bytes = cells_of(discrete_, levels_) * (size * (size + 1) + 8) * sizeof(double);
  if (bytes > memory_limit_)
    throw MemoryLimit(bytes, memory_limit_);
  const std::size_t old = cells_.size(),
                    all = static_cast<std::size_t>(cells_of(discrete_, levels_));
  cells_.reserve(all);
  for (std::size_t c = old; c < all; ++c)
    cells_.push_back(cells_[c % old]);
}

void MomentState::enter(const ConditionalNormal &regression) {
  enter_discrete(regression.discrete);
  std::vector<Eigen::Index> at;
  for (const Node parent : regression.continuous)
    at.push_back(std::find(continuous_.begin(), continuous_.end(), parent) - continuous_.begin());
  CellWalk walk(discrete_, levels_);
  walk.follow(regression.discrete, levels_);
  for (std::size_t c = 0; c < walk.cells(); ++c, walk.next()) {
    const double *numbers = regression.numbers.data() + walk.at(0) * regression.stride();
    Cell &cell = cells_[c];
    const Eigen::Index rows = cell.factor.rows(), columns = cell.factor.cols();
    double mean = numbers[0];
    Eigen::RowVectorXd own = Eigen::RowVectorXd::Zero(columns + 1);
    for (std::size_t j = 0; j < at.size(); ++j) {
      mean += numbers[j + 1] * cell.mean[at[j]];
      own.head(columns) += numbers[j + 1] * cell.factor.row(at[j]);
    }
    own[columns] = numbers[regression.stride() - 1];
    cell.mean.conservativeResize(rows + 1);
    cell.mean[rows] = mean;
    cell.factor.conservativeResize(rows + 1, columns + 1);
    cell.factor.col(columns).setZero();
    cell.factor.row(rows) = own;
  }
  continuous_.push_back(regression.node);
}

void MomentState::leave(const std::set<Node> &needed, const std::vector<Node> &later) {
  std::vector<Node> kept;
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < continuous_.size(); ++i)
    if (needed.count(continuous_[i])) {
      kept.push_back(continuous_[i]);
      rows.push_back(static_cast<Eigen::Index>(i));
    }
  if (kept.size() < continuous_.size())
    for (Cell &cell : cells_) {
      Cell left{Eigen::VectorXd(rows.size()), Eigen::MatrixXd(rows.size(), cell.factor.cols())};
      for (std::size_t i = 0; i < rows.size(); ++i) {
        left.mean[static_cast<Eigen::Index>(i)] = cell.mean[rows[i]];
        left.factor.row(static_cast<Eigen::Index>(i)) = cell.factor.row(rows[i]);
      }
      cell = std::move(left);
    }
  continuous_ = kept;
  std::vector<Node> to_enter;
  for (const Node v : later)
    if (!is_in(discrete_, v))
      to_enter.push_back(v);
  for (const Node v : std::vector<Node>(discrete_))
    if (!is_in(later, v) && is_separated(v, to_enter))
      average_over(v);
}

// Do the other nodes of the state separate a node from those that are to enter?
bool MomentState::is_separated(Node node, const std::vector<Node> &later) const {
  std::set<Node> reached = {node};
  for (bool more = true; more;) {
    more = false;
    for (const LogFactor &factor : factors_) {
      if (std::none_of(factor.nodes.begin(), factor.nodes.end(), [&](Node v) {
            return reached.count(v) && (v == node || !is_in(discrete_, v));
          }))
        continue;
      for (const Node v : factor.nodes)
        more = reached.insert(v).second || more;
    }
  }
  return std::none_of(later.begin(), later.end(), [&](Node v) { return reached.count(v) > 0; });
}

void MomentState::average_over(Node node) {
  std::vector<Node> order = {node}; // its levels follow each other
  for (const Node v : discrete_)
    if (v != node)
      order.push_back(v);
  const std::vector<double> probability = joint_of_(order);
  CellWalk walk(order, levels_);
  walk.follow(discrete_, levels_);
  const std::size_t states = levels_[node];
  const auto size = static_cast<Eigen::Index>(continuous_.size());
  std::vector<Cell> left;
  for (std::size_t c = 0; c < walk.cells(); c += states) {
    double total = 0;
    std::vector<const Cell *> parts;
    Eigen::Index columns = 0;
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(size);
    for (std::size_t z = 0; z < states; ++z, walk.next()) {
      parts.push_back(&cells_[walk.at(0)]);
      total += probability[c + z];
      mean += probability[c + z] * parts.back()->mean;
      columns += parts.back()->factor.cols() + 1;
    }
    if (!(total > 0)) { // which has no weight in any later mean
      left.push_back(*parts[0]);
      continue;
    }
    mean /= total;
    Eigen::MatrixXd wide(size, columns);
    Eigen::Index at = 0;
    for (std::size_t z = 0; z < states; ++z) {
      const double root = std::sqrt(probability[c + z] / total);
      const Eigen::Index own = parts[z]->factor.cols();
      wide.middleCols(at, own) = root * parts[z]->factor;
      wide.col(at + own) = root * (parts[z]->mean - mean);
      at += own + 1;
    }
    if (columns > size)
      wide = square_factor(std::move(wide));
    left.push_back({mean, wide});
  }
  cells_ = std::move(left);
  discrete_.assign(order.begin() + 1, order.end());
}

Moments MomentState::moments() const { return {cells_[0].mean[0], cells_[0].factor.row(0).norm()}; }

} // namespace

Moments
forward_moments(const std::vector<const ConditionalNormal *> &regressions,
                const std::vector<LogFactor> &factors, const std::vector<unsigned> &levels,
                const std::function<std::vector<double>(const std::vector<Node> &)> &joint_of,
                double memory_limit, Watch &watch) {
  const Node node = regressions.back()->node;
  std::vector<const ConditionalNormal *> waiting = regressions;
  MomentState state(factors, levels, joint_of, memory_limit);
  while (!waiting.empty()) {
    throw_if_stopped(watch);
    std::set<Node> open;
    for (const ConditionalNormal *regression : waiting)
      open.insert(regression->node);
    auto best = waiting.end(); // whose parents are not waiting, and whose state is smallest
    for (auto at = waiting.begin(); at != waiting.end(); ++at)
      if (std::none_of((*at)->continuous.begin(), (*at)->continuous.end(),
                       [&](Node v) { return open.count(v) > 0; }) &&
          (best == waiting.end() || state.cells_with(**at) < state.cells_with(**best)))
        best = at;
    state.enter(**best);
    waiting.erase(best);
    std::set<Node> needed = {node};
    std::vector<Node> later;
    for (const ConditionalNormal *regression : waiting) {
      needed.insert(regression->continuous.begin(), regression->continuous.end());
      later.insert(later.end(), regression->discrete.begin(), regression->discrete.end());
    }
    state.leave(needed, later);
  }
  return state.moments();
}

} // namespace optbn
