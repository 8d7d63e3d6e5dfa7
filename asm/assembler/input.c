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
#include <string.h>

#include "asm/assembler/assemble.h"

/* Enters a frame. Frames nest to a fixed depth, which also ends a macro that calls
 * itself for ever. */
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
        AsContext *context = as_arena_alloc(&as->arena, sizeof *context);
        *context = (AsContext){what, at.statement, at.column, frame.context,
                               frame.kind == AS_FRAME_MACRO};
        frame.context = context;
    }
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
    AsStatement *statement = as_arena_alloc(&as->arena, sizeof *statement);
    *statement = (AsStatement){source, line, as->statements++, frame->context};
    return statement;
}

/* Counts what expansions yield, so that none runs without bound. The error is reported
 * once: after it no reader yields a line. */
static bool within_limits(Assembler *as, int64_t lines, int64_t bytes, AsPlace place) {
    as->expanded_lines += lines;
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

/* The text of an expanded line while it grows. */
typedef struct AsExpansion {
    char text[AS_LINE_MAX];
    int map[AS_LINE_MAX];
    int length;
    bool overflow;
} Expansion;

/* Adds text that replaces what stands at `column` of the source line. `map` records
 * that column, so that a caret points at the parameter in the line as it was written.
 */
static void put(Expansion *out, const char *text, int length, int column) {
    if (length > AS_LINE_MAX - out->length) {
        out->overflow = true;
        return;
    }
    for (int i = 0; i < length; i++) {
        out->text[out->length] = text[i];
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
        put(out, number, snprintf(number, sizeof number, "%d", frame->unique), column);
        return 2;
    }
    if (end - at >= 3 && at[1] == '(' && at[2] == ')')
        return 3;
    const int length = name_length(at + 1, end, false);
    for (int i = 0; i < frame->count; i++)
        if (length > 0 && same_text(frame->parameters[i].name, at + 1, length)) {
            put(out, frame->arguments[i].text, frame->arguments[i].length, column);
            return 1 + length;
        }
    return 0;
}

/* A name at `at`, made unique if .local named it; returns its length. */
static int put_name(Expansion *out, const AsFrame *frame, const char *at,
                    const char *end, const AsLine *line) {
    const int length = name_length(at, end, true);
    const int offset = (int)(at - line->text);
    for (int i = 0; i < length; i++)
        put(out, at + i, 1, as_column(line, offset + i));
    for (int i = 0; i < frame->local_count; i++)
        if (same_text(frame->locals[i], at, length)) {
            char mark[16];
            const int size = snprintf(mark, sizeof mark, "@%d", frame->unique);
            put(out, mark, size, as_column(line, offset));
        }
    return length;
}

/* Parameters are replaced everywhere, also in strings and comments; names of .local
 * only outside strings. */
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
            used = *at == '\\' && at + 1 < end ? 2 : 1; /* an escape stays whole */
            quoted ^= *at == '"';
            put(out, at, used, column);
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
        as->expansion = as_arena_alloc(&as->arena, sizeof *as->expansion);
    Expansion *out = as->expansion;
    out->length = 0;
    out->overflow = false;
    substitute(out, frame, line);
    if (out->overflow) {
        as_error(as, (AsPlace){line->statement, 1},
                 "line is longer than %d bytes after expansion", AS_LINE_MAX);
    } else {
        line->text = as_arena_copy(&as->arena, out->text, (size_t)out->length);
        int *map = as_arena_alloc(&as->arena, (size_t)out->length * sizeof *map);
        memcpy(map, out->map, (size_t)out->length * sizeof *map);
        line->map = map;
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
    return within_limits(as, 1, line->length, (AsPlace){line->statement, 1});
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
    return within_limits(as, 1, line->length, (AsPlace){line->statement, 1});
}

/* Starts the next round of a repeat; false if there is none. */
static bool next_round(Assembler *as, AsFrame *frame) {
    if (frame->kind != AS_FRAME_REPEAT || frame->left <= 0)
        return false;
    if (!within_limits(as, 1, 0, (AsPlace){as->line.statement, 1}))
        return false;
    as_conditions_close(as, frame->conditions);
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
        as_conditions_close(as, frame->conditions);
        as->frame_count--;
    }
    return false;
}
