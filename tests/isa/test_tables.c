/* The instruction tables and what is generated from them. */
#include "emu/isa/isa.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void text_is(uint32_t instruction, const char *expected) {
    char text[64];
    const int length = jm_disassemble(instruction, text, sizeof text);
    cr_expect_str_eq(text, expected);
    cr_expect_eq((size_t)length, strlen(expected));
}

Test(tables, names_of_opcodes_are_whole_words_of_any_case) {
    cr_expect_eq(jm_op_by_name("send2e rest", 6), JM_OP_SEND2E);
    cr_expect_eq(jm_op_by_name("sEnD", 4), JM_OP_SEND);
    cr_expect_eq(jm_op_by_name("sen", 3), -1);
    cr_expect_eq(jm_op_by_name("sends", 5), -1);
    cr_expect_eq(jm_op_by_name("", 0), -1);
}

/* The memory accessed besides the operand agrees with the register transfer. */
Test(tables, memory_is_that_of_the_register_transfer) {
    static const struct {
        const char *text;
        JmOpMemory memory;
    } says[] = {{"table[Rs]", JM_MEMORY_ROW_OF_RS},
                {"table[op0]", JM_MEMORY_ROW_OF_OP0},
                {"memory[", JM_MEMORY_CALL_VECTOR}};
    for (unsigned op = 0; op < JM_OP_COUNT; op++) {
        const JmOpInfo *info = jm_op_info(op);
        JmOpMemory memory = JM_MEMORY_NONE;
        for (unsigned i = 0; info->name && i < sizeof says / sizeof *says; i++)
            if (strstr(info->transfer, says[i].text))
                memory = says[i].memory;
        cr_expect_eq(info->memory, memory, "%s", info->name ? info->name : "none");
    }
}

/* No two instructions do the same, so no two register transfers read the same. */
Test(tables, every_instruction_has_its_own_register_transfer) {
    for (unsigned op = 0; op < JM_OP_COUNT; op++)
        for (unsigned other = 0; other < op && jm_op_info(op)->name; other++)
            if (jm_op_info(other)->name)
                cr_expect_str_neq(jm_op_info(op)->transfer, jm_op_info(other)->transfer,
                                  "%s and %s", jm_op_info(op)->name,
                                  jm_op_info(other)->name);
}

Test(tables, undefined_opcodes_have_a_row_without_a_name) {
    const JmOpInfo *info = jm_op_info(0x0D);
    cr_expect_null(info->name);
    cr_expect_eq(info->form, JM_FORM_NONE);
    cr_expect_eq(info->faults, JM_FAULT_BIT(JM_FAULT_ILGINST));
}

/* In the order of the architecture manual, version 11. */
Test(tables, faults_have_the_published_numbers) {
    static const char *const names[] = {
        "CATASTROPHE", "INTERRUPT", "QUEUE", "SEND",  "ILGINST",  "DRAMERR", "INVADR",
        "LIMIT",       "EARLY",     "MSG",   "XLATE", "OVERFLOW", "CFUT",    "FUT",
        "TAG8",        "TAG9",      "TAGA",  "TAGB",  "TYPE"};
    cr_assert_eq(sizeof names / sizeof *names, JM_FAULT_COUNT);
    for (unsigned i = 0; i < JM_FAULT_COUNT; i++)
        cr_expect_str_eq(jm_fault_name((JmFault)i), names[i]);
}

/* The key of a fault class is the fault's own name in lower case. */
Test(tables, fault_classes_are_named_after_their_faults) {
    for (unsigned fault = 0; fault < JM_FAULT_COUNT; fault++) {
        const char *key = jm_class_key(JM_CLASS_FAULT + fault);
        const char *name = jm_fault_name(fault);
        cr_assert_eq(strncmp(key, "fault_", 6), 0);
        cr_assert_eq(strlen(key), strlen(name) + 6);
        for (size_t i = 0; name[i]; i++)
            cr_expect_eq(key[6 + i] & ~0x20, name[i] & ~0x20, "%s", key);
    }
}

Test(decode, every_pattern_decodes_and_encodes_to_its_canonical_form) {
    for (uint32_t i = 0; i < JM_DECODE_PATTERNS; i++) {
        const JmDecoded decoded = jm_decode(i);
        const uint32_t canonical = jm_encode(&decoded);
        const JmDecoded again = jm_decode(canonical);
        cr_assert_eq(decoded.op, i >> 11);
        cr_assert_eq(memcmp(&decoded, &again, sizeof again), 0, "pattern %05x", i);
        if (jm_is_canonical(i))
            cr_assert_eq(canonical, i, "pattern %05x", i);
    }
}

Test(decode, what_can_only_fault_is_not_canonical) {
    cr_expect_not(jm_is_canonical(jm_encode_fields(0x0D, 0, 0, 0))); /* no opcode */
    cr_expect_not(jm_is_canonical(jm_encode_fields(JM_OP_NOP, 0, 0, 1)));
    cr_expect_not(jm_is_canonical(jm_encode_fields(JM_OP_WRITE, 0, 0, 0x21)));
    cr_expect_not(jm_is_canonical(jm_encode_fields(JM_OP_XLATE, 0, 0, 0x21)));
    cr_expect_not(jm_is_canonical(jm_encode_fields(JM_OP_READR, 0, 0, 0x16)));
    cr_expect_not(jm_is_canonical(jm_encode_fields(JM_OP_SEND, 2, 0, 0x21)));
    cr_expect(jm_is_canonical(jm_encode_fields(JM_OP_XLATE, 0, 3, 0x07)));
}

Test(decode, operands_of_every_mode) {
    JmDecoded d = jm_decode(jm_encode_fields(JM_OP_READ, 1, 3, 0x20 | 0x1F));
    cr_expect_eq(d.mode, JM_MODE_IMMEDIATE);
    cr_expect_eq(d.value, -1); /* {ext 3, 31}: seven bits, all ones */
    cr_expect_eq(d.rd, 1);
    d = jm_decode(jm_encode_fields(JM_OP_READ, 0, 1, 0x20 | 0x1F));
    cr_expect_eq(d.value, 63);
    d = jm_decode(jm_encode_fields(JM_OP_READ, 0, 2, 0x20));
    cr_expect_eq(d.value, -64);
    d = jm_decode(jm_encode_fields(JM_OP_ADD, 0, 0, 0x20 | 0x10));
    cr_expect_eq(d.value, -16); /* no extension: five bits */
    d = jm_decode(jm_encode_fields(JM_OP_WRITE, 3, 2, 0x40 | 15 << 2 | 1));
    cr_expect_eq(d.mode, JM_MODE_OFFSET);
    cr_expect_eq(d.value, 63);
    cr_expect_eq(d.areg, 1);
    cr_expect_eq(d.rs, 2);
    d = jm_decode(jm_encode_fields(JM_OP_ADD, 0, 0, 0x10 | 2 << 2 | 3));
    cr_expect_eq(d.mode, JM_MODE_INDEXED);
    cr_expect_eq(d.reg, 2);
    cr_expect_eq(d.areg, 3);
    d = jm_decode(jm_encode_fields(JM_OP_SENDE, 1, 2, 0x40 | 1 << 2 | 3));
    cr_expect_eq(d.rd, 1); /* the priority */
    cr_expect_eq(d.value, 2 << 4 | 1);
}

Test(decode, ranges_follow_the_extension_field) {
    cr_expect_eq(jm_immediate_min(JM_FORM_BR), -64);
    cr_expect_eq(jm_immediate_max(JM_FORM_BR), 63);
    cr_expect_eq(jm_offset_max(JM_FORM_O_D), 63);
    cr_expect_eq(jm_immediate_min(JM_FORM_S_O_D), -16);
    cr_expect_eq(jm_immediate_max(JM_FORM_S_O_D), 15);
    cr_expect_eq(jm_offset_max(JM_FORM_O_S_P), 15);
}

Test(decode, constants_are_the_published_ones) {
    static const uint64_t expected[8] = {
        0x000000000, 0x200000000, 0x200000001, 0x180000000,
        0x1000000FF, 0x1000003FF, 0x10000FFFF, 0x1000FFFFF,
    };
    for (unsigned i = 0; i < 8; i++)
        cr_expect_eq(jm_operand_constant(i).bits, expected[i]);
}

Test(print, instructions_read_as_the_assembler_writes_them) {
    text_is(jm_encode_fields(JM_OP_ADD, 2, 2, 0x40 | 3 << 2 | 1), "add r2,[3,a1],r2");
    text_is(jm_encode_fields(JM_OP_SEND2, 0, 3, 0x40 | 3), "send2 [0,a3],r3,0");
    text_is(jm_encode_fields(JM_OP_SENDE, 1, 0, 0x40 | 2 << 2 | 3), "sende [2,a3],1");
    text_is(jm_encode_fields(JM_OP_BZ, 3, 3, 0x20 | 0x1E), "bz r3,-2");
    text_is(jm_encode_fields(JM_OP_SUSPEND, 0, 0, 0), "suspend");
    text_is(jm_encode_fields(JM_OP_XLATE, 0, 1, 0x06), "xlate r1,a2");
    text_is(jm_encode_fields(JM_OP_LDIPR, 0, 0, JM_REG_FIP), "ldipr fip");
    text_is(jm_encode_fields(JM_OP_OR, 1, 0, 0x09), "or r0,false,r1");
    text_is(jm_encode_fields(JM_OP_AND, 1, 0, 0x0D), "and r0,0x3FF,r1");
    text_is(jm_encode_fields(JM_OP_ADD, 1, 0, 0x1B), "add r0,[r2,a3],r1");
    text_is(0x0D << 11, "op 0x0d");
}

Test(print, move_stands_where_it_assembles_back) {
    text_is(jm_encode_fields(JM_OP_READ, 2, 0, 0x01), "move r1,r2");
    text_is(jm_encode_fields(JM_OP_READ, 2, 0, 0x05), "move a1,r2");
    text_is(jm_encode_fields(JM_OP_READR, 2, 0, JM_REG_R1), "readr r1,r2");
    text_is(jm_encode_fields(JM_OP_READR, 2, 0, JM_REG_A1), "readr a1,r2");
    text_is(jm_encode_fields(JM_OP_READR, 2, 0, JM_REG_NNR), "move nnr,r2");
    text_is(jm_encode_fields(JM_OP_READR, 2, 0, JM_REG_OTHER_PRIORITY | JM_REG_R1),
            "move r1'p,r2");
    text_is(jm_encode_fields(JM_OP_WRITER, 0, 2, JM_REG_R1), "writer r2,r1");
    text_is(jm_encode_fields(JM_OP_WRITER, 0, 2, JM_REG_A1), "move r2,a1");
    text_is(jm_encode_fields(JM_OP_WRITER, 0, 2, JM_REG_OTHER_CONTEXT | JM_REG_IP),
            "move r2,ip'b");
    text_is(jm_encode_fields(JM_OP_WRITER, 0, 2,
                             JM_REG_OTHER_PRIORITY | JM_REG_OTHER_CONTEXT | JM_REG_R1),
            "move r2,r1'bp");
    text_is(jm_encode_fields(JM_OP_WRITE, 0, 2, 0x41), "move r2,[0,a1]");
    text_is(jm_encode_fields(JM_OP_WRITE, 0, 2, 0x01), "write r2,r1");
}

Test(print, words_and_short_buffers) {
    char text[16];
    cr_expect_eq(jm_word_print(jm_int(42), text, sizeof text), 12);
    cr_expect_str_eq(text, "INT:0000002A");
    jm_word_print(jm_word(0xF, 0xABCDEF01), text, sizeof text);
    cr_expect_str_eq(text, "INST3:ABCDEF01");
    cr_expect_eq(jm_word_print(jm_int(42), text, 4), 12);
    cr_expect_str_eq(text, "INT");
    cr_expect_eq(jm_disassemble(JM_OP_SUSPEND << 11, text, 0), 7);
    cr_expect_eq(jm_disassemble(JM_OP_SUSPEND << 11, text, 4), 7);
    cr_expect_str_eq(text, "sus");
}
