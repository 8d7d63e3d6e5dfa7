/* Shared by the files of this folder: the models behind solve.h. */
#ifndef JM_TOOLS_EXP_MODELS_PARTS_H
#define JM_TOOLS_EXP_MODELS_PARTS_H

#include "net/net.h"
#include "tools/exp/models/solve.h"
#include "tools/exp/plan/setting_rows.h"

/* Adds the figures of a point to its record, and "stop" if it is not "solved". */
#define MODEL(name, ...)                                                               \
    bool solve_##name(ModelPoint *point, Result *record, JmError *error);
#include "tools/exp/plan/models.def"
#undef MODEL

/* Asks whether the result of a point is still wanted and notes the answer in `stopped`.
 * Models call it while they work; `point` is a ModelPoint. */
bool model_is_stopped(void *point);

/* Returns the place of a setting's value among the words of its row; 0 if it is not
 * set. */
unsigned model_choice(const Settings *settings, const char *name);

/* Append ",NAME=VALUE" for each setting that is an option of a workload or topology,
 * but for `except`; set the parameters that are settings. */
void model_pass(const Settings *settings, const char *owner, const char *except,
                char *text, size_t size);
void model_pass_parameters(const Settings *settings, NetParams *params);

/* Runs the workload `traffic` on `topology` for the setting `cycles`; parameters that
 * the topology requires override `params`. Adds the workload's measures to the record,
 * each with half of its 95 % interval, NAME_half. */
bool model_run_traffic(ModelPoint *point, const char *topology, const NetParams *params,
                       const char *traffic, Result *record, JmError *error);

/* Writes the specification of the torus or mesh that `topology`, `k` and the settings
 * of its options describe. */
void model_torus(const Settings *settings, char *text, size_t size);
/* Writes the specifications of shared memory: this network and its traffic. */
void model_shared_memory(const Settings *settings, char *topology, char *traffic,
                         size_t size);

#endif
