// LinkedNetwork: an acyclic network that changes family by family, with its arcs both ways.
#pragma once

#include "core/graph/directed.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace optbn {

class LinkedNetwork {
public:
  explicit LinkedNetwork(const Graph &parents)
      : parents_(parents.size()), children_(parents.size()) {
    for (Node v = 0; v < parents.size(); ++v)
      set_parents(v, parents[v]);
  }

  const Graph &parents() const { return parents_; }
  std::size_t arcs() const { return arcs_; }

  void set_parents(Node v, std::vector<Node> parents) {
    for (const Node u : parents_[v]) {
      std::vector<Node> &siblings = children_[u];
      *std::find(siblings.begin(), siblings.end(), v) = siblings.back();
      siblings.pop_back();
    }
    for (const Node u : parents)
      children_[u].push_back(v);
    arcs_ += parents.size() - parents_[v].size();
    parents_[v] = std::move(parents);
  }

  // From parent to child; the first arcs are those of the first nodes.
  std::pair<Node, Node> arc(std::size_t number) const {
    Node v = 0;
    for (; number >= parents_[v].size(); ++v)
      number -= parents_[v].size();
    return {parents_[v][number], v};
  }

  // Node -> is it `v` or a descendant of `v`?
  std::vector<bool> descendants(Node v) const { return ancestors_of(children_, v); }

private:
  Graph parents_, children_;
  std::size_t arcs_ = 0;
};

} // namespace optbn
