#include "core/completion/islands.h"

#include "core/base/ascending.h"

#include <algorithm>
#include <unordered_map>

namespace optbn {

namespace {

std::vector<Node> parents_of(const NodeModel &model) {
  std::vector<Node> parents = model.discrete;
  parents.insert(parents.end(), model.continuous.begin(), model.continuous.end());
  return parents;
}

struct HashOfCodes {
  std::size_t operator()(const std::vector<std::uint32_t> &codes) const {
    std::size_t hash = 14695981039346656037u; // FNV-1a
    for (const std::uint32_t code : codes)
      hash = (hash ^ code) * 1099511628211u;
    return hash;
  }
};

} // namespace

IslandFinder::IslandFinder(const MixedNetwork &network)
    : network_(network), families_(network.size()), neighbours_(network.size()) {
  for (Node v = 0; v < network.size(); ++v) {
    std::vector<Node> family = parents_of(network.nodes[v]);
    family.push_back(v);
    for (const Node u : family) {
      families_[u].push_back(v);
      for (const Node w : family)
        if (w != u)
          insert(neighbours_[u], w);
    }
  }
}

const std::vector<std::uint32_t> &IslandFinder::find(const std::vector<Node> &missing) {
  const auto [entry, is_new] = found_.try_emplace(missing);
  if (!is_new)
    return entry->second;
  std::vector<char> open(network_.size(), 0);
  for (const Node v : missing)
    open[v] = 1;
  for (const Node first : missing) {
    if (!open[first])
      continue;
    std::vector<Node> reached{first};
    open[first] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Node u : neighbours_[reached[i]])
        if (open[u]) {
          open[u] = 0;
          reached.push_back(u);
        }
    entry->second.push_back(number_of(std::move(reached)));
  }
  return entry->second;
}

std::uint32_t IslandFinder::number_of(std::vector<Node> nodes) {
  std::sort(nodes.begin(), nodes.end());
  const auto [entry, is_new] =
      numbers_.try_emplace(nodes, static_cast<std::uint32_t>(islands_.size()));
  if (is_new) {
    Island island;
    for (const Node v : nodes) {
      (network_.discrete(v) ? island.discrete : island.continuous).push_back(v);
      for (const Node family : families_[v])
        insert(island.families, family);
    }
    islands_.push_back(std::move(island));
  }
  return entry->second;
}

std::vector<Node> missing_nodes(const Dataset &data, std::size_t row) {
  std::vector<Node> missing;
  for (Node v = 0; v < data.size(); ++v)
    if (data.columns[v].missing(row))
      missing.push_back(v);
  return missing;
}

std::vector<IslandRows> group_islands(const Dataset &data, const MixedNetwork &network,
                                      IslandFinder &finder) {
  std::vector<IslandRows> groups;
  // By island and the known levels of its families.
  std::unordered_map<std::vector<std::uint32_t>, std::size_t, HashOfCodes> number;
  std::vector<std::uint32_t> key;
  for (std::uint32_t row = 0; row < data.rows; ++row) {
    const std::vector<Node> missing = missing_nodes(data, row);
    if (missing.empty())
      continue;
    for (const std::uint32_t i : finder.find(missing)) {
      bool continuous = false;
      key.assign(1, i);
      for (const Node v : finder.island(i).families) {
        const NodeModel &model = network.nodes[v];
        continuous = continuous || !network.discrete(v);
        if (network.discrete(v))
          key.push_back(data.columns[v].codes[row]);
        for (const Node u : model.discrete)
          key.push_back(data.columns[u].codes[row]);
      }
      const auto [entry, is_new] = number.try_emplace(key, groups.size());
      if (is_new)
        groups.push_back({i, {}, {}});
      IslandRows &group = groups[entry->second];
      if (continuous || is_new) {
        group.rows.push_back(row);
        group.weights.push_back(data.weight(row));
      } else {
        group.weights[0] += data.weight(row);
      }
    }
  }
  return groups;
}

} // namespace optbn
