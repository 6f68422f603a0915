#include "core/treewidth/branches.h"

#include "core/base/errors.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace optbn {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

struct Found {
  std::vector<Branch> branches;
  std::vector<float> room;
};

// Looks at one separator after the other.
class Finder {
public:
  Finder(const std::vector<float> &gains, unsigned nodes, unsigned k, double floor, double slack)
      : nodes_(nodes), k_(k), floor_(floor), slack_(slack), separated_(gains, nodes, k),
        room_(separated_.orders() << k) {}

  std::size_t orders() const { return separated_.orders(); }

  void find(NodeMask separator, unsigned root, Watch &watch, Found &found) {
    separated_.separate(separator, [&] { return watch.stopped(); });
    if (watch.stopped())
      return;
    const NodeMask all = mask_of(nodes_ - k_) - 1;
    const NodeMask avoided = squeezed(mask_of(root) & ~separator, separator);
    for (NodeMask below = 1; below < all; ++below)
      if (!(below & avoided) && is_promising(below, all ^ below)) {
        found.branches.push_back({separator, spread(below, separator), found.room.size()});
        found.room.insert(found.room.end(), room_.begin(), room_.end());
      }
  }

private:
  // Leaves the room in room_.
  bool is_promising(NodeMask below, NodeMask above) {
    const std::size_t sets = std::size_t{1} << k_;
    bool promising = false;
    for (std::size_t order = 0; order < orders(); ++order) {
      const float *const within = separated_.gain(below, order);
      const float *const outside = separated_.gain(above, order);
      for (std::size_t set = 0; set < sets; ++set) { // those left take their parents outside
        const double bound = static_cast<double>(within[sets - 1 - set]) + outside[set] + slack_;
        promising |= bound > floor_;
      }
    }
    if (promising)
      for (std::size_t order = 0; order < orders(); ++order)
        for (std::size_t set = 0; set < sets; ++set) {
          const float within = separated_.gain(below, order)[sets - 1 - set];
          const float outside = separated_.gain(above, order)[set];
          const bool enough = static_cast<double>(within) + outside + slack_ > floor_;
          room_[set * orders() + order] = enough ? outside + static_cast<float>(slack_) : kNever;
        }
    return promising;
  }

  const unsigned nodes_, k_;
  const double floor_, slack_;
  SeparatedGains separated_;
  std::vector<float> room_;
};

} // namespace

double PromisingBranches::size() const {
  double count = 0;
  for (const std::vector<Branch> &branches : of_size)
    count += static_cast<double>(branches.size());
  return count;
}

PromisingBranches promising_branches(const std::vector<float> &gains, unsigned nodes, unsigned k,
                                     unsigned root, double floor, double total, double memory_limit,
                                     Watch &watch) {
  const std::vector<NodeMask> separators = subsets_of_size(nodes, k);
  std::vector<Found> found(separators.size());
  const double slack = SeparatedGains::slack(nodes, total);
  std::vector<Finder> finders;
  for (unsigned i = 0; i < std::max(1u, watch.host().threads); ++i)
    finders.emplace_back(gains, nodes, k, floor, slack);
  std::atomic<std::size_t> done{0};
  std::atomic<std::uint64_t> bytes{0};
  parallel_for(watch, separators.size(), [&](std::size_t i, unsigned worker) {
    finders[worker].find(separators[i], root, watch, found[i]);
    watch.advance(1);
    const auto so_far = static_cast<double>(bytes += found[i].branches.size() * sizeof(Branch) +
                                                     found[i].room.size() * sizeof(float));
    const auto share = static_cast<double>(++done) / static_cast<double>(separators.size());
    if (so_far > memory_limit)
      throw MemoryLimit(so_far / share, memory_limit);
  });
  PromisingBranches all;
  all.of_size.resize(nodes - k);
  all.orders = finders[0].orders();
  for (Found &here : found) {
    for (Branch branch : here.branches) {
      branch.room += all.room.size();
      all.of_size[count_bits(branch.nodes)].push_back(branch);
    }
    all.room.insert(all.room.end(), here.room.begin(), here.room.end());
    here = {};
  }
  return all;
}

} // namespace optbn
