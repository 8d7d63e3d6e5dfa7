#include "emu/machine/alarm.h"

#include <stdlib.h>
#include <string.h>

bool alarms_init(Alarms *alarms, unsigned nodes) {
    *alarms = (Alarms){.next = NO_ALARM, .words = (nodes + 63) / 64};
    alarms->set = calloc(alarms->words, sizeof *alarms->set);
    alarms->cycle = calloc(nodes, sizeof *alarms->cycle);
    return alarms->set && alarms->cycle;
}

void alarms_free(Alarms *alarms) {
    free(alarms->set);
    free(alarms->cycle);
}

void alarms_clear(Alarms *alarms) {
    alarms->next = NO_ALARM;
    memset(alarms->set, 0, alarms->words * sizeof *alarms->set);
}

static uint64_t earliest(const Alarms *alarms) {
    uint64_t next = NO_ALARM;
    for (unsigned w = 0; w < alarms->words; w++)
        for (uint64_t bits = alarms->set[w]; bits; bits &= bits - 1) {
            const uint64_t cycle =
                alarms->cycle[w * 64 + (unsigned)__builtin_ctzll(bits)];
            next = cycle < next ? cycle : next;
        }
    return next;
}

bool alarms_any(const Alarms *alarms) {
    for (unsigned w = 0; w < alarms->words; w++)
        if (alarms->set[w])
            return true;
    return false;
}

bool alarms_take(Alarms *alarms, uint64_t now, unsigned *from) {
    for (unsigned node = *from; node / 64 < alarms->words; node++) {
        const uint64_t left = alarms->set[node / 64] >> (node % 64);
        if (!left) {
            node |= 63;
            continue;
        }
        node += (unsigned)__builtin_ctzll(left);
        if (alarms->cycle[node] > now)
            continue;
        alarms->set[node / 64] &= ~(UINT64_C(1) << (node % 64));
        *from = node + 1;
        return true;
    }
    alarms->next = earliest(alarms);
    return false;
}
