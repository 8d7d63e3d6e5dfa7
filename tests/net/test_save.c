/* A saved network, restored, goes on as the other does: under any engine, with the same
 * bytes from each; and what is not such a network is refused. */
#include <stdlib.h>
#include <string.h>

#include "emu/core/rng.h"
#include "engines.h"

typedef struct {
    unsigned char *bytes;
    size_t size, capacity, at;
} File;

static bool put(void *context, const void *bytes, size_t size) {
    File *file = context;
    while (file->size + size > file->capacity) {
        file->capacity = 2 * file->capacity + 4096;
        file->bytes = realloc(file->bytes, file->capacity);
    }
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
    return true;
}

static bool get(void *context, void *bytes, size_t size) {
    File *file = context;
    if (file->at + size > file->size)
        return false;
    memcpy(bytes, file->bytes + file->at, size);
    file->at += size;
    return true;
}

static Net *create(const char *engine, unsigned x, uint32_t fair) {
    NetParams params = net_params_default();
    params.fair = fair;
    return net_create_mesh_with(x, 3, 2, &params, engine, NULL);
}

/* Traffic that depends on nothing but the cycle and what there is room for. */
static void run(Net *net, unsigned cycles) {
    for (; cycles > 0; cycles--) {
        JmRng rng = jm_rng(net_now(net));
        for (unsigned end = 0; end < 2 * net_node_count(net); end++) {
            const uint64_t draw = jm_rng_next(&rng);
            if (net_is_open(net, end / 2, end % 2)) {
                if (draw % 3 && net_room(net, end / 2, end % 2) > 0)
                    net_offer(net, end / 2, end % 2, 1, draw % 7 == 0);
            } else if (draw % 4 == 0 && net_room(net, end / 2, end % 2) > 0) {
                net_open(net, end / 2, end % 2,
                         (unsigned)(draw >> 32) % net_node_count(net));
            }
            if (draw % 97 == 0)
                net_set_gate(net, end / 2, end % 2, draw % 5 > 0);
        }
        net_step(net);
    }
}

static File save(const Net *net) {
    File file = {0};
    cr_assert(net_save(net, put, &file));
    return file;
}

static void expect_equal(const File *a, const File *b) {
    cr_assert_eq(a->size, b->size);
    cr_assert_eq(memcmp(a->bytes, b->bytes, a->size), 0);
}

static void carry_over(const char *from, const char *to, uint32_t fair) {
    Net *first = create(from, 4, fair), *second = create(to, 4, fair);
    JmError error;
    run(first, 300);
    File saved = save(first);
    cr_assert(net_restore(second, get, &saved, &error), "%s", error.text);
    cr_assert(net_check(second, &error), "%s", error.text);
    File again = save(second);
    expect_equal(&saved, &again);
    run(first, 300);
    run(second, 300);
    File end = save(first), other_end = save(second);
    expect_equal(&end, &other_end);
    free(saved.bytes);
    free(again.bytes);
    free(end.bytes);
    free(other_end.bytes);
    net_destroy(first);
    net_destroy(second);
}

Test(save, goes_on_under_any_engine) {
    static const char *const engines[] = {"graph", "plane", "plane-plain"};
    for (unsigned i = 0; i < 9; i++)
        carry_over(engines[i / 3], engines[i % 3], i % 2);
}

ENGINE_TEST(save, what_is_no_such_network_is_refused) {
    Net *net = create(engine, 4, 0);
    JmError error;
    run(net, 50);
    File saved = save(net);
    Net *wide = create(engine, 5, 0), *fair = create(engine, 4, 1);
    cr_assert_not(net_restore(wide, get, &saved, &error));
    saved.at = 0;
    cr_assert_not(net_restore(fair, get, &saved, &error));
    for (size_t size = 0; size < saved.size; size += 1 + saved.size / 50) {
        Net *other = create(engine, 4, 0);
        File part = {.bytes = saved.bytes, .size = size};
        cr_assert_not(net_restore(other, get, &part, &error));
        net_destroy(other);
    }
    for (size_t at = 0; at < saved.size; at += 1 + saved.size / 200) {
        Net *other = create(engine, 4, 0);
        File changed = {.bytes = saved.bytes, .size = saved.size};
        saved.bytes[at] ^= 0x81;
        cr_assert_not(net_restore(other, get, &changed, &error));
        saved.bytes[at] ^= 0x81;
        net_destroy(other);
    }
    free(saved.bytes);
    net_destroy(net);
    net_destroy(wide);
    net_destroy(fair);
}
