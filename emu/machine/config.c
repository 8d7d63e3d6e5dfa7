/* The configuration: its named parameters, with their ranges, and its defaults.
 * Parameters are numbered: rows of timing.def, interface.def and net/params.def, then
 * deadlock_cycles. */
#include "emu/core/suggest.h"
#include "emu/machine/calls_inline.h"
#include "emu/machine/machine.h"

#include <string.h>

static const JmParameter TIMING_PARAMETERS[] = {
#define TIMING(name, standard, maximum, text, source)                                  \
    {#name, text, source, standard, 0, maximum},
#include "emu/isa/timing.def"
#undef TIMING
};

enum { TIMING_COUNT = sizeof TIMING_PARAMETERS / sizeof TIMING_PARAMETERS[0] };

static const JmParameter INTERFACE_PARAMETERS[] = {
#define NODE_PARAM(name, standard, minimum, maximum, text, source)                     \
    {#name, text, source, standard, minimum, maximum},
#include "emu/node/interface.def"
#undef NODE_PARAM
};

enum { INTERFACE_COUNT = sizeof INTERFACE_PARAMETERS / sizeof INTERFACE_PARAMETERS[0] };

static const JmParameter DEADLOCK_PARAMETER = {
    "deadlock_cycles",
    "cycles without progress, with flits in the network, that count as a deadlock",
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

/* The same for JmInterface and interface.def. */
static uint32_t *interface_field(JmInterface *interface, unsigned index) {
    uint32_t *const fields[] = {
#define NODE_PARAM(name, ...) &interface->name,
#include "emu/node/interface.def"
#undef NODE_PARAM
    };
    return fields[index];
}

/* Returns the number of rows of net/params.def, which only the network's files may
 * include. */
static unsigned network_count(void) {
    unsigned count = 0;
    while (netif_parameter(count))
        count++;
    return count;
}

/* Which table a parameter is a row of, and which row. */
typedef struct {
    enum { TIMING_TABLE, NETWORK_TABLE, INTERFACE_TABLE, MACHINE_TABLE } table;
    unsigned row;
} ParameterPlace;

static ParameterPlace place_of(unsigned index) {
    const unsigned counts[] = {TIMING_COUNT, network_count(), INTERFACE_COUNT};
    ParameterPlace place = {TIMING_TABLE, index};
    while (place.table < MACHINE_TABLE && place.row >= counts[place.table])
        place.row -= counts[place.table++];
    return place;
}

const JmParameter *jm_parameter(unsigned index) {
    const ParameterPlace place = place_of(index);
    switch (place.table) {
    case TIMING_TABLE:
        return &TIMING_PARAMETERS[place.row];
    case NETWORK_TABLE:
        return netif_parameter(place.row);
    case INTERFACE_TABLE:
        return &INTERFACE_PARAMETERS[place.row];
    default:
        return place.row == 0 ? &DEADLOCK_PARAMETER : NULL;
    }
}

uint64_t jm_config_get(const JmConfig *config, unsigned index) {
    assert(config && jm_parameter(index));
    const ParameterPlace place = place_of(index);
    JmInterface interface = config->interface;
    switch (place.table) {
    case TIMING_TABLE:
        return timing_get(&config->timing, place.row);
    case NETWORK_TABLE:
        return config->network[place.row];
    case INTERFACE_TABLE:
        return *interface_field(&interface, place.row);
    default:
        return config->deadlock_cycles;
    }
}

static void set_parameter(JmConfig *config, unsigned index, uint64_t value) {
    const ParameterPlace place = place_of(index);
    switch (place.table) {
    case TIMING_TABLE:
        jm_timing_set(&config->timing, jm_parameter(index)->name, (uint32_t)value);
        break;
    case NETWORK_TABLE:
        config->network[place.row] = (uint32_t)value;
        break;
    case INTERFACE_TABLE:
        *interface_field(&config->interface, place.row) = (uint32_t)value;
        break;
    default:
        config->deadlock_cycles = value;
    }
}

const char *jm_version(void) {
    return JM_VERSION;
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
    for (unsigned i = 0; i < INTERFACE_COUNT; i++)
        *interface_field(&config.interface, i) =
            (uint32_t)INTERFACE_PARAMETERS[i].standard;
    return config;
}

static bool refuse_name(const char *name, JmError *error) {
    JmSuggestion near = jm_suggest_start(name);
    for (unsigned i = 0; jm_parameter(i); i++)
        jm_suggest_consider(&near, jm_parameter(i)->name);
    return jm_fail(error, name, "no such parameter%s", jm_suggest_text(&near, "", ""));
}

bool jm_config_set(JmConfig *config, const char *name, uint64_t value, JmError *error) {
    assert(config && name);
    unsigned index = 0;
    while (jm_parameter(index) && strcmp(jm_parameter(index)->name, name) != 0)
        index++;
    const JmParameter *parameter = jm_parameter(index);
    if (!parameter)
        return refuse_name(name, error);
    if (value < parameter->minimum || value > parameter->maximum)
        return jm_fail(error, name, "expected a whole number from %llu to %llu",
                       (unsigned long long)parameter->minimum,
                       (unsigned long long)parameter->maximum);
    set_parameter(config, index, value);
    return true;
}

const JmConfig *jm_config(const JmMachine *machine) {
    call_looks(machine);
    return &machine->config;
}

void jm_set_seed(JmMachine *machine, uint64_t seed) {
    call_changes(machine);
    machine->config.seed = seed;
    netif_seed(machine);
}

unsigned jm_node_count(const JmMachine *machine) {
    call_looks(machine);
    return machine->nodes;
}

void jm_node_position(const JmMachine *machine, unsigned node, unsigned *x, unsigned *y,
                      unsigned *z) {
    call_node(machine, node);
    assert(x && y && z);
    *x = node % machine->config.size_x;
    *y = node / machine->config.size_x % machine->config.size_y;
    *z = node / machine->config.size_x / machine->config.size_y;
}
