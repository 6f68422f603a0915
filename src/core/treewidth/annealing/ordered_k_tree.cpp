#include "core/treewidth/annealing/ordered_k_tree.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace optbn {

namespace {

// Two nodes of the order that are closer have no room between them.
constexpr double kLeastRoom = 1e-9;

template <class T> void drop(std::vector<T> &from, T item) {
  *std::find(from.begin(), from.end(), item) = from.back();
  from.pop_back();
}

template <class T> const T &any(const std::vector<T> &items, Random &random) {
  return items[random.below(static_cast<std::uint32_t>(items.size()))];
}

// Added to the logarithms of odds, it makes the largest of them a draw at these odds (Gumbel).
double gumbel(Random &random) {
  return -std::log(-std::log(random.uniform() + std::numeric_limits<double>::min()));
}

} // namespace

std::vector<std::vector<Node>> related_nodes(const ParentSets &sets, unsigned largest) {
  std::vector<std::vector<Node>> related(sets.size());
  for (Node v = 0; v < sets.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[v];
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (candidates.size_of(i) <= largest)
        std::for_each(candidates.begin_of(i), candidates.end_of(i), [&](Node u) {
          related[v].push_back(u);
          related[u].push_back(v);
        });
  }
  for (std::vector<Node> &nodes : related) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return related;
}

OrderedKTree::OrderedKTree(BagSets &kept, const std::vector<std::vector<Node>> &related,
                           const KTree &tree, const std::vector<Node> &order)
    : kept_(&kept), related_(&related), insertion_(kept.all()), k_(tree.k), size_(tree.bag_size()),
      members_(tree.members), joined_(tree.bags()), bags_of_(tree.nodes), rank_(tree.nodes),
      gain_(tree.nodes), mate_(tree.nodes), seen_(tree.nodes) {
  for (BagId i = 0; i < bags(); ++i) {
    sets_.push_back(kept_->of(bag(i)));
    std::for_each(bag(i), bag_end(i), [&](Node v) { bags_of_[v].push_back(i); });
    if (i > 0) {
      joined_[i].push_back(tree.parent[i]);
      joined_[tree.parent[i]].push_back(i);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    rank_[order[i]] = static_cast<double>(i);
  count_anew();
}

std::vector<Node> OrderedKTree::order() const {
  std::vector<Node> order(nodes());
  std::iota(order.begin(), order.end(), Node{0});
  std::sort(order.begin(), order.end(), [&](Node a, Node b) { return rank_[a] < rank_[b]; });
  return order;
}

KTree OrderedKTree::tree() const {
  KTree tree{nodes(), k_, {}, {}, {}};
  std::vector<BagId> found = {0}; // in the order of the k-tree to be
  std::vector<std::uint32_t> parent = {0};
  for (std::size_t at = 0; at < found.size(); ++at) {
    const BagId i = found[at], from = found[parent[at]];
    tree.members.insert(tree.members.end(), bag(i), bag_end(i));
    tree.parent.push_back(parent[at]);
    tree.introduced.push_back(at == 0 ? *bag(i) : *std::find_if(bag(i), bag_end(i), [&](Node v) {
      return !holds(from, v);
    }));
    for (const BagId j : joined_[i])
      if (at == 0 || j != from) {
        found.push_back(j);
        parent.push_back(static_cast<std::uint32_t>(at));
      }
  }
  return tree;
}

Network OrderedKTree::network(const ParentSets &candidates) const {
  std::vector<std::uint32_t> choice;
  for (Node v = 0; v < nodes(); ++v) {
    const BagId home =
        *std::max_element(bags_of_[v].begin(), bags_of_[v].end(),
                          [&](BagId i, BagId j) { return gain_within(i, v) < gain_within(j, v); });
    choice.push_back(best_set(kept_->all(), v, bag(home), size_, before(home, v)));
  }
  return network_of(candidates, std::move(choice));
}

void OrderedKTree::tidy() {
  OPTBN_INVARIANT(holds_together(), "changes leave a k-tree, and the gains that its bags give");
  count_anew();
}

void OrderedKTree::count_anew() {
  const std::vector<Node> nodes = order();
  for (std::size_t i = 0; i < nodes.size(); ++i)
    rank_[nodes[i]] = static_cast<double>(i);
  total_ = 0;
  for (const Node v : nodes)
    total_ += gain_[v] = gain_of(v);
  keep();
}

void OrderedKTree::look_up() {
  for (BagId i = 0; i < bags(); ++i)
    sets_[i] = kept_->of(bag(i));
}

// ---- what there is -----------------------------------------------------------------------------

bool OrderedKTree::holds(BagId i, Node v) const {
  return std::find(bag(i), bag_end(i), v) != bag_end(i);
}

unsigned OrderedKTree::place_of(BagId i, Node v) const {
  return static_cast<unsigned>(std::find(bag(i), bag_end(i), v) - bag(i));
}

// The members of the bag that come before v.
std::uint32_t OrderedKTree::before(BagId i, Node v) const {
  const Node *const members = bag(i);
  std::uint32_t mask = 0;
  for (unsigned place = 0; place < size_; ++place)
    mask |= std::uint32_t{rank_[members[place]] < rank_[v]} << place;
  return mask;
}

double OrderedKTree::gain_within(BagId i, Node v) const {
  return sets_[i]->gain(place_of(i, v), before(i, v));
}

double OrderedKTree::gain_of(Node v) const {
  double most = 0;
  for (const BagId i : bags_of_[v])
    most = std::max(most, gain_within(i, v));
  return most;
}

// Of what is in the journal: do nodes gain what bags and order say, and bags what their members do?
bool OrderedKTree::gains_hold() const {
  return std::all_of(journal_.begin(), journal_.end(), [&](const Change &change) {
    switch (change.kind) {
    case Change::Kind::gain:
      return gain_[change.a] == gain_of(change.a);
    case Change::Kind::members:
      return sets_[change.a] == kept_->of(bag(change.a));
    default:
      return true;
    }
  });
}

// The same of all nodes; and are the bags a k-tree?
bool OrderedKTree::holds_together() const {
  double sum = 0;
  for (Node v = 0; v < nodes(); ++v) {
    if (gain_[v] != gain_of(v))
      return false;
    sum += gain_[v];
  }
  return std::abs(total_ - sum) <= 1e-6 * (1 + sum) && well_formed(tree());
}

// A member that no other bag holds.
std::optional<Node> OrderedKTree::loose_node(BagId i) const {
  const Node *const loose =
      std::find_if(bag(i), bag_end(i), [&](Node v) { return bags_of_[v].size() == 1; });
  return loose == bag_end(i) ? std::nullopt : std::optional<Node>(*loose);
}

// ---- steps that can be undone
// --------------------------------------------------------------------

void OrderedKTree::set_gain(Node v, double gain) {
  if (gain == gain_[v])
    return;
  journal_.push_back({Change::Kind::gain, v, 0, gain_[v]});
  total_ += gain - gain_[v];
  gain_[v] = gain;
}

void OrderedKTree::set_rank(Node v, double rank) {
  journal_.push_back({Change::Kind::rank, v, 0, rank_[v]});
  rank_[v] = rank;
}

void OrderedKTree::set_members(BagId i, const Node *members) {
  journal_.push_back({Change::Kind::members, i, 0, 0, sets_[i]});
  old_members_.insert(old_members_.end(), bag(i), bag_end(i));
  swap_members(i, members);
  sets_[i] = kept_->of(bag(i));
}

// Both ascending.
void OrderedKTree::swap_members(BagId i, const Node *members) {
  Node *const now = members_.data() + std::size_t{i} * size_;
  for (unsigned place = 0; place < size_; ++place) {
    if (!std::binary_search(members, members + size_, now[place]))
      drop(bags_of_[now[place]], i);
    if (!std::binary_search(now, now + size_, members[place]))
      bags_of_[members[place]].push_back(i);
  }
  std::copy(members, members + size_, now);
}

void OrderedKTree::replace(BagId i, Node from, Node to) {
  Node members[kLargestBag];
  std::replace_copy(bag(i), bag_end(i), members, from, to);
  std::sort(members, members + size_);
  set_members(i, members);
}

void OrderedKTree::join(BagId i, BagId j) {
  journal_.push_back({Change::Kind::joined, i, j});
  joined_[i].push_back(j);
  joined_[j].push_back(i);
}

void OrderedKTree::part(BagId i, BagId j) {
  journal_.push_back({Change::Kind::parted, i, j});
  drop(joined_[i], j);
  drop(joined_[j], i);
}

// Somewhere between two nodes, far from neither; or beside the only one. False where there is no
// room.
bool OrderedKTree::put_between(Node v, std::optional<Node> last, std::optional<Node> next,
                               Random &random) {
  if (!last && !next)
    return true;
  const double low = last ? rank_[*last] : rank_[*next] - 1;
  const double high = next ? rank_[*next] : low + 1;
  set_rank(v, low + (high - low) * (0.25 + 0.5 * random.uniform()));
  return high - low > kLeastRoom;
}

void OrderedKTree::keep() {
  OPTBN_INVARIANT(gains_hold(), "after a change nodes gain what bags and order say");
  journal_.clear();
  old_members_.clear();
}

void OrderedKTree::undo() {
  [[maybe_unused]] std::vector<Change> undone;
  if constexpr (kCheckInvariants)
    undone = journal_;
  for (; !journal_.empty(); journal_.pop_back()) {
    const Change change = journal_.back();
    const std::uint32_t a = change.a, b = change.b;
    switch (change.kind) {
    case Change::Kind::gain:
      total_ += change.value - gain_[a];
      gain_[a] = change.value;
      break;
    case Change::Kind::rank:
      rank_[a] = change.value;
      break;
    case Change::Kind::members:
      swap_members(a, old_members_.data() + old_members_.size() - size_);
      old_members_.resize(old_members_.size() - size_);
      sets_[a] = change.sets;
      break;
    case Change::Kind::joined:
      drop(joined_[a], b);
      drop(joined_[b], a);
      break;
    case Change::Kind::parted:
      joined_[a].push_back(b);
      joined_[b].push_back(a);
      break;
    }
  }
  if constexpr (kCheckInvariants) {
    journal_.swap(undone);
    OPTBN_INVARIANT(gains_hold(), "undoing brings back bags and order, hence gains");
    journal_.clear();
  }
}

// ---- rename
// --------------------------------------------------------------------------------------

bool OrderedKTree::rename(double temperature, Random &random) {
  if (bags() < 2 || k_ == 0)
    return false;
  const BagId i = random.below(bags());
  const BagId j = any(joined_[i], random);
  const Node to = *std::find_if(bag(j), bag_end(j), [&](Node v) { return !holds(i, v); });
  Node from;
  do
    from = bag(i)[random.below(size_)];
  while (!holds(j, from));

  touched_.assign(1, to);
  side_.assign(1, {i, j});
  for (std::size_t at = 0; at < side_.size(); ++at) {
    const auto [here, back] = side_[at];
    for (const BagId next : joined_[here])
      if (next != back && holds(next, from))
        side_.push_back({next, here});
    touched_.insert(touched_.end(), bag(here), bag_end(here));
    replace(here, from, to);
  }
  for (const Node v : touched_)
    if (!seen_[v]) {
      seen_[v] = 1;
      set_gain(v, gain_of(v));
    }
  for (const Node v : touched_)
    seen_[v] = 0;
  return move_in_order(to, temperature, random) && move_in_order(from, temperature, random);
}

// ---- transplant
// ----------------------------------------------------------------------------------

bool OrderedKTree::transplant(unsigned looks, Random &random) {
  if (bags() < 2)
    return false;
  const BagId i = random.below(bags());
  const std::optional<Node> v = loose_node(i);
  if (!v)
    return false;
  lift(i);
  const std::vector<Node> &related = (*related_)[*v];
  Insertion::Place best;
  BagId host = i;
  for (unsigned look = 0; look < looks; ++look) {
    const BagId other =
        related.empty() ? random.below(bags()) : any(bags_of_[any(related, random)], random);
    if (other == i)
      continue;
    const Insertion::Place place = insertion_.best(*v, bag(other), size_, rank_, gain_, random);
    if (place.gain > best.gain) {
      best = place;
      host = other;
    }
  }
  if (host == i || !put_between(*v, best.last, best.next, random))
    return false;
  Node members[kLargestBag];
  std::copy(bag(host), bag_end(host), members);
  members[best.omitted] = *v;
  std::sort(members, members + size_);
  set_members(i, members);
  join(i, host);
  for (unsigned place = 0; place < size_; ++place)
    set_gain(members[place], std::max(gain_[members[place]], gain_within(i, members[place])));
  return true;
}

// Takes the bag, which holds a loose node, out of the tree. The bags around it share all else that
// it holds, so that any of them can take its place; and nobody gains within it.
void OrderedKTree::lift(BagId i) {
  const std::vector<BagId> around = joined_[i];
  for (const BagId j : around)
    part(i, j);
  for (std::size_t at = 1; at < around.size(); ++at)
    join(around[0], around[at]);
  for (const Node *v = bag(i); v != bag_end(i); ++v) {
    double most = 0;
    for (const BagId j : bags_of_[*v])
      if (j != i)
        most = std::max(most, gain_within(j, *v));
    set_gain(*v, most);
  }
}

// ---- reorder
// -------------------------------------------------------------------------------------

bool OrderedKTree::reorder(double temperature, Random &random) {
  return move_in_order(static_cast<Node>(random.below(nodes())), temperature, random);
}

// What every place of v among its mates gains takes one look at each bag of v and of theirs.
bool OrderedKTree::move_in_order(Node v, double temperature, Random &random) {
  find_mates(v);
  look_at_mates(v);
  double of_mates = 0;
  for (const Mate &mate : mates_)
    of_mates += mate.before;
  double most = -std::numeric_limits<double>::infinity();
  std::size_t place = 0; // how many mates come before v
  for (std::size_t m = 0; m <= mates_.size(); ++m) {
    if (m > 0)
      of_mates += mates_[m - 1].after - mates_[m - 1].before;
    const double gain = own_[m] + of_mates + (temperature > 0 ? temperature * gumbel(random) : 0);
    if (gain > most) {
      most = gain;
      place = m;
    }
  }
  const auto mate = [&](std::size_t m) {
    return m < mates_.size() ? std::optional<Node>(mates_[m].node) : std::nullopt;
  };
  const bool room = put_between(v, place > 0 ? mate(place - 1) : std::nullopt, mate(place), random);
  set_gain(v, own_[place]);
  for (std::size_t m = 0; m < mates_.size(); ++m)
    set_gain(mates_[m].node, m < place ? mates_[m].after : mates_[m].before);
  return room;
}

void OrderedKTree::find_mates(Node v) {
  mates_.clear();
  seen_[v] = 1;
  for (const BagId i : bags_of_[v])
    for (const Node *u = bag(i); u != bag_end(i); ++u)
      if (!seen_[*u]) {
        seen_[*u] = 1;
        mates_.push_back({*u});
      }
  seen_[v] = 0;
  std::sort(mates_.begin(), mates_.end(),
            [&](const Mate &a, const Mate &b) { return rank_[a.node] < rank_[b.node]; });
  for (std::uint32_t m = 0; m < mates_.size(); ++m) {
    mate_[mates_[m].node] = m;
    seen_[mates_[m].node] = 0;
  }
}

void OrderedKTree::look_at_mates(Node v) {
  own_.assign(mates_.size() + 1, 0);
  for (const BagId i : bags_of_[v]) {
    const unsigned here = place_of(i, v);
    const std::uint32_t bit = std::uint32_t{1} << here;
    // The members but v in their order: as mates, and where they stand in the bag.
    std::pair<std::uint32_t, unsigned> turns[kLargestBag];
    unsigned count = 0;
    for (unsigned place = 0; place < size_; ++place)
      if (place != here)
        turns[count++] = {mate_[bag(i)[place]], place};
    std::sort(turns, turns + count);
    std::uint32_t come = 0;
    for (unsigned turn = 0; turn < count; ++turn) {
      const auto [m, place] = turns[turn];
      mates_[m].after = std::max(mates_[m].after, sets_[i]->gain(place, come));
      mates_[m].before = std::max(mates_[m].before, sets_[i]->gain(place, come | bit));
      come |= std::uint32_t{1} << place;
      own_[m + 1] = std::max(own_[m + 1], sets_[i]->gain(here, come));
    }
  }
  for (std::size_t m = 1; m < own_.size(); ++m)
    own_[m] = std::max(own_[m], own_[m - 1]);
  for (Mate &mate : mates_)
    for (const BagId i : bags_of_[mate.node])
      if (!holds(i, v)) {
        const double elsewhere = gain_within(i, mate.node);
        mate.before = std::max(mate.before, elsewhere);
        mate.after = std::max(mate.after, elsewhere);
      }
}

void OrderedKTree::improve_order(Random &random) {
  constexpr unsigned kRounds = 10; // seldom as many
  std::vector<Node> turns = order();
  double before = -1;
  for (unsigned round = 0; round < kRounds && total_ > before + 1e-9; ++round) {
    before = total_;
    random.shuffle(turns);
    for (const Node v : turns)
      if (move_in_order(v, 0, random))
        keep();
      else
        undo(), tidy();
  }
}

} // namespace optbn
