// FamilyIndex: the parent sets of each node that have weight, for sums over those that avoid nodes.
//
// Sets are ranked by decreasing score. The nodes that occur in the sets of a node are a universe of
// its own, mostly a small one, in which sets are masks of bits. A list, of all sets or of those with
// one parent, has ranks in order, and beside each the sum of the weights from there on: a sum over
// the list ends where the rest does not count.
#pragma once

#include "core/base/bit_set.h"
#include "core/score/parent_sets.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace optbn {

class FamilyIndex {
public:
  // A subset of a universe, as words of bits.
  using Members = std::vector<std::uint64_t>;

  struct List {
    std::size_t size = 0;
    const std::uint32_t *rank = nullptr;
    const float *log_rest = nullptr; // of the sum of weights from here on; not less
  };

  class Family {
  public:
    explicit Family(const CandidateSets &sets);

    const std::vector<Node> &universe() const { return universe_; } // ascending
    std::size_t size() const { return score_.size(); }
    double score(std::uint32_t rank) const { return score_[rank]; }
    std::uint32_t number(std::uint32_t rank) const { return number_[rank]; } // of the set
    std::uint32_t empty_set() const { return empty_set_; }                   // its rank, or kNone
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    List all() const { return list(universe_.size()); }
    List with_parent(Node u) const; // empty where that is in no set

    // Those of the universe for which test(node) holds.
    template <class Test> Members members(const Test &test) const {
      Members members(words_, 0);
      for (std::size_t i = 0; i < universe_.size(); ++i)
        if (test(universe_[i]))
          insert(i, members);
      return members;
    }
    static void insert(std::size_t i, Members &members) {
      members[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    bool touches(std::uint32_t rank, const Members &members) const {
      std::uint64_t common = 0;
      for (std::size_t w = 0; w < words_; ++w)
        common |= masks_[rank * words_ + w] & members[w];
      return common != 0;
    }
    // visit(i) for the parents, universe()[i].
    template <class Visit> void for_each_parent(std::uint32_t rank, const Visit &visit) const {
      for (std::size_t w = 0; w < words_; ++w)
        for (std::uint64_t rest = masks_[rank * words_ + w]; rest; rest &= rest - 1)
          visit(64 * w + lowest_bit(rest));
    }

  private:
    List list(std::size_t i) const {
      return {offset_[i + 1] - offset_[i], rank_.data() + offset_[i],
              log_rest_.data() + offset_[i]};
    }
    void make_lists();

    std::vector<Node> universe_;
    std::size_t words_;
    std::uint32_t empty_set_ = kNone;
    std::vector<double> score_;
    std::vector<std::uint32_t> number_;
    std::vector<std::uint64_t> masks_;
    std::vector<std::size_t> offset_; // of the lists: by place in the universe, then of all
    std::vector<std::uint32_t> rank_;
    std::vector<float> log_rest_;
  };

  // Throws Infeasible where no network is possible.
  explicit FamilyIndex(const ParentSets &sets);

  Node size() const { return sets_.size(); }
  const CandidateSets &sets(Node v) const { return sets_.nodes[v]; }
  const Family &of(Node v) const { return families_[v]; }
  // The nodes that have sets with this parent, ascending.
  const std::vector<Node> &possible_children(Node v) const { return children_[v]; }

private:
  const ParentSets &sets_;
  std::vector<Family> families_;
  std::vector<std::vector<Node>> children_;
};

} // namespace optbn
