#include "tools/exp/calibration.h"

const Experiment *calibration_experiment(void) {
    static const Experiment experiment = {.name = "calibration",
                                          .figure = "",
                                          .kind = KIND_TABLE,
                                          .title = "What each open choice moves",
                                          .caption = "",
                                          .x = "h",
                                          .x_label = "Handler duration h, cycles",
                                          .y = "T_scaled_ms_mean",
                                          .y_label = "Mean makespan, ms",
                                          .plane = -1,
                                          .scale = ""};
    return &experiment;
}

bool calibration_add(Campaign *campaign, JmError *error) {
    (void)campaign;
    (void)error;
    return true;
}

bool calibration_write(const Campaign *campaign, const char *folder, JmError *error) {
    (void)campaign;
    (void)folder;
    (void)error;
    return true;
}
