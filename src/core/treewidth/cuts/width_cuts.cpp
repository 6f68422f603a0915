#include "core/treewidth/cuts/width_cuts.h"

#include "core/graph/tree_width.h"
#include "core/treewidth/cuts/pair_cut.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace optbn {

namespace {

// Sequences of contractions, subgraphs, and cuts that are enough of each.
constexpr unsigned kSequences = 150, kSubgraphs = 150, kEnough = 30;
constexpr double kLeastViolation = .015;
// Minors of k + 3 nodes at least have cuts other than cliques.
constexpr unsigned kMinorNodes = 7;

// The work of a step of a heaviest graph, and of a pair in a step of contraction, in sets examined.
constexpr double kHeaviestWork = .5, kContractionWork = .3;

struct FoundCut {
  PairCut cut;
  WeightedMinor minor;
};

template <unsigned Words>
void require(Limit<Words> &limit, const Witness &witness, unsigned weight) {
  if (witness.is_arc()) {
    limit.requirements.push_back({witness.b, BitSet<Words>::of(witness.a), weight});
    limit.requirements.push_back({witness.a, BitSet<Words>::of(witness.b), weight});
    return;
  }
  BitSet<Words> both = BitSet<Words>::of(witness.a);
  both.insert(witness.b);
  limit.requirements.push_back({witness.child, both, weight});
}

template <unsigned Words> Limit<Words> limit_of(const FoundCut &found) {
  Limit<Words> limit;
  const auto contracted = static_cast<unsigned>(found.minor.contracted.size());
  const unsigned excess = found.cut.excess();
  limit.most = found.cut.most + contracted * excess;
  for (std::size_t j = 0; j < found.cut.coefficient.size(); ++j)
    if (found.cut.coefficient[j] > 0)
      require(limit, found.minor.witness[j], found.cut.coefficient[j]);
  for (const Witness &witness : found.minor.contracted)
    require(limit, witness, excess);
  std::stable_sort(limit.requirements.begin(), limit.requirements.end(),
                   [](const auto &a, const auto &b) { return a.node < b.node; });
  return limit;
}

// Seeks the cuts of minors, one after the other.
class CutSearch {
public:
  CutSearch(unsigned k, double &work, Watch &watch) : k_(k), work_(work), watch_(watch) {}

  void search(std::vector<WeightedMinor> minors) {
    unsigned count = 0;
    for (WeightedMinor &minor : minors) {
      if (count == kEnough || watch_.stopped())
        return;
      if (minor.nodes < k_ + 2)
        continue;
      double steps = 0;
      PairCut cut = violated_pair_cut(minor, heaviest(minor.nodes), kLeastViolation, steps);
      work_ += steps * kHeaviestWork;
      if (cut.coefficient.empty())
        continue;
      found_.push_back({std::move(cut), std::move(minor)});
      ++count;
    }
  }

  std::vector<FoundCut> most_violated() {
    std::stable_sort(found_.begin(), found_.end(), [](const FoundCut &a, const FoundCut &b) {
      return a.cut.violation > b.cut.violation;
    });
    return std::move(found_);
  }

private:
  HeaviestGraph &heaviest(unsigned nodes) {
    std::unique_ptr<HeaviestGraph> &heaviest = heaviest_[nodes];
    if (!heaviest)
      heaviest = std::make_unique<HeaviestGraph>(nodes, k_);
    return *heaviest;
  }

  const unsigned k_;
  double &work_;
  Watch &watch_;
  std::unique_ptr<HeaviestGraph> heaviest_[kHeaviestGraphNodes + 1]; // by number of nodes
  std::vector<FoundCut> found_;
};

} // namespace

template <unsigned Words>
std::vector<Limit<Words>> WidthCuts<Words>::violated(const FractionalNetwork<Words> &network,
                                                     Random &random, double &work,
                                                     Watch &watch) const {
  const PairWeights weights(network);
  const unsigned small = std::min(std::max(kMinorNodes, k_ + 3), kHeaviestGraphNodes);
  CutSearch search(k_, work, watch);
  const double nodes = network.size();
  work += kContractionWork * kSequences * nodes * nodes * nodes;
  search.search(weighted_minors(weights, small, kSequences, random));
  search.search(close_subgraphs(weights, small, kSubgraphs, random));
  std::vector<Limit<Words>> limits;
  for (const FoundCut &found : search.most_violated())
    limits.push_back(limit_of<Words>(found));
  return limits;
}

template <unsigned Words>
bool WidthCuts<Words>::admits(const std::vector<BitSet<Words>> &sets, Watch &watch) const {
  std::vector<std::vector<Node>> parents;
  for (const BitSet<Words> &set : sets) {
    parents.emplace_back();
    set.for_each([&](unsigned u) { parents.back().push_back(static_cast<Node>(u)); });
  }
  const Host host = nested_host(watch); // its watch belongs to this thread
  Watch own(host);
  Random random(0);
  const double memory_limit = std::numeric_limits<double>::infinity();
  const TreeWidth width = tree_width(moral_graph(parents), memory_limit, random, own);
  return width.upper <= k_;
}

#define OPTBN_INSTANTIATE(words) template class WidthCuts<words>;
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
