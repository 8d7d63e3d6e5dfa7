/* Explains in words why a machine stopped. Shared by explain.c and stopped.c. */
#ifndef JM_MACHINE_EXPLAIN_H
#define JM_MACHINE_EXPLAIN_H

#include "emu/machine/machine.h"

/* Where rows of an explanation go. */
typedef struct {
    JmRowWriter *writer;
    void *context;
    bool chain;  /* also say how a fault became a stop */
    bool *newer; /* set if a line is not quoted: its file is newer than the image */
} Explain;

/* Writes a row of text; it is cut off after ROW_MAX characters. */
void explain_row(const Explain *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns a context's name, as in "in background". */
const char *explain_context(JmContext context);
/* Writes the name of a node: "node 5 (5,0,0)". */
void explain_node(const JmMachine *machine, unsigned node, char *text, size_t size);
/* Whether a node belongs to a set. */
typedef bool ExplainMember(const void *set, const Node *node);
/* Writes the nodes of a set: one by its name, several by their ranks, "nodes
 * 0-3,7,9-511", those after many ranges by their number. Returns how many there are. */
unsigned explain_nodes_where(const JmMachine *machine, ExplainMember *member,
                             const void *set, char *text, size_t size);
/* Writes a place in the program, "01012 main+4 (prog.s:12)", for the first or second
 * (`low`) instruction of a word. */
void explain_place(const JmMachine *machine, uint32_t address, bool low, char *text,
                   size_t size);

/* Whether a node ran and has stopped. */
static inline bool explain_has_stopped(const Node *node) {
    return node->stop.why != NODE_RUNS && node->stop.why != NODE_NOT_STARTED;
}

/* Explains what the nodes of a machine that can continue are doing: going.c. */
void explain_going(const JmMachine *machine, const Explain *out);

/* Explains all nodes that have stopped, grouped by equal reports. */
void explain_stopped(const JmMachine *machine, const Explain *out);

#endif
