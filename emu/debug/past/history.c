/* `history`: finds the message that is meant; life.c prints its history. The message
 * may be in flight, in a queue, in memory to which an overflow has moved it, in its
 * task, or gone: except for messages in flight this takes a replay. */
#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/commands.h"
#include "emu/debug/talk/names.h"
#include "net/net.h"

const Track *wanted_track(const Wanted *w, const Tracker *t) {
    return w->task ? tracker_task(t, w->node, w->priority)
                   : tracker_at(t, w->node, w->address);
}

static bool is_known(void *context, const Tracker *t) {
    return wanted_track(context, t) != NULL;
}

bool origin_of_task(JmDebug *d, unsigned node, unsigned priority, uint64_t end,
                    Track *origin) {
    Wanted w = {.d = d, .node = node, .priority = priority, .task = true};
    Tracker *t = tracker_look_back(d, end, 0, is_known, &w);
    const Track *found = t ? wanted_track(&w, t) : NULL;
    *origin = found ? *found : (Track){.state = TRACK_NONE};
    tracker_end(t);
    return t != NULL || fail(d, "interrupted");
}

/* Finds the message in the past, returns to the present, and prints its history. */
static bool history_of(JmDebug *d, Wanted *w) {
    Here here = travel_leave(d);
    Tracker *t = tracker_look_back(d, d->machine->now, 0, is_known, w);
    const Track *found = t ? wanted_track(w, t) : NULL;
    const Track which = found ? *found : (Track){.state = TRACK_NONE};
    const bool interrupted = !t;
    tracker_end(t);
    travel_return(d, &here);
    if (interrupted)
        return fail(d, "interrupted");
    if (which.state == TRACK_NONE)
        return fail(d, "its beginning is not known: it was there in cycle %" PRIu64,
                    d->past->travel.moments[0].cycle);
    return life_tell(d, &which);
}

static bool take_task(JmDebug *d, Args *args, Wanted *w) {
    w->task = true;
    if (!at_end(args) && (!take_node(args, &w->node) || !expect_end(args)))
        return false;
    w->priority = jm_running(d->machine, w->node);
    return w->priority != JM_CONTEXT_BACKGROUND ||
           fail(d, "no task runs at node %u", w->node);
}

bool take_queue_item(Args *args, unsigned *node, unsigned *priority, QueueItem *item) {
    int64_t number;
    if (!take_node(args, node) || !take_number(args, "the priority", 0, 1, &number))
        return false;
    *priority = (unsigned)number;
    skip_blanks(args);
    const char *at = args->at;
    if (!take_number(args, "the message", 0, NODE_QUEUE_MAX_WORDS, &number))
        return false;
    *item = (QueueItem){.index = 0};
    while (queue_next(args->d, *node, *priority, item) && item->good)
        if (item->index == number)
            return true;
    if (!node_queue_length(node_at(args->d, *node), *priority))
        return fail_at(args, at, "queue %u of node %u is empty", *priority, *node);
    return fail_at(args, at,
                   "there is no message %" PRId64
                   " in queue %u of node %u; 0 is the first",
                   number, *priority, *node);
}

static bool take_queued(Args *args, Wanted *w) {
    QueueItem item;
    if (!take_queue_item(args, &w->node, &w->priority, &item) || !expect_end(args))
        return false;
    w->address = item.address;
    w->task = item.runs;
    return true;
}

/* Finds whether the message of a number was opened in a cycle of the past. */
static bool find_opening(JmDebug *d, uint64_t cycle, Track *which) {
    NetMessageState m;
    Here here = travel_leave(d);
    travel_restore(d, travel_moment(d, cycle));
    run_to(d, cycle + 1, false);
    const bool found =
        net_message_state(netif_network(d->machine), which->number, &m) &&
        m.opened_cycle == cycle;
    travel_return(d, &here);
    if (found)
        *which = (Track){.number = which->number,
                         .source = m.source,
                         .destination = m.destination,
                         .priority = m.priority,
                         .opened = cycle};
    return found;
}

/* Takes a message by its number. A number belongs to one message while it is in flight
 * and to another later, so for a message of the past the cycle in which it was opened
 * must be given. */
static bool take_numbered(JmDebug *d, Args *args, Wanted *w) {
    int64_t number, cycle = -1;
    NetMessageState m;
    skip_blanks(args);
    const char *at = args->at;
    if (!take_number(args, "a message", 0, UINT32_MAX, &number))
        return false;
    if (take_word(args, "from") &&
        !take_number(args, "the cycle", (int64_t)d->past->travel.moments[0].cycle,
                     (int64_t)d->machine->now, &cycle))
        return false;
    if (!expect_end(args))
        return false;
    const bool flies =
        net_message_state(netif_network(d->machine), (uint32_t)number, &m);
    if (cycle < 0 && !flies)
        return fail_at(args, at,
                       "no message %" PRId64 " is in flight; `help history` says how "
                       "to name one that has arrived",
                       number);
    w->numbered = true;
    w->message = (Track){.number = (uint32_t)number};
    if (!flies || (cycle >= 0 && m.opened_cycle != (uint64_t)cycle))
        return find_opening(d, (uint64_t)cycle, &w->message) ||
               fail_at(args, at, "no message %" PRId64 " was opened in cycle %" PRId64,
                       number, cycle);
    w->message.source = m.source;
    w->message.destination = m.destination;
    w->message.priority = m.priority;
    w->message.opened = m.opened_cycle;
    return true;
}

bool take_wanted(JmDebug *d, Args *args, Wanted *w) {
    *w = (Wanted){.d = d, .node = d->node};
    if (take_word(args, "task"))
        return take_task(d, args, w);
    if (take_word(args, "queue"))
        return take_queued(args, w);
    if (take_word(args, "at"))
        return take_word_of_node(args, &w->node, &w->address) && expect_end(args);
    return take_numbered(d, args, w);
}

bool cmd_history(JmDebug *d, Args *args) {
    Wanted w;
    if (!travel_has_past(d) || !take_wanted(d, args, &w))
        return false;
    return w.numbered ? life_tell(d, &w.message) : history_of(d, &w);
}
