#include "core/structure/constraints/conditions.h"

#include <algorithm>

namespace optbn {

namespace {

using Pair = Region::Pair;

bool has_path(const Graph &graph, Node from, Node to) { return ancestors_of(graph, to)[from]; }

bool has_parent(const Graph &graph, Node v, Node u) {
  return std::binary_search(graph[v].begin(), graph[v].end(), u);
}

bool too_many_arcs(const Conditions &conditions, const Graph &graph) {
  return static_cast<double>(arc_count(graph)) > conditions.max_arcs;
}

bool among(const std::vector<Pair> &pairs, const Pair &pair) {
  return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
}

Test takes_from(Node v, const std::vector<bool> &nodes) {
  return {v, [nodes](const Node *first, const Node *last) {
            return std::any_of(first, last, [&](Node u) { return nodes[u]; });
          }};
}

std::vector<Test> no_smaller_set(const Graph &graph) {
  std::vector<Test> tests;
  for (Node v = 0; v < graph.size(); ++v)
    if (!graph[v].empty())
      tests.push_back(takes_at_least(v, graph[v].size()));
  return tests;
}

// The parts in which at least one test fails.
void cut_off(Region region, const std::vector<Test> &tests, std::vector<Region> &parts) {
  cut(region, tests, parts);
}

std::vector<Test> arcs_of(const std::vector<Node> &path) {
  std::vector<Test> arcs;
  for (std::size_t i = 1; i < path.size(); ++i)
    arcs.push_back(takes(path[i], path[i - 1]));
  return arcs;
}

// Networks that lack one of the path's arcs, and those that have it whole.
void cut_along(Region region, const std::vector<Node> &path, std::vector<Region> &parts) {
  if (!path.empty() && cut(region, arcs_of(path), parts))
    parts.push_back(std::move(region));
}

void demand_way(Region &region, Node from, Node to) {
  if (from != to)
    region.demand_path(from, to);
}

void cut_where_forbidden(const Region &region, const Graph &graph, const Pair &path,
                         std::vector<Region> &parts) {
  if (among(region.open, path)) {
    cut_off(region, arcs_of(directed_path(graph, path.first, path.second)), parts);
    return;
  }
  for (const Pair &first : region.barred)
    for (const Pair &last : region.barred) {
      Region clash = region;
      clash.open.push_back(path);
      demand_way(clash, path.first, first.second);
      demand_way(clash, last.first, path.second);
      if (first != last && first.first != last.second)
        clash.demand_order(first.first, last.second);
      parts.push_back(std::move(clash));
    }
  Region barred = region;
  barred.barred.push_back(path);
  barred.demand_order(path.second, path.first);
  parts.push_back(std::move(barred));
}

} // namespace

bool meets(const Conditions &conditions, const Graph &graph) {
  return !too_many_arcs(conditions, graph) &&
         std::all_of(conditions.ancestry.begin(), conditions.ancestry.end(),
                     [&](const Ancestry &path) {
                       return has_path(graph, path.from, path.to) == path.required;
                     });
}

std::optional<Region> region_under(const Conditions &conditions, const ParentSets &sets) {
  Region region(sets);
  for (const Ancestry &path : conditions.ancestry) {
    if (path.required)
      region.demand_path(path.from, path.to);
    const bool allowed = path.required ? region.keep(takes(path.from, path.to), false) &&
                                             region.keep(takes_at_least(path.to, 1), true)
                                       : region.keep(takes(path.to, path.from), false);
    if (!allowed)
      return std::nullopt;
  }
  return region;
}

bool cut_where_broken(const Conditions &conditions, const Region &region, const Graph &graph,
                      const RegionBound &bound, std::vector<Region> &parts) {
  for (const auto &[a, b] : region.adjacent())
    if (!has_parent(graph, a, b) && !has_parent(graph, b, a)) {
      cut_off(region, {lacks(a, b), lacks(b, a)}, parts);
      return true;
    }
  for (const Ancestry &path : conditions.ancestry)
    if (!path.required && has_path(graph, path.from, path.to)) {
      cut_where_forbidden(region, graph, {path.from, path.to}, parts);
      return true;
    }
  for (const Pair &path : region.paths())
    if (!has_path(graph, path.first, path.second)) {
      cut_along(region, bound.cheapest_path(region, path.first, path.second), parts);
      return true;
    }
  if (!too_many_arcs(conditions, graph))
    return false;
  cut_off(region, no_smaller_set(graph), parts);
  return true;
}

std::vector<Region> mended(const Conditions &conditions, const Region &region, const Graph &graph,
                           const RegionBound &bound) {
  Region held = region; // with the required paths that there are
  for (const Ancestry &path : conditions.ancestry)
    if (path.required)
      for (const Test &arc : arcs_of(directed_path(graph, path.from, path.to)))
        held.keep(arc, true);
  std::vector<Region> regions;
  const auto keep = [&](const std::vector<Test> &tests, bool answer) {
    Region part = held;
    if (std::all_of(tests.begin(), tests.end(),
                    [&](const Test &test) { return part.keep(test, answer); }))
      regions.push_back(std::move(part));
  };
  for (const Ancestry &path : conditions.ancestry) {
    if (has_path(graph, path.from, path.to) == path.required)
      continue;
    if (path.required) {
      const std::vector<Node> nodes = bound.cheapest_path(region, path.from, path.to);
      if (!nodes.empty())
        keep(arcs_of(nodes), true);
      const std::vector<bool> above = ancestors_of(graph, path.to),
                              below = descendants_of(graph, path.from);
      for (Node v = 0; v < graph.size(); ++v)
        if (above[v])
          keep({takes_from(v, below)}, true);
    } else {
      regions.push_back(held);
      regions.back().demand_order(path.to, path.from);
    }
    return regions;
  }
  if (too_many_arcs(conditions, graph))
    for (const Test &test : no_smaller_set(graph))
      keep({test}, false);
  return regions;
}

} // namespace optbn
