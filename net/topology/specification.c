/* Reads specifications of networks, "NAME=SIZE[xSIZE...][,OPTION=VALUE...]". */
#include <assert.h>

#include "net/graph/names.h"
#include "net/topology/topology.h"

enum { NAME_MAX = 32, ROWS_MAX = 16 };

/* A specification being read. */
typedef struct {
    const char *text, *at; /* the whole, and the current position */
    uint32_t given;        /* a bit for each option already read */
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

static const NetTopology *find_topology(const Reader *reader,
                                        const NetTopology *const *rows, unsigned count,
                                        const char *name) {
    const char *names[ROWS_MAX], *forms[ROWS_MAX];
    assert(count <= ROWS_MAX);
    for (unsigned i = 0; i < count; i++) {
        names[i] = rows[i]->name;
        forms[i] = rows[i]->form;
    }
    const int place = net_name_find(reader->text, "topology", name, names, forms, count,
                                    reader->error);
    return place < 0 ? NULL : rows[place];
}

/* Finds an option of a topology by name. NULL and an error if there is none. */
static const NetTopologyOption *
find_option(const Reader *reader, const NetTopology *topology, const char *name) {
    const NetTopologyOption *options = topology->options;
    const char *names[NET_TOPOLOGY_OPTIONS];
    unsigned count = 0;
    for (; options && options[count].name; count++)
        names[count] = options[count].name;
    const int place =
        net_name_find(reader->text, "option", name, names, names, count, reader->error);
    return place < 0 ? NULL : &options[place];
}

/* A number, or a word if the option has words. */
static bool read_value(Reader *reader, const NetTopologyOption *option,
                       unsigned *value) {
    char word[NAME_MAX];
    if (!option->words || *reader->at < 'a' || *reader->at > 'z')
        return read_number(reader, value);
    if (!read_name(reader, word))
        return false;
    const char *const *words = option->words + option->minimum;
    const int place =
        net_name_find(reader->text, option->name, word, words, words,
                      option->maximum - option->minimum + 1, reader->error);
    *value = option->minimum + (unsigned)place;
    return place >= 0;
}

static bool read_option(Reader *reader, const NetTopology *topology, NetShape *shape) {
    char name[NAME_MAX];
    unsigned value;
    if (!read_name(reader, name))
        return false;
    const NetTopologyOption *option = find_option(reader, topology, name);
    if (!option)
        return false;
    const uint32_t bit = UINT32_C(1) << (option - topology->options);
    if (reader->given & bit)
        return jm_fail(reader->error, NULL, "'%s': %s is given twice", reader->text,
                       option->name);
    reader->given |= bit;
    if (!take(reader, '='))
        return expected(reader, "'='");
    if (!read_value(reader, option, &value))
        return false;
    if (value < option->minimum || value > option->maximum)
        return jm_fail(reader->error, NULL, "'%s': %s is %u, not %u to %u",
                       reader->text, option->name, value, option->minimum,
                       option->maximum);
    shape->option[option - topology->options] = value;
    return true;
}

/* Returns a shape of size 1 with all options at their defaults. */
static NetShape standard_shape(const NetTopology *topology) {
    NetShape shape = {.size = {1, 1, 1, 1}};
    for (unsigned i = 0; topology->options && topology->options[i].name; i++)
        shape.option[i] = topology->options[i].standard;
    return shape;
}

const NetTopology *net_specification_read(const char *text,
                                          const NetTopology *const *rows,
                                          unsigned count, NetShape *shape,
                                          JmError *error) {
    Reader reader = {.text = text, .at = text, .error = error};
    char name[NAME_MAX];
    if (!read_name(&reader, name))
        return NULL;
    const NetTopology *topology = find_topology(&reader, rows, count, name);
    if (!topology)
        return NULL;
    if (!take(&reader, '=')) {
        expected(&reader, "'='");
        return NULL;
    }
    *shape = standard_shape(topology);
    if (!read_sizes(&reader, topology, shape))
        return NULL;
    while (take(&reader, ','))
        if (!read_option(&reader, topology, shape))
            return NULL;
    if (*reader.at == 0)
        return topology;
    expected(&reader, "',' or the end");
    return NULL;
}
