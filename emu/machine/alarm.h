/* Alarms: actions that a node's network interface will take by itself in a later cycle,
 * such as releasing a brake. At most one per node. */
#ifndef JM_MACHINE_ALARM_H
#define JM_MACHINE_ALARM_H

#include <stdbool.h>
#include <stdint.h>

#define NO_ALARM UINT64_MAX

typedef struct {
    uint64_t next;   /* no alarm is due before this cycle */
    unsigned words;  /* of `set` */
    uint64_t *set;   /* bit per node: it has an alarm */
    uint64_t *cycle; /* by node: when it is due */
} Alarms;

/* False if there is no memory; must be freed in any case. */
bool alarms_init(Alarms *alarms, unsigned nodes);
void alarms_free(Alarms *alarms);
void alarms_clear(Alarms *alarms);

/* Sets the alarm of a node, replacing any other; NO_ALARM: none. The caller must update
 * `next`: threads, each with its own words of `set`, may call this at the same time. */
static inline void alarms_set(Alarms *alarms, unsigned node, uint64_t cycle) {
    const uint64_t bit = UINT64_C(1) << (node % 64);
    alarms->set[node / 64] &= ~bit;
    alarms->set[node / 64] |= cycle == NO_ALARM ? 0 : bit;
    alarms->cycle[node] = cycle;
}

/* Whether some node has an alarm. */
bool alarms_any(const Alarms *alarms);

/* Limits a run to `until` so that it does not skip an alarm. */
static inline uint64_t alarms_limit(const Alarms *alarms, uint64_t until) {
    return until < alarms->next ? until : alarms->next;
}

/* Takes a node whose alarm is due by cycle `now`; false, and `next` is right, if there
 * is none. `from`: where to continue, 0 at first; then 1 + the node. */
bool alarms_take(Alarms *alarms, uint64_t now, unsigned *from);

#endif
