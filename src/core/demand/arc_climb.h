// climb_arcs(): from network to network, one arc at a time.
//
// Of all arcs that can come, go or turn round without closing a cycle, the one that raises the
// score most does so, until none raises it: hill climbing (Heckerman, Geiger & Chickering 1995, doi
// 10.1007/BF00994016). A move changes one family or two, and only the neighbours of these are
// scored (growth.h), so that the climb takes little more than one look at every pair of nodes.
#pragma once

#include "core/demand/growth.h"
#include "core/graph/directed.h"

namespace optbn {

// `start` is acyclic and within the rules, and growth has met its families. When the watch stops,
// returns what the climb has reached.
Graph climb_arcs(Growth &growth, const Graph &start, Watch &watch);

} // namespace optbn
