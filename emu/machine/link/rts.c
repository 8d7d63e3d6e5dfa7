/* Return to sender: see rts.h. A node's unit:
 *
 *     network, priority 0 --> room? -- yes --> queue 0; an acknowledgement
 *                               | no                                |
 *                               v                                   v
 *                           turning: one whole message --> priority 1: returns first
 *     network, priority 1 --> acknowledgement: room in the return memory
 *                         --> return: waits for `rts_backoff` cycles --> priority 0
 *
 * While a whole message waits to be returned, the input of priority 0 is shut. A unit
 * offers up to two words a cycle at each priority, before the node's own SENDs. */
#include "emu/machine/link/rts.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* BETWEEN_LOOKS: returns between two checks for a SUSPEND. */
enum { RTS_WORDS_A_CYCLE = 2, RTS_OPENING_PLACES = 2, RTS_BETWEEN_LOOKS = 256 };

static bool wanted(const JmInterface *interface) {
    return interface->rts != 0;
}

/* ---- pieces ---------------------------------------------------------------------- */

static Parcel take_parcel(Parcels *parcels) {
    const Parcel first = parcels->parcel[0];
    parcels->count--;
    memmove(parcels->parcel, parcels->parcel + 1,
            parcels->count * sizeof *parcels->parcel);
    return first;
}

/* Returns the words that a message takes, in whole rows; one word if it has no
 * header. */
static uint32_t words_of(JmWord header) {
    const uint32_t words =
        jm_tag(header) == JM_TAG_MSG ? jm_field10(jm_data(header)) : 1;
    return node_in_rows(words);
}

/* ---- SENDs of the node ----------------------------------------------------------- */

/* A message longer than the whole return memory may go when nothing is reserved. */
static bool can_reserve(const JmMachine *machine, const Unit *unit, JmWord header) {
    return !unit->reserved ||
           unit->reserved + words_of(header) <= machine->config.interface.rts_window;
}

/* A header takes the routing word that was held with it. */
static unsigned room_to_send(const JmMachine *machine, const Node *node,
                             unsigned priority, const JmWord *words, unsigned count,
                             bool opens) {
    const Unit *unit = rts_unit(machine, node->rank);
    const bool begins = priority == 0 && (opens ? count == 2 : unit->holds);
    if (opens && priority == 0 && count == 1)
        return count;
    if ((opens || begins) && unit->sends[priority])
        return UINT_MAX;
    if (begins && !can_reserve(machine, unit, words[opens]))
        return UINT_MAX;
    return count + (begins && !opens);
}

/* Reserves room for a message to come back. */
static uint32_t reserve(Unit *unit, JmWord header) {
    const uint32_t words = words_of(header);
    unit->reserved += words;
    if (unit->reserved > unit->peak)
        unit->peak = unit->reserved;
    return words;
}

/* A message that may come back opens with its header, which reserves room for it; until
 * then its routing word is held here, and nothing is offered. */
static void offers(JmMachine *machine, const Node *node, unsigned priority,
                   Offer *offer) {
    Unit *unit = rts_unit(machine, node->rank);
    if (priority != 0)
        return;
    if (!offer->count) {
        unit->holds = true;
        unit->held = offer->routing;
        offer->opens = false;
        return;
    }
    if (!offer->opens && unit->holds)
        offer->routing = unit->held;
    offer->opens |= unit->holds;
    unit->holds = false;
    if (offer->opens)
        offer->reserved = reserve(unit, offer->words[0]);
}

static bool task_is_open(const JmMachine *machine, unsigned node, unsigned priority) {
    const Unit *unit = rts_unit(machine, node);
    return (priority == 0 && unit->holds) ||
           (net_is_open(machine->netif->net, node, priority) && !unit->sends[priority]);
}

/* ---- arrivals -------------------------------------------------------------------- */

static JmWord next_word(JmMachine *machine, uint32_t number) {
    Message *message = &machine->netif->message[number];
    return *message_word(message, message->delivered++);
}

/* Whether queue 0 takes a message. An empty queue always does: a message too long for
 * it is then handled as without return to sender. */
static bool accepts(const Node *node, uint32_t words) {
    const uint32_t length = node_queue_length(node, 0);
    return !length || length + words + NODE_ROW_WORDS <= node_queue_size(node, 0);
}

static void acknowledge(JmMachine *machine, Unit *unit, const Message *message) {
    const Parcel ack = {.kind = MESSAGE_ACK,
                        .to = message->source,
                        .reserved = message->reserved,
                        .words = machine->config.interface.rts_ack_words};
    rts_add_parcel(&unit->acks, machine->heap, &ack);
}

/* Takes a word of priority 0 if its message must be returned; false: it is for the
 * queue. */
static bool turn(JmMachine *machine, Node *node, const NetDelivery *delivery) {
    Unit *unit = rts_unit(machine, node->rank);
    const Message *message = &machine->netif->message[delivery->message];
    const Arriving *arriving = &machine->netif->arriving[node->rank * 2];
    const bool first = !message->delivered && !arriving->kept;
    if (first && !accepts(node, message->reserved)) {
        unit->turns = true;
        unit->turning = (Parcel){.kind = MESSAGE_RETURN,
                                 .to = message->source,
                                 .reserved = message->reserved};
    }
    if (!unit->turns) {
        if (delivery->tail)
            acknowledge(machine, unit, message);
        return false;
    }
    rts_add_word(&unit->turning, machine->heap, next_word(machine, delivery->message));
    if (delivery->tail) {
        node->shut |= NODE_SHUT_BY_RTS;
        interface_observe(machine, node, JM_EVENT_RETURN, delivery->message, 0);
    }
    return true;
}

/* Takes a word of a message that has come back; once whole, the message will be sent
 * again to its old destination. */
static void come_back(JmMachine *machine, Unit *unit, const NetDelivery *delivery) {
    const Message *message = &machine->netif->message[delivery->message];
    const uint64_t backoff = machine->config.interface.rts_backoff;
    rts_add_word(&unit->coming, machine->heap, next_word(machine, delivery->message));
    if (!delivery->tail)
        return;
    unit->coming.kind = MESSAGE_DATA;
    unit->coming.to = message->source;
    unit->coming.reserved = message->reserved;
    unit->coming.due = machine->now + 1 + backoff;
    rts_add_parcel(&unit->again, machine->heap, &unit->coming);
    unit->coming = (Parcel){.words = 0};
    unit->returns_in++;
}

static bool takes_word(JmMachine *machine, Node *node, const NetDelivery *delivery) {
    Unit *unit = rts_unit(machine, node->rank);
    const Message *message = &machine->netif->message[delivery->message];
    if (delivery->priority == 0)
        return turn(machine, node, delivery);
    if (message->kind == MESSAGE_DATA)
        return false;
    if (message->kind == MESSAGE_RETURN) {
        come_back(machine, unit, delivery);
        return true;
    }
    next_word(machine, delivery->message);
    if (delivery->tail) {
        assert(unit->reserved >= message->reserved);
        unit->reserved -= message->reserved;
        unit->acks_in++;
    }
    return true;
}

/* ---- what a unit sends ----------------------------------------------------------- */

/* Chooses the parcel to send next; false: none is due. */
static bool choose(Unit *unit, unsigned priority, bool shut, uint64_t now,
                   Parcel *parcel) {
    if (priority == 1 && unit->turns && shut) {
        *parcel = unit->turning;
        unit->turning = (Parcel){.words = 0};
        return true;
    }
    Parcels *from = priority ? &unit->acks : &unit->again;
    if (!from->count || from->parcel[0].due > now)
        return false;
    *parcel = take_parcel(from);
    return true;
}

static void begin(JmMachine *machine, Node *node, unsigned priority) {
    Unit *unit = rts_unit(machine, node->rank);
    Netif *netif = machine->netif;
    Parcel *parcel = &unit->sending[priority];
    if (net_is_open(netif->net, node->rank, priority) ||
        net_room(netif->net, node->rank, priority) < RTS_OPENING_PLACES ||
        !choose(unit, priority, node->shut & NODE_SHUT_BY_RTS, machine->now, parcel))
        return;
    unit->message[priority] =
        netif_open(machine, node->rank, priority, parcel->to, net_now(netif->net),
                   (MessageKind)parcel->kind, parcel->reserved);
    unit->sends[priority] = true;
    unit->offered[priority] = 0;
}

static void ended(JmMachine *machine, Node *node, unsigned priority) {
    Unit *unit = rts_unit(machine, node->rank);
    Parcel *parcel = &unit->sending[priority];
    unit->sends[priority] = false;
    unit->offered[priority] = 0;
    unit->acks_sent += parcel->kind == MESSAGE_ACK;
    unit->returns_sent += parcel->kind == MESSAGE_RETURN;
    unit->resent += parcel->kind == MESSAGE_DATA;
    if (parcel->kind == MESSAGE_RETURN) {
        rts_of(machine)->returned++;
        rts_of(machine)->fresh = true;
        unit->turns = false;
        node->shut &= (uint8_t)~NODE_SHUT_BY_RTS;
        node->gate_changed = true;
    }
    heap_free(parcel->word);
    *parcel = (Parcel){.words = 0};
}

static void offer_words(JmMachine *machine, Node *node, unsigned priority) {
    Unit *unit = rts_unit(machine, node->rank);
    const Parcel *parcel = &unit->sending[priority];
    Message *message = &machine->netif->message[unit->message[priority]];
    const unsigned room = net_room(machine->netif->net, node->rank, priority);
    unsigned count = 0;
    while (count < RTS_WORDS_A_CYCLE && count < room &&
           unit->offered[priority] < parcel->words) {
        const uint32_t next = unit->offered[priority]++;
        message_append(message, machine->heap,
                       parcel->word ? parcel->word[next] : JM_NIL);
        count++;
    }
    if (!count)
        return;
    const bool end = unit->offered[priority] == parcel->words;
    net_offer(machine->netif->net, node->rank, priority, count, end);
    if (end)
        ended(machine, node, priority);
}

static void act(JmMachine *machine, Node *node) {
    const Unit *unit = rts_unit(machine, node->rank);
    netif_skip_to(machine, machine->now);
    for (unsigned priority = 0; priority < 2; priority++) {
        if (!unit->sends[priority])
            begin(machine, node, priority);
        if (unit->sends[priority])
            offer_words(machine, node, priority);
    }
}

/* While a task has a message open, a unit waits without an alarm; the end of the
 * message sets one. */
static uint64_t alarm_of(const JmMachine *machine, const Node *node) {
    const Unit *unit = rts_unit(machine, node->rank);
    const Net *net = machine->netif->net;
    const uint64_t next = machine->now + 1;
    const bool waits = unit->acks.count || node->shut & NODE_SHUT_BY_RTS;
    if (unit->sends[0] || unit->sends[1] || (waits && !net_is_open(net, node->rank, 1)))
        return next;
    if (!unit->again.count || net_is_open(net, node->rank, 0))
        return NO_ALARM;
    return unit->again.parcel[0].due > next ? unit->again.parcel[0].due : next;
}

/* ---- messages that bounce without end -------------------------------------------- */

static uint64_t count_suspends(JmMachine *machine) {
    uint64_t cycles = 0;
    for (unsigned i = 0; i < machine->nodes; i++) {
        Node *node = &machine->node[i];
        machine_rewind(machine, &machine->env, node, machine->now);
        cycles += node->statistics.cycles[JM_CLASS_SUSPEND];
    }
    return cycles;
}

/* Returns the cycles for which messages may bounce without a SUSPEND: long enough for
 * each to have had a chance to get in, however long it is held back. */
static uint64_t longest_bouncing(const JmMachine *machine) {
    return machine->config.deadlock_cycles +
           UINT64_C(2) * machine->config.interface.rts_backoff;
}

static void restart_bouncing(Rts *rts, uint64_t now) {
    rts->since = rts->returned;
    rts->since_at = now;
}

/* No node has executed a SUSPEND for rts_patience returned messages, or for
 * longest_bouncing() cycles in which messages were returned. */
static bool livelock(const JmMachine *machine, char *how, size_t size) {
    const Rts *rts = rts_of(machine);
    const JmInterface *interface = &machine->config.interface;
    const uint64_t bounced = rts->returned - rts->since;
    if (rts->looked != rts->returned ||
        (bounced < interface->rts_patience &&
         rts->looked_at - rts->since_at < longest_bouncing(machine)))
        return false;
    snprintf(how, size,
             "%" PRIu64 " messages came back to their senders since any node last "
             "executed a SUSPEND, and rts_backoff keeps each back for %u cycles",
             bounced, interface->rts_backoff);
    return true;
}

/* Checks only in cycles in which a message was returned, so that the result does not
 * depend on other alarms. */
static void look(JmMachine *machine) {
    Rts *rts = rts_of(machine);
    const uint64_t patience = machine->config.interface.rts_patience;
    const uint64_t returns =
        patience < RTS_BETWEEN_LOOKS ? patience : RTS_BETWEEN_LOOKS;
    const uint64_t now = machine->now;
    if (!rts->fresh)
        return;
    rts->fresh = false;
    if (now - rts->last > longest_bouncing(machine))
        restart_bouncing(rts, now);
    rts->last = now;
    if (rts->returned - rts->looked < returns &&
        now - rts->looked_at < machine->config.deadlock_cycles)
        return;
    rts->looked = rts->returned;
    rts->looked_at = now;
    const uint64_t suspends = count_suspends(machine);
    if (suspends != rts->suspends)
        restart_bouncing(rts, now);
    rts->suspends = suspends;
    machine->break_seen |= livelock(machine, NULL, 0);
}

static uint32_t words_reserved(const JmMachine *machine, const Node *node) {
    return rts_unit(machine, node->rank)->reserved;
}

static void statistics(const JmMachine *machine, unsigned node, JmNodeStatistics *out) {
    const Unit *unit = rts_unit(machine, node);
    out->acks_out = unit->acks_sent;
    out->acks_in = unit->acks_in;
    out->returns_out = unit->returns_sent;
    out->returns_in = unit->returns_in;
    out->resent = unit->resent;
    out->rts_reserved = unit->reserved;
    out->rts_peak = unit->peak;
}

const InterfaceUnit interface_returns = {
    .wanted = wanted,
    .create = rts_create,
    .shut_by = NODE_SHUT_BY_RTS,
    .shut = "shut while a message waits to be returned",
    .place = {{"in its unit of return to sender wait to be sent", rts_words_kept},
              {"of its return memory are reserved", words_reserved}},
    .room_to_send = room_to_send,
    .offers = offers,
    .task_is_open = task_is_open,
    .takes_word = takes_word,
    .alarm = alarm_of,
    .act = act,
    .look = look,
    .livelock = livelock,
    .archive_numbered = rts_archive,
    .statistics = statistics};
