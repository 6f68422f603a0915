// All of this folder, compiled at once (src/Makevars).
#include "core/density/density.cpp"
#include "core/density/density_queries.cpp"
