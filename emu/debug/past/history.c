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

/* A step in the life of a message. Steps from OPENED to LOST are what a node does. */
typedef enum {
    LIFE_FLEW,    /* it was in flight when the past begins */
    LIFE_FAULTS,  /* its sender or its task takes `fault`, `count` times up to `last` */
    LIFE_HOP,     /* its head enters `channel` */
    LIFE_WAITS,   /* its head waits in `channel` for `count` cycles */
    LIFE_CLOSED,  /* its tail is in the output buffer: `count` words */
    LIFE_PLACED,  /* it is in the queue, or begins to be, behind `count` messages */
    LIFE_LENGTH,  /* its header says `count` words, `last` were sent; no cycle */
    LIFE_ARRIVED, /* it is whole, `count` cycles after it was opened */
    LIFE_OPENED,  /* SEND opens it */
    LIFE_MOVED,   /* software moves its header to `address` after `count` cycles */
    LIFE_BEGINS,  /* it is dispatched after `count` cycles */
    LIFE_INTERRUPTED, /* a dispatch of priority 1 interrupts its task */
    LIFE_ENDS,        /* SUSPEND, `count` cycles after the dispatch */
    LIFE_LOST,        /* its header is overwritten */
    LIFE_DROPPED,     /* by hand */
    LIFE_FLIES,       /* now: it is in the network */
    LIFE_RUNS,        /* now: its task has not ended */
    LIFE_RESTS        /* now: it has been at `address` for `count` cycles */
} LifeKind;

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
    LifeKind kind;
    uint64_t cycle, count, last;
    unsigned node;            /* FAULTS, OPENED to LOST: where, */
    uint32_t place;           /* and at which instruction */
    uint32_t address;         /* of its header */
    JmFault fault;            /* FAULTS */
    bool sends;               /* FAULTS: of the sender */
    int32_t channel;          /* HOP, WAITS; -1: the output buffer */
    WaitKind wait;            /* WAITS: why, */
    int32_t wanted;           /* for which channel; -1: the queue */
    uint32_t holder;          /* HELD: number of the message that holds it */
    bool whole;               /* PLACED: in one piece */
    Track track;              /* PLACED: the message then */
    bool was_in, is_in;       /* MOVED: in the queue, before and after */
    JmRedirection redirected; /* OPENED */
} LifeStep;

typedef struct {
    LifeStep *steps;
    size_t count, capacity;
} Life;

/* A message that is followed, and how far its life is known. */
typedef struct {
    JmDebug *d;
    Life *life;
    Track which; /* the message */
    bool begun, arrived, closed, gone;
    TrackState state;
    uint32_t address; /* address of its header */
    uint32_t words;   /* words sent so far, from the SENDs in the past */
    bool all_words;   /* all its SENDs are in the past, so `words` is complete */
    uint64_t since;   /* cycle of the last event */
    /* The following fields are about its path through the network. */
    int32_t head;    /* channel of its head; -1: the output buffer */
    bool stays;      /* the head was there at the start of the last cycle and could have
                     moved */
    LifeStep wait;   /* why the head waits; `count` cycles so far */
    LifeStep faults; /* a fault taken `count` times so far */
} Follower;

static void add(Follower *f, LifeStep step) {
    Life *life = f->life;
    life->steps = heap_grow(f->d->work, life->steps, life->count, &life->capacity,
                            sizeof *life->steps);
    life->steps[life->count++] = step;
}

/* ---- faults that repeat ---------------------------------------------------------- */

/* Adds the fault that was taken repeatedly. */
static void add_faults(Follower *f) {
    if (f->faults.count)
        add(f, f->faults);
    f->faults.count = 0;
}

static void note_fault(Follower *f, const JmEvent *e, bool sends) {
    LifeStep *r = &f->faults;
    const bool again = r->count && r->node == e->node && r->fault == e->fault &&
                       r->place == e->address;
    if (!again) {
        add_faults(f);
        *r = (LifeStep){.kind = LIFE_FAULTS,
                        .node = e->node,
                        .fault = e->fault,
                        .place = e->address,
                        .cycle = e->cycle,
                        .sends = sends};
    }
    r->last = e->cycle;
    r->count++;
}

/* ---- through the network --------------------------------------------------------- */

static const Net *network(const Follower *f) {
    return netif_network(f->d->machine);
}

/* Adds the wait of the head that has ended. */
static void add_wait(Follower *f) {
    if (!f->wait.count)
        return;
    f->wait.kind = LIFE_WAITS;
    f->wait.cycle = f->d->machine->now - f->wait.count - 1;
    f->wait.channel = f->head;
    add(f, f->wait);
    f->wait.count = 0;
}

static void enter(Follower *f, uint32_t channel) {
    add_faults(f);
    add_wait(f);
    add(f, (LifeStep){.kind = LIFE_HOP,
                      .cycle = f->d->machine->now - 1,
                      .channel = (int32_t)channel});
    f->head = (int32_t)channel;
    f->stays = false;
}

/* Returns what keeps the head from `channel`, given the network's state between two
 * cycles. */
static LifeStep wait_before(const Follower *f, int32_t channel) {
    if (channel < 0)
        return (LifeStep){.wait = WAIT_QUEUE, .wanted = -1};
    const NetChannelState next = net_channel_state(network(f), (uint32_t)channel);
    LifeStep wait = {.wait = WAIT_WIRE, .wanted = channel};
    if (f->head >= 0 && net_channel_state(network(f), (uint32_t)f->head).wire_blocked) {
        wait.wait = WAIT_BLOCKED;
    } else if (next.owned) {
        wait.wait = WAIT_HELD;
        wait.holder = next.owner;
    } else if (next.flits) {
        wait.wait = WAIT_FULL;
    }
    return wait;
}

static bool same_wait(const LifeStep *a, const LifeStep *b) {
    return a->wait == b->wait && a->wanted == b->wanted && a->holder == b->holder;
}

/* Records that the head could have moved in the last cycle, and did not. */
static void stay(Follower *f, int32_t next, bool can_move) {
    if (f->stays)
        f->wait.count++;
    const LifeStep wait = wait_before(f, next);
    if (!same_wait(&wait, &f->wait)) {
        add_wait(f);
        f->wait = wait;
    }
    f->stays = can_move;
}

/* Finds the head of a message that was in flight when the past begins. */
static void find_head(Follower *f) {
    const Net *net = network(f);
    for (uint32_t i = 0; i < net_channel_count(net); i++) {
        const NetChannelState c = net_channel_state(net, i);
        if (!c.owned || c.owner != f->which.number)
            continue;
        const bool leads =
            c.next < 0 ||
            net_channel_state(net, (uint32_t)c.next).owner != f->which.number;
        if (leads || f->head < 0)
            f->head = (int32_t)i;
    }
}

static void follow_head(Follower *f, int32_t first) {
    const Net *net = network(f);
    const uint32_t number = f->which.number;
    int32_t next = first;
    bool can_move = true;
    if (f->head >= 0) {
        const NetChannelState c = net_channel_state(net, (uint32_t)f->head);
        next = c.next;
        can_move = c.flits && c.front_message == number && c.front_is_head;
        if (next < 0)
            can_move &= !node_at(f->d, c.node)->priority[c.priority].gate;
    }
    if (next >= 0) {
        const NetChannelState c = net_channel_state(net, (uint32_t)next);
        if (c.owned && c.owner == number) {
            enter(f, (uint32_t)next);
            return;
        }
    }
    NetMessageState m;
    const bool known = net_message_state(net, number, &m);
    if (f->head < 0) /* it leaves when four words or the tail are there */
        can_move = known && (m.closed || m.words_offered >= 3);
    if (known && m.words_delivered) {
        add_wait(f);
        f->stays = false;
        return;
    }
    stay(f, next, can_move);
}

static void note_closed(Follower *f) {
    NetMessageState m;
    if (f->closed || !net_message_state(network(f), f->which.number, &m) || !m.closed)
        return;
    f->closed = true;
    add_faults(f);
    add(f, (LifeStep){.kind = LIFE_CLOSED,
                      .cycle = f->d->machine->now - 1,
                      .count = m.words_offered});
}

/* Advances cycle by cycle while the header is in flight. */
static bool follow_flits(Follower *f, uint64_t end) {
    JmDebug *d = f->d;
    const int32_t first = (int32_t)first_channel(
        d, f->which.source, f->which.destination, f->which.priority);
    bool good = true;
    stops_arm(d, false);
    while (good && d->machine->now < end && f->state <= TRACK_SENT && !f->gone) {
        travel_apply_due(d);
        const JmStop stop = run_machine(d, d->machine->now + 1);
        if (f->begun && f->state == TRACK_SENT) {
            note_closed(f);
            follow_head(f, first);
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

static bool is_ours(const Follower *f, const Track *t) {
    if (!t || t->origin != f->which.origin || t->opened != f->which.opened)
        return false;
    return t->origin == BY_NETWORK
               ? t->number == f->which.number
               : t->destination == f->which.destination && t->first == f->which.first;
}

/* Adds what an instruction or the hardware of a node does. */
static void add_event(Follower *f, const JmEvent *e, LifeStep step) {
    add_faults(f);
    step.cycle = e->cycle;
    step.node = e->node;
    step.place = e->kind == JM_EVENT_WRITE ? e->where : e->address;
    add(f, step);
}

/* Returns how many messages are before it in its queue. */
static unsigned messages_before(const Follower *f, uint32_t address) {
    JmDebugMessage item = {.index = 0};
    while (queue_next(f->d, f->which.destination, f->which.priority, &item))
        if (item.address == address)
            return item.index;
    return 0;
}

static void note_length(Follower *f, const Track *t) {
    const uint32_t length = jm_field10(jm_data(t->header));
    if (f->all_words && jm_tag(t->header) == JM_TAG_MSG && length != f->words)
        add(f, (LifeStep){.kind = LIFE_LENGTH, .count = length, .last = f->words});
}

static void note_placed(Follower *f, const Track *t) {
    add_faults(f);
    add_wait(f);
    add(f, (LifeStep){.kind = LIFE_PLACED,
                      .cycle = t->placed_cycle,
                      .count = messages_before(f, t->address),
                      .whole = f->arrived,
                      .track = *t});
    if (f->arrived)
        note_length(f, t);
    f->state = TRACK_WAITS;
    f->since = t->placed_cycle;
}

static void note_arrived(Follower *f, const Track *t) {
    f->arrived = true;
    if (!t->placed)
        return;
    add_faults(f);
    add(f, (LifeStep){.kind = LIFE_ARRIVED,
                      .cycle = t->arrived,
                      .count = t->arrived - t->opened});
    note_length(f, t);
}

static void note_moved(Follower *f, const Track *t, const JmEvent *e) {
    const Priority *q = &node_at(f->d, t->destination)->priority[t->priority];
    const uint32_t base = jm_field20(q->qbm), mask = jm_field10(q->qbm);
    add_event(f, e,
              (LifeStep){.kind = LIFE_MOVED,
                         .address = t->address,
                         .was_in = (f->address & ~mask) == base,
                         .is_in = (t->address & ~mask) == base,
                         .count = e->cycle - f->since});
    f->since = e->cycle;
}

static void note_opened(Follower *f, const JmEvent *e) {
    f->begun = f->all_words = true;
    f->state = TRACK_SENT;
    f->words = e->count - 1; /* without the routing word */
    f->which.sender = e->context;
    add_event(
        f, e,
        (LifeStep){.kind = LIFE_OPENED, .redirected = (JmRedirection)e->redirected});
}

/* Records faults of the message's sender and of its task, and words sent. */
static void note_other(Follower *f, const JmEvent *e) {
    const Track *w = &f->which;
    if (e->kind == JM_EVENT_SEND && f->begun && !f->arrived && !e->opens &&
        w->origin == BY_NETWORK && e->message == w->number && e->node == w->source)
        f->words += e->count;
    if (e->kind == JM_EVENT_DISPATCH && f->state == TRACK_RUNS && w->priority == 0 &&
        e->node == w->destination && e->priority == 1)
        add_event(f, e, (LifeStep){.kind = LIFE_INTERRUPTED});
    if (e->kind != JM_EVENT_FAULT)
        return;
    const bool sends = f->begun && f->state == TRACK_SENT && !f->closed &&
                       e->fault == JM_FAULT_SEND && e->node == w->source &&
                       e->context == w->sender;
    const bool runs = f->state == TRACK_RUNS && e->node == w->destination &&
                      (unsigned)e->context == w->priority;
    if (sends || runs)
        note_fault(f, e, sends);
}

static void note(void *context, Track *track, TrackStep step, const JmEvent *e) {
    Follower *f = context;
    if (step == TRACK_OTHER && !f->gone)
        note_other(f, e);
    if (!is_ours(f, track) || f->gone)
        return;
    switch (step) {
    case TRACK_OPENS:
        note_opened(f, e);
        break;
    case TRACK_PLACED:
        f->begun = true;
        note_placed(f, track);
        break;
    case TRACK_ARRIVED:
        note_arrived(f, track);
        break;
    case TRACK_MOVED:
        note_moved(f, track, e);
        break;
    case TRACK_BEGINS:
        add_event(f, e, (LifeStep){.kind = LIFE_BEGINS, .count = e->cycle - f->since});
        f->state = TRACK_RUNS;
        break;
    case TRACK_ENDS:
        add_event(f, e,
                  (LifeStep){.kind = LIFE_ENDS, .count = e->cycle - track->dispatched});
        f->gone = true;
        break;
    case TRACK_LOST:
        add_event(f, e, (LifeStep){.kind = LIFE_LOST});
        f->gone = true;
        break;
    default:
        add(f, (LifeStep){.kind = LIFE_DROPPED, .cycle = f->d->machine->now});
        f->gone = true;
    }
    f->address = track->address;
}

/* ---- the whole life -------------------------------------------------------------- */

/* Adds what the message does at the end of the past. */
static void note_now(Follower *f) {
    const uint64_t now = f->d->machine->now;
    add_faults(f);
    if (f->gone)
        return;
    if (f->state <= TRACK_SENT)
        add_wait(f);
    add(f, (LifeStep){.kind = f->state <= TRACK_SENT   ? LIFE_FLIES
                              : f->state == TRACK_RUNS ? LIFE_RUNS
                                                       : LIFE_RESTS,
                      .cycle = now,
                      .address = f->address,
                      .count = now - f->since});
}

/* Continues in pieces, so that little is replayed after its task has ended. */
static bool follow_to_end(Follower *f, uint64_t end) {
    enum { PIECE = 1 << 16 };
    JmDebugEnd reached = JM_DEBUG_REACHED;
    JmDebug *d = f->d;
    while (!f->gone && d->machine->now < end && reached == JM_DEBUG_REACHED) {
        const uint64_t piece = d->machine->now + PIECE;
        reached = run_to(d, piece < end ? piece : end, false);
    }
    return reached != JM_DEBUG_INTERRUPTED;
}

/* Begins with a message that is in flight when the past begins. */
static void begin_in_flight(Follower *f, const Track *there, uint64_t begin) {
    add(f, (LifeStep){.kind = LIFE_FLEW, .cycle = begin});
    f->begun = true;
    f->closed = there->sent_at == UINT32_MAX;
    f->state = TRACK_SENT;
    f->since = begin;
    find_head(f);
}

/* Finds the life of a message from its beginning to the present. False: interrupted,
 * and the life is not complete. */
static bool life_of(JmDebug *d, const Track *which, Life *life) {
    const uint64_t end = d->machine->now, begin = travel_begin(d);
    Follower f = {.d = d, .life = life, .which = *which, .head = -1};
    *life = (Life){.steps = NULL};
    Here here = travel_leave(d);
    travel_restore(d, travel_moment(d, which->opened > begin ? which->opened : begin));
    Tracker *tracker = tracker_begin(d, note, &f, true);
    const Track *there = tracker_number(tracker, which->number);
    if (which->origin == BY_NETWORK && is_ours(&f, there))
        begin_in_flight(&f, there, begin);
    bool good = which->opened <= d->machine->now ||
                run_to(d, which->opened, false) != JM_DEBUG_INTERRUPTED;
    if (good && which->origin == BY_NETWORK)
        good = follow_flits(&f, end);
    if (good)
        good = follow_to_end(&f, end);
    tracker_end(tracker);
    note_now(&f);
    travel_return(d, &here);
    return good;
}

/* ---- printing -------------------------------------------------------------------- */

/* The channels entered since the last line of a life. */
typedef struct {
    Text text;
    uint64_t cycle; /* of the first of them */
    unsigned node;  /* the last node of the path so far */
} Path;

static void say_path(JmDebug *d, Path *path) {
    if (path->text.length)
        say(d, "%10" PRIu64 "  head: %s\n", path->cycle, text_get(&path->text));
    text_clear(&path->text);
}

static void say_hop(JmDebug *d, const LifeStep *s, Path *path) {
    if (path->text.length + PATH_LEFT_FREE > d->host.columns)
        say_path(d, path);
    if (!path->text.length)
        path->cycle = s->cycle;
    path_add(d, &path->text, &path->node, (uint32_t)s->channel);
}

static void say_faults(JmDebug *d, const LifeStep *s) {
    say(d, "%10" PRIu64 "  %s %s %s fault", s->cycle, node_text(d, s->node),
        s->sends ? "cannot send, its output buffer is full:" : "takes a",
        jm_fault_name(s->fault));
    if (s->count > 1)
        say(d, ", %" PRIu64 " times to cycle %" PRIu64, s->count, s->last);
    say(d, " at %s\n", place_text(d, s->place, true));
}

static void say_wait(JmDebug *d, const LifeStep *s) {
    const char *wanted = s->wanted >= 0 ? channel_name(d, s->wanted) : "";
    say(d, "%10" PRIu64 "  waits %" PRIu64 " cycle%s in %s: ", s->cycle, s->count,
        plural(s->count),
        s->channel < 0 ? "the output buffer" : channel_name(d, s->channel));
    if (s->wait == WAIT_HELD)
        say(d, "%s is held by message %" PRIu32 "\n", wanted, s->holder);
    else if (s->wait == WAIT_FULL)
        say(d, "%s is full\n", wanted);
    else if (s->wait == WAIT_BLOCKED)
        say(d, "the wire to %s is blocked\n", wanted);
    else if (s->wait == WAIT_WIRE && s->channel < 0)
        say(d, "others go first\n");
    else if (s->wait == WAIT_WIRE)
        say(d, "%s or the wire to it was another's\n", wanted);
    else
        say(d, "the queue was closed\n");
}

static void say_placed(JmDebug *d, const LifeStep *s) {
    const Track *t = &s->track;
    say(d, "%10" PRIu64 "  %s queue %u of %s at %05" PRIX32, s->cycle,
        t->origin != BY_NETWORK ? "comes into"
        : s->whole              ? "arrives whole in"
                                : "begins to arrive in",
        t->priority, node_text(d, t->destination), t->address);
    if (s->count)
        say(d, ", behind %" PRIu64 " message%s", s->count, plural(s->count));
    say(d, "\n%12s%s\n", "", word_text(d, t->header));
    if (t->origin == BY_HAND)
        say(d, "%12sput there by hand\n", "");
    if (t->origin == BY_PROGRAM)
        say(d, "%12sput there by the program at %s\n", "",
            place_text(d, t->sent_at, true));
}

/* Writes what a node does in a step of an event. */
static void event_text(const LifeStep *s, Text *text) {
    /* by JmRedirection */
    static const char *const opened[] = {"opens it", "opens it at priority 1 by mark",
                                         "opens it at priority 1 by escape"};
    const char *cycles = plural(s->count);
    if (s->kind == LIFE_OPENED)
        text_add(text, "%s", opened[s->redirected]);
    else if (s->kind == LIFE_MOVED)
        text_add(text, "moves it %sto %05" PRIX32 " after %" PRIu64 " cycle%s,",
                 s->was_in && !s->is_in   ? "out of the queue, "
                 : s->is_in && !s->was_in ? "back into the queue, "
                                          : "",
                 s->address, s->count, cycles);
    else if (s->kind == LIFE_BEGINS)
        text_add(text, "dispatches it after %" PRIu64 " cycle%s,", s->count, cycles);
    else if (s->kind == LIFE_INTERRUPTED)
        text_add(text, "interrupts it with priority 1,");
    else if (s->kind == LIFE_ENDS)
        text_add(text, "suspends, %" PRIu64 " cycles after the dispatch,", s->count);
    else
        text_add(text, "overwrites its header: it is lost");
}

/* Prints what a node does and where. The place gets a line of its own if both do not
 * fit one. */
static void say_event(JmDebug *d, const LifeStep *s) {
    const char *place = place_text(d, s->place, true);
    Text text = {.heap = d->work};
    text_add(&text, "%10" PRIu64 "  %s ", s->cycle, node_text(d, s->node));
    event_text(s, &text);
    const size_t width = text.length + strlen(" at ") + strlen(place);
    say(d, "%s%sat %s\n", text.bytes, width < d->host.columns ? " " : "\n            ",
        place);
}

static void say_step(JmDebug *d, const LifeStep *s) {
    const uint64_t cycle = s->cycle, count = s->count;
    switch (s->kind) {
    case LIFE_FAULTS:
        say_faults(d, s);
        break;
    case LIFE_WAITS:
        say_wait(d, s);
        break;
    case LIFE_PLACED:
        say_placed(d, s);
        break;
    case LIFE_FLEW:
        say(d, "%10" PRIu64 "  was on its way when the past begins\n", cycle);
        break;
    case LIFE_CLOSED:
        say(d, "%10" PRIu64 "  its tail is in the output buffer: %" PRIu64 " word%s\n",
            cycle, count, plural(count));
        break;
    case LIFE_LENGTH:
        say(d,
            "            its header says %" PRIu64 " word%s, but %" PRIu64 " %s sent\n",
            count, plural(count), s->last, s->last == 1 ? "was" : "were");
        break;
    case LIFE_ARRIVED:
        say(d,
            "%10" PRIu64 "  has arrived whole, %" PRIu64 " cycles after it was "
            "opened\n",
            cycle, count);
        break;
    case LIFE_DROPPED:
        say(d, "%10" PRIu64 "  is dropped by hand\n", cycle);
        break;
    case LIFE_FLIES:
        say(d, "%10" PRIu64 "  it is in the network; `messages` shows where\n", cycle);
        break;
    case LIFE_RUNS:
        say(d, "%10" PRIu64 "  its task has not ended\n", cycle);
        break;
    case LIFE_RESTS:
        say(d,
            "%10" PRIu64 "  it has waited at %05" PRIX32 " for %" PRIu64 " cycle%s\n",
            cycle, s->address, count, plural(count));
        break;
    default:
        say_event(d, s);
    }
}

/* Gathers hops in lines. A line of faults is printed at once, before the line of hops
 * that is being gathered. */
static void say_life(JmDebug *d, const Life *life) {
    Path path = {.text.heap = d->work};
    for (size_t i = 0; i < life->count; i++) {
        const LifeStep *s = &life->steps[i];
        if (s->kind == LIFE_HOP) {
            say_hop(d, s, &path);
            continue;
        }
        if (s->kind != LIFE_FAULTS)
            say_path(d, &path);
        say_step(d, s);
    }
}

/* Prints the history of a message from its beginning to the present. False and a
 * message: interrupted. */
static bool tell(JmDebug *d, const Track *which) {
    Life life;
    const bool good = life_of(d, which, &life);
    say_life(d, &life);
    return good || fail(d, "interrupted");
}

/* ---- the message that is meant --------------------------------------------------- */

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
                    travel_begin(d));
    return tell(d, &which);
}

static bool take_task(JmDebug *d, Args *args, Wanted *w) {
    w->task = true;
    if (!at_end(args) && (!take_node(args, &w->node) || !expect_end(args)))
        return false;
    w->priority = jm_running(d->machine, w->node);
    return w->priority != JM_CONTEXT_BACKGROUND ||
           fail(d, "no task runs at node %u", w->node);
}

bool take_queue_item(Args *args, unsigned *node, unsigned *priority,
                     JmDebugMessage *item) {
    int64_t number;
    if (!take_node(args, node) || !take_number(args, "the priority", 0, 1, &number))
        return false;
    *priority = (unsigned)number;
    const char *at = next_at(args);
    if (!take_number(args, "the message", 0, NODE_QUEUE_MAX_WORDS, &number))
        return false;
    *item = (JmDebugMessage){.index = 0};
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
    JmDebugMessage item;
    if (!take_queue_item(args, &w->node, &w->priority, &item) || !expect_end(args))
        return false;
    w->address = item.address;
    w->task = item.runs;
    return true;
}

static Track track_in_flight(uint32_t number, const NetMessageState *m) {
    return (Track){.number = number,
                   .source = m->source,
                   .destination = m->destination,
                   .priority = m->priority,
                   .opened = m->opened_cycle};
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
        *which = track_in_flight(which->number, &m);
    return found;
}

/* Takes a message by its number. A number belongs to one message while it is in flight
 * and to another later, so for a message of the past the cycle in which it was opened
 * must be given. */
static bool take_numbered(JmDebug *d, Args *args, Wanted *w) {
    int64_t number, cycle = -1;
    NetMessageState m;
    const char *at = next_at(args);
    if (!take_number(args, "a message", 0, UINT32_MAX, &number))
        return false;
    if (take_word(args, "from") &&
        !take_number(args, "the cycle", (int64_t)travel_begin(d),
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
    w->message = track_in_flight((uint32_t)number, &m);
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
    return w.numbered ? tell(d, &w.message) : history_of(d, &w);
}

/* Twice as far back each time, so that the total is hardly more than the last run. */
Tracker *tracker_look_back(JmDebug *d, uint64_t end, uint64_t oldest,
                           TrackEnough *enough, void *context) {
    const uint64_t begin = travel_begin(d);
    uint64_t want = end ? end - 1 : 0;
    for (;;) {
        const Moment *moment = travel_moment(d, want > begin ? want : begin);
        const uint64_t start = moment->cycle;
        travel_restore(d, moment);
        Tracker *t = tracker_begin(d, NULL, NULL, false);
        const bool interrupted = run_to(d, end, false) == JM_DEBUG_INTERRUPTED;
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
