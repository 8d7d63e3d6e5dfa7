/* Addresses and source files as the editor sees them; memory as bytes and as
 * instructions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/jm/dap/dap.h"

enum { BYTES_MOST = 16 << 20, INSTRUCTIONS_MOST = 65536 };

/* ---- addresses ------------------------------------------------------------------- */

uint64_t place_bytes(unsigned node, uint32_t address, bool low) {
    return ((uint64_t)node << NODE_BITS) + (uint64_t)address * WORD_BYTES +
           (low ? LOW_BYTES : 0);
}

json_t *place_reference(unsigned node, uint32_t address, bool low) {
    return jvalue_textf("0x%" PRIX64, place_bytes(node, address, low));
}

bool want_reference(Dap *dap, const json_t *arguments, const char *name,
                    uint64_t *bytes) {
    const char *text;
    char *end;
    int64_t offset = 0;
    if (!want_text(dap, arguments, name, &text) ||
        !may_number(dap, arguments, "offset", &offset))
        return false;
    *bytes = strtoull(text, &end, 0);
    if (!*text || *end)
        return dap_fail(dap, "'%s' is not an address", text);
    *bytes += (uint64_t)offset;
    return true;
}

/* ---- source files ---------------------------------------------------------------- */

json_t *place_source(const char *file) {
    char *path = file ? realpath(file, NULL) : NULL;
    if (!path)
        return NULL;
    const char *slash = strrchr(path, '/');
    json_t *source = json_pack("{s:o,s:o}", "name", jvalue_text(slash + 1), "path",
                               jvalue_text(path));
    free(path);
    return source;
}

bool place_add(const Dap *dap, json_t *object, const char *name,
               const JmDebugPlace *place) {
    json_t *source = place_source(place->file);
    if (!source)
        return false;
    json_object_set_new(object, name, source);
    json_object_set_new(object, "line", json_integer(place->line - dap->lines_from_0));
    return true;
}

const char *place_file(const Dap *dap, const char *path) {
    char *wanted = realpath(path, NULL);
    const char *found = NULL;
    for (unsigned i = 0; wanted && !found && jm_source_name(dap->machine, i); i++) {
        char *own = realpath(jm_source_name(dap->machine, i), NULL);
        if (own && strcmp(own, wanted) == 0)
            found = jm_source_name(dap->machine, i);
        free(own);
    }
    free(wanted);
    return found;
}

json_t *place_name(const Dap *dap, const JmDebugPlace *place) {
    char symbol[256];
    jm_symbol_at(dap->machine, place->address, symbol, sizeof symbol);
    return *symbol ? jvalue_text(symbol) : jvalue_textf("%05" PRIX32, place->address);
}

/* ---- base 64 --------------------------------------------------------------------- */

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encoded(const unsigned char *bytes, size_t count) {
    char *text = memory_array(count / 3 * 4 + 5, 1), *at = text;
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const uint32_t group = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            *at++ = k > left ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
    return text;
}

/* Returns the bytes, malloc'ed; NULL if the text is malformed. */
static unsigned char *decoded(const char *text, size_t *count) {
    unsigned char *bytes = memory_array(strlen(text), 1);
    uint32_t group = 0;
    size_t length = strlen(text);
    const bool whole = length % 4 == 0;
    while (length > 0 && text[length - 1] == '=')
        length--;
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        const char *digit = strchr(digits, text[i]);
        if (!digit || !whole) {
            free(bytes);
            return NULL;
        }
        group = group << 6 | (uint32_t)(digit - digits);
        if (i % 4)
            bytes[(*count)++] = (unsigned char)(group >> (6 - 2 * (i % 4)));
    }
    return bytes;
}

/* ---- bytes ----------------------------------------------------------------------- */

/* The end of all memory, in bytes. */
static uint64_t memory_end(const Dap *dap) {
    return (uint64_t)jm_node_count(dap->machine) << NODE_BITS;
}

static JmWord word_at(const Dap *dap, uint64_t bytes) {
    return jm_read(dap->machine, (unsigned)(bytes >> NODE_BITS),
                   (uint32_t)(bytes / WORD_BYTES) & JM_ADDRESS_MASK);
}

bool request_readMemory(Dap *dap, const json_t *arguments) {
    uint64_t first;
    int64_t count;
    if (!want_reference(dap, arguments, "memoryReference", &first) ||
        !want_number(dap, arguments, "count", &count))
        return false;
    if (count < 0 || count > BYTES_MOST)
        return dap_fail(dap, "'count': 0 to %d bytes", BYTES_MOST);
    const uint64_t end = memory_end(dap), left = first < end ? end - first : 0;
    const size_t readable = (uint64_t)count < left ? (size_t)count : (size_t)left;
    unsigned char *bytes = memory_array(readable, 1);
    for (size_t i = 0; i < readable; i++)
        bytes[i] = (unsigned char)(word_at(dap, first + i).bits >>
                                   (first + i) % WORD_BYTES * 8);
    char *text = encoded(bytes, readable);
    dap->body = json_pack("{s:o,s:o,s:I}", "address", jvalue_textf("0x%" PRIX64, first),
                          "data", jvalue_text(text), "unreadableBytes",
                          (json_int_t)((size_t)count - readable));
    free(text);
    free(bytes);
    return true;
}

/* Puts bytes into the word that holds the first of them. Returns how many are in it; 0
 * after a failure. */
static size_t write_word(Dap *dap, uint64_t first, const unsigned char *bytes,
                         size_t count) {
    JmWord word = word_at(dap, first);
    size_t i = 0;
    for (; i < count && (i == 0 || (first + i) % WORD_BYTES); i++) {
        const unsigned shift = (unsigned)((first + i) % WORD_BYTES * 8);
        word.bits = (word.bits & ~(UINT64_C(0xFF) << shift)) | (uint64_t)bytes[i]
                                                                   << shift;
    }
    if (word.bits > JM_WORD_MASK) {
        dap_fail(dap, "a word has 36 bits: bytes 5 to 7 of its 8 are 0, and so are the "
                      "high four bits of byte 4");
        return 0;
    }
    char text[32];
    jm_word_print(word, text, sizeof text);
    if (dap_do(dap, "set [0x%" PRIX64 "]@%" PRIu64 " = %s",
               first / WORD_BYTES & JM_ADDRESS_MASK, first >> NODE_BITS, text))
        return i;
    dap_fail(dap, "%s", jm_debug_error(dap->debug));
    return 0;
}

bool request_writeMemory(Dap *dap, const json_t *arguments) {
    uint64_t first;
    const char *text;
    size_t count, done = 0, part = 1;
    if (!want_reference(dap, arguments, "memoryReference", &first) ||
        !want_text(dap, arguments, "data", &text))
        return false;
    unsigned char *bytes = decoded(text, &count);
    if (!bytes)
        return dap_fail(dap, "'data' is not base 64");
    const bool inside = first < memory_end(dap) && count <= memory_end(dap) - first;
    while (inside && part && done < count) {
        part = write_word(dap, first + done, bytes + done, count - done);
        done += part;
    }
    free(bytes);
    if (!inside)
        return dap_fail(dap, "there is no such memory");
    return part && dap_give(dap, json_pack("{s:I}", "bytesWritten", (json_int_t)done));
}

/* ---- instructions ---------------------------------------------------------------- */

/* Where an instruction is: in a word that holds no instructions there is one place. */
static unsigned places_in(const Dap *dap, uint64_t bytes) {
    return jm_tag(word_at(dap, bytes)) >= JM_TAG_INST0 ? 2 : 1;
}

/* Moves a place by a number of instructions. False at the end of the node's memory. */
static bool move_place(const Dap *dap, uint64_t *bytes, int64_t count) {
    const uint64_t low = *bytes >> NODE_BITS << NODE_BITS;
    const uint64_t high = low + (UINT64_C(1) << NODE_BITS);
    for (; count > 0 && *bytes < high; count--)
        *bytes += *bytes % WORD_BYTES || places_in(dap, *bytes) == 1
                      ? WORD_BYTES - *bytes % WORD_BYTES
                      : LOW_BYTES;
    for (; count < 0 && *bytes > low; count++)
        *bytes -= *bytes % WORD_BYTES                        ? LOW_BYTES
                  : places_in(dap, *bytes - WORD_BYTES) == 2 ? LOW_BYTES
                                                             : WORD_BYTES;
    return count == 0 && *bytes >= low && *bytes < high;
}

/* Returns an instruction, or a word that holds none. */
static json_t *instruction_at(const Dap *dap, uint64_t bytes) {
    const JmWord word = word_at(dap, bytes);
    const uint32_t address = (uint32_t)(bytes / WORD_BYTES) & JM_ADDRESS_MASK;
    const JmDebugPlace place =
        jm_debug_place(dap->debug, address, bytes % WORD_BYTES != 0);
    char text[128], symbol[256];
    const bool code = jm_tag(word) >= JM_TAG_INST0;
    if (code)
        jm_disassemble(jm_instruction(word, place.low), text, sizeof text);
    else
        jm_word_print(word, text, sizeof text);
    json_t *row = json_pack(
        "{s:o,s:o,s:o}", "address", jvalue_textf("0x%" PRIX64, bytes), "instruction",
        jvalue_text(text), "instructionBytes", jvalue_textf("%09" PRIX64, word.bits));
    jm_symbol_at(dap->machine, address, symbol, sizeof symbol);
    if (*symbol && !strchr(symbol, '+') && !place.low)
        json_object_set_new(row, "symbol", jvalue_text(symbol));
    place_add(dap, row, "location", &place);
    return row;
}

/* Returns the row of an instruction outside the node's memory. */
static json_t *no_instruction(int64_t index) {
    return json_pack("{s:o,s:o,s:o}", "address", jvalue_textf("%" PRId64, index),
                     "instruction", jvalue_text("no memory"), "presentationHint",
                     jvalue_text("invalid"));
}

bool request_disassemble(Dap *dap, const json_t *arguments) {
    uint64_t bytes;
    int64_t count, skip = 0;
    if (!want_reference(dap, arguments, "memoryReference", &bytes) ||
        !want_number(dap, arguments, "instructionCount", &count) ||
        !may_number(dap, arguments, "instructionOffset", &skip))
        return false;
    if (count < 0 || count > INSTRUCTIONS_MOST || skip < -INSTRUCTIONS_MOST ||
        skip > INSTRUCTIONS_MOST)
        return dap_fail(dap, "at most %d instructions", INSTRUCTIONS_MOST);
    if (bytes >= memory_end(dap))
        return dap_fail(dap, "there is no such memory");
    bytes -= bytes % LOW_BYTES;
    json_t *rows = json_array();
    for (int64_t i = 0; i < count; i++) {
        uint64_t at = bytes;
        json_array_append_new(rows, move_place(dap, &at, skip + i)
                                        ? instruction_at(dap, at)
                                        : no_instruction(skip + i));
    }
    return dap_give(dap, json_pack("{s:o}", "instructions", rows));
}
