/* Reads expressions: their operators, and how commands use them. primary.c reads
 * operands. Values are words, or plain numbers of 64 bits. */
#include "emu/debug/values/expr.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/values.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------- */

Value value_of_word(JmWord word) {
    return (Value){.is_word = true, .word = word};
}

Value value_of_number(int64_t number) {
    return (Value){.number = number};
}

int64_t value_number(const Value *value) {
    if (!value->is_word)
        return value->number;
    if (jm_tag(value->word) == JM_TAG_INT)
        return (int32_t)jm_data(value->word);
    return jm_data(value->word);
}

bool value_true(const Value *value) {
    if (value->is_word && jm_tag(value->word) == JM_TAG_BOOL)
        return jm_data(value->word) & 1;
    return value_number(value) != 0;
}

/* Whether a value is a word that holds an address, by its tag. */
static bool holds_address(const Value *value) {
    const unsigned tag = value->is_word ? jm_tag(value->word) : JM_TAG_INT;
    return tag == JM_TAG_ADDR || tag == JM_TAG_IP || tag == JM_TAG_MSG;
}

/* A word that holds an address stands for that address. */
uint32_t value_address(const Value *value) {
    if (holds_address(value))
        return jm_field20(jm_data(value->word));
    const int64_t number = value_number(value);
    return number < 0 || number > JM_ADDRESS_MASK ? UINT32_MAX : (uint32_t)number;
}

/* ---- reading --------------------------------------------------------------------- */

bool reader_fail(Reader *r, const char *at, const char *format, ...) {
    if (r->failed)
        return false;
    r->failed = true;
    if (r->quiet)
        return false;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail_at(r->args, at, "%s", text);
}

char reader_peek(Reader *r) {
    skip_blanks(r->args);
    return *r->args->at;
}

bool reader_take(Reader *r, const char *text) {
    skip_blanks(r->args);
    if (strncmp(r->args->at, text, strlen(text)) != 0)
        return false;
    r->args->at += strlen(text);
    return true;
}

size_t reader_name_length(const char *at) {
    size_t length = 0;
    if (!isalpha((unsigned char)*at) && *at != '_' && *at != '.')
        return 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '.')
        length++;
    return length;
}

/* ---- operators ------------------------------------------------------------------- */

typedef enum {
    OP_LOR,
    OP_LAND,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_GT,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD
} BinaryOp;

/* The operators. Longer ones stand before their beginnings, so that "<=" is not read as
 * "<". Higher levels bind tighter. */
static const struct {
    const char *text;
    int level;
    BinaryOp op;
} operators[] = {
    {"||", 1, OP_LOR}, {"&&", 2, OP_LAND}, {"==", 6, OP_EQ},  {"!=", 6, OP_NE},
    {"<=", 7, OP_LE},  {">=", 7, OP_GE},   {"<<", 8, OP_SHL}, {">>", 8, OP_SHR},
    {"|", 3, OP_OR},   {"^", 4, OP_XOR},   {"&", 5, OP_AND},  {"<", 7, OP_LT},
    {">", 7, OP_GT},   {"+", 9, OP_ADD},   {"-", 9, OP_SUB},  {"*", 10, OP_MUL},
    {"/", 10, OP_DIV}, {"%", 10, OP_MOD},
};
enum { OPERATORS = sizeof operators / sizeof *operators, LEVEL_UNARY = 11 };

static bool values_equal(const Value *a, const Value *b) {
    if (a->is_word && b->is_word)
        return jm_same(a->word, b->word);
    return value_number(a) == value_number(b);
}

/* Computes with numbers of 64 bits; results wrap. */
static int64_t compute(BinaryOp op, int64_t a, int64_t b) {
    const uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (op) {
    case OP_OR:
        return (int64_t)(ua | ub);
    case OP_XOR:
        return (int64_t)(ua ^ ub);
    case OP_AND:
        return (int64_t)(ua & ub);
    case OP_LE:
        return a <= b;
    case OP_GE:
        return a >= b;
    case OP_LT:
        return a < b;
    case OP_GT:
        return a > b;
    case OP_SHL:
        return b < 0 || b > 63 ? 0 : (int64_t)(ua << ub);
    case OP_SHR:
        return a >> (b < 0 || b > 63 ? 63 : b); /* keeps the sign */
    case OP_ADD:
        return (int64_t)(ua + ub);
    case OP_SUB:
        return (int64_t)(ua - ub);
    default:
        return (int64_t)(ua * ub);
    }
}

bool expression_apply(int what, const Value *left, const Value *right, Value *value) {
    const BinaryOp op = (BinaryOp)what;
    /* Addition to an ADDR, IP or MSG moves its address, as it does with a pointer. */
    const bool moves = op == OP_ADD || op == OP_SUB;
    const int64_t a =
        moves && holds_address(left) ? value_address(left) : value_number(left);
    const int64_t b = value_number(right);
    const bool divides = op == OP_DIV || op == OP_MOD;
    if (op == OP_EQ || op == OP_NE)
        *value = value_of_number(values_equal(left, right) == (op == OP_EQ));
    else if (!divides)
        *value = value_of_number(compute(op, a, b));
    else if (b == 0)
        *value = value_of_number(0);
    else if (b == -1)
        *value = value_of_number(op == OP_DIV ? compute(OP_SUB, 0, a) : 0);
    else
        *value = value_of_number(op == OP_DIV ? a / b : a % b);
    return !divides || b != 0;
}

/* Applies an operator to two values, and emits it. */
static Value apply(Reader *r, BinaryOp op, const Value *left, const Value *right,
                   const char *at) {
    Value value;
    if (!expression_apply((int)op, left, right, &value) && !r->dry)
        reader_fail(r, at, "division by zero");
    emit(r->compiled, (Do){.kind = DO_APPLY, .what = (int)op});
    return value;
}

static Value binary(Reader *r, int level);

/* Takes an operator of a level; -1 if something else comes. */
static int take_operator(Reader *r, int level) {
    skip_blanks(r->args);
    for (int i = 0; i < OPERATORS; i++) {
        if (strncmp(r->args->at, operators[i].text, strlen(operators[i].text)) != 0)
            continue;
        if (operators[i].level != level)
            return -1;
        r->args->at += strlen(operators[i].text);
        return i;
    }
    return -1;
}

/* Reads the right side of && or ||. It is evaluated only if it matters, but always
 * read. */
static Value logical(Reader *r, BinaryOp op, const Value *left, int level) {
    const bool was_dry = r->dry;
    const bool decided = value_true(left) == (op == OP_LOR);
    r->dry |= decided;
    const size_t decide = emit_decide(r->compiled, op == OP_LOR);
    const Value right = binary(r, level + 1);
    emit(r->compiled, (Do){.kind = DO_TRUTH});
    emit_target(r->compiled, decide);
    r->dry = was_dry;
    return value_of_number(decided ? op == OP_LOR : value_true(&right));
}

static Value unary(Reader *r) {
    const char *at = r->args->at;
    if (r->failed || ++r->depth > READER_DEPTH) {
        reader_fail(r, at, "nested too deeply");
        return value_of_number(0);
    }
    Value value;
    if (reader_take(r, "-")) {
        value = unary(r);
        value = value_of_number(compute(OP_SUB, 0, value_number(&value)));
        emit(r->compiled, (Do){.kind = DO_NEGATE});
    } else if (reader_take(r, "~")) {
        value = unary(r);
        value = value_of_number(~value_number(&value));
        emit(r->compiled, (Do){.kind = DO_INVERT});
    } else if (reader_take(r, "!")) {
        value = unary(r);
        value = value_of_number(!value_true(&value));
        emit(r->compiled, (Do){.kind = DO_NOT});
    } else {
        value = reader_primary(r);
    }
    r->depth--;
    return value;
}

/* Reads operators of a level and tighter ones, from left to right. */
static Value binary(Reader *r, int level) {
    if (level == LEVEL_UNARY)
        return unary(r);
    Value left = binary(r, level + 1);
    for (int i; !r->failed && (i = take_operator(r, level)) >= 0;) {
        const char *at = r->args->at;
        const BinaryOp op = operators[i].op;
        if (op == OP_LAND || op == OP_LOR) {
            left = logical(r, op, &left, level);
        } else {
            const Value right = binary(r, level + 1);
            left = apply(r, op, &left, &right, at);
        }
    }
    return left;
}

Value reader_expression(Reader *r) {
    return binary(r, 1);
}

/* ---- for commands ---------------------------------------------------------------- */

bool take_value(Args *args, Value *value) {
    Reader r = {.args = args, .node = args->d->node};
    *value = reader_expression(&r);
    return !r.failed;
}

bool evaluate_quietly(JmDebug *d, const char *text, unsigned node, Value *value) {
    Args args = {d, text, text};
    Reader r = {.args = &args, .node = node, .quiet = true};
    *value = reader_expression(&r);
    return !r.failed;
}

/* The values of variables are compiled in, so an expression must be compiled again
 * after a variable was set. */
void compile(JmDebug *d, const char *text, unsigned node, Compiled *compiled) {
    Args args = {d, text, text};
    Reader r = {
        .args = &args, .node = node, .quiet = true, .dry = true, .compiled = compiled};
    compiled->heap = d->heap;
    compiled_clear(compiled);
    reader_expression(&r);
    compiled->failed |= r.failed;
}

/* Only symbols are looked up, because variables may be set later. */
bool check_expression(Args *args, char **text, bool *foreign) {
    skip_blanks(args);
    const char *start = args->at;
    Reader r = {.args = args, .node = args->d->node, .dry = true};
    reader_expression(&r);
    if (r.failed)
        return false;
    *foreign = r.foreign;
    size_t length = (size_t)(args->at - start);
    while (length > 0 && isspace((unsigned char)start[length - 1]))
        length--;
    *text = text_copy(args->d->heap, start, length);
    return true;
}

bool take_number(Args *args, const char *what, int64_t low, int64_t high,
                 int64_t *number) {
    skip_blanks(args);
    const char *at = args->at;
    Value value;
    if (!take_value(args, &value))
        return false;
    *number = value_number(&value);
    if (*number < low || *number > high)
        return fail_at(args, at, "%s must be in %" PRId64 "..%" PRId64, what, low,
                       high);
    return true;
}

bool take_optional(Args *args, const char *what, int64_t low, int64_t high,
                   int64_t standard, int64_t *number) {
    *number = standard;
    return at_end(args) || take_number(args, what, low, high, number);
}

/* Returns the length of the file's name in "prog.s:12", 0 if that is not what comes. A
 * line number beyond all is INT_MAX. */
static size_t line_place(const char *at, int *line) {
    const size_t length = strcspn(at, " \t");
    size_t colon = length;
    while (colon > 0 && at[colon - 1] != ':')
        colon--;
    if (colon < 2 || colon == length)
        return 0;
    if (strspn(at + colon, "0123456789") != length - colon)
        return 0;
    if (jm_tag_by_name(at, colon - 1) >= 0)
        return 0;
    const unsigned long long number = strtoull(at + colon, NULL, 10);
    *line = number < INT_MAX ? (int)number : INT_MAX;
    return colon - 1;
}

/* Says that no word of code begins with a line, and which lines near it have one. A
 * line whose only instruction lies in the low half of a word has none. */
static bool fail_at_line(Args *args, const char *at, size_t file, int line) {
    int below, above;
    char others[64] = "";
    lines_around(args->d, at, file, line, &below, &above);
    if (below && above)
        snprintf(others, sizeof others, "; with lines %d and %d some do", below, above);
    else if (below || above)
        snprintf(others, sizeof others, "; with line %d some do", below + above);
    return fail_at(args, at, "no word of code begins with line %.*s of '%.*s'%s",
                   (int)(args->at - at - (ptrdiff_t)file - 1), at + file + 1, (int)file,
                   at, others);
}

bool take_file_line(Args *args, SourceLine *line) {
    skip_blanks(args);
    const char *at = args->at;
    const size_t length = line_place(at, &line->line);
    if (!length)
        return false;
    args->at += strcspn(at, " \t");
    line->file = source_file(args->d, at, length);
    return true;
}

bool take_address(Args *args, uint32_t *address) {
    skip_blanks(args);
    const char *at = args->at;
    int line;
    const size_t file = line_place(at, &line);
    if (file) {
        args->at += strcspn(at, " \t");
        return line_address(args->d, at, file, line, address) ||
               fail_at_line(args, at, file, line);
    }
    Value value;
    if (!take_value(args, &value))
        return false;
    *address = value_address(&value);
    if (*address == UINT32_MAX)
        return fail_at(args, at, "no address: memory is 0..0xFFFFF");
    return true;
}

bool take_place(Args *args, Place *place) {
    skip_blanks(args);
    const char *at = args->at;
    Reader r = {.args = args, .node = args->d->node};
    *place = (Place){.kind = PLACE_MEMORY, .node = args->d->node};
    if (reader_take(&r, "$")) {
        if (!reader_dollar(&r, place))
            return false;
    } else {
        const bool bracket = reader_take(&r, "[");
        const Value value = reader_expression(&r);
        if (r.failed)
            return false;
        place->address = value_address(&value);
        if (place->address == UINT32_MAX)
            return fail_at(args, at, "no address: memory is 0..0xFFFFF");
        if (bracket && !reader_take(&r, "]"))
            return reader_fail(&r, args->at, "']' expected");
        if (reader_take(&r, "@"))
            place->node = reader_node(&r);
    }
    return !r.failed;
}
