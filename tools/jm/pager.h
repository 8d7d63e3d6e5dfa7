/* Shows a long text on a terminal through the user's pager. For tools/jm. */
#ifndef JM_TOOLS_JM_PAGER_H
#define JM_TOOLS_JM_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* Runs $PAGER, or less, on the text and waits for its end. Signals may be held
 * (tools/host/signals.h); the pager gets them as any program does. Returns false if it
 * cannot be started. */
bool pager_show(const char *text, size_t length);

#endif
