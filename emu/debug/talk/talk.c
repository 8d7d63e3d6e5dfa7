/* Growing texts, output, and the words of a line. */
#include "emu/debug/talk/talk.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "emu/machine/run/run.h"

enum { EXCERPT_MIN = 24 }; /* characters of a line that are always shown */

/* ---- growing texts --------------------------------------------------------------- */

/* Without memory the heap abandons the work, so nothing here can fail. */

static void add_list(Text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    const size_t needed = text->length + (size_t)(length < 0 ? 0 : length) + 1;
    if (needed > text->capacity) {
        text->bytes = heap_resize(text->heap, text->bytes, needed * 2);
        text->capacity = needed * 2;
    }
    vsnprintf(text->bytes + text->length, text->capacity - text->length, format, again);
    va_end(again);
    text->length = needed - 1;
}

void text_add(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_list(text, format, arguments);
    va_end(arguments);
}

/* Writes control characters from position `from` on as \xHH, but not newlines and tabs:
 * names in foreign files must not steer a terminal. */
static void escape(Text *text, size_t from) {
    for (size_t i = from; i < text->length; i++) {
        const unsigned char c = (unsigned char)text->bytes[i];
        const int size = jm_printable_length(text->bytes + i, text->length - i);
        if (size > 0 || c == '\n' || c == '\t') {
            i += size > 0 ? (size_t)size - 1 : 0;
            continue;
        }
        char *rest = text_copy_all(text->heap, text->bytes + i + 1);
        text->length = i;
        text_add(text, "\\x%02X%s", c, rest);
        heap_free(rest);
        i += strlen("\\xHH") - 1;
    }
}

void text_clear(Text *text) {
    text->length = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

const char *text_get(const Text *text) {
    return text->bytes ? text->bytes : "";
}

char *text_copy(Heap *heap, const char *bytes, size_t length) {
    char *copy = heap_alloc(heap, length + 1);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *text_copy_all(Heap *heap, const char *string) {
    return text_copy(heap, string, strlen(string));
}

/* ---- output ---------------------------------------------------------------------- */

static void say_list(Text *out, const char *format, va_list arguments) {
    const size_t from = out->length;
    add_list(out, format, arguments);
    escape(out, from);
}

void say_to(Text *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_list(out, format, arguments);
    va_end(arguments);
}

void say(JmDebug *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_list(&d->out, format, arguments);
    va_end(arguments);
}

/* A row to be added as work with the heap, which may fail. */
typedef struct {
    const Rows *rows;
    const char *row;
} RowWork;

static void do_row(Heap *heap, void *context) {
    const RowWork *work = context;
    (void)heap;
    text_add(work->rows->text, "%s%s\n", work->rows->before, work->row);
}

void add_row(void *context, const char *row) {
    const Rows *rows = context;
    rows->d->lost |= !heap_work(rows->d->heap, do_row, &(RowWork){rows, row});
}

void rows_end(JmDebug *d) {
    if (d->lost)
        heap_fail(d->heap);
}

void write_host(JmDebug *d, const char *text, size_t length) {
    if (d->guest_line)
        d->host.write(d->host.context, "\n", 1);
    d->guest_line = false;
    d->host.write(d->host.context, text, length);
}

void flush(JmDebug *d) {
    if (d->out.length)
        write_host(d, d->out.bytes, d->out.length);
    text_clear(&d->out);
}

/* Ends the session because memory ran out. The work was abandoned at that point,
 * perhaps in the middle of a cycle, so the machine cannot run any more. */
static void end_starved(JmDebug *d) {
    static const char text[] = "error: out of memory; the session has ended\n";
    d->starved = d->has_quit = true;
    d->status = 1;
    machine_starve(d->machine);
    d->machine->running = false;
    machine_watch(d->machine, NULL);
    flush(d);
    write_host(d, text, sizeof text - 1);
}

/* A piece of work, as heap_work() wants it. */
typedef struct {
    JmDebug *d;
    bool (*work)(JmDebug *d, void *what);
    void *what;
    bool good;
} Job;

static void do_job(Heap *heap, void *context) {
    Job *job = context;
    (void)heap;
    job->good = job->work(job->d, job->what);
}

bool do_work(JmDebug *d, bool (*work)(JmDebug *d, void *what), void *what) {
    if (d->starved)
        return false;
    Job job = {.d = d, .work = work, .what = what};
    const HeapMark *mark = heap_mark(d->work);
    const bool done = heap_work(d->heap, do_job, &job);
    heap_release(d->work, mark);
    if (!done)
        end_starved(d);
    return done && job.good;
}

static void fail_list(JmDebug *d, const char *format, va_list arguments) {
    text_clear(&d->error);
    add_list(&d->error, format, arguments);
    escape(&d->error, 0);
    if (!d->quiet)
        say(d, "error: %s\n", text_get(&d->error));
}

bool fail(JmDebug *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_list(d, format, arguments);
    va_end(arguments);
    return false;
}

/* Whether a byte continues a character of UTF-8. */
static bool goes_on_character(char c) {
    return ((unsigned char)c & 0xC0) == 0x80; /* of UTF-8 */
}

/* Returns the part of a line around `at` that fits the terminal, and its length. */
static const char *excerpt(const Args *args, const char *at, int *length) {
    const unsigned columns = args->d->host.columns;
    const size_t width = columns > EXCERPT_MIN + 8 ? columns - 8 : EXCERPT_MIN;
    const char *first = args->line;
    if ((size_t)(at - first) > width * 3 / 4)
        first = at - width * 3 / 4;
    while (goes_on_character(*first))
        first++;
    size_t shown = strlen(first);
    if (shown > width)
        shown = width;
    while (shown && goes_on_character(first[shown]))
        shown--;
    *length = (int)shown;
    return first;
}

/* Below the line blanks replace characters and tabs stay tabs, so that the caret is in
 * the right column. */
bool fail_at(const Args *args, const char *at, const char *format, ...) {
    JmDebug *d = args->d;
    va_list arguments;
    int length;
    const char *first = excerpt(args, at, &length);
    va_start(arguments, format);
    fail_list(d, format, arguments);
    va_end(arguments);
    if (d->quiet)
        return false;
    say(d, "  %s%.*s%s\n  %s", first > args->line ? "..." : "", length, first,
        first[length] ? "..." : "", first > args->line ? "   " : "");
    for (const char *c = first; c < at; c++)
        if (!goes_on_character(*c))
            say(d, "%c", *c == '\t' ? '\t' : ' ');
    say(d, "^\n");
    return false;
}

/* ---- words of a line ------------------------------------------------------------- */

void skip_blanks(Args *args) {
    while (isspace((unsigned char)*args->at))
        args->at++;
}

const char *next_at(Args *args) {
    skip_blanks(args);
    return args->at;
}

bool at_end(Args *args) {
    return *next_at(args) == '\0';
}

bool take_word(Args *args, const char *word) {
    const size_t length = strlen(word);
    skip_blanks(args);
    if (strncmp(args->at, word, length) != 0 ||
        (args->at[length] && !isspace((unsigned char)args->at[length])))
        return false;
    args->at += length;
    return true;
}

/* Takes the next of several words off their text; it lives as long as the line. */
static const char *one_of(const Args *args, const char **words) {
    const size_t length = strcspn(*words, " ");
    const char *word = text_copy(args->d->work, *words, length);
    *words += length + ((*words)[length] == ' ');
    return word;
}

int take_choice(Args *args, const char *words) {
    const char *at = next_at(args), *rest = words;
    for (int place = 0; *rest; place++)
        if (take_word(args, one_of(args, &rest)))
            return place;
    fail_choice(args, at, words);
    return -1;
}

bool fail_choice(const Args *args, const char *at, const char *words) {
    Heap *heap = args->d->work;
    Text list = {.heap = heap};
    JmSuggestion near = jm_suggest_start(text_copy(heap, at, strcspn(at, " \t")));
    while (*words) {
        const char *word = one_of(args, &words);
        text_add(&list, "%s'%s'", !list.length ? "" : *words ? ", " : " or ", word);
        if (word[1]) /* any letter is near any other */
            jm_suggest_consider(&near, word);
    }
    return fail_at(args, at, "%s expected%s", text_get(&list),
                   jm_suggest_text(&near, "", ""));
}

const char *nearest_text(const JmDebug *d, const char *wrong, size_t length,
                         NameAt *names, const char *otherwise) {
    JmSuggestion near = jm_suggest_start(text_copy(d->work, wrong, length));
    for (unsigned i = 0; names(i); i++)
        jm_suggest_consider(&near, names(i));
    return text_copy_all(d->work, jm_suggest_text(&near, "", otherwise));
}

bool next_word(Args *args, char *buffer, size_t size) {
    skip_blanks(args);
    const size_t length = strcspn(args->at, " \t\r\n");
    snprintf(buffer, size, "%.*s", (int)(length < size ? length : size - 1), args->at);
    args->at += length;
    return length > 0;
}

bool expect_end(Args *args) {
    if (at_end(args))
        return true;
    return fail_at(args, args->at, "this is too much");
}

void say_wrapped(JmDebug *d, const char *text, unsigned indent, unsigned column) {
    const unsigned width =
        d->host.columns > indent + 30 ? d->host.columns - 1 : indent + 30;
    say(d, "%*s", column < indent ? (int)(indent - column) : 0, "");
    column = indent;
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + word > width) {
            say(d, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            say(d, " ");
            column++;
        }
        say(d, "%.*s", (int)word, text);
        column += (unsigned)word;
        text += word + (text[word] == ' ');
    }
    say(d, "\n");
}

bool take_path(Args *args, char path[PATH_LENGTH]) {
    if (!next_word(args, path, PATH_LENGTH))
        return fail_at(args, args->at, "a file expected");
    return true;
}

bool is_interrupted(JmDebug *d) {
    d->interrupted |= d->host.interrupted && d->host.interrupted(d->host.context);
    return d->interrupted;
}
