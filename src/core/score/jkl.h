// Exchange files of candidate parent sets (".jkl"), read from and written to memory.
//
// The format in which GOBNILP (Bartlett & Cussens 2017, doi 10.1016/j.artint.2015.03.003) and its
// peers share instances: a line with the number of nodes; then for every node a line `name count`
// and `count` lines `score size parent...`. Parents are names, not positions, and may be declared
// later in the file; lines may come in any order; blank lines are ignored. Natural logs, larger is
// better.
//
// Linear in the text except for sorting. Functions are pure and so thread-safe. Numbers have the
// decimal point of the C locale, which R keeps for every language.
#pragma once

#include "core/score/parent_sets.h"

#include <string>
#include <string_view>
#include <vector>

namespace optbn {

struct NamedParentSets {
  std::vector<std::string> names;
  ParentSets sets;
};

// Throws ParseError, with the line, for any text that does not follow the format to its end, names
// a node twice, or gives a node a parent that is itself, unknown or repeated, the same set twice, a
// score that is not finite, or - when the caller requires it - no empty set.
NamedParentSets read_jkl(std::string_view text, bool require_empty = true);

// Scores are written with the fewest of 15..17 significant digits that reproduce them exactly; with
// fewer than 15 `digits` they are rounded.
std::string write_jkl(const NamedParentSets &file, int digits = 17);

} // namespace optbn
