/* The oracle's translation table: XLATE, PROBE, ENTER. */
#include "tests/isa/oracle_parts.h"

/* Physical address of the row for a key: [data0 key0 data1 key1]. */
static uint32_t row_of(const Oracle *node, JmWord key) {
    const uint32_t base = jm_field20(node->tbm), mask = node->tbm & 0x3FF;
    return (base | (jm_data(key) & mask)) & 0xFFFFC;
}

/* Way that holds the key, way 1 first; -1 if none. */
static int way_of(const Oracle *node, uint32_t row, JmWord key) {
    for (int way = 1; way >= 0; way--) {
        const JmWord held = oracle_read(node, row + 2 * (uint32_t)way + 1);
        if (held.bits == key.bits)
            return way;
    }
    return -1;
}

int oracle_translate(OracleRun *run) {
    Oracle *node = run->node;
    const JmWord key = run->rs;
    if (run->op0 >= 0x08) /* dst is Rn or An only */
        return ORACLE_ILGINST;
    if (run->checked && jm_tag(key) == JM_TAG_CFUT)
        return ORACLE_CFUT;
    const uint32_t row = row_of(node, key);
    const int way = way_of(node, row, key);
    const JmWord data = way < 0 ? JM_NIL : oracle_read(node, row + 2 * (uint32_t)way);
    if (run->op == 0x28 && data.bits == 0)
        return ORACLE_XLATE;
    run->externals += oracle_is_external(row);
    if (run->op0 < 0x04) {
        run->context->r[run->op0] = data;
        return ORACLE_NO_FAULT;
    }
    run->context->a[run->op0 - 0x04] = data;
    if (!node->b)
        run->context->id[run->op0 - 0x04] = key;
    return ORACLE_NO_FAULT;
}

int oracle_enter(OracleRun *run) {
    Oracle *node = run->node;
    const JmWord key = run->operand;
    if (run->checked && jm_tag(key) == JM_TAG_CFUT)
        return ORACLE_CFUT;
    const uint32_t row = row_of(node, key);
    int way = way_of(node, row, key);
    if (way < 0)
        way = node->way1_next ? 1 : 0;
    node->way1_next = !node->way1_next;
    oracle_store(node, row + 2 * (uint32_t)way, run->rs);
    oracle_store(node, row + 2 * (uint32_t)way + 1, key);
    run->externals += oracle_is_external(row);
    return ORACLE_NO_FAULT;
}
