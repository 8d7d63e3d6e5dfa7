/* Objects and images: what the assembler makes, the linker joins and the loader
 * reads, in memory and as ELF files. Uses emu/core and emu/isa only.
 *
 * In memory everything is in words: a section is an array of 36-bit words, values
 * and offsets are word addresses. In the ELF file a word is 8 bytes and addresses
 * and symbol values are word address * 8; absolute symbols are not scaled.
 *
 * Everything refers by index, so that arrays may move as they grow:
 *
 *     symbols  --section-->  sections
 *     relocs   --section-->  sections   --symbol-->  symbols   --file-->  files
 *     asserts  --symbol-->   symbols    --file-->  files
 *     lines    --section-->  sections   --file---->  files
 *     parts    --section-->  sections
 */
#ifndef JM_ASM_OBJECT_H
#define JM_ASM_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/core/status.h"
#include "emu/core/word.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the linker may put a section that has no address of its own. */
typedef enum {
    ASM_OBJECT_PLACE_VECTORS, /* 00040-000FF: fault and CALL vectors */
    ASM_OBJECT_PLACE_ONCHIP,  /* 00100-00FFF: code and data */
    ASM_OBJECT_PLACE_ROM,     /* 01000-01FFF */
    ASM_OBJECT_PLACE_EXTERNAL /* 02000-FFEFF */
} AsmObjectPlace;

/* Returns the name of a place in sources and listings: "vectors", "onchip", "rom" or
 * "external". */
const char *asm_object_place_name(AsmObjectPlace place);

enum { ASM_OBJECT_NO_ADDRESS = -1 };

typedef struct {
    char *name;
    AsmObjectPlace place;
    bool code;       /* holds instructions (SHF_EXECINSTR) */
    bool fill;       /* no contents in the file, words are NIL (SHT_NOBITS) */
    int32_t address; /* fixed word address, or ASM_OBJECT_NO_ADDRESS */
    uint32_t align;  /* power of two, in words, at least 1 */
    uint32_t size;   /* words */
    JmWord *words;   /* `size` words; NULL if fill */
} AsmObjectSection;

/* Section numbers of symbols that are in no section. */
enum { ASM_OBJECT_UNDEFINED = -1, ASM_OBJECT_ABSOLUTE = -2 };

typedef struct {
    char *name;
    int section;   /* index, ASM_OBJECT_UNDEFINED or ASM_OBJECT_ABSOLUTE */
    int64_t value; /* word offset in the section (image: word address); the value of an
                      absolute symbol */
    bool global;
    char *file; /* where it was defined, or first used; may be NULL */
    int line;   /* 0 if not known */
} AsmObjectSymbol;

/* A kind of relocation: what it patches, with S + A = symbol value + addend and P =
 * address of the patched word. The rows are in asm/objects/relocs.def. */
typedef enum {
#define RELOC(name, number, text) ASM_OBJECT_RELOC_##name = (number),
#include "asm/objects/relocs.def"
#undef RELOC
    ASM_OBJECT_RELOC_COUNT
} AsmObjectRelocType;

typedef struct {
    int section;     /* patched section */
    uint32_t offset; /* patched word */
    AsmObjectRelocType type;
    int symbol; /* index */
    int64_t addend;
    int file, line; /* source place for diagnostics; file -1 if not known */
} AsmObjectReloc;

/* How an assertion compares with 0. */
typedef enum {
    ASM_OBJECT_LT,
    ASM_OBJECT_LE,
    ASM_OBJECT_EQ,
    ASM_OBJECT_NE,
    ASM_OBJECT_GE,
    ASM_OBJECT_GT,
    ASM_OBJECT_COMPARE_COUNT
} AsmObjectCompare;

enum { ASM_OBJECT_TERMS = 8 }; /* most terms of an assertion */

typedef struct {
    int symbol; /* index */
    bool minus; /* its value is subtracted */
} AsmObjectTerm;

/* An assertion of the source that the linker checks: the sum of the number and the
 * terms, compared with 0. */
typedef struct {
    AsmObjectCompare compare;
    int64_t number; /* of 32 bits, signed */
    int terms;
    AsmObjectTerm term[ASM_OBJECT_TERMS];
    char *text;     /* of the message */
    int file, line; /* index in `files` */
} AsmObjectAssert;

/* A row of the line table: the words from `offset` on come from this line, up to the
 * next row. `low`: the row begins at the instruction in the low half of that word; it
 * comes after a row for the word itself. `goes_on`: the row for this word only
 * continues the row before it, whose last instruction is the high half of this word. */
typedef struct {
    int section;
    uint32_t offset;
    int file; /* index in `files` */
    int line; /* 1..; 0: not known from here on */
    bool low, goes_on;
} AsmObjectLine;

/* The origin of a part of a linked section; parts are sorted by section and offset. The
 * map prints it; it is not stored in files. */
typedef struct {
    int section;
    uint32_t offset, size; /* words */
    char *object;
} AsmObjectPart;

typedef struct AsmObject {
    bool image; /* linked: every section has an address, no relocations */
    AsmObjectSection *sections;
    int section_count;
    AsmObjectSymbol *symbols;
    int symbol_count;
    AsmObjectReloc *relocs;
    int reloc_count;
    AsmObjectAssert *asserts;
    int assert_count;
    AsmObjectLine *lines; /* sorted by section, then offset */
    int line_count;
    char **files;
    int file_count;
    AsmObjectPart *parts;
    int part_count;
} AsmObject;

/* Only the functions below make the arrays grow. */

AsmObject *asm_object_new(void);         /* NULL without memory */
void asm_object_free(AsmObject *object); /* NULL is ignored */

/* Each appends an item, copying its strings, and returns its index; without memory -1,
 * with the object unchanged. */
int asm_object_add_section(AsmObject *object, const char *name, AsmObjectPlace place,
                           bool code);
int asm_object_add_symbol(AsmObject *object, const char *name, int section,
                          int64_t value, bool global);
int asm_object_add_reloc(AsmObject *object, AsmObjectReloc reloc);
int asm_object_add_assert(AsmObject *object, const AsmObjectAssert *assert);
int asm_object_add_file(AsmObject *object, const char *name); /* reuses an equal name */
int asm_object_add_line(AsmObject *object, AsmObjectLine line);
/* Sorts lines as in `AsmObject.lines`: by section, offset, and half. Of two rows for
 * one place the one without a line comes first, so that the other overrides it. */
void asm_object_sort_lines(AsmObjectLine *lines, int count);
int asm_object_add_part(AsmObject *object, AsmObjectPart part);

/* Limits of what an object can hold, checked by reading and writing. */
enum {
    ASM_OBJECT_WORDS_MAX = 1 << 20,   /* words of a section */
    ASM_OBJECT_VALUE_MAX = 1 << 21,   /* of a symbol in a section, either sign */
    ASM_OBJECT_SECTIONS_MAX = 0x7E00, /* and as many with relocations: ELF's limit */
    ASM_OBJECT_NAME_MAX = 4095        /* characters of a name */
};

/* ELF files. Reading checks every field: a truncated, foreign or hostile file gives
 * an error with file and offset, nothing worse; running out of memory is an error too.
 * The caller frees objects with asm_object_free(). */
AsmObject *asm_object_read_memory(const void *bytes, size_t size, const char *name,
                                  JmError *error);
/* Returns the bytes of the file, malloc'ed, `*size` of them; `name` is for the error.
 * NULL and an error for an object that no file can hold, and without memory. */
void *asm_object_bytes(const AsmObject *object, const char *name, size_t *size,
                       JmError *error);

/* Whether the bytes start like an ELF file or an ar archive. */
bool asm_object_is_elf(const void *bytes, size_t size);
bool asm_object_is_archive(const void *bytes, size_t size);

/* Word address where execution starts after reset (MDP Architecture V11, 9). */
enum { ASM_OBJECT_START = 0x1000 };

/* Whether a section of an image has a word at this address. */
bool asm_object_covers(const AsmObject *image, uint32_t address);

/* Returns the least length that a word of this tag may have: a message counts its
 * header, and one of length 0 raises MSG where it arrives. */
int asm_object_length_min(unsigned tag);
/* Patches `word` by `type` with `value` = S + A (for branches: the target address,
 * `place` = P). False and a message without a place in `error` if it does not fit
 * (a value out of range, or a word of the wrong kind). */
bool asm_object_relocate(JmWord *word, AsmObjectRelocType type, int64_t value,
                         uint32_t place, JmError *error);

/* The symbol that covers word address `address` of an image: the nearest one at or
 * below it in the same section; NULL if none. `*offset` gets the distance. */
const AsmObjectSymbol *asm_object_symbol_at(const AsmObject *image, uint32_t address,
                                            uint32_t *offset);
/* Returns the symbol of that name, a global one if there is one; NULL if none. */
const AsmObjectSymbol *asm_object_symbol(const AsmObject *object, const char *name);
/* Whether `file`, a path of `length` characters, names the source file `name`: it may
 * be the end of its path, with any number of folders. */
bool asm_object_is_file(const char *name, const char *file, size_t length);
/* Finds the source file and line of word address `address` of an image; false if they
 * are not known. */
bool asm_object_line_at(const AsmObject *image, uint32_t address, const char **file,
                        int *line);
/* Finds the source file and line of the instruction in the high or low half
 * of word address `address` of an image; false if they are not known. */
bool asm_object_instruction_line(const AsmObject *image, uint32_t address, bool low,
                                 const char **file, int *line);

#ifdef __cplusplus
}
#endif

#endif
