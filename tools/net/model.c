/* The command `jm net model`: a model's predictions for a network and its traffic, to
 * compare with `jm net run`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "net/topology/topology.h"
#include "net/traffic/traffic.h"
#include "tools/exp/models/problems.h"
#include "tools/host/values.h"
#include "tools/model/model.h"
#include "tools/net/net.h"

static const char command[] = "jm net model";
enum { MEASURES = 8 };

/* The request. */
typedef struct {
    ModelRequest line;
    const char *topology, *workload;
    const NetWorkload *rows; /* of the workload */
    NetOptionValues values;
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

static void add(Answer *answer, const char *name, const char *unit, double value) {
    answer->measure[answer->measures++] = (Measure){name, unit, value};
}

/* ---- shared memory --------------------------------------------------------------- */

static void add_shared(Answer *answer) {
    const SharedResult *s = &answer->shared;
    answer->model = "shared";
    answer->state = net_model_state_name(s->state);
    answer->is_solved = s->state == MODEL_SOLVED;
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

static bool solve_shared(const Request *r, Answer *answer, JmError *error) {
    if (!model_solve_shared(command, r->topology, r->workload, &r->line.settings, NULL,
                            NULL, &answer->shared, error))
        return false;
    add_shared(answer);
    return true;
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
static unsigned adaptive_side(const char *text, JmError *error) {
    const NetTopology *rows[16] = {NULL};
    unsigned count = 0;
    NetShape shape;
    while (count < sizeof rows / sizeof rows[0] && net_topology_row(count)) {
        rows[count] = net_topology_row(count);
        count++;
    }
    const NetTopology *topology =
        net_specification_read(text, rows, count, &shape, error);
    if (!topology)
        return 0;
    if (topology == &net_topology_torus && shape.sizes == 2 &&
        shape.size[0] == shape.size[1] && shape.size[0] > 0 &&
        option_of(topology, &shape, "escape") && option_of(topology, &shape, "ends"))
        return shape.size[0];
    jm_fail(error, command,
            "'%s': messages at random times are solved on a square torus with escape "
            "lanes",
            text);
    return 0;
}

static void add_adaptive(const AdaptiveResult *result, Answer *answer) {
    static const char *const waits[] = {"wait_we", "wait_ne", "wait_ns", "wait_ws"};
    answer->model = "adaptive";
    answer->state = net_model_state_name(result->state);
    answer->is_solved = result->state == MODEL_SOLVED;
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
    AdaptiveResult result;
    const AdaptiveProblem problem =
        model_adaptive(&r->line.settings, adaptive_side(r->topology, error),
                       net_workload_value(r->rows, &r->values, "rate"),
                       net_workload_value(r->rows, &r->values, "length"));
    if (!problem.side || !net_adaptive_solve(&problem, &result, error))
        return false;
    add_adaptive(&result, answer);
    return true;
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

/* ---- the command ----------------------------------------------------------------- */

/* A model, the workload that it solves, the model of jm exp that has its settings, and
 * those options that need the other workload. */
typedef struct {
    const char *name;
    const NetWorkload *rows;
    const char *settings, *others, *needed;
    bool (*solve)(const Request *request, Answer *answer, JmError *error);
} Named;

static const Named named[] = {{"av", &net_workload_memory, "shared", "reading",
                               "--workload poisson", solve_shared},
                              {"quaglia", &net_workload_poisson, "adaptive",
                               "buffers|terms|weight|tolerance|sweeps|no_symmetry",
                               "--workload memory", solve_adaptive}};
enum { NAMED = sizeof named / sizeof named[0] };

/* The row of the request's workload, which must be `chosen` if that is not NULL; NULL
 * and `error`. */
static const Named *find(Request *r, const Named *chosen, JmError *error) {
    r->topology = model_given(&r->line, "topology");
    r->workload = model_given(&r->line, "workload");
    if (chosen && !r->workload)
        r->workload = chosen->rows->name;
    if (!model_need(&r->line, r->workload ? "topology" : "topology|workload", error))
        return NULL;
    r->rows = net_workload_read(r->workload, &r->values, error);
    if (!r->rows)
        return NULL;
    const Named *row = chosen ? chosen : named;
    while (!chosen && row < named + NAMED && row->rows != r->rows)
        row++;
    if (row == named + NAMED)
        jm_fail(error, command, "there is no model of the workload %s", r->rows->name);
    else if (row->rows != r->rows)
        jm_fail(error, command, "%s solves --workload %s, not %s", row->name,
                row->rows->name, r->rows->name);
    else
        return row;
    return NULL;
}

static bool solve(Request *r, const Named *chosen, Answer *answer, JmError *error) {
    const Named *row = find(r, chosen, error);
    if (!row || !model_refuse(&r->line, row->others, row->needed, error) ||
        !model_settle(&r->line, row->settings, error) ||
        !model_check_json(&r->line, error) || !row->solve(r, answer, error))
        return false;
    if (!answer->is_solved)
        r->line.unsolved = answer->state;
    else if (model_has_text(&r->line, "json"))
        print(r, answer);
    return model_put_json(&r->line, to_json(r, answer), error);
}

static const char usage[] =
    "Usage: jm net model [av|quaglia] --topology SPEC --workload SPEC [OPTION]...\n"
    "       jm net model scott [OPTION of jm model pipelined]...\n"
    "Solves a model of a network under traffic: av, shared memory (Adve and Vernon\n"
    "1994), or quaglia, adaptive routing (Quaglia, Ciciani and Colajanni 2002).\n"
    "Without a name the workload says which. scott, cubes with pipelined wires\n"
    "(Scott and Goodman 1991), has options of its own.\n";

int net_command_model(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "scott") == 0)
        return model_run("pipelined", argc - 1, argv + 1);
    const Named *chosen = NULL;
    for (unsigned i = 0; argc > 1 && i < NAMED; i++)
        if (strcmp(argv[1], named[i].name) == 0)
            chosen = &named[i];
    Request request = {.topology = NULL};
    Answer answer = {.model = NULL};
    JmError error;
    int status;
    if (!model_begin(
            &request.line, "net", command, usage,
            "\nA point that has no solution ends with status 3 and gives no numbers.\n",
            argc - (chosen != NULL), argv + (chosen != NULL), &status))
        return status;
    const bool good = solve(&request, chosen, &answer, &error);
    net_shared_result_free(&answer.shared);
    return model_end(&request.line, good, &error);
}
