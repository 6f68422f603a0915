#include "core/treewidth/cuts/pair_cut.h"

#include "core/structure/bounds/cuts/nearest_point.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

// A pair of less weight is absent.
constexpr double kLeastPair = 1e-6;

// Coefficients are rounded to multiples of these fractions of the largest one, in turn.
constexpr unsigned kFractions[] = {1, 2, 3, 4, 6, 12};

// The polytope of the graphs of bounded width: a coordinate for every pair. It contains every
// subgraph of its graphs, so no coefficient below 0 is needed.
class GraphPolytope {
public:
  using Vertex = std::vector<char>; // by pair: is it an edge?

  explicit GraphPolytope(HeaviestGraph &heaviest) : heaviest_(heaviest) {}

  Vertex furthest(const std::vector<double> &normal) {
    std::vector<double> weights(normal);
    for (double &weight : weights)
      weight = std::max(weight, 0.0);
    heaviest_.weight(weights);
    ++runs_;
    Vertex edges = heaviest_.edges();
    reach_ = 0;
    for (std::size_t j = 0; j < edges.size(); ++j) {
      edges[j] = edges[j] && normal[j] > 0;
      reach_ += edges[j] ? normal[j] : 0;
    }
    return edges;
  }
  double reach() const { return reach_; }

  static double squared_distance(const Vertex &a, const Vertex &b) {
    double distance = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
      distance += a[j] != b[j];
    return distance;
  }

  template <class Visit> static void for_each_one(const Vertex &edges, Visit visit) {
    for (std::size_t j = 0; j < edges.size(); ++j)
      if (edges[j])
        visit(j);
  }

  unsigned runs() const { return runs_; }

private:
  HeaviestGraph &heaviest_;
  double reach_ = 0;
  unsigned runs_ = 0;
};

constexpr unsigned kNearestSteps = 100;
constexpr double kNearestAccuracy = .5;

class CutMaker {
public:
  CutMaker(const WeightedMinor &minor, HeaviestGraph &heaviest)
      : minor_(minor), heaviest_(heaviest), by_weight_(minor.weight.size()) {
    std::iota(by_weight_.begin(), by_weight_.end(), std::size_t{0});
    std::stable_sort(by_weight_.begin(), by_weight_.end(), [&](std::size_t i, std::size_t j) {
      return minor.weight[i] > minor.weight[j];
    });
  }

  // The most violated of some cuts near this normal, raised.
  PairCut best_near(const std::vector<double> &normal) {
    const double largest = *std::max_element(normal.begin(), normal.end());
    PairCut best;
    for (const unsigned fraction : kFractions) {
      std::vector<double> whole;
      for (const double coefficient : normal)
        whole.push_back(std::max(0.0, std::round(coefficient / largest * fraction)));
      PairCut cut = make(whole, run(whole));
      if (cut.violation > best.violation + 1e-9)
        best = std::move(cut);
    }
    return best.violation > 0 ? raised(best) : best;
  }
  unsigned runs() const { return runs_; }

private:
  double run(const std::vector<double> &coefficient) {
    ++runs_;
    return heaviest_.weight(coefficient);
  }

  // A pair's coefficient may grow by what the heaviest graph with that edge has less than `most`.
  PairCut raised(const PairCut &cut) {
    std::vector<double> coefficient(cut.coefficient.begin(), cut.coefficient.end());
    const double enforced = 1 + cut.most + cut.excess();
    for (const std::size_t j : by_weight_) {
      if (minor_.weight[j] < kLeastPair)
        break;
      std::vector<double> with = coefficient;
      with[j] += enforced;
      coefficient[j] += std::max(0.0, cut.most + enforced - run(with));
    }
    return make(coefficient, cut.most);
  }

  PairCut make(const std::vector<double> &coefficient, double most) const {
    PairCut cut;
    double lhs = 0, norm = 0;
    for (std::size_t j = 0; j < coefficient.size(); ++j) {
      cut.coefficient.push_back(static_cast<unsigned>(coefficient[j]));
      lhs += coefficient[j] * minor_.weight[j];
      norm += coefficient[j] * coefficient[j];
    }
    cut.most = static_cast<unsigned>(most);
    const double excess = cut.excess();
    norm += static_cast<double>(minor_.contracted.size()) * excess * excess;
    cut.violation = norm > 0 ? (lhs - most - excess * minor_.lacking) / std::sqrt(norm) : 0;
    return cut;
  }

  const WeightedMinor &minor_;
  HeaviestGraph &heaviest_;
  std::vector<std::size_t> by_weight_; // pairs, the heaviest first
  unsigned runs_ = 0;
};

// Is the graph of all pairs that have weight itself too wide? Otherwise no cut is violated.
bool is_wide(const WeightedMinor &minor, HeaviestGraph &heaviest) {
  std::vector<double> present;
  double edges = 0;
  for (const double weight : minor.weight) {
    present.push_back(weight > kLeastPair ? 1 : 0);
    edges += present.back();
  }
  return heaviest.weight(present) < edges;
}

} // namespace

unsigned PairCut::excess() const {
  return std::accumulate(coefficient.begin(), coefficient.end(), 0u) - most;
}

PairCut violated_pair_cut(const WeightedMinor &minor, HeaviestGraph &heaviest, double least,
                          double &steps) {
  steps += heaviest.steps();
  if (!is_wide(minor, heaviest))
    return {};
  GraphPolytope polytope(heaviest);
  NearestPoint<GraphPolytope> nearest(minor.weight, polytope, kNearestSteps, kNearestAccuracy);
  const bool separated = nearest.separate(least);
  steps += heaviest.steps() * polytope.runs();
  if (!separated)
    return {};
  CutMaker maker(minor, heaviest);
  PairCut cut = maker.best_near(nearest.normal());
  steps += heaviest.steps() * maker.runs();
  return cut.violation > least ? cut : PairCut{};
}

} // namespace optbn
