/* Source text among the words of a disassembly, from the line table.
 *
 *     main.loop:
 *     ; sum.s:4 .loop:  add     r1,r0,r1
 *             add     r1,r0,r1                ; 00103 ...
 *
 * Comments, so that the text still assembles. A line that made words in several places
 * is shown at each, unless nothing else comes between; lines in front of it that made
 * none are shown once, and only the last few: they are the comment and the label that
 * belong to it. */
#include "asm/disassembler/disassemble.h"

#include <stdlib.h>

enum { BEFORE_MAX = 5 };

/* Index of the first row of the line table at or behind a place. */
static int first_row(const AsmObject *object, int section, uint32_t offset, bool low) {
    int from = 0, to = object->line_count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        const AsmObjectLine *row = &object->lines[middle];
        if (row->section < section ||
            (row->section == section &&
             (row->offset < offset || (row->offset == offset && row->low < low))))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void print_line(const Disassembly *dis, int file, int line) {
    const char *name = dis->object->files[file];
    const char *text = dis->options->source_line(dis->options->context, name, line);
    if (!text)
        return;
    char *shown =
        mem_printable(dis->heap, name); /* a newline in it would end the comment */
    fprintf(dis->out, "; %s:%d %s\n", shown, line, text);
    heap_free(shown);
}

static void print_row(Disassembly *dis, const AsmObjectLine *row) {
    int from = row->line;
    if (dis->last_file == row->file && dis->last_line == row->line)
        return;
    dis->last_file = row->file;
    dis->last_line = row->line;
    if (dis->shown[row->file] < row->line) {
        from = dis->shown[row->file] + 1;
        if (from < row->line - BEFORE_MAX)
            from = row->line - BEFORE_MAX;
        dis->shown[row->file] = row->line;
    }
    for (int line = from; line <= row->line; line++)
        print_line(dis, row->file, line);
}

void disassembly_source(Disassembly *dis, int section, uint32_t offset, bool low) {
    const AsmObject *object = dis->object;
    if (!dis->options->source_line)
        return;
    for (int i = first_row(object, section, offset, low); i < object->line_count; i++) {
        const AsmObjectLine *row = &object->lines[i];
        if (row->section != section || row->offset != offset || row->low != low)
            return;
        if (row->line > 0)
            print_row(dis, row);
    }
}

uint32_t disassembly_source_end(const Disassembly *dis, int section, uint32_t offset,
                                uint32_t limit) {
    const AsmObject *object = dis->object;
    const int next = first_row(object, section, offset + 1, false);
    if (!dis->options->source_line || next == object->line_count ||
        object->lines[next].section != section || object->lines[next].offset > limit)
        return limit;
    return object->lines[next].offset;
}
