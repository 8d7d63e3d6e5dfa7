/* Blocked wires as a debugger sees them. What they hold back and what not is compared
 * with the reference network by test_twins.c. */
#include "engines.h"

ENGINE_TEST(block, is_known_by_what_was_blocked) {
    enum { X = 0 };
    const NetParams params = net_params_default();
    Net *net = net_create_mesh_with(4, 1, 1, &params, engine, NULL);
    cr_assert_not(net_block_link(net, 0, X, false, true), "the edge of the mesh");
    cr_assert_not(net_block_link(net, 0, 1, true, true), "Y has one node");
    cr_assert_eq(net_blocked_links(net), 0);
    for (unsigned twice = 0; twice < 2; twice++)
        cr_assert(net_block_link(net, 2, X, false, true));
    cr_assert_eq(net_blocked_links(net), 1);
    cr_assert(net_link_blocked(net, 2, X, false));
    cr_assert_not(net_link_blocked(net, 1, X, true), "the same wire, upward");
    cr_assert_not(net_link_blocked(net, 0, X, false));
    for (unsigned twice = 0; twice < 2; twice++)
        cr_assert(net_block_link(net, 2, X, false, false));
    cr_assert_eq(net_blocked_links(net), 0);
    net_destroy(net);
}
