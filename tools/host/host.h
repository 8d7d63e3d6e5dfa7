/* The start and the end of every program, also when memory runs out. For files with a
 * main() and for the commands of jm. */
#ifndef JM_TOOLS_HOST_H
#define JM_TOOLS_HOST_H

#include "emu/core/status.h"

/* Exit status of every program. */
enum { EXIT_USAGE = 2, HOST_MEMORY_BEFORE = 2, HOST_MEMORY_IN_RUN = 125 };

/* Must be called first. Closed descriptors 0 to 2 are opened on /dev/null, so that no
 * file gets their numbers and the output meant for them. Exceeding the file size limit
 * becomes an error of write(). If memory runs out, the program ends with one line and
 * status HOST_MEMORY_BEFORE. */
void host_start(void);

/* Says that a machine runs from here on: if memory runs out, the status is
 * HOST_MEMORY_IN_RUN. */
void host_run_begins(void);

/* Lets signals that ask the program to end (emu/core/pipes.h) end it with one line and
 * status 128 + n, from here until signals_hold(): for work whose partial results are
 * useless and that has no file open. Ignored signals stay ignored. */
void host_end_by_signals(void);

/* Ends the program because memory ran out, before or in a run. */
_Noreturn void host_no_memory(void);

/* Prints the messages of the assembler or linker. They are missing only if memory ran
 * out: then the program ends. */
void host_diagnostics(const char *text);

/* Prints an error on standard error; always returns false. */
bool host_report(const JmError *error);
/* The same of a command: its name stands before an error that has no place. */
bool host_report_for(const char *command, const JmError *error);
/* Shows the line of a text that an error points at, with a caret under its column. */
void host_show_line(const JmError *error);

/* Returns the number of processors of this host, `most` at most. */
unsigned host_processors(unsigned most);

/* Must be called last. Returns the exit status: `status`, or `failure` if that is
 * success and some standard output was lost, which is reported. If the reader of
 * standard output has gone, the program ends by SIGPIPE, as in a pipeline. */
int host_end(const char *program, int status, int failure);

#endif
