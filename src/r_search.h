// Conversions of the results of searches for R.
#pragma once

#include "core/structure/search.h"

#include <Rcpp.h>
#include <vector>

// Numbers of nodes or of sets, from 1.
template <class Number> Rcpp::IntegerVector from_one(const std::vector<Number> &numbers) {
  return Rcpp::IntegerVector(numbers.begin(), numbers.end()) + 1;
}

// A data frame of columns of that length. (Rcpp's own calls as.data.frame(), which takes longer
// than a small search.)
inline Rcpp::List frame_of(Rcpp::List columns, std::size_t rows) {
  columns.attr("class") = "data.frame";
  columns.attr("row.names") = Rcpp::IntegerVector::create(NA_INTEGER, -static_cast<int>(rows));
  return columns;
}

// Columns seconds, score, bound.
Rcpp::List to_r(const std::vector<optbn::TracePoint> &trace);

// A column of a data frame, one number or word from each element.
template <class Column, class Element, class Get>
Column column_of(const std::vector<Element> &elements, Get get) {
  Column column(static_cast<R_xlen_t>(elements.size()));
  for (std::size_t i = 0; i < elements.size(); ++i)
    column[static_cast<R_xlen_t>(i)] = get(elements[i]);
  return column;
}
