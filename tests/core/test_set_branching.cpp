#include "check.h"
#include "score_fixtures.h"

#include "core/score/branching/set_branching.h"
#include "core/score/enumeration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace fixtures;

namespace {

constexpr double kWithoutLimit = LocalScore::kInfinity;

std::vector<Node> nodes_of(unsigned mask) {
  std::vector<Node> set;
  for (Node u = 0; mask >> u; ++u)
    if (mask >> u & 1)
      set.push_back(u);
  return set;
}

bool inside(unsigned part, unsigned mask) { return (part & ~mask) == 0; }

// The scores of all sets between the required and all allowed parents.
std::map<unsigned, double> score_all(LocalScore &score, const SetBranching::Task &task) {
  unsigned base = 0, all = 0;
  for (const Node u : task.required)
    base |= 1u << u;
  for (const Node u : task.optional)
    all |= 1u << u;
  std::map<unsigned, double> scores;
  for (unsigned mask = all;; mask = (mask - 1) & all) {
    scores[mask | base] = score_one(score, task.child, nodes_of(mask | base));
    if (mask == 0)
      return scores;
  }
}

double best_subset(const std::map<unsigned, double> &scores, unsigned of) {
  double best = -LocalScore::kInfinity;
  for (const auto &[mask, value] : scores)
    if (mask != of && inside(mask, of))
      best = std::max(best, value);
  return best;
}

bool is_of_size(const std::vector<Node> &set, const SetBranching::Task &task) {
  return set.size() >= task.least && set.size() <= task.most;
}

SetBranching::Result begin_search(const SetBranching &branching, const SetBranching::Task &task,
                                  Watch &watch) {
  SetBranching::Result result;
  branching.search(task, result, watch);
  return result;
}

// What is found if each call may do little.
std::vector<std::vector<Node>> search_step_by_step(const SetBranching &branching,
                                                   SetBranching::Task task, Watch &watch) {
  task.work = static_cast<double>(branching.rows());
  SetBranching::Result found;
  double explored = 0;
  while (!found.complete) {
    branching.search(task, found, watch);
    CHECK(found.explored >= explored);
    explored = found.explored;
  }
  CHECK_NEAR(explored, 1, 1e-9);
  return found.sets;
}

// Whether the search misses none of the sets that are needed. Returns how many it found.
std::size_t check_against_brute_force(const Dataset &data, const ScoreSettings &chosen,
                                      SetBranching::Task task) {
  const auto score = make_score(data, chosen);
  const auto scores = score_all(*score, task);
  CandidateSets known;
  for (const auto &[mask, value] : scores)
    if (nodes_of(mask).size() < task.least) {
      const std::vector<Node> set = nodes_of(mask);
      known.add(value, set.data(), set.data() + set.size());
    }
  task.known = &known;
  task.work = kWithoutLimit;
  const Host host;
  Watch watch(host);
  std::size_t sets = 0;
  for (const std::size_t few : {100, 3, 0}) { // however the columns are looked at
    task.wide = 0;
    task.few = few;
    const SetBranching branching(data, *score);
    const SetBranching::Result found = begin_search(branching, task, watch);
    CHECK(found.complete);
    CHECK_NEAR(found.explored, 1, 1e-9);
    CHECK(search_step_by_step(branching, task, watch) == found.sets);
    CHECK(found.work > 0);
    const std::set<std::vector<Node>> different(found.sets.begin(), found.sets.end());
    CHECK_EQUAL(different.size(), found.sets.size());
    for (const auto &[mask, value] : scores)
      if (is_of_size(nodes_of(mask), task) && value > best_subset(scores, mask) - task.slack + 1e-6)
        CHECK(different.count(nodes_of(mask)) == 1);
    sets = found.sets.size();
  }
  return sets;
}

SetBranching::Task task_of(const Dataset &data, Node child) {
  SetBranching::Task task;
  task.child = child;
  for (Node u = 0; u < data.size(); ++u)
    if (u != child)
      task.optional.push_back(u);
  task.least = 1;
  task.most = data.size();
  return task;
}

// A column that only all the others together explain.
void add_parity(Dataset &data, Random &random) {
  std::vector<std::uint16_t> codes(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row) {
    unsigned sum = random.below(20) == 0;
    for (const Column &column : data.columns)
      sum += column.codes[row];
    codes[row] = static_cast<std::uint16_t>(sum % 2);
  }
  add_discrete(data, 2, std::move(codes));
}

} // namespace

TEST(branching_misses_no_set_that_brute_force_keeps) {
  std::size_t found = 0, possible = 0;
  for (const char *label : {"bic", "fnml", "qnml", "bde", "bds"})
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Dataset data = random_table(seed, 50 * seed, 7, 4, seed % 3 == 0);
      ScoreSettings chosen = settings(label, seed % 2 == 0 ? 1 : seed);
      if (seed > 4)
        chosen = with_prior(chosen, 7, seed);
      SetBranching::Task task = task_of(data, static_cast<Node>(seed % 7));
      task.least = 1 + seed % 3;
      found += check_against_brute_force(data, chosen, task);
      possible += 64;
      task.slack = 3;
      check_against_brute_force(data, chosen, task);
      task.slack = 0;
      task.most = 3;
      check_against_brute_force(data, chosen, task);
      task.required = {task.optional[1], task.optional[4]};
      task.optional.erase(task.optional.begin() + 4);
      task.optional.erase(task.optional.begin() + 1);
      task.least = 3;
      check_against_brute_force(data, chosen, task);
    }
  CHECK(found < possible / 2); // and it leaves most alone
}

TEST(branching_finds_parents_that_are_useless_one_by_one) {
  Random random(3);
  Dataset data = random_table(5, 3000, 5, 2);
  add_parity(data, random);
  for (const char *label : {"bic", "bde"}) {
    const SetBranching::Task task = task_of(data, 5);
    CHECK(check_against_brute_force(data, settings(label), task) > 0);
  }
}

// Sets of rare marks, among which no few columns can tell all rows of a child apart.
Dataset rare_marks(std::uint64_t seed, std::size_t rows, Node nodes) {
  Random random(seed);
  Dataset data;
  data.rows = data.total = rows;
  for (Node v = 0; v < nodes; ++v) {
    std::vector<std::uint16_t> codes(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const bool as_another = v > 1 && random.below(3) > 0;
      codes[row] = as_another ? data.columns[random.below(v)].codes[row] && random.below(2) > 0
                              : random.below(12) == 0;
    }
    codes[0] = 1; // no column is constant
    add_discrete(data, 2, std::move(codes));
  }
  return data;
}

TEST(branching_over_many_columns_leaves_out_what_few_of_them_cannot_explain) {
  const Dataset data = rare_marks(7, 300, 40);
  const auto score = make_score(data, settings("bic", 2));
  EnumerationOptions options;
  options.rules.max_parents.assign(data.size(), 3);
  options.rules.required.resize(data.size());
  options.rules.forbidden.resize(data.size());
  options.least_branching = kWithoutLimit; // level by level
  const Host host;
  Watch watch(host);
  const EnumerationResult levels = enumerate_parent_sets(data, *score, options, watch);
  for (const Node v : {Node{5}, Node{20}, Node{39}}) {
    CandidateSets known, needed;
    const CandidateSets &all = levels.sets.nodes[v];
    for (std::size_t i = 0; i < all.size(); ++i)
      (all.size_of(i) < 2 ? known : needed).add(all.score[i], all.begin_of(i), all.end_of(i));
    SetBranching::Task task = task_of(data, v);
    task.least = 2;
    task.most = 3;
    task.wide = 0;
    task.known = &known;
    task.work = kWithoutLimit;
    const SetBranching branching(data, *score);
    const SetBranching::Result found = begin_search(branching, task, watch);
    CHECK(found.complete);
    for (std::size_t i = 0; i < needed.size(); ++i)
      CHECK(std::count(found.sets.begin(), found.sets.end(),
                       std::vector<Node>(needed.begin_of(i), needed.end_of(i))) == 1);
    task.most = data.size();
    const double work = begin_search(branching, task, watch).work;
    task.wide = 1000;
    CHECK(begin_search(branching, task, watch).work > 3 * work);
  }
}

TEST(branching_ends_where_its_work_does) {
  const Dataset data = random_table(2, 400, 9, 3);
  const auto score = make_score(data, settings("bic"));
  const SetBranching branching(data, *score);
  SetBranching::Task task = task_of(data, 4);
  const CandidateSets none;
  task.known = &none;
  const double first_step =
      static_cast<double>(branching.rows()) * SetBranching::least_cells_per_row(data.size());
  task.work = first_step;
  const Host host;
  Watch watch(host);
  const SetBranching::Result found = begin_search(branching, task, watch);
  CHECK(!found.complete);
  CHECK(found.work < 3 * first_step);
}

TEST(branching_counts_rows_by_the_thousand_million) {
  Dataset data = random_table(4, 60, 5, 3, true);
  data.total = 0;
  for (std::uint32_t &weight : data.weights)
    data.total += weight *= 20000000;
  CHECK(data.total > std::uint64_t{2000000000});
  check_against_brute_force(data, settings("bic"), task_of(data, 2));
}

TEST(branching_wants_more_memory_where_levels_are_many) {
  const auto bytes = [](unsigned levels) {
    std::vector<std::uint16_t> codes(100, 0);
    return SetBranching::bytes(discrete_table({codes, codes}, {levels, 2}));
  };
  CHECK(bytes(2) < 1e5);
  CHECK(bytes(65535) > 1e10); // a table of two such columns
}

// least_regret() rests on this: see table_score.cpp.
TEST(counts_regret_as_much_as_their_values_say) {
  for (const double alpha : {1e-6, 0.01, 0.1, 0.25})
    for (unsigned r = 2; r <= 4; ++r)
      for (unsigned code = 1; code < 12u * 12 * 12; ++code) {
        const unsigned counts[] = {code % 12, code / 12 % 12, r > 2 ? code / 144 : 0,
                                   r > 3 ? code % 5 : 0};
        unsigned n = 0, values = 0;
        double regret = 0; // log ML - log BD
        for (const unsigned count : counts) {
          n += count;
          values += count > 0;
          regret += (count > 0 ? count * std::log(count) : 0) - std::lgamma(alpha + count) +
                    std::lgamma(alpha);
        }
        if (n == 0)
          continue;
        regret -= n * std::log(n) - std::lgamma(r * alpha + n) + std::lgamma(r * alpha);
        const double least = std::log(r) - (values - 1) * std::log(4 * alpha);
        CHECK(regret >= least - 1e-8);
      }
}

namespace {

// The same score, of which no likelihood bound is known.
class WithoutRegret final : public LocalScore {
public:
  explicit WithoutRegret(std::unique_ptr<LocalScore> score) : score_(std::move(score)) {}
  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override {
    score_->score(batch, watch, result);
  }
  double bound(Node child, const Node *parents, unsigned size) const override {
    return score_->bound(child, parents, size);
  }

private:
  const std::unique_ptr<LocalScore> score_;
};

} // namespace

TEST(levels_and_branching_keep_the_same_sets) {
  for (const char *label : {"bic", "bde"})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Dataset data = random_table(seed, 300, 10, 3, seed == 2);
      EnumerationOptions options;
      options.rules.max_parents.assign(data.size(), seed == 3 ? 5 : data.size());
      options.rules.required.resize(data.size());
      options.rules.forbidden.resize(data.size());
      options.rules.required[3] = {1};
      options.rules.forbidden[2] = {0, 9};
      options.slack = seed == 3 ? 1 : 0;
      const Host host;
      Watch watch(host);
      ScoreSettings chosen = settings(label);
      if (seed == 2)
        chosen = with_experiments(chosen, data);
      const auto score = make_score(data, chosen);
      WithoutRegret plain(make_score(data, chosen));
      const EnumerationResult wanted = enumerate_parent_sets(data, plain, options, watch);
      const EnumerationResult by_levels = enumerate_parent_sets(data, *score, options, watch);
      options.cells_per_row = 1e6;
      options.least_branching = 0;
      const EnumerationResult got = enumerate_parent_sets(data, *score, options, watch);
      double fewer = 0;
      for (Node v = 0; v < data.size(); ++v) {
        CHECK(got.sets.nodes[v].parents == wanted.sets.nodes[v].parents);
        CHECK_EQUAL(got.complete[v], wanted.complete[v]);
        fewer += by_levels.counted[v] - got.counted[v];
      }
      CHECK(fewer > 0);
    }
}
