#include "core/density/counts/slice.h"

#include "core/base/invariant.h"
#include "core/base/pace.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

// Counting a bit is so much cheaper than counting a listed row that rows may own this many of them.
constexpr double kMostBits = 16;

bool small_and_whole(const std::vector<double> &weights, double total) {
  return total <= kMostBits * static_cast<double>(weights.size()) &&
         std::all_of(weights.begin(), weights.end(),
                     [](double weight) { return weight == std::floor(weight); });
}

std::variant<MapSlice, ListSlice> form_for(const TrainingRows &rows,
                                           const std::vector<double> &weights) {
  if (weights.empty())
    return MapSlice(rows);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (small_and_whole(weights, total))
    return MapSlice(rows, weights);
  return ListSlice(rows, weights, total);
}

[[maybe_unused]] bool pairs_are_within(const PairCounts &counts, std::size_t items) {
  for (std::size_t i = 0; i < items; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double both = counts.row(i)[j];
      if (both != counts.row(j)[i] || both < 0 || both > counts.alone(i) ||
          both > counts.alone(j) || both > counts.total)
        return false;
    }
  return true;
}

} // namespace

Slice::Slice(const TrainingRows &rows, const std::vector<double> &weights)
    : form_(form_for(rows, weights.empty() ? rows.weights() : weights)) {}

const TrainingRows &Slice::rows() const {
  return std::visit([](const auto &form) -> const TrainingRows & { return form.rows(); }, form_);
}

void Slice::count(PairCounts &counts, Watch *watch) const {
  Pace pace(watch);
  if (total() <= 0)
    counts.clear();
  else
    std::visit([&](const auto &form) { form.count(counts, pace); }, form_);
  counts.total = total();
  OPTBN_INVARIANT(pairs_are_within(counts, rows().items().size()),
                  "no pair of items occurs more often than either of them");
}

PairCounts Slice::counted(Watch *watch) const {
  PairCounts counts(rows().items().size());
  count(counts, watch);
  return counts;
}

void Slice::count_alone(PairCounts &counts) const {
  counts.total = total();
  std::visit([&](const auto &form) { form.count_alone(counts); }, form_);
}

void Slice::count_some(const std::vector<ItemPair> &pairs, PairCounts &counts) const {
  count_alone(counts);
  const std::vector<double> found =
      std::visit([&](const auto &form) { return form.count_pairs(pairs); }, form_);
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto [one, other] = pairs[pair];
    counts.row(one)[other] = counts.row(other)[one] = found[pair];
  }
}

Slice Slice::part(Node v, unsigned level) const {
  return std::visit([&](const auto &form) { return Slice(Form(form.part(v, level))); }, form_);
}

PairsWithin::PairsWithin(const Slice &slice, const std::vector<ItemPair> &pairs)
    : form_(std::visit(
          [&](const auto &form) -> decltype(form_) {
            using Pairs = typename std::decay_t<decltype(form)>::Pairs;
            return Pairs(form, pairs);
          },
          slice.form_)) {}

void PairsWithin::count(Node v, unsigned level, std::vector<double> &counts) const {
  std::visit([&](const auto &form) { form.count(v, level, counts); }, form_);
}

std::uint64_t PairsWithin::steps() const {
  return std::visit([](const auto &form) { return form.steps(); }, form_);
}

} // namespace optbn
