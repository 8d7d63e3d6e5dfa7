/* Sweeps with made-up results, for tests of the figures computed from them. */
#ifndef JM_TESTS_EXP_MADE_H
#define JM_TESTS_EXP_MADE_H

#include "tools/exp/models/solve.h"
#include "tools/exp/plan/experiment.h"
#include "tools/exp/run/trial.h"
#include "tools/jm/embedded.h"

/* A campaign of one experiment, whose own sweeps are not used (NULL: one of a table,
 * "made"): the plan of a sweep, so many runs of each point. The test fails if it is
 * refused. */
Campaign made_planned(const Variation *variation, const Experiment *experiment,
                      const char *sweep, unsigned runs);

/* A campaign of one experiment, "made": a sweep, so many runs of each point, whose
 * results are empty. */
Campaign made_campaign(const char *sweep, unsigned runs);
/* The same of another experiment, whose own sweeps are not used. */
Campaign made_campaign_of(const Experiment *experiment, const char *sweep,
                          unsigned runs);

/* Gives a run a result in place of the one that it has: the members of `record`, whose
 * reference it takes, and status 0 if it has none. */
void made_keep(Run *run, json_t *record);

/* Takes away what a run has as its result. */
void made_undo(Run *run);

/* Sets one field of a run's result, and takes the reference; a number that is null is
 * taken away. */
void made_set(Run *run, const char *name, json_t *value);

/* The record of a result, which it frees; NULL of NULL. */
json_t *made_record(Result *result);

/* The image of the settings' program; the test fails if none comes with jm. */
const EmbeddedFile *made_program(const Settings *settings);

/* A new machine with that program, all as the settings ask for. */
JmMachine *made_machine(const Settings *settings, uint64_t seed);

/* The record of a run of the machine, on one that a store keeps or (NULL) a new one. */
json_t *made_trial(const Settings *settings, uint64_t seed, TrialStore *store);

/* Returns the result of a model's solver for the first point of a sweep; the test fails
 * if it refuses. The caller drops the reference. */
json_t *made_solve(const char *sweep, uint64_t seed);

/* A figure of it; NaN if it has none of that name. */
double made_value(const char *sweep, const char *name);

/* A number of a record; NaN if it has none of that name. */
double made_figure(const json_t *record, const char *name);

/* The value of a measure; the test fails if it is none. */
double made_measure(const Campaign *campaign, const char *text);

/* Numbers from 0 to below `count`, always the same sequence. */
unsigned made_number(uint64_t *state, unsigned count);

/* Whether two numbers agree to nine digits, or are both NaN. */
bool made_same(double a, double b);

#endif
