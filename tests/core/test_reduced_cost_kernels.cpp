#include "check.h"

#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/structure/engines/prefix_memo.h"
#include "core/structure/engines/reduced_cost_kernels.h"

#include <map>
#include <vector>

using namespace optbn;

namespace {

template <unsigned Words> BitSet<Words> random_set(Random &random, unsigned members) {
  BitSet<Words> set;
  for (unsigned i = 0; i < members; ++i)
    set.insert(random.below(64 * Words));
  return set;
}

// Few sets and few costs, so that every query has results of both kinds.
template <unsigned Words> void kernels_agree() {
  Random random(Words);
  const ReducedCostKernels<Words> fast = reduced_cost_kernels<Words>(),
                                  slow = plain_reduced_cost_kernels<Words>();
  for (std::size_t size = 0; size <= 70; ++size) {
    std::vector<BitSet<Words>> set(size);
    std::vector<Cost> cost(size);
    for (std::size_t i = 0; i < size; ++i) {
      set[i] = random_set<Words>(random, random.below(5));
      cost[i] = static_cast<Cost>(random.below(10)) - 5;
    }
    for (const unsigned members : {0u, 2u, 20u * Words}) {
      const BitSet<Words> nodes = random_set<Words>(random, members);
      CHECK_EQUAL(fast.least_disjoint(cost.data(), set.data(), size, nodes),
                  slow.least_disjoint(cost.data(), set.data(), size, nodes));
      CHECK_EQUAL(fast.first_inside(set.data(), size, nodes),
                  slow.first_inside(set.data(), size, nodes));
      std::vector<Cost> a(size), b(size);
      fast.add_to_disjoint(a.data(), cost.data(), set.data(), size, nodes, -3);
      slow.add_to_disjoint(b.data(), cost.data(), set.data(), size, nodes, -3);
      CHECK(a == b);
      const std::vector<PriceChange<Words>> changes = {{nodes, 3},
                                                       {random_set<Words>(random, 3), 2}};
      CHECK_EQUAL(
          fast.apply_price_changes(a.data(), set.data(), size, changes.data(), changes.size()),
          slow.apply_price_changes(b.data(), set.data(), size, changes.data(), changes.size()));
      CHECK(a == b);
      for (std::size_t i = 0; i < size; ++i)
        CHECK_EQUAL(a[i], cost[i] - (set[i].intersects(nodes) ? 0 : 6) -
                              (set[i].intersects(changes[1].nodes) ? 0 : 2));
    }
    CHECK_EQUAL(fast.least(cost.data(), size), slow.least(cost.data(), size));
    std::vector<BitSet<Words>> a(size), b(size);
    const std::size_t picked = fast.pick(a.data(), cost.data(), set.data(), size, 2);
    CHECK_EQUAL(picked, slow.pick(b.data(), cost.data(), set.data(), size, 2));
    CHECK(a == b);
  }
}

} // namespace

TEST(reduced_cost_kernels_agree_at_every_length) {
  kernels_agree<1>();
  kernels_agree<2>();
  kernels_agree<4>();
  kernels_agree<16>();
}

TEST(reduced_cost_kernels_on_a_small_example) {
  const std::vector<BitSet<1>> set = {{{0b011}}, {{0b100}}, {{0b000}}};
  const std::vector<Cost> cost = {1, 2, 3};
  const ReducedCostKernels<1> kernels = reduced_cost_kernels<1>();
  const BitSet<1> cluster{{0b110}};
  CHECK_EQUAL(kernels.least_disjoint(cost.data(), set.data(), 3, cluster), 3);
  CHECK_EQUAL(kernels.least_disjoint(cost.data(), set.data(), 2, cluster), kNoCost);
  CHECK_EQUAL(kernels.first_inside(set.data(), 3, cluster), 1u);
  CHECK_EQUAL(kernels.least(cost.data(), 0), kNoCost);
  std::vector<Cost> raised(3);
  kernels.add_to_disjoint(raised.data(), cost.data(), set.data(), 3, cluster, 10);
  CHECK(raised == std::vector<Cost>({1, 2, 13}));
}

TEST(prefix_memo_stores_the_lowest_cost) {
  Random random(1);
  PrefixMemo<2> memo(1e9);
  std::map<BitSet<2>, Cost> slow;
  for (unsigned i = 0; i < 20000; ++i) {
    BitSet<2> prefix = random_set<2>(random, 1 + random.below(2));
    const Cost cost = random.below(100);
    const auto known = slow.find(prefix);
    const bool before = known != slow.end() && known->second <= cost;
    CHECK_EQUAL(memo.reached_before(prefix, cost), before);
    if (!before)
      slow[prefix] = cost;
  }
  CHECK_EQUAL(memo.size(), slow.size());
}

TEST(prefix_memo_stores_no_more_when_it_is_full) {
  PrefixMemo<1> memo(3 * 16 * 5);
  for (unsigned v = 0; v < 64; ++v)
    CHECK(!memo.reached_before(BitSet<1>::of(v), 7));
  CHECK_EQUAL(memo.size(), 5u);
  CHECK(memo.reached_before(BitSet<1>::of(4), 7));
  CHECK(!memo.reached_before(BitSet<1>::of(5), 7));
  CHECK(!memo.reached_before(BitSet<1>::of(4), 6));
  CHECK(memo.reached_before(BitSet<1>::of(4), 6));
}

TEST(arena_gives_disjoint_memory_and_reuses_it) {
  Arena arena;
  int *first = arena.allocate<int>(3);
  first[2] = 1;
  const int *again = nullptr;
  {
    const Arena::Scope scope(arena);
    int *second = arena.allocate<int>(1000000); // larger than a chunk
    CHECK(second >= first + 3 || second + 1000000 <= first);
    second[999999] = 2;
    again = second;
  }
  CHECK_EQUAL(first[2], 1);
  CHECK(arena.allocate<int>(1000000) == again);

  int *list = arena.allocate<int>(100);
  arena.shrink<int>(100, 4);
  CHECK(arena.allocate<int>(1) == list + 4);
}
