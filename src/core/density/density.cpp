#include "core/density/density.h"

#include "core/base/errors.h"

#include <cmath>
#include <utility>

namespace optbn {

double parameters(const CutsetNetwork &network) {
  // A group of n neighbours, the children of a cut, has n - 1 free weights: the places that are not
  // the root, less one for every cut.
  double free = static_cast<double>(network.places.size()) - 1;
  for (const CutsetNetwork::Place &place : network.places)
    free -= place.cut != CutsetNetwork::kLeaf;
  for (const TreeDensity &leaf : network.leaves)
    for (const TreeDensity::Member &member : leaf.members)
      free += static_cast<double>(leaf.blocks(member)) * (member.levels - 1.0);
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

// One component. Every place and every leaf is reached once from the root, and on the way to a leaf
// every variable is met once: cut, or a member of the leaf.
class ComponentCheck {
public:
  ComponentCheck(const CutsetNetwork &network, const std::vector<unsigned> &levels)
      : network_(network), levels_(levels), above_(network.places.size(), kNowhere),
        leaf_is_met_(network.leaves.size(), false), met_(levels.size(), kNowhere) {}

  void run() {
    require_well_formed(!network_.places.empty(), "a component has no root");
    above_[0] = 0;
    for (std::size_t i = 0; i < network_.places.size(); ++i) {
      const CutsetNetwork::Place &place = network_.places[i];
      require_well_formed(above_[i] != kNowhere && is_mass(place.weight), "the cuts are no tree");
      place.cut == CutsetNetwork::kLeaf ? check_leaf(i) : check_cut(i);
    }
    for (const bool met : leaf_is_met_)
      require_well_formed(met, "a leaf is not in the tree of cuts");
  }

private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  void check_cut(std::size_t i) {
    const CutsetNetwork::Place &place = network_.places[i];
    require_well_formed(place.cut < levels_.size(), "a cut is on no variable");
    const std::size_t end = std::size_t{place.first} + levels_[place.cut];
    require_well_formed(place.first > i && end <= network_.places.size(), "the cuts are no tree");
    double sum = 0;
    for (std::size_t child = place.first; child < end; ++child) {
      require_well_formed(above_[child] == kNowhere, "the cuts are no tree");
      above_[child] = i;
      sum += network_.places[child].weight;
    }
    require_well_formed(is_one(sum), "the weights of the branches of a cut do not sum to 1");
  }

  void check_leaf(std::size_t i) {
    const std::size_t number = network_.places[i].first;
    require_well_formed(number < network_.leaves.size() && !leaf_is_met_[number],
                        "a leaf is missing, or used twice");
    leaf_is_met_[number] = true;
    std::size_t seen = 0;
    for (std::size_t place = i; place != 0; ++seen) {
      place = above_[place];
      meet(network_.places[place].cut, i);
    }
    const TreeDensity &leaf = network_.leaves[number];
    std::size_t cells = 0;
    for (std::size_t m = 0; m < leaf.members.size(); ++m) {
      const TreeDensity::Member &member = leaf.members[m];
      require_well_formed(member.levels > 0 &&
                              (member.parent == TreeDensity::kRoot || member.parent < m),
                          "the members of a leaf are no forest");
      if (member.variable != TreeDensity::kHidden) {
        require_well_formed(member.variable < levels_.size() &&
                                levels_[member.variable] == member.levels,
                            "a member of a leaf is no variable of the model");
        meet(member.variable, i);
        ++seen;
      }
      require_well_formed(member.table == cells, "tables have another size");
      cells += leaf.blocks(member) * member.levels;
    }
    require_well_formed(seen == levels_.size(), "a leaf lacks a variable");
    require_well_formed(cells == leaf.tables.size(), "tables have another size");
    for (const TreeDensity::Member &member : leaf.members)
      check_tables(leaf, member);
  }

  void check_tables(const TreeDensity &leaf, const TreeDensity::Member &member) const {
    const double *next = leaf.tables.data() + member.table;
    for (std::size_t block = 0; block < leaf.blocks(member); ++block) {
      double sum = 0;
      for (unsigned level = 0; level < member.levels; ++level, ++next) {
        require_well_formed(is_mass(*next), "a probability is missing, negative or infinite");
        sum += *next;
      }
      require_well_formed(is_one(sum), "the probabilities of a variable do not sum to 1");
    }
  }

  void meet(Node variable, std::size_t leaf) {
    require_well_formed(met_[variable] != leaf, "a variable is met twice on the way to a leaf");
    met_[variable] = leaf;
  }

  const CutsetNetwork &network_;
  const std::vector<unsigned> &levels_;
  std::vector<std::size_t> above_; // by place
  std::vector<bool> leaf_is_met_;
  std::vector<std::size_t> met_; // by variable: the place of the last leaf that had it
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
  network.places.emplace_back();
  network.leaves.push_back(std::move(tree));
  return network;
}

} // namespace optbn
