/* Functions shared by the models of a point. */
#include "tools/exp/models/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph/options.h"
#include "net/model/interval.h"

bool model_is_stopped(void *context) {
    ModelPoint *point = context;
    return point->stopped = point->stop && point->stop(point->context);
}

unsigned model_whole(const Settings *settings, const char *name) {
    return (unsigned)fmin(settings_number(settings, name) + 0.5, 1e9);
}

unsigned model_whole_or(const Settings *settings, const char *name, unsigned standard) {
    return settings_text(settings, name) ? model_whole(settings, name) : standard;
}

double model_number_or(const Settings *settings, const char *name, double standard) {
    return settings_text(settings, name) ? settings_number(settings, name) : standard;
}

double model_half_width(NetRunState state, NetEstimate estimate) {
    return state != NET_RUN_SETTLED || isnan(estimate.error)
               ? NAN
               : net_student(estimate.count, 0.95) * estimate.error;
}

unsigned model_choice(const Settings *settings, const char *name) {
    const char *text = settings_text(settings, name);
    if (!text)
        return 0;
    const SettingRow *row = setting_row_find(settings_taker(settings), name);
    return (unsigned)net_word_value(setting_row_full(row).word, text);
}

/* ---- options of networks --------------------------------------------------------- */

/* Returns what an option of `owner` gets from a row; NULL: nothing. */
static const char *passed(const Settings *settings, const SettingRow *row,
                          const char *owner) {
    if (!row->owner || strcmp(row->owner, owner) != 0 ||
        setting_row_find(settings_taker(settings), row->name) != row)
        return NULL;
    const char *value = settings_text(settings, row->name);
    return value ? value : row->unset;
}

void model_pass(const Settings *settings, const char *owner, const char *except,
                char *text, size_t size) {
    const SettingRow *row;
    for (unsigned i = 0; (row = setting_row_at(i)); i++) {
        const char *value = passed(settings, row, owner);
        const size_t used = strlen(text);
        if (value && strcmp(row->name, except) != 0)
            snprintf(text + used, size - used, ",%s=%s", row->name, value);
    }
}

void model_pass_parameters(const Settings *settings, NetParams *params) {
    const SettingRow *row;
    for (unsigned i = 0; (row = setting_row_at(i)); i++) {
        const char *value = passed(settings, row, "parameter");
        if (value)
            net_params_set(params, row->name, strtoull(value, NULL, 10), NULL);
    }
}
