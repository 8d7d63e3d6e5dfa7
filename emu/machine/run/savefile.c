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

static void end_program(void *program) {
    program_drop(program);
}

/* Archives a program's name and the `bytes` of its image. */
static void archive_program(Archive *a, JmCheckpoint *checkpoint, uint32_t *bytes) {
    bool named = checkpoint->program_name != NULL;
    jm_archive_bool(a, &named);
    if (named)
        jm_archive_text(a, &checkpoint->program_name);
    if (named && !a->saving)
        heap_adopt(checkpoint->heap, checkpoint->program_name);
    jm_archive_count(a, bytes);
}

static void save_program(Archive *a, JmCheckpoint *checkpoint) {
    size_t size;
    const void *image = program_bytes(checkpoint->program, &size);
    uint32_t bytes = (uint32_t)size;
    archive_program(a, checkpoint, &bytes);
    jm_archive_block(a, (void *)image, bytes); /* not changed by saving */
}

static void load_program(Archive *a, JmCheckpoint *checkpoint) {
    Heap *heap = checkpoint->heap;
    uint32_t bytes = 0;
    JmError error;
    archive_program(a, checkpoint, &bytes);
    if (!bytes)
        return;
    checkpoint->program = program_read(a->at, bytes, "the saved program", &error);
    if (!checkpoint->program && error.memory)
        heap_fail(heap);
    if (archive_demand(a, checkpoint->program != NULL))
        heap_at_end(heap, end_program, checkpoint->program);
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
 * page list. `distinct` is a copy of the list of all pages; here it becomes those that
 * differ, sorted by address, and `number` their index in the file, or UINT32_MAX. */
static void save_pages(Archive *a, const JmCheckpoint *checkpoint,
                       MemoryPage *distinct) {
    const uint32_t count = checkpoint->page_count;
    uint32_t distinct_count = 0, next = 0;
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
}

/* The pages of a file. */
typedef struct {
    uint32_t count;
    JmWord *page[];
} Distinct;

static void drop_distinct(void *what) {
    const Distinct *distinct = what;
    for (uint32_t i = 0; i < distinct->count; i++)
        memory_drop_page(distinct->page[i]);
}

static Distinct *load_distinct(Heap *heap, Archive *a) {
    uint32_t count = 0;
    jm_archive_count(a, &count);
    Distinct *distinct =
        heap_alloc(heap, sizeof *distinct + count * sizeof distinct->page[0]);
    heap_at_end(heap, drop_distinct, distinct);
    while (distinct->count < count && archive_good(a)) {
        JmWord *page = heap_need(heap, memory_new_page());
        distinct->page[distinct->count++] = page;
        archive_words(a, page);
    }
    return distinct;
}

/* Loads the pages of a node, in the order of their numbers. Only `distinct` has
 * references to them. */
static void load_node_pages(Archive *a, JmCheckpoint *checkpoint, NodePages *node,
                            size_t *capacity, const Distinct *distinct) {
    *node = (NodePages){.first = checkpoint->page_count};
    jm_archive_count(a, &node->count);
    for (uint32_t i = 0, least = 0; i < node->count && archive_good(a); i++) {
        uint32_t number = 0, place = 0;
        jm_archive_u32(a, &number, MEMORY_PAGES - 1);
        jm_archive_below(a, &place, distinct->count);
        if (!archive_good(a) || !archive_demand(a, number >= least))
            return;
        least = number + 1;
        checkpoint->page =
            heap_grow(checkpoint->heap, checkpoint->page, checkpoint->page_count,
                      capacity, sizeof *checkpoint->page);
        checkpoint->page[checkpoint->page_count++] =
            (MemoryPage){number, distinct->page[place]};
    }
}

static void load_pages(Archive *a, JmCheckpoint *checkpoint) {
    size_t capacity = 1;
    const Distinct *distinct = load_distinct(checkpoint->heap, a);
    checkpoint->page = heap_alloc(checkpoint->heap, sizeof *checkpoint->page);
    for (uint32_t i = 0; i < checkpoint->nodes && archive_good(a); i++)
        load_node_pages(a, checkpoint, &checkpoint->node[i], &capacity, distinct);
}

/* ---- contents -------------------------------------------------------------------- */

/* Returns the contents. */
static const uint8_t *save_contents(Heap *heap, JmCheckpoint *checkpoint,
                                    size_t *bytes) {
    MemoryPage *distinct =
        heap_copy(heap, checkpoint->page, checkpoint->page_count * sizeof *distinct);
    Archive a = jm_archive_save();
    uint64_t size = checkpoint->state_size;
    archive_config(&a, &checkpoint->config);
    save_program(&a, checkpoint);
    save_pages(&a, checkpoint, distinct);
    jm_archive_u64(&a, &checkpoint->now, UINT64_MAX);
    jm_archive_u64(&a, &size, UINT64_MAX);
    jm_archive_block(&a, (void *)checkpoint->state, checkpoint->state_size);
    *bytes = a.size;
    return checkpoint_bytes(heap, &a);
}

/* Loads a checkpoint. Its state remains a part of the contents. The archive is bad if
 * it does not hold one. */
static void load_contents(Archive *a, JmCheckpoint *checkpoint) {
    const size_t bytes = (size_t)(a->end - a->at);
    JmConfig *config = &checkpoint->config;
    *config = jm_config_default();
    archive_config(a, config);
    const uint64_t nodes = (uint64_t)config->size_x * config->size_y * config->size_z;
    if (!archive_good(a) || !archive_demand(a, nodes && nodes <= bytes / NODE_BYTES))
        return;
    checkpoint->nodes = (unsigned)nodes;
    checkpoint->node =
        heap_alloc(checkpoint->heap, checkpoint->nodes * sizeof *checkpoint->node);
    load_program(a, checkpoint);
    if (archive_good(a))
        load_pages(a, checkpoint);
    uint64_t size = 0;
    jm_archive_u64(a, &checkpoint->now, UINT64_MAX);
    jm_archive_u64(a, &size, UINT64_MAX);
    archive_demand(a, size == (uint64_t)(a->end - a->at));
    checkpoint->state_size = (size_t)size;
    checkpoint->state = a->at;
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

/* A machine that is being saved. */
typedef struct {
    const JmMachine *machine;
    const char *path;
    JmError *error;
} Saving;

static void end_checkpoint(void *checkpoint) {
    jm_checkpoint_free(checkpoint);
}

/* The output of compress2() has room, so it can only run out of memory. */
static bool save(Heap *heap, void *context) {
    const Saving *s = context;
    size_t size;
    JmCheckpoint *checkpoint = heap_need(heap, jm_checkpoint(s->machine));
    heap_at_end(heap, end_checkpoint, checkpoint);
    const uint8_t *contents = save_contents(heap, checkpoint, &size);
    uLongf packed = compressBound(size);
    uint8_t *file = heap_alloc(heap, HEADER_BYTES + packed);
    if (compress2(file + HEADER_BYTES, &packed, contents, size, Z_BEST_SPEED) != Z_OK)
        heap_fail(heap);
    memcpy(file, MAGIC, MAGIC_BYTES);
    put_number(file + 8, CHECKPOINT_VERSION, 4);
    put_number(file + 16, size, 8);
    put_number(file + 24, packed, 8);
    size = HEADER_BYTES + packed;
    put_number(file + 12, sum_of(file, size), 4);
    return jm_outfile_write(s->path, file, size, &s->machine->inputs, s->error);
}

bool jm_save(const JmMachine *machine, const char *path, JmError *error) {
    call_changes(machine);
    assert(path);
    return heap_do(save, &(Saving){machine, path, error}, error, path,
                   "the saved machine");
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

/* A saved machine that is being loaded; `machine` NULL: its state is impossible. */
typedef struct {
    const uint8_t *file;
    size_t size;
    const char *engine;
    JmMachine *machine;
} Loading;

/* Returns the contents; NULL if they do not unpack to the size in the header. */
static uint8_t *unpack(Heap *heap, const Loading *l, size_t *unpacked) {
    const uint64_t wanted = get_number(l->file + 16, 8);
    if (wanted > (uint64_t)l->size * DEFLATE_RATIO)
        return NULL;
    uLongf got = *unpacked = (size_t)wanted;
    uint8_t *contents = heap_alloc(heap, *unpacked + 1);
    const int status =
        uncompress(contents, &got, l->file + HEADER_BYTES, l->size - HEADER_BYTES);
    if (status == Z_MEM_ERROR)
        heap_fail(heap);
    return status == Z_OK && got == wanted ? contents : NULL;
}

/* Returns the machine that a checkpoint describes, or NULL. */
static JmMachine *machine_of(Heap *heap, const JmCheckpoint *checkpoint) {
    JmError error = {.memory = false};
    JmMachine *machine = jm_create(&checkpoint->config, &error);
    if (machine && !checkpoint_restore(machine, checkpoint, false)) {
        error.memory = machine_is_starved(machine);
        jm_destroy(machine);
        machine = NULL;
    }
    if (error.memory)
        heap_fail(heap);
    return machine;
}

static void load(Heap *heap, void *context) {
    Loading *l = context;
    size_t size;
    const uint8_t *contents = unpack(heap, l, &size);
    if (!contents)
        return;
    Archive archive = jm_archive_load(contents, size);
    JmCheckpoint *checkpoint = heap_alloc(heap, sizeof *checkpoint);
    checkpoint->heap = heap;
    load_contents(&archive, checkpoint);
    if (archive.starved)
        heap_fail(heap);
    checkpoint->config.engine = l->engine;
    if (archive_good(&archive))
        l->machine = machine_of(heap, checkpoint);
}

JmMachine *jm_load_saved_memory(const void *bytes, size_t size, const char *name,
                                const char *engine, JmError *error) {
    Loading loading = {bytes, size, engine, NULL};
    assert(bytes);
    if (!check_file(bytes, size, name, error))
        return NULL;
    if (!heap_run(load, &loading))
        jm_fail_memory(error, name, "no memory for the saved machine");
    else if (!loading.machine)
        jm_fail(error, name, "the saved machine is damaged: its state is impossible");
    return loading.machine;
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
