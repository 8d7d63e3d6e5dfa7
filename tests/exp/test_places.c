/* Statistics of nodes, samples and windows, against plain computations. */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/exp/made.h"
#include "tools/exp/measure/places.h"

enum { X = 8, Y = 4, Z = 6, NODES = X * Y * Z, RUNS = 5 };

static const char machine[] = "mesh=8x4x6";

static void expect(const Campaign *campaign, const char *text, double wanted) {
    const double got = made_measure(campaign, text);
    cr_expect(made_same(got, wanted), "%s: %.12g instead of %.12g", text, got, wanted);
}

/* The inner half of every side, as far as it has whole nodes. */
static bool in_centre(unsigned node) {
    const unsigned x = node % X, y = node / X % Y, z = node / X / Y;
    return x >= 2 && x <= 5 && y >= 1 && y <= 2 && z >= 2 && z <= 3;
}

static bool on_surface(unsigned node) {
    const unsigned x = node % X, y = node / X % Y, z = node / X / Y;
    return x == 0 || x == X - 1 || y == 0 || y == Y - 1 || z == 0 || z == Z - 1;
}

/* ---- nodes ----------------------------------------------------------------------- */

/* No overflow anywhere is no share at all. */
Test(places, shares) {
    Campaign campaign = made_campaign(machine, RUNS);
    expect(&campaign, "surface of made", NAN);
    uint64_t state = 11;
    double all = 0, centre = 0, surface = 0, plane = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        json_t *places = json_array();
        for (unsigned node = run; node < NODES; node += 1 + made_number(&state, 3)) {
            const int count = 1 + (int)made_number(&state, 4);
            json_array_append_new(places, json_pack("[i, i, i]", node, count, 0));
            all += count;
            centre += in_centre(node) ? count : 0;
            surface += on_surface(node) ? count : 0;
            plane += node / X / Y == 3 ? count : 0;
        }
        made_set(campaign.runs[run], "places", places);
    }
    expect(&campaign, "centre of made", centre / all);
    expect(&campaign, "surface of made", surface / all);
    expect(&campaign, "share_in_plane 3 of made", plane / all);
    campaign_close(&campaign);
}

/* The mean of a list by node in the centre over that on the surface, over all runs. */
static void expect_inner(const char *list, uint64_t state) {
    Campaign campaign = made_campaign(machine, RUNS);
    char measured[64];
    double in = 0, ins = 0, out = 0, outs = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        json_t *values = json_array();
        for (unsigned node = 0; node < NODES; node++) {
            const int value = (int)made_number(&state, 100);
            json_array_append_new(values, json_integer(value));
            in += in_centre(node) ? value : 0;
            ins += in_centre(node);
            out += on_surface(node) ? value : 0;
            outs += on_surface(node);
        }
        made_set(campaign.runs[run], list, values);
    }
    snprintf(measured, sizeof measured, "inner %s of made", list);
    expect(&campaign, measured, (in / ins) / (out / outs));
    expect(&campaign, "inner nothing of made", NAN);
    expect(&campaign, "inner T of made", NAN);
    campaign_close(&campaign);
}

Test(places, inner) {
    expect_inner("send", 12);
    expect_inner("depth", 13);
    expect_inner("deepest", 14);
    expect_inner("node_queue", 15);
}

Test(places, wires) {
    Campaign campaign = made_campaign(machine, RUNS);
    double cut = 0, up = 0, down = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        Run *made = campaign.runs[run];
        made_set(made, "T", json_integer(1000 + run));
        made_set(made, "cuts", json_pack("[f, f]", 0.125, 0.25 + run));
        made_set(made, "links", json_pack("[[i, i], [i, i]]", 1, 2, 700 + run, 300));
        cut += (0.25 + run) / RUNS;
        up += (700.0 + run) / (1000 + run) / RUNS;
        down += 300.0 / (1000 + run) / RUNS;
    }
    expect(&campaign, "cut 1 of made", cut);
    expect(&campaign, "up 1 of made", up);
    expect(&campaign, "down 1 of made", down);
    expect(&campaign, "cut 2 of made", NAN);
    /* A run without its wires, or that did not end, makes the mean unknown. */
    made_set(campaign.runs[2], "cuts", json_pack("[f]", 0.5));
    expect(&campaign, "cut 1 of made", NAN);
    expect(&campaign, "cut 0 of made", (0.125 * (RUNS - 1) + 0.5) / RUNS);
    made_set(campaign.runs[RUNS - 1], "T", json_null());
    expect(&campaign, "up 1 of made", NAN);
    made_set(campaign.runs[RUNS - 1], "T", json_integer(1));
    expect(&campaign, "down 0 of made",
           2 * (down / 300 - 1. / (1000 + RUNS - 1) / RUNS + 1. / RUNS));
    made_set(campaign.runs[1], "links", json_array());
    expect(&campaign, "down 0 of made", NAN);
    campaign_close(&campaign);
}

Test(places, costs) {
    Campaign campaign = made_campaign(machine, 2);
    for (int run = 0; run < 2; run++)
        made_set(campaign.runs[run], "costs",
                 json_pack("{s:{s:i, s:i}}", "token", "cycles", 100 + 17 * run, "units",
                           2 + run));
    expect(&campaign, "cost token of made", 217 / 5.0);
    expect(&campaign, "cost preamble of made", NAN);
    campaign_close(&campaign);
}

/* ---- queues along Z -------------------------------------------------------------- */

enum { SIDE = 4, DEPTH = 8 };

/* The distance of the centres where the middle columns hold these queues along Z and
 * all other nodes more than any of them. */
static double centres(const double by_z[DEPTH]) {
    Campaign campaign = made_campaign("mesh=4x4x8", 1);
    json_t *list = json_array();
    for (unsigned i = 0; i < SIDE * SIDE * DEPTH; i++) {
        const unsigned x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        const bool middle = (x == 1 || x == 2) && (y == 1 || y == 2);
        const double skew = x == 1 ? 0.5 : 1.5; /* their mean is 1 */
        json_array_append_new(list, json_real(middle ? skew * by_z[z] : 1000 + i));
    }
    made_set(campaign.runs[0], "node_queue", list);
    const double distance = queues_centres_z(campaign.runs[0]);
    campaign_close(&campaign);
    return distance;
}

Test(places, two_centres) {
    cr_expect_eq(centres((double[]){1, 5, 9, 4, 3, 6, 8, 2}), 4);
    cr_expect_eq(centres((double[]){9, 5, 4, 3, 3, 4, 5, 8}), 7);
    /* One centre. */
    cr_expect_eq(centres((double[]){1, 2, 3, 9, 9, 3, 2, 1}), 0);
    cr_expect_eq(centres((double[]){1, 2, 3, 9, 8, 3, 2, 1}), 0);
    /* A valley of a twentieth is noise. */
    cr_expect_eq(centres((double[]){1, 2, 10, 9.5, 9.5, 10, 2, 1}), 0);
}

/* ---- samples --------------------------------------------------------------------- */

enum { SAMPLES = 30 };

/* Fullest queues that rise to a level, with one peak before: a sample every half
 * millisecond. The second run has four more than the last, which is the shortest. */
static void draw_series(Campaign *campaign, double fullest[RUNS][SAMPLES]) {
    uint64_t state = 13;
    for (unsigned run = 0; run < RUNS; run++) {
        json_t *series = json_array();
        for (unsigned i = 0; i < SAMPLES + (2 * run + 2) % RUNS; i++) {
            const int words =
                (int)(i < 12 ? 15 * i : 180) + (int)made_number(&state, 20);
            if (i < SAMPLES)
                fullest[run][i] = words;
            json_array_append_new(
                series, json_pack("[i, i, i, i]", 5000 * (i + 1), words, 0, 0));
        }
        made_set(campaign->runs[run], "series", series);
    }
}

static double mean_at(double fullest[RUNS][SAMPLES], unsigned sample) {
    double sum = 0;
    for (unsigned run = 0; run < RUNS; run++)
        sum += fullest[run][sample];
    return sum / RUNS;
}

static double sd_at(double fullest[RUNS][SAMPLES], unsigned sample) {
    const double mean = mean_at(fullest, sample);
    double sum = 0;
    for (unsigned run = 0; run < RUNS; run++)
        sum += pow(fullest[run][sample] - mean, 2);
    return sqrt(sum / (RUNS - 1));
}

Test(places, fullest) {
    Campaign campaign = made_campaign(machine, RUNS);
    double fullest[RUNS][SAMPLES];
    draw_series(&campaign, fullest);
    expect(&campaign, "fullest_at 1 of made", mean_at(fullest, 1));
    expect(&campaign, "fullest_at 1.2 of made", mean_at(fullest, 2));
    expect(&campaign, "fullest_at 0 of made", mean_at(fullest, 0));
    expect(&campaign, "fullest_sd_at 7.5 of made", sd_at(fullest, 14));
    expect(&campaign, "fullest_at 99 of made", NAN);
    /* The last samples are those of the longest run alone. */
    const ResultList *series = &campaign.runs[1]->result->series;
    cr_assert_eq(series->count, SAMPLES + 4);
    expect(&campaign, "fullest_at 17 of made", result_row(series, SAMPLES + 3)[1]);
    campaign_close(&campaign);
}

Test(places, settled) {
    Campaign campaign = made_campaign(machine, RUNS);
    double fullest[RUNS][SAMPLES], level = 0;
    draw_series(&campaign, fullest);
    /* The last third of the samples that all runs have. */
    for (unsigned i = SAMPLES - SAMPLES / 3; i < SAMPLES; i++)
        level += mean_at(fullest, i) / (SAMPLES / 3);
    unsigned last = SAMPLES; /* of those below: it stays above from the next on */
    while (last > 0 && mean_at(fullest, last - 1) >= 0.9 * level)
        last--;
    expect(&campaign, "settled of made", 0.5 * (last + 1));
    /* Queues that are empty at the last sample settle no sooner. */
    for (unsigned run = 0; run < RUNS; run++) {
        ResultList *series = &campaign.runs[run]->outcome->series;
        series->value[(SAMPLES - 1) * series->width + 1] = 0;
    }
    expect(&campaign, "settled of made", 0.5 * SAMPLES);
    campaign_close(&campaign);
}

/* ---- windows --------------------------------------------------------------------- */

/* Before the overflow 100 messages in 100 cycles, behind it fewer and fewer; `quiet` is
 * the first window with less than a tenth. */
static json_t *windows(unsigned before, unsigned quiet, unsigned count) {
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++) {
        const int time = 100 * ((int)i - (int)before + 1);
        const int messages = i < before ? 100 : i < quiet ? 11 : 9;
        json_array_append_new(list, json_pack("{s:i, s:i, s:i, s:i}", "time", time,
                                              "cycles", 100, "messages", messages,
                                              "z_column", i < before ? 40 : (int)i));
    }
    return json_pack("{s:o}", "windows", list);
}

Test(places, jam) {
    Campaign campaign = made_campaign(machine, 2);
    made_set(campaign.runs[0], "jam", windows(5, 9, 20));
    made_set(campaign.runs[1], "jam", windows(5, 12, 20));
    /* Windows end at (9 - 4) and (12 - 4) times 100 cycles, 10 of which are a
     * microsecond. */
    expect(&campaign, "silence of made", (50 + 80) / 2.0);
    expect(&campaign, "left messages of made", 0.09);
    /* Windows 15 to 19, over 40. */
    expect(&campaign, "left z_column of made", 17 / 40.0);
    made_set(campaign.runs[1], "jam", windows(5, 20, 20));
    expect(&campaign, "silence of made", 50); /* one that never got so quiet */
    campaign_close(&campaign);
}

/* Traffic after the overflow counts in full, also in the first window that ends after
 * it, in microseconds of the mean rate before. A run without any before is left out.
 */
Test(places, after) {
    Campaign campaign = made_campaign(machine, 3);
    static const int times[] = {-50, 0, 30, 130}, cycles[] = {100, 50, 30, 100};
    for (int run = 0; run < 3; run++) {
        json_t *list = json_array();
        for (int i = 0; i < 4; i++) {
            const int sent = run == 2 && i < 2 ? 0 : (run + 1) * (7 + i * i);
            json_array_append_new(list, json_pack("{s:i, s:i, s:i, s:i}", "time",
                                                  times[i], "cycles", cycles[i],
                                                  "sent_near", sent, "sent_ends", 2));
        }
        made_set(campaign.runs[run], "jam", json_pack("{s:o}", "windows", list));
    }
    const double before = (7 / 100. + 8 / 50.) / 2;
    expect(&campaign, "after sent_near of made", (11 + 16) / before / 10);
    expect(&campaign, "after sent_ends of made", 4 / ((2 / 100. + 2 / 50.) / 2) / 10);
    expect(&campaign, "after messages of made", NAN);
    campaign_close(&campaign);
}

/* Overflows go back along the line, first X then Y then Z, which turns in every row and
 * plane, and around its end; the second run is in no order that a line explains. */
Test(places, backward) {
    Campaign campaign = made_campaign("mesh=4x3x2 h=45,46,47", 1);
    made_set(campaign.runs[0], "places",
             json_pack("[[i,i,i],[i,i,i],[i,i,i],[i,i,i],[i,i,i]]", 1, 2, 100, 0, 1,
                       250,
                       /* before node 0: the end of the line, (3,0,1), (2,0,1) */
                       12, 1, 300, 13, 3, 400, 14, 1, 500));
    expect(&campaign, "backward of made where h=45", 1);
    /* The line: 0 1 2 3, 7 6 5 4, 8 9 10 11, 23 22 21 20, 16 17 18 19, 15 to 12. */
    made_set(campaign.runs[1], "places",
             json_pack("[[i,i,i],[i,i,i],[i,i,i],[i,i,i]]", 22, 1, 10, 23, 1, 20, 11, 1,
                       30, 10, 1, 40));
    expect(&campaign, "backward of made where h=46", 1);
    made_set(campaign.runs[2], "places",
             json_pack("[[i,i,i],[i,i,i],[i,i,i],[i,i,i]]", 4, 1, 10, 5, 1, 40, 6, 1,
                       30, 7, 1, 20));
    expect(&campaign, "backward of made where h=47", 0.2);
    made_set(campaign.runs[2], "places", json_pack("[[i,i,i]]", 4, 1, 10));
    expect(&campaign, "backward of made where h=47", NAN);
    campaign_close(&campaign);
}

/* Windows of different lengths, the first `before` of which end at or before the
 * overflow, the last of these at it. */
static json_t *uneven_windows(unsigned before, unsigned count, double *rate,
                              double *last) {
    json_t *list = json_array();
    int time = 0;
    *rate = *last = 0;
    for (unsigned i = before; i-- > 1;)
        time -= 100 + 30 * (int)i;
    for (unsigned i = 0; i < count; i++) {
        const int cycles = 100 + 30 * (int)i, messages = 7 + (int)(i * i) % 11;
        time += i ? cycles : 0;
        json_array_append_new(list, json_pack("{s:i, s:i, s:i}", "time", time, "cycles",
                                              cycles, "messages", messages));
        *rate += i < before ? messages / (double)cycles / before : 0;
        *last += i >= count - count / 4 ? messages / (double)cycles / (count / 4) : 0;
    }
    return json_pack("{s:o}", "windows", list);
}

/* The window that ends at the overflow is before it; those of less than eight are too
 * few; the last quarter is rounded down. */
Test(places, uneven_windows) {
    static const unsigned counts[] = {8, 9, 10, 11, 15};
    double before, last;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        Campaign campaign = made_campaign(machine, 2);
        made_set(campaign.runs[1], "jam", uneven_windows(2, 7, &before, &last));
        made_set(campaign.runs[0], "jam", uneven_windows(4, counts[i], &before, &last));
        expect(&campaign, "left messages of made", last / before);
        campaign_close(&campaign);
    }
}
