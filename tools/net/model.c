/* The command `jm net model`: a model's predictions for a network and its traffic, to
 * compare with `jm net run`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "net/topology/topology.h"
#include "net/traffic/traffic.h"
#include "tools/exp/models/solve.h"
#include "tools/host/outputs.h"
#include "tools/host/values.h"
#include "tools/model/model.h"
#include "tools/net/net.h"

static const char command[] = "jm net model";

/* The request. */
typedef struct {
    ModelRequest line;
    const char *topology, *workload;
    const NetWorkload *rows; /* of the workload */
    NetOptionValues values;
} Request;

/* ---- solving --------------------------------------------------------------------- */

static bool solve_shared(const Request *r, ModelPoint *point, Result *result,
                         JmError *error) {
    return model_solve_shared(point, command, r->topology, r->workload, result, error);
}

static unsigned option_of(const NetTopology *topology, const NetShape *shape,
                          const char *name) {
    for (unsigned i = 0; topology->options && topology->options[i].name; i++)
        if (strcmp(topology->options[i].name, name) == 0)
            return shape->option[i];
    return 0;
}

/* The side of the torus; 0 and `error` if the model does not cover the network. */
static unsigned adaptive_side(const char *text, JmError *error) {
    NetShape shape;
    const NetTopology *topology = net_specification_read(text, &shape, error);
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

static bool solve_adaptive(const Request *r, ModelPoint *point, Result *result,
                           JmError *error) {
    const unsigned side = adaptive_side(r->topology, error);
    return side &&
           model_solve_adaptive(
               point, side, net_workload_value(r->rows, &r->values, "rate"),
               net_workload_value(r->rows, &r->values, "length"), result, error);
}

/* ---- output ---------------------------------------------------------------------- */

static void print(const Request *r, ModelPart part) {
    const Result *result = r->line.part[part];
    printf("%s, %s: model %s, %s after %.0f sweeps\n", JM_SHOWN(r->topology),
           JM_SHOWN(r->workload), settings_text(&r->line.settings, "model"),
           result->stop, result->sweeps);
    model_print_measures(result, part);
}

/* ---- the command ----------------------------------------------------------------- */

/* A NET_MODEL of models.def. */
typedef struct {
    const char *name, *model;
    ModelPart part;
    const NetWorkload *rows;
    bool (*solve)(const Request *request, ModelPoint *point, Result *result,
                  JmError *error);
} Named;

static const Named named[] = {
#define NET_MODEL(name, model, workload)                                               \
    {#name, #model, PART_##model##_ALL, &net_workload_##workload, solve_##model},
#include "tools/model/models.def"
};
enum { NAMED = sizeof named / sizeof named[0] };

/* The row of the request's workload, which must be `chosen` if that is not NULL; NULL
 * and `error`. */
static const Named *find(Request *r, const Named *chosen, JmError *error) {
    if (!option_need(r->line.options, r->line.asked.given,
                     chosen ? "topology" : "topology|workload", error))
        return NULL;
    if (!r->workload)
        r->workload = chosen->rows->name;
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

/* Refuses settings of another model than that of the row. */
static bool refuse_others(const Request *r, const Named *row, JmError *error) {
    char needed[64];
    for (int i = 0; i < r->line.options->count; i++) {
        const OptionRow *option = &r->line.options->rows[i];
        for (unsigned k = 0; option->kind == OPTION_SETTING && k < NAMED; k++) {
            snprintf(needed, sizeof needed, "--workload %s", named[k].rows->name);
            if (&named[k] != row && strcmp(option->model, named[k].model) == 0 &&
                !model_refuse(&r->line, option->name, needed, error))
                return false;
        }
    }
    return true;
}

static bool solve(Request *r, const Named *chosen, JmError *error) {
    const Named *row = find(r, chosen, error);
    if (!row || !refuse_others(r, row, error) ||
        !model_settle(&r->line, row->model, error) ||
        !outputs_check(r->line.options, r, NULL, error))
        return false;
    ModelPoint point = {.settings = &r->line.settings};
    Result *result = r->line.part[row->part] = model_record(point.settings, 0);
    if (!row->solve(r, &point, result, error))
        return false;
    if (strcmp(result->stop, "solved") == 0 && outputs_leave_text(r->line.options, r))
        print(r, row->part);
    json_t *root = json_pack("{s:o,s:o}", "topology", jvalue_text(r->topology),
                             "workload_text", jvalue_text(r->workload));
    return model_put_json(&r->line, model_json(&r->line, root), error);
}

#define OPTIONS "tools/net/model.def"
#define OPTION_FIELDS Request
#include "tools/host/option_table.def"

static const Frame frame = {
    .options = {.command = command,
                OPTION_TABLE,
                .alone = true,
                .settings = &model_option_settings},
    .column = MODEL_COLUMN,
    .head =
        "Usage: jm net model [av|quaglia] --topology SPEC --workload SPEC [OPTION]...\n"
        "       jm net model scott [OPTION of jm model pipelined]...\n"
        "Solves a model of a network under traffic: av, shared memory (Adve and "
        "Vernon\n"
        "1994), or quaglia, adaptive routing (Quaglia, Ciciani and Colajanni 2002).\n"
        "Without a name the workload says which. scott, cubes with pipelined wires\n"
        "(Scott and Goodman 1991), has options of its own.\n",
    .foot = "\nA point that has no solution ends with status 3 and gives no numbers.",
};

int net_command_model(int argc, char **argv) {
#define MODEL(name, in_net, ...)                                                       \
    if (argc > 1 && *in_net && strcmp(argv[1], in_net) == 0)                           \
        return model_run(#name, argc - 1, argv + 1);
#include "tools/model/models.def"
    const Named *chosen = NULL;
    for (unsigned i = 0; argc > 1 && i < NAMED; i++)
        if (strcmp(argv[1], named[i].name) == 0)
            chosen = &named[i];
    Request request = {.line.options = &frame.options};
    JmError error;
    const int status = frame_options(&frame, argc - (chosen != NULL),
                                     argv + (chosen != NULL), &request);
    if (status != FRAME_GO_ON)
        return status;
    const bool good = solve(&request, chosen, &error);
    return model_end(&request.line, good, &error);
}
