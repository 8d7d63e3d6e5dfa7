/* What the models of a point share. */
#include "tools/exp/models/parts.h"

#include <math.h>

#include "tools/host/values.h"

bool model_is_stopped(void *context) {
    ModelPoint *point = context;
    return point->stopped = point->stop && point->stop(point->context);
}

void model_add(json_t *record, const char *name, double value) {
    json_object_set_new(record, name, jvalue_number(value));
}

unsigned model_servers_of(const Settings *settings) {
    return (unsigned)settings_number(settings, "servers");
}

bool model_customers_of(const Settings *settings, unsigned *customers, JmError *error) {
    const double all = settings_number(settings, "m") * model_servers_of(settings);
    *customers = (unsigned)fmin(all + 0.5, UINT32_MAX / 2.0);
    return *customers > 0 || jm_fail(error, "jm exp", "m=%s: there are no customers",
                                     settings_text(settings, "m"));
}
