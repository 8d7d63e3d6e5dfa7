/* Reads options of specifications; see options.h. */
#include "net/graph/options.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"

int net_name_find(const char *text, const char *kind, const char *wanted,
                  const char *const *names, const char *const *forms, unsigned count,
                  JmError *error) {
    char list[400] = "";
    JmSuggestion near = jm_suggest_start(wanted);
    for (unsigned i = 0; i < count; i++) {
        const size_t length = strlen(list);
        if (strcmp(names[i], wanted) == 0)
            return (int)i;
        snprintf(list + length, sizeof list - length, "%s%s", length ? "|" : "",
                 forms[i]);
        jm_suggest_consider(&near, names[i]);
    }
    jm_fail(error, NULL, "'%s': no %s '%s'; %s%s%s", text, kind, wanted,
            count ? "expected one of " : "there is none", list,
            jm_suggest_text(&near, "", ""));
    return -1;
}

/* ---- words ----------------------------------------------------------------------- */

/* Writes the text up to `end` or the end of a list, and moves behind both. */
static void take_word(const char **list, char end, char word[NET_WORD_MAX]) {
    const size_t length = strcspn(*list, (const char[]){end, '\0'});
    snprintf(word, NET_WORD_MAX, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == end);
}

int net_word_value(const char *words, const char *word) {
    char spellings[NET_WORD_MAX], spelling[NET_WORD_MAX];
    for (int place = 0; *words; place++) {
        take_word(&words, '|', spellings);
        for (const char *at = spellings; *at;) {
            take_word(&at, '/', spelling);
            if (strcmp(spelling, word) == 0)
                return place;
        }
    }
    return -1;
}

bool net_word_of(const char *words, unsigned value, char word[NET_WORD_MAX]) {
    for (unsigned place = 0; place < value && *words; place++)
        take_word(&words, '|', word);
    take_word(&words, '|', word);
    word[strcspn(word, "/")] = '\0';
    return *word;
}

/* ---- reading --------------------------------------------------------------------- */

const NetOption *net_option_find(const NetOption *options, const char *name) {
    for (; options && options->name; options++)
        if (strcmp(options->name, name) == 0)
            return options;
    return NULL;
}

static const NetOption *find_option(const NetOption *options, const char *text,
                                    const char *name, JmError *error) {
    const char *names[NET_OPTIONS];
    unsigned count = 0;
    for (; options && options[count].name; count++)
        names[count] = options[count].name;
    const int place = net_name_find(text, "option", name, names, names, count, error);
    return place < 0 ? NULL : &options[place];
}

/* A decimal number up to ',' or the end. */
static bool parse_number(const char *at, double *value) {
    char *end;
    if (strspn(at, "0123456789.") == 0)
        return false;
    *value = strtod(at, &end);
    return strspn(at, "0123456789.eE+-") >= (size_t)(end - at) && isfinite(*value) &&
           (*end == 0 || *end == ',');
}

static bool read_number(const NetOption *option, const char *text, const char *at,
                        double *value, JmError *error) {
    const char *name = option->name;
    if (!parse_number(at, value))
        return jm_fail(error, NULL, "'%s': a number is expected for %s", text, name);
    if (*value < option->low || *value > option->high)
        return jm_fail(error, NULL, "'%s': %s is %.10g, not %.10g to %.10g", text, name,
                       *value, option->low, option->high);
    return option->kind != NET_OPTION_WHOLE || *value == floor(*value) ||
           jm_fail(error, NULL, "'%s': %s is %.10g, no whole number", text, name,
                   *value);
}

static bool read_word(const NetOption *option, const char *text, const char *at,
                      double *value, JmError *error) {
    char word[NET_WORD_MAX], expected[512];
    if (*at == '\0' || *at == ',')
        return jm_fail(error, NULL, "'%s': a value is expected for %s", text,
                       option->name);
    take_word(&at, ',', word);
    const int place = net_word_value(option->words, word);
    *value = place;
    if (place >= 0)
        return true;
    jm_suggest_one_of(option->words, word, expected, sizeof expected);
    return jm_fail(error, NULL, "'%s': %s=%s: expected %s", text, option->name, word,
                   expected);
}

static bool read_value(const NetOption *option, const char *text, const char *at,
                       double *value, JmError *error) {
    const bool named = option->words && !isdigit((unsigned char)*at);
    if (option->kind == NET_OPTION_TEXT)
        return true;
    return option->kind == NET_OPTION_WORD || named
               ? read_word(option, text, at, value, error)
               : read_number(option, text, at, value, error);
}

/* Reads an option and its value, and moves behind both. */
static bool read_option(const NetOption *options, const char *text, const char **at,
                        NetOptionValues *values, JmError *error) {
    char name[NET_WORD_MAX];
    const size_t length = strcspn(*at, ",=");
    if (length == 0 || length >= sizeof name)
        return jm_fail(error, NULL, "'%s': the name of an option is expected", text);
    snprintf(name, sizeof name, "%.*s", (int)length, *at);
    const NetOption *option = find_option(options, text, name, error);
    if (!option)
        return false;
    const ptrdiff_t place = option - options;
    if (values->text[place])
        return jm_fail(error, NULL, "'%s': %s is given twice", text, name);
    if ((*at)[length] != '=')
        return jm_fail(error, NULL, "'%s': '=' is expected behind %s", text, name);
    *at += length + 1;
    values->text[place] = *at;
    if (!read_value(option, text, *at, &values->number[place], error))
        return false;
    *at += strcspn(*at, ",");
    return true;
}

bool net_options_read(const NetOption *options, const char *text, const char *at,
                      NetOptionValues *values, JmError *error) {
    *values = (NetOptionValues){.number = {0}};
    for (unsigned i = 0; options && options[i].name; i++)
        values->number[i] = options[i].standard;
    while (at) {
        if (!read_option(options, text, &at, values, error))
            return false;
        at = *at ? at + 1 : NULL;
    }
    return true;
}
