/* Reads objects and images from ELF files and memory.
 *
 * The frame is checked first, byte by byte (elf_frame.c), then libelf gives the tables
 * and their contents are checked (elf_contents.c). libelf itself trusts offsets and
 * sizes in places; after the frame is found to be sound there is nothing left in a
 * file that could lead it astray. */
#include "asm/objects/object.h"

#include "asm/objects/bytes.h"
#include "asm/objects/elf_reader.h"
#include "asm/objects/mem.h"

#include <stdlib.h>
#include <string.h>

bool asm_object_is_elf(const void *bytes, size_t size) {
    return size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

static void end_elf(void *elf) {
    elf_end(elf);
}

/* libelf gets a copy of its own: it may write to what it is given. */
static bool read_checked(ElfReader *r) {
    if (elf_version(EV_CURRENT) == EV_NONE)
        return ELF_FAIL(r, 0, "libelf: %s", elf_errmsg(-1));
    char *copy = heap_alloc(r->heap, r->size);
    memcpy(copy, r->bytes, r->size);
    r->elf = elf_memory(copy, r->size);
    if (!r->elf)
        return ELF_FAIL(r, 0, "cannot read: %s", elf_errmsg(-1));
    heap_at_end(r->heap, end_elf, r->elf);
    return elf_read_contents(r);
}

static void read_work(Heap *heap, void *context) {
    ElfReader *r = context;
    r->heap = heap;
    r->well = elf_read_frame(r) && read_checked(r);
}

/* After an error everything is freed: no object is returned half read. */
AsmObject *asm_object_read_memory(const void *bytes, size_t size, const char *name,
                                  JmError *error) {
    ElfReader reader = {.bytes = bytes, .size = size, .name = name, .error = error};
    if (!heap_run(read_work, &reader))
        reader.well = jm_fail(error, name, "out of memory");
    elf_line_free(&reader.places);
    if (reader.well)
        return reader.object;
    asm_object_free(reader.object);
    return NULL;
}

AsmObject *asm_object_read(const char *path, JmError *error) {
    size_t size;
    unsigned char *bytes = asm_bytes_read(path, &size, error);
    if (!bytes)
        return NULL;
    AsmObject *object = asm_object_read_memory(bytes, size, path, error);
    free(bytes);
    return object;
}
