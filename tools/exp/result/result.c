/* Makes, prints and reads results by the rows of results.def. */
#include "tools/exp/result/result.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/jm/version.h"

typedef enum {
    WHOLE,
    REAL,
    TEXT,
    TEXTS,
    TREE,
    NODES,
    CUTS,
    LIST,
    ROWS2,
    ROWS3,
    ROWS4
} Shape;
enum { WIDTH_MAX = 2 + ROWS4 - ROWS2 };
typedef enum { NOT, MAYBE, MUST } Need;

/* A FIELD of results.def. */
typedef struct {
    const char *name;
    Shape shape;
    double low, high;
    Need need;
    size_t place; /* of the member in Result, in bytes */
} Field;

static const Field fields[RESULT_FIELDS] = {
#define FIELD(name, shape, low, high, need, text)                                      \
    {#name, shape, low, high, need, offsetof(Result, name)},
#include "tools/exp/result/results.def"
};

static bool is_number_shape(const Field *field) {
    return field->shape == WHOLE || field->shape == REAL;
}

static bool is_list_shape(const Field *field) {
    return field->shape >= NODES;
}

/* Returns the numbers of a row of a list. */
static unsigned width_of(const Field *field) {
    return field->shape < ROWS2 ? 1 : 2 + (unsigned)(field->shape - ROWS2);
}

/* Whether the machine's numbers of this field are whole. */
static bool is_whole(const Field *field) {
    return field->shape == WHOLE || field->shape == NODES || field->shape >= ROWS2;
}

/* ---- members --------------------------------------------------------------------- */

static void *member_of(const Result *result, const Field *field) {
    return (char *)result + field->place;
}

static double *number_in(const Result *result, const Field *field) {
    assert(is_number_shape(field));
    return member_of(result, field);
}

static char **text_in(const Result *result, const Field *field) {
    assert(field->shape == TEXT);
    return member_of(result, field);
}

static json_t **tree_in(const Result *result, const Field *field) {
    assert(field->shape == TREE || field->shape == TEXTS);
    return member_of(result, field);
}

static ResultList *list_in(const Result *result, const Field *field) {
    assert(is_list_shape(field));
    return member_of(result, field);
}

static Result *make(void) {
    Result *result = memory_array(1, sizeof *result);
    for (unsigned i = 0; i < RESULT_FIELDS; i++)
        if (is_number_shape(&fields[i]))
            *number_in(result, &fields[i]) = NAN;
        else if (is_list_shape(&fields[i]))
            list_in(result, &fields[i])->width = width_of(&fields[i]);
    return result;
}

Result *result_create(const char *key) {
    Result *result = make();
    result_add_text(result, "key", key);
    result_add_text(result, "version", version_text);
    return result;
}

void result_free(Result *result) {
    for (unsigned i = 0; result && i < RESULT_FIELDS; i++)
        if (fields[i].shape == TEXT)
            free(*text_in(result, &fields[i]));
        else if (is_list_shape(&fields[i]))
            free(list_in(result, &fields[i])->value);
        else if (!is_number_shape(&fields[i]))
            json_decref(*tree_in(result, &fields[i]));
    free(result);
}

/* Whether it is of a run of the machine, not of a model. */
static bool result_is_machine(const Result *result) {
    static const char model[] = "model=";
    return strncmp(result->key, model, strlen(model)) != 0;
}

/* Returns the place of a field; RESULT_FIELDS if there is none. */
static unsigned find(const char *name) {
    unsigned i = 0;
    while (i < RESULT_FIELDS && strcmp(fields[i].name, name) != 0)
        i++;
    return i;
}

/* Notes that a field was added; returns its row. */
static const Field *note(Result *result, const char *name) {
    const unsigned field = find(name);
    unsigned i = 0;
    assert(field < RESULT_FIELDS);
    while (i < result->added_count && result->added[i] != field)
        i++;
    if (i == result->added_count)
        result->added[result->added_count++] = (ResultField)field;
    return &fields[field];
}

void result_add(Result *result, const char *name, double value) {
    *number_in(result, note(result, name)) = isfinite(value) ? value : NAN;
}

void result_add_text(Result *result, const char *name, const char *text) {
    char **old = text_in(result, note(result, name));
    free(*old);
    *old = memory_checked(strdup(text));
}

void result_add_tree(Result *result, const char *name, json_t *tree) {
    json_t **place = tree_in(result, note(result, name));
    json_decref(*place);
    *place = tree;
}

ResultList *result_add_list(Result *result, const char *name) {
    return list_in(result, note(result, name));
}

const ResultList *result_list(const Result *result, const char *name) {
    const unsigned field = find(name);
    return field < RESULT_FIELDS && is_list_shape(&fields[field])
               ? list_in(result, &fields[field])
               : NULL;
}

void result_push(ResultList *list, const double *row) {
    const size_t size = list->width * sizeof *row;
    list->value = memory_more(list->value, list->count, size);
    memcpy(list->value + list->count++ * list->width, row, size);
}

double result_number(const Result *result, const char *name) {
    return *number_in(result, &fields[find(name)]);
}

double result_tree_number(const json_t *tree, const char *name) {
    return json_number_value(json_object_get(tree, name));
}

/* ---- text ------------------------------------------------------------------------ */

static json_t *number_json(double value, bool whole) {
    return whole && !isnan(value) ? json_integer((json_int_t)value)
                                  : jvalue_number(value);
}

static json_t *list_json(const ResultList *list, bool rows, bool whole) {
    json_t *items = json_array();
    for (size_t i = 0; i < list->count; i++) {
        json_t *row = rows ? json_array() : items;
        for (unsigned k = 0; k < list->width; k++)
            json_array_append_new(row, number_json(result_row(list, i)[k], whole));
        if (rows)
            json_array_append_new(items, row);
    }
    return items;
}

/* A model's numbers are real. */
static json_t *field_json(const Result *result, const Field *field, bool of_machine) {
    const bool whole = of_machine && is_whole(field);
    if (field == &fields[RESULT_status])
        return number_json(result->status, true);
    if (is_number_shape(field))
        return number_json(*number_in(result, field), whole);
    if (is_list_shape(field))
        return list_json(list_in(result, field), field->shape >= ROWS2, whole);
    return field->shape == TEXT ? jvalue_text(*text_in(result, field))
                                : json_incref(*tree_in(result, field));
}

json_t *result_json(const Result *result, const char *name, bool whole) {
    const Field *field = &fields[find(name)];
    if (field == &fields[RESULT_FIELDS])
        return NULL;
    if (field->shape == WHOLE && field->high == 1)
        return json_boolean(*number_in(result, field) == 1);
    return whole ? number_json(*number_in(result, field), true)
                 : field_json(result, field, false);
}

/* A line has the fields that every run of the machine has, if it is one, in the order
 * of the table, and then those that were added. */
char *result_print(const Result *result) {
    const bool of_machine = result_is_machine(result);
    json_t *record = json_object();
    for (unsigned i = 0; of_machine && i < RESULT_FIELDS; i++)
        if (fields[i].need != NOT)
            json_object_set_new(record, fields[i].name,
                                field_json(result, &fields[i], true));
    for (unsigned i = 0; i < result->added_count; i++) {
        const Field *field = &fields[result->added[i]];
        if (!of_machine || field->need == NOT)
            json_object_set_new(record, field->name,
                                field_json(result, field, of_machine));
    }
    char *text = memory_checked(json_dumps(record, JSON_COMPACT));
    json_decref(record);
    return text;
}

/* ---- reading a field ------------------------------------------------------------- */

/* Rounding of a model's figures. */
static const double rounding = 1e-9;

/* A record being read. */
typedef struct {
    const json_t *record;
    Result *result;
    bool is_machine;
    unsigned size[3]; /* of the machine; 0: the key has no mesh */
    char *why;
} Reader;

static bool fail(const Reader *reader, const char *name, const char *what) {
    snprintf(reader->why, RESULT_WHY_MAX, "%s %s", name, what);
    return false;
}

static bool is_number(const json_t *value, const Field *field, bool whole) {
    const double number = json_number_value(value);
    return json_is_number(value) && number >= field->low - rounding &&
           number <= field->high + rounding && (!whole || number == floor(number));
}

static bool is_tree(const json_t *value, const Field *field);

static bool are_trees(const json_t *list, const Field *field) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!is_tree(json_array_get(list, i), field))
            return false;
    return true;
}

/* Whether all numbers in a value are in range. */
static bool is_tree(const json_t *value, const Field *field) {
    const char *name;
    const json_t *item;
    if (json_is_array(value))
        return are_trees(value, field);
    if (!json_is_object(value))
        return is_number(value, field, false);
    json_object_foreach ((json_t *)value, name, item) {
        if (!is_tree(item, field))
            return false;
    }
    return true;
}

static bool are_texts(const json_t *value) {
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!json_is_string(json_array_get(value, i)))
            return false;
    return json_is_array(value);
}

/* Returns the rows that a list has on this machine; SIZE_MAX for any number. */
static size_t rows_of(const Reader *reader, const Field *field) {
    const unsigned *size = reader->size;
    return field->shape == NODES  ? (size_t)size[0] * size[1] * size[2]
           : field->shape == CUTS ? size[0] - 1
                                  : SIZE_MAX;
}

/* Reads a row: a list of numbers, or one number. */
static bool take_row(const json_t *row, const Field *field, double values[WIDTH_MAX]) {
    const unsigned width = width_of(field);
    if (width > 1 && (!json_is_array(row) || json_array_size(row) != width))
        return false;
    for (unsigned k = 0; k < width; k++) {
        const json_t *item = width > 1 ? json_array_get(row, k) : row;
        if (!is_number(item, field, is_whole(field)))
            return false;
        values[k] = json_number_value(item);
    }
    return true;
}

/* A model has no lists but those of the shape LIST, and may have a number in place of
 * one, which nothing reads. */
static bool take_list(const Reader *reader, const Field *field, const json_t *value) {
    const size_t count = json_array_size(value), wanted = rows_of(reader, field);
    ResultList *list = list_in(reader->result, field);
    if (!json_is_array(value))
        return !reader->is_machine && is_number(value, field, false);
    if (!reader->is_machine && field->shape != LIST)
        return false;
    if (wanted != SIZE_MAX && count != wanted)
        return false;
    for (size_t i = 0; i < count; i++) {
        double row[WIDTH_MAX];
        if (!take_row(json_array_get(value, i), field, row))
            return false;
        result_push(list, row);
    }
    return true;
}

static bool take_tree(const Reader *reader, const Field *field, json_t *value) {
    *tree_in(reader->result, field) = json_incref(value);
    return field->shape == TEXTS ? are_texts(value)
                                 : !json_is_number(value) && is_tree(value, field);
}

static bool take_value(const Reader *reader, const Field *field, json_t *value) {
    if (json_is_null(value))
        return field->shape != TEXT && (!reader->is_machine || field->need != MUST);
    if (is_list_shape(field))
        return take_list(reader, field, value);
    if (is_number_shape(field)) {
        *number_in(reader->result, field) = json_number_value(value);
        return is_number(value, field, field->shape == WHOLE);
    }
    if (field->shape != TEXT)
        return take_tree(reader, field, value);
    if (json_is_string(value))
        *text_in(reader->result, field) =
            memory_checked(strdup(json_string_value(value)));
    return json_is_string(value);
}

static bool take_field(const Reader *reader, const Field *field) {
    json_t *value = json_object_get(reader->record, field->name);
    if (!value)
        return !reader->is_machine || field->need == NOT ||
               fail(reader, field->name, "is missing");
    if (take_value(reader, field, value)) {
        note(reader->result, field->name);
        return true;
    }
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    char what[RESULT_WHY_MAX / 2];
    snprintf(what, sizeof what, "is %.40s%s", text ? text : "",
             text && strlen(text) > 40 ? "..." : "");
    free(text);
    return fail(reader, field->name, what);
}

/* Fields without a row: the machine has none, those of a model are not read. */
static bool check_others(const Reader *reader) {
    static const Field any = {.shape = TREE, .low = -INFINITY, .high = INFINITY};
    const char *name;
    const json_t *value;
    json_object_foreach ((json_t *)reader->record, name, value) {
        const bool known = find(name) < RESULT_FIELDS;
        if (!known && reader->is_machine)
            return fail(reader, name, "is no field");
        if (!known && !json_is_null(value) && !is_tree(value, &any))
            return fail(reader, name, "is no figure");
    }
    return true;
}

/* ---- all fields ------------------------------------------------------------------ */

static bool is_stop(const Reader *reader, const char *stop) {
    return strcmp(reader->result->stop, stop) == 0;
}

static bool check_model_end(const Reader *reader) {
    static const char *const ends[] = {"solved", "clipped", "saturated",
                                       "not converged"}; /* models/solve.h */
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (is_stop(reader, ends[i]))
            return reader->result->status == 0 ||
                   fail(reader, "status", "is not that of a model");
    return fail(reader, "stop", "is no end of a model");
}

/* A run that may be cut has status 0 if it is cut or deadlocks. */
static bool check_end(const Reader *reader) {
    const double status = reader->result->status;
    if (!reader->is_machine)
        return check_model_end(reader);
    const bool was_cut = is_stop(reader, "limit");
    const bool stuck = is_stop(reader, "deadlock");
    if (is_stop(reader, "exit"))
        return status >= 0 || fail(reader, "status", "is none of an exit");
    if (!was_cut && !stuck && !is_stop(reader, "idle") && !is_stop(reader, "stopped"))
        return fail(reader, "stop", "is no end of a run");
    const bool planned = strstr(reader->result->key, " cut=") && (was_cut || stuck);
    return status == (planned ? 0 : -1) || fail(reader, "status", "does not fit stop");
}

/* The overflows by place, in the order of ranks, must add up to the counts. */
static bool check_places(const Reader *reader) {
    const Result *r = reader->result;
    double sum = 0, last = -1, first = NAN;
    const double nodes = (double)reader->size[0] * reader->size[1] * reader->size[2];
    for (size_t i = 0; i < r->places.count; i++) {
        const double *place = result_row(&r->places, i);
        if (place[0] <= last || place[0] >= nodes || place[1] < 1)
            return fail(reader, "places", "are no places of overflows");
        last = place[0];
        sum += place[1];
        first = fmin(first, place[2]);
    }
    if (sum != r->overflows)
        return fail(reader, "overflows", "are not those at places");
    return (isnan(first) ? isnan(r->first_overflow) : first == r->first_overflow) ||
           fail(reader, "first_overflow", "is not that at places");
}

static bool check_machine(const Reader *reader) {
    if (reader->result->T > reader->result->cycles)
        return fail(reader, "T", "is more than cycles");
    if (reader->result->deadlock != is_stop(reader, "deadlock"))
        return fail(reader, "deadlock", "does not fit stop");
    return check_places(reader);
}

/* Reads the size of the machine in the key. */
static bool read_size(Reader *reader, const char *key) {
    static const unsigned most[3] = {JM_MAX_X, JM_MAX_Y, JM_MAX_Z};
    unsigned *size = reader->size;
    const char *at = strstr(key, "mesh=");
    if (!at)
        return !reader->is_machine;
    if (sscanf(at, "mesh=%ux%ux%u", &size[0], &size[1], &size[2]) != 3)
        return false;
    for (unsigned d = 0; d < 3; d++)
        if (size[d] < 1 || size[d] > most[d])
            return false;
    return true;
}

static bool read_all(Reader *reader) {
    const char *key = json_string_value(json_object_get(reader->record, "key"));
    result_add_text(reader->result, "key", key);
    reader->is_machine = result_is_machine(reader->result);
    if (!read_size(reader, key))
        return fail(reader, "key", "names no size of a machine");
    if (!json_is_string(json_object_get(reader->record, "stop")))
        return fail(reader, "stop", "is missing");
    for (unsigned i = RESULT_key + 1; i < RESULT_FIELDS; i++)
        if (!take_field(reader, &fields[i]))
            return false;
    return check_others(reader) && check_end(reader) &&
           (!reader->is_machine || check_machine(reader));
}

Result *result_read(const json_t *record, char why[RESULT_WHY_MAX]) {
    Reader reader = {.record = record, .result = make(), .why = why};
    if (read_all(&reader))
        return reader.result;
    result_free(reader.result);
    return NULL;
}
