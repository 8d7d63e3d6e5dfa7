/* Open documents, and the programs that they are assembled in; see units.h. */
#include "tools/mdpas/lsp/units.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/core/sourcetext.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"

enum { SOURCES_MAX = 1000, FOLDERS_DEEP = 8 };

/* ---- lists, names ---------------------------------------------------------------- */

void list_add(List *list, void *item) {
    list->items = memory_more(list->items, (size_t)list->count, sizeof(void *));
    list->items[list->count++] = item;
}

/* Removes an item, which is in the list. */
static void list_remove(List *list, const void *item) {
    int at = 0;
    while (list->items[at] != item)
        at++;
    list->count--;
    memmove(list->items + at, list->items + at + 1,
            (size_t)(list->count - at) * sizeof(void *));
}

/* The URI of a path, malloc'ed. */
static char *uri_of(const char *path) {
    if (path[0] != '/')
        return memory_text("%s", path);
    static const char scheme[] = "file://";
    enum { ESCAPED = 4 }; /* %XX, ended */
    char *uri = memory_array(3 * strlen(path) + sizeof scheme, 1), *at = uri;
    memcpy(at, scheme, sizeof scheme - 1);
    for (at += sizeof scheme - 1; *path; path++) {
        const bool plain =
            isalnum((unsigned char)*path) || strchr("/._-~+@,", *path) != NULL;
        at += snprintf(at, ESCAPED, plain ? "%c" : "%%%02X", (unsigned char)*path);
    }
    return uri;
}

char *path_of(const char *uri) {
    const char *from = uri;
    if (strncmp(uri, "file://", 7) != 0 || !(from = strchr(uri + 7, '/')))
        return memory_text("%s", uri);
    char *path = memory_array(strlen(from) + 1, 1);
    char *to = path;
    for (unsigned code; *from; from++)
        if (*from == '%' && isxdigit((unsigned char)from[1]) &&
            isxdigit((unsigned char)from[2]) && sscanf(from + 1, "%2x", &code) == 1 &&
            code) {
            *to++ = (char)code;
            from += 2;
        } else {
            *to++ = *from;
        }
    return path;
}

/* A path with all links followed; the path itself if there is no such file. */
static char *real_path(const char *path) {
    char *real = realpath(path, NULL);
    return real ? real : memory_text("%s", path);
}

/* ---- units ----------------------------------------------------------------------- */

static void unit_clear(Unit *unit) {
    for (int i = 0; i < unit->file_count; i++) {
        free(unit->reals[i]);
        if (unit->texts[i])
            text_drop(unit->texts[i]);
        free(unit->texts[i]);
    }
    free(unit->reals);
    free(unit->texts);
    unit->reals = NULL;
    unit->texts = NULL;
    unit->file_count = 0;
    asm_result_free(&unit->result);
    unit->fresh = false;
}

static Unit *unit_new(const char *path, Document *document) {
    Unit *unit = memory_array(1, sizeof *unit);
    unit->path = memory_text("%s", path);
    unit->real = real_path(path);
    unit->document = document;
    return unit;
}

static void unit_free(Unit *unit) {
    unit_clear(unit);
    free(unit->path);
    free(unit->real);
    free(unit);
}

Document *document_of(const Work *work, const char *real) {
    for (int i = 0; i < work->documents.count; i++) {
        Document *document = work->documents.items[i];
        if (strcmp(document->real, real) == 0)
            return document;
    }
    return NULL;
}

/* Notes which files were read. */
static void note_files(Unit *unit) {
    const AsmIndex *index = unit->result.index;
    unit->file_count = index->file_count;
    unit->reals = memory_array((size_t)index->file_count, sizeof *unit->reals);
    unit->texts = memory_array((size_t)index->file_count, sizeof *unit->texts);
    for (int i = 0; i < index->file_count; i++) {
        struct stat info;
        const bool there = stat(index->files[i].name, &info) == 0;
        unit->reals[i] = i == 0 ? memory_text("%s", unit->real)
                         : there || index->files[i].name[0] == '/'
                             ? real_path(index->files[i].name)
                             : memory_text("%s", "");
    }
}

/* Assembles as mdpas does, with open documents for their files. */
static void assemble(Work *work, Unit *unit) {
    unit_clear(unit);
    AsmFile *open = memory_array((size_t)work->documents.count, sizeof *open);
    for (int i = 0; i < work->documents.count; i++) {
        const Document *document = work->documents.items[i];
        open[i] =
            (AsmFile){document->path, document->text.bytes, document->text.length};
    }
    AsmOptions options = work->options;
    options.index = true;
    options.open = open;
    options.open_count = work->documents.count;
    const Document *document = unit->document;
    unit->result = document ? asm_assemble(document->text.bytes, document->text.length,
                                           document->path, &options)
                            : asm_assemble_file(unit->path, &options);
    free(open);
    memory_checked(unit->result.index);
    note_files(unit);
    unit->fresh = true;
}

const AsmIndex *unit_index(Work *work, Unit *unit) {
    if (!unit->fresh)
        assemble(work, unit);
    return unit->result.index;
}

int unit_file(const Unit *unit, const char *real) {
    for (int i = 0; i < unit->file_count; i++)
        if (strcmp(unit->reals[i], real) == 0)
            return i;
    return -1;
}

const Text *unit_text(const Work *work, Unit *unit, int file) {
    const Document *document = document_of(work, unit->reals[file]);
    if (document)
        return &document->text;
    if (!unit->texts[file]) {
        const AsmIndexFile *from = &unit->result.index->files[file];
        unit->texts[file] = memory_array(1, sizeof(Text));
        *unit->texts[file] = text_new(work->units, from->text, from->length);
    }
    return unit->texts[file];
}

char *unit_uri(const Work *work, const Unit *unit, int file) {
    const Document *document = document_of(work, unit->reals[file]);
    return document ? memory_text("%s", document->uri) : uri_of(unit->reals[file]);
}

/* ---- the workspace --------------------------------------------------------------- */

static bool is_known(const Work *work, const char *real) {
    for (int i = 0; i < work->closed_units.count; i++)
        if (strcmp(((Unit *)work->closed_units.items[i])->real, real) == 0)
            return true;
    return document_of(work, real) != NULL;
}

static void add_source(Work *work, const char *path) {
    char *real = real_path(path);
    if (!is_known(work, real))
        list_add(&work->closed_units, unit_new(path, NULL));
    free(real);
}

static void look_in(Work *work, const char *folder, int depth);

static void look_at(Work *work, const char *folder, const char *name, int depth) {
    struct stat info;
    char *path = memory_text("%s/%s", folder, name);
    if (name[0] != '.' && lstat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode) && depth < FOLDERS_DEEP)
            look_in(work, path, depth + 1);
        else if (S_ISREG(info.st_mode) && jm_has_suffix(name, ".s"))
            add_source(work, path);
    }
    free(path);
}

/* In the order of their names, so that answers do not depend on the disk. */
static void look_in(Work *work, const char *folder, int depth) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (work->closed_units.count < SOURCES_MAX)
            look_at(work, folder, entries[i]->d_name, depth);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

const List *work_closed(Work *work) {
    for (int i = 0; !work->looked && i < work->folders.count; i++)
        look_in(work, work->folders.items[i], 0);
    work->looked = true;
    return &work->closed_units;
}

static void forget_closed(Work *work) {
    for (int i = 0; i < work->closed_units.count; i++)
        unit_free(work->closed_units.items[i]);
    free(work->closed_units.items);
    work->closed_units = (List){0};
    work->looked = false;
}

void work_forget(Work *work) {
    forget_closed(work);
    for (int i = 0; i < work->open_units.count; i++)
        ((Unit *)work->open_units.items[i])->fresh = false;
}

Unit *work_unit(Work *work, bool all, int i) {
    if (i < work->open_units.count)
        return work->open_units.items[i];
    i -= work->open_units.count;
    return all && i < work_closed(work)->count ? work->closed_units.items[i] : NULL;
}

/* Whether a unit includes a file. */
static bool includes(Work *work, Unit *unit, const char *real) {
    unit_index(work, unit);
    return unit_file(unit, real) > 0;
}

/* A file that is made to be included is understood where it is. */
Unit *unit_of(Work *work, const Document *document) {
    Unit *own = NULL, *other = NULL;
    for (int i = 0; i < work->open_units.count; i++) {
        Unit *unit = work->open_units.items[i];
        if (unit->document == document)
            own = unit;
        else if (!other && includes(work, unit, document->real))
            other = unit;
    }
    const bool alone = !other && !jm_has_suffix(document->path, ".s");
    const List *closed = alone ? work_closed(work) : &(List){0};
    for (int i = 0; !other && i < closed->count; i++)
        if (includes(work, closed->items[i], document->real))
            other = closed->items[i];
    if (other && includes(work, own, other->real))
        other = NULL; /* each includes the other */
    Unit *best = other ? other : own;
    unit_index(work, best);
    return best;
}

/* ---- positions ------------------------------------------------------------------- */

/* Units of UTF-16 that a byte begins: two for a character beyond U+FFFF, none for a
 * byte within one. */
static size_t units_of(char byte, TextUnits units) {
    const unsigned char c = (unsigned char)byte;
    if (units == TEXT_UTF8)
        return 1;
    return c >= 0xF0 ? 2 : (c & 0xC0) == 0x80 ? 0 : 1;
}

/* Where a line ends, in front of its line end. */
static size_t line_end(const Text *text, int line) {
    size_t end = text->lines[line + 1];
    while (end > text->lines[line] &&
           (text->bytes[end - 1] == '\n' || text->bytes[end - 1] == '\r'))
        end--;
    return end;
}

size_t text_offset(const Text *text, const json_t *position) {
    const json_int_t line = json_integer_value(json_object_get(position, "line"));
    const json_int_t wanted =
        json_integer_value(json_object_get(position, "character"));
    if (line < 0)
        return 0;
    if (line >= text->line_count)
        return text->length;
    size_t at = text->lines[line];
    const size_t end = line_end(text, (int)line);
    for (json_int_t passed = 0; at < end; at++) {
        passed += (json_int_t)units_of(text->bytes[at], text->units);
        if (passed > wanted)
            break;
    }
    return at;
}

json_t *text_position(const Text *text, size_t offset) {
    const int line = text_line(text, offset);
    size_t character = 0;
    for (size_t at = text->lines[line]; at < offset; at++)
        character += units_of(text->bytes[at], text->units);
    return json_pack("{s:i,s:I}", "line", line, "character", (json_int_t)character);
}

json_t *text_range(const Text *text, size_t from, size_t to) {
    return json_pack("{s:o,s:o}", "start", text_position(text, from), "end",
                     text_position(text, to));
}

json_t *text_edit(const Text *text, size_t from, size_t to, const char *new) {
    return json_pack("{s:o,s:o}", "range", text_range(text, from, to), "newText",
                     jvalue_text(new));
}

Rows text_rows(const Text *text, const json_t *range) {
    if (!range)
        return (Rows){0, text->row_count - 1};
    const size_t from = text_offset(text, json_object_get(range, "start"));
    const size_t to = text_offset(text, json_object_get(range, "end"));
    return (Rows){text_row(text, from), text_row(text, to)};
}

/* ---- documents ------------------------------------------------------------------- */

Document *document_named(const Work *work, const char *uri) {
    for (int i = 0; uri && i < work->documents.count; i++) {
        Document *document = work->documents.items[i];
        if (strcmp(document->uri, uri) == 0)
            return document;
    }
    return NULL;
}

Document *document_find(const Work *work, const json_t *params) {
    const json_t *identifier = json_object_get(params, "textDocument");
    return document_named(work, json_string_value(json_object_get(identifier, "uri")));
}

/* Marks for reassembly every unit that includes the document, and open units with
 * errors, which may have looked for it. */
static void touch(Work *work, Document *document) {
    document->published = false;
    for (int i = 0; i < work->open_units.count; i++) {
        Unit *unit = work->open_units.items[i];
        if (unit->result.errors > 0 || unit->document == document ||
            unit_file(unit, document->real) >= 0)
            unit->fresh = false;
    }
    for (int i = 0; i < work->closed_units.count; i++) {
        Unit *unit = work->closed_units.items[i];
        if (unit_file(unit, document->real) >= 0)
            unit->fresh = false;
    }
}

static void set_version(Document *document, json_t *version) {
    json_decref(document->version);
    document->version = json_incref(version);
}

void document_open(Work *work, const json_t *item) {
    const char *uri = json_string_value(json_object_get(item, "uri"));
    const json_t *text = json_object_get(item, "text");
    Document *document = memory_array(1, sizeof *document);
    document->uri = memory_text("%s", uri);
    document->path = path_of(uri);
    document->real = real_path(document->path);
    set_version(document, json_object_get(item, "version"));
    document->text =
        text_new(work->units, json_string_value(text), json_string_length(text));
    for (int i = 0; i < work->closed_units.count; i++) {
        Unit *unit = work->closed_units.items[i];
        if (strcmp(unit->real, document->real) != 0)
            continue;
        list_remove(&work->closed_units, unit);
        unit_free(unit);
        break;
    }
    list_add(&work->documents, document);
    list_add(&work->open_units, unit_new(document->path, document));
    touch(work, document);
}

/* A change without a range is the whole text. */
static void change(Document *document, const json_t *change) {
    Text *text = &document->text;
    const json_t *range = json_object_get(change, "range");
    const json_t *with = json_object_get(change, "text");
    size_t from = 0, to = text->length;
    if (range) {
        from = text_offset(text, json_object_get(range, "start"));
        to = text_offset(text, json_object_get(range, "end"));
    }
    if (from <= to && json_is_string(with))
        text_replace(text, from, to, json_string_value(with), json_string_length(with));
}

void document_change(Work *work, Document *document, const json_t *params) {
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(params, "contentChanges"), i, one)
        change(document, one);
    text_finish(&document->text);
    set_version(document,
                json_object_get(json_object_get(params, "textDocument"), "version"));
    touch(work, document);
}

static void document_free(Document *document) {
    free(document->uri);
    free(document->path);
    free(document->real);
    json_decref(document->version);
    text_drop(&document->text);
    free(document);
}

void document_close(Work *work, Document *document) {
    touch(work, document);
    for (int i = 0; i < work->open_units.count; i++) {
        Unit *unit = work->open_units.items[i];
        if (unit->document != document)
            continue;
        list_remove(&work->open_units, unit);
        unit_free(unit);
        break;
    }
    list_remove(&work->documents, document);
    document_free(document);
    forget_closed(work);
}

void work_free(Work *work) {
    while (work->documents.count > 0)
        document_close(work, work->documents.items[0]);
    forget_closed(work);
    for (int i = 0; i < work->folders.count; i++)
        free(work->folders.items[i]);
    free(work->documents.items);
    free(work->open_units.items);
    free(work->folders.items);
    json_decref(work->kernel);
}

/* ---- places ---------------------------------------------------------------------- */

/* The rest of the lexeme at a byte, for messages: their place is a caret. */
static Bytes lexeme_at(const Text *text, size_t at) {
    Line line = line_read(text, text_row(text, at));
    Bytes bytes = {at, at};
    for (int i = 0; i < line.count; i++) {
        const size_t from = line.start + (size_t)line.lexemes[i].offset;
        const size_t to = from + (size_t)line.lexemes[i].length;
        if (at >= from && at < to)
            bytes.to = to;
    }
    line_free(&line);
    return bytes;
}

Bytes spot_bytes(const Text *text, AsmSpot spot) {
    const size_t at = text_at(text, spot.line, spot.column);
    if (spot.line < 1)
        return (Bytes){0, 0};
    return spot.length > 0 ? (Bytes){at, at + (size_t)spot.length}
                           : lexeme_at(text, at);
}

json_t *spot_range(const Work *work, Unit *unit, AsmSpot spot) {
    const Text *text = unit_text(work, unit, spot.file);
    const Bytes bytes = spot_bytes(text, spot);
    return text_range(text, bytes.from, bytes.to);
}

json_t *spot_location(const Work *work, Unit *unit, AsmSpot spot) {
    char *uri = unit_uri(work, unit, spot.file);
    json_t *location = json_pack("{s:o,s:o}", "uri", jvalue_text(uri), "range",
                                 spot_range(work, unit, spot));
    free(uri);
    return location;
}
