/* `jm report A B`: prints the quantities in which two runs differ. */
#ifndef JM_TOOLS_JM_SUMMARY_COMPARE_H
#define JM_TOOLS_JM_SUMMARY_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Two files of statistics that picture_read() accepted, with their names. */
typedef struct {
    const json_t *root[2];
    const char *name[2];
} CompareRuns;

/* Prints the differences in setup (jm, program, configuration), then the results that
 * differ, largest relative difference first. A quantity of nodes stands for all of
 * them: the sum, the most of *_max_* and *_peak, the mean of *_mean_*, the first of
 * first_*. Returns whether there is any difference. */
bool compare_print(const CompareRuns *runs, FILE *out);

#endif
