// FamilyTable: the parent sets of one node that a search on demand has met, and what is known of
// their neighbours.
//
// A set is stored once, under a number; its members are in one arena, its number is found by open
// addressing. Its hash is the sum of its members' (Zobrist 1970), so that of a set without one of
// them takes no pass over the others. All other sets grow from the first. Belongs to one thread.
#pragma once

#include "core/data/dataset.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace optbn {

class FamilyTable {
public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // A set with one parent more that scores more.
  struct Extension {
    double score;
    Node added;
    std::uint32_t family; // its number; kNone while it has none
  };
  struct Family {
    double score = 0;
    std::size_t first = 0; // of its members in the arena
    std::uint64_t hash = 0;
    std::uint32_t size = 0;
    bool extended = false;             // have all further parents been tried?
    std::vector<Extension> extensions; // those that are better, best first
    std::uint32_t smaller = kNone;     // the best set with a parent less; itself if none is better
  };

  std::uint32_t size() const { return static_cast<std::uint32_t>(families_.size()); }
  Family &operator[](std::uint32_t number) { return families_[number]; }
  const Family &operator[](std::uint32_t number) const { return families_[number]; }

  // Ascending; valid until a set is added.
  const Node *begin_of(std::uint32_t number) const {
    return members_.data() + families_[number].first;
  }
  const Node *end_of(std::uint32_t number) const {
    return begin_of(number) + families_[number].size;
  }
  std::vector<Node> members(std::uint32_t number) const {
    return std::vector<Node>(begin_of(number), end_of(number));
  }

  std::uint32_t find(const std::vector<Node> &set) const;
  // The set of that number, without one of its members.
  std::uint32_t find_without(std::uint32_t number, Node member) const;

  // The number of the set, a new one when it was absent.
  std::uint32_t add(const std::vector<Node> &set, double score);

  void set_extensions(std::uint32_t number, std::vector<Extension> extensions);

  std::size_t bytes() const;

private:
  // A number, and half the hash of its set: most unequal sets differ in that.
  struct Slot {
    std::uint32_t number = kNone, tag = 0;
  };

  // The slot of a set of that hash, or the free one for it.
  template <class Same> std::size_t slot_of(std::uint64_t hash, Same same) const;
  std::size_t slot_of(const std::vector<Node> &set, std::uint64_t hash) const;
  void grow();

  std::vector<Family> families_;
  std::vector<Node> members_;
  std::vector<Slot> slots_ = std::vector<Slot>(16);
  std::size_t extensions_ = 0;
};

} // namespace optbn
