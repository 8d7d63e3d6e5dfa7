/* Lines to commands: the table, abbreviations, aliases, help, what is said. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "emu/debug/inside.h"

enum { DEPTH_MAX = 16, NAME_MAX_LENGTH = 64, EXCERPT_MIN = 24 };

typedef struct {
    DebugCommand face;
    CommandFunction *function;
} Row;

static const Row rows[] = {
#define COMMAND(name, abbreviation, function, group, arguments, text, examples)        \
    {{name, abbreviation, group, arguments, text, examples}, function},
#include "emu/debug/commands.def"
#undef COMMAND
};
enum { ROWS = sizeof rows / sizeof *rows };

const DebugCommand *debug_command(unsigned index) {
    return index < ROWS ? &rows[index].face : NULL;
}

/* ---- what is said ---------------------------------------------------------------- */

void say(Debug *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&d->out, format, arguments);
    va_end(arguments);
}

void flush(Debug *d) {
    if (d->out.length)
        d->host.write(d->host.context, d->out.bytes, d->out.length);
    text_clear(&d->out);
}

bool fail(Debug *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(d, "error: ");
    text_add_list(&d->out, format, arguments);
    say(d, "\n");
    va_end(arguments);
    return false;
}

static bool goes_on_character(char c) {
    return ((unsigned char)c & 0xC0) == 0x80; /* of UTF-8 */
}

/* The part of a line around `at` that fits the terminal, with what is left out as dots:
 * its beginning and length. */
static const char *excerpt(const Args *args, const char *at, int *length) {
    const unsigned columns = args->d->host.columns;
    const size_t width = columns > EXCERPT_MIN + 8 ? columns - 8 : EXCERPT_MIN;
    const char *first = args->line;
    if ((size_t)(at - first) > width * 3 / 4)
        first = at - width * 3 / 4;
    while (goes_on_character(*first))
        first++;
    size_t shown = strlen(first);
    if (shown > width)
        shown = width;
    while (shown && goes_on_character(first[shown]))
        shown--;
    *length = (int)shown;
    return first;
}

/* Blanks stand for blanks, tabs for tabs, so that the caret is in its column. */
bool fail_at(const Args *args, const char *at, const char *format, ...) {
    Debug *d = args->d;
    va_list arguments;
    int length;
    const char *first = excerpt(args, at, &length);
    va_start(arguments, format);
    say(d, "error: ");
    text_add_list(&d->out, format, arguments);
    say(d, "\n  %s%.*s%s\n  %s", first > args->line ? "..." : "", length, first,
        first[length] ? "..." : "", first > args->line ? "   " : "");
    for (const char *c = first; c < at; c++)
        if (!goes_on_character(*c))
            say(d, "%c", *c == '\t' ? '\t' : ' ');
    say(d, "^\n");
    va_end(arguments);
    return false;
}

/* ---- words of a line ------------------------------------------------------------- */

void skip_blanks(Args *args) {
    while (isspace((unsigned char)*args->at))
        args->at++;
}

bool at_end(Args *args) {
    skip_blanks(args);
    return *args->at == '\0';
}

bool take_word(Args *args, const char *word) {
    const size_t length = strlen(word);
    skip_blanks(args);
    if (strncmp(args->at, word, length) != 0 ||
        (args->at[length] && !isspace((unsigned char)args->at[length])))
        return false;
    args->at += length;
    return true;
}

bool next_word(Args *args, char *buffer, size_t size) {
    skip_blanks(args);
    const size_t length = strcspn(args->at, " \t\r\n");
    snprintf(buffer, size, "%.*s", (int)(length < size ? length : size - 1), args->at);
    args->at += length;
    return length > 0;
}

bool expect_end(Args *args) {
    if (at_end(args))
        return true;
    return fail_at(args, args->at, "this is too much");
}

/* ---- finding the command --------------------------------------------------------- */

static const char *nearest_command(const char *word) {
    Suggestion suggestion = suggest_start(word);
    for (unsigned i = 0; i < ROWS; i++)
        suggest_consider(&suggestion, rows[i].face.name);
    return suggestion.best;
}

/* Exact names and abbreviations first, then beginnings. */
static const Row *find_row(Debug *d, const char *word) {
    const Row *found = NULL;
    unsigned matches = 0;
    for (unsigned i = 0; i < ROWS; i++)
        if (strcmp(word, rows[i].face.name) == 0 ||
            strcmp(word, rows[i].face.abbreviation) == 0)
            return &rows[i];
    for (unsigned i = 0; i < ROWS; i++) {
        if (strncmp(word, rows[i].face.name, strlen(word)) != 0)
            continue;
        found = &rows[i];
        matches++;
    }
    if (matches == 1)
        return found;
    if (matches == 0) {
        const char *near = nearest_command(word);
        fail(d, "no command '%s'%s%s%s", word, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "; `help` lists them");
        return NULL;
    }
    fail(d, "'%s' could be:", word);
    for (unsigned i = 0; i < ROWS; i++)
        if (strncmp(word, rows[i].face.name, strlen(word)) == 0)
            say(d, "  %s\n", rows[i].face.name);
    return NULL;
}

/* ---- a line ---------------------------------------------------------------------- */

static bool do_alias(Debug *d, const char *word, const char *rest, bool *is_alias) {
    for (size_t i = 0; i < d->alias_count; i++) {
        if (strcmp(d->aliases[i].name, word) != 0)
            continue;
        Text line = {NULL, 0, 0};
        *is_alias = true;
        text_add(&line, "%s%s", d->aliases[i].text, rest);
        const bool good = do_line(d, text_get(&line));
        text_free(&line);
        return good;
    }
    return false;
}

static bool collect(Debug *d, const char *line) {
    Stop *stop = d->collecting;
    Args args = {d, line, line};
    if (take_word(&args, "end")) {
        d->collecting = NULL;
        return true;
    }
    skip_blanks(&args);
    stop->commands = text_grow(stop->commands, stop->command_count,
                               &stop->command_capacity, sizeof *stop->commands);
    stop->commands[stop->command_count++] = text_copy_all(args.at);
    return true;
}

/* "p/x 5" is not known here, but "x$a3" is no word: names are letters and dashes. */
static bool find_and_do(Debug *d, const char *line) {
    char word[NAME_MAX_LENGTH + 1];
    bool is_alias = false;
    Args args = {d, line, line};
    if (!next_word(&args, word, sizeof word))
        return true;
    const bool done = do_alias(d, word, args.at, &is_alias);
    if (is_alias)
        return done;
    const Row *row = find_row(d, word);
    return row && row->function(d, &args);
}

bool do_line(Debug *d, const char *line) {
    const char *start = line + strspn(line, " \t\r\n");
    if (d->collecting)
        return collect(d, line);
    if (*start == '\0' || *start == '#')
        return true;
    if (d->depth >= DEPTH_MAX)
        return fail(d, "scripts, aliases and commands are nested too deeply");
    d->depth++;
    const bool good = find_and_do(d, line);
    d->depth--;
    return good;
}

/* An empty line does the last one again if it was one of those that move on. */
static bool is_repeatable(const char *line) {
    static const char *const words[] = {"step",
                                        "s",
                                        "line",
                                        "sl",
                                        "cycle",
                                        "c1",
                                        "task",
                                        "ta",
                                        "x",
                                        "list",
                                        "l",
                                        "rs",
                                        "c",
                                        "rc",
                                        "deliver",
                                        "de",
                                        "continue",
                                        "reverse-step",
                                        "reverse-continue"};
    char word[NAME_MAX_LENGTH + 1];
    Args args = {NULL, line, line};
    next_word(&args, word, sizeof word);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* Where `x` and `list` have come to they go on. */
static const char *repeated(const char *line) {
    if (line[0] == 'x')
        return "x";
    return line[0] == 'l' && strncmp(line, "line", 4) != 0 ? "list" : line;
}

bool debug_do(Debug *d, const char *line) {
    const char *start = line + strspn(line, " \t\r\n");
    char *copy = text_copy(start, strcspn(start, "\r\n"));
    if (d->echo && *copy)
        say(d, "%s%s\n", debug_prompt(d), copy);
    if (d->record && strncmp(copy, "record", 3) != 0)
        fprintf(d->record, "%s\n", copy);
    const bool empty = *copy == '\0' && !d->collecting;
    const char *what = empty && d->last_line ? repeated(d->last_line) : copy;
    d->interrupted = false;
    const bool good = do_line(d, what);
    if (!empty) {
        free(d->last_line);
        d->last_line = is_repeatable(copy) ? text_copy_all(copy) : NULL;
    }
    free(copy);
    flush(d);
    return good;
}

/* ---- help ------------------------------------------------------------------------ */

void say_wrapped(Debug *d, const char *text, unsigned indent, unsigned column) {
    const unsigned width =
        d->host.columns > indent + 30 ? d->host.columns - 1 : indent + 30;
    say(d, "%*s", column < indent ? (int)(indent - column) : 0, "");
    column = indent;
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + word > width) {
            say(d, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            say(d, " ");
            column++;
        }
        say(d, "%.*s", (int)word, text);
        column += (unsigned)word;
        text += word + (text[word] == ' ');
    }
    say(d, "\n");
}

static void help_all(Debug *d) {
    const char *group = "";
    for (unsigned i = 0; i < ROWS; i++) {
        const DebugCommand *c = &rows[i].face;
        if (strcmp(group, c->group) != 0)
            say(d, "%s%s:\n", i ? "\n" : "", group = c->group);
        const char *end = strpbrk(c->text, ".;:");
        const int length = end ? (int)(end - c->text) : (int)strlen(c->text);
        say(d, "  %-17s%-5s%.*s\n", c->name,
            strcmp(c->name, c->abbreviation) ? c->abbreviation : "", length, c->text);
    }
    say(d,
        "\n`help COMMAND` tells more; an empty line repeats commands that move on.\n");
}

bool cmd_help(Debug *d, Args *args) {
    char word[NAME_MAX_LENGTH + 1];
    if (!next_word(args, word, sizeof word)) {
        help_all(d);
        return true;
    }
    const Row *row = find_row(d, word);
    if (!row || !expect_end(args))
        return false;
    const DebugCommand *c = &row->face;
    say(d, "%s %s\n", c->name, c->arguments);
    if (strcmp(c->name, c->abbreviation) != 0)
        say(d, "  (%s)\n", c->abbreviation);
    say_wrapped(d, c->text, 2, 0);
    for (const char *at = c->examples; *at;) {
        const size_t length = strcspn(at, "\n");
        say(d, "    %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    return true;
}

bool cmd_echo(Debug *d, Args *args) {
    skip_blanks(args);
    say(d, "%s\n", args->at);
    return true;
}

bool cmd_quit(Debug *d, Args *args) {
    int64_t status;
    if (!take_optional(args, "the status", 0, 125, 0, &status) || !expect_end(args))
        return false;
    d->status = (int)status;
    d->has_quit = true;
    return true;
}
