// All of this folder, compiled at once (src/Makevars).
#include "core/density/cuts/cut_rules.cpp"
#include "core/density/cuts/cut_screen.cpp"
#include "core/density/cuts/cutset_learning.cpp"
#include "core/density/cuts/entropy_cuts.cpp"
#include "core/density/cuts/likelihood_cuts.cpp"
#include "core/density/cuts/pruning.cpp"
#include "core/density/cuts/random_cuts.cpp"
