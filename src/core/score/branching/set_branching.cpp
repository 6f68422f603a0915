#include "core/score/branching/set_branching.h"

#include "core/base/invariant.h"
#include "core/data/counting.h"
#include "core/score/branching/cell_table.h"
#include "core/score/branching/further_columns.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace optbn {

namespace {

// In the order of columns, information about the child has so many times the weight of entropy.
constexpr double kInformative = 6;
constexpr double kRounding = 1e-11; // of sums of logarithms over the rows, for each row
constexpr double kMostCounts = 2e6; // of a table whose further columns are examined

} // namespace

class SetBranching::Search {
public:
  Search(const SetBranching &of, const Task &task, Watch &watch)
      : rows_(of.rows_), score_(of.score_), n_log_n_(of.n_log_n_), task_(task), watch_(watch),
        tolerance_(task.slack + kRounding * static_cast<double>(rows_.total)),
        levels_(rows_.columns[task.child].levels), chosen_(rows_.columns.size(), false),
        known_(by_score(*task.known)), tables_(rows_, n_log_n_, task.child, order()),
        fewest_(tables_.fewest_levels(task.least)) {
    if (score_.regret() == Regret::of_cells && tables_.positions() >= task_.wide)
      further_ = std::make_unique<FurtherColumns>(rows_, tables_, score_, task.child, task.least,
                                                  task.most);
  }

  Result run() {
    result_.complete = true;
    result_.work = static_cast<double>(rows_.rows) * least_cells_per_row(rows_.size());
    std::vector<Node> parents;
    explore(tables_.full(), parents, 1, 0, best_subset_score(-LocalScore::kInfinity));
    return std::move(result_);
  }

private:
  using Promising = FurtherColumns::Promising;

  struct ScoredSet {
    double score;
    const Node *begin, *end;
  };

  static std::vector<ScoredSet> by_score(const CandidateSets &sets) {
    std::vector<ScoredSet> known;
    for (std::size_t i = 0; i < sets.size(); ++i)
      known.push_back({sets.score[i], sets.begin_of(i), sets.end_of(i)});
    std::stable_sort(known.begin(), known.end(),
                     [](const ScoredSet &a, const ScoredSet &b) { return a.score > b.score; });
    return known;
  }

  // Required parents first, then the others.
  std::vector<Node> order() const {
    std::vector<std::pair<double, Node>> others;
    for (const Node u : task_.optional)
      others.push_back({-priority(u), u});
    std::sort(others.begin(), others.end());
    std::vector<Node> order = task_.required;
    for (const auto &[weight, u] : others)
      order.push_back(u);
    return order;
  }

  // N H(u) + kInformative N I(u; v), but for a constant.
  double priority(Node u) const {
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

  // Bounds sets within columns of this log-likelihood, with at least `size` columns and so many
  // joint levels, and further columns only from this position on.
  double bound(double log_likelihood, std::size_t size, double cells, std::size_t position,
               std::vector<double> with_values = {}) const {
    const std::size_t missing = task_.least > size ? task_.least - size : 0;
    if (missing > tables_.positions() - position)
      return -LocalScore::kInfinity;
    const Occupation known{cells * fewest_[position][missing], std::move(with_values)};
    return log_likelihood - score_.least_regret(task_.child, known);
  }

  // Bounds all sets that can be reached from a table.
  double bound(const CellTable &table, std::size_t size, double cells, std::size_t position) {
    return bound(table.log_likelihood, size, cells, position,
                 score_.regret() == Regret::of_configurations ? values_shown(table)
                                                              : std::vector<double>());
  }

  // The number of configurations of I with a cell that has s levels of the child. Each such cell is
  // part of one configuration of any larger set, which then has at least as many levels.
  std::vector<double> values_shown(const CellTable &table) {
    most_values_.assign(table.configurations, 0);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto count = table.count.begin() + static_cast<std::ptrdiff_t>(i * levels_);
      const auto shown = static_cast<unsigned>(
          std::count_if(count, count + levels_, [](std::uint32_t n) { return n > 0; }));
      unsigned &most = most_values_[table.cell[i].configuration];
      most = std::max(most, shown);
    }
    std::vector<double> with_values(levels_ + 1, 0);
    for (const unsigned values : most_values_)
      ++with_values[values];
    return with_values;
  }

  // The best score of a known subset of I, or `best`.
  double best_subset_score(double best) const {
    for (const ScoredSet &set : known_) {
      if (set.score <= best)
        break;
      if (std::all_of(set.begin, set.end, [this](Node u) { return chosen_[u]; }))
        return set.score;
    }
    return best;
  }

  bool must_stop() {
    if (result_.complete && (result_.work > task_.work || watch_.stopped()))
      result_.complete = false;
    return !result_.complete;
  }

  // Searches all sets of `parents` and columns from this position on. `best`: the best score of a
  // known subset of `parents`.
  void explore(CellTable table, std::vector<Node> &parents, double cells, std::size_t position,
               double best) {
    const std::vector<Promising> promising = find_promising(table, parents, cells, position, best);
    const std::size_t first = position, end = tables_.positions();
    std::size_t from = position; // the table has the columns from here on
    for (; !must_stop(); ++position) {
      const Promising here = promising.empty() || position == end ? Promising{true, true}
                                                                  : promising[position - first];
      if (!here.alone && !here.with_more)
        continue;
      if (promising.empty() || end - position <= task_.few) {
        if (from < position) {
          result_.work += static_cast<double>(table.size());
          tables_.marginalise(table, position);
          from = position;
        }
        if (bound(table, parents.size(), cells, position) <= best - tolerance_)
          return;
      }
      if (position == end) {
        report(parents);
        return;
      }
      if (parents.size() < task_.most) {
        parents.push_back(tables_.node(position));
        if (here.with_more)
          join(table, from, parents, cells, position, best);
        else
          report(parents);
        parents.pop_back();
      }
      if (position < task_.required.size())
        return;
    }
  }

  // Adds the last of `parents`, the column at this position, to I; columns from `from` to there are
  // left out.
  void join(const CellTable &table, std::size_t from, std::vector<Node> &parents, double cells,
            std::size_t position, double best) {
    const Node u = parents.back();
    const double more_cells = cells * tables_.column(position).levels;
    chosen_[u] = true;
    const double best_now = best_subset_score(best);
    // This bound leaves out the configurations, which can only lower it.
    if (bound(table.log_likelihood, parents.size(), more_cells, position + 1) >
        best_now - tolerance_) {
      result_.work += from < position ? static_cast<double>(table.size()) : 0;
      explore(tables_.extended(table, from, position, !further_), parents, more_cells, position + 1,
              best_now);
    }
    chosen_[u] = false;
  }

  // Which of the columns from this position on are promising; empty where they are few.
  std::vector<Promising> find_promising(const CellTable &table, const std::vector<Node> &parents,
                                        double cells, std::size_t position, double best) {
    if (!further_ || tables_.positions() - position <= task_.few ||
        position < task_.required.size() || parents.size() >= task_.most ||
        further_->counts(table, position) > kMostCounts)
      return {};
    FurtherColumns::State state;
    state.position = position;
    state.size = static_cast<unsigned>(parents.size());
    state.cells = cells;
    std::vector<Promising> promising =
        further_->examine(table, state, thresholds_with_one_more(best));
    result_.work += further_->work();
    return promising;
  }

  // By position: the score that a set of I and that column must exceed; `best`: that of I.
  std::vector<double> thresholds_with_one_more(double best) const {
    std::vector<double> threshold_by_node(rows_.columns.size(), best);
    for (const ScoredSet &set : known_) {
      if (set.score <= best)
        break;
      const Node *outside =
          std::find_if(set.begin, set.end, [this](Node u) { return !chosen_[u]; });
      if (std::all_of(outside + 1, set.end, [this](Node u) { return chosen_[u]; }))
        threshold_by_node[*outside] = std::max(threshold_by_node[*outside], set.score);
    }
    std::vector<double> threshold(tables_.positions());
    for (std::size_t position = 0; position < threshold.size(); ++position)
      threshold[position] = threshold_by_node[tables_.node(position)] - tolerance_;
    return threshold;
  }

  void report(std::vector<Node> set) {
    std::sort(set.begin(), set.end());
    result_.sets.push_back(std::move(set));
  }

  const Dataset &rows_;
  const LocalScore &score_;
  const NLogN &n_log_n_;
  const Task &task_;
  Watch &watch_;
  const double tolerance_; // how far a bound may be below the best, rounding included
  const unsigned levels_;  // of the child
  std::vector<char> chosen_;
  std::vector<ScoredSet> known_;
  CellTables tables_;
  const std::vector<std::vector<double>> fewest_; // as of CellTables::fewest_levels()
  std::unique_ptr<FurtherColumns> further_;       // where the columns are many
  std::vector<unsigned> most_values_;
  Result result_;
};

SetBranching::SetBranching(const Dataset &data, const LocalScore &score)
    : rows_(distinct_rows(data)), score_(score), n_log_n_(data.total) {
  OPTBN_INVARIANT(score.regret() != Regret::unknown, "the score is bounded by its likelihood");
}

// For every position a number and a value of each row; a few tables; counts of further columns; and
// numbers of pairs of levels.
double SetBranching::bytes(const Dataset &data) {
  double most = 0, all = 0; // levels
  for (const Column &column : data.columns) {
    most = std::max(most, static_cast<double>(column.levels));
    all += column.levels;
  }
  const auto rows = static_cast<double>(data.rows);
  return rows * (8.0 * data.size() + 16 * most) + 4 * most * most +
         8 * std::min(kMostCounts, rows * all * most);
}

SetBranching::Result SetBranching::search(const Task &task, Watch &watch) const {
  return Search(*this, task, watch).run();
}

} // namespace optbn
