// All of this folder, compiled at once (src/Makevars).
#include "core/treewidth/annealing/insertion.cpp"
#include "core/treewidth/annealing/k_tree_annealer.cpp"
#include "core/treewidth/annealing/k_tree_annealing.cpp"
#include "core/treewidth/annealing/k_tree_growth.cpp"
#include "core/treewidth/annealing/ordered_k_tree.cpp"
