// FamilyStatistics: the expected statistics of every family of a network, which are all that
// parameters depend on.
//
// Of a discrete node the expected number of rows in each cell of its table; of a continuous node, for
// each configuration of its discrete parents, the expected sums of products of (1, continuous
// parents, the node).
#pragma once

#include "core/completion/island_posterior.h"

namespace optbn {

class FamilyStatistics {
public:
  explicit FamilyStatistics(const MixedNetwork &network);

  // The rows that know a family, for every family.
  void add_known(const Dataset &data, const MixedNetwork &network);
  // The families of an island in a row, which `posterior` was solved for.
  void add(IslandPosterior &posterior, const Dataset &data, const MixedNetwork &network,
           std::size_t row, double weight);

  const std::vector<double> &counts(Node v) const { return sums_[v]; } // of a discrete node
  // Of a continuous one with g continuous parents: a matrix of g + 2 columns.
  Eigen::Map<const Eigen::MatrixXd> products(Node v, std::size_t configuration) const {
    const Eigen::Index width = width_[v];
    return {sums_[v].data() + configuration * static_cast<std::size_t>(width * width), width,
            width};
  }

  // The expected logarithm of the density of a node given its parents, summed over all rows that were
  // added; and that of all nodes.
  double expected_log_density(const MixedNetwork &network, Node v) const;
  double expected_log_density(const MixedNetwork &network) const;

private:
  Eigen::Map<Eigen::MatrixXd> products(Node v, std::size_t configuration) {
    const Eigen::Index width = width_[v];
    return {sums_[v].data() + configuration * static_cast<std::size_t>(width * width), width,
            width};
  }

  std::vector<Eigen::Index> width_; // by node; 0 of a discrete one
  std::vector<std::vector<double>> sums_;
};

// How parameters are estimated.
struct Estimation {
  // By discrete node and configuration: imaginary rows of each level, and which configurations have
  // one distribution (a number of each; empty: each has its own).
  std::vector<std::vector<double>> imaginary;
  std::vector<std::vector<std::uint32_t>> region;
  // By continuous node: the least variance, and configurations whose parameters stay as they are.
  std::vector<double> least_variance;
  std::vector<std::vector<char>> fixed;
};

// The parameters that maximise the expected log-density, plus what imaginary rows add: their number
// times log theta, summed over the cells of each table. A configuration without rows keeps its own.
void maximise(const FamilyStatistics &statistics, const Estimation &how, MixedNetwork &network);

// What imaginary rows add.
double log_prior(const MixedNetwork &network, const Estimation &how);

// Intercept and slopes of the last column of such sums of products on the others, the first of
// which is 1; those of columns that others determine are 0. Also the residual sum of squares.
struct LeastSquares {
  std::vector<double> coefficients;
  double residual = 0;
};
LeastSquares least_squares(const Eigen::MatrixXd &products);

} // namespace optbn
