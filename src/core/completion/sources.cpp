// All of this folder, compiled at once (src/Makevars).
#include "core/completion/completions.cpp"
#include "core/completion/expectation_maximisation.cpp"
#include "core/completion/family_statistics.cpp"
#include "core/completion/island_elimination.cpp"
#include "core/completion/island_posterior.cpp"
#include "core/completion/islands.cpp"
#include "core/completion/mixed_network.cpp"
#include "core/completion/row_answers.cpp"
