/* The moments of time travel, without a clock: one every so many cycles. When they are
 * too many or too large, every second one goes, and the past is as it was. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "session.h"

enum { EVERY = 10000, MOST = 128 }; /* EVERY: of the first */

/* Fills memory from 10000 to 9FFFF, then counts on. */
static const char fills[] = "        .rom\n"
                            "        .org    0x1000\n"
                            "boot:   .word   INT:0x10000\n"
                            "        move    r0,r1\n"
                            "        .word   INT:0xA0000\n"
                            "        move    r0,r2\n"
                            "loop:   move    r1,[r1,a0]\n"
                            "        add     r1,1,r1\n"
                            "        lt      r1,r2,r3\n"
                            "        bt      r3,^loop\n"
                            "        move    0,r2\n"
                            "counts: add     r2,1,r2\n"
                            "        br      ^counts\n";

/* The line "N moments remembered, with K KB ..." of `info time`. */
static void moments(Session *s, unsigned *count, unsigned *size) {
    cr_assert(tell(s, "info time"));
    const char *line = strchr(s->said, '\n');
    cr_assert(line &&
                  sscanf(line, " %u moments remembered, with %u KB", count, size) == 2,
              "%s", s->said);
}

static void expect_there(Session *s, const Rig *plain, uint64_t cycle) {
    for (int reg = JM_REG_R1; reg <= JM_REG_R3; reg++) {
        const JmWord wanted =
            jm_register(plain->machine, 0, JM_CONTEXT_BACKGROUND, (JmReg)reg);
        const JmWord got =
            jm_register(s->rig->machine, 0, JM_CONTEXT_BACKGROUND, (JmReg)reg);
        cr_expect(jm_same(got, wanted), "R%d in cycle %" PRIu64, reg - JM_REG_R0,
                  cycle);
    }
}

/* Goes back through the past, also to moments that have been dropped, and on from
 * there. */
static void travel(Session *s, uint64_t end) {
    static const unsigned parts[] = {1, 977, 30, 31, 500, 12, 999, 3};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const uint64_t cycle = end / 1000 * parts[i];
        Rig *plain = rig_open(1, 1, 1, fills);
        jm_run(plain->machine, cycle);
        cr_assert(tell(s, "goto %" PRIu64, cycle));
        expect_there(s, plain, cycle);
        rig_close(plain);
    }
}

/* `megabytes`: the limit, 0: as it begins. Of so many moments `least` stay at least. */
static void check_limits(unsigned megabytes, unsigned least) {
    Session *s = session_open(1, 1, 1, fills);
    if (megabytes)
        cr_assert(tell(s, "option memory %u", megabytes));
    unsigned count = 0, size = 0;
    const uint64_t step = 97 * EVERY, end = 4 * step;
    for (uint64_t cycle = step; cycle <= end; cycle += step) {
        cr_assert(tell(s, "goto %" PRIu64, cycle));
        moments(s, &count, &size);
        cr_expect_leq(count, MOST);
        cr_expect(!megabytes || size <= 1024 * megabytes || count == 2,
                  "%u moments of %u KB", count, size);
    }
    cr_expect_geq(count, least);
    travel(s, end);
    /* A change begins another future, without the moments of the old one. */
    cr_assert(tell(s, "goto %d", EVERY / 2));
    cr_assert(tell(s, "set $r1 = 0x9FFFF")); /* nothing more is filled */
    cr_assert(tell(s, "goto %" PRIu64, end));
    cr_expect(jm_same(jm_read(s->rig->machine, 0, 0x40000), JM_NIL));
    session_close(s);
}

Test(moments, every_second_one_goes_when_they_are_too_many) {
    check_limits(0, MOST / 2 - 1);
}

Test(moments, and_when_they_are_too_large) {
    check_limits(6, 16);
    check_limits(1, 2);
}
