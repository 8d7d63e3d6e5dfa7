/* `causes`: what led to a message, back to a background program, and what it led to. A
 * message opened by a task is caused by that task's message. The past is replayed once,
 * from its beginning. */
#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"

enum {
    CAUSES_MOST = 1 << 20, /* messages of the past; about 64 MB */
    UP_MOST = 16,          /* causes shown, nearest first */
    ROWS_MOST = 60,        /* effects shown */
    BREADTH_MOST = 12      /* of one message */
};

/* ---- gathering ------------------------------------------------------------------- */

/* All messages of the past, as a graph: each is caused by its parent. */
typedef struct {
    JmDebug *d;
    Tracker *tracker;
    Cause *cause; /* by serial */
    size_t count, capacity;
    uint32_t wanted; /* serial of the message that was asked for */
    bool full;       /* there are more messages than can be kept */
} Causes;

static Cause *cause_of(Causes *c, const Track *t) {
    while (c->count <= t->serial && c->count < CAUSES_MOST) {
        c->cause =
            heap_grow(c->d->work, c->cause, c->count, &c->capacity, sizeof *c->cause);
        c->cause[c->count++] = (Cause){.known = false};
    }
    if (t->serial >= c->count) {
        c->full = true;
        return NULL;
    }
    Cause *cause = &c->cause[t->serial];
    if (!cause->known)
        *cause = (Cause){.opened = t->opened,
                         .begun = TRACK_NEVER,
                         .ended = TRACK_NEVER,
                         .header = JM_NIL,
                         .number = t->number,
                         .sent_at = t->sent_at,
                         .source = t->source,
                         .destination = t->destination,
                         .origin = t->origin,
                         .sender = t->sender,
                         .known = true};
    return cause;
}

/* Records the task that made a message: that of the event's context. */
static void note_parent(Causes *c, Cause *cause, const JmEvent *e) {
    if (!e)
        return;
    cause->sender = e->context;
    if (e->context == JM_CONTEXT_BACKGROUND)
        return;
    const Track *task = tracker_task(c->tracker, e->node, e->context);
    if (!task || task->serial >= c->count || !c->cause[task->serial].known)
        return;
    cause->parent = task->serial;
    c->cause[task->serial].children++;
}

static void note(void *context, Track *track, TrackStep step, const JmEvent *e) {
    Causes *c = context;
    Cause *cause = track ? cause_of(c, track) : NULL;
    if (!cause)
        return;
    switch (step) {
    case TRACK_OPENS:
        note_parent(c, cause, e);
        break;
    case TRACK_PLACED:
        if (track->origin == BY_PROGRAM)
            note_parent(c, cause, e);
        cause->header = track->header;
        cause->placed = true;
        break;
    case TRACK_BEGINS:
        cause->begun = e->cycle;
        break;
    case TRACK_ENDS:
        cause->ended = e->cycle;
        break;
    case TRACK_LOST:
    case TRACK_DROPPED:
        cause->lost = true;
        break;
    default:
        break;
    }
}

/* ---- printing -------------------------------------------------------------------- */

static void say_state(JmDebug *d, const Cause *m) {
    if (m->ended != TRACK_NEVER)
        say(d, "; task %" PRIu64 " to %" PRIu64 "\n", m->begun, m->ended);
    else if (m->begun != TRACK_NEVER)
        say(d, "; task since %" PRIu64 "\n", m->begun);
    else
        say(d, m->lost ? "; lost\n" : m->placed ? "; waits\n" : "; on its way\n");
}

/* Prints a message in a line: "226  message 3 (0,0,0 -> 1,0,0) MSG:.. token, 2
 * words". */
static void say_message(const Causes *c, uint32_t serial, unsigned depth, bool wanted) {
    JmDebug *d = c->d;
    const Cause *m = &c->cause[serial];
    say(d, "%10" PRIu64 "  %*s%s", m->opened, (int)(2 * depth), "", wanted ? "* " : "");
    if (m->origin == BY_NETWORK)
        say(d, "message %" PRIu32, m->number);
    else
        say(d, "message put there by %s",
            m->origin == BY_HAND ? "hand" : "the program");
    say(d, " (%s -> %s)", position_text(d, m->source),
        position_text(d, m->destination));
    if (m->placed)
        say(d, " %s", word_text(d, m->header));
    say_state(d, m);
}

/* Prints what made the first message of a chain. */
static void say_root(const Causes *c, const Cause *m) {
    JmDebug *d = c->d;
    if (m->origin == BY_HAND)
        return;
    say(d, "%12s", "");
    if (m->sent_at == UINT32_MAX) {
        say(d, "on its way when the past begins\n");
        return;
    }
    say(d,
        m->sender == JM_CONTEXT_BACKGROUND ? "the background of %s"
                                           : "a task of %s that is not known",
        node_text(d, m->source));
    say(d, " at %s\n", place_text(d, m->sent_at, true));
}

/* Prints the causes of a message, the first one first. Returns how many. */
static unsigned say_causes(const Causes *c, uint32_t serial) {
    uint32_t chain[UP_MOST];
    unsigned count = 0, before = 0;
    uint32_t at = serial;
    while (c->cause[at].parent) {
        at = c->cause[at].parent;
        if (count < UP_MOST)
            chain[count++] = at;
        else
            before++;
    }
    say_root(c, &c->cause[at]);
    if (before)
        say(c->d, "%12sand %u message%s\n", "", before, plural(before));
    for (unsigned i = count; i--;)
        say_message(c, chain[i], count - 1 - i, false);
    return count;
}

/* Prints the effects of a message, depth first, as long as there are rows. */
static void say_effects(const Causes *c, uint32_t serial, unsigned depth) {
    /* Messages whose effects are printed; for each how many were and where to
     * continue. */
    uint32_t stack[ROWS_MOST + 1], said[ROWS_MOST + 1] = {0}, next[ROWS_MOST + 1];
    unsigned top = 0, rows = 0;
    stack[0] = serial;
    next[0] = serial + 1; /* effects come later than their cause */
    for (;;) {
        const Cause *m = &c->cause[stack[top]];
        uint32_t i = next[top];
        while (i < c->count && (!c->cause[i].known || c->cause[i].parent != stack[top]))
            i++;
        const bool room = said[top] < BREADTH_MOST && rows < ROWS_MOST;
        if (i < c->count && room) {
            say_message(c, i, depth + top, false);
            rows++;
            said[top]++;
            next[top] = i + 1;
            if (c->cause[i].children) {
                stack[++top] = i;
                next[top] = i + 1;
                said[top] = 0;
            }
            continue;
        }
        if (said[top] < m->children)
            say(c->d, "%12s%*sand %" PRIu32 " more\n", "", (int)(2 * (depth + top)), "",
                m->children - said[top]);
        if (!top)
            return;
        top--;
    }
}

static void say_graph(const Causes *c) {
    const unsigned depth = say_causes(c, c->wanted);
    say_message(c, c->wanted, depth, true);
    say_effects(c, c->wanted, depth + 1);
}

/* ---- the command ----------------------------------------------------------------- */

static uint32_t find(const Causes *c, const Wanted *w) {
    if (!w->numbered) {
        const Track *track = wanted_track(w, c->tracker);
        return track ? track->serial : 0;
    }
    for (size_t i = c->count; i-- > 1;)
        if (c->cause[i].known && c->cause[i].origin == BY_NETWORK &&
            c->cause[i].number == w->message.number &&
            c->cause[i].opened == w->message.opened)
            return (uint32_t)i;
    return 0;
}

/* Gathers the messages from a moment of the past up to now. False if interrupted. */
static bool gather(JmDebug *d, const Moment *from, const Wanted *w, Causes *c) {
    const uint64_t end = d->machine->now;
    *c = (Causes){.d = d};
    Here here = travel_leave(d);
    travel_restore(d, from);
    c->tracker = tracker_begin(d, note, c, false);
    const bool interrupted = run_to(d, end, false) == JM_DEBUG_INTERRUPTED;
    c->wanted = interrupted ? 0 : find(c, w);
    tracker_end(c->tracker);
    travel_return(d, &here);
    return !interrupted || fail(d, "interrupted");
}

static bool is_known(const Causes *c, uint32_t serial) {
    return serial && serial < c->count && c->cause[serial].known;
}

/* Finds the causes and effects of a message. False and a message. */
static bool causes_of(JmDebug *d, const Wanted *w, Causes *c) {
    if (!gather(d, &d->past->travel.moments[0], w, c))
        return false;
    if (c->full)
        return fail(d, "more than %d messages were sent in the past", CAUSES_MOST);
    return is_known(c, c->wanted) || fail(d, "its beginning is not known");
}

/* Copies the message of a task and its causes, the nearest first, as far as they were
 * sent from cycle `oldest` on: an answer does not depend on where moments are. */
static unsigned copy_chain(const Causes *c, uint64_t oldest, Cause *chain,
                           unsigned most) {
    unsigned count = 0;
    for (uint32_t at = c->wanted; count < most && is_known(c, at);
         at = c->cause[at].parent) {
        const Cause *m = &c->cause[at];
        if (m->origin != BY_NETWORK || m->sent_at == UINT32_MAX || m->opened < oldest)
            break;
        chain[count++] = *m;
    }
    return count;
}

/* Looks back further and further, as replay takes its time. */
unsigned causes_chain(JmDebug *d, unsigned node, unsigned priority, unsigned least,
                      Cause *chain, unsigned most) {
    enum { WIDTH_FIRST = 4096, WIDER = 4 };
    const Wanted w = {.d = d, .node = node, .priority = priority, .task = true};
    const uint64_t end = d->machine->now, begin = travel_begin(d);
    unsigned count = 0;
    for (uint64_t width = WIDTH_FIRST, oldest = end; oldest > begin && count < least;
         width *= WIDER) {
        Causes c;
        oldest = end - begin > width ? end - width : begin;
        const bool good = gather(d, travel_moment(d, oldest), &w, &c);
        count = good ? copy_chain(&c, oldest, chain, most) : 0;
        if (!good)
            break;
    }
    return count;
}

bool cmd_causes(JmDebug *d, Args *args) {
    Wanted w;
    Causes c;
    if (!travel_has_past(d) || !take_wanted(d, args, &w) || !causes_of(d, &w, &c))
        return false;
    say_graph(&c);
    return true;
}
