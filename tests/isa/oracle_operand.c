/* The oracle's operands: memory addresses, the forms of op0, register mode. */
#include <stddef.h>

#include "tests/isa/oracle_parts.h"

enum { ROM_FIRST = 0x1000, EXTERNAL_FIRST = 0x2000, SWITCHED_WORDS = 0x40 };

int oracle_wrong_tag(JmWord word) {
    const unsigned tag = jm_tag(word);
    if (tag == JM_TAG_CFUT)
        return ORACLE_CFUT;
    if (tag == JM_TAG_FUT)
        return ORACLE_FUT;
    if (tag >= JM_TAG_TAG8 && tag <= JM_TAG_TAGB)
        return ORACLE_TAG8 + (int)(tag - JM_TAG_TAG8);
    return ORACLE_TYPE;
}

uint32_t oracle_switched(const Oracle *node, uint32_t address) {
    address &= JM_ADDRESS_MASK;
    return address < SWITCHED_WORDS && node->p ? address ^ 0x20 : address;
}

bool oracle_is_external(uint32_t address) {
    return address >= EXTERNAL_FIRST;
}

void oracle_store(Oracle *node, uint32_t address, JmWord word) {
    if (address < ROM_FIRST || address >= EXTERNAL_FIRST)
        oracle_write(node, address, word);
}

/* Section 4, "Memory operand", clause by clause. MAR gets the address only when one was
 * formed, that is, without a fault; queue addresses are physical, others switched. */
static int form_address(OracleRun *run, unsigned aa, uint32_t offset, bool reads) {
    Oracle *node = run->node;
    const OracleContext *context = run->context;
    const uint32_t a = jm_data(context->a[aa]);
    const uint32_t length = a & 0x3FF;
    if (aa == 0 && (jm_data(context->ip) & JM_IP_ABSOLUTE)) {
        run->address = oracle_switched(node, offset);
    } else if (a & JM_ADDR_INVALID) {
        return ORACLE_INVADR;
    } else if (length != 0 && offset >= length) {
        return ORACLE_LIMIT;
    } else if (!node->b && context->q && aa == 3) {
        if (reads && offset >= (context->qhl & 0x3FF))
            return ORACLE_EARLY;
        const uint32_t mask = context->qbm & 0x3FF;
        run->address = jm_field20(context->qbm) | ((jm_field20(a) + offset) & mask);
    } else {
        run->address = oracle_switched(node, jm_field20(a) + offset);
    }
    node->mar = run->address;
    return ORACLE_NO_FAULT;
}

/* The two extra bits above an immediate or an offset, 0 if the opcode has none;
 * `extended` is set if it has. */
static unsigned extension(const OracleRun *run, bool *extended) {
    *extended = true;
    switch (run->op) {
    case 0x01: /* READ */
    case 0x05: /* RTAG */
    case 0x1B: /* FFB */
    case 0x1C: /* NOT */
    case 0x1D: /* NEG */
    case 0x34: /* SEND */
    case 0x35: /* SENDE */
        return run->op1;
    case 0x02: /* WRITE */
    case 0x07: /* LDIP */
    case 0x31: /* CALL */
    case 0x38: /* BR, and the conditional branches */
    case 0x3A:
    case 0x3B:
    case 0x3C:
    case 0x3D:
    case 0x3E:
    case 0x3F:
        return run->op2;
    default:
        *extended = false;
        return 0;
    }
}

/* Sign-extended from 5 bits, or from 7 if the opcode has an extension. */
static int32_t immediate(const OracleRun *run) {
    bool extended;
    const unsigned high = extension(run, &extended);
    const int32_t value = (int32_t)(high << 5 | (run->op0 & 0x1F));
    const int32_t half = extended ? 64 : 16;
    return value >= half ? value - 2 * half : value;
}

/* Whether op0 is in memory; if so and there is no fault, its address is in `run`. */
static bool memory_operand(OracleRun *run, bool reads, int *fault) {
    *fault = ORACLE_NO_FAULT;
    if (run->op0 >= 0x40) {
        bool extended;
        const unsigned high = extension(run, &extended);
        const uint32_t offset = high << 4 | ((run->op0 >> 2) & 0xF);
        *fault = form_address(run, run->op0 & 3, offset, reads);
        return true;
    }
    if (run->op0 >= 0x10 && run->op0 < 0x20) {
        const JmWord index = run->context->r[(run->op0 >> 2) & 3];
        if (run->checked && jm_tag(index) != JM_TAG_INT) {
            *fault = oracle_wrong_tag(index);
        } else {
            const uint32_t offset = jm_data(index) & JM_ADDRESS_MASK;
            *fault = form_address(run, run->op0 & 3, offset, reads);
        }
        return true;
    }
    return false;
}

static JmWord constant(unsigned op0) {
    switch (op0) {
    case 0x08:
        return JM_NIL;
    case 0x09:
        return jm_bool(false);
    case 0x0A:
        return jm_bool(true);
    case 0x0B:
        return jm_word(JM_TAG_INT, 0x80000000);
    case 0x0C:
        return jm_int(0xFF);
    case 0x0D:
        return jm_int(0x3FF);
    case 0x0E:
        return jm_int(0xFFFF);
    default:
        return jm_int(0xFFFFF);
    }
}

int oracle_read_operand(OracleRun *run) {
    int fault;
    if (memory_operand(run, true, &fault)) {
        if (fault != ORACLE_NO_FAULT)
            return fault;
        run->operand = oracle_read(run->node, run->address);
        run->externals += oracle_is_external(run->address);
        run->onchip_read = !oracle_is_external(run->address);
    } else if (run->op0 < 0x04) {
        run->operand = run->context->r[run->op0];
    } else if (run->op0 < 0x08) {
        run->operand = run->context->a[run->op0 - 0x04];
    } else if (run->op0 < 0x10) {
        run->operand = constant(run->op0);
    } else {
        run->operand = jm_int(immediate(run));
    }
    run->has_operand = true;
    return ORACLE_NO_FAULT;
}

int oracle_write_operand(OracleRun *run, JmWord word) {
    int fault;
    if (!memory_operand(run, false, &fault))
        return ORACLE_ILGINST;
    if (fault == ORACLE_NO_FAULT) {
        oracle_store(run->node, run->address, word);
        run->externals += oracle_is_external(run->address);
        run->onchip_write = !oracle_is_external(run->address);
    }
    return fault;
}

/* Register mode. */

/* Registers 00 to 0F. Background has R, A and FIP only: NULL for the others, which read
 * NIL there and ignore writes. */
static JmWord *context_register(Oracle *node, unsigned context, unsigned n) {
    OracleContext *c = &node->context[context];
    if (n < ORACLE_REG_A0)
        return &c->r[n];
    if (n < ORACLE_REG_ID0)
        return &c->a[n - ORACLE_REG_A0];
    if (n == ORACLE_REG_FIP)
        return &c->fip;
    if (context == ORACLE_BACKGROUND)
        return NULL;
    switch (n) {
    case ORACLE_REG_FIR:
        return &c->fir;
    case ORACLE_REG_FOP0:
        return &c->fop0;
    case ORACLE_REG_FOP1:
        return &c->fop1;
    default:
        return &c->id[n - ORACLE_REG_ID0];
    }
}

JmWord oracle_register(Oracle *node, unsigned context, unsigned queue, unsigned n) {
    const OracleContext *of_queue = &node->context[queue];
    const JmWord *word;
    const JmWord ip = node->context[context].ip;
    switch (n) {
    case ORACLE_REG_QBM:
        return jm_word(of_queue->qbm_tag, of_queue->qbm);
    case ORACLE_REG_QHL:
        return jm_word(of_queue->qhl_tag, of_queue->qhl);
    case ORACLE_REG_IP:
        return ip;
    case ORACLE_REG_TBM:
        return jm_word(node->tbm_tag, node->tbm);
    case ORACLE_REG_NNR:
        return jm_word(JM_TAG_INT, node->nnr);
    case ORACLE_REG_MAR:
        return jm_word(JM_TAG_INT, node->mar);
    case ORACLE_REG_P:
        return jm_bool(node->p);
    case ORACLE_REG_B:
        return jm_bool(node->b);
    case ORACLE_REG_I:
        return jm_bool(node->i);
    case ORACLE_REG_F:
        return jm_bool((jm_data(ip) & JM_IP_FAULT) != 0);
    case ORACLE_REG_U:
        return jm_bool((jm_data(ip) & JM_IP_UNCHECKED) != 0);
    case ORACLE_REG_Q:
        return jm_bool(of_queue->q);
    default:
        word = context_register(node, context, n);
        return word ? *word : JM_NIL;
    }
}

static void set_ip_bit(JmWord *ip, uint32_t bit, bool value) {
    const uint32_t data = jm_data(*ip);
    *ip = jm_word(jm_tag(*ip), value ? data | bit : data & ~bit);
}

void oracle_set_register(Oracle *node, unsigned context, unsigned queue, unsigned n,
                         JmWord word) {
    OracleContext *of_queue = &node->context[queue];
    const bool bit = jm_data(word) & 1;
    JmWord *place;
    switch (n) {
    case ORACLE_REG_QBM:
        of_queue->qbm = jm_data(word);
        of_queue->qbm_tag = jm_tag(word);
        break;
    case ORACLE_REG_QHL:
        of_queue->qhl = jm_data(word);
        of_queue->qhl_tag = jm_tag(word);
        break;
    case ORACLE_REG_IP:
        node->context[context].ip = word;
        break;
    case ORACLE_REG_TBM:
        node->tbm = jm_data(word);
        node->tbm_tag = jm_tag(word);
        break;
    case ORACLE_REG_NNR:
        node->nnr = jm_data(word) & 0xFFFF;
        break;
    case ORACLE_REG_P:
        node->p = bit;
        break;
    case ORACLE_REG_B:
        node->b = bit;
        break;
    case ORACLE_REG_I:
        node->i = bit;
        break;
    case ORACLE_REG_F:
        set_ip_bit(&node->context[context].ip, JM_IP_FAULT, bit);
        break;
    case ORACLE_REG_U:
        set_ip_bit(&node->context[context].ip, JM_IP_UNCHECKED, bit);
        break;
    case ORACLE_REG_Q:
        of_queue->q = bit;
        break;
    default:
        place = context_register(node, context, n);
        if (place)
            *place = word;
    }
}

/* Splits op0 = {b, p, n}; false if there is no such register. */
static bool register_mode(const OracleRun *run, unsigned *context, unsigned *queue,
                          unsigned *n) {
    const Oracle *node = run->node;
    const bool b = run->op0 & 0x40, p = run->op0 & 0x20;
    *n = run->op0 & 0x1F;
    *queue = node->p != p;
    *context = b != node->b ? (unsigned)ORACLE_BACKGROUND : *queue;
    return *n <= ORACLE_REG_MAR || (*n >= ORACLE_REG_P && *n <= ORACLE_REG_Q);
}

int oracle_read_register(OracleRun *run) {
    unsigned context, queue, n;
    if (!register_mode(run, &context, &queue, &n))
        return ORACLE_ILGINST;
    run->operand = oracle_register(run->node, context, queue, n);
    run->has_operand = true;
    return ORACLE_NO_FAULT;
}

int oracle_write_register(OracleRun *run) {
    unsigned context, queue, n;
    if (!register_mode(run, &context, &queue, &n) || n == ORACLE_REG_MAR)
        return ORACLE_ILGINST;
    const unsigned tag = jm_tag(run->rs);
    const bool to_a = n >= ORACLE_REG_A0 && n < ORACLE_REG_ID0;
    if (run->checked &&
        ((to_a && tag != JM_TAG_ADDR) || (n == ORACLE_REG_IP && tag != JM_TAG_IP)))
        return oracle_wrong_tag(run->rs);
    oracle_set_register(run->node, context, queue, n, run->rs);
    return ORACLE_NO_FAULT;
}
