/* trace_check TRACE.json: checks the properties of trace events that viewers rely on.
 * The file is strict JSON; every event has its members; time never runs backwards on a
 * thread; slices nest and end; a flow begins once, inside a slice, and ends at most
 * once, later, inside a task or where its message is taken out of a queue, on the node
 * that its beginning names. Prints the number of events of each phase, and of
 * unfinished flows. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 1 << 16, DEPTH_MAX = 2, FLOWS_MAX = 1 << 20, PHASES = 128 };

/* A process is a node, a thread one of its contexts. */
typedef struct {
    json_int_t last;
    json_t *open[DEPTH_MAX]; /* B, by depth */
    unsigned depth;
    json_t *complete; /* the last X */
} Thread;

typedef enum { FLOW_NONE, FLOW_BEGUN, FLOW_ENDED } FlowState;

typedef struct {
    Thread thread[THREADS_MAX];
    FlowState flow[FLOWS_MAX];
    json_int_t begun[FLOWS_MAX];
    const char *to[FLOWS_MAX];                /* place of the receiver, "x,y,z" */
    const char *process[THREADS_MAX / 6 + 1]; /* name of a node, "node N (x,y,z)" */
    size_t count[PHASES];
    size_t row;
} Check;

static void fail(const Check *check, const char *what, const json_t *event) {
    char *text = event ? json_dumps(event, JSON_COMPACT) : NULL;
    fprintf(stderr, "event %zu: %s: %s\n", check->row, what, text ? text : "");
    free(text);
    exit(EXIT_FAILURE);
}

static json_int_t integer(const Check *check, const json_t *event, const char *key) {
    const json_t *value = json_object_get(event, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        fail(check, key, event);
    return json_integer_value(value);
}

static const char *string(const Check *check, const json_t *event, const char *key) {
    const char *value = json_string_value(json_object_get(event, key));
    if (!value || !*value)
        fail(check, key, event);
    return value;
}

static bool has_category(const json_t *event, const char *category) {
    return event &&
           strcmp(json_string_value(json_object_get(event, "cat")), category) == 0;
}

static void begin_slice(const Check *check, Thread *thread, json_t *event) {
    const bool stall = has_category(event, "stall");
    if (thread->depth == DEPTH_MAX || (thread->depth && !stall))
        fail(check, "a task in a task", event);
    thread->open[thread->depth++] = event;
}

static void end_slice(const Check *check, Thread *thread, json_t *event) {
    if (!thread->depth)
        fail(check, "an end without a beginning", event);
    json_t *begun = thread->open[--thread->depth];
    if (!json_equal(json_object_get(begun, "name"), json_object_get(event, "name")) ||
        !json_equal(json_object_get(begun, "cat"), json_object_get(event, "cat")))
        fail(check, "the end of another slice", event);
}

/* Whether the last X of the thread is of a category and covers the event. */
static bool is_in_complete(const Check *check, const Thread *thread,
                           const json_t *event, const char *category) {
    return has_category(thread->complete, category) &&
           integer(check, thread->complete, "ts") == integer(check, event, "ts");
}

/* Whether the process of an event is the node at a place. */
static bool is_at(const Check *check, const json_t *event, const char *place) {
    const char *name = check->process[integer(check, event, "pid")];
    const char *at = name ? strchr(name, '(') : NULL;
    return place && at && strncmp(at + 1, place, strlen(place)) == 0 &&
           at[1 + strlen(place)] == ')';
}

static void on_flow(Check *check, const Thread *thread, json_t *event, bool begins) {
    const json_int_t id = integer(check, event, "id"), at = integer(check, event, "ts");
    if (id >= FLOWS_MAX)
        fail(check, "too many flows to check", event);
    if (begins) {
        if (check->flow[id] != FLOW_NONE)
            fail(check, "a flow begins twice", event);
        if (!is_in_complete(check, thread, event, "send"))
            fail(check, "a flow from no slice", event);
        check->flow[id] = FLOW_BEGUN;
        check->begun[id] = at;
        check->to[id] = string(check, json_object_get(thread->complete, "args"), "to");
        return;
    }
    if (!is_at(check, event, check->to[id]))
        fail(check, "a flow that ends on another node", event);
    if (check->flow[id] != FLOW_BEGUN || check->begun[id] > at)
        fail(check, "a flow that did not begin before, or has ended", event);
    if (!(thread->depth && has_category(thread->open[0], "task")) &&
        !is_in_complete(check, thread, event, "taken"))
        fail(check, "a flow to no task", event);
    if (strcmp(string(check, event, "bp"), "e") != 0)
        fail(check, "a flow that ends at the next slice", event);
    check->flow[id] = FLOW_ENDED;
}

/* A thread of instructions has nothing but slices one after the other. */
static void end_before(const Check *check, const Thread *thread, const json_t *event) {
    const json_t *last = thread->complete;
    if (last && integer(check, last, "ts") + integer(check, last, "dur") >
                    integer(check, event, "ts"))
        fail(check, "two instructions at a time", event);
    if (thread->depth)
        fail(check, "an instruction in a slice", event);
}

static void on_event(Check *check, Thread *thread, json_t *event, char phase) {
    switch (phase) {
    case 'B':
        begin_slice(check, thread, event);
        break;
    case 'E':
        end_slice(check, thread, event);
        break;
    case 'X':
        if (integer(check, event, "tid") >= 3)
            end_before(check, thread, event);
        else if (integer(check, event, "dur") != 1)
            fail(check, "a duration", event);
        thread->complete = event;
        break;
    case 'i':
        if (strcmp(string(check, event, "s"), "t") != 0)
            fail(check, "an instant of no thread", event);
        break;
    case 's':
    case 'f':
        on_flow(check, thread, event, phase == 's');
        break;
    default:
        fail(check, "a phase", event);
    }
}

static void check_event(Check *check, json_t *event) {
    const char *phase = string(check, event, "ph");
    const json_int_t pid = integer(check, event, "pid");
    const json_int_t tid = integer(check, event, "tid");
    const json_int_t at = integer(check, event, "ts");
    string(check, event, "name");
    string(check, event, "cat");
    if (pid * 6 + tid >= THREADS_MAX || tid >= 6 || phase[1] || *phase < 0)
        fail(check, "out of range", event);
    check->count[(unsigned char)*phase]++;
    if (*phase == 'M') {
        if (strcmp(string(check, event, "name"), "process_name") == 0)
            check->process[pid] = string(check, json_object_get(event, "args"), "name");
        return;
    }
    Thread *thread = &check->thread[pid * 6 + tid];
    if (at < thread->last)
        fail(check, "time runs backwards", event);
    thread->last = at;
    on_event(check, thread, event, *phase);
}

static void report(const Check *check) {
    size_t unended = 0;
    for (size_t i = 0; i < FLOWS_MAX; i++)
        unended += check->flow[i] == FLOW_BEGUN;
    for (size_t i = 0; i < THREADS_MAX; i++)
        if (check->thread[i].depth)
            fail(check, "a slice has no end", check->thread[i].open[0]);
    for (int phase = 0; phase < PHASES; phase++)
        if (check->count[phase])
            printf("%c=%zu ", phase, check->count[phase]);
    printf("unended=%zu\n", unended);
}

int main(int argc, char **argv) {
    json_error_t error;
    json_t *trace =
        argc == 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
    Check *check = calloc(1, sizeof *check);
    if (!trace || !check) {
        fprintf(stderr, "%s\n", argc == 2 ? error.text : "usage: trace_check FILE");
        return EXIT_FAILURE;
    }
    json_t *event, *events = json_object_get(trace, "traceEvents");
    if (!json_is_array(events))
        fail(check, "no trace events", NULL);
    json_array_foreach (events, check->row, event)
        check_event(check, event);
    report(check);
    json_decref(trace);
    free(check);
    return EXIT_SUCCESS;
}
