/* `why`, `who` and `backtrace`: who waits for whom, who wrote what, and what a node is
 * in the middle of. Nothing is recorded while the machine runs: the past is replayed,
 * from the latest moment back, until the event is found. */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"
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
    while (!s->found && limit > d->past->travel.moments[0].cycle) {
        const Moment *moment = travel_moment(d, limit - 1);
        const uint64_t start = moment->cycle;
        travel_restore(d, moment);
        d->stops->search = s;
        s->note = note_last;
        const RunEnd end = run_to(d, limit, false);
        d->stops->search = NULL;
        if (end == END_INTERRUPTED)
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
    char word[LONG_TEXT], place[LONG_TEXT], name[SHORT_TEXT];
    if (t->state == TRACK_NONE) {
        say(d, "  the beginning of the task is not known\n");
        return;
    }
    say(d, "  the task began in cycle %" PRIu64 " with %s\n", t->dispatched,
        word_text(d, t->header, word, sizeof word));
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
        node_text(d, t->source, name, sizeof name));
    if (t->sent_at != UINT32_MAX)
        say(d, " at %s", place_text(d, t->sent_at, true, place, sizeof place));
    say(d, "\n");
}

/* ---- who wrote ------------------------------------------------------------------- */

/* Prints who wrote a word and when. */
static void say_write(JmDebug *d, const JmEvent *e) {
    char place[LONG_TEXT], word[LONG_TEXT], name[SHORT_TEXT];
    static const char *const contexts[] = {"a task of priority 0",
                                           "a task of priority 1", "background"};
    say(d, "%05" PRIX32 " of %s was last written in cycle %" PRIu64 ": %s\n",
        e->address, node_text(d, e->node, name, sizeof name), e->cycle,
        word_text(d, e->word, word, sizeof word));
    if (e->by_network)
        say(d, "  by message %" PRIu32 " from the network\n", e->message);
    else
        say(d, "  by %s at %s\n", contexts[e->context],
            place_text(d, e->where, true, place, sizeof place));
}

/* Whether only a register's name follows, which is not an address. */
static bool is_register(const Args *args) {
    const size_t length = strcspn(args->at, " \t");
    const size_t name = *args->at == '$' ? strcspn(args->at + 1, ".@ \t") : 0;
    return name && strspn(args->at + length, " \t") == strlen(args->at + length) &&
           jm_reg_by_name(args->at + 1, name) >= 0;
}

bool cmd_who(JmDebug *d, Args *args) {
    Search s = {
        .kinds = KIND(WRITE), .matches = is_write, .node = d->node, .marked = true};
    Track origin = {.state = TRACK_NONE};
    skip_blanks(args);
    const char *at = args->at;
    if (!take_word(args, "wrote"))
        return fail_at(args, at, "'wrote' expected");
    skip_blanks(args);
    if (is_register(args))
        return fail_at(args, args->at,
                       "a register is no word of memory; `watch` it, and "
                       "`reverse-continue` goes to where it changed");
    if (!take_word_of_node(args, &s.node, &s.address) || !expect_end(args) ||
        !travel_has_past(d))
        return false;
    s.end = d->machine->now;
    Here here = travel_leave(d);
    bool good = find_last(d, &s);
    const bool by_task = good && s.found && !s.event.by_network &&
                         s.event.context != JM_CONTEXT_BACKGROUND;
    if (by_task)
        good = origin_of_task(d, s.node, s.event.context, s.event.cycle, &origin);
    travel_return(d, &here);
    if (!good)
        return false;
    if (!s.found)
        say(d,
            "%05" PRIX32 " of node %u has not been written since cycle %" PRIu64
            ", but by loading or by hand\n",
            s.address, s.node, d->past->travel.moments[0].cycle);
    else
        say_write(d, &s.event);
    if (by_task)
        say_origin(d, &origin);
    return true;
}

/* ---- why ------------------------------------------------------------------------- */

/* Prints how a node's queues affect waiting messages. */
static void say_doors(JmDebug *d, unsigned node) {
    const Node *n = node_at(d, node);
    for (unsigned p = 0; p < 2; p++) {
        const Priority *q = &n->priority[p];
        if (q->gate)
            continue;
        if (q->qbm & JM_ADDR_INVALID)
            say(d, "  its queue %u is disabled: nothing can arrive\n", p);
        else
            say(d,
                "  its queue %u is full (%" PRIu32 " of %" PRIu32
                " words): nothing can arrive\n",
                p, node_queue_length(n, p), node_queue_size(n, p));
    }
    if (n->asleep && n->masked && machine_has_pending(n) == false &&
        (node_queue_length(n, 0) || node_queue_length(n, 1)))
        say(d, "  it rests with I = 1, so it takes no message\n");
    else if (machine_has_pending(n))
        say(d, "  it rests, and what it has got it cannot take%s%s\n",
            n->priority[0].active ? ": a task of priority 0 never ended" : "",
            !n->priority[1].active  ? ""
            : n->priority[0].active ? ", nor did one of priority 1"
                                    : ": a task of priority 1 never ended");
}

/* Follows channels, each held up by the next, to a closed queue, and returns its node;
 * -1 if the end is something else, such as a blocked wire. */
static int closed_queue_behind(const JmDebug *d, uint32_t channel) {
    const Net *net = netif_network(d->machine);
    for (uint32_t steps = 0; steps < net_channel_count(net); steps++) {
        const NetChannelState c = net_channel_state(net, channel);
        if (c.wire_blocked || (!c.flits && !c.owned))
            return -1;
        if (c.next < 0)
            return node_at(d, c.node)->priority[c.priority].gate ? -1 : (int)c.node;
        channel = (uint32_t)c.next;
    }
    return -1;
}

/* Returns the node whose closed queue holds up messages that `node` has sent, or -1. */
static int next_in_chain(const JmDebug *d, unsigned node) {
    const Net *net = netif_network(d->machine);
    const uint32_t limit = net_message_numbers(net);
    for (uint32_t i = 0; i < limit; i++) {
        NetMessageState m;
        if (!net_message_state(net, i, &m) || m.source != node)
            continue;
        const int next = closed_queue_behind(
            d, first_channel(d, m.source, m.destination, m.priority));
        if (next >= 0)
            return next;
    }
    return -1;
}

/* Prints from node to node who waits for whom, up to one that does not wait or the node
 * that closes a cycle. */
static void say_chain(JmDebug *d, unsigned first) {
    bool *seen = heap_alloc(d->heap, d->machine->nodes);
    for (int node = (int)first; node >= 0;) {
        const Net *net = netif_network(d->machine);
        say_next(d, (unsigned)node);
        if (seen[node]) {
            say(d, "  which closes the circle: these nodes wait for each other\n");
            break;
        }
        seen[node] = true;
        say_doors(d, (unsigned)node);
        for (unsigned p = 0; p < 2; p++)
            if (net_room(net, (unsigned)node, p) < net_buffer_words(net) ||
                net_is_open(net, (unsigned)node, p))
                net_explain(net, (unsigned)node, p, say_row_inside, d);
        rows_end(d);
        node = next_in_chain(d, (unsigned)node);
    }
    heap_free(seen);
}

bool cmd_why(JmDebug *d, Args *args) {
    unsigned node = d->node;
    skip_blanks(args);
    const char *at = args->at;
    if (take_word(args, "stopped")) {
        if (!expect_end(args))
            return false;
        say(d, "%s",
            d->past->stopped_text ? d->past->stopped_text : "it has not run yet\n");
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

/* Returns the address at which an interrupted context resumes. */
static uint32_t address_in(const JmDebug *d, unsigned node, JmContext context) {
    const Context *c = &node_at(d, node)->context[context];
    const uint32_t ip = jm_data(c->ip);
    const uint32_t base = ip & JM_IP_ABSOLUTE ? 0 : jm_field20(jm_data(c->a[0]));
    return (base + jm_field20(ip)) & JM_ADDRESS_MASK;
}

/* Prints which message began a task, found by replay. */
static void say_beginning(JmDebug *d, unsigned node, unsigned priority) {
    Track origin = {.state = TRACK_NONE};
    if (d->past->travel.off)
        return;
    Here here = travel_leave(d);
    const bool good = origin_of_task(d, node, priority, d->machine->now, &origin);
    travel_return(d, &here);
    if (good)
        say_origin(d, &origin);
}

static void say_interrupted(JmDebug *d, unsigned frame, unsigned node,
                            JmContext context) {
    static const char *const names[] = {"the task of priority 0",
                                        "the task of priority 1", "background"};
    char place[LONG_TEXT];
    say(d, "#%u  %s, interrupted before %s\n", frame, names[context],
        place_text(d, address_in(d, node, context), true, place, sizeof place));
}

/* Prints the running context, then those it has interrupted, the most urgent first. */
static void say_backtrace(JmDebug *d, unsigned node) {
    static const JmContext order[] = {JM_CONTEXT_1, JM_CONTEXT_0,
                                      JM_CONTEXT_BACKGROUND};
    const Node *n = node_at(d, node);
    const JmContext running = jm_running(d->machine, node);
    unsigned frame = 0;
    say(d, "#%u  ", frame++);
    say_next(d, node);
    if (running != JM_CONTEXT_BACKGROUND)
        say_beginning(d, node, running);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const JmContext context = order[i];
        const bool task = context != JM_CONTEXT_BACKGROUND;
        if (context == running || (task && !n->priority[context].active))
            continue;
        say_interrupted(d, frame++, node, context);
        if (task)
            say_beginning(d, node, context);
    }
}

bool cmd_backtrace(JmDebug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_backtrace, NULL);
}
