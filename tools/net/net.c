/* The command `jm net`: networks alone, loaded by abstract processors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology.h"
#include "net/traffic/pattern.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/outputs.h"
#include "tools/jm/commands.h"
#include "tools/net/net.h"

/* ---- `jm net list` --------------------------------------------------------------- */

/* The command `jm net list`: everything that specifications can contain. */

/* Prints the values that an option takes, and the one it has if it is not given. */
static void print_range(const NetOption *option) {
    if (option->kind == NET_OPTION_TEXT) {
        printf("%s", option->words);
        return;
    }
    char word[NET_WORD_MAX];
    if (option->kind == NET_OPTION_WORD) {
        net_word_of(option->words, (unsigned)option->standard, word);
        printf("%s (%s)", option->words, word);
        return;
    }
    printf("%g..%g (%g)", option->low, option->high, option->standard);
    const char *at = option->words ? option->words : "";
    for (unsigned value = 0; *at; value++) {
        const int length = (int)strcspn(at, "|");
        printf(" %.*s=%u", length, at, value);
        at += length + (at[length] == '|');
    }
}

/* Prints a line for each option: values, what it is, its source. */
static void list_options(const NetOption *options) {
    for (const NetOption *o = options; o && o->name; o++) {
        printf("  %-8s ", o->name);
        print_range(o);
        printf("  %s [%s]\n", o->text, o->source);
    }
}

static void list_topologies(void) {
    const NetTopology *topology;
    puts("Topologies (--topology NAME=SIZES[,OPTION=VALUE]...):");
    for (unsigned i = 0; (topology = net_topology_row(i)); i++) {
        printf("\n%s: %s\n", topology->form, topology->text);
        list_options(topology->options);
    }
}

static void list_patterns(void) {
    puts("\nPatterns (--workload pattern=NAME): where a node's messages go");
    for (unsigned i = 0; i < NET_PATTERNS; i++)
        printf("  %-9s %s\n", net_pattern_names[i],
               net_pattern_text((NetPatternKind)i));
}

static void list_workload(const NetWorkload *workload) {
    printf("\n%s: %s\n", workload->name, workload->text);
    list_options(workload->options);
    if (workload->measures)
        puts("  measures:");
    for (const NetMeasure *m = workload->measures; m && m->name; m++)
        printf("  %-23s %s: %s\n", m->name, m->unit, m->text);
}

static void list_workloads(void) {
    puts("\nWorkloads (--workload NAME[,OPTION=VALUE]...):");
    for (unsigned i = 0; net_workload_row(i); i++)
        list_workload(net_workload_row(i));
    list_workload(&net_trace_workload);
    list_patterns();
}

static void list_parameters(void) {
    puts("\nParameters of the network (--param NAME=VALUE):\n");
#define NET_PARAM(name, standard, minimum, maximum, text, source)                      \
    printf("  %-19s %u..%u (%u)  %s [%s]\n", #name, (unsigned)(minimum),               \
           (unsigned)(maximum), (unsigned)(standard), text, source);
#include "net/params.def"
#undef NET_PARAM
}

static int list_help(void) {
    puts("Usage: jm net list\n"
         "Lists topologies, workloads and parameters: ranges (standard values), "
         "sources.");
    return EXIT_SUCCESS;
}

int net_command_list(int argc, char **argv) {
    const int status = frame_plain("jm net list", list_help, 0, argc, argv);
    if (status != FRAME_GO_ON)
        return status;
    list_topologies();
    list_workloads();
    list_parameters();
    return EXIT_SUCCESS;
}

/* ---- `jm net` -------------------------------------------------------------------- */

static const CommandRow commands[] = {
#define COMMAND(name, arguments, text) {#name, text, NULL, net_command_##name},
#include "tools/net/commands.def"
#undef COMMAND
    {0},
};

static const CommandSet set = {
    .tool = "jm net",
    .kind = "command",
    .rows = commands,
    .column = 7,
    .head = "Usage: jm net COMMAND [OPTION]...\n"
            "Networks without a machine, loaded by abstract processors. There are:\n",
    .foot = "jm net COMMAND --help describes a command.\n"
            "Exit status: 0, 2 for bad usage or input or results that were not "
            "written, 3 for a\nrun that has not settled, a sweep without a rate that "
            "has, or a model without a\nsolution, 125 if memory runs out in a run, "
            "128 + n if signal n interrupted it.",
};

int command_net(int argc, char **argv) {
    host_end_by_signals();
    return outputs_status(command_choose(&set, argc, argv), EXIT_USAGE);
}
