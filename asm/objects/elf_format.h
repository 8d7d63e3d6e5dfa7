/* The layout of objects and images in ELF files, for the reader and the writer. Only
 * elf_*.c of this folder and their tests include it; objects.md describes the layout.
 */
#ifndef JM_ASM_ELF_FORMAT_H
#define JM_ASM_ELF_FORMAT_H

#include <elf.h>

#include "asm/objects/object.h"
#include "emu/core/heap.h"

/* The machine number, "MD", is not registered. */
#define ELF_MDP_MACHINE 0x4D44

enum {
    ELF_MDP_WORD = 8,      /* bytes of a word in the file and in ELF addresses */
    ELF_MDP_ENTRY = 0x1000 /* word address where execution starts */
};

/* OS-specific section flags: the place in two bits, and whether sh_addr is a fixed
 * address (in images it always is). Bits 21 and 24 mean something to GNU. */
#define ELF_MDP_PLACE_SHIFT 22
#define ELF_MDP_PLACE_MASK (UINT64_C(3) << ELF_MDP_PLACE_SHIFT)
#define ELF_MDP_FIXED (UINT64_C(1) << 25)

#define ELF_MDP_LINE_NAME ".mdp.line"
#define ELF_MDP_LINE_MAGIC "MDPL\2" /* with the version */

/* Source places of symbols and relocations, by their index in the ELF tables. */
typedef struct {
    uint32_t index;
    int file, line;
} ElfPlace;

typedef struct {
    ElfPlace *items;
    int count;
} ElfPlaces;

/* The contents of the line section; see asm/objects/objects.md. */
typedef struct {
    AsmObject *object; /* only its files, lines and asserts; those have symbols by
                          their index in the ELF table */
    ElfPlaces symbols, relocs;
} ElfLineTable;

/* Encodes: `*size` bytes. */
unsigned char *elf_line_encode(Heap *heap, const ElfLineTable *table, size_t *size);

/* Decodes into table->object, which has no files, lines and asserts yet, and to places
 * on the heap; everything but the meaning of section numbers and offsets is checked.
 * False, the byte that is wrong in `*at` and a text if it is not a line table. */
bool elf_line_decode(Heap *heap, const unsigned char *bytes, size_t size,
                     ElfLineTable *table, size_t *at, const char **wrong);

#endif
