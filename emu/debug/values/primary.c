/* Reads the operands of expressions: numbers, symbols, registers, memory, words,
 * functions. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/expr.h"
#include "emu/debug/values/values.h"

/* ---- $ --------------------------------------------------------------------------- */

/* Reads the context after a register's name: ".0", ".1" or ".b". */
static bool context_suffix(const char *text, size_t length, JmContext *context) {
    if (length != 2 || text[0] != '.')
        return false;
    const char letter = text[1];
    if (letter != '0' && letter != '1' && letter != 'b')
        return false;
    *context = letter == 'b' ? JM_CONTEXT_BACKGROUND : (JmContext)(letter - '0');
    return true;
}

bool reader_dollar(Reader *r, Place *place) {
    const char *at = r->args->at;
    size_t length = reader_name_length(at);
    if (length == 0)
        return reader_fail(r, at, "a name expected after $");
    r->args->at += length;
    const size_t dot = strcspn(at, ".") < length ? strcspn(at, ".") : length;
    const int reg = jm_reg_by_name(at, dot);
    place->node = r->node;
    place->context = context_of(r->args->d, r->node);
    place->runs = dot == length && r->args->d->context < 0;
    place->foreign = false;
    if (reg >= 0 && dot < length &&
        !context_suffix(at + dot, length - dot, &place->context))
        return reader_fail(r, at + dot, "a context is .0, .1 or .b");
    if (reg >= 0) {
        place->kind = PLACE_REGISTER;
        place->reg = (JmReg)reg;
        if (reader_take(r, "@")) {
            place->node = reader_node(r);
            place->foreign = true;
        }
        if (dot == length)
            place->context = context_of(r->args->d, place->node);
        return !r->failed;
    }
    if (dot < length)
        return reader_fail(r, at, "no register $%.*s; names of variables have no dots",
                           (int)dot, at);
    if (length >= sizeof place->name)
        return reader_fail(r, at, "a name of a variable has at most %zu letters",
                           sizeof place->name - 1);
    place->kind = PLACE_VARIABLE;
    memcpy(place->name, at, length);
    place->name[length] = '\0';
    return true;
}

/* Finds a variable that the debugger keeps itself. */
static bool own_variable(const Reader *r, const char *name, Value *value) {
    const JmDebug *d = r->args->d;
    const struct {
        const char *name;
        int64_t value;
    } own[] = {{"cycle", (int64_t)d->machine->now},
               {"node", r->node},
               {"nodes", d->machine->nodes},
               {"context", context_of(d, r->node)},
               {"running", (int64_t)d->machine->node[r->node].running}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strcmp(own[i].name, name) != 0)
            continue;
        *value = value_of_number(own[i].value);
        return true;
    }
    return false;
}

/* Emits a variable of the debugger, whose value may change while the machine runs. */
static void emit_own_variable(Reader *r, const char *name, Value value) {
    static const struct {
        const char *name;
        DoKind kind;
    } changing[] = {{"cycle", DO_CYCLE},
                    {"node", DO_NODE},
                    {"context", DO_CONTEXT},
                    {"running", DO_RUNNING}};
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++) {
        if (strcmp(changing[i].name, name) != 0)
            continue;
        emit(r->compiled, (Do){.kind = changing[i].kind, .node = OWN_NODE});
        return;
    }
    emit(r->compiled, (Do){.kind = DO_PUSH, .value = value});
}

/* Returns $old. */
static Value old_value(Reader *r, const char *at) {
    emit(r->compiled, (Do){.kind = DO_OLD});
    if (!r->has_old)
        reader_fail(r, at,
                    "there is no $old here: it is what a word or value that is watched "
                    "was before, in a condition");
    return r->old ? *r->old : value_of_number(0);
}

/* Returns the value of a variable. One that is not set yet cannot be compiled. */
static Value variable_value(Reader *r, const Place *place, const char *at) {
    const JmDebug *d = r->args->d;
    Value value = value_of_number(0);
    if (strcmp(place->name, "old") == 0)
        return old_value(r, at);
    if (own_variable(r, place->name, &value)) {
        emit_own_variable(r, place->name, value);
        return value;
    }
    for (size_t i = 0; i < d->values->variable_count; i++) {
        if (strcmp(d->values->variables[i].name, place->name) != 0)
            continue;
        value = d->values->variables[i].value;
        emit(r->compiled,
             (Do){.kind = r->lasting ? DO_LATER : DO_PUSH, .value = value});
        return value;
    }
    if (r->lasting)
        emit(r->compiled, (Do){.kind = DO_LATER});
    else if (r->compiled)
        r->compiled->failed = true;
    if (!r->dry)
        reader_fail(r, at, "no register or variable $%s", place->name);
    return value;
}

void set_variable(JmDebug *d, const char *name, Value value) {
    for (size_t i = 0; i < d->values->variable_count; i++) {
        if (strcmp(d->values->variables[i].name, name) == 0) {
            d->values->variables[i].value = value;
            return;
        }
    }
    d->values->variables =
        text_grow(d->heap, d->values->variables, d->values->variable_count,
                  &d->values->variable_capacity, sizeof *d->values->variables);
    d->values->variables[d->values->variable_count++] =
        (Variable){text_copy_all(d->heap, name), value};
}

Value reader_place_value(Reader *r, const Place *place, const char *at) {
    const JmMachine *machine = r->args->d->machine;
    if (place->kind == PLACE_VARIABLE)
        return variable_value(r, place, at);
    r->foreign |= place->node != r->node;
    emit_place(r->compiled, place);
    if (place->kind == PLACE_REGISTER)
        return value_of_word(
            jm_register(machine, place->node, place->context, place->reg));
    return value_of_word(jm_read(machine, place->node, place->address));
}

/* ---- [memory], nodes ------------------------------------------------------------- */

/* Takes a node. In parentheses it may be an expression, evaluated for the reader's
 * current node, as in [total]@($node + 1). */
static bool take_own_node(Reader *r, unsigned *node) {
    JmDebug *d = r->args->d;
    const unsigned selected = d->node;
    d->node = r->node;
    const bool good = take_node(r->args, node);
    d->node = selected;
    return good;
}

unsigned reader_node(Reader *r) {
    const char *at = r->args->at;
    unsigned node = r->node;
    r->foreign = true;
    if (r->compiled && *at == '(')
        r->compiled->failed = true; /* which node it is can change */
    if (r->quiet) { /* the syntax was checked when the expression was defined */
        JmDebug *d = r->args->d;
        const size_t said = d->out.length;
        if (!take_own_node(r, &node)) {
            const char *error = d->out.bytes + said + strlen("error: ");
            reader_fail(r, at, "%.*s", (int)strcspn(error, "\n"), error);
            d->out.length = said;
        }
        return node;
    }
    if (!take_own_node(r, &node))
        r->failed = true;
    return node;
}

/* Reads a word of memory after its "[". */
static Value memory_value(Reader *r) {
    const char *at = r->args->at;
    const Value inner = reader_expression(r);
    Place place = {.kind = PLACE_MEMORY, .node = r->node};
    place.address = value_address(&inner);
    if (!r->failed && !reader_take(r, "]"))
        reader_fail(r, r->args->at, "']' expected");
    if (!r->failed && reader_take(r, "@")) {
        place.node = reader_node(r);
        place.foreign = true;
    }
    if (r->compiled && !r->failed)
        emit_place(r->compiled, &place);
    if (r->compiled)
        return value_of_number(0);
    if (!r->failed && place.address == UINT32_MAX && !r->dry)
        reader_fail(r, at, "no address: memory is 0..0xFFFFF");
    if (r->failed || place.address == UINT32_MAX)
        return value_of_number(0);
    return reader_place_value(r, &place, at);
}

/* ---- functions ------------------------------------------------------------------- */

enum { ARGUMENTS_MAX = 3 };

/* Reads the arguments after a "(". */
static unsigned arguments(Reader *r, Value *values) {
    unsigned count = 0;
    if (reader_take(r, ")"))
        return 0;
    do {
        if (count == ARGUMENTS_MAX) {
            reader_fail(r, r->args->at, "at most %d arguments", ARGUMENTS_MAX);
            return count;
        }
        values[count++] = reader_expression(r);
    } while (!r->failed && reader_take(r, ","));
    if (!r->failed && !reader_take(r, ")"))
        reader_fail(r, r->args->at, "')' expected");
    return count;
}

/* Emits a call. */
static void emit_call(Compiled *compiled, int kind, unsigned count) {
    if (compiled && expression_is_unsteady(kind))
        compiled->unsteady = true;
    emit(compiled,
         (Do){.kind = DO_CALL, .what = kind, .arguments = count, .node = OWN_NODE});
}

/* Reads a call of a function, or TAG(...), after its "(". */
static Value call_by_name(Reader *r, const char *name, size_t length) {
    Value values[ARGUMENTS_MAX] = {{0}};
    const int tag = jm_tag_by_name(name, length);
    const char *at = r->args->at;
    const unsigned count = arguments(r, values);
    if (r->failed)
        return value_of_number(0);
    if (tag >= 0) {
        const bool two = tag == JM_TAG_ADDR || tag == JM_TAG_MSG || tag == JM_TAG_IP;
        if (count < 1 || count > (two ? 2u : 1u))
            reader_fail(r, at, "%s takes %s", jm_tag_name((unsigned)tag),
                        two ? "one or two arguments" : "one argument");
        emit(r->compiled, (Do){.kind = DO_SHAPE, .what = tag, .arguments = count});
        return expression_shape((unsigned)tag, values, count);
    }
    unsigned takes;
    const int kind = expression_function(name, length, &takes);
    Value value = value_of_number(0);
    Reason why;
    if (kind < 0)
        reader_fail(r, name, "no function '%.*s'", (int)length, name);
    else if (count != takes)
        reader_fail(r, at, "%.*s takes %u argument%s", (int)length, name, takes,
                    plural(takes));
    if (r->failed)
        return value;
    emit_call(r->compiled, kind, count);
    if (!r->dry && !expression_call(r->args->d, r->node, kind, values, &value, why))
        reader_fail(r, at, "%s", why);
    return value;
}

/* ---- names and numbers ----------------------------------------------------------- */

/* Reads a decimal or hexadecimal number. */
static Value number(Reader *r) {
    const char *at = r->args->at;
    char *end;
    const bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    errno = 0;
    const uint64_t value = strtoull(at, &end, hexadecimal ? 16 : 10);
    if (errno == ERANGE)
        reader_fail(r, at, "this number does not fit 64 bits");
    if (isalnum((unsigned char)*end) || *end == '_')
        reader_fail(r, end,
                    "not a digit of a number; hexadecimal numbers begin with 0x");
    r->args->at = end;
    return value_of_constant((int64_t)value);
}

/* Emits a constant. */
static Value emit_value(Reader *r, Value value) {
    emit(r->compiled, (Do){.kind = DO_PUSH, .value = value});
    return value;
}

/* TAG:HEX, as words are printed. */
static Value literal(Reader *r, unsigned tag) {
    const char *at = r->args->at;
    const size_t digits = strspn(at, "0123456789abcdefABCDEF");
    if (digits == 0 || digits > 8 || isalnum((unsigned char)at[digits])) {
        reader_fail(r, at, "1 to 8 hexadecimal digits expected");
        return value_of_number(0);
    }
    r->args->at += digits;
    return value_of_word(jm_word(tag, (uint32_t)strtoul(at, NULL, 16)));
}

static void no_symbol(Reader *r, const char *at, size_t length, const char *name) {
    const JmMachine *machine = r->args->d->machine;
    JmSuggestion suggestion = jm_suggest_start(name);
    for (unsigned i = 0; jm_symbol_name(machine, i) && !r->failed; i++)
        jm_suggest_consider(&suggestion, jm_symbol_name(machine, i));
    const char *near = suggestion.best;
    reader_fail(r, at, "no symbol '%.*s'%s%s%s", (int)length, at,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static Value symbol(Reader *r, const char *at, size_t length) {
    static const struct {
        const char *name;
        JmWord word;
    } constants[] = {{"NIL", {0}},
                     {"FALSE", {(uint64_t)JM_TAG_BOOL << 32}},
                     {"TRUE", {(uint64_t)JM_TAG_BOOL << 32 | 1}}};
    char name[LONG_TEXT], places[LONG_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    const JmMachine *machine = r->args->d->machine;
    JmSymbolPlace place;
    const unsigned count =
        length < sizeof name ? jm_symbol_places(machine, name, &place, 1) : 0;
    if (count > 1)
        reader_fail(r, at, "'%s' has several places: %s; say FILE:SYMBOL", name,
                    jm_symbol_places_text(machine, name, places, sizeof places));
    if (count)
        return value_of_constant(place.value);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(constants[i].name, name) == 0)
            return value_of_word(constants[i].word);
    no_symbol(r, at, length, name);
    return value_of_number(0);
}

/* Returns the length of "FILE:symbol", 0 if the text has another form: FILE must be one
 * of the program's, since its name may contain operators. */
static size_t file_symbol_length(const Reader *r) {
    const char *at = r->args->at;
    const size_t file = strcspn(at, ": \t[]()@,");
    const size_t name = at[file] == ':' ? reader_name_length(at + file + 1) : 0;
    const bool tag = file && jm_tag_by_name(at, file) >= 0;
    return name && file && !tag && is_source_file(r->args->d, at, file)
               ? file + 1 + name
               : 0;
}

/* Reads a term that begins with a name: TAG:HEX, a call, or a symbol. */
static Value named(Reader *r) {
    const char *at = r->args->at;
    const size_t length = reader_name_length(at);
    if (length == 0) {
        reader_fail(r, at, *at ? "a value expected" : "something is missing here");
        return value_of_number(0);
    }
    r->args->at += length;
    const int tag = jm_tag_by_name(at, length);
    if (tag >= 0 && *r->args->at == ':') {
        r->args->at++;
        return emit_value(r, literal(r, (unsigned)tag));
    }
    if (*r->args->at == '(') {
        r->args->at++;
        return call_by_name(r, at, length);
    }
    return emit_value(r, symbol(r, at, length));
}

Value reader_primary(Reader *r) {
    const char next = reader_peek(r);
    const char *at = r->args->at;
    Place place;
    const size_t file_symbol = file_symbol_length(r);
    if (file_symbol) {
        r->args->at += file_symbol;
        return emit_value(r, symbol(r, at, file_symbol));
    }
    if (isdigit((unsigned char)next))
        return emit_value(r, number(r));
    if (reader_take(r, "["))
        return memory_value(r);
    if (reader_take(r, "$"))
        return reader_dollar(r, &place) ? reader_place_value(r, &place, at)
                                        : value_of_number(0);
    if (!reader_take(r, "("))
        return named(r);
    const Value value = reader_expression(r);
    if (!r->failed && !reader_take(r, ")"))
        reader_fail(r, r->args->at, "')' expected");
    return value;
}
