// climb_arcs(): from network to network, one arc at a time.
//
// Of all additions, removals and reversals of an arc that close no cycle, the one that raises the
// score most is made, until none raises it: hill climbing (Heckerman, Geiger & Chickering 1995, doi
// 10.1007/BF00994016). A move changes one family or two, and only the neighbours of these are
// scored (growth.h), so that the climb scores little more than every pair of nodes once.
#pragma once

#include "core/demand/growth.h"
#include "core/graph/directed.h"

namespace optbn {

// `start` is acyclic and within the rules, and growth has met its families. When the watch stops,
// returns the network that the climb has reached.
Graph climb_arcs(Growth &growth, const Graph &start, Watch &watch);

} // namespace optbn
