/* Members of ar archives, in the formats of GNU and BSD; without the tables. */
#include "asm/objects/archive.h"
#include "asm/objects/object.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header of a member and its contents. */
static void put_member(FILE *out, const char *name, const char *contents) {
    const size_t size = strlen(contents);
    fprintf(out, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", name, "0", "0", "0", "644", size);
    for (const char *c = contents; *c; c++)
        fputc(*c == '~' ? '\0' : *c, out); /* BSD pads names with zeros */
    if (size % 2)
        fputc('\n', out);
}

typedef struct {
    const char *name, *contents;
} Row;

/* Checks that the archive of `written` has exactly these members, at these bytes. */
static void check_members(const Row *written, const Row *read) {
    char *bytes = NULL;
    size_t size;
    FILE *out = open_memstream(&bytes, &size);
    fputs("!<arch>\n", out);
    for (; written->name; written++)
        put_member(out, written->name, written->contents);
    fclose(out);
    cr_assert(asm_object_is_archive(bytes, size));
    AsmArchive archive = asm_archive_open(bytes, size, "lib.a");
    AsmArchiveMember member;
    JmError error;
    for (; read->name; read++) {
        cr_assert_eq(asm_archive_next(&archive, &member, &error), ASM_ARCHIVE_MEMBER);
        cr_expect_str_eq(member.name, read->name);
        cr_assert_eq(member.size, strlen(read->contents), "%s", member.name);
        cr_expect_eq(memcmp(member.bytes, read->contents, member.size), 0);
        cr_expect_eq(member.bytes, (unsigned char *)bytes + member.offset);
    }
    cr_expect_eq(asm_archive_next(&archive, &member, &error), ASM_ARCHIVE_END);
    free(bytes);
}

#define CHECK_MEMBERS(written, ...)                                                    \
    check_members(written, (const Row[]){__VA_ARGS__, {NULL, NULL}})

Test(archive, gnu) {
    static const Row rows[] = {
        {"/", "symbols"},
        {"//", "the_long_name_of_one.o/\nanother_long_name.o/\nsub/folder/of.o/\n"},
        {"short.o/", "odd"},
        {"/24", "even"},
        {"/0", ""},
        {"a b.o/", "x"},
        {"/45", "y"},
        {NULL, NULL}};
    CHECK_MEMBERS(rows, {"short.o", "odd"}, {"another_long_name.o", "even"},
                  {"the_long_name_of_one.o", ""}, {"a b.o", "x"},
                  {"sub/folder/of.o", "y"});
}

Test(archive, large_symbol_table) {
    static const Row rows[] = {
        {"/SYM64/", "x"}, {"/", "x"}, {"m.o/", "y"}, {NULL, NULL}};
    CHECK_MEMBERS(rows, {"m.o", "y"});
}

Test(archive, bsd) {
    static const Row rows[] = {
        {"__.SYMDEF SORTED", "table"},          {"plain.o", "1"},
        {"#1/12", "with blank.ocontents"},      {"#1/8", "pad.o~~~three"},
        {"#1/20", "__.SYMDEF SORTED....table"}, {NULL, NULL}};
    CHECK_MEMBERS(rows, {"plain.o", "1"}, {"with blank.o", "contents"},
                  {"pad.o", "three"});
}
