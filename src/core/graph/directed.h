// Directed graphs: orders, ancestors, paths.
#pragma once

#include "core/data/dataset.h"

#include <vector>

namespace optbn {

using Graph = std::vector<std::vector<Node>>; // node -> its parents

bool is_acyclic(const Graph &graph);

// The nodes, parents before children; the graph is acyclic.
std::vector<Node> topological_order(const Graph &graph);

// Node -> is it `v` or an ancestor of `v`?
std::vector<bool> ancestors_of(const Graph &graph, Node v);

// Node -> is it `v` or a descendant of `v`?
std::vector<bool> descendants_of(const Graph &graph, Node v);

// The sets of nodes of which each is an ancestor of each, every set after those that its parents
// are in; nodes ascending.
std::vector<std::vector<Node>> strong_components(const Graph &graph);

// The nodes of a shortest directed path, both ends included; empty when there is none.
std::vector<Node> directed_path(const Graph &graph, Node from, Node to);

} // namespace optbn
