/* Reads expressions and nodes: operators, operands, sets of nodes, and how commands use
 * them.
 *
 *     expr    = binary [? expr : expr]
 *     binary  = binary operators as in C, from || down to *, then
 *     unary   = (- ~ !) unary | primary [@ node]
 *     primary = number | [FILE:]symbol | $register[.context] | $variable | [address]
 *             | TAG:HEX | TAG(expr,...) | function(expr,...) | (expr) */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/compiled.h"
#include "emu/debug/values/values.h"

/* Reads an expression and compiles it. */
typedef struct {
    Args *args;
    unsigned node; /* node of $registers and [memory] */
    bool quiet;    /* errors are not printed */
    bool lasting;  /* variables may have other values later */
    bool has_old;  /* there is, or will be, an $old */
    char *why;     /* quiet: a Reason that gets the error; NULL: it is dropped */
    bool foreign;  /* something of another node is read */
    bool failed;   /* an error was found, and printed once; nothing more is read */
    unsigned depth;
    Compiled compiled; /* so far */
} Reader;

enum { READER_DEPTH = 100 };

/* ---- reading --------------------------------------------------------------------- */

/* Prints an error, once, and records it. Returns false. */
static bool reader_fail(Reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool reader_fail(Reader *r, const char *at, const char *format, ...) {
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

/* Returns the next character after blanks. */
static char reader_peek(Reader *r) {
    skip_blanks(r->args);
    return *r->args->at;
}

/* Takes `text` if it comes next. */
static bool reader_take(Reader *r, const char *text) {
    skip_blanks(r->args);
    if (strncmp(r->args->at, text, strlen(text)) != 0)
        return false;
    r->args->at += strlen(text);
    return true;
}

/* Returns the length of a name: letters, digits, _ and dots. 0: there is none. */
static size_t reader_name_length(const char *at) {
    size_t length = 0;
    if (!isalpha((unsigned char)*at) && *at != '_' && *at != '.')
        return 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '.')
        length++;
    return length;
}

/* ---- nodes ----------------------------------------------------------------------- */

static bool is_in(const void *set, const Node *node) {
    return nodeset_has(set, node->rank);
}

const char *nodes_text(const JmDebug *d, const NodeSet *set, char text[NODES_TEXT]) {
    machine_nodes_text(d->machine, is_in, set, text, NODES_TEXT);
    return text;
}

/* Makes a set of no nodes. */
static void nodeset_clear(NodeSet *set, const JmDebug *d) {
    set->count = d->machine->nodes;
    set->bits = heap_alloc(d->work, nodeset_bytes(set));
}

/* Returns how many digits of a number are worth repeating in a message. */
static int shown_digits(const char *at) {
    enum { DIGITS_SHOWN = 24 };
    const size_t digits = strspn(at, "0123456789");
    return digits < DIGITS_SHOWN ? (int)digits : DIGITS_SHOWN;
}

/* Takes a coordinate or a rank below `limit`: digits, or an expression in
 * parentheses. */
static bool take_index(Args *args, int64_t limit, const char *what, int64_t *index) {
    const char *at = next_at(args);
    if (*at == '(') {
        Value value;
        args->at++;
        if (!take_value(args, &value))
            return false;
        skip_blanks(args);
        if (*args->at != ')')
            return fail_at(args, args->at, "')' expected");
        args->at++;
        *index = value_number(&value);
    } else if (isdigit((unsigned char)*at)) {
        char *end;
        const unsigned long long rank = strtoull(at, &end, 10);
        *index = rank > INT64_MAX ? INT64_MAX : (int64_t)rank;
        args->at = end;
    } else {
        return fail_at(args, at, "a node expected: its rank or x,y,z");
    }
    if (*index >= 0 && *index < limit)
        return true;
    if (*at == '(')
        return fail_at(args, at, "no %s %" PRId64 ": the machine has %" PRId64, what,
                       *index, limit);
    return fail_at(args, at, "no %s %.*s: the machine has %" PRId64, what,
                   shown_digits(at), at, limit);
}

/* Both ends included. */
typedef struct {
    int64_t low, high;
} Range;

/* Takes "3", "3-5" or "*" in one dimension. */
static bool take_range(Args *args, int64_t limit, const char *what, Range *range) {
    if (*args->at == '*') {
        args->at++;
        *range = (Range){0, limit - 1};
        return true;
    }
    if (!take_index(args, limit, what, &range->low))
        return false;
    range->high = range->low;
    if (*args->at != '-')
        return true;
    args->at++;
    const char *at = args->at;
    if (!take_index(args, limit, what, &range->high))
        return false;
    return range->high >= range->low || fail_at(args, at, "the range is empty");
}

/* Whether the argument has commas outside parentheses, so that it names coordinates. */
static bool has_commas(const char *at) {
    int depth = 0;
    for (; *at && (depth || !isspace((unsigned char)*at)); at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && *at == ',')
            return true;
        if (depth < 0)
            return false;
    }
    return false;
}

/* Takes a range in each of three dimensions. */
static bool take_box(Args *args, Range range[3]) {
    const JmConfig *c = &args->d->machine->config;
    const unsigned size[3] = {c->size_x, c->size_y, c->size_z};
    static const char *const what[3] = {"x", "y", "z"};
    for (unsigned i = 0; i < 3; i++) {
        if (i > 0 && *args->at != ',')
            return fail_at(args, args->at, "x,y,z has three coordinates");
        args->at += i > 0;
        if (!take_range(args, size[i], what[i], &range[i]))
            return false;
    }
    return true;
}

bool take_nodes(Args *args, NodeSet *set) {
    JmDebug *d = args->d;
    skip_blanks(args);
    *set = (NodeSet){NULL, d->machine->nodes};
    if (take_word(args, "all") || take_word(args, "*"))
        return true;
    Range range[3];
    const bool box = has_commas(args->at);
    if (box ? !take_box(args, range)
            : !take_range(args, d->machine->nodes, "node", &range[0]))
        return false;
    nodeset_clear(set, d);
    for (unsigned node = 0; node < d->machine->nodes; node++) {
        unsigned p[3] = {node, 0, 0};
        if (box)
            jm_node_position(d->machine, node, &p[0], &p[1], &p[2]);
        bool inside = true;
        for (unsigned i = 0; i < (box ? 3u : 1u); i++)
            inside &= p[i] >= range[i].low && p[i] <= range[i].high;
        if (inside)
            set->bits[node / 64] |= UINT64_C(1) << (node % 64);
    }
    return true;
}

bool take_nodes_or_all(Args *args, NodeSet *set) {
    *set = (NodeSet){NULL, args->d->machine->nodes};
    return at_end(args) || (take_nodes(args, set) && expect_end(args));
}

bool take_nodes_or_selected(Args *args, NodeSet *set) {
    if (!at_end(args))
        return take_nodes(args, set);
    nodeset_clear(set, args->d);
    set->bits[args->d->node / 64] |= UINT64_C(1) << (args->d->node % 64);
    return true;
}

bool for_nodes(Args *args, NodeFunction *function, const char *nothing) {
    JmDebug *d = args->d;
    NodeSet set;
    if (!take_nodes_or_selected(args, &set) || !expect_end(args))
        return false;
    const size_t said = d->out.length;
    for (unsigned i = 0; i < d->machine->nodes; i++)
        if (nodeset_has(&set, i))
            function(d, i);
    if (nothing && d->out.length == said)
        say(d, "%s\n", nothing);
    return true;
}

/* Takes a node without parentheses around coordinates. */
static bool take_bare_node(Args *args, unsigned *node) {
    const JmConfig *c = &args->d->machine->config;
    int64_t index;
    skip_blanks(args);
    if (!has_commas(args->at)) {
        if (!take_index(args, args->d->machine->nodes, "node", &index))
            return false;
        *node = (unsigned)index;
        return true;
    }
    const char *at = args->at;
    Range range[3];
    if (!take_box(args, range))
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (range[i].low != range[i].high)
            return fail_at(args, at, "one node expected, not a range");
    *node = (unsigned)(range[0].low +
                       c->size_x * (range[1].low + c->size_y * range[2].low));
    return true;
}

/* Whether "(x,y,z)" comes, as behind an @ among the arguments of a function, where
 * commas would end it. */
static bool is_wrapped_box(const char *at) {
    const size_t length = strcspn(at, ")");
    return *at == '(' && at[length] && memchr(at, ',', length) &&
           strspn(at + 1, "0123456789,") == length - 1;
}

bool take_node(Args *args, unsigned *node) {
    skip_blanks(args);
    const bool wrapped = is_wrapped_box(args->at);
    args->at += wrapped;
    if (!take_bare_node(args, node))
        return false;
    args->at += wrapped;
    return true;
}

/* Reads a whole expression. */
static void reader_expression(Reader *r);

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

/* Takes a node. In parentheses it may be an expression, evaluated for the reader's
 * current node, as in [total]@($node + 1). */
static bool take_own_node(Reader *r, unsigned *node) {
    JmDebug *d = r->args->d;
    const unsigned selected = d->node;
    const bool quiet = d->quiet;
    d->node = r->node;
    d->quiet |= r->quiet;
    const bool good = take_node(r->args, node);
    d->node = selected;
    d->quiet = quiet;
    return good;
}

/* Reads the node after an @. */
static unsigned reader_node(Reader *r) {
    const char *at = r->args->at;
    unsigned node = r->node;
    r->foreign = true;
    r->compiled.once |= *at == '('; /* which node it is can change */
    const bool good = take_own_node(r, &node);
    if (!good && r->quiet) /* the syntax was checked when the expression was defined */
        reader_fail(r, at, "%s", text_get(&r->args->d->error));
    r->failed |= !good;
    return node;
}

/* gdb's name of the IP. */
static bool is_pc(const char *name, size_t length) {
    return length == 2 && memcmp(name, "pc", 2) == 0;
}

/* Reads the register or variable after a $. False after an error. */
static bool reader_dollar(Reader *r, Place *place) {
    const char *at = r->args->at;
    size_t length = reader_name_length(at);
    if (length == 0)
        return reader_fail(r, at, "a name expected after $");
    r->args->at += length;
    const size_t dot = strcspn(at, ".") < length ? strcspn(at, ".") : length;
    const int reg = is_pc(at, dot) ? JM_REG_IP : jm_reg_by_name(at, dot);
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

/* Emits a constant. */
static void emit_value(Reader *r, Value value) {
    emit(&r->compiled, (Do){.kind = DO_PUSH, .value = value});
}

/* The variables that the debugger keeps itself; $nodes is a constant. */
static const struct {
    const char *name;
    DoKind kind;
} own_variables[] = {{"cycle", DO_CYCLE},     {"node", DO_NODE},
                     {"nodes", DO_PUSH},      {"context", DO_CONTEXT},
                     {"running", DO_RUNNING}, {"old", DO_OLD}};

const char *own_variable(unsigned index) {
    return index < sizeof own_variables / sizeof *own_variables
               ? own_variables[index].name
               : NULL;
}

/* Emits a variable of the debugger's own. False: none has this name. */
static bool emit_own_variable(Reader *r, const char *name) {
    for (unsigned i = 0; own_variable(i); i++)
        if (strcmp(own_variable(i), name) == 0) {
            emit(&r->compiled,
                 (Do){.kind = own_variables[i].kind,
                      .value = value_of_number(r->args->d->machine->nodes)});
            return true;
        }
    return false;
}

/* Emits a variable by its value, which is that of the time of compiling. */
static void emit_variable(Reader *r, const Place *place, const char *at) {
    const Values *values = r->args->d->values;
    if (strcmp(place->name, "old") == 0 && !r->has_old)
        reader_fail(r, at,
                    "there is no $old here: it is what a word or value that is watched "
                    "was before, in a condition");
    if (emit_own_variable(r, place->name))
        return;
    Do step = {.kind = r->lasting ? DO_LATER : DO_MISSING,
               .at = at,
               .name = at + 1,
               .what = (int)strlen(place->name)};
    for (size_t i = 0; i < values->variable_count && !r->lasting; i++)
        if (strcmp(values->variables[i].name, place->name) == 0)
            step = (Do){.kind = DO_PUSH, .value = values->variables[i].value};
    r->compiled.once |= step.kind == DO_MISSING; /* it may be set later */
    emit(&r->compiled, step);
}

void set_variable(JmDebug *d, const char *name, Value value) {
    for (size_t i = 0; i < d->values->variable_count; i++) {
        if (strcmp(d->values->variables[i].name, name) == 0) {
            d->values->variables[i].value = value;
            return;
        }
    }
    d->values->variables =
        heap_grow(d->heap, d->values->variables, d->values->variable_count,
                  &d->values->variable_capacity, sizeof *d->values->variables);
    d->values->variables[d->values->variable_count++] =
        (Variable){text_copy_all(d->heap, name), value};
}

/* Emits the value at a place. */
static void emit_place_value(Reader *r, const Place *place, const char *at) {
    r->foreign |= place->kind != PLACE_VARIABLE && place->node != r->node;
    if (place->kind == PLACE_VARIABLE)
        emit_variable(r, place, at);
    else
        emit_place(&r->compiled, place, at);
}

/* ---- [memory], nodes ------------------------------------------------------------- */

/* Reads a word of memory after its "[". */
static void memory_value(Reader *r) {
    const char *at = r->args->at;
    Place place = {.kind = PLACE_MEMORY, .node = r->node};
    reader_expression(r);
    if (!r->failed && !reader_take(r, "]"))
        reader_fail(r, r->args->at, "']' expected");
    if (!r->failed && reader_take(r, "@")) {
        place.node = reader_node(r);
        place.foreign = true;
    }
    if (!r->failed)
        emit_place_value(r, &place, at);
}

/* ---- functions ------------------------------------------------------------------- */

enum { ARGUMENTS_MAX = 3 };

/* Reads the arguments after a "(". */
static unsigned arguments(Reader *r) {
    unsigned count = 0;
    if (reader_take(r, ")"))
        return 0;
    do {
        if (count == ARGUMENTS_MAX) {
            reader_fail(r, r->args->at, "at most %d arguments", ARGUMENTS_MAX);
            return count;
        }
        reader_expression(r);
        count++;
    } while (!r->failed && reader_take(r, ","));
    if (!r->failed && !reader_take(r, ")"))
        reader_fail(r, r->args->at, "')' expected");
    return count;
}

/* Emits a word made from its parts. */
static void emit_shape(Reader *r, unsigned tag, unsigned count, const char *at) {
    const bool two = tag == JM_TAG_ADDR || tag == JM_TAG_MSG || tag == JM_TAG_IP;
    if (count < 1 || count > (two ? 2u : 1u))
        reader_fail(r, at, "%s takes %s", jm_tag_name(tag),
                    two ? "one or two arguments" : "one argument");
    emit(&r->compiled, (Do){.kind = DO_SHAPE, .what = (int)tag, .arguments = count});
}

/* Reads a call of a function, or TAG(...), after its "(". */
static void call_by_name(Reader *r, const char *name, size_t length) {
    const int tag = jm_tag_by_name(name, length);
    const char *at = r->args->at;
    const unsigned count = arguments(r);
    if (r->failed)
        return;
    if (tag >= 0) {
        emit_shape(r, (unsigned)tag, count, at);
        return;
    }
    unsigned takes;
    const int kind = expression_function(name, length, &takes);
    if (kind < 0)
        reader_fail(r, name, "no function '%.*s'%s", (int)length, name,
                    nearest_text(r->args->d, name, length, expression_caller, ""));
    else if (count != takes)
        reader_fail(r, at, "%.*s takes %u argument%s", (int)length, name, takes,
                    plural(takes));
    if (r->failed)
        return;
    r->compiled.unsteady |= expression_is_unsteady(kind);
    emit(&r->compiled,
         (Do){.kind = DO_CALL, .what = kind, .arguments = count, .at = at});
}

/* ---- names and numbers ----------------------------------------------------------- */

/* Returns the base of a number, by its prefix: 0x, 0b or none. */
static int base_of(const char *at) {
    const int letter = at[0] == '0' ? tolower((unsigned char)at[1]) : 0;
    return letter == 'x' ? 16 : letter == 'b' ? 2 : 10;
}

/* Reads a decimal, hexadecimal or binary number. */
static Value number(Reader *r) {
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *at = r->args->at;
    const int base = base_of(at);
    const char *first = at + (base == 10 ? 0 : 2);
    char set[sizeof digits];
    snprintf(set, sizeof set, "%.*s", base == 16 ? (int)sizeof digits : base, digits);
    const char *end = first + strspn(first, set);
    errno = 0;
    const uint64_t value = strtoull(first, NULL, base);
    if (errno == ERANGE)
        reader_fail(r, at, "this number does not fit 64 bits");
    if (end == first || isalnum((unsigned char)*end) || *end == '_')
        reader_fail(r, end,
                    "not a digit of a number; hexadecimal numbers begin with 0x, "
                    "binary ones with 0b");
    r->args->at = end;
    return value_of_constant((int64_t)value);
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
    reader_fail(r, at, "no symbol '%.*s'%s", (int)length, at,
                jm_suggest_text(&suggestion, "", ""));
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
static void named(Reader *r) {
    const char *at = r->args->at;
    const size_t length = reader_name_length(at);
    if (length == 0) {
        reader_fail(r, at, *at ? "a value expected" : "something is missing here");
        return;
    }
    r->args->at += length;
    const int tag = jm_tag_by_name(at, length);
    if (tag >= 0 && *r->args->at == ':') {
        r->args->at++;
        emit_value(r, literal(r, (unsigned)tag));
    } else if (*r->args->at == '(') {
        r->args->at++;
        call_by_name(r, at, length);
    } else {
        emit_value(r, symbol(r, at, length));
    }
}

/* Reads an operand: a term between operators. */
static void reader_primary(Reader *r) {
    const char next = reader_peek(r);
    const char *at = r->args->at;
    Place place;
    const size_t file_symbol = file_symbol_length(r);
    if (file_symbol) {
        r->args->at += file_symbol;
        emit_value(r, symbol(r, at, file_symbol));
    } else if (isdigit((unsigned char)next)) {
        emit_value(r, number(r));
    } else if (reader_take(r, "[")) {
        memory_value(r);
    } else if (reader_take(r, "$")) {
        if (reader_dollar(r, &place))
            emit_place_value(r, &place, at);
    } else if (reader_take(r, "(")) {
        reader_expression(r);
        if (!r->failed && !reader_take(r, ")"))
            reader_fail(r, r->args->at, "')' expected");
    } else {
        named(r);
    }
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

static void binary(Reader *r, int level);

/* Takes an operator of a level; -1 if something else follows. */
static int take_operator(Reader *r, int level) {
    skip_blanks(r->args);
    for (int i = 0; i < OPERATORS; i++) {
        const char *text = operators[i].text;
        if (*r->args->at != *text || strncmp(r->args->at, text, strlen(text)) != 0)
            continue;
        if (operators[i].level != level)
            return -1;
        r->args->at += strlen(text);
        return i;
    }
    return -1;
}

/* Reads the right side of && or ||, which is evaluated only if it matters. */
static void logical(Reader *r, BinaryOp op, int level) {
    const size_t decide = emit_jump(&r->compiled, DO_DECIDE, op == OP_LOR);
    binary(r, level + 1);
    emit(&r->compiled, (Do){.kind = DO_TRUTH});
    emit_target(&r->compiled, decide);
}

static void unary(Reader *r) {
    static const struct {
        const char *text;
        DoKind kind;
    } prefixes[] = {{"-", DO_NEGATE}, {"~", DO_INVERT}, {"!", DO_NOT}};
    const char *at = r->args->at;
    if (r->failed || ++r->depth > READER_DEPTH || compiled_is_full(&r->compiled)) {
        reader_fail(r, at, "nested too deeply");
        return;
    }
    size_t i = 0;
    while (i < sizeof prefixes / sizeof *prefixes && !reader_take(r, prefixes[i].text))
        i++;
    if (i < sizeof prefixes / sizeof *prefixes) {
        unary(r);
        emit(&r->compiled, (Do){.kind = prefixes[i].kind});
    } else {
        reader_primary(r);
    }
    r->depth--;
}

/* Reads operators of a level and tighter ones, from left to right. */
static void binary(Reader *r, int level) {
    if (level == LEVEL_UNARY) {
        unary(r);
        return;
    }
    binary(r, level + 1);
    for (int i; !r->failed && (i = take_operator(r, level)) >= 0;) {
        const char *at = r->args->at;
        const BinaryOp op = operators[i].op;
        if (op == OP_LAND || op == OP_LOR) {
            logical(r, op, level);
            continue;
        }
        binary(r, level + 1);
        emit(&r->compiled, (Do){.kind = DO_APPLY, .what = (int)op, .at = at});
    }
}

/* Reads the two values of a ?: behind its condition; only one is evaluated. */
static void choice(Reader *r) {
    if (++r->depth > READER_DEPTH) {
        reader_fail(r, r->args->at, "nested too deeply");
        return;
    }
    const size_t choose = emit_jump(&r->compiled, DO_CHOOSE, false);
    reader_expression(r);
    if (!r->failed && !reader_take(r, ":"))
        reader_fail(r, r->args->at, "':' expected");
    const size_t skip = emit_jump(&r->compiled, DO_SKIP, false);
    emit_target(&r->compiled, choose);
    reader_expression(r);
    emit_target(&r->compiled, skip);
    emit(&r->compiled, (Do){.kind = DO_CHOSEN});
    r->depth--;
}

static void reader_expression(Reader *r) {
    binary(r, 1);
    if (!r->failed && reader_take(r, "?"))
        choice(r);
}

/* ---- for commands ---------------------------------------------------------------- */

/* Reads an expression and evaluates it. */
static bool reader_value(Reader *r, const Value *old, Value *value) {
    Reason why;
    const Sight sight = {.d = r->args->d, .node = r->node, .old = old, .why = why};
    const char *at;
    r->compiled.heap = r->args->d->work;
    reader_expression(r);
    if (!r->failed && compiled_find(&r->compiled, &sight, value, &at) != COMPUTED)
        reader_fail(r, at, "%s", why);
    compiled_clear(&r->compiled);
    return !r->failed;
}

bool take_value(Args *args, Value *value) {
    Reader r = {.args = args, .node = args->d->node};
    return reader_value(&r, NULL, value);
}

bool evaluate_quietly(JmDebug *d, const char *text, unsigned node, const Value *old,
                      Value *value, Reason why) {
    Args args = {d, text, text};
    Reader r = {
        .args = &args, .node = node, .quiet = true, .has_old = old != NULL, .why = why};
    return reader_value(&r, old, value);
}

/* The values of variables are compiled in, so an expression must be compiled again
 * after a variable was set. */
Compiled *compile(JmDebug *d, const char *text, unsigned node) {
    Args args = {d, text, text};
    Reader r = {.args = &args,
                .node = node,
                .quiet = true,
                .has_old = true,
                .compiled = {.heap = d->heap}};
    reader_expression(&r);
    if (!r.failed && !r.compiled.once)
        return heap_copy(d->heap, &r.compiled, sizeof r.compiled);
    compiled_clear(&r.compiled);
    return NULL;
}

/* Variables may be set later, so nothing is said of those that are not. */
bool check_expression(Args *args, bool old, char **text, bool *foreign) {
    const char *start = next_at(args);
    Reason why;
    Reader r = {.args = args,
                .node = args->d->node,
                .lasting = true,
                .has_old = old,
                .compiled = {.heap = args->d->work}};
    reader_expression(&r);
    const bool never =
        !r.failed && !r.compiled.once && compiled_never(&r.compiled, why);
    if (never)
        fail_at(args, start, "this can never have a value: %s", why);
    if (r.failed || never)
        return false;
    *foreign = r.foreign;
    size_t length = (size_t)(args->at - start);
    while (length > 0 && isspace((unsigned char)start[length - 1]))
        length--;
    *text = text_copy(args->d->work, start, length);
    return true;
}

bool take_place(Args *args, Place *place) {
    const char *at = next_at(args);
    Reader r = {.args = args, .node = args->d->node};
    *place = (Place){.kind = PLACE_MEMORY, .node = args->d->node};
    if (reader_take(&r, "$")) {
        if (!reader_dollar(&r, place))
            return false;
    } else {
        const bool bracket = reader_take(&r, "[");
        Value value;
        if (!reader_value(&r, NULL, &value))
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
