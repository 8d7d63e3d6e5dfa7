/* Reads objects and images from ELF files and memory: first the frame is checked, then
 * the contents of the tables. Without libelf, which trusts some offsets and sizes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/elf_format.h"
#include "asm/objects/mem.h"
#include "asm/objects/object.h"

typedef struct {
    Heap *heap; /* of this reading */
    const unsigned char *bytes;
    size_t size;
    const char *name; /* of the file, for messages */
    JmError *error;

    Elf64_Ehdr header;
    Elf64_Shdr *sections; /* `count`, as in the file */
    size_t count;
    size_t symtab, lines; /* section numbers, 0 if there is none */

    AsmObject *object;
    int *section_of;     /* object's section for an ELF section, -1 if none */
    int *symbol_of;      /* object's symbol for an ELF symbol, -1 if none */
    size_t symbol_count; /* of ELF symbols */
    bool well;           /* the file can be used */
} ElfReader;

/* Fails, giving the byte offset of the error. */
#define ELF_FAIL(reader, at, ...)                                                      \
    jm_fail_at((reader)->error, (reader)->name, (int64_t)(at), __VA_ARGS__)

/* Offset in the file of a field of section header `index`. */
#define ELF_SECTION_FIELD(reader, index, field)                                        \
    ((reader)->header.e_shoff + (index) * sizeof(Elf64_Shdr) +                         \
     offsetof(Elf64_Shdr, field))

/* ---- the frame ------------------------------------------------------------------- */

/* Checks the frame of an ELF file byte by byte. Every offset and size in the file is
 * compared with the file's size; nothing here allocates more than that.
 *
 *     e_ident, ELF header     read_ident, read_header, check_tables
 *     section headers         read_sections: types, ranges, links
 *     all of them together    check_overlap
 *     program headers         check_segments
 *
 * Each function fails with the offset of the field that is wrong. Numbers are compared
 * as size <= whole - offset, never as offset + size <= whole, which may wrap. */

/* Numbers in the file are little-endian, on any host. `size` is 1 to 8 bytes. */
static uint64_t number(const unsigned char *bytes, int size) {
    uint64_t value = 0;
    for (int i = size - 1; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

#define FIELD(bytes, type, field)                                                      \
    number((bytes) + offsetof(type, field), (int)sizeof((type){0}.field))

static bool in_file(const ElfReader *r, uint64_t offset, uint64_t size) {
    return offset <= r->size && size <= r->size - offset;
}

/* Checks in the order of the most useful message: not ELF at all, truncated, of another
 * kind. */
static bool read_ident(ElfReader *r) {
    if (r->size == 0)
        return ELF_FAIL(r, 0, "the file is empty");
    if (!asm_object_is_elf(r->bytes, r->size))
        return ELF_FAIL(r, 0, "not an ELF file");
    if (r->size < sizeof(Elf64_Ehdr))
        return ELF_FAIL(r, r->size, "the ELF header is cut off");
    if (r->bytes[EI_CLASS] != ELFCLASS64)
        return ELF_FAIL(r, EI_CLASS, "not a 64-bit ELF file");
    if (r->bytes[EI_DATA] != ELFDATA2LSB)
        return ELF_FAIL(r, EI_DATA, "not a little-endian ELF file");
    if (r->bytes[EI_VERSION] != EV_CURRENT)
        return ELF_FAIL(r, EI_VERSION, "unknown ELF version");
    return true;
}

/* The machine comes first: nothing else matters in a file for another machine. */
static bool read_header(ElfReader *r) {
    Elf64_Ehdr *h = &r->header;
    h->e_type = (Elf64_Half)FIELD(r->bytes, Elf64_Ehdr, e_type);
    h->e_machine = (Elf64_Half)FIELD(r->bytes, Elf64_Ehdr, e_machine);
    h->e_phoff = FIELD(r->bytes, Elf64_Ehdr, e_phoff);
    h->e_shoff = FIELD(r->bytes, Elf64_Ehdr, e_shoff);
    h->e_phnum = (Elf64_Half)FIELD(r->bytes, Elf64_Ehdr, e_phnum);
    h->e_shnum = (Elf64_Half)FIELD(r->bytes, Elf64_Ehdr, e_shnum);
    h->e_shstrndx = (Elf64_Half)FIELD(r->bytes, Elf64_Ehdr, e_shstrndx);
    if (h->e_machine != ELF_MDP_MACHINE)
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_machine),
                        "not for the MDP: ELF machine 0x%x instead of 0x%x",
                        (unsigned)h->e_machine, ELF_MDP_MACHINE);
    if (h->e_type != ET_REL && h->e_type != ET_EXEC)
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_type),
                        "neither a relocatable nor an executable file (type %u)",
                        (unsigned)h->e_type);
    if (FIELD(r->bytes, Elf64_Ehdr, e_version) != EV_CURRENT)
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_version), "unknown ELF version");
    if (FIELD(r->bytes, Elf64_Ehdr, e_flags) != 0)
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_flags), "unknown flags");
    if (FIELD(r->bytes, Elf64_Ehdr, e_ehsize) != sizeof(Elf64_Ehdr))
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_ehsize), "wrong ELF header size");
    return true;
}

/* Checks the positions of the header tables, which are multiples of 8. */
static bool check_tables(ElfReader *r) {
    const Elf64_Ehdr *h = &r->header;
    if (h->e_shnum == 0)
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_shnum), "no section headers");
    if (FIELD(r->bytes, Elf64_Ehdr, e_shentsize) != sizeof(Elf64_Shdr))
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_shentsize),
                        "wrong section header size");
    if (h->e_shoff % 8 != 0 ||
        !in_file(r, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return ELF_FAIL(
            r, offsetof(Elf64_Ehdr, e_shoff),
            "the section headers are misaligned or beyond the end of the file");
    if (h->e_shstrndx >= h->e_shnum || h->e_shstrndx == 0)
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_shstrndx),
                        "no such section for section names");
    if (h->e_phnum == 0)
        return true;
    if (FIELD(r->bytes, Elf64_Ehdr, e_phentsize) != sizeof(Elf64_Phdr))
        return ELF_FAIL(r, offsetof(Elf64_Ehdr, e_phentsize),
                        "wrong program header size");
    if (h->e_phoff % 8 != 0 ||
        !in_file(r, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr)))
        return ELF_FAIL(
            r, offsetof(Elf64_Ehdr, e_phoff),
            "the program headers are misaligned or beyond the end of the file");
    return true;
}

/* Field by field, so that host byte order and alignment do not matter. */
static Elf64_Shdr section_header(const unsigned char *at) {
    return (Elf64_Shdr){
        .sh_name = (Elf64_Word)FIELD(at, Elf64_Shdr, sh_name),
        .sh_type = (Elf64_Word)FIELD(at, Elf64_Shdr, sh_type),
        .sh_flags = FIELD(at, Elf64_Shdr, sh_flags),
        .sh_addr = FIELD(at, Elf64_Shdr, sh_addr),
        .sh_offset = FIELD(at, Elf64_Shdr, sh_offset),
        .sh_size = FIELD(at, Elf64_Shdr, sh_size),
        .sh_link = (Elf64_Word)FIELD(at, Elf64_Shdr, sh_link),
        .sh_info = (Elf64_Word)FIELD(at, Elf64_Shdr, sh_info),
        .sh_addralign = FIELD(at, Elf64_Shdr, sh_addralign),
        .sh_entsize = FIELD(at, Elf64_Shdr, sh_entsize),
    };
}

/* Checks a section's range against the file. String tables must end with a zero byte.
 * Null sections and those without contents have no bytes in the file. */
static bool check_range(ElfReader *r, size_t i) {
    const Elf64_Shdr *s = &r->sections[i];
    if (s->sh_type == SHT_NULL || s->sh_type == SHT_NOBITS)
        return true;
    if (!in_file(r, s->sh_offset, s->sh_size))
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_size),
                        "section %zu reaches beyond the end of the file", i);
    if (s->sh_type == SHT_STRTAB &&
        (s->sh_size == 0 || r->bytes[s->sh_offset + s->sh_size - 1] != 0))
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_size),
                        "the strings of section %zu are not terminated", i);
    return true;
}

/* Checks that a section holds strings. The last byte of such a section is zero
 * (check_range), so that every name in it ends. */
static bool check_strings(ElfReader *r, size_t index, uint64_t at) {
    return (index < r->count && r->sections[index].sh_type == SHT_STRTAB) ||
           ELF_FAIL(r, at, "section %zu does not hold strings", index);
}

/* Tables of fixed entries and the sections they refer to. A symbol table names its
 * strings in sh_link; relocations name the symbol table there and the section they
 * patch in sh_info. */
static bool check_links(ElfReader *r, size_t i) {
    const Elf64_Shdr *s = &r->sections[i];
    const bool symbols = s->sh_type == SHT_SYMTAB;
    if (!symbols && s->sh_type != SHT_RELA)
        return true;
    const size_t entry = symbols ? sizeof(Elf64_Sym) : sizeof(Elf64_Rela);
    if (s->sh_entsize != entry || s->sh_size % entry != 0 || s->sh_offset % 8 != 0)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_entsize),
                        "section %zu is not a table of %zu-byte entries", i, entry);
    if (!symbols) {
        if (s->sh_info == 0 || s->sh_info >= r->count)
            return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_info),
                            "section %zu relocates no section of the file", i);
        return (s->sh_link < r->count && s->sh_link == r->symtab) ||
               ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_link),
                        "the relocations of section %zu have no symbol table", i);
    }
    return check_strings(r, s->sh_link, ELF_SECTION_FIELD(r, i, sh_link));
}

static bool is_known_type(const Elf64_Shdr *s) {
    switch (s->sh_type) {
    case SHT_NULL:
    case SHT_PROGBITS:
    case SHT_NOBITS:
    case SHT_SYMTAB:
    case SHT_STRTAB:
    case SHT_RELA:
        return true;
    default: /* sections that are not loaded do not matter */
        return !(s->sh_flags & SHF_ALLOC) && s->sh_type != SHT_SYMTAB_SHNDX;
    }
}

/* Links are checked when all types are known. */
static bool read_sections(ElfReader *r) {
    r->count = r->header.e_shnum;
    r->sections = heap_alloc(r->heap, r->count * sizeof *r->sections);
    for (size_t i = 0; i < r->count; i++)
        r->sections[i] =
            section_header(r->bytes + r->header.e_shoff + i * sizeof(Elf64_Shdr));
    if (r->sections[0].sh_type != SHT_NULL)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, 0, sh_type), "section 0 is not null");
    for (size_t i = 1; i < r->count; i++) {
        if (!is_known_type(&r->sections[i]))
            return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_type),
                            "section %zu is of unknown type %u", i,
                            (unsigned)r->sections[i].sh_type);
        if (!check_range(r, i))
            return false;
        if (r->sections[i].sh_type != SHT_SYMTAB)
            continue;
        if (r->symtab != 0)
            return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_type),
                            "more than one symbol table");
        r->symtab = i;
    }
    for (size_t i = 1; i < r->count; i++) {
        if (!check_links(r, i))
            return false;
    }
    return check_strings(r, r->header.e_shstrndx, offsetof(Elf64_Ehdr, e_shstrndx));
}

typedef struct {
    uint64_t start, end;
    uint64_t at; /* of the header that gives the range */
} Range;

/* By start; equal starts overlap in any order unless one is empty. */
static int compare_ranges(const void *a, const void *b) {
    const Range *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Checks that no byte belongs to two parts of the file. Sections that share bytes could
 * make a file of a few kilobytes expand to gigabytes. */
static bool check_overlap(ElfReader *r) {
    const Elf64_Ehdr *h = &r->header;
    Range *ranges = heap_alloc(r->heap, (r->count + 3) * sizeof *ranges);
    size_t n = 0;
    ranges[n++] = (Range){0, sizeof(Elf64_Ehdr), 0};
    ranges[n++] = (Range){h->e_shoff, h->e_shoff + r->count * sizeof(Elf64_Shdr),
                          offsetof(Elf64_Ehdr, e_shoff)};
    if (h->e_phnum > 0)
        ranges[n++] = (Range){h->e_phoff, h->e_phoff + h->e_phnum * sizeof(Elf64_Phdr),
                              offsetof(Elf64_Ehdr, e_phoff)};
    for (size_t i = 1; i < r->count; i++) {
        const Elf64_Shdr *s = &r->sections[i];
        if (s->sh_type != SHT_NULL && s->sh_type != SHT_NOBITS && s->sh_size > 0)
            ranges[n++] = (Range){s->sh_offset, s->sh_offset + s->sh_size,
                                  ELF_SECTION_FIELD(r, i, sh_offset)};
    }
    qsort(ranges, n, sizeof *ranges, compare_ranges);
    for (size_t i = 1; i < n; i++) {
        if (ranges[i].start < ranges[i - 1].end)
            return ELF_FAIL(r, ranges[i].at, "parts of the file overlap at 0x%" PRIx64,
                            ranges[i].start);
    }
    return true;
}

/* Sections determine what is loaded and where; segments are only checked for impossible
 * values. */
static bool check_segments(ElfReader *r) {
    for (size_t i = 0; i < r->header.e_phnum; i++) {
        const uint64_t place = r->header.e_phoff + i * sizeof(Elf64_Phdr);
        const unsigned char *at = r->bytes + place;
        if (FIELD(at, Elf64_Phdr, p_type) != PT_LOAD)
            continue;
        const uint64_t file_size = FIELD(at, Elf64_Phdr, p_filesz);
        const uint64_t size = FIELD(at, Elf64_Phdr, p_memsz);
        const uint64_t address = FIELD(at, Elf64_Phdr, p_vaddr);
        const uint64_t top = (uint64_t)(JM_ADDRESS_MASK + 1) * ELF_MDP_WORD;
        if (!in_file(r, FIELD(at, Elf64_Phdr, p_offset), file_size) || file_size > size)
            return ELF_FAIL(r, place, "segment %zu reaches beyond the end of the file",
                            i);
        if (address > top || size > top - address)
            return ELF_FAIL(r, place, "segment %zu is outside the address space", i);
    }
    return true;
}

/* The name at `place` of string section `strings`; NULL and an error (at byte `at`) if
 * the name is outside the section or too long. */
static const char *elf_read_string(ElfReader *reader, size_t strings, uint32_t place,
                                   uint64_t at) {
    const Elf64_Shdr *section = &reader->sections[strings];
    if (place >= section->sh_size) {
        ELF_FAIL(reader, at, "a name lies outside its string table");
        return NULL;
    }
    /* Terminated: the last byte of a string section is zero. */
    const char *name = (const char *)reader->bytes + section->sh_offset + place;
    if (strnlen(name, ASM_OBJECT_NAME_MAX + 1) > ASM_OBJECT_NAME_MAX) {
        ELF_FAIL(reader, at, "a name is longer than %d characters",
                 ASM_OBJECT_NAME_MAX);
        return NULL;
    }
    return name;
}

/* Checks the whole frame: file header, section and program headers, their ranges in the
 * file and in memory, their links. The order matters: each step relies on the checks
 * before it. */
static bool elf_read_frame(ElfReader *reader) {
    return read_ident(reader) && read_header(reader) && check_tables(reader) &&
           read_sections(reader) && check_overlap(reader) && check_segments(reader);
}

/* ---- the contents ---------------------------------------------------------------- */

/* Makes an object from the sections of an ELF file whose frame is sound. Every value in
 * its tables is checked before it is used.
 *
 *     ELF section  --section_of-->  section of the object, -1 if it is not loaded
 *     ELF symbol   --symbol_of--->  symbol of the object, -1 for files and sections
 *
 * Sections come first, since everything else refers to them; then symbols,
 * relocations, lines. asm_object_bytes() checks the same ranges, so that every file it
 * writes can be read. */

/* ---- sections -------------------------------------------------------------------- */

/* An alignment is a power of two of whole words. Unknown flags are refused, because
 * they may change the meaning of the section. */
static bool check_loaded(ElfReader *r, size_t i) {
    const Elf64_Shdr *s = &r->sections[i];
    const uint64_t known =
        SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR | ELF_MDP_PLACE_MASK | ELF_MDP_FIXED;
    if (s->sh_type != SHT_PROGBITS && s->sh_type != SHT_NOBITS)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_type),
                        "section %zu cannot be loaded", i);
    if (s->sh_flags & ~known)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_flags),
                        "section %zu has unknown flags 0x%" PRIx64, i,
                        s->sh_flags & ~known);
    if (s->sh_size % ELF_MDP_WORD != 0 ||
        s->sh_size / ELF_MDP_WORD > ASM_OBJECT_WORDS_MAX)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_size),
                        "section %zu is not 0 to %d whole words", i,
                        ASM_OBJECT_WORDS_MAX);
    const uint64_t align = s->sh_addralign;
    if (align < ELF_MDP_WORD || (align & (align - 1)) != 0 ||
        align / ELF_MDP_WORD > ASM_OBJECT_WORDS_MAX)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_addralign),
                        "section %zu has a wrong alignment", i);
    return true;
}

/* A section without a fixed address must have address zero: any other would be lost. */
static bool read_address(ElfReader *r, size_t i, AsmObjectSection *section) {
    const Elf64_Shdr *s = &r->sections[i];
    const bool fixed = r->object->image || (s->sh_flags & ELF_MDP_FIXED);
    const uint64_t top = (uint64_t)(JM_ADDRESS_MASK + 1) * ELF_MDP_WORD;
    if (fixed ? s->sh_addr % ELF_MDP_WORD != 0 || s->sh_addr >= top ||
                    s->sh_size > top - s->sh_addr
              : s->sh_addr != 0)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_addr),
                        "section %zu has a wrong address", i);
    if (fixed)
        section->address = (int32_t)(s->sh_addr / ELF_MDP_WORD);
    return true;
}

/* Eight bytes a word, least significant first; the upper 28 bits are zero. */
static bool read_words(ElfReader *r, size_t i, AsmObjectSection *section) {
    const Elf64_Shdr *s = &r->sections[i];
    const uint32_t size = section->size;
    section->words = heap_need(r->heap, calloc(size + 1, sizeof *section->words));
    for (uint32_t w = 0; w < size; w++) {
        const uint64_t bits =
            number(r->bytes + s->sh_offset + (size_t)w * ELF_MDP_WORD, ELF_MDP_WORD);
        if (bits > JM_WORD_MASK)
            return ELF_FAIL(r, s->sh_offset + (uint64_t)w * ELF_MDP_WORD,
                            "a word has more than 36 bits");
        section->words[w] = (JmWord){bits};
    }
    return true;
}

static bool read_loaded(ElfReader *r, size_t i, const char *name) {
    const Elf64_Shdr *s = &r->sections[i];
    if (!check_loaded(r, i))
        return false;
    const AsmObjectPlace place =
        (AsmObjectPlace)((s->sh_flags & ELF_MDP_PLACE_MASK) >> ELF_MDP_PLACE_SHIFT);
    r->section_of[i] =
        mem_index(r->heap, asm_object_add_section(r->object, name, place,
                                                  (s->sh_flags & SHF_EXECINSTR) != 0));
    AsmObjectSection *section = &r->object->sections[r->section_of[i]];
    section->align = (uint32_t)(s->sh_addralign / ELF_MDP_WORD);
    section->size = (uint32_t)(s->sh_size / ELF_MDP_WORD);
    section->fill = s->sh_type == SHT_NOBITS;
    return read_address(r, i, section) && (section->fill || read_words(r, i, section));
}

/* The sections of an image hold every word at most once. Sorted by address, it is
 * enough to look at neighbours. */
static bool check_image(ElfReader *r) {
    const AsmObject *image = r->object;
    int count;
    const int *order = object_by_address(r->heap, image, false, &count);
    for (int i = 1; i < count; i++) {
        const AsmObjectSection *before = &image->sections[order[i - 1]];
        const AsmObjectSection *section = &image->sections[order[i]];
        if ((uint32_t)section->address < (uint32_t)before->address + before->size)
            return ELF_FAIL(r, r->header.e_shoff,
                            "sections %.80s and %.80s overlap at %05X", before->name,
                            section->name, (unsigned)section->address);
    }
    return true;
}

/* Sections that are not loaded may be anything, except for the one line table. The line
 * table is found by its name, because it has no section type of its own. */
static bool make_sections(ElfReader *r) {
    for (size_t i = 1; i < r->count; i++) {
        const Elf64_Shdr *s = &r->sections[i];
        const char *name = elf_read_string(r, r->header.e_shstrndx, s->sh_name,
                                           ELF_SECTION_FIELD(r, i, sh_name));
        if (!name)
            return false;
        if ((s->sh_flags & SHF_ALLOC) && s->sh_type != SHT_NULL) {
            if (!read_loaded(r, i, name))
                return false;
        } else if (s->sh_type == SHT_PROGBITS && strcmp(name, ELF_MDP_LINE_NAME) == 0) {
            if (r->lines != 0)
                return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_name),
                                "more than one line table");
            r->lines = i;
        }
    }
    if (r->object->section_count > ASM_OBJECT_SECTIONS_MAX)
        return ELF_FAIL(r, r->header.e_shoff, "more than %d loaded sections",
                        ASM_OBJECT_SECTIONS_MAX);
    return !r->object->image || check_image(r);
}

/* ---- symbols --------------------------------------------------------------------- */

/* Section of the object, ASM_OBJECT_UNDEFINED or ASM_OBJECT_ABSOLUTE. Common symbols
 * and other reserved numbers are reported as "not loaded". */
static bool symbol_section(ElfReader *r, const Elf64_Sym *symbol, uint64_t at,
                           int *section) {
    if (symbol->st_shndx == SHN_UNDEF) {
        *section = ASM_OBJECT_UNDEFINED;
        return !r->object->image || ELF_FAIL(r, at, "an undefined symbol in an image");
    }
    if (symbol->st_shndx == SHN_ABS) {
        *section = ASM_OBJECT_ABSOLUTE;
        return true;
    }
    *section = symbol->st_shndx < r->count ? r->section_of[symbol->st_shndx] : -1;
    return *section >= 0 ||
           ELF_FAIL(r, at, "a symbol in section %u, which is not loaded",
                    (unsigned)symbol->st_shndx);
}

/* Weak symbols are refused, because the linker does not support them. */
static bool read_symbol(ElfReader *r, size_t i, const Elf64_Sym *symbol) {
    const Elf64_Shdr *table = &r->sections[r->symtab];
    const uint64_t at = table->sh_offset + i * sizeof *symbol;
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);
    const unsigned bind = ELF64_ST_BIND(symbol->st_info);
    if (bind != STB_LOCAL && bind != STB_GLOBAL)
        return ELF_FAIL(r, at, "a symbol that is neither local nor global");
    if ((bind == STB_LOCAL) != (i < table->sh_info))
        return ELF_FAIL(r, at, "local symbols do not come first");
    const char *name = elf_read_string(r, table->sh_link, symbol->st_name, at);
    if (!name)
        return false;
    if (type == STT_FILE || type == STT_SECTION)
        return true;

    int section;
    if (!symbol_section(r, symbol, at, &section))
        return false;
    int64_t value = (int64_t)symbol->st_value;
    if (section >= 0) {
        /* A symbol may lie beside its section (label - 4), not beside the memory. */
        const int64_t most = (int64_t)ASM_OBJECT_VALUE_MAX * ELF_MDP_WORD;
        if (value % ELF_MDP_WORD != 0 || value < -most || value > most)
            return ELF_FAIL(r, at, "%.80s is not the address of a word", name);
        value /= ELF_MDP_WORD;
    }
    const int64_t held = section == ASM_OBJECT_UNDEFINED ? 0 : value;
    r->symbol_of[i] =
        mem_index(r->heap, asm_object_add_symbol(r->object, name, section, held,
                                                 bind == STB_GLOBAL));
    return true;
}

/* Symbol 0 is the null symbol. */
static bool read_symbols(ElfReader *r) {
    if (r->symtab == 0)
        return true;
    const Elf64_Shdr *table = &r->sections[r->symtab];
    r->symbol_count = table->sh_size / sizeof(Elf64_Sym);
    r->symbol_of = heap_alloc(r->heap, r->symbol_count * sizeof *r->symbol_of);
    if (table->sh_info > r->symbol_count)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, r->symtab, sh_info),
                        "more local symbols than symbols");
    for (size_t i = 0; i < r->symbol_count; i++) {
        r->symbol_of[i] = -1;
        const unsigned char *at = r->bytes + table->sh_offset + i * sizeof(Elf64_Sym);
        const Elf64_Sym symbol = {
            .st_name = (Elf64_Word)FIELD(at, Elf64_Sym, st_name),
            .st_info = (unsigned char)FIELD(at, Elf64_Sym, st_info),
            .st_shndx = (Elf64_Section)FIELD(at, Elf64_Sym, st_shndx),
            .st_value = FIELD(at, Elf64_Sym, st_value),
        };
        if (i > 0 && !read_symbol(r, i, &symbol))
            return false;
    }
    return true;
}

/* ---- relocations ----------------------------------------------------------------- */

/* The linker checks whether the type can patch this word, because it can report the
 * source line. */
static bool read_reloc(ElfReader *r, int section, const Elf64_Rela *rela, uint64_t at) {
    const AsmObjectSection *patched = &r->object->sections[section];
    const uint64_t symbol = ELF64_R_SYM(rela->r_info);
    const uint64_t type = ELF64_R_TYPE(rela->r_info);
    if (rela->r_offset % ELF_MDP_WORD != 0 ||
        rela->r_offset / ELF_MDP_WORD >= patched->size || patched->fill)
        return ELF_FAIL(r, at, "a relocation patches no word of %.80s", patched->name);
    if (type >= ASM_OBJECT_RELOC_COUNT)
        return ELF_FAIL(r, at, "unknown relocation type %" PRIu64, type);
    if (symbol >= r->symbol_count || r->symbol_of[symbol] < 0)
        return ELF_FAIL(r, at, "a relocation against no symbol");
    const AsmObjectReloc reloc = {
        .section = section,
        .offset = (uint32_t)(rela->r_offset / ELF_MDP_WORD),
        .type = (AsmObjectRelocType)type,
        .symbol = r->symbol_of[symbol],
        .addend = rela->r_addend,
        .file = -1,
    };
    mem_index(r->heap, asm_object_add_reloc(r->object, reloc));
    return true;
}

static bool read_reloc_section(ElfReader *r, size_t i) {
    const Elf64_Shdr *s = &r->sections[i];
    const int section = r->section_of[s->sh_info];
    if (r->object->image || section < 0)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, i, sh_info),
                        "section %zu relocates a section that cannot be patched", i);
    const size_t count = s->sh_size / sizeof(Elf64_Rela);
    for (size_t n = 0; n < count; n++) {
        const uint64_t place = s->sh_offset + n * sizeof(Elf64_Rela);
        const unsigned char *at = r->bytes + place;
        const Elf64_Rela rela = {
            .r_offset = FIELD(at, Elf64_Rela, r_offset),
            .r_info = FIELD(at, Elf64_Rela, r_info),
            .r_addend = (Elf64_Sxword)FIELD(at, Elf64_Rela, r_addend),
        };
        if (!read_reloc(r, section, &rela, place))
            return false;
    }
    return true;
}

/* Reads relocations in the order of their sections in the file: the line table counts
 * them in that order. */
static bool read_relocs(ElfReader *r) {
    for (size_t i = 1; i < r->count; i++) {
        if (r->sections[i].sh_type == SHT_RELA && !read_reloc_section(r, i))
            return false;
    }
    return true;
}

/* ---- source places --------------------------------------------------------------- */

/* Checks section, symbol and relocation numbers, which elf_line_decode() cannot check
 * because it does not know how many there are. */
static bool check_lines(ElfReader *r, const ElfLineTable *table) {
    const AsmObject *object = r->object;
    for (int i = 0; i < object->line_count; i++) {
        const AsmObjectLine *row = &object->lines[i];
        if (row->section >= object->section_count ||
            row->offset > object->sections[row->section].size)
            return false;
    }
    for (int i = 0; i < table->symbols.count; i++) {
        const uint32_t index = table->symbols.items[i].index;
        if (index >= r->symbol_count || r->symbol_of[index] < 0)
            return false;
    }
    for (int i = 0; i < table->relocs.count; i++) {
        if (table->relocs.items[i].index >= (uint32_t)object->reloc_count)
            return false;
    }
    for (int i = 0; i < object->assert_count; i++) {
        for (int k = 0; k < object->asserts[i].terms; k++) {
            const uint32_t index = (uint32_t)object->asserts[i].term[k].symbol;
            if (index >= r->symbol_count || r->symbol_of[index] < 0)
                return false;
        }
    }
    return true;
}

/* Each symbol owns the name of its file. */
static void set_places(ElfReader *r, const ElfLineTable *table) {
    AsmObject *object = r->object;
    for (int i = 0; i < table->symbols.count; i++) {
        const ElfPlace *place = &table->symbols.items[i];
        AsmObjectSymbol *symbol = &object->symbols[r->symbol_of[place->index]];
        const char *file = object->files[place->file];
        free(symbol->file);
        symbol->file = NULL;
        symbol->file = mem_outside(r->heap, file);
        symbol->line = place->line;
    }
    for (int i = 0; i < table->relocs.count; i++) {
        const ElfPlace *place = &table->relocs.items[i];
        object->relocs[place->index].file = place->file;
        object->relocs[place->index].line = place->line;
    }
    for (int i = 0; i < object->assert_count; i++) {
        AsmObjectAssert *assert = &object->asserts[i];
        for (int k = 0; k < assert->terms; k++)
            assert->term[k].symbol = r->symbol_of[assert->term[k].symbol];
    }
}

static bool read_lines(ElfReader *r) {
    if (r->lines == 0)
        return true;
    const Elf64_Shdr *s = &r->sections[r->lines];
    ElfLineTable table = {.object = r->object};
    size_t at;
    const char *wrong;
    if (!elf_line_decode(r->heap, r->bytes + s->sh_offset, s->sh_size, &table, &at,
                         &wrong))
        return ELF_FAIL(r, s->sh_offset + at, "%s", wrong);
    if (!check_lines(r, &table))
        return ELF_FAIL(r, s->sh_offset,
                        "a reference in the line table is out of range");
    set_places(r, &table);
    return true;
}

/* Sections with their words, symbols, relocations, lines: the object. The reader owns
 * all that was made so far, and frees it after an error too. */
static bool elf_read_contents(ElfReader *reader) {
    reader->object = heap_need(reader->heap, asm_object_new());
    reader->object->image = reader->header.e_type == ET_EXEC;
    reader->section_of =
        heap_alloc(reader->heap, reader->count * sizeof *reader->section_of);
    for (size_t i = 0; i < reader->count; i++)
        reader->section_of[i] = -1;
    return make_sections(reader) && read_symbols(reader) && read_relocs(reader) &&
           read_lines(reader);
}

/* ---- a file ---------------------------------------------------------------------- */

bool asm_object_is_elf(const void *bytes, size_t size) {
    return size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

static void read_work(Heap *heap, void *context) {
    ElfReader *r = context;
    r->heap = heap;
    r->well = elf_read_frame(r) && elf_read_contents(r);
}

/* After an error everything is freed: no object is returned half read. */
AsmObject *asm_object_read_memory(const void *bytes, size_t size, const char *name,
                                  JmError *error) {
    ElfReader reader = {.bytes = bytes, .size = size, .name = name, .error = error};
    if (!heap_run(read_work, &reader))
        reader.well = jm_fail_memory(error, name, "out of memory");
    if (reader.well)
        return reader.object;
    asm_object_free(reader.object);
    return NULL;
}
