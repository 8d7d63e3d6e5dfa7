/* Checking the frame of an ELF file, byte by byte, before libelf sees it. Whatever the
 * file says is compared with its size; nothing here allocates more than the file
 * holds.
 *
 *     e_ident, ELF header     read_ident, read_header, check_tables
 *     section headers         read_sections: types, ranges, links
 *     all of them together    check_overlap
 *     program headers         check_segments
 *
 * Each function fails with the offset of the field that is wrong. Numbers are compared
 * as size <= whole - offset, never as offset + size <= whole, which may wrap. */
#include "asm/objects/elf_reader.h"

#include "asm/objects/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* The machine comes first: everything else of a foreign file is of no interest. */
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

/* Where the header tables lie. Tables are at multiples of 8, so that libelf can use
 * them in place. */
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

/* Size and alignment against the file; string tables end with a zero byte. Null
 * sections and those without contents have no bytes in the file. */
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
    default: /* what is not loaded does not matter */
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
    uint64_t at; /* of the header that says so */
} Range;

/* By start; equal starts overlap in any order unless one is empty. */
static int compare_ranges(const void *a, const void *b) {
    const Range *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* No byte belongs to two things: a small file cannot pretend to hold much. It also
 * bounds what reading costs: sections that share bytes could make a file of a few
 * kilobytes hold gigabytes. */
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
    bool well = true;
    for (size_t i = 1; well && i < n; i++) {
        if (ranges[i].start < ranges[i - 1].end)
            well = ELF_FAIL(r, ranges[i].at, "parts of the file overlap at 0x%" PRIx64,
                            ranges[i].start);
    }
    heap_free(ranges);
    return well;
}

/* The sections say what is loaded where; segments must not say something impossible. */
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

/* The order matters: each step relies on the checks before it. */
bool elf_read_frame(ElfReader *reader) {
    return read_ident(reader) && read_header(reader) && check_tables(reader) &&
           read_sections(reader) && check_overlap(reader) && check_segments(reader);
}

const char *elf_read_string(ElfReader *reader, size_t strings, uint32_t place,
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
