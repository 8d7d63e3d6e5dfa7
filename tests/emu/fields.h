/* Tables of all fields of structures, and walks over them: for tests that nothing is
 * lost in a checkpoint. */
#ifndef TESTS_EMU_FIELDS_H
#define TESTS_EMU_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    KEPT,   /* in a checkpoint */
    FOLLOWS /* from what is kept or from where it is, or a test looks at it apart */
} Kind;

typedef struct Field Field;
struct Field {
    const char *name;
    size_t at, size, align;
    Kind kind;
    size_t unit;         /* bytes of an item of it */
    uint64_t value;      /* of its first item; they count up */
    const Field *fields; /* NULL, or those of each item, up to one without a name */
};

/* A field of type `of`, or an array of these. */
#define ROW(type, member, of, kind, value, fields)                                     \
    {                                                                                  \
#member, offsetof(type, member), sizeof((type *)NULL)->member,                 \
            _Alignof(__typeof__(of)), kind, sizeof(of), value, fields                  \
    }
#define FIELD(type, member, of, value) ROW(type, member, of, KEPT, value, NULL)
#define REST(type, member, of) ROW(type, member, of, FOLLOWS, 0, NULL)
#define WORD UINT64_C(0x500000007)

/* Expects that fields follow each other without a gap that is more than padding, in
 * those that have fields too: that the table has a row for each. */
void fields_expect_complete(const Field *field, size_t size);
/* Gives all that is kept its values, as a host writes them that is little-endian. */
void fields_fill(char *bytes, const Field *field);
/* Expects all that is kept to be equal in what was restored. */
void fields_expect_kept(const char *bytes, const char *restored, const Field *field);

enum { FIELDS_MAX = 64 };

/* A table, and which of its fields have shown that they are kept. */
typedef struct {
    const char *name;
    const Field *fields;
    size_t size;
    bool seen[FIELDS_MAX];
} FieldTable;

/* The same, and notes the fields that are not as they were `before` the restoring. */
void fields_compare(FieldTable *table, const void *saved, const void *restored,
                    const void *before);
/* Expects the table to be complete, and that each field that is kept was noted. */
void fields_expect_seen(const FieldTable *table);

#endif
