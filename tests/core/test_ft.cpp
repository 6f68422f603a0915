#include "check.h"
#include "tree_fixtures.h"

#include "core/score/local_structure/cell_tally.h"
#include "core/score/local_structure/ft_score.h"

using namespace fixtures;

namespace {

void check_all_tables(const Dataset &data, const ScoreSettings &chosen) {
  const Host host;
  Watch watch(host);
  FtScore score(data, chosen);
  for (Node child = 0; child < data.size(); ++child)
    for (const std::vector<Node> &parents : all_parent_sets(data, child)) {
      const double wanted = slow_table_score(data, chosen, child, parents);
      CHECK_NEAR(score_one(score, child, parents), wanted, 1e-9);
      // The ways it names reach the score, as the only ones.
      ScoreSettings only = chosen;
      const std::vector<std::size_t> ways = score.best_binnings(child, parents, watch);
      for (std::size_t i = 0; i < parents.size(); ++i)
        if (!data.columns[parents[i]].discrete())
          only.cuts[parents[i]] = {chosen.cuts[parents[i]][ways[i]]};
      CHECK_NEAR(slow_table_score(data, only, child, parents), wanted, 1e-9);
    }
}

} // namespace

TEST(ft_equals_the_best_of_all_tables) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Dataset data = mixed_data(seed, 20 + 15 * seed, 2, 3, 3, seed % 2 == 0);
    for (double &x : data.columns[3].values)
      x = std::round(x); // ties: cuts of different ways coincide, and bins stay empty
    ScoreSettings chosen = tree_settings(data, "ft");
    check_all_tables(data, chosen);
    chosen.leaf.iss = 2;
    check_all_tables(data, chosen);
  }
}

TEST(ft_threads_give_equal_scores) {
  const Dataset data = mixed_data(2, 60, 2, 3, 3);
  const ScoreSettings chosen = tree_settings(data, "ft");
  std::vector<std::vector<double>> scores;
  for (unsigned threads : {1, 2}) {
    Host host;
    host.threads = threads;
    Watch watch(host);
    FamilyBatch batch;
    batch.parents = 2;
    for (const std::vector<Node> &parents : all_parent_sets(data, 0))
      if (parents.size() == 2)
        batch.add(0, parents.data());
    FamilyScores result;
    make_score(data, chosen)->score(batch, watch, result);
    scores.push_back(result.score);
  }
  CHECK(scores[0] == scores[1]);
}

TEST(ft_is_the_jeffreys_score_on_discrete_columns) {
  const Dataset data = random_table(3, 120, 4, 4);
  const auto ft = make_score(data, tree_settings(data, "ft"));
  const auto bdj = make_score(data, settings("bdj"));
  FtScore direct(data, tree_settings(data, "ft"));
  for (const std::vector<Node> &parents : all_parent_sets(data, 1)) {
    CHECK_EQUAL(score_one(*ft, 1, parents), score_one(*bdj, 1, parents));
    CHECK_NEAR(score_one(direct, 1, parents), score_one(*bdj, 1, parents), 1e-9);
  }
}

TEST(tallies_equal_counts_row_by_row) {
  for (bool weighted : {false, true}) {
    const Dataset data = mixed_data(6, 900, 4, 2, 5, weighted); // cells of more than 255 rows
    const ScoreSettings chosen = tree_settings(data, "ft");
    const Responses responses(data, chosen.scale);
    CellTally tally(responses);
    const std::vector<std::uint32_t> digit(data.columns[1].codes.begin(),
                                           data.columns[1].codes.end());
    tally.count({{digit.data(), data.columns[1].levels}});
    for (std::size_t cell = 0; cell < tally.cells(); ++cell)
      for (Node v = 0; v < data.size(); ++v) {
        std::vector<double> count(data.columns[v].levels, 0);
        double rows = 0, sum = 0, squares = 0;
        for (std::size_t row = 0; row < data.rows; ++row) {
          if (digit[row] != tally.key(cell))
            continue;
          rows += data.weight(row);
          if (data.columns[v].discrete()) {
            count[data.columns[v].codes[row]] += data.weight(row);
            continue;
          }
          const double x = (data.columns[v].values[row] - 0.3) / 1.7 - responses.shift(v);
          sum += data.weight(row) * x;
          squares += data.weight(row) * x * x;
        }
        CHECK_EQUAL(rows, tally.rows(cell));
        const std::size_t offset = responses.offset(v);
        for (std::size_t level = 0; level < count.size(); ++level)
          CHECK_EQUAL(count[level], tally.counts(cell)[offset + level]);
        if (!data.columns[v].discrete()) {
          CHECK_NEAR(tally.means(cell)[offset], sum / rows, 1e-12);
          CHECK_NEAR(tally.squares(cell)[offset], squares - sum * sum / rows, 1e-9);
        }
      }
  }
}
