/* Parses the command lines of `jm net`. */
#include "tools/net/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/exp/plan/setting_rows.h"

enum { SHOWN = 64, HELP_COLUMN = 26 };

/* ---- values ---------------------------------------------------------------------- */

/* Finds the place of a word that is one of "a|b|c". */
static unsigned place_of(const char *words, const char *word) {
    const size_t length = strlen(word);
    unsigned place = 0;
    while (strncmp(words, word, length) != 0 || !strchr("|", words[length])) {
        words = strchr(words, '|') + 1;
        place++;
    }
    return place;
}

/* What is allowed, as the row of a setting. */
static SettingRow row_of(const Argument *argument) {
    return (SettingRow){.kind = argument->kind == ARGUMENT_COUNT ? SETTING_COUNT
                                                                 : SETTING_CHOICE,
                        .low = argument->low,
                        .high = argument->high};
}

static bool read_value(const Argument *argument, const char *text) {
    const SettingRow row = row_of(argument);
    char value[SETTING_TEXT_MAX];
    if (argument->kind == ARGUMENT_FILE) {
        *(const char **)argument->value = text;
        return *text;
    }
    if (!setting_read(&row, argument->row.argument, text, value))
        return false;
    *(unsigned *)argument->value = argument->kind == ARGUMENT_COUNT
                                       ? (unsigned)strtoul(value, NULL, 10)
                                       : place_of(argument->row.argument, value);
    return true;
}

/* ---- options --------------------------------------------------------------------- */

/* Takes the value of an option. */
static bool take(const char *command, Argument *a, const char *text, JmError *error) {
    if (a->given)
        return jm_fail(error, command, "--%s is given twice", a->row.name);
    a->given = true;
    if (a->kind == ARGUMENT_FLAG)
        return *(bool *)a->value = true;
    const SettingRow row = row_of(a);
    char what[2 * SHOWN], shown[SHOWN];
    setting_describe(&row, a->row.argument, what, sizeof what);
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
