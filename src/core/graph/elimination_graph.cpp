#include "core/graph/elimination_graph.h"

#include "core/base/ascending.h"
#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// visit(w) for every node of ascending `nodes` that is not in ascending `others`.
template <class Visit>
void for_each_missing(const std::vector<Node> &nodes, const std::vector<Node> &others,
                      Visit visit) {
  auto other = others.begin();
  for (const Node w : nodes) {
    while (other != others.end() && *other < w)
      ++other;
    if (other == others.end() || *other != w)
      visit(w);
  }
}

template <class Visit>
void for_each_common(const std::vector<Node> &nodes, const std::vector<Node> &others, Visit visit) {
  for (auto a = nodes.begin(), b = others.begin(); a != nodes.end() && b != others.end();) {
    if (*a < *b) {
      ++a;
    } else if (*b < *a) {
      ++b;
    } else {
      visit(*a);
      ++a;
      ++b;
    }
  }
}

} // namespace

EliminationGraph::EliminationGraph(const UndirectedGraph &graph,
                                   const std::vector<double> &log_levels)
    : graph_(graph), log_levels_(log_levels), fill_(graph.size()), weighted_fill_(graph.size()),
      is_changed_(graph.size()) {
  for (const double log : log_levels)
    levels_.push_back(static_cast<std::uint64_t>(std::llround(std::exp(log))));
  for (Node v = 0; v < size(); ++v)
    for (const Node a : neighbours(v))
      for_each_missing(neighbours(v), neighbours(a), [&](Node b) {
        if (b <= a)
          return;
        fill_[v] += 1;
        weighted_fill_[v] += levels_[a] * levels_[b];
      });
}

double EliminationGraph::log_cells(Node v) const {
  double sum = log_levels_[v];
  for (const Node w : neighbours(v))
    sum += log_levels_[w];
  return sum;
}

const std::vector<Node> &EliminationGraph::eliminate(Node v) {
  for (const Node w : changed_)
    is_changed_[w] = false;
  changed_.clear();
  const std::vector<Node> around = std::move(graph_.neighbours[v]);
  graph_.neighbours[v].clear();
  [[maybe_unused]] std::uint64_t joined = 0;
  for (const Node a : around)
    disconnect(a, v, around);
  for (const Node a : around) {
    missing_.clear();
    for_each_missing(around, neighbours(a), [&](Node b) {
      if (b > a)
        missing_.push_back(b);
    });
    joined += missing_.size();
    for (const Node b : missing_)
      join(a, b);
  }
  OPTBN_INVARIANT(joined == fill(v), "the fill of the node is the number of pairs joined");
  return changed_;
}

// Removes the edge from a to v, whose neighbours are `around`. Pairs of v and another neighbour of
// a no longer count in the fill of a.
void EliminationGraph::disconnect(Node a, Node v, const std::vector<Node> &around) {
  std::vector<Node> &others = graph_.neighbours[a];
  erase(others, v);
  for_each_missing(others, around, [&](Node w) {
    fill_[a] -= 1;
    weighted_fill_[a] -= levels_[v] * levels_[w];
  });
  mark_changed(a);
}

void EliminationGraph::join(Node a, Node b) {
  const auto add_pairs = [&](Node at, Node other) { // pairs of the new neighbour with the old ones
    for_each_missing(neighbours(at), neighbours(other), [&](Node w) {
      fill_[at] += 1;
      weighted_fill_[at] += levels_[other] * levels_[w];
    });
  };
  add_pairs(a, b);
  add_pairs(b, a);
  for_each_common(neighbours(a), neighbours(b), [&](Node w) {
    fill_[w] -= 1;
    weighted_fill_[w] -= levels_[a] * levels_[b];
    mark_changed(w);
  });
  insert(graph_.neighbours[a], b);
  insert(graph_.neighbours[b], a);
}

void EliminationGraph::mark_changed(Node v) {
  if (!is_changed_[v]) {
    is_changed_[v] = true;
    changed_.push_back(v);
  }
}

} // namespace optbn
