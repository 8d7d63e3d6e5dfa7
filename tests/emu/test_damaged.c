/* Saved machines with damaged contents and a correct checksum: each is refused with a
 * message, or is a machine that runs. Seeded; DAMAGED_FILES sets how many are tried. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "emu/core/archive.h"
#include "emu/core/rng.h"
#include "tests/emu/rig.h"

enum { HEADER_BYTES = 32, FILES = 600, FILE_BYTES_MAX = 1 << 22 };

/* The contents of a file, unpacked, and its header. */
typedef struct {
    uint8_t header[HEADER_BYTES];
    uint8_t *bytes;
    size_t size;
} Contents;

static void put_number(uint8_t *at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static Contents contents_of(const JmMachine *machine) {
    Contents contents = {.bytes = malloc(FILE_BYTES_MAX)};
    RigFile file = rig_file(machine);
    memcpy(contents.header, file.bytes, HEADER_BYTES);
    uLongf unpacked = FILE_BYTES_MAX;
    cr_assert_eq(uncompress(contents.bytes, &unpacked, file.bytes + HEADER_BYTES,
                            file.size - HEADER_BYTES),
                 Z_OK);
    contents.size = unpacked;
    free(file.bytes);
    return contents;
}

/* A whole file of these contents. */
static uint8_t *pack(const Contents *contents, size_t *size) {
    uLongf packed = compressBound(contents->size);
    uint8_t *file = malloc(HEADER_BYTES + packed);
    compress2(file + HEADER_BYTES, &packed, contents->bytes, contents->size,
              Z_NO_COMPRESSION);
    memcpy(file, contents->header, HEADER_BYTES);
    put_number(file + 16, contents->size, 8);
    put_number(file + 24, packed, 8);
    put_number(file + 12, crc32_z(0, file + 16, HEADER_BYTES - 16 + packed), 4);
    *size = HEADER_BYTES + packed;
    return file;
}

static void drop_row(void *context, const char *row) {
    (void)context;
    (void)row;
}

/* True if the file was taken for a machine, which has run for a while. */
static bool try_file(const uint8_t *file, size_t size, const char *engine) {
    JmError error = {.text = ""};
    JmMachine *machine = jm_load_saved_memory(file, size, "damaged", engine, &error);
    if (!machine) {
        cr_assert_gt(strlen(error.text), 0, "refused without a word");
        return false;
    }
    jm_run(machine, jm_now(machine) + 400);
    jm_explain(machine, drop_row, NULL);
    JmCheckpoint *checkpoint = jm_checkpoint(machine);
    jm_run(machine, jm_now(machine) + 100);
    jm_restore(machine, checkpoint);
    jm_checkpoint_free(checkpoint);
    jm_run(machine, jm_now(machine) + 100);
    jm_destroy(machine);
    return true;
}

/* Most of the contents are pages: damage falls on the state, at the end, more often. */
static size_t place(JmRng *rng, size_t size) {
    const size_t state = size < 20000 ? size : 20000;
    return jm_rng_below(rng, 8) ? size - 1 - jm_rng_below(rng, (uint32_t)state)
                                : jm_rng_below(rng, (uint32_t)size);
}

static void damage_byte(JmRng *rng, uint8_t *byte) {
    switch (jm_rng_below(rng, 4)) {
    case 0:
        *byte ^= (uint8_t)(1u << jm_rng_below(rng, 8));
        break;
    case 1:
        *byte = (uint8_t)(*byte + 1);
        break;
    case 2:
        *byte = (uint8_t)(*byte - 1);
        break;
    default:
        *byte = (uint8_t)jm_rng_next(rng);
    }
}

static Rig *open_machine(JmRng *rng) {
    JmConfig config = jm_config_default();
    config.size_x = 2 + jm_rng_below(rng, 2);
    config.size_y = config.size_z = 2;
    rig_configure(&config, SETTINGS({"fair", jm_rng_below(rng, 2)}));
    rig_configure(&config, SETTINGS({"header_flits", jm_rng_below(rng, 2) * 3}));
    return rig_open_with(&config, rig_traffic);
}

Test(emu_damaged, contents_that_no_machine_has, .timeout = 6000) {
    const char *wanted = getenv("DAMAGED_FILES"), *from = getenv("DAMAGED_SEED");
    const unsigned files = wanted ? (unsigned)strtoul(wanted, NULL, 0) : FILES;
    JmRng rng = jm_rng(from ? strtoull(from, NULL, 0) : 1);
    unsigned taken = 0;
    Contents contents = {.bytes = NULL};
    for (unsigned k = 0; k < files; k++) {
        if (k % 200 == 0) {
            Rig *rig = open_machine(&rng);
            rig_run(rig, 200 + jm_rng_below(&rng, 4000), JM_STOP_NONE);
            free(contents.bytes);
            contents = contents_of(rig->machine);
            rig_close(rig);
        }
        uint8_t old[3];
        size_t at[3], size;
        const unsigned bytes = 1 + jm_rng_below(&rng, 3);
        for (unsigned i = 0; i < bytes; i++) {
            at[i] = place(&rng, contents.size);
            old[i] = contents.bytes[at[i]];
            damage_byte(&rng, &contents.bytes[at[i]]);
        }
        uint8_t *file = pack(&contents, &size);
        taken += try_file(file, size, jm_rng_below(&rng, 2) ? "graph" : "plane");
        free(file);
        for (unsigned i = bytes; i-- > 0;)
            contents.bytes[at[i]] = old[i];
    }
    free(contents.bytes);
    cr_expect_gt(taken, files / 50, "%u", taken); /* or nothing is tried at depth */
    cr_expect_lt(taken, files, "%u", taken);
}

/* ---- a node's list of pages ------------------------------------------------------ */

/* Returns the list of the pages of a machine of one node whose pages are all different:
 * their count, then for each its number and its place among all, then the cycle and the
 * size of the state, which is all that follows. */
static uint8_t *page_list(const Contents *contents) {
    const uint8_t *const end = contents->bytes + contents->size;
    for (uint8_t *list = contents->bytes; list < end; list++) {
        const uint8_t *at = list + 1;
        uint64_t now, size;
        for (unsigned i = 0; i < *list && end - at > 1 && at[1] == i; i++)
            at += 2;
        if (at == list + 1 + 2 * *list && *list > 1 && leb_take(&at, end, &now) &&
            leb_take(&at, end, &size) && size == (uint64_t)(end - at))
            return list;
    }
    cr_assert_fail("no list of pages");
    return contents->bytes;
}

static bool try_contents(const Contents *contents) {
    size_t size;
    uint8_t *const file = pack(contents, &size);
    const bool taken = try_file(file, size, "plane");
    free(file);
    return taken;
}

Test(emu_damaged, pages_in_order_each_once, .timeout = 60) {
    Rig *rig = rig_open(1, 1, 1, rig_traffic);
    jm_write(rig->machine, 0, 0x300, jm_word(JM_TAG_INT, 1));
    jm_write(rig->machine, 0, 0x400, jm_word(JM_TAG_INT, 2));
    Contents contents = contents_of(rig->machine);
    rig_close(rig);
    uint8_t *const list = page_list(&contents), first = list[1], second = list[3];
    cr_expect(try_contents(&contents));
    list[3] = first;
    cr_expect_not(try_contents(&contents), "a page twice");
    list[1] = second;
    cr_expect_not(try_contents(&contents), "out of order");
    free(contents.bytes);
}
