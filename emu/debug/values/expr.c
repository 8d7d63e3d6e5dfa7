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

Value value_of_constant(int64_t number) {
    return (Value){.number = number, .constant = true};
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

bool value_holds_address(const Value *value) {
    const unsigned tag = value->is_word ? jm_tag(value->word) : JM_TAG_INT;
    return tag == JM_TAG_ADDR || tag == JM_TAG_IP || tag == JM_TAG_MSG;
}

/* A word that holds an address stands for that address. */
uint32_t value_address(const Value *value) {
    if (value_holds_address(value))
        return jm_field20(jm_data(value->word));
    const int64_t number = value_number(value);
    return number < 0 || number > JM_ADDRESS_MASK ? UINT32_MAX : (uint32_t)number;
}

/* ---- reading --------------------------------------------------------------------- */

bool reader_fail(Reader *r, const char *at, const char *format, ...) {
    if (r->failed)
        return false;
    r->failed = true;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    if (!r->quiet)
        vsnprintf(text, sizeof text, format, arguments);
    else if (r->why)
        vsnprintf(r->why, REASON_TEXT, format, arguments);
    va_end(arguments);
    return !r->quiet && fail_at(r->args, at, "%s", text);
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

/* The operators. Longer ones precede their prefixes, so that "<=" is not read as "<".
 * Higher levels bind tighter. */
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

/* Applies an operator to two values, and emits it. */
static Value apply(Reader *r, BinaryOp op, const Value *left, const Value *right,
                   const char *at) {
    Value value;
    Reason why;
    if (!expression_apply((int)op, left, right, &value, why) && !r->dry)
        reader_fail(r, at, "%s", why);
    emit(r->compiled, (Do){.kind = DO_APPLY, .what = (int)op});
    return value;
}

static Value binary(Reader *r, int level);

/* Takes an operator of a level; -1 if something else follows. */
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
        value = value_negated(&value);
        emit(r->compiled, (Do){.kind = DO_NEGATE});
    } else if (reader_take(r, "~")) {
        value = unary(r);
        value = value_inverted(&value);
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

bool evaluate_quietly(JmDebug *d, const char *text, unsigned node, const Value *old,
                      Value *value, Reason why) {
    Args args = {d, text, text};
    Reader r = {.args = &args,
                .node = node,
                .quiet = true,
                .has_old = old != NULL,
                .old = old,
                .why = why};
    *value = reader_expression(&r);
    return !r.failed;
}

/* The values of variables are compiled in, so an expression must be compiled again
 * after a variable was set. */
void compile(JmDebug *d, const char *text, unsigned node, Compiled *compiled) {
    Args args = {d, text, text};
    Reader r = {.args = &args,
                .node = node,
                .quiet = true,
                .dry = true,
                .has_old = true,
                .compiled = compiled};
    compiled->heap = d->heap;
    compiled_clear(compiled);
    reader_expression(&r);
    compiled->failed |= r.failed;
}

/* Whether the expression read from `start` on can have a value. If not, prints why. */
static bool can_have_value(Args *args, const char *start, bool old) {
    Args again = {args->d, args->line, start};
    Compiled compiled = {.heap = args->d->heap};
    Reason why;
    Reader r = {.args = &again,
                .node = args->d->node,
                .quiet = true,
                .dry = true,
                .lasting = true,
                .has_old = old,
                .compiled = &compiled};
    reader_expression(&r);
    const bool never = !r.failed && !compiled.failed && compiled_never(&compiled, why);
    compiled_clear(&compiled);
    return !never || fail_at(args, start, "this can never have a value: %s", why);
}

/* Only symbols are looked up, because variables may be set later. */
bool check_expression(Args *args, bool old, char **text, bool *foreign) {
    skip_blanks(args);
    const char *start = args->at;
    Reader r = {.args = args, .node = args->d->node, .dry = true, .has_old = old};
    reader_expression(&r);
    if (r.failed || !can_have_value(args, start, old))
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

/* Returns the length of the file's name in "prog.s:12", 0 if the text has another form.
 * A line number that is too large is INT_MAX. */
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

/* Reports that a line has no code, and which lines near it have some. */
static bool fail_at_line(Args *args, const char *at, size_t file, int line) {
    int below, above;
    char others[64] = "";
    lines_around(args->d, at, file, line, &below, &above);
    if (below && above)
        snprintf(others, sizeof others, "; lines %d and %d have some", below, above);
    else if (below || above)
        snprintf(others, sizeof others, "; line %d has some", below + above);
    return fail_at(args, at, "line %.*s of '%.*s' has no code%s",
                   (int)(args->at - at - (ptrdiff_t)file - 1), at + file + 1, (int)file,
                   at, others);
}

bool take_file_line(Args *args, SourceLine *line, bool *found) {
    char files[LONG_TEXT];
    skip_blanks(args);
    const char *at = args->at;
    const size_t length = line_place(at, &line->line);
    *found = length != 0;
    if (!length)
        return true;
    args->at += strcspn(at, " \t");
    const unsigned count =
        source_files(args->d, at, length, &line->file, files, sizeof files);
    if (count > 1)
        return fail_at(args, at, "'%.*s' means several files: %s", (int)length, at,
                       files);
    return count || fail_at(args, at, "the program has no such file");
}

/* Takes a symbol, or FILE:SYMBOL, that stands alone: all its places. False if something
 * else follows. */
static bool take_symbol(Args *args, Places *places) {
    char name[LONG_TEXT];
    const size_t length = strcspn(args->at, " \t");
    const char *behind = args->at + length + strspn(args->at + length, " \t");
    snprintf(name, sizeof name, "%.*s", (int)length, args->at);
    if (length >= sizeof name || (*behind && strchr("+-*/%&|^<>=!@", *behind)) ||
        !symbol_places(args->d, name, places))
        return false;
    args->at += length;
    return true;
}

bool take_places(Args *args, Places *places) {
    skip_blanks(args);
    const char *at = args->at;
    int line;
    const size_t file = line_place(at, &line);
    *places = (Places){.count = 0};
    if (file) {
        args->at += strcspn(at, " \t");
        return line_places(args->d, at, file, line, places) ||
               fail_at_line(args, at, file, line);
    }
    if (take_symbol(args, places))
        return true;
    Value value;
    if (!take_value(args, &value))
        return false;
    const uint32_t address = value_address(&value);
    if (address == UINT32_MAX)
        return fail_at(args, at, "no address: memory is 0..0xFFFFF");
    places_add(args->d, places, (CodePlace){address, false});
    return true;
}

bool take_address(Args *args, uint32_t *address) {
    Places places;
    Text text = {.heap = args->d->heap};
    skip_blanks(args);
    const char *at = args->at;
    bool good = take_places(args, &places), several = false;
    for (size_t i = 0; i < places.count; i++)
        several |= places.list[i].address != places.list[0].address;
    if (good)
        *address = places.list[0].address;
    if (good && several) {
        places_text(args->d, places.list, places.count, &text);
        good = fail_at(args, at, "this has several places: %s", text_get(&text));
    }
    text_free(&text);
    places_free(&places);
    return good;
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
