#include "core/density/learn/row_completions.h"

#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/density/density_queries.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

// How many configurations the missing levels of a row have, up to more than `most`.
std::size_t configurations(const TrainingRows &rows, std::size_t row, std::size_t most) {
  std::size_t count = 1;
  for (Node v = 0; v < rows.variables() && count <= most; ++v)
    if (rows.cells().columns[v][row] == PartialRows::kMissing)
      count *= rows.levels(v);
  return count;
}

// How many draws stand for a row of such a weight.
std::size_t draws_of(double weight, unsigned most) {
  constexpr double kMostDraws = 1000;
  return static_cast<std::size_t>(std::clamp(std::ceil(most * weight), 1.0, kMostDraws));
}

// Rows without holes, and what each is worth.
struct Completed {
  explicit Completed(Node variables) { cells.columns.resize(variables); }

  void add(const std::uint16_t *row, double weight) {
    for (auto &column : cells.columns)
      column.push_back(*row++);
    weights.push_back(weight);
    ++cells.rows;
  }

  PartialRows cells;
  std::vector<double> weights;
};

// ---- every configuration ------------------------------------------------------------------------

// Adds a row with all configurations of its missing levels.
void add_configurations(const TrainingRows &rows, std::size_t row, Completed &to) {
  std::vector<Node> missing;
  Row filled(rows.variables());
  for (Node v = 0; v < rows.variables(); ++v)
    if ((filled[v] = rows.cells().columns[v][row]) == PartialRows::kMissing) {
      missing.push_back(v);
      filled[v] = 0;
    }
  for (;;) {
    to.add(filled.data(), 0);
    std::size_t i = 0;
    while (i < missing.size() && ++filled[missing[i]] == rows.levels(missing[i]))
      filled[missing[i++]] = 0;
    if (i == missing.size())
      return;
  }
}

void enumerate(const TrainingRows &rows, const std::vector<std::uint32_t> &numbers,
               const std::vector<double> &weights, const DensityMixture &model, Watch &watch,
               Completed &to) {
  std::vector<std::size_t> begin = {to.cells.rows};
  for (const std::uint32_t row : numbers) {
    add_configurations(rows, row, to);
    begin.push_back(to.cells.rows);
  }
  const std::vector<double> logs = log_densities(model, to.cells, watch);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t size = begin[i + 1] - begin[i];
    const double sum = log_sum_exp(logs.data() + begin[i], size);
    for (std::size_t k = begin[i]; k < begin[i + 1]; ++k)
      to.weights[k] = weights[numbers[i]] *
                      (sum == kLogZero ? 1 / static_cast<double>(size) : std::exp(logs[k] - sum));
  }
}

// ---- draws --------------------------------------------------------------------------------------

PartialRows some_of(const PartialRows &rows, const std::vector<std::uint32_t> &numbers) {
  PartialRows some{numbers.size(), {}};
  for (const auto &column : rows.columns) {
    some.columns.emplace_back();
    for (const std::uint32_t row : numbers)
      some.columns.back().push_back(column[row]);
  }
  return some;
}

// Draws a component for the row first, by what each says of it, then from that alone.
class RowDraws {
public:
  RowDraws(const DensityMixture &model, const PartialRows &rows, Watch &watch)
      : model_(model), rows_(rows), logs_(component_log_densities(model, rows, watch)),
        watch_(watch) {
    for (const CutsetNetwork &component : model.components)
      parts_.push_back({model.levels, {1.0}, {component}});
  }

  void draw(std::size_t row, std::size_t count, double weight, Random &random,
            Completed &to) const {
    const std::size_t variables = model_.levels.size();
    const Evidence known = evidence(row);
    const std::vector<std::size_t> counts = draw_components(row, count, random);
    for (std::size_t c = 0; c < counts.size(); ++c) {
      if (counts[c] == 0)
        continue;
      const std::vector<std::uint16_t> drawn =
          draw_rows(parts_[c], known, counts[c], random, watch_);
      for (std::size_t k = 0; k < counts[c]; ++k)
        to.add(drawn.data() + k * variables, weight);
    }
    if (counts.empty())
      for (std::size_t k = 0; k < count; ++k)
        to.add(at_random(row, random).data(), weight);
  }

private:
  Evidence evidence(std::size_t row) const {
    Evidence known(static_cast<Node>(model_.levels.size()));
    for (Node v = 0; v < known.size(); ++v)
      if (rows_.columns[v][row] != PartialRows::kMissing)
        known.observe(v, rows_.columns[v][row]);
    return known;
  }

  // How often each is drawn; empty where all hold the row to be impossible.
  std::vector<std::size_t> draw_components(std::size_t row, std::size_t count,
                                           Random &random) const {
    std::vector<double> shares;
    for (std::size_t c = 0; c < parts_.size(); ++c)
      shares.push_back(std::log(model_.weights[c]) + logs_[c * rows_.rows + row]);
    const double sum = log_sum_exp(shares.data(), shares.size());
    if (sum == kLogZero)
      return {};
    double cumulated = 0;
    for (double &share : shares)
      share = cumulated += std::exp(share - sum);
    std::vector<std::size_t> counts(shares.size(), 0);
    for (std::size_t k = 0; k < count; ++k) {
      const double at = random.uniform() * cumulated;
      ++counts[static_cast<std::size_t>(std::upper_bound(shares.begin(), shares.end() - 1, at) -
                                        shares.begin())];
    }
    return counts;
  }

  Row at_random(std::size_t row, Random &random) const {
    Row filled;
    for (Node v = 0; v < model_.levels.size(); ++v) {
      const std::uint16_t known = rows_.columns[v][row];
      filled.push_back(known != PartialRows::kMissing
                           ? known
                           : static_cast<std::uint16_t>(random.below(model_.levels[v])));
    }
    return filled;
  }

  const DensityMixture &model_;
  const PartialRows &rows_;
  const std::vector<double> logs_;
  std::vector<DensityMixture> parts_; // by component, each alone
  Watch &watch_;
};

void add_draws(const TrainingRows &rows, const std::vector<std::uint32_t> &numbers,
               const std::vector<double> &weights, const DensityMixture &model, unsigned most,
               Random &random, Watch &watch, Completed &to) {
  constexpr std::size_t kRowsATime = 64;
  const PartialRows some = some_of(rows.cells(), numbers);
  const RowDraws draws(model, some, watch);
  const std::size_t strips = (numbers.size() + kRowsATime - 1) / kRowsATime;
  std::vector<std::uint64_t> seeds(strips);
  for (std::uint64_t &seed : seeds)
    seed = random.next();
  std::vector<Completed> drawn(strips, Completed(rows.variables()));
  parallel_for(watch, strips, [&](std::size_t strip, unsigned) {
    Random of_strip(seeds[strip]);
    for (std::size_t i = strip * kRowsATime; i < std::min(numbers.size(), (strip + 1) * kRowsATime);
         ++i) {
      const double weight = weights[numbers[i]];
      const std::size_t count = draws_of(weight, most);
      draws.draw(i, count, weight / static_cast<double>(count), of_strip, drawn[strip]);
    }
  });
  throw_if_stopped(watch);
  for (const Completed &strip : drawn) {
    for (std::size_t v = 0; v < strip.cells.columns.size(); ++v)
      to.cells.columns[v].insert(to.cells.columns[v].end(), strip.cells.columns[v].begin(),
                                 strip.cells.columns[v].end());
    to.weights.insert(to.weights.end(), strip.weights.begin(), strip.weights.end());
    to.cells.rows += strip.cells.rows;
  }
}

} // namespace

TrainingRows completions(const TrainingRows &rows, const std::vector<double> &weights,
                         const DensityMixture &model, unsigned most, Random &random, Watch &watch) {
  std::vector<std::uint32_t> few, many; // rows, by their configurations
  std::size_t queries = 0;
  for (std::uint32_t row = 0; row < rows.rows(); ++row) {
    if (!(weights[row] > 0))
      continue;
    const std::size_t count = configurations(rows, row, most);
    (count <= most ? few : many).push_back(row);
    queries += count <= most ? count : 1 + draws_of(weights[row], most);
  }
  watch.restart(static_cast<double>(queries));
  Completed all(rows.variables());
  enumerate(rows, few, weights, model, watch, all);
  add_draws(rows, many, weights, model, most, random, watch, all);
  return {std::move(all.cells), rows.levels(), std::move(all.weights)};
}

} // namespace optbn
