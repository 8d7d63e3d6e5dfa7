/* Saves and loads the state of a node, apart from its memory. State that follows from
 * other state is not saved but recomputed: the running context, whether a boundary
 * needs attention, the address of the remembered row.
 *
 * Order and limits of the fields are the format of saved checkpoints: a change changes
 * CHECKPOINT_VERSION (emu/machine/checkpoint.h). A limit is what loading accepts. */
#include "emu/node/archive.h"

enum { TAG_MAX = 15 };

static const uint32_t EXTERNAL_FAULTS =
    JM_FAULT_BIT(JM_FAULT_INTERRUPT) | JM_FAULT_BIT(JM_FAULT_DRAMERR);

/* The registers of a context. */
static void archive_context(Archive *archive, Context *context) {
    jm_archive_word(archive, &context->ip);
    jm_archive_word(archive, &context->fip);
    for (int i = 0; i < 4; i++) {
        jm_archive_word(archive, &context->r[i]);
        jm_archive_word(archive, &context->a[i]);
    }
}

/* The queue registers, the row that is still arriving, and the fault registers of a
 * priority. */
static void archive_priority(Archive *archive, Priority *state, PriorityWords *words) {
    jm_archive_u32(archive, &state->qbm, UINT32_MAX);
    jm_archive_u32(archive, &state->qhl, UINT32_MAX);
    jm_archive_u8(archive, &state->qbm_tag, TAG_MAX);
    jm_archive_u8(archive, &state->qhl_tag, TAG_MAX);
    jm_archive_bool(archive, &state->q);
    jm_archive_bool(archive, &state->active);
    jm_archive_bool(archive, &state->over_b);
    jm_archive_bool(archive, &state->gate);
    jm_archive_u8(archive, &state->gathered, NODE_ROW_WORDS - 1);
    jm_archive_bool(archive, &state->whole);
    jm_archive_u32(archive, &state->came, UINT32_MAX);
    for (int i = 0; i < NODE_ROW_WORDS; i++) {
        JmWord none = JM_NIL; /* words that have not come are not saved */
        jm_archive_word(archive, i < state->gathered ? &words->row[i] : &none);
        jm_archive_word(archive, &words->id[i]);
    }
    jm_archive_word(archive, &words->fir);
    jm_archive_word(archive, &words->fop0);
    jm_archive_word(archive, &words->fop1);
}

static void archive_priority_statistics(Archive *archive, PriorityStatistics *count,
                                        uint64_t *overflows) {
    uint64_t *const values[] = {
        &count->area,         &count->since,    overflows,         &count->messages_in,
        &count->messages_out, &count->words_in, &count->words_out, &count->dispatches};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        jm_archive_u64(archive, values[i], UINT64_MAX);
    jm_archive_u32(archive, &count->max_words, UINT32_MAX);
}

static void archive_statistics(Archive *archive, NodeStatistics *count) {
    jm_archive_u64(archive, &count->instructions, UINT64_MAX);
    jm_archive_u64(archive, &count->first_overflow, UINT64_MAX);
    for (unsigned i = 0; i < JM_CLASS_COUNT; i++)
        jm_archive_u64(archive, &count->cycles[i], UINT64_MAX);
    for (unsigned i = 0; i < JM_FAULT_COUNT; i++)
        jm_archive_u64(archive, &count->faults[i], UINT64_MAX);
    for (unsigned p = 0; p < 2; p++)
        archive_priority_statistics(archive, &count->priority[p], &count->overflows[p]);
    jm_archive_u64(archive, &count->marked, UINT64_MAX);
    jm_archive_u64(archive, &count->escaped, UINT64_MAX);
    jm_archive_u64(archive, &count->brake_cycles, UINT64_MAX);
}

/* Enumerations are archived as numbers: the compiler chooses their types. */
static void archive_stop(Archive *archive, NodeStop *stop) {
    uint32_t why = stop->why, context = stop->context, fault = stop->fault;
    jm_archive_u32(archive, &why, NODE_LONG_MESSAGE);
    jm_archive_u32(archive, &context, JM_CONTEXT_BACKGROUND);
    jm_archive_u32(archive, &fault, JM_FAULT_COUNT - 1);
    stop->why = (NodeHalt)why;
    stop->context = (JmContext)context;
    stop->fault = (JmFault)fault;
    jm_archive_bool(archive, &stop->in_fault);
    jm_archive_bool(archive, &stop->noted);
    jm_archive_u32(archive, &stop->address, JM_ADDRESS_MASK);
    jm_archive_bool(archive, &stop->low);
    jm_archive_word(archive, &stop->word);
    jm_archive_u64(archive, &stop->cycle, UINT64_MAX);
}

static void archive_fault(Archive *archive, NodeFault *taken) {
    uint32_t fault = taken->fault;
    jm_archive_bool(archive, &taken->taken);
    if (!taken->taken)
        return;
    jm_archive_u32(archive, &fault, JM_FAULT_COUNT - 1);
    taken->fault = (JmFault)fault;
    jm_archive_bool(archive, &taken->low);
    jm_archive_u32(archive, &taken->address, JM_ADDRESS_MASK);
    jm_archive_u64(archive, &taken->cycle, UINT64_MAX);
    jm_archive_word(archive, &taken->fip);
    jm_archive_word(archive, &taken->fir);
    jm_archive_word(archive, &taken->fop0);
    jm_archive_word(archive, &taken->fop1);
    jm_archive_u32(archive, &taken->again, UINT32_MAX);
    jm_archive_u32(archive, &taken->task, UINT32_MAX);
}

/* The class of the last charge matters only during its cycles: after them none is
 * saved, so that equal machines give equal files. */
static void archive_last_class(Archive *archive, Node *node, uint64_t now) {
    uint8_t last_class = node->ready > now ? node->last_class : 0;
    jm_archive_u8(archive, &last_class, JM_CLASS_COUNT - 1);
    if (!archive->saving)
        node->last_class = last_class;
}

static void archive_flags(Archive *archive, Node *node, uint64_t now) {
    jm_archive_bool(archive, &node->background);
    jm_archive_u8(archive, &node->p, 1);
    jm_archive_bool(archive, &node->masked);
    jm_archive_u8(archive, &node->send_wait, (1 << NODE_CONTEXTS) - 1);
    jm_archive_u8(archive, &node->send_open, 3);
    jm_archive_u8(archive, &node->redirected, JM_BY_ESCAPE);
    jm_archive_bool(archive, &node->gate_changed);
    jm_archive_bool(archive, &node->asleep);
    archive_last_class(archive, node, now);
    jm_archive_bool(archive, &node->replace);
    jm_archive_bool(archive, &node->runs);
}

void node_archive_row(Archive *archive, NodeRow *row) {
    for (unsigned i = 0; i < NODE_ROW_WORDS; i++)
        jm_archive_word(archive, &row->word[i]);
    jm_archive_u8(archive, &row->words, NODE_ROW_WORDS);
    jm_archive_bool(archive, &row->tail);
    archive_demand(archive, row->words > 0);
}

static void archive_brake(Archive *archive, Node *node) {
    jm_archive_u8(archive, &node->brake, NODE_BRAKE_RELEASED);
    jm_archive_u8(archive, &node->shut,
                  NODE_SHUT_BY_BRAKE | NODE_SHUT_BY_SPILL | NODE_SHUT_BY_RTS);
    archive_demand(archive,
                   (node->shut & NODE_SHUT_BY_BRAKE) == (node->brake == NODE_BRAKE_ON));
    archive_demand(archive, !(node->shut & ~node->bounded));
    jm_archive_bool(archive, &node->braked);
    archive_demand(archive, !node->braked || node->interface->brake_mark != 0);
    if (node->brake == NODE_BRAKE_OFF)
        return;
    jm_archive_u64(archive, &node->brake_since, INT64_MAX);
    jm_archive_u64(archive, &node->brake_waits, INT64_MAX);
}

/* The number of a row is that of an address of 20 bits, or NODE_NO_ROW. */
static void archive_fetch_row(Archive *archive, Node *node) {
    uint32_t row = (uint32_t)node->fetch_row;
    jm_archive_index(archive, &row, (JM_ADDRESS_MASK + 1) / NODE_ROW_WORDS);
    node->fetch_row = (int32_t)row;
}

void node_archive(Archive *archive, Node *node, uint64_t now) {
    archive_flags(archive, node, now);
    archive_fetch_row(archive, node);
    archive_brake(archive, node);
    jm_archive_u64(archive, &node->ready, UINT64_MAX);
    jm_archive_u32(archive, &node->mar, JM_ADDRESS_MASK);
    jm_archive_u32(archive, &node->tbm, UINT32_MAX);
    jm_archive_u8(archive, &node->tbm_tag, TAG_MAX);
    jm_archive_u32(archive, &node->posted, UINT32_MAX);
    jm_archive_u32(archive, &node->sleep_period, UINT32_MAX);
    jm_archive_u64(archive, &node->busy_until, UINT64_MAX);
    uint32_t nnr = node->nnr;
    jm_archive_u32(archive, &nnr, UINT16_MAX);
    node->nnr = (uint16_t)nnr;
    for (unsigned i = 0; i < NODE_CONTEXTS; i++)
        archive_context(archive, &node->context[i]);
    for (unsigned p = 0; p < 2; p++)
        archive_priority(archive, &node->priority[p], &node->words[p]);
    archive_statistics(archive, &node->statistics);
    archive_stop(archive, &node->stop);
    for (unsigned i = 0; i < NODE_CONTEXTS; i++)
        archive_fault(archive, &node->fault[i]);
    if (archive->saving)
        return;
    archive_demand(archive, node->runs == (node->stop.why == NODE_RUNS));
    archive_demand(archive, node->sleep_period > 0);
    archive_demand(archive, !node->redirected || node->send_open >> 1 & 1);
    archive_demand(archive,
                   node->brake == NODE_BRAKE_OFF || node->interface->brake_mark != 0);
    archive_demand(archive, !(node->posted & ~EXTERNAL_FAULTS));
    node->ahead = false;
    node_forget_row(node);
    node_update(node);
}
