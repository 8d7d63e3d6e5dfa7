/* Outputs of work that signals may end; see outputs.h. */
#include "tools/host/outputs.h"

#include <stdio.h>

#include "tools/host/signals.h"

/* Opens the outputs whose opening may wait for another process (`waiting`), or all
 * others. */
static bool open_some(const Output *outputs, unsigned count, bool waiting,
                      const JmInputs *inputs, JmError *error) {
    for (unsigned i = 0; i < count; i++)
        if (outputs[i].path && jm_outfile_may_wait(outputs[i].path) == waiting &&
            !jm_outfile_open(outputs[i].file, outputs[i].path, inputs, error))
            return false;
    return true;
}

bool outputs_open(const Output *outputs, unsigned count, const JmInputs *inputs,
                  JmError *error) {
    for (unsigned i = 0; i < count; i++)
        *outputs[i].file = (JmOutFile){0};
    bool good = open_some(outputs, count, true, inputs, error);
    signals_hold();
    good = good && open_some(outputs, count, false, inputs, error);
    for (unsigned i = 0; !good && i < count; i++)
        jm_outfile_drop(outputs[i].file);
    return good;
}

int outputs_status(int status, int failure) {
    const bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && status == 0)
        status = failure;
    const int number = status == failure ? signals_pending() : 0;
    return number ? 128 + number : status;
}
