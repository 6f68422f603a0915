// All of this folder, compiled at once (src/Makevars).
#include "core/treewidth/sampling/k_tree_a_star.cpp"
#include "core/treewidth/sampling/sampled_search.cpp"
