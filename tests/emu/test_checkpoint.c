/* Checkpoints: continuing from one equals an uninterrupted run, whatever was done to
 * the machine in between, and on whichever machine. States are compared as saved
 * files. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/rng.h"
#include "tests/emu/rig.h"

enum { EXTERNAL = 0x4000 };

static void expect_same(const JmMachine *a, const JmMachine *b) {
    RigFile x = rig_file(a), y = rig_file(b);
    cr_assert(rig_same_file(&x, &y), "%zu and %zu bytes", x.size, y.size);
    free(x.bytes);
    free(y.bytes);
    for (unsigned i = 0; i < jm_node_count(a); i++) {
        JmNodeStatistics s, t;
        jm_node_statistics(a, i, &s);
        jm_node_statistics(b, i, &t);
        cr_assert_eq(memcmp(&s, &t, sizeof s), 0, "node %u", i);
    }
}

static Rig *open_traffic(const char *engine, bool fair) {
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = 3;
    config.engine = engine;
    rig_configure(&config, SETTINGS({"fair", fair}));
    return rig_open_with(&config, rig_traffic);
}

/* A torus with pairs for which both ways around are equally long: one is drawn. */
static Rig *open_torus(void) {
    JmConfig config = jm_config_default();
    JmError error;
    cr_assert(jm_config_topology(&config, "torus=4x2x4,places=2", &error), "%s",
              error.text);
    return rig_open_with(&config, rig_traffic);
}

/* Some way on, with changes from outside. */
static void go_on(Rig *rig, JmRng *rng, int value) {
    jm_set_seed(rig->machine, 1000 + (uint64_t)value);
    rig_go_on(rig, jm_rng_next(rng) % 3000);
    jm_write(rig->machine, 5, 0x100 + (uint32_t)value, jm_int(1));
    jm_write(rig->machine, 5, EXTERNAL, jm_int(value));
    jm_write_all(rig->machine, EXTERNAL + 1, jm_int(value));
}

/* At the start and at random cycles: a checkpoint, some way on and back, twice, with no
 * other checkpoint between. */
static void there_and_back(Rig *straight, Rig *rig, uint64_t seed) {
    JmRng rng = jm_rng(seed);
    jm_write(straight->machine, 5, EXTERNAL, jm_int(-1));
    jm_write(rig->machine, 5, EXTERNAL, jm_int(-1));
    for (unsigned round = 0; round < 12; round++) {
        const uint64_t cycle =
            jm_now(rig->machine) + (round ? jm_rng_next(&rng) % 900 : 0);
        rig_run(straight, cycle, JM_STOP_NONE);
        rig_run(rig, cycle, JM_STOP_NONE);
        JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
        cr_assert_eq(jm_checkpoint_cycle(checkpoint), cycle);
        for (unsigned turn = 0; turn < 2; turn++) {
            go_on(rig, &rng, (int)(2 * round + turn));
            jm_restore(rig->machine, checkpoint);
        }
        jm_checkpoint_free(checkpoint);
        expect_same(rig->machine, straight->machine);
    }
    rig_close(straight);
    rig_close(rig);
}

Test(emu_checkpoint, there_and_back_on_planes_and_on_the_graph) {
    for (unsigned run = 0; run < 4; run++)
        there_and_back(open_traffic("graph", run % 2),
                       open_traffic(run < 2 ? "plane" : "graph", run % 2), run % 2 + 1);
}

Test(emu_checkpoint, there_and_back_on_a_torus) {
    there_and_back(open_torus(), open_torus(), 5);
}

/* Several checkpoints at a time, restored in any order, on machines with another
 * engine. */
Test(emu_checkpoint, many_are_independent) {
    enum { COUNT = 6 };
    Rig *rig = open_traffic("plane", false), *other = open_traffic("graph", false);
    JmCheckpoint *checkpoint[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        rig_run(rig, 700 * (i + 1), JM_STOP_NONE);
        checkpoint[i] = jm_checkpoint(rig->machine);
        cr_expect_gt(jm_checkpoint_bytes(checkpoint[i]), 1000u);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        jm_restore(other->machine, checkpoint[i * 5 % COUNT]);
        rig_run(other, 700 * COUNT, JM_STOP_NONE);
        expect_same(other->machine, rig->machine);
    }
    for (unsigned i = 0; i < COUNT; i++)
        jm_checkpoint_free(checkpoint[i]);
    rig_run(other, 6000, JM_STOP_NONE);
    rig_run(rig, 6000, JM_STOP_NONE);
    expect_same(other->machine, rig->machine);
    rig_close(rig);
    rig_close(other);
}

Test(emu_checkpoint, outlives_its_machine) {
    static const char text[] = "0 0FFF0 4\n";
    Rig *rig = open_traffic("plane", false);
    cr_assert(jm_load_text(rig->machine, text, sizeof text - 1, "its name", NULL));
    rig_run(rig, 500, JM_STOP_NONE);
    JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
    RigFile then = rig_file(rig->machine);
    rig_close(rig);
    rig = open_traffic("graph", false);
    jm_restore(rig->machine, checkpoint);
    RigFile now = rig_file(rig->machine);
    cr_expect(rig_same_file(&then, &now));
    cr_expect_str_eq(jm_program_name(rig->machine), "its name");
    free(then.bytes);
    free(now.bytes);
    jm_checkpoint_free(checkpoint);
    rig_close(rig);
}

/* Observers are not part of the state. Only the graph engine reports flits. */
static bool look(void *context, const JmEvent *event) {
    (void)event;
    ++*(unsigned *)context;
    return false;
}

Test(emu_checkpoint, observers_stay) {
    Rig *rig = open_traffic("graph", false), *straight = open_traffic("plane", false);
    unsigned flits = 0;
    rig_run(rig, 500, JM_STOP_NONE);
    JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
    jm_observe(rig->machine, 1u << JM_EVENT_FLIT, look, &flits);
    rig_run(rig, 900, JM_STOP_NONE);
    const unsigned seen = flits;
    jm_restore(rig->machine, checkpoint);
    rig_run(rig, 900, JM_STOP_NONE);
    cr_assert_gt(seen, 0u);
    cr_assert_eq(flits, 2 * seen);
    jm_observe(rig->machine, 0, NULL, NULL);
    cr_expect_not(jm_observe(straight->machine, UINT32_MAX, look, &flits));
    rig_run(straight, 900, JM_STOP_NONE);
    cr_expect_eq(flits, 2 * seen);
    expect_same(rig->machine, straight->machine);
    jm_checkpoint_free(checkpoint);
    rig_close(rig);
    rig_close(straight);
}

/* Pages that several hold count as shares. */
Test(emu_checkpoint, shares_of_memory) {
    Rig *rig = open_traffic("plane", false);
    rig_run(rig, 2000, JM_STOP_NONE);
    JmCheckpoint *first = jm_checkpoint(rig->machine);
    const size_t alone = jm_checkpoint_bytes(first);
    JmCheckpoint *second = jm_checkpoint(rig->machine);
    cr_expect_lt(jm_checkpoint_bytes(first), alone);
    cr_expect_eq(jm_checkpoint_bytes(first), jm_checkpoint_bytes(second));
    jm_checkpoint_free(second);
    cr_expect_eq(jm_checkpoint_bytes(first), alone);
    rig_run(rig, 4000, JM_STOP_NONE); /* the machine has copied what it wrote to */
    cr_expect_gt(jm_checkpoint_bytes(first), alone);
    jm_checkpoint_free(first);
    rig_close(rig);
}
