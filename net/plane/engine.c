/* The plane engine's interface: one engine for each vector width, and one that uses the
 * widest vectors of this processor. Their state is the same. */
#include "net/messages/state.h"
#include "net/plane/plane.h"

#if PLANE_VECTORS
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}

static bool has_sse2(void) {
    return true; /* every x86-64 */
}
#else
static bool has_avx2(void) {
    return false;
}

static bool has_avx512(void) {
    return false;
}

static bool has_sse2(void) {
    return false;
}
#endif

static bool step_widest(Net *net, void *state) {
    PlaneEngine *engine = state;
    return engine->widest->step(net, engine);
}

static void changed_widest(Net *net, void *state, uint32_t *messages, uint32_t count) {
    PlaneEngine *engine = state;
    engine->widest->sources_changed(net, engine, messages, count);
}

static void *create_widest(Heap *heap, Net *net) {
    PlaneEngine *engine = plane_create(heap, net);
    engine->widest = has_avx512() ? &net_plane_avx512
                     : has_avx2() ? &net_plane_avx2
                     : has_sse2() ? &net_plane_sse2
                                  : &net_plane_plain;
    return engine;
}

/* Whether the planes can represent the graph. They represent the channels and wires of
 * a mesh without looking at the graph, so it must be the one that these parameters
 * would build. */
static bool runs(Heap *heap, const NetGraph *graph, const NetParams *params,
                 JmError *error) {
    (void)heap;
    NetMeshShape mesh;
    if (params->age)
        return jm_fail(error, NULL, "its planes do not compare the ages of messages");
    if (!net_graph_is_plain(graph, params, error))
        return false;
    if (!net_mesh_shape(graph, &mesh))
        return jm_fail(error, NULL, "its planes are those of a mesh, and this is none");
    if (mesh.copies > 1)
        return jm_fail(error, NULL, "not with virtual channels");
    if (mesh.shared_wires != (params->shared_wires != 0))
        return jm_fail(error, NULL, "the mesh was built with shared_wires=%d",
                       mesh.shared_wires);
    if (mesh.drops_headers != (params->header_flits == NET_DIMENSIONS))
        return jm_fail(error, NULL, "the mesh was built for %s header flits",
                       mesh.drops_headers ? "three" : "fewer than three");
    return true;
}

#define PLANE_ENGINE(engine_name, engine_runs_here, engine_create, engine_step,        \
                     engine_changed)                                                   \
    {                                                                                  \
        .name = engine_name, .runs_here = engine_runs_here, .runs = runs,              \
        .create = engine_create, .reserve = plane_reserve, .step = engine_step,        \
        .sources_changed = engine_changed, .taken_back = plane_taken_back,             \
        .gate_changed = plane_gate_changed, .wire_changed = plane_wire_changed,        \
        .point = plane_point, .flit = plane_flit, .wire_down = plane_wire_down,        \
        .settle = plane_settle, .load = plane_load, .check = plane_check,              \
    }

const NetEngine net_plane_engine =
    PLANE_ENGINE("plane", NULL, create_widest, step_widest, changed_widest);
const NetEngine net_plane_plain = PLANE_ENGINE("plane-plain", NULL, plane_create,
                                               plane_step_plain, plane_changed_plain);
const NetEngine net_plane_sse2 = PLANE_ENGINE("plane-sse2", has_sse2, plane_create,
                                              plane_step_sse2, plane_changed_sse2);
const NetEngine net_plane_avx2 = PLANE_ENGINE("plane-avx2", has_avx2, plane_create,
                                              plane_step_avx2, plane_changed_avx2);
const NetEngine net_plane_avx512 = PLANE_ENGINE(
    "plane-avx512", has_avx512, plane_create, plane_step_avx512, plane_changed_avx512);
