/* A pool of MPI ranks (pool.h). Rank 0 hands out tasks, collects results, and also does
 * runs, during which it answers messages some times a second.
 *
 *     TAG_ASK     rank -> 0    empty: send me a task
 *     TAG_TASK    0 -> rank    number of the task; -1: no more
 *     TAG_RESULT  rank -> 0    number of the task, then the text
 *
 * This file is compiled twice: with JM_MPI for the program jm-mpi, and without it for
 * jm, which needs no MPI and replaces itself by jm-mpi under mpirun. */
#include <stdlib.h>
#include <string.h>

#include "tools/exp/run/pool.h"
#include "tools/host/memory.h"

/* Open MPI's mpirun sets this variable for every process that it starts. */
static bool under_mpirun(void) {
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    return size && atoi(size) > 1;
}

#ifdef JM_MPI
#include <mpi.h>

bool ranks_become(int argc, char **argv, JmError *error) {
    (void)argc;
    (void)argv;
    (void)error;
    return true;
}

enum { TAG_ASK = 1, TAG_TASK, TAG_RESULT };

struct Ranks {
    int rank, size;
    /* The fields below are used by rank 0 only. */
    const Pool *pool;
    size_t next;    /* next task to hand out */
    int finished;   /* ranks informed that there are no more tasks */
    bool failed;    /* no more tasks are handed out, results are dropped */
    JmError *error; /* first error */
};

Ranks *ranks_open(void) {
    if (!under_mpirun())
        return NULL;
    Ranks *ranks = memory_array(1, sizeof *ranks);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->size);
    return ranks;
}

bool ranks_leads(const Ranks *ranks) {
    return !ranks || ranks->rank == 0;
}

void ranks_share(Ranks *ranks, void *bytes, size_t size) {
    if (ranks)
        MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Returns the next task to hand out; -1 if there are no more. */
static long next_task(Ranks *ranks) {
    return !ranks->failed && ranks->next < ranks->pool->count ? (long)ranks->next++
                                                              : -1;
}

static void keep(Ranks *ranks, size_t task, const char *text) {
    if (!ranks->failed &&
        !ranks->pool->take(ranks->pool->context, task, text, ranks->error))
        ranks->failed = true;
}

/* Receives a result: the task's number, then the text, both as bytes. */
static void receive_result(Ranks *ranks, int source, int size) {
    char *bytes = memory_array(1, (size_t)size + 1);
    MPI_Recv(bytes, size, MPI_BYTE, source, TAG_RESULT, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    long task;
    memcpy(&task, bytes, sizeof task);
    keep(ranks, (size_t)task, bytes + sizeof task);
    free(bytes);
}

/* Answers all messages that have arrived; with `wait`, waits for at least one. */
static void read_mail(Ranks *ranks, bool wait) {
    for (;;) {
        MPI_Status status;
        int there = 1, size;
        if (wait)
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        else
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (!there)
            return;
        wait = false;
        MPI_Get_count(&status, MPI_BYTE, &size);
        if (status.MPI_TAG == TAG_RESULT) {
            receive_result(ranks, status.MPI_SOURCE, size);
            continue;
        }
        MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        const long task = next_task(ranks);
        ranks->finished += task < 0;
        MPI_Send(&task, sizeof task, MPI_BYTE, status.MPI_SOURCE, TAG_TASK,
                 MPI_COMM_WORLD);
    }
}

/* mpirun ends all ranks by itself. */
static bool look_at_mail(void *context) {
    Ranks *ranks = context;
    read_mail(ranks, false);
    ranks->pool->tick(ranks->pool->context);
    return false;
}

/* Rank 0: does tasks, then answers until every other rank has been told to end. */
static void lead(Ranks *ranks) {
    for (long task; (task = next_task(ranks)) >= 0;) {
        char *text =
            ranks->pool->work(ranks->pool->context, (size_t)task, look_at_mail, ranks);
        if (text)
            keep(ranks, (size_t)task, text);
        free(text);
    }
    while (ranks->finished < ranks->size - 1)
        read_mail(ranks, true);
}

static bool never(void *context) {
    (void)context;
    return false;
}

/* Every other rank: asks for tasks and sends results until there are no more. */
static void follow(const Pool *pool) {
    for (;;) {
        long task;
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
        MPI_Recv(&task, sizeof task, MPI_BYTE, 0, TAG_TASK, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (task < 0)
            return;
        char *text = pool->work(pool->context, (size_t)task, never, NULL);
        const size_t length = text ? strlen(text) : 0;
        char *bytes = memory_array(1, sizeof task + length);
        if (!text)
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        memcpy(bytes, &task, sizeof task);
        memcpy(bytes + sizeof task, text, length);
        MPI_Send(bytes, (int)(sizeof task + length), MPI_BYTE, 0, TAG_RESULT,
                 MPI_COMM_WORLD);
        free(bytes);
        free(text);
    }
}

bool ranks_run(Ranks *ranks, const Pool *pool, JmError *error) {
    if (!ranks)
        return pool_run(pool, error);
    if (ranks->rank != 0) {
        follow(pool);
        return true;
    }
    ranks->pool = pool;
    ranks->next = 0;
    ranks->finished = 0;
    ranks->failed = false;
    ranks->error = error;
    lead(ranks);
    return !ranks->failed;
}

void ranks_close(Ranks *ranks) {
    if (!ranks)
        return;
    MPI_Finalize();
    free(ranks);
}

#else

#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* Replaces this process by jm-mpi, which lies in the folder of this program. */
bool ranks_become(int argc, char **argv, JmError *error) {
    if (!under_mpirun())
        return true;
    char path[PATH_SIZE];
    const ssize_t length =
        readlink("/proc/self/exe", path, sizeof path - sizeof "-mpi");
    char **arguments = memory_array((size_t)argc + 2, sizeof *arguments);
    if (length > 0) {
        strcpy(path + length, "-mpi");
        arguments[0] = path;
        memcpy(arguments + 1, argv, (size_t)argc * sizeof *argv);
        execv(path, arguments);
    }
    free(arguments);
    return jm_fail(error, "jm",
                   "this runs under mpirun, but jm-mpi is not beside jm: build again "
                   "with Open MPI installed (libopenmpi-dev)");
}

Ranks *ranks_open(void) {
    return NULL;
}

bool ranks_leads(const Ranks *ranks) {
    (void)ranks;
    return true;
}

bool ranks_run(Ranks *ranks, const Pool *pool, JmError *error) {
    (void)ranks;
    return pool_run(pool, error);
}

void ranks_share(Ranks *ranks, void *bytes, size_t size) {
    (void)ranks;
    (void)bytes;
    (void)size;
}

void ranks_close(Ranks *ranks) {
    (void)ranks;
}

#endif
