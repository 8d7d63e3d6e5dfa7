/* Measures the costs of queue overflow in a run, by the headings of table 2.1 of
 * Lethin's thesis: an observer charges every cycle of a node to the part of the
 * kernel's code in which it was spent. */
#ifndef JM_TOOLS_EXP_RUN_COSTS_H
#define JM_TOOLS_EXP_RUN_COSTS_H

#include <jansson.h>

#include "emu/jm.h"

/* The headings of table 2.1; kernel/overflow.md says what each counts. */
typedef enum {
    COST_PREAMBLE,
    COST_SUBROUTINE,
    COST_WORD_TO_BUFFER,
    COST_TOKEN,
    COST_MESSAGE_TO_QUEUE,
    COST_WORD_TO_QUEUE,
    COST_HEADINGS
} CostHeading;

typedef struct Costs Costs;

/* Installs the machine's observer; close it after the machine's last cycle. Returns
 * NULL and fills `error` if the program's kernel lacks the symbols. */
Costs *costs_open(JmMachine *machine, JmError *error);

/* Returns the cycles of all headings on all nodes so far. */
uint64_t costs_cycles(const Costs *costs);

/* Returns {heading: {cycles, units}}, sums over all nodes; units are calls, words,
 * messages. */
json_t *costs_result(const Costs *costs);

void costs_close(Costs *costs);

#endif
