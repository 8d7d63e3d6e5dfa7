/* Distributes independent tasks to processes of this host or, under mpirun, to MPI
 * ranks. Each task gives a text. Results arrive in any order, one at a time, in one
 * process. */
#ifndef JM_TOOLS_EXP_RUN_POOL_H
#define JM_TOOLS_EXP_RUN_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/core/status.h"

/* Whether a worker's result is no longer wanted. */
typedef bool PoolStop(void *context);

/* The tasks of a pool. */
typedef struct {
    const char *title; /* the command, for errors: "jm exp" */
    size_t count;      /* tasks 0 .. count-1, handed out in this order */
    unsigned jobs;     /* worker processes at most */
    void *context;     /* first argument of the functions below */
    /* Called in a worker: does a task and returns its malloc'ed text, or NULL if it was
     * stopped. It must call `stop` some times a second, and give up if that returns
     * true: the result is no longer wanted. */
    char *(*work)(void *context, size_t task, PoolStop *stop, void *stop_context);
    /* Called in the process that collects results; false and an error end everything.
     */
    bool (*take)(void *context, size_t task, const char *text, JmError *error);
    /* Called there too, some times a second while tasks are done; true ends everything.
     */
    bool (*tick)(void *context);
} Pool;

/* Does all tasks with processes of this host; false and an error if one fails, false
 * and an empty error if `tick` ended it. */
bool pool_run(const Pool *pool, JmError *error);

/* Writes everything, going on after signals. False: an error, or the other end has
 * closed. */
bool pool_write_all(int descriptor, const void *bytes, size_t size);

/* ---- ranks.c ------------------------------------ */

typedef struct Ranks Ranks;

/* Must be called first. Under mpirun, a jm linked without MPI replaces itself by
 * jm-mpi, the same program linked with it. `argv` is that of the command. Returns false
 * and fills `error` if there is no jm-mpi. */
bool ranks_become(int argc, char **argv, JmError *error);

/* Under mpirun, joins the other ranks. Returns NULL if this process is alone. */
Ranks *ranks_open(void);
/* Whether this is the rank that writes files; true for NULL. */
bool ranks_leads(const Ranks *ranks);
/* As pool_run(), on all ranks; every rank must call it with the same tasks. NULL: the
 * same as pool_run(). */
bool ranks_run(Ranks *ranks, const Pool *pool, JmError *error);
/* Copies the leader's `bytes` to all other ranks. Every rank must call it with the same
 * size. */
void ranks_share(Ranks *ranks, void *bytes, size_t size);
void ranks_close(Ranks *ranks); /* NULL is fine */

#endif
