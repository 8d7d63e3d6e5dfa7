/* The part of zlib that emu/machine needs, where zlib is absent: data are packed by
 * storing them. The bytes are a zlib stream, so that any zlib reads them. For
 * savefile.c. */
#ifndef JM_WEB_ZLIB_H
#define JM_WEB_ZLIB_H

#include <stddef.h>

typedef unsigned long uLong;
typedef unsigned long uLongf;
typedef unsigned char Bytef;

enum {
    Z_OK = 0,
    Z_DATA_ERROR = -3,
    Z_MEM_ERROR = -4,
    Z_BUF_ERROR = -5,
    Z_BEST_SPEED = 1
};

/* As in zlib; uncompress() reads stored blocks only. */
uLong crc32_z(uLong sum, const Bytef *bytes, size_t size);
uLong compressBound(uLong size);
int compress2(Bytef *packed, uLongf *packed_size, const Bytef *bytes, uLong size,
              int level);
int uncompress(Bytef *bytes, uLongf *size, const Bytef *packed, uLong packed_size);

#endif
