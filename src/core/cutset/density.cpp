#include "core/cutset/density.h"

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

CutsetNetwork uncut(TreeDensity tree) {
  CutsetNetwork network;
  network.places.emplace_back();
  network.leaves.push_back(std::move(tree));
  return network;
}

} // namespace optbn
