/* Writes the statistics of a run as JSON, one key for each row of stats.def. */
#include "tools/jm/stats/stats.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/values.h"

enum { DIMENSIONS = 3 };

/* Reals have nine digits: more than any figure here needs, and the same text on any
 * host. */
enum { JSON_STYLE = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9) };

/* ---- makers of values ------------------------------------------------------------ */

static json_t *integer(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t *real(double value) {
    return jvalue_number(value);
}

static json_t *cycle_or_null(uint64_t cycle) {
    return cycle == UINT64_MAX ? json_null() : integer(cycle);
}

static uint64_t both(const uint64_t by_priority[2]) {
    return by_priority[0] + by_priority[1];
}

static json_t *by_priority(const uint64_t values[2]) {
    return json_pack("[o, o]", integer(values[0]), integer(values[1]));
}

static json_t *by_dimension(const uint64_t values[DIMENSIONS]) {
    return json_pack("{s:o, s:o, s:o}", "x", integer(values[0]), "y",
                     integer(values[1]), "z", integer(values[2]));
}

static json_t *by_dimension_real(const double values[DIMENSIONS]) {
    return json_pack("{s:o, s:o, s:o}", "x", jvalue_number(values[0]), "y",
                     jvalue_number(values[1]), "z", jvalue_number(values[2]));
}

static json_t *distribution(const JmDistribution *d) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "count", integer(d->count),
                     "min", integer(d->min), "mean", jvalue_number(d->mean), "p50",
                     integer(d->p50), "p90", integer(d->p90), "p99", integer(d->p99),
                     "max", integer(d->max));
}

static json_t *by_class(const uint64_t cycles[JM_CLASS_COUNT]) {
    json_t *object = json_object();
    for (unsigned i = 0; i < JM_CLASS_COUNT; i++)
        json_object_set_new(object, jm_class_key(i), integer(cycles[i]));
    return object;
}

static json_t *by_fault(const uint64_t faults[JM_FAULT_COUNT]) {
    json_t *object = json_object();
    for (unsigned i = 0; i < JM_FAULT_COUNT; i++)
        if (faults[i])
            json_object_set_new(object, jm_fault_name(i), integer(faults[i]));
    return object;
}

static json_t *all_faults(const JmMachine *machine) {
    uint64_t faults[JM_FAULT_COUNT] = {0};
    for (unsigned node = 0; node < jm_node_count(machine); node++) {
        JmNodeStatistics s;
        jm_node_statistics(machine, node, &s);
        for (unsigned i = 0; i < JM_FAULT_COUNT; i++)
            faults[i] += s.faults[i];
    }
    return by_fault(faults);
}

/* NULL: the mesh as built. */
static json_t *topology(const JmMachine *machine) {
    const char *text = jm_config(machine)->topology;
    return *text ? jvalue_text(text) : NULL;
}

static json_t *mesh_sizes(const JmMachine *machine) {
    const JmConfig *config = jm_config(machine);
    return json_pack("[o, o, o]", integer(config->size_x), integer(config->size_y),
                     integer(config->size_z));
}

/* Returns the words of the program that have a name and hold a number: parameters and
 * results. Node 0 stands for all nodes, because --set sets every node and programs
 * gather their results there. Code is excluded by its tags, inline constants and ROM by
 * their addresses. */
static json_t *words(const JmMachine *machine) {
    enum { NODE = 0, ROM = 0x1000, ROM_WORDS = 0x1000 };
    json_t *object = json_object();
    const char *name;
    for (unsigned i = 0; (name = jm_symbol_name(machine, i)); i++) {
        uint32_t address;
        if (!jm_symbol_word(machine, name, &address) || address - ROM < ROM_WORDS)
            continue;
        const JmWord word = jm_read(machine, NODE, address);
        if (jm_tag(word) == JM_TAG_INT)
            jvalue_set(object, name, json_integer((int32_t)jm_data(word)));
    }
    return object;
}

/* Makes the cycles between first and last mark; null without two marks. */
static json_t *makespan(const JmMachine *machine) {
    size_t count;
    const JmMark *mark = jm_marks(machine, &count);
    return count < 2 ? json_null() : integer(mark[count - 1].cycle - mark[0].cycle);
}

static json_t *marks(const JmMachine *machine) {
    json_t *array = json_array();
    size_t count;
    const JmMark *mark = jm_marks(machine, &count);
    for (size_t i = 0; i < count; i++, mark++)
        json_array_append_new(
            array, json_pack("{s:o, s:o, s:i}", "cycle", integer(mark->cycle), "node",
                             integer(mark->node), "value", (int)mark->value));
    return array;
}

static void append_row(void *context, const char *row) {
    json_array_append_new(context, jvalue_text(row));
}

static json_t *explanation(const StatsRun *r) {
    json_t *array = json_array();
    if (stats_explained(r->machine, r->stop))
        jm_explain(r->machine, append_row, array);
    return array;
}

/* Makes the flits of a node's links, without those that it does not have. */
static json_t *links(const JmMachine *machine, unsigned node) {
    static const char *const key[2 * DIMENSIONS] = {"x+", "x-", "y+", "y-", "z+", "z-"};
    json_t *object = json_object();
    for (unsigned i = 0; i < 2 * DIMENSIONS; i++)
        if (jm_has_link(machine, node, i / 2, i % 2 == 0))
            json_object_set_new(
                object, key[i],
                integer(jm_link_flits(machine, node, i / 2, i % 2 == 0)));
    return object;
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

StatsTotals stats_totals(const JmMachine *machine) {
    StatsTotals totals = {0};
    for (unsigned node = 0; node < jm_node_count(machine); node++) {
        JmNodeStatistics s;
        jm_node_statistics(machine, node, &s);
        totals.instructions += s.instructions;
        totals.messages += both(s.messages_in);
        totals.overflows += both(s.overflows);
    }
    return totals;
}

/* Makes the object of a node, with the rows NODE_STAT of stats.def. */
static json_t *node_object(const JmMachine *machine, unsigned node) {
    JmNodeStatistics statistics;
    const JmNodeStatistics *s = &statistics;
    unsigned position[DIMENSIONS];
    jm_node_statistics(machine, node, &statistics);
    jm_node_position(machine, node, &position[0], &position[1], &position[2]);
    json_t *object = json_object();
#define NODE_STAT(key, value, text) json_object_set_new(object, #key, value);
#include "tools/jm/stats/stats.def"
    return object;
}

/* Makes the object of the network, with the rows NETWORK_STAT of stats.def. */
static json_t *network_object(const JmMachine *machine) {
    JmNetworkStatistics statistics;
    const JmNetworkStatistics *n = &statistics;
    jm_network_statistics(machine, &statistics);
    json_t *object = json_object();
#define NETWORK_STAT(key, value, text) json_object_set_new(object, #key, value);
#include "tools/jm/stats/stats.def"
    return object;
}

/* Writes one value and frees it, so that the nodes of a large machine are never all in
 * memory as JSON. */
static void write_value(FILE *out, json_t *value) {
    json_dumpf(value, out, JSON_STYLE);
    json_decref(value);
}

/* Write a member of the document; without a value, nothing. */

static void write_member(FILE *out, const char *key, json_t *value) {
    if (!value)
        return;
    fprintf(out, "\"%s\":", key);
    write_value(out, value);
    fputs(",\n", out);
}

/* Writes a number that the user chose: it may be larger than an integer of the JSON
 * library. */
static void write_number(FILE *out, const char *key, uint64_t value) {
    fprintf(out, "\"%s\":%" PRIu64 ",\n", key, value);
}

/* Writes all parameters, so that a run can be repeated from its statistics. */
static void write_parameters(FILE *out, const char *key, const JmConfig *config) {
    fprintf(out, "\"%s\":", key);
    for (unsigned i = 0; jm_parameter(i); i++)
        fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "{", jm_parameter(i)->name,
                jm_config_get(config, i));
    fputs("},\n", out);
}

/* Writes a row RUN_STAT, by the type of its value. */
#define WRITE(out, key, value)                                                         \
    _Generic((value),                                                                  \
        json_t *: write_member,                                                        \
        uint64_t: write_number,                                                        \
        const JmConfig *: write_parameters)(out, key, value)

void stats_write(StatsRun *run, FILE *out) {
    const StatsRun *r = run;
    const JmConfig *config = jm_config(run->machine);
    run->totals = stats_totals(run->machine);
    fputs("{\n", out);
#define RUN_STAT(key, value, text) WRITE(out, #key, value);
#include "tools/jm/stats/stats.def"
    fputs("\"network\":", out);
    write_value(out, network_object(run->machine));
    fputs(",\n\"nodes\":[", out);
    for (unsigned node = 0; node < jm_node_count(run->machine); node++) {
        fputs(node ? ",\n" : "\n", out);
        write_value(out, node_object(run->machine, node));
    }
    fputs("\n]}\n", out);
}

bool stats_node_values(const JmMachine *machine, const char *key, double *values) {
    for (unsigned node = 0; node < jm_node_count(machine); node++) {
        json_t *object = node_object(machine, node);
        const json_t *value = json_object_get(object, key);
        values[node] = json_is_number(value) ? json_number_value(value) : NAN;
        json_decref(object);
        if (!value)
            return false;
    }
    return true;
}
