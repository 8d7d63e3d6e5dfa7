/* The engines by name, and the choice of one for a graph. */
#include "net/create/engines.h"

#include <stdio.h>
#include <string.h>

#include "emu/core/suggest.h"

/* The engines. "auto" tries them in this order, the fastest first. */
static const NetEngine *const engines[] = {
    &net_plane_engine, &net_graph_engine, &net_flow_engine,  &net_plane_plain,
    &net_plane_sse2,   &net_plane_avx2,   &net_plane_avx512,
};
enum { ENGINES = sizeof engines / sizeof engines[0] };

/* Whether an engine runs on this processor, and a graph on it; else `error` says why
 * not. */
static bool can_run(Heap *heap, const NetEngine *engine, const NetGraph *graph,
                    const NetParams *params, JmError *error) {
    if (engine->runs_here && !engine->runs_here())
        return jm_fail(error, NULL, "this processor cannot run the network engine %s",
                       engine->name);
    JmError why;
    return engine->runs(heap, graph, params, &why) ||
           jm_fail(error, NULL, "the network engine %s cannot run this: %s",
                   engine->name, why.text);
}

/* If none can, `error` gives the reason of the engine for such graphs: the flow engine
 * if the graph has features that only it supports, whatever the parameters are; else
 * the graph engine. */
static const NetEngine *first_that_runs(Heap *heap, const NetGraph *graph,
                                        const NetParams *params, JmError *error) {
    for (unsigned i = 0; i < ENGINES; i++)
        if (can_run(heap, engines[i], graph, params, NULL))
            return engines[i];
    const NetParams standard = net_params_default();
    const bool plain = net_graph_is_plain(graph, &standard, NULL);
    can_run(heap, plain ? &net_graph_engine : &net_flow_engine, graph, params, error);
    return NULL;
}

/* Reports that there is no engine `name`, suggests a similar name, and lists all
 * engines. */
static void refuse_name(const char *name, JmError *error) {
    char list[200] = "auto";
    JmSuggestion near = jm_suggest_start(name);
    jm_suggest_consider(&near, "auto");
    for (unsigned i = 0; i < ENGINES; i++) {
        const size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, ", %s", engines[i]->name);
        jm_suggest_consider(&near, engines[i]->name);
    }
    jm_fail(error, NULL, "there is no network engine %s; there are %s%s", name, list,
            jm_suggest_text(&near, "", ""));
}

const NetEngine *net_find_engine(Heap *heap, const char *name, const NetGraph *graph,
                                 const NetParams *params, JmError *error) {
    if (strcmp(name, "auto") == 0)
        return first_that_runs(heap, graph, params, error);
    for (unsigned i = 0; i < ENGINES; i++)
        if (strcmp(name, engines[i]->name) == 0)
            return can_run(heap, engines[i], graph, params, error) ? engines[i] : NULL;
    refuse_name(name, error);
    return NULL;
}
