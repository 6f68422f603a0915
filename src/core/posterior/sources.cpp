// All of this folder, compiled at once (src/Makevars).
#include "core/posterior/family_index.cpp"
#include "core/posterior/graph_block.cpp"
#include "core/posterior/graph_posterior.cpp"
#include "core/posterior/network_posterior.cpp"
#include "core/posterior/order_posterior.cpp"
#include "core/posterior/partition_chain.cpp"
