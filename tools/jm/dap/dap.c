/* The command `jm dap`: the loop that answers an editor's requests. */
#include "tools/jm/dap/dap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/option_rows.h"
#include "tools/jm/commands.h"
#include "tools/jm/version.h"

/* ---- requests -------------------------------------------------------------------- */

/* The state that a request requires. */
typedef enum { NEEDS_NOTHING, NEEDS_MACHINE, NEEDS_STANDS } Needs;

static const struct {
    const char *name;
    Needs needs;
    Request *function;
} requests[] = {
#define REQUEST(name, needs, text) {#name, NEEDS_##needs, request_##name},
#include "tools/jm/dap/requests.def"
#undef REQUEST
};

enum { REQUESTS = sizeof requests / sizeof *requests, OPTION_COLUMN = 17 };

static bool unknown_request(Dap *dap, const char *name) {
    JmSuggestion suggestion = jm_suggest_start(name);
    for (size_t i = 0; i < REQUESTS; i++)
        jm_suggest_consider(&suggestion, requests[i].name);
    return dap_fail(dap, "there is no request '%s'%s", name,
                    jm_suggest_text(&suggestion, "", ""));
}

/* Does a request. False after a failure. */
static bool do_request(Dap *dap, const char *name, const json_t *arguments) {
    for (size_t i = 0; i < REQUESTS; i++) {
        if (strcmp(requests[i].name, name) != 0)
            continue;
        if (requests[i].needs != NEEDS_NOTHING && !dap->machine)
            return dap_fail(dap, "nothing has been launched");
        if (requests[i].needs == NEEDS_STANDS && dap->motion.line)
            return dap_fail(dap, "the machine runs");
        if (requests[i].needs == NEEDS_STANDS && !dap->configured)
            return dap_fail(dap, "configurationDone is to come first");
        return requests[i].function(dap, arguments);
    }
    return unknown_request(dap, name);
}

/* Takes a request that waits out of the list; false if it is not there. */
static bool drop_waiting(Dap *dap, int64_t number) {
    size_t i;
    json_t *request;
    json_array_foreach (dap->waiting, i, request) {
        if (json_integer_value(json_object_get(request, "seq")) != number)
            continue;
        dap->cancelled = true;
        dap_fail(dap, "cancelled");
        dap_answer(dap, request);
        json_array_remove(dap->waiting, i);
        return true;
    }
    return false;
}

/* A motion is stopped here only if it has not yet begun to run; otherwise this request
 * has interrupted what it cancels. */
bool request_cancel(Dap *dap, const json_t *arguments) {
    int64_t number = -1;
    if (!may_number(dap, arguments, "requestId", &number))
        return false;
    if (!drop_waiting(dap, number) && dap->wait.title && dap_cancels(dap, arguments))
        request_pause(dap, arguments);
    return true;
}

/* ---- after a request ------------------------------------------------------------- */

/* Reports that a user has changed the machine: any word or register may differ. */
static void report_change(Dap *dap) {
    if (dap->invalidates)
        dap_event(dap, "invalidated",
                  json_pack("{s:[o]}", "areas", jvalue_text("variables")));
    if (dap->follows_memory)
        dap_event(
            dap, "memory",
            json_pack("{s:o,s:i,s:I}", "memoryReference", place_reference(0, 0, false),
                      "offset", 0, "count",
                      (json_int_t)place_bytes(jm_node_count(dap->machine), 0, false)));
}

/* Reports effects of a request besides its answer: commands of the console may have
 * moved or changed the machine. */
static void report_effects(Dap *dap) {
    const JmDebugState state = jm_debug_state(dap->debug);
    int status;
    if (state.arrivals != dap->arrivals || dap->jumps || dap->pauses)
        run_moved(dap, dap->jumps ? "goto" : dap->pauses ? "pause" : "step");
    else if (state.changes != dap->changes)
        report_change(dap);
    dap->changes = state.changes;
    dap->finishes |=
        jm_debug_has_quit(dap->debug, &status) || jm_debug_starved(dap->debug);
}

/* The editor sets its stops when the machine is there. */
static void begin(Dap *dap, const char *name) {
    if (strcmp(name, "launch") == 0)
        dap_event(dap, "initialized", NULL);
    if (dap->starts)
        run_begin(dap);
    dap->starts = false;
}

/* A member of a request: how often it has waited for others. An editor that always asks
 * for something must get its answer, too. */
#define YIELDED "jm-yielded"
enum { YIELDS_MOST = 8 };

/* Puts a request behind those that have come while it was done. */
static void yield(Dap *dap, json_t *request, int64_t times) {
    json_object_set_new(request, YIELDED, json_integer(times + 1));
    json_array_append(dap->waiting, request);
    json_decref(dap->body);
    dap->body = NULL;
    dap->yields = false;
}

static void answer(Dap *dap, json_t *request) {
    const char *name = json_string_value(json_object_get(request, "command"));
    const int64_t yielded = json_integer_value(json_object_get(request, YIELDED));
    dap->cancelled = false;
    dap->request = json_integer_value(json_object_get(request, "seq"));
    dap->may_yield = yielded < YIELDS_MOST;
    const bool good = do_request(dap, name, json_object_get(request, "arguments"));
    if (dap->yields) {
        yield(dap, request, yielded);
        return;
    }
    dap_answer(dap, request);
    if (good)
        begin(dap, name);
    if (dap->machine && !dap->terminated)
        report_effects(dap);
    if (dap->finishes)
        run_terminate(dap);
    dap->jumps = dap->pauses = dap->finishes = false;
}

/* ---- the command ----------------------------------------------------------------- */

typedef struct {
    FrameAsked asked;
    const char *log;
} CommandLine;

#define OPTIONS "tools/jm/options/dap.def"
#define OPTION_FIELDS CommandLine
#include "tools/host/option_table.def"

static const char command[] = "jm dap";

static const Frame frame = {
    .options = {.command = command, OPTION_TABLE, .alone = true},
    .column = OPTION_COLUMN,
    .head =
        "Usage: jm dap [OPTION]...\n"
        "Lets an editor debug programs: speaks the Debug Adapter Protocol on standard\n"
        "input and output. Attributes of `launch` are program, cwd, stopOnEntry and\n"
        "the options of `jm debug`: mesh, seed, set, param, keepGoing, ...\n",
    .foot = "\nExit status: 0; 1 after input that is not the protocol's; 2 bad usage.",
    .version = version_lines,
};

/* Answers requests, and moves the machine on while none waits. */
static void converse(Dap *dap) {
    while (!dap->ends) {
        json_t *request = dap_next(dap);
        if (request)
            answer(dap, request);
        else if (dap->motion.line)
            run_on(dap);
        else
            dap_read(dap, true);
        json_decref(request);
    }
}

static void close_all(Dap *dap) {
    breakpoints_free(dap);
    launch_end(dap);
    json_decref(dap->waiting);
    json_decref(dap->launch);
    free(dap->folder);
    free(dap->motion.line);
    free(dap->failure);
    free(dap->said.bytes);
    free(dap->frames);
    free(dap->scopes);
    free(dap->targets);
    rpc_close(&dap->rpc);
}

int command_dap(int argc, char **argv) {
    Dap dap = {.waiting = json_array(), .folder = memory_checked(realpath(".", NULL))};
    CommandLine line = {.log = NULL};
    JmError error = {.text = ""};
    int status = frame_options(&frame, argc, argv, &line);
    if (status == FRAME_GO_ON && !rpc_open(&dap.rpc, command, line.log, &error)) {
        host_report(&error);
        status = EXIT_USAGE;
    }
    if (status == FRAME_GO_ON) {
        converse(&dap);
        status = dap.status;
    }
    close_all(&dap);
    return status;
}
