/* The journal of a sweep: one line of JSON for each finished run, in the order in which
 * runs finish. A line counts only if it is complete: a process may be killed at any
 * time. */
#ifndef JM_TOOLS_EXP_RUN_JOURNAL_H
#define JM_TOOLS_EXP_RUN_JOURNAL_H

#include <stddef.h>

#include "emu/core/status.h"
#include "tools/exp/result/result.h"

typedef struct Journal Journal;

/* Takes a record that this jm has written. False and `why`: no run of it can have this
 * result. */
typedef bool JournalTake(void *context, const json_t *record, char why[RESULT_WHY_MAX]);

/* Opens and locks the journal `path`. With `resume`, `take` gets the records of the
 * file, and an unfinished last line is cut off; without it, the file must be empty or
 * missing. Returns NULL and fills `error` on failure, and if a record says what no run
 * can have had as its result. */
Journal *journal_open(const char *path, bool resume, JournalTake *take, void *context,
                      JmError *error);

/* Passes on the records of a journal as above, and leaves the file as it is: another
 * process may be writing it. */
bool journal_read(const char *path, JournalTake *take, void *context, JmError *error);

/* Returns the number of records that another jm has written: they stay in the file but
 * are ignored. */
size_t journal_others(const Journal *journal);

/* Appends a line and waits until it is on the disk. */
bool journal_add(Journal *journal, const char *line, JmError *error);

void journal_close(Journal *journal); /* NULL is fine */

#endif
