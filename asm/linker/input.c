/* Reads the input of a link: objects, and archives, whose members are objects that may
 * be needed. */
#include "asm/linker/link.h"

#include "asm/objects/archive.h"
#include "asm/objects/bytes.h"
#include "asm/objects/mem.h"

#include <stdlib.h>
#include <string.h>

AsmLinkInput *asm_link_input_new(void) {
    return calloc(1, sizeof(AsmLinkInput));
}

/* Frees the objects with section_of and offset_of, which a link has left in them. */
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
    LinkObject *objects = input->objects;
    if (mem_capacity(count) == count)
        objects = realloc(objects, mem_capacity(count + 1) * sizeof *objects);
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
    return object &&
           (add(input, object, name, member) || jm_fail(error, name, "out of memory"));
}

/* Every member is read at once, needed or not: a broken member is an error wherever it
 * stands, and the link needs no archive symbol table. Members stay in the input as
 * objects that may be taken (choose.c). */
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
            return jm_fail(error, name, "out of memory");
        snprintf(full, room, "%s(%s)", name, member.name);
        const bool well =
            add_bytes(input, member.bytes, member.size, full, true, error);
        free(full);
        if (!well)
            return false;
    }
    return result == ASM_ARCHIVE_END;
}

/* Objects and archives are told apart by their first bytes, not by their names. */
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
