/* Parses the numbers of command lines. */
#include "tools/host/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/isa/isa.h"

/* Parses digits only: strtoull() alone would accept signs, blanks and an empty text. */
static bool parse(const char *text, int base, uint64_t low, uint64_t high,
                  uint64_t *value) {
    if (!isxdigit((unsigned char)text[0]))
        return false;
    char *end;
    errno = 0;
    *value = strtoull(text, &end, base);
    return errno == 0 && *end == '\0' && *value >= low && *value <= high;
}

static bool is_hex_prefix(const char *text) {
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

bool number_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value) {
    return is_hex_prefix(text) ? parse(text + 2, 16, low, high, value)
                               : parse(text, 10, low, high, value);
}

bool number_parse_hex(const char *text, uint64_t *value) {
    return parse(is_hex_prefix(text) ? text + 2 : text, 16, 0, UINT32_MAX, value);
}

bool number_parse_word(const char *text, JmWord *word) {
    const char *colon = strchr(text, ':');
    uint64_t value;
    if (colon) {
        const int tag = jm_tag_by_name(text, (size_t)(colon - text));
        if (tag < 0 || !number_parse_hex(colon + 1, &value))
            return false;
        *word = jm_word((unsigned)tag, (uint32_t)value);
        return true;
    }
    const bool negative = text[0] == '-';
    const uint64_t high = negative ? UINT64_C(1) << 31 : UINT32_MAX;
    if (!number_parse(text + negative, 0, high, &value))
        return false;
    *word = jm_word(JM_TAG_INT, (uint32_t)(negative ? 0 - value : value));
    return true;
}

bool number_take(const char **text, char separator, uint64_t high, uint64_t *value) {
    char digits[32];
    const char *end = separator ? strchr(*text, separator) : *text + strlen(*text);
    if (!end || (size_t)(end - *text) >= sizeof digits)
        return false;
    memcpy(digits, *text, (size_t)(end - *text));
    digits[end - *text] = '\0';
    *text = separator ? end + 1 : end;
    return number_parse(digits, 0, high, value);
}

bool number_parse_mesh(const char *text, unsigned high, unsigned size[3]) {
    for (unsigned d = 0; d < 3; d++) {
        uint64_t value;
        if (!number_take(&text, d < 2 ? 'x' : '\0', high, &value))
            return false;
        size[d] = (unsigned)value;
    }
    return true;
}

bool number_parse_range(const char *text, double *first, double *last, double *step) {
    const char *dots = strstr(text, "..");
    if (!dots)
        return false;
    char *ends[3];
    *first = strtod(text, &ends[0]);
    *last = strtod(dots + 2, &ends[1]);
    ends[2] = ends[1];
    *step = *ends[1] == '/' ? strtod(ends[1] + 1, &ends[2]) : 1;
    /* In "4..6" the first dot can belong to the number. */
    return (ends[0] == dots || ends[0] == dots + 1) && ends[0] != text &&
           ends[1] != dots + 2 && !*ends[2];
}
