/* Tables of points some of whose runs have no figures, or that plot any figure. */
#include <criterion/criterion.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/exp/made.h"
#include "tools/exp/tables/tables.h"

enum { NODES = 6, RUNS = 4, LINE_MAX_LENGTH = 4096 };

/* Nodes that overflowed in a run, how often and first when. Of two in one cycle the
 * first of the list is the earlier; time runs from the start of the Snakes. */
static json_t *places_of(unsigned run) {
    switch (run) {
    case 0:
        return json_pack("[[i, i, i], [i, i, i], [i, i, i]]", 4, 3, 700, 1, 2, 200, 5,
                         1, 200);
    case 2:
        return json_pack("[[i, i, i], [i, i, i]]", 2, 1, -5, 4, 2, 40);
    default:
        return json_array();
    }
}

/* Four runs on 3x2x1 nodes, of which the second failed; the others take 3, 1 and 2 ms,
 * and have 10, 20 and 30 SEND faults at each node and its rank. */
static Campaign partly(void) {
    static const unsigned T[RUNS] = {30000, 0, 10000, 20000};
    Campaign campaign = made_campaign("mesh=3x2x1 m=5 L=500; h=45", RUNS);
    for (unsigned i = 0; i < RUNS; i++) {
        Run *run = campaign.runs[i];
        json_t *lists[3];
        for (unsigned k = 0; k < 3; k++) {
            lists[k] = json_array();
            for (unsigned node = 0; node < NODES; node++)
                json_array_append_new(
                    lists[k], json_integer((k == 1 ? 100 : 1) * (T[i] / 1000 + node)));
        }
        made_keep(run,
                  json_pack("{s:i, s:s, s:i, s:o, s:o, s:o, s:i, s:o}", "status",
                            i == 1 ? -1 : 0, "stop", i == 1 ? "idle" : "exit", "T",
                            (int)T[i], "send", lists[0], "depth", lists[1], "deepest",
                            lists[2], "overflows", 0, "places", places_of(i)));
    }
    return campaign;
}

/* Line `row` of a table, from 0 for the head; "" behind the last. */
static const char *line(const char *folder, const char *suffix, unsigned row) {
    static char text[LINE_MAX_LENGTH];
    char path[128];
    snprintf(path, sizeof path, "%s/made%s", folder, suffix);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    for (unsigned i = 0; i <= row; i++)
        if (!fgets(text, sizeof text, file))
            text[0] = '\0';
    fclose(file);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

/* Removes the tables, which must be all files of the folder. */
static void remove_all(const char *folder) {
    char pattern[128];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/made.*", folder);
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0, "no tables");
    for (size_t i = 0; i < found.gl_pathc; i++)
        cr_expect_eq(remove(found.gl_pathv[i]), 0, "%s", found.gl_pathv[i]);
    globfree(&found);
    cr_expect_eq(rmdir(folder), 0, "other files are there");
}

/* Writes the tables of a campaign to a new folder, whose name it completes. */
static void write_tables(const Campaign *campaign, char *folder) {
    JmError error;
    cr_assert_not_null(mkdtemp(folder));
    cr_assert(tables_write(&campaign->plans[0], folder, &error), "%s", error.text);
}

/* The curve of a distribution ends below 100 % by the share of runs that have no
 * makespan; means are those of the others, and no sum counts what failed. */
Test(tables, a_run_that_failed) {
    char folder[] = "/tmp/jm-tables-XXXXXX", wanted[128];
    Campaign campaign = partly();
    write_tables(&campaign, folder);
    cr_expect_str_eq(line(folder, ".cdf.csv", 1), "0,1,2,25");
    cr_expect_str_eq(line(folder, ".cdf.csv", 2), "0,2,4,50");
    cr_expect_str_eq(line(folder, ".cdf.csv", 3), "0,3,6,75");
    cr_expect_str_eq(line(folder, ".cdf.csv", 4), "");
    cr_expect_str_eq(line(folder, ".histogram.csv", 1), "0,1,1.1,1");
    cr_expect_str_eq(line(folder, ".histogram.csv", 20), "0,2.9,3,1");
    for (unsigned node = 0; node < NODES; node++) {
        static const unsigned overflows[] = {0, 2, 1, 0, 5, 1}, first[] = {0, 1, 1};
        snprintf(wanted, sizeof wanted, "%u,%u,0,%u,3,%u,%u,%u,%u,%u", node % 3,
                 node / 3, node, overflows[node], node < 3 ? first[node] : 0,
                 60 + 3 * node, 20 + node, 30 + node);
        cr_expect_str_eq(line(folder, ".map.csv", 1 + node), wanted);
    }
    cr_expect_not_null(strstr(line(folder, ".points.csv", 1), ",3,2,1,"));
    cr_expect_not_null(strstr(line(folder, ".csv", 2), ",2,"));
    cr_expect_str_eq(line(folder, ".times.csv", 1), "");
    remove_all(folder);
    campaign_close(&campaign);
}

/* An experiment can plot any figure of a run: its points have what it names. */
Test(tables, points_of_a_figure_that_is_plotted) {
    static const Experiment plotted = {.name = "made",
                                       .figure = "",
                                       .kind = KIND_CURVE,
                                       .x = "h",
                                       .y = "returns_mean",
                                       .error = "instructions_max",
                                       .plane = -1};
    char folder[] = "/tmp/jm-tables-XXXXXX";
    Campaign campaign = made_campaign_of(&plotted, "h=45", RUNS);
    for (int i = 0; i < RUNS; i++)
        made_keep(campaign.runs[i], json_pack("{s:s, s:i, s:i}", "stop", "exit",
                                              "returns", i, "instructions", 1000 * i));
    write_tables(&campaign, folder);
    const char *head = line(folder, ".points.csv", 0);
    const char *end = strstr(head, ",queue_max_sd,");
    cr_assert_not_null(end, "%s", head);
    cr_expect_str_eq(end, ",queue_max_sd,returns_mean,instructions_max");
    const char *row = line(folder, ".points.csv", 1);
    const char *values = strstr(row, ",1.5,3000");
    cr_assert_not_null(values, "%s", row);
    cr_expect_str_eq(values, ",1.5,3000");
    remove_all(folder);
    campaign_close(&campaign);
}
