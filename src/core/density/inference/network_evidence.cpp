#include "core/density/inference/network_evidence.h"

#include "core/density/inference/tree_descent.h"
#include "core/density/inference/tree_messages.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

// By place: log of the weights of the cuts on the way, times those that the evidence gives to the
// levels there.
std::vector<double> log_ways(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                             const LevelWeights &evidence) {
  std::vector<double> log_way(network.places.size(), 0.0);
  for (std::size_t i = 0; i < network.places.size(); ++i) {
    const CutsetNetwork::Place &place = network.places[i];
    if (place.cut == CutsetNetwork::kLeaf)
      continue;
    for (unsigned level = 0; level < levels[place.cut]; ++level) {
      const std::size_t child = place.first + level;
      log_way[child] =
          log_way[i] + std::log(network.places[child].weight) + evidence.logs(place.cut)[level];
    }
  }
  return log_way;
}

// visit(place, tree, log way) for all leaves that can be reached.
template <class Visit>
void for_each_leaf(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                   const LevelWeights &evidence, Visit visit) {
  const std::vector<double> log_way = log_ways(network, levels, evidence);
  for (std::size_t i = 0; i < log_way.size(); ++i)
    if (network.places[i].cut == CutsetNetwork::kLeaf && log_way[i] != kLogZero)
      visit(i, network.leaves[network.places[i].first], log_way[i]);
}

class PosteriorSum {
public:
  PosteriorSum(const CutsetNetwork &network, const std::vector<unsigned> &levels,
               const LevelWeights &evidence)
      : network_(network), levels_(levels), evidence_(evidence),
        mass_(network.places.size(), kLogZero), cells_(evidence.cells(), 0.0) {}

  Posterior solve() {
    for_each_leaf(network_, levels_, evidence_,
                  [&](std::size_t place, const TreeDensity &tree, double log_way) {
                    add_leaf(place, tree, log_way);
                  });
    if (largest_ == kLogZero)
      return {};
    add_cuts();
    for (double &cell : cells_)
      cell /= mass_[0];
    return {largest_ + std::log(mass_[0]), std::move(cells_)};
  }

private:
  // Sums are relative to the largest leaf so far.
  void add_leaf(std::size_t place, const TreeDensity &tree, double log_way) {
    const double log_p = mass_[place] = log_way + messages_.collect(tree, evidence_);
    if (log_p > largest_) {
      const double shrink = std::exp(largest_ - log_p);
      for (double &cell : cells_)
        cell *= shrink;
      largest_ = log_p;
    }
    if (log_p != kLogZero)
      descent_.add_marginals(tree, messages_.condition(), std::exp(log_p - largest_), evidence_,
                             cells_.data());
  }

  // From leaves to the root: masses of places, which are those of the levels of the cuts.
  void add_cuts() {
    for (std::size_t i = mass_.size(); i-- > 0;) {
      const CutsetNetwork::Place &place = network_.places[i];
      if (place.cut == CutsetNetwork::kLeaf) {
        mass_[i] = std::exp(mass_[i] - largest_);
        continue;
      }
      mass_[i] = 0;
      for (unsigned level = 0; level < levels_[place.cut]; ++level) {
        mass_[i] += mass_[place.first + level];
        cells_[evidence_.first(place.cut) + level] += mass_[place.first + level];
      }
    }
  }

  const CutsetNetwork &network_;
  const std::vector<unsigned> &levels_;
  const LevelWeights &evidence_;
  TreeMessages messages_;
  TreeDescent descent_;
  double largest_ = kLogZero;
  std::vector<double> mass_; // by place: of leaves, logarithms first
  std::vector<double> cells_;
};

} // namespace

std::vector<double> leaf_logs(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                              const LevelWeights &evidence) {
  TreeMessages messages;
  std::vector<double> logs(network.places.size(), kLogZero);
  for_each_leaf(network, levels, evidence,
                [&](std::size_t place, const TreeDensity &tree, double log_way) {
                  logs[place] = log_way + messages.collect(tree, evidence);
                });
  return logs;
}

Posterior posterior(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                    const LevelWeights &evidence) {
  return PosteriorSum(network, levels, evidence).solve();
}

void follow_way(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                std::size_t place, std::uint16_t *row) {
  for (std::size_t i = place; i-- > 0;) { // places come before their children
    const CutsetNetwork::Place &above = network.places[i];
    if (above.cut == CutsetNetwork::kLeaf || place < above.first ||
        place >= above.first + levels[above.cut])
      continue;
    row[above.cut] = static_cast<std::uint16_t>(place - above.first);
    place = i;
  }
}

Row best_row(const CutsetNetwork &network, const std::vector<unsigned> &levels,
             const LevelWeights &evidence) {
  TreeMessages messages;
  Row best, row(levels.size(), 0);
  double largest = kLogZero;
  for_each_leaf(network, levels, evidence,
                [&](std::size_t place, const TreeDensity &tree, double log_way) {
                  const double log_p = log_way + messages.maximise(tree, evidence, row.data());
                  if (!(log_p > largest))
                    return;
                  follow_way(network, levels, place, row.data());
                  largest = log_p;
                  best = row;
                });
  return best;
}

} // namespace optbn
