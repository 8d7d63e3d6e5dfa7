/* The runs of `jm net sweep`, on the pool of `jm exp`; the search for saturation. */
#ifndef JM_TOOLS_NET_SWEEP_RUNS_H
#define JM_TOOLS_NET_SWEEP_RUNS_H

#include "tools/exp/run/journal.h"
#include "tools/exp/run/pool.h"
#include "tools/host/progress.h"
#include "tools/net/rate.h"
#include "tools/net/wires.h"

typedef struct {
    NetRate *row;
    size_t count;
} NetRates;

/* What the channels have counted at a rate (net_wires_to_json()). */
typedef struct {
    double rate;
    json_t *counts;
} NetRateWires;

typedef struct {
    NetLoad load;          /* of all runs: specifications, parameters, seed, window */
    char *key;             /* the same as text: the key of records in the journal */
    double low, high;      /* rates that the workload takes */
    NetRates rates;        /* in ascending order */
    NetRates kept;         /* what the journal has, in any order */
    const NetWires *wires; /* whose counts are wanted; NULL: they are not */
    NetRateWires *counted;
    size_t counted_count;
    size_t *missing; /* rates to run: a task of the pool is an index in it */
    size_t missing_count;
    unsigned jobs;
    Ranks *ranks;
    Journal *journal; /* NULL: none is kept */
    Progress progress;
} NetSweep;

/* Adds a rate, unless it is there. */
void net_sweep_add(NetSweep *sweep, double rate);
/* Takes a record of the journal (JournalTake); those of other sweeps are skipped. */
bool net_sweep_take(void *sweep, const json_t *record, char why[RESULT_WHY_MAX]);
/* Runs all rates that are not done. Under MPI every rank must call it. False and
 * `error`; with an empty text if a signal ended it. */
bool net_sweep_run(NetSweep *sweep, JmError *error);
/* Reads what the channels have counted at a rate that is done. */
void net_sweep_counts(const NetSweep *sweep, double rate, NetChannelCounts *channels);
void net_sweep_free(NetSweep *sweep);

/* Where a network saturates. */
typedef struct {
    double zero_load; /* latency at a hundredth of the highest rate asked for */
    double triple;    /* highest rate with a latency of at most three times that */
    double settled;   /* highest rate at which a run settles */
} NetSaturation;

/* Adds rates and runs them until both are known to 1 %; NaN: there is none. False as
 * net_sweep_run(). */
bool net_sweep_saturation(NetSweep *sweep, NetSaturation *found, JmError *error);

#endif
