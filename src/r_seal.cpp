// The content of a record as one string, and its hash: the part of R/certificate-seal.R that must
// be fast for large records.

#include <Rcpp.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

// No record is nested deeper, unless it is damaged.
constexpr unsigned kDeepest = 100;

void spell(SEXP x, unsigned depth, std::string &out);

void spell_text(SEXP text, std::string &out) {
  if (text == NA_STRING) {
    out += "NA";
    return;
  }
  const std::string bytes = Rf_translateCharUTF8(text);
  out += std::to_string(bytes.size()) + '"' + bytes;
}

void spell_number(double number, std::string &out) {
  if (R_IsNA(number)) {
    out += "NA";
  } else if (!R_FINITE(number)) {
    out += ISNAN(number) ? "NaN" : number > 0 ? "Inf" : "-Inf";
  } else {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", number);
    out += digits;
  }
}

void spell_element(SEXP x, R_xlen_t i, unsigned depth, std::string &out) {
  switch (TYPEOF(x)) {
  case VECSXP:
    spell(VECTOR_ELT(x, i), depth + 1, out);
    break;
  case STRSXP:
    spell_text(STRING_ELT(x, i), out);
    break;
  case INTSXP:
    spell_number(INTEGER(x)[i] == NA_INTEGER ? NA_REAL : INTEGER(x)[i], out);
    break;
  case REALSXP:
    spell_number(REAL(x)[i], out);
    break;
  default: // LGLSXP
    out += LOGICAL(x)[i] == NA_LOGICAL ? "NA" : LOGICAL(x)[i] ? "TRUE" : "FALSE";
  }
}

void spell_dimensions(SEXP x, std::string &out) {
  if (Rf_inherits(x, "data.frame")) {
    out += std::to_string(Rf_xlength(Rf_getAttrib(x, R_RowNamesSymbol))) +
           std::to_string(Rf_xlength(x));
    return;
  }
  const SEXP dimensions = Rf_getAttrib(x, R_DimSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(dimensions); ++i)
    out += std::to_string(INTEGER(dimensions)[i]);
}

bool is_plain(SEXP x) {
  switch (TYPEOF(x)) {
  case NILSXP:
  case VECSXP:
  case STRSXP:
  case INTSXP:
  case REALSXP:
  case LGLSXP:
    return true;
  default:
    return false;
  }
}

// Anything else than plain data is represented by its type.
void spell(SEXP x, unsigned depth, std::string &out) {
  if (depth > kDeepest) {
    out += "...";
    return;
  }
  const Rcpp::Shield<SEXP> values(Rf_isFactor(x) ? Rf_asCharacterFactor(x)
                                  : is_plain(x)  ? x
                                                 : Rf_mkString(Rf_type2char(TYPEOF(x))));
  const Rcpp::Shield<SEXP> names(Rf_getAttrib(x, R_NamesSymbol));
  out += '(';
  spell_dimensions(x, out);
  out += ':' + std::to_string(Rf_xlength(values)) + ':';
  for (R_xlen_t i = 0; i < Rf_xlength(values); ++i) {
    if (names != R_NilValue && i < Rf_xlength(names)) {
      spell_text(STRING_ELT(names, i), out);
      out += '=';
    }
    spell_element(values, i, depth, out);
    out += ',';
  }
  out += ')';
}

} // namespace

// Numbers with all their digits; lengths before texts and lists, so that no two values are spelled
// alike. Of attributes the names, the dimensions and levels count.
// [[Rcpp::export(rng = false)]]
Rcpp::String core_spelled(SEXP x) {
  std::string out;
  spell(x, 0, out);
  return Rcpp::String(out, CE_UTF8);
}

// 128 bits as hexadecimal digits: the hash of Fowler, Noll and Vo (FNV-1a), and one with another
// start and multiplier.
// [[Rcpp::export(rng = false)]]
std::string core_hash(const std::string &text) {
  std::uint64_t first = 0xcbf29ce484222325, second = 0x9e3779b97f4a7c15;
  for (const char byte : text) {
    first = (first ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    second = (second ^ static_cast<unsigned char>(byte)) * 0x9ddfea08eb382d69;
  }
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(second));
  return digits;
}
