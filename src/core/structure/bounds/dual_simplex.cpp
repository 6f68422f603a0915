#include "core/structure/bounds/dual_simplex.h"

#include "core/base/random.h"
#include "core/base/simd/dense_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace optbn {

namespace {

// What counts as 0 of a value, of a reduced cost and of an entry of the tableau.
constexpr double kPrimalTolerance = 1e-9, kDualTolerance = 1e-10, kEntryTolerance = 1e-7;
// Of a pivot of an inversion; a column that has none this large leaves the basis.
constexpr double kLeastPivot = 1e-6;
// The costs are raised by up to this share of their mean.
constexpr double kPerturbation = 1e-11;
// The inverse is computed again after so many pivots, and when two ways to compute the pivot's entry
// differ by more than this share.
constexpr unsigned kPivotsPerInversion = 100;
constexpr double kDrift = 1e-6;
// The least weight of an edge, against rounding.
constexpr double kLeastEdge = 1e-4;
// Places that the inverse has room for beyond those in use.
constexpr std::size_t kRoom = 32;
// The longest step along a ray.
constexpr double kLongestRay = 1e9;

} // namespace

struct DualSimplex::Matrix {
  SimplexProgram program;
  std::vector<std::uint32_t> block_of;      // of a column
  std::vector<std::uint32_t> start, column; // row r holds the entries start[r] .. start[r + 1]
  std::vector<double> value;

  explicit Matrix(SimplexProgram whole) : program(std::move(whole)) {
    block_of.resize(program.columns());
    for (std::uint32_t b = 0; b < program.blocks(); ++b)
      std::fill(block_of.begin() + program.block[b], block_of.begin() + program.block[b + 1], b);
    start.assign(program.rows() + 1, 0);
    for (const std::uint32_t r : program.row)
      ++start[r + 1];
    for (std::size_t r = 0; r < program.rows(); ++r)
      start[r + 1] += start[r];
    column.resize(program.value.size());
    value.resize(program.value.size());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::uint32_t j = 0; j < program.columns(); ++j)
      for (std::uint32_t e = program.start[j]; e < program.start[j + 1]; ++e) {
        const std::uint32_t at = next[program.row[e]]++;
        column[at] = j;
        value[at] = program.value[e];
      }
  }

  // Calls visit(row, value) for the entries of a column.
  template <class Visit> void for_column(std::uint32_t j, Visit visit) const {
    for (std::uint32_t e = program.start[j]; e < program.start[j + 1]; ++e)
      visit(program.row[e], program.value[e]);
  }
  // Calls visit(column, value) for the entries of a row.
  template <class Visit> void for_row(std::uint32_t r, Visit visit) const {
    for (std::uint32_t e = start[r]; e < start[r + 1]; ++e)
      visit(column[e], value[e]);
  }

  // The most that a row's surplus can be: every block at its largest entry.
  std::vector<double> largest_surpluses() const {
    std::vector<double> surplus(program.rows()), most(program.rows(), 0);
    for (std::size_t r = 0; r < program.rows(); ++r)
      surplus[r] = -program.rhs[r];
    for (std::uint32_t b = 0; b < program.blocks(); ++b) {
      const std::uint32_t first = program.start[program.block[b]],
                          last = program.start[program.block[b + 1]];
      for (std::uint32_t e = first; e < last; ++e)
        most[program.row[e]] = std::max(most[program.row[e]], program.value[e]);
      for (std::uint32_t e = first; e < last; ++e) {
        surplus[program.row[e]] += most[program.row[e]];
        most[program.row[e]] = 0;
      }
    }
    for (double &s : surplus)
      s = std::max(s, 0.0);
    return surplus;
  }
};

DualSimplex::DualSimplex(SimplexProgram program, const std::vector<std::uint32_t> &basis)
    : matrix_(std::make_shared<Matrix>(std::move(program))), cost_(matrix_->program.cost),
      upper_(columns(), 1) {
  double mean = 0;
  for (const double c : cost_)
    mean += std::abs(c) / columns();
  Random random(1);
  for (double &c : cost_)
    c += kPerturbation * mean * (1 + random.uniform());
  const Vector surpluses = matrix_->largest_surpluses();
  upper_.insert(upper_.end(), surpluses.begin(), surpluses.end());
  at_upper_.assign(upper_.size(), false);
  stuck_.assign(columns(), false);
  edge_.assign(upper_.size(), 1);
  row_entry_.assign(upper_.size(), 0);
  invert(basis);
  compute_edges();
}

std::uint32_t DualSimplex::columns() const {
  return static_cast<std::uint32_t>(matrix_->program.columns());
}
std::uint32_t DualSimplex::blocks() const {
  return static_cast<std::uint32_t>(matrix_->program.blocks());
}
std::uint32_t DualSimplex::rows() const {
  return static_cast<std::uint32_t>(matrix_->program.rows());
}

bool DualSimplex::is_basic(std::uint32_t variable) const {
  return is_column(variable) ? slot_[variable] != kNone : place_[variable - columns()] == kNone;
}

void DualSimplex::forbid(std::uint32_t column) {
  upper_[column] = 0;
  stuck_[column] = false;
  if (!at_upper_[column])
    return;
  at_upper_[column] = false;
  compute_primal();
}

double DualSimplex::objective() const {
  double sum = 0;
  for (const double dual : block_dual_)
    sum += dual;
  for (std::uint32_t r = 0; r < rows(); ++r)
    sum += price_[r] *
           (matrix_->program.rhs[r] + (at_upper_[columns() + r] ? upper_[columns() + r] : 0));
  for (std::uint32_t j = 0; j < columns(); ++j)
    if (at_upper_[j])
      sum += reduced_[j];
  return sum;
}

std::vector<double> DualSimplex::weights() const {
  Vector weights(columns());
  for (std::uint32_t j = 0; j < columns(); ++j)
    weights[j] = slot_[j] != kNone ? std::min(std::max(0.0, value_[slot_[j]]), 1.0) : at_upper_[j];
  return weights;
}

std::vector<double> DualSimplex::prices() const {
  Vector prices = price_;
  for (double &price : prices)
    price = std::max(0.0, price);
  return prices;
}

// --- the basis -----------------------------------------------------------------------------------

// The inverse of a basis with these variables, as far as they are independent. A block without any
// gets its cheapest column. One column of each block is eliminated by the block's own row; of the
// others, and the tight rows, Gauss-Jordan steps with row pivoting make the inverse. A column
// without a pivot leaves the basis, a tight row without one gets its surplus back.
void DualSimplex::invert(const std::vector<std::uint32_t> &basis) {
  const SimplexProgram &program = matrix_->program;
  std::vector<std::uint32_t> key(blocks(), kNone), others, tight, place(rows(), 0);
  std::vector<char> in_basis(rows(), basis.empty());
  for (const std::uint32_t variable : basis)
    if (!is_column(variable))
      in_basis[variable - columns()] = true;
    else if (std::uint32_t &of_block = key[matrix_->block_of[variable]]; of_block == kNone)
      of_block = variable;
    else
      others.push_back(variable);
  for (std::uint32_t b = 0; b < blocks(); ++b)
    if (key[b] == kNone)
      key[b] = static_cast<std::uint32_t>(
          std::min_element(cost_.begin() + program.block[b], cost_.begin() + program.block[b + 1]) -
          cost_.begin());
  for (std::uint32_t r = 0; r < rows(); ++r) {
    place[r] = in_basis[r] ? kNone : static_cast<std::uint32_t>(tight.size());
    if (!in_basis[r])
      tight.push_back(r);
  }
  const std::size_t t = tight.size();
  Vector steps(t * t, 0), image(t); // steps: column by column
  for (std::size_t i = 0; i < t; ++i)
    steps[i * t + i] = 1;
  std::vector<char> used(t, false);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pivots; // column, index of its tight row
  for (const std::uint32_t j : others) {
    std::fill(image.begin(), image.end(), 0.0);
    const auto add = [&](double sign) {
      return [&, sign](std::uint32_t r, double value) {
        if (place[r] != kNone)
          add_times(image.data(), sign * value, steps.data() + place[r] * t, t);
      };
    };
    matrix_->for_column(j, add(1));
    matrix_->for_column(key[matrix_->block_of[j]], add(-1));
    std::size_t best = t;
    for (std::size_t i = 0; i < t; ++i)
      if (!used[i] && (best == t || std::abs(image[i]) > std::abs(image[best])))
        best = i;
    if (best == t || std::abs(image[best]) < kLeastPivot)
      continue;
    used[best] = true;
    pivots.push_back({j, static_cast<std::uint32_t>(best)});
    const double pivot = image[best];
    image[best] = 0;
    for (std::size_t c = 0; c < t; ++c)
      if (double &entry = steps[c * t + best]; entry != 0) {
        entry /= pivot;
        add_times(steps.data() + c * t, -entry, image.data(), t);
      }
    work_ += static_cast<double>(t * t);
  }

  basic_ = key;
  place_.assign(rows(), kNone);
  in_place_.clear();
  for (const auto &[j, at] : pivots) {
    basic_.push_back(j);
    place_[tight[at]] = blocks() + static_cast<std::uint32_t>(in_place_.size());
    in_place_.push_back(tight[at]);
  }
  slot_.assign(columns(), kNone);
  for (std::uint32_t s = 0; s < size(); ++s)
    slot_[basic_[s]] = s;
  stride_ = size() + kRoom;
  inverse_.assign(size() * stride_, 0);
  for (std::uint32_t b = 0; b < blocks(); ++b)
    inverse_row(b)[b] = 1;
  for (std::size_t p = 0; p < pivots.size(); ++p) {
    double *row = inverse_row(blocks() + p);
    for (std::size_t q = 0; q < pivots.size(); ++q)
      row[blocks() + q] = steps[pivots[q].second * t + pivots[p].second];
    for (std::uint32_t b = 0; b < blocks(); ++b)
      matrix_->for_column(key[b], [&](std::uint32_t r, double value) {
        if (place_[r] != kNone)
          row[b] -= row[place_[r]] * value;
      });
    add_times(inverse_row(matrix_->block_of[pivots[p].first]), -1, row, size());
  }
  since_inversion_ = 0;
  compute_duals();
  compute_primal();
}

void DualSimplex::invert_again() {
  std::vector<std::uint32_t> basis = basic_;
  for (std::uint32_t r = 0; r < rows(); ++r)
    if (place_[r] == kNone)
      basis.push_back(columns() + r);
  invert(basis);
}

// The product with values of all rows of the program, by slot.
DualSimplex::Vector DualSimplex::inverse_times(const Vector &in_block, const Vector &in_row) const {
  Vector product(size(), 0);
  for (std::size_t s = 0; s < size(); ++s) {
    const double *row = inverse_row(s);
    for (std::uint32_t b = 0; b < blocks(); ++b)
      product[s] += row[b] * in_block[b];
    for (std::size_t i = 0; i < in_place_.size(); ++i)
      product[s] += row[blocks() + i] * in_row[in_place_[i]];
  }
  return product;
}

// A surplus's row of the whole inverse is the sum of those of the columns in its row, and -1 at its
// own place, which is left out here.
void DualSimplex::add_row_of_surplus(std::uint32_t row, Vector &to) const {
  matrix_->for_row(row, [&](std::uint32_t j, double value) {
    if (slot_[j] != kNone)
      add_times(to.data(), value, inverse_row(slot_[j]), size());
  });
}

void DualSimplex::compute_edges() {
  for (std::size_t s = 0; s < size(); ++s) {
    const double *row = inverse_row(s);
    edge_[basic_[s]] = std::max(dot(row, row, size()), kLeastEdge);
  }
  Vector row;
  for (std::uint32_t r = 0; r < rows(); ++r) {
    if (place_[r] != kNone)
      continue;
    row.assign(size(), 0);
    add_row_of_surplus(r, row);
    edge_[columns() + r] = 1 + dot(row.data(), row.data(), size());
  }
}

// Multipliers and reduced costs of the basis, and the bounds that they ask for.
void DualSimplex::compute_duals() {
  Vector dual(size(), 0);
  for (std::size_t s = 0; s < size(); ++s)
    add_times(dual.data(), cost_[basic_[s]], inverse_row(s), size());
  block_dual_.assign(dual.begin(), dual.begin() + blocks());
  price_.assign(rows(), 0);
  for (std::size_t i = 0; i < in_place_.size(); ++i)
    price_[in_place_[i]] = dual[blocks() + i];
  reduced_.assign(columns(), 0);
  for (std::uint32_t j = 0; j < columns(); ++j) {
    if (slot_[j] != kNone)
      continue;
    reduced_[j] = cost_[j] - block_dual_[matrix_->block_of[j]];
    matrix_->for_column(j,
                        [&](std::uint32_t r, double value) { reduced_[j] -= price_[r] * value; });
  }
  for (std::uint32_t v = 0; v < upper_.size(); ++v) {
    const double reduced = is_column(v) ? reduced_[v] : price_[v - columns()];
    at_upper_[v] = !is_basic(v) && upper_[v] > 0 && reduced < 0;
  }
}

void DualSimplex::compute_primal() {
  // Of the rows: what the variables at their upper bounds leave.
  Vector in_block(blocks(), 1), in_row = matrix_->program.rhs;
  for (std::uint32_t j = 0; j < columns(); ++j)
    if (at_upper_[j]) {
      in_block[matrix_->block_of[j]] -= 1;
      matrix_->for_column(j, [&](std::uint32_t r, double value) { in_row[r] -= value; });
    }
  for (std::uint32_t r = 0; r < rows(); ++r)
    if (at_upper_[columns() + r])
      in_row[r] += upper_[columns() + r];
  value_ = inverse_times(in_block, in_row);
  surplus_.assign(rows(), 0);
  for (std::uint32_t r = 0; r < rows(); ++r)
    surplus_[r] = -in_row[r];
  add_to_surpluses(value_, surplus_);
}

// The basic columns change by this; so do the surpluses.
void DualSimplex::add_to_surpluses(const Vector &change, Vector &surpluses) const {
  for (std::size_t s = 0; s < size(); ++s)
    if (change[s] != 0)
      matrix_->for_column(
          basic_[s], [&](std::uint32_t r, double value) { surpluses[r] += change[s] * value; });
}

double &DualSimplex::value_of(std::uint32_t variable) {
  return is_column(variable) ? value_[slot_[variable]] : surplus_[variable - columns()];
}

double DualSimplex::entry_of(std::uint32_t variable) const {
  return is_column(variable) ? column_[slot_[variable]] : surplus_column_[variable - columns()];
}

// --- pricing and ratio test ----------------------------------------------------------------------

// The basic variable that violates a bound most, in the metric of steepest edge. When there is none,
// a forbidden column is led out of the basis if it can be.
DualSimplex::Leaving DualSimplex::choose_leaving() const {
  Leaving best;
  double most = 0;
  const auto consider = [&](std::uint32_t variable, double value) {
    const double below = -value, above = value - upper_[variable];
    const double violation = std::max(below, above);
    if (violation > kPrimalTolerance && violation * violation > most * edge_[variable]) {
      most = violation * violation / edge_[variable];
      best = {variable, violation, above > below};
    }
  };
  for (std::size_t s = 0; s < size(); ++s)
    consider(basic_[s], value_[s]);
  for (std::uint32_t r = 0; r < rows(); ++r)
    if (place_[r] == kNone)
      consider(columns() + r, surplus_[r]);
  for (std::size_t s = 0; s < size() && best.variable == kNone; ++s)
    if (upper_[basic_[s]] <= 0 && !stuck_[basic_[s]])
      best.variable = basic_[s];
  return best;
}

void DualSimplex::compute_row(const Leaving &leaving) {
  row_.assign(size(), 0);
  const bool of_column = is_column(leaving.variable);
  if (of_column) {
    const double *from = inverse_row(slot_[leaving.variable]);
    std::copy(from, from + size(), row_.begin());
  } else {
    add_row_of_surplus(leaving.variable - columns(), row_);
  }
  for (std::uint32_t b = 0; b < blocks(); ++b)
    std::fill(row_entry_.begin() + matrix_->program.block[b],
              row_entry_.begin() + matrix_->program.block[b + 1], row_[b]);
  const auto add_row = [&](std::uint32_t r, double times) {
    if (times != 0)
      matrix_->for_row(r, [&](std::uint32_t j, double value) { row_entry_[j] += times * value; });
  };
  std::fill(row_entry_.begin() + columns(), row_entry_.end(), 0.0);
  for (std::size_t i = 0; i < in_place_.size(); ++i) {
    add_row(in_place_[i], row_[blocks() + i]);
    row_entry_[columns() + in_place_[i]] = -row_[blocks() + i];
  }
  if (!of_column)
    add_row(leaving.variable - columns(), -1);
  work_ += static_cast<double>(matrix_->value.size()) / 4 + static_cast<double>(size() * size());
}

// How fast the reduced cost of a variable outside the basis runs towards 0; 0 if it does not.
double DualSimplex::entry_towards(std::uint32_t variable, bool to_upper) const {
  const double entry = to_upper == static_cast<bool>(at_upper_[variable]) ? -row_entry_[variable]
                                                                          : row_entry_[variable];
  return !is_basic(variable) && upper_[variable] > 0 && entry > kEntryTolerance ? entry : 0;
}

// The variable whose reduced cost is 0 first, or so late that further ones may flip before; of those
// within tolerance the one of the largest entry. kNone if there is no end: no x satisfies all rows;
// leaving.violation is then what flips do not mend.
std::uint32_t DualSimplex::choose_entering(Leaving &leaving) {
  struct Candidate {
    std::uint32_t variable;
    double reduced, entry;
  };
  std::vector<Candidate> candidates;
  for (std::uint32_t v = 0; v < upper_.size(); ++v)
    if (const double entry = entry_towards(v, leaving.to_upper); entry > 0)
      candidates.push_back(
          {v, std::abs(is_column(v) ? reduced_[v] : price_[v - columns()]), entry});
  flips_.clear();
  double &slope = leaving.violation; // of the objective along the row
  while (!candidates.empty()) {
    double limit = std::numeric_limits<double>::infinity();
    for (const Candidate &c : candidates)
      limit = std::min(limit, (c.reduced + kDualTolerance) / c.entry);
    const auto late = std::partition(candidates.begin(), candidates.end(), [&](const Candidate &c) {
      return c.reduced <= limit * c.entry;
    });
    double range = 0;
    for (auto c = candidates.begin(); c != late; ++c)
      range += c->entry * upper_[c->variable];
    if (range >= slope - kPrimalTolerance)
      return std::max_element(candidates.begin(), late,
                              [](const Candidate &a, const Candidate &b) {
                                return std::make_pair(a.entry, b.variable) <
                                       std::make_pair(b.entry, a.variable);
                              })
          ->variable;
    slope -= range;
    for (auto c = candidates.begin(); c != late; ++c)
      flips_.push_back(c->variable);
    candidates.erase(candidates.begin(), late);
  }
  return kNone;
}

// Where nothing enters, the objective rises along the leaving variable's row without end.
void DualSimplex::follow_ray(const Leaving &leaving, double enough) {
  const double length =
      std::min(kLongestRay, 1e-6 + std::max(0.0, enough - objective()) / leaving.violation);
  const double step = leaving.to_upper ? length : -length;
  for (std::uint32_t b = 0; b < blocks(); ++b)
    block_dual_[b] += step * row_[b];
  for (std::size_t i = 0; i < in_place_.size(); ++i)
    price_[in_place_[i]] += step * row_[blocks() + i];
  if (!is_column(leaving.variable))
    price_[leaving.variable - columns()] -= step;
}

// --- the pivot -----------------------------------------------------------------------------------

DualSimplex::Status DualSimplex::run(double enough, unsigned pivots, Watch &watch) {
  for (unsigned done = 0;; ++done) {
    if (objective() >= enough)
      return Status::enough;
    if (done >= pivots || (done % 16 == 0 && watch.stopped()))
      return Status::stopped;
    if (since_inversion_ >= kPivotsPerInversion)
      invert_again();
    Leaving leaving = choose_leaving();
    if (leaving.variable == kNone)
      return Status::optimal;
    compute_row(leaving);
    std::uint32_t entering = choose_entering(leaving);
    if (entering == kNone && leaving.violation == 0) {
      leaving.to_upper = true;
      entering = choose_entering(leaving);
      if (entering == kNone) {
        stuck_[leaving.variable] = true;
        continue;
      }
    }
    if (entering == kNone && since_inversion_ == 0) {
      follow_ray(leaving, enough);
      return Status::infeasible;
    }
    if (entering != kNone)
      compute_column(entering);
    const double entry = entering == kNone ? 0 : entry_of(leaving.variable);
    if (entering == kNone ||
        (std::abs(entry - row_entry_[entering]) > kDrift * (1 + std::abs(entry)) &&
         since_inversion_ > 0)) {
      invert_again(); // and look again
      continue;
    }
    flip(flips_);
    const double reduced = is_column(entering) ? reduced_[entering] : price_[entering - columns()];
    update_duals(leaving, entering, reduced / entry);
    update_edges(leaving, entering, entry);
    update_primal(leaving, entering, entry);
    update_inverse(leaving, entering, entry);
    ++since_inversion_;
    ++pivots_;
  }
}

// Variables outside the basis change from one bound to the other.
void DualSimplex::flip(const std::vector<std::uint32_t> &variables) {
  if (variables.empty())
    return;
  Vector in_block(blocks(), 0), in_row(rows(), 0);
  for (const std::uint32_t v : variables) {
    const double change = at_upper_[v] ? -upper_[v] : upper_[v];
    at_upper_[v] = !at_upper_[v];
    if (is_column(v)) {
      in_block[matrix_->block_of[v]] += change;
      matrix_->for_column(v, [&](std::uint32_t r, double value) { in_row[r] += change * value; });
    } else {
      in_row[v - columns()] -= change;
    }
  }
  Vector change = inverse_times(in_block, in_row);
  for (std::size_t s = 0; s < size(); ++s) {
    change[s] = -change[s];
    value_[s] += change[s];
  }
  for (std::uint32_t r = 0; r < rows(); ++r)
    surplus_[r] += in_row[r];
  add_to_surpluses(change, surplus_);
}

void DualSimplex::compute_column(std::uint32_t entering) {
  column_.assign(size(), 0);
  surplus_column_.assign(rows(), 0);
  for (std::size_t s = 0; s < size(); ++s) {
    const double *row = inverse_row(s);
    double sum = 0;
    if (is_column(entering)) {
      sum = row[matrix_->block_of[entering]];
      matrix_->for_column(entering, [&](std::uint32_t r, double value) {
        if (place_[r] != kNone)
          sum += row[place_[r]] * value;
      });
    } else {
      sum = -row[place_[entering - columns()]];
    }
    column_[s] = sum;
  }
  add_to_surpluses(column_, surplus_column_);
  if (is_column(entering))
    matrix_->for_column(entering,
                        [&](std::uint32_t r, double value) { surplus_column_[r] -= value; });
}

void DualSimplex::update_duals(const Leaving &leaving, std::uint32_t entering, double step) {
  for (std::uint32_t j = 0; j < columns(); ++j)
    if (slot_[j] == kNone && row_entry_[j] != 0) {
      reduced_[j] -= step * row_entry_[j];
      if (upper_[j] <= 0)
        continue;
      // Beyond 0 within the tolerance: the cost gives way.
      const double excess = at_upper_[j] ? std::max(reduced_[j], 0.0) : std::min(reduced_[j], 0.0);
      cost_[j] -= excess;
      reduced_[j] -= excess;
    }
  for (std::uint32_t b = 0; b < blocks(); ++b)
    block_dual_[b] += step * row_[b];
  for (std::size_t i = 0; i < in_place_.size(); ++i)
    price_[in_place_[i]] += step * row_[blocks() + i];
  if (is_column(entering))
    reduced_[entering] = 0;
  else
    price_[entering - columns()] = 0;
  if (is_column(leaving.variable))
    reduced_[leaving.variable] = -step;
  else
    price_[leaving.variable - columns()] = -step;
}

// Forrest & Goldfarb's recurrence: of the products of all rows with the leaving one.
void DualSimplex::update_edges(const Leaving &leaving, std::uint32_t entering, double entry) {
  Vector products(size(), 0), of_surpluses(rows(), 0);
  for (std::size_t s = 0; s < size(); ++s)
    products[s] = dot(inverse_row(s), row_.data(), size());
  add_to_surpluses(products, of_surpluses);
  const double own = edge_[leaving.variable];
  const auto update = [&](std::uint32_t variable, double in_column, double product) {
    if (in_column == 0 || variable == leaving.variable)
      return;
    const double ratio = in_column / entry;
    edge_[variable] = std::max(edge_[variable] + ratio * (ratio * own - 2 * product), kLeastEdge);
  };
  for (std::size_t s = 0; s < size(); ++s)
    update(basic_[s], column_[s], products[s]);
  for (std::uint32_t r = 0; r < rows(); ++r)
    if (place_[r] == kNone)
      update(columns() + r, surplus_column_[r], of_surpluses[r]);
  edge_[entering] = std::max(own / (entry * entry), kLeastEdge);
  work_ += 2.0 * static_cast<double>(size() * size());
}

void DualSimplex::update_primal(const Leaving &leaving, std::uint32_t entering, double entry) {
  const double bound = leaving.to_upper ? upper_[leaving.variable] : 0;
  const double step = (value_of(leaving.variable) - bound) / entry;
  for (std::size_t s = 0; s < size(); ++s)
    value_[s] -= step * column_[s];
  for (std::uint32_t r = 0; r < rows(); ++r)
    surplus_[r] -= step * surplus_column_[r];
  const double entered = (at_upper_[entering] ? upper_[entering] : 0) + step;
  at_upper_[entering] = false;
  at_upper_[leaving.variable] = leaving.to_upper && upper_[leaving.variable] > 0;
  // The entering variable takes the place of the leaving one, see update_inverse().
  if (is_column(leaving.variable) && is_column(entering)) {
    value_[slot_[leaving.variable]] = entered;
  } else if (is_column(entering)) {
    value_.push_back(entered);
  } else {
    if (is_column(leaving.variable)) {
      value_[slot_[leaving.variable]] = value_.back();
      value_.pop_back();
    }
    surplus_[entering - columns()] = entered;
  }
}

// One step of Gauss-Jordan. Where a surplus leaves, its row becomes tight; where one enters, its
// row no longer is.
void DualSimplex::update_inverse(const Leaving &leaving, std::uint32_t entering, double entry) {
  make_room();
  const std::size_t old_size = size();
  const std::size_t at = is_column(leaving.variable) ? slot_[leaving.variable] : old_size;
  for (double &r : row_)
    r /= entry;
  for (std::size_t s = 0; s < old_size; ++s)
    if (s != at && column_[s] != 0)
      add_times(inverse_row(s), -column_[s], row_.data(), old_size);
  if (!is_column(leaving.variable)) {
    // A new column of the inverse; in the last place, or in that of the row that is left.
    const std::uint32_t row = leaving.variable - columns();
    std::size_t place = old_size;
    if (is_column(entering)) {
      in_place_.push_back(row);
      row_.push_back(0);
    } else {
      place = place_[entering - columns()];
      in_place_[place - blocks()] = row;
      place_[entering - columns()] = kNone;
    }
    place_[row] = static_cast<std::uint32_t>(place);
    for (std::size_t s = 0; s < old_size; ++s)
      inverse_row(s)[place] = column_[s] / entry;
    row_[place] = -1 / entry;
  } else if (!is_column(entering)) {
    remove_place(entering - columns());
  }
  if (is_column(leaving.variable))
    slot_[leaving.variable] = kNone;
  if (is_column(entering)) {
    if (at == old_size)
      basic_.push_back(entering);
    basic_[at] = entering;
    slot_[entering] = static_cast<std::uint32_t>(at);
    std::copy(row_.begin(), row_.end(), inverse_row(at));
  } else if (is_column(leaving.variable)) {
    const std::size_t last = basic_.size() - 1;
    if (at != last) {
      std::copy(inverse_row(last), inverse_row(last) + old_size, inverse_row(at));
      basic_[at] = basic_[last];
      slot_[basic_[at]] = static_cast<std::uint32_t>(at);
    }
    basic_.pop_back();
  }
}

// Room for one more row and column of the inverse.
void DualSimplex::make_room() {
  if (size() + 1 > stride_) {
    const std::size_t stride = size() + 1 + kRoom;
    Vector wider(size() * stride, 0);
    for (std::size_t s = 0; s < size(); ++s)
      std::copy(inverse_row(s), inverse_row(s) + size(), wider.data() + s * stride);
    inverse_.swap(wider);
    stride_ = stride;
  }
  inverse_.resize(std::max(inverse_.size(), (size() + 1) * stride_));
}

// The last tight row takes the place of one that is tight no longer.
void DualSimplex::remove_place(std::uint32_t row) {
  const std::uint32_t place = place_[row], last = in_place_.back();
  const std::uint32_t from = place_[last];
  if (place != from) {
    for (std::size_t s = 0; s < size(); ++s)
      inverse_row(s)[place] = inverse_row(s)[from];
    place_[last] = place;
    in_place_[place - blocks()] = last;
  }
  place_[row] = kNone;
  in_place_.pop_back();
}

} // namespace optbn
