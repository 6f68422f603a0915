#include "check.h"
#include "score_fixtures.h"

#include "core/score/forward_selection.h"
#include "core/score/mixed_families.h"

#include <algorithm>
#include <vector>

using namespace optbn;

namespace {

double score_of(LocalScore &score, Node child, std::vector<Node> parents, Watch &watch) {
  std::sort(parents.begin(), parents.end());
  MixedFamilies families;
  families.add(child, parents);
  return families.score(score, watch)[0];
}

} // namespace

// Each parent that raises the score is the best one beside those before it; then they come in the
// order of the last step.
TEST(forward_selection_takes_the_best_parent_each_time) {
  const Host host;
  Watch watch(host);
  const Node nodes = 7;
  const unsigned most = 4;
  bool some_raise = false, some_do_not = false;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset data = fixtures::random_table(seed, 150, nodes, 3);
    const auto score = make_score(data, fixtures::settings("bic", 1.5));
    FamilyRules rules;
    rules.required.resize(nodes);
    rules.forbidden.resize(nodes);
    rules.required[2] = {5};
    rules.forbidden[3] = {2, 4};
    const auto found = forward_selection(*score, rules, most, watch);
    CHECK_EQUAL(found.size(), nodes);
    for (Node v = 0; v < nodes; ++v) {
      std::vector<Node> open, beside = rules.required[v];
      for (Node u = 0; u < nodes; ++u)
        if (u != v && std::count(rules.forbidden[v].begin(), rules.forbidden[v].end(), u) == 0 &&
            std::count(beside.begin(), beside.end(), u) == 0)
          open.push_back(u);
      CHECK_EQUAL(found[v].size(), std::min<std::size_t>(most, open.size()));
      double now = score_of(*score, v, beside, watch);
      bool raises = true;
      double before = 0;
      for (const Node u : found[v]) {
        const auto with = [&](Node w) {
          std::vector<Node> parents = beside;
          parents.push_back(w);
          return score_of(*score, v, parents, watch);
        };
        CHECK(std::count(open.begin(), open.end(), u) == 1);
        const double own = with(u);
        if (raises && own <= now) {
          raises = false;
          before = own;
        }
        for (const Node w : open)
          CHECK(with(w) <= own + 1e-9);
        open.erase(std::find(open.begin(), open.end(), u));
        (raises ? some_raise : some_do_not) = true;
        if (raises) {
          beside.push_back(u);
          now = own;
        } else {
          CHECK(own <= before + 1e-9);
          before = own;
        }
      }
    }
  }
  CHECK(some_raise && some_do_not);
}

TEST(forward_selection_of_no_parents) {
  const Host host;
  Watch watch(host);
  const Dataset data = fixtures::random_table(1, 50, 3, 3);
  const auto score = make_score(data, fixtures::settings("bic", 1.5));
  FamilyRules rules;
  rules.required.resize(3);
  rules.forbidden = {{1, 2}, {}, {}};
  for (const std::vector<Node> &taken : forward_selection(*score, rules, 0, watch))
    CHECK(taken.empty());
  CHECK(forward_selection(*score, rules, 5, watch)[0].empty());
}
