/* Shared by the files of the oracle only. */
#ifndef TESTS_ISA_ORACLE_PARTS_H
#define TESTS_ISA_ORACLE_PARTS_H

#include "tests/isa/oracle.h"

/* One instruction being executed. */
typedef struct {
    Oracle *node;
    OracleContext *context;
    unsigned op, op2, op1, op0;
    uint32_t instruction;
    uint32_t here; /* offset of the word that holds it */
    bool checked;
    bool has_operand; /* an operand value was read: FOP0 */
    JmWord operand;
    JmWord rs;
    uint32_t address; /* of the memory operand, physical */
    bool onchip_read, onchip_write;
    unsigned externals; /* accesses to external memory */
    bool jumped;
} OracleRun;

/* oracle_operand.c: all return a fault or ORACLE_NO_FAULT. */
int oracle_read_operand(OracleRun *run);
int oracle_write_operand(OracleRun *run, JmWord word);
int oracle_read_register(OracleRun *run);
int oracle_write_register(OracleRun *run);
/* Physical address of the processor's address a. */
uint32_t oracle_switched(const Oracle *node, uint32_t address);
bool oracle_is_external(uint32_t address);
/* A write by the processor: ROM does not take it. */
void oracle_store(Oracle *node, uint32_t address, JmWord word);
/* The fault for a word of a wrong tag. */
int oracle_wrong_tag(JmWord word);
bool oracle_form_has_rs(unsigned op);

/* oracle_exec.c */
int oracle_execute(OracleRun *run);

/* oracle_table.c: XLATE, PROBE, ENTER. */
int oracle_translate(OracleRun *run);
int oracle_enter(OracleRun *run);

/* oracle_net.c */
unsigned oracle_room(const OracleLane *lane);
void oracle_offer(OracleLane *lane, JmWord word, bool routing, bool end);
/* Network input of this priority open, on the state as it is. */
bool oracle_gate(const Oracle *node, unsigned priority);
/* One cycle of the way from the output buffers to the queues. */
void oracle_net_cycle(Oracle *node, const bool gate[2]);

#endif
