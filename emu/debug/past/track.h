/* Following messages through a stretch of the past, from the SEND that opens them to
 * the SUSPEND that ends their tasks. For emu/debug only.
 *
 * A message is known in the network by its number, then by the place of its header: in
 * the queue, or wherever software moves it, as the kernel does with what an overflow
 * would lose. Nothing of this is recorded while a program runs; it is found by going
 * over the past again.
 */
#ifndef JM_DEBUG_TRACK_H
#define JM_DEBUG_TRACK_H

#include "emu/debug/past/past.h"

#define TRACK_NEVER UINT64_MAX

typedef enum {
    TRACK_NONE,
    TRACK_SENT,  /* its header is in the output buffer or in the network */
    TRACK_WAITS, /* its header lies at `address` */
    TRACK_LEFT,  /* the same, but it has been copied to `moved_to` and goes on there */
    TRACK_RUNS,  /* its task has begun */
    TRACK_GONE   /* the task has ended, or nobody knows */
} TrackState;

typedef enum {
    BY_NETWORK, /* it was sent */
    BY_HAND,    /* `inject` */
    BY_PROGRAM  /* an instruction wrote a header into a queue, as for a token */
} TrackOrigin;

typedef struct Track {
    TrackState state;
    TrackOrigin origin;
    bool placed;     /* its header has been in the queue */
    uint32_t number; /* in the network */
    unsigned source, destination, priority;
    JmContext sender;
    uint32_t sent_at; /* the SEND that opened it; UINT32_MAX: before the past */
    uint64_t opened;  /* cycles; TRACK_NEVER: not yet, or before the past: */
    uint64_t placed_cycle, arrived, dispatched;
    JmWord header;
    uint32_t address;
    uint32_t first;    /* where the header first lay */
    uint32_t moved_to; /* LEFT */
    uint32_t next;     /* of its bucket, or of the free ones */
} Track;

/* What has happened to a message. */
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

/* `track` may be recycled after TRACK_ENDS, TRACK_LOST, TRACK_DROPPED. */
typedef void TrackNote(void *context, Track *track, TrackStep step,
                       const JmEvent *event);

typedef struct Tracker Tracker;

/* Begins to follow what is in flight now. While it lives every run is followed. With
 * `faults` FAULT events are noted too. */
Tracker *tracker_begin(JmDebug *d, TrackNote *note, void *context, bool faults);
void tracker_end(Tracker *tracker); /* NULL is fine */
/* To be called in the present, before going back. */
void tracker_see_queues(JmDebug *d);

/* To be called before a change by hand is made. */
void tracker_change(Tracker *tracker, const Change *change);

/* The message whose header lies there; whose task runs or is interrupted; NULL. */
const Track *tracker_at(const Tracker *tracker, unsigned node, uint32_t address);
const Track *tracker_task(const Tracker *tracker, unsigned node, unsigned priority);
/* The message of a number of the network. */
const Track *tracker_number(const Tracker *tracker, uint32_t number);

/* Follows messages up to `end`, from so far back that `enough` is true there, but at
 * most from the moment before `oldest`. The machine is at `end` then. NULL:
 * interrupted. */
typedef bool TrackEnough(void *context, const Tracker *tracker);
Tracker *tracker_look_back(JmDebug *d, uint64_t end, uint64_t oldest,
                           TrackEnough *enough, void *context);

/* The message whose task runs in cycle `end`; state TRACK_NONE if it came before the
 * past. The machine is somewhere else then. False and a message: interrupted. */
bool origin_of_task(JmDebug *d, unsigned node, unsigned priority, uint64_t end,
                    Track *origin);

/* Tells of a message from its beginning to the present. */
bool life_tell(JmDebug *d, const Track *which);

/* ---- messages of a queue --------------------------------------------------------- */

typedef struct {
    unsigned index;                /* from the head */
    uint32_t position;             /* words from the head */
    uint32_t address, words, room; /* room: words, rounded up to rows */
    JmWord header;
    bool good;  /* it begins with a header */
    bool whole; /* all rows have arrived; else `room` is what has */
    bool runs;  /* the task of the queue runs on it */
} QueueItem;

/* The next message; begin with one of zeros. False: there is none. */
bool queue_next(const JmDebug *d, unsigned node, unsigned priority, QueueItem *item);
/* "NODE PRIORITY INDEX": a message that is there. */
bool take_queue_item(Args *args, unsigned *node, unsigned *priority, QueueItem *item);

#endif
