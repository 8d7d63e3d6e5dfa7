/* The command `jm model amva`: solves a wormhole network by approximate mean value
 * analysis. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/exp/models/problems.h"
#include "tools/host/outputs.h"
#include "tools/host/progress.h"
#include "tools/host/values.h"
#include "tools/model/model.h"

/* ---- progress -------------------------------------------------------------------- */

/* Shows progress if it is due: AmvaProblem.progress; `context` is a Progress. */
static void show_progress(void *context, unsigned sweep, double change) {
    if (progress_due(context))
        fprintf(stderr, "\rsweep %u, change %.2g\033[K", sweep, change);
}

/* ---- bad input ------------------------------------------------------------------- */

/* The case to solve. */
typedef struct {
    AmvaProblem problem;
    unsigned mesh[3];
} Case;

static bool is_standard(const char *path) {
    return path && strcmp(path, "-") == 0;
}

static bool check(const ModelRequest *r, const Case *c, JmError *error) {
    const char *json = model_given(r, "json"), *map = model_given(r, "map");
    if (c->problem.workload == AMVA_SNAKES &&
        !model_refuse(r, "reply_flits", "--workload requests", error))
        return false;
    if (json && map && !jm_outfile_spares(map, json, error))
        return false;
    if (is_standard(json) && is_standard(map))
        return jm_fail(error, r->command, "--json and --map both to standard output");
    return (!map || jm_outfile_check(map, NULL, error)) && model_check_json(r, error);
}

/* ---- output ---------------------------------------------------------------------- */

static json_t *node_json(const Case *c, const AmvaNode *node, uint32_t rank) {
    return json_pack("{s:i,s:i,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "rank", (int)rank,
                     "x", (int)(rank % c->mesh[0]), "y",
                     (int)(rank / c->mesh[0] % c->mesh[1]), "z",
                     (int)(rank / (c->mesh[0] * c->mesh[1])), "node_queue",
                     jvalue_number(node->node_queue), "processor_queue",
                     jvalue_number(node->processor_queue), "rate",
                     jvalue_number(node->rate), "cycle", jvalue_number(node->cycle),
                     "request_wait", jvalue_number(node->request_wait), "reply_wait",
                     jvalue_number(node->reply_wait), "network_time",
                     jvalue_number(node->network_time));
}

static json_t *nodes_json(const Case *c, const AmvaResult *result) {
    if (result->state != MODEL_SOLVED)
        return json_null();
    json_t *const nodes = json_array();
    for (uint32_t i = 0; i < result->nodes; i++)
        json_array_append_new(nodes, node_json(c, &result->node[i], i));
    return nodes;
}

/* Makes the document of --json; null stands for values of a point without a
 * solution. */
static json_t *to_json(const Case *c, const AmvaResult *result) {
    const AmvaGuards *g = &result->guards;
    return json_pack(
        "{s:o,s:i,s:o,s:o,s:o,s:o,s:i,s:o,s:{s:i,s:i,s:i,s:i,s:i,s:i,s:i},s:o}",
        "state", jvalue_text(net_model_state_name(result->state)), "sweeps",
        (int)result->sweeps, "rate", jvalue_number(result->rate), "bisection",
        jvalue_number(result->bisection), "change", jvalue_number(result->change),
        "population_error", jvalue_number(result->population), "tries",
        (int)result->tries, "schedule", jvalue_text(result->schedule), "guards", "wire",
        (int)g->wire, "own_worm", (int)g->own_worm, "idle", (int)g->idle, "passing",
        (int)g->passing, "wait", (int)g->wait, "overloaded", (int)g->overloaded,
        "population", (int)g->population, "nodes", nodes_json(c, result));
}

/* Writes the map: a row for each node, or only the head if there is no solution. */
static bool write_map(const Case *c, const AmvaResult *result, JmOutFile *file,
                      JmError *error) {
    fputs("rank,x,y,z,node_queue,processor_queue,rate,cycle,request_wait,reply_wait,"
          "network_time\n",
          file->stream);
    for (uint32_t i = 0; result->node && i < result->nodes; i++) {
        const AmvaNode *n = &result->node[i];
        fprintf(file->stream, "%u,%u,%u,%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", i,
                i % c->mesh[0], i / c->mesh[0] % c->mesh[1],
                i / (c->mesh[0] * c->mesh[1]), n->node_queue, n->processor_queue,
                n->rate, n->cycle, n->request_wait, n->reply_wait, n->network_time);
    }
    return jm_outfile_commit(file, error);
}

/* Prints the node queues of a plane, for the plane of the peak. */
static void print_plane(const Case *c, const AmvaResult *result, unsigned z) {
    printf("messages in node queues, plane z = %u, y down, x across:\n", z);
    for (unsigned y = 0; y < c->mesh[1]; y++) {
        for (unsigned x = 0; x < c->mesh[0]; x++)
            printf(" %7.3f",
                   result->node[x + c->mesh[0] * (y + c->mesh[1] * z)].node_queue);
        putchar('\n');
    }
}

/* Prints the solution: rates, waits, and the plane of the longest node queue. */
static void print_solution(const Case *c, const AmvaResult *result) {
    double all = 0;
    uint32_t peak = 0;
    for (uint32_t i = 0; i < result->nodes; i++) {
        all += result->node[i].node_queue;
        if (result->node[i].node_queue > result->node[peak].node_queue * (1 + 1e-9))
            peak = i;
    }
    const unsigned plane = c->mesh[0] * c->mesh[1];
    printf("  services a cycle and node  %.6g\n", result->rate);
    printf("  use of the bisection       %.4g\n", result->bisection);
    printf("  messages in a node queue   %.4g on the mean, %.4g at (%u,%u,%u)\n",
           all / result->nodes, result->node[peak].node_queue, peak % c->mesh[0],
           peak / c->mesh[0] % c->mesh[1], peak / plane);
    if (c->problem.workload == AMVA_SNAKES)
        printf("  cycles of a hop            %.6g\n",
               result->node[0].cycle / result->nodes);
    else
        printf("  cycles of a round trip     %.6g at that node\n",
               result->node[peak].cycle);
    print_plane(c, result, peak / plane);
}

static void print(const Case *c, const AmvaResult *result) {
    printf("%ux%ux%u, %s of %u flits, %u outstanding, service %g, %s routers\n",
           c->mesh[0], c->mesh[1], c->mesh[2],
           c->problem.workload == AMVA_SNAKES ? "snakes" : "requests",
           c->problem.request, c->problem.outstanding, c->problem.service,
           c->problem.fair ? "fair" : "unfair");
    printf("  %s after %u sweeps (%s)\n", net_model_state_name(result->state),
           result->sweeps, result->schedule);
    if (result->state == MODEL_SOLVED)
        print_solution(c, result);
}

/* ---- the command ----------------------------------------------------------------- */

static bool solve(const ModelRequest *r, Case *c, AmvaResult *result, JmError *error) {
    NetGraph *const graph = model_amva_graph(&r->settings, error);
    if (!graph)
        return false;
    Progress progress = progress_start(model_given(r, "quiet"), 1);
    c->problem.progress = show_progress;
    c->problem.context = &progress;
    const bool good = net_amva_solve(graph, &c->problem, result, error);
    progress_clear(&progress);
    net_graph_destroy(graph);
    return good;
}

static bool give(const ModelRequest *r, const Case *c, const AmvaResult *result,
                 JmError *error) {
    const char *json = model_given(r, "json"), *map = model_given(r, "map");
    if (model_has_text(r, "json|map"))
        print(c, result);
    JmOutFile map_file, json_file;
    if (!outputs_open((Output[]){{&map_file, map}, {&json_file, json}}, 2, NULL, error))
        return false;
    const bool good =
        (!map || write_map(c, result, &map_file, error)) &&
        (!json || model_commit_json(&json_file, to_json(c, result), error));
    jm_outfile_drop(&json_file);
    return good;
}

bool model_amva(ModelRequest *r, JmError *error) {
    Case c = {.problem = model_amva_problem(&r->settings)};
    AmvaResult result = {0};
    settings_mesh(&r->settings, c.mesh);
    const bool good = check(r, &c, error) && solve(r, &c, &result, error) &&
                      give(r, &c, &result, error);
    if (good && result.state != MODEL_SOLVED)
        r->unsolved = net_model_state_name(result.state);
    net_amva_result_free(&result);
    return good;
}
