/* State as bytes and back. One function per structure names its fields in order; it
 * writes them when the archive saves and reads them when it loads, so that the two
 * cannot disagree. Numbers take seven bits a byte, lowest first, whatever the host.
 *
 * A loading archive trusts nobody: what is missing, out of range or left over makes it
 * bad, and a bad archive gives zeros. Who loads asks archive_good() at the end, and
 * before it uses a value that another one must fit.
 */
#ifndef JM_CORE_ARCHIVE_H
#define JM_CORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/core/word.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    bool saving, bad;
    uint8_t *bytes; /* saving: malloc'ed, `size` of them */
    size_t size, capacity;
    const uint8_t *at, *end; /* loading: what is left */
} Archive;

Archive archive_save(void);
/* `bytes` stay the caller's. */
Archive archive_load(const void *bytes, size_t size);
/* Frees what was saved. */
void archive_free(Archive *archive);

/* Numbers are at most `maximum`. */
void archive_u64(Archive *archive, uint64_t *value, uint64_t maximum);
void archive_u32(Archive *archive, uint32_t *value, uint32_t maximum);
void archive_u8(Archive *archive, uint8_t *value, uint8_t maximum);
void archive_bool(Archive *archive, bool *value);
void archive_word(Archive *archive, JmWord *word);
/* A number below `limit`; there is none if that is 0. */
void archive_below(Archive *archive, uint32_t *value, uint32_t limit);
/* An index below `limit`, or UINT32_MAX for none. */
void archive_index(Archive *archive, uint32_t *value, uint32_t limit);
/* A count of items that follow and take a byte each at least: so no more are asked for
 * than an archive of this size can hold. */
void archive_count(Archive *archive, uint32_t *count);
/* Bytes as they are. */
void archive_block(Archive *archive, void *block, size_t size);
/* A text; loaded ones are malloc'ed. */
void archive_text(Archive *archive, char **text);

/* Ends a loading archive unless `holds`; returns `holds`. */
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
