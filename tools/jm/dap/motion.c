/* Moving the machine, forward and back, and telling the editor where it has stopped. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/jm/commands.h"
#include "tools/jm/dap/dap.h"
#include "tools/jm/stats/stats.h"

/* ---- telling --------------------------------------------------------------------- */

static void know_state(Dap *dap, const JmDebugState *state) {
    dap->arrivals = state->arrivals;
    dap->changes = state->changes;
}

/* Explains in the console why the machine has ended. */
static void explain_end(Dap *dap) {
    const char *reason = jm_debug_reason(dap->debug);
    dap_output(dap, "console", reason, strlen(reason));
}

/* Reports that the machine has stopped. What the last command found counts if it has
 * moved the machine; else, as after a jump or a journey that was cancelled, `reason`
 * does. */
static void run_stopped(Dap *dap, const char *reason) {
    const JmDebugState state = jm_debug_state(dap->debug);
    const bool arrived = state.arrivals != dap->arrivals;
    const bool ended = arrived && state.end == JM_DEBUG_ENDED;
    json_t *body = json_object();
    const char *hit =
        arrived && state.end == JM_DEBUG_HIT ? breakpoints_hit(dap, body) : NULL;
    if (ended) {
        explain_end(dap);
        json_object_set_new(
            body, "description",
            jvalue_textf("the machine has ended: %s", jm_stop_name(state.stop)));
    }
    if (arrived)
        dap->ended = ended;
    stack_forget(dap);
    know_state(dap, &state);
    json_object_set_new(body, "reason",
                        jvalue_text(hit     ? hit
                                    : ended ? "exception"
                                    : arrived && state.end == JM_DEBUG_INTERRUPTED
                                        ? "pause"
                                        : reason));
    json_object_set_new(body, "threadId", json_integer(state.node + 1));
    json_object_set_new(body, "allThreadsStopped", json_true());
    dap_event(dap, "stopped", body);
}

/* The exit status that `jm run` would have; 0 of a machine that has not ended. */
static int exit_status(const Dap *dap) {
    const JmStop stop = jm_debug_state(dap->debug).stop;
    return stop == JM_STOP_NONE ? 0 : stats_exit_status(dap->machine, stop, false);
}

void run_terminate(Dap *dap) {
    if (dap->terminated)
        return;
    dap->terminated = true;
    if (dap->machine)
        dap_event(dap, "exited", json_pack("{s:i}", "exitCode", exit_status(dap)));
    dap_event(dap, "terminated", NULL);
}

/* Reports that the machine has ended: as a stop or, if that was reported before, as the
 * end of the session. */
static void report_end(Dap *dap, const JmDebugState *state) {
    const bool stops = dap->stops_at_ends >> state->stop & 1 && dap->debugs;
    if (stops && !dap->ended) {
        run_stopped(dap, "exception");
        return;
    }
    if (!dap->ended)
        explain_end(dap);
    run_terminate(dap);
}

/* ---- moving ---------------------------------------------------------------------- */

static void motion_end(Dap *dap) {
    free(dap->motion.line);
    dap->motion = (Motion){.line = NULL};
    dap_wait(dap, NULL, 0);
}

/* Executes the motion's command, again while its stops let the machine continue. */
static bool move(Dap *dap) {
    const bool back = dap->motion.journey;
    bool good;
    dap->interrupts_all = dap->motion.repeats;
    do
        good = dap_do(dap, "%s", dap->motion.line);
    while (good && jm_debug_state(dap->debug).end == JM_DEBUG_HIT &&
           breakpoints_pass(dap, back));
    dap->interrupts_all = false;
    return good;
}

/* Whether the machine was interrupted only for a request that can be answered while it
 * runs. */
static bool goes_on(const Dap *dap, const JmDebugState *state) {
    return dap->motion.repeats && state->arrivals != dap->arrivals &&
           state->end == JM_DEBUG_INTERRUPTED;
}

void run_on(Dap *dap) {
    const bool good = move(dap);
    const JmDebugState state = jm_debug_state(dap->debug);
    if (dap->ends || (good && goes_on(dap, &state))) {
        know_state(dap, &state);
        return;
    }
    const char *reason = dap->interrupted ? "pause" : dap->motion.reason;
    motion_end(dap);
    if (!good)
        dap_output(dap, "console", dap->said.bytes, dap->said.length);
    if (good && state.end == JM_DEBUG_ENDED)
        report_end(dap, &state);
    else
        run_stopped(dap, reason);
}

void run_moved(Dap *dap, const char *reason) {
    const JmDebugState state = jm_debug_state(dap->debug);
    motion_end(dap);
    if (state.arrivals != dap->arrivals && state.end == JM_DEBUG_ENDED)
        report_end(dap, &state);
    else
        run_stopped(dap, reason);
}

/* Starts a motion, which begins when the request in hand has been answered. */
static bool begin(Dap *dap, Motion motion, const char *line, const char *title) {
    motion.line = memory_text("%s", line);
    dap->motion = motion;
    dap_wait(dap, title, dap->request);
    return true;
}

static bool begin_running(Dap *dap) {
    return begin(dap, (Motion){.reason = "pause", .repeats = true}, "continue", NULL);
}

void run_begin(Dap *dap) {
    if (dap->stop_on_entry && dap->debugs)
        run_stopped(dap, "entry");
    else
        begin_running(dap);
}

/* ---- requests -------------------------------------------------------------------- */

bool request_configurationDone(Dap *dap, const json_t *arguments) {
    (void)arguments;
    if (dap->configured)
        return dap_fail(dap, "the configuration was done before");
    dap->configured = dap->starts = true;
    return true;
}

bool request_restart(Dap *dap, const json_t *arguments) {
    const json_t *attributes = json_object_get(arguments, "arguments");
    motion_end(dap);
    stack_forget(dap);
    launch_end(dap);
    if (json_is_object(attributes)) {
        json_decref(dap->launch);
        dap->launch = json_deep_copy(attributes);
    }
    if (!launch_machine(dap)) {
        launch_end(dap);
        dap->finishes = true;
        return false;
    }
    breakpoints_again(dap);
    dap->starts = true;
    return true;
}

bool request_terminate(Dap *dap, const json_t *arguments) {
    (void)arguments;
    motion_end(dap);
    dap->finishes = true;
    return true;
}

bool request_continue(Dap *dap, const json_t *arguments) {
    (void)arguments;
    dap_give(dap, json_pack("{s:b}", "allThreadsContinued", 1));
    return begin_running(dap);
}

/* The machine was stopped before this request was read. */
bool request_pause(Dap *dap, const json_t *arguments) {
    (void)arguments;
    dap->pauses = dap->motion.line != NULL;
    motion_end(dap);
    return true;
}

/* Selects the node of a thread. */
static bool select_thread(Dap *dap, const json_t *arguments, unsigned *node) {
    if (!want_thread(dap, arguments, node))
        return false;
    jm_debug_look(dap->debug, *node, -1);
    return true;
}

/* The same for a node that is to go forward. */
static bool select_running(Dap *dap, const json_t *arguments, unsigned *node) {
    if (!want_thread(dap, arguments, node))
        return false;
    const JmDebugNode state = jm_debug_node(dap->debug, *node);
    return state.runs ? select_thread(dap, arguments, node)
                      : dap_fail(dap, "node %u is %s", *node, state.activity);
}

/* Begins a step of the selected node by an instruction or, at other granularities, by a
 * line. */
static bool step(Dap *dap, const json_t *arguments, const char *instruction,
                 const char *line, const char *title) {
    const char *granularity = "statement";
    if (!may_text(dap, arguments, "granularity", &granularity))
        return false;
    const bool by_instruction = strcmp(granularity, "instruction") == 0;
    if (!by_instruction && strcmp(granularity, "line") != 0 &&
        strcmp(granularity, "statement") != 0)
        return dap_fail(dap,
                        "granularity '%s': statement, line or instruction expected",
                        granularity);
    return begin(dap, (Motion){.reason = "step"}, by_instruction ? instruction : line,
                 title);
}

/* Steps the running node of a thread. */
static bool step_forward(Dap *dap, const json_t *arguments, const char *instruction,
                         const char *line) {
    unsigned node;
    return select_running(dap, arguments, &node) &&
           step(dap, arguments, instruction, line, "Stepping");
}

bool request_next(Dap *dap, const json_t *arguments) {
    return step_forward(dap, arguments, "nexti", "next");
}

bool request_stepIn(Dap *dap, const json_t *arguments) {
    return step_forward(dap, arguments, "step", "line");
}

bool request_stepBack(Dap *dap, const json_t *arguments) {
    unsigned node;
    return select_thread(dap, arguments, &node) &&
           step(dap, arguments, "reverse-step", "reverse-line", "Stepping back");
}

bool request_stepOut(Dap *dap, const json_t *arguments) {
    unsigned node;
    return select_running(dap, arguments, &node) &&
           begin(dap, (Motion){.reason = "step"}, "task", "To the end of the task");
}

bool request_reverseContinue(Dap *dap, const json_t *arguments) {
    (void)arguments;
    return begin(dap, (Motion){.reason = "entry", .journey = true}, "reverse-continue",
                 "Going back");
}

/* ---- goto ------------------------------------------------------------------------ */

/* Keeps a place; returns its id as a target. */
static int64_t keep_target(Dap *dap, const JmDebugPlace *place) {
    dap->targets = memory_more(dap->targets, dap->target_count, sizeof *dap->targets);
    dap->targets[dap->target_count++] = *place;
    return (int64_t)dap->target_count;
}

bool request_gotoTargets(Dap *dap, const json_t *arguments) {
    enum { TARGETS_MOST = 64 };
    JmDebugPlace places[TARGETS_MOST];
    const char *path;
    int line;
    if (!want_text(dap, json_object_get(arguments, "source"), "path", &path) ||
        !want_line(dap, arguments, "line", &line))
        return false;
    const char *file = place_file(dap, path);
    unsigned count =
        file ? jm_debug_line_places(dap->debug, file, line, places, TARGETS_MOST) : 0;
    json_t *targets = json_array();
    for (unsigned i = 0; i < count && i < TARGETS_MOST; i++)
        json_array_append_new(
            targets, json_pack("{s:I,s:o,s:i,s:o}", "id",
                               (json_int_t)keep_target(dap, &places[i]), "label",
                               place_name(dap, &places[i]), "line",
                               line - dap->lines_from_0, "instructionPointerReference",
                               place_reference(0, places[i].address, places[i].low)));
    return dap_give(dap, json_pack("{s:o}", "targets", targets));
}

/* Sets the IP of the running context; its flags stay. */
bool request_goto(Dap *dap, const json_t *arguments) {
    unsigned node;
    int64_t id;
    if (!select_running(dap, arguments, &node) ||
        !want_number(dap, arguments, "targetId", &id))
        return false;
    if (id < 1 || id > (int64_t)dap->target_count)
        return dap_fail(dap, "there is no target %" PRId64 " now", id);
    const JmDebugPlace *place = &dap->targets[id - 1];
    const JmWord now =
        jm_register(dap->machine, node, jm_running(dap->machine, node), JM_REG_IP);
    const uint32_t kept = jm_data(now) & (JM_IP_UNCHECKED | JM_IP_FAULT);
    const JmWord word =
        jm_ip(place->address, kept | JM_IP_ABSOLUTE | (place->low ? JM_IP_PHASE : 0));
    if (!dap_do(dap, "set $ip@%u = IP:%08" PRIX32, node, jm_data(word)))
        return dap_fail(dap, "%s", jm_debug_error(dap->debug));
    dap->jumps = true;
    return true;
}

/* ---- exceptions ------------------------------------------------------------------ */

static bool give_exception(Dap *dap, const char *name, const char *text) {
    return dap_give(dap, json_pack("{s:o,s:o,s:o}", "exceptionId", jvalue_text(name),
                                   "description", jvalue_text(text), "breakMode",
                                   jvalue_text("always")));
}

bool request_exceptionInfo(Dap *dap, const json_t *arguments) {
    const JmDebugState state = jm_debug_state(dap->debug);
    JmDebugHit hit;
    unsigned node;
    if (!want_thread(dap, arguments, &node))
        return false;
    for (unsigned i = 0; jm_debug_hit(dap->debug, i, &hit); i++)
        if (hit.event == JM_EVENT_FAULT && hit.node == node)
            return give_exception(dap, jm_fault_name(hit.fault), hit.text);
    if (state.end != JM_DEBUG_ENDED)
        return dap_fail(dap, "node %u has not stopped by a fault", node);
    return give_exception(dap, jm_stop_name(state.stop), jm_debug_reason(dap->debug));
}
