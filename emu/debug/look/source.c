/* `list`: the text of the source, read where the program's line table says it is. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/sourcetext.h"
#include "emu/debug/look/look.h"
#include "emu/debug/talk/names.h"

enum { LINES = 10, LINE_MAX_NUMBER = 1 << 30 };

/* The line to show. */
typedef struct {
    SourceLine line;
    uint32_t address; /* of its code; UINT32_MAX: unknown */
} Wanted;

/* Takes a number: a line of the file listed last, or of that of the next
 * instruction. */
static bool take_line_number(Args *args, SourceLine *line) {
    JmDebug *d = args->d;
    const size_t digits = strspn(args->at, "0123456789");
    if (!digits || (args->at[digits] && !isspace((unsigned char)args->at[digits])))
        return false;
    const unsigned long number = strtoul(args->at, NULL, 10);
    *line = d->next_line.file ? d->next_line : line_of_next(d, d->node);
    line->line = number < 1                 ? 1
                 : number > LINE_MAX_NUMBER ? LINE_MAX_NUMBER
                                            : (int)number;
    args->at += digits;
    return true;
}

/* Finds the source line of an address. */
static void find_line(const JmDebug *d, Wanted *wanted) {
    SourceLine *line = &wanted->line;
    if (!jm_instruction_line(d->machine, wanted->address, false, &line->file,
                             &line->line) &&
        !jm_line_at(d->machine, wanted->address, &line->file, &line->line))
        line->file = NULL;
}

/* Takes the line to show in the middle, and the address of its code. */
static bool take_wanted(Args *args, Wanted *wanted) {
    skip_blanks(args);
    const char *at = args->at;
    if (take_line_number(args, &wanted->line))
        return wanted->line.file ||
               fail_at(args, at, "no source file here: name one, as FILE:LINE");
    bool found;
    if (!take_file_line(args, &wanted->line, &found))
        return false;
    if (found)
        return true;
    if (!take_address(args, &wanted->address))
        return false;
    find_line(args->d, wanted);
    return true;
}

static bool is_next(const JmDebug *d, const char *file, int line) {
    return same_line(line_of_next(d, d->node), (SourceLine){file, line});
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
static int say_lines(JmDebug *d, FILE *stream, SourceLine first, int64_t count) {
    const char doubt = say_if_newer(d, first.file) ? '?' : ' ';
    Text text = {.heap = d->heap};
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
    text_free(&text);
    return ended ? number : 0;
}

static bool list_file(JmDebug *d, SourceLine first, int64_t count) {
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
    d->next_line =
        (SourceLine){first.file, lines ? lines + 1 : first.line + (int)count};
    return true;
}

/* Prints the code instead of the source, if its address is known. */
static bool list_code(JmDebug *d, const Wanted *wanted, int64_t count) {
    if (wanted->address == UINT32_MAX)
        return fail(d, "%s: %s", wanted->line.file, strerror(errno));
    if (wanted->line.file)
        say(d, "%s: %s; its code:\n", wanted->line.file, strerror(errno));
    else
        say(d, "no source line is known for %05" PRIX32 "; its code:\n",
            wanted->address);
    say_code_words(d, wanted->address, count);
    return true;
}

bool cmd_list(JmDebug *d, Args *args) {
    const bool goes_on = at_end(args) && d->next_line.file;
    Wanted wanted = {d->next_line, UINT32_MAX};
    int64_t count = LINES;
    if (at_end(args) && !goes_on) {
        wanted.line = line_of_next(d, d->node);
        wanted.address = address_of_ip(d, d->node);
    }
    if (!at_end(args) && !take_wanted(args, &wanted))
        return false;
    if (!take_optional(args, "the count", 1, 65536, LINES, &count) || !expect_end(args))
        return false;
    SourceLine first = wanted.line;
    if (!goes_on)
        first.line = first.line > count / 2 ? first.line - (int)(count / 2) : 1;
    return (first.file && list_file(d, first, count)) || list_code(d, &wanted, count);
}
