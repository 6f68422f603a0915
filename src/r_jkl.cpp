// Glue of core/score/jkl.h: bytes and R lists on one side, NamedParentSets on the other.
#include "r_data.h"
#include "r_host.h"

#include "core/score/jkl.h"

using namespace optbn;

// The whole file in memory -> list(nodes, sets).
// [[Rcpp::export(rng = false)]]
SEXP core_read_jkl(const Rcpp::RawVector &bytes, bool require_empty) {
  return guarded([&] {
    const std::string_view text(reinterpret_cast<const char *>(bytes.begin()),
                                static_cast<std::size_t>(bytes.size()));
    const NamedParentSets file = read_jkl(text, require_empty);
    Rcpp::CharacterVector nodes(file.names.size());
    for (std::size_t v = 0; v < file.names.size(); ++v)
      nodes[static_cast<R_xlen_t>(v)] = Rcpp::String(file.names[v], CE_UTF8);
    return Rcpp::List::create(Rcpp::_["nodes"] = nodes, Rcpp::_["sets"] = to_r(file.sets));
  });
}

// The text of the file, as bytes.
// [[Rcpp::export(rng = false)]]
SEXP core_write_jkl(const Rcpp::CharacterVector &nodes, const Rcpp::List &sets, int digits) {
  return guarded([&] {
    NamedParentSets file;
    for (R_xlen_t v = 0; v < nodes.size(); ++v)
      file.names.emplace_back(Rf_translateCharUTF8(STRING_ELT(nodes, v)));
    file.sets = as_parent_sets(sets);
    const std::string text = write_jkl(file, digits);
    return Rcpp::RawVector(text.begin(), text.end());
  });
}
