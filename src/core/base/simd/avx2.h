// OPTBN_AVX2: marks a function that uses AVX2 instructions; defined only where such can be
// compiled.
// OPTBN_INLINE: marks a function that is always inlined, and so compiled for the instructions of
// whoever calls it: one text for the plain and for the fast path.
//
// Whoever has such functions keeps plain counterparts with the same results, and picks by
// __builtin_cpu_supports("avx2"): the package is compiled for any processor. Not on Windows, where
// GCC does not align the stack for 32-byte registers.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#include <immintrin.h>
#define OPTBN_AVX2 __attribute__((target("avx2")))
#endif

#ifdef __GNUC__
#define OPTBN_INLINE inline __attribute__((always_inline))
#else
#define OPTBN_INLINE inline
#endif
