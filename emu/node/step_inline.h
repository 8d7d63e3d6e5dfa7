/* One instruction in progress: the state that bodies read and write, and operand
 * access. Only the dispatchers, exec.c and plain/plain.c, include it, through
 * execute_inline.h. Everything is static inline so that the compiler makes one piece of
 * it. */
#ifndef JM_NODE_STEP_INLINE_H
#define JM_NODE_STEP_INLINE_H

#include "emu/node/env.h"

/* Results of a body: a JmFault, or one of these values, which follow the faults. */
enum {
    OUTCOME_DONE = JM_FAULT_COUNT,
    OUTCOME_JUMPED,   /* the IP was set: charged as a jump */
    OUTCOME_BRANCHES, /* the dispatcher branches by op0 words: charged as a jump */
    OUTCOME_STOPPED,  /* the node halted */
    OUTCOME_WAITS,    /* a SEND found no room and is tried again (send_faults) */
};

/* An instruction between its fetch and its charge. It must stay in registers: its
 * address goes only to inlined functions, and rare paths get it by value. */
typedef struct {
    Node *node;
    NodeEnv *env;
    Context *context;
    const JmDecoded *d;
    bool checked;      /* U flag is 0: tags are checked */
    bool in_place;     /* Rd is known to be Rs */
    uint32_t external; /* cycles of accesses to external memory */
    uint32_t ip;       /* data of the IP at this instruction */
    uint32_t address;  /* physical address of the memory operand; 0: none */
    uint32_t access;   /* cycles that the operand adds to the base */
    uint32_t cycles;   /* of the instruction, fetch apart */
    JmWord op0;        /* NIL until known: becomes FOP0 */
    JmWord rs;         /* value of Rs */
} Step;

/* An IP advanced by `bits`: JM_IP_PHASE is one instruction. Offset and phase are one
 * number, which wraps within its field. */
ALWAYS_INLINE JmWord advanced(JmWord ip, uint32_t bits) {
    const uint64_t field = (UINT64_C(1) << 30) - JM_IP_PHASE;
    uint64_t next = ip.bits + bits;
    if (__builtin_expect((ip.bits & field) + bits > field, false))
        next = (ip.bits & ~field) | (next & field);
    return (JmWord){next};
}

/* Returns what identifies the row of an IP: the IP without the word in the row and the
 * phase. Flags count, because they decide how the row was reached. */
ALWAYS_INLINE uint32_t row_key(uint32_t ip) {
    return ip & ~(JM_IP_PHASE | (NODE_ROW_WORDS - 1u) << 10);
}

/* The row below in ops.def must exist: a body without a row does not compile. */
#define BODY(name)                                                                     \
    enum { BODY_OF_##name = JM_OP_##name };                                            \
    ALWAYS_INLINE int op_##name(Step *s)

/* Returns the fault for a word of a wrong tag: its own fault for CFUT, FUT and TAG8 to
 * TAGB, else TYPE. */
static int tag_fault(JmWord word) {
    switch (jm_tag(word)) {
    case JM_TAG_CFUT:
        return JM_FAULT_CFUT;
    case JM_TAG_FUT:
        return JM_FAULT_FUT;
    case JM_TAG_TAG8:
    case JM_TAG_TAG9:
    case JM_TAG_TAGA:
    case JM_TAG_TAGB:
        return JM_FAULT_TAG8 + (int)(jm_tag(word) - JM_TAG_TAG8);
    default:
        return JM_FAULT_TYPE;
    }
}

/* Whether the host, not memory, answers at a physical address. */
ALWAYS_INLINE bool is_host_address(const NodeEnv *env, uint32_t address) {
    return env->host_page && address - NODE_HOST_PAGE < NODE_HOST_WORDS;
}

/* Charges an access to external memory instead of one on chip. */
ALWAYS_INLINE void charge_external(Step *s) {
    s->external += s->env->timing.external;
    s->access = s->external;
}

/* Reads a physical address and charges for it. */
ALWAYS_INLINE JmWord load(Step *s, uint32_t address) {
    if (address < MEMORY_EXTERNAL) {
        s->access = s->env->timing.read_onchip;
        return memory_read(&s->node->memory, address);
    }
    charge_external(s);
    if (is_host_address(s->env, address))
        return s->env->host_read(s->env->machine, s->node, address);
    return memory_read_external(&s->node->memory, address);
}

/* Writes a physical address and charges for it. ROM keeps its contents. */
ALWAYS_INLINE void store(Step *s, uint32_t address, JmWord word) {
    if (address < MEMORY_EXTERNAL) {
        s->access = s->env->timing.write_onchip;
        if (!memory_is_rom(address))
            node_write_memory(s->node, address, word);
        return;
    }
    charge_external(s);
    if (is_host_address(s->env, address))
        s->env->host_write(s->env->machine, s->node, address, word);
    else
        node_write_memory(s->node, address, word);
}

/* Computes the address of [offset, An] (MDP Architecture, version 11). Returns
 * OUTCOME_DONE with a physical address in *address, or a fault. *queued: it lies in the
 * queue, through A3 of a task with Q = 1; a read beyond the words that have arrived is
 * EARLY. */
ALWAYS_INLINE int locate(const Step *s, uint32_t offset, unsigned areg, bool write,
                         uint32_t *address, bool *queued) {
    const Node *node = s->node;
    *queued = false;
    if (areg == 0 && (s->ip & JM_IP_ABSOLUTE)) {
        *address = node_physical(node, offset);
        return OUTCOME_DONE;
    }
    const uint32_t a = jm_data(s->context->a[areg]);
    if (a & JM_ADDR_INVALID)
        return JM_FAULT_INVADR;
    if (jm_field10(a) != 0 && offset >= jm_field10(a))
        return JM_FAULT_LIMIT;
    if (areg == 3 && !node->background && node->priority[node->p].q) {
        const Priority *state = &node->priority[node->p];
        *queued = true;
        *address = node_queue_address(state, jm_field20(a) + offset);
        return write || offset < jm_field10(state->qhl) ? OUTCOME_DONE : JM_FAULT_EARLY;
    }
    *address = node_physical(node, (jm_field20(a) + offset) & JM_ADDRESS_MASK);
    return OUTCOME_DONE;
}

/* Returns the operand form, without NODE_MODE_BY_BODY, which hides the form from
 * read_operand(). */
ALWAYS_INLINE unsigned operand_mode(const Step *s) {
    return s->d->mode & (NODE_MODE_BY_BODY - 1);
}

/* Computes the address of a memory operand of form [offset, An] or [Rn, An]. */
ALWAYS_INLINE int locate_operand(const Step *s, bool write, uint32_t *address,
                                 bool *queued) {
    if (operand_mode(s) == JM_MODE_OFFSET)
        return locate(s, (uint32_t)s->d->value, s->d->areg, write, address, queued);
    const JmWord index = s->context->r[s->d->reg];
    if (s->checked && jm_tag(index) != JM_TAG_INT)
        return tag_fault(index);
    const uint32_t offset = jm_data(index) & JM_ADDRESS_MASK;
    return locate(s, offset, s->d->areg, write, address, queued);
}

/* Forms the address of a memory operand: MAR has it from then on. */
ALWAYS_INLINE int memory_operand(Step *s, bool write) {
    bool queued;
    uint32_t address;
    const int outcome = locate_operand(s, write, &address, &queued);
    if (outcome == OUTCOME_DONE)
        s->address = s->node->mar = address;
    return outcome;
}

/* Reads the operand into s->op0. For forms that do not read a value it does nothing:
 * their bodies handle the operand. */
ALWAYS_INLINE int read_operand(Step *s) {
    switch (s->d->mode) {
    case JM_MODE_REG:
        s->op0 =
            s->d->reg < 4 ? s->context->r[s->d->reg] : s->context->a[s->d->reg - 4];
        break;
    case JM_MODE_CONSTANT:
        s->op0 = jm_operand_constant(s->d->reg);
        break;
    case JM_MODE_IMMEDIATE:
        s->op0 = jm_int(s->d->value);
        break;
    case JM_MODE_INDEXED:
    case JM_MODE_OFFSET: {
        const int outcome = memory_operand(s, false);
        if (outcome != OUTCOME_DONE)
            return outcome;
        s->op0 = load(s, s->address);
        break;
    }
    default:
        break;
    }
    return OUTCOME_DONE;
}

ALWAYS_INLINE int set_rd(Step *s, JmWord word) {
    s->context->r[s->in_place ? s->d->rs : s->d->rd] = word;
    return OUTCOME_DONE;
}

ALWAYS_INLINE bool both(const Step *s, JmTag tag) {
    const uint64_t bits = (uint64_t)tag << 32;
    return ((s->rs.bits ^ bits) | (s->op0.bits ^ bits)) >> 32 == 0;
}

/* Returns the context that a register-mode operand names: the running one, background,
 * or that of the other priority. */
ALWAYS_INLINE JmContext selected_context(const Step *s) {
    const Node *node = s->node;
    const bool other = (s->d->reg & JM_REG_OTHER_CONTEXT) != 0;
    if (other != node->background)
        return JM_CONTEXT_BACKGROUND;
    return (JmContext)(node->p ^ ((s->d->reg & JM_REG_OTHER_PRIORITY) != 0));
}

/* Returns the priority whose queue registers a register-mode operand names. */
ALWAYS_INLINE unsigned selected_priority(const Step *s) {
    return s->node->p ^ ((s->d->reg & JM_REG_OTHER_PRIORITY) != 0);
}

#endif
