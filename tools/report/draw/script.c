/* Quotes texts from data files for gnuplot scripts. */
#include "tools/report/draw/script.h"

#include <stdbool.h>
#include <string.h>

/* Returns the bytes of a control character at `text`, 0 if there is none: C0, DEL and,
 * in UTF-8, C1. A newline would end the line of the script. */
static size_t control_length(const char *text) {
    const unsigned char c = (unsigned char)text[0], next = (unsigned char)text[1];
    if (c < 0x20 || c == 0x7f)
        return 1;
    return c == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 0;
}

/* Replaces a quote by an apostrophe: gnuplot 5.4 accepts a doubled quote, as its manual
 * says, but not at the start of a string. Also breaks "]]>", which gnuplot would copy
 * into the SVG, where it must not stand. */
void script_quote(FILE *out, const char *text) {
    unsigned brackets = 0;
    putc('\'', out);
    while (*text) {
        const size_t control = control_length(text);
        text += control;
        if (control)
            continue;
        if (*text == '>' && brackets >= 2)
            putc(' ', out);
        brackets = *text == ']' ? brackets + 1 : 0;
        if (*text == '\'')
            fputs("\u2019", out);
        else
            putc(*text, out);
        text++;
    }
    putc('\'', out);
}

void script_text(FILE *out, const char *name, const char *text) {
    fprintf(out, "%s = ", name);
    script_quote(out, text);
    putc('\n', out);
}

/* Whether an earlier row has this row's value. */
static bool is_repeated(const Csv *csv, size_t row, int column) {
    for (size_t i = 0; i < row; i++)
        if (strcmp(csv_text(csv, i, column), csv_text(csv, row, column)) == 0)
            return true;
    return false;
}

void script_values(FILE *out, const char *name, const Csv *csv, int column) {
    size_t rows[SCRIPT_VALUES_MAX];
    unsigned count = 0;
    for (size_t i = 0; column >= 0 && i < csv->rows && count < SCRIPT_VALUES_MAX; i++)
        if (!is_repeated(csv, i, column))
            rows[count++] = i;
    fprintf(out, "array %s[%u] = [", name, count ? count : 1);
    if (!count)
        script_quote(out, "all");
    for (unsigned i = 0; i < count; i++) {
        const char *value = csv_text(csv, rows[i], column);
        fputs(i ? ", " : "", out);
        script_quote(out, *value ? value : "none");
    }
    fputs("]\n", out);
}
