#include "check.h"
#include "score_fixtures.h"

#include "core/data/counting.h"

#include <algorithm>

using namespace fixtures;

namespace {

std::vector<double> sorted_counts(const Dataset &data, const std::vector<Node> &columns) {
  std::vector<double> counts;
  for (const auto &[cell, n] : count_cells(known_rows(data, columns), columns))
    counts.push_back(n);
  std::sort(counts.begin(), counts.end());
  return counts;
}

std::vector<double> sorted_counts(const CellCounts &cells) {
  std::vector<double> counts(cells.singletons, 1);
  counts.insert(counts.end(), cells.counts.begin(), cells.counts.end());
  std::sort(counts.begin(), counts.end());
  return counts;
}

// Every subset of the columns, in lexicographic order and then in random order.
void check_all_subsets(const Dataset &data) {
  std::vector<std::vector<Node>> sets;
  for (unsigned mask = 0; mask < 1u << data.size(); ++mask) {
    std::vector<Node> set;
    for (Node c = 0; c < data.size(); ++c)
      if (mask >> c & 1)
        set.push_back(c);
    sets.push_back(set);
  }
  std::sort(sets.begin(), sets.end());
  const DistinctRows rows(data);
  CellCounter counter(rows);
  Random random(1);
  for (int round = 0; round < 2; ++round) {
    for (const std::vector<Node> &set : sets)
      CHECK(sorted_counts(counter.count(set.data(), static_cast<unsigned>(set.size()))) ==
            sorted_counts(data, set));
    random.shuffle(sets);
  }
}

} // namespace

TEST(counts_equal_a_map_of_cells) {
  for (unsigned levels : {2u, 3u, 6u, 16u, 40u}) // above 16 levels columns are not packed
    for (std::size_t rows : {1u, 2u, 63u, 64u, 65u, 700u})
      check_all_subsets(random_table(levels * 1000 + rows, rows, 6, levels));
}

TEST(weighted_counts_equal_a_map_of_cells) {
  for (std::size_t rows : {1u, 65u, 400u})
    check_all_subsets(random_table(rows, rows, 6, 5, true));
}

TEST(rows_that_miss_a_value_are_in_no_cell) {
  for (unsigned levels : {2u, 5u, 40u})
    for (std::size_t rows : {65u, 700u})
      for (const bool weighted : {false, true})
        for (const Node first : {0, 3}) {
          const Dataset data = with_holes(
              random_table(levels * 1000 + rows, rows, 6, levels, weighted), rows, 0.2, first);
          check_all_subsets(data);
          check_all_subsets(distinct_rows(data));
        }
}

TEST(merging_identical_rows_leaves_counts_as_they_are) {
  for (bool weighted : {false, true}) {
    const Dataset data = random_table(8, 500, 5, 3, weighted), distinct = distinct_rows(data);
    CHECK(distinct.rows < 500);
    CHECK_EQUAL(distinct.total, data.total);
    for (const std::vector<Node> &set :
         std::vector<std::vector<Node>>{{}, {3}, {0, 2}, {0, 1, 2, 3, 4}})
      CHECK(sorted_counts(distinct, set) == sorted_counts(data, set));
    check_all_subsets(distinct);
  }
  Dataset heavy = distinct_rows(random_table(9, 60, 5, 3)); // too heavy for bits
  heavy.weights.assign(heavy.rows, 1000);
  heavy.total = 1000 * heavy.rows;
  CHECK_EQUAL(BitColumns(heavy).words(), 0u);
  check_all_subsets(heavy);
}

TEST(rows_are_in_the_order_of_their_columns) {
  for (const bool holes : {false, true}) {
    const Dataset table = random_table(6, 300, 7, 4);
    const DistinctRows data(holes ? with_holes(table, 2, 0.1, 1) : table);
    std::vector<Node> columns(data.rows.size()); // by rank
    for (Node c = 0; c < columns.size(); ++c)
      columns[data.order.rank(c)] = c;
    for (unsigned first = 0; first <= columns.size(); ++first) {
      std::vector<std::vector<unsigned>> configurations;
      for (std::size_t row = 0; row < data.rows.rows; ++row) {
        std::vector<unsigned> values;
        for (unsigned rank = 0; rank < first; ++rank)
          values.push_back(data.rows.columns[columns[rank]].codes[row]);
        const bool is_new = configurations.empty() || configurations.back() < values;
        CHECK(is_new || configurations.back() == values);
        CHECK_EQUAL(is_new, row == 0 || data.order.shared()[row] < first);
        if (is_new)
          configurations.push_back(values);
      }
      CHECK_EQUAL(data.order.configurations_below(first), configurations.size());
    }
  }
}

// Of rows with more columns than one number holds some differ in the last column alone.
TEST(rows_of_many_columns_are_distinct_in_any_of_them) {
  Dataset data = random_table(9, 4, 150, 3);
  for (Column &column : data.columns)
    column.codes = {column.codes[0], column.codes[1], column.codes[0], column.codes[0]};
  data.columns.back().codes = {0, 1, 0, 2};
  const Dataset distinct = distinct_rows(data);
  CHECK_EQUAL(distinct.rows, 3u);
  CHECK(std::count(distinct.weights.begin(), distinct.weights.end(), 2u) == 1);
  for (const Node first : {Node{0}, Node{70}, Node{148}})
    CHECK(sorted_counts(distinct, {first, 149}) == sorted_counts(data, {first, 149}));
}

TEST(counts_do_not_depend_on_what_was_counted_before) {
  const Dataset data = random_table(5, 900, 7, 4);
  const DistinctRows rows(data);
  const std::vector<Node> set{1, 3, 4, 6}, other{1, 3, 5};
  CellCounter fresh(rows), used(rows);
  used.count(other.data(), 3);
  const CellCounts a = fresh.count(set.data(), 4), b = used.count(set.data(), 4);
  CHECK(a.counts == b.counts && a.singletons == b.singletons);
}
