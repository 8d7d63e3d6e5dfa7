/* A saved network, restored, continues like the original: under any engine, with the
 * same bytes from each; anything else is refused, or is a valid network nonetheless. */
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "rig.h"

/* Parameters 0: as built, 1: fair, 2: the sides take turns, AGED: by age, VIRTUAL and
 * above: with two virtual channels and more; others: as drawn. */
enum { AGED = 1000, VIRTUAL };

static Net *create(const char *engine, unsigned x, uint32_t choice) {
    NetParams params = net_params_default();
    JmRng rng = jm_rng(choice);
    if (choice == AGED)
        params.age = 2;
    else if (choice >= VIRTUAL)
        params.virtual_channels = 2 + choice - VIRTUAL;
    else if (choice > 2)
        params = draw_params(&rng, "plane");
    else
        params.fair = choice == 1, params.r_order = choice == 2;
    return net_create_mesh_with(x, 3, 2, &params, engine, NULL);
}

/* Traffic that depends only on the cycle and the available room. */
static void run(Net *net, unsigned cycles) {
    for (; cycles > 0; cycles--) {
        JmRng rng = jm_rng(net_now(net));
        for (unsigned end = 0; end < 2 * net_node_count(net); end++) {
            const uint64_t draw = jm_rng_next(&rng);
            if (net_is_open(net, end / 2, end % 2)) {
                if (draw % 3 && net_room(net, end / 2, end % 2) > 0)
                    net_offer(net, end / 2, end % 2, 1, draw % 7 == 0);
            } else if (draw % 4 == 0 && net_room(net, end / 2, end % 2) > 0) {
                net_open_aged(net, end / 2, end % 2,
                              (unsigned)(draw >> 32) % net_node_count(net),
                              net_now(net) / (1 + draw % 3));
            }
            if (draw % 97 == 0)
                net_set_gate(net, end / 2, end % 2, draw % 5 > 0);
            if (draw % 101 == 0)
                net_block_link(net, end / 2, (unsigned)(draw / 101 % 3), end % 2,
                               draw % 5 == 0);
        }
        net_step(net);
    }
}

/* Opens messages that no step has seen yet. */
static void open_some(Net *net) {
    for (unsigned end = 0; end < 2 * net_node_count(net); end++)
        if (!net_is_open(net, end / 2, end % 2) && net_room(net, end / 2, end % 2) > 0)
            net_open(net, end / 2, end % 2, end % net_node_count(net));
}

/* Ends by returning to the original engine. */
static void carry_over(const char *from, const char *to, uint32_t choice) {
    Net *first = create(from, 4, choice), *second = create(to, 4, choice);
    JmError error;
    run(first, 300 + choice);
    open_some(first);
    const Archive saved = saved_net(first);
    cr_assert_gt(net_blocked_links(first), 0);
    cr_assert(restored_net(second, &saved, saved.size, choice % 2 == 0));
    cr_assert_eq(net_blocked_links(first), net_blocked_links(second));
    cr_assert(net_check(second, &error), "%s", error.text);
    expect_same_bytes(saved_net(first), saved_net(second), to);
    run(first, 300);
    run(second, 300);
    expect_same_bytes(saved_net(first), saved_net(second), to);
    cr_assert(restored_net(second, &saved, saved.size, choice % 2 == 0));
    expect_same_bytes(saved, saved_net(second), to);
    net_destroy(first);
    net_destroy(second);
}

Test(save, goes_on_under_any_engine) {
    static const char *const engines[] = {"graph", "plane", "plane-plain"};
    for (unsigned i = 0; i < 9 * 12; i++)
        carry_over(engines[i / 3 % 3], engines[i % 3], i / 9);
}

/* Among the messages that are replaced are many that no step has seen. */
Test(save, fewer_messages_replace_more) {
    Net *few = create("graph", 4, 0), *many = create("graph", 4, 0);
    for (unsigned end = 0; end < 2 * net_node_count(many); end++)
        while (net_room(many, end / 2, end % 2) > 1) {
            net_open(many, end / 2, end % 2, 0);
            net_offer(many, end / 2, end % 2, 1, true);
        }
    const Archive saved = saved_net(few);
    cr_assert_gt(net_message_numbers(many), 100);
    cr_assert(restored_net(many, &saved, saved.size, true));
    cr_assert_eq(net_message_numbers(many), net_message_numbers(few));
    expect_same_bytes(saved, saved_net(many), "");
    net_destroy(few);
    net_destroy(many);
}

Test(save, ages_and_virtual_channels_go_along) {
    for (uint32_t choice = AGED; choice < VIRTUAL + 3; choice++)
        carry_over("graph", "graph", choice);
}

/* A network in which gates have just been set is restored to what it was before that:
 * the same gates take effect again, and those that were set with the saved one. */
ENGINE_TEST(save, gates_just_set_are_forgotten_or_kept) {
    Net *first = create(engine, 4, 0), *other = create(engine, 4, 0);
    const unsigned last = net_node_count(first) - 1;
    run(first, 100);
    for (unsigned node = 0; node <= last; node++)
        net_set_gate(first, node, node % 2, node % 3 > 0);
    Archive saved = saved_net(first);
    run(first, 60);
    for (unsigned again = 0; again < 3; again++) {
        for (unsigned end_of = 0; end_of < 2 * (last + 1); end_of++)
            net_set_gate(other, end_of / 2, end_of % 2, (end_of + again) % 2);
        cr_assert(restored_net(other, &saved, saved.size, true));
        run(other, 60);
        expect_same_bytes(saved_net(first), saved_net(other), engine);
    }
    jm_archive_free(&saved);
    net_destroy(first);
    net_destroy(other);
}

/* There is no checksum here: storing the bytes safely is up to the caller. */
static void change_byte(const char *engine, Archive *saved, size_t at) {
    Net *other = create(engine, 4, 0);
    JmError error;
    saved->bytes[at] ^= 0x03;
    if (restored_net(other, saved, saved->size, false)) {
        cr_assert(net_check(other, &error), "%s", error.text);
        run(other, 50);
    }
    saved->bytes[at] ^= 0x03;
    net_destroy(other);
}

/* What is accepted is taken as it stands: it is saved with the same bytes again, or one
 * less where a number stood in a byte more than it needs. */
Test(save, nothing_of_what_is_accepted_is_dropped, .timeout = 600) {
    Net *net = create("graph", 4, 0);
    run(net, 50);
    Archive saved = saved_net(net);
    unsigned accepted = 0;
    for (size_t at = 0; at < saved.size; at++)
        for (unsigned bit = 0; bit < 3; bit++) {
            Net *other = create("graph", 4, 0);
            saved.bytes[at] ^= 1u << bit & 0xFF;
            if (restored_net(other, &saved, saved.size, false)) {
                const Archive again = saved_net(other);
                cr_assert_leq(saved.size - again.size, 1, "byte %zu", at);
                cr_assert(again.size < saved.size ||
                          memcmp(again.bytes, saved.bytes, saved.size) == 0);
                free(again.bytes);
                accepted++;
            }
            saved.bytes[at] ^= 1u << bit & 0xFF;
            net_destroy(other);
        }
    cr_assert_gt(accepted, 0);
    jm_archive_free(&saved);
    net_destroy(net);
}

ENGINE_TEST(save, what_is_no_such_network_is_refused) {
    Net *net = create(engine, 4, 0);
    run(net, 50);
    Archive saved = saved_net(net);
    Net *wide = create(engine, 5, 0), *fair = create(engine, 4, 1);
    cr_assert_not(restored_net(wide, &saved, saved.size, false));
    cr_assert_not(restored_net(fair, &saved, saved.size, false));
    for (size_t size = 0; size < saved.size; size += 1 + saved.size / 50) {
        Net *other = create(engine, 4, 0);
        cr_assert_not(restored_net(other, &saved, size, false));
        net_destroy(other);
    }
    for (size_t at = 0; at < saved.size; at += 1 + saved.size / 200)
        change_byte(engine, &saved, at);
    jm_archive_free(&saved);
    net_destroy(net);
    net_destroy(wide);
    net_destroy(fair);
}
