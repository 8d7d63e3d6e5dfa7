/* Directives for words: .word, .addr, .ip, .msg, .space, .ascii.
 *
 * A word is emitted with tag and flags only. Each of its numbers leaves a fixup
 * (fixup.c) that checks the range and fills it in, whether the number is known already
 * or not.
 *
 *     .word    TAG:expression            data[31:0]
 *     .addr    expression, expression    base[29:10] length[9:0], R[31] I[30]
 *     .msg     expression, expression    handler[29:10] length[9:0], U[31] F[30]
 *     .ip      expression                offset[29:10], U[31] F[30] phase[9] A[8]
 */
#include <string.h>

#include "asm/assembler/assemble.h"

/* Returns the number of the tag in front of a ':', or -1. */
static int tag_prefix(const AsToken *token) {
    if (token->kind != AS_TOKEN_NAME || !as_is(token + 1, ':'))
        return -1;
    return jm_tag_by_name(token->text, (size_t)token->length);
}

/* One word: TAG:value, value, NIL, TRUE or FALSE. */
typedef struct {
    JmWord word;
    AsNode *expr; /* its data, NULL if it is in `word` */
} Item;

/* Bare numbers are INTs; a name in front of a colon must be a tag. Strings, registers
 * and other tokens are errors of the expression. */
static bool word_item(Assembler *as, Item *item) {
    static const struct {
        const char *name;
        JmWord word;
    } names[] = {{"nil", {0}},
                 {"false", {(uint64_t)JM_TAG_BOOL << 32}},
                 {"true", {((uint64_t)JM_TAG_BOOL << 32) | 1}}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (as_word_is(as->at, names[i].name)) {
            *item = (Item){.word = names[i].word};
            as->at++;
            return true;
        }
    int tag = tag_prefix(as->at);
    if (tag >= 0)
        as->at += 2;
    else if (as->at->kind == AS_TOKEN_NAME && as_is(as->at + 1, ':')) {
        as_error(as, as_here(as, as->at), "'%.*s' is not a tag", as->at->length,
                 as->at->text);
        return false;
    } else
        tag = JM_TAG_INT;
    *item = (Item){jm_word((unsigned)tag, 0), as_expression(as)};
    return item->expr != NULL;
}

void as_do_word(Assembler *as) {
    do {
        Item item;
        if (!word_item(as, &item) || !as_emit_word(as, item.word))
            return;
        if (item.expr)
            as_add_fixup(as, AS_FIX_DATA32, 0, item.expr);
    } while (as_accept(as, ','));
    as_expect_end(as);
}

/* A flag of a word: its name, the bits it sets and the bits it clears. */
typedef struct {
    const char *name;
    uint32_t set, clear;
} Flag;

/* Flags behind the fields, in any order. A flag may be repeated. */
static bool word_flags(Assembler *as, const Flag *flags, const char *names,
                       uint32_t *data) {
    while (as_accept(as, ',')) {
        const Flag *flag = flags;
        while (flag->name && !as_word_is(as->at, flag->name))
            flag++;
        if (!flag->name) {
            as_unexpected(as, names);
            return false;
        }
        as->at++;
        *data = (*data | flag->set) & ~flag->clear;
    }
    as_expect_end(as);
    return !as->failed;
}

/* Emits a word with a 20-bit field, a 10-bit field if `with_length`, and flags. `data`
 * holds the bits that are set unless a flag clears them. */
static void shaped_word(Assembler *as, JmTag tag, bool with_length, uint32_t data,
                        const Flag *flags, const char *names) {
    AsNode *length = NULL;
    AsNode *field = as_expression(as);
    if (!field)
        return;
    if (with_length) {
        if (!as_expect(as, ',', "and a length"))
            return;
        length = as_expression(as);
        if (!length)
            return;
    }
    if (!word_flags(as, flags, names, &data) || !as_emit_word(as, jm_word(tag, data)))
        return;
    as_add_fixup(as, AS_FIX_FIELD20, 0, field);
    if (length)
        as_add_fixup(as, AS_FIX_FIELD10, 0, length);
}

/* ADDR: R[31] I[30] base[29:10] length[9:0]. */
void as_do_addr(Assembler *as) {
    static const Flag flags[] = {
        {"r", JM_ADDR_RELOCATABLE, 0}, {"i", JM_ADDR_INVALID, 0}, {NULL, 0, 0}};
    shaped_word(as, JM_TAG_ADDR, true, 0, flags, "R or I");
}

/* IP: U[31] F[30] offset[29:10] phase[9] A[8]; absolute by default. */
void as_do_ip(Assembler *as) {
    static const Flag flags[] = {{"u", JM_IP_UNCHECKED, 0},  {"f", JM_IP_FAULT, 0},
                                 {"rel", 0, JM_IP_ABSOLUTE}, {"r", 0, JM_IP_ABSOLUTE},
                                 {"low", JM_IP_PHASE, 0},    {NULL, 0, 0}};
    shaped_word(as, JM_TAG_IP, false, JM_IP_ABSOLUTE, flags, "U, F, rel or low");
}

/* MSG: U[31] F[30] handler[29:10] length[9:0]. */
void as_do_msg(Assembler *as) {
    static const Flag flags[] = {
        {"u", JM_IP_UNCHECKED, 0}, {"f", JM_IP_FAULT, 0}, {NULL, 0, 0}};
    shaped_word(as, JM_TAG_MSG, true, 0, flags, "U or F");
}

/* If the word's value is an expression, each copy gets its own fixup. */
void as_do_space(Assembler *as) {
    const AsPlace place = as_here(as, as->at);
    int64_t count = 0;
    Item item = {.word = JM_NIL};
    if (!as_constant(as, "a number of words", &count))
        return;
    if (as_accept(as, ',') && !word_item(as, &item))
        return;
    as_expect_end(as);
    if (as->failed)
        return;
    if (count < 0) {
        as_error(as, place, "the number of words cannot be negative");
        return;
    }
    if (!item.expr) {
        as_emit_fill(as, count, item.word);
        return;
    }
    for (int64_t i = 0; i < count && as_emit_word(as, item.word); i++)
        as_add_fixup(as, AS_FIX_DATA32, 0, item.expr);
}

/* Emits the bytes of a string token, one INT each. The caret of an error points at the
 * wrong escape, not at the string. */
static bool emit_text(Assembler *as, const AsToken *token) {
    const char *at = token->text + 1;
    const char *end = token->text + token->length - 1;
    while (at < end) {
        const int offset = (int)(at - as->line.text);
        const int value = as_character(&at, end);
        if (value < 0) {
            as_error(
                as, (AsPlace){as->line.statement, as_column(&as->line, offset)},
                "unknown escape in a string: \\n \\t \\r \\0 \\a \\e \\\\ \\\" \\xHH");
            return false;
        }
        if (!as_emit_word(as, jm_int(value)))
            return false;
    }
    return true;
}

static void texts(Assembler *as, bool terminate) {
    do {
        const AsToken *token = as->at;
        if (token->kind != AS_TOKEN_STRING) {
            as_unexpected(as, "a \"text\"");
            return;
        }
        as->at++;
        if (!emit_text(as, token) || (terminate && !as_emit_word(as, jm_int(0))))
            return;
    } while (as_accept(as, ','));
    as_expect_end(as);
}

void as_do_ascii(Assembler *as) {
    texts(as, false);
}

void as_do_asciz(Assembler *as) {
    texts(as, true);
}
