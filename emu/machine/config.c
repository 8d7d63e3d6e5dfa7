/* The configuration: its named parameters, with their ranges, and its defaults.
 * Parameters are numbered: rows of timing.def, then rows of net/params.def, then
 * deadlock_cycles. */
#include "emu/machine/machine.h"

#include <string.h>

static const JmParameter TIMING_PARAMETERS[] = {
#define TIMING(name, standard, maximum, text, source)                                  \
    {#name, text, source, standard, 0, maximum},
#include "emu/isa/timing.def"
#undef TIMING
};

enum { TIMING_COUNT = sizeof TIMING_PARAMETERS / sizeof TIMING_PARAMETERS[0] };

static const JmParameter DEADLOCK_PARAMETER = {
    "deadlock_cycles",
    "cycles without a moving flit, while some are inside: deadlock",
    "choice",
    1000000,
    1,
    UINT64_MAX};

/* Returns parameter `index` of timing.def; JmTiming has a field for each row. */
static uint32_t timing_get(const JmTiming *timing, unsigned index) {
    const uint32_t values[] = {
#define TIMING(name, ...) timing->name,
#include "emu/isa/timing.def"
#undef TIMING
    };
    return values[index];
}

/* Returns the number of rows of net/params.def, which only the network's files may
 * include. */
static unsigned network_count(void) {
    unsigned count = 0;
    while (netif_parameter(count))
        count++;
    return count;
}

const JmParameter *jm_parameter(unsigned index) {
    if (index < TIMING_COUNT)
        return &TIMING_PARAMETERS[index];
    if (index < TIMING_COUNT + network_count())
        return netif_parameter(index - TIMING_COUNT);
    return index == TIMING_COUNT + network_count() ? &DEADLOCK_PARAMETER : NULL;
}

uint64_t jm_config_get(const JmConfig *config, unsigned index) {
    if (index < TIMING_COUNT)
        return timing_get(&config->timing, index);
    if (index < TIMING_COUNT + network_count())
        return config->network[index - TIMING_COUNT];
    return config->deadlock_cycles;
}

JmConfig jm_config_default(void) {
    JmConfig config = {.size_x = 1,
                       .size_y = 1,
                       .size_z = 1,
                       .seed = 1,
                       .timing = jm_timing_default(),
                       .engine = "auto",
                       .deadlock_cycles = DEADLOCK_PARAMETER.standard,
                       .clock_hz = 10e6,
                       .host_page = true};
    netif_config_default(&config);
    return config;
}

bool jm_config_set(JmConfig *config, const char *name, uint64_t value, JmError *error) {
    unsigned index = 0;
    while (jm_parameter(index) && strcmp(jm_parameter(index)->name, name) != 0)
        index++;
    const JmParameter *parameter = jm_parameter(index);
    if (!parameter)
        return jm_fail(error, name, "there is no parameter of this name");
    if (value < parameter->minimum || value > parameter->maximum)
        return jm_fail(error, name, "%llu is not in %llu..%llu",
                       (unsigned long long)value,
                       (unsigned long long)parameter->minimum,
                       (unsigned long long)parameter->maximum);
    if (index < TIMING_COUNT)
        jm_timing_set(&config->timing, name, (uint32_t)value);
    else if (index < TIMING_COUNT + network_count())
        config->network[index - TIMING_COUNT] = (uint32_t)value;
    else
        config->deadlock_cycles = value;
    return true;
}

const JmConfig *jm_config(const JmMachine *machine) {
    return &machine->config;
}

unsigned jm_node_count(const JmMachine *machine) {
    return machine->nodes;
}

void jm_node_position(const JmMachine *machine, unsigned node, unsigned *x, unsigned *y,
                      unsigned *z) {
    assert(node < machine->nodes);
    *x = node % machine->config.size_x;
    *y = node / machine->config.size_x % machine->config.size_y;
    *z = node / machine->config.size_x / machine->config.size_y;
}
