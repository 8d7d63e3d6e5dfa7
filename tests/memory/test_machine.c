/* The machine with every request for memory failing. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/emu/jam.h"
#include "tests/emu/rig.h"
#include "tests/memory/failing.h"

/* A node alone writes words to many pages, on chip and off, and says so to the host. */
static const char writer[] = "        .rom\n"
                             "        .org 0x1000\n"
                             "        move 0,r1\n"
                             "        .word INT:0x100\n"
                             "        move r0,r2\n"
                             "loop:   move r1,[r2,a0]\n"
                             "        poke r1, HOST_MARK\n"
                             "        .word INT:120\n"
                             "        move r0,r3\n"
                             "        poke r3, HOST_PUTC\n"
                             "        .word INT:0x1240\n"
                             "        add r2,r0,r2\n"
                             "        add r1,1,r1\n"
                             "        .word INT:70\n"
                             "        lt r1,r0,r3\n"
                             "        bt r3,^loop\n"
                             "        poke r1, HOST_EXIT\n"
                             "        rest\n";
enum { WRITES = 70, CYCLES = 2500 };

/* The input of the work of a test: a global, because work has no argument. */
static struct {
    unsigned char *elf;
    size_t size;
    unsigned side;
    const char *engine;
    JmMachine *machine;       /* some cycles into the run */
    JmCheckpoint *checkpoint; /* of it */
    char path[32];            /* and in a file */
    uint64_t end;             /* sum of its state after CYCLES more */
} made;

static void make_program(const char *source) {
    JmError error = {.text = ""};
    Rig *rig = rig_open(1, 1, 1, source);
    made.elf = asm_object_bytes(rig->image, "program", &made.size, &error);
    cr_assert_not_null(made.elf, "%s", error.text);
    rig_close(rig);
}

static JmMachine *create(JmError *error) {
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = made.side;
    config.engine = made.engine;
    return jm_create(&config, error);
}

/* The program into a machine, if there is one. */
static bool load(JmMachine *machine, int node, JmError *error) {
    return machine && jm_load_elf(machine, made.elf, made.size, "program", node, error);
}

static void see_row(void *context, const char *row) {
    if (strstr(row, "memory"))
        *(bool *)context = true;
}

/* A run that has ended for want of memory says so, is not saved, goes no further. */
static void expect_starved(JmMachine *machine, uint64_t until) {
    bool said = false;
    const uint64_t now = jm_now(machine);
    cr_expect_leq(now, until);
    jm_explain(machine, see_row, &said);
    cr_expect(said);
    cr_expect_null(jm_checkpoint(machine));
    cr_expect_eq(jm_run(machine, until), JM_STOP_MEMORY);
    cr_expect_eq(jm_now(machine), now);
}

static uint64_t mixed(uint64_t sum, uint64_t value) {
    return (sum ^ value) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Of registers, memory and statistics, without asking for memory. */
static uint64_t sum_of(const JmMachine *machine) {
    uint64_t sum = jm_now(machine);
    for (unsigned node = 0; node < jm_node_count(machine); node++) {
        JmNodeStatistics statistics;
        jm_node_statistics(machine, node, &statistics);
        sum = mixed(sum, statistics.instructions);
        sum = mixed(sum, statistics.words_in[0]);
        for (uint32_t address = 0; address < 0x1200; address++)
            sum = mixed(sum, jm_read(machine, node, address).bits);
    }
    return sum;
}

/* ---- load and run ---------------------------------------------------------------- */

static void count_bytes(void *context, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        *(unsigned *)context += bytes[i] == 'x';
}

static bool work_write(void) {
    JmError error = {.text = ""};
    JmMachine *machine = create(&error);
    unsigned written = 0;
    size_t marks = 0;
    if (!failing_told(load(machine, 0, &error), &error)) {
        jm_destroy(machine);
        return false;
    }
    jm_set_output(machine, count_bytes, &written);
    const uint64_t limit = 100000;
    const JmStop stop = jm_run(machine, limit);
    jm_marks(machine, &marks);
    if (stop == JM_STOP_EXIT) {
        cr_expect_eq(marks, WRITES);
        cr_expect_eq(written, WRITES);
        cr_expect_eq(jm_exit_value(machine), WRITES);
    } else {
        cr_expect_eq(stop, JM_STOP_MEMORY);
        cr_expect_leq(marks, WRITES);
        expect_starved(machine, limit);
    }
    jm_destroy(machine);
    return stop == JM_STOP_EXIT;
}

Test(memory, a_node_alone) {
    make_program(writer);
    made.engine = "auto";
    made.side = 1;
    cr_expect_gt(failing_everywhere(work_write), 80);
    free(made.elf);
}

static bool see_event(void *context, const JmEvent *event) {
    *(uint64_t *)context += event->kind + 1u;
    return false;
}

/* Many nodes that send, with an observer of flits too, as traces have. */
static bool work_traffic(void) {
    JmError error = {.text = ""};
    JmMachine *machine = create(&error);
    uint64_t seen = 0;
    if (!failing_told(load(machine, JM_ALL_NODES, &error), &error)) {
        jm_destroy(machine);
        return false;
    }
    bool well = jm_run(machine, CYCLES) == JM_STOP_NONE;
    const bool flits = strcmp(made.engine, "graph") == 0;
    jm_observe(machine, UINT32_MAX & ~(flits ? 0u : 1u << JM_EVENT_FLIT), see_event,
               &seen);
    if (!well) {
        expect_starved(machine, CYCLES);
    } else if (jm_run(machine, 2 * CYCLES) == JM_STOP_NONE) {
        cr_expect_gt(seen, CYCLES);
    } else {
        well = false;
        expect_starved(machine, 2 * CYCLES);
    }
    jm_destroy(machine);
    return well;
}

Test(memory, many_nodes) {
    make_program(rig_traffic);
    made.side = 2;
    made.engine = "graph";
    cr_expect_gt(failing_everywhere(work_traffic), 100);
    made.engine = "plane";
    cr_expect_gt(failing_everywhere(work_traffic), 100);
    free(made.elf);
}

static bool work_text(void) {
    static const char text[] = "* 00100 100000001\n1 02345 100000002\n7 fffef 4\n";
    JmError error = {.text = ""};
    JmMachine *machine = create(&error);
    const bool well =
        machine && jm_load_text(machine, text, sizeof text - 1, "text", &error);
    if (well)
        cr_expect_eq(jm_read(machine, 7, 0xFFFEF).bits, 4);
    jm_destroy(machine);
    return failing_told(well, &error);
}

Test(memory, text_images) {
    made.side = 2;
    made.engine = "graph";
    cr_expect_gt(failing_everywhere(work_text), 40);
}

/* ---- checkpoints ----------------------------------------------------------------- */

static void run_traffic(void) {
    JmError error = {.text = ""};
    make_program(rig_traffic);
    made.side = 2;
    made.engine = "plane";
    made.machine = create(&error);
    cr_assert(load(made.machine, JM_ALL_NODES, &error));
    jm_run(made.machine, CYCLES);
    made.checkpoint = jm_checkpoint(made.machine);
    strcpy(made.path, "/tmp/memory.XXXXXX");
    close(mkstemp(made.path));
    cr_assert(jm_save(made.machine, made.path, &error), "%s", error.text);
    jm_run(made.machine, 2 * CYCLES);
    made.end = sum_of(made.machine);
    cr_assert(jm_restore(made.machine, made.checkpoint));
}

static void end_traffic(void) {
    jm_checkpoint_free(made.checkpoint);
    jm_destroy(made.machine);
    unlink(made.path);
    free(made.elf);
}

/* Taking a checkpoint, or failing to, leaves the machine as it was. */
static bool work_checkpoint(void) {
    JmCheckpoint *checkpoint = jm_checkpoint(made.machine);
    const bool well = checkpoint != NULL;
    jm_checkpoint_free(checkpoint);
    return well;
}

Test(memory, taking_checkpoints, .init = run_traffic, .fini = end_traffic) {
    cr_expect_gt(failing_everywhere(work_checkpoint), 6);
    cr_expect_eq(jm_run(made.machine, 2 * CYCLES), JM_STOP_NONE);
    cr_expect_eq(sum_of(made.machine), made.end);
}

/* A machine that could not be restored runs no more until it is. */
static bool work_restore(void) {
    JmMachine *machine = create(NULL);
    bool well = load(machine, 3, NULL);
    if (!well) {
        jm_destroy(machine);
        return false;
    }
    const bool ran = jm_run(machine, 100) == JM_STOP_NONE;
    well = jm_restore(machine, made.checkpoint);
    if (!well)
        cr_expect_eq(jm_run(machine, 2 * CYCLES), JM_STOP_MEMORY);
    if (!well && jm_restore(machine, made.checkpoint)) {
        cr_expect_eq(jm_run(machine, CYCLES), JM_STOP_NONE);
        if (jm_run(machine, 2 * CYCLES) == JM_STOP_NONE)
            cr_expect_eq(sum_of(machine), made.end);
    } else if (well) {
        well = jm_run(machine, 2 * CYCLES) == JM_STOP_NONE;
        cr_expect(!well || sum_of(machine) == made.end);
    }
    jm_destroy(machine);
    return ran && well;
}

Test(memory, restoring, .init = run_traffic, .fini = end_traffic) {
    made.engine = "graph";
    cr_expect_gt(failing_everywhere(work_restore), 100);
}

enum { OFTEN_CYCLES = 1000 };

/* A machine that is restored and runs again and again keeps no more memory than the
 * first time. */
static void restore_often(const char *what, const Setting *settings) {
    static const char text[] = "0 0FFF0 4\n";
    JmConfig config = jm_config_default();
    unsigned live = 0;
    config.size_x = 4;
    config.size_y = 2;
    config.size_z = 1;
    rig_configure(&config, settings);
    Rig *rig = jam_open(&config);
    cr_assert(jm_load_text(rig->machine, text, sizeof text - 1, "text", NULL));
    jm_run(rig->machine, OFTEN_CYCLES);
    JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
    for (int i = 0; i < 4; i++) {
        cr_assert(jm_restore(rig->machine, checkpoint));
        cr_assert_neq(jm_run(rig->machine, OFTEN_CYCLES + 200), JM_STOP_MEMORY);
        live = i == 0 ? failing_live() : live;
        cr_expect_eq(failing_live(), live, "%s: %u blocks, then %u", what, live,
                     failing_live());
    }
    jm_checkpoint_free(checkpoint);
    rig_close(rig);
}

static bool work_often(void) {
    restore_often("as built", SETTINGS({NULL, 0}));
    restore_often("rts", SETTINGS({"rts", 1}, {"rts_backoff", 100}));
    restore_often("spill", SETTINGS({"spill_mark", 4}));
    return true;
}

Test(memory, restoring_often) {
    failing_nowhere(work_often);
}

static bool work_save(void) {
    JmError error = {.text = ""};
    return failing_told(jm_save(made.machine, made.path, &error), &error);
}

static bool work_load(void) {
    JmError error = {.text = ""};
    JmMachine *machine = jm_load_saved(made.path, made.engine, &error);
    jm_destroy(machine);
    return failing_told(machine, &error);
}

/* The saved file is whole whatever happens. */
Test(memory, saved_machines, .init = run_traffic, .fini = end_traffic) {
    cr_expect_gt(failing_everywhere(work_save), 12);
    cr_expect_gt(failing_everywhere(work_load), 80);
    JmMachine *machine = jm_load_saved(made.path, "auto", NULL);
    cr_assert_not_null(machine);
    cr_expect_eq(jm_run(machine, 2 * CYCLES), JM_STOP_NONE);
    cr_expect_eq(sum_of(machine), made.end);
    jm_destroy(machine);
}

/* ---- explanations ---------------------------------------------------------------- */

/* Two nodes stop each other's messages; the report names what it has no memory for. */
static bool work_explain(void) {
    bool lost = false;
    jm_explain(made.machine, see_row, &lost);
    jm_explain_chain(made.machine, see_row, &lost);
    return !lost;
}

Test(memory, explanations) {
    JmError error = {.text = ""};
    make_program("        .rom\n"
                 "        .org 0x1000\n"
                 "        .word INT:1\n"
                 "        send r0,0\n"
                 "        rest\n");
    made.side = 2;
    made.engine = "graph";
    made.machine = create(&error);
    cr_assert(load(made.machine, 0, &error));
    cr_expect_eq(jm_run(made.machine, 1000000), JM_STOP_DEADLOCK);
    cr_expect_gt(failing_everywhere(work_explain), 3);
    jm_destroy(made.machine);
    free(made.elf);
}

/* ---- threads --------------------------------------------------------------------- */

static bool work_threads(void) {
    JmError error = {.text = ""};
    JmMachine *machine = create(&error);
    for (unsigned threads = 3; threads >= 1; threads--)
        jm_set_threads(machine, threads);
    jm_set_threads(machine, 2);
    jm_destroy(machine);
    return true;
}

Test(memory, threads_chosen_again) {
    made.side = 16; /* large enough for two threads */
    made.engine = "plane";
    failing_nowhere(work_threads);
}
