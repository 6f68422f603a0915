// PartialRows: rows of discrete columns, some of whose levels are missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

struct PartialRows {
  static constexpr std::uint16_t kMissing = 0xffff;

  std::size_t rows = 0;
  std::vector<std::vector<std::uint16_t>> columns; // by node: levels, or kMissing
};

} // namespace optbn
