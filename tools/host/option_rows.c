/* Parses options by their rows and prints them. */
#include "tools/host/option_rows.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "emu/core/printable.h"
#include "tools/host/numbers.h"
#include "tools/host/word_list.h"

enum { FIRST_NAME = 256, /* above every letter */ WIDTH = 79, SHOWN = 200 };

/* ---- parsing --------------------------------------------------------------------- */

/* What getopt_long() takes, from the rows of a set. */
typedef struct {
    struct option names[OPTION_ROWS_MAX + 1];
    char letters[2 * OPTION_ROWS_MAX + 3];
} Spellings;

static void make_spellings(Spellings *spellings, const OptionSet *set) {
    assert(set->count <= OPTION_ROWS_MAX);
    *spellings = (Spellings){.letters = ""};
    struct option *name = spellings->names;
    char *letter = spellings->letters;
    if (set->in_order || set->alone)
        *letter++ = '-';
    *letter++ = ':';
    for (int i = 0; i < set->count; i++) {
        const OptionRow *row = &set->rows[i];
        const bool optional = option_is_optional(row);
        const int takes = optional        ? optional_argument
                          : row->argument ? required_argument
                                          : no_argument;
        if (row->name)
            *name++ = (struct option){row->name, takes, NULL, FIRST_NAME + i};
        if (row->letter)
            *letter++ = row->letter[0];
        if (row->letter && row->argument && !optional)
            *letter++ = ':';
    }
}

/* Whether the option exists, takes no argument, and was given one: `--quiet=5`. */
static bool has_argument(const char *wrong, const char *best) {
    const size_t length = strcspn(wrong, "=");
    return wrong[length] && best && length == strlen(best) + 2 &&
           strncmp(wrong + 2, best, length - 2) == 0;
}

static bool refuse_wrong(const OptionSet *set, void *context, const char *wrong,
                         bool is_letter, JmError *error) {
    char name[JM_SUGGEST_LONGEST + 2], shown[SHOWN];
    snprintf(name, sizeof name, "%s", wrong + strspn(wrong, "-"));
    name[strcspn(name, "=")] = '\0';
    JmSuggestion near = jm_suggest_start(name);
    for (int i = 0; i < set->count && !is_letter; i++)
        if (set->rows[i].name)
            jm_suggest_consider(&near, set->rows[i].name);
    if (set->explain && set->explain(context, wrong, &near, error))
        return false;
    if (has_argument(wrong, near.best))
        return jm_fail(error, set->command, "--%s takes no argument", near.best);
    return jm_fail(error, set->command, "no option '%s'%s",
                   jm_printable(wrong, shown, sizeof shown),
                   jm_suggest_text(&near, "--", "; --help lists them"));
}

/* The row whose name or letter getopt_long() has found; `count`: none. */
static int row_of(const OptionSet *set, int code) {
    int id = code < FIRST_NAME ? 0 : code - FIRST_NAME;
    while (code < FIRST_NAME && id < set->count &&
           !(set->rows[id].letter && set->rows[id].letter[0] == code))
        id++;
    return id;
}

/* Reports the option that getopt_long() has just rejected. A letter of a group (-ab) is
 * in `optopt`; the group may continue after it. */
static bool refuse(const OptionSet *set, void *context, int code, char **argv,
                   JmError *error) {
    const bool is_letter = optopt > 0 && optopt < FIRST_NAME;
    const int id = row_of(set, optopt);
    char letter[4] = {'-', is_letter ? (char)optopt : '\0'};
    if (is_letter && id < set->count)
        snprintf(letter, sizeof letter, "-%s", set->rows[id].letter);
    const char *wrong = is_letter ? letter : argv[optind - 1];
    char shown[SHOWN];
    if (code != ':')
        return refuse_wrong(set, context, wrong, is_letter, error);
    return jm_fail(error, set->command, "%s needs an argument",
                   jm_printable(wrong, shown, sizeof shown));
}

/* Whether the argument is one of some words. */
static bool is_choice(const OptionRow *row) {
    return row->argument && islower((unsigned char)row->argument[0]) &&
           strchr(row->argument, '|');
}

/* Reports an argument that the row does not allow, but `what`; NULL: as it says. */
static bool refuse_argument(const OptionRow *row, const char *argument,
                            const char *what, const char *command, JmError *error) {
    char text[2 * SHOWN], shown[SHOWN];
    if (!what && is_choice(row))
        jm_suggest_one_of(row->argument, argument, text, sizeof text);
    else if (!what)
        snprintf(text, sizeof text, "%s: %.*s", row->argument,
                 (int)strcspn(row->text, ";"), row->text);
    return jm_fail(error, command, "--%s %s: expected %s", row->name,
                   *argument ? jm_printable(argument, shown, sizeof shown) : "''",
                   what ? what : text);
}

static void keep_number(const OptionUse *use, void *place, uint64_t value) {
    if (use->size == sizeof(uint32_t))
        *(uint32_t *)place = (uint32_t)value;
    else
        *(uint64_t *)place = value;
}

static bool take_number(const OptionUse *use, void *place, const OptionRow *row,
                        const char *argument, const char *command, JmError *error) {
    uint64_t value;
    char what[SHOWN];
    snprintf(what, sizeof what, "a whole number from %ju to %ju", (uintmax_t)use->low,
             (uintmax_t)use->high);
    if (!number_parse(argument, use->low, use->high, &value))
        return refuse_argument(row, argument, what, command, error);
    keep_number(use, place, value);
    return true;
}

static bool take_setting(const OptionSet *set, const OptionRow *row,
                         const char *argument, JmError *error) {
    char what[2 * SHOWN];
    return !argument || set->settings->allows(row, argument, what, sizeof what) ||
           refuse_argument(row, argument, what, set->command, error);
}

bool option_take(const OptionSet *set, void *fields, int id, char *argument,
                 JmError *error) {
    const OptionRow *row = &set->rows[id];
    const OptionUse *use = &set->uses[id];
    void *place = (char *)fields + use->place;
    error->text[0] = '\0';
    if (is_choice(row) && !word_list_has(row->argument, '|', argument))
        return refuse_argument(row, argument, NULL, set->command, error);
    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_ANSWER:
    case OPTION_CLEAR:
        *(bool *)place = row->kind != OPTION_CLEAR;
        return true;
    case OPTION_NUMBER:
        return take_number(use, place, row, argument, set->command, error);
    case OPTION_WORD:
        keep_number(use, place,
                    (uint64_t)word_list_place(row->argument, '|', argument));
        return true;
    case OPTION_SETTING:
        return take_setting(set, row, argument, error);
    case OPTION_LIST:
        place = *(const char ***)place + (*(unsigned *)((char *)fields + use->low))++;
        /* fall through */
    case OPTION_TEXT:
    case OPTION_OUTPUT:
        *(const char **)place = argument;
        if (*argument)
            return true;
        break;
    default:
        if (use->take(fields, argument, error))
            return true;
    }
    return !error->text[0] && refuse_argument(row, argument, NULL, set->command, error);
}

static bool is_same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The first row of the option of which row `id` may be another name. */
static int first_name(const OptionSet *set, int id) {
    int first = 0;
    for (; first < id; first++) {
        const OptionRow *a = &set->rows[first], *b = &set->rows[id];
        if (a->kind == b->kind && a->kind != OPTION_BY &&
            set->uses[first].place == set->uses[id].place &&
            is_same(a->setting, b->setting) && is_same(a->added, b->added))
            break;
    }
    return first;
}

bool option_set_take(const OptionSet *set, void *context, const char **given, int argc,
                     char **argv, JmError *error) {
    enum { END = -1, OPERAND = 1 }; /* of getopt_long() */
    Spellings spellings;
    make_spellings(&spellings, set);
    opterr = 0;
    optind = 0; /* begins anew, whatever the last command line was */
    for (int code; (code = getopt_long(argc, argv, spellings.letters, spellings.names,
                                       NULL)) != END;) {
        const int id = code == OPERAND ? OPTION_OPERAND : row_of(set, code);
        if (id == set->count)
            return refuse(set, context, code, argv, error);
        if (id == OPTION_OPERAND && set->alone)
            return option_refuse_operand(optarg, set->command, error);
        if (!(set->take ? set->take(context, id, optarg, error)
                        : option_take(set, context, id, optarg, error)))
            return false;
        if (id >= 0 && given)
            given[first_name(set, id)] = optarg ? optarg : "";
        if (id >= 0 && set->rows[id].kind == OPTION_ANSWER)
            return true;
    }
    return !set->alone || optind == argc ||
           option_refuse_operand(argv[optind], set->command, error);
}

bool option_is_given(const OptionSet *set, const char *const *given, const char *name) {
    int id = 0;
    while (!is_same(set->rows[id].name, name))
        id++;
    return given[id];
}

bool option_need(const OptionSet *set, const char *const *given, const char *names,
                 JmError *error) {
    for (int i = 0; i < set->count; i++)
        if (!given[i] && word_list_has(names, '|', set->rows[i].name))
            return jm_fail(error, set->command, "--%s is missing", set->rows[i].name);
    return true;
}

bool option_refuse(const OptionSet *set, const char *const *given, const char *names,
                   const char *why, JmError *error) {
    for (int i = 0; i < set->count; i++)
        if (given[i] && word_list_has(names, '|', set->rows[i].name))
            return jm_fail(error, set->command, "--%s %s", set->rows[i].name, why);
    return true;
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
