/* Reads the text form of programs. */
#include <stdio.h>
#include <string.h>

#include "emu/core/sourcetext.h"
#include "emu/core/suggest.h"
#include "net/programs/programs.h"

enum { WORDS_MAX = 4, WORD_MAX = 24 };

/* Nodes may come in any order, so operations are stored with their node and sorted at
 * the end. */
typedef struct {
    NetOp op;
    uint32_t node;
} Item;

typedef struct {
    const char *file, *at, *end;
    JmError *error;
    int line;
    unsigned words; /* of the line */
    char word[WORDS_MAX][WORD_MAX];
    int column[WORDS_MAX]; /* of each word, from 1 */
    Heap *heap;
    Item *items;
    uint32_t count;
    size_t room;
    uint32_t nodes, node; /* NET_NONE: not given yet */
    uint8_t *seen;        /* by node */
    bool good;
} Reader;

/* Reports an error at a word of the line, or at its first column if the word is
 * missing. Returns false. */
static bool wrong_at(const Reader *reader, unsigned place, const char *what) {
    return jm_fail_line(reader->error, reader->file, reader->line ? reader->line : 1,
                        place < reader->words ? reader->column[place] : 1, "%s", what);
}

static bool wrong(const Reader *reader, const char *what) {
    return wrong_at(reader, 0, what);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Reads the words of the next line. */
static bool read_words(Reader *reader) {
    const char *line = reader->at;
    reader->words = 0;
    reader->line++;
    for (; reader->at < reader->end && *reader->at != '\n' && *reader->at != '#';) {
        if (is_blank(*reader->at)) {
            reader->at++;
            continue;
        }
        const char *start = reader->at;
        while (reader->at < reader->end && !is_blank(*reader->at) &&
               *reader->at != '\n' && *reader->at != '#')
            reader->at++;
        const size_t length = (size_t)(reader->at - start);
        if (reader->words == WORDS_MAX || length >= WORD_MAX)
            return jm_fail_line(reader->error, reader->file, reader->line,
                                (int)(start - line) + 1, "too much for a line");
        if (memchr(start, 0, length))
            return jm_fail_line(reader->error, reader->file, reader->line,
                                (int)(start - line) + 1, "a NUL in a word");
        reader->column[reader->words] = (int)(start - line) + 1;
        memcpy(reader->word[reader->words], start, length);
        reader->word[reader->words++][length] = 0;
    }
    while (reader->at < reader->end && *reader->at != '\n')
        reader->at++;
    reader->at += reader->at < reader->end;
    return true;
}

/* Parses a word of the line as a number from `low` to `high`. The sum stops growing
 * before it could wrap. */
static bool number(const Reader *reader, unsigned place, uint32_t low, uint32_t high,
                   const char *what, uint32_t *value) {
    const char *text = reader->word[place];
    uint64_t sum = 0;
    bool good = *text != 0;
    for (; *text && good; text++) {
        good = *text >= '0' && *text <= '9' && sum <= UINT32_MAX;
        sum = 10 * sum + (uint64_t)(*text - '0');
    }
    *value = (uint32_t)sum;
    if (good && sum >= low && sum <= high)
        return true;
    return jm_fail_line(reader->error, reader->file, reader->line,
                        reader->column[place], "%s is '%s', not a number from %u to %u",
                        what, reader->word[place], low, high);
}

static bool expect_words(const Reader *reader, unsigned count, const char *form) {
    return reader->words == count ||
           jm_fail_line(reader->error, reader->file, reader->line, reader->column[0],
                        "'%s' is expected", form);
}

/* Adds an operation of the current node, with its line and column for runtime errors. A
 * column too large for the field is dropped. */
static void add(Reader *reader, NetOpKind kind, uint32_t node, uint32_t amount) {
    reader->items = heap_grow(reader->heap, reader->items, reader->count, &reader->room,
                              sizeof *reader->items);
    const int column = reader->column[0];
    reader->items[reader->count++] =
        (Item){.op = {.kind = (uint16_t)kind,
                      .column = column <= UINT16_MAX ? (uint16_t)column : 0,
                      .node = node,
                      .amount = amount,
                      .line = (uint32_t)reader->line},
               .node = reader->node};
}

static bool read_sending(Reader *reader, NetOpKind kind) {
    uint32_t to, bytes;
    if (!expect_words(reader, 3,
                      kind == NET_OP_SEND ? "send NODE BYTES" : "post NODE BYTES") ||
        !number(reader, 1, 0, reader->nodes - 1, "the node", &to) ||
        !number(reader, 2, 1, NET_PROGRAMS_MAX_BYTES, "the number of bytes", &bytes))
        return false;
    if (to == reader->node)
        return wrong_at(reader, 1, "a node cannot send to itself");
    add(reader, kind, to, bytes);
    return true;
}

static bool read_send(Reader *reader) {
    return read_sending(reader, NET_OP_SEND);
}

static bool read_post(Reader *reader) {
    return read_sending(reader, NET_OP_POST);
}

static bool read_receive(Reader *reader) {
    uint32_t from = NET_NONE;
    if (!expect_words(reader, 2, "receive NODE") ||
        (strcmp(reader->word[1], "any") != 0 &&
         !number(reader, 1, 0, reader->nodes - 1, "the node", &from)))
        return false;
    if (from == reader->node)
        return wrong_at(reader, 1, "a node cannot receive from itself");
    add(reader, NET_OP_RECEIVE, from, 0);
    return true;
}

static bool read_compute(Reader *reader) {
    uint32_t cycles;
    if (!expect_words(reader, 2, "compute CYCLES") ||
        !number(reader, 1, 0, NET_PROGRAMS_MAX_CYCLES, "the number of cycles", &cycles))
        return false;
    add(reader, NET_OP_COMPUTE, NET_NONE, cycles);
    return true;
}

static bool read_node(Reader *reader) {
    if (!expect_words(reader, 2, "node NUMBER") ||
        !number(reader, 1, 0, reader->nodes - 1, "the node", &reader->node))
        return false;
    if (reader->seen[reader->node])
        return wrong_at(reader, 1, "the node has a program already");
    reader->seen[reader->node] = 1;
    return true;
}

static bool no_operation(const Reader *reader, JmSuggestion *near) {
    return jm_fail_line(reader->error, reader->file, reader->line, reader->column[0],
                        "there is no operation '%s'; there are compute, send, post, "
                        "receive and node%s",
                        near->wanted, jm_suggest_text(near, "", ""));
}

static bool read_operation(Reader *reader) {
    static const struct {
        const char *name;
        bool (*read)(Reader *);
    } operations[] = {{"node", read_node},
                      {"send", read_send},
                      {"post", read_post},
                      {"receive", read_receive},
                      {"compute", read_compute}};
    const char *word = reader->word[0];
    JmSuggestion near = jm_suggest_start(word);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        jm_suggest_consider(&near, operations[i].name);
        if (strcmp(word, operations[i].name) != 0)
            continue;
        if (i > 0 && reader->node == NET_NONE)
            return wrong(reader, "'node NUMBER' is expected before operations");
        if (i > 0 && reader->count == NET_PROGRAMS_MAX_OPS)
            return wrong(reader, "there are too many operations");
        return operations[i].read(reader);
    }
    return no_operation(reader, &near);
}

/* The next non-empty line; false at the end or, with `good` cleared, if it is
 * malformed. */
static bool next_line(Reader *reader) {
    while (reader->at < reader->end) {
        reader->good = read_words(reader);
        if (!reader->good || reader->words > 0)
            return reader->good;
    }
    return false;
}

static bool read_head(Reader *reader) {
    if (!next_line(reader))
        return reader->good && wrong(reader, "'programs 1' is expected");
    if (reader->words != 2 || strcmp(reader->word[0], "programs") != 0)
        return wrong(reader, "'programs 1' is expected");
    if (strcmp(reader->word[1], "1") != 0)
        return wrong_at(reader, 1, "the version is not 1");
    if (!next_line(reader))
        return reader->good && wrong(reader, "'nodes NUMBER' is expected");
    if (strcmp(reader->word[0], "nodes") != 0)
        return wrong(reader, "'nodes NUMBER' is expected");
    return expect_words(reader, 2, "nodes NUMBER") &&
           number(reader, 1, 1, NET_PROGRAMS_MAX_NODES, "the number of nodes",
                  &reader->nodes);
}

/* Sorts the operations by node. */
static NetPrograms *order(Reader *reader) {
    NetProgramsMaker maker;
    uint32_t *count = heap_alloc(reader->heap, reader->nodes * sizeof *count);
    net_programs_begin(&maker, reader->heap, reader->nodes);
    NetPrograms *programs = maker.programs;
    programs->ops =
        heap_alloc(reader->heap, (reader->count + 1) * sizeof *programs->ops);
    for (uint32_t i = 0; i < reader->count; i++)
        programs->start[reader->items[i].node + 1]++;
    for (uint32_t node = 0; node < reader->nodes; node++)
        programs->start[node + 1] += programs->start[node];
    for (uint32_t i = 0; i < reader->count; i++) {
        const uint32_t node = reader->items[i].node;
        programs->ops[programs->start[node] + count[node]++] = reader->items[i].op;
    }
    heap_free(count);
    heap_free(reader->items);
    programs->file = reader->file;
    return programs;
}

static void *read_all(Heap *heap, const void *begun) {
    Reader *reader = heap_copy(heap, begun, sizeof *reader);
    reader->heap = heap;
    if (!read_head(reader))
        return NULL;
    reader->seen = heap_alloc(heap, reader->nodes);
    while (next_line(reader))
        if (!(reader->good = read_operation(reader)))
            return NULL;
    return reader->good ? order(reader) : NULL;
}

NetPrograms *net_programs_read(const char *file, const char *text, size_t size,
                               JmError *error) {
    const Reader begun = {.file = file,
                          .at = text + jm_text_mark(text, size),
                          .end = text + size,
                          .error = error,
                          .node = NET_NONE,
                          .good = true};
    return heap_make(read_all, &begun, error, file, "its programs");
}
