// All of this folder, compiled at once (src/Makevars).
#include "core/treewidth/exact/global_dp.cpp"
#include "core/treewidth/exact/separated_gains.cpp"
#include "core/treewidth/exact/subtree_dp.cpp"
#include "core/treewidth/exact/subtree_table.cpp"
#include "core/treewidth/exact/subtrees.cpp"
