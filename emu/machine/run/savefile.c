/* Checkpoints as files. A header of 32 bytes, numbers lowest byte first:
 *
 *     0  8  magic: no text file begins like this, and a transfer as text breaks it
 *     8  4  version of the format
 *    12  4  CRC-32 of all that follows
 *    16  8  bytes of the contents
 *    24  8  bytes of what follows: the contents, deflated
 *
 * The contents are an archive: configuration, program, pages, each node's page list,
 * and the state as in a checkpoint in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "asm/objects/bytes.h"
#include "emu/core/grow.h"
#include "emu/core/outfile.h"
#include "emu/core/sourcetext.h"
#include "emu/machine/calls_inline.h"
#include "emu/machine/checkpoint.h"

enum {
    HEADER_BYTES = 32,
    MAGIC_BYTES = 8,
    SUM_FROM = 16,        /* the first byte that the CRC covers */
    DEFLATE_RATIO = 1032, /* the largest ratio that deflate can reach */
    NODE_BYTES = 64       /* every node takes more bytes of the contents */
};

static const uint8_t MAGIC[MAGIC_BYTES] = {0x8A, 'J', 'M', 'S', '\r', '\n', 0x1A, '\n'};

/* Returns zeroed memory; NULL, and the archive is starved, if there is none. */
static void *allocate(Archive *a, size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block)
        jm_archive_starve(a);
    return block;
}

/* ---- configuration --------------------------------------------------------------- */

static void archive_unsigned(Archive *a, unsigned *value, unsigned maximum) {
    uint32_t number = *value;
    jm_archive_u32(a, &number, maximum);
    *value = number;
}

static uint32_t parameter_count(void) {
    uint32_t count = 0;
    while (jm_parameter(count))
        count++;
    return count;
}

static void save_parameters(Archive *a, const JmConfig *config) {
    uint32_t count = parameter_count();
    jm_archive_count(a, &count);
    for (unsigned i = 0; i < count; i++) {
        char *name = (char *)jm_parameter(i)->name; /* not changed by saving */
        uint64_t value = jm_config_get(config, i);
        jm_archive_text(a, &name);
        jm_archive_u64(a, &value, UINT64_MAX);
    }
}

/* Parameters have names, so that new ones do not make old files useless. */
static void load_parameters(Archive *a, JmConfig *config) {
    uint32_t count = 0;
    jm_archive_count(a, &count);
    for (uint32_t i = 0; i < count && archive_good(a); i++) {
        char *name;
        uint64_t value = 0;
        jm_archive_text(a, &name);
        jm_archive_u64(a, &value, UINT64_MAX);
        if (archive_good(a))
            archive_demand(a, jm_config_set(config, name, value, NULL));
        free(name);
    }
}

static void archive_topology(Archive *a, JmConfig *config) {
    char *text = config->topology;
    jm_archive_text(a, &text);
    if (a->saving)
        return;
    if (archive_good(a) && archive_demand(a, strlen(text) < sizeof config->topology))
        memcpy(config->topology, text, strlen(text) + 1);
    free(text);
}

static void archive_config(Archive *a, JmConfig *config) {
    uint64_t clock;
    memcpy(&clock, &config->clock_hz, sizeof clock);
    archive_unsigned(a, &config->size_x, JM_MAX_X);
    archive_unsigned(a, &config->size_y, JM_MAX_Y);
    archive_unsigned(a, &config->size_z, JM_MAX_Z);
    archive_topology(a, config);
    jm_archive_u64(a, &config->seed, UINT64_MAX);
    jm_archive_u64(a, &clock, UINT64_MAX);
    jm_archive_bool(a, &config->host_page);
    jm_archive_bool(a, &config->keep_going);
    memcpy(&config->clock_hz, &clock, sizeof clock);
    if (a->saving)
        save_parameters(a, config);
    else
        load_parameters(a, config);
}

/* ---- program --------------------------------------------------------------------- */

static void archive_program(Archive *a, JmCheckpoint *checkpoint) {
    size_t size;
    const void *image = program_bytes(checkpoint->program, &size);
    uint32_t bytes = (uint32_t)size;
    bool named = checkpoint->program_name != NULL;
    jm_archive_bool(a, &named);
    if (named)
        jm_archive_text(a, &checkpoint->program_name);
    jm_archive_count(a, &bytes);
    if (!bytes)
        return;
    if (a->saving) {
        jm_archive_block(a, (void *)image, bytes); /* not changed by saving */
        return;
    }
    JmError error;
    checkpoint->program = program_read(a->at, bytes, "the saved program", &error);
    archive_demand(a, checkpoint->program != NULL);
    a->starved |= !checkpoint->program && error.memory;
    a->at += bytes;
}

/* ---- pages ----------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
    const uintptr_t x = (uintptr_t)((const MemoryPage *)a)->words;
    const uintptr_t y = (uintptr_t)((const MemoryPage *)b)->words;
    return (x > y) - (x < y);
}

static void archive_words(Archive *a, JmWord *words) {
    for (unsigned i = 0; i < MEMORY_PAGE_WORDS; i++)
        jm_archive_word(a, &words[i]);
}

static MemoryPage *find_page(MemoryPage *pages, uint32_t count, const JmWord *words) {
    const MemoryPage key = {0, (JmWord *)words}; /* only compared */
    return bsearch(&key, pages, count, sizeof *pages, by_place);
}

/* Saves pages in the order in which nodes refer to them, each once; then each node's
 * page list. For `distinct` pages, sorted by address, `number` is their index in the
 * file, or UINT32_MAX. */
static void save_pages(Archive *a, const JmCheckpoint *checkpoint) {
    const uint32_t count = checkpoint->page_count;
    MemoryPage *distinct = allocate(a, count, sizeof *distinct);
    uint32_t distinct_count = 0, next = 0;
    if (!distinct)
        return;
    if (count)
        memcpy(distinct, checkpoint->page, count * sizeof *distinct);
    qsort(distinct, count, sizeof *distinct, by_place);
    for (uint32_t i = 0; i < count; i++)
        if (!i || distinct[i].words != distinct[i - 1].words)
            distinct[distinct_count++] = (MemoryPage){UINT32_MAX, distinct[i].words};
    jm_archive_u32(a, &distinct_count, UINT32_MAX);
    for (uint32_t i = 0; i < count; i++) {
        MemoryPage *page =
            find_page(distinct, distinct_count, checkpoint->page[i].words);
        if (page->number != UINT32_MAX)
            continue;
        page->number = next++;
        archive_words(a, page->words);
    }
    for (uint32_t i = 0; i < checkpoint->nodes; i++) {
        NodePages *node = &checkpoint->node[i];
        jm_archive_count(a, &node->count);
        for (uint32_t k = 0; k < node->count; k++) {
            MemoryPage *page = &checkpoint->page[node->first + k];
            uint32_t place = find_page(distinct, distinct_count, page->words)->number;
            jm_archive_u32(a, &page->number, MEMORY_PAGES - 1);
            jm_archive_u32(a, &place, UINT32_MAX);
        }
    }
    free(distinct);
}

/* Loads the pages of a node, in the order of their numbers. */
static void load_node_pages(Archive *a, JmCheckpoint *checkpoint, NodePages *node,
                            size_t *capacity, JmWord **distinct, uint32_t count) {
    *node = (NodePages){.first = checkpoint->page_count};
    jm_archive_count(a, &node->count);
    for (uint32_t i = 0, least = 0; i < node->count && archive_good(a); i++) {
        uint32_t number = 0, place = 0;
        jm_archive_u32(a, &number, MEMORY_PAGES - 1);
        jm_archive_below(a, &place, count);
        if (!archive_good(a) || !archive_demand(a, number >= least))
            return;
        least = number + 1;
        if (!jm_grow(&checkpoint->page, checkpoint->page_count, capacity,
                     sizeof *checkpoint->page)) {
            jm_archive_starve(a);
            return;
        }
        checkpoint->page[checkpoint->page_count++] =
            (MemoryPage){number, distinct[place]};
        memory_hold_page(distinct[place]);
    }
}

static void load_pages(Archive *a, JmCheckpoint *checkpoint) {
    uint32_t count = 0;
    size_t capacity = 0;
    jm_archive_count(a, &count);
    JmWord **distinct = allocate(a, count, sizeof *distinct);
    if (!distinct)
        return;
    for (uint32_t i = 0; i < count && archive_good(a); i++) {
        distinct[i] = memory_new_page();
        if (distinct[i])
            archive_words(a, distinct[i]);
        else
            jm_archive_starve(a);
    }
    for (uint32_t i = 0; i < checkpoint->nodes && archive_good(a); i++)
        load_node_pages(a, checkpoint, &checkpoint->node[i], &capacity, distinct,
                        count);
    for (uint32_t i = 0; i < count; i++)
        memory_drop_page(distinct[i]);
    free(distinct);
}

/* ---- contents -------------------------------------------------------------------- */

static Archive save_contents(JmCheckpoint *checkpoint) {
    Archive a = jm_archive_save();
    uint64_t size = checkpoint->state_size;
    archive_config(&a, &checkpoint->config);
    archive_program(&a, checkpoint);
    save_pages(&a, checkpoint);
    jm_archive_u64(&a, &checkpoint->now, UINT64_MAX);
    jm_archive_u64(&a, &size, UINT64_MAX);
    jm_archive_block(&a, checkpoint->state, checkpoint->state_size);
    return a;
}

/* Returns a checkpoint, to be freed in any case; the archive is bad if it does not hold
 * one. */
static JmCheckpoint *load_contents(Archive *a) {
    JmCheckpoint *checkpoint = allocate(a, 1, sizeof *checkpoint);
    if (!checkpoint)
        return NULL;
    const size_t bytes = (size_t)(a->end - a->at);
    JmConfig *config = &checkpoint->config;
    *config = jm_config_default();
    archive_config(a, config);
    const uint64_t nodes = (uint64_t)config->size_x * config->size_y * config->size_z;
    if (!archive_good(a) || !archive_demand(a, nodes && nodes <= bytes / NODE_BYTES))
        return checkpoint;
    checkpoint->nodes = (unsigned)nodes;
    checkpoint->node = allocate(a, checkpoint->nodes, sizeof *checkpoint->node);
    if (!checkpoint->node)
        return checkpoint;
    archive_program(a, checkpoint);
    if (archive_good(a))
        load_pages(a, checkpoint);
    uint64_t size = 0;
    jm_archive_u64(a, &checkpoint->now, UINT64_MAX);
    jm_archive_u64(a, &size, UINT64_MAX);
    if (!archive_demand(a, size == (uint64_t)(a->end - a->at)))
        return checkpoint;
    checkpoint->state_size = (size_t)size;
    checkpoint->state = allocate(a, checkpoint->state_size, 1);
    if (checkpoint->state)
        jm_archive_block(a, checkpoint->state, checkpoint->state_size);
    return checkpoint;
}

/* ---- files ----------------------------------------------------------------------- */

static void put_number(uint8_t *at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_number(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static uint32_t sum_of(const uint8_t *file, size_t size) {
    return (uint32_t)crc32_z(0, file + SUM_FROM, size - SUM_FROM);
}

/* Returns the bytes of the file, malloc'ed; NULL if there is no memory. */
static uint8_t *make_file(const Archive *contents, size_t *size) {
    uLongf packed = compressBound(contents->size);
    uint8_t *file = calloc(HEADER_BYTES + packed, 1);
    if (!file || compress2(file + HEADER_BYTES, &packed, contents->bytes,
                           contents->size, Z_BEST_SPEED) != Z_OK) {
        free(file); /* the output has room, so memory must have run out */
        return NULL;
    }
    memcpy(file, MAGIC, MAGIC_BYTES);
    put_number(file + 8, CHECKPOINT_VERSION, 4);
    put_number(file + 16, contents->size, 8);
    put_number(file + 24, packed, 8);
    *size = HEADER_BYTES + packed;
    put_number(file + 12, sum_of(file, *size), 4);
    return file;
}

bool jm_save(const JmMachine *machine, const char *path, JmError *error) {
    call_changes(machine);
    assert(path);
    JmCheckpoint *checkpoint = jm_checkpoint(machine);
    if (!checkpoint)
        return jm_fail_memory(error, path, "no memory to save the machine");
    Archive contents = save_contents(checkpoint);
    jm_checkpoint_free(checkpoint);
    size_t size;
    uint8_t *file = archive_good(&contents) ? make_file(&contents, &size) : NULL;
    jm_archive_free(&contents);
    const bool good =
        file ? jm_outfile_write(path, file, size, &machine->inputs, error)
             : jm_fail_memory(error, path, "no memory to save the machine");
    free(file);
    return good;
}

/* Whether header and checksum are right. */
static bool check_file(const uint8_t *file, size_t size, const char *name,
                       JmError *error) {
    if (size < MAGIC_BYTES || memcmp(file, MAGIC, MAGIC_BYTES) != 0)
        return jm_fail(error, name, "not a saved machine");
    if (size < HEADER_BYTES)
        return jm_fail(error, name, "the saved machine is cut off");
    const uint64_t version = get_number(file + 8, 4);
    if (version != CHECKPOINT_VERSION)
        return jm_fail(error, name,
                       "saved in format %llu; this program reads only format %d",
                       (unsigned long long)version, CHECKPOINT_VERSION);
    const uint64_t packed = get_number(file + 24, 8);
    if (packed > size - HEADER_BYTES)
        return jm_fail(error, name, "the saved machine is cut off");
    if (packed < size - HEADER_BYTES)
        return jm_fail_at(error, name, (int64_t)(HEADER_BYTES + packed),
                          "unexpected bytes after the saved machine");
    if (get_number(file + 12, 4) != sum_of(file, size))
        return jm_fail(error, name, "the saved machine is damaged: wrong checksum");
    return true;
}

/* Returns the contents, malloc'ed; NULL if they do not unpack to the size in the
 * header, or if there is no memory. */
static uint8_t *unpack(const uint8_t *file, size_t size, size_t *unpacked,
                       bool *starved) {
    const uint64_t wanted = get_number(file + 16, 8);
    if (wanted > (uint64_t)size * DEFLATE_RATIO)
        return NULL;
    uLongf got = (uLongf)wanted;
    uint8_t *contents = malloc((size_t)wanted + 1);
    const int status =
        contents ? uncompress(contents, &got, file + HEADER_BYTES, size - HEADER_BYTES)
                 : Z_MEM_ERROR;
    *starved = status == Z_MEM_ERROR;
    if (status == Z_OK && got == wanted) {
        *unpacked = (size_t)wanted;
        return contents;
    }
    free(contents);
    return NULL;
}

/* Returns the machine that a checkpoint describes, or NULL. */
static JmMachine *machine_of(const JmCheckpoint *checkpoint, bool *starved) {
    JmError error;
    JmMachine *machine = jm_create(&checkpoint->config, &error);
    *starved = !machine && error.memory;
    if (machine && !checkpoint_restore(machine, checkpoint, false)) {
        *starved = machine_is_starved(machine);
        jm_destroy(machine);
        machine = NULL;
    }
    return machine;
}

/* Returns the machine that the contents describe, or NULL. */
static JmMachine *make_machine(const uint8_t *contents, size_t size, const char *engine,
                               bool *starved) {
    Archive archive = jm_archive_load(contents, size);
    JmCheckpoint *checkpoint = load_contents(&archive);
    JmMachine *machine = NULL;
    *starved = archive.starved;
    if (archive_good(&archive)) {
        checkpoint->config.engine = engine;
        machine = machine_of(checkpoint, starved);
    }
    jm_checkpoint_free(checkpoint);
    return machine;
}

JmMachine *jm_load_saved_memory(const void *bytes, size_t size, const char *name,
                                const char *engine, JmError *error) {
    assert(bytes);
    if (!check_file(bytes, size, name, error))
        return NULL;
    size_t unpacked = 0;
    bool starved = false;
    uint8_t *contents = unpack(bytes, size, &unpacked, &starved);
    JmMachine *machine =
        contents ? make_machine(contents, unpacked, engine, &starved) : NULL;
    free(contents);
    if (starved)
        jm_fail_memory(error, name, "no memory for the saved machine");
    else if (!machine)
        jm_fail(error, name, "the saved machine is damaged: its state is impossible");
    return machine;
}

/* Whether `path` is a regular file that does not begin like a saved machine. A pipe can
 * be read only once, so its bytes are checked later. */
static bool is_other_file(const char *path) {
    struct stat status;
    char start[MAGIC_BYTES];
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    const bool other = fread(start, 1, sizeof start, file) != sizeof start ||
                       memcmp(start, MAGIC, sizeof start) != 0;
    fclose(file);
    return other;
}

JmMachine *jm_load_saved(const char *path, const char *engine, JmError *error) {
    assert(path);
    size_t size;
    if (is_other_file(path)) {
        jm_fail(error, path, "not a saved machine");
        return NULL;
    }
    unsigned char *bytes = asm_bytes_read_any_size(path, &size, error);
    if (!bytes)
        return NULL;
    JmMachine *machine = jm_load_saved_memory(bytes, size, path, engine, error);
    if (machine)
        program_set_time(machine, jm_text_time(path));
    if (machine && !jm_inputs_add(&machine->inputs, path)) {
        jm_fail_memory(error, path, "out of memory");
        jm_destroy(machine);
        machine = NULL;
    }
    free(bytes);
    return machine;
}
