#include "core/treewidth/codes/code_climb.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace optbn {

namespace {

constexpr unsigned kIdleMoves = 10;

// A change of one entry of a code by one step: of the node at position `at` of Q, or of an entry of
// row `at`.
struct Step {
  enum Entry { node, parent, rank } entry;
  std::size_t at;
  bool up;
};

// The next or the previous of 0..size-1, on a circle.
Node cyclic_neighbour(Node label, unsigned size, bool up) {
  return static_cast<Node>((label + (up ? 1u : size - 1u)) % size);
}

// False when the step leads to no other code.
bool apply_to_q(DandelionCode &code, Step step) {
  const Node to = cyclic_neighbour(code.q[step.at], code.nodes, step.up);
  if (std::binary_search(code.q.begin(), code.q.end(), to))
    return false;
  code.q[step.at] = to;
  std::sort(code.q.begin(), code.q.end());
  return true;
}

bool apply_to_row(DandelionCode &code, Step step) {
  DandelionCode::Row &row = code.rows[step.at];
  if (step.entry == Step::parent) {
    row.parent = cyclic_neighbour(row.parent, code.others() + 1u, step.up);
    row.rank = row.parent == 0 ? 0 : std::max<Node>(row.rank, 1);
    return true;
  }
  // With two ranks the next is the previous one.
  if (row.rank == 0 || code.k == 1 || (code.k == 2 && !step.up))
    return false;
  row.rank = static_cast<Node>(cyclic_neighbour(row.rank - 1u, code.k, step.up) + 1);
  return true;
}

bool apply(DandelionCode &code, Step step) {
  return step.entry == Step::node ? apply_to_q(code, step) : apply_to_row(code, step);
}

std::vector<Step> all_steps(const DandelionCode &code) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < code.q.size(); ++i)
    for (const bool up : {false, true})
      steps.push_back({Step::node, i, up});
  for (std::size_t i = 0; i < code.rows.size() && code.k > 0; ++i)
    for (const Step::Entry entry : {Step::parent, Step::rank})
      for (const bool up : {false, true})
        steps.push_back({entry, i, up});
  return steps;
}

// The current code of a climb, and the best so far.
class Search {
public:
  Search(DandelionCode start, const KTreeValue &value, Watch &watch)
      : value_(value), watch_(watch), decoder_(start.nodes, start.k), code_(std::move(start)),
        steps_(all_steps(code_)) {
    best_.code = code_;
    best_.value = value_of(code_);
  }

  // Values of the neighbours, in the order of their steps; none when the watch has stopped.
  std::vector<std::pair<double, Step>> evaluate_neighbours() {
    std::vector<std::pair<double, Step>> neighbours;
    for (const Step step : steps_) {
      if (watch_.stopped())
        return {};
      scratch_ = code_;
      const bool changed = apply(scratch_, step);
      OPTBN_INVARIANT(well_formed(scratch_), "a step leads from code to code");
      if (changed)
        neighbours.emplace_back(value_of(scratch_), step);
    }
    return neighbours;
  }

  // True when that is the best so far.
  bool move(std::pair<double, Step> to) {
    apply(code_, to.second);
    ++best_.moves;
    if (!(to.first > best_.value))
      return false;
    best_.code = code_;
    best_.value = to.first;
    return true;
  }

  Climb &best() { return best_; }

private:
  double value_of(const DandelionCode &code) {
    ++best_.evaluations;
    return value_(decoder_.decode(code));
  }

  const KTreeValue &value_;
  Watch &watch_;
  DandelionDecoder decoder_;
  DandelionCode code_, scratch_;
  const std::vector<Step> steps_;
  Climb best_;
};

bool has_lower_value(const std::pair<double, Step> &a, const std::pair<double, Step> &b) {
  return a.first < b.first;
}

double standard_deviation(const std::vector<std::pair<double, Step>> &neighbours) {
  const auto count = static_cast<double>(neighbours.size());
  double mean = 0, squares = 0;
  for (const auto &neighbour : neighbours)
    mean += neighbour.first / count;
  for (const auto &neighbour : neighbours)
    squares += (neighbour.first - mean) * (neighbour.first - mean) / count;
  return std::sqrt(squares);
}

// Equation 20; at temperature 0 one of the best.
std::size_t draw(const std::vector<std::pair<double, Step>> &neighbours, double temperature,
                 Random &random) {
  const double best =
      std::max_element(neighbours.begin(), neighbours.end(), has_lower_value)->first;
  std::vector<double> cumulative;
  double sum = 0;
  for (const auto &neighbour : neighbours) {
    const double loss = best - neighbour.first;
    sum += loss > 0 ? std::exp(-loss / temperature) : 1;
    cumulative.push_back(sum);
  }
  const auto drawn =
      std::upper_bound(cumulative.begin(), cumulative.end() - 1, random.uniform() * sum);
  return static_cast<std::size_t>(drawn - cumulative.begin());
}

} // namespace

Climb hill_climb(DandelionCode start, const KTreeValue &value, Watch &watch) {
  Search search(std::move(start), value, watch);
  for (;;) {
    const auto neighbours = search.evaluate_neighbours();
    const auto best = std::max_element(neighbours.begin(), neighbours.end(), has_lower_value);
    if (best == neighbours.end() || !(best->first > search.best().value))
      return search.best();
    search.move(*best);
  }
}

Climb probabilistic_climb(DandelionCode start, const KTreeValue &value, Temperature temperature,
                          Random &random, Watch &watch) {
  Search search(std::move(start), value, watch);
  for (unsigned idle = 0; idle < kIdleMoves;) {
    const auto neighbours = search.evaluate_neighbours();
    if (neighbours.empty())
      break;
    const double unit = temperature.relative ? standard_deviation(neighbours) : 1;
    const bool better = search.move(neighbours[draw(neighbours, temperature.value * unit, random)]);
    idle = better ? 0 : idle + 1;
  }
  return search.best();
}

} // namespace optbn
