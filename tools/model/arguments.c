/* Parses the command lines of `jm model`. */
#include "tools/model/arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"

enum { SHOWN = 64, HELP_COLUMN = 26 };

/* ---- values ---------------------------------------------------------------------- */

/* Reads the digits [text, end) as a number in low..high. */
static bool read_count(const char *text, const char *end, double low, double high,
                       unsigned *value) {
    double number = 0;
    if (text == end)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9' || number > high)
            return false;
        number = number * 10 + (*text - '0');
    }
    if (number < low || number > high)
        return false;
    *value = (unsigned)number;
    return true;
}

/* Reads a decimal real; strtod() alone would take hexadecimal, nan and blanks. */
static bool read_real(const Argument *argument, const char *text, double *value) {
    char *end;
    if (!strchr("+-.0123456789", *text) || strpbrk(text, "xX"))
        return false;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) && *value <= argument->high &&
           (argument->above ? *value > argument->low : *value >= argument->low);
}

/* Finds the place of a word among "a|b|c". */
static bool read_word(const char *words, const char *text, unsigned *value) {
    const size_t length = strlen(text);
    for (unsigned i = 0; *words; i++) {
        const size_t word = strcspn(words, "|");
        if (word == length && memcmp(words, text, word) == 0) {
            *value = i;
            return true;
        }
        words += word + (words[word] == '|');
    }
    return false;
}

/* Reads XxYxZ. */
static bool read_mesh(const Argument *argument, const char *text, unsigned *size) {
    for (unsigned i = 0; i < 3; i++) {
        const char *end = i < 2 ? strchr(text, 'x') : text + strlen(text);
        if (!end || !read_count(text, end, argument->low, argument->high, &size[i]))
            return false;
        text = end + 1;
    }
    return true;
}

static bool read_value(const Argument *argument, const char *text) {
    switch (argument->kind) {
    case ARGUMENT_COUNT:
        return read_count(text, text + strlen(text), argument->low, argument->high,
                          argument->value);
    case ARGUMENT_REAL:
        return read_real(argument, text, argument->value);
    case ARGUMENT_WORD:
        return read_word(argument->row.argument, text, argument->value);
    case ARGUMENT_MESH:
        return read_mesh(argument, text, argument->value);
    case ARGUMENT_FILE:
        *(const char **)argument->value = text;
        return *text;
    default:
        return false;
    }
}

/* Describes the allowed values in words, for help and messages. */
static void describe(const Argument *argument, char *text, size_t size) {
    if (argument->kind == ARGUMENT_COUNT)
        snprintf(text, size, "a whole number from %.0f to %.0f", argument->low,
                 argument->high);
    else if (argument->kind == ARGUMENT_REAL)
        snprintf(text, size, "a number %s %g, at most %g",
                 argument->above ? "above" : "from", argument->low, argument->high);
    else if (argument->kind == ARGUMENT_MESH)
        snprintf(text, size, "XxYxZ, each from %.0f to %.0f", argument->low,
                 argument->high);
    else
        snprintf(text, size, "%s", argument->row.argument);
}

/* ---- options --------------------------------------------------------------------- */

/* Takes the value of an option. */
static bool take(const char *command, Argument *a, const char *text, JmError *error) {
    if (a->given)
        return jm_fail(error, command, "--%s is given twice", a->row.name);
    a->given = true;
    if (a->kind == ARGUMENT_FLAG)
        return *(bool *)a->value = true;
    char what[2 * SHOWN], shown[SHOWN];
    describe(a, what, sizeof what);
    return read_value(a, text) ||
           jm_fail(error, command, "--%s %s: it takes %s", a->row.name,
                   jm_printable(text, shown, sizeof shown), what);
}

bool arguments_parse(const char *command, Argument *arguments, int argc, char **argv,
                     JmError *error) {
    OptionRow rows[OPTION_ROWS_MAX];
    OptionScan scan;
    int count = 0;
    for (const Argument *a = arguments; a->row.name; a++)
        rows[count++] = a->row;
    option_scan_start(&scan, rows, count, true);
    for (int id; (id = option_scan_next(&scan, argc, argv)) != OPTION_END;)
        if (id == OPTION_OPERAND)
            return option_refuse_operand(optarg, command, error);
        else if (id < 0)
            return option_scan_refuse(&scan, id, command, error);
        else if (!take(command, &arguments[id], optarg, error))
            return false;
    return optind == argc || option_refuse_operand(argv[optind], command, error);
}

bool arguments_given(const Argument *arguments, const char *name) {
    for (const Argument *a = arguments; a->row.name; a++)
        if (strcmp(a->row.name, name) == 0)
            return a->given;
    return false;
}

/* ---- help ------------------------------------------------------------------------ */

void arguments_help(const Argument *arguments, FILE *out) {
    for (const Argument *a = arguments; a->row.name; a++)
        option_row_print(out, &a->row, HELP_COLUMN);
}
