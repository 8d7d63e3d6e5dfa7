/* Reads the input of a link: objects, and archives, whose members are objects that may
 * be needed. */
#include "asm/linker/link.h"

#include "asm/objects/archive.h"
#include "asm/objects/bytes.h"
#include "asm/objects/mem.h"

#include <stdlib.h>
#include <string.h>

AsmLinkInput *asm_link_input_new(void) {
    return mem_alloc(sizeof(AsmLinkInput));
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

/* Takes over `object` and `name`. */
static void add(AsmLinkInput *input, AsmObject *object, char *name, bool member) {
    input->objects = mem_grow(input->objects, (size_t)input->count, sizeof(LinkObject));
    input->objects[input->count++] =
        (LinkObject){.object = object, .name = name, .member = member};
}

void asm_link_input_add_object(AsmLinkInput *input, AsmObject *object,
                               const char *name) {
    add(input, object, mem_string(name, strlen(name)), false);
}

/* Reads one object and adds it. Takes over `name`. An image is refused here: its
 * relocations are gone. */
static bool add_bytes(AsmLinkInput *input, const void *bytes, size_t size, char *name,
                      bool member, JmError *error) {
    AsmObject *object = asm_object_read_memory(bytes, size, name, error);
    bool well = object != NULL;
    if (object && object->image) {
        well = jm_fail(error, name, "is linked already, only objects can be linked");
        asm_object_free(object);
    }
    if (well)
        add(input, object, name, member);
    else
        free(name);
    return well;
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
        char *full = mem_alloc(room);
        snprintf(full, room, "%s(%s)", name, member.name);
        if (!add_bytes(input, member.bytes, member.size, full, true, error))
            return false;
    }
    return result == ASM_ARCHIVE_END;
}

/* Objects and archives are told apart by their first bytes, not by their names. */
bool asm_link_input_add_memory(AsmLinkInput *input, const void *bytes, size_t size,
                               const char *name, JmError *error) {
    if (asm_object_is_archive(bytes, size))
        return add_archive(input, bytes, size, name, error);
    return add_bytes(input, bytes, size, mem_string(name, strlen(name)), false, error);
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
