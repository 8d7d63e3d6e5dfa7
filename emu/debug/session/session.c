/* A session: creation and destruction, lines to commands, help, scripts, records,
 * aliases.
 *
 * All state of the debugger is in one heap, what a line needs in another that is
 * emptied when the line ends. A call of the library runs as a piece of work with both
 * (heap_work()): if memory runs out anywhere below, the work is abandoned at once and
 * the session ends. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/sourcetext.h"
#include "emu/debug/session/session.h"
#include "emu/debug/talk/files.h"

enum { LINE_LENGTH = 4096 };

static bool do_line(JmDebug *d, const char *line);

/* ---- source ---------------------------------------------------------------------- */

/* Returns the prompt; it lives in d->prompt. */
static const char *session_prompt(JmDebug *d) {
    text_clear(&d->prompt);
    if (d->stops->collecting)
        text_add(&d->prompt, "> ");
    else
        text_add(&d->prompt, "(jm %u) ", d->node);
    return text_get(&d->prompt);
}

/* Executes a line of a script. Such a line must not hold a NUL. */
static bool source_line(JmDebug *d, const char *line, size_t length) {
    if (strlen(line) < length)
        return fail(d, "this line is not text");
    if (d->session->echo)
        say(d, "%s%s\n", session_prompt(d), line);
    return do_line(d, line);
}

/* Reads the next line without its end; false at the end of the file. Of a line that is
 * too long, as a file that is not text may have, it reads the part that fills
 * `line`. */
static bool read_line(FILE *file, char line[LINE_LENGTH], size_t *length) {
    int c = EOF;
    *length = 0;
    while (*length < LINE_LENGTH - 1 && (c = getc(file)) != EOF && c != '\n')
        line[(*length)++] = (char)c;
    const bool found = *length > 0 || c == '\n';
    if (*length > 0 && line[*length - 1] == '\r')
        --*length;
    line[*length] = '\0';
    return found;
}

/* Executes the lines of a script up to the first that fails, which is named. */
static bool source_lines(JmDebug *d, FILE *file, const char *path) {
    bool good = true;
    unsigned number = 0;
    char line[LINE_LENGTH];
    size_t length;
    while (good && !d->has_quit && read_line(file, line, &length)) {
        const size_t mark = number++ ? 0 : jm_text_mark(line, length);
        good = length < LINE_LENGTH - 1
                   ? source_line(d, line + mark, length - mark) && !is_interrupted(d)
                   : fail(d, "a line is longer than %d bytes", LINE_LENGTH - 2);
        if (!good)
            fail(d, "%s:%u: %sthe script ends here", path, number,
                 d->interrupted ? "interrupted; " : "");
        flush(d);
    }
    const int reason = errno; /* of a failed read; asking for interrupts changes it */
    if (good && is_interrupted(d))
        good = fail(d, "%s: interrupted; the script ends here", path);
    if (good && ferror(file))
        good = fail(d, "%s: %s", path, strerror(reason));
    if (good && d->stops->collecting) {
        d->stops->collecting = NULL;
        good = fail(d, "%s: `commands` without `end`", path);
    }
    return good;
}

static void end_file(void *file) {
    fclose(file);
}

static bool do_script(JmDebug *d, const char *path) {
    FILE *file = open_input(d, path);
    if (!file) {
        flush(d);
        return false;
    }
    heap_at_end(d->heap, end_file, file);
    const bool good = source_lines(d, file, path);
    heap_keep(d->heap, file);
    fclose(file);
    flush(d);
    return good;
}

static bool source(JmDebug *d, void *path) {
    d->interrupted = false;
    return do_script(d, *(const char **)path);
}

bool jm_debug_source(JmDebug *d, const char *path) {
    return do_work(d, source, &path);
}

bool cmd_source(JmDebug *d, Args *args) {
    char path[PATH_LENGTH];
    return take_path(args, path) && expect_end(args) && do_script(d, path);
}

/* Finishes a file that is written, if it is open. False and a message if that fails. */
static bool commit(JmDebug *d, JmOutFile *file) {
    JmError error;
    return !file->stream || jm_outfile_commit(file, &error) ||
           fail(d, "%s: %s", error.file, error.text);
}

bool cmd_record(JmDebug *d, Args *args) {
    char path[PATH_LENGTH];
    if (!take_path(args, path) || !expect_end(args))
        return false;
    JmOutFile file = {0};
    if (strcmp(path, "off") != 0 && !open_output(d, WRITER_RECORD, &file, path))
        return false;
    JmOutFile old = d->session->record;
    d->session->record = file;
    return commit(d, &old);
}

/* Writes the stops as commands for `source`. */
static bool save_stops(JmDebug *d, const char *path) {
    JmOutFile file = {0};
    Text text = {.heap = d->work};
    stops_write(d, &text);
    if (!open_output(d, WRITER_SAVE, &file, path))
        return false;
    fputs(text_get(&text), file.stream);
    return commit(d, &file);
}

/* `save` writes the machine as jm_save() does. */
bool cmd_save(JmDebug *d, Args *args) {
    char path[PATH_LENGTH];
    const bool stops = take_word(args, "stops");
    return take_path(args, path) && expect_end(args) &&
           (stops ? save_stops(d, path) : save_machine(d, path));
}

/* ---- alias, option --------------------------------------------------------------- */

Alias *alias_named(const JmDebug *d, const char *name) {
    for (size_t i = 0; i < d->session->alias_count; i++)
        if (strcmp(d->session->aliases[i].name, name) == 0)
            return &d->session->aliases[i];
    return NULL;
}

bool cmd_alias(JmDebug *d, Args *args) {
    char name[64];
    const char *at = next_at(args);
    if (!next_word(args, name, sizeof name))
        return fail_at(args, at, "a name expected");
    for (unsigned i = 0; jm_debug_command(i); i++)
        if (strcmp(jm_debug_command(i)->name, name) == 0)
            return fail_at(args, at, "'%s' is a command", name);
    if (at_end(args))
        return fail_at(args, args->at, "a command expected");
    Alias *old = alias_named(d, name);
    if (old) {
        heap_free(old->text);
        old->text = text_copy_all(d->heap, args->at);
        return true;
    }
    d->session->aliases =
        heap_grow(d->heap, d->session->aliases, d->session->alias_count,
                  &d->session->alias_capacity, sizeof *d->session->aliases);
    d->session->aliases[d->session->alias_count++] =
        (Alias){text_copy_all(d->heap, name), text_copy_all(d->heap, args->at)};
    return true;
}

static bool take_switch(Args *args, bool *on) {
    const int choice = take_choice(args, "on off");
    *on = choice == 0;
    return choice >= 0 && expect_end(args);
}

bool cmd_option(JmDebug *d, Args *args) {
    bool on;
    int64_t megabytes;
    switch (take_choice(args, "echo memory time-travel")) {
    case 0:
        if (!take_switch(args, &on))
            return false;
        d->session->echo = on;
        return true;
    case 1:
        if (!take_number(args, "megabytes", 1, 1 << 20, &megabytes) ||
            !expect_end(args))
            return false;
        travel_limit(d, (size_t)megabytes << 20);
        return true;
    case 2:
        if (!take_switch(args, &on))
            return false;
        travel_switch(d, on);
        return true;
    default:
        return false;
    }
}

/* The lists, from their rows in commands.def. */
static const struct {
    const char *name;
    InfoFunction *show;
    CommandFunction *show_words; /* takes words; NULL: there are none */
    const char *text;
} topics[] = {
#define COMMAND(...)
#define INFO(name, function, text) {name, function, NULL, text},
#define INFO_ON(name, function, text) {name, NULL, function, text},
#include "emu/debug/commands.def"
#undef COMMAND
};

enum { TOPICS = sizeof topics / sizeof *topics };

const char *info_topic(unsigned index) {
    return index < TOPICS ? topics[index].name : NULL;
}

/* Prints a line for each list of `info`: "  stops  breakpoints, ...". */
static void say_topics(JmDebug *d) {
    for (unsigned i = 0; i < TOPICS; i++)
        say(d, "  %-12s %s\n", topics[i].name, topics[i].text);
}

bool cmd_info(JmDebug *d, Args *args) {
    char word[32];
    const char *at = next_at(args);
    if (!next_word(args, word, sizeof word)) {
        say_topics(d);
        return true;
    }
    unsigned i = 0;
    while (i < TOPICS && strncmp(topics[i].name, word, strlen(word)) != 0)
        i++;
    if (i == TOPICS)
        return fail_at(
            args, at, "no such list%s",
            nearest_text(d, word, strlen(word), info_topic, "; `info` names them all"));
    if (topics[i].show_words)
        return topics[i].show_words(d, args);
    if (!expect_end(args))
        return false;
    topics[i].show(d);
    return true;
}

/* ---- lists of the session -------------------------------------------------------- */

void info_aliases(JmDebug *d) {
    for (size_t i = 0; i < d->session->alias_count; i++)
        say(d, "%s = %s\n", d->session->aliases[i].name, d->session->aliases[i].text);
}

/* nesting of scripts, aliases and commands; letters of a command's word */
enum { DEPTH_MAX = 16, NAME_MAX_LENGTH = 64 };

/* What an empty line after a command repeats. */
typedef enum { REPEATS_NOTHING, REPEATS_LINE, REPEATS_WORD } Repeats;

/* A command: its row of commands.def. */
typedef struct {
    JmDebugCommand face;
    CommandFunction *function;
    Repeats repeats;
} Row;

static const Row rows[] = {
#define COMMAND(name, abbreviation, function, group, repeats, arguments, text,         \
                examples)                                                              \
    {{name, abbreviation, group, arguments, text, examples},                           \
     function,                                                                         \
     REPEATS_##repeats},
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

const char *command_word(unsigned index) {
    return index < ROWS              ? rows[index].face.name
           : index < ROWS + SYNONYMS ? synonyms[index - ROWS].name
                                     : NULL;
}

const JmDebugCommand *jm_debug_command(unsigned index) {
    return index < ROWS ? &rows[index].face : NULL;
}

/* ---- finding the command --------------------------------------------------------- */

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
        fail(d, "no command '%s'%s", word,
             nearest_text(d, word, strlen(word), command_word, "; `help` lists them"));
        return NULL;
    }
    fail(d, "'%s' could be:", word);
    for (unsigned i = 0; i < ROWS; i++)
        if (strncmp(word, rows[i].face.name, strlen(word)) == 0)
            say(d, "  %s\n", rows[i].face.name);
    return NULL;
}

/* ---- a line ---------------------------------------------------------------------- */

/* Executes a line that begins with an alias. */
static bool do_alias(JmDebug *d, const Alias *alias, const char *rest) {
    Text line = {.heap = d->work};
    text_add(&line, "%s%s", alias->text, rest);
    return do_line(d, text_get(&line));
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
    stop->commands = heap_grow(d->heap, stop->commands, stop->command_count,
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

/* Executes the queued lines of stops up to one that fails or runs to a stop again. */
static bool do_queued(JmDebug *d) {
    Text lines = d->past->queued;
    d->past->queued = (Text){.heap = d->heap};
    d->past->hit_again = false;
    bool good = true;
    char *at = lines.bytes;
    for (char *end; good && !d->past->hit_again && at && *at; at = end + 1) {
        end = strchr(at, '\n');
        *end = '\0';
        good = do_line(d, at) && !d->has_quit && !is_interrupted(d);
        flush(d);
    }
    heap_free(lines.bytes);
    return good;
}

/* Executes the commands of the stops that a command has run to. Commands that run to a
 * stop with commands make a loop here, not a recursion, so they may do so forever. */
static void do_commands(JmDebug *d) {
    if (d->session->doing_commands || !d->past->hit_again)
        return;
    d->session->doing_commands = true;
    flush(d);
    while (d->past->queued.length && do_queued(d))
        ;
    if (d->interrupted)
        say(d, "interrupted; the commands of the stop end here\n");
    text_clear(&d->past->queued);
    d->past->hit_again = false;
    d->session->doing_commands = false;
}

/* Finds the command of a line and executes it. */
static bool find_and_do(JmDebug *d, const char *line) {
    char word[NAME_MAX_LENGTH + 1];
    Args args = {d, line, line};
    skip_blanks(&args);
    const char *start = args.at;
    if (*start == '!') {
        args.at++;
        return cmd_shell(d, &args);
    }
    if (!next_word(&args, word, sizeof word))
        return true;
    const Alias *alias = alias_named(d, word);
    if (alias)
        return do_alias(d, alias, args.at);
    const bool formatted = cut_slash(&args, start, word);
    const Row *row = find_row(d, word);
    if (row && formatted && !takes_format(&row->face))
        return fail_at(&args, args.at, "`%s` takes no format", row->face.name);
    const bool good = row && row->function(d, &args);
    do_commands(d);
    return good;
}

static bool do_line(JmDebug *d, const char *line) {
    const char *start = line + strspn(line, " \t\r\n");
    if (d->stops->collecting)
        return collect(d, line);
    if (*start == '\0' || *start == '#')
        return true;
    if (d->session->depth >= DEPTH_MAX)
        return fail(d, "scripts, aliases and commands are nested too deeply");
    const HeapMark *mark = heap_mark(d->work);
    d->session->depth++;
    const bool good = find_and_do(d, line);
    d->session->depth--;
    heap_release(d->work, mark);
    return good;
}

/* Returns the length of a command and of the format behind it: "x/4x", "x /4x". */
static size_t word_and_format(const char *line) {
    const size_t word = strcspn(line, " \t");
    const size_t next = word + strspn(line + word, " \t");
    return line[next] == '/' ? next + strcspn(line + next, " \t") : word;
}

/* Returns the row of the command that a line begins with; NULL: it has none, or an
 * alias. */
static const Row *row_of(const JmDebug *d, const char *line) {
    char word[NAME_MAX_LENGTH + 1];
    unsigned matches;
    Args args = {NULL, line, line};
    if (!next_word(&args, word, sizeof word) || alias_named(d, word))
        return NULL;
    cut_slash(&args, line, word);
    const Row *row = look_up(word, &matches);
    return matches == 1 ? row : NULL;
}

/* Returns what an empty line will do after `line`, or NULL; the caller frees it. */
static char *repeated(JmDebug *d, const char *line) {
    const Row *row = row_of(d, line);
    if (!row || row->repeats == REPEATS_NOTHING)
        return NULL;
    return row->repeats == REPEATS_WORD
               ? text_copy(d->heap, line, word_and_format(line))
               : text_copy_all(d->heap, line);
}

/* Whether a line of the user is recorded: `record` itself only among the commands of a
 * stop. */
static bool is_recorded(const JmDebug *d, const char *line) {
    const Row *row = row_of(d, line);
    return d->session->record.stream &&
           (d->stops->collecting || !row || row->function != cmd_record);
}

/* Executes a line of the user: echo, record, repetition around do_line(). */
static bool do_users_line(JmDebug *d, void *what) {
    const char *line = *(const char **)what;
    const char *start = line + strspn(line, " \t\r\n");
    char *copy = text_copy(d->work, start, strcspn(start, "\r\n"));
    if (d->session->echo && *copy)
        say(d, "%s%s\n", session_prompt(d), copy);
    if (is_recorded(d, copy))
        fprintf(d->session->record.stream, "%s\n", copy);
    const bool empty = *copy == '\0' && !d->stops->collecting;
    const bool again = empty && d->session->last_line;
    d->interrupted = false;
    const bool good = do_line(d, again ? d->session->last_line : copy);
    if (!empty) {
        heap_free(d->session->last_line);
        d->session->last_line = repeated(d, copy);
    }
    flush(d);
    return good;
}

bool jm_debug_do(JmDebug *d, const char *line) {
    return do_work(d, do_users_line, &line);
}

/* ---- help ------------------------------------------------------------------------ */

/* A part of expressions, as its user writes it. */
typedef struct {
    const char *form, *text;
} Form;

static const Form forms[] = {
#define COMMAND(...)
#define EXPRESSION(form, text) {form, text},
#include "emu/debug/commands.def"
};

static const Form functions[] = {
#define FUNCTION(name, parameters, count, kind, most, text)                            \
    {name "(" parameters ")", text},
#include "emu/debug/commands.def"
#undef COMMAND
};

/* Prints the parts of expressions. */
static bool help_expressions(JmDebug *d) {
    enum { TEXT_INDENT = 6, TEXT_COLUMN = 20 };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        say(d, "  %s\n", forms[i].form);
        say_wrapped(d, forms[i].text, TEXT_INDENT, 0);
    }
    say(d, "functions:\n");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        say(d, "  %-17s ", functions[i].form);
        say_wrapped(d, functions[i].text, TEXT_COLUMN, TEXT_COLUMN);
    }
    return true;
}

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
    Text words = {.heap = d->work};
    text_add(&words, "As in gdb:");
    for (unsigned i = 0; i < SYNONYMS; i++)
        text_add(&words, " %s (%s)%s", synonyms[i].name, synonyms[i].command,
                 i + 1 < SYNONYMS ? "," : ".");
    say_wrapped(d, text_get(&words), 0, 0);
    say(d,
        "`help COMMAND` explains one; an empty line repeats commands that advance.\n");
}

bool cmd_help(JmDebug *d, Args *args) {
    char word[NAME_MAX_LENGTH + 1];
    if (!next_word(args, word, sizeof word)) {
        help_all(d);
        return true;
    }
    if (strcmp(word, "expressions") == 0)
        return expect_end(args) && help_expressions(d);
    const Row *row = find_row(d, word);
    if (!row || !expect_end(args))
        return false;
    const JmDebugCommand *c = &row->face;
    say(d, "%s %s\n", c->name, c->arguments);
    if (strcmp(c->name, c->abbreviation) != 0)
        say(d, "  (%s)\n", c->abbreviation);
    say_wrapped(d, c->text, 2, 0);
    if (row->function == cmd_info)
        say_topics(d);
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

/* A line that fails there fails here, so that a script ends with it. */
bool cmd_shell(JmDebug *d, Args *args) {
    if (at_end(args))
        return fail_at(args, args->at, "a line for the shell expected");
    if (!d->host.shell)
        return fail(d, "there is no shell here");
    flush(d);
    write_host(d, "", 0);
    const int status = d->host.shell(d->host.context, args->at);
    if (status < 0)
        return fail(d, "the shell cannot be started");
    return status == 0 || fail(d, "the shell ended with status %d", status);
}

bool cmd_quit(JmDebug *d, Args *args) {
    int64_t status;
    if (!take_optional(args, "the status", 0, 125, 0, &status) || !expect_end(args))
        return false;
    d->status = (int)status;
    d->has_quit = true;
    return true;
}

/* ---- life ------------------------------------------------------------------------ */

/* Passes on the program's output. During replay it has been printed already. */
static void guest_output(void *context, const char *bytes, size_t count) {
    JmDebug *d = context;
    /* Replayed output has been printed before. */
    if (d->machine->env.now < d->past->travel.furthest)
        return;
    flush(d);
    d->host.guest(d->host.context, bytes, count);
    d->guest_line = bytes[count - 1] != '\n';
}

/* Makes all rooms. Runs as work, so that each allocation may fail. */
static void create(Heap *heap, void *context) {
    JmDebug *d = context;
    d->work = heap_within(heap);
    d->out.heap = d->prompt.heap = d->shown.heap = d->error.heap = heap;
    d->texts = heap_alloc(heap, sizeof *d->texts);
    d->values = heap_alloc(heap, sizeof *d->values);
    d->stops = stops_new(heap, d->machine);
    d->past = past_new(heap);
    d->session = heap_alloc(heap, sizeof *d->session);
    d->written[WRITER_RECORD] = &d->session->record;
    travel_start(d);
}

/* Frees the debugger, which may be only partly created. */
static void release(JmDebug *d) {
    if (d->past)
        travel_end(d);
    heap_delete(d->heap);
    free(d);
}

JmDebug *jm_debug_create(JmMachine *machine, const JmDebugHost *host) {
    JmDebug *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->machine = machine;
    d->host = *host;
    if (!d->host.columns)
        d->host.columns = 80;
    d->context = -1;
    d->next_address = UINT32_MAX;
    d->heap = heap_new();
    if (!d->heap || !heap_work(d->heap, create, d)) {
        release(d);
        return NULL;
    }
    jm_set_output(machine, guest_output, d);
    return d;
}

typedef struct {
    JmDebug *d;
    bool good;
} Ending;

/* Writes trace and record to their files. */
static void end_files(Heap *heap, void *context) {
    Ending *end = context;
    JmDebug *d = end->d;
    (void)heap;
    const bool traced = trace_stop(d);
    end->good = commit(d, &d->session->record) && traced;
    flush(d);
}

bool jm_debug_finish(JmDebug *d) {
    Ending end = {.d = d};
    if (heap_work(d->heap, end_files, &end))
        return end.good;
    jm_outfile_drop(&d->session->record);
    return false;
}

void jm_debug_destroy(JmDebug *d) {
    if (!d)
        return;
    jm_debug_finish(d);
    machine_watch(d->machine, NULL);
    jm_end_output(d->machine);
    jm_set_output(d->machine, NULL, NULL);
    release(d);
}

void jm_debug_resize(JmDebug *d, unsigned columns) {
    d->host.columns = columns ? columns : 80;
}

bool jm_debug_has_quit(const JmDebug *d, int *status) {
    *status = d->status;
    return d->has_quit;
}

bool jm_debug_starved(const JmDebug *d) {
    return d->starved;
}

static bool make_prompt(JmDebug *d, void *nothing) {
    (void)nothing;
    session_prompt(d);
    return true;
}

const char *jm_debug_error(const JmDebug *d) {
    return d->starved ? "out of memory; the session has ended" : text_get(&d->error);
}

const char *jm_debug_prompt(JmDebug *d) {
    return do_work(d, make_prompt, NULL) ? text_get(&d->prompt) : "";
}
