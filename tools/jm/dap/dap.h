/* The debug adapter: a session of the Debug Adapter Protocol
 * (microsoft.github.io/debug-adapter-protocol) on the debugger's engine (emu/debug).
 *
 *     dap.c           the table of requests, the loop, the command line
 *     run.c           forward, back, and the events sent when the machine has stopped
 *     launch.c        the machine from the attributes of `launch`
 *     breakpoints.c   stops of the editor and the debugger's for them
 *     evaluate.c      expressions, commands, completion
 *     variables.c     scopes and what is in them
 *     stack.c         threads and frames
 *     memory.c        addresses, source files, words, instructions
 *     wire.c          messages and their arguments
 *
 * A file calls only those below it. What the machine does is done by lines of the
 * debugger's; what it is, is read from emu/debug/inspect.h. */
#ifndef JM_TOOLS_JM_DAP_DAP_H
#define JM_TOOLS_JM_DAP_DAP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/debug/inspect.h"
#include "tools/host/memory.h"
#include "tools/host/rpc.h"
#include "tools/host/values.h"
#include "tools/jm/options/options.h"

/* The debugger command that moves the machine until it is interrupted. */
typedef struct {
    char *line;         /* NULL: the machine stands */
    const char *reason; /* of the `stopped` event at its end */
    bool repeats; /* it may be interrupted and done again: requests are answered */
    bool journey; /* it goes back, by replay: its progress is shown */
} Motion;

/* The operation that the user waits for: shown as progress when it takes long. */
typedef struct {
    const char *title; /* NULL: nothing */
    int64_t request;   /* its number; 0: none */
    double begun, shown_at;
    bool shown;
} Wait;

/* The groups of stops, which are replaced together; each file has one. */
typedef enum {
    BREAKPOINT_LINE,
    BREAKPOINT_FUNCTION,
    BREAKPOINT_INSTRUCTION,
    BREAKPOINT_DATA,
    BREAKPOINT_FAULT
} BreakpointKind;

/* A stop of the editor, and the debugger's for it. */
typedef struct {
    int64_t id; /* that the editor sees */
    BreakpointKind kind;
    char *path;       /* LINE: the file; NULL */
    json_t *asked;    /* as received from the editor */
    unsigned stop;    /* of the debugger; 0: there is none, */
    char *why;        /* and why */
    const char *logs; /* message to print instead of stopping, in `asked`; NULL */
    uint64_t every;   /* stops at every such hit alone; 0: at all */
    uint64_t only;    /* stops at this hit alone; 0: at all */
    bool kept;        /* the request that replaces its group names it again */
} Breakpoint;

/* The kinds of objects that a variablesReference refers to. */
typedef enum {
    SCOPE_REGISTERS,
    SCOPE_MESSAGE,
    SCOPE_QUEUE,
    SCOPE_QUEUED, /* a message of a queue */
    SCOPE_GLOBALS,
    SCOPE_NODE,
    SCOPE_SENT /* the message that a sender has sent */
} ScopeKind;

typedef struct {
    ScopeKind kind;
    unsigned node;
    JmContext context;
    unsigned priority, index; /* QUEUE, QUEUED; SENT: index of its frame */
} Scope;

typedef struct {
    Rpc rpc;
    int64_t sequence; /* of the last message sent */
    json_t *waiting;  /* requests that have been read and not been answered */
    int64_t request;  /* number of the request in hand */
    json_t *body;     /* of the answer to the request in hand; NULL: none */
    char *failure;    /* of the request in hand; NULL: none */
    bool cancelled;   /* it was cancelled */
    bool ends;        /* the session is over */
    int status;       /* exit status */

    bool lines_from_0, columns_from_0;                /* how the editor counts */
    bool shows_progress, invalidates, follows_memory; /* what it knows */

    char *folder; /* in which the adapter was started */
    char **argv;  /* to which `options` points */
    RunOptions options;
    json_t *launch; /* the attributes; NULL: nothing has been launched */
    JmMachine *machine;
    JmDebug *debug;
    bool stop_on_entry, debugs, configured, terminated;
    unsigned stops_at_ends; /* bits 1 << JmStop: ends that are stops */
    bool ended;             /* an end has been reported as a stop */
    bool starts;            /* the request in hand starts the machine, */
    bool pauses, jumps;     /* stops it, or moves its IP, */
    bool finishes;          /* or ends it */

    MemoryBytes said; /* the debugger's output for the last command */
    Motion motion;
    Wait wait;
    double polled;              /* when input was last looked for, in seconds */
    bool interrupts_all;        /* any request interrupts the debugger */
    bool interrupted;           /* a request has ended the last command */
    bool must_end;              /* it was one that the command's end is for */
    bool may_yield, yields;     /* the request in hand may, and will wait for others */
    unsigned arrivals, changes; /* JmDebugState as last reported to the editor */

    Breakpoint *breakpoints;
    size_t breakpoint_count;
    int64_t breakpoint_id; /* the last one given */
    JmDebugFrame *frames;  /* by frameId - 1 */
    size_t frame_count;
    Scope *scopes; /* by variablesReference - 1 */
    size_t scope_count;
    int64_t repl_frame;    /* the last frame that a command was done at */
    JmDebugPlace *targets; /* of goto, by id */
    size_t target_count;
} Dap;

/* ---- wire.c ---------------------------------------------------------------------- */

/* Sends an event; takes `body` over, NULL is none. */
void dap_event(Dap *dap, const char *name, json_t *body);
/* Sends an answer: with the body or the failure in hand, if there is one. */
void dap_answer(Dap *dap, const json_t *request);
/* Gives the answer of the request in hand a body, which it takes over. Returns true. */
bool dap_give(Dap *dap, json_t *body);
/* Says why the request in hand fails. Returns false. */
bool dap_fail(Dap *dap, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints text in the editor's console: `category` is stdout, stderr or console. */
void dap_output(Dap *dap, const char *category, const char *text, size_t length);
/* Reads what has come, without waiting or, with `wait`, until something comes. */
void dap_read(Dap *dap, bool wait);
/* Returns the next request, which the caller owns; NULL: none waits. */
json_t *dap_next(Dap *dap);
/* Makes the functions through which the debugger reaches the editor. */
JmDebugHost dap_host(Dap *dap);

/* Take an argument of the request in hand. False, after a failure, if it is of another
 * kind or, `want`, missing; one that may be missing leaves *value as it was. */
bool want_text(Dap *dap, const json_t *arguments, const char *name, const char **value);
bool may_text(Dap *dap, const json_t *arguments, const char *name, const char **value);
bool want_number(Dap *dap, const json_t *arguments, const char *name, int64_t *value);
bool may_number(Dap *dap, const json_t *arguments, const char *name, int64_t *value);
/* Takes a line of the editor's, as one that counts from 1. */
bool want_line(Dap *dap, const json_t *arguments, const char *name, int *line);
bool may_truth(Dap *dap, const json_t *arguments, const char *name, bool *value);
/* Takes an array, NULL if it is missing. */
bool may_list(Dap *dap, const json_t *arguments, const char *name, json_t **value);

/* Executes a debugger command; its output is in dap->said. */
bool dap_do(Dap *dap, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Does a line that the user has typed. */
bool dap_do_users(Dap *dap, const char *text, size_t length);
/* Sets the title of the operation that the user now waits for; NULL: none. */
void dap_wait(Dap *dap, const char *title, int64_t request);
/* Whether a request `cancel` with these arguments means the operation that the user
 * waits for now. */
bool dap_cancels(const Dap *dap, const json_t *arguments);

/* ---- memory.c -------------------------------------------------------------------- */

/* All memory is one space of bytes for the editor: 8 to a word, as in ELF, and 2^23 to
 * a node. The low instruction of a word begins at its fifth byte. */
enum { WORD_BYTES = 8, LOW_BYTES = 4, NODE_BITS = 23 };
uint64_t place_bytes(unsigned node, uint32_t address, bool low);
/* Returns such a number as text: "0x1808". */
json_t *place_reference(unsigned node, uint32_t address, bool low);
/* Takes a reference, and an `offset` in bytes added to it. False after a failure. */
bool want_reference(Dap *dap, const json_t *arguments, const char *name,
                    uint64_t *bytes);
/* Returns a source file as the editor names it; NULL if there is no such file here. */
json_t *place_source(const char *file);
/* Adds a place's source, under a name, and line to an object. False: it has none. */
bool place_add(const Dap *dap, json_t *object, const char *name,
               const JmDebugPlace *place);
/* Finds the program's name for a file of the editor's; NULL: it has none. */
const char *place_file(const Dap *dap, const char *path);
/* Returns a place's name: "main+2". */
json_t *place_name(const Dap *dap, const JmDebugPlace *place);

/* ---- stack.c --------------------------------------------------------------------- */

/* Takes the node of a thread. */
bool want_thread(Dap *dap, const json_t *arguments, unsigned *node);
/* Takes an optional frame; NULL: there is none. */
bool may_frame(Dap *dap, const json_t *arguments, const JmDebugFrame **frame);
/* Forgets frames and scopes: the machine has moved. */
void stack_forget(Dap *dap);

/* ---- variables.c ----------------------------------------------------------------- */

/* Returns the name of a variable of a scope as an expression, malloc'ed; NULL: there is
 * no such variable, or none that can be set. */
char *variable_expression(Dap *dap, int64_t reference, const char *name);
/* Assigns to the place that an expression names, and answers with its new value. False
 * after a failure. */
bool variable_set(Dap *dap, const char *expression, const char *value);

/* ---- breakpoints.c --------------------------------------------------------------- */

/* Returns the filters of setExceptionBreakpoints, and sets those that are on at first.
 */
json_t *breakpoints_filters(Dap *dap);
/* Whether the stops that were hit are all of those that let the machine go on, after
 * they have printed their messages. */
bool breakpoints_pass(Dap *dap, bool back);
/* Adds what was hit to the body of `stopped`. Returns the reason; NULL: nothing. */
const char *breakpoints_hit(Dap *dap, json_t *body);
/* Defines the debugger's stops for those of the editor anew, in a new machine. */
void breakpoints_again(Dap *dap);
void breakpoints_free(Dap *dap);

/* ---- launch.c -------------------------------------------------------------------- */

/* Makes the machine from dap->launch. False after a failure. */
bool launch_machine(Dap *dap);
void launch_end(Dap *dap);

/* ---- motion.c -------------------------------------------------------------------- */

/* Runs the machine until something happens, and reports that. */
void run_on(Dap *dap);
/* Reports that a request has moved the machine. */
void run_moved(Dap *dap, const char *reason);
/* Starts the machine, or reports that it is stopped at its entry. */
void run_begin(Dap *dap);
/* Ends the session for the editor: the program has ended. */
void run_terminate(Dap *dap);

/* ---- requests -------------------------------------------------------------------- */

/* A request: takes its arguments; false after dap_fail(). */
typedef bool Request(Dap *dap, const json_t *arguments);
#define REQUEST(name, needs, text) Request request_##name;
#include "tools/jm/dap/requests.def"
#undef REQUEST

#endif
