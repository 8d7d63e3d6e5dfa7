/* `history`: finds the message that is meant and prints its life. The message may be in
 * flight, in a queue, in memory to which an overflow has moved it, in its task, or
 * gone: except for messages in flight this takes a replay. */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"
#include "net/net.h"

enum {
    CYCLES_BETWEEN_ASKS = 1024, /* between checks for Ctrl-C */
    PATH_LEFT_FREE = 36         /* columns for the cycle and one more hop */
};

/* Why the head of a message does not move. */
typedef enum {
    WAIT_NONE,
    WAIT_HELD,
    WAIT_FULL,
    WAIT_QUEUE,
    WAIT_WIRE,
    WAIT_BLOCKED
} WaitKind;

typedef struct {
    WaitKind kind;
    int32_t before; /* channel that the head wants; -1: the queue */
    uint32_t by;    /* HELD: number of the message that holds it */
} Wait;

/* A fault that is taken repeatedly, printed once with a count. */
typedef struct {
    unsigned node, fault;
    uint32_t address;
    uint64_t first, last, count;
    bool sends; /* by the sender */
} Repeats;

/* A message, and how far its history has been printed. */
typedef struct {
    JmDebug *d;
    Track which; /* the message */
    bool begun, arrived, closed, gone;
    TrackState state;
    uint32_t address; /* address of its header */
    uint32_t words;   /* words sent so far, from the SENDs in the past */
    bool all_words;   /* all its SENDs are in the past, so `words` is complete */
    uint64_t since;   /* cycle of the last event */
    /* The following fields are about its path through the network. */
    int32_t head; /* channel of its head; -1: the output buffer */
    bool stays;   /* the head was there at the start of the last cycle and could have
                   moved */
    Wait wait;
    uint64_t waited;     /* cycles that the head has waited */
    Text path;           /* channels entered since the last line */
    uint64_t path_cycle; /* cycle of the first of them */
    unsigned path_node;  /* the last node of the path so far */
    Repeats repeats;
} Life;

/* ---- faults that repeat ---------------------------------------------------------- */

static void say_repeats(Life *l) {
    Repeats *r = &l->repeats;
    JmDebug *d = l->d;
    char place[LONG_TEXT], name[SHORT_TEXT];
    if (!r->count)
        return;
    say(d, "%10" PRIu64 "  %s %s ", r->first, node_text(d, r->node, name, sizeof name),
        r->sends ? "cannot send, its output buffer is full:" : "takes a");
    say(d, "%s fault", jm_fault_name(r->fault));
    if (r->count > 1)
        say(d, ", %" PRIu64 " times to cycle %" PRIu64, r->count, r->last);
    say(d, " at %s\n", place_text(d, r->address, true, place, sizeof place));
    r->count = 0;
}

static void note_fault(Life *l, const JmEvent *e, bool sends) {
    Repeats *r = &l->repeats;
    const bool again = r->count && r->node == e->node && r->fault == e->fault &&
                       r->address == e->address;
    if (!again) {
        say_repeats(l);
        *r = (Repeats){.node = e->node,
                       .fault = e->fault,
                       .address = e->address,
                       .first = e->cycle,
                       .sends = sends};
    }
    r->last = e->cycle;
    r->count++;
}

/* ---- through the network --------------------------------------------------------- */

static const Net *network(const Life *l) {
    return netif_network(l->d->machine);
}

static void say_path(Life *l) {
    if (l->path.length)
        say(l->d, "%10" PRIu64 "  head: %s\n", l->path_cycle, text_get(&l->path));
    text_clear(&l->path);
}

static void say_wait(Life *l) {
    const Wait *w = &l->wait;
    char place[SHORT_TEXT], before[SHORT_TEXT];
    if (!l->waited)
        return;
    say_path(l);
    say(l->d, "%10" PRIu64 "  waits %" PRIu64 " cycle%s in %s: ",
        l->d->machine->now - l->waited - 1, l->waited, plural(l->waited),
        l->head < 0 ? "the output buffer" : channel_name(l->d, l->head, place));
    if (w->before >= 0)
        channel_name(l->d, w->before, before);
    if (w->kind == WAIT_HELD)
        say(l->d, "%s is held by message %" PRIu32 "\n", before, w->by);
    else if (w->kind == WAIT_FULL)
        say(l->d, "%s is full\n", before);
    else if (w->kind == WAIT_BLOCKED)
        say(l->d, "the wire to %s is blocked\n", before);
    else if (w->kind == WAIT_WIRE && l->head < 0)
        say(l->d, "others go first\n");
    else if (w->kind == WAIT_WIRE)
        say(l->d, "%s or the wire to it was another's\n", before);
    else
        say(l->d, "the queue was closed\n");
    l->waited = 0;
}

static void enter(Life *l, uint32_t channel) {
    say_repeats(l);
    say_wait(l);
    if (l->path.length + PATH_LEFT_FREE > l->d->host.columns)
        say_path(l);
    if (!l->path.length)
        l->path_cycle = l->d->machine->now - 1;
    path_add(l->d, &l->path, &l->path_node, channel);
    l->head = (int32_t)channel;
    l->stays = false;
}

/* Returns what keeps the head from `channel`, given the network's state between two
 * cycles. */
static Wait wait_before(const Life *l, int32_t channel) {
    if (channel < 0)
        return (Wait){.kind = WAIT_QUEUE, .before = -1};
    const NetChannelState next = net_channel_state(network(l), (uint32_t)channel);
    Wait wait = {.kind = WAIT_WIRE, .before = channel};
    if (l->head >= 0 && net_channel_state(network(l), (uint32_t)l->head).wire_blocked) {
        wait.kind = WAIT_BLOCKED;
    } else if (next.owned) {
        wait.kind = WAIT_HELD;
        wait.by = next.owner;
    } else if (next.flits) {
        wait.kind = WAIT_FULL;
    }
    return wait;
}

static bool same_wait(const Wait *a, const Wait *b) {
    return a->kind == b->kind && a->before == b->before && a->by == b->by;
}

/* Records that the head could have moved in the last cycle, and did not. */
static void stay(Life *l, int32_t next, bool can_move) {
    if (l->stays)
        l->waited++;
    const Wait wait = wait_before(l, next);
    if (!same_wait(&wait, &l->wait)) {
        say_wait(l);
        l->wait = wait;
    }
    l->stays = can_move;
}

/* Finds the head of a message that was in flight when the past begins. */
static void find_head(Life *l) {
    const Net *net = network(l);
    for (uint32_t i = 0; i < net_channel_count(net); i++) {
        const NetChannelState c = net_channel_state(net, i);
        if (!c.owned || c.owner != l->which.number)
            continue;
        const bool leads =
            c.next < 0 ||
            net_channel_state(net, (uint32_t)c.next).owner != l->which.number;
        if (leads || l->head < 0)
            l->head = (int32_t)i;
    }
}

static void follow_head(Life *l, int32_t first) {
    const Net *net = network(l);
    const uint32_t number = l->which.number;
    int32_t next = first;
    bool can_move = true;
    if (l->head >= 0) {
        const NetChannelState c = net_channel_state(net, (uint32_t)l->head);
        next = c.next;
        can_move = c.flits && c.front_message == number && c.front_is_head;
        if (next < 0)
            can_move &= !node_at(l->d, c.node)->priority[c.priority].gate;
    }
    if (next >= 0) {
        const NetChannelState c = net_channel_state(net, (uint32_t)next);
        if (c.owned && c.owner == number) {
            enter(l, (uint32_t)next);
            return;
        }
    }
    NetMessageState m;
    const bool known = net_message_state(net, number, &m);
    if (l->head < 0) /* it leaves when four words or the tail are there */
        can_move = known && (m.closed || m.words_offered >= 3);
    if (known && m.words_delivered) {
        say_wait(l);
        l->stays = false;
        return;
    }
    stay(l, next, can_move);
}

static void note_closed(Life *l) {
    NetMessageState m;
    if (l->closed || !net_message_state(network(l), l->which.number, &m) || !m.closed)
        return;
    l->closed = true;
    say_repeats(l);
    say_path(l);
    say(l->d, "%10" PRIu64 "  its tail is in the output buffer: %" PRIu32 " word%s\n",
        l->d->machine->now - 1, m.words_offered, plural(m.words_offered));
}

/* Advances cycle by cycle while the header is in flight. */
static bool follow_flits(Life *l, uint64_t end) {
    JmDebug *d = l->d;
    const int32_t first = (int32_t)first_channel(
        d, l->which.source, l->which.destination, l->which.priority);
    bool good = true;
    stops_arm(d, false);
    while (good && d->machine->now < end && l->state <= TRACK_SENT && !l->gone) {
        travel_apply_due(d);
        const JmStop stop = run_machine(d, d->machine->now + 1);
        if (l->begun && l->state == TRACK_SENT) {
            note_closed(l);
            follow_head(l, first);
        }
        if (stop != JM_STOP_NONE && stop != JM_STOP_BREAK)
            break;
        if (d->machine->now % CYCLES_BETWEEN_ASKS == 0)
            good = !is_interrupted(d);
    }
    machine_watch(d->machine, NULL);
    return good;
}

/* ---- its events ------------------------------------------------------------------ */

static bool is_ours(const Life *l, const Track *t) {
    if (!t || t->origin != l->which.origin || t->opened != l->which.opened)
        return false;
    return t->origin == BY_NETWORK
               ? t->number == l->which.number
               : t->destination == l->which.destination && t->first == l->which.first;
}

/* Prints what a node does and where. The place gets a line of its own if both do not
 * fit one. */
static void say_event(Life *l, const JmEvent *e, const char *what) {
    char place[LONG_TEXT], name[SHORT_TEXT];
    say_repeats(l);
    const size_t start = l->d->out.length;
    say(l->d, "%10" PRIu64 "  %s %s", e->cycle,
        node_text(l->d, e->node, name, sizeof name), what);
    place_text(l->d, e->kind == JM_EVENT_WRITE ? e->where : e->address, true, place,
               sizeof place);
    const size_t width = l->d->out.length - start + strlen(" at ") + strlen(place);
    say(l->d, width < l->d->host.columns ? " at %s\n" : "\n            at %s\n", place);
}

/* Returns how many messages are before it in its queue. */
static unsigned messages_before(const Life *l, uint32_t address) {
    QueueItem item = {.index = 0};
    while (queue_next(l->d, l->which.destination, l->which.priority, &item))
        if (item.address == address)
            return item.index;
    return 0;
}

static void note_length(Life *l, const Track *t) {
    const uint32_t length = jm_field10(jm_data(t->header));
    if (l->all_words && jm_tag(t->header) == JM_TAG_MSG && length != l->words)
        say(l->d,
            "            its header says %" PRIu32 " word%s, but %" PRIu32 " %s sent\n",
            length, plural(length), l->words, l->words == 1 ? "was" : "were");
}

static void note_placed(Life *l, const Track *t) {
    JmDebug *d = l->d;
    char name[SHORT_TEXT], word[LONG_TEXT];
    const unsigned before = messages_before(l, t->address);
    const bool sent = t->origin == BY_NETWORK;
    say_repeats(l);
    say_wait(l);
    say_path(l);
    node_text(d, t->destination, name, sizeof name);
    say(d, "%10" PRIu64 "  %s queue %u of %s at %05" PRIX32, t->placed_cycle,
        !sent        ? "comes into"
        : l->arrived ? "arrives whole in"
                     : "begins to arrive in",
        t->priority, name, t->address);
    if (before)
        say(d, ", behind %u message%s", before, plural(before));
    say(d, "\n%12s%s\n", "", word_text(d, t->header, word, sizeof word));
    if (t->origin == BY_HAND)
        say(d, "%12sput there by hand\n", "");
    if (t->origin == BY_PROGRAM)
        say(d, "%12sput there by the program at %s\n", "",
            place_text(d, t->sent_at, true, word, sizeof word));
    if (l->arrived)
        note_length(l, t);
    l->state = TRACK_WAITS;
    l->since = t->placed_cycle;
}

static void note_arrived(Life *l, const Track *t) {
    l->arrived = true;
    if (!t->placed)
        return;
    say_repeats(l);
    say(l->d,
        "%10" PRIu64 "  has arrived whole, %" PRIu64 " cycles after it was opened\n",
        t->arrived, t->arrived - t->opened);
    note_length(l, t);
}

static void note_moved(Life *l, const Track *t, const JmEvent *e) {
    const Priority *q = &node_at(l->d, t->destination)->priority[t->priority];
    const uint32_t base = jm_field20(q->qbm), mask = jm_field10(q->qbm);
    char text[80];
    const bool was_in = (l->address & ~mask) == base,
               is_in = (t->address & ~mask) == base;
    snprintf(text, sizeof text,
             "moves it %sto %05" PRIX32 " after %" PRIu64 " cycle%s,",
             was_in && !is_in   ? "out of the queue, "
             : is_in && !was_in ? "back into the queue, "
                                : "",
             t->address, e->cycle - l->since, plural(e->cycle - l->since));
    say_event(l, e, text);
    l->since = e->cycle;
}

static void note_task(Life *l, const Track *t, TrackStep step, const JmEvent *e) {
    char text[80];
    if (step == TRACK_BEGINS)
        snprintf(text, sizeof text, "dispatches it after %" PRIu64 " cycle%s,",
                 e->cycle - l->since, plural(e->cycle - l->since));
    else
        snprintf(text, sizeof text, "suspends, %" PRIu64 " cycles after the dispatch,",
                 e->cycle - t->dispatched);
    say_event(l, e, text);
    l->state = step == TRACK_BEGINS ? TRACK_RUNS : TRACK_GONE;
    l->gone = step == TRACK_ENDS;
}

/* By JmRedirection. */
static const char *const opened_texts[] = {"opens it", "opens it at priority 1 by mark",
                                           "opens it at priority 1 by escape"};

/* Records faults of the message's sender and of its task, and words sent. */
static void note_other(Life *l, const JmEvent *e) {
    const Track *w = &l->which;
    if (e->kind == JM_EVENT_SEND && l->begun && !l->arrived && !e->opens &&
        w->origin == BY_NETWORK && e->message == w->number && e->node == w->source)
        l->words += e->count;
    if (e->kind == JM_EVENT_DISPATCH && l->state == TRACK_RUNS && w->priority == 0 &&
        e->node == w->destination && e->priority == 1)
        say_event(l, e, "interrupts it with priority 1,");
    if (e->kind != JM_EVENT_FAULT)
        return;
    const bool sends = l->begun && l->state == TRACK_SENT && !l->closed &&
                       e->fault == JM_FAULT_SEND && e->node == w->source &&
                       e->context == w->sender;
    const bool runs = l->state == TRACK_RUNS && e->node == w->destination &&
                      (unsigned)e->context == w->priority;
    if (sends || runs)
        note_fault(l, e, sends);
}

static void note(void *context, Track *track, TrackStep step, const JmEvent *e) {
    Life *l = context;
    if (step == TRACK_OTHER && !l->gone)
        note_other(l, e);
    if (!is_ours(l, track) || l->gone)
        return;
    switch (step) {
    case TRACK_OPENS:
        l->begun = l->all_words = true;
        l->state = TRACK_SENT;
        l->words = e->count - 1; /* without the routing word */
        l->which.sender = e->context;
        say_event(l, e, opened_texts[e->redirected]);
        break;
    case TRACK_PLACED:
        l->begun = true;
        note_placed(l, track);
        break;
    case TRACK_ARRIVED:
        note_arrived(l, track);
        break;
    case TRACK_MOVED:
        note_moved(l, track, e);
        break;
    case TRACK_BEGINS:
    case TRACK_ENDS:
        note_task(l, track, step, e);
        break;
    case TRACK_LOST:
        say_event(l, e, "overwrites its header: it is lost");
        l->gone = true;
        break;
    default:
        say(l->d, "%10" PRIu64 "  is dropped by hand\n", l->d->machine->now);
        l->gone = true;
    }
    l->address = track->address;
}

/* ---- printing -------------------------------------------------------------------- */

static void say_now(Life *l) {
    JmDebug *d = l->d;
    const uint64_t now = d->machine->now;
    say_repeats(l);
    if (!l->gone && l->state <= TRACK_SENT) {
        say_wait(l);
        say_path(l);
    }
    if (l->gone)
        return;
    if (l->state <= TRACK_SENT)
        say(d, "%10" PRIu64 "  it is in the network; `messages` shows where\n", now);
    else if (l->state == TRACK_RUNS)
        say(d, "%10" PRIu64 "  its task has not ended\n", now);
    else
        say(d,
            "%10" PRIu64 "  it has waited at %05" PRIX32 " for %" PRIu64 " cycle%s\n",
            now, l->address, now - l->since, plural(now - l->since));
}

/* Continues in pieces, so that little is run in vain after its task has ended. */
static bool follow_to_end(Life *l, uint64_t end) {
    enum { PIECE = 1 << 16 };
    RunEnd reached = END_REACHED;
    JmDebug *d = l->d;
    while (!l->gone && d->machine->now < end && reached == END_REACHED) {
        const uint64_t piece = d->machine->now + PIECE;
        reached = run_to(d, piece < end ? piece : end, false);
    }
    return reached != END_INTERRUPTED;
}

/* Prints the history of a message from its beginning to the present. False and a
 * message: interrupted. */
static bool life_tell(JmDebug *d, const Track *which) {
    const uint64_t end = d->machine->now, begin = d->past->travel.moments[0].cycle;
    Life l = {.d = d,
              .path.heap = d->heap,
              .which = *which,
              .head = -1,
              .wait = {.kind = WAIT_NONE}};
    Here here = travel_leave(d);
    travel_restore(d, travel_moment(d, which->opened > begin ? which->opened : begin));
    Tracker *tracker = tracker_begin(d, note, &l, true);
    const Track *there = tracker_number(tracker, which->number);
    if (which->origin == BY_NETWORK && is_ours(&l, there)) {
        say(d, "%10" PRIu64 "  was on its way when the past begins\n", begin);
        l.begun = true;
        l.closed = there->sent_at == UINT32_MAX;
        l.state = TRACK_SENT;
        l.since = begin;
        find_head(&l);
    }
    bool good = which->opened <= d->machine->now ||
                run_to(d, which->opened, false) != END_INTERRUPTED;
    if (good && which->origin == BY_NETWORK)
        good = follow_flits(&l, end);
    if (good)
        good = follow_to_end(&l, end);
    tracker_end(tracker);
    say_now(&l);
    text_free(&l.path);
    travel_return(d, &here);
    return good || fail(d, "interrupted");
}

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

/* Twice as far back each time, so that the total is hardly more than the last run. */
Tracker *tracker_look_back(JmDebug *d, uint64_t end, uint64_t oldest,
                           TrackEnough *enough, void *context) {
    const uint64_t begin = d->past->travel.moments[0].cycle;
    uint64_t want = end ? end - 1 : 0;
    for (;;) {
        const Moment *moment = travel_moment(d, want > begin ? want : begin);
        const uint64_t start = moment->cycle;
        travel_restore(d, moment);
        Tracker *t = tracker_begin(d, NULL, NULL, false);
        const bool interrupted = run_to(d, end, false) == END_INTERRUPTED;
        if (!interrupted && (start == begin || start <= oldest || enough(context, t))) {
            d->past->tracker = NULL; /* later runs are not followed */
            d->stops->search = NULL;
            return t;
        }
        tracker_end(t);
        if (interrupted)
            return NULL;
        want = end - start < start ? start - (end - start) : 0;
    }
}
