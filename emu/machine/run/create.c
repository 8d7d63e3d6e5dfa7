/* Creates and destroys machines. */
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
        node_set_interface(&machine->node[i], &machine->config.interface,
                           machine->unit ? machine->unit->shut_by : 0);
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

static void drop_page(void *page) {
    memory_drop_page(page);
}

/* Allocates what is of a fixed size. */
static void allocate(JmMachine *machine) {
    const unsigned nodes = machine->nodes;
    Heap *heap = machine->heap;
    machine->nil_page = heap_need(heap, memory_new_nil_page());
    heap_at_end(heap, drop_page, machine->nil_page);
    machine->starved = memory_starved(machine->nil_page);
    machine->node = heap_adopt(heap, memory_large(nodes * sizeof *machine->node));
    machine->ahead = heap_adopt(heap, memory_large(nodes * sizeof *machine->ahead));
    machine->due =
        heap_alloc(heap, sizeof *machine->due * ((nodes + 63) / 64) * DUE_ROOM);
    machine->code = heap_alloc(heap, JM_DECODE_PATTERNS * sizeof *machine->code);
    machine->output.line = heap_alloc(heap, nodes * sizeof *machine->output.line);
    machine->at_mark = heap_alloc(heap, sizeof *machine->at_mark * ((nodes + 63) / 64));
    machine->env.stretches = heap_adopt(heap, node_stretches_new());
    wheel_init(&machine->wheel, heap, nodes,
               AHEAD_CYCLES + longest_boundary(&machine->config.timing));
    alarms_init(&machine->alarms, heap, nodes);
    interface_create(machine);
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

/* What a machine is made of. */
typedef struct {
    const JmConfig *config;
    JmError *error;
} Plan;

static void *create(Heap *heap, const void *plan) {
    const Plan *p = plan;
    JmMachine *machine = heap_alloc(heap, sizeof *machine);
    machine->heap = heap;
    machine->config = *p->config;
    if (!machine->config.engine)
        machine->config.engine = "auto";
    machine->output.first = machine->output.open = OUTPUT_NOBODY;
    machine->nodes = p->config->size_x * p->config->size_y * p->config->size_z;
    machine->netif = netif_create(heap, &machine->config, p->error);
    if (!machine->netif || !check_alone(machine, p->error))
        return NULL;
    allocate(machine);
    node_code_table(machine->code);
    set_environment(machine);
    set_positions(machine);
    netif_seed(machine);
    return machine;
}

JmMachine *jm_create(const JmConfig *config, JmError *error) {
    assert(config);
    if (!check_config(config, error) || !check_cures(&config->interface, error))
        return NULL;
    return heap_make(create, &(Plan){config, error}, error, NULL,
                     "a machine of %ux%ux%u nodes", config->size_x, config->size_y,
                     config->size_z);
}

void jm_destroy(JmMachine *machine) {
    if (!machine)
        return;
    call_changes(machine);
    slabs_destroy(machine->slabs);
    for (unsigned i = 0; i < machine->nodes; i++)
        node_free(&machine->node[i]);
    program_drop(machine->program);
    jm_inputs_free(&machine->inputs);
    heap_delete(machine->heap);
}
