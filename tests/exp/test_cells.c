/* Cells of printed tables: their contents, and how figures are compared. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/measure/cells.h"

#define III_A "model=memory k=4 links=multiple d_mem=9 read=9 write=20 n_out=1 "

static void put(const Campaign *campaign, size_t run, const char *name, double value) {
    made_set(campaign->runs[run], name, json_real(value));
}

/* Experiments with printed tables, whose own sweeps are not used. */
#define TABLES(of, across, up)                                                         \
    {                                                                                  \
        .name = of, .figure = "", .kind = KIND_MODELS, .x = across, .y = up,           \
        .remark = ""                                                                   \
    }
static const Experiment adve = TABLES("av-tables", "tau", "processor_efficiency"),
                        scott = TABLES("sc-tables", "dimensions", "link_width");

typedef void Write(const Plan *plan, FILE *out);

/* Writes a campaign's cells to a text, which must be freed. */
static void write_text(const Campaign *campaign, Write *write, char **text) {
    size_t size;
    FILE *out = open_memstream(text, &size);
    write(&campaign->plans[0], out);
    fclose(out);
}

/* Fails unless there is a row that has `wanted` in it. */
static void expect_written(const Campaign *campaign, Write *write, const char *wanted) {
    char *text;
    write_text(campaign, write, &text);
    cr_expect(strstr(text, wanted), "no %s in\n%s", wanted, text);
    free(text);
}

/* The paper prints 12.37 and 43.01 percent there, 22.62 and 21.07 cycles. */
Test(cells, means_are_compared_with_what_is_printed) {
    Campaign campaign = made_campaign(III_A "tau=5,25", 2);
    const double efficiency[] = {12.37 - 0.5, 12.37 + 0.7, 43.01, 43.01};
    for (size_t i = 0; i < campaign.run_count; i++) {
        put(&campaign, i, "processor_efficiency", efficiency[i]);
        put(&campaign, i, "network_residence_time", i < 2 ? 22.62 : 21.07 * 1.06);
    }
    cr_expect_eq(made_measure(&campaign, "cells of made"), 4);
    cr_expect(made_same(made_measure(&campaign, "cells_within of made"), 0.75));
    cr_expect(made_same(made_measure(&campaign, "cells_off of made"), 6));
    cr_expect(made_same(made_measure(&campaign, "cells_off of made where tau=5"),
                        100 * 0.1 / 12.37));
    campaign_close(&campaign);
}

/* Half a digit off is within the digits, though neither number is a sum of powers of
 * two; a tenth of that further is not. */
Test(cells, digits_are_rounded_either_way) {
    static const double printed[] = {407.9, 166.6, 117.0, 107.0};
    static const double radix[] = {64, 16, 8, 4};
    static const double off[] = {0.05, -0.05, 0.055, -0.055};
    Campaign campaign = made_campaign_of(&scott,
                                         "model=cube network=pipelined nodes=4096 "
                                         "constraint=link_width dimensions=2,3,4,6",
                                         1);
    for (unsigned i = 0; i < 4; i++)
        put(&campaign, i, "radix", radix[i]);
    for (unsigned i = 0; i < 16; i++) {
        char wanted[128];
        const double computed = printed[i / 4] + off[i % 4];
        put(&campaign, i / 4, "roundtrip_latency_max_wire", computed);
        snprintf(wanted, sizeof wanted,
                 "roundtrip_latency_max_wire,configuration,%.*f,%.9f,%.3g,%s\n",
                 i < 8 ? 9 : 0, printed[i / 4], computed, off[i % 4],
                 i % 4 < 2 ? "reproduced" : "not");
        expect_written(&campaign, cells_write_printed, wanted);
    }
    campaign_close(&campaign);
}

/* 8x8 at 0.005 prints 17.10, 16.51 and -4.6 percent, which is off by 1.15. */
Test(cells, printed_errors_are_checked) {
    Campaign campaign = made_campaign("model=poisson k=8 rate=0.004,0.005", 1);
    cr_expect_eq(made_measure(&campaign, "error_cells of made"), 2);
    cr_expect_eq(made_measure(&campaign, "error_slips of made"), 1);
    cr_expect_eq(made_measure(&campaign, "error_slips of made where rate=0.004"), 0);
    campaign_close(&campaign);
}

enum { SIDE = 8 };

/* The mean over the rows and columns whose bits are set. */
static double mean_over(const double map[SIDE][SIDE], unsigned rows, unsigned columns) {
    double sum = 0, count = 0;
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        if (rows >> i / SIDE & 1 && columns >> i % SIDE & 1) {
            sum += map[i / SIDE][i % SIDE];
            count++;
        }
    return sum / count;
}

/* Number of rows of a text that have `word` in them. */
static unsigned rows_with(const char *text, const char *word) {
    unsigned count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

Test(cells, a_map_has_a_cell_for_each_processor) {
    double map[SIDE][SIDE];
    Campaign campaign =
        made_campaign_of(&adve, "model=memory topology=uni_torus n_out=4 tau=50", 1);
    Run *run = campaign.runs[0];
    char *text;
    write_text(&campaign, cells_write, &text);
    cr_expect_eq(rows_with(text, "Table V-A"), 0, "%s", text);
    free(text);
    json_t *list = json_array();
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        map[i / SIDE][i % SIDE] = i * i + i % 5; /* no two parts have the same mean */
        json_array_append_new(list, json_real(map[i / SIDE][i % SIDE]));
    }
    made_set(run, "by_processor", list);
    write_text(&campaign, cells_write, &text);
    cr_expect_eq(rows_with(text, "Table V-A"), SIDE * SIDE, "%s", text);
    free(text);
    char wanted[160];
    snprintf(wanted, sizeof wanted,
             "Table V-A,topology=uni_torus;k=8;links=single;n_out=4;tau=50;row=2;col=5,"
             "processor_efficiency,simulation,%.0f,percent\n",
             map[2][5]);
    expect_written(&campaign, cells_write, wanted);
    static const struct {
        const char *column;
        unsigned rows, columns;
    } parts[] = {{"efficiency_corners", 0x81, 0x81},
                 {"efficiency_centre", 0x18, 0x18},
                 {"efficiency_edge", 0x81, 0xFF},
                 {"efficiency_middle", 0x3C, 0xFF}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char measure[64];
        snprintf(measure, sizeof measure, "mean %s of av-tables", parts[i].column);
        cr_expect(made_same(made_measure(&campaign, measure),
                            mean_over(map, parts[i].rows, parts[i].columns)),
                  "%s", measure);
    }
    campaign_close(&campaign);
}

/* Reads the printed map of a table into `list`, changed in two cells, from what is
 * written beside any map. Returns the number of cells. */
static unsigned take_printed(const char *text, const char *table, json_t *list) {
    unsigned known = 0;
    for (const char *at = text; (at = strstr(at, table)); at++) {
        unsigned row, column;
        double printed;
        const char *place = strstr(at, ";row=");
        cr_assert_eq(sscanf(place, ";row=%u;col=%u,processor_efficiency,analytical,%lf",
                            &row, &column, &printed),
                     3, "%s", at);
        const unsigned i = row * SIDE + column;
        const double factor = i == 2 * SIDE + 5 ? 2 : i == 2 * SIDE + 7 ? 0.5 : 1;
        json_array_set_new(list, i, json_real(printed * factor));
        known++;
    }
    return known;
}

/* A map that is the printed one but for one cell, which is half of it or twice. */
Test(cells, a_map_is_held_against_the_printed_one) {
    static const struct {
        const char *sweep, *table;
    } rows[] = {{"model=shared topology=uni_torus n_out=4 tau=50", "Table V-A"},
                {"model=shared topology=bi_torus k=8 links=single n_out=4 tau=25",
                 "Table V-B"}};
    for (size_t t = 0; t < sizeof rows / sizeof rows[0]; t++) {
        Campaign campaign = made_campaign_of(&adve, rows[t].sweep, 1);
        json_t *list = json_array();
        for (unsigned i = 0; i < SIDE * SIDE; i++)
            json_array_append_new(list, json_real(0));
        made_set(campaign.runs[0], "by_processor", json_incref(list));
        char *text;
        write_text(&campaign, cells_write_printed, &text);
        const unsigned known = take_printed(text, rows[t].table, list);
        made_set(campaign.runs[0], "by_processor", list);
        cr_expect_geq(known, 10, "%s", text);
        cr_expect(made_same(made_measure(&campaign, "mean map_off of av-tables"),
                            150.0 / known),
                  "%s: %g", rows[t].table,
                  made_measure(&campaign, "mean map_off of av-tables"));
        free(text);
        campaign_close(&campaign);
    }
}
