/* The thesis's claims (claims.def), judged on what the runs gave. */
#ifndef JM_TOOLS_EXP_JUDGE_CLAIMS_H
#define JM_TOOLS_EXP_JUDGE_CLAIMS_H

#include "tools/exp/plan/experiment.h"

/* Writes claims.json: those whose experiments are in the campaign. */
bool claims_write(const Campaign *campaign, const char *folder, JmError *error);

/* Says in a few lines what came out. */
void claims_print(const Campaign *campaign, const char *folder);

#endif
