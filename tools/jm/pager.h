/* Runs other programs for a session on a terminal: the user's pager, and lines of the
 * shell. Signals may be held (tools/host/signals.h); they get them as any program does.
 * For tools/jm. */
#ifndef JM_TOOLS_JM_PAGER_H
#define JM_TOOLS_JM_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* Runs $PAGER, or less, on the text and waits for its end. Returns false if it cannot
 * be started. */
bool pager_show(const char *text, size_t length);
/* Does a line by the shell. With `quiet_input` there is nothing for it to read. Returns
 * its status, as a shell gives it: 128 + n if signal n ended it; -1 if it cannot be
 * started. */
int shell_do(const char *line, bool quiet_input);

#endif
