/* The debugger's knowledge as values: where the machine has arrived and why, its stops
 * and their places, nodes, tasks and who sent their messages. For front ends that show
 * it in a way of their own; the text of commands is printed from the same structures.
 * Actions are commands (debug.h).
 *
 * Texts that are returned live until the next call of a function of the debugger. */
#ifndef JM_DEBUG_INSPECT_H
#define JM_DEBUG_INSPECT_H

#include "emu/debug/debug.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An instruction by its place, with its source line. */
typedef struct {
    uint32_t address;
    bool low;         /* in the low half of the word */
    const char *file; /* as the program names it; NULL: unknown */
    int line;
} JmDebugPlace;

/* Returns the place of an instruction. */
JmDebugPlace jm_debug_place(const JmDebug *debug, uint32_t address, bool low);

/* ---- where the machine has arrived ----------------------------------------------- */

/* How the last movement of the machine ended. */
typedef enum {
    JM_DEBUG_REACHED,    /* went as far as was asked */
    JM_DEBUG_HIT,        /* at a stop */
    JM_DEBUG_ENDED,      /* the machine ended */
    JM_DEBUG_INTERRUPTED /* by JmDebugHost.interrupted */
} JmDebugEnd;

typedef struct {
    unsigned arrivals; /* how often commands have moved the machine, so far */
    unsigned changes;  /* how often commands such as `set` have changed it */
    JmDebugEnd end;    /* of the last movement */
    JmStop stop;       /* why the machine ended */
    unsigned hits;     /* stops that were hit */
    unsigned node;     /* the selected one */
    int context;       /* the selected one; -1: that which runs */
    unsigned last_id;  /* of the stop that was defined last; 0: none */
} JmDebugState;

JmDebugState jm_debug_state(const JmDebug *debug);
/* Returns the node whose line JmDebugHost.guest is being given; -1 while one node alone
 * has written, so that its lines do not begin with its name. */
int jm_debug_writer(const JmDebug *debug);
/* Returns why the machine has stopped: the text of `why stopped`. */
const char *jm_debug_reason(JmDebug *debug);

/* A stop that the last movement has hit. */
typedef struct {
    unsigned id, node;
    JmEventKind event; /* of watchpoints and catchpoints; JM_EVENT_COUNT: none */
    JmFault fault;     /* JM_EVENT_FAULT: which */
    const char *text;  /* which stop, where, what happened; rows */
} JmDebugHit;

/* Fills in hit `index`; false if there are fewer. */
bool jm_debug_hit(JmDebug *debug, unsigned index, JmDebugHit *hit);

/* ---- stops ----------------------------------------------------------------------- */

typedef struct {
    uint64_t hits;      /* so far, including ignored ones */
    unsigned places;    /* of a breakpoint */
    JmDebugPlace first; /* of these */
    const char *text;   /* as `info stops` shows it */
} JmDebugStop;

/* Fills in the stop with this id; false if there is none. */
bool jm_debug_stop(const JmDebug *debug, unsigned id, JmDebugStop *stop);
/* Defines a breakpoint at `count` places of code. `clauses` are those of `break`:
 * "[on NODES] [if CONDITION] [after COUNT]". Returns its id; 0 after a message. */
unsigned jm_debug_break(JmDebug *debug, const JmDebugPlace *places, unsigned count,
                        const char *clauses);

/* Finds the instructions of a line of a source file (jm_source_name()), in the order of
 * the program. Fills in at most `most`, and returns how many there are. */
unsigned jm_debug_line_places(JmDebug *debug, const char *file, int line,
                              JmDebugPlace *places, unsigned most);
/* Returns which lines near one without code have some: "; line 12 has some", or "". */
const char *jm_debug_lines_near(const JmDebug *debug, const char *file, int line);

/* ---- nodes, tasks, messages ------------------------------------------------------ */

typedef struct {
    const char *activity; /* what the node does: "waiting to send" */
    bool started, runs;   /* runs: it has started and not stopped */
    bool rests;           /* it sleeps in its background loop, or has not started */
    JmDebugPlace next;    /* the running context's next instruction */
} JmDebugNode;

JmDebugNode jm_debug_node(const JmDebug *debug, unsigned node);
/* Selects the node and the context that commands and expressions look at; context -1 is
 * the running one. */
void jm_debug_look(JmDebug *debug, unsigned node, int context);

/* A task or the background, or who sent a message. */
typedef struct {
    unsigned node;
    JmContext context;
    JmDebugPlace place; /* its next instruction; of a sender the SEND */
    bool sender;        /* is a sender; then the following fields are valid */
    uint64_t cycle;     /* of that SEND */
    JmWord header;      /* of the message */
} JmDebugFrame;

enum { JM_DEBUG_FRAMES = 3 };
/* Fills in the running context of a node and those that it has interrupted, the most
 * urgent first; returns how many. */
unsigned jm_debug_frames(const JmDebug *debug, unsigned node,
                         JmDebugFrame frames[JM_DEBUG_FRAMES]);
/* Finds by replay who sent the message of a node's task, who sent that task's message,
 * and so on, looking back as far as it takes to find `least` of them. Fills in at most
 * `most`; returns how many: fewer than `least` if the past does not reach further. */
unsigned jm_debug_senders(JmDebug *debug, unsigned node, JmContext context,
                          unsigned least, JmDebugFrame *frames, unsigned most);

/* A message in a queue, or, where there is no header, the rest of it. */
typedef struct {
    unsigned index;          /* number of the message, counted from the head */
    uint32_t position;       /* words from the head */
    uint32_t address, words; /* of its header; as many as that says */
    uint32_t room;           /* `words` rounded up to rows */
    uint32_t there;          /* words that have arrived */
    JmWord header;
    bool good;  /* it begins with a header */
    bool whole; /* all its rows have arrived; else `room` counts those that have */
    bool runs;  /* the task of the queue runs on it */
} JmDebugMessage;

/* Fills in message `index` of a queue, from its head; false if there are fewer. */
bool jm_debug_message(const JmDebug *debug, unsigned node, unsigned priority,
                      unsigned index, JmDebugMessage *message);
/* Returns the address of a message's word. */
uint32_t jm_debug_message_word(const JmDebug *debug, unsigned node, unsigned priority,
                               const JmDebugMessage *message, uint32_t word);

/* ---- values ---------------------------------------------------------------------- */

typedef struct {
    bool is_word;
    JmWord word;      /* is_word */
    int64_t number;   /* the word or the number as a number */
    uint32_t address; /* that it means; UINT32_MAX: none */
    const char *text; /* as `print` shows it */
} JmDebugValue;

/* Evaluates an expression for the selected node and context. False if it is malformed
 * or has no value: `text` then says why. */
bool jm_debug_evaluate(JmDebug *debug, const char *expression, JmDebugValue *value);
/* Returns a word and what it means: "MSG:00401402  main, 2 words". */
const char *jm_debug_word_text(const JmDebug *debug, JmWord word);

#ifdef __cplusplus
}
#endif

#endif
