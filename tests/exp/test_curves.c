/* Curves of models: in which order their points stand, whether or not they have an x,
 * what each is called, and how its runs ended. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/tables/models.h"

enum { FIELDS_MAX = 1024, ROWS_MAX = 32 };

typedef struct {
    char *text;
    char *field[ROWS_MAX][FIELDS_MAX]; /* row 0 is the head */
    unsigned rows, columns;
} Table;

static Table table_of(const Campaign *campaign,
                      void (*write)(const Plan *plan, FILE *out)) {
    Table table = {.text = NULL};
    size_t size;
    FILE *out = open_memstream(&table.text, &size);
    write(&campaign->plans[0], out);
    fclose(out);
    for (char *at = table.text; *at;) {
        unsigned count = 0;
        for (bool more = true; more; at++) {
            table.field[table.rows][count++] = at;
            at += strcspn(at, ",\n");
            more = *at == ',';
            *at = '\0';
        }
        table.columns = table.rows ? table.columns : count;
        cr_assert_eq(count, table.columns, "row %u", table.rows);
        cr_assert_lt(++table.rows, ROWS_MAX);
    }
    return table;
}

static const char *field(const Table *table, unsigned row, const char *name) {
    for (unsigned i = 0; i < table->columns; i++)
        if (strcmp(table->field[0][i], name) == 0)
            return table->field[row][i];
    cr_assert_fail("no column %s", name);
    return "";
}

static Campaign models(const char *x, const char *series, const char *sweep,
                       unsigned runs) {
    static Experiment experiment;
    const Variation variation = {.full = false};
    Campaign campaign = campaign_open(&variation);
    JmError error;
    experiment = (Experiment){.name = "made",
                              .figure = "",
                              .kind = KIND_MODELS,
                              .x = x,
                              .y = "p_no_overflow",
                              .series = series,
                              .plane = -1,
                              .remark = ""};
    cr_assert(campaign_add_sweep(&campaign, &experiment, sweep, runs, &error), "%s",
              error.text);
    return campaign;
}

static void keep(Run *run, int status, const char *stop, const char *name,
                 double value) {
    json_t *record = json_pack("{s:i, s:s}", "status", status, "stop", stop);
    if (isfinite(value))
        json_object_set_new(record, name, json_real(value));
    made_keep(run, record);
}

/* ---- order ----------------------------------------------------------------------- */

/* Two curves of four points each, which alternate. Points come by their x, those of
 * the same x and those without one in the order of the sweep, these last of all. */
Test(curves, order) {
    static const double x[8] = {NAN, 7, 3, NAN, NAN, -2, 3, 7};
    static const char *const wanted[8] = {"2", "6", "0", "4", "5", "1", "7", "3"};
    Campaign campaign =
        models("rate", "m", "model=closed servers=4,5,6,7 m=1,2 overflow_above=9", 1);
    cr_assert_eq(campaign.run_count, 8);
    for (unsigned i = 0; i < 8; i++)
        keep(campaign.runs[i], 0, "solved", "rate", x[i]);
    Table table = table_of(&campaign, models_curves);
    cr_assert_eq(table.rows, 9);
    for (unsigned i = 0; i < 8; i++) {
        cr_expect_str_eq(field(&table, i + 1, "point"), wanted[i], "row %u: %s", i,
                         field(&table, i + 1, "point"));
        cr_expect_str_eq(field(&table, i + 1, "line"),
                         i < 4 ? "model m 1" : "model m 2");
    }
    free(table.text);
    campaign_close(&campaign);
}

/* ---- names and ends -------------------------------------------------------------- */

/* Solved points make a line, runs a mark, named by the columns of the series:
 * settings, words, and figures of the first run; nothing for what is not there. */
Test(curves, names) {
    static const char *const wanted[][2] = {{"model m 2 rate 0.3333", ""},
                                            {"", "simulation m 2 exponential rate 4"},
                                            {"", "machine m 2 service 90"}};
    Campaign campaign = models("h", "m service rate",
                               "m=2; model=closed servers=4; "
                               "model=servers servers=4 service=exponential; "
                               "mesh=3x2x1 L=5",
                               2);
    static const double rates[] = {1 / 3., 4, 9, NAN, NAN};
    cr_assert_eq(campaign.run_count, 5); /* what is solved has one run */
    for (unsigned i = 0; i < 5; i++)
        keep(campaign.runs[i], 0, i < 3 ? "solved" : "exit", "rate", rates[i]);
    Table table = table_of(&campaign, models_curves);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned point =
            (unsigned)strtoul(field(&table, i + 1, "point"), NULL, 10);
        cr_expect_str_eq(field(&table, i + 1, "line"), wanted[point][0]);
        cr_expect_str_eq(field(&table, i + 1, "mark"), wanted[point][1]);
    }
    free(table.text);
    campaign_close(&campaign);
}

/* The end of the first run that did not end as planned; else that of all. */
Test(curves, states) {
    static const struct {
        int status[3];
        const char *stop[3], *wanted;
    } rows[] = {{{0, 0, 0}, {"solved", "solved", "solved"}, "solved"},
                {{0, 0, 0}, {"exit", "exit", "exit"}, "exit"},
                {{0, 0, 0}, {"solved", "unstable", "solved"}, "unstable"},
                {{0, 0, 0}, {"solved", "solved", "limit"}, "limit"},
                {{0, 0, 0}, {"limit", "unstable", "solved"}, "limit"},
                {{0, -1, -1}, {"exit", "deadlock", "stopped"}, "deadlock"},
                {{1, 0, 0}, {"exit", "limit", "exit"}, "exit"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Campaign campaign = models("m", "m", "model=servers servers=4", 3);
        for (unsigned k = 0; k < 3; k++)
            keep(campaign.runs[k], rows[i].status[k], rows[i].stop[k], "rate", 1);
        Table table = table_of(&campaign, models_curves);
        cr_expect_str_eq(field(&table, 1, "state"), rows[i].wanted, "row %zu", i);
        free(table.text);
        campaign_close(&campaign);
    }
}

/* ---- figures --------------------------------------------------------------------- */

/* Means, intervals and deviations over the runs that have the figure; settings of any
 * point are columns, empty where a point has none. */
Test(curves, figures) {
    Campaign campaign =
        models("m", NULL, "m=1; model=servers servers=4 m=1,2; mesh=3x2x1 h=9 m=3", 3);
    static const double rates[3][3] = {{1, 2, 6}, {4, NAN, 8}, {NAN, NAN, NAN}};
    cr_assert_eq(campaign.run_count, 9);
    for (unsigned i = 0; i < 9; i++)
        keep(campaign.runs[i], 0, i < 6 ? "solved" : "exit", "rate",
             rates[i / 3][i % 3]);
    Table table = table_of(&campaign, models_curves);
    static const char *const wanted[3][5] = {{"3", "", "4", "1", ""},
                                             {"6", "2.828427125", "4", "2", ""},
                                             {"", "", "", "3", "9"}};
    cr_assert_eq(table.rows, 4);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"rate", "rate_sd", "servers", "m", "h"};
        for (unsigned k = 0; k < 5; k++)
            if (wanted[i][k][0] || k != 1)
                cr_expect_str_eq(field(&table, i + 1, names[k]), wanted[i][k],
                                 "%s of %u: %s", names[k], i,
                                 field(&table, i + 1, names[k]));
    }
    /* t(0.975; 1) and t(0.975; 2) times the deviation over the root of n. */
    cr_expect_lt(fabs(strtod(field(&table, 2, "rate_ci95"), NULL) - 12.7062047 * 2),
                 1e-6);
    cr_expect_lt(fabs(strtod(field(&table, 1, "rate_ci95"), NULL) -
                      4.30265273 * sqrt(7) / sqrt(3)),
                 1e-6);
    free(table.text);
    campaign_close(&campaign);
}
