/* Fuzzes the emulator with random memory and registers on a small machine, run twice:
 * in one go, and cycle by cycle with an observer. Both must agree in every respect,
 * cycles must add up and no word may be lost between buffers and queues.
 *
 * Input: a byte of options, then words of five bytes (tag, data), in turn for on-chip
 * memory from 00100 on and for ROM from 01000 on, where nodes start.
 */
#include "tests/fuzz/fuzz.h"

enum { NODES = 2, CYCLES = 500, LOW_WORDS = 0x100, MEMORY_CHECKED = 0x1000 };

typedef struct {
    const uint8_t *data;
    size_t size, at;
} Bytes;

static JmWord next_word(Bytes *b) {
    uint8_t five[5] = {0};
    const size_t left = b->size - b->at;
    memcpy(five, b->data + b->at, left < 5 ? left : 5);
    b->at += left < 5 ? left : 5;
    uint32_t value;
    memcpy(&value, five + 1, sizeof value);
    return jm_word(five[0] & 15, value);
}

/* Queues of 32 words in on-chip memory, so that programs that send get somewhere. */
static void set_up(JmMachine *machine, unsigned node, uint8_t options) {
    for (unsigned p = 0; p < 2; p++) {
        const JmContext context = p ? JM_CONTEXT_1 : JM_CONTEXT_0;
        const uint32_t base = 0x800 + 0x100 * p;
        const uint32_t mask = (options & 1) ? 31 : 7;
        jm_set_register(machine, node, context, JM_REG_QBM, jm_addr(base, mask));
        jm_set_register(machine, node, context, JM_REG_QHL, jm_addr(base, 0));
    }
    jm_set_register(machine, node, JM_CONTEXT_BACKGROUND, JM_REG_TBM,
                    jm_addr(0xA00, 0x3F));
    if (options & 2)
        jm_set_register(machine, node, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    if (options & 4) /* run the background code checked */
        jm_set_register(machine, node, JM_CONTEXT_BACKGROUND, JM_REG_U, jm_bool(false));
    for (uint32_t f = 0; f < JM_FAULT_COUNT && (options & 8); f++) {
        const JmWord vector = jm_ip(0x1000 + 4 * f, JM_IP_ABSOLUTE);
        jm_write(machine, node, 0x40 + f, vector);
        jm_write(machine, node, 0x60 + f, vector);
    }
}

static JmMachine *build(Again *made, bool keep_going, const uint8_t *data,
                        size_t size) {
    JmConfig config = jm_config_default();
    config.size_x = NODES;
    config.keep_going = keep_going;
    JmMachine *machine = again(made, &config, NULL);
    Bytes bytes = {data, size, 1};
    for (uint32_t a = 0; a < LOW_WORDS && bytes.at < size; a++) {
        const JmWord word = next_word(&bytes);
        jm_write_all(machine, 0x100 + a, word);
        jm_write_all(machine, 0x1000 + a, next_word(&bytes));
    }
    for (unsigned i = 0; i < NODES; i++) {
        set_up(machine, i, data[0]);
        jm_start(machine, i);
    }
    return machine;
}

static bool look_on(void *context, const JmEvent *event) {
    *(uint64_t *)context += event->cycle + event->kind;
    return false;
}

static void check_node(const JmMachine *a, const JmMachine *b, unsigned node) {
    JmNodeStatistics s, t;
    memset(&s, 0, sizeof s);
    memset(&t, 0, sizeof t);
    jm_node_statistics(a, node, &s);
    jm_node_statistics(b, node, &t);
    uint64_t cycles = 0;
    for (unsigned c = 0; c < JM_CLASS_COUNT; c++)
        cycles += s.cycles[c];
    if (cycles != jm_now(a) || s.instructions != t.instructions ||
        memcmp(s.cycles, t.cycles, sizeof s.cycles) != 0 ||
        memcmp(s.faults, t.faults, sizeof s.faults) != 0)
        abort();
    for (JmContext c = JM_CONTEXT_0; c <= JM_CONTEXT_BACKGROUND; c++) {
        for (unsigned r = 0; r < JM_REG_COUNT; r++) {
            if (jm_reg_name(r) && !jm_same(jm_register(a, node, c, (JmReg)r),
                                           jm_register(b, node, c, (JmReg)r)))
                abort();
        }
    }
    for (uint32_t address = 0; address < MEMORY_CHECKED; address++) {
        if (!jm_same(jm_read(a, node, address), jm_read(b, node, address)))
            abort();
    }
}

static void check_words(const JmMachine *machine) {
    JmNetworkStatistics n;
    jm_network_statistics(machine, &n);
    for (unsigned p = 0; p < 2; p++) {
        if (n.words_delivered[p] > n.words_offered[p] ||
            n.messages_delivered[p] > n.messages_opened[p])
            abort();
    }
    if (n.flits_ejected + n.flits_dropped > n.flits_injected)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    static Again made[2][2];
    const bool keep_going = data[0] & 16;
    JmMachine *plain = build(&made[0][keep_going], keep_going, data, size);
    JmMachine *observed = build(&made[1][keep_going], keep_going, data, size);
    uint64_t seen = 0;
    jm_observe(observed, UINT32_MAX & ~(1u << JM_EVENT_FLIT), look_on, &seen);
    const JmStop stop = jm_run(plain, CYCLES);
    JmStop other = JM_STOP_NONE;
    while (other == JM_STOP_NONE && jm_now(observed) < CYCLES)
        other = jm_run(observed, jm_now(observed) + 1);
    if (stop != other || jm_now(plain) != jm_now(observed))
        abort();
    for (unsigned i = 0; i < NODES; i++)
        check_node(plain, observed, i);
    check_words(plain);
    for (unsigned i = 0; i < 2; i++)
        again_back(&made[i][keep_going]);
    return 0;
}
