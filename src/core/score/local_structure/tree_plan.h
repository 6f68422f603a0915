// TreePlan: everything about the optimal trees of a parent set that no response changes.
//
// A node of a tree is a box: a region of every predictor. Its code puts the regions' codes side by
// side in up to 64 bits, and children have smaller codes than their parent (tree_axis.h), so that
// one ascending sweep solves every box after its parts (section 4.2 of the paper). The plan is that
// sweep written down once: the boxes worth a look, in order, each with the two parts whose
// statistics make up its own and with all its splits. Every child node then only follows it.
//
// What the rows leave open is not planned: a box without rows is a leaf; a box with so few that no
// split can pay for a leaf is one too; and a box that still holds levels which none of its rows
// shows is the same as the box without them.
//
// Boxes are found in a table of all codes while that is small, and otherwise among the sorted codes
// of those that hold rows: at most N 2^(A (k - 1)) (s + 1)^B (section 4.1).
//
// Splits outnumber boxes by far where predictors have many levels. They come in chunks, which are
// made once and kept while all are few, and otherwise made again for every sweep.
//
// Memory: 32 bytes a box, 4 a code in the table or 20 in the list, and the chunks. A plan belongs
// to one thread.
#pragma once

#include "core/base/host.h"
#include "core/score/local_structure/cell_tally.h"
#include "core/score/local_structure/tree_axis.h"

#include <cstdint>
#include <map>
#include <vector>

namespace optbn {

class TreePlan {
public:
  static constexpr std::uint32_t kEmpty = 0; // the position of all boxes without rows

  struct Split {
    std::uint32_t left, right; // positions
  };
  struct Box {
    std::uint32_t rows = 0;
    std::uint32_t share = 0; // its part of the space, a place in shares()
    std::uint32_t splits = 0;
    Split parts{kEmpty, kEmpty}; // disjoint, and the box together; none for a cell
  };
  // Boxes first..end-1, whose splits follow one another.
  struct Chunk {
    std::size_t first, end, splits;
  };
  struct Options {
    std::uint32_t least_rows = 2; // boxes with fewer are not split
    bool by_share = false;        // leaves depend on their part of the space
    double memory_limit = 0;      // bytes
    double bytes_per_box = 0;     // that the caller will need beside the plan
  };

  // The plan over these predictors, whose cells `tally` has counted, first axis least significant.
  // Throws MemoryLimit; unfinished when the watch stops.
  void make(const std::vector<const TreeAxis *> &axes, const CellTally &tally,
            const Options &options, Watch &watch);

  // Boxes by position, parts before wholes: the empty box, then the cells as the tally numbers
  // them.
  const std::vector<Box> &boxes() const { return boxes_; }
  const std::vector<Chunk> &chunks() const { return chunks_; }
  // The splits of a chunk, valid until the next call.
  const Split *splits(std::size_t chunk);
  const std::vector<double> &shares() const { return shares_; }

  // The same rows, and trees as good: the box without the levels (at the ends of an ordinal axis)
  // that none of its rows shows.
  std::uint64_t without_unseen(std::uint64_t code) const { return seen_[position(code)]; }

  // The position of the box that stands for a code.
  std::uint32_t position(std::uint64_t code) const;
  std::uint64_t root() const { return root_; }
  std::uint64_t region(std::uint64_t code, std::size_t axis) const {
    return code >> shift_[axis] & mask_[axis];
  }
  std::uint64_t with_region(std::uint64_t code, std::size_t axis, std::uint64_t region) const {
    return (code & ~(mask_[axis] << shift_[axis])) | region << shift_[axis];
  }

private:
  void place_cells(const CellTally &tally);
  void list_occupied(const CellTally &tally, Watch &watch);
  void list_boxes(std::size_t axes, std::uint64_t code, const std::vector<std::uint64_t> &cells,
                  Watch &watch);
  void sweep_table(Watch &watch);
  void sweep_list(Watch &watch);
  std::uint32_t add(std::uint64_t code);
  std::uint64_t seen_of(std::uint64_t code, Split parts) const;
  double count_splits(std::uint64_t code) const;
  void make_chunks();
  void append_splits(const Chunk &chunk);
  void check_splits(std::size_t count, std::size_t box) const;
  std::uint32_t share_of(std::uint64_t code);
  std::uint64_t code_of_cell(std::uint64_t key) const;
  bool is_cell(std::uint64_t code) const;
  double boxes_around_cells(const CellTally &tally) const;
  std::size_t slot_of(std::uint64_t code) const;
  void check_memory(double further_bytes) const;

  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::vector<const TreeAxis *> axes_;
  std::vector<unsigned> shift_;
  std::vector<std::uint64_t> mask_;
  std::uint64_t root_ = 0, categorical_ = 0; // bits of all categorical axes
  std::vector<std::size_t> ordinal_;         // the ordinal axes
  Options options_;

  std::vector<Box> boxes_;
  std::vector<std::uint64_t> seen_; // by position: code of the box, without unseen levels
  std::vector<Chunk> chunks_;
  std::vector<std::size_t> kept_at_; // of each chunk in splits_; empty when they are not kept
  std::vector<Split> splits_;
  std::vector<double> shares_;
  std::map<double, std::uint32_t> share_number_;

  bool dense_ = true;
  std::vector<std::uint32_t> position_; // by code, or beside listed_
  std::vector<std::uint64_t> listed_;   // sparse: the occupied codes, ascending
  std::vector<std::uint32_t> slots_;    // sparse: a hash table of places in listed_
  unsigned slot_bits_ = 0;
};

// Bits that the code of a box over these predictors takes.
unsigned code_bits(const std::vector<const TreeAxis *> &axes);

} // namespace optbn
