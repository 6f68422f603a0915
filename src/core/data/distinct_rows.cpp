#include "core/data/distinct_rows.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// Rows that weigh more than this on average are not expanded into bits.
constexpr std::uint64_t kBitsPerRow = 64;

// A missing value counts as one more level.
unsigned values_of(const Column &column) { return column.levels + column.holes; }

std::vector<std::uint64_t> count_values(const Dataset &data, const Column &column) {
  std::vector<std::uint64_t> count(values_of(column), 0);
  for (std::size_t row = 0; row < data.rows; ++row)
    count[column.codes[row]] += data.weight(row);
  return count;
}

double entropy(const Dataset &data, const Column &column) {
  double sum = 0;
  for (const std::uint64_t count : count_values(data, column))
    if (count > 0) {
      const double share = static_cast<double>(count) / static_cast<double>(data.total);
      sum -= share * std::log(share);
    }
  return sum;
}

// The discrete columns, the lowest entropy first.
std::vector<Node> by_entropy(const Dataset &data) {
  std::vector<std::pair<double, Node>> columns;
  for (Node c = 0; c < data.size(); ++c)
    if (data.columns[c].discrete())
      columns.emplace_back(entropy(data, data.columns[c]), c);
  std::sort(columns.begin(), columns.end());
  std::vector<Node> order;
  for (const auto &[each, c] : columns)
    order.push_back(c);
  return order;
}

// Counting sort by the last column, then by the one before it, and so on.
std::vector<std::uint32_t> sorted_rows(const Dataset &data, const std::vector<Node> &columns) {
  std::vector<std::uint32_t> order(data.rows), next(data.rows);
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::uint32_t> begin;
  for (std::size_t i = columns.size(); i-- > 0;) {
    const Column &column = data.columns[columns[i]];
    begin.assign(values_of(column) + 1u, 0);
    for (const std::uint16_t code : column.codes)
      ++begin[code + 1u];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const std::uint32_t row : order)
      next[begin[column.codes[row]]++] = row;
    order.swap(next);
  }
  return order;
}

// How many of the first of these columns have the same values in two rows.
std::uint32_t shared_columns(const Dataset &data, const std::vector<Node> &columns, std::uint32_t a,
                             std::uint32_t b) {
  std::uint32_t shared = 0;
  while (shared < columns.size() &&
         data.columns[columns[shared]].codes[a] == data.columns[columns[shared]].codes[b])
    ++shared;
  return shared;
}

} // namespace

Dataset distinct_rows(const Dataset &data) {
  const std::vector<Node> columns = by_entropy(data);
  const std::vector<std::uint32_t> order = sorted_rows(data, columns);
  Dataset distinct;
  distinct.total = data.total;
  std::vector<std::uint32_t> first;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || shared_columns(data, columns, order[i - 1], order[i]) < columns.size()) {
      first.push_back(order[i]);
      distinct.weights.push_back(0);
    }
    distinct.weights.back() += data.weight(order[i]);
  }
  distinct.rows = first.size();
  distinct.columns.resize(data.columns.size());
  for (std::size_t c = 0; c < data.columns.size(); ++c) {
    const Column &from = data.columns[c];
    Column &to = distinct.columns[c];
    to.levels = from.levels;
    to.holes = from.holes;
    if (!from.discrete())
      continue;
    to.codes.reserve(first.size());
    for (const std::uint32_t row : first)
      to.codes.push_back(from.codes[row]);
  }
  OPTBN_INVARIANT(std::accumulate(distinct.weights.begin(), distinct.weights.end(),
                                  std::uint64_t{0}) == data.total,
                  "the weights of distinct rows add up to all rows");
  if (distinct.rows == distinct.total)
    distinct.weights.clear();
  return distinct;
}

BitColumns::BitColumns(const Dataset &data) : maps_(data.columns.size()) {
  if (data.total > kBitsPerRow * data.rows)
    return;
  words_ = (data.total + 63) / 64;
  row_of_.reserve(data.total);
  for (std::uint32_t row = 0; row < data.rows; ++row)
    row_of_.insert(row_of_.end(), data.weight(row), row);
  OPTBN_INVARIANT(row_of_.size() == data.total, "a row has as many bits as its weight");
  for (std::size_t c = 0; c < data.columns.size(); ++c) {
    const Column &column = data.columns[c];
    if (!column.discrete() || column.levels > kMaxLevels)
      continue;
    maps_[c].assign(column.levels * words_, 0);
    for (std::size_t bit = 0; bit < row_of_.size(); ++bit)
      if (!column.missing(row_of_[bit]))
        maps_[c][column.codes[row_of_[bit]] * words_ + bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
}

RowOrder::RowOrder(const Dataset &distinct) : rank_(distinct.columns.size(), 0) {
  const std::vector<Node> columns = by_entropy(distinct);
  for (unsigned rank = 0; rank < columns.size(); ++rank)
    rank_[columns[rank]] = rank;
  configurations_.assign(columns.size() + 1, 0);
  shared_.assign(std::min<std::size_t>(distinct.rows, 1), 0);
  for (std::uint32_t row = 1; row < distinct.rows; ++row) {
    shared_.push_back(shared_columns(distinct, columns, row - 1, row));
    ++configurations_[shared_.back()];
  }
  // A row begins a configuration of the first columns if it shares fewer of them, or is the first.
  std::size_t begun = shared_.size() > 0 ? 1 : 0;
  for (std::size_t &each : configurations_)
    begun += std::exchange(each, begun);
}

} // namespace optbn
