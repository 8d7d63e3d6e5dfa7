/* The journal belongs to one process, before and after it was read back. It takes what
 * runs of this jm can have had as results, and nothing else. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/exp/made.h"
#include "tools/exp/run/conduct.h"
#include "tools/exp/run/trial.h"

static const char machine[] = "mesh=4x2x1 m=4 L=4 Q=32 h=45 probe=3";

/* A folder with a journal. */
typedef struct {
    char folder[32], path[64];
} Place;

static Place make_place(void) {
    Place place = {.folder = "/tmp/journal.XXXXXX"};
    cr_assert(mkdtemp(place.folder));
    snprintf(place.path, sizeof place.path, "%s/runs.jsonl", place.folder);
    return place;
}

static void remove_place(const Place *place) {
    unlink(place->path);
    rmdir(place->folder);
}

/* A campaign of one run that is not done. */
static Campaign undone(const char *sweep) {
    Campaign campaign = made_campaign(sweep, 1);
    made_undo(campaign.runs[0]);
    return campaign;
}

static json_t *result_of(const char *sweep) {
    Campaign campaign = undone(sweep);
    JmError error;
    json_t *record = made_record(
        trial_run(&campaign.runs[0]->settings, 1, NULL, NULL, NULL, &error));
    cr_assert(record, "%s", error.text);
    campaign_close(&campaign);
    return record;
}

/* Fails unless a run has this result. */
static void expect_same(const Run *run, const json_t *record) {
    char *line = result_print(run->outcome);
    json_t *kept = json_loads(line, 0, NULL);
    cr_expect(json_equal(kept, record), "%s", run->key);
    json_decref(kept);
    free(line);
}

/* Whether another process is refused, with the message that says why. */
static bool others_are_refused(const char *path, bool resume) {
    const pid_t child = fork();
    if (child == 0) {
        Campaign campaign = made_campaign(machine, 1);
        JmError error = {.text = ""};
        Journal *journal = journal_open(path, resume, campaign_take, &campaign, &error);
        _exit(journal ? 1 : strstr(error.text, "another jm is at work") ? 0 : 2);
    }
    int status;
    cr_assert(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Test(journal, belongs_to_one) {
    const Place place = make_place();
    Campaign campaign = undone(machine);
    json_t *record = result_of(machine);
    char *line = json_dumps(record, JSON_COMPACT);
    JmError error;
    Journal *journal =
        journal_open(place.path, false, campaign_take, &campaign, &error);
    cr_assert(journal, "%s", error.text);
    cr_expect(others_are_refused(place.path, false), "a new journal is locked");
    cr_assert(journal_add(journal, line, &error), "%s", error.text);
    journal_close(journal);

    journal = journal_open(place.path, true, campaign_take, &campaign, &error);
    cr_assert(journal, "%s", error.text);
    expect_same(campaign.runs[0], record);
    cr_expect(others_are_refused(place.path, true), "one that was read is locked");
    journal_close(journal);
    cr_expect_not(others_are_refused(place.path, true), "a closed one is free");
    free(line);
    json_decref(record);
    campaign_close(&campaign);
    remove_place(&place);
}

/* ---- what it takes --------------------------------------------------------------- */

/* Reads a journal whose second line is `record`, for the only run of `campaign`, and
 * whose first is of another jm. Fails the test unless it is taken or, with a text, is
 * refused with its line. */
static void read_line(Campaign *campaign, const json_t *record, const char *text) {
    const Place place = make_place();
    FILE *file = fopen(place.path, "w");
    JmError error = {.text = ""};
    cr_assert(file);
    fputs("{\"key\": \"mesh=4x2x1\", \"version\": \"0.1\", \"T\": -5}\n", file);
    json_dumpf(record, file, JSON_COMPACT);
    fputs("\n", file);
    fclose(file);
    Journal *journal = journal_open(place.path, true, campaign_take, campaign, &error);
    cr_expect(text ? !journal && error.line == 2 && strstr(error.text, text)
                   : journal && journal_others(journal) == 1,
              "%s: line %d: %s", text ? text : "good", error.line, error.text);
    journal_close(journal);
    remove_place(&place);
}

/* Each damage: a field, its text in JSON ("": it is taken away), what is said of it. */
static const char *const damages[][3] = {
    {"T", "-5", "T is -5"},
    {"T", "0", "T is 0"},
    {"T", "\"7\"", "T is \"7\""},
    {"T", "7.5", "T is 7.5"},
    {"T", "1e15", "T is more than cycles"},
    {"T", "true", "T is true"},
    {"stop", "\"end\"", "stop is no end"},
    {"stop", "7", "stop is missing"},
    {"stop", "\"deadlock\"", "status does not fit"},
    {"status", "-1", "status is none of an exit"},
    {"status", "126", "status is 126"},
    {"status", "null", "status is null"},
    {"deadlock", "1", "deadlock does not fit"},
    {"hops", "-1", "hops is -1"},
    {"cycles", "", "cycles is missing"},
    {"overflows", "-1", "overflows is -1"},
    {"overflows", "999", "overflows are not those at places"},
    {"first_overflow", "null", "first_overflow is not that"},
    {"places", "[]", "overflows are not those"},
    {"places", "[[9, 1, 5]]", "no places"},
    {"places", "[[1, 1]]", "places is [[1,1]]"},
    {"places", "{}", "places is {}"},
    {"send", "[]", "send is []"},
    {"depth", "[0,0,0,0,0,0,0,-1]", "depth is"},
    {"deepest", "[0,0,0,0,0,0,0]", "deepest is"},
    {"share1", "1.5", "share1 is 1.5"},
    {"wire_x", "-0.1", "wire_x is -0.1"},
    {"faults", "{\"send\": -1}", "faults is"},
    {"faults", "3", "faults is 3"},
    {"transit", "{\"min\": null}", "transit is"},
    {"cuts", "[0, 0]", "cuts is [0,0]"},
    {"links", "[[1, 2, 3]]", "links is"},
    {"series", "[[1, 2, 3, \"4\"]]", "series is"},
    {"jam", "[\"\"]", "jam is"},
    {"why", "[1]", "why is"},
    {"made_up", "1", "made_up is no field"}};

Test(journal, takes_what_a_machine_can_have_done, .timeout = 600) {
    Campaign campaign = undone(machine);
    json_t *good = result_of(machine);
    cr_assert_gt(made_figure(good, "overflows"), 0, "this machine must overflow");
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        json_t *record = json_deep_copy(good);
        json_object_del(record, damages[i][0]);
        if (*damages[i][1])
            json_object_set_new(record, damages[i][0],
                                json_loads(damages[i][1], JSON_DECODE_ANY, NULL));
        read_line(&campaign, record, damages[i][2]);
        cr_expect_null(campaign.runs[0]->outcome, "%s", damages[i][2]);
        json_decref(record);
    }
    read_line(&campaign, good, NULL);
    expect_same(campaign.runs[0], good);
    json_decref(good);
    campaign_close(&campaign);
}

/* Runs that end in other ways, and a program without those words. */
Test(journal, takes_every_end, .timeout = 600) {
    static const char *const sweeps[] = {
        "mesh=2x2x1 m=2 L=4 cut=500", "mesh=2x2x1 m=2 L=4 Q=100",
        "mesh=2x2x1 m=2 L=4 h=2", "mesh=2x1x1 streams=0 m=1 L=1", "mesh=1x1x1 m=1 L=2"};
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        Campaign campaign = undone(sweeps[i]);
        json_t *record = result_of(sweeps[i]);
        const bool failed = i == 1 || i == 2;
        read_line(&campaign, record, NULL);
        expect_same(campaign.runs[0], record);
        cr_expect_eq(!campaign.runs[0]->result, failed, "%s", sweeps[i]);
        cr_expect_eq(!json_object_get(record, "why"), !failed, "%s", sweeps[i]);
        json_decref(record);
        campaign_close(&campaign);
    }
}

Test(journal, takes_what_a_model_can_give) {
    Campaign campaign = undone("model=closed m=2 servers=8");
    json_t *record = made_solve("model=closed m=2 servers=8", 1);
    read_line(&campaign, record, NULL);
    json_object_set_new(record, "log10_s", json_string("far"));
    read_line(&campaign, record, "log10_s is \"far\"");
    json_object_set_new(record, "log10_s", json_null());
    json_object_set_new(record, "p_no_overflow", json_real(-0.5));
    read_line(&campaign, record, "p_no_overflow is -0.5");
    json_object_set_new(record, "p_no_overflow", json_null());
    json_object_set_new(record, "status", json_integer(1));
    read_line(&campaign, record, "status is not that of a model");
    json_object_set_new(record, "status", json_integer(0));
    json_object_set_new(record, "stop", json_string("exit"));
    read_line(&campaign, record, "stop is no end of a model");
    json_object_set_new(record, "stop", json_string("not converged"));
    read_line(&campaign, record, NULL);
    json_decref(record);
    campaign_close(&campaign);
}
