/* The models `whole` and `whole_form`: all nodes of a pipelined k-ary 2-cube under
 * light load, and Scott and Goodman's latency of an empty network, (4). */
#include <math.h>
#include <stdio.h>

#include "net/model/pipelined/pipelined.h"
#include "tools/exp/models/parts.h"

enum { DIMENSIONS = 2, WIDTH = 32, BITS = PIPELINED_DATA_BITS };

static PipelinedCube cube_of(const Settings *settings) {
    const unsigned k = model_whole(settings, "k");
    return (PipelinedCube){.dimensions = DIMENSIONS,
                           .radix = k,
                           .nodes = (double)k * k,
                           .width = WIDTH,
                           .ratio = PIPELINED_RATIO,
                           .data_share = 1};
}

/* Cycles of a head from node to node: crossing the wire, decoding, passing. */
static unsigned hop_cycles(const Settings *settings, const PipelinedCube *cube) {
    return model_whole(settings, "wire") + net_pipelined_decode(cube) + PIPELINED_PASS;
}

/* A node has a link into its switch and one out of it, as in (4), but turning into
 * another dimension takes as long as going straight on. All messages have the length of
 * a data packet, without acknowledgements, at a fraction of the links' capacity. */
bool solve_whole(ModelPoint *point, Result *record, JmError *error) {
    enum { TEXT_MAX = 100, PLACES = 32 };
    const Settings *settings = point->settings;
    const PipelinedCube cube = cube_of(settings);
    const unsigned flits = net_pipelined_flits(&cube, BITS);
    const double most = 2 / ((cube.radix - 1.0) * flits);
    const NetParams params = net_params_default();
    char topology[TEXT_MAX], traffic[TEXT_MAX];
    snprintf(topology, sizeof topology, "torus=%ux%u,oneway=1,places=%d,delay=%u",
             cube.radix, cube.radix, PLACES, hop_cycles(settings, &cube));
    snprintf(traffic, sizeof traffic, "poisson,rate=%.10g,length=%u",
             most * settings_number(settings, "load"), flits);
    return model_run_traffic(point, topology, &params, traffic, record, error);
}

/* (4) without the cycles at the ends, which mean_latency does not count, and without
 * the extra cycles of a turn; and over other nodes only, where (4) has the node itself
 * among the targets. */
bool solve_whole_form(ModelPoint *point, Result *record, JmError *error) {
    const PipelinedCube cube = cube_of(point->settings);
    if (!net_pipelined_check(&cube, error))
        return false;
    const double turns = DIMENSIONS * (1 - 1.0 / cube.radix);
    const double behind = net_pipelined_flits(&cube, BITS) - 1;
    const double heads =
        net_pipelined_latency(&cube, model_whole(point->settings, "wire"), BITS) -
        behind - PIPELINED_SWITCH - turns * (PIPELINED_SWITCH - PIPELINED_PASS);
    result_add(record, "mean_latency", heads * cube.nodes / (cube.nodes - 1) + behind);
    return true;
}
