/* The disassembler: its output, which must assemble back. binutils read the files. */
#include "asm/asm.h"
#include "emu/core/rng.h"
#include "emu/isa/isa.h"
#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *disassembly_with(const AsmObject *object,
                              const AsmDisassembleOptions *options) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    asm_disassemble(object, options, out);
    fclose(out);
    return text;
}

static char *disassembly(const AsmObject *object) {
    return disassembly_with(object, NULL);
}

static AsmObject *assembled(const char *text) {
    AsmResult result = asm_assemble(text, strlen(text), "x.s", &(AsmOptions){0});
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    AsmObject *object = result.object;
    result.object = NULL;
    asm_result_free(&result);
    return object;
}

/* Links and takes over the objects, up to NULL. */
static AsmObject *linked(AsmObject *first, AsmObject *second) {
    AsmLinkInput *input = asm_link_input_new();
    asm_link_input_add_object(input, first, "first.o");
    if (second)
        asm_link_input_add_object(input, second, "second.o");
    AsmLinkResult result = asm_link_objects(input, NULL);
    cr_assert_not_null(result.image, "%s", result.diagnostics);
    asm_link_input_free(input);
    free(result.diagnostics);
    return result.image;
}

/* The word at an address; *there tells whether the image has one. */
static JmWord word_at(const AsmObject *image, uint32_t address, bool *there) {
    for (int i = 0; i < image->section_count; i++) {
        const AsmObjectSection *s = &image->sections[i];
        *there = address - (uint32_t)s->address < s->size;
        if (*there)
            return s->fill ? JM_NIL : s->words[address - (uint32_t)s->address];
    }
    return JM_NIL;
}

static void same_memory(const AsmObject *a, const AsmObject *b) {
    for (uint32_t address = 0; address <= JM_ADDRESS_MASK; address++) {
        bool in_a, in_b;
        const JmWord x = word_at(a, address, &in_a);
        const JmWord y = word_at(b, address, &in_b);
        cr_assert_eq(in_a, in_b, "%05X", address);
        cr_assert(jm_same(x, y), "%05X: %09lx is now %09lx", address,
                  (unsigned long)x.bits, (unsigned long)y.bits);
    }
}

/* Disassembles, assembles and links; the memory must be the same. */
static void comes_back(const AsmObject *image) {
    char *text = disassembly(image);
    AsmObject *again = linked(assembled(text), NULL);
    same_memory(image, again);
    free(text);
    asm_object_free(again);
}

static const char program[] =
    "        .global start, Table\n"
    "        .extern shared, place\n"
    "start:  move    5,r0\n"
    "        br      ^far\n"
    "        .word   INT:shared\n"
    "        .addr   Table,4,R\n"
    ".loop:  add     r0,1,r1\n"
    "        bnz     r1,^.loop\n"
    "        move    [place,a1],r2\n"
    "        readr   r1,r2\n"
    "        move    r2,ip'bp\n"
    "far:    br      ^start\n"
    "        .ip     far,U,F,low\n"
    "        .ip     3,rel\n"
    "        .msg    start,3,U\n"
    "        .word   NIL,TRUE,FALSE,-1,FUT:7,INST1:0,IP:5,BOOL:2\n"
    "        .word   IP:0x80,IP:0x100,IP:0x180,IP:0x200,MSG:0,ADDR:0,MSG:1\n"
    "        send2e  [0,a3],r3,1\n"
    "        .space  9,CFUT:1\n"
    "        .data\n"
    "Table:  .word   1,2,3\n"
    "Behind = . + 3\n"
    "        .section v,vectors\n"
    "        .org    0x45\n"
    "        .ip     start,U\n"
    "        .section big,external,fill\n"
    "        .space  10000\n"
    "end:\n";

static const char other[] = "        .global shared, place\n"
                            "place = 40\n"
                            "shared: .word   0\n"
                            ".loop:  br      ^.loop\n"
                            "far:    br      ^shared\n"
                            "        .section v,vectors\n"
                            "        .org    0x50\n"
                            "        .ip     far\n";

Test(objdump, an_image_comes_back) {
    AsmObject *image = linked(assembled(program), assembled(other));
    comes_back(image);
    asm_object_free(image);
}

Test(objdump, names_stand_where_they_belong) {
    AsmObject *image = linked(assembled(program), assembled(other));
    char *text = disassembly(image);
    cr_expect_not_null(strstr(text, "\nstart:\n"));
    cr_expect_not_null(strstr(text, "br      ^far\n"));
    cr_expect_not_null(strstr(text, "^start.loop\n"));
    cr_expect_not_null(strstr(text, ".ip     far,U,F,low"));
    cr_expect_not_null(strstr(text, ".msg    start,3,U"));
    cr_expect_not_null(strstr(text, ".space  9,CFUT:0x00000001"));
    cr_expect_not_null(strstr(text, ".space  10000\nend:\n"));
    cr_expect_not_null(strstr(text, "far.1:\n")); /* the other object's */
    cr_expect_not_null(strstr(text, "; 00100 C104"));
    free(text);
    asm_object_free(image);
}

/* A branch names the global label of its target, whichever comes first. */
Test(objdump, global_labels_name_a_place) {
    static const char *const sources[] = {
        "here: .global there\nthere: nop\n br ^here\n br ^there\n",
        " .global there\nthere:\nhere: nop\n br ^here\n br ^there\n"};
    for (unsigned i = 0; i < 4; i++) {
        AsmObject *object = assembled(sources[i % 2]);
        object = i < 2 ? object : linked(object, NULL);
        char *text = disassembly(object);
        cr_expect_not_null(strstr(text, "^there"), "%s", text);
        cr_expect_null(strstr(text, "^here"), "%s", text);
        free(text);
        asm_object_free(object);
    }
}

/* Relocations of either half of a word, alignment, and names that are used twice. */
Test(objdump, objects_in_detail) {
    AsmObject *object = assembled("        .extern place, x\n        .align  2\n"
                                  "        nop\n        move    [place,a1],r2\n"
                                  "        move    [place,a1],r3\n        nop\n"
                                  "        nop\n        move    place,r1\n"
                                  "        br      ^x\n");
    char branch[64];
    snprintf(branch, sizeof branch, "%-48s ; 00003", "        br      ^x");
    asm_object_add_symbol(object, "twin.1", 0, 0, true);
    asm_object_add_symbol(object, "twin", 0, 1, true);
    asm_object_add_symbol(object, "twin", 0, 2, true);
    char *text = disassembly(object);
    cr_expect_not_null(strstr(text, "        .align  2\n"), "%s", text);
    cr_expect_not_null(strstr(text, "        move    [place,a1],r2\n"), "%s", text);
    cr_expect_not_null(strstr(text, "        move    [place,a1],r3  "), "%s", text);
    cr_expect_not_null(strstr(text, "        move    place,r1\n"), "%s", text);
    cr_expect_not_null(strstr(text, branch), "%s", text);
    cr_expect_not_null(strstr(text, "\ntwin:\n"), "%s", text);
    cr_expect_not_null(strstr(text, "\ntwin.1:\n"), "%s", text);
    cr_expect_not_null(strstr(text, "\ntwin.2:\n"), "%s", text);
    free(text);
    asm_object_free(object);
}

/* The offset at which a part begins; that of the end if it is not there. */
static size_t place_of(const char *text, const char *part) {
    const char *found = strstr(text, part);
    return found ? (size_t)(found - text) : strlen(text);
}

static bool before(const char *text, const char *first, const char *second) {
    const size_t end = strlen(text), place = place_of(text, second);
    return place < end && place_of(text, first) < place;
}

static const char constants[] = "        .global shown, main\n"
                                "shown = 7\n"
                                "hidden = 8\n"
                                "        .data\n"
                                "table:  .word   hidden\n"
                                "        .text\n"
                                "main:   br      ^0x120\n"
                                "        nop\n";

/* Of an image they are only names: the words hold their values. */
Test(objdump, constants_on_request) {
    AsmObject *image = linked(assembled(constants), NULL);
    char *text = disassembly(image);
    cr_expect_null(strstr(text, ".equ"), "%s", text);
    cr_expect_null(strstr(text, "shown"), "%s", text);
    free(text);
    text = disassembly_with(image, &(AsmDisassembleOptions){.equates = true});
    cr_expect_not_null(
        strstr(text, "        .global shown\n        .equ    shown,7\n"));
    cr_expect_not_null(strstr(text, "        .equ    hidden,8\n"));
    cr_expect_null(strstr(text, ".global hidden"));
    free(text);
    asm_object_free(image);
}

/* Of an object another file or a relocation may need them. */
Test(objdump, constants_that_are_needed) {
    AsmObject *object = assembled(constants);
    char *text = disassembly(object);
    cr_expect_not_null(strstr(text, "        .equ    shown,7\n"), "%s", text);
    cr_expect_null(strstr(text, "hidden"), "%s", text);
    cr_expect_not_null(strstr(text, "        .equ    at.120,288\n"), "%s", text);
    free(text);
    asm_object_free(object);
}

Test(objdump, code_comes_before_data) {
    AsmObject *image = linked(assembled("        .data\n        .org    0x100\n"
                                        "table:  .word   1\n"
                                        "        .text\n        .org    0x300\n"
                                        "        .global main\nmain:   nop\n"),
                              NULL);
    char *text = disassembly(image);
    cr_expect(before(text, "\n        .global main\nmain:\n", "table:\n"), "%s", text);
    cr_expect(before(text, ".org    0x00300", ".org    0x00100"), "%s", text);
    free(text);
    asm_object_free(image);
}

/* The lines of a source of ten lines; a file called "none" cannot be read. */
static const char *line_of(void *context, const char *file, int line) {
    static char text[32];
    ++*(int *)context;
    if (strcmp(file, "none") == 0 || line > 10)
        return NULL;
    snprintf(text, sizeof text, "text %d", line);
    return text;
}

static void add_row(AsmObject *object, int section, uint32_t offset, bool low, int file,
                    int line) {
    asm_object_add_line(object, (AsmObjectLine){.section = section,
                                                .offset = offset,
                                                .low = low,
                                                .file = file,
                                                .line = line});
}

/* A section of code and one of data whose lines are 8, 8 (low 9), 3, 7, unknown. */
static AsmObject *with_lines(const char *file) {
    AsmObject *image = asm_object_new();
    image->image = true;
    asm_object_add_section(image, ".text", ASM_OBJECT_PLACE_ONCHIP, true);
    asm_object_add_section(image, ".data", ASM_OBJECT_PLACE_ONCHIP, false);
    image->sections[0].address = 0x100;
    image->sections[1].address = 0x200;
    for (int i = 0; i < 3; i++)
        asm_object_append_word(image, 0, jm_instruction_word(0, 0));
    for (int i = 0; i < 9; i++)
        asm_object_append_word(image, 1, jm_int(5));
    asm_object_add_file(image, file);
    add_row(image, 0, 0, false, 0, 8);
    add_row(image, 0, 1, false, 0, 8);
    add_row(image, 0, 1, true, 0, 9);
    add_row(image, 0, 2, false, 0, 3);
    add_row(image, 1, 0, false, 0, 3);
    add_row(image, 1, 4, false, 0, 10);
    add_row(image, 1, 8, false, 0, 0);
    return image;
}

static char *with_source(const AsmObject *image, int *calls) {
    *calls = 0;
    return disassembly_with(
        image, &(AsmDisassembleOptions){.source_line = line_of, .context = calls});
}

/* At most five lines of context, none twice; the same line again only after another or
 * in another section; runs of words end where lines do. */
Test(objdump, source_stands_where_it_came_from) {
    AsmObject *image = with_lines("a\n.s");
    int calls;
    char *text = with_source(image, &calls);
    cr_expect_str_eq(text, "\n        .section .text,onchip,code\n"
                           "        .org    0x00100\n"
                           "; a\\x0A.s:3 text 3\n; a\\x0A.s:4 text 4\n"
                           "; a\\x0A.s:5 text 5\n; a\\x0A.s:6 text 6\n"
                           "; a\\x0A.s:7 text 7\n; a\\x0A.s:8 text 8\n"
                           "        nop                                      ; 00100 "
                           "C00000000\n"
                           "        nop\n"
                           "        nop                                      ; 00101 "
                           "C00000000\n"
                           "; a\\x0A.s:9 text 9\n"
                           "        nop\n"
                           "; a\\x0A.s:3 text 3\n"
                           "        nop                                      ; 00102 "
                           "C00000000\n"
                           "        nop\n"
                           "\n        .section .data,onchip,data\n"
                           "        .org    0x00200\n"
                           "; a\\x0A.s:3 text 3\n"
                           "        .space  4,INT:5                          ; 00200 "
                           "100000005\n"
                           "; a\\x0A.s:10 text 10\n"
                           "        .space  4,INT:5                          ; 00204 "
                           "100000005\n"
                           "        .word   INT:5                            ; 00208 "
                           "100000005\n");
    AsmObject *again = linked(assembled(text), NULL);
    same_memory(image, again);
    asm_object_free(again);
    free(text);
    asm_object_free(image);
}

Test(objdump, source_that_cannot_be_read) {
    AsmObject *image = with_lines("none");
    int calls;
    char *text = with_source(image, &calls);
    cr_expect_gt(calls, 0);
    cr_expect_null(strstr(text, "none"), "%s", text);
    free(text);
    asm_object_free(image);
}

/* Objects: relocations become symbols again, so that they link as before. */
Test(objdump, an_object_comes_back_with_its_relocations) {
    AsmObject *object = assembled(program);
    char *text = disassembly(object);
    cr_expect_not_null(strstr(text, ".word   INT:shared"));
    AsmObject *again = linked(assembled(text), assembled(other));
    AsmObject *image = linked(object, assembled(other));
    same_memory(image, again);
    free(text);
    asm_object_free(image);
    asm_object_free(again);
}

Test(objdump, every_instruction_pattern_comes_back) {
    AsmObject *image = asm_object_new();
    image->image = true;
    const int section =
        asm_object_add_section(image, "all", ASM_OBJECT_PLACE_EXTERNAL, true);
    image->sections[section].address = 0x2000;
    for (uint32_t i = 0; i < JM_DECODE_PATTERNS; i++) {
        if (jm_is_canonical(i))
            asm_object_append_word(image, section, jm_instruction_word(i, i));
        else if (i % 16 == 0) /* numbers, all alike */
            asm_object_append_word(image, section, jm_instruction_word(i, 0));
    }
    comes_back(image);
    asm_object_free(image);
}

Test(objdump, any_words_come_back) {
    AsmObject *image = asm_object_new();
    JmRng rng = jm_rng(7);
    image->image = true;
    for (int i = 0; i < 3; i++) {
        const int section =
            asm_object_add_section(image, "random", ASM_OBJECT_PLACE_EXTERNAL, i == 0);
        image->sections[section].address = 0x2000 + 3000 * i;
        for (int n = 0; n < 3000; n++)
            asm_object_append_word(image, section,
                                   (JmWord){jm_rng_next(&rng) & JM_WORD_MASK});
    }
    comes_back(image);
    asm_object_free(image);
}

/* A name that can be assembled is unchanged, whatever letters it begins with. */
Test(objdump, good_names_stay) {
    static const char *const names[] = {"alpha", "zeta", "Alpha",        "Zeta",
                                        "_x",    "_09",  "a.b$c_azAZ09", "moved"};
    AsmObject *image = sample_image();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        asm_object_add_symbol(image, names[i], ASM_OBJECT_ABSOLUTE, (int64_t)i, true);
    char *text = disassembly_with(image, &(AsmDisassembleOptions){.equates = true});
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, " .equ    %s,%zu\n", names[i], i);
        cr_expect_not_null(strstr(text, line), "%s in:\n%s", names[i], text);
    }
    free(text);
    asm_object_free(image);
}

/* The name of a register, an instruction or a tag is replaced, including the first. */
Test(objdump, reserved_names_are_changed) {
    const char *const names[] = {jm_reg_name(0), "r3",  "ip",    jm_op_info(0)->name,
                                 "add",          "bz",  "moved", jm_tag_name(0),
                                 "int",          "nil", "local", "tag_x"};
    AsmObject *image = sample_image();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        asm_object_add_symbol(image, names[i], ASM_OBJECT_ABSOLUTE, (int64_t)i, true);
    char *text = disassembly_with(image, &(AsmDisassembleOptions){.equates = true});
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *front = strcmp(names[i], "moved") == 0 ? "" : "name";
        char line[64];
        snprintf(line, sizeof line, " .equ    %s%s,%zu\n", front, names[i], i);
        cr_expect_not_null(strstr(text, line), "%s in:\n%s", names[i], text);
    }
    free(text);
    asm_object_free(image);
}

/* Names that mean something else, or nothing, to the assembler. */
Test(objdump, odd_names_come_back) {
    static const char *const names[] = {
        "r0",      "add",  ".x",   "",        "1st", "a b",      "a\nb",  "nil",
        "INT",     "p",    "ip",   "move",    "a'b", "\"",       "$",     "L_00103",
        "L_00103", "name", "name", "tag_int", "@x",  "\303\244", "local", "end;"};
    AsmObject *image = sample_image();
    const JmWord back =
        jm_instruction_word(JM_OP_BR << 11 | 0x20, JM_OP_BR << 11 | 0x21);
    asm_object_append_word(image, 1, back);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        asm_object_add_symbol(image, names[i], 1, 0x100 + (int64_t)i % 9, i % 2);
        asm_object_add_symbol(image, names[i], ASM_OBJECT_ABSOLUTE, (int64_t)i - 3,
                              i % 3 == 0);
        asm_object_add_symbol(image, names[i], 0, 0x1000,
                              false); /* beside its section */
    }
    static const char *const sections[] = {
        "odd \"name\"\n;", "1st", "$", ".", ".5", "\t"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        free(image->sections[0].name);
        image->sections[0].name = strdup(sections[i]);
        comes_back(image);
    }
    asm_object_free(image);
}

/* ---- binutils -------------------------------------------------------------------- */

/* Runs `command` on a file; it must succeed and not write to standard error. Without
 * binutils there is no comparison. */
static void reads_cleanly(const char *program_name, const char *options,
                          const char *path) {
    char command[512];
    snprintf(command, sizeof command, "command -v %s >/dev/null", program_name);
    if (system(command) != 0)
        return;
    snprintf(command, sizeof command, "%s %s %s 2>&1 >/dev/null", program_name, options,
             path);
    FILE *errors = popen(command, "r");
    char line[256] = "";
    cr_expect_null(fgets(line, sizeof line, errors), "%s: %s", program_name, line);
    cr_expect_eq(pclose(errors), 0, "%s fails", program_name);
}

static void is_clean(AsmObject *object, const char *name) {
    JmError error;
    const char *path = scratch_path(name);
    cr_assert(asm_object_write(object, path, &error), "%s", error.text);
    reads_cleanly("readelf", "-aW", path);
    reads_cleanly("nm", "", path);
    reads_cleanly("size", "", path);
    unlink(path);
    asm_object_free(object);
}

Test(binutils, read_objects_and_images) {
    is_clean(sample_object(), "sample.o");
    is_clean(sample_image(), "sample.elf");
    is_clean(assembled(program), "program.o");
    is_clean(linked(assembled(program), assembled(other)), "program.elf");
}
