/* The command `jm net model`: a model's predictions for a network and its traffic, to
 * compare with `jm net run`. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "net/model/adaptive/adaptive.h"
#include "net/model/shared/shared.h"
#include "net/topology/topology.h"
#include "tools/host/host.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/model/arguments.h"
#include "tools/model/model.h"
#include "tools/net/net.h"

static const char command[] = "jm net model";
enum { OPTIONS = 13, MEASURES = 8 };

/* A model selected by name: the workload that it solves. */
typedef struct {
    const char *name, *workload;
} Named;

static const Named named[] = {{"av", "memory"}, {"quaglia", "poisson"}};

typedef struct {
    const char *topology, *workload, *json;
    const Named *named; /* NULL: the workload selects the model */
    unsigned buffers, reading, terms;
    bool help;
    SharedProblem shared; /* as far as given by options */
    const NetWorkload *rows;
    double values[NET_WORKLOAD_OPTIONS];
} Request;

/* A figure of the result; NaN without a solution. */
typedef struct {
    const char *name, *unit;
    double value;
} Measure;

typedef struct {
    const char *model, *state;
    bool is_solved;
    unsigned sweeps, measures;
    Measure measure[MEASURES];
    SharedResult shared; /* of shared memory */
} Answer;

static void make_options(Request *r, Argument options[OPTIONS]) {
    SharedProblem *const s = &r->shared;
    const Argument table[OPTIONS] = {
#define ARGUMENT ARGUMENT_ROW
#include "tools/net/model.def"
#undef ARGUMENT
    };
    memcpy(options, table, sizeof table);
}

static void add(Answer *answer, const char *name, const char *unit, double value) {
    answer->measure[answer->measures++] = (Measure){name, unit, value};
}

/* The value of an option of the workload. */
static double value_of(const Request *r, const char *name) {
    for (unsigned i = 0; r->rows->options[i].name; i++)
        if (strcmp(r->rows->options[i].name, name) == 0)
            return r->values[i];
    return NAN;
}

static unsigned whole(const Request *r, const char *name) {
    return (unsigned)value_of(r, name);
}

/* ---- shared memory --------------------------------------------------------------- */

static SharedProblem shared_problem(const Request *r) {
    SharedProblem problem = r->shared;
    const double reads = value_of(r, "p_1"), busy = value_of(r, "d_mem");
    problem.buffers = (SharedBuffers)r->buffers;
    net_shared_terms(net_shared_terms_name(r->terms), &problem.terms);
    problem.customers = whole(r, "n_out");
    problem.service = value_of(r, "tau");
    problem.pair[0] = (SharedPair){whole(r, "l_msg1"), whole(r, "l_resp1"), reads, busy,
                                   value_of(r, "read")};
    problem.pair[1] = (SharedPair){whole(r, "l_msg2"), whole(r, "l_resp2"), 1 - reads,
                                   busy, value_of(r, "write")};
    return problem;
}

/* Node 2,2, in a mesh of three dimensions 2,2,0, as the workload has it; else the
 * first. */
static uint32_t hot_place(const NetGraph *graph, uint32_t processors) {
    const uint32_t terminals = graph->nodes / processors;
    char name[32];
    for (uint32_t i = 0; i < processors; i++) {
        graph->node_name(graph, i * terminals, name, sizeof name);
        if (strcmp(name, "2,2") == 0 || strcmp(name, "2,2,0") == 0)
            return i;
    }
    return 0;
}

/* Where requests go, to be freed; NULL and `error`. */
static double *shared_routing(const Request *r, const NetGraph *graph, JmError *error) {
    const uint32_t processors = graph->processor ? graph->processors : graph->nodes;
    if (processors > SHARED_MAX_PROCESSORS) {
        jm_fail(error, command, "%u processors are more than %d", processors,
                SHARED_MAX_PROCESSORS);
        return NULL;
    }
    double *routing = malloc((size_t)processors * processors * sizeof *routing);
    if (routing && net_shared_routing(graph, value_of(r, "f_nn"), value_of(r, "f_hot"),
                                      hot_place(graph, processors), routing, error))
        return routing;
    if (!routing)
        jm_fail(error, command, "no memory for %u processors", processors);
    free(routing);
    return NULL;
}

static void add_shared(Answer *answer) {
    const SharedResult *s = &answer->shared;
    answer->model = "shared";
    answer->state = net_shared_state_name(s->state);
    answer->is_solved = s->state == SHARED_SOLVED;
    answer->sweeps = s->sweeps;
    add(answer, "throughput", "messages/cycle/processor", s->throughput);
    add(answer, "processor_efficiency", "percent", 100 * s->efficiency);
    add(answer, "max_efficiency", "percent", 100 * s->highest);
    add(answer, "min_efficiency", "percent", 100 * s->lowest);
    add(answer, "max_min_ratio", "1", s->highest / s->lowest);
    add(answer, "network_residence_time", "cycles", s->network);
    add(answer, "memory_time", "cycles", s->memory);
    add(answer, "response_time", "cycles", s->network + s->memory);
}

/* If a network does not give its channel capacity, the parameter does. */
static bool check_capacity(const Request *r, const NetGraph *graph,
                           const NetParams *params, JmError *error) {
    return graph->places || r->buffers == SHARED_UNLIMITED ||
           params->channel_capacity == 1 ||
           jm_fail(error, command,
                   "'%s': a channel holds %u flits: the model is of channels that hold "
                   "one, or, with --buffers unlimited, any number",
                   r->topology, params->channel_capacity);
}

static bool solve_shared(const Request *r, Answer *answer, JmError *error) {
    NetParams params = net_params_default();
    if (!net_specification_params(r->topology, &params, error))
        return false;
    NetGraph *graph = net_topology_build(r->topology, &params, error);
    SharedProblem problem = shared_problem(r);
    double *routing = graph && check_capacity(r, graph, &params, error)
                          ? shared_routing(r, graph, error)
                          : NULL;
    problem.routing = routing;
    const bool good =
        routing && net_shared_solve(graph, &problem, &answer->shared, error);
    if (good)
        add_shared(answer);
    free(routing);
    net_graph_destroy(graph);
    return good;
}

/* ---- messages at random times ---------------------------------------------------- */

static unsigned option_of(const NetTopology *topology, const NetShape *shape,
                          const char *name) {
    for (unsigned i = 0; topology->options && topology->options[i].name; i++)
        if (strcmp(topology->options[i].name, name) == 0)
            return shape->option[i];
    return 0;
}

/* The side of the torus; 0 and `error` if the model does not cover the network. */
static unsigned adaptive_side(const Request *r, JmError *error) {
    const NetTopology *rows[16] = {NULL};
    unsigned count = 0;
    NetShape shape;
    while (count < sizeof rows / sizeof rows[0] && net_topology_row(count)) {
        rows[count] = net_topology_row(count);
        count++;
    }
    const NetTopology *topology =
        net_specification_read(r->topology, rows, count, &shape, error);
    if (!topology)
        return 0;
    if (topology == &net_topology_torus && shape.sizes == 2 &&
        shape.size[0] == shape.size[1] && shape.size[0] > 0 &&
        option_of(topology, &shape, "escape") && option_of(topology, &shape, "ends"))
        return shape.size[0];
    jm_fail(error, command,
            "'%s': messages at random times are solved on a square torus with escape "
            "lanes",
            r->topology);
    return 0;
}

static void add_adaptive(const AdaptiveResult *result, Answer *answer) {
    static const char *const waits[] = {"wait_we", "wait_ne", "wait_ns", "wait_ws"};
    answer->model = "adaptive";
    answer->state = net_adaptive_state_name(result->state);
    answer->is_solved = result->state == ADAPTIVE_SOLVED;
    answer->sweeps = result->iterations;
    add(answer, "mean_latency", "cycles", result->latency);
    add(answer, "zero_load_latency", "cycles",
        answer->is_solved ? result->zero_load : NAN);
    add(answer, "busy_x", "1", result->busy[0]);
    add(answer, "busy_y", "1", result->busy[1]);
    for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++)
        add(answer, waits[i], "cycles", result->wait[i]);
}

static bool solve_adaptive(const Request *r, Answer *answer, JmError *error) {
    enum { MENDED, PRODUCT, FLOW, HOLDING, PRINTED };
    const bool printed = r->reading == PRINTED;
    AdaptiveResult result;
    const AdaptiveProblem problem = {
        .side = adaptive_side(r, error),
        .rate = value_of(r, "rate"),
        .length = value_of(r, "length"),
        .product = printed || r->reading == PRODUCT,
        .printed_flow = printed || r->reading == FLOW,
        .printed_holding = printed || r->reading == HOLDING,
        .moment = printed ? ADAPTIVE_LENGTHS : ADAPTIVE_EXPONENTIAL};
    if (!problem.side || !net_adaptive_solve(&problem, &result, error))
        return false;
    add_adaptive(&result, answer);
    return true;
}

/* ---- bad input ------------------------------------------------------------------- */

/* Each option belongs to one of the two models. */
static bool check_options(bool is_memory, const Argument *options, JmError *error) {
    static const char *const of_memory[] = {"buffers",   "terms",  "weight",
                                            "tolerance", "sweeps", "no-symmetry"};
    for (unsigned i = 0; i < sizeof of_memory / sizeof of_memory[0]; i++)
        if (!is_memory && arguments_given(options, of_memory[i]))
            return jm_fail(error, command, "--%s needs --workload memory",
                           of_memory[i]);
    return !is_memory || !arguments_given(options, "reading") ||
           jm_fail(error, command, "--reading needs --workload poisson");
}

static bool solve(Request *r, const Argument *options, Answer *answer, JmError *error) {
    if (r->named && !r->workload)
        r->workload = r->named->workload;
    if (!r->topology || !r->workload)
        return jm_fail(error, command, "--%s is missing",
                       r->topology ? "workload" : "topology");
    r->rows = net_workload_read(r->workload, r->values, error);
    if (!r->rows)
        return false;
    if (r->named && strcmp(r->rows->name, r->named->workload) != 0)
        return jm_fail(error, command, "%s solves --workload %s, not %s",
                       r->named->name, r->named->workload, r->rows->name);
    const bool is_memory = r->rows == &net_workload_memory;
    if (!is_memory && r->rows != &net_workload_poisson)
        return jm_fail(error, command, "there is no model of the workload %s",
                       r->rows->name);
    return check_options(is_memory, options, error) &&
           (!r->json || jm_outfile_check(r->json, NULL, error)) &&
           (is_memory ? solve_shared(r, answer, error)
                      : solve_adaptive(r, answer, error));
}

/* ---- output ---------------------------------------------------------------------- */

/* Prints names, values and units of all measures. */
static void print(const Request *r, const Answer *answer) {
    printf("%s, %s: model %s, %s after %u sweeps\n", JM_SHOWN(r->topology),
           JM_SHOWN(r->workload), answer->model, answer->state, answer->sweeps);
    for (unsigned i = 0; i < answer->measures; i++)
        printf("  %-24s %12.6g %s\n", answer->measure[i].name, answer->measure[i].value,
               answer->measure[i].unit);
}

static json_t *to_json(const Request *r, const Answer *answer) {
    json_t *measures = json_object(), *processors = json_array();
    for (unsigned i = 0; i < answer->measures; i++)
        json_object_set_new(measures, answer->measure[i].name,
                            jvalue_number(answer->measure[i].value));
    for (uint32_t i = 0; answer->is_solved && i < answer->shared.processors; i++)
        json_array_append_new(
            processors, jvalue_number(100 * answer->shared.processor[i].efficiency));
    return json_pack("{s:o,s:o,s:o,s:o,s:i,s:o,s:o}", "topology",
                     jvalue_text(r->topology), "workload_text",
                     jvalue_text(r->workload), "model", jvalue_text(answer->model),
                     "state", jvalue_text(answer->state), "sweeps", (int)answer->sweeps,
                     "workload", measures, "processors", processors);
}

static void help(const Argument *options) {
    printf(
        "Usage: %s [av|quaglia] --topology SPEC --workload SPEC [OPTION]...\n"
        "       %s scott [OPTION of jm model pipelined]...\n"
        "Solves a model of a network under traffic: av, shared memory (Adve and "
        "Vernon\n"
        "1994), or quaglia, adaptive routing (Quaglia, Ciciani and Colajanni 2002).\n"
        "Without a name the workload says which. scott, cubes with pipelined wires\n"
        "(Scott and Goodman 1994), has options of its own.\n\n",
        command, command);
    arguments_help(options, stdout);
    puts("\nA point that has no solution ends with status 3 and gives no numbers.");
}

int net_command_model(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "scott") == 0)
        return model_pipelined(argc - 1, argv + 1);
    const Named *chosen = NULL;
    for (unsigned i = 0; argc > 1 && i < sizeof named / sizeof named[0]; i++)
        if (strcmp(argv[1], named[i].name) == 0)
            chosen = &named[i];
    if (chosen) {
        argc--;
        argv++;
    }
    Request request = {.named = chosen, .shared = net_shared_problem_default()};
    Answer answer = {.model = NULL};
    Argument options[OPTIONS];
    JmError error;
    make_options(&request, options);
    if (!arguments_parse(command, options, argc, argv, &error))
        return host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
    if (request.help) {
        help(options);
        return EXIT_SUCCESS;
    }
    const bool only_json = request.json && strcmp(request.json, "-") == 0;
    int status = EXIT_USAGE;
    if (solve(&request, options, &answer, &error)) {
        if (answer.is_solved && !only_json)
            print(&request, &answer);
        status = answer.is_solved ? EXIT_SUCCESS : EXIT_UNSOLVED;
        if (request.json &&
            !model_write_json(request.json, to_json(&request, &answer), &error))
            status = EXIT_USAGE;
    }
    net_shared_result_free(&answer.shared);
    if (status == EXIT_UNSOLVED)
        fprintf(stderr, "%s: no solution: %s\n", command, answer.state);
    else if (status != EXIT_SUCCESS)
        host_report(&error);
    return status;
}
