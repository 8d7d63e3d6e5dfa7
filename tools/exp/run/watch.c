/* Samples all queues a few times per service time. */
#include "tools/exp/run/watch.h"
#include "tools/host/memory.h"

#include <math.h>
#include <stdlib.h>

/* Samples per handler time. A queue that has become too long stays so for half a
 * handler on average, so that one such period in twenty is missed. */
enum { LOOKS = 10 };

struct Watch {
    uint32_t most;     /* words in the longest queue that is not too long */
    uint64_t every;    /* cycles between two samples */
    uint64_t from, to; /* from the first mark: when samples count */
    uint64_t start;    /* cycle of the first mark; 0 before */
    uint64_t looks, over, entries;
    bool was_over; /* at the last sample that counted */
};

Watch *watch_open(const Settings *settings) {
    if (!settings_text(settings, "overflow_above"))
        return NULL;
    const double words = settings_number(settings, "overflow_above") *
                         (settings_number(settings, "p") + 1);
    const double handler = settings_number(settings, "h");
    const double work =
        settings_number(settings, "m") * settings_number(settings, "L") * handler;
    Watch *watch = memory_array(1, sizeof *watch);
    *watch = (Watch){.most = (uint32_t)words,
                     .every = (uint64_t)(handler / LOOKS) + 1,
                     .from = (uint64_t)(work / 4),
                     .to = (uint64_t)(work * 3 / 4)};
    return watch;
}

void watch_start(Watch *watch, uint64_t cycle) {
    if (watch)
        watch->start = cycle;
}

static bool is_over(const Watch *watch, const JmMachine *machine) {
    for (unsigned node = 0; node < jm_node_count(machine); node++)
        if (jm_queue_words(machine, node, 0) > watch->most)
            return true;
    return false;
}

static void look(Watch *watch, const JmMachine *machine) {
    const uint64_t time = jm_now(machine) - watch->start;
    if (!watch->start || time < watch->from || time >= watch->to)
        return;
    const bool over = is_over(watch, machine);
    watch->entries += over && !watch->was_over && watch->looks > 0;
    watch->over += over;
    watch->was_over = over;
    watch->looks++;
}

JmStop watch_run(Watch *watch, JmMachine *machine, uint64_t cycle) {
    if (!watch)
        return jm_run(machine, cycle);
    JmStop stop = JM_STOP_NONE;
    while ((stop == JM_STOP_NONE || stop == JM_STOP_LIMIT) && jm_now(machine) < cycle) {
        const uint64_t next = jm_now(machine) + watch->every;
        stop = jm_run(machine, next < cycle ? next : cycle);
        look(watch, machine);
    }
    return stop;
}

void watch_result(const Watch *watch, Result *result) {
    if (!watch || !watch->looks)
        return;
    const double looks = (double)watch->looks;
    const double service = isnan(result->h_got) ? 0 : result->h_got;
    result_add(result, "p_no_overflow", 1 - (double)watch->over / looks);
    result_add(result, "overflow_rate",
               (double)watch->entries * service / (looks * (double)watch->every));
}

void watch_close(Watch *watch) {
    free(watch);
}
