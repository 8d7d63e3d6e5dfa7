/* The oracle: a second, independent model of one MDP, for tests only.
 *
 * It was written from the instruction set and the timing rules alone and shares no
 * table and no code with the emulator, only the 36-bit word. It is plain rather than
 * quick: one struct, an array for the memory, a switch for the opcodes. Where it and
 * the emulator disagree, one of them has misread the rules.
 *
 * The model is a machine of one node (1x1x1), so that messages can only go to itself;
 * their way through the network's three R channels is modelled cycle by cycle.
 * Source of every rule: MDP Architecture, Version 11; of the timing: thesis fig. 4-3.
 */
#ifndef TESTS_ISA_ORACLE_H
#define TESTS_ISA_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/word.h"

/* Fault numbers, written out once more on purpose. */
enum {
    ORACLE_NO_FAULT = -1,
    ORACLE_CATASTROPHE = 0x00,
    ORACLE_INTERRUPT = 0x01,
    ORACLE_QUEUE = 0x02,
    ORACLE_SEND = 0x03,
    ORACLE_ILGINST = 0x04,
    ORACLE_INVADR = 0x06,
    ORACLE_LIMIT = 0x07,
    ORACLE_EARLY = 0x08,
    ORACLE_MSG = 0x09,
    ORACLE_XLATE = 0x0A,
    ORACLE_OVERFLOW = 0x0B,
    ORACLE_CFUT = 0x0C,
    ORACLE_FUT = 0x0D,
    ORACLE_TAG8 = 0x0E,
    ORACLE_TYPE = 0x12
};

enum { ORACLE_BACKGROUND = 2, ORACLE_CONTEXTS = 3 };

/* One context; the fields from `id` on mean something for the two priorities only. */
typedef struct {
    JmWord r[4], a[4], ip, fip;
    JmWord id[4], fir, fop0, fop1;
    uint32_t qbm, qhl;         /* data of the words, */
    unsigned qbm_tag, qhl_tag; /* and their tags */
    bool q;
    bool active; /* between dispatch (or MSG fault) and SUSPEND */
} OracleContext;

/* Cycles, each row of the timing table. */
typedef struct {
    unsigned base, read_onchip, write_onchip, external, suspend, jump, row_onchip,
        row_external, xlate, dispatch, fault, constant;
} OracleTiming;

enum { ORACLE_BUFFER_WORDS = 8, ORACLE_CHANNELS = 3, ORACLE_CHANNEL_FLITS = 2 };

/* A flit on its way. Header flit k (0..2) is dropped on entering channel k. */
typedef struct {
    JmWord word;
    int8_t header; /* 0..2, or -1: half a data word */
    bool second;   /* second half of its word */
    bool tail;     /* second half of the last word of its message */
} OracleFlit;

/* Sending and receiving side of one priority. */
typedef struct {
    bool open;        /* a routing word was taken, its end not yet */
    unsigned places;  /* taken in the output buffer */
    JmWord words[64]; /* words not wholly gone, a ring; front at `first` */
    bool is_routing[64], is_end[64]; /* what each is */
    unsigned first, count, ready;    /* `ready` words were there when the cycle began */
    unsigned flits_gone;             /* of the front word */
    bool leaving;                    /* its message has begun to leave */
    OracleFlit channel[ORACLE_CHANNELS][ORACLE_CHANNEL_FLITS];
    unsigned flits[ORACLE_CHANNELS];
    JmWord row[4]; /* arriving words of a row not yet written */
    unsigned gathered;
} OracleLane;

enum { ORACLE_MEMORY_WORDS = 1 << 20, ORACLE_NO_ROW = 0xFFFFFFFF };

typedef struct {
    OracleContext context[ORACLE_CONTEXTS];
    uint32_t tbm, nnr, mar;
    unsigned tbm_tag;
    bool p, b, i;
    bool interrupt;     /* posted and not yet taken */
    bool interrupted_b; /* B flag when the priority-1 task began */
    bool way1_next;     /* replacement bit of the translation table */
    bool stopped;
    uint32_t row; /* physical address / 4 of the last word fetched */
    uint64_t now; /* cycles done */
    OracleTiming timing;
    OracleLane lane[2];
    JmWord *memory;    /* ORACLE_MEMORY_WORDS */
    uint32_t *written; /* addresses written since oracle_forget() */
    unsigned written_count, written_room;
} Oracle;

/* The event at an instruction boundary. */
typedef enum {
    ORACLE_DID_INTERRUPT,
    ORACLE_DID_QUEUE_FAULT,
    ORACLE_DID_DISPATCH,
    ORACLE_DID_MSG_FAULT,
    ORACLE_DID_FETCH_FAULT,
    ORACLE_DID_CONSTANT,
    ORACLE_DID_INSTRUCTION,
    ORACLE_DID_FAULT, /* an instruction that faulted */
    ORACLE_DID_STOP   /* the node stopped */
} OracleAct;

typedef struct {
    OracleAct act;
    int fault;            /* as raised, before it may become a catastrophe */
    bool catastrophe;     /* it became one */
    uint32_t instruction; /* 17 bits, if one was fetched */
    unsigned cycles;
} OracleStep;

/* A node at reset with empty memory; the caller destroys it. */
Oracle *oracle_create(void);
void oracle_destroy(Oracle *oracle);
OracleTiming oracle_timing_default(void);

/* Words by physical address, without any of the processor's rules. */
JmWord oracle_read(const Oracle *oracle, uint32_t address);
void oracle_write(Oracle *oracle, uint32_t address, JmWord word);
/* Empties the list of addresses written. */
void oracle_forget(Oracle *oracle);

/* Index in `context` of the running one. */
unsigned oracle_running(const Oracle *oracle);

/* Does what is due at this boundary and lets its cycles pass. */
OracleStep oracle_step(Oracle *oracle);

/* Register mode: value of register n of a context (0..2), priority `queue` for the
 * registers that each priority has whatever the context. */
JmWord oracle_register(Oracle *oracle, unsigned context, unsigned queue, unsigned n);
void oracle_set_register(Oracle *oracle, unsigned context, unsigned queue, unsigned n,
                         JmWord word);

/* Register numbers. */
enum {
    ORACLE_REG_R0 = 0x00,
    ORACLE_REG_A0 = 0x04,
    ORACLE_REG_ID0 = 0x08,
    ORACLE_REG_FIP = 0x0C,
    ORACLE_REG_FIR = 0x0D,
    ORACLE_REG_FOP0 = 0x0E,
    ORACLE_REG_FOP1 = 0x0F,
    ORACLE_REG_QBM = 0x10,
    ORACLE_REG_QHL = 0x11,
    ORACLE_REG_IP = 0x12,
    ORACLE_REG_TBM = 0x13,
    ORACLE_REG_NNR = 0x14,
    ORACLE_REG_MAR = 0x15,
    ORACLE_REG_P = 0x18,
    ORACLE_REG_B = 0x19,
    ORACLE_REG_I = 0x1A,
    ORACLE_REG_F = 0x1B,
    ORACLE_REG_U = 0x1C,
    ORACLE_REG_Q = 0x1D
};

#endif
