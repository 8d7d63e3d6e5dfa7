/* Takes and restores checkpoints in memory: the state as an archive, and pages of
 * memory by reference, so that a checkpoint costs only what changes after it. */
#include "emu/machine/checkpoint.h"
#include "emu/machine/calls_inline.h"

#include <string.h>

#include "emu/machine/link/interface.h"
#include "emu/machine/link/netif.h"
#include "emu/machine/run/run.h"
#include "emu/node/archive.h"

/* Archives the marks that programs have set. They are in the order of cycles, so the
 * small differences of cycles are archived. */
static void archive_marks(Archive *archive, JmMachine *machine) {
    uint32_t count = (uint32_t)machine->mark_count;
    uint64_t before = 0;
    jm_archive_count(archive, &count);
    for (uint32_t i = 0; i < count && archive_good(archive); i++) {
        if (!archive->saving)
            machine->marks = heap_grow(machine->heap, machine->marks, i,
                                       &machine->mark_capacity, sizeof *machine->marks);
        JmMark *mark = &machine->marks[i];
        uint64_t later = mark->cycle - before;
        uint32_t value = (uint32_t)mark->value;
        jm_archive_u64(archive, &later, UINT64_MAX);
        jm_archive_u32(archive, &mark->node, machine->nodes - 1);
        jm_archive_u32(archive, &value, UINT32_MAX);
        mark->cycle = before += later;
        mark->value = (int32_t)value;
    }
    machine->mark_count = archive_good(archive) ? count : 0;
}

static void archive_wrong_length(Archive *archive, JmWrongLength *wrong,
                                 uint32_t nodes) {
    jm_archive_u64(archive, &wrong->count, UINT64_MAX);
    jm_archive_u64(archive, &wrong->cycle, UINT64_MAX);
    jm_archive_u32(archive, &wrong->node, nodes - 1);
    jm_archive_u32(archive, &wrong->priority, 1);
    jm_archive_u32(archive, &wrong->address, JM_ADDRESS_MASK);
    jm_archive_bool(archive, &wrong->low);
    jm_archive_u32(archive, &wrong->handler, JM_ADDRESS_MASK);
    jm_archive_u32(archive, &wrong->header_words, JM_LENGTH_MASK);
    jm_archive_u32(archive, &wrong->sent_words, UINT32_MAX);
}

/* Archives the machine, its output and all nodes; the network follows
 * (netif_save()). */
static void archive_machine(Archive *archive, JmMachine *machine) {
    uint32_t stop = machine->stop, exit_value = (uint32_t)machine->exit_value;
    jm_archive_u64(archive, &machine->now, INT64_MAX);
    jm_archive_u64(archive, &machine->moved, machine->now);
    archive_wrong_length(archive, &machine->wrong_length, machine->nodes);
    jm_archive_u64(archive, &machine->closed, machine->now);
    output_archive(archive, machine);
    jm_archive_u32(archive, &stop, JM_STOP_BREAK);
    jm_archive_u32(archive, &exit_value, 125);
    jm_archive_bool(archive, &machine->exit_seen);
    jm_archive_bool(archive, &machine->break_seen);
    jm_archive_bool(archive, &machine->halt_seen);
    machine->stop = (JmStop)stop;
    machine->exit_value = (int)exit_value;
    archive_marks(archive, machine);
    for (unsigned i = 0; i < machine->nodes && archive_good(archive); i++)
        node_archive(archive, &machine->node[i], machine->now);
    if (machine->unit && machine->unit->archive)
        machine->unit->archive(archive, machine);
}

/* ---- taking ---------------------------------------------------------------------- */

/* Lists the pages of node `i`; the list has room for them. The node's code may now lie
 * in a page that it will copy, so it forgets the address of its row. */
static void take_node_pages(JmCheckpoint *checkpoint, const JmMachine *machine,
                            unsigned i) {
    Node *node = &machine->node[i];
    const uint32_t first = checkpoint->page_count;
    const uint32_t count =
        memory_freeze(&node->memory, machine->nil_page, checkpoint->page + first);
    node_forget_row(node);
    checkpoint->node[i] = (NodePages){first, count};
    checkpoint->page_count += count;
}

uint8_t *checkpoint_bytes(Heap *heap, Archive *saved) {
    if (archive_good(saved))
        return heap_adopt(heap, saved->bytes);
    jm_archive_free(saved);
    heap_fail(heap);
}

/* Drops the references of a checkpoint. */
static void drop(void *what) {
    const JmCheckpoint *checkpoint = what;
    for (uint32_t i = 0; i < checkpoint->page_count; i++)
        memory_drop_page(checkpoint->page[i].words);
    program_drop(checkpoint->program);
}

/* Adds the references to the program and to the pages of all nodes, which it lists. */
static void take_references(JmCheckpoint *checkpoint, const JmMachine *machine) {
    Heap *heap = checkpoint->heap;
    size_t pages = 0;
    for (unsigned i = 0; i < machine->nodes; i++)
        pages += memory_count_pages(&machine->node[i].memory, machine->nil_page);
    checkpoint->node = heap_alloc(heap, machine->nodes * sizeof *checkpoint->node);
    checkpoint->page = heap_alloc(heap, pages * sizeof *checkpoint->page);
    heap_at_end(heap, drop, checkpoint);
    checkpoint->program = machine->program;
    program_hold(machine->program);
    for (unsigned i = 0; i < machine->nodes; i++)
        take_node_pages(checkpoint, machine, i);
}

/* Saves the state as an archive that belongs to the checkpoint. */
static void take_state(JmCheckpoint *checkpoint, const JmMachine *machine) {
    Archive archive = jm_archive_save();
    JmMachine copy = *machine; /* its nodes and marks are only read */
    archive_machine(&archive, &copy);
    netif_save(machine, &archive);
    checkpoint->state = checkpoint_bytes(checkpoint->heap, &archive);
    checkpoint->state_size = archive.size;
}

static void *take(Heap *heap, const void *plan) {
    const JmMachine *machine = plan;
    const char *name = machine->program_name;
    JmCheckpoint *checkpoint = heap_alloc(heap, sizeof *checkpoint);
    checkpoint->heap = heap;
    checkpoint->config = machine->config;
    checkpoint->nodes = machine->nodes;
    checkpoint->now = machine->now;
    checkpoint->program_name = heap_copy(heap, name, name ? strlen(name) + 1 : 0);
    take_state(checkpoint, machine);
    take_references(checkpoint, machine);
    return checkpoint;
}

JmCheckpoint *jm_checkpoint(const JmMachine *machine) {
    call_changes(machine);
    if (machine_is_starved(machine))
        return NULL;
    return heap_make(take, machine, NULL, NULL, "a checkpoint");
}

void jm_checkpoint_free(JmCheckpoint *checkpoint) {
    heap_delete(checkpoint ? checkpoint->heap : NULL);
}

uint64_t jm_checkpoint_cycle(const JmCheckpoint *checkpoint) {
    assert(checkpoint);
    return checkpoint->now;
}

size_t jm_checkpoint_bytes(const JmCheckpoint *checkpoint) {
    assert(checkpoint);
    size_t bytes = sizeof *checkpoint + checkpoint->state_size +
                   checkpoint->nodes * sizeof *checkpoint->node +
                   checkpoint->page_count * sizeof *checkpoint->page;
    for (uint32_t i = 0; i < checkpoint->page_count; i++)
        bytes += MEMORY_PAGE_WORDS * sizeof(JmWord) /
                 memory_page_holders(checkpoint->page[i].words);
    return bytes;
}

/* ---- restoring ------------------------------------------------------------------- */

/* Whether the wheel can hold the next boundary of a sleeping node whenever it wakes. A
 * file could say otherwise. */
static bool can_wake(const JmMachine *machine, const Node *node) {
    const unsigned reach = machine->wheel.slots - 1;
    return node->sleep_period < reach && node->ready < machine->now + reach;
}

/* Puts every node that is awake on the wheel, in the slot of its next boundary. False
 * if that is beyond the wheel, now or when a sleeping node wakes. */
static bool fill_wheel(JmMachine *machine) {
    Wheel *wheel = &machine->wheel;
    memset(wheel->bits, 0, sizeof *wheel->bits * wheel->slots * wheel->words);
    for (unsigned slot = 0; slot < wheel->slots; slot++)
        wheel_mark_used(wheel, slot, false);
    wheel->awake = 0;
    for (unsigned i = 0; i < machine->nodes; i++) {
        const Node *node = &machine->node[i];
        if (!node->runs)
            continue;
        if (node->asleep && can_wake(machine, node))
            continue;
        if (node->asleep || node->ready < machine->now ||
            node->ready - machine->now >= wheel->slots)
            return false;
        wheel_add(wheel, i, node->ready);
    }
    return true;
}

static void restore_pages(JmMachine *machine, const JmCheckpoint *checkpoint) {
    for (unsigned i = 0; i < machine->nodes; i++) {
        const NodePages *pages = &checkpoint->node[i];
        if (!memory_thaw(&machine->node[i].memory, machine->nil_page,
                         checkpoint->page + pages->first, pages->count))
            heap_fail(machine->heap);
    }
}

/* Makes the checkpoint's program the machine's. */
static void restore_program(JmMachine *machine, const JmCheckpoint *checkpoint) {
    program_hold(checkpoint->program);
    program_drop(machine->program);
    machine->program = checkpoint->program;
    program_set_name(machine, checkpoint->program_name);
}

/* Restores everything in the order in which it was saved. False if something is
 * missing, is left over, or is not a possible state. */
static bool restore_state(JmMachine *machine, const JmCheckpoint *checkpoint,
                          Archive *archive, bool trusted) {
    archive_machine(archive, machine);
    machine->env.now = machine->now;
    restore_pages(machine, checkpoint);
    restore_program(machine, checkpoint);
    if (!archive_good(archive) || machine->now != checkpoint->now ||
        !fill_wheel(machine) || !netif_restore(machine, archive, trusted))
        return false;
    interface_restore(machine);
    return archive->at == archive->end;
}

/* A checkpoint that is being restored. */
typedef struct {
    JmMachine *machine;
    const JmCheckpoint *checkpoint;
    bool trusted, good;
} Restoring;

/* The caller's choice of engine stays, because the state does not depend on it. A
 * starved machine recovers. */
static void restore(Heap *heap, void *context) {
    Restoring *r = context;
    JmMachine *machine = r->machine;
    const JmCheckpoint *checkpoint = r->checkpoint;
    Archive archive = jm_archive_load(checkpoint->state, checkpoint->state_size);
    const char *engine = machine->config.engine;
    machine->config = checkpoint->config;
    machine->config.engine = engine;
    netif_seed(machine);
    r->good = restore_state(machine, checkpoint, &archive, r->trusted);
    if (archive.starved)
        heap_fail(heap);
    atomic_store(machine->starved, false);
}

bool checkpoint_restore(JmMachine *machine, const JmCheckpoint *checkpoint,
                        bool trusted) {
    Restoring restoring = {machine, checkpoint, trusted, false};
    return machine_work(machine, restore, &restoring) && restoring.good;
}

static bool same_parameters(const JmConfig *a, const JmConfig *b) {
    for (unsigned i = 0; jm_parameter(i); i++)
        if (jm_config_get(a, i) != jm_config_get(b, i))
            return false;
    return true;
}

bool jm_restore(JmMachine *machine, const JmCheckpoint *checkpoint) {
    call_changes(machine);
    assert(checkpoint);
    const JmConfig *now = &machine->config, *then = &checkpoint->config;
    assert(now->size_x == then->size_x && now->size_y == then->size_y &&
           now->size_z == then->size_z && now->host_page == then->host_page &&
           strcmp(now->topology, then->topology) == 0);
    assert(same_parameters(now, then));
    const bool good = checkpoint_restore(machine, checkpoint, true);
    assert(good || machine_is_starved(machine));
    (void)same_parameters;
    return good;
}
