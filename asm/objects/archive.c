/* Reads the members of an ar archive one after the other.
 *
 *     "!<arch>\n"
 *     header, 60 bytes    name[16] date[12] uid[6] gid[6] mode[8] size[10] "`\n"
 *     contents            `size` bytes, and a newline if that is odd
 *     header ...
 *
 * A name of up to 15 characters is in the header, ended by a slash (GNU) or by blanks.
 * A longer one is "/123", an offset into the contents of the member "//" that comes
 * before (GNU), or "#1/12": the first 12 bytes of the contents (BSD). Members "/",
 * "/SYM64/" and "__.SYMDEF" are symbol tables: not needed here, since every member is
 * read. */
#include "asm/objects/archive.h"

#include <ar.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "asm/objects/object.h"

bool asm_object_is_archive(const void *bytes, size_t size) {
    return size >= SARMAG && memcmp(bytes, ARMAG, SARMAG) == 0;
}

AsmArchive asm_archive_open(const void *bytes, size_t size, const char *name) {
    return (AsmArchive){.bytes = bytes, .size = size, .name = name, .at = SARMAG};
}

/* Errors are placed at the header of the member that is wrong. */
static bool fail(const AsmArchive *archive, JmError *error, const char *what) {
    return jm_fail_at(error, archive->name, (int64_t)archive->at, "%s", what);
}

/* Reads a decimal number in a field padded with blanks; false if there is none. Fields
 * have at most 16 characters, so the number cannot overflow. */
static bool parse_number(const char *field, size_t width, size_t *value) {
    size_t i = 0;
    for (*value = 0; i < width && field[i] >= '0' && field[i] <= '9'; i++)
        *value = *value * 10 + (size_t)(field[i] - '0');
    const bool found = i > 0;
    while (i < width && field[i] == ' ')
        i++;
    return found && i == width;
}

/* Names are for messages only: a longer one is cut. */
static void set_name(AsmArchiveMember *member, const char *text, size_t length) {
    if (length > ASM_ARCHIVE_NAME_MAX)
        length = ASM_ARCHIVE_NAME_MAX;
    memcpy(member->name, text, length);
    member->name[length] = '\0';
}

/* Name `/123`: at 123 in the table of long names, up to a slash and a newline. */
static bool long_name(const AsmArchive *archive, const char *field,
                      AsmArchiveMember *member) {
    size_t place;
    if (!parse_number(field + 1, sizeof(((struct ar_hdr *)0)->ar_name) - 1, &place) ||
        place >= archive->names_size)
        return false;
    const char *text = (const char *)archive->bytes + archive->names + place;
    const char *end = memchr(text, '\n', archive->names_size - place);
    size_t length = end ? (size_t)(end - text) : archive->names_size - place;
    if (length > 0 && text[length - 1] == '/')
        length--;
    set_name(member, text, length);
    return true;
}

/* Name `#1/12`: the first 12 bytes of the contents are the name. */
static bool inside_name(const char *field, AsmArchiveMember *member) {
    size_t length;
    if (!parse_number(field + 3, sizeof(((struct ar_hdr *)0)->ar_name) - 3, &length) ||
        length > member->size)
        return false;
    set_name(member, (const char *)member->bytes,
             strnlen((const char *)member->bytes, length));
    member->bytes += length;
    member->offset += length;
    member->size -= length;
    return true;
}

/* GNU ends a short name with a slash, so that it may hold blanks. Without a slash the
 * name ends at the first blank of the padding. */
static void short_name(const char *field, AsmArchiveMember *member) {
    size_t length = 0;
    while (length < sizeof(((struct ar_hdr *)0)->ar_name) && field[length] != '/')
        length++;
    while (length > 0 && field[length - 1] == ' ')
        length--;
    set_name(member, field, length);
}

/* Kinds of header: a member, a table of the archive itself, or a malformed one. */
typedef enum { KIND_MEMBER, KIND_TABLE, KIND_WRONG } Kind;

/* "//" is tested first, because it begins like a long name without a number. */
static Kind parse_name(AsmArchive *archive, const char *field,
                       AsmArchiveMember *member) {
    if (memcmp(field, "// ", 3) == 0) {
        archive->names = member->offset;
        archive->names_size = member->size;
        return KIND_TABLE;
    }
    if (memcmp(field, "/ ", 2) == 0 || memcmp(field, "/SYM64/ ", 8) == 0)
        return KIND_TABLE;
    if (field[0] == '/')
        return long_name(archive, field, member) ? KIND_MEMBER : KIND_WRONG;
    if (memcmp(field, "#1/", 3) == 0) {
        if (!inside_name(field, member))
            return KIND_WRONG;
    } else {
        short_name(field, member);
    }
    return strncmp(member->name, "__.SYMDEF", 9) == 0 ? KIND_TABLE : KIND_MEMBER;
}

/* Each header is checked against the rest of the archive; each step advances by at
 * least a header, so the walk ends. */
AsmArchiveResult asm_archive_next(AsmArchive *archive, AsmArchiveMember *member,
                                  JmError *error) {
    while (archive->at < archive->size) {
        struct ar_hdr header;
        size_t size;
        if (archive->size - archive->at < sizeof header) {
            fail(archive, error, "a member's header is cut off");
            return ASM_ARCHIVE_ERROR;
        }
        memcpy(&header, archive->bytes + archive->at, sizeof header);
        const size_t offset = archive->at + sizeof header;
        if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) != 0 ||
            !parse_number(header.ar_size, sizeof header.ar_size, &size) ||
            size > archive->size - offset) {
            fail(archive, error, "a member's header is wrong or its contents cut off");
            return ASM_ARCHIVE_ERROR;
        }
        *member = (AsmArchiveMember){
            .bytes = archive->bytes + offset, .size = size, .offset = offset};
        const Kind kind = parse_name(archive, header.ar_name, member);
        if (kind == KIND_WRONG) {
            fail(archive, error, "a member's name is wrong");
            return ASM_ARCHIVE_ERROR;
        }
        archive->at = offset + size + (size & 1); /* members begin at even offsets */
        if (kind == KIND_MEMBER)
            return ASM_ARCHIVE_MEMBER;
    }
    return ASM_ARCHIVE_END;
}
