// All of this folder, compiled at once (src/Makevars).
#include "core/structure/cp/cp_search.cpp"
#include "core/structure/cp/decision_tree.cpp"
