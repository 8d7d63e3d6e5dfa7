/* Runs nodes' programs, operation by operation. */
#include "net/programs/players.h"

#include <stdio.h>

#include "net/programs/keys_inline.h"

/* A node's current activity. */
typedef enum {
    NEXT,      /* ready for the next operation */
    COMPUTING, /* timer: until the operation is done */
    SETTING_UP,
    SENDING, /* until a packet's tail has left */
    PAUSING, /* timer: until the next packet */
    WAITING_FOR_ACKNOWLEDGEMENT,
    WAITING_FOR_MESSAGE,
    ACCEPTING, /* timer: until a message has been received */
    DONE
} Activity;

typedef struct {
    uint32_t from, to;
    uint32_t packets, arrived; /* in total, and those that have arrived */
    bool rendezvous;
    /* Neighbours among the messages waiting at the node, in order of arrival; `next`
     * also links free records. */
    uint32_t next, before;
    uint32_t later; /* the next from the same sender */
} Message;

/* The messages from one sender waiting at a node; NET_NONE: none. */
typedef struct {
    uint32_t first, last;
} Sender;

typedef struct {
    Activity activity;
    uint32_t at, end;     /* its operations */
    uint32_t bytes;       /* still to be handed over */
    uint32_t message;     /* being sent or received */
    uint32_t first, last; /* messages arrived but not yet received */
    Sender *senders;      /* the same by sender; NULL before the first */
    uint64_t since;       /* when the packet was handed over or the wait began */
} Player;

struct NetPlayers {
    NetPlayersPlan plan;
    Heap *heap;
    Player *player;
    Message *messages;
    uint32_t message_count, free_message;
    size_t message_room;
    uint32_t running; /* nodes whose programs have not ended */
    uint32_t *turns;  /* by value of plan.turn: the draw of the next packet */
    Keys timers;
    JmRng rng;
    uint64_t ended; /* the cycle in which the last program ended */
    uint64_t sent, packets, away, idle;
};

static void go_on(NetPlayers *players, uint32_t node, uint64_t now);

/* ---- messages -------------------------------------------------------------------- */

static uint32_t new_message(NetPlayers *players) {
    const uint32_t free = players->free_message;
    if (free != NET_NONE) {
        players->free_message = players->messages[free].next;
        return free;
    }
    players->messages =
        heap_grow(players->heap, players->messages, players->message_count,
                  &players->message_room, sizeof *players->messages);
    return players->message_count++;
}

static void free_message(NetPlayers *players, uint32_t message) {
    players->messages[message].next = players->free_message;
    players->free_message = message;
}

static Sender *new_senders(NetPlayers *players) {
    const uint32_t nodes = players->plan.replay->programs->nodes;
    Sender *senders = heap_alloc(players->heap, nodes * sizeof *senders);
    for (uint32_t node = 0; node < nodes; node++)
        senders[node] = (Sender){NET_NONE, NET_NONE};
    return senders;
}

static void keep_arrived(NetPlayers *players, uint32_t message) {
    Message *m = &players->messages[message];
    Player *player = &players->player[m->to];
    if (!player->senders)
        player->senders = new_senders(players);
    Sender *sender = &player->senders[m->from];
    m->next = m->later = NET_NONE;
    m->before = player->last;
    if (player->first == NET_NONE)
        player->first = message;
    else
        players->messages[player->last].next = message;
    player->last = message;
    if (sender->first == NET_NONE)
        sender->first = message;
    else
        players->messages[sender->last].later = message;
    sender->last = message;
}

/* Takes the earliest arrival from a node, or from any. */
static uint32_t take_arrived(NetPlayers *players, uint32_t node, uint32_t from) {
    Player *player = &players->player[node];
    uint32_t taken = player->first;
    if (taken != NET_NONE && from != NET_NONE)
        taken = player->senders[from].first;
    if (taken == NET_NONE)
        return NET_NONE;
    const Message *m = &players->messages[taken];
    player->senders[m->from].first = m->later;
    if (player->first == taken)
        player->first = m->next;
    else
        players->messages[m->before].next = m->next;
    if (player->last == taken)
        player->last = m->before;
    else
        players->messages[m->next].before = m->before;
    return taken;
}

/* ---- packets --------------------------------------------------------------------- */

static uint32_t draw(NetPlayers *players, uint32_t node) {
    const NetPlayersPlan *plan = &players->plan;
    if (plan->draws < 2)
        return 0;
    if (plan->turn)
        return players->turns[plan->turn[node]]++ % plan->draws;
    return jm_rng_below(&players->rng, plan->draws);
}

static void hand_over(NetPlayers *players, const NetPacket *packet, uint64_t now) {
    NetPacket drawn = *packet;
    drawn.draw = draw(players, packet->from);
    players->plan.hand_over(players->plan.network, &drawn, now);
}

static void hand_next_packet(NetPlayers *players, uint32_t node, uint64_t now) {
    Player *player = &players->player[node];
    const uint32_t bytes =
        player->bytes < NET_PACKET_BYTES ? player->bytes : NET_PACKET_BYTES;
    player->bytes -= bytes;
    player->activity = SENDING;
    player->since = now;
    players->packets++;
    hand_over(players,
              &(NetPacket){.from = node,
                           .to = players->messages[player->message].to,
                           .flits = players->plan.header_flits + bytes,
                           .message = player->message,
                           .data = true},
              now);
}

static void acknowledge(NetPlayers *players, uint32_t node, uint64_t now) {
    Player *player = &players->player[node];
    const Message *m = &players->messages[player->message];
    if (m->rendezvous)
        hand_over(players,
                  &(NetPacket){.from = node,
                               .to = m->from,
                               .flits = NET_ACKNOWLEDGEMENT_FLITS,
                               .message = player->message},
                  now);
    else
        free_message(players, player->message);
}

/* ---- operations ------------------------------------------------------------------ */

/* Continues after `cycles`, or at once if that is 0. */
static void wait_for(NetPlayers *players, uint32_t node, Activity activity,
                     uint32_t cycles, uint64_t now) {
    players->player[node].activity = activity;
    if (cycles)
        keys_add(players->heap, &players->timers, key_of(now + cycles, node));
    else
        go_on(players, node, now);
}

static void begin_send(NetPlayers *players, uint32_t node, const NetOp *op,
                       uint64_t now) {
    Player *player = &players->player[node];
    player->message = new_message(players);
    player->bytes = op->amount;
    players->sent++;
    players->messages[player->message] = (Message){
        .from = node,
        .to = op->node,
        .packets = (op->amount + NET_PACKET_BYTES - 1) / NET_PACKET_BYTES,
        .rendezvous = op->kind == NET_OP_SEND,
    };
    wait_for(players, node, SETTING_UP, players->plan.replay->times.setup, now);
}

static void receive(NetPlayers *players, uint32_t node, uint32_t message,
                    uint64_t now) {
    const NetNodeTimes *times = &players->plan.replay->times;
    players->player[node].message = message;
    wait_for(players, node, ACCEPTING,
             times->accept + (players->plan.overtaking ? times->reorder : 0), now);
}

static void begin_receive(NetPlayers *players, uint32_t node, const NetOp *op,
                          uint64_t now) {
    const uint32_t message = take_arrived(players, node, op->node);
    if (message != NET_NONE) {
        receive(players, node, message, now);
        return;
    }
    players->player[node].activity = WAITING_FOR_MESSAGE;
    players->player[node].since = now;
}

static void begin(NetPlayers *players, uint32_t node, uint64_t now) {
    const Player *player = &players->player[node];
    const NetOp *op = &players->plan.replay->programs->ops[player->at];
    switch (op->kind) {
    case NET_OP_COMPUTE:
        wait_for(players, node, COMPUTING, op->amount, now);
        break;
    case NET_OP_RECEIVE:
        begin_receive(players, node, op, now);
        break;
    default:
        begin_send(players, node, op, now);
    }
}

static void end_operation(NetPlayers *players, uint32_t node) {
    players->player[node].at++;
    players->player[node].activity = NEXT;
}

/* Starts operations until one has to wait. Operations that take no cycle call go_on()
 * recursively, which then leaves the next one to this loop. */
static void begin_operations(NetPlayers *players, uint32_t node, uint64_t now) {
    Player *player = &players->player[node];
    while (player->activity == NEXT && player->at < player->end)
        begin(players, node, now);
    if (player->activity != NEXT)
        return;
    player->activity = DONE;
    players->running--;
    if (now > players->ended)
        players->ended = now;
}

/* Handles an expired timer. */
static void go_on(NetPlayers *players, uint32_t node, uint64_t now) {
    switch (players->player[node].activity) {
    case SETTING_UP:
    case PAUSING:
        hand_next_packet(players, node, now);
        break;
    case ACCEPTING:
        acknowledge(players, node, now);
        end_operation(players, node);
        break;
    default:
        end_operation(players, node);
    }
}

/* ---- what engines call ----------------------------------------------------------- */

void net_players_left(NetPlayers *players, uint32_t node, uint64_t now) {
    Player *player = &players->player[node];
    players->away += now - player->since;
    if (player->bytes > 0) {
        wait_for(players, node, PAUSING, players->plan.replay->times.packet, now);
        return;
    }
    player->activity = WAITING_FOR_ACKNOWLEDGEMENT;
    if (!players->messages[player->message].rendezvous) {
        end_operation(players, node);
        begin_operations(players, node, now);
    }
}

/* Handles a completely arrived message: its node may be waiting for it. */
static void complete(NetPlayers *players, uint32_t message, uint64_t now) {
    const uint32_t node = players->messages[message].to;
    Player *player = &players->player[node];
    keep_arrived(players, message);
    if (player->activity != WAITING_FOR_MESSAGE)
        return;
    const uint32_t wanted = take_arrived(
        players, node, players->plan.replay->programs->ops[player->at].node);
    if (wanted == NET_NONE)
        return;
    players->idle += now - player->since;
    receive(players, node, wanted, now);
    begin_operations(players, node, now);
}

void net_players_arrived(NetPlayers *players, const NetPacket *packet, uint64_t now) {
    Message *message = &players->messages[packet->message];
    if (packet->data) {
        if (++message->arrived == message->packets)
            complete(players, packet->message, now);
        return;
    }
    free_message(players, packet->message);
    end_operation(players, packet->to);
    begin_operations(players, packet->to, now);
}

void net_players_run(NetPlayers *players, uint64_t now) {
    while (keys_first_time(&players->timers) <= now) {
        const uint32_t node = key_number(keys_take(&players->timers));
        go_on(players, node, now);
        if (players->player[node].activity == NEXT)
            begin_operations(players, node, now);
    }
}

uint64_t net_players_due(const NetPlayers *players) {
    return keys_first_time(&players->timers);
}

void net_players_start(NetPlayers *players) {
    for (uint32_t node = 0; node < players->plan.replay->programs->nodes; node++)
        begin_operations(players, node, 0);
}

bool net_players_done(const NetPlayers *players) {
    return players->running == 0;
}

void net_players_measure(const NetPlayers *players, NetReplayFigures *figures) {
    const double packets = (double)players->packets;
    figures->complete = players->running == 0;
    figures->cycles = players->ended;
    figures->messages = players->sent;
    figures->packets = players->packets;
    figures->send_away = packets > 0 ? (double)players->away / packets : 0;
    figures->receive_idle =
        (double)players->idle / players->plan.replay->programs->nodes;
}

/* Describes what a node waits for, as part of a sentence. */
static void wait_text(const Player *player, const NetOp *op, char *text, size_t size) {
    if (player->activity == WAITING_FOR_ACKNOWLEDGEMENT)
        snprintf(text, size, "for node %u to receive its message", op->node);
    else if (op->node == NET_NONE)
        snprintf(text, size, "for a message of anyone");
    else
        snprintf(text, size, "for a message of node %u", op->node);
}

void net_players_explain(const NetPlayers *players, JmError *error) {
    const NetPrograms *programs = players->plan.replay->programs;
    for (uint32_t node = 0; node < programs->nodes; node++) {
        const Player *player = &players->player[node];
        if (player->activity != WAITING_FOR_MESSAGE &&
            player->activity != WAITING_FOR_ACKNOWLEDGEMENT)
            continue;
        const NetOp *op = &programs->ops[player->at];
        char text[64];
        wait_text(player, op, text, sizeof text);
        jm_fail_line(error, programs->file, (int)op->line, op->column,
                     "%u program%s forever; node %u waits %s", players->running,
                     players->running == 1 ? " waits" : "s wait", node, text);
        return;
    }
}

NetPlayers *net_players_create(Heap *heap, const NetPlayersPlan *plan) {
    const NetPrograms *programs = plan->replay->programs;
    NetPlayers *players = heap_alloc(heap, sizeof *players);
    *players = (NetPlayers){
        .plan = *plan,
        .heap = heap,
        .player = heap_alloc(heap, programs->nodes * sizeof *players->player),
        .turns = heap_alloc(heap, programs->nodes * sizeof *players->turns),
        .free_message = NET_NONE,
        .running = programs->nodes,
        .rng = jm_rng(jm_rng_mix(plan->replay->seed, 0)),
    };
    for (uint32_t node = 0; node < programs->nodes; node++)
        players->player[node] = (Player){
            .at = programs->start[node],
            .end = programs->start[node + 1],
            .first = NET_NONE,
            .last = NET_NONE,
        };
    return players;
}
