// How feasible sets grow
// ----------------------
// If the tree-width is at most k, some tree decomposition of that width is made of *potential
// maximal cliques* (Bouchitte & Todinca 2001, doi 10.1137/S0097539799359683): bags B such that
//
//   - no component of G - B has all of B as its border, and
//   - any two members of B are joined, or together in the border of a component.
//
// It can be hung up at a bag that holds any one node, the *root* r. Below a bag B with parent bag P
// then hangs a connected set C without r: its border is also that of a component R of G - B, the
// side of P, and C is made of the members of B that are not in the border of R, and of those
// components of G - B whose borders are not inside it. So C is feasible if |B| <= k + 1 and these
// components are; and when all components of G - B are feasible and r is in B, the answer is yes.
//
// Take a member x of B that is in C, and the union A of the components that have x in their
// borders; they are in C, hence feasible. All other members of B are joined with x or together with
// x in one of these borders: B is nothing but
//
//     B = N[x] + N(A) - A.
//
// The search begins with the bags N[x]. With every feasible set that it finds it goes on to all
// unions A of that and of earlier sets that lie apart and have a node x of their borders in common.
// A bag that lacks a feasible component waits for it.
//
// Which unions are of use
// -----------------------
// Let the sets of a union A be components of G - B, for a bag B that is to be found at x. Let D be
// another feasible set that lies apart from A, with x in its border and N(D) inside N(A). Then D is
// a component of G - B as well, but for one case. For if B meets D, then B lies inside D + N(D),
// because N(D), which B holds, separates D from all else; so N(D) = N(A). In that case the root may
// not be in yet another component of this border: having x in its border, it would be in C.
//
// So D *belongs* to A at x if N(D) is less than N(A), or if the root is in a component of border
// N(A), and no union without what belongs to it is kept. Of m equal twigs at a branch one union
// remains, not 2^m.

#include "core/graph/width_search.h"

#include "core/base/bit_set.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace optbn {

namespace {

template <unsigned Words> class PositiveSearch {
public:
  PositiveSearch(const UndirectedGraph &graph, unsigned k, double memory_limit, Watch &watch)
      : n_(graph.size()), k_(k), memory_limit_(memory_limit), watch_(watch), all_(Set::first(n_)),
        unions_at_(n_) {
    for (const std::vector<Node> &nodes : graph.neighbours) {
      beside_.emplace_back();
      for (const Node w : nodes)
        beside_.back().insert(w);
    }
    for (Node v = 1; v < n_; ++v) // one that few borders hold
      if (graph.neighbours[v].size() < graph.neighbours[root_].size())
        root_ = v;
  }

  WidthSearch run() {
    for (Node v = 0; v < n_ && !root_bag_found_; ++v)
      meet_bag(beside_[v] | Set::of(v));
    for (; spread_ < feasible_.size() && !root_bag_found_ && !stopped(); ++spread_)
      spread(Feasible(feasible_[spread_])); // a copy: more are found meanwhile
    if (!root_bag_found_)
      return {stopped_ ? WidthAnswer::stopped : WidthAnswer::no, {}};
    WidthSearch result{WidthAnswer::yes, {}};
    eliminate_below(root_bag_, all_, result.order);
    return result;
  }

private:
  using Set = BitSet<Words>;

  struct Hash {
    std::size_t operator()(const Set &set) const { return set.hash(); }
  };
  struct Part {
    Set nodes, border;
  };
  struct Feasible {
    Set nodes, border, bag; // `bag` holds the border; what it leaves of the nodes is feasible
  };
  struct Union { // of feasible sets that lie apart
    Set nodes, border;
    Set at;                   // nodes in all their borders at which the union is of use
    std::size_t last_met = 0; // the last set that was spread to it,
    bool outdated = false;    // and whether that one belongs to it
  };

  bool stopped() {
    stopped_ = stopped_ || watch_.stopped() || bytes_ > memory_limit_;
    return stopped_;
  }

  // A component of the nodes in `within` that holds v.
  Part component(Node v, const Set &within) const {
    Part part;
    Set fresh = Set::of(v), reached;
    while (!fresh.empty()) {
      Set next;
      fresh.for_each([&](unsigned w) { next |= beside_[w]; });
      part.nodes |= fresh;
      reached |= next;
      fresh = (next & within) - part.nodes;
    }
    part.border = reached - part.nodes;
    return part;
  }

  std::vector<Part> components_without(const Set &bag) const {
    std::vector<Part> parts;
    for (Set rest = all_ - bag; !rest.empty(); rest -= parts.back().nodes)
      parts.push_back(component(static_cast<Node>(rest.lowest()), rest));
    return parts;
  }

  bool is_potential_maximal_clique(const Set &bag, const std::vector<Part> &parts) const {
    for (const Part &part : parts)
      if (part.border == bag)
        return false;
    for (Set rest = bag; !rest.empty();) {
      const unsigned v = rest.lowest();
      rest.erase(v);
      Set met = beside_[v] | Set::of(v);
      for (const Part &part : parts)
        if (part.border.contains(v))
          met |= part.border;
      if (!bag.inside(met))
        return false;
    }
    return true;
  }

  void meet_bag(const Set &bag) {
    if (bag.size() > k_ + 1 || !bags_.insert(bag).second)
      return;
    bytes_ += 2 * sizeof(Set) + 32;
    const std::vector<Part> parts = components_without(bag);
    if (is_potential_maximal_clique(bag, parts))
      use_bag(bag, parts);
  }

  // What the bag makes feasible, if the components that it takes are: it may hang below every
  // component of which the root is on the far side. Where one is missing, the bag waits for it.
  void use_bag(const Set &bag, const std::vector<Part> &parts) {
    Set anchor = Set::of(root_); // what the border of that component must hold
    if (bag.contains(root_)) {
      if (const Part *missing = first_missing(parts, Set())) {
        wait_for(*missing, bag);
      } else {
        root_bag_ = bag;
        root_bag_found_ = true;
        return;
      }
    } else {
      for (const Part &part : parts)
        if (part.nodes.contains(root_))
          anchor = part.border;
    }
    for (const Part &above : parts) {
      if (!anchor.inside(above.border))
        continue;
      if (const Part *missing = first_missing(parts, above.border)) {
        wait_for(*missing, bag);
        continue;
      }
      Set nodes = bag - above.border;
      for (const Part &part : parts)
        if (!part.border.inside(above.border))
          nodes |= part.nodes;
      add_feasible({nodes, above.border, bag});
    }
  }

  // Of the components whose borders reach beyond this one, the first that is not known to be
  // feasible; null when there is none.
  const Part *first_missing(const std::vector<Part> &parts, const Set &border) const {
    for (const Part &part : parts)
      if (!part.border.inside(border) && !index_.count(part.nodes))
        return &part;
    return nullptr;
  }

  void wait_for(const Part &part, const Set &bag) {
    std::vector<Set> &bags = waiting_[part.nodes];
    if (bags.empty() || bags.back() != bag) {
      bags.push_back(bag);
      bytes_ += 2 * sizeof(Set) + 64;
    }
  }

  std::vector<Set> no_longer_waiting_for(const Set &nodes) {
    const auto found = waiting_.find(nodes);
    if (found == waiting_.end())
      return {};
    std::vector<Set> bags = std::move(found->second);
    waiting_.erase(found);
    return bags;
  }

  void add_feasible(const Feasible &found) {
    if (!index_.emplace(found.nodes, static_cast<std::uint32_t>(feasible_.size())).second)
      return;
    feasible_.push_back(found);
    bytes_ += 4 * sizeof(Set) + 64;
  }

  // Everything that the feasible set makes possible together with those that were spread before.
  void spread(const Feasible &set) {
    for (const Set &bag : no_longer_waiting_for(set.nodes))
      use_bag(bag, components_without(bag));
    std::vector<Union> made{{set.nodes, set.border, set.border}};
    set.border.for_each([&](unsigned x) {
      std::vector<std::uint32_t> &at_x = unions_at_[x];
      const auto is_done_with = [&](std::uint32_t j) {
        Union &other = unions_[j];
        if (other.last_met != spread_) {
          other.last_met = spread_;
          other.outdated = unite(other, set, made);
        }
        if (other.outdated)
          other.at.erase(x);
        return other.outdated;
      };
      at_x.erase(std::remove_if(at_x.begin(), at_x.end(), is_done_with), at_x.end());
    });
    for (std::size_t i = 0; i < made.size() && !stopped(); ++i)
      add(made[i]);
  }

  // Makes their union, if they lie apart; true if the set belongs to the other.
  bool unite(const Union &other, const Feasible &set, std::vector<Union> &made) const {
    if (other.nodes.meets(set.nodes | set.border))
      return false;
    const Set border = other.border | set.border;
    if (border.size() <= k_ + 1)
      made.push_back({other.nodes | set.nodes, border, other.at & set.border});
    return belongs(set.border, other.border);
  }

  // Does a set of this border, apart from it, belong to a union of that border?
  bool belongs(const Set &border, const Set &of_union) const {
    return border.inside(of_union) && (border != of_union || is_border_towards_root(of_union));
  }

  bool is_border_towards_root(const Set &border) const {
    return !border.contains(root_) && component(root_, all_ - border).border == border;
  }

  void add(Union united) {
    for (const Part &part : components_without(united.border))
      if (part.border.meets(united.at) && !part.nodes.meets(united.nodes) &&
          belongs(part.border, united.border) && was_spread(part.nodes))
        united.at -= part.border;
    if (united.at.empty())
      return;
    united.at.for_each([&](unsigned x) {
      unions_at_[x].push_back(static_cast<std::uint32_t>(unions_.size()));
      bytes_ += sizeof(std::uint32_t);
      meet_bag(united.border | (beside_[x] - united.nodes));
    });
    unions_.push_back(united);
    bytes_ += sizeof(Union);
  }

  bool was_spread(const Set &nodes) const {
    const auto found = index_.find(nodes);
    return found != index_.end() && found->second < spread_;
  }

  // The nodes of `below` that are in the bag go last, in any order.
  void eliminate_below(const Set &bag, const Set &below, std::vector<Node> &order) const {
    for (Set rest = below - bag; !rest.empty();) {
      const Part part = component(static_cast<Node>(rest.lowest()), rest);
      eliminate_below(feasible_[index_.at(part.nodes)].bag, part.nodes, order);
      rest -= part.nodes;
    }
    (below & bag).for_each([&](unsigned v) { order.push_back(static_cast<Node>(v)); });
  }

  const Node n_;
  const unsigned k_;
  const double memory_limit_;
  Watch &watch_;
  const Set all_;
  std::vector<Set> beside_; // node -> its neighbours
  Node root_ = 0;           // in no feasible set

  std::unordered_set<Set, Hash> bags_; // those met
  std::vector<Feasible> feasible_;     // in the order of discovery
  std::size_t spread_ = 0;             // so many of them, from the first, were spread
  std::unordered_map<Set, std::uint32_t, Hash> index_;
  std::unordered_map<Set, std::vector<Set>, Hash> waiting_; // component -> bags that lack it
  std::vector<Union> unions_;
  std::vector<std::vector<std::uint32_t>> unions_at_; // node -> unions of use at it
  Set root_bag_;
  bool root_bag_found_ = false, stopped_ = false;
  double bytes_ = 0;
};

template <unsigned Words>
WidthSearch search(const UndirectedGraph &graph, unsigned k, double memory_limit, Watch &watch) {
  return PositiveSearch<Words>(graph, k, memory_limit, watch).run();
}

} // namespace

WidthSearch search_width(const UndirectedGraph &graph, unsigned k, double memory_limit,
                         Watch &watch) {
  const Node n = graph.size();
  if (n > kWidthSearchNodes)
    return {};
  if (n <= 64)
    return search<1>(graph, k, memory_limit, watch);
  if (n <= 128)
    return search<2>(graph, k, memory_limit, watch);
  if (n <= 256)
    return search<4>(graph, k, memory_limit, watch);
  return search<8>(graph, k, memory_limit, watch);
}

} // namespace optbn
