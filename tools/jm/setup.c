/* Makes a machine from options: loads the program, sets words, or restores a saved one.
 */
#include "tools/jm/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "tools/jm/program.h"

/* Reports that a name is not a word of the program, and the nearest one. Returns
 * false. */
static bool unknown_symbol(const JmMachine *machine, const char *option,
                           const char *name, JmError *error) {
    JmSuggestion suggestion = jm_suggest_start(name);
    for (unsigned i = 0; jm_symbol_name(machine, i); i++)
        jm_suggest_consider(&suggestion, jm_symbol_name(machine, i));
    return jm_fail(error, "jm run", "%s: the program has no word named '%s'%s", option,
                   name, jm_suggest_text(&suggestion, "", ""));
}

/* Finds the address of a named word. False and an error, also if several have the
 * name. */
static bool find_word(const JmMachine *machine, const char *option, const char *name,
                      uint32_t *address, JmError *error) {
    JmSymbolPlace place;
    char places[300];
    const unsigned count = jm_symbol_places(machine, name, &place, 1);
    if (count == 0)
        return unknown_symbol(machine, option, name, error);
    if (count > 1)
        return jm_fail(error, "jm run", "%s: '%s' has several places: %s; say FILE:%s",
                       option, name,
                       jm_symbol_places_text(machine, name, places, sizeof places),
                       strrchr(name, ':') ? strrchr(name, ':') + 1 : name);
    *address = place.value;
    return place.word ||
           jm_fail(error, "jm run", "%s: '%s' is a number (%" PRIu32 "), not a word",
                   option, name, place.value);
}

bool setup_is_code(const JmMachine *machine, uint32_t address) {
    const char *file, *next_file;
    int line, next_line;
    const bool known = jm_line_at(machine, address, &file, &line);
    while (jm_tag(jm_read(machine, 0, address)) < JM_TAG_INST0)
        if (!known || !jm_line_at(machine, ++address, &next_file, &next_line) ||
            line != next_line || strcmp(file, next_file) != 0)
            return false;
    return true;
}

/* Sets a named word on all nodes. Code and ROM are rejected, because an accidentally
 * changed program is hard to understand. */
static bool set_word(JmMachine *machine, const char *option, const char *name,
                     JmWord value, JmError *error) {
    uint32_t address;
    if (!find_word(machine, option, name, &address, error))
        return false;
    if (jm_is_rom(address))
        return jm_fail(error, "jm run", "%s: '%s' lies in ROM, at %05" PRIX32, option,
                       name, address);
    if (setup_is_code(machine, address))
        return jm_fail(error, "jm run", "%s: '%s' is code, not data, at %05" PRIX32,
                       option, name, address);
    jm_write_all(machine, address, value);
    return true;
}

/* Warns about a queue size that the kernel's overflow handler does not support: it
 * needs 16 to 512 words (thesis 4.1.1), while the machine takes 8 to 1,024. */
static void warn_about_queue(const RunOptions *options, unsigned priority) {
    const uint32_t words = options->queue_words[priority];
    if (!options->quiet && words && (words < 16 || words > 512))
        fprintf(stderr,
                "%s: warning: the overflow handler cannot work with a queue of "
                "%" PRIu32 " words; it needs 16 to 512\n",
                options->command, words);
}

/* Sets the queue sizes that the kernel reads when it boots. */
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

/* Warns if the place of a dump is read as a hexadecimal number although a symbol has
 * that name. */
static void warn_about_dump(const JmMachine *machine, const DumpRequest *dump) {
    char name[16];
    uint32_t address;
    for (unsigned lower = 0; lower < 2; lower++) {
        snprintf(name, sizeof name, lower ? "%" PRIx32 : "%" PRIX32, dump->address);
        if (jm_symbol_word(machine, name, &address))
            fprintf(stderr,
                    "jm run: warning: --dump takes %s for an address; the symbol is "
                    "%s+0\n",
                    name, name);
        if (strpbrk(name, "ABCDEFabcdef") == NULL)
            break;
    }
}

bool setup_dumps(const JmMachine *machine, RunOptions *options, JmError *error) {
    for (unsigned i = 0; i < options->dump_count; i++) {
        DumpRequest *dump = &options->dumps[i];
        uint32_t address;
        if (dump->node >= jm_node_count(machine))
            return jm_fail(error, "jm run",
                           "--dump: there is no node %" PRIu32
                           "; ranks go from 0 to %u",
                           dump->node, jm_node_count(machine) - 1);
        if (!dump->symbol) {
            if (!options->quiet)
                warn_about_dump(machine, dump);
            continue;
        }
        if (!find_word(machine, "--dump", dump->symbol, &address, error))
            return false;
        dump->address += address;
        if (!options_check_dump(dump, error))
            return false;
    }
    return true;
}

/* Sources are read to quote their lines, possibly after an output has been opened. */
static void add_sources(JmMachine *machine) {
    jm_inputs_add(jm_inputs(machine), jm_program_name(machine));
    for (unsigned i = 0; jm_source_name(machine, i); i++)
        jm_inputs_add(jm_inputs(machine), jm_source_name(machine, i));
}

/* Applies the options that are not part of a configuration. */
static JmMachine *adjust(JmMachine *machine, const RunOptions *o) {
    jm_set_threads(machine, (unsigned)o->threads);
    jm_set_raw_output(machine, o->raw_output);
    return machine;
}

/* Restores a saved machine. NULL and an error, also if options contradict it. */
static JmMachine *restore(const RunOptions *o, JmError *error) {
    JmMachine *machine = jm_load_saved(o->restore, o->config.engine, error);
    if (machine && options_agree(o, jm_config(machine), error)) {
        add_sources(machine);
        return adjust(machine, o);
    }
    jm_destroy(machine);
    return NULL;
}

/* The text of the error begins with the name of a parameter that does not fit. */
JmMachine *setup_create(const RunOptions *o, JmError *error) {
    JmMachine *machine = jm_create(&o->config, error);
    if (machine)
        return adjust(machine, o);
    const JmError found = *error;
    if (*found.file)
        jm_fail(error, "jm run", "%s: %s", found.file, found.text);
    return NULL;
}

bool setup_load(JmMachine *machine, const RunOptions *o, JmError *error) {
    if (!program_load(machine, o->program, o->bare, o->quiet, error) ||
        !set_queues(machine, o, error) || !set_symbols(machine, o, error))
        return false;
    add_sources(machine);
    return true;
}

JmMachine *setup_machine(const RunOptions *o, JmError *error) {
    if (o->restore)
        return restore(o, error);
    JmMachine *machine = setup_create(o, error);
    if (machine && setup_load(machine, o, error))
        return machine;
    jm_destroy(machine);
    return NULL;
}

bool setup_can_start(const JmMachine *machine, const RunOptions *options) {
    enum { WORDS_LOOKED_AT = 16, START = 0x1000 };
    const unsigned words = jm_node_count(machine) * WORDS_LOOKED_AT;
    for (unsigned i = 0; i < words; i++) {
        const uint32_t address = START + i % WORDS_LOOKED_AT;
        if (!jm_same(jm_read(machine, i / WORDS_LOOKED_AT, address), JM_NIL))
            return true;
    }
    return options->restore != NULL;
}
