/* Commands that replay the past, interrupted at many points where they allow it: the
 * machine, its stops and its future are as before. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

enum { CYCLE = 1501, ASKS_MAX = 400 };

/* Returns the visible state of the machine and of the stops; the caller frees it. */
static char *seen(Session *s) {
    static const char *const lines[] = {"registers all",  "queue all",  "messages",
                                        "statistics all", "info stops", "info blocked"};
    char *all = calloc(1, SAID_MAX);
    size_t length = 0;
    cr_assert(all);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cr_assert(tell(s, "%s", lines[i]), "%s: %s", lines[i], s->said);
        cr_assert_lt(length + s->length, (size_t)SAID_MAX);
        memcpy(all + length, s->said, s->length + 1);
        length += s->length;
    }
    return all;
}

static void stay(Session *s) {
    cr_assert(tell(s, "goto %d", CYCLE));
}

/* Interrupts a line at each point; returns how often it was. */
static unsigned cut(Session *s, const char *line, const char *before) {
    unsigned cuts = 0;
    for (unsigned limit = 1; limit < ASKS_MAX; limit += 1 + limit / 2) {
        s->limit = limit;
        const bool good = tell(s, "%s", line);
        s->limit = 0;
        if (!strstr(s->said, "interrupted")) {
            cr_expect(good || s->asks < limit, "%s, %u: %s", line, limit, s->said);
            return cuts;
        }
        cr_expect_not(good, "%s, %u: %s", line, limit, s->said);
        stay(s); /* what is still due would be done now */
        char *after = seen(s);
        cr_expect_str_eq(after, before, "%s, %u", line, limit);
        free(after);
        cuts++;
    }
    return cuts;
}

Test(cut_short, what_goes_over_the_past_leaves_no_trace) {
    static const char *const lines[] = {"reverse-step",        "rs 30",
                                        "reverse-line 9999",   "rc",
                                        "who wrote 2:total",   "history task 0",
                                        "history task 2",      "history task 4",
                                        "causes task 0",       "causes task 2",
                                        "causes task 4",       "who wrote 0x300",
                                        "history queue 2 0 1", "causes queue 2 0 1"};
    Session *s = session_open(2, 2, 2, rig_traffic);
    cr_assert(tell(s, "watch ($nnr.b) after 2"));
    cr_assert(tell(s, "catch dispatch on 5 after 3"));
    cr_assert(tell(s, "goto 1200"));
    cr_assert(tell(s, "set [0x300]@1 = 5"));
    cr_assert(tell(s, "set $r3.b@3 = 5")); /* it goes on from there */
    cr_assert(tell(s, "block wire 1 -X"));
    stay(s);
    char *before = seen(s);
    unsigned cuts = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cuts += cut(s, lines[i], before);
        stay(s); /* the last time it was not interrupted */
    }
    cr_expect_gt(cuts, 25, "%u interrupts", cuts);
    cr_assert(tell(s, "goto 2500"));
    char *later = seen(s);
    cr_assert(tell(s, "goto 100"));
    cr_assert(tell(s, "goto 2500"));
    char *again = seen(s);
    cr_expect_str_eq(again, later);
    free(before);
    free(later);
    free(again);
    session_close(s);
}

/* An interrupted run stays where it is and continues as if uninterrupted. */
Test(cut_short, a_run_goes_on_where_it_was_interrupted) {
    static const char *const lines[] = {"goto 9000", "run 8900", "cycle 8900",
                                        "goto 9000"};
    Session *s = session_open(2, 2, 2, rig_traffic);
    cr_assert(tell(s, "goto 20000"));
    char *wanted = seen(s);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cr_assert(tell(s, "goto 100"));
        s->limit = 1;
        tell(s, "%s", lines[i]);
        s->limit = 0;
        cr_expect(strstr(s->said, ": interrupted\n"), "%s: %s", lines[i], s->said);
        cr_assert(tell(s, "goto 20000"));
        char *got = seen(s);
        cr_expect_str_eq(got, wanted, "%s", lines[i]);
        free(got);
    }
    free(wanted);
    session_close(s);
}
