/* Reads CSV files, whose fields are cut in place, and groups their rows. */
#include "tools/report/files/csv.h"

#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "emu/core/printable.h"
#include "emu/core/sourcetext.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"

/* The state of cutting a text into fields, in place. */
typedef struct {
    char *at;
    bool row_ended;
} Reader;

/* Cuts a quoted field; a pair of quotes stands for one. The field must end on its line,
 * because gnuplot, which reads the same files, requires it. */
static char *quoted_field(Reader *reader) {
    char *const start = reader->at;
    char *to = start;
    for (char *from = start + 1; *from && *from != '\n'; from++) {
        if (*from == '"' && *++from != '"') {
            reader->at = from;
            *to = '\0';
            return start;
        }
        *to++ = *from;
    }
    reader->at = start + strlen(start);
    return NULL; /* no closing quote */
}

/* Cuts the next field and says whether it was the last of its row; NULL if a quote is
 * not closed. */
static char *next_field(Reader *reader) {
    char *field = reader->at;
    if (*field == '"') {
        field = quoted_field(reader);
        if (!field)
            return NULL;
    } else
        reader->at += strcspn(reader->at, ",\n");
    const char end = *reader->at;
    reader->row_ended = end != ',';
    if (end) {
        /* The end of a quoted field lies behind its last byte. */
        *reader->at = '\0';
        reader->at++;
    }
    return field;
}

static void add_field(Csv *csv, size_t count, const char *field) {
    csv->field = memory_more(csv->field, count, sizeof *csv->field);
    csv->field[count] = field;
}

/* Cuts the whole text. Every row must have as many fields as the first. */
static bool split(Csv *csv, const char *path, JmError *error) {
    Reader reader = {.at = csv->bytes};
    size_t count = 0;
    int line = 1;
    for (; *reader.at; line++) {
        const size_t before = count;
        do {
            const char *field = next_field(&reader);
            if (!field)
                return jm_fail_line(error, path, line, 0, "a quote is not closed");
            add_field(csv, count++, field);
        } while (!reader.row_ended);
        if (line == 1)
            csv->columns = count;
        else if (count - before != csv->columns)
            return jm_fail_line(error, path, line, 0, "%zu fields instead of %zu",
                                count - before, csv->columns);
    }
    csv->rows = line > 1 ? (size_t)line - 2 : 0;
    return line > 1 || jm_fail(error, path, "an empty table");
}

/* Refuses texts that are not valid UTF-8 or hold zero bytes: fields go into JSON, pages
 * and pictures, which allow neither. */
static bool check_text(const char *bytes, size_t size, const char *path,
                       JmError *error) {
    int line = 1;
    for (size_t start = 0; start < size; line++) {
        const char *end = memchr(bytes + start, '\n', size - start);
        const size_t length = end ? (size_t)(end - bytes) - start : size - start;
        if (!jm_is_utf8(bytes + start, length))
            return jm_fail_line(error, path, line, 0, "this is not UTF-8 text");
        start += length + 1;
    }
    return true;
}

bool csv_read(Csv *csv, const char *path, JmError *error) {
    *csv = (Csv){0};
    size_t size;
    char *bytes = (char *)asm_bytes_read(path, &size, error);
    if (!bytes)
        return false;
    csv->bytes = memory_checked(realloc(bytes, size + 1));
    const size_t mark = jm_text_mark(csv->bytes, size);
    size -= mark;
    memmove(csv->bytes, csv->bytes + mark, size);
    csv->bytes[size] = '\0';
    return check_text(csv->bytes, size, path, error) && split(csv, path, error);
}

void csv_free(Csv *csv) {
    free(csv->field);
    free(csv->bytes);
    *csv = (Csv){0};
}

int csv_column(const Csv *csv, const char *name) {
    for (size_t i = 0; i < csv->columns; i++)
        if (strcmp(csv->field[i], name) == 0)
            return (int)i;
    return -1;
}

const char *csv_text(const Csv *csv, size_t row, int column) {
    return column < 0 ? "" : csv->field[(row + 1) * csv->columns + (size_t)column];
}

double csv_number(const Csv *csv, size_t row, int column) {
    return strtod(csv_text(csv, row, column), NULL);
}

/* ---- series ---------------------------------------------------------------------- */

/* gnuplot gets the names in a list, so a blank cannot be in one. */
void series_add(Series *series, const char *name) {
    const int column = strpbrk(name, " \t") ? -1 : csv_column(series->csv, name);
    for (unsigned i = 0; i < series->count; i++)
        if (series->column[i] == column)
            return;
    if (column < 0 || series->count == SERIES_MAX)
        return;
    series->column[series->count] = column;
    series->name[series->count++] = name;
}

void series_add_list(Series *series, const json_t *names) {
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (name)
            series_add(series, name);
    }
}

bool series_same(const Series *series, size_t a, size_t b) {
    for (unsigned i = 0; i < series->count; i++)
        if (strcmp(csv_text(series->csv, a, series->column[i]),
                   csv_text(series->csv, b, series->column[i])) != 0)
            return false;
    return true;
}

unsigned series_firsts(const Series *series, size_t *rows, unsigned most) {
    unsigned count = 0;
    for (size_t i = 0; i < series->csv->rows && count < most; i++) {
        unsigned k = 0;
        while (k < count && !series_same(series, rows[k], i))
            k++;
        if (k == count)
            rows[count++] = i;
    }
    return count;
}

/* The column "other" holds settings with their names. A setting without a value is that
 * of the machine as built. */
void series_words(FILE *out, const Series *series, size_t row,
                  void (*put)(FILE *, const char *)) {
    bool any = false;
    for (unsigned i = 0; i < series->count; i++) {
        const char *value = csv_text(series->csv, row, series->column[i]);
        if (!*value)
            continue;
        fputs(any ? ", " : "", out);
        if (strcmp(series->name[i], "other") != 0) {
            put(out, series->name[i]);
            fputs(" = ", out);
        }
        put(out, value);
        any = true;
    }
    if (series->count && !any)
        fputs("as built", out);
}

static void put_plain(FILE *out, const char *text) {
    fputs(text, out);
}

json_t *series_label(const char *text, const Series *series, size_t row) {
    char *words = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&words, &size));
    fprintf(out, "%s%s", text, series->count ? "; " : "");
    series_words(out, series, row, put_plain);
    fclose(out);
    return jvalue_taken(words);
}
