/* The cycle of the plane engine with a 64-bit word at a time: for any C compiler. */
#define VEC_WORDS 1
#define PLANE_STEP plane_step_plain
#define PLANE_CHANGED plane_changed_plain
#include "net/plane/step_inline.h"
