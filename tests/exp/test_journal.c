/* The journal belongs to one process, before and after it was read back. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/exp/made.h"
#include "tools/exp/run/journal.h"

/* Whether another process is refused, with the message that says why. */
static bool others_are_refused(const char *folder, bool resume) {
    const pid_t child = fork();
    if (child == 0) {
        Campaign campaign = made_campaign("m=5", 1);
        JmError error = {.text = ""};
        Journal *journal = journal_open(folder, resume, &campaign, &error);
        _exit(journal ? 1 : strstr(error.text, "another jm exp is at work") ? 0 : 2);
    }
    int status;
    cr_assert(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void record_line(const Campaign *campaign, int T, char *line, size_t size) {
    snprintf(line, size, "{\"key\": \"%s\", \"version\": \"%s\", \"T\": %d}",
             campaign->runs[0].key, JM_VERSION, T);
}

Test(journal, belongs_to_one) {
    char folder[] = "/tmp/journal.XXXXXX", path[64], line[512];
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/runs.jsonl", folder);
    Campaign campaign = made_campaign("m=5", 1);
    JmError error;
    Journal *journal = journal_open(folder, false, &campaign, &error);
    cr_assert(journal, "%s", error.text);
    cr_expect(others_are_refused(folder, false), "a new journal is locked");
    record_line(&campaign, 42, line, sizeof line);
    cr_assert(journal_add(journal, line, &error), "%s", error.text);
    journal_close(journal);

    json_decref(campaign.runs[0].record);
    campaign.runs[0].record = NULL;
    journal = journal_open(folder, true, &campaign, &error);
    cr_assert(journal, "%s", error.text);
    cr_expect_eq(json_integer_value(json_object_get(campaign.runs[0].record, "T")), 42);
    cr_expect(others_are_refused(folder, true), "one that was read back is locked");
    journal_close(journal);
    cr_expect_not(others_are_refused(folder, true), "one that was closed is free");
    campaign_close(&campaign);
    unlink(path);
    rmdir(folder);
}
