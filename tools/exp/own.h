/* Experiments of one's own: reading and checking their files. */
#ifndef JM_TOOLS_EXP_OWN_H
#define JM_TOOLS_EXP_OWN_H

#include "tools/exp/plan/experiment_file.h"

/* Checks what experiment_file_parse() cannot know: the columns that are drawn, and the
 * measures of the claims. */
bool own_check(const ExperimentFile *file, JmError *error);

/* Where the text of a file comes from: malloc'ed; NULL and an error if there is none.
 */
typedef struct {
    char *(*read)(void *context, const char *path, size_t *size, JmError *error);
    void *context;
} OwnSource;

/* Reads a file, and checks it. NULL and an error. */
ExperimentFile *own_read(const char *path, OwnSource source, JmError *error);

/* Prints an error on standard error, with the line that it is in if that is a line of
 * such a file, and a mark below. */
void own_report(const JmError *error);

#endif
