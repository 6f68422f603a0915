#include "check.h"
#include "k_tree_fixtures.h"

#include "core/treewidth/codes/dandelion.h"

#include <map>

using namespace optbn;
using namespace fixtures;

namespace {

using Row = DandelionCode::Row;

// Nodes as the papers number them, from 1.
DandelionCode code_of(Node n, std::vector<Node> q, std::vector<Row> rows) {
  for (Node &v : q)
    --v;
  return {n, static_cast<unsigned>(q.size()), q, rows};
}

std::vector<std::vector<Node>> bags_from_one(const KTree &tree) {
  std::vector<std::vector<Node>> bags;
  for (std::size_t i = 0; i < tree.bags(); ++i) {
    bags.emplace_back(tree.bag(i), tree.bag_end(i));
    for (Node &v : bags.back())
      ++v;
  }
  return bags;
}

// visit(code) for all codes of a shape.
template <class Visit> void for_each_code(Node n, unsigned k, Visit visit) {
  const unsigned others = n - k, places = k * others + 1;
  std::vector<unsigned> digit(others - 2, 0);
  DandelionCode code{n, k, {}, std::vector<Row>(digit.size())};
  std::vector<bool> in_q(n, false);
  std::fill(in_q.begin(), in_q.begin() + k, true);
  do {
    code.q.clear();
    for (Node v = 0; v < n; ++v)
      if (in_q[v])
        code.q.push_back(v);
    for (;;) {
      for (std::size_t i = 0; i < digit.size(); ++i)
        code.rows[i] = digit[i] == 0 ? Row{}
                                     : Row{static_cast<Node>((digit[i] - 1) / k + 1),
                                           static_cast<Node>((digit[i] - 1) % k + 1)};
      visit(code);
      std::size_t i = 0;
      while (i < digit.size() && ++digit[i] == places)
        digit[i++] = 0;
      if (i == digit.size())
        break;
    }
  } while (std::prev_permutation(in_q.begin(), in_q.end()));
}

// Upper tail of a chi-squared variable in standard deviations (Wilson & Hilferty 1931).
double chi_squared_deviation(double value, double freedom) {
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(value / freedom) - (1 - spread)) / std::sqrt(spread);
}

} // namespace

TEST(dandelion_gives_the_figures_of_both_papers) {
  // Nie et al. 2016, figure 1.
  const DandelionCode first = code_of(9, {1, 6, 7}, {{1, 3}, {5, 3}, {6, 2}, {1, 1}});
  const KTree tree = decode(first);
  CHECK((bags_from_one(tree) ==
         std::vector<std::vector<Node>>{
             {1, 6, 7, 9}, {1, 4, 6, 7}, {1, 2, 6, 9}, {6, 7, 8, 9}, {5, 7, 8, 9}, {3, 5, 8, 9}}));
  CHECK((tree.parent == std::vector<std::uint32_t>{0, 0, 0, 0, 3, 4}));
  CHECK(encode(tree) == first);
  // Caminiti, Fusco & Petreschi 2010: their running example.
  const DandelionCode second =
      code_of(11, {2, 3, 9}, {{0, 0}, {2, 1}, {8, 3}, {8, 2}, {1, 3}, {5, 3}});
  CHECK((bags_from_one(decode(second)) == std::vector<std::vector<Node>>{{2, 3, 9, 11},
                                                                         {2, 3, 9, 10},
                                                                         {2, 3, 8, 9},
                                                                         {3, 4, 9, 11},
                                                                         {2, 3, 5, 8},
                                                                         {2, 6, 8, 9},
                                                                         {1, 2, 5, 8},
                                                                         {1, 5, 7, 8}}));
  CHECK(encode(decode(second)) == second);
}

TEST(dandelion_is_a_bijection) {
  const std::map<std::pair<Node, unsigned>, std::size_t> counts = {
      {{3, 1}, 3},   {{4, 1}, 16},   {{5, 1}, 125},    {{6, 1}, 1296},  {{7, 1}, 16807},
      {{4, 2}, 6},   {{5, 2}, 70},   {{6, 2}, 1215},   {{7, 2}, 27951}, {{5, 3}, 10},
      {{6, 3}, 200}, {{7, 3}, 5915}, {{6, 4}, 15},     {{7, 4}, 455},   {{8, 4}, 20230},
      {{7, 5}, 21},  {{8, 5}, 896},  {{8, 1}, 262144}, {{8, 3}, 229376}};
  for (const auto &[shape, count] : counts) {
    const auto [n, k] = shape;
    std::set<Edges> seen;
    std::size_t codes = 0;
    // Codes that come back are unique, so the two largest shapes need no set.
    const bool is_listed = count < 30000;
    DandelionDecoder decoder(n, k);
    for_each_code(n, k, [&](const DandelionCode &code) {
      ++codes;
      const KTree &tree = decoder.decode(code);
      CHECK(well_formed(code) && well_formed(tree));
      CHECK(encode(tree) == code);
      if (is_listed)
        seen.insert(edges(tree));
    });
    CHECK_EQUAL(codes, count);
    CHECK(!is_listed || seen.size() == count);
  }
}

TEST(dandelion_encodes_what_it_decodes_and_decodes_what_it_encodes) {
  Random random(1);
  for (const auto &[n, k] : std::vector<std::pair<Node, unsigned>>{
           {2, 0}, {9, 0}, {3, 1}, {20, 1}, {4, 2}, {14, 4}, {37, 4}, {60, 9}, {200, 8}, {50, 48}})
    for (unsigned repeat = 0; repeat < 50; ++repeat) {
      const DandelionCode code = random_code(n, k, random);
      CHECK(well_formed(code));
      const KTree tree = decode(code);
      CHECK(well_formed(tree));
      CHECK(encode(tree) == code);
      // The code depends on the edges alone, not on the bags' order.
      const Edges grown = grown_edges(n, k, random);
      const KTree other = k_tree_of(n, k, grown);
      CHECK(edges(decode(encode(other))) == grown);
      CHECK(encode(k_tree_of(n, k, edges(tree))) == code);
    }
}

TEST(dandelion_reaches_to_the_last_number_of_a_node) {
  Random random(2);
  for (const unsigned k : {0u, 1u, 3u}) {
    const DandelionCode code = random_code(65535, k, random);
    const KTree tree = decode(code);
    CHECK(well_formed(tree));
    CHECK(encode(tree) == code);
  }
}

TEST(dandelion_sampling_is_uniform) {
  Random random(5);
  std::map<Edges, unsigned> seen;
  DandelionDecoder decoder(6, 2);
  const unsigned trees = 1215, draws = 10 * trees;
  for (unsigned i = 0; i < draws; ++i)
    ++seen[edges(decoder.decode(random_code(6, 2, random)))];
  const double expected = double(draws) / trees;
  double statistic = (trees - static_cast<double>(seen.size())) * expected;
  for (const auto &[tree, count] : seen)
    statistic += (count - expected) * (count - expected) / expected;
  CHECK(std::abs(chi_squared_deviation(statistic, trees - 1)) < 4);
}

TEST(dandelion_codes_with_a_fault_are_not_well_formed) {
  const DandelionCode good = code_of(9, {1, 6, 7}, {{1, 3}, {5, 3}, {6, 2}, {1, 1}});
  CHECK(well_formed(good));
  const auto broken = [&](auto change) {
    DandelionCode code = good;
    change(code);
    return !well_formed(code);
  };
  CHECK(broken([](DandelionCode &code) { code.k = 2; }));
  CHECK(broken([](DandelionCode &code) { code.nodes = 4; }));
  CHECK(broken([](DandelionCode &code) { code.rows.pop_back(); }));
  CHECK(broken([](DandelionCode &code) { code.q[1] = 0; }));
  CHECK(broken([](DandelionCode &code) { code.q[2] = 9; }));
  CHECK(broken([](DandelionCode &code) { std::swap(code.q[0], code.q[1]); }));
  CHECK(broken([](DandelionCode &code) { code.rows[0].parent = 7; }));
  CHECK(broken([](DandelionCode &code) { code.rows[0].rank = 4; }));
  CHECK(broken([](DandelionCode &code) { code.rows[0].rank = 0; }));
  CHECK(broken([](DandelionCode &code) { code.rows[0].parent = 0; }));
}
