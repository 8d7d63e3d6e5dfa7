/* Stops: breakpoints, watchpoints, catchpoints and values that are watched, as they are
 * defined, armed, judged while the machine runs, and counted. For emu/debug. */
#ifndef JM_DEBUG_STOPS_STOPS_H
#define JM_DEBUG_STOPS_STOPS_H

#include "emu/debug/values/compiled.h"

typedef enum {
    STOP_BREAK, /* before an instruction */
    STOP_WATCH, /* after an access to memory */
    STOP_VALUE, /* when the value of an expression changes or, `until`, is true */
    STOP_CATCH, /* after an event */
} StopKind;

/* How a VALUE is followed. */
typedef enum {
    WAY_SPIED, /* at what the one node does that it depends on */
    WAY_CYCLE, /* after every cycle; nodes it depends on do not run ahead */
    WAY_STEP   /* the machine goes by single cycles */
} ValueWay;

typedef struct {
    unsigned id;
    StopKind kind;
    bool enabled;
    bool temporary;           /* it is deleted when it has stopped a run */
    bool reads;               /* WATCH: reads are hits */
    bool writes;              /* WATCH: writes are hits */
    bool foreign;             /* the condition looks at more than its own node */
    NodeSet nodes;            /* nodes on which it stops */
    uint32_t address;         /* BREAK, WATCH: first word; CATCH dispatch: handler */
    uint32_t words;           /* WATCH: words from there on */
    uint32_t what;            /* CATCH: kinds of events, bits 1 << JmEventKind */
    uint32_t faults;          /* CATCH fault: JM_FAULT_BITs of those caught */
    bool any;                 /* CATCH dispatch: any handler; CATCH send: to any node */
    unsigned to;              /* CATCH send: destination; VALUE: node it is asked of */
    bool deadlock;            /* CATCH: the machine ends in a deadlock */
    bool idle;                /* CATCH: the machine ends idle */
    char *text;               /* as `info stops` shows it */
    char *condition;          /* NULL: none */
    char *expression;         /* VALUE */
    Value last;               /* VALUE: as it was */
    Compiled *judges, *looks; /* condition and expression; NULL: none, or text only */
    ValueWay way;             /* VALUE */
    bool changed;             /* VALUE: it ends the run; `last` is as it was before */
    uint64_t hits;            /* hits so far, those that were let pass too */
    uint64_t ignore;          /* hits that are still to be let pass */
    char **commands;
    size_t command_count, command_capacity;
} Stop;

/* One reason why the run may have to stop. */
typedef struct {
    unsigned stop; /* id */
    bool judged;   /* its condition holds, its count is reached */
    unsigned node;
    uint64_t cycle;
    JmEvent event;
} Hit;

enum { HITS_MAX = 64 };

/* Looking for events while the past is gone over again (why.c). */
typedef struct Search Search;
struct Search {
    JmDebug *d;
    uint32_t kinds;   /* of events */
    bool marked;      /* accesses to `address` are among the events */
    bool messages;    /* all accesses to queues and external memory are among them */
    JmObserver *note; /* gets the Search */
    bool (*matches)(const Search *search, const JmEvent *event);
    unsigned node;
    JmContext context;
    unsigned priority;
    uint32_t address, message, words;
    JmWord header;
    uint64_t end;
    bool found;
    JmEvent event;
};

struct Stops {
    Stop *list;
    size_t count, capacity;
    unsigned next_id;
    unsigned last_id;     /* of the last one defined, for `commands` */
    Stop *collecting;     /* lines go to its commands until `end` */
    uint64_t *code_marks; /* NodeMarks.code */
    uint64_t *data_marks; /* NodeMarks.data */
    uint64_t *minding;    /* NodeMarks.nodes */
    uint64_t *spied;      /* NodeMarks.spied */
    uint64_t *lockstep;   /* NodeMarks.lockstep */
    bool marked;          /* some of these bits are set */
    bool rearm; /* what was assumed when they were set does not hold any more */
    MachineWatch watch;
    Hit hits[HITS_MAX];
    size_t hit_count;
    bool stopping;  /* events are looked at for stops, not only for the trace */
    uint64_t asked; /* the cycle before which breakpoints were last looked at */
    Search *search; /* NULL: none */
    struct {
        uint32_t low, end;
    } queues[2];             /* memory in which queues have been seen, by priority */
    struct TraceFile *trace; /* NULL: none */
};

Stops *stops_new(Heap *heap, const JmMachine *machine);

/* jm_run(); without memory the work of the debugger is given up. */
JmStop run_machine(JmDebug *d, uint64_t until);

/* ---- before and after a run ------------------------------------------------------ */

void stops_arm(JmDebug *d, bool on);
bool stops_need_steps(const JmDebug *d);
/* Takes the values of expressions as they are: from here on a change is a change. */
void stops_see_values(JmDebug *d);
/* Whether the value of an expression has changed: hits are added. */
void stops_check_values(JmDebug *d);
void stops_check_end(JmDebug *d);
/* Judges the hits of the last run: true if one of them counts. */
bool hits_count(JmDebug *d);
void hits_say(JmDebug *d);

/* ---- while the machine runs ------------------------------------------------------ */

/* MachineWatch.before: whether a breakpoint stops the run before this cycle. */
bool judge_before(void *context, unsigned node);
/* NodeMarks.stepped: judges watched values of a node whose registers are watched. */
void judge_stepped(void *context, const Node *node);
/* MachineWatch.after: whether a watched value of several nodes stops the run. */
bool judge_after(void *context);
/* JmObserver: whether a watchpoint, a catchpoint or the trace stops the run. */
bool judge_event(void *context, const JmEvent *event);
/* Whether the condition of a stop holds while the machine stands still. */
bool condition_holds(JmDebug *d, const Stop *stop, unsigned node);
/* Evaluates the expression of a VALUE while the machine stands still; false if it has
 * no value. */
bool stop_value(JmDebug *d, const Stop *stop, Value *value);
bool same_value(const Value *a, const Value *b);
/* The node that a WAY_SPIED depends on. */
unsigned spied_node(const Stop *stop);
void hit_add(JmDebug *d, const Stop *stop, unsigned node, const JmEvent *event,
             bool judged);

/* ---- the list -------------------------------------------------------------------- */

Stop *stop_by_id(JmDebug *d, unsigned id);
void stop_free(Stop *stop);
void stop_delete(JmDebug *d, Stop *stop);
/* Adds a stop that a command is there for alone: its id is 0, and it goes with its hit.
 */
void stop_add_own(JmDebug *d, Stop stop);

/* ---- trace.c --------------------------------------------------------------------- */

/* Finishes the trace; false after a message. */
bool trace_stop(JmDebug *d);
void trace_reached(JmDebug *d);
bool trace_event_of(JmDebug *d, const JmEvent *event);
uint32_t trace_kinds(const JmDebug *d);
const char *traced_kind_name(unsigned index); /* 0.. until NULL */

#endif
