/* Programs that settings name: their settings, and what is counted in their timed part,
 * against the same machine run by hand to the cycles of its marks. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/exp/run/trial.h"

static Settings settings_of(const char *const words[][2], size_t count) {
    Settings settings = settings_default();
    JmError error;
    for (size_t i = 0; i < count; i++)
        cr_assert(settings_set(&settings, words[i][0], words[i][1], &error), "%s",
                  error.text);
    return settings;
}
#define SETTINGS_OF(words) settings_of(words, sizeof words / sizeof words[0])

/* Radix in a machine whose queues overflow. */
static Settings radix(const char *probe) {
    const char *const words[][2] = {{"program", "radix"},
                                    {"mesh", "3x2x2"},
                                    {"Q", "64"},
                                    {"set.radix_keys", "600"},
                                    {"probe", probe}};
    return SETTINGS_OF(words);
}

/* ---- settings -------------------------------------------------------------------- */

Test(named_program, has_the_settings_of_the_machine) {
    const char *const words[][2] = {{"m", "7"}, {"Q", "64"}, {"program", "radix"}};
    Settings settings = SETTINGS_OF(words);
    char text[SETTINGS_KEY_MAX];
    JmError error;
    cr_expect_str_eq(settings_print(&settings, true, text, sizeof text),
                     "program=radix mesh=8x8x8 Q=512");
    cr_expect_str_eq(settings_program(&settings), "radix");
    static const char *const refused[] = {
        "m", "h_more", "streams", "overflow_above", "tau", "set.", "radix_keys"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        cr_expect_not(settings_set(&settings, refused[i], "1", &error), "%s",
                      refused[i]);
    static const char *const taken[][2] = {
        {"Q1", "8"}, {"cut", "1"}, {"probe", "1"}, {"fair", "1"}, {"set.x", "1"}};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        cr_expect(settings_set(&settings, taken[i][0], taken[i][1], &error), "%s",
                  taken[i][0]);
}

Test(named_program, comes_with_jm_or_is_a_file) {
    Settings settings = settings_default();
    JmError error;
    cr_expect_not(settings_set(&settings, "program", "radx", &error));
    cr_expect(strstr(error.text, "'radix'"), "%s", error.text);
    cr_expect_not(settings_set(&settings, "program", "", &error));
    cr_expect(settings_set(&settings, "program", "fft", &error));
    cr_expect_not(settings_runs_file(&settings));
    cr_expect(settings_set(&settings, "program", "here/mine.s", &error));
    cr_expect(settings_runs_file(&settings));
    cr_expect(settings_known("set.anything") && !settings_known("set."));
}

/* --set changes a word where it is set, and no other program's. */
Test(named_program, words_are_changed_where_they_are_set) {
    static const char *const sets[] = {"set.a=1,2", "Q=64"};
    const Variation variation = {.sets = sets, .set_count = 2, .runs = 1};
    const Experiment experiment = {.name = "made",
                                   .kind = KIND_MODELS,
                                   .x = "Q",
                                   .y = "makespan",
                                   .figure = "",
                                   .quick = "program=radix; set.a=9; set.b=9; m=2"};
    Campaign campaign = campaign_open(&variation);
    JmError error;
    cr_expect_not(campaign_add(&campaign, &experiment, &error));
    campaign_close(&campaign);
    campaign = campaign_open(&variation);
    Experiment good = experiment;
    good.quick = "mesh=2x2x2; program=radix set.a=9; program=fft set.b=9; m=2";
    cr_assert(campaign_add(&campaign, &good, &error), "%s", error.text);
    static const char *const keys[] = {
        "program=radix mesh=2x2x2 Q=64 set.a=1 seed=1",
        "program=radix mesh=2x2x2 Q=64 set.a=2 seed=1",
        "program=fft mesh=2x2x2 Q=64 set.b=9 seed=1",
        "mesh=2x2x2 m=2 L=1000 p=3 h=90 Q=64 return=0 seed=1"};
    cr_assert_eq(campaign.run_count, 4);
    for (unsigned i = 0; i < 4; i++)
        cr_expect_str_eq(campaign.runs[i]->key, keys[i]);
    campaign_close(&campaign);
}

/* ---- the timed part -------------------------------------------------------------- */

/* The counters of a machine, as the field `timed` has them. */
typedef struct {
    double instructions, tasks, messages, words, overflows, sending, dispatch, idle;
    double faults, cycles, flits;
} Counts;

static Counts counts_at(JmMachine *machine, uint64_t cycle) {
    Counts c = {.cycles = 0};
    JmNetworkStatistics network;
    cr_assert_eq(jm_run(machine, cycle), JM_STOP_NONE);
    jm_network_statistics(machine, &network);
    c.flits = (double)network.bisection_flits[0];
    for (unsigned i = 0; i < jm_node_count(machine); i++) {
        JmNodeStatistics s;
        jm_node_statistics(machine, i, &s);
        c.instructions += (double)s.instructions;
        c.tasks += (double)(s.dispatches[0] + s.dispatches[1]);
        c.messages += (double)(s.messages_out[0] + s.messages_out[1]);
        c.words += (double)(s.words_out[0] + s.words_out[1]);
        c.overflows += (double)(s.overflows[0] + s.overflows[1]);
        for (unsigned k = 0; k < JM_CLASS_COUNT; k++) {
            const char *class = jm_class_key(k);
            const double cycles = (double)s.cycles[k];
            c.cycles += cycles;
            if (strncmp(class, "send", 4) == 0 || strcmp(class, "fault_send") == 0)
                c.sending += cycles;
            else if (strncmp(class, "fault_", 6) == 0 && strcmp(class, "fault_queue"))
                c.faults += cycles;
            c.dispatch += strcmp(class, "dispatch") == 0 ? cycles : 0;
            c.idle += strcmp(class, "idle") == 0 ? cycles : 0;
        }
    }
    return c;
}

#define EXPECT_TIMED(name)                                                             \
    cr_expect_eq(result_tree_number(result->timed, #name), end.name - start.name,      \
                 "%s", #name)

Test(named_program, is_counted_between_its_marks, .timeout = 600) {
    const Settings settings = radix("0");
    JmError error;
    TrialStore store = {NULL};
    Result *result = trial_run(&settings, 1, &store, NULL, NULL, &error);
    cr_assert(result, "%s", error.text);
    JmMachine *whole = made_machine(&settings, 1), *hand = made_machine(&settings, 1);
    size_t count;
    cr_assert_eq(jm_run(whole, 10000000), JM_STOP_EXIT);
    const JmMark *mark = jm_marks(whole, &count);
    cr_assert_eq(count, 2);
    const Counts start = counts_at(hand, mark[0].cycle + 1);
    const Counts end = counts_at(hand, mark[1].cycle + 1);
    cr_expect_eq(result->T, (double)(mark[1].cycle - mark[0].cycle));
    cr_expect_eq(end.cycles - start.cycles, result->T * jm_node_count(whole));
    cr_expect_gt(end.overflows, start.overflows);
    EXPECT_TIMED(instructions);
    EXPECT_TIMED(tasks);
    EXPECT_TIMED(messages);
    EXPECT_TIMED(words);
    EXPECT_TIMED(overflows);
    EXPECT_TIMED(sending);
    EXPECT_TIMED(dispatch);
    EXPECT_TIMED(idle);
    EXPECT_TIMED(faults);
    EXPECT_TIMED(cycles);
    EXPECT_TIMED(flits);
    cr_expect_eq(result_tree_number(result->timed, "longest"), 64);
    cr_expect_null(json_object_get(result->timed, "overflow"));
    result_free(result);
    trial_store_empty(&store);
    jm_destroy(whole);
    jm_destroy(hand);
}

/* A probe changes nothing but adds the handlers' cycles, all in the timed part here. */
Test(named_program, has_the_cycles_of_overflow_handlers, .timeout = 600) {
    const Settings plain = radix("0"), probed = radix("1");
    JmError error;
    TrialStore store = {NULL};
    Result *a = trial_run(&plain, 1, &store, NULL, NULL, &error);
    Result *b = trial_run(&probed, 1, &store, NULL, NULL, &error);
    cr_assert(a && b, "%s", error.text);
    double cycles = 0;
    const char *name;
    json_t *cost;
    json_object_foreach (b->costs, name, cost)
        cycles += result_tree_number(cost, "cycles");
    cr_expect_gt(cycles, 1000);
    cr_expect_eq(result_tree_number(b->timed, "overflow"), cycles);
    json_object_del(b->timed, "overflow");
    cr_expect(json_equal(a->timed, b->timed));
    cr_expect_eq(a->T, b->T);
    trial_store_empty(&store);
    result_free(a);
    result_free(b);
}
