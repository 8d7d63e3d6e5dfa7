/* Every number and every ordering of the thesis's chapter 6 (6.1 to 6.5) has an
 * experiment and a verdict. The list follows the chapter's text and figures 6-1 to 6-5;
 * claims_chapter6.def says how each is measured. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/exp/made.h"
#include "tools/exp/judge/claims.h"
#include "tools/exp/models/solve.h"

/* A statement of the thesis, and the claims that test it, one for each part of
 * it. */
static const struct {
    const char *section, *figure, *says, *claims;
} said[] = {
    {"6.1.2", "", "K = 2560 of m = 5, L = 500, messages of 8 flits",
     "TC-138 TC-138b TC-138c TC-138d"},
    {"6.1.2", "", "hot node (1,0,0), B = 1.35, of which it can bear 1.2",
     "TC-139 TC-139b TC-139c"},
    {"6.2.3, 6.2.4, 6.2.5", "", "RTS, VCFC and HWM have half the queue",
     "TC-140 TC-140b TC-140c"},
    {"6.2.1", "", "SEND faults are off", "TC-141"},
    {"6.3.1", "6-1", "uniform: REF overflows below h = 70, REQREP at no h",
     "TC-142 TC-143"},
    {"6.3.1", "6-2", "hot spot: REF is poor at every h, REQREP stable at every h",
     "TC-144 TC-144b TC-145 TC-145b"},
    {"6.3.2", "6-3", "uniform, h > 70: RTS is not worse than REF", "TC-146"},
    {"6.3.2", "6-3", "uniform, network-limited: T(REF) / T(RTS) = 2", "TC-147"},
    {"6.3.2", "6-3", "T(RTS) / T(REQREP) > 3, T(REF) / T(REQREP) > 6",
     "TC-148 TC-148b"},
    {"6.3.2", "6-3", "hot spot: RTS is no improvement", "TC-149"},
    {"6.3.3", "", "VCFC is below REF everywhere", "TC-150"},
    {"6.3.4", "6-4", "uniform, short h: HWM64 near REQREP, without overflow",
     "TC-151 TC-151b"},
    {"6.3.4", "6-4", "uniform, longer h: HWM64 overflows, for its half queue",
     "TC-152 TC-152b"},
    {"6.3.4", "6-4", "HWM128 and HWM200 are worse than HWM64", "TC-153 TC-153b"},
    {"6.3.4, 6.4.1", "6-5",
     "hot spot: HWM64 balances while the network limits, less as h grows",
     "TC-154 TC-154b"},
    {"6.4, 6.5", "", "HWM beats RTS where the network limits", "TC-155 TC-155b"},
};
enum { SAID = sizeof said / sizeof said[0] };

/* The short forms of the chapter's experiments, none of whose runs has been done: all
 * have a result that was made up. */
static Campaign made_up(void) {
    static const char *const names[] = {"fig6-1",    "fig6-2",      "fig6-3",
                                        "fig6-4",    "fig6-5",      "vcfc",
                                        "hwm-whole", "hwm-software"};
    const Variation variation = {.full = false};
    Campaign campaign = campaign_open(&variation);
    JmError error = {.text = ""};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        const Experiment *experiment = experiment_find(names[i]);
        cr_assert_not_null(experiment, "no experiment %s", names[i]);
        cr_assert(campaign_add(&campaign, experiment, &error), "%s", error.text);
    }
    for (size_t i = 0; i < campaign.run_count; i++)
        made_keep(
            campaign.runs[i],
            json_pack("{s:s, s:i, s:i, s:i, s:i, s:{}}", "stop",
                      model_solves(&campaign.runs[i]->settings) ? "solved" : "exit",
                      "T", (int)(100000 + i), "overflows", 1, "overflows1", 0, "h_min",
                      34, "faults"));
    return campaign;
}

/* claims.json as the judge writes it of the campaign. */
static json_t *judged(const Campaign *campaign) {
    char folder[] = "/tmp/jm-chapter6-XXXXXX", path[64];
    JmError error = {.text = ""};
    json_error_t wrong;
    cr_assert_not_null(mkdtemp(folder));
    Judgements judgements;
    cr_assert(claims_judge(&judgements, campaign, &error) &&
                  claims_write(&judgements, folder, &error),
              "%s", error.text);
    claims_free(&judgements);
    snprintf(path, sizeof path, "%s/claims.json", folder);
    json_t *claims = json_load_file(path, 0, &wrong);
    cr_assert_not_null(claims, "%s", wrong.text);
    remove(path);
    rmdir(folder);
    return claims;
}

static const char *text(const json_t *claim, const char *key) {
    const char *value = json_string_value(json_object_get(claim, key));
    return value ? value : "";
}

/* The one claim with this id. */
static const json_t *claim_of(const json_t *file, const char *id) {
    const json_t *claims = json_object_get(file, "claims"), *found = NULL;
    for (size_t i = 0; i < json_array_size(claims); i++)
        if (strcmp(text(json_array_get(claims, i), "id"), id) == 0) {
            cr_expect_null(found, "%s is there twice", id);
            found = json_array_get(claims, i);
        }
    return found;
}

static void expect_verdict(const json_t *file, unsigned row, const char *id) {
    const json_t *claim = claim_of(file, id);
    cr_assert_not_null(claim, "%s, %s: no claim %s", said[row].section, said[row].says,
                       id);
    cr_expect_not_null(experiment_find(text(claim, "experiment")), "%s", id);
    cr_expect_eq(strncmp(text(claim, "command"), "jm exp run ", 11), 0, "%s: %s", id,
                 text(claim, "command"));
    const char *verdict = text(claim, "verdict");
    cr_expect(strcmp(verdict, "reproduced") == 0 || strcmp(verdict, "in part") == 0 ||
                  strcmp(verdict, "not") == 0,
              "%s: %s", id, verdict);
    cr_expect(json_is_number(json_object_get(claim, "measured")),
              "%s: its measure finds no run: %s", id, text(claim, "measure"));
    cr_expect_str_not_empty(text(claim, "tolerance"));
    cr_expect(!said[row].figure[0] || strstr(text(claim, "figure"), said[row].figure),
              "%s: figure %s", id, text(claim, "figure"));
}

Test(chapter6, everything_said_has_an_experiment_and_a_verdict) {
    Campaign campaign = made_up();
    json_t *file = judged(&campaign);
    for (unsigned row = 0; row < SAID; row++) {
        char ids[80], *rest = NULL;
        snprintf(ids, sizeof ids, "%s", said[row].claims);
        for (char *id = strtok_r(ids, " ", &rest); id; id = strtok_r(NULL, " ", &rest))
            expect_verdict(file, row, id);
    }
    json_decref(file);
    campaign_close(&campaign);
}

/* The other way round: no claim of chapter 6 that the list has forgotten. Those with a
 * letter are parts of one, or the machine beside the abstract processors. */
Test(chapter6, nothing_is_judged_that_the_list_has_not) {
    Campaign campaign = made_up();
    json_t *file = judged(&campaign);
    unsigned found = 0;
    for (int number = 138; number <= 155; number++) {
        char id[16];
        snprintf(id, sizeof id, "TC-%d", number);
        cr_expect_not_null(claim_of(file, id), "no claim %s", id);
        for (unsigned row = 0; row < SAID; row++)
            found += strstr(said[row].claims, id) != NULL;
        cr_expect_eq(found, (unsigned)number - 137, "%s is in no row, or in two", id);
    }
    json_decref(file);
    campaign_close(&campaign);
}
