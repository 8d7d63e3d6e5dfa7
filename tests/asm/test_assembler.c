/* The assembler against independent references: expressions against the C compiler,
 * refused registers against the machine. test_objdump.c has the instructions,
 * tests/recorded/asm-*.cases other statements and what is refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"
#include "tests/asm/assembling.h"

/* ---- expressions ----------------------------------------------------------------- */

static void check_value(const char *expression, int64_t value) {
    char source[256];
    snprintf(source, sizeof source,
             " .if (%s) != %lld\n .error \"x\"\n .endif\n .word %s", expression,
             (long long)value, expression);
    AsmObject *object = assembled(source);
    cr_assert_eq((int32_t)jm_data(word_of(object, ".text", 0)), (int32_t)value, "%s",
                 expression);
    asm_object_free(object);
}

Test(assembler, as_in_c) {
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
#define ROW(expression) {#expression, (expression)}
        ROW(1 + 2 * 3),
        ROW((1 + 2) * 3),
        ROW(10 - 4 - 3),
        ROW(-7 / 2),
        ROW(-7 % 3),
        ROW(1 << 4 >> 2),
        ROW(~5 & 0xFF),
        ROW(!0 + !7),
        ROW(- -5),
        ROW(5 > 4 ? 10 : 20),
        ROW(0   ? 1
            : 0 ? 2
                : 3),
        ROW('A' + 1),
        ROW('\n'),
        ROW(-8 >> 1),
#undef ROW
        {"1 + 1 << 3", 16}, /* compilers warn of these */
        {"0xF0 | 0x0F & 0x3C ^ 0x11", 0xFD},
        {"6 ^ 3 & 5", 7}, /* & before ^ before |, each the other way round too */
        {"3 & 5 ^ 6", 7},
        {"6 | 3 ^ 2", 7},
        {"2 ^ 3 | 1", 1},
        {"4 | 1 && 0", 0},
        {"2 & 6 == 6", 0}, /* comparisons before & */
        {"1 == 3 > 2", 1},
        {"1 << 2 < 3", 0},
        {"1 || 0 && 0", 1},
        {"2 * 7 % 4", 2},
        {"7 % 4 * 2", 6},
        {"3 < 4 == 1", 1},
        {"4 <= 3 || 3 >= 3 && 2 != 2", 0},
        {"0b1011", 11},
        {"0o17", 15},
        {"0xdead_beef & 0xffff", 0xbeef},
        {"1_000", 1000},
        {"010", 10},
        {"TAG_INST3", 15},
        {"(-1 << 63) >> 62", -2},
        {"(1 << 62) >> 61", 2},
        {"(0 << 63) + 1", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_value(rows[i].text, rows[i].value);
}

/* ---- instructions ---------------------------------------------------------------- */

/* Whether a WRITER to register `n` faults ILGINST on a machine. */
static bool write_faults(unsigned n) {
    const JmConfig config = jm_config_default();
    JmMachine *machine = jm_create(&config, NULL);
    JmNodeStatistics statistics = {0};
    const uint32_t writer = jm_encode_fields(JM_OP_WRITER, 0, 1, n);
    jm_write(machine, 0, 0x1000, jm_instruction_word(writer, 0));
    jm_start(machine, 0);
    jm_run(machine, 20);
    jm_node_statistics(machine, 0, &statistics);
    jm_destroy(machine);
    return statistics.faults[JM_FAULT_ILGINST] > 0;
}

/* A register that the machine does not write is rejected in every form of write, and no
 * other is. */
Test(assembler, registers_that_cannot_be_written) {
    static const char *const forms[] = {" writer r1,%s", " move r1,%s",
                                        " writer r1,%s'bp"};
    unsigned refusals = 0;
    for (unsigned n = 0; n < 3 * JM_REG_COUNT; n++) {
        char source[64];
        const char *name = jm_reg_name(n / 3);
        if (!name || (n % 3 == 1 && n / 3 <= JM_REG_R3))
            continue; /* a move between data registers is a READ */
        snprintf(source, sizeof source, forms[n % 3], name);
        AsmResult result = asm_assemble(source, strlen(source), "t.s", NULL);
        cr_expect_eq(result.object == NULL, write_faults(n / 3), "%s", source);
        refusals += result.object == NULL;
        asm_result_free(&result);
    }
    cr_expect_eq(refusals, 3);
}

/* ---- sources --------------------------------------------------------------------- */

Test(assembler, hostile_bytes) {
    const char zero[] = " nop\0nop\n";
    AsmResult result = asm_assemble(zero, sizeof zero - 1, "t.s", NULL);
    cr_assert_null(result.object);
    cr_assert_str_eq(result.diagnostics, "t.s:1:5: error: unexpected byte 0x00\n"
                                         " nop?nop\n    ^\n");
    asm_result_free(&result);
    const size_t length = 100000;
    char *text = malloc(length);
    memset(text, 'x', length);
    result = asm_assemble(text, length, "t.s", NULL);
    cr_assert_not_null(strstr(result.diagnostics, "error: line is longer than 16384"));
    cr_assert_lt(strlen(result.diagnostics), 1000);
    asm_result_free(&result);
    free(text);
}
