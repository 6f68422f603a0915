#include "core/density/inference/tree_block.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// How small numbers may become.
template <class Real> struct Limits {
  static constexpr bool kDouble = sizeof(Real) == 8;
  // Rows are scaled whose numbers are all below this.
  static constexpr Real kSmall = static_cast<Real>(kDouble ? 0x1p-200 : 0x1p-30);
  // Products below this may have lost digits.
  static constexpr Real kLeast = static_cast<Real>(kDouble ? 0x1p-1000 : 0x1p-120);
  // The unit of losses is half the smallest number above 0, by which a product may be wrong. A loss
  // l counts beside a density p where l / 2^100 > p kCounts: one part in 10^6, or in 10^12.
  static constexpr double kCounts = kDouble ? 1e-12 * 0x1p975 : 1e-6 * 0x1p50;
};

std::size_t whole_steps(std::size_t n) { return (n + kRowStep - 1) / kRowStep * kRowStep; }

} // namespace

template <class Real>
TreeBlockOf<Real>::TreeBlockOf(const TreeDensity &tree, const BlockKernels<Real> &kernels)
    : tree_(tree), kernels_(kernels), tables_(tree.tables.size()), exponent_(kRows) {
  const auto top = static_cast<std::uint32_t>(tree.members.size());
  places_.resize(top + 1);
  places_[top] = {top, 1, true};
  std::size_t numbers = 0, most = 2, variables = 0;
  const auto take = [&](std::size_t n) {
    numbers += n;
    return numbers - n;
  };
  for (std::uint32_t m = 0; m < top; ++m) {
    const TreeDensity::Member &member = tree.members[m];
    places_[m].parent = member.parent == TreeDensity::kRoot ? top : member.parent;
    places_[m].levels = member.levels;
    places_[places_[m].parent].inner = true;
    most = std::max<std::size_t>(most, member.levels + 1);
    if (member.variable != TreeDensity::kHidden)
      places_[m].codes = kRows * variables++;
  }
  codes_.resize(kRows * variables);
  for (std::uint32_t m = 0; m <= top; ++m)
    if (places_[m].inner) {
      places_[m].belief = take((places_[m].levels + 1u) * kRows);
      places_[m].message = m < top ? take(places_[places_[m].parent].levels * kRows) : 0;
    }
  first_ = take(most * kRows);
  second_ = take(most * std::max(kRows, whole_steps(most)));
  turned_ = take(kRows * whole_steps(most));
  peak_ = take(kRows);
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
  for (Place &place : places_)
    place.observed = place.informed = place.lost = false;

  for (std::size_t m = tree_.members.size(); m-- > 0;) {
    Place &place = places_[m];
    if (tree_.members[m].variable != TreeDensity::kHidden)
      observe(m, data, rows);
    if (!place.observed && !place.informed)
      continue;
    Real *const belief = at(place.inner ? place.belief : first_);
    if (place.observed && place.informed) {
      show_observed(m, at(first_));
      absorb(place, at(first_), nullptr);
    } else if (place.observed) {
      show_observed(m, belief);
      place.informed = true;
    }
    Place &parent = places_[place.parent];
    Real *const message = at(place.inner ? place.message : second_);
    kernels_.product({table(m), place.levels, 1}, belief, message, parent.levels, place.levels,
                     width_, kRows);
    absorb(parent, message, &place);
  }

  const Place &top = places_.back();
  for (std::size_t r = 0; r < count; ++r)
    log_densities[r] = !top.informed ? 0
                                     : std::log(static_cast<double>(at(top.belief)[r])) +
                                           static_cast<double>(exponent_[r]) * std::log(2.0);
  single_.clear();
  if (top.lost)
    answer_singly(data, rows, log_densities);
}

// The rows whose losses count.
template <class Real>
void TreeBlockOf<Real>::answer_singly(const PartialRows &data, const std::uint32_t *rows,
                                      double *log_densities) {
  const Real *const density = at(places_.back().belief), *const loss = losses(places_.back());
  std::vector<unsigned> levels(data.columns.size(), 0); // 0: not of this tree
  for (const TreeDensity::Member &member : tree_.members)
    if (member.variable != TreeDensity::kHidden)
      levels[member.variable] = member.levels;
  for (std::size_t r = 0; r < count_; ++r) {
    if (loss[r] * 0x1p-100 <= density[r] * Limits<Real>::kCounts)
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
void TreeBlockOf<Real>::observe(std::size_t member, const PartialRows &data,
                                const std::uint32_t *rows) {
  Place &place = places_[member];
  const std::uint16_t *const column = data.columns[tree_.members[member].variable].data();
  std::uint16_t *const codes = codes_.data() + place.codes;
  place.observed = false;
  for (std::size_t r = 0; r < count_; ++r) {
    codes[r] = std::min(column[rows[r]], place.levels);
    place.observed |= codes[r] < place.levels;
  }
  std::fill(codes + count_, codes + width_, place.levels);
}

// 1 for the level that is observed, or for all where it is missing; 0 otherwise.
template <class Real>
void TreeBlockOf<Real>::show_observed(std::size_t member, Real *belief) const {
  const Place &place = places_[member];
  const std::uint16_t *const codes = codes_.data() + place.codes;
  std::fill(belief, belief + place.levels * kRows, Real{0});
  for (std::size_t r = 0; r < width_; ++r)
    if (codes[r] < place.levels)
      belief[codes[r] * kRows + r] = 1;
    else
      for (std::size_t level = 0; level < place.levels; ++level)
        belief[level * kRows + r] = 1;
}

template <class Real> void TreeBlockOf<Real>::fill_ones(Real *to, std::size_t levels) const {
  for (std::size_t level = 0; level < levels; ++level, to += kRows)
    std::fill(to, to + width_, Real{1});
}

// A message from a child, or, without one, zeros and ones, which lose nothing.
template <class Real>
void TreeBlockOf<Real>::absorb(Place &parent, const Real *message, const Place *child) {
  Real *const belief = at(parent.belief), *const peak = at(peak_);
  if (!parent.informed)
    fill_ones(belief, parent.levels);
  parent.informed = true;
  if (child != nullptr && (child->lost || parent.lost))
    carry_losses(*child, parent, message);
  const auto least = kernels_.absorb(belief, message, peak, parent.levels, width_);
  if (child != nullptr && least.number < Limits<Real>::kLeast)
    lose(parent, child->levels);
  if (least.peak < Limits<Real>::kSmall)
    kernels_.scale(belief, peak, exponent_.data(), parent.levels + parent.lost, width_);
}

// A product of two numbers lacks what either of them lacks times the most that the other may be.
// (What they lack both is less than that, or all is lost: a loss relative to the largest of its row
// never becomes less.) Before the message is absorbed.
template <class Real>
void TreeBlockOf<Real>::carry_losses(const Place &child, Place &parent, const Real *message) {
  const Real *belief = at(parent.belief);
  Real most_message[kRows] = {}, most_belief[kRows] = {};
  for (std::size_t level = 0; level < parent.levels; ++level, belief += kRows, message += kRows)
    for (std::size_t r = 0; r < kRows; ++r) {
      most_message[r] = most_message[r] < message[r] ? message[r] : most_message[r];
      most_belief[r] = most_belief[r] < belief[r] ? belief[r] : most_belief[r];
    }
  Real *const loss = losses(parent);
  for (std::size_t r = 0; r < width_; ++r) {
    loss[r] = parent.lost ? loss[r] * most_message[r] : 0;
    if (child.lost)
      loss[r] += losses(child)[r] * most_belief[r];
  }
  parent.lost = true;
}

// Every term of a message may be wrong by two units, and its product with a belief by one.
template <class Real> void TreeBlockOf<Real>::lose(Place &place, std::size_t terms) {
  Real *const loss = losses(place);
  for (std::size_t r = 0; r < width_; ++r)
    loss[r] = (place.lost ? loss[r] : 0) + static_cast<Real>(2 * terms + 1);
  place.lost = true;
}

template <class Real> void TreeBlockOf<Real>::distribute(const double *weights, double *expected) {
  const Place &top = places_.back();
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
  for (std::size_t m = 0; m < tree_.members.size(); ++m)
    if (places_[m].inner)
      pass_down(m, expected);
    else
      count_leaf(m, expected);
}

// A leaf that is observed takes the flow of its parent as it is; one that is missing shares it out
// as its table says.
template <class Real> void TreeBlockOf<Real>::count_leaf(std::size_t member, double *expected) {
  const Place &place = places_[member];
  const Place &parent = places_[place.parent];
  const std::size_t kinds = place.levels + 1u; // its levels, or missing
  Real *const shown = at(first_);
  std::fill(shown, shown + kinds * kRows, Real{0});
  for (std::size_t r = 0; r < width_; ++r)
    shown[(place.observed ? codes_[place.codes + r] : place.levels) * kRows + r] = 1;
  Real *sums = at(second_);
  kernels_.inner_products(at(parent.belief), parent.levels, at(first_), kinds, sums, width_);
  const Real *probability = table(member);
  expected += tree_.members[member].table;
  for (std::size_t p = 0; p < parent.levels; ++p, sums += kinds)
    for (std::size_t level = 0; level < place.levels; ++level)
      *expected++ += static_cast<double>(sums[level] + *probability++ * sums[place.levels]);
}

template <class Real> void TreeBlockOf<Real>::pass_down(std::size_t member, double *expected) {
  const Place &place = places_[member];
  const Place &parent = places_[place.parent];
  Real *const belief = at(place.belief), *const quotient = at(first_);
  if (!place.informed) {
    fill_ones(belief, place.levels);
    fill_ones(at(place.message), parent.levels);
  }
  kernels_.divide(at(parent.belief), at(place.message), quotient, parent.levels, width_);

  // Counts of parent level p and level l: table(l | p) times the sum over rows of quotient(p)
  // belief(l).
  const std::size_t turned_width = whole_steps(place.levels);
  Real *const turned = at(turned_), *const counts = at(second_);
  for (std::size_t level = 0; level < place.levels; ++level)
    for (std::size_t r = 0; r < width_; ++r)
      turned[r * turned_width + level] = belief[level * kRows + r];
  kernels_.product({quotient, kRows, 1}, turned, counts, parent.levels, width_, turned_width,
                   turned_width);
  const Real *probability = table(member);
  expected += tree_.members[member].table;
  for (std::size_t p = 0; p < parent.levels; ++p)
    for (std::size_t level = 0; level < place.levels; ++level)
      *expected++ += static_cast<double>(*probability++ * counts[p * turned_width + level]);

  // The flow: belief times what comes from above.
  kernels_.product({table(member), 1, place.levels}, quotient, counts, place.levels, parent.levels,
                   width_, kRows);
  kernels_.absorb(belief, counts, at(peak_), place.levels, width_);
}

template class TreeBlockOf<double>;
template class TreeBlockOf<float>;

} // namespace optbn
