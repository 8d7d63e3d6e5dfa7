/* A one-node machine and the oracle side by side: the same state is put into both, both
 * do what is due at one instruction boundary, and everything that can be seen of them
 * is compared. Tests only. */
#ifndef TESTS_ISA_ORACLE_PAIR_H
#define TESTS_ISA_ORACLE_PAIR_H

#include "emu/core/rng.h"
#include "emu/jm.h"
#include "tests/isa/oracle.h"

typedef struct {
    JmMachine *machine;
    Oracle *oracle;
    bool ended;         /* the node stopped or sleeps: nothing more to compare */
    char trouble[512];  /* the first disagreement; "" if none */
    char previous[128]; /* what the last boundary did */
} Pair;

/* A pair at reset, host page off, node started, the vectors of every fault set to
 * pair_vector(). `timing` NULL: the standard one. The caller destroys it. */
Pair *pair_create(const OracleTiming *timing);
void pair_destroy(Pair *pair);
/* Destroys *pair and puts a new one in its place, for after a stop. */
void pair_renew(Pair **pair);

/* Where the vector of (priority, fault) points. */
uint32_t pair_vector(unsigned priority, unsigned fault);

/* Sets a word or a register in both. */
void pair_write(Pair *pair, uint32_t address, JmWord word);
void pair_set(Pair *pair, unsigned context, unsigned n, JmWord word);
/* The running context: background, or priority 0 or 1. */
void pair_set_running(Pair *pair, unsigned context);
/* Brings the oracle up to what cannot be set from outside (MAR, active tasks); call it
 * when the state has been set. */
void pair_adopt(Pair *pair);

/* One boundary in both; false if they differ, with the reason in `trouble`. */
bool pair_step(Pair *pair, OracleStep *step);
/* Up to `count` boundaries, or until the pair has ended. */
bool pair_steps(Pair *pair, unsigned count);
/* Compares all registers and every word written since the last call. */
bool pair_compare(Pair *pair);

/* Random words: data from a list of interesting values or any; small INTs. */
uint32_t pair_data(JmRng *rng);
JmWord pair_word(JmRng *rng);
/* Fills R, A, ID and the fault registers of every context with random words. */
void pair_random_registers(Pair *pair, JmRng *rng);

#endif
