/* A pool of worker processes. Each worker has two pipes: task numbers come in on one,
 * results go out on the other. A worker ends when its pipe of tasks is closed. */
#include "tools/exp/run/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/signals.h"

enum { TICK_MS = 200 };

/* A worker, as the process that hands out tasks sees it. */
typedef struct {
    pid_t process;
    int to;      /* pipe to the worker: numbers of tasks */
    int from;    /* pipe from the worker: results */
    bool busy;   /* a task was handed out and its result is not back */
    size_t task; /* last task handed out */
} Worker;

/* The header that a worker sends before the text of a result. */
typedef struct {
    uint64_t task, length;
} Header;

bool pool_write_all(int descriptor, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        const ssize_t written = write(descriptor, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

/* Reads exactly `size` bytes. False: the other end has closed. */
static bool read_all(int descriptor, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        const ssize_t count = read(descriptor, at, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        at += count;
        size -= (size_t)count;
    }
    return true;
}

/* ---- a worker -------------------------------------------------------------------- */

/* Whether the process that started this worker has ended, so that the results are
 * useless. */
static bool is_orphan(void *context) {
    const pid_t *parent = context;
    return getppid() != *parent;
}

/* Does tasks until the pipe is closed. */
static void serve(const Pool *pool, int from, int to, pid_t parent) {
    uint64_t task;
    while (read_all(from, &task, sizeof task)) {
        char *text = pool->work(pool->context, (size_t)task, is_orphan, &parent);
        if (!text)
            return;
        const Header header = {task, strlen(text)};
        const bool sent = pool_write_all(to, &header, sizeof header) &&
                          pool_write_all(to, text, (size_t)header.length);
        free(text);
        if (!sent)
            return;
    }
}

static void close_worker(Worker *worker) {
    if (worker->process <= 0)
        return;
    close(worker->to);
    close(worker->from);
}

/* Forks a worker, which closes its copies of the other workers' pipes: as long as any
 * process holds the writing end, a worker would not see its pipe closed. */
static bool start_worker(Worker *workers, unsigned index, const Pool *pool) {
    int to[2], from[2];
    if (pipe(to) != 0)
        return false;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    const pid_t parent = getpid(), process = fork();
    if (process == 0) {
        for (unsigned i = 0; i < index; i++)
            close_worker(&workers[i]);
        close(to[1]);
        close(from[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would read its results */
        host_run_begins();
        serve(pool, to[0], from[1], parent);
        _exit(EXIT_SUCCESS);
    }
    close(to[0]);
    close(from[1]);
    if (process < 0) {
        close(to[1]);
        close(from[0]);
        return false;
    }
    workers[index] = (Worker){.process = process, .to = to[1], .from = from[0]};
    return true;
}

/* ---- the dispatching process ----------------------------------------------------- */

/* Sends a task to a worker. False: the worker has ended. */
static bool hand_out(Worker *worker, size_t task) {
    const uint64_t number = task;
    worker->busy = pool_write_all(worker->to, &number, sizeof number);
    worker->task = task;
    return worker->busy;
}

static bool lost(const Pool *pool, const Worker *worker, JmError *error) {
    return jm_fail(error, pool->title, "the process of run %zu ended before its time",
                   worker->task);
}

/* Receives the result of a worker and passes it on. */
static bool take_result(const Pool *pool, Worker *worker, JmError *error) {
    Header header;
    if (!read_all(worker->from, &header, sizeof header))
        return lost(pool, worker, error);
    char *text = memory_array((size_t)header.length + 1, 1);
    const bool good = (read_all(worker->from, text, (size_t)header.length) ||
                       lost(pool, worker, error)) &&
                      pool->take(pool->context, (size_t)header.task, text, error);
    free(text);
    worker->busy = false;
    return good;
}

/* Lists the workers to wait for. Returns how many are busy. */
static unsigned busy_workers(const Worker *workers, struct pollfd *polled,
                             unsigned count) {
    unsigned busy = 0;
    for (unsigned i = 0; i < count; i++) {
        polled[i] = (struct pollfd){.fd = workers[i].busy ? workers[i].from : -1,
                                    .events = POLLIN};
        busy += workers[i].busy;
    }
    return busy;
}

/* Gives each worker a task, and another one whenever its result comes back. */
static bool distribute(const Pool *pool, Worker *workers, struct pollfd *polled,
                       unsigned count, JmError *error) {
    size_t next = 0;
    for (unsigned i = 0; i < count && next < pool->count; i++)
        if (!hand_out(&workers[i], next++))
            return lost(pool, &workers[i], error);
    while (busy_workers(workers, polled, count) > 0) {
        if (poll(polled, count, TICK_MS) < 0 && errno != EINTR)
            return jm_fail(error, pool->title, "cannot wait: %s", strerror(errno));
        if (pool->tick(pool->context))
            return false;
        for (unsigned i = 0; i < count; i++) {
            if (!polled[i].revents || !workers[i].busy)
                continue;
            if (!take_result(pool, &workers[i], error))
                return false;
            if (next < pool->count && !hand_out(&workers[i], next++))
                return lost(pool, &workers[i], error);
        }
    }
    return true;
}

/* Signals to end are held, here and in the workers: `tick` polls them. SIGPIPE is
 * ignored, so that a dead worker shows as an error of write(), with a message. */
bool pool_run(const Pool *pool, JmError *error) {
    const unsigned wanted =
        pool->count < pool->jobs ? (unsigned)pool->count : pool->jobs;
    Worker *workers = memory_array(wanted, sizeof *workers);
    struct pollfd *polled = memory_array(wanted, sizeof *polled);
    unsigned count = 0;
    bool good = true;
    *error = (JmError){.offset = -1};
    signals_hold();
    for (; good && count < wanted; count++)
        if (!start_worker(workers, count, pool)) {
            good = jm_fail(error, pool->title, "cannot start a process: %s",
                           strerror(errno));
            break;
        }
    good = good && distribute(pool, workers, polled, count, error);
    for (unsigned i = 0; i < count; i++) {
        close_worker(&workers[i]);
        if (!good)
            kill(workers[i].process, SIGKILL);
        waitpid(workers[i].process, NULL, 0);
    }
    free(workers);
    free(polled);
    return good;
}
