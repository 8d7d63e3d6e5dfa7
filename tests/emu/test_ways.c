/* Results depend only on the machine and its program: however a machine is run and
 * watched, it reaches the same state, statistics and explanation. Tested for every row
 * of the tables of parameters, where it makes a difference, and for every cure.
 *
 * The rows come from the library. If no value of a row makes a difference to any of the
 * machines of `bases`, add a machine there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/rng.h"
#include "emu/debug/debug.h"
#include "emu/machine/run/run.h"
#include "tests/emu/jam.h"

enum { ACTS = 10, CYCLES = 5000, THREAD_CYCLES = 1000, SETTINGS_MAX = 8 };

/* ---- machines -------------------------------------------------------------------- */

/* Settings up to the first without a name. */
typedef struct {
    Setting set[SETTINGS_MAX];
} Settings;

/* The lanes of a torus that connects the nodes, with three of them an adaptive one: no
 * parameter of the library. */
#define TORUS "torus"

/* The machine as built, one with each cure, those that some row needs, and machines
 * with another network. */
static const Settings bases[] = {
    {{{"base", 1}}},
    {{{"hwm_mark", 12}}},
    {{{"brake_mark", 24}, {"escape_mark", 12}, {"open_words", 8}}},
    {{{"brake_mark", 20}, {"hwm_mark", 8}, {"brake_patience", 400}}},
    {{{"spill_mark", 16}}},
    {{{"spill_mark", 16}, {"spill_cycles", 0}}},
    {{{"spill_mark", 16}, {"brake_mark", 60}, {"brake_ring", 1}, {"escape_mark", 8}}},
    {{{"spill_mark", 16},
      {"brake_mark", 16},
      {"brake_ring", 1},
      {"escape_mark", 8},
      {"open_words", 8}}},
    {{{"rts", 1}}},
    {{{"rts", 1}, {"rts_backoff", 70}, {"rts_window", 16}}},
    {{{"rts", 1}, {"rts_patience", 100}}},
    {{{"rts", 1}, {"rts_priority", 1}}},
    {{{"rts", 1}, {"rts_priority", 2}}},
    {{{"age", 1}}},
    {{{"virtual_channels", 2}}},
    {{{"yield", 2}}},
    {{{"yield_dims", 7}}},
    {{{"send_faults", 0}}},
    {{{TORUS, 2}}},
    {{{TORUS, 3}, {"select", 1}}},
};
enum { BASES = sizeof bases / sizeof bases[0] };

/* SMALL: two words of the wheel. LARGE: nodes for two threads. */
typedef enum { TINY, SMALL, LARGE } Mesh;

static bool configure(JmConfig *config, const Setting *set) {
    char text[JM_TOPOLOGY_TEXT];
    if (strcmp(set->name, TORUS) != 0)
        return jm_config_set(config, set->name, set->value, NULL);
    snprintf(text, sizeof text, "torus=%ux%ux%u,lanes=%u,escape=%u,places=2",
             config->size_x, config->size_y, config->size_z, (unsigned)set->value,
             set->value == 3 ? 2 : 0);
    return jm_config_topology(config, text, NULL);
}

static JmConfig config_of(const Settings *settings, Mesh mesh) {
    static const unsigned size[][3] = {{4, 2, 1}, {8, 8, 2}, {32, 32, 4}};
    JmConfig config = jm_config_default();
    config.size_x = size[mesh][0];
    config.size_y = size[mesh][1];
    config.size_z = size[mesh][2];
    config.keep_going = true;
    for (const Setting *set = settings->set; set->name; set++)
        cr_assert(configure(&config, set), "%s", set->name);
    return config;
}

/* NULL if there is no machine with these settings. */
static Rig *machine_with(const Settings *settings, const char *engine, Mesh mesh) {
    JmConfig config = config_of(settings, mesh);
    config.engine = engine;
    return jam_open(&config);
}

static const char *text_of(const Settings *settings) {
    static _Thread_local char text[400];
    text[0] = '\0';
    for (const Setting *set = settings->set; set->name; set++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s=%u", set->name,
                 (unsigned)set->value);
    return text;
}

/* ---- ways to run ----------------------------------------------------------------- */

static void run_plain(Rig *rig) {
    jm_run(rig->machine, CYCLES);
}

static bool look(void *context, const JmEvent *event) {
    Rig *rig = context;
    JmNetworkStatistics network;
    if (event->cycle % 64 == 0) {
        rig_statistics(rig, event->node);
        jm_network_statistics(rig->machine, &network);
    }
    return false;
}

static void run_traced(Rig *rig) {
    jm_observe(rig->machine, UINT32_MAX & ~(1u << JM_EVENT_FLIT), look, rig);
    jm_run(rig->machine, CYCLES);
}

/* An observer that comes and goes. */
static void run_traced_in_parts(Rig *rig) {
    JmStop stop = JM_STOP_NONE;
    for (uint64_t t = 250; stop == JM_STOP_NONE && t <= CYCLES; t += 250) {
        const uint32_t kinds = t % 500 ? 1u << JM_EVENT_SUSPEND : 0;
        jm_observe(rig->machine, kinds, kinds ? look : NULL, rig);
        stop = jm_run(rig->machine, t);
    }
}

/* From random cycles on and back to them, and from files. */
static void run_restored(Rig *rig) {
    JmRng rng = jm_rng(1);
    for (uint64_t t = 0; t < CYCLES; t += 1 + jm_rng_next(&rng) % 700) {
        if (jm_run(rig->machine, t) != JM_STOP_NONE)
            return;
        JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
        jm_run(rig->machine, t + jm_rng_next(&rng) % 500);
        jm_restore(rig->machine, checkpoint);
        jm_checkpoint_free(checkpoint);
        if (jm_rng_next(&rng) % 8 == 0)
            rig_reload(rig);
    }
    jm_run(rig->machine, CYCLES);
}

static void ignore(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
}

static void run_in_debugger(Rig *rig) {
    const JmDebugHost host = {.write = ignore, .guest = ignore};
    static const char lines[][32] = {"step 100",
                                     "run 1000",
                                     "reverse-step 10",
                                     "cycle 40",
                                     "catch suspend on 0",
                                     "run 900",
                                     "run 900",
                                     "reverse-step",
                                     "catch brake",
                                     "run 900",
                                     "delete",
                                     "cycle 300",
                                     "goto $cycle - 900",
                                     "break 0x1010 if $r1 == 1",
                                     "run 900",
                                     "delete",
                                     "watch ([0x110]@1)",
                                     "run 100",
                                     "delete",
                                     "catch dispatch on 1",
                                     "run 900",
                                     "reverse-continue",
                                     "delete",
                                     "goto 5000"};
    JmDebug *debug = jm_debug_create(rig->machine, &host);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        jm_debug_do(debug, lines[i]);
    jm_debug_destroy(debug);
    jm_run(rig->machine, CYCLES);
}

static const struct {
    const char *name;
    void (*run)(Rig *rig); /* NULL: in slices */
    unsigned slice;
} ways[] = {
    {"in slices of 1", NULL, 1},
    {"in slices of 7", NULL, 7},
    {"in slices of 1000", NULL, 1000},
    {"traced", run_traced, 0},
    {"traced in parts", run_traced_in_parts, 0},
    {"in the debugger", run_in_debugger, 0},
    {"restored", run_restored, 0},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- ends ------------------------------------------------------------------------ */

/* The observable state of a machine at the end of a run. */
typedef struct {
    uint64_t cycle;
    unsigned nodes;
    JmNodeStatistics *node;
    JmNetworkStatistics network;
    char *explanation;
    RigFile saved;
} End;

/* Whether numbers at this place of JmNodeStatistics are of floating point. */
static bool is_mean(size_t place) {
    return place >= offsetof(JmNodeStatistics, queue_mean_words) &&
           place < offsetof(JmNodeStatistics, overflows);
}

static double number_at(const JmNodeStatistics *statistics, size_t place) {
    const void *at = (const char *)statistics + place;
    return is_mean(place) ? *(const double *)at : (double)*(const uint64_t *)at;
}

/* Computes what a number of all nodes together must be. */
static double together(const End *end, size_t place) {
    double sum = 0, most = 0, least = INFINITY;
    for (unsigned i = 0; i < end->nodes; i++) {
        const double number = number_at(&end->node[i], place);
        sum += number;
        most = fmax(most, number);
        least = fmin(least, number);
    }
    return is_mean(place) ? sum / end->nodes
           : place == offsetof(JmNodeStatistics, first_overflow_cycle) ? least
           : place == offsetof(JmNodeStatistics, spill_peak) ||
                   place == offsetof(JmNodeStatistics, rts_peak)
               ? most
               : sum;
}

/* Goes through the numbers of the structure: eight bytes each, but for one pair. */
static void expect_together(const JmNodeStatistics *all, const End *end) {
    uint32_t longest[2] = {0};
    for (unsigned i = 0; i < end->nodes; i++)
        for (unsigned p = 0; p < 2; p++)
            if (end->node[i].queue_max_words[p] > longest[p])
                longest[p] = end->node[i].queue_max_words[p];
    cr_expect_arr_eq(all->queue_max_words, longest, sizeof longest);
    for (size_t place = 0; place < sizeof *all; place += sizeof(uint64_t)) {
        const double wanted = together(end, place);
        if (place != offsetof(JmNodeStatistics, queue_max_words) &&
            !(fabs(number_at(all, place) - wanted) <= 1e-9 * wanted))
            cr_expect_fail("all nodes' statistics at byte %zu are %g, not %g", place,
                           number_at(all, place), wanted);
    }
}

/* An end without its explanation and its file. */
static End statistics_of(const Rig *rig) {
    End end = {.cycle = jm_now(rig->machine), .nodes = jm_node_count(rig->machine)};
    end.node = malloc(end.nodes * sizeof *end.node);
    for (unsigned i = 0; i < end.nodes; i++)
        jm_node_statistics(rig->machine, i, &end.node[i]);
    jm_network_statistics(rig->machine, &end.network);
    const JmNodeStatistics all = jm_statistics(rig->machine);
    expect_together(&all, &end);
    return end;
}

static End end_of(const Rig *rig) {
    End end = statistics_of(rig);
    end.explanation = rig_explanation(rig);
    end.saved = rig_file(rig->machine);
    return end;
}

static void end_free(End *end) {
    free(end->node);
    free(end->explanation);
    free(end->saved.bytes);
}

static bool same_statistics(const End *a, const End *b) {
    return memcmp(a->node, b->node, a->nodes * sizeof *a->node) == 0 &&
           memcmp(&a->network, &b->network, sizeof a->network) == 0;
}

static bool has_statistics(const Rig *rig, const End *other) {
    End end = statistics_of(rig);
    const bool same = same_statistics(&end, other);
    end_free(&end);
    return same;
}

/* Compares how a run ended with the plain run's end, and frees its own. */
static void expect_end(const End *plain, End end, const char *way,
                       const Settings *settings) {
    const char *text = text_of(settings);
    cr_expect_eq(end.cycle, plain->cycle, "%s,%s: cycle %u, not %u", way, text,
                 (unsigned)end.cycle, (unsigned)plain->cycle);
    cr_expect(same_statistics(&end, plain), "%s,%s: statistics", way, text);
    cr_expect_str_eq(end.explanation, plain->explanation, "%s,%s", way, text);
    cr_expect(rig_same_file(&end.saved, &plain->saved), "%s,%s: state", way, text);
    end_free(&end);
}

/* Every `step`th way comes to the same end as the plain one. The machine is at its
 * start. */
static void try_ways(Rig *rig, const End *plain, const JmCheckpoint *start,
                     const Settings *settings, size_t step) {
    for (size_t w = step - 1; w < WAYS; w += step) {
        jm_restore(rig->machine, start);
        if (ways[w].run)
            ways[w].run(rig);
        else
            rig_run_in_slices(rig, CYCLES, ways[w].slice);
        jm_observe(rig->machine, 0, NULL, NULL);
        expect_end(plain, end_of(rig), ways[w].name, settings);
    }
}

/* The other engine, if it can do this, comes to the same end, also if it reports every
 * flit. */
static void try_engine(const End *plain, const Settings *settings, bool reports) {
    Rig *rig = machine_with(settings, "graph", TINY);
    if (!rig)
        return;
    cr_expect(!reports || jm_observe(rig->machine, UINT32_MAX, look, rig));
    run_plain(rig);
    expect_end(plain, end_of(rig), "by the other engine", settings);
    rig_close(rig);
}

/* Two threads come to the same end as one, also where a machine is too small for them
 * to pay. */
static void try_threads(const Settings *settings, Mesh mesh) {
    Rig *rig = machine_with(settings, "auto", mesh);
    JmCheckpoint *start = jm_checkpoint(rig->machine);
    jm_run(rig->machine, THREAD_CYCLES);
    End plain = end_of(rig);
    jm_restore(rig->machine, start);
    rig->machine->slabs = slabs_create(rig->machine, 2, 64);
    cr_assert_not_null(rig->machine->slabs);
    jm_run(rig->machine, THREAD_CYCLES);
    expect_end(&plain, end_of(rig), "with threads", settings);
    end_free(&plain);
    jm_checkpoint_free(start);
    rig_close(rig);
}

/* How a machine with these settings, which must be possible, ends by the plain way. */
static End end_with(const Settings *settings) {
    Rig *rig = machine_with(settings, "auto", TINY);
    cr_assert_not_null(rig, "%s", text_of(settings));
    run_plain(rig);
    const End end = end_of(rig);
    rig_close(rig);
    return end;
}

static void free_ends(End ends[BASES]) {
    for (size_t b = 0; b < BASES; b++)
        end_free(&ends[b]);
}

/* Runs a machine with these settings in every way, or if `otherwise` is given in every
 * second, and only if the plain way does not end like that. Returns whether it did. */
static bool try_settings(const Settings *settings, const End *otherwise) {
    Rig *rig = machine_with(settings, "auto", TINY);
    if (!rig)
        return false;
    JmCheckpoint *start = jm_checkpoint(rig->machine);
    run_plain(rig);
    const bool wanted = !otherwise || !has_statistics(rig, otherwise);
    if (wanted) {
        End plain = end_of(rig);
        try_ways(rig, &plain, start, settings, otherwise ? 2 : 1);
        try_engine(&plain, settings, false);
        try_engine(&plain, settings, true);
        try_threads(settings, SMALL);
        end_free(&plain);
    }
    jm_checkpoint_free(start);
    rig_close(rig);
    return wanted;
}

/* Adds up what shows that queues got full, or a cure acted. */
static void add_acts(const End *end, uint64_t acts[ACTS]) {
    for (unsigned i = 0; i < end->nodes; i++) {
        const JmNodeStatistics *s = &end->node[i];
        const uint64_t counts[ACTS] = {s->overflows[0],
                                       s->overflows[1],
                                       s->faults[JM_FAULT_QUEUE],
                                       s->faults[JM_FAULT_SEND],
                                       s->marked,
                                       s->escaped,
                                       s->brake_cycles,
                                       s->spilled,
                                       s->returns_in,
                                       s->resent};
        for (unsigned k = 0; k < ACTS; k++)
            acts[k] += counts[k];
    }
}

Test(emu_ways, every_cure) {
    uint64_t acts[ACTS] = {0};
    End ends[BASES];
    for (size_t b = 0; b < BASES; b++) {
        ends[b] = end_with(&bases[b]);
        add_acts(&ends[b], acts);
        try_settings(&bases[b], NULL);
    }
    for (unsigned k = 0; k < ACTS; k++)
        cr_expect_gt(acts[k], 0u, "act %u", k);
    free_ends(ends);
}

/* Threads at the same time, for some of the machines: they are large. */
Test(emu_ways, threads_that_pay) {
    for (size_t b = 1; b < BASES; b += 8)
        try_threads(&bases[b], LARGE);
}

/* ---- rows ------------------------------------------------------------------------ */

static Settings with(const Settings *base, const char *name, uint64_t value) {
    Settings settings = *base;
    Setting *set = settings.set;
    while (set->name)
        set++;
    *set = (Setting){name, value};
    return settings;
}

/* Whether the first and the last machine refuse a changed value: the parameter is for
 * networks without processors. */
static bool is_refused(unsigned index) {
    const JmParameter *row = jm_parameter(index);
    for (size_t b = 0; b < BASES; b += BASES - 1) {
        const JmConfig config = config_of(&bases[b], TINY);
        const uint64_t now = jm_config_get(&config, index);
        const uint64_t other = now > row->minimum ? row->minimum : now + 1;
        const Settings settings = with(&bases[b], row->name, other);
        Rig *rig = machine_with(&settings, "auto", TINY);
        if (rig)
            rig_close(rig);
        if (rig)
            return false;
    }
    return true;
}

/* Whether it only allows what would be refused. */
static bool is_permission(const JmParameter *row) {
    return strcmp(row->name, "circles") == 0;
}

/* Tries the first values that make a difference. */
static bool try_row(const JmParameter *row, const End ends[BASES]) {
    static const uint64_t values[] = {0, 1, 2, 3, 4, 7, 12, 28, 100, 1000, 60000};
    for (size_t b = 0; b < BASES; b++) {
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            if (values[v] < row->minimum || values[v] > row->maximum)
                continue;
            const Settings settings = with(&bases[b], row->name, values[v]);
            if (try_settings(&settings, &ends[b]))
                return true;
        }
    }
    return false;
}

Test(emu_ways, every_parameter) {
    End ends[BASES];
    for (size_t b = 0; b < BASES; b++)
        ends[b] = end_with(&bases[b]);
    for (unsigned i = 0; jm_parameter(i); i++)
        cr_expect(is_refused(i) || is_permission(jm_parameter(i)) ||
                      try_row(jm_parameter(i), ends),
                  "%s makes no difference", jm_parameter(i)->name);
    free_ends(ends);
}
