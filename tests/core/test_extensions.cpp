#include "check.h"
#include "score_fixtures.h"
#include "tree_fixtures.h"

#include "core/base/ascending.h"
#include "core/data/extension_counter.h"
#include "core/score/mixed_families.h"

#include <map>
#include <set>

using namespace fixtures;

namespace {

// Every family of at most `most` parents, to be extended by all other columns that the score
// admits.
std::vector<Extensions> all_extensions(const LocalScore &score, Node nodes, unsigned most) {
  std::vector<Extensions> batch;
  for (Node child = 0; child < nodes; ++child)
    for (unsigned mask = 0; mask < 1u << nodes; ++mask) {
      Extensions family;
      family.child = child;
      bool admitted = !(mask >> child & 1);
      for (Node u = 0; u < nodes; ++u) {
        if (u == child)
          continue;
        const bool parent = mask >> u & 1;
        admitted = admitted && (!parent || score.admits(child, u));
        if (parent)
          family.parents.push_back(u);
        else if (score.admits(child, u))
          family.added.push_back(u);
      }
      if (admitted && family.parents.size() <= most)
        batch.push_back(family);
    }
  return batch;
}

// Also that scores that are nearly those of families are.
void check_nearly(LocalScore &score, const std::vector<Extensions> &batch, Watch &watch) {
  MixedFamilies families;
  for (const Extensions &family : batch)
    families.add(family.child, family.parents);
  const std::vector<double> wanted = families.score(score, watch);
  const std::vector<double> found = families.score_nearly(score, watch);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == -LocalScore::kInfinity)
      CHECK(found[i] == wanted[i]);
    else
      CHECK_NEAR(found[i], wanted[i], 1e-8 * std::abs(wanted[i]));
  }
}

// Of the families of a batch, less each of their parents.
void check_reductions(LocalScore &score, const std::vector<Extensions> &batch, Watch &watch) {
  std::vector<Reductions> reductions;
  for (const Extensions &family : batch)
    reductions.push_back({family.child, family.parents, family.parents, {}});
  score.reduce(reductions, watch);
  for (const Reductions &family : reductions)
    for (std::size_t i = 0; i < family.removed.size(); ++i) {
      const double wanted =
          score_one(score, family.child, without(family.parents, family.removed[i]));
      if (wanted == -LocalScore::kInfinity)
        CHECK(family.score[i] == wanted);
      else
        CHECK_NEAR(family.score[i], wanted, 1e-8 * std::abs(wanted));
    }
}

void check_extensions(const Dataset &data, const ScoreSettings &chosen, unsigned threads = 1) {
  const auto score = make_score(data, chosen);
  std::vector<Extensions> batch = all_extensions(*score, data.size(), 3);
  Host host;
  host.threads = threads;
  Watch watch(host);
  check_nearly(*score, batch, watch);
  score->extend(batch, watch);
  check_nearly(*score, batch, watch); // which may know more now
  check_reductions(*score, batch, watch);
  for (const Extensions &family : batch)
    for (std::size_t i = 0; i < family.added.size(); ++i) {
      std::vector<Node> parents = family.parents;
      parents.push_back(family.added[i]);
      std::sort(parents.begin(), parents.end());
      const double wanted = score_one(*score, family.child, parents);
      if (wanted == -LocalScore::kInfinity)
        CHECK(family.score[i] == wanted);
      else
        CHECK_NEAR(family.score[i], wanted, 1e-8 * std::abs(wanted));
    }
}

// That a counter counts what is in the cells of the parents, in whatever order it keeps these.
void check_counts(const Dataset &data, ExtensionCounter &counter, Node child,
                  const std::vector<Node> &parents, Node u) {
  const unsigned child_levels = data.columns[child].levels, levels = data.columns[u].levels;
  std::map<std::vector<std::uint16_t>, std::vector<std::uint32_t>> cells;
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::vector<std::uint16_t> cell;
    for (const Node w : parents)
      cell.push_back(data.columns[w].codes[row]);
    std::vector<std::uint32_t> &counts = cells[cell];
    counts.resize(child_levels * levels);
    counts[data.columns[child].codes[row] * levels + data.columns[u].codes[row]] +=
        data.weight(row);
  }
  const std::uint32_t *found = counter.count(u);
  if (!found)
    return;
  CHECK_EQUAL(counter.cells(), cells.size());
  std::multiset<std::vector<std::uint32_t>> wanted, counted;
  for (const auto &[cell, counts] : cells)
    wanted.insert(counts);
  for (std::size_t i = 0; i < counter.cells(); ++i, found += child_levels * levels)
    counted.insert({found, found + child_levels * levels});
  CHECK(wanted == counted);
}

} // namespace

TEST(extensions_of_tables_are_scores_of_families) {
  for (const char *label : {"loglik", "bic", "fnml", "qnml", "bde", "bds", "k2", "bdj"})
    for (bool weighted : {false, true}) {
      const Dataset data = random_table(5, 300, 6, 4, weighted);
      check_extensions(data, settings(label, 2.5));
      check_extensions(data, with_prior(settings(label, 2.5), 6, 1));
      check_extensions(data, with_experiments(settings("mbde", 2), data));
    }
}

// Few rows are told one by one, sparse columns by their uncommon levels, tables that outgrow the
// rows by their occupied cells.
TEST(extensions_do_not_depend_on_the_way_of_counting) {
  for (std::size_t rows : {20u, 2000u, 20000u}) {
    Dataset data = random_table(6, rows, 4, 3);
    std::vector<std::uint16_t> rare(rows, 2), many(rows);
    for (std::size_t row = 0; row < rows; row += 17)
      rare[row] = static_cast<std::uint16_t>(row % 2);
    for (std::size_t row = 0; row < rows; ++row)
      many[row] = static_cast<std::uint16_t>(row * 7919 % (rows / 2));
    add_discrete(data, 3, rare);
    add_discrete(data, static_cast<unsigned>(rows / 2), many);
    check_extensions(data, settings("bic", 1.5));
    check_extensions(data, settings("bde", 1.5));
    check_extensions(data, settings("fnml"));
  }
}

// By bits, by rows and, where rows are many times the cells, by blocks of columns, of which those
// with 15 levels are one.
TEST(extensions_are_counted_as_one_by_one) {
  for (bool weighted : {false, true}) {
    Dataset data = random_table(3, 20000, 3, 3, weighted);
    Random random(1);
    for (const unsigned levels : {150u, 15u, 15u, 2u, 2u, 2u, 300u}) {
      std::vector<std::uint16_t> codes(data.rows);
      for (std::uint16_t &code : codes)
        code = static_cast<std::uint16_t>(random.below(levels));
      add_discrete(data, levels, std::move(codes));
    }
    const CountedRows rows(data);
    ExtensionCounter counter(rows);
    for (const std::vector<Node> &parents : std::vector<std::vector<Node>>{{}, {0}, {2, 4}, {1, 8}})
      for (const Node child : {Node{0}, Node{4}, Node{5}, Node{9}}) {
        if (std::binary_search(parents.begin(), parents.end(), child) ||
            !counter.group(child, parents.data(), static_cast<unsigned>(parents.size())))
          continue;
        for (Node u = 0; u < data.size(); ++u)
          if (u != child && !std::binary_search(parents.begin(), parents.end(), u))
            check_counts(data, counter, child, parents, u);
      }
  }
}

TEST(extensions_of_regressions_are_scores_of_families) {
  Dataset gaussian;
  gaussian.rows = gaussian.total = 60;
  add_continuous(gaussian, 3, 6);
  check_extensions(gaussian, settings("bic-g", 1.2));
  ScoreSettings bge = settings("bge");
  bge.iss_w = 8;
  bge.nu.assign(6, 0.25);
  check_extensions(gaussian, bge);

  Dataset mixed = random_table(8, 200, 3, 3, true);
  add_continuous(mixed, 9, 3);
  check_extensions(mixed, settings("bic-cg", 1.2));
  mixed.columns.push_back(mixed.columns.back()); // a copy: no residual is left
  check_extensions(mixed, settings("bic-cg", 1.2));
}

TEST(extensions_of_other_scores_take_the_common_way) {
  Dataset mixed = random_table(8, 60, 3, 3);
  add_continuous(mixed, 9, 2);
  ScoreSettings trees = tree_settings(mixed, "pcart-p");
  check_extensions(mixed, trees);
}

TEST(extensions_of_nodes_that_were_set_are_scores_of_families) {
  const Dataset discrete = random_table(6, 300, 6, 3, true);
  check_extensions(discrete, with_experiments(settings("bic", 2.5), discrete));
  Dataset mixed = random_table(8, 90, 3, 2);
  add_continuous(mixed, 9, 2);
  check_extensions(mixed, with_experiments(settings("bic-cg", 2.5), mixed));
}

TEST(threads_extend_alike) {
  check_extensions(random_table(5, 3000, 6, 4), settings("bic", 2.5), 3);
}
