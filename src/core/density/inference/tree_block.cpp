#include "core/density/inference/tree_block.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// Thresholds for small numbers.
template <class Real> struct Limits {
  static constexpr bool kDouble = sizeof(Real) == 8;
  // Rows are scaled if all their numbers are below this.
  static constexpr Real kSmall = static_cast<Real>(kDouble ? 0x1p-200 : 0x1p-30);
  // Products below this may have lost digits.
  static constexpr Real kLeast = static_cast<Real>(kDouble ? 0x1p-1000 : 0x1p-120);
  // The unit of errors is half the smallest number above 0, the largest underflow error of a
  // product. An error e of a density p is too large if e / 2^100 > p kTolerance: one part in 10^6,
  // or in 10^12.
  static constexpr double kTolerance = kDouble ? 1e-12 * 0x1p975 : 1e-6 * 0x1p50;
};

std::size_t whole_steps(std::size_t n) { return (n + kRowStep - 1) / kRowStep * kRowStep; }

} // namespace

template <class Real>
TreeBlockOf<Real>::TreeBlockOf(const TreeDensity &tree, const BlockKernels<Real> &kernels)
    : tree_(tree), kernels_(kernels), tables_(tree.tables.size()), exponent_(kRows) {
  const auto top = static_cast<std::uint32_t>(tree.nodes.size());
  states_.resize(top + 1);
  states_[top] = {top, 1, true};
  std::size_t numbers = 0, most = 2, variables = 0;
  const auto reserve = [&](std::size_t n) {
    numbers += n;
    return numbers - n;
  };
  for (std::uint32_t m = 0; m < top; ++m) {
    const TreeDensity::TreeNode &node = tree.nodes[m];
    states_[m].parent = node.parent == TreeDensity::kRoot ? top : node.parent;
    states_[m].levels = node.levels;
    states_[states_[m].parent].inner = true;
    most = std::max<std::size_t>(most, node.levels + 1);
    if (node.variable != TreeDensity::kHidden)
      states_[m].codes = kRows * variables++;
  }
  codes_.resize(kRows * variables);
  for (std::uint32_t m = 0; m <= top; ++m)
    if (states_[m].inner) {
      states_[m].belief = reserve((states_[m].levels + 1u) * kRows);
      states_[m].message = m < top ? reserve(states_[states_[m].parent].levels * kRows) : 0;
    }
  scratch_ = reserve(most * kRows);
  more_scratch_ = reserve(most * std::max(kRows, whole_steps(most)));
  transposed_ = reserve(kRows * whole_steps(most));
  peak_ = reserve(kRows);
  store_.resize(numbers + 64 / sizeof(Real));
  const auto address = reinterpret_cast<std::uintptr_t>(store_.data());
  numbers_ = store_.data() + (64 - address % 64) % 64 / sizeof(Real);
  reload();
}

template <class Real> void TreeBlockOf<Real>::reload() {
  std::transform(tree_.tables.begin(), tree_.tables.end(), tables_.begin(),
                 [](double p) { return static_cast<Real>(p); });
}

template <class Real>
void TreeBlockOf<Real>::collect(const PartialRows &data, const std::uint32_t *rows,
                                std::size_t count, double *log_densities) {
  count_ = count;
  width_ = whole_steps(count);
  std::fill(exponent_.begin(), exponent_.end(), Exponent{0});
  for (NodeState &state : states_)
    state.observed = state.informed = state.has_error = false;

  for (std::size_t m = tree_.nodes.size(); m-- > 0;) {
    NodeState &state = states_[m];
    if (tree_.nodes[m].variable != TreeDensity::kHidden)
      observe(m, data, rows);
    if (!state.observed && !state.informed)
      continue;
    Real *const belief = at(state.inner ? state.belief : scratch_);
    if (state.observed && state.informed) {
      fill_indicators(m, at(scratch_));
      absorb(state, at(scratch_), nullptr);
    } else if (state.observed) {
      fill_indicators(m, belief);
      state.informed = true;
    }
    NodeState &parent = states_[state.parent];
    Real *const message = at(state.inner ? state.message : more_scratch_);
    kernels_.product({table(m), state.levels, 1}, belief, message, parent.levels, state.levels,
                     width_, kRows);
    absorb(parent, message, &state);
  }

  const NodeState &top = states_.back();
  for (std::size_t r = 0; r < count; ++r)
    log_densities[r] = !top.informed ? 0
                                     : std::log(static_cast<double>(at(top.belief)[r])) +
                                           static_cast<double>(exponent_[r]) * std::log(2.0);
  single_.clear();
  if (top.has_error)
    answer_one_by_one(data, rows, log_densities);
}

// Recomputes the rows whose errors are too large.
template <class Real>
void TreeBlockOf<Real>::answer_one_by_one(const PartialRows &data, const std::uint32_t *rows,
                                          double *log_densities) {
  const Real *const density = at(states_.back().belief), *const error = errors(states_.back());
  std::vector<unsigned> levels(data.columns.size(), 0); // 0: not of this tree
  for (const TreeDensity::TreeNode &node : tree_.nodes)
    if (node.variable != TreeDensity::kHidden)
      levels[node.variable] = node.levels;
  for (std::size_t r = 0; r < count_; ++r) {
    if (error[r] * 0x1p-100 <= density[r] * Limits<Real>::kTolerance)
      continue;
    Evidence evidence(static_cast<Node>(levels.size()));
    for (Node v = 0; v < levels.size(); ++v)
      if (levels[v] > 0 && data.columns[v][rows[r]] != PartialRows::kMissing)
        evidence.observe(v, data.columns[v][rows[r]]);
    single_.emplace_back(r, LevelWeights(levels, evidence));
    log_densities[r] = messages_.collect(tree_, single_.back().second);
  }
}

// Reads the levels of a variable.
template <class Real>
void TreeBlockOf<Real>::observe(std::size_t node, const PartialRows &data,
                                const std::uint32_t *rows) {
  NodeState &state = states_[node];
  const std::uint16_t *const column = data.columns[tree_.nodes[node].variable].data();
  std::uint16_t *const codes = codes_.data() + state.codes;
  state.observed = false;
  for (std::size_t r = 0; r < count_; ++r) {
    codes[r] = std::min(column[rows[r]], state.levels);
    state.observed |= codes[r] < state.levels;
  }
  std::fill(codes + count_, codes + width_, state.levels);
}

// 1 for the level that is observed, or for all where it is missing; 0 otherwise.
template <class Real>
void TreeBlockOf<Real>::fill_indicators(std::size_t node, Real *belief) const {
  const NodeState &state = states_[node];
  const std::uint16_t *const codes = codes_.data() + state.codes;
  std::fill(belief, belief + state.levels * kRows, Real{0});
  for (std::size_t r = 0; r < width_; ++r)
    if (codes[r] < state.levels)
      belief[codes[r] * kRows + r] = 1;
    else
      for (std::size_t level = 0; level < state.levels; ++level)
        belief[level * kRows + r] = 1;
}

template <class Real> void TreeBlockOf<Real>::fill_ones(Real *to, std::size_t levels) const {
  for (std::size_t level = 0; level < levels; ++level, to += kRows)
    std::fill(to, to + width_, Real{1});
}

// The message of a child, or, without one, zeros and ones, which are exact.
template <class Real>
void TreeBlockOf<Real>::absorb(NodeState &parent, const Real *message, const NodeState *child) {
  Real *const belief = at(parent.belief), *const peak = at(peak_);
  if (!parent.informed)
    fill_ones(belief, parent.levels);
  parent.informed = true;
  if (child != nullptr && (child->has_error || parent.has_error))
    propagate_errors(*child, parent, message);
  const auto least = kernels_.absorb(belief, message, peak, parent.levels, width_);
  if (child != nullptr && least.number < Limits<Real>::kLeast)
    add_error(parent, child->levels);
  if (least.peak < Limits<Real>::kSmall)
    kernels_.scale(belief, peak, exponent_.data(), parent.levels + parent.has_error, width_);
}

// The error of a product is the error of each factor times the largest value of the other. (The
// product of both errors is smaller, or no digit is right: an error relative to the largest number
// of its row never decreases.) To be called before the message is absorbed.
template <class Real>
void TreeBlockOf<Real>::propagate_errors(const NodeState &child, NodeState &parent,
                                         const Real *message) {
  const Real *belief = at(parent.belief);
  Real most_message[kRows] = {}, most_belief[kRows] = {};
  for (std::size_t level = 0; level < parent.levels; ++level, belief += kRows, message += kRows)
    for (std::size_t r = 0; r < kRows; ++r) {
      most_message[r] = most_message[r] < message[r] ? message[r] : most_message[r];
      most_belief[r] = most_belief[r] < belief[r] ? belief[r] : most_belief[r];
    }
  Real *const error = errors(parent);
  for (std::size_t r = 0; r < width_; ++r) {
    error[r] = parent.has_error ? error[r] * most_message[r] : 0;
    if (child.has_error)
      error[r] += errors(child)[r] * most_belief[r];
  }
  parent.has_error = true;
}

// Every term of a message may have an error of two units, and its product with a belief one of one.
template <class Real> void TreeBlockOf<Real>::add_error(NodeState &state, std::size_t terms) {
  Real *const error = errors(state);
  for (std::size_t r = 0; r < width_; ++r)
    error[r] = (state.has_error ? error[r] : 0) + static_cast<Real>(2 * terms + 1);
  state.has_error = true;
}

template <class Real> void TreeBlockOf<Real>::distribute(const double *weights, double *expected) {
  const NodeState &top = states_.back();
  Real *const flow = at(top.belief);
  for (std::size_t r = 0; r < width_; ++r)
    flow[r] = r < count_ ? static_cast<Real>(weights[r]) : Real{0};
  for (const auto &[row, evidence] : single_) {
    flow[row] = 0;
    if (!(weights[row] > 0))
      continue;
    messages_.collect(tree_, evidence);
    descent_.add_pairs(tree_, messages_.condition(), weights[row], expected);
  }
  for (std::size_t m = 0; m < tree_.nodes.size(); ++m)
    if (states_[m].inner)
      distribute_to(m, expected);
    else
      count_leaf_pairs(m, expected);
}

// The flow of the parent goes to the observed level of a leaf; if that is missing, it is
// distributed as in the leaf's table.
template <class Real> void TreeBlockOf<Real>::count_leaf_pairs(std::size_t node, double *expected) {
  const NodeState &state = states_[node];
  const NodeState &parent = states_[state.parent];
  const std::size_t columns = state.levels + 1u; // its levels, or missing
  Real *const indicator = at(scratch_);
  std::fill(indicator, indicator + columns * kRows, Real{0});
  for (std::size_t r = 0; r < width_; ++r)
    indicator[(state.observed ? codes_[state.codes + r] : state.levels) * kRows + r] = 1;
  Real *sums = at(more_scratch_);
  kernels_.inner_products(at(parent.belief), parent.levels, at(scratch_), columns, sums, width_);
  const Real *probability = table(node);
  expected += tree_.nodes[node].table;
  for (std::size_t p = 0; p < parent.levels; ++p, sums += columns)
    for (std::size_t level = 0; level < state.levels; ++level)
      *expected++ += static_cast<double>(sums[level] + *probability++ * sums[state.levels]);
}

template <class Real> void TreeBlockOf<Real>::distribute_to(std::size_t node, double *expected) {
  const NodeState &state = states_[node];
  const NodeState &parent = states_[state.parent];
  Real *const belief = at(state.belief), *const quotient = at(scratch_);
  if (!state.informed) {
    fill_ones(belief, state.levels);
    fill_ones(at(state.message), parent.levels);
  }
  kernels_.divide(at(parent.belief), at(state.message), quotient, parent.levels, width_);

  // Counts of parent level p and level l: table(l | p) times the sum over rows of quotient(p)
  // belief(l).
  const std::size_t transposed_width = whole_steps(state.levels);
  Real *const transposed = at(transposed_), *const counts = at(more_scratch_);
  for (std::size_t level = 0; level < state.levels; ++level)
    for (std::size_t r = 0; r < width_; ++r)
      transposed[r * transposed_width + level] = belief[level * kRows + r];
  kernels_.product({quotient, kRows, 1}, transposed, counts, parent.levels, width_,
                   transposed_width, transposed_width);
  const Real *probability = table(node);
  expected += tree_.nodes[node].table;
  for (std::size_t p = 0; p < parent.levels; ++p)
    for (std::size_t level = 0; level < state.levels; ++level)
      *expected++ += static_cast<double>(*probability++ * counts[p * transposed_width + level]);

  // The flow: the belief times the message from the parent.
  kernels_.product({table(node), 1, state.levels}, quotient, counts, state.levels, parent.levels,
                   width_, kRows);
  kernels_.absorb(belief, counts, at(peak_), state.levels, width_);
}

template class TreeBlockOf<double>;
template class TreeBlockOf<float>;

} // namespace optbn
