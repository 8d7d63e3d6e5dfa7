/* What the assembler keeps from one round, branch, section or file to the next, and
 * what it must not keep. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/asm/assembling.h"

/* ---- rounds and expansions ------------------------------------------------------- */

/* Before .local the name is that of the lines around, in each round. */
Test(assembler_again, local_names_begin_anew) {
    CHECK_INTS("x = 5\n .rept 3\n .word x\n .local x\nx = 7\n .word x\n .endr\n"
               " .word x\n",
               5, 7, 5, 7, 5, 7, 5);
    CHECK_INTS("x = 5\n .irp y, 1, 2\n .word x\n .local x\nx = \\y\n .word x\n .endr\n",
               5, 1, 5, 2);
    CHECK_INTS("x = 5\n .macro m\n .word x\n .local x\nx = 7\n .word x\n .endm\n m\n"
               " m\n .word x\n",
               5, 7, 5, 7, 5);
}

/* More rounds than one expansion may have names. */
Test(assembler_again, local_names_of_many_rounds) {
    AsmObject *object =
        assembled(" .rept 99\n .local x, y\nx: .word y-x\ny:\n .endr\n");
    cr_assert_eq(object->sections[0].size, 99u);
    for (uint32_t i = 0; i < 99; i++)
        cr_expect(jm_same(object->sections[0].words[i], jm_int(1)));
    cr_expect_eq(object->symbol_count, 0);
    asm_object_free(object);
}

Test(assembler_again, every_round_has_a_number) {
    AsmObject *object =
        assembled(" .macro m\n .word \\@\n .endm\n .rept 3\n .word \\@\n"
                  " .endr\n m\n m\n");
    const JmWord *words = object->sections[0].words;
    cr_assert_eq(object->sections[0].size, 5u);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            cr_expect_not(jm_same(words[i], words[j]), "%d and %d", i, j);
    asm_object_free(object);
}

/* Neither directives nor macros have a case, also where they are only looked for. */
Test(assembler_again, names_have_no_case) {
    CHECK_INTS(" .macro Foo\n .word 1\n .endm\n foo\n FOO\n fOo\n", 1, 1, 1);
    CHECK_INTS(" .MACRO a x\n .Rept 2\n .IRP y, 1, 2\n .word \\x+\\y\n .ENDR\n .endr\n"
               " .EndM\n A 10\n",
               11, 12, 11, 12);
    CHECK_INTS(" .IF 0\n .Word 1\n .ElseIf 1\n .WORD 2\n .ELSE\n .word 3\n .Endif\n"
               " .IfDef x\n .else\n .word 4\n .ENDIF\n",
               2, 4);
    check_message(" .macro ADD\n .endm", "t.s:1:9: error: 'ADD' is an instruction");
    check_message(" .macro .Word\n .endm", "t.s:1:9: error: '.Word' is an instruction");
}

/* As many arguments as there may be, and one more. */
Test(assembler_again, many_arguments) {
    char texts[65 * 3 + 1] = "", source[512];
    for (int i = 1; i <= 65; i++) {
        snprintf(source, sizeof source, " .irp x%s\n .word \\x\n .endr\n", texts);
        AsmObject *object = assembled(source);
        cr_assert_eq(i == 1 ? 0 : (int)object->sections[0].size, i - 1);
        asm_object_free(object);
        snprintf(texts + strlen(texts), 4, ",%d", i % 10);
    }
    snprintf(source, sizeof source, " .irp x%s\n .endr\n", texts);
    check_message(source, "t.s:1:2: error: .irp takes at most 64 texts");
    snprintf(source, sizeof source, " .macro m a\n .endm\n m 1%s\n", texts);
    check_message(source, "t.s:3:2: error: macro 'm' takes at most 1 argument");
    snprintf(source, sizeof source,
             " .macro m a, b:vararg\n .word \\b\n .endm\n m 9%s%s\n", texts, texts);
    AsmObject *object = assembled(source);
    cr_expect_eq(object->sections[0].size, 130u);
    asm_object_free(object);
    CHECK_INTS(" .irp x, 1,,3\n .word \\x\\()0\n .endr\n", 10, 0, 30);
    CHECK_INTS(" .macro m a=(1+2)*3, b=','\n .word \\a, \\b\n .endm\n m\n m 1\n", 9,
               ',', 1, ',');
}

/* Each number counts its own definitions. */
Test(assembler_again, numeric_labels) {
    CHECK_INTS("1: .word 2f-1b, 1f-1b\n2: .word 1b-2b\n1: .word 1b-2b, 99f-1b\n"
               "99: .word 99b-1b\n0: .word 0b-99b\n",
               2, 3, -2, 1, 2, 2, 1);
    check_message("1: nop\n br ^2b", "t.s:2:6: error: there is no label '2:' before");
    check_message("2: nop\n br ^2f", "t.s:2:6: error: there is no label '2:' after");
}

/* ---- branches that are not taken ------------------------------------------------- */

Test(assembler_again, branches_that_are_not_taken) {
    CHECK_INTS(
        " .if 1\n .word 1\n .elseif nosuch\n .word 2\n .else\n .word 3\n .endif\n", 1);
    CHECK_INTS(" .if 0\n .if nosuch\n .elseif nosuch\n .else\n .word 1\n .endif\n"
               " .word 2\n .else\n .word 3\n .endif\n",
               3);
    CHECK_INTS(" .if 0\n .ifdef\n .else\n .endif\n .ifndef x\n .word 1\n .endif\n"
               " .endif\n .word 4\n",
               4);
    CHECK_INTS(" .if 0\n .elseif 1\n .if 0\n .else\n .word 1\n .endif\n .elseif 1\n"
               " .word 2\n .else\n .word 3\n .endif\n",
               1);
    CHECK_INTS(
        " .if 1\n .if 0\n .word 1\n .endif\n .word 2\n .else\n .word 3\n .endif\n", 2);
    CHECK_INTS(" .if 0\nx: .else\n .word 5\n .endif\nx = 3\n .word x\n", 5, 3);
    CHECK_INTS(" .ifdef TAG_INT\n .word 1\n .endif\n .ifndef tag_int\n .word 2\n"
               " .endif\n .extern e\n .ifdef e\n .word 3\n .endif\n .ifdef later\n"
               " .word 4\n .endif\nlater = 1\n .ifdef later\n .word 5\n .endif\n",
               1, 5);
}

Test(assembler_again, branches_out_of_place) {
    check_message(" .if 1\n .else\n .elseif 1\n .endif",
                  "t.s:3:2: error: .elseif after .else");
    check_message(" .if 0\n .else\n .else\n .endif",
                  "t.s:3:2: error: .else after .else");
    check_message(" .macro m\n .else\n .endm\n .if 1\n m\n .endif",
                  ".else without .if in this file or macro");
    check_message(" .macro m\n .endif\n .endm\n .if 1\n m\n .endif",
                  ".endif without .if in this file or macro");
    check_message(" .macro m\n .if 1\n .endm\n m\n .endif", ".if without .endif");
    check_message(" .rept 2\n .if 1\n .endr", ".if without .endif");
}

/* ---- sections -------------------------------------------------------------------- */

/* What a section is from what was said of it, in one line or in several. */
static const struct {
    const char *source;
    AsmObjectPlace place;
    bool code, fill;
} attributes[] = {
    {".section .text", ASM_OBJECT_PLACE_ONCHIP, true, false},
    {".section .TEXT", ASM_OBJECT_PLACE_ONCHIP, true, false},
    {".section .data", ASM_OBJECT_PLACE_ONCHIP, false, false},
    {".section .rom", ASM_OBJECT_PLACE_ROM, true, false},
    {".section .Rom", ASM_OBJECT_PLACE_ROM, true, false},
    {".section .ext", ASM_OBJECT_PLACE_EXTERNAL, true, false},
    {".section .EXT", ASM_OBJECT_PLACE_EXTERNAL, true, false},
    {".section .vectors", ASM_OBJECT_PLACE_VECTORS, false, false},
    {".section .Vectors", ASM_OBJECT_PLACE_VECTORS, false, false},
    {".section .rom, external", ASM_OBJECT_PLACE_EXTERNAL, true, false},
    {".section .rom, data", ASM_OBJECT_PLACE_ROM, false, false},
    {".section .ext, fill", ASM_OBJECT_PLACE_EXTERNAL, false, true},
    {".section .data, code", ASM_OBJECT_PLACE_ONCHIP, true, false},
    {".section x, data, code", ASM_OBJECT_PLACE_ONCHIP, true, false},
    {".section x, code, DATA", ASM_OBJECT_PLACE_ONCHIP, false, false},
    {".section x, fill, data", ASM_OBJECT_PLACE_ONCHIP, false, false},
    {".section x, Fill, ROM, vectors", ASM_OBJECT_PLACE_VECTORS, false, true},
    {".section x, code\n .section x, data", ASM_OBJECT_PLACE_ONCHIP, true, false},
    {".section x, data\n .section x, code", ASM_OBJECT_PLACE_ONCHIP, true, false},
    {".section x, fill\n .section x, data", ASM_OBJECT_PLACE_ONCHIP, false, false},
    {".section x, data\n .section x, fill", ASM_OBJECT_PLACE_ONCHIP, false, true},
    {".section x, rom\n .section x, code", ASM_OBJECT_PLACE_ROM, true, false},
    {".section x, rom\n .section x, external", ASM_OBJECT_PLACE_EXTERNAL, false, false},
    {".section x\n .space 1\n .section x, code, onchip", ASM_OBJECT_PLACE_ONCHIP, true,
     false},
};

Test(assembler_again, attributes_of_sections) {
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        char source[128];
        snprintf(source, sizeof source, " %s\n .space 1\n", attributes[i].source);
        AsmObject *object = assembled(source);
        cr_assert_eq(object->section_count, 1, "%s", source);
        const AsmObjectSection *section = &object->sections[0];
        cr_expect_eq(section->place, attributes[i].place, "%s", source);
        cr_expect_eq(section->code, attributes[i].code, "%s", source);
        cr_expect_eq(section->fill, attributes[i].fill, "%s", source);
        asm_object_free(object);
    }
}

Test(assembler_again, attributes_that_come_too_late) {
    check_message(" .section x\n .space 1\n .section x, fill",
                  "t.s:3:11: error: section 'x' has contents already");
    check_message(" .section x, fill\n .space 1\n .section x, data",
                  "t.s:3:11: error: section 'x' is fill already");
    check_message(" .section x, fill\nhere: .section x, code",
                  "t.s:2:16: error: section 'x' is fill already");
    check_message(" .section x\n .space 1\n .section x, external",
                  "section 'x' is onchip already, it cannot become external");
}

/* Where execution may run through, what lies between is NOPs. */
Test(assembler_again, code_goes_on_behind_org) {
    const JmWord nops = jm_instruction_word(0, 0);
    check_text(
        " .org 0x101\n .word 1\n .org 0x104\n .word 2\n .align 4\n .word 3\n", 8,
        (JmWord[]){jm_int(1), nops, nops, jm_int(2), nops, nops, nops, jm_int(3)});
}

Test(assembler_again, every_word_of_space_is_relocated) {
    AsmObject *object = assembled(" .word 1\n .space 3, SYM:there+1\nthere: nop\n");
    cr_assert_eq(object->reloc_count, 3);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(object->relocs[i].offset, (uint32_t)i + 1);
        cr_expect_eq(object->relocs[i].addend, 1);
    }
    asm_object_free(object);
}

/* Names that the assembler makes up do not meet those of the source. */
Test(assembler_again, names_that_are_made_up) {
    AsmObject *object = assembled("begin.text = 7\nat.1F = 9\n nop\n .word .\n"
                                  " br ^0x1F\n nop\n br ^0x1F\n br ^0x20\n");
    static const struct {
        const char *name;
        int64_t value, addend;
    } rows[] = {{"begin.text.1", 0, 1},
                {"at.1F.1", 0x1F, 0},
                {"at.1F.1", 0x1F, 0},
                {"at.20", 0x20, 0}};
    cr_assert_eq(object->reloc_count, 4);
    for (int i = 0; i < 4; i++) {
        const AsmObjectReloc *reloc = &object->relocs[i];
        const AsmObjectSymbol *symbol = &object->symbols[reloc->symbol];
        cr_expect_eq(symbol->value, rows[i].value, "%s", symbol->name);
        cr_expect_eq(reloc->addend, rows[i].addend, "%s", symbol->name);
        cr_expect_neq(strcmp(symbol->name, "begin.text"), 0);
        cr_expect_neq(strcmp(symbol->name, "at.1F"), 0);
    }
    cr_expect_eq(asm_object_symbol(object, "begin.text")->value, 7);
    cr_expect_eq(asm_object_symbol(object, "at.1F")->value, 9);
    asm_object_free(object);
}

/* The line of a word, from the last row at or before it; 0 if there is none. */
static int line_of(const AsmObject *object, int section, uint32_t offset) {
    int line = 0;
    for (int i = 0; i < object->line_count; i++)
        if (object->lines[i].section == section && object->lines[i].offset <= offset)
            line = object->lines[i].line;
    return line;
}

/* A call that makes words of two sections in turn. */
Test(assembler_again, lines_of_every_section) {
    AsmObject *object = assembled(" .macro m\n .word 1\n .data\n .word 2\n .text\n"
                                  " .word 3\n .endm\n m\n m\n");
    for (int section = 0; section < 2; section++)
        for (uint32_t i = 0; i < object->sections[section].size; i++)
            cr_expect_eq(line_of(object, section, i),
                         (int)(8 + 2 * i / object->sections[section].size),
                         "section %d, word %u", section, i);
    asm_object_free(object);
}

/* ---- files ----------------------------------------------------------------------- */

/* A folder with files for .include; `text` with names and texts in turn, up to NULL. */
static void make_folder(char *folder, const char *const *text) {
    cr_assert(mkdtemp(folder));
    for (; *text; text += 2) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, text[0]);
        FILE *out = fopen(path, "w");
        cr_assert_not_null(out);
        fputs(text[1], out);
        fclose(out);
    }
}

static AsmResult assemble_file(const char *folder, const char *name,
                               const AsmOptions *options) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return asm_assemble_file(path, options);
}

static void remove_folder(const char *folder, const char *const *names) {
    char path[256];
    for (; *names; names++) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        cr_assert_eq(unlink(path), 0, "%s", path);
    }
    cr_assert_eq(rmdir(folder), 0);
}

/* Whoever looks for a line finds the file by the name that the source has for it. */
Test(assembler_again, one_file_by_several_names) {
    char folder[] = "/tmp/jm-test-XXXXXX", path[256], wanted[256];
    make_folder(folder,
                (const char *const[]){"main.s",
                                      " .include \"a.inc\"\n .include \"./a.inc\"\n"
                                      " .include \"b.inc\"\n .include \"a.inc\"\n",
                                      "a.inc", " .word 1\n", NULL});
    snprintf(path, sizeof path, "%s/b.inc", folder);
    cr_assert_eq(symlink("a.inc", path), 0);
    AsmResult result = assemble_file(folder, "main.s", &(AsmOptions){0});
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    static const char *const names[] = {"a.inc", "./a.inc", "b.inc", "a.inc"};
    cr_assert_eq(result.object->line_count, 4);
    cr_expect_eq(result.object->file_count, 3);
    for (int i = 0; i < 4; i++) {
        snprintf(wanted, sizeof wanted, "%s/%s", folder, names[i]);
        cr_expect_str_eq(result.object->files[result.object->lines[i].file], wanted);
    }
    asm_result_free(&result);
    remove_folder(folder, (const char *const[]){"main.s", "a.inc", "b.inc", NULL});
}

/* A file that includes itself is found by whatever name. */
Test(assembler_again, a_file_within_itself_by_another_name) {
    char folder[] = "/tmp/jm-test-XXXXXX", path[256];
    make_folder(folder,
                (const char *const[]){"main.s", "\n .include \"same.s\"\n", NULL});
    snprintf(path, sizeof path, "%s/same.s", folder);
    cr_assert_eq(symlink("main.s", path), 0);
    AsmResult result = assemble_file(folder, "main.s", &(AsmOptions){0});
    cr_expect_not_null(strstr(result.diagnostics, "main.s:2:11: error: recursive"),
                       "%s", result.diagnostics);
    asm_result_free(&result);
    remove_folder(folder, (const char *const[]){"main.s", "same.s", NULL});
}

/* Beside the file that includes, then the folders in their order. */
Test(assembler_again, folders_in_their_order) {
    char main[] = "/tmp/jm-test-XXXXXX", one[] = "/tmp/jm-test-XXXXXX",
         two[] = "/tmp/jm-test-XXXXXX";
    make_folder(main,
                (const char *const[]){
                    "main.s", " .include \"x.inc\"\n .include \"y.inc\"\n", NULL});
    make_folder(
        one, (const char *const[]){"x.inc", " .word 1\n", "z.inc", " .word 2\n", NULL});
    make_folder(two, (const char *const[]){"x.inc", " .word 3\n", "y.inc",
                                           " .include \"z.inc\"\n", "z.inc",
                                           " .word 4\n", NULL});
    for (int swap = 0; swap < 2; swap++) {
        const char *const dirs[] = {swap ? two : one, swap ? one : two};
        AsmResult result = assemble_file(
            main, "main.s", &(AsmOptions){.include_dirs = dirs, .include_count = 2});
        cr_assert_not_null(result.object, "%s", result.diagnostics);
        cr_expect(jm_same(word_of(result.object, ".text", 0), jm_int(swap ? 3 : 1)));
        cr_expect(jm_same(word_of(result.object, ".text", 1), jm_int(4)));
        asm_result_free(&result);
    }
    remove_folder(main, (const char *const[]){"main.s", NULL});
    remove_folder(one, (const char *const[]){"x.inc", "z.inc", NULL});
    remove_folder(two, (const char *const[]){"x.inc", "y.inc", "z.inc", NULL});
}
