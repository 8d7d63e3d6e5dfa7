/* Reads text images: rows `NODE HEXADDR HEXWORD`, `*` for all nodes, `#` before
 * comments. All rows are checked before the first is placed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/sourcetext.h"
#include "emu/machine/calls_inline.h"
#include "emu/machine/load/program.h"

/* A row of a text image. */
typedef struct {
    int node; /* rank or JM_ALL_NODES */
    uint32_t address;
    JmWord word;
} Row;

/* A place in the text, with what an error message needs. */
typedef struct {
    const char *at, *end; /* the rest of the row */
    const char *start;    /* first character of the row, for columns */
    const char *name;
    int line;
    JmError *error;
} Cursor;

/* Reports an error at a column of the row. Returns false. */
static bool fail(Cursor *c, const char *at, const char *text) {
    return jm_fail_line(c->error, c->name, c->line, (int)(at - c->start) + 1, "%s",
                        text);
}

static void skip_space(Cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

/* Reads a number of the given base, at most `maximum`, ending at a blank or at the
 * row's end. */
static bool read_number(Cursor *c, unsigned base, uint64_t maximum, uint64_t *value,
                        const char *what) {
    skip_space(c);
    const char *first = c->at;
    *value = 0;
    while (c->at < c->end && isxdigit((unsigned char)*c->at)) {
        const char digit = (char)tolower((unsigned char)*c->at);
        const unsigned d =
            digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10;
        if (d >= base)
            break;
        *value = *value * base + d;
        if (*value > maximum)
            return fail(c, first, what);
        c->at++;
    }
    const bool ended = c->at == c->end || isspace((unsigned char)*c->at);
    return c->at > first && ended ? true : fail(c, first, what);
}

/* Reads a rank or `*`. */
static bool read_node(Cursor *c, unsigned nodes, int *node) {
    uint64_t rank;
    if (*c->at == '*') {
        c->at++;
        *node = JM_ALL_NODES;
        return c->at < c->end && isspace((unsigned char)*c->at)
                   ? true
                   : fail(c, c->at, "a space must follow '*'");
    }
    if (!read_number(c, 10, nodes - 1, &rank,
                     "the node must be '*' or a decimal rank of this machine"))
        return false;
    *node = (int)rank;
    return true;
}

/* Reads a whole row. */
static bool read_row(Cursor *c, unsigned nodes, Row *row) {
    uint64_t address, word;
    if (!read_node(c, nodes, &row->node) ||
        !read_number(c, 16, JM_ADDRESS_MASK, &address,
                     "the address must be hexadecimal, at most FFFFF") ||
        !read_number(c, 16, JM_WORD_MASK, &word,
                     "the word must be hexadecimal, at most FFFFFFFFF"))
        return false;
    skip_space(c);
    if (c->at < c->end && *c->at != '#')
        return fail(c, c->at, "nothing may follow the word");
    row->address = (uint32_t)address;
    row->word.bits = word;
    return true;
}

/* Checks every row; with `place` also places it, and starts its node. *rows: their
 * number. */
static bool each_row(JmMachine *machine, const char *text, size_t size,
                     const char *name, bool place, size_t *rows, JmError *error) {
    Cursor c = {.at = text, .name = name, .error = error};
    const char *const end = text + size;
    bool all = false;
    for (*rows = 0; c.at < end; c.at = c.end + 1) {
        const char *newline = memchr(c.at, '\n', (size_t)(end - c.at));
        c.start = c.at;
        c.end = newline ? newline : end;
        c.line++;
        skip_space(&c);
        if (c.at == c.end || *c.at == '#')
            continue;
        Row row;
        if (!read_row(&c, machine->nodes, &row))
            return false;
        ++*rows;
        all |= row.node == JM_ALL_NODES;
        if (place)
            loader_place(machine, row.node, row.address, &row.word, 1);
        if (place && row.node != JM_ALL_NODES)
            loader_start(machine, row.node);
    }
    if (place && all)
        loader_start(machine, JM_ALL_NODES);
    return true;
}

bool jm_load_text(JmMachine *machine, const char *text, size_t size, const char *name,
                  JmError *error) {
    call_changes(machine);
    assert(text);
    const size_t mark = jm_text_mark(text, size);
    text += mark;
    size -= mark;
    size_t rows;
    if (!each_row(machine, text, size, name, false, &rows, error))
        return false;
    if (!rows)
        return jm_fail(error, name, "neither an ELF image nor a text image: no rows");
    if (!program_set_name(machine, name))
        machine_starve(machine);
    if (!each_row(machine, text, size, name, true, &rows, error))
        return false;
    return !machine_is_starved(machine) || jm_fail(error, name, "out of memory");
}
