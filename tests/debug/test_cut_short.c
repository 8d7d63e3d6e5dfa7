/* Commands that replay the past, interrupted at many points where they allow it: the
 * machine, its stops and its future are as before. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug.h"
#include "said.h"
#include "tests/emu/rig.h"

enum { CYCLE = 1501, ASKS_MAX = 400 };

typedef struct {
    Said said;
    Rig *rig;
    JmDebug *debug;
    unsigned asks,
        limit; /* the interrupt comes when it is asked for so often; 0: never */
} Session;

static bool comes_now(void *context) {
    Session *s = context;
    return s->limit && ++s->asks == s->limit;
}

static Session *session_open(void) {
    Session *s = calloc(1, sizeof *s);
    cr_assert(s);
    s->rig = rig_open(2, 2, 2, rig_traffic);
    const JmDebugHost host = {.context = s,
                              .write = said_write,
                              .guest = said_write,
                              .interrupted = comes_now};
    s->debug = jm_debug_create(s->rig->machine, &host);
    cr_assert(s->debug);
    return s;
}

static void session_close(Session *s) {
    jm_debug_destroy(s->debug);
    rig_close(s->rig);
    free(s);
}

static bool say(Session *s, unsigned limit, const char *line) {
    said_empty(&s->said);
    s->asks = 0;
    s->limit = limit;
    const bool good = jm_debug_do(s->debug, line);
    s->limit = 0;
    return good;
}

/* Returns the visible state of the machine and of the stops; the caller frees it. */
static char *seen(Session *s) {
    static const char *const lines[] = {"registers all",  "queue all",  "messages",
                                        "statistics all", "info stops", "info blocked"};
    char *all = calloc(1, SAID_MAX);
    size_t length = 0;
    cr_assert(all);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cr_assert(say(s, 0, lines[i]), "%s: %s", lines[i], s->said.text);
        cr_assert_lt(length + s->said.length, (size_t)SAID_MAX);
        memcpy(all + length, s->said.text, s->said.length + 1);
        length += s->said.length;
    }
    return all;
}

static void stay(Session *s) {
    char line[32];
    snprintf(line, sizeof line, "goto %d", CYCLE);
    cr_assert(say(s, 0, line));
}

/* Interrupts a line at each point; returns how often it was. */
static unsigned cut(Session *s, const char *line, const char *before) {
    unsigned cuts = 0;
    for (unsigned limit = 1; limit < ASKS_MAX; limit += 1 + limit / 2) {
        const bool good = say(s, limit, line);
        if (!strstr(s->said.text, "interrupted")) {
            cr_expect(good || s->asks < limit, "%s, %u: %s", line, limit, s->said.text);
            return cuts;
        }
        cr_expect_not(good, "%s, %u: %s", line, limit, s->said.text);
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
    Session *s = session_open();
    cr_assert(say(s, 0, "watch ($nnr.b) after 2"));
    cr_assert(say(s, 0, "catch dispatch on 5 after 3"));
    cr_assert(say(s, 0, "goto 1200"));
    cr_assert(say(s, 0, "set [0x300]@1 = 5"));
    cr_assert(say(s, 0, "set $r3.b@3 = 5")); /* it goes on from there */
    cr_assert(say(s, 0, "block wire 1 -X"));
    stay(s);
    char *before = seen(s);
    unsigned cuts = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cuts += cut(s, lines[i], before);
        stay(s); /* the last time it was not interrupted */
    }
    cr_expect_gt(cuts, 25, "%u interrupts", cuts);
    cr_assert(say(s, 0, "goto 2500"));
    char *later = seen(s);
    cr_assert(say(s, 0, "goto 100"));
    cr_assert(say(s, 0, "goto 2500"));
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
    Session *s = session_open();
    cr_assert(say(s, 0, "goto 20000"));
    char *wanted = seen(s);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cr_assert(say(s, 0, "goto 100"));
        say(s, 1, lines[i]);
        cr_expect(strstr(s->said.text, ": interrupted\n"), "%s: %s", lines[i],
                  s->said.text);
        cr_assert(say(s, 0, "goto 20000"));
        char *got = seen(s);
        cr_expect_str_eq(got, wanted, "%s", lines[i]);
        free(got);
    }
    free(wanted);
    session_close(s);
}
