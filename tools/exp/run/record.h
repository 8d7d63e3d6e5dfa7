/* The contents of a journal record. Others can write to a journal, and an impossible
 * record must not become a figure. */
#ifndef JM_TOOLS_EXP_RUN_RECORD_H
#define JM_TOOLS_EXP_RUN_RECORD_H

#include <jansson.h>
#include <stdbool.h>

enum { RECORD_WHY_MAX = 160 };

/* Whether a run of this jm can have had this record: every field has the type and range
 * of its row in record.def, none is missing, and fields do not contradict each other.
 * Fills `why` if not. `record` has a key. */
bool record_check(const json_t *record, char why[RECORD_WHY_MAX]);

#endif
