/* mkman TEMPLATE: writes a manual page to standard output: the prose of a template
 * (tools/man) with options, commands and names from the programs' own tables. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/jm.h"
#include "tools/gen/rows/rows.h"
#include "tools/gen/rows/template.h"

/* ---- text as roff ---------------------------------------------------------------- */

/* Writes text verbatim; characters special to roff are escaped, and '-' becomes a
 * minus, not a hyphen. */
static void put(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] == '-' || text[i] == '\\')
            fprintf(out, "\\%s", text[i] == '-' ? "-" : "e");
        else
            putc(text[i], out);
}

/* Writes text in a font, B or I. */
static void put_in(FILE *out, char font, const char *text, size_t length) {
    fprintf(out, "\\f%c", font);
    put(out, text, length);
    fputs("\\fR", out);
}

/* Whether a word is all capitals, and so a metavariable. */
static bool is_upper_name(const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isupper((unsigned char)word[i]))
            return false;
    return length > 0;
}

/* Whether the word is a part of `argument`: DIR of DIR, COUNT of NODE[:COUNT]. */
static bool is_part(const char *argument, const char *word, size_t length) {
    if (!argument || !is_upper_name(word, length))
        return false;
    for (const char *at = argument; *at;) {
        const size_t part = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (part == length && memcmp(at, word, length) == 0)
            return true;
        at += part ? part : 1;
    }
    return false;
}

/* Returns the length of an option's name, or of "name(1)", at the start of `word`; 0:
 * none. */
static size_t bold_length(const char *word) {
    if (strncmp(word, "--", 2) == 0 && islower((unsigned char)word[2]))
        return 2 + strspn(word + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");
    const size_t name = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return name && strncmp(word + name, "(1)", 3) == 0 ? name : 0;
}

/* Writes a word without blanks: options bold, parts of `argument` italic. */
static void put_word(FILE *out, const char *word, size_t length, const char *argument) {
    const size_t start = strspn(word, "(");
    const size_t bold = bold_length(word + start);
    const size_t upper = strspn(word + start, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const size_t marked = bold                                     ? bold
                          : is_part(argument, word + start, upper) ? upper
                                                                   : 0;
    put(out, word, start);
    if (marked)
        put_in(out, bold ? 'B' : 'I', word + start, marked);
    put(out, word + start + marked, length - start - marked);
}

/* Writes sentences, each on a line of its own; `quoted` in backquotes becomes bold. */
static void put_text(FILE *out, const char *text, const char *argument) {
    bool line_start = true;
    while (*text) {
        const char *close = *text == '`' ? strchr(text + 1, '`') : NULL;
        if (close) {
            put_in(out, 'B', text + 1, (size_t)(close - text - 1));
            text = close + 1;
        }
        const size_t length = strcspn(text, " `");
        if (line_start && !close && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        put_word(out, text, length, argument);
        line_start = length && text[length] == ' ' && strchr(".:;", text[length - 1]);
        text += length;
        if (*text == ' ')
            text++, putc(line_start ? '\n' : ' ', out);
    }
    putc('\n', out);
}

/* Writes text as the beginning of a sentence, capitalised unless it begins with a name
 * in lower case. */
static void put_sentence(FILE *out, const char *text, const char *argument) {
    const size_t word = strcspn(text, " ,;:");
    char copy[4096];
    snprintf(copy, sizeof copy, "%s%s", text, text[strlen(text) - 1] == '.' ? "" : ".");
    if (strspn(text, "abcdefghijklmnopqrstuvwxyz") == word)
        copy[0] = (char)toupper((unsigned char)copy[0]);
    put_text(out, copy, argument);
}

/* ---- options --------------------------------------------------------------------- */

/* Writes an argument: a metavariable in italics, a literal word in bold. */
static void put_argument(FILE *out, const char *argument) {
    for (const char *at = argument; *at;) {
        const size_t word = strcspn(at, "[]|=:");
        if (word)
            put_in(out, strchr(argument, '|') ? 'B' : 'I', at, word);
        put(out, at + word, at[word] != '\0');
        at += word + (at[word] != '\0');
    }
}

static void put_spelling(FILE *out, const OptionRow *row) {
    char text[64];
    if (row->letter) {
        snprintf(text, sizeof text, "-%s", row->letter);
        put_in(out, 'B', text, strlen(text));
    }
    if (row->letter && row->name)
        fputs(", ", out);
    if (row->name) {
        snprintf(text, sizeof text, "--%s", row->name);
        put_in(out, 'B', text, strlen(text));
    }
}

/* Writes the options of a command, from their rows. */
static bool write_options(FILE *out, const char *command) {
    const OptionTable *table = option_table_find(command);
    OptionRow row;
    char text[OPTION_TEXT_MAX];
    for (size_t i = 0; table && option_at(table, i, &row, text); i++) {
        fputs(".TP\n", out);
        put_spelling(out, &row);
        if (row.argument) {
            fputs(option_is_optional(&row) ? "" : " ", out);
            put_argument(out, row.argument);
        }
        putc('\n', out);
        put_sentence(out, row.text, row.argument);
        if (row.more)
            put_text(out, row.more, row.argument);
    }
    return table != NULL;
}

/* Writes the spellings of the `jm run` options that `jm debug` accepts. */
static bool write_shared(FILE *out, const char *argument) {
    const OptionTable *all = option_table_find("jm debug");
    const char *comma = "";
    for (size_t i = 0; i < all->count; i++) {
        if (!option_is_shared(&all->rows[i]))
            continue;
        fputs(comma, out);
        put_spelling(out, &all->rows[i]);
        comma = ",\n";
    }
    fputs(".\n", out);
    return !*argument;
}

/* ---- names ----------------------------------------------------------------------- */

/* Writes the names of a kind with what they do. */
static bool write_names(FILE *out, const char *kind) {
    NameRow row;
    size_t count = 0;
    for (; name_at(kind, count, &row); count++) {
        fprintf(out, ".TP\n\\fB%s\\fR", strcmp(kind, "jm") == 0 ? "jm " : "");
        put_in(out, 'B', row.name, strlen(row.name));
        if (row.arguments && *row.arguments) {
            putc(' ', out);
            put_in(out, 'I', row.arguments, strlen(row.arguments));
        }
        putc('\n', out);
        put_sentence(out, row.text, NULL);
    }
    return count > 0;
}

static bool write_parameters(FILE *out, const char *argument) {
    for (unsigned i = 0; jm_parameter(i); i++) {
        const JmParameter *p = jm_parameter(i);
        fputs(".TP\n", out);
        put_in(out, 'B', p->name, strlen(p->name));
        fprintf(out, " (%" PRIu64 "; %" PRIu64 " to %" PRIu64 ")\n", p->standard,
                p->minimum, p->maximum);
        put_sentence(out, p->text, NULL);
    }
    return !*argument;
}

/* ---- the debugger ---------------------------------------------------------------- */

static void put_command(FILE *out, const char *name, const char *abbreviation,
                        const char *arguments, const char *text) {
    fputs(".TP\n", out);
    put_in(out, 'B', name, strlen(name));
    if (strcmp(name, abbreviation) != 0) {
        fputs(" (", out);
        put_in(out, 'B', abbreviation, strlen(abbreviation));
        putc(')', out);
    }
    putc(' ', out);
    put_in(out, 'I', arguments, strlen(arguments));
    putc('\n', out);
    put_text(out, text, NULL);
}

static void put_heading(FILE *out, const char *last, const char *group) {
    if (strcmp(last, group) != 0)
        fprintf(out, ".SS \"%c%s\"\n", toupper((unsigned char)*group), group + 1);
}

static bool write_debugger(FILE *out, const char *argument) {
    const char *last = "";
#define COMMAND(name, abbreviation, function, group, repeats, arguments, text,         \
                examples)                                                              \
    put_heading(out, last, group);                                                     \
    last = group;                                                                      \
    put_command(out, name, abbreviation, arguments, text);
#include "emu/debug/commands.def"
#undef COMMAND
    return !*argument;
}

static bool write_synonyms(FILE *out, const char *argument) {
    const char *comma = "";
#define COMMAND(name, abbreviation, function, group, repeats, arguments, text, examples)
#define SYNONYM(name, command)                                                         \
    fputs(comma, out);                                                                 \
    put_in(out, 'B', name, strlen(name));                                              \
    fputs(" (", out);                                                                  \
    put(out, command, strlen(command));                                                \
    putc(')', out);                                                                    \
    comma = ",\n";
#include "emu/debug/commands.def"
#undef COMMAND
    fputs(".\n", out);
    return !*argument;
}

static bool write_topics(FILE *out, const char *argument) {
#define COMMAND(name, abbreviation, function, group, repeats, arguments, text, examples)
#define INFO(name, function, text)                                                     \
    fputs(".TP\n", out);                                                               \
    put_in(out, 'B', name, strlen(name));                                              \
    putc('\n', out);                                                                   \
    put_sentence(out, text, NULL);
#define INFO_ON INFO
#include "emu/debug/commands.def"
#undef COMMAND
    return !*argument;
}

/* Writes an entry: a term and what it means. */
static void put_entry(FILE *out, const char *term, const char *text) {
    fputs(".TP\n", out);
    put_in(out, 'B', term, strlen(term));
    putc('\n', out);
    put_text(out, text, NULL);
}

static bool write_expressions(FILE *out, const char *argument) {
#define COMMAND(name, abbreviation, function, group, repeats, arguments, text, examples)
#define EXPRESSION(form, text) put_entry(out, form, text);
#define FUNCTION(name, parameters, count, kind, most, text)                            \
    put_entry(out, name "(" parameters ")", text);
#include "emu/debug/commands.def"
#undef COMMAND
    return !*argument;
}

/* ---- the page -------------------------------------------------------------------- */

int main(int argc, char **argv) {
    static const Directive directives[] = {{"options", write_options},
                                           {"shared-options", write_shared},
                                           {"names", write_names},
                                           {"parameters", write_parameters},
                                           {"debugger", write_debugger},
                                           {"synonyms", write_synonyms},
                                           {"topics", write_topics},
                                           {"expressions", write_expressions},
                                           {0}};
    return template_fill("mkman", argc, argv, directives);
}
