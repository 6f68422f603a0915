// R as a source of rows: the queries of R/data-lazy.R to a backend.
#pragma once

#include "core/data/row_source.h"

#include <Rcpp.h>
#include <memory>

// source: list(cells, moments), functions of R. The columns of `data`, of which only levels, holes
// and total are read, are those of the table.
std::shared_ptr<optbn::RowSource> make_row_source(const Rcpp::List &source,
                                                  const optbn::Dataset &data);
