#include "core/inference/clique_tree.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"

#include <algorithm>
#include <limits>

namespace optbn {

namespace {

constexpr std::uint32_t kNoClique = std::numeric_limits<std::uint32_t>::max();

void find_cliques(const TreeDecomposition &decomposition, CliqueTree &tree) {
  for (std::uint32_t bag = 0; bag < decomposition.size(); ++bag)
    for (const Node v : decomposition.bags[bag])
      tree.cliques_of[v].push_back(bag);
  for (const auto &cliques : tree.cliques_of) {
    if (cliques.empty())
      throw Error("the tree decomposition lacks a node");
    tree.top.push_back(cliques.front()); // parents come before children
  }
}

// A node may be eliminated once its top clique is a leaf, so the residuals of later cliques come
// first: then a separator, whose members have their top cliques further up, is the end of its
// clique. Within the residual of a clique the order is free: many levels first make long inner
// loops.
void order_members(const TreeDecomposition &decomposition, const std::vector<unsigned> &levels,
                   CliqueTree &tree) {
  const auto comes_before = [&](Node a, Node b) {
    if (tree.top[a] != tree.top[b])
      return tree.top[a] > tree.top[b];
    return levels[a] != levels[b] ? levels[a] > levels[b] : a < b;
  };
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    Clique &clique = tree.cliques[i];
    clique.members = decomposition.bags[i];
    std::sort(clique.members.begin(), clique.members.end(), comes_before);
    clique.residual = static_cast<std::size_t>(std::count_if(
        clique.members.begin(), clique.members.end(), [&](Node v) { return tree.top[v] == i; }));
    clique.parent = decomposition.parent[i] == i ? 0 : decomposition.parent[i];
    if (i > 0)
      tree.cliques[clique.parent].children.push_back(i);
  }
}

void count_cells(const std::vector<unsigned> &levels, CliqueTree &tree) {
  for (const Clique &clique : tree.cliques) {
    double cells = 1;
    for (const Node v : clique.members)
      cells *= levels[v];
    tree.cells.push_back(cells);
    tree.total_cells += cells;
    tree.width = std::max(tree.width, clique.members.size() - 1);
  }
}

bool contains(const Clique &clique, const std::vector<Node> &nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&](Node v) {
    return std::find(clique.members.begin(), clique.members.end(), v) != clique.members.end();
  });
}

// Among the cliques of `v`, the one with the fewest cells that contains `nodes` too.
std::uint32_t smallest_clique(const CliqueTree &tree, Node v, const std::vector<Node> &nodes) {
  std::uint32_t best = kNoClique;
  for (const std::uint32_t i : tree.cliques_of[v])
    if ((best == kNoClique || tree.cells[i] < tree.cells[best]) && contains(tree.cliques[i], nodes))
      best = i;
  return best;
}

// The cliques that contain a node are connected.
[[maybe_unused]] bool separators_are_in_parents(const CliqueTree &tree) {
  return std::all_of(tree.cliques.begin(), tree.cliques.end(), [&](const Clique &clique) {
    const auto separator = clique.members.begin() + static_cast<std::ptrdiff_t>(clique.residual);
    return contains(tree.cliques[clique.parent], {separator, clique.members.end()});
  });
}

[[maybe_unused]] std::size_t residual_members(const CliqueTree &tree) {
  std::size_t count = 0;
  for (const Clique &clique : tree.cliques)
    count += clique.residual;
  return count;
}

} // namespace

CliqueTree make_clique_tree(const std::vector<unsigned> &levels,
                            const std::vector<std::vector<Node>> &parents,
                            const TreeDecomposition &decomposition) {
  CliqueTree tree;
  tree.cliques.resize(decomposition.size());
  tree.cliques_of.resize(levels.size());
  find_cliques(decomposition, tree);
  order_members(decomposition, levels, tree);
  count_cells(levels, tree);
  for (std::size_t v = 0; v < levels.size(); ++v) {
    const Node node = static_cast<Node>(v);
    tree.smallest.push_back(smallest_clique(tree, node, {}));
    const std::uint32_t assigned = smallest_clique(tree, node, parents[v]);
    if (assigned == kNoClique)
      throw Error("the tree decomposition does not cover every family");
    tree.cliques[assigned].families.push_back(node);
  }
  OPTBN_INVARIANT(separators_are_in_parents(tree), "a separator is a subset of the parent clique");
  OPTBN_INVARIANT(residual_members(tree) == levels.size(),
                  "every node is in the residual of one clique");
  return tree;
}

} // namespace optbn
