/* Makes hostile results folders for the tests of the report, and checks its page.
 *
 *   hostile all FROM TO STRING   copies a folder of experiments, with every text of its
 *                                data replaced by string number STRING (0: harmless)
 *   hostile some FROM TO SEED    the same with some values of any kind, including names
 *                                of columns, replaced by others of any kind
 *   hostile strings              prints the number of strings
 *   hostile skeleton PAGE        prints the elements and attributes of a page, each
 *                                drawing as one; status 1 if they are not properly
 *                                nested
 *
 * If a command in one of the strings is executed, it leaves a file PWNED. */
#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

static const char *const strings[] = {
    "harmless",
    "h\n!touch PWNED\n#",
    "h'\n!touch PWNED\nsystem('touch PWNED')\n#",
    "`touch PWNED` $(touch PWNED)",
    "\"; system(\"touch PWNED\"); print \"",
    "'.system('touch PWNED').'",
    "''.system('touch PWNED').''\\",
    "''.system(\"touch PWNED\").''",
    "'"
    "''.system(\"touch PWNED\").''"
    "'",
    "| touch PWNED",
    "< touch PWNED",
    "@extra @place @thin {/Symbol=99 a}_b^c \\",
    "</script><script>pwned()</script><!-- <script>",
    "\"'><img src=x onerror=pwned()>&amp;&#10;",
    "]]></text></svg><script>pwned()</script>",
    "\x1b[31mred\x07\r\n\x7f",
    "\xef\xbf\xbe\xef\xbf\xbf\xc2\x85 x",
    "javascript:pwned()",
    "../../PWNED",
    "%s%n%999999d",
    "{{{css}}}{{#claims}}{{",
    "1e999",
    "9223372036854775807",
    "-9223372036854775808",
    "nan",
};
enum { STRINGS = sizeof strings / sizeof strings[0] };

/* ---- choices -----------------------------------------------------------------------
 */

typedef struct {
    bool all;        /* every text, by the same */
    const char *one; /* which */
    uint64_t state;  /* of the generator, else */
} Choice;

static unsigned draw(Choice *choice, unsigned count) {
    choice->state = choice->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((choice->state >> 33) % count);
}

static const char *any_string(Choice *choice) {
    return choice->all ? choice->one : strings[draw(choice, STRINGS)];
}

/* ---- JSON --------------------------------------------------------------------------
 */

/* Without these nothing would be drawn or shown. */
static bool is_structure(const char *key) {
    static const char *const keys[] = {"name",   "kind",   "verdict", "outcome",
                                       "column", "series", "error",   "experiment",
                                       "figure", "mesh",   "swept",   NULL};
    unsigned i = 0;
    while (keys[i] && strcmp(keys[i], key) != 0)
        i++;
    return keys[i] != NULL;
}

static json_t *any_value(Choice *choice) {
    switch (draw(choice, 9)) {
    case 0:
        return json_integer(INT64_MAX);
    case 1:
        return json_integer(INT64_MIN);
    case 2:
        return json_real(1e308);
    case 3:
        return json_null();
    case 4:
        return json_true();
    case 5:
        return json_array();
    case 6:
        return json_object();
    default:
        return json_string(any_string(choice));
    }
}

/* What stands instead of a value; NULL: it stays. */
static json_t *other_value(Choice *choice, const char *key, const json_t *value) {
    if (choice->all)
        return json_is_string(value) && !is_structure(key) ? json_string(choice->one)
                                                           : NULL;
    const unsigned share = json_is_object(value) || json_is_array(value) ? 200 : 12;
    return draw(choice, share) == 0 ? any_value(choice) : NULL;
}

static void change(Choice *choice, const char *key, json_t *value) {
    const char *name;
    void *next;
    json_t *item;
    size_t i;
    json_object_foreach_safe (value, next, name, item) {
        json_t *other = other_value(choice, name, item);
        if (other)
            json_object_set_new(value, name, other);
        else
            change(choice, name, item);
    }
    json_array_foreach (value, i, item) {
        json_t *other = other_value(choice, key, item);
        if (other)
            json_array_set_new(value, i, other);
        else
            change(choice, key, item);
    }
}

static void copy_json(Choice *choice, const char *from, const char *to) {
    json_t *root = json_load_file(from, 0, NULL);
    change(choice, "", root);
    if (!root || json_dump_file(root, to, JSON_INDENT(1)) != 0)
        exit(2);
    json_decref(root);
}

/* ---- CSV ---------------------------------------------------------------------------
 */

/* On one line: others are refused. */
static void put_quoted(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text == '\n' ? ' ' : *text, out);
    }
    putc('"', out);
}

static bool is_number(const char *field) {
    char *end;
    strtod(field, &end);
    return *field && !*end;
}

/* Fields without quotes around them, as `jm exp run` writes nearly all. */
static void put_field(Choice *choice, FILE *out, const char *field, bool head) {
    const bool wanted = choice->all
                            ? !head && *field && *field != '"' && !is_number(field)
                            : draw(choice, head ? 2000 : 40) == 0;
    if (wanted && !choice->all && draw(choice, 400) == 0)
        fputs(any_string(choice), out); /* which may not even be a table */
    else if (wanted)
        put_quoted(out, any_string(choice));
    else
        fputs(field, out);
}

static void copy_csv(Choice *choice, const char *from, const char *to) {
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    char *line = NULL;
    size_t size = 0;
    if (!in || !out)
        exit(2);
    for (bool head = true; getline(&line, &size, in) > 0; head = false) {
        char *at = line;
        at[strcspn(at, "\n")] = '\0';
        for (bool more = true; more;) {
            /* A field in quotes goes to its closing quote. */
            char *end =
                at + (*at == '"' ? strcspn(at + 1, "\"") + 2 : strcspn(at, ","));
            more = *end == ',';
            *end = '\0';
            put_field(choice, out, at, head);
            putc(more ? ',' : '\n', out);
            at = end + 1;
        }
    }
    free(line);
    fclose(in);
    fclose(out);
}

/* ---- folders -----------------------------------------------------------------------
 */

static bool ends_in(const char *name, const char *end) {
    const size_t length = strlen(name), size = strlen(end);
    return length > size && strcmp(name + length - size, end) == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int copy_folder(Choice *choice, const char *from, const char *to) {
    struct dirent **list;
    const int count = scandir(from, &list, NULL, by_name);
    for (int i = 0; i < count; i++) {
        char source[PATH_SIZE], target[PATH_SIZE];
        snprintf(source, sizeof source, "%s/%s", from, list[i]->d_name);
        snprintf(target, sizeof target, "%s/%s", to, list[i]->d_name);
        if (ends_in(source, ".json"))
            copy_json(choice, source, target);
        else if (ends_in(source, ".csv"))
            copy_csv(choice, source, target);
        free(list[i]);
    }
    free(list);
    return count > 0 ? 0 : 2;
}

/* ---- pages -------------------------------------------------------------------------
 */

enum { DEPTH_MAX = 64, NAME_SIZE = 32 };

typedef struct {
    const char *at;
    char open[DEPTH_MAX][NAME_SIZE];
    unsigned depth;
    bool in_drawing;
} Page;

static bool is_void(const char *name) {
    return strcmp(name, "meta") == 0 || strcmp(name, "link") == 0 ||
           strcmp(name, "input") == 0 || strcmp(name, "br") == 0;
}

static const char *take_name(const char *at, char name[NAME_SIZE]) {
    size_t length = 0;
    while (isalnum((unsigned char)*at) || strchr("-:_", *at) ? *at != '\0' : false) {
        if (length + 1 < NAME_SIZE)
            name[length++] = *at;
        at++;
    }
    name[length] = '\0';
    return at;
}

/* The attributes of a tag; NULL if one has no quotes or anything else stands there. */
static const char *take_attributes(const char *at, bool shown, bool *closed) {
    for (;;) {
        char name[NAME_SIZE];
        at += strspn(at, " \t\n");
        *closed = *at == '/';
        at += *closed;
        if (*at == '>')
            return at + 1;
        const char *end = take_name(at, name);
        if (end == at)
            return NULL;
        if (shown)
            printf(" %s", name);
        at = end + strspn(end, " ");
        if (*at != '=')
            continue;
        at += 1 + strspn(at + 1, " ");
        const char *value = *at == '"' || *at == '\'' ? strchr(at + 1, *at) : NULL;
        if (!value)
            return NULL;
        at = value + 1;
    }
}

static bool close_tag(Page *page, const char *name) {
    if (!page->depth || strcmp(page->open[page->depth - 1], name) != 0)
        return false;
    page->depth--;
    if (strcmp(name, "svg") == 0)
        page->in_drawing = false;
    return true;
}

/* A tag at '<'; false if it is none or closes another than the last. */
static bool take_tag(Page *page) {
    char name[NAME_SIZE];
    const bool closing = page->at[1] == '/';
    if (strncmp(page->at, "<!DOCTYPE html>", 15) == 0)
        return page->at += 15, true;
    const char *at = take_name(page->at + 1 + closing, name);
    if (!*name)
        return false;
    if (closing) {
        page->at = at + 1;
        return *at == '>' && close_tag(page, name);
    }
    const bool shown = !page->in_drawing;
    bool closed;
    if (shown)
        printf("%*s%s", (int)page->depth, "", name);
    page->at = take_attributes(at, shown, &closed);
    if (shown)
        putchar('\n');
    if (!page->at || page->depth == DEPTH_MAX)
        return false;
    if (closed || is_void(name))
        return true;
    strcpy(page->open[page->depth++], name);
    page->in_drawing |= strcmp(name, "svg") == 0;
    if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0) {
        char end[NAME_SIZE + 3];
        snprintf(end, sizeof end, "</%s", name);
        const char *behind = strstr(page->at, end);
        page->at = behind ? behind : page->at;
    }
    return true;
}

/* Comments of gnuplot's and its one element of raw text are passed over. */
static bool pass(Page *page, const char *start, const char *end) {
    if (strncmp(page->at, start, strlen(start)) != 0)
        return false;
    const char *behind = strstr(page->at, end);
    page->at = behind ? behind + strlen(end) : page->at;
    return behind != NULL;
}

static int skeleton(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    if (!file || getdelim(&text, &size, '\0', file) < 0)
        return 2;
    fclose(file);
    Page page = {.at = text};
    while ((page.at = strchr(page.at, '<')))
        if (!pass(&page, "<!--", "-->") && !pass(&page, "<![CDATA[", "]]>")) {
            const char *tag = page.at;
            if (!take_tag(&page)) {
                printf("%s: not well-formed at %.60s\n", path, tag);
                free(text);
                return 1;
            }
        }
    free(text);
    if (page.depth)
        printf("%s: %s is not closed\n", path, page.open[page.depth - 1]);
    return page.depth != 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "strings") == 0)
        return printf("%d\n", STRINGS) < 0;
    if (argc == 3 && strcmp(argv[1], "skeleton") == 0)
        return skeleton(argv[2]);
    if (argc != 5)
        return 2;
    const unsigned number = (unsigned)strtoul(argv[4], NULL, 10);
    Choice choice = {.all = strcmp(argv[1], "all") == 0,
                     .one = strings[number % STRINGS],
                     .state = number};
    return copy_folder(&choice, argv[2], argv[3]);
}
