/* The words of the language; see words.h. */
#include "tools/mdpas/answers/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/host/memory.h"

/* ---- the tables ------------------------------------------------------------------ */

#define END                                                                            \
    { NULL, NULL, NULL, NULL }

const Word word_registers[] = {
#define REG(name, number, access, text) {#name, NULL, text, NULL},
#include "emu/isa/regs.def"
#undef REG
    END};

const Word word_tags[] = {
#define TAG(name, number, text) {#name, NULL, text, NULL},
#include "emu/isa/tags.def"
#undef TAG
    END};

const Word word_constants[] = {{"NIL", NULL, "the word SYM:00000000", NULL},
                               {"TRUE", NULL, "the word BOOL:00000001", NULL},
                               {"FALSE", NULL, "the word BOOL:00000000", NULL},
                               END};

const Word word_directives[] = {
#define DIRECTIVE(name, function, operands, text) {#name, operands, text, NULL},
#include "asm/assembler/directives.def"
#undef DIRECTIVE
    END};

const Word word_instructions[] = {{"MOVE", "source,destination",
                                   "READ, WRITE, READR or WRITER, by its operands",
                                   NULL},
#define OP(name, code, form, class, time, faults, memory, transfer, source)            \
    {#name, NULL, transfer, source},
#include "emu/isa/ops.def"
#undef OP
                                  END};

const Word *word_find(const Word *list, const char *name, size_t length) {
    for (; list->name; list++)
        if (strlen(list->name) == length && strncasecmp(list->name, name, length) == 0)
            return list;
    return NULL;
}

const Word *word_register(const char *name, size_t length) {
    const char *mark = memchr(name, '\'', length);
    return word_find(word_registers, name, mark ? (size_t)(mark - name) : length);
}

char *word_lower(const char *name, char *buffer, size_t size) {
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        buffer[i] = (char)tolower((unsigned char)name[i]);
    buffer[i] = '\0';
    return buffer;
}

/* ---- descriptions ---------------------------------------------------------------- */

/* Whether a form's op0 may be memory, or a constant. */
static bool has_operand(JmOp op) {
    const JmOp0Use use = jm_form_info(jm_op_info(op)->form)->op0;
    return use == JM_OP0_READ || use == JM_OP0_WRITE;
}

/* Names of faults; the seven that a wrong tag raises are one. */
static void write_faults(FILE *out, JmOp op) {
    const uint32_t faults = jm_op_info(op)->faults;
    const bool by_tag = (faults & JM_FAULTS_BY_TAG) == JM_FAULTS_BY_TAG;
    const char *between = by_tag ? ", " : "";
    fprintf(out, "\n\nFaults: %s", by_tag ? "by tag" : "");
    for (unsigned f = 0; f < JM_FAULT_COUNT; f++)
        if ((by_tag ? faults & ~JM_FAULTS_BY_TAG : faults) & JM_FAULT_BIT(f)) {
            fprintf(out, "%s%s", between, jm_fault_name(f));
            between = ", ";
        }
    fputs(faults ? "" : has_operand(op) ? "none of its own" : "none", out);
    fputs(has_operand(op) ? "; those of its operand" : "", out);
}

static unsigned cycles(JmOp op, JmMode mode, bool taken, bool external) {
    const JmTiming timing = jm_timing_default();
    const JmDecoded instruction = {.op = (uint8_t)op, .mode = (uint8_t)mode};
    return jm_cycles(&timing, &instruction, taken, external);
}

/* Cycles by form of the operand, where they differ. */
static void write_cycles(FILE *out, JmOp op) {
    const unsigned plain = cycles(op, JM_MODE_REG, false, false);
    const unsigned memory = cycles(op, JM_MODE_OFFSET, false, false);
    const unsigned external = cycles(op, JM_MODE_OFFSET, false, true);
    const unsigned taken = cycles(op, JM_MODE_REG, true, false);
    fprintf(out, "\n\nCycles: %u", plain);
    if (has_operand(op)) {
        if (memory != plain)
            fprintf(out, "; %u with an operand in memory", memory);
        if (external != memory)
            fprintf(out, "; %u in external memory", external);
    }
    if (taken != plain)
        fprintf(out, "; %u if it jumps", taken);
}

static void write_operation(FILE *out, const char *name, JmOp op) {
    const char *operands = jm_form_info(jm_op_info(op)->form)->operands;
    fprintf(out, "%s%s%s", name, operands[0] ? " " : "", operands);
}

static void write_instruction(FILE *out, const Word *word) {
    const JmOp op = (JmOp)jm_op_by_name(word->name, strlen(word->name));
    fputs("```mdp\n", out);
    write_operation(out, WORD_NAME(word), op);
    fprintf(out, "\n```\n%s", word->text);
    write_cycles(out, op);
    write_faults(out, op);
    fprintf(out, "\n\nMDP Architecture V11, %s", word->source);
}

static void write_move(FILE *out) {
    static const JmOp ops[] = {JM_OP_READ, JM_OP_WRITE, JM_OP_READR, JM_OP_WRITER};
    fputs("```mdp\nmove source,destination\n```\n", out);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        fprintf(out, "- %s: `", jm_op_info(ops[i])->name);
        write_operation(out, "move", ops[i]);
        fprintf(out, "`, %s\n", jm_op_info(ops[i])->transfer);
    }
}

char *word_describe_instruction(const Word *instruction) {
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    if (instruction == word_instructions)
        write_move(out);
    else
        write_instruction(out, instruction);
    fclose(out);
    return memory_checked(text);
}

char *word_describe_directive(const Word *directive) {
    return memory_text("```mdp\n.%s%s%s\n```\n%s", directive->name,
                       directive->operands[0] ? " " : "", directive->operands,
                       directive->text);
}

char *word_describe(const Word *word, const char *kind) {
    return memory_text("**%s** (%s): %s", word->name, kind, word->text);
}
