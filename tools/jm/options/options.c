/* Parses the command line of `jm run` by the rows of options.def. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"
#include "tools/jm/options/options.h"

/* ---- options with a function of their own ---------------------------------------- */

static bool is_named(const OptionRow *row, const char *name) {
    return strcmp(row->name, name) == 0;
}

static bool was_given(const RunOptions *options, const char *name) {
    for (unsigned i = 0; i < options->given_count; i++)
        if (is_named(options->given[i].row, name))
            return true;
    return false;
}

/* Whether a machine can have the sizes that an option gives. */
static bool check_sizes(const char *option, const char *argument, unsigned x,
                        unsigned y, unsigned z, JmError *error) {
    return (x && y && z && x <= JM_MAX_X && y <= JM_MAX_Y && z <= JM_MAX_Z) ||
           jm_fail(error, "jm run", "--%s %s: sizes go from 1x1x1 to %dx%dx%d", option,
                   argument, JM_MAX_X, JM_MAX_Y, JM_MAX_Z);
}

static bool parse_mesh(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    unsigned size[3];
    if (!number_parse_mesh(argument, UINT32_MAX, size) ||
        !check_sizes("mesh", argument, size[0], size[1], size[2], error))
        return false;
    JmConfig *config = &options->config;
    if (*config->topology && (size[0] != config->size_x || size[1] != config->size_y ||
                              size[2] != config->size_z))
        return jm_fail(error, "jm run", "--mesh %s does not fit --topology %s",
                       argument, config->topology);
    config->size_x = size[0];
    config->size_y = size[1];
    config->size_z = size[2];
    return true;
}

static bool parse_router(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    return jm_config_set(&options->config, "fair", strcmp(argument, "fair") == 0,
                         error);
}

/* Returns a copy of the text before '='; NULL if there is no '=' or nothing before it.
 */
static char *name_before_equals(const char *argument) {
    const char *equals = strchr(argument, '=');
    if (!equals || equals == argument)
        return NULL;
    return memory_checked(strndup(argument, (size_t)(equals - argument)));
}

static bool parse_set(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    SetRequest *set = &options->sets[options->set_count];
    set->symbol = name_before_equals(argument);
    if (!set->symbol)
        return false;
    options->set_count++;
    if (number_parse_word(strchr(argument, '=') + 1, &set->value))
        return true;
    return jm_fail(error, "jm run",
                   "--set %s: the value is a number from -2147483648 to 4294967295 or "
                   "TAG:HEX",
                   argument);
}

static void suggest_parameters(JmSuggestion *suggestion) {
    for (unsigned i = 0; jm_parameter(i); i++)
        jm_suggest_consider(suggestion, jm_parameter(i)->name);
}

static bool parse_param(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    char *name = name_before_equals(argument);
    if (!name)
        return false;
    JmError why = {.text = "expected a whole number"};
    uint64_t value = 0;
    const bool whole = number_parse(strchr(argument, '=') + 1, 0, UINT64_MAX, &value);
    const bool good = jm_config_set(&options->config, name, value, &why) && whole;
    free(name);
    return good || jm_fail(error, "jm run", "--param %s: %s", argument, why.text);
}

/* Parses HEXADDR, SYMBOL or SYMBOL+OFFSET. A text that is a hexadecimal number is taken
 * as an address even if there is a symbol of that name. */
static bool parse_dump_place(char *place, DumpRequest *dump) {
    uint64_t address, offset = 0;
    if (number_parse_hex(place, &address)) {
        dump->address = (uint32_t)address;
        return true;
    }
    char *plus = strrchr(place, '+');
    if (plus) {
        *plus = '\0';
        if (!number_parse(plus + 1, 0, JM_ADDRESS_MASK, &offset))
            return false;
    }
    dump->address = (uint32_t)offset;
    dump->symbol = memory_checked(strdup(place));
    return *place != '\0';
}

/* The node is checked later, when the size of the mesh is known, and the symbol when
 * the program is loaded. */
static bool parse_dump(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    uint64_t node, count = 1;
    const char *rest = argument;
    DumpRequest *dump = &options->dumps[options->dump_count++];
    if (!number_take(&rest, ':', UINT32_MAX, &node))
        return false;
    const char *colon = strrchr(rest, ':'); /* PLACE may be FILE:SYMBOL */
    const bool counts = colon && strchr("0123456789+-", colon[1]);
    const size_t length = counts ? (size_t)(colon - rest) : strlen(rest);
    char *place = memory_checked(strndup(rest, length));
    bool good = parse_dump_place(place, dump);
    free(place);
    if (good && rest[length] == ':')
        good = number_parse(rest + length + 1, 1, JM_ADDRESS_MASK + 1, &count);
    if (!good)
        return false;
    dump->node = (uint32_t)node;
    dump->count = (uint32_t)count;
    return dump->symbol || options_check_dump(dump, error);
}

bool options_check_dump(const DumpRequest *dump, JmError *error) {
    if ((uint64_t)dump->address + dump->count <= JM_ADDRESS_MASK + 1)
        return true;
    return jm_fail(error, "jm run",
                   "--dump: %u word%s from %X on: addresses go from 0 to FFFFF",
                   dump->count, dump->count == 1 ? "" : "s", dump->address);
}

static bool parse_sample(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    (void)error;
    const char *rest = argument;
    if (!number_take(&rest, ':', UINT64_MAX, &options->sample_every) ||
        options->sample_every == 0 || !*rest)
        return false;
    options->sample = rest;
    return true;
}

static bool parse_trace_nodes(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    (void)error;
    return trace_filter_nodes(&options->trace_filter, argument,
                              &options->trace_highest);
}

static bool parse_trace_kinds(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    JmSuggestion near;
    if (trace_filter_kinds(argument, &options->trace_filter.kinds, &near))
        return true;
    if (!near.best)
        return false;
    return jm_fail(error, "jm run", "--trace-kinds %s: no such kind%s", argument,
                   jm_suggest_text(&near, "", ""));
}

static bool parse_trace_cycles(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    (void)error;
    JmEventFilter *filter = &options->trace_filter;
    const char *rest = argument;
    return (number_take(&rest, '-', UINT64_MAX, &filter->from) &&
            number_take(&rest, 0, UINT64_MAX, &filter->to) &&
            filter->from < filter->to);
}

/* Keeps the requests sorted by cycle. */
static bool parse_save_at(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    (void)error;
    SaveRequest save = {.path = argument};
    if (!number_take(&save.path, ':', UINT64_MAX, &save.cycle) || !*save.path)
        return false;
    unsigned place = options->save_count++;
    for (; place && options->saves[place - 1].cycle > save.cycle; place--)
        options->saves[place] = options->saves[place - 1];
    options->saves[place] = save;
    return true;
}

/* Parameters that were given before are set again, as the topology has others. */
static bool parse_topology(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    JmConfig *config = &options->config;
    const JmConfig before = *config;
    if (!jm_config_topology(config, argument, error) ||
        !check_sizes("topology", argument, config->size_x, config->size_y,
                     config->size_z, error))
        return false;
    if (was_given(options, "mesh") &&
        (config->size_x != before.size_x || config->size_y != before.size_y ||
         config->size_z != before.size_z))
        return jm_fail(error, "jm run", "--topology %s does not fit --mesh %ux%ux%u",
                       argument, before.size_x, before.size_y, before.size_z);
    for (unsigned i = 0; i < options->given_count; i++) {
        const GivenOption *given = &options->given[i];
        if ((is_named(given->row, "param") &&
             !parse_param(options, given->argument, error)) ||
            (is_named(given->row, "router") &&
             !parse_router(options, given->argument, error)))
            return false;
    }
    return true;
}

static bool parse_help(void *fields, char *argument, JmError *error) {
    RunOptions *options = fields;
    (void)error;
    options->help = true;
    options->help_word = argument;
    return true;
}

#define OPTIONS "tools/jm/options/options.def"
#define OPTION_FIELDS RunOptions
#include "tools/host/option_table.def"

static const OptionSet run_set = {.command = "jm run", OPTION_TABLE};

const OptionRow *options_row(unsigned index) {
    return index < (unsigned)run_set.count ? &option_rows[index] : NULL;
}

/* ---- the whole line -------------------------------------------------------------- */

/* A command line that is being taken. */
typedef struct {
    RunOptions *options;
    const OptionSet *others;
    void *fields; /* of the others */
} Line;

/* An unknown option may be the name of a parameter. */
static bool explain_option(void *context, const char *wrong, JmSuggestion *near,
                           JmError *error) {
    (void)context;
    suggest_parameters(near);
    for (unsigned i = 0; near->best && jm_parameter(i); i++)
        if (near->best == jm_parameter(i)->name)
            return !jm_fail(error, "jm run",
                            "no option '%s'; did you mean '--param %s=VALUE'?", wrong,
                            near->best);
    return false;
}

static bool take_operand(RunOptions *options, int argc, char **argv, JmError *error) {
    if (options->restore && optind < argc)
        return jm_fail(error, "jm run", "--restore brings its program, and '%s' is one",
                       argv[optind]);
    if (options->restore)
        return true;
    if (optind >= argc || !*argv[optind])
        return jm_fail(error, "jm run", "no program given");
    options->program = argv[optind];
    if (optind + 1 < argc)
        return jm_fail(error, "jm run", "one program only, and '%s' is a second one",
                       argv[optind + 1]);
    return true;
}

/* Allocates the lists with as many items as there are arguments, which no command line
 * can exceed. */
static void make_lists(RunOptions *options, int argc) {
    const size_t most = (size_t)argc;
    options->sets = memory_array(most, sizeof *options->sets);
    options->dumps = memory_array(most, sizeof *options->dumps);
    options->saves = memory_array(most, sizeof *options->saves);
    options->given = memory_array(most, sizeof *options->given);
}

/* Options of `jm run` come first, then the others. */
static bool take_option(void *context, int id, char *argument, JmError *error) {
    const Line *line = context;
    RunOptions *options = line->options;
    if (id >= run_set.count)
        return option_take(line->others, line->fields, id - run_set.count, argument,
                           error);
    options->given[options->given_count++] = (GivenOption){&option_rows[id], argument};
    return option_take(&run_set, options, id, argument, error);
}

/* Refuses an option that modifies another one which was not given, or that contradicts
 * it. */
static bool check_combinations(const RunOptions *options, JmError *error) {
    static const char *const of_traces[] = {"trace-nodes", "trace-kinds",
                                            "trace-cycles"};
    for (size_t i = 0; i < sizeof of_traces / sizeof of_traces[0]; i++)
        if (was_given(options, of_traces[i]) && !options->trace)
            return jm_fail(error, "jm run", "--%s without --trace", of_traces[i]);
    for (unsigned i = 0; i < 2; i++)
        if (options->queue_words[i] & (options->queue_words[i] - 1))
            return jm_fail(error, "jm run",
                           "--queue%s %u: a queue has 8, 16, ... 512 or 1024 words",
                           i ? "1" : "", options->queue_words[i]);
    if (options->expect_exit && !options->config.host_page)
        return jm_fail(error, "jm run",
                       "--expect-exit with --no-host: without a host page there is no "
                       "exit");
    if (options->raw_output && !options->config.host_page)
        return jm_fail(error, "jm run",
                       "--raw-output with --no-host: without a host page nothing is "
                       "printed");
    return true;
}

bool options_parse(RunOptions *options, const OptionSet *others, void *fields, int argc,
                   char **argv, JmError *error) {
    OptionRow all[OPTION_ROWS_MAX];
    OptionSet set = {.command = "jm run",
                     .rows = all,
                     .count = run_set.count,
                     .take = take_option,
                     .explain = explain_option};
    Line line = {options, others, fields};
    assert(run_set.count + (others ? others->count : 0) <= OPTION_ROWS_MAX);
    memcpy(all, option_rows, sizeof option_rows);
    for (int i = 0; others && i < others->count; i++)
        all[set.count++] = others->rows[i];
    *options =
        (RunOptions){.command = "jm run",
                     .config = jm_config_default(),
                     .cycle_limit = UINT64_MAX,
                     .threads = 1,
                     .trace_filter = {.kinds = jm_event_kinds(), .to = UINT64_MAX}};
    make_lists(options, argc);
    return option_set_take(&set, &line, NULL, argc, argv, error) &&
           (options->help || options->version ||
            (check_combinations(options, error) &&
             take_operand(options, argc, argv, error)));
}

bool options_refuse(const RunOptions *options, OptionGroup group, JmError *error) {
    for (unsigned i = 0; i < options->given_count; i++)
        if (options->given[i].row->group == (int)group)
            return jm_fail(error, "jm debug",
                           "--%s is of `jm run`; there are commands for such things",
                           options->given[i].row->name);
    return true;
}

/* ---- a saved machine ------------------------------------------------------------- */

static bool same_config(const JmConfig *a, const JmConfig *b) {
    for (unsigned i = 0; jm_parameter(i); i++)
        if (jm_config_get(a, i) != jm_config_get(b, i))
            return false;
    return a->size_x == b->size_x && a->size_y == b->size_y && a->size_z == b->size_z &&
           strcmp(a->topology, b->topology) == 0 && a->seed == b->seed &&
           a->host_page == b->host_page && a->keep_going == b->keep_going;
}

bool options_agree(const RunOptions *options, const JmConfig *saved, JmError *error) {
    for (unsigned i = 0; i < options->given_count; i++) {
        const GivenOption *given = &options->given[i];
        const char *argument = given->argument ? given->argument : "";
        const int group = given->row->group, id = (int)(given->row - option_rows);
        RunOptions changed = {.config = *saved};
        if (group == OPTION_GROUP_PROGRAM)
            return jm_fail(error, "jm run",
                           "--%s prepares a program; --restore goes on with one",
                           given->row->name);
        if (group != OPTION_GROUP_MACHINE)
            continue;
        if (!option_take(&run_set, &changed, id, given->argument, error))
            return false;
        if (!same_config(&changed.config, saved))
            return jm_fail(error, "jm run", "--%s%s%s: the saved machine is another",
                           given->row->name, *argument ? " " : "", argument);
    }
    return true;
}

void options_free(RunOptions *options) {
    for (unsigned i = 0; i < options->set_count; i++)
        free(options->sets[i].symbol);
    for (unsigned i = 0; i < options->dump_count; i++)
        free(options->dumps[i].symbol);
    free(options->sets);
    free(options->dumps);
    free(options->saves);
    free(options->given);
    free(options->trace_filter.nodes);
}

/* ---- help ------------------------------------------------------------------------ */

/* Columns of --help: where the texts in full begin, and those in one line. */
enum { TEXT_COLUMN = 6, BRIEF_COLUMN = 31 };

void options_print_help(void) {
    char rare[512] = "Also";
    size_t used = strlen(rare);
    puts("Usage: jm run [OPTION]... PROGRAM, or jm run [OPTION]... --restore FILE\n"
         "Runs an ELF image, a text image or a source (.s), which is assembled and\n"
         "linked with the kernel first; - is standard input.\n");
    for (int i = 0; i < run_set.count; i++)
        if (option_rows[i].only_named)
            used += (size_t)snprintf(rare + used, sizeof rare - used, " --%s",
                                     option_rows[i].name);
        else
            option_row_print_brief(stdout, &option_rows[i], BRIEF_COLUMN);
    print_wrapped(stdout, rare, 0);
    puts("--help=options lists all of them, --help=parameters what --param sets,\n"
         "--help=WORD those with WORD in their name or text.\n"
         "Exit status: the program's own (0-125), 0 when the machine goes idle, 2 bad\n"
         "usage or input, 126 cycle limit, 127 node stopped or deadlock.");
}

static void print_parameter(const JmParameter *p) {
    printf("  %-19s %7ju  %ju..%ju\n      ", p->name, (uintmax_t)p->standard,
           (uintmax_t)p->minimum, (uintmax_t)p->maximum);
    print_wrapped(stdout, p->text, TEXT_COLUMN);
}

/* Prints an option if it has the word; any has "options". Returns whether it did. */
static bool print_if_found(const OptionRow *row, const char *word) {
    const bool found = strcmp(word, "options") == 0 || option_row_has(row, word);
    if (found)
        option_row_print_full(stdout, row, TEXT_COLUMN);
    return found;
}

/* Prints the parameters that have the word, or all of them, below a title. */
static unsigned print_parameters(const char *word) {
    unsigned found = 0;
    const bool all = strcmp(word, "parameters") == 0;
    for (unsigned i = 0; jm_parameter(i); i++) {
        const JmParameter *p = jm_parameter(i);
        if (!all && !text_has_word(p->name, word) && !text_has_word(p->text, word))
            continue;
        if (found++ == 0)
            puts("Parameters, for --param (default, range):");
        print_parameter(p);
    }
    return found;
}

/* Prints the options and parameters in whose name or text `word` is; all options for
 * "options", all parameters for "parameters". False and an error if there are none. */
static bool print_found(const char *command, const OptionSet *others, const char *word,
                        JmError *error) {
    word += strspn(word, "-");
    const bool options = *word && strcmp(word, "parameters") != 0;
    const bool parameters = *word && strcmp(word, "options") != 0;
    JmSuggestion near = jm_suggest_start(word);
    unsigned found = 0;
    for (int i = 0; options && others && i < others->count; i++)
        found += print_if_found(&others->rows[i], word);
    for (int i = 0; options && i < run_set.count; i++) {
        if (others && option_rows[i].group == OPTION_GROUP_OUTPUT)
            continue;
        found += print_if_found(&option_rows[i], word);
        jm_suggest_consider(&near, option_rows[i].name);
    }
    found += parameters ? print_parameters(word) : 0;
    suggest_parameters(&near);
    return found ||
           jm_fail(error, command, "--help=%s: no option or parameter has it%s", word,
                   jm_suggest_text(&near, "", "; --help lists the options"));
}

bool options_tell(const RunOptions *options, const OptionSet *others,
                  void (*print_help)(void), const char *version, JmError *error) {
    if (options->help_word)
        return print_found(options->command, others, options->help_word, error);
    if (options->help)
        print_help();
    else
        puts(version);
    return true;
}
