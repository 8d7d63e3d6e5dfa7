/* Checks whether message lengths fit a network, and finds parameters that make them
 * fit. */
#include <stdio.h>

#include "net/traffic/traffic.h"

/* Lengths of messages, in flits. */
typedef struct {
    const unsigned *flits;
    unsigned count;
} Lengths;

/* Whether a message is exactly `header` flits and whole words. */
static bool is_whole(const Net *net, uint32_t header, uint32_t flits) {
    return flits > header && (flits - header) % net_flits_per_word(net) == 0;
}

/* The index of the first length that is not `header` flits and whole words; `count`:
 * none. */
static unsigned first_broken(const Net *net, uint32_t header, Lengths all) {
    unsigned i = 0;
    while (i < all.count && is_whole(net, header, all.flits[i]))
        i++;
    return i;
}

/* The parameters that let a buffer hold the longest message behind a header of `header`
 * flits: ",buffer_words=12", or nothing if it already does. */
static bool buffer_remedy(const Net *net, uint32_t header, Lengths all, char text[32]) {
    unsigned most = 0;
    for (unsigned i = 0; i < all.count; i++)
        most = all.flits[i] > most ? all.flits[i] : most;
    const unsigned places = 1 + (most - header) / net_flits_per_word(net);
    text[0] = 0;
    if (places > net_buffer_words(net))
        snprintf(text, 32, ",buffer_words=%u", places);
    return text[0] != 0;
}

/* Reports which header leaves whole words, if one does for all lengths. */
static bool refuse_lengths(const Net *net, Lengths all, JmError *error) {
    const unsigned own = net_header_flits(net), word = net_flits_per_word(net);
    const unsigned wrong = all.flits[first_broken(net, own, all)];
    char buffer[32];
    for (unsigned header = NET_DIMENSIONS; header-- > 0;)
        if (first_broken(net, header, all) == all.count) {
            buffer_remedy(net, header, all, buffer);
            return jm_fail(
                error, NULL,
                "messages of %u flits are not %u of header and words of %u: "
                "give --param header_flits=%u%s, or lengths of %u, %u, %u... "
                "flits",
                wrong, own, word, header, buffer, own + word, own + 2 * word,
                own + 3 * word);
        }
    const char *params = net_byte_params(net);
    return jm_fail(error, NULL,
                   "messages of %u flits are not %u of header and words of %u, others "
                   "are: give --param %s, or lengths that are all odd or all even",
                   wrong, own, word, params ? params : "flits_per_word=1");
}

bool net_traffic_fits(const NetTraffic *traffic, const unsigned *flits, unsigned count,
                      JmError *error) {
    const Net *net = net_traffic_net(traffic);
    const Lengths all = {flits, count};
    char buffer[32];
    if (first_broken(net, net_header_flits(net), all) < count)
        return refuse_lengths(net, all, error);
    return !buffer_remedy(net, net_header_flits(net), all, buffer) ||
           jm_fail(error, NULL,
                   "an output buffer of %u words does not hold a message: give --param "
                   "%s",
                   net_buffer_words(net), buffer + 1);
}
