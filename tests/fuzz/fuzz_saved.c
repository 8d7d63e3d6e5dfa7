/* Fuzzes the loader of saved machines, and runs what it accepted for a while. The bytes
 * are the contents of a file: they are given a header with the right sum, or the sum
 * alone would refuse nearly everything. */
#include <zlib.h>

#include "emu/machine/checkpoint.h"
#include "tests/fuzz/fuzz.h"

enum { HEADER_BYTES = 32 };

static void put_number(uint8_t *at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Wraps contents up as emu/machine/run/savefile.c does. */
static uint8_t *wrap(const uint8_t *data, size_t size, size_t *wrapped) {
    static const uint8_t magic[] = {0x8A, 'J', 'M', 'S', '\r', '\n', 0x1A, '\n'};
    uLongf packed = compressBound(size);
    uint8_t *file = calloc(HEADER_BYTES + packed, 1);
    compress2(file + HEADER_BYTES, &packed, data, size, Z_NO_COMPRESSION);
    memcpy(file, magic, sizeof magic);
    put_number(file + 8, CHECKPOINT_VERSION, 4);
    put_number(file + 16, size, 8);
    put_number(file + 24, packed, 8);
    put_number(file + 12, crc32_z(0, file + 16, HEADER_BYTES - 16 + packed), 4);
    *wrapped = HEADER_BYTES + packed;
    return file;
}

/* Returns whether the file was accepted. */
static bool try_file(const uint8_t *bytes, size_t size) {
    JmError error = {.text = ""};
    const char *engine = size % 2 ? "graph" : "plane";
    JmMachine *machine =
        jm_load_saved_memory(bytes, size, "fuzz.saved", engine, &error);
    if (!machine && !error.text[0])
        abort(); /* refused without a word */
    if (!machine)
        return false;
    jm_run(machine, jm_now(machine) + 300);
    jm_explain(machine, drop_row, NULL);
    jm_checkpoint_free(jm_checkpoint(machine));
    jm_destroy(machine);
    return true;
}

/* Tries contents wrapped up as a file; whether they were accepted. */
static bool try_contents(const uint8_t *data, size_t size) {
    size_t wrapped;
    uint8_t *file = wrap(data, size, &wrapped);
    const bool good = try_file(file, wrapped);
    free(file);
    return good;
}

/* Returns the contents of a file that was accepted, malloc'ed. */
static uint8_t *unwrap(const uint8_t *file, size_t size, uLongf *unpacked) {
    *unpacked = 0;
    for (unsigned i = 0; i < 8; i++)
        *unpacked |= (uLongf)file[16 + i] << 8 * i;
    uint8_t *data = malloc(*unpacked + 1);
    if (!data || uncompress(data, unpacked, file + HEADER_BYTES, size - HEADER_BYTES))
        abort(); /* how could it be accepted? */
    return data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_contents(data, size);
    if (!try_file(data, size))
        return 0;
    uLongf unpacked;
    uint8_t *contents = unwrap(data, size, &unpacked);
    if (!try_contents(contents, unpacked))
        abort(); /* wrap() is not of the present format: it would be all refusals */
    free(contents);
    return 0;
}
