// All of this folder, compiled at once (src/Makevars).
#include "core/score/branching/cell_table.cpp"
#include "core/score/branching/further_columns.cpp"
#include "core/score/branching/set_branching.cpp"
