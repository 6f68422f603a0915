#include "core/completion/completions.h"

#include "core/completion/island_posterior.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace optbn {

namespace {

// The distribution of one island in a row: only configurations that have a probability.
struct IslandAnswer {
  const Island *island = nullptr;
  std::vector<double> probability;
  std::vector<std::uint16_t> level; // of the discrete nodes, configuration by configuration
  std::vector<Eigen::VectorXd> mean;
  std::vector<Eigen::MatrixXd> covariance;
  std::size_t best = 0; // the configuration of largest density
  // Of an island with too many configurations, which are not listed then.
  std::shared_ptr<IslandElimination> eliminated;

  double size() const {
    return eliminated ? std::numeric_limits<double>::infinity()
                      : static_cast<double>(probability.size());
  }
};

// `maximum`: is only the most probable configuration asked for?
IslandAnswer answer_of(IslandPosterior &posterior, bool maximum) {
  IslandAnswer answer;
  answer.island = &posterior.island();
  answer.eliminated = posterior.eliminated(maximum);
  if (answer.eliminated) {
    if (maximum)
      answer.level = answer.eliminated->most_probable();
    return answer;
  }
  double peak = -std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < posterior.configurations(); ++c) {
    if (!(posterior.probability(c) > 0))
      continue;
    if (posterior.log_peak(c) > peak) {
      peak = posterior.log_peak(c);
      answer.best = answer.probability.size();
    }
    answer.probability.push_back(posterior.probability(c));
    for (std::size_t i = 0; i < answer.island->discrete.size(); ++i)
      answer.level.push_back(static_cast<std::uint16_t>(posterior.level(c, i)));
    answer.mean.push_back(posterior.mean(c));
    answer.covariance.push_back(posterior.covariance(c));
  }
  return answer;
}

Eigen::MatrixXd root_of(const Eigen::MatrixXd &covariance) {
  return Eigen::LLT<Eigen::MatrixXd>(covariance).matrixL();
}

// Copies rows, and writes what an island has in place of what is missing.
class Writer {
public:
  explicit Writer(const Dataset &data) : data_(data) {
    rows_.codes.resize(data.columns.size());
    rows_.values.resize(data.columns.size());
  }

  void begin(std::uint32_t row) {
    rows_.row.push_back(row);
    for (Node v = 0; v < data_.size(); ++v)
      if (data_.columns[v].discrete())
        rows_.codes[v].push_back(data_.columns[v].codes[row]);
      else
        rows_.values[v].push_back(data_.columns[v].values[row]);
  }
  void set_levels(const IslandAnswer &answer, const std::uint16_t *level) {
    for (const Node v : answer.island->discrete)
      rows_.codes[v].back() = *level++;
  }
  void set_levels(const IslandAnswer &answer, std::size_t configuration) {
    set_levels(answer, answer.level.data() + configuration * answer.island->discrete.size());
  }
  void set_values(const IslandAnswer &answer, const Eigen::VectorXd &values) {
    const std::vector<Node> &continuous = answer.island->continuous;
    for (std::size_t i = 0; i < continuous.size(); ++i)
      rows_.values[continuous[i]].back() = values[static_cast<Eigen::Index>(i)];
  }
  void set_weight(std::uint32_t weight) { rows_.weight.push_back(weight); }

  CompletedRows &rows() { return rows_; }

private:
  const Dataset &data_;
  CompletedRows rows_;
};

// Calls body(writer, row, answers) for every row in turn; answers are empty where nothing is
// missing. Islands of discrete nodes with more than `most_listed` configurations are eliminated.
// Impossible rows are copied as they are, or left out.
template <class Body>
CompletedRows for_each_row(const Dataset &data, const MixedNetwork &network, double most_listed,
                           bool maximum, bool copy_impossible, Watch &watch, Body &&body) {
  IslandFinder finder(network, IslandFinder::Barren::kept);
  IslandPosterior posterior(network, data, most_listed);
  Writer writer(data);
  for (std::uint32_t row = 0; row < data.rows; ++row) {
    if (row % IslandPosterior::kRowsPerPoll == 0)
      throw_if_stopped(watch);
    watch.advance(1);
    std::vector<IslandAnswer> answers;
    bool possible = true;
    const std::vector<std::uint32_t> islands = finder.find(missing_nodes(data, row));
    for (const std::uint32_t i : islands) {
      posterior.prepare(finder.island(i), row);
      possible = posterior.solve(row) > -std::numeric_limits<double>::infinity() && possible;
      if (possible)
        answers.push_back(answer_of(posterior, maximum));
    }
    if (possible) {
      body(writer, row, answers);
    } else {
      writer.rows().impossible.push_back(row);
      if (copy_impossible)
        writer.begin(row);
    }
  }
  return std::move(writer.rows());
}

std::size_t draw_configuration(const IslandAnswer &answer, double uniform) {
  std::size_t c = 0;
  for (; c + 1 < answer.probability.size() && uniform >= answer.probability[c]; ++c)
    uniform -= answer.probability[c];
  return c;
}

// One draw of an island; of a listed one by this number between 0 and 1.
void write_draw(Writer &writer, const IslandAnswer &answer, double uniform, Random &random) {
  if (answer.eliminated) {
    writer.set_levels(answer, answer.eliminated->draw(random).data());
    return;
  }
  const std::size_t c = draw_configuration(answer, uniform);
  writer.set_levels(answer, c);
  Eigen::VectorXd noise(answer.mean[c].size());
  for (double &one : noise)
    one = standard_normal(random);
  writer.set_values(answer, answer.mean[c] + root_of(answer.covariance[c]) * noise);
}

// Numbers between 0 and 1, one in each of equal parts, in random order.
std::vector<double> spread_numbers(std::size_t count, Random &random) {
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
  random.shuffle(numbers);
  return numbers;
}

// Shares of a whole number that add up to it.
class Shares {
public:
  explicit Shares(double whole) : whole_(whole) {}
  std::uint32_t take(double share) {
    sum_ += share;
    const double upto = std::round(std::min(sum_, 1.0) * whole_);
    const auto taken = static_cast<std::uint32_t>(upto - given_);
    given_ = upto;
    return taken;
  }

private:
  const double whole_;
  double sum_ = 0, given_ = 0;
};

// Writes every configuration of all islands, each at its sigma points.
class Expansion {
public:
  Expansion(Writer &writer, std::uint32_t row, const std::vector<IslandAnswer> &answers,
            double weight)
      : writer_(writer), row_(row), answers_(answers), shares_(weight), chosen_(answers.size(), 0) {
    for (const IslandAnswer &answer : answers)
      continuous_ += answer.island->continuous.size();
  }

  void write(std::size_t island = 0, double probability = 1) {
    if (island == answers_.size()) {
      write_points(probability);
      return;
    }
    for (std::size_t c = 0; c < answers_[island].probability.size(); ++c) {
      chosen_[island] = c;
      write(island + 1, probability * answers_[island].probability[c]);
    }
  }

private:
  void write_points(double probability) {
    if (continuous_ == 0) {
      write_point(shares_.take(probability), 0, 0, 0);
      return;
    }
    const double each = probability / (2.0 * static_cast<double>(continuous_));
    for (std::size_t i = 0; i < answers_.size(); ++i)
      for (Eigen::Index j = 0; j < answers_[i].mean[chosen_[i]].size(); ++j)
        for (const double sign : {-1.0, 1.0})
          write_point(shares_.take(each), i, j, sign);
  }

  // At the means, but for one direction of one island.
  void write_point(std::uint32_t weight, std::size_t island, Eigen::Index direction, double sign) {
    if (weight == 0)
      return;
    writer_.begin(row_);
    writer_.set_weight(weight);
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      const std::size_t c = chosen_[i];
      writer_.set_levels(answers_[i], c);
      Eigen::VectorXd values = answers_[i].mean[c];
      if (i == island && sign != 0)
        values += sign * std::sqrt(static_cast<double>(continuous_)) *
                  root_of(answers_[i].covariance[c]).col(direction);
      writer_.set_values(answers_[i], values);
    }
  }

  Writer &writer_;
  const std::uint32_t row_;
  const std::vector<IslandAnswer> &answers_;
  Shares shares_;
  std::vector<std::size_t> chosen_; // the configuration of each island
  std::size_t continuous_ = 0;
};

double configurations_of(const std::vector<IslandAnswer> &answers) {
  double product = 1;
  for (const IslandAnswer &answer : answers)
    product *= answer.size();
  return product;
}

} // namespace

CompletedRows weighted_completions(const Dataset &data, const MixedNetwork &network,
                                   std::uint32_t scale, std::size_t most, Random &random,
                                   Watch &watch) {
  return for_each_row(
      data, network, static_cast<double>(most), false, false, watch,
      [&](Writer &writer, std::uint32_t row, const std::vector<IslandAnswer> &answers) {
        const double weight = static_cast<double>(scale) * data.weight(row);
        if (configurations_of(answers) <= static_cast<double>(most)) {
          Expansion(writer, row, answers, weight).write();
          return;
        }
        ++writer.rows().drawn;
        std::vector<std::vector<double>> uniform; // by island: its configurations in their shares
        for (std::size_t i = 0; i < answers.size(); ++i)
          uniform.push_back(spread_numbers(most, random));
        Shares shares(weight);
        for (std::size_t draw = 0; draw < most; ++draw) {
          writer.begin(row);
          writer.set_weight(shares.take(1 / static_cast<double>(most)));
          for (std::size_t i = 0; i < answers.size(); ++i)
            write_draw(writer, answers[i], uniform[i][draw], random);
        }
      });
}

CompletedRows draw_completions(const Dataset &data, const MixedNetwork &network, Random &random,
                               Watch &watch) {
  return for_each_row(
      data, network, IslandPosterior::kMostListed, false, true, watch,
      [&](Writer &writer, std::uint32_t row, const std::vector<IslandAnswer> &answers) {
        writer.begin(row);
        for (const IslandAnswer &answer : answers)
          write_draw(writer, answer, random.uniform(), random);
      });
}

CompletedRows most_probable_completions(const Dataset &data, const MixedNetwork &network,
                                        Watch &watch) {
  return for_each_row(
      data, network, IslandPosterior::kMostListed, true, true, watch,
      [&](Writer &writer, std::uint32_t row, const std::vector<IslandAnswer> &answers) {
        writer.begin(row);
        for (const IslandAnswer &answer : answers) {
          if (answer.eliminated) {
            writer.set_levels(answer, answer.level.data());
            continue;
          }
          writer.set_levels(answer, answer.best);
          writer.set_values(answer, answer.mean[answer.best]);
        }
      });
}

} // namespace optbn
