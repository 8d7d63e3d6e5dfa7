/* Reads and writes registers by number, for READR, WRITER, LDIPR and the library's
 * public functions. */
#include "emu/node/node.h"

enum { NNR_BITS = 0xFFFF };

/* Registers that priorities 0 and 1 have and background lacks: fault registers and
 * IDs. */
static JmWord read_priority(const PriorityWords *words, unsigned n) {
    switch (n) {
    case JM_REG_FIR:
        return words->fir;
    case JM_REG_FOP0:
        return words->fop0;
    case JM_REG_FOP1:
        return words->fop1;
    default:
        return words->id[n - JM_REG_ID0];
    }
}

static void write_priority(PriorityWords *words, unsigned n, JmWord value) {
    switch (n) {
    case JM_REG_FIR:
        words->fir = value;
        break;
    case JM_REG_FOP0:
        words->fop0 = value;
        break;
    case JM_REG_FOP1:
        words->fop1 = value;
        break;
    default:
        words->id[n - JM_REG_ID0] = value;
    }
}

static bool is_priority_register(unsigned n) {
    return (n >= JM_REG_ID0 && n <= JM_REG_ID3) ||
           (n >= JM_REG_FIR && n <= JM_REG_FOP1);
}

/* Reads a flag or a register of the whole node. False if there is no such register
 * `n`. */
static bool read_node(const Node *node, const Context *selected, unsigned n,
                      JmWord *value) {
    const uint32_t ip = jm_data(selected->ip);
    switch (n) {
    case JM_REG_TBM:
        *value = jm_word(node->tbm_tag, node->tbm);
        return true;
    case JM_REG_NNR:
        *value = jm_int(node->nnr);
        return true;
    case JM_REG_MAR:
        *value = jm_int((int32_t)node->mar);
        return true;
    case JM_REG_P:
        *value = jm_bool(node->p != 0);
        return true;
    case JM_REG_B:
        *value = jm_bool(node->background);
        return true;
    case JM_REG_I:
        *value = jm_bool(node->masked);
        return true;
    case JM_REG_F:
        *value = jm_bool((ip & JM_IP_FAULT) != 0);
        return true;
    case JM_REG_U:
        *value = jm_bool((ip & JM_IP_UNCHECKED) != 0);
        return true;
    default:
        return false;
    }
}

bool node_register_read(const Node *node, JmContext context, unsigned priority,
                        unsigned n, JmWord *value) {
    const Context *selected = &node->context[context];
    const Priority *queue = &node->priority[priority];
    if (n <= JM_REG_R3)
        *value = selected->r[n];
    else if (n <= JM_REG_A3)
        *value = selected->a[n - JM_REG_A0];
    else if (is_priority_register(n) && context == JM_CONTEXT_BACKGROUND)
        *value = JM_NIL;
    else if (is_priority_register(n))
        *value = read_priority(&node->words[context], n);
    else if (n == JM_REG_FIP)
        *value = selected->fip;
    else if (n == JM_REG_IP)
        *value = selected->ip;
    else if (n == JM_REG_QBM)
        *value = jm_word(queue->qbm_tag, queue->qbm);
    else if (n == JM_REG_QHL)
        *value = jm_word(queue->qhl_tag, queue->qhl);
    else if (n == JM_REG_Q)
        *value = jm_bool(queue->q);
    else
        return read_node(node, selected, n, value);
    return true;
}

/* Sets or clears a flag in the IP from bit 0 of `value`. */
static void write_ip_bit(Context *context, uint32_t bit, JmWord value) {
    const uint64_t cleared = context->ip.bits & ~(uint64_t)bit;
    context->ip.bits = cleared | (jm_data(value) & 1 ? bit : 0);
}

/* Writes a flag or a register of the whole node. P and B change the running context, so
 * the activity of the old one is recorded first. False if there is no such register
 * `n`. */
static bool write_node(Node *node, Context *selected, unsigned n, JmWord value,
                       uint64_t now) {
    const bool bit = jm_data(value) & 1;
    switch (n) {
    case JM_REG_TBM:
        node->tbm = jm_data(value);
        node->tbm_tag = (uint8_t)jm_tag(value);
        return true;
    case JM_REG_NNR:
        node->nnr = (uint16_t)(jm_data(value) & NNR_BITS);
        return true;
    case JM_REG_P:
        node_note_busy(node, now);
        node->p = bit;
        return true;
    case JM_REG_B:
        node_note_busy(node, now);
        node->background = bit;
        return true;
    case JM_REG_I:
        node->masked = bit;
        return true;
    case JM_REG_F:
        write_ip_bit(selected, JM_IP_FAULT, value);
        return true;
    case JM_REG_U:
        write_ip_bit(selected, JM_IP_UNCHECKED, value);
        return true;
    default:
        return false;
    }
}

bool node_register_write(Node *node, JmContext context, unsigned priority, unsigned n,
                         JmWord value, uint64_t now) {
    Context *selected = &node->context[context];
    bool known = true;
    if (n <= JM_REG_R3) {
        selected->r[n] = value;
    } else if (n <= JM_REG_A3) {
        selected->a[n - JM_REG_A0] = value;
    } else if (is_priority_register(n)) {
        if (context != JM_CONTEXT_BACKGROUND)
            write_priority(&node->words[context], n, value);
    } else if (n == JM_REG_FIP) {
        selected->fip = value;
    } else if (n == JM_REG_IP) {
        selected->ip = value;
    } else if (n == JM_REG_QBM) {
        node->priority[priority].qbm = jm_data(value);
        node->priority[priority].qbm_tag = (uint8_t)jm_tag(value);
        node->gate_changed = true;
        node_update_brake(node, now);
    } else if (n == JM_REG_QHL) {
        node_set_qhl(node, priority, jm_data(value), now);
        node->priority[priority].qhl_tag = (uint8_t)jm_tag(value);
    } else if (n == JM_REG_Q) {
        node->priority[priority].q = jm_data(value) & 1;
    } else {
        known = write_node(node, selected, n, value, now);
    }
    node_update(node);
    return known;
}
