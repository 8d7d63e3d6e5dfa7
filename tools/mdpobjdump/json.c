/* Writes objects as JSON, row by row: a section may have a million words. */
#include "tools/mdpobjdump/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"

/* ---- rows ------------------------------------------------------------------------ */

/* Begins a member on a line of its own. */
static void member(Json *json, const char *key) {
    json->line = "\n ";
    json->key = key;
}

static void rows_begin(Json *json, const char *key) {
    member(json, key);
    jout_open(json, '[');
}

/* Writes a row and frees it. */
static void rows_add(Json *json, json_t *row) {
    json->line = "\n  ";
    jout_begin(json, NAN);
    json_dumpf(row, json->out, JSON_COMPACT);
    json_decref(row);
}

static void rows_end(Json *json) {
    fputs(json->more ? "\n " : "", json->out);
    jout_close(json, ']');
}

/* Adds a source place, if it is known. */
static void set_place(json_t *row, const char *file, int line) {
    if (!file || line < 1)
        return;
    json_object_set_new(row, "file", jvalue_text(file));
    json_object_set_new(row, "line", json_integer(line));
}

static json_t *section_name(const AsmObject *object, int section) {
    return section < 0 ? json_null() : jvalue_text(object->sections[section].name);
}

/* ---- sections, symbols, relocations ---------------------------------------------- */

static void write_sections(const AsmObject *object, Json *json) {
    rows_begin(json, "sections");
    for (int i = 0; i < object->section_count; i++) {
        const AsmObjectSection *s = &object->sections[i];
        rows_add(json,
                 json_pack("{s:o, s:o, s:I, s:I, s:o, s:b, s:b}", "name",
                           jvalue_text(s->name), "address",
                           s->address == ASM_OBJECT_NO_ADDRESS
                               ? json_null()
                               : json_integer(s->address),
                           "words", (json_int_t)s->size, "align", (json_int_t)s->align,
                           "place", jvalue_text(asm_object_place_name(s->place)),
                           "code", s->code, "fill", s->fill));
    }
    rows_end(json);
}

static void write_symbols(const AsmObject *object, Json *json) {
    rows_begin(json, "symbols");
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *s = &object->symbols[i];
        const char *kind = s->section == ASM_OBJECT_UNDEFINED  ? "undefined"
                           : s->section == ASM_OBJECT_ABSOLUTE ? "absolute"
                                                               : "word";
        json_t *row =
            json_pack("{s:o, s:o, s:o, s:I, s:b}", "name", jvalue_text(s->name), "kind",
                      jvalue_text(kind), "section", section_name(object, s->section),
                      "value", (json_int_t)s->value, "global", s->global);
        set_place(row, s->file, s->line);
        rows_add(json, row);
    }
    rows_end(json);
}

static void write_relocations(const AsmObject *object, Json *json) {
    static const char *const types[ASM_OBJECT_RELOC_COUNT] = {
#define RELOC(name, number, text) [number] = #name,
#include "asm/objects/relocs.def"
#undef RELOC
    };
    rows_begin(json, "relocations");
    for (int i = 0; i < object->reloc_count; i++) {
        const AsmObjectReloc *r = &object->relocs[i];
        json_t *row = json_pack(
            "{s:o, s:I, s:o, s:o, s:I}", "section", section_name(object, r->section),
            "offset", (json_int_t)r->offset, "type", jvalue_text(types[r->type]),
            "symbol", jvalue_text(object->symbols[r->symbol].name), "addend",
            (json_int_t)r->addend);
        set_place(row, r->file < 0 ? NULL : object->files[r->file], r->line);
        rows_add(json, row);
    }
    rows_end(json);
}

static void write_assertions(const AsmObject *object, Json *json) {
    static const char *const compare[] = {"<", "<=", "==", "!=", ">=", ">"};
    rows_begin(json, "assertions");
    for (int i = 0; i < object->assert_count; i++) {
        const AsmObjectAssert *a = &object->asserts[i];
        json_t *plus = json_array(), *minus = json_array();
        for (int k = 0; k < a->terms; k++)
            json_array_append_new(a->term[k].minus ? minus : plus,
                                  jvalue_text(object->symbols[a->term[k].symbol].name));
        json_t *row =
            json_pack("{s:o, s:o, s:o, s:I, s:o}", "plus", plus, "minus", minus,
                      "compare", jvalue_text(compare[a->compare]), "number",
                      (json_int_t)-a->number, "text", jvalue_text(a->text));
        set_place(row, object->files[a->file], a->line);
        rows_add(json, row);
    }
    rows_end(json);
}

/* ---- words ----------------------------------------------------------------------- */

/* Symbols in sections, by section and value, and the position of the walk over the
 * words in them and in the line table. */
typedef struct {
    const AsmObject *object;
    const AsmObjectSymbol **labels;
    int label_count, label, line;
} Walk;

static int compare_labels(const void *a, const void *b) {
    const AsmObjectSymbol *x = *(const AsmObjectSymbol *const *)a;
    const AsmObjectSymbol *y = *(const AsmObjectSymbol *const *)b;
    if (x->section != y->section)
        return x->section - y->section;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : strcmp(x->name, y->name);
}

static Walk walk_begin(const AsmObject *object) {
    Walk walk = {
        .object = object,
        .labels = memory_array((size_t)object->symbol_count + 1, sizeof *walk.labels),
        .line = -1};
    for (int i = 0; i < object->symbol_count; i++)
        if (object->symbols[i].section >= 0)
            walk.labels[walk.label_count++] = &object->symbols[i];
    qsort(walk.labels, (size_t)walk.label_count, sizeof *walk.labels, compare_labels);
    return walk;
}

/* Returns the names of the word at `value` of a section. */
static json_t *labels_at(Walk *walk, int section, int64_t value) {
    json_t *names = json_array();
    for (; walk->label < walk->label_count; walk->label++) {
        const AsmObjectSymbol *label = walk->labels[walk->label];
        if (label->section > section ||
            (label->section == section && label->value > value))
            break;
        if (label->section == section && label->value == value)
            json_array_append_new(names, jvalue_text(label->name));
    }
    return names;
}

/* Whether a row of the line table begins at or before a half of a word. */
static bool has_begun(const AsmObjectLine *row, int section, uint32_t offset,
                      bool low) {
    if (row->section != section)
        return row->section < section;
    return row->offset != offset ? row->offset < offset : low || !row->low;
}

/* Adds the source place of a half of a word. Call it for halves in their order. */
static void set_line(Walk *walk, json_t *row, int section, uint32_t offset, bool low) {
    const AsmObject *object = walk->object;
    while (walk->line + 1 < object->line_count &&
           has_begun(&object->lines[walk->line + 1], section, offset, low))
        walk->line++;
    const AsmObjectLine *line = walk->line < 0 ? NULL : &object->lines[walk->line];
    if (line && line->section == section)
        set_place(row, object->files[line->file], line->line);
}

static json_t *instructions_of(Walk *walk, int section, uint32_t offset, JmWord word) {
    json_t *list = json_array();
    for (unsigned low = 0; low < 2; low++) {
        char text[128];
        jm_disassemble(jm_instruction(word, low), text, sizeof text);
        json_t *instruction = json_pack("{s:o}", "text", jvalue_text(text));
        set_line(walk, instruction, section, offset, low);
        json_array_append_new(list, instruction);
    }
    return list;
}

static json_t *word_row(Walk *walk, int section, uint32_t offset) {
    const AsmObjectSection *s = &walk->object->sections[section];
    const JmWord word = s->words[offset];
    const int64_t start = s->address == ASM_OBJECT_NO_ADDRESS ? 0 : s->address;
    const int64_t value = walk->object->image ? start + offset : offset;
    char text[32];
    json_t *row = json_pack("{s:I, s:o, s:o}", "address", (json_int_t)(start + offset),
                            "word", jvalue_textf("%09" PRIX64, word.bits), "labels",
                            labels_at(walk, section, value));
    if (jm_is_instruction(word)) {
        json_object_set_new(row, "instructions",
                            instructions_of(walk, section, offset, word));
        return row;
    }
    jm_word_print(word, text, sizeof text);
    json_object_set_new(row, "value", jvalue_text(text));
    set_line(walk, row, section, offset, false);
    return row;
}

/* The disassembly: an array of words for each section that has contents. */
static void write_words(const AsmObject *object, Json *json) {
    Walk walk = walk_begin(object);
    rows_begin(json, "disassembly");
    for (int i = 0; i < object->section_count; i++) {
        const AsmObjectSection *s = &object->sections[i];
        if (s->fill || !s->size)
            continue;
        member(json, NULL);
        jout_open(json, '{');
        json->key = "section";
        jout_text(json, s->name);
        rows_begin(json, "words");
        for (uint32_t offset = 0; offset < s->size; offset++)
            rows_add(json, word_row(&walk, i, offset));
        rows_end(json);
        jout_close(json, '}');
    }
    jout_close(json, ']');
    free(walk.labels);
}

void json_object_write(const AsmObject *object, const char *name, JsonParts parts,
                       Json *json) {
    json->line = json->more ? "\n" : NULL;
    jout_open(json, '{');
    json->key = "name";
    jout_text(json, name);
    member(json, "kind");
    jout_text(json, object->image ? "image" : "object");
    if (parts.sections)
        write_sections(object, json);
    if (parts.symbols)
        write_symbols(object, json);
    if (parts.relocations)
        write_relocations(object, json), write_assertions(object, json);
    if (parts.words)
        write_words(object, json);
    jout_close(json, '}');
}
