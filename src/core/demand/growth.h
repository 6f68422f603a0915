// Growth: the parents that greedy growth and shrinking choose for a node among those before it.
//
// Growing adds the parent that raises the score most, as long as one raises it; shrinking removes
// one as long as that raises the score. The best addition or removal depends on the set of parents
// alone. So every set met is stored with its improving extensions, best first, and growth among any
// predecessors reads these lists: the grow-shrink trees of Andrews, Ramsey, Sanchez Romero,
// Camchong & Kummerfeld (2023, arXiv:2310.17679), with branches of the same set joined.
//
// Sets are scored when a query first meets them, all that a batch of queries needs at once, so that
// threads, and scores that are faster on large batches, are used well. The cost of that is counted
// by a forecast, never by a clock, and can be limited. Natural logs, larger is better. Not
// thread-safe itself.
#pragma once

#include "core/demand/family_table.h"
#include "core/score/family_rules.h"
#include "core/score/local_score.h"
#include "core/score/parent_sets.h"

#include <limits>
#include <vector>

namespace optbn {

// The scores of families of some nodes, even where the watch's time limit is reached. Throws
// Interrupted.
std::vector<double> score_families(LocalScore &score, const std::vector<Node> &nodes,
                                   const std::vector<std::vector<Node>> &families, Watch &watch);

// The nodes before a position in an order, except that one node is inside or outside whatever its
// position.
struct Predecessors {
  const std::vector<std::uint32_t> *position; // of every node
  std::uint32_t limit;                        // positions below this are inside
  Node exception;
  bool exception_inside;

  bool contain(Node u) const { return u == exception ? exception_inside : (*position)[u] < limit; }
};

class Growth {
public:
  static constexpr std::uint32_t kNone = FamilyTable::kNone;

  // The parents that a node chooses among some predecessors.
  struct Choice {
    double score = -LocalScore::kInfinity; // -infinity where a required parent does not come before
    std::uint32_t family = kNone;          // number of the set
    // Bit sets of nodes: those that are required or that growth added, even if shrinking removed
    // them again; and those that it would have added, had they come before. The choice depends on
    // no other node.
    std::vector<std::uint64_t> added, absent;

    static bool has(const std::vector<std::uint64_t> &bits, Node u) {
      return bits[u / 64] >> (u % 64) & 1;
    }
  };

  struct Query {
    Node child;
    Predecessors before;
    Choice choice{}; // the result
  };

  // Scores the required parents alone, even where the watch has stopped, so that there is a choice.
  // `cost`: of scoring a family, by its number of parents, the last for all that have more; empty
  // where it does not count. Throws Interrupted.
  Growth(LocalScore &score, FamilyRules rules, Watch &watch, std::vector<double> cost = {});

  Node size() const { return static_cast<Node>(tables_.size()); }
  const FamilyRules &rules() const { return rules_; }

  struct FamilyRef { // a family by its number
    Node child;
    std::uint32_t family;
    bool operator<(const FamilyRef &other) const {
      return child != other.child ? child < other.child : family < other.family;
    }
    bool operator==(const FamilyRef &other) const {
      return child == other.child && family == other.family;
    }
  };

  // Score families with one parent more, and with one less. Here and below: false when the watch
  // stops, or the effort is spent.
  bool extend(std::vector<FamilyRef> refs);
  bool shrink(std::vector<FamilyRef> refs);

  // The number of a family with one parent more, which is among its extensions.
  std::uint32_t extended(Node child, std::uint32_t family, Node added);

  // Chooses parents for all queries. When it has to stop, with the families that are scored.
  bool grow_shrink(std::vector<Query> &queries);

  const FamilyTable &table(Node child) const { return tables_[child]; }

  // Adds the given families, one a node, scoring those that are new, even where the watch has
  // stopped; returns their scores. Throws Interrupted.
  std::vector<double> meet(const std::vector<std::vector<Node>> &families);

  // Adds those candidates of an earlier search that are new and within the rules, scoring them
  // again. When the watch stops, none.
  bool meet(const ParentSets &earlier);

  // Scores every neighbour of families that it has met, one a node: with one parent more, one less,
  // or one replaced.
  bool learn_neighbours(const std::vector<std::vector<Node>> &families);

  // Scores the pairs of each of a node's most promising parents, so many, with any other one, added
  // to its required ones alone.
  bool learn_pairs(std::size_t promising);

  // No family grows beyond this size, until the limit is set again. Choices made before may be too
  // small then.
  void limit_growth(unsigned most) { growth_limit_ = most; }

  double scored() const { return scored_; } // families so far
  double effort() const { return effort_; } // their cost
  // From now on, scoring ends where the effort has reached this.
  void limit_effort(double most) { most_effort_ = most; }
  double bytes() const;

  // Removes all families but the required parents; families have other numbers then.
  void forget();

private:
  enum class Unscored { request, accept }; // for families that are needed but not scored

  bool choose(Query &query, Unscored unscored);
  bool add_parents(Query &query, std::uint32_t &at, Unscored unscored);
  bool remove_parents(Node child, std::uint32_t &at, Unscored unscored);
  void extend_batch(const FamilyRef *first, const FamilyRef *last);
  bool can_extend(Node child, std::uint32_t family) const;
  double cost_of(std::size_t parents) const;
  void count(std::size_t families, std::size_t parents);
  bool must_stop() { return watch_.stopped() || effort_ >= most_effort_; }
  std::uint32_t number_extension(Node child, std::uint32_t family, std::size_t extension);
  // Visits the parents of a family that are not required.
  template <class Visit> void for_each_removable(const FamilyRef &ref, Visit visit) const;

  LocalScore &score_;
  const FamilyRules rules_;
  Watch &watch_;
  std::vector<std::vector<Node>> possible_parents_; // per node, ascending; no required ones
  std::vector<FamilyTable> tables_;
  std::vector<FamilyRef> to_extend_, to_shrink_;
  unsigned growth_limit_ = UINT32_MAX;
  const std::vector<double> cost_;
  double scored_ = 0, effort_ = 0;
  double most_effort_ = std::numeric_limits<double>::infinity();
};

} // namespace optbn
