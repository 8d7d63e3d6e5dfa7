/* Writes objects and images as ELF files, with libelf.
 *
 *     check_object       refuses everything that reading would refuse
 *     elf_plan           sections and tables in order, contents ready
 *     place_sections     their offsets in the file
 *     put_...            handed to libelf, which writes the bytes
 *
 * The layout is our own and not libelf's (ELF_F_LAYOUT): the same object gives the
 * same bytes with every version of it. */
#include <errno.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "asm/objects/elf_format.h"
#include "asm/objects/mem.h"
#include "asm/objects/names.h"
#include "asm/objects/object.h"

typedef struct {
    Elf64_Shdr header; /* without sh_offset */
    Elf_Type type;     /* of the contents */
    void *bytes;       /* NULL for SHT_NOBITS and empty sections */
} ElfPlanSection;

typedef struct {
    ElfPlanSection *sections; /* 0 is the null section */
    size_t count;
    int *segments; /* object sections in the order of their program headers */
    int segment_count;
} ElfPlan;

/* ---- the plan -------------------------------------------------------------------- */

/* Lays an object out as ELF sections:
 *
 *     0            null
 *     1..n         the object's sections
 *     n+1..        one .rela<name> for each that has relocations
 *     then         .mdp.line, .symtab, .strtab, .shstrtab
 */

typedef struct {
    char *bytes;
    size_t size;
} Strings;

typedef struct {
    Heap *heap;
    const AsmObject *object;
    ElfPlan plan;
    Strings names, symbol_names;
    Elf64_Sym *symbols; /* the table, which becomes the plan's */
    size_t symbol_count;
    uint32_t locals;      /* how many of them are local, the null symbol included */
    uint32_t *elf_symbol; /* ELF index of every symbol of the object */
    int *reloc_order;     /* relocations by section */
    ElfLineTable lines;
} Planner;

/* Equal strings are not shared: names in one object are few. */
static uint32_t add_string(Planner *p, Strings *strings, const char *text) {
    const uint32_t place = (uint32_t)strings->size;
    do {
        strings->bytes = mem_grow(p->heap, strings->bytes, strings->size, 1);
        strings->bytes[strings->size++] = *text;
    } while (*text++);
    return place;
}

/* Appends a section; returns its number. The plan takes over `bytes`. */
static uint32_t add_section(Planner *p, const char *name, Elf64_Shdr header,
                            Elf_Type type, void *bytes) {
    header.sh_name = add_string(p, &p->names, name);
    ElfPlan *plan = &p->plan;
    plan->sections =
        mem_grow(p->heap, plan->sections, plan->count, sizeof *plan->sections);
    plan->sections[plan->count] = (ElfPlanSection){header, type, bytes};
    return (uint32_t)plan->count++;
}

static bool all_nil(const AsmObjectSection *section) {
    for (uint32_t i = 0; !section->fill && i < section->size; i++) {
        if (!jm_same(section->words[i], JM_NIL))
            return false;
    }
    return true;
}

/* A word is eight bytes, least significant first, on any host. */
static void *words_to_bytes(Planner *p, const JmWord *words, uint32_t count) {
    unsigned char *bytes = heap_alloc(p->heap, (size_t)count * ELF_MDP_WORD);
    for (uint32_t i = 0; i < count; i++) {
        for (int b = 0; b < ELF_MDP_WORD; b++)
            bytes[(size_t)i * ELF_MDP_WORD + (size_t)b] =
                (unsigned char)(words[i].bits >> (8 * b));
    }
    return bytes;
}

/* A section of NILs needs no room in the file, unless relocations will patch it. */
static void plan_words(Planner *p, const AsmObjectSection *section, bool patched) {
    const bool fixed = section->address != ASM_OBJECT_NO_ADDRESS;
    const bool fill = section->size > 0 && !patched && all_nil(section);
    Elf64_Shdr header = {
        .sh_type = fill ? SHT_NOBITS : SHT_PROGBITS,
        .sh_flags = SHF_ALLOC | (section->code ? SHF_EXECINSTR : SHF_WRITE) |
                    (uint64_t)section->place << ELF_MDP_PLACE_SHIFT |
                    (fixed ? ELF_MDP_FIXED : 0),
        .sh_addr = fixed ? (uint64_t)section->address * ELF_MDP_WORD : 0,
        .sh_size = (uint64_t)section->size * ELF_MDP_WORD,
        .sh_addralign = (uint64_t)section->align * ELF_MDP_WORD,
    };
    void *bytes = fill ? NULL : words_to_bytes(p, section->words, section->size);
    add_section(p, section->name, header, ELF_T_BYTE, bytes);
}

static bool is_global(const AsmObjectSymbol *symbol) {
    return symbol->global || symbol->section == ASM_OBJECT_UNDEFINED;
}

/* Types are left out: no instruction or word says which labels are functions. */
static Elf64_Sym elf_symbol(Planner *p, const AsmObjectSymbol *symbol) {
    Elf64_Sym out = {
        .st_name = add_string(p, &p->symbol_names, symbol->name),
        .st_info = is_global(symbol) ? ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)
                                     : ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE),
    };
    if (symbol->section == ASM_OBJECT_UNDEFINED) {
        out.st_shndx = SHN_UNDEF;
    } else if (symbol->section == ASM_OBJECT_ABSOLUTE) {
        out.st_shndx = SHN_ABS;
        out.st_value = (uint64_t)symbol->value;
    } else {
        out.st_shndx = (Elf64_Section)(symbol->section + 1);
        out.st_value = (uint64_t)symbol->value * ELF_MDP_WORD;
    }
    return out;
}

static void append_symbol(Planner *p, Elf64_Sym symbol) {
    p->symbols = mem_grow(p->heap, p->symbols, p->symbol_count, sizeof *p->symbols);
    p->symbols[p->symbol_count++] = symbol;
}

/* A symbol of type STT_FILE in front of the locals of each source file, as `nm` and
 * debuggers expect it; `*file` is the last one that was named. */
static void mark_file(Planner *p, const AsmObjectSymbol *symbol, const char **file) {
    if (!symbol->file || (*file && strcmp(*file, symbol->file) == 0))
        return;
    *file = symbol->file;
    append_symbol(p, (Elf64_Sym){.st_name = add_string(p, &p->symbol_names, *file),
                                 .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FILE),
                                 .st_shndx = SHN_ABS});
}

/* ELF requires local symbols to come first. */
static void make_symbols(Planner *p) {
    const AsmObject *object = p->object;
    const char *file = NULL;
    append_symbol(p, (Elf64_Sym){0});
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < object->symbol_count; i++) {
            const AsmObjectSymbol *symbol = &object->symbols[i];
            if (is_global(symbol) != (pass == 1))
                continue;
            if (pass == 0)
                mark_file(p, symbol, &file);
            p->elf_symbol[i] = (uint32_t)p->symbol_count;
            append_symbol(p, elf_symbol(p, symbol));
        }
        if (pass == 0)
            p->locals = (uint32_t)p->symbol_count;
    }
}

/* Relocation sections are filled in the order of the sections they patch: a counting
 * sort. starts[s]..starts[s+1] are those of section s. The counts are kept one place
 * further on, so that filling in leaves the starts behind. */
static int *order_relocs(Planner *p) {
    const AsmObject *object = p->object;
    int *starts =
        heap_alloc(p->heap, ((size_t)object->section_count + 2) * sizeof *starts);
    p->reloc_order =
        heap_alloc(p->heap, (size_t)object->reloc_count * sizeof *p->reloc_order);
    for (int i = 0; i < object->reloc_count; i++)
        starts[object->relocs[i].section + 2]++;
    for (int s = 1; s < object->section_count; s++)
        starts[s + 1] += starts[s];
    for (int i = 0; i < object->reloc_count; i++)
        p->reloc_order[starts[object->relocs[i].section + 1]++] = i;
    return starts;
}

static void plan_relocs(Planner *p, int section, const int *order, int count,
                        uint32_t symtab) {
    Elf64_Rela *table = heap_alloc(p->heap, (size_t)count * sizeof *table);
    for (int i = 0; i < count; i++) {
        const AsmObjectReloc *reloc = &p->object->relocs[order[i]];
        table[i] = (Elf64_Rela){
            .r_offset = (uint64_t)reloc->offset * ELF_MDP_WORD,
            .r_info = ELF64_R_INFO((uint64_t)p->elf_symbol[reloc->symbol],
                                   (uint64_t)reloc->type),
            .r_addend = reloc->addend,
        };
    }
    const Elf64_Shdr header = {
        .sh_type = SHT_RELA,
        .sh_flags = SHF_INFO_LINK,
        .sh_size = (uint64_t)count * sizeof *table,
        .sh_link = symtab,
        .sh_info = (uint32_t)section + 1,
        .sh_addralign = 8,
        .sh_entsize = sizeof *table,
    };
    const char *patched = p->object->sections[section].name;
    const size_t size = strlen(patched) + sizeof ".rela";
    char *name = heap_alloc(p->heap, size);
    snprintf(name, size, ".rela%s", patched);
    add_section(p, name, header, ELF_T_RELA, table);
}

/* Adds a file to the line table; returns its number. */
static int add_file(Planner *p, Names *numbers, char *name) {
    AsmObject *to = p->lines.object;
    const int number = to->file_count++;
    to->files = mem_grow(p->heap, to->files, (size_t)number, sizeof *to->files);
    to->files[number] = name;
    names_set(numbers, name, number);
    return number;
}

/* A symbol may name a file that no line does. */
static int file_number(Planner *p, Names *numbers, char *name) {
    const int number = names_find(numbers, name);
    return number >= 0 ? number : add_file(p, numbers, name);
}

static void add_place(Planner *p, ElfPlaces *places, uint32_t index, int file,
                      int line) {
    places->items =
        mem_grow(p->heap, places->items, (size_t)places->count, sizeof(ElfPlace));
    places->items[places->count++] = (ElfPlace){index, file, line};
}

/* By the index of the ELF symbol: locals come first there, so the order differs from
 * the object's. */
static int compare_places(const void *a, const void *b) {
    const ElfPlace *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* Collects the source places of symbols and relocations, for which ELF has no fields.
 * Relocations are counted in the order in which they are written, not in the
 * object's. */
static void collect_places(Planner *p, Names *numbers) {
    const AsmObject *object = p->object;
    ElfLineTable *table = &p->lines;
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &object->symbols[i];
        if (symbol->file)
            add_place(p, &table->symbols, p->elf_symbol[i],
                      file_number(p, numbers, symbol->file), symbol->line);
    }
    if (table->symbols.count > 0)
        qsort(table->symbols.items, (size_t)table->symbols.count, sizeof(ElfPlace),
              compare_places);
    for (int i = 0; i < object->reloc_count; i++) {
        const AsmObjectReloc *reloc = &object->relocs[p->reloc_order[i]];
        if (reloc->file >= 0)
            add_place(p, &table->relocs, (uint32_t)i, reloc->file, reloc->line);
    }
}

/* Assertions with the numbers that their symbols have in the file. */
static void collect_asserts(Planner *p) {
    const AsmObject *object = p->object;
    AsmObject *to = p->lines.object;
    to->asserts =
        heap_alloc(p->heap, (size_t)object->assert_count * sizeof *to->asserts);
    for (; to->assert_count < object->assert_count; to->assert_count++) {
        AsmObjectAssert *assert = &to->asserts[to->assert_count];
        *assert = object->asserts[to->assert_count];
        for (int k = 0; k < assert->terms; k++)
            assert->term[k].symbol = (int)p->elf_symbol[assert->term[k].symbol];
    }
}

/* The contents of the line section; NULL if no source place is known. The table
 * borrows names from the object, and is only here to be encoded. */
static unsigned char *make_lines(Planner *p, size_t *size) {
    const AsmObject *object = p->object;
    AsmObject *to = p->lines.object = heap_alloc(p->heap, sizeof *to);
    Names numbers = {.heap = p->heap};
    for (int i = 0; i < object->file_count; i++)
        add_file(p, &numbers, object->files[i]);
    collect_places(p, &numbers);
    collect_asserts(p);
    to->lines = heap_alloc(p->heap, (size_t)object->line_count * sizeof *to->lines);
    for (; to->line_count < object->line_count; to->line_count++)
        to->lines[to->line_count] = object->lines[to->line_count];
    asm_object_sort_lines(to->lines, to->line_count);

    return to->file_count > 0 ? elf_line_encode(p->heap, &p->lines, size) : NULL;
}

/* The size comes last: the name of .shstrtab is one of its own strings. */
static void plan_strings(Planner *p, const char *name, Strings *strings) {
    const uint32_t own =
        add_section(p, name, (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_addralign = 1},
                    ELF_T_BYTE, NULL);
    /* The name of the section may have been added to these very strings. */
    p->plan.sections[own].bytes = strings->bytes;
    p->plan.sections[own].header.sh_size = strings->size;
}

/* The object's sections; returns how many of them are patched. Section i of the object
 * is ELF section i + 1: symbols and relocations rely on it. */
static size_t plan_contents(Planner *p, const int *starts) {
    size_t relocated = 0;
    for (int i = 0; i < p->object->section_count; i++) {
        const bool patched = starts[i + 1] > starts[i];
        plan_words(p, &p->object->sections[i], patched);
        relocated += patched;
    }
    return relocated;
}

static void plan_symbols(Planner *p, uint32_t symtab) {
    const Elf64_Shdr header = {
        .sh_type = SHT_SYMTAB,
        .sh_size = p->symbol_count * sizeof *p->symbols,
        .sh_link = symtab + 1, /* .strtab comes next */
        .sh_info = p->locals,
        .sh_addralign = 8,
        .sh_entsize = sizeof *p->symbols,
    };
    add_section(p, ".symtab", header, ELF_T_SYM, p->symbols);
}

static void plan_lines(Planner *p, unsigned char *lines, size_t size) {
    const Elf64_Shdr header = {
        .sh_type = SHT_PROGBITS, .sh_size = size, .sh_addralign = 1};
    add_section(p, ELF_MDP_LINE_NAME, header, ELF_T_BYTE, lines);
}

/* The plan lasts as long as the heap. Relocation sections name the symbol table, which
 * comes after them, so its number is computed before they are made. */
static ElfPlan elf_plan(Heap *heap, const AsmObject *object) {
    Planner p = {.heap = heap, .object = object};
    size_t line_bytes = 0;
    add_string(&p, &p.symbol_names, "");
    add_section(&p, "", (Elf64_Shdr){0}, ELF_T_BYTE, NULL);
    p.elf_symbol =
        heap_alloc(heap, (size_t)object->symbol_count * sizeof *p.elf_symbol);
    int *starts = order_relocs(&p);
    make_symbols(&p);
    const size_t relocated = plan_contents(&p, starts);
    unsigned char *lines = make_lines(&p, &line_bytes);
    const uint32_t symtab = (uint32_t)(p.plan.count + relocated + (lines ? 1 : 0));
    for (int i = 0; i < object->section_count; i++) {
        if (starts[i + 1] > starts[i])
            plan_relocs(&p, i, p.reloc_order + starts[i], starts[i + 1] - starts[i],
                        symtab);
    }
    if (lines)
        plan_lines(&p, lines, line_bytes);
    plan_symbols(&p, symtab);
    plan_strings(&p, ".strtab", &p.symbol_names);
    plan_strings(&p, ".shstrtab", &p.names);
    if (object->image) /* ELF wants segments in the order of their addresses */
        p.plan.segments = object_by_address(heap, object, false, &p.plan.segment_count);
    return p.plan;
}

/* ---- what can be written --------------------------------------------------------- */

/* Names of files have the same limit as symbols, because both go to string tables. */
static bool check_name(const char *name, const char *path, JmError *error) {
    return strlen(name) <= ASM_OBJECT_NAME_MAX ||
           jm_fail(error, path, "the name %.40s... is longer than %d characters", name,
                   ASM_OBJECT_NAME_MAX);
}

/* Reading an object back must never fail: these are the ranges of elf_read.c. */
static bool check_section(const AsmObject *object, const AsmObjectSection *section,
                          const char *path, JmError *error) {
    if (!check_name(section->name, path, error))
        return false;
    if (section->size > ASM_OBJECT_WORDS_MAX)
        return jm_fail(error, path, "section %s has more than %d words", section->name,
                       ASM_OBJECT_WORDS_MAX);
    const bool placed = section->address != ASM_OBJECT_NO_ADDRESS;
    if (object->image && !placed)
        return jm_fail(error, path, "section %s has no address", section->name);
    if (placed && (section->address < 0 ||
                   section->address + (int64_t)section->size > JM_ADDRESS_MASK + 1))
        return jm_fail(error, path, "section %s is outside the address space",
                       section->name);
    return true;
}

/* A label plus or minus a number may lie outside its section and even outside memory,
 * up to ASM_OBJECT_VALUE_MAX. */
static bool check_symbol(const AsmObjectSymbol *symbol, const char *path,
                         JmError *error) {
    if (!check_name(symbol->name, path, error) ||
        (symbol->file && !check_name(symbol->file, path, error)))
        return false;
    return symbol->section < 0 ||
           (symbol->value >= -ASM_OBJECT_VALUE_MAX &&
            symbol->value <= ASM_OBJECT_VALUE_MAX) ||
           jm_fail(error, path, "the symbol %s is too far from memory", symbol->name);
}

/* A section without contents in memory has none to patch. */
static bool check_reloc(const AsmObject *object, const AsmObjectReloc *reloc,
                        const char *path, JmError *error) {
    const AsmObjectSection *section = &object->sections[reloc->section];
    return (!section->fill && reloc->offset < section->size) ||
           jm_fail(error, path, "a relocation of section %s patches no word",
                   section->name);
}

static bool check_object(const AsmObject *object, const char *path, JmError *error) {
    if (object->section_count > ASM_OBJECT_SECTIONS_MAX)
        return jm_fail(error, path, "more than %d sections", ASM_OBJECT_SECTIONS_MAX);
    for (int i = 0; i < object->section_count; i++) {
        if (!check_section(object, &object->sections[i], path, error))
            return false;
    }
    for (int i = 0; i < object->symbol_count; i++) {
        if (!check_symbol(&object->symbols[i], path, error))
            return false;
    }
    for (int i = 0; i < object->reloc_count; i++) {
        if (!check_reloc(object, &object->relocs[i], path, error))
            return false;
    }
    return true;
}

/* ---- the file -------------------------------------------------------------------- */

static uint64_t align8(uint64_t offset) {
    return (offset + 7) & ~UINT64_C(7);
}

/* Sections are in the file in their order, followed by their headers. Returns where the
 * section headers begin. */
static uint64_t place_sections(ElfPlan *plan) {
    uint64_t offset =
        sizeof(Elf64_Ehdr) + (uint64_t)plan->segment_count * sizeof(Elf64_Phdr);
    for (size_t i = 1; i < plan->count; i++) {
        Elf64_Shdr *header = &plan->sections[i].header;
        offset = align8(offset);
        header->sh_offset = offset;
        if (header->sh_type != SHT_NOBITS)
            offset += header->sh_size;
    }
    return align8(offset);
}

/* The entry is the reset address; only people read it. */
static bool put_header(Elf *elf, const AsmObject *object, const ElfPlan *plan,
                       uint64_t section_headers) {
    Elf64_Ehdr *header = elf64_newehdr(elf);
    if (!header)
        return false;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_type = object->image ? ET_EXEC : ET_REL;
    header->e_machine = ELF_MDP_MACHINE;
    header->e_version = EV_CURRENT;
    header->e_entry = object->image ? ELF_MDP_ENTRY * ELF_MDP_WORD : 0;
    header->e_phoff = plan->segment_count > 0 ? sizeof(Elf64_Ehdr) : 0;
    header->e_shoff = section_headers;
    header->e_shstrndx = (Elf64_Half)(plan->count - 1);
    return true;
}

/* One loadable segment for every section that is not empty. */
static bool put_segments(Elf *elf, const ElfPlan *plan) {
    if (plan->segment_count == 0)
        return true;
    Elf64_Phdr *segments = elf64_newphdr(elf, (size_t)plan->segment_count);
    if (!segments)
        return false;
    for (int i = 0; i < plan->segment_count; i++) {
        const Elf64_Shdr *header = &plan->sections[plan->segments[i] + 1].header;
        const bool fill = header->sh_type == SHT_NOBITS;
        segments[i] = (Elf64_Phdr){
            .p_type = PT_LOAD,
            .p_flags = PF_R | (header->sh_flags & SHF_EXECINSTR ? PF_X : PF_W),
            .p_offset = header->sh_offset,
            .p_vaddr = header->sh_addr,
            .p_paddr = header->sh_addr,
            .p_filesz = fill ? 0 : header->sh_size,
            .p_memsz = header->sh_size,
            .p_align = ELF_MDP_WORD,
        };
    }
    return true;
}

/* Returns a new section, or NULL. libelf returns one that must not be touched, and sets
 * its error, if there is no memory for the header. */
static Elf_Scn *new_section(Elf *elf) {
    elf_errno(); /* forgets earlier errors */
    Elf_Scn *scn = elf_newscn(elf);
    return elf_errno() == 0 ? scn : NULL;
}

/* The data stay the plan's: libelf only points to them until the file is written. */
static bool put_section(Elf *elf, const ElfPlanSection *section) {
    Elf_Scn *scn = new_section(elf);
    Elf64_Shdr *header = scn ? elf64_getshdr(scn) : NULL;
    Elf_Data *data = scn ? elf_newdata(scn) : NULL;
    if (!header || !data)
        return false;
    *header = section->header;
    data->d_type = section->type;
    data->d_buf = section->bytes;
    data->d_size = section->header.sh_size;
    data->d_align = 1;
    data->d_version = EV_CURRENT;
    return true;
}

/* Program headers come before sections, as in the file. */
static bool put_all(Elf *elf, const AsmObject *object, ElfPlan *plan) {
    const uint64_t section_headers = place_sections(plan);
    if (!put_header(elf, object, plan, section_headers) || !put_segments(elf, plan))
        return false;
    for (size_t i = 1; i < plan->count; i++) {
        if (!put_section(elf, &plan->sections[i]))
            return false;
    }
    elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
    return elf_update(elf, ELF_C_WRITE) >= 0;
}

/* Says that the temporary file of the output `name` cannot be written. It lies in a
 * folder of its own, which may be full while that of the output is not. */
static bool fail_temporary(const char *name, const char *reason, JmError *error) {
    return jm_fail(error, name, "cannot write a temporary file in " P_tmpdir ": %s",
                   reason);
}

/* libelf writes only to files; this one has no name and disappears when it is closed.
 * libelf does not say why a write failed, but leaves errno as the system call set
 * it. */
static bool write_elf(Heap *heap, const AsmObject *object, FILE *file, const char *path,
                      JmError *error) {
    ElfPlan plan = elf_plan(heap, object);
    if (elf_version(EV_CURRENT) == EV_NONE)
        return jm_fail(error, path, "libelf: %s", elf_errmsg(-1));
    Elf *elf = elf_begin(fileno(file), ELF_C_WRITE, NULL);
    if (!elf)
        return jm_fail(error, path, "libelf: %s", elf_errmsg(-1));
    errno = 0;
    const bool well = put_all(elf, object, &plan);
    if (!well && errno == ENOMEM)
        jm_fail_memory(error, path, "out of memory");
    else if (!well)
        fail_temporary(path, errno ? strerror(errno) : elf_errmsg(-1), error);
    elf_end(elf);
    return well;
}

typedef struct {
    const AsmObject *object;
    FILE *file;
    const char *path;
    JmError *error;
    bool well;
} Writing;

static void write_work(Heap *heap, void *context) {
    Writing *w = context;
    w->well = write_elf(heap, w->object, w->file, w->path, w->error);
}

void *asm_object_bytes(const AsmObject *object, const char *name, size_t *size,
                       JmError *error) {
    if (!check_object(object, name, error))
        return NULL;
    FILE *file = tmpfile();
    if (!file) {
        fail_temporary(name, strerror(errno), error);
        return NULL;
    }
    unsigned char *bytes = NULL;
    Writing writing = {object, file, name, error, false};
    if (!heap_run(write_work, &writing)) {
        jm_fail_memory(error, name, "out of memory");
    } else if (writing.well) {
        rewind(file);
        bytes = asm_bytes_read_stream(file, name, ASM_BYTES_MAX, size, error);
    }
    fclose(file);
    return bytes;
}
