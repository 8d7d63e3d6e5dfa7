/* Serialises state into bytes and reads it back; see archive.h. */
#include "emu/core/archive.h"

#include <stdlib.h>
#include <string.h>

#include "emu/core/grow.h"

uint8_t *jm_leb_put(uint8_t *at, uint64_t value) {
    for (; value > 0x7F; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

Archive jm_archive_save(void) {
    return (Archive){.saving = true};
}

Archive jm_archive_load(const void *bytes, size_t size) {
    const uint8_t *first = bytes;
    return (Archive){.at = first, .end = first + size};
}

void jm_archive_free(Archive *archive) {
    free(archive->bytes);
    *archive = (Archive){.bad = true};
}

void jm_archive_starve(Archive *archive) {
    archive->bad = archive->starved = true;
}

/* Makes room for `size` more bytes. Returns false if the archive is bad or becomes
 * bad. */
static bool reserve(Archive *archive, size_t size) {
    if (archive->bad)
        return false;
    if (archive->capacity - archive->size >= size)
        return true;
    if (!jm_grow(&archive->bytes, archive->size + size, &archive->capacity, 1))
        jm_archive_starve(archive);
    return !archive->bad;
}

void jm_archive_put(Archive *archive, uint64_t value) {
    if (reserve(archive, JM_LEB_BYTES))
        archive->size = (size_t)(jm_leb_put(archive->bytes + archive->size, value) -
                                 archive->bytes);
}

uint64_t jm_archive_take(Archive *archive, uint64_t maximum) {
    uint64_t value;
    if (leb_take(&archive->at, archive->end, &value) && value <= maximum &&
        !archive->bad)
        return value;
    archive->bad = true;
    return 0;
}

void jm_archive_below(Archive *archive, uint32_t *value, uint32_t limit) {
    if (archive_demand(archive, limit > 0))
        jm_archive_u32(archive, value, limit - 1);
}

void jm_archive_index(Archive *archive, uint32_t *value, uint32_t limit) {
    uint32_t number = *value + 1; /* no index is stored as 0: one byte, not five */
    jm_archive_u32(archive, &number, limit);
    *value = number - 1;
}

void jm_archive_count(Archive *archive, uint32_t *count) {
    jm_archive_u32(archive, count, UINT32_MAX);
    if (archive->saving)
        return;
    if (!archive_demand(archive, *count <= (size_t)(archive->end - archive->at)))
        *count = 0;
}

void jm_archive_block(Archive *archive, void *block, size_t size) {
    if (archive->saving) {
        if (size == 0 || !reserve(archive, size))
            return;
        memcpy(archive->bytes + archive->size, block, size);
        archive->size += size;
        return;
    }
    if (!archive_demand(archive, size <= (size_t)(archive->end - archive->at)))
        return;
    if (size)
        memcpy(block, archive->at, size);
    archive->at += size;
}

void jm_archive_text(Archive *archive, char **text) {
    uint32_t length = archive->saving ? (uint32_t)strlen(*text) : 0;
    jm_archive_count(archive, &length);
    if (!archive->saving) {
        *text = calloc((size_t)length + 1, 1);
        if (!*text) {
            jm_archive_starve(archive);
            return;
        }
    }
    jm_archive_block(archive, *text, length);
}
