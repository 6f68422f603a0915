#include "core/inference/conditioning.h"

#include "core/base/log_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace optbn {

namespace {

constexpr std::size_t kNoDigit = static_cast<std::size_t>(-1);

// What a query takes at the least when node v has extent[v] levels: the messages, and one table.
double least_bytes(const CliqueTree &tree, const std::vector<double> &extent) {
  double messages = 0, largest = 0;
  for (const Clique &clique : tree.cliques) {
    double cells = 1, residual = 1;
    for (std::size_t m = 0; m < clique.members.size(); ++m) {
      cells *= extent[clique.members[m]];
      if (m + 1 == clique.residual)
        residual = cells;
    }
    messages += 2 * cells / residual;
    largest = std::max(largest, cells);
  }
  return (messages + largest) * sizeof(double);
}

// Weights of a node's levels by what is known of it.
std::vector<double> weights_of(const Evidence &evidence, Node v, unsigned levels) {
  std::vector<double> weights(levels, 1.0);
  for (unsigned level = 0; level < levels; ++level)
    if (evidence.observed(v) && static_cast<std::int32_t>(level) != evidence.level(v))
      weights[level] = 0;
  for (const auto &[node, likelihood] : evidence.likelihoods())
    if (node == v)
      for (unsigned level = 0; level < levels; ++level)
        weights[level] *= likelihood[level];
  return weights;
}

std::vector<char> all_nodes(const Propagation &propagation) {
  return std::vector<char>(propagation.tree().size(), true);
}

} // namespace

// ---- configurations -----------------------------------------------------------------------------

Configurations::Configurations(const JunctionTree &tree, const std::vector<Node> &cutset,
                               const Evidence &evidence, const std::vector<char> &relevant,
                               double memory_limit)
    : tree_(tree), evidence_(evidence) {
  choose(cutset, relevant, memory_limit);
  bound();
  sort();
}

// Of the cutset those nodes without which a query does not fit.
void Configurations::choose(const std::vector<Node> &cutset, const std::vector<char> &relevant,
                            double memory_limit) {
  std::vector<double> extent(tree_.size());
  for (Node v = 0; v < tree_.size(); ++v)
    extent[v] = evidence_.observed(v) || !relevant[v] ? 1 : tree_.levels(v);
  for (const Node v : cutset) {
    if (extent[v] > 1)
      nodes_.push_back(v);
    extent[v] = 1;
  }
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Node v = nodes_[i];
    extent[v] = tree_.levels(v);
    if (least_bytes(tree_.tree(), extent) <= memory_limit)
      nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      extent[v] = 1;
  }
}

void Configurations::bound() {
  std::size_t configurations = 1;
  for (const Node v : nodes_)
    configurations *= tree_.levels(v);
  log_bounds_.assign(configurations, 0.0);
  for (Node v = 0; v < tree_.size(); ++v)
    if (evidence_.has_evidence(v) || std::count(nodes_.begin(), nodes_.end(), v) > 0)
      bound_family(v);
}

// Multiplies all bounds by the largest probability of what is known of node v, or of its level in
// the configuration, that any levels of its other parents give.
void Configurations::bound_family(Node v) {
  struct Member {
    Node node;
    std::size_t stride; // in the table
    std::size_t digit;  // among nodes_, or kNoDigit
    std::size_t factor; // stride in the factor
  };
  std::vector<Member> members;
  std::vector<Node> family = tree_.parents(v);
  family.insert(family.begin(), v);
  std::size_t factor_cells = 1;
  for (const Node u : family) {
    Member member{u, 0, kNoDigit, 0};
    for (const JunctionTree::Appearance &in : tree_.appearances(u))
      if (in.family == v)
        member.stride = in.stride;
    const auto digit = std::find(nodes_.begin(), nodes_.end(), u);
    if (digit != nodes_.end()) {
      member.digit = static_cast<std::size_t>(digit - nodes_.begin());
      member.factor = factor_cells;
      factor_cells *= tree_.levels(u);
    }
    members.push_back(member);
  }
  const std::vector<double> weights = weights_of(evidence_, v, tree_.levels(v));
  const bool summed = members.front().digit == kNoDigit; // over the node's own levels
  const std::vector<double> &table = tree_.table(v);
  std::vector<double> factor(factor_cells, 0.0);
  for (std::size_t cell = 0; cell < table.size(); ++cell) {
    std::size_t to = 0;
    bool counts = true;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const Node u = members[m].node;
      const std::size_t level = cell / members[m].stride % tree_.levels(u);
      to += level * members[m].factor;
      if (m == 0 ? summed && level > 0
                 : evidence_.observed(u) && level != static_cast<std::size_t>(evidence_.level(u)))
        counts = false;
    }
    if (!counts)
      continue;
    double p = 0;
    if (summed)
      for (std::size_t level = 0; level < weights.size(); ++level)
        p += weights[level] * table[cell + level * members.front().stride];
    else
      p = weights[cell / members.front().stride % weights.size()] * table[cell];
    factor[to] = std::max(factor[to], p);
  }
  const std::vector<double> &most = summed ? factor : weights;
  if (evidence_.has_evidence(v))
    log_most_ += std::log(*std::max_element(most.begin(), most.end()));
  for (double &cell : factor)
    cell = std::log(cell);
  for (std::size_t c = 0; c < log_bounds_.size(); ++c) {
    std::size_t from = 0, rest = c;
    for (std::size_t digit = 0; digit < nodes_.size(); ++digit) {
      const std::size_t level = rest % tree_.levels(nodes_[digit]);
      rest /= tree_.levels(nodes_[digit]);
      for (const Member &member : members)
        if (member.digit == digit)
          from += level * member.factor;
    }
    log_bounds_[c] += factor[from];
  }
}

void Configurations::sort() {
  for (std::size_t c = 0; c < log_bounds_.size(); ++c)
    if (log_bounds_[c] > kLogZero)
      order_.push_back(c);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return log_bounds_[a] > log_bounds_[b]; });
  log_rest_.assign(order_.size() + 1, kLogZero);
  for (std::size_t i = order_.size(); i-- > 0;)
    log_rest_[i] = log_add(log_rest_[i + 1], log_bound(i));
}

Evidence Configurations::evidence(std::size_t i) const {
  Evidence evidence = evidence_;
  std::size_t rest = order_[i];
  for (const Node v : nodes_) {
    evidence.observe(v, static_cast<unsigned>(rest % tree_.levels(v)));
    rest /= tree_.levels(v);
  }
  return evidence;
}

// ---- sums ---------------------------------------------------------------------------------------

namespace {

// answer(evidence): a vector given this configuration, after which the propagation has its
// probability.
template <class Answer>
ConditionedSum sum_up(const Propagation &propagation, const Configurations &configurations,
                      double most_passes, Watch &watch, Answer answer) {
  ConditionedSum sum;
  sum.passes = configurations.size();
  sum.log_probability = kLogZero;
  watch.restart(static_cast<double>(sum.passes));
  for (; sum.done < sum.passes; ++sum.done) {
    if (static_cast<double>(sum.done) >= most_passes && sum.log_probability > kLogZero) {
      sum.reason = StopReason::effort;
      break;
    }
    try {
      const std::vector<double> given = answer(configurations.evidence(sum.done));
      const double log_p = propagation.log_probability();
      if (log_p > kLogZero) {
        const double before = sum.log_probability;
        sum.log_probability = log_add(before, log_p);
        const double share = std::exp(log_p - sum.log_probability);
        sum.posterior.resize(given.size(), 0.0);
        for (std::size_t i = 0; i < given.size(); ++i)
          sum.posterior[i] += share * (given[i] - sum.posterior[i]);
      }
    } catch (const ImpossibleEvidence &) {
      // adds nothing
    } catch (const TimeLimitReached &) {
      sum.reason = StopReason::time_limit;
    } catch (const Interrupted &) {
      sum.reason = StopReason::interrupt;
    }
    if (sum.reason != StopReason::none)
      break;
    watch.advance(1);
  }
  const double least = sum.log_probability, most = configurations.log_most();
  sum.log_rest = configurations.log_rest(sum.done);
  if (sum.log_rest > kLogZero) // P(e) is not above `most`
    sum.log_rest = std::min(sum.log_rest,
                            least < most ? most + std::log1p(-std::exp(least - most)) : kLogZero);
  if (sum.reason != StopReason::none && least == kLogZero)
    throw_if_stopped(watch);
  return sum;
}

} // namespace

ConditionedSum conditioned_posterior(Propagation &propagation, const std::vector<Node> &cutset,
                                     const Evidence &evidence, const std::vector<Node> &nodes,
                                     Watch &watch, double most_passes) {
  const JunctionTree &tree = propagation.tree();
  const std::vector<char> relevant =
      nodes.empty() ? all_nodes(propagation) : relevant_nodes(tree, evidence, nodes);
  const Configurations configurations(tree, cutset, evidence, relevant, propagation.memory_limit());
  ConditionedSum sum =
      sum_up(propagation, configurations, most_passes, watch, [&](const Evidence &given) {
        return nodes.empty() ? marginals(propagation, given, watch)
                             : joint_posterior(propagation, given, nodes, watch);
      });
  if (sum.log_probability == kLogZero)
    throw ImpossibleEvidence();
  return sum;
}

ConditionedSum conditioned_probability(Propagation &propagation, const std::vector<Node> &cutset,
                                       const Evidence &evidence, Watch &watch, double most_passes) {
  const JunctionTree &tree = propagation.tree();
  const Configurations configurations(tree, cutset, evidence, relevant_nodes(tree, evidence, {}),
                                      propagation.memory_limit());
  return sum_up(propagation, configurations, most_passes, watch, [&](const Evidence &given) {
    log_probability(propagation, given, watch);
    return std::vector<double>();
  });
}

// ---- other queries ------------------------------------------------------------------------------

State most_probable(Propagation &propagation, const std::vector<Node> &cutset,
                    const Evidence &evidence, Watch &watch) {
  const Configurations configurations(propagation.tree(), cutset, evidence, all_nodes(propagation),
                                      propagation.memory_limit());
  State best;
  double most = kLogZero; // likelihoods included
  watch.restart(static_cast<double>(configurations.size()));
  for (std::size_t i = 0; i < configurations.size() && configurations.log_bound(i) > most; ++i) {
    try {
      State state = most_probable(propagation, configurations.evidence(i), watch);
      if (propagation.log_probability() > most) {
        most = propagation.log_probability();
        best = std::move(state);
      }
    } catch (const ImpossibleEvidence &) {
      // no state
    }
    watch.advance(1);
  }
  if (most == kLogZero)
    throw ImpossibleEvidence();
  return best;
}

// The configurations of the rows are drawn first, then the rows of each of them, and at last which
// row is which.
std::vector<std::uint16_t> draw_rows(Propagation &propagation, const std::vector<Node> &cutset,
                                     const Evidence &evidence, std::size_t rows, Random &random,
                                     Watch &watch) {
  const Configurations configurations(propagation.tree(), cutset, evidence, all_nodes(propagation),
                                      propagation.memory_limit());
  std::vector<double> log_p;
  for (std::size_t i = 0; i < configurations.size(); ++i)
    log_p.push_back(log_probability(propagation, configurations.evidence(i), watch));
  const double total = log_sum_exp(log_p.data(), log_p.size());
  if (total == kLogZero)
    throw ImpossibleEvidence();
  std::vector<double> ends;
  double sum = 0;
  for (const double p : log_p)
    ends.push_back(sum += std::exp(p - total));
  std::vector<std::size_t> count(configurations.size(), 0);
  for (std::size_t r = 0; r < rows; ++r)
    ++count[static_cast<std::size_t>(
        std::upper_bound(ends.begin(), ends.end() - 1, random.uniform() * sum) - ends.begin())];

  std::vector<std::size_t> place(rows);
  std::iota(place.begin(), place.end(), std::size_t{0});
  random.shuffle(place);
  const std::size_t nodes = propagation.tree().size();
  std::vector<std::uint16_t> drawn(rows * nodes);
  std::size_t next = 0;
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] == 0)
      continue;
    const std::vector<std::uint16_t> some =
        draw_rows(propagation, configurations.evidence(i), count[i], random, watch);
    for (std::size_t r = 0; r < count[i]; ++r)
      std::copy_n(some.begin() + static_cast<std::ptrdiff_t>(r * nodes), nodes,
                  drawn.begin() + static_cast<std::ptrdiff_t>(place[next++] * nodes));
  }
  return drawn;
}

namespace {

// answer(evidence, watch) of every row, once for rows that are equal. A column that is hidden counts
// as missing; none when it is no column.
template <class Answer>
auto answer_rows(const PartialRows &rows, std::size_t hidden, Watch &watch, Answer answer) {
  const std::size_t nodes = rows.columns.size();
  const Host host =
      nested_host(watch); // whose watch counts passes, where the outer one counts rows
  std::map<Row, decltype(answer(Evidence(0), watch))> answers;
  std::vector<decltype(answer(Evidence(0), watch))> result;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    Row row(nodes, PartialRows::kMissing);
    Evidence evidence(static_cast<Node>(nodes));
    for (std::size_t v = 0; v < nodes; ++v)
      if (v != hidden && rows.columns[v][r] != PartialRows::kMissing) {
        row[v] = rows.columns[v][r];
        evidence.observe(static_cast<Node>(v), row[v]);
      }
    auto found = answers.find(row);
    if (found == answers.end()) {
      Watch passes(host);
      found = answers.emplace(row, answer(evidence, passes)).first;
      throw_if_stopped(watch);
    }
    result.push_back(found->second);
    watch.advance(1);
  }
  return result;
}

} // namespace

std::vector<double> log_probabilities(Propagation &propagation, const std::vector<Node> &cutset,
                                      const PartialRows &rows, Watch &watch) {
  return answer_rows(
      rows, rows.columns.size(), watch, [&](const Evidence &evidence, Watch &passes) {
        return conditioned_probability(propagation, cutset, evidence, passes).log_probability;
      });
}

std::vector<double> posteriors(Propagation &propagation, const std::vector<Node> &cutset,
                               const PartialRows &rows, Node node, Watch &watch) {
  const auto by_row = answer_rows(rows, node, watch, [&](const Evidence &evidence, Watch &passes) {
    try {
      return conditioned_posterior(propagation, cutset, evidence, {node}, passes).posterior;
    } catch (const ImpossibleEvidence &) {
      return std::vector<double>(propagation.tree().levels(node),
                                 std::numeric_limits<double>::quiet_NaN());
    }
  });
  std::vector<double> result;
  for (const std::vector<double> &posterior : by_row)
    result.insert(result.end(), posterior.begin(), posterior.end());
  return result;
}

bool is_possible(Propagation &propagation, const std::vector<Node> &cutset,
                 const Evidence &evidence, Watch &watch) {
  const JunctionTree &tree = propagation.tree();
  const Configurations configurations(tree, cutset, evidence, relevant_nodes(tree, evidence, {}),
                                      propagation.memory_limit());
  for (std::size_t i = 0; i < configurations.size(); ++i)
    if (log_probability(propagation, configurations.evidence(i), watch) > kLogZero)
      return true;
  return false;
}

} // namespace optbn
