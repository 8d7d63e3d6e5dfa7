/* Reads and prints experiments as text; experiment_file.h has the notation. */
#include "tools/exp/plan/experiment_file.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/core/sourcetext.h"
#include "emu/core/suggest.h"
#include "tools/exp/plan/sweep.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"
#include "tools/host/option_rows.h"
#include "tools/host/word_list.h"

typedef enum {
    KEY_TEXT,   /* any text; "" if not given */
    KEY_COLUMN, /* any text; NULL if not given */
    KEY_SWEEP,  /* a sweep (sweep.h); NULL if not given */
    KEY_KIND,   /* an ExperimentKind by its name */
    KEY_LOG,    /* axes: x, y */
    KEY_COUNT,  /* 1 to COUNT_MAX; 0 if not given */
    KEY_PLANE,  /* 0 to PLANE_MAX; -1 if not given */
    KEY_ID,     /* of a claim */
    KEY_RANGE   /* two ends; NAN if not given */
} KeyType;

typedef struct {
    const char *name;
    KeyType type;
    size_t place; /* of the member */
    bool needed;
} Key;

static const Key experiment_keys[] = {
#define KEY(name, type, member, needed, text)                                          \
    {#name, KEY_##type, offsetof(Experiment, member), needed},
#define CLAIM_KEY(...)
#include "tools/exp/plan/experiment_keys.def"
};

static const Key claim_keys[] = {
#define KEY(...)
#define CLAIM_KEY(name, type, member, needed, text)                                    \
    {#name, KEY_##type, offsetof(Claim, member), needed},
#include "tools/exp/plan/experiment_keys.def"
};

/* The keys of the experiment, or of a claim. */
typedef struct {
    const Key *keys;
    unsigned count;
} Keys;

static const Keys of_experiment = {experiment_keys,
                                   sizeof experiment_keys / sizeof *experiment_keys};
static const Keys of_claim = {claim_keys, sizeof claim_keys / sizeof *claim_keys};

enum { COUNT_MAX = 1000000, PLANE_MAX = 1023, NAME_MAX = 32, SHOWN_SIZE = 32 };

/* A value of the block, and its place in the text. */
typedef struct {
    const char *value, *start, *end;
} Span;

struct ExperimentFile {
    Experiment row;
    char *path, *name;
    char *text;  /* the whole file */
    char *block; /* the values, each with its zero */
    size_t used; /* of the block */
    Span *spans; /* of the values, in their order */
    size_t span_count;
    Claim *claims;
};

/* A file that is being read. */
typedef struct {
    ExperimentFile *file;
    const char *at, *end;
    Keys keys;        /* those that may follow: of the experiment, or of a claim */
    void *object;     /* that Experiment or Claim */
    const char *head; /* where it begins */
    unsigned seen;    /* bits of its keys that were given */
    JmError *error;
} Reader;

/* ---- places ---------------------------------------------------------------------- */

/* Reports an error at a byte of the text. */
static bool fail_at(const ExperimentFile *file, const char *at, JmError *error,
                    const char *text) {
    int line = 1;
    const char *start = file->text;
    for (const char *c = file->text; c < at; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    return jm_fail_line(error, file->path, line, (int)(at - start) + 1, "%s", text);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Returns the end of a line, or of the text. */
static const char *line_end(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

/* Skips blanks, and comments, which begin a line. */
static const char *skip_gap(const char *at, const char *end) {
    while (at < end && is_blank(*at)) {
        const bool comment = *at == '\n' && at + 1 < end && at[1] == '#';
        at = comment ? line_end(at + 1, end) : at + 1;
    }
    return at;
}

/* Copies a value to `out`, unless that is NULL, with one blank for all between two
 * words. Returns where in the text byte `wanted` of the copy stands. */
static const char *collapse(const char *at, const char *end, char *out, size_t wanted) {
    size_t length = 0;
    at = skip_gap(at, end);
    while (at < end && length < wanted) {
        const char *next = is_blank(*at) ? skip_gap(at, end) : at + 1;
        if (is_blank(*at) && next == end)
            break;
        if (out)
            out[length] = is_blank(*at) ? ' ' : *at;
        length++;
        at = next;
    }
    if (out)
        out[length] = '\0';
    return at;
}

bool experiment_file_fail(const ExperimentFile *file, const char *value, size_t offset,
                          JmError *error, const char *text) {
    const Span *span = file->spans;
    for (size_t i = 1; i < file->span_count && file->spans[i].value <= value; i++)
        span = &file->spans[i];
    offset += (size_t)(value - span->value);
    return fail_at(file, collapse(span->start, span->end, NULL, offset), error, text);
}

/* ---- values ---------------------------------------------------------------------- */

/* Reports an error in a value, from printf() arguments. */
static bool fail(const Reader *reader, const char *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(const Reader *reader, const char *value, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_vtext(format, arguments);
    va_end(arguments);
    experiment_file_fail(reader->file, value, 0, reader->error, text);
    free(text);
    return false;
}

static bool read_kind(const Reader *reader, const char *value, ExperimentKind *kind) {
    JmSuggestion near = jm_suggest_start(value);
    for (*kind = KIND_CURVE; *kind <= KIND_TABLE; (*kind)++) {
        if (strcmp(experiment_kind_name(*kind), value) == 0)
            return true;
        jm_suggest_consider(&near, experiment_kind_name(*kind));
    }
    return fail(reader, value, "no kind of experiment '%s'%s", value,
                jm_suggest_text(&near, "",
                                "; there are curve, scatter, times, map, view, models "
                                "and table"));
}

/* Reads a number into an unsigned, or into an int that holds `most`. */
static bool read_number(const Reader *reader, const char *value, unsigned least,
                        unsigned most, unsigned *number) {
    uint64_t parsed;
    if (!number_parse(value, least, most, &parsed))
        return fail(reader, value, "'%s': expected a number from %u to %u", value,
                    least, most);
    *number = (unsigned)parsed;
    return true;
}

/* Reads one end of a range, up to `end`; without a number it is `missing`. */
static bool read_end(const char *at, const char *end, double missing, double *value) {
    char *behind;
    *value = missing;
    if (at == end)
        return true;
    if (!strchr("+-.0123456789", *at))
        return false;
    *value = strtod(at, &behind);
    /* In "4..6" the first dot can belong to the number. */
    return (behind == end || behind == end + 1) && isfinite(*value);
}

/* Reads LOW..HIGH into two doubles. */
static bool read_range(const Reader *reader, const char *value, double *ends) {
    const char *dots = strstr(value, "..");
    if (dots && value[2] && read_end(value, dots, -INFINITY, &ends[0]) &&
        read_end(dots + 2, value + strlen(value), INFINITY, &ends[1]) &&
        ends[0] <= ends[1])
        return true;
    return fail(reader, value, "'%s': expected LOW..HIGH, as in 0.9..1.1 or 2..",
                value);
}

/* Whether a text is a name, which is part of names of files. */
static bool is_name(const char *text) {
    const size_t length = strlen(text);
    return length <= NAME_MAX && isalpha((unsigned char)*text) &&
           !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789-_")];
}

static bool read_id(const Reader *reader, const char *value) {
    const ExperimentFile *file = reader->file;
    for (unsigned i = 0; i + 1 < file->row.claim_count; i++)
        if (strcmp(file->claims[i].id, value) == 0)
            return fail(reader, value, "there is a claim '%s' above", value);
    return is_name(value) || fail(reader, value,
                                  "'%s': a name has letters, digits, - and _, begins "
                                  "with a letter, and is no longer than %d",
                                  value, NAME_MAX);
}

static bool read_log(const Reader *reader, const char *value) {
    return word_list_has("x|y|x y", '|', value) ||
           fail(reader, value, "'%s': expected x, y, or x y", value);
}

/* Reads the range of a claim. The one in which it holds is also what is expected, if
 * nothing else is. */
static bool read_ends(const Reader *reader, const char *value, double *member) {
    Claim *claim = reader->object;
    if (member == &claim->low && !*claim->thesis)
        claim->thesis = value;
    return read_range(reader, value, member);
}

/* Puts a value into its member. */
static bool put_value(const Reader *reader, const Key *key, const char *value) {
    void *member = (char *)reader->object + key->place;
    switch (key->type) {
    case KEY_KIND:
        return read_kind(reader, value, member);
    case KEY_COUNT:
        return read_number(reader, value, 1, COUNT_MAX, member);
    case KEY_PLANE:
        return read_number(reader, value, 0, PLANE_MAX, member);
    case KEY_RANGE:
        return read_ends(reader, value, member);
    default:
        *(const char **)member = value;
        return key->type == KEY_LOG  ? read_log(reader, value)
               : key->type == KEY_ID ? read_id(reader, value)
                                     : true;
    }
}

/* ---- lines ----------------------------------------------------------------------- */

/* Finds a key; NULL if there is none of this name. */
static const Key *find_key(Keys keys, const char *name) {
    for (unsigned i = 0; i < keys.count; i++)
        if (strcmp(keys.keys[i].name, name) == 0)
            return &keys.keys[i];
    return NULL;
}

static bool unknown_key(const Reader *reader, const char *name) {
    JmSuggestion near = jm_suggest_start(name);
    for (unsigned i = 0; i < reader->keys.count; i++)
        jm_suggest_consider(&near, reader->keys.keys[i].name);
    const bool claim = reader->keys.keys == claim_keys;
    const bool above = find_key(of_experiment, name) != NULL;
    char *text = memory_text("no key '%s'%s%s", name, claim ? " of a claim" : "",
                             claim && above ? "; claims stand behind all other keys"
                                            : jm_suggest_text(&near, "", ""));
    fail_at(reader->file, reader->at, reader->error, text);
    free(text);
    return false;
}

/* Checks that no needed key is missing. */
static bool end_object(const Reader *reader) {
    for (unsigned i = 0; i < reader->keys.count; i++) {
        const Key *key = &reader->keys.keys[i];
        if (!key->needed || reader->seen >> i & 1)
            continue;
        char *text =
            memory_text("no line '%s: ...'%s", key->name,
                        reader->keys.keys == claim_keys ? " of this claim" : "");
        fail_at(reader->file, reader->head, reader->error, text);
        free(text);
        return false;
    }
    return true;
}

/* Begins a claim; the experiment, or the claim above, ends here. */
static bool begin_claim(Reader *reader) {
    ExperimentFile *file = reader->file;
    if (!end_object(reader))
        return false;
    const unsigned count = file->row.claim_count++;
    file->claims = memory_more(file->claims, count, sizeof *file->claims);
    file->claims[count] = (Claim){.where = "",
                                  .figure = "",
                                  .experiment = file->name,
                                  .thesis = "",
                                  .unit = "",
                                  .part_low = NAN,
                                  .tolerance = "",
                                  .why = ""};
    file->row.claims = file->claims;
    reader->keys = of_claim;
    reader->object = &file->claims[count];
    reader->head = reader->at;
    reader->seen = 0;
    return true;
}

/* Copies the value between two places of the text. */
static const char *keep_value(ExperimentFile *file, const char *start,
                              const char *end) {
    char *value = file->block + file->used;
    collapse(start, end, value, SIZE_MAX);
    file->used += strlen(value) + 1;
    file->spans = memory_more(file->spans, file->span_count, sizeof *file->spans);
    file->spans[file->span_count++] = (Span){value, start, end};
    return value;
}

/* Takes a key, which stands at reader->at, and its value. */
static bool take(Reader *reader, const char *name, const char *start, const char *end) {
    const bool claim = strcmp(name, claim_keys[0].name) == 0;
    if (claim && !begin_claim(reader))
        return false;
    const Key *key = find_key(reader->keys, name);
    if (!key)
        return unknown_key(reader, name);
    const unsigned bit = 1u << (key - reader->keys.keys);
    if (reader->seen & bit)
        return fail_at(reader->file, reader->at, reader->error,
                       "this key was given above");
    reader->seen |= bit;
    const char *value = keep_value(reader->file, start, end);
    if (!*value)
        return fail_at(reader->file, reader->at, reader->error, "no value");
    return put_value(reader, key, value);
}

/* Returns the end of a value: the first line that neither begins with a blank nor is a
 * comment. */
static const char *value_end(const char *at, const char *end) {
    for (at = line_end(at, end); at < end; at = line_end(at + 1, end))
        if (at + 1 < end && !is_blank(at[1]) && at[1] != '#')
            break;
    return at;
}

/* Reads a key and its value. */
static bool read_key(Reader *reader) {
    const char *colon = reader->at;
    while (colon < reader->end && (islower((unsigned char)*colon) || *colon == '_'))
        colon++;
    const size_t length = (size_t)(colon - reader->at);
    char name[NAME_MAX + 1];
    if (colon == reader->end || *colon != ':' || !length || length > NAME_MAX)
        return fail_at(
            reader->file, reader->at, reader->error,
            is_blank(*reader->at)
                ? "a line that begins with a blank goes on with the one above, "
                  "and there is none"
                : "expected 'KEY: VALUE'; lines that go on begin with a blank");
    memcpy(name, reader->at, length);
    name[length] = '\0';
    const char *end = value_end(colon, reader->end);
    if (!take(reader, name, colon + 1, end))
        return false;
    reader->at = end + (end < reader->end);
    return true;
}

/* Reads all keys. Blank lines and comments may stand above the first. */
static bool read_keys(Reader *reader) {
    while (reader->at < reader->end) {
        const char *end = line_end(reader->at, reader->end);
        if (*reader->at == '#' || skip_gap(reader->at, end) == end)
            reader->at = end + (end < reader->end);
        else if (!read_key(reader))
            return false;
    }
    return end_object(reader);
}

/* ---- the whole ------------------------------------------------------------------- */

static bool check_sweep(const Reader *reader, const char *sweep) {
    JmError wrong = {.column = 0};
    if (sweep_unfold(sweep, NULL, 0, NULL, NULL, &wrong))
        return true;
    return experiment_file_fail(reader->file, sweep,
                                wrong.column ? (size_t)wrong.column - 1 : 0,
                                reader->error, wrong.text);
}

/* Fills in the defaults of missing keys. */
static void put_defaults(ExperimentFile *file) {
    Experiment *row = &file->row;
    row->quick_runs = row->quick_runs ? row->quick_runs : 1;
    row->full_runs = row->full_runs ? row->full_runs : row->quick_runs;
    row->full = row->full ? row->full : row->quick;
    row->x = row->x ? row->x : "";
    row->y = row->y ? row->y : "";
    row->x_label = *row->x_label ? row->x_label : row->x;
    row->y_label = *row->y_label ? row->y_label : row->y;
    for (unsigned i = 0; i < row->claim_count; i++) {
        Claim *claim = &file->claims[i];
        if (isnan(claim->part_low)) {
            claim->part_low = claim->low;
            claim->part_high = claim->high;
        }
    }
}

/* Finds a byte that is not text. */
static bool check_bytes(const ExperimentFile *file, const char *end, JmError *error) {
    for (const char *at = file->text; at < end;) {
        const int length = jm_printable_length(at, (size_t)(end - at));
        if (!length && !is_blank(*at))
            return fail_at(file, at, error,
                           "a control character, or a byte that is not UTF-8");
        at += length ? length : 1;
    }
    return true;
}

/* Names the experiment as the file. */
static bool check_name(const ExperimentFile *file, JmError *error) {
    if (!is_name(file->name))
        return jm_fail(
            error, file->path,
            "the file's name names the experiment: letters, digits, - and _, "
            "at most %d, the first a letter",
            NAME_MAX);
    if (experiment_find(file->name) || word_list_has("all|papers", '|', file->name))
        return jm_fail(error, file->path,
                       "jm has an experiment '%s'; the file needs another name",
                       file->name);
    return true;
}

static bool parse(ExperimentFile *file, size_t size, JmError *error) {
    const size_t mark = jm_text_mark(file->text, size);
    Reader reader = {.file = file,
                     .at = file->text + mark,
                     .end = file->text + size,
                     .keys = of_experiment,
                     .object = &file->row,
                     .error = error};
    reader.head = reader.at;
    if (!check_name(file, error) || !check_bytes(file, reader.end, error) ||
        !read_keys(&reader))
        return false;
    put_defaults(file);
    return check_sweep(&reader, file->row.quick) &&
           check_sweep(&reader, file->row.full);
}

/* Returns the name of the experiment in a file: "my" of "lab/my.exp". */
static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(name), end = strlen(EXPERIMENT_SUFFIX);
    return memory_text("%.*s", (int)(length > end ? length - end : 0), name);
}

bool experiment_file_is(const char *word) {
    const size_t length = strlen(word), end = strlen(EXPERIMENT_SUFFIX);
    return length >= end && strcmp(word + length - end, EXPERIMENT_SUFFIX) == 0;
}

ExperimentFile *experiment_file_parse(const char *path, const char *text, size_t size,
                                      JmError *error) {
    ExperimentFile *file = memory_array(1, sizeof *file);
    file->path = memory_text("%s", path);
    file->name = name_of(path);
    file->text = memory_array(size + 1, 1);
    file->block = memory_array(size + 1, 1);
    memcpy(file->text, text, size);
    file->row = (Experiment){.name = file->name,
                             .figure = "",
                             .title = "",
                             .caption = "",
                             .x_label = "",
                             .y_label = "",
                             .plane = -1,
                             .remark = "",
                             .log = "",
                             .file = file->path};
    if (parse(file, size, error))
        return file;
    experiment_file_free(file);
    return NULL;
}

void experiment_file_free(ExperimentFile *file) {
    if (!file)
        return;
    free(file->path);
    free(file->name);
    free(file->text);
    free(file->block);
    free(file->spans);
    free(file->claims);
    free(file);
}

const Experiment *experiment_file_row(const ExperimentFile *file) {
    return &file->row;
}

/* ---- printing -------------------------------------------------------------------- */

enum { VALUE_COLUMN = 12 };

static void put_key(FILE *out, const char *key) {
    const int used = fprintf(out, "%s: ", key);
    fprintf(out, "%*s", used < VALUE_COLUMN ? VALUE_COLUMN - used : 0, "");
}

static void put_line(FILE *out, const char *key, const char *value) {
    char *words = memory_array(strlen(value) + 1, 1);
    collapse(value, value + strlen(value), words, SIZE_MAX);
    put_key(out, key);
    print_wrapped(out, words, VALUE_COLUMN);
    free(words);
}

/* Prints a group of a sweep on each line. */
static void put_sweep(FILE *out, const char *key, const char *sweep) {
    put_key(out, key);
    for (const char *end; *sweep; sweep = end) {
        end = sweep + strcspn(sweep, ";");
        end += *end == ';';
        char *group = memory_array(strlen(sweep) + 1, 1);
        collapse(sweep, end, group, SIZE_MAX);
        print_wrapped(out, group, VALUE_COLUMN);
        end += strspn(end, " ");
        if (*end)
            fprintf(out, "%*s", VALUE_COLUMN, "");
        free(group);
    }
}

enum { RANGE_SIZE = 2 * SHOWN_SIZE + 4 };

/* Writes a number with as many digits as it needs; an end that is open, nothing. */
static const char *show_end(double value, char text[SHOWN_SIZE]) {
    text[0] = '\0';
    for (int digits = 6; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, SHOWN_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* Writes LOW..HIGH, and returns it. */
static const char *show_range(double low, double high, char text[RANGE_SIZE]) {
    char first[SHOWN_SIZE], last[SHOWN_SIZE];
    snprintf(text, RANGE_SIZE, "%s..%s", show_end(low, first), show_end(high, last));
    return text;
}

static void put_number(FILE *out, const char *key, unsigned number) {
    char text[SHOWN_SIZE];
    snprintf(text, sizeof text, "%u", number);
    put_line(out, key, text);
}

static void put_range(FILE *out, const char *key, const double *ends) {
    char text[RANGE_SIZE];
    put_line(out, key, show_range(ends[0], ends[1], text));
}

/* Whether a member has been given. */
static bool is_given(const Key *key, const void *member) {
    switch (key->type) {
    case KEY_KIND:
        return true;
    case KEY_COUNT:
        return *(const unsigned *)member > 0;
    case KEY_PLANE:
        return *(const int *)member >= 0;
    case KEY_RANGE:
        return !isnan(*(const double *)member);
    default:
        return *(const char *const *)member && **(const char *const *)member;
    }
}

static void put_member(FILE *out, const Key *key, const void *member) {
    switch (key->type) {
    case KEY_KIND:
        put_line(out, key->name, experiment_kind_name(*(const ExperimentKind *)member));
        return;
    case KEY_COUNT:
    case KEY_PLANE:
        put_number(out, key->name, *(const unsigned *)member);
        return;
    case KEY_RANGE:
        put_range(out, key->name, member);
        return;
    case KEY_SWEEP:
        put_sweep(out, key->name, *(const char *const *)member);
        return;
    default:
        put_line(out, key->name, *(const char *const *)member);
    }
}

/* Prints the members that have been given. */
static void put_members(FILE *out, Keys keys, const void *object) {
    for (unsigned i = 0; i < keys.count; i++) {
        const void *member = (const char *)object + keys.keys[i].place;
        if (is_given(&keys.keys[i], member))
            put_member(out, &keys.keys[i], member);
    }
}

static bool same(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

/* Takes out of a row what put_defaults() fills in. */
static Experiment without_defaults(const Experiment *experiment) {
    Experiment row = *experiment;
    row.full = same(row.full, row.quick) ? NULL : row.full;
    row.full_runs = row.full_runs == row.quick_runs ? 0 : row.full_runs;
    row.x_label = same(row.x_label, row.x) ? NULL : row.x_label;
    row.y_label = same(row.y_label, row.y) ? NULL : row.y_label;
    return row;
}

void experiment_print(const Experiment *experiment, FILE *out) {
    const Experiment row = without_defaults(experiment);
    put_members(out, of_experiment, &row);
    for (unsigned i = 0; i < experiment->claim_count; i++) {
        Claim claim = experiment->claims[i];
        char range[RANGE_SIZE];
        if (same(claim.thesis, show_range(claim.low, claim.high, range)))
            claim.thesis = "";
        if (claim.part_low == claim.low && claim.part_high == claim.high)
            claim.part_low = NAN;
        putc('\n', out);
        put_members(out, of_claim, &claim);
    }
}
