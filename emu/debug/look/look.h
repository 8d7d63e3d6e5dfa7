/* The results of the commands of `look`, as structures: their text is printed from
 * these, and another front end can show them in its own way. Other results are
 * structures already: nodes and their queues (emu/node), channels and messages in
 * flight (net.h), stops and hits (stops.h), what ended a run, the lives and causes of
 * messages (past.h, track.h). For emu/debug. */
#ifndef JM_DEBUG_LOOK_H
#define JM_DEBUG_LOOK_H

#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"

/* ---- code ------------------------------------------------------------------------ */

/* A word of code. */
typedef struct {
    JmDebugPlace place; /* its line is that of the first instruction that has one */
    JmWord word;
    char label[128]; /* of exactly this address; "": none */
    bool is_next;    /* the selected node's next instruction is in it */
} CodeLine;
CodeLine code_line(const JmDebug *d, uint32_t address);

/* ---- queues ---------------------------------------------------------------------- */

/* How far the age of a message in a queue is known. */
typedef enum {
    AGE_UNKNOWN,  /* time travel is off, or nothing has run */
    AGE_OVER,     /* it was there when the look back began */
    AGE_AT_LEAST, /* it was there when the past began */
    AGE_KNOWN
} AgeKind;

/* A message of a queue, or, where there is no header, the rest of the queue. */
typedef struct {
    JmDebugMessage item;
    bool in_place; /* it has replaced the message whose task runs */
    AgeKind kind;
    uint64_t age; /* cycles since its first row arrived, or that were looked back */
    Track track;  /* KNOWN: where it comes from */
    uint32_t copied_to; /* its header has been copied there; UINT32_MAX: no */
} Queued;

/* ---- tasks ----------------------------------------------------------------------- */

/* A context of a node that runs or has been interrupted. */
typedef struct {
    JmContext context;
    JmDebugPlace place; /* at which it continues */
    bool traced;        /* it is a task, and frame_trace() has found its message, */
    Track origin;       /* or that this came before the past: TRACK_NONE */
} Frame;
/* Finds the running context and those that it has interrupted, the most urgent first;
 * returns how many. */
unsigned frames_of(const JmDebug *d, unsigned node, Frame frames[NODE_CONTEXTS]);
/* Finds by replay which message began the task of a frame. */
void frame_trace(JmDebug *d, unsigned node, Frame *frame);

/* The last write to a word. */
typedef struct {
    unsigned node;
    uint32_t address;
    bool found;    /* otherwise only the loader or the user can have written it */
    JmEvent event; /* the write */
    bool by_task;
    Track origin; /* by_task: the message of the task */
} Writing;

/* ---- waiting --------------------------------------------------------------------- */

/* Why a node that is at rest stays there. */
typedef enum { REST_NONE, REST_MASKED, REST_STUCK } Rest;
Rest rest_of(const JmDebug *d, unsigned node);

/* What blocks the messages in a channel, each blocked by the next. */
typedef enum { HELD_NOT, HELD_BY_WIRE, HELD_BY_QUEUE, HELD_IN_CIRCLE } HeldBy;
typedef struct {
    HeldBy by;
    unsigned node; /* of the blocked wire or the closed queue */
    unsigned priority;
} Hold;
Hold hold_behind(const JmDebug *d, uint32_t channel);

/* What is before the head of a message in flight. */
typedef enum {
    HEAD_ARRIVING,
    HEAD_FREE,   /* the next channel is free, or its own */
    HEAD_QUEUE,  /* a closed queue */
    HEAD_WIRE,   /* a blocked wire */
    HEAD_HELD,   /* a channel that another message holds */
    HEAD_BEHIND, /* another message in the same channel */
    HEAD_UNSENT, /* it is in the output buffer, or not all of it is */
    HEADS
} Head;
/* Counts the messages in flight by their heads. */
void count_heads(JmDebug *d, uint32_t counts[HEADS]);

/* Prints why the machine stands, or what it does: by kinds of nodes and messages. */
void say_standing(JmDebug *d);

/* A node in a chain of nodes that wait for each other. */
typedef struct {
    Where where;
    bool closes;               /* it was in the chain before: the chain is a circle */
    bool shut[2], disabled[2]; /* its queues, by priority, take nothing; why not */
    Rest rest;
    bool unended[2];  /* STUCK: its tasks, by priority, that never ended */
    Text explanation; /* what its messages wait for, in rows */
    int next;         /* node whose queue holds its messages up; -1: none */
} Waiter;

#endif
