/* Restored and loaded machines keep nothing of their former state. Each of several
 * machines is turned into each of the others, is then equal to that one, and continues
 * like it. They differ in everything that is not a parameter: seed, clock, program,
 * begun lines, marks, memory, messages, and how they ended. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emu/rig.h"

enum { FURTHER = 600 };

/* Marks its rank, writes it to a page of external memory of its own, and then a letter
 * now and then, without ever ending its line. */
#define TALK                                                                           \
    "        peek 0xFFF0E,r1\n"                                                        \
    "        poke r1,HOST_MARK\n"                                                      \
    "        .word INT:0x9000\n"                                                       \
    "        mul r1,r0,r2\n"                                                           \
    "        .word INT:0x40000\n"                                                      \
    "        add r2,r0,r2\n"                                                           \
    "        move r1,[r2,a0]\n"                                                        \
    "        move r1,r3\n"                                                             \
    "again:  .word INT:'a'\n"                                                          \
    "        add r1,r0,r2\n"                                                           \
    "        poke r2,HOST_PUTC\n"                                                      \
    "        .word INT:60\n"                                                           \
    "        move r0,r2\n"                                                             \
    "wait:   sub r2,1,r2\n"                                                            \
    "        bnz r2,^wait\n"                                                           \
    "        add r3,1,r3\n"                                                            \
    "        sub r3,12,r2\n"

/* A node that has talked long enough stops, as background has no task, or ends the
 * run. */
static const char talks[] = TALK "        br ^again\n";
static const char stops[] = TALK "        bnz r2,^again\n"
                                 "        suspend\n";
static const char exits[] = TALK "        bnz r2,^again\n"
                                 "        poke r3,HOST_EXIT\n"
                                 "        br ^again\n";

typedef struct {
    const char *name, *source; /* NULL: nothing is loaded */
    uint64_t cycles;
    bool keep_going;
} Past;

static const Past pasts[] = {
    {"new", NULL, 0, false},       {"begins", talks, 3, false},
    {"talks", talks, 700, false},  {"sends", rig_traffic, 900, true},
    {"stops", stops, 1200, false}, {"has stopped nodes", stops, 1300, true},
    {"exits", exits, 1250, true}};
enum { PASTS = sizeof pasts / sizeof pasts[0] };

static const Setting *const settings[] = {
    SETTINGS({"fair", 1}), SETTINGS({"spill_mark", 8}), SETTINGS({"rts", 1}),
    SETTINGS({"brake_mark", 20}, {"hwm_mark", 8}), SETTINGS({"age", 1})};

/* The observable state of a machine. */
typedef struct {
    RigFile file;
    char *explanation, *output;
} Known;

static Known known_of(Rig *rig) {
    const Known known = {rig_file(rig->machine), rig_explanation(rig),
                         strdup(rig->output)};
    rig->output[0] = '\0';
    return known;
}

static void known_free(Known *known) {
    free(known->file.bytes);
    free(known->explanation);
    free(known->output);
}

static void expect_known(Rig *rig, const Known *expected, const char *what,
                         const char *is, const char *was) {
    Known known = known_of(rig);
    cr_expect_str_eq(known.explanation, expected->explanation, "%s of what %s", is,
                     was);
    cr_expect_str_eq(known.output, expected->output, "%s of what %s", is, was);
    cr_expect(rig_same_file(&known.file, &expected->file), "%s of what %s: its file %s",
              is, was, what);
    known_free(&known);
}

static JmConfig config_of(unsigned past, const Setting *set) {
    JmConfig config = jm_config_default();
    config.size_x = 3;
    config.size_y = config.size_z = 2;
    config.seed = past + 3;
    config.clock_hz = 1e6 * (past + 1);
    config.keep_going = pasts[past].keep_going;
    rig_configure(&config, set);
    return config;
}

/* A machine with a past, its program loaded from an image that has its name. */
static Rig *open_past(unsigned past, const Setting *set) {
    const JmConfig config = config_of(past, set);
    if (!pasts[past].source) {
        Rig *rig = calloc(1, sizeof *rig);
        rig->machine = jm_create(&config, NULL);
        rig->output = calloc(1, 1);
        return rig;
    }
    Rig *rig = rig_open_with(&config, pasts[past].source);
    size_t size;
    JmError error;
    void *image = asm_object_bytes(rig->image, pasts[past].name, &size, &error);
    cr_assert(
        jm_load_elf(rig->machine, image, size, pasts[past].name, JM_ALL_NODES, &error),
        "%s", error.text);
    free(image);
    jm_run(rig->machine, pasts[past].cycles);
    rig->output[0] = '\0';
    return rig;
}

/* One of the machines: as it was remembered, and some way on. */
typedef struct {
    Rig *rig;
    JmCheckpoint *checkpoint;
    Known then, later;
} Model;

/* The file of a machine makes one with the same configuration, program and state. */
static void expect_file(const Model *model, const char *name) {
    const JmConfig *a = jm_config(model->rig->machine);
    Rig rig = {.machine = jm_load_saved_memory(
                   model->then.file.bytes, model->then.file.size, name, "graph", NULL),
               .output = calloc(1, 1)};
    cr_assert_not_null(rig.machine, "%s", name);
    const JmConfig *b = jm_config(rig.machine);
    cr_expect_eq(a->clock_hz, b->clock_hz, "%s", name);
    cr_expect_eq(a->seed, b->seed, "%s", name);
    cr_expect_eq(a->host_page, b->host_page, "%s", name);
    cr_expect_eq(a->keep_going, b->keep_going, "%s", name);
    for (unsigned i = 0; jm_parameter(i); i++)
        cr_expect_eq(jm_config_get(a, i), jm_config_get(b, i), "%s: %s", name,
                     jm_parameter(i)->name);
    expect_known(&rig, &model->then, "then", name, "comes from it");
    jm_destroy(rig.machine);
    free(rig.output);
}

static Model model_of(unsigned past, const Setting *set) {
    Model model = {.rig = open_past(past, set)};
    JmMachine *machine = model.rig->machine;
    model.checkpoint = jm_checkpoint(machine);
    model.then = known_of(model.rig);
    jm_run(machine, jm_now(machine) + FURTHER);
    model.later = known_of(model.rig);
    expect_file(&model, pasts[past].name);
    return model;
}

/* A machine that has run some way from `was` is restored to `is` and runs on as `is`
 * did. */
static void become(Rig *rig, const Model *was, const Model *is, unsigned from,
                   unsigned to) {
    JmMachine *machine = rig->machine;
    cr_assert(jm_restore(machine, was->checkpoint));
    jm_run(machine, jm_now(machine) + FURTHER / 2);
    cr_assert(jm_restore(machine, is->checkpoint));
    rig->output[0] = '\0';
    jm_run(machine, jm_now(machine) + FURTHER); /* saving would make pages shared */
    expect_known(rig, &is->later, "later", pasts[to].name, pasts[from].name);
    cr_assert(jm_restore(machine, is->checkpoint));
    expect_known(rig, &is->then, "then", pasts[to].name, pasts[from].name);
}

Test(emu_restored, nothing_is_left_of_what_they_were) {
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        Model model[PASTS];
        for (unsigned i = 0; i < PASTS; i++)
            model[i] = model_of(i, settings[s]);
        Rig *rig = open_past(1, settings[s]);
        for (unsigned k = 0; k < PASTS * PASTS; k++)
            become(rig, &model[k / PASTS], &model[k % PASTS], k / PASTS, k % PASTS);
        for (unsigned i = 0; i < PASTS; i++) {
            rig_close(model[i].rig);
            jm_checkpoint_free(model[i].checkpoint);
            known_free(&model[i].then);
            known_free(&model[i].later);
        }
        rig_close(rig);
    }
}
