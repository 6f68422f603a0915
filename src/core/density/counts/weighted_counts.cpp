#include "core/density/counts/weighted_counts.h"

#include "core/base/simd/lanes.h"

#include <algorithm>

namespace optbn {

namespace {

// to[..] += the sum of the rows, over four adjacent vectors, or one.
template <class Lanes>
OPTBN_INLINE void add_four(const double *const *rows, std::size_t count, std::size_t v,
                           double *to) {
  constexpr std::size_t kNext = width<Lanes>();
  Lanes a, b, c, d, x;
  load(a, to + v);
  load(b, to + v + kNext);
  load(c, to + v + 2 * kNext);
  load(d, to + v + 3 * kNext);
  for (std::size_t i = 0; i < count; ++i) {
    const double *const from = rows[i] + v;
    load(x, from);
    a = a + x;
    load(x, from + kNext);
    b = b + x;
    load(x, from + 2 * kNext);
    c = c + x;
    load(x, from + 3 * kNext);
    d = d + x;
  }
  store(to + v, a);
  store(to + v + kNext, b);
  store(to + v + 2 * kNext, c);
  store(to + v + 3 * kNext, d);
}

template <class Lanes>
OPTBN_INLINE void add_one(const double *const *rows, std::size_t count, std::size_t v, double *to) {
  Lanes a, x;
  load(a, to + v);
  for (std::size_t i = 0; i < count; ++i) {
    load(x, rows[i] + v);
    a = a + x;
  }
  store(to + v, a);
}

// counts[u][v] += sum of the weights at v of the rows with item u, for v from about u on.
template <class Lanes> OPTBN_INLINE void add_tile(const WeightedTile &tile, PairCounts &counts) {
  constexpr std::size_t kFour = 4 * width<Lanes>();
  for (std::size_t u = 0; u < tile.items; ++u) {
    const double *rows[WeightedTile::kRows];
    std::size_t count = 0;
    for (std::size_t i = 0; i < WeightedTile::kRows; ++i) {
      rows[count] = tile.weights.data() + i * tile.stride;
      count += tile.holders[u] >> i & 1;
    }
    std::size_t v = u / PairCounts::kWidth * PairCounts::kWidth;
    for (; v + kFour <= tile.stride; v += kFour)
      add_four<Lanes>(rows, count, v, counts.row(u));
    for (; v < tile.stride; v += width<Lanes>())
      add_one<Lanes>(rows, count, v, counts.row(u));
  }
}

void add_plain(const WeightedTile &tile, PairCounts &counts) { add_tile<Lanes2>(tile, counts); }
#ifdef OPTBN_AVX2
OPTBN_AVX2 void add_avx2(const WeightedTile &tile, PairCounts &counts) {
  add_tile<Lanes4>(tile, counts);
}
OPTBN_AVX512 void add_avx512(const WeightedTile &tile, PairCounts &counts) {
  add_tile<Lanes8>(tile, counts);
}
#endif

void count_tiles(const TrainingRows &rows, const std::vector<std::uint32_t> &row,
                 const std::vector<double> &weight, PairCounts &counts, Pace &pace) {
  static const AddTile add = all_weighted_tiles().back();
  const std::size_t items = rows.items().size();
  WeightedTile tile(items);
  for (std::size_t begin = 0; begin < row.size(); begin += WeightedTile::kRows) {
    tile.clear();
    for (std::size_t i = 0; i < std::min(WeightedTile::kRows, row.size() - begin); ++i)
      for (const std::uint32_t *item = rows.items_of(row[begin + i]);
           item != rows.items_end(row[begin + i]); ++item) {
        tile.weights[i * tile.stride + *item] = weight[begin + i];
        tile.holders[*item] |= 1u << i;
      }
    add(tile, counts);
    pace.advance(items * items);
  }
}

void count_lists(const TrainingRows &rows, const std::vector<std::uint32_t> &row,
                 const std::vector<double> &weight, PairCounts &counts, Pace &pace) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::uint32_t *const end = rows.items_end(row[i]);
    for (const std::uint32_t *u = rows.items_of(row[i]); u != end; ++u)
      for (const std::uint32_t *v = u; v != end; ++v)
        counts.row(*u)[*v] += weight[i];
    const auto row_items = static_cast<std::uint64_t>(end - rows.items_of(row[i]));
    pace.advance(row_items * row_items);
  }
}

} // namespace

WeightedTile::WeightedTile(std::size_t items)
    : items(items), stride(PairCounts::padded(items)), weights(kRows * stride), holders(items) {
  clear();
}

void WeightedTile::clear() {
  std::fill(weights.data(), weights.data() + kRows * stride, 0.0);
  std::fill(holders.begin(), holders.end(), 0u);
}

std::vector<AddTile> all_weighted_tiles() {
  std::vector<AddTile> tiles = {add_plain};
#ifdef OPTBN_AVX2
  if (has_avx2())
    tiles.push_back(add_avx2);
  if (has_avx512())
    tiles.push_back(add_avx512);
#endif
  return tiles;
}

void count_weighted_pairs(const TrainingRows &rows, const std::vector<std::uint32_t> &row,
                          const std::vector<double> &weight, PairCounts &counts, Pace &pace) {
  // If rows have few items, there are fewer pairs of these than vectors.
  std::size_t row_items = 0;
  for (const std::uint32_t i : row)
    row_items += static_cast<std::size_t>(rows.items_end(i) - rows.items_of(i));
  counts.clear();
  if (row_items * PairCounts::kWidth < row.size() * rows.items().size())
    count_lists(rows, row, weight, counts, pace);
  else
    count_tiles(rows, row, weight, counts, pace);
  counts.mirror();
}

} // namespace optbn
