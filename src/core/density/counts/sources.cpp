// All of this folder, compiled at once (src/Makevars).
#include "core/density/counts/bit_selection.cpp"
#include "core/density/counts/list_slice.cpp"
#include "core/density/counts/map_counts.cpp"
#include "core/density/counts/map_slice.cpp"
#include "core/density/counts/pair_counts.cpp"
#include "core/density/counts/pair_kernels.cpp"
#include "core/density/counts/slice.cpp"
#include "core/density/counts/weighted_counts.cpp"
