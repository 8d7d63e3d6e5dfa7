/* Commands that show memory: `print`, words, code, `list` of the source, symbols, the
 * translation table. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/object.h"
#include "emu/core/sourcetext.h"
#include "emu/debug/look/look.h"
#include "emu/debug/past/past.h"
#include "emu/debug/talk/names.h"

/* Also keeps the value as $_. A number of two digits or more is also printed in
 * hexadecimal. */
bool cmd_print(JmDebug *d, Args *args) {
    Value value;
    Format format = FORMAT_WORD;
    if (!take_slash(args, NULL, &format) || !take_value(args, &value) ||
        !take_last_format(args, &format))
        return false;
    say_value(d, &d->out, &value, format);
    if (!value.is_word && format == FORMAT_WORD && value.number >= 10)
        say(d, "  0x%" PRIX64, (uint64_t)value.number);
    say(d, "\n");
    set_variable(d, "_", value);
    return true;
}

/* ---- x --------------------------------------------------------------------------- */

/* Prints the word at an address of the selected node. */
static void say_memory(JmDebug *d, uint32_t address, Format format) {
    const Value value = value_of_word(jm_read(d->machine, d->node, address));
    say(d, "%-24s ", place_text(d, address, false));
    say_value(d, &d->out, &value, format);
    say(d, "\n");
}

bool cmd_examine(JmDebug *d, Args *args) {
    uint32_t address = d->next_address;
    int64_t count = 4;
    Format format = FORMAT_WORD;
    if (!take_slash(args, &count, &format))
        return false;
    if (address == UINT32_MAX && at_end(args))
        return fail_at(args, args->at, "an address expected");
    if (!at_end(args) && !take_address(args, &address))
        return false;
    if (!at_end(args) && !take_format(args, &format)) {
        if (!take_number(args, "the count", 1, 65536, &count))
            return false;
        if (!take_last_format(args, &format))
            return false;
    }
    if (!expect_end(args))
        return false;
    for (; count > 0 && address <= JM_ADDRESS_MASK; count--)
        say_memory(d, address++, format);
    d->next_address = address & JM_ADDRESS_MASK;
    return true;
}

/* ---- disassemble ----------------------------------------------------------------- */

/* Prints a word of code of the selected node, with its label above it and the source
 * line of the first instruction that has one after it. */
static void say_code_line(JmDebug *d, uint32_t address) {
    char label[128];
    const char *file;
    int line;
    jm_symbol_at(d->machine, address, label, sizeof label);
    if (*label && !strchr(label, '+'))
        say(d, "%s:\n", label);
    say(d, "%s%05" PRIX32 "  ", address_of_ip(d, d->node) == address ? "=>" : "  ",
        address);
    const size_t start = d->out.length;
    say_code(d, &d->out, jm_read(d->machine, d->node, address));
    const size_t width = d->out.length - start;
    if (jm_line_at(d->machine, address, &file, &line))
        say(d, "%*s; %s:%d", width < 48 ? (int)(49 - width) : 1, "", file_text(d, file),
            line);
    say(d, "\n");
}

/* Prints `count` words of code with their places, from `address` on. */
static void say_code_words(JmDebug *d, uint32_t address, int64_t count) {
    for (; count > 0 && address <= JM_ADDRESS_MASK; count--)
        say_code_line(d, address++);
    d->next_address = address & JM_ADDRESS_MASK;
}

bool cmd_disassemble(JmDebug *d, Args *args) {
    uint32_t address = d->next_address;
    int64_t count = 10;
    if (address == UINT32_MAX && at_end(args)) {
        address = address_of_ip(d, d->node);
        address = address >= 3 ? address - 3 : 0;
    }
    if (!at_end(args) && !take_address(args, &address))
        return false;
    if (!take_optional(args, "the count", 1, 65536, 10, &count) || !expect_end(args))
        return false;
    say_code_words(d, address, count);
    return true;
}

/* Prints symbols with their values, files and lines, in the order of the image. */
bool cmd_symbols(JmDebug *d, Args *args) {
    char part[128];
    next_word(args, part, sizeof part);
    if (!expect_end(args))
        return false;
    const size_t said = d->out.length;
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &image->symbols[i];
        if (symbol->section == ASM_OBJECT_UNDEFINED || !strstr(symbol->name, part))
            continue;
        char name[LONG_TEXT];
        say(d, "%05" PRIX64 "  %-28s%s%s", (uint64_t)symbol->value,
            jm_printable_word(symbol->name, name, sizeof name),
            symbol->section == ASM_OBJECT_ABSOLUTE ? " absolute" : "",
            symbol->global ? "" : " local");
        if (symbol->file)
            say(d, "  %s:%d", file_text(d, symbol->file), symbol->line);
        say(d, "\n");
    }
    if (d->out.length == said)
        return fail(d,
                    *part ? "no symbol has '%s' in it" : "the program has no symbols%s",
                    part);
    return true;
}

/* ---- translation ----------------------------------------------------------------- */

bool cmd_translation(JmDebug *d, Args *args) {
    const Node *n = node_at(d, d->node);
    if (!at_end(args)) {
        Value value;
        if (!take_value(args, &value) || !expect_end(args))
            return false;
        const JmWord word = value.is_word ? value.word : jm_int((int32_t)value.number);
        say(d, "row %05" PRIX32 ": %s\n", node_table_row(n, word),
            word_text(d, node_lookup(n, word)));
        return true;
    }
    const size_t said = d->out.length;
    const uint32_t base = jm_field20(n->tbm);
    const uint32_t end = (base | jm_field10(n->tbm)) + 1;
    for (uint32_t row = base & ~3u; n->tbm && row < end; row++) {
        const JmWord bound = jm_read(d->machine, d->node, row & JM_ADDRESS_MASK);
        const JmWord name = jm_read(d->machine, d->node, (row + 1) & JM_ADDRESS_MASK);
        row++;
        if (!jm_same(bound, JM_NIL) || !jm_same(name, JM_NIL))
            say(d, "%05" PRIX32 "  %-28s -> %s\n", row - 1, word_text(d, name),
                word_text(d, bound));
    }
    if (d->out.length == said)
        say(d, "the translation table of node %u is empty\n", d->node);
    return true;
}

/* ---- `list` ---------------------------------------------------------------------- */

enum { LINES = 10, LINE_MAX_NUMBER = 1 << 30 };

/* Takes a number: a line of the file listed last, or of that of the next
 * instruction. */
static bool take_line_number(Args *args, JmDebugPlace *line) {
    JmDebug *d = args->d;
    const size_t digits = strspn(args->at, "0123456789");
    if (!digits || (args->at[digits] && !isspace((unsigned char)args->at[digits])))
        return false;
    const unsigned long number = strtoul(args->at, NULL, 10);
    *line = d->next_line.file ? d->next_line : next_of(d, d->node);
    line->address = UINT32_MAX;
    line->line = number < 1                 ? 1
                 : number > LINE_MAX_NUMBER ? LINE_MAX_NUMBER
                                            : (int)number;
    args->at += digits;
    return true;
}

/* Finds the source line of an address. */
static void find_line(const JmDebug *d, JmDebugPlace *shown) {
    *shown = jm_debug_place(d, shown->address, false);
    if (!shown->file &&
        !jm_line_at(d->machine, shown->address, &shown->file, &shown->line))
        shown->file = NULL;
}

/* Takes the line to show in the middle, and the address of its code. */
static bool take_shown(Args *args, JmDebugPlace *shown) {
    const char *at = next_at(args);
    if (take_line_number(args, shown))
        return shown->file ||
               fail_at(args, at, "no source file here: name one, as FILE:LINE");
    bool found;
    if (!take_file_line(args, shown, &found))
        return false;
    if (found)
        return true;
    if (!take_address(args, &shown->address))
        return false;
    find_line(args->d, shown);
    return true;
}

static bool is_next(const JmDebug *d, const char *file, int line) {
    return same_line(next_of(d, d->node), (JmDebugPlace){.file = file, .line = line});
}

/* Adds a line of the file to `text`, unless that is NULL. False at the end of the
 * file. */
static bool read_line(FILE *stream, Text *text) {
    int c = getc(stream);
    const bool found = c != EOF;
    for (; c != EOF && c != '\n'; c = getc(stream))
        if (text)
            text_add(text, "%c", c);
    return found;
}

static void end_stream(void *stream) {
    fclose(stream);
}

/* Whether a file is newer than the image, so that its lines may have moved. This is
 * reported once. */
static bool say_if_newer(JmDebug *d, const char *file) {
    if (!jm_source_is_newer(d->machine, file))
        return false;
    if (!d->newer || strcmp(d->newer, file) != 0)
        say(d, "warning: %s is newer than the image: these lines may be others\n",
            file_name(file));
    d->newer = file;
    return true;
}

/* Prints up to `count` lines from line `first` on. Returns how many lines the file has
 * if it ended before, else 0. */
static int say_lines(JmDebug *d, FILE *stream, JmDebugPlace first, int64_t count) {
    const char doubt = say_if_newer(d, first.file) ? '?' : ' ';
    Text text = {.heap = d->work};
    int number = 0;
    bool ended = false;
    while (number < first.line + count - 1 && !ended) {
        text_clear(&text);
        ended = !read_line(stream, number + 1 < first.line ? NULL : &text);
        if (ended || ++number < first.line)
            continue;
        const char *line = text_get(&text);
        line += number == 1 ? jm_text_mark(line, strlen(line)) : 0;
        say(d, "%s%5d%c %.*s\n", is_next(d, first.file, number) ? "=>" : "  ", number,
            doubt, (int)strcspn(line, "\r\n"), line);
    }
    return ended ? number : 0;
}

static bool list_file(JmDebug *d, JmDebugPlace first, int64_t count) {
    FILE *stream = fopen(first.file, "r");
    if (!stream)
        return false;
    heap_at_end(d->heap, end_stream, stream);
    if (!jm_inputs_add(jm_inputs(d->machine), first.file))
        heap_fail(d->heap);
    const int lines = say_lines(d, stream, first, count);
    heap_keep(d->heap, stream);
    fclose(stream);
    if (lines && lines < first.line)
        say(d, "%s has %d lines\n", file_name(first.file), lines);
    d->next_line = (JmDebugPlace){.file = first.file,
                                  .line = lines ? lines + 1 : first.line + (int)count};
    return true;
}

/* Prints the code instead of the source, if its address is known. */
static bool list_code(JmDebug *d, const JmDebugPlace *shown, int64_t count) {
    if (shown->address == UINT32_MAX)
        return fail(d, "%s: %s", shown->file, strerror(errno));
    if (shown->file)
        say(d, "%s: %s; its code:\n", shown->file, strerror(errno));
    else
        say(d, "no source line is known for %05" PRIX32 "; its code:\n",
            shown->address);
    say_code_words(d, shown->address, count);
    return true;
}

bool cmd_list(JmDebug *d, Args *args) {
    const bool goes_on = at_end(args) && d->next_line.file;
    JmDebugPlace shown = goes_on ? d->next_line : next_of(d, d->node);
    int64_t count = LINES;
    if (goes_on || !at_end(args))
        shown.address = UINT32_MAX;
    if (!at_end(args) && !take_shown(args, &shown))
        return false;
    if (!take_optional(args, "the count", 1, 65536, LINES, &count) || !expect_end(args))
        return false;
    JmDebugPlace first = shown;
    if (!goes_on)
        first.line = first.line > count / 2 ? first.line - (int)(count / 2) : 1;
    return (first.file && list_file(d, first, count)) || list_code(d, &shown, count);
}
