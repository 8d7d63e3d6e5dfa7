/* Compares two runs of one program that must be equal, however they were run. */
#ifndef TESTS_EMU_SAME_H
#define TESTS_EMU_SAME_H

#include "tests/emu/rig.h"

/* Each fails the test unless both machines are in the same cycle and agree in every
 * register, in memory on chip, in the first 64 words of external memory, and in the
 * statistics of all nodes. `seed` is the seed of the program. */
void expect_same_registers(const Rig *a, const Rig *b, uint64_t seed);
void expect_same(const Rig *a, const Rig *b, uint64_t seed);

#endif
