/* Reading ar archives, with or without a symbol table: the common format, GNU's and
 * BSD's long names. Nothing is copied: members point into the archive's bytes. */
#ifndef JM_ASM_ARCHIVE_H
#define JM_ASM_ARCHIVE_H

#include <stddef.h>

#include "emu/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const unsigned char *bytes;
    size_t size;
    const char *name;         /* of the archive, for messages */
    size_t at;                /* of the next member */
    size_t names, names_size; /* GNU's table of long names */
} AsmArchive;

enum { ASM_ARCHIVE_NAME_MAX = 255 };

typedef struct {
    char name[ASM_ARCHIVE_NAME_MAX + 1];
    const unsigned char *bytes;
    size_t size;
    size_t offset; /* of its contents in the archive */
} AsmArchiveMember;

typedef enum {
    ASM_ARCHIVE_MEMBER,
    ASM_ARCHIVE_END,
    ASM_ARCHIVE_ERROR
} AsmArchiveResult;

/* Starts reading `bytes`, an archive (asm_object_is_archive) that the caller owns. */
AsmArchive asm_archive_open(const void *bytes, size_t size, const char *name);

/* Returns the next member that is not a table of the archive itself. */
AsmArchiveResult asm_archive_next(AsmArchive *archive, AsmArchiveMember *member,
                                  JmError *error);

#ifdef __cplusplus
}
#endif

#endif
