#include "core/inference/junction_tree.h"

#include "core/base/errors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

// Position of each node in the order of elimination that all cliques follow.
std::vector<std::uint32_t> elimination_ranks(const CliqueTree &tree, Node nodes) {
  std::vector<std::uint32_t> rank(nodes);
  std::uint32_t next = 0;
  for (std::size_t i = tree.size(); i-- > 0;)
    for (std::size_t m = 0; m < tree.cliques[i].residual; ++m)
      rank[tree.cliques[i].members[m]] = next++;
  return rank;
}

double smallest_positive(const std::vector<double> &table) {
  double smallest = 1;
  for (const double p : table)
    if (p > 0)
      smallest = std::min(smallest, p);
  return smallest;
}

} // namespace

JunctionTree::JunctionTree(DiscreteNetwork network, const TreeDecomposition &decomposition)
    : network_(std::move(network)),
      tree_(make_clique_tree(network_.levels, network_.parents, decomposition)),
      appearances_(size()), marginal_nodes_(tree_.size()) {
  const std::vector<std::uint32_t> rank = elimination_ranks(tree_, size());
  for (Node v = 0; v < size(); ++v) {
    reorder_table(v, rank);
    marginal_nodes_[tree_.smallest[v]].push_back(v);
  }
  const std::vector<std::size_t> extent(network_.levels.begin(), network_.levels.end());
  plans_.resize(tree_.size());
  for (std::size_t i = 0; i < tree_.size(); ++i) {
    const Clique &clique = tree_.cliques[i];
    strides_.push_back(strides_of(clique));
    double product = 1;
    for (const Node v : clique.families)
      product *= smallest_positive(table(v));
    smallest_product_.push_back(product);
    make_plan(i, extent, plans_[i]);
  }
}

void JunctionTree::reorder_table(Node v, const std::vector<std::uint32_t> &rank) {
  std::vector<Node> family = {v};
  family.insert(family.end(), parents(v).begin(), parents(v).end());
  std::vector<std::size_t> given(family.size()); // strides in the table as given
  std::size_t cells = 1;
  for (std::size_t i = 0; i < family.size(); ++i) {
    given[i] = cells;
    cells *= levels(family[i]);
  }
  if (network_.tables[v].size() != cells)
    throw Error("the table of a node does not fit its family");

  std::vector<std::size_t> order(family.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return rank[family[a]] < rank[family[b]]; });
  std::vector<double> reordered(cells);
  std::vector<unsigned> level(family.size(), 0);
  std::size_t source = 0;
  for (double &cell : reordered) {
    cell = network_.tables[v][source];
    for (const std::size_t i : order) {
      source += given[i];
      if (++level[i] < levels(family[i]))
        break;
      source -= given[i] * level[i];
      level[i] = 0;
    }
  }
  network_.tables[v] = std::move(reordered);

  std::size_t stride = 1;
  for (const std::size_t i : order) {
    appearances_[family[i]].push_back({v, stride});
    stride *= levels(family[i]);
  }
}

JunctionTree::Strides JunctionTree::strides_of(const Clique &clique) const {
  Strides strides;
  for (const Node family : clique.families) {
    strides.families.emplace_back(clique.members.size(), 0);
    for (std::size_t m = 0; m < clique.members.size(); ++m)
      for (const Appearance &in : appearances(clique.members[m]))
        if (in.family == family)
          strides.families.back()[m] = in.stride;
  }
  for (const std::uint32_t child : clique.children) {
    strides.children.emplace_back(clique.members.size(), 0);
    for (std::size_t m = 0; m < clique.members.size(); ++m)
      strides.children.back()[m] =
          std::count(tree_.cliques[child].members.begin(), tree_.cliques[child].members.end(),
                     clique.members[m]) > 0;
  }
  return strides;
}

void JunctionTree::make_plan(std::size_t clique_number, const std::vector<std::size_t> &extent,
                             CliquePlan &plan) const {
  const Clique &clique = tree_.cliques[clique_number];
  const Strides &strides = strides_[clique_number];
  const std::size_t members = clique.members.size();
  std::vector<std::size_t> stride(members, 0);

  plan.extent.resize(members);
  plan.split = 0;
  plan.block = plan.cells = plan.separator_cells = 1;
  for (std::size_t m = 0; m < members; ++m) {
    const std::size_t levels = plan.extent[m] = extent[clique.members[m]];
    if (plan.split == m && (plan.block == 1 || plan.block * levels <= kBlockCells)) {
      plan.block *= levels;
      plan.split = m + 1;
    }
    plan.cells *= levels;
    if (m >= clique.residual) {
      stride[m] = plan.separator_cells;
      plan.separator_cells *= levels;
    }
  }
  plan.set_strides(stride, plan.separator);

  plan.families.resize(clique.families.size());
  for (std::size_t f = 0; f < clique.families.size(); ++f)
    plan.set_strides(strides.families[f], plan.families[f]);

  plan.children.resize(clique.children.size());
  for (std::size_t c = 0; c < clique.children.size(); ++c) {
    std::size_t next = 1;
    for (std::size_t m = 0; m < members; ++m) {
      const bool shared = strides.children[c][m];
      stride[m] = shared ? next : 0;
      next *= shared ? plan.extent[m] : 1;
    }
    plan.set_strides(stride, plan.children[c]);
  }

  const std::vector<Node> &marginal_nodes = marginal_nodes_[clique_number];
  plan.marginals.resize(marginal_nodes.size());
  for (std::size_t i = 0; i < marginal_nodes.size(); ++i) {
    for (std::size_t m = 0; m < members; ++m)
      stride[m] = clique.members[m] == marginal_nodes[i];
    plan.set_strides(stride, plan.marginals[i]);
  }
}

double JunctionTree::log_probability(const std::vector<std::uint16_t> &row) const {
  std::vector<std::size_t> cell(size(), 0); // of each node's table
  for (Node v = 0; v < size(); ++v)
    for (const Appearance &in : appearances(v))
      cell[in.family] += row[v] * in.stride;
  double sum = 0;
  for (Node v = 0; v < size(); ++v)
    sum += std::log(table(v)[cell[v]]);
  return sum;
}

} // namespace optbn
