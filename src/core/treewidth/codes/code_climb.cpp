#include "core/treewidth/codes/code_climb.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace optbn {

namespace {

constexpr unsigned kIdleMoves = 10;

// One entry of a code that goes one step; of Q the node in place `at`, of the rows a part of row
// `at`.
struct Step {
  enum Entry { node, parent, rank } entry;
  std::size_t at;
  bool up;
};

// The next or the previous of 0..size-1, on a circle.
Node beside(Node place, unsigned size, bool up) {
  return static_cast<Node>((place + (up ? 1u : size - 1u)) % size);
}

// False when the step leads nowhere.
bool take_q_step(DandelionCode &code, Step step) {
  const Node to = beside(code.q[step.at], code.nodes, step.up);
  if (std::binary_search(code.q.begin(), code.q.end(), to))
    return false;
  code.q[step.at] = to;
  std::sort(code.q.begin(), code.q.end());
  return true;
}

bool take_row_step(DandelionCode &code, Step step) {
  DandelionCode::Row &row = code.rows[step.at];
  if (step.entry == Step::parent) {
    row.parent = beside(row.parent, code.others() + 1u, step.up);
    row.rank = row.parent == 0 ? 0 : std::max<Node>(row.rank, 1);
    return true;
  }
  // Of two ranks the next is the previous.
  if (row.rank == 0 || code.k == 1 || (code.k == 2 && !step.up))
    return false;
  row.rank = static_cast<Node>(beside(row.rank - 1u, code.k, step.up) + 1);
  return true;
}

bool take(DandelionCode &code, Step step) {
  return step.entry == Step::node ? take_q_step(code, step) : take_row_step(code, step);
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

// A code on its way, and the best that was seen on it.
class Walk {
public:
  Walk(DandelionCode start, const KTreeValue &value, Watch &watch)
      : value_(value), watch_(watch), decoder_(start.nodes, start.k), code_(std::move(start)),
        steps_(all_steps(code_)) {
    best_.code = code_;
    best_.value = value_of(code_);
  }

  // Values of the neighbours, in the order of their steps; none when the watch has stopped.
  std::vector<std::pair<double, Step>> look_around() {
    std::vector<std::pair<double, Step>> neighbours;
    for (const Step step : steps_) {
      if (watch_.stopped())
        return {};
      scratch_ = code_;
      const bool leads_somewhere = take(scratch_, step);
      OPTBN_INVARIANT(well_formed(scratch_), "a step leads from code to code");
      if (leads_somewhere)
        neighbours.emplace_back(value_of(scratch_), step);
    }
    return neighbours;
  }

  // True when that is the best so far.
  bool move(std::pair<double, Step> to) {
    take(code_, to.second);
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

bool lower(const std::pair<double, Step> &a, const std::pair<double, Step> &b) {
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
  const double best = std::max_element(neighbours.begin(), neighbours.end(), lower)->first;
  std::vector<double> until;
  double sum = 0;
  for (const auto &neighbour : neighbours) {
    const double below = best - neighbour.first;
    sum += below > 0 ? std::exp(-below / temperature) : 1;
    until.push_back(sum);
  }
  const auto drawn = std::upper_bound(until.begin(), until.end() - 1, random.uniform() * sum);
  return static_cast<std::size_t>(drawn - until.begin());
}

} // namespace

Climb hill_climb(DandelionCode start, const KTreeValue &value, Watch &watch) {
  Walk walk(std::move(start), value, watch);
  for (;;) {
    const auto neighbours = walk.look_around();
    const auto best = std::max_element(neighbours.begin(), neighbours.end(), lower);
    if (best == neighbours.end() || !(best->first > walk.best().value))
      return walk.best();
    walk.move(*best);
  }
}

Climb probabilistic_climb(DandelionCode start, const KTreeValue &value, Temperature temperature,
                          Random &random, Watch &watch) {
  Walk walk(std::move(start), value, watch);
  for (unsigned idle = 0; idle < kIdleMoves;) {
    const auto neighbours = walk.look_around();
    if (neighbours.empty())
      break;
    const double unit = temperature.relative ? standard_deviation(neighbours) : 1;
    const bool better = walk.move(neighbours[draw(neighbours, temperature.value * unit, random)]);
    idle = better ? 0 : idle + 1;
  }
  return walk.best();
}

} // namespace optbn
