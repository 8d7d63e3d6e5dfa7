/* The line section: source files, and the places of words, symbols and relocations.
 * All numbers are LEB128 (DWARF 4, section 7.6), so that a row takes three or four
 * bytes. The layout is drawn in asm/objects/objects.md.
 *
 *     624485 = 0x98765    E5 8E 26      seven bits a byte, low ones first,
 *                                       the top bit says that more follow
 *
 * The decoder keeps the first error and then takes zeros, so that its callers need not
 * check every number; loops end because they check `wrong`. */
#include "asm/objects/elf_format.h"

#include "asm/objects/mem.h"
#include "emu/core/archive.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Heap *heap;
    unsigned char *bytes;
    size_t size;
} Writer;

static void put_byte(Writer *out, unsigned char byte) {
    out->bytes = mem_grow(out->heap, out->bytes, out->size, 1);
    out->bytes[out->size++] = byte;
}

static void put(Writer *out, uint64_t value) {
    uint8_t bytes[JM_LEB_BYTES], *end = jm_leb_put(bytes, value);
    for (const uint8_t *byte = bytes; byte < end; byte++)
        put_byte(out, *byte);
}

/* Zigzag: small numbers of either sign take one byte. */
static void put_signed(Writer *out, int64_t value) {
    put(out, ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0));
}

static void put_text(Writer *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        put_byte(out, (unsigned char)text[i]);
}

/* Sorted by index: differences are not negative. */
static void put_places(Writer *out, const ElfPlaces *places) {
    put(out, (uint64_t)places->count);
    ElfPlace last = {0};
    for (int i = 0; i < places->count; i++) {
        const ElfPlace *place = &places->items[i];
        put(out, place->index - last.index);
        put_signed(out, place->file - last.file);
        put_signed(out, place->line - last.line);
        last = *place;
    }
}

/* Assertions, if there are any: without them nothing is written. */
static void put_asserts(Writer *out, const AsmObject *object) {
    if (object->assert_count)
        put(out, (uint64_t)object->assert_count);
    for (int i = 0; i < object->assert_count; i++) {
        const AsmObjectAssert *assert = &object->asserts[i];
        put(out, assert->compare);
        put_signed(out, assert->number);
        put(out, (uint64_t)assert->terms);
        for (int k = 0; k < assert->terms; k++)
            put(out, (uint64_t)assert->term[k].symbol * 2 + assert->term[k].minus);
        put(out, (uint64_t)assert->file);
        put(out, (uint64_t)assert->line);
        put_text(out, assert->text, strlen(assert->text) + 1);
    }
}

/* Rows are sorted by section and offset: differences are not negative there. The second
 * row of a word is that of its low half. */
unsigned char *elf_line_encode(Heap *heap, const ElfLineTable *table, size_t *size) {
    const AsmObject *object = table->object;
    Writer out = {.heap = heap};
    put_text(&out, ELF_MDP_LINE_MAGIC, strlen(ELF_MDP_LINE_MAGIC));
    put(&out, (uint64_t)object->file_count);
    for (int i = 0; i < object->file_count; i++)
        put_text(&out, object->files[i], strlen(object->files[i]) + 1);
    put(&out, (uint64_t)object->line_count);
    AsmObjectLine last = {0};
    for (int i = 0; i < object->line_count; i++) {
        const AsmObjectLine *row = &object->lines[i];
        put(&out, (uint64_t)(row->section - last.section) * 2 + row->goes_on);
        put(&out,
            row->section == last.section ? row->offset - last.offset : row->offset);
        put_signed(&out, row->file - last.file);
        put_signed(&out, row->line - last.line);
        last = *row;
    }
    put_places(&out, &table->symbols);
    put_places(&out, &table->relocs);
    put_asserts(&out, object);
    *size = out.size;
    return out.bytes;
}

typedef struct {
    Heap *heap;
    AsmObject *object;
    const unsigned char *bytes;
    size_t size, at;
    const char *wrong; /* first error; NULL: none so far */
} Reader;

/* Records the first error; later ones may only follow from it. */
static void fail(Reader *in, const char *wrong) {
    if (!in->wrong)
        in->wrong = wrong;
}

/* Reads a number of at most `limit`; 0 after an error. Six bytes hold more than 32
 * bits, so a longer number is an error too. */
static uint32_t take(Reader *in, uint32_t limit) {
    const size_t left = in->size - in->at;
    const uint8_t *at = in->bytes + in->at;
    uint64_t value;
    if (in->wrong)
        return 0;
    if (!leb_take(&at, at + (left < 6 ? left : 6), &value))
        fail(in, "a number of the line table is cut off");
    else if (value > limit)
        fail(in, "a number of the line table is out of range");
    in->at = (size_t)(at - in->bytes);
    return in->wrong ? 0 : (uint32_t)value;
}

/* `last` plus a signed difference, 0..limit. */
static int take_next(Reader *in, int last, int limit) {
    const uint32_t zigzag = take(in, UINT32_MAX);
    const int64_t change = zigzag & 1 ? -(int64_t)(zigzag >> 1) - 1 : zigzag >> 1;
    const int64_t value = last + change;
    if (value >= 0 && value <= limit)
        return (int)value;
    fail(in, "a file or line number of the line table is out of range");
    return last;
}

/* A count of items of at least `least` bytes each, so that it cannot exceed what the
 * section holds. `least` is at least 1. */
static int take_count(Reader *in, size_t least) {
    const uint32_t count = take(in, INT_MAX);
    if (count <= (in->size - in->at) / least)
        return (int)count;
    fail(in, "the line table is shorter than its counts say");
    return 0;
}

/* Allocates an array, zeroed, that the object will own. One item more than asked for is
 * allocated, since calloc(0) may return NULL. */
static void *make_array(Reader *in, size_t count, size_t item_size) {
    return heap_need(in->heap, calloc(count + 1, item_size));
}

/* Returns a text that a zero byte ends, malloc'ed; NULL after an error. */
static char *take_text(Reader *in, const char *wrong) {
    const char *text = (const char *)in->bytes + in->at;
    const size_t length = strnlen(text, in->size - in->at);
    if (length == in->size - in->at)
        fail(in, wrong);
    if (in->wrong)
        return NULL;
    in->at += length + 1;
    return mem_outside(in->heap, text);
}

static void take_files(Reader *in) {
    AsmObject *object = in->object;
    const int count = take_count(in, 1);
    object->files = make_array(in, mem_capacity((size_t)count), sizeof *object->files);
    for (int i = 0; i < count && !in->wrong; i++) {
        char *name = take_text(in, "a file name of the line table is not terminated");
        if (name)
            object->files[object->file_count++] = name;
    }
}

/* Reads the file number of a row or place. In a table without files every number is
 * wrong. */
static int take_file(Reader *in, int last) {
    const int count = in->object->file_count;
    if (count == 0)
        fail(in, "a row of the line table has no valid file");
    return take_next(in, last, count > 0 ? count - 1 : 0);
}

/* A row is at least four bytes, so the count cannot demand more memory than a few times
 * the section's size. */
static void take_lines(Reader *in) {
    AsmObject *object = in->object;
    const int count = take_count(in, 4);
    object->lines = make_array(in, mem_capacity((size_t)count), sizeof *object->lines);
    AsmObjectLine last = {0};
    for (int i = 0; i < count && !in->wrong; i++) {
        const uint32_t first = take(in, 2 * ASM_OBJECT_SECTIONS_MAX + 1);
        const uint32_t sections = first / 2;
        const uint32_t offset = take(in, ASM_OBJECT_WORDS_MAX);
        const int file = take_file(in, last.file);
        const int line = take_next(in, last.line, INT_MAX);
        const bool again = i > 0 && sections == 0 && offset == 0;
        last = (AsmObjectLine){.section = last.section + (int)sections,
                               .offset = sections ? offset : last.offset + offset,
                               .low = again && last.line > 0,
                               .goes_on = first % 2,
                               .file = file,
                               .line = line};
        if (last.section > ASM_OBJECT_SECTIONS_MAX ||
            last.offset > ASM_OBJECT_WORDS_MAX)
            fail(in, "a row of the line table is outside every section");
        object->lines[object->line_count++] = last;
    }
}

/* Reads places; each index is stored as the difference from the one before it. */
static void take_places(Reader *in, ElfPlaces *places) {
    const int count = take_count(in, 3);
    places->items = heap_alloc(in->heap, (size_t)count * sizeof *places->items);
    ElfPlace last = {0};
    for (int i = 0; i < count && !in->wrong; i++) {
        const uint32_t step = take(in, INT_MAX);
        const int file = take_file(in, last.file);
        const int line = take_next(in, last.line, INT_MAX);
        if (step > INT_MAX - last.index)
            fail(in, "an index of the line table is out of range");
        last = (ElfPlace){last.index + step, file, line};
        places->items[places->count++] = last;
    }
}

/* Reads one assertion; its symbols are numbers of ELF's table. */
static void take_assert(Reader *in, AsmObjectAssert *assert) {
    const int files = in->object->file_count;
    assert->compare = (AsmObjectCompare)take(in, ASM_OBJECT_COMPARE_COUNT - 1);
    const uint32_t zigzag = take(in, UINT32_MAX);
    assert->number = zigzag & 1 ? -(int64_t)(zigzag >> 1) - 1 : zigzag >> 1;
    assert->terms = (int)take(in, ASM_OBJECT_TERMS);
    for (int k = 0; k < assert->terms && !in->wrong; k++) {
        const uint32_t term = take(in, UINT32_MAX);
        assert->term[k] = (AsmObjectTerm){(int)(term / 2), term % 2};
    }
    assert->file = (int)take(in, files ? (uint32_t)files - 1 : 0);
    assert->line = (int)take(in, INT_MAX);
    assert->text = take_text(in, "a text of the line table is not terminated");
}

static void take_asserts(Reader *in) {
    AsmObject *object = in->object;
    const int count = take_count(in, 6);
    if (object->file_count == 0)
        fail(in, "an assertion of the line table has no valid file");
    object->asserts =
        make_array(in, mem_capacity((size_t)count), sizeof *object->asserts);
    for (int i = 0; i < count && !in->wrong; i++) {
        take_assert(in, &object->asserts[i]);
        object->assert_count += !in->wrong;
    }
}

/* After an error the object keeps what was decoded before it. */
bool elf_line_decode(Heap *heap, const unsigned char *bytes, size_t size,
                     ElfLineTable *table, size_t *at, const char **wrong) {
    Reader in = {.heap = heap, .object = table->object, .bytes = bytes, .size = size};
    const size_t magic = strlen(ELF_MDP_LINE_MAGIC);
    if (size < magic || memcmp(bytes, ELF_MDP_LINE_MAGIC, magic) != 0)
        fail(&in, "not a line table of a known version");
    else
        in.at = magic;
    if (!in.wrong)
        take_files(&in);
    if (!in.wrong)
        take_lines(&in);
    if (!in.wrong)
        take_places(&in, &table->symbols);
    if (!in.wrong)
        take_places(&in, &table->relocs);
    if (!in.wrong && in.at != size)
        take_asserts(&in);
    if (!in.wrong && in.at != size)
        fail(&in, "unexpected bytes after the line table");
    *at = in.at;
    *wrong = in.wrong;
    return !in.wrong;
}
