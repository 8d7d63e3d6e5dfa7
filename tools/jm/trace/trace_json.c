/* Writes traces as JSON; trace_json.h describes the events.
 *
 * Tasks, stalls and messages are followed from the first event on, also where the
 * filter hides them, so that their ends find their beginnings.
 *
 * Members are printed by fprintf(), not by json_out.h: with that a run of snakes.s that
 * writes 110,000 events takes 24 % more instructions (callgrind). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/grow.h"
#include "emu/core/printable.h"
#include "emu/jm.h"
#include "tools/host/host.h"
#include "tools/host/json_out.h"
#include "tools/host/memory.h"
#include "tools/jm/trace/trace_json.h"

enum { JSON_TRACKS = 3 }; /* contexts of a node: two priorities and the background */

/* A list of events being written. */
typedef struct {
    FILE *out;
    const JmMachine *machine;
    bool first; /* no event has been written yet */
} JsonEvents;

/* ---- events ---------------------------------------------------------------------- */

/* Begins an event of a phase of the format, in a cycle; the caller adds members, with a
 * comma before each, and its end. The name is UTF-8. */
static void json_begin(JsonEvents *json, char phase, uint32_t node, unsigned context,
                       uint64_t cycle, const char *category, const char *name) {
    fprintf(json->out,
            "%s{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%u,\"ts\":%" PRIu64,
            json->first ? "" : ",\n", phase, node, context, cycle);
    json->first = false;
    fprintf(json->out, ",\"cat\":\"%s\",\"name\":", category);
    jout_string(json->out, name);
}

static void json_end(JsonEvents *json) {
    putc('}', json->out);
}

/* A whole event: a point of a flow, whose phase is 's' or 'f'. */
static void json_flow(JsonEvents *json, char phase, uint32_t node, unsigned context,
                      uint64_t cycle, uint64_t flow) {
    json_begin(json, phase, node, context, cycle, "message", "message");
    fprintf(json->out, ",\"id\":%" PRIu64 "%s", flow,
            phase == 'f' ? ",\"bp\":\"e\"" : "");
    json_end(json);
}

static void put_metadata(JsonEvents *json, const char *what, uint32_t node,
                         unsigned context, const char *name) {
    json_begin(json, 'M', node, context, 0, "__metadata", what);
    fputs(",\"args\":{\"name\":", json->out);
    jout_string(json->out, name);
    fputs("}}", json->out);
}

/* Whole events: the names of a node and of its contexts. Viewers show a node as a
 * process and its contexts as threads. */
static void json_track_names(JsonEvents *json, uint32_t node, bool instructions) {
    unsigned x, y, z;
    char name[64];
    jm_node_position(json->machine, node, &x, &y, &z);
    snprintf(name, sizeof name, "node %" PRIu32 " (%u,%u,%u)", node, x, y, z);
    put_metadata(json, "process_name", node, 0, name);
    for (unsigned context = 0; context < JSON_TRACKS; context++)
        put_metadata(json, "thread_name", node, context,
                     jm_context_name((JmContext)context));
    for (unsigned context = 0; instructions && context < JSON_TRACKS; context++) {
        snprintf(name, sizeof name, "%s, instructions",
                 jm_context_name((JmContext)context));
        put_metadata(json, "thread_name", node, JSON_TRACKS + context, name);
    }
}

enum {
    CONTEXTS = JSON_TRACKS,
    PRIORITIES = 2,
    ROW_WORDS = 4,
    QUEUE_ROWS = 256, /* rows of the longest queue */
    NO_ROW = QUEUE_ROWS
};

/* A message in flight. Its index is the network's message number, which is reused. */
typedef struct {
    uint64_t flow;  /* number of its flow in the trace; 0: opening not written */
    uint32_t words; /* words sent, without the routing word */
    bool open;      /* since its first SEND until it has arrived */
} Message;

/* What takes a while in a context of a node. */
typedef enum { TASK, STALL, SPANS } Span;

/* The task and the SEND stall of a context of a node. */
typedef struct {
    bool on[SPANS];    /* it is under way */
    bool shown[SPANS]; /* its beginning has been written */
    uint32_t handler;  /* address of the task's handler */
    uint32_t waiting; /* queue row of the task's message while that is still arriving */
} Track;

/* A queue as it was at the last event of its node. */
typedef struct {
    uint32_t qbm, qhl;
    uint32_t flows; /* flows that end in messages waiting in the queue */
} Queue;

/* A trace being written. */
struct TraceJson {
    JsonEvents json;
    const JmEventFilter *filter;
    Track *track;      /* index: node * CONTEXTS + context */
    uint64_t *arrived; /* flow of the message that begins in a queue row; index: (node *
                          PRIORITIES + priority) * QUEUE_ROWS + row */
    Queue *queue;      /* index: node * PRIORITIES + priority */
    Message *message;
    size_t messages;
    uint64_t flows;
    bool inside;   /* the cycle lies in the range to be traced */
    bool finished; /* the range has passed, or the run has ended */
};

/* ---- tasks and stalls ------------------------------------------------------------ */

/* Whether the filter shows an event of a node, now. */
static bool shows(const TraceJson *t, uint32_t node, JmEventKind kind) {
    return t->inside && jm_filter_kind(t->filter, kind) &&
           jm_filter_node(t->filter, node);
}

/* Writes the beginning 'B' or the end 'E' of a span. The name of a task is the symbol
 * of its handler, or else its address. */
static void put_span(TraceJson *t, char phase, uint32_t track, Span span,
                     uint64_t cycle) {
    char name[256] = "SEND waits";
    const uint32_t handler = t->track[track].handler;
    if (span == TASK)
        jm_symbol_at(t->json.machine, handler, name, sizeof name);
    if (!*name)
        snprintf(name, sizeof name, "%05" PRIX32, handler);
    json_begin(&t->json, phase, track / CONTEXTS, track % CONTEXTS, cycle,
               span == TASK ? "task" : "stall", name);
    json_end(&t->json);
}

/* Begins a span in the trace, if it is to be shown. */
static void show_span(TraceJson *t, uint32_t track, Span span, uint64_t cycle) {
    bool *shown = &t->track[track].shown[span];
    *shown =
        shows(t, track / CONTEXTS, span == TASK ? JM_EVENT_DISPATCH : JM_EVENT_FAULT);
    if (*shown)
        put_span(t, 'B', track, span, cycle);
}

/* Ends it in the trace, if it was shown. */
static void hide_span(TraceJson *t, uint32_t track, Span span, uint64_t cycle) {
    bool *shown = &t->track[track].shown[span];
    if (*shown)
        put_span(t, 'E', track, span, cycle);
    *shown = false;
}

static void end_span(TraceJson *t, uint32_t track, Span span, uint64_t cycle) {
    t->track[track].on[span] = false;
    hide_span(t, track, span, cycle);
}

static void end_task(TraceJson *t, uint32_t track, uint64_t cycle) {
    end_span(t, track, STALL, cycle);
    end_span(t, track, TASK, cycle);
    t->track[track].waiting = NO_ROW;
}

/* Writes the beginning of all tasks and stalls under way. */
static void show_all(TraceJson *t, uint64_t cycle) {
    for (uint32_t i = 0; i < jm_node_count(t->json.machine) * CONTEXTS; i++)
        for (Span span = TASK; span < SPANS; span++)
            if (t->track[i].on[span])
                show_span(t, i, span, cycle);
}

static void hide_all(TraceJson *t, uint64_t cycle) {
    for (uint32_t i = 0; i < jm_node_count(t->json.machine) * CONTEXTS; i++) {
        hide_span(t, i, STALL, cycle);
        hide_span(t, i, TASK, cycle);
    }
}

/* ---- messages -------------------------------------------------------------------- */

static Message *message_of(TraceJson *t, uint32_t number) {
    const size_t before = t->messages;
    if (!jm_grow(&t->message, number, &t->messages, sizeof *t->message))
        host_no_memory();
    memset(t->message + before, 0, (t->messages - before) * sizeof *t->message);
    return &t->message[number];
}

/* Returns the data of a register of a queue. */
static uint32_t queue_register(const TraceJson *t, uint32_t node, unsigned priority,
                               JmReg reg) {
    return jm_data(jm_register(t->json.machine, node, (JmContext)priority, reg));
}

/* Returns the row of a queue that lies `words` behind its head. */
static uint32_t queue_row(const TraceJson *t, uint32_t node, unsigned priority,
                          uint32_t words) {
    const uint32_t head = jm_field20(queue_register(t, node, priority, JM_REG_QHL));
    const uint32_t mask = jm_field10(queue_register(t, node, priority, JM_REG_QBM));
    return ((head + words) & mask) / ROW_WORDS % QUEUE_ROWS;
}

/* Returns the row in which a message begins whose last row has just been written. */
static uint32_t arrival_row(const TraceJson *t, uint32_t node, unsigned priority,
                            uint32_t words) {
    const uint32_t length = jm_field10(queue_register(t, node, priority, JM_REG_QHL));
    const uint32_t rows = (words + ROW_WORDS - 1) / ROW_WORDS;
    return queue_row(t, node, priority, length - rows * ROW_WORDS);
}

/* Records the flow of the message that begins in a row of a queue; 0: none. */
static void set_arrived(TraceJson *t, uint32_t queue, uint32_t row, uint64_t flow) {
    uint64_t *arrived = &t->arrived[queue * QUEUE_ROWS + row];
    t->queue[queue].flows += flow != 0;
    t->queue[queue].flows -= *arrived != 0;
    *arrived = flow;
}

/* Numbers the flow of a message and writes its SEND. */
static void open_message(TraceJson *t, const JmEvent *e, Message *message) {
    *message = (Message){.open = true};
    if (!shows(t, e->node, JM_EVENT_SEND))
        return;
    message->flow = ++t->flows;
    json_begin(&t->json, 'X', e->node, e->context, e->cycle, "send", "send");
    fprintf(
        t->json.out,
        ",\"dur\":1,\"args\":{\"to\":\"%u,%u,%u\",\"priority\":%u,\"message\":%" PRIu64
        "%s%s%s}",
        jm_data(e->word) & 31, jm_data(e->word) >> 5 & 31, jm_data(e->word) >> 10 & 63,
        e->priority, message->flow, e->redirected ? ",\"redirected\":\"" : "",
        e->redirected ? jm_redirection_name((JmRedirection)e->redirected) : "",
        e->redirected ? "\"" : "");
    json_end(&t->json);
    json_flow(&t->json, 's', e->node, e->context, e->cycle, message->flow);
}

/* Counts the words of a message; a SEND that succeeds ends the stall. */
static void on_send(TraceJson *t, const JmEvent *e, uint32_t track) {
    Message *message = message_of(t, e->message);
    end_span(t, track, STALL, e->cycle);
    if (e->opens)
        open_message(t, e, message);
    message->words += e->count - e->opens;
}

/* Ends the flow of a message that software took out of its queue, so that no task of
 * its own ran. */
static void put_taken(TraceJson *t, uint32_t node, unsigned priority, uint64_t cycle,
                      uint64_t flow) {
    if (!shows(t, node, JM_EVENT_DISPATCH))
        return;
    json_begin(&t->json, 'X', node, priority, cycle, "taken", "taken out of the queue");
    fprintf(t->json.out, ",\"dur\":1,\"args\":{\"message\":%" PRIu64 "}", flow);
    json_end(&t->json);
    json_flow(&t->json, 'f', node, priority, cycle, flow);
}

/* An event of the queue of a priority that takes no time. */
static void put_instant(TraceJson *t, const JmEvent *e, const char *category,
                        const char *text) {
    if (!shows(t, e->node, e->kind))
        return;
    json_begin(&t->json, 'i', e->node, e->priority, e->cycle, category, text);
    fputs(",\"s\":\"t\"", t->json.out);
    json_end(&t->json);
}

/* Ends the flight of a message; its flow waits in the queue for its task. */
static void on_arrive(TraceJson *t, const JmEvent *e) {
    Message *message = message_of(t, e->message);
    Track *track = &t->track[e->node * CONTEXTS + e->priority];
    const bool known = message->open;
    const uint32_t row =
        known ? arrival_row(t, e->node, e->priority, message->words) : NO_ROW;
    const uint64_t flow = message->flow;
    *message = (Message){.open = false};
    put_instant(t, e, "arrive", "arrive");
    if (!known)
        return;
    if (track->on[TASK] && track->waiting == row) {
        if (flow && track->shown[TASK])
            json_flow(&t->json, 'f', e->node, e->priority, e->cycle, flow);
        track->waiting = NO_ROW;
    } else {
        const uint32_t queue = e->node * PRIORITIES + e->priority;
        const uint64_t before = t->arrived[queue * QUEUE_ROWS + row];
        if (before)
            put_taken(t, e->node, e->priority, e->cycle, before);
        set_arrived(t, queue, row, flow);
    }
}

/* Ends flows whose rows are no longer in the queue, because software moved its head.
 * The queue registers show it at the next event of the node. */
static void look_for_taken(TraceJson *t, uint32_t node, unsigned priority,
                           uint64_t cycle) {
    const uint32_t index = node * PRIORITIES + priority;
    Queue *queue = &t->queue[index];
    const uint32_t qbm = queue_register(t, node, priority, JM_REG_QBM);
    const uint32_t qhl = queue_register(t, node, priority, JM_REG_QHL);
    const bool same = queue->qbm == qbm && queue->qhl == qhl;
    queue->qbm = qbm;
    queue->qhl = qhl;
    if (same || !queue->flows)
        return;
    for (uint32_t row = 0; row < QUEUE_ROWS; row++) {
        const uint64_t flow = t->arrived[index * QUEUE_ROWS + row];
        const uint32_t behind = (row * ROW_WORDS - jm_field20(qhl)) & jm_field10(qbm);
        if (!flow || behind < jm_field10(qhl))
            continue;
        put_taken(t, node, priority, cycle, flow);
        set_arrived(t, index, row, 0);
    }
}

/* ---- events ---------------------------------------------------------------------- */

/* Begins a task, and ends the flow of its message there. */
static void on_dispatch(TraceJson *t, const JmEvent *e) {
    const uint32_t index = e->node * CONTEXTS + e->priority;
    Track *track = &t->track[index];
    const uint32_t row = queue_row(t, e->node, e->priority, 0);
    const uint32_t queue = e->node * PRIORITIES + e->priority;
    const uint64_t flow = t->arrived[queue * QUEUE_ROWS + row];
    end_task(t, index, e->cycle);
    track->on[TASK] = true;
    track->handler = e->address;
    show_span(t, index, TASK, e->cycle);
    track->waiting = flow ? NO_ROW : row;
    if (flow && track->shown[TASK])
        json_flow(&t->json, 'f', e->node, e->priority, e->cycle, flow);
    set_arrived(t, queue, row, 0);
}

static void on_fault(TraceJson *t, const JmEvent *e, uint32_t track) {
    if (shows(t, e->node, JM_EVENT_FAULT)) {
        json_begin(&t->json, 'i', e->node, e->context, e->cycle, "fault",
                   jm_fault_name((JmFault)e->fault));
        fprintf(t->json.out, ",\"s\":\"t\",\"args\":{\"address\":\"%05" PRIX32 "\"}",
                e->address);
        json_end(&t->json);
    }
    bool *stalls = &t->track[track].on[STALL];
    if (e->fault == JM_FAULT_SEND && !*stalls) {
        *stalls = true;
        show_span(t, track, STALL, e->cycle);
    }
}

/* Begins and ends tasks and stalls where the range of cycles to be traced begins and
 * ends. */
static void follow_cycles(TraceJson *t, uint64_t cycle) {
    if (t->finished)
        return;
    if (!t->inside && cycle >= t->filter->from) {
        t->inside = true;
        show_all(t, t->filter->from);
    }
    if (t->inside && cycle >= t->filter->to) {
        hide_all(t, t->filter->to);
        t->inside = false;
        t->finished = true;
    }
}

void trace_json_event(TraceJson *t, const JmEvent *e) {
    const uint32_t track = e->node * CONTEXTS + e->context;
    follow_cycles(t, e->cycle);
    if (t->finished)
        return;
    switch (e->kind) {
    case JM_EVENT_DISPATCH:
        on_dispatch(t, e);
        break;
    case JM_EVENT_SUSPEND:
        if (e->context != JM_CONTEXT_BACKGROUND)
            end_task(t, track, e->cycle);
        break;
    case JM_EVENT_SEND:
        on_send(t, e, track);
        break;
    case JM_EVENT_FAULT:
        on_fault(t, e, track);
        break;
    case JM_EVENT_ARRIVE:
        on_arrive(t, e);
        break;
    case JM_EVENT_OVERFLOW:
        put_instant(t, e, "overflow", "queue full");
        break;
    case JM_EVENT_RETURN: /* its number goes to messages without a SEND event */
        *message_of(t, e->message) = (Message){.open = false};
        put_instant(t, e, "return", "message turned back");
        break;
    case JM_EVENT_SPILL:
        put_instant(t, e, "spill", "row spilled");
        break;
    case JM_EVENT_BRAKE:
        put_instant(t, e, "brake", e->count ? "brake on" : "input open");
        break;
    default:
        break;
    }
    for (unsigned p = 0; p < PRIORITIES; p++)
        look_for_taken(t, e->node, p, e->cycle);
}

/* ---- instructions ---------------------------------------------------------------- */

/* A member of the arguments: an object of the words read, or written. */
static void put_accesses(FILE *out, const TraceStep *step, bool write) {
    const char *comma = "";
    char word[32];
    fprintf(out, ",\"%s\":{", write ? "written" : "read");
    for (unsigned i = 0; i < step->accesses; i++) {
        const TraceAccess *access = &step->access[i];
        if (access->write != write)
            continue;
        jm_word_print(access->word, word, sizeof word);
        fprintf(out, "%s\"%05" PRIX32 "\":\"%s\"", comma, access->address, word);
        comma = ",";
    }
    putc('}', out);
}

static void put_registers(FILE *out, const TraceStep *step) {
    char word[32];
    fputs(",\"registers\":{", out);
    for (unsigned i = 0; i < step->registers; i++) {
        jm_word_print(step->reg[i].value, word, sizeof word);
        fprintf(out, "%s\"%s\":\"%s\"", i ? "," : "", step->reg[i].name, word);
    }
    putc('}', out);
}

void trace_json_step(TraceJson *t, const JmEvent *event, const TraceStep *step) {
    FILE *out = t->json.out;
    char text[512];
    json_begin(&t->json, 'X', event->node, JSON_TRACKS + event->context, event->cycle,
               step->constant ? "constant" : "instruction", step->text);
    fprintf(out, ",\"dur\":%" PRIu32 ",\"args\":{\"address\":\"%05" PRIX32 "\"",
            event->count, event->address);
    fputs(event->low && !step->constant ? ",\"low\":true" : "", out);
    jm_symbol_at(t->json.machine, event->address, text, sizeof text);
    fputs(",\"symbol\":", out);
    jout_string(out, text);
    if (step->file) {
        snprintf(text, sizeof text, "%s:%d", JM_SHOWN(step->file), step->line);
        fputs(",\"source\":", out);
        jout_string(out, text);
    }
    put_registers(out, step);
    put_accesses(out, step, false);
    put_accesses(out, step, true);
    putc('}', out);
    json_end(&t->json);
}

void trace_json_idle(TraceJson *t, uint32_t node, const TraceLoop *loop,
                     uint64_t turns) {
    json_begin(&t->json, 'X', node, JSON_TRACKS + JM_CONTEXT_BACKGROUND, loop->ended,
               "idle", "idle");
    fprintf(t->json.out,
            ",\"dur\":%" PRIu64 ",\"args\":{\"address\":\"%05" PRIX32
            "\",\"turns\":%" PRIu64 "}",
            turns * loop->cycles, loop->address, turns);
    json_end(&t->json);
}

/* ---- beginning and end ----------------------------------------------------------- */

/* Finds the tasks of a machine that is already running, and names them by their current
 * address. */
static void find_tasks(TraceJson *t) {
    for (uint32_t i = 0; i < jm_node_count(t->json.machine) * CONTEXTS; i++) {
        Track *track = &t->track[i];
        const uint32_t node = i / CONTEXTS;
        const unsigned context = i % CONTEXTS;
        track->waiting = NO_ROW;
        track->on[TASK] =
            context < PRIORITIES && jm_task_active(t->json.machine, node, context);
        if (track->on[TASK])
            track->handler = jm_field20(jm_data(
                jm_register(t->json.machine, node, (JmContext)context, JM_REG_IP)));
    }
}

TraceJson *trace_json_start(FILE *out, const JmMachine *machine,
                            const JmEventFilter *filter) {
    TraceJson *t = memory_array(1, sizeof *t);
    const size_t nodes = jm_node_count(machine);
    *t = (TraceJson){.json = {.out = out, .machine = machine, .first = true},
                     .filter = filter};
    t->track = memory_array(nodes * CONTEXTS, sizeof *t->track);
    t->queue = memory_array(nodes * PRIORITIES, sizeof *t->queue);
    t->arrived = memory_array(nodes * PRIORITIES * QUEUE_ROWS, sizeof *t->arrived);
    fputs("{\"otherData\":{\"unit\":\"1 us is a cycle\"},\"traceEvents\":[\n", out);
    for (uint32_t node = 0; node < nodes; node++)
        if (jm_filter_node(filter, node))
            json_track_names(&t->json, node, trace_filter_instructions(filter));
    find_tasks(t);
    if (jm_now(machine) >= filter->from) {
        t->inside = true;
        show_all(t, jm_now(machine));
    }
    return t;
}

void trace_json_finish(TraceJson *t) {
    follow_cycles(t, jm_now(t->json.machine));
    hide_all(t, jm_now(t->json.machine));
    fputs("\n]}\n", t->json.out);
}

void trace_json_free(TraceJson *t) {
    if (!t)
        return;
    free(t->track);
    free(t->queue);
    free(t->arrived);
    free(t->message);
    free(t);
}
