/* Parts of a session besides commands: scripts, records, saved machines, aliases,
 * options. */
#include <errno.h>
#include <string.h>

#include "emu/core/sourcetext.h"
#include "emu/debug/session/session.h"
#include "emu/debug/talk/files.h"

enum { LINE_LENGTH = 4096 };

/* ---- source ---------------------------------------------------------------------- */

/* Executes a line of a script. Such a line must not hold a NUL. */
static bool source_line(JmDebug *d, const char *line, size_t length) {
    if (strlen(line) < length)
        return fail(d, "this line is no text");
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

static bool source(JmDebug *d, const char *path) {
    d->interrupted = false;
    return do_script(d, path);
}

bool jm_debug_source(JmDebug *d, const char *path) {
    return session_work(d, source, path);
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

bool record_stop(JmDebug *d) {
    return commit(d, &d->session->record);
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

/* `save` writes the machine as jm_save() does. */
bool cmd_save(JmDebug *d, Args *args) {
    char path[PATH_LENGTH];
    return take_path(args, path) && expect_end(args) && save_machine(d, path);
}

/* ---- alias, option --------------------------------------------------------------- */

bool cmd_alias(JmDebug *d, Args *args) {
    char name[64];
    skip_blanks(args);
    const char *at = args->at;
    if (!next_word(args, name, sizeof name))
        return fail_at(args, at, "a name expected");
    for (unsigned i = 0; jm_debug_command(i); i++)
        if (strcmp(jm_debug_command(i)->name, name) == 0)
            return fail_at(args, at, "'%s' is a command", name);
    if (at_end(args))
        return fail_at(args, args->at, "a command expected");
    for (size_t i = 0; i < d->session->alias_count; i++) {
        if (strcmp(d->session->aliases[i].name, name) != 0)
            continue;
        heap_free(d->session->aliases[i].text);
        d->session->aliases[i].text = text_copy_all(d->heap, args->at);
        return true;
    }
    d->session->aliases =
        text_grow(d->heap, d->session->aliases, d->session->alias_count,
                  &d->session->alias_capacity, sizeof *d->session->aliases);
    d->session->aliases[d->session->alias_count++] =
        (Alias){text_copy_all(d->heap, name), text_copy_all(d->heap, args->at)};
    return true;
}

static bool take_switch(Args *args, bool *on) {
    skip_blanks(args);
    const char *at = args->at;
    *on = take_word(args, "on");
    if (!*on && !take_word(args, "off"))
        return fail_at(args, at, "on or off expected");
    return expect_end(args);
}

bool cmd_option(JmDebug *d, Args *args) {
    bool on;
    int64_t megabytes;
    skip_blanks(args);
    const char *at = args->at;
    if (take_word(args, "echo")) {
        if (!take_switch(args, &on))
            return false;
        d->session->echo = on;
    } else if (take_word(args, "time-travel")) {
        if (!take_switch(args, &on))
            return false;
        travel_switch(d, on);
    } else if (take_word(args, "memory")) {
        if (!take_number(args, "megabytes", 1, 1 << 20, &megabytes) ||
            !expect_end(args))
            return false;
        travel_limit(d, (size_t)megabytes << 20);
    } else {
        return fail_at(args, at, "echo, memory or time-travel expected");
    }
    return true;
}
