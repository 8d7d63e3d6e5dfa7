/* Malformed files: each gives an error with a place, or a sound object. */
#include "asm/asm.h"
#include "asm/objects/elf_format.h"
#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Reads `bytes`; an accepted object must be usable. True if it was accepted. */
static bool try_to_read(const unsigned char *bytes, size_t size) {
    JmError error = {.offset = -2};
    AsmObject *object = asm_object_read_memory(bytes, size, "hostile", &error);
    if (!object) {
        cr_expect_str_eq(error.file, "hostile");
        cr_expect_neq(error.text[0], '\0');
        cr_expect_geq(error.offset, 0);
        cr_expect_leq(error.offset, (int64_t)size + 64);
        return false;
    }
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    asm_disassemble(object, NULL, out);
    fclose(out);
    free(text);
    if (object->image) {
        uint32_t offset;
        asm_object_symbol_at(object, 0x100, &offset);
        free(asm_link_map(object));
        asm_object_free(object);
        return true;
    }
    AsmLinkInput *input = asm_link_input_new();
    asm_link_input_add_object(input, object, "hostile");
    AsmLinkResult result = asm_link_objects(input, NULL);
    asm_link_result_free(&result);
    asm_link_input_free(input);
    return true;
}

static void truncate_everywhere(AsmObject *object) {
    size_t size;
    unsigned char *bytes = file_bytes(object, &size);
    for (size_t length = 0; length < size; length++) {
        unsigned char *part = malloc(length + 1); /* so that a sanitizer sees the end */
        memcpy(part, bytes, length);
        part = realloc(part, length ? length : 1);
        cr_expect_not(try_to_read(part, length), "%zu bytes", length);
        free(part);
    }
    cr_expect(try_to_read(bytes, size));
    free(bytes);
    asm_object_free(object);
}

Test(hostile, a_truncated_file_is_an_error) {
    truncate_everywhere(sample_object());
    truncate_everywhere(sample_image());
}

static void change_everywhere(AsmObject *object) {
    static const unsigned char changes[] = {0xFF, 0x01, 0x80, 0x40};
    size_t size;
    unsigned char *bytes = file_bytes(object, &size);
    for (size_t i = 0; i < size; i++) {
        for (size_t c = 0; c < sizeof changes; c++) {
            bytes[i] ^= changes[c];
            try_to_read(bytes, size);
            bytes[i] ^= changes[c];
        }
    }
    cr_expect(try_to_read(bytes, size));
    free(bytes);
    asm_object_free(object);
}

Test(hostile, changed_bytes_never_crash) {
    change_everywhere(sample_object());
    change_everywhere(sample_image());
}

/* ---- single corruptions ---------------------------------------------------------- */

typedef struct {
    unsigned char *bytes;
    size_t size;
    Elf64_Ehdr *header;
    Elf64_Shdr *sections;
} File;

static File sample_file(AsmObject *object) {
    File file = {.bytes = file_bytes(object, &file.size)};
    asm_object_free(object);
    file.header = (Elf64_Ehdr *)file.bytes;
    file.sections = (Elf64_Shdr *)(file.bytes + file.header->e_shoff);
    return file;
}

static size_t section_of_type(const File *file, uint32_t type) {
    for (size_t i = 1; i < file->header->e_shnum; i++) {
        if (file->sections[i].sh_type == type)
            return i;
    }
    cr_assert_fail("no such section");
    return 0;
}

/* Returns the offset that the error speaks of. */
static int64_t refused(File *file, const char *why) {
    JmError error = {.text = ""};
    cr_expect_null(asm_object_read_memory(file->bytes, file->size, "lie", &error));
    cr_expect_not_null(strstr(error.text, why), "'%s' does not say '%s'", error.text,
                       why);
    free(file->bytes);
    return error.offset;
}

/* The error speaks of the entry that was changed, or of one of its neighbours. */
static void refused_there(File *file, const File *true_one, const char *why) {
    int64_t changed = 0;
    while (file->bytes[changed] == true_one->bytes[changed])
        changed++;
    const int64_t offset = refused(file, why);
    cr_expect(llabs(offset - changed) < 64, "at 0x%llx instead of 0x%llx",
              (long long)offset, (long long)changed);
    free(true_one->bytes);
}

#define LIE(name, why, change)                                                         \
    Test(lie, name) {                                                                  \
        File file = sample_file(sample_object());                                      \
        const File true_one = sample_file(sample_object());                            \
        change;                                                                        \
        refused_there(&file, &true_one, why);                                          \
    }

LIE(class, "64-bit", file.bytes[EI_CLASS] = ELFCLASS32)
LIE(byte_order, "little-endian", file.bytes[EI_DATA] = ELFDATA2MSB)
LIE(machine, "not for the MDP", file.header->e_machine = EM_X86_64)
LIE(shared_library, "neither", file.header->e_type = ET_DYN)
LIE(no_sections, "no section headers", file.header->e_shnum = 0)
LIE(many_sections, "beyond the end", file.header->e_shnum = 0xFFF0)
LIE(headers_far_away, "beyond the end", file.header->e_shoff = UINT64_MAX - 7)
LIE(entry_size, "section header size", file.header->e_shentsize = 32)
LIE(names_section, "section names", file.header->e_shstrndx = 0x4000)
LIE(names_not_strings, "does not hold strings", file.header->e_shstrndx = 1)
LIE(program_headers, "beyond the end", {
    file.header->e_phnum = 0xFFFF;
    file.header->e_phentsize = sizeof(Elf64_Phdr);
})
LIE(section_size, "beyond the end", file.sections[1].sh_size = UINT64_MAX - 7)
LIE(section_overlap, "overlap", file.sections[2].sh_offset = file.sections[1].sh_offset)
LIE(section_over_header, "overlap", file.sections[1].sh_offset = 0)
LIE(half_words, "whole words", file.sections[1].sh_size -= 4)
LIE(huge_fill, "whole words",
    { file.sections[section_of_type(&file, SHT_NOBITS)].sh_size = UINT64_C(8) << 32; })
LIE(alignment, "alignment", file.sections[1].sh_addralign = 24)
LIE(flags, "unknown flags", file.sections[1].sh_flags |= SHF_COMPRESSED)
LIE(address, "wrong address", file.sections[1].sh_addr = 8)
LIE(fixed_address, "wrong address", file.sections[3].sh_addr = UINT64_C(1) << 40)
LIE(name_far_away, "outside its string table", file.sections[1].sh_name = 1 << 30)
LIE(wide_word, "36 bits", file.bytes[file.sections[1].sh_offset + 5] = 1)
LIE(symbol_links, "does not hold strings",
    { file.sections[section_of_type(&file, SHT_SYMTAB)].sh_link = 1; })
LIE(symbol_locals, "more local symbols",
    { file.sections[section_of_type(&file, SHT_SYMTAB)].sh_info = 1000; })
LIE(symbol_entries, "24-byte entries",
    { file.sections[section_of_type(&file, SHT_SYMTAB)].sh_entsize = 1; })
LIE(strings_end, "not terminated",
    { file.sections[section_of_type(&file, SHT_STRTAB)].sh_size -= 1; })
LIE(relocates_nothing, "relocates no section",
    { file.sections[section_of_type(&file, SHT_RELA)].sh_info = 99; })
LIE(relocates_strings, "cannot be patched", {
    file.sections[section_of_type(&file, SHT_RELA)].sh_info = file.header->e_shstrndx;
})
LIE(relocations_without_symbols, "no symbol table",
    { file.sections[section_of_type(&file, SHT_RELA)].sh_link = 1; })

static Elf64_Rela *first_reloc(const File *file) {
    const size_t section = section_of_type(file, SHT_RELA);
    return (Elf64_Rela *)(file->bytes + file->sections[section].sh_offset);
}

LIE(relocation_beyond, "patches no word", first_reloc(&file)->r_offset = 1 << 20)
LIE(relocation_between, "patches no word", first_reloc(&file)->r_offset += 4)
LIE(relocation_type, "unknown relocation", first_reloc(&file)->r_info |= 0xFF)
LIE(relocation_next_type, "unknown relocation type 10",
    { first_reloc(&file)->r_info = ELF64_R_INFO(UINT64_C(1), ASM_OBJECT_RELOC_COUNT); })
LIE(relocation_large_type, "unknown relocation type 257",
    { first_reloc(&file)->r_info = ELF64_R_INFO(UINT64_C(1), 257); })
LIE(relocation_behind, "patches no word of code", first_reloc(&file)->r_offset = 19 * 8)
LIE(relocation_symbol, "against no symbol",
    { first_reloc(&file)->r_info = ELF64_R_INFO(UINT64_C(0xFFFFFF), 1); })
LIE(relocation_null_symbol, "against no symbol",
    { first_reloc(&file)->r_info = ELF64_R_INFO(UINT64_C(0), 1); })

/* The relocations of the second section; the third word of them is wrong. */
static Elf64_Rela *later_reloc(const File *file) {
    const size_t section = section_of_type(file, SHT_RELA) + 1;
    return (Elf64_Rela *)(file->bytes + file->sections[section].sh_offset) + 2;
}

LIE(later_relocation, "patches no word of rom", later_reloc(&file)->r_offset = 43 * 8)
LIE(symbol_behind, "against no symbol", {
    const Elf64_Shdr *symbols = &file.sections[section_of_type(&file, SHT_SYMTAB)];
    later_reloc(&file)->r_info =
        ELF64_R_INFO(symbols->sh_size / sizeof(Elf64_Sym), UINT64_C(1));
})
LIE(symbol_of_a_file, "against no symbol",
    { later_reloc(&file)->r_info = ELF64_R_INFO(UINT64_C(1), 1); })

/* Sections that hold no words have none to patch. */
Test(lie, relocation_of_fill) {
    File file = sample_file(sample_object());
    file.sections[section_of_type(&file, SHT_RELA)].sh_info =
        (Elf64_Word)section_of_type(&file, SHT_NOBITS);
    refused(&file, "patches no word of bss");
}

/* An image has been linked: nothing relocates it. */
Test(lie, relocation_of_an_image) {
    File file = sample_file(sample_object());
    file.header->e_type = ET_EXEC;
    for (size_t i = 1; i < file.header->e_shnum; i++)
        if (file.sections[i].sh_flags & SHF_ALLOC)
            file.sections[i].sh_addr = 0x1000 * 8 * i;
    Elf64_Shdr *symbols = &file.sections[section_of_type(&file, SHT_SYMTAB)];
    Elf64_Sym *symbol = (Elf64_Sym *)(file.bytes + symbols->sh_offset);
    for (size_t i = 1; i < symbols->sh_size / sizeof *symbol; i++)
        if (symbol[i].st_shndx == SHN_UNDEF)
            symbol[i].st_shndx = SHN_ABS;
    refused(&file, "cannot be patched");
}

static Elf64_Sym *last_symbol(const File *file) {
    const Elf64_Shdr *table = &file->sections[section_of_type(file, SHT_SYMTAB)];
    return (Elf64_Sym *)(file->bytes + table->sh_offset + table->sh_size) - 1;
}

LIE(symbol_value, "not the address of a word", {
    last_symbol(&file)->st_shndx = 1;
    last_symbol(&file)->st_value = 4;
})
LIE(symbol_section, "not loaded", last_symbol(&file)->st_shndx = SHN_COMMON)
LIE(symbol_binding, "neither local nor global",
    { last_symbol(&file)->st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE); })
LIE(symbol_name, "outside its string table", last_symbol(&file)->st_name = UINT32_MAX)

/* The line table is the section before the symbols. */
static unsigned char *line_table(const File *file) {
    return file->bytes +
           file->sections[section_of_type(file, SHT_SYMTAB) - 1].sh_offset;
}

LIE(line_magic, "line table", line_table (&file)[4] = 1)
LIE(line_files, "line table", line_table (&file)[5] = 0x7F)

Test(lie, symbol_order) {
    File file = sample_file(sample_object());
    file.sections[section_of_type(&file, SHT_SYMTAB)].sh_info = 1;
    refused(&file, "do not come first");
}

Test(lie, sections_of_an_image_overlap) {
    AsmObject *image = sample_image();
    image->sections[0].address = 0x107;
    File file = sample_file(image);
    refused(&file, "overlap at 00107");
}
