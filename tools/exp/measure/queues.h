/* Figures of a list of queues by node: columns of model_row.def. */
#ifndef JM_TOOLS_EXP_MEASURE_QUEUES_H
#define JM_TOOLS_EXP_MEASURE_QUEUES_H

#include "tools/exp/plan/experiment.h"

/* A part of the machine. The middle plane is that of z = (Z-1)/2, the one below the
 * middle; the middle of a side is its one or two nodes nearest to its centre. */
typedef enum {
    QUEUES_ALL,
    QUEUES_PLANE,   /* the middle plane */
    QUEUES_MIDDLE,  /* the middle of all sides, up to 8 nodes */
    QUEUES_CORNERS, /* corners of the middle plane */
    QUEUES_ENDS_X,  /* x = 0 and X-1 in the middle rows of that plane */
    QUEUES_ENDS_Y   /* y = 0 and Y-1 in the middle columns of that plane */
} QueuesPlace;

/* Return the messages in the queues of a part, on the mean or in the longest; NaN if
 * the record has no list. */
double queues_mean(const Run *run, QueuesPlace place);
double queues_longest(const Run *run, QueuesPlace place);
/* Returns the distance of the machine's longest queue from the nearer end of X, in
 * nodes: 0 is the end itself. */
double queues_peak_x(const Run *run);
/* Returns the nodes between the longest queues of the lower and of the upper half of
 * the middle column along Z; 0 if the queues between them are about as long: one
 * centre. */
double queues_centres_z(const Run *run);

#endif
