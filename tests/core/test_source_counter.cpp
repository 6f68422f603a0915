#include "check.h"
#include "source_fixtures.h"

#include "core/data/source_counter.h"
#include "core/score/enumeration.h"
#include "core/treewidth/mutual_information.h"

#include <algorithm>

using namespace fixtures;

namespace {

using Sets = std::vector<std::vector<Node>>;

Sets all_sets(Node nodes, unsigned size) {
  Sets sets;
  for (unsigned mask = 0; mask < 1u << nodes; ++mask) {
    std::vector<Node> set;
    for (Node v = 0; v < nodes; ++v)
      if (mask >> v & 1)
        set.push_back(v);
    if (set.size() == size)
      sets.push_back(set);
  }
  return sets;
}

std::vector<const Node *> pointers(const Sets &sets) {
  std::vector<const Node *> out;
  for (const auto &set : sets)
    out.push_back(set.data());
  return out;
}

// The counts of each set, ascending.
std::vector<std::vector<double>> counts_of(SetCounter &counter, const Sets &sets, unsigned size,
                                           unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  std::vector<std::vector<double>> counts(sets.size());
  counter.count(pointers(sets), size, 1, watch, [&](std::size_t i, const CellCounts &cells) {
    counts[i].assign(cells.singletons, 1);
    counts[i].insert(counts[i].end(), cells.counts.begin(), cells.counts.end());
    std::sort(counts[i].begin(), counts[i].end());
  });
  return counts;
}

EnumerationResult enumerate(const Dataset &data, const ScoreSettings &chosen) {
  EnumerationOptions options;
  options.rules.max_parents.assign(data.size(), 3);
  options.rules.required.resize(data.size());
  options.rules.forbidden.resize(data.size());
  const Host host;
  Watch watch(host);
  const auto score = make_score(data, chosen);
  return enumerate_parent_sets(data, *score, options, watch);
}

} // namespace

TEST(covers_hold_every_set_in_few_blocks) {
  const std::vector<unsigned> levels(20, 3);
  for (unsigned size = 1; size <= 3; ++size) {
    const Sets sets = all_sets(20, size);
    const std::vector<Block> blocks = cover(pointers(sets), size, levels, 243); // five columns
    for (const auto &set : sets)
      CHECK(std::any_of(blocks.begin(), blocks.end(), [&](const Block &block) {
        return std::includes(block.begin(), block.end(), set.begin(), set.end());
      }));
    for (const Block &block : blocks)
      CHECK(block.size() <= 5);
    // Five columns hold 5, 10 and 10 sets; a greedy cover needs not twice as many as that asks for.
    const double least = static_cast<double>(sets.size()) / (size == 1 ? 5 : 10);
    CHECK(static_cast<double>(blocks.size()) < 2 * least);
  }
}

TEST(a_set_of_many_cells_is_a_block_by_itself) {
  const Sets sets = {{0, 1}, {1, 2}};
  const std::vector<Block> blocks = cover(pointers(sets), 2, {50, 50, 2}, 100);
  CHECK_EQUAL(blocks.size(), 2u);
  CHECK(blocks[0] == (Block{0, 1}));
  CHECK(blocks[1] == (Block{1, 2}));
}

TEST(blocks_count_as_rows_do) {
  for (bool weighted : {false, true}) {
    const Dataset data = random_table(5, 300, 9, 6, weighted);
    const Dataset elsewhere = kept_elsewhere(data);
    const auto rows = make_set_counter(data), blocks = make_set_counter(elsewhere);
    for (unsigned size = 0; size <= 4; ++size) {
      const Sets sets = all_sets(9, size);
      CHECK(counts_of(*rows, sets, size) == counts_of(*blocks, sets, size));
    }
  }
}

TEST(what_is_held_is_not_asked_for_again) {
  const Dataset data = random_table(6, 200, 12, 3);
  TableSource *source = nullptr;
  const Dataset elsewhere = kept_elsewhere(data, &source);
  const auto counter = make_set_counter(elsewhere);
  counts_of(*counter, all_sets(12, 2), 2);
  const std::vector<Block> first = source->asked;
  const std::size_t passes = source->passes;
  CHECK(first.size() < 12); // of 66 pairs
  CHECK(passes <= first.size());
  counts_of(*counter, all_sets(12, 2), 2);
  counts_of(*counter, all_sets(12, 1), 1);
  CHECK_EQUAL(source->passes, passes);
  counts_of(*counter, all_sets(12, 3), 3);
  for (std::size_t i = first.size(); i < source->asked.size(); ++i)
    CHECK(std::find(first.begin(), first.end(), source->asked[i]) == first.end());
}

TEST(threads_count_blocks_alike) {
  const Dataset elsewhere = kept_elsewhere(random_table(7, 300, 10, 4));
  const Sets sets = all_sets(10, 3);
  const auto one = make_set_counter(elsewhere), two = make_set_counter(elsewhere);
  CHECK(counts_of(*one, sets, 3, 1) == counts_of(*two, sets, 3, 2));
}

TEST(parent_sets_of_rows_kept_elsewhere_are_those_of_rows_here) {
  Dataset discrete = random_table(8, 400, 6, 4), mixed = random_table(9, 400, 3, 3), continuous;
  add_continuous(mixed, 10, 3);
  continuous.rows = continuous.total = 300;
  add_continuous(continuous, 11, 5);
  ScoreSettings bge = settings("bge");
  bge.iss_w = 7;
  bge.nu.assign(5, 0.1);
  std::vector<std::pair<const Dataset *, ScoreSettings>> cases;
  for (const char *label : {"loglik", "bic", "bde", "bds", "k2", "bdj"})
    cases.emplace_back(&discrete, settings(label, 2));
  const Dataset with_missing = with_holes(discrete, 4, 0.2, 1);
  cases.emplace_back(&discrete, settings("pnal", 2));
  cases.emplace_back(&with_missing, settings("pnal", 2));
  cases.emplace_back(&mixed, settings("bic-cg", 2));
  cases.emplace_back(&continuous, settings("bic-g", 2));
  cases.emplace_back(&continuous, bge);
  for (const auto &[data, chosen] : cases) {
    const Dataset elsewhere = kept_elsewhere(*data);
    const EnumerationResult here = enumerate(*data, chosen), there = enumerate(elsewhere, chosen);
    for (Node v = 0; v < data->size(); ++v) {
      const CandidateSets &a = here.sets.nodes[v], &b = there.sets.nodes[v];
      CHECK_EQUAL(a.size(), b.size());
      CHECK(a.parents == b.parents);
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        CHECK_NEAR(a.score[i], b.score[i], 1e-9 * std::abs(a.score[i]));
    }
  }
}

// One continuous column a multiple of another: no density, by rows or by moments.
TEST(collinear_columns_kept_elsewhere_have_no_score) {
  Dataset data;
  data.rows = data.total = 100;
  add_continuous(data, 12, 2);
  data.columns.push_back(data.columns[0]);
  for (double &value : data.columns[2].values)
    value = 3 * value + 1;
  const Dataset elsewhere = kept_elsewhere(data);
  const auto score = make_score(elsewhere, settings("loglik-g"));
  CHECK_EQUAL(score_one(*score, 2, {0, 1}), -LocalScore::kInfinity);
  CHECK(std::isfinite(score_one(*score, 2, {1})));
}

TEST(informations_of_rows_kept_elsewhere_are_those_of_rows_here) {
  Dataset data = random_table(13, 300, 4, 4, true);
  add_continuous(data, 14, 3);
  const Dataset elsewhere = kept_elsewhere(data);
  const Host host;
  Watch watch(host);
  const MutualInformation here = mutual_information(data, watch);
  const MutualInformation there = mutual_information(elsewhere, watch);
  for (std::size_t i = 0; i < here.value.size(); ++i)
    CHECK_NEAR(here.value[i], there.value[i], 1e-10);
}
