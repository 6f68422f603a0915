#include "core/treewidth/cuts/pair_cut.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace optbn {

namespace {

// A pair of less weight is absent.
constexpr double kLeastPair = 1e-6;

// Coefficients are rounded to multiples of these fractions of the largest one, in turn.
constexpr unsigned kFractions[] = {1, 2, 3, 4, 6, 12};

// The nearest point of the polytope to the weights, roughly: near enough for a normal that
// separates. The polytope contains every subgraph of its graphs, so no coefficient below 0 is
// needed.
class NearestGraph {
public:
  NearestGraph(const std::vector<double> &target, HeaviestGraph &heaviest)
      : target_(target), heaviest_(heaviest), point_(target.size(), 0), normal_(target) {
    vertices_.push_back({toward_normal(), 1});
    move(vertices_.front().edges, 1);
  }

  // Whether the normal separates the target from the polytope, further away than `least`.
  bool separate(double least) {
    for (unsigned step = 0; step < kSteps; ++step) {
      double distance = 0, at_point = 0;
      for (std::size_t j = 0; j < normal_.size(); ++j) {
        normal_[j] = target_[j] - point_[j];
        distance += normal_[j] * normal_[j];
        at_point += normal_[j] * point_[j];
      }
      if (distance < least * least)
        return false;
      Edges toward = toward_normal();
      const double reached = along_normal(toward);
      if (reached - at_point < kAccuracy * distance)
        return true;
      if (!shift(std::move(toward), reached))
        return false;
    }
    return false;
  }
  const std::vector<double> &normal() const { return normal_; }
  unsigned runs() const { return runs_; }

private:
  using Edges = std::vector<char>;
  static constexpr unsigned kSteps = 100;
  static constexpr double kAccuracy = .5; // of the squared distance

  struct Vertex {
    Edges edges;
    double weight;
  };

  Edges toward_normal() {
    std::vector<double> weights(normal_);
    for (double &weight : weights)
      weight = std::max(weight, 0.0);
    heaviest_.weight(weights);
    ++runs_;
    Edges edges = heaviest_.edges();
    for (std::size_t j = 0; j < edges.size(); ++j)
      edges[j] = edges[j] && normal_[j] > 0;
    return edges;
  }

  void move(const Edges &edges, double weight) {
    for (std::size_t j = 0; j < edges.size(); ++j)
      point_[j] += edges[j] ? weight : 0;
  }

  double along_normal(const Edges &edges) const {
    double sum = 0;
    for (std::size_t j = 0; j < edges.size(); ++j)
      sum += edges[j] ? normal_[j] : 0;
    return sum;
  }

  // Moves weight from the worst vertex in use to the new one, as far as the distance falls; false
  // if that is the same one.
  bool shift(Edges toward, double reached) {
    std::size_t worst = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const double height = along_normal(vertices_[i].edges);
      if (height < least) {
        least = height;
        worst = i;
      }
    }
    double length = 0;
    for (std::size_t j = 0; j < toward.size(); ++j)
      length += toward[j] != vertices_[worst].edges[j];
    if (length == 0)
      return false;
    const double weight = std::min(vertices_[worst].weight, (reached - least) / length);
    move(vertices_[worst].edges, -weight);
    move(toward, weight);
    vertices_[worst].weight -= weight;
    if (vertices_[worst].weight < 1e-12)
      vertices_.erase(vertices_.begin() + static_cast<std::ptrdiff_t>(worst));
    for (Vertex &vertex : vertices_)
      if (vertex.edges == toward) {
        vertex.weight += weight;
        return true;
      }
    vertices_.push_back({std::move(toward), weight});
    return true;
  }

  const std::vector<double> &target_;
  HeaviestGraph &heaviest_;
  std::vector<double> point_, normal_;
  std::vector<Vertex> vertices_;
  unsigned runs_ = 0;
};

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
  NearestGraph nearest(minor.weight, heaviest);
  const bool separated = nearest.separate(least);
  steps += heaviest.steps() * nearest.runs();
  if (!separated)
    return {};
  CutMaker maker(minor, heaviest);
  PairCut cut = maker.best_near(nearest.normal());
  steps += heaviest.steps() * maker.runs();
  return cut.violation > least ? cut : PairCut{};
}

} // namespace optbn
