/* The functions of front.h: options and programs as `jm run` takes them. */
#include "tools/front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/front/call.h"
#include "tools/host/memory.h"
#include "tools/jm/options/options.h"
#include "tools/jm/setup.h"
#include "tools/jm/stats/stats.h"

/* ---- options --------------------------------------------------------------------- */

const char *jm_front_option(unsigned index, bool *argument) {
    const OptionRow *row;
    for (unsigned i = 0; (row = options_row(i)); i++) {
        const bool of_machine = row->group == OPTION_GROUP_MACHINE ||
                                row->group == OPTION_GROUP_PROGRAM ||
                                strcmp(row->name, "threads") == 0;
        if (!of_machine || strcmp(row->name, "restore") == 0 || index-- > 0)
            continue;
        *argument = row->argument != NULL;
        return row->name;
    }
    return NULL;
}

/* Parses options and, behind them, the name of a program. */
static bool parse(RunOptions *options, int argc, char **argv, const char *program,
                  JmError *error) {
    char **words = memory_array((size_t)argc + 5, sizeof *words);
    int count = 0;
    words[count++] = (char *)"jm run";
    words[count++] = (char *)"--quiet";
    for (int i = 0; i < argc; i++)
        words[count++] = argv[i];
    words[count++] = (char *)"--";
    words[count++] = (char *)program;
    const bool good = options_parse(options, NULL, NULL, count, words, error);
    free(words);
    return good;
}

/* ---- machines -------------------------------------------------------------------- */

JmMachine *jm_front_create(int argc, char **argv, char **error) {
    FrontCall call;
    JmError cause;
    RunOptions options = {.program = NULL};
    front_begin(&call);
    if (setjmp(call.end)) {
        front_end(&call, false, NULL, error);
        return NULL;
    }
    JmMachine *machine = parse(&options, argc, argv, "program", &cause)
                             ? setup_create(&options, &cause)
                             : NULL;
    options_free(&options);
    front_end(&call, machine != NULL, &cause, error);
    return machine;
}

bool jm_front_load(JmMachine *machine, const char *path, int argc, char **argv,
                   char **error) {
    FrontCall call;
    JmError cause;
    RunOptions options = {.program = NULL};
    front_begin(&call);
    if (setjmp(call.end))
        return front_end(&call, false, NULL, error);
    const bool good = parse(&options, argc, argv, path, &cause) &&
                      setup_load(machine, &options, &cause);
    options_free(&options);
    return front_end(&call, good, &cause, error);
}

JmMachine *jm_front_restore(const char *path, char **error) {
    FrontCall call;
    JmError cause;
    front_begin(&call);
    JmMachine *machine = jm_load_saved(path, NULL, &cause);
    front_end(&call, machine != NULL, &cause, error);
    return machine;
}

bool jm_front_save(const JmMachine *machine, const char *path, char **error) {
    FrontCall call;
    JmError cause;
    front_begin(&call);
    const bool good = jm_save(machine, path, &cause);
    return front_end(&call, good, &cause, error);
}

/* ---- results --------------------------------------------------------------------- */

/* A text that is written. */
typedef struct {
    char *text;
    size_t size;
    FILE *stream;
} Text;

static char *close_text(Text *text) {
    const bool good = text->stream && fclose(text->stream) == 0;
    if (!good)
        free(text->text);
    return good ? text->text : NULL;
}

char *jm_front_statistics(const JmMachine *machine, JmStop stop, char **error) {
    FrontCall call;
    Text text = {.text = NULL};
    StatsRun run = {.machine = machine,
                    .program = jm_program_name(machine),
                    .stop = stop,
                    .status = stats_exit_status(machine, stop, false)};
    front_begin(&call);
    if (setjmp(call.end)) {
        front_end(&call, false, NULL, error);
        return NULL;
    }
    text.stream = memory_checked(open_memstream(&text.text, &text.size));
    stats_write(&run, text.stream);
    char *written = close_text(&text);
    front_end(&call, written != NULL, NULL, error);
    return written;
}

static void put_row(void *context, const char *row) {
    fprintf(context, "%s\n", row);
}

char *jm_front_explain(const JmMachine *machine, char **error) {
    FrontCall call;
    Text text = {.text = NULL};
    front_begin(&call);
    text.stream = open_memstream(&text.text, &text.size);
    if (text.stream)
        jm_explain(machine, put_row, text.stream);
    char *written = close_text(&text);
    front_end(&call, written != NULL, NULL, error);
    return written;
}

bool jm_front_words(const JmMachine *machine, unsigned node, uint32_t address,
                    uint32_t count, uint64_t *words) {
    enum { MEMORY = 1 << 20 };
    if (node >= jm_node_count(machine) || address > MEMORY || count > MEMORY - address)
        return false;
    for (uint32_t i = 0; i < count; i++)
        words[i] = jm_read(machine, node, address + i).bits;
    return true;
}

bool jm_front_nodes(const JmMachine *machine, const char *key, double *values) {
    FrontCall call;
    front_begin(&call);
    if (setjmp(call.end))
        return front_end(&call, false, NULL, NULL);
    const bool good = stats_node_values(machine, key, values);
    return front_end(&call, good, NULL, NULL);
}

void jm_front_free(void *text) {
    free(text);
}
