#include "net/model/state.h"

const char *net_model_state_name(ModelState state) {
    static const char *const names[] = {"solved", "clipped", "saturated",
                                        "not converged", "stopped"};
    return names[state];
}
