/* The debugger with every request for memory failing. */
#define _GNU_SOURCE /* memmem() */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/debug/debug.h"
#include "tests/emu/rig.h"
#include "tests/memory/failing.h"

/* A session: what is looked at, stops of all kinds, ways back, changes, files. */
static const char *const looks[] = {
    "node 3",
    "registers all",
    "where all",
    "x 0x400 8",
    "disassemble count",
    "backtrace",
    "channels",
    "messages",
    "queue all",
    "wires",
    "statistics",
    "picture queue",
    "info time",
    "symbols",
    "help break",
    "print [total] + 3 * (2 - 1)",
};
static const char *const stops[] = {
    "break count if [total] > 2",
    "watch total on all if $cycle > 100",
    "catch suspend after 3",
    "display [total]",
    "commands",
    "echo here",
    "continue",
    "end",
    "alias goon continue",
    "continue",
    "goon",
    "until [total] > 30",
    "info stops",
    "delete",
};
static const char *const ways[] = {
    "run 300",      "reverse-step 3",   "node 0", "break count",
    "run 500",      "reverse-continue", "delete", "who wrote total",
    "history task", "goto 40",          "task",   "why blocked",
    "goto 2600",
};
static const char *const changes[] = {
    "run 300",
    "set $v = 7",
    "set [0x4000] = $v",
    "set total = 5",
    "inject 1 0 MSG(quick,3) 1 2",
    "block wire 1 -x",
    "unblock wire 1 -x",
    "post INTERRUPT 1",
    "step",
    "option echo on",
    "source /dev/null",
    "record lines",
    "trace events kinds send,suspend",
    "run 200",
    "trace off",
    "record off",
    "save saved",
};

static struct {
    unsigned char *elf;
    size_t size;
    char folder[32];
    JmMachine *model;
    JmCheckpoint *checkpoint; /* of it */
    JmMachine *machine;       /* that is debugged */
    const char *const *lines;
    size_t count;
    bool told; /* lack of memory has been reported */
} made;

/* In a folder of its own, for the files of the session. */
static void make_machine(void) {
    JmError error = {.text = ""};
    strcpy(made.folder, "/tmp/memory.XXXXXX");
    cr_assert(mkdtemp(made.folder) && chdir(made.folder) == 0);
    Rig *rig = rig_open(1, 1, 1, rig_traffic);
    made.elf = asm_object_bytes(rig->image, "traffic", &made.size, &error);
    rig_close(rig);
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = 2;
    made.model = jm_create(&config, &error);
    cr_assert(
        jm_load_elf(made.model, made.elf, made.size, "traffic", JM_ALL_NODES, &error));
    made.checkpoint = jm_checkpoint(made.model);
}

static void end_machine(void) {
    static const char *const files[] = {"lines", "events", "saved"};
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
        unlink(files[i]);
    cr_expect_eq(rmdir(made.folder), 0, "files are left in %s", made.folder);
    jm_checkpoint_free(made.checkpoint);
    jm_destroy(made.model);
    free(made.elf);
}

static void see(void *context, const char *text, size_t length) {
    (void)context;
    made.told |= memmem(text, length, "memory", 6) != NULL ||
                 memmem(text, length, "allocate", 8) != NULL;
}

/* Executes the lines. A line that fails has reported lack of memory; then the session
 * has ended, or continues. */
static bool do_lines(JmDebug *debug) {
    int status;
    for (size_t i = 0; i < made.count; i++) {
        const bool done = jm_debug_do(debug, made.lines[i]);
        cr_expect(done || made.told, "%s", made.lines[i]);
        if (jm_debug_starved(debug)) {
            cr_expect_not(done);
            cr_expect(jm_debug_has_quit(debug, &status));
            cr_expect_not(jm_debug_do(debug, "echo on"));
            cr_expect_str_eq(jm_debug_prompt(debug), "");
            cr_expect_eq(jm_run(made.machine, UINT64_MAX), JM_STOP_MEMORY);
        }
        if (made.told)
            return false;
    }
    return true;
}

/* NULL if there is no memory. */
static JmDebug *begin(const JmDebugHost *host) {
    made.machine = jm_create(jm_config(made.model), NULL);
    if (!made.machine || !jm_restore(made.machine, made.checkpoint))
        return NULL;
    return jm_debug_create(made.machine, host);
}

static bool work_session(void) {
    const JmDebugHost host = {.write = see, .guest = see};
    made.told = false;
    JmDebug *debug = begin(&host);
    const bool well = debug && do_lines(debug) && strlen(jm_debug_prompt(debug)) > 0;
    jm_debug_destroy(debug);
    jm_destroy(made.machine);
    return well && !made.told;
}

#define SESSION(name, least)                                                           \
    Test(memory, debugger_##name, .init = make_machine, .fini = end_machine) {         \
        made.lines = name;                                                             \
        made.count = sizeof name / sizeof name[0];                                     \
        cr_expect_gt(failing_everywhere(work_session), least);                         \
    }

SESSION(looks, 40)
SESSION(stops, 40)
SESSION(ways, 40)
SESSION(changes, 40)

/* A completion is there or not; the session goes on. */
static bool work_complete(void) {
    const JmDebugHost host = {.write = see, .guest = see};
    JmDebug *debug = begin(&host);
    char *found = debug ? jm_debug_complete(debug, "rev", 0, 0) : NULL;
    const bool well = found && jm_debug_do(debug, "");
    cr_expect(!found || well || jm_debug_starved(debug));
    free(found);
    jm_debug_destroy(debug);
    jm_destroy(made.machine);
    return well;
}

FAILING(work_complete, 10, completion, .init = make_machine, .fini = end_machine)
