/* `why`, `who` and `backtrace`: why the machine stands, who waits for whom, who wrote
 * what, and what a node is in the middle of. Nothing is recorded while the machine
 * runs: the past is replayed, from the latest moment back, until the event is found. */
#include <string.h>

#include "emu/debug/look/look.h"
#include "net/net.h"

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

/* The last write to a word. */
typedef struct {
    Search search; /* first: the observer gets it */
    unsigned node;
    uint64_t end;  /* only writes before this cycle count */
    bool found;    /* otherwise only the loader or the user can have written it */
    JmEvent event; /* the write */
    bool by_task;
    Track origin; /* by_task: the message of the task */
} Writing;

/* Records a write of the word. The last one recorded counts. */
static bool note_write(void *context, const JmEvent *e) {
    Writing *w = context;
    if (e->kind == JM_EVENT_WRITE && e->node == w->node &&
        e->address == w->search.address && e->cycle < w->end) {
        w->found = true;
        w->event = *e;
    }
    return false;
}

/* Replays the past until the last write is found. Afterwards the machine is somewhere
 * in the past. False and a message: interrupted. */
static bool find_last(JmDebug *d, Writing *w) {
    uint64_t limit = w->end;
    while (!w->found && limit > travel_begin(d)) {
        const Moment *moment = travel_moment(d, limit - 1);
        const uint64_t start = moment->cycle;
        travel_restore(d, moment);
        d->stops->search = &w->search;
        const JmDebugEnd end = run_to(d, limit, false);
        d->stops->search = NULL;
        if (end == JM_DEBUG_INTERRUPTED)
            return fail(d, "interrupted");
        limit = start;
    }
    return true;
}

/* Finds the last write by replay. False and a message: interrupted. */
static bool find_writing(JmDebug *d, Writing *w) {
    w->search.kinds = UINT32_C(1) << JM_EVENT_WRITE;
    w->search.note = note_write;
    w->end = d->machine->now;
    Here here = travel_leave(d);
    bool good = find_last(d, w);
    w->by_task = good && w->found && !w->event.by_network &&
                 w->event.context != JM_CONTEXT_BACKGROUND;
    if (w->by_task)
        good = origin_of_task(d, w->node, w->event.context, w->event.cycle, &w->origin);
    travel_return(d, &here);
    return good;
}

static void say_writing(JmDebug *d, const Writing *w) {
    const JmEvent *e = &w->event;
    if (!w->found) {
        say(d,
            "%05" PRIX32 " of node %u has not been written since cycle %" PRIu64
            ", but by loading or by hand\n",
            w->search.address, w->node, travel_begin(d));
        return;
    }
    say(d, "%05" PRIX32 " of %s was last written in cycle %" PRIu64 ": %s\n",
        e->address, node_text(d, e->node), e->cycle, word_text(d, e->word));
    if (e->by_network)
        say(d, "  by message %" PRIu32 " from the network\n", e->message);
    else
        say(d, "  by %s%s at %s\n", w->by_task ? "a task of " : "",
            jm_context_name(e->context), place_text(d, e->where, true));
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
    if (take_choice(args, "wrote") < 0)
        return false;
    skip_blanks(args);
    if (is_register(args))
        return fail_at(args, args->at,
                       "a register is not a word of memory; `watch` it, and "
                       "`reverse-continue` goes to where it changed");
    if (!take_word_of_node(args, &w.node, &w.search.address) || !expect_end(args) ||
        !travel_has_past(d) || !find_writing(d, &w))
        return false;
    say_writing(d, &w);
    return true;
}

/* ---- bare `why`: why the machine stands ------------------------------------------ */

/* Nodes that wait for the same are one line; messages are counted by what is before
 * them. */

/* Why a node that is at rest stays there. */
typedef enum { REST_NONE, REST_MASKED, REST_STUCK } Rest;

/* What blocks the messages in a channel, each blocked by the next. */
typedef enum { HELD_NOT, HELD_BY_WIRE, HELD_BY_QUEUE, HELD_IN_CIRCLE } HeldBy;
typedef struct {
    HeldBy by;
    unsigned node; /* of the blocked wire or the closed queue */
    unsigned priority;
} Hold;

/* ---- nodes that do the same ------------------------------------------------------ */

typedef struct {
    char *text;
    NodeSet nodes;
} Group;

/* Groups in the order of their first nodes. */
typedef struct {
    Group *list;
    size_t count, capacity;
} Groups;

/* Adds a node to the group with this text. */
static void sort_in(JmDebug *d, Groups *groups, unsigned node, const char *text) {
    size_t i = 0;
    while (i < groups->count && strcmp(groups->list[i].text, text) != 0)
        i++;
    if (i == groups->count) {
        groups->list = heap_grow(d->work, groups->list, groups->count,
                                 &groups->capacity, sizeof *groups->list);
        groups->list[groups->count++] = (Group){
            text_copy_all(d->work, text),
            {heap_alloc(d->work, (d->machine->nodes / 64 + 1) * sizeof(uint64_t)),
             d->machine->nodes}};
    }
    groups->list[i].nodes.bits[node / 64] |= UINT64_C(1) << (node % 64);
}

static void say_groups(JmDebug *d, const Groups *groups) {
    enum { GROUPS_SHOWN = 24 };
    for (size_t i = 0; i < groups->count && i < GROUPS_SHOWN; i++) {
        char nodes[NODES_TEXT];
        say(d, "  %s: %s\n", nodes_text(d, &groups->list[i].nodes, nodes),
            groups->list[i].text);
    }
    if (groups->count > GROUPS_SHOWN)
        say(d, "  and %zu more kinds\n", groups->count - GROUPS_SHOWN);
}

/* ---- what holds up the messages of nodes ----------------------------------------- */

static Hold hold_behind(const JmDebug *d, uint32_t channel) {
    const Net *net = netif_network(d->machine);
    for (uint32_t steps = 0; steps < net_channel_count(net); steps++) {
        const NetChannelState c = net_channel_state(net, channel);
        if (!c.flits && !c.owned)
            return (Hold){HELD_NOT, c.node, c.priority};
        if (c.wire_blocked)
            return (Hold){HELD_BY_WIRE, c.node, c.priority};
        if (c.next < 0) {
            const bool open = node_at(d, c.node)->priority[c.priority].gate;
            return (Hold){open ? HELD_NOT : HELD_BY_QUEUE, c.node, c.priority};
        }
        channel = (uint32_t)c.next;
    }
    return (Hold){.by = HELD_IN_CIRCLE};
}

/* Returns by node, priority and NetChannelKind the channel of dimension X that a
 * message enters first; -1: there is none. */
static int32_t (*first_channels(JmDebug *d, const Net *net))[2][3] {
    int32_t(*first)[2][3] = heap_alloc(d->work, d->machine->nodes * sizeof *first);
    memset(first, -1, d->machine->nodes * sizeof *first);
    for (uint32_t i = net_channel_count(net); i-- > 0;) {
        const NetChannelState c = net_channel_state(net, i);
        if (c.dimension == 0 && c.priority < 2 && c.kind < 3)
            first[c.node][c.priority][c.kind] = (int32_t)i;
    }
    return first;
}

/* Returns by node what holds up one of its messages. */
static Hold *holds_of(JmDebug *d) {
    const Net *net = netif_network(d->machine);
    Hold *holds = heap_alloc(d->work, d->machine->nodes * sizeof *holds);
    int32_t(*first)[2][3] = first_channels(d, net);
    for (uint32_t i = 0; i < net_message_numbers(net); i++) {
        NetMessageState m;
        if (!message_flies(net, i, &m) || holds[m.source].by != HELD_NOT)
            continue;
        const int32_t channel =
            first[m.source][m.priority][first_kind(d, m.source, m.destination)];
        if (channel >= 0)
            holds[m.source] = hold_behind(d, (uint32_t)channel);
    }
    return holds;
}

/* ---- what a node does or waits for ----------------------------------------------- */

static Rest rest_of(const JmDebug *d, unsigned node) {
    const Node *n = node_at(d, node);
    if (machine_has_pending(n))
        return REST_STUCK;
    return n->asleep && n->masked &&
                   (node_queue_length(n, 0) || node_queue_length(n, 1))
               ? REST_MASKED
               : REST_NONE;
}

/* Returns why nothing can arrive at a queue; NULL: it can. */
static const char *door_text(const JmDebug *d, unsigned node, unsigned priority) {
    const char *gate = gate_text(d, node, priority, "full");
    const uint32_t qbm = node_at(d, node)->priority[priority].qbm;
    return gate && qbm & JM_ADDR_INVALID ? "disabled" : gate;
}

static void add_hold(const JmDebug *d, const Hold *hold, Text *text) {
    switch (hold->by) {
    case HELD_BY_QUEUE:
        text_add(text, ", held up by queue %u of %s, which is %s", hold->priority,
                 node_text(d, hold->node), door_text(d, hold->node, hold->priority));
        break;
    case HELD_BY_WIRE:
        text_add(text, ", held up by a blocked wire of %s", node_text(d, hold->node));
        break;
    case HELD_IN_CIRCLE:
        text_add(text, ", held up by messages that wait for each other");
        break;
    case HELD_NOT:
        text_add(text, " after messages that continue");
        break;
    }
}

static void add_doing(const JmDebug *d, unsigned node, const Hold *hold, Text *text) {
    static const char *const rests[] = {
        [REST_NONE] = ", waiting for a message",
        [REST_MASKED] = " with I = 1, taking no message",
        [REST_STUCK] = " before what cannot be taken: a task never ended"};
    const Activity activity = activity_of(d, node);
    text_add(text, "%s", activity_text(activity));
    if (activity == ACTIVITY_IDLE)
        text_add(text, "%s%s", rests[rest_of(d, node)],
                 node_at(d, node)->send_open ? ", its own half sent" : "");
    if (activity == ACTIVITY_WAITING)
        add_hold(d, hold, text);
}

/* Whether a node is at work, not waiting for anything. */
static bool works(const JmDebug *d, unsigned node) {
    const Activity activity = activity_of(d, node);
    return activity != ACTIVITY_STOPPED && activity != ACTIVITY_NOT_STARTED &&
           activity != ACTIVITY_IDLE && activity != ACTIVITY_WAITING;
}

/* ---- the machine ----------------------------------------------------------------- */

/* Prints what nodes do or wait for, and then which queues take nothing. */
static void say_nodes(JmDebug *d) {
    Groups doings = {.list = NULL}, doors = {.list = NULL};
    Hold *holds = holds_of(d);
    Text text = {.heap = d->work};
    for (unsigned i = 0; i < d->machine->nodes; i++) {
        text_clear(&text);
        add_doing(d, i, &holds[i], &text);
        sort_in(d, &doings, i, text_get(&text));
        for (unsigned p = 0; p < 2; p++) {
            const char *door = door_text(d, i, p);
            text_clear(&text);
            text_add(&text, "queue %u is %s: nothing can arrive", p, door ? door : "");
            if (door)
                sort_in(d, &doors, i, text_get(&text));
        }
    }
    say_groups(d, &doings);
    say_groups(d, &doors);
}

static void say_messages(JmDebug *d) {
    static const char *const heads[HEADS] = {
        [HEAD_ARRIVING] = "arriving",          [HEAD_FREE] = "on the way",
        [HEAD_QUEUE] = "before closed queues", [HEAD_WIRE] = "before blocked wires",
        [HEAD_HELD] = "before others",         [HEAD_BEHIND] = "behind others",
        [HEAD_UNSENT] = "in output buffers"};
    uint32_t counts[HEADS], sum = 0;
    count_heads(d, counts);
    for (unsigned i = 0; i < HEADS; i++)
        sum += counts[i];
    if (!sum)
        return;
    say(d, "  %" PRIu32 " message%s in flight", sum, plural(sum));
    for (unsigned i = 0, said = 0; i < HEADS; i++)
        if (counts[i])
            say(d, "%s%" PRIu32 " %s", said++ ? ", " : ": ", counts[i], heads[i]);
    say(d, "\n");
}

/* Prints the machine's own explanation of its end; that of a deadlock has a line for
 * each message. */
static void say_end(JmDebug *d) {
    if (d->machine->stop == JM_STOP_DEADLOCK) {
        say(d, "`why stopped` shows which node waits for which\n");
        return;
    }
    Text text = {.heap = d->work};
    jm_explain(d->machine, add_row, &(Rows){d, &text, ""});
    rows_end(d);
    say(d, "%s", text_get(&text));
}

static void say_standing(JmDebug *d) {
    unsigned at_work = 0;
    for (unsigned i = 0; i < d->machine->nodes; i++)
        at_work += works(d, i);
    say(d, "cycle %" PRIu64 ": ", d->machine->now);
    if (d->machine->stop != JM_STOP_NONE)
        say(d, "the machine has ended: %s\n", jm_stop_name(d->machine->stop));
    else
        say(d, "the machine can continue, with %u of %u nodes at work\n", at_work,
            d->machine->nodes);
    say_nodes(d);
    say_messages(d);
    if (d->machine->stop != JM_STOP_NONE)
        say_end(d);
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

/* Prints how a node's queues affect waiting messages. */
static void say_doors(JmDebug *d, unsigned node) {
    const Node *n = node_at(d, node);
    const bool unended[2] = {n->priority[0].active, n->priority[1].active};
    const Rest rest = rest_of(d, node);
    for (unsigned p = 0; p < 2; p++)
        if (!n->priority[p].gate && n->priority[p].qbm & JM_ADDR_INVALID)
            say(d, "  its queue %u is disabled: nothing can arrive\n", p);
        else if (!n->priority[p].gate)
            say(d,
                "  its queue %u is full (%" PRIu32 " of %" PRIu32
                " words): nothing can arrive\n",
                p, node_queue_length(n, p), node_queue_size(n, p));
    if (rest == REST_MASKED)
        say(d, "  it rests with I = 1, so it takes no message\n");
    else if (rest == REST_STUCK)
        say(d, "  it rests, and what it has got it cannot take%s%s\n",
            unended[0] ? ": a task of priority 0 never ended" : "",
            !unended[1]  ? ""
            : unended[0] ? ", nor did one of priority 1"
                         : ": a task of priority 1 never ended");
}

/* Prints what a node's messages wait for. */
static void say_unsent(JmDebug *d, unsigned node) {
    const Net *net = netif_network(d->machine);
    Text explanation = {.heap = d->work};
    for (unsigned p = 0; p < 2; p++)
        if (net_room(net, node, p) < net_buffer_words(net) || net_is_open(net, node, p))
            net_explain(net, node, p, add_row, &(Rows){d, &explanation, "  "});
    rows_end(d);
    say(d, "%s", text_get(&explanation));
}

/* Prints from node to node who waits for whom, up to one that does not wait or the node
 * that closes a circle. */
static void say_chain(JmDebug *d, unsigned first) {
    bool *seen = heap_alloc(d->work, d->machine->nodes);
    for (int node = (int)first; node >= 0;) {
        const unsigned rank = (unsigned)node;
        say_next(d, rank);
        if (seen[rank]) {
            say(d, "  which closes the circle: these nodes wait for each other\n");
            break;
        }
        say_doors(d, rank);
        say_unsent(d, rank);
        seen[rank] = true;
        node = next_in_chain(d, rank);
    }
}

bool cmd_why(JmDebug *d, Args *args) {
    unsigned node = d->node;
    if (at_end(args)) {
        say_standing(d);
        return true;
    }
    const int what = take_choice(args, "stopped blocked");
    if (what == 0) {
        if (!expect_end(args))
            return false;
        report_say(d, &d->out);
        return true;
    }
    if (what < 0)
        return false;
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

unsigned jm_debug_frames(const JmDebug *d, unsigned node,
                         JmDebugFrame frames[JM_DEBUG_FRAMES]) {
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
        frames[count++] = (JmDebugFrame){.node = node,
                                         .context = context,
                                         .place = place_in(d, node, context),
                                         .header = JM_NIL};
    }
    return count;
}

/* Finds by replay which message began the task of a frame, and prints it. */
static void say_beginning(JmDebug *d, const JmDebugFrame *frame) {
    Track origin;
    if (frame->context == JM_CONTEXT_BACKGROUND || d->past->travel.off)
        return;
    Here here = travel_leave(d);
    const bool found =
        origin_of_task(d, frame->node, frame->context, d->machine->now, &origin);
    travel_return(d, &here);
    if (found)
        say_origin(d, &origin);
}

static void say_backtrace(JmDebug *d, unsigned node) {
    JmDebugFrame frames[JM_DEBUG_FRAMES];
    const unsigned count = jm_debug_frames(d, node, frames);
    for (unsigned i = 0; i < count; i++) {
        const JmDebugFrame *f = &frames[i];
        say(d, "#%u  ", i);
        if (i == 0)
            say_next(d, node);
        else
            say(d, "%s%s, interrupted before %s\n",
                f->context == JM_CONTEXT_BACKGROUND ? "" : "the task of ",
                jm_context_name(f->context), place_text(d, f->place.address, true));
        say_beginning(d, f);
    }
}

bool cmd_backtrace(JmDebug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_backtrace, NULL);
}
