// NearestPoint: the point of a polytope that is nearest to a target, roughly: near enough for a
// normal that separates the two.
//
// The pairwise Frank-Wolfe method (Lacoste-Julien & Jaggi 2015, arXiv 1511.05932): in every step
// weight moves from the vertex in use that is least far along the normal to the one of all that is
// furthest, as far as the distance falls. A Polytope has
//
//   Vertex                             comparable by ==; a point of zeros and ones
//   Vertex furthest(normal)            a vertex furthest along the normal,
//   double reach()                     and how far that is
//   double squared_distance(a, b)      of two vertices
//   void for_each_one(vertex, visit)   visit(j) for every coordinate j that is one
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace optbn {

template <class Polytope> class NearestPoint {
public:
  // accuracy: of the squared distance, by which the distance along the normal may be less.
  NearestPoint(const std::vector<double> &target, Polytope &polytope, unsigned steps,
               double accuracy)
      : target_(target), polytope_(polytope), steps_(steps), accuracy_(accuracy),
        point_(target.size(), 0), normal_(target) {
    vertices_.push_back({polytope_.furthest(normal_), 1});
    move(vertices_.front().vertex, 1);
  }

  // Whether the normal, which points at the target, separates it from the polytope, further away
  // than `least`.
  bool separate(double least) {
    for (unsigned step = 0; step < steps_; ++step) {
      double distance = 0, at_point = 0;
      for (std::size_t j = 0; j < normal_.size(); ++j) {
        normal_[j] = target_[j] - point_[j];
        distance += normal_[j] * normal_[j];
        at_point += normal_[j] * point_[j];
      }
      if (distance < least * least)
        return false;
      Vertex toward = polytope_.furthest(normal_);
      if (polytope_.reach() - at_point < accuracy_ * distance)
        return true;
      if (!shift(std::move(toward)))
        return false;
    }
    return false;
  }
  const std::vector<double> &normal() const { return normal_; }

private:
  using Vertex = typename Polytope::Vertex;

  struct Weighted {
    Vertex vertex;
    double weight;
  };

  void move(const Vertex &vertex, double weight) {
    polytope_.for_each_one(vertex, [&](std::size_t j) { point_[j] += weight; });
  }

  double along_normal(const Vertex &vertex) const {
    double sum = 0;
    polytope_.for_each_one(vertex, [&](std::size_t j) { sum += normal_[j]; });
    return sum;
  }

  // False if the two vertices are the same.
  bool shift(Vertex toward) {
    std::size_t worst = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const double height = along_normal(vertices_[i].vertex);
      if (height < least) {
        least = height;
        worst = i;
      }
    }
    const double length = polytope_.squared_distance(toward, vertices_[worst].vertex);
    if (length == 0)
      return false;
    const double weight = std::min(vertices_[worst].weight, (polytope_.reach() - least) / length);
    move(vertices_[worst].vertex, -weight);
    move(toward, weight);
    vertices_[worst].weight -= weight;
    if (vertices_[worst].weight < 1e-12)
      vertices_.erase(vertices_.begin() + static_cast<std::ptrdiff_t>(worst));
    for (Weighted &used : vertices_)
      if (used.vertex == toward) {
        used.weight += weight;
        return true;
      }
    vertices_.push_back({std::move(toward), weight});
    return true;
  }

  const std::vector<double> &target_;
  Polytope &polytope_;
  const unsigned steps_;
  const double accuracy_;
  std::vector<double> point_, normal_;
  std::vector<Weighted> vertices_;
};

} // namespace optbn
