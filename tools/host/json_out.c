/* Writes JSON value by value; see json_out.h. */
#include "tools/host/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/host/memory.h"

enum { REAL_DIGITS = 9, REAL_SIZE = 48 };

static void put_escaped(FILE *out, const char *text) {
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

void jout_string(FILE *out, const char *text) {
    if (jm_is_utf8(text, strlen(text))) {
        put_escaped(out, text);
        return;
    }
    const size_t size = strlen(text) * JM_UTF8_FACTOR + 1;
    char *valid = memory_array(size, 1);
    put_escaped(out, jm_utf8(text, valid, size));
    free(valid);
}

void jout_begin(Json *json, double number) {
    if (json->more)
        putc(',', json->out);
    if (json->line)
        fputs(json->line, json->out);
    if (json->key) {
        jout_string(json->out, json->key);
        putc(':', json->out);
    }
    json->key = json->line = NULL;
    json->more = true;
    json->number = number;
}

void jout_open(Json *json, char bracket) {
    jout_begin(json, NAN);
    putc(bracket, json->out);
    json->more = false;
}

void jout_close(Json *json, char bracket) {
    putc(bracket, json->out);
    json->more = true;
    json->number = NAN;
}

void jout_null(Json *json) {
    jout_begin(json, NAN);
    fputs("null", json->out);
}

void jout_integer(Json *json, int64_t value) {
    jout_begin(json, (double)value);
    fprintf(json->out, "%" PRId64, value);
}

void jout_unsigned(Json *json, uint64_t value) {
    jout_begin(json, (double)value);
    fprintf(json->out, "%" PRIu64, value);
}

/* A real has a point or an exponent, and no '+' or leading zero in the exponent. */
void jout_real(Json *json, double value) {
    char text[REAL_SIZE];
    if (!isfinite(value)) {
        jout_null(json);
        return;
    }
    jout_begin(json, value);
    snprintf(text, sizeof text, "%.*g", REAL_DIGITS, value);
    char *exponent = strchr(text, 'e');
    if (!exponent) {
        fprintf(json->out, "%s%s", text, strchr(text, '.') ? "" : ".0");
        return;
    }
    char *from = exponent + 1, *to = exponent + 1;
    to += *from == '-';
    from += *from == '-' || *from == '+';
    while (*from == '0' && from[1])
        from++;
    memmove(to, from, strlen(from) + 1);
    fputs(text, json->out);
}

void jout_text(Json *json, const char *text) {
    jout_begin(json, NAN);
    if (text)
        jout_string(json->out, text);
    else
        fputs("null", json->out);
}
