/* Sets of nodes of a large machine. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug.h"
#include "said.h"
#include "tests/emu/rig.h"

typedef struct {
    Said said;
    Rig *rig;
    JmDebug *debug;
} Session;

static Session *session_new(unsigned x, unsigned y, unsigned z) {
    Session *session = calloc(1, sizeof *session);
    cr_assert(session);
    session->rig = rig_open(x, y, z, rig_traffic);
    const JmDebugHost host = {
        .context = session, .write = said_write, .guest = said_write};
    session->debug = jm_debug_create(session->rig->machine, &host);
    cr_assert(session->debug);
    return session;
}

static void session_free(Session *session) {
    jm_debug_destroy(session->debug);
    rig_close(session->rig);
    free(session);
}

/* Returns the output of a command; the next call overwrites it. */
static char *said(Session *session, const char *line) {
    said_empty(&session->said);
    cr_assert(jm_debug_do(session->debug, line), "%s: %s", line, session->said.text);
    return session->said.text;
}

Test(lines, sets_of_nodes_hold_what_was_named) {
    Session *session = session_new(8, 5, 5);
    for (unsigned node = 0; node < 200; node++) {
        char line[32], name[32];
        snprintf(line, sizeof line, "where %u", node);
        snprintf(name, sizeof name, "node %u (", node);
        const char *text = said(session, line);
        cr_assert_eq(strncmp(text, name, strlen(name)), 0, "%s: %s", line, text);
        cr_assert_null(strstr(text + 1, "\nnode "), "%s: %s", line, text);
    }
    session_free(session);
}
