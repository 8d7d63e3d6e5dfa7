/* Comparison of numbers in the tests of the models. */
#ifndef JM_TESTS_MODEL_NUMBERS_H
#define JM_TESTS_MODEL_NUMBERS_H

#include <criterion/criterion.h>
#include <math.h>

/* `value` is `wanted` within a share of it. */
#define NEAR(value, wanted, share)                                                     \
    do {                                                                               \
        const double near_value = (value), near_wanted = (wanted);                     \
        cr_assert(fabs(near_value - near_wanted) <= (share)*fabs(near_wanted),         \
                  "%s is %.10g, not %.10g", #value, near_value, near_wanted);          \
    } while (0)

/* `value` is within [low, high]. */
#define WITHIN(value, low, high)                                                       \
    do {                                                                               \
        const double within_value = (value);                                           \
        cr_assert(within_value >= (low) && within_value <= (high),                     \
                  "%s is %.10g, not in %.10g..%.10g", #value, within_value,            \
                  (double)(low), (double)(high));                                      \
    } while (0)

#endif
