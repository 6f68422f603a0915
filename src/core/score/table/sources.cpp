// All of this folder, compiled at once (src/Makevars).
#include "core/score/table/averaged_score.cpp"
#include "core/score/table/nml_regret.cpp"
#include "core/score/table/node_average.cpp"
#include "core/score/table/predictive_score.cpp"
#include "core/score/table/table_extensions.cpp"
#include "core/score/table/table_score.cpp"
