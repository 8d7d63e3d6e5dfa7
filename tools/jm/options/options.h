/* The command line of `jm run`, parsed. */
#ifndef JM_TOOLS_JM_OPTIONS_OPTIONS_H
#define JM_TOOLS_JM_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/jm.h"
#include "tools/host/option_rows.h"
#include "tools/jm/trace/trace_filter.h"

/* The groups of options; options.def explains them. */
typedef enum {
    OPTION_GROUP_MACHINE,
    OPTION_GROUP_PROGRAM,
    OPTION_GROUP_OUTPUT,
    OPTION_GROUP_GENERAL
} OptionGroup;

/* An argument of --set. */
typedef struct {
    char *symbol; /* name of the word; the value is apart */
    JmWord value;
} SetRequest;

/* An argument of --dump. */
typedef struct {
    char *symbol; /* `address` is an offset from it until setup_dumps() resolves it;
                     NULL: `address` is absolute */
    uint32_t node, address, count; /* node, first word, number of words */
} DumpRequest;

/* An argument of --save-at. */
typedef struct {
    uint64_t cycle;
    const char *path;
} SaveRequest;

/* An option as it was given, for messages and for options_agree(). */
typedef struct {
    const OptionRow *row;
    char *argument;
} GivenOption;

/* The parsed command line. */
typedef struct {
    const char *command; /* the name for warnings: "jm run" until a caller says other */
    const char *program;
    JmConfig config;
    uint32_t queue_words[2]; /* --queue, --queue1; 0: the program's own sizes */
    uint64_t cycle_limit;    /* UINT64_MAX: none */
    uint64_t threads;
    SetRequest *sets;
    unsigned set_count;
    DumpRequest *dumps;
    unsigned dump_count;
    SaveRequest *saves; /* sorted by cycle */
    unsigned save_count;
    const char *restore;
    GivenOption *given;
    unsigned given_count;
    const char *stats, *trace, *sample; /* names of files; NULL: not asked for */
    JmEventFilter trace_filter;
    uint32_t trace_highest; /* the highest node that it names */
    uint64_t sample_every;
    const char *help_word; /* of --help=WORD; NULL: none */
    bool bare, quiet, help, raw_output, fault_chain, expect_exit, version;
} RunOptions;

/* Parses the command line, on which there may be other options too, which go into the
 * structure `fields`; others NULL: none. Returns false and fills `error` for bad usage;
 * call options_free() in either case. */
bool options_parse(RunOptions *options, const OptionSet *others, void *fields, int argc,
                   char **argv, JmError *error);
/* Whether the options agree with the configuration of a saved machine. */
bool options_agree(const RunOptions *options, const JmConfig *saved, JmError *error);
/* Returns false and fills `error` if an option of the group was given, for commands
 * that do not have it. */
bool options_refuse(const RunOptions *options, OptionGroup group, JmError *error);
/* Whether all words of the request lie in memory; call it when the address is known. */
bool options_check_dump(const DumpRequest *dump, JmError *error);
void options_free(RunOptions *options);
void options_print_help(void);
/* Prints what --help or --version asks for: help by `print_help`, unless it is of a
 * word. A command with `others` has not the group OUTPUT. False and an error if no
 * option and no parameter has the word. */
bool options_tell(const RunOptions *options, const OptionSet *others,
                  void (*print_help)(void), const char *version, JmError *error);

/* Returns a row of options.def, from 0; NULL after the last. */
const OptionRow *options_row(unsigned index);

#endif
