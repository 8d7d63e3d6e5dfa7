/* Points that are simulated on the machine's network for chapter 5, against what must
 * hold of any network; and the table of queues by node. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/tables/models.h"

static double at(const json_t *record, const char *list, size_t node) {
    return json_number_value(json_array_get(json_object_get(record, list), node));
}

static double sum_of(const json_t *record, const char *list) {
    double sum = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(record, list)); i++)
        sum += at(record, list, i);
    return sum;
}

static void near(double got, double wanted, double share, const char *what) {
    cr_expect(fabs(got - wanted) <= share * fabs(wanted), "%s: %g instead of %g", what,
              got, wanted);
}

/* ---- processors on the network --------------------------------------------------- */

/* Processors that always have messages serve one in every `tau` cycles. Messages are
 * neither lost nor made: what is not at a node is on a wire, for 4 to 50 cycles. */
Test(network_models, busy_processors) {
    static const char *const workloads[] = {"requests", "snakes"};
    for (unsigned i = 0; i < 2; i++) {
        char sweep[128];
        snprintf(sweep, sizeof sweep,
                 "model=network mesh=2x1x1 m=10 tau=50 workload=%s cycles=50000",
                 workloads[i]);
        json_t *record = made_solve(sweep, 1);
        near(made_figure(record, "rate"), 1. / 50, 0.02, workloads[i]);
        const double away = 20 - sum_of(record, "node_queue");
        cr_expect(away > 4 * 2. / 50 && away < 50 * 2. / 50, "%g on wires", away);
        cr_expect_eq(made_figure(record, "per_node"), 10);
        json_decref(record);
    }
}

/* Two nodes share a link of a flit a cycle, which every message of 8 flits crosses:
 * short services saturate it, and what crosses it is what is served. */
Test(network_models, saturated_link) {
    json_t *record = made_solve(
        "model=network mesh=2x1x1 m=20 tau=5 workload=snakes cycles=20000", 1);
    near(made_figure(record, "rate"), 1. / 16, 0.02, "rate");
    near(made_figure(record, "bisection"), 16 * made_figure(record, "rate"), 0.005,
         "bisection");
    json_decref(record);
    /* Longer messages, fewer of them: as many flits. */
    record = made_solve("model=network mesh=2x1x1 m=20 tau=9 workload=snakes flits=16 "
                        "cycles=20000",
                        1);
    near(made_figure(record, "rate"), 1. / 32, 0.02, "rate of long messages");
    json_decref(record);
}

/* Where many wait, the channels of a message that does not move are full but for its
 * ends. Where nothing waits for long there is no such message. */
Test(network_models, blocked_messages) {
    static const char *const lengths[] = {"flits=8", "flits=16"};
    for (size_t i = 0; i < 2; i++) {
        json_t *record = made_point(
            "model=network mesh=4x4x2 m=20 tau=5 workload=snakes cycles=20000",
            lengths[i], 1);
        const double packing = made_figure(record, "packing");
        cr_expect(packing > 1.4 && packing <= 2, "%s: %g", lengths[i], packing);
        json_decref(record);
    }
    json_t *empty = made_solve("model=network mesh=4x1x1 m=1 tau=400 cycles=5000", 1);
    made_expect(empty, "packing", NAN, "an empty network");
    json_decref(empty);
}

/* A seed draws the same destinations again; longer services and headers, which are
 * flits too, slow a network that is not full. */
Test(network_models, settings_and_seeds_matter) {
    static const char sweep[] = "model=network mesh=3x3x1 m=2 tau=20 cycles=5000";
    json_t *first = made_solve(sweep, 1), *again = made_solve(sweep, 1),
           *other = made_solve(sweep, 2);
    cr_expect(json_equal(first, again));
    cr_expect_not(json_equal(first, other));
    json_t *longer = made_solve("model=network mesh=3x3x1 m=2 tau=40 cycles=5000", 1);
    cr_expect_lt(made_figure(longer, "rate"), made_figure(first, "rate"));
    json_t *headed =
        made_solve("model=network mesh=3x3x1 m=2 tau=20 cycles=5000 header_flits=3", 1);
    cr_expect_lt(made_figure(headed, "rate"), made_figure(first, "rate"));
    json_decref(first);
    json_decref(again);
    json_decref(other);
    json_decref(longer);
    json_decref(headed);
}

/* ---- streams that meet ----------------------------------------------------------- */

/* TC-122: a fair router gives half to who enters and half to the stream that passes, so
 * shares halve from node to node upstream; the first two share what is left. */
Test(network_models, fair_streams_halve) {
    for (unsigned nodes = 3; nodes <= 6; nodes++) {
        char sweep[128];
        snprintf(sweep, sizeof sweep,
                 "model=confluence mesh=%ux1x1 fair=1 cycles=20000", nodes);
        json_t *record = made_solve(sweep, 1);
        double share = 0.5;
        for (unsigned node = nodes - 2; node > 0; node--, share /= 2)
            near(at(record, "accepted", node), share, 0.01, "share");
        near(at(record, "accepted", 0), share * 2, 0.01, "share of the first");
        cr_expect_eq(at(record, "accepted", nodes - 1), 0);
        near(sum_of(record, "accepted"), 1, 0.005, "a full link");
        json_decref(record);
    }
}

/* Messages that go straight on go first, and the first node's stream never pauses. */
Test(network_models, unfair_streams_shut_others_out) {
    json_t *record = made_solve("model=confluence mesh=6x1x1 fair=0 cycles=20000", 1);
    near(at(record, "accepted", 0), 1, 0.005, "the first");
    for (unsigned node = 1; node < 6; node++)
        cr_expect_eq(at(record, "accepted", node), 0);
    json_decref(record);
}

/* ---- NAME.nodes.csv -------------------------------------------------------------- */

enum { NODES = 6, RUNS = 3, POINTS = 2, FIELDS = 15 };
enum { POINT = 1, PROGRAM, STATE, N, LINE, MARK, PLACE_X, PLACE_Y, PLACE_Z, RANK };
enum { QUEUE = RANK + 1, QUEUE_ALL, QUEUE_FLITS, ACCEPTED };

/* Splits a line of CSV without quotes. */
static void split(char *line, char *field[FIELDS]) {
    line[strcspn(line, "\n")] = '\0';
    for (unsigned i = 0; i < FIELDS; i++) {
        cr_assert(line, "field %u", i);
        field[i] = line;
        line = strchr(line, ',');
        if (line)
            *line++ = '\0';
    }
    cr_assert_null(line, "more than %d fields", FIELDS);
}

static json_t *list_from(double first, double step) {
    json_t *list = json_array();
    for (unsigned i = 0; i < NODES; i++)
        json_array_append_new(list, json_real(first + step * i));
    return list;
}

/* A model, whose processors have a queue of their own, and a simulation of 3 runs. */
static Campaign made_nodes(void) {
    Campaign campaign =
        made_campaign("mesh=3x2x1 m=2 flits=10; model=amva; model=network", RUNS);
    cr_assert_eq(campaign.run_count, 1 + RUNS);
    for (unsigned i = 0; i <= RUNS; i++) {
        made_set(campaign.runs[i], "stop", json_string("solved"));
        made_set(campaign.runs[i], "node_queue", list_from(i, 0.25));
    }
    made_set(campaign.runs[0], "processor_queue", list_from(5, 1));
    return campaign;
}

/* The number that a field holds, and nothing else. */
static double number_of(const char *field) {
    char *end;
    const double number = strtod(field, &end);
    cr_expect(end > field && !*end, "'%s' is not a number", field);
    return number;
}

static void expect_row(char *const field[FIELDS], unsigned point, unsigned node) {
    const double queue = (point ? 2 : 0) + 0.25 * node;
    const double all = queue + (point ? 0 : 5 + node);
    cr_expect_eq(number_of(field[POINT]), point);
    cr_expect_eq(number_of(field[RANK]), node);
    cr_expect_eq(number_of(field[PLACE_X]), (node % 3));
    cr_expect_eq(number_of(field[PLACE_Y]), (node / 3));
    cr_expect_eq(number_of(field[PLACE_Z]), 0);
    cr_expect_eq(number_of(field[N]), point ? RUNS : 1);
    cr_expect_str_eq(field[PROGRAM], point ? "network" : "amva");
    cr_expect_str_eq(field[STATE], "solved");
    cr_expect_str_eq(field[LINE], point ? "" : "model");
    cr_expect_str_eq(field[MARK], point ? "simulation" : "");
    cr_expect(made_same(number_of(field[QUEUE]), queue), "%s", field[QUEUE]);
    cr_expect(made_same(number_of(field[QUEUE_ALL]), all), "%s", field[QUEUE_ALL]);
    cr_expect(made_same(number_of(field[QUEUE_FLITS]), 10 * all), "%s",
              field[QUEUE_FLITS]);
    cr_expect_str_empty(field[ACCEPTED]);
}

/* A row for each point and node, with means over the point's runs. */
Test(network_models, a_row_for_each_point_and_node) {
    Campaign campaign = made_nodes();
    FILE *file = tmpfile();
    char line[512], *field[FIELDS];
    cr_assert_not_null(file);
    fprintf(file, "%s\n", models_nodes_head);
    for (unsigned i = 0; i < POINTS; i++)
        models_put_nodes(&campaign.plans[0], i, file);
    rewind(file);
    cr_assert(fgets(line, sizeof line, file));
    split(line, field);
    cr_expect_str_eq(field[QUEUE_FLITS], "queue_all_flits");
    for (unsigned i = 0; i < POINTS * NODES; i++) {
        cr_assert(fgets(line, sizeof line, file), "row %u", i);
        split(line, field);
        expect_row(field, i / NODES, i % NODES);
    }
    cr_expect_null(fgets(line, sizeof line, file));
    fclose(file);
    campaign_close(&campaign);
}
