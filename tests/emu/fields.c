/* Walks over tables of fields: see fields.h. */
#include "tests/emu/fields.h"

#include <criterion/criterion.h>
#include <string.h>

#include "emu/node/node.h"

/* Whether `at` is where something can begin behind what ends at `end`. */
static bool is_next(size_t end, size_t at, size_t align) {
    return at == (end + align - 1) / align * align ||
           at == (end + NODE_LINE_BYTES - 1) / NODE_LINE_BYTES * NODE_LINE_BYTES;
}

void fields_expect_complete(const Field *field, size_t size) {
    size_t end = 0;
    for (; field->name; field++) {
        cr_expect(is_next(end, field->at, field->align), "before %s", field->name);
        if (field->fields)
            fields_expect_complete(field->fields, field->unit);
        end = field->at + field->size;
    }
    cr_expect(is_next(end, size, _Alignof(max_align_t)) ||
                  is_next(end, size, _Alignof(uint64_t)) ||
                  is_next(end, size, _Alignof(uint32_t)),
              "at the end of a structure of %zu bytes", size);
}

void fields_fill(char *bytes, const Field *field) {
    for (; field->name; field++) {
        for (size_t i = 0; i < field->size / field->unit; i++) {
            char *item = bytes + field->at + i * field->unit;
            const uint64_t value = field->value + i;
            if (field->fields)
                fields_fill(item, field->fields);
            else if (field->kind == KEPT)
                memcpy(item, &value, field->unit);
        }
    }
}

void fields_expect_kept(const char *bytes, const char *restored, const Field *field) {
    for (; field->name; field++) {
        for (size_t i = 0; i < field->size / field->unit; i++) {
            const size_t at = field->at + i * field->unit;
            if (field->fields)
                fields_expect_kept(bytes + at, restored + at, field->fields);
            else if (field->kind == KEPT)
                cr_expect_eq(memcmp(bytes + at, restored + at, field->unit), 0,
                             "%s, item %zu", field->name, i);
        }
    }
}

/* Notes what differs of a structure. Returns how many leaves its table has. */
static unsigned see(const char *bytes, const char *before, const Field *field,
                    bool *seen) {
    unsigned leaves = 0;
    for (; field->name; field++) {
        unsigned used = 1;
        for (size_t i = 0; i < field->size / field->unit; i++) {
            const size_t at = field->at + i * field->unit;
            if (field->fields)
                used = see(bytes + at, before + at, field->fields, seen + leaves);
            else
                seen[leaves] |= memcmp(bytes + at, before + at, field->unit) != 0;
        }
        leaves += used;
    }
    cr_assert(leaves <= FIELDS_MAX);
    return leaves;
}

void fields_compare(FieldTable *table, const void *saved, const void *restored,
                    const void *before) {
    fields_expect_kept(saved, restored, table->fields);
    see(saved, before, table->fields, table->seen);
}

static unsigned expect_seen(const FieldTable *table, const Field *field,
                            unsigned leaf) {
    for (; field->name; field++) {
        if (field->fields)
            leaf = expect_seen(table, field->fields, leaf);
        else
            cr_expect(table->seen[leaf++] || field->kind == FOLLOWS,
                      "%s: %s was always as new", table->name, field->name);
    }
    return leaf;
}

void fields_expect_seen(const FieldTable *table) {
    fields_expect_complete(table->fields, table->size);
    expect_seen(table, table->fields, 0);
}
