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

IslandFinder::IslandFinder(const MixedNetwork &network, Barren barren)
    : network_(network), barren_(barren), families_(network.size()), neighbours_(network.size()) {
  std::vector<std::size_t> children(network.size(), 0);
  for (Node v = 0; v < network.size(); ++v) {
    std::vector<Node> family = parents_of(network.nodes[v]);
    for (const Node u : family)
      ++children[u];
    family.push_back(v);
    for (const Node u : family) {
      families_[u].push_back(v);
      for (const Node w : family)
        if (w != u)
          insert(neighbours_[u], w);
    }
  }
  for (Node v = 0; v < network.size(); ++v)
    if (children[v] == 0)
      order_.push_back(v);
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (const Node u : parents_of(network.nodes[order_[i]]))
      if (--children[u] == 0)
        order_.push_back(u);
}

std::vector<char> IslandFinder::counting(const std::vector<Node> &missing, int asked) const {
  std::vector<char> counts(network_.size(), 1);
  if (barren_ == Barren::kept)
    return counts;
  for (const Node v : missing)
    counts[v] = v == asked;
  for (const Node v : order_)
    if (counts[v])
      for (const Node u : parents_of(network_.nodes[v]))
        counts[u] = 1;
  return counts;
}

const std::vector<std::uint32_t> &IslandFinder::find(const std::vector<Node> &missing, int asked) {
  const auto [entry, is_new] = found_.try_emplace(missing);
  if (!is_new)
    return entry->second;
  const std::vector<char> counts = counting(missing, asked);
  std::vector<char> open(network_.size(), 0);
  for (const Node v : missing)
    open[v] = counts[v];
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
    entry->second.push_back(number_of(std::move(reached), counts));
  }
  return entry->second;
}

std::uint32_t IslandFinder::number_of(std::vector<Node> nodes, const std::vector<char> &counts) {
  std::sort(nodes.begin(), nodes.end());
  Island island;
  for (const Node v : nodes) {
    (network_.discrete(v) ? island.discrete : island.continuous).push_back(v);
    for (const Node family : families_[v])
      if (counts[family])
        insert(island.families, family);
  }
  const auto [entry, is_new] = numbers_.try_emplace(std::pair(std::move(nodes), island.families),
                                                    static_cast<std::uint32_t>(islands_.size()));
  if (is_new)
    islands_.push_back(std::move(island));
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
