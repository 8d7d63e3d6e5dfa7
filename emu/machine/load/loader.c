/* Loads ELF and text images into nodes and answers questions about their symbols and
 * lines. Apart from savefile.c, the only file of emu/machine that includes asm's
 * objects. */
#include <ctype.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "asm/objects/object.h"
#include "emu/core/printable.h"
#include "emu/core/sourcetext.h"
#include "emu/machine/calls_inline.h"
#include "emu/machine/machine.h"
#include "emu/machine/run/run.h"

/* ---- placing --------------------------------------------------------------------- */

/* Puts words into nodes. Words for all nodes go into pages that the nodes share until
 * they write to them, so that memory holds the program only once. */

/* Whether the page of `address` is private to this memory. */
static bool is_private(const Memory *memory, uint32_t address) {
    const uint32_t page = address >> MEMORY_PAGE_BITS;
    if (page < MEMORY_LOW_PAGES)
        return memory_owns_low(memory, page);
    const MemoryGroup *group = memory_group(memory, page);
    return group && (group->owned >> page % MEMORY_GROUP_PAGES & 1);
}

/* Writes words to one node. */
static void place_private(Memory *memory, uint32_t address, const JmWord *words,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        memory_write(memory, address + i, words[i]);
}

/* A page that several nodes see at an address. */
typedef struct {
    const JmWord *words;
    unsigned users; /* nodes that see it */
} Shared;

/* Returns the words that a node sees in the page of `address`: the page of NILs where
 * nothing has been written. */
static const JmWord *page_seen(const JmMachine *machine, unsigned node,
                               uint32_t address) {
    const JmWord *page = memory_page(&machine->node[node].memory, address);
    return page ? page : machine->nil_page;
}

/* Returns the page shared by most nodes at `address`, of those private to none; words
 * NULL if every node has a private one. */
static Shared shared_page(const JmMachine *machine, uint32_t address) {
    Shared shared = {NULL, 0};
    for (unsigned i = 0; i < machine->nodes; i++) {
        const JmWord *page = page_seen(machine, i, address);
        if (page == shared.words) {
            shared.users++;
            continue;
        }
        if (!is_private(&machine->node[i].memory, address) &&
            (!shared.words ||
             memory_page_holders(page) > memory_page_holders(shared.words)))
            shared = (Shared){page, 1};
    }
    return shared;
}

/* Writes words that lie in one page to every node. Nodes that share the page get a new
 * shared page, because a checkpoint may hold the old one; if only they hold it, it is
 * written in place. */
static void place_in_page(JmMachine *machine, uint32_t address, const JmWord *words,
                          uint32_t count) {
    const Shared shared = shared_page(machine, address);
    const bool in_place =
        shared.words && memory_page_holders(shared.words) == shared.users;
    JmWord *fresh = NULL;
    if (shared.words && !in_place)
        fresh = heap_need(machine->heap, memory_copy_page(shared.words));
    if (fresh)
        memcpy(&fresh[address % MEMORY_PAGE_WORDS], words, count * sizeof *words);
    bool written = false;
    for (unsigned i = 0; i < machine->nodes; i++) {
        Memory *memory = &machine->node[i].memory;
        if (page_seen(machine, i, address) != shared.words)
            place_private(memory, address, words, count);
        else if (fresh)
            memory_share_page(memory, address, fresh);
        else if (!written) {
            memory_write_shared(memory, address, words, count);
            written = true;
        }
    }
    memory_drop_page(fresh);
}

/* Loads `count` words to consecutive addresses of one node or of all, in a piece of
 * machine_work(). */
static void loader_place(JmMachine *machine, int node, uint32_t address,
                         const JmWord *words, uint32_t count) {
    assert(address <= JM_ADDRESS_MASK && count <= JM_ADDRESS_MASK + 1 - address);
    if (node != JM_ALL_NODES) {
        place_private(&machine->node[node].memory, address, words, count);
        return;
    }
    while (count) {
        const uint32_t room = MEMORY_PAGE_WORDS - address % MEMORY_PAGE_WORDS;
        const uint32_t now = count < room ? count : room;
        place_in_page(machine, address, words, now);
        address += now;
        words += now;
        count -= now;
    }
}

/* Adds to a set the pages [first, end) that a node has ever written or been given.
 * Untouched groups of pages are skipped as a whole. */
static void add_written(const JmMachine *machine, unsigned node, uint32_t first,
                        uint32_t end, uint64_t *set) {
    const Memory *memory = &machine->node[node].memory;
    for (uint32_t page = first; page < end; page++) {
        if (page >= MEMORY_LOW_PAGES && !memory_group(memory, page)) {
            page |= MEMORY_GROUP_PAGES - 1;
            continue;
        }
        const JmWord *words = memory_page(memory, page << MEMORY_PAGE_BITS);
        if (words && words != machine->nil_page)
            set[page / 64] |= UINT64_C(1) << page % 64;
    }
}

/* Makes `count` words from `address` on NIL without touching pages that have never been
 * written. */
static void loader_clear(JmMachine *machine, int node, uint32_t address,
                         uint32_t count) {
    uint64_t written[MEMORY_PAGES / 64] = {0};
    const unsigned one = node == JM_ALL_NODES ? 0 : (unsigned)node;
    const unsigned nodes = node == JM_ALL_NODES ? machine->nodes : 1;
    if (count == 0)
        return;
    for (unsigned i = one; i < one + nodes; i++)
        add_written(machine, i, address >> MEMORY_PAGE_BITS,
                    ((address + count - 1) >> MEMORY_PAGE_BITS) + 1, written);
    while (count) {
        const uint32_t room = MEMORY_PAGE_WORDS - address % MEMORY_PAGE_WORDS;
        const uint32_t now = count < room ? count : room;
        const uint32_t page = address >> MEMORY_PAGE_BITS;
        if (written[page / 64] >> page % 64 & 1)
            loader_place(machine, node, address, machine->nil_page, now);
        address += now;
        count -= now;
    }
}

/* Starts the node or nodes that a program was loaded into. */
static void loader_start(JmMachine *machine, int node) {
    const unsigned first = node == JM_ALL_NODES ? 0 : (unsigned)node;
    const unsigned last = node == JM_ALL_NODES ? machine->nodes - 1 : (unsigned)node;
    for (unsigned i = first; i <= last; i++) {
        machine_start(machine, i);
        machine_touch(machine, i);
    }
}

/* A word for all nodes. */
typedef struct {
    JmMachine *machine;
    uint32_t address;
    JmWord word;
} WordForAll;

static void place_word(Heap *heap, void *context) {
    const WordForAll *w = context;
    (void)heap;
    loader_place(w->machine, JM_ALL_NODES, w->address, &w->word, 1);
}

void jm_write_all(JmMachine *machine, uint32_t address, JmWord value) {
    call_changes(machine);
    call_address(address);
    call_word(value);
    machine_work(machine, place_word, &(WordForAll){machine, address, value});
    for (unsigned i = 0; i < machine->nodes; i++)
        machine_touch(machine, i);
}

/* ---- ELF images ------------------------------------------------------------------ */

/* A program image, shared by machines and checkpoints in any thread. */
struct Program {
    Heap *heap;        /* holds it, but for the image */
    AsmObject *image;  /* sections, symbols and lines */
    const void *bytes; /* the file, for saved machines */
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
    heap_delete(program->heap);
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

/* `begun` has the image, which the program takes over, and the bytes of the file. */
static void *make_program(Heap *heap, const void *begun) {
    Program *program = heap_copy(heap, begun, sizeof *program);
    program->heap = heap;
    program->bytes = heap_copy(heap, program->bytes, program->size);
    program->made = newest_source(program->image);
    atomic_init(&program->holders, 1);
    return program;
}

void program_set_name(JmMachine *machine, const char *name) {
    char *copy = heap_copy(machine->heap, name, name ? strlen(name) + 1 : 0);
    heap_free(machine->program_name);
    machine->program_name = copy;
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
    const Program begun = {.image = image, .bytes = bytes, .size = size};
    Program *program = NULL;
    if (!image->image)
        jm_fail(error, name, "a relocatable object: link it with mdpld first");
    else if (check_sections(image, name, error))
        program = heap_make(make_program, &begun, error, name, "the program");
    if (!program)
        asm_object_free(image);
    return program;
}

/* What is being loaded: a program, or text. */
typedef struct {
    JmMachine *machine;
    const char *name;
    Program *program;
    int node; /* that the program goes to */
    const char *text;
    size_t size;
} Loading;

/* Places something. If memory runs out only a part of it has been placed, and the
 * machine is starved. */
static bool place(Loading *loading, HeapWork *work, JmError *error) {
    return (machine_work(loading->machine, work, loading) &&
            !machine_is_starved(loading->machine)) ||
           jm_fail_memory(error, loading->name, "out of memory");
}

/* The machine takes the program over. */
static void place_program(Heap *heap, void *context) {
    const Loading *l = context;
    const AsmObject *image = l->program->image;
    (void)heap;
    program_drop(l->machine->program);
    l->machine->program = l->program;
    for (int i = 0; i < image->section_count; i++)
        place_section(l->machine, l->node, &image->sections[i]);
    program_set_name(l->machine, l->name);
}

bool jm_load_elf(JmMachine *machine, const void *bytes, size_t size, const char *name,
                 int node, JmError *error) {
    call_changes(machine);
    call_nodes(machine, node);
    assert(bytes);
    Loading loading = {.machine = machine, .name = name, .node = node};
    loading.program = program_read(bytes, size, name, error);
    if (!loading.program || !place(&loading, place_program, error))
        return false;
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
        return jm_fail_memory(error, path, "out of memory");
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

/* ---- text images ----------------------------------------------------------------- */

/* Reads text images: rows `NODE HEXADDR HEXWORD`, `*` for all nodes, `#` before
 * comments. All rows are checked before the first is placed. */

/* A row of a text image. */
typedef struct {
    int node; /* rank or JM_ALL_NODES */
    uint32_t address;
    JmWord word;
} Row;

/* A place in the text, with what an error message needs. */
typedef struct {
    const char *at, *end; /* the rest of the row */
    const char *start;    /* first character of the row, for columns */
    const char *name;
    int line;
    JmError *error;
} Cursor;

/* Reports an error at a column of the row. Returns false. */
static bool fail(Cursor *c, const char *at, const char *text) {
    return jm_fail_line(c->error, c->name, c->line, (int)(at - c->start) + 1, "%s",
                        text);
}

static void skip_space(Cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

/* Reads a number of the given base, at most `maximum`, ending at a blank or at the
 * row's end. */
static bool read_number(Cursor *c, unsigned base, uint64_t maximum, uint64_t *value,
                        const char *what) {
    skip_space(c);
    const char *first = c->at;
    *value = 0;
    while (c->at < c->end && isxdigit((unsigned char)*c->at)) {
        const char digit = (char)tolower((unsigned char)*c->at);
        const unsigned d =
            digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10;
        if (d >= base)
            break;
        *value = *value * base + d;
        if (*value > maximum)
            return fail(c, first, what);
        c->at++;
    }
    const bool ended = c->at == c->end || isspace((unsigned char)*c->at);
    return c->at > first && ended ? true : fail(c, first, what);
}

/* Reads a rank or `*`. */
static bool read_node(Cursor *c, unsigned nodes, int *node) {
    uint64_t rank;
    if (*c->at == '*') {
        c->at++;
        *node = JM_ALL_NODES;
        return c->at < c->end && isspace((unsigned char)*c->at)
                   ? true
                   : fail(c, c->at, "a space must follow '*'");
    }
    if (!read_number(c, 10, nodes - 1, &rank,
                     "the node must be '*' or a decimal rank of this machine"))
        return false;
    *node = (int)rank;
    return true;
}

/* Reads a whole row. */
static bool read_row(Cursor *c, unsigned nodes, Row *row) {
    uint64_t address, word;
    if (!read_node(c, nodes, &row->node) ||
        !read_number(c, 16, JM_ADDRESS_MASK, &address,
                     "the address must be hexadecimal, at most FFFFF") ||
        !read_number(c, 16, JM_WORD_MASK, &word,
                     "the word must be hexadecimal, at most FFFFFFFFF"))
        return false;
    skip_space(c);
    if (c->at < c->end && *c->at != '#')
        return fail(c, c->at, "nothing may follow the word");
    row->address = (uint32_t)address;
    row->word.bits = word;
    return true;
}

/* Checks every row; with `place` also places it, and starts its node. *rows becomes
 * their number. */
static bool each_row(JmMachine *machine, const char *text, size_t size,
                     const char *name, bool place, size_t *rows, JmError *error) {
    Cursor c = {.at = text, .name = name, .error = error};
    const char *const end = text + size;
    bool all = false;
    for (*rows = 0; c.at < end; c.at = c.end + 1) {
        const char *newline = memchr(c.at, '\n', (size_t)(end - c.at));
        c.start = c.at;
        c.end = newline ? newline : end;
        c.line++;
        skip_space(&c);
        if (c.at == c.end || *c.at == '#')
            continue;
        Row row;
        if (!read_row(&c, machine->nodes, &row))
            return false;
        ++*rows;
        all |= row.node == JM_ALL_NODES;
        if (place)
            loader_place(machine, row.node, row.address, &row.word, 1);
        if (place && row.node != JM_ALL_NODES)
            loader_start(machine, row.node);
    }
    if (place && all)
        loader_start(machine, JM_ALL_NODES);
    return true;
}

/* The rows have been checked. */
static void place_rows(Heap *heap, void *context) {
    const Loading *l = context;
    size_t rows;
    (void)heap;
    program_set_name(l->machine, l->name);
    each_row(l->machine, l->text, l->size, l->name, true, &rows, NULL);
}

bool jm_load_text(JmMachine *machine, const char *text, size_t size, const char *name,
                  JmError *error) {
    call_changes(machine);
    assert(text);
    const size_t mark = jm_text_mark(text, size);
    text += mark;
    size -= mark;
    size_t rows;
    if (!each_row(machine, text, size, name, false, &rows, error))
        return false;
    if (!rows)
        return jm_fail(error, name, "neither an ELF image nor a text image: no rows");
    Loading loading = {.machine = machine, .name = name, .text = text, .size = size};
    return place(&loading, place_rows, error);
}
