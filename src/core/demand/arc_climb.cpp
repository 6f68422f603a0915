#include "core/demand/arc_climb.h"

#include "core/base/ascending.h"
#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr double kNever = -LocalScore::kInfinity;

// The nodes below every node: bit sets.
class Descendants {
public:
  explicit Descendants(const Graph &graph) { find(graph); }

  bool has(Node above, Node below) const { return below_[above][below / 64] >> (below % 64) & 1; }

  // Of the graph as it is after an arc has gone.
  void find(const Graph &graph) {
    below_.assign(graph.size(), std::vector<std::uint64_t>((graph.size() + 63) / 64));
    const std::vector<Node> order = topological_order(graph);
    for (auto v = order.rbegin(); v != order.rend(); ++v)
      for (const Node u : graph[*v])
        join(u, *v);
  }

  void add_arc(Node from, Node to) {
    for (Node a = 0; a < below_.size(); ++a)
      if (a == from || has(a, from))
        join(a, to);
  }

private:
  void join(Node above, Node child) {
    std::vector<std::uint64_t> &all = below_[above];
    for (std::size_t w = 0; w < all.size(); ++w)
      all[w] |= below_[child][w];
    all[child / 64] |= std::uint64_t{1} << (child % 64);
  }

  std::vector<std::vector<std::uint64_t>> below_;
};

class ArcClimb {
public:
  ArcClimb(Growth &growth, const Graph &start, Watch &watch)
      : growth_(growth), watch_(watch), graph_(start), below_(start), arcs_(start.size()) {
    for (Node v = 0; v < size(); ++v)
      family_.push_back(growth_.table(v).find(start[v]));
    for (Node v = 0; v < size(); ++v)
      score_ += at(v).score;
  }

  Graph run() {
    std::vector<Node> changed(size());
    for (Node v = 0; v < size(); ++v)
      changed[v] = v;
    while (learn(changed)) {
      const Move move = best_move();
      if (move.kind == Kind::none)
        break;
      make(move, changed);
      watch_.found(score_, std::numeric_limits<double>::infinity());
    }
    return graph_;
  }

private:
  struct Arc { // into a node
    Node from;
    double removed, turned; // what either gains; kNever where it must not be
  };
  enum class Kind { none, add, remove, turn };
  struct Move {
    Kind kind = Kind::none;
    Node from = 0, to = 0;
    double gain = 0;
  };

  Node size() const { return static_cast<Node>(graph_.size()); }

  const FamilyTable::Family &at(Node v) const { return growth_.table(v)[family_[v]]; }

  // What rounding may make of equal gains.
  double slack() const { return 1e-9 * std::max(1.0, std::abs(score_)); }

  bool has_room(Node v) const { return at(v).size < growth_.rules().max_parents[v]; }

  // What is one parent away from families that are new, and what that makes of their arcs.
  bool learn(const std::vector<Node> &changed) {
    std::vector<Growth::Step> steps;
    for (const Node v : changed)
      steps.push_back({v, family_[v]});
    if (!growth_.shrink(steps))
      return false;
    steps.erase(std::remove_if(steps.begin(), steps.end(),
                               [this](const Growth::Step &step) {
                                 return at(step.child).extended || !has_room(step.child);
                               }),
                steps.end());
    if (!growth_.extend(steps))
      return false;
    for (const Node v : changed)
      list_arcs(v);
    for (const Node v : changed)
      for (Node w = 0; w < size(); ++w)
        for (Arc &arc : arcs_[w])
          if (arc.from == v)
            arc.turned = arc.removed + gain_of_adding(w, v);
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

  // kNever where it gains nothing: then the arc is better left out than turned.
  double gain_of_adding(Node from, Node to) const {
    if (!has_room(to))
      return kNever;
    for (const FamilyTable::Extension &extension : at(to).extensions)
      if (extension.added == from)
        return extension.score - at(to).score;
    return kNever;
  }

  Move best_move() const {
    Move best;
    // Of equals, one that follows the order of the columns: causes are mostly named first.
    const auto consider = [&](Kind kind, Node from, Node to, double gain) {
      const bool other_way = best.from > best.to && from < to;
      if (gain > best.gain + (other_way ? -slack() : slack()))
        best = {kind, from, to, gain};
    };
    for (Node v = 0; v < size(); ++v) {
      if (has_room(v))
        for (const FamilyTable::Extension &extension : at(v).extensions)
          if (!below_.has(v, extension.added)) {
            consider(Kind::add, extension.added, v, extension.score - at(v).score);
            break;
          }
      for (const Arc &arc : arcs_[v]) {
        consider(Kind::remove, arc.from, v, arc.removed);
        if (arc.turned > best.gain && may_turn(arc.from, v))
          consider(Kind::turn, arc.from, v, arc.turned);
      }
    }
    return best;
  }

  // Does no other path lead from one end to the other?
  bool may_turn(Node from, Node to) const {
    return std::none_of(graph_[to].begin(), graph_[to].end(),
                        [&](Node u) { return u != from && below_.has(from, u); });
  }

  void make(const Move &move, std::vector<Node> &changed) {
    changed.assign({move.to});
    if (move.kind == Kind::add) {
      add_arc(move.from, move.to);
      below_.add_arc(move.from, move.to);
    } else {
      erase(graph_[move.to], move.from);
      family_[move.to] = growth_.table(move.to).find_without(family_[move.to], move.from);
      if (move.kind == Kind::turn) {
        add_arc(move.to, move.from);
        changed.push_back(move.from);
      }
      below_.find(graph_);
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
  Descendants below_;
  std::vector<std::uint32_t> family_;
  std::vector<std::vector<Arc>> arcs_; // into every node, but for required ones
  double score_ = 0;
};

} // namespace

Graph climb_arcs(Growth &growth, const Graph &start, Watch &watch) {
  return ArcClimb(growth, start, watch).run();
}

} // namespace optbn
