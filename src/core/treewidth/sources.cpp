// All of this folder, compiled at once (src/Makevars).
#include "core/treewidth/bounded_search.cpp"
#include "core/treewidth/informative_score.cpp"
#include "core/treewidth/k_tree.cpp"
#include "core/treewidth/mutual_information.cpp"
