/* The journal belongs to one process, before and after it was read back. It takes what
 * runs of this jm can have had as results. */
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
    json_t *record = made_trial(&campaign.runs[0]->settings, 1, NULL);
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
 * whose first is of another jm. */
static void read_line(Campaign *campaign, const json_t *record) {
    const Place place = make_place();
    FILE *file = fopen(place.path, "w");
    JmError error = {.text = ""};
    cr_assert(file);
    fputs("{\"key\": \"mesh=4x2x1\", \"version\": \"0.1\", \"T\": -5}\n", file);
    json_dumpf(record, file, JSON_COMPACT);
    fputs("\n", file);
    fclose(file);
    Journal *journal = journal_open(place.path, true, campaign_take, campaign, &error);
    cr_assert(journal, "line %d: %s", error.line, error.text);
    cr_expect_eq(journal_others(journal), 1);
    journal_close(journal);
    remove_place(&place);
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
        read_line(&campaign, record);
        expect_same(campaign.runs[0], record);
        cr_expect_eq(!campaign.runs[0]->result, failed, "%s", sweeps[i]);
        cr_expect_eq(!json_object_get(record, "why"), !failed, "%s", sweeps[i]);
        json_decref(record);
        campaign_close(&campaign);
    }
}
