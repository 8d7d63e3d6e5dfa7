/* Writes the statistics of a run as JSON, one key for each row of stats.def. */
#include "tools/jm/stats/stats.h"

#include <stdlib.h>
#include <string.h>

#include "tools/host/json_out.h"
#include "tools/host/memory.h"

enum { DIMENSIONS = 3 };

/* ---- writers of values ----------------------------------------------------------- */

static void integer(Json *json, uint64_t value) {
    jout_integer(json, (int64_t)value);
}

static void cycle_or_null(Json *json, uint64_t cycle) {
    if (cycle == UINT64_MAX)
        jout_null(json);
    else
        integer(json, cycle);
}

static void member(Json *json, const char *key, uint64_t value) {
    json->key = key;
    integer(json, value);
}

static uint64_t both(const uint64_t by_priority[2]) {
    return by_priority[0] + by_priority[1];
}

static void by_priority(Json *json, const uint64_t values[2]) {
    jout_open(json, '[');
    integer(json, values[0]);
    integer(json, values[1]);
    jout_close(json, ']');
}

static const char *const dimension[DIMENSIONS] = {"x", "y", "z"};

static void by_dimension(Json *json, const uint64_t values[DIMENSIONS]) {
    jout_open(json, '{');
    for (unsigned i = 0; i < DIMENSIONS; i++)
        member(json, dimension[i], values[i]);
    jout_close(json, '}');
}

static void by_dimension_real(Json *json, const double values[DIMENSIONS]) {
    jout_open(json, '{');
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        json->key = dimension[i];
        jout_real(json, values[i]);
    }
    jout_close(json, '}');
}

static void distribution(Json *json, const JmDistribution *d) {
    jout_open(json, '{');
    member(json, "count", d->count);
    member(json, "min", d->min);
    json->key = "mean";
    jout_real(json, d->mean);
    member(json, "p50", d->p50);
    member(json, "p90", d->p90);
    member(json, "p99", d->p99);
    member(json, "max", d->max);
    jout_close(json, '}');
}

static void by_class(Json *json, const uint64_t cycles[JM_CLASS_COUNT]) {
    jout_open(json, '{');
    for (unsigned i = 0; i < JM_CLASS_COUNT; i++)
        member(json, jm_class_key(i), cycles[i]);
    jout_close(json, '}');
}

static void by_fault(Json *json, const uint64_t faults[JM_FAULT_COUNT]) {
    jout_open(json, '{');
    for (unsigned i = 0; i < JM_FAULT_COUNT; i++)
        if (faults[i])
            member(json, jm_fault_name(i), faults[i]);
    jout_close(json, '}');
}

/* Writes nothing for the mesh as built. */
static void topology(Json *json, const JmMachine *machine) {
    const char *text = jm_config(machine)->topology;
    if (*text)
        jout_text(json, text);
}

static void mesh_sizes(Json *json, const JmMachine *machine) {
    const JmConfig *config = jm_config(machine);
    jout_open(json, '[');
    integer(json, config->size_x);
    integer(json, config->size_y);
    integer(json, config->size_z);
    jout_close(json, ']');
}

/* Writes all parameters, so that a run can be repeated from its statistics. */
static void parameters(Json *json, const JmConfig *config) {
    jout_open(json, '{');
    for (unsigned i = 0; jm_parameter(i); i++) {
        json->key = jm_parameter(i)->name;
        jout_unsigned(json, jm_config_get(config, i));
    }
    jout_close(json, '}');
}

/* Whether symbol `index` is the first of its name. */
static bool is_first(const JmMachine *machine, unsigned index) {
    const char *name = jm_symbol_name(machine, index);
    unsigned i = 0;
    while (i < index && strcmp(jm_symbol_name(machine, i), name) != 0)
        i++;
    return i == index;
}

/* Writes the words of the program that have a name and hold a number: parameters and
 * results. Node 0 stands for all nodes, because --set sets every node and programs
 * gather their results there. Code is excluded by its tags, inline constants and ROM by
 * their addresses. */
static void words(Json *json, const JmMachine *machine) {
    enum { NODE = 0, ROM = 0x1000, ROM_WORDS = 0x1000 };
    const char *name;
    jout_open(json, '{');
    for (unsigned i = 0; (name = jm_symbol_name(machine, i)); i++) {
        uint32_t address;
        if (!jm_symbol_word(machine, name, &address) || address - ROM < ROM_WORDS)
            continue;
        const JmWord word = jm_read(machine, NODE, address);
        if (jm_tag(word) != JM_TAG_INT || !is_first(machine, i))
            continue;
        json->key = name;
        jout_integer(json, (int32_t)jm_data(word));
    }
    jout_close(json, '}');
}

/* Writes the cycles between first and last mark; null without two marks. */
static void makespan(Json *json, const JmMachine *machine) {
    size_t count;
    const JmMark *mark = jm_marks(machine, &count);
    if (count < 2)
        jout_null(json);
    else
        integer(json, mark[count - 1].cycle - mark[0].cycle);
}

static void marks(Json *json, const JmMachine *machine) {
    size_t count;
    const JmMark *mark = jm_marks(machine, &count);
    jout_open(json, '[');
    for (size_t i = 0; i < count; i++, mark++) {
        jout_open(json, '{');
        member(json, "cycle", mark->cycle);
        member(json, "node", mark->node);
        json->key = "value";
        jout_integer(json, mark->value);
        jout_close(json, '}');
    }
    jout_close(json, ']');
}

static void append_row(void *context, const char *row) {
    jout_text(context, row);
}

static void explanation(Json *json, const StatsRun *r) {
    jout_open(json, '[');
    if (stats_explained(r->machine, r->stop))
        jm_explain(r->machine, append_row, json);
    jout_close(json, ']');
}

/* Writes the flits of a node's links, without those that it does not have. */
static void links(Json *json, const JmMachine *machine, unsigned node) {
    static const char *const key[2 * DIMENSIONS] = {"x+", "x-", "y+", "y-", "z+", "z-"};
    jout_open(json, '{');
    for (unsigned i = 0; i < 2 * DIMENSIONS; i++)
        if (jm_has_link(machine, node, i / 2, i % 2 == 0))
            member(json, key[i], jm_link_flits(machine, node, i / 2, i % 2 == 0));
    jout_close(json, '}');
}

/* ---- the document ---------------------------------------------------------------- */

bool stats_explained(const JmMachine *machine, JmStop stop) {
    return stop == JM_STOP_STOPPED || stop == JM_STOP_DEADLOCK ||
           (stop == JM_STOP_IDLE && jm_config(machine)->keep_going);
}

int stats_exit_status(const JmMachine *machine, JmStop stop, bool expect_exit) {
    switch (stop) {
    case JM_STOP_EXIT:
        return jm_exit_value(machine);
    case JM_STOP_IDLE:
        return expect_exit ? EXIT_FAILURE : EXIT_SUCCESS;
    case JM_STOP_STOPPED:
    case JM_STOP_DEADLOCK:
        return EXIT_STOPPED;
    default:
        return EXIT_LIMIT;
    }
}

/* Writes the rows NODE_STAT of stats.def for a node: all, or only that of a key; false
 * if there is none. */
static bool write_node(Json *json, const JmMachine *machine, unsigned node,
                       const char *only) {
    JmNodeStatistics statistics;
    const JmNodeStatistics *s = &statistics;
    unsigned position[DIMENSIONS];
    bool written = false;
    jm_node_statistics(machine, node, &statistics);
    jm_node_position(machine, node, &position[0], &position[1], &position[2]);
#define NODE_STAT(name, value, text)                                                   \
    if (!only || strcmp(only, #name) == 0) {                                           \
        json->key = #name;                                                             \
        value;                                                                         \
        written = true;                                                                \
    }
#include "tools/jm/stats/stats.def"
    return written;
}

/* Writes the object of the network, with the rows NETWORK_STAT of stats.def. */
static void write_network(Json *json, const JmMachine *machine) {
    JmNetworkStatistics statistics;
    const JmNetworkStatistics *n = &statistics;
    jm_network_statistics(machine, &statistics);
    jout_open(json, '{');
#define NETWORK_STAT(name, value, text)                                                \
    json->key = #name;                                                                 \
    value;
#include "tools/jm/stats/stats.def"
    jout_close(json, '}');
}

void stats_write(StatsRun *run, FILE *out) {
    const StatsRun *r = run;
    const JmConfig *config = jm_config(run->machine);
    Json *json = &(Json){.out = out};
    run->totals = jm_statistics(run->machine);
    jout_open(json, '{');
    /* a line each; one that writes no value leaves both to the next */
#define RUN_STAT(name, value, text)                                                    \
    json->line = "\n", json->key = #name;                                              \
    value;
#include "tools/jm/stats/stats.def"
    json->line = "\n", json->key = "network";
    write_network(json, run->machine);
    json->line = "\n", json->key = "nodes";
    jout_open(json, '[');
    for (unsigned node = 0; node < jm_node_count(run->machine); node++) {
        json->line = "\n";
        jout_open(json, '{');
        write_node(json, run->machine, node, NULL);
        jout_close(json, '}');
    }
    fputs("\n]}\n", out);
}

/* What is written is of no use: the writer knows the last number. */
bool stats_node_values(const JmMachine *machine, const char *key, double *values) {
    char *text = NULL;
    size_t size;
    bool known = true;
    FILE *out = memory_checked(open_memstream(&text, &size));
    for (unsigned node = 0; known && node < jm_node_count(machine); node++) {
        Json json = {.out = out};
        rewind(out);
        known = write_node(&json, machine, node, key);
        values[node] = json.number;
    }
    fclose(out);
    free(text);
    return known;
}
