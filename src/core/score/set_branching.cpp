#include "core/score/set_branching.h"

#include "core/base/invariant.h"
#include "core/data/counting.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

// Of a column's order: what it tells about the child weighs so much more than its own entropy.
constexpr double kInformative = 6;
constexpr double kRounding = 1e-11; // of sums of logarithms over the rows, for each row

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
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::size_t width_;
  std::vector<std::uint32_t> number_;
  std::uint32_t count_ = 0;
};

} // namespace

class SetBranching::Tree {
public:
  Tree(const SetBranching &of, const Task &task, Watch &watch)
      : rows_(of.rows_), score_(of.score_), n_log_n_(of.n_log_n_), task_(task), watch_(watch),
        allowance_(task.slack + kRounding * static_cast<double>(rows_.total)),
        levels_(rows_.columns[task.child].levels), inside_(rows_.columns.size(), false),
        known_(by_score(*task.known)) {
    choose_order();
    fewest_cells();
  }

  Result run() {
    result_.complete = true;
    result_.work = static_cast<double>(rows_.rows) * least_cells_per_row(rows_.size());
    std::vector<Node> parents;
    explore(whole_table(), parents, 1, 0, best_inside(-LocalScore::kInfinity));
    return std::move(result_);
  }

private:
  // The cells of the columns I that are in and of the rest that may still come in.
  struct Table {
    std::vector<std::uint64_t> cell;  // configuration of I, and in the low half that of the rest
    std::vector<std::uint32_t> count; // of each level of the child, cell by cell
    std::uint32_t configurations = 1; // of I that occur
    double log_likelihood = 0;        // of the child given the cells

    std::size_t size() const { return cell.size(); }
    std::uint32_t configuration(std::size_t i) const {
      return static_cast<std::uint32_t>(cell[i] >> 32);
    }
    std::uint32_t rest(std::size_t i) const { return static_cast<std::uint32_t>(cell[i]); }
  };
  static std::uint64_t cell_of(std::uint32_t configuration, std::uint32_t rest) {
    return std::uint64_t{configuration} << 32 | rest;
  }

  // Of the columns from a place of the order on: by configuration, that of the columns behind the
  // first of them, and the first one's level.
  struct Rest {
    std::vector<std::uint32_t> behind;
    std::vector<std::uint16_t> level;
  };

  struct Known {
    double score;
    const Node *begin, *end;
  };

  static std::vector<Known> by_score(const CandidateSets &sets) {
    std::vector<Known> known;
    for (std::size_t i = 0; i < sets.size(); ++i)
      known.push_back({sets.score[i], sets.begin_of(i), sets.end_of(i)});
    std::stable_sort(known.begin(), known.end(),
                     [](const Known &a, const Known &b) { return a.score > b.score; });
    return known;
  }

  const Column &column(std::size_t place) const { return rows_.columns[order_[place]]; }

  // Required parents first, then the others.
  void choose_order() {
    std::vector<std::pair<double, Node>> others;
    for (const Node u : task_.optional)
      others.push_back({-weight_of(u), u});
    std::sort(others.begin(), others.end());
    order_ = task_.required;
    for (const auto &[weight, u] : others)
      order_.push_back(u);
  }

  // N H(u) + kInformative N I(u; v), but for a constant.
  double weight_of(Node u) const {
    const Column &other = rows_.columns[u], &child = rows_.columns[task_.child];
    std::vector<std::uint32_t> joint(std::size_t{other.levels} * levels_, 0),
        single(other.levels, 0);
    for (std::size_t row = 0; row < rows_.rows; ++row) {
      joint[std::size_t{other.codes[row]} * levels_ + child.codes[row]] += rows_.weight(row);
      single[other.codes[row]] += rows_.weight(row);
    }
    double weight = 0;
    for (const std::uint32_t n : joint)
      weight += kInformative * n_log_n_(n);
    for (const std::uint32_t n : single)
      weight -= (kInformative + 1) * n_log_n_(n);
    return weight;
  }

  // fewest_[i][k]: joint levels of those k columns from place i on that have the fewest.
  void fewest_cells() {
    for (std::size_t i = 0; i <= order_.size(); ++i) {
      std::vector<double> levels;
      for (std::size_t j = i; j < order_.size(); ++j)
        levels.push_back(column(j).levels);
      std::sort(levels.begin(), levels.end());
      std::vector<double> fewest{1};
      for (std::size_t k = 0; k < levels.size() && k < task_.least; ++k)
        fewest.push_back(fewest.back() * levels[k]);
      fewest_.push_back(std::move(fewest));
    }
  }

  // Numbers the configurations of all columns from each place on, the last place first, and counts
  // the child in those of all.
  Table whole_table() {
    std::vector<std::uint32_t> number(rows_.rows, 0);
    std::uint32_t configurations = 1;
    rest_.resize(order_.size());
    for (std::size_t i = order_.size(); i-- > 0;) {
      const Column &first = column(i);
      Numbering numbering(configurations, first.levels);
      Rest &rest = rest_[i];
      for (std::size_t row = 0; row < rows_.rows; ++row) {
        const std::uint32_t behind = number[row];
        number[row] = numbering(behind, first.codes[row]);
        if (number[row] == rest.behind.size()) {
          rest.behind.push_back(behind);
          rest.level.push_back(first.codes[row]);
        }
      }
      configurations = numbering.count();
    }
    Table table;
    for (std::uint32_t i = 0; i < configurations; ++i)
      table.cell.push_back(cell_of(0, i));
    table.count.assign(std::size_t{configurations} * levels_, 0);
    for (std::size_t row = 0; row < rows_.rows; ++row)
      table.count[std::size_t{number[row]} * levels_ + rows_.columns[task_.child].codes[row]] +=
          rows_.weight(row);
    measure(table);
    return table;
  }

  void measure(Table &table) const {
    double sum = 0;
    for (auto count = table.count.begin(); count != table.count.end(); count += levels_) {
      std::uint32_t all = 0;
      for (unsigned k = 0; k < levels_; ++k) {
        sum += n_log_n_(count[k]);
        all += count[k];
      }
      sum -= n_log_n_(all);
    }
    table.log_likelihood = sum;
  }

  // The column at this place joins I: the cells stay, I has more configurations.
  Table joined(const Table &table, std::size_t place) const {
    const Rest &rest = rest_[place];
    Numbering numbering(table.configurations, column(place).levels);
    Table larger = table;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::uint32_t at = table.rest(i);
      larger.cell[i] = cell_of(numbering(table.configuration(i), rest.level[at]), rest.behind[at]);
    }
    larger.configurations = numbering.count();
    return larger;
  }

  // It is left out: cells that differ in it alone become one.
  Table without(const Table &table, std::size_t place) {
    const Rest &rest = rest_[place];
    begin_slots(table.size());
    Table merged;
    merged.configurations = table.configurations;
    merged.cell.resize(table.size());
    merged.count.resize(table.count.size());
    std::uint32_t cells = 0;
    const std::uint32_t *from = table.count.data();
    for (std::size_t i = 0; i < table.size(); ++i, from += levels_) {
      const std::uint64_t cell = cell_of(table.configuration(i), rest.behind[table.rest(i)]);
      Slot &slot = slot_of(cell);
      if (slot.stamp != stamp_) {
        slot = {cell, cells, stamp_};
        merged.cell[cells] = cell;
        std::copy(from, from + levels_, merged.count.data() + std::size_t{cells++} * levels_);
      } else {
        std::uint32_t *to = merged.count.data() + std::size_t{slot.number} * levels_;
        for (unsigned k = 0; k < levels_; ++k)
          to[k] += from[k];
      }
    }
    merged.cell.resize(cells);
    merged.count.resize(std::size_t{cells} * levels_);
    measure(merged);
    result_.work += static_cast<double>(table.size());
    return merged;
  }

  // Open addressing over the cells of the table in the making; a stamp tells whose slot it is.
  struct Slot {
    std::uint64_t cell = 0;
    std::uint32_t number = 0, stamp = 0;
  };

  void begin_slots(std::size_t cells) {
    shift_ = 60;
    while (std::size_t{1} << (64 - shift_) < 2 * cells)
      --shift_;
    if (slots_.size() < std::size_t{1} << (64 - shift_))
      slots_.resize(std::size_t{1} << (64 - shift_));
    if (++stamp_ == 0) {
      std::fill(slots_.begin(), slots_.end(), Slot());
      stamp_ = 1;
    }
  }

  Slot &slot_of(std::uint64_t cell) {
    const std::size_t mask = (std::size_t{1} << (64 - shift_)) - 1;
    std::size_t at = (cell * 0x9E3779B97F4A7C15u) >> shift_; // Fibonacci hashing
    while (slots_[at].stamp == stamp_ && slots_[at].cell != cell)
      at = (at + 1) & mask;
    return slots_[at];
  }

  // Of sets inside the columns that explain so much, of at least `size` columns and so many joint
  // levels, any further ones behind this place.
  double bound(double log_likelihood, std::size_t size, double cells, std::size_t place,
               std::vector<double> with_values = {}) const {
    const std::size_t lacking = task_.least > size ? task_.least - size : 0;
    if (lacking > order_.size() - place)
      return -LocalScore::kInfinity;
    const Occupation known{cells * fewest_[place][lacking], std::move(with_values)};
    return log_likelihood - score_.least_regret(task_.child, known);
  }

  // Of the sets that a table stands for.
  double bound(const Table &table, std::size_t size, double cells, std::size_t place) {
    return bound(table.log_likelihood, size, cells, place,
                 score_.regret() == Regret::of_configurations ? values_shown(table)
                                                              : std::vector<double>());
  }

  // So many configurations of I show s levels of the child or more in a cell, and so they do in a
  // configuration of any set in question, whose cells are joined of these.
  std::vector<double> values_shown(const Table &table) {
    most_values_.assign(table.configurations, 0);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto count = table.count.begin() + static_cast<std::ptrdiff_t>(i * levels_);
      const auto shown = static_cast<unsigned>(
          std::count_if(count, count + levels_, [](std::uint32_t n) { return n > 0; }));
      unsigned &most = most_values_[table.configuration(i)];
      most = std::max(most, shown);
    }
    std::vector<double> with_values(levels_ + 1, 0);
    for (const unsigned values : most_values_)
      ++with_values[values];
    return with_values;
  }

  // The best score of a known set inside I, or what it was.
  double best_inside(double best) const {
    for (const Known &set : known_) {
      if (set.score <= best)
        break;
      if (std::all_of(set.begin, set.end, [this](Node u) { return inside_[u]; }))
        return set.score;
    }
    return best;
  }

  bool must_stop() {
    if (result_.complete && (result_.work > task_.work || watch_.stopped()))
      result_.complete = false;
    return !result_.complete;
  }

  // All sets of `parents` and columns from this place on. `best`: of known sets inside `parents`.
  void explore(Table table, std::vector<Node> &parents, double cells, std::size_t place,
               double best) {
    for (; !must_stop(); ++place) {
      if (bound(table, parents.size(), cells, place) <= best - allowance_)
        return;
      if (place == order_.size()) {
        result_.sets.push_back(parents);
        std::sort(result_.sets.back().begin(), result_.sets.back().end());
        return;
      }
      if (parents.size() < task_.most)
        join(table, parents, cells, place, best);
      if (place < task_.required.size())
        return;
      table = without(table, place);
    }
  }

  void join(const Table &table, std::vector<Node> &parents, double cells, std::size_t place,
            double best) {
    const Node u = order_[place];
    const double more_cells = cells * column(place).levels;
    inside_[u] = true;
    parents.push_back(u);
    const double best_now = best_inside(best);
    // Configurations only add to what is known without them.
    if (bound(table.log_likelihood, parents.size(), more_cells, place + 1) > best_now - allowance_)
      explore(joined(table, place), parents, more_cells, place + 1, best_now);
    parents.pop_back();
    inside_[u] = false;
  }

  const Dataset &rows_;
  const LocalScore &score_;
  const NLogN &n_log_n_;
  const Task &task_;
  Watch &watch_;
  const double allowance_; // what a bound may be below the best and yet count, rounding included
  const unsigned levels_;  // of the child
  std::vector<char> inside_;
  std::vector<Known> known_;
  std::vector<Node> order_;
  std::vector<std::vector<double>> fewest_;
  std::vector<Rest> rest_; // by place
  std::vector<Slot> slots_;
  std::uint32_t stamp_ = 0;
  unsigned shift_ = 60;
  std::vector<unsigned> most_values_;
  Result result_;
};

SetBranching::SetBranching(const Dataset &data, const LocalScore &score)
    : rows_(distinct_rows(data)), score_(score), n_log_n_(data.total) {
  OPTBN_INVARIANT(score.regret() != Regret::unknown, "what bounds a score by its likelihood");
}

// Of every place the configurations, a few tables, and numbers for pairs of configurations or of
// levels.
double SetBranching::bytes(const Dataset &data) {
  double levels = 0;
  for (const Column &column : data.columns)
    levels = std::max(levels, static_cast<double>(column.levels));
  const auto rows = static_cast<double>(data.rows);
  return rows * (8.0 * data.size() + 16 * levels) + 4 * levels * levels;
}

SetBranching::Result SetBranching::search(const Task &task, Watch &watch) const {
  return Tree(*this, task, watch).run();
}

} // namespace optbn
