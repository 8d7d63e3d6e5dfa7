/* The journal of a sweep: one line of JSON for each finished run, in the order in which
 * runs finish. A line counts only if it is complete: a process may be killed at any
 * time. */
#ifndef JM_TOOLS_EXP_RUN_JOURNAL_H
#define JM_TOOLS_EXP_RUN_JOURNAL_H

#include "tools/exp/plan/experiment.h"

typedef struct Journal Journal;

/* Opens and locks DIR/JOURNAL_NAME. With `resume`, the campaign's runs get the records
 * of the file that this jm has written, and an unfinished last line is cut off; without
 * it, the file must be empty or missing. Returns NULL and fills `error` on failure, and
 * if a record says what no run can have had as its result (result.h). */
Journal *journal_open(const char *folder, bool resume, Campaign *campaign,
                      JmError *error);

/* Gives the campaign's runs the records of DIR/JOURNAL_NAME as above, and leaves the
 * file as it is: another process may be writing it. */
bool journal_read(const char *folder, Campaign *campaign, JmError *error);

/* Returns the number of records that another jm has written: they stay in the file but
 * are ignored. */
size_t journal_others(const Journal *journal);

/* Appends a line and waits until it is on the disk. */
bool journal_add(Journal *journal, const char *line, JmError *error);

void journal_close(Journal *journal); /* NULL is fine */

#endif
