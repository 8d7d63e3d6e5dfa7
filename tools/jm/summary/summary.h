/* The figures that `jm report` prints below its picture. */
#ifndef JM_TOOLS_JM_SUMMARY_SUMMARY_H
#define JM_TOOLS_JM_SUMMARY_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

/* Prints the timed part of a run (between its first and its last HOST_MARK), what the
 * processors did, faults and queue overflows, and for the Snakes workload the derived
 * quantities of the thesis. `root` is a statistics file that picture_read() accepted;
 * keys that are missing (older files) leave their lines out. */
void summary_print(const json_t *root, FILE *out);

#endif
