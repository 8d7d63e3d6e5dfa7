/* Creates and destroys machines. */
#include <stdlib.h>
#include <string.h>

#include "emu/machine/calls_inline.h"
#include "emu/machine/link/interface.h"
#include "emu/machine/link/netif.h"
#include "emu/machine/run/run.h"
#include "emu/node/plain/stretch.h"

/* Returns an upper bound of the cycles from one boundary of a node to its next. The
 * wheel must reach that far. */
static unsigned longest_boundary(const JmTiming *t) {
    const uint32_t jump = t->base + t->jump + t->suspend + t->xlate + t->constant;
    const uint32_t memory = t->read_onchip + t->write_onchip + 3 * t->external;
    return jump + memory + t->row_onchip + t->row_external + t->dispatch + t->fault;
}

/* Refuses settings that would have no effect, or would never let a message go. */
static bool check_alone(const JmMachine *machine, JmError *error) {
    const JmInterface *interface = &machine->config.interface;
    const unsigned buffer = net_buffer_words(machine->netif->net);
    const struct {
        const char *name;
        uint32_t mark;
    } marks[] = {{"brake_mark", interface->brake_mark},
                 {"spill_mark", interface->spill_mark}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (marks[i].mark && marks[i].mark < NODE_ROW_WORDS)
            return jm_fail(error, marks[i].name,
                           "%u is below %d, the words of a row: none would come in",
                           marks[i].mark, NODE_ROW_WORDS);
    if (interface->brake_ring && !(interface->brake_mark && interface->spill_mark))
        return jm_fail(error, "brake_ring", "1 needs a brake_mark and a spill_mark");
    if (interface->open_words > buffer)
        return jm_fail(error, "open_words", "%u is more than buffer_words, which is %u",
                       interface->open_words, buffer);
    return true;
}

/* Refuses cures that conflict: with return to sender the unit decides what enters queue
 * 0, and priority 1 carries returns and acknowledgements. A mark or a brake would
 * decide the same thing a second time. */
static bool check_cures(const JmInterface *interface, JmError *error) {
    const struct {
        const char *name;
        uint32_t mark;
    } others[] = {{"hwm_mark", interface->hwm_mark},
                  {"escape_mark", interface->escape_mark},
                  {"brake_mark", interface->brake_mark},
                  {"spill_mark", interface->spill_mark}};
    for (size_t i = 0; interface->rts && i < sizeof others / sizeof others[0]; i++) {
        if (others[i].mark)
            return jm_fail(error, others[i].name,
                           "%u does not go with rts=1, which decides alone what "
                           "enters queue 0 and uses priority 1 itself",
                           others[i].mark);
    }
    return true;
}

/* Whether a network other than the mesh as built fits the machine. */
static bool check_topology(const JmConfig *c, JmError *error) {
    JmConfig asked = *c;
    if (!jm_config_topology(&asked, c->topology, error))
        return false;
    if (asked.size_x != c->size_x || asked.size_y != c->size_y ||
        asked.size_z != c->size_z)
        return jm_fail(error, "topology", "%s does not fit a machine of %ux%ux%u",
                       c->topology, c->size_x, c->size_y, c->size_z);
    if (c->interface.rts)
        return jm_fail(error, "rts",
                       "1 is for the mesh as built: it returns messages through its "
                       "second priority");
    return true;
}

/* Whether mesh, clock and every parameter are in range. If not, the error names the one
 * that is not. */
static bool check_config(const JmConfig *c, JmError *error) {
    if (c->size_x < 1 || c->size_x > JM_MAX_X || c->size_y < 1 ||
        c->size_y > JM_MAX_Y || c->size_z < 1 || c->size_z > JM_MAX_Z)
        return jm_fail(error, "mesh",
                       "%ux%ux%u: each side must be at least 1 and at most "
                       "%dx%dx%d",
                       c->size_x, c->size_y, c->size_z, JM_MAX_X, JM_MAX_Y, JM_MAX_Z);
    if (*c->topology && !check_topology(c, error))
        return false;
    if (!(c->clock_hz > 0))
        return jm_fail(error, "clock", "the clock rate must be positive");
    for (unsigned i = 0; jm_parameter(i); i++) {
        const JmParameter *p = jm_parameter(i);
        const uint64_t value = jm_config_get(c, i);
        if (value < p->minimum || value > p->maximum)
            return jm_fail(error, p->name, "%llu is not in %llu..%llu",
                           (unsigned long long)value, (unsigned long long)p->minimum,
                           (unsigned long long)p->maximum);
    }
    return true;
}

/* Puts all nodes into their reset state, each with its routing address, and closes
 * their network inputs. */
static void set_positions(JmMachine *machine) {
    for (unsigned i = 0; i < machine->nodes; i++) {
        unsigned x, y, z;
        node_init(&machine->node[i], i, machine->nil_page);
        node_set_interface(&machine->node[i], &machine->config.interface);
        jm_node_position(machine, i, &x, &y, &z);
        machine->node[i].nnr = (uint16_t)jm_node_address(x, y, z);
        interface_update_gates(machine, NULL, &machine->node[i]);
    }
    netif_settle_gates(machine);
}

/* NodeEnv.observe: passes an event to the observer, if it wants the kind, and records
 * its request to stop. */
static void observe_event(void *machine, const JmEvent *event) {
    JmMachine *m = machine;
    if (m->observed >> event->kind & 1 && m->observer(m->observer_context, event))
        m->break_seen = m->env.boundary = true;
}

/* Allocates all memory of a machine whose size is fixed. False: no memory; release()
 * frees what there is. */
static bool allocate(JmMachine *machine) {
    const unsigned nodes = machine->nodes;
    machine->node = memory_large(nodes * sizeof *machine->node);
    machine->ahead = memory_large(nodes * sizeof *machine->ahead);
    machine->due = calloc((nodes + 63) / 64 * DUE_ROOM, sizeof *machine->due);
    machine->nil_page = memory_new_nil_page();
    machine->code = calloc(JM_DECODE_PATTERNS, sizeof *machine->code);
    const bool wheel =
        wheel_init(&machine->wheel, nodes,
                   AHEAD_CYCLES + longest_boundary(&machine->config.timing));
    const bool units = interface_create(machine);
    const bool alarms = alarms_init(&machine->alarms, nodes);
    machine->env.stretches = node_stretches_new();
    return units && alarms && machine->env.stretches && machine->node &&
           machine->ahead && machine->due && machine->nil_page && machine->code &&
           wheel;
}

/* Fills in the nodes' environment, for a machine with one thread. Nodes do not send
 * ahead if a unit fills the output buffers too. They do not open messages ahead if
 * routers arbitrate by age, because a message takes its age from its node's state when
 * it opens. */
static void set_environment(JmMachine *machine) {
    const JmConfig *config = &machine->config;
    const Net *net = machine->netif->net;
    machine->env = (NodeEnv){.machine = machine,
                             .code = machine->code,
                             .timing = config->timing,
                             .host_page = config->host_page,
                             .send = netif_send,
                             .sends_ahead = !interface_sends(machine),
                             .opens_ahead = !machine->netif->ages,
                             .places = {net_places(net, 0), net_places(net, 1)},
                             .buffer_words = net_buffer_words(net),
                             .size = {config->size_x, config->size_y, config->size_z},
                             .host_read = hostpage_read,
                             .host_write = hostpage_write,
                             .stretches = machine->env.stretches,
                             .observe = observe_event};
    node_env_costs(&machine->env);
}

/* Frees a machine whose nodes own nothing yet, or no longer. */
static void release(JmMachine *machine) {
    wheel_free(&machine->wheel);
    alarms_free(&machine->alarms);
    interface_destroy(machine);
    netif_destroy(machine->netif);
    free(machine->node);
    free(machine->ahead);
    free(machine->due);
    free(machine->at_mark);
    memory_drop_page(machine->nil_page);
    free(machine->code);
    free(machine->env.stretches);
    free(machine);
}

static JmMachine *no_memory(const JmConfig *config, JmError *error) {
    jm_fail_memory(error, NULL, "no memory for a machine of %ux%ux%u nodes",
                   config->size_x, config->size_y, config->size_z);
    return NULL;
}

JmMachine *jm_create(const JmConfig *config, JmError *error) {
    assert(config);
    if (!check_config(config, error) || !check_cures(&config->interface, error))
        return NULL;
    JmMachine *machine = calloc(1, sizeof *machine);
    if (!machine)
        return no_memory(config, error);
    machine->config = *config;
    if (!config->engine)
        machine->config.engine = "auto";
    machine->output.first = machine->output.open = OUTPUT_NOBODY;
    machine->nodes = config->size_x * config->size_y * config->size_z;
    machine->netif = netif_create(&machine->config, error);
    if (!machine->netif || !check_alone(machine, error)) {
        release(machine);
        return NULL;
    }
    if (!allocate(machine)) {
        release(machine);
        return no_memory(config, error);
    }
    machine->starved = memory_starved(machine->nil_page);
    node_code_table(machine->code);
    set_environment(machine);
    set_positions(machine);
    netif_seed(machine);
    return machine;
}

void jm_destroy(JmMachine *machine) {
    if (!machine)
        return;
    call_changes(machine);
    slabs_destroy(machine->slabs);
    for (unsigned i = 0; i < machine->nodes; i++)
        node_free(&machine->node[i]);
    program_drop(machine->program);
    free(machine->program_name);
    jm_inputs_free(&machine->inputs);
    free(machine->marks);
    output_free(machine);
    release(machine);
}
