#include "core/treewidth/annealing/ordered_k_tree.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// No node is put between two ranks that are closer than this.
constexpr double kLeastGap = 1e-9;

// Does not preserve the order of the items.
template <class T> void swap_remove(std::vector<T> &from, T item) {
  *std::find(from.begin(), from.end(), item) = from.back();
  from.pop_back();
}

template <class T> const T &random_item(const std::vector<T> &items, Random &random) {
  return items[random.below(static_cast<std::uint32_t>(items.size()))];
}

// Added to log odds, it makes the largest of them a draw with these odds (Gumbel-max trick).
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

OrderedKTree::OrderedKTree(BagSets &cache, const std::vector<std::vector<Node>> &related,
                           const KTree &tree, const std::vector<Node> &order)
    : cache_(&cache), related_(&related), insertion_(cache.all()), k_(tree.k),
      size_(tree.bag_size()), members_(tree.members), adjacent_(tree.bags()), bags_of_(tree.nodes),
      rank_(tree.nodes), gain_(tree.nodes), neighbour_of_(tree.nodes), seen_(tree.nodes) {
  for (BagId i = 0; i < bags(); ++i) {
    sets_.push_back(cache_->of(bag(i)));
    std::for_each(bag(i), bag_end(i), [&](Node v) { bags_of_[v].push_back(i); });
    if (i > 0) {
      adjacent_[i].push_back(tree.parent[i]);
      adjacent_[tree.parent[i]].push_back(i);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    rank_[order[i]] = static_cast<double>(i);
  recompute();
}

std::vector<Node> OrderedKTree::order() const {
  std::vector<Node> order(nodes());
  std::iota(order.begin(), order.end(), Node{0});
  std::sort(order.begin(), order.end(), [&](Node a, Node b) { return rank_[a] < rank_[b]; });
  return order;
}

KTree OrderedKTree::tree() const {
  KTree tree{nodes(), k_, {}, {}, {}};
  std::vector<BagId> found = {0}; // in the order of the bags of the result
  std::vector<std::uint32_t> parent = {0};
  for (std::size_t at = 0; at < found.size(); ++at) {
    const BagId i = found[at], from = found[parent[at]];
    tree.members.insert(tree.members.end(), bag(i), bag_end(i));
    tree.parent.push_back(parent[at]);
    tree.introduced.push_back(at == 0 ? *bag(i) : *std::find_if(bag(i), bag_end(i), [&](Node v) {
      return !contains(from, v);
    }));
    for (const BagId j : adjacent_[i])
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
    const BagId best =
        *std::max_element(bags_of_[v].begin(), bags_of_[v].end(),
                          [&](BagId i, BagId j) { return gain_within(i, v) < gain_within(j, v); });
    choice.push_back(best_set(cache_->all(), v, bag(best), size_, before(best, v)));
  }
  return network_of(candidates, std::move(choice));
}

void OrderedKTree::renumber() {
  OPTBN_INVARIANT(is_consistent(), "changes leave a k-tree, and gains that agree with its bags");
  recompute();
}

void OrderedKTree::recompute() {
  const std::vector<Node> nodes = order();
  for (std::size_t i = 0; i < nodes.size(); ++i)
    rank_[nodes[i]] = static_cast<double>(i);
  total_ = 0;
  for (const Node v : nodes)
    total_ += gain_[v] = gain_of(v);
  commit();
}

void OrderedKTree::refresh(BagSets &cache) {
  cache_ = &cache;
  for (BagId i = 0; i < bags(); ++i)
    sets_[i] = cache_->of(bag(i));
}

// ---- bags, order and gains ---------------------------------------------------------------------

bool OrderedKTree::contains(BagId i, Node v) const {
  return std::find(bag(i), bag_end(i), v) != bag_end(i);
}

unsigned OrderedKTree::position_of(BagId i, Node v) const {
  return static_cast<unsigned>(std::find(bag(i), bag_end(i), v) - bag(i));
}

// The members of the bag that come before v.
std::uint32_t OrderedKTree::before(BagId i, Node v) const {
  const Node *const members = bag(i);
  std::uint32_t mask = 0;
  for (unsigned position = 0; position < size_; ++position)
    mask |= std::uint32_t{rank_[members[position]] < rank_[v]} << position;
  return mask;
}

double OrderedKTree::gain_within(BagId i, Node v) const {
  return sets_[i]->gain(position_of(i, v), before(i, v));
}

// The larger of a gain and that within the bag, which is not computed where it cannot be larger.
double OrderedKTree::gain_at_least(double least, BagId i, Node v) const {
  const unsigned position = position_of(i, v);
  return sets_[i]->most(position) > least ? std::max(least, sets_[i]->gain(position, before(i, v)))
                                          : least;
}

double OrderedKTree::gain_of(Node v) const {
  double most = 0;
  for (const BagId i : bags_of_[v])
    most = gain_at_least(most, i, v);
  return most;
}

// Do gains and sets in the journal agree with bags and order?
bool OrderedKTree::journal_is_consistent() const {
  return std::all_of(journal_.begin(), journal_.end(), [&](const Change &change) {
    switch (change.kind) {
    case Change::Kind::gain:
      return gain_[change.a] == gain_of(change.a);
    case Change::Kind::members:
      return sets_[change.a] == cache_->of(bag(change.a));
    default:
      return true;
    }
  });
}

// Do the gains of all nodes agree with bags and order, and are the bags a k-tree?
bool OrderedKTree::is_consistent() const {
  double sum = 0;
  for (Node v = 0; v < nodes(); ++v) {
    if (gain_[v] != gain_of(v))
      return false;
    sum += gain_[v];
  }
  return std::abs(total_ - sum) <= 1e-6 * (1 + sum) && well_formed(tree());
}

// A member that is in no other bag.
std::optional<Node> OrderedKTree::private_node(BagId i) const {
  const Node *const found =
      std::find_if(bag(i), bag_end(i), [&](Node v) { return bags_of_[v].size() == 1; });
  return found == bag_end(i) ? std::nullopt : std::optional<Node>(*found);
}

// ---- steps that can be undone ------------------------------------------------------------------

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
  sets_[i] = cache_->of(bag(i));
}

void OrderedKTree::vacate(BagId i) {
  journal_.push_back({Change::Kind::vacated, i, 0});
  for (const Node *v = bag(i); v != bag_end(i); ++v)
    swap_remove(bags_of_[*v], i);
  vacant_.push_back(i);
}

// The bag is vacant; members ascending.
void OrderedKTree::occupy(BagId i, const Node *members) {
  journal_.push_back({Change::Kind::occupied, i, 0, 0, sets_[i]});
  old_members_.insert(old_members_.end(), bag(i), bag_end(i));
  std::copy(members, members + size_, members_.begin() + std::ptrdiff_t{i} * size_);
  std::for_each(members, members + size_, [&](Node v) { bags_of_[v].push_back(i); });
  sets_[i] = cache_->of(members);
  swap_remove(vacant_, i);
}

// The members and sets that a vacant bag had before it was occupied.
void OrderedKTree::restore(BagId i, const BagSets::Bag *sets) {
  std::copy(old_members_.end() - size_, old_members_.end(),
            members_.begin() + std::ptrdiff_t{i} * size_);
  old_members_.resize(old_members_.size() - size_);
  sets_[i] = sets;
}

// Both ascending.
void OrderedKTree::swap_members(BagId i, const Node *members) {
  Node *const now = members_.data() + std::size_t{i} * size_;
  for (unsigned position = 0; position < size_; ++position) {
    if (!std::binary_search(members, members + size_, now[position]))
      swap_remove(bags_of_[now[position]], i);
    if (!std::binary_search(now, now + size_, members[position]))
      bags_of_[members[position]].push_back(i);
  }
  std::copy(members, members + size_, now);
}

void OrderedKTree::replace(BagId i, Node from, Node to) {
  Node members[kLargestBag];
  std::replace_copy(bag(i), bag_end(i), members, from, to);
  std::sort(members, members + size_);
  set_members(i, members);
}

void OrderedKTree::link(BagId i, BagId j) {
  journal_.push_back({Change::Kind::linked, i, j});
  adjacent_[i].push_back(j);
  adjacent_[j].push_back(i);
}

void OrderedKTree::unlink(BagId i, BagId j) {
  journal_.push_back({Change::Kind::unlinked, i, j});
  swap_remove(adjacent_[i], j);
  swap_remove(adjacent_[j], i);
}

// A random rank of v between two nodes, at some distance from both; or next to the only one. False
// where the gap is too small.
bool OrderedKTree::rank_between(Node v, std::optional<Node> previous, std::optional<Node> next,
                                Random &random) {
  if (!previous && !next)
    return true;
  const double low = previous ? rank_[*previous] : rank_[*next] - 1;
  const double high = next ? rank_[*next] : low + 1;
  set_rank(v, low + (high - low) * (0.25 + 0.5 * random.uniform()));
  return high - low > kLeastGap;
}

void OrderedKTree::commit() {
  OPTBN_INVARIANT(journal_is_consistent(), "after a change gains agree with bags and order");
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
    case Change::Kind::vacated:
      for (const Node *v = bag(a); v != bag_end(a); ++v)
        bags_of_[*v].push_back(a);
      break;
    case Change::Kind::occupied:
      for (const Node *v = bag(a); v != bag_end(a); ++v)
        swap_remove(bags_of_[*v], a);
      restore(a, change.sets);
      break;
    case Change::Kind::linked:
      swap_remove(adjacent_[a], b);
      swap_remove(adjacent_[b], a);
      break;
    case Change::Kind::unlinked:
      adjacent_[a].push_back(b);
      adjacent_[b].push_back(a);
      break;
    }
  }
  if constexpr (kCheckInvariants) {
    journal_.swap(undone);
    OPTBN_INVARIANT(journal_is_consistent(), "undoing restores bags, order and gains");
    journal_.clear();
  }
}

// ---- rename ------------------------------------------------------------------------------------

bool OrderedKTree::rename(double temperature, Random &random) {
  if (bags() < 2 || k_ == 0)
    return false;
  const BagId i = random.below(bags());
  const BagId j = random_item(adjacent_[i], random);
  const Node to = *std::find_if(bag(j), bag_end(j), [&](Node v) { return !contains(i, v); });
  Node from;
  do
    from = bag(i)[random.below(size_)];
  while (!contains(j, from));

  touched_.assign(1, to);
  side_.assign(1, {i, j});
  for (std::size_t at = 0; at < side_.size(); ++at) {
    const auto [here, back] = side_[at];
    for (const BagId next : adjacent_[here])
      if (next != back && contains(next, from))
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

// ---- transplant --------------------------------------------------------------------------------

bool OrderedKTree::transplant(unsigned count, unsigned trials, double temperature, Random &random) {
  if (bags() < 2)
    return false;
  remove_nodes(std::min(count, bags() - 1), random);
  for (Cutting &cutting : cuttings_)
    for (unsigned trial = 0; trial < trials; ++trial)
      try_host(cutting, random_host(cutting.node, random), temperature, random);
  while (!cuttings_.empty()) {
    const BagId added = vacant_.back();
    if (!attach(next_cutting(), random))
      return false;
    for (Cutting &cutting : cuttings_)
      try_host(cutting, added, temperature, random);
  }
  return true;
}

// With their bags, from a random one on along a random walk.
void OrderedKTree::remove_nodes(unsigned count, Random &random) {
  cuttings_.clear();
  vacant_.clear();
  BagId at = random.below(bags()), from = at;
  for (; count > 0; --count) {
    std::optional<Node> v;
    while (!(v = private_node(at)))
      at = next_bag(at, std::exchange(from, at), random);
    const BagId next = random_item(adjacent_[at], random);
    detach_bag(at);
    cuttings_.push_back({*v, -std::numeric_limits<double>::infinity(), at, {}});
    from = at;
    at = next;
  }
}

// Not back to the bag before, so that the walk ends: at the latest in a bag with one adjacent bag,
// which has a node that is in no other.
OrderedKTree::BagId OrderedKTree::next_bag(BagId i, BagId from, Random &random) const {
  BagId next;
  do
    next = random_item(adjacent_[i], random);
  while (next == from);
  return next;
}

// Removes the bag, which has a node that is in no other bag, from the tree. Its other members are
// all in each of the adjacent bags, so that one of these can be linked with the others; no node
// gains within the bag any longer.
void OrderedKTree::detach_bag(BagId i) {
  const std::vector<BagId> around = adjacent_[i];
  for (const BagId j : around)
    unlink(i, j);
  for (std::size_t at = 1; at < around.size(); ++at)
    link(around[0], around[at]);
  vacate(i);
  for (const Node *v = bag(i); v != bag_end(i); ++v)
    set_gain(*v, gain_of(*v));
}

// A bag of a related node, if that is in one.
OrderedKTree::BagId OrderedKTree::random_host(Node v, Random &random) const {
  const std::vector<Node> &related = (*related_)[v];
  if (!related.empty()) {
    const std::vector<BagId> &of_related = bags_of_[random_item(related, random)];
    if (!of_related.empty())
      return random_item(of_related, random);
  }
  BagId host;
  do
    host = random.below(bags());
  while (std::find(vacant_.begin(), vacant_.end(), host) != vacant_.end());
  return host;
}

void OrderedKTree::try_host(Cutting &cutting, BagId host, double temperature, Random &random) {
  // With this share of the temperature, noise and the rule of Metropolis together still prefer the
  // better choices.
  constexpr double kNoise = 0.5;
  const Insertion::Choice choice =
      insertion_.best(cutting.node, bag(host), size_, rank_, gain_, random);
  const double merit = choice.gain + (temperature > 0 ? kNoise * temperature * gumbel(random) : 0);
  if (merit > cutting.merit)
    cutting = {cutting.node, merit, host, choice};
}

// Removes it from the cuttings.
OrderedKTree::Cutting OrderedKTree::next_cutting() {
  const auto share = [&](const Cutting &cutting) {
    const double most = cache_->all().most(cutting.node);
    return most > 0 ? cutting.merit / most : 1;
  };
  const auto next =
      std::max_element(cuttings_.begin(), cuttings_.end(),
                       [&](const Cutting &a, const Cutting &b) { return share(a) < share(b); });
  const Cutting cutting = *next;
  *next = cuttings_.back();
  cuttings_.pop_back();
  return cutting;
}

// To its host, in one of the vacant bags. What the node obtains there may have changed since the
// host was tried.
bool OrderedKTree::attach(const Cutting &cutting, Random &random) {
  const Node v = cutting.node;
  const Node *const host = bag(cutting.host);
  const Insertion::Choice choice = insertion_.best(v, host, size_, rank_, gain_, random);
  if (!rank_between(v, choice.previous, choice.next, random))
    return false;
  Node members[kLargestBag];
  std::copy(host, host + size_, members);
  members[choice.omitted] = v;
  std::sort(members, members + size_);
  const BagId i = vacant_.back();
  occupy(i, members);
  link(i, cutting.host);
  for (unsigned position = 0; position < size_; ++position)
    set_gain(members[position], gain_at_least(gain_[members[position]], i, members[position]));
  return true;
}

// ---- reorder -----------------------------------------------------------------------------------

bool OrderedKTree::reorder(double temperature, Random &random) {
  return move_in_order(static_cast<Node>(random.below(nodes())), temperature, random);
}

// The gains of all positions of v among its neighbours need one pass over the bags of v and of the
// neighbours.
bool OrderedKTree::move_in_order(Node v, double temperature, Random &random) {
  find_bag_neighbours(v);
  compute_gains_of_positions(v);
  double of_neighbours = 0;
  for (const BagNeighbour &neighbour : neighbours_)
    of_neighbours += neighbour.before;
  double most = -std::numeric_limits<double>::infinity();
  std::size_t position = 0; // how many neighbours come before v
  for (std::size_t m = 0; m <= neighbours_.size(); ++m) {
    if (m > 0)
      of_neighbours += neighbours_[m - 1].after - neighbours_[m - 1].before;
    const double gain =
        own_gain_[m] + of_neighbours + (temperature > 0 ? temperature * gumbel(random) : 0);
    if (gain > most) {
      most = gain;
      position = m;
    }
  }
  const auto neighbour = [&](std::size_t m) {
    return m < neighbours_.size() ? std::optional<Node>(neighbours_[m].node) : std::nullopt;
  };
  const bool has_gap = rank_between(v, position > 0 ? neighbour(position - 1) : std::nullopt,
                                    neighbour(position), random);
  set_gain(v, own_gain_[position]);
  for (std::size_t m = 0; m < neighbours_.size(); ++m)
    set_gain(neighbours_[m].node, m < position ? neighbours_[m].after : neighbours_[m].before);
  return has_gap;
}

void OrderedKTree::find_bag_neighbours(Node v) {
  neighbours_.clear();
  seen_[v] = 1;
  for (const BagId i : bags_of_[v])
    for (const Node *u = bag(i); u != bag_end(i); ++u)
      if (!seen_[*u]) {
        seen_[*u] = 1;
        neighbours_.push_back({*u});
      }
  seen_[v] = 0;
  std::sort(
      neighbours_.begin(), neighbours_.end(),
      [&](const BagNeighbour &a, const BagNeighbour &b) { return rank_[a.node] < rank_[b.node]; });
  for (std::uint32_t m = 0; m < neighbours_.size(); ++m) {
    neighbour_of_[neighbours_[m].node] = m;
    seen_[neighbours_[m].node] = 0;
  }
}

void OrderedKTree::compute_gains_of_positions(Node v) {
  own_gain_.assign(neighbours_.size() + 1, 0);
  for (const BagId i : bags_of_[v]) {
    const unsigned here = position_of(i, v);
    const std::uint32_t bit = std::uint32_t{1} << here;
    // The members but v in their order: indices in neighbours_, and positions in the bag.
    std::pair<std::uint32_t, unsigned> members[kLargestBag];
    unsigned count = 0;
    for (unsigned position = 0; position < size_; ++position)
      if (position != here)
        members[count++] = {neighbour_of_[bag(i)[position]], position};
    std::sort(members, members + count);
    std::uint32_t preceding = 0; // members, as a mask
    for (unsigned next = 0; next < count; ++next) {
      const auto [m, position] = members[next];
      neighbours_[m].after = std::max(neighbours_[m].after, sets_[i]->gain(position, preceding));
      neighbours_[m].before =
          std::max(neighbours_[m].before, sets_[i]->gain(position, preceding | bit));
      preceding |= std::uint32_t{1} << position;
      own_gain_[m + 1] = std::max(own_gain_[m + 1], sets_[i]->gain(here, preceding));
    }
  }
  for (std::size_t m = 1; m < own_gain_.size(); ++m)
    own_gain_[m] = std::max(own_gain_[m], own_gain_[m - 1]);
  for (BagNeighbour &neighbour : neighbours_)
    for (const BagId i : bags_of_[neighbour.node])
      if (!contains(i, v)) { // the position of v makes no difference
        const double gain =
            gain_at_least(std::min(neighbour.before, neighbour.after), i, neighbour.node);
        neighbour.before = std::max(neighbour.before, gain);
        neighbour.after = std::max(neighbour.after, gain);
      }
}

void OrderedKTree::improve_order(Random &random) {
  constexpr unsigned kRounds = 10; // seldom as many
  std::vector<Node> sequence = order();
  double before = -1;
  for (unsigned round = 0; round < kRounds && total_ > before + 1e-9; ++round) {
    before = total_;
    random.shuffle(sequence);
    for (const Node v : sequence)
      if (move_in_order(v, 0, random))
        commit();
      else
        undo(), renumber();
  }
}

} // namespace optbn
