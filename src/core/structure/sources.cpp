// All of this folder, compiled at once (src/Makevars).
#include "core/structure/anytime.cpp"
#include "core/structure/domains.cpp"
#include "core/structure/graph.cpp"
#include "core/structure/k_best.cpp"
#include "core/structure/solve.cpp"
