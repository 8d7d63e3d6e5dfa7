/* `queue`: the contents of queues, as messages, and the age of each. */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"

enum { WORDS_SHOWN = 8 };

/* A look back covers at most this many cycles divided by the nodes: about a second. */
static const uint64_t LOOK_BACK = UINT64_C(1) << 25;

/* ---- ages ------------------------------------------------------------------------ */

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
                             const QueueItem *item) {
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
            QueueItem item = {.index = 0};
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
    if (!any || d->past->travel.off || now == d->past->travel.moments[0].cycle)
        return;
    l->oldest = now > far ? now - far : 0;
    if (l->oldest < d->past->travel.moments[0].cycle)
        l->oldest = d->past->travel.moments[0].cycle;
    Here here = travel_leave(d);
    l->tracker = tracker_look_back(d, now, l->oldest, all_are_known, l);
    travel_return(d, &here);
}

/* Writes how old a message is, "age 42, sent 54 ago by node 3". For a message older
 * than the look back only that is printed, whether or not this look happens to have
 * found it: otherwise the answer would depend on the existing checkpoints. */
static void age_text(const Listing *l, unsigned node, unsigned priority,
                     const QueueItem *item, char *text, size_t size) {
    *text = '\0';
    if (!l->tracker)
        return;
    const uint64_t now = l->d->machine->now;
    const Track *track = track_of(l->tracker, node, priority, item);
    if (!track || track->placed_cycle == TRACK_NEVER || track->placed_cycle < l->oldest)
        snprintf(text, size, "age %s %" PRIu64,
                 l->oldest == l->d->past->travel.moments[0].cycle ? "at least" : "over",
                 now - l->oldest);
    else if (track->origin == BY_NETWORK)
        snprintf(text, size, "age %" PRIu64 ", sent %" PRIu64 " ago by node %u",
                 now - track->placed_cycle, now - track->opened, track->source);
    else
        snprintf(text, size, "age %" PRIu64 ", put there by %s",
                 now - track->placed_cycle,
                 track->origin == BY_HAND ? "hand" : "the program");
    if (track && track->state == TRACK_LEFT)
        snprintf(text + strlen(text), size - strlen(text), ", copied to %05" PRIX32,
                 track->moved_to);
}

/* ---- listing --------------------------------------------------------------------- */

static void say_words(JmDebug *d, unsigned node, const Priority *queue, uint32_t first,
                      uint32_t count) {
    for (uint32_t i = 0; i < count && i < WORDS_SHOWN; i++) {
        char text[32];
        jm_word_print(jm_read(d->machine, node, node_queue_address(queue, first + i)),
                      text, sizeof text);
        say(d, "%s%s", i == 4 ? "\n          " : " ", text);
    }
    say(d, count > WORDS_SHOWN ? " ...\n" : "\n");
}

/* Whether the head of the queue is not the message whose task runs. The handler of the
 * kernel's token overwrites its own message with another. */
static bool is_in_place_of_task(const Listing *l, unsigned node, unsigned priority,
                                const QueueItem *item) {
    const Track *task = l->tracker ? tracker_task(l->tracker, node, priority) : NULL;
    return task && !jm_same(task->header, item->header);
}

/* Prints a message or, where there is no header, the rest of the queue as words. */
static void say_item(const Listing *l, unsigned node, unsigned priority,
                     const QueueItem *item) {
    JmDebug *d = l->d;
    const Priority *queue = &node_at(d, node)->priority[priority];
    const uint32_t first = jm_field20(queue->qhl) + item->position;
    char text[LONG_TEXT], age[SHORT_TEXT];
    if (!item->good) {
        say(d, "    %05" PRIX32 " no header:", item->address);
        say_words(d, node, queue, first, item->room);
        return;
    }
    const size_t start = d->out.length;
    say(d, "    %05" PRIX32 " %s%s%s", item->address,
        word_text(d, item->header, text, sizeof text),
        !item->runs                                    ? ""
        : is_in_place_of_task(l, node, priority, item) ? ", over the one that runs"
                                                       : ", runs",
        item->whole ? "" : ", arriving");
    age_text(l, node, priority, item, age, sizeof age);
    const size_t width = d->out.length - start + strlen(age) + 2;
    if (*age)
        say(d, "%s%s", width < d->host.columns ? "; " : "\n          ", age);
    say(d, "\n");
    const uint32_t words = item->whole ? item->words : item->room;
    if (words > 1) {
        say(d, "         ");
        say_words(d, node, queue, first + 1, words - 1);
    }
}

static void say_queue(const Listing *l, unsigned node, unsigned priority) {
    JmDebug *d = l->d;
    const Node *n = node_at(d, node);
    const Priority *queue = &n->priority[priority];
    const bool disabled = (queue->qbm & JM_ADDR_INVALID) != 0;
    QueueItem item = {.index = 0};
    if (disabled && !queue->gathered && !jm_field10(queue->qhl)) {
        say(d, "  queue %u is disabled\n", priority);
        return;
    }
    say(d, "  queue %u: %" PRIu32 " of %" PRIu32 " words at %05" PRIX32 "%s%s%s\n",
        priority, node_queue_length(n, priority), node_queue_size(n, priority),
        jm_field20(queue->qbm), disabled ? ", disabled" : "", gate_text(n, priority),
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
    while (queue_next(d, node, priority, &item))
        say_item(l, node, priority, &item);
    if (queue->gathered)
        say(d, "    %u word%s of the next row %s arrived\n", queue->gathered,
            plural(queue->gathered), queue->gathered == 1 ? "has" : "have");
}

/* Prints the queues of one node or, of several nodes, the queues that are not empty. */
static void say_listing(const Listing *l) {
    JmDebug *d = l->d;
    char name[SHORT_TEXT];
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
        say(d, "%s\n", node_text(d, i, name, sizeof name));
        say_queue(l, i, 0);
        say_queue(l, i, 1);
    }
    if (empty)
        say(d, "the queues of %s%u node%s are empty\n", empty == nodes ? "all " : "",
            empty, plural(empty));
}

bool cmd_queue(JmDebug *d, Args *args) {
    Listing l = {.d = d};
    if (!take_nodes_or_selected(args, &l.set))
        return false;
    const bool good = expect_end(args);
    if (good) {
        find_ages(&l);
        say_listing(&l);
        tracker_end(l.tracker);
    }
    nodeset_free(&l.set);
    return good;
}
