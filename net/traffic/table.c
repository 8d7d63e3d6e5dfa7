/* Messages at given times, from a file of rows "cycle source destination flits": an
 * open workload. A message that finds its source busy is queued like all others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/traffic/traffic.h"

enum { COLUMNS = 4, LINE_MAX_BYTES = 256, PATH_MAX_BYTES = 1024 };

static const NetOption options[] = {
    {"table", 0, 0, 0, NET_OPTION_TEXT,
     "rows 'cycle source destination flits' in any order, # comments", "choice",
     "FILE"},
    {0},
};

static const NetMeasure measures[] = {
    {"accepted_flits", "flits/cycle/node", "of messages that have arrived", false},
    {"offered_flits", "flits/cycle/node", "of messages that were born", false},
    {0},
};

enum { CYCLES, ARRIVED, SENT, SUMS }; /* the latter two in flits */

/* A row of the file. */
typedef struct {
    uint32_t cycle, from, to, flits, line;
} Row;

typedef struct {
    uint32_t nodes;
    Row *rows; /* by cycle, then line */
    size_t count, room, next;
    double sums[SUMS];
} Table;

/* ---- the file -------------------------------------------------------------------- */

typedef struct {
    Heap *heap;
    char path[PATH_MAX_BYTES], text[LINE_MAX_BYTES];
    FILE *stream;
    int line;
    const NetTraffic *traffic;
    JmError *error;
} Reader;

static bool wrong(const Reader *reader, const char *at, const char *what) {
    return jm_fail_line(reader->error, reader->path, reader->line,
                        (int)(at - reader->text) + 1, "%s", what);
}

/* Reads a number from `low` to `high` at `*at`, behind blanks. */
static bool read_number(const Reader *reader, const char **at, const char *name,
                        uint32_t low, uint32_t high, uint32_t *value) {
    uint64_t sum = 0;
    *at += strspn(*at, " \t\r");
    const char *start = *at;
    const size_t length = strcspn(start, " \t\r\n#");
    for (*at = start; **at >= '0' && **at <= '9' && sum <= UINT32_MAX; ++*at)
        sum = 10 * sum + (uint64_t)(**at - '0');
    *value = (uint32_t)sum;
    if (length > 0 && *at == start + length && sum >= low && sum <= high)
        return true;
    if (length == 0)
        return wrong(reader, start, "'cycle source destination flits' is expected");
    return jm_fail_line(reader->error, reader->path, reader->line,
                        (int)(start - reader->text) + 1,
                        "%s is '%.*s', not a number from %u to %u", name, (int)length,
                        start, low, high);
}

/* Reads the row of the line, if it has one. */
static bool read_row(const Reader *reader, Table *table) {
    const char *at = reader->text;
    Row row = {.line = (uint32_t)reader->line};
    const uint32_t last = table->nodes - 1;
    at += strspn(at, " \t\r\n");
    if (*at == 0 || *at == '#')
        return true;
    if (!read_number(reader, &at, "cycle", 0, UINT32_MAX, &row.cycle) ||
        !read_number(reader, &at, "source", 0, last, &row.from) ||
        !read_number(reader, &at, "destination", 0, last, &row.to))
        return false;
    if (!read_number(reader, &at, "flits", NET_TRAFFIC_MIN_FLITS, NET_TRAFFIC_MAX_FLITS,
                     &row.flits))
        return false;
    row.flits = net_traffic_flits(reader->traffic, row.flits);
    at += strspn(at, " \t\r\n");
    if (*at != 0 && *at != '#')
        return wrong(reader, at, "a row has four numbers");
    if (row.from == row.to)
        return true;
    table->rows =
        heap_grow(reader->heap, table->rows, table->count, &table->room, sizeof row);
    table->rows[table->count++] = row;
    return true;
}

/* Reads the next line. False at the end of the file, or if `good` turns false. */
static bool read_line(Reader *reader, bool *good) {
    size_t length = 0;
    int byte = 0;
    reader->line++;
    while (byte != '\n' && (byte = getc(reader->stream)) != EOF) {
        char *at = &reader->text[length++];
        *at = (char)byte;
        if (length == sizeof reader->text)
            return *good = wrong(reader, at, "the line is too long");
        if (byte == 0)
            return *good = wrong(reader, at, "a NUL in a row");
    }
    reader->text[length] = 0;
    return length > 0;
}

/* For qsort. */
static int by_cycle(const void *a, const void *b) {
    const Row *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void close(void *stream) {
    fclose(stream);
}

static bool read_rows(Reader *reader, Table *table) {
    bool good = true;
    reader->stream = fopen(reader->path, "r");
    if (!reader->stream)
        return jm_fail(reader->error, reader->path, "the table cannot be read");
    heap_at_end(reader->heap, close, reader->stream);
    while (good && read_line(reader, &good))
        good = read_row(reader, table);
    if (good && ferror(reader->stream))
        good = jm_fail(reader->error, reader->path, "the table cannot be read");
    heap_keep(reader->heap, reader->stream);
    fclose(reader->stream);
    if (good && table->count == 0)
        good = jm_fail(reader->error, reader->path, "the table has no message");
    if (good)
        qsort(table->rows, table->count, sizeof *table->rows, by_cycle);
    return good;
}

/* ---- messages -------------------------------------------------------------------- */

/* Sends all messages that are due. The first cycle in which one can be born is 1. */
static void cycle(void *self, NetTraffic *traffic, uint64_t now) {
    Table *table = self;
    for (; table->next < table->count; table->next++) {
        const Row *row = &table->rows[table->next];
        if (row->cycle > now + 1)
            return;
        table->sums[SENT] += row->flits;
        net_traffic_send(traffic, row->from, row->to, row->flits, 0);
    }
}

static void arrived(void *self, NetTraffic *traffic, const NetArrival *message,
                    uint64_t now) {
    Table *table = self;
    (void)traffic, (void)now;
    table->sums[ARRIVED] += message->flits;
}

static unsigned counters(const void *self) {
    (void)self;
    return SUMS;
}

static void count(const void *self, uint64_t now, double *sums) {
    const Table *table = self;
    for (unsigned i = 0; i < SUMS; i++)
        sums[i] = table->sums[i];
    sums[CYCLES] = (double)now;
}

static void measure(const void *self, const double *sums, double *values) {
    const Table *table = self;
    const double node_cycles = sums[CYCLES] * table->nodes;
    values[0] = sums[ARRIVED] / node_cycles;
    values[1] = sums[SENT] / node_cycles;
}

static size_t unborn(const void *self) {
    const Table *table = self;
    return table->count - table->next;
}

/* ---- creation -------------------------------------------------------------------- */

static void *create(NetTraffic *traffic, const NetOptionValues *values,
                    JmError *error) {
    const char *path = values->text[0];
    const size_t length = path ? strcspn(path, ",") : 0;
    Heap *heap = net_traffic_heap(traffic);
    Reader reader = {.heap = heap, .traffic = traffic, .error = error};
    if (length == 0 || length >= sizeof reader.path) {
        jm_fail(error, NULL, "table=FILE is expected");
        return NULL;
    }
    memcpy(reader.path, path, length);
    Table *table = heap_alloc(heap, sizeof *table);
    table->nodes = net_traffic_processors(traffic);
    return read_rows(&reader, table) ? table : NULL;
}

/* Returns a digest of the rows, so that a saved run continues only with the same
 * table. */
static uint64_t digest_of(const Table *table) {
    uint64_t digest = table->count;
    for (size_t i = 0; i < table->count; i++) {
        const Row *row = &table->rows[i];
        digest = jm_rng_mix(digest, row->cycle);
        digest = jm_rng_mix(digest, (uint64_t)row->from << 32 | row->to);
        digest = jm_rng_mix(digest, row->flits);
    }
    return digest;
}

static void archive_workload(void *self, Archive *a) {
    Table *table = self;
    uint64_t next = table->next, digest = digest_of(table);
    const uint64_t own = digest;
    for (unsigned i = 0; i < SUMS; i++)
        net_traffic_archive_real(a, &table->sums[i]);
    jm_archive_u64(a, &next, table->count);
    jm_archive_u64(a, &digest, UINT64_MAX);
    archive_demand(a, digest == own);
    table->next = next;
}

const NetWorkload net_workload_table = {
    .name = "table",
    .text = "messages at the times that a file gives: table=FILE",
    .open = true,
    .options = options,
    .measures = measures,
    .create = create,
    .cycle = cycle,
    .arrived = arrived,
    .counters = counters,
    .count = count,
    .measure = measure,
    .archive = archive_workload,
    .unborn = unborn,
};
