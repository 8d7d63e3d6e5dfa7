/* The interconnection network: channels, flits, wormhole routing, two priorities. Knows
 * nothing of processors or word tags; uses emu/core only.
 *
 * Flits carry no data. A message is a number; the network counts its words and moves
 * markers (head, tail, message). The sender stores the words by message number, and the
 * receiver reads the k-th word of the message when its k-th word is delivered: the k-th
 * flit ejected is the k-th injected.
 *
 * Two-phase cycles: everything a client does between two steps (offer words, close the
 * gate of a node) takes effect at the next step's cycle + 1, that is, net_step() for
 * cycle t acts on what was offered before cycle t. The order to use in cycle t:
 *
 *     nodes execute cycle t:  net_offer(), net_set_gate()    staged
 *     net_step():             moves flits on the state at the start of t,
 *                             then makes the staged offers and gates current
 *     net_deliveries():       words ejected in cycle t
 *
 * Sources: thesis 2.1.2, 5.3, 5.5.1, fig. A-1. */
#ifndef JM_NET_NET_H
#define JM_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/core/archive.h"
#include "emu/core/status.h"

/* Named parameters of the network: one field per row of params.def. */
typedef struct {
#define NET_PARAM(name, standard, minimum, maximum, text, source) uint32_t name;
#include "net/params.def"
#undef NET_PARAM
} NetParams;

/* Returns the defaults of params.def. */
NetParams net_params_default(void);
/* Sets a parameter. False and `error`: there is none of this name, or the value is out
 * of its range. */
bool net_params_set(NetParams *params, const char *name, uint64_t value,
                    JmError *error);
/* Whether all parameters are within their ranges; else `error` names one that is
 * not. */
bool net_params_check(const NetParams *params, JmError *error);

enum {
    NET_PRIORITIES = 2,
    NET_DIMENSIONS = 3,
    NET_MAX_DIMENSIONS = 4, /* of any topology's coordinates */
    NET_FLITS_PER_WORD = 2,
    NET_MAX_X = 32,
    NET_MAX_Y = 32,
    NET_MAX_Z = 64
};

typedef struct Net Net;
typedef struct NetGraph NetGraph;

/* The coordinates of processors: number = x0 + size 0 * (x1 + size 1 * ...). With 0
 * dimensions processors have no coordinates. */
typedef struct {
    unsigned dimensions;
    uint32_t size[NET_MAX_DIMENSIONS];
} NetGrid;

/* Creation. Each function returns NULL and `error` if a parameter, a size or a name is
 * invalid, if the engine cannot run the network, or if there is no memory.
 *
 * The engine is "auto", "plane", "graph" or "flow"; results do not depend on it. "auto"
 * is the fastest that can run the network. "plane" runs meshes only; "plane-plain",
 * "plane-sse2", "plane-avx2" and "plane-avx512" fix its vector width, which not every
 * processor supports. */

/* Makes a network from a specification, NAME=SIZE[xSIZE...][,OPTION=VALUE...]. The name
 * is a row of topology/topologies.def; "mesh=XxYxZ" is a mesh. Omitted sizes are 1. */
Net *net_create(const char *specification, const NetParams *params, const char *engine,
                JmError *error);
/* Makes a network on a graph that the caller has built (graph/graph.h). The network
 * owns the graph; on failure the graph is destroyed. A NULL `graph` gives NULL and
 * leaves `error` unchanged. */
Net *net_create_on(NetGraph *graph, const NetParams *params, const char *engine,
                   JmError *error);
/* Sets the parameters that the topology of a specification needs: a torus has other
 * rules than the J-Machine. Leaves the others unchanged. False and `error` if the
 * specification is invalid. */
bool net_specification_params(const char *specification, NetParams *params,
                              JmError *error);
/* The same for the network of a machine, whose words are two flits and whose messages
 * have two priorities. Sets `size` as well, to 1 for missing dimensions. False and
 * `error` also if the topology cannot be the network of a machine. */
bool net_specification_machine(const char *specification, NetParams *params,
                               unsigned size[NET_DIMENSIONS], JmError *error);
/* Makes the network of a machine: see net_specification_machine(). */
Net *net_create_machine(const char *specification, const NetParams *params,
                        const char *engine, JmError *error);
/* Makes a mesh of x * y * z nodes with the engine "auto"; node rank = x + X*(y +
 * Y*z). */
Net *net_create_mesh(unsigned x, unsigned y, unsigned z, const NetParams *params,
                     JmError *error); /* with "auto" */
/* Makes a mesh with the named engine. */
Net *net_create_mesh_with(unsigned x, unsigned y, unsigned z, const NetParams *params,
                          const char *engine, JmError *error);
void net_destroy(Net *net); /* NULL is ignored */

/* Returns the name of the engine that moves the flits. */
const char *net_engine_name(const Net *net);

unsigned net_node_count(const Net *net);

/* A node of the network is a terminal. Some networks have several per processor,
 * numbered consecutively. Messages are addressed to the first. */
unsigned net_processor_count(const Net *net);

/* Writes the name of a node in reports, such as "1,2,0" in a mesh or "1,2", row and
 * column, in a torus, cut to `size`. */
void net_node_name(const Net *net, unsigned node, char *text, size_t size);
unsigned net_processor(const Net *net, unsigned node); /* the processor of a terminal */
NetGrid net_grid(const Net *net);
/* The number of values that can be drawn for a message: 1 if there is nothing to
 * draw. */
unsigned net_draws(const Net *net);
/* Returns the sequence, numbered below net_node_count(), that the draws for messages of
 * a terminal follow; NET_NONE if they are random. */
uint32_t net_turn(const Net *net, unsigned node);
/* Returns the terminal from which a message between two processors, given by their
 * first terminals, must leave; NET_NONE if any terminal of its processor will do. */
uint32_t net_terminal(const Net *net, unsigned from, unsigned to, unsigned draw);

/* The node at the far end of the wire that leaves `node` in a direction, or NET_NONE.
 * Slow. */
uint32_t net_neighbour(const Net *net, unsigned node, unsigned dimension, bool up);

/* Whether a wire leaves `node` in a direction. */
bool net_has_link(const Net *net, unsigned node, unsigned dimension, bool up);
/* Seeds the engine's random draws, such as which of two messages that came in the same
 * cycle goes first. To be called before the first step. */
void net_seed(Net *net, uint64_t seed);
/* Whether messages between two nodes may take different ways, and so overtake each
 * other. Slow. */
bool net_may_overtake(const Net *net);

/* Makes net_open(), net_open_aged() and net_send() compute the value drawn once for
 * each message (net_draws()) from a seed and the message's source, priority and cycle,
 * so that it does not depend on other messages. Without this call the value is 0.
 * net_save() does not save the seed. */
void net_draw_by(Net *net, uint64_t seed);
/* Returns the places of an output buffer, in words: params.buffer_words. */
unsigned net_buffer_words(const Net *net);
/* Return the parameters of these names: a message has this many header flits, then this
 * many flits for each of its words except the routing word. */
unsigned net_header_flits(const Net *net);
unsigned net_flits_per_word(const Net *net);
/* Returns how many words of a message, the routing word included, must have been
 * offered before it starts to leave. It also starts when its tail has been offered. */
unsigned net_start_words(const Net *net);
/* Returns the parameters, in the form of --param, with which the network's topology
 * takes messages of any length. NULL: its default ones. */
const char *net_byte_params(const Net *net);

/* Injection. The output buffer of (node, priority) has params.buffer_words places. */

/* Returns the free places of an output buffer as the node sees them in this cycle:
 * those at the start of the cycle, minus what was offered since. */
unsigned net_room(const Net *net, unsigned node, unsigned priority);

/* Returns the occupied places, by node, for clients that check many nodes. The numbers
 * change with every word offered and every step. */
const uint8_t *net_places(const Net *net, unsigned priority);

/* Stands for "none" where the number of a message, node or channel is expected. */
#define NET_NONE UINT32_MAX

/* Opens a message with its routing word, which takes one place. No message may be open
 * at (node, priority), and there must be room. Returns the message's number, which
 * belongs to it until its tail has been delivered; numbers are small and reused.
 * NET_NONE if there is no memory for it; nothing has changed then. */
uint32_t net_open(Net *net, unsigned node, unsigned priority, unsigned destination);

/* Opens a message as net_open() does, with age counted from `born`, a cycle up to
 * net_now(): with the parameter `age` routers let the oldest go first. net_open() uses
 * the current cycle. */
uint32_t net_open_aged(Net *net, unsigned node, unsigned priority, unsigned destination,
                       uint64_t born);

/* Opens a message as net_open() does, with `draw`, below net_draws(), as the value
 * drawn once for each message (which way round, where both are equally long). */
uint32_t net_open_drawn(Net *net, unsigned node, unsigned priority,
                        unsigned destination, unsigned draw);

/* Adds `words` (1 or 2, for which there must be room) to the open message. `end` makes
 * the last of them the tail and closes the message. */
void net_offer(Net *net, unsigned node, unsigned priority, unsigned words, bool end);

/* Bounds `shown` in net_send() and net_offer_rest(): net_now() <= `shown` < net_now() +
 * this. */
enum { NET_EARLY_CYCLES = 1024 };

/* Opens a message as net_open() does and offers all its `words`, for which there must
 * be room; the routing word is not counted in `words`. The network sees none of this
 * before the end of cycle `shown`. A client that knows its words in advance can thus
 * offer them at once instead of one by one. It must make sure that this changes
 * nothing: offered one by one, each word would have come in time to leave with a
 * message that begins to leave in the cycle after `shown`. */
uint32_t net_send(Net *net, unsigned node, unsigned priority, unsigned destination,
                  unsigned words, uint64_t shown);
/* Offers all remaining words of the open message in the same way. */
void net_offer_rest(Net *net, unsigned node, unsigned priority, unsigned words,
                    uint64_t shown);
/* Takes back the last `words` of a message that was offered early, and opens it again.
 * None of them may have left yet. To be called between two steps; the network then sees
 * the remaining words at once. */
void net_take_back(Net *net, unsigned node, unsigned priority, unsigned words);

/* Whether a message is open at (node, priority). */
bool net_is_open(const Net *net, unsigned node, unsigned priority);

/* Opens or closes the ejection gate of (node, priority). While it is closed, no flit is
 * ejected there. Initially it is open. */
void net_set_gate(Net *net, unsigned node, unsigned priority, bool open);

/* Makes gates that were set since the last step take effect at once. For changes that
 * belong to the cycle just done, such as a queue filled by a delivery of that cycle. */
void net_settle_gates(Net *net);

/* Does one network cycle. */
void net_step(Net *net);

/* Returns the cycle that the next net_step() will do, from 0. */
uint64_t net_now(const Net *net);

/* Skips `cycles` cycles in which nothing can happen. Allowed while net_is_quiet(). */
void net_skip(Net *net, uint64_t cycles);

/* A word whose second flit was ejected in the last step. */
typedef struct {
    uint32_t node;
    uint32_t message;
    uint8_t priority;
    bool tail; /* last word of the message; its number may be reused after this */
} NetDelivery;

/* Returns the words that the last step delivered, by node, then priority. Valid until
 * the next step. */
const NetDelivery *net_deliveries(const Net *net, size_t *count);

/* Return what the last step did at the ends, as sets of nodes: node n is bit n % 64 of
 * word n / 64, and words are padded with zeros to a multiple of 8. Valid until the next
 * step. Drained: a place of the output buffer became free. Received: a word was
 * delivered. */
const uint64_t *net_drained(const Net *net, unsigned priority);
const uint64_t *net_received(const Net *net, unsigned priority);

/* Whether no flit is in any channel or output buffer and nothing is staged. An open
 * message whose words have all left, or half a word at a receiver, is not quiet. */
bool net_is_quiet(const Net *net);

/* Whether the last step changed anything: moved, injected or ejected a flit, or made a
 * staged offer or gate current. If it did not and nothing was offered, opened or gated
 * since, nor a wire freed, no later step will. */
bool net_moved(const Net *net);

/* Whether in the last step a flit left an output buffer, crossed a wire, or was dropped
 * or ejected; turns within a node do not count. */
bool net_progressed(const Net *net);

/* Whether some flit is inside a channel, or may leave an output buffer because its
 * message has met the start rule. */
bool net_flits_wait(const Net *net);

/* Statistics. Counters run from the creation of the network. An engine may update them
 * only on request, so a pointer shows the state of its last call; calling in every
 * cycle is expensive. */

enum { NET_LATENCY_EXACT = 8192 };

/* A distribution of cycles: one class for each c < NET_LATENCY_EXACT, then classes by
 * powers of two. */
typedef struct {
    uint64_t count, sum, min, max; /* min: UINT64_MAX if count is 0 */
    uint64_t exact[NET_LATENCY_EXACT];
    uint64_t above[64]; /* above[k]: 2^k <= c < 2^(k+1) */
} NetHistogram;

/* Readies a histogram that is all zero. */
void net_histogram_start(NetHistogram *histogram);
/* Counts a number of cycles. Inline, as it is called for each message. */
static inline void net_histogram_add(NetHistogram *histogram, uint64_t cycles) {
    histogram->count++;
    histogram->sum += cycles;
    if (cycles < histogram->min)
        histogram->min = cycles;
    if (cycles > histogram->max)
        histogram->max = cycles;
    if (cycles < NET_LATENCY_EXACT)
        histogram->exact[cycles]++;
    else
        histogram->above[63 - __builtin_clzll(cycles)]++; /* by its logarithm */
}

/* Returns the smallest c such that `fraction` (0..1) of the counts are <= c. Above the
 * exact range it is the upper end of its power of two, at most `max`. 0 if the
 * distribution is empty. */
uint64_t net_histogram_percentile(const NetHistogram *histogram, double fraction);

typedef struct {
    uint64_t messages_opened[NET_PRIORITIES];
    uint64_t messages_delivered[NET_PRIORITIES];
    uint64_t words_offered[NET_PRIORITIES]; /* routing words not counted */
    uint64_t words_delivered[NET_PRIORITIES];
    uint64_t flits_injected[NET_PRIORITIES]; /* header flits included */
    uint64_t flits_dropped[NET_PRIORITIES];  /* header flits, at an R or at ejection */
    uint64_t flits_ejected[NET_PRIORITIES];  /* data flits */
    uint64_t wire_flits[NET_DIMENSIONS];     /* crossings of wires, by dimension */
    uint64_t wires[NET_DIMENSIONS]; /* number of wires (separate ones count two) */
    uint64_t
        bisection_flits[NET_DIMENSIONS]; /* crossings between size/2-1 and size/2 */
    uint64_t bisection_wires[NET_DIMENSIONS];
    uint64_t
        blocked_cycles;   /* flits at the head of a channel, times cycles not moved */
    NetHistogram latency; /* from the opening of a message to its tail's ejection */
    NetHistogram transit; /* from its first flit leaving the buffer to the same */
} NetStatistics;

/* Updates the counters and returns them; see above. */
const NetStatistics *net_statistics(const Net *net);

/* Returns the flits that crossed the wire from `node` to its higher (`up`) or lower
 * neighbour of `dimension`; 0 if there is no such wire. */
uint64_t net_link_flits(const Net *net, unsigned node, unsigned dimension, bool up);

/* The groups under which a topology counts its wires; a group's name is NULL where
 * there are no groups. */
unsigned net_group_count(const Net *net);
uint64_t net_group_flits(const Net *net, unsigned group);
const char *net_group_name(const Net *net, unsigned group);

/* Counters of a channel: messages whose tails have entered, the cycles for which they
 * held it, and the cycles that heads in front of it waited beyond their first. All
 * three are 0 with engines that do not count them. `flits` have left the channel since
 * the network was made or restored; with engines that do not count them, it is all
 * flits that crossed the channel's wire in its direction. */
typedef struct {
    uint64_t messages, held_cycles, wait_cycles, flits;
} NetChannelCounts;

/* The graph of the network (graph/graph.h). */
const NetGraph *net_graph(const Net *net);
NetChannelCounts net_channel_counts(const Net *net, uint32_t channel);

/* Blocked wires, for debuggers. While the direction of a wire is blocked no flit
 * crosses it that way, of either priority; flits behind it wait as usual. The router at
 * the far end does not see the flit that waits there: a head before a blocked wire
 * takes no part in arbitration. Nothing is lost or reordered. Takes effect with the
 * next step; net_save() saves it. */

/* Blocks or frees the wire from `node` to its higher (`up`) or lower neighbour of
 * `dimension`. False if there is no such wire. */
bool net_block_link(Net *net, unsigned node, unsigned dimension, bool up, bool blocked);
/* Whether that direction of a wire is blocked. */
bool net_link_blocked(const Net *net, unsigned node, unsigned dimension, bool up);
/* Returns how many directions of wires are blocked. If any is, a network in which
 * nothing moves is not stuck by itself. net_explain() and net_explain_all() name
 * them. */
unsigned net_blocked_links(const Net *net);

/* Inspection, for deadlock reports, the debugger and tests. */

typedef enum { NET_CHANNEL_P, NET_CHANNEL_N, NET_CHANNEL_R } NetChannelKind;

/* A channel's state. Numbers 0 .. net_channel_count()-1. */
typedef struct {
    uint32_t node;
    uint8_t priority, dimension;
    NetChannelKind kind;
    uint32_t flits;         /* in it, 0 .. capacity */
    bool owned;             /* a message's head has entered and its tail has not */
    uint32_t owner;         /* that message */
    uint32_t front_message; /* message of its first flit; valid if flits > 0 */
    bool front_is_head;
    bool wire_blocked; /* its wire: see net_block_link() */
    int32_t next;      /* channel its first flit (or owner) goes to; -1: ejection */
} NetChannelState;

/* Returns the number of channels. */
uint32_t net_channel_count(const Net *net);
/* Returns the state of a channel between two steps. */
NetChannelState net_channel_state(const Net *net, uint32_t channel);

/* The state of a message. */
typedef struct {
    uint32_t source, destination;
    uint8_t priority;
    uint64_t opened_cycle, born_cycle; /* born: see net_open_aged() */
    uint32_t words_offered, words_delivered;
    bool closed; /* its tail has been offered */
} NetMessageState;

/* Finds the state of a message. False if the number is not in use. */
bool net_message_state(const Net *net, uint32_t message, NetMessageState *state);

/* Explains who waits for whom, from the output buffer of (node, priority) on, as rows
 * of text for `writer`: "1,2,0 p0 +X held by message 17 (0,0,0 -> 3,0,0)". The chain
 * ends in a gate, a blocked wire, an open message whose sender is silent, a flit that
 * can move, or a cycle. */
typedef void NetRowWriter(void *context, const char *row);
void net_explain(const Net *net, unsigned node, unsigned priority, NetRowWriter *writer,
                 void *context);

/* Explains everything that waits, after a row for each blocked wire: output buffers
 * first, then messages that are only partly in channels. At most `limit` chains, each
 * point explained once. */
void net_explain_all(const Net *net, unsigned limit, NetRowWriter *writer,
                     void *context);

/* Sets a hook that is called for every flit that moves; NULL removes it. False, and no
 * hook, if the network's engine does not report flits: "graph" and "flow" do. It is for
 * programs that use the library, as tests do: no tool here prints moves of flits.
 * `channel` is where the flit goes (-1: ejected), `from` where it comes from (-1:
 * output buffer); a dropped header counts as going to its R. */
typedef void NetFlitHook(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                         int32_t from, int32_t channel, uint32_t node);
bool net_set_flit_hook(Net *net, NetFlitHook *hook, void *context);

/* Saves the state of a network between two steps, whatever engine moves the flits:
 * everything but its shape, parameters and hook. If memory runs out, the archive is bad
 * afterwards, and `starved`. */
void net_save(const Net *net, Archive *archive);
/* Restores what net_save() wrote for a network of the same shape and parameters.
 * `trusted`: it was written in this process. Otherwise everything is checked, and false
 * means that it is not a possible state. Also false if memory runs out; the archive is
 * then `starved`. After false the network can only be destroyed. */
bool net_restore(Net *net, Archive *archive, bool trusted);
/* Returns a number above every message number in use. */
uint32_t net_message_numbers(const Net *net);
/* Returns the number of the message that is open at (node, priority). */
uint32_t net_open_message(const Net *net, unsigned node, unsigned priority);

/* Checks every invariant that holds between steps: capacity, ownership, conservation,
 * order of flits. False with a sentence in `error` if one is broken. Slow. */
bool net_check(const Net *net, JmError *error);

#endif
