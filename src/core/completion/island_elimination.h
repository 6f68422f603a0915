// IslandElimination: sums over the configurations of an island without listing them.
//
// The missing discrete nodes of an island are eliminated one after another. Each leaves a clique, itself
// and the nodes that share factors with it then, and the cliques form trees: a small junction tree
// over what is missing in one row, however wide the network is. A factor is a table of one family's
// cells; it belongs to the clique of its member that is eliminated first. Messages are divided by
// their largest cell, and the logarithms of the divisors add up (Jensen, Lauritzen & Olesen 1990).
//
// Which cells belong together depends on the island alone and is listed once. Belongs to one thread.
#pragma once

#include "core/base/random.h"
#include "core/completion/islands.h"

#include <cstdint>
#include <vector>

namespace optbn {

class IslandElimination {
public:
  // strides[f * nodes + i]: by how many cells a level of the i-th discrete node moves factor f. Throws
  // MemoryLimit when the cliques have more cells than fit.
  IslandElimination(const std::vector<unsigned> &levels, const std::vector<std::size_t> &strides);

  // Where the table of each factor begins, for the known values of its family.
  using Factors = std::vector<const double *>;

  // The logarithm of the sum, or of the maximum, of the products of all factors; minus infinity if
  // all are 0.
  double collect(const Factors &factors, bool maximum = false);

  // After collect() of sums: the probability of each cell of a factor, added to `sums` (from the
  // cell of the known values) with this weight.
  void distribute();
  void add_probabilities(std::size_t factor, double weight, double *sums) const;

  // After collect(): a draw from the posterior, or, of maxima, the most probable configuration.
  std::vector<std::uint16_t> draw(Random &random) const;
  std::vector<std::uint16_t> most_probable() const;

  double bytes() const;

private:
  struct Clique {
    std::vector<std::size_t> members; // the node that is eliminated, and those that were left
    std::size_t cells = 1;            // the first member fastest
    unsigned first_levels = 1;
    std::vector<std::size_t> factors, children;
    std::vector<std::vector<std::uint32_t>> factor_cell; // by factor and cell of the clique
    std::vector<std::vector<std::uint32_t>> child_cell;  // by child: the cell of its message
    std::vector<double> table, message, belief;
  };

  void eliminate(const std::vector<std::size_t> &strides);
  void list_cells(const std::vector<std::size_t> &strides);
  template <class Choose> std::vector<std::uint16_t> choose(Choose &&choose_level) const;

  const std::vector<unsigned> levels_;
  std::vector<Clique> cliques_; // children come before parents
  std::vector<std::size_t> clique_of_factor_;
};

} // namespace optbn
