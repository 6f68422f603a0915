// What is missing in rows, by brute force: every configuration of the discrete nodes, with the joint
// normal distribution of the continuous ones.
#include "check.h"
#include "score_fixtures.h"

#include "core/base/errors.h"
#include "core/completion/completions.h"
#include "core/completion/expectation_maximisation.h"
#include "core/completion/row_answers.h"

#include <Eigen/Dense>

#include <algorithm>
#include <limits>

using namespace fixtures;

namespace {

// Discrete columns first, each node with some of those before it as parents.
MixedNetwork random_network(std::uint64_t seed, const Dataset &data, double arcs) {
  Random random(seed);
  MixedNetwork network;
  for (Node v = 0; v < data.size(); ++v) {
    network.levels.push_back(data.columns[v].levels);
    NodeModel model;
    for (Node u = 0; u < v; ++u)
      if (random.uniform() < arcs)
        (data.columns[u].discrete() ? model.discrete : model.continuous).push_back(u);
    network.nodes.push_back(model);
    const std::size_t configurations = network.configurations(v);
    NodeModel &made = network.nodes.back();
    for (std::size_t q = 0; q < configurations; ++q)
      if (network.discrete(v)) {
        double sum = 0;
        for (unsigned i = 0; i < network.levels[v]; ++i) {
          made.table.push_back(0.05 + random.uniform());
          sum += made.table.back();
        }
        for (unsigned i = 0; i < network.levels[v]; ++i)
          made.table[made.table.size() - 1 - i] /= sum;
      } else {
        for (std::size_t j = 0; j < made.continuous.size() + 1; ++j)
          made.coefficients.push_back(2 * random.uniform() - 1);
        made.variance.push_back(0.2 + random.uniform());
      }
  }
  return network;
}

Dataset mixed_with_holes(std::uint64_t seed, std::size_t rows, unsigned discrete,
                         unsigned continuous, double probability) {
  Dataset data = random_table(seed, rows, std::max(discrete, 1u), 3);
  if (discrete == 0)
    data.columns.clear();
  if (continuous > 0)
    add_continuous(data, seed, continuous);
  return with_holes(data, seed + 1, probability);
}

// The joint normal of the continuous nodes given all discrete ones: mean and covariance.
struct Normal {
  std::vector<Node> nodes;
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

Normal joint_normal(const MixedNetwork &network, const std::vector<unsigned> &level) {
  Normal normal;
  for (Node v = 0; v < network.size(); ++v)
    if (!network.discrete(v))
      normal.nodes.push_back(v);
  const auto n = static_cast<Eigen::Index>(normal.nodes.size());
  normal.mean = Eigen::VectorXd::Zero(n);
  normal.covariance = Eigen::MatrixXd::Zero(n, n);
  const auto at = [&](Node v) {
    return std::find(normal.nodes.begin(), normal.nodes.end(), v) - normal.nodes.begin();
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    const Node v = normal.nodes[static_cast<std::size_t>(i)];
    const NodeModel &model = network.nodes[v];
    std::size_t q = 0, step = 1;
    for (const Node u : model.discrete) {
      q += step * level[u];
      step *= network.levels[u];
    }
    Eigen::VectorXd slope = Eigen::VectorXd::Zero(n);
    for (std::size_t j = 0; j < model.continuous.size(); ++j)
      slope[at(model.continuous[j])] = network.coefficients(v, q)[j + 1];
    normal.mean[i] = network.coefficients(v, q)[0] + slope.dot(normal.mean);
    const Eigen::VectorXd with_others = normal.covariance * slope;
    normal.covariance.row(i) = with_others.transpose();
    normal.covariance.col(i) = with_others;
    normal.covariance(i, i) = slope.dot(with_others) + model.variance[q];
  }
  return normal;
}

// One way in which the discrete values of a row may be complete.
struct Case {
  std::vector<unsigned> level; // by node
  double log_density;          // joint with what is known
  Eigen::VectorXd values;      // expected, of all continuous nodes
  Eigen::MatrixXd covariance;  // of these
};

std::vector<Case> all_cases(const Dataset &data, const MixedNetwork &network, std::size_t row) {
  std::vector<std::vector<unsigned>> levels{std::vector<unsigned>(data.columns.size(), 0)};
  for (Node v = 0; v < data.size(); ++v) {
    if (!network.discrete(v))
      continue;
    std::vector<std::vector<unsigned>> longer;
    for (std::vector<unsigned> one : levels)
      for (unsigned i = 0; i < network.levels[v]; ++i)
        if (data.columns[v].missing(row) || data.columns[v].codes[row] == i) {
          one[v] = i;
          longer.push_back(one);
        }
    levels = longer;
  }
  std::vector<Case> cases;
  for (const std::vector<unsigned> &level : levels) {
    Case one{level, 0, {}, {}};
    for (Node v = 0; v < data.size(); ++v) {
      if (!network.discrete(v))
        continue;
      std::size_t cell = level[v], step = network.levels[v];
      for (const Node u : network.nodes[v].discrete) {
        cell += step * level[u];
        step *= network.levels[u];
      }
      one.log_density += std::log(network.nodes[v].table[cell]);
    }
    const Normal normal = joint_normal(network, level);
    std::vector<Eigen::Index> known, open;
    for (std::size_t i = 0; i < normal.nodes.size(); ++i)
      (data.columns[normal.nodes[i]].missing(row) ? open : known)
          .push_back(static_cast<Eigen::Index>(i));
    const auto k = static_cast<Eigen::Index>(known.size());
    Eigen::MatrixXd among(k, k);
    Eigen::VectorXd away(k);
    for (Eigen::Index i = 0; i < k; ++i) {
      const Eigen::Index a = known[static_cast<std::size_t>(i)];
      away[i] =
          data.columns[normal.nodes[static_cast<std::size_t>(a)]].values[row] - normal.mean[a];
      for (Eigen::Index j = 0; j < k; ++j)
        among(i, j) = normal.covariance(a, known[static_cast<std::size_t>(j)]);
    }
    const Eigen::LDLT<Eigen::MatrixXd> factor(k > 0 ? among : Eigen::MatrixXd::Identity(1, 1));
    if (k > 0)
      one.log_density -= (static_cast<double>(k) * std::log(2 * 3.14159265358979323846) +
                          std::log(among.determinant()) + away.dot(factor.solve(away))) /
                         2;
    one.values = normal.mean;
    one.covariance = Eigen::MatrixXd::Zero(normal.mean.size(), normal.mean.size());
    Eigen::MatrixXd across(static_cast<Eigen::Index>(open.size()), k);
    for (std::size_t i = 0; i < open.size(); ++i)
      for (std::size_t j = 0; j < known.size(); ++j)
        across(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            normal.covariance(open[i], known[j]);
    for (const Eigen::Index a : known)
      one.values[a] = data.columns[normal.nodes[static_cast<std::size_t>(a)]].values[row];
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto a = static_cast<Eigen::Index>(i);
      if (k > 0)
        one.values[open[i]] += across.row(a).dot(factor.solve(away));
      for (std::size_t j = 0; j < open.size(); ++j) {
        const auto b = static_cast<Eigen::Index>(j);
        one.covariance(open[i], open[j]) = normal.covariance(open[i], open[j]);
        if (k > 0)
          one.covariance(open[i], open[j]) -=
              across.row(a).dot(factor.solve(across.row(b).transpose()));
      }
    }
    cases.push_back(one);
  }
  return cases;
}

// Sums over all rows: of each pair of levels of discrete nodes, and of products of continuous ones
// in each level of a discrete one; of weighted cases.
struct Sums {
  std::map<std::vector<unsigned>, double> pairs;
  std::map<std::vector<unsigned>, Eigen::MatrixXd> products; // of (1, values)

  void add(const std::vector<unsigned> &level, const std::vector<Node> &discrete, double weight,
           const Eigen::VectorXd &values, const Eigen::MatrixXd &covariance) {
    Eigen::VectorXd all(values.size() + 1);
    all << 1, values;
    Eigen::MatrixXd outer = all * all.transpose();
    if (covariance.size() > 0)
      outer.bottomRightCorner(values.size(), values.size()) += covariance;
    for (const Node a : discrete) {
      for (const Node b : discrete)
        pairs[{a, level[a], b, level[b]}] += weight;
      add_to({a, level[a]}, weight * outer);
    }
    add_to({}, weight * outer);
  }

private:
  void add_to(const std::vector<unsigned> &key, const Eigen::MatrixXd &term) {
    const auto [entry, is_new] = products.try_emplace(key, term);
    if (!is_new)
      entry->second += term;
  }
};

// Is the node known, or does what is known depend on it?
bool counts_in(const Dataset &data, const MixedNetwork &network, std::size_t row, Node node) {
  if (!data.columns[node].missing(row))
    return true;
  for (Node v = 0; v < network.size(); ++v)
    for (const std::vector<Node> *parents :
         {&network.nodes[v].discrete, &network.nodes[v].continuous})
      if (std::find(parents->begin(), parents->end(), node) != parents->end() &&
          counts_in(data, network, row, v))
        return true;
  return false;
}

// Tables under so many imaginary rows.
Estimation estimation(const MixedNetwork &network, double iss) {
  Estimation how;
  how.least_variance.assign(network.nodes.size(), 1e-6);
  how.region.resize(network.nodes.size());
  for (Node v = 0; v < network.size(); ++v) {
    const std::size_t q = network.configurations(v);
    how.imaginary.emplace_back(
        q, network.discrete(v) ? iss / (network.levels[v] * static_cast<double>(q)) : 0);
    how.fixed.emplace_back(q, 0);
  }
  return how;
}

template <class Body> auto watched(Body body) {
  const Host host;
  Watch watch(host);
  return body(watch);
}

constexpr double kShares[] = {0.15, 0.4};

} // namespace

TEST(densities_of_partial_rows_equal_sums_over_all_completions) {
  for (const auto &[discrete, continuous] : {std::pair(5u, 0u), {0u, 5u}, {3u, 3u}})
    for (const double share : kShares) {
      const Dataset data = mixed_with_holes(3, 40, discrete, continuous, share);
      const MixedNetwork network = random_network(5, data, 0.5);
      const std::vector<double> found =
          watched([&](Watch &watch) { return log_densities(data, network, watch); });
      for (std::size_t row = 0; row < data.rows; ++row) {
        double sum = 0;
        for (const Case &one : all_cases(data, network, row))
          sum += std::exp(one.log_density);
        CHECK_NEAR(found[row], std::log(sum), 1e-9);
      }
    }
}

TEST(posteriors_of_a_node_equal_sums_over_all_completions) {
  for (const auto &[discrete, continuous] : {std::pair(6u, 0u), {0u, 5u}, {3u, 3u}})
    for (const double share : kShares) {
      const Dataset data = mixed_with_holes(5, 25, discrete, continuous, share);
      const MixedNetwork network = random_network(7, data, 0.5);
      for (Node v = 0; v < data.size(); ++v) {
        Dataset left = data; // of which the node is not known
        std::vector<double> values(data.rows, 0.4);
        left.columns[v].codes.assign(network.discrete(v) ? data.rows : 0,
                                     static_cast<std::uint16_t>(network.levels[v]));
        left.columns[v].values.assign(network.discrete(v) ? 0 : data.rows, std::nan(""));
        const Eigen::MatrixXd found =
            watched([&](Watch &watch) { return posteriors(data, network, v, values, watch); });
        for (std::size_t row = 0; row < data.rows; ++row) {
          Eigen::RowVectorXd wanted = Eigen::RowVectorXd::Zero(found.cols());
          double sum = 0;
          for (const Case &one : all_cases(left, network, row)) {
            const double weight = std::exp(one.log_density);
            sum += weight;
            if (network.discrete(v)) {
              wanted[one.level[v]] += weight;
              continue;
            }
            const Eigen::Index at = v - static_cast<Eigen::Index>(discrete);
            const double mean = one.values[at], variance = one.covariance(at, at);
            wanted[0] += weight * mean;
            wanted[1] += weight * (variance + mean * mean);
            wanted[2] += weight * std::exp(-std::pow(0.4 - mean, 2) / (2 * variance)) /
                         std::sqrt(2 * 3.14159265358979323846 * variance);
          }
          wanted /= sum;
          if (!network.discrete(v))
            wanted[1] = std::sqrt(wanted[1] - wanted[0] * wanted[0]);
          CHECK((found.row(static_cast<Eigen::Index>(row)) - wanted).cwiseAbs().maxCoeff() < 1e-8);
        }
      }
    }
}

TEST(weighted_completions_have_the_moments_of_the_posterior) {
  for (const auto &[discrete, continuous] : {std::pair(5u, 0u), {0u, 5u}, {3u, 3u}})
    for (const double share : kShares) {
      const Dataset data = mixed_with_holes(7, 30, discrete, continuous, share);
      const MixedNetwork network = random_network(11, data, 0.5);
      std::vector<Node> discrete_nodes, continuous_nodes;
      for (Node v = 0; v < data.size(); ++v)
        (network.discrete(v) ? discrete_nodes : continuous_nodes).push_back(v);
      Sums wanted, got;
      for (std::size_t row = 0; row < data.rows; ++row) {
        const std::vector<Case> cases = all_cases(data, network, row);
        double sum = 0;
        for (const Case &one : cases)
          sum += std::exp(one.log_density);
        for (const Case &one : cases)
          wanted.add(one.level, discrete_nodes, std::exp(one.log_density) / sum, one.values,
                     one.covariance);
      }
      Random random(1);
      constexpr std::uint32_t kScale = 1 << 26;
      const CompletedRows rows = watched([&](Watch &watch) {
        return weighted_completions(data, network, kScale, 1 << 20, random, watch);
      });
      CHECK_EQUAL(rows.drawn, 0u);
      for (std::size_t i = 0; i < rows.row.size(); ++i) {
        std::vector<unsigned> level(data.columns.size(), 0);
        Eigen::VectorXd values(static_cast<Eigen::Index>(continuous_nodes.size()));
        for (const Node v : discrete_nodes)
          level[v] = rows.codes[v][i];
        for (std::size_t j = 0; j < continuous_nodes.size(); ++j)
          values[static_cast<Eigen::Index>(j)] = rows.values[continuous_nodes[j]][i];
        got.add(level, discrete_nodes, rows.weight[i] / static_cast<double>(kScale), values, {});
      }
      for (const auto &[pair, weight] : wanted.pairs)
        CHECK_NEAR(got.pairs[pair], weight, 1e-5);
      for (const auto &[key, products] : wanted.products)
        CHECK((got.products.at(key) - products).cwiseAbs().maxCoeff() < 1e-4);
    }
}

TEST(draws_have_the_distribution_of_the_posterior) {
  Dataset data = mixed_with_holes(7, 1, 2, 2, 0);
  for (const Node v : {0, 1})
    data.columns[v].codes[0] = static_cast<std::uint16_t>(data.columns[v].levels);
  data.columns[2].values[0] = std::nan("");
  const MixedNetwork network = random_network(13, data, 1);
  std::map<std::vector<unsigned>, double> counts;
  std::map<std::vector<unsigned>, std::pair<double, double>> sums;
  Random random(2);
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const CompletedRows one =
        watched([&](Watch &watch) { return draw_completions(data, network, random, watch); });
    const std::vector<unsigned> level{one.codes[0][0], one.codes[1][0]};
    counts[level] += 1;
    sums[level].first += one.values[2][0];
    sums[level].second += one.values[2][0] * one.values[2][0];
  }
  const std::vector<Case> cases = all_cases(data, network, 0);
  double sum = 0, chi_squared = 0;
  for (const Case &one : cases)
    sum += std::exp(one.log_density);
  for (const Case &one : cases) {
    const std::vector<unsigned> level{one.level[0], one.level[1]};
    const double wanted = kDraws * std::exp(one.log_density) / sum, count = counts[level];
    chi_squared += (count - wanted) * (count - wanted) / wanted;
    if (count < 100)
      continue;
    const double mean = sums[level].first / count,
                 variance = sums[level].second / count - mean * mean;
    CHECK_NEAR(mean, one.values[0], 5 * std::sqrt(one.covariance(0, 0) / count));
    CHECK_NEAR(variance / one.covariance(0, 0), 1, 5 * std::sqrt(2 / count));
  }
  CHECK(chi_squared < 30);
}

TEST(most_probable_completions_have_the_largest_density) {
  for (const auto &[discrete, continuous] : {std::pair(5u, 0u), {3u, 3u}}) {
    const Dataset data = mixed_with_holes(17, 40, discrete, continuous, 0.4);
    const MixedNetwork network = random_network(19, data, 0.5);
    const CompletedRows rows =
        watched([&](Watch &watch) { return most_probable_completions(data, network, watch); });
    for (std::size_t row = 0; row < data.rows; ++row) {
      // The density at the mean of each case.
      double best = -std::numeric_limits<double>::infinity();
      std::vector<unsigned> level;
      for (const Case &one : all_cases(data, network, row)) {
        std::vector<Eigen::Index> open;
        for (Eigen::Index i = 0; i < one.values.size(); ++i)
          if (one.covariance(i, i) > 1e-12)
            open.push_back(i);
        Eigen::MatrixXd covariance(open.size(), open.size());
        for (std::size_t i = 0; i < open.size(); ++i)
          for (std::size_t j = 0; j < open.size(); ++j)
            covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                one.covariance(open[i], open[j]);
        const double peak =
            one.log_density - (open.empty() ? 0 : std::log(covariance.determinant()) / 2);
        if (peak > best) {
          best = peak;
          level = one.level;
        }
      }
      for (Node v = 0; v < data.size(); ++v)
        if (network.discrete(v))
          CHECK_EQUAL(unsigned{rows.codes[v][row]}, level[v]);
    }
  }
}

TEST(impossible_rows_have_no_weighted_completion_and_stay_as_they_are_otherwise) {
  Dataset data = random_table(3, 6, 2, 3);
  data.columns[1].levels = 3;
  data.columns[1].codes = {0, 1, 2, 3, 3, 1}; // 3: missing
  data.columns[0].levels = 2;
  data.columns[0].codes = {2, 2, 0, 2, 1, 1};
  for (Column &column : data.columns)
    column.holes = true;
  MixedNetwork network;
  network.levels = {2, 3};
  network.nodes.resize(2);
  network.nodes[0].table = {0.4, 0.6};
  network.nodes[1].discrete = {0};
  network.nodes[1].table = {0.5, 0, 0.5, 0.2, 0, 0.8}; // level 1 is impossible
  watched([&](Watch &watch) {
    Random random(1);
    const CompletedRows weighted = weighted_completions(data, network, 10, 20, random, watch);
    CHECK_EQUAL(weighted.weight.size(), weighted.row.size());
    std::vector<std::uint32_t> sums(6, 0);
    for (std::size_t i = 0; i < weighted.row.size(); ++i)
      sums[weighted.row[i]] += weighted.weight[i];
    CHECK(sums == (std::vector<std::uint32_t>{10, 0, 10, 10, 10, 10}));
    CHECK(weighted.impossible == std::vector<std::uint32_t>{1});
    for (const CompletedRows &rows : {draw_completions(data, network, random, watch),
                                      most_probable_completions(data, network, watch)}) {
      CHECK_EQUAL(rows.row.size(), std::size_t{6});
      CHECK(rows.impossible == std::vector<std::uint32_t>{1});
      CHECK_EQUAL(rows.codes[0][1], 2);
      CHECK_EQUAL(rows.codes[1][1], 1);
    }
  });
}

TEST(too_many_completions_are_drawn) {
  const Dataset data = mixed_with_holes(7, 30, 6, 2, 0.5);
  const MixedNetwork network = random_network(11, data, 0.5);
  Random random(1);
  const CompletedRows rows = watched(
      [&](Watch &watch) { return weighted_completions(data, network, 1000, 7, random, watch); });
  CHECK(rows.drawn > 0);
  std::map<std::uint32_t, std::pair<std::size_t, double>> by_row;
  for (std::size_t i = 0; i < rows.row.size(); ++i) {
    by_row[rows.row[i]].first += 1;
    by_row[rows.row[i]].second += rows.weight[i];
  }
  CHECK_EQUAL(by_row.size(), data.rows);
  for (const auto &[row, sums] : by_row) {
    CHECK(sums.first <= 7 * 4); // configurations, each at four points
    CHECK_EQUAL(sums.second, 1000.0);
  }
}

TEST(the_objective_of_expectation_maximisation_never_falls) {
  for (const auto &[discrete, continuous] : {std::pair(5u, 0u), {0u, 5u}, {3u, 3u}})
    for (const double iss : {0.0, 2.0}) {
      const Dataset data = mixed_with_holes(23, 300, discrete, continuous, 0.3);
      const MixedNetwork start = random_network(29, data, 0.4);
      const Estimation how = estimation(start, iss);
      const EmResult found = watched([&](Watch &watch) {
        return expectation_maximisation(data, start, how, {1e-9, 200}, watch);
      });
      CHECK(found.objective.size() > 3);
      for (std::size_t i = 1; i < found.objective.size(); ++i)
        CHECK(found.objective[i] >= found.objective[i - 1] - 1e-7);
      // The last log-likelihood is that of the network.
      double sum = 0;
      for (const double one :
           watched([&](Watch &watch) { return log_densities(data, found.network, watch); }))
        sum += one;
      CHECK_NEAR(sum, found.log_likelihood.back(), 1e-6);
    }
}

// Where nothing is missing, the first iteration finds least squares and relative frequencies.
TEST(expectation_maximisation_of_complete_rows_ends_at_once) {
  const Dataset data = mixed_with_holes(31, 200, 3, 3, 0);
  const MixedNetwork start = random_network(37, data, 0.4);
  const Estimation how = estimation(start, 0);
  const EmResult found = watched([&](Watch &watch) {
    return expectation_maximisation(data, start, how, {1e-9, 200}, watch);
  });
  CHECK(found.converged);
  CHECK_EQUAL(found.objective.size(), 3u);
  for (Node v = 0; v < data.size(); ++v)
    if (found.network.discrete(v)) {
      const auto &parents = found.network.nodes[v].discrete;
      std::vector<Node> family{v};
      family.insert(family.end(), parents.begin(), parents.end());
      const auto joint = count_cells(data, family), given = count_cells(data, parents);
      for (const auto &[cell, count] : joint) {
        std::size_t index = 0, step = 1;
        for (std::size_t i = 0; i < family.size(); ++i) {
          index += step * cell[i];
          step *= found.network.levels[family[i]];
        }
        CHECK_NEAR(found.network.nodes[v].table[index],
                   count / given.at({cell.begin() + 1, cell.end()}), 1e-12);
      }
    }
}

// As if the configurations of a region were one.
TEST(configurations_of_a_region_have_one_distribution) {
  const Dataset data = mixed_with_holes(41, 300, 3, 0, 0.2);
  MixedNetwork start = random_network(43, data, 1);
  Estimation how = estimation(start, 1);
  how.region[2].resize(start.configurations(2));
  for (std::size_t q = 0; q < how.region[2].size(); ++q)
    how.region[2][q] = static_cast<std::uint32_t>(q % 2);
  const EmResult found = watched([&](Watch &watch) {
    return expectation_maximisation(data, start, how, {1e-9, 200}, watch);
  });
  for (std::size_t i = 2; i < found.objective.size(); ++i)
    CHECK(found.objective[i] >= found.objective[i - 1] - 1e-7);
  const unsigned levels = start.levels[2];
  const std::vector<double> &table = found.network.nodes[2].table;
  for (std::size_t cell = 2 * levels; cell < table.size(); ++cell)
    CHECK_EQUAL(table[cell], table[cell - 2 * levels]);
}

TEST(least_squares_leave_out_what_others_determine) {
  Eigen::MatrixXd values(6, 4);
  values << 1, 1, 2, 3, 1, 2, 4, 1, 1, 3, 6, 4, 1, 4, 8, 1, 1, 5, 10, 5, 1, 6, 12, 9;
  const LeastSquares fit = least_squares(values.transpose() * values);
  CHECK_EQUAL(fit.coefficients[2], 0.0);
  const Eigen::MatrixXd two = values.leftCols(2);
  const Eigen::VectorXd wanted =
      (two.transpose() * two).ldlt().solve(two.transpose() * values.col(3));
  CHECK_NEAR(fit.coefficients[0], wanted[0], 1e-9);
  CHECK_NEAR(fit.coefficients[1], wanted[1], 1e-9);
  CHECK_NEAR(fit.residual, (values.col(3) - two * wanted).squaredNorm(), 1e-9);
}

// Discrete nodes of an island with more than 32 configurations are eliminated.
TEST(large_islands_are_eliminated_as_they_would_be_listed) {
  for (const unsigned continuous : {0u, 2u}) {
    Dataset data = random_table(51, 12, 6, 4);
    add_continuous(data, 52, continuous);
    const MixedNetwork network = random_network(53, data, 0.5);
    data = with_holes(data, 54, 0.8);
    for (Node v = 6; v < data.size(); ++v)
      for (double &value : data.columns[v].values)
        value = std::isnan(value) ? 0.3 : value;
    const std::vector<double> found =
        watched([&](Watch &watch) { return log_densities(data, network, watch); });
    std::vector<double> best;
    for (std::size_t row = 0; row < data.rows; ++row) {
      double sum = 0, most = -std::numeric_limits<double>::infinity();
      for (const Case &one : all_cases(data, network, row)) {
        sum += std::exp(one.log_density);
        most = std::max(most, one.log_density);
      }
      CHECK_NEAR(found[row], std::log(sum), 1e-9);
      best.push_back(most);
    }
    // Expected counts, by the tables that fit them.
    const EmResult once = watched([&](Watch &watch) {
      return expectation_maximisation(data, network, estimation(network, 1), {1e-9, 1}, watch);
    });
    for (Node v = 0; v < 6; ++v) {
      std::vector<double> counts(network.nodes[v].table.size(), 0);
      for (std::size_t row = 0; row < data.rows; ++row)
        for (const Case &one : all_cases(data, network, row)) {
          std::size_t cell = one.level[v], step = network.levels[v];
          for (const Node u : network.nodes[v].discrete) {
            cell += step * one.level[u];
            step *= network.levels[u];
          }
          if (counts_in(data, network, row, v)) // what nothing depends on is left out
            counts[cell] += std::exp(one.log_density - found[row]);
        }
      const unsigned r = network.levels[v];
      const double imaginary = 1.0 / static_cast<double>(counts.size());
      for (std::size_t cell = 0; cell < counts.size(); ++cell) {
        double total = 0;
        for (std::size_t i = cell / r * r; i < (cell / r + 1) * r; ++i)
          total += counts[i] + imaginary;
        CHECK_NEAR(once.network.nodes[v].table[cell], (counts[cell] + imaginary) / total, 1e-9);
      }
    }
    const CompletedRows rows =
        watched([&](Watch &watch) { return most_probable_completions(data, network, watch); });
    Dataset completed = data;
    for (Node v = 0; v < 6; ++v)
      completed.columns[v].codes = rows.codes[v];
    const std::vector<double> density =
        watched([&](Watch &watch) { return log_densities(completed, network, watch); });
    for (std::size_t row = 0; row < data.rows; ++row)
      CHECK_NEAR(density[row], best[row], 1e-9);
  }
}

TEST(draws_from_an_elimination_have_its_distribution) {
  const Dataset complete = random_table(61, 1, 5, 4), data = with_holes(complete, 62, 1);
  const MixedNetwork network = random_network(63, complete, 0.6);
  std::map<std::vector<unsigned>, double> counts;
  Random random(2);
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const CompletedRows one =
        watched([&](Watch &watch) { return draw_completions(data, network, random, watch); });
    std::vector<unsigned> level;
    for (Node v = 0; v < 5; ++v)
      level.push_back(one.codes[v][0]);
    counts[level] += 1;
  }
  double chi_squared = 0, cases = 0;
  for (const Case &one : all_cases(data, network, 0)) {
    const double wanted = kDraws * std::exp(one.log_density);
    if (wanted < 5)
      continue;
    chi_squared += std::pow(counts[one.level] - wanted, 2) / wanted;
    cases += 1;
  }
  CHECK(cases > 32);
  CHECK(chi_squared < cases + 5 * std::sqrt(2 * cases));
}

// A chain of continuous nodes with as many discrete parents.
TEST(islands_with_too_many_configurations_are_refused) {
  Dataset data = random_table(1, 2, 20, 2);
  add_continuous(data, 2, 20);
  MixedNetwork network = random_network(3, data, 0);
  for (Node v = 20; v < 40; ++v) {
    network.nodes[v].discrete = {static_cast<Node>(v - 20)};
    network.nodes[v].coefficients.assign(2, 0.5);
    network.nodes[v].variance.assign(2, 1);
    if (v > 20) {
      network.nodes[v].continuous = {static_cast<Node>(v - 1)};
      network.nodes[v].coefficients.assign(4, 0.5);
    }
  }
  const Column last = data.columns[39];
  data = with_holes(data, 1, 1);
  data.columns[39] = last; // else nothing would depend on the others
  CHECK_THROWS(watched([&](Watch &watch) { return log_densities(data, network, watch); }),
               MemoryLimit);
}
