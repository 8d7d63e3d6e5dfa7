/* Figures of queues by node: how far apart two centres of a column lie. */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/exp/made.h"
#include "tools/exp/measure/places.h"

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

Test(queues, two_centres) {
    cr_expect_eq(centres((double[]){1, 5, 9, 4, 3, 6, 8, 2}), 4);
    cr_expect_eq(centres((double[]){9, 5, 4, 3, 3, 4, 5, 8}), 7);
}

Test(queues, one_centre) {
    cr_expect_eq(centres((double[]){1, 2, 3, 9, 9, 3, 2, 1}), 0);
    cr_expect_eq(centres((double[]){1, 2, 3, 9, 8, 3, 2, 1}), 0);
    /* A valley of a twentieth is noise. */
    cr_expect_eq(centres((double[]){1, 2, 10, 9.5, 9.5, 10, 2, 1}), 0);
}

/* The first node has no stream before it, and the last takes all in: neither counts. */
Test(queues, streams_that_meet) {
    Campaign campaign = made_campaign("mesh=5x1x1", 1);
    made_set(campaign.runs[0], "accepted", json_pack("[i, i, i, i, i]", 3, 1, 5, 4, 0));
    cr_expect_eq(queues_upstream(campaign.runs[0]), 5.0 / 4);
    cr_expect_eq(queues_entering(campaign.runs[0]), 1 - 3.0 / 13);
    campaign_close(&campaign);
}

/* Of 4x3x5 nodes 29 and 30 are the middle: with n^2 messages for the network and
 * 1000 + n for the processor. */
Test(queues, of_either_kind_in_the_middle) {
    Campaign campaign = made_campaign("mesh=4x3x5", 1);
    Run *run = campaign.runs[0];
    json_t *node = json_array(), *processor = json_array();
    for (int i = 0; i < 4 * 3 * 5; i++) {
        json_array_append_new(node, json_integer(i * i));
        json_array_append_new(processor, json_integer(1000 + i));
    }
    made_set(run, "node_queue", node);
    cr_expect_eq(places_mean(run, queues_all_at, PLACE_MIDDLE),
                 (29 * 29 + 30 * 30) / 2.);
    made_set(run, "processor_queue", processor);
    cr_expect_eq(places_mean(run, queues_at, PLACE_MIDDLE), (29 * 29 + 30 * 30) / 2.);
    cr_expect_eq(places_most(run, queues_at, PLACE_MIDDLE), 30 * 30);
    cr_expect_eq(places_mean(run, queues_all_at, PLACE_MIDDLE),
                 (29 * 29 + 30 * 30 + 1029 + 1030) / 2.);
    campaign_close(&campaign);
}

Test(queues, no_list) {
    Campaign campaign = made_campaign("mesh=4x4x8", 1);
    cr_expect(isnan(queues_centres_z(campaign.runs[0])));
    campaign_close(&campaign);
}
