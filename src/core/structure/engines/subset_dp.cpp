// How the table is laid out, and why it is fast
// ---------------------------------------------
// best(U), the best score of an acyclic choice for the nodes U with all parents in U, obeys
//
//     best(U) = max over v in U of best(U - v) + g_v(U - v),
//     g_v(T)  = the best score of a candidate set of v inside T        (Silander & Myllymaki 2006).
//
// Only best() is stored, 8 bytes a subset. Tables of g_v would take n times the memory, and moving
// them nearly all the time; so g_v is computed again, block by block, where it is used.
//
// A subset is a number; its kLowBits low bits are its position in a *block*, its high bits H name
// the block. A block and all that it needs stay in the processor's cache. Inside block H:
//
//   g_v    The candidate sets of v whose high part lies inside H (BlockCandidates) are written at
//          their low parts into an array, best last, and a superset maximum passes them upwards:
//          kLowBits / 2 maxima a subset, however many candidate sets there are. A node that is
//          itself a low bit is never its own parent: its array leaves that bit out and has half the
//          length.
//   v in H best(H, L) is compared with best(H - v, L) + g_v(L): three streams side by side.
//   v low  best(H, L + v) is compared with best(H, L) + g_v(L) within the block. A subset may be
//          passed on once it is final. In counting order, when subset `next` comes up and b is its
//          lowest bit, the 2^b subsets before it are final, and adding node b to them gives the 2^b
//          subsets from `next` on: streams again, most of the work in long ones.
//
// Blocks whose H has equally many bits do not need each other: they are the tasks of one parallel
// loop. Every subset is the maximum of the same sums on any thread, so that the bits of the result
// depend on neither threads nor instructions. The network is found by tracing back from the
// full set: sums are recomputed with the same operands, so the one that gave the maximum is equal.
//
// Time O(n 2^n kLowBits) maxima, done four at a time where the processor can, and what listing the
// candidate sets of each block takes; memory 8 * 2^n bytes.

#include "core/structure/engines/subset_dp.h"

#include "core/base/bit_set.h"
#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/base/simd/aligned_array.h"
#include "core/base/simd/max_plus.h"
#include "core/base/subset_mask.h"
#include "core/structure/bounds/closure.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// An array of 2^12 doubles, 32 kB, fits the first level of a cache, and those of all low nodes with
// the block, 260 kB, the second. One more or less makes little difference.
constexpr unsigned kLowBits = 12;

constexpr unsigned low_bits(unsigned nodes) { return nodes < kLowBits ? nodes : kLowBits; }

struct Candidate {
  double score;
  Mask parents;
};

using Candidates = std::vector<Candidate>; // of one node, best first

Candidates candidates(const Domain &domain, unsigned node, unsigned low) {
  Candidates result(domain.size());
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const Mask parents = static_cast<Mask>(domain.mask[i]);
    result[i] = {domain.score[i], node < low ? without_own_bit(parents, node, low) : parents};
  }
  return result;
}

// The candidates of one node whose high parents lie inside H, for one H after another.
//
// Level i is what is left after the i uppermost high bits of H: a bit in H drops nothing, a bit
// outside H drops the sets that contain it. The next H reuses the levels of the uppermost bits that
// it has in common with the one before, so that in counting order few are computed again.
class BlockCandidates {
public:
  struct Span {
    const Candidate *first = nullptr;
    std::size_t size = 0;
  };

  BlockCandidates(const Candidates &all, unsigned low, unsigned high)
      : low_(low), high_(high), levels_(high + 1), storage_(high + 1) {
    levels_[0] = {all.data(), all.size()};
  }

  Span inside(Mask block) {
    unsigned level = valid_levels_;
    while (level > 0 && (block ^ block_) >> (high_ - level))
      --level;
    for (; level < high_; ++level) {
      const unsigned position = high_ - 1 - level;
      levels_[level + 1] = block & bit(position)
                               ? levels_[level]
                               : without(low_ + position, levels_[level], storage_[level + 1]);
    }
    valid_levels_ = high_;
    block_ = block;
    return levels_[high_];
  }

private:
  // Those without parent u, up to the first that is possible whatever the bits below u are: no
  // later one can be better.
  static Span without(unsigned u, Span all, Candidates &result) {
    if (result.size() < all.size)
      result.resize(all.size);
    std::size_t size = 0;
    for (std::size_t i = 0; i < all.size; ++i) {
      result[size] = all.first[i];
      size += !(all.first[i].parents & bit(u));
      if (!(all.first[i].parents & (2 * bit(u) - 1)))
        break;
    }
    return {result.data(), size};
  }

  unsigned low_, high_;
  std::vector<Span> levels_;
  std::vector<Candidates> storage_;
  unsigned valid_levels_ = 0; // so many levels are those of block_
  Mask block_ = 0;
};

// What one worker needs to fill one block of best() after another.
class BlockFiller {
public:
  BlockFiller(const std::vector<Candidates> &domains, unsigned low, const MaxPlus &kernels)
      : nodes_(static_cast<unsigned>(domains.size())), low_(low), kernels_(kernels),
        of_high_node_(std::size_t{1} << low) {
    for (const Candidates &domain : domains)
      block_candidates_.emplace_back(domain, low, nodes_ - low);
    for (unsigned v = 0; v < low; ++v)
      of_low_node_.emplace_back(std::size_t{1} << (low - 1));
  }

  // Fills block `high` of `best`; the blocks of all its subsets are there.
  void fill(Mask high, double *best) {
    const std::size_t size = std::size_t{1} << low_;
    double *const block = best + high * size;
    kernels_.fill(block, size, kLogZero);
    if (high == 0)
      block[0] = 0;
    for (unsigned v = low_; v < nodes_; ++v)
      if (const Mask own = bit(v - low_); high & own) {
        tabulate(v, high, of_high_node_, low_);
        kernels_.max_add(block, best + (high ^ own) * size, of_high_node_.data(), size);
      }
    for (unsigned v = 0; v < low_; ++v)
      tabulate(v, high, of_low_node_[v], low_ - 1);
    append_low_nodes(block, size);
  }

private:
  // g_v for all subsets of the low bits together with H.
  void tabulate(unsigned v, Mask high, AlignedArray &array, unsigned bits) {
    const Mask low_mask = bit(bits) - 1;
    const BlockCandidates::Span sets = block_candidates_[v].inside(high);
    std::size_t end = 0;
    while (end < sets.size && sets.first[end].parents & low_mask)
      ++end;
    if (end < sets.size)
      ++end; // this one is always possible: those behind it are never needed
    kernels_.fill(array.data(), std::size_t{1} << bits, kLogZero);
    for (std::size_t i = end; i-- > 0;)
      array.data()[sets.first[i].parents & low_mask] = sets.first[i].score;
    kernels_.superset_max(array.data(), bits);
  }

  void append_low_nodes(double *block, std::size_t size) const {
    for (std::size_t next = 1; next < size; ++next) {
      const unsigned v = lowest_bit(next);
      const std::size_t length = std::size_t{1} << v, from = next - length;
      const double *const score = of_low_node_[v].data() + from / 2; // its bit v is left out
      if (length < 8)
        plain::max_add(block + next, block + from, score, length);
      else
        kernels_.max_add(block + next, block + from, score, length);
    }
  }

  unsigned nodes_, low_;
  MaxPlus kernels_;
  std::vector<BlockCandidates> block_candidates_;
  AlignedArray of_high_node_;
  std::vector<AlignedArray> of_low_node_;
};

// The blocks by how many bits they have; within a layer in counting order.
std::vector<std::vector<Mask>> layers(unsigned high) {
  std::vector<std::vector<Mask>> result(high + 1);
  for (Mask block = 0; block < bit(high); ++block) {
    unsigned bits = 0;
    for (Mask rest = block; rest; rest &= rest - 1)
      ++bits;
    result[bits].push_back(block);
  }
  return result;
}

// The nodes that have no candidate set inside the nodes that can be ordered before them.
std::vector<Node> blocked_nodes(const Problem &problem) {
  std::uint64_t ordered = 0;
  const auto append = [&](Node v) {
    const Domain &domain = problem.domains[v];
    for (std::size_t i = 0; i < domain.size() && domain.score[i] > kLogZero; ++i)
      if (problem.inside(v, i, &ordered)) {
        ordered |= std::uint64_t{1} << v;
        return true;
      }
    return false;
  };
  std::vector<Node> nodes(problem.size());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  return blocked_after(std::move(nodes), append);
}

// Removes sinks from the full set; of equally good ones the first node with its first set.
Network trace_back(const Problem &problem, const AlignedArray &best) {
  const Node n = problem.size();
  Network network;
  network.choice.resize(n);
  const auto find_sink = [&](std::uint64_t nodes) {
    for (Node v = 0;; ++v) {
      const std::uint64_t others = nodes & ~(std::uint64_t{1} << v);
      if (v >= n)
        throw Error("subset_dp: the table is inconsistent");
      if (others == nodes)
        continue;
      const Domain &domain = problem.domains[v];
      std::uint32_t i = 0;
      while (i < domain.size() && !problem.inside(v, i, &others))
        ++i;
      if (i < domain.size() && best[others] + domain.score[i] == best[nodes]) {
        network.choice[v] = i;
        return others;
      }
    }
  };
  for (std::uint64_t nodes = (std::uint64_t{1} << n) - 1; nodes;)
    nodes = find_sink(nodes);
  network.score = 0;
  for (Node v = 0; v < n; ++v)
    network.score += problem.domains[v].score[network.choice[v]];
  OPTBN_INVARIANT(about_equal(network.score, best[(std::size_t{1} << n) - 1]),
                  "the network scores what the table says of all nodes");
  return network;
}

} // namespace

double subset_dp_bytes(Node nodes) {
  const double block = std::ldexp(sizeof(double), static_cast<int>(low_bits(nodes)));
  return std::ldexp(sizeof(double), nodes) + block * (1 + low_bits(nodes) / 2.0);
}

double subset_dp_seconds(Node nodes) { return 1e-9 * nodes * std::ldexp(1.0, nodes); }

Network subset_dp(const Problem &problem, Watch &watch) {
  const Node n = problem.size();
  if (n > kSubsetDpNodes)
    throw Error("subset_dp: too many nodes");
  if (std::vector<Node> blocked = blocked_nodes(problem); !blocked.empty())
    throw Infeasible(std::move(blocked));

  const unsigned low = low_bits(n);
  std::vector<Candidates> domains;
  for (Node v = 0; v < n; ++v)
    domains.push_back(candidates(problem.domains[v], v, low));
  std::vector<BlockFiller> fillers;
  for (unsigned worker = 0; worker < std::max(1u, watch.host().threads); ++worker)
    fillers.emplace_back(domains, low, max_plus());
  AlignedArray best(std::size_t{1} << n);

  for (const std::vector<Mask> &layer : layers(n - low)) {
    parallel_for(watch, layer.size(), [&](std::size_t task, unsigned worker) {
      fillers[worker].fill(layer[task], best.data());
      watch.advance(std::uint64_t{1} << low);
    });
    if (watch.stopped())
      return {};
  }
  return trace_back(problem, best);
}

} // namespace optbn
