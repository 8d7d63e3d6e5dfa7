/* Figures of a list of queues by node: columns of results.def. */
#ifndef JM_TOOLS_EXP_MEASURE_QUEUES_H
#define JM_TOOLS_EXP_MEASURE_QUEUES_H

#include "tools/exp/plan/experiment.h"

/* Mean messages at a place. A model separates the node queue, of messages that wait for
 * the network, from the processor's queue, and queues_all_at() adds them; in a
 * simulation both are one; the machine has only the processor's queue. */
double queues_at(const Run *run, unsigned node);
double queues_all_at(const Run *run, unsigned node);
/* Flits of a message, without header flits that the network adds. */
double queues_flits(const Run *run);
/* Flits a cycle that the network accepts from a node; NaN if that was not counted. */
double queues_accepted_at(const Run *run, unsigned node);

/* Places. The middle plane is that of z = (Z-1)/2, the one below the middle; the middle
 * of a side is its one or two nodes nearest to its centre. */
typedef enum {
    QUEUES_ALL,
    QUEUES_PLANE,   /* the middle plane */
    QUEUES_MIDDLE,  /* the middle of all sides, up to 8 nodes */
    QUEUES_CORNERS, /* of the middle plane */
    QUEUES_ENDS_X,  /* of the middle rows of that plane: x = 0 and X-1 */
    QUEUES_ENDS_Y   /* the same of its middle columns */
} QueuesPlace;

/* Mean or longest number of messages in queues of a place; NaN if there is no list. */
double queues_mean(const Run *run, QueuesPlace place);
double queues_longest(const Run *run, QueuesPlace place);
/* Mean of all messages at the nodes of a place. */
double queues_all_mean(const Run *run, QueuesPlace place);
/* Distance of the machine's longest queue from the nearer end of X, in nodes: 0 is the
 * end itself. */
double queues_peak_x(const Run *run);
/* Number of nodes between the longest queues of the lower and the upper half of the
 * middle column along Z; 0 if the queues between them are about as long: one centre. */
double queues_centres_z(const Run *run);
/* Streams that meet on a line: the largest ratio of the flits accepted from a node to
 * those from the next one downstream, the first node excluded; and the share of all but
 * the first. NaN if that was not counted. */
double queues_upstream(const Run *run);
double queues_entering(const Run *run);

#endif
