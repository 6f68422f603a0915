// IslandPosterior: the exact joint distribution of the missing values of an island, given the known
// values of its families.
//
// Each configuration c of the missing discrete nodes has a weight, the product of the tables of the
// families, and a normal distribution of the m missing continuous nodes y: a regression with residual
// h'y + k and variance s^2 adds h h' / s^2 to their precision and -h k / s^2 to its product with
// their mean, and integrating y out leaves the weight of the known continuous values (Lauritzen &
// Wermuth 1989, doi 10.1214/aos/1176347003). Precisions depend on the discrete values alone, so rows
// that share these share prepare().
//
// An island without continuous nodes that has many configurations is not listed but eliminated
// (island_elimination.h).
//
// Cost: O(c (f + m^3)) for f families to prepare, O(c (f + m^2)) for a row. Belongs to one thread.
#pragma once

#include "core/completion/island_elimination.h"
#include "core/completion/islands.h"

#include <Eigen/Core>

#include <memory>
#include <unordered_map>
#include <vector>

namespace optbn {

class IslandPosterior {
public:
  // An island of continuous nodes with more configurations than this is refused, by MemoryLimit.
  static constexpr double kMostConfigurations = 1 << 16;

  // Discrete nodes with more configurations than this are eliminated, as that takes less time.
  static constexpr double kMostListed = 32;

  // The watch is looked at after so many rows.
  static constexpr std::size_t kRowsPerPoll = 64;

  IslandPosterior(const MixedNetwork &network, const Dataset &data,
                  double most_listed = kMostListed)
      : network_(network), data_(data), most_listed_(most_listed), position_(network.size()) {}

  // For the discrete values of a row about the island.
  void prepare(const Island &island, std::size_t row);

  // For a row that has these discrete values. Returns the logarithm of the probability density of
  // the known values of the families; minus infinity if they are impossible.
  double solve(std::size_t row);

  const Island &island() const { return *island_; }

  // Adds the probability of each cell of the i-th family, times `weight`, to `sums`: cells of its
  // table, or, of a continuous child, configurations of its discrete parents.
  void add_probabilities(std::size_t i, double weight, double *sums);

  // The elimination that was solved, or null where configurations are listed. With `maximum` it is
  // solved again, for the most probable configuration.
  std::shared_ptr<IslandElimination> eliminated(bool maximum = false);

  // What follows is of listed configurations.
  std::size_t configurations() const { return weight_.size(); }
  // The level of the island's i-th discrete node.
  unsigned level(std::size_t configuration, std::size_t i) const {
    return level_[configuration * island_->discrete.size() + i];
  }
  double probability(std::size_t configuration) const { return probability_[configuration]; }
  // Of the island's continuous nodes.
  const Eigen::VectorXd &mean(std::size_t configuration) const { return mean_[configuration]; }
  const Eigen::MatrixXd &covariance(std::size_t configuration) const {
    return covariance_[configuration];
  }
  // The logarithm of the density at the mean, up to what configurations share.
  double log_peak(std::size_t configuration) const;

  // The configuration of the discrete parents of a family, its i-th; of a discrete child the cell of
  // its table.
  std::size_t cell(std::size_t configuration, std::size_t i) const {
    return cell_[configuration * families_.size() + i];
  }
  // Where a node stands among the island's continuous ones, or -1 if it is none.
  Eigen::Index position(Node v) const { return position_[v]; }

private:
  void find_cells(std::size_t row);
  void list_configurations();
  void add_normals();
  double solve_elimination(std::size_t row);
  std::shared_ptr<IslandElimination> elimination_of(const Island &island);

  const MixedNetwork &network_;
  const Dataset &data_;
  const double most_listed_;
  const Island *island_ = nullptr;
  std::vector<Node> families_;
  std::vector<Eigen::Index> position_;
  // Of each family the cell of the known levels, and by discrete node of the island how many cells a
  // level moves it.
  std::vector<std::size_t> base_, stride_;

  // Listed configurations.
  std::vector<std::uint16_t> level_;
  std::vector<std::size_t> cell_;
  std::vector<double> weight_;                  // by configuration, before a row is known: its log
  std::vector<double> log_determinant_;         // of the precision
  std::vector<double> probability_, log_joint_; // of the row
  std::vector<Eigen::VectorXd> mean_;
  std::vector<Eigen::MatrixXd> covariance_;

  // Elimination.
  std::shared_ptr<IslandElimination> eliminated_;
  bool distributed_ = false;
  IslandElimination::Factors factors_;
  std::vector<std::vector<double>>
      density_; // of the continuous children of the row, by configuration
  std::unordered_map<const Island *, std::shared_ptr<IslandElimination>> eliminations_;
  double bytes_ = 0; // of these
};

} // namespace optbn
