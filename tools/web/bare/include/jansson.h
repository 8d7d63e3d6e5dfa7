/* The part of the Jansson library that jm's statistics need, where it is absent: values
 * that are made once and written compactly. Functions are as in Jansson. */
#ifndef JM_WEB_JANSSON_H
#define JM_WEB_JANSSON_H

#include <stddef.h>
#include <stdio.h>

typedef struct json_t json_t;
typedef long long json_int_t;

enum { JSON_COMPACT = 0x20, JSON_ENCODE_ANY = 0x200 };
/* Jansson has the digits in bits 11 to 15. */
#define JSON_REAL_PRECISION(digits) ((digits) << 11)

json_t *json_null(void);
json_t *json_integer(json_int_t value);
json_t *json_real(double value);       /* NULL if it is not finite */
json_t *json_string(const char *text); /* NULL if it is not UTF-8 */
json_t *json_object(void);
json_t *json_array(void);
const char *json_string_value(const json_t *string);
json_int_t json_integer_value(const json_t *integer); /* 0 of others */
double json_number_value(const json_t *number);       /* 0 of others */
int json_is_number(const json_t *value);
json_t *json_object_get(const json_t *object, const char *key); /* NULL: none */
/* Replaces the member if there is one of that name. */
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_array_append_new(json_t *array, json_t *value);
/* Knows objects {s:v, ...} and arrays [v, ...] of o, f and i. */
json_t *json_pack(const char *format, ...);
/* Writes compactly, whatever the flags say, with the precision that they say. */
int json_dumpf(const json_t *value, FILE *out, size_t flags);
/* A value has one owner. */
void json_decref(json_t *value);

#endif
