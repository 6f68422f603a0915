// How feasible sets are built
// ---------------------------
// If the tree-width is at most k, some tree decomposition of that width is made of *potential
// maximal cliques* (Bouchitte & Todinca 2001, doi 10.1137/S0097539799359683): bags B such that
//
//   - no component of G - B has all of B as its border, and
//   - any two members of B are joined, or together in the border of a component.
//
// The decomposition can be rooted at a bag that contains a given node, the *root* r. The subtree
// below a bag B with parent bag P then covers, besides nodes of P, a connected set C without r: its
// border is also that of a component R of G - B, the side of P, and C consists of the members of B
// that are not in the border of R, and of those components of G - B whose borders are not subsets
// of it. So C is feasible if |B| <= k + 1 and these components are; and when all components of
// G - B are feasible and r is in B, the answer is yes.
//
// Let x be a member of B that is in C, and A the union of the components that have x in their
// borders; they are in C, and so they are feasible. All other members of B are joined with x or
// together with x in one of these borders. Therefore
//
//     B = N[x] + N(A) - A.
//
// The search begins with the bags N[x]. It combines every feasible set that it finds with earlier
// ones: it forms all unions A of sets that are disjoint, not joined, and have a node x of their
// borders in common. A bag with a component that is not yet known to be feasible waits for it.
//
// Which unions are needed
// -----------------------
// Let the sets of a union A be components of G - B, for a bag B that is to be found at x. Let D be
// another feasible set, disjoint from A and not joined to it, with x in its border and N(D) a
// subset of N(A). Then D is a component of G - B as well, except in one case. For if B meets D,
// then B is a subset of D + N(D), because N(D), which B contains, separates D from all other nodes;
// so N(D) = N(A). In that case the root cannot be in yet another component of this border: that
// component would have x in its border and so be in C.
//
// So D *belongs* to A at x if N(D) is less than N(A), or if the root is in a component of border
// N(A), and no union that lacks a set which belongs to it is stored. Of m feasible sets with the
// same border one union remains, not 2^m.

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
      neighbours_.emplace_back();
      for (const Node w : nodes)
        neighbours_.back().insert(w);
    }
    for (Node v = 1; v < n_; ++v) // a node that is in few borders
      if (graph.neighbours[v].size() < graph.neighbours[root_].size())
        root_ = v;
  }

  WidthSearch run() {
    for (Node v = 0; v < n_ && !root_bag_found_; ++v)
      consider_bag(neighbours_[v] | Set::of(v));
    for (; combined_ < feasible_.size() && !root_bag_found_ && !stopped(); ++combined_)
      combine(Feasible(feasible_[combined_])); // a copy: more are found meanwhile
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
  struct Component {
    Set nodes, border;
  };
  struct Feasible {
    Set nodes, border, bag; // `bag` contains the border; components of nodes - bag are feasible
  };
  struct Union { // of feasible sets that are disjoint and not joined
    Set nodes, border;
    Set at;                   // nodes in all their borders at which the union is needed
    std::size_t last_met = 0; // the last set that was combined with it,
    bool outdated = false;    // and whether that one belongs to it
  };

  bool stopped() {
    stopped_ = stopped_ || watch_.stopped() || bytes_ > memory_limit_;
    return stopped_;
  }

  // The component of the nodes in `within` that contains v.
  Component component_of(Node v, const Set &within) const {
    Component component;
    Set frontier = Set::of(v), reached;
    while (!frontier.empty()) {
      Set next;
      frontier.for_each([&](unsigned w) { next |= neighbours_[w]; });
      component.nodes |= frontier;
      reached |= next;
      frontier = (next & within) - component.nodes;
    }
    component.border = reached - component.nodes;
    return component;
  }

  std::vector<Component> components_without(const Set &bag) const {
    std::vector<Component> components;
    for (Set rest = all_ - bag; !rest.empty(); rest -= components.back().nodes)
      components.push_back(component_of(static_cast<Node>(rest.lowest()), rest));
    return components;
  }

  bool is_potential_maximal_clique(const Set &bag, const std::vector<Component> &components) const {
    for (const Component &component : components)
      if (component.border == bag)
        return false;
    for (Set rest = bag; !rest.empty();) {
      const unsigned v = rest.lowest();
      rest.erase(v);
      Set reached = neighbours_[v] | Set::of(v);
      for (const Component &component : components)
        if (component.border.contains(v))
          reached |= component.border;
      if (!bag.inside(reached))
        return false;
    }
    return true;
  }

  void consider_bag(const Set &bag) {
    if (bag.size() > k_ + 1 || !bags_.insert(bag).second)
      return;
    bytes_ += 2 * sizeof(Set) + 32;
    const std::vector<Component> components = components_without(bag);
    if (is_potential_maximal_clique(bag, components))
      use_bag(bag, components);
  }

  // Adds the sets that the bag makes feasible, if the components that it needs are: the bag can be
  // attached below every component whose border contains the root, or the border of the root's
  // component. Where a needed component is missing, the bag waits for it.
  void use_bag(const Set &bag, const std::vector<Component> &components) {
    Set needed = Set::of(root_); // the border of that component must contain these
    if (bag.contains(root_)) {
      if (const Component *missing = first_missing(components, Set())) {
        wait_for(*missing, bag);
      } else {
        root_bag_ = bag;
        root_bag_found_ = true;
        return;
      }
    } else {
      for (const Component &component : components)
        if (component.nodes.contains(root_))
          needed = component.border;
    }
    for (const Component &above : components) {
      if (!needed.inside(above.border))
        continue;
      if (const Component *missing = first_missing(components, above.border)) {
        wait_for(*missing, bag);
        continue;
      }
      Set nodes = bag - above.border;
      for (const Component &component : components)
        if (!component.border.inside(above.border))
          nodes |= component.nodes;
      add_feasible({nodes, above.border, bag});
    }
  }

  // Of the components whose borders are not subsets of this one, the first that is not known to be
  // feasible; null when there is none.
  const Component *first_missing(const std::vector<Component> &components,
                                 const Set &border) const {
    for (const Component &component : components)
      if (!component.border.inside(border) && !index_.count(component.nodes))
        return &component;
    return nullptr;
  }

  void wait_for(const Component &component, const Set &bag) {
    std::vector<Set> &bags = waiting_[component.nodes];
    if (bags.empty() || bags.back() != bag) {
      bags.push_back(bag);
      bytes_ += 2 * sizeof(Set) + 64;
    }
  }

  std::vector<Set> release_waiting(const Set &nodes) {
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

  // Adds all bags and unions that the feasible set makes possible together with earlier sets.
  void combine(const Feasible &set) {
    for (const Set &bag : release_waiting(set.nodes))
      use_bag(bag, components_without(bag));
    std::vector<Union> made{{set.nodes, set.border, set.border}};
    set.border.for_each([&](unsigned x) {
      std::vector<std::uint32_t> &at_x = unions_at_[x];
      const auto is_outdated = [&](std::uint32_t j) {
        Union &other = unions_[j];
        if (other.last_met != combined_) {
          other.last_met = combined_;
          other.outdated = unite(other, set, made);
        }
        if (other.outdated)
          other.at.erase(x);
        return other.outdated;
      };
      at_x.erase(std::remove_if(at_x.begin(), at_x.end(), is_outdated), at_x.end());
    });
    for (std::size_t i = 0; i < made.size() && !stopped(); ++i)
      add(made[i]);
  }

  // Makes their union, if they are disjoint and not joined; true if the set belongs to the other.
  bool unite(const Union &other, const Feasible &set, std::vector<Union> &made) const {
    if (other.nodes.intersects(set.nodes | set.border))
      return false;
    const Set border = other.border | set.border;
    if (border.size() <= k_ + 1)
      made.push_back({other.nodes | set.nodes, border, other.at & set.border});
    return belongs(set.border, other.border);
  }

  // Does a set of this border, disjoint and not joined, belong to a union of that border?
  bool belongs(const Set &border, const Set &of_union) const {
    return border.inside(of_union) && (border != of_union || is_border_towards_root(of_union));
  }

  bool is_border_towards_root(const Set &border) const {
    return !border.contains(root_) && component_of(root_, all_ - border).border == border;
  }

  void add(Union united) {
    for (const Component &component : components_without(united.border))
      if (component.border.intersects(united.at) && !component.nodes.intersects(united.nodes) &&
          belongs(component.border, united.border) && was_combined(component.nodes))
        united.at -= component.border;
    if (united.at.empty())
      return;
    united.at.for_each([&](unsigned x) {
      unions_at_[x].push_back(static_cast<std::uint32_t>(unions_.size()));
      bytes_ += sizeof(std::uint32_t);
      consider_bag(united.border | (neighbours_[x] - united.nodes));
    });
    unions_.push_back(united);
    bytes_ += sizeof(Union);
  }

  bool was_combined(const Set &nodes) const {
    const auto found = index_.find(nodes);
    return found != index_.end() && found->second < combined_;
  }

  // The nodes of `below` that are in the bag come last, in any order.
  void eliminate_below(const Set &bag, const Set &below, std::vector<Node> &order) const {
    for (Set rest = below - bag; !rest.empty();) {
      const Component component = component_of(static_cast<Node>(rest.lowest()), rest);
      eliminate_below(feasible_[index_.at(component.nodes)].bag, component.nodes, order);
      rest -= component.nodes;
    }
    (below & bag).for_each([&](unsigned v) { order.push_back(static_cast<Node>(v)); });
  }

  const Node n_;
  const unsigned k_;
  const double memory_limit_;
  Watch &watch_;
  const Set all_;
  std::vector<Set> neighbours_; // node -> its neighbours
  Node root_ = 0;               // in no feasible set

  std::unordered_set<Set, Hash> bags_; // those considered
  std::vector<Feasible> feasible_;     // in the order of discovery
  std::size_t combined_ = 0;           // so many of them, from the first, were combined
  std::unordered_map<Set, std::uint32_t, Hash> index_;
  std::unordered_map<Set, std::vector<Set>, Hash> waiting_; // component -> bags that lack it
  std::vector<Union> unions_;
  std::vector<std::vector<std::uint32_t>> unions_at_; // node -> unions needed at it
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
