/* One rate of a sweep: what a run at that rate measures, and the forms in which it is
 * kept. */
#ifndef JM_TOOLS_NET_RATE_H
#define JM_TOOLS_NET_RATE_H

#include <jansson.h>
#include <stdio.h>

#include "net/traffic/load.h"

/* NUMBER(name): the numbers of a rate, in the order of columns. */
#define RATE_NUMBERS                                                                   \
    NUMBER(rate)       /* asked for, in messages a cycle and processor */              \
    NUMBER(offered)    /* sent in the measured cycles */                               \
    NUMBER(accepted)   /* arrived in them */                                           \
    NUMBER(latency)    /* mean from birth to arrival, in cycles */                     \
    NUMBER(half_width) /* half of its 95 % interval, if the run has settled */         \
    NUMBER(p50)        /* percentiles of the latency */                                \
    NUMBER(p95)                                                                        \
    NUMBER(p99)                                                                        \
    NUMBER(cycles) /* of the run; fewer than asked for if a backlog has ended it */

/* Plain data, which MPI ranks copy. A number is NaN if it is unknown. */
typedef struct {
#define NUMBER(name) double name;
    RATE_NUMBERS
#undef NUMBER
    NetRunState state;
    bool done;
} NetRate;

/* Runs `load`, whose workload lacks the rate, at `row->rate`; `channels` of its window
 * get what they count in it. True and `row` unchanged if `stop` ended the run; false
 * and `error` as net_load_create(). */
bool net_rate_run(NetRate *row, const NetLoad *load, bool (*stop)(void *context),
                  void *context, JmError *error);

/* An object of all numbers and the state. */
json_t *net_rate_to_json(const NetRate *row);
/* The reverse. False and `why` if no run can have had this result. */
bool net_rate_from_json(const json_t *object, NetRate *row, char *why, size_t size);

/* A line of CSV, and the line above the first. */
void net_rate_csv_head(FILE *out);
void net_rate_csv(const NetRate *row, FILE *out);

#endif
