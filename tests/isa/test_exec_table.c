/* The whole instruction table: each opcode with each pair of tags, checked and
 * unchecked, in every class of operand form and in every context, against the oracle.
 */
#include <criterion/criterion.h>

#include "tests/isa/oracle_code.h"
#include "tests/isa/oracle_pair.h"

enum {
    CODE = 0x400,
    QUEUE0 = 0x200,
    QUEUE1 = 0x280,
    ONCHIP = 0x300,
    TABLE = 0x700,
    EXTERNAL = 0x2100,
    QUEUE_MASK = 0x3F,
    MESSAGE_WORDS = 24,
    ROUNDS = 2 /* each pair of tags with so much different data */
};

/* Classes of operand form. */
typedef enum {
    IN_REGISTER,
    IN_ADDRESS_REGISTER,
    IN_MEMORY,
    IN_MEMORY_INDEXED,
    IN_EXTERNAL,
    IN_QUEUE,
    IN_ABSOLUTE,
    ANY_OPERAND, /* all 128 patterns of op0 */
    OPERAND_CLASSES
} OperandClass;

typedef struct {
    unsigned op, op2, op1, op0;
    unsigned context;
    bool checked;
    JmWord rs, operand;
} Case;

/* Puts the operand where its class says; `k` is the register used, not Rs. */
static void place_operand(Pair *pair, JmRng *rng, Case *c, OperandClass class) {
    const unsigned k = (c->op1 + 1 + jm_rng_below(rng, 3)) & 3;
    const JmFormInfo *form = jm_form_info(jm_op_info(c->op)->form);
    const unsigned extra = form->ext == 1 ? c->op1 : form->ext == 2 ? c->op2 : 0;
    const uint32_t index = jm_rng_below(rng, 16), offset = extra << 4 | index;
    switch (class) {
    case IN_REGISTER:
        pair_set(pair, c->context, ORACLE_REG_R0 + k, c->operand);
        c->op0 = op0_r(k);
        break;
    case IN_ADDRESS_REGISTER:
        pair_set(pair, c->context, ORACLE_REG_A0 + k, c->operand);
        c->op0 = op0_a(k);
        break;
    case IN_MEMORY:
        pair_write(pair, ONCHIP + offset, c->operand);
        c->op0 = op0_offset(index, 1);
        break;
    case IN_MEMORY_INDEXED:
    case IN_EXTERNAL: {
        /* The index must be INT when checked: mostly it is. */
        const unsigned tag = jm_rng_below(rng, 3) ? JM_TAG_INT : jm_rng_below(rng, 16);
        pair_set(pair, c->context, ORACLE_REG_R0 + k, jm_word(tag, offset));
        pair_write(pair, (class == IN_EXTERNAL ? EXTERNAL : ONCHIP) + offset,
                   c->operand);
        c->op0 = op0_index(k, class == IN_EXTERNAL ? 2 : 1);
        break;
    }
    case IN_QUEUE:
        pair_write(pair, (c->context == 1 ? QUEUE1 : QUEUE0) + (offset & QUEUE_MASK),
                   c->operand);
        c->op0 = op0_offset(index, 3);
        break;
    case IN_ABSOLUTE:
        pair_write(pair, offset ^ (c->context == 1 ? 0x20 : 0), c->operand);
        c->op0 = op0_offset(index, 0);
        break;
    default:
        c->op0 = jm_rng_below(rng, 128);
    }
}

static JmWord with_bits(JmWord word, uint32_t bits) {
    return jm_word(jm_tag(word), jm_data(word) | bits);
}

/* What the instruction needs around it: address registers, queues, table, vectors. */
static void prepare(Pair *pair, JmRng *rng, const Case *c) {
    static const uint32_t bases[4] = {ONCHIP, ONCHIP, EXTERNAL, 0};
    pair_set_running(pair, c->context);
    pair_set(pair, 0, ORACLE_REG_I, jm_bool(jm_rng_below(rng, 4) != 0));
    pair_set(pair, 0, ORACLE_REG_TBM, jm_addr(TABLE, 0x3C));
    for (unsigned context = 0; context < 2; context++) {
        const uint32_t queue = context ? QUEUE1 : QUEUE0;
        const uint32_t come = 4 * jm_rng_below(rng, MESSAGE_WORDS / 4 + 1);
        const uint32_t words = context == c->context ? come : 0;
        const JmWord qbm = jm_addr(queue, QUEUE_MASK);
        const bool closed = pair->oracle->now / 512 % 2; /* so that buffers fill */
        pair_set(pair, context, ORACLE_REG_QBM,
                 with_bits(qbm, closed ? JM_ADDR_INVALID : 0));
        pair_set(pair, context, ORACLE_REG_QHL, jm_addr(queue, words));
        pair_set(pair, context, ORACLE_REG_Q, jm_bool(context == c->context));
    }
    for (unsigned n = 0; n < 4; n++) {
        const uint32_t length = jm_rng_below(rng, 4) ? 0 : jm_rng_below(rng, 70);
        const uint32_t base = n == 3 ? (c->context == 1 ? QUEUE1 : QUEUE0) : bases[n];
        const JmWord r =
            jm_rng_below(rng, 4) ? jm_int((int32_t)pair_data(rng)) : pair_word(rng);
        pair_set(pair, c->context, ORACLE_REG_R0 + n, r);
        const uint32_t bits = jm_rng_below(rng, 16) ? 0 : pair_data(rng) & 0xC0000000;
        pair_set(pair, c->context, ORACLE_REG_A0 + n,
                 with_bits(jm_addr(base, length), bits));
    }
    pair_set(pair, c->context, ORACLE_REG_R0 + c->op1, c->rs);
    /* Half of the keys are in the table. */
    if (c->op == OP_XLATE || c->op == OP_PROBE || c->op == OP_ENTER) {
        const JmWord key = c->op == OP_ENTER ? c->operand : c->rs;
        const uint32_t row = TABLE | (jm_data(key) & 0x3C);
        const uint32_t way = jm_rng_below(rng, 4); /* 2 and 3: not entered */
        pair_write(pair, row + 1, way == 0 ? key : jm_int(-77));
        pair_write(pair, row + 3, way == 1 ? key : jm_int(-78));
        pair_write(pair, row + 2 * (way & 1), pair_word(rng));
    }
}

/* Data that reach the interesting side of an operation more often than chance. */
static void suit_operand(JmRng *rng, Case *c) {
    const bool rarely = jm_rng_below(rng, 16) == 0;
    if (c->op == OP_CALL && !rarely)
        c->operand = jm_word(jm_tag(c->operand), jm_data(c->operand) & 0x1F);
    const bool shifts = c->op == OP_ASH || c->op == OP_LSH || c->op == OP_ROT;
    if (shifts && jm_rng_below(rng, 2) == 0) { /* about as far as a word is long */
        const uint32_t amount = 30 + jm_rng_below(rng, 4);
        c->operand =
            jm_word(jm_tag(c->operand), jm_rng_below(rng, 2) ? amount : -amount);
        c->rs = jm_word(jm_tag(c->rs), jm_data(c->rs) | -jm_rng_below(rng, 2));
    }
    const bool sends = c->op >= OP_SEND && c->op <= OP_SEND2E;
    if (sends && jm_rng_below(rng, 64) != 0) {
        /* mostly a routing word that names this node */
        c->operand = jm_word(jm_tag(c->operand), jm_data(c->operand) & 0xFFFF0000);
    }
}

/* `fault` gets what the instruction raised, or ORACLE_NO_FAULT. */
static bool run_case(Pair *pair, JmRng *rng, Case *c, OperandClass class, int *fault) {
    OracleStep step;
    const uint32_t flags = JM_IP_ABSOLUTE | (c->checked ? 0 : JM_IP_UNCHECKED);
    c->op1 = jm_rng_below(rng, 4);
    c->op2 = jm_rng_below(rng, 4);
    suit_operand(rng, c);
    prepare(pair, rng, c);
    place_operand(pair, rng, c, class);
    const uint32_t instruction = code(c->op, c->op2, c->op1, c->op0);
    pair_write(pair, CODE, jm_instruction_word(instruction, code(OP_NOP, 0, 0, 0)));
    pair_set(pair, c->context, ORACLE_REG_IP, jm_ip(CODE, flags));
    pair_adopt(pair);
    const bool agree = pair_step(pair, &step);
    *fault = step.act == ORACLE_DID_FAULT ? step.fault : ORACLE_NO_FAULT;
    return agree && pair_steps(pair, 1);
}

static Pair *table_pair(JmRng *rng) {
    Pair *pair = pair_create(NULL);
    pair_random_registers(pair, rng);
    for (uint32_t n = 0; n < 0x20; n++) { /* CALL vectors of every tag */
        const JmWord vector = jm_ip(0xA00 + 4 * n, JM_IP_ABSOLUTE);
        pair_write(pair, 0x80 + n, jm_word(n < 16 ? n : JM_TAG_IP, jm_data(vector)));
    }
    return pair;
}

/* SUSPEND of a priority-1 task that was never dispatched has nowhere to return to; in
 * background it stops the node, which is enough to see now and then. */
static bool left_out(JmRng *rng, const Case *c) {
    return c->op == OP_SUSPEND &&
           (c->context == 1 ||
            (c->context == ORACLE_BACKGROUND && jm_rng_below(rng, 64) != 0));
}

/* Walks one opcode; returns the set of faults it raised. */
static uint32_t walk_opcode(unsigned op) {
    JmRng rng = jm_rng(op + 1);
    Pair *pair = table_pair(&rng);
    uint32_t raised = 0;
    for (unsigned k = 0; k < ROUNDS * 16 * 16 * 2 * OPERAND_CLASSES; k++) {
        const OperandClass class = k % OPERAND_CLASSES;
        const unsigned pick = k / OPERAND_CLASSES;
        Case c = {.op = op, .checked = pick & 1, .context = jm_rng_below(&rng, 3)};
        int fault;
        c.rs = jm_word((pick >> 1) & 15, pair_data(&rng));
        c.operand = jm_word((pick >> 5) & 15, pair_data(&rng));
        if (left_out(&rng, &c))
            continue;
        const bool agree = run_case(pair, &rng, &c, class, &fault);
        cr_assert(agree, "%s\n  Rs %09llX, operand %09llX, class %d, %schecked",
                  pair->trouble, (unsigned long long)c.rs.bits,
                  (unsigned long long)c.operand.bits, (int)class,
                  c.checked ? "" : "un");
        raised |= fault == ORACLE_NO_FAULT ? 0 : JM_FAULT_BIT(fault);
        if (pair->ended)
            pair_renew(&pair);
    }
    pair_destroy(pair);
    return raised;
}

/* Every fault of the opcode's row must have been raised, and no other than those and
 * what decoding its operand can raise. */
static void check_faults(unsigned op, uint32_t raised) {
    const uint32_t listed = jm_op_info(op)->faults;
    const JmOp0Use use = jm_form_info(jm_op_info(op)->form)->op0;
    uint32_t decoding = 0;
    if (use == JM_OP0_READ || use == JM_OP0_WRITE) {
        decoding = JM_FAULT_BIT(JM_FAULT_INVADR) | JM_FAULT_BIT(JM_FAULT_LIMIT) |
                   JM_FAULTS_BY_TAG;
    }
    if (use == JM_OP0_READ)
        decoding |= JM_FAULT_BIT(JM_FAULT_EARLY);
    cr_expect_eq(raised, listed | decoding,
                 "op %02X: raised %05X, listed %05X, by decoding %05X", op, raised,
                 listed, decoding);
}

Test(exec_table, every_opcode) {
    for (unsigned op = 0; op < JM_OP_COUNT; op++)
        check_faults(op, walk_opcode(op));
}
