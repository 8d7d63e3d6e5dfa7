/* Emits words into sections. Two instructions share a word, the high half first. A low
 * half that no instruction fills keeps the NOP (all zero) it was made with.
 *
 *     section->half    emitted                   result
 *     false            instruction               new word, high half; half = true
 *     true             instruction               low half of last word; half = false
 *     any              word, label, .align ...   half = false: a new word begins
 *
 * A word gets its place when it is emitted and never moves. */
#include <stdlib.h>

#include "asm/assembler/assemble.h"

/* ---- constants that are lost ----------------------------------------------------- */

/* Follows control through straight code, to warn of inline constants that nothing
 * reads: each is loaded into R0, and is lost when R0 gets another word first.
 *
 *             .ip     there           ; lost
 *             .word   INT:kernel_nodes
 *             move    [r0,a0],r2
 *
 * Words may also be a table that control does not reach. A table is followed by a label
 * or by nothing, code by an instruction. So a constant lost to another word is reported
 * only when an instruction follows without a label. Words of one line also count as a
 * table. Where control may go elsewhere, R0 may be read there. */

bool as_is_conditional(const JmDecoded *instruction) {
    return jm_op_info(instruction->op)->form == JM_FORM_S_BR;
}

bool as_ends_run(const JmDecoded *instruction) {
    const JmOpInfo *info = jm_op_info(instruction->op);
    return (info->time == JM_TIME_JUMP && !as_is_conditional(instruction)) ||
           instruction->op == JM_OP_SUSPEND ||
           (instruction->op == JM_OP_WRITER && instruction->reg == JM_REG_IP);
}

static void report(Assembler *as, AsPlace constant, AsPlace by) {
    if (as_warning(as, ASM_WARNING_UNREAD_CONSTANT, constant,
                   "this constant is never read: R0 gets another word first"))
        as_note(as, by, "R0 gets it here");
}

/* Control does not come from the line above, so the words before may be a table. */
void as_flow_label(Assembler *as) {
    AsFlow *flow = &as_current(as)->flow;
    flow->lost.statement = NULL;
    if (!flow->reached)
        flow->unread.statement = NULL;
    flow->reached = false;
}

static void flow_words(Assembler *as, JmWord word) {
    AsFlow *flow = &as_current(as)->flow;
    if (jm_is_instruction(word)) { /* an instruction whose operands are unknown */
        flow->lost.statement = flow->unread.statement = NULL;
        return;
    }
    const AsPlace here = as_here(as, as->tokens);
    if (flow->unread.statement && flow->unread.statement != here.statement &&
        !flow->lost.statement) {
        flow->lost = flow->unread;
        flow->by = here;
    }
    flow->unread = here;
    if (jm_same(word, JM_NIL)) /* padding, as .space makes it */
        flow->unread.statement = NULL;
}

void as_flow_instruction(Assembler *as, const JmDecoded *d) {
    AsFlow *flow = &as_current(as)->flow;
    if (flow->lost.statement)
        report(as, flow->lost, flow->by);
    flow->lost.statement = NULL;
    flow->reached = !d || !as_ends_run(d);
    if (d && flow->unread.statement && !as_ends_run(d) && !as_is_conditional(d) &&
        !jm_reads_data_register(d, 0)) {
        if (!jm_writes_data_register(d, 0))
            return;
        report(as, flow->unread, as_here(as, as->tokens));
    }
    flow->unread.statement = NULL;
}

/* ---- words ----------------------------------------------------------------------- */

/* The pointer is valid until the next section is made. */
AsSection *as_current(Assembler *as) {
    return &as->sections[as->section];
}

/* The value of `.`: in an instruction the word that will hold it, elsewhere the next
 * free word, where a label would stand. */
AsValue as_location(Assembler *as) {
    const AsSection *section = as_current(as);
    const bool shared = as->in_instruction && section->half;
    return (AsValue){.kind = AS_VALUE_SECTION,
                     .section = as->section,
                     .number = (int64_t)section->size - shared};
}

/* Ends the current word; a free low half keeps its NOP. */
void as_flush(Assembler *as) {
    as_current(as)->half = false;
}

const AsStatement *as_called_at(const AsStatement *statement) {
    return as_called_place((AsPlace){statement, 1}).statement;
}

/* Adds a row to the line table if line, section or place changed. A line that makes
 * many words has one row. */
static void note_row(Assembler *as, uint32_t offset, bool low) {
    const AsStatement *statement = as_called_at(as->line.statement);
    if (as->row_count > 0) {
        const AsRow *last = &as->rows[as->row_count - 1];
        if (last->section == as->section && last->statement == statement)
            return;
    }
    as->rows = mem_grow(as->heap, as->rows, (size_t)as->row_count, sizeof *as->rows);
    as->rows[as->row_count++] = (AsRow){as->section, offset, low, statement};
}

/* Whether `count` more words would pass the end of memory. If the linker places the
 * section, only its size is checked here. `count` may be any number in the source, so
 * it is compared with the room left: a sum could overflow. */
static bool passes_the_end(const AsSection *section, int64_t count) {
    const int64_t base =
        section->address == ASM_OBJECT_NO_ADDRESS ? 0 : section->address;
    return count > AS_WORDS_LIMIT - base - section->size;
}

/* Makes room for `count` more words in the section. If the memory of a node is
 * exceeded, reading ends: every further line would give the same error. */
static bool reserve(Assembler *as, int64_t count) {
    AsSection *section = as_current(as);
    const AsPlace place = as_here(as, as->tokens);
    if (passes_the_end(section, count) ||
        (!section->fill && count > AS_WORDS_LIMIT - as->words)) {
        as_error(as, place, "this makes more than %d words or passes the end of memory",
                 AS_WORDS_LIMIT);
        as->abandoned = true;
        return false;
    }
    if (section->fill)
        return true;
    section->words = heap_grow(as->heap, section->words, section->size + (size_t)count,
                               &section->capacity, sizeof *section->words);
    as->words += count;
    return true;
}

static bool has_contents(Assembler *as) {
    if (!as_current(as)->fill)
        return true;
    as_error(as, as_here(as, as->tokens),
             "section '%s' has no contents: only .space "
             "without a word fits here",
             as_current(as)->name);
    return false;
}

/* Appends `count` copies of a word. All words of a section are made here. */
static bool append(Assembler *as, int64_t count, JmWord word) {
    AsSection *section = as_current(as);
    section->half = false;
    if (count == 0 || !reserve(as, count))
        return count == 0;
    note_row(as, section->size, false);
    if (!section->fill)
        for (int64_t i = 0; i < count; i++)
            section->words[section->size + i] = word;
    section->size += (uint32_t)count;
    return true;
}

bool as_emit_word(Assembler *as, JmWord word) {
    if (!has_contents(as))
        return false;
    flow_words(as, word);
    return append(as, 1, word);
}

/* In a section without contents only NIL is allowed: it holds NIL anyway. */
bool as_emit_fill(Assembler *as, int64_t count, JmWord word) {
    if (!jm_same(word, JM_NIL) && !has_contents(as))
        return false;
    if (count > 0)
        flow_words(as, word);
    return append(as, count, word);
}

/* The low half of an instruction word is made as NOP, all zero, so that setting bits is
 * enough when a second instruction comes. */
int as_emit_instruction(Assembler *as, uint32_t instruction) {
    if (!has_contents(as))
        return -1;
    AsSection *section = as_current(as);
    section->code = true;
    if (section->half) {
        section->words[section->size - 1].bits |= instruction;
        note_row(as, section->size - 1, true);
        section->half = false;
        return as->phase = 1;
    }
    if (!append(as, 1, jm_instruction_word(instruction, 0)))
        return -1;
    section->half = true;
    return as->phase = 0;
}

/* Adds a fixup for the last word emitted. Fixups stay in the order of the source. */
void as_add_fixup(Assembler *as, AsFixKind kind, unsigned phase, AsNode *expr) {
    as->fixups =
        mem_grow(as->heap, as->fixups, (size_t)as->fixup_count, sizeof *as->fixups);
    as->fixups[as->fixup_count++] = (AsFixup){.kind = kind,
                                              .section = as->section,
                                              .offset = as_current(as)->size - 1,
                                              .phase = phase,
                                              .expr = expr};
}
