/* Converts the records of a machine run into programs. A record is a line
 *
 *     CYCLE NODE CONTEXT EVENT ADDRESS SYMBOL [DETAIL]
 *     228 0 b send - - p0 #17 INT:00000001 2       two words of message 17
 *     239 1 0 arrive - - p0 #17                    the number is free again
 *     241 1 0 dispatch 00106 arrive MSG:40041802   of p0, the earliest arrival
 *
 * and other events are ignored. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/core/sourcetext.h"
#include "net/programs/programs.h"

enum { PRIORITIES = 2, FIELDS = 10, FIELD_MAX = 40 };
#define MOST_CYCLES (UINT64_C(1) << 40) /* of a record: beyond any run */

typedef struct {
    uint32_t from, to, words;
    uint64_t sent, arrived; /* cycles: of the last word, of the tail */
    uint32_t next;          /* in the queue where it has arrived */
} Recorded;

/* An action of a node, in the order of the records. */
typedef struct {
    uint64_t cycle;
    uint32_t node, message;
    bool dispatch; /* otherwise the last words so far were sent */
} Event;

typedef struct {
    Heap *heap;
    const char *file, *at, *end;
    JmError *error;
    int line;
    uint32_t nodes, word_bytes;
    unsigned fields;
    char field[FIELDS][FIELD_MAX];
    int column[FIELDS]; /* of each field, from 1 */
    Recorded *messages;
    uint32_t message_count;
    size_t message_room;
    Event *events;
    uint32_t event_count;
    size_t event_room;
    uint32_t *open; /* by number: the message in flight; NET_NONE */
    uint32_t opens;
    /* By node * PRIORITIES + priority: messages arrived but not dispatched, and the
     * number dispatched before their tails arrived. */
    uint32_t *first, *last, *early;
} Converter;

/* Reports an error at a field of the line, or at its first column if the field is
 * missing. Returns false. */
static bool wrong(Converter *c, unsigned place, const char *what) {
    return jm_fail_line(c->error, c->file, c->line ? c->line : 1,
                        place < c->fields ? c->column[place] : 1, "%s", what);
}

static void read_fields(Converter *c) {
    const char *line = c->at;
    c->fields = 0;
    c->line++;
    while (c->at < c->end && *c->at != '\n') {
        if (*c->at == ' ' || *c->at == '\t' || *c->at == '\r') {
            c->at++;
            continue;
        }
        const int column = (int)(c->at - line) + 1;
        size_t length = 0;
        for (; c->at<c->end && * c->at> ' '; c->at++)
            if (c->fields < FIELDS && length < FIELD_MAX - 1)
                c->field[c->fields][length++] = *c->at;
        if (c->fields < FIELDS) {
            c->column[c->fields] = column;
            c->field[c->fields++][length] = 0;
        }
        if (c->at < c->end && *c->at != '\n' && *c->at <= ' ')
            c->at++;
    }
    c->at += c->at < c->end;
}

static bool read_number(const char *text, uint64_t most, uint64_t *number) {
    *number = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || *number > most)
            return false;
        *number = 10 * *number + (uint64_t)(*text - '0');
    }
    return *number <= most;
}

/* ---- messages -------------------------------------------------------------------- */

/* The slot of the message that has a number now. */
static uint32_t *open_slot(Converter *c, uint32_t number) {
    if (number >= c->opens) {
        const uint32_t size = 2 * number + 64;
        c->open = heap_resize(c->heap, c->open, size * sizeof *c->open);
        for (uint32_t i = c->opens; i < size; i++)
            c->open[i] = NET_NONE;
        c->opens = size;
    }
    return &c->open[number];
}

static uint32_t new_message(Converter *c, uint32_t from) {
    c->messages = heap_grow(c->heap, c->messages, c->message_count, &c->message_room,
                            sizeof *c->messages);
    c->messages[c->message_count] =
        (Recorded){.from = from, .to = NET_NONE, .next = NET_NONE};
    return c->message_count++;
}

static void add_event(Converter *c, Event event) {
    c->events = heap_grow(c->heap, c->events, c->event_count, &c->event_room,
                          sizeof *c->events);
    c->events[c->event_count++] = event;
}

static void add_dispatch(Converter *c, uint64_t cycle, uint32_t node,
                         uint32_t message) {
    add_event(
        c, (Event){.cycle = cycle, .node = node, .message = message, .dispatch = true});
}

static bool read_message(Converter *c, uint32_t *priority, uint32_t *number) {
    enum { PLACE = 6, MOST = 1 << 22 };
    uint64_t read;
    if (c->fields < PLACE + 2 || c->field[PLACE][0] != 'p' ||
        c->field[PLACE + 1][0] != '#' || !read_number(c->field[PLACE] + 1, 1, &read))
        return wrong(c, PLACE, "a priority and a message's number are expected");
    *priority = (uint32_t)read;
    if (!read_number(c->field[PLACE + 1] + 1, MOST, &read))
        return wrong(c, PLACE + 1, "a message's number is expected behind '#'");
    *number = (uint32_t)read;
    return true;
}

/* Bytes of the words after the routing word, or of one word if there are none. */
static uint64_t message_bytes(const Converter *c, const Recorded *message) {
    return (uint64_t)(message->words > 1 ? message->words - 1 : 1) * c->word_bytes;
}

static bool record_send(Converter *c, uint64_t cycle, uint32_t node) {
    enum { NUMBER = 7, WORDS = 9 };
    uint32_t priority, number;
    uint64_t words;
    if (!read_message(c, &priority, &number))
        return false;
    if (c->fields <= WORDS || !read_number(c->field[WORDS], 2, &words))
        return wrong(c, WORDS, "a number of words is expected");
    uint32_t *slot = open_slot(c, number);
    if (*slot == NET_NONE)
        *slot = new_message(c, node);
    Recorded *message = &c->messages[*slot];
    if (message->from != node)
        return wrong(c, NUMBER, "another node is sending this message");
    message->words += (uint32_t)words;
    if (message_bytes(c, message) > NET_PROGRAMS_MAX_BYTES)
        return wrong(c, NUMBER, "the message is too long");
    message->sent = cycle;
    add_event(c, (Event){.cycle = cycle, .node = node, .message = *slot});
    return true;
}

static bool record_arrival(Converter *c, uint64_t cycle, uint32_t node) {
    uint32_t priority, number;
    if (!read_message(c, &priority, &number))
        return false;
    uint32_t *slot = open_slot(c, number);
    if (*slot == NET_NONE)
        return wrong(c, 0, "a message arrives that no record has sent");
    const uint32_t message = *slot, queue = node * PRIORITIES + priority;
    *slot = NET_NONE;
    c->messages[message].to = node;
    c->messages[message].arrived = cycle;
    if (c->early[queue] > 0) {
        c->early[queue]--;
        add_dispatch(c, cycle, node, message);
        return true;
    }
    if (c->first[queue] == NET_NONE)
        c->first[queue] = message;
    else
        c->messages[c->last[queue]].next = message;
    c->last[queue] = message;
    return true;
}

/* Dispatches the earliest arrival. The machine may dispatch a message before its tail
 * arrives: it is then received when the tail arrives. */
static void record_dispatch(Converter *c, uint64_t cycle, uint32_t node,
                            uint32_t priority) {
    const uint32_t queue = node * PRIORITIES + priority;
    const uint32_t message = c->first[queue];
    if (message == NET_NONE) {
        c->early[queue]++;
        return;
    }
    c->first[queue] = c->messages[message].next;
    add_dispatch(c, cycle, node, message);
}

static bool read_record(Converter *c) {
    uint64_t cycle, node;
    if (c->fields < 4 || !read_number(c->field[0], MOST_CYCLES, &cycle) ||
        !read_number(c->field[1], UINT32_MAX, &node))
        return wrong(c, 0, "no record of jm run --trace: CYCLE NODE CONTEXT EVENT ...");
    if (node >= c->nodes)
        return jm_fail_line(c->error, c->file, c->line, c->column[1],
                            "node %" PRIu64 " is none of %u", node, c->nodes);
    if (strcmp(c->field[3], "send") == 0)
        return record_send(c, cycle, (uint32_t)node);
    if (strcmp(c->field[3], "arrive") == 0)
        return record_arrival(c, cycle, (uint32_t)node);
    if (strcmp(c->field[3], "dispatch") == 0 && c->field[2][0] != 'b')
        record_dispatch(c, cycle, (uint32_t)node, c->field[2][0] == '1');
    return true;
}

/* ---- programs -------------------------------------------------------------------- */

/* Adds the operations for a node's event; `since` is the cycle of its previous one. */
static void add_operation(Converter *c, NetProgramsMaker *maker, const Event *event,
                          uint64_t *since) {
    const Recorded *m = &c->messages[event->message];
    if (!event->dispatch && event->cycle != m->sent)
        return; /* not its last word */
    if (m->to == NET_NONE || m->to == m->from)
        return;
    uint64_t from = *since;
    if (event->dispatch && m->arrived > from)
        from = m->arrived;
    uint64_t cycles = event->cycle > from ? event->cycle - from : 0;
    if (event->cycle > *since)
        *since = event->cycle;
    if (event->dispatch)
        net_programs_add(maker, (NetOp){.kind = NET_OP_RECEIVE, .node = m->from});
    while (cycles > 0) {
        const uint32_t most = NET_PROGRAMS_MAX_CYCLES;
        const uint32_t part = cycles < most ? (uint32_t)cycles : most;
        net_programs_add(maker, (NetOp){.kind = NET_OP_COMPUTE, .amount = part});
        cycles -= part;
    }
    if (!event->dispatch)
        net_programs_add(maker, (NetOp){.kind = NET_OP_POST,
                                        .node = m->to,
                                        .amount = (uint32_t)message_bytes(c, m)});
}

/* Writes node after node, each in the order of its records. */
static NetPrograms *make_programs(Converter *c) {
    NetProgramsMaker maker;
    uint32_t *start = heap_alloc(c->heap, (c->nodes + 1) * sizeof *start);
    uint32_t *order = heap_alloc(c->heap, (c->event_count + 1) * sizeof *order);
    for (uint32_t i = 0; i < c->event_count; i++)
        start[c->events[i].node + 1]++;
    for (uint32_t node = 0; node < c->nodes; node++)
        start[node + 1] += start[node];
    for (uint32_t i = 0; i < c->event_count; i++)
        order[start[c->events[i].node]++] = i;
    net_programs_begin(&maker, c->heap, c->nodes);
    uint64_t since = 0;
    for (uint32_t i = 0; i < c->event_count; i++) {
        const Event *event = &c->events[order[i]];
        if (event->node != maker.node)
            since = 0;
        net_programs_node(&maker, event->node);
        add_operation(c, &maker, event, &since);
    }
    heap_free(start);
    heap_free(order);
    return net_programs_end(&maker);
}

static void *convert(Heap *heap, const void *begun) {
    Converter *c = heap_copy(heap, begun, sizeof *c);
    const size_t queues = (size_t)c->nodes * PRIORITIES;
    c->heap = heap;
    c->first = heap_alloc(heap, queues * sizeof *c->first);
    c->last = heap_alloc(heap, queues * sizeof *c->last);
    c->early = heap_alloc(heap, queues * sizeof *c->early);
    for (size_t i = 0; i < queues; i++)
        c->first[i] = NET_NONE;
    while (c->at < c->end) {
        read_fields(c);
        if (c->fields > 0 && !read_record(c))
            return NULL;
    }
    NetPrograms *programs = make_programs(c);
    if (programs->start[c->nodes] > 0)
        return programs;
    wrong(c, 0, "no message goes from one node to another");
    return NULL;
}

NetPrograms *net_programs_convert(const char *file, const char *text, size_t size,
                                  uint32_t nodes, uint32_t word_bytes, JmError *error) {
    const Converter begun = {.file = file,
                             .at = text + jm_text_mark(text, size),
                             .end = text + size,
                             .error = error,
                             .nodes = nodes,
                             .word_bytes = word_bytes};
    return heap_make(convert, &begun, error, file, "its programs");
}
