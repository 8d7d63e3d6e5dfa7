/* Source files: reading them, and finding their lines again for messages. A file stays
 * in memory to the end: lines, tokens, macros and messages point into it. */
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
    int capacity = 0;
    size_t at = 0;
    while (at < source->length) {
        source->starts = as_grow(as->heap, source->starts, source->line_count + 1,
                                 &capacity, sizeof *source->starts);
        source->starts[source->line_count++] = at;
        const char *end = memchr(source->text + at, '\n', source->length - at);
        at = end ? (size_t)(end - source->text) + 1 : source->length;
    }
    if (!source->starts)
        source->starts = heap_alloc(as->heap, sizeof *source->starts);
    source->starts[source->line_count] = source->length;
}

/* Adds a source, whose `text` stays to the end of the run. Messages and line tables
 * show its name as it was given. */
static int add_source(Assembler *as, const char *name, char *text, size_t length) {
    const size_t mark = jm_text_mark(text, length);
    as->sources = as_grow(as->heap, as->sources, as->source_count, &as->source_capacity,
                          sizeof *as->sources);
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
