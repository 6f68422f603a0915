#include "core/score/parent_sets.h"

#include <algorithm>
#include <numeric>

namespace optbn {

void CandidateSets::sort() {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    if (score[a] != score[b])
      return score[a] > score[b];
    if (size_of(a) != size_of(b))
      return size_of(a) < size_of(b);
    return std::lexicographical_compare(begin_of(a), end_of(a), begin_of(b), end_of(b));
  });
  CandidateSets sorted;
  sorted.score.reserve(size());
  sorted.offset.reserve(size() + 1);
  sorted.parents.reserve(parents.size());
  for (const std::uint32_t i : order)
    sorted.add(score[i], begin_of(i), end_of(i));
  *this = std::move(sorted);
}

} // namespace optbn
