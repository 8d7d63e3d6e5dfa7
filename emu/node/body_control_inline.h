/* Bodies: moves, jumps, branches, translation. See step_inline.h. */

BODY(NOP) { /* - */
    (void)s;
    return OUTCOME_DONE;
}

BODY(READ) { /* Rd <- op0 */
    if (s->checked && jm_tag(s->op0) == JM_TAG_CFUT)
        return JM_FAULT_CFUT;
    return set_rd(s, s->op0);
}

BODY(WRITE) { /* memory <- Rs */
    if (operand_mode(s) != JM_MODE_INDEXED && operand_mode(s) != JM_MODE_OFFSET)
        return JM_FAULT_ILGINST;
    const int outcome = memory_operand(s, true);
    if (outcome == OUTCOME_DONE)
        store(s, s->address, s->rs);
    return outcome;
}

/* Reads the register that READR and LDIPR name into s->op0. */
ALWAYS_INLINE int read_register(Step *s) {
    JmWord value;
    if (!node_register_read(s->node, selected_context(s), selected_priority(s),
                            s->d->reg & JM_REG_N, &value))
        return JM_FAULT_ILGINST;
    s->op0 = value;
    if (s->checked && jm_tag(s->op0) == JM_TAG_CFUT)
        return JM_FAULT_CFUT;
    return OUTCOME_DONE;
}

BODY(READR) { /* Rd <- reg */
    const int outcome = read_register(s);
    return outcome == OUTCOME_DONE ? set_rd(s, s->op0) : outcome;
}

BODY(WRITER) { /* reg <- Rs */
    const unsigned n = s->d->reg & JM_REG_N;
    if (s->checked && n >= JM_REG_A0 && n <= JM_REG_A3 && jm_tag(s->rs) != JM_TAG_ADDR)
        return tag_fault(s->rs);
    if (s->checked && n == JM_REG_IP && jm_tag(s->rs) != JM_TAG_IP)
        return tag_fault(s->rs);
    return node_register_write(s->node, selected_context(s), selected_priority(s), n,
                               s->rs, s->env->now + 1)
               ? OUTCOME_DONE
               : JM_FAULT_ILGINST;
}

/* Jumps to `ip`. */
ALWAYS_INLINE int jump(Step *s, JmWord ip) {
    s->context->ip = ip;
    return OUTCOME_JUMPED;
}

BODY(LDIP) { /* IP <- op0 */
    if (s->checked && jm_tag(s->op0) != JM_TAG_IP)
        return tag_fault(s->op0);
    return jump(s, s->op0);
}

BODY(LDIPR) { /* IP <- reg */
    const int outcome = read_register(s);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (s->checked && jm_tag(s->op0) != JM_TAG_IP)
        return tag_fault(s->op0);
    return jump(s, s->op0);
}

/* Returns the address of a CALL's vector. */
ALWAYS_INLINE uint32_t call_vector(const Step *s) {
    return node_physical(s->node,
                         (NODE_CALL_VECTORS + jm_data(s->op0)) & JM_ADDRESS_MASK);
}

BODY(CALL) { /* FIP <- IP; IP <- memory[0x80 + op0] */
    if (s->checked && jm_tag(s->op0) != JM_TAG_INT)
        return tag_fault(s->op0);
    const JmWord target = load(s, call_vector(s));
    if (jm_tag(target) != JM_TAG_IP)
        return tag_fault(target);
    s->context->fip = s->context->ip;
    return jump(s, target);
}

/* Jumps to the word after that of the branch plus op0, phase 0. U, F and A stay. */
ALWAYS_INLINE int branch(Step *s) {
    const uint32_t target = jm_field20(s->ip) + 1 + jm_data(s->op0);
    const uint32_t offset = (target & JM_ADDRESS_MASK) << 10;
    const uint32_t keep = s->ip & (JM_IP_UNCHECKED | JM_IP_FAULT | (JM_IP_PHASE - 1));
    return jump(s, jm_word(jm_tag(s->context->ip), keep | offset));
}

/* Branches by op0 words if `taken`; op0 is checked in any case. */
ALWAYS_INLINE int branch_if(Step *s, bool taken) {
    if (s->checked && jm_tag(s->op0) != JM_TAG_INT)
        return tag_fault(s->op0);
    return taken ? OUTCOME_BRANCHES : OUTCOME_DONE;
}

BODY(BR) { /* IP <- IP + op0 */
    return branch_if(s, true);
}

/* Branches by the whole word in Rs, which must not be a future. */
ALWAYS_INLINE int branch_on_word(Step *s, bool taken) {
    const unsigned tag = jm_tag(s->rs);
    if (s->checked && (tag == JM_TAG_CFUT || tag == JM_TAG_FUT))
        return tag_fault(s->rs);
    return branch_if(s, taken);
}

BODY(BNIL) { /* branch if Rs = NIL */
    return branch_on_word(s, jm_same(s->rs, JM_NIL));
}

BODY(BNNIL) { /* branch if Rs /= NIL */
    return branch_on_word(s, !jm_same(s->rs, JM_NIL));
}

/* Branches by the data of Rs, which must have `tag`. */
ALWAYS_INLINE int branch_on_tag(Step *s, JmTag tag, bool taken) {
    if (s->checked && jm_tag(s->rs) != tag)
        return tag_fault(s->rs);
    return branch_if(s, taken);
}

BODY(BF) { /* branch if bit 0 of Rs is 0 */
    return branch_on_tag(s, JM_TAG_BOOL, !(jm_data(s->rs) & 1));
}

BODY(BT) { /* branch if bit 0 of Rs is 1 */
    return branch_on_tag(s, JM_TAG_BOOL, jm_data(s->rs) & 1);
}

BODY(BZ) { /* branch if data of Rs is 0 */
    return branch_on_tag(s, JM_TAG_INT, jm_data(s->rs) == 0);
}

BODY(BNZ) { /* branch if data of Rs is not 0 */
    return branch_on_tag(s, JM_TAG_INT, jm_data(s->rs) != 0);
}

/* XLATE and PROBE: looks Rs up, stores the data at the destination and, for an A
 * register, the key in IDn. IDn serves the handler that finds the data moved. */
ALWAYS_INLINE int look_up(Step *s, bool miss_faults) {
    if (operand_mode(s) != JM_MODE_REG)
        return JM_FAULT_ILGINST;
    if (s->checked && jm_tag(s->rs) == JM_TAG_CFUT)
        return JM_FAULT_CFUT;
    if (node_table_row(s->node, s->rs) >= MEMORY_EXTERNAL)
        charge_external(s);
    const JmWord data = node_lookup(s->node, s->rs);
    if (miss_faults && jm_same(data, JM_NIL))
        return JM_FAULT_XLATE;
    if (s->d->reg < 4) {
        s->context->r[s->d->reg] = data;
        return OUTCOME_DONE;
    }
    s->context->a[s->d->reg - 4] = data;
    if (!s->node->background)
        s->node->words[s->node->p].id[s->d->reg - 4] = s->rs;
    return OUTCOME_DONE;
}

BODY(XLATE) { /* dst <- table[Rs]; IDn <- Rs */
    return look_up(s, true);
}

BODY(PROBE) { /* dst <- table[Rs] or NIL; IDn <- Rs */
    return look_up(s, false);
}

BODY(ENTER) { /* table[op0] <- Rs */
    if (s->checked && jm_tag(s->op0) == JM_TAG_CFUT)
        return JM_FAULT_CFUT;
    if (node_table_row(s->node, s->op0) >= MEMORY_EXTERNAL)
        charge_external(s);
    node_enter(s->node, s->op0, s->rs);
    return OUTCOME_DONE;
}

BODY(INVAL) { /* every A register of priorities 0, 1: I <- R */
    for (int c = 0; c < 2; c++) {
        for (int i = 0; i < 4; i++) {
            JmWord *a = &s->node->context[c].a[i];
            const uint32_t r = jm_data(*a) & JM_ADDR_RELOCATABLE;
            a->bits = (a->bits & ~(uint64_t)JM_ADDR_INVALID) | r >> 1;
        }
    }
    return OUTCOME_DONE;
}
