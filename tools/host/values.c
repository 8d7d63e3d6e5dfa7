/* Makes JSON values; see values.h. */
#include "tools/host/values.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"

json_t *jvalue_text(const char *bytes) {
    if (!bytes)
        return json_null();
    const size_t size = strlen(bytes) * JM_UTF8_FACTOR + 1;
    char *valid = malloc(size);
    json_t *text = valid ? json_string(jm_utf8(bytes, valid, size)) : NULL;
    free(valid);
    return text;
}

json_t *jvalue_text_of(const char *bytes, size_t size) {
    char *copy = strndup(bytes, size);
    json_t *text = copy ? jvalue_text(copy) : NULL;
    free(copy);
    return text;
}

json_t *jvalue_textf(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *bytes = length < 0 ? NULL : malloc((size_t)length + 1);
    if (bytes)
        vsnprintf(bytes, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    json_t *text = bytes ? jvalue_text(bytes) : NULL;
    free(bytes);
    return text;
}

void jvalue_set(json_t *object, const char *name, json_t *value) {
    json_t *key = jvalue_text(name);
    json_object_set_new(object, json_string_value(key), value);
    json_decref(key);
}

json_t *jvalue_number(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}
