#include "core/treewidth/annealing/k_tree_growth.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace optbn {

namespace {

constexpr double kNoBagYet = 1e300; // as a loss

// By node the neighbours that it has when it is eliminated.
std::vector<std::vector<Node>> neighbours_at_elimination(const UndirectedGraph &graph,
                                                         const std::vector<Node> &order) {
  std::vector<std::size_t> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    position[order[i]] = i;
  std::vector<std::vector<Node>> later(order.size());
  for (Node v = 0; v < graph.size(); ++v)
    for (const Node u : graph.neighbours[v])
      if (position[u] > position[v])
        later[v].push_back(u);
  // Eliminating v joins its neighbours: the one that is eliminated next gets the others.
  for (const Node v : order) {
    if (later[v].empty())
      continue;
    const Node next = *std::min_element(later[v].begin(), later[v].end(),
                                        [&](Node a, Node b) { return position[a] < position[b]; });
    std::vector<Node> both;
    std::set_union(later[next].begin(), later[next].end(), later[v].begin(), later[v].end(),
                   std::back_inserter(both));
    both.erase(std::find(both.begin(), both.end(), next));
    later[next] = std::move(both);
  }
  return later;
}

// A random connected part of so many bags; `missing`: the nodes that are not in it.
KTree random_part(const KTree &tree, std::size_t size, Random &random, std::vector<Node> &missing) {
  std::vector<std::vector<std::uint32_t>> adjacent(tree.bags());
  for (std::uint32_t i = 1; i < tree.bags(); ++i) {
    adjacent[i].push_back(tree.parent[i]);
    adjacent[tree.parent[i]].push_back(i);
  }
  std::vector<bool> seen(tree.bags(), false), selected(tree.bags(), false);
  std::vector<std::uint32_t> border = {random.below(static_cast<std::uint32_t>(tree.bags()))};
  seen[border[0]] = true;
  while (size-- > 0) {
    std::uint32_t &next = border[random.below(static_cast<std::uint32_t>(border.size()))];
    const std::uint32_t bag = next;
    next = border.back();
    border.pop_back();
    selected[bag] = true;
    for (const std::uint32_t other : adjacent[bag])
      if (!seen[other]) {
        seen[other] = true;
        border.push_back(other);
      }
  }
  // The order of the bags stays the same, so that the topmost of them comes first and is the new
  // root.
  KTree part{tree.nodes, tree.k, {}, {}, {}};
  std::vector<std::uint32_t> number(tree.bags(), 0);
  std::vector<bool> present(tree.nodes, false);
  for (std::uint32_t i = 0; i < tree.bags(); ++i) {
    if (!selected[i])
      continue;
    number[i] = static_cast<std::uint32_t>(part.bags());
    const bool root = part.bags() == 0;
    part.parent.push_back(root ? 0 : number[tree.parent[i]]);
    part.introduced.push_back(root ? *tree.bag(i) : tree.introduced[i]);
    part.members.insert(part.members.end(), tree.bag(i), tree.bag_end(i));
    std::for_each(tree.bag(i), tree.bag_end(i), [&](Node v) { present[v] = true; });
  }
  missing.clear();
  for (Node v = 0; v < tree.nodes; ++v)
    if (!present[v])
      missing.push_back(v);
  return part;
}

} // namespace

KTreeGrower::KTreeGrower(const SetTrie &sets, unsigned k)
    : sets_(sets), k_(k), most_(sets.size()), candidates_(sets.size()), first_bag_(sets.size()) {
  for (Node v = 0; v < sets.size(); ++v)
    most_[v] = sets.most(v);
}

KTree KTreeGrower::grow(double noise, Random &random) {
  KTree tree = initial_clique(random);
  std::vector<Node> missing;
  for (Node v = 0; v < sets_.size(); ++v)
    if (!std::binary_search(tree.bag(0), tree.bag_end(0), v))
      missing.push_back(v);
  complete(tree, std::move(missing), noise, random);
  return tree;
}

// Adds node after node, each time the one with the largest gain of the clique.
KTree KTreeGrower::initial_clique(Random &random) {
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

// In reverse order of elimination, attaches each node to the bag with most of the neighbours that
// it had when it was eliminated; they may not all be in one bag.
KTree KTreeGrower::around(const UndirectedGraph &graph, const std::vector<Node> &order,
                          Random &random) {
  const std::vector<std::vector<Node>> later = neighbours_at_elimination(graph, order);
  std::vector<Node> bag(order.end() - (k_ + 1), order.end());
  std::sort(bag.begin(), bag.end());
  KTree tree{sets_.size(), k_, bag, {0}, {bag[0]}};
  for (const Node v : bag)
    first_bag_[v] = 0;
  for (auto v = order.rbegin() + (k_ + 1); v != order.rend(); ++v) {
    const auto is_neighbour = [&](Node u) {
      return std::binary_search(later[*v].begin(), later[*v].end(), u);
    };
    unsigned most = 0;
    std::uint32_t from = 0, ties = 0;
    for (std::uint32_t i = 0; i < tree.bags(); ++i) {
      const auto count =
          static_cast<unsigned>(std::count_if(tree.bag(i), tree.bag_end(i), is_neighbour));
      if (count > most)
        ties = 0;
      if (count >= most && random.below(++ties) == 0) {
        most = count;
        from = i;
      }
    }
    std::vector<unsigned> omittable;
    for (unsigned position = 0; position < tree.bag_size(); ++position)
      if (most > k_ || !is_neighbour(tree.bag(from)[position]))
        omittable.push_back(position);
    attach(tree, from, omittable[random.below(static_cast<std::uint32_t>(omittable.size()))], *v);
  }
  OPTBN_INVARIANT(well_formed(tree), "the result is a k-tree");
  return tree;
}

KTree KTreeGrower::regrow(const KTree &tree, std::size_t nodes, double noise, Random &random) {
  std::vector<Node> missing;
  KTree part = random_part(tree, tree.bags() - nodes, random, missing);
  complete(part, std::move(missing), noise, random);
  return part;
}

// Adds the missing nodes to a k-tree of the others.
void KTreeGrower::complete(KTree &part, std::vector<Node> missing, double noise, Random &random) {
  for (std::uint32_t i = 0; i < part.bags(); ++i)
    first_bag_[part.introduced[i]] = i;
  std::for_each(part.bag(0), part.bag_end(0), [&](Node v) { first_bag_[v] = 0; });
  for (const Node v : missing) {
    candidates_[v].loss = kNoBagYet;
    for (std::uint32_t i = 0; i < part.bags(); ++i)
      update_candidate(part, i, v, noise, random);
  }
  random.shuffle(missing);
  while (!missing.empty()) {
    const auto next = std::min_element(missing.begin(), missing.end(), [&](Node a, Node b) {
      return candidates_[a].loss < candidates_[b].loss;
    });
    const Node v = *next;
    *next = missing.back();
    missing.pop_back();
    insert(part, v, random);
    for (const Node u : missing)
      update_candidate(part, static_cast<std::uint32_t>(part.bags() - 1), u, noise, random);
  }
  OPTBN_INVARIANT(well_formed(part), "the result is a k-tree");
}

// Records the bag if it is the best for v so far; of several, each is equally likely.
void KTreeGrower::update_candidate(const KTree &tree, std::uint32_t bag, Node v, double noise,
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
  Candidate &candidate = candidates_[v];
  if (loss < candidate.loss)
    candidate = {loss, bag, parents, 1};
  else if (loss == candidate.loss && random.below(++candidate.ties) == 0)
    candidate = {loss, bag, parents, candidate.ties};
}

// Attaches v to its best bag, with its parents and random other members of that bag.
void KTreeGrower::insert(KTree &tree, Node v, Random &random) {
  const Candidate &candidate = candidates_[v];
  std::vector<unsigned> omittable; // positions of members that are no parents
  for (unsigned position = 0; position < tree.bag_size(); ++position)
    if (!(candidate.parents >> position & 1))
      omittable.push_back(position);
  attach(tree, candidate.bag, omittable[random.below(static_cast<std::uint32_t>(omittable.size()))],
         v);
}

// Adds a bag of v and the members of another bag but for the one at position `omitted`.
void KTreeGrower::attach(KTree &tree, std::uint32_t from, unsigned omitted, Node v) {
  std::vector<Node> bag(tree.bag(from), tree.bag_end(from));
  bag.erase(bag.begin() + omitted);
  std::uint32_t parent = 0; // the first bag that contains the separator
  for (const Node u : bag)
    parent = std::max(parent, first_bag_[u]);
  bag.insert(std::upper_bound(bag.begin(), bag.end(), v), v);
  first_bag_[v] = static_cast<std::uint32_t>(tree.bags());
  tree.members.insert(tree.members.end(), bag.begin(), bag.end());
  tree.parent.push_back(parent);
  tree.introduced.push_back(v);
}

} // namespace optbn
