/* emu/core/suggest: which known name is nearest to a mistyped one. */
#include <criterion/criterion.h>
#include <string.h>

#include "emu/core/suggest.h"

/* The distance between two names, or -1 if it is too large for a suggestion. */
static int distance(const char *wanted, const char *name) {
    JmSuggestion suggestion = jm_suggest_start(wanted);
    jm_suggest_consider(&suggestion, name);
    cr_assert_eq(suggestion.best,
                 suggestion.distance < (strlen(wanted) + 2) / 3 + 1 ? name : NULL);
    return suggestion.best ? (int)suggestion.distance : -1;
}

Test(suggest, counts_replaced_missing_and_additional_letters) {
    cr_expect_eq(distance("kitten", "kitten"), 0);
    cr_expect_eq(distance("kitten", "sitting"), -1);
    cr_expect_eq(distance("sitting", "kitten"), 3);
    cr_expect_eq(distance("saturday", "sunday"), 3);
    cr_expect_eq(distance("sunday", "saturday"), -1);
    cr_expect_eq(distance("flaw", "lawn"), 2);
    cr_expect_eq(distance("abcdef", "badcef"), 2, "letters that changed places");
    cr_expect_eq(distance("abcdef", "abcdfe"), 1, "the last two");
    cr_expect_eq(distance("Mesh", "mESH"), 0, "case");
    cr_expect_eq(distance("queue", "queue0"), 1);
    cr_expect_eq(distance("queue0", "queue"), 1);
    cr_expect_eq(distance("", "a"), -1);
    cr_expect_eq(distance("a", ""), 1);
}

Test(suggest, accepts_a_third_of_the_letters_rounded_up) {
    cr_expect_eq(distance("abc", "abX"), 1);
    cr_expect_eq(distance("abc", "aXY"), -1);
    cr_expect_eq(distance("abcd", "abXY"), 2);
    cr_expect_eq(distance("abcdef", "abcXYZ"), -1);
    cr_expect_eq(distance("ab", "aX"), 1);
    cr_expect_eq(distance("ab", "XY"), -1);
}

Test(suggest, keeps_the_nearest_and_of_equals_the_first) {
    JmSuggestion suggestion = jm_suggest_start("dispatch");
    const char *const names[] = {"dispatXY", "dispatcX", "dispatYZ", "dispatcY"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        jm_suggest_consider(&suggestion, names[i]);
    cr_expect_str_eq(suggestion.best, "dispatcX");
    cr_expect_eq(suggestion.distance, 1);
}

Test(suggest, compares_names_of_up_to_64_characters) {
    char wanted[66], name[66];
    for (unsigned length = 63; length <= 65; length++) {
        memset(wanted, 'a', length);
        memset(name, 'a', length);
        wanted[length] = name[length] = '\0';
        name[length - 1] = 'b';
        JmSuggestion suggestion = jm_suggest_start(wanted);
        jm_suggest_consider(&suggestion, name);
        cr_expect_eq(suggestion.best, length <= 64 ? name : NULL, "%u", length);
        wanted[64] = '\0';
        suggestion = jm_suggest_start(wanted);
        jm_suggest_consider(&suggestion, name);
        cr_expect_eq(suggestion.best, length <= 64 ? name : NULL, "%u", length);
    }
}
