/* Makes JSON values; see values.h. */
#include "tools/host/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/host/memory.h"

json_t *jvalue_text(const char *bytes) {
    if (!bytes)
        return json_null();
    const size_t size = strlen(bytes) * JM_UTF8_FACTOR + 1;
    char *valid = memory_array(size, 1);
    json_t *text = json_string(jm_utf8(bytes, valid, size));
    free(valid);
    return text;
}

json_t *jvalue_taken(char *bytes) {
    json_t *text = jvalue_text(bytes);
    free(bytes);
    return text;
}

json_t *jvalue_text_of(const char *bytes, size_t size) {
    char *text = memory_array(size + 1, 1);
    for (size_t i = 0; i < size; i++)
        text[i] = bytes[i] ? bytes[i] : '\xFF'; /* which no text in UTF-8 has */
    text[size] = '\0';
    return jvalue_taken(text);
}

json_t *jvalue_textf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *bytes = memory_vtext(format, arguments);
    va_end(arguments);
    return jvalue_taken(bytes);
}

void jvalue_set(json_t *object, const char *name, json_t *value) {
    json_t *key = jvalue_text(name);
    json_object_set_new(object, json_string_value(key), value);
    json_decref(key);
}

json_t *jvalue_number(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}
