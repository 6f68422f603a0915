// The instructions of the processor: which can be compiled, and which this machine can run.
//
// The package is compiled for any processor. A kernel with vector instructions is marked by a macro
// that is defined only where they can be compiled, has a plain counterpart with the same results,
// and is chosen by has_...() when the program runs:
//   OPTBN_POPCNT, OPTBN_BMI2   counting and selecting bits of a word
//   OPTBN_AVX2, OPTBN_AVX512   vectors of 32 and 64 bytes. Not on Windows, where GCC does not align
//                              the stack for them
//   OPTBN_POPCNT512            and counting their bits
//   OPTBN_INLINE               is always inlined, and so compiled for the instructions of its
//                              caller: one text for plain and fast kernels
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define OPTBN_POPCNT __attribute__((target("popcnt")))
#define OPTBN_BMI2 __attribute__((target("bmi2,popcnt")))
#define OPTBN_CAN_RUN(instructions) __builtin_cpu_supports(instructions)
#ifndef _WIN32
#define OPTBN_AVX2 __attribute__((target("avx2")))
#define OPTBN_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl")))
#define OPTBN_POPCNT512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512vpopcntdq")))
#endif
#else
#define OPTBN_CAN_RUN(instructions) false
#endif

#ifdef __GNUC__
#define OPTBN_INLINE inline __attribute__((always_inline))
#else
#define OPTBN_INLINE inline
#endif

namespace optbn {

inline bool has_popcnt() { return OPTBN_CAN_RUN("popcnt"); }
inline bool has_bmi2() { return OPTBN_CAN_RUN("bmi2") && has_popcnt(); }
inline bool has_avx2() { return OPTBN_CAN_RUN("avx2"); }
inline bool has_avx512() {
  return OPTBN_CAN_RUN("avx512f") && OPTBN_CAN_RUN("avx512dq") && OPTBN_CAN_RUN("avx512vl");
}
inline bool has_popcnt512() { return has_avx512() && OPTBN_CAN_RUN("avx512vpopcntdq"); }

} // namespace optbn
