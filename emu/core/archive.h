/* Serialises state into bytes and reads it back, for checkpoints. Anyone may include
 * this header.
 *
 * Each structure has one function that names its fields in order. The function writes
 * the fields when the archive saves and reads them when it loads, so both directions
 * always agree. Numbers are LEB128, whatever the byte order of the host.
 *
 * A loading archive does not trust its bytes: a value that is missing or out of range
 * makes it bad, and a bad archive reads as zeros. The loader calls archive_good() at
 * the end, and also before it uses a value as an index or a size.
 *
 * An archive that runs out of memory is bad, and `starved` says so. A bad archive that
 * saves takes no more bytes. */
#ifndef JM_CORE_ARCHIVE_H
#define JM_CORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/core/word.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JM_LEB_BYTES = 10 }; /* of the longest number */

/* Writes a number as LEB128 (DWARF 4, section 7.6): seven bits a byte, lowest first,
 * bit 7 says that more follow. Returns its end. */
uint8_t *jm_leb_put(uint8_t *at, uint64_t value);
/* Reads a number at `*at`, which moves. False: it is cut off by `end` or longer than 64
 * bits. */
static inline bool leb_take(const uint8_t **at, const uint8_t *end, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        const uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return shift < 63 || byte <= 1;
    }
    return false;
}

typedef struct {
    bool saving;             /* false: loading */
    bool bad;                /* some value was wrong, or there is no memory */
    bool starved;            /* there is no memory */
    uint8_t *bytes;          /* saving: malloc'ed by the archive */
    size_t size;             /* saving: bytes written */
    size_t capacity;         /* saving: bytes allocated */
    const uint8_t *at, *end; /* loading: the remaining bytes, owned by the caller */
} Archive;

/* Starts an empty archive that saves; jm_archive_free() frees it. */
Archive jm_archive_save(void);
/* Starts to load. The caller keeps `bytes` and must not free them before the end. */
Archive jm_archive_load(const void *bytes, size_t size);
/* Frees the bytes of an archive that saved. */
void jm_archive_free(Archive *archive);

/* Saves a number. */
void jm_archive_put(Archive *archive, uint64_t value);
/* Loads a number. One that is cut off, longer than 64 bits or above `maximum` makes the
 * archive bad and reads as 0. */
uint64_t jm_archive_take(Archive *archive, uint64_t maximum);

/* Same as jm_archive_take(), with the common case of a one-byte number inline. */
static inline uint64_t archive_take(Archive *archive, uint64_t maximum) {
    if (archive->at < archive->end && *archive->at <= 0x7F && *archive->at <= maximum &&
        !archive->bad)
        return *archive->at++;
    return jm_archive_take(archive, maximum);
}

/* Each of these functions saves `*value` or loads it; a loaded number above `maximum`
 * is bad. */
static inline void jm_archive_u64(Archive *archive, uint64_t *value, uint64_t maximum) {
    if (archive->saving)
        jm_archive_put(archive, *value);
    else
        *value = archive_take(archive, maximum);
}

static inline void jm_archive_u32(Archive *archive, uint32_t *value, uint32_t maximum) {
    if (archive->saving)
        jm_archive_put(archive, *value);
    else
        *value = (uint32_t)archive_take(archive, maximum);
}

static inline void jm_archive_u8(Archive *archive, uint8_t *value, uint8_t maximum) {
    if (archive->saving)
        jm_archive_put(archive, *value);
    else
        *value = (uint8_t)archive_take(archive, maximum);
}

static inline void jm_archive_bool(Archive *archive, bool *value) {
    if (archive->saving)
        jm_archive_put(archive, *value);
    else
        *value = archive_take(archive, 1) != 0;
}

static inline void jm_archive_word(Archive *archive, JmWord *word) {
    jm_archive_u64(archive, &word->bits, JM_WORD_MASK);
}

/* A number below `limit`. A limit of 0 makes the archive bad: no number is below it. */
void jm_archive_below(Archive *archive, uint32_t *value, uint32_t limit);
/* An index below `limit`, or UINT32_MAX for none. */
void jm_archive_index(Archive *archive, uint32_t *value, uint32_t limit);
/* A count of items that follow. Each item takes at least one byte, so a loaded count
 * above the number of remaining bytes is bad: the caller can allocate `count` items
 * safely. */
void jm_archive_count(Archive *archive, uint32_t *count);
/* `size` bytes, copied as they are. */
void jm_archive_block(Archive *archive, void *block, size_t size);
/* A terminated text. A loaded one is malloc'ed for the caller; NULL if there is no
 * memory. */
void jm_archive_text(Archive *archive, char **text);

/* Makes the archive bad because memory ran out. */
void jm_archive_starve(Archive *archive);
/* Makes the archive bad unless `holds`; returns `holds`. */
static inline bool archive_demand(Archive *archive, bool holds) {
    archive->bad |= !holds;
    return holds;
}

static inline bool archive_good(const Archive *archive) {
    return !archive->bad;
}

#ifdef __cplusplus
}
#endif

#endif
