// All of this folder, compiled at once (src/Makevars).
#include "core/data/cell_runs.cpp"
#include "core/data/counting.cpp"
#include "core/data/distinct_rows.cpp"
#include "core/data/extension_counter.cpp"
#include "core/data/observed_columns.cpp"
#include "core/data/set_counter.cpp"
#include "core/data/source_counter.cpp"
