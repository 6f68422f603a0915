// Growth: the parents that greedy growth and shrinking choose for a node among those before it.
//
// Growing, the further parent that raises the score most is taken in, as long as one raises it;
// shrinking, one is left out as long as that raises the score. What is best for a set of parents
// depends on the set alone. So every set met is kept with its improving extensions, best first, and
// growth among any predecessors is a walk over these lists: the grow-shrink trees of Andrews,
// Ramsey, Sanchez Romero, Camchong & Kummerfeld (2023, arXiv:2310.17679), their branches joined
// where they hold the same set.
//
// Sets are scored when a walk first meets them, all that a batch of walks lacks at once: so
// threads, and engines that answer many questions at a time, have something to do. What that costs
// is counted by a forecast, never by a clock, and can be limited. Natural logs, larger is better.
// Not thread-safe itself.
#pragma once

#include "core/demand/family_table.h"
#include "core/score/family_rules.h"
#include "core/score/local_score.h"
#include "core/score/parent_sets.h"

#include <limits>
#include <vector>

namespace optbn {

// The scores of families of some nodes, whatever time limit the watch says. Throws Interrupted.
std::vector<double> score_families(LocalScore &score, const std::vector<Node> &nodes,
                                   const std::vector<std::vector<Node>> &families, Watch &watch);

// The nodes before a place in an order, but for one node that is inside or outside whatever its
// place.
struct Predecessors {
  const std::vector<std::uint32_t> *place; // of every node
  std::uint32_t limit;                     // places below this are inside
  Node exception;
  bool exception_inside;

  bool contain(Node u) const { return u == exception ? exception_inside : (*place)[u] < limit; }
};

class Growth {
public:
  static constexpr std::uint32_t kNone = FamilyTable::kNone;

  // How a node chose its parents among some predecessors.
  struct Walk {
    double score = -LocalScore::kInfinity; // -infinity where a required parent does not come before
    std::uint32_t family = kNone;          // number of the set that was chosen
    // Bit sets of nodes: those that the walk met and took in, even if they were left out again; and
    // those that it would have taken, had they come before. Whatever other node comes or goes, the
    // walk stays the same.
    std::vector<std::uint64_t> taken, missed;

    static bool has(const std::vector<std::uint64_t> &bits, Node u) {
      return bits[u / 64] >> (u % 64) & 1;
    }
  };

  struct Query {
    Node child;
    Predecessors before;
    Walk walk{}; // the answer
  };

  // Scores the required parents alone, whatever the watch says, so that there is something to
  // choose. `cost`: of scoring a family, by its number of parents, the last for all that have more;
  // empty where it does not count. Throws Interrupted.
  Growth(LocalScore &score, FamilyRules rules, Watch &watch, std::vector<double> cost = {});

  Node size() const { return static_cast<Node>(tables_.size()); }
  const FamilyRules &rules() const { return rules_; }

  struct Step { // a family that somebody stands at
    Node child;
    std::uint32_t family;
    bool operator<(const Step &other) const {
      return child != other.child ? child < other.child : family < other.family;
    }
    bool operator==(const Step &other) const {
      return child == other.child && family == other.family;
    }
  };

  // Score families with one parent more, and with one less. False when the watch stops, or the
  // effort is spent; so it is below.
  bool extend(std::vector<Step> steps);
  bool shrink(std::vector<Step> steps);

  // The number of a family with one parent more, which is among its extensions.
  std::uint32_t extended(Node child, std::uint32_t family, Node added);

  // Answers all queries. False when it has to stop: then a walk ends where what is known ends.
  bool answer(std::vector<Query> &queries);

  const FamilyTable &table(Node child) const { return tables_[child]; }

  // Takes in the given families, one a node, scoring those that are new; their scores, whatever the
  // watch says. Throws Interrupted.
  std::vector<double> meet(const std::vector<std::vector<Node>> &families);

  // Takes in those candidates of an earlier search that are new and within the rules, scoring them
  // again. False when the watch stops, which loses them.
  bool meet(const ParentSets &earlier);

  // Scores every neighbour of families that it has met, one a node: with one parent more, one less,
  // or another in its place.
  bool learn_neighbours(const std::vector<std::vector<Node>> &families);

  // Scores the pairs of a node's most promising parents, so many, with any other: beside its
  // required ones alone.
  bool learn_pairs(std::size_t promising);

  // No family grows beyond this, until this is called again. Walks made before may be too short
  // then.
  void limit_growth(unsigned most) { growth_limit_ = most; }

  double scored() const { return scored_; } // families so far
  double effort() const { return effort_; } // what these cost
  // From now on, scoring ends where the effort has come to so much.
  void limit_effort(double most) { most_effort_ = most; }
  double bytes() const;

  // Forgets all but the required parents; families have other numbers then.
  void forget();

private:
  enum class Lacking { note, accept }; // what a walk does where something is not known

  bool walk(Query &query, Lacking lacking);
  bool grow(Query &query, std::uint32_t &at, Lacking lacking);
  bool cut(Node child, std::uint32_t &at, Lacking lacking);
  void extend_some(const Step *first, const Step *last);
  bool may_grow(Node child, std::uint32_t family) const;
  double cost_of(std::size_t parents) const;
  void count(std::size_t families, std::size_t parents);
  bool must_stop() { return watch_.stopped() || effort_ >= most_effort_; }
  std::uint32_t enter(Node child, std::uint32_t family, std::size_t extension);
  // Visits the parents of a family that need not stay.
  template <class Visit> void for_each_removable(const Step &step, Visit visit) const;

  LocalScore &score_;
  const FamilyRules rules_;
  Watch &watch_;
  std::vector<std::vector<Node>> joinable_; // per node, ascending: what may be a further parent
  std::vector<FamilyTable> tables_;
  std::vector<Step> to_extend_, to_shrink_;
  unsigned growth_limit_ = UINT32_MAX;
  const std::vector<double> cost_;
  double scored_ = 0, effort_ = 0;
  double most_effort_ = std::numeric_limits<double>::infinity();
};

} // namespace optbn
