/* Parses numbers of the command line; the whole text must be one number. */
#ifndef JM_TOOLS_HOST_NUMBERS_H
#define JM_TOOLS_HOST_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/word.h"

/* Decimal, or hexadecimal with 0x; low..high. */
bool number_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value);
/* Hexadecimal with or without 0x, 0..high. */
bool number_parse_hex(const char *text, uint64_t high, uint64_t *value);
/* -2^31 .. 2^32-1 as an INT word, or TAG:HEX. */
bool number_parse_word(const char *text, JmWord *word);

#endif
