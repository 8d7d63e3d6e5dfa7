/* Processors and their input queues; for processors.c and inputs.c alone. */
#ifndef JM_NET_TRAFFIC_PROCESSORS_PARTS_H
#define JM_NET_TRAFFIC_PROCESSORS_PARTS_H

#include "emu/core/rng.h"
#include "net/traffic/processors.h"

/* Messages in order, linked by Message.behind. */
typedef struct {
    uint32_t first, last; /* NET_NONE: none */
    uint32_t count;
} Line;

/* A message that is somewhere for the whole run. */
typedef struct {
    uint32_t behind;
    uint32_t hops; /* begun */
    uint64_t came; /* cycle in which it was complete in its queue */
} Message;

/* An input queue. In the order of arrival: front, then what the overflow handler or the
 * spill has put aside, then back. A token stands in the queue for what the overflow
 * handler has put aside. */
typedef struct {
    Line front, aside, back;
    bool in_hand;      /* the task's message, which stays at the head until it ends */
    bool token;        /* stands behind front */
    bool to_ring;      /* the message that arrives goes to the ring */
    bool gate;         /* open, as last told to the network */
    bool brake;        /* the brake is on */
    bool trap;         /* full: the processor will empty it, or does */
    unsigned gathered; /* words of the row that arrives */
    unsigned partial;  /* rows of the message that arrives, words */
    unsigned words;    /* all rows in the queue */
    unsigned trap_cycles; /* trap: that it takes */
    uint64_t shut_until;  /* a spill out is in progress */
    uint64_t back_at;     /* the first of the ring will be back; 0: not under way */
} Input;

typedef enum { TASK_NONE, TASK_WORK, TASK_SEND, TASK_TOKEN } TaskState;

typedef struct {
    TaskState state;
    uint32_t message;
    uint32_t left;       /* cycles to do, while it does not run */
    unsigned words_left; /* of the open message */
    unsigned priority;   /* at which that one goes */
    bool open;
    uint32_t destination;
} Task;

enum { NOBODY = -1, TRAP = NET_PRIORITIES };

typedef struct {
    Input input[NET_PRIORITIES];
    Task task[NET_PRIORITIES];
    int active;         /* a priority, TRAP or NOBODY */
    bool blocked;       /* the active task waits for room */
    unsigned trapped;   /* TRAP: priority of the queue that is emptied */
    uint64_t due;       /* of the active one */
    uint64_t suspended; /* cycle of the last SUSPEND, or in which the brake shut */
    unsigned credits;   /* for priority 1 by the lower mark */
} Node;

enum { WHEEL = 16384, ROW = 4 };

struct NetProcessors {
    Net *net;
    NetProcessorsPlan plan;
    JmRng rng;
    uint32_t nodes, set_words; /* 64-bit words of a set of nodes */
    unsigned size;             /* words of a message in rows */
    Node *node;
    Message *message;  /* by number: those of node n are n * load on */
    uint32_t *carried; /* by the network's number: which message */
    uint32_t carried_room;
    uint64_t *wheel;   /* by cycle % WHEEL: set of nodes with something to do */
    uint64_t *blocked; /* set of nodes whose task waits for room */
    uint64_t now, sent_last;
    uint32_t home; /* messages that have ended */
    bool starved;
    NetProcessorsCounts counts;
};

/* processors.c: the processor does something in cycle `due` at the latest. */
void processors_at(NetProcessors *p, uint32_t node, uint64_t due);
/* Gives the processor to whoever should have it in cycle `now`. */
void processors_pick(NetProcessors *p, uint32_t node);

/* inputs.c */
void line_add(NetProcessors *p, Line *line, uint32_t message);
uint32_t line_take(NetProcessors *p, Line *line);
/* Words of the last step. */
void inputs_receive(NetProcessors *p);
/* Sets the gates of a node as its queues want them. */
void inputs_update(NetProcessors *p, uint32_t node);
/* Cycles of the overflow handler for the token in hand of queue `priority`, and what it
 * does when they are over. */
unsigned inputs_token_cycles(const NetProcessors *p, const Input *input,
                             unsigned priority);
void inputs_end_token(NetProcessors *p, uint32_t node, unsigned priority);
/* The overflow trap is over. */
void inputs_end_trap(NetProcessors *p, uint32_t node, unsigned priority);
/* Counts the words in the queue anew. */
void inputs_count(NetProcessors *p, Input *input, unsigned priority);

#endif
