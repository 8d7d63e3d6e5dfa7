/* Creates and destroys machines. */
#include <stdlib.h>

#include "emu/machine/machine.h"

void *machine_grow(void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 16;
    items = realloc(items, *capacity * size);
    if (!items)
        abort(); /* out of memory: nothing sensible can go on */
    return items;
}

/* An upper bound of the cycles from one boundary of a node to its next. */
static unsigned longest_boundary(const JmTiming *t) {
    const uint32_t jump = t->base + t->jump + t->suspend + t->xlate + t->constant;
    const uint32_t memory = t->read_onchip + t->write_onchip + 3 * t->external;
    return jump + memory + t->row_onchip + t->row_external + t->dispatch + t->fault;
}

static bool check_config(const JmConfig *c, JmError *error) {
    if (c->size_x < 1 || c->size_x > JM_MAX_X || c->size_y < 1 ||
        c->size_y > JM_MAX_Y || c->size_z < 1 || c->size_z > JM_MAX_Z)
        return jm_fail(error, "mesh",
                       "%ux%ux%u: each side must be at least 1 and at most "
                       "%dx%dx%d",
                       c->size_x, c->size_y, c->size_z, JM_MAX_X, JM_MAX_Y, JM_MAX_Z);
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

static void set_positions(JmMachine *machine) {
    for (unsigned i = 0; i < machine->nodes; i++) {
        unsigned x, y, z;
        node_init(&machine->node[i], i, machine->nil_page);
        jm_node_position(machine, i, &x, &y, &z);
        machine->node[i].nnr = (uint16_t)jm_node_address(x, y, z);
        netif_update_gates(machine, &machine->node[i]);
    }
    netif_settle_gates(machine);
}

void *machine_allocate(size_t count, size_t size) {
    void *block = calloc(count, size);
    if (!block)
        abort(); /* out of memory: nothing sensible can go on */
    return block;
}

static void observe_event(void *machine, const JmEvent *event) {
    JmMachine *m = machine;
    if (m->observed >> event->kind & 1 && m->observer(m->observer_context, event))
        m->break_seen = m->env.boundary = true;
}

JmMachine *jm_create(const JmConfig *config, JmError *error) {
    if (!check_config(config, error))
        return NULL;
    Netif *netif = netif_create(config, error);
    if (!netif)
        return NULL;
    JmMachine *machine = machine_allocate(1, sizeof *machine);
    machine->config = *config;
    machine->netif = netif;
    machine->output.first = machine->output.open = OUTPUT_NOBODY;
    machine->nodes = config->size_x * config->size_y * config->size_z;
    machine->node = memory_large(machine->nodes * sizeof *machine->node);
    machine->ahead = memory_large(machine->nodes * sizeof *machine->ahead);
    machine->due = machine_allocate(machine->nodes, sizeof *machine->due);
    machine->nil_page = memory_new_nil_page();
    machine->code = machine_allocate(JM_DECODE_PATTERNS, sizeof *machine->code);
    node_code_table(machine->code);
    machine->env = (NodeEnv){.machine = machine,
                             .code = machine->code,
                             .timing = config->timing,
                             .host_page = config->host_page,
                             .send = netif_send,
                             .will_take = netif_will_take,
                             .host_read = hostpage_read,
                             .host_write = hostpage_write,
                             .observe = observe_event};
    node_env_costs(&machine->env);
    wheel_init(&machine->wheel, machine->nodes,
               AHEAD_CYCLES + longest_boundary(&config->timing));
    set_positions(machine);
    return machine;
}

void jm_destroy(JmMachine *machine) {
    if (!machine)
        return;
    slabs_destroy(machine->slabs);
    for (unsigned i = 0; i < machine->nodes; i++)
        node_free(&machine->node[i]);
    wheel_free(&machine->wheel);
    netif_destroy(machine->netif);
    program_drop(machine->program);
    free(machine->program_name);
    free(machine->marks);
    output_free(machine);
    free(machine->node);
    free(machine->ahead);
    free(machine->due);
    free(machine->at_mark);
    memory_drop_page(machine->nil_page);
    free(machine->code);
    free((void *)machine->env.marked);
    free(machine);
}
