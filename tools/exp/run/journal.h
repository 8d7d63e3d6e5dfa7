/* The journal of a sweep: a line of JSON for each finished run, in the order in which
 * they finished. A line is there whole, with its newline, or it does not count. */
#ifndef JM_TOOLS_EXP_RUN_JOURNAL_H
#define JM_TOOLS_EXP_RUN_JOURNAL_H

#include "tools/exp/plan/experiment.h"

typedef struct Journal Journal;

/* Opens DIR/runs.jsonl, for this process alone. With `resume`, gives the campaign's
 * runs the records that are there and cuts off an unfinished last line; without, the
 * file must be empty or missing. NULL and a message if that cannot be. */
Journal *journal_open(const char *folder, bool resume, Campaign *campaign,
                      JmError *error);

/* Adds a line and waits until it is on the disk. */
bool journal_add(Journal *journal, const char *line, JmError *error);

void journal_close(Journal *journal); /* NULL is fine */

#endif
