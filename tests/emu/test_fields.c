/* No field of a node, of a ring and of what a machine counts is lost in a checkpoint.
 * The tables list all fields: a gap between two of them that is more than padding fails
 * the test. Fields that are kept get values that no new machine has; another machine,
 * restored from it, must have them. test_checkpoint.c, test_restored.c and test_ways.c
 * continue the network and messages on their way after a checkpoint. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/link/spill.h"
#include "emu/machine/machine.h"
#include "tests/emu/rig.h"

typedef enum {
    KEPT,   /* in a checkpoint */
    FOLLOWS /* from what is kept or from where it is */
} Kind;

typedef struct Field Field;
struct Field {
    const char *name;
    size_t at, size, align;
    Kind kind;
    size_t unit;         /* bytes of an item of it */
    uint64_t value;      /* of its first item; they count up */
    const Field *fields; /* NULL, or those of each item, up to one without a name */
};

/* A field of type `of`, or an array of these. */
#define ROW(type, member, of, kind, value, fields)                                     \
    {                                                                                  \
#member, offsetof(type, member), sizeof((type *)NULL)->member,                 \
            _Alignof(__typeof__(of)), kind, sizeof(of), value, fields                  \
    }
#define FIELD(type, member, of, value) ROW(type, member, of, KEPT, value, NULL)
#define REST(type, member)                                                             \
    ROW(type, member, __typeof__(((type *)NULL)->member), FOLLOWS, 0, NULL)
#define WORD UINT64_C(0x500000007)

static const Field context_fields[] = {FIELD(Context, ip, JmWord, WORD),
                                       FIELD(Context, fip, JmWord, WORD + 1),
                                       FIELD(Context, r, JmWord, WORD + 2),
                                       FIELD(Context, a, JmWord, WORD + 6),
                                       {0}};

static const Field priority_fields[] = {FIELD(Priority, qbm, uint32_t, 0xC003F),
                                        FIELD(Priority, qhl, uint32_t, 0xC0008),
                                        FIELD(Priority, qbm_tag, uint8_t, 7),
                                        FIELD(Priority, qhl_tag, uint8_t, 9),
                                        FIELD(Priority, q, bool, 1),
                                        FIELD(Priority, active, bool, 1),
                                        FIELD(Priority, over_b, bool, 1),
                                        FIELD(Priority, gate, bool, 1),
                                        FIELD(Priority, gathered, uint8_t, 3),
                                        FIELD(Priority, whole, bool, 1),
                                        FIELD(Priority, came, uint32_t, 77),
                                        {0}};

static const Field words_fields[] = {FIELD(PriorityWords, row, JmWord, WORD + 20),
                                     FIELD(PriorityWords, id, JmWord, WORD + 30),
                                     FIELD(PriorityWords, fir, JmWord, WORD + 40),
                                     FIELD(PriorityWords, fop0, JmWord, WORD + 41),
                                     FIELD(PriorityWords, fop1, JmWord, WORD + 42),
                                     {0}};

static const Field stop_fields[] = {FIELD(NodeStop, why, NodeHalt, NODE_BAD_ROUTE),
                                    FIELD(NodeStop, context, JmContext, 1),
                                    FIELD(NodeStop, fault, JmFault, 3),
                                    FIELD(NodeStop, in_fault, bool, 1),
                                    FIELD(NodeStop, noted, bool, 1),
                                    FIELD(NodeStop, address, uint32_t, 0x123),
                                    FIELD(NodeStop, low, bool, 1),
                                    FIELD(NodeStop, word, JmWord, WORD + 50),
                                    FIELD(NodeStop, cycle, uint64_t, 43),
                                    {0}};

static const Field fault_fields[] = {FIELD(NodeFault, taken, bool, 1),
                                     FIELD(NodeFault, low, bool, 1),
                                     FIELD(NodeFault, fault, JmFault, 4),
                                     FIELD(NodeFault, address, uint32_t, 0x321),
                                     FIELD(NodeFault, cycle, uint64_t, 44),
                                     FIELD(NodeFault, fip, JmWord, WORD + 60),
                                     FIELD(NodeFault, fir, JmWord, WORD + 61),
                                     FIELD(NodeFault, fop0, JmWord, WORD + 62),
                                     FIELD(NodeFault, fop1, JmWord, WORD + 63),
                                     FIELD(NodeFault, again, uint32_t, 5),
                                     FIELD(NodeFault, task, uint32_t, 6),
                                     {0}};

static const Field counted_fields[] = {
    FIELD(PriorityStatistics, area, uint64_t, 101),
    FIELD(PriorityStatistics, since, uint64_t, 45),
    FIELD(PriorityStatistics, max_words, uint32_t, 103),
    FIELD(PriorityStatistics, messages_in, uint64_t, 104),
    FIELD(PriorityStatistics, messages_out, uint64_t, 105),
    FIELD(PriorityStatistics, words_in, uint64_t, 106),
    FIELD(PriorityStatistics, words_out, uint64_t, 107),
    FIELD(PriorityStatistics, dispatches, uint64_t, 108),
    {0}};

static const Field statistics_fields[] = {
    ROW(NodeStatistics, priority, PriorityStatistics, KEPT, 0, counted_fields),
    FIELD(NodeStatistics, instructions, uint64_t, 200),
    FIELD(NodeStatistics, cycles, uint64_t, 201),
    FIELD(NodeStatistics, first_overflow, uint64_t, 300),
    FIELD(NodeStatistics, overflows, uint64_t, 301),
    FIELD(NodeStatistics, faults, uint64_t, 303),
    FIELD(NodeStatistics, marked, uint64_t, 400),
    FIELD(NodeStatistics, escaped, uint64_t, 401),
    FIELD(NodeStatistics, brake_cycles, uint64_t, 402),
    {0}};

static const Field node_fields[] = {
    REST(Node, attention),
    FIELD(Node, background, bool, 1),
    FIELD(Node, p, uint8_t, 1),
    FIELD(Node, masked, bool, 1),
    FIELD(Node, send_wait, uint8_t, 5),
    FIELD(Node, send_open, uint8_t, 2),
    FIELD(Node, gate_changed, bool, 1),
    FIELD(Node, asleep, bool, 1),
    FIELD(Node, last_class, uint8_t, 5),
    FIELD(Node, replace, bool, 1),
    FIELD(Node, runs, bool, 1),
    REST(Node, fetch_p),
    REST(Node, not_plain),
    REST(Node, ahead),
    REST(Node, was_open),
    FIELD(Node, redirected, uint8_t, JM_BY_ESCAPE),
    REST(Node, running),
    REST(Node, redirects),
    REST(Node, bounded),
    FIELD(Node, brake, uint8_t, NODE_BRAKE_ON),
    FIELD(Node, shut, uint8_t, NODE_SHUT_BY_BRAKE | NODE_SHUT_BY_SPILL),
    REST(Node, current),
    FIELD(Node, fetch_row, int32_t, 0x42),
    REST(Node, fetch_key),
    REST(Node, fetch_words),
    FIELD(Node, ready, uint64_t, 53),
    REST(Node, saw_queue),
    REST(Node, rank),
    FIELD(Node, mar, uint32_t, 0x54321),
    REST(Node, rest_ip),
    FIELD(Node, posted, uint32_t, JM_FAULT_BIT(JM_FAULT_INTERRUPT)),
    REST(Node, interface),
    ROW(Node, priority, Priority, KEPT, 0, priority_fields),
    REST(Node, memory),
    FIELD(Node, busy_until, uint64_t, 46),
    FIELD(Node, sleep_period, uint32_t, 7),
    FIELD(Node, tbm, uint32_t, 0x70041),
    ROW(Node, context, Context, KEPT, 0, context_fields),
    FIELD(Node, nnr, uint16_t, 0x421),
    FIELD(Node, tbm_tag, uint8_t, 8),
    FIELD(Node, braked, bool, 1),
    FIELD(Node, brake_since, uint64_t, 47),
    FIELD(Node, brake_waits, uint64_t, 48),
    REST(Node, ring),
    ROW(Node, statistics, NodeStatistics, KEPT, 0, statistics_fields),
    ROW(Node, words, PriorityWords, KEPT, 0, words_fields),
    ROW(Node, fault, NodeFault, KEPT, 0, fault_fields),
    ROW(Node, stop, NodeStop, KEPT, 0, stop_fields),
    {0}};

static const Field row_fields[] = {FIELD(NodeRow, word, JmWord, WORD + 70),
                                   FIELD(NodeRow, words, uint8_t, 3),
                                   FIELD(NodeRow, tail, bool, 1),
                                   {0}};

static const Field spilled_fields[] = {
    ROW(ArrivedRow, row, NodeRow, KEPT, 0, row_fields),
    FIELD(ArrivedRow, sender, uint32_t, 2),
    FIELD(ArrivedRow, behind, uint32_t, 3),
    FIELD(ArrivedRow, came, uint64_t, 49),
    {0}};

static const Field spill_fields[] = {REST(Spill, row),
                                     REST(Spill, first),
                                     FIELD(Spill, count, uint32_t, 2),
                                     REST(Spill, capacity),
                                     FIELD(Spill, reading, bool, 1),
                                     FIELD(Spill, read, uint64_t, 54),
                                     FIELD(Spill, busy, uint64_t, 55),
                                     FIELD(Spill, spilled, uint64_t, 500),
                                     FIELD(Spill, peak, uint32_t, 501),
                                     {0}};

static const Field wrong_fields[] = {FIELD(JmWrongLength, count, uint64_t, 2),
                                     FIELD(JmWrongLength, cycle, uint64_t, 30),
                                     FIELD(JmWrongLength, node, uint32_t, 1),
                                     FIELD(JmWrongLength, priority, uint32_t, 1),
                                     FIELD(JmWrongLength, address, uint32_t, 0x111),
                                     FIELD(JmWrongLength, handler, uint32_t, 0x222),
                                     FIELD(JmWrongLength, header_words, uint32_t, 9),
                                     FIELD(JmWrongLength, sent_words, uint32_t, 8),
                                     FIELD(JmWrongLength, low, bool, 1),
                                     {0}};

static const Field output_fields[] = {REST(Output, writer),
                                      REST(Output, context),
                                      REST(Output, raw),
                                      FIELD(Output, several, bool, 1),
                                      FIELD(Output, first, uint32_t, 1),
                                      FIELD(Output, open, uint32_t, 1),
                                      FIELD(Output, bytes, uint64_t, 600),
                                      REST(Output, line),
                                      {0}};

static const Field line_fields[] = {REST(OutputLine, bytes),
                                    FIELD(OutputLine, count, uint32_t, 3),
                                    REST(OutputLine, capacity),
                                    {0}};

static const Field mark_fields[] = {FIELD(JmMark, cycle, uint64_t, 21),
                                    FIELD(JmMark, node, uint32_t, 1),
                                    FIELD(JmMark, value, int32_t, 23),
                                    {0}};

/* The fields of a machine that do not count are its parts, its configuration, and its
 * position. */
static const Field machine_fields[] = {
    REST(JmMachine, heap),
    REST(JmMachine, config),
    REST(JmMachine, nodes),
    FIELD(JmMachine, now, uint64_t, 50),
    REST(JmMachine, node),
    REST(JmMachine, ahead),
    REST(JmMachine, due),
    REST(JmMachine, env),
    REST(JmMachine, wheel),
    REST(JmMachine, alarms),
    REST(JmMachine, unit),
    REST(JmMachine, units),
    REST(JmMachine, slabs),
    REST(JmMachine, netif),
    REST(JmMachine, program),
    REST(JmMachine, program_name),
    REST(JmMachine, inputs),
    REST(JmMachine, code),
    REST(JmMachine, nil_page),
    REST(JmMachine, starved),
    REST(JmMachine, running),
    FIELD(JmMachine, stop, JmStop, JM_STOP_EXIT),
    FIELD(JmMachine, exit_seen, bool, 1),
    FIELD(JmMachine, exit_value, int, 7),
    FIELD(JmMachine, break_seen, bool, 1),
    FIELD(JmMachine, halt_seen, bool, 1),
    FIELD(JmMachine, moved, uint64_t, 40),
    FIELD(JmMachine, closed, uint64_t, 41),
    ROW(JmMachine, wrong_length, JmWrongLength, KEPT, 0, wrong_fields),
    ROW(JmMachine, output, Output, KEPT, 0, output_fields),
    REST(JmMachine, marks),
    FIELD(JmMachine, mark_count, size_t, 2),
    REST(JmMachine, mark_capacity),
    REST(JmMachine, stops_at_marks),
    REST(JmMachine, observer),
    REST(JmMachine, observer_context),
    REST(JmMachine, observed),
    REST(JmMachine, watch),
    REST(JmMachine, at_mark),
    {0}};

/* Whether `at` is where something can begin behind what ends at `end`. */
static bool is_next(size_t end, size_t at, size_t align) {
    return at == (end + align - 1) / align * align ||
           at == (end + NODE_LINE_BYTES - 1) / NODE_LINE_BYTES * NODE_LINE_BYTES;
}

/* Expects that fields follow each other without a gap that is more than padding, in
 * those that have fields too: that the table has a row for each. */
static void expect_complete(const Field *field, size_t size) {
    size_t end = 0;
    for (; field->name; field++) {
        cr_expect(is_next(end, field->at, field->align), "before %s", field->name);
        if (field->fields)
            expect_complete(field->fields, field->unit);
        end = field->at + field->size;
    }
    cr_expect(is_next(end, size, _Alignof(max_align_t)) ||
                  is_next(end, size, _Alignof(uint64_t)) ||
                  is_next(end, size, _Alignof(uint32_t)),
              "at the end of a structure of %zu bytes", size);
}

/* Gives all that is kept its values, as a host writes them that is little-endian. */
static void fill(void *structure, const Field *field) {
    char *bytes = structure;
    for (; field->name; field++) {
        for (size_t i = 0; i < field->size / field->unit; i++) {
            char *item = bytes + field->at + i * field->unit;
            const uint64_t value = field->value + i;
            if (field->fields)
                fill(item, field->fields);
            else if (field->kind == KEPT)
                memcpy(item, &value, field->unit);
        }
    }
}

/* Expects all that is kept to be equal in what was restored. */
static void expect_kept(const void *saved, const void *restored, const Field *field) {
    const char *bytes = saved, *other = restored;
    for (; field->name; field++) {
        for (size_t i = 0; i < field->size / field->unit; i++) {
            const size_t at = field->at + i * field->unit;
            if (field->fields)
                expect_kept(bytes + at, other + at, field->fields);
            else if (field->kind == KEPT)
                cr_expect_eq(memcmp(bytes + at, other + at, field->unit), 0,
                             "%s, item %zu", field->name, i);
        }
    }
}

static Rig *resting(void) {
    JmConfig config = jm_config_default();
    config.size_x = 2;
    config.interface.brake_mark = config.interface.spill_mark = 40;
    Rig *rig = rig_open_with(&config, "        rest\n");
    jm_run(rig->machine, 50);
    return rig;
}

/* Sets all fields of a node of a machine that rests, saves it and looks at what another
 * machine gets. A node that has stopped does not run. */
static void keep(bool stopped) {
    Rig *rig = resting(), *other = resting();
    Node *node = &rig->machine->node[1];
    fill(node, node_fields);
    node->runs = !stopped;
    node->stop.why = stopped ? NODE_BAD_ROUTE : NODE_RUNS;
    for (unsigned p = 0; p < 2; p++)
        node->words[p].row[NODE_ROW_WORDS - 1] = JM_NIL; /* it has not come */
    JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
    jm_restore(other->machine, checkpoint);
    expect_kept(node, &other->machine->node[1], node_fields);
    jm_checkpoint_free(checkpoint);
    rig_close(rig);
    rig_close(other);
}

Test(emu_fields, tables_are_complete) {
    expect_complete(node_fields, sizeof(Node));
    expect_complete(spill_fields, sizeof(Spill));
    expect_complete(spilled_fields, sizeof(ArrivedRow));
    expect_complete(machine_fields, sizeof(JmMachine));
    expect_complete(line_fields, sizeof(OutputLine));
    expect_complete(mark_fields, sizeof(JmMark));
}

Test(emu_fields, all_are_kept) {
    keep(false);
    keep(true);
}

/* A ring of four rows, in which two are, from its last on. */
static void fill_ring(Heap *heap, Spill *spill) {
    enum { ROWS = 4 };
    fill(spill, spill_fields);
    spill->capacity = ROWS;
    spill->first = ROWS - 1;
    spill->row = heap_alloc(heap, ROWS * sizeof *spill->row);
    fill(&spill->row[ROWS - 1], spilled_fields);
    fill(&spill->row[0], spilled_fields);
    spill->row[0].came++;
}

/* Two marks, and a line that node 1 has begun. */
static void fill_lists(JmMachine *machine) {
    enum { MARKS = 2 };
    output_put(machine, 1, "abc", 3);
    heap_free(machine->marks);
    machine->marks = heap_alloc(machine->heap, MARKS * sizeof *machine->marks);
    machine->mark_capacity = MARKS;
    fill(&machine->marks[0], mark_fields);
    fill(&machine->marks[1], mark_fields);
    machine->marks[1].cycle++;
}

static void expect_lists(const JmMachine *machine, const JmMachine *kept) {
    for (size_t i = 0; i < kept->mark_count; i++)
        expect_kept(&machine->marks[i], &kept->marks[i], mark_fields);
    cr_assert_not_null(kept->output.line);
    const OutputLine *line = &machine->output.line[1], *other = &kept->output.line[1];
    expect_kept(line, other, line_fields);
    cr_expect_arr_eq(other->bytes, "abc", 3);
}

Test(emu_fields, the_machine_is_kept) {
    Rig *rig = resting(), *other = resting();
    fill_lists(rig->machine);
    fill(rig->machine, machine_fields);
    fill_ring(rig->machine->heap, spill_of(rig->machine, 1));
    JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
    jm_restore(other->machine, checkpoint);
    expect_kept(rig->machine, other->machine, machine_fields);
    expect_lists(rig->machine, other->machine);
    const Spill *ring = spill_of(rig->machine, 1), *kept = spill_of(other->machine, 1);
    expect_kept(ring, kept, spill_fields);
    for (uint32_t i = 0; i < ring->count; i++)
        expect_kept(&ring->row[(ring->first + i) & (ring->capacity - 1)],
                    &kept->row[(kept->first + i) & (kept->capacity - 1)],
                    spilled_fields);
    jm_checkpoint_free(checkpoint);
    rig_close(rig);
    rig_close(other);
}

/* An input cannot be shut by a unit that the machine does not have. The machine that is
 * saved takes itself for one that has. */
Test(emu_fields, nothing_shuts_an_input_for_good) {
    for (unsigned shut = 0; shut < 2; shut++) {
        Rig *rig = rig_open(2, 1, 1, "        rest\n");
        rig->machine->node[1].bounded = NODE_SHUT_BY_SPILL;
        rig->machine->node[1].shut = shut ? NODE_SHUT_BY_SPILL : 0;
        RigFile file = rig_file(rig->machine);
        JmError error = {.text = ""};
        JmMachine *loaded =
            jm_load_saved_memory(file.bytes, file.size, "shut", "auto", &error);
        cr_expect_eq(loaded != NULL, shut == 0, "%u: %s", shut, error.text);
        jm_destroy(loaded);
        free(file.bytes);
        rig_close(rig);
    }
}
