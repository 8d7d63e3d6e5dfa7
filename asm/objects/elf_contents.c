/* Makes an object from the sections of an ELF file whose frame is sound. Tables come
 * from libelf; every value in them is checked before it is used.
 *
 *     ELF section  --section_of-->  section of the object, -1 if it is not loaded
 *     ELF symbol   --symbol_of--->  symbol of the object, -1 for files and sections
 *
 * Sections come first, since everything else refers to them; then symbols,
 * relocations, lines. asm_object_write checks the same ranges, so that what was written
 * can be read. */
#include "asm/objects/elf_reader.h"

#include "asm/objects/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- sections -------------------------------------------------------------------- */

/* An alignment is a power of two of whole words. Flags that are not known may mean
 * that the section is not what it seems. */
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

/* Eight bytes a word, least significant first; the upper 28 bits are zero. From the
 * raw bytes, not through libelf's conversion: a word is not a type of ELF. */
static bool read_words(ElfReader *r, size_t i, AsmObjectSection *section) {
    const Elf64_Shdr *s = &r->sections[i];
    const Elf_Data *data = elf_rawdata(elf_getscn(r->elf, i), NULL);
    const uint32_t size = section->size;
    if (size > 0 && (!data || !data->d_buf || data->d_size != s->sh_size))
        return ELF_FAIL(r, s->sh_offset, "cannot read section %zu: %s", i,
                        elf_errmsg(-1));
    section->words =
        heap_need(r->heap, calloc(mem_capacity(size) + 1, sizeof *section->words));
    for (uint32_t w = 0; w < size; w++) {
        const unsigned char *bytes =
            (const unsigned char *)data->d_buf + (size_t)w * ELF_MDP_WORD;
        uint64_t bits = 0;
        for (int b = ELF_MDP_WORD - 1; b >= 0; b--)
            bits = bits << 8 | bytes[b];
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
    int *order = object_by_address(r->heap, image, &count);
    bool well = true;
    for (int i = 1; well && i < count; i++) {
        const AsmObjectSection *before = &image->sections[order[i - 1]];
        const AsmObjectSection *section = &image->sections[order[i]];
        if ((uint32_t)section->address < (uint32_t)before->address + before->size)
            well = ELF_FAIL(r, r->header.e_shoff,
                            "sections %.80s and %.80s overlap at %05X", before->name,
                            section->name, (unsigned)section->address);
    }
    heap_free(order);
    return well;
}

/* Sections that are not loaded may be anything, except for the one line table. The
 * line table is found by its name: it is no section type of its own. */
static bool read_sections(ElfReader *r) {
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
 * and other reserved numbers fall under "not loaded". */
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

/* Weak symbols are refused rather than treated as something they are not. */
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
            return ELF_FAIL(r, at, "the value of %.80s is no word address", name);
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
    const Elf_Data *data = elf_getdata(elf_getscn(r->elf, r->symtab), NULL);
    if (r->symbol_count > 0 && (!data || data->d_size != table->sh_size))
        return ELF_FAIL(r, table->sh_offset, "cannot read the symbols: %s",
                        elf_errmsg(-1));
    if (table->sh_info > r->symbol_count)
        return ELF_FAIL(r, ELF_SECTION_FIELD(r, r->symtab, sh_info),
                        "more local symbols than symbols");
    for (size_t i = 0; i < r->symbol_count; i++) {
        r->symbol_of[i] = -1;
        const Elf64_Sym *symbol = (const Elf64_Sym *)data->d_buf + i;
        if (i > 0 && !read_symbol(r, i, symbol))
            return false;
    }
    return true;
}

/* ---- relocations ----------------------------------------------------------------- */

/* Whether the word is one that the type can patch is for the linker to say, with the
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
                        "section %zu relocates what is not to be linked", i);
    const size_t count = s->sh_size / sizeof(Elf64_Rela);
    const Elf_Data *data = elf_getdata(elf_getscn(r->elf, i), NULL);
    if (count > 0 && (!data || data->d_size != s->sh_size))
        return ELF_FAIL(r, s->sh_offset, "cannot read the relocations: %s",
                        elf_errmsg(-1));
    for (size_t n = 0; n < count; n++) {
        const Elf64_Rela *rela = (const Elf64_Rela *)data->d_buf + n;
        if (!read_reloc(r, section, rela, s->sh_offset + n * sizeof *rela))
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
    for (int i = 0; i < table->line_count; i++) {
        const AsmObjectLine *row = &table->lines[i];
        if (row->section >= r->object->section_count ||
            row->offset > r->object->sections[row->section].size)
            return false;
    }
    for (int i = 0; i < table->symbols.count; i++) {
        const uint32_t index = table->symbols.items[i].index;
        if (index >= r->symbol_count || r->symbol_of[index] < 0)
            return false;
    }
    for (int i = 0; i < table->relocs.count; i++) {
        if (table->relocs.items[i].index >= (uint32_t)r->object->reloc_count)
            return false;
    }
    return true;
}

/* The table's arrays become the object's. Names of files move over; the symbols get
 * copies, since each owns its own. */
static void take_lines(ElfReader *r, ElfLineTable *table) {
    AsmObject *object = r->object;
    for (int i = 0; i < table->symbols.count; i++) {
        const ElfPlace *place = &table->symbols.items[i];
        AsmObjectSymbol *symbol = &object->symbols[r->symbol_of[place->index]];
        const char *file = table->files[place->file];
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
    object->files = table->files;
    object->file_count = table->file_count;
    object->lines = table->lines;
    object->line_count = table->line_count;
    table->files = NULL;
    table->file_count = 0;
    table->lines = NULL;
}

static bool read_lines(ElfReader *r) {
    if (r->lines == 0)
        return true;
    const Elf64_Shdr *s = &r->sections[r->lines];
    size_t at;
    const char *wrong;
    if (!elf_line_decode(r->heap, r->bytes + s->sh_offset, s->sh_size, &r->places, &at,
                         &wrong))
        return ELF_FAIL(r, s->sh_offset + at, "%s", wrong);
    if (!check_lines(r, &r->places))
        return ELF_FAIL(r, s->sh_offset, "the line table speaks of what is not there");
    take_lines(r, &r->places);
    return true;
}

/* The reader owns all that was made so far, and frees it after an error too. */
bool elf_read_contents(ElfReader *reader) {
    reader->object = heap_need(reader->heap, asm_object_new());
    reader->object->image = reader->header.e_type == ET_EXEC;
    reader->section_of =
        heap_alloc(reader->heap, reader->count * sizeof *reader->section_of);
    for (size_t i = 0; i < reader->count; i++)
        reader->section_of[i] = -1;
    return read_sections(reader) && read_symbols(reader) && read_relocs(reader) &&
           read_lines(reader);
}
