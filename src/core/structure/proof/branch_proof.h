// BranchProof: the proof of a subproblem of branch and cut, and of the two that it is split into.
//
// Its own steps go to the log as they are made; which other's follow them is known when the search
// ends. One worker at a time may use it.
#pragma once

#include "core/structure/proof/proof_steps.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace optbn {

template <unsigned Words> class BranchProof {
public:
  // bound: what is proved already.
  explicit BranchProof(ProofLog &log, Cost bound = 0) : text_{log}, said_bound_(bound) {}

  // The dual proves this bound.
  void raise_bound(const Dual<Words> &dual, Cost bound, Cost cutoff) {
    if (bound > said_bound_)
      exclude(dual, bound, cutoff);
  }

  // For good, sets are excluded by this dual, which proves `bound`, and cutoff.
  void exclude(const Dual<Words> &dual, Cost bound, Cost cutoff) {
    said_bound_ = std::max(said_bound_, bound);
    ProofRows<Words> rows;
    rows.dual(dual, cutoff);
    rows.add("x\n");
    text_.write(rows.take());
  }

  // For good, the first nodes of these paths have no parents on them, as every other node there has
  // the one before it. The dual proves `bound`, and more by a cluster for each path: its price makes
  // up for the gap, and no set counts but those of the first node that meet no other.
  void exclude(const std::vector<BitSet<Words>> &paths, Dual<Words> dual, Cost bound, Cost cutoff) {
    for (const BitSet<Words> &path : paths)
      dual.clusters.push_back({path, 1, std::max<Cost>(cutoff - bound, 0) + 1});
    exclude(dual, bound, cutoff);
  }

  // A text to be written by a search over orders, which is part of the proof once it is kept.
  ProofText new_text() const { return ProofText{text_.log}; }
  void keep(const ProofText &text) {
    text_.begin();
    text_.pieces.insert(text_.pieces.end(), text.pieces.begin(), text.pieces.end());
    text_.end();
  }

  // With the arc from u to v, or without it.
  std::shared_ptr<BranchProof> side(Node u, Node v, bool present) {
    sides_.push_back({(present ? "y" : "n") + std::to_string(u) + ' ' + std::to_string(v) + '\n',
                      std::make_shared<BranchProof>(text_.log, said_bound_)});
    return sides_.back().proof;
  }

  // Adds it all to a text.
  void append_to(ProofText &whole) const {
    whole.pieces.insert(whole.pieces.end(), text_.pieces.begin(), text_.pieces.end());
    for (const Side &side : sides_) {
      whole.write(side.begin);
      side.proof->append_to(whole);
      whole.end();
    }
  }

private:
  struct Side {
    std::string begin;
    std::shared_ptr<BranchProof> proof;
  };
  ProofText text_;
  Cost said_bound_;
  std::vector<Side> sides_; // none or two
};

} // namespace optbn
