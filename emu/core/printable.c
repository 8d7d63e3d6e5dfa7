/* Escapes bytes that are not safe to show; see printable.h. */
#include "emu/core/printable.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Returns the length of the UTF-8 character that begins here. Returns 0 for a byte that
 * cannot begin one, and for a character that is cut off, overlong, a surrogate, or
 * above U+10FFFF (Unicode 15, table 3-7). The zero that ends a text is not a
 * continuation byte, so nothing is read beyond it. */
static int utf8_length(const unsigned char *text) {
    const int length = text[0] < 0x80                       ? 1
                       : text[0] >= 0xC2 && text[0] <= 0xDF ? 2
                       : text[0] >= 0xE0 && text[0] <= 0xEF ? 3
                       : text[0] >= 0xF0 && text[0] <= 0xF4 ? 4
                                                            : 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    const bool wrong =
        (text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F);
    return wrong ? 0 : length;
}

/* Whether a control character begins here: C0 (below U+0020), DEL (U+007F) or C1
 * (U+0080 to U+009F). */
static bool is_control(const unsigned char *text) {
    return text[0] < 0x20 || text[0] == 0x7F || (text[0] == 0xC2 && text[1] < 0xA0);
}

static int printable_length(const unsigned char *text) {
    return is_control(text) ? 0 : utf8_length(text);
}

/* Copies a text and escapes what cannot be printed, and blanks unless `blanks`. */
static char *print(const char *text, bool blanks, char *buffer, size_t size) {
    const unsigned char *at = (const unsigned char *)text;
    size_t used = 0;
    while (*at) {
        const int length = printable_length(at);
        const bool plain = length > 0 && (blanks || *at != ' ');
        const size_t room = plain ? (size_t)length : sizeof "\\xHH" - 1;
        if (used + room >= size)
            break;
        if (plain)
            memcpy(buffer + used, at, room);
        else
            snprintf(buffer + used, room + 1, "\\x%02X", *at);
        used += room;
        at += plain ? length : 1;
    }
    buffer[used] = '\0';
    return buffer;
}

char *jm_printable(const char *text, char *buffer, size_t size) {
    return print(text, true, buffer, size);
}

void jm_printable_put(FILE *out, const char *text, size_t size, bool blanks) {
    for (const char *end = text + size; text < end;) {
        const int length = jm_printable_length(text, (size_t)(end - text));
        if (*text == '\t')
            putc('\t', out);
        else if (blanks || length == 0)
            putc(blanks ? ' ' : '?', out);
        else
            fwrite(text, 1, (size_t)length, out);
        text += length ? length : 1;
    }
}

char *jm_printable_word(const char *text, char *buffer, size_t size) {
    return print(text, false, buffer, size);
}

/* The first bytes of a text, followed by a zero: a character that is cut off at the end
 * does not count, and the byte after it is not read. */
typedef struct {
    unsigned char bytes[5];
} Start;

static Start start_of(const char *text, size_t size) {
    Start start = {""};
    memcpy(start.bytes, text, size < 4 ? size : 4);
    return start;
}

int jm_printable_length(const char *text, size_t size) {
    const Start start = start_of(text, size);
    return printable_length(start.bytes);
}

bool jm_is_utf8(const char *bytes, size_t size) {
    for (size_t at = 0; at < size;) {
        const Start start = start_of(bytes + at, size - at);
        const int length = *start.bytes ? utf8_length(start.bytes) : 0;
        if (length == 0)
            return false;
        at += (size_t)length;
    }
    return true;
}

char *jm_utf8(const char *text, char *buffer, size_t size) {
    static const char replacement[] = "\xEF\xBF\xBD";
    const unsigned char *at = (const unsigned char *)text;
    size_t used = 0;
    while (*at) {
        const int length = utf8_length(at);
        const void *from = length ? (const void *)at : replacement;
        const size_t room = length ? (size_t)length : sizeof replacement - 1;
        if (used + room >= size)
            break;
        memcpy(buffer + used, from, room);
        used += room;
        at += length ? length : 1;
    }
    buffer[used] = '\0';
    return buffer;
}
