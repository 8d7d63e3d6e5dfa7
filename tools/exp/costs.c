/* The costs of queue overflow by the headings of table 2.1 of Lethin's thesis, as they
 * come about in a run: every cycle of a node is charged to the part of the kernel's
 * code that it was spent in. */
#include <stdlib.h>

#include "tools/exp/probe.h"

typedef enum {
    PREAMBLE,
    SUBROUTINE,
    WORD_TO_BUFFER,
    TOKEN,
    MESSAGE_FROM_BUFFER,
    WORD_FROM_BUFFER,
    ELSEWHERE,
    HEADINGS
} Heading;

static const char *const heading_name[HEADINGS] = {
    "preamble",         "subroutine",    "word_to_buffer", "token",
    "message_to_queue", "word_to_queue", "elsewhere"};

/* Where the code of each heading begins, in the order of addresses (kernel/README.md).
 * `counts`: its first instruction begins one unit of the heading. */
static const struct {
    const char *symbol;
    Heading heading;
    bool counts;
} code[] = {
    {"overflow_queue_fault", PREAMBLE, true},
    {"empty.call", SUBROUTINE, false},
    {"empty.copied", PREAMBLE, false},
    {"queue_to_buffer", SUBROUTINE, true},
    {"queue_to_buffer.header", WORD_TO_BUFFER, false},
    {"queue_to_buffer.word", WORD_TO_BUFFER, true},
    {"queue_to_buffer.end", SUBROUTINE, false},
    {"queue_to_buffer.wait", ELSEWHERE, false},
    {"overflow_token", TOKEN, true},
    {"overflow_token.call", SUBROUTINE, false},
    {"overflow_token.refill", TOKEN, false},
    {"overflow_token.message", MESSAGE_FROM_BUFFER, true},
    {"overflow_token.word", WORD_FROM_BUFFER, true},
    {"overflow_token.empty", TOKEN, false},
    {"overflow_report", ELSEWHERE, false},
};
enum { CODES = sizeof code / sizeof code[0], TOKEN_CODE = 8 };

typedef struct {
    uint64_t since;       /* cycle of the last event */
    uint32_t instruction; /* and the word of its instruction */
    Heading now;          /* what has been going on from then on */
} Node;

struct Costs {
    uint32_t begin[CODES];
    uint64_t cycles[HEADINGS], units[HEADINGS];
    Node node[];
};

static Heading heading_at(Costs *costs, Node *node, uint32_t address) {
    Heading found = ELSEWHERE;
    for (unsigned i = 0; i < CODES && address >= costs->begin[i]; i++) {
        found = code[i].heading;
        /* A word holds two instructions. */
        if (code[i].counts && address == costs->begin[i] &&
            address != node->instruction)
            costs->units[found]++;
    }
    node->instruction = address;
    return found;
}

static bool charge(void *context, const JmEvent *event) {
    Costs *costs = context;
    Node *node = &costs->node[event->node];
    costs->cycles[node->now] += event->cycle - node->since;
    node->since = event->cycle;
    if (event->kind == JM_EVENT_FAULT)
        node->now = event->fault == JM_FAULT_QUEUE ? PREAMBLE : node->now;
    else if (event->kind == JM_EVENT_INSTRUCTION)
        node->now = heading_at(costs, node, event->address);
    else /* dispatch */
        node->now = event->address == costs->begin[TOKEN_CODE] ? TOKEN : ELSEWHERE;
    return false;
}

Costs *costs_open(JmMachine *machine, JmError *error) {
    const unsigned nodes = jm_node_count(machine);
    Costs *costs = calloc(1, sizeof *costs + nodes * sizeof(Node));
    if (!costs) {
        jm_fail(error, "jm exp", "no memory for a probe");
        return NULL;
    }
    for (unsigned i = 0; i < CODES; i++)
        if (!jm_symbol(machine, code[i].symbol, &costs->begin[i])) {
            jm_fail(error, "jm exp", "the kernel has no %s", code[i].symbol);
            free(costs);
            return NULL;
        }
    for (unsigned i = 0; i < nodes; i++)
        costs->node[i].now = ELSEWHERE;
    jm_observe(machine,
               1u << JM_EVENT_INSTRUCTION | 1u << JM_EVENT_FAULT |
                   1u << JM_EVENT_DISPATCH,
               charge, costs);
    return costs;
}

json_t *costs_result(const Costs *costs) {
    json_t *object = json_object();
    for (int i = 0; i < ELSEWHERE; i++)
        json_object_set_new(object, heading_name[i],
                            json_pack("{s:I, s:I}", "cycles",
                                      (json_int_t)costs->cycles[i], "units",
                                      (json_int_t)costs->units[i]));
    return object;
}

void costs_close(Costs *costs) {
    free(costs);
}
