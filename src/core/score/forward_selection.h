// Forward selection: of each node the few parents that most likely matter to it.
//
// Each parent that is taken adds most to the score beside those before it. So the first ones are near
// to a Markov blanket: parents, children, and other parents of these. Where none adds anything any
// more, the rest are those that came nearest in the last step.
#pragma once

#include "core/score/family_rules.h"
#include "core/score/local_score.h"

#include <vector>

namespace optbn {

// Per node, so many at most of those that the rules allow, the best first; required ones are not among
// them, but beside them from the start. When the watch stops, throws what that asks for.
std::vector<std::vector<Node>> forward_selection(LocalScore &score, const FamilyRules &rules,
                                                 unsigned most, Watch &watch);

} // namespace optbn
