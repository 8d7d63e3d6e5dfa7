/* The effects of one instruction, from its events: registers and memory, source and
 * text. For the two forms of a trace. */
#ifndef JM_TOOLS_JM_TRACE_TRACE_STEP_H
#define JM_TOOLS_JM_TRACE_TRACE_STEP_H

#include <stdbool.h>

#include "emu/jm.h"

/* The kinds of events from which steps are made. */
#define TRACE_STEP_KINDS                                                               \
    ((1u << JM_EVENT_READ) | (1u << JM_EVENT_WRITE) | (1u << JM_EVENT_EXECUTED))

enum { TRACE_STEP_REGISTERS = 8, TRACE_STEP_ACCESSES = 8, TRACE_STEP_TEXT = 96 };

/* An access to memory. */
typedef struct {
    bool write;
    uint32_t address;
    JmWord word;
} TraceAccess;

/* A register that was written: "r1"; of another context than the one that ran, "r1'0",
 * "r1'1" or "r1'b". */
typedef struct {
    char name[8];
    JmWord value;
} TraceRegister;

/* An executed instruction. */
typedef struct {
    uint32_t node;
    uint64_t cycle;
    bool constant;              /* an inline constant: no instruction */
    char text[TRACE_STEP_TEXT]; /* the instruction, or the constant */
    const char *file;           /* NULL: the program has no line for it */
    int line;
    unsigned accesses, registers;
    TraceAccess access[TRACE_STEP_ACCESSES];
    TraceRegister reg[TRACE_STEP_REGISTERS];
} TraceStep;

/* Takes a READ, WRITE or EXECUTED of a node. Returns true after EXECUTED: the step is
 * whole, until the next call. */
bool trace_step(TraceStep *step, const JmMachine *machine, const JmEvent *event);

/* Turns of the background loop in which a node sleeps: it is not visited there, so
 * these instructions have no events. */
typedef struct {
    uint64_t instructions; /* completed up to the last event */
    uint64_t ended;        /* cycle in which the last background instruction ended */
    uint32_t address;      /* its address */
    uint32_t cycles;       /* that it takes, jumping to itself */
} TraceLoop;

/* Starts to count from now on. */
void trace_loop_start(TraceLoop *loop, const JmMachine *machine, uint32_t node);
/* Returns the turns since the last call, or the start, up to an EXECUTED; `event` NULL:
 * up to now. */
uint64_t trace_loop_turns(TraceLoop *loop, const JmMachine *machine, uint32_t node,
                          const JmEvent *event);
/* Remembers an EXECUTED whose turns have been taken. */
void trace_loop_note(TraceLoop *loop, const JmMachine *machine, const JmEvent *event);

#endif
