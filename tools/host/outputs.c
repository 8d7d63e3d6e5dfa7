/* Outputs of work that signals may end; see outputs.h. */
#include "tools/host/outputs.h"

#include <stdio.h>
#include <string.h>

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

/* Whether no two outputs go to one file or both to standard output. `options`: which
 * gave them, or NULL. */
static bool are_apart(const Output *outputs, const char *const *options, unsigned count,
                      JmError *error) {
    for (unsigned i = 1; i < count; i++)
        for (unsigned j = 0; outputs[i].path && j < i; j++) {
            const char *path = outputs[i].path, *other = outputs[j].path;
            const bool both =
                other && strcmp(path, "-") == 0 && strcmp(other, "-") == 0;
            if (both && options)
                return jm_fail(error, NULL, "--%s and --%s both to standard output",
                               options[j], options[i]);
            if (both)
                return jm_fail(error, NULL, "two outputs go to standard output");
            if (other && !jm_outfile_spares(path, other, error))
                return false;
        }
    return true;
}

bool outputs_open(const Output *outputs, unsigned count, const JmInputs *inputs,
                  JmError *error) {
    for (unsigned i = 0; i < count; i++)
        *outputs[i].file = (JmOutFile){0};
    bool good = are_apart(outputs, NULL, count, error) &&
                open_some(outputs, count, true, inputs, error);
    signals_hold();
    good = good && open_some(outputs, count, false, inputs, error);
    for (unsigned i = 0; !good && i < count; i++)
        jm_outfile_drop(outputs[i].file);
    return good;
}

/* Lists the outputs that are wanted and their options, and returns how many. */
static unsigned find_outputs(const OptionSet *set, const void *fields,
                             Output outputs[OPTION_ROWS_MAX],
                             const char *options[OPTION_ROWS_MAX]) {
    unsigned count = 0;
    for (int i = 0; i < set->count; i++) {
        const char *member = (const char *)fields + set->uses[i].place;
        if (set->rows[i].kind != OPTION_OUTPUT || !*(const char *const *)member)
            continue;
        options[count] = set->rows[i].name;
        outputs[count++].path = *(const char *const *)member;
    }
    return count;
}

bool outputs_check(const OptionSet *set, const void *fields, const JmInputs *inputs,
                   JmError *error) {
    Output outputs[OPTION_ROWS_MAX];
    const char *options[OPTION_ROWS_MAX];
    const unsigned count = find_outputs(set, fields, outputs, options);
    if (!are_apart(outputs, options, count, error))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!jm_outfile_check(outputs[i].path, inputs, error))
            return false;
    return true;
}

bool outputs_leave_text(const OptionSet *set, const void *fields) {
    Output outputs[OPTION_ROWS_MAX];
    const char *options[OPTION_ROWS_MAX];
    for (unsigned i = find_outputs(set, fields, outputs, options); i-- > 0;)
        if (strcmp(outputs[i].path, "-") == 0)
            return false;
    return true;
}

int outputs_status(int status, int failure) {
    const bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && status == 0)
        status = failure;
    const int number = status == failure ? signals_pending() : 0;
    return number ? 128 + number : status;
}
