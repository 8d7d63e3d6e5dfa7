/* Diagnostics: what is rejected, where, and with which message. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"
#include "tests/asm/assembling.h"

typedef struct {
    const char *source, *message;
} Row;

static void check_rows(const Row *rows, size_t count) {
    for (size_t i = 0; i < count; i++)
        check_message(rows[i].source, rows[i].message);
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

/* The exact text: place, message, source line, caret; tabs are kept. */
Test(assembler_diagnostics, format) {
    char *text = refused("\tnop\n\tadd\tr0,[16,a1],r0 ; x\n");
    cr_assert_str_eq(text, "t.s:2:10: error: memory offset 16 is not in 0 .. 15\n"
                           "\tadd\tr0,[16,a1],r0 ; x\n"
                           "\t   \t    ^\n");
    free(text);
    text = refused("a: nop\na: nop\n");
    cr_assert_str_eq(text, "t.s:2:1: error: label 'a' is already defined\n"
                           "a: nop\n"
                           "^\n"
                           "t.s:1:1: note: first defined here\n");
    free(text);
}

Test(assembler_diagnostics, ranges) {
    static const Row rows[] = {
        {" add r0,16,r1", "t.s:1:9: error: immediate 16 is not in -16 .. 15"},
        {" add r0,-17,r1", "t.s:1:9: error: immediate -17 is not in -16 .. 15"},
        {" move 64,r1", "t.s:1:7: error: immediate 64 is not in -64 .. 63"},
        {" move far,r1\nfar = 1000", "t.s:1:7: error: immediate 1000"},
        {" move [64,a0],r1", "t.s:1:8: error: memory offset 64 is not in 0 .. 63"},
        {" add r0,[-1,a0],r1", "t.s:1:10: error: memory offset -1 is not in 0 .. 15"},
        {" move r0,[64,a0]", "t.s:1:11: error: memory offset 64 is not in 0 .. 63"},
        {" send r0,2", "t.s:1:10: error: priority 2 is not in 0 .. 1"},
        {" .word 0x100000000", "t.s:1:8: error: value 4294967296 is not in"},
        {" .word SYM:-0x80000001", "t.s:1:12: error: value -2147483649 is not in"},
        {" .addr 0x100000, 0",
         "t.s:1:8: error: address 1048576 is not in 0 .. 1048575"},
        {" .addr 0, 1024", "t.s:1:11: error: length 1024 is not in 0 .. 1023"},
        {" .ip -1", "t.s:1:6: error: address -1 is not in"},
        {" br 1000", "t.s:1:5: error: immediate 1000 is not in -64 .. 63"},
    };
    CHECK_ROWS(rows);
}

Test(assembler_diagnostics, operands) {
    static const Row rows[] = {
        {" move 5,[1,a0]", "t.s:1:7: error: no instruction moves this to memory"},
        {" move 5,a0", "t.s:1:7: error: no instruction moves this to an address or"},
        {" move a0,qbm", "t.s:1:7: error: no instruction moves this to an address or"},
        {" move r0,5", "t.s:1:10: error: the destination of move must be"},
        {" move r0", "t.s:1:2: error: move takes the operands source,destination"},
        {" add r0,r1", "t.s:1:2: error: add takes the operands Rs,op0,Rd"},
        {" add r0,1,r1,r2", "t.s:1:2: error: add takes the operands Rs,op0,Rd"},
        {" add r0,1,r1,r2,r3", "t.s:1:17: error: end of the statement expected"},
        {" suspend r0", "t.s:1:2: error: suspend takes no operands"},
        {" add 1,r0,r1", "t.s:1:6: error: this operand of add must be a data register"},
        {" add r0,1,a1",
         "t.s:1:11: error: this operand of add must be a data register"},
        {" add r0,ip,r1", "t.s:1:9: error: this operand of add must be no special"},
        {" write r0,r1", "t.s:1:11: error: this operand of write must be a memory"},
        {" write r0,5", "t.s:1:11: error: this operand of write must be a memory"},
        {" xlate r0,[1,a1]",
         "t.s:1:11: error: this operand of xlate must be a register"},
        {" probe r0,5", "t.s:1:11: error: this operand of probe must be a register"},
        {" readr 5,r0", "t.s:1:8: error: this operand of readr must be a register"},
        {" move ^x,r0\nx:", "t.s:1:7: error: this operand of move must be no branch"},
        {" send r0,r1", "t.s:1:10: error: this operand of send must be a priority"},
        {" .msg h,0\nh:", "t.s:1:9: error: length 0 is not in 1 .. 1023"},
        {" ldip h\nh:", "(.ip h)"},
        {" ldip h\n .extern h", "(.ip h)"},
        {" ldip 100", "(.ip 100)"},
        {" br x\nx:", "t.s:1:5: error: a branch to a label is written '^label'"},
        {" move [1,r2],r0", "t.s:1:10: error: an address register a0 .. a3 expected"},
        {" move [a1,3],r0",
         "t.s:1:8: error: a memory operand is [offset,aN] or [rN,aN]"},
        {" move [1,a0,r0", "t.s:1:12: error: ']' to close the '[' expected, not ','"},
        {" move #5,r0",
         "t.s:1:7: error: unexpected '#': immediates are written without"},
        {" move r0,",
         "t.s:1:10: error: an operand expected before the end of the line"},
        {" move r4,r0", "t.s:1:7: error: undefined symbol 'r4'"},
        {" move ip'x,r0", "t.s:1:7: error: after a register: 'p for the other"},
        {" add r0,1 r1", "t.s:1:11: error: ',' or the end of the statement expected"},
    };
    CHECK_ROWS(rows);
}

Test(assembler_diagnostics, symbols) {
    static const Row rows[] = {
        {" br ^nowhere", "t.s:1:6: error: undefined symbol 'nowhere' (declare it"},
        {" .word cuont\ncount = 1", "t.s:1:8: error: undefined symbol 'cuont'; did you "
                                    "mean 'count'?"},
        {" br ^.x", "t.s:1:6: error: undefined symbol '.x'"},
        {"a:\n.l:\nc: br ^.l", "t.s:3:8: error: undefined symbol 'c.l'"},
        {" br ^1f", "t.s:1:6: error: there is no label '1:' after this line"},
        {" br ^1b", "t.s:1:6: error: there is no label '1:' before this line"},
        {"100: nop", "t.s:1:1: error: numeric labels are 0 to 99"},
        {"a = 1\na = 2", "t.s:2:1: error: symbol 'a' is already defined"},
        {"a:\n .equ a, 2", "t.s:2:7: error: symbol 'a' is already defined"},
        {" .equ a, 1\n .set a, 2", "t.s:2:7: error: symbol 'a' is already defined"},
        {"a:\n.l:\n.l:", "t.s:3:1: error: label 'a.l' is already defined"},
        {" .if later\n .endif\nlater = 1",
         "t.s:1:6: error: undefined symbol 'later': a condition needs its value at "
         "this line"},
        {" .section d, rom\n .word 1\n .section d, onchip",
         "t.s:3:11: error: section 'd' is rom already, it cannot become onchip"},
        {" .section d\n .word 1\n .section d, fill",
         "t.s:3:11: error: section 'd' has contents already, it cannot become fill"},
        {"a: .word b-a\n .data\nb: nop",
         "t.s:1:11: error: 'b' and 'a' are in different sections: only the linker "
         "knows how far they are apart"},
        {"x@1 = 2", "t.s:1:1: error: unknown instruction or macro 'x'"},
        {"a = c\nc = a", "t.s:2:5: error: 'a' is defined by itself"},
        {"a = nothing + 1", "t.s:1:5: error: undefined symbol 'nothing'"},
        {"r0: nop", "t.s:1:1: error: 'r0' names a register or a constant"},
        {"nil = 1", "t.s:1:1: error: 'nil' names a register or a constant"},
        {" .global .x", "t.s:1:10: error: a name that is not local expected"},
        {" .extern e\n .global g\ng = e+1", "t.s:3:1: error: 'g' cannot be global"},
        {" .space later\nlater = 1", "t.s:1:9: error: undefined symbol 'later'"},
        {" .if x\n .endif", "t.s:1:6: error: undefined symbol 'x'"},
        {" .extern x\n .space x", "t.s:2:9: error: a number of words must be a number"},
    };
    CHECK_ROWS(rows);
}

Test(assembler_diagnostics, statements_and_directives) {
    static const Row rows[] = {
        {" frob r0", "t.s:1:2: error: unknown instruction or macro 'frob'"},
        {" mvoe 1,r0", "t.s:1:2: error: unknown instruction or macro 'mvoe'; did you "
                       "mean 'move'?"},
        {" noop", "t.s:1:2: error: unknown instruction or macro 'noop'; did you mean "
                  "'nop'?"},
        {" .macro adx\n .endm\n ady r0,1,r1",
         "t.s:3:2: error: unknown instruction or macro 'ady'; did you mean 'add'?"},
        {" .macro addy\n .endm\n ady r0,1,r1",
         "t.s:3:2: error: unknown instruction or macro 'ady'; did you mean 'add'?"},
        {"first = 1\nfirts = 2\n .word firss",
         "t.s:3:8: error: undefined symbol 'firss'; did you mean 'first'?"},
        {" .wrod 1",
         "t.s:1:2: error: unknown directive '.wrod'; did you mean '.word'?"},
        {" 5 nop", "t.s:1:2: error: an instruction, a directive or a label expected"},
        {" nop @", "t.s:1:6: error: unexpected byte 0x40"},
        {" \x80", "t.s:1:2: error: unexpected byte 0x80"},
        {" .word FOO:1", "t.s:1:8: error: 'FOO' is no tag"},
        {" .ascii \"abc", "t.s:1:9: error: unterminated string"},
        {" .ascii \"a\\q\"", "t.s:1:11: error: unknown escape in a string"},
        {" .ascii \"a\\q41\"", "t.s:1:11: error: unknown escape in a string"},
        {" .ascii \"a\\x4\"", "t.s:1:11: error: unknown escape in a string"},
        {" .ascii 5", "t.s:1:9: error: a \"text\" expected, not '5'"},
        {" .word 'ab'", "t.s:1:8: error: wrong character constant"},
        {" .align 3", "t.s:1:9: error: alignment 3 is not a power of two"},
        {" .align 0", "t.s:1:9: error: alignment 0 is not a power of two"},
        {" nop\n .org 5",
         "t.s:2:7: error: .org cannot fix the address of section '.text'"},
        {" .org 9\n nop\n .org 9", "t.s:3:7: error: .org 0x9 goes backwards from 0xA"},
        {" .org 0x100000", "t.s:1:7: error: address 1048576 is not in 0 .. 0xFFFFF"},
        {" .align 4\n .org 2", "t.s:2:7: error: address 0x2 is not a multiple"},
        {" .space -1", "t.s:1:9: error: the number of words cannot be negative"},
        {" .space 0x100001", "t.s:1:2: error: this makes more than 1048576 words"},
        {" .org 0xFFFFF\n .word 1,2", "t.s:2:2: error: this makes more than"},
        {" .section \"a\\\"b\"", "t.s:1:11: error: the name of a section has"},
        {" .section", "t.s:1:10: error: the name of a section expected"},
        {" .section a, bad", "t.s:1:14: error: vectors, onchip, rom, external, code"},
        {" .section a, rom\n nop\n .section a, onchip",
         "t.s:3:11: error: section 'a' is rom already"},
        {" .section a, fill\n .word 1", "t.s:2:2: error: section 'a' has no contents"},
        {" .addr 1", "t.s:1:9: error: ',' and a length expected before the end"},
        {" .ip 1, q", "t.s:1:9: error: U, F, rel or low expected, not 'q'"},
        {" .error \"stop here\"", "t.s:1:2: error: stop here"},
        {" .include \"/no/such\"", "t.s:1:11: error: cannot find the file '/no/such'"},
        {" .include 5", "t.s:1:11: error: a \"file\" expected"},
        {" .text 5", "t.s:1:8: error: end of the statement expected, not '5'"},
    };
    CHECK_ROWS(rows);
}

/* Numbers near 2^63 do not wrap: sizes, addresses, counts, distances. */
Test(assembler_diagnostics, huge_numbers) {
#define MOST "0x7FFFFFFFFFFFFFFF"
    static const Row rows[] = {
        {" .space " MOST, "t.s:1:2: error: this makes more than 1048576 words"},
        {" nop\n .space " MOST, "t.s:2:2: error: this makes more than 1048576 words"},
        {" nop\n .space " MOST ", INT:1", "t.s:2:2: error: this makes more than"},
        {" nop\n .space " MOST ", INT:x\nx = 1", "t.s:2:2: error: this makes more"},
        {" .section f, fill\n .space 5\n .space " MOST "-1",
         "t.s:3:2: error: this makes more than 1048576 words"},
        {" .org 9\n .space " MOST, "t.s:2:2: error: this makes more than"},
        {" .section f, fill\n .org 0xFFFFF\n .space 2", "t.s:3:2: error: this makes"},
        {" .space 0x80000\n .data\n .space 0x80001", "t.s:3:2: error: this makes"},
        {" .space 0x8000000000000000", "t.s:1:9: error: number does not fit 64 bits"},
        {" .space -" MOST "-1", "t.s:1:9: error: the number of words cannot be"},
        {" .org " MOST, "t.s:1:7: error: address 9223372036854775807 is not in"},
        {" .org -" MOST "-1", "t.s:1:7: error: address -9223372036854775808 is not"},
        {" .align " MOST, "t.s:1:9: error: alignment 9223372036854775807 is not"},
        {" .align 1<<62", "t.s:1:9: error: alignment 4611686018427387904 is not"},
        {" .align -" MOST "-1", "t.s:1:9: error: alignment -9223372036854775808"},
        {" .rept " MOST "\n .word 1\n .endr", "yield more than 1000000 lines"},
        {" .org 5\na: .word (a+" MOST ")*1",
         "t.s:2:12: error: the address is too far from memory"},
        {"a: .org 5\n .word a-" MOST "-1", "t.s:2:9: error: the address is too far"},
        {"a: br ^a-" MOST "-1", "t.s:1:9: error: the address is too far from memory"},
        {"a: br ^a+0x1000000000000000", "t.s:1:9: error: branch target is"},
        {" nop\nb: nop\n .word .-" MOST "-1", "t.s:3:9: error: the address is too far"},
        {"a: nop\nb = a+0x200001", "t.s:2:1: error: 'b' is 2097153 words away from"},
        {"a: nop\n .set b, a-0x200001", "t.s:2:7: error: 'b' is -2097153 words away"},
    };
#undef MOST
    CHECK_ROWS(rows);
}

/* The largest valid ones. */
Test(assembler_diagnostics, large_numbers) {
    asm_object_free(assembled(" .space 0x100000\n"));
    asm_object_free(assembled(" .section f, fill\n .org 0xFFFFE\n .space 2\n"));
    asm_object_free(assembled(" .align 0x100000\n .space 0x100000\n"));
    asm_object_free(assembled("a: nop\nb = a+0x200000\nc = a-0x200000\n"));
    AsmObject *object = assembled("a: .word INT:a+0x10000000\n");
    cr_expect_eq(only_reloc(object)->addend, 0x10000000);
    asm_object_free(object);
}

Test(assembler_diagnostics, unterminated_constructs) {
    static const Row rows[] = {
        {" nop\n .macro m\n nop", "t.s:2:2: error: unterminated .macro: no .endm"},
        {" .rept 3\n nop", "t.s:1:2: error: unterminated .rept: no .endr"},
        {" .irp x, 1\n nop", "t.s:1:2: error: unterminated .irp: no .endr"},
        {" .if 1\n nop", "t.s:1:2: error: .if without .endif"},
        {" .if 0\n nop", "t.s:1:2: error: .if without .endif"},
        {" .else", "t.s:1:2: error: .else without .if"},
        {" .elseif 1", "t.s:1:2: error: .elseif without .if"},
        {" .endif", "t.s:1:2: error: .endif without .if"},
        {" .if 1\n .else\n .else\n .endif", "t.s:3:2: error: .else after .else"},
        {" .endm", "t.s:1:2: error: .endm without .macro"},
        {" .endr", "t.s:1:2: error: .endr without .rept"},
        {" .macro m\n .if 1\n .endm\n m", "t.s:4:2: error: .if without .endif"},
    };
    CHECK_ROWS(rows);
}

/* Errors appear in line order, whenever they were found; those of one line in column
 * order. */
Test(assembler_diagnostics, several_in_order) {
    char *text = refused(" br ^x\n frob\n .word 1/0, y\n .align 3\n");
    static const char *const places[] = {
        "t.s:1:6: error:", "t.s:2:2: error:", "t.s:3:9: error:", "t.s:3:13: error:",
        "t.s:4:9: error:"};
    const char *at = text;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        at = strstr(at, places[i]);
        cr_assert_not_null(at, "%s not in its place in:\n%s", places[i], text);
    }
    free(text);
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

Test(assembler_diagnostics, gives_up_after_twenty) {
    char source[1024] = "";
    for (int i = 0; i < 30; i++)
        strcat(source, " frob\n");
    char *text = refused(source);
    cr_assert_eq(count_of(text, "unknown instruction"), 20);
    cr_assert_eq(count_of(text, "t.s: error: too many errors"), 1);
    free(text);
}

Test(assembler_diagnostics, one_mistake_is_said_once) {
    char *text =
        refused(" .word x, x\n .word x\n .rept 5\n frob\n .endr\n .space 9, 1/0\n");
    cr_assert_eq(count_of(text, "error:"), 3, "%s", text);
    free(text);
}

/* An instruction in error keeps its place, and a wrong label does not hide the rest. */
Test(assembler_diagnostics, no_cascades) {
    char *text = refused("a: frob r0\n br ^a\n br ^c\nr1: add r0,99,r0\nc: nop\n");
    cr_assert_eq(count_of(text, "error:"), 3, "%s", text);
    free(text);
}

Test(assembler_diagnostics, hostile_bytes) {
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

Test(assembler_diagnostics, warnings_do_not_stop) {
    const char source[] = " .warning \"mind\"\n nop\n";
    AsmResult result = asm_assemble(source, sizeof source - 1, "t.s", NULL);
    cr_assert_not_null(result.object);
    cr_assert_eq(result.warnings, 1);
    cr_assert_str_eq(result.diagnostics,
                     "t.s:1:2: warning: mind\n .warning \"mind\"\n ^\n");
    asm_result_free(&result);
}

Test(assembler_diagnostics, file_that_is_not_there) {
    AsmResult result = asm_assemble_file("/no/such/file.s", NULL);
    cr_assert_null(result.object);
    cr_assert_eq(result.errors, 1);
    cr_assert_not_null(
        strstr(result.diagnostics, "/no/such/file.s: error: cannot open"));
    asm_result_free(&result);
}

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
Test(assembler_diagnostics, registers_that_cannot_be_written) {
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

/* Constants that R0 loses before anything reads them; a line each, 0 for none. */
Test(assembler_diagnostics, constants_that_nothing_reads) {
    static const struct {
        const char *source;
        int line; /* of the only warning */
    } rows[] = {
        {" nop\n .word 1\n .word 2\n move r0,r1", 2},
        {" .word 1\n .word 2\n move r0,r1", 1},
        {" .macro two\n .word 2\n move [r0,a0],r1\n .endm\n .ip l\n two\nl: ldip r0",
         5},
        {" .word 1\n move r1,r0", 1},
        {" .word 1\n xlate r1,r0", 1},
        {" .word 1\n writer r1,r0", 1},
        {" .word 1\n add r1,[1,a1],r0", 1},
        {" nop\n .word 1\nl: .word 2\n move r0,r1", 2},
        {" .word 1\n .data\n .word 3\n .text\n .word 2\n move r0,r1", 1},
        {" .word 1\n move r0,r1\n move r1,r0", 0},
        {" .word 1\n add r0,1,r0", 0},
        {" .word 1\n move [r0,a1],r0", 0},
        {" .word 1\n move r1,[r0,a1]\n .word 2\n move r0,r1", 0},
        {" .word 1\n send2 r1,r0,0\n move r1,r0", 0},
        {" .word 1\n readr r0,r0", 0},
        {" .word 1\n bz r1,^l\n move r1,r0\nl: move r0,r1", 0},
        {" .word 1\n call 3\n move r1,r0", 0},
        {" .word 1\n suspend\n move r1,r0", 0},
        {"t: .word 1\n .word 2\nm: nop\n move r1,r0", 0},
        {" nop\nt: .word 1\n .word 2\nm: nop", 0},
        {"t: .word 1\nm: .word 2\n move r0,r1", 0},
        {" br ^m\n .word 1\n .word 2\nm: nop", 0},
        {" .word NIL\n .word 2\n move r0,r1", 0},
        {" nop\n .word 1, 2, 3\n move r0,r1", 0},
        {" .data\n .word 1, 2, 3", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *source = rows[i].source;
        char place[32];
        AsmResult result = asm_assemble(source, strlen(source), "t.s", NULL);
        cr_expect_not_null(result.object, "%s: %s", source, result.diagnostics);
        cr_expect_eq(result.warnings, rows[i].line != 0, "%s: %d", source,
                     result.warnings);
        snprintf(place, sizeof place, "t.s:%d:", rows[i].line);
        cr_expect(rows[i].line == 0 ||
                      strncmp(result.diagnostics, place, strlen(place)) == 0,
                  "%s: %s", source, result.diagnostics);
        asm_result_free(&result);
    }
}
