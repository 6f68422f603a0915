#include "core/score/forward_selection.h"

#include "core/base/log_sum.h"
#include "core/score/mixed_families.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace optbn {

namespace {

// Nodes are taken together as long as they have so many families at a step.
const std::size_t kFamiliesAtATime = 1000000;

struct Selection {
  std::vector<Node> parents; // ascending
  double score;              // with these
  std::vector<Node> taken;   // in order
  bool done = false;
};

std::vector<Node> open_to(Node v, const Selection &selection, const LocalScore &score,
                          const FamilyRules &rules) {
  const auto among = [](const std::vector<Node> &nodes, Node u) {
    return std::find(nodes.begin(), nodes.end(), u) != nodes.end();
  };
  std::vector<Node> open;
  for (Node u = 0; u < rules.forbidden.size(); ++u)
    if (u != v && score.admits(v, u) && !among(rules.forbidden[v], u) &&
        !std::binary_search(selection.parents.begin(), selection.parents.end(), u))
      open.push_back(u);
  return open;
}

// Takes the best one, or, where none is better than none, all that are left in order.
void take(const Extensions &scored, unsigned most, Selection &selection) {
  std::vector<std::size_t> order(scored.added.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return scored.score[i] > scored.score[j]; });
  selection.done = order.empty() || !(scored.score[order[0]] > selection.score);
  const std::size_t count =
      selection.done ? std::min<std::size_t>(order.size(), most - selection.taken.size()) : 1;
  for (std::size_t i = 0; i < count; ++i)
    selection.taken.push_back(scored.added[order[i]]);
  if (selection.done)
    return;
  selection.score = scored.score[order[0]];
  const Node added = selection.taken.back();
  selection.parents.insert(
      std::upper_bound(selection.parents.begin(), selection.parents.end(), added), added);
  selection.done = selection.taken.size() == most;
}

void select(LocalScore &score, const FamilyRules &rules, Node first, unsigned most,
            std::vector<Selection> &selections, Watch &watch) {
  for (;;) {
    std::vector<Extensions> batch;
    for (std::size_t i = 0; i < selections.size(); ++i)
      if (!selections[i].done) {
        const Node v = static_cast<Node>(first + i);
        batch.push_back({v, selections[i].parents, open_to(v, selections[i], score, rules), {}});
      }
    if (batch.empty())
      return;
    score.extend(batch, watch);
    throw_if_stopped(watch);
    for (const Extensions &scored : batch)
      take(scored, most, selections[scored.child - first]);
  }
}

} // namespace

std::vector<std::vector<Node>> forward_selection(LocalScore &score, const FamilyRules &rules,
                                                 unsigned most, Watch &watch) {
  const std::size_t nodes = rules.forbidden.size();
  const std::size_t together = std::max<std::size_t>(1, kFamiliesAtATime / nodes);
  std::vector<std::vector<Node>> found;
  for (std::size_t first = 0; first < nodes; first += together) {
    std::vector<Selection> selections;
    MixedFamilies families;
    for (std::size_t v = first; v < std::min(nodes, first + together); ++v) {
      selections.push_back({rules.required[v], kLogZero, {}, most == 0});
      families.add(static_cast<Node>(v), rules.required[v]);
    }
    const std::vector<double> scores = families.score_nearly(score, watch);
    throw_if_stopped(watch);
    for (std::size_t i = 0; i < selections.size(); ++i)
      selections[i].score = scores[i];
    select(score, rules, static_cast<Node>(first), most, selections, watch);
    for (Selection &selection : selections)
      found.push_back(std::move(selection.taken));
  }
  return found;
}

} // namespace optbn
