// All of this folder, compiled at once (src/Makevars).
#include "core/score/gaussian/average_regression.cpp"
#include "core/score/gaussian/bge_score.cpp"
#include "core/score/gaussian/cell_factors.cpp"
#include "core/score/gaussian/cell_regression.cpp"
#include "core/score/gaussian/column_factor.cpp"
#include "core/score/gaussian/predictive_regression.cpp"
#include "core/score/gaussian/regression_score.cpp"
#include "core/score/gaussian/residual_products.cpp"
