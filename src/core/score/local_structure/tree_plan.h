// TreePlan: everything about the optimal trees of a parent set that no response changes.
//
// A node of a tree is a box (box_codes.h), and parts of a box have smaller codes than the box, so
// that one ascending sweep solves every box after its parts (section 4.2 of the paper). The plan is
// that sweep written down once: the boxes worth a look, in order, each with the two parts whose
// statistics make up its own and with all its splits. Every child node then only follows it.
//
// What the rows leave open is not planned: a box without rows is a leaf; a box with so few that no
// split can pay for a leaf is one too; and a box that still holds levels which none of its rows
// shows is the same as the box without them.
//
// Boxes are found in a table of all codes while that is small, and otherwise in a list of those that
// hold rows (box_positions.h).
//
// Splits outnumber boxes by far where predictors have many levels. They come in chunks, which are
// made once and kept while all are few, and otherwise made again for every sweep.
//
// Memory: 32 bytes a box, its position, and the chunks. A plan belongs to one thread.
#pragma once

#include "core/base/host.h"
#include "core/score/local_structure/box_positions.h"
#include "core/score/local_structure/cell_tally.h"

#include <cstdint>
#include <map>
#include <vector>

namespace optbn {

class TreePlan {
public:
  static constexpr std::uint32_t kEmpty = kEmptyBox; // the position of all boxes without rows

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
  std::uint32_t position(std::uint64_t code) const { return dense_ ? table_[code] : list_[code]; }
  const BoxCodes &codes() const { return codes_; }

private:
  template <class Positions> void sweep(Positions &positions, const CellTally &tally, Watch &watch);
  std::uint32_t add(std::uint64_t code);
  std::uint64_t seen_of(std::uint64_t code, Split parts) const;
  double count_splits(std::uint64_t code) const;
  void make_chunks();
  void append_splits(const Chunk &chunk);
  template <class Positions> void append_splits(const Chunk &chunk, const Positions &positions);
  void check_splits(std::size_t count, std::size_t box) const;
  std::uint32_t share_of(std::uint64_t code);
  double boxes_around_cells(const CellTally &tally) const;
  void check_memory(double further_bytes) const;

  BoxCodes codes_;
  Options options_;

  std::vector<Box> boxes_;
  std::vector<std::uint64_t> seen_; // by position: code of the box, without unseen levels
  std::vector<Chunk> chunks_;
  std::vector<std::size_t> kept_at_; // of each chunk in splits_; empty when they are not kept
  std::vector<Split> splits_;
  std::vector<double> shares_;
  std::map<double, std::uint32_t> share_number_;

  bool dense_ = true; // are boxes in the table, or in the list?
  BoxTable table_;
  BoxList list_;
};

} // namespace optbn
