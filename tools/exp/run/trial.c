/* Does one run: makes the machine, samples it while it runs, and collects the result.
 * Snakes and wire set two marks. A named program sets any number, and stops at each so
 * that its timed part is counted exactly.
 */
#include "tools/exp/run/trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/run/probe.h"
#include "tools/host/values.h"
#include "tools/jm/program.h"

/* Sampling, in cycles at 10 MHz: every 0.5 ms for 10 ms, while the queues leave their
 * balanced start, then every millisecond. Before the first mark the machine runs in
 * slices of START_SLICE. A named program may run for long: it has SAMPLES_MAX samples
 * at most, and is cut after PROGRAM_CYCLES if its settings do not say when. */
enum { EARLY_EVERY = 5000, EVERY = 10000, EARLY_END = 100000, START_SLICE = 1000 };
enum { SAMPLES_MAX = 1000, PROGRAM_CYCLES = 2000000000 };

/* Offset in words from overflow_queue0 (kernel/overflow.s) of the token of a queue that
 * is in overflow; the word is 0 if it is not. */
enum { TOKEN_PLACE = 3 };

/* The network's default header flits. */
enum { HEADER_FLITS = 3 };

/* Characters of the program's output kept to explain why a run failed. */
enum { SAID_MAX = 1024 };

/* A run in progress. */
typedef struct {
    JmMachine *machine;
    bool kept; /* the machine stays in the store */
    ProbeState *probe;
    bool named; /* a named program runs */
    bool (*stop)(void *context);
    void *context;
    uint64_t start; /* cycle of the first mark */
    uint64_t limit; /* cycle at which the run is cut */
    uint32_t token; /* address of overflow_queue0 */
    Result *result;
    bool stopped;            /* `stop` ended the run */
    char said[SAID_MAX + 1]; /* end of the program's output */
    size_t said_length;
} Trial;

/* ---- before ---------------------------------------------------------------------- */

/* Returns a program that comes with jm; NULL if there is none of this name. */
static const EmbeddedFile *find_image(const char *program) {
    char name[SETTING_TEXT_MAX + 4];
    snprintf(name, sizeof name, "%s.elf", program);
    const EmbeddedFile *file = embedded_files;
    while (file->name && strcmp(file->name, name) != 0)
        file++;
    return file->name ? file : NULL;
}

/* Returns the cycle at which a run is cut: from its settings, or one that no run of the
 * thesis needs; runs whose queues thrash would hardly end. */
static uint64_t limit_of(const Settings *settings) {
    if (settings_text(settings, "cut"))
        return (uint64_t)settings_number(settings, "cut");
    if (settings_text(settings, "program"))
        return PROGRAM_CYCLES;
    const double work = settings_number(settings, "m") *
                        settings_number(settings, "L") *
                        (settings_number(settings, "h") + 100);
    return (uint64_t)(work * 300) + 50000000;
}

void trial_store_empty(TrialStore *store) {
    jm_checkpoint_free(store->loaded);
    jm_destroy(store->machine);
    *store = (TrialStore){.machine = NULL};
}

/* Whether machines of two configurations differ only in the seed. If only unused bytes
 * of the structures differ, a machine is needlessly made anew. */
static bool same_but_seed(const JmConfig *a, const JmConfig *b) {
    JmConfig other = *b;
    other.seed = a->seed;
    return memcmp(a, &other, sizeof other) == 0;
}

/* Reuses the machine of the last run. False: it does not fit, or could not be
 * restored. */
static bool take_over(TrialStore *store, const JmConfig *config,
                      const EmbeddedFile *image) {
    if (!store->machine || store->image != image ||
        !same_but_seed(jm_config(store->machine), config))
        return false;
    jm_observe(store->machine, 0, NULL, NULL);
    if (!jm_restore(store->machine, store->loaded))
        return false;
    jm_set_seed(store->machine, config->seed);
    return true;
}

/* Makes a machine with a program: `image`, or the file `path` if that is NULL. NULL and
 * an error. */
static JmMachine *make(const JmConfig *config, const EmbeddedFile *image,
                       const char *path, JmError *error) {
    JmMachine *machine = jm_create(config, error);
    if (machine && (image ? jm_load_elf(machine, image->bytes, image->size, image->name,
                                        JM_ALL_NODES, error)
                          : program_load(machine, path, false, true, error)))
        return machine;
    jm_destroy(machine);
    return NULL;
}

/* Returns the machine of a run, with its program; the store keeps it if it can, and
 * *kept says whether it does. It keeps no program of a file. NULL and an error. */
static JmMachine *machine_of(TrialStore *store, const JmConfig *config,
                             const EmbeddedFile *image, const char *path, bool *kept,
                             JmError *error) {
    *kept = image && take_over(store, config, image);
    if (*kept)
        return store->machine;
    trial_store_empty(store);
    JmMachine *machine = make(config, image, path, error);
    JmCheckpoint *loaded = machine && image ? jm_checkpoint(machine) : NULL;
    if (loaded)
        *store = (TrialStore){.machine = machine, .loaded = loaded, .image = image};
    *kept = loaded != NULL;
    return machine;
}

/* Makes the machine of a run, with its program and words set. */
static bool prepare(Trial *trial, const Settings *settings, uint64_t seed,
                    TrialStore *store, JmError *error) {
    JmConfig config = jm_config_default();
    config.seed = seed;
    if (!settings_configure(settings, &config, error))
        return false;
    const char *program = settings_program(settings);
    const EmbeddedFile *image = find_image(program);
    if (!image && !settings_runs_file(settings))
        return jm_fail(error, NULL, "this jm was built without %s", program);
    trial->machine = machine_of(store, &config, image, program, &trial->kept, error);
    trial->limit = limit_of(settings);
    trial->named = settings_text(settings, "program") != NULL;
    return trial->machine && settings_apply(settings, trial->machine, error) &&
           (jm_symbol(trial->machine, "overflow_queue0", &trial->token) ||
            jm_fail(error, NULL, "%s has no overflow_queue0", program)) &&
           probe_open(&trial->probe, settings, trial->machine, error);
}

/* ---- the run --------------------------------------------------------------------- */

/* Receives the program's output, and keeps the end of it. */
static void hear(void *context, const char *bytes, size_t count) {
    Trial *trial = context;
    const size_t kept = count < SAID_MAX ? count : SAID_MAX;
    const size_t left = SAID_MAX - kept;
    const size_t old = trial->said_length < left ? trial->said_length : left;
    memmove(trial->said, trial->said + trial->said_length - old, old);
    memcpy(trial->said + old, bytes + count - kept, kept);
    trial->said_length = old + kept;
}

static size_t marks(const Trial *trial) {
    size_t count;
    jm_marks(trial->machine, &count);
    return count;
}

/* Appends [time, fullest queue, all queues, nodes in overflow] to the series. */
static void sample(Trial *trial) {
    uint64_t fullest = 0, all = 0, overflowed = 0;
    for (unsigned node = 0; node < jm_node_count(trial->machine); node++) {
        const uint32_t words = jm_queue_words(trial->machine, node, 0);
        const JmWord token = jm_read(trial->machine, node, trial->token + TOKEN_PLACE);
        fullest = words > fullest ? words : fullest;
        all += words;
        overflowed += jm_data(token) != 0;
    }
    const double time = (double)(jm_now(trial->machine) - trial->start);
    result_push(&trial->result->series,
                (double[]){time, (double)fullest, (double)all, (double)overflowed});
}

/* Whether the series of a named program goes on; that of the Snakes has no end. */
static bool has_room(const Trial *trial) {
    return !trial->named || trial->result->series.count < SAMPLES_MAX;
}

/* Runs to `cycle`, or to the end of the run. Returns whether the run goes on. */
static bool advance(Trial *trial, uint64_t cycle, JmStop *stop) {
    trial->stopped = trial->stop && trial->stop(trial->context);
    if (trial->stopped)
        return false;
    *stop = probe_run(trial->probe, cycle);
    if (*stop == JM_STOP_BREAK)
        probe_mark(trial->probe);
    if (*stop == JM_STOP_NONE || *stop == JM_STOP_BREAK)
        *stop = JM_STOP_LIMIT;
    return *stop == JM_STOP_LIMIT && jm_now(trial->machine) < trial->limit;
}

/* The program sets a mark where its timed part begins and one where it ends. Samples
 * are taken between the two marks, at multiples of EARLY_EVERY from the first. */
static JmStop run(Trial *trial) {
    JmStop stop = JM_STOP_NONE;
    while (marks(trial) == 0)
        if (!advance(trial, jm_now(trial->machine) + START_SLICE, &stop))
            return stop;
    size_t count;
    trial->start = jm_marks(trial->machine, &count)[0].cycle;
    probe_start(trial->probe, trial->start);
    uint64_t next = 0;
    do {
        next += next < EARLY_END ? EARLY_EVERY : EVERY;
        /* The slice with the mark ended after it: skip sample times that have
         * passed. */
        while (trial->start + next <= jm_now(trial->machine))
            next += EARLY_EVERY;
        if (!advance(trial, trial->start + next, &stop))
            return stop;
        if (marks(trial) == 1 && has_room(trial))
            sample(trial);
        probe_sample(trial->probe);
    } while (true);
}

/* ---- after ----------------------------------------------------------------------- */

/* Returns the value of a word of node 0; NaN if the program has no such word. */
static double word(const Trial *trial, const char *name) {
    uint32_t address;
    if (!jm_symbol_word(trial->machine, name, &address))
        return NAN;
    return (int32_t)jm_data(jm_read(trial->machine, 0, address));
}

/* Returns the faults of all nodes by name, without those that never happened. */
static json_t *faults_of(const uint64_t *faults) {
    static const char *const name[] = {
#define FAULT(id, number, key, text) [number] = #key,
#include "emu/isa/faults.def"
#undef FAULT
    };
    json_t *object = json_object();
    for (unsigned i = 0; i < JM_FAULT_COUNT; i++)
        if (faults[i] && name[i])
            json_object_set_new(object, name[i], json_integer((json_int_t)faults[i]));
    return object;
}

/* Adds a node to the lists of the result. */
static void add_node(const Trial *trial, unsigned node) {
    Result *r = trial->result;
    JmNodeStatistics s;
    jm_node_statistics(trial->machine, node, &s);
    result_push(&r->send, &(double){(double)s.faults[JM_FAULT_SEND]});
    result_push(&r->depth, &(double){floor(s.queue_mean_words[0] * 100 + 0.5)});
    result_push(&r->deepest, &(double){s.queue_max_words[0]});
    if (!s.overflows[0])
        return;
    /* Before the first mark it is negative. */
    const double at = (double)(int64_t)(s.first_overflow_cycle - trial->start);
    r->first_overflow = fmin(r->first_overflow, at);
    result_push(&r->places, (double[]){node, (double)s.overflows[0], at});
}

/* Adds all figures that are lists or sums over the nodes. */
static void add_nodes(const Trial *trial) {
    Result *r = trial->result;
    const unsigned nodes = jm_node_count(trial->machine);
    const JmNodeStatistics sum = jm_statistics(trial->machine);
    r->instructions = (double)sum.instructions;
    r->overflows = (double)sum.overflows[0];
    r->overflows1 = (double)sum.overflows[1];
    r->longest = sum.queue_max_words[0];
    r->longest1 = sum.queue_max_words[1];
    r->spilled = (double)sum.spilled;
    r->spill_peak = (double)sum.spill_peak;
    r->returns = (double)sum.returns_in;
    for (unsigned node = 0; node < nodes; node++)
        add_node(trial, node);
    const double out = (double)sum.messages_out[0], out1 = (double)sum.messages_out[1];
    r->faults = faults_of(sum.faults);
    r->share1 = out1 / fmax(out + out1, 1);
    r->brake_share =
        (double)sum.brake_cycles / ((double)nodes * (double)jm_now(trial->machine));
}

static void add_network(const Trial *trial) {
    Result *r = trial->result;
    JmNetworkStatistics n;
    jm_network_statistics(trial->machine, &n);
    const JmConfig *config = jm_config(trial->machine);
    const double wires = config->size_y * config->size_z;
    r->wire_x = (double)n.bisection_flits[0] / (wires * r->T);
    r->transit =
        json_pack("{s:I, s:o, s:I}", "min", (json_int_t)n.transit.min, "mean",
                  jvalue_number(n.transit.mean), "max", (json_int_t)n.transit.max);
}

/* Adds, for the cut behind each x, the messages that crossed it as a share of all hops.
 * Flits are counted on the wires; a message has 2 flits a word and its header flits. */
static void add_cuts(const Trial *trial, const Settings *settings) {
    const JmConfig *config = jm_config(trial->machine);
    const char *headers = settings_text(settings, "header_flits");
    const double flits = 2 * (settings_number(settings, "p") + 1) +
                         (headers ? strtod(headers, NULL) : HEADER_FLITS);
    const double hops = trial->result->hops > 0 ? trial->result->hops : 1;
    for (unsigned x = 0; x + 1 < config->size_x; x++) {
        uint64_t crossed = 0;
        for (unsigned i = x; i < jm_node_count(trial->machine); i += config->size_x)
            crossed += jm_link_flits(trial->machine, i, 0, true) +
                       jm_link_flits(trial->machine, i + 1, 0, false);
        result_push(&trial->result->cuts, &(double){(double)crossed / hops / flits});
    }
}

/* Adds the flits on the wires of the line y = z = 0. */
static void add_links(const Trial *trial) {
    for (unsigned x = 0; x + 1 < jm_config(trial->machine)->size_x; x++)
        result_push(&trial->result->links,
                    (double[]){(double)jm_link_flits(trial->machine, x, 0, true),
                               (double)jm_link_flits(trial->machine, x + 1, 0, false)});
}

/* Returns the exit status of a run: the program's; -1 if the run did not end by itself;
 * 0 if its settings allow that. */
static int status_of(const Trial *trial, const Settings *settings, JmStop stop) {
    if (stop == JM_STOP_EXIT)
        return jm_exit_value(trial->machine);
    return settings_text(settings, "cut") &&
                   (stop == JM_STOP_LIMIT || stop == JM_STOP_DEADLOCK)
               ? 0
               : -1;
}

static void add_text(void *list, const char *row) {
    json_array_append_new(list, jvalue_text(row));
}

/* Returns a line of output without "node N: " before it. */
static const char *without_node(const char *line) {
    const size_t digits = strspn(line + strcspn(line, " ") + 1, "0123456789");
    const char *rest = line + strlen("node ") + digits;
    return strncmp(line, "node ", 5) == 0 && strncmp(rest, ": ", 2) == 0 ? rest + 2
                                                                         : line;
}

/* Appends the last complete lines of the program's output; of consecutive lines that
 * differ only in the node, the first. */
static void add_said(Trial *trial, json_t *list) {
    char *line = trial->said, *rest = NULL;
    const char *last = "";
    trial->said[trial->said_length] = '\0';
    if (trial->said_length == SAID_MAX)
        line += strcspn(line, "\n");
    for (line = strtok_r(line, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strcmp(without_node(line), last) != 0)
            add_text(list, line);
        last = without_node(line);
    }
}

/* Returns the message that `jm run` would print for a failed run: how it ended, why,
 * and the program's output. */
static json_t *why_of(Trial *trial, JmStop stop) {
    json_t *list = json_array();
    char row[64];
    snprintf(row, sizeof row, "%s after %" PRIu64 " cycles",
             stop == JM_STOP_LIMIT ? "cut" : jm_stop_name(stop),
             jm_now(trial->machine));
    add_text(list, row);
    if (stop != JM_STOP_LIMIT)
        jm_explain(trial->machine, add_text, list);
    jm_end_output(trial->machine);
    add_said(trial, list);
    return list;
}

/* Fills in the result of a run. */
static void collect(Trial *trial, const Settings *settings, JmStop stop) {
    Result *r = trial->result;
    size_t count;
    const JmMark *mark = jm_marks(trial->machine, &count);
    result_add_text(r, "stop", jm_stop_name(stop));
    r->status = status_of(trial, settings, stop);
    r->cycles = (double)jm_now(trial->machine);
    const size_t last = trial->named && count > 1 ? count - 1 : 1;
    if (count > last && mark[last].cycle > mark[0].cycle)
        r->T = (double)(mark[last].cycle - mark[0].cycle);
    r->hops = word(trial, "snakes_hops");
    r->h_got = word(trial, "snakes_h_got");
    r->h_min = word(trial, "snakes_h_min");
    r->deadlock = stop == JM_STOP_DEADLOCK;
    add_nodes(trial);
    add_network(trial);
    add_cuts(trial, settings);
    add_links(trial);
    if (r->status != 0)
        result_add_tree(r, "why", why_of(trial, stop));
    probe_result(trial->probe, r);
}

/* Runs a machine that is prepared. False, and an error unless `stop` ended the run. */
static bool run_to_end(Trial *trial, const Settings *settings, JmError *error) {
    jm_set_output(trial->machine, hear, trial);
    jm_stop_at_marks(trial->machine, trial->named);
    const JmStop why = run(trial);
    if (why == JM_STOP_MEMORY)
        return jm_fail(error, NULL, "no memory for the machine to run on");
    if (!trial->stopped)
        collect(trial, settings, why);
    return !trial->stopped;
}

Result *trial_run(const Settings *settings, uint64_t seed, TrialStore *store,
                  bool (*stop)(void *context), void *context, JmError *error) {
    char key[SETTINGS_KEY_MAX];
    Trial trial = {.stop = stop,
                   .context = context,
                   .result =
                       result_create(settings_key(settings, seed, key, sizeof key))};
    *error = (JmError){.offset = -1};
    const bool good = prepare(&trial, settings, seed, store, error) &&
                      run_to_end(&trial, settings, error);
    probe_close(trial.probe);
    if (trial.machine)
        jm_set_output(trial.machine, NULL, NULL);
    if (!trial.kept)
        jm_destroy(trial.machine);
    if (good)
        return trial.result;
    result_free(trial.result);
    return NULL;
}
