/* Follows messages by combining the events of a replay.
 *
 *     SEND opens number m      number[m] -> track
 *     row of m is written      its header lies at an address: bucket -> track
 *     header read, and written elsewhere by the next instructions: it has moved
 *     dispatch of an address   task[node, priority] -> track, until SUSPEND */
#include "emu/debug/past/track.h"
#include "emu/debug/past/past.h"
#include "emu/debug/talk/names.h"

#include <string.h>

#include "net/net.h"

enum {
    BUCKETS = 1 << 14,
    NO_TRACK = 0,      /* tracks are numbered from 1 */
    COPY_CYCLES = 200, /* from the read of a header to its write elsewhere, at most */
};

/* A word that a context has read. If it is written next, it is being moved. */
typedef struct {
    uint32_t track;   /* message of which it is the header */
    uint32_t address; /* where the header lay */
    JmWord word;
    uint64_t cycle;
} Read;

struct Tracker {
    Search search; /* first: the observer gets it */
    JmDebug *d;
    TrackNote *note;
    void *context;
    Track *track; /* [0] is not a message */
    size_t count, capacity;
    uint32_t free;    /* first of the free tracks; 0: none */
    uint32_t serials; /* assigned so far */
    uint32_t *number; /* by number in the network */
    size_t numbers, number_capacity;
    uint32_t *task;           /* by node * 2 + priority */
    Read *read;               /* by node * 3 + context */
    uint32_t bucket[BUCKETS]; /* hash table by node and address of headers */
};

/* ---- the tables ------------------------------------------------------------------ */

static uint32_t *bucket_of(Tracker *t, unsigned node, uint32_t address) {
    const uint32_t mixed = (node << 20 ^ node >> 12 ^ address) * UINT32_C(0x9E3779B1);
    return &t->bucket[mixed >> 18 & (BUCKETS - 1)];
}

static uint32_t find(const Tracker *t, unsigned node, uint32_t address) {
    uint32_t i = *bucket_of((Tracker *)(uintptr_t)t, node, address);
    while (i && (t->track[i].destination != node || t->track[i].address != address))
        i = t->track[i].next;
    return i;
}

static void unlink_track(Tracker *t, uint32_t index) {
    Track *track = &t->track[index];
    uint32_t *link = bucket_of(t, track->destination, track->address);
    while (*link && *link != index)
        link = &t->track[*link].next;
    if (*link)
        *link = track->next;
}

static void link_track(Tracker *t, uint32_t index, uint32_t address, TrackState state) {
    Track *track = &t->track[index];
    track->address = address;
    track->state = state;
    uint32_t *link = bucket_of(t, track->destination, address);
    track->next = *link;
    *link = index;
}

static uint32_t new_track(Tracker *t, Track start) {
    uint32_t index = t->free;
    if (index) {
        t->free = t->track[index].next;
    } else {
        t->track =
            heap_grow(t->d->heap, t->track, t->count, &t->capacity, sizeof *t->track);
        index = (uint32_t)t->count++;
    }
    start.placed_cycle = start.arrived = start.dispatched = TRACK_NEVER;
    start.next = 0;
    if (!start.serial) /* a copy keeps that of its message */
        start.serial = ++t->serials;
    t->track[index] = start;
    return index;
}

static void free_track(Tracker *t, uint32_t index) {
    Track *track = &t->track[index];
    if (track->state == TRACK_WAITS || track->state == TRACK_LEFT)
        unlink_track(t, index);
    track->state = TRACK_GONE;
    track->next = t->free;
    t->free = index;
}

static void set_number(Tracker *t, uint32_t number, uint32_t index) {
    while (t->numbers <= number) {
        t->number = heap_grow(t->d->heap, t->number, t->numbers, &t->number_capacity,
                              sizeof *t->number);
        t->number[t->numbers++] = NO_TRACK;
    }
    t->number[number] = index;
}

static void tell(Tracker *t, uint32_t index, TrackStep step, const JmEvent *event) {
    if (t->note)
        t->note(t->context, &t->track[index], step, event);
}

/* ---- events ---------------------------------------------------------------------- */

static void open_message(Tracker *t, const JmEvent *e) {
    const uint32_t index = new_track(t, (Track){.state = TRACK_SENT,
                                                .number = e->message,
                                                .source = e->node,
                                                .destination = e->destination,
                                                .priority = e->priority,
                                                .sender = e->context,
                                                .sent_at = e->address,
                                                .opened = e->cycle});
    set_number(t, e->message, index);
    tell(t, index, TRACK_OPENS, e);
}

/* Returns the track of the message that has a number now. A return-to-sender unit opens
 * messages too, without an event: then the number is another message's. */
static uint32_t track_of(const Tracker *t, uint32_t number) {
    const uint32_t index = number < t->numbers ? t->number[number] : NO_TRACK;
    const Track *track = &t->track[index];
    NetMessageState m;
    const bool same = net_message_state(netif_network(t->d->machine), number, &m) &&
                      m.opened_cycle == track->opened && m.source == track->source &&
                      m.destination == track->destination;
    return same ? index : NO_TRACK;
}

/* A header that waited here is overwritten: its message is lost. */
static void overwrite(Tracker *t, const JmEvent *e) {
    const uint32_t index = find(t, e->node, e->address);
    if (!index)
        return;
    if (t->track[index].state == TRACK_WAITS)
        tell(t, index, TRACK_LOST, e);
    free_track(t, index);
}

static void row_word(Tracker *t, const JmEvent *e) {
    overwrite(t, e);
    const uint32_t index = track_of(t, e->message);
    Track *track = &t->track[index];
    if (!index || track->placed)
        return;
    track->placed = true;
    track->placed_cycle = e->cycle;
    track->header = e->word;
    track->first = e->address;
    link_track(t, index, e->address, TRACK_WAITS);
    tell(t, index, TRACK_PLACED, e);
}

static bool lies_in_queue(const JmDebug *d, unsigned node, unsigned priority,
                          uint32_t address) {
    const Priority *q = &node_at(d, node)->priority[priority];
    return (address & ~jm_field10(q->qbm)) == jm_field20(q->qbm);
}

static void place_by_software(Tracker *t, uint32_t index, uint32_t address,
                              const JmEvent *e) {
    Track *track = &t->track[index];
    const uint32_t there = find(t, track->destination, address);
    if (there)
        free_track(t, there);
    track->placed_cycle = track->arrived = track->opened;
    track->first = address;
    link_track(t, index, address, TRACK_WAITS);
    tell(t, index, TRACK_PLACED, e);
}

/* Begins a message that software puts into a queue, as the kernel does its token.
 * `copied`: the software has read the header elsewhere, so the message is older than
 * the interval. */
static void header_by_program(Tracker *t, const JmEvent *e, bool copied) {
    for (unsigned p = 0; p < 2 && !copied; p++) {
        if (jm_tag(e->word) != JM_TAG_MSG ||
            !lies_in_queue(t->d, e->node, p, e->address))
            continue;
        const uint32_t index = new_track(t, (Track){.origin = BY_PROGRAM,
                                                    .placed = true,
                                                    .source = e->node,
                                                    .destination = e->node,
                                                    .priority = p,
                                                    .sent_at = e->where,
                                                    .opened = e->cycle,
                                                    .header = e->word});
        place_by_software(t, index, e->address, e);
    }
}

/* Moves a message away from its place. The old place stays known as long as its words
 * are there. */
static void leave(Tracker *t, uint32_t index, uint32_t moved_to) {
    unlink_track(t, index);
    const Track left = t->track[index];
    const uint32_t copy = new_track(t, left);
    t->track[copy].placed_cycle = left.placed_cycle;
    t->track[copy].arrived = left.arrived;
    t->track[copy].moved_to = moved_to;
    link_track(t, copy, left.address, TRACK_LEFT);
}

static void write_word(Tracker *t, const JmEvent *e) {
    Read *read = &t->read[e->node * 3 + e->context];
    const uint32_t index = read->track;
    Track *track = &t->track[index];
    const bool copied = jm_same(read->word, e->word) && e->cycle > read->cycle &&
                        e->cycle - read->cycle <= COPY_CYCLES;
    const bool moves = copied && track->state == TRACK_WAITS &&
                       track->address == read->address && read->address != e->address;
    *read = (Read){.track = NO_TRACK, .word = JM_NIL};
    overwrite(t, e);
    if (!moves) {
        header_by_program(t, e, copied);
        return;
    }
    leave(t, index, e->address);
    link_track(t, index, e->address, TRACK_WAITS);
    tell(t, index, TRACK_MOVED, e);
}

static void read_word(Tracker *t, const JmEvent *e) {
    const uint32_t index = find(t, e->node, e->address);
    const bool header = t->track[index].state == TRACK_WAITS &&
                        jm_same(t->track[index].header, e->word);
    t->read[e->node * 3 + e->context] =
        (Read){header ? index : NO_TRACK, e->address, e->word, e->cycle};
}

static void begin_task(Tracker *t, const JmEvent *e) {
    uint32_t *task = &t->task[e->node * 2 + e->priority];
    *task = find(t, e->node, e->where);
    if (t->track[*task].state != TRACK_WAITS)
        *task = NO_TRACK;
    if (!*task)
        return;
    Track *track = &t->track[*task];
    unlink_track(t, *task);
    track->state = TRACK_RUNS;
    track->dispatched = e->cycle;
    tell(t, *task, TRACK_BEGINS, e);
}

static void end_task(Tracker *t, const JmEvent *e) {
    uint32_t *task = &t->task[e->node * 2 + e->priority];
    if (!*task)
        return;
    tell(t, *task, TRACK_ENDS, e);
    free_track(t, *task);
    *task = NO_TRACK;
}

/* A message has arrived; its last row is written right after this event. */
static void has_arrived(Tracker *t, const JmEvent *e) {
    const uint32_t index = track_of(t, e->message);
    if (!index)
        return;
    t->track[index].arrived = e->cycle;
    tell(t, index, TRACK_ARRIVED, e);
}

static bool follow(void *context, const JmEvent *e) {
    Tracker *t = context;
    if (e->kind == JM_EVENT_SEND && e->opens)
        open_message(t, e);
    else if (e->kind == JM_EVENT_ARRIVE)
        has_arrived(t, e);
    else if (e->kind == JM_EVENT_DISPATCH)
        begin_task(t, e);
    else if (e->kind == JM_EVENT_SUSPEND)
        end_task(t, e);
    else if (e->kind == JM_EVENT_READ && e->access == JM_ACCESS_OPERAND)
        read_word(t, e);
    else if (e->kind == JM_EVENT_WRITE && e->by_network)
        row_word(t, e);
    else if (e->kind == JM_EVENT_WRITE)
        write_word(t, e);
    if (t->note)
        t->note(t->context, NULL, TRACK_OTHER, e);
    return false;
}

/* ---- manual changes -------------------------------------------------------------- */

/* Follows `edit`: removes and moves messages as it does. */
static void queue_was_edited(Tracker *t, const Change *change) {
    const Priority *q = &node_at(t->d, change->node)->priority[change->priority];
    const uint32_t head = jm_field20(q->qhl), mask = jm_field10(q->qbm);
    const uint32_t length = jm_field10(q->qhl);
    uint32_t found[NODE_QUEUE_MAX_WORDS / NODE_ROW_WORDS], moved = 0;
    for (uint32_t at = change->first; at < length; at += NODE_ROW_WORDS) {
        const uint32_t address = node_queue_address(q, head + at);
        const uint32_t index = find(t, change->node, address);
        if (!index)
            continue;
        if (change->drops && at == change->first) {
            tell(t, index, TRACK_DROPPED, NULL);
            free_track(t, index);
            continue;
        }
        t->track[index].header = change->drops || at != change->first
                                     ? t->track[index].header
                                     : change->words[0];
        if (at == change->first)
            continue;
        unlink_track(t, index);
        t->track[index].address = (at + (uint32_t)change->shift) & mask;
        found[moved++] = index;
    }
    while (moved--)
        link_track(t, found[moved],
                   node_queue_address(q, head + t->track[found[moved]].address),
                   t->track[found[moved]].state);
}

void tracker_change(Tracker *t, const Change *change) {
    const Priority *q = &node_at(t->d, change->node)->priority[change->priority];
    if (change->kind == CHANGE_QUEUE) {
        queue_was_edited(t, change);
    } else if (change->kind == CHANGE_MEMORY) {
        const uint32_t index = find(t, change->node, change->address);
        if (index)
            t->track[index].header = change->word;
    } else if (change->kind == CHANGE_MESSAGE) {
        const uint64_t now = t->d->machine->now;
        const uint32_t index = new_track(t, (Track){.origin = BY_HAND,
                                                    .placed = true,
                                                    .source = change->node,
                                                    .destination = change->node,
                                                    .priority = change->priority,
                                                    .opened = now,
                                                    .header = change->words[0]});
        place_by_software(t, index, node_queue_place(q, jm_field10(q->qhl)), NULL);
    }
}

/* ---- creation -------------------------------------------------------------------- */

/* Adds the messages that are in flight when the interval begins. Their origin is known,
 * but not the address of the header of one that has begun to arrive. */
static void add_messages_in_flight(Tracker *t) {
    const Net *net = netif_network(t->d->machine);
    const uint32_t limit = net_message_numbers(net);
    for (uint32_t i = 0; i < limit; i++) {
        NetMessageState m;
        if (!net_message_state(net, i, &m))
            continue;
        set_number(t, i,
                   new_track(t, (Track){.state = TRACK_SENT,
                                        .placed = m.words_delivered >= NODE_ROW_WORDS,
                                        .number = i,
                                        .source = m.source,
                                        .destination = m.destination,
                                        .priority = m.priority,
                                        .sent_at = UINT32_MAX,
                                        .opened = m.opened_cycle}));
    }
}

#define KIND(name) (UINT32_C(1) << JM_EVENT_##name)

Tracker *tracker_begin(JmDebug *d, TrackNote *note, void *context, bool faults) {
    Tracker *t = heap_alloc(d->heap, sizeof *t);
    t->d = d;
    t->search =
        (Search){.note = follow,
                 .messages = true,
                 .kinds = KIND(SEND) | KIND(ARRIVE) | KIND(DISPATCH) | KIND(SUSPEND) |
                          KIND(READ) | KIND(WRITE) | (faults ? KIND(FAULT) : 0)};
    t->note = note;
    t->context = context;
    t->task = heap_alloc(d->heap, d->machine->nodes * 2 * sizeof *t->task);
    t->read = heap_alloc(d->heap, d->machine->nodes * 3 * sizeof *t->read);
    t->track = heap_grow(d->heap, t->track, 0, &t->capacity, sizeof *t->track);
    t->track[t->count++] = (Track){.state = TRACK_NONE};
    add_messages_in_flight(t);
    stops_see_queues(d);
    d->stops->search = &t->search;
    d->past->tracker = t;
    return t;
}

void tracker_end(Tracker *t) {
    if (!t)
        return;
    JmDebug *d = t->d;
    if (d->past->tracker == t) {
        d->past->tracker = NULL;
        d->stops->search = NULL;
    }
    heap_free(t->track);
    heap_free(t->number);
    heap_free(t->task);
    heap_free(t->read);
    heap_free(t);
}

static const Track *track_or_null(const Tracker *t, uint32_t index) {
    return index ? &t->track[index] : NULL;
}

const Track *tracker_at(const Tracker *t, unsigned node, uint32_t address) {
    return track_or_null(t, find(t, node, address));
}

const Track *tracker_task(const Tracker *t, unsigned node, unsigned priority) {
    return track_or_null(t, t->task[node * 2 + priority]);
}

const Track *tracker_number(const Tracker *t, uint32_t number) {
    return number < t->numbers ? track_or_null(t, t->number[number]) : NULL;
}

/* ---- messages of a queue --------------------------------------------------------- */

bool queue_next(const JmDebug *d, unsigned node, unsigned priority,
                JmDebugMessage *item) {
    const Priority *queue = &node_at(d, node)->priority[priority];
    const uint32_t head = jm_field20(queue->qhl), length = jm_field10(queue->qhl);
    const bool first = item->room == 0;
    const uint32_t position = item->position + item->room;
    if (position >= length || (!first && !item->good))
        return false;
    const uint32_t address = node_queue_address(queue, head + position);
    const JmWord header = jm_read(d->machine, node, address);
    const uint32_t words = jm_field10(jm_data(header)), left = length - position;
    *item = (JmDebugMessage){.index = first ? 0 : item->index + 1,
                             .position = position,
                             .address = address,
                             .words = words,
                             .header = header,
                             .good = jm_tag(header) == JM_TAG_MSG && words > 0,
                             .whole = node_in_rows(words) <= left,
                             .runs = position == 0 && queue->active};
    item->room = item->good && item->whole ? node_in_rows(words) : left;
    item->there = item->whole ? words : item->room;
    return true;
}
