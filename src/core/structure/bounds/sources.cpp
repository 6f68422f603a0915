// All of this folder, compiled at once (src/Makevars).
#include "core/structure/bounds/column_tiles.cpp"
#include "core/structure/bounds/dual.cpp"
#include "core/structure/bounds/dual_ascent.cpp"
#include "core/structure/bounds/dual_simplex.cpp"
#include "core/structure/bounds/pattern_database.cpp"
#include "core/structure/bounds/primal_dual.cpp"
#include "core/structure/bounds/relaxation.cpp"
#include "core/structure/bounds/root_dual.cpp"
