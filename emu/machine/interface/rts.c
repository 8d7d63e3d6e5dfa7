/* Return to sender: see rts.h. A node's unit:
 *
 *     network, priority 0 --> room? -- yes --> queue 0; an acknowledgement
 *                               | no                                |
 *                               v                                   v
 *                           turning: one whole message --> priority 1: returns first
 *     network, priority 1 --> acknowledgement: room in the return memory
 *                         --> return: waits for `rts_backoff` cycles --> priority 0
 *
 * While a whole message waits to be turned, the input of priority 0 is shut. A unit
 * offers up to two words a cycle at each priority, before the node's own SENDs. */
#include "emu/machine/interface/rts.h"

#include <stdlib.h>
#include <string.h>

#include "emu/machine/interface/interface.h"
#include "emu/node/archive.h"

typedef enum { RTS_DATA, RTS_ACK, RTS_RETURN } RtsKind;

/* BETWEEN_LOOKS: returns between two looks for a SUSPEND. */
enum { RTS_WORDS_A_CYCLE = 2, RTS_OPENING_PLACES = 2, RTS_BETWEEN_LOOKS = 256 };

/* What the network's message of a number is. */
typedef struct {
    uint8_t kind;      /* RtsKind */
    uint32_t reserved; /* words of the sender's return memory */
} RtsNote;

/* A message in the hands of a unit. */
typedef struct {
    uint8_t kind;      /* RtsKind, as it will be sent */
    uint32_t to;       /* rank of the node that it goes to */
    uint32_t reserved; /* as in RtsNote */
    uint64_t due;      /* not to be sent before this cycle */
    JmWord *word;      /* malloc'ed; NULL: `words` NILs */
    uint32_t words;
    size_t capacity;
} Parcel;

typedef struct {
    Parcel *parcel; /* oldest first */
    size_t count, capacity;
} Parcels;

typedef struct {
    uint32_t reserved; /* words of the return memory in use */
    uint32_t peak;     /* most of them */
    bool holds;        /* a routing word waits for its header */
    uint32_t held;     /* the rank that it names */
    bool turns;        /* `turning` is arriving, or waits for priority 1 */
    Parcel turning;
    Parcel coming; /* the return that is arriving */
    Parcels acks;
    Parcels again;       /* messages that have come back */
    bool sends[2];       /* by priority: the unit has a message open: */
    Parcel sending[2];   /* this one; */
    uint32_t offered[2]; /* words of it that were offered */
    uint32_t message[2]; /* and its number in the network */
    uint64_t acks_sent, acks_in, returns_sent, returns_in, resent;
} Unit;

struct Rts {
    RtsNote *note; /* by the network's numbers */
    size_t notes, capacity;
    uint64_t returned; /* messages, by all units */
    uint64_t looked;   /* ... when somebody looked last */
    uint64_t since;    /* ... when a look last found a SUSPEND */
    uint64_t suspends; /* cycles of SUSPENDs that it found, of all nodes */
    Unit unit[];
};

/* ---- life ------------------------------------------------------------------------ */

Rts *rts_create(unsigned nodes) {
    return calloc(1, sizeof(Rts) + nodes * sizeof(Unit));
}

static void free_parcels(Parcels *parcels) {
    for (size_t i = 0; i < parcels->count; i++)
        free(parcels->parcel[i].word);
    free(parcels->parcel);
    *parcels = (Parcels){.parcel = NULL};
}

static void free_unit(Unit *unit) {
    free(unit->turning.word);
    free(unit->coming.word);
    for (unsigned p = 0; p < 2; p++)
        free(unit->sending[p].word);
    free_parcels(&unit->acks);
    free_parcels(&unit->again);
    *unit = (Unit){.reserved = 0};
}

void rts_destroy(Rts *rts, unsigned nodes) {
    if (!rts)
        return;
    for (unsigned i = 0; i < nodes; i++)
        free_unit(&rts->unit[i]);
    free(rts->note);
    free(rts);
}

/* ---- pieces ---------------------------------------------------------------------- */

static Unit *unit_of(const JmMachine *machine, unsigned node) {
    return &machine->rts->unit[node];
}

static bool add_word(Parcel *parcel, JmWord word) {
    if (!machine_grow(&parcel->word, parcel->words, &parcel->capacity, sizeof word))
        return false;
    parcel->word[parcel->words++] = word;
    return true;
}

static bool add_parcel(Parcels *parcels, const Parcel *parcel) {
    if (!machine_grow(&parcels->parcel, parcels->count, &parcels->capacity,
                      sizeof *parcel))
        return false;
    parcels->parcel[parcels->count++] = *parcel;
    return true;
}

static Parcel take_parcel(Parcels *parcels) {
    const Parcel first = parcels->parcel[0];
    parcels->count--;
    memmove(parcels->parcel, parcels->parcel + 1,
            parcels->count * sizeof *parcels->parcel);
    return first;
}

static bool make_notes(Rts *rts, uint32_t numbers) {
    while (rts->notes < numbers) {
        if (!machine_grow(&rts->note, rts->notes, &rts->capacity, sizeof *rts->note))
            return false;
        rts->note[rts->notes++] = (RtsNote){.kind = RTS_DATA};
    }
    return true;
}

static void note(JmMachine *machine, uint32_t message, RtsKind kind,
                 uint32_t reserved) {
    if (make_notes(machine->rts, message + 1))
        machine->rts->note[message] = (RtsNote){(uint8_t)kind, reserved};
    else
        machine_starve(machine);
}

/* Words that a message takes, in whole rows; one for what has no header. */
static uint32_t words_of(JmWord header) {
    const uint32_t words =
        jm_tag(header) == JM_TAG_MSG ? jm_field10(jm_data(header)) : 1;
    return (words + NODE_ROW_WORDS - 1) & ~(NODE_ROW_WORDS - 1u);
}

/* ---- SENDs of the node ----------------------------------------------------------- */

/* A message longer than the whole return memory goes when nothing else is out. */
static bool can_reserve(const JmMachine *machine, const Unit *unit, JmWord header) {
    return !unit->reserved ||
           unit->reserved + words_of(header) <= machine->config.interface.rts_window;
}

bool rts_has_room(const JmMachine *machine, const Node *node, unsigned priority,
                  const JmWord *words, unsigned count, bool opens) {
    const Unit *unit = unit_of(machine, node->rank);
    const unsigned room = net_room(machine->netif->net, node->rank, priority);
    const bool begins = priority == 0 && (opens ? count == 2 : unit->holds);
    if (opens && priority == 0 && count == 1)
        return true;
    if ((opens || begins) && unit->sends[priority])
        return false;
    if (begins && !can_reserve(machine, unit, words[opens]))
        return false;
    return room >= count + (begins && !opens);
}

void rts_hold(JmMachine *machine, const Node *node, uint32_t destination) {
    Unit *unit = unit_of(machine, node->rank);
    unit->holds = true;
    unit->held = destination;
}

uint32_t rts_release(JmMachine *machine, const Node *node) {
    Unit *unit = unit_of(machine, node->rank);
    if (!unit->holds)
        return NET_NONE;
    unit->holds = false;
    return unit->held;
}

void rts_reserve(JmMachine *machine, const Node *node, uint32_t message,
                 JmWord header) {
    Unit *unit = unit_of(machine, node->rank);
    const uint32_t words = words_of(header);
    note(machine, message, RTS_DATA, words);
    unit->reserved += words;
    if (unit->reserved > unit->peak)
        unit->peak = unit->reserved;
}

bool rts_task_is_open(const JmMachine *machine, unsigned node, unsigned priority) {
    const Unit *unit = unit_of(machine, node);
    return (priority == 0 && unit->holds) ||
           (net_is_open(machine->netif->net, node, priority) && !unit->sends[priority]);
}

/* ---- arrivals -------------------------------------------------------------------- */

static JmWord next_word(JmMachine *machine, uint32_t number) {
    Message *message = &machine->netif->message[number];
    return *message_word(message, message->delivered++);
}

/* Whether queue 0 takes a message. A queue that is empty always does: what is too long
 * for it is then as in the machine without returns. */
static bool accepts(const Node *node, uint32_t words) {
    const uint32_t length = node_queue_length(node, 0);
    return !length || length + words + NODE_ROW_WORDS <= node_queue_size(node, 0);
}

static void acknowledge(JmMachine *machine, Unit *unit, const Message *message,
                        const RtsNote *about) {
    const Parcel ack = {.kind = RTS_ACK,
                        .to = message->source,
                        .reserved = about->reserved,
                        .words = machine->config.interface.rts_ack_words};
    if (!add_parcel(&unit->acks, &ack))
        machine_starve(machine);
}

/* A word of priority 0: for the queue, or to be turned. */
static bool turn(JmMachine *machine, Node *node, const NetDelivery *delivery) {
    Unit *unit = unit_of(machine, node->rank);
    const Message *message = &machine->netif->message[delivery->message];
    const RtsNote *about = &machine->rts->note[delivery->message];
    const Arriving *arriving = &machine->netif->arriving[node->rank * 2];
    const bool first = !message->delivered && !arriving->kept;
    if (first && !accepts(node, about->reserved)) {
        unit->turns = true;
        unit->turning = (Parcel){
            .kind = RTS_RETURN, .to = message->source, .reserved = about->reserved};
    }
    if (!unit->turns) {
        if (delivery->tail)
            acknowledge(machine, unit, message, about);
        return false;
    }
    if (!add_word(&unit->turning, next_word(machine, delivery->message)))
        machine_starve(machine);
    if (delivery->tail) {
        node->shut |= NODE_SHUT_BY_RTS;
        interface_observe(machine, node, JM_EVENT_RETURN, delivery->message, 0);
    }
    return true;
}

/* A word of a return: the message that has come back will go where it went before. */
static void come_back(JmMachine *machine, Unit *unit, const NetDelivery *delivery) {
    const Message *message = &machine->netif->message[delivery->message];
    const uint32_t reserved = machine->rts->note[delivery->message].reserved;
    const uint64_t backoff = machine->config.interface.rts_backoff;
    if (!add_word(&unit->coming, next_word(machine, delivery->message)))
        machine_starve(machine);
    if (!delivery->tail)
        return;
    unit->coming.kind = RTS_DATA;
    unit->coming.to = message->source;
    unit->coming.reserved = reserved;
    unit->coming.due = machine->now + 1 + backoff;
    if (!add_parcel(&unit->again, &unit->coming)) {
        free(unit->coming.word);
        machine_starve(machine);
    }
    unit->coming = (Parcel){.words = 0};
    unit->returns_in++;
}

bool rts_takes(JmMachine *machine, Node *node, const NetDelivery *delivery) {
    Unit *unit = unit_of(machine, node->rank);
    const bool known = delivery->message < machine->rts->notes;
    const RtsNote about =
        known ? machine->rts->note[delivery->message] : (RtsNote){.kind = RTS_DATA};
    if (delivery->priority == 0)
        return turn(machine, node, delivery);
    if (about.kind == RTS_DATA)
        return false;
    if (about.kind == RTS_RETURN) {
        come_back(machine, unit, delivery);
        return true;
    }
    next_word(machine, delivery->message);
    if (delivery->tail) {
        unit->reserved -= about.reserved;
        unit->acks_in++;
    }
    return true;
}

/* ---- what a unit sends ----------------------------------------------------------- */

/* Chooses what to send next; false: nothing that is due. */
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
    Unit *unit = unit_of(machine, node->rank);
    Netif *netif = machine->netif;
    Parcel *parcel = &unit->sending[priority];
    if (net_is_open(netif->net, node->rank, priority) ||
        net_room(netif->net, node->rank, priority) < RTS_OPENING_PLACES ||
        !choose(unit, priority, node->shut & NODE_SHUT_BY_RTS, machine->now, parcel))
        return;
    const uint32_t number = net_open(netif->net, node->rank, priority, parcel->to);
    if (number == NET_NONE || !netif_make_room(netif, number)) {
        machine_starve(machine);
        return;
    }
    Message *message = &netif->message[number];
    message->sent = message->delivered = message->promised = message->handler = 0;
    message->source = node->rank;
    note(machine, number, parcel->kind, parcel->reserved);
    unit->sends[priority] = true;
    unit->offered[priority] = 0;
    unit->message[priority] = number;
}

static void ended(JmMachine *machine, Node *node, unsigned priority) {
    Unit *unit = unit_of(machine, node->rank);
    Parcel *parcel = &unit->sending[priority];
    unit->sends[priority] = false;
    unit->offered[priority] = 0;
    unit->acks_sent += parcel->kind == RTS_ACK;
    unit->returns_sent += parcel->kind == RTS_RETURN;
    unit->resent += parcel->kind == RTS_DATA;
    machine->rts->returned += parcel->kind == RTS_RETURN;
    if (parcel->kind == RTS_RETURN) {
        unit->turns = false;
        node->shut &= (uint8_t)~NODE_SHUT_BY_RTS;
        node->gate_changed = true;
    }
    free(parcel->word);
    *parcel = (Parcel){.words = 0};
}

static void offer_words(JmMachine *machine, Node *node, unsigned priority) {
    Unit *unit = unit_of(machine, node->rank);
    const Parcel *parcel = &unit->sending[priority];
    Message *message = &machine->netif->message[unit->message[priority]];
    const unsigned room = net_room(machine->netif->net, node->rank, priority);
    unsigned count = 0;
    while (count < RTS_WORDS_A_CYCLE && count < room &&
           unit->offered[priority] < parcel->words) {
        const uint32_t next = unit->offered[priority]++;
        if (!message_append(message, parcel->word ? parcel->word[next] : JM_NIL))
            machine_starve(machine);
        count++;
    }
    if (!count)
        return;
    const bool end = unit->offered[priority] == parcel->words;
    net_offer(machine->netif->net, node->rank, priority, count, end);
    if (end)
        ended(machine, node, priority);
}

void rts_answer(JmMachine *machine, Node *node) {
    const Unit *unit = unit_of(machine, node->rank);
    netif_skip_to(machine, machine->now);
    for (unsigned priority = 0; priority < 2; priority++) {
        if (!unit->sends[priority])
            begin(machine, node, priority);
        if (unit->sends[priority])
            offer_words(machine, node, priority);
    }
}

uint64_t rts_alarm(const JmMachine *machine, const Node *node) {
    const Unit *unit = unit_of(machine, node->rank);
    const uint64_t next = machine->now + 1;
    if (unit->sends[0] || unit->sends[1] || unit->acks.count ||
        node->shut & NODE_SHUT_BY_RTS)
        return next;
    if (!unit->again.count)
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

void rts_look(JmMachine *machine) {
    Rts *rts = machine->rts;
    const uint64_t patience = machine->config.interface.rts_patience;
    const bool soon = patience < RTS_BETWEEN_LOOKS;
    if (rts->returned - rts->looked < (soon ? patience : RTS_BETWEEN_LOOKS))
        return;
    rts->looked = rts->returned;
    const uint64_t suspends = count_suspends(machine);
    if (suspends != rts->suspends)
        rts->since = rts->returned;
    rts->suspends = suspends;
    machine->break_seen |= rts_is_livelocked(machine);
}

uint64_t rts_bounced(const JmMachine *machine) {
    return machine->rts ? machine->rts->returned - machine->rts->since : 0;
}

bool rts_is_livelocked(const JmMachine *machine) {
    return machine->rts &&
           rts_bounced(machine) >= machine->config.interface.rts_patience &&
           machine->rts->looked == machine->rts->returned;
}

void rts_statistics(const JmMachine *machine, unsigned node, JmNodeStatistics *out) {
    const Unit *unit = unit_of(machine, node);
    out->acks_out = unit->acks_sent;
    out->acks_in = unit->acks_in;
    out->returns_out = unit->returns_sent;
    out->returns_in = unit->returns_in;
    out->resent = unit->resent;
    out->rts_reserved = unit->reserved;
    out->rts_peak = unit->peak;
}

/* ---- saving ---------------------------------------------------------------------- */

static void archive_parcel(Archive *archive, Parcel *parcel, unsigned nodes) {
    uint32_t words = parcel->words;
    bool has_words = parcel->word != NULL;
    jm_archive_u8(archive, &parcel->kind, RTS_RETURN);
    jm_archive_u32(archive, &parcel->to, nodes - 1);
    jm_archive_u32(archive, &parcel->reserved, JM_LENGTH_MASK + 1);
    jm_archive_u64(archive, &parcel->due, INT64_MAX);
    jm_archive_bool(archive, &has_words);
    jm_archive_count(archive, &words);
    for (uint32_t i = 0; has_words && i < words && archive_good(archive); i++) {
        JmWord word = archive->saving ? parcel->word[i] : JM_NIL;
        jm_archive_word(archive, &word);
        if (!archive->saving && !add_word(parcel, word))
            jm_archive_starve(archive);
    }
    if (!has_words)
        parcel->words = words;
}

static void archive_parcels(Archive *archive, Parcels *parcels, unsigned nodes) {
    uint32_t count = (uint32_t)parcels->count;
    jm_archive_count(archive, &count);
    for (uint32_t i = 0; i < count && archive_good(archive); i++) {
        Parcel parcel = {.words = 0};
        if (archive->saving)
            parcel = parcels->parcel[i];
        archive_parcel(archive, &parcel, nodes);
        archive_demand(archive, parcel.words > 0);
        if (!archive->saving && !add_parcel(parcels, &parcel)) {
            free(parcel.word);
            jm_archive_starve(archive);
        }
    }
}

static void archive_unit(Archive *archive, JmMachine *machine, unsigned node) {
    Unit *unit = unit_of(machine, node);
    const Net *net = machine->netif->net;
    const unsigned nodes = machine->nodes;
    jm_archive_u32(archive, &unit->reserved, UINT32_MAX);
    jm_archive_u32(archive, &unit->peak, UINT32_MAX);
    jm_archive_bool(archive, &unit->holds);
    jm_archive_u32(archive, &unit->held, nodes - 1);
    jm_archive_bool(archive, &unit->turns);
    archive_parcel(archive, &unit->turning, nodes);
    archive_parcel(archive, &unit->coming, nodes);
    archive_parcels(archive, &unit->acks, nodes);
    archive_parcels(archive, &unit->again, nodes);
    for (unsigned p = 0; p < 2; p++) {
        jm_archive_bool(archive, &unit->sends[p]);
        archive_parcel(archive, &unit->sending[p], nodes);
        jm_archive_u32(archive, &unit->offered[p], unit->sending[p].words);
        archive_demand(archive, !unit->sends[p] || net_is_open(net, node, p));
        archive_demand(archive,
                       !unit->sends[p] || unit->offered[p] < unit->sending[p].words);
        if (unit->sends[p] && archive_good(archive))
            unit->message[p] = net_open_message(net, node, p);
    }
    jm_archive_u64(archive, &unit->acks_sent, UINT64_MAX);
    jm_archive_u64(archive, &unit->acks_in, UINT64_MAX);
    jm_archive_u64(archive, &unit->returns_sent, UINT64_MAX);
    jm_archive_u64(archive, &unit->returns_in, UINT64_MAX);
    jm_archive_u64(archive, &unit->resent, UINT64_MAX);
}

void rts_archive(Archive *archive, JmMachine *machine, uint32_t numbers) {
    Rts *rts = machine->rts;
    if (!make_notes(rts, numbers)) {
        jm_archive_starve(archive);
        return;
    }
    for (uint32_t i = 0; i < numbers; i++) {
        jm_archive_u8(archive, &rts->note[i].kind, RTS_RETURN);
        jm_archive_u32(archive, &rts->note[i].reserved, JM_LENGTH_MASK + 1);
    }
    jm_archive_u64(archive, &rts->returned, UINT64_MAX);
    jm_archive_u64(archive, &rts->looked, rts->returned);
    jm_archive_u64(archive, &rts->since, rts->returned);
    jm_archive_u64(archive, &rts->suspends, UINT64_MAX);
    for (unsigned i = 0; i < machine->nodes && archive_good(archive); i++) {
        if (!archive->saving)
            free_unit(&rts->unit[i]);
        archive_unit(archive, machine, i);
    }
}
