#include "core/graph/reordering.h"

#include "core/graph/greedy_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace optbn {

namespace {

// Sizes of regions. On the networks of the Bayesian network repository regions of up to 12 and of
// up to 30 bags do about equally well; those of up to 5 do worse on some.
constexpr unsigned kLeastBags = 2, kMostBags = 22;

// A region grows around the largest of so many bags, or fewer, drawn at random.
constexpr unsigned kMostDraws = 6;

constexpr double kMostNoise = 0.4; // see greedy_order()

// The search ends after kMostSteps steps, after kPatience steps and one for each bag without an
// improvement, or after kMostEliminationWork of elimination_work().
constexpr std::size_t kMostSteps = 3000, kPatience = 100;

using Bag = std::uint32_t;

constexpr Bag kNoBag = static_cast<Bag>(-1);

class Reordering {
public:
  Reordering(const UndirectedGraph &graph, const std::vector<double> &log_levels,
             EliminationGoal goal, TreeDecomposition tree, Random &random)
      : graph_(graph), log_levels_(log_levels), goal_(goal), random_(random),
        local_number_(graph.size(), kNoNode) {
    set_tree(std::move(tree));
  }

  // See elimination_work().
  double work() const { return work_; }

  TreeDecomposition take_tree() { return std::move(tree_); }

  // True when that improved the tree.
  bool step(Watch &watch) {
    const std::vector<Bag> region = random_region();
    const LocalProblem local = extract(region);
    const GreedyRule rule = kGreedyRules[random_.below(4)];
    const std::vector<Node> order =
        greedy_order(EliminationGraph(local.graph, local.log_levels), rule,
                     kMostNoise * random_.uniform(), random_, watch);
    const TreeDecomposition local_tree = decompose(local.graph, order);
    work_ += elimination_work(local_tree);
    const EliminationCost cost = cost_of(local_tree, local.log_levels);
    if (is_less(local.cost, cost, goal_))
      return false;
    set_tree(decompose(graph_, order_ending_with(region, local, order)));
    return is_less(cost, local.cost, goal_);
  }

private:
  struct LocalProblem {
    std::vector<Node> nodes; // local number -> node
    UndirectedGraph graph;   // over local numbers
    std::vector<double> log_levels;
    EliminationCost cost; // of the region as it is
  };

  void set_tree(TreeDecomposition tree) {
    tree_ = std::move(tree);
    adjacent_.assign(tree_.size(), {});
    log_cells_.assign(tree_.size(), 0);
    for (Bag i = 0; i < tree_.size(); ++i) {
      for (const Node v : tree_.bags[i])
        log_cells_[i] += log_levels_[v];
      if (tree_.parent[i] != i) {
        adjacent_[i].push_back(tree_.parent[i]);
        adjacent_[tree_.parent[i]].push_back(i);
      }
    }
  }

  bool is_larger(Bag a, Bag b) const {
    const std::size_t size_a = tree_.bags[a].size(), size_b = tree_.bags[b].size();
    return goal_ == EliminationGoal::width && size_a != size_b ? size_a > size_b
                                                               : log_cells_[a] > log_cells_[b];
  }

  Bag random_bag() { return random_.below(static_cast<std::uint32_t>(tree_.size())); }

  // A bag, and others around it in random order, each adjacent to an earlier one.
  std::vector<Bag> random_region() {
    Bag centre = random_bag();
    for (unsigned more = random_.below(kMostDraws); more > 0; --more) {
      const Bag other = random_bag();
      if (is_larger(other, centre))
        centre = other;
    }
    const std::size_t size = kLeastBags + random_.below(kMostBags - kLeastBags + 1);
    std::vector<Bag> region, border{centre};
    std::vector<bool> visited(tree_.size());
    visited[centre] = true;
    while (!border.empty() && region.size() < size) {
      std::swap(border[random_.below(static_cast<std::uint32_t>(border.size()))], border.back());
      const Bag bag = border.back();
      border.pop_back();
      region.push_back(bag);
      for (const Bag next : adjacent_[bag])
        if (!visited[next]) {
          visited[next] = true;
          border.push_back(next);
        }
    }
    return region;
  }

  LocalProblem extract(const std::vector<Bag> &region) {
    LocalProblem local;
    std::vector<std::vector<Node>> bags;
    for (const Bag bag : region) {
      bags.push_back(tree_.bags[bag]);
      for (const Node v : tree_.bags[bag])
        if (local_number_[v] == kNoNode) {
          local_number_[v] = static_cast<Node>(local.nodes.size());
          local.nodes.push_back(v);
          local.log_levels.push_back(log_levels_[v]);
        }
    }
    local.cost = cost_of({std::move(bags), {}}, log_levels_);
    local.graph.neighbours.resize(local.nodes.size());
    for (const Node v : local.nodes)
      for (const Node w : graph_.neighbours[v])
        if (local_number_[w] != kNoNode)
          local.graph.neighbours[local_number_[v]].push_back(local_number_[w]);
    join_separators(region, local.graph);
    for (std::vector<Node> &nodes : local.graph.neighbours) {
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    for (const Node v : local.nodes)
      local_number_[v] = kNoNode;
    return local;
  }

  // Each separator between a bag of the region and a bag outside becomes a clique.
  void join_separators(const std::vector<Bag> &region, UndirectedGraph &local) const {
    const std::vector<bool> inside = marked(region);
    for (const Bag bag : region)
      for (const Bag other : adjacent_[bag]) {
        if (inside[other])
          continue;
        const std::vector<Node> separator = common(tree_.bags[bag], tree_.bags[other]);
        for (const Node v : separator)
          for (const Node w : separator)
            if (v != w)
              local.neighbours[local_number_[v]].push_back(local_number_[w]);
      }
  }

  // An order of all nodes that leaves the bags outside the region as they are: from the leaves of
  // the tree, rooted at the region, inwards. `local_order` comes last.
  std::vector<Node> order_ending_with(const std::vector<Bag> &region, const LocalProblem &local,
                                      const std::vector<Node> &local_order) const {
    std::vector<Bag> outwards = region, inner(tree_.size(), kNoBag);
    std::vector<bool> visited = marked(region);
    std::size_t next = 0;
    const auto expand = [&] {
      for (; next < outwards.size(); ++next)
        for (const Bag outer : adjacent_[outwards[next]])
          if (!visited[outer]) {
            visited[outer] = true;
            inner[outer] = outwards[next];
            outwards.push_back(outer);
          }
    };
    expand();
    for (Bag root = 0; root < tree_.size(); ++root)
      if (!visited[root]) { // in a part of the forest that the region is not in
        visited[root] = true;
        outwards.push_back(root);
        expand();
      }
    std::vector<Node> order;
    for (std::size_t i = outwards.size(); i-- > region.size();) {
      const std::vector<Node> &bag = tree_.bags[outwards[i]];
      if (inner[outwards[i]] == kNoBag)
        order.insert(order.end(), bag.begin(), bag.end());
      else
        std::set_difference(bag.begin(), bag.end(), tree_.bags[inner[outwards[i]]].begin(),
                            tree_.bags[inner[outwards[i]]].end(), std::back_inserter(order));
    }
    for (const Node i : local_order)
      order.push_back(local.nodes[i]);
    return order;
  }

  std::vector<bool> marked(const std::vector<Bag> &bags) const {
    std::vector<bool> is_in(tree_.size());
    for (const Bag bag : bags)
      is_in[bag] = true;
    return is_in;
  }

  static std::vector<Node> common(const std::vector<Node> &a, const std::vector<Node> &b) {
    std::vector<Node> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  }

  const UndirectedGraph &graph_;
  const std::vector<double> &log_levels_;
  const EliminationGoal goal_;
  TreeDecomposition tree_;
  Random &random_;
  std::vector<std::vector<Bag>> adjacent_; // of each bag
  std::vector<double> log_cells_;          // of each bag
  std::vector<Node> local_number_;         // node -> local number, while a region is extracted
  double work_ = 0;
};

} // namespace

TreeDecomposition reorder_regions(const UndirectedGraph &graph,
                                  const std::vector<double> &log_levels, EliminationGoal goal,
                                  TreeDecomposition tree, Random &random, Watch &watch) {
  if (tree.size() < 2)
    return tree;
  const std::size_t patience = kPatience + tree.size();
  Reordering reordering(graph, log_levels, goal, std::move(tree), random);
  std::size_t last_improvement = 0;
  for (std::size_t step = 1; step <= kMostSteps && step - last_improvement <= patience; ++step) {
    if (watch.stopped() || reordering.work() > kMostEliminationWork)
      break;
    if (reordering.step(watch))
      last_improvement = step;
  }
  return reordering.take_tree();
}

} // namespace optbn
