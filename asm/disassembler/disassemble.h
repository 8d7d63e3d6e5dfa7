/* The disassembler's internals, shared by the files of asm/disassembler only.
 *
 * The text it prints is source: assembled by mdpas and linked by mdpld it gives the
 * same words at the same addresses. A word whose text would not do that is printed as a
 * number. */
#ifndef JM_ASM_DISASSEMBLE_H
#define JM_ASM_DISASSEMBLE_H

#include <stdio.h>

#include "asm/disassembler/disassembler.h"
#include "asm/objects/mem.h"
#include "asm/objects/names.h"
#include "asm/objects/object.h"
#include "emu/isa/isa.h"

/* A name for a word of a section, or for its end. */
typedef struct {
    int section;
    uint32_t offset;
    int rank; /* of several labels in one place the first is used: globals before locals
                 before made-up ones */
    char *name;
} Label;

typedef struct {
    Heap *heap; /* of this disassembly */
    const AsmObject *object;
    const AsmDisassembleOptions *options;
    FILE *out;
    int *shown; /* of each source file: the last line whose text was printed */
    int last_file, last_line; /* whose text was printed last; line 0: none */
    Names taken;              /* names that are in use */
    char **symbol_names;      /* a name that can be assembled for every symbol */
    char **section_names;
    Label *labels; /* sorted by section, offset, rank */
    int label_count;
    int *by_address; /* image: sections with words by address */
    int by_address_count;
    const AsmObjectReloc **relocs; /* sorted by section and offset */
} Disassembly;

/* Makes names for symbols and sections, and labels for symbols and branch targets. */
void disassembly_name(Disassembly *dis);

/* Returns the index of the first label at or behind a place. */
int disassembly_label(const Disassembly *dis, int section, uint32_t offset);
/* Returns the name of a place; NULL if it has none. */
const char *disassembly_label_at(const Disassembly *dis, int section, uint32_t offset);

/* Finds the section of an image that holds `address` or, if there is none, ends there;
 * false if there is neither. */
bool disassembly_find(const Disassembly *dis, uint32_t address, int *section,
                      uint32_t *offset);

/* Returns the first relocation of a word; `*count` gets how many there are. */
const AsmObjectReloc *const *disassembly_relocs(const Disassembly *dis, int section,
                                                uint32_t offset, int *count);

/* Whether the half word is an instruction that branches to a fixed place in the object.
 * If so, `*to_section` and `*to_offset` get the place. */
bool disassembly_target(const Disassembly *dis, int section, uint32_t offset,
                        uint32_t instruction, int *to_section, uint32_t *to_offset);

/* Prints the source line that begins at this word, or (`low`) at the instruction in its
 * low half, and lines before it that were not printed yet. Prints nothing if there is
 * no source. */
void disassembly_source(Disassembly *dis, int section, uint32_t offset, bool low);
/* Returns the offset of the first word behind `offset` that comes from another source
 * line; at most `limit`. Returns `limit` if there is no source. */
uint32_t disassembly_source_end(const Disassembly *dis, int section, uint32_t offset,
                                uint32_t limit);

/* Prints one word in one or two lines. */
void disassembly_word(Disassembly *dis, int section, uint32_t offset);
/* Prints a run of equal words in one line. */
void disassembly_run(const Disassembly *dis, int section, uint32_t offset,
                     uint32_t count);
/* Whether the word is written as one or two instructions, not as data. */
bool disassembly_is_code(const Disassembly *dis, int section, uint32_t offset);

#endif
