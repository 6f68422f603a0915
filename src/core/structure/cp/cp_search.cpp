#include "core/structure/cp/cp_search.h"

#include "core/structure/cp/search_tree.h"

namespace optbn {

CpProof cp_search(const ProofTask &task, const TreeOptions &store, Watch &watch) {
  return with_width(task.problem.words, [&](auto words) {
    return SearchTree<DecisionTree<words>>(task, store, watch).run();
  });
}

} // namespace optbn
