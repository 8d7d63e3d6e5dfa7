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

/* A message; each exists for the whole run. */
typedef struct {
    uint32_t behind;
    uint32_t hops; /* begun */
    uint64_t came; /* cycle in which its queue held all of it */
} Message;

/* An input queue. In order of arrival: front, then what the overflow handler or the
 * spill has put aside, then back. A token in the queue represents what the overflow
 * handler has put aside. */
typedef struct {
    Line front, aside, back;
    bool in_hand;      /* the task's message, which stays at the head until it ends */
    bool token;        /* stands behind front */
    bool to_ring;      /* the arriving message goes to the ring */
    bool gate;         /* open, as last set in the network */
    bool brake;        /* the brake is on */
    bool trap;         /* full: the processor is emptying it or about to */
    unsigned gathered; /* words of the arriving row */
    unsigned partial;  /* rows of the arriving message, in words */
    unsigned words;    /* all rows in the queue */
    unsigned trap_cycles; /* duration of the trap */
    uint64_t shut_until;  /* a spill out is in progress */
    uint64_t back_at;     /* when the ring's first message is back; 0: not under way */
} Input;

typedef enum { TASK_NONE, TASK_WORK, TASK_SEND, TASK_TOKEN } TaskState;

typedef struct {
    TaskState state;
    uint32_t message;
    uint32_t left;       /* remaining cycles, while it does not run */
    unsigned words_left; /* of the open message */
    unsigned priority;   /* of the open message */
    bool open;
    uint32_t destination;
} Task;

enum { NOBODY = -1, TRAP = NET_PRIORITIES };

typedef struct {
    Input input[NET_PRIORITIES];
    Task task[NET_PRIORITIES];
    int active;         /* a priority, TRAP or NOBODY */
    bool blocked;       /* the active task waits for room */
    unsigned trapped;   /* TRAP: priority of the queue being emptied */
    uint64_t due;       /* of the active task */
    uint64_t suspended; /* cycle of the last SUSPEND, or when the brake shut */
    unsigned credits;   /* for priority 1 by the lower mark */
} Node;

enum { WHEEL = 16384, ROW = 4 };

struct NetProcessors {
    Net *net;
    NetProcessorsPlan plan;
    JmRng rng;
    uint32_t nodes, set_words; /* 64-bit words of a set of nodes */
    unsigned size;             /* words of a message, in whole rows */
    Node *node;
    Message *message;  /* by number; node n's start at n * load */
    uint32_t *carried; /* by the network's number: its message */
    size_t carried_room;
    uint64_t *wheel;   /* by cycle % WHEEL: set of nodes with something to do */
    uint64_t *blocked; /* set of nodes whose task waits for room */
    uint64_t now, sent_last;
    uint32_t home; /* messages that have ended */
    bool starved;
    NetProcessorsCounts counts;
};

/* processors.c: schedules the processor for cycle `due` at the latest. */
void processors_at(NetProcessors *p, uint32_t node, uint64_t due);
/* Gives the processor to the task that should have it in cycle `now`. */
void processors_pick(NetProcessors *p, uint32_t node);

/* inputs.c */
void line_add(NetProcessors *p, Line *line, uint32_t message);
uint32_t line_take(NetProcessors *p, Line *line);
/* Receives the words of the last step. */
void inputs_receive(NetProcessors *p);
/* Sets a node's gates according to its queues. */
void inputs_update(NetProcessors *p, uint32_t node);
/* The cycles that the overflow handler takes for the token in hand of queue `priority`,
 * and the handler's effect when they have passed. */
unsigned inputs_token_cycles(const NetProcessors *p, const Input *input,
                             unsigned priority);
void inputs_end_token(NetProcessors *p, uint32_t node, unsigned priority);
/* Ends the overflow trap. */
void inputs_end_trap(NetProcessors *p, uint32_t node, unsigned priority);
/* Recounts the words in the queue. */
void inputs_count(NetProcessors *p, Input *input, unsigned priority);

#endif
