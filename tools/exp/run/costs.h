/* The costs of queue overflow by the headings of table 2.1 of Lethin's thesis, as they
 * come about in a run: an observer charges every cycle of a node to the part of the
 * kernel's code that it was spent in. */
#ifndef JM_TOOLS_EXP_RUN_COSTS_H
#define JM_TOOLS_EXP_RUN_COSTS_H

#include <jansson.h>

#include "emu/jm.h"

/* kernel/README.md says what each counts. */
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

/* Takes the machine's observer; to be closed after the machine's last cycle. NULL and a
 * message if the kernel is another one. */
Costs *costs_open(JmMachine *machine, JmError *error);

/* Sums over all nodes: cycles, and how many words, messages, ... they were for. */
uint64_t costs_cycles(const Costs *costs, CostHeading heading);
uint64_t costs_units(const Costs *costs, CostHeading heading);

/* Cycles of a node's first overflow, from the trap until the task goes on. */
uint64_t costs_first(const Costs *costs, unsigned node);

/* {heading: {cycles, units}}. */
json_t *costs_result(const Costs *costs);

void costs_close(Costs *costs);

#endif
