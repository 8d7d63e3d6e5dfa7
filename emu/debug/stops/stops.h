/* Stops: breakpoints, watchpoints, catchpoints and watched values, as they are defined,
 * armed, evaluated while the machine runs, and counted. For emu/debug. */
#ifndef JM_DEBUG_STOPS_STOPS_H
#define JM_DEBUG_STOPS_STOPS_H

#include "emu/debug/values/compiled.h"
#include "emu/machine/run/run.h"

typedef enum {
    STOP_BREAK, /* before an instruction, by its place or its opcode */
    STOP_WATCH, /* after an access to memory */
    STOP_VALUE, /* when the value of an expression changes or, `until`, is true */
    STOP_CATCH, /* after an event */
} StopKind;

/* How the value of a VALUE is followed while the machine runs. */
typedef enum {
    WAY_SPIED, /* at actions of the one node that it depends on */
    WAY_CYCLE, /* after every cycle; nodes it depends on do not run ahead */
    WAY_STEP   /* the machine advances by single cycles */
} ValueWay;

/* A stop, as a command has defined it. */
typedef struct {
    unsigned id; /* number that the user sees; 0: of a command that runs */
    StopKind kind;
    bool enabled;
    bool temporary;   /* it is deleted when it has stopped a run */
    bool reads;       /* WATCH: reads are hits */
    bool writes;      /* WATCH: writes are hits */
    bool foreign;     /* the condition depends on more than its own node */
    NodeSet nodes;    /* nodes on which it stops */
    Places at;        /* BREAK: instructions */
    uint32_t address; /* WATCH: first word; CATCH dispatch: handler */
    uint32_t words;   /* WATCH: words from there on */
    uint32_t what;    /* CATCH: kinds of events, bits 1 << JmEventKind */
    uint32_t faults;  /* CATCH fault: JM_FAULT_BITs of those caught */
    uint64_t ops;     /* BREAK: opcodes, bits; 0: it is for places */
    bool any;         /* CATCH dispatch: any handler; CATCH send: to any node */
    unsigned to;      /* CATCH send: destination; VALUE: node it is evaluated for */
    bool deadlock;    /* CATCH: stops when the machine ends in a deadlock */
    bool idle;        /* CATCH: stops when the machine ends idle */
    char *text;       /* as `info stops` shows it */
    char *place;      /* the address as it was given, if it means the same later; else
                         NULL */
    char *condition;  /* NULL: none */
    char *expression; /* VALUE: as text */
    Value last;       /* VALUE: value at the last evaluation */
    Value before;     /* VALUE: the value before the change: $old */
    Reason why;       /* VALUE: why it has none, if it has none */
    /* condition and expression, compiled; NULL: none, or only as text */
    Compiled *judges, *looks;
    ValueWay way; /* VALUE: how it is followed in this run */
    bool changed; /* VALUE: it ends the run; `last` is unchanged */
    /* WATCH: cycle, + 1, and node of the last access that was a hit: an instruction
     * that reaches several words is one */
    uint64_t hit_cycle;
    unsigned hit_node;
    uint64_t hits;   /* hits so far, including ignored ones */
    uint64_t ignore; /* hits still to ignore */
    char **commands; /* lines executed when it has stopped a run */
    size_t command_count, command_capacity;
} Stop;

/* One reason why the run may have to stop. */
typedef struct {
    unsigned stop; /* id of the stop */
    bool judged;   /* its condition holds and its count is reached */
    unsigned node;
    uint64_t cycle;
    JmEvent event;
    Value before; /* VALUE: Stop.before when it was hit */
    Reason why;   /* why its condition has no value, which counts as true; "": it
                     has one */
} Hit;

enum { HITS_MAX = 64 }; /* that are kept of a stop, and reported */

/* A hit as it is reported. It may outlive its stop. */
typedef struct {
    Hit hit;
    StopKind kind;
    char *text;      /* Stop.text */
    Value now;       /* VALUE: its new value */
    Reason no_value; /* VALUE: why it has none */
} Reported;

/* A search for events during replay (look/why.c, past/track.c). It replaces all
 * stops. */
typedef struct {
    uint32_t kinds;   /* kinds of events that `note` gets */
    bool messages;    /* all accesses to queues and external memory are among them; */
    uint32_t address; /* else those to this word */
    JmObserver *note; /* gets the Search and each event */
} Search;

/* State of the room `stops`. Bit maps of nodes are by rank, those of words by
 * address. */
struct Stops {
    Stop *list;
    size_t count, capacity;
    unsigned next_id;
    unsigned last_id;        /* of the last one defined, for `commands` */
    Stop *collecting;        /* lines go to its commands until `end` */
    uint64_t *code_marks[2]; /* NodeMarks.code */
    uint64_t *data_marks;    /* NodeMarks.data */
    uint64_t *minding;       /* NodeMarks.nodes */
    uint64_t *spied;         /* NodeMarks.spied */
    uint64_t *lockstep;      /* NodeMarks.lockstep */
    bool marked;             /* some of these bits are set */
    bool rearm; /* assumptions made when the bits were set no longer hold */
    MachineWatch watch;
    /* Before counting, as many as there are: each node may have come to a breakpoint
     * whose condition is still to be evaluated. Afterwards HITS_MAX at most. */
    Hit *hits;
    size_t hit_count, hit_capacity; /* HITS_MAX or more */
    size_t left_out;                /* hits that counted, beyond HITS_MAX */
    bool stopping; /* events are evaluated for stops, not only for the trace or a
                      search */
    /* cycle before which breakpoints were last judged; UINT64_MAX: none */
    uint64_t asked;
    Search *search; /* NULL: none */
    /* Memory in which queues have been seen, [low, end) by priority. */
    struct {
        uint32_t low, end;
    } queues[2];             /* memory in which queues have been seen, by priority */
    struct TraceFile *trace; /* NULL: none */
};

/* Creates the room's memory on a heap. */
Stops *stops_new(Heap *heap, const JmMachine *machine);

/* Runs the machine as jm_run() does. If memory runs out, the debugger's work is
 * abandoned. */
JmStop run_machine(JmDebug *d, uint64_t until);

/* ---- before and after a run ------------------------------------------------------ */

/* Turns stops into marks, and watches the machine; with `on` false only for the trace
 * or a search. */
void stops_arm(JmDebug *d, bool on);
/* Whether some stop needs the machine to advance by single cycles. */
bool stops_need_steps(const JmDebug *d);
/* Records the memory of the queues, so that moves into it are seen. Call in the
 * present, before going back. */
void stops_see_queues(JmDebug *d);
/* Records the current values of expressions: changes count from here on. */
void stops_see_values(JmDebug *d);
/* Adds hits for expressions whose values have changed. */
void stops_check_values(JmDebug *d);
/* Adds hits for stops that catch the machine's end. */
void stops_check_end(JmDebug *d);
/* Evaluates the hits of the last run that have not been evaluated yet. True if one
 * counts. */
bool hits_count(JmDebug *d);
/* Makes the report of each hit; the caller frees their texts. Returns how many. */
size_t hits_report(JmDebug *d, Reported reported[HITS_MAX]);
/* Adds a hit to a text: which stop, where, what happened. */
void reported_say(JmDebug *d, Text *out, const Reported *reported);

/* ---- the list -------------------------------------------------------------------- */

/* Forgets hits, and when breakpoints were last judged, as the run starts again. */
void stops_restart(JmDebug *d);
/* Returns the stop with an id, or NULL. */
Stop *stop_by_id(const JmDebug *d, unsigned id);
/* Appends the commands that make all stops again. */
void stops_write(const JmDebug *d, Text *text);
/* Removes a stop from the list and frees it. */
void stop_delete(JmDebug *d, Stop *stop);
/* Adds a breakpoint of the user at places, as `break` does. `clauses`: what follows
 * them. False and a message. */
bool stop_break_at(JmDebug *d, Places places, const char *clauses);
/* Adds a stop that exists only for one command: its id is 0, and it is deleted when it
 * is hit. */
void stop_add_own(JmDebug *d, Stop stop);

/* ---- trace.c --------------------------------------------------------------------- */

/* Finishes the trace, if there is one. False after a message. */
bool trace_stop(JmDebug *d);
/* Records that the machine has reached a cycle: earlier events are not written
 * again. */
void trace_reached(JmDebug *d);
/* Writes an event to the trace if it is wanted. Returns false: traces stop nothing. */
bool trace_event_of(JmDebug *d, const JmEvent *event);
/* The run starts again at the present cycle: so does the trace. */
void trace_restart(JmDebug *d);
/* Returns the kinds of events that the trace wants: bits 1 << JmEventKind. */
uint32_t trace_kinds(const JmDebug *d);
/* Return the name of a kind that can be traced, a mnemonic; `index` 0.. until NULL. */
const char *traced_kind_name(unsigned index);
const char *op_name(unsigned index);

#endif
