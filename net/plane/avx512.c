/* The cycle of the plane engine with vectors of 512 bits (avx512). */
#include "net/plane/plane.h"

#if PLANE_VECTORS
#ifdef __clang__
#pragma clang attribute push(                                                          \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512vbmi2,"            \
                          "avx512vpopcntdq,bmi,bmi2,popcnt"))),                        \
    apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx512vbmi2")
#pragma GCC target("avx512vpopcntdq,bmi,bmi2,popcnt")
#endif
#define VEC_WORDS 8
#define VEC_AVX512
#define PLANE_STEP plane_step_avx512
#define PLANE_CHANGED plane_changed_avx512
#include "net/plane/step_inline.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
bool plane_step_avx512(Net *net, void *engine) {
    return plane_step_plain(net, engine);
}

void plane_changed_avx512(Net *net, void *engine, uint32_t *messages, uint32_t count) {
    plane_changed_plain(net, engine, messages, count);
}
#endif
