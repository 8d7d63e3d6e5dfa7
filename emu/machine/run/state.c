/* Reads and writes the state of nodes from outside, and reports their statistics. */
#include "emu/machine/calls_inline.h"
#include "emu/machine/link/interface.h"
#include "emu/machine/link/spill.h"
#include "emu/machine/run/run.h"

#include <string.h>

JmWrongLength jm_wrong_length(const JmMachine *machine) {
    call_looks(machine);
    return machine->wrong_length;
}

uint64_t jm_now(const JmMachine *machine) {
    call_looks(machine);
    return machine->now;
}

int jm_exit_value(const JmMachine *machine) {
    call_looks(machine);
    return machine->exit_value;
}

const char *jm_stop_name(JmStop stop) {
    static const char *const names[] = {"none",    "exit",     "idle",  "limit",
                                        "stopped", "deadlock", "break", "memory"};
    assert(stop <= JM_STOP_MEMORY);
    return names[stop];
}

const char *jm_redirection_name(JmRedirection redirection) {
    static const char *const names[] = {"", "by mark", "by escape"};
    assert(redirection <= JM_BY_ESCAPE);
    return names[redirection];
}

const char *jm_redirection_text(JmRedirection redirection) {
    static const char *const texts[] = {"", " sent at priority 1 by mark",
                                        " sent at priority 1 by escape"};
    assert(redirection <= JM_BY_ESCAPE);
    return texts[redirection];
}

static const Node *node_of(const JmMachine *machine, unsigned node) {
    assert(node < machine->nodes);
    return &machine->node[node];
}

/* Whether a register belongs to a queue: it is addressed by priority, which only a
 * priority's context names. */
static bool is_queue_register(JmReg reg) {
    return reg == JM_REG_QBM || reg == JM_REG_QHL || reg == JM_REG_Q;
}

JmWord jm_register(const JmMachine *machine, unsigned node, JmContext context,
                   JmReg reg) {
    call_node(machine, node);
    call_register(context, reg);
    const bool background = context == JM_CONTEXT_BACKGROUND;
    if (background && is_queue_register(reg))
        return JM_NIL;
    JmWord value = JM_NIL;
    const bool known = node_register_read(node_of(machine, node), context,
                                          background ? 0 : context, reg, &value);
    assert(known);
    (void)known;
    return value;
}

void jm_set_register(JmMachine *machine, unsigned node, JmContext context, JmReg reg,
                     JmWord value) {
    call_changes(machine);
    call_node(machine, node);
    call_register(context, reg);
    call_word(value);
    Node *n = &machine->node[node];
    const bool background = context == JM_CONTEXT_BACKGROUND;
    if (background && is_queue_register(reg))
        return;
    if (reg == JM_REG_MAR)
        n->mar = jm_data(value) & JM_ADDRESS_MASK;
    else
        node_register_write(n, context, background ? 0 : context, reg, value,
                            machine->now);
    machine_touch(machine, node);
}

const char *jm_context_name(JmContext context) {
    static const char *const names[] = {"priority 0", "priority 1", "background"};
    assert(context <= JM_CONTEXT_BACKGROUND);
    return names[context];
}

JmContext jm_running(const JmMachine *machine, unsigned node) {
    call_node(machine, node);
    return (JmContext)node_of(machine, node)->running;
}

bool jm_task_active(const JmMachine *machine, unsigned node, unsigned priority) {
    call_node(machine, node);
    assert(priority < 2);
    return node_of(machine, node)->priority[priority].active;
}

JmWord jm_read(const JmMachine *machine, unsigned node, uint32_t address) {
    call_node(machine, node);
    call_address(address);
    return memory_read(&node_of(machine, node)->memory, address);
}

void jm_write(JmMachine *machine, unsigned node, uint32_t address, JmWord value) {
    call_changes(machine);
    call_node(machine, node);
    call_address(address);
    call_word(value);
    memory_write(&machine->node[node].memory, address, value);
    machine_touch(machine, node);
}

bool jm_is_rom(uint32_t address) {
    call_address(address);
    return memory_is_rom(address);
}

uint32_t jm_queue_words(const JmMachine *machine, unsigned node, unsigned priority) {
    call_node(machine, node);
    assert(priority < 2);
    return node_queue_length(node_of(machine, node), priority);
}

const JmMark *jm_marks(const JmMachine *machine, size_t *count) {
    call_looks(machine);
    assert(count);
    *count = machine->mark_count;
    return machine->marks;
}

void jm_stop_at_marks(JmMachine *machine, bool stops) {
    call_changes(machine);
    machine->stops_at_marks = stops;
}

/* Returns the cycles with the brake on, up to now. */
static uint64_t braked(const JmMachine *machine, const Node *node) {
    const bool on = node->brake != NODE_BRAKE_OFF && node->brake_since < machine->now;
    return node->statistics.brake_cycles + (on ? machine->now - node->brake_since : 0);
}

/* Corrects cycle counts for the time of the query. They are charged when an instruction
 * is issued, up to the node's next boundary: those beyond `now` are subtracted. If the
 * boundary is in the past the node sleeps, has stopped or was never started, and has
 * idled since. */
static void settle_cycles(const JmMachine *machine, const Node *node,
                          JmNodeStatistics *out) {
    const uint64_t now = machine->now;
    if (node->ready > now)
        out->cycles[node->last_class] -= node->ready - now;
    else
        out->cycles[JM_CLASS_IDLE] += now - node->ready;
    out->instructions += node_sleep_turns(node, now);
}

void jm_node_statistics(const JmMachine *machine, unsigned node,
                        JmNodeStatistics *out) {
    call_node(machine, node);
    assert(out);
    const Node *n = node_of(machine, node);
    const NodeStatistics *s = &n->statistics;
    *out = (JmNodeStatistics){.instructions = s->instructions,
                              .first_overflow_cycle = s->first_overflow,
                              .marked = s->marked,
                              .escaped = s->escaped,
                              .brake_cycles = braked(machine, n)};
    memcpy(out->faults, s->faults, sizeof out->faults);
    memcpy(out->cycles, s->cycles, sizeof out->cycles);
    for (unsigned p = 0; p < 2; p++) {
        const PriorityStatistics *q = &s->priority[p];
        out->messages_in[p] = q->messages_in;
        out->messages_out[p] = q->messages_out;
        out->words_in[p] = q->words_in;
        out->words_out[p] = q->words_out;
        out->queue_max_words[p] = q->max_words;
        out->overflows[p] = s->overflows[p];
        out->dispatches[p] = q->dispatches;
        /* To an observer, a change in this cycle counts from the next one on. */
        const uint64_t since = q->since < machine->now ? q->since : machine->now;
        const uint64_t tail =
            (machine->now - since) * node_queue_length(n, p) + q->area;
        if (machine->now)
            out->queue_mean_words[p] = (double)tail / (double)machine->now;
    }
    if (machine->unit)
        machine->unit->statistics(machine, node, out);
    settle_cycles(machine, n, out);
}

static void raise_to(uint64_t *most, uint64_t value) {
    if (value > *most)
        *most = value;
}

/* Adds what a node has of each priority, of whose mean queue there are `nodes`. */
static void add_priorities(JmNodeStatistics *sum, const JmNodeStatistics *s,
                           unsigned nodes) {
    for (unsigned p = 0; p < 2; p++) {
        sum->messages_in[p] += s->messages_in[p];
        sum->messages_out[p] += s->messages_out[p];
        sum->words_in[p] += s->words_in[p];
        sum->words_out[p] += s->words_out[p];
        sum->queue_mean_words[p] += s->queue_mean_words[p] / nodes;
        sum->overflows[p] += s->overflows[p];
        sum->dispatches[p] += s->dispatches[p];
        if (s->queue_max_words[p] > sum->queue_max_words[p])
            sum->queue_max_words[p] = s->queue_max_words[p];
    }
}

/* Adds what cures for overflow have counted. */
static void add_cures(JmNodeStatistics *sum, const JmNodeStatistics *s) {
    sum->marked += s->marked;
    sum->escaped += s->escaped;
    sum->brake_cycles += s->brake_cycles;
    sum->spilled += s->spilled;
    sum->spilled_now += s->spilled_now;
    raise_to(&sum->spill_peak, s->spill_peak);
    sum->acks_out += s->acks_out;
    sum->acks_in += s->acks_in;
    sum->returns_out += s->returns_out;
    sum->returns_in += s->returns_in;
    sum->resent += s->resent;
    sum->rts_reserved += s->rts_reserved;
    raise_to(&sum->rts_peak, s->rts_peak);
}

JmNodeStatistics jm_statistics(const JmMachine *machine) {
    JmNodeStatistics sum = {.first_overflow_cycle = UINT64_MAX}, s;
    call_looks(machine);
    for (unsigned node = 0; node < machine->nodes; node++) {
        jm_node_statistics(machine, node, &s);
        sum.instructions += s.instructions;
        if (s.first_overflow_cycle < sum.first_overflow_cycle)
            sum.first_overflow_cycle = s.first_overflow_cycle;
        add_priorities(&sum, &s, machine->nodes);
        add_cures(&sum, &s);
        for (unsigned i = 0; i < JM_CLASS_COUNT; i++)
            sum.cycles[i] += s.cycles[i];
        for (unsigned i = 0; i < JM_FAULT_COUNT; i++)
            sum.faults[i] += s.faults[i];
    }
    return sum;
}
