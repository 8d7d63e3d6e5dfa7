/* `why`, `who` and `backtrace`: who waits for whom, who wrote what, and what a node is
 * in the middle of. Nothing is recorded while the machine runs: the past is replayed,
 * from the latest moment back, until the event is found. */
#include <string.h>

#include "emu/debug/look/look.h"
#include "net/net.h"

/* ---- looking for an event in the past -------------------------------------------- */

/* Records an event if it matches the search. The last one recorded counts. */
static bool note_last(void *context, const JmEvent *event) {
    Search *s = context;
    if (event->cycle < s->end && s->matches(s, event)) {
        s->found = true;
        s->event = *event;
    }
    return false;
}

/* Finds the last matching event before s->end. Afterwards the machine is somewhere in
 * the past. False if interrupted. */
static bool find_last(JmDebug *d, Search *s) {
    uint64_t limit = s->end;
    s->d = d;
    s->found = false;
    while (!s->found && limit > travel_begin(d)) {
        const Moment *moment = travel_moment(d, limit - 1);
        const uint64_t start = moment->cycle;
        travel_restore(d, moment);
        d->stops->search = s;
        s->note = note_last;
        const JmDebugEnd end = run_to(d, limit, false);
        d->stops->search = NULL;
        if (end == JM_DEBUG_INTERRUPTED)
            return fail(d, "interrupted");
        limit = start;
    }
    return true;
}

static bool is_write(const Search *s, const JmEvent *e) {
    return e->kind == JM_EVENT_WRITE && e->node == s->node && e->address == s->address;
}

#define KIND(name) (UINT32_C(1) << JM_EVENT_##name)

/* Prints which message started a task, when it came, and who sent it. */
static void say_origin(JmDebug *d, const Track *t) {
    if (t->state == TRACK_NONE) {
        say(d, "  the beginning of the task is not known\n");
        return;
    }
    say(d, "  the task began in cycle %" PRIu64 " with %s\n", t->dispatched,
        word_text(d, t->header));
    if (t->arrived == TRACK_NEVER)
        say(d, "  which had not arrived whole\n");
    else
        say(d, "  which %s in cycle %" PRIu64 "\n",
            t->origin == BY_NETWORK ? "had arrived whole"
            : t->origin == BY_HAND  ? "was put there by hand"
                                    : "the program put there",
            t->arrived);
    if (t->origin != BY_NETWORK)
        return;
    say(d, "  and was sent in cycle %" PRIu64 " by %s", t->opened,
        node_text(d, t->source));
    if (t->sent_at != UINT32_MAX)
        say(d, " at %s", place_text(d, t->sent_at, true));
    say(d, "\n");
}

/* ---- who wrote ------------------------------------------------------------------- */

/* Finds the last write of w->address by replay. False and a message: interrupted. */
static bool find_writing(JmDebug *d, Writing *w) {
    Search s = {.kinds = KIND(WRITE),
                .matches = is_write,
                .node = w->node,
                .address = w->address,
                .marked = true,
                .end = d->machine->now};
    Here here = travel_leave(d);
    bool good = find_last(d, &s);
    w->found = s.found;
    w->event = s.event;
    w->by_task = good && s.found && !s.event.by_network &&
                 s.event.context != JM_CONTEXT_BACKGROUND;
    if (w->by_task)
        good = origin_of_task(d, w->node, s.event.context, s.event.cycle, &w->origin);
    travel_return(d, &here);
    return good;
}

static void say_writing(JmDebug *d, const Writing *w) {
    const JmEvent *e = &w->event;
    if (!w->found) {
        say(d,
            "%05" PRIX32 " of node %u has not been written since cycle %" PRIu64
            ", but by loading or by hand\n",
            w->address, w->node, travel_begin(d));
        return;
    }
    say(d, "%05" PRIX32 " of %s was last written in cycle %" PRIu64 ": %s\n",
        e->address, node_text(d, e->node), e->cycle, word_text(d, e->word));
    if (e->by_network)
        say(d, "  by message %" PRIu32 " from the network\n", e->message);
    else
        say(d, "  by %s%s at %s\n", w->by_task ? "a task of " : "",
            jm_debug_context_name(e->context), place_text(d, e->where, true));
    if (w->by_task)
        say_origin(d, &w->origin);
}

/* Whether only a register's name follows, which is not an address. */
static bool is_register(const Args *args) {
    const size_t length = strcspn(args->at, " \t");
    const size_t name = *args->at == '$' ? strcspn(args->at + 1, ".@ \t") : 0;
    return name && strspn(args->at + length, " \t") == strlen(args->at + length) &&
           jm_reg_by_name(args->at + 1, name) >= 0;
}

bool cmd_who(JmDebug *d, Args *args) {
    Writing w = {.node = d->node};
    const char *at = next_at(args);
    if (!take_word(args, "wrote"))
        return fail_at(args, at, "'wrote' expected");
    skip_blanks(args);
    if (is_register(args))
        return fail_at(args, args->at,
                       "a register is not a word of memory; `watch` it, and "
                       "`reverse-continue` goes to where it changed");
    if (!take_word_of_node(args, &w.node, &w.address) || !expect_end(args) ||
        !travel_has_past(d) || !find_writing(d, &w))
        return false;
    say_writing(d, &w);
    return true;
}

/* ---- why ------------------------------------------------------------------------- */

/* Returns the node whose closed queue holds up messages that `node` has sent, or -1. */
static int next_in_chain(const JmDebug *d, unsigned node) {
    const Net *net = netif_network(d->machine);
    const uint32_t limit = net_message_numbers(net);
    for (uint32_t i = 0; i < limit; i++) {
        NetMessageState m;
        if (!net_message_state(net, i, &m) || m.source != node)
            continue;
        const Hold hold =
            hold_behind(d, first_channel(d, m.source, m.destination, m.priority));
        if (hold.by == HELD_BY_QUEUE)
            return (int)hold.node;
    }
    return -1;
}

/* Makes the structure of a node that waits or is waited for. */
static Waiter waiter_of(JmDebug *d, unsigned node, bool closes) {
    const Node *n = node_at(d, node);
    const Net *net = netif_network(d->machine);
    Waiter w = {.where = where_of(d, node),
                .closes = closes,
                .explanation.heap = d->heap,
                .next = -1};
    if (closes)
        return w;
    for (unsigned p = 0; p < 2; p++) {
        w.shut[p] = !n->priority[p].gate;
        w.disabled[p] = (n->priority[p].qbm & JM_ADDR_INVALID) != 0;
        w.unended[p] = n->priority[p].active;
    }
    w.rest = rest_of(d, node);
    for (unsigned p = 0; p < 2; p++)
        if (net_room(net, node, p) < net_buffer_words(net) || net_is_open(net, node, p))
            net_explain(net, node, p, add_row, &(Rows){d, &w.explanation, "  "});
    rows_end(d);
    w.next = next_in_chain(d, node);
    return w;
}

/* Prints how a node's queues affect waiting messages. */
static void say_doors(JmDebug *d, const Waiter *w) {
    const Node *n = node_at(d, w->where.node);
    for (unsigned p = 0; p < 2; p++)
        if (w->shut[p] && w->disabled[p])
            say(d, "  its queue %u is disabled: nothing can arrive\n", p);
        else if (w->shut[p])
            say(d,
                "  its queue %u is full (%" PRIu32 " of %" PRIu32
                " words): nothing can arrive\n",
                p, node_queue_length(n, p), node_queue_size(n, p));
    if (w->rest == REST_MASKED)
        say(d, "  it rests with I = 1, so it takes no message\n");
    else if (w->rest == REST_STUCK)
        say(d, "  it rests, and what it has got it cannot take%s%s\n",
            w->unended[0] ? ": a task of priority 0 never ended" : "",
            !w->unended[1]  ? ""
            : w->unended[0] ? ", nor did one of priority 1"
                            : ": a task of priority 1 never ended");
}

static void say_waiter(JmDebug *d, const Waiter *w) {
    say_where(d, &w->where);
    if (w->closes)
        say(d, "  which closes the circle: these nodes wait for each other\n");
    else
        say_doors(d, w);
    say(d, "%s", text_get(&w->explanation));
}

/* Prints from node to node who waits for whom, up to one that does not wait or the node
 * that closes a circle. */
static void say_chain(JmDebug *d, unsigned first) {
    bool *seen = heap_alloc(d->heap, d->machine->nodes);
    for (int node = (int)first; node >= 0;) {
        Waiter waiter = waiter_of(d, (unsigned)node, seen[node]);
        say_waiter(d, &waiter);
        text_free(&waiter.explanation);
        seen[node] = true;
        node = waiter.next;
    }
    heap_free(seen);
}

bool cmd_why(JmDebug *d, Args *args) {
    unsigned node = d->node;
    const char *at = next_at(args);
    if (at_end(args)) {
        say_standing(d);
        return true;
    }
    if (take_word(args, "stopped")) {
        if (!expect_end(args))
            return false;
        report_say(d);
        return true;
    }
    if (!take_word(args, "blocked"))
        return fail_at(args, at, "'stopped' or 'blocked' expected");
    if (!at_end(args) && (!take_node(args, &node) || !expect_end(args)))
        return false;
    say_chain(d, node);
    return true;
}

/* ---- `backtrace` ----------------------------------------------------------------- */

/* Returns the instruction at which an interrupted context resumes. */
static JmDebugPlace place_in(const JmDebug *d, unsigned node, JmContext context) {
    const Context *c = &node_at(d, node)->context[context];
    const uint32_t ip = jm_data(c->ip);
    const uint32_t base = ip & JM_IP_ABSOLUTE ? 0 : jm_field20(jm_data(c->a[0]));
    return jm_debug_place(d, (base + jm_field20(ip)) & JM_ADDRESS_MASK,
                          (ip & JM_IP_PHASE) != 0);
}

void frame_trace(JmDebug *d, unsigned node, Frame *frame) {
    if (frame->context == JM_CONTEXT_BACKGROUND || d->past->travel.off)
        return;
    Here here = travel_leave(d);
    frame->traced =
        origin_of_task(d, node, frame->context, d->machine->now, &frame->origin);
    travel_return(d, &here);
}

unsigned frames_of(const JmDebug *d, unsigned node, Frame frames[NODE_CONTEXTS]) {
    const JmContext running = jm_running(d->machine, node);
    const JmContext order[] = {running, JM_CONTEXT_1, JM_CONTEXT_0,
                               JM_CONTEXT_BACKGROUND};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const JmContext context = order[i];
        const bool task = context != JM_CONTEXT_BACKGROUND;
        if (i && (context == running ||
                  (task && !node_at(d, node)->priority[context].active)))
            continue;
        frames[count++] =
            (Frame){.context = context, .place = place_in(d, node, context)};
    }
    return count;
}

static void say_backtrace(JmDebug *d, unsigned node) {
    Frame frames[NODE_CONTEXTS];
    const unsigned count = frames_of(d, node, frames);
    for (unsigned i = 0; i < count; i++) {
        Frame *f = &frames[i];
        say(d, "#%u  ", i);
        if (i == 0)
            say_next(d, node);
        else
            say(d, "%s%s, interrupted before %s\n",
                f->context == JM_CONTEXT_BACKGROUND ? "" : "the task of ",
                jm_debug_context_name(f->context),
                place_text(d, f->place.address, true));
        frame_trace(d, node, f);
        if (f->traced)
            say_origin(d, &f->origin);
    }
}

bool cmd_backtrace(JmDebug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_backtrace, NULL);
}
