/* Running forward and going back: moments of the past, the journal of changes, and what
 * is said when the machine has stopped. For emu/debug. */
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

typedef struct {
    uint64_t cycle;
    ChangeKind kind;
    unsigned node;
    JmContext context;
    JmReg reg;
    uint32_t address;
    unsigned priority;
    JmFault fault;
    JmWord word;
    JmWord *words; /* MESSAGE; QUEUE: what is in it from `first` on */
    uint32_t count;
    uint32_t first;     /* QUEUE: words from its head to the message; */
    int32_t shift;      /* by how many words those behind it move; */
    bool drops;         /* the message goes */
    unsigned dimension; /* WIRE */
    bool up, blocked;
} Change;

typedef struct {
    uint64_t cycle;
    size_t changes; /* made before it */
    JmCheckpoint *state;
} Moment;

typedef struct {
    Moment *moments; /* by cycle */
    size_t count, capacity;
    size_t limit_bytes;
    size_t bytes;   /* of all moments, at most */
    uint64_t every; /* cycles between moments, at least */
    double due;     /* seconds of the host's clock before which there is none */
    Change *changes;
    size_t change_count, change_capacity;
    size_t applied;    /* changes that have been made at this point of time */
    uint64_t furthest; /* the latest cycle that was ever reached */
    bool off;
} Travel;

struct Past {
    Travel travel;
    struct Tracker *tracker; /* follows what is run, NULL: none */
    uint64_t slice;          /* cycles of a piece of a run */
    char *stopped_text;      /* why the machine last stopped, for `why stopped` */
    Text queued;             /* commands of stops still to be done; */
    bool doing_commands;     /* some are being done, */
    bool hit_again;          /* and one of them has run to a stop */
};

Past *past_new(Heap *heap);

/* ---- running --------------------------------------------------------------------- */

typedef enum { END_REACHED, END_HIT, END_MACHINE, END_INTERRUPTED } RunEnd;
/* Runs to `until` unless something stops the machine; with `stops`, also at stops.
 * Journaled changes are made on the way. */
RunEnd run_to(JmDebug *d, uint64_t until, bool stops);

/* ---- arriving -------------------------------------------------------------------- */

/* Says where the machine is and why. */
void report_stop(JmDebug *d, RunEnd end);
/* Says where the selected node stands, and the displays: the machine has come to
 * another place. */
void say_arrival(JmDebug *d);

/* ---- moments and changes --------------------------------------------------------- */

void travel_start(JmDebug *d);
/* Gives up all moments. */
void travel_end(JmDebug *d);
/* After the machine has come to a cycle: perhaps remembers it. */
void travel_pass(JmDebug *d);
/* The next cycle in which a change is to be made again, or UINT64_MAX. */
uint64_t travel_due(const JmDebug *d);
void travel_apply_due(JmDebug *d);
/* Makes a change and remembers it; what was the future is forgotten. */
void travel_change(JmDebug *d, Change change);
/* Makes a change. */
void change_apply(JmMachine *machine, const Change *change);
/* Where a journey into the past began, to come back to exactly this state. */
typedef struct {
    JmCheckpoint *state;
    size_t applied;
    uint64_t asked;
    Hit hits[HITS_MAX];
    size_t hit_count;
} Here;
Here travel_leave(JmDebug *d);
void travel_return(JmDebug *d, Here *here);
/* It is not come back to after all. */
void travel_stay(JmDebug *d, Here *here);
/* False and a message if there is no past to look at. */
bool travel_has_past(JmDebug *d);
/* Goes to a cycle without stopping; false if interrupted. */
bool travel_to(JmDebug *d, uint64_t cycle);
/* The latest moment at or before a cycle. */
const Moment *travel_moment(const JmDebug *d, uint64_t cycle);
void travel_restore(JmDebug *d, const Moment *moment);
void travel_switch(JmDebug *d, bool on);
void travel_limit(JmDebug *d, size_t bytes);

#endif
