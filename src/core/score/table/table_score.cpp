#include "core/score/table/table_score.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace optbn {

namespace {

constexpr std::uint64_t kShortTable = 63;
constexpr std::size_t kFamiliesPerPoll = 4096;
constexpr double kLargestAlpha = 0.25; // with which least_regret() is true

// Copies `set` with v inserted in order to `out`.
void insert_node(const Node *set, unsigned size, Node v, Node *out) {
  const Node *after = std::lower_bound(set, set + size, v);
  out = std::copy(set, after, out);
  *out++ = v;
  std::copy(after, set + size, out);
}

} // namespace

TableScore::TableScore(const Dataset &data, TableKind kind, double parameter)
    : counter_(make_set_counter(data)), kind_(kind), parameter_(parameter), total_(data.total),
      levels_(levels_of(data)) {
  distinct_levels_ =
      static_cast<unsigned>(std::set<unsigned>(levels_.begin(), levels_.end()).size());
  if (is_likelihood())
    n_log_n_ = NLogN(data.total);
  if (kind == TableKind::fnml || kind == TableKind::qnml)
    nml_regret_ = NmlRegret(data.total);
}

void TableScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const unsigned size = batch.parents;
  const std::size_t families = batch.size();
  // With the same alpha for all cells, or a regret for each cell of P, the weight of such a cell
  // depends on the levels of the child. (The sum of n log n over them tells the regrets.)
  const unsigned by_child = kind_ == TableKind::uniform ? distinct_levels_
                            : kind_ == TableKind::fnml  ? distinct_levels_ + 1
                                                        : 1;
  Sums parents(SetTable(size, nodes(), families), by_child);
  Sums joint(SetTable(size + 1, nodes(), families), kind_ == TableKind::bds ? size + 1 : 1);

  const std::vector<std::size_t> parent_slot = assign_parent_slots(batch, parents, watch);
  evaluate(parents, last_joint_, 0, watch);
  const std::vector<std::size_t> joint_slot =
      assign_joint_slots(batch, parents, parent_slot, joint, watch);
  evaluate(joint, last_joint_, static_cast<double>(families), watch);
  if (watch.stopped())
    return;

  result.score.resize(families);
  result.superset_bound.resize(families);
  for (std::size_t i = 0; i < families; ++i) {
    const double r = levels(batch.child[i]), q = cells(batch.parents_of(i), size);
    const double given_parents = parents.sum[parent_slot[i]];
    result.score[i] = joint.sum[joint_slot[i]] - given_parents - penalty(r, q);
    // A further parent at least doubles q, and divides cells of P, whose regrets add up to no less
    // then; and each cell of a Bayesian table has a first row, which was predicted with probability
    // 1/r at most.
    if (kind_ == TableKind::fnml) {
      const auto set = static_cast<std::uint32_t>(parent_slot[i] / parents.stride);
      result.superset_bound[i] = parents.sum[parents.find_slot(set, 0)] - given_parents;
    } else {
      result.superset_bound[i] = is_likelihood()
                                     ? -penalty(r, 2 * q)
                                     : -std::log(r) * joint.occupied[joint_slot[i] / joint.stride];
    }
  }
  last_joint_ = std::move(joint);
}

std::vector<std::size_t> TableScore::assign_parent_slots(const FamilyBatch &batch, Sums &parents,
                                                         Watch &watch) {
  if (kind_ == TableKind::bds) { // its weights depend on the number of occupied cells
    for (std::size_t i = 0; i < batch.size(); ++i)
      parents.sets.insert(batch.parents_of(i));
    parents.weight.assign(parents.sets.size(), kNone);
    parents.sum.resize(parents.sets.size());
    evaluate(parents, last_joint_, 0, watch);
  }
  std::vector<std::size_t> slot(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (i % kFamiliesPerPoll == 0 && watch.stopped())
      break;
    const Node *set = batch.parents_of(i);
    const double occupied = kind_ == TableKind::bds ? parents.occupied[parents.sets.find(set)] : 0;
    slot[i] = parents.slot(set, parent_weight(batch.child[i], set, batch.parents, occupied));
    if (kind_ == TableKind::fnml)
      parents.slot(set, 0);
  }
  return slot;
}

std::vector<std::size_t> TableScore::assign_joint_slots(const FamilyBatch &batch,
                                                        const Sums &parents,
                                                        const std::vector<std::size_t> &parent_slot,
                                                        Sums &joint, Watch &watch) {
  const unsigned size = batch.parents;
  std::vector<std::size_t> slot(batch.size());
  std::vector<Node> family(size + 1);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (i % kFamiliesPerPoll == 0 && watch.stopped())
      break;
    const Node *set = batch.parents_of(i);
    const double occupied = parents.occupied[parent_slot[i] / parents.stride];
    insert_node(set, size, batch.child[i], family.data());
    slot[i] = joint.slot(family.data(), joint_weight(batch.child[i], set, size, occupied));
  }
  return slot;
}

double TableScore::bound(Node child, const Node *parents, unsigned size) const {
  if (kind_ == TableKind::fnml) // the regrets of parts add up to no less than that of the whole
    return -nml_regret_(total_, levels(child));
  return -penalty(levels(child), cells(parents, size));
}

Regret TableScore::regret() const {
  switch (kind_) {
  case TableKind::likelihood:
    return parameter_ > 0 ? Regret::of_cells : Regret::unknown;
  case TableKind::qnml:
    return Regret::of_cells;
  case TableKind::uniform:
    return Regret::unknown;
  default:
    return Regret::of_configurations;
  }
}

// Counts n_k of n rows in one configuration of the parents have the probability
// BD = prod over rows of (n_k + alpha) / (n + r alpha), each with the counts before it, and at most
// ML = prod of (n_k / n)^n_k. For alpha <= 1/4 a row multiplies BD / ML by
//     1 / r                               if it is the first,
//     4 alpha or less                     if its value is new, since (1 + 1/n)^(n + 1) <= 4,
//     1 or less                           if not, since (1 + 1/n)^(n + 1) falls with n.
// More parents have a smaller alpha, so the ratio is no larger. Of fnml a configuration with s levels
// of the child has s rows or more, and so at least their regret.
double TableScore::least_regret(Node child, const Occupation &known) const {
  if (kind_ == TableKind::likelihood || kind_ == TableKind::qnml)
    return penalty(levels(child), known.cells);
  if (kind_ == TableKind::fnml) {
    double regrets = 0;
    for (std::size_t s = 1; s < known.with_values.size(); ++s)
      regrets += known.with_values[s] * nml_regret_(s, levels(child));
    return regrets;
  }
  double configurations = 0, further_values = 0;
  for (std::size_t s = 1; s < known.with_values.size(); ++s) {
    configurations += known.with_values[s];
    further_values += static_cast<double>(s - 1) * known.with_values[s];
  }
  const double r = levels(child);
  const double alpha = parameter_ / (r * (kind_ == TableKind::bds ? configurations : known.cells));
  if (alpha > kLargestAlpha)
    return 0;
  return configurations * std::log(r) + further_values * -std::log(4 * alpha);
}

bool TableScore::bounds_gain() const { return kind_ == TableKind::likelihood; }

double TableScore::gain_bound(Node child, Node added, const Node *parents, unsigned size,
                              double score_of_added) const {
  const double q = cells(parents, size);
  const double conditional_entropy = -(score_of_added + penalty(levels(added), q)); // N H(y|P)
  return conditional_entropy - penalty(levels(child), q) * (levels(added) - 1);
}

double TableScore::cells(const Node *set, unsigned size) const {
  double product = 1;
  for (unsigned i = 0; i < size; ++i)
    product *= levels(set[i]);
  return product;
}

// That of qnml rises with q: C(N, k) is a polynomial in k without negative coefficients (a power
// series to the power of k), so k d/dk log C(N, k) rises with k.
double TableScore::penalty(double child_levels, double parent_cells) const {
  if (kind_ == TableKind::likelihood)
    return parameter_ * (child_levels - 1) * parent_cells;
  if (kind_ == TableKind::qnml)
    return nml_regret_(total_, child_levels * parent_cells) - nml_regret_(total_, parent_cells);
  return 0;
}

std::uint32_t TableScore::joint_weight(Node child, const Node *parents, unsigned size,
                                       double occupied) {
  switch (kind_) {
  case TableKind::bde:
    return weight_of(parameter_ / (levels(child) * cells(parents, size)));
  case TableKind::bds:
    return weight_of(parameter_ / (levels(child) * occupied));
  case TableKind::uniform:
    return weight_of(parameter_);
  default:
    return 0;
  }
}

std::uint32_t TableScore::parent_weight(Node child, const Node *parents, unsigned size,
                                        double occupied) {
  switch (kind_) {
  case TableKind::bde:
    return weight_of(parameter_ / cells(parents, size));
  case TableKind::bds:
    return weight_of(parameter_ / occupied);
  case TableKind::uniform:
    return weight_of(levels(child) * parameter_);
  case TableKind::fnml:
    return regret_weight_of(levels(child));
  default:
    return 0;
  }
}

std::uint32_t TableScore::weight_of(double alpha) {
  const auto [entry, is_new] =
      weight_numbers_.try_emplace(alpha, static_cast<std::uint32_t>(weights_.size()));
  if (is_new) // bds has thousands of values of alpha: a short table for each
    weights_.emplace_back(alpha, kind_ == TableKind::bds ? kShortTable : total_);
  return entry->second;
}

std::uint32_t TableScore::regret_weight_of(double child_levels) {
  const auto next = static_cast<std::uint32_t>(regretted_.size() + 1);
  const auto [entry, is_new] = weight_numbers_.try_emplace(child_levels, next);
  if (is_new)
    regretted_.emplace_back(nml_regret_, child_levels, total_);
  return entry->second;
}

double TableScore::weigh(const CellCounts &cells, std::uint32_t w) const {
  const auto sum_of = [&cells](const auto &weight) {
    double sum = 0;
    for (const std::uint32_t n : cells.counts)
      sum += weight(n);
    return sum + cells.singletons * weight(1);
  };
  if (!is_likelihood())
    return sum_of(weights_[w]);
  return w == 0 ? sum_of(n_log_n_) : sum_of(regretted_[w - 1]);
}

std::size_t TableScore::Sums::slot(const Node *set, std::uint32_t w) {
  const std::size_t first = static_cast<std::size_t>(sets.insert(set)) * stride;
  if (first == weight.size()) {
    weight.resize(first + stride, kNone);
    sum.resize(first + stride);
  }
  std::size_t slot = first;
  while (weight[slot] != kNone && weight[slot] != w)
    ++slot;
  weight[slot] = w;
  return slot;
}

std::size_t TableScore::Sums::find_slot(std::uint32_t set, std::uint32_t w) const {
  const std::size_t first = static_cast<std::size_t>(set) * stride;
  const auto begin = weight.begin() + static_cast<std::ptrdiff_t>(first);
  const auto found = std::find(begin, begin + stride, w);
  return found == begin + stride ? kNoSlot : static_cast<std::size_t>(found - weight.begin());
}

bool TableScore::copy_known(Sums &sums, std::uint32_t set, const Sums &known) const {
  if (known.sets.set_size() != sums.sets.set_size())
    return false;
  const std::uint32_t known_set = known.sets.find(sums.sets.set(set));
  if (known_set == SetTable::kAbsent)
    return false;
  sums.occupied[set] = known.occupied[known_set];
  for (std::size_t slot = set * sums.stride; slot < (set + 1u) * sums.stride; ++slot) {
    if (sums.weight[slot] == kNone)
      continue;
    const std::size_t known_slot = known.find_slot(known_set, sums.weight[slot]);
    if (known_slot == kNoSlot)
      return false;
    sums.sum[slot] = known.sum[known_slot];
  }
  return true;
}

void TableScore::evaluate(Sums &sums, const Sums &known, double families, Watch &watch) {
  sums.occupied.resize(sums.sets.size());
  std::vector<std::uint32_t> uncounted;
  std::vector<const Node *> sets;
  for (std::uint32_t set = 0; set < sums.sets.size(); ++set)
    if (!copy_known(sums, set, known)) {
      uncounted.push_back(set);
      sets.push_back(sums.sets.set(set));
    }
  const auto visit = [&](std::size_t i, const CellCounts &cells) {
    const std::uint32_t set = uncounted[i];
    sums.occupied[set] = static_cast<std::uint32_t>(cells.occupied());
    for (std::size_t slot = set * sums.stride; slot < (set + 1u) * sums.stride; ++slot)
      if (sums.weight[slot] != kNone)
        sums.sum[slot] = weigh(cells, sums.weight[slot]);
  };
  counter_->count(sets, sums.sets.set_size(), families, watch, visit);
}

} // namespace optbn
