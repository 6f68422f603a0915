#include "core/density/learn/spanning_tree.h"

#include "core/base/invariant.h"
#include "core/base/pace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace optbn {

namespace {

constexpr double kInTree = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kStepsPerPair = 4; // of a pace, for a cell of a pair's table

double x_log_x(double x) { return x > 0 ? x * std::log(x) : 0; }

double rounded(double information) { return std::floor(information * 0x1p34 + 0.5) * 0x1p-34; }

// The rank of a pair in lexicographic order.
double rank_of(Node u, Node v) { return 65536.0 * std::min(u, v) + std::max(u, v); }

} // namespace

SpanningTree within(const SpanningTree &tree, const std::vector<Node> &scope) {
  std::vector<bool> kept(tree.parent.size(), false);
  for (const Node v : scope)
    kept[v] = true;
  SpanningTree part;
  part.parent.assign(tree.parent.size(), SpanningTree::kNone);
  for (const Node v : tree.order) {
    if (!kept[v])
      continue;
    part.order.push_back(v);
    if (tree.parent[v] != SpanningTree::kNone && kept[tree.parent[v]])
      part.parent[v] = tree.parent[v];
  }
  return part;
}

std::vector<ItemPair> edge_pairs(const SpanningTree &tree, const Items &items) {
  std::vector<ItemPair> pairs;
  for (const Node v : tree.order) {
    const Node parent = tree.parent[v];
    if (parent == SpanningTree::kNone)
      continue;
    for (std::size_t a = items.first(v); a < items.first(v + 1u); ++a)
      for (std::size_t b = items.first(parent); b < items.first(parent + 1u); ++b)
        pairs.push_back({a, b});
  }
  return pairs;
}

TreeLearner::TreeLearner(const Smoother &smoother, Watch *watch)
    : smoother_(smoother), watch_(watch), items_(smoother.items()), kernels_(pair_kernels()),
      pairs_(items_.two_levels() && smoother.smoothing().prior != Prior::marginal) {
  unsigned most = 1;
  for (Node v = 0; v < items_.variables(); ++v)
    most = std::max(most, items_.levels(v));
  table_.resize(std::size_t{most} * most);
  counted_.resize(std::size_t{most} * most);
  const std::size_t padded = PairCounts::padded(items_.variables());
  for (std::vector<double> *array : {&strongest_, &rank_, &p_, &log_p_, &p_log_p_, &scale_, &alone_,
                                     &likelihood_, &p_u_, &p_v_, &p_both_, &n_u_, &n_v_, &n_both_})
    array->resize(padded);
}

double TreeLearner::information(const PairCounts &counts, Node u, Node v) {
  const unsigned rows = items_.levels(u), columns = items_.levels(v);
  smoother_.joint(counts, u, v, table_.data());
  double sum = 0;
  for (unsigned y = 0; y < columns; ++y) {
    double of_y = 0;
    for (unsigned x = 0; x < rows; ++x) {
      sum += x_log_x(table_[y * rows + x]);
      of_y += table_[y * rows + x];
    }
    sum -= x_log_x(of_y);
  }
  for (unsigned x = 0; x < rows; ++x) {
    double of_x = 0;
    for (unsigned y = 0; y < columns; ++y)
      of_x += table_[y * rows + x];
    sum -= x_log_x(of_x);
  }
  return std::max(sum, 0.0);
}

double TreeLearner::learn(const PairCounts &counts, const std::vector<Node> &scope,
                          SpanningTree &tree) {
  span(counts, scope, tree);
  return log_likelihood(counts, tree);
}

void TreeLearner::span(const PairCounts &counts, const std::vector<Node> &scope,
                       SpanningTree &tree) {
  tree.order.clear();
  tree.parent.assign(items_.variables(), SpanningTree::kNone);
  if (scope.empty())
    return;
  const double a =
      smoother_.smoothing().prior == Prior::marginal ? 0 : smoother_.strength(counts.total);
  if (items_.two_levels())
    set_margins(counts, a);
  std::fill(strongest_.begin(), strongest_.end(), kInTree);
  for (const Node v : scope)
    strongest_[v] = -1;
  Pace pace(watch_);
  for (Node added = scope[0];;) {
    strongest_[added] = kInTree;
    tree.order.push_back(added);
    if (tree.order.size() == scope.size())
      return;
    update(counts, a, added);
    pace.advance(kStepsPerPair * table_.size() * items_.variables());
    double information, rank;
    kernels_.strongest({strongest_.data(), rank_.data()}, strongest_.size(), &information, &rank);
    const auto low = static_cast<Node>(rank / 65536);
    const auto high = static_cast<Node>(rank - 65536.0 * low);
    OPTBN_INVARIANT((strongest_[low] == kInTree) != (strongest_[high] == kInTree),
                    "an edge joins a variable that is in the tree with one that is not");
    added = strongest_[low] == kInTree ? high : low;
    tree.parent[added] = added == low ? high : low;
  }
}

// The proportions of two-level variables.
void TreeLearner::set_margins(const PairCounts &counts, double a) {
  const double total = counts.total + smoother_.prior_total(a);
  for (Node v = 0; v < items_.variables(); ++v) {
    alone_[v] = counts.alone(v);
    p_[v] = total > 0 ? (alone_[v] + smoother_.prior_alone(v, a)) / total : 0;
  }
  kernels_.margins({p_.data(), log_p_.data(), p_log_p_.data(), scale_.data()}, alone_.data(),
                   counts.total, p_.size(), likelihood_.data());
}

// Updates the fringe by the edges of the variable that is added.
void TreeLearner::update(const PairCounts &counts, double a, Node added) {
  if (items_.two_levels()) {
    kernels_.update({p_.data(), log_p_.data(), p_log_p_.data(), scale_.data()}, added,
                    counts.row(added), smoother_.row_prior(added, a),
                    counts.total + smoother_.prior_total(a), p_.size(),
                    {strongest_.data(), rank_.data()});
    return;
  }
  for (Node v = 0; v < items_.variables(); ++v) {
    if (strongest_[v] == kInTree)
      continue;
    const double strength = rounded(information(counts, std::min(added, v), std::max(added, v)));
    const double rank = rank_of(added, v);
    if (strength > strongest_[v] || (strength == strongest_[v] && rank < rank_[v])) {
      strongest_[v] = strength;
      rank_[v] = rank;
    }
  }
}

double TreeLearner::log_likelihood(const PairCounts &counts, const SpanningTree &tree) {
  if (pairs_)
    return likelihood_of_pairs(counts, tree);
  double sum = 0;
  for (const Node v : tree.order) {
    const Node parent = tree.parent[v];
    std::size_t cells = items_.levels(v);
    if (parent == SpanningTree::kNone) {
      smoother_.alone(counts, v, table_.data());
      level_counts(counts, items_, v, counted_.data());
    } else {
      smoother_.conditional(counts, v, parent, table_.data());
      table_counts(counts, items_, v, parent, counted_.data());
      cells *= items_.levels(parent);
    }
    for (std::size_t cell = 0; cell < cells; ++cell)
      if (counted_[cell] > 0)
        sum += counted_[cell] * std::log(table_[cell]);
  }
  return sum;
}

// sum over v of N_v log p_v plus, over edges, N_uv log p_uv - N_u log p_u - N_v log p_v, where N
// log p stands for the sum over the levels: the term of v is cancelled at its edge.
double TreeLearner::likelihood_of_pairs(const PairCounts &counts, const SpanningTree &tree) {
  const double a = smoother_.strength(counts.total);
  set_margins(counts, a);
  const double total = counts.total + smoother_.prior_total(a);
  double sum = 0;
  std::size_t edge = 0;
  for (const Node v : tree.order) {
    const Node u = tree.parent[v];
    if (u == SpanningTree::kNone) {
      sum += likelihood_[v];
      continue;
    }
    sum -= likelihood_[u];
    n_u_[edge] = alone_[u];
    n_v_[edge] = alone_[v];
    n_both_[edge] = counts.row(u)[v];
    p_u_[edge] = p_[u];
    p_v_[edge] = p_[v];
    const RowPrior prior = smoother_.row_prior(u, a);
    const double added =
        prior.per_count * prior.counts[v] + prior.per_share * prior.shares[v] + prior.constant;
    p_both_[edge] = total > 0 ? (n_both_[edge] + added) / total : 0;
    ++edge;
  }
  kernels_.edges(p_u_.data(), p_v_.data(), p_both_.data(), n_u_.data(), n_v_.data(), n_both_.data(),
                 counts.total, PairCounts::padded(edge), strongest_.data());
  return std::accumulate(strongest_.begin(), strongest_.begin() + static_cast<std::ptrdiff_t>(edge),
                         sum);
}

[[maybe_unused]] static bool are_distributions(const TreeDensity &density) {
  for (const TreeDensity::TreeNode &node : density.nodes)
    for (unsigned parent_level = 0; parent_level < density.blocks(node); ++parent_level) {
      double sum = 0;
      for (unsigned level = 0; level < node.levels; ++level)
        sum += density.probability(node, level, parent_level);
      if (!about_equal(sum, 1))
        return false;
    }
  return true;
}

TreeDensity TreeLearner::density(const PairCounts &counts, const SpanningTree &tree) {
  TreeDensity density;
  std::vector<std::uint32_t> index(tree.parent.size());
  for (const Node v : tree.order) {
    const Node parent = tree.parent[v];
    const bool root = parent == SpanningTree::kNone;
    index[v] = density.add(v, items_.levels(v), root ? TreeDensity::kRoot : index[parent]);
    double *const table = density.tables.data() + density.nodes.back().table;
    if (root)
      smoother_.alone(counts, v, table);
    else
      smoother_.conditional(counts, v, parent, table);
  }
  OPTBN_INVARIANT(are_distributions(density), "every row of a table adds up to 1");
  density.nodes.shrink_to_fit(); // an ensemble may have millions of trees
  density.tables.shrink_to_fit();
  return density;
}

} // namespace optbn
