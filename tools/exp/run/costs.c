/* Charges cycles to the headings of table 2.1 by the addresses of instructions. */
#include "tools/exp/run/costs.h"

#include <stdlib.h>

#include "tools/host/memory.h"

enum { ELSEWHERE = COST_HEADINGS };
typedef int Place; /* a CostHeading or ELSEWHERE */

static const char *const heading_name[COST_HEADINGS] = {
    "preamble", "subroutine",       "word_to_buffer",
    "token",    "message_to_queue", "word_to_queue"};

/* The kernel symbols at which the code of each heading begins, in the order of
 * addresses (kernel/overflow.md); a heading ends where the next row begins. `counts`:
 * an instruction at the symbol begins one more unit of the heading. */
static const struct {
    const char *symbol;
    Place heading;
    bool counts;
} code[] = {
    {"overflow_queue_fault", COST_PREAMBLE, true},
    {"empty.call", COST_SUBROUTINE, false},
    {"empty.copied", COST_PREAMBLE, false},
    {"queue_to_buffer", COST_SUBROUTINE, true},
    {"queue_to_buffer.header", COST_WORD_TO_BUFFER, false},
    {"queue_to_buffer.word", COST_WORD_TO_BUFFER, true},
    {"queue_to_buffer.end", COST_SUBROUTINE, false},
    {"queue_to_buffer.wait", ELSEWHERE, false},
    {"overflow_token", COST_TOKEN, true},
    {"overflow_token.call", COST_SUBROUTINE, false},
    {"overflow_token.refill", COST_TOKEN, false},
    {"overflow_token.message", COST_MESSAGE_TO_QUEUE, true},
    {"overflow_token.word", COST_WORD_TO_QUEUE, true},
    {"overflow_token.empty", COST_TOKEN, false},
    {"overflow_report", ELSEWHERE, false},
};
enum { CODES = sizeof code / sizeof code[0], TOKEN_CODE = 8 };

/* State of a node. */
typedef struct {
    uint64_t since;       /* cycle of the last event */
    uint32_t instruction; /* word address of the last instruction */
    Place now;            /* heading that cycles since `since` belong to */
} Node;

struct Costs {
    uint32_t begin[CODES];
    uint64_t cycles[COST_HEADINGS + 1], units[COST_HEADINGS + 1];
    Node node[];
};

/* Returns the heading of an address, and counts a unit if one begins there. */
static Place heading_at(Costs *costs, Node *node, uint32_t address) {
    Place found = ELSEWHERE;
    for (unsigned i = 0; i < CODES && address >= costs->begin[i]; i++) {
        found = code[i].heading;
        /* Both instructions of a word have this address: count the first one only. */
        if (code[i].counts && address == costs->begin[i] &&
            address != node->instruction)
            costs->units[found]++;
    }
    node->instruction = address;
    return found;
}

/* The observer: charges the cycles since the last event of the node, then finds the
 * heading for those that follow. Never stops the machine (false). */
static bool charge(void *context, const JmEvent *event) {
    Costs *costs = context;
    Node *node = &costs->node[event->node];
    costs->cycles[node->now] += event->cycle - node->since;
    node->since = event->cycle;
    if (event->kind == JM_EVENT_FAULT)
        node->now = event->fault == JM_FAULT_QUEUE ? COST_PREAMBLE : node->now;
    else if (event->kind == JM_EVENT_INSTRUCTION)
        node->now = heading_at(costs, node, event->address);
    else /* dispatch */
        node->now = event->address == costs->begin[TOKEN_CODE] ? COST_TOKEN : ELSEWHERE;
    return false;
}

Costs *costs_open(JmMachine *machine, JmError *error) {
    const unsigned nodes = jm_node_count(machine);
    Costs *costs = memory_array(1, sizeof *costs + nodes * sizeof(Node));
    for (unsigned i = 0; i < CODES; i++)
        if (!jm_symbol(machine, code[i].symbol, &costs->begin[i])) {
            jm_fail(error, NULL, "the kernel has no %s", code[i].symbol);
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

uint64_t costs_cycles(const Costs *costs) {
    uint64_t cycles = 0;
    for (int i = 0; i < COST_HEADINGS; i++)
        cycles += costs->cycles[i];
    return cycles;
}

json_t *costs_result(const Costs *costs) {
    json_t *object = json_object();
    for (int i = 0; i < COST_HEADINGS; i++)
        json_object_set_new(object, heading_name[i],
                            json_pack("{s:I, s:I}", "cycles",
                                      (json_int_t)costs->cycles[i], "units",
                                      (json_int_t)costs->units[i]));
    return object;
}

void costs_close(Costs *costs) {
    free(costs);
}
