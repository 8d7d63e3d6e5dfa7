/* The functions of expressions, and words made from their parts. */
#include <string.h>

#include "emu/debug/values/expr.h"
#include "emu/debug/values/stalled.h"
#include "net/net.h"

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
    {"tag", 1, CALL_TAG, 0},       {"data", 1, CALL_DATA, 0},
    {"base", 1, CALL_BASE, 0},     {"handler", 1, CALL_BASE, 0},
    {"offset", 1, CALL_BASE, 0},   {"length", 1, CALL_LENGTH, 0},
    {"word", 2, CALL_WORD, 15},    {"queue", 1, CALL_QUEUE, 1},
    {"active", 1, CALL_ACTIVE, 1}, {"rank", 3, CALL_RANK, JM_MAX_X - 1},
    {"route", 1, CALL_ROUTE, 0},   {"abs", 1, CALL_ABS, 0},
    {"flits", 1, CALL_FLITS, 5},   {"idle", 0, CALL_IDLE, 0},
    {"oldest", 0, CALL_OLDEST, 0}, {"stalled", 0, CALL_STALLED, 0},
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
