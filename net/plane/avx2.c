/* The cycle of the plane engine with vectors of 256 bits (avx2). */
#include "net/plane/plane.h"

#if PLANE_VECTORS
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))),          \
                             apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif
#define VEC_WORDS 4
#define VEC_AVX2
#define PLANE_STEP plane_step_avx2
#define PLANE_CHANGED plane_changed_avx2
#include "net/plane/step_inline.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
bool plane_step_avx2(Net *net, void *engine) {
    return plane_step_plain(net, engine);
}

void plane_changed_avx2(Net *net, void *engine, uint32_t *messages, uint32_t count) {
    plane_changed_plain(net, engine, messages, count);
}
#endif
