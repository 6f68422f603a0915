// How long a proof takes by the search over orders, by branch and cut, and by both in turn: one row
// for every instance, in the order given.
//
//   proof-ablation VARIANT SECONDS ENGINE NAME... < texts of the instances (.jkl), each ended by
//                                                   a line "end"
//
// ENGINE is orders, branch-and-cut or both. A run ends after so many seconds of processor time; what
// is open by then is in the gap. The start is local search, whose time is not counted. See
// proof-ablation.sh.

#include "core/score/jkl.h"
#include "core/structure/engines/local_search.h"
#include "core/structure/engines/tree_search.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

using namespace optbn;

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

TreeEngine engine_of(const std::string &name) {
  return name == "orders"           ? TreeEngine::orders
         : name == "branch-and-cut" ? TreeEngine::branch_and_cut
                                    : TreeEngine::both;
}

// Every strong component of two nodes or more, one after the other.
void prove(const std::string &variant, const std::string &name, const ParentSets &sets,
           TreeEngine engine, double limit) {
  double seconds = 0, nodes = 0, gap = 0;
  for (const Component &component : split(sets)) {
    if (component.problem.size() < 2)
      continue;
    const Host host;
    Watch unlimited(host);
    LocalSearchOptions two_chains;
    two_chains.chains = 2;
    two_chains.restarts = 0;
    const ProofTask task{component.problem,
                         local_search(component.problem, two_chains, unlimited).network};
    const double begin = processor_seconds(), left = limit - seconds;
    Host limited;
    limited.should_stop = [&] {
      return processor_seconds() - begin > left ? StopReason::time_limit : StopReason::none;
    };
    Watch watch(limited);
    const Proof proof = tree_search(task, engine, watch);
    seconds += processor_seconds() - begin;
    nodes += proof.nodes;
    gap += proof.bound - proof.best.score;
  }
  std::printf("| %-26s | %-24s | %8.2f | %9.0f | %8.3f |\n", name.c_str(), variant.c_str(), seconds,
              nodes, gap);
  std::fflush(stdout);
}

} // namespace

int main(int arguments, char **argument) {
  if (arguments < 4)
    return 2;
  for (int i = 4; i < arguments; ++i) {
    std::string text, line;
    while (std::getline(std::cin, line) && line != "end")
      text += line + "\n";
    prove(argument[1], argument[i], read_jkl(text).sets, engine_of(argument[3]),
          std::atof(argument[2]));
  }
}
