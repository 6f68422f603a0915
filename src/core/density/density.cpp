#include "core/density/density.h"

#include "core/base/errors.h"

#include <cmath>
#include <utility>

namespace optbn {

double parameters(const CutsetNetwork &network) {
  // The n children of a cut have n - 1 free weights: all nodes but the root, less one for every
  // cut.
  double free = static_cast<double>(network.nodes.size()) - 1;
  for (const CutsetNetwork::CutNode &node : network.nodes)
    free -= node.cut != CutsetNetwork::kLeaf;
  for (const TreeDensity &leaf : network.leaves)
    for (const TreeDensity::TreeNode &node : leaf.nodes)
      free += static_cast<double>(leaf.blocks(node)) * (node.levels - 1.0);
  return free;
}

double parameters(const DensityMixture &mixture) {
  double free = mixture.components.empty() ? 0 : static_cast<double>(mixture.components.size()) - 1;
  for (const CutsetNetwork &component : mixture.components)
    free += parameters(component);
  return free;
}

namespace {

bool is_mass(double p) { return p >= 0 && std::isfinite(p); }

bool is_one(double sum) { return std::abs(sum - 1) < 1e-6; }

// Checks one component: every node and every leaf is reached once from the root, and every variable
// occurs once on the path to a leaf, in a cut or in the leaf's tree.
class ComponentCheck {
public:
  ComponentCheck(const CutsetNetwork &network, const std::vector<unsigned> &levels)
      : network_(network), levels_(levels), parent_(network.nodes.size(), kNone),
        leaf_is_used_(network.leaves.size(), false), last_leaf_(levels.size(), kNone) {}

  void run() {
    require_well_formed(!network_.nodes.empty(), "a component has no root");
    parent_[0] = 0;
    for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
      const CutsetNetwork::CutNode &node = network_.nodes[i];
      require_well_formed(parent_[i] != kNone && is_mass(node.weight), "the cuts are no tree");
      node.cut == CutsetNetwork::kLeaf ? check_leaf(i) : check_cut(i);
    }
    for (const bool used : leaf_is_used_)
      require_well_formed(used, "a leaf is not in the tree of cuts");
  }

private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void check_cut(std::size_t i) {
    const CutsetNetwork::CutNode &node = network_.nodes[i];
    require_well_formed(node.cut < levels_.size(), "a cut is on no variable");
    const std::size_t end = std::size_t{node.first} + levels_[node.cut];
    require_well_formed(node.first > i && end <= network_.nodes.size(), "the cuts are no tree");
    double sum = 0;
    for (std::size_t child = node.first; child < end; ++child) {
      require_well_formed(parent_[child] == kNone, "the cuts are no tree");
      parent_[child] = i;
      sum += network_.nodes[child].weight;
    }
    require_well_formed(is_one(sum), "the weights of the branches of a cut do not sum to 1");
  }

  void check_leaf(std::size_t i) {
    const std::size_t number = network_.nodes[i].first;
    require_well_formed(number < network_.leaves.size() && !leaf_is_used_[number],
                        "a leaf is missing, or used twice");
    leaf_is_used_[number] = true;
    std::size_t variables = 0;
    for (std::size_t node = i; node != 0; ++variables) {
      node = parent_[node];
      check_once(network_.nodes[node].cut, i);
    }
    const TreeDensity &leaf = network_.leaves[number];
    std::size_t cells = 0;
    for (std::size_t m = 0; m < leaf.nodes.size(); ++m) {
      const TreeDensity::TreeNode &node = leaf.nodes[m];
      require_well_formed(node.levels > 0 && (node.parent == TreeDensity::kRoot || node.parent < m),
                          "the members of a leaf are no forest");
      if (node.variable != TreeDensity::kHidden) {
        require_well_formed(node.variable < levels_.size() && levels_[node.variable] == node.levels,
                            "a member of a leaf is no variable of the model");
        check_once(node.variable, i);
        ++variables;
      }
      require_well_formed(node.table == cells, "tables have another size");
      cells += leaf.blocks(node) * node.levels;
    }
    require_well_formed(variables == levels_.size(), "a leaf lacks a variable");
    require_well_formed(cells == leaf.tables.size(), "tables have another size");
    for (const TreeDensity::TreeNode &node : leaf.nodes)
      check_tables(leaf, node);
  }

  void check_tables(const TreeDensity &leaf, const TreeDensity::TreeNode &node) const {
    const double *next = leaf.tables.data() + node.table;
    for (std::size_t block = 0; block < leaf.blocks(node); ++block) {
      double sum = 0;
      for (unsigned level = 0; level < node.levels; ++level, ++next) {
        require_well_formed(is_mass(*next), "a probability is missing, negative or infinite");
        sum += *next;
      }
      require_well_formed(is_one(sum), "the probabilities of a variable do not sum to 1");
    }
  }

  void check_once(Node variable, std::size_t leaf) {
    require_well_formed(last_leaf_[variable] != leaf,
                        "a variable is met twice on the way to a leaf");
    last_leaf_[variable] = leaf;
  }

  const CutsetNetwork &network_;
  const std::vector<unsigned> &levels_;
  std::vector<std::size_t> parent_; // by cut node
  std::vector<bool> leaf_is_used_;
  std::vector<std::size_t> last_leaf_; // by variable: the last leaf (a cut node) that has it
};

} // namespace

void check(const DensityMixture &mixture) {
  require_well_formed(!mixture.components.empty() &&
                          mixture.weights.size() == mixture.components.size(),
                      "weights and components differ in number");
  double sum = 0;
  for (const double weight : mixture.weights) {
    require_well_formed(is_mass(weight), "a weight is missing, negative or infinite");
    sum += weight;
  }
  require_well_formed(is_one(sum), "the weights do not sum to 1");
  for (const CutsetNetwork &component : mixture.components)
    ComponentCheck(component, mixture.levels).run();
}

CutsetNetwork uncut(TreeDensity tree) {
  CutsetNetwork network;
  network.nodes.emplace_back();
  network.leaves.push_back(std::move(tree));
  return network;
}

} // namespace optbn
