/* The oracle's network: the way of a message from a node to itself.
 *
 *     output buffer --> [R of X] --> [R of Y] --> [R of Z] --> row of 4 --> queue
 *
 * One flit moves a step a cycle, on the state at the start of the cycle. Three header
 * flits lead; each is dropped on entering the R of its dimension. Sources:
 * thesis 2.1.2, figure A-1, footnote 7 of chapter 4.
 */
#include "tests/isa/oracle_parts.h"

enum { RING = 64, HEADER_FLITS = 3 };

unsigned oracle_room(const OracleLane *lane) {
    return ORACLE_BUFFER_WORDS - lane->places;
}

void oracle_offer(OracleLane *lane, JmWord word, bool routing, bool end) {
    const unsigned at = (lane->first + lane->count) % RING;
    lane->words[at] = word;
    lane->is_routing[at] = routing;
    lane->is_end[at] = end;
    lane->count++;
    lane->places++;
}

/* Whether a row more would fit: QHL.length has 10 bits, so a queue of 1,024 words never
 * takes its last row. */
bool oracle_gate(const Oracle *node, unsigned priority) {
    const OracleContext *context = &node->context[priority];
    const uint32_t size = (context->qbm & 0x3FF) + 1;
    const uint32_t length = context->qhl & 0x3FF;
    return !(context->qbm & JM_ADDR_INVALID) && length + 4 <= size &&
           length + 4 <= 0x3FF;
}

/* A message leaves once its tail or four of its words are in the buffer. */
static bool may_leave(const OracleLane *lane) {
    for (unsigned k = 0; k < lane->ready && k < RING; k++)
        if (k == 3 || lane->is_end[(lane->first + k) % RING])
            return true;
    return false;
}

/* The next flit of the output buffer, if it may leave now. */
static bool next_flit(OracleLane *lane, OracleFlit *flit) {
    const unsigned at = lane->first % RING;
    if (lane->ready == 0 || (!lane->leaving && !may_leave(lane)))
        return false;
    flit->word = lane->words[at];
    flit->header = lane->is_routing[at] ? (int8_t)lane->flits_gone : -1;
    flit->second = lane->flits_gone == 1;
    flit->tail = flit->second && lane->is_end[at] && !lane->is_routing[at];
    return true;
}

/* A routing word frees its place with its last header flit, others with their second.
 */
static void flit_gone(OracleLane *lane, const OracleFlit *flit) {
    const unsigned last = flit->header >= 0 ? HEADER_FLITS - 1 : 1;
    lane->leaving = true;
    if (lane->flits_gone++ < last)
        return;
    lane->leaving = !flit->tail;
    lane->flits_gone = 0;
    lane->first = (lane->first + 1) % RING;
    lane->count--;
    lane->ready--;
    lane->places--;
}

static void enter_channel(OracleLane *lane, unsigned channel, const OracleFlit *flit) {
    if (flit->header != (int8_t)channel)
        lane->channel[channel][lane->flits[channel]++] = *flit;
}

static OracleFlit leave_channel(OracleLane *lane, unsigned channel) {
    const OracleFlit flit = lane->channel[channel][0];
    lane->channel[channel][0] = lane->channel[channel][1];
    lane->flits[channel]--;
    return flit;
}

/* A row goes behind what is in the queue, padded with NIL. */
static void write_row(OracleContext *context, Oracle *node, OracleLane *lane) {
    const uint32_t mask = context->qbm & 0x3FF, length = context->qhl & 0x3FF;
    const uint32_t at =
        jm_field20(context->qbm) | ((jm_field20(context->qhl) + length) & mask);
    for (unsigned k = 0; k < 4; k++) {
        const JmWord word = k < lane->gathered ? lane->row[k] : JM_NIL;
        oracle_store(node, (at + k) & JM_ADDRESS_MASK, word);
    }
    context->qhl = (context->qhl & ~UINT32_C(0x3FF)) | ((length + 4) & 0x3FF);
    lane->gathered = 0;
}

/* From the far end on, so that every flit sees the room there was when the cycle began.
 */
static void lane_cycle(Oracle *node, unsigned priority, bool gate) {
    OracleLane *lane = &node->lane[priority];
    unsigned room[ORACLE_CHANNELS];
    bool waiting[ORACLE_CHANNELS];
    OracleFlit flit;
    for (unsigned k = 0; k < ORACLE_CHANNELS; k++) {
        room[k] = ORACLE_CHANNEL_FLITS - lane->flits[k];
        waiting[k] = lane->flits[k] > 0;
    }
    if (waiting[2] && gate) {
        flit = leave_channel(lane, 2);
        if (flit.second)
            lane->row[lane->gathered++] = flit.word;
        if (lane->gathered == 4 || flit.tail)
            write_row(&node->context[priority], node, lane);
    }
    for (unsigned k = ORACLE_CHANNELS - 1; k > 0; k--) {
        if (waiting[k - 1] && room[k] > 0) {
            flit = leave_channel(lane, k - 1);
            enter_channel(lane, k, &flit);
        }
    }
    if (room[0] > 0 && next_flit(lane, &flit)) {
        enter_channel(lane, 0, &flit);
        flit_gone(lane, &flit);
    }
    lane->ready = lane->count;
}

void oracle_net_cycle(Oracle *node, const bool gate[2]) {
    lane_cycle(node, 0, gate[0]);
    lane_cycle(node, 1, gate[1]);
}
