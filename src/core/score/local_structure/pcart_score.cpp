#include "core/score/local_structure/pcart_score.h"

#include "core/base/invariant.h"
#include "core/score/local_structure/level_order.h"
#include "core/score/local_structure/tree_sweep.h"
#include "core/score/parent_groups.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr double kBytesPerResponse = 16; // of statistics: two doubles, or four counts
constexpr double kRounding = 1e-9;
constexpr std::uint32_t kFewRows = 128; // boxes with more are always split

std::vector<TreeAxis> make_axes(const Dataset &data, const ScoreSettings &settings) {
  std::vector<TreeAxis> axes;
  for (Node v = 0; v < data.size(); ++v) {
    const Column &column = data.columns[v];
    const bool keep_unseen = settings.leaf.iss > 0;
    axes.push_back(!column.discrete()
                       ? TreeAxis::dyadic(column, settings.range[v], settings.max_splits)
                   : !column.ordered && column.levels > settings.max_levels
                       ? TreeAxis::many_levels(column, keep_unseen)
                       : TreeAxis::levels(column, column.ordered, keep_unseen));
  }
  return axes;
}

// The largest gain from splitting a box of so many rows, without the cost of the leaf. Without loss
// of generality the parts are pure; then the gain is a sum of log rising factorials of r alpha, and
// largest for balanced counts.
std::vector<double> largest_gains(double alpha, unsigned r) {
  const LogRising all(r * alpha, kFewRows);
  std::vector<double> gain;
  for (std::uint32_t rows = 0; rows < kFewRows; ++rows) {
    const std::uint32_t each = rows / r, more = rows % r;
    gain.push_back(all(rows) - more * all(each + 1) - (r - more) * all(each));
  }
  return gain;
}

} // namespace

// The workspace of one thread.
struct PcartScore::Worker {
  explicit Worker(const PcartScore &score)
      : tally(score.responses_), leaves(score.settings_.leaf, score.data_.total) {}

  CellTally tally;
  TreePlan plan;
  TreeSweep sweep;
  DirichletLeaves leaves;
  std::vector<double> best;
  std::vector<TreeAxis> ordered;      // for one child
  std::vector<const TreeAxis *> axes; // of the plan
};

PcartScore::PcartScore(const Dataset &data, const ScoreSettings &settings)
    : data_(data), settings_(settings), axis_(make_axes(data, settings)), order_(data.size()),
      responses_(data, settings.scale), normal_(settings.leaf, data.total) {
  one_leaf_.assign(data.size(), kInfinity);
  pure_leaves_.assign(data.size(), kInfinity);
  DirichletLeaves leaves(settings.leaf, data.total);
  for (Node v = 0; v < data.size(); ++v)
    if (data.columns[v].discrete())
      prepare_discrete(v, leaves);
  for (Node v = 0; v < data.size(); ++v)
    if (axis_[v].needs_order())
      order_levels(v);
}

void PcartScore::order_levels(Node parent) {
  const TreeAxis &axis = axis_[parent];
  CellTally tally(responses_);
  tally.count({{axis.cell_of_row().data(), axis.cells()}});
  for (Node child = 0; child < data_.size(); ++child)
    order_[parent].push_back(level_order(tally, responses_, child, axis.cells()));
}

void PcartScore::prepare_discrete(Node v, DirichletLeaves &leaves) {
  const Column &column = data_.columns[v];
  largest_gain_.try_emplace(column.levels, largest_gains(settings_.leaf.alpha, column.levels));

  std::vector<std::uint64_t> count(column.levels, 0);
  for (std::size_t row = 0; row < data_.rows; ++row)
    count[column.codes[row]] += data_.weight(row);
  const DirichletLeaf &leaf = leaves.of(1, column.levels);
  one_leaf_[v] = -leaf.all(data_.total);
  pure_leaves_[v] = 0;
  for (const std::uint64_t n : count) {
    one_leaf_[v] += leaf.level(n);
    pure_leaves_[v] += leaf.level(n) - leaf.all(n);
  }
  // If the imaginary sample size is divided, the first row of each level costs at least log r.
  if (settings_.leaf.iss > 0) {
    one_leaf_[v] = -std::log(column.levels);
    pure_leaves_[v] = -std::log(column.levels) *
                      static_cast<double>(std::count_if(count.begin(), count.end(),
                                                        [](std::uint64_t n) { return n > 0; }));
  }
}

std::vector<const TreeAxis *> PcartScore::axes_of(const Node *parents, unsigned size) const {
  std::vector<const TreeAxis *> axes;
  for (unsigned i = 0; i < size; ++i)
    axes.push_back(&axis_[parents[i]]);
  return axes;
}

const TreePrior &PcartScore::prior_of(const std::vector<const TreeAxis *> &axes) {
  std::vector<std::pair<AxisKind, unsigned>> types;
  for (const TreeAxis *axis : axes)
    types.emplace_back(axis->prior_kind(), axis->extent());
  std::sort(types.begin(), types.end());
  const auto [entry, is_new] = priors_.try_emplace(types);
  if (is_new)
    entry->second = tree_prior(axes);
  return entry->second;
}

void PcartScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const ParentGroups groups(batch, data_.size());
  std::vector<std::vector<const TreeAxis *>> axes(groups.size());
  std::vector<const TreePrior *> prior(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    axes[g] = axes_of(groups.parents(g), batch.parents);
    prior[g] = &prior_of(axes[g]);
  }
  groups.score(
      watch, result, [&] { return std::make_unique<Worker>(*this); },
      [&](std::size_t g) { return code_bits(axes[g]); },
      [&](Worker & worker, std::size_t g, const std::vector<Node> &children) -> auto & {
        const Node *parents = groups.parents(g);
        solve(worker, {parents, parents + batch.parents}, prior[g]->log_leaf, children, watch);
        for (double &best : worker.best)
          best += prior[g]->log_norm;
        return worker.best;
      });
  result.superset_bound.resize(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i)
    result.superset_bound[i] = superset_bound(batch.child[i], prior[groups.group(i)]->log_leaf);
}

void PcartScore::solve(Worker &worker, const std::vector<Node> &parents, double log_leaf,
                       const std::vector<Node> &children, Watch &watch) const {
  worker.axes = axes_of(parents.data(), static_cast<unsigned>(parents.size()));
  std::vector<Digits> digits;
  for (const TreeAxis *axis : worker.axes)
    digits.push_back({axis->cell_of_row().data(), axis->cells()});
  worker.tally.count(digits);
  if (std::any_of(worker.axes.begin(), worker.axes.end(),
                  [](const TreeAxis *axis) { return axis->needs_order(); }))
    solve_in_order(worker, parents, log_leaf, children, watch);
  else
    solve_counted(worker, log_leaf, children, watch);
}

// Child by child, as each has different orders.
void PcartScore::solve_in_order(Worker &worker, const std::vector<Node> &parents, double log_leaf,
                                const std::vector<Node> &children, Watch &watch) const {
  std::vector<double> best;
  for (const Node child : children) {
    worker.ordered.clear();
    worker.ordered.reserve(parents.size()); // its elements must not move
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const TreeAxis &axis = axis_[parents[i]];
      if (!axis.needs_order())
        continue;
      worker.ordered.push_back(axis.in_order(order_[parents[i]][child]));
      worker.axes[i] = &worker.ordered.back();
    }
    solve_counted(worker, log_leaf, {child}, watch);
    if (watch.stopped())
      return;
    best.push_back(worker.best[0]);
  }
  worker.best = best;
}

// Makes the plan and the sweeps over the cells that have been counted.
void PcartScore::solve_counted(Worker &worker, double log_leaf, const std::vector<Node> &children,
                               Watch &watch) const {
  TreePlan::Options options;
  options.by_share = settings_.leaf.iss > 0;
  options.memory_limit = settings_.memory_limit / watch.host().threads;
  options.bytes_per_box = kLanes * (sizeof(double) + kBytesPerResponse);
  options.least_rows = UINT32_MAX;
  for (const Node child : children)
    options.least_rows = std::min(options.least_rows, least_rows(child, log_leaf));
  worker.plan.make(worker.axes, worker.tally, options, watch);

  worker.best.resize(children.size());
  std::vector<Node> lanes;
  for (const std::vector<std::size_t> &block : lane_blocks(responses_, children)) {
    if (watch.stopped())
      return;
    lanes.clear();
    for (const std::size_t i : block)
      lanes.push_back(children[i]);
    solve_lanes(worker, log_leaf, lanes, watch);
    const double *root = worker.sweep.best(worker.plan.position(worker.plan.codes().root()));
    for (const std::size_t i : block)
      worker.best[i] = *root++;
  }
}

void PcartScore::solve_lanes(Worker &worker, double log_leaf, const std::vector<Node> &children,
                             Watch &watch) const {
  std::uint32_t least = UINT32_MAX;
  for (const Node child : children)
    least = std::min(least, least_rows(child, log_leaf));
  if (responses_.discrete(children[0])) {
    const DiscreteLanes lanes(responses_, children, worker.plan.shares(), worker.leaves);
    worker.sweep.run(worker.plan, worker.tally, lanes, log_leaf, least, watch);
  } else {
    const NormalLanes lanes(responses_, children, normal_);
    worker.sweep.run(worker.plan, worker.tally, lanes, log_leaf, least, watch);
  }
}

// With a strict superset of the parents a tree is one leaf, or has at least two, and then pure
// leaves, one per level that occurs, are the best possible; each further leaf costs more than here.
double PcartScore::superset_bound(Node child, double log_leaf) const {
  return std::max(one_leaf_[child], pure_leaves_[child] + std::min(log_leaf, -std::log(4.0)));
}

// With fewer rows no split of a box gains as much as a leaf costs; leaves that depend on their
// share, and normal ones, may gain from two rows on.
std::uint32_t PcartScore::least_rows(Node child, double log_leaf) const {
  if (!responses_.discrete(child) || settings_.leaf.iss > 0)
    return 2;
  const std::vector<double> &gain = largest_gain_.at(responses_.levels(child));
  return static_cast<std::uint32_t>(
      std::upper_bound(gain.begin(), gain.end(), -log_leaf - kRounding) - gain.begin());
}

Tree PcartScore::best_tree(Node child, const std::vector<Node> &parents, Watch &watch) const {
  const TreePrior prior =
      tree_prior(axes_of(parents.data(), static_cast<unsigned>(parents.size())));
  Worker worker(*this);
  solve(worker, parents, prior.log_leaf, {child}, watch);
  Tree tree;
  if (watch.stopped())
    return tree;
  tree.log_leaf = prior.log_leaf;
  tree.log_norm = prior.log_norm;
  tree.score = worker.best[0] + prior.log_norm;
  extract_tree(worker, worker.plan.codes().root(), tree);
  return tree;
}

// Appends the best tree below a box: the first split that reaches its best score, or a leaf.
std::uint32_t PcartScore::extract_tree(const Worker &worker, std::uint64_t code, Tree &tree) const {
  const TreePlan &plan = worker.plan;
  const std::vector<const TreeAxis *> &axes = worker.axes;
  const auto here = static_cast<std::uint32_t>(tree.nodes.size());
  const std::uint32_t position = plan.position(code);
  const double best = *worker.sweep.best(position);
  tree.nodes.emplace_back();
  tree.nodes[here].rows = plan.boxes()[position].rows;
  if (settings_.leaf.iss == 0)
    code = plan.without_unseen(code);
  std::uint64_t left_code = 0, right_code = 0;
  for (std::size_t i = 0; i < axes.size() && tree.nodes[here].parent == TreeNode::kLeaf; ++i) {
    const std::uint64_t whole = plan.codes().region(code, i);
    if (position == TreePlan::kEmpty || axes[i]->is_cell(whole))
      continue;
    axes[i]->for_each_split(whole, [&](std::uint64_t left, std::uint64_t right) {
      const std::uint64_t to_left = plan.codes().with_region(code, i, left);
      const std::uint64_t to_right = plan.codes().with_region(code, i, right);
      TreeNode &node = tree.nodes[here];
      if (node.parent != TreeNode::kLeaf || *worker.sweep.best(plan.position(to_left)) +
                                                    *worker.sweep.best(plan.position(to_right)) !=
                                                best)
        return;
      node.parent = static_cast<int>(i);
      left_code = to_left;
      right_code = to_right;
      if (axes[i]->kind() == AxisKind::dyadic)
        node.cell = axes[i]->cells_of(right).front();
      else
        for (const std::uint32_t cell : axes[i]->cells_of(left))
          node.levels.push_back(axes[i]->level_of_cell(cell));
      std::sort(node.levels.begin(), node.levels.end());
    });
  }
  if (tree.nodes[here].parent != TreeNode::kLeaf) {
    const std::uint32_t left = extract_tree(worker, left_code, tree);
    const std::uint32_t right = extract_tree(worker, right_code, tree);
    tree.nodes[here].left = left;
    tree.nodes[here].right = right;
    OPTBN_INVARIANT(tree.nodes[left].rows + tree.nodes[right].rows == tree.nodes[here].rows,
                    "a split sends every row to one side");
  }
  return here;
}

} // namespace optbn
