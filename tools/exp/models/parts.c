/* Functions shared by the models of a point. */
#include "tools/exp/models/parts.h"

#include <math.h>

#include "net/model/interval.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/host/word_list.h"

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
    return (unsigned)word_list_place(row->word, '|', text);
}
