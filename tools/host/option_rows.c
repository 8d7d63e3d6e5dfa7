/* Parses options by their rows and prints them. */
#include "tools/host/option_rows.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "emu/core/printable.h"

enum { FIRST_NAME = 256, /* above every letter */ WIDTH = 79, SHOWN = 200 };

/* ---- parsing --------------------------------------------------------------------- */

void option_scan_start(OptionScan *scan, const OptionRow *rows, int count,
                       bool in_order) {
    assert(count <= OPTION_ROWS_MAX);
    *scan = (OptionScan){.rows = rows, .count = count};
    struct option *name = scan->names;
    char *letter = scan->letters;
    if (in_order)
        *letter++ = '-';
    *letter++ = ':';
    for (int i = 0; i < count; i++) {
        const bool optional = option_is_optional(&rows[i]);
        const int takes = optional           ? optional_argument
                          : rows[i].argument ? required_argument
                                             : no_argument;
        if (rows[i].name)
            *name++ = (struct option){rows[i].name, takes, NULL, FIRST_NAME + i};
        if (rows[i].letter)
            *letter++ = rows[i].letter[0];
        if (rows[i].letter && rows[i].argument && !optional)
            *letter++ = ':';
    }
    opterr = 0;
    optind = 1;
}

/* Finds the option that getopt_long() has just rejected. A letter of a group (-ab) is
 * in `optopt`; the group may continue after it. */
static void note_wrong(OptionScan *scan, char **argv) {
    const bool is_letter = optopt > 0 && optopt < FIRST_NAME;
    snprintf(scan->letter, sizeof scan->letter, "-%c", is_letter ? optopt : 0);
    scan->wrong = is_letter ? scan->letter : argv[optind - 1];
    snprintf(scan->name, sizeof scan->name, "%s",
             scan->wrong + strspn(scan->wrong, "-"));
    scan->name[strcspn(scan->name, "=")] = 0;
    scan->near = jm_suggest_start(scan->name);
    for (int i = 0; i < scan->count && !is_letter; i++)
        if (scan->rows[i].name)
            jm_suggest_consider(&scan->near, scan->rows[i].name);
}

int option_scan_next(OptionScan *scan, int argc, char **argv) {
    const int code = getopt_long(argc, argv, scan->letters, scan->names, NULL);
    if (code >= FIRST_NAME)
        return code - FIRST_NAME;
    for (int i = 0; i < scan->count; i++)
        if (scan->rows[i].letter && scan->rows[i].letter[0] == code)
            return i;
    if (code == -1 || code == 1)
        return code == 1 ? OPTION_OPERAND : OPTION_END;
    note_wrong(scan, argv);
    return code == ':' ? OPTION_MISSING : OPTION_WRONG;
}

/* Whether the option exists, takes no argument, and was given one: `--quiet=5`. */
static bool has_argument(const OptionScan *scan) {
    const size_t length = strcspn(scan->wrong, "=");
    return scan->wrong[length] && scan->near.best &&
           length == strlen(scan->near.best) + 2 &&
           strncmp(scan->wrong + 2, scan->near.best, length - 2) == 0;
}

bool option_scan_refuse(OptionScan *scan, int id, const char *command, JmError *error) {
    char shown[SHOWN];
    jm_printable(scan->wrong, shown, sizeof shown);
    if (id == OPTION_MISSING)
        return jm_fail(error, command, "%s needs an argument", shown);
    if (has_argument(scan))
        return jm_fail(error, command, "--%s takes no argument", scan->near.best);
    return jm_fail(error, command, "no option '%s'%s", shown,
                   jm_suggest_text(&scan->near, "--", "; --help lists them"));
}

bool option_refuse_operand(const char *operand, const char *command, JmError *error) {
    char shown[SHOWN];
    return jm_fail(error, command, "unexpected argument '%s'",
                   jm_printable(operand, shown, sizeof shown));
}

/* ---- help ------------------------------------------------------------------------ */

void print_wrapped(FILE *out, const char *text, int column) {
    int at = column;
    while (*text) {
        const int word = (int)strcspn(text, " ");
        if (at > column && at + 1 + word > WIDTH) {
            fprintf(out, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            putc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", word, text);
        at += word;
        text += word + (text[word] == ' ');
    }
    putc('\n', out);
}

bool text_has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (; *text; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

bool option_row_has(const OptionRow *row, const char *word) {
    const char *const texts[] = {row->name, row->argument, row->text, row->more};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] && text_has_word(texts[i], word))
            return true;
    return false;
}

/* Prints the spellings of a row, and blanks up to `column`. */
static void print_spellings(FILE *out, const OptionRow *row, int column) {
    int at = fprintf(out, "  ");
    if (row->letter)
        at += fprintf(out, "-%s%s", row->letter, row->name ? ", " : "");
    if (row->name)
        at += fprintf(out, "--%s", row->name);
    if (row->argument)
        at += fprintf(out, "%s%s", option_is_optional(row) ? "" : " ", row->argument);
    if (at >= column - 1) {
        putc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", column - at, "");
}

void option_row_print(FILE *out, const OptionRow *row, int column) {
    print_spellings(out, row, column);
    print_wrapped(out, row->text, column);
}

void option_row_print_full(FILE *out, const OptionRow *row, int column) {
    option_row_print(out, row, column);
    if (row->more) {
        fprintf(out, "%*s", column, "");
        print_wrapped(out, row->more, column);
    }
}

void option_row_print_brief(FILE *out, const OptionRow *row, int column) {
    size_t end = strcspn(row->text, ";:.");
    while (row->text[end] && row->text[end + 1] && row->text[end + 1] != ' ')
        end += 1 + strcspn(row->text + end + 1, ";:.");
    print_spellings(out, row, column);
    fprintf(out, "%.*s\n", (int)end, row->text);
}

/* ---- attributes ------------------------------------------------------------------ */

const char *option_attribute(const OptionRow *row, char name[OPTION_ATTRIBUTE]) {
    size_t length = 0;
    for (const char *c = row->name; *c && length + 1 < OPTION_ATTRIBUTE; c++)
        name[length++] = *c == '-' ? (char)toupper((unsigned char)*++c) : *c;
    name[length] = '\0';
    return name;
}

bool option_sets_many(const OptionRow *row) {
    const char *at = row->argument;
    while (at && isupper((unsigned char)*at))
        at++;
    return at && at != row->argument && strcmp(at, "=VALUE") == 0;
}
