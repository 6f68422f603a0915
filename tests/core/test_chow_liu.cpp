#include "check.h"
#include "cutset_fixtures.h"
#include "random_problem.h"
#include "source_fixtures.h"

#include "core/base/simd/lane_log.h"
#include "core/base/simd/popcount.h"
#include "core/density/counts/bit_selection.h"
#include "core/density/counts/map_counts.h"
#include "core/density/counts/pair_kernels.h"
#include "core/density/counts/slice.h"
#include "core/density/counts/weighted_counts.h"
#include "core/density/learn/chow_liu.h"

#include <cstring>

using namespace optbn;
using namespace cutset_test;

namespace {

TreeDensity learned(const Dataset &data, const std::vector<double> &weights,
                    const Smoothing &smoothing) {
  const Host host;
  Watch watch(host);
  return learn_chow_liu(TrainingRows(data), weights, smoothing, watch);
}

bool sums_to_one(const TreeDensity &tree) {
  for (const TreeDensity::TreeNode &node : tree.nodes) {
    const unsigned blocks = node.parent == TreeDensity::kRoot ? 1 : tree.nodes[node.parent].levels;
    for (unsigned y = 0; y < blocks; ++y) {
      double sum = 0;
      for (unsigned x = 0; x < node.levels; ++x) {
        if (!(tree.probability(node, x, y) >= 0))
          return false;
        sum += tree.probability(node, x, y);
      }
      if (!(std::abs(sum - 1) < 1e-12))
        return false;
    }
  }
  return true;
}

} // namespace

TEST(chow_liu_is_as_defined) {
  Random random(3);
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    for (const Prior prior : kPriors)
      for (unsigned kind = 0; kind < 3; ++kind) {
        const Dataset data = seed % 2 ? two_level_table(seed, 60, 11)
                                      : fixtures::random_table(seed, 60, 6, 4, seed % 4 == 0);
        const Smoothing smoothing = {prior, 0.05 + 0.2 * random.uniform()};
        const std::vector<double> weights = weights_of_kind(kind, data.rows, random);
        const SlowLearner slow(levels_of(data), rows_of(data, weights), smoothing);
        const Reference reference =
            slow.tree(rows_of(data, weights), every_variable(levels_of(data)));
        CHECK(same(uncut(learned(data, weights, smoothing)), 0, reference));
      }
}

// Of all trees, by their Pruefer codes.
TEST(chow_liu_has_the_largest_likelihood) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Dataset data = fixtures::random_table(seed, 40, 4, 3);
    const Rows rows = rows_of(data);
    const std::vector<unsigned> levels = levels_of(data);
    const SlowLearner slow(levels, rows, {Prior::joint, 0});
    double best = -1e300;
    for (unsigned code = 0; code < 16; ++code) {
      std::vector<unsigned> rest = {code % 4, code / 4}, degree(4, 1);
      for (const unsigned v : rest)
        ++degree[v];
      double sum = 0;
      for (const Node v : every_variable(levels))
        for (unsigned x = 0; x < levels[v]; ++x) {
          const double p = slow.alone(rows, v, x);
          sum += p > 0 ? 40 * p * std::log(p) : 0;
        }
      const auto joins = [&](unsigned u, unsigned v) {
        --degree[u];
        --degree[v];
        sum += 40 * slow.information(rows, static_cast<Node>(u), static_cast<Node>(v));
      };
      for (const unsigned v : rest)
        joins(static_cast<unsigned>(std::find(degree.begin(), degree.end(), 1u) - degree.begin()),
              v);
      const auto last = std::find(degree.begin(), degree.end(), 1u);
      joins(static_cast<unsigned>(last - degree.begin()),
            static_cast<unsigned>(std::find(last + 1, degree.end(), 1u) - degree.begin()));
      best = std::max(best, sum);
    }
    const CutsetNetwork network = uncut(learned(data, {}, {Prior::joint, 0}));
    double reached = 0;
    for (const WeightedRow &row : rows)
      reached += std::log(density_test::probability(network, row.row));
    CHECK_NEAR(reached, best, 1e-9);
  }
}

TEST(chow_liu_of_rows_kept_elsewhere_is_that_of_rows_here) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const Prior prior : kPriors) {
      const unsigned columns = seed == 0 ? 1 : 7;
      const Dataset data = fixtures::random_table(seed, 80, columns, 2 + seed % 4, seed % 2);
      const Smoothing smoothing = {prior, 0.2};
      const Host host;
      Watch watch(host);
      const TreeWithLikelihood there =
          learn_chow_liu(fixtures::kept_elsewhere(data), smoothing, watch);
      const TreeDensity here = learned(data, {}, smoothing);
      CHECK(there.tree.tables == here.tables);
      double log_likelihood = 0;
      for (const WeightedRow &row : rows_of(data))
        log_likelihood += row.weight * std::log(density_test::probability(uncut(here), row.row));
      CHECK_NEAR(there.log_likelihood, log_likelihood, 1e-9);
    }
}

TEST(chow_liu_of_poor_data) {
  for (const Prior prior : kPriors)
    for (const double alpha : {0.0, 0.3})
      for (const unsigned levels : {2u, 3u}) {
        Dataset one;
        one.rows = one.total = 1;
        for (const std::uint16_t level : {0, 1, 0, 1})
          fixtures::add_discrete(one, levels, {level});
        const TreeDensity of_one = learned(one, {}, {prior, alpha});
        CHECK(sums_to_one(of_one));
        CHECK(of_one.nodes.size() == 4 && of_one.nodes[0].variable == 0);
        CHECK(sums_to_one(learned(one, {0.0}, {prior, alpha})));

        Dataset constant = fixtures::random_table(5, 30, 3, levels);
        fixtures::add_discrete(constant, levels, std::vector<std::uint16_t>(30, 1));
        fixtures::add_discrete(constant, 1, std::vector<std::uint16_t>(30, 0));
        const TreeDensity tree = learned(constant, {}, {prior, alpha});
        CHECK(sums_to_one(tree));
        CHECK_EQUAL(tree.nodes.size(), constant.columns.size());
      }
}

// Columns that tell the same about one another: the smaller pair is taken, in whatever way levels
// are named.
TEST(chow_liu_breaks_ties_by_the_smaller_pair) {
  const std::vector<std::uint16_t> codes = {0, 1, 1, 0, 1, 0, 0, 0, 1},
                                   other = {0, 1, 0, 0, 1, 1, 0, 1, 1};
  for (unsigned flipped = 0; flipped < 16; ++flipped) {
    Dataset data;
    data.rows = data.total = codes.size();
    for (unsigned v = 0; v < 4; ++v) {
      std::vector<std::uint16_t> column = v == 2 ? other : codes;
      for (std::uint16_t &level : column)
        level = static_cast<std::uint16_t>(level ^ (flipped >> v & 1));
      fixtures::add_discrete(data, 2, column);
    }
    const TreeDensity tree = learned(data, {}, {Prior::laplace, 0.5});
    for (const TreeDensity::TreeNode &node : tree.nodes)
      CHECK(node.parent == (node.variable == 0 ? TreeDensity::kRoot : 0));
  }
}

TEST(chow_liu_does_not_depend_on_the_order_of_rows) {
  Random random(8);
  const Dataset data = fixtures::random_table(2, 70, 6, 3);
  const std::vector<double> weights = weights_of_kind(2, data.rows, random);
  std::vector<std::size_t> order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  Dataset moved = data;
  std::vector<double> moved_weights(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row) {
    moved_weights[row] = weights[order[row]];
    for (std::size_t c = 0; c < data.columns.size(); ++c)
      moved.columns[c].codes[row] = data.columns[c].codes[order[row]];
  }
  CHECK(learned(data, weights, {}).tables == learned(moved, moved_weights, {}).tables);
}

TEST(chow_liu_weights_are_repeated_rows) {
  for (const unsigned levels : {2u, 4u}) {
    const Dataset data = fixtures::random_table(6, 50, 7, levels, true);
    Dataset repeated = data;
    repeated.weights.clear();
    repeated.rows = data.total;
    for (std::size_t c = 0; c < data.columns.size(); ++c) {
      repeated.columns[c].codes.clear();
      for (std::size_t row = 0; row < data.rows; ++row)
        repeated.columns[c].codes.insert(repeated.columns[c].codes.end(), data.weights[row],
                                         data.columns[c].codes[row]);
    }
    const TreeDensity tree = learned(repeated, {}, {});
    CHECK(learned(data, {}, {}).tables == tree.tables);
    // Halves of them are no whole numbers, and are counted another way.
    std::vector<double> halves(data.weights.begin(), data.weights.end());
    for (double &weight : halves)
      weight /= 2;
    const TreeDensity of_halves = learned(data, halves, {Prior::marginal, 0});
    const TreeDensity of_wholes = learned(data, {}, {Prior::marginal, 0});
    for (std::size_t cell = 0; cell < of_wholes.tables.size(); ++cell)
      CHECK_NEAR(of_halves.tables[cell], of_wholes.tables[cell], 1e-14);
  }
}

TEST(chow_liu_stops_when_asked) {
  const TrainingRows rows(two_level_table(1, 20, 3));
  const Host interrupted = host_stopping_after(0, 1);
  Watch watch(interrupted);
  CHECK_THROWS(learn_chow_liu(rows, {}, {}, watch), Interrupted);
}

// ---- the parts ----------------------------------------------------------------------------------

TEST(training_rows_know_their_items) {
  const Dataset data = fixtures::random_table(4, 70, 5, 4);
  const TrainingRows rows(data);
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::vector<std::uint32_t> held;
    for (Node v = 0; v < data.size(); ++v)
      for (unsigned level = 1; level < data.columns[v].levels; ++level) {
        const std::size_t item = rows.items().first(v) + level - 1;
        const bool here = data.columns[v].codes[row] == level;
        CHECK_EQUAL(here, (rows.maps()[item * rows.words() + row / 64] >> (row % 64) & 1) != 0);
        if (here)
          held.push_back(static_cast<std::uint32_t>(item));
      }
    CHECK(held == std::vector<std::uint32_t>(rows.items_of(row), rows.items_end(row)));
  }
}

TEST(map_pairs_and_selections_are_counted_bit_by_bit) {
  Random random(5);
  for (const std::size_t items : {1u, 7u, 8u, 9u, 25u})
    for (const std::size_t words : {0u, 1u, 7u, 8u, 13u, 16u, 39u}) {
      std::vector<std::uint64_t> maps(items * words), mask(words);
      for (std::uint64_t &word : maps)
        word = random.next() & random.next();
      for (std::uint64_t &word : mask)
        word = random.below(4) ? random.next() : 0;
      const auto bit = [&](const std::uint64_t *map, std::size_t i) {
        return (map[i / 64] >> (i % 64) & 1) != 0;
      };
      std::vector<PairCounts> counts;
      Pace pace(nullptr);
      counts.emplace_back(items);
      count_map_pairs(maps.data(), items, words, counts.back(), pace);
      for (const MapTile tile : all_map_tiles()) {
        counts.emplace_back(items);
        for (std::size_t top = 0; top < items; top += kMapTile)
          tile(maps.data(), items, words, top, counts.back());
      }
      for (std::size_t u = 0; u < items; ++u)
        for (std::size_t v = 0; v < items; ++v) {
          std::uint32_t both = 0;
          for (std::size_t i = 0; i < 64 * words; ++i)
            both += bit(&maps[u * words], i) && bit(&maps[v * words], i);
          for (const PairCounts &counted : counts)
            CHECK_EQUAL(counted.row(u)[v], both);
          for (const CountIntersections count : all_intersection_counts()) {
            std::uint32_t found = 99;
            count(maps.data() + u * words, 1, words, maps.data() + v * words, &found);
            CHECK_EQUAL(found, both);
          }
        }
      std::vector<std::vector<std::uint64_t>> expected(items);
      std::size_t selected = 0;
      for (std::size_t i = 0; i < 64 * words; ++i)
        if (bit(mask.data(), i)) {
          for (std::size_t u = 0; u < items; ++u) {
            if (selected % 64 == 0)
              expected[u].push_back(0);
            expected[u].back() |= std::uint64_t{bit(&maps[u * words], i)} << (selected % 64);
          }
          ++selected;
        }
      std::vector<std::uint64_t> all;
      for (const auto &map : expected)
        all.insert(all.end(), map.begin(), map.end());
      CHECK(select_bits(maps.data(), items, mask) == all);
      for (const SelectBits select : all_bit_selections())
        for (std::size_t u = 0; u < items; ++u) {
          std::vector<std::uint64_t> to(expected[u].size(), 0);
          select(maps.data() + u * words, mask.data(), words, to.data());
          CHECK(to == expected[u]);
        }
    }
}

TEST(weighted_pairs_are_counted_row_by_row) {
  Random random(9);
  for (const unsigned columns : {5u, 16u, 45u})
    for (const unsigned rare : {2u, 20u}) { // held by a row in so many
      Dataset data;
      data.rows = data.total = 75;
      for (unsigned c = 0; c < columns; ++c) {
        std::vector<std::uint16_t> codes(data.rows);
        for (std::uint16_t &level : codes)
          level = random.below(rare) == 0;
        fixtures::add_discrete(data, 2, codes);
      }
      const TrainingRows rows(data);
      std::vector<std::uint32_t> row;
      std::vector<double> weight;
      for (std::uint32_t i = 3; i < 75; i += 1 + random.below(2)) {
        row.push_back(i);
        weight.push_back(random.below(1000) / 64.0);
      }
      PairCounts counts(columns);
      Pace pace(nullptr);
      count_weighted_pairs(rows, row, weight, counts, pace);
      for (unsigned u = 0; u < columns; ++u)
        for (unsigned v = 0; v < columns; ++v) {
          double sum = 0;
          for (std::size_t i = 0; i < row.size(); ++i)
            sum += weight[i] * data.columns[u].codes[row[i]] * data.columns[v].codes[row[i]];
          CHECK_EQUAL(counts.row(u)[v], sum);
        }
    }
}

TEST(weighted_tiles_are_added_alike) {
  Random random(10);
  for (const std::size_t items : {1u, 8u, 20u, 45u, 70u}) {
    WeightedTile tile(items);
    for (std::size_t i = 0; i < WeightedTile::kRows; ++i)
      for (std::size_t v = 0; v < items; ++v)
        if (random.below(3) == 0) {
          tile.weights[i * tile.stride + v] = 1 + random.below(1000) / 64.0;
          tile.holders[v] |= 1u << i;
        }
    for (const AddTile add : all_weighted_tiles()) {
      PairCounts counts(items);
      counts.clear();
      add(tile, counts);
      add(tile, counts);
      for (std::size_t u = 0; u < items; ++u)
        for (std::size_t v = u; v < items; ++v) {
          double sum = 0;
          for (std::size_t i = 0; i < WeightedTile::kRows; ++i)
            if (tile.holders[u] >> i & 1)
              sum += tile.weights[i * tile.stride + v];
          CHECK_EQUAL(counts.row(u)[v], 2 * sum);
        }
    }
  }
}

TEST(lane_logarithms_are_right_to_the_last_digits) {
  Random random(6);
  for (int i = 0; i < 20000; ++i) {
    const Lanes2 x = {std::exp(1400 * random.uniform() - 700), 0.5 + random.uniform()};
    Lanes2 log;
    logarithm(log, x);
    for (const int lane : {0, 1})
      CHECK_NEAR(log[lane], std::log(x[lane]), 2e-15 * std::abs(std::log(x[lane])));
  }
  Lanes2 log;
  logarithm(log, Lanes2{0, 1});
  CHECK_EQUAL(0 * log[0], 0.0);
  CHECK_EQUAL(log[1], 0.0);
}

TEST(pair_kernels_agree_to_the_last_bit) {
  Random random(7);
  const std::size_t size = 40;
  const double total = 500;
  std::vector<double> counts(size), p(size), shares(size, 0.25), both(size);
  for (std::size_t v = 0; v < size; ++v) {
    counts[v] = v < 3 ? 0 : random.below(400);
    p[v] = (counts[v] + 1) / (total + 2);
    both[v] = std::min(counts[v], counts[5]) * (v % 2);
  }
  std::vector<std::vector<double>> results;
  for (const PairKernels &kernels : all_pair_kernels()) {
    std::vector<double> entropies(size), log_p(size), p_log_p(size), scale(size),
        strongest(size, -1), rank(size, 0), alone(size), edges(size), own = p;
    const Margins margins = {own.data(), log_p.data(), p_log_p.data(), scale.data()};
    const Fringe fringe = {strongest.data(), rank.data()};
    strongest[5] = strongest[8] = std::numeric_limits<double>::infinity();
    strongest[9] = 0.4;
    double information = 0, chosen = 0;
    kernels.p_log_p(p.data(), size, entropies.data());
    kernels.margins(margins, counts.data(), total, size, alone.data());
    const RowPrior prior = {counts.data(), shares.data(), 0.02, 0.3, 0.07};
    kernels.update(margins, 5, both.data(), prior, total + 2, size, fringe);
    kernels.update(margins, 8, counts.data(), prior, total + 2, size, fringe);
    kernels.strongest(fringe, size, &information, &chosen);
    const std::vector<double> fixed(size, 0.05);
    kernels.edges(p.data(), p.data(), fixed.data(), counts.data(), counts.data(), both.data(),
                  total, size, edges.data());
    std::vector<double> all = {information, chosen};
    for (const auto *part :
         {&entropies, &log_p, &p_log_p, &scale, &strongest, &rank, &alone, &edges})
      all.insert(all.end(), part->begin(), part->end());
    results.push_back(all);
  }
  for (const std::vector<double> &result : results)
    CHECK(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(double)) == 0);
}

// A slice without rows is not the slice of all rows, however sparse they are.
TEST(empty_slices_count_nothing) {
  Dataset data;
  data.rows = data.total = 640;
  for (unsigned c = 0; c < 100; ++c) { // one item a row
    std::vector<std::uint16_t> codes(data.rows);
    for (std::size_t row = 0; row < data.rows; ++row)
      codes[row] = row % 100 == c;
    fixtures::add_discrete(data, 2, codes);
  }
  fixtures::add_discrete(data, 3, std::vector<std::uint16_t>(data.rows, 0)); // always level 0
  const TrainingRows rows(data);
  const std::vector<double> none(data.rows, 0.0), ones(data.rows, 1.0), halves(data.rows, 0.5);
  std::vector<Slice> empty = {Slice(rows, none)};
  for (const std::vector<double> &weights : {std::vector<double>(), ones, halves})
    empty.push_back(Slice(rows, weights).part(100, 2));
  empty.push_back(empty[1].part(3, 0));
  for (const Slice &slice : empty) {
    PairCounts alone(rows.items().size());
    slice.count_alone(alone);
    const PairCounts counts = slice.counted();
    CHECK_EQUAL(slice.total(), 0.0);
    CHECK_EQUAL(counts.total, 0.0);
    for (std::size_t u = 0; u < rows.items().size(); ++u) {
      CHECK_EQUAL(alone.alone(u), 0.0);
      for (std::size_t v = 0; v < rows.items().size(); ++v)
        CHECK_EQUAL(counts.row(u)[v], 0.0);
    }
  }
  for (const Prior prior : kPriors)
    CHECK(sums_to_one(learned(data, none, {prior, 1})));
}

// Rows that hold few items are counted by lists, others by maps.
TEST(slices_of_any_density_are_counted_alike) {
  Random random(11);
  for (const unsigned rare : {2u, 40u, 300u}) { // held by a row in so many
    Dataset data;
    data.rows = data.total = 400;
    for (unsigned c = 0; c < 60; ++c) {
      std::vector<std::uint16_t> codes(data.rows);
      for (std::uint16_t &level : codes)
        level = random.below(rare) == 0;
      fixtures::add_discrete(data, 2, codes);
    }
    const TrainingRows rows(data);
    const PairCounts of_rows = Slice(rows, std::vector<double>()).counted();
    const PairCounts of_bits = Slice(rows, std::vector<double>(data.rows, 1.0)).counted();
    for (unsigned u = 0; u < 60; ++u)
      for (unsigned v = 0; v < 60; ++v) {
        double sum = 0;
        for (std::size_t row = 0; row < data.rows; ++row)
          sum += data.columns[u].codes[row] * data.columns[v].codes[row];
        CHECK_EQUAL(of_rows.row(u)[v], sum);
        CHECK_EQUAL(of_bits.row(u)[v], sum);
      }
  }
}
