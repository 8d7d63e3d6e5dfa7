/* Judges the thesis's claims (claims.def) by the results of a campaign. */
#ifndef JM_TOOLS_EXP_JUDGE_CLAIMS_H
#define JM_TOOLS_EXP_JUDGE_CLAIMS_H

#include "tools/exp/plan/experiment.h"

/* Writes DIR/claims.json with the claims whose experiments are in the campaign. Returns
 * false and fills `error` if a measure is malformed or the file cannot be written. */
bool claims_write(const Campaign *campaign, const char *folder, JmError *error);

/* Prints a line for each claim, then the totals. */
void claims_print(const Campaign *campaign, const char *folder);

#endif
