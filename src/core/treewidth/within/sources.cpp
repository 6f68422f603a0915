// All of this folder, compiled at once (src/Makevars).
#include "core/treewidth/within/bag_orders.cpp"
#include "core/treewidth/within/bag_scores.cpp"
#include "core/treewidth/within/bag_sets.cpp"
#include "core/treewidth/within/bag_step.cpp"
#include "core/treewidth/within/k_tree_dp.cpp"
#include "core/treewidth/within/sampled_orders.cpp"
