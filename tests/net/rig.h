/* Graphs, networks and traffic for tests, made in one line each. What cannot be made
 * fails the test. */
#ifndef JM_TESTS_NET_RIG_H
#define JM_TESTS_NET_RIG_H

#include <criterion/criterion.h>

#include "net/graph/graph.h"
#include "net/net.h"
#include "net/traffic/traffic.h"

/* A test whose body is given the name of an engine, once for each. */
#define ENGINE_TEST(suite, name)                                                       \
    static void suite##_##name(const char *engine);                                    \
    Test(suite, name##_graph, .timeout = 600) {                                        \
        suite##_##name("graph");                                                       \
    }                                                                                  \
    Test(suite, name##_plane, .timeout = 600) {                                        \
        suite##_##name("plane");                                                       \
    }                                                                                  \
    static void suite##_##name(const char *engine)

/* "machine torus=4x4" is the network of a machine: words of two flits, two
 * priorities. */

/* Those that a topology needs, then "NAME=VALUE ..." of `settings`. */
NetParams params_of(const char *topology, const char *settings);
NetGraph *graph_of(const char *topology);
Net *net_of(const char *topology, const char *settings);
Net *net_by(const char *engine, const char *topology, const char *settings);

void steps(Net *net, unsigned cycles);
void step_until_quiet(Net *net);
/* Puts a whole message into a buffer that has room for it; returns its number. */
uint32_t post(Net *net, unsigned from, unsigned priority, unsigned to, unsigned words);

/* A network under a workload, to be left where it is. */
typedef struct {
    Net *net;
    NetWorkload workload;
    NetOptionValues values; /* refer to the text of the workload */
    NetTraffic *traffic;
} Load;

/* Called for each message that arrives, before the workload takes it. */
typedef void LoadNote(const NetArrival *message, uint64_t now);

/* Makes traffic on `net`, which it then owns. Whether the text names a workload that
 * fits the network; if not, `error` says why. load_start() fails the test. */
bool load_try(Load *load, Net *net, const char *workload, uint64_t seed,
              JmError *error);
void load_start(Load *load, Net *net, const char *workload, uint64_t seed);
void load_start_noted(Load *load, Net *net, const char *workload, uint64_t seed,
                      LoadNote *note);
void load_run(Load *load, uint64_t cycles);
void load_end(Load *load);

/* Fails the test unless both are the same bytes; frees them. */
void expect_same_bytes(Archive a, Archive b, const char *what);
Archive saved_net(const Net *net);
/* Whether `net` could be restored from the first `size` bytes, and took them all. */
bool restored_net(Net *net, const Archive *saved, size_t size, bool trusted);

#endif
