#include "core/density/counts/map_slice.h"

#include "core/base/simd/popcount.h"
#include "core/density/counts/bit_selection.h"
#include "core/density/counts/map_counts.h"
#include "core/density/counts/weighted_counts.h"

#include <algorithm>
#include <numeric>

namespace optbn {

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

// How many ones two maps have in common.
std::uint32_t count_common(const std::uint64_t *one, const std::uint64_t *other,
                           std::size_t words) {
  std::uint32_t found = 0;
  count_intersections(one, 1, words, other, &found);
  return found;
}

} // namespace

MapSlice::MapSlice(const TrainingRows &rows) : rows_(&rows), whole_(true), bits_(rows.rows()) {}

MapSlice::MapSlice(const TrainingRows &rows, const std::vector<double> &weights) : rows_(&rows) {
  bits_ = static_cast<std::size_t>(std::accumulate(weights.begin(), weights.end(), 0.0));
  maps_.resize(rows.items().size() * words());
  std::size_t bit = 0;
  for (std::size_t row = 0; row < weights.size(); ++row)
    for (auto copies = static_cast<unsigned>(weights[row]); copies > 0; --copies, ++bit)
      for (const std::uint32_t *item = rows.items_of(row); item != rows.items_end(row); ++item)
        maps_[*item * words() + bit / 64] |= std::uint64_t{1} << (bit % 64);
}

void MapSlice::count(PairCounts &counts, Pace &pace) const {
  if (!whole_ || !few_items(*rows_)) {
    count_map_pairs(maps(), rows_->items().size(), words(), counts, pace);
    return;
  }
  std::vector<std::uint32_t> every(rows_->rows());
  std::iota(every.begin(), every.end(), 0u);
  count_weighted_pairs(*rows_, every, std::vector<double>(every.size(), 1.0), counts, pace);
}

void MapSlice::count_alone(PairCounts &counts) const {
  for (std::size_t i = 0; i < rows_->items().size(); ++i)
    counts.row(i)[i] = count_common(map(i), map(i), words());
}

std::vector<double> MapSlice::count_pairs(const std::vector<ItemPair> &pairs) const {
  std::vector<double> found;
  for (const auto [one, other] : pairs)
    found.push_back(count_common(map(one), map(other), words()));
  return found;
}

// Which bits have v at a level.
std::vector<std::uint64_t> MapSlice::holding(Node v, unsigned level) const {
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

MapSlice MapSlice::part(Node v, unsigned level) const {
  const std::vector<std::uint64_t> mask = holding(v, level);
  MapSlice part(*rows_);
  part.whole_ = false;
  part.bits_ = count_common(mask.data(), mask.data(), words());
  part.maps_ = select_bits(maps(), rows_->items().size(), mask);
  return part;
}

MapSlice::Pairs::Pairs(const MapSlice &slice, const std::vector<ItemPair> &pairs)
    : slice_(slice), pairs_(pairs.size()), both_(pairs.size() * slice.words()) {
  std::uint64_t *to = both_.data();
  for (const auto [one, other] : pairs)
    for (std::size_t w = 0; w < slice.words(); ++w)
      *to++ = slice.map(one)[w] & slice.map(other)[w];
}

void MapSlice::Pairs::count(Node v, unsigned level, std::vector<double> &counts) const {
  std::vector<std::uint32_t> found(pairs_);
  const std::size_t item = slice_.rows().items().first(v) + level - 1;
  count_intersections(both_.data(), pairs_, slice_.words(), slice_.map(item), found.data());
  counts.assign(found.begin(), found.end());
}

} // namespace optbn
