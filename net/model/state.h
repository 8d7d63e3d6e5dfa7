/* How the iteration of a model ended. Anyone may include this header. */
#ifndef JM_NET_MODEL_STATE_H
#define JM_NET_MODEL_STATE_H

typedef enum {
    MODEL_SOLVED,
    MODEL_CLIPPED,       /* hit a bound that keeps values meaningful */
    MODEL_SATURATED,     /* the offered load is above what the network can carry */
    MODEL_NOT_CONVERGED, /* oscillates, or ran out of sweeps */
    MODEL_STOPPED        /* cancelled by its caller */
} ModelState;

/* Returns the name of a state: "solved", "clipped", "saturated", "not converged" or
 * "stopped". */
static inline const char *net_model_state_name(ModelState state) {
    static const char *const names[] = {"solved", "clipped", "saturated",
                                        "not converged", "stopped"};
    return names[state];
}

#endif
