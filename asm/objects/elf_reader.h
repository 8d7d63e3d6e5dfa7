/* The parts of reading an ELF file: first the frame (headers, where everything lies),
 * then its contents. Only elf_frame.c, elf_contents.c and elf_read.c include this. */
#ifndef JM_ASM_ELF_READER_H
#define JM_ASM_ELF_READER_H

#include <libelf.h>

#include "asm/objects/elf_format.h"

typedef struct {
    Heap *heap; /* of this reading */
    const unsigned char *bytes;
    size_t size;
    const char *name; /* of the file, for messages */
    JmError *error;

    Elf *elf; /* NULL until the frame was found to be sound */
    Elf64_Ehdr header;
    Elf64_Shdr *sections; /* `count`, as in the file */
    size_t count;
    size_t symtab, lines; /* section numbers, 0 if there is none */

    AsmObject *object;
    int *section_of;     /* object's section for an ELF section, -1 if none */
    int *symbol_of;      /* object's symbol for an ELF symbol, -1 if none */
    size_t symbol_count; /* of ELF symbols */
    bool well;           /* the file can be used */
    ElfLineTable places; /* as far as the object has not taken it over */
} ElfReader;

/* Fails with the byte offset of what is wrong. */
#define ELF_FAIL(reader, at, ...)                                                      \
    jm_fail_at((reader)->error, (reader)->name, (int64_t)(at), __VA_ARGS__)

/* Offset in the file of a field of section header `index`. */
#define ELF_SECTION_FIELD(reader, index, field)                                        \
    ((reader)->header.e_shoff + (index) * sizeof(Elf64_Shdr) +                         \
     offsetof(Elf64_Shdr, field))

/* Checks everything that says where things lie: file header, section and program
 * headers, their ranges in the file and in memory, their links. */
bool elf_read_frame(ElfReader *reader);

/* The name at `place` of string section `strings`; NULL and an error (at byte `at`) if
 * it is outside it or too long. */
const char *elf_read_string(ElfReader *reader, size_t strings, uint32_t place,
                            uint64_t at);

/* Sections with their words, symbols, relocations, lines: the object. */
bool elf_read_contents(ElfReader *reader);

#endif
