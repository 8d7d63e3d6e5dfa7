/* JSON values from untrusted contents. All text from outside (names of files and
 * symbols, arguments) and all numbers that may not be finite enter JSON here: the
 * library rejects both, and with them the whole object. NULL means out of memory. For
 * all tools. */
#ifndef JM_TOOLS_HOST_VALUES_H
#define JM_TOOLS_HOST_VALUES_H

#include <jansson.h>

/* Returns a text, which may have any bytes: those that are not UTF-8 become U+FFFD.
 * NULL becomes null. */
json_t *jvalue_text(const char *bytes);
/* The same of a text that was malloc'ed, which it frees. */
json_t *jvalue_taken(char *bytes);
/* Returns `size` bytes as such a text; zero bytes, too, become U+FFFD. */
json_t *jvalue_text_of(const char *bytes, size_t size);
/* Returns a text made as by printf(). */
json_t *jvalue_textf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Sets a member whose name may have any bytes; takes `value` over. */
void jvalue_set(json_t *object, const char *name, json_t *value);
/* Returns a number; null if it is not finite. */
json_t *jvalue_number(double number);

#endif
