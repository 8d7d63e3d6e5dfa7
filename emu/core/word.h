/* The 36-bit tagged word of the Message-Driven Processor.
 *
 *     35   32 31                            0
 *    +-------+-------------------------------+
 *    |  tag  |             data              |
 *    +-------+-------------------------------+
 *
 * Anyone may include this header. A word is a struct around one uint64_t, so
 * that a bare integer cannot pass for it; bits 63..36 are always zero.
 * Source: MDP Architecture, Version 11, section 1.
 */
#ifndef JM_CORE_WORD_H
#define JM_CORE_WORD_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Checks on the hot path are compiled in only with -DJM_DEBUG (sanitizer builds). */
#ifdef JM_DEBUG
#define JM_HOT_ASSERT(condition) assert(condition)
#else
#define JM_HOT_ASSERT(condition) ((void)0)
#endif

typedef struct {
    uint64_t bits;
} JmWord;

/* Tag numbers; the names and meanings are in emu/isa/tags.def. */
typedef enum {
    JM_TAG_SYM = 0x0,
    JM_TAG_INT = 0x1,
    JM_TAG_BOOL = 0x2,
    JM_TAG_ADDR = 0x3,
    JM_TAG_IP = 0x4,
    JM_TAG_MSG = 0x5,
    JM_TAG_CFUT = 0x6,
    JM_TAG_FUT = 0x7,
    JM_TAG_TAG8 = 0x8,
    JM_TAG_TAG9 = 0x9,
    JM_TAG_TAGA = 0xA,
    JM_TAG_TAGB = 0xB,
    JM_TAG_INST0 = 0xC,
    JM_TAG_INST1 = 0xD,
    JM_TAG_INST2 = 0xE,
    JM_TAG_INST3 = 0xF
} JmTag;

enum {
    JM_ADDRESS_BITS = 20,
    JM_ADDRESS_MASK = (1 << JM_ADDRESS_BITS) - 1, /* a node has 2^20 words */
    JM_LENGTH_MASK = 0x3FF                        /* length fields have 10 bits */
};

#define JM_WORD_MASK UINT64_C(0xFFFFFFFFF)
#define JM_NIL ((JmWord){0})

static inline JmWord jm_word(unsigned tag, uint32_t data) {
    JM_HOT_ASSERT(tag < 16);
    return (JmWord){((uint64_t)tag << 32) | data};
}

static inline unsigned jm_tag(JmWord word) {
    return (unsigned)(word.bits >> 32);
}

static inline uint32_t jm_data(JmWord word) {
    return (uint32_t)word.bits;
}

/* Returns a word with the tag of `word` and the given data. Exclusive or saves the host
 * a mask. */
static inline JmWord jm_with_data(JmWord word, uint32_t data) {
    return (JmWord){word.bits ^ (jm_data(word) ^ data)};
}

static inline bool jm_same(JmWord a, JmWord b) {
    return a.bits == b.bits;
}

static inline JmWord jm_int(int32_t value) {
    return jm_word(JM_TAG_INT, (uint32_t)value);
}

static inline JmWord jm_bool(bool value) {
    return jm_word(JM_TAG_BOOL, value);
}

/* Fields of ADDR: R[31] I[30] base[29:10] length[9:0]. Base and length are in words. */
#define JM_ADDR_RELOCATABLE UINT32_C(0x80000000)
#define JM_ADDR_INVALID UINT32_C(0x40000000)

static inline JmWord jm_addr(uint32_t base, uint32_t length) {
    return jm_word(JM_TAG_ADDR,
                   ((base & JM_ADDRESS_MASK) << 10) | (length & JM_LENGTH_MASK));
}

/* Returns the 20-bit field of ADDR, IP or MSG data: base, offset or handler. */
static inline uint32_t jm_field20(uint32_t data) {
    return (data >> 10) & JM_ADDRESS_MASK;
}

/* Returns the 10-bit field of ADDR or MSG data: length or mask. */
static inline uint32_t jm_field10(uint32_t data) {
    return data & JM_LENGTH_MASK;
}

/* Fields of IP: U[31] F[30] offset[29:10] phase[9] A[8] 0[7:0]. U = unchecked mode,
 * F = fault mode, phase 1 = low instruction, A = the offset is an absolute address. */
#define JM_IP_UNCHECKED UINT32_C(0x80000000)
#define JM_IP_FAULT UINT32_C(0x40000000)
#define JM_IP_PHASE UINT32_C(0x200)
#define JM_IP_ABSOLUTE UINT32_C(0x100)

static inline JmWord jm_ip(uint32_t offset, uint32_t flags) {
    return jm_word(JM_TAG_IP, ((offset & JM_ADDRESS_MASK) << 10) | flags);
}

/* Fields of MSG: U[31] F[30] handler[29:10] length[9:0]. The length is in words and
 * counts the header. */
static inline JmWord jm_msg(uint32_t handler, uint32_t length) {
    return jm_word(JM_TAG_MSG,
                   ((handler & JM_ADDRESS_MASK) << 10) | (length & JM_LENGTH_MASK));
}

/* INST0 to INST3 are the four highest tags, so one comparison is enough. */
static inline bool jm_is_instruction(JmWord word) {
    return word.bits >= (uint64_t)JM_TAG_INST0 << 32;
}

/* Returns the 17-bit instruction in phase 0 (high) or 1 (low) of an instruction word.
 */
static inline uint32_t jm_instruction(JmWord word, unsigned phase) {
    return (uint32_t)(word.bits >> (phase ? 0 : 17)) & 0x1FFFF;
}

static inline JmWord jm_instruction_word(uint32_t high, uint32_t low) {
    return (JmWord){(UINT64_C(3) << 34) | ((uint64_t)(high & 0x1FFFF) << 17) |
                    (low & 0x1FFFF)};
}

/* Returns a node address as NNR and routing words hold it: x[4:0] y[9:5] z[15:10]. */
static inline uint32_t jm_node_address(unsigned x, unsigned y, unsigned z) {
    return (x & 31) | (y & 31) << 5 | (z & 63) << 10;
}

#ifdef __cplusplus
}
#endif

#endif
