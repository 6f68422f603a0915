// All of this folder, compiled at once (src/Makevars).
#include "core/treewidth/codes/code_climb.cpp"
#include "core/treewidth/codes/dandelion.cpp"
#include "core/treewidth/codes/k_tree_sampling.cpp"
