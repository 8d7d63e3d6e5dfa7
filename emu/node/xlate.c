/* The translation table (MDP Architecture, version 11): rows of two ways, [data0 key0
 * data1 key1]. TBM holds base and mask: the row of a key is at base | (key & mask). */
#include "emu/node/node.h"

enum { WAYS = 2, WAY_WORDS = 2 };

uint32_t node_table_row(const Node *node, JmWord key) {
    const uint32_t index = jm_data(key) & jm_field10(node->tbm);
    return (jm_field20(node->tbm) | index) & ~(NODE_ROW_WORDS - 1u);
}

/* Returns the way that holds `key`, or -1. Way 1 is compared first. */
static int find_way(const Node *node, uint32_t row, JmWord key) {
    for (int way = WAYS - 1; way >= 0; way--) {
        const uint32_t at = row + (uint32_t)way * WAY_WORDS + 1;
        if (jm_same(memory_read(&node->memory, at), key))
            return way;
    }
    return -1;
}

JmWord node_lookup(const Node *node, JmWord key) {
    const uint32_t row = node_table_row(node, key);
    const int way = find_way(node, row, key);
    if (way < 0)
        return JM_NIL;
    return memory_read(&node->memory, row + (uint32_t)way * WAY_WORDS);
}

uint32_t node_enter_address(const Node *node, JmWord key) {
    const uint32_t row = node_table_row(node, key);
    const int way = find_way(node, row, key);
    return row + (uint32_t)(way < 0 ? node->replace : way) * WAY_WORDS;
}

void node_enter(Node *node, JmWord key, JmWord data) {
    const uint32_t at = node_enter_address(node, key);
    node->replace = !node->replace;
    if (memory_is_rom(at))
        return;
    node_write_memory(node, at, data);
    node_write_memory(node, at + 1, key);
}
