// All of this folder, compiled at once (src/Makevars).
#include "core/demand/arc_climb.cpp"
#include "core/demand/demand_search.cpp"
#include "core/demand/family_table.cpp"
#include "core/demand/growth.cpp"
#include "core/demand/order_climb.cpp"
#include "core/demand/pool.cpp"
