#include "check.h"
#include "k_tree_fixtures.h"
#include "random_problem.h"

#include "core/treewidth/codes/code_climb.h"

#include <map>

using namespace optbn;
using namespace fixtures;

namespace {

// A pseudo-random number that depends on the edges alone.
double arbitrary_value(const KTree &tree) {
  std::uint64_t hash = 1;
  for (const auto &[a, b] : edges(tree))
    hash = (hash ^ (std::uint64_t{a} << 16 | b)) * 0x9e3779b97f4a7c15u;
  return double(hash >> 40);
}

double distance_to_path(const KTree &tree) { // of node numbers, over the edges; 0 at best
  double sum = 0;
  for (const auto &[a, b] : edges(tree))
    sum -= b - a;
  return sum;
}

// All codes that differ in one entry by one step, found by trying all changes of one entry.
std::vector<DandelionCode> neighbours_of(const DandelionCode &code) {
  std::vector<DandelionCode> found;
  const auto add = [&](const DandelionCode &other) {
    if (well_formed(other) && !(other == code) &&
        std::find(found.begin(), found.end(), other) == found.end())
      found.push_back(other);
  };
  const int n = code.nodes, places = code.others() + 1, k = static_cast<int>(code.k);
  const auto differ_by_one = [](int a, int b, int size) {
    return (a + 1) % size == b || (b + 1) % size == a;
  };
  for (std::size_t i = 0; i < code.q.size(); ++i)
    for (Node v = 0; v < n; ++v) {
      DandelionCode other = code;
      other.q[i] = v;
      std::sort(other.q.begin(), other.q.end());
      if (differ_by_one(code.q[i], v, n))
        add(other);
    }
  for (std::size_t i = 0; i < code.rows.size(); ++i)
    for (Node parent = 0; parent < places; ++parent)
      for (Node rank = 0; rank <= k; ++rank) {
        const auto [old_parent, old_rank] = code.rows[i];
        DandelionCode other = code;
        other.rows[i] = {parent, rank};
        const bool one_step = parent == old_parent && parent > 0
                                  ? differ_by_one(old_rank - 1, rank - 1, k)
                                  : differ_by_one(old_parent, parent, places) &&
                                        (parent == 0       ? rank == 0
                                         : old_parent == 0 ? rank == 1
                                                           : rank == old_rank);
        if (one_step)
          add(other);
      }
  return found;
}

const std::vector<std::pair<Node, unsigned>> kShapes = {{6, 0}, {3, 1}, {7, 1}, {4, 2},
                                                        {9, 2}, {9, 4}, {14, 3}};

} // namespace

TEST(code_climb_ends_where_no_neighbour_is_better) {
  Random random(1);
  const Host host;
  unsigned moves = 0;
  for (const auto &[n, k] : kShapes)
    for (unsigned repeat = 0; repeat < 20; ++repeat) {
      Watch watch(host);
      const DandelionCode start = random_code(n, k, random);
      const Climb top = hill_climb(start, arbitrary_value, watch);
      moves += top.moves;
      CHECK(well_formed(top.code));
      CHECK_EQUAL(top.value, arbitrary_value(decode(top.code)));
      CHECK(top.value >= arbitrary_value(decode(start)));
      for (const DandelionCode &neighbour : neighbours_of(top.code))
        CHECK(arbitrary_value(decode(neighbour)) <= top.value);
      CHECK(top.code == start || top.moves > 0);
      // Step by step: to the best neighbour of each code.
      DandelionCode at = start;
      for (unsigned i = 0; i < top.moves; ++i) {
        const std::vector<DandelionCode> around = neighbours_of(at);
        at = *std::max_element(around.begin(), around.end(), [](const auto &a, const auto &b) {
          return arbitrary_value(decode(a)) < arbitrary_value(decode(b));
        });
      }
      CHECK(at == top.code);
    }
  CHECK(moves > 100);
}

// The first draw is recognised by the k-trees that are evaluated next: its neighbours.
TEST(code_climb_draws_as_equation_20_says) {
  Random random(2);
  const Host host;
  const double temperature = 4e6; // values reach to 2^24
  const DandelionCode start = random_code(7, 2, random);
  const std::vector<DandelionCode> around = neighbours_of(start);
  std::map<std::set<Edges>, double> weight;
  double sum = 0;
  for (const DandelionCode &code : around) {
    std::set<Edges> next;
    for (const DandelionCode &neighbour : neighbours_of(code))
      next.insert(edges(decode(neighbour)));
    const double w = std::exp(arbitrary_value(decode(code)) / temperature);
    weight[next] += w;
    sum += w;
  }
  CHECK_EQUAL(weight.size(), around.size());
  const unsigned repeats = 5000;
  std::map<std::set<Edges>, double> drawn;
  for (unsigned repeat = 0; repeat < repeats; ++repeat) {
    Watch watch(host);
    std::size_t evaluations = 0;
    std::set<Edges> next;
    const KTreeValue value = [&](const KTree &tree) {
      // Codes of three rows over 7 nodes have at least ten neighbours.
      if (++evaluations > 1 + around.size() && evaluations <= 11 + around.size())
        next.insert(edges(tree));
      return arbitrary_value(tree);
    };
    probabilistic_climb(start, value, {temperature, false}, random, watch);
    for (const auto &[theirs, w] : weight)
      if (std::includes(theirs.begin(), theirs.end(), next.begin(), next.end()))
        drawn[theirs] += 1;
  }
  for (const auto &[theirs, w] : weight) {
    const double expected = repeats * w / sum;
    CHECK_NEAR(drawn[theirs], expected, 4.5 * std::sqrt(expected) + 1);
  }
}

TEST(probabilistic_code_climb_returns_the_best_it_has_seen) {
  Random random(3);
  const Host host;
  for (const auto &[n, k] : kShapes)
    for (const Temperature temperature : {Temperature{0, false}, Temperature{1, true},
                                          Temperature{1e9, false}, Temperature::usual()}) {
      Watch watch(host);
      double best = -1;
      std::size_t evaluations = 0;
      const KTreeValue value = [&](const KTree &tree) {
        ++evaluations;
        best = std::max(best, arbitrary_value(tree));
        return arbitrary_value(tree);
      };
      const DandelionCode start = random_code(n, k, random);
      const Climb top = probabilistic_climb(start, value, temperature, random, watch);
      CHECK(top.value <= best && top.value >= arbitrary_value(decode(start)));
      CHECK_EQUAL(top.value, arbitrary_value(decode(top.code)));
      CHECK_EQUAL(top.evaluations, evaluations);
      CHECK(k == 0 || top.moves >= 10);
      if (temperature.value == 0) { // then it passes the code where hill climbing ends
        Watch other(host);
        CHECK(top.value >= hill_climb(start, arbitrary_value, other).value);
      }
    }
}

TEST(code_climb_finds_the_top_of_a_smooth_hill) {
  Random random(4);
  const Host host;
  double climbed = 0, plain = 0;
  for (unsigned repeat = 0; repeat < 20; ++repeat) {
    Watch watch(host);
    const DandelionCode start = random_code(12, 2, random);
    climbed += hill_climb(start, distance_to_path, watch).value;
    plain += distance_to_path(decode(start));
  }
  CHECK(climbed > 0.7 * plain); // both are negative
}

TEST(code_climb_returns_its_best_when_stopped) {
  Random random(5);
  const DandelionCode start = random_code(30, 4, random);
  const Host host = host_stopping_after(0, 1);
  Watch watch(host);
  const Climb none = hill_climb(start, arbitrary_value, watch);
  CHECK(none.code == start && none.moves == 0);
  CHECK_EQUAL(none.value, arbitrary_value(decode(start)));
  const Climb other =
      probabilistic_climb(start, arbitrary_value, Temperature::usual(), random, watch);
  CHECK(other.code == start && other.moves == 0);
}
