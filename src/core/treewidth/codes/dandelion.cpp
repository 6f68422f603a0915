#include "core/treewidth/codes/dandelion.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace optbn {

namespace {

constexpr Node kNone = std::numeric_limits<Node>::max();
constexpr Node kCycleTop = kNone;

// Ascending first..last without `removed` and with `added`, ascending.
void exchange(const Node *first, const Node *last, Node removed, Node added, Node *out) {
  for (; first != last && *first < added; ++first)
    if (*first != removed)
      *out++ = *first;
  *out++ = added;
  for (; first != last; ++first)
    if (*first != removed)
      *out++ = *first;
}

// The one member of an ascending range that the other range, ascending too, lacks.
Node missing_from(const Node *other, const Node *other_end, const Node *first) {
  for (; other != other_end && *other <= *first; ++other)
    if (*other == *first)
      ++first;
  return *first;
}

// The label of the first node outside Q, from 1: it has no row.
Node label_of_first(const Relabelling &phi, Node others) {
  Node v = 0;
  while (phi.to[v] >= others)
    ++v;
  return static_cast<Node>(phi.to[v] + 1);
}

} // namespace

bool well_formed(const DandelionCode &code) {
  if (code.nodes < code.k + 2 || code.q.size() != code.k || code.rows.size() + 2 != code.others())
    return false;
  if (!std::is_sorted(code.q.begin(), code.q.end(), std::less_equal<Node>()) ||
      (code.k > 0 && code.q.back() >= code.nodes))
    return false;
  return std::all_of(code.rows.begin(), code.rows.end(), [&](DandelionCode::Row row) {
    return row.parent <= code.others() && row.rank <= code.k &&
           (row.parent == 0) == (row.rank == 0);
  });
}

DandelionCode random_code(Node nodes, unsigned k, Random &random) {
  DandelionCode code{nodes, k, {}, {}};
  // A uniform subset by Floyd's method (Bentley & Floyd 1987, doi 10.1145/30401.315746).
  for (Node top = code.others(); top < nodes; ++top) {
    const auto drawn = static_cast<Node>(random.below(top + 1u));
    const auto position = std::lower_bound(code.q.begin(), code.q.end(), drawn);
    if (position != code.q.end() && *position == drawn)
      code.q.push_back(top);
    else
      code.q.insert(position, drawn);
  }
  code.rows.resize(code.others() - 2u);
  for (DandelionCode::Row &row : code.rows)
    if (const std::uint32_t drawn = random.below(k * code.others() + 1))
      row = {static_cast<Node>((drawn - 1) / k + 1), static_cast<Node>((drawn - 1) % k + 1)};
  return code;
}

// The i-th of Q gets the label m + i. Its old label may be below m; then the last node of the chain
// of images that begins there gets it.
void Relabelling::set(Node nodes, const std::vector<Node> &q) {
  const auto others = static_cast<Node>(nodes - q.size());
  to.assign(nodes, kNone);
  from.resize(nodes);
  for (std::size_t i = 0; i < q.size(); ++i)
    to[q[i]] = static_cast<Node>(others + i);
  for (Node label = 0; label < others; ++label) {
    Node v = label;
    while (to[v] != kNone)
      v = to[v];
    to[v] = label;
  }
  for (Node v = 0; v < nodes; ++v)
    from[to[v]] = v;
}

DandelionDecoder::DandelionDecoder(Node nodes, unsigned k)
    : others_(static_cast<Node>(nodes - k)), tree_(others_ + 1u), seen_(others_ + 1u),
      first_child_(others_ + 1u), next_(others_ + 1u), order_(others_), bag_of_(others_ + 1u),
      cliques_(std::size_t{others_} * k) {
  k_tree_.nodes = nodes;
  k_tree_.k = k;
  k_tree_.members.resize(std::size_t{others_} * (k + 1));
  k_tree_.parent.resize(others_);
  k_tree_.introduced.resize(others_);
}

const KTree &DandelionDecoder::decode(const DandelionCode &code) {
  phi_.set(code.nodes, code.q);
  open_cycles(assign_rows(code));
  list_from_root();
  grow(code);
  OPTBN_INVARIANT(well_formed(k_tree_), "a code decodes to a k-tree");
  return k_tree_;
}

// Assigns the rows to their labels, in order, and returns x.
Node DandelionDecoder::assign_rows(const DandelionCode &code) {
  std::vector<Node> &used = seen_;
  std::fill(used.begin(), used.end(), Node{0});
  for (const DandelionCode::Row row : code.rows)
    used[row.parent] = 1;
  Node leaf = code.nodes; // the largest node that is no node's parent
  do
    --leaf;
  while (phi_.to[leaf] >= others_ || used[phi_.to[leaf] + 1]);
  const Node x = label_of_first(phi_, others_), last = static_cast<Node>(phi_.to[leaf] + 1);
  auto row = code.rows.begin();
  for (unsigned v = 1; v <= others_; ++v)
    tree_[v] = v == x || v == last ? DandelionCode::Row{} : *row++;
  return x;
}

// The largest label of each cycle, in ascending order, exchanges rows with x: the cycles become one
// path from x to the root, whose running maxima separate them again.
void DandelionDecoder::open_cycles(Node x) {
  std::fill(seen_.begin(), seen_.end(), Node{0});
  for (unsigned start = 1; start <= others_; ++start) {
    auto v = static_cast<Node>(start);
    for (; v != 0 && seen_[v] == 0; v = tree_[v].parent)
      seen_[v] = static_cast<Node>(start);
    if (v == 0 || seen_[v] != start)
      continue;
    Node top = v;
    for (Node u = tree_[v].parent; u != v; u = tree_[u].parent)
      top = std::max(top, u);
    seen_[top] = kCycleTop;
  }
  for (unsigned v = 1; v <= others_; ++v)
    if (seen_[v] == kCycleTop)
      std::swap(tree_[x], tree_[v]);
}

void DandelionDecoder::list_from_root() {
  std::fill(first_child_.begin(), first_child_.end(), Node{0});
  for (Node v = others_; v > 0; --v) {
    next_[v] = first_child_[tree_[v].parent];
    first_child_[tree_[v].parent] = v;
  }
  std::size_t listed = 0;
  const auto list_children = [&](Node parent) {
    for (Node v = first_child_[parent]; v != 0; v = next_[v])
      order_[listed++] = v;
  };
  list_children(0);
  for (std::size_t i = 0; i < others_; ++i)
    list_children(order_[i]);
}

void DandelionDecoder::grow(const DandelionCode &code) {
  const unsigned k = code.k;
  for (std::uint32_t i = 0; i < others_; ++i) {
    const Node v = order_[i], node = phi_.from[v - 1];
    const auto [parent, rank] = tree_[v];
    Node *const clique = cliques_.data() + std::size_t{i} * k;
    Node *const bag = k_tree_.members.data() + std::size_t{i} * (k + 1);
    bag_of_[v] = i;
    if (parent == 0) {
      std::iota(clique, clique + k, others_);
      exchange(code.q.data(), code.q.data() + k, kNone, node, bag);
      k_tree_.parent[i] = 0;
    } else {
      const std::uint32_t above = bag_of_[parent];
      const Node *const old = cliques_.data() + std::size_t{above} * k;
      const Node removed = old[rank - 1];
      exchange(old, old + k, removed, static_cast<Node>(parent - 1), clique);
      exchange(k_tree_.bag(above), k_tree_.bag_end(above), phi_.from[removed], node, bag);
      k_tree_.parent[i] = above;
    }
    k_tree_.introduced[i] = node;
  }
  k_tree_.introduced[0] = k_tree_.members[0];
}

KTree decode(const DandelionCode &code) {
  return DandelionDecoder(code.nodes, code.k).decode(code);
}

namespace {

// A k-tree built again from the clique of one of its leaves as the root.
class RootedKTree {
public:
  RootedKTree(const KTree &tree, Node leaf, std::size_t bag)
      : tree_(tree), bag_of_(tree.nodes, kNoBag), rank_(tree.nodes, 0) {
    list_children();
    add(leaf, bag);
    for (std::size_t i = 0; i < order_.size(); ++i)
      add_neighbours(bag_of_[order_[i]]);
  }

  const std::vector<Node> &order() const { return order_; } // nodes outside the root
  std::uint32_t bag_of(Node v) const { return bag_of_[v]; }

  // The member of K(v) that was added last, v itself when all are in the root.
  Node parent(Node v) const {
    Node last = kNone;
    for (const Node *u = tree_.bag(bag_of_[v]); u != tree_.bag_end(bag_of_[v]); ++u)
      if (*u != v && bag_of_[*u] != kNoBag && (last == kNone || rank_[*u] > rank_[last]))
        last = *u;
    return last == kNone ? v : last;
  }

private:
  static constexpr std::uint32_t kNoBag = std::numeric_limits<std::uint32_t>::max();

  void list_children() {
    first_child_.assign(tree_.bags(), kNoBag);
    next_.resize(tree_.bags());
    for (std::uint32_t i = 1; i < tree_.bags(); ++i) {
      next_[i] = first_child_[tree_.parent[i]];
      first_child_[tree_.parent[i]] = i;
    }
    added_.assign(tree_.bags(), false);
  }

  void add(Node v, std::size_t bag) {
    added_[bag] = true;
    bag_of_[v] = static_cast<std::uint32_t>(bag);
    rank_[v] = static_cast<Node>(order_.size());
    order_.push_back(v);
  }

  void add_neighbours(std::uint32_t bag) {
    const std::uint32_t above = tree_.parent[bag];
    if (!added_[above])
      add(missing_from(tree_.bag(bag), tree_.bag_end(bag), tree_.bag(above)), above);
    for (std::uint32_t below = first_child_[bag]; below != kNoBag; below = next_[below])
      if (!added_[below])
        add(tree_.introduced[below], below);
  }

  const KTree &tree_;
  std::vector<std::uint32_t> first_child_, next_; // bag -> its children, as lists
  std::vector<bool> added_;
  std::vector<Node> order_;
  std::vector<std::uint32_t> bag_of_; // node outside the root -> the bag that adds it
  std::vector<Node> rank_;            // node -> its position in order_
};

// The largest node that is in one bag only.
Node largest_leaf(const KTree &tree) {
  std::vector<Node> bags(tree.nodes, 0);
  for (const Node v : tree.members)
    ++bags[v];
  Node leaf = static_cast<Node>(tree.nodes - 1);
  while (bags[leaf] > 1)
    --leaf;
  return leaf;
}

CharacteristicTree characteristic_tree(const KTree &tree, const RootedKTree &rooted,
                                       const Relabelling &phi) {
  const unsigned k = tree.k;
  const std::size_t others = tree.bags();
  CharacteristicTree rows(others + 1);
  std::vector<Node> cliques((others + 1) * k); // label from 1 -> K as ascending labels
  for (const Node v : rooted.order()) {
    const std::size_t label = phi.to[v] + 1u;
    Node *const clique = cliques.data() + label * k;
    const Node parent = rooted.parent(v);
    if (parent == v) {
      std::iota(clique, clique + k, static_cast<Node>(others));
      continue;
    }
    const std::size_t above = phi.to[parent] + 1u;
    const Node *const old = cliques.data() + above * k;
    const std::uint32_t bag = rooted.bag_of(v);
    const Node removed =
        phi.to[missing_from(tree.bag(bag), tree.bag_end(bag), tree.bag(rooted.bag_of(parent)))];
    const auto rank = std::lower_bound(old, old + k, removed) - old + 1;
    rows[label] = {static_cast<Node>(above), static_cast<Node>(rank)};
    exchange(old, old + k, removed, phi.to[parent], clique);
  }
  return rows;
}

// Undoes DandelionDecoder::open_cycles().
void close_cycles(CharacteristicTree &rows, Node x) {
  std::vector<Node> path;
  for (Node v = rows[x].parent; v != 0; v = rows[v].parent)
    path.push_back(v);
  std::vector<Node> tops; // running maxima, from the root
  for (auto v = path.rbegin(); v != path.rend(); ++v)
    if (tops.empty() || *v > tops.back())
      tops.push_back(*v);
  for (auto top = tops.rbegin(); top != tops.rend(); ++top)
    std::swap(rows[x], rows[*top]);
}

} // namespace

DandelionCode encode(const KTree &tree) {
  const Node leaf = largest_leaf(tree);
  std::size_t bag = 0;
  while (!std::binary_search(tree.bag(bag), tree.bag_end(bag), leaf))
    ++bag;
  DandelionCode code{tree.nodes, tree.k, {}, {}};
  std::remove_copy(tree.bag(bag), tree.bag_end(bag), std::back_inserter(code.q), leaf);
  Relabelling phi;
  phi.set(code.nodes, code.q);
  CharacteristicTree rows = characteristic_tree(tree, RootedKTree(tree, leaf, bag), phi);
  const Node x = label_of_first(phi, code.others());
  close_cycles(rows, x);
  for (std::size_t label = 1; label < rows.size(); ++label)
    if (label != x && label != phi.to[leaf] + 1u)
      code.rows.push_back(rows[label]);
  OPTBN_INVARIANT(well_formed(code) && edges(decode(code)) == edges(tree),
                  "the code decodes to the k-tree");
  return code;
}

} // namespace optbn
