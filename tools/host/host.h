/* What every program does first and last, and when memory runs out. For files with a
 * main() and the commands of jm. */
#ifndef JM_TOOLS_HOST_H
#define JM_TOOLS_HOST_H

#include "emu/core/status.h"

enum { HOST_MEMORY_BEFORE = 2, HOST_MEMORY_IN_RUN = 125 }; /* exit status */

/* First of all. Descriptors 0 to 2 that are closed lead to /dev/null, so that no file
 * gets their numbers and what is meant for them. A file beyond its size limit is an
 * error of writing. Memory that runs out ends the program with one line and status
 * HOST_MEMORY_BEFORE. */
void host_start(void);

/* From here on a machine runs: the status is HOST_MEMORY_IN_RUN. */
void host_run_begins(void);

/* Prints an error on standard error; always false. */
bool host_report(const JmError *error);

/* Last of all: the exit status, `failure` instead of success if something of standard
 * output was lost, which is said. If its reader went away, the program ends as pipes
 * end programs. */
int host_end(const char *program, int status, int failure);

#endif
