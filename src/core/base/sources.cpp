// All of this folder, compiled at once (src/Makevars).
#include "core/base/log_gamma.cpp"
#include "core/base/parallel.cpp"
