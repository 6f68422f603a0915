// OrderClimb: climbs from order to order, each node's parents grown among those before it.
//
// One step removes a node from the order and reinserts it where the sum of all scores is largest;
// the climb ends when no node gains (BOSS: Andrews, Ramsey, Sanchez Romero, Camchong & Kummerfeld
// 2023, arXiv:2310.17679). A step evaluates every position, yet needs few choices of parents
// (growth.h): a node that becomes a predecessor changes only the choices from which it was absent,
// one that no longer is one only those to which it was added.
//
// When the climb ends, the order is perturbed: a few nodes move to random positions, and the climb
// continues from the nodes that change. Half of the moved nodes, apart from the first, are parents
// of the one before, and half of the positions are near: related changes are seldom made by chance.
// A perturbed order that scores less is accepted with a probability that falls with its loss and
// with time (simulated annealing: Kirkpatrick, Gelatt & Vecchi 1983, doi
// 10.1126/science.220.4598.671). Steps are counted, never timed: the same seed gives the same
// order.
#pragma once

#include "core/base/random.h"
#include "core/demand/growth.h"
#include "core/structure/anytime.h"

#include <functional>
#include <vector>

namespace optbn {

class OrderClimb {
public:
  // Begins with the order, which must have all nodes once and required parents before their
  // children. While this object exists, growth.forget() must not be called.
  OrderClimb(Growth &growth, std::vector<Node> order, std::uint64_t seed, Watch &watch);

  // Climbs until no node gains.
  void climb();

  // Perturbs the order so many times, from a temperature (natural log units) down to another, or
  // until growth takes more than that many bytes. `spent` returns which share is used of a limit of
  // another kind: where it is more than the share of the times, it sets the temperature, so that
  // this is low whichever limit ends the annealing.
  void shake(
      std::size_t times, double initial_temperature, double final_temperature, double memory_limit,
      const std::function<double()> &spent = [] { return 0.0; });

  // The best order met: its score, itself, and the number of every node's family.
  double score() const { return best_score_; }
  const std::vector<Node> &order() const { return best_; }
  const std::vector<std::uint32_t> &families() const { return best_families_; }
  const std::vector<Improvement> &improvements() const { return improvements_; }

private:
  using Choice = Growth::Choice;
  using Query = Growth::Query;
  struct State {
    std::vector<Node> order;
    std::vector<std::uint32_t> position; // of every node
  };

  Node size() const { return growth_.size(); }
  // Moves every node of the list to its best position, and then the nodes whose families change.
  // False when the watch stops.
  bool climb_from(std::vector<Node> nodes);
  bool improve(Node v, std::vector<Node> &changed);
  // Fills others_ with the choices of the nodes at the positions from..to that change if v changes
  // sides.
  bool choose_for_others(Node v, std::uint32_t from, std::uint32_t to);
  // What the node at that position gains by its choice in others_, if there is one.
  double gain_of_other(std::uint32_t position) const;
  // Fills own_ with the choice of v at that position.
  bool choose_for_node(Node v, std::uint32_t position);
  // Moves v to that position; others_ must be filled for all positions between.
  void move_to(Node v, std::uint32_t position, Choice own, std::vector<Node> &changed);
  void replace(Node v, Choice choice, std::vector<Node> &changed);
  bool perturb(std::vector<Node> &changed);
  Node random_node();
  Node next_to_move(Node last);
  std::uint32_t perturbed_position(std::uint32_t here);
  void restore(State state);
  double total_score() const;
  void update_best();

  Growth &growth_;
  Watch &watch_;
  Random random_;
  State state_;
  std::vector<Choice> choice_; // of every node
  std::vector<Node> best_;
  std::vector<std::uint32_t> best_families_;
  double best_score_ = -LocalScore::kInfinity;
  std::vector<Improvement> improvements_;

  std::vector<std::pair<Node, Choice>> replaced_; // since the state that may be restored
  std::vector<Query> others_;
  std::vector<std::uint32_t> other_at_; // by position: index in others_, or kNone
  std::vector<Query> own_;              // one
};

} // namespace optbn
