// Densities of discrete variables that answer every query in time linear in their size.
//
// One family holds them all. A TreeDensity is a directed forest with a table at every member: a
// Chow-Liu tree when every member is a variable, a hidden Chow-Liu tree when some are hidden and
// summed out. A CutsetNetwork (Rahman, Kothalkar & Gogate 2014; Di Mauro, Vergari & Esposito 2015,
// definition 1) is a tree of cuts, each on a variable, whose leaves are tree densities over the
// variables not cut on the way; one without a cut is a tree density. A DensityMixture is a weighted
// sum of cutset networks, a lone one being a mixture of one.
//
//   log P(row) = log sum_c weight_c prod_{cuts on the way} weight prod_{members} P(member | parent)
//
// Natural logarithms. Plain data, immutable once learned, and so safe to share between threads.
#pragma once

#include "core/data/dataset.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

struct TreeDensity {
  static constexpr Node kHidden = 0xffff;
  static constexpr std::uint32_t kRoot = 0xffffffff;

  struct Member {
    Node variable = kHidden;
    std::uint16_t levels = 0;
    std::uint32_t parent = kRoot; // its place among the members
    std::size_t table = 0;        // where its table begins in `tables`
  };

  std::vector<Member> members; // parents before their children
  std::vector<double> tables;  // by member: P(member | parent), the member's level fastest

  // How many distributions the table of a member holds: one for each level of its parent.
  std::size_t blocks(const Member &member) const {
    return member.parent == kRoot ? 1 : members[member.parent].levels;
  }

  // P(member = level | parent = parent_level); a root has parent level 0.
  double probability(const Member &member, unsigned level, unsigned parent_level) const {
    return tables[member.table + std::size_t{parent_level} * member.levels + level];
  }

  // Adds a member with room for its table, and gives its place.
  std::uint32_t add(Node variable, unsigned levels, std::uint32_t parent) {
    members.push_back({variable, static_cast<std::uint16_t>(levels), parent, tables.size()});
    tables.resize(tables.size() + blocks(members.back()) * levels);
    return static_cast<std::uint32_t>(members.size() - 1);
  }
};

struct CutsetNetwork {
  static constexpr Node kLeaf = 0xffff;

  // A place in the tree of cuts. The children of a cut are neighbours, one for each level of the
  // variable.
  struct Place {
    Node cut = kLeaf;        // the variable, or kLeaf
    std::uint32_t first = 0; // the child of level 0; at a leaf, its number in `leaves`
    double weight = 1;       // probability of being here given being at the place above
  };

  std::vector<Place> places; // the root first; every place before its children
  std::vector<TreeDensity> leaves;
};

struct DensityMixture {
  std::vector<unsigned> levels; // by variable
  std::vector<double> weights;  // by component; they sum to 1
  std::vector<CutsetNetwork> components;

  Node size() const { return static_cast<Node>(levels.size()); }
};

// Free parameters: of tables and of cuts, and the weights of a mixture.
double parameters(const CutsetNetwork &network);
double parameters(const DensityMixture &mixture);

// Throws MalformedModel unless the model is what the comments above say: for models that come from
// outside. Takes time linear in the size of the model.
void check(const DensityMixture &mixture);

// A cutset network without a cut.
CutsetNetwork uncut(TreeDensity tree);

} // namespace optbn
