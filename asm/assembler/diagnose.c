/* Messages: file:line:column: error: text, the source line, a caret, notes.
 *
 *     t.s:9:5: error: this operand of add must be a data register ...
 *         outer 5
 *         ^
 *     t.s:5:5: note: in expansion of macro 'outer'
 *     t.s:2:15: note: in expansion of macro 'inner'
 *         add r0,\x,r9
 *                   ^
 *     main.s:3:14: note: included from here
 *
 * A message is placed at the line that its reader wrote: for a line from a macro, at
 * the outermost call; notes lead from there to the macro's own line. Messages are
 * stored as text and sorted at the end, because errors in fixups are found after the
 * last line but belong with their lines. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/assembler/assemble.h"
#include "emu/core/printable.h"

enum {
    SHOWN_MAX = 160, /* bytes shown of a long source line */
    CONTEXT_MAX = 6  /* notes of where a line comes from */
};

/* Writes bytes [from, to) of a line, or blanks of their width; none: it is shorter. */
static void write_piece(FILE *out, AsText line, int from, int to, bool blanks) {
    if (from < to)
        jm_printable_put(out, line.text + from, (size_t)(to - from), blanks);
}

/* Writes the line, and a caret under byte `column`. The caret's line repeats the tabs.
 * Only the part around the column is shown of a long line. */
static void write_source(FILE *out, AsText line, int column) {
    const int first = column > SHOWN_MAX - 20 ? column - SHOWN_MAX / 2 : 0;
    int last = first + SHOWN_MAX;
    if (last > line.length)
        last = line.length;
    const char *cut = first > 0 ? "..." : "";
    fputs(cut, out);
    write_piece(out, line, first, last, false);
    fprintf(out, "%s\n%*s", last < line.length ? "..." : "", (int)strlen(cut), "");
    write_piece(out, line, first, column - 1 < last ? column - 1 : last, true);
    fputs("^\n", out);
}

/* Writes the first line of the message number `order`, or a note of it. */
static void write_said(FILE *out, Assembler *as, AsPlace place, AsmSeverity severity,
                       int order, const char *text) {
    static const char *const kinds[] = {"error", "warning", "note"};
    const AsStatement *statement = place.statement;
    const char *name = mem_printable(as->heap, as->sources[statement->source].name);
    fprintf(out, "%s:%d:%d: %s: %s\n", name, statement->line, place.column,
            kinds[severity], text);
    as_index_said(as, place, severity, order, text);
}

static void write_place_source(FILE *out, const Assembler *as, AsPlace place) {
    const AsStatement *statement = place.statement;
    write_source(out, as_source_line(&as->sources[statement->source], statement->line),
                 place.column);
}

/* Returns the macro call that led to this line; NULL if it is not in a macro. */
static const AsContext *call_of(const AsStatement *statement) {
    return statement->context && statement->context->call ? statement->context : NULL;
}

AsPlace as_called_place(AsPlace place) {
    for (const AsContext *call; (call = call_of(place.statement)) != NULL;)
        place = (AsPlace){call->at, call->column};
    return place;
}

/* Writes notes for the lines of the macros between the outermost call and `place`, from
 * outside in; returns how many there are. Of a long chain only the outermost few and
 * the last are written. The last is the line being assembled, so its text is shown. */
static int write_expansion(FILE *out, Assembler *as, AsPlace place, bool last) {
    const AsContext *call = call_of(place.statement);
    if (!call)
        return 0;
    const int depth =
        1 + write_expansion(out, as, (AsPlace){call->at, call->column}, false);
    if (!last && depth > CONTEXT_MAX)
        return depth;
    write_said(out, as, place, ASM_NOTE, as->message_count, call->what);
    if (last)
        write_place_source(out, as, place);
    return depth;
}

/* Writes where the file was included from. Of a long chain only the innermost few and
 * the outermost include are written. */
static void write_context(FILE *out, Assembler *as, const AsContext *context) {
    for (int depth = 0; context; context = context->parent, depth++) {
        if (depth == CONTEXT_MAX)
            continue;
        if (depth > CONTEXT_MAX && context->parent)
            continue;
        write_said(out, as, (AsPlace){context->at, context->column}, ASM_NOTE,
                   as->message_count, context->what);
    }
}

/* Adds a message to the list; `text` stays to the end of the run. */
static void add_message(Assembler *as, AsPlace place, bool error, char *text) {
    as->messages = mem_grow(as->heap, as->messages, (size_t)as->message_count,
                            sizeof *as->messages);
    as->messages[as->message_count] =
        (AsMessage){place, error, as->message_count, text};
    as->message_count++;
}

static void report(Assembler *as, AsPlace place, AsmSeverity severity,
                   const char *text) {
    const AsPlace written = as_called_place(place);
    MemText *writer = mem_text_open(as->heap);
    if (written.statement != place.statement) /* the suggestion is for another token */
        as_index_suggest(as, "", NULL);
    write_said(writer->out, as, written, severity, as->message_count, text);
    write_place_source(writer->out, as, written);
    write_expansion(writer->out, as, place, true);
    write_context(writer->out, as, written.statement->context);
    add_message(as, place, severity == ASM_ERROR, mem_text_close(as->heap, writer));
}

/* Whether two statements are the same source line read through the same chain of calls,
 * as in two rounds of a repeat. */
static bool same_origin(const AsStatement *a, const AsStatement *b) {
    while (a != b) {
        if (!a || !b || a->source != b->source || a->line != b->line)
            return false;
        a = a->context ? a->context->at : NULL;
        b = b->context ? b->context->at : NULL;
    }
    return true;
}

/* Whether there is an error at this place already: one mistake is reported once,
 * however many words it affects. Messages are few, so a linear search is cheap. */
static bool said_before(const Assembler *as, AsPlace place) {
    for (int i = 0; i < as->message_count; i++)
        if (as->messages[i].error && as->messages[i].place.column == place.column &&
            same_origin(as->messages[i].place.statement, place.statement))
            return true;
    return false;
}

/* An error repeated AS_REPEATED_LIMIT times ends the reading: a repeat may have a
 * million rounds. */
void as_error(Assembler *as, AsPlace place, const char *format, ...) {
    as->failed = true;
    if (said_before(as, place)) {
        if (++as->repeated > AS_REPEATED_LIMIT)
            as->abandoned = true;
        as_index_suggest(as, "", NULL);
        return;
    }
    if (as->errors == AS_ERROR_LIMIT) {
        as->stop = true;
        return;
    }
    as->errors++;
    va_list args;
    va_start(args, format);
    report(as, place, ASM_ERROR, mem_print(as->heap, format, args));
    va_end(args);
}

static const char *const warning_names[] = {
#define WARNING(id, name) name,
#include "asm/assembler/warnings.def"
#undef WARNING
};

const char *asm_warning_name(AsmWarning warning) {
    return warning_names[warning];
}

/* Returns the text of a warning followed by its name. */
static const char *named(Assembler *as, const char *text, const char *name) {
    const size_t room = strlen(text) + strlen(name) + sizeof " [-W]";
    char *whole = heap_alloc(as->heap, room);
    snprintf(whole, room, "%s [-W%s]", text, name);
    return whole;
}

bool as_warning(Assembler *as, AsmWarning warning, AsPlace place, const char *format,
                ...) {
    const AsmOptions *options = as->options;
    if (options->silent >> warning & 1)
        return false;
    va_list args;
    va_start(args, format);
    const char *text = mem_print(as->heap, format, args);
    va_end(args);
    if (options->strict) {
        as_error(as, place, "%s [-Werror=%s]", text, warning_names[warning]);
        return !as->stop;
    }
    if (as->warnings++ >= AS_WARNING_LIMIT)
        return false;
    report(as, place, ASM_WARNING, named(as, text, warning_names[warning]));
    return true;
}

/* A note is appended to the text of the message before it, so that sorting keeps them
 * together. */
void as_note(Assembler *as, AsPlace place, const char *format, ...) {
    if (as->stop || as->message_count == 0)
        return;
    AsMessage *message = &as->messages[as->message_count - 1];
    MemText *writer = mem_text_open(as->heap);
    fputs(message->text, writer->out);
    va_list args;
    va_start(args, format);
    write_said(writer->out, as, as_called_place(place), ASM_NOTE, message->order,
               mem_print(as->heap, format, args));
    va_end(args);
    message->text = mem_text_close(as->heap, writer);
}

/* Sorts by the order in which lines were read, then by column. `order` breaks ties,
 * because qsort is not stable. */
static int compare(const void *left, const void *right) {
    const AsMessage *a = left;
    const AsMessage *b = right;
    const int first = a->place.statement->number;
    const int second = b->place.statement->number;
    if (first != second)
        return first < second ? -1 : 1;
    if (a->place.column != b->place.column)
        return a->place.column < b->place.column ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

char *as_messages_text(Assembler *as) {
    if (as->message_count > 0)
        qsort(as->messages, (size_t)as->message_count, sizeof *as->messages, compare);
    MemText *writer = mem_text_open(as->heap);
    for (int i = 0; i < as->message_count; i++)
        fputs(as->messages[i].text, writer->out);
    if (as->stop)
        fprintf(writer->out, "%s: error: too many errors\n",
                mem_printable(as->heap, as->sources[0].name));
    return mem_text_close(as->heap, writer);
}
