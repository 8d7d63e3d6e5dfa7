/* Computes the cycles of an instruction. The numbers are rows of timing.def. */
#include "emu/isa/isa.h"

#include <string.h>

typedef struct {
    const char *name;
    size_t place;     /* byte offset of its field in JmTiming */
    uint32_t maximum; /* cycles */
} TimingRow;

static const TimingRow rows[] = {
#define TIMING(name, standard, maximum, text, source)                                  \
    {#name, offsetof(JmTiming, name), maximum},
#include "emu/isa/timing.def"
#undef TIMING
};

JmTiming jm_timing_default(void) {
    return (JmTiming){
#define TIMING(name, standard, maximum, text, source) .name = (standard),
#include "emu/isa/timing.def"
#undef TIMING
    };
}

int jm_timing_set(JmTiming *timing, const char *name, uint32_t value) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        if (value > rows[i].maximum)
            return -2;
        memcpy((char *)timing + rows[i].place, &value, sizeof value);
        return 0;
    }
    return -1;
}

/* Returns the cycles to add for an operand in on-chip memory; 0 for other operands. */
static unsigned onchip_operand(const JmTiming *timing, const JmDecoded *decoded,
                               JmOp0Use use) {
    if (decoded->mode != JM_MODE_INDEXED && decoded->mode != JM_MODE_OFFSET)
        return 0;
    if (use == JM_OP0_WRITE)
        return timing->write_onchip;
    return use == JM_OP0_READ ? timing->read_onchip : 0;
}

unsigned jm_cycles(const JmTiming *timing, const JmDecoded *decoded, bool taken,
                   bool external) {
    const JmOpInfo *info = jm_op_info(decoded->op);
    const unsigned beyond = external ? timing->external : 0;

    /* A rule "in all" replaces base and on-chip operand; external access is added. */
    if (info->time == JM_TIME_JUMP && taken)
        return timing->jump + beyond;
    if (info->time == JM_TIME_SUSPEND)
        return timing->suspend + beyond;
    if (info->time == JM_TIME_XLATE)
        return timing->xlate + beyond;
    if (external)
        return timing->base + beyond;
    return timing->base +
           onchip_operand(timing, decoded, jm_form_info(info->form)->op0);
}
