/* How values are shown in the formats that the user may choose, and the displays. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/talk/names.h"
#include "emu/debug/values/values.h"

/* The formats, in the order of Format, with gdb's letters for them. */
static const struct {
    const char *name, *letters;
} formats[] = {{"word", ""},  {"dec", "du"}, {"hex", "x"}, {"bin", "t"},
               {"char", "c"}, {"addr", "a"}, {"code", "i"}};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *format_name(unsigned index) {
    return index < FORMATS ? formats[index].name : NULL;
}

bool take_format(Args *args, Format *format) {
    for (unsigned i = 0; i < FORMATS; i++) {
        if (!take_word(args, formats[i].name))
            continue;
        *format = (Format)i;
        return true;
    }
    return false;
}

bool take_last_format(Args *args, Format *format) {
    if (at_end(args))
        return true;
    const char *at = args->at;
    if (!take_format(args, format))
        return fail_at(args, at,
                       "an operator or a format (word dec hex bin char addr code) "
                       "expected%s",
                       nearest_text(args->d, at, strcspn(at, " \t"), format_name, ""));
    return expect_end(args);
}

/* Finds the format of a letter. "w" is accepted: the unit of memory is the word
 * anyway. */
static bool format_of_letter(char letter, Format *format) {
    for (unsigned i = 0; i < FORMATS; i++) {
        if (!strchr(formats[i].letters, letter))
            continue;
        *format = (Format)i;
        return true;
    }
    return letter == 'w'; /* the unit of memory here is the word */
}

bool take_slash(Args *args, int64_t *count, Format *format) {
    enum { COUNT_MAX = 65536 };
    skip_blanks(args);
    if (*args->at != '/')
        return true;
    const char *at = ++args->at;
    const size_t digits = strspn(at, "0123456789");
    if (digits) {
        const unsigned long number = strtoul(at, NULL, 10);
        if (!count)
            return fail_at(args, at, "only `x` takes a count");
        if (number < 1 || number > COUNT_MAX)
            return fail_at(args, at, "the count must be in 1..%d", COUNT_MAX);
        *count = (int64_t)number;
    }
    for (args->at += digits; *args->at && !isspace((unsigned char)*args->at);
         args->at++)
        if (!format_of_letter(*args->at, format))
            return fail_at(args, args->at, "formats behind a / are d x t c a i");
    return true;
}

/* Prints bits in groups of four. */
static void say_binary(Text *out, uint64_t bits, unsigned count) {
    for (unsigned i = count; i-- > 0;)
        say_to(out, "%u%s", (unsigned)(bits >> i & 1), i && i % 4 == 0 ? "_" : "");
}

void say_code(JmDebug *d, Text *out, JmWord word) {
    if (!jm_is_instruction(word)) {
        say_to(out, "%s", word_text(d, word));
        return;
    }
    say_to(out, "%-24s | %s", code_text(d, word, false), code_text(d, word, true));
}

void say_value(JmDebug *d, Text *out, const Value *value, Format format) {
    const int64_t number = value_number(value);
    const uint64_t bits = value->is_word ? value->word.bits : (uint64_t)number;
    const JmWord word = value->is_word ? value->word : jm_int((int32_t)number);
    switch (format) {
    case FORMAT_HEX:
        say_to(out, "0x%" PRIX64, bits);
        break;
    case FORMAT_BIN:
        say_binary(out, bits, value->is_word ? 36 : 64);
        break;
    case FORMAT_CHAR:
        say_to(out,
               number >= 0 && number < 256 && isprint((int)number) ? "'%c'" : "\\x%02X",
               (int)(number & 255));
        break;
    case FORMAT_ADDR:
        say_to(out, "%s", place_text(d, value_address(value) & JM_ADDRESS_MASK, true));
        break;
    case FORMAT_CODE:
        say_code(d, out, word);
        break;
    default:
        if (value->is_word && format == FORMAT_WORD)
            say_to(out, "%s", word_text(d, word));
        else
            say_to(out, "%" PRId64, number);
    }
}

/* ---- displays -------------------------------------------------------------------- */

/* Prints a display or, if it has no value at this stop, why; that is not an error. */
static void say_display(JmDebug *d, const Display *display) {
    Value value;
    say(d, "%u: %s = ", display->id, display->text);
    Reason why = "";
    if (evaluate_quietly(d, display->text, d->node, NULL, &value, why))
        say_value(d, &d->out, &value, display->format);
    else
        say(d, "no value here: %s", why);
    say(d, "\n");
}

void displays_say(JmDebug *d) {
    for (size_t i = 0; i < d->values->display_count; i++)
        say_display(d, &d->values->displays[i]);
}

void info_displays(JmDebug *d) {
    if (!d->values->display_count)
        say(d, "no displays\n");
    for (size_t i = 0; i < d->values->display_count; i++)
        say(d, "%3u %s, %s\n", d->values->displays[i].id, d->values->displays[i].text,
            format_name(d->values->displays[i].format));
}

bool cmd_display(JmDebug *d, Args *args) {
    Display display = {.format = FORMAT_WORD};
    bool foreign;
    if (!take_slash(args, NULL, &display.format))
        return false;
    if (at_end(args)) {
        displays_say(d);
        return true;
    }
    if (!check_expression(args, false, &display.text, &foreign))
        return false;
    if (!take_last_format(args, &display.format))
        return false;
    display.text = text_copy_all(d->heap, display.text);
    display.id = ++d->values->last_display;
    d->values->displays =
        heap_grow(d->heap, d->values->displays, d->values->display_count,
                  &d->values->display_capacity, sizeof *d->values->displays);
    d->values->displays[d->values->display_count++] = display;
    say_display(d, &display);
    return true;
}

static void delete_display(JmDebug *d, size_t index) {
    heap_free(d->values->displays[index].text);
    d->values->display_count--;
    memmove(&d->values->displays[index], &d->values->displays[index + 1],
            (d->values->display_count - index) * sizeof *d->values->displays);
}

/* Goes from the last display to the first, because deleting moves those behind. */
bool cmd_undisplay(JmDebug *d, Args *args) {
    int64_t id;
    const char *at = next_at(args);
    if (!take_optional(args, "a display", 1, UINT32_MAX, 0, &id) || !expect_end(args))
        return false;
    for (size_t i = d->values->display_count; i-- > 0;) {
        if (id && d->values->displays[i].id != (unsigned)id)
            continue;
        delete_display(d, i);
        if (id)
            return true;
    }
    return !id || fail_at(args, at, "there is no display %" PRId64, id);
}
