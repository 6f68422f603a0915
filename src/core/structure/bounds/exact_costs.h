// CostProblem: the candidate sets of a search in exact arithmetic.
//
// A proof must not depend on rounding. Scores become whole numbers once: the cost of a set is what
// it loses against its node's best set, times 2^bits, rounded down, with bits as large as keeps
// every sum the search can form below 2^60. After that all arithmetic is on 64-bit integers: adding
// a multiplier and subtracting it again restores every bit, and sums do not depend on their order.
// No cost is overstated, and each node's is understated by less than one quantum (2^-bits, about
// 1e-12 of the scores' spread).
#pragma once

#include "core/base/bit_set.h"
#include "core/structure/domains.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace optbn {

using Cost = std::int64_t;

// More than any sum of costs.
constexpr Cost kNoCost = std::int64_t{1} << 61;

constexpr int kCostBits = 59;

// A part of a gap.
inline Cost share(double part, Cost gap) {
  return static_cast<Cost>(part * static_cast<double>(gap));
}

// The quanta that costs are counted in.
struct CostQuanta {
  int bits = 0; // one natural log unit is 2^bits

  CostQuanta() = default;
  // No sum of costs takes more bits.
  explicit CostQuanta(const Problem &problem, int most_bits = kCostBits) {
    double spread = 1e-300, largest = 1e-300;
    for (const Domain &domain : problem.domains) {
      spread = std::max(spread, domain.score.front() - domain.score.back());
      largest = std::max({largest, std::abs(domain.score.front()), std::abs(domain.score.back())});
    }
    bits = static_cast<int>(std::floor(std::min(
        {44.0, most_bits - std::log2(spread * problem.size()), kCostBits - std::log2(largest)})));
  }

  double units(Cost cost) const { return std::ldexp(static_cast<double>(cost), -bits); }
  Cost cost(double units) const { return static_cast<Cost>(std::floor(std::ldexp(units, bits))); }
};

// The sets of one node, cheapest first.
template <unsigned Words> struct CostDomain {
  std::vector<Cost> cost;
  std::vector<BitSet<Words>> set;
  std::vector<std::uint32_t> index; // of the set in the Problem's domain

  std::size_t size() const { return cost.size(); }
};

template <unsigned Words> struct CostProblem : CostQuanta {
  std::vector<CostDomain<Words>> domains;
  double ideal = 0; // score at cost 0

  CostProblem() = default;
  explicit CostProblem(const Problem &problem, int most_bits = kCostBits)
      : CostQuanta(problem, most_bits), domains(problem.size()) {
    for (Node v = 0; v < problem.size(); ++v) {
      ideal += problem.domains[v].score.front();
      fill(domains[v], problem.domains[v], problem.words);
    }
  }

  Node size() const { return static_cast<Node>(domains.size()); }
  double score(Cost cost) const { return ideal - units(cost); }
  // Every network that scores this or more costs less.
  Cost cutoff(double score) const {
    return score > ideal - units(kNoCost) ? cost(std::max(0.0, ideal - score)) + size() + 1
                                          : kNoCost;
  }

private:
  void fill(CostDomain<Words> &domain, const Domain &from, unsigned words) {
    for (std::uint32_t i = 0; i < from.size(); ++i) {
      BitSet<Words> set;
      for (unsigned w = 0; w < words; ++w)
        set.word[w] = from.mask[std::size_t{i} * words + w];
      domain.cost.push_back(cost(from.score.front() - from.score[i]));
      domain.set.push_back(set);
      domain.index.push_back(i);
    }
  }
};

} // namespace optbn
