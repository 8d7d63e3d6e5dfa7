/* Bodies: arithmetic, shifts, logic, comparisons, tags. Each opens with its register
 * transfer; ops.def has its faults. See step_inline.h. */

/* Result of two-operand arithmetic: INT when checked, else the tag of Rs. */
ALWAYS_INLINE int arithmetic(Step *s, uint32_t value, bool overflow) {
    if (!s->checked)
        return set_rd(s, jm_with_data(s->rs, value));
    if (!both(s, JM_TAG_INT))
        return tag_fault(jm_tag(s->rs) != JM_TAG_INT ? s->rs : s->op0);
    if (__builtin_expect(overflow, false))
        return JM_FAULT_OVERFLOW;
    return set_rd(s, jm_word(JM_TAG_INT, value));
}

BODY(CARRY) { /* Rd <- INT carry of Rs + op0 */
    uint32_t sum;
    int32_t ignored;
    const bool carry = __builtin_add_overflow(jm_data(s->rs), jm_data(s->op0), &sum);
    const bool overflow = __builtin_add_overflow((int32_t)jm_data(s->rs),
                                                 (int32_t)jm_data(s->op0), &ignored);
    const int outcome = arithmetic(s, carry, overflow);
    if (outcome == OUTCOME_DONE)
        set_rd(s, jm_int(carry));
    return outcome;
}

BODY(ADD) { /* Rd <- Rs + op0 */
    int32_t sum;
    const bool overflow =
        __builtin_add_overflow((int32_t)jm_data(s->rs), (int32_t)jm_data(s->op0), &sum);
    return arithmetic(s, (uint32_t)sum, overflow);
}

BODY(SUB) { /* Rd <- Rs - op0 */
    int32_t difference;
    const bool overflow = __builtin_sub_overflow((int32_t)jm_data(s->rs),
                                                 (int32_t)jm_data(s->op0), &difference);
    return arithmetic(s, (uint32_t)difference, overflow);
}

/* Multiplies as signed numbers; 64 bits hold every product. */
ALWAYS_INLINE int64_t product(const Step *s) {
    return (int64_t)(int32_t)jm_data(s->rs) * (int32_t)jm_data(s->op0);
}

BODY(MULH) { /* Rd <- high half of Rs * op0 */
    const int64_t value = product(s);
    return arithmetic(s, (uint32_t)((uint64_t)value >> 32), value != (int32_t)value);
}

BODY(MUL) { /* Rd <- low half of Rs * op0 */
    const int64_t value = product(s);
    return arithmetic(s, (uint32_t)value, value != (int32_t)value);
}

BODY(ASH) { /* Rd <- Rs shifted by op0, arithmetic */
    const int64_t value = (int32_t)jm_data(s->rs);
    const int32_t amount = (int32_t)jm_data(s->op0);
    if (amount < -31 || amount > 31) { /* only the sign remains */
        const bool lost = amount > 0 && value != 0 && value != -1;
        return arithmetic(s, value < 0 ? UINT32_MAX : 0, lost);
    }
    if (amount <= 0)
        return arithmetic(s, (uint32_t)(value >> -amount), false);
    const int64_t shifted = value * (INT64_C(1) << amount);
    return arithmetic(s, (uint32_t)shifted, shifted != (int32_t)shifted);
}

BODY(LSH) { /* Rd <- Rs shifted by op0, logical */
    const uint32_t value = jm_data(s->rs);
    const int32_t amount = (int32_t)jm_data(s->op0);
    if (amount < -31 || amount > 31)
        return arithmetic(s, 0, amount > 0 && value != 0);
    if (amount <= 0)
        return arithmetic(s, value >> -amount, false);
    const uint64_t shifted = (uint64_t)value << amount;
    return arithmetic(s, (uint32_t)shifted, shifted != (uint32_t)shifted);
}

BODY(ROT) { /* Rd <- Rs rotated left by op0 mod 32 */
    const uint32_t value = jm_data(s->rs);
    const unsigned amount = jm_data(s->op0) & 31;
    return arithmetic(s, value << amount | value >> (-amount & 31), false);
}

/* AND, OR, XOR: both operands INT or both BOOL; the result keeps the tag of Rs. */
ALWAYS_INLINE int logic(Step *s, JmWord result) {
    if (s->checked && !both(s, JM_TAG_INT) && !both(s, JM_TAG_BOOL)) {
        const unsigned tag = jm_tag(s->rs);
        return tag_fault(tag != JM_TAG_INT && tag != JM_TAG_BOOL ? s->rs : s->op0);
    }
    return set_rd(s, result);
}

BODY(AND) { /* Rd <- Rs and op0 */
    return logic(s, jm_with_data(s->rs, jm_data(s->rs) & jm_data(s->op0)));
}

BODY(OR) { /* Rd <- Rs or op0 */
    return logic(s, (JmWord){s->rs.bits | jm_data(s->op0)});
}

BODY(XOR) { /* Rd <- Rs xor op0 */
    return logic(s, (JmWord){s->rs.bits ^ jm_data(s->op0)});
}

BODY(FFB) { /* Rd <- INT bits of op0 below bit 31 equal to it before one differs */
    if (s->checked && jm_tag(s->op0) != JM_TAG_INT)
        return tag_fault(s->op0);
    const uint32_t value = jm_data(s->op0);
    const uint32_t differ = (value & UINT32_C(0x80000000)) ? ~value : value;
    return set_rd(s, jm_int(differ ? __builtin_clz(differ) - 1 : 31));
}

BODY(NOT) { /* Rd <- not op0 */
    const unsigned tag = jm_tag(s->op0);
    if (s->checked && tag != JM_TAG_INT && tag != JM_TAG_BOOL)
        return tag_fault(s->op0);
    const uint32_t flip = tag == JM_TAG_BOOL ? 1 : UINT32_MAX;
    return set_rd(s, jm_with_data(s->op0, jm_data(s->op0) ^ flip));
}

BODY(NEG) { /* Rd <- -op0 */
    if (s->checked && jm_tag(s->op0) != JM_TAG_INT)
        return tag_fault(s->op0);
    if (s->checked && jm_data(s->op0) == UINT32_C(0x80000000))
        return JM_FAULT_OVERFLOW;
    return set_rd(s, jm_with_data(s->op0, 0 - jm_data(s->op0)));
}

/* LT, LE, GE, GT: same tag, INT or BOOL; otherwise the fault is reported for Rs unless
 * Rs is fine. */
ALWAYS_INLINE int compare(Step *s, bool value) {
    if (s->checked && !both(s, JM_TAG_INT) && !both(s, JM_TAG_BOOL)) {
        const unsigned tag = jm_tag(s->rs);
        return tag_fault(tag != JM_TAG_INT && tag != JM_TAG_BOOL ? s->rs : s->op0);
    }
    return set_rd(s, jm_bool(value));
}

BODY(LT) { /* Rd <- BOOL Rs < op0 */
    return compare(s, (int32_t)jm_data(s->rs) < (int32_t)jm_data(s->op0));
}

BODY(LE) { /* Rd <- BOOL Rs <= op0 */
    return compare(s, (int32_t)jm_data(s->rs) <= (int32_t)jm_data(s->op0));
}

BODY(GE) { /* Rd <- BOOL Rs >= op0 */
    return compare(s, (int32_t)jm_data(s->rs) >= (int32_t)jm_data(s->op0));
}

BODY(GT) { /* Rd <- BOOL Rs > op0 */
    return compare(s, (int32_t)jm_data(s->rs) > (int32_t)jm_data(s->op0));
}

/* EQUAL, NEQUAL: same tag, INT, BOOL or SYM; a bad pair reports Rs. */
ALWAYS_INLINE int equality(Step *s, bool value) {
    if (s->checked && !both(s, JM_TAG_INT) && !both(s, JM_TAG_BOOL) &&
        !both(s, JM_TAG_SYM))
        return tag_fault(s->rs);
    return set_rd(s, jm_bool(value));
}

BODY(EQUAL) { /* Rd <- BOOL data of Rs = op0 */
    return equality(s, jm_data(s->rs) == jm_data(s->op0));
}

BODY(NEQUAL) { /* Rd <- BOOL data of Rs /= op0 */
    return equality(s, jm_data(s->rs) != jm_data(s->op0));
}

/* EQ, NEQ: any words but futures; CFUT is reported before FUT. */
ALWAYS_INLINE int identity(Step *s, bool value) {
    if (s->checked) {
        const unsigned rs = jm_tag(s->rs), op0 = jm_tag(s->op0);
        if (rs == JM_TAG_CFUT || op0 == JM_TAG_CFUT)
            return JM_FAULT_CFUT;
        if (rs == JM_TAG_FUT || op0 == JM_TAG_FUT)
            return JM_FAULT_FUT;
    }
    return set_rd(s, jm_bool(value));
}

BODY(EQ) { /* Rd <- BOOL word Rs = op0 */
    return identity(s, jm_same(s->rs, s->op0));
}

BODY(NEQ) { /* Rd <- BOOL word Rs /= op0 */
    return identity(s, !jm_same(s->rs, s->op0));
}

BODY(RTAG) { /* Rd <- INT tag of op0 */
    if (s->checked && jm_tag(s->op0) == JM_TAG_CFUT)
        return JM_FAULT_CFUT;
    return set_rd(s, jm_int((int32_t)jm_tag(s->op0)));
}

BODY(WTAG) { /* Rd <- Rs with tag op0 */
    if (s->checked && jm_tag(s->op0) != JM_TAG_INT)
        return tag_fault(s->op0);
    if (jm_data(s->op0) > 15)
        return JM_FAULT_TYPE;
    return set_rd(s, jm_word(jm_data(s->op0), jm_data(s->rs)));
}

BODY(CHECK) { /* Rd <- BOOL tag of Rs == op0 & 15 */
    if (s->checked && jm_tag(s->op0) != JM_TAG_INT)
        return tag_fault(s->op0);
    return set_rd(s, jm_bool(jm_tag(s->rs) == (jm_data(s->op0) & 15)));
}
