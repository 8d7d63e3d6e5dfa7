/* The model `abstract`: processors that behave like the Snakes, without instructions,
 * on the machine's network (net/traffic/processors.h). Runs the machine's load points,
 * with the same setting names, in a second instead of ten. */
#include <math.h>

#include "net/traffic/processors.h"
#include "tools/exp/models/parts.h"
#include "tools/exp/plan/setting_rows.h"

/* Cycles between two checks whether the result is still wanted. */
enum { SLICE = 20000 };

static Net *network_of(const Settings *settings, JmError *error) {
    NetParams params = net_params_default();
    unsigned size[3];
    params.fair = model_whole_or(settings, "fair", params.fair);
    params.age = model_whole_or(settings, "age", params.age);
    params.virtual_channels = model_whole_or(settings, "virtual_channels", 1);
    params.header_flits = model_whole_or(settings, "header_flits", params.header_flits);
    params.buffer_words = model_whole_or(settings, "buffer_words", params.buffer_words);
    setting_parse_mesh(settings_text(settings, "mesh"), size);
    return net_create_mesh(size[0], size[1], size[2], &params, error);
}

static NetProcessorsPlan plan_of(const ModelPoint *point) {
    const Settings *s = point->settings;
    return (NetProcessorsPlan){
        .load = model_whole_or(s, "m", 0),
        .hops = model_whole_or(s, "L", 0),
        .words = model_whole_or(s, "p", 0) + 1,
        .handler = model_whole_or(s, "h", 0),
        .exponential = model_whole_or(s, "random", 0),
        .home_every = model_whole_or(s, "return", 0),
        .imbalance = model_whole_or(s, "imbalance", 100) / 100.0,
        .hot = model_whole_or(s, "hot", 0),
        .queue = {model_whole_or(s, "Q", 0), model_whole_or(s, "Q1", 0)},
        .retry = model_whole_or(s, "retry", 1),
        .preempt = model_whole_or(s, "preempt", 1),
        .traps = model_whole_or(s, "traps", 3),
        .hwm_mark = model_whole_or(s, "hwm_mark", 0),
        .escape_mark = model_whole_or(s, "escape_mark", 0),
        .brake_mark = model_whole_or(s, "brake_mark", 0),
        .brake_release = model_whole_or(s, "brake_release", 0),
        .brake_ring = model_whole_or(s, "brake_ring", 0),
        .brake_patience = model_whole_or(s, "brake_patience", 100000),
        .spill_mark = model_whole_or(s, "spill_mark", 0),
        .spill_both = model_whole_or(s, "spill_both", 0),
        .spill_cycles = model_whole_or(s, "spill_cycles", 5),
        .meter_mark = model_whole_or(s, "meter_mark", 0),
        .meter = model_whole_or(s, "meter", 0),
        .whole = model_whole_or(s, "whole", 0),
        .aged = model_whole_or(s, "age", 0),
        .seed = point->seed};
}

static void add_counts(NetProcessorsState state, const NetProcessorsCounts *counts,
                       Result *record) {
    const bool done = state == NET_PROCESSORS_DONE;
    const uint64_t sent = counts->sent[0] + counts->sent[1];
    const bool clean = counts->first_overflow == UINT64_MAX;
    result_add(record, "T", done ? (double)counts->cycles : NAN);
    result_add(record, "deadlock", state == NET_PROCESSORS_DEADLOCK);
    result_add(record, "overflows", (double)counts->overflows[0]);
    result_add(record, "overflows1", (double)counts->overflows[1]);
    result_add(record, "first_overflow", clean ? NAN : (double)counts->first_overflow);
    result_add(record, "first_node", clean ? NAN : (double)counts->first_node);
    result_add(record, "longest", counts->longest[0]);
    result_add(record, "longest1", counts->longest[1]);
    result_add(record, "share1", (double)counts->sent[1] / (double)(sent ? sent : 1));
    result_add(record, "spilled", (double)counts->spilled);
    result_add(record, "spill_peak", (double)counts->spill_peak);
}

static bool run(ModelPoint *point, NetProcessors *processors, Result *record,
                JmError *error) {
    NetProcessorsState state = NET_PROCESSORS_RUN;
    while (state == NET_PROCESSORS_RUN && !point->stopped) {
        state = net_processors_run(processors, SLICE);
        model_is_stopped(point);
    }
    if (state == NET_PROCESSORS_STARVED)
        return jm_fail(error, "jm exp", "no memory for messages");
    const NetProcessorsCounts counts = net_processors_counts(processors);
    add_counts(state, &counts, record);
    return true;
}

bool solve_abstract(ModelPoint *point, Result *record, JmError *error) {
    const NetProcessorsPlan plan = plan_of(point);
    Net *net = network_of(point->settings, error);
    NetProcessors *processors = net ? net_processors_create(net, &plan, error) : NULL;
    const bool good = processors && run(point, processors, record, error);
    net_processors_destroy(processors);
    net_destroy(net);
    return good;
}
