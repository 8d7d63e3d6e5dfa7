/* Experiments as text: the file NAME.exp that a user writes, and the form in which any
 * experiment can be printed. It is a row of experiments.def in other words.
 *
 *     # Lines that begin with # are comments.
 *     title:    Short handlers
 *     sweep:    mesh=4x4x4 L=100 m=2,5
 *               h=40..80/10
 *     x:        h
 *     y:        T_ms_mean
 *     series:   m
 *     claim:    steep
 *     measure:  mean T_ms of this where h=40 / mean T_ms of this where h=80
 *
 * The keys are those of experiment_keys.def, each at most once; those of a claim follow
 * its first. A value goes on in lines that begin with a blank, and any blanks and
 * newlines in it count as one blank. */
#ifndef JM_TOOLS_EXP_PLAN_EXPERIMENT_FILE_H
#define JM_TOOLS_EXP_PLAN_EXPERIMENT_FILE_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* Names of such files end so; what stands before it names the experiment. */
#define EXPERIMENT_SUFFIX ".exp"

enum { EXPERIMENT_FILE_MAX = 1 << 20 }; /* bytes */

/* An experiment with the texts that its row points to. */
typedef struct ExperimentFile ExperimentFile;

/* Whether a word names a file, not a row of the tables. */
bool experiment_file_is(const char *word);

/* Parses the `size` bytes of the file `path`, and unfolds its sweeps; which columns
 * there are is not known here. NULL and an error with line and column if the text is
 * wrong; free the result with experiment_file_free(). */
ExperimentFile *experiment_file_parse(const char *path, const char *text, size_t size,
                                      JmError *error);
void experiment_file_free(ExperimentFile *file);

const Experiment *experiment_file_row(const ExperimentFile *file);

/* Fills `error` with the place of a byte of `value`, which is a text of the row or of
 * one of its claims. Returns false. */
bool experiment_file_fail(const ExperimentFile *file, const char *value, size_t offset,
                          JmError *error, const char *text);

/* Prints any experiment as such a file; runs of blanks become one. */
void experiment_print(const Experiment *experiment, FILE *out);

#endif
