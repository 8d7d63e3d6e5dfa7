/* The oracle's instructions, section 5 row by row. Every function returns a fault or
 * ORACLE_NO_FAULT and changes nothing (but MAR) when it returns one. */
#include "tests/isa/oracle_parts.h"

bool oracle_form_has_rs(unsigned op) {
    switch (op) {
    case 0x02: /* WRITE */
    case 0x04: /* WRITER */
    case 0x06: /* WTAG */
    case 0x2D: /* PROBE */
    case 0x36: /* SEND2 */
    case 0x37: /* SEND2E */
        return true;
    case 0x0D: /* undefined */
    case 0x1B: /* FFB NOT NEG */
    case 0x1C:
    case 0x1D:
        return false;
    default:
        return (op >= 0x09 && op <= 0x12) || (op >= 0x18 && op <= 0x1A) ||
               (op >= 0x20 && op <= 0x29) || op >= 0x3A;
    }
}

static void set_rd(OracleRun *run, JmWord word) {
    run->context->r[run->op2] = word;
}

static bool is_int(JmWord word) {
    return jm_tag(word) == JM_TAG_INT;
}

static bool is_bool(JmWord word) {
    return jm_tag(word) == JM_TAG_BOOL;
}

/* READ, RTAG, WTAG, CHECK and the register moves. Only CFUT cannot be copied; a value
 * above 15 is not a tag in either mode. */
static int move(OracleRun *run) {
    const bool checked = run->checked;
    const JmWord operand = run->operand;
    switch (run->op) {
    case 0x01: /* READ */
    case 0x03: /* READR */
        if (checked && jm_tag(operand) == JM_TAG_CFUT)
            return ORACLE_CFUT;
        set_rd(run, operand);
        return ORACLE_NO_FAULT;
    case 0x05: /* RTAG */
        if (checked && jm_tag(operand) == JM_TAG_CFUT)
            return ORACLE_CFUT;
        set_rd(run, jm_int((int32_t)jm_tag(operand)));
        return ORACLE_NO_FAULT;
    case 0x06: /* WTAG */
        if (checked && !is_int(operand))
            return oracle_wrong_tag(operand);
        if (jm_data(operand) > 15)
            return ORACLE_TYPE;
        set_rd(run, jm_word(jm_data(operand), jm_data(run->rs)));
        return ORACLE_NO_FAULT;
    default: /* CHECK */
        if (checked && !is_int(operand))
            return oracle_wrong_tag(operand);
        set_rd(run, jm_bool(jm_tag(run->rs) == (jm_data(operand) & 15)));
        return ORACLE_NO_FAULT;
    }
}

/* Shifts by a signed amount, left if positive; `lost` is set if a left shift lost
 * information. */
static uint32_t shift_arithmetic(int32_t value, int32_t amount, bool *lost) {
    const int64_t wide = value;
    *lost = false;
    if (amount < -31)
        return (uint32_t)(wide >> 31);
    if (amount <= 0)
        return (uint32_t)(wide >> -amount);
    if (amount > 31) {
        *lost = value != 0 && value != -1;
        return (uint32_t)(wide >> 31);
    }
    const int64_t result = wide * (INT64_C(1) << amount);
    *lost = result < INT32_MIN || result > INT32_MAX;
    return (uint32_t)result;
}

static uint32_t shift_logical(uint32_t value, int32_t amount, bool *lost) {
    *lost = false;
    if (amount < -31)
        return 0;
    if (amount <= 0)
        return value >> -amount;
    if (amount > 31) {
        *lost = value != 0;
        return 0;
    }
    const uint64_t result = (uint64_t)value << amount;
    *lost = result > UINT32_MAX;
    return (uint32_t)result;
}

static uint32_t rotate(uint32_t value, uint32_t amount) {
    for (amount %= 32; amount > 0; amount--)
        value = value << 1 | value >> 31;
    return value;
}

static bool fits(int64_t value) {
    return value >= INT32_MIN && value <= INT32_MAX;
}

/* Data of the result of a two-operand operation on integers. */
static uint32_t compute(const OracleRun *run, bool *overflow) {
    const uint32_t x = jm_data(run->rs), y = jm_data(run->operand);
    const int64_t a = (int32_t)x, b = (int32_t)y;
    *overflow = false;
    switch (run->op) {
    case 0x0A: /* CARRY */
        *overflow = !fits(a + b);
        return (uint32_t)(((uint64_t)x + y) >> 32);
    case 0x0B: /* ADD */
        *overflow = !fits(a + b);
        return x + y;
    case 0x0C: /* SUB */
        *overflow = !fits(a - b);
        return x - y;
    case 0x0E: /* MULH */
        *overflow = !fits(a * b);
        return (uint32_t)((uint64_t)(a * b) >> 32);
    case 0x0F: /* MUL */
        *overflow = !fits(a * b);
        return (uint32_t)(uint64_t)(a * b);
    case 0x10:
        return shift_arithmetic((int32_t)x, (int32_t)y, overflow);
    case 0x11:
        return shift_logical(x, (int32_t)y, overflow);
    default: /* ROT */
        return rotate(x, y);
    }
}

/* Rs is tested before op0, both before OVERFLOW. Unchecked the result has the tag of
 * Rs, but a carry is always INT. */
static int arithmetic(OracleRun *run) {
    bool overflow;
    if (run->checked && !is_int(run->rs))
        return oracle_wrong_tag(run->rs);
    if (run->checked && !is_int(run->operand))
        return oracle_wrong_tag(run->operand);
    const uint32_t data = compute(run, &overflow);
    if (run->checked && overflow)
        return ORACLE_OVERFLOW;
    const bool as_rs = !run->checked && run->op != 0x0A;
    set_rd(run, jm_word(as_rs ? jm_tag(run->rs) : JM_TAG_INT, data));
    return ORACLE_NO_FAULT;
}

/* AND, OR, XOR: both INT or both BOOL; the tag of Rs in both modes. */
static int logic(OracleRun *run) {
    const uint32_t x = jm_data(run->rs), y = jm_data(run->operand);
    if (run->checked && !is_int(run->rs) && !is_bool(run->rs))
        return oracle_wrong_tag(run->rs);
    if (run->checked && jm_tag(run->rs) != jm_tag(run->operand))
        return oracle_wrong_tag(run->operand);
    const uint32_t data = run->op == 0x18 ? x & y : run->op == 0x19 ? x | y : x ^ y;
    set_rd(run, jm_word(jm_tag(run->rs), data));
    return ORACLE_NO_FAULT;
}

/* Bits from bit 30 down that equal the sign bit, before the first that differs. */
static uint32_t equal_to_sign(uint32_t value) {
    uint32_t count = 0;
    for (int bit = 30; bit >= 0; bit--) {
        if (((value >> bit) & 1) != value >> 31)
            break;
        count++;
    }
    return count;
}

/* FFB, NOT, NEG: unchecked the result has the tag of op0, but a count is always INT. */
static int one_operand(OracleRun *run) {
    const JmWord operand = run->operand;
    const uint32_t data = jm_data(operand);
    const bool may_be_bool = run->op == 0x1C && is_bool(operand);
    if (run->checked && !is_int(operand) && !may_be_bool)
        return oracle_wrong_tag(operand);
    switch (run->op) {
    case 0x1B:
        set_rd(run, jm_word(JM_TAG_INT, equal_to_sign(data)));
        return ORACLE_NO_FAULT;
    case 0x1C:
        set_rd(run, jm_word(jm_tag(operand), is_bool(operand) ? data ^ 1 : ~data));
        return ORACLE_NO_FAULT;
    default: /* NEG */
        if (run->checked && data == 0x80000000)
            return ORACLE_OVERFLOW;
        set_rd(run, jm_word(jm_tag(operand), 0 - data));
        return ORACLE_NO_FAULT;
    }
}

static bool compare_result(const OracleRun *run) {
    const int32_t x = (int32_t)jm_data(run->rs), y = (int32_t)jm_data(run->operand);
    const bool same_word = run->rs.bits == run->operand.bits;
    switch (run->op) {
    case 0x20:
        return x < y;
    case 0x21:
        return x <= y;
    case 0x22:
        return x >= y;
    case 0x23:
        return x > y;
    case 0x24:
        return x == y;
    case 0x25:
        return x != y;
    case 0x26:
        return same_word;
    default:
        return !same_word;
    }
}

/* Which operand is reported: for EQ either (CFUT before FUT), for EQUAL always Rs, for
 * an order Rs if it is neither INT nor BOOL, else op0. */
static int compare_tags(const OracleRun *run) {
    const unsigned x = jm_tag(run->rs), y = jm_tag(run->operand);
    if (run->op >= 0x26) { /* EQ, NEQ */
        if (x == JM_TAG_CFUT || y == JM_TAG_CFUT)
            return ORACLE_CFUT;
        return x == JM_TAG_FUT || y == JM_TAG_FUT ? ORACLE_FUT : ORACLE_NO_FAULT;
    }
    if (run->op >= 0x24) { /* EQUAL, NEQUAL */
        const bool allowed = x == JM_TAG_INT || x == JM_TAG_BOOL || x == JM_TAG_SYM;
        return allowed && x == y ? ORACLE_NO_FAULT : oracle_wrong_tag(run->rs);
    }
    if (x != JM_TAG_INT && x != JM_TAG_BOOL)
        return oracle_wrong_tag(run->rs);
    return x == y ? ORACLE_NO_FAULT : oracle_wrong_tag(run->operand);
}

static int compare(OracleRun *run) {
    const int fault = run->checked ? compare_tags(run) : ORACLE_NO_FAULT;
    if (fault == ORACLE_NO_FAULT)
        set_rd(run, jm_bool(compare_result(run)));
    return fault;
}

/* INVAL: in both priority contexts, not in background, I <- R. */
static int invalidate(Oracle *node) {
    for (int priority = 0; priority < 2; priority++) {
        for (int n = 0; n < 4; n++) {
            JmWord *a = &node->context[priority].a[n];
            const uint32_t data = jm_data(*a) & ~JM_ADDR_INVALID;
            const bool relocatable = data & JM_ADDR_RELOCATABLE;
            *a = jm_word(jm_tag(*a), data | (relocatable ? JM_ADDR_INVALID : 0));
        }
    }
    return ORACLE_NO_FAULT;
}

/* Words of `length` rounded up to whole rows. */
static uint32_t rows(uint32_t length) {
    return (length + 3) / 4 * 4;
}

/* Section 7. The head moves by whole rows; I stays as it is. Priority 1 returns to what
 * its dispatch interrupted. */
static int suspend(OracleRun *run) {
    Oracle *node = run->node;
    OracleContext *context = run->context;
    if (node->b) {
        node->stopped = true;
        return ORACLE_NO_FAULT;
    }
    const uint32_t words = rows(jm_data(context->a[3]) & 0x3FF);
    const uint32_t length = context->qhl & 0x3FF;
    if (length < words)
        return ORACLE_EARLY;
    const uint32_t mask = context->qbm & 0x3FF;
    const uint32_t head =
        jm_field20(context->qbm) | ((jm_field20(context->qhl) + words) & mask);
    context->qhl = (context->qhl & 0xC0000000) | head << 10 | (length - words);
    context->q = false;
    context->active = false;
    node->b = node->p ? node->interrupted_b : true;
    node->p = false;
    return ORACLE_NO_FAULT;
}

/* The vector is read through the processor's eyes (priority switch) but is no operand:
 * MAR stays. A vector that is no IP faults in both modes. */
static int call(OracleRun *run) {
    Oracle *node = run->node;
    if (run->checked && !is_int(run->operand))
        return oracle_wrong_tag(run->operand);
    const uint32_t address = oracle_switched(node, 0x80 + jm_data(run->operand));
    const JmWord vector = oracle_read(node, address);
    if (jm_tag(vector) != JM_TAG_IP)
        return oracle_wrong_tag(vector);
    run->externals += oracle_is_external(address);
    run->jumped = true;
    run->context->fip = run->context->ip;
    run->context->ip = vector;
    return ORACLE_NO_FAULT;
}

/* LDIP, LDIPR; unchecked the IP keeps the tag it is given. */
static int load_ip(OracleRun *run) {
    if (run->checked && jm_tag(run->operand) != JM_TAG_IP)
        return oracle_wrong_tag(run->operand);
    run->jumped = true;
    run->context->ip = run->operand;
    return ORACLE_NO_FAULT;
}

/* Rs first, by what the branch tests; then op0, taken or not. */
static int branch_tags(const OracleRun *run) {
    const JmWord rs = run->rs;
    const unsigned tag = jm_tag(rs);
    const bool nil_test = run->op == 0x3A || run->op == 0x3B;
    const bool bool_test = run->op == 0x3C || run->op == 0x3D;
    const bool zero_test = run->op == 0x3E || run->op == 0x3F;
    if ((nil_test && (tag == JM_TAG_CFUT || tag == JM_TAG_FUT)) ||
        (bool_test && tag != JM_TAG_BOOL) || (zero_test && tag != JM_TAG_INT))
        return oracle_wrong_tag(rs);
    return is_int(run->operand) ? ORACLE_NO_FAULT : oracle_wrong_tag(run->operand);
}

static bool branch_taken(const OracleRun *run) {
    const uint32_t data = jm_data(run->rs);
    switch (run->op) {
    case 0x38:
        return true;
    case 0x3A:
        return run->rs.bits == 0;
    case 0x3B:
        return run->rs.bits != 0;
    case 0x3C:
        return (data & 1) == 0;
    case 0x3D:
        return (data & 1) == 1;
    case 0x3E:
        return data == 0;
    default:
        return data != 0;
    }
}

/* Targets are words: the one that holds the branch + 1 + op0; U, F and A stay. */
static int branch(OracleRun *run) {
    const int fault = run->checked ? branch_tags(run) : ORACLE_NO_FAULT;
    if (fault == ORACLE_NO_FAULT && branch_taken(run)) {
        JmWord *ip = &run->context->ip;
        const uint32_t target = (run->here + 1 + jm_data(run->operand)) & 0xFFFFF;
        const uint32_t kept = jm_data(*ip) & ~(UINT32_C(0xFFFFF) << 10 | JM_IP_PHASE);
        *ip = jm_word(jm_tag(*ip), kept | target << 10);
        run->jumped = true;
    }
    return fault;
}

/* Whether the low 16 bits of a routing word name the only node there is. */
static bool in_machine(JmWord routing) {
    return (jm_data(routing) & 0xFFFF) == 0;
}

/* Section 8, in this order: CFUT, room for all words, a message of a routing word only,
 * a routing word that names nobody. SEND2's Rs is not tested. */
static int send(OracleRun *run) {
    OracleLane *lane = &run->node->lane[run->op2 & 1];
    const bool two = run->op == 0x36 || run->op == 0x37;
    const bool end = run->op == 0x35 || run->op == 0x37;
    if (run->checked && jm_tag(run->operand) == JM_TAG_CFUT)
        return ORACLE_CFUT;
    if (oracle_room(lane) < (two ? 2u : 1u) || (end && !two && !lane->open))
        return ORACLE_SEND;
    if (!lane->open && !in_machine(run->operand)) {
        run->node->stopped = true;
        return ORACLE_NO_FAULT;
    }
    oracle_offer(lane, run->operand, !lane->open, end && !two);
    if (two)
        oracle_offer(lane, run->rs, false, end);
    lane->open = !end;
    run->node->i = !end;
    return ORACLE_NO_FAULT;
}

/* Opcodes that read an operand value. */
static int with_operand(OracleRun *run) {
    const int fault = oracle_read_operand(run);
    const unsigned op = run->op;
    if (fault != ORACLE_NO_FAULT)
        return fault;
    if (op < 0x0A)
        return op == 0x07 ? load_ip(run) : move(run);
    if (op <= 0x12)
        return arithmetic(run);
    if (op <= 0x1A)
        return logic(run);
    if (op <= 0x1D)
        return one_operand(run);
    if (op <= 0x27)
        return compare(run);
    if (op == 0x29)
        return oracle_enter(run);
    if (op == 0x31)
        return call(run);
    return op < 0x38 ? send(run) : branch(run);
}

int oracle_execute(OracleRun *run) {
    int fault;
    switch (run->op) {
    case 0x00: /* NOP */
        return ORACLE_NO_FAULT;
    case 0x02: /* WRITE */
        return oracle_write_operand(run, run->rs);
    case 0x03: /* READR */
        fault = oracle_read_register(run);
        return fault == ORACLE_NO_FAULT ? move(run) : fault;
    case 0x04: /* WRITER */
        return oracle_write_register(run);
    case 0x08: /* LDIPR */
        fault = oracle_read_register(run);
        return fault == ORACLE_NO_FAULT ? load_ip(run) : fault;
    case 0x28: /* XLATE */
    case 0x2D: /* PROBE */
        return oracle_translate(run);
    case 0x2A: /* INVAL */
        return invalidate(run->node);
    case 0x30:
        return suspend(run);
    case 0x0D: /* undefined opcodes */
    case 0x13:
    case 0x14:
    case 0x15:
    case 0x16:
    case 0x17:
    case 0x1E:
    case 0x1F:
    case 0x2B:
    case 0x2C:
    case 0x2E:
    case 0x2F:
    case 0x32:
    case 0x33:
    case 0x39:
        return ORACLE_ILGINST;
    default:
        return with_operand(run);
    }
}
