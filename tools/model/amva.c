/* The command `jm model amva`: solves a wormhole network by approximate mean value
 * analysis. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/outfile.h"
#include "net/model/amva.h"
#include "net/topology/mesh.h"
#include "tools/host/host.h"
#include "tools/host/outputs.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/jm/stats/progress.h"
#include "tools/model/arguments.h"
#include "tools/model/model.h"

/* The state of the line. */
typedef struct {
    bool wanted, shown;
    double started, printed; /* seconds */
} Meter;

/* ---- progress -------------------------------------------------------------------- */

/* The progress line of a long solve. */

/* seconds before the first line, and between lines */
static const double first_after = 1.0, every = 0.5;

/* Begins to show progress, unless `quiet`. */
static Meter meter_start(bool quiet) {
    const double now = progress_clock();
    return (Meter){
        .wanted = !quiet && isatty(STDERR_FILENO), .started = now, .printed = now};
}

/* Shows progress if it is due: AmvaProblem.progress; `context` is a Meter. */
static void meter_show(void *context, unsigned sweep, double change) {
    Meter *const meter = context;
    if (!meter->wanted)
        return;
    const double now = progress_clock();
    if (now - meter->started < first_after || now - meter->printed < every)
        return;
    fprintf(stderr, "\rsweep %u, change %.2g\033[K", sweep, change);
    meter->shown = true;
    meter->printed = now;
}

/* Erases the line. */
static void meter_clear(Meter *meter) {
    if (meter->shown)
        fputs("\r\033[K", stderr);
    meter->shown = false;
}

/* ---- the command ----------------------------------------------------------------- */

static const char command[] = "jm model amva";

/* The parsed command line. */
typedef struct {
    AmvaProblem problem;
    unsigned mesh[3], line, workload, form, length, reply_length;
    bool separate_wires, quiet, help;
    const char *json, *map;
} Request;

enum { OPTIONS = 24 };

/* Fills in the table of options, with places in the request. */
static void make_options(Request *r, Argument options[OPTIONS]) {
    AmvaProblem *const p = &r->problem;
    const Argument table[OPTIONS] = {
#define ARGUMENT ARGUMENT_ROW
#include "tools/model/amva.def"
#undef ARGUMENT
    };
    memcpy(options, table, sizeof table);
}

static bool is_standard(const char *path) {
    return path && strcmp(path, "-") == 0;
}

/* Completes the request: options that follow from others, and contradictions. */
static bool settle(Request *r, const Argument *options, JmError *error) {
    if (r->line && arguments_given(options, "mesh"))
        return jm_fail(error, command, "--line and --mesh are both given");
    if (r->line)
        r->mesh[0] = r->line, r->mesh[1] = r->mesh[2] = 1;
    r->problem.workload = r->workload == 0 ? AMVA_REQUESTS : AMVA_SNAKES;
    r->problem.form = r->form == 0 ? AMVA_TREES : AMVA_PREFIXES;
    if (r->reply_length && r->problem.workload == AMVA_SNAKES)
        return jm_fail(error, command, "--reply-length: snakes have no replies");
    r->problem.pair[0].request = r->length;
    r->problem.pair[0].reply = r->reply_length ? r->reply_length : r->length;
    if (r->json && r->map && jm_outfile_replaces(r->map, r->json))
        return jm_fail(error, command, "--json and --map need files of their own: %s",
                       r->map);
    if (is_standard(r->json) && is_standard(r->map))
        return jm_fail(error, command, "--json and --map both to standard output");
    return (!r->map || jm_outfile_check(r->map, NULL, error)) &&
           (!r->json || jm_outfile_check(r->json, NULL, error));
}

/* ---- output ---------------------------------------------------------------------- */

static json_t *node_json(const Request *r, const AmvaNode *node, uint32_t rank) {
    return json_pack("{s:i,s:i,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "rank", (int)rank,
                     "x", (int)(rank % r->mesh[0]), "y",
                     (int)(rank / r->mesh[0] % r->mesh[1]), "z",
                     (int)(rank / (r->mesh[0] * r->mesh[1])), "node_queue",
                     jvalue_number(node->node_queue), "processor_queue",
                     jvalue_number(node->processor_queue), "rate",
                     jvalue_number(node->rate), "cycle", jvalue_number(node->cycle),
                     "request_wait", jvalue_number(node->request_wait), "reply_wait",
                     jvalue_number(node->reply_wait), "network_time",
                     jvalue_number(node->network_time));
}

static json_t *nodes_json(const Request *r, const AmvaResult *result) {
    if (result->state != AMVA_SOLVED)
        return json_null();
    json_t *const nodes = json_array();
    for (uint32_t i = 0; i < result->nodes; i++)
        json_array_append_new(nodes, node_json(r, &result->node[i], i));
    return nodes;
}

/* Makes the document of --json; null stands for values of a point without a
 * solution. */
static json_t *to_json(const Request *r, const AmvaResult *result) {
    const AmvaGuards *g = &result->guards;
    return json_pack(
        "{s:o,s:i,s:o,s:o,s:o,s:o,s:i,s:o,s:{s:i,s:i,s:i,s:i,s:i,s:i,s:i},s:o}",
        "state", jvalue_text(net_amva_state_name(result->state)), "sweeps",
        (int)result->sweeps, "rate", jvalue_number(result->rate), "bisection",
        jvalue_number(result->bisection), "change", jvalue_number(result->change),
        "population_error", jvalue_number(result->population), "tries",
        (int)result->tries, "schedule", jvalue_text(result->schedule), "guards", "wire",
        (int)g->wire, "own_worm", (int)g->own_worm, "idle", (int)g->idle, "passing",
        (int)g->passing, "wait", (int)g->wait, "overloaded", (int)g->overloaded,
        "population", (int)g->population, "nodes", nodes_json(r, result));
}

/* Writes the map: a row for each node, or only the head if there is no solution. */
static bool write_map(const Request *r, const AmvaResult *result, JmOutFile *file,
                      JmError *error) {
    fputs("rank,x,y,z,node_queue,processor_queue,rate,cycle,request_wait,reply_wait,"
          "network_time\n",
          file->stream);
    for (uint32_t i = 0; result->node && i < result->nodes; i++) {
        const AmvaNode *n = &result->node[i];
        fprintf(file->stream, "%u,%u,%u,%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", i,
                i % r->mesh[0], i / r->mesh[0] % r->mesh[1],
                i / (r->mesh[0] * r->mesh[1]), n->node_queue, n->processor_queue,
                n->rate, n->cycle, n->request_wait, n->reply_wait, n->network_time);
    }
    return jm_outfile_commit(file, error);
}

/* Prints the node queues of a plane, for the plane of the peak. */
static void print_plane(const Request *r, const AmvaResult *result, unsigned z) {
    printf("messages in node queues, plane z = %u, y down, x across:\n", z);
    for (unsigned y = 0; y < r->mesh[1]; y++) {
        for (unsigned x = 0; x < r->mesh[0]; x++)
            printf(" %7.3f",
                   result->node[x + r->mesh[0] * (y + r->mesh[1] * z)].node_queue);
        putchar('\n');
    }
}

/* Prints the solution: rates, waits, and the plane of the longest node queue. */
static void print_solution(const Request *r, const AmvaResult *result) {
    double all = 0;
    uint32_t peak = 0;
    for (uint32_t i = 0; i < result->nodes; i++) {
        all += result->node[i].node_queue;
        if (result->node[i].node_queue > result->node[peak].node_queue * (1 + 1e-9))
            peak = i;
    }
    const unsigned plane = r->mesh[0] * r->mesh[1];
    printf("  services a cycle and node  %.6g\n", result->rate);
    printf("  use of the bisection       %.4g\n", result->bisection);
    printf("  messages in a node queue   %.4g on the mean, %.4g at (%u,%u,%u)\n",
           all / result->nodes, result->node[peak].node_queue, peak % r->mesh[0],
           peak / r->mesh[0] % r->mesh[1], peak / plane);
    if (r->problem.workload == AMVA_SNAKES)
        printf("  cycles of a hop            %.6g\n",
               result->node[0].cycle / result->nodes);
    else
        printf("  cycles of a round trip     %.6g at that node\n",
               result->node[peak].cycle);
    print_plane(r, result, peak / plane);
}

static void print(const Request *r, const AmvaResult *result) {
    printf("%ux%ux%u, %s of %u flits, %u outstanding, service %g, %s routers\n",
           r->mesh[0], r->mesh[1], r->mesh[2],
           r->problem.workload == AMVA_SNAKES ? "snakes" : "requests", r->length,
           r->problem.outstanding, r->problem.service,
           r->problem.fair ? "fair" : "unfair");
    printf("  %s after %u sweeps (%s)\n", net_amva_state_name(result->state),
           result->sweeps, result->schedule);
    if (result->state == AMVA_SOLVED)
        print_solution(r, result);
}

/* ---- the command ----------------------------------------------------------------- */

/* Builds the mesh and solves the model on it. */
static bool solve(Request *r, AmvaResult *result, JmError *error) {
    NetParams params = net_params_default();
    params.shared_wires = !r->separate_wires;
    NetGraph *const graph =
        net_mesh_create(r->mesh[0], r->mesh[1], r->mesh[2], &params, error);
    if (!graph)
        return false;
    Meter meter = meter_start(r->quiet);
    r->problem.progress = meter_show;
    r->problem.context = &meter;
    const bool good = net_amva_solve(graph, &r->problem, result, error);
    meter_clear(&meter);
    net_graph_destroy(graph);
    return good;
}

static bool give(const Request *r, const AmvaResult *result, JmError *error) {
    if (!is_standard(r->json) && !is_standard(r->map))
        print(r, result);
    JmOutFile map, json;
    if (!outputs_open((Output[]){{&map, r->map}, {&json, r->json}}, 2, NULL, error))
        return false;
    const bool good = (!r->map || write_map(r, result, &map, error)) &&
                      (!r->json || model_commit_json(&json, to_json(r, result), error));
    jm_outfile_drop(&json);
    return good;
}

static void help(const Argument *options) {
    printf("Usage: %s [OPTION]...\n"
           "Solves a machine by mean value analysis: waits for channels, wires, the\n"
           "network and processors (Lethin 1997, chapter 5 and appendix A).\n\n",
           command);
    arguments_help(options, stdout);
    puts("\nA point that has no solution ends with status 3 and gives no numbers.");
}

int model_amva(int argc, char **argv) {
    Request request = {.problem = net_amva_problem_default(), .length = 8};
    request.mesh[0] = request.mesh[1] = request.mesh[2] = 8;
    Argument options[OPTIONS];
    JmError error;
    make_options(&request, options);
    if (!arguments_parse(command, options, argc, argv, &error))
        return host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
    if (request.help) {
        help(options);
        return EXIT_SUCCESS;
    }
    AmvaResult result = {0};
    const bool good = settle(&request, options, &error) &&
                      solve(&request, &result, &error) &&
                      give(&request, &result, &error);
    const AmvaState state = result.state;
    net_amva_result_free(&result);
    if (!good)
        return host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
    if (state != AMVA_SOLVED)
        fprintf(stderr, "%s: no solution: %s\n", command, net_amva_state_name(state));
    return state == AMVA_SOLVED ? EXIT_SUCCESS : EXIT_UNSOLVED;
}
