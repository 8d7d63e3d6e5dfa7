/* Many independent tasks, by processes of this host or, under mpirun, by MPI ranks.
 * Each task gives a text; they come back in any order, one at a time, to one process.
 */
#ifndef JM_TOOLS_EXP_RUN_POOL_H
#define JM_TOOLS_EXP_RUN_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/core/status.h"

typedef struct {
    size_t count;  /* tasks 0 .. count-1, handed out in this order */
    unsigned jobs; /* processes */
    void *context;
    /* In a worker: the text of a task, to be freed; NULL if `stop` said so. It calls
     * `stop` some times a second: true if nobody waits for the result any more. */
    char *(*work)(void *context, size_t task, bool (*stop)(void *), void *stop_context);
    /* In the one process: takes a text; false and a message ends everything. */
    bool (*take)(void *context, size_t task, const char *text, JmError *error);
} Pool;

bool pool_run(const Pool *pool, JmError *error);

/* ---- ranks.c ------------------------------------ */

typedef struct Ranks Ranks;

/* Call it first. Under mpirun, a jm that was linked without MPI becomes jm-mpi, the
 * same program with it; `argv` as commands get it. False and a message if there is
 * none. */
bool ranks_become(int argc, char **argv, JmError *error);

/* Under mpirun: joins the other ranks. NULL if this process is alone. */
Ranks *ranks_open(JmError *error);
/* Whether this is the rank that writes files. */
bool ranks_leads(const Ranks *ranks);
unsigned ranks_count(const Ranks *ranks);
/* Like pool_run(), on all ranks; every rank calls it with the same tasks. */
bool ranks_run(Ranks *ranks, const Pool *pool, JmError *error);
/* The leader's verdict for all: its list of missing tasks, as bytes. Every rank calls
 * it; `bytes` of the others are overwritten. */
void ranks_share(Ranks *ranks, void *bytes, size_t size);
void ranks_close(Ranks *ranks); /* NULL is fine */

#endif
