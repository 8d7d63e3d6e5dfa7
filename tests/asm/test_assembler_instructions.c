/* Instructions: every canonical pattern, the choice made by move, packing, branches. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/asm/assembling.h"

#define NOP 0

/* The instruction of one line in the high half. */
static uint32_t one(const char *line) {
    AsmObject *object = assembled(line);
    const JmWord word = word_of(object, ".text", 0);
    cr_assert_eq(jm_instruction(word, 1), NOP, "%s", line);
    asm_object_free(object);
    return jm_instruction(word, 0);
}

static void check_same(const char *a, const char *b) {
    cr_assert_eq(one(a), one(b), "%s / %s", a, b);
}

/* Text of all canonical patterns whose opcode is `op`, one line each. */
static char *texts_of(unsigned op, uint32_t *patterns, int *count) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    *count = 0;
    for (uint32_t low = 0; low < 1 << 11; low++) {
        const uint32_t pattern = op << 11 | low;
        char line[64];
        if (!jm_is_canonical(pattern))
            continue;
        jm_disassemble(pattern, line, sizeof line);
        fprintf(out, " %s\n", line);
        patterns[(*count)++] = pattern;
    }
    fclose(out);
    return text;
}

/* The whole instruction set: what the disassembler prints assembles to the same bits.
 */
Test(assembler_instructions, every_canonical_pattern) {
    static uint32_t patterns[1 << 11];
    int total = 0;
    for (unsigned op = 0; op < JM_OP_COUNT; op++) {
        int count;
        char *text = texts_of(op, patterns, &count);
        cr_assert_eq(count > 0, jm_op_info(op)->name != NULL, "opcode %02x", op);
        AsmObject *object = count > 0 ? assembled(text) : NULL;
        for (int i = 0; i < count; i++) {
            const JmWord word = word_of(object, ".text", (uint32_t)i / 2);
            cr_assert_eq(jm_instruction(word, (unsigned)i % 2), patterns[i],
                         "opcode %02x, pattern %05x", op, patterns[i]);
        }
        total += count;
        asm_object_free(object);
        free(text);
    }
    cr_assert_gt(total, 40000);
}

Test(assembler_instructions, case_and_blanks_do_not_matter) {
    check_same(" add r1,[2,a3],r0", "\tADD\tR1 , [ 2 , A3 ] , R0 ; comment");
    check_same(" move ip,r0", "Move IP,r0");
}

Test(assembler_instructions, move_chooses_by_its_operands) {
    check_same(" move r0,r1", " read r0,r1");
    check_same(" move a1,r0", " read a1,r0");
    check_same(" move [5,a1],r0", " read [5,a1],r0");
    check_same(" move -64,r0", " read -64,r0");
    check_same(" move NIL,r2", " read nil,r2");
    check_same(" move r3,[63,a1]", " write r3,[63,a1]");
    check_same(" move r3,[r1,a1]", " write r3,[r1,a1]");
    check_same(" move r0,a1", " writer r0,a1");
    check_same(" move r0,qbm", " writer r0,qbm");
    check_same(" move nnr,r0", " readr nnr,r0");
    check_same(" move a2'p,r0", " readr a2'p,r0");
    check_same(" move r1,fip'bp", " writer r1,fip'pb");
}

Test(assembler_instructions, register_mode_bits) {
    cr_assert_eq(jm_decode(one(" readr fip,r0")).reg, 0x0C);
    cr_assert_eq(jm_decode(one(" readr fip'p,r0")).reg, 0x2C);
    cr_assert_eq(jm_decode(one(" readr fip'b,r0")).reg, 0x4C);
    cr_assert_eq(jm_decode(one(" ldipr fip'bp")).reg, 0x6C);
}

Test(assembler_instructions, a_bare_offset_is_of_a0) {
    check_same(" move [7],r0", " move [7,a0],r0");
    check_same(" move [r2],r0", " move [r2,a0],r0");
}

Test(assembler_instructions, constants_by_value) {
    check_same(" and r0,0xFF,r1", " and r0,INT:FF,r1");
    check_same(" and r0,0x3ff,r1", " and r0,INT:3FF,r1");
    check_same(" and r0,65535,r1", " and r0,INT:FFFF,r1");
    check_same(" and r0,(1<<20)-1,r1", " and r0,INT:FFFFF,r1");
    check_same(" and r0,0x80000000,r1", " and r0,INT:80000000,r1");
    check_same(" and r0,-0x80000000,r1", " and r0,int:80000000,r1");
    check_same(" and r0,INT:15,r1", " and r0,15,r1");
    cr_assert_eq(jm_decode(one(" eq r0,true,r1")).mode, JM_MODE_CONSTANT);
}

Test(assembler_instructions, names_of_tags_as_numbers) {
    check_same(" wtag r0,ADDR,r1", " wtag r0,3,r1");
    check_same(" check r0,inst3,r1", " check r0,15,r1");
    check_same(" check r0,IP,r1", " check r0,4,r1");
    check_same(" add r0,TAG_CFUT,r1", " add r0,6,r1");
}

Test(assembler_instructions, sends_keep_the_priority_in_op2) {
    cr_assert_eq(jm_decode(one(" send r0,1")).rd, 1);
    cr_assert_eq(jm_decode(one(" sende [63,a3],0")).rd, 0);
    cr_assert_eq(jm_decode(one(" send2e 5,r3,2-1")).rd, 1);
    cr_assert_eq(jm_decode(one(" send2 5,r3,0")).rs, 3);
    AsmObject *object = assembled(" send r0,1\n send2e 5,r3,1");
    cr_assert_eq(jm_decode(jm_instruction(word_of(object, ".text", 0), 1)).rd, 1);
    asm_object_free(object);
}

/* Two to a word, high first; labels, constants and .align start a new word. */
Test(assembler_instructions, packing) {
    const uint32_t inval = jm_encode_fields(JM_OP_INVAL, 0, 0, 0);
    const uint32_t suspend = jm_encode_fields(JM_OP_SUSPEND, 0, 0, 0);
    const JmWord words[] = {
        jm_instruction_word(inval, suspend), jm_instruction_word(inval, NOP),
        jm_instruction_word(suspend, inval), jm_word(JM_TAG_SYM, 7),
        jm_instruction_word(inval, NOP),     jm_instruction_word(NOP, NOP),
        jm_instruction_word(NOP, NOP),       jm_instruction_word(NOP, NOP),
        jm_instruction_word(suspend, NOP)};
    check_text(" inval\n suspend\n inval\nl: m: suspend\n inval\n .word SYM:7\n"
               " inval\n .align 4\n suspend\n",
               9, words);
}

Test(assembler_instructions, branches_count_from_the_next_word) {
    AsmObject *object = assembled("a: br ^b\n nop\n bz r1,^a\n br ^.\n b: br ^b\n"
                                  " br ^a+1\n br -3\n br r1\n br [1,a2]\n");
    const struct {
        uint32_t word;
        unsigned phase;
        int distance;
    } expected[] = {{0, 0, 1},  {1, 0, -2}, {1, 1, -1},
                    {2, 0, -1}, {2, 1, -2}, {3, 0, -3}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const JmWord word = word_of(object, ".text", expected[i].word);
        const JmDecoded d = jm_decode(jm_instruction(word, expected[i].phase));
        cr_assert_eq(d.mode, JM_MODE_IMMEDIATE);
        cr_assert_eq(d.value, expected[i].distance, "branch %zu: %d", i, d.value);
    }
    cr_assert_eq(object->reloc_count, 0);
    asm_object_free(object);
}

Test(assembler_instructions, branches_reach_64_back_and_63_on) {
    AsmObject *object = assembled("a: .space 63\n br ^a\n br ^b\n .space 63\nb: nop");
    const JmWord word = word_of(object, ".text", 63);
    cr_assert_eq(jm_decode(jm_instruction(word, 0)).value, -64);
    cr_assert_eq(jm_decode(jm_instruction(word, 1)).value, 63);
    asm_object_free(object);
    check_message("a: .space 64\n br ^a", "t.s:2:6: error: branch target is -65 words");
    check_message(" br ^b\n .space 64\nb: nop",
                  "t.s:1:6: error: branch target is 64 words");
}

Test(assembler_instructions, relocations_of_operands) {
    static const struct {
        const char *line;
        AsmObjectRelocType type;
    } rows[] = {{" move ext+2,r0", ASM_OBJECT_RELOC_IMM_H},
                {" nop\n move ext+2,r0", ASM_OBJECT_RELOC_IMM_L},
                {" add r0,[ext+2,a1],r0", ASM_OBJECT_RELOC_OFFSET_H},
                {" nop\n add r0,[ext+2,a1],r0", ASM_OBJECT_RELOC_OFFSET_L},
                {" br ^ext+2", ASM_OBJECT_RELOC_BRANCH_H},
                {" nop\n bz r0,^ext+2", ASM_OBJECT_RELOC_BRANCH_L}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[128];
        snprintf(source, sizeof source, " .extern ext\n%s", rows[i].line);
        AsmObject *object = assembled(source);
        const AsmObjectReloc *reloc = only_reloc(object);
        cr_assert_eq(reloc->type, rows[i].type, "%s", source);
        cr_assert_eq(reloc->addend, 2);
        cr_assert_str_eq(object->symbols[reloc->symbol].name, "ext");
        cr_assert_eq(object->symbols[reloc->symbol].section, ASM_OBJECT_UNDEFINED);
        asm_object_free(object);
    }
}

Test(assembler_instructions, branch_into_another_section_is_relocated) {
    AsmObject *object = assembled(" br ^there\n .ext\n nop\nthere: nop");
    const AsmObjectReloc *reloc = only_reloc(object);
    cr_assert_eq(reloc->type, ASM_OBJECT_RELOC_BRANCH_H);
    cr_assert_eq(reloc->addend, 0);
    cr_assert_str_eq(object->symbols[reloc->symbol].name, "there");
    asm_object_free(object);
}

Test(assembler_instructions, branch_to_an_address) {
    AsmObject *object = assembled(" .org 0x200\n br ^0x210");
    cr_assert_eq(jm_decode(jm_instruction(word_of(object, ".text", 0), 0)).value, 15);
    asm_object_free(object);
    object = assembled(" br ^0x210");
    const AsmObjectReloc *reloc = only_reloc(object);
    cr_assert_eq(object->symbols[reloc->symbol].section, ASM_OBJECT_ABSOLUTE);
    cr_assert_eq(object->symbols[reloc->symbol].value + reloc->addend, 0x210);
    asm_object_free(object);
}
