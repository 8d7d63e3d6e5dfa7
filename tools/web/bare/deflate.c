/* The part of zlib.h that stores: RFC 1950 (frame and Adler-32), RFC 1951 3.2.4 (stored
 * blocks), and the CRC-32 of ISO 3309.
 *
 *     78 01 | final? length ~length bytes... | ... | Adler-32, highest byte first
 */
#include "tools/web/bare/include/zlib.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    FRAME_BYTES = 6, /* two before the blocks, the sum behind them */
    BLOCK_HEAD = 5,
    BLOCK_MOST = 65535,
    ADLER_BASE = 65521,
    ADLER_RUN = 5552 /* bytes before a 32-bit sum must be reduced */
};
static const uint32_t CRC_POLYNOMIAL = 0xEDB88320;

uLong crc32_z(uLong sum, const Bytef *bytes, size_t size) {
    uint32_t crc = ~(uint32_t)sum;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
    }
    return (uint32_t)~crc;
}

static uint32_t adler32_of(const Bytef *bytes, size_t size) {
    uint32_t low = 1, high = 0;
    while (size) {
        const size_t run = size < ADLER_RUN ? size : ADLER_RUN;
        for (size_t i = 0; i < run; i++) {
            low += bytes[i];
            high += low;
        }
        low %= ADLER_BASE;
        high %= ADLER_BASE;
        bytes += run;
        size -= run;
    }
    return high << 16 | low;
}

uLong compressBound(uLong size) {
    const uLong blocks = size / BLOCK_MOST + 1;
    return size + blocks * BLOCK_HEAD + FRAME_BYTES;
}

static Bytef *put_sum(Bytef *at, uint32_t sum) {
    for (unsigned i = 0; i < 4; i++)
        *at++ = (Bytef)(sum >> (24 - 8 * i));
    return at;
}

int compress2(Bytef *packed, uLongf *packed_size, const Bytef *bytes, uLong size,
              int level) {
    (void)level;
    if (*packed_size < compressBound(size))
        return Z_BUF_ERROR;
    Bytef *at = packed;
    *at++ = 0x78;
    *at++ = 0x01;
    const uint32_t sum = adler32_of(bytes, size);
    bool last;
    do {
        const uLong length = size < BLOCK_MOST ? size : BLOCK_MOST;
        last = length == size;
        *at++ = last;
        *at++ = (Bytef)length;
        *at++ = (Bytef)(length >> 8);
        *at++ = (Bytef)~length;
        *at++ = (Bytef)(~length >> 8);
        if (length)
            memcpy(at, bytes, length);
        at += length;
        bytes += length;
        size -= length;
    } while (!last);
    at = put_sum(at, sum);
    *packed_size = (uLongf)(at - packed);
    return Z_OK;
}

int uncompress(Bytef *bytes, uLongf *size, const Bytef *packed, uLong packed_size) {
    const Bytef *at = packed + 2, *const end = packed + packed_size;
    uLongf done = 0;
    bool last = false;
    if (packed_size < FRAME_BYTES || (packed[0] << 8 | packed[1]) % 31)
        return Z_DATA_ERROR;
    while (!last) {
        if (end - at < BLOCK_HEAD || *at > 1)
            return Z_DATA_ERROR;
        last = *at;
        const uLongf length = (uLongf)(at[1] | at[2] << 8);
        at += BLOCK_HEAD;
        if (length > (uLongf)(end - at) || length > *size - done)
            return Z_DATA_ERROR;
        memcpy(bytes + done, at, length);
        at += length;
        done += length;
    }
    Bytef sum[4];
    put_sum(sum, adler32_of(bytes, done));
    if (end - at != sizeof sum || memcmp(at, sum, sizeof sum) != 0)
        return Z_DATA_ERROR;
    *size = done;
    return Z_OK;
}
