/* Writes the trace of a run as text, or hands events on to trace_json.c. */
#include "tools/jm/trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/core/sourcetext.h"
#include "tools/host/memory.h"
#include "tools/jm/trace/trace_json.h"

/* ---- text ------------------------------------------------------------------------ */

/* Writes the beginning of a line: up to the symbol. */
static void put_place(const Trace *trace, uint64_t cycle, uint32_t node, char context,
                      const char *kind, uint32_t address, bool low) {
    char symbol[256];
    jm_symbol_at(trace->machine, address, symbol, sizeof symbol);
    fprintf(trace->file.stream, "%" PRIu64 " %" PRIu32 " %c %s %05" PRIX32 "%s %s",
            cycle, node, context, kind, address, low ? ":low" : "",
            *symbol ? symbol : "-");
}

static void put_word(FILE *out, JmWord word) {
    char text[32];
    jm_word_print(word, text, sizeof text);
    fputs(text, out);
}

static void put_effects(FILE *out, const TraceStep *step) {
    if (step->registers || step->accesses)
        fputs(" ;", out);
    for (unsigned i = 0; i < step->registers; i++) {
        fprintf(out, " %s=", step->reg[i].name);
        put_word(out, step->reg[i].value);
    }
    for (unsigned i = 0; i < step->accesses; i++) {
        const TraceAccess *access = &step->access[i];
        fprintf(out, " [%05" PRIX32 "]%c", access->address, access->write ? '=' : ':');
        put_word(out, access->word);
    }
}

static void put_step(const Trace *trace, const JmEvent *event) {
    const TraceStep *step = &trace->step;
    FILE *out = trace->file.stream;
    const char context = "01b"[event->context];
    char file[256];
    put_place(trace, event->cycle, event->node, context,
              step->constant ? "constant" : "instruction", event->address,
              event->low && !step->constant);
    if (step->file)
        fprintf(out, " %s:%d", jm_printable_word(step->file, file, sizeof file),
                step->line);
    else
        fputs(" -", out);
    fprintf(out, " %s", step->text);
    put_effects(out, step);
    putc('\n', out);
}

/* ---- instructions ---------------------------------------------------------------- */

/* Writes how often a node jumped in the loop in which it has slept. */
static void put_turns(const Trace *trace, uint32_t node, uint64_t cycle,
                      uint64_t turns) {
    const TraceLoop *loop = &trace->loops[node];
    if (trace->json) {
        trace_json_idle(trace->json, node, loop, turns);
        return;
    }
    put_place(trace, cycle, node, 'b', "idle", loop->address, false);
    fprintf(trace->file.stream, " %" PRIu64 "\n", turns);
}

/* Collects what instructions of selected nodes do, and writes it. */
static void take_step(Trace *trace, const JmEvent *event) {
    TraceLoop *loop = &trace->loops[event->node];
    if (!trace_step(&trace->step, trace->machine, event))
        return;
    const uint64_t turns = trace_loop_turns(loop, trace->machine, event->node, event);
    if (turns)
        put_turns(trace, event->node, event->cycle, turns);
    if (trace->json)
        trace_json_step(trace->json, event, &trace->step);
    else
        put_step(trace, event);
    trace_loop_note(loop, trace->machine, event);
}

static bool is_of_step(JmEventKind kind) {
    return TRACE_STEP_KINDS >> kind & 1;
}

/* Observer of both forms. Stops the run (true) when the file cannot be written any
 * more. */
static bool trace_event(void *context, const JmEvent *event) {
    Trace *trace = context;
    FILE *out = trace->file.stream;
    const bool shown = jm_filter_cycle(trace->filter, event->cycle) &&
                       jm_filter_node(trace->filter, event->node);
    if (is_of_step(event->kind)) {
        if (shown)
            take_step(trace, event);
    } else if (trace->json) {
        trace_json_event(trace->json, event);
    } else if (shown) {
        char line[JM_EVENT_TEXT_MAX];
        fprintf(out, "%s\n", jm_event_text(trace->machine, event, line));
    }
    return ferror(out) != 0;
}

/* ---- the range of cycles --------------------------------------------------------- */

/* Returns the kinds of events that are followed in and outside the range of cycles. In
 * JSON tasks are followed even where they are not written. */
static uint32_t lasting_kinds(const Trace *trace) {
    const uint32_t kinds = trace->filter->kinds & ~TRACE_STEP_KINDS;
    return trace->json && kinds ? jm_event_kinds() : kinds;
}

static void observe(Trace *trace) {
    const uint32_t kinds = lasting_kinds(trace) | (trace->loops ? TRACE_STEP_KINDS : 0);
    jm_observe(trace->machine, kinds, kinds ? trace_event : NULL, trace);
}

uint64_t trace_next_turn(const Trace *trace) {
    if (!trace->machine || !trace_filter_instructions(trace->filter))
        return UINT64_MAX;
    const uint64_t now = jm_now(trace->machine);
    return now < trace->filter->from ? trace->filter->from
           : now < trace->filter->to ? trace->filter->to
                                     : UINT64_MAX;
}

/* Begins to trace instructions. */
static void begin_steps(Trace *trace) {
    const uint32_t nodes = jm_node_count(trace->machine);
    trace->loops = memory_array(nodes, sizeof *trace->loops);
    for (uint32_t node = 0; node < nodes; node++)
        trace_loop_start(&trace->loops[node], trace->machine, node);
}

/* Ends to trace instructions: writes the turns of the nodes that sleep. */
static void end_steps(Trace *trace) {
    for (uint32_t node = 0; node < jm_node_count(trace->machine); node++) {
        const uint64_t turns =
            trace_loop_turns(&trace->loops[node], trace->machine, node, NULL);
        if (turns && jm_filter_node(trace->filter, node))
            put_turns(trace, node, jm_now(trace->machine), turns);
    }
    free(trace->loops);
    trace->loops = NULL;
}

void trace_turn(Trace *trace) {
    if (!trace->machine || !trace_filter_instructions(trace->filter))
        return;
    const bool inside = jm_filter_cycle(trace->filter, jm_now(trace->machine));
    if (inside == (trace->loops != NULL))
        return;
    (inside ? begin_steps : end_steps)(trace);
    observe(trace);
}

/* ---- the file -------------------------------------------------------------------- */

bool trace_open(Trace *trace, JmMachine *machine, const char *path,
                const JmEventFilter *filter, uint32_t highest, JmError *error) {
    trace->machine = machine;
    trace->filter = filter;
    if (highest >= jm_node_count(machine))
        return jm_fail(error, "jm run",
                       "--trace-nodes: there is no node %" PRIu32
                       "; the machine has %u",
                       highest, jm_node_count(machine));
    if (!jm_outfile_open(&trace->file, path, jm_inputs(machine), error))
        return false;
    if (jm_has_suffix(path, ".json"))
        trace->json = trace_json_start(trace->file.stream, machine, trace->filter);
    trace_turn(trace);
    observe(trace);
    return true;
}

void trace_finish(Trace *trace) {
    if (trace->loops)
        end_steps(trace);
    if (trace->json)
        trace_json_finish(trace->json);
}

void trace_close(Trace *trace) {
    trace_json_free(trace->json);
    trace->json = NULL;
    free(trace->loops);
    trace->loops = NULL;
}
