/* Turns lines into commands: the table of commands, abbreviations, aliases, repetition,
 * help. */
#include <ctype.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "emu/debug/session/session.h"

/* nesting of scripts, aliases and commands; letters of a command's word */
enum { DEPTH_MAX = 16, NAME_MAX_LENGTH = 64 };

/* A command: its row of commands.def. */
typedef struct {
    JmDebugCommand face;
    CommandFunction *function;
} Row;

static const Row rows[] = {
#define COMMAND(name, abbreviation, function, group, arguments, text, examples)        \
    {{name, abbreviation, group, arguments, text, examples}, function},
#include "emu/debug/commands.def"
#undef COMMAND
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct {
    const char *name, *command;
} synonyms[] = {
#define COMMAND(...)
#define SYNONYM(name, command) {name, command},
#include "emu/debug/commands.def"
#undef COMMAND
};
enum { SYNONYMS = sizeof synonyms / sizeof *synonyms };

const char *command_synonym(unsigned index) {
    return index < SYNONYMS ? synonyms[index].name : NULL;
}

const JmDebugCommand *jm_debug_command(unsigned index) {
    return index < ROWS ? &rows[index].face : NULL;
}

/* ---- finding the command --------------------------------------------------------- */

/* Returns the command or synonym closest to a mistyped word, or NULL. */
static const char *nearest_command(const char *word) {
    JmSuggestion suggestion = jm_suggest_start(word);
    for (unsigned i = 0; i < ROWS; i++)
        jm_suggest_consider(&suggestion, rows[i].face.name);
    for (unsigned i = 0; i < SYNONYMS; i++)
        jm_suggest_consider(&suggestion, synonyms[i].name);
    return suggestion.best;
}

/* Returns the row whose name or abbreviation is `word`, or NULL. */
static const Row *row_named(const char *word) {
    for (unsigned i = 0; i < ROWS; i++)
        if (strcmp(word, rows[i].face.name) == 0 ||
            strcmp(word, rows[i].face.abbreviation) == 0)
            return &rows[i];
    return NULL;
}

/* Looks a word up: names, abbreviations and synonyms first, then prefixes of names.
 * *matches: the number of rows it could mean; NULL unless there is at least one. */
static const Row *look_up(const char *word, unsigned *matches) {
    const Row *found = row_named(word);
    for (unsigned i = 0; i < SYNONYMS && !found; i++)
        if (strcmp(word, synonyms[i].name) == 0)
            found = row_named(synonyms[i].command);
    *matches = found != NULL;
    if (found)
        return found;
    for (unsigned i = ROWS; i-- > 0;) {
        if (strncmp(word, rows[i].face.name, strlen(word)) != 0)
            continue;
        found = &rows[i];
        ++*matches;
    }
    return found;
}

const JmDebugCommand *command_named(const char *word) {
    unsigned matches;
    const Row *row = look_up(word, &matches);
    return row && matches == 1 ? &row->face : NULL;
}

/* Returns the row that a word means, or NULL and a message. */
static const Row *find_row(JmDebug *d, const char *word) {
    unsigned matches;
    const Row *found = look_up(word, &matches);
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

/* Executes a line that begins with an alias; *is_alias says whether it does. */
static bool do_alias(JmDebug *d, const char *word, const char *rest, bool *is_alias) {
    for (size_t i = 0; i < d->session->alias_count; i++) {
        if (strcmp(d->session->aliases[i].name, word) != 0)
            continue;
        Text line = {.heap = d->heap};
        *is_alias = true;
        text_add(&line, "%s%s", d->session->aliases[i].text, rest);
        const bool good = do_line(d, text_get(&line));
        text_free(&line);
        return good;
    }
    return false;
}

/* Adds a line to the commands of a stop, or ends them. */
static bool collect(JmDebug *d, const char *line) {
    Stop *stop = d->stops->collecting;
    Args args = {d, line, line};
    if (take_word(&args, "end")) {
        d->stops->collecting = NULL;
        return true;
    }
    skip_blanks(&args);
    stop->commands = text_grow(d->heap, stop->commands, stop->command_count,
                               &stop->command_capacity, sizeof *stop->commands);
    stop->commands[stop->command_count++] = text_copy_all(d->heap, args.at);
    return true;
}

/* Splits "p/x": `word` keeps the name, and `args` continue at the slash. */
static bool cut_slash(Args *args, const char *start, char *word) {
    char *slash = strchr(word, '/');
    if (!slash)
        return false;
    args->at = start + (slash - word);
    *slash = '\0';
    return true;
}

/* Whether a command's arguments begin with a format after a slash. */
static bool takes_format(const JmDebugCommand *command) {
    return strncmp(command->arguments, "[/", 2) == 0;
}

/* Finds the command of a line and executes it. */
static bool find_and_do(JmDebug *d, const char *line) {
    char word[NAME_MAX_LENGTH + 1];
    bool is_alias = false;
    Args args = {d, line, line};
    skip_blanks(&args);
    const char *start = args.at;
    if (!next_word(&args, word, sizeof word))
        return true;
    const bool done = do_alias(d, word, args.at, &is_alias);
    if (is_alias)
        return done;
    const bool formatted = cut_slash(&args, start, word);
    const Row *row = find_row(d, word);
    if (row && formatted && !takes_format(&row->face))
        return fail_at(&args, args.at, "`%s` takes no format", row->face.name);
    return row && row->function(d, &args);
}

bool do_line(JmDebug *d, const char *line) {
    const char *start = line + strspn(line, " \t\r\n");
    if (d->stops->collecting)
        return collect(d, line);
    if (*start == '\0' || *start == '#')
        return true;
    if (d->session->depth >= DEPTH_MAX)
        return fail(d, "scripts, aliases and commands are nested too deeply");
    d->session->depth++;
    const bool good = find_and_do(d, line);
    d->session->depth--;
    return good;
}

/* Returns the row of a line's command, or NULL if there is not exactly one. Its word is
 * left in `word`. */
static const Row *row_of(const char *line, char word[NAME_MAX_LENGTH + 1]) {
    unsigned matches = 0;
    Args args = {NULL, line, line};
    skip_blanks(&args);
    const char *start = args.at;
    next_word(&args, word, NAME_MAX_LENGTH + 1);
    cut_slash(&args, start, word);
    const Row *row = *word ? look_up(word, &matches) : NULL;
    return row && matches == 1 ? row : NULL;
}

/* Whether an empty line repeats a command: those that advance are. */
static bool is_repeatable(const char *line) {
    static CommandFunction *const moving[] = {
        cmd_step,        cmd_line,         cmd_cycle,        cmd_task,
        cmd_deliver,     cmd_continue,     cmd_examine,      cmd_list,
        cmd_disassemble, cmd_reverse_step, cmd_reverse_line, cmd_reverse_continue};
    char word[NAME_MAX_LENGTH + 1];
    const Row *row = row_of(line, word);
    for (size_t i = 0; row && i < sizeof moving / sizeof *moving; i++)
        if (moving[i] == row->function)
            return true;
    return false;
}

/* Returns what an empty line will do after `line`; the caller frees it. Commands that
 * show memory or source continue where they stopped, in the same format. */
static char *repeated(JmDebug *d, const char *line) {
    char word[NAME_MAX_LENGTH + 1];
    const Row *row = row_of(line, word);
    const bool looks = row->function == cmd_examine || row->function == cmd_list ||
                       row->function == cmd_disassemble;
    const char *start = line + strspn(line, " \t");
    return looks ? text_copy(d->heap, start, strcspn(start, " \t"))
                 : text_copy_all(d->heap, line);
}

/* Executes a line of the user: echo, record, repetition around do_line(). */
static bool do_users_line(JmDebug *d, const char *line) {
    const char *start = line + strspn(line, " \t\r\n");
    char *copy = text_copy(d->heap, start, strcspn(start, "\r\n"));
    if (d->session->echo && *copy)
        say(d, "%s%s\n", session_prompt(d), copy);
    if (d->session->record.stream && strncmp(copy, "record", 3) != 0)
        fprintf(d->session->record.stream, "%s\n", copy);
    const bool empty = *copy == '\0' && !d->stops->collecting;
    const char *what = empty && d->session->last_line ? d->session->last_line : copy;
    d->interrupted = false;
    const bool good = do_line(d, what);
    if (!empty) {
        heap_free(d->session->last_line);
        d->session->last_line = is_repeatable(copy) ? repeated(d, copy) : NULL;
    }
    heap_free(copy);
    flush(d);
    return good;
}

bool jm_debug_do(JmDebug *d, const char *line) {
    return session_work(d, do_users_line, line);
}

/* ---- help ------------------------------------------------------------------------ */

/* Lists all commands by group, each with the first clause of its text. */
static void help_all(JmDebug *d) {
    const char *group = "";
    for (unsigned i = 0; i < ROWS; i++) {
        const JmDebugCommand *c = &rows[i].face;
        if (strcmp(group, c->group) != 0)
            say(d, "%s%s:\n", i ? "\n" : "", group = c->group);
        const char *end = strpbrk(c->text, ".;:");
        const int length = end ? (int)(end - c->text) : (int)strlen(c->text);
        say(d, "  %-17s%-5s%.*s\n", c->name,
            strcmp(c->name, c->abbreviation) ? c->abbreviation : "", length, c->text);
    }
    say(d, "\n");
    Text words = {.heap = d->heap};
    text_add(&words, "As in gdb:");
    for (unsigned i = 0; i < SYNONYMS; i++)
        text_add(&words, " %s (%s)%s", synonyms[i].name, synonyms[i].command,
                 i + 1 < SYNONYMS ? "," : ".");
    say_wrapped(d, text_get(&words), 0, 0);
    text_free(&words);
    say(d, "`help COMMAND` tells more; an empty line repeats commands that move on.\n");
}

bool cmd_help(JmDebug *d, Args *args) {
    char word[NAME_MAX_LENGTH + 1];
    if (!next_word(args, word, sizeof word)) {
        help_all(d);
        return true;
    }
    const Row *row = find_row(d, word);
    if (!row || !expect_end(args))
        return false;
    const JmDebugCommand *c = &row->face;
    say(d, "%s %s\n", c->name, c->arguments);
    if (strcmp(c->name, c->abbreviation) != 0)
        say(d, "  (%s)\n", c->abbreviation);
    say_wrapped(d, c->text, 2, 0);
    if (row->function == cmd_info)
        say_topics(d, "  ");
    for (const char *at = c->examples; *at;) {
        const size_t length = strcspn(at, "\n");
        say(d, "    %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    return true;
}

bool cmd_echo(JmDebug *d, Args *args) {
    skip_blanks(args);
    say(d, "%s\n", args->at);
    return true;
}

bool cmd_quit(JmDebug *d, Args *args) {
    int64_t status;
    if (!take_optional(args, "the status", 0, 125, 0, &status) || !expect_end(args))
        return false;
    d->status = (int)status;
    d->has_quit = true;
    return true;
}
