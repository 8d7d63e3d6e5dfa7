/* Outputs of work that signals may end. For the commands of jm. */
#ifndef JM_TOOLS_OUTPUTS_H
#define JM_TOOLS_OUTPUTS_H

#include "emu/core/outfile.h"
#include "tools/host/option_rows.h"

/* An optional output. */
typedef struct {
    JmOutFile *file;
    const char *path; /* NULL: not wanted, and `file` stays closed */
} Output;

/* Opens outputs. None may take the place of `inputs` (outfile.h), and no two may go to
 * one file or to standard output. Those that may wait for the reader of a pipe come
 * first, while a signal still ends the program; from then on signals are held
 * (signals.h). Returns false, with all files closed, if one cannot be opened. */
bool outputs_open(const Output *outputs, unsigned count, const JmInputs *inputs,
                  JmError *error);

/* Checks the outputs of a command line, taken into `fields` by the rows of OUTPUT, for
 * work whose results come late: whether each could be opened, and outputs_open() would
 * take all of them. */
bool outputs_check(const OptionSet *set, const void *fields, const JmInputs *inputs,
                   JmError *error);
/* Whether none of them is standard output, which then is for text. */
bool outputs_leave_text(const OptionSet *set, const void *fields);

/* Flushes standard output and returns the exit status of a command that ends with
 * `status`. It is `failure` instead of success if output was lost, which host_end()
 * reports, and 128 + n instead of `failure` if signal n is held, because a signal ends
 * the wait for the reader of a pipe. */
int outputs_status(int status, int failure);

#endif
