/* The listing, by the thesis's own example (Lethin 1997, figure 4-3). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/asm/assembling.h"

/* The figure as it is printed; the comment behind each instruction is its cycles. */
static const char figure[] = "Snake:\n"
                             "    ; Generate random next processor.\n"
                             "    move    [RandomSeed,a1],r2           ;2\n"
                             "    add     r2,[RandomSeedInc,a1],r2    ;2\n"
                             "    move    r2,[RandomSeed,a1]         ;1\n"
                             "    and     r2,[RandomSeedMask,a1],r2   ;2\n"
                             "\n"
                             "    ; Check for end of snake.\n"
                             "    move    [1,a3],r3                   ;2\n"
                             "    bz      r3,^SnakeDone              ;1\n"
                             "\n"
                             "; Clear retries so we don't get a send-fault timeout.\n"
                             "    move    0,r0                         ;1\n"
                             "    move    r0,[Retries,a0]             ;1\n"
                             "\n"
                             "; Decrement hop counter.\n"
                             "    sub     r3,1,r3                     ;1\n"
                             "    bz      r3,^SnakeLast              ;1\n"
                             "\n"
                             "    ; Send message to next processor.\n"
                             "    send    r2,0                         ;1\n"
                             "    send2   [0,a3],r3,0                 ;2\n"
                             "    sende   [2,a3],0                   ;2\n"
                             "    move    [SnakesDid,a1],r1          ;2\n"
                             "    add     r1,1,r1                     ;1\n"
                             "    move    r1,[SnakesDid,a1]          ;1\n"
                             "    suspend                               ;2\n";

/* Symbols that the figure defines elsewhere. */
static const char *const names[] = {"RandomSeed=0", "RandomSeedInc=1",
                                    "RandomSeedMask=2", "Retries=3", "SnakesDid=4"};
static const char rest[] = " .extern SnakeDone, SnakeLast\n";

static AsmResult listed(const char *source, int define_count) {
    AsmResult result = asm_assemble(
        source, strlen(source), "t.s",
        &(AsmOptions){.defines = names, .define_count = define_count, .listing = true});
    cr_assert_str_eq(result.diagnostics, "");
    cr_assert_not_null(result.listing);
    return result;
}

/* Cycles and run of a listing line: 0 where the column is blank. */
typedef struct {
    int cycles, taken, run;
} Counts;

static Counts counts_of(const char *line) {
    Counts counts = {0};
    char field[8] = "";
    memcpy(field, line + 20, 6);
    sscanf(field, "%d/%d", &counts.cycles, &counts.taken);
    memcpy(field, line + 28, 5);
    field[5] = field[6] = '\0';
    sscanf(field, "%d", &counts.run);
    return counts;
}

Test(assembler_listing, figure_4_3_counts_line_by_line) {
    char source[4096];
    snprintf(source, sizeof source, "%s%s", figure, rest);
    AsmResult result = listed(source, 5);
    int instructions = 0;
    int sum = 0;
    int run = 0;
    char *state = NULL;
    for (char *line = strtok_r(result.listing, "\n", &state); line;
         line = strtok_r(NULL, "\n", &state)) {
        const char *comment = strrchr(line, ';');
        int printed = 0;
        if (!comment || sscanf(comment, ";%d", &printed) != 1)
            continue;
        const Counts counts = counts_of(line);
        cr_assert_eq(counts.cycles, printed, "%s", line);
        instructions++;
        sum += counts.cycles;
        run += counts.run;
    }
    cr_assert_eq(instructions, 17);
    cr_assert_eq(sum, 25);
    cr_assert_eq(run, 25); /* one run: its branches are not taken */
    asm_result_free(&result);
}

Test(assembler_listing, timing_is_a_parameter) {
    JmTiming timing = jm_timing_default();
    timing.read_onchip = 7;
    const char source[] = " move [1,a1],r0\n";
    AsmResult result = asm_assemble(source, sizeof source - 1, "t.s",
                                    &(AsmOptions){.timing = &timing, .listing = true});
    cr_assert_not_null(strstr(result.listing, "       8      8      1  "));
    asm_result_free(&result);
}
