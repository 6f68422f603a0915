#include "core/inference/propagation.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

// Cells of a clique are plain products if none can fall below this. Then a message cell is not
// below it either, and its reciprocal and the ratios made with it are finite.
constexpr double kSafeProduct = 1e-140;

// A cell made from logarithms that is smaller than this fraction of the largest counts as 0.
constexpr double kNegligible = 1e-300;

// Products of masses are logged before they can overflow or underflow.
constexpr double kLargeProduct = 1e100, kSmallProduct = 1e-100;

// The sum of logarithms of numbers between 1e-200 and 1e200, with few calls of log().
class LogProduct {
public:
  void multiply(double x) {
    product_ *= x;
    if (product_ > kLargeProduct || product_ < kSmallProduct) {
      log_ += std::log(product_);
      product_ = 1;
    }
  }
  double log() const { return log_ + std::log(product_); }

private:
  double product_ = 1, log_ = 0;
};

} // namespace

Propagation::Propagation(const JunctionTree &tree, double memory_limit, double held)
    : tree_(tree), passes_(fastest_passes()), held_(held),
      memory_limit_(std::max(0.0, memory_limit - held)), level_(tree.size(), 0),
      relevant_(tree.size(), true), offset_(tree.size(), 0), query_plan_(tree.tree().size()),
      stale_(tree.tree().size(), false), weights_(tree.tree().size()),
      stored_(tree.tree().size(), false), table_start_(tree.tree().size()),
      message_start_(tree.tree().size() + 1, 0), mass_(tree.tree().size()),
      smallest_message_(tree.tree().size()) {
  std::size_t start = 0, block = 1;
  for (Node v = 0; v < tree.size(); ++v) {
    extent_.push_back(tree.levels(v));
    marginal_start_.push_back(start);
    start += tree.levels(v);
    block = std::max<std::size_t>(block, tree.levels(v));
  }
  marginal_start_.push_back(start);
  for (std::size_t i = 0; i < tree.tree().size(); ++i)
    plan_.push_back(&tree.plan(i));
  block_.resize(std::max(block, kBlockCells));
}

// ---- evidence -----------------------------------------------------------------------------------

void Propagation::set_evidence(const Evidence &evidence, const std::vector<char> &relevant) {
  set_levels(evidence, relevant);
  update_plans();
  set_weights(evidence);
  stored_.assign(stored_.size(), false);
}

void Propagation::set_levels(const Evidence &evidence, const std::vector<char> &relevant) {
  relevant_ = relevant;
  for (Node v = 0; v < tree_.size(); ++v) {
    const bool single = evidence.observed(v) || !relevant[v];
    const std::size_t extent = single ? 1 : tree_.levels(v);
    if (extent != extent_[v]) {
      extent_[v] = extent;
      for (const std::uint32_t clique : tree_.tree().cliques_of[v])
        stale_[clique] = true;
    }
    const std::size_t level =
        evidence.observed(v) ? static_cast<std::size_t>(evidence.level(v)) : 0;
    if (level != level_[v]) {
      for (const JunctionTree::Appearance &in : tree_.appearances(v))
        offset_[in.family] += level * in.stride - level_[v] * in.stride;
      level_[v] = level;
    }
  }
}

void Propagation::update_plans() {
  std::size_t start = 0;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    if (stale_[i]) {
      const std::vector<Node> &members = tree_.tree().cliques[i].members;
      const bool whole = std::all_of(members.begin(), members.end(),
                                     [&](Node v) { return extent_[v] == tree_.levels(v); });
      if (!whole)
        tree_.make_plan(i, extent_, query_plan_[i]);
      plan_[i] = whole ? &tree_.plan(i) : &query_plan_[i];
      stale_[i] = false;
    }
    message_start_[i] = start;
    start += plan_[i]->separator_cells;
  }
  message_start_.back() = start;
}

void Propagation::set_weights(const Evidence &evidence) {
  for (const std::uint32_t clique : weighted_)
    weights_[clique].clear();
  weighted_.clear();
  log_scale_ = 0;
  for (const auto &[node, likelihood] : evidence.likelihoods()) {
    const double largest = *std::max_element(likelihood.begin(), likelihood.end());
    Weight weight{node, likelihood, 1, {}};
    for (double &value : weight.values) {
      value = largest > 0 ? value / largest : 0;
      if (value > 0)
        weight.smallest = std::min(weight.smallest, value);
    }
    const std::uint32_t clique = tree_.tree().smallest[node];
    const std::vector<Node> &members = tree_.tree().cliques[clique].members;
    std::vector<std::size_t> stride(members.size());
    for (std::size_t m = 0; m < members.size(); ++m)
      stride[m] = members[m] == node;
    plan_[clique]->set_strides(stride, weight.strides);
    weights_[clique].push_back(std::move(weight));
    weighted_.push_back(clique);
    if (largest > 0)
      log_scale_ += std::log(largest);
  }
}

double Propagation::bytes() const {
  double cells = 2 * static_cast<double>(message_start_.back());
  for (std::size_t i = 0; i < plan_.size(); ++i)
    if (stored_[i])
      cells += static_cast<double>(plan_[i]->cells);
  return cells * sizeof(double);
}

void Propagation::store_if_they_fit(const std::vector<std::size_t> &cliques) {
  const std::vector<char> before = stored_;
  for (const std::size_t clique : cliques)
    stored_[clique] = true;
  if (bytes() > memory_limit_)
    stored_ = before;
}

void Propagation::throw_memory_limit(double bytes) const {
  throw MemoryLimit(held_ + bytes, held_ + memory_limit_);
}

void Propagation::allocate() {
  if (bytes() > memory_limit_)
    throw_memory_limit(bytes());
  std::size_t cells = 0;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    table_start_[i] = cells;
    cells += stored_[i] ? plan_[i]->cells : 0;
  }
  if (cells > allocated_) {
    tables_.reset(); // before the new ones, so that both never exist at once
    allocated_ = 0;
    tables_.reset(new double[cells]);
    allocated_ = cells;
  }
  if (up_.size() < message_start_.back()) {
    up_.resize(message_start_.back());
    down_.resize(message_start_.back());
  }
}

// ---- towards the root ---------------------------------------------------------------------------

double Propagation::collect(Reduction reduction, Watch &watch) {
  allocate();
  LogProduct masses;
  double log_scales = log_scale_;
  log_probability_ = -std::numeric_limits<double>::infinity();
  for (std::size_t i = plan_.size(); i-- > 0;) {
    const CliquePlan &plan = *plan_[i];
    double *const message = up_.data() + message_start_[i];
    std::fill_n(message, plan.separator_cells, 0.0);
    double *const filled = begin_table(i, log_scales, watch);
    double *const table = stored_[i] ? tables_.get() + table_start_[i] : filled;
    const auto reduce = reduction == Reduction::sum ? passes_.add : passes_.raise;
    for (std::size_t block = 0; block < plan.blocks(); ++block) {
      double *const cells = table ? table + block * plan.block : block_.data();
      if (!filled)
        fill_block(i, block, cells);
      reduce(cells, plan.separator, message + plan.separator.start(block));
      count_work(plan.block, watch);
    }
    if (!normalise_message(i))
      return log_probability_;
    masses.multiply(mass_[i]);
  }
  return log_probability_ = log_scales + masses.log();
}

// A table that must be made as a whole, from logarithms, is: where it is stored, or in `whole_`.
// Null for any other.
double *Propagation::begin_table(std::size_t clique, double &log_scale, Watch &watch) {
  if (smallest_cell(clique) >= kSafeProduct)
    return nullptr;
  double *table = tables_.get() + table_start_[clique];
  if (!stored_[clique]) {
    whole_.resize(std::max(whole_.size(), plan_[clique]->cells));
    table = whole_.data();
  }
  log_scale += fill_by_logarithms(clique, table, watch);
  return table;
}

const double *Propagation::any_table(std::size_t clique, Watch &watch) {
  if (stored_[clique])
    return table(clique);
  double log_scale = 0;
  if (const double *const filled = begin_table(clique, log_scale, watch))
    return filled;
  const CliquePlan &plan = *plan_[clique];
  whole_.resize(std::max(whole_.size(), plan.cells));
  for (std::size_t block = 0; block < plan.blocks(); ++block) {
    fill_block(clique, block, whole_.data() + block * plan.block);
    count_work(plan.block, watch);
  }
  return whole_.data();
}

// A lower bound on the positive cells of the clique.
double Propagation::smallest_cell(std::size_t clique) const {
  double product = tree_.smallest_product(clique);
  for (const std::uint32_t child : tree_.tree().cliques[clique].children)
    product *= smallest_message_[child];
  for (const Weight &weight : weights_[clique])
    product *= weight.smallest;
  return product;
}

// visit(strides, values) for the factors of the clique's table. A message of one cell is 1.
template <class Visit>
void Propagation::for_each_factor(std::size_t clique_number, Visit visit) const {
  const Clique &clique = tree_.tree().cliques[clique_number];
  const CliquePlan &plan = *plan_[clique_number];
  for (std::size_t f = 0; f < clique.families.size(); ++f)
    if (const Node v = clique.families[f]; relevant_[v])
      visit(plan.families[f], tree_.table(v).data() + offset_[v]);
  for (std::size_t c = 0; c < clique.children.size(); ++c)
    if (const std::uint32_t child = clique.children[c]; plan_[child]->separator_cells > 1)
      visit(plan.children[c], message(child));
  for (const Weight &weight : weights_[clique_number])
    visit(weight.strides, weight.values.data() + level_[weight.node]);
}

void Propagation::fill_block(std::size_t clique, std::size_t block, double *cells) const {
  bool filled = false;
  for_each_factor(clique, [&](const TableStrides &strides, const double *factor) {
    (filled ? passes_.multiply : passes_.assign)(cells, strides, factor + strides.start(block));
    filled = true;
  });
  if (!filled)
    std::fill_n(cells, plan_[clique]->block, 1.0);
}

// Computes the whole table with largest cell 1; returns the logarithm of the divisor.
double Propagation::fill_by_logarithms(std::size_t clique, double *cells, Watch &watch) const {
  const CliquePlan &plan = *plan_[clique];
  std::vector<double> factors(plan.block);
  std::fill_n(cells, plan.cells, 0.0);
  for_each_factor(clique, [&](const TableStrides &strides, const double *factor) {
    for (std::size_t block = 0; block < plan.blocks(); ++block) {
      passes_.assign(factors.data(), strides, factor + strides.start(block));
      for (std::size_t i = 0; i < plan.block; ++i)
        cells[block * plan.block + i] += std::log(factors[i]);
      count_work(16 * plan.block, watch);
    }
  });
  const double largest = *std::max_element(cells, cells + plan.cells);
  if (largest == -std::numeric_limits<double>::infinity()) {
    std::fill_n(cells, plan.cells, 0.0);
    return 0;
  }
  for (std::size_t i = 0; i < plan.cells; ++i) {
    const double cell = std::exp(cells[i] - largest);
    cells[i] = cell < kNegligible ? 0 : cell;
  }
  return largest;
}

// False when nothing is possible.
bool Propagation::normalise_message(std::size_t clique) {
  double *const message = up_.data() + message_start_[clique];
  const std::size_t size = plan_[clique]->separator_cells;
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size; ++i) {
    largest = std::max(largest, message[i]);
    if (message[i] > 0)
      smallest = std::min(smallest, message[i]);
  }
  mass_[clique] = largest;
  if (!(largest > 0))
    return false;
  const double scale = 1 / largest;
  smallest_message_[clique] = smallest * scale;
  OPTBN_INVARIANT(std::isfinite(largest), "masses are finite");
  if (size == 1) {
    message[0] = 1;
    return true;
  }
  for (std::size_t i = 0; i < size; ++i)
    message[i] *= scale;
  return true;
}

// Polling the watch reads a clock, which takes as long as many cells.
void Propagation::count_work(std::size_t cells, Watch &watch) const {
  unpolled_ += cells;
  if (unpolled_ < (std::size_t{1} << 17))
    return;
  unpolled_ = 0;
  throw_if_stopped(watch);
}

// ---- back from the root -------------------------------------------------------------------------

void Propagation::distribute(const std::vector<std::size_t> &path, Watch &watch) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::vector<std::uint32_t> &children = tree_.tree().cliques[path[i]].children;
    const bool last = i + 1 == path.size();
    const auto next =
        last ? children.end() : std::find(children.begin(), children.end(), path[i + 1]);
    pass_down(
        path[i],
        [&](const double *cells, std::size_t block) {
          if (!last)
            add_to_separator(path[i], static_cast<std::size_t>(next - children.begin()), cells,
                             block);
        },
        watch);
  }
}

std::vector<double> Propagation::distribute_all(Watch &watch) {
  std::vector<double> marginals(marginal_start_.back(), 0.0);
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const std::size_t children = tree_.tree().cliques[i].children.size();
    const std::vector<Node> &marginal_nodes = tree_.marginal_nodes(i);
    pass_down(
        i,
        [&](const double *cells, std::size_t block) {
          for (std::size_t c = 0; c < children; ++c)
            add_to_separator(i, c, cells, block);
          for (std::size_t j = 0; j < marginal_nodes.size(); ++j) {
            const TableStrides &strides = plan_[i]->marginals[j];
            const Node v = marginal_nodes[j];
            passes_.add(cells, strides,
                        marginals.data() + marginal_start_[v] + level_[v] + strides.start(block));
          }
        },
        watch);
  }
  for (Node v = 0; v < tree_.size(); ++v) {
    const auto first = marginals.begin() + static_cast<std::ptrdiff_t>(marginal_start_[v]);
    const auto last = marginals.begin() + static_cast<std::ptrdiff_t>(marginal_start_[v + 1u]);
    const double sum = std::accumulate(first, last, 0.0);
    OPTBN_INVARIANT(about_equal(sum, 1), "the posterior of a node sums to 1");
    const double scale = 1 / sum;
    std::for_each(first, last, [&](double &p) { p *= scale; });
  }
  return marginals;
}

// Turns the message from the parent into the ratios by which the table is to be multiplied.
void Propagation::make_ratios(std::size_t clique) {
  double *const down = down_.data() + message_start_[clique];
  if (plan_[clique]->separator_cells == 1) { // the root, or nothing in common with the parent
    down[0] = 1 / mass_[clique];
    return;
  }
  const double *const up = message(clique);
  for (std::size_t i = 0; i < plan_[clique]->separator_cells; ++i)
    down[i] = up[i] > 0 ? down[i] / (up[i] * mass_[clique]) : 0;
}

// Multiplies a table, block by block, by the ratios of its separator, and calls read(cells, block)
// for each block while it is in the cache.
template <class Read>
void Propagation::pass_down(std::size_t clique_number, Read read, Watch &watch) {
  make_ratios(clique_number);
  const CliquePlan &plan = *plan_[clique_number];
  const double *const ratios = down_.data() + message_start_[clique_number];
  for (const std::uint32_t child : tree_.tree().cliques[clique_number].children)
    std::fill_n(down_.data() + message_start_[child], plan_[child]->separator_cells, 0.0);
  double log_scale = 0; // collect() has counted it
  double *const table = stored_[clique_number] ? tables_.get() + table_start_[clique_number]
                                               : begin_table(clique_number, log_scale, watch);
  for (std::size_t block = 0; block < plan.blocks(); ++block) {
    double *const cells = table ? table + block * plan.block : block_.data();
    if (!table)
      fill_block(clique_number, block, cells);
    passes_.multiply(cells, plan.separator, ratios + plan.separator.start(block));
    read(cells, block);
    count_work(plan.block, watch);
  }
}

// `child`: its number among the children.
void Propagation::add_to_separator(std::size_t clique_number, std::size_t child,
                                   const double *cells, std::size_t block) {
  const std::uint32_t number = tree_.tree().cliques[clique_number].children[child];
  if (plan_[number]->separator_cells == 1)
    return;
  const TableStrides &strides = plan_[clique_number]->children[child];
  passes_.add(cells, strides, down_.data() + message_start_[number] + strides.start(block));
}

} // namespace optbn
