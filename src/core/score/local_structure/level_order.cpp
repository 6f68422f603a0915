#include "core/score/local_structure/level_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace optbn {

namespace {

constexpr int kMostSteps = 1000; // of the power method
constexpr double kConverged = 1e-12;

double product(const std::vector<double> &a, const std::vector<double> &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void normalise(std::vector<double> &x) {
  const double length = std::sqrt(product(x, x));
  for (double &part : x)
    part = length > 0 ? part / length : 0;
}

// The shares of the response's levels in each cell, less those in all rows.
std::vector<std::vector<double>> centred_shares(const CellTally &tally, std::size_t first,
                                                unsigned levels) {
  std::vector<std::vector<double>> shares(tally.cells(), std::vector<double>(levels));
  for (unsigned level = 0; level < levels; ++level) {
    double count = 0, rows = 0;
    for (std::size_t cell = 0; cell < tally.cells(); ++cell) {
      count += tally.counts(cell)[first + level];
      rows += tally.rows(cell);
    }
    for (std::size_t cell = 0; cell < tally.cells(); ++cell)
      shares[cell][level] =
          tally.counts(cell)[first + level] / static_cast<double>(tally.rows(cell)) - count / rows;
  }
  return shares;
}

// The direction along which cells, weighted by their rows, differ most: the power method, starting
// at the cell that differs most.
std::vector<double> principal_direction(const std::vector<std::vector<double>> &shares,
                                        const CellTally &tally) {
  std::vector<double> direction;
  double largest = -1;
  for (std::size_t cell = 0; cell < shares.size(); ++cell) {
    const double size = tally.rows(cell) * product(shares[cell], shares[cell]);
    if (size > largest) {
      largest = size;
      direction = shares[cell];
    }
  }
  normalise(direction);
  double change = 1;
  for (int step = 0; step < kMostSteps && change > kConverged; ++step) {
    std::vector<double> next(direction.size(), 0);
    for (std::size_t cell = 0; cell < shares.size(); ++cell) {
      const double weight = tally.rows(cell) * product(shares[cell], direction);
      for (std::size_t level = 0; level < next.size(); ++level)
        next[level] += weight * shares[cell][level];
    }
    normalise(next);
    change = 1 - product(next, direction);
    direction = next;
  }
  return direction;
}

// The values by which the cells are ordered.
std::vector<double> cell_values(const CellTally &tally, const Responses &responses, Node response) {
  const std::size_t offset = responses.offset(response);
  std::vector<double> values;
  if (!responses.discrete(response)) {
    for (std::size_t cell = 0; cell < tally.cells(); ++cell)
      values.push_back(tally.means(cell)[offset]);
    return values;
  }
  const std::vector<std::vector<double>> shares =
      centred_shares(tally, offset, responses.levels(response));
  const std::vector<double> direction = principal_direction(shares, tally);
  for (const std::vector<double> &share : shares)
    values.push_back(product(share, direction));
  return values;
}

} // namespace

std::vector<std::uint32_t> level_order(const CellTally &tally, const Responses &responses,
                                       Node response, std::uint32_t cells) {
  const std::vector<double> values = cell_values(tally, responses, response);
  std::vector<double> value(cells, std::numeric_limits<double>::infinity());
  for (std::size_t cell = 0; cell < tally.cells(); ++cell)
    value[tally.key(cell)] = values[cell];
  std::vector<std::uint32_t> order(cells);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return value[a] < value[b]; });
  return order;
}

} // namespace optbn
