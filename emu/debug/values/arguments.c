/* Takes numbers, source lines, places of code and addresses from a line. */
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/talk/names.h"
#include "emu/debug/values/values.h"

bool take_number(Args *args, const char *what, int64_t low, int64_t high,
                 int64_t *number) {
    const char *at = next_at(args);
    Value value;
    if (!take_value(args, &value))
        return false;
    *number = value_number(&value);
    if (*number < low || *number > high)
        return fail_at(args, at, "%s must be in %" PRId64 "..%" PRId64, what, low,
                       high);
    return true;
}

bool take_optional(Args *args, const char *what, int64_t low, int64_t high,
                   int64_t standard, int64_t *number) {
    *number = standard;
    return at_end(args) || take_number(args, what, low, high, number);
}

/* Returns the length of the file's name in "prog.s:12", 0 if the text has another form,
 * such as "$r0?main:12". A line number that is too large is INT_MAX. */
static size_t line_place(const char *at, int *line) {
    const size_t length = strcspn(at, " \t");
    size_t colon = length;
    while (colon > 0 && at[colon - 1] != ':')
        colon--;
    if (colon < 2 || colon == length)
        return 0;
    if (strspn(at + colon, "0123456789") != length - colon)
        return 0;
    if (jm_tag_by_name(at, colon - 1) >= 0 || memchr(at, '?', colon))
        return 0;
    const unsigned long long number = strtoull(at + colon, NULL, 10);
    *line = number < INT_MAX ? (int)number : INT_MAX;
    return colon - 1;
}

/* Reports that a line has no code, and which lines near it have some. */
static bool fail_at_line(Args *args, const char *at, size_t file, int line) {
    return fail_at(args, at, "line %.*s of '%.*s' has no code%s",
                   (int)(args->at - at - (ptrdiff_t)file - 1), at + file + 1, (int)file,
                   at, lines_near_text(args->d, at, file, line));
}

bool take_file_line(Args *args, JmDebugPlace *line, bool *found) {
    char files[LONG_TEXT];
    const char *at = next_at(args);
    const size_t length = line_place(at, &line->line);
    *found = length != 0;
    if (!length)
        return true;
    args->at += strcspn(at, " \t");
    const unsigned count =
        source_files(args->d, at, length, &line->file, files, sizeof files);
    if (count > 1)
        return fail_at(args, at, "'%.*s' means several files: %s", (int)length, at,
                       files);
    return count || fail_at(args, at, "the program has no such file");
}

/* Takes a symbol, or FILE:SYMBOL, that stands alone: all its places. False if something
 * else follows. */
static bool take_symbol(Args *args, Places *places) {
    char name[LONG_TEXT];
    const size_t length = strcspn(args->at, " \t");
    const char *behind = args->at + length + strspn(args->at + length, " \t");
    snprintf(name, sizeof name, "%.*s", (int)length, args->at);
    if (length >= sizeof name || (*behind && strchr("+-*/%&|^<>=!?@", *behind)) ||
        !symbol_places(args->d, name, places))
        return false;
    args->at += length;
    return true;
}

bool take_places(Args *args, Places *places) {
    const char *at = next_at(args);
    int line;
    const size_t file = line_place(at, &line);
    *places = (Places){.count = 0};
    if (file) {
        args->at += strcspn(at, " \t");
        return line_places(args->d, at, file, line, places) ||
               fail_at_line(args, at, file, line);
    }
    if (take_symbol(args, places))
        return true;
    Value value;
    if (!take_value(args, &value))
        return false;
    const uint32_t address = value_address(&value);
    if (address == UINT32_MAX)
        return fail_at(args, at, "no address: memory is 0..0xFFFFF");
    places_add(args->d, places, jm_debug_place(args->d, address, false));
    return true;
}

bool take_address(Args *args, uint32_t *address) {
    Places places;
    Text text = {.heap = args->d->work};
    const char *at = next_at(args);
    if (!take_places(args, &places))
        return false;
    *address = places.list[0].address;
    bool several = false;
    for (size_t i = 0; i < places.count; i++)
        several |= places.list[i].address != *address;
    if (!several)
        return true;
    places_text(args->d, places.list, places.count, &text);
    return fail_at(args, at, "this has several places: %s", text_get(&text));
}

bool take_word_of_node(Args *args, unsigned *node, uint32_t *address) {
    skip_blanks(args);
    const size_t length = strcspn(args->at, " \t");
    const char *colon = memchr(args->at, ':', length);
    const bool named =
        colon && strspn(args->at, "0123456789,()$") == (size_t)(colon - args->at);
    if (named) {
        if (!take_node(args, node))
            return false;
        if (*args->at != ':')
            return fail_at(args, args->at, "':' expected");
        args->at++;
    }
    return take_address(args, address);
}
