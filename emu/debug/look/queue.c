/* `queue`: the contents of queues, as messages, and the age of each. */
#include <string.h>

#include "emu/debug/look/look.h"

enum { WORDS_SHOWN = 8 };

/* A look back covers at most this many cycles divided by the nodes: about a second. */
static const uint64_t LOOK_BACK = UINT64_C(1) << 25;

/* ---- ages ------------------------------------------------------------------------ */

/* How far the age of a message in a queue is known. */
typedef enum {
    AGE_UNKNOWN,  /* time travel is off, or nothing has run */
    AGE_OVER,     /* it was there when the look back began */
    AGE_AT_LEAST, /* it was there when the past began */
    AGE_KNOWN
} AgeKind;

/* A message of a queue, or, where there is no header, the rest of the queue. */
typedef struct {
    JmDebugMessage item;
    bool in_place; /* it has replaced the message whose task runs */
    AgeKind kind;
    uint64_t age; /* cycles since its first row arrived, or that were looked back */
    Track track;  /* KNOWN: where it comes from */
    uint32_t copied_to; /* its header has been copied there; UINT32_MAX: no */
} Queued;

/* A listing of the queues of some nodes. */
typedef struct {
    JmDebug *d;
    NodeSet set;
    uint64_t oldest;  /* cycle before which nothing is known */
    Tracker *tracker; /* NULL: ages are unknown */
} Listing;

/* Returns what is known of a message of a queue: the running one by its task, others by
 * their address. NULL: nothing. */
static const Track *track_of(const Tracker *t, unsigned node, unsigned priority,
                             const JmDebugMessage *item) {
    const Track *task = item->runs ? tracker_task(t, node, priority) : NULL;
    if (task && jm_same(task->header, item->header))
        return task;
    return tracker_at(t, node, item->address);
}

/* Whether the messages of all listed queues are known, so that looking further back
 * would add nothing. */
static bool all_are_known(void *context, const Tracker *t) {
    const Listing *l = context;
    for (unsigned node = 0; node < l->d->machine->nodes; node++) {
        for (unsigned p = 0; p < 2 && nodeset_has(&l->set, node); p++) {
            JmDebugMessage item = {.index = 0};
            while (queue_next(l->d, node, p, &item))
                if (item.good && !track_of(t, node, p, &item))
                    return false;
        }
    }
    return true;
}

static bool is_empty(const JmDebug *d, unsigned node) {
    const Node *n = node_at(d, node);
    return !node_queue_length(n, 0) && !node_queue_length(n, 1) &&
           !n->priority[0].gathered && !n->priority[1].gathered;
}

/* Follows messages through the past up to the present, then returns to it. */
static void find_ages(Listing *l) {
    JmDebug *d = l->d;
    const uint64_t now = d->machine->now, far = LOOK_BACK / d->machine->nodes;
    bool any = false;
    for (unsigned i = 0; i < d->machine->nodes; i++)
        any |= nodeset_has(&l->set, i) && !is_empty(d, i);
    if (!any || d->past->travel.off || now == travel_begin(d))
        return;
    l->oldest = now > far ? now - far : 0;
    if (l->oldest < travel_begin(d))
        l->oldest = travel_begin(d);
    Here here = travel_leave(d);
    l->tracker = tracker_look_back(d, now, l->oldest, all_are_known, l);
    travel_return(d, &here);
}

/* Makes the structure of a message in a queue. One older than the look back counts as
 * such, whether or not this look happens to have found it: otherwise the answer would
 * depend on the existing checkpoints. */
static Queued queued(const Listing *l, unsigned node, unsigned priority,
                     const JmDebugMessage *item) {
    Queued q = {.item = *item, .copied_to = UINT32_MAX};
    if (!l->tracker)
        return q;
    const uint64_t now = l->d->machine->now;
    const Track *track = track_of(l->tracker, node, priority, item);
    const Track *task = item->runs ? tracker_task(l->tracker, node, priority) : NULL;
    q.in_place = task && !jm_same(task->header, item->header);
    if (track)
        q.track = *track;
    const bool known =
        track && track->placed_cycle != TRACK_NEVER && track->placed_cycle >= l->oldest;
    q.kind = known                             ? AGE_KNOWN
             : l->oldest == travel_begin(l->d) ? AGE_AT_LEAST
                                               : AGE_OVER;
    q.age = now - (known ? track->placed_cycle : l->oldest);
    if (track && track->state == TRACK_LEFT)
        q.copied_to = track->moved_to;
    return q;
}

/* ---- printing -------------------------------------------------------------------- */

/* Writes how old a message is: "age 42, sent 54 ago by node 3". */
static void age_text(const JmDebug *d, const Queued *q, Text *text) {
    if (q->kind == AGE_UNKNOWN)
        return;
    text_add(text, "age %s%" PRIu64,
             q->kind == AGE_KNOWN  ? ""
             : q->kind == AGE_OVER ? "over "
                                   : "at least ",
             q->age);
    if (q->kind == AGE_KNOWN && q->track.origin == BY_NETWORK)
        text_add(text, ", sent %" PRIu64 " ago by node %u",
                 d->machine->now - q->track.opened, q->track.source);
    else if (q->kind == AGE_KNOWN)
        text_add(text, ", put there by %s",
                 q->track.origin == BY_HAND ? "hand" : "the program");
    if (q->copied_to != UINT32_MAX)
        text_add(text, ", copied to %05" PRIX32, q->copied_to);
}

static void say_words(JmDebug *d, unsigned node, const Priority *queue, uint32_t first,
                      uint32_t count) {
    for (uint32_t i = 0; i < count && i < WORDS_SHOWN; i++)
        say(d, "%s%s", i == 4 ? "\n          " : " ",
            bits_text(d,
                      jm_read(d->machine, node, node_queue_address(queue, first + i))));
    say(d, count > WORDS_SHOWN ? " ...\n" : "\n");
}

/* Prints a message or, where there is no header, the rest of the queue as words. */
static void say_queued(JmDebug *d, unsigned node, unsigned priority, const Queued *q) {
    const JmDebugMessage *item = &q->item;
    const Priority *queue = &node_at(d, node)->priority[priority];
    const uint32_t first = jm_field20(queue->qhl) + item->position;
    Text age = {.heap = d->work};
    if (!item->good) {
        say(d, "    %05" PRIX32 " no header:", item->address);
        say_words(d, node, queue, first, item->room);
        return;
    }
    const size_t start = d->out.length;
    say(d, "    %05" PRIX32 " %s%s%s", item->address, word_text(d, item->header),
        !item->runs   ? ""
        : q->in_place ? ", over the one that runs"
                      : ", runs",
        item->whole ? "" : ", arriving");
    age_text(d, q, &age);
    const size_t width = d->out.length - start + age.length + 2;
    if (age.length)
        say(d, "%s%s", width < d->host.columns ? "; " : "\n          ", age.bytes);
    say(d, "\n");
    if (item->there > 1) {
        say(d, "         ");
        say_words(d, node, queue, first + 1, item->there - 1);
    }
}

static void say_queue(const Listing *l, unsigned node, unsigned priority) {
    JmDebug *d = l->d;
    const Node *n = node_at(d, node);
    const Priority *queue = &n->priority[priority];
    const bool disabled = (queue->qbm & JM_ADDR_INVALID) != 0;
    const char *gate = gate_text(d, node, priority, "closed");
    JmDebugMessage item = {.index = 0};
    if (disabled && !queue->gathered && !jm_field10(queue->qhl)) {
        say(d, "  queue %u is disabled\n", priority);
        return;
    }
    say(d, "  queue %u: %" PRIu32 " of %" PRIu32 " words at %05" PRIX32 "%s%s%s%s\n",
        priority, node_queue_length(n, priority), node_queue_size(n, priority),
        jm_field20(queue->qbm), disabled ? ", disabled" : "",
        gate ? ", its input is " : "", gate ? gate : "",
        queue->active ? ", a task is active" : "");
    JmNodeStatistics s;
    jm_node_statistics(d->machine, node, &s);
    if (priority == 0 && s.spilled_now)
        say(d, "    %" PRIu64 " words more in the ring of spilled rows\n",
            s.spilled_now);
    if (priority == 0 && s.rts_peak)
        say(d,
            "    return memory: %" PRIu64 " words reserved, %" PRIu64
            " messages came back, %" PRIu64 " of them sent again\n",
            s.rts_reserved, s.returns_in, s.resent);
    while (queue_next(d, node, priority, &item)) {
        const Queued message = queued(l, node, priority, &item);
        say_queued(d, node, priority, &message);
    }
    if (queue->gathered)
        say(d, "    %u word%s of the next row %s arrived\n", queue->gathered,
            plural(queue->gathered), queue->gathered == 1 ? "has" : "have");
}

/* Prints the queues of one node or, of several nodes, the queues that are not empty. */
static void say_listing(const Listing *l) {
    JmDebug *d = l->d;
    unsigned nodes = 0, empty = 0;
    for (unsigned i = 0; i < d->machine->nodes; i++)
        nodes += nodeset_has(&l->set, i);
    for (unsigned i = 0; i < d->machine->nodes; i++) {
        if (!nodeset_has(&l->set, i))
            continue;
        if (nodes > 1 && is_empty(d, i)) {
            empty++;
            continue;
        }
        say(d, "%s\n", node_text(d, i));
        say_queue(l, i, 0);
        say_queue(l, i, 1);
    }
    if (empty)
        say(d, "the queues of %s%u node%s are empty\n", empty == nodes ? "all " : "",
            empty, plural(empty));
}

bool cmd_queue(JmDebug *d, Args *args) {
    Listing l = {.d = d};
    if (!take_nodes_or_selected(args, &l.set) || !expect_end(args))
        return false;
    find_ages(&l);
    say_listing(&l);
    tracker_end(l.tracker);
    return true;
}
