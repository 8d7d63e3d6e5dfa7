/* The values of jansson.h: trees with one owner. Members keep the order in which they
 * were set. A value for which there is no memory, or that JSON lacks, is NULL, and a
 * container that is given NULL omits it, as in Jansson. */
#include "tools/web/bare/include/jansson.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"

typedef enum { NONE, INTEGER, REAL, STRING, OBJECT, ARRAY } Kind;

typedef struct {
    char *key; /* NULL in arrays */
    json_t *value;
} Member;

struct json_t {
    Kind kind;
    json_int_t integer;
    double real;
    char *text;
    Member *member;
    size_t count, capacity;
};

enum { DIGITS_SHIFT = 11, DIGITS_MASK = 31, REAL_SIZE = 48 };

static json_t *new_value(Kind kind) {
    json_t *value = calloc(1, sizeof *value);
    if (value)
        value->kind = kind;
    return value;
}

json_t *json_null(void) {
    return new_value(NONE);
}

json_t *json_integer(json_int_t number) {
    json_t *value = new_value(INTEGER);
    if (value)
        value->integer = number;
    return value;
}

json_t *json_real(double number) {
    json_t *value = isfinite(number) ? new_value(REAL) : NULL;
    if (value)
        value->real = number;
    return value;
}

json_t *json_string(const char *text) {
    json_t *value = jm_is_utf8(text, strlen(text)) ? new_value(STRING) : NULL;
    if (value && !(value->text = strdup(text))) {
        free(value);
        return NULL;
    }
    return value;
}

json_t *json_object(void) {
    return new_value(OBJECT);
}

json_t *json_array(void) {
    return new_value(ARRAY);
}

const char *json_string_value(const json_t *string) {
    return string ? string->text : NULL;
}

json_int_t json_integer_value(const json_t *integer) {
    return integer ? integer->integer : 0;
}

int json_is_number(const json_t *value) {
    return value && (value->kind == INTEGER || value->kind == REAL);
}

double json_number_value(const json_t *number) {
    if (!json_is_number(number))
        return 0;
    return number->kind == INTEGER ? (double)number->integer : number->real;
}

json_t *json_object_get(const json_t *object, const char *key) {
    for (size_t i = 0; object && i < object->count; i++)
        if (object->member[i].key && strcmp(object->member[i].key, key) == 0)
            return object->member[i].value;
    return NULL;
}

void json_decref(json_t *value) {
    if (!value)
        return;
    for (size_t i = 0; i < value->count; i++) {
        free(value->member[i].key);
        json_decref(value->member[i].value);
    }
    free(value->member);
    free(value->text);
    free(value);
}

/* Takes over key and value; -1 without memory, and both are gone. */
static int append(json_t *container, char *key, json_t *value) {
    if (container->count == container->capacity) {
        const size_t room = container->capacity ? 2 * container->capacity : 4;
        Member *grown = realloc(container->member, room * sizeof *grown);
        if (!grown) {
            free(key);
            json_decref(value);
            return -1;
        }
        container->member = grown;
        container->capacity = room;
    }
    container->member[container->count++] = (Member){key, value};
    return 0;
}

int json_object_set_new(json_t *object, const char *key, json_t *value) {
    if (!object || !key || !value || !jm_is_utf8(key, strlen(key))) {
        json_decref(value);
        return -1;
    }
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->member[i].key, key) == 0) {
            json_decref(object->member[i].value);
            object->member[i].value = value;
            return 0;
        }
    char *copy = strdup(key);
    if (copy)
        return append(object, copy, value);
    json_decref(value);
    return -1;
}

int json_array_append_new(json_t *array, json_t *value) {
    return array && value ? append(array, NULL, value) : -1;
}

json_t *json_pack(const char *format, ...) {
    va_list arguments;
    json_t *container = *format == '{' ? json_object() : json_array();
    const char *key = NULL;
    va_start(arguments, format);
    for (const char *c = format; *c; c++) {
        json_t *value = NULL;
        if (*c == 's')
            key = va_arg(arguments, const char *);
        else if (*c == 'o')
            value = va_arg(arguments, json_t *);
        else if (*c == 'f')
            value = json_real(va_arg(arguments, double));
        else if (*c == 'i')
            value = json_integer(va_arg(arguments, int));
        else
            continue;
        if (value && *format == '{')
            json_object_set_new(container, key, value);
        else if (value)
            json_array_append_new(container, value);
    }
    va_end(arguments);
    return container;
}

/* ---- writing --------------------------------------------------------------------- */

/* A real has a point or an exponent, and no '+' or leading zero in the exponent. */
static void write_real(double value, int digits, FILE *out) {
    char text[REAL_SIZE];
    snprintf(text, sizeof text, "%.*g", digits ? digits : 17, value);
    char *exponent = strchr(text, 'e');
    if (!exponent) {
        fprintf(out, "%s%s", text, strchr(text, '.') ? "" : ".0");
        return;
    }
    char *from = exponent + 1, *to = exponent + 1;
    to += *from == '-';
    from += *from == '-' || *from == '+';
    while (*from == '0' && from[1])
        from++;
    memmove(to, from, strlen(from) + 1);
    fputs(text, out);
}

static void write_string(const char *text, FILE *out) {
    static const char plain[] = "\b\f\n\r\t\"\\", letter[] = "bfnrt\"\\";
    putc('"', out);
    for (; *text; text++) {
        const char *escaped = strchr(plain, *text);
        if (escaped)
            fprintf(out, "\\%c", letter[escaped - plain]);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04X", (unsigned char)*text);
        else
            putc(*text, out);
    }
    putc('"', out);
}

static void write_value(const json_t *value, int digits, FILE *out) {
    const bool object = value->kind == OBJECT;
    if (value->kind == NONE)
        fputs("null", out);
    else if (value->kind == INTEGER)
        fprintf(out, "%lld", value->integer);
    else if (value->kind == REAL)
        write_real(value->real, digits, out);
    else if (value->kind == STRING)
        write_string(value->text, out);
    if (value->kind != OBJECT && value->kind != ARRAY)
        return;
    putc(object ? '{' : '[', out);
    for (size_t i = 0; i < value->count; i++) {
        if (i)
            putc(',', out);
        if (object) {
            write_string(value->member[i].key, out);
            putc(':', out);
        }
        write_value(value->member[i].value, digits, out);
    }
    putc(object ? '}' : ']', out);
}

int json_dumpf(const json_t *value, FILE *out, size_t flags) {
    if (!value)
        return -1;
    write_value(value, (int)(flags >> DIGITS_SHIFT) & DIGITS_MASK, out);
    return ferror(out) ? -1 : 0;
}
