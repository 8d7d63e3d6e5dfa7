/* Samples of a run as CSV: a row at every multiple of `every` cycles and at the end.
 * Columns: samples.def. */
#ifndef JM_TOOLS_JM_STATS_SAMPLE_H
#define JM_TOOLS_JM_STATS_SAMPLE_H

#include <stdbool.h>

#include "emu/core/outfile.h"
#include "emu/jm.h"

/* The samples of a run. */
typedef struct {
    const JmMachine *machine;
    JmOutFile file;
    uint64_t every; /* cycles between rows */
    uint64_t next;  /* cycle of the next row; UINT64_MAX if there are no samples */
    uint64_t last;  /* cycle of the last row; UINT64_MAX: none yet */
} Sample;

/* Opens the file and writes the head. False and an error. */
bool sample_open(Sample *sample, JmMachine *machine, const char *path, uint64_t every,
                 JmError *error);
/* Writes the row of this cycle, unless it is written already, and sets `next`. */
void sample_row(Sample *sample);

#endif
