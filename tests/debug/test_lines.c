/* Sets of nodes of a large machine, and fitting items into lines of a given width. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug.h"
#include "said.h"
#include "tests/emu/rig.h"

enum { WIDEST = 200 };

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

/* What a line says; the next call overwrites it. */
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

/* Joins the lines under each message of a list to it, as on a wide terminal, if it fits
 * into `columns`; the caller frees it. */
static char *joined(const char *list, size_t columns) {
    static const char age[] = "; age ";
    char *text = malloc(2 * strlen(list) + 1), *to = text;
    cr_assert(text);
    while (*list) {
        const size_t length = strcspn(list, "\n");
        const char *split = strstr(list, age);
        if (split && split < list + length && length >= columns) {
            const size_t before = (size_t)(split - list);
            to += sprintf(to, "%.*s\n          %.*s\n", (int)before, list,
                          (int)(length - before - 2), split + 2);
        } else {
            to += sprintf(to, "%.*s\n", (int)length, list);
        }
        list += length + (list[length] == '\n');
    }
    return text;
}

Test(lines, an_age_stands_beside_its_message_where_it_fits) {
    Session *session = session_new(2, 2, 2);
    said(session, "goto 3000");
    jm_debug_resize(session->debug, WIDEST);
    char *list = strdup(said(session, "queue all"));
    cr_assert(list && strstr(list, "; age "), "%s", list);
    unsigned split = 0, whole = 0;
    for (unsigned columns = 1; columns <= WIDEST; columns++) {
        jm_debug_resize(session->debug, columns);
        char *expected = joined(list, columns);
        cr_expect_str_eq(said(session, "queue all"), expected, "%u columns", columns);
        split += strcmp(expected, list) != 0;
        whole += strcmp(expected, list) == 0;
        free(expected);
    }
    cr_expect(split > 20 && whole > 20, "%u split, %u whole", split, whole);
    free(list);
    session_free(session);
}
