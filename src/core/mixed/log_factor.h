// LogFactor: a function of few discrete nodes, kept as natural logarithms.
//
// Evidence on continuous nodes weighs discrete levels by densities, which far in the tails of their
// distributions no double can hold: two pieces of evidence may each all but exclude what the other
// one needs. Logarithms hold them, whatever the order in which they are multiplied.
#pragma once

#include "core/data/dataset.h"

#include <algorithm>
#include <vector>

namespace optbn {

struct LogFactor {
  std::vector<Node> nodes;  // without order; the first fastest
  std::vector<double> logs; // by cell
};

// Cells of a table over these nodes, as a number that may be large.
inline double cells_of(const std::vector<Node> &nodes, const std::vector<unsigned> &levels) {
  double cells = 1;
  for (const Node v : nodes)
    cells *= levels[v];
  return cells;
}

// The watch is looked at after so many cells of a table.
constexpr std::size_t kCellsPerPoll = 1 << 12;

// Goes through the cells of a table, the first node fastest, and follows them in other tables.
class CellWalk {
public:
  CellWalk(const std::vector<Node> &domain, const std::vector<unsigned> &levels)
      : domain_(domain), level_(domain.size(), 0) {
    for (const Node v : domain) {
      levels_.push_back(levels[v]);
      cells_ *= levels[v];
    }
  }

  std::size_t cells() const { return cells_; }
  unsigned level(std::size_t i) const { return level_[i]; } // of the i-th node of the domain

  // A table over these nodes; those that are not in the domain are at level 0. Returns its number.
  std::size_t follow(const std::vector<Node> &nodes, const std::vector<unsigned> &levels,
                     std::size_t start = 0) {
    std::vector<std::size_t> strides(domain_.size(), 0);
    std::size_t stride = 1;
    for (const Node v : nodes) {
      const auto at = std::find(domain_.begin(), domain_.end(), v);
      if (at != domain_.end())
        strides[static_cast<std::size_t>(at - domain_.begin())] = stride;
      stride *= levels[v];
    }
    strides_.push_back(std::move(strides));
    cell_.push_back(start);
    return cell_.size() - 1;
  }

  // The cell of a followed table.
  std::size_t at(std::size_t table) const { return cell_[table]; }

  void next() {
    for (std::size_t i = 0; i < level_.size(); ++i) {
      const bool wraps = ++level_[i] == levels_[i];
      for (std::size_t t = 0; t < cell_.size(); ++t)
        wraps ? cell_[t] -= (levels_[i] - 1) * strides_[t][i] : cell_[t] += strides_[t][i];
      if (!wraps)
        return;
      level_[i] = 0;
    }
  }

private:
  std::vector<Node> domain_;
  std::vector<unsigned> levels_, level_;
  std::vector<std::vector<std::size_t>> strides_; // by table
  std::vector<std::size_t> cell_;                 // by table
  std::size_t cells_ = 1;
};

} // namespace optbn
