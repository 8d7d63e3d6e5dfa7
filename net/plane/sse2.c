/* The cycle of the plane engine with vectors of 128 bits (sse2). */
#include "net/plane/plane.h"

#if PLANE_VECTORS
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)
#else
#pragma GCC target("sse2")
#endif
#define VEC_WORDS 2
#define PLANE_STEP plane_step_sse2
#define PLANE_CHANGED plane_changed_sse2
#include "net/plane/step_inline.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
bool plane_step_sse2(Net *net, void *engine) {
    return plane_step_plain(net, engine);
}

void plane_changed_sse2(Net *net, void *engine, uint32_t *messages, uint32_t count) {
    plane_changed_plain(net, engine, messages, count);
}
#endif
