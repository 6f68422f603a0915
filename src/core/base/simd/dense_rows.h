// Sums over long rows of numbers, with vector instructions and the same bits without.
#pragma once

#include <cstddef>

namespace optbn {

// a[0] b[0] + a[1] b[1] + ...: eight sums, of every eighth product, are added up at the end.
double dot(const double *a, const double *b, std::size_t size);

// to += factor * from
void add_times(double *to, double factor, const double *from, std::size_t size);

} // namespace optbn
