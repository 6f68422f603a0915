// OrderClimb: climbs from order to order, each node's parents grown among those before it.
//
// One step takes a node out of the order and puts it back where the sum of all scores is largest;
// the climb ends when no node gains (BOSS: Andrews, Ramsey, Sanchez Romero, Camchong & Kummerfeld
// 2023, arXiv:2310.17679). A step looks at every place, yet asks few walks (growth.h): a node that
// comes or goes changes only the walks that took or missed it.
//
// When the climb ends, the order is shaken: a few nodes go to random places and those that are
// concerned climb again. Half of the nodes, those after the first, are parents of the one before,
// and half of the places near: changes that belong together are seldom made by chance. A shaken
// order that scores less is kept with a probability that falls with its loss and with time
// (simulated annealing: Kirkpatrick, Gelatt & Vecchi 1983, doi 10.1126/science.220.4598.671). Steps
// are counted, never timed: the same seed gives the same order.
#pragma once

#include "core/base/random.h"
#include "core/demand/growth.h"
#include "core/structure/anytime.h"

#include <functional>
#include <vector>

namespace optbn {

class OrderClimb {
public:
  // Begins with the order, which must hold all nodes once and required parents before their
  // children. While the climb lives, `growth` must not forget.
  OrderClimb(Growth &growth, std::vector<Node> order, std::uint64_t seed, Watch &watch);

  // Climbs until no node gains.
  void climb();

  // Shakes the order so many times, from a temperature (natural log units) down to another, or
  // until growth takes more than that many bytes. `spent` tells what share is used up of what the
  // shaking may take otherwise: where that is more than the share of the times, temperature goes by
  // it, so that whatever ends the shaking finds it cold.
  void shake(
      std::size_t times, double hot, double cold, double memory_limit,
      const std::function<double()> &spent = [] { return 0.0; });

  // The best order met: its score, itself, and the number of every node's family.
  double score() const { return best_score_; }
  const std::vector<Node> &order() const { return best_; }
  const std::vector<std::uint32_t> &families() const { return best_families_; }
  const std::vector<Improvement> &improvements() const { return improvements_; }

private:
  using Walk = Growth::Walk;
  using Query = Growth::Query;
  struct State {
    std::vector<Node> order;
    std::vector<std::uint32_t> place; // of every node
  };

  Node size() const { return growth_.size(); }
  // Moves every node of the list to its best place, and those whose families change thereby.
  // False when the watch stops.
  bool settle(std::vector<Node> nodes);
  bool improve(Node v, std::vector<Node> &changed);
  // Fills others_ with the walks that nodes at the places from..to would make if v changed sides.
  bool walk_others(Node v, std::uint32_t from, std::uint32_t to);
  // What the node at that place gains by the walk in others_, if it has one there.
  double gain_of_other(std::uint32_t place) const;
  // Fills own_ with the walk that v would make at that place.
  bool walk_own(Node v, std::uint32_t place);
  // Puts v at that place, others_ being filled for all places between.
  void put(Node v, std::uint32_t place, Walk own, std::vector<Node> &changed);
  void replace(Node v, Walk walk, std::vector<Node> &changed);
  bool throw_some(std::vector<Node> &changed);
  Node any_node();
  Node next_to_throw(Node last);
  std::uint32_t place_to_throw_to(std::uint32_t here);
  void go_back(State state);
  double total() const;
  void keep_if_best();

  Growth &growth_;
  Watch &watch_;
  Random random_;
  State state_;
  std::vector<Walk> walk_; // of every node
  std::vector<Node> best_;
  std::vector<std::uint32_t> best_families_;
  double best_score_ = -LocalScore::kInfinity;
  std::vector<Improvement> improvements_;

  std::vector<std::pair<Node, Walk>> replaced_; // since the state that may come back
  std::vector<Query> others_;
  std::vector<std::uint32_t> other_at_; // by place: index in others_, or kNone
  std::vector<Query> own_;              // one
};

} // namespace optbn
