/* Parses numbers of the command line; the whole text must be one number. */
#ifndef JM_TOOLS_HOST_NUMBERS_H
#define JM_TOOLS_HOST_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/word.h"

/* Parses a number in low..high: decimal, or hexadecimal with 0x. */
bool number_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value);
/* Parses a hexadecimal number of at most 32 bits, with or without 0x. */
bool number_parse_hex(const char *text, uint64_t *value);
/* Parses a word: -2^31 .. 2^32-1 as an INT, or TAG:HEX. */
bool number_parse_word(const char *text, JmWord *word);

/* Parses the number before `separator`, or the whole text if that is 0, and moves
 * `*text` behind both. */
bool number_take(const char **text, char separator, uint64_t high, uint64_t *value);
/* Parses FIRST..LAST or FIRST..LAST/STEP, real numbers; `step` is 1 if it has none. */
bool number_parse_range(const char *text, double *first, double *last, double *step);
/* Parses XxYxZ, each at most `high`. */
bool number_parse_mesh(const char *text, unsigned high, unsigned size[3]);

#endif
