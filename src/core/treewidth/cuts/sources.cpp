// All of this folder, compiled at once (src/Makevars).
#include "core/treewidth/cuts/heaviest_graph.cpp"
#include "core/treewidth/cuts/pair_cut.cpp"
#include "core/treewidth/cuts/weighted_minor.cpp"
#include "core/treewidth/cuts/width_cuts.cpp"
#include "core/treewidth/cuts/width_proof.cpp"
