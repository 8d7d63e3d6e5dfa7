/* The disassembler: its output, which must assemble back. binutils read the files. */
#include "asm/asm.h"
#include "emu/core/rng.h"
#include "emu/isa/isa.h"
#include "tests/asm/assembling.h"
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
    AsmObject *again = linked(assembled_as("x.s", text), NULL);
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
    AsmObject *image = linked(assembled_as("x.s", program), assembled_as("x.s", other));
    comes_back(image);
    asm_object_free(image);
}

/* Objects: relocations become symbols again, so that they link as before. */
Test(objdump, an_object_comes_back_with_its_relocations) {
    AsmObject *object = assembled_as("x.s", program);
    char *text = disassembly(object);
    cr_expect_not_null(strstr(text, ".word   INT:shared"));
    AsmObject *again = linked(assembled_as("x.s", text), assembled_as("x.s", other));
    AsmObject *image = linked(object, assembled_as("x.s", other));
    same_memory(image, again);
    free(text);
    asm_object_free(image);
    asm_object_free(again);
}

/* A relocation that the instruction's operand cannot have makes the word data. */
Test(objdump, operands_that_no_relocation_fits) {
    static const struct {
        JmOp op;
        unsigned operand;
        const char *name;
        AsmObjectRelocType type;
        bool fits;
    } cases[] = {{JM_OP_BR, 0x20, "br ", ASM_OBJECT_RELOC_BRANCH_L, true},
                 {JM_OP_BR, 0x20, "br ", ASM_OBJECT_RELOC_OFFSET_L, false},
                 {JM_OP_READ, 0x41, "move ", ASM_OBJECT_RELOC_OFFSET_L, true},
                 {JM_OP_READ, 0x41, "move ", ASM_OBJECT_RELOC_IMM_L, false},
                 {JM_OP_READ, 0x20, "move ", ASM_OBJECT_RELOC_IMM_L, true},
                 {JM_OP_READ, 0x20, "move ", ASM_OBJECT_RELOC_BRANCH_L, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AsmObject *object = asm_object_new();
        const int section =
            asm_object_add_section(object, "s", ASM_OBJECT_PLACE_ONCHIP, true);
        const uint32_t half = (uint32_t)cases[i].op << 11 | cases[i].operand;
        append_word(object, section, jm_instruction_word(half, half));
        asm_object_add_reloc(
            object,
            (AsmObjectReloc){.section = section,
                             .type = cases[i].type,
                             .symbol = asm_object_add_symbol(
                                 object, "there", ASM_OBJECT_UNDEFINED, 0, true),
                             .file = -1});
        char *text = disassembly(object);
        cr_expect_eq(strstr(text, cases[i].name) != NULL, cases[i].fits, "%zu:\n%s", i,
                     text);
        free(text);
        asm_object_free(object);
    }
}

Test(objdump, every_instruction_pattern_comes_back) {
    AsmObject *image = asm_object_new();
    image->image = true;
    const int section =
        asm_object_add_section(image, "all", ASM_OBJECT_PLACE_EXTERNAL, true);
    image->sections[section].address = 0x2000;
    for (uint32_t i = 0; i < JM_DECODE_PATTERNS; i++) {
        if (jm_is_canonical(i))
            append_word(image, section, jm_instruction_word(i, i));
        else if (i % 16 == 0) /* numbers, all alike */
            append_word(image, section, jm_instruction_word(i, 0));
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
            append_word(image, section, (JmWord){jm_rng_next(&rng) & JM_WORD_MASK});
    }
    comes_back(image);
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
    append_word(image, 1, back);
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
    const char *path = scratch_path(name);
    write_object(object, path);
    reads_cleanly("readelf", "-aW", path);
    reads_cleanly("nm", "", path);
    reads_cleanly("size", "", path);
    unlink(path);
    asm_object_free(object);
}

Test(binutils, read_objects_and_images) {
    is_clean(sample_object(), "sample.o");
    is_clean(sample_image(), "sample.elf");
    is_clean(assembled_as("x.s", program), "program.o");
    is_clean(linked(assembled_as("x.s", program), assembled_as("x.s", other)),
             "program.elf");
}
