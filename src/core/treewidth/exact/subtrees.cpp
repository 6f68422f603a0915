#include "core/treewidth/exact/subtrees.h"

#include "core/base/errors.h"
#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/treewidth/exact/subtree_table.h"

#include <algorithm>
#include <atomic>

namespace optbn {

namespace {

// Finds the promising subtrees of one separator after another.
class Finder {
public:
  Finder(const std::vector<float> &gains, unsigned nodes, unsigned k, double cutoff, double error)
      : k_(k), all_(mask_of(nodes - k) - 1), cutoff_(cutoff), error_(error),
        separated_(gains, nodes, k) {}

  std::size_t orders() const { return separated_.orders(); }

  // The numbers of the promising subtrees below the separator that do not contain the root.
  std::vector<NodeMask> find(NodeMask separator, unsigned root, Watch &watch) {
    std::vector<NodeMask> found;
    separated_.separate(separator, watch);
    if (watch.stopped())
      return found;
    const NodeMask excluded = compressed(mask_of(root) & ~separator, separator);
    for (NodeMask below = 1; below < all_; ++below)
      if (!(below & excluded) && separated_.most(below) + error_ > cutoff_)
        found.push_back(below);
    return found;
  }

  void bound_outside(NodeMask below, float *bounds) const {
    const std::uint32_t sets = std::uint32_t{1} << k_;
    for (std::uint32_t set = 0; set < sets; ++set)
      for (std::size_t order = 0; order < orders(); ++order) {
        const float inside = separated_.gain(below, order)[sets - 1 - set];
        const float outside = separated_.gain(all_ ^ below, order)[set];
        const bool enough = inside + outside + error_ > cutoff_;
        *bounds++ = enough ? outside + static_cast<float>(error_) : static_cast<float>(kLogZero);
      }
  }

private:
  const unsigned k_;
  const NodeMask all_; // nodes but the separator
  const double cutoff_, error_;
  SeparatedGains separated_;
};

} // namespace

PromisingSubtrees::PromisingSubtrees(const std::vector<float> &gains, unsigned nodes, unsigned k,
                                     const Options &options, Watch &watch)
    : of_size_(nodes - k) {
  const std::vector<NodeMask> separators = subsets_of_size(nodes, k);
  const double error = SeparatedGains::rounding_error(nodes, options.total);
  std::vector<Finder> finders;
  for (unsigned i = 0; i < std::max(1u, watch.host().threads); ++i)
    finders.emplace_back(gains, nodes, k, options.cutoff, error);
  orders_ = finders[0].orders();
  const std::size_t bounds = orders_ << k; // of each subtree
  const double bytes_each =
      sizeof(Subtree) + sizeof(SubtreeEntry) + bounds * (sizeof(float) + sizeof(double));

  std::vector<std::vector<NodeMask>> found(separators.size());
  outside_.resize(separators.size());
  std::atomic<std::size_t> processed{0}, subtrees{0};
  parallel_for(watch, separators.size(), [&](std::size_t i, unsigned worker) {
    found[i] = finders[worker].find(separators[i], options.root, watch);
    const double bytes = bytes_each * static_cast<double>(subtrees += found[i].size());
    const double fraction =
        static_cast<double>(++processed) / static_cast<double>(separators.size());
    if (bytes > options.memory_limit)
      throw MemoryLimit(bytes / fraction, options.memory_limit);
    outside_[i].resize(found[i].size() * bounds);
    for (std::size_t j = 0; j < found[i].size(); ++j)
      finders[worker].bound_outside(found[i][j], outside_[i].data() + j * bounds);
    watch.advance(1);
  });
  for (std::size_t i = 0; i < separators.size(); ++i)
    for (std::size_t j = 0; j < found[i].size(); ++j)
      of_size_[count_bits(found[i][j])].push_back(
          {separators[i], expanded(found[i][j], separators[i]), outside_[i].data() + j * bounds});
}

double PromisingSubtrees::size() const {
  double count = 0;
  for (const std::vector<Subtree> &subtrees : of_size_)
    count += static_cast<double>(subtrees.size());
  return count;
}

} // namespace optbn
