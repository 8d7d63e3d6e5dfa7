/* With marks, brake, spilling or returns on, results depend neither on how a machine is
 * run nor on the engine, nor on threads, nor on a save in the middle. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emu/rig.h"

enum { CYCLES = 6006, SLICE = 7, CHOICES = 7 };

/* Messages that hop for ever: a task waits a while and sends its message on, to a node
 * of the first 4x4x2 drawn at random. Three from each node; no queue can get full. */
static const char hopping[] = "        .vectors\n"
                              "        .org 0x43\n"
                              "        .ip again, U\n"
                              "        .org 0x48\n"
                              "        .ip again, U\n"
                              "        .org 0x63\n"
                              "        .ip again, U\n"
                              "        .org 0x68\n"
                              "        .ip again, U\n"
                              "        .rom\n"
                              "        .org 0x1000\n"
                              "        queues 511, 511\n"
                              "        peek 0xFFF0F,r3\n"
                              "        poke r3,seed\n"
                              "        .rept 3\n"
                              "        peek seed,r3\n"
                              "        move nnr,r1\n"
                              "        .msg hop,7,U\n"
                              "        send2 r1,r0,0\n"
                              "        send2 r3,r2,0\n"
                              "        send2 r3,r2,0\n"
                              "        send2e r3,r2,0\n"
                              "        .endr\n"
                              "        rest\n"
                              "        .text\n"
                              "again:  retry\n"
                              "hop:    peek seed,r3\n"
                              "        .word INT:0x343FD\n"
                              "        mul r3,r0,r3\n"
                              "        .word INT:0x269EC3\n"
                              "        add r3,r0,r3\n"
                              "        poke r3,seed\n"
                              "        and r3,15,r2\n"
                              "        or r2,1,r2\n"
                              "pause:  sub r2,1,r2\n"
                              "        bnz r2,^pause\n"
                              "        lsh r3,-9,r2\n"
                              "        .word INT:0x463\n"
                              "        and r2,r0,r1\n"
                              "        .msg hop,7,U\n"
                              "        send2 r1,r0,0\n"
                              "        send2 r3,r2,0\n"
                              "        send2 r3,r2,0\n"
                              "        send2e r3,r2,0\n"
                              "        move [6,a3],r1\n"
                              "        suspend\n"
                              "        .data\n"
                              "seed:   .word INT:0\n";

/* As `hopping`, with queues of 32 words at priority 0 where messages come back. */
static Rig *rig_hopping(const JmConfig *config) {
    char source[sizeof hopping];
    memcpy(source, hopping, sizeof hopping);
    if (config->interface.rts)
        memcpy(strstr(source, "511"), " 31", 3);
    return rig_open_with(config, source);
}

static JmConfig config_of(unsigned choice) {
    static const struct {
        const char *name;
        uint64_t value[CHOICES];
    } settings[] = {{"hwm_mark", {8, 16, 0, 0, 0, 0, 0}},
                    {"escape_mark", {4, 4, 0, 4, 0, 0, 4}},
                    {"brake_mark", {40, 24, 0, 0, 0, 0, 40}},
                    {"brake_ring", {0, 0, 0, 0, 0, 0, 1}},
                    {"open_words", {0, 3, 0, 0, 0, 4, 4}},
                    {"brake_patience", {150, 5000, 1, 1, 1, 1, 5000}},
                    {"send_faults", {0, 1, 0, 1, 0, 1, 0}},
                    {"spill_mark", {0, 0, 12, 16, 0, 0, 16}},
                    {"spill_cycles", {5, 5, 5, 0, 5, 5, 5}},
                    {"rts", {0, 0, 0, 0, 1, 1, 0}},
                    {"rts_window", {4, 4, 4, 4, 64, 16, 4}},
                    {"rts_ack_words", {1, 1, 1, 1, 1, 3, 1}},
                    {"rts_backoff", {0, 0, 0, 0, 0, 50, 0}}};
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = 4;
    config.size_z = 2;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        cr_assert(
            jm_config_set(&config, settings[i].name, settings[i].value[choice], NULL));
    return config;
}

static void expect_same(const JmMachine *a, const JmMachine *b, const char *what) {
    JmNetworkStatistics m, n;
    for (unsigned i = 0; i < jm_node_count(a); i++) {
        JmNodeStatistics s, t;
        jm_node_statistics(a, i, &s);
        jm_node_statistics(b, i, &t);
        cr_assert_eq(memcmp(&s, &t, sizeof s), 0, "%s: node %u", what, i);
    }
    jm_network_statistics(a, &m);
    jm_network_statistics(b, &n);
    cr_assert_eq(memcmp(&m, &n, sizeof m), 0, "%s: network", what);
}

static bool look(void *context, const JmEvent *event) {
    (void)context, (void)event;
    return false;
}

static void run_observed(JmMachine *machine) {
    cr_assert(jm_observe(machine, 1 << JM_EVENT_SEND, look, NULL));
    jm_run(machine, CYCLES);
}

static void run_in_slices(JmMachine *machine) {
    while (jm_now(machine) < CYCLES)
        jm_run(machine, jm_now(machine) + SLICE);
}

/* Goes back after a quarter, on another machine's time. */
static void run_restored(JmMachine *machine) {
    jm_run(machine, CYCLES / 4);
    JmCheckpoint *checkpoint = jm_checkpoint(machine);
    jm_run(machine, CYCLES / 2);
    cr_assert(jm_restore(machine, checkpoint));
    jm_checkpoint_free(checkpoint);
    jm_run(machine, CYCLES);
}

Test(emu_interface_modes, every_way_to_run) {
    static const struct {
        const char *name, *engine;
        void (*run)(JmMachine *machine);
    } ways[] = {{"observed", "auto", run_observed},
                {"slices", "auto", run_in_slices},
                {"restored", "auto", run_restored},
                {"graph", "graph", run_in_slices}};
    for (unsigned choice = 0; choice < CHOICES; choice++) {
        JmConfig config = config_of(choice);
        Rig *plain = rig_hopping(&config);
        jm_run(plain->machine, CYCLES);
        uint64_t marked = 0, escaped = 0, braked = 0, spilled = 0, back = 0;
        for (unsigned i = 0; i < jm_node_count(plain->machine); i++) {
            const JmNodeStatistics s = rig_statistics(plain, i);
            marked += s.marked, escaped += s.escaped, braked += s.brake_cycles;
            spilled += s.spilled, back += s.returns_in;
        }
        cr_assert(choice < 2    ? marked && escaped && braked
                  : choice < 4  ? spilled
                  : choice == 6 ? spilled && braked && escaped
                                : back,
                  "%u", choice);
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
            config.engine = ways[w].engine;
            Rig *rig = rig_hopping(&config);
            ways[w].run(rig->machine);
            expect_same(plain->machine, rig->machine, ways[w].name);
            rig_close(rig);
        }
        rig_close(plain);
    }
}

/* A save file goes on to the same end in a new machine. */
static void save_in_the_middle(unsigned choice) {
    char path[] = "/tmp/jm-interface-XXXXXX";
    const JmConfig config = config_of(choice);
    Rig *rig = rig_hopping(&config);
    JmError error;
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    jm_run(rig->machine, CYCLES / 3);
    cr_assert(jm_save(rig->machine, path, &error), "%s", error.text);
    JmMachine *loaded = jm_load_saved(path, "auto", &error);
    cr_assert_not_null(loaded, "%s", error.text);
    jm_run(rig->machine, CYCLES);
    jm_run(loaded, CYCLES);
    expect_same(rig->machine, loaded, "saved");
    jm_destroy(loaded);
    rig_close(rig);
    remove(path);
}

Test(emu_interface_modes, saved_in_the_middle) {
    for (unsigned choice = 0; choice < CHOICES; choice++)
        save_in_the_middle(choice);
}

/* What a save file of the machine holds; the file is gone again. */
static char *saved_bytes(JmMachine *machine, size_t *size) {
    char path[] = "/tmp/jm-interface-XXXXXX";
    JmError error;
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert(jm_save(machine, path, &error), "%s", error.text);
    FILE *in = fopen(path, "rb");
    cr_assert_not_null(in);
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    char *bytes = malloc(*size);
    cr_assert_eq(fread(bytes, 1, *size, in), *size);
    fclose(in);
    remove(path);
    return bytes;
}

static void expect_same_file(JmMachine *a, JmMachine *b) {
    size_t size, other;
    char *bytes = saved_bytes(a, &size), *others = saved_bytes(b, &other);
    cr_assert_eq(size, other);
    cr_expect_eq(memcmp(bytes, others, size), 0, "saved machines differ");
    free(bytes);
    free(others);
}

static void use_threads(unsigned choice) {
    JmConfig config = config_of(choice);
    config.size_x = config.size_y = 32;
    config.size_z = 4;
    Rig *one = rig_hopping(&config), *two = rig_hopping(&config);
    jm_set_threads(two->machine, 2);
    jm_run(one->machine, CYCLES / 8);
    jm_run(two->machine, CYCLES / 8);
    expect_same(one->machine, two->machine, "threads");
    expect_same_file(one->machine, two->machine);
    rig_close(two);
    rig_close(one);
}

Test(emu_interface_modes, threads) {
    use_threads(0);
    use_threads(2);
    use_threads(5);
    use_threads(6);
}
