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

// Of a column's order: what it tells about the child weighs so much more than its own entropy.
constexpr double kInformative = 6;
constexpr double kRounding = 1e-11; // of sums of logarithms over the rows, for each row
constexpr double kMostCounts = 2e6; // of a table whose further columns are examined

} // namespace

class SetBranching::Tree {
public:
  Tree(const SetBranching &of, const Task &task, Watch &watch)
      : rows_(of.rows_), score_(of.score_), n_log_n_(of.n_log_n_), task_(task), watch_(watch),
        allowance_(task.slack + kRounding * static_cast<double>(rows_.total)),
        levels_(rows_.columns[task.child].levels), inside_(rows_.columns.size(), false),
        known_(by_score(*task.known)), tables_(rows_, n_log_n_, task.child, order()),
        fewest_(tables_.fewest_levels(task.least)) {
    if (score_.regret() == Regret::of_cells && tables_.places() >= task_.wide)
      further_ = std::make_unique<FurtherColumns>(rows_, tables_, score_, task.child, task.least,
                                                  task.most);
  }

  Result run() {
    result_.complete = true;
    result_.work = static_cast<double>(rows_.rows) * least_cells_per_row(rows_.size());
    std::vector<Node> parents;
    explore(tables_.whole(), parents, 1, 0, best_inside(-LocalScore::kInfinity));
    return std::move(result_);
  }

private:
  using Outlook = FurtherColumns::Outlook;

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

  // Required parents first, then the others.
  std::vector<Node> order() const {
    std::vector<std::pair<double, Node>> others;
    for (const Node u : task_.optional)
      others.push_back({-weight_of(u), u});
    std::sort(others.begin(), others.end());
    std::vector<Node> order = task_.required;
    for (const auto &[weight, u] : others)
      order.push_back(u);
    return order;
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

  // Of sets inside the columns that explain so much, of at least `size` columns and so many joint
  // levels, any further ones behind this place.
  double bound(double log_likelihood, std::size_t size, double cells, std::size_t place,
               std::vector<double> with_values = {}) const {
    const std::size_t lacking = task_.least > size ? task_.least - size : 0;
    if (lacking > tables_.places() - place)
      return -LocalScore::kInfinity;
    const Occupation known{cells * fewest_[place][lacking], std::move(with_values)};
    return log_likelihood - score_.least_regret(task_.child, known);
  }

  // Of the sets that a table stands for.
  double bound(const CellTable &table, std::size_t size, double cells, std::size_t place) {
    return bound(table.log_likelihood, size, cells, place,
                 score_.regret() == Regret::of_configurations ? values_shown(table)
                                                              : std::vector<double>());
  }

  // So many configurations of I show s levels of the child or more in a cell, and so they do in a
  // configuration of any set in question, whose cells are joined of these.
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
  void explore(CellTable table, std::vector<Node> &parents, double cells, std::size_t place,
               double best) {
    const std::vector<Outlook> outlook = outlook_of(table, parents, cells, place, best);
    const std::size_t first = place, end = tables_.places();
    std::size_t from = place; // the table has the columns from there on
    for (; !must_stop(); ++place) {
      const Outlook here =
          outlook.empty() || place == end ? Outlook{true, true} : outlook[place - first];
      if (!here.alone && !here.with_more)
        continue;
      if (outlook.empty() || end - place <= task_.few) {
        if (from < place) {
          result_.work += static_cast<double>(table.size());
          tables_.leave_out(table, place);
          from = place;
        }
        if (bound(table, parents.size(), cells, place) <= best - allowance_)
          return;
      }
      if (place == end) {
        report(parents);
        return;
      }
      if (parents.size() < task_.most) {
        parents.push_back(tables_.node(place));
        if (here.with_more)
          join(table, from, parents, cells, place, best);
        else
          report(parents);
        parents.pop_back();
      }
      if (place < task_.required.size())
        return;
    }
  }

  // The last of `parents`, the column at this place, joins the others; those of the places from
  // `from` on are left out.
  void join(const CellTable &table, std::size_t from, std::vector<Node> &parents, double cells,
            std::size_t place, double best) {
    const Node u = parents.back();
    const double more_cells = cells * tables_.column(place).levels;
    inside_[u] = true;
    const double best_now = best_inside(best);
    // Configurations only add to what is known without them.
    if (bound(table.log_likelihood, parents.size(), more_cells, place + 1) >
        best_now - allowance_) {
      result_.work += from < place ? static_cast<double>(table.size()) : 0;
      explore(tables_.joined(table, from, place, !further_), parents, more_cells, place + 1,
              best_now);
    }
    inside_[u] = false;
  }

  // What becomes of I and each of the columns from this place on; nothing where these are few.
  std::vector<Outlook> outlook_of(const CellTable &table, const std::vector<Node> &parents,
                                  double cells, std::size_t place, double best) {
    if (!further_ || tables_.places() - place <= task_.few || place < task_.required.size() ||
        parents.size() >= task_.most || further_->counts(table, place) > kMostCounts)
      return {};
    FurtherColumns::State state;
    state.place = place;
    state.size = static_cast<unsigned>(parents.size());
    state.cells = cells;
    std::vector<Outlook> outlook = further_->examine(table, state, beat_with_one_more(best));
    result_.work += further_->work();
    return outlook;
  }

  // By place: what a set of I and that column has to score more than, `best` being that of I.
  std::vector<double> beat_with_one_more(double best) const {
    std::vector<double> beat_by_node(rows_.columns.size(), best);
    for (const Known &set : known_) {
      if (set.score <= best)
        break;
      const Node *outside =
          std::find_if(set.begin, set.end, [this](Node u) { return !inside_[u]; });
      if (std::all_of(outside + 1, set.end, [this](Node u) { return inside_[u]; }))
        beat_by_node[*outside] = std::max(beat_by_node[*outside], set.score);
    }
    std::vector<double> beat(tables_.places());
    for (std::size_t place = 0; place < beat.size(); ++place)
      beat[place] = beat_by_node[tables_.node(place)] - allowance_;
    return beat;
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
  const double allowance_; // what a bound may be below the best and yet count, rounding included
  const unsigned levels_;  // of the child
  std::vector<char> inside_;
  std::vector<Known> known_;
  CellTables tables_;
  const std::vector<std::vector<double>> fewest_; // as of CellTables::fewest_levels()
  std::unique_ptr<FurtherColumns> further_;       // where the columns are many
  std::vector<unsigned> most_values_;
  Result result_;
};

SetBranching::SetBranching(const Dataset &data, const LocalScore &score)
    : rows_(distinct_rows(data)), score_(score), n_log_n_(data.total) {
  OPTBN_INVARIANT(score.regret() != Regret::unknown, "what bounds a score by its likelihood");
}

// Of every place a number and a value for each row, a few tables, counts of further columns, and
// numbers for pairs of levels.
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
  return Tree(*this, task, watch).run();
}

} // namespace optbn
