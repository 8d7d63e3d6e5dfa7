/* The disassembler's inside, shared by the files of asm/disassembler only.
 *
 * Its text is source: assembled by mdpas and linked by mdpld it gives the same words at
 * the same addresses. Everything whose text would not do that is written as numbers. */
#ifndef JM_ASM_DISASSEMBLE_H
#define JM_ASM_DISASSEMBLE_H

#include <stdio.h>

#include "asm/disassembler/disassembler.h"
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

/* Names for symbols and sections, labels for symbols and branch targets. */
void disassembly_name(Disassembly *dis);

/* Index of the first label at or behind a place. */
int disassembly_label(const Disassembly *dis, int section, uint32_t offset);
/* The name of a place; NULL if it has none. */
const char *disassembly_label_at(const Disassembly *dis, int section, uint32_t offset);

/* Finds the section of an image that holds `address` or, if there is none, ends there;
 * false if there is neither. */
bool disassembly_find(const Disassembly *dis, uint32_t address, int *section,
                      uint32_t *offset);

/* The relocations of one word: the first and how many. */
const AsmObjectReloc *const *disassembly_relocs(const Disassembly *dis, int section,
                                                uint32_t offset, int *count);

/* Whether the half word is an instruction that branches to a fixed place; where, as
 * section and offset, if that place is in the object. */
bool disassembly_target(const Disassembly *dis, int section, uint32_t offset,
                        uint32_t instruction, int *to_section, uint32_t *to_offset);

/* Source text of what begins at this word or, `low`, at the instruction in its low
 * half: the line and those before it that were not shown yet. Nothing without a source.
 */
void disassembly_source(Disassembly *dis, int section, uint32_t offset, bool low);
/* The first word behind `offset` that comes from another line; `limit` if that is
 * nearer, or without a source. */
uint32_t disassembly_source_end(const Disassembly *dis, int section, uint32_t offset,
                                uint32_t limit);

/* One word as a line or two. */
void disassembly_word(Disassembly *dis, int section, uint32_t offset);
/* A run of equal words as one line. */
void disassembly_run(const Disassembly *dis, int section, uint32_t offset,
                     uint32_t count);
/* Whether the word is written as one or two instructions, not as data. */
bool disassembly_is_code(const Disassembly *dis, int section, uint32_t offset);

#endif
