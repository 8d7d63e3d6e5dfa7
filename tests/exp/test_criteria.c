/* How far a setting's figures lie from the thesis's. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/exp/made.h"
#include "tools/exp/judge/choices.h"

Test(criteria, inside_there_is_no_distance) {
    cr_expect_eq(choices_distance(4, 4, 34, 4), 0);
    cr_expect_eq(choices_distance(20, 4, 34, 4), 0);
    cr_expect_eq(choices_distance(34, 4, 34, 4), 0);
}

Test(criteria, outside_it_grows_by_the_scale) {
    cr_expect_float_eq(choices_distance(2, 4, 34, 4), 0.5, 1e-12);
    cr_expect_float_eq(choices_distance(36, 4, 34, 4), 0.5, 1e-12);
    cr_expect_float_eq(choices_distance(43.7, 38, 38, 5.7), 1, 1e-12);
    cr_expect_float_eq(choices_distance(26.6, 38, 38, 5.7), 2, 1e-12);
}

Test(criteria, it_is_never_more_than_that_of_no_figure) {
    cr_expect_eq(choices_distance(NAN, 16, 16, 10), 3);
    cr_expect_eq(choices_distance(1000, 16, 16, 10), 3);
    cr_expect_eq(choices_distance(-1000, 16, 16, 10), 3);
}

/* The table is only written beside the readings. */
Test(criteria, no_table_without_readings) {
    char folder[] = "/tmp/jm-criteria-XXXXXX";
    JmError error;
    Campaign campaign = made_campaign("m=2; L=4", 1);
    cr_assert_not_null(mkdtemp(folder));
    cr_expect(choices_write(&campaign, folder, &error));
    cr_expect_eq(rmdir(folder), 0, "there is a file");
    campaign_close(&campaign);
}
