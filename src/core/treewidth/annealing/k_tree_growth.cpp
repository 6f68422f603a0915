#include "core/treewidth/annealing/k_tree_growth.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace optbn {

namespace {

constexpr double kNoPlaceYet = 1e300;

// Of every node, in the graph with the edges that elimination adds.
std::vector<std::vector<Node>> neighbours_at_elimination(const UndirectedGraph &graph,
                                                         const std::vector<Node> &order) {
  std::vector<std::size_t> turn(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    turn[order[i]] = i;
  std::vector<std::vector<Node>> later(order.size());
  for (Node v = 0; v < graph.size(); ++v)
    for (const Node u : graph.neighbours[v])
      if (turn[u] > turn[v])
        later[v].push_back(u);
  // What is joined when v goes is known to the first of its neighbours to go next.
  for (const Node v : order) {
    if (later[v].empty())
      continue;
    const Node next = *std::min_element(later[v].begin(), later[v].end(),
                                        [&](Node a, Node b) { return turn[a] < turn[b]; });
    std::vector<Node> both;
    std::set_union(later[next].begin(), later[next].end(), later[v].begin(), later[v].end(),
                   std::back_inserter(both));
    both.erase(std::find(both.begin(), both.end(), next));
    later[next] = std::move(both);
  }
  return later;
}

// A random connected part of the bags stays, the others' nodes go missing.
KTree part_of(const KTree &tree, std::size_t kept_bags, Random &random,
              std::vector<Node> &missing) {
  std::vector<std::vector<std::uint32_t>> joined(tree.bags());
  for (std::uint32_t i = 1; i < tree.bags(); ++i) {
    joined[i].push_back(tree.parent[i]);
    joined[tree.parent[i]].push_back(i);
  }
  std::vector<bool> seen(tree.bags(), false), kept(tree.bags(), false);
  std::vector<std::uint32_t> border = {random.below(static_cast<std::uint32_t>(tree.bags()))};
  seen[border[0]] = true;
  while (kept_bags-- > 0) {
    std::uint32_t &next = border[random.below(static_cast<std::uint32_t>(border.size()))];
    const std::uint32_t bag = next;
    next = border.back();
    border.pop_back();
    kept[bag] = true;
    for (const std::uint32_t other : joined[bag])
      if (!seen[other]) {
        seen[other] = true;
        border.push_back(other);
      }
  }
  // Bags keep their order, so that the topmost of them comes first and is the new root.
  KTree part{tree.nodes, tree.k, {}, {}, {}};
  std::vector<std::uint32_t> number(tree.bags(), 0);
  std::vector<bool> there(tree.nodes, false);
  for (std::uint32_t i = 0; i < tree.bags(); ++i) {
    if (!kept[i])
      continue;
    number[i] = static_cast<std::uint32_t>(part.bags());
    const bool root = part.bags() == 0;
    part.parent.push_back(root ? 0 : number[tree.parent[i]]);
    part.introduced.push_back(root ? *tree.bag(i) : tree.introduced[i]);
    part.members.insert(part.members.end(), tree.bag(i), tree.bag_end(i));
    std::for_each(tree.bag(i), tree.bag_end(i), [&](Node v) { there[v] = true; });
  }
  missing.clear();
  for (Node v = 0; v < tree.nodes; ++v)
    if (!there[v])
      missing.push_back(v);
  return part;
}

} // namespace

KTreeGrower::KTreeGrower(const SetTrie &sets, unsigned k)
    : sets_(sets), k_(k), most_(sets.size()), offers_(sets.size()), home_(sets.size()) {
  for (Node v = 0; v < sets.size(); ++v)
    most_[v] = sets.most(v);
}

KTree KTreeGrower::grow(Style style, Random &random) {
  KTree tree = first_bag(random);
  std::vector<Node> missing;
  for (Node v = 0; v < sets_.size(); ++v)
    if (!std::binary_search(tree.bag(0), tree.bag_end(0), v))
      missing.push_back(v);
  complete(tree, std::move(missing), style, random);
  return tree;
}

// Node after node, always the one that gains most together with those that it joins.
KTree KTreeGrower::first_bag(Random &random) {
  std::vector<Node> bag = {static_cast<Node>(random.below(sets_.size()))};
  while (bag.size() < k_ + 1u) {
    double best = -1;
    std::vector<Node> with_best;
    for (Node v = 0; v < sets_.size(); ++v) {
      if (std::binary_search(bag.begin(), bag.end(), v))
        continue;
      std::vector<Node> with = bag;
      with.insert(std::upper_bound(with.begin(), with.end(), v), v);
      double gain = 0;
      for (const Node u : with)
        gain += gain_within(u, with);
      if (gain > best) {
        best = gain;
        with_best = std::move(with);
      }
    }
    bag = std::move(with_best);
  }
  return {sets_.size(), k_, bag, {0}, {bag[0]}};
}

double KTreeGrower::gain_within(Node v, const std::vector<Node> &nodes) const {
  double best = 0;
  sets_.for_each_within(
      v, nodes.data(), static_cast<unsigned>(nodes.size()),
      [&](double gain, std::uint32_t, std::uint32_t) { best = std::max(best, gain); });
  return best;
}

// Against the order of elimination, each node where most of the neighbours are that it had when its
// turn came; they may not all have found a place together.
KTree KTreeGrower::around(const UndirectedGraph &graph, const std::vector<Node> &order,
                          Random &random) {
  const std::vector<std::vector<Node>> later = neighbours_at_elimination(graph, order);
  std::vector<Node> bag(order.end() - (k_ + 1), order.end());
  std::sort(bag.begin(), bag.end());
  KTree tree{sets_.size(), k_, bag, {0}, {bag[0]}};
  for (const Node v : bag)
    home_[v] = 0;
  for (auto v = order.rbegin() + (k_ + 1); v != order.rend(); ++v) {
    const auto wanted = [&](Node u) {
      return std::binary_search(later[*v].begin(), later[*v].end(), u);
    };
    unsigned most = 0;
    std::uint32_t from = 0, ties = 0;
    for (std::uint32_t i = 0; i < tree.bags(); ++i) {
      const auto held = static_cast<unsigned>(std::count_if(tree.bag(i), tree.bag_end(i), wanted));
      if (held > most)
        ties = 0;
      if (held >= most && random.below(++ties) == 0) {
        most = held;
        from = i;
      }
    }
    std::vector<unsigned> spare;
    for (unsigned place = 0; place < tree.bag_size(); ++place)
      if (most > k_ || !wanted(tree.bag(from)[place]))
        spare.push_back(place);
    hang(tree, from, spare[random.below(static_cast<std::uint32_t>(spare.size()))], *v);
  }
  OPTBN_INVARIANT(well_formed(tree), "what has grown is a k-tree");
  return tree;
}

KTree KTreeGrower::regrow(const KTree &tree, std::size_t nodes, Style style, Random &random) {
  std::vector<Node> missing;
  KTree part = part_of(tree, tree.bags() - nodes, random, missing);
  complete(part, std::move(missing), style, random);
  return part;
}

// Adds the missing nodes to a k-tree of the others.
void KTreeGrower::complete(KTree &part, std::vector<Node> missing, Style style, Random &random) {
  for (std::uint32_t i = 0; i < part.bags(); ++i)
    home_[part.introduced[i]] = i;
  std::for_each(part.bag(0), part.bag_end(0), [&](Node v) { home_[v] = 0; });
  for (const Node v : missing) {
    offers_[v].loss = kNoPlaceYet;
    for (std::uint32_t i = 0; i < part.bags(); ++i)
      offer(part, i, v, style.noise, random);
  }
  random.shuffle(missing);
  while (!missing.empty()) {
    const auto next =
        style.greedy
            ? std::min_element(missing.begin(), missing.end(),
                               [&](Node a, Node b) { return offers_[a].loss < offers_[b].loss; })
            : missing.end() - 1;
    const Node v = *next;
    *next = missing.back();
    missing.pop_back();
    insert(part, v, random);
    for (const Node u : missing)
      offer(part, static_cast<std::uint32_t>(part.bags() - 1), u, style.noise, random);
  }
  OPTBN_INVARIANT(well_formed(part), "what has grown is a k-tree");
}

// Takes note of the bag if it is v's best place so far; of several, each is as likely as another.
void KTreeGrower::offer(const KTree &tree, std::uint32_t bag, Node v, double noise,
                        Random &random) {
  double best = -1;
  std::uint32_t parents = 0;
  sets_.for_each_within(v, tree.bag(bag), tree.bag_size(),
                        [&](double gain, std::uint32_t mask, std::uint32_t) {
                          if (gain > best) {
                            best = gain;
                            parents = mask;
                          }
                        });
  double loss = most_[v] > 0 ? 1 - best / most_[v] : 0;
  if (noise > 0)
    loss += noise * random.uniform() * random.uniform();
  Offer &offer = offers_[v];
  if (loss < offer.loss)
    offer = {loss, bag, parents, 1};
  else if (loss == offer.loss && random.below(++offer.ties) == 0)
    offer = {loss, bag, parents, offer.ties};
}

// Hangs a bag of v, the parents on offer, and others of the bag that offers them.
void KTreeGrower::insert(KTree &tree, Node v, Random &random) {
  const Offer &offer = offers_[v];
  std::vector<unsigned> spare; // places that may be left out
  for (unsigned place = 0; place < tree.bag_size(); ++place)
    if (!(offer.parents >> place & 1))
      spare.push_back(place);
  hang(tree, offer.bag, spare[random.below(static_cast<std::uint32_t>(spare.size()))], v);
}

// A new bag: v, and what another holds but for one place.
void KTreeGrower::hang(KTree &tree, std::uint32_t from, unsigned omitted, Node v) {
  std::vector<Node> bag(tree.bag(from), tree.bag_end(from));
  bag.erase(bag.begin() + omitted);
  std::uint32_t parent = 0; // the first bag that holds the handle
  for (const Node u : bag)
    parent = std::max(parent, home_[u]);
  bag.insert(std::upper_bound(bag.begin(), bag.end(), v), v);
  home_[v] = static_cast<std::uint32_t>(tree.bags());
  tree.members.insert(tree.members.end(), bag.begin(), bag.end());
  tree.parent.push_back(parent);
  tree.introduced.push_back(v);
}

} // namespace optbn
