/* The host page: sixteen words at FFF00 through which programs reach the emulator, in
 * place of the J-Machine's front-end computer. hostpage.def lists them. */
#include "emu/core/rng.h"
#include "emu/machine/machine.h"

enum {
#define HOST(name, address, access, text) HOST_##name = (address),
#include "emu/machine/hostpage.def"
#undef HOST
    HOST_EXIT_MAX = 125 /* larger exit values are reported as this: shells use 126 and
                           up */
};

JmWord hostpage_read(void *machine, Node *node, uint32_t address) {
    const JmMachine *m = machine;
    const uint64_t now = m->env.now;
    switch (address) {
    case HOST_CYCLE_LO:
        return jm_word(JM_TAG_INT, (uint32_t)now);
    case HOST_CYCLE_HI:
        return jm_word(JM_TAG_INT, (uint32_t)(now >> 32));
    case HOST_NODES:
        return jm_int((int32_t)m->nodes);
    case HOST_X:
        return jm_int((int32_t)m->config.size_x);
    case HOST_Y:
        return jm_int((int32_t)m->config.size_y);
    case HOST_Z:
        return jm_int((int32_t)m->config.size_z);
    case HOST_RANK:
        return jm_int((int32_t)node->rank);
    case HOST_SEED:
        return jm_word(JM_TAG_INT, (uint32_t)jm_rng_mix(m->config.seed, node->rank));
    default:
        return JM_NIL;
    }
}

/* Writes a word as a line of text, "TAG:data". */
static void put_word(JmMachine *machine, const Node *node, JmWord word) {
    char text[32];
    const int length = jm_word_print(word, text, sizeof text - 1);
    text[length] = '\n';
    output_put(machine, node->rank, text, (size_t)length + 1);
}

/* Ends the run with an exit value. Within a cycle nodes run by rank, so the first exit
 * of a cycle is that of the lowest rank. */
static void exit_run(JmMachine *machine, JmWord word) {
    machine->env.boundary = true;
    if (machine->exit_seen)
        return;
    const uint32_t value = jm_data(word);
    machine->exit_seen = true;
    machine->exit_value = value <= HOST_EXIT_MAX ? (int)value : HOST_EXIT_MAX;
}

/* Records a mark: the program passed a point in this cycle. A run that is to stop there
 * goes on to the end of the cycle. */
static void add_mark(JmMachine *machine, const Node *node, JmWord word) {
    machine->marks = heap_grow(machine->heap, machine->marks, machine->mark_count,
                               &machine->mark_capacity, sizeof *machine->marks);
    machine->marks[machine->mark_count++] = (JmMark){
        .cycle = machine->env.now, .node = node->rank, .value = (int32_t)jm_data(word)};
    if (machine->stops_at_marks)
        machine->break_seen = machine->env.boundary = true;
}

void hostpage_write(void *machine, Node *node, uint32_t address, JmWord word) {
    switch (address) {
    case HOST_EXIT:
        exit_run(machine, word);
        break;
    case HOST_PUTC: {
        const char byte = (char)jm_data(word);
        output_put(machine, node->rank, &byte, 1);
        break;
    }
    case HOST_PUTW:
        put_word(machine, node, word);
        break;
    case HOST_MARK:
        add_mark(machine, node, word);
        break;
    default:
        break;
    }
}
