/* Source lines and the places of their code, from the image's table of lines. */
#include <string.h>

#include "asm/objects/object.h"
#include "emu/debug/talk/names.h"

bool is_source_file(const JmDebug *d, const char *file, size_t length) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->file_count; i++)
        if (asm_object_is_file(image->files[i], file, length))
            return true;
    return false;
}

unsigned source_files(const JmDebug *d, const char *file, size_t length,
                      const char **found, char *names, size_t size) {
    const AsmObject *image = program_image(d->machine);
    unsigned count = 0;
    size_t used = 0;
    for (int i = 0; image && i < image->file_count; i++) {
        const char *name = image->files[i];
        if (!asm_object_is_file(name, file, length) ||
            (count && strcmp(name, *found) == 0))
            continue;
        *found = count ? *found : name;
        if (used < size)
            used += (size_t)snprintf(names + used, size - used, "%s%s",
                                     count ? ", " : "", name);
        count++;
    }
    return count;
}

static bool is_of_file(const AsmObject *image, const AsmObjectLine *row,
                       const char *file, size_t length) {
    return row->file >= 0 && row->file < image->file_count &&
           asm_object_is_file(image->files[row->file], file, length);
}

/* ---- places of code -------------------------------------------------------------- */

void places_add(const JmDebug *d, Places *places, CodePlace place) {
    for (size_t i = 0; i < places->count; i++)
        if (places->list[i].address == place.address &&
            places->list[i].low == place.low)
            return;
    places->heap = d->heap;
    places->list = text_grow(d->heap, places->list, places->count, &places->capacity,
                             sizeof *places->list);
    places->list[places->count++] = place;
}

void places_free(Places *places) {
    if (places->list)
        heap_free(places->list);
    *places = (Places){.count = 0};
}

bool line_places(const JmDebug *d, const char *file, size_t length, int line,
                 Places *places) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->line_count; i++) {
        const AsmObjectLine *row = &image->lines[i];
        if (row->line == line && !row->goes_on && is_of_file(image, row, file, length))
            places_add(d, places,
                       (CodePlace){(uint32_t)image->sections[row->section].address +
                                       row->offset,
                                   row->low});
    }
    return places->count > 0;
}

bool symbol_places(const JmDebug *d, const char *name, Places *places) {
    const unsigned count = jm_symbol_places(d->machine, name, NULL, 0);
    JmSymbolPlace *found = heap_alloc(d->heap, (count + 1) * sizeof *found);
    jm_symbol_places(d->machine, name, found, count);
    for (unsigned i = 0; i < count; i++)
        if (found[i].value <= JM_ADDRESS_MASK)
            places_add(d, places, (CodePlace){found[i].value, false});
    heap_free(found);
    return places->count > 0;
}

void places_text(const JmDebug *d, const CodePlace *places, size_t count, Text *text) {
    char place[LONG_TEXT];
    for (size_t i = 0; i < count; i++)
        text_add(text, "%s%s%s", i ? ", " : "",
                 instruction_text(d, places[i].address, places[i].low, true, place,
                                  sizeof place),
                 places[i].low ? " low" : "");
}

/* ---- lines ----------------------------------------------------------------------- */

void lines_around(const JmDebug *d, const char *file, size_t length, int line,
                  int *below, int *above) {
    const AsmObject *image = program_image(d->machine);
    *below = *above = 0;
    for (int i = 0; image && i < image->line_count; i++) {
        const AsmObjectLine *row = &image->lines[i];
        if (row->line <= 0 || row->goes_on || !is_of_file(image, row, file, length))
            continue;
        if (row->line < line && row->line > *below)
            *below = row->line;
        if (row->line > line && (*above == 0 || row->line < *above))
            *above = row->line;
    }
}
