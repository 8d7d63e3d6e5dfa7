/* How long messages in flight have stood still. For emu/debug/values. */
#ifndef JM_DEBUG_VALUES_STALLED_H
#define JM_DEBUG_VALUES_STALLED_H

#include "emu/debug/talk/talk.h"

/* Returns for how many cycles no flit has moved of the message in flight that has stood
 * still longest; 0 if none is in flight. It is counted from the cycle of the first
 * query, and again from there when the machine has gone back before that. */
uint64_t stalled_cycles(const JmDebug *d);

#endif
