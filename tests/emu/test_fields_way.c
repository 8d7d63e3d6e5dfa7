/* No field of data in transit is lost in a checkpoint: of the units of return to
 * sender, of messages, and of the network. States are those of a run, as a made-up one
 * would not be sound; every field must have been met with a value that a new machine
 * does not have. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/link/rts_unit.h"
#include "net/messages/state.h"
#include "tests/emu/fields.h"
#include "tests/emu/jam.h"
#include "tests/emu/sending.h"

#define KEEP(type, member, of) FIELD(type, member, of, 0)

/* ---- what was met ---------------------------------------------------------------- */

/* Places of a unit where parcels were met. */
enum { TURNING, COMING, SENDING, ACKS = SENDING + 2, AGAIN, PLACES };

/* Arrays of a network that were met with something in them. */
enum {
    PLACES_USED,
    GATES,
    STAGED,
    STAGED_GATES,
    ENDED,
    DRAINED,
    RECEIVED,
    WIRES,
    BLOCKED,
    FLITS,
    DOWN,
    ARRAYS
};

/* The coverage of all runs together. */
typedef struct {
    FieldTable parcels, units, returns, words, senders, ages;
    FieldTable nets, records, buffers, deliveries, points;
    unsigned met[PLACES], filled[ARRAYS];
} Way;

/* ---- return to sender ------------------------------------------------------------ */

static const Field parcel_fields[] = {
    KEEP(Parcel, kind, uint8_t),      KEEP(Parcel, to, uint32_t),
    KEEP(Parcel, reserved, uint32_t), KEEP(Parcel, due, uint64_t),
    REST(Parcel, word, JmWord *),     KEEP(Parcel, words, uint32_t),
    REST(Parcel, capacity, size_t),   {0}};

/* Parcels are looked at apart. */
static const Field unit_fields[] = {KEEP(Unit, reserved, uint32_t),
                                    KEEP(Unit, peak, uint32_t),
                                    KEEP(Unit, holds, bool),
                                    KEEP(Unit, held, JmWord),
                                    KEEP(Unit, turns, bool),
                                    REST(Unit, turning, Parcel),
                                    REST(Unit, coming, Parcel),
                                    REST(Unit, acks, Parcels),
                                    REST(Unit, again, Parcels),
                                    KEEP(Unit, sends, bool),
                                    REST(Unit, sending, Parcel),
                                    KEEP(Unit, offered, uint32_t),
                                    REST(Unit, message, uint32_t),
                                    KEEP(Unit, acks_sent, uint64_t),
                                    KEEP(Unit, acks_in, uint64_t),
                                    KEEP(Unit, returns_sent, uint64_t),
                                    KEEP(Unit, returns_in, uint64_t),
                                    KEEP(Unit, resent, uint64_t),
                                    {0}};

/* `fresh` is for one cycle. */
static const Field rts_fields[] = {KEEP(Rts, returned, uint64_t),
                                   KEEP(Rts, last, uint64_t),
                                   KEEP(Rts, looked, uint64_t),
                                   KEEP(Rts, looked_at, uint64_t),
                                   KEEP(Rts, since, uint64_t),
                                   KEEP(Rts, since_at, uint64_t),
                                   KEEP(Rts, suspends, uint64_t),
                                   REST(Rts, fresh, bool),
                                   {0}};

static void compare_parcel(Way *way, const Parcel *saved, const Parcel *kept,
                           unsigned place) {
    static const Parcel none;
    fields_compare(&way->parcels, saved, kept, &none);
    cr_assert_eq(saved->word == NULL, kept->word == NULL);
    if (saved->word && saved->words == kept->words)
        cr_expect_arr_eq(saved->word, kept->word, saved->words * sizeof *saved->word);
    way->met[place] += saved->words > 0;
}

static void compare_parcels(Way *way, const Parcels *saved, const Parcels *kept,
                            unsigned place) {
    cr_assert_eq(saved->count, kept->count, "place %u", place);
    for (size_t i = 0; i < saved->count; i++)
        compare_parcel(way, &saved->parcel[i], &kept->parcel[i], place);
}

static void compare_unit(Way *way, const Unit *saved, const Unit *kept) {
    static const Unit none;
    fields_compare(&way->units, saved, kept, &none);
    compare_parcel(way, &saved->turning, &kept->turning, TURNING);
    compare_parcel(way, &saved->coming, &kept->coming, COMING);
    compare_parcels(way, &saved->acks, &kept->acks, ACKS);
    compare_parcels(way, &saved->again, &kept->again, AGAIN);
    for (unsigned p = 0; p < 2; p++) {
        compare_parcel(way, &saved->sending[p], &kept->sending[p], SENDING + p);
        cr_expect(!saved->sends[p] || saved->message[p] == kept->message[p]);
    }
}

static void compare_rts(Way *way, const JmMachine *saved, const JmMachine *kept) {
    static const Rts none;
    cr_expect_not(saved->rts->fresh);
    fields_compare(&way->returns, saved->rts, kept->rts, &none);
    for (unsigned i = 0; i < saved->nodes; i++)
        compare_unit(way, &saved->rts->unit[i], &kept->rts->unit[i]);
}

/* ---- words between nodes and network --------------------------------------------- */

/* Where words lie in the ring follows from their numbers. */
static const Field message_fields[] = {KEEP(Message, sent, uint32_t),
                                       KEEP(Message, delivered, uint32_t),
                                       REST(Message, capacity, uint32_t),
                                       KEEP(Message, handler, uint32_t),
                                       KEEP(Message, source, uint16_t),
                                       KEEP(Message, promised, uint16_t),
                                       KEEP(Message, reserved, uint16_t),
                                       KEEP(Message, kind, uint8_t),
                                       REST(Message, more, JmWord *),
                                       REST(Message, few, JmWord),
                                       {0}};
static const Field sender_fields[] = {KEEP(Senders, of_row, uint32_t), {0}};
static const Field age_fields[] = {KEEP(Ages, of_row, uint64_t), {0}};
static const Field arriving_fields[] = {REST(Arriving, message, uint32_t),
                                        KEEP(Arriving, words, uint8_t),
                                        KEEP(Arriving, kept, uint8_t),
                                        {0}};
static const Field netif_fields[] = {REST(Netif, net, Net *),
                                     REST(Netif, message, Message *),
                                     REST(Netif, messages, size_t),
                                     REST(Netif, capacity, size_t),
                                     REST(Netif, open, uint32_t *),
                                     REST(Netif, arriving, Arriving *),
                                     REST(Netif, senders, Senders *),
                                     REST(Netif, closed, uint64_t *),
                                     REST(Netif, start_words, uint32_t),
                                     REST(Netif, header_flits, uint32_t),
                                     REST(Netif, word_flits, uint32_t),
                                     REST(Netif, ages, Ages *),
                                     {0}};

static void compare_message(Way *way, Message *saved, Message *kept) {
    static const Message none;
    fields_compare(&way->words, saved, kept, &none);
    for (uint32_t k = saved->delivered; k != saved->sent; k++)
        cr_expect(jm_same(*message_word(saved, k), *message_word(kept, k)), "word %u",
                  k);
}

/* Whether a task has a message open that has a number. */
static bool has_open(const JmMachine *machine, unsigned end) {
    return net_is_open(machine->netif->net, end / 2, end % 2) &&
           (!machine->rts || !machine->rts->unit[end / 2].sends[end % 2]);
}

static void compare_netif(Way *way, const JmMachine *machine, const Netif *kept) {
    const Netif *saved = machine->netif;
    static const Senders nobody;
    static const Ages no_ages;
    for (uint32_t i = 0; i < saved->net->message_count; i++)
        if (saved->net->messages[i].in_use)
            compare_message(way, &saved->message[i], &kept->message[i]);
    for (unsigned end = 0; end < machine->nodes * 2; end++) {
        fields_expect_kept((const char *)&saved->arriving[end],
                           (const char *)&kept->arriving[end], arriving_fields);
        cr_expect(!has_open(machine, end) || saved->open[end] == kept->open[end]);
        fields_compare(&way->senders, &saved->senders[end], &kept->senders[end],
                       &nobody);
        if (saved->ages)
            fields_compare(&way->ages, &saved->ages[end], &kept->ages[end], &no_ages);
    }
}

/* ---- the network ----------------------------------------------------------------- */

/* In a mesh nothing is drawn. */
static const Field record_fields[] = {KEEP(NetMessage, source, uint32_t),
                                      KEEP(NetMessage, destination, uint32_t),
                                      KEEP(NetMessage, address, uint32_t),
                                      KEEP(NetMessage, next, uint32_t),
                                      KEEP(NetMessage, opened_cycle, uint64_t),
                                      KEEP(NetMessage, started_cycle, uint64_t),
                                      KEEP(NetMessage, born_cycle, uint64_t),
                                      KEEP(NetMessage, words_offered, uint32_t),
                                      KEEP(NetMessage, words_visible, uint32_t),
                                      KEEP(NetMessage, words_delivered, uint32_t),
                                      KEEP(NetMessage, flits_sent, uint32_t),
                                      KEEP(NetMessage, priority, uint8_t),
                                      KEEP(NetMessage, in_use, bool),
                                      KEEP(NetMessage, started, bool),
                                      KEEP(NetMessage, staged, bool),
                                      KEEP(NetMessage, closed, bool),
                                      KEEP(NetMessage, closed_visible, bool),
                                      KEEP(NetMessage, open_visible, bool),
                                      REST(NetMessage, draw, uint8_t),
                                      {0}};
static const Field buffer_fields[] = {KEEP(NetBuffer, first, uint32_t),
                                      KEEP(NetBuffer, last, uint32_t),
                                      KEEP(NetBuffer, open, bool),
                                      {0}};
static const Field delivery_fields[] = {KEEP(NetDelivery, node, uint32_t),
                                        KEEP(NetDelivery, message, uint32_t),
                                        KEEP(NetDelivery, priority, uint8_t),
                                        KEEP(NetDelivery, tail, bool),
                                        {0}};
static const Field point_fields[] = {
    KEEP(NetPoint, flits, uint32_t), KEEP(NetPoint, owner, uint32_t),
    KEEP(NetPoint, from, uint32_t),  KEEP(NetPoint, next, uint32_t),
    KEEP(NetPoint, turn, uint32_t),  KEEP(NetPoint, next_taken, bool),
    KEEP(NetPoint, closed, bool),    KEEP(NetPoint, front, NetFlit),
    KEEP(NetPoint, back, NetFlit),   {0}};
static const Field histogram_fields[] = {KEEP(NetHistogram, count, uint64_t),
                                         KEEP(NetHistogram, sum, uint64_t),
                                         KEEP(NetHistogram, min, uint64_t),
                                         KEEP(NetHistogram, max, uint64_t),
                                         KEEP(NetHistogram, exact, uint64_t),
                                         KEEP(NetHistogram, above, uint64_t),
                                         {0}};
static const Field count_fields[] = {
    KEEP(NetStatistics, messages_opened, uint64_t),
    KEEP(NetStatistics, messages_delivered, uint64_t),
    KEEP(NetStatistics, words_offered, uint64_t),
    KEEP(NetStatistics, words_delivered, uint64_t),
    KEEP(NetStatistics, flits_injected, uint64_t),
    KEEP(NetStatistics, flits_dropped, uint64_t),
    KEEP(NetStatistics, flits_ejected, uint64_t),
    KEEP(NetStatistics, wire_flits, uint64_t),
    REST(NetStatistics, wires, uint64_t),
    KEEP(NetStatistics, bisection_flits, uint64_t),
    REST(NetStatistics, bisection_wires, uint64_t),
    KEEP(NetStatistics, blocked_cycles, uint64_t),
    ROW(NetStatistics, latency, NetHistogram, KEPT, 0, histogram_fields),
    ROW(NetStatistics, transit, NetHistogram, KEPT, 0, histogram_fields),
    {0}};
static const Field list_fields[] = {
    REST(NetList, items, uint32_t *), KEEP(NetList, count, uint32_t), {0}};
/* Lists and what is by node or wire are looked at apart. */
static const Field net_fields[] = {
    REST(Net, params, NetParams),
    REST(Net, graph, NetGraph *),
    REST(Net, engine, const NetEngine *),
    REST(Net, engine_state, void *),
    REST(Net, chosen, const NetEngine *),
    REST(Net, watched, const NetEngine *),
    REST(Net, start_words, uint32_t),
    REST(Net, word_shift, uint32_t),
    REST(Net, draws, JmRng), /* the flow engine's, which saves it */
    REST(Net, draws_for_messages,
         bool), /* set when a network is made, from the run's seed */
    REST(Net, message_seed, uint64_t),
    KEEP(Net, now, uint64_t),
    KEEP(Net, moved, bool),
    REST(Net, settled, bool),
    KEEP(Net, progressed, bool),
    REST(Net, messages, NetMessage *),
    KEEP(Net, message_count, uint32_t),
    KEEP(Net, first_free, uint32_t),
    KEEP(Net, messages_live, uint32_t),
    REST(Net, buffers, NetBuffer *),
    REST(Net, places, uint8_t *),
    REST(Net, gate_wanted, bool *),
    REST(Net, gate_staged, bool *),
    ROW(Net, staged, NetList, KEPT, 0, list_fields),
    REST(Net, early, uint32_t),
    ROW(Net, staged_gates, NetList, KEPT, 0, list_fields),
    REST(Net, deliveries, NetDelivery *),
    KEEP(Net, delivery_count, uint32_t),
    REST(Net, ended, uint32_t *),
    KEEP(Net, ended_count, uint32_t),
    REST(Net, drained, uint64_t *),
    REST(Net, received, uint64_t *),
    REST(Net, sets, uint64_t *),
    REST(Net, wire_flits, uint64_t *),
    ROW(Net, statistics, NetStatistics, KEPT, 0, count_fields),
    REST(Net, blocked, bool *),
    KEEP(Net, blocked_links, uint32_t),
    REST(Net, hook, NetFlitHook *),
    REST(Net, hook_context, void *),
    {0}};

static void compare_array(Way *way, const void *saved, const void *kept, size_t size,
                          unsigned array) {
    const char *bytes = saved;
    if (!size)
        return;
    cr_expect_eq(memcmp(saved, kept, size), 0, "array %u", array);
    bool same = true;
    for (size_t i = 0; i < size; i++)
        same &= bytes[i] == bytes[0];
    way->filled[array] += !same || bytes[0];
}

static void compare_ends(Way *way, const Net *saved, const Net *kept) {
    static const NetBuffer none = {.first = NET_NONE, .last = NET_NONE};
    const uint32_t nodes = saved->graph->nodes, ends = nodes * NET_PRIORITIES;
    for (uint32_t end = 0; end < ends; end++)
        if (saved->buffers[end].first != NET_NONE || saved->buffers[end].open)
            fields_compare(&way->buffers, &saved->buffers[end], &kept->buffers[end],
                           &none);
        else
            cr_expect_eq(kept->buffers[end].first, NET_NONE);
    for (unsigned p = 0; p < NET_PRIORITIES; p++) {
        const size_t size = net_set_words(saved) * sizeof(uint64_t);
        compare_array(way, saved->places[p], kept->places[p], nodes, PLACES_USED);
        compare_array(way, saved->drained[p], kept->drained[p], size, DRAINED);
        compare_array(way, saved->received[p], kept->received[p], size, RECEIVED);
    }
    compare_array(way, saved->gate_wanted, kept->gate_wanted, ends, GATES);
    compare_array(way, saved->gate_staged, kept->gate_staged, ends, GATES);
}

static void compare_lists(Way *way, const Net *saved, const Net *kept) {
    static const NetDelivery none;
    enum { ITEM = sizeof(uint32_t) };
    cr_assert_eq(saved->delivery_count, kept->delivery_count);
    for (uint32_t i = 0; i < saved->delivery_count; i++)
        fields_compare(&way->deliveries, &saved->deliveries[i], &kept->deliveries[i],
                       &none);
    compare_array(way, saved->staged.items, kept->staged.items,
                  saved->staged.count * ITEM, STAGED);
    compare_array(way, saved->staged_gates.items, kept->staged_gates.items,
                  saved->staged_gates.count * ITEM, STAGED_GATES);
    compare_array(way, saved->ended, kept->ended, saved->ended_count * ITEM, ENDED);
    compare_array(way, saved->wire_flits, kept->wire_flits,
                  2 * saved->graph->wires * sizeof(uint64_t), WIRES);
    compare_array(way, saved->blocked, kept->blocked, saved->graph->channels, BLOCKED);
}

static void compare_records(Way *way, const Net *saved, const Net *kept) {
    static const NetMessage none;
    cr_assert_eq(saved->message_count, kept->message_count);
    for (uint32_t i = 0; i < saved->message_count; i++) {
        const NetMessage *message = &saved->messages[i], *other = &kept->messages[i];
        cr_expect_eq(message->in_use, other->in_use);
        if (message->in_use)
            fields_compare(&way->records, message, other, &none);
        else
            cr_expect_eq(message->next, other->next, "the order of free numbers");
    }
}

/* Compares the state of the engines: points, flits, and which way each wire was crossed
 * last. */
static void compare_images(Way *way, const Net *saved, const Net *kept) {
    static const NetPoint none = {
        .owner = NET_NONE, .from = NET_NONE, .next = NET_NONE, .turn = NET_NONE};
    NetImage image, other;
    cr_assert(net_image_take(saved, &image));
    cr_assert(net_image_take(kept, &other));
    for (uint32_t i = 0; i < net_graph_points(saved->graph); i++)
        fields_compare(&way->points, &image.points[i], &other.points[i], &none);
    compare_array(way, image.flits, other.flits,
                  (size_t)saved->graph->channels * image.capacity * sizeof(NetFlit),
                  FLITS);
    compare_array(way, image.down, other.down, saved->graph->wires, DOWN);
    net_image_free(&image);
    net_image_free(&other);
}

static void compare_net(Way *way, const Net *saved, const Net *kept,
                        const Net *before) {
    net_settle(saved);
    net_settle(kept);
    fields_compare(&way->nets, saved, kept, before);
    compare_records(way, saved, kept);
    compare_ends(way, saved, kept);
    compare_lists(way, saved, kept);
    compare_images(way, saved, kept);
}

/* ---- runs ------------------------------------------------------------------------ */

/* Saves a machine, and compares it with `other`, a new one that gets what was saved. */
static void compare(Way *way, const Rig *rig, Rig *other) {
    JmCheckpoint *checkpoint = jm_checkpoint(rig->machine);
    Net *before = malloc(sizeof *before);
    *before = *other->machine->netif->net;
    cr_assert(jm_restore(other->machine, checkpoint));
    jm_checkpoint_free(checkpoint);
    const Netif *netif = rig->machine->netif, *kept = other->machine->netif;
    compare_net(way, netif->net, kept->net, before);
    compare_netif(way, rig->machine, kept);
    if (rig->machine->rts)
        compare_rts(way, rig->machine, other->machine);
    free(before);
    rig_close(other);
}

static Rig *jam_with(const Setting *settings) {
    JmConfig config = jm_config_default();
    config.size_x = 4;
    config.size_y = config.size_z = 2;
    rig_configure(&config, settings);
    return jam_open(&config);
}

/* Compares a run every few cycles. For a while a wire is blocked. */
static void run_with(Way *way, const Setting *settings) {
    enum { STEP = 134, STEPS = 40, FREED = 10 };
    Rig *rig = jam_with(settings);
    Net *net = rig->machine->netif->net;
    cr_assert(net_block_link(net, 1, 0, true, true));
    for (unsigned i = 1; i <= STEPS; i++) {
        if (i == FREED)
            net_block_link(net, 1, 0, true, false);
        if (jm_run(rig->machine, i * STEP) != JM_STOP_NONE)
            break;
        if (i == STEPS)
            net_set_gate(net, 3, 0, !net->gate_wanted[6]);
        compare(way, rig, jam_with(settings));
    }
    rig_close(rig);
}

/* Messages that wait for longer than statistics count every cycle. */
static void run_long(Way *way) {
    Rig *rig = jam_with(SETTINGS({NULL, 0}));
    Net *net = rig->machine->netif->net;
    cr_assert(net_block_link(net, 1, 0, true, true));
    jm_run(rig->machine, NET_LATENCY_EXACT + 1000);
    net_block_link(net, 1, 0, true, false);
    jm_run(rig->machine, NET_LATENCY_EXACT + 3000);
    compare(way, rig, jam_with(SETTINGS({NULL, 0})));
    rig_close(rig);
}

/* Node 0 sends a message and then a routing word alone; node 1 cannot acknowledge, as
 * it has a message open itself. */
static void run_waiting(Way *way) {
    static const char source[] = "        peek 0xFFF0E,r1\n"
                                 "        bnz r1,^.one\n"
                                 "        move 1,r2\n"
                                 "        .msg 0x444,2\n"
                                 "        send2 r2,r0,0\n"
                                 "        sende r1,0\n"
                                 "        send r2,0\n"
                                 "        rest\n"
                                 ".one:   .msg 0x444,2\n"
                                 "        move 0,r2\n"
                                 "        send2 r2,r0,1\n"
                                 "        rest\n";
    const Setting *settings = SETTINGS({"rts", 1});
    Rig *rig = rig_set(2, source, settings);
    set_queue(rig, 1, JM_CONTEXT_0, 15, 0);
    jm_run(rig->machine, 200);
    compare(way, rig, rig_set(2, source, settings));
    rig_close(rig);
}

static void expect_met(const Way *way) {
    const FieldTable *const tables[] = {&way->parcels,    &way->units,   &way->returns,
                                        &way->words,      &way->senders, &way->ages,
                                        &way->nets,       &way->records, &way->buffers,
                                        &way->deliveries, &way->points};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        fields_expect_seen(tables[i]);
    for (unsigned i = 0; i < PLACES; i++)
        cr_expect(way->met[i], "no parcel at place %u", i);
    for (unsigned i = 0; i < ARRAYS; i++)
        cr_expect(way->filled[i], "nothing in array %u", i);
}

Test(emu_fields, what_is_on_its_way_is_kept) {
    Way *way = calloc(1, sizeof *way);
    *way = (Way){.parcels = {"a parcel", parcel_fields, sizeof(Parcel), {0}},
                 .units = {"a unit", unit_fields, sizeof(Unit), {0}},
                 .returns = {"returns", rts_fields, sizeof(Rts), {0}},
                 .words = {"words", message_fields, sizeof(Message), {0}},
                 .senders = {"senders", sender_fields, sizeof(Senders), {0}},
                 .ages = {"ages", age_fields, sizeof(Ages), {0}},
                 .nets = {"the network", net_fields, sizeof(Net), {0}},
                 .records = {"a message", record_fields, sizeof(NetMessage), {0}},
                 .buffers = {"a buffer", buffer_fields, sizeof(NetBuffer), {0}},
                 .deliveries = {"a word", delivery_fields, sizeof(NetDelivery), {0}},
                 .points = {"a point", point_fields, sizeof(NetPoint), {0}}};
    run_with(way, SETTINGS({NULL, 0}));
    run_with(way, SETTINGS({"fair", 1}));
    run_with(way, SETTINGS({"age", 1}));
    run_with(way, SETTINGS({"rts", 1}, {"rts_backoff", 100}, {"rts_patience", 40}));
    run_long(way);
    run_waiting(way);
    expect_met(way);
    fields_expect_complete(arriving_fields, sizeof(Arriving));
    fields_expect_complete(netif_fields, sizeof(Netif));
    free(way);
}
