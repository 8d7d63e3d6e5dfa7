/* The command `jm model amva`: solves a wormhole network by approximate mean value
 * analysis. */
#include <stdio.h>
#include <string.h>

#include "tools/host/outputs.h"
#include "tools/host/progress.h"
#include "tools/host/values.h"
#include "tools/model/model.h"

/* Shows progress if it is due: ModelPoint.progress; `context` is a Progress. */
static void show_progress(void *context, unsigned sweep, double change) {
    if (progress_due(context))
        fprintf(stderr, "\rsweep %u, change %.2g\033[K", sweep, change);
}

/* ---- bad input ------------------------------------------------------------------- */

static bool is_snakes(const ModelRequest *r) {
    return settings_has(&r->settings, "workload", "snakes");
}

static bool check(const ModelRequest *r, JmError *error) {
    return (!is_snakes(r) ||
            model_refuse(r, "reply-length", "--workload requests", error)) &&
           outputs_check(r->options, r, NULL, error);
}

/* ---- nodes ----------------------------------------------------------------------- */

/* The values of AmvaNode. */
static const char *const values[] = {"node_queue",  "processor_queue", "rate",
                                     "cycle",       "request_wait",    "reply_wait",
                                     "network_time"};
enum { VALUES = sizeof values / sizeof values[0], CYCLE = 3 };

static const ResultList *nodes_of(const ModelRequest *r) {
    return &r->part[PART_amva_ALL]->by_node;
}

/* Finds where a node is; returns its values. */
static const double *node_at(const ModelRequest *r, size_t rank, unsigned at[3]) {
    unsigned mesh[3];
    settings_mesh(&r->settings, mesh);
    at[0] = (unsigned)rank % mesh[0];
    at[1] = (unsigned)rank / mesh[0] % mesh[1];
    at[2] = (unsigned)rank / (mesh[0] * mesh[1]);
    return result_row(nodes_of(r), rank);
}

static json_t *node_json(const ModelRequest *r, size_t rank) {
    unsigned at[3];
    const double *value = node_at(r, rank, at);
    json_t *node = json_pack("{s:i,s:i,s:i,s:i}", "rank", (int)rank, "x", (int)at[0],
                             "y", (int)at[1], "z", (int)at[2]);
    for (unsigned i = 0; i < VALUES; i++)
        json_object_set_new(node, values[i], jvalue_number(value[i]));
    return node;
}

/* Makes the document of --json; a point without a solution has no nodes. */
static json_t *to_json(const ModelRequest *r) {
    const size_t count = nodes_of(r)->count;
    json_t *root = model_json(r, json_object());
    json_t *nodes = count ? json_array() : json_null();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(nodes, node_json(r, i));
    json_object_set_new(root, "nodes", nodes);
    return root;
}

/* Writes the map: a row for each node, or only the head if there is no solution. */
static bool write_map(const ModelRequest *r, JmOutFile *file, JmError *error) {
    fputs("rank,x,y,z", file->stream);
    for (unsigned i = 0; i < VALUES; i++)
        fprintf(file->stream, ",%s", values[i]);
    for (size_t rank = 0; rank < nodes_of(r)->count; rank++) {
        unsigned at[3];
        const double *value = node_at(r, rank, at);
        fprintf(file->stream, "\n%zu,%u,%u,%u", rank, at[0], at[1], at[2]);
        for (unsigned i = 0; i < VALUES; i++)
            fprintf(file->stream, ",%.9g", value[i]);
    }
    putc('\n', file->stream);
    return jm_outfile_commit(file, error);
}

/* ---- text ------------------------------------------------------------------------ */

/* Prints the node queues of the plane of the peak. */
static void print_plane(const ModelRequest *r, unsigned z) {
    unsigned mesh[3], at[3];
    settings_mesh(&r->settings, mesh);
    printf("messages in node queues, plane z = %u, y down, x across:\n", z);
    for (unsigned y = 0; y < mesh[1]; y++) {
        for (unsigned x = 0; x < mesh[0]; x++)
            printf(" %7.3f", *node_at(r, x + mesh[0] * (y + mesh[1] * z), at));
        putchar('\n');
    }
}

/* Prints the solution: rates, waits, and the plane of the longest node queue. */
static void print_solution(const ModelRequest *r, const Result *result) {
    const size_t nodes = result->by_node.count;
    unsigned at[3];
    double all = 0;
    size_t peak = 0;
    for (size_t i = 0; i < nodes; i++) {
        const double queue = *node_at(r, i, at);
        all += queue;
        if (queue > *node_at(r, peak, at) * (1 + 1e-9))
            peak = i;
    }
    const double *value = node_at(r, peak, at);
    printf("  services a cycle and node  %.6g\n", result->rate);
    printf("  use of the bisection       %.4g\n", result->bisection);
    printf("  messages in a node queue   %.4g on the mean, %.4g at (%u,%u,%u)\n",
           all / (double)nodes, value[0], at[0], at[1], at[2]);
    if (is_snakes(r))
        printf("  cycles of a hop            %.6g\n", value[CYCLE] / (double)nodes);
    else
        printf("  cycles of a round trip     %.6g at that node\n", value[CYCLE]);
    print_plane(r, at[2]);
}

static void print(const ModelRequest *r) {
    const Settings *s = &r->settings;
    const Result *result = r->part[PART_amva_ALL];
    printf("%s, %s of %u flits, %u outstanding, service %g, %s routers\n",
           settings_text(s, "mesh"), settings_text(s, "workload"),
           model_whole(s, "flits"), model_whole(s, "m"), settings_number(s, "tau"),
           model_whole(s, "fair") ? "fair" : "unfair");
    printf("  %s after %.0f sweeps (%s)\n", result->stop, result->sweeps,
           result->schedule);
    if (result->by_node.count)
        print_solution(r, result);
}

/* ---- the command ----------------------------------------------------------------- */

static bool give(const ModelRequest *r, JmError *error) {
    const char *json = r->json, *map = r->map;
    if (outputs_leave_text(r->options, r))
        print(r);
    JmOutFile map_file, json_file;
    if (!outputs_open((Output[]){{&map_file, map}, {&json_file, json}}, 2, NULL, error))
        return false;
    const bool good = (!map || write_map(r, &map_file, error)) &&
                      (!json || model_commit_json(&json_file, to_json(r), error));
    jm_outfile_drop(&json_file);
    return good;
}

bool model_amva(ModelRequest *r, JmError *error) {
    if (!check(r, error))
        return false;
    Progress progress = progress_start(r->quiet, 1);
    const bool good = model_answer(r, "amva", show_progress, &progress, error);
    progress_clear(&progress);
    return good && give(r, error);
}

#define OPTIONS "tools/model/amva.def"
#define OPTION_FIELDS ModelRequest
#include "tools/host/option_table.def"

const OptionSet model_amva_options = MODEL_OPTIONS("jm model amva");
