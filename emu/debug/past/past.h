/* Running forward and going back: moments of the past, the journal of manual changes,
 * and the report when the machine has stopped. For emu/debug. */
#ifndef JM_DEBUG_PAST_PAST_H
#define JM_DEBUG_PAST_PAST_H

#include "emu/debug/stops/stops.h"

typedef enum {
    CHANGE_REGISTER,
    CHANGE_MEMORY,
    CHANGE_MESSAGE, /* a message put into a queue */
    CHANGE_QUEUE,   /* a message in a queue made longer, shorter, or dropped */
    CHANGE_WIRE,    /* a direction of a wire blocked or freed */
    CHANGE_POST     /* an external fault */
} ChangeKind;

/* A manual change, in the journal. Which fields count depends on the kind. */
typedef struct {
    uint64_t cycle; /* it was made before this cycle */
    ChangeKind kind;
    unsigned node;
    JmContext context;
    JmReg reg;
    uint32_t address;
    unsigned priority;
    JmFault fault;
    JmWord word;
    JmWord *words;      /* MESSAGE: its words; QUEUE: all words from `first` on */
    uint32_t count;     /* entries of `words` */
    uint32_t first;     /* QUEUE: words from the head of the queue to the message */
    int32_t shift;      /* QUEUE: words by which messages behind it move */
    bool drops;         /* QUEUE: the message is removed */
    unsigned dimension; /* WIRE: 0 to 2 */
    bool up, blocked;   /* WIRE: its direction; whether it is blocked from now on */
} Change;

/* A checkpoint of the past. */
typedef struct {
    uint64_t cycle;
    size_t changes; /* changes of the journal that were made before it */
    JmCheckpoint *state;
} Moment;

/* The state of time travel. */
typedef struct {
    /* in the order of cycles; the first is the beginning of the past */
    Moment *moments;
    size_t count, capacity;
    size_t limit_bytes; /* limit on the bytes of moments */
    size_t bytes;       /* upper bound of the bytes of moments; shared pages count
                           repeatedly */
    uint64_t every;  /* least cycles between moments; doubles when there are too many */
    double due;      /* no moment before this time of the host's clock, in seconds */
    Change *changes; /* the journal, in the order of cycles */
    size_t change_count, change_capacity;
    size_t applied;    /* changes applied at this point of time */
    uint64_t furthest; /* the latest cycle ever reached */
    /* where the session began, once that is no longer moment 0; else NULL */
    JmCheckpoint *start;
    bool off; /* time travel is off */
} Travel;

/* Why the machine has stopped. */
typedef struct {
    bool made; /* false: it has not run yet */
    uint64_t cycle;
    JmDebugEnd end;
    JmStop stop;      /* the machine's end, unless the run ended at its cycle */
    unsigned arrival; /* Past.arrivals when it was made */
    Text explanation; /* the machine's, in rows */
    Reported hits[HITS_MAX];
    size_t hit_count;
    size_t left_out; /* hits beyond these */
} Report;

/* State of the room `past`. */
struct Past {
    Travel travel;
    struct Tracker *tracker; /* follows messages during runs; NULL: none */
    uint64_t slice;    /* cycles of a slice of a run, so that it takes about 0.05 s */
    Report report;     /* of the last stop */
    Text queued;       /* commands of the stops that were hit, to be executed */
    unsigned arrivals; /* how often commands have moved the machine */
    unsigned changed;  /* how often they have changed it */
    bool hit_again;    /* a run has ended at a stop since they were last looked at */
};

/* Creates the room's state on a heap. */
Past *past_new(Heap *heap);

/* ---- running --------------------------------------------------------------------- */

/* Runs to cycle `until` unless something stops the machine; with `stops`, also at
 * stops. Repeats changes of the journal that are due. */
JmDebugEnd run_to(JmDebug *d, uint64_t until, bool stops);

/* ---- arriving -------------------------------------------------------------------- */

/* Makes the report of a stop, prints it and where the machine is, and queues the
 * commands of the stops. */
void report_stop(JmDebug *d, JmDebugEnd end);
/* Adds the last report to a text. */
void report_say(JmDebug *d, Text *out);
/* Prints where the selected node is, and the displays, after the machine has moved. */
void say_arrival(JmDebug *d);

/* ---- moments and changes --------------------------------------------------------- */

/* Starts recording moments, the first one now. */
void travel_start(JmDebug *d);
/* Drops all moments. */
void travel_end(JmDebug *d);
/* Repeats the changes of the journal that are due. */
void travel_apply_due(JmDebug *d);
/* Makes a change now and adds it to the journal. Later changes and moments are
 * forgotten: another future begins. */
void travel_change(JmDebug *d, Change change);
/* The present, to return to exactly this state after a journey into the past. */
typedef struct {
    JmCheckpoint *state;
    size_t applied;
    uint64_t asked;
    Hit hits[HITS_MAX];
    size_t hit_count;
} Here;
/* Leaves the present. One of the next two ends it. */
Here travel_leave(JmDebug *d);
/* Returns to the present. */
void travel_return(JmDebug *d, Here *here);
/* Stays at the current point of the journey. */
void travel_stay(JmDebug *d, Here *here);
/* Returns the cycle in which the past begins. */
uint64_t travel_begin(const JmDebug *d);
/* Whether there is a past to inspect; else false and a message. */
bool travel_has_past(JmDebug *d);
/* Goes to a cycle without stopping. False if interrupted. */
bool travel_to(JmDebug *d, uint64_t cycle);
/* Returns the latest moment at or before a cycle, or NULL. */
const Moment *travel_moment(const JmDebug *d, uint64_t cycle);
/* Puts the machine into the state of a moment. */
void travel_restore(JmDebug *d, const Moment *moment);
/* Turns time travel on, from here on, or off. */
void travel_switch(JmDebug *d, bool on);
/* Sets the bytes that moments may take. */
void travel_limit(JmDebug *d, size_t bytes);

#endif
