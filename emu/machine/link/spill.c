/* Spilling: see spill.h. The port moves one row at a time:
 *
 *     arrives |== out ==|   the input is shut        |== in ==| SUSPEND made room
 *             4 * spill_cycles                        the row is in the queue behind it
 *
 * A row that arrives while another comes back waits for the port, with the input shut.
 */
#include "emu/machine/link/spill.h"

#include "emu/node/archive.h"

static bool wanted(const JmInterface *interface) {
    return interface->spill_mark != 0;
}

static void create(JmMachine *machine) {
    machine->units = heap_alloc(machine->heap, machine->nodes * sizeof(Spill));
}

static ArrivedRow *row_at(const Spill *spill, uint32_t number) {
    return &spill->row[(spill->first + number) & (spill->capacity - 1)];
}

static void enlarge(Spill *spill, Heap *heap) {
    const uint32_t capacity = spill->capacity ? spill->capacity * 2 : 16;
    ArrivedRow *rows = heap_alloc(heap, capacity * sizeof *rows);
    for (uint32_t i = 0; i < spill->count; i++)
        rows[i] = *row_at(spill, i);
    heap_free(spill->row);
    spill->row = rows;
    spill->first = 0;
    spill->capacity = capacity;
}

static void append(Spill *spill, Heap *heap, const ArrivedRow *row) {
    if (spill->count == spill->capacity)
        enlarge(spill, heap);
    *row_at(spill, spill->count++) = *row;
}

/* The brake bounds the ring too, if it counts the ring's words. */
static void note_length(Node *node, const Spill *spill) {
    node->ring = node->interface->brake_ring ? spill->count * NODE_ROW_WORDS : 0;
}

/* A queue whose input the program has turned off takes nothing from the ring either. */
static bool has_room(const Node *node) {
    return !(node->priority[0].qbm & JM_ADDR_INVALID) &&
           node_queue_length(node, 0) + NODE_ROW_WORDS <= node_spill_bound(node);
}

static uint64_t row_cycles(const JmMachine *machine) {
    return (uint64_t)machine->config.interface.spill_cycles * NODE_ROW_WORDS;
}

static bool takes_row(JmMachine *machine, Node *node, uint32_t number,
                      const ArrivedRow *row) {
    Spill *spill = spill_of(machine, node->rank);
    const uint64_t cycles = row_cycles(machine), next = machine->now + 1;
    if (!spill->count && has_room(node))
        return false;
    append(spill, machine->heap, row);
    spill->spilled += NODE_ROW_WORDS;
    if (spill->count * NODE_ROW_WORDS > spill->peak)
        spill->peak = spill->count * NODE_ROW_WORDS;
    if (cycles) {
        spill->busy = (spill->busy > next ? spill->busy : next) + cycles;
        node->shut |= NODE_SHUT_BY_SPILL;
    }
    note_length(node, spill);
    node_update_brake(node, next);
    node->gate_changed = true;
    interface_observe(machine, node, JM_EVENT_SPILL, number, 0);
    return true;
}

/* The port rests while there is nothing to bring back, or no room for it. */
static uint64_t alarm_of(const JmMachine *machine, const Node *node) {
    const Spill *spill = spill_of(machine, node->rank);
    if (spill->reading)
        return spill->read;
    if (spill->busy > machine->now)
        return spill->busy;
    return spill->count && has_room(node) ? machine->now + 1 : NO_ALARM;
}

/* Writes the oldest row behind the queue, as if it had arrived in the cycle before. */
static void bring_back(JmMachine *machine, Node *node) {
    Spill *spill = spill_of(machine, node->rank);
    const ArrivedRow row = *row_at(spill, 0);
    spill->first = (spill->first + 1) & (spill->capacity - 1);
    spill->count--;
    note_length(node, spill);
    if (node->ahead && node_row_disturbs(node, 0, machine->now - 1))
        machine_rewind(machine, &machine->env, node, machine->now);
    node_write_row(node, 0, &row.row, machine->now - 1);
    netif_note_row(machine, node, row.sender, row.behind, row.row.tail ? row.came : 0);
    if (node->asleep) {
        node_wake(node, machine->now);
        wheel_add(&machine->wheel, node->rank, node->ready);
    }
}

static void act(JmMachine *machine, Node *node) {
    Spill *spill = spill_of(machine, node->rank);
    const uint64_t cycles = row_cycles(machine);
    if (spill->reading && spill->read <= machine->now) {
        spill->reading = false;
        bring_back(machine, node);
    }
    if (spill->busy > machine->now)
        return;
    if (node->shut & NODE_SHUT_BY_SPILL) {
        node->shut &= (uint8_t)~NODE_SHUT_BY_SPILL;
        node->gate_changed = true;
    }
    while (!cycles && spill->count && has_room(node))
        bring_back(machine, node);
    if (cycles && spill->count && has_room(node)) {
        spill->reading = true;
        spill->read = spill->busy = machine->now + cycles;
    }
}

static uint32_t words_kept(const JmMachine *machine, const Node *node) {
    return spill_of(machine, node->rank)->count * NODE_ROW_WORDS;
}

static void statistics(const JmMachine *machine, unsigned node, JmNodeStatistics *out) {
    const Spill *spill = spill_of(machine, node);
    out->spilled = spill->spilled;
    out->spilled_now = (uint64_t)spill->count * NODE_ROW_WORDS;
    out->spill_peak = spill->peak;
}

static void archive_row(Archive *archive, ArrivedRow *row, uint32_t nodes) {
    node_archive_row(archive, &row->row);
    jm_archive_u32(archive, &row->sender, nodes);
    jm_archive_u32(archive, &row->behind, UINT32_MAX);
    jm_archive_u64(archive, &row->came, INT64_MAX);
}

static void archive_spill(Archive *archive, Spill *spill, const JmMachine *machine) {
    uint32_t count = spill->count;
    jm_archive_bool(archive, &spill->reading);
    jm_archive_u64(archive, &spill->read, INT64_MAX);
    jm_archive_u64(archive, &spill->busy, INT64_MAX);
    jm_archive_u64(archive, &spill->spilled, UINT64_MAX);
    jm_archive_u32(archive, &spill->peak, UINT32_MAX);
    jm_archive_count(archive, &count);
    for (uint32_t i = 0; i < count && archive_good(archive); i++) {
        ArrivedRow row = {.sender = 0};
        if (archive->saving)
            row = *row_at(spill, i);
        archive_row(archive, &row, machine->nodes);
        if (!archive->saving)
            append(spill, machine->heap, &row);
    }
    archive_demand(archive, !spill->reading || spill->count > 0);
}

static void archive_units(Archive *archive, JmMachine *machine) {
    for (unsigned i = 0; i < machine->nodes; i++) {
        Spill *spill = spill_of(machine, i);
        if (!archive->saving)
            spill->first = spill->count = 0;
        archive_spill(archive, spill, machine);
        note_length(&machine->node[i], spill);
    }
}

const InterfaceUnit interface_spills = {
    .wanted = wanted,
    .create = create,
    .shut_by = NODE_SHUT_BY_SPILL,
    .shut = "shut while a row is spilled",
    .place = {{"in the ring wait for room in queue 0", words_kept}},
    .takes_row = takes_row,
    .alarm = alarm_of,
    .act = act,
    .archive = archive_units,
    .statistics = statistics};
