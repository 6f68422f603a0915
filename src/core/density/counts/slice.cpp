#include "core/density/counts/slice.h"

#include "core/base/invariant.h"
#include "core/base/pace.h"
#include "core/base/simd/popcount.h"
#include "core/density/counts/bit_selection.h"
#include "core/density/counts/map_counts.h"
#include "core/density/counts/weighted_counts.h"

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

// How far the point moves so that numbers that add up to `total` become whole ones below 2^51.
int exact_shift(double total) {
  int exponent = 0;
  std::frexp(total, &exponent);
  return std::min(51 - exponent, 1000);
}

} // namespace

Slice::Slice(const TrainingRows &rows, const std::vector<double> &weights)
    : rows_(&rows), listed_(false) {
  const std::vector<double> &counted = weights.empty() ? rows.weights() : weights;
  if (counted.empty()) {
    whole_ = true;
    bits_ = rows.rows();
    total_ = static_cast<double>(bits_);
    return;
  }
  const double total = std::accumulate(counted.begin(), counted.end(), 0.0);
  listed_ = !small_and_whole(counted, total);
  if (listed_) {
    const int shift = exact_shift(total);
    for (std::uint32_t row = 0; row < counted.size(); ++row) {
      const double weight = std::ldexp(std::round(std::ldexp(counted[row], shift)), -shift);
      if (weight > 0) {
        row_.push_back(row);
        weight_.push_back(weight);
        total_ += weight;
      }
    }
    return;
  }
  total_ = total;
  bits_ = static_cast<std::size_t>(total);
  maps_.resize(rows.items().size() * words());
  std::size_t bit = 0;
  for (std::size_t row = 0; row < counted.size(); ++row)
    for (auto copies = static_cast<unsigned>(counted[row]); copies > 0; --copies, ++bit)
      for (const std::uint32_t *item = rows.items_of(row); item != rows.items_end(row); ++item)
        maps_[*item * words() + bit / 64] |= std::uint64_t{1} << (bit % 64);
}

// ---- counting -----------------------------------------------------------------------------------

namespace {

// Do rows hold so few items that to count their pairs row by row is quicker than to go through
// maps?
bool few_items(const TrainingRows &rows) {
  std::size_t pairs = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const auto held = static_cast<std::size_t>(rows.items_end(row) - rows.items_of(row));
    pairs += held * held;
  }
  return pairs < rows.items().size() * rows.items().size() * rows.words() / 64;
}

bool pairs_are_within(const PairCounts &counts, std::size_t items) {
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

void Slice::count(PairCounts &counts, Watch *watch) const {
  Pace pace(watch);
  if (total_ <= 0) {
    counts.clear();
  } else if (listed_) {
    count_weighted_pairs(*rows_, row_, weight_, counts, pace);
  } else if (whole_ && few_items(*rows_)) {
    std::vector<std::uint32_t> every(rows_->rows());
    std::iota(every.begin(), every.end(), 0u);
    count_weighted_pairs(*rows_, every, std::vector<double>(every.size(), 1.0), counts, pace);
  } else {
    count_map_pairs(maps(), rows_->items().size(), words(), counts, pace);
  }
  counts.total = total_;
  OPTBN_INVARIANT(pairs_are_within(counts, rows_->items().size()),
                  "no pair of items occurs more often than either of them");
}

PairCounts Slice::counted(Watch *watch) const {
  PairCounts counts(rows_->items().size());
  count(counts, watch);
  return counts;
}

void Slice::count_alone(PairCounts &counts) const {
  const std::size_t items = rows_->items().size();
  counts.total = total_;
  if (!listed_) {
    for (std::size_t i = 0; i < items; ++i) {
      std::uint32_t found = 0;
      count_intersections(map(i), 1, words(), map(i), &found);
      counts.row(i)[i] = found;
    }
    return;
  }
  for (std::size_t i = 0; i < items; ++i)
    counts.row(i)[i] = 0;
  for (std::size_t i = 0; i < row_.size(); ++i)
    for (const std::uint32_t *item = rows_->items_of(row_[i]); item != rows_->items_end(row_[i]);
         ++item)
      counts.row(*item)[*item] += weight_[i];
}

// visit(i, pair) for the pairs that the i-th listed row holds, row by row.
template <class Visit>
void Slice::for_each_held(const std::vector<ItemPair> &pairs, Visit visit) const {
  std::vector<char> held(rows_->items().size(), 0);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    const std::uint32_t *const begin = rows_->items_of(row_[i]);
    const std::uint32_t *const end = rows_->items_end(row_[i]);
    std::for_each(begin, end, [&](std::uint32_t item) { held[item] = 1; });
    for (std::size_t pair = 0; pair < pairs.size(); ++pair)
      if (held[pairs[pair].one] && held[pairs[pair].other])
        visit(i, pair);
    std::for_each(begin, end, [&](std::uint32_t item) { held[item] = 0; });
  }
}

void Slice::count_some(const std::vector<ItemPair> &pairs, PairCounts &counts) const {
  count_alone(counts);
  std::vector<double> found(pairs.size(), 0.0);
  if (listed_) {
    for_each_held(pairs, [&](std::size_t i, std::size_t pair) { found[pair] += weight_[i]; });
  } else {
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      std::uint32_t both = 0;
      count_intersections(map(pairs[pair].one), 1, words(), map(pairs[pair].other), &both);
      found[pair] = both;
    }
  }
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto [one, other] = pairs[pair];
    counts.row(one)[other] = counts.row(other)[one] = found[pair];
  }
}

PairsWithin::PairsWithin(const Slice &slice, const std::vector<ItemPair> &pairs)
    : slice_(slice), pairs_(pairs.size()) {
  if (slice.listed_)
    list(pairs);
  else
    mark(pairs);
}

void PairsWithin::mark(const std::vector<ItemPair> &pairs) {
  const std::size_t words = slice_.words();
  maps_.resize(pairs.size() * words);
  std::uint64_t *to = maps_.data();
  for (const auto [one, other] : pairs)
    for (std::size_t w = 0; w < words; ++w)
      *to++ = slice_.map(one)[w] & slice_.map(other)[w];
}

void PairsWithin::list(const std::vector<ItemPair> &pairs) {
  begin_.assign(slice_.row_.size() + 1, 0);
  slice_.for_each_held(pairs, [&](std::size_t i, std::size_t pair) {
    held_.push_back(static_cast<std::uint32_t>(pair));
    begin_[i + 1] = held_.size();
  });
  for (std::size_t i = 0; i < slice_.row_.size(); ++i) // rows that hold none
    begin_[i + 1] = std::max(begin_[i + 1], begin_[i]);
}

void PairsWithin::count(Node v, unsigned level, std::vector<double> &counts) const {
  counts.assign(pairs_, 0.0);
  if (!slice_.listed_) {
    std::vector<std::uint32_t> found(pairs_);
    const std::size_t item = slice_.rows_->items().first(v) + level - 1;
    count_intersections(maps_.data(), pairs_, slice_.words(), slice_.map(item), found.data());
    std::copy(found.begin(), found.end(), counts.begin());
    return;
  }
  const std::vector<std::uint16_t> &levels = slice_.rows_->cells().columns[v];
  for (std::size_t i = 0; i < slice_.row_.size(); ++i)
    for (std::size_t k = begin_[i]; levels[slice_.row_[i]] == level && k < begin_[i + 1]; ++k)
      counts[held_[k]] += slice_.weight_[i];
}

// ---- parts --------------------------------------------------------------------------------------

// Which bits have v at a level.
std::vector<std::uint64_t> Slice::holding(Node v, unsigned level) const {
  const Items &items = rows_->items();
  if (level > 0) {
    const std::uint64_t *const held = map(items.first(v) + level - 1);
    return std::vector<std::uint64_t>(held, held + words());
  }
  std::vector<std::uint64_t> none(words(), ~std::uint64_t{0});
  if (bits_ % 64 != 0)
    none.back() = (std::uint64_t{1} << (bits_ % 64)) - 1;
  for (unsigned other = 1; other < items.levels(v); ++other) {
    const std::uint64_t *const held = map(items.first(v) + other - 1);
    for (std::size_t w = 0; w < words(); ++w)
      none[w] &= ~held[w];
  }
  return none;
}

Slice Slice::part(Node v, unsigned level) const {
  Slice part(rows_, listed_);
  if (!listed_) {
    const std::vector<std::uint64_t> mask = holding(v, level);
    part.maps_ = select_bits(maps(), rows_->items().size(), mask);
    std::uint32_t ones = 0;
    count_intersections(mask.data(), 1, words(), mask.data(), &ones);
    part.bits_ = ones;
    part.total_ = ones;
    return part;
  }
  for (std::size_t i = 0; i < row_.size(); ++i)
    if (rows_->cells().columns[v][row_[i]] == level) {
      part.row_.push_back(row_[i]);
      part.weight_.push_back(weight_[i]);
      part.total_ += weight_[i];
    }
  return part;
}

} // namespace optbn
