/* Loads ELF images into nodes and answers questions about their symbols and lines. With
 * savefile.c the only file of emu/machine that includes asm's objects. */
#include "asm/objects/bytes.h"
#include "asm/objects/object.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/core/sourcetext.h"
#include "emu/machine/calls_inline.h"
#include "emu/machine/load/program.h"

/* A program image, shared by machines and checkpoints in any thread. */
struct Program {
    AsmObject *image; /* sections, symbols and lines */
    void *bytes;      /* the file, for saved machines */
    size_t size;
    int64_t made;             /* when, as jm_text_time() */
    _Atomic uint32_t holders; /* references; dropping the last frees it */
};

const AsmObject *program_image(const JmMachine *machine) {
    return machine->program ? machine->program->image : NULL;
}

void program_hold(Program *program) {
    if (program)
        atomic_fetch_add(&program->holders, 1);
}

void program_drop(Program *program) {
    if (!program || atomic_fetch_sub(&program->holders, 1) != 1)
        return;
    asm_object_free(program->image);
    free(program->bytes);
    free(program);
}

void program_set_time(JmMachine *machine, int64_t made) {
    if (machine->program)
        machine->program->made = made;
}

/* Returns when the newest source of a program was written. */
static int64_t newest_source(const AsmObject *image) {
    int64_t newest = INT64_MIN;
    for (int i = 0; i < image->file_count; i++) {
        const int64_t time = jm_text_time(image->files[i]);
        newest = time > newest ? time : newest;
    }
    return newest;
}

const void *program_bytes(const Program *program, size_t *size) {
    *size = program ? program->size : 0;
    return program ? program->bytes : NULL;
}

/* Makes a program from `image`, which it takes over, and a copy of the file. NULL: no
 * memory. */
static Program *new_program(AsmObject *image, const void *bytes, size_t size) {
    Program *program = malloc(sizeof *program);
    void *copy = malloc(size);
    if (!program || !copy) {
        free(program);
        free(copy);
        asm_object_free(image);
        return NULL;
    }
    program->image = image;
    program->bytes = memcpy(copy, bytes, size);
    program->size = size;
    program->made = newest_source(image);
    atomic_init(&program->holders, 1);
    return program;
}

bool program_set_name(JmMachine *machine, const char *name) {
    char *copy = name ? strdup(name) : NULL;
    if (name && !copy)
        return false;
    free(machine->program_name);
    machine->program_name = copy;
    return true;
}

const char *jm_program_name(const JmMachine *machine) {
    call_looks(machine);
    return machine->program_name;
}

/* Whether every section lies in memory. Words at FFF00 to FFF0F may be loaded, too: a
 * machine without a host page sees them. */
static bool check_sections(const AsmObject *image, const char *name, JmError *error) {
    for (int i = 0; i < image->section_count; i++) {
        const AsmObjectSection *s = &image->sections[i];
        if (s->size && (s->address < 0 || s->address > JM_ADDRESS_MASK ||
                        s->size > (uint32_t)(JM_ADDRESS_MASK + 1 - s->address)))
            return jm_fail(error, name, "section %s does not lie in memory", s->name);
    }
    return true;
}

/* Places a section. A fill section is cleared, because something else may have been
 * loaded there before. */
static void place_section(JmMachine *machine, int node,
                          const AsmObjectSection *section) {
    const uint32_t address = (uint32_t)section->address;
    if (section->size && section->fill)
        loader_clear(machine, node, address, section->size);
    else if (section->size)
        loader_place(machine, node, address, section->words, section->size);
}

Program *program_read(const void *bytes, size_t size, const char *name,
                      JmError *error) {
    AsmObject *image = asm_object_read_memory(bytes, size, name, error);
    if (!image)
        return NULL;
    if (image->image && check_sections(image, name, error)) {
        Program *program = new_program(image, bytes, size);
        if (!program)
            jm_fail(error, name, "out of memory");
        return program;
    }
    if (!image->image)
        jm_fail(error, name, "a relocatable object: link it with mdpld first");
    asm_object_free(image);
    return NULL;
}

/* Reports that memory has run out. Only part of the program has been loaded, so the
 * machine must not run. */
static bool starved(JmMachine *machine, const char *name, JmError *error) {
    machine_starve(machine);
    return jm_fail(error, name, "out of memory");
}

bool jm_load_elf(JmMachine *machine, const void *bytes, size_t size, const char *name,
                 int node, JmError *error) {
    call_changes(machine);
    call_nodes(machine, node);
    assert(bytes);
    Program *program = program_read(bytes, size, name, error);
    if (!program)
        return false;
    for (int i = 0; i < program->image->section_count; i++)
        place_section(machine, node, &program->image->sections[i]);
    program_drop(machine->program);
    machine->program = program;
    if (!program_set_name(machine, name) || machine_is_starved(machine))
        return starved(machine, name, error);
    loader_start(machine, node);
    return true;
}

/* ---- whole files ----------------------------------------------------------------- */

JmInputs *jm_inputs(JmMachine *machine) {
    call_looks(machine);
    return &machine->inputs;
}

bool jm_load_file(JmMachine *machine, const char *path, int node, JmError *error) {
    call_changes(machine);
    call_nodes(machine, node);
    assert(path);
    size_t size = 0;
    unsigned char *bytes = asm_bytes_read(path, &size, error);
    if (!bytes)
        return false;
    if (!jm_inputs_add(&machine->inputs, path)) {
        free(bytes);
        return jm_fail(error, path, "out of memory");
    }
    const bool elf = asm_object_is_elf(bytes, size);
    const bool done = elf ? jm_load_elf(machine, bytes, size, path, node, error)
                          : jm_load_text(machine, (char *)bytes, size, path, error);
    free(bytes);
    if (elf && done)
        program_set_time(machine, jm_text_time(path));
    return done;
}

/* ---- symbols --------------------------------------------------------------------- */

/* Returns a symbol that is defined, or NULL. */
static const AsmObjectSymbol *find(const JmMachine *machine, const char *name) {
    if (!machine->program)
        return NULL;
    const AsmObjectSymbol *symbol = asm_object_symbol(machine->program->image, name);
    return symbol && symbol->section != ASM_OBJECT_UNDEFINED ? symbol : NULL;
}

bool jm_symbol(const JmMachine *machine, const char *name, uint32_t *value) {
    call_looks(machine);
    assert(name && value);
    const AsmObjectSymbol *symbol = find(machine, name);
    if (symbol)
        *value = (uint32_t)symbol->value;
    return symbol != NULL;
}

bool jm_symbol_word(const JmMachine *machine, const char *name, uint32_t *address) {
    call_looks(machine);
    assert(name && address);
    const AsmObjectSymbol *symbol = find(machine, name);
    if (!symbol || symbol->section < 0 || symbol->value < 0 ||
        symbol->value > JM_ADDRESS_MASK)
        return false;
    *address = (uint32_t)symbol->value;
    return true;
}

/* Splits "FILE:label". Returns the length of FILE, 0 without one. */
static size_t file_of_name(const char **name) {
    const char *colon = strrchr(*name, ':');
    const size_t length = colon ? (size_t)(colon - *name) : 0;
    *name = colon ? colon + 1 : *name;
    return length;
}

/* A name to look up, in the file whose name has `length`; 0: in any. */
typedef struct {
    const char *name, *file;
    size_t length;
} Sought;

static bool is_sought(const AsmObjectSymbol *symbol, const Sought *sought) {
    return symbol->section != ASM_OBJECT_UNDEFINED &&
           strcmp(symbol->name, sought->name) == 0 &&
           (!sought->length ||
            (symbol->file &&
             asm_object_is_file(symbol->file, sought->file, sought->length)));
}

/* Whether a symbol before number `end` is the same place as symbol `end`. */
static bool came_before(const AsmObject *image, int end, const Sought *sought) {
    const AsmObjectSymbol *last = &image->symbols[end];
    for (int i = 0; i < end; i++) {
        const AsmObjectSymbol *symbol = &image->symbols[i];
        if (symbol->value == last->value &&
            (symbol->section >= 0) == (last->section >= 0) && is_sought(symbol, sought))
            return true;
    }
    return false;
}

unsigned jm_symbol_places(const JmMachine *machine, const char *name,
                          JmSymbolPlace *places, unsigned most) {
    assert(name && (places || most == 0));
    const AsmObject *image = program_image(machine);
    Sought sought = {.name = name, .file = name};
    sought.length = file_of_name(&sought.name);
    unsigned count = 0;
    for (int i = 0; image && i < image->symbol_count; i++) {
        const AsmObjectSymbol *s = &image->symbols[i];
        if (!is_sought(s, &sought) || came_before(image, i, &sought))
            continue;
        if (count < most)
            places[count] =
                (JmSymbolPlace){(uint32_t)s->value, s->section >= 0, s->file, s->line};
        count++;
    }
    return count;
}

char *jm_symbol_places_text(const JmMachine *machine, const char *name, char *buffer,
                            size_t size) {
    assert(buffer && size);
    enum { SHOWN = 8 };
    JmSymbolPlace places[SHOWN];
    const unsigned count = jm_symbol_places(machine, name, places, SHOWN);
    size_t used = 0;
    buffer[0] = '\0';
    for (unsigned i = 0; i < count && i < SHOWN && used < size; i++) {
        char file[200], at[220] = "";
        if (places[i].file)
            snprintf(at, sizeof at, " (%s:%d)",
                     jm_printable(places[i].file, file, sizeof file), places[i].line);
        used += (size_t)snprintf(buffer + used, size - used, "%s%05" PRIX32 "%s",
                                 i ? ", " : "", places[i].value, at);
    }
    if (count > SHOWN && used < size)
        snprintf(buffer + used, size - used, ", ...");
    return buffer;
}

const char *jm_symbol_name(const JmMachine *machine, unsigned index) {
    call_looks(machine);
    const AsmObject *image = machine->program ? machine->program->image : NULL;
    for (int i = 0; image && i < image->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &image->symbols[i];
        if (symbol->global && symbol->section >= 0 && index-- == 0)
            return symbol->name;
    }
    return NULL;
}

const char *jm_source_name(const JmMachine *machine, unsigned index) {
    call_looks(machine);
    const AsmObject *image = program_image(machine);
    return image && index < (unsigned)image->file_count ? image->files[index] : NULL;
}

bool jm_source_is_newer(const JmMachine *machine, const char *file) {
    call_looks(machine);
    assert(file);
    return machine->program && jm_text_time(file) > machine->program->made;
}

char *jm_symbol_at(const JmMachine *machine, uint32_t address, char *buffer,
                   size_t size) {
    call_looks(machine);
    call_address(address);
    assert(buffer && size);
    uint32_t offset = 0;
    const AsmObjectSymbol *symbol =
        machine->program
            ? asm_object_symbol_at(machine->program->image, address, &offset)
            : NULL;
    jm_printable_word(symbol ? symbol->name : "", buffer, size);
    const size_t used = strlen(buffer);
    if (offset)
        snprintf(buffer + used, size - used, "+%u", offset);
    return buffer;
}

bool jm_instruction_line(const JmMachine *machine, uint32_t address, bool low,
                         const char **file, int *line) {
    call_looks(machine);
    call_address(address);
    assert(file && line);
    return machine->program && asm_object_instruction_line(machine->program->image,
                                                           address, low, file, line);
}

bool jm_line_at(const JmMachine *machine, uint32_t address, const char **file,
                int *line) {
    call_looks(machine);
    call_address(address);
    assert(file && line);
    return machine->program &&
           asm_object_line_at(machine->program->image, address, file, line);
}
