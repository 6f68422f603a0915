#include "core/treewidth/exact/subtrees.h"

#include "core/base/errors.h"
#include "core/base/parallel.h"
#include "core/treewidth/exact/subtree_table.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace optbn {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

// Looks at one separator after the other.
class Finder {
public:
  Finder(const std::vector<float> &gains, unsigned nodes, unsigned k, double floor, double slack)
      : k_(k), all_(mask_of(nodes - k) - 1), floor_(floor), slack_(slack),
        separated_(gains, nodes, k) {}

  std::size_t orders() const { return separated_.orders(); }

  // The numbers of the promising subtrees that hang from the separator and avoid the root.
  std::vector<NodeMask> find(NodeMask separator, unsigned root, Watch &watch) {
    std::vector<NodeMask> found;
    separated_.separate(separator, watch);
    if (watch.stopped())
      return found;
    const NodeMask avoided = squeezed(mask_of(root) & ~separator, separator);
    for (NodeMask below = 1; below < all_; ++below)
      if (!(below & avoided) && separated_.most(below) + slack_ > floor_)
        found.push_back(below);
    return found;
  }

  void measure(NodeMask below, float *room) const {
    const std::uint32_t sets = std::uint32_t{1} << k_;
    for (std::uint32_t set = 0; set < sets; ++set)
      for (std::size_t order = 0; order < orders(); ++order) {
        const float within = separated_.gain(below, order)[sets - 1 - set];
        const float outside = separated_.gain(all_ ^ below, order)[set];
        const bool enough = within + outside + slack_ > floor_;
        *room++ = enough ? outside + static_cast<float>(slack_) : kNever;
      }
  }

private:
  const unsigned k_;
  const NodeMask all_; // but the separator
  const double floor_, slack_;
  SeparatedGains separated_;
};

} // namespace

PromisingBranches::PromisingBranches(const std::vector<float> &gains, unsigned nodes, unsigned k,
                                     const Terms &terms, Watch &watch)
    : of_size_(nodes - k) {
  const std::vector<NodeMask> separators = subsets_of_size(nodes, k);
  const double slack = SeparatedGains::slack(nodes, terms.total);
  std::vector<Finder> finders;
  for (unsigned i = 0; i < std::max(1u, watch.host().threads); ++i)
    finders.emplace_back(gains, nodes, k, terms.floor, slack);
  orders_ = finders[0].orders();
  const std::size_t room = orders_ << k;
  const double bytes_each =
      sizeof(Subtree) + sizeof(KeptSubtree) + room * (sizeof(float) + sizeof(double));

  std::vector<std::vector<NodeMask>> found(separators.size());
  rooms_.resize(separators.size());
  std::atomic<std::size_t> looked_at{0}, subtrees{0};
  parallel_for(watch, separators.size(), [&](std::size_t i, unsigned worker) {
    found[i] = finders[worker].find(separators[i], terms.root, watch);
    const double bytes = bytes_each * static_cast<double>(subtrees += found[i].size());
    const double share = static_cast<double>(++looked_at) / static_cast<double>(separators.size());
    if (bytes > terms.memory_limit)
      throw MemoryLimit(bytes / share, terms.memory_limit);
    rooms_[i].resize(found[i].size() * room);
    for (std::size_t j = 0; j < found[i].size(); ++j)
      finders[worker].measure(found[i][j], rooms_[i].data() + j * room);
    watch.advance(1);
  });
  for (std::size_t i = 0; i < separators.size(); ++i)
    for (std::size_t j = 0; j < found[i].size(); ++j)
      of_size_[count_bits(found[i][j])].push_back(
          {separators[i], spread(found[i][j], separators[i]), rooms_[i].data() + j * room});
}

double PromisingBranches::size() const {
  double count = 0;
  for (const std::vector<Subtree> &subtrees : of_size_)
    count += static_cast<double>(subtrees.size());
  return count;
}

} // namespace optbn
