/* The units of return to sender: their parcels, and saving them. */
#include "emu/machine/link/rts.h"

#include "emu/node/archive.h"

/* ---- life ------------------------------------------------------------------------ */

void rts_create(JmMachine *machine) {
    machine->units =
        heap_alloc(machine->heap, sizeof(Rts) + machine->nodes * sizeof(Unit));
}

static void free_parcels(Parcels *parcels) {
    for (size_t i = 0; i < parcels->count; i++)
        heap_free(parcels->parcel[i].word);
    heap_free(parcels->parcel);
    *parcels = (Parcels){.parcel = NULL};
}

static void empty_unit(Unit *unit) {
    heap_free(unit->turning.word);
    heap_free(unit->coming.word);
    for (unsigned p = 0; p < 2; p++)
        heap_free(unit->sending[p].word);
    free_parcels(&unit->acks);
    free_parcels(&unit->again);
    *unit = (Unit){.reserved = 0};
}

/* ---- pieces ---------------------------------------------------------------------- */

void rts_add_word(Parcel *parcel, Heap *heap, JmWord word) {
    parcel->word =
        heap_grow(heap, parcel->word, parcel->words, &parcel->capacity, sizeof word);
    parcel->word[parcel->words++] = word;
}

void rts_add_parcel(Parcels *parcels, Heap *heap, const Parcel *parcel) {
    parcels->parcel = heap_grow(heap, parcels->parcel, parcels->count,
                                &parcels->capacity, sizeof *parcel);
    parcels->parcel[parcels->count++] = *parcel;
}

static uint32_t words_in(const Parcels *parcels) {
    uint32_t words = 0;
    for (size_t i = 0; i < parcels->count; i++)
        words += parcels->parcel[i].words;
    return words;
}

uint32_t rts_words_kept(const JmMachine *machine, const Node *node) {
    const Unit *unit = rts_unit(machine, node->rank);
    return unit->holds + unit->turning.words + unit->coming.words +
           unit->sending[0].words + unit->sending[1].words + words_in(&unit->acks) +
           words_in(&unit->again);
}

/* ---- saving ---------------------------------------------------------------------- */

/* Saves or loads a parcel. An acknowledgement has a length but no words, as nobody
 * reads them. */
static void archive_parcel(Archive *archive, Parcel *parcel, const JmMachine *machine) {
    uint32_t words = parcel->words;
    bool has_words = parcel->word != NULL;
    jm_archive_u8(archive, &parcel->kind, MESSAGE_RETURN);
    jm_archive_u32(archive, &parcel->to, machine->nodes - 1);
    jm_archive_u32(archive, &parcel->reserved, JM_LENGTH_MASK + 1);
    jm_archive_u64(archive, &parcel->due, INT64_MAX);
    jm_archive_bool(archive, &has_words);
    jm_archive_count(archive, &words);
    for (uint32_t i = 0; has_words && i < words && archive_good(archive); i++) {
        JmWord word = archive->saving ? parcel->word[i] : JM_NIL;
        jm_archive_word(archive, &word);
        if (!archive->saving)
            rts_add_word(parcel, machine->heap, word);
    }
    if (!has_words)
        parcel->words = words;
}

static void archive_parcels(Archive *archive, Parcels *parcels,
                            const JmMachine *machine) {
    uint32_t count = (uint32_t)parcels->count;
    jm_archive_count(archive, &count);
    for (uint32_t i = 0; i < count && archive_good(archive); i++) {
        Parcel parcel = {.words = 0};
        if (archive->saving)
            parcel = parcels->parcel[i];
        archive_parcel(archive, &parcel, machine);
        archive_demand(archive, parcel.words > 0);
        if (!archive->saving)
            rts_add_parcel(parcels, machine->heap, &parcel);
    }
}

/* Saves or loads a unit. The number of a message that it is sending is not saved: the
 * network knows which one is open. */
static void archive_unit(Archive *archive, JmMachine *machine, unsigned node) {
    Unit *unit = rts_unit(machine, node);
    const Net *net = machine->netif->net;
    jm_archive_u32(archive, &unit->reserved, UINT32_MAX);
    jm_archive_u32(archive, &unit->peak, UINT32_MAX);
    jm_archive_bool(archive, &unit->holds);
    jm_archive_word(archive, &unit->held);
    archive_demand(archive, !unit->holds ||
                                netif_destination(&machine->config, unit->held) >= 0);
    jm_archive_bool(archive, &unit->turns);
    archive_parcel(archive, &unit->turning, machine);
    archive_parcel(archive, &unit->coming, machine);
    archive_parcels(archive, &unit->acks, machine);
    archive_parcels(archive, &unit->again, machine);
    for (unsigned p = 0; p < 2; p++) {
        jm_archive_bool(archive, &unit->sends[p]);
        archive_parcel(archive, &unit->sending[p], machine);
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

/* Saves or loads the kinds of the messages in the network. */
static void archive_kinds(Archive *archive, JmMachine *machine, uint32_t numbers) {
    NetMessageState state;
    for (uint32_t i = 0; i < numbers && archive_good(archive); i++) {
        if (!net_message_state(machine->netif->net, i, &state))
            continue;
        Message *message = &machine->netif->message[i];
        uint32_t reserved = message->reserved;
        jm_archive_u8(archive, &message->kind, MESSAGE_RETURN);
        jm_archive_u32(archive, &reserved, JM_LENGTH_MASK + 1);
        message->reserved = (uint16_t)reserved;
    }
}

/* Sums, by node, the words of return memory that messages in transit account for: those
 * in the network, and those held by units. */
static void sum_reserved(const JmMachine *machine, uint64_t *sum) {
    const Netif *netif = machine->netif;
    NetMessageState state;
    for (uint32_t i = 0; i < netif->messages; i++) {
        if (!net_message_state(netif->net, i, &state) ||
            (state.closed && state.words_delivered == state.words_offered))
            continue;
        const bool away = netif->message[i].kind == MESSAGE_DATA;
        sum[away ? state.source : state.destination] += netif->message[i].reserved;
    }
    for (unsigned i = 0; i < machine->nodes; i++) {
        const Unit *unit = rts_unit(machine, i);
        for (size_t k = 0; k < unit->acks.count; k++)
            sum[unit->acks.parcel[k].to] += unit->acks.parcel[k].reserved;
        for (size_t k = 0; k < unit->again.count; k++)
            sum[i] += unit->again.parcel[k].reserved;
        if (unit->turns && machine->node[i].shut & NODE_SHUT_BY_RTS &&
            unit->turning.words)
            sum[unit->turning.to] += unit->turning.reserved;
    }
}

/* Whether every reserved word is accounted for by a message: acknowledgements then
 * cannot take the account below zero. */
static bool accounts_agree(const JmMachine *machine) {
    uint64_t *sum = heap_alloc(machine->heap, machine->nodes * sizeof *sum);
    sum_reserved(machine, sum);
    bool agree = true;
    for (unsigned i = 0; i < machine->nodes; i++)
        agree &= sum[i] == rts_unit(machine, i)->reserved;
    heap_free(sum);
    return agree;
}

void rts_archive(Archive *archive, JmMachine *machine, uint32_t numbers) {
    Rts *rts = rts_of(machine);
    archive_kinds(archive, machine, numbers);
    jm_archive_u64(archive, &rts->returned, UINT64_MAX);
    jm_archive_u64(archive, &rts->last, machine->now);
    jm_archive_u64(archive, &rts->looked, rts->returned);
    jm_archive_u64(archive, &rts->looked_at, machine->now);
    jm_archive_u64(archive, &rts->since, rts->returned);
    jm_archive_u64(archive, &rts->since_at, machine->now);
    jm_archive_u64(archive, &rts->suspends, UINT64_MAX);
    for (unsigned i = 0; i < machine->nodes && archive_good(archive); i++) {
        if (!archive->saving)
            empty_unit(&rts->unit[i]);
        archive_unit(archive, machine, i);
    }
    if (!archive->saving && archive_good(archive))
        archive_demand(archive, accounts_agree(machine));
}
