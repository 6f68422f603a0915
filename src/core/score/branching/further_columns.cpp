#include "core/score/branching/further_columns.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

// So many further columns are bounded; more are always thought possible.
constexpr unsigned kMost = 7;
// A logarithm looked up takes so much of what a cell takes.
constexpr double kCellsPerLookup = 0.2;

} // namespace

FurtherColumns::FurtherColumns(const Dataset &rows, const CellTables &tables,
                               const LocalScore &score, Node child, unsigned least, unsigned most)
    : rows_(rows), tables_(tables), score_(score), child_(child), least_(least), most_(most),
      levels_(tables.child_levels()), fewest_(tables.fewest_levels(kMost)) {
  list_uncommon();
}

void FurtherColumns::list_uncommon() {
  std::size_t width = 0;
  for (std::size_t place = 0; place < tables_.places(); ++place) {
    const Column &column = tables_.column(place);
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
    for (std::size_t place = 0; place < tables_.places(); ++place) {
      const unsigned value = tables_.column(place).codes[row], common = commonest_[place];
      if (value != common)
        uncommon_.push_back(
            static_cast<std::uint32_t>(first_[place] + value - (value > common ? 1 : 0)));
    }
  }
  begin_.push_back(uncommon_.size());
}

double FurtherColumns::regret(double cells) const {
  Occupation known;
  known.cells = cells;
  return score_.least_regret(child_, known);
}

const std::vector<FurtherColumns::Outlook> &
FurtherColumns::examine(const CellTable &table, const State &state,
                        const std::vector<double> &beat) {
  count(table, state);
  moved_.assign(configurations_ * levels_ * kMost, 0);
  outlook_.assign(tables_.places() - state.place, {});
  for (std::size_t place = tables_.places(); place-- > state.place;) {
    take_values(place);
    const unsigned values = tables_.column(place).levels;
    double log_likelihood = 0;
    for (std::size_t i = 0; i < configurations_ * values; ++i)
      log_likelihood += tables_.log_likelihood(value_.data() + i * levels_);
    work_ += static_cast<double>(value_.size()) * kCellsPerLookup;
    Outlook &outlook = outlook_[place - state.place];
    outlook.alone =
        state.size + 1 >= least_ && log_likelihood - regret(state.cells * values) > beat[place];
    outlook.with_more = with_more(state, place, beat[place]);
    take_moved(place);
  }
  return outlook_;
}

void FurtherColumns::count(const CellTable &table, const State &state) {
  from_ = first_[state.place];
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

// What is counted of the column at this place; its commonest value has the remainder.
void FurtherColumns::take_values(std::size_t place) {
  const unsigned values = tables_.column(place).levels, common = commonest_[place];
  value_.resize(configurations_ * values * levels_);
  for (std::size_t c = 0; c < configurations_; ++c) {
    const std::uint32_t *counts = count_.data() + (c * width_ + first_[place] - from_) * levels_;
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

bool FurtherColumns::with_more(const State &state, std::size_t place, double beat) {
  const unsigned values = tables_.column(place).levels;
  const double cells = state.cells * values;
  const std::vector<double> &fewest = fewest_[place + 1];
  sum_.assign(configurations_ * levels_, 0);
  for (unsigned more = 1; more < fewest.size() && state.size + 1 + more <= most_; ++more) {
    const double penalty = regret(cells * fewest[more]);
    if (-penalty <= beat)
      return false;
    if (more == kMost)
      return true;
    for (std::size_t i = 0; i < sum_.size(); ++i)
      sum_[i] += moved_[i * kMost + more - 1];
    if (state.size + 1 + more >= least_ && log_likelihood_left(values) - penalty > beat)
      return true;
  }
  return false;
}

// Of what is left at least in one configuration of all columns for each of I and the column whose
// values are taken, when what others may move out of it is in sum_.
double FurtherColumns::log_likelihood_left(unsigned values) {
  double sum = 0;
  left_.resize(levels_);
  for (std::size_t c = 0; c < configurations_; ++c)
    for (unsigned value = 0; value < values; ++value) {
      const std::uint32_t *count = value_.data() + (c * values + value) * levels_;
      const std::uint32_t *moved = sum_.data() + c * levels_;
      for (unsigned k = 0; k < levels_; ++k)
        left_[k] = count[k] - std::min(count[k], moved[k]);
      sum += tables_.log_likelihood(left_.data());
    }
  work_ += static_cast<double>(value_.size()) * kCellsPerLookup;
  return sum;
}

// The column whose values are taken is one of those behind from now on. In each configuration it
// leaves those rows where they are that show the value with the largest loss.
void FurtherColumns::take_moved(std::size_t place) {
  const unsigned values = tables_.column(place).levels;
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
      std::uint32_t *largest = moved_.data() + (c * levels_ + k) * kMost;
      for (unsigned rank = 0; rank < kMost && moved > 0; ++rank)
        if (moved > largest[rank])
          std::swap(moved, largest[rank]);
    }
  }
}

} // namespace optbn
