#include "core/graph/tree_width.h"

#include "core/base/invariant.h"
#include "core/graph/contraction.h"
#include "core/graph/elimination.h"
#include "core/graph/width_reduction.h"
#include "core/graph/width_search.h"

#include <algorithm>

namespace optbn {

namespace {

constexpr unsigned kContractions = 10; // with ties broken differently

class WidthProof {
public:
  WidthProof(const UndirectedGraph &graph, double memory_limit, Random &random, Watch &watch)
      : memory_limit_(memory_limit), random_(random), watch_(watch), rest_(graph) {}

  TreeWidth run() {
    raise_lower_bound();
    find_upper_bound();
    watch_.restart(upper_ - lower_.width);
    while (lower_.width < upper_ && rest_.size() > 0 && search())
      reduce(rest_, lower_, safe_);
    if (rest_.size() == 0) {
      upper_ = lower_.width;
      order_ = safe_;
    }
    return {lower_, upper_, order_};
  }

private:
  void raise_lower_bound() {
    reduce(rest_, lower_, safe_);
    for (unsigned i = 0; i < kContractions && rest_.size() > 0 && !watch_.stopped(); ++i) {
      raise_by_contraction(rest_, lower_, random_, watch_);
      reduce(rest_, lower_, safe_);
    }
  }

  void find_upper_bound() {
    const std::vector<Node> left = rest_.nodes();
    const Elimination found =
        best_elimination_order(rest_.graph(left), {}, EliminationGoal::width, random_, watch_);
    upper_ = std::max(lower_.width, found.cost.width);
    order_ = safe_;
    for (const Node i : found.order)
      order_.push_back(left[i]);
  }

  // Is the width of the rest at most the lower bound? Components for which it is are eliminated;
  // the first for which it is not raises the bound. False when the search was stopped.
  bool search() {
    for (const std::vector<Node> &component : rest_.components()) {
      const WidthSearch found =
          search_width(rest_.graph(component), lower_.width, memory_limit_, watch_);
      if (found.answer == WidthAnswer::stopped)
        return false;
      if (found.answer == WidthAnswer::no) {
        lower_.width += 1;
        lower_.searched = true;
        watch_.advance(1);
        return true;
      }
      for (const Node i : found.order) {
        safe_.push_back(component[i]);
        rest_.remove(component[i]);
      }
    }
    return true;
  }

  const double memory_limit_;
  Random &random_;
  Watch &watch_;
  MinorGraph rest_;
  std::vector<Node> safe_; // eliminated before the rest, in bags within the lower bound
  LowerBound lower_;
  unsigned upper_ = 0;
  std::vector<Node> order_;
};

} // namespace

TreeWidth tree_width(const UndirectedGraph &graph, double memory_limit, Random &random,
                     Watch &watch) {
  TreeWidth found = WidthProof(graph, memory_limit, random, watch).run();
  OPTBN_INVARIANT(found.lower.width <= found.upper, "the lower bound is not above the upper bound");
  OPTBN_INVARIANT(decompose(graph, found.order).width() <= found.upper,
                  "the order proves the upper bound");
  return found;
}

} // namespace optbn
