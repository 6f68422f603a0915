// All of this folder, compiled at once (src/Makevars).
#include "core/mixed/absorption.cpp"
#include "core/mixed/factor_elimination.cpp"
#include "core/mixed/forward_moments.cpp"
#include "core/mixed/mixed_queries.cpp"
#include "core/mixed/mixed_rows.cpp"
