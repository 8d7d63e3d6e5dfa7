/* Values, and what expressions do with them: operators, functions, words made from
 * their parts. Comparisons follow C: a constant from 0x80000000 to 0xFFFFFFFF is
 * unsigned, and makes the comparison unsigned. */
#include <string.h>

#include "emu/debug/talk/names.h"
#include "emu/debug/talk/talk.h"
#include "emu/debug/values/compiled.h"
#include "net/net.h"

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

/* Whether a value is a word that holds an address, by its tag. */
static bool value_holds_address(const Value *value) {
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

/* ---- comparisons ----------------------------------------------------------------- */

/* Whether a number fits 32 bits, signed or unsigned. */
static bool fits_word(int64_t number) {
    return number >= INT32_MIN && number <= UINT32_MAX;
}

static bool is_comparison(BinaryOp op) {
    return op == OP_EQ || op == OP_NE || op == OP_LE || op == OP_GE || op == OP_LT ||
           op == OP_GT;
}

/* Whether a value is an unsigned constant, by the rules of C for 32 bits. */
static bool is_unsigned(const Value *value) {
    return value->constant && value->number > INT32_MAX && value->number <= UINT32_MAX;
}

/* Makes numbers unsigned that are to be compared as 32 bits: if one is an unsigned
 * constant; and a word equals a number if its 32 bits do. */
static void level_signs(BinaryOp op, const Value *left, const Value *right, int64_t *a,
                        int64_t *b) {
    const bool equality = op == OP_EQ || op == OP_NE;
    const bool one_word = left->is_word != right->is_word;
    const bool bits = is_unsigned(left) || is_unsigned(right) || (equality && one_word);
    if (!bits || !fits_word(*a) || !fits_word(*b))
        return;
    *a = (uint32_t)*a;
    *b = (uint32_t)*b;
}

static int64_t compare(BinaryOp op, const Value *left, const Value *right) {
    int64_t a = value_number(left), b = value_number(right);
    level_signs(op, left, right, &a, &b);
    switch (op) {
    case OP_LE:
        return a <= b;
    case OP_GE:
        return a >= b;
    case OP_LT:
        return a < b;
    case OP_GT:
        return a > b;
    default:
        return (left->is_word && right->is_word ? jm_same(left->word, right->word)
                                                : a == b) == (op == OP_EQ);
    }
}

/* ---- the others ------------------------------------------------------------------ */

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

bool expression_is_too_long(int what, const Value *constant, Reason why) {
    const BinaryOp op = (BinaryOp)what;
    if ((op != OP_EQ && op != OP_NE) || !constant->constant ||
        fits_word(constant->number))
        return false;
    snprintf(why, REASON_TEXT, "no word equals 0x%" PRIX64 ": a word has 32 bits",
             (uint64_t)constant->number);
    return true;
}

bool expression_divides_by_zero(int what, const Value *right, Reason why) {
    const BinaryOp op = (BinaryOp)what;
    if ((op != OP_DIV && op != OP_MOD) || value_number(right) != 0)
        return false;
    snprintf(why, REASON_TEXT, "division by zero");
    return true;
}

bool expression_apply(int what, const Value *left, const Value *right, Value *value,
                      Reason why) {
    const BinaryOp op = (BinaryOp)what;
    *value = value_of_number(0);
    if (expression_divides_by_zero(what, right, why) ||
        (left->is_word && expression_is_too_long(what, right, why)) ||
        (right->is_word && expression_is_too_long(what, left, why)))
        return false;
    /* Addition to an ADDR, IP or MSG moves its address, as with a pointer. */
    const bool moves = op == OP_ADD || op == OP_SUB;
    const int64_t a =
        moves && value_holds_address(left) ? value_address(left) : value_number(left);
    const int64_t b = value_number(right);
    const bool constant = left->constant && right->constant;
    if (is_comparison(op))
        *value = value_of_number(compare(op, left, right));
    else if (op != OP_DIV && op != OP_MOD)
        *value = value_of_number(compute(op, a, b));
    else if (b == -1)
        *value = value_of_number(op == OP_DIV ? compute(OP_SUB, 0, a) : 0);
    else
        *value = value_of_number(op == OP_DIV ? a / b : a % b);
    value->constant = constant;
    return true;
}

Value value_negated(const Value *value) {
    return (Value){.number = (int64_t)(0 - (uint64_t)value_number(value)),
                   .constant = value->constant};
}

Value value_inverted(const Value *value) {
    return (Value){.number = ~value_number(value), .constant = value->constant};
}

/* Where a message's flits are. */
typedef struct {
    uint64_t mark; /* of the channels they are in */
    uint32_t last; /* flits in the channel of the last one; 0: others are behind them */
} Position;

/* A message by its number, as last seen. */
typedef struct {
    uint64_t opened_cycle; /* distinguishes it from others with its number */
    Position position;
    uint64_t since; /* the cycle in which they were first seen there */
    bool flies;
} Stand;

struct Stalled {
    uint32_t room;   /* messages for which the arrays have room */
    uint64_t looked; /* the cycle of the last query */
    Stand *stands;
    Position *positions; /* of this query; unused between two of them */
};

static const uint64_t MARK_PRIME = UINT64_C(0x9E3779B97F4A7C15);

/* Adds a number to a mark: marks of different sequences differ, except for a chance of
 * one in 2^64. */
static uint64_t marked(uint64_t mark, uint64_t number) {
    mark = (mark ^ number) * MARK_PRIME;
    return mark ^ mark >> 32;
}

/* Marks messages by the channels that they are in. A channel may hold the last flits of
 * one message before the first of the next: then all of its flits are counted with the
 * next, and if a flit of the message in front moves, another channel shows it. */
static void mark_channels(const Net *net, Position *positions, uint32_t messages) {
    for (uint32_t i = 0; i < net_channel_count(net); i++) {
        const NetChannelState c = net_channel_state(net, i);
        if (c.owned && c.owner < messages) {
            uint64_t *mark = &positions[c.owner].mark;
            *mark = marked(*mark, (uint64_t)i << 32 | c.flits);
        }
        if (!c.flits || c.front_message >= messages ||
            (c.owned && c.front_message == c.owner))
            continue;
        Position *const front = &positions[c.front_message];
        front->mark = marked(front->mark, (uint64_t)i << 32);
        front->last = c.owned ? 0 : c.flits;
    }
}

static void make_room(const JmDebug *d, struct Stalled *s, uint32_t messages) {
    if (messages <= s->room)
        return;
    s->stands = heap_resize(d->heap, s->stands, messages * sizeof *s->stands);
    s->positions = heap_resize(d->heap, s->positions, messages * sizeof *s->positions);
    for (; s->room < messages; s->room++)
        s->stands[s->room] = (Stand){.flies = false};
}

static bool has_moved(const Position *from, const Position *to) {
    return from->mark != to->mark || (from->last && to->last && from->last != to->last);
}

/* Records where a message is; returns for how long its flits have been there. */
static uint64_t note(Stand *stand, const NetMessageState *m, Position position,
                     uint64_t now) {
    position.mark = marked(marked(position.mark, m->words_offered), m->words_delivered);
    if (!stand->flies || stand->opened_cycle != m->opened_cycle ||
        has_moved(&stand->position, &position))
        stand->since = now;
    *stand = (Stand){m->opened_cycle, position, stand->since, true};
    return now - stand->since;
}

/* Returns for how many cycles no flit has moved of the message in flight that has stood
 * still longest; 0 if none is in flight. It is counted from the cycle of the first
 * query, and again from there when the machine has gone back before that. */
static uint64_t stalled_cycles(const JmDebug *d) {
    const Net *net = netif_network(d->machine);
    const uint32_t messages = net_message_numbers(net);
    const uint64_t now = d->machine->now;
    if (!d->values->stalled)
        d->values->stalled = heap_alloc(d->heap, sizeof *d->values->stalled);
    struct Stalled *s = d->values->stalled;
    make_room(d, s, messages);
    for (uint32_t i = 0; i < s->room; i++) {
        s->positions[i] = (Position){0};
        if (s->looked > now)
            s->stands[i].flies = false;
    }
    s->looked = now;
    mark_channels(net, s->positions, messages);
    uint64_t longest = 0;
    for (uint32_t i = 0; i < s->room; i++) {
        NetMessageState state;
        const bool flies = i < messages && message_flies(net, i, &state);
        const uint64_t age =
            flies ? note(&s->stands[i], &state, s->positions[i], now) : 0;
        s->stands[i].flies = flies;
        longest = age > longest ? age : longest;
    }
    return longest;
}

/* ---- functions ------------------------------------------------------------------- */

typedef enum {
    CALL_TAG,
    CALL_DATA,
    CALL_BASE,
    CALL_LENGTH,
    CALL_WORD,
    CALL_QUEUE,
    CALL_ACTIVE,
    CALL_RANK,
    CALL_ROUTE,
    CALL_ABS,
    CALL_FLITS,
    CALL_IDLE,
    CALL_OLDEST,
    CALL_STALLED
} CallKind;

/* The functions: how many arguments each takes, and the range of the first. */
static const struct {
    const char *name;
    unsigned arguments;
    CallKind kind;
    int64_t most; /* of the first argument, from 0 on; 0: any */
} functions[] = {
#define COMMAND(...)
#define FUNCTION(name, parameters, count, kind, most, text)                            \
    {name, count, CALL_##kind, most},
#include "emu/debug/commands.def"
#undef COMMAND
};

int expression_function(const char *name, size_t length, unsigned *arguments) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) != length ||
            strncmp(functions[i].name, name, length) != 0)
            continue;
        *arguments = functions[i].arguments;
        return (int)functions[i].kind;
    }
    return -1;
}

const char *expression_caller(unsigned index) {
    enum { FUNCTIONS = sizeof functions / sizeof *functions };
    return index < FUNCTIONS ? functions[index].name : jm_tag_name(index - FUNCTIONS);
}

bool expression_is_unsteady(int kind) {
    return kind == CALL_QUEUE || kind == CALL_IDLE || kind == CALL_FLITS ||
           kind == CALL_OLDEST || kind == CALL_STALLED;
}

/* Returns how long ago the oldest message that is in flight was opened; 0: none is. */
static uint64_t oldest_age(const JmMachine *m) {
    const Net *net = netif_network(m);
    uint64_t oldest = m->now;
    for (uint32_t i = 0; i < net_message_numbers(net); i++) {
        NetMessageState state;
        if (message_flies(net, i, &state) && state.opened_cycle < oldest)
            oldest = state.opened_cycle;
    }
    return m->now - oldest;
}

bool expression_takes(int kind, const Value *argument, Reason why) {
    size_t i = 0;
    while (functions[i].kind != (CallKind)kind)
        i++;
    const int64_t first = value_number(argument), most = functions[i].most;
    if (!most || (first >= 0 && first <= most))
        return true;
    snprintf(why, REASON_TEXT, "the first argument of %s is 0..%" PRId64,
             functions[i].name, most);
    return false;
}

/* Calls a function whose arguments are in range. Those without an argument return
 * before one is read. */
static Value do_call(const JmDebug *d, unsigned node, int what, const Value *v) {
    const CallKind kind = (CallKind)what;
    const JmMachine *m = d->machine;
    if (kind == CALL_IDLE)
        return value_of_number(m->node[node].asleep);
    if (kind == CALL_OLDEST)
        return value_of_number((int64_t)oldest_age(m));
    if (kind == CALL_STALLED)
        return value_of_number((int64_t)stalled_cycles(d));
    const int64_t n = value_number(&v[0]);
    const uint32_t data = v[0].is_word ? jm_data(v[0].word) : (uint32_t)n;
    unsigned x, y, z;
    switch (kind) {
    case CALL_TAG:
        return value_of_number(v[0].is_word ? (int)jm_tag(v[0].word) : JM_TAG_INT);
    case CALL_DATA:
        return value_of_number(data);
    case CALL_BASE:
        return value_of_number(jm_field20(data));
    case CALL_LENGTH:
        return value_of_number(jm_field10(data));
    case CALL_WORD:
        return value_of_word(jm_word((unsigned)n, (uint32_t)value_number(&v[1])));
    case CALL_QUEUE:
        return value_of_number(jm_queue_words(m, node, (unsigned)n));
    case CALL_ACTIVE:
        return value_of_number(jm_task_active(m, node, (unsigned)n));
    case CALL_RANK:
        return value_of_number(n +
                               (int64_t)m->config.size_x *
                                   (value_number(&v[1]) +
                                    (int64_t)m->config.size_y * value_number(&v[2])));
    case CALL_ROUTE:
        if (n < 0 || n >= m->nodes)
            return value_of_number(-1);
        jm_node_position(m, (unsigned)n, &x, &y, &z);
        return value_of_word(jm_int((int32_t)jm_node_address(x, y, z)));
    case CALL_ABS:
        return value_of_number(n < 0 ? (int64_t)(0 - (uint64_t)n) : n);
    case CALL_FLITS: /* 0 to 5: +X to -Z */
        return value_of_number(
            (int64_t)jm_link_flits(m, node, (unsigned)n / 2, n % 2 == 0));
    case CALL_IDLE:
    case CALL_OLDEST:
    case CALL_STALLED:
        break;
    }
    return value_of_number(0);
}

bool expression_call(const JmDebug *d, unsigned node, int kind, const Value *arguments,
                     Value *value, Reason why) {
    const bool alone = kind == CALL_IDLE || kind == CALL_OLDEST || kind == CALL_STALLED;
    *value = value_of_number(0);
    if (!alone && !expression_takes(kind, &arguments[0], why))
        return false;
    *value = do_call(d, node, kind, arguments);
    return true;
}

/* Makes a word from its parts, by its tag: ADDR(base,length), MSG(handler,length),
 * IP(offset); others from their data. */
Value expression_shape(unsigned tag, const Value *v, unsigned count) {
    const uint32_t first = (uint32_t)value_number(&v[0]);
    const uint32_t second = count > 1 ? (uint32_t)value_number(&v[1]) : 0;
    if (tag == JM_TAG_IP)
        return value_of_word(jm_ip(value_address(&v[0]), second | JM_IP_ABSOLUTE));
    if (count > 1 && tag == JM_TAG_MSG)
        return value_of_word(jm_msg(value_address(&v[0]), second));
    if (count > 1)
        return value_of_word(jm_addr(value_address(&v[0]), second));
    return value_of_word(jm_word(tag, v[0].is_word ? jm_data(v[0].word) : first));
}
