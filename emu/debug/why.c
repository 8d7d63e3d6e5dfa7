/* Who waits for whom, who wrote what, and the lives of messages. The past is not
 * recorded: it is gone over again, from the latest moment back, until the event that is
 * asked for is found. */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/inside.h"
#include "net/net.h"

/* ---- looking for an event in the past ----------------------------------------------
 */

static bool note_last(void *context, const JmEvent *event) {
    Search *s = context;
    if (event->cycle < s->end && s->matches(s, event)) {
        s->found = true;
        s->event = *event;
    }
    return false;
}

/* Finds the last event before `end`; the machine is somewhere else afterwards. */
static bool find_last(Debug *d, Search *s) {
    uint64_t limit = s->end;
    s->d = d;
    s->found = false;
    while (!s->found && limit > d->travel.moments[0].cycle) {
        const Moment *moment = travel_moment(d, limit - 1);
        const uint64_t start = moment->cycle;
        travel_restore(d, moment);
        d->search = s;
        s->note = note_last;
        const RunEnd end = run_to(d, limit, false);
        d->search = NULL;
        if (end == END_INTERRUPTED)
            return fail(d, "interrupted");
        limit = start;
    }
    return true;
}

static bool is_write(const Search *s, const JmEvent *e) {
    return e->kind == JM_EVENT_WRITE && e->node == s->node && e->address == s->address;
}

static bool is_dispatch(const Search *s, const JmEvent *e) {
    return e->kind == JM_EVENT_DISPATCH && e->node == s->node &&
           e->context == s->context;
}

/* The tail of the message whose header lies at `address` of the queue. */
static bool is_arrival(const Search *s, const JmEvent *e) {
    if (e->kind != JM_EVENT_ARRIVE || e->node != s->node || e->priority != s->priority)
        return false;
    const Priority *q = &node_at(s->d, s->node)->priority[s->priority];
    const uint32_t words = (s->words + 3) & ~3u;
    const uint32_t end = node_queue_address(q, jm_field20(q->qhl) + jm_field10(q->qhl));
    return end == node_queue_address(q, s->address + words) &&
           jm_same(jm_read(s->d->machine, s->node, s->address), s->header);
}

static bool is_opening(const Search *s, const JmEvent *e) {
    return e->kind == JM_EVENT_SEND && e->opens && e->message == s->message &&
           e->destination == s->node;
}

#define KIND(name) (UINT32_C(1) << JM_EVENT_##name)

/* Where a message that runs, or ran, came from: its task's dispatch, arrival, sending.
 */
typedef struct {
    bool dispatched, arrived, sent;
    bool is_short; /* its tail came before the words its header tells of */
    JmEvent dispatch, arrival, opening;
} Origin;

static bool find_origin(Debug *d, unsigned node, JmContext context, uint64_t end,
                        Origin *origin) {
    Search s = {.kinds = KIND(DISPATCH),
                .matches = is_dispatch,
                .node = node,
                .context = context,
                .end = end};
    *origin = (Origin){.dispatched = false};
    if (context == JM_CONTEXT_BACKGROUND)
        return true;
    if (!find_last(d, &s))
        return false;
    origin->dispatched = s.found;
    origin->dispatch = s.event;
    if (!s.found)
        return true;
    Search a = {.kinds = KIND(ARRIVE),
                .matches = is_arrival,
                .node = node,
                .priority = context,
                .address = s.event.where,
                .header = s.event.word,
                .end = end};
    a.words = jm_field10(jm_data(s.event.word));
    if (!find_last(d, &a))
        return false;
    /* Nothing ended there: perhaps the row of the header was all there was. */
    if (!a.found && a.words > NODE_ROW_WORDS) {
        a.words = NODE_ROW_WORDS;
        if (!find_last(d, &a))
            return false;
        origin->is_short = a.found;
    }
    origin->arrived = a.found;
    origin->arrival = a.event;
    if (!a.found)
        return true;
    Search o = {.kinds = KIND(SEND),
                .matches = is_opening,
                .node = node,
                .message = a.event.message,
                .end = a.event.cycle};
    if (!find_last(d, &o))
        return false;
    origin->sent = o.found;
    origin->opening = o.event;
    return true;
}

static void say_origin(Debug *d, const Origin *o) {
    char word[LONG_TEXT], place[LONG_TEXT], name[SHORT_TEXT];
    if (!o->dispatched)
        return;
    say(d, "  the task began in cycle %" PRIu64 " with %s\n", o->dispatch.cycle,
        word_text(d, o->dispatch.word, word, sizeof word));
    if (!o->arrived) {
        say(d, "  which had not arrived whole, or was moved in the queue\n");
        return;
    }
    say(d, "  which had arrived whole in cycle %" PRIu64 "\n", o->arrival.cycle);
    if (o->sent)
        say(d, "  and was sent in cycle %" PRIu64 " by %s at %s\n", o->opening.cycle,
            node_text(d, o->opening.node, name, sizeof name),
            place_text(d, o->opening.address, true, place, sizeof place));
}

static bool has_past(Debug *d) {
    if (d->travel.off)
        return fail(d, "time travel is off; `option time-travel on` begins it here");
    return true;
}

/* ---- who wrote ---------------------------------------------------------------------
 */

static void say_write(Debug *d, const JmEvent *e) {
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

static bool take_word_of_node(Args *args, unsigned *node, uint32_t *address) {
    const size_t length = strcspn(args->at, " \t");
    const char *colon = memchr(args->at, ':', length);
    const bool named =
        colon && strspn(args->at, "0123456789,()$") == (size_t)(colon - args->at);
    if (named) {
        if (!take_node(args, node))
            return false;
        if (*args->at != ':')
            return fail_at(args, args->at, "':' expected");
        args->at++;
    }
    return take_address(args, address);
}

bool cmd_who(Debug *d, Args *args) {
    Search s = {
        .kinds = KIND(WRITE), .matches = is_write, .node = d->node, .marked = true};
    Origin origin = {.dispatched = false};
    skip_blanks(args);
    const char *at = args->at;
    if (!take_word(args, "wrote"))
        return fail_at(args, at, "'wrote' expected");
    skip_blanks(args);
    if (!take_word_of_node(args, &s.node, &s.address) || !expect_end(args) ||
        !has_past(d))
        return false;
    const uint64_t now = s.end = d->machine->now;
    bool good = find_last(d, &s);
    if (good && s.found && !s.event.by_network)
        good = find_origin(d, s.node, s.event.context, s.event.cycle, &origin);
    travel_to(d, now);
    if (!good)
        return false;
    if (!s.found)
        say(d,
            "%05" PRIX32 " of node %u has not been written since cycle %" PRIu64
            ", but by loading or by hand\n",
            s.address, s.node, d->travel.moments[0].cycle);
    else
        say_write(d, &s.event);
    say_origin(d, &origin);
    return true;
}

/* ---- history -----------------------------------------------------------------------
 */

typedef struct {
    Search search; /* first: the observer gets it */
    unsigned source, destination, priority;
    uint32_t message, queue_address;
    uint64_t opened;
    bool arrived, dispatched, done;
    JmContext sender;
    uint64_t faults, arrived_cycle, dispatched_cycle;
    uint32_t words;
} Life;

static void say_at(Debug *d, const JmEvent *e, const char *what) {
    char place[LONG_TEXT], name[SHORT_TEXT];
    say(d, "%10" PRIu64 "  %s %s at %s\n", e->cycle,
        node_text(d, e->node, name, sizeof name), what,
        place_text(d, e->address, true, place, sizeof place));
}

static void live_sending(Life *l, const JmEvent *e) {
    Debug *d = l->search.d;
    char text[SHORT_TEXT];
    if (e->kind == JM_EVENT_FAULT && e->fault == JM_FAULT_SEND &&
        e->node == l->source && e->context == l->sender && e->cycle >= l->opened) {
        say_at(d, e, "waits to send: the output buffer is full;");
        return;
    }
    if (e->kind != JM_EVENT_SEND || e->message != l->message || e->node != l->source)
        return;
    l->sender = e->context;
    l->words += e->count - e->opens;
    snprintf(text, sizeof text, "%s%" PRIu32 " word%s",
             e->opens ? "opens it, " : "sends ", e->count - e->opens,
             e->count - e->opens == 1 ? "" : "s");
    say_at(d, e, text);
}

static void live_arrival(Life *l, const JmEvent *e) {
    Debug *d = l->search.d;
    char name[SHORT_TEXT];
    if (e->kind != JM_EVENT_ARRIVE || e->message != l->message ||
        e->node != l->destination)
        return;
    const Priority *q = &node_at(d, e->node)->priority[e->priority];
    const uint32_t words = (l->words + 3) & ~3u;
    l->queue_address =
        node_queue_address(q, jm_field20(q->qhl) + jm_field10(q->qhl) - words);
    l->arrived = true;
    l->arrived_cycle = e->cycle;
    say(d,
        "%10" PRIu64 "  has arrived whole at %s, %" PRIu64 " cycles after it was "
        "opened\n",
        e->cycle, node_text(d, e->node, name, sizeof name), e->cycle - l->opened);
}

static void live_task(Life *l, const JmEvent *e) {
    Debug *d = l->search.d;
    char text[80];
    if (e->node != l->destination)
        return;
    if (e->kind == JM_EVENT_DISPATCH && e->priority == l->priority && !l->dispatched &&
        l->arrived && e->where == l->queue_address) {
        l->dispatched = true;
        l->dispatched_cycle = e->cycle;
        snprintf(text, sizeof text,
                 "dispatches it, %" PRIu64 " cycles after its arrival",
                 e->cycle - l->arrived_cycle);
        say_at(d, e, text);
    } else if (l->dispatched && e->kind == JM_EVENT_DISPATCH && e->priority == 1 &&
               l->priority == 0) {
        say_at(d, e, "is interrupted by priority 1,");
    } else if (l->dispatched && e->kind == JM_EVENT_FAULT &&
               (unsigned)e->context == l->priority) {
        snprintf(text, sizeof text, "takes a %s fault", jm_fault_name(e->fault));
        say_at(d, e, text);
    } else if (l->dispatched && e->kind == JM_EVENT_SUSPEND &&
               e->priority == l->priority) {
        l->done = true;
        snprintf(text, sizeof text, "suspends, %" PRIu64 " cycles after the dispatch",
                 e->cycle - l->dispatched_cycle);
        say_at(d, e, text);
    }
}

static bool live(void *context, const JmEvent *event) {
    Life *l = context;
    if (event->cycle < l->opened || l->done)
        return false;
    if (!l->arrived) {
        live_sending(l, event);
        live_arrival(l, event);
    }
    live_task(l, event);
    return false;
}

/* Tells a life from its opening to now. */
static bool tell(Debug *d, Life *l, uint64_t now) {
    travel_restore(d, travel_moment(d, l->opened));
    l->search.d = d;
    l->search.note = live;
    l->search.kinds =
        KIND(SEND) | KIND(FAULT) | KIND(ARRIVE) | KIND(DISPATCH) | KIND(SUSPEND);
    d->search = &l->search;
    const bool good = run_to(d, now, false) != END_INTERRUPTED;
    d->search = NULL;
    travel_to(d, now);
    if (!l->arrived)
        say(d, "%10" PRIu64 "  it is in the network; `messages` shows where\n", now);
    else if (!l->dispatched)
        say(d, "%10" PRIu64 "  it waits in the queue, or an overflow has moved it\n",
            now);
    else if (!l->done)
        say(d, "%10" PRIu64 "  its task has not ended\n", now);
    return good || fail(d, "interrupted");
}

static bool history_of_task(Debug *d, Args *args) {
    unsigned node = d->node;
    Origin o;
    if (!at_end(args) && (!take_node(args, &node) || !expect_end(args)))
        return false;
    const JmContext context = jm_running(d->machine, node);
    const uint64_t now = d->machine->now;
    if (context == JM_CONTEXT_BACKGROUND)
        return fail(d, "no task runs at node %u", node);
    const bool good = find_origin(d, node, context, now, &o);
    if (!good || !o.sent) {
        travel_to(d, now);
        if (good)
            say_origin(d, &o);
        return good &&
               (o.dispatched || fail(d, "the beginning of the task is not known"));
    }
    if (o.is_short)
        say(d,
            "the message ended in its first row, but its header says %" PRIu32
            " words\n",
            jm_field10(jm_data(o.dispatch.word)));
    Life l = {.source = o.opening.node,
              .destination = node,
              .priority = context,
              .message = o.opening.message,
              .opened = o.opening.cycle,
              .sender = o.opening.context};
    return tell(d, &l, now);
}

bool cmd_history(Debug *d, Args *args) {
    int64_t number;
    NetMessageState m;
    skip_blanks(args);
    const char *at = args->at;
    if (!has_past(d))
        return false;
    if (take_word(args, "task"))
        return history_of_task(d, args);
    if (!take_number(args, "a message", 0, UINT32_MAX, &number) || !expect_end(args))
        return false;
    if (!net_message_state(netif_network(d->machine), (uint32_t)number, &m))
        return fail_at(args, at,
                       "no message %" PRId64 " is in flight; `messages` lists them, "
                       "`history task` tells of one that has arrived",
                       number);
    Life l = {.source = m.source,
              .destination = m.destination,
              .priority = m.priority,
              .message = (uint32_t)number,
              .opened = m.opened_cycle};
    return tell(d, &l, d->machine->now);
}

/* ---- why ---------------------------------------------------------------------------
 */

static void say_row(void *context, const char *row) {
    say(context, "  %s\n", row);
}

static void say_doors(Debug *d, unsigned node) {
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
            n->priority[1].active ? ": a task of priority 1 never ended" : "");
}

/* The node before whose closed queue the messages of `node` end, or -1. */
static int next_in_chain(const Debug *d, unsigned node) {
    const Net *net = netif_network(d->machine);
    const uint32_t most = net_channel_count(net) * 4 + 1024;
    for (uint32_t i = 0; i < most; i++) {
        NetMessageState m;
        if (net_message_state(net, i, &m) && m.source == node &&
            !node_at(d, m.destination)->priority[m.priority].gate)
            return (int)m.destination;
    }
    return -1;
}

static void say_chain(Debug *d, unsigned first) {
    bool *seen = calloc(d->machine->nodes, sizeof *seen);
    if (!seen)
        abort(); /* out of memory: nothing sensible can go on */
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
                net_explain(net, (unsigned)node, p, say_row, d);
        node = next_in_chain(d, (unsigned)node);
    }
    free(seen);
}

bool cmd_why(Debug *d, Args *args) {
    unsigned node = d->node;
    skip_blanks(args);
    const char *at = args->at;
    if (take_word(args, "stopped")) {
        if (!expect_end(args))
            return false;
        say(d, "%s", d->stopped_text ? d->stopped_text : "it has not run yet\n");
        return true;
    }
    if (!take_word(args, "blocked"))
        return fail_at(args, at, "'stopped' or 'blocked' expected");
    if (!at_end(args) && (!take_node(args, &node) || !expect_end(args)))
        return false;
    say_chain(d, node);
    return true;
}
