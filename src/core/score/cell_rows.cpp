#include "core/score/cell_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

constexpr std::size_t kMostConfigurations = 1 << 16; // more are renumbered: only those that occur

// Numbers the configurations that occur, and returns how many there are.
std::size_t renumber(std::vector<std::uint32_t> &cell, std::size_t configurations) {
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> number(configurations, kNone);
  std::uint32_t count = 0;
  for (std::uint32_t &one : cell) {
    if (number[one] == kNone)
      number[one] = count++;
    one = number[one];
  }
  return count;
}

// The rows in which nothing of these columns is missing.
std::vector<std::uint32_t> known_rows(const Dataset &data, const std::vector<Node> &discrete,
                                      const std::vector<Node> &continuous) {
  std::vector<std::uint32_t> rows(data.rows);
  std::iota(rows.begin(), rows.end(), 0u);
  for (const std::vector<Node> *columns : {&discrete, &continuous})
    for (const Node u : *columns)
      if (data.columns[u].holes)
        rows.erase(std::remove_if(rows.begin(), rows.end(),
                                  [&](std::uint32_t row) { return data.columns[u].missing(row); }),
                   rows.end());
  return rows;
}

// Sets the number of the configuration of each of the rows, which is below the return value.
std::size_t number_configurations(const Dataset &data, const std::vector<std::uint32_t> &rows,
                                  const std::vector<Node> &discrete,
                                  std::vector<std::uint32_t> &cell) {
  cell.assign(rows.size(), 0);
  std::size_t count = 1;
  for (const Node u : discrete) {
    const Column &column = data.columns[u];
    if (count * column.levels > kMostConfigurations)
      count = renumber(cell, count);
    for (std::size_t i = 0; i < rows.size(); ++i)
      cell[i] = cell[i] * column.levels + column.codes[rows[i]];
    count *= column.levels;
  }
  return count;
}

// Eight sums side by side, whatever the alignment: the order of additions is always the same, and
// no addition waits for the one before it.
using Lanes = Eigen::Array<double, 8, 1>;

double sum(const double *first, const double *last) {
  Lanes sums = Lanes::Zero();
  for (; last - first >= Lanes::SizeAtCompileTime; first += Lanes::SizeAtCompileTime)
    sums += Eigen::Map<const Lanes>(first);
  for (int lane = 0; first != last; ++first, ++lane)
    sums[lane] += *first;
  return sums.sum();
}

double dot(const double *first, const double *last, const double *other) {
  constexpr int kLanes = Lanes::SizeAtCompileTime;
  Lanes sums = Lanes::Zero();
  for (; last - first >= kLanes; first += kLanes, other += kLanes)
    sums += Eigen::Map<const Lanes>(first) * Eigen::Map<const Lanes>(other);
  for (int lane = 0; first != last; ++first, ++other, ++lane)
    sums[lane] += *first * *other;
  return sums.sum();
}

} // namespace

CellRows::CellRows(const Dataset &data, const std::vector<Node> &discrete,
                   const std::vector<Node> &continuous) {
  const std::vector<std::uint32_t> known = known_rows(data, discrete, continuous);
  std::vector<std::uint32_t> cell;
  std::vector<std::uint32_t> next(number_configurations(data, known, discrete, cell), 0);
  for (const std::uint32_t c : cell)
    ++next[c];
  std::uint32_t first = 0;
  for (std::uint32_t &one : next) {
    const std::uint32_t rows = one;
    one = first;
    if (rows > 0)
      first_.push_back(first);
    first += rows;
  }
  first_.push_back(first);
  row_.resize(known.size());
  for (std::size_t i = 0; i < known.size(); ++i)
    row_[next[cell[i]]++] = known[i];
  if (data.weighted())
    for (const std::uint32_t row : row_)
      weight_.push_back(data.weights[row]);
  for (std::size_t c = 0; c + 1 < first_.size(); ++c)
    total_.push_back(data.weighted()
                         ? sum(weight_.data() + first_[c], weight_.data() + first_[c + 1])
                         : static_cast<double>(first_[c + 1] - first_[c]));
  for (const double total : total_)
    least_total_ = std::min(least_total_, total);
}

Eigen::VectorXd CellRows::centred(const Dataset &data, Node column) const {
  const std::vector<double> &values = data.columns[column].values;
  Eigen::VectorXd result(static_cast<Eigen::Index>(row_.size()));
  for (std::size_t i = 0; i < row_.size(); ++i)
    result[static_cast<Eigen::Index>(i)] = values[row_[i]];
  for (std::size_t c = 0; c < size(); ++c) {
    double *const first = result.data() + first_[c], *const last = result.data() + first_[c + 1];
    const double all =
        weight_.empty() ? sum(first, last) : dot(first, last, weight_.data() + first_[c]);
    // The rounded mean of a constant could be another number.
    const double centre =
        std::find_if(first, last, [=](double one) { return one != *first; }) == last
            ? *first
            : all / total_[c];
    result.segment(first_[c], last - first).array() -= centre;
  }
  if (!weight_.empty())
    for (std::size_t i = 0; i < row_.size(); ++i)
      result[static_cast<Eigen::Index>(i)] *= std::sqrt(weight_[i]);
  return result;
}

double CellRows::product(const Eigen::VectorXd &a, const Eigen::VectorXd &b,
                         std::size_t cell) const {
  return dot(a.data() + first_[cell], a.data() + first_[cell + 1], b.data() + first_[cell]);
}

} // namespace optbn
