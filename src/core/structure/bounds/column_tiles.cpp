#include "core/structure/bounds/column_tiles.h"

#include "core/base/simd/lanes.h"
#include "core/structure/bounds/primal_dual.h"

#include <algorithm>

namespace optbn {

namespace {

constexpr std::uint32_t kWidth = ColumnTiles::kWidth;
using Tile = ColumnTiles::Tile;

// The columns of every block, cut into tiles of equal width as far as may be; no rows yet.
std::vector<Tile> cut_into_tiles(const SimplexProgram &program) {
  std::vector<Tile> tiles;
  for (std::size_t b = 0; b < program.blocks(); ++b)
    for (std::uint32_t first = program.block[b]; first < program.block[b + 1]; first += kWidth)
      tiles.push_back({first, std::min(kWidth, program.block[b + 1] - first), 0, 0});
  return tiles;
}

// The rows in which a tile has entries, ascending, each tile's after those of the tile before.
std::vector<std::uint32_t> rows_of_tiles(const SimplexProgram &program, std::vector<Tile> &tiles) {
  std::vector<std::uint32_t> rows;
  for (Tile &tile : tiles) {
    tile.begin = static_cast<std::uint32_t>(rows.size());
    rows.insert(rows.end(), program.row.begin() + program.start[tile.first],
                program.row.begin() + program.start[tile.first + tile.columns]);
    std::sort(rows.begin() + tile.begin, rows.end());
    rows.erase(std::unique(rows.begin() + tile.begin, rows.end()), rows.end());
    tile.end = static_cast<std::uint32_t>(rows.size());
  }
  return rows;
}

// reduced -= A' y in the kWidth columns of a tile.
template <class Lanes>
OPTBN_INLINE void subtract_rows(double *reduced, const double *y, const std::uint32_t *row,
                                const double *value, std::size_t rows) {
  constexpr std::size_t registers = kWidth / width<Lanes>();
  Lanes sum[registers], entries, product;
  for (std::size_t i = 0; i < registers; ++i)
    load(sum[i], reduced + i * width<Lanes>());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t i = 0; i < registers; ++i) {
      load(entries, value + r * kWidth + i * width<Lanes>());
      multiply(product, y[row[r]], entries);
      sum[i] -= product;
    }
  for (std::size_t i = 0; i < registers; ++i)
    store(reduced + i * width<Lanes>(), sum[i]);
}

using SubtractRows = void (*)(double *, const double *, const std::uint32_t *, const double *,
                              std::size_t);

#define OPTBN_SUBTRACT_ROWS(name, instructions, Lanes)                                             \
  instructions void name(double *reduced, const double *y, const std::uint32_t *row,               \
                         const double *value, std::size_t rows) {                                  \
    subtract_rows<Lanes>(reduced, y, row, value, rows);                                            \
  }
OPTBN_SUBTRACT_ROWS(subtract_rows_plain, , Lanes2)
#ifdef OPTBN_AVX2
OPTBN_SUBTRACT_ROWS(subtract_rows_avx2, OPTBN_AVX2, Lanes4)
OPTBN_SUBTRACT_ROWS(subtract_rows_avx512, OPTBN_AVX512, Lanes8)
#endif
#undef OPTBN_SUBTRACT_ROWS

SubtractRows fastest_subtract_rows() {
#ifdef OPTBN_AVX2
  if (has_avx512())
    return subtract_rows_avx512;
  if (has_avx2())
    return subtract_rows_avx2;
#endif
  return subtract_rows_plain;
}

} // namespace

ColumnTiles::ColumnTiles(const SimplexProgram &program)
    : tiles_(cut_into_tiles(program)), row_(rows_of_tiles(program, tiles_)),
      value_(row_.size() * kWidth) {
  std::fill_n(value_.data(), row_.size() * kWidth, 0.0);
  for (const Tile &tile : tiles_)
    for (std::uint32_t j = 0; j < tile.columns; ++j) {
      const std::uint32_t column = tile.first + j;
      for (std::uint32_t e = program.start[column]; e < program.start[column + 1]; ++e) {
        const auto row =
            std::lower_bound(row_.begin() + tile.begin, row_.begin() + tile.end, program.row[e]);
        value_[static_cast<std::size_t>(row - row_.begin()) * kWidth + j] += program.value[e];
      }
    }
}

void ColumnTiles::reduced_costs(const std::vector<double> &cost, const std::vector<double> &y,
                                std::vector<double> &reduced) const {
  static const SubtractRows subtract = fastest_subtract_rows();
  alignas(64) double lanes[kWidth] = {};
  for (const Tile &tile : tiles_) {
    std::copy_n(cost.data() + tile.first, tile.columns, lanes);
    subtract(lanes, y.data(), row_.data() + tile.begin, value_.data() + tile.begin * kWidth,
             tile.end - tile.begin);
    std::copy_n(lanes, tile.columns, reduced.data() + tile.first);
  }
}

} // namespace optbn
