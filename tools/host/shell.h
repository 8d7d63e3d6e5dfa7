/* Commands as text for a shell. For all tools. */
#ifndef JM_TOOLS_HOST_SHELL_H
#define JM_TOOLS_HOST_SHELL_H

#include <stdio.h>

/* Writes a word so that a shell reads it as one. */
void shell_put(FILE *out, const char *word);

/* Cuts a command into its words, in its own memory; words are as shell_put() writes
 * them. Returns how many there are; 0 if more than `most`. */
unsigned shell_cut(char *command, char *words[], unsigned most);

#endif
