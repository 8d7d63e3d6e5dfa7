/* Following messages through an interval of the past, from the SEND that opens them to
 * the SUSPEND that ends their tasks. For emu/debug only.
 *
 * A message is known in the network by its number, then by the address of its header:
 * in the queue, or wherever software moves it, as the kernel does on an overflow.
 * Nothing of this is recorded while a program runs; it is found by replay. */
#ifndef JM_DEBUG_TRACK_H
#define JM_DEBUG_TRACK_H

#include "emu/debug/past/past.h"

#define TRACK_NEVER UINT64_MAX

typedef enum {
    TRACK_NONE,
    TRACK_SENT,  /* its header is in the output buffer or in the network */
    TRACK_WAITS, /* its header is at `address` */
    /* its header still lies at `address`, but a copy at `moved_to` goes on */
    TRACK_LEFT,
    TRACK_RUNS, /* its task has begun */
    TRACK_GONE  /* its task has ended, or it was lost */
} TrackState;

typedef enum {
    BY_NETWORK, /* it was sent */
    BY_HAND,    /* `inject` */
    BY_PROGRAM  /* an instruction wrote a header into a queue, as for a token */
} TrackOrigin;

/* A message being followed. */
typedef struct Track {
    TrackState state;
    TrackOrigin origin;
    uint32_t serial;                        /* 1, 2, ... in the order of beginnings */
    bool placed;                            /* its header has been in the queue */
    uint32_t number;                        /* its number in the network */
    unsigned source, destination, priority; /* nodes, by rank */
    JmContext sender;                       /* context whose SEND opened it */
    /* address of the SEND that opened it; UINT32_MAX: before the past */
    uint32_t sent_at;
    /* cycle of that SEND; of the steps below, TRACK_NEVER: not yet, or before the
     * past */
    uint64_t opened;
    uint64_t placed_cycle, arrived, dispatched;
    JmWord header;
    uint32_t address;  /* address of the header */
    uint32_t first;    /* first address of the header */
    uint32_t moved_to; /* LEFT */
    uint32_t next;     /* next of its bucket, or of the free tracks */
} Track;

/* A step in the history of a message, with the event that showed it. */
typedef enum {
    TRACK_OPENS,   /* event SEND */
    TRACK_PLACED,  /* WRITE: its first row was written to the queue */
    TRACK_ARRIVED, /* ARRIVE */
    TRACK_MOVED,   /* WRITE: software has moved its header to `address` */
    TRACK_BEGINS,  /* DISPATCH */
    TRACK_ENDS,    /* SUSPEND */
    TRACK_LOST,    /* WRITE: its header was overwritten while it waited */
    TRACK_DROPPED, /* by hand; no event */
    TRACK_OTHER    /* any other event; no message */
} TrackStep;

/* Called for every step. `track` may be reused for another message after TRACK_ENDS,
 * TRACK_LOST and TRACK_DROPPED. */
typedef void TrackNote(void *context, Track *track, TrackStep step,
                       const JmEvent *event);

typedef struct Tracker Tracker;

/* Starts following the messages that are in flight now, and every run until
 * tracker_end(). With `faults` also passes FAULT events to `note`. */
Tracker *tracker_begin(JmDebug *d, TrackNote *note, void *context, bool faults);
void tracker_end(Tracker *tracker); /* NULL is ignored */

/* Call before a manual change is made. */
void tracker_change(Tracker *tracker, const Change *change);

/* Return the message whose header lies at an address, or whose task runs or is
 * interrupted; NULL: none is known. */
const Track *tracker_at(const Tracker *tracker, unsigned node, uint32_t address);
const Track *tracker_task(const Tracker *tracker, unsigned node, unsigned priority);
/* Returns the message of a number in the network, or NULL. */
const Track *tracker_number(const Tracker *tracker, uint32_t number);

/* Follows messages up to cycle `end`, from so far back that `enough` returns true
 * there, but at most from the moment before `oldest`. Afterwards the machine is at
 * `end`. NULL: interrupted. */
typedef bool TrackEnough(void *context, const Tracker *tracker);
Tracker *tracker_look_back(JmDebug *d, uint64_t end, uint64_t oldest,
                           TrackEnough *enough, void *context);

/* Finds the message whose task runs in cycle `end`; state TRACK_NONE if it came before
 * the past. Afterwards the machine is somewhere in the past. False and a message:
 * interrupted. */
bool origin_of_task(JmDebug *d, unsigned node, unsigned priority, uint64_t end,
                    Track *origin);

/* A message that a command names. */
typedef struct {
    JmDebug *d;
    unsigned node, priority;
    bool numbered; /* it is the one with the number and cycle of `message`, */
    Track message;
    bool task;        /* or the one whose task runs, */
    uint32_t address; /* or the one whose header lies here */
} Wanted;

/* Takes "MESSAGE [from CYCLE] | task [NODE] | queue NODE PRIORITY INDEX | at ADDRESS".
 * False and a message if there is no such thing. */
bool take_wanted(JmDebug *d, Args *args, Wanted *w);
/* Returns the message that is meant, unless it is given by number, or NULL. */
const Track *wanted_track(const Wanted *w, const Tracker *t);

/* ---- causes ---------------------------------------------------------------------- */

/* A message of the past, by Track.serial; serial 0 is none. */
typedef struct {
    uint64_t opened, begun, ended; /* cycles; TRACK_NEVER: not in the past */
    JmWord header;                 /* NIL before it is placed */
    uint32_t number, sent_at;      /* as in Track */
    uint32_t parent;               /* serial of the message whose task opened it; 0 */
    uint32_t children;
    unsigned source, destination;
    TrackOrigin origin;
    JmContext sender;
    bool known, placed, lost;
} Cause;

/* Finds the message of a node's task, the message of the task that sent it, and so on,
 * looking back as far as it takes to find `least` of them. Fills in at most `most`;
 * returns how many: fewer than `least` if the past does not reach further, or if
 * interrupted, then after a message. */
unsigned causes_chain(JmDebug *d, unsigned node, unsigned priority, unsigned least,
                      Cause *chain, unsigned most);

/* ---- messages of a queue --------------------------------------------------------- */

/* Finds the next message of a queue; `item` is all zeros at first. False: there is
 * none. */
bool queue_next(const JmDebug *d, unsigned node, unsigned priority,
                JmDebugMessage *item);
/* Takes "NODE PRIORITY INDEX" and finds that message. False and a message if it is not
 * there. */
bool take_queue_item(Args *args, unsigned *node, unsigned *priority,
                     JmDebugMessage *item);

#endif
