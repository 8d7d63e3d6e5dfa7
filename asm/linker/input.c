/* The inputs of a link: messages, objects and archives, and which object defines each
 * symbol. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "asm/linker/link.h"
#include "asm/objects/archive.h"
#include "asm/objects/bytes.h"
#include "asm/objects/mem.h"
#include "emu/core/grow.h"

/* ---- messages -------------------------------------------------------------------- */

/* Messages of the linker: one line each, in the order of discovery. Objects record
 * lines without columns, and their sources may be missing, so there is no caret. */

enum { MESSAGES_MAX = 100 }; /* one missing file can make thousands */

char *link_messages_close(Linker *linker) {
    if (linker->errors > MESSAGES_MAX)
        fprintf(linker->messages->out, "link: error: %d more error%s\n",
                linker->errors - MESSAGES_MAX,
                linker->errors == MESSAGES_MAX + 1 ? "" : "s");
    return mem_text_close(linker->heap, linker->messages);
}

/* Beyond the limit errors are only counted, so that the link still fails. */
void link_error(Linker *linker, const char *file, int line, const char *format, ...) {
    if (linker->errors++ >= MESSAGES_MAX)
        return;
    va_list args;
    va_start(args, format);
    char *text = mem_print(linker->heap, format, args);
    va_end(args);
    char *place = mem_printable(linker->heap, file ? file : "link");
    if (file && line > 0)
        fprintf(linker->messages->out, "%s:%d: error: %s\n", place, line, text);
    else
        fprintf(linker->messages->out, "%s: error: %s\n", place, text);
}

/* ---- input ----------------------------------------------------------------------- */

/* Reads the input of a link: objects, and archives, whose members are objects that may
 * be needed. */

AsmLinkInput *asm_link_input_new(void) {
    return calloc(1, sizeof(AsmLinkInput));
}

/* Frees the objects, including the section_of and offset_of that a link has left in
 * them. */
void asm_link_input_free(AsmLinkInput *input) {
    if (!input)
        return;
    for (int i = 0; i < input->count; i++) {
        LinkObject *object = &input->objects[i];
        asm_object_free(object->object);
        free(object->name);
        free(object->section_of);
        free(object->offset_of);
    }
    free(input->objects);
    free(input);
}

/* Takes over `object`; false without memory. */
static bool add(AsmLinkInput *input, AsmObject *object, const char *name, bool member) {
    const size_t count = (size_t)input->count;
    LinkObject *objects = jm_grow_by_count(input->objects, count, sizeof *objects);
    char *copy = objects ? strdup(name) : NULL;
    if (objects)
        input->objects = objects;
    if (!copy) {
        asm_object_free(object);
        return false;
    }
    objects[input->count++] =
        (LinkObject){.object = object, .name = copy, .member = member};
    return true;
}

bool asm_link_input_add_object(AsmLinkInput *input, AsmObject *object,
                               const char *name) {
    return add(input, object, name, false);
}

/* Reads one object and adds it. An image is refused here: its
 * relocations are gone. */
static bool add_bytes(AsmLinkInput *input, const void *bytes, size_t size,
                      const char *name, bool member, JmError *error) {
    AsmObject *object = asm_object_read_memory(bytes, size, name, error);
    if (object && object->image) {
        asm_object_free(object);
        return jm_fail(error, name, "is linked already, only objects can be linked");
    }
    return object && (add(input, object, name, member) ||
                      jm_fail_memory(error, name, "out of memory"));
}

/* Every member is read at once, needed or not: a broken member is always an error, and
 * the link needs no archive symbol table. Members stay in the input as objects that may
 * be taken. */
static bool add_archive(AsmLinkInput *input, const void *bytes, size_t size,
                        const char *name, JmError *error) {
    AsmArchive archive = asm_archive_open(bytes, size, name);
    AsmArchiveMember member;
    AsmArchiveResult result;
    while ((result = asm_archive_next(&archive, &member, error)) ==
           ASM_ARCHIVE_MEMBER) {
        const size_t room = strlen(name) + strlen(member.name) + 3;
        char *full = malloc(room);
        if (!full)
            return jm_fail_memory(error, name, "out of memory");
        snprintf(full, room, "%s(%s)", name, member.name);
        const bool well =
            add_bytes(input, member.bytes, member.size, full, true, error);
        free(full);
        if (!well)
            return false;
    }
    return result == ASM_ARCHIVE_END;
}

/* Objects and archives are distinguished by their first bytes, not by their names. */
bool asm_link_input_add_memory(AsmLinkInput *input, const void *bytes, size_t size,
                               const char *name, JmError *error) {
    if (asm_object_is_archive(bytes, size))
        return add_archive(input, bytes, size, name, error);
    return add_bytes(input, bytes, size, name, false, error);
}

/* The bytes are freed: objects hold copies of all they need. */
bool asm_link_input_add_file(AsmLinkInput *input, const char *path, JmError *error) {
    size_t size;
    unsigned char *bytes = asm_bytes_read(path, &size, error);
    if (!bytes)
        return false;
    const bool well = asm_link_input_add_memory(input, bytes, size, path, error);
    free(bytes);
    return well;
}

/* ---- which objects --------------------------------------------------------------- */

/* Selects the objects to link, and finds the definition of each symbol.
 *
 * All objects given are taken. A member of an archive is taken if it defines a global
 * symbol that a taken object leaves undefined; its own undefined symbols may need
 * further members. Of two members that define the same symbol, the one that comes first
 * on the command line is taken; otherwise the order of the files does not matter.
 * Undefined symbols are not an error here, since __start_NAME and __stop_NAME get
 * values after the layout. */

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

/* Objects are taken in the order of their parts in each section of the image. */
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

/* Takes the members that define the undefined symbols of `object`. A symbol that no
 * member defines is ignored. */
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

/* The loop ends because an object is taken at most once. `taken` is set again because
 * one input may be linked several times. */
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
}
