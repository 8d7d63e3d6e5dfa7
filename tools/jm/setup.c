#include "tools/jm/setup.h"

#include <inttypes.h>
#include <stdio.h>

#include "emu/core/suggest.h"
#include "tools/jm/program.h"

static bool unknown_symbol(const JmMachine *machine, const char *option,
                           const char *name, JmError *error) {
    Suggestion suggestion = suggest_start(name);
    for (unsigned i = 0; jm_symbol_name(machine, i); i++)
        suggest_consider(&suggestion, jm_symbol_name(machine, i));
    return jm_fail(error, "jm run", "%s: the program has no word named '%s'%s%s%s",
                   option, name, suggestion.best ? "; did you mean '" : "",
                   suggestion.best ? suggestion.best : "", suggestion.best ? "'?" : "");
}

static bool set_word(JmMachine *machine, const char *option, const char *name,
                     JmWord value, JmError *error) {
    uint32_t address;
    if (!jm_symbol_word(machine, name, &address))
        return unknown_symbol(machine, option, name, error);
    jm_write_all(machine, address, value);
    return true;
}

/* The overflow handler tells its states apart in queues of 16 to 512 words (thesis
 * 4.1.1); the machine takes more and less. */
static void warn_about_queue(const RunOptions *options, unsigned priority) {
    const uint32_t words = options->queue_words[priority];
    if (!options->quiet && words && (words < 16 || words > 512))
        fprintf(stderr,
                "jm run: warning: the overflow handler cannot work with a queue of "
                "%" PRIu32 " words; it needs 16 to 512\n",
                words);
}

static bool set_queues(JmMachine *machine, const RunOptions *options, JmError *error) {
    static const char *const name[2] = {"--queue", "--queue1"};
    static const char *const symbol[2] = {"kernel_queue0", "kernel_queue1"};
    for (unsigned priority = 0; priority < 2; priority++) {
        const uint32_t words = options->queue_words[priority];
        if (words && !set_word(machine, name[priority], symbol[priority],
                               jm_int((int32_t)words), error))
            return false;
        warn_about_queue(options, priority);
    }
    return true;
}

static bool set_symbols(JmMachine *machine, const RunOptions *options, JmError *error) {
    for (unsigned i = 0; i < options->set_count; i++) {
        const SetRequest *set = &options->sets[i];
        if (!set_word(machine, "--set", set->symbol, set->value, error))
            return false;
    }
    return true;
}

static JmMachine *restore(const RunOptions *o, JmError *error) {
    JmMachine *machine = jm_load_saved(o->restore, o->config.engine, error);
    if (machine && options_agree(o, jm_config(machine), error))
        return machine;
    jm_destroy(machine);
    return NULL;
}

static JmMachine *start(const RunOptions *o, JmError *error) {
    JmMachine *machine = jm_create(&o->config, error);
    if (machine && program_load(machine, o->program, o->bare, o->quiet, error) &&
        set_queues(machine, o, error) && set_symbols(machine, o, error))
        return machine;
    jm_destroy(machine);
    return NULL;
}

JmMachine *setup_machine(const RunOptions *o, JmError *error) {
    JmMachine *machine = o->restore ? restore(o, error) : start(o, error);
    if (!machine)
        return NULL;
    jm_set_threads(machine, o->threads);
    jm_set_raw_output(machine, o->raw_output);
    return machine;
}
