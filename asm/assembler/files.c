/* Source files, and what is written where in them. A file stays in memory to the end:
 * lines, tokens, macros and messages point into it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/assembler/assemble.h"
#include "asm/objects/bytes.h"
#include "emu/core/sourcetext.h"

/* A last line without a line end counts as a line. starts[i] is the offset of line i +
 * 1, and one more entry ends the last line. */
static void index_lines(Assembler *as, AsSource *source) {
    size_t *starts = NULL, count = 0;
    for (size_t at = 0;; count++) {
        starts = mem_grow(as->heap, starts, count, sizeof *starts);
        starts[count] = at;
        if (at == source->length)
            break;
        const char *end = memchr(source->text + at, '\n', source->length - at);
        at = end ? (size_t)(end - source->text) + 1 : source->length;
    }
    source->starts = starts;
    source->line_count = (int)count;
}

/* Adds a source, whose `text` stays to the end of the run. Messages and line tables
 * show its name as it was given. */
static int add_source(Assembler *as, const char *name, char *text, size_t length) {
    const size_t mark = jm_text_mark(text, length);
    as->sources =
        mem_grow(as->heap, as->sources, (size_t)as->source_count, sizeof *as->sources);
    AsSource *source = &as->sources[as->source_count];
    *source = (AsSource){.text = text + mark, .length = length - mark};
    const size_t room = strlen(name) + 1;
    source->name = memcpy(heap_alloc(as->heap, room), name, room);
    index_lines(as, source);
    return as->source_count++;
}

int as_source_add(Assembler *as, const char *name, const char *text, size_t length) {
    char *copy = heap_alloc(as->heap, length);
    if (length > 0)
        memcpy(copy, text, length);
    return add_source(as, name, copy, length);
}

/* Reading a device might never end. A main file may be a pipe, but an included one may
 * not: the search through several folders could open anything. */
static bool check_kind(FILE *file, const char *path, bool regular_only,
                       struct stat *info, JmError *error) {
    if (fstat(fileno(file), info) != 0)
        return jm_fail(error, path, "cannot read '%s': %s", path, strerror(errno));
    if (S_ISDIR(info->st_mode))
        return jm_fail(error, path, "'%s' is a directory", path);
    if (regular_only && !S_ISREG(info->st_mode))
        return jm_fail(error, path, "'%s' is not a regular file", path);
    return true;
}

/* The assembler keeps the text until the end of the run. */
int as_source_read(Assembler *as, const char *path, bool regular_only, JmError *error) {
    /* Opening a pipe would wait for its writer: look before. */
    struct stat before;
    if (regular_only && stat(path, &before) == 0 && !S_ISREG(before.st_mode) &&
        !S_ISDIR(before.st_mode)) {
        jm_fail(error, path, "'%s' is not a regular file", path);
        return -1;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        jm_fail(error, path, "cannot open '%s': %s", path, strerror(errno));
        return -1;
    }
    struct stat info;
    size_t length = 0;
    char *text = NULL;
    if (check_kind(file, path, regular_only, &info, error))
        text = (char *)asm_bytes_read_stream(file, path, ASM_BYTES_SOURCE_MAX, &length,
                                             error);
    fclose(file);
    if (!text)
        return -1;
    heap_at_end(as->heap, free, text);
    if (!jm_inputs_add(as->options->inputs, path))
        heap_fail(as->heap);
    const int source = add_source(as, path, text, length);
    as->sources[source].device = (uint64_t)info.st_dev;
    as->sources[source].inode = (uint64_t)info.st_ino;
    return source;
}

void as_source_identify(Assembler *as, int source) {
    struct stat info;
    if (stat(as->sources[source].name, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    as->sources[source].device = (uint64_t)info.st_dev;
    as->sources[source].inode = (uint64_t)info.st_ino;
}

/* CR LF ends a line as LF does. Returns an empty text for a line that does not exist,
 * such as the place of an error after the last line. */
AsText as_source_line(const AsSource *source, int line) {
    if (line < 1 || line > source->line_count)
        return (AsText){"", 0};
    const char *text = source->text + source->starts[line - 1];
    size_t length = source->starts[line] - source->starts[line - 1];
    if (length > 0 && text[length - 1] == '\n')
        length--;
    if (length > 0 && text[length - 1] == '\r')
        length--;
    return (AsText){text, (int)length};
}

/* ---- for an index ---------------------------------------------------------------- */

/* Uses of names and the lines of messages, collected while lines are read. */

/* Returns the line (1..) of the source that holds the byte `offset`. */
static int line_at(const AsSource *source, size_t offset) {
    int low = 0;
    int high = source->line_count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (source->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

/* Returns the spot of a byte of a source's text; its file is -1 if the byte is in no
 * source. */
static AsmSpot written_at(const Assembler *as, const char *at, int length) {
    for (int i = 0; i < as->source_count; i++) {
        const AsSource *source = &as->sources[i];
        const uintptr_t offset = (uintptr_t)at - (uintptr_t)source->text;
        if (offset >= source->length)
            continue;
        const int line = line_at(source, offset);
        return (AsmSpot){i, line, (int)(offset - source->starts[line - 1]) + 1, length};
    }
    return (AsmSpot){.file = -1};
}

/* Returns where a token of an expanded line is written, if it is written in one piece.
 * A suffix that the assembler added to a name does not count. */
static AsmSpot expanded_spot(const Assembler *as, const AsToken *token) {
    const char *const *origins = as->line.origins + (token->text - as->line.text);
    int length = token->length;
    while (length > 1 && !origins[length - 1])
        length--;
    for (int i = 0; i < length; i++)
        if (!origins[i] || origins[i] != origins[0] + i)
            return (AsmSpot){.file = -1};
    return written_at(as, origins[0], length);
}

static AsmSpot token_spot(const Assembler *as, const AsToken *token) {
    const AsStatement *statement = as->line.statement;
    if (!as->line.origins)
        return (AsmSpot){statement->source, statement->line, token->column,
                         token->length};
    const AsmSpot spot = expanded_spot(as, token);
    return spot.file >= 0
               ? spot
               : (AsmSpot){statement->source, statement->line, token->column, 0};
}

void as_index_use(Assembler *as, const AsToken *token, AsmUseKind kind, AsmUseRole role,
                  int number) {
    AsIndexing *indexing = as->indexing;
    if (!indexing)
        return;
    indexing->uses = mem_grow(as->heap, indexing->uses, (size_t)indexing->use_count,
                              sizeof *indexing->uses);
    indexing->uses[indexing->use_count++] =
        (AsmIndexUse){token_spot(as, token), kind, role, number};
}

AsmSpot as_place_spot(AsPlace place, int length) {
    if (!place.statement)
        return (AsmSpot){.file = -1};
    return (AsmSpot){place.statement->source, place.statement->line, place.column,
                     length};
}

void as_index_said(Assembler *as, AsPlace place, AsmSeverity severity, int order,
                   const char *text) {
    AsIndexing *indexing = as->indexing;
    if (!indexing)
        return;
    indexing->said = mem_grow(as->heap, indexing->said, (size_t)indexing->said_count,
                              sizeof *indexing->said);
    indexing->said[indexing->said_count++] = (AsSaid){
        order, {severity, as_place_spot(place, 0), text, indexing->suggestion}};
    indexing->suggestion = NULL;
}

void as_index_suggest(Assembler *as, const char *prefix, const char *name) {
    if (!as->indexing)
        return;
    char text[160] = "";
    const int length = name ? snprintf(text, sizeof text, "%s%s", prefix, name) : 0;
    as->indexing->suggestion = length > 0 && length < (int)sizeof text
                                   ? mem_arena_copy(&as->arena, text, (size_t)length)
                                   : NULL;
}
