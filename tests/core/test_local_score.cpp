#include "check.h"
#include "score_fixtures.h"

#include "core/score/gaussian/column_factor.h"
#include "core/score/mixed_families.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <stdexcept>

using namespace fixtures;

TEST(table_scores_equal_their_definitions) {
  for (const char *label :
       {"loglik", "bic", "fnml", "qnml", "bde", "bds", "mbde", "bdla", "k2", "bdj"})
    for (unsigned kind = 0; kind < 4; ++kind) {
      const Dataset data = random_table(11, 150, 5, 5, kind % 2 == 1);
      ScoreSettings chosen = settings(label, 2.5);
      if (std::string(label) == "mbde" || kind == 3)
        chosen = with_experiments(chosen, data);
      if (kind > 1)
        chosen = with_prior(chosen, 5, kind);
      const auto score = make_score(data, chosen);
      for (Node child = 0; child < 5; ++child)
        for (const std::vector<Node> &parents : all_parent_sets(data, child)) {
          const double wanted = table_score(data, chosen, child, parents);
          CHECK_NEAR(score_one(*score, child, parents), wanted, 1e-10);
        }
    }
}

TEST(predictive_scores_equal_their_definition) {
  for (const double iss : {0.0, 0.01, 1.0, 30.0})
    for (const bool weighted : {false, true}) {
      Dataset data = random_table(5, 200, 5, 4, weighted);
      const ScoreSettings chosen = settings_with_new_rows("pred-loglik", data, 60, iss);
      const auto score = make_score(data, chosen);
      for (Node child = 0; child < 5; ++child)
        for (const std::vector<Node> &parents : all_parent_sets(data, child)) {
          const double wanted = predictive_score(data, chosen, child, parents),
                       found = score_one(*score, child, parents);
          CHECK(std::isfinite(wanted) || iss == 0);
          if (std::isfinite(wanted))
            CHECK_NEAR(found, wanted, 1e-10);
          else
            CHECK(found == wanted);
        }
    }
}

// Of the rows in which the family is known: the mean of loglik, which has its own definition.
TEST(node_averages_are_means_over_the_rows_that_know_the_family) {
  for (const bool weighted : {false, true})
    for (const double share : {0.0, 0.3}) {
      Dataset data = random_table(11, 400, 3, 3, weighted);
      add_continuous(data, 5, 3);
      data = with_holes(data, 2, share, 1);
      for (const bool mixed : {false, true}) {
        if (!mixed)
          data.columns.resize(3);
        const ScoreSettings chosen = settings(mixed ? "pnal-cg" : "pnal", 2.5);
        const auto score = make_score(data, chosen);
        for (Node child = 0; child < data.size(); ++child)
          for (const std::vector<Node> &parents : all_parent_sets(data, child)) {
            if (std::any_of(parents.begin(), parents.end(),
                            [&](Node u) { return !score->admits(child, u); }))
              continue;
            std::vector<Node> family = parents;
            family.push_back(child);
            const Dataset known = known_rows(data, family);
            const double log_likelihood = score_one(
                *make_score(known, settings(mixed ? "loglik-cg" : "loglik")), child, parents);
            double parameters = data.columns[child].discrete() ? data.columns[child].levels - 1 : 2;
            for (const Node u : parents)
              if (!data.columns[u].discrete())
                parameters += 1;
            for (const Node u : parents)
              if (data.columns[u].discrete())
                parameters *= data.columns[u].levels;
            CHECK_NEAR(score_one(*score, child, parents),
                       log_likelihood / static_cast<double>(known.total) -
                           chosen.k * parameters / static_cast<double>(data.total),
                       1e-11);
          }
      }
    }
}

TEST(families_that_no_row_knows_have_no_average) {
  Dataset data = random_table(3, 100, 3, 2);
  add_continuous(data, 5, 2);
  for (Column &column : data.columns)
    column.holes = true;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (row % 2 == 0)
      data.columns[0].codes[row] = 2, data.columns[3].values[row] = std::nan("");
    else
      data.columns[1].codes[row] = 2, data.columns[4].values[row] = std::nan("");
  }
  const auto score = make_score(data, settings("pnal-cg"));
  const double none = -LocalScore::kInfinity;
  CHECK(score_one(*score, 0, {1}) == none);
  CHECK(score_one(*score, 3, {4}) == none);
  CHECK(score_one(*score, 3, {1}) == none);
  CHECK(score_one(*score, 3, {0}) > none);
  CHECK(score_one(*score, 0, {2}) > none);
}

namespace {

// The log-density of the new rows, by normal equations in plain loops.
double predictive_density(const Dataset &data, const Dataset &newdata, Node child,
                          const std::vector<Node> &parents) {
  std::vector<Node> discrete, continuous;
  for (const Node u : parents)
    (data.columns[u].discrete() ? discrete : continuous).push_back(u);
  const auto width = static_cast<Eigen::Index>(continuous.size()) + 1;
  const auto alike = [&](std::size_t row, std::size_t fresh) {
    return std::all_of(discrete.begin(), discrete.end(), [&](Node u) {
      return data.columns[u].codes[row] == newdata.columns[u].codes[fresh];
    });
  };
  const auto regressors = [&](const Dataset &rows, std::size_t row) {
    Eigen::VectorXd x = Eigen::VectorXd::Ones(width);
    for (Eigen::Index j = 1; j < width; ++j)
      x[j] = rows.columns[continuous[static_cast<std::size_t>(j - 1)]].values[row];
    return x;
  };
  double sum = 0;
  for (std::size_t fresh = 0; fresh < newdata.rows; ++fresh) {
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(width, width);
    Eigen::VectorXd with_child = Eigen::VectorXd::Zero(width);
    double total = 0, rss = 0;
    Eigen::Index distinct = 0;
    for (std::size_t row = 0; row < data.rows; ++row)
      if (alike(row, fresh)) {
        const Eigen::VectorXd x = regressors(data, row);
        products += data.weight(row) * x * x.transpose();
        with_child += data.weight(row) * data.columns[child].values[row] * x;
        total += data.weight(row);
        ++distinct;
      }
    if (distinct <= width)
      return -LocalScore::kInfinity;
    const Eigen::VectorXd fit = products.ldlt().solve(with_child);
    for (std::size_t row = 0; row < data.rows; ++row)
      if (alike(row, fresh))
        rss += data.weight(row) *
               std::pow(data.columns[child].values[row] - fit.dot(regressors(data, row)), 2);
    const double variance = rss / (discrete.empty() ? total - 1 : total - width);
    const double error = newdata.columns[child].values[fresh] - fit.dot(regressors(newdata, fresh));
    sum -= std::log(2 * 3.14159265358979324 * variance) / 2 + error * error / (2 * variance);
  }
  return sum;
}

} // namespace

TEST(predictive_densities_equal_their_definition) {
  unsigned impossible = 0;
  for (const bool weighted : {false, true}) {
    Dataset data = random_table(3, 110, 3, 3, weighted);
    add_continuous(data, 9, 3);
    const ScoreSettings chosen = settings_with_new_rows("pred-loglik-cg", data, 30, 1);
    const auto score = make_score(data, chosen);
    for (Node child = 3; child < 6; ++child)
      for (const std::vector<Node> &parents : all_parent_sets(data, child)) {
        const double wanted = predictive_density(data, chosen.newdata, child, parents),
                     found = score_one(*score, child, parents);
        impossible += !std::isfinite(wanted);
        if (std::isfinite(wanted))
          CHECK_NEAR(found / wanted, 1, 1e-9);
        else
          CHECK(found == wanted);
      }
  }
  CHECK(impossible > 0);
}

TEST(predictive_densities_need_a_residual_and_leave_out_copies) {
  Dataset data;
  data.rows = data.total = 40;
  add_continuous(data, 1, 3);
  data.columns.push_back(data.columns[0]);
  const auto score = make_score(data, settings_with_new_rows("pred-loglik-g", data, 10, 1));
  CHECK(score_one(*score, 0, {3}) == -LocalScore::kInfinity); // an exact copy
  CHECK_NEAR(score_one(*score, 2, {0, 3}), score_one(*score, 2, {0}), 1e-9);
}

TEST(regrets_equal_their_definition) {
  const NmlRegret found(2000);
  for (unsigned n = 0; n <= 12; ++n)
    for (unsigned k = 1; k <= 5; ++k)
      CHECK_NEAR(found(n, k), regret(n, k), 1e-12);
  // Where approximations take over.
  for (unsigned k : {2u, 3u, 10u, 100u})
    CHECK_NEAR(found(1001, k) - found(1000, k), found(1000, k) - found(999, k), 2e-3);
  for (unsigned n : {50u, 1000u})
    CHECK_NEAR(found(n, 101) / found(n, 100), found(n, 100) / found(n, 99), 2e-3);
}

// More joint levels of the parents cost more, exact or approximate.
TEST(penalties_of_quotients_rise_with_the_parents) {
  const NmlRegret regret(1u << 20);
  for (std::uint64_t n = 1; n < 1u << 20; n = n * 5 / 3 + 1)
    for (double r = 2; r < 300; r = std::ceil(r * 1.7)) {
      double before = -1;
      for (double q = 1; q < 1e12; q = std::ceil(q * 1.2)) {
        const double penalty = regret(n, r * q) - regret(n, q);
        CHECK(penalty > before - 1e-6 * (1 + before));
        before = penalty;
      }
    }
}

TEST(weights_are_repeated_rows) {
  Dataset once = random_table(4, 300, 3, 3, true), repeated = once;
  add_continuous(once, 9, 2);
  repeated = once;
  repeated.weights.clear();
  repeated.rows = once.total;
  for (std::size_t c = 0; c < once.columns.size(); ++c) {
    Column &column = repeated.columns[c];
    column.codes.clear();
    column.values.clear();
    for (std::size_t row = 0; row < once.rows; ++row)
      for (unsigned copy = 0; copy < once.weights[row]; ++copy)
        if (column.discrete())
          column.codes.push_back(once.columns[c].codes[row]);
        else
          column.values.push_back(once.columns[c].values[row]);
  }
  const auto a = make_score(once, settings("bic-cg")), b = make_score(repeated, settings("bic-cg"));
  for (const std::vector<Node> &parents :
       std::vector<std::vector<Node>>{{}, {0}, {4}, {0, 4}, {0, 1, 4}})
    CHECK_NEAR(score_one(*a, 3, parents), score_one(*b, 3, parents), 1e-9);
  CHECK_NEAR(score_one(*a, 2, {0, 1}), score_one(*b, 2, {0, 1}), 1e-9);
}

// To the last bit: processes share batches out, and each may have others beside a family.
TEST(scores_do_not_depend_on_what_else_is_scored) {
  for (const bool weighted : {false, true}) {
    Dataset mixed = random_table(3, 150, 3, 3, weighted);
    add_continuous(mixed, 9, 4);
    const ScoreSettings predictive = settings_with_new_rows("pred-loglik-cg", mixed, 40, 1);
    for (const ScoreSettings &chosen : {settings("bic-cg"), predictive}) {
      const auto score = make_score(mixed, chosen);
      MixedFamilies all;
      std::vector<double> alone;
      for (const Node child : {6, 3, 5, 0})
        for (const std::vector<Node> &parents : all_parent_sets(mixed, child)) {
          if (!std::all_of(parents.begin(), parents.end(),
                           [&](Node u) { return score->admits(child, u); }))
            continue;
          all.add(child, parents);
          alone.push_back(score_one(*score, child, parents));
        }
      const Host host;
      Watch watch(host);
      CHECK(all.score(*score, watch) == alone);
    }
  }
}

// Both directions of an arc are one equivalence class.
TEST(score_equivalence) {
  Dataset table = random_table(21, 200, 3, 4), gaussian;
  gaussian.rows = gaussian.total = 200;
  add_continuous(gaussian, 22, 3);
  for (const char *label : {"loglik", "bic", "bde"}) {
    const auto score = make_score(table, settings(label, 3));
    CHECK_NEAR(score_one(*score, 0, {}) + score_one(*score, 1, {0}),
               score_one(*score, 1, {}) + score_one(*score, 0, {1}), 1e-9);
  }
  ScoreSettings bge = settings("bge");
  bge.iss_w = 5;
  bge.nu = {0.5, -1, 2};
  const auto score = make_score(gaussian, bge);
  CHECK_NEAR(score_one(*score, 0, {2}) + score_one(*score, 1, {0, 2}),
             score_one(*score, 1, {2}) + score_one(*score, 0, {1, 2}), 1e-8);
}

TEST(regressions_without_rows_or_residuals_have_no_score) {
  Dataset data;
  data.rows = data.total = 4;
  add_continuous(data, 1, 4);
  data.columns.push_back(data.columns[0]);
  const auto score = make_score(data, settings("loglik-g"));
  CHECK(score_one(*score, 0, {4}) == -LocalScore::kInfinity);       // an exact copy
  CHECK(score_one(*score, 0, {1, 2, 3}) == -LocalScore::kInfinity); // no degree of freedom left
  CHECK(std::isfinite(score_one(*score, 0, {1, 2})));
}

TEST(collinear_parents_explain_once) {
  Dataset data;
  data.rows = data.total = 50;
  add_continuous(data, 2, 3);
  data.columns.push_back(data.columns[0]);
  const auto score = make_score(data, settings("loglik-g"));
  // The same residuals as with one of the copies, one degree of freedom less.
  const double one = score_one(*score, 2, {0}), two = score_one(*score, 2, {0, 3});
  CHECK_NEAR(two - one, -25 * std::log(48.0 / 47) + 0.5, 1e-9);
}

TEST(column_factor_keeps_digits_of_nearly_collinear_columns) {
  Eigen::MatrixXd matrix(5, 3);
  matrix << 1, 1, 2, 1, 1 + 1e-6, 0, 1, 1, 1, 1, 1 - 1e-6, 3, 1, 1, 5;
  ColumnFactor::Basis basis;
  const Host host;
  Watch watch(host);
  ColumnFactor factor(matrix);
  CHECK(factor.factorise(watch));
  // Cross products would keep four digits.
  CHECK_NEAR(factor.residual_length({0}, 1, basis) / std::sqrt(2e-12), 1, 1e-8);
}

// To the last bit, with a copy among the columns, which adds no direction.
TEST(a_basis_that_goes_on_is_the_one_made_anew) {
  Random random(7);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::NullaryExpr(
      40, 8, [&random](Eigen::Index, Eigen::Index) { return random.uniform() - 0.5; });
  matrix.col(3) = matrix.col(1);
  const Host host;
  Watch watch(host);
  ColumnFactor factor(matrix);
  CHECK(factor.factorise(watch));
  ColumnFactor::Basis kept;
  for (int i = 0; i < 500; ++i) {
    std::vector<Eigen::Index> given;
    for (Eigen::Index column = 0; column < 7; ++column)
      if (random.below(3) > 0)
        given.push_back(column);
    ColumnFactor::Basis anew;
    CHECK(factor.residual_length(given, 7, kept) == factor.residual_length(given, 7, anew));
    if (!given.empty())
      CHECK(kept.lengths == anew.lengths);
  }
}

// A few columns are decomposed together, a family of very many by itself: the same regressions,
// which cross products have too few digits for.
TEST(nearly_collinear_columns_score_alike_among_few_and_many) {
  Dataset few = random_table(3, 300, 1, 2);
  add_continuous(few, 9, 4);
  Column close = few.columns[1];
  for (std::size_t row = 0; row < few.rows; ++row)
    close.values[row] += 1e-5 * few.columns[4].values[few.rows - 1 - row];
  few.columns.push_back(close);
  Dataset many = few;
  add_continuous(many, 5, 130);
  const auto a = make_score(few, settings("bic-cg")), b = make_score(many, settings("bic-cg"));
  MixedFamilies families;
  for (const Node child : {2, 3, 5})
    for (const std::vector<Node> &parents :
         std::vector<std::vector<Node>>{{0, 1}, {1, 4}, {0, 1, 4}, {0, 1, 2, 3, 4}, {0, 1, 4, 5}})
      if (std::find(parents.begin(), parents.end(), child) == parents.end())
        families.add(child, parents);
  const Host host;
  Watch watch(host);
  const std::vector<double> wanted = families.score(*a, watch);
  for (const std::vector<double> &found :
       {families.score(*b, watch), families.score_nearly(*a, watch),
        families.score_nearly(*b, watch)})
    for (std::size_t i = 0; i < wanted.size(); ++i)
      CHECK_NEAR(found[i] / wanted[i], 1, 1e-9);
}

TEST(column_factor_goes_on_where_it_was_stopped) {
  Random random(1);
  for (const auto &[rows, columns] : {std::pair{900, 800}, {70, 120}, {5, 3}, {300, 1}}) {
    const Eigen::MatrixXd matrix = Eigen::MatrixXd::NullaryExpr(
        rows, columns, [&random](Eigen::Index, Eigen::Index) { return random.uniform() - 0.5; });
    ColumnFactor factor(matrix);
    unsigned left = 0;
    Host host;
    host.should_stop = [&left] {
      return left == 0 ? StopReason::time_limit : (--left, StopReason::none);
    };
    unsigned stops = 0;
    for (bool whole = false; !whole; stops += !whole) {
      left = 1; // it is asked every 20 ms
      Watch watch(host);
      whole = factor.factorise(watch);
    }
    CHECK(stops > 0 || columns < 500);
    const Host patient;
    Watch watch(patient);
    const Eigen::MatrixXd wanted = matrix.transpose() * matrix;
    CHECK((factor.products(watch) - wanted).cwiseAbs().maxCoeff() < 1e-12 * rows);
    CHECK((factor.triangle().transpose() * factor.triangle() - wanted).cwiseAbs().maxCoeff() <
          1e-12 * rows);
  }
}

TEST(unknown_labels_are_refused) {
  const Dataset data = random_table(1, 10, 2, 2);
  CHECK_THROWS(make_score(data, settings("nonsense")), std::invalid_argument);
}
