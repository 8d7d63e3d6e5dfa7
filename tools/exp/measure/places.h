/* Figures of nodes by their place, columns of results.def: messages in queues, flits
 * that the network accepts, efficiencies of processors. A figure that a run does not
 * have is NaN. */
#ifndef JM_TOOLS_EXP_MEASURE_PLACES_H
#define JM_TOOLS_EXP_MEASURE_PLACES_H

#include "tools/exp/plan/experiment.h"

/* Gives the position (x, y, z) of a node and the sides of the mesh, both in nodes: rank
 * = x + X (y + Y z). */
void places_position(const Settings *settings, unsigned rank, unsigned at[3],
                     unsigned size[3]);

/* A figure of a node. */
typedef double NodeFigure(const Run *run, unsigned node);

/* Mean messages in a queue. A model separates the node queue, of messages that wait for
 * the network, from the processor's queue, and queues_all_at() adds them; in a
 * simulation both are one; the machine has only the processor's queue. */
double queues_at(const Run *run, unsigned node);
double queues_all_at(const Run *run, unsigned node);
/* Flits per cycle that the network accepts from a node. */
double queues_accepted_at(const Run *run, unsigned node);
/* Efficiency of a processor of a square network, percent. */
double efficiency_at(const Run *run, unsigned processor);
/* Flits of a message, without header flits that the network adds. */
double queues_flits(const Run *run);

/* Number of processors whose efficiency is known; number of rows of their square, equal
 * to that of columns. */
unsigned efficiency_count(const Run *run);
unsigned efficiency_side(const Run *run);

/* Places. The middle plane is that of z = (Z-1)/2, the one below the middle; the middle
 * of a side is its one or two nodes nearest to its centre. A square is such a plane. */
typedef enum {
    PLACE_ALL,
    PLACE_PLANE,      /* the middle plane */
    PLACE_MIDDLE,     /* the middle of all sides, up to 8 nodes */
    PLACE_CORNERS,    /* of the middle plane */
    PLACE_ENDS_X,     /* of the middle rows of that plane: x = 0 and X-1 */
    PLACE_ENDS_Y,     /* the same of its middle columns */
    PLACE_INNER_ROWS, /* the inner half of the rows */
    PLACE_END_ROWS    /* the first and the last row */
} Place;

/* The mean of a figure over the nodes of a place, or the largest. */
double places_mean(const Run *run, NodeFigure *figure, Place place);
double places_most(const Run *run, NodeFigure *figure, Place place);

/* Distance of the machine's longest queue from the nearer end of X, in nodes: 0 is the
 * end itself. */
double queues_peak_x(const Run *run);
/* Number of nodes between the longest queues of the lower and the upper half of the
 * middle column along Z; 0 if the queues between them are about as long: one centre. */
double queues_centres_z(const Run *run);
/* Streams that meet on a line: the largest ratio of the flits accepted from a node to
 * those from the next one downstream, the first node excluded; and the share of all but
 * the first. */
double queues_upstream(const Run *run);
double queues_entering(const Run *run);

/* Mean percent difference of efficiencies from the printed cells of a map of 8x8: table
 * V-A one way, V-B two ways (Adve and Vernon 1994). NaN for another side, or other
 * requests out or services than the map's. */
double efficiency_map_off(const Run *run);

#endif
