#include "core/score/branching/set_branching.h"

#include "core/base/invariant.h"
#include "core/data/distinct_rows.h"
#include "core/score/branching/cell_table.h"
#include "core/score/branching/further_columns.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace optbn {

namespace {

// In the order of columns, information about the child has so many times the weight of entropy.
constexpr double kInformative = 6;
constexpr double kRounding = 1e-11; // of sums of logarithms over the rows, for each row
constexpr double kMostCounts = 2e6; // of a table whose further columns are examined
// The share of a search that is explored rises faster than the work, about as this root of it: the
// informative columns come first, and sets with them are pruned sooner.
constexpr double kExplored = 2;

} // namespace

class SetBranching::Search {
public:
  Search(const SetBranching &of, const Task &task, Result &result, Watch &watch)
      : rows_(of.rows_), score_(of.score_), n_log_n_(of.n_log_n_), task_(task), watch_(watch),
        tolerance_(task.slack + kRounding * static_cast<double>(rows_.total)),
        levels_(rows_.columns[task.child].levels), chosen_(rows_.columns.size(), false),
        known_(by_score(*task.known)), tables_(rows_, n_log_n_, task.child, order()),
        fewest_(tables_.fewest_levels(task.least)), result_(result) {
    if (score_.regret() == Regret::of_cells && tables_.positions() >= task_.wide)
      further_ = std::make_unique<FurtherColumns>(rows_, tables_, score_, task.child, task.least,
                                                  task.most);
  }

  void run() {
    result_.complete = true;
    result_.work += static_cast<double>(rows_.rows) * least_cells_per_row(rows_.size());
    resumed_.swap(result_.open);
    std::vector<Node> parents;
    explore(tables_.full(), parents, {1, 0, best_subset_score(-LocalScore::kInfinity), 1});
    std::reverse(result_.open.begin(), result_.open.end());
  }

private:
  using Promising = FurtherColumns::Promising;

  // Where the search is: at I, and the columns from a position on.
  struct Step {
    double cells = 1; // joint levels of I
    std::size_t position = 0;
    double best = 0;  // the best score of a known subset of I
    double share = 1; // of the search
  };

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

  // Bounds sets within columns of this log-likelihood, with so many joint levels and `missing` more
  // columns, or yet more, from this position on.
  double bound(double log_likelihood, std::size_t missing, double cells, std::size_t position,
               std::vector<double> with_values = {}) const {
    if (missing > tables_.positions() - position)
      return -LocalScore::kInfinity;
    const Occupation known{cells * fewest_[position][missing], std::move(with_values)};
    return log_likelihood - score_.least_regret(task_.child, known);
  }

  // Bounds all sets that can be reached from a table.
  double bound(const CellTable &table, std::size_t missing, double cells, std::size_t position) {
    return bound(table.log_likelihood, missing, cells, position,
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

  // The limit of work begins with the first new step.
  bool must_stop() {
    most_work_ = std::min(most_work_, result_.work + task_.work);
    if (result_.complete && (result_.work > most_work_ || watch_.stopped()))
      result_.complete = false;
    return !result_.complete;
  }

  // Searches all sets of `parents`, which are I, and columns from this step on.
  void explore(CellTable table, std::vector<Node> &parents, Step step) {
    if (parents.size() >= resumed_.size()) // or else that has been done
      report_alone(table, parents, step);
    if (parents.size() < task_.most)
      search_larger(std::move(table), parents, step);
    if (result_.complete)
      result_.explored += step.share;
    else
      result_.open.push_back(step.position);
  }

  // Reports I itself, if it can be needed.
  void report_alone(const CellTable &table, const std::vector<Node> &parents, const Step &step) {
    if (missing(parents.size()) > 0 || step.position < task_.required.size())
      return;
    result_.work += static_cast<double>(table.size());
    if (bound(tables_.configurations(table), 0, step.cells, tables_.positions()) >
        step.best - tolerance_)
      report(parents);
  }

  // Searches the sets of I and one or more of the columns. Where it stops, `step` is at the column
  // to go on with.
  void search_larger(CellTable table, std::vector<Node> &parents, Step &step) {
    const std::vector<Promising> promising = find_promising(table, parents, step);
    const std::size_t first = step.position, end = tables_.positions(), size = parents.size();
    const std::size_t start = size < resumed_.size() ? resumed_[size] : first;
    std::size_t from = first; // the table has the columns from here on
    for (; step.position < end; ++step.position) {
      const Promising here =
          promising.empty() ? Promising{true, true} : promising[step.position - first];
      if (!here.alone && !here.with_more)
        continue;
      if (step.position < start) {
        step.share /= 2;
        continue;
      }
      if (step.position > start) // what was reached before lies behind
        resumed_.resize(std::min(resumed_.size(), size + 1));
      if (size + 1 >= resumed_.size() && must_stop())
        return;
      if (promising.empty() || end - step.position <= task_.few) {
        if (from < step.position) {
          result_.work += static_cast<double>(table.size());
          tables_.marginalise(table, step.position);
          from = step.position;
        }
        const std::size_t more = std::max<std::size_t>(missing(size), 1);
        if (bound(table, more, step.cells, step.position) <= step.best - tolerance_)
          return;
      }
      parents.push_back(tables_.node(step.position));
      step.share /= 2;
      if (here.with_more) {
        join(table, from, parents, step);
      } else {
        report(parents);
        result_.explored += step.share;
      }
      parents.pop_back();
      if (!result_.complete || step.position < task_.required.size())
        return;
    }
  }

  // How many columns must be added to so many until a set is one of those that are searched for.
  std::size_t missing(std::size_t size) const {
    return task_.least > size ? task_.least - size : 0;
  }

  // Adds the last of `parents`, the column at this position, to I; columns from `from` to there are
  // left out.
  void join(const CellTable &table, std::size_t from, std::vector<Node> &parents,
            const Step &step) {
    const Node u = parents.back();
    chosen_[u] = true;
    const Step next{step.cells * tables_.column(step.position).levels, step.position + 1,
                    best_subset_score(step.best), step.share};
    // This bound leaves out the configurations, which can only lower it.
    if (bound(table.log_likelihood, missing(parents.size()), next.cells, next.position) >
        next.best - tolerance_) {
      result_.work += from < step.position ? static_cast<double>(table.size()) : 0;
      explore(tables_.extended(table, from, step.position, !further_), parents, next);
    } else {
      result_.explored += next.share;
    }
    chosen_[u] = false;
  }

  // Which of the columns from this position on are promising; empty where they are few.
  std::vector<Promising> find_promising(const CellTable &table, const std::vector<Node> &parents,
                                        const Step &step) {
    if (!further_ || tables_.positions() - step.position <= task_.few ||
        step.position < task_.required.size() ||
        further_->counts(table, step.position) > kMostCounts)
      return {};
    FurtherColumns::State state;
    state.position = step.position;
    state.size = static_cast<unsigned>(parents.size());
    state.cells = step.cells;
    std::vector<Promising> promising =
        further_->examine(table, state, thresholds_with_one_more(step.best));
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
  Result &result_;
  double most_work_ = LocalScore::kInfinity;
  std::vector<std::size_t> resumed_; // by parents: where to go on
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

double SetBranching::Result::expected_work() const { return work / std::pow(explored, kExplored); }

void SetBranching::search(const Task &task, Result &result, Watch &watch) const {
  Search(*this, task, result, watch).run();
}

} // namespace optbn
