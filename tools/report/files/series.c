/* Groups the rows of a table by the values of columns. */
#include "tools/report/files/series.h"

#include <stdlib.h>
#include <string.h>

#include "tools/host/values.h"

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
    FILE *out = open_memstream(&words, &size);
    if (out) {
        series_words(out, series, row, put_plain);
        fclose(out);
    }
    json_t *label =
        jvalue_textf("%s%s%s", text, series->count ? "; " : "", words ? words : "");
    free(words);
    return label;
}
