/* Writes objects and images as ELF files, with libelf.
 *
 *     check_object    everything that reading would refuse is refused here
 *     elf_plan        sections and tables in order, contents ready
 *     place_sections  their offsets in the file
 *     put_...         handed to libelf, which writes the bytes
 *     jm_outfile_write   in the place of the old file, if there is one
 *
 * The layout is our own and not libelf's (ELF_F_LAYOUT): the same object gives the
 * same bytes with every version of it. */
#include "asm/objects/object.h"

#include "asm/objects/bytes.h"
#include "asm/objects/elf_plan.h"
#include "emu/core/outfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what can be written --------------------------------------------------------- */

/* Names of files are held to the same length as symbols: both go to string tables. */
static bool check_name(const char *name, const char *path, JmError *error) {
    return strlen(name) <= ASM_OBJECT_NAME_MAX ||
           jm_fail(error, path, "the name %.40s... is longer than %d characters", name,
                   ASM_OBJECT_NAME_MAX);
}

/* Reading an object back must never fail: these are the ranges of elf_contents.c. */
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
 * within reason. */
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

/* Sections lie in the file in their order, headers behind them. Returns where the
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

/* The entry is what the machine does at reset; nothing reads it but people. */
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

/* Program headers before sections: they lie in front of them in the file. */
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

/* libelf writes to files only; this one has no name, and goes when it is closed. libelf
 * does not say why a write failed, but leaves errno as the system call set it. */
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
        jm_fail(error, path, "out of memory");
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
        jm_fail(error, name, "out of memory");
    } else if (writing.well) {
        rewind(file);
        bytes = asm_bytes_read_stream(file, name, ASM_BYTES_MAX, size, error);
    }
    fclose(file);
    return bytes;
}

bool asm_object_write(const AsmObject *object, const char *path, JmError *error) {
    size_t size;
    void *bytes = asm_object_bytes(object, path, &size, error);
    const bool well = bytes && jm_outfile_write(path, bytes, size, NULL, error);
    free(bytes);
    return well;
}
