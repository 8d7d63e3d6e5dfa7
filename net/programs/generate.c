/* The programs of Pimentel and Hertzberger, section 4. */
#include <stdio.h>

#include "net/programs/programs.h"

/* Pairs send the same total of messages for any number of nodes; in all-to-all every
 * node sends to every other the same number of times. */
uint32_t net_program_rounds(NetProgramKind kind, uint32_t nodes) {
    enum { EXCHANGES = 32, MESSAGES = 4096 };
    if (kind == NET_PROGRAM_PING_PONG)
        return 1;
    if (kind == NET_PROGRAM_ROOTED || kind == NET_PROGRAM_SHIFTED)
        return EXCHANGES;
    return nodes < MESSAGES ? MESSAGES / nodes : 1;
}

typedef struct {
    const NetProgramPlan *plan;
    NetProgramsMaker maker;
} Generator;

static void send(Generator *g, uint32_t to) {
    net_programs_add(
        &g->maker, (NetOp){.kind = NET_OP_SEND, .node = to, .amount = g->plan->bytes});
}

static void receive(Generator *g, uint32_t from) {
    net_programs_add(&g->maker, (NetOp){.kind = NET_OP_RECEIVE, .node = from});
}

/* Sends and receives in alternation. */
static void exchange(Generator *g, uint32_t partner, bool first) {
    for (uint32_t round = 0; round < g->plan->rounds; round++) {
        if (first)
            send(g, partner);
        receive(g, partner);
        if (!first)
            send(g, partner);
    }
}

/* In a round each node in turn is the root and sends to all others. */
static void rooted(Generator *g, uint32_t node) {
    for (uint32_t round = 0; round < g->plan->rounds; round++)
        for (uint32_t root = 0; root < g->plan->nodes; root++)
            if (root != node)
                receive(g, root);
            else
                for (uint32_t to = 0; to < g->plan->nodes; to++)
                    if (to != node)
                        send(g, to);
}

/* In step s node p sends to p + s and receives from p - s. In each ring of nodes s
 * apart the first sends first; the others wait to receive. */
static void shifted(Generator *g, uint32_t node) {
    const uint32_t n = g->plan->nodes;
    for (uint32_t round = 0; round < g->plan->rounds; round++)
        for (uint32_t step = 1; step < n; step++) {
            const uint32_t to = (node + step) % n, from = (node + n - step) % n;
            const bool first = node / step % 2 == 0;
            if (first)
                send(g, to);
            receive(g, from);
            if (!first)
                send(g, to);
        }
}

/* Adds the program of one node. In equal-dist, partners are half the nodes apart, all
 * at the same distance; in unequal-dist the first node talks to the last, and so on
 * inwards. */
static void generate_node(Generator *g, uint32_t node) {
    const NetProgramPlan *plan = g->plan;
    const uint32_t n = plan->nodes;
    switch (plan->kind) {
    case NET_PROGRAM_PING_PONG:
        if (node == plan->from || node == plan->to)
            exchange(g, node == plan->from ? plan->to : plan->from, node == plan->from);
        break;
    case NET_PROGRAM_EQUAL:
        exchange(g, (n / 2 + node) % n, node < n / 2);
        break;
    case NET_PROGRAM_UNEQUAL:
        exchange(g, n - 1 - node, node < n / 2);
        break;
    case NET_PROGRAM_ROOTED:
        rooted(g, node);
        break;
    case NET_PROGRAM_SHIFTED:
        shifted(g, node);
        break;
    }
}

static void *generate(Heap *heap, const void *plan) {
    Generator g = {.plan = plan};
    net_programs_begin(&g.maker, heap, g.plan->nodes);
    for (uint32_t node = 0; node < g.plan->nodes; node++) {
        net_programs_node(&g.maker, node);
        generate_node(&g, node);
    }
    return net_programs_end(&g.maker);
}

/* Refuses plans with invalid partners, and programs that are too long. */
static bool check(const NetProgramPlan *plan, JmError *error) {
    const bool pairs =
        plan->kind == NET_PROGRAM_EQUAL || plan->kind == NET_PROGRAM_UNEQUAL;
    const uint64_t sends = (uint64_t)plan->nodes * plan->rounds *
                           (plan->kind >= NET_PROGRAM_ROOTED ? plan->nodes : 1);
    if (plan->nodes < 2 || plan->nodes > NET_PROGRAMS_MAX_NODES)
        return jm_fail(error, NULL, "%u nodes are not 2 to %d", plan->nodes,
                       NET_PROGRAMS_MAX_NODES);
    if (pairs && plan->nodes % 2)
        return jm_fail(error, NULL, "%u nodes do not form pairs", plan->nodes);
    if (plan->bytes < 1 || plan->bytes > NET_PROGRAMS_MAX_BYTES)
        return jm_fail(error, NULL, "%u bytes are not 1 to %d", plan->bytes,
                       NET_PROGRAMS_MAX_BYTES);
    if (plan->kind == NET_PROGRAM_PING_PONG &&
        (plan->from >= plan->nodes || plan->to >= plan->nodes ||
         plan->from == plan->to))
        return jm_fail(error, NULL, "nodes %u and %u are not two of %u", plan->from,
                       plan->to, plan->nodes);
    return (plan->rounds >= 1 && 2 * sends <= NET_PROGRAMS_MAX_OPS) ||
           jm_fail(error, NULL, "%u rounds are none, or too many", plan->rounds);
}

NetPrograms *net_programs_generate(const NetProgramPlan *plan, JmError *error) {
    if (!check(plan, error))
        return NULL;
    return heap_make(generate, plan, error, NULL, "the programs of %u nodes",
                     plan->nodes);
}
