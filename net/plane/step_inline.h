/* A cycle of the plane engine: the hot path, see README.md. Included by plain.c,
 * sse2.c, ..., each of which sets VEC_WORDS, PLANE_STEP and PLANE_CHANGED. */
#ifndef JM_NET_PLANE_STEP_INLINE_H
#define JM_NET_PLANE_STEP_INLINE_H

#include "net/plane/ends_inline.h"
#include "net/plane/move_inline.h"

#ifndef PLANE_STEP
#define PLANE_STEP plane_step_plain
#define PLANE_CHANGED plane_changed_plain
#endif

/* Clears the sets once, after the last message of a priority. */
static void clear_sets(Net *net, PlaneEngine *engine, unsigned priority) {
    net_clear_sets(net, priority, 1);
    engine->sets_clear[priority] = true;
}

static bool has_messages(const Net *net, unsigned priority) {
    const NetStatistics *seen = &net->statistics;
    return seen->messages_opened[priority] != seen->messages_delivered[priority];
}

/* A cycle, in one of its copies. Returns whether anything moved. */
PLANE_INLINE bool step_live(Net *net, const Stage *setting) {
    const Stage own = stage_of(setting, 0), *stage = &own;
    const Vec none = {0};
    Moved moved;
    moved.moved = moved.progressed = none;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (is_live(stage, priority))
            eject(net, stage, priority, &moved);
    move(stage, &moved);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (is_live(stage, priority))
            leave_sources(net, stage, priority, &moved);
    deliver_all(net, stage);
    net->progressed = any(moved.progressed);
    return any(moved.moved | moved.progressed);
}

/* The copies of a cycle: for small meshes with default parameters, with and without
 * only priority 0 live, and for everything else. */
static bool step_alone(Net *net, PlaneEngine *engine) {
    const Stage stage = small_stage(engine, 1);
    return step_live(net, &stage);
}

static bool step_small(Net *net, PlaneEngine *engine, unsigned live) {
    const Stage stage = small_stage(engine, live);
    return step_live(net, &stage);
}

static bool step_any(Net *net, PlaneEngine *engine, unsigned live) {
    const Stage stage = any_stage(engine, live);
    return step_live(net, &stage);
}

bool PLANE_STEP(Net *net, void *state) {
    PlaneEngine *engine = state;
    unsigned live = 0;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (has_messages(net, priority)) {
            live |= 1u << priority;
            engine->sets_clear[priority] = false;
        } else if (!engine->sets_clear[priority]) {
            clear_sets(net, engine, priority);
        }
    }
    net->progressed = false;
    if (!live)
        return false;
    engine->yielding = net_yielding(net);
    engine->urgent = net_first_priority(net);
    if (!engine->small || !is_standard(engine))
        return step_any(net, engine, live);
    return live == 1 ? step_alone(net, engine) : step_small(net, engine, live);
}

/* Most messages that are offered words are in a buffer with credit left, or may not
 * start yet. The others are found first, without branches, which would be
 * unpredictable: those of a buffer that waits for words, and those that may start in a
 * buffer that waits for that. */
void PLANE_CHANGED(Net *net, void *state, uint32_t *messages, uint32_t count) {
    PlaneEngine *engine = state;
    NetMessage *const records = net->messages;
    const uint8_t *const waits = engine->waits;
    const uint32_t start_words = net->start_words;
    uint32_t needy = 0;
    for (uint32_t i = 0; i < count; i++) {
        NetMessage *message = &records[messages[i]];
        const uint32_t end = message->source * NET_PRIORITIES + message->priority;
        net_message_show(message);
        const unsigned can_start =
            message->closed | (1 + message->words_offered >= start_words);
        messages[needy] = end;
        needy += (waits[end] + can_start) / PLANE_WAITS_FOR_WORDS;
    }
    for (uint32_t i = 0; i < needy; i++)
        if (engine->waits[messages[i]] != PLANE_HAS_CREDIT)
            refill(net, engine, engine->stride, messages[i] % NET_PRIORITIES,
                   messages[i] / NET_PRIORITIES);
}

#endif
