/* Why a machine stopped, in words: shared by explain.c and stopped.c. */
#ifndef JM_MACHINE_EXPLAIN_H
#define JM_MACHINE_EXPLAIN_H

#include "emu/machine/machine.h"

typedef struct {
    JmRowWriter *writer;
    void *context;
    bool chain; /* how a fault became a stop is wanted, too */
} Explain;

void explain_row(const Explain *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *explain_context(JmContext context);
/* "node 5 (5,0,0)" */
void explain_node(const JmMachine *machine, unsigned node, char *text, size_t size);
/* "01012 main+4 (prog.s:12)", of the first or second (`low`) instruction of a word. */
void explain_place(const JmMachine *machine, uint32_t address, bool low, char *text,
                   size_t size);

static inline bool explain_has_stopped(const Node *node) {
    return node->stop.why != NODE_RUNS && node->stop.why != NODE_NOT_STARTED;
}

/* All nodes that have stopped; those with the same report in one. */
void explain_stopped(const JmMachine *machine, const Explain *out);

#endif
