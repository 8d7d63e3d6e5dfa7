/* Writes the tables by node, by window of time and by heading. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/nodes.h"
#include "tools/exp/plan/swept.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/writers.h"
#include "tools/host/memory.h"

/* Sums are kept for the largest machine; experiments that draw a map use one mesh. */
enum { NODES_MAX = JM_MAX_X * JM_MAX_Y * JM_MAX_Z };

/* Sums of one node over all runs. */
typedef struct {
    uint64_t overflows;
    uint64_t first;   /* runs in which this node overflowed before all others */
    uint64_t send;    /* SEND faults */
    uint64_t deepest; /* words; most in any run */
    double depth;     /* mean words in the queue, summed over runs */
} NodeSum;

/* Adds where a run overflowed. */
static void add_places(const Result *r, NodeSum *sums) {
    size_t first = NODES_MAX;
    double earliest = INFINITY;
    for (size_t i = 0; i < r->places.count; i++) {
        const double *place = result_row(&r->places, i);
        const size_t node = (size_t)place[0];
        if (node >= NODES_MAX)
            continue;
        sums[node].overflows += (uint64_t)place[1];
        first = place[2] < earliest ? node : first;
        earliest = fmin(earliest, place[2]);
    }
    if (first < NODES_MAX)
        sums[first].first++;
}

/* Adds a run to the sums and returns its number of nodes, 0 if it has no figures. */
static size_t add_run(const Run *run, NodeSum *sums) {
    const Result *r = run->result;
    if (!r)
        return 0;
    for (size_t i = 0; i < r->send.count && i < NODES_MAX; i++) {
        const uint64_t words = (uint64_t)r->deepest.value[i];
        sums[i].send += (uint64_t)r->send.value[i];
        sums[i].depth += r->depth.value[i] / 100; /* it is in hundredths of a word */
        sums[i].deepest = words > sums[i].deepest ? words : sums[i].deepest;
    }
    add_places(r, sums);
    return r->send.count;
}

/* Adds the runs of the points of one family, that of point `first`, and returns their
 * number. `nodes`: of the largest machine among them. */
static size_t add_family(const Campaign *campaign, const Plan *plan, unsigned first,
                         NodeSum *sums, size_t *nodes) {
    size_t runs = 0;
    for (unsigned i = first; i < plan->point_count; i++) {
        const Point *point = &plan->points[i];
        if (!swept_same(plan, first, i))
            continue;
        for (unsigned k = 0; k < point->run_count; k++) {
            const size_t count = add_run(&campaign->runs[point->runs[k]], sums);
            *nodes = count > *nodes ? count : *nodes;
            runs += count > 0;
        }
    }
    return runs;
}

static void put_family(const Campaign *campaign, const Plan *plan, unsigned first,
                       NodeSum *sums, FILE *out) {
    const Settings *settings = &plan->points[first].settings;
    size_t nodes = 0;
    memset(sums, 0, NODES_MAX * sizeof *sums);
    const size_t runs = add_family(campaign, plan, first, sums, &nodes);
    for (size_t i = 0; i < nodes; i++) {
        unsigned at[3], size[3];
        nodes_position(settings, (unsigned)i, at, size);
        fprintf(out, "%u,%u,%u,%zu,%zu,%llu,%llu,%llu,%.6g,%llu", at[0], at[1], at[2],
                i, runs, (unsigned long long)sums[i].overflows,
                (unsigned long long)sums[i].first, (unsigned long long)sums[i].send,
                sums[i].depth / (double)runs, (unsigned long long)sums[i].deepest);
        fields_end_row(out, plan, settings, false);
    }
}

const char by_node_map_head[] = "x,y,z,rank,runs,overflows,first_overflows,send_faults,"
                                "queue_mean_words,queue_max_words";

void by_node_map(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs(by_node_map_head, out);
    fields_end_row(out, plan, NULL, false);
    NodeSum *sums = memory_array(NODES_MAX, sizeof *sums);
    for (unsigned i = 0; i < plan->point_count; i++)
        if (swept_is_first(plan, i))
            put_family(campaign, plan, i, sums, out);
    free(sums);
}

/* ---- jam ------------------------------------------------------------------------- */

static void put_window(FILE *out, unsigned run, const json_t *jam,
                       const json_t *window) {
    static const char *const key[] = {"cycles",  "messages",  "z_column",
                                      "y_plane", "x_towards", "others"};
    fprintf(out, "%u,%" JSON_INTEGER_FORMAT ",%.10g", run,
            json_integer_value(json_object_get(jam, "node")),
            json_number_value(json_object_get(window, "time")) / 10);
    for (unsigned i = 0; i < sizeof key / sizeof key[0]; i++)
        fprintf(out, ",%" JSON_INTEGER_FORMAT,
                json_integer_value(json_object_get(window, key[i])));
}

static void put_jams(FILE *out, const Campaign *campaign, const Plan *plan,
                     const Point *point) {
    for (unsigned i = 0; i < point->run_count; i++) {
        const Result *r = campaign->runs[point->runs[i]].result;
        const json_t *jam = r ? r->jam : NULL;
        const json_t *windows = json_object_get(jam, "windows");
        for (size_t k = 0; k < json_array_size(windows); k++) {
            put_window(out, i, jam, json_array_get(windows, k));
            fields_end_row(out, plan, &point->settings, false);
        }
    }
}

void by_node_jam(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs("run,node,time_us,cycles,messages,z_column,y_plane,x_towards,others", out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < plan->point_count; i++)
        put_jams(out, campaign, plan, &plan->points[i]);
}

/* ---- table 2.1 ------------------------------------------------------------------- */

void by_node_costs(const Campaign *campaign, const Plan *plan, FILE *out) {
    static const struct {
        const char *key, *text;
        int thesis;
    } heading[] = {{"preamble", "queue overflow trap preamble", 150},
                   {"subroutine", "queue to buffer subroutine", 50},
                   {"word_to_buffer", "word to buffer", 22},
                   {"token", "queue overflow token", 52},
                   {"message_to_queue", "message from buffer to queue", 23},
                   {"word_to_queue", "word from buffer to queue", 26}};
    fputs("item,thesis,p,message_words,measured,times", out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < sizeof heading / sizeof heading[0]; i++)
        for (unsigned k = 0; k < plan->point_count; k++) {
            double cycles = 0, units = 0;
            const Point *point = &plan->points[k];
            for (unsigned r = 0; r < point->run_count; r++) {
                const Result *result = campaign->runs[point->runs[r]].result;
                const json_t *cost =
                    json_object_get(result ? result->costs : NULL, heading[i].key);
                cycles += result_tree_number(cost, "cycles");
                units += result_tree_number(cost, "units");
            }
            const double p = settings_number(&point->settings, "p");
            fprintf(out, "%s,%d,%.0f,%.0f,", heading[i].text, heading[i].thesis, p,
                    p + 1);
            if (units > 0)
                fields_number(out, cycles / units);
            fprintf(out, ",%.0f", units);
            fields_end_row(out, plan, &point->settings, false);
        }
}
