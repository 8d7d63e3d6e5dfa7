/* A run against the same machine, which the test runs cycle by cycle. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/run/probe.h"
#include "tools/exp/run/trial.h"

enum { SEED = 2, SAMPLES_MAX = 512 };

/* What is looked at between the marks, at [cycle, fullest queue, all queues, nodes with
 * messages in their overflow buffer]; and how often any queue was too long. */
typedef struct {
    JmMachine *machine;
    uint64_t start;
    double samples[SAMPLES_MAX][4];
    unsigned count;
    json_t *frames;              /* NULL: none are wanted */
    double most, from, to;       /* words of a queue, 0: none; when looks count */
    double looks, over, entries; /* cycles; those with a longer queue; beginnings */
    bool was_over;
} Hand;

static void look(Hand *hand, uint64_t time, uint32_t token) {
    double *sample = hand->samples[hand->count++];
    sample[0] = (double)time;
    for (unsigned i = 0; i < jm_node_count(hand->machine); i++) {
        const double words = jm_queue_words(hand->machine, i, 0);
        sample[1] = fmax(sample[1], words);
        sample[2] += words;
        sample[3] += jm_data(jm_read(hand->machine, i, token)) != 0;
    }
}

/* [cycle, [[node, words in its queue, words in its overflow buffer]...]], of nodes that
 * have either. The buffer is a ring from its second word to its first. */
static void keep_frame(Hand *hand, uint64_t time, uint32_t ring) {
    json_t *nodes = json_array();
    for (unsigned i = 0; i < jm_node_count(hand->machine); i++) {
        const int64_t in = jm_data(jm_read(hand->machine, i, ring));
        const int64_t out = jm_data(jm_read(hand->machine, i, ring + 1));
        const int64_t held = in >= out ? in - out : in - out + 0x20000;
        const uint32_t words = jm_queue_words(hand->machine, i, 0);
        if (words > 0 || held > 0)
            json_array_append_new(
                nodes, json_pack("[i, i, i]", (int)i, (int)words, (int)held));
    }
    json_array_append_new(hand->frames, json_pack("[i, o]", (int)time, nodes));
}

/* Counts a cycle, and whether a queue is too long in it. */
static void watch(Hand *hand, uint64_t time) {
    bool over = false;
    if ((double)time < hand->from || (double)time >= hand->to)
        return;
    for (unsigned i = 0; i < jm_node_count(hand->machine); i++)
        over = over || jm_queue_words(hand->machine, i, 0) > hand->most;
    hand->looks++;
    hand->over += over;
    hand->entries += over && !hand->was_over;
    hand->was_over = over;
}

/* Runs to the end; looks each half millisecond up to 10, then each millisecond. The
 * first mark is awaited and queues are watched cycle by cycle. */
static void run(Hand *hand) {
    uint32_t queue;
    size_t marks = 0;
    JmStop stop = JM_STOP_NONE;
    cr_assert(jm_symbol(hand->machine, "overflow_queue0", &queue));
    while (stop == JM_STOP_NONE || stop == JM_STOP_LIMIT) {
        const uint64_t time = jm_now(hand->machine) - hand->start;
        if (marks == 1 && time && time % (time <= 100000 ? 5000 : 10000) == 0 &&
            hand->count < SAMPLES_MAX) {
            look(hand, time, queue + 3);
            if (hand->frames)
                keep_frame(hand, time, queue);
        }
        if (marks == 1 && hand->most > 0)
            watch(hand, time);
        const uint64_t step = marks == 1 && hand->most == 0 ? 100 - time % 100 : 1;
        stop = jm_run(hand->machine, jm_now(hand->machine) + step);
        const JmMark *mark = jm_marks(hand->machine, &marks);
        hand->start = marks ? mark[0].cycle : 0;
    }
    cr_assert_eq(stop, JM_STOP_EXIT);
}

static void has(const json_t *record, const char *name, double wanted) {
    const double got = made_figure(record, name);
    cr_expect(isfinite(wanted) ? made_same(got, wanted) : isnan(got),
              "%s %.12g instead of %.12g", name, got, wanted);
}

static void has_at(const json_t *list, size_t place, double wanted, const char *name) {
    const double got = json_number_value(json_array_get(list, place));
    cr_expect(made_same(got, wanted), "%s[%zu] %.12g instead of %.12g", name, place,
              got, wanted);
}

static void expect_samples(const json_t *record, const Hand *hand) {
    const json_t *series = json_object_get(record, "series");
    cr_expect_eq(json_array_size(series), hand->count, "%zu instead of %u samples",
                 json_array_size(series), hand->count);
    for (unsigned i = 0; i < hand->count; i++)
        for (unsigned k = 0; k < 4; k++)
            has_at(json_array_get(series, i), k, hand->samples[i][k], "series");
}

typedef struct {
    double faults[JM_FAULT_COUNT], overflows[2], longest[2], out[2];
    double instructions, first, spilled, peak, returns, braked;
    unsigned places;
} Sums;

/* Sums over the nodes, and lists by node. */
static void expect_nodes(const json_t *record, const Hand *hand) {
    Sums sums = {.first = INFINITY};
    const unsigned nodes = jm_node_count(hand->machine);
    const json_t *places = json_object_get(record, "places");
    for (unsigned i = 0; i < nodes; i++) {
        JmNodeStatistics s;
        jm_node_statistics(hand->machine, i, &s);
        has_at(json_object_get(record, "send"), i, (double)s.faults[JM_FAULT_SEND],
               "send");
        has_at(json_object_get(record, "depth"), i, round(100 * s.queue_mean_words[0]),
               "depth");
        has_at(json_object_get(record, "deepest"), i, s.queue_max_words[0], "deepest");
        for (unsigned p = 0; p < 2; p++) {
            sums.overflows[p] += (double)s.overflows[p];
            sums.longest[p] = fmax(sums.longest[p], s.queue_max_words[p]);
            sums.out[p] += (double)s.messages_out[p];
        }
        sums.instructions += (double)s.instructions;
        sums.faults[JM_FAULT_QUEUE] += (double)s.faults[JM_FAULT_QUEUE];
        sums.spilled += (double)s.spilled;
        sums.peak = fmax(sums.peak, (double)s.spill_peak);
        sums.braked += (double)s.brake_cycles;
        if (!s.overflows[0])
            continue;
        const double at = (double)s.first_overflow_cycle - (double)hand->start;
        const json_t *place = json_array_get(places, sums.places++);
        sums.first = fmin(sums.first, at);
        has_at(place, 0, i, "places");
        has_at(place, 1, (double)s.overflows[0], "places");
        has_at(place, 2, at, "places");
    }
    cr_expect_eq(json_array_size(places), sums.places);
    has(record, "instructions", sums.instructions);
    has(record, "overflows", sums.overflows[0]);
    has(record, "overflows1", sums.overflows[1]);
    has(record, "longest", sums.longest[0]);
    has(record, "longest1", sums.longest[1]);
    has(record, "first_overflow", sums.first);
    has(record, "spilled", sums.spilled);
    has(record, "spill_peak", sums.peak);
    has(record, "share1", sums.out[1] / (sums.out[0] + sums.out[1]));
    has(record, "brake_share",
        sums.braked / ((double)nodes * (double)jm_now(hand->machine)));
    has(json_object_get(record, "faults"), "queue",
        sums.faults[JM_FAULT_QUEUE] > 0 ? sums.faults[JM_FAULT_QUEUE] : NAN);
}

/* On a machine of 4x2x2: four lines in X, and the cut behind each x. A message has 8
 * flits and its header. */
static void expect_wires(const json_t *record, const Hand *hand, double headers) {
    size_t marks;
    const JmMark *mark = jm_marks(hand->machine, &marks);
    const double timed = (double)(mark[1].cycle - mark[0].cycle);
    JmNetworkStatistics n;
    jm_network_statistics(hand->machine, &n);
    const json_t *transit = json_object_get(record, "transit");
    has(record, "T", timed);
    has(record, "wire_x", (double)n.bisection_flits[0] / 4 / timed);
    has(transit, "min", (double)n.transit.min);
    has(transit, "mean", n.transit.mean);
    has(transit, "max", (double)n.transit.max);
    for (unsigned x = 0; x < 3; x++) {
        double crossed = 0;
        for (unsigned line = 0; line < 4; line++) {
            const unsigned node = 4 * line + x;
            const double up = (double)jm_link_flits(hand->machine, node, 0, true);
            const double down =
                (double)jm_link_flits(hand->machine, node + 1, 0, false);
            const json_t *link = json_array_get(json_object_get(record, "links"), x);
            crossed += up + down;
            if (line == 0)
                has_at(link, 0, up, "links");
            if (line == 0)
                has_at(link, 1, down, "links");
        }
        has_at(json_object_get(record, "cuts"), x,
               crossed / made_figure(record, "hops") / (8 + headers), "cuts");
    }
    cr_expect_eq(json_array_size(json_object_get(record, "cuts")), 3);
    cr_expect_eq(json_array_size(json_object_get(record, "links")), 3);
}

/* Overflows; more than 10 ms; priority 1, a ring, a brake; other headers. */
Test(trial, is_what_the_machine_does, .timeout = 600) {
    static const struct {
        const char *sweep;
        double headers;
    } rows[] = {
        {"mesh=4x2x2 m=4 L=20 Q=32 h=45", 3},
        {"mesh=4x2x2 m=8 L=150 h=125", 3},
        {"mesh=4x2x2 m=5 L=20 h=60 return=2 spill_mark=40 Q=64", 3},
        {"mesh=4x2x2 m=5 L=20 h=60 brake_mark=24 brake_patience=2000 header_flits=1",
         1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Campaign campaign = made_campaign(rows[i].sweep, 1);
        const Settings *settings = &campaign.runs[0]->settings;
        json_t *record = made_trial(settings, SEED, NULL);
        Hand hand = {.machine = made_machine(settings, SEED)};
        run(&hand);
        has(record, "cycles", (double)jm_now(hand.machine));
        has(record, "status", jm_exit_value(hand.machine));
        expect_samples(record, &hand);
        expect_nodes(record, &hand);
        expect_wires(record, &hand, rows[i].headers);
        jm_destroy(hand.machine);
        json_decref(record);
        campaign_close(&campaign);
    }
}

/* A machine that is kept from run to run gives what a new one does, whatever it did
 * before: the same with other seeds, with and without an end, with each cure, and other
 * programs, of which some time a part. */
Test(trial, does_not_know_what_ran_before, .timeout = 600) {
    static const char *const sweeps[] = {
        "mesh=4x2x2 m=4 L=8 Q=32 h=45",
        "mesh=4x2x2 m=5 L=8 h=60 spill_mark=40 Q=64",
        "mesh=4x2x2 m=5 L=8 h=60 brake_mark=24 brake_patience=2000",
        "mesh=4x2x2 m=5 L=8 h=60 Q=64 Q1=64 hwm_mark=16",
        "mesh=4x2x2 m=8 L=8 h=45 Q=64 send_faults=0 rts=1 rts_backoff=2000",
        "mesh=4x2x2 m=8 L=20 h=45 Q=32 send_faults=0 rts=1 cut=12000",
        "mesh=3x2x2 Q=64; program=radix set.radix_keys=600; L=5; program=radix "
        "set.radix_keys=600 probe=1"};
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        Campaign campaign = made_campaign(sweeps[i], 1);
        TrialStore store = {NULL};
        for (size_t run = 0; run < 2 * campaign.run_count; run++) {
            const Settings *settings = &campaign.runs[run / 2]->settings;
            json_t *kept = made_trial(settings, run + 1, &store);
            json_t *fresh = made_trial(settings, run + 1, NULL);
            cr_expect(json_equal(kept, fresh), "%s, run %zu", sweeps[i], run);
            json_decref(kept);
            json_decref(fresh);
        }
        trial_store_empty(&store);
        campaign_close(&campaign);
    }
}

/* Around the first overflow there are twenty windows before it and sixty behind, each
 * beginning where the one before ended, however long the run had gone on until then. */
Test(trial, windows_around_the_first_overflow) {
    Campaign campaign = made_campaign("mesh=4x4x4 m=7 L=100 Q=128 h=45 probe=3", 1);
    json_t *record = made_trial(&campaign.runs[0]->settings, 1, NULL);
    const json_t *jam = json_object_get(record, "jam");
    const json_t *windows = json_object_get(jam, "windows");
    double end = NAN, before = 0;
    cr_expect_eq(json_array_size(windows), 80);
    for (size_t i = 0; i < json_array_size(windows); i++) {
        const json_t *window = json_array_get(windows, i);
        const double time = made_figure(window, "time");
        const double cycles = made_figure(window, "cycles");
        cr_expect(cycles >= 100 && (i == 0 || time - cycles == end), "window %zu", i);
        end = time;
        before += time < 0;
    }
    cr_expect(before >= 19 && before <= 20, "%g before", before);
    json_decref(record);
    campaign_close(&campaign);
}

/* Tasks of a lone message take as long as its handler, also beside the few of the
 * barrier; what a node does before the first mark does not count. Node 0 also watches
 * the run in background. */
Test(trial, tasks_take_as_long_as_the_handler) {
    Campaign campaign = made_campaign("mesh=2x2x1 m=1 L=400 h=60,300 probe=4", 1);
    for (size_t i = 0; i < campaign.run_count; i++) {
        json_t *record = made_trial(&campaign.runs[i]->settings, 1, NULL);
        const json_t *handling = json_object_get(record, "handling");
        cr_assert_eq(json_array_size(handling), 4);
        for (size_t node = 1; node < 4; node++) {
            const double cycles =
                json_number_value(json_array_get(handling, node)) / 100;
            const double h = made_figure(record, "h_got");
            cr_expect(fabs(cycles / h - 1) < 0.03, "node %zu: %g of %g", node, cycles,
                      h);
        }
        json_decref(record);
    }
    campaign_close(&campaign);
}

/* Looks at all queues, however full they and the buffers behind them are. */
Test(trial, frames_hold_queues_and_buffers) {
    Campaign campaign = made_campaign("mesh=3x2x2 m=8 L=40 Q=32 h=45 probe=2", 1);
    const Settings *settings = &campaign.runs[0]->settings;
    json_t *record = made_trial(settings, SEED, NULL);
    Hand hand = {.machine = made_machine(settings, SEED), .frames = json_array()};
    run(&hand);
    const json_t *frames = json_object_get(record, "frames");
    cr_assert_geq(json_array_size(frames), hand.count);
    unsigned held = 0;
    for (unsigned i = 0; i < hand.count; i++) {
        const json_t *frame = json_array_get(frames, i);
        const json_t *nodes = json_array_get(frame, 1);
        cr_expect(json_equal(frame, json_array_get(hand.frames, i)), "frame %u", i);
        for (size_t k = 0; k < json_array_size(nodes); k++) {
            const json_t *node = json_array_get(nodes, k);
            held += json_integer_value(json_array_get(node, 2)) > 0;
        }
    }
    cr_expect_geq(held, 3);
    jm_destroy(hand.machine);
    json_decref(hand.frames);
    json_decref(record);
    campaign_close(&campaign);
}

/* Nodes with a buffer behind an empty queue are in a frame; both buffers go over the
 * end of their ring, which the first nearly fills. */
Test(trial, frames_hold_buffers_behind_empty_queues) {
    Campaign campaign = made_campaign("mesh=3x2x2 probe=2", 1);
    const Settings *settings = &campaign.runs[0]->settings;
    JmMachine *machine = made_machine(settings, SEED);
    ProbeState *probe = NULL;
    JmError error;
    uint32_t ring;
    cr_assert(probe_open(&probe, settings, machine, &error), "%s", error.text);
    cr_assert(jm_symbol(machine, "overflow_queue0", &ring));
    jm_write(machine, 7, ring, jm_int(0x40003));
    jm_write(machine, 7, ring + 1, jm_int(0x40010));
    jm_write(machine, 11, ring, jm_int(0x40002));
    jm_write(machine, 11, ring + 1, jm_int(0x5FFFD));
    probe_sample(probe);
    Result *result = result_create("key");
    probe_result(probe, result);
    json_t *wanted =
        json_pack("[[i, [[i, i, i], [i, i, i]]]]", 0, 7, 0, 0x1FFF3, 11, 0, 5);
    cr_expect(json_equal(result->frames, wanted));
    json_decref(wanted);
    result_free(result);
    probe_close(probe);
    jm_destroy(machine);
    campaign_close(&campaign);
}

/* What a few looks in the time of a service find is near what looks in every cycle do,
 * in the middle half of the work, m L h. */
Test(trial, looks_find_queues_that_are_too_long) {
    static const char *const sweeps[] = {
        "mesh=3x2x2 m=6 L=150 h=100 p=2 overflow_above=16",
        "mesh=4x2x2 m=4 L=150 h=130 h_more=7 overflow_above=11"};
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        Campaign campaign = made_campaign(sweeps[i], 1);
        const Settings *settings = &campaign.runs[0]->settings;
        json_t *record = made_trial(settings, SEED, NULL);
        const double work = settings_number(settings, "m") * 150 * (i ? 130 : 100);
        Hand hand = {.machine = made_machine(settings, SEED),
                     .most = i ? 11 * 4 : 16 * 3,
                     .from = work / 4,
                     .to = work * 3 / 4};
        run(&hand);
        const double service = made_figure(record, "h_got");
        const double none = made_figure(record, "p_no_overflow");
        const double rate = made_figure(record, "overflow_rate");
        const double often = hand.entries * service / hand.looks;
        cr_expect_lt(fabs(none + hand.over / hand.looks - 1), 0.03, "%s", sweeps[i]);
        cr_expect_lt(fabs(rate / often - 1), 0.25, "%s", sweeps[i]);
        jm_destroy(hand.machine);
        json_decref(record);
        campaign_close(&campaign);
    }
}

/* Queues that are always too long never become so. */
Test(trial, queues_that_are_always_too_long) {
    Campaign campaign = made_campaign("mesh=4x2x2 m=5 L=20 h=90 overflow_above=0", 1);
    json_t *record = made_trial(&campaign.runs[0]->settings, 1, NULL);
    has(record, "p_no_overflow", 0);
    has(record, "overflow_rate", 0);
    json_decref(record);
    campaign_close(&campaign);
}
