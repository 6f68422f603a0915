// ELSA with plain lists against ELSA with decision trees (Troesser, de Givry & Katsirelos 2022):
// one row for every instance and store, instances in the order given.
//
//   exact-ablation SECONDS NAME... < texts of the instances (.jkl), each ended by a line "end"
//
// A run ends after so many seconds; what has been proved by then is in the gap. The start is local
// search, whose time is not counted; stores walk the same search tree, so that unfinished runs
// compare by nodes a second. See exact-ablation.sh.

#include "core/score/jkl.h"
#include "core/structure/cp/search_tree.h"
#include "core/structure/engines/local_search.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

using namespace optbn;

namespace {

struct Store {
  const char *name;
  TreeOptions options;
};

const Store kStores[] = {
    {"lists", {SplitRule::none, false}},
    {"trees", {SplitRule::information_gain, true}},
    {"trees, no information gain", {SplitRule::most_frequent, true}},
    {"trees, no implied literals", {SplitRule::information_gain, false}},
};

// Estimates the time of calls that are far shorter than two readings of a clock, by timing one in
// many and subtracting the time of the readings.
class Stopwatch {
public:
  Stopwatch() {
    for (unsigned i = 0; i < 1000; ++i)
      overhead_ = std::min(overhead_, seconds_of([] {}));
  }

  template <class Call> auto operator()(Call call) {
    if (++calls_ % kEvery != 0)
      return call();
    decltype(call()) result;
    seconds_ += kEvery * (std::min(seconds_of([&] { result = call(); }), kLongest) - overhead_);
    return result;
  }

  double seconds() const { return seconds_; }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kEvery = 61;    // odd, so that no loop is in step with it
  static constexpr double kLongest = 10e-6; // beyond, another process had the processor

  template <class Call> static double seconds_of(Call call) {
    const auto begin = Clock::now();
    call();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  std::uint64_t calls_ = 0;
  double overhead_ = 1, seconds_ = 0;
};

Stopwatch in_queries;

// A domain whose queries ("is some set inside T?") are timed.
template <unsigned Words> struct TimedDomain : DecisionTree<Words> {
  using Tree = DecisionTree<Words>;
  using Set = typename Tree::Set;
  using Tree::Tree;

  Rank live_inside(const Set &allowed) const {
    return in_queries([&] { return Tree::live_inside(allowed); });
  }
  Rank zero_inside(const Set &allowed) const {
    return in_queries([&] { return Tree::zero_inside(allowed); });
  }
  Rank cheapest_inside(const Set &allowed) const {
    return in_queries([&] { return Tree::cheapest_inside(allowed); });
  }
  Rank cheapest_zero_inside(const Set &allowed) const {
    return in_queries([&] { return Tree::cheapest_zero_inside(allowed); });
  }
  Rank zeros_inside(const Set &allowed) const {
    return in_queries([&] { return Tree::zeros_inside(allowed); });
  }
};

CpProof timed_search(const ProofTask &task, const TreeOptions &store, Watch &watch) {
  return with_width(task.problem.words, [&](auto words) {
    return SearchTree<TimedDomain<words>>(task, store, watch).run();
  });
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Run {
  double seconds = 0, nodes = 0, query_seconds = 0, gap = 0;
};

// Every strong component, one after the other; only those of two nodes or more are searched.
Run prove(const std::vector<Component> &components, const std::vector<Network> &starts,
          const Store &store, double limit) {
  Run run;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const double begin = processor_seconds(), left = limit - run.seconds;
    Host host;
    host.should_stop = [&] {
      return processor_seconds() - begin > left ? StopReason::time_limit : StopReason::none;
    };
    Watch watch(host);
    const double queries_before = in_queries.seconds();
    const CpProof proof = timed_search({components[i].problem, starts[i]}, store.options, watch);
    run.seconds += processor_seconds() - begin;
    run.nodes += proof.nodes;
    run.query_seconds += in_queries.seconds() - queries_before;
    run.gap += proof.bound - proof.best.score;
  }
  return run;
}

void compare(const std::string &name, const ParentSets &sets, double limit) {
  std::vector<Component> components = split(sets);
  components.erase(
      std::remove_if(components.begin(), components.end(),
                     [](const Component &component) { return component.problem.size() < 2; }),
      components.end());
  std::vector<Network> starts;
  std::size_t total = 0, largest = 0;
  for (const Component &component : components) {
    const Host host;
    Watch watch(host);
    starts.push_back(local_search(component.problem, {}, watch).network);
    for (const Domain &domain : component.problem.domains) {
      total += domain.size();
      largest = std::max(largest, domain.size());
    }
  }
  double lists = 0;
  for (const Store &store : kStores) {
    const Run run = prove(components, starts, store, limit);
    const double nodes_a_second = run.nodes / std::max(run.seconds, 1e-6);
    if (lists == 0)
      lists = nodes_a_second;
    std::printf(
        "| %-18s | %3u | %6zu | %6zu | %-26s | %8.3f | %9.0f | %8.2f | %5.0f %% | %8.3f |\n",
        name.c_str(), sets.size(), total, largest, store.name, run.seconds, run.nodes,
        lists / nodes_a_second, 100 * run.query_seconds / std::max(run.seconds, 1e-6), run.gap);
    std::fflush(stdout);
  }
}

} // namespace

int main(int arguments, char **argument) {
  const double limit = arguments > 1 ? std::atof(argument[1]) : 10;
  std::printf(
      "| instance | n | sets | largest domain | store | seconds | nodes | time a node / lists "
      "| queries | gap |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 2; i < arguments; ++i) {
    std::string text, line;
    while (std::getline(std::cin, line) && line != "end")
      text += line + "\n";
    compare(argument[i], read_jkl(text).sets, limit);
  }
}
