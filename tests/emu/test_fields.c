/* No field of a node, of a ring and of what a machine counts is lost in a checkpoint.
 * The tables list all fields: a gap between two of them that is more than padding fails
 * the test. What is kept is given values that nothing new has; what is restored in
 * another machine must have them. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "emu/machine/link/spill.h"
#include "emu/machine/machine.h"
#include "tests/emu/fields.h"
#include "tests/emu/rig.h"

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
    REST(Node, attention, bool),
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
    REST(Node, fetch_p, uint8_t),
    REST(Node, not_plain, bool),
    REST(Node, ahead, bool),
    REST(Node, was_open, bool),
    FIELD(Node, redirected, uint8_t, JM_BY_ESCAPE),
    REST(Node, running, uint32_t),
    REST(Node, redirects, bool),
    REST(Node, bounded, bool),
    FIELD(Node, brake, uint8_t, NODE_BRAKE_ON),
    FIELD(Node, shut, uint8_t, NODE_SHUT_BY_BRAKE | NODE_SHUT_BY_SPILL),
    REST(Node, current, Context *),
    FIELD(Node, fetch_row, int32_t, 0x42),
    REST(Node, fetch_key, uint32_t),
    REST(Node, fetch_words, const JmWord *),
    FIELD(Node, ready, uint64_t, 53),
    REST(Node, saw_queue, uint64_t),
    REST(Node, rank, uint32_t),
    FIELD(Node, mar, uint32_t, 0x54321),
    REST(Node, rest_ip, uint32_t),
    FIELD(Node, posted, uint32_t, JM_FAULT_BIT(JM_FAULT_INTERRUPT)),
    REST(Node, interface, const JmInterface *),
    ROW(Node, priority, Priority, KEPT, 0, priority_fields),
    REST(Node, memory, Memory),
    FIELD(Node, busy_until, uint64_t, 46),
    FIELD(Node, sleep_period, uint32_t, 7),
    FIELD(Node, tbm, uint32_t, 0x70041),
    ROW(Node, context, Context, KEPT, 0, context_fields),
    FIELD(Node, nnr, uint16_t, 0x421),
    FIELD(Node, tbm_tag, uint8_t, 8),
    FIELD(Node, braked, bool, 1),
    FIELD(Node, brake_since, uint64_t, 47),
    FIELD(Node, brake_waits, uint64_t, 48),
    REST(Node, ring, uint32_t),
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

static const Field spill_fields[] = {
    REST(Spill, row, ArrivedRow *),    REST(Spill, first, uint32_t),
    FIELD(Spill, count, uint32_t, 2),  REST(Spill, capacity, uint32_t),
    FIELD(Spill, reading, bool, 1),    FIELD(Spill, read, uint64_t, 54),
    FIELD(Spill, busy, uint64_t, 55),  FIELD(Spill, spilled, uint64_t, 500),
    FIELD(Spill, peak, uint32_t, 501), {0}};

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

static const Field output_fields[] = {REST(Output, writer, JmOutput *),
                                      REST(Output, context, void *),
                                      REST(Output, raw, bool),
                                      FIELD(Output, several, bool, 1),
                                      FIELD(Output, first, uint32_t, 1),
                                      FIELD(Output, open, uint32_t, 1),
                                      FIELD(Output, bytes, uint64_t, 600),
                                      REST(Output, line, OutputLine *),
                                      {0}};

static const Field line_fields[] = {REST(OutputLine, bytes, char *),
                                    FIELD(OutputLine, count, uint32_t, 3),
                                    REST(OutputLine, capacity, size_t),
                                    {0}};

static const Field mark_fields[] = {FIELD(JmMark, cycle, uint64_t, 21),
                                    FIELD(JmMark, node, uint32_t, 1),
                                    FIELD(JmMark, value, int32_t, 23),
                                    {0}};

/* The fields of a machine that do not count are its parts, what it was made from, and
 * where it is. */
static const Field machine_fields[] = {
    REST(JmMachine, config, JmConfig),
    REST(JmMachine, nodes, unsigned),
    FIELD(JmMachine, now, uint64_t, 50),
    REST(JmMachine, node, Node *),
    REST(JmMachine, ahead, NodeAhead *),
    REST(JmMachine, due, uint32_t *),
    REST(JmMachine, env, NodeEnv),
    REST(JmMachine, wheel, Wheel),
    REST(JmMachine, alarms, Alarms),
    REST(JmMachine, unit, const struct InterfaceUnit *),
    REST(JmMachine, spills, Spill *),
    REST(JmMachine, rts, struct Rts *),
    REST(JmMachine, slabs, Slabs *),
    REST(JmMachine, netif, Netif *),
    REST(JmMachine, program, Program *),
    REST(JmMachine, program_name, char *),
    REST(JmMachine, inputs, JmInputs),
    REST(JmMachine, code, JmDecoded *),
    REST(JmMachine, nil_page, JmWord *),
    REST(JmMachine, starved, _Atomic bool *),
    REST(JmMachine, running, bool),
    FIELD(JmMachine, stop, JmStop, JM_STOP_EXIT),
    FIELD(JmMachine, exit_seen, bool, 1),
    FIELD(JmMachine, exit_value, int, 7),
    FIELD(JmMachine, break_seen, bool, 1),
    FIELD(JmMachine, halt_seen, bool, 1),
    FIELD(JmMachine, moved, uint64_t, 40),
    FIELD(JmMachine, closed, uint64_t, 41),
    ROW(JmMachine, wrong_length, JmWrongLength, KEPT, 0, wrong_fields),
    ROW(JmMachine, output, Output, KEPT, 0, output_fields),
    REST(JmMachine, marks, JmMark *),
    FIELD(JmMachine, mark_count, size_t, 2),
    REST(JmMachine, mark_capacity, size_t),
    REST(JmMachine, stops_at_marks, bool),
    REST(JmMachine, observer, JmObserver *),
    REST(JmMachine, observer_context, void *),
    REST(JmMachine, observed, uint32_t),
    REST(JmMachine, watch, const MachineWatch *),
    REST(JmMachine, at_mark, uint64_t *),
    {0}};

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
    fields_fill((char *)node, node_fields);
    node->runs = !stopped;
    node->stop.why = stopped ? NODE_BAD_ROUTE : NODE_RUNS;
    for (unsigned p = 0; p < 2; p++)
        node->words[p].row[NODE_ROW_WORDS - 1] = JM_NIL; /* it has not come */
    JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
    jm_restore(other->machine, checkpoint);
    fields_expect_kept((const char *)node, (const char *)&other->machine->node[1],
                       node_fields);
    jm_checkpoint_free(checkpoint);
    rig_close(rig);
    rig_close(other);
}

Test(emu_fields, tables_are_complete) {
    fields_expect_complete(node_fields, sizeof(Node));
    fields_expect_complete(spill_fields, sizeof(Spill));
    fields_expect_complete(spilled_fields, sizeof(ArrivedRow));
    fields_expect_complete(machine_fields, sizeof(JmMachine));
    fields_expect_complete(line_fields, sizeof(OutputLine));
    fields_expect_complete(mark_fields, sizeof(JmMark));
}

Test(emu_fields, all_are_kept) {
    keep(false);
    keep(true);
}

/* A ring of four rows, in which two are, from its last on. */
static void fill_ring(Spill *spill) {
    enum { ROWS = 4 };
    fields_fill((char *)spill, spill_fields);
    spill->capacity = ROWS;
    spill->first = ROWS - 1;
    spill->row = calloc(ROWS, sizeof *spill->row);
    fields_fill((char *)&spill->row[ROWS - 1], spilled_fields);
    fields_fill((char *)&spill->row[0], spilled_fields);
    spill->row[0].came++;
}

/* Two marks, and a line that node 1 has begun. */
static void fill_lists(JmMachine *machine) {
    enum { MARKS = 2 };
    output_put(machine, 1, "abc", 3);
    free(machine->marks);
    machine->marks = calloc(MARKS, sizeof *machine->marks);
    machine->mark_capacity = MARKS;
    fields_fill((char *)&machine->marks[0], mark_fields);
    fields_fill((char *)&machine->marks[1], mark_fields);
    machine->marks[1].cycle++;
}

static void expect_lists(const JmMachine *machine, const JmMachine *kept) {
    for (size_t i = 0; i < kept->mark_count; i++)
        fields_expect_kept((const char *)&machine->marks[i],
                           (const char *)&kept->marks[i], mark_fields);
    cr_assert_not_null(kept->output.line);
    const OutputLine *line = &machine->output.line[1], *other = &kept->output.line[1];
    fields_expect_kept((const char *)line, (const char *)other, line_fields);
    cr_expect_arr_eq(other->bytes, "abc", 3);
}

Test(emu_fields, the_machine_is_kept) {
    Rig *rig = resting(), *other = resting();
    fill_lists(rig->machine);
    fields_fill((char *)rig->machine, machine_fields);
    fill_ring(&rig->machine->spills[1]);
    JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
    jm_restore(other->machine, checkpoint);
    fields_expect_kept((const char *)rig->machine, (const char *)other->machine,
                       machine_fields);
    expect_lists(rig->machine, other->machine);
    const Spill *ring = &rig->machine->spills[1], *kept = &other->machine->spills[1];
    fields_expect_kept((const char *)ring, (const char *)kept, spill_fields);
    for (uint32_t i = 0; i < ring->count; i++)
        fields_expect_kept(
            (const char *)&ring->row[(ring->first + i) & (ring->capacity - 1)],
            (const char *)&kept->row[(kept->first + i) & (kept->capacity - 1)],
            spilled_fields);
    jm_checkpoint_free(checkpoint);
    rig_close(rig);
    rig_close(other);
}
