#include "core/score/branching/further_columns.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

// So many further columns are bounded; more of them always count as promising.
constexpr unsigned kMostColumns = 7;
// The cost of looking up a logarithm, in cells.
constexpr double kCellsPerLookup = 0.2;

} // namespace

FurtherColumns::FurtherColumns(const Dataset &rows, const CellTables &tables,
                               const LocalScore &score, Node child, unsigned least, unsigned most)
    : rows_(rows), tables_(tables), score_(score), child_(child), least_(least), most_(most),
      levels_(tables.child_levels()), fewest_(tables.fewest_levels(kMostColumns)) {
  list_uncommon();
}

void FurtherColumns::list_uncommon() {
  std::size_t width = 0;
  for (std::size_t position = 0; position < tables_.positions(); ++position) {
    const Column &column = tables_.column(position);
    std::vector<std::uint64_t> count(column.levels, 0);
    for (std::size_t row = 0; row < rows_.rows; ++row)
      count[column.codes[row]] += rows_.weight(row);
    commonest_.push_back(
        static_cast<unsigned>(std::max_element(count.begin(), count.end()) - count.begin()));
    first_.push_back(width);
    width += column.levels - 1;
  }
  first_.push_back(width);
  for (std::size_t row = 0; row < rows_.rows; ++row) {
    begin_.push_back(uncommon_.size());
    for (std::size_t position = 0; position < tables_.positions(); ++position) {
      const unsigned value = tables_.column(position).codes[row], common = commonest_[position];
      if (value != common)
        uncommon_.push_back(
            static_cast<std::uint32_t>(first_[position] + value - (value > common ? 1 : 0)));
    }
  }
  begin_.push_back(uncommon_.size());
}

double FurtherColumns::regret(double cells) const {
  Occupation known;
  known.cells = cells;
  return score_.least_regret(child_, known);
}

const std::vector<FurtherColumns::Promising> &
FurtherColumns::examine(const CellTable &table, const State &state,
                        const std::vector<double> &threshold) {
  count(table, state);
  moved_.assign(configurations_ * levels_ * kMostColumns, 0);
  promising_.assign(tables_.positions() - state.position, {});
  for (std::size_t position = tables_.positions(); position-- > state.position;) {
    load_values(position);
    const unsigned values = tables_.column(position).levels;
    double log_likelihood = 0;
    for (std::size_t i = 0; i < configurations_ * values; ++i)
      log_likelihood += tables_.log_likelihood(value_.data() + i * levels_);
    work_ += static_cast<double>(value_.size()) * kCellsPerLookup;
    Promising &promising = promising_[position - state.position];
    promising.alone = state.size + 1 >= least_ &&
                      log_likelihood - regret(state.cells * values) > threshold[position];
    promising.with_more = with_more(state, position, threshold[position]);
    add_moved(position);
  }
  return promising_;
}

void FurtherColumns::count(const CellTable &table, const State &state) {
  from_ = first_[state.position];
  width_ = first_.back() - from_;
  configurations_ = table.configurations;
  total_.assign(configurations_ * levels_, 0);
  count_.assign(configurations_ * width_ * levels_, 0);
  work_ = static_cast<double>(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::uint32_t *of_cell = table.count.data() + i * levels_;
    const auto [configuration, row] = table.cell[i];
    const auto add = [&](std::uint32_t *to) {
      for (unsigned k = 0; k < levels_; ++k)
        to[k] += of_cell[k];
    };
    add(total_.data() + std::size_t{configuration} * levels_);
    std::uint32_t *counts = count_.data() + configuration * width_ * levels_;
    std::size_t j = begin_[row + 1];
    for (; j > begin_[row] && uncommon_[j - 1] >= from_; --j)
      add(counts + (uncommon_[j - 1] - from_) * levels_);
    work_ += kCellsPerLookup * static_cast<double>(begin_[row + 1] - j);
  }
}

// The counts of the column at this position; its commonest value has the remainder.
void FurtherColumns::load_values(std::size_t position) {
  const unsigned values = tables_.column(position).levels, common = commonest_[position];
  value_.resize(configurations_ * values * levels_);
  for (std::size_t c = 0; c < configurations_; ++c) {
    const std::uint32_t *counts = count_.data() + (c * width_ + first_[position] - from_) * levels_;
    std::uint32_t *of_c = value_.data() + c * values * levels_;
    std::uint32_t *rest = of_c + common * levels_;
    std::copy_n(total_.data() + c * levels_, levels_, rest);
    for (unsigned value = 0; value < values; ++value) {
      if (value == common)
        continue;
      std::copy_n(counts, levels_, of_c + value * levels_);
      for (unsigned k = 0; k < levels_; ++k)
        rest[k] -= counts[k];
      counts += levels_;
    }
  }
}

bool FurtherColumns::with_more(const State &state, std::size_t position, double threshold) {
  const unsigned values = tables_.column(position).levels;
  const double cells = state.cells * values;
  const std::vector<double> &fewest = fewest_[position + 1];
  sum_.assign(configurations_ * levels_, 0);
  for (unsigned more = 1; more < fewest.size() && state.size + 1 + more <= most_; ++more) {
    const double penalty = regret(cells * fewest[more]);
    if (-penalty <= threshold)
      return false;
    if (more == kMostColumns)
      return true;
    for (std::size_t i = 0; i < sum_.size(); ++i)
      sum_[i] += moved_[i * kMostColumns + more - 1];
    if (state.size + 1 + more >= least_ && remaining_log_likelihood(values) - penalty > threshold)
      return true;
  }
  return false;
}

// An upper bound on the log-likelihood: for each configuration of I and the loaded column, that of
// the counts that remain when the other columns move out as many rows as sum_ says.
double FurtherColumns::remaining_log_likelihood(unsigned values) {
  double sum = 0;
  remaining_.resize(levels_);
  for (std::size_t c = 0; c < configurations_; ++c)
    for (unsigned value = 0; value < values; ++value) {
      const std::uint32_t *count = value_.data() + (c * values + value) * levels_;
      const std::uint32_t *moved = sum_.data() + c * levels_;
      for (unsigned k = 0; k < levels_; ++k)
        remaining_[k] = count[k] - std::min(count[k], moved[k]);
      sum += tables_.log_likelihood(remaining_.data());
    }
  work_ += static_cast<double>(value_.size()) * kCellsPerLookup;
  return sum;
}

// From now on the loaded column is one of the later columns. In each configuration it moves out all
// rows but those with the value of the largest loss.
void FurtherColumns::add_moved(std::size_t position) {
  const unsigned values = tables_.column(position).levels;
  for (std::size_t c = 0; c < configurations_; ++c) {
    const std::uint32_t *of_c = value_.data() + c * values * levels_;
    unsigned stays = 0;
    double loss = 0;
    for (unsigned value = 0; value < values; ++value) {
      const double here = -tables_.log_likelihood(of_c + value * levels_);
      if (here > loss) {
        loss = here;
        stays = value;
      }
    }
    for (unsigned k = 0; k < levels_; ++k) {
      std::uint32_t moved = total_[c * levels_ + k] - of_c[stays * levels_ + k];
      std::uint32_t *largest = moved_.data() + (c * levels_ + k) * kMostColumns;
      for (unsigned rank = 0; rank < kMostColumns && moved > 0; ++rank)
        if (moved > largest[rank])
          std::swap(moved, largest[rank]);
    }
  }
}

} // namespace optbn
