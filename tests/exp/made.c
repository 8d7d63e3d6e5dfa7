#include "tests/exp/made.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tools/exp/measure/measure.h"

static const Experiment made = {.name = "made",
                                .figure = "",
                                .kind = KIND_TABLE,
                                .y = "T_ms",
                                .plane = -1,
                                .remark = ""};

Campaign made_campaign(const char *sweep, unsigned runs) {
    const Variation variation = {.full = false};
    Campaign campaign;
    JmError error;
    cr_assert(
        campaign_open(&campaign, &variation, &error) &&
            campaign_add_sweep(&campaign, &made, sweep, runs, sweep, runs, &error),
        "%s", error.text);
    for (size_t i = 0; i < campaign.run_count; i++)
        campaign.runs[i].record = json_object();
    return campaign;
}

double made_measure(const Campaign *campaign, const char *text) {
    Measure found;
    JmError error;
    cr_assert(measure(campaign, text, &found, &error), "%s", error.text);
    return found.value;
}

unsigned made_number(uint64_t *state, unsigned count) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*state >> 33) % count);
}

bool made_same(double a, double b) {
    return (isnan(a) && isnan(b)) ||
           fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}
