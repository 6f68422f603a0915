#include "core/demand/arc_climb.h"

#include "core/base/ascending.h"
#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr double kForbidden = -LocalScore::kInfinity;

// The descendants of every node: bit sets.
class DescendantSets {
public:
  explicit DescendantSets(const Graph &graph) { compute(graph); }

  bool has(Node ancestor, Node descendant) const {
    return descendants_[ancestor][descendant / 64] >> (descendant % 64) & 1;
  }

  // From the graph: needed after an arc has been removed.
  void compute(const Graph &graph) {
    descendants_.assign(graph.size(), std::vector<std::uint64_t>((graph.size() + 63) / 64));
    const std::vector<Node> order = topological_order(graph);
    for (auto v = order.rbegin(); v != order.rend(); ++v)
      for (const Node u : graph[*v])
        add_descendants(u, *v);
  }

  void add_arc(Node from, Node to) {
    for (Node a = 0; a < descendants_.size(); ++a)
      if (a == from || has(a, from))
        add_descendants(a, to);
  }

private:
  void add_descendants(Node ancestor, Node child) {
    std::vector<std::uint64_t> &all = descendants_[ancestor];
    for (std::size_t w = 0; w < all.size(); ++w)
      all[w] |= descendants_[child][w];
    all[child / 64] |= std::uint64_t{1} << (child % 64);
  }

  std::vector<std::vector<std::uint64_t>> descendants_;
};

class ArcClimb {
public:
  ArcClimb(Growth &growth, const Graph &start, Watch &watch)
      : growth_(growth), watch_(watch), graph_(start), descendants_(start), arcs_(start.size()) {
    for (Node v = 0; v < size(); ++v)
      family_.push_back(growth_.table(v).find(start[v]));
    for (Node v = 0; v < size(); ++v)
      score_ += at(v).score;
  }

  Graph run() {
    std::vector<Node> changed(size());
    for (Node v = 0; v < size(); ++v)
      changed[v] = v;
    while (score_neighbours(changed)) {
      const Move move = best_move();
      if (move.kind == Kind::none)
        break;
      apply(move, changed);
      watch_.report_bounds(score_, std::numeric_limits<double>::infinity());
    }
    return graph_;
  }

private:
  struct Arc { // into a node
    Node from;
    double removed, reversed; // gains of the two moves; kForbidden where one is not allowed
  };
  enum class Kind { none, add, remove, reverse };
  struct Move {
    Kind kind = Kind::none;
    Node from = 0, to = 0;
    double gain = 0;
  };

  Node size() const { return static_cast<Node>(graph_.size()); }

  const FamilyTable::Family &at(Node v) const { return growth_.table(v)[family_[v]]; }

  // By how much rounding may make equal gains differ.
  double tolerance() const { return 1e-9 * std::max(1.0, std::abs(score_)); }

  bool has_room(Node v) const { return at(v).size < growth_.rules().max_parents[v]; }

  // Scores the families that differ by one parent from those that have changed, and updates the
  // gains of their arcs.
  bool score_neighbours(const std::vector<Node> &changed) {
    std::vector<Growth::FamilyRef> refs;
    for (const Node v : changed)
      refs.push_back({v, family_[v]});
    if (!growth_.shrink(refs))
      return false;
    refs.erase(std::remove_if(refs.begin(), refs.end(),
                              [this](const Growth::FamilyRef &ref) {
                                return at(ref.child).extended || !has_room(ref.child);
                              }),
               refs.end());
    if (!growth_.extend(refs))
      return false;
    for (const Node v : changed)
      list_arcs(v);
    for (const Node v : changed)
      for (Node w = 0; w < size(); ++w)
        for (Arc &arc : arcs_[w])
          if (arc.from == v)
            arc.reversed = arc.removed + gain_of_adding(w, v);
    return true;
  }

  void list_arcs(Node v) {
    arcs_[v].clear();
    const std::vector<Node> &required = growth_.rules().required[v];
    const FamilyTable &table = growth_.table(v);
    for (const Node u : graph_[v]) {
      if (std::binary_search(required.begin(), required.end(), u))
        continue;
      const double removed = table[table.find_without(family_[v], u)].score - at(v).score;
      arcs_[v].push_back({u, removed, removed + gain_of_adding(v, u)});
    }
  }

  // kForbidden where it gains nothing: then it is better to remove the arc than to reverse it.
  double gain_of_adding(Node from, Node to) const {
    if (!has_room(to))
      return kForbidden;
    for (const FamilyTable::Extension &extension : at(to).extensions)
      if (extension.added == from)
        return extension.score - at(to).score;
    return kForbidden;
  }

  Move best_move() const {
    Move best;
    // Of equals, one that follows the order of the columns: causes mostly come before effects.
    const auto consider = [&](Kind kind, Node from, Node to, double gain) {
      const bool follows_order = best.from > best.to && from < to;
      if (gain > best.gain + (follows_order ? -tolerance() : tolerance()))
        best = {kind, from, to, gain};
    };
    for (Node v = 0; v < size(); ++v) {
      if (has_room(v))
        for (const FamilyTable::Extension &extension : at(v).extensions)
          if (!descendants_.has(v, extension.added)) {
            consider(Kind::add, extension.added, v, extension.score - at(v).score);
            break;
          }
      for (const Arc &arc : arcs_[v]) {
        consider(Kind::remove, arc.from, v, arc.removed);
        if (arc.reversed > best.gain && may_reverse(arc.from, v))
          consider(Kind::reverse, arc.from, v, arc.reversed);
      }
    }
    return best;
  }

  // Does no other path lead from one end to the other?
  bool may_reverse(Node from, Node to) const {
    return std::none_of(graph_[to].begin(), graph_[to].end(),
                        [&](Node u) { return u != from && descendants_.has(from, u); });
  }

  void apply(const Move &move, std::vector<Node> &changed) {
    changed.assign({move.to});
    if (move.kind == Kind::add) {
      add_arc(move.from, move.to);
      descendants_.add_arc(move.from, move.to);
    } else {
      erase(graph_[move.to], move.from);
      family_[move.to] = growth_.table(move.to).find_without(family_[move.to], move.from);
      if (move.kind == Kind::reverse) {
        add_arc(move.to, move.from);
        changed.push_back(move.from);
      }
      descendants_.compute(graph_);
    }
    score_ += move.gain;
    OPTBN_INVARIANT(is_acyclic(graph_), "no move closes a cycle");
  }

  void add_arc(Node from, Node to) {
    insert(graph_[to], from);
    family_[to] = growth_.extended(to, family_[to], from);
  }

  Growth &growth_;
  Watch &watch_;
  Graph graph_;
  DescendantSets descendants_;
  std::vector<std::uint32_t> family_;
  std::vector<std::vector<Arc>> arcs_; // into every node, without required ones
  double score_ = 0;
};

} // namespace

Graph climb_arcs(Growth &growth, const Graph &start, Watch &watch) {
  return ArcClimb(growth, start, watch).run();
}

} // namespace optbn
