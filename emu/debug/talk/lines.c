/* Source lines and where their code lies, from the image's table of lines. */
#include <string.h>

#include "asm/objects/object.h"
#include "emu/debug/talk/names.h"

/* Whether `name` is the file that is meant: it may be said with as many of its folders
 * as one likes. */
static bool is_file(const char *name, const char *file, size_t length) {
    const size_t whole = strlen(name);
    return whole >= length && memcmp(name + whole - length, file, length) == 0 &&
           (whole == length || name[whole - length - 1] == '/');
}

const char *source_file(const JmDebug *d, const char *file, size_t length) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->file_count; i++)
        if (is_file(image->files[i], file, length))
            return image->files[i];
    return NULL;
}

static bool is_of_file(const AsmObject *image, const AsmObjectLine *row,
                       const char *file, size_t length) {
    return row->file >= 0 && row->file < image->file_count &&
           is_file(image->files[row->file], file, length);
}

bool line_address(const JmDebug *d, const char *file, size_t length, int line,
                  uint32_t *address) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->line_count; i++) {
        const AsmObjectLine *row = &image->lines[i];
        if (row->line != line || !is_of_file(image, row, file, length))
            continue;
        *address = (uint32_t)image->sections[row->section].address + row->offset;
        return true;
    }
    return false;
}

void lines_around(const JmDebug *d, const char *file, size_t length, int line,
                  int *below, int *above) {
    const AsmObject *image = program_image(d->machine);
    *below = *above = 0;
    for (int i = 0; image && i < image->line_count; i++) {
        const AsmObjectLine *row = &image->lines[i];
        if (row->line <= 0 || !is_of_file(image, row, file, length))
            continue;
        if (row->line < line && row->line > *below)
            *below = row->line;
        if (row->line > line && (*above == 0 || row->line < *above))
            *above = row->line;
    }
}
