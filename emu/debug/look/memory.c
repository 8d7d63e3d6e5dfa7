/* Commands that show memory: `print`, words, code, symbols, the translation table. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/object.h"
#include "emu/debug/look/look.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/format.h"

/* Also keeps the value as $_. A number of two digits or more is also printed in
 * hexadecimal. */
bool cmd_print(JmDebug *d, Args *args) {
    Value value;
    Format format = FORMAT_WORD;
    if (!take_slash(args, NULL, &format) || !take_value(args, &value))
        return false;
    skip_blanks(args);
    const char *at = args->at;
    if (*at && !take_format(args, &format))
        return fail_at(args, at,
                       "an operator or a format (word dec hex bin char addr code) "
                       "expected");
    if (!expect_end(args))
        return false;
    say_value(d, &value, format);
    if (!value.is_word && format == FORMAT_WORD && value.number >= 10)
        say(d, "  0x%" PRIX64, (uint64_t)value.number);
    say(d, "\n");
    set_variable(d, "_", value);
    return true;
}

/* ---- x --------------------------------------------------------------------------- */

/* Prints the word at an address of the selected node. */
static void say_memory(JmDebug *d, uint32_t address, Format format) {
    char place[LONG_TEXT];
    const Value value = value_of_word(jm_read(d->machine, d->node, address));
    say(d, "%-24s ", place_text(d, address, false, place, sizeof place));
    say_value(d, &value, format);
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
        skip_blanks(args);
        const char *at = args->at;
        if (*at && !take_format(args, &format))
            return fail_at(args, at, "formats: word dec hex bin char addr code");
    }
    if (!expect_end(args))
        return false;
    for (; count > 0 && address <= JM_ADDRESS_MASK; count--)
        say_memory(d, address++, format);
    d->next_address = address & JM_ADDRESS_MASK;
    return true;
}

/* ---- disassemble ----------------------------------------------------------------- */

/* Whether the selected node's next instruction is in a word. */
static bool is_running_word(const JmDebug *d, uint32_t address) {
    return address_of_ip(d, d->node) == address;
}

/* Prints a word of code, with its label above it and its source line after it. */
static void say_listing(JmDebug *d, uint32_t address) {
    char symbol[128];
    const char *file;
    int line;
    const JmWord word = jm_read(d->machine, d->node, address);
    jm_symbol_at(d->machine, address, symbol, sizeof symbol);
    if (*symbol && !strchr(symbol, '+'))
        say(d, "%s:\n", symbol);
    say(d, "%s%05" PRIX32 "  ", is_running_word(d, address) ? "=>" : "  ", address);
    const size_t start = d->out.length;
    say_code(d, word);
    if (jm_line_at(d->machine, address, &file, &line)) {
        const size_t width = d->out.length - start;
        char name[LONG_TEXT];
        say(d, "%*s; %s:%d", width < 48 ? (int)(49 - width) : 1, "",
            jm_printable(file_name(file), name, sizeof name), line);
    }
    say(d, "\n");
}

void say_code_words(JmDebug *d, uint32_t address, int64_t count) {
    for (; count > 0 && address <= JM_ADDRESS_MASK; count--)
        say_listing(d, address++);
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
            say(d, "  %s:%d", jm_printable(file_name(symbol->file), name, sizeof name),
                symbol->line);
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
    char key[LONG_TEXT], data[LONG_TEXT];
    if (!at_end(args)) {
        Value value;
        if (!take_value(args, &value) || !expect_end(args))
            return false;
        const JmWord word = value.is_word ? value.word : jm_int((int32_t)value.number);
        say(d, "row %05" PRIX32 ": %s\n", node_table_row(n, word),
            word_text(d, node_lookup(n, word), data, sizeof data));
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
            say(d, "%05" PRIX32 "  %-28s -> %s\n", row - 1,
                word_text(d, name, key, sizeof key),
                word_text(d, bound, data, sizeof data));
    }
    if (d->out.length == said)
        say(d, "the translation table of node %u is empty\n", d->node);
    return true;
}
