/* Macros, repeats, conditions, includes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/asm/assembling.h"

Test(assembler_macros, arguments) {
    CHECK_INTS(
        " .macro m a, b=7, c\n .word \\a, \\b\n .ifdef \\c\\()x\n .word 99\n .endif\n"
        " .endm\n m 1\n m 2, 3\n m b=4, a=5\n M 1+1\n",
        1, 7, 2, 3, 5, 4, 2, 7);
}

Test(assembler_macros, argument_kinds) {
    CHECK_INTS(
        " .macro m first:req, rest:vararg\n .word \\first\n .word \\rest\n .endm\n"
        " m 1, 2, 3, 4\n",
        1, 2, 3, 4);
    CHECK_INTS(" .macro m a\n .ascii \\a\n .endm\n m \"a,b;c\" ; comment\n", 'a', ',',
               'b', ';', 'c');
    CHECK_INTS(" .macro m a b\n .word \\a\\()0 + \\b\n .endm\n m 1, 'x' - ','\n",
               10 + 76);
    CHECK_INTS(" .macro m n\n .ascii \"\\n\\\\n\"\n .endm\n m z\n", 'z', '\\', 'n');
    /* A character of any spelling is one argument, also beside commas. */
    CHECK_INTS(" .macro m a, b\n .word \\a, \\b\n .endm\n m '\\x41',','\n", 'A', ',');
}

/* Only a single '=' names a parameter. */
Test(assembler_macros, comparisons_as_arguments) {
    CHECK_INTS("a = 3\n .macro m a, b=9\n .word \\a, \\b\n .endm\n"
               " m a==3\n m a == 4\n m a =5\n m 6, a==3\n m 0, b=a==3\n m a>=3, a!=3\n",
               1, 9, 0, 9, 5, 9, 6, 1, 0, 1, 1, 0);
}

Test(assembler_macros, names_with_a_dot) {
    CHECK_INTS(" .macro .pair a\n .word \\a, \\a\n .endm\n .pair 4\n", 4, 4);
}

Test(assembler_macros, unique_names) {
    AsmObject *object =
        assembled(" .macro wait r\n .local again\nagain: bnz \\r,^again\n .endm\n"
                  "start: wait r0\n wait r1\n .macro t\nl\\@: nop\n .endm\n"
                  " t\n t\n");
    for (uint32_t word = 0; word < 2; word++)
        cr_assert_eq(jm_decode(jm_instruction(word_of(object, ".text", word), 0)).value,
                     -1);
    cr_assert_eq(object->symbol_count, 3); /* those of .local are not in the object */
    asm_object_free(object);
}

Test(assembler_macros, macros_in_macros) {
    CHECK_INTS(" .macro outer n\n .macro inner\\n x\n .word \\n, \\x\n .endm\n .endm\n"
               " outer 1\n outer 2\n inner1 5\n inner2 6\n",
               1, 5, 2, 6);
    CHECK_INTS(" .macro down n\n .word \\n\n .if \\n\n down (\\n)-1\n .endif\n .endm\n"
               " down 3\n",
               3, 2, 1, 0);
}

Test(assembler_macros, repeats) {
    CHECK_INTS(" .set n, 0\n .rept 3\n .word n\n .set n, n+1\n .endr\n", 0, 1, 2);
    CHECK_INTS(" .rept 2\n .rept 2\n .word 1\n .endr\n .word 2\n .endr\n", 1, 1, 2, 1,
               1, 2);
    CHECK_INTS(" .rept 0\n .word 1\n .endr\n .word 9\n", 9);
    CHECK_INTS(" .irp x, 1, (2), 3+1\n .word \\x\n .endr\n", 1, 2, 4);
}

Test(assembler_macros, conditions) {
    CHECK_INTS(" .if 0\n .word 1\n .if 1\n .else\n .endif\n .elseif 2>1\n .word 2\n"
               " .elseif 1\n .word 3\n .else\n .word 4\n .endif\n",
               2);
    CHECK_INTS(" .if 0\n .word 1\n .elseif 0\n .word 2\n .else\n .word 3\n .endif\n",
               3);
    CHECK_INTS("a = 1\n .ifdef a\n .word 1\n .else\n .word 2\n .endif\n .ifndef a\n"
               " .word 3\n .else\n .word 4\n .endif\n .ifdef c\n .word 5\n .endif\n",
               1, 4);
    CHECK_INTS(" .if 0\n frob #!\n .macro m\n .endif\n .word 1\n", 1);
}

Test(assembler_macros, messages_name_the_expansion) {
    char *text =
        refused(" .macro inner x\n  .word \\x/0\n .endm\n .macro outer\n inner 5\n"
                " .endm\n\n outer\n");
    cr_assert_str_eq(text, "t.s:8:2: error: division by zero\n"
                           " outer\n"
                           " ^\n"
                           "t.s:5:2: note: in expansion of macro 'outer'\n"
                           "t.s:2:11: note: in expansion of macro 'inner'\n"
                           "  .word \\x/0\n"
                           "          ^\n");
    free(text);
}

/* Of a long chain of macros the outermost six and the innermost. */
Test(assembler_macros, long_chains_are_cut) {
    char *text = refused(" .macro m n\n .if \\n\n m \\n-1\n .else\n frob\n .endif\n"
                         " .endm\n m 9\n");
    static const char notes[] = "t.s:3:2: note: in expansion of macro 'm'\n"
                                "t.s:3:2: note: in expansion of macro 'm'\n"
                                "t.s:3:2: note: in expansion of macro 'm'\n"
                                "t.s:3:2: note: in expansion of macro 'm'\n"
                                "t.s:3:2: note: in expansion of macro 'm'\n"
                                "t.s:3:2: note: in expansion of macro 'm'\n"
                                "t.s:5:2: note: in expansion of macro 'm'\n frob\n ^\n";
    const char *found = strstr(text, " m 9\n ^\n");
    cr_assert_not_null(found, "%s", text);
    cr_assert_str_eq(found + strlen(" m 9\n ^\n"), notes);
    free(text);
}

/* Of a long chain of includes the innermost six and the outermost. */
Test(assembler_macros, long_chains_of_includes_are_cut) {
    enum { FILES = 9 };
    char names[FILES + 1][16], texts[FILES][40];
    AsmFile files[FILES];
    for (int i = 0; i <= FILES; i++)
        snprintf(names[i], sizeof names[i], "%d.inc", i);
    for (int i = 0; i < FILES; i++) {
        snprintf(texts[i], sizeof texts[i], "\n .include \"%s\"\n", names[i + 1]);
        files[i] = (AsmFile){names[i], i + 1 < FILES ? texts[i] : " frob\n",
                             i + 1 < FILES ? strlen(texts[i]) : 6};
    }
    const char source[] = " .include \"0.inc\"\n";
    AsmResult result = asm_assemble(source, sizeof source - 1, "t.s",
                                    &(AsmOptions){.files = files, .file_count = FILES});
    const char *at = strstr(result.diagnostics, " frob\n ^\n");
    char expected[400] = " frob\n ^\n";
    for (int i = FILES - 2; i > FILES - 8; i--)
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                 "%s:2:11: note: included from here\n", names[i]);
    cr_assert_not_null(at, "%s", result.diagnostics);
    cr_expect_str_eq(at, strcat(expected, "t.s:1:11: note: included from here\n"));
    asm_result_free(&result);
}

/* The linker, too, names the line in the user's source. */
Test(assembler_macros, relocations_have_the_line_of_the_call) {
    AsmObject *object = assembled(" .macro ask name\n .word \\name\n .endm\n"
                                  " .extern other\n ask other\n");
    cr_expect_eq(only_reloc(object)->line, 5);
    asm_object_free(object);
}

Test(assembler_macros, refused) {
    check_message(" .macro m a\n .endm\n m 1,2",
                  "t.s:3:2: error: macro 'm' takes at most 1");
    check_message(
        " .macro m\nl: nop\n .endm\n m\n m",
        "t.s:5:2: note: a name in .local is another symbol in each expansion");
    check_message(" .macro m a:req\n .endm\n m", "t.s:3:2: error: macro 'm' needs its "
                                                 "argument 'a'");
    check_message(" .macro m\n .endm\n .macro M\n .endm",
                  "t.s:3:9: error: macro 'M' is "
                  "already defined");
    check_message(" .macro add\n .endm", "t.s:1:9: error: 'add' is an instruction");
    check_message(" .macro .word\n .endm",
                  "t.s:1:9: error: '.word' is an instruction or");
    check_message(" .macro m a:bad\n .endm", "t.s:1:13: error: req or vararg expected");
    check_message(" .local x", "t.s:1:2: error: .local is for the lines of a macro");
    check_message(" .rept -1\n .endr",
                  "t.s:1:8: error: a repeat count cannot be negative");
    check_message(" .macro m\n .word \\q\n .endm\n m",
                  "t.s:4:2: error: '\\' is followed by");
}

/* Unbounded expansions stop early with a message. */
Test(assembler_macros, without_end, .timeout = 60) {
    check_message(" .macro m\n m\n .endm\n m", "nest more than 100 deep");
    check_message(" .rept 1000000000\n .endr", "yield more than 1000000 lines");
    check_message(" .rept 2000\n .rept 2000\n nop\n .endr\n .endr", "yield more than");
    check_message(" .macro m a\n m \\a\\a\n .endm\n m xxxxxxxx",
                  "longer than 16384 bytes");
    check_message(" .rept 100\n .space 100000\n .endr",
                  "this makes more than 1048576 words");
    check_message(" .macro m\n m\n m\n .endm\n m", "nest more than 100 deep");
}

/* A folder with files for .include. */
static void write_file(const char *folder, const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
}

static AsmResult assemble_in(const char *folder, const char *name, AsmOptions options) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return asm_assemble_file(path, &options);
}

static void remove_files(const char *folder, const char *const *names) {
    char path[256];
    for (; *names; names++) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        cr_assert_eq(unlink(path), 0);
    }
    cr_assert_eq(rmdir(folder), 0);
}

#define MEMORY(name, text)                                                             \
    { name, text, sizeof(text) - 1 }

/* Assembles a text that may include these files. */
static AsmResult assemble_memory(const char *source) {
    static const AsmFile files[] = {MEMORY("a.inc", " .include \"b.inc\"\n .word 1\n"),
                                    MEMORY("b.inc", " .word 2\n"),
                                    MEMORY("self.inc", "\n .include \"self.inc\"\n"),
                                    MEMORY("bad.inc", " frob\n")};
    return asm_assemble(source, strlen(source), "t.s",
                        &(AsmOptions){.files = files, .file_count = 4});
}

/* Files in memory include each other by name, and are called by it in messages. */
Test(assembler_macros, includes_from_memory) {
    AsmResult result = assemble_memory(" .include \"a.inc\"\n .include \"b.inc\"\n");
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect(jm_same(word_of(result.object, ".text", i), jm_int(i == 1 ? 1 : 2)));
    cr_assert_eq(result.object->file_count, 2);
    cr_expect_str_eq(result.object->files[0], "b.inc");
    asm_result_free(&result);

    result = assemble_memory(" .include \"self.inc\"\n");
    cr_expect_str_eq(result.diagnostics,
                     "self.inc:2:11: error: recursive include of 'self.inc'\n"
                     " .include \"self.inc\"\n          ^\n"
                     "t.s:1:11: note: included from here\n");
    asm_result_free(&result);

    result = assemble_memory(" .include \"bad.inc\"\n");
    cr_expect_not_null(strstr(result.diagnostics, "bad.inc:1:2: error: unknown"));
    asm_result_free(&result);
    result = assemble_memory(" .include \"a.in\"\n");
    cr_expect_not_null(strstr(result.diagnostics, "cannot find the file 'a.in'"));
    asm_result_free(&result);
}

/* A folder comes before memory, but not for what files in memory include. */
Test(assembler_macros, folders_come_before_memory) {
    char folder[] = "/tmp/jm-test-XXXXXX";
    cr_assert(mkdtemp(folder));
    write_file(folder, "main.s", " .include \"a.inc\"\n .include \"b.inc\"\n");
    write_file(folder, "b.inc", " .word 9\n");
    static const AsmFile files[] = {MEMORY("a.inc", " .include \"b.inc\"\n"),
                                    MEMORY("b.inc", " .word 2\n")};
    const char *const dirs[] = {folder};
    AsmResult result = assemble_in(
        folder, "main.s",
        (AsmOptions){
            .include_dirs = dirs, .include_count = 1, .files = files, .file_count = 2});
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    cr_expect(jm_same(word_of(result.object, ".text", 0), jm_int(2)));
    cr_expect(jm_same(word_of(result.object, ".text", 1), jm_int(9)));
    asm_result_free(&result);
    remove_files(folder, (const char *const[]){"main.s", "b.inc", NULL});
}

/* Macros and symbols might have been in the missing file: no further errors follow. */
Test(assembler_macros, a_missing_include_is_the_only_error) {
    char *text = refused(" .if 1\n br ^later\n .include \"gone.inc\"\n push r0\n"
                         " .if missing\nx: .word y\n");
    cr_expect_str_eq(text, "t.s:3:11: error: cannot find the file 'gone.inc'\n"
                           " .include \"gone.inc\"\n          ^\n");
    free(text);
}

Test(assembler_macros, includes) {
    char beside[] = "/tmp/jm-test-XXXXXX";
    char other[] = "/tmp/jm-test-XXXXXX";
    cr_assert(mkdtemp(beside) && mkdtemp(other));
    write_file(beside, "main.s",
               " .include \"a.inc\"\n .include \"b.inc\"\n .word x, y\n");
    write_file(beside, "a.inc", "x = 1\n");
    write_file(other, "a.inc", "x = 9\n");
    write_file(other, "b.inc", "y = 2\n .word 7");
    const char *const dirs[] = {other};
    AsmResult result = assemble_in(
        beside, "main.s", (AsmOptions){.include_dirs = dirs, .include_count = 1});
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    for (int i = 0; i < 3; i++)
        cr_assert(jm_same(word_of(result.object, ".text", (uint32_t)i),
                          jm_int((int[]){7, 1, 2}[i])));
    cr_assert_eq(result.object->line_count, 2);
    cr_assert_neq(result.object->lines[0].file, result.object->lines[1].file);
    asm_result_free(&result);
    remove_files(beside, (const char *const[]){"main.s", "a.inc", NULL});
    remove_files(other, (const char *const[]){"a.inc", "b.inc", NULL});
}

Test(assembler_macros, recursive_include) {
    char folder[] = "/tmp/jm-test-XXXXXX";
    cr_assert(mkdtemp(folder));
    write_file(folder, "a.s", " nop\n .include \"./b.s\"\n");
    write_file(folder, "b.s", "\n .include \"a.s\"\n");
    AsmResult result = assemble_in(folder, "a.s", (AsmOptions){0});
    char expected[512];
    snprintf(
        expected, sizeof expected,
        "%s/./b.s:2:11: error: recursive include of '%s/./a.s'\n .include \"a.s\"\n"
        "          ^\n%s/a.s:2:11: note: included from here\n",
        folder, folder, folder);
    cr_assert_str_eq(result.diagnostics, expected);
    asm_result_free(&result);
    remove_files(folder, (const char *const[]){"a.s", "b.s", NULL});
}

Test(assembler_macros, defines) {
    const char *const defines[] = {"one", "two=1+1", "three=two+one"};
    const char source[] = " .word one, two, three";
    AsmResult result =
        asm_assemble(source, sizeof source - 1, "t.s",
                     &(AsmOptions){.defines = defines, .define_count = 3});
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    for (int i = 0; i < 3; i++)
        cr_assert(jm_same(word_of(result.object, ".text", (uint32_t)i), jm_int(i + 1)));
    asm_result_free(&result);
    const char *const wrong[] = {"a b"};
    result = asm_assemble(source, sizeof source - 1, "t.s",
                          &(AsmOptions){.defines = wrong, .define_count = 1});
    cr_assert_not_null(strstr(result.diagnostics, "<command line>:1:1: error:"));
    asm_result_free(&result);
}

/* Stepping through a program shows the user's lines, not those of macros. */
Test(assembler_macros, lines_of_calls) {
    AsmObject *object =
        assembled(" .macro in\n .word 1\n .endm\n .macro out\n in\nhere\\@:\n in\n"
                  " .endm\n out\n .word 2\n out\n");
    static const AsmObjectLine rows[] = {{0, 0, 0, 9, false, false},
                                         {0, 2, 0, 10, false, false},
                                         {0, 3, 0, 11, false, false}};
    cr_assert_eq(object->line_count, 3);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(object->lines[i].offset, rows[i].offset);
        cr_expect_eq(object->lines[i].line, rows[i].line);
    }
    cr_assert_eq(object->symbol_count, 2);
    cr_expect_eq(object->symbols[0].line, 9);
    cr_expect_eq(object->symbols[1].line, 11);
    asm_object_free(object);
}

/* An omitted argument keeps its default in any position. */
Test(assembler_macros, empty_arguments_keep_the_default) {
    static const struct {
        const char *call;
        int words[3];
    } rows[] = {
        {"m", {5, 6, 7}},      {"m 1", {1, 6, 7}},         {"m ,2", {5, 2, 7}},
        {"m ,,3", {5, 6, 3}},  {"m 1,,3", {1, 6, 3}},      {"m ,,", {5, 6, 7}},
        {"m 1,2,", {1, 2, 7}}, {"m , ,c=3", {5, 6, 3}},    {"m c=3,,2", {5, 2, 3}},
        {"m b=", {5, 6, 7}},   {"m a= ,2,c=1", {2, 6, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[128];
        snprintf(source, sizeof source,
                 " .macro m a=5, b=6, c=7\n .word \\a, \\b, \\c\n .endm\n %s\n",
                 rows[i].call);
        AsmObject *object = assembled(source);
        for (uint32_t w = 0; w < 3; w++)
            cr_expect_eq((int)jm_data(word_of(object, ".text", w)), rows[i].words[w],
                         "%s, word %u", rows[i].call, w);
        asm_object_free(object);
    }
}
