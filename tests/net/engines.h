/* Tests that run on every engine. */
#ifndef JM_TESTS_NET_ENGINES_H
#define JM_TESTS_NET_ENGINES_H

#include <criterion/criterion.h>

#include "net/net.h"

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

#endif
