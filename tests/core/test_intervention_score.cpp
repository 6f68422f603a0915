#include "check.h"
#include "score_fixtures.h"
#include "source_fixtures.h"
#include "tree_fixtures.h"

#include "core/score/intervention_score.h"

#include <stdexcept>

using namespace fixtures;

namespace {

// Each family scores what it does without the rows in which its child was set.
void check_rows_left(const Dataset &data, ScoreSettings chosen) {
  const auto score = make_score(data, with_experiments(chosen, data));
  const std::vector<std::vector<std::size_t>> set = with_experiments(chosen, data).set;
  for (Node child = 0; child < data.size(); ++child) {
    const Dataset left = rows_left(data, set[child]);
    CHECK_EQUAL(score->rows_of(child)->total, left.total);
    const auto alone = make_score(left, chosen);
    for (const std::vector<Node> &parents : all_parent_sets(data, child)) {
      if (std::any_of(parents.begin(), parents.end(),
                      [&](Node u) { return !alone->admits(child, u); }))
        continue;
      const double found = score_one(*score, child, parents);
      CHECK(found == score_one(*alone, child, parents));
      const auto size = static_cast<unsigned>(parents.size());
      if (size > 0) // before, some bounds are not known yet
        CHECK(score->bound(child, parents.data(), size) ==
              alone->bound(child, parents.data(), size));
    }
  }
}

} // namespace

TEST(nodes_that_were_set_score_the_rows_left) {
  for (const bool weighted : {false, true}) {
    const Dataset tables = random_table(4, 120, 4, 3, weighted);
    for (const char *label :
         {"loglik", "bic", "fnml", "qnml", "bde", "bds", "mbde", "bdla", "k2", "bdj", "pnal"})
      check_rows_left(tables, settings(label, 2.5));
    Dataset numbers;
    numbers.rows = numbers.total = 60;
    add_continuous(numbers, 7, 4);
    ScoreSettings bge = settings("bge");
    bge.iss_w = 6;
    bge.nu.assign(4, 0.25);
    check_rows_left(numbers, bge);
    for (const char *label : {"bic-g", "pnal-g"})
      check_rows_left(numbers, settings(label, 2));
    const Dataset mixed = mixed_data(3, 90, 3, 2, 3, weighted);
    for (const char *label : {"bic-cg", "pnal-cg"})
      check_rows_left(mixed, settings(label, 2));
    for (const char *label : {"pcart", "pcart-p", "ft", "ft-p"})
      check_rows_left(mixed, tree_settings(mixed, label));
    check_rows_left(with_holes(tables, 2, 0.2), settings("pnal", 2));
    Dataset known = tables;
    const ScoreSettings predictive = settings_with_new_rows("pred-loglik", known, 30, 1);
    check_rows_left(known, predictive);
  }
}

TEST(rows_left_in_a_source_score_as_those_in_memory) {
  const Dataset data = random_table(4, 120, 4, 3);
  for (const char *label : {"bic", "bde", "pnal"}) {
    const ScoreSettings here = with_experiments(settings(label, 2.5), data);
    ScoreSettings there = settings(label, 2.5);
    for (const std::vector<std::size_t> &set : here.set)
      there.left.push_back(
          set.empty() ? nullptr
                      : std::make_shared<const Dataset>(kept_elsewhere(rows_left(data, set))));
    const auto in_memory = make_score(data, here);
    const auto in_source = make_score(kept_elsewhere(data), there);
    for (Node child = 0; child < data.size(); ++child)
      for (const std::vector<Node> &parents : all_parent_sets(data, child))
        CHECK_NEAR(score_one(*in_source, child, parents), score_one(*in_memory, child, parents),
                   1e-10);
  }
}

// What one node gains says nothing of another's rows.
TEST(gains_are_bounded_among_nodes_of_the_same_rows) {
  const Dataset data = random_table(2, 100, 5, 3);
  const auto score = make_score(data, with_experiments(settings("bic", 2), data));
  CHECK(score->bounds_gain());
  CHECK(score->gain_bound(0, 2, nullptr, 0, -10) < LocalScore::kInfinity);
  CHECK(score->gain_bound(0, 1, nullptr, 0, -10) == LocalScore::kInfinity);
  CHECK(score->gain_bound(0, 3, nullptr, 0, -10) == LocalScore::kInfinity);
}

TEST(rows_are_set_of_the_nodes_there_are) {
  const Dataset data = random_table(2, 20, 3, 2);
  ScoreSettings chosen = settings("bic");
  chosen.set.resize(2);
  CHECK_THROWS(make_score(data, chosen), std::invalid_argument);
  chosen.set.clear();
  chosen.left.resize(2);
  CHECK_THROWS(make_score(data, chosen), std::invalid_argument);
}
