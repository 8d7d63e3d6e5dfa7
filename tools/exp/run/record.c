/* Checks records against record.def, and their fields against each other. */
#include "tools/exp/run/record.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/plan/setting_rows.h"

typedef enum {
    WHOLE,
    REAL,
    TEXT,
    TEXTS,
    NODES,
    CUTS,
    DEEP,
    ROWS2 = 12,
    ROWS3,
    ROWS4
} Shape;
enum { ROWS0 = ROWS2 - 2 };
typedef enum { NOT, NULLED, MACHINE } Need;

/* A row of record.def. */
typedef struct {
    const char *name;
    Shape shape;
    double low, high;
    Need need;
} Field;

static const Field fields[] = {
#define FIELD(name, ...) {#name, __VA_ARGS__},
#include "tools/exp/run/record.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Rounding of a model's figures. */
static const double rounding = 1e-9;

/* A record being checked. */
typedef struct {
    const json_t *record;
    const char *key;
    bool is_machine;
    unsigned size[3]; /* of the machine; 0: the key has no mesh */
    char *why;
} Check;

static bool fail(const Check *check, const char *name, const char *what) {
    snprintf(check->why, RECORD_WHY_MAX, "%s %s", name, what);
    return false;
}

/* ---- one field ------------------------------------------------------------------- */

static bool is_number(const json_t *value, const Field *field, bool whole) {
    const double number = json_number_value(value);
    return json_is_number(value) && number >= field->low - rounding &&
           number <= field->high + rounding && (!whole || number == floor(number));
}

static bool is_deep(const json_t *value, const Field *field);

static bool are_deep(const json_t *list, const Field *field) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!is_deep(json_array_get(list, i), field))
            return false;
    return true;
}

/* Whether all numbers in a value are in range. */
static bool is_deep(const json_t *value, const Field *field) {
    const char *name;
    const json_t *item;
    if (json_is_array(value))
        return are_deep(value, field);
    if (!json_is_object(value))
        return is_number(value, field, false);
    json_object_foreach ((json_t *)value, name, item) {
        if (!is_deep(item, field))
            return false;
    }
    return true;
}

/* Whether a value is a list of `count` numbers. */
static bool is_list(const json_t *value, const Field *field, size_t count, bool whole) {
    if (!json_is_array(value) || json_array_size(value) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_number(json_array_get(value, i), field, whole))
            return false;
    return true;
}

static bool is_rows(const json_t *value, const Field *field, size_t columns) {
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!is_list(json_array_get(value, i), field, columns, true))
            return false;
    return json_is_array(value);
}

static bool is_texts(const json_t *value) {
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!json_is_string(json_array_get(value, i)))
            return false;
    return json_is_array(value);
}

static bool has_shape(const Check *check, const Field *field, const json_t *value) {
    const unsigned *size = check->size;
    if (json_is_null(value))
        return field->shape != TEXT && (!check->is_machine || field->need != MACHINE);
    switch (field->shape) {
    case WHOLE:
    case REAL:
        return is_number(value, field, field->shape == WHOLE);
    case TEXT:
        return json_is_string(value);
    case TEXTS:
        return is_texts(value);
    case NODES:
        return is_list(value, field, (size_t)size[0] * size[1] * size[2], true);
    case CUTS:
        return is_list(value, field, size[0] - 1, false);
    case DEEP:
        return (!check->is_machine || !json_is_number(value)) && is_deep(value, field);
    default:
        return is_rows(value, field, field->shape - ROWS0);
    }
}

static bool check_field(const Check *check, const Field *field) {
    const json_t *value = json_object_get(check->record, field->name);
    if (!value)
        return !check->is_machine || field->need == NOT ||
               fail(check, field->name, "is missing");
    if (has_shape(check, field, value))
        return true;
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    char what[RECORD_WHY_MAX / 2];
    snprintf(what, sizeof what, "is %.40s%s", text ? text : "",
             text && strlen(text) > 40 ? "..." : "");
    free(text);
    return fail(check, field->name, what);
}

/* Fields without a row: allowed for models, not for the machine. */
static bool check_others(const Check *check) {
    static const Field any = {
        .shape = DEEP, .low = -INFINITY, .high = INFINITY, .need = NOT};
    const char *name;
    const json_t *value;
    json_object_foreach ((json_t *)check->record, name, value) {
        bool known = false;
        for (unsigned i = 0; i < FIELDS && !known; i++)
            known = strcmp(fields[i].name, name) == 0;
        if (!known && (check->is_machine || !has_shape(check, &any, value)))
            return fail(check, name,
                        check->is_machine ? "is no field" : "is no figure");
    }
    return true;
}

/* ---- all fields ------------------------------------------------------------------ */

static double number_of(const Check *check, const char *name) {
    const json_t *value = json_object_get(check->record, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool is_stop(const Check *check, const char *stop) {
    return strcmp(json_string_value(json_object_get(check->record, "stop")), stop) == 0;
}

static bool check_model_end(const Check *check) {
    static const char *const ends[] = {"solved", "clipped", "saturated",
                                       "not converged"}; /* models/solve.h */
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (is_stop(check, ends[i]))
            return number_of(check, "status") == 0 ||
                   fail(check, "status", "is not that of a model");
    return fail(check, "stop", "is no end of a model");
}

/* A run that may be cut has status 0 if it is cut or deadlocks. */
static bool check_end(const Check *check) {
    const double status = number_of(check, "status");
    if (!check->is_machine)
        return check_model_end(check);
    const bool was_cut = is_stop(check, "limit");
    const bool stuck = is_stop(check, "deadlock");
    if (is_stop(check, "exit"))
        return status >= 0 || fail(check, "status", "is none of an exit");
    if (!was_cut && !stuck && !is_stop(check, "idle") && !is_stop(check, "stopped"))
        return fail(check, "stop", "is no end of a run");
    const bool planned = strstr(check->key, " cut=") && (was_cut || stuck);
    return status == (planned ? 0 : -1) || fail(check, "status", "does not fit stop");
}

/* The overflows by place, in the order of ranks, must add up to the counts. */
static bool check_places(const Check *check) {
    const json_t *places = json_object_get(check->record, "places");
    double sum = 0, last = -1, first = NAN;
    const double nodes = (double)check->size[0] * check->size[1] * check->size[2];
    for (size_t i = 0; i < json_array_size(places); i++) {
        const json_t *place = json_array_get(places, i);
        const double node = json_number_value(json_array_get(place, 0));
        if (node <= last || node >= nodes ||
            json_number_value(json_array_get(place, 1)) < 1)
            return fail(check, "places", "are no places of overflows");
        last = node;
        sum += json_number_value(json_array_get(place, 1));
        first = fmin(first, json_number_value(json_array_get(place, 2)));
    }
    const double told = number_of(check, "first_overflow");
    if (sum != number_of(check, "overflows"))
        return fail(check, "overflows", "are not those at places");
    return (isnan(first) ? isnan(told) : first == told) ||
           fail(check, "first_overflow", "is not that at places");
}

static bool check_machine(const Check *check) {
    if (number_of(check, "T") > number_of(check, "cycles"))
        return fail(check, "T", "is more than cycles");
    if (number_of(check, "deadlock") != is_stop(check, "deadlock"))
        return fail(check, "deadlock", "does not fit stop");
    return check_places(check);
}

/* Reads the size of the machine in the key. */
static bool read_size(Check *check) {
    const char *at = strstr(check->key, "mesh=");
    char text[SETTING_TEXT_MAX] = "";
    if (!at)
        return !check->is_machine;
    at += strlen("mesh=");
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, " "), at);
    return setting_parse_mesh(text, check->size);
}

bool record_check(const json_t *record, char why[RECORD_WHY_MAX]) {
    Check check = {.record = record,
                   .key = json_string_value(json_object_get(record, "key")),
                   .why = why};
    check.is_machine = strncmp(check.key, "model=", strlen("model=")) != 0;
    if (!read_size(&check))
        return fail(&check, "key", "names no size of a machine");
    if (!json_is_string(json_object_get(record, "stop")))
        return fail(&check, "stop", "is missing");
    for (unsigned i = 0; i < FIELDS; i++)
        if (!check_field(&check, &fields[i]))
            return false;
    return check_others(&check) && check_end(&check) &&
           (!check.is_machine || check_machine(&check));
}
