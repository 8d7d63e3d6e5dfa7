/* Saves, restores and shows the state between the machine and the network. */
#include <string.h>

#include "emu/machine/link/interface.h"
#include "emu/machine/link/netif.h"

/* ---- senders and ages ------------------------------------------------------------ */

/* Saves or loads an entry for each row that has a sender. Only rows that have a sender
 * are archived, with their numbers. */
static void sender_archive(Archive *archive, Senders *senders, uint32_t nodes) {
    uint32_t count = 0;
    for (unsigned row = 0; archive->saving && row < SENDER_ROWS; row++)
        count += senders->of_row[row] != 0;
    jm_archive_count(archive, &count);
    if (!archive->saving)
        memset(senders, 0, sizeof *senders);
    for (unsigned at = 0; count-- && archive_good(archive); at++) {
        while (archive->saving && !senders->of_row[at])
            at++;
        uint32_t row = at;
        jm_archive_below(archive, &row, SENDER_ROWS);
        jm_archive_u32(archive, &senders->of_row[row], nodes);
    }
}

/* Saves or loads the entry of each row. */
static void age_archive(Archive *archive, Ages *ages, uint64_t now) {
    for (unsigned row = 0; row < SENDER_ROWS && archive_good(archive); row++)
        jm_archive_u64(archive, &ages->of_row[row], now);
}

/* ---- checkpoints ----------------------------------------------------------------- */

/* Whether a message waits for more words. */
static bool is_open(const Netif *netif, uint32_t number) {
    NetMessageState state;
    return net_message_state(netif->net, number, &state) && !state.closed;
}

/* Saves or loads the state kept beside the network. Of its `numbers`, the first
 * `messages` are in use. */
static void archive_beside(Archive *archive, JmMachine *machine, uint32_t messages,
                           uint32_t numbers) {
    Netif *netif = machine->netif;
    jm_archive_u32(archive, &messages, numbers);
    for (uint32_t i = 0; i < messages; i++)
        message_archive(archive, &netif->message[i], netif->heap, is_open(netif, i));
    for (unsigned end = 0; end < machine->nodes * 2; end++)
        sender_archive(archive, &netif->senders[end], machine->nodes);
    for (unsigned end = 0; netif->ages && end < machine->nodes * 2; end++)
        age_archive(archive, &netif->ages[end], machine->now);
    if (machine->unit && machine->unit->archive_numbered)
        machine->unit->archive_numbered(archive, machine, numbers);
}

void netif_save(const JmMachine *machine, Archive *archive) {
    const Netif *netif = machine->netif;
    uint32_t messages = (uint32_t)netif->messages;
    while (messages &&
           netif->message[messages - 1].sent ==
               netif->message[messages - 1].delivered &&
           !(netif->message[messages - 1].promised && is_open(netif, messages - 1)))
        messages--; /* the highest number ever used does not matter */
    net_save(netif->net, archive);
    JmMachine copy = *machine; /* it is only read */
    archive_beside(archive, &copy, messages, net_message_numbers(netif->net));
}

static bool task_is_open(const JmMachine *machine, unsigned node, unsigned priority) {
    return interface_sends(machine)
               ? machine->unit->task_is_open(machine, node, priority)
               : net_is_open(machine->netif->net, node, priority);
}

/* Whether network and words agree: they are in the same cycle, the words kept are those
 * that the network still has to deliver, and every node that claims an open message has
 * one. */
static bool network_agrees(const JmMachine *machine) {
    const Netif *netif = machine->netif;
    NetMessageState state;
    if (net_now(netif->net) != machine->now)
        return false;
    for (uint32_t i = 0; i < netif->messages; i++) {
        const uint32_t words = netif->message[i].sent - netif->message[i].delivered;
        const bool used = net_message_state(netif->net, i, &state);
        if (words != (used ? state.words_offered - state.words_delivered : 0))
            return false;
    }
    for (unsigned end = 0; end < machine->nodes * 2; end++)
        if ((machine->node[end / 2].send_open >> end % 2 & 1) !=
            task_is_open(machine, end / 2, end % 2))
            return false;
    return true;
}

/* Sets sender and first word of each message from the network's state. Kept words are
 * loaded after this. */
static void place_messages(Netif *netif) {
    for (uint32_t i = 0; i < netif->messages; i++) {
        NetMessageState state = {0};
        Message *message = &netif->message[i];
        net_message_state(netif->net, i, &state);
        message_begin(message, state.source, MESSAGE_DATA, 0);
        message->sent = message->delivered = state.words_delivered;
    }
}

bool netif_restore(JmMachine *machine, Archive *archive, bool trusted) {
    Netif *netif = machine->netif;
    if (!net_restore(netif->net, archive, trusted))
        return false;
    const uint32_t numbers = net_message_numbers(netif->net);
    if (numbers)
        netif_make_room(netif, numbers - 1);
    place_messages(netif);
    archive_beside(archive, machine, 0, numbers);
    for (unsigned end = 0; end < machine->nodes * 2; end++)
        if (net_is_open(netif->net, end / 2, end % 2))
            netif->open[end] = net_open_message(netif->net, end / 2, end % 2);
    for (unsigned end = 0; end < machine->nodes * 2; end++)
        netif->arriving[end] =
            (Arriving){.words = machine->node[end / 2].priority[end % 2].gathered};
    return archive_good(archive) && (trusted || network_agrees(machine));
}
