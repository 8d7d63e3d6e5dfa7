/* The table of topologies, from topologies.def, and specifications that choose one,
 * "NAME=SIZE[xSIZE...][,OPTION=VALUE...]". */
#include "net/topology/topology.h"

static const NetTopology *const rows[] = {
#define NET_TOPOLOGY(name) &net_topology_##name,
#include "net/topology/topologies.def"
#undef NET_TOPOLOGY
};

enum { ROWS = sizeof rows / sizeof rows[0], NAME_MAX = 32 };

const NetTopology *net_topology_row(unsigned index) {
    return index < ROWS ? rows[index] : NULL;
}

/* ---- reading --------------------------------------------------------------------- */

/* A specification being read. */
typedef struct {
    const char *text, *at; /* the whole, and the current position */
    JmError *error;
} Reader;

/* Reports what is expected at the reader's position, as a column from 1. Returns
 * false. */
static bool expected(const Reader *reader, const char *what) {
    return jm_fail(reader->error, NULL, "'%s': %s is expected at place %d",
                   reader->text, what, (int)(reader->at - reader->text) + 1);
}

/* Consumes `mark` if it is next. */
static bool take(Reader *reader, char mark) {
    if (*reader->at != mark)
        return false;
    reader->at++;
    return true;
}

/* Reads a number of at most six digits, so that products of sizes cannot overflow. */
static bool read_number(Reader *reader, unsigned *number) {
    enum { MOST_DIGITS = 6 };
    unsigned digits = 0;
    for (*number = 0; *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
        if (++digits > MOST_DIGITS)
            return expected(reader, "a number of at most six digits");
        *number = *number * 10 + (unsigned)(*reader->at - '0');
    }
    return digits > 0 || expected(reader, "a number");
}

/* Reads a word of lower-case letters and '_'. Letters beyond NAME_MAX are dropped: no
 * name is that long. */
static bool read_name(Reader *reader, char name[NAME_MAX]) {
    unsigned length = 0;
    for (; (*reader->at >= 'a' && *reader->at <= 'z') || *reader->at == '_';
         reader->at++)
        if (length < NAME_MAX - 1)
            name[length++] = *reader->at;
    name[length] = 0;
    return length > 0 || expected(reader, "a name");
}

static bool read_sizes(Reader *reader, const NetTopology *topology, NetShape *shape) {
    do {
        if (shape->sizes == topology->sizes)
            return jm_fail(reader->error, NULL, "'%s' has more than %u sizes",
                           reader->text, topology->sizes);
        if (!read_number(reader, &shape->size[shape->sizes]))
            return false;
        shape->sizes++;
    } while (take(reader, 'x'));
    return true;
}

static const NetTopology *find_topology(const Reader *reader, const char *name) {
    const char *names[ROWS], *forms[ROWS];
    for (unsigned i = 0; i < ROWS; i++) {
        names[i] = rows[i]->name;
        forms[i] = rows[i]->form;
    }
    const int place = net_name_find(reader->text, "topology", name, names, forms, ROWS,
                                    reader->error);
    return place < 0 ? NULL : rows[place];
}

const NetTopology *net_specification_read(const char *text, NetShape *shape,
                                          JmError *error) {
    Reader reader = {.text = text, .at = text, .error = error};
    char name[NAME_MAX];
    if (!read_name(&reader, name))
        return NULL;
    const NetTopology *topology = find_topology(&reader, name);
    if (!topology)
        return NULL;
    if (!take(&reader, '=')) {
        expected(&reader, "'='");
        return NULL;
    }
    *shape = (NetShape){.size = {1, 1, 1, 1}};
    if (!read_sizes(&reader, topology, shape))
        return NULL;
    const char *more = take(&reader, ',') ? reader.at : NULL;
    NetOptionValues values;
    if (!more && *reader.at)
        expected(&reader, "',' or the end");
    if ((!more && *reader.at) ||
        !net_options_read(topology->options, text, more, &values, error))
        return NULL;
    for (unsigned i = 0; i < NET_OPTIONS; i++)
        shape->option[i] = (unsigned)values.number[i];
    return topology;
}

/* ---- use ------------------------------------------------------------------------- */

bool net_specification_params(const char *specification, NetParams *params,
                              JmError *error) {
    NetShape shape;
    const NetTopology *topology = net_specification_read(specification, &shape, error);
    if (topology && topology->set_params)
        topology->set_params(params);
    return topology != NULL;
}

bool net_specification_machine(const char *specification, NetParams *params,
                               unsigned size[NET_DIMENSIONS], JmError *error) {
    NetShape shape;
    const NetTopology *topology = net_specification_read(specification, &shape, error);
    if (!topology)
        return false;
    if (!topology->set_machine_params)
        return jm_fail(error, NULL,
                       "'%s': a %s cannot take the place of the machine's mesh; "
                       "torus=XxYxZ can, and with ends=0 it is a mesh with lanes",
                       specification, topology->name);
    if (shape.sizes > NET_DIMENSIONS)
        return jm_fail(error, NULL, "'%s': a machine has at most %d dimensions",
                       specification, NET_DIMENSIONS);
    for (unsigned i = 0; i < NET_DIMENSIONS; i++)
        size[i] = i < shape.sizes ? shape.size[i] : 1;
    topology->set_machine_params(params);
    return true;
}

static NetGraph *build(const char *specification, unsigned priorities,
                       const NetParams *params, JmError *error) {
    NetShape shape;
    const NetTopology *topology = net_specification_read(specification, &shape, error);
    if (!topology)
        return NULL;
    shape.priorities = priorities;
    if (params && !params->shared_wires && !topology->shares_wires) {
        jm_fail(error, NULL, "shared_wires=0: '%s' has a wire each way as it is",
                specification);
        return NULL;
    }
    return topology->create(&shape, params, error);
}

NetGraph *net_topology_build(const char *specification, const NetParams *params,
                             JmError *error) {
    return build(specification, 1, params, error);
}

NetGraph *net_topology_build_machine(const char *specification, const NetParams *params,
                                     JmError *error) {
    return build(specification, NET_PRIORITIES, params, error);
}
