/* Figures of the wires of a network and their lanes: a table, and a map. */
#ifndef JM_TOOLS_NET_WIRES_H
#define JM_TOOLS_NET_WIRES_H

#include <jansson.h>

#include "emu/core/outfile.h"
#include "net/net.h"

/* A lane: a channel that sends over a wire. */
typedef struct {
    uint32_t channel, wire, from, to; /* from and to: processors */
    unsigned lane, dimension;
    bool up;
} NetLane;

enum { NET_WIRES_DIMENSIONS = 4 };

/* All lanes of a network, wire by wire. */
typedef struct {
    NetLane *lane;
    size_t count;
    uint32_t channels, processors;
    char (*name)[32]; /* by processor */
    /* Sides of a torus or mesh, 1 beyond its dimensions; all 0: it is neither. */
    uint32_t side[NET_WIRES_DIMENSIONS];
} NetWires;

void net_wires_create(NetWires *wires, const Net *net);
void net_wires_destroy(NetWires *wires);

/* The counts of a network's channels over a number of cycles. */
typedef struct {
    const NetChannelCounts *channel;
    double cycles;
} NetWireCounts;

/* Writes the line above a table, whose first column is `rate` if the table has several.
 */
void net_wires_csv_head(bool has_rate, FILE *out);
/* Writes a row for each lane; `rate`: NULL, or the first column. */
void net_wires_csv(const NetWires *wires, const NetWireCounts *counts,
                   const double *rate, FILE *out);

/* Whether a map can be drawn. */
bool net_wires_can_map(const NetWires *wires, const char *command, JmError *error);
/* Draws a torus or mesh, with a line for each wire, as SVG. */
bool net_wires_map(const NetWires *wires, const NetWireCounts *counts,
                   const char *title, JmOutFile *file, JmError *error);

/* The counts as a list for each lane, and back. False: damaged. */
json_t *net_wires_to_json(const NetWires *wires, const NetChannelCounts *channel);
bool net_wires_from_json(const NetWires *wires, const json_t *list,
                         NetChannelCounts *channel);

#endif
