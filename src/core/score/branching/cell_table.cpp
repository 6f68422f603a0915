#include "core/score/branching/cell_table.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// Numbers pairs (a, b) with b below `width` by first appearance.
class Numbering {
public:
  Numbering(std::size_t firsts, std::size_t width)
      : width_(width), number_(firsts * width, kNone) {}

  std::uint32_t operator()(std::size_t a, std::size_t b) {
    std::uint32_t &number = number_[a * width_ + b];
    if (number == kNone)
      number = count_++;
    return number;
  }
  std::uint32_t count() const { return count_; }

private:
  std::size_t width_;
  std::vector<std::uint32_t> number_;
  std::uint32_t count_ = 0;
};

// Drops the configurations in which the child has only one level.
void drop_pure(CellTable &table, unsigned levels) {
  constexpr std::uint32_t kMixed = kNone - 1;
  std::vector<std::uint32_t> value(table.configurations, kNone); // the only one so far
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint32_t &only = value[table.cell[i].configuration];
    for (std::uint32_t k = 0; k < levels; ++k)
      if (table.count[i * levels + k] > 0 && only != k)
        only = only == kNone ? k : kMixed;
  }
  std::uint32_t mixed = 0; // the number of a mixed configuration replaces its value
  for (std::uint32_t &only : value)
    only = only == kMixed ? mixed++ : kNone;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CellTable::Cell cell = table.cell[i];
    if (value[cell.configuration] == kNone)
      continue;
    table.cell[kept] = {value[cell.configuration], cell.row};
    std::copy_n(table.count.begin() + static_cast<std::ptrdiff_t>(i * levels), levels,
                table.count.begin() + static_cast<std::ptrdiff_t>(kept++ * levels));
  }
  table.cell.resize(kept);
  table.count.resize(kept * levels);
  table.configurations = mixed;
}

} // namespace

CellTables::CellTables(const Dataset &rows, const NLogN &n_log_n, Node child,
                       std::vector<Node> order)
    : rows_(rows), n_log_n_(n_log_n), child_(child), order_(std::move(order)),
      levels_(rows.columns[child].levels) {
  rank_suffixes();
}

// From the last position to the first: a configuration is that of the later columns and a level of
// this one.
void CellTables::rank_suffixes() {
  suffix_.resize(positions() + 1);
  suffix_[positions()].assign(rows_.rows, 0);
  std::size_t configurations = 1;
  for (std::size_t position = positions(); position-- > 0;) {
    const Column &here = column(position);
    const auto pair_of = [&, &later = suffix_[position + 1]](std::size_t row) {
      return std::size_t{later[row]} * here.levels + here.codes[row];
    };
    std::vector<std::uint32_t> rank(configurations * here.levels, kNone);
    for (std::size_t row = 0; row < rows_.rows; ++row)
      rank[pair_of(row)] = 0;
    configurations = 0;
    for (std::uint32_t &each : rank)
      if (each != kNone)
        each = static_cast<std::uint32_t>(configurations++);
    suffix_[position].resize(rows_.rows);
    for (std::size_t row = 0; row < rows_.rows; ++row)
      suffix_[position][row] = rank[pair_of(row)];
  }
}

std::vector<std::vector<double>> CellTables::fewest_levels(std::size_t most) const {
  std::vector<std::vector<double>> fewest(positions() + 1);
  std::vector<double> levels; // of the columns from a position on, ascending
  for (std::size_t position = positions() + 1; position-- > 0;) {
    if (position < positions()) {
      const double here = column(position).levels;
      levels.insert(std::upper_bound(levels.begin(), levels.end(), here), here);
      levels.resize(std::min(levels.size(), most));
    }
    fewest[position].push_back(1);
    for (const double each : levels)
      fewest[position].push_back(fewest[position].back() * each);
  }
  return fewest;
}

CellTable CellTables::full() {
  CellTable table;
  const Column &child = rows_.columns[child_];
  for (std::uint32_t row = 0; row < rows_.rows; ++row)
    table.cell.push_back({0, row});
  std::sort(table.cell.begin(), table.cell.end(),
            [&rank = suffix_[0]](const CellTable::Cell &a, const CellTable::Cell &b) {
              return rank[a.row] < rank[b.row];
            });
  table.count.assign(rows_.rows * levels_, 0);
  for (std::size_t i = 0; i < table.size(); ++i)
    table.count[i * levels_ + child.codes[table.cell[i].row]] = rows_.weight(table.cell[i].row);
  marginalise(table, 0);
  return table;
}

// Merges cells with the same configuration of I and of the columns from a position on.
void CellTables::merge(CellTable &table, std::size_t position) {
  const std::vector<std::uint32_t> &suffix = suffix_[position];
  end_.assign(table.configurations, 0);
  std::uint32_t cells = 0, run = 0; // how many there are, and how many precede those of this suffix
  std::uint32_t last_suffix = kNone;
  const std::uint32_t *counts = table.count.data();
  for (std::size_t i = 0; i < table.size(); ++i, counts += levels_) {
    const CellTable::Cell cell = table.cell[i];
    if (suffix[cell.row] != last_suffix) {
      last_suffix = suffix[cell.row];
      run = cells;
    }
    std::uint32_t &end = end_[cell.configuration];
    if (end <= run) {
      table.cell[cells] = cell;
      std::copy_n(counts, levels_, table.count.data() + std::size_t{cells} * levels_);
      end = ++cells;
    } else {
      std::uint32_t *sum = table.count.data() + std::size_t{end - 1} * levels_;
      for (unsigned k = 0; k < levels_; ++k)
        sum[k] += counts[k];
    }
  }
  table.cell.resize(cells);
  table.count.resize(std::size_t{cells} * levels_);
}

void CellTables::set_log_likelihood(CellTable &table) const {
  table.log_likelihood = 0;
  for (std::size_t i = 0; i < table.size(); ++i)
    table.log_likelihood += log_likelihood(table.count.data() + i * levels_);
}

void CellTables::marginalise(CellTable &table, std::size_t position) {
  merge(table, position);
  set_log_likelihood(table);
}

CellTable CellTables::configurations(const CellTable &table) const {
  CellTable sums;
  sums.configurations = table.configurations;
  sums.cell.resize(table.configurations);
  sums.count.assign(std::size_t{table.configurations} * levels_, 0);
  const std::uint32_t *counts = table.count.data();
  for (const CellTable::Cell cell : table.cell) {
    sums.cell[cell.configuration] = cell;
    std::uint32_t *sum = sums.count.data() + std::size_t{cell.configuration} * levels_;
    for (unsigned k = 0; k < levels_; ++k)
      sum[k] += *counts++;
  }
  set_log_likelihood(sums);
  return sums;
}

CellTable CellTables::extended(const CellTable &table, std::size_t from, std::size_t to,
                               bool pure) {
  Numbering numbering(table.configurations, column(to).levels);
  CellTable larger = table;
  for (CellTable::Cell &cell : larger.cell)
    cell.configuration = numbering(cell.configuration, column(to).codes[cell.row]);
  larger.configurations = numbering.count();
  if (!pure)
    drop_pure(larger, levels_);
  if (from < to)
    marginalise(larger, to + 1);
  return larger;
}

} // namespace optbn
