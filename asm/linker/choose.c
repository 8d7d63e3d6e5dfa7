/* Which objects are linked, and who defines what.
 *
 * Objects that were given are all taken. Of archives a member is taken if it defines a
 * global symbol that a taken object leaves undefined; what it leaves undefined itself
 * may need more. The order of the files on the command line decides only which of two
 * members with the same symbol is taken: the first. Undefined symbols are no error
 * here, since __start_NAME and __stop_NAME get values after the layout. */
#include "asm/linker/link.h"

#include "asm/objects/mem.h"

static const AsmObjectSymbol *definition(const Linker *linker, int index) {
    const LinkDefinition *d = &linker->definitions[index];
    return &linker->input->objects[d->object].object->symbols[d->symbol];
}

static bool is_definition(const AsmObjectSymbol *symbol) {
    return symbol->global && symbol->section != ASM_OBJECT_UNDEFINED;
}

/* " (file:line)" where a symbol was defined, "" if it is not known. */
static void place_text(const AsmObjectSymbol *symbol, char *text, size_t size) {
    text[0] = '\0';
    if (symbol->file && symbol->line > 0)
        snprintf(text, size, " (%s:%d)", symbol->file, symbol->line);
}

/* Numbers, not pointers: the list of definitions moves as it grows. */
static void define(Linker *linker, int object, int index) {
    const AsmObjectSymbol *symbol =
        &linker->input->objects[object].object->symbols[index];
    const int old = names_find(&linker->globals, symbol->name);
    if (old < 0) {
        linker->definitions =
            mem_grow(linker->heap, linker->definitions,
                     (size_t)linker->definition_count, sizeof *linker->definitions);
        names_set(&linker->globals, symbol->name, linker->definition_count);
        linker->definitions[linker->definition_count++] =
            (LinkDefinition){object, index};
        return;
    }
    char first[256], second[256];
    place_text(definition(linker, old), first, sizeof first);
    place_text(symbol, second, sizeof second);
    link_error(linker, NULL, 0, "symbol '%s' is defined in %s%s and in %s%s",
               symbol->name,
               linker->input->objects[linker->definitions[old].object].name, first,
               linker->input->objects[object].name, second);
}

/* The order of taking is the order of the parts in every section of the image. */
static void take(Linker *linker, int index) {
    LinkObject *object = &linker->input->objects[index];
    object->taken = true;
    linker->order[linker->taken++] = index;
    for (int i = 0; i < object->object->symbol_count; i++) {
        if (is_definition(&object->object->symbols[i]))
            define(linker, index, i);
    }
}

/* Every global that a member of an archive defines; the first one wins. */
static Names index_members(const Linker *linker) {
    const AsmLinkInput *input = linker->input;
    Names members = {.heap = linker->heap};
    for (int i = 0; i < input->count; i++) {
        const AsmObject *object = input->objects[i].object;
        for (int s = 0; input->objects[i].member && s < object->symbol_count; s++) {
            const AsmObjectSymbol *symbol = &object->symbols[s];
            if (is_definition(symbol) && names_find(&members, symbol->name) < 0)
                names_set(&members, symbol->name, i);
        }
    }
    return members;
}

/* Takes the members that define what `object` leaves undefined. A symbol that nobody
 * in the archives defines is left alone. */
static void pull(Linker *linker, const Names *members, const AsmObject *object) {
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &object->symbols[i];
        if (symbol->section != ASM_OBJECT_UNDEFINED ||
            names_find(&linker->globals, symbol->name) >= 0)
            continue;
        const int member = names_find(members, symbol->name);
        if (member >= 0 && !linker->input->objects[member].taken)
            take(linker, member);
    }
}

/* Ends because an object is taken at most once. `taken` is set again because one input
 * may be linked several times. */
void link_choose(Linker *linker) {
    AsmLinkInput *input = linker->input;
    linker->order =
        heap_alloc(linker->heap, (size_t)input->count * sizeof *linker->order);
    for (int i = 0; i < input->count; i++)
        input->objects[i].taken = false;
    for (int i = 0; i < input->count; i++) {
        if (!input->objects[i].member)
            take(linker, i);
    }
    /* The list grows while it is walked, until no more members are needed. */
    Names members = index_members(linker);
    for (int i = 0; i < linker->taken; i++)
        pull(linker, &members, input->objects[linker->order[i]].object);
    names_free(&members);
}
