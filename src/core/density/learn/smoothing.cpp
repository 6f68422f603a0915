#include "core/density/learn/smoothing.h"

#include <algorithm>
#include <numeric>

namespace optbn {

namespace {

// Scales numbers so that they sum to 1; if all are 0 they become equal.
void normalise(double *begin, double *end) {
  const double sum = std::accumulate(begin, end, 0.0);
  const auto size = static_cast<double>(end - begin);
  std::for_each(begin, end, [&](double &x) { x = sum > 0 ? x / sum : 1 / size; });
}

} // namespace

Smoother::Smoother(const Smoothing &smoothing, const Items &items, const PairCounts &whole)
    : smoothing_(smoothing), items_(items), whole_(whole), first_(items.variables() + 1u, 0) {
  for (Node v = 0; v < items.variables(); ++v)
    first_[v + 1u] = first_[v] + items.levels(v);
  levels_.resize(first_.back());
  for (Node v = 0; v < items.variables(); ++v) {
    double *const q = levels_.data() + first_[v];
    const double even = 1.0 / items.levels(v);
    level_counts(whole, items, v, q);
    for (unsigned x = 0; x < items.levels(v); ++x)
      q[x] = smoothing.prior == Prior::uniform ? even : (q[x] + even) / (whole.total + 1);
  }
  if (items.two_levels()) {
    present_.resize(PairCounts::padded(items.size()));
    for (Node v = 0; v < items.variables(); ++v)
      present_[v] = share(v, 1);
  }
}

RowPrior Smoother::row_prior(Node u, double a) const {
  const double *const whole = whole_.row(u);
  switch (smoothing_.prior) {
  case Prior::joint:
    return {whole, present_.data(), a / (whole_.total + 1), 0, a * 0.25 / (whole_.total + 1)};
  case Prior::product:
  case Prior::uniform:
    return {whole, present_.data(), 0, a * present_[u], 0};
  case Prior::laplace:
    return {whole, present_.data(), 0, 0, a};
  case Prior::marginal:
    break;
  }
  return {whole, present_.data(), 0, 0, 0};
}

double Smoother::prior_alone(Node u, double a) const {
  return smoothing_.prior == Prior::laplace ? 2 * a : a * present_[u];
}

double Smoother::prior_total(double a) const {
  return smoothing_.prior == Prior::laplace ? 4 * a : a;
}

double Smoother::strength(double total) const {
  const bool share_of_rows =
      smoothing_.prior != Prior::laplace && smoothing_.prior != Prior::uniform;
  return share_of_rows ? smoothing_.alpha * total : smoothing_.alpha;
}

double Smoother::imaginary_rows() const {
  const double a = strength(whole_.total);
  switch (smoothing_.prior) {
  case Prior::uniform:
    return a;
  case Prior::joint:
    return a / (whole_.total + 1 + a);
  case Prior::laplace: {
    const std::vector<Node> all = items_.all_variables();
    const double levels = items_.levels(0);
    const bool even =
        std::all_of(all.begin(), all.end(), [&](Node v) { return items_.levels(v) == levels; });
    return even ? a * levels * levels : 0;
  }
  case Prior::marginal:
  case Prior::product:
    break;
  }
  return 0;
}

// The prior of a pair, a times the shares of the cells.
void Smoother::add_shares(Node u, Node v, double a, double *table) const {
  const unsigned rows = items_.levels(u), columns = items_.levels(v);
  std::vector<double> whole;
  if (smoothing_.prior == Prior::joint) {
    whole.resize(std::size_t{rows} * columns);
    table_counts(whole_, items_, u, v, whole.data());
  }
  for (unsigned y = 0; y < columns; ++y)
    for (unsigned x = 0; x < rows; ++x) {
      const std::size_t cell = std::size_t{y} * rows + x;
      if (smoothing_.prior == Prior::joint)
        table[cell] += a * ((whole[cell] + 1.0 / (rows * columns)) / (whole_.total + 1));
      else if (smoothing_.prior == Prior::product || smoothing_.prior == Prior::uniform)
        table[cell] += a * (share(u, x) * share(v, y));
      else if (smoothing_.prior == Prior::laplace)
        table[cell] += a;
    }
}

void Smoother::joint(const PairCounts &counts, Node u, Node v, double *table) const {
  table_counts(counts, items_, u, v, table);
  add_shares(u, v, strength(counts.total), table);
  normalise(table, table + std::size_t{items_.levels(u)} * items_.levels(v));
}

void Smoother::conditional(const PairCounts &counts, Node u, Node v, double *table) const {
  const unsigned rows = items_.levels(u), columns = items_.levels(v);
  const double a = strength(counts.total);
  table_counts(counts, items_, u, v, table);
  add_shares(u, v, a, table);
  for (unsigned y = 0; y < columns; ++y) {
    if (smoothing_.prior == Prior::marginal)
      for (unsigned x = 0; x < rows; ++x)
        table[std::size_t{y} * rows + x] += a * share(u, x);
    normalise(table + std::size_t{y} * rows, table + std::size_t{y + 1} * rows);
  }
}

void Smoother::alone(const PairCounts &counts, Node u, double *levels) const {
  level_counts(counts, items_, u, levels);
  smooth(u, counts.total, levels);
}

void Smoother::smooth(Node u, double total, double *levels) const {
  const double a = strength(total);
  for (unsigned x = 0; x < items_.levels(u); ++x)
    levels[x] += smoothing_.prior == Prior::laplace ? a * items_.levels(u) : a * share(u, x);
  normalise(levels, levels + items_.levels(u));
}

} // namespace optbn
