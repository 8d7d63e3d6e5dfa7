/* Processors as customer queues, and a timing wheel of the processors with work due. */
#include "net/traffic/customers.h"

#include <assert.h>
#include <math.h>

#include "emu/core/heap.h"
#include "emu/core/rng.h"

/* WHEEL exceeds the longest service. LOOK is the sampling period in cycles. */
enum { WHEEL = 8192, LOOK = 8, PRIORITY = 0 };
static const uint32_t NOBODY = UINT32_MAX;

/* A node's processor. */
typedef struct {
    uint32_t first, last; /* the queue, without the customer in hand */
    uint32_t in_hand;     /* or NOBODY */
    unsigned queued;
    unsigned left;     /* words of the open message still to send */
    bool open;         /* the message in hand is being sent */
    uint64_t opened;   /* messages opened so far */
    uint64_t offered;  /* places taken in the output buffer so far */
    uint32_t next_due; /* next processor of the same slot of the wheel */
    uint64_t seen;     /* messages at the node, summed over all samples */
} Processor;

struct NetCustomers {
    Heap *heap;
    Net *net;
    NetCustomersPlan plan;
    JmRng rng;
    uint32_t nodes, numbers;
    Processor *processor;
    uint32_t *behind;      /* by customer: the next one in its queue */
    uint32_t *carried;     /* by message number: its customer */
    uint32_t wheel[WHEEL]; /* by cycle: first of a list of processors */
    uint64_t now, since, served, looks;
};

/* ---- creation -------------------------------------------------------------------- */

/* Puts a processor on the wheel. */
static void put_due(NetCustomers *c, uint32_t node, unsigned cycles) {
    uint32_t *const first = &c->wheel[(c->now + cycles) % WHEEL];
    c->processor[node].next_due = *first;
    *first = node;
}

/* Returns the cycles needed to send a message if there is room: the routing word goes
 * with the first word, then two words a cycle. */
static unsigned send_cycles(const NetCustomersPlan *plan) {
    return 1 + plan->words / 2;
}

/* Puts a customer at the end of a node's queue. */
static void join(NetCustomers *c, uint32_t node, uint32_t customer) {
    Processor *const p = &c->processor[node];
    c->behind[customer] = NOBODY;
    if (p->first == NOBODY)
        p->first = customer;
    else
        c->behind[p->last] = customer;
    p->last = customer;
    p->queued++;
}

/* Takes the next customer, if any, and sends it on after `cycles` cycles. */
static void take_next(NetCustomers *c, uint32_t node, unsigned cycles) {
    Processor *const p = &c->processor[node];
    p->in_hand = p->first;
    if (p->in_hand == NOBODY)
        return;
    p->first = c->behind[p->in_hand];
    p->queued--;
    put_due(c, node, cycles);
}

static bool check(const NetCustomersPlan *plan, JmError *error) {
    const bool good = plan->load >= 1 && plan->load <= NET_CUSTOMERS_MAX_LOAD &&
                      plan->words >= 1 && plan->words <= NET_CUSTOMERS_MAX_WORDS &&
                      plan->service >= send_cycles(plan) &&
                      plan->service <= NET_CUSTOMERS_MAX_SERVICE;
    return good ||
           jm_fail(error, NULL,
                   "%u messages a node of %u words, %u cycles: there are 1 to %d "
                   "messages of 1 to %d words, cycles from 1 + words / 2 to %d",
                   plan->load, plan->words, plan->service, NET_CUSTOMERS_MAX_LOAD,
                   NET_CUSTOMERS_MAX_WORDS, NET_CUSTOMERS_MAX_SERVICE);
}

/* Starts the first services so that they end spread over one service time, lest the
 * processors run in step. */
static void start(NetCustomers *c) {
    for (uint32_t i = 0; i < WHEEL; i++)
        c->wheel[i] = NOBODY;
    for (uint32_t node = 0; node < c->nodes; node++) {
        c->processor[node] = (Processor){.first = NOBODY, .last = NOBODY};
        for (uint32_t i = 0; i < c->plan.load; i++)
            join(c, node, node * c->plan.load + i);
        take_next(c, node, jm_rng_below(&c->rng, c->plan.service));
    }
}

/* `begun` holds their network and plan. */
static void *make(Heap *heap, const void *begun) {
    NetCustomers *c = heap_copy(heap, begun, sizeof *c);
    const NetCustomersPlan *plan = &c->plan;
    const uint32_t nodes = net_node_count(c->net);
    c->heap = heap;
    c->rng = jm_rng(plan->seed);
    c->nodes = nodes;
    /* A number may stay unused for a while before it is reused. */
    c->numbers = nodes * (plan->load + 4);
    c->processor = heap_alloc(heap, nodes * sizeof *c->processor);
    c->behind = heap_alloc(heap, (size_t)nodes * plan->load * sizeof *c->behind);
    c->carried = heap_alloc(heap, c->numbers * sizeof *c->carried);
    start(c);
    return c;
}

NetCustomers *net_customers_create(Net *net, const NetCustomersPlan *plan,
                                   JmError *error) {
    if (!check(plan, error))
        return NULL;
    if (net_node_count(net) < 2) {
        jm_fail(error, NULL, "customers need two nodes");
        return NULL;
    }
    return heap_make(make, &(NetCustomers){.net = net, .plan = *plan}, error, NULL,
                     "processors");
}

void net_customers_destroy(NetCustomers *c) {
    heap_delete(c ? c->heap : NULL);
}

/* ---- a cycle --------------------------------------------------------------------- */

/* Returns a customer's next node: home if it is elsewhere and the plan says so,
 * otherwise any other node. */
static uint32_t destination(NetCustomers *c, uint32_t node, uint32_t customer) {
    const uint32_t home = customer / c->plan.load;
    if (c->plan.home && home != node)
        return home;
    const uint32_t other = jm_rng_below(&c->rng, c->nodes - 1);
    return other + (other >= node);
}

static void open_message(NetCustomers *c, uint32_t node) {
    Processor *const p = &c->processor[node];
    const uint32_t number =
        net_open(c->net, node, PRIORITY, destination(c, node, p->in_hand));
    if (number == NET_NONE)
        heap_fail(c->heap);
    assert(number < c->numbers);
    c->carried[number] = p->in_hand;
    p->open = true;
    p->left = c->plan.words;
    p->opened++;
    p->offered++;
}

/* Sends as much of the message in hand as a cycle allows, or waits for room. */
static void serve(NetCustomers *c, uint32_t node) {
    Processor *const p = &c->processor[node];
    const unsigned words = p->open && p->left > 1 ? 2 : 1;
    if (net_room(c->net, node, PRIORITY) < words + !p->open) {
        put_due(c, node, 1);
        return;
    }
    if (!p->open)
        open_message(c, node);
    p->left -= words;
    p->offered += words;
    net_offer(c->net, node, PRIORITY, words, p->left == 0);
    if (p->left > 0) {
        put_due(c, node, 1);
        return;
    }
    p->open = false;
    c->served++;
    take_next(c, node, 1 + c->plan.service - send_cycles(&c->plan));
}

/* Queues the customers of completely received messages. */
static void receive(NetCustomers *c) {
    size_t count;
    const NetDelivery *words = net_deliveries(c->net, &count);
    for (size_t i = 0; i < count; i++) {
        if (!words[i].tail)
            continue;
        const uint32_t node = words[i].node;
        join(c, node, c->carried[words[i].message]);
        if (c->processor[node].in_hand == NOBODY)
            take_next(c, node, 1 + c->plan.service - send_cycles(&c->plan));
    }
}

/* Samples the messages at each node: those waiting or in hand, and those with a word
 * still in the output buffer. */
static void look(NetCustomers *c) {
    const unsigned places = net_buffer_words(c->net), message = 1 + c->plan.words;
    for (uint32_t node = 0; node < c->nodes; node++) {
        Processor *const p = &c->processor[node];
        const unsigned taken = places - net_room(c->net, node, PRIORITY);
        p->seen += p->queued + (p->in_hand != NOBODY && !p->open) + p->opened -
                   (p->offered - taken) / message;
    }
    c->looks++;
}

typedef struct {
    NetCustomers *customers;
    unsigned cycles;
} Running;

static void run(Heap *heap, void *context) {
    const Running *running = context;
    NetCustomers *c = running->customers;
    (void)heap;
    for (unsigned cycles = running->cycles; cycles > 0; cycles--, c->now++) {
        uint32_t *const due = &c->wheel[c->now % WHEEL];
        uint32_t node = *due;
        *due = NOBODY;
        while (node != NOBODY) {
            const uint32_t next = c->processor[node].next_due;
            serve(c, node);
            node = next;
        }
        net_step(c->net);
        receive(c);
        if (c->now % LOOK == 0)
            look(c);
    }
}

bool net_customers_run(NetCustomers *c, unsigned cycles) {
    return heap_work(c->heap, run, &(Running){c, cycles});
}

/* ---- what was counted ------------------------------------------------------------ */

void net_customers_forget(NetCustomers *c) {
    for (uint32_t node = 0; node < c->nodes; node++)
        c->processor[node].seen = 0;
    c->served = c->looks = 0;
    c->since = c->now;
}

double net_customers_queue(const NetCustomers *c, uint32_t node) {
    return c->looks ? (double)c->processor[node].seen / (double)c->looks : NAN;
}

uint64_t net_customers_served(const NetCustomers *c) {
    return c->served;
}
