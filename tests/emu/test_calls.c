/* Invalid calls of the public interface stop the program, in every function. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/jm.h"

/* Arguments for invalid calls: a machine of two nodes, at rest or in an observer's
 * call, and places for results. */
typedef struct {
    JmMachine *m;
    JmCheckpoint *saved;
    JmConfig config;
    uint32_t value;
    size_t size;
    char text[JM_EVENT_TEXT_MAX];
    const char *file;
    int line;
    unsigned x, y, z;
    JmNodeStatistics statistics;
    JmNetworkStatistics network;
    JmError error;
} Rig;

static void row(void *context, const char *text) {
    (void)context, (void)text;
}

static const JmWord wide = {UINT64_C(16) << 32};
enum { NODES = 2, BEYOND = JM_ADDRESS_MASK + 1, NO_CONTEXT = 3 };

/* CALL(function, arguments): an invalid call between two runs. NULL stands for a
 * missing machine. */
#define WRONG_CALLS(CALL)                                                              \
    CALL(jm_config_set, (NULL, "seed", 1, NULL))                                       \
    CALL(jm_config_set, (&r->config, NULL, 1, NULL))                                   \
    CALL(jm_config_topology, (NULL, "torus=2", NULL))                                  \
    CALL(jm_config_topology, (&r->config, NULL, NULL))                                 \
    CALL(jm_config_get, (NULL, 0))                                                     \
    CALL(jm_config_get, (&r->config, 1000))                                            \
    CALL(jm_create, (NULL, NULL))                                                      \
    CALL(jm_config, (NULL))                                                            \
    CALL(jm_set_seed, (NULL, 1))                                                       \
    CALL(jm_node_count, (NULL))                                                        \
    CALL(jm_node_position, (r->m, NODES, &r->x, &r->y, &r->z))                         \
    CALL(jm_node_position, (r->m, 0, &r->x, NULL, &r->z))                              \
    CALL(jm_load_file, (r->m, "/dev/null", NODES, NULL))                               \
    CALL(jm_load_file, (r->m, NULL, 0, NULL))                                          \
    CALL(jm_load_elf, (r->m, "", 0, "x", -2, NULL))                                    \
    CALL(jm_load_elf, (NULL, "", 0, "x", 0, NULL))                                     \
    CALL(jm_load_text, (r->m, NULL, 0, "x", NULL))                                     \
    CALL(jm_program_name, (NULL))                                                      \
    CALL(jm_inputs, (NULL))                                                            \
    CALL(jm_source_name, (NULL, 0))                                                    \
    CALL(jm_source_is_newer, (r->m, NULL))                                             \
    CALL(jm_symbol_places, (r->m, NULL, NULL, 0))                                      \
    CALL(jm_symbol_places, (r->m, "x", NULL, 1))                                       \
    CALL(jm_symbol_places_text, (r->m, "x", r->text, 0))                               \
    CALL(jm_symbol, (r->m, NULL, &r->value))                                           \
    CALL(jm_symbol_word, (r->m, "x", NULL))                                            \
    CALL(jm_symbol_name, (NULL, 0))                                                    \
    CALL(jm_symbol_at, (r->m, BEYOND, r->text, sizeof r->text))                        \
    CALL(jm_symbol_at, (r->m, 0, r->text, 0))                                          \
    CALL(jm_line_at, (r->m, BEYOND, &r->file, &r->line))                               \
    CALL(jm_instruction_line, (r->m, BEYOND, true, &r->file, &r->line))                \
    CALL(jm_stop_name, ((JmStop)(JM_STOP_MEMORY + 1)))                                 \
    CALL(jm_context_name, ((JmContext)NO_CONTEXT))                                     \
    CALL(jm_run, (NULL, 1))                                                            \
    CALL(jm_now, (NULL))                                                               \
    CALL(jm_exit_value, (NULL))                                                        \
    CALL(jm_explain, (r->m, NULL, NULL))                                               \
    CALL(jm_explain_chain, (NULL, row, NULL))                                          \
    CALL(jm_wrong_length, (NULL))                                                      \
    CALL(jm_set_threads, (r->m, 0))                                                    \
    CALL(jm_set_output, (NULL, NULL, NULL))                                            \
    CALL(jm_set_raw_output, (NULL, true))                                              \
    CALL(jm_end_output, (NULL))                                                        \
    CALL(jm_output_bytes, (NULL))                                                      \
    CALL(jm_post, (r->m, NODES, JM_FAULT_INTERRUPT))                                   \
    CALL(jm_post, (r->m, 0, JM_FAULT_TYPE))                                            \
    CALL(jm_register, (r->m, NODES, JM_CONTEXT_0, JM_REG_R0))                          \
    CALL(jm_register, (r->m, 0, (JmContext)NO_CONTEXT, JM_REG_R0))                     \
    CALL(jm_register, (r->m, 0, JM_CONTEXT_0, (JmReg)JM_REG_COUNT))                    \
    CALL(jm_set_register, (r->m, NODES, JM_CONTEXT_0, JM_REG_R0, JM_NIL))              \
    CALL(jm_set_register, (r->m, 0, (JmContext)NO_CONTEXT, JM_REG_R0, JM_NIL))         \
    CALL(jm_set_register, (r->m, 0, JM_CONTEXT_0, (JmReg)JM_REG_COUNT, JM_NIL))        \
    CALL(jm_set_register, (r->m, 0, JM_CONTEXT_0, JM_REG_R0, wide))                    \
    CALL(jm_running, (r->m, NODES))                                                    \
    CALL(jm_task_active, (r->m, NODES, 0))                                             \
    CALL(jm_task_active, (r->m, 0, 2))                                                 \
    CALL(jm_read, (r->m, NODES, 0))                                                    \
    CALL(jm_read, (r->m, 0, BEYOND))                                                   \
    CALL(jm_write, (r->m, NODES, 0, JM_NIL))                                           \
    CALL(jm_write, (r->m, 0, BEYOND, JM_NIL))                                          \
    CALL(jm_write, (r->m, 0, 0, wide))                                                 \
    CALL(jm_write_all, (r->m, BEYOND, JM_NIL))                                         \
    CALL(jm_write_all, (r->m, 0, wide))                                                \
    CALL(jm_is_rom, (BEYOND))                                                          \
    CALL(jm_start, (r->m, NODES))                                                      \
    CALL(jm_node_statistics, (r->m, NODES, &r->statistics))                            \
    CALL(jm_node_statistics, (r->m, 0, NULL))                                          \
    CALL(jm_statistics, (NULL))                                                        \
    CALL(jm_network_statistics, (r->m, NULL))                                          \
    CALL(jm_messages_overtake, (NULL))                                                 \
    CALL(jm_has_link, (r->m, NODES, 0, true))                                          \
    CALL(jm_has_link, (r->m, 0, 3, true))                                              \
    CALL(jm_link_flits, (r->m, NODES, 0, true))                                        \
    CALL(jm_link_flits, (r->m, 0, 3, true))                                            \
    CALL(jm_marks, (r->m, NULL))                                                       \
    CALL(jm_queue_words, (r->m, NODES, 0))                                             \
    CALL(jm_queue_words, (r->m, 0, 2))                                                 \
    CALL(jm_checkpoint, (NULL))                                                        \
    CALL(jm_restore, (r->m, NULL))                                                     \
    CALL(jm_restore, (NULL, r->saved))                                                 \
    CALL(jm_checkpoint_cycle, (NULL))                                                  \
    CALL(jm_checkpoint_bytes, (NULL))                                                  \
    CALL(jm_save, (r->m, NULL, NULL))                                                  \
    CALL(jm_load_saved, (NULL, "auto", NULL))                                          \
    CALL(jm_load_saved_memory, (NULL, 0, "x", "auto", NULL))                           \
    CALL(jm_redirection_name, ((JmRedirection)(JM_BY_ESCAPE + 1)))                     \
    CALL(jm_redirection_text, ((JmRedirection)(JM_BY_ESCAPE + 1)))                     \
    CALL(jm_event_named, (NULL, 4))                                                    \
    CALL(jm_event_text, (NULL, NULL, r->text))                                         \
    CALL(jm_event_text, (r->m, NULL, r->text))                                         \
    CALL(jm_observe, (NULL, 0, NULL, NULL))

/* Calls that are valid between two runs, and invalid from an observer. */
#define CHANGES(CALL)                                                                  \
    CALL(jm_run, (r->m, 100))                                                          \
    CALL(jm_set_seed, (r->m, 2))                                                       \
    CALL(jm_load_file, (r->m, "/dev/null", 0, &r->error))                              \
    CALL(jm_load_elf, (r->m, "", 0, "x", 0, &r->error))                                \
    CALL(jm_load_text, (r->m, "0 1000 0", 8, "x", &r->error))                          \
    CALL(jm_set_threads, (r->m, 2))                                                    \
    CALL(jm_stop_at_marks, (r->m, true))                                               \
    CALL(jm_end_output, (r->m))                                                        \
    CALL(jm_post, (r->m, 0, JM_FAULT_INTERRUPT))                                       \
    CALL(jm_set_register, (r->m, 0, JM_CONTEXT_0, JM_REG_R0, JM_NIL))                  \
    CALL(jm_write, (r->m, 0, 0, JM_NIL))                                               \
    CALL(jm_write_all, (r->m, 0, JM_NIL))                                              \
    CALL(jm_start, (r->m, 1))                                                          \
    CALL(jm_checkpoint, (r->m))                                                        \
    CALL(jm_restore, (r->m, r->saved))                                                 \
    CALL(jm_save, (r->m, "/dev/null", &r->error))                                      \
    CALL(jm_observe, (r->m, 0, NULL, NULL))                                            \
    CALL(jm_destroy, (r->m))

typedef struct {
    const char *function, *arguments;
} Call;

#define ROW(function, arguments) {#function, #arguments},
static const Call wrong[] = {WRONG_CALLS(ROW)}, changes[] = {CHANGES(ROW)};
enum {
    WRONG = sizeof wrong / sizeof *wrong,
    CHANGED = sizeof changes / sizeof *changes
};

/* Makes the call of one row. */
static void call_wrong(Rig *r, unsigned index) {
    unsigned at = 0;
#define MAKE(function, arguments)                                                      \
    if (at++ == index)                                                                 \
        (void)function arguments;
    WRONG_CALLS(MAKE)
}

static void call_change(Rig *r, unsigned index) {
    unsigned at = 0;
    CHANGES(MAKE)
}

/* ---- one call, in a process of its own ------------------------------------------- */

static JmMachine *make(const char *engine) {
    JmConfig config = jm_config_default();
    JmError error;
    config.size_x = NODES;
    config.engine = engine;
    JmMachine *machine = jm_create(&config, &error);
    cr_assert(machine, "%s", error.text);
    cr_assert(jm_load_text(machine, "0 1000 C00000000", 16, "nops", &error));
    return machine;
}

typedef void Caller(Rig *r, unsigned index);

static void between_runs(Caller *call, unsigned index) {
    Rig r = {.m = make("auto"), .config = jm_config_default()};
    r.saved = jm_checkpoint(r.m);
    call(&r, index);
}

typedef struct {
    Rig rig;
    unsigned index;
} Observed;

static bool observe(void *context, const JmEvent *event) {
    Observed *o = context;
    (void)event;
    call_change(&o->rig, o->index);
    return true;
}

static void in_a_run(Caller *call, unsigned index) {
    Observed o = {{.m = make("auto")}, index};
    (void)call;
    o.rig.saved = jm_checkpoint(o.rig.m);
    jm_observe(o.rig.m, 1 << JM_EVENT_INSTRUCTION, observe, &o);
    jm_run(o.rig.m, 10);
}

/* Returns the signal that ended a call; 0: it returned. */
static int signal_of(void (*where)(Caller *, unsigned), Caller *call, unsigned index) {
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        fclose(stderr);
        where(call, index);
        _exit(0);
    }
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

Test(emu_calls, wrong_ones_stop_the_program) {
    for (unsigned i = 0; i < WRONG; i++)
        cr_expect_eq(signal_of(between_runs, call_wrong, i), SIGABRT, "%s%s",
                     wrong[i].function, wrong[i].arguments);
}

Test(emu_calls, an_observer_does_not_change_the_machine) {
    for (unsigned i = 0; i < CHANGED; i++) {
        cr_expect_eq(signal_of(between_runs, call_change, i), 0, "between runs: %s%s",
                     changes[i].function, changes[i].arguments);
        cr_expect_eq(signal_of(in_a_run, call_change, i), SIGABRT,
                     "from an observer: %s%s", changes[i].function,
                     changes[i].arguments);
    }
}

/* ---- the tables have every function ---------------------------------------------- */

static bool has_row(const char *function) {
    /* These take anything. */
    static const char *const any[] = {"jm_version",    "jm_config_default",
                                      "jm_parameter",  "jm_checkpoint_free",
                                      "jm_event_name", "jm_event_kinds"};
    for (size_t i = 0; i < sizeof any / sizeof *any; i++)
        if (strcmp(any[i], function) == 0)
            return true;
    for (unsigned i = 0; i < WRONG; i++)
        if (strcmp(wrong[i].function, function) == 0)
            return true;
    for (unsigned i = 0; i < CHANGED; i++)
        if (strcmp(changes[i].function, function) == 0)
            return true;
    return false;
}

Test(emu_calls, every_public_function_is_called_wrongly) {
    FILE *header = fopen("emu/jm.h", "r");
    cr_assert(header);
    char line[256], name[64];
    unsigned found = 0;
    while (fgets(line, sizeof line, header)) {
        const char *at = line[0] == ' ' || line[0] == '/' ? NULL : strstr(line, "jm_");
        if (!at || sscanf(at, "%63[a-z_](", name) != 1 || at[strlen(name)] != '(')
            continue;
        found++;
        cr_expect(has_row(name), "no wrong call of %s", name);
    }
    fclose(header);
    cr_expect_gt(found, 50);
}

/* ---- what may be NULL ------------------------------------------------------------ */

Test(emu_calls, no_engine_is_auto) {
    char path[] = "/tmp/jm-calls-XXXXXX";
    const int descriptor = mkstemp(path);
    cr_assert(descriptor >= 0);
    JmMachine *machine = make(NULL);
    cr_expect_str_eq(jm_config(machine)->engine, "auto");
    jm_run(machine, 5);
    cr_assert(jm_save(machine, path, NULL));
    JmMachine *loaded = jm_load_saved(path, NULL, NULL);
    cr_assert(loaded);
    cr_expect_eq(jm_now(loaded), 5);
    cr_expect_not(jm_load_saved("/nowhere", NULL, NULL));
    cr_expect_not(jm_config_set(&(JmConfig){0}, "nothing", 0, NULL));
    jm_destroy(loaded);
    jm_destroy(machine);
    close(descriptor);
    unlink(path);
}
