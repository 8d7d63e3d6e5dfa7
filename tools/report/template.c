/* Renders templates; template.h lists the tags. */
#include "tools/report/template.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 63 };

/* The objects in which a name is looked up, innermost first. */
typedef struct Scope {
    const json_t *value;
    const struct Scope *outer;
} Scope;

typedef struct {
    char kind; /* '#', '?', '^', '/', '{' (as it is) or 'v' */
    char name[NAME_MAX_LENGTH + 1];
    const char *start,
        *end; /* first byte of the tag in the text, and the byte behind it */
} Tag;

static bool fail(JmError *error, const Tag *tag, const char *what) {
    return jm_fail(error, "template", "{{%s}}: %s", tag->name, what);
}

/* Finds the next tag; its `start` is NULL if there is none. */
static bool next_tag(const char *text, Tag *tag, JmError *error) {
    *tag = (Tag){.kind = 'v', .start = strstr(text, "{{")};
    if (!tag->start)
        return true;
    const char *name = tag->start + 2;
    if (*name && strchr("#?^/{", *name))
        tag->kind = *name++;
    const char *close = tag->kind == '{' ? "}}}" : "}}";
    const char *end = strstr(name, close);
    if (!end || end - name > NAME_MAX_LENGTH)
        return jm_fail(error, "template", "a tag is not closed: %.20s", tag->start);
    memcpy(tag->name, name, (size_t)(end - name));
    tag->end = end + strlen(close);
    return true;
}

/* Looks a name up: the innermost object that has it counts. */
static const json_t *look_up(const Scope *scope, const char *name) {
    if (strcmp(name, ".") == 0)
        return scope->value;
    for (; scope; scope = scope->outer) {
        const json_t *found = json_object_get(scope->value, name);
        if (found)
            return found;
    }
    return NULL;
}

/* Whether a section is shown for a value: zero counts as present, an empty text or list
 * does not. */
static bool is_there(const json_t *value) {
    if (json_is_string(value))
        return json_string_length(value) > 0;
    if (json_is_array(value))
        return json_array_size(value) > 0;
    return value && !json_is_null(value) && !json_is_false(value);
}

/* HTML allows no control characters but blanks that set text. */
static bool is_control(char c) {
    return ((unsigned char)c < ' ' && !strchr("\t\n", c)) || c == 0x7f;
}

/* Escapes a text so that it is safe between tags and in quoted attributes. */
static void put_escaped(FILE *out, const char *text) {
    for (; *text; text++)
        switch (is_control(*text) ? '\0' : *text) {
        case '\0':
            fputs("\uFFFD", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            putc(*text, out);
        }
}

/* Lists and objects print nothing; they are meant for sections. */
static void put_value(FILE *out, const json_t *value, bool raw) {
    if (json_is_string(value) && raw)
        fputs(json_string_value(value), out);
    else if (json_is_string(value))
        put_escaped(out, json_string_value(value));
    else if (json_is_integer(value))
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        fprintf(out, "%.4g", json_real_value(value));
}

static bool opens_section(const Tag *tag) {
    return strchr("#?^", tag->kind) != NULL;
}

/* Finds the closing tag of the section that `open` begins. */
static bool find_close(const Tag *open, Tag *close, JmError *error) {
    unsigned depth = 1;
    const char *text = open->end;
    while (depth) {
        if (!next_tag(text, close, error))
            return false;
        if (!close->start)
            return fail(error, open, "this section is not closed");
        if (strcmp(close->name, open->name) == 0 && close->kind == '/')
            depth--;
        else if (strcmp(close->name, open->name) == 0 && opens_section(close))
            depth++;
        text = close->end;
    }
    return true;
}

static bool render(FILE *out, const char *text, const char *end, const Scope *scope,
                   JmError *error);

/* Renders the part between two tags: not at all, once, or once for each element. */
static bool render_section(FILE *out, const Tag *open, const Tag *close,
                           const Scope *scope, JmError *error) {
    const json_t *value = look_up(scope, open->name);
    if (is_there(value) == (open->kind == '^'))
        return true;
    if (open->kind != '#')
        return render(out, open->end, close->start, scope, error);
    if (!json_is_array(value)) {
        const Scope inner = {value, scope};
        return render(out, open->end, close->start, &inner, error);
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        const Scope inner = {json_array_get(value, i), scope};
        if (!render(out, open->end, close->start, &inner, error))
            return false;
    }
    return true;
}

/* Renders the text from `text` to `end`, which may be a part of a template. */
static bool render(FILE *out, const char *text, const char *end, const Scope *scope,
                   JmError *error) {
    for (;;) {
        Tag tag, close;
        if (!next_tag(text, &tag, error))
            return false;
        const char *stop = tag.start && tag.start < end ? tag.start : end;
        fwrite(text, 1, (size_t)(stop - text), out);
        if (stop == end)
            return true;
        text = tag.end;
        if (tag.kind == '/')
            return fail(error, &tag, "no section of this name is open");
        if (opens_section(&tag)) {
            if (!find_close(&tag, &close, error) ||
                !render_section(out, &tag, &close, scope, error))
                return false;
            text = close.end;
        } else
            put_value(out, look_up(scope, tag.name), tag.kind == '{');
    }
}

bool template_render(FILE *out, const char *text, const json_t *values,
                     JmError *error) {
    const Scope scope = {values, NULL};
    return render(out, text, text + strlen(text), &scope, error);
}
