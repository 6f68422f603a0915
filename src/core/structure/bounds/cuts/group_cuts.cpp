#include "core/structure/bounds/cuts/group_cuts.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/cuts/nearest_point.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace optbn {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A vertex of the polytope: the pattern of nodes[i] in byte i.
using Choice = std::uint64_t;
static_assert(kLargestGroup <= sizeof(Choice), "a byte for every node");

unsigned pattern_of(Choice choice, unsigned i) { return choice >> (8 * i) & 255; }

// Least sums of coefficients over acyclic choices, by the recurrence over subsets.
class GroupSums {
public:
  explicit GroupSums(unsigned size)
      : g_(size), full_((1u << size) - 1), cheapest_(std::size_t{g_} << g_),
        first_(std::size_t{full_} + 1), last_(first_) {}

  // The least sum.
  double least(const std::vector<double> &coefficient) {
    prepare(coefficient);
    return sum();
  }

  // The choice of least sum, which sum() returns.
  Choice cheapest(const std::vector<double> &coefficient) {
    prepare(coefficient);
    Choice choice = 0;
    for (unsigned nodes = full_; nodes;) {
      const unsigned i = cheapest_sink(nodes);
      nodes ^= 1u << i;
      choice |= Choice{cheapest_pattern(i, nodes)} << (8 * i);
    }
    return choice;
  }
  double sum() const { return first_[full_]; }

  // of[T] = the least sum of the other nodes when node i has the pattern T, for all T without i.
  void others(const std::vector<double> &coefficient, unsigned i, std::vector<double> &of) {
    prepare(coefficient);
    sum_last();
    of.assign(std::size_t{full_} + 1, kInfinite);
    for (unsigned before = 0; before <= full_; ++before)
      if (!(before >> i & 1))
        of[before] = first_[before] + last_[before | 1u << i];
    for (unsigned u = 0; u < g_; ++u)
      for_each_pair(u, [&](unsigned without, unsigned with) {
        of[without] = std::min(of[without], of[with]);
      });
  }

private:
  std::size_t at(unsigned i, unsigned set) const { return std::size_t{i} << g_ | set; }
  double as_sink(unsigned i, unsigned before) const {
    return first_[before] + cheapest_[at(i, before)];
  }

  // visit(set without u, the same set with u), for all sets.
  template <class Visit> void for_each_pair(unsigned u, Visit visit) const {
    const unsigned bit = 1u << u;
    for (unsigned block = 0; block <= full_; block += 2 * bit)
      for (unsigned without = block; without < block + bit; ++without)
        visit(without, without + bit);
  }

  void prepare(const std::vector<double> &coefficient) {
    cheapest_ = coefficient;
    for (unsigned i = 0; i < g_; ++i)
      allow_subsets(i);
    sum_first();
  }

  // The least coefficients of node i with parents among the allowed.
  void allow_subsets(unsigned i) {
    double *cost = cheapest_.data() + at(i, 0);
    for (unsigned u = 0; u < g_; ++u)
      if (u != i)
        for_each_pair(u, [cost](unsigned without, unsigned with) {
          cost[with] = std::min(cost[with], cost[without]);
        });
  }

  // first_[U] = the least sum of the nodes U when they come first.
  void sum_first() {
    first_[0] = 0;
    for (unsigned nodes = 1; nodes <= full_; ++nodes) {
      double least = kInfinite;
      for (unsigned rest = nodes; rest; rest &= rest - 1) {
        const unsigned i = lowest_bit(rest);
        least = std::min(least, as_sink(i, nodes ^ (1u << i)));
      }
      first_[nodes] = least;
    }
  }

  // The last of the nodes when they come first at the least sum.
  unsigned cheapest_sink(unsigned nodes) const {
    unsigned sink = lowest_bit(nodes);
    double least = as_sink(sink, nodes ^ (1u << sink));
    for (unsigned rest = nodes & (nodes - 1); rest; rest &= rest - 1) {
      const unsigned i = lowest_bit(rest);
      const double sum = as_sink(i, nodes ^ (1u << i));
      if (sum < least) {
        least = sum;
        sink = i;
      }
    }
    return sink;
  }

  // A pattern of the least coefficient: parents are left out where it does not rise without them.
  unsigned cheapest_pattern(unsigned i, unsigned allowed) const {
    for (unsigned rest = allowed; rest; rest &= rest - 1) {
      const unsigned smaller = allowed ^ (1u << lowest_bit(rest));
      if (cheapest_[at(i, smaller)] <= cheapest_[at(i, allowed)])
        allowed = smaller;
    }
    return allowed;
  }

  // last_[U] = the least sum of the nodes outside U when U comes first.
  void sum_last() {
    last_[full_] = 0;
    for (unsigned nodes = full_; nodes-- > 0;) {
      last_[nodes] = kInfinite;
      for (unsigned rest = full_ & ~nodes; rest; rest &= rest - 1) {
        const unsigned i = lowest_bit(rest);
        last_[nodes] = std::min(last_[nodes], last_[nodes | 1u << i] + cheapest_[at(i, nodes)]);
      }
    }
  }

  const unsigned g_, full_;
  std::vector<double> cheapest_;
  std::vector<double> first_, last_;
};

// The polytope of the acyclic choices: a coordinate for every pattern of every node.
class ChoicePolytope {
public:
  using Vertex = Choice;

  ChoicePolytope(unsigned size, GroupSums &sums) : g_(size), sums_(sums) {}

  Vertex furthest(const std::vector<double> &normal) {
    cost_.resize(normal.size());
    std::transform(normal.begin(), normal.end(), cost_.begin(), std::negate<>());
    return sums_.cheapest(cost_);
  }
  double reach() const { return -sums_.sum(); }

  double squared_distance(Vertex a, Vertex b) const {
    double distance = 0;
    for (unsigned i = 0; i < g_; ++i)
      distance += pattern_of(a, i) != pattern_of(b, i) ? 2 : 0;
    return distance;
  }

  template <class Visit> void for_each_one(Vertex vertex, Visit visit) const {
    for (unsigned i = 0; i < g_; ++i)
      visit(std::size_t{i} << g_ | pattern_of(vertex, i));
  }

private:
  const unsigned g_;
  GroupSums &sums_;
  std::vector<double> cost_;
};

constexpr unsigned kNearestSteps = 300;
constexpr double kNearestAccuracy = .05;

// Coefficients of patterns that no set has are infinite at first, so that they restrict nothing.
template <unsigned Words>
void forbid_absent(const CostProblem<Words> &problem, const std::vector<Node> &group,
                   std::vector<double> &coefficient) {
  const std::size_t patterns = std::size_t{1} << group.size();
  std::vector<char> present(coefficient.size(), 0);
  for (std::size_t i = 0; i < group.size(); ++i)
    for (const BitSet<Words> &set : problem.domains[group[i]].set)
      present[i * patterns + pattern_in(group, set)] = 1;
  for (std::size_t j = 0; j < coefficient.size(); ++j)
    if (!present[j])
      coefficient[j] = kInfinite;
}

// Lowers every coefficient as far as the least sum of a choice stays the same. One node at a time:
// a choice has just one of its patterns, so all of them may fall together.
void tighten(std::vector<double> &coefficient, unsigned g, GroupSums &sums) {
  const std::size_t patterns = std::size_t{1} << g;
  const double rhs = sums.least(coefficient);
  std::vector<double> others;
  for (unsigned i = 0; i < g; ++i) {
    sums.others(coefficient, i, others);
    double *of = coefficient.data() + i * patterns;
    for (std::size_t set = 0; set < patterns; ++set)
      if (of[set] < kInfinite && others[set] < kInfinite)
        of[set] = rhs - others[set];
  }
}

// Shifts every node's coefficients to least 0 and scales them to a right-hand side of 1; false if
// nothing is left.
bool normalise(std::vector<double> &coefficient, unsigned g, GroupSums &sums) {
  const std::size_t patterns = std::size_t{1} << g;
  for (unsigned i = 0; i < g; ++i) {
    double *of = coefficient.data() + i * patterns;
    const double least = *std::min_element(of, of + patterns);
    for (std::size_t set = 0; set < patterns; ++set)
      of[set] -= least;
  }
  const double rhs = sums.least(coefficient);
  if (!(rhs > 1e-6 && rhs < kInfinite))
    return false;
  for (double &c : coefficient)
    c /= rhs;
  return true;
}

// Gives absent patterns the least coefficients >= 0 with which the right-hand side stays 1.
void admit_absent(std::vector<double> &coefficient, unsigned g, GroupSums &sums) {
  const std::size_t patterns = std::size_t{1} << g;
  std::vector<double> others;
  for (unsigned i = 0; i < g; ++i) {
    sums.others(coefficient, i, others);
    double *of = coefficient.data() + i * patterns;
    for (std::size_t set = 0; set < patterns; ++set)
      if (of[set] == kInfinite)
        of[set] = std::max(0.0, 1 - others[set]);
  }
}

} // namespace

template <unsigned Words>
std::vector<std::vector<Node>> close_groups(const FractionalNetwork<Words> &network, unsigned size,
                                            unsigned wanted, Random &random) {
  const Node n = network.size();
  std::vector<double> near(std::size_t{n} * n, 0);
  for (Node v = 0; v < n; ++v)
    for (const auto &weighted : network.support[v])
      weighted.set.for_each([&](unsigned u) {
        near[std::size_t{v} * n + u] += weighted.weight;
        near[std::size_t{u} * n + v] += weighted.weight;
      });
  std::vector<std::vector<Node>> groups;
  std::vector<double> pull(n);
  for (unsigned attempt = 0; attempt < wanted; ++attempt) {
    std::vector<Node> group{static_cast<Node>(random.below(n))};
    std::fill(pull.begin(), pull.end(), 0.0);
    while (group.size() < size) {
      for (Node u = 0; u < n; ++u)
        pull[u] += std::min(1.0, near[std::size_t{group.back()} * n + u]);
      double all = 0;
      for (const Node v : group)
        pull[v] = 0;
      for (const double p : pull)
        all += p * p;
      if (all <= 0)
        break;
      double draw = random.uniform() * all;
      Node drawn = n;
      for (Node u = 0; u < n; ++u)
        if (pull[u] > 0) {
          drawn = u;
          draw -= pull[u] * pull[u];
          if (draw < 0)
            break;
        }
      group.push_back(drawn);
    }
    if (group.size() < size)
      continue;
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

template <unsigned Words>
GroupCut violated_cut(const CostProblem<Words> &problem, const FractionalNetwork<Words> &network,
                      const std::vector<Node> &group, double least) {
  const unsigned g = static_cast<unsigned>(group.size());
  std::vector<double> weight(std::size_t{g} << g, 0);
  for (unsigned i = 0; i < g; ++i)
    for (const auto &weighted : network.support[group[i]])
      weight[std::size_t{i} << g | pattern_in(group, weighted.set)] += weighted.weight;
  GroupSums sums(g);
  ChoicePolytope polytope(g, sums);
  NearestPoint<ChoicePolytope> nearest(weight, polytope, kNearestSteps, kNearestAccuracy);
  if (!nearest.separate(least))
    return {};
  GroupCut cut{group, nearest.normal(), 0};
  for (double &coefficient : cut.coefficient) // sums over choices are bounded from below
    coefficient = -coefficient;
  forbid_absent(problem, group, cut.coefficient);
  tighten(cut.coefficient, g, sums);
  if (!normalise(cut.coefficient, g, sums))
    return {};
  admit_absent(cut.coefficient, g, sums);
  OPTBN_INVARIANT(*std::min_element(cut.coefficient.begin(), cut.coefficient.end()) >= 0,
                  "coefficients are not negative");
  OPTBN_INVARIANT(about_at_most(1, sums.least(cut.coefficient)),
                  "the coefficients of every acyclic choice add up to at least 1");
  double lhs = 0;
  for (std::size_t j = 0; j < weight.size(); ++j)
    lhs += weight[j] * cut.coefficient[j];
  cut.violation = 1 - lhs;
  return cut.violation > least ? cut : GroupCut{};
}

#define OPTBN_INSTANTIATE(words)                                                                   \
  template std::vector<std::vector<Node>> close_groups(const FractionalNetwork<words> &, unsigned, \
                                                       unsigned, Random &);                        \
  template GroupCut violated_cut(const CostProblem<words> &, const FractionalNetwork<words> &,     \
                                 const std::vector<Node> &, double);
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
