/* Where lines come from: files, expansions of macros, repeated lines. Each is a frame;
 * the innermost gives the next line.
 *
 *     frames[0]   FILE    main source               -D comes as frames[1], read first
 *     frames[1]   FILE    included file
 *     frames[2]   MACRO   body, arguments
 *     frames[3]   REPEAT  body, rounds left         <- gives the next line
 *
 * A line of a body becomes a statement of its own each time it is read, with the place
 * where it is written and the context that led to it: messages show both. Depth, lines
 * and bytes that expansions yield are bounded. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/assembler/assemble.h"

/* ---- frames ---------------------------------------------------------------------- */

/* Enters a frame. Frames nest to a fixed depth, which also ends a macro that calls
 * itself forever. */
bool as_push(Assembler *as, AsFrame frame, const char *what, AsPlace at) {
    if (as->frame_count == AS_FRAME_LIMIT) {
        as_error(as, at,
                 "includes, macros and repeats nest more than %d deep: "
                 "a macro that expands itself without end?",
                 AS_FRAME_LIMIT);
        as->abandoned = true;
        return false;
    }
    if (as->frame_count > 0)
        frame.context = as->frames[as->frame_count - 1].context;
    if (what) {
        AsContext *context = mem_arena_alloc(&as->arena, sizeof *context);
        *context = (AsContext){what, at.statement, at.column, frame.context,
                               frame.kind == AS_FRAME_MACRO};
        frame.context = context;
    }
    frame.call = as->line;
    frame.unique = as->unique++;
    frame.conditions = as->condition_count;
    as->frames[as->frame_count++] = frame;
    return true;
}

void as_push_source(Assembler *as, int source, const char *what, AsPlace at) {
    as_push(as, (AsFrame){.kind = AS_FRAME_FILE, .source = source}, what, at);
}

/* `number` orders messages; lines of one macro have the same line number but not this.
 */
static const AsStatement *new_statement(Assembler *as, const AsFrame *frame, int source,
                                        int line) {
    AsStatement *statement = mem_arena_alloc(&as->arena, sizeof *statement);
    *statement = (AsStatement){source, line, as->statements++, frame->context};
    return statement;
}

/* Counts what expansions yield, so that none runs without bound. The error is reported
 * once, because no frame yields a line afterwards. */
static bool within_limits(Assembler *as, int64_t bytes, AsPlace place) {
    as->expanded_lines++;
    as->expanded_bytes += bytes;
    if (as->expanded_lines <= AS_LINES_LIMIT && as->expanded_bytes <= AS_BYTES_LIMIT)
        return true;
    if (!as->abandoned)
        as_error(as, place,
                 "macros, repeats and includes yield more than %d lines or %d bytes",
                 AS_LINES_LIMIT, AS_BYTES_LIMIT);
    as->abandoned = true;
    return false;
}

/* The text of a line under expansion. */
typedef struct AsExpansion {
    char text[AS_LINE_MAX];
    int map[AS_LINE_MAX];
    const char *origins[AS_LINE_MAX]; /* if there is an index */
    int length;
    bool overflow, indexed;
} Expansion;

/* Where a byte of a line is written. A default of a parameter lies in another line than
 * the call, the header of its macro. */
static const char *origin(const AsLine *line, const char *at) {
    const uintptr_t offset = (uintptr_t)at - (uintptr_t)line->text;
    return line->origins && offset < (size_t)line->length ? line->origins[offset] : at;
}

/* Adds text that replaces what stands at `column` of the source line. `map` records
 * that column, so that a caret points at the parameter in the line as it was written.
 * `from`: the line that the text is a part of; NULL if it is made up. */
static void put(Expansion *out, const char *text, int length, int column,
                const AsLine *from) {
    if (length > AS_LINE_MAX - out->length) {
        out->overflow = true;
        return;
    }
    for (int i = 0; i < length; i++) {
        out->text[out->length] = text[i];
        if (out->indexed)
            out->origins[out->length] = from ? origin(from, text + i) : NULL;
        out->map[out->length++] = column;
    }
}

/* Returns the length of the name at `text`. The name of a parameter ends at a dot
 * (`dots` false): \a.b is parameter a and ".b". */
static int name_length(const char *text, const char *end, bool dots) {
    int length = 0;
    while (text + length < end &&
           (isalnum((unsigned char)text[length]) || text[length] == '_' ||
            (dots && as_is_name_part(text[length]))))
        length++;
    return length;
}

static bool same_text(AsText text, const char *other, int length) {
    return text.length == length && memcmp(text.text, other, (size_t)length) == 0;
}

/* Replaces the parameter or mark behind a backslash; `at` is the byte after it. Returns
 * the bytes used, 0 if this frame has no such parameter. */
static int put_parameter(Expansion *out, const AsFrame *frame, const char *at,
                         const char *end, int column) {
    if (end - at >= 2 && at[1] == '@') {
        char number[16];
        put(out, number, snprintf(number, sizeof number, "%d", frame->unique), column,
            NULL);
        return 2;
    }
    if (end - at >= 3 && at[1] == '(' && at[2] == ')')
        return 3;
    const int length = name_length(at + 1, end, false);
    for (int i = 0; i < frame->count; i++)
        if (length > 0 && same_text(frame->parameters[i].name, at + 1, length)) {
            put(out, frame->arguments[i].text, frame->arguments[i].length, column,
                &frame->call);
            return 1 + length;
        }
    return 0;
}

/* Adds the name at `at`, made unique if .local named it; returns its length. */
static int put_name(Expansion *out, const AsFrame *frame, const char *at,
                    const char *end, const AsLine *line) {
    const int length = name_length(at, end, true);
    const int offset = (int)(at - line->text);
    for (int i = 0; i < length; i++)
        put(out, at + i, 1, as_column(line, offset + i), line);
    for (int i = 0; i < frame->local_count; i++)
        if (same_text(frame->locals[i], at, length)) {
            char mark[16];
            const int size = snprintf(mark, sizeof mark, "@%d", frame->unique);
            put(out, mark, size, as_column(line, offset), NULL);
        }
    return length;
}

/* Whether there is a character constant 'c' here; those with an escape contain no
 * names. */
static bool is_character(const char *at, const char *end) {
    return end - at > 2 && at[0] == '\'' && at[1] != '\\' && at[2] == '\'';
}

/* Parameters are replaced everywhere, also in strings and comments; names of .local
 * only outside strings and character constants. */
static void substitute(Expansion *out, const AsFrame *frame, const AsLine *line) {
    const char *at = line->text;
    const char *end = at + line->length;
    bool quoted = false;
    while (at < end) {
        const int column = as_column(line, (int)(at - line->text));
        int used = 0;
        if (*at == '\\')
            used = put_parameter(out, frame, at, end, column);
        else if (!quoted && (as_is_name_start(*at) || isdigit((unsigned char)*at)))
            used = put_name(out, frame, at, end, line);
        if (used == 0) {
            used = *at == '\\' && at + 1 < end        ? 2 /* an escape stays whole */
                   : !quoted && is_character(at, end) ? 3
                                                      : 1;
            quoted ^= *at == '"';
            put(out, at, used, column, line);
        }
        at += used;
    }
}

/* Replaces parameters and local names in a line. Most lines have none and keep their
 * text; an expanded one is copied to the arena, since the buffer holds one line. */
static bool expand(Assembler *as, const AsFrame *frame, AsLine *line) {
    const bool plain = !memchr(line->text, '\\', (size_t)line->length);
    if (plain && frame->local_count == 0)
        return true;
    if (!as->expansion)
        as->expansion = mem_arena_alloc(&as->arena, sizeof *as->expansion);
    Expansion *out = as->expansion;
    out->length = 0;
    out->overflow = false;
    out->indexed = as->indexing != NULL;
    substitute(out, frame, line);
    if (out->overflow) {
        as_error(as, (AsPlace){line->statement, 1},
                 "line is longer than %d bytes after expansion", AS_LINE_MAX);
    } else {
        line->text = mem_arena_copy(&as->arena, out->text, (size_t)out->length);
        int *map = mem_arena_alloc(&as->arena, (size_t)out->length * sizeof *map);
        memcpy(map, out->map, (size_t)out->length * sizeof *map);
        line->map = map;
        if (out->indexed)
            line->origins = memcpy(
                mem_arena_alloc(&as->arena, (size_t)out->length * sizeof *out->origins),
                out->origins, (size_t)out->length * sizeof *out->origins);
        line->length = out->length;
    }
    return !out->overflow;
}

/* Reads the next line of a file; false at its end. */
static bool file_line(Assembler *as, AsFrame *frame, AsLine *line) {
    const AsSource *source = &as->sources[frame->source];
    if (frame->line == source->line_count)
        return false;
    frame->line++;
    const AsText text = as_source_line(source, frame->line);
    *line = (AsLine){.text = text.text, .length = text.length};
    line->statement = new_statement(as, frame, frame->source, frame->line);
    if (line->length > AS_LINE_MAX) {
        as_error(as, (AsPlace){line->statement, AS_LINE_MAX + 1},
                 "line is longer than %d bytes", AS_LINE_MAX);
        line->length = 0;
    }
    if (as->frame_count == 1) /* lines of the main file count towards no limit */
        return true;
    return within_limits(as, line->length, (AsPlace){line->statement, 1});
}

/* Reads from the innermost frame only; outer frames may have more lines. */
bool as_frame_line(Assembler *as, AsLine *line) {
    AsFrame *frame = &as->frames[as->frame_count - 1];
    if (as->abandoned)
        return false;
    if (frame->kind == AS_FRAME_FILE)
        return file_line(as, frame, line);
    if (frame->next == frame->body.count)
        return false;
    *line = frame->body.lines[frame->next++];
    line->statement =
        new_statement(as, frame, line->statement->source, line->statement->line);
    if (!expand(as, frame, line))
        line->length = 0;
    return within_limits(as, line->length, (AsPlace){line->statement, 1});
}

/* Called at the end of a frame: a condition left open is an error at its .if. */
static void close_conditions(Assembler *as, int down_to) {
    while (as->condition_count > down_to) {
        const AsCondition *condition = &as->conditions[--as->condition_count];
        if (!as->abandoned)
            as_error(as, condition->place, ".if without .endif");
    }
}

/* Starts the next round of a repeat; false if there is none. */
static bool next_round(Assembler *as, AsFrame *frame) {
    if (frame->kind != AS_FRAME_REPEAT || frame->left <= 0)
        return false;
    if (!within_limits(as, 0, (AsPlace){as->line.statement, 1}))
        return false;
    close_conditions(as, frame->conditions);
    frame->left--;
    frame->next = 0;
    frame->unique = as->unique++;
    frame->local_count = 0;
    if (frame->count > 0)
        frame->arguments += frame->count;
    return true;
}

/* At the end of a frame its open conditions are closed, with an error, before the
 * frame goes: the lines of an .if are in one file or macro. */
bool as_next_line(Assembler *as, AsLine *line) {
    while (as->frame_count > 0 && !as->abandoned) {
        if (as_frame_line(as, line))
            return true;
        AsFrame *frame = &as->frames[as->frame_count - 1];
        if (as->abandoned || next_round(as, frame))
            continue;
        close_conditions(as, frame->conditions);
        as->frame_count--;
    }
    return false;
}

/* ---- `.include` ------------------------------------------------------------------ */

/* .include: finding the file, and noticing one that includes itself.
 *
 * A name is looked for beside the file that includes it, then in the folders of the
 * options in their order, then among the files that the caller has in memory. Files on
 * disk are identified by device and inode, never by name: "a.inc" and "./a.inc" are one
 * file. A file that is included again by the same name is not read again. */

/* Returns `folder`/`name` in the arena, where names of sources live as long as the run.
 * `folder` has no final slash unless it is the root; "" is the current folder. */
static char *join(Assembler *as, AsText folder, AsText name) {
    const size_t length = (size_t)folder.length + (size_t)name.length + 2;
    char *path = mem_arena_alloc(&as->arena, length);
    const bool slash = folder.length > 0 && folder.text[folder.length - 1] != '/';
    snprintf(path, length, "%.*s%s%.*s", folder.length, folder.text, slash ? "/" : "",
             name.length, name.text);
    return path;
}

/* Returns the folder of a path with its final slash; empty for a bare name. */
static AsText folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return (AsText){path, slash ? (int)(slash - path) + 1 : 0};
}

/* A file to include: at `path`, or in memory. */
typedef struct {
    const char *path;
    const AsmFile *memory; /* NULL if it is on disk */
    const AsmFile *open;   /* an editor's text of the file on disk, or NULL */
    struct stat info;
} Found;

static bool find_in_memory(const Assembler *as, AsText name, Found *found) {
    for (int i = 0; i < as->options->file_count; i++) {
        const AsmFile *file = &as->options->files[i];
        if (strlen(file->name) == (size_t)name.length &&
            memcmp(file->name, name.text, (size_t)name.length) == 0) {
            *found = (Found){.path = file->name, .memory = file};
            return true;
        }
    }
    return false;
}

static bool is_file(const char *name, const struct stat *info) {
    struct stat other;
    return stat(name, &other) == 0 && other.st_dev == info->st_dev &&
           other.st_ino == info->st_ino;
}

/* Returns an editor's unsaved text of a file; NULL: none. */
static const AsmFile *open_file(const Assembler *as, const Found *found, bool exists) {
    const AsmOptions *options = as->options;
    for (int i = 0; as->indexing && i < options->open_count; i++)
        if (exists ? is_file(options->open[i].name, &found->info)
                   : strcmp(options->open[i].name, found->path) == 0)
            return &options->open[i];
    return NULL;
}

static bool find_in_folder(Assembler *as, AsText folder, AsText name, Found *found) {
    *found = (Found){.path = join(as, folder, name)};
    const bool exists = stat(found->path, &found->info) == 0;
    found->open = open_file(as, found, exists);
    return exists || found->open;
}

/* The file a name means: beside the file that includes it, in the folders of the
 * options, in memory. An absolute path is looked for as it is. */
static bool find_file(Assembler *as, AsText name, Found *found) {
    const AsSource *from = &as->sources[as->line.statement->source];
    if (name.text[0] == '/')
        return find_in_folder(as, (AsText){"", 0}, name, found);
    if (from->memory ? find_in_memory(as, name, found)
                     : find_in_folder(as, folder_of(from->name), name, found))
        return true;
    for (int i = 0; i < as->options->include_count; i++) {
        const char *folder = as->options->include_dirs[i];
        if (find_in_folder(as, (AsText){folder, (int)strlen(folder)}, name, found))
            return true;
    }
    return find_in_memory(as, name, found);
}

/* Compares device and inode, since a file may have many names. */
static bool same_file(const AsSource *source, const Found *found) {
    if (found->memory)
        return source->memory == found->memory;
    if (found->open && !found->info.st_ino)
        return strcmp(source->name, found->path) == 0;
    return (source->device || source->inode) &&
           source->device == (uint64_t)found->info.st_dev &&
           source->inode == (uint64_t)found->info.st_ino;
}

static bool includes_itself(const Assembler *as, const Found *found) {
    for (int i = 0; i < as->frame_count; i++)
        if (as->frames[i].kind == AS_FRAME_FILE &&
            same_file(&as->sources[as->frames[i].source], found))
            return true;
    return false;
}

/* The source of a file, read once however often it is included; -1 after an error. */
static int load(Assembler *as, const Found *found, AsPlace place) {
    for (int i = 0; i < as->source_count; i++)
        if (same_file(&as->sources[i], found) &&
            strcmp(as->sources[i].name, found->path) == 0)
            return i;
    if (found->memory) {
        const int source =
            as_source_add(as, found->path, found->memory->text, found->memory->length);
        as->sources[source].memory = found->memory;
        return source;
    }
    if (found->open) {
        const int source =
            as_source_add(as, found->path, found->open->text, found->open->length);
        as->sources[source].device = (uint64_t)found->info.st_dev;
        as->sources[source].inode = (uint64_t)found->info.st_ino;
        return source;
    }
    JmError error;
    const int source = as_source_read(as, found->path, true, &error);
    if (source < 0)
        as_error(as, place, "%s", error.text);
    return source;
}

/* A failed include ends the reading: the file may have defined macros and symbols, and
 * all further messages would be about their absence. */
void as_do_include(Assembler *as) {
    const AsPlace place = as_here(as, as->at);
    const AsText name = {as->at->text + 1, as->at->length - 2};
    Found found;
    as->abandoned = true; /* cleared below if the file was found and read */
    if (as->at->kind != AS_TOKEN_STRING) {
        as_unexpected(as, "a \"file\"");
        return;
    }
    as->at++;
    as_expect_end(as);
    if (as->failed)
        return;
    if (name.length == 0 || memchr(name.text, '\0', (size_t)name.length) ||
        !find_file(as, name, &found))
        as_error(as, place, "cannot find the file '%.*s'", name.length, name.text);
    else if (includes_itself(as, &found))
        as_error(as, place, "recursive include of '%s'", found.path);
    const int source = as->failed ? -1 : load(as, &found, place);
    if (source < 0)
        return;
    as->abandoned = false;
    as_index_use(as, as->at - 1, ASM_USE_FILE, ASM_ROLE_USE, source);
    as_push_source(as, source, "included from here", place);
}
