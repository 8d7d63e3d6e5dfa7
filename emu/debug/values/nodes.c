/* Takes nodes from a line: one, a range of ranks, a box of coordinates. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/values/values.h"

void nodeset_free(NodeSet *set) {
    heap_free(set->bits);
    set->bits = NULL;
}

/* Makes a set of no nodes. */
static void nodeset_clear(NodeSet *set, const JmDebug *d) {
    set->count = d->machine->nodes;
    set->bits = heap_alloc(d->heap, (d->machine->nodes / 64 + 1) * sizeof *set->bits);
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
    skip_blanks(args);
    const char *at = args->at;
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
    if (!take_nodes_or_selected(args, &set))
        return false;
    const bool good = expect_end(args);
    const size_t said = d->out.length;
    for (unsigned i = 0; good && i < d->machine->nodes; i++)
        if (nodeset_has(&set, i))
            function(d, i);
    nodeset_free(&set);
    if (good && nothing && d->out.length == said)
        say(d, "%s\n", nothing);
    return good;
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

bool take_word_of_node(Args *args, unsigned *node, uint32_t *address) {
    skip_blanks(args);
    const size_t length = strcspn(args->at, " \t");
    const char *colon = memchr(args->at, ':', length);
    const bool named =
        colon && strspn(args->at, "0123456789,()$") == (size_t)(colon - args->at);
    if (named) {
        if (!take_node(args, node))
            return false;
        if (*args->at != ':')
            return fail_at(args, args->at, "':' expected");
        args->at++;
    }
    return take_address(args, address);
}
