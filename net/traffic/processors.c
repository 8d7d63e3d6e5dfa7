/* Abstract processors: input queues (arriving rows, gates, and the treatment of a queue
 * that is nearly full: overflow handler, brake, spill), tasks, the messages they send,
 * and a timing wheel of the processors with work due. */
#include "net/traffic/processors.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "emu/core/heap.h"
#include "emu/core/rng.h"

/* Messages in order, linked by Message.behind. */
typedef struct {
    uint32_t first, last; /* NET_NONE: none */
    uint32_t count;
} Line;

/* A message; each exists for the whole run. */
typedef struct {
    uint32_t behind;
    uint32_t hops; /* begun */
    uint64_t came; /* cycle in which its queue held all of it */
} Message;

/* An input queue. Its messages, in order of arrival, are in `front`, then `aside`
 * (those that the overflow handler or the spill has put aside), then `back`. A token in
 * the queue represents the messages that the overflow handler has put aside. */
typedef struct {
    Line front, aside, back;
    bool in_hand;      /* the task's message, which stays at the head until it ends */
    bool token;        /* stands behind front */
    bool to_ring;      /* the arriving message goes to the ring */
    bool gate;         /* open, as last set in the network */
    bool brake;        /* the brake is on */
    bool trap;         /* full: the processor is emptying it or about to */
    unsigned gathered; /* words of the arriving row */
    unsigned partial;  /* rows of the arriving message, in words */
    unsigned words;    /* all rows in the queue */
    unsigned trap_cycles; /* duration of the trap */
    uint64_t shut_until;  /* a spill out is in progress */
    uint64_t back_at;     /* when the ring's first message is back; 0: not under way */
} Input;

typedef enum { TASK_NONE, TASK_WORK, TASK_SEND, TASK_TOKEN } TaskState;

typedef struct {
    TaskState state;
    uint32_t message;
    uint32_t left;       /* remaining cycles, while it does not run */
    unsigned words_left; /* of the open message */
    unsigned priority;   /* of the open message */
    bool open;
    uint32_t destination;
} Task;

enum { NOBODY = -1, TRAP = NET_PRIORITIES };

typedef struct {
    Input input[NET_PRIORITIES];
    Task task[NET_PRIORITIES];
    int active;         /* a priority, TRAP or NOBODY */
    bool blocked;       /* the active task waits for room */
    unsigned trapped;   /* TRAP: priority of the queue being emptied */
    uint64_t due;       /* of the active task */
    uint64_t suspended; /* cycle of the last SUSPEND, or when the brake shut */
    unsigned credits;   /* for priority 1 by the lower mark */
} Node;

enum { WHEEL = 16384, ROW = 4 };

struct NetProcessors {
    Heap *heap;
    Net *net;
    NetProcessorsPlan plan;
    JmRng rng;
    uint32_t nodes, set_words; /* 64-bit words of a set of nodes */
    unsigned size;             /* words of a message, in whole rows */
    Node *node;
    Message *message;  /* by number; node n's start at n * load */
    uint32_t *carried; /* by the network's number: its message */
    size_t carried_room;
    uint64_t *wheel;   /* by cycle % WHEEL: set of nodes with something to do */
    uint64_t *blocked; /* set of nodes whose task waits for room */
    uint64_t now, sent_last;
    uint32_t home; /* messages that have ended */
    NetProcessorsCounts counts;
};

/* Schedules the processor for cycle `due` at the latest. */
static void processors_at(NetProcessors *p, uint32_t node, uint64_t due);
/* Gives the processor to the task that should have it in cycle `now`. */
static void processors_pick(NetProcessors *p, uint32_t node);

/* Costs of the overflow handler in cycles (thesis, table 2.1). */
enum {
    TRAP_PREAMBLE = 150,
    SUBROUTINE = 50,
    WORD_TO_BUFFER = 22,
    TOKEN_HANDLER = 52,
    MESSAGE_FROM_BUFFER = 23,
    WORD_FROM_BUFFER = 26
};

/* ---- lines of messages ----------------------------------------------------------- */

static void line_add(NetProcessors *p, Line *line, uint32_t message) {
    p->message[message].behind = NET_NONE;
    if (line->count++ == 0)
        line->first = message;
    else
        p->message[line->last].behind = message;
    line->last = message;
}

static uint32_t line_take(NetProcessors *p, Line *line) {
    const uint32_t message = line->first;
    line->first = p->message[message].behind;
    line->count--;
    return message;
}

/* Appends all of `from` to `to`. */
static void line_append(NetProcessors *p, Line *to, Line *from) {
    if (from->count == 0)
        return;
    if (to->count == 0)
        to->first = from->first;
    else
        p->message[to->last].behind = from->first;
    to->last = from->last;
    to->count += from->count;
    *from = (Line){.count = 0};
}

/* Recounts the words in the queue. */
static void inputs_count(NetProcessors *p, Input *input, unsigned priority) {
    const unsigned messages = input->in_hand + input->front.count + input->back.count;
    input->words = messages * p->size + (input->token ? ROW : 0) +
                   (input->to_ring ? 0 : input->partial);
    if (input->words > p->counts.longest[priority])
        p->counts.longest[priority] = input->words;
}

/* ---- overflow handler ------------------------------------------------------------ */

/* The messages that the trap puts aside: all but the one in hand, or, if some are
 * already aside, those behind the token. */
static Line *to_put_aside(Input *input) {
    return input->token && input->back.count > 0 ? &input->back : &input->front;
}

static void begin_trap(NetProcessors *p, uint32_t number, unsigned priority) {
    Input *input = &p->node[number].input[priority];
    p->counts.overflows[priority]++;
    if (p->counts.first_overflow == UINT64_MAX) {
        p->counts.first_overflow = p->now;
        p->counts.first_node = number;
    }
    const unsigned words = to_put_aside(input)->count * p->size + input->partial;
    input->trap_cycles = TRAP_PREAMBLE + SUBROUTINE + WORD_TO_BUFFER * words;
    input->trap = true;
}

/* Ends the overflow trap. */
static void inputs_end_trap(NetProcessors *p, uint32_t number, unsigned priority) {
    Input *input = &p->node[number].input[priority];
    Line *line = to_put_aside(input);
    input->trap = false;
    if (line == &input->front && input->token) {
        line_append(p, line, &input->aside); /* they arrived earlier */
        input->aside = *line;
        *line = (Line){.count = 0};
    } else {
        line_append(p, &input->aside, line);
    }
    input->token = input->aside.count > 0;
    inputs_count(p, input, priority);
}

/* Returns how many messages the token's handler takes back: as many as fill half a
 * queue, or all if there are fewer; at least one. */
static unsigned to_take_back(const NetProcessors *p, const Input *input,
                             unsigned priority) {
    const unsigned all = input->aside.count + input->back.count;
    const unsigned half = p->plan.queue[priority] / 2 / p->size;
    return half == 0 ? 1 : all < half ? all : half;
}

/* The cycles that the overflow handler takes for the token in hand of a queue. */
static unsigned inputs_token_cycles(const NetProcessors *p, const Input *input,
                                    unsigned priority) {
    const unsigned back = to_take_back(p, input, priority);
    return TOKEN_HANDLER + SUBROUTINE + WORD_TO_BUFFER * input->back.count * p->size +
           back * (MESSAGE_FROM_BUFFER + WORD_FROM_BUFFER * p->size);
}

/* Applies the effect of the token's handler, when inputs_token_cycles() have passed. */
static void inputs_end_token(NetProcessors *p, uint32_t number, unsigned priority) {
    Input *input = &p->node[number].input[priority];
    unsigned back = to_take_back(p, input, priority);
    line_append(p, &input->aside, &input->back);
    for (; back > 0; back--)
        line_add(p, &input->front, line_take(p, &input->aside));
    input->token = input->aside.count > 0;
    inputs_count(p, input, priority);
}

/* ---- spill ----------------------------------------------------------------------- */

/* The number of words above which a queue spills; 0: never. */
static unsigned spill_limit(const NetProcessors *p, unsigned priority) {
    const unsigned most = p->plan.queue[priority] - ROW;
    if (p->plan.spill_mark == 0 || (priority == 1 && !p->plan.spill_both))
        return 0;
    return priority == 1 || p->plan.spill_mark > most ? most : p->plan.spill_mark;
}

static void spill_row(NetProcessors *p, uint32_t number, Input *input) {
    p->counts.spilled += ROW;
    if (p->plan.spill_cycles == 0)
        return;
    input->shut_until = p->now + 1 + ROW * p->plan.spill_cycles;
    processors_at(p, number, input->shut_until);
}

/* Brings messages back from the ring while the queue has room. */
static void unspill(NetProcessors *p, uint32_t number, unsigned priority) {
    Input *input = &p->node[number].input[priority];
    const unsigned limit = spill_limit(p, priority);
    while (limit > 0 && input->aside.count > 0) {
        if (input->back_at == 0 && input->words + p->size > limit)
            return;
        if (input->back_at == 0)
            input->back_at = p->now + 1 + p->size * p->plan.spill_cycles;
        if (input->back_at > p->now + 1) {
            processors_at(p, number, input->back_at);
            return;
        }
        input->back_at = 0;
        line_add(p, &input->front, line_take(p, &input->aside));
        inputs_count(p, input, priority);
    }
}

/* ---- gates ----------------------------------------------------------------------- */

/* Whether the brake keeps gate 0 shut. */
static bool is_braked(const NetProcessors *p, Node *node) {
    Input *input = &node->input[0];
    const NetProcessorsPlan *plan = &p->plan;
    if (plan->brake_mark == 0)
        return false;
    const unsigned most = plan->brake_ring ? UINT_MAX : plan->queue[0] - ROW;
    const unsigned mark = plan->brake_mark < most ? plan->brake_mark : most;
    const unsigned release = plan->brake_release ? plan->brake_release : mark - ROW;
    const unsigned ring = plan->brake_ring ? input->aside.count * p->size : 0;
    const unsigned words = input->words + ring;
    const bool was_on = input->brake;
    if (words + ROW > mark)
        input->brake = true;
    else if (words <= release)
        input->brake = false;
    if (input->brake && !was_on)
        node->suspended = p->now;
    return input->brake && p->now - node->suspended < plan->brake_patience;
}

static bool wants_open(const NetProcessors *p, Node *node, unsigned priority) {
    const Input *input = &node->input[priority];
    if (input->trap || node->task[priority].state == TASK_TOKEN)
        return false;
    if (priority == 0 && is_braked(p, node))
        return false;
    if (spill_limit(p, priority) > 0)
        return input->shut_until <= p->now;
    return input->words + ROW <= p->plan.queue[priority];
}

/* Sets a node's gates according to its queues. */
static void inputs_update(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        Input *input = &node->input[priority];
        unspill(p, number, priority);
        const bool open = wants_open(p, node, priority);
        if (open != input->gate)
            net_set_gate(p->net, number, priority, open);
        input->gate = open;
    }
}

/* ---- arrivals -------------------------------------------------------------------- */

static void end_message(NetProcessors *p, uint32_t number, unsigned priority,
                        uint32_t message) {
    Input *input = &p->node[number].input[priority];
    p->message[message].came = p->now + 1;
    input->partial = 0;
    Line *line = input->token ? &input->back : &input->front;
    line_add(p, input->to_ring ? &input->aside : line, message);
    const uint64_t ring = (uint64_t)input->aside.count * p->size;
    if (input->to_ring && ring > p->counts.spill_peak)
        p->counts.spill_peak = ring;
    input->to_ring = false;
}

static void receive_word(NetProcessors *p, const NetDelivery *word) {
    Input *input = &p->node[word->node].input[word->priority];
    if (input->partial == 0 && input->gathered == 0) {
        const unsigned limit = spill_limit(p, word->priority);
        input->to_ring =
            limit > 0 && (input->aside.count > 0 || input->words + p->size > limit);
    }
    if (++input->gathered < ROW && !word->tail)
        return;
    input->gathered = 0;
    input->partial += ROW;
    if (input->to_ring)
        spill_row(p, word->node, input);
    if (word->tail)
        end_message(p, word->node, word->priority, p->carried[word->message]);
    inputs_count(p, input, word->priority);
    if (input->words >= p->plan.queue[word->priority] && !input->trap &&
        p->plan.traps >> word->priority & 1)
        begin_trap(p, word->node, word->priority);
    inputs_update(p, word->node);
    processors_pick(p, word->node);
}

/* Receives the words of the last step. */
static void inputs_receive(NetProcessors *p) {
    size_t count;
    const NetDelivery *words = net_deliveries(p->net, &count);
    for (size_t i = 0; i < count; i++)
        receive_word(p, &words[i]);
    net_settle_gates(p->net);
}

/* LOOK is the interval, in cycles, between checks of brakes waiting for their timeout.
 * SILENCE is the number of cycles without a message sent after which the run counts as
 * deadlocked; it exceeds any handler and any brake timeout in use. */
enum { LOOK = 256, SILENCE = 300000, METER_BURST = 8 };

/* ---- creation -------------------------------------------------------------------- */

/* Cycles needed to send a message of the plan if there is room: the routing word goes
 * with the first word, then two words a cycle. */
static unsigned send_cycles(const NetProcessorsPlan *plan) {
    return 1 + plan->words / 2;
}

static unsigned rows_of(const NetProcessorsPlan *plan) {
    return (plan->words + ROW - 1) / ROW * ROW;
}

static bool queue_fits(const NetProcessorsPlan *plan, unsigned words) {
    return words >= rows_of(plan) + 2 * ROW && words <= NET_PROCESSORS_MAX_QUEUE;
}

/* Messages must be able to leave a full queue, and the first ones must fit. */
static bool check_queues(const NetProcessorsPlan *plan, JmError *error) {
    if (!queue_fits(plan, plan->queue[0]) || !queue_fits(plan, plan->queue[1]))
        return jm_fail(error, NULL,
                       "queues of %u and %u words: with messages of %u they have %u to "
                       "%d",
                       plan->queue[0], plan->queue[1], plan->words,
                       rows_of(plan) + 2 * ROW, NET_PROCESSORS_MAX_QUEUE);
    if (plan->load * rows_of(plan) > plan->queue[0] - ROW)
        return jm_fail(error, NULL,
                       "%u messages of %u words do not fit into a queue of %u",
                       plan->load, plan->words, plan->queue[0]);
    if (plan->brake_mark && plan->brake_mark < rows_of(plan) + ROW)
        return jm_fail(error, NULL,
                       "brake_mark=%u: messages of %u words would never come in",
                       plan->brake_mark, plan->words);
    if (plan->brake_ring && !(plan->brake_mark && plan->spill_mark))
        return jm_fail(error, NULL, "brake_ring=1: it needs a brake and a ring");
    if (plan->spill_mark && plan->spill_mark < rows_of(plan))
        return jm_fail(error, NULL,
                       "spill_mark=%u: messages of %u words would never come back",
                       plan->spill_mark, plan->words);
    return true;
}

static bool check(const NetProcessorsPlan *plan, const Net *net, JmError *error) {
    const unsigned nodes = net_node_count(net), buffer = net_buffer_words(net);
    if (plan->load < 1 || plan->load > NET_PROCESSORS_MAX_LOAD || plan->words < 1 ||
        plan->words > NET_PROCESSORS_MAX_WORDS ||
        plan->handler < send_cycles(plan) + 1 ||
        plan->handler > NET_PROCESSORS_MAX_HANDLER)
        return jm_fail(error, NULL,
                       "%u messages a node of %u words, %u cycles: there are 1 to %d "
                       "messages of 1 to %d words, cycles from 2 + words / 2 to %d",
                       plan->load, plan->words, plan->handler, NET_PROCESSORS_MAX_LOAD,
                       NET_PROCESSORS_MAX_WORDS, NET_PROCESSORS_MAX_HANDLER);
    if (plan->hot >= nodes || !(plan->imbalance > 0 && plan->imbalance <= 1e6))
        return jm_fail(error, NULL, "node %u of %u gets %g times the traffic",
                       plan->hot, nodes, plan->imbalance);
    if (plan->whole && plan->words + 1 > buffer)
        return jm_fail(error, NULL,
                       "messages of %u words never fit whole into a buffer of %u",
                       plan->words + 1, buffer);
    return check_queues(plan, error);
}

static void start(NetProcessors *p) {
    for (uint32_t number = 0; number < p->nodes; number++) {
        Node *node = &p->node[number];
        node->active = NOBODY;
        node->due = UINT64_MAX;
        for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
            node->input[priority].gate = true;
        for (uint32_t i = 0; i < p->plan.load; i++)
            line_add(p, &node->input[0].front, number * p->plan.load + i);
        inputs_count(p, &node->input[0], 0);
        processors_pick(p, number);
    }
}

/* `begun` holds their network and plan. */
static void *make(Heap *heap, const void *begun) {
    NetProcessors *p = heap_copy(heap, begun, sizeof *p);
    const NetProcessorsPlan *plan = &p->plan;
    p->heap = heap;
    p->rng = jm_rng(plan->seed);
    p->nodes = net_node_count(p->net);
    p->set_words = (p->nodes + 63) / 64;
    p->size = rows_of(plan);
    p->counts.first_overflow = UINT64_MAX;
    const size_t messages = (size_t)p->nodes * plan->load;
    const size_t slots = (size_t)WHEEL * p->set_words;
    p->node = heap_alloc(heap, p->nodes * sizeof *p->node);
    p->message = heap_alloc(heap, messages * sizeof *p->message);
    p->wheel = heap_alloc(heap, slots * sizeof *p->wheel);
    p->blocked = heap_alloc(heap, p->set_words * sizeof *p->blocked);
    start(p);
    return p;
}

NetProcessors *net_processors_create(Net *net, const NetProcessorsPlan *plan,
                                     JmError *error) {
    if (!check(plan, net, error))
        return NULL;
    return heap_make(make, &(NetProcessors){.net = net, .plan = *plan}, error, NULL,
                     "processors");
}

void net_processors_destroy(NetProcessors *p) {
    heap_delete(p ? p->heap : NULL);
}

/* ---- whose turn it is ------------------------------------------------------------ */

static void put(uint64_t *set, uint32_t node, bool present) {
    const uint64_t bit = UINT64_C(1) << (node % 64);
    set[node / 64] = present ? set[node / 64] | bit : set[node / 64] & ~bit;
}

static void processors_at(NetProcessors *p, uint32_t node, uint64_t due) {
    const uint64_t last = p->now + WHEEL - 1; /* the node is examined again then */
    put(p->wheel + (due < last ? due : last) % WHEEL * p->set_words, node, true);
}

static void pause(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    if (node->active >= 0 && node->active < TRAP) {
        Task *task = &node->task[node->active];
        const bool waits = node->blocked || node->due <= p->now;
        task->left = waits ? 0 : (uint32_t)(node->due - p->now - 1);
    }
    node->blocked = false;
    put(p->blocked, number, false);
    node->due = UINT64_MAX;
    node->active = NOBODY;
}

static void go_on(NetProcessors *p, uint32_t number, int who, unsigned cycles) {
    Node *node = &p->node[number];
    node->active = who;
    node->due = p->now + 1 + cycles;
    processors_at(p, number, node->due);
}

/* Cycles of a handler, excluding those in which it sends. */
static uint32_t draw_work(NetProcessors *p) {
    const unsigned sending = send_cycles(&p->plan);
    if (!p->plan.exponential)
        return p->plan.handler - sending;
    const double share = ((double)(jm_rng_next(&p->rng) >> 11) + 0.5) * 0x1p-53;
    const double cycles = floor(-log(share) * p->plan.handler + 0.5);
    return cycles > sending ? (uint32_t)cycles - sending : 0;
}

/* The message's next node: home at the end, and every `home_every` hops. */
static uint32_t draw_destination(NetProcessors *p, uint32_t message) {
    const NetProcessorsPlan *plan = &p->plan;
    const uint32_t hop = p->message[message].hops + 1;
    if (hop > plan->hops || (plan->home_every && hop % plan->home_every == 0))
        return message / plan->load;
    if (plan->imbalance == 1)
        return jm_rng_below(&p->rng, p->nodes);
    const double share = (double)(jm_rng_next(&p->rng) >> 11) * 0x1p-53;
    if (share * (p->nodes - 1 + plan->imbalance) < plan->imbalance)
        return plan->hot;
    const uint32_t other = jm_rng_below(&p->rng, p->nodes - 1);
    return other + (other >= plan->hot);
}

/* Starts the first entry of a queue: a message or the overflow handler's token. */
static void begin_task(NetProcessors *p, uint32_t number, unsigned priority) {
    Node *node = &p->node[number];
    Input *input = &node->input[priority];
    Task *task = &node->task[priority];
    if (input->front.count == 0) {
        *task = (Task){.state = TASK_TOKEN,
                       .left = inputs_token_cycles(p, input, priority)};
        inputs_update(p, number);
        return;
    }
    const uint32_t message = line_take(p, &input->front);
    input->in_hand = true;
    *task = (Task){.state = TASK_WORK, .message = message, .left = draw_work(p)};
    if (p->message[message].hops <= p->plan.hops)
        task->destination = draw_destination(p, message);
}

/* Who gets the processor: the overflow trap first, then a task with an open message,
 * then one of priority 1, then one of priority 0. */
static int best(const Node *node) {
    if (node->input[0].trap || node->input[1].trap)
        return TRAP;
    if (node->task[0].open)
        return 0;
    for (int priority = NET_PRIORITIES - 1; priority >= 0; priority--)
        if (node->task[priority].state != TASK_NONE ||
            node->input[priority].front.count > 0 || node->input[priority].token)
            return priority;
    return NOBODY;
}

static void processors_pick(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    const int who = best(node);
    if (who == node->active)
        return;
    pause(p, number);
    if (who == NOBODY)
        return;
    if (who == TRAP) {
        node->trapped = node->input[0].trap ? 0 : 1;
        go_on(p, number, TRAP, node->input[node->trapped].trap_cycles);
        return;
    }
    Task *task = &node->task[who];
    if (task->state == TASK_NONE)
        begin_task(p, number, (unsigned)who);
    go_on(p, number, who, task->left);
}

/* ---- sending --------------------------------------------------------------------- */

/* Places in the output buffer needed to open a message: for its routing word and first
 * word, or for the whole message. */
static unsigned places_to_open(const NetProcessors *p) {
    return 1 + (p->plan.whole ? p->plan.words : 1);
}

/* The priority of a message opened now. */
static unsigned choose_priority(const NetProcessors *p, uint32_t number) {
    const NetProcessorsPlan *plan = &p->plan;
    const Node *node = &p->node[number];
    const unsigned words = node->input[0].words;
    if (plan->hwm_mark && words > plan->hwm_mark)
        return 1;
    if (plan->meter_mark && words > plan->meter_mark && node->credits >= plan->meter)
        return 1;
    const bool may_escape =
        plan->escape_mark && (node->active == 1 || words > plan->escape_mark);
    return may_escape && net_room(p->net, number, 0) < places_to_open(p);
}

/* Updates the meter: messages of priority 0 earn the credits that one diverted to
 * priority 1 spends. */
static void meter(NetProcessors *p, Node *node, unsigned priority) {
    const unsigned most = METER_BURST * p->plan.meter;
    if (priority == 0)
        node->credits += node->credits < most;
    else
        node->credits -= node->credits < p->plan.meter ? node->credits : p->plan.meter;
}

static void open_message(NetProcessors *p, uint32_t number, Task *task) {
    Message *message = &p->message[task->message];
    const uint64_t born = p->plan.aged ? message->came : p->now;
    const uint32_t carrier =
        net_open_aged(p->net, number, task->priority, task->destination, born);
    if (carrier == NET_NONE)
        heap_fail(p->heap);
    p->carried =
        heap_grow(p->heap, p->carried, carrier, &p->carried_room, sizeof *p->carried);
    p->carried[carrier] = task->message;
    message->hops++;
    task->open = true;
    task->words_left = p->plan.words;
    p->counts.sent[task->priority]++;
    p->sent_last = p->now;
    meter(p, &p->node[number], task->priority);
}

static void wait(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    node->blocked = true;
    node->due = p->now + 1;
    /* An attempt in every cycle fails until the output buffer changes. */
    put(p->blocked, number, true);
}

static void end_task(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    const unsigned priority = (unsigned)node->active;
    node->task[priority].state = TASK_NONE;
    node->input[priority].in_hand = false;
    node->suspended = p->now;
    p->counts.hops++;
    inputs_count(p, &node->input[priority], priority);
    inputs_update(p, number);
    pause(p, number);
    processors_pick(p, number);
}

/* Sends as much as a cycle allows, or waits for room. */
static void send(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    Task *task = &node->task[node->active];
    if (!task->open)
        task->priority = choose_priority(p, number);
    const unsigned words = task->open && task->words_left > 1 ? 2 : 1;
    const unsigned places = task->open ? words : places_to_open(p);
    if (net_room(p->net, number, task->priority) < places) {
        wait(p, number);
        return;
    }
    node->blocked = false;
    put(p->blocked, number, false);
    if (!task->open)
        open_message(p, number, task);
    task->words_left -= words;
    net_offer(p->net, number, task->priority, words, task->words_left == 0);
    if (task->words_left > 0) {
        go_on(p, number, node->active, 0);
        return;
    }
    task->open = false;
    end_task(p, number);
}

/* ---- a cycle --------------------------------------------------------------------- */

static void work(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    Task *task = &node->task[node->active];
    switch (task->state) {
    case TASK_WORK:
        if (p->message[task->message].hops > p->plan.hops) { /* all its hops are done */
            p->home++;
            end_task(p, number);
            return;
        }
        task->state = TASK_SEND;
        send(p, number);
        return;
    case TASK_SEND:
        send(p, number);
        return;
    default:
        task->state = TASK_NONE;
        inputs_end_token(p, number, (unsigned)node->active);
        inputs_update(p, number);
        pause(p, number);
        processors_pick(p, number);
    }
}

/* Performs a node's work of this cycle. */
static void act(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    if (p->plan.spill_mark) {
        inputs_update(p, number);
        processors_pick(p, number);
    }
    if (node->active == NOBODY)
        return;
    if (node->due > p->now && !node->blocked) {
        processors_at(p, number, node->due);
        return;
    }
    if (node->active != TRAP) {
        work(p, number);
        return;
    }
    inputs_end_trap(p, number, node->trapped);
    inputs_update(p, number);
    pause(p, number);
    processors_pick(p, number);
}

static void act_all(NetProcessors *p) {
    uint64_t *due = p->wheel + p->now % WHEEL * p->set_words;
    const uint64_t *stirred[] = {net_drained(p->net, 0), net_drained(p->net, 1),
                                 net_received(p->net, 0)};
    for (uint32_t w = 0; w < p->set_words; w++) {
        uint64_t nodes =
            due[w] | (p->blocked[w] & (stirred[0][w] | stirred[1][w] | stirred[2][w]));
        due[w] = 0;
        for (; nodes; nodes &= nodes - 1)
            act(p, w * 64 + (uint32_t)__builtin_ctzll(nodes));
    }
}

/* Releases brakes whose timeout has expired. */
static void look(NetProcessors *p) {
    for (uint32_t number = 0; number < p->nodes; number++)
        if (p->node[number].input[0].brake)
            inputs_update(p, number);
}

typedef struct {
    NetProcessors *processors;
    unsigned cycles;
    NetProcessorsState state;
} Running;

static void run(Heap *heap, void *context) {
    Running *running = context;
    NetProcessors *p = running->processors;
    const uint32_t all = p->nodes * p->plan.load;
    (void)heap;
    running->state = NET_PROCESSORS_DEADLOCK;
    for (unsigned left = running->cycles; left > 0 && p->home < all; left--) {
        act_all(p);
        if (p->now % LOOK == 0 && p->plan.brake_mark)
            look(p);
        net_step(p->net);
        inputs_receive(p);
        p->now++;
        if (p->now - p->sent_last > SILENCE && p->home < all)
            return;
    }
    running->state = p->home < all ? NET_PROCESSORS_RUN : NET_PROCESSORS_DONE;
}

NetProcessorsState net_processors_run(NetProcessors *p, unsigned cycles) {
    Running running = {p, cycles, NET_PROCESSORS_STARVED};
    return heap_work(p->heap, run, &running) ? running.state : NET_PROCESSORS_STARVED;
}

NetProcessorsCounts net_processors_counts(const NetProcessors *p) {
    NetProcessorsCounts counts = p->counts;
    counts.cycles = p->now;
    return counts;
}
