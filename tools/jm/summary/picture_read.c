/* Reads the data of a picture from the JSON of `jm run --stats`. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/jm.h"
#include "tools/jm/summary/picture.h"

static const char *const axis = "xyz";

/* Returns the whole number under `key`; 0 if there is none or it is negative. */
static uint64_t number(const json_t *object, const char *key) {
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static uint64_t link_flits(const json_t *node, unsigned dimension, char side) {
    const char key[] = {axis[dimension], side, '\0'};
    return number(json_object_get(node, "links"), key);
}

/* Reads the sizes, which bound everything that is allocated after. */
static bool read_mesh(Picture *picture, const json_t *root) {
    static const unsigned most[] = {JM_MAX_X, JM_MAX_Y, JM_MAX_Z};
    const json_t *mesh = json_object_get(root, "mesh");
    picture->nodes = 1;
    for (unsigned d = 0; d < PICTURE_DIMENSIONS; d++) {
        const json_int_t size = json_integer_value(json_array_get(mesh, d));
        if (size < 1 || size > (json_int_t)most[d])
            return false;
        picture->size[d] = (unsigned)size;
        picture->nodes *= picture->size[d];
    }
    return json_array_size(json_object_get(root, "nodes")) == picture->nodes;
}

/* Adds a node's flits to its wires. The two directions of a wire are counted at its two
 * ends; both are added to the lower end. */
static void add_links(Picture *picture, const json_t *node, unsigned rank) {
    unsigned stride = 1;
    for (unsigned d = 0; d < PICTURE_DIMENSIONS; d++) {
        picture->links[rank].flits[d] += link_flits(node, d, '+');
        if (rank >= stride)
            picture->links[rank - stride].flits[d] += link_flits(node, d, '-');
        stride *= picture->size[d];
    }
}

/* Reads the nodes. False if one is missing. */
static bool read_nodes(Picture *picture, const json_t *root) {
    const json_t *nodes = json_object_get(root, "nodes");
    picture->messages_in = calloc(picture->nodes, sizeof *picture->messages_in);
    picture->links = calloc(picture->nodes, sizeof *picture->links);
    if (!picture->messages_in || !picture->links)
        return false;
    for (unsigned rank = 0; rank < picture->nodes; rank++) {
        const json_t *node = json_array_get(nodes, rank);
        if (!json_is_integer(json_object_get(node, "messages_in")))
            return false;
        picture->messages_in[rank] = number(node, "messages_in");
        add_links(picture, node, rank);
    }
    return true;
}

/* Copies a text with control characters escaped, since the file is not trusted. Returns
 * NULL without memory. */
static char *copy_printable(const char *text) {
    const size_t size = strlen(text) * JM_PRINTABLE_FACTOR + 1;
    char *copy = malloc(size);
    return copy ? jm_printable(text, copy, size) : NULL;
}

static bool read_run(Picture *picture, const json_t *root) {
    const char *program = json_string_value(json_object_get(root, "program"));
    const char *stop = json_string_value(json_object_get(root, "stop"));
    const json_t *use =
        json_object_get(json_object_get(root, "network"), "wire_utilisation");
    if (!program || !stop || !use)
        return false;
    picture->program = copy_printable(program);
    picture->stop = copy_printable(stop);
    picture->cycles = number(root, "cycles");
    picture->instructions = number(root, "instructions");
    picture->messages = number(root, "messages");
    picture->overflows = number(root, "overflows");
    picture->seconds = json_number_value(json_object_get(root, "seconds"));
    for (unsigned d = 0; d < PICTURE_DIMENSIONS; d++) {
        const char key[] = {axis[d], '\0'};
        picture->wire_utilisation[d] = json_number_value(json_object_get(use, key));
    }
    return picture->program && picture->stop;
}

bool picture_read(Picture *picture, const json_t *root) {
    *picture = (Picture){0};
    return read_mesh(picture, root) && read_run(picture, root) &&
           read_nodes(picture, root);
}

void picture_free(Picture *picture) {
    free(picture->program);
    free(picture->stop);
    free(picture->messages_in);
    free(picture->links);
}
