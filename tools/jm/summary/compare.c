/* Compares the statistics of two runs. Both are flattened to texts and numbers by path
 * (network.latency.mean) first. */
#include "tools/jm/summary/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"

enum { RUNS = 2, SHOWN = 64, NODES_NAMED = 8 };

/* ---- flattening ------------------------------------------------------------------ */

static void flatten(json_t *flat, const char *path, const json_t *value);

static void flatten_member(json_t *flat, const char *path, const char *name,
                           const json_t *member) {
    char *longer = memory_text("%s%s%s", path, *path ? "." : "", name);
    flatten(flat, longer, member);
    free(longer);
}

/* Adds all leaves of `value` to `flat`, by their paths. */
static void flatten(json_t *flat, const char *path, const json_t *value) {
    const char *name;
    json_t *member;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach ((json_t *)value, name, member)
            flatten_member(flat, path, name, member);
    } else if (json_is_array(value)) {
        json_array_foreach (value, i, member) {
            char *longer = memory_text("%s[%zu]", path, i);
            flatten(flat, longer, member);
            free(longer);
        }
    } else {
        json_object_set(flat, path, (json_t *)value);
    }
}

static bool has_part(const char *path, const char *part) {
    return strstr(path, part) != NULL;
}

/* Adds a quantity of one more node to that of those before it. */
static double combined(const char *path, double before, double value, double nodes) {
    if (has_part(path, "first_"))
        return fmin(before, value);
    if (has_part(path, "_max_") || has_part(path, "_peak"))
        return fmax(before, value);
    if (has_part(path, "_mean_"))
        return before + value / nodes;
    return before + value;
}

static double start_of(const char *path) {
    return has_part(path, "first_") ? INFINITY : 0;
}

static bool is_position(const char *path) {
    return strcmp(path, "rank") == 0 || (*path && strchr("xyz", *path) && !path[1]);
}

/* Adds the numbers of all nodes to `flat`, one for each path. */
static void flatten_nodes(json_t *flat, const json_t *nodes) {
    size_t i;
    json_t *node, *value;
    const char *name;
    const double count = (double)json_array_size(nodes);
    json_array_foreach (nodes, i, node) {
        json_t *own = json_object();
        flatten(own, "", node);
        json_object_foreach (own, name, value) {
            if (is_position(name) || !json_is_number(value))
                continue;
            char *path = memory_text("nodes.%s", name);
            const json_t *before = json_object_get(flat, path);
            const double sum =
                combined(name, before ? json_number_value(before) : start_of(name),
                         json_number_value(value), count);
            json_object_set_new(flat, path, jvalue_number(sum));
            free(path);
        }
        json_decref(own);
    }
}

static json_t *flattened(const json_t *root) {
    json_t *flat = json_object(), *member;
    const char *name;
    json_object_foreach ((json_t *)root, name, member) {
        if (strcmp(name, "nodes") != 0)
            flatten_member(flat, "", name, member);
    }
    flatten_nodes(flat, json_object_get(root, "nodes"));
    return flat;
}

/* ---- differences ----------------------------------------------------------------- */

/* A quantity that differs; NULL: a run does not have it. */
typedef struct {
    const char *path;
    const json_t *value[RUNS];
    double by, share; /* B - A, and that in units of A; 0 unless both are numbers */
} Difference;

/* A list of them, with room for all. */
typedef struct {
    Difference *rows;
    size_t count;
} Differences;

static bool same(const json_t *a, const json_t *b) {
    if (json_is_integer(a) && json_is_integer(b))
        return json_integer_value(a) == json_integer_value(b);
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    return a && b && json_equal(a, b);
}

static void consider(Differences *list, const char *path, const json_t *a,
                     const json_t *b) {
    if (same(a, b))
        return;
    Difference *row = &list->rows[list->count++];
    *row = (Difference){.path = path, .value = {a, b}};
    if (json_is_number(a) && json_is_number(b)) {
        row->by = json_number_value(b) - json_number_value(a);
        row->share = row->by / fabs(json_number_value(a));
    }
}

/* Finds the differences; `a` and `b` must outlive them. */
static Differences find(const json_t *a, const json_t *b) {
    Differences list = {
        memory_array(json_object_size(a) + json_object_size(b) + 1, sizeof(Difference)),
        0};
    const char *path;
    json_t *value;
    json_object_foreach ((json_t *)a, path, value)
        consider(&list, path, value, json_object_get(b, path));
    json_object_foreach ((json_t *)b, path, value) {
        if (!json_object_get(a, path))
            consider(&list, path, NULL, value);
    }
    return list;
}

/* Whether a path belongs to the setup: jm, program and configuration, not results. */
static bool is_setup(const char *path) {
    static const char *const names[] = {"version", "program",  "mesh",       "topology",
                                        "seed",    "clock_hz", "parameters", NULL};
    const size_t length = strcspn(path, ".[");
    for (const char *const *name = names; *name; name++)
        if (strlen(*name) == length && strncmp(path, *name, length) == 0)
            return true;
    return false;
}

/* Sorts what was run before results, results by their relative difference, those that
 * are no numbers or of one run alone first; otherwise by path. */
static int by_share(const void *a, const void *b) {
    const Difference *first = a, *second = b;
    const bool setup = is_setup(first->path);
    if (setup != is_setup(second->path))
        return setup ? -1 : 1;
    const double left = first->by == 0 ? INFINITY : fabs(first->share);
    const double right = second->by == 0 ? INFINITY : fabs(second->share);
    if (!setup && left != right)
        return left < right ? 1 : -1;
    return strcmp(first->path, second->path);
}

/* ---- printing -------------------------------------------------------------------- */

/* Writes a whole number in full, another as statistics have it. */
static void number_text(double number, bool sign, char *text, size_t size) {
    const bool whole = number == floor(number) && fabs(number) < 1e15;
    if (whole)
        snprintf(text, size, sign ? "%+.0f" : "%.0f", number);
    else
        snprintf(text, size, sign ? "%+.9g" : "%.9g", number);
}

static const char *value_text(const json_t *value, char *text, size_t size) {
    char shown[SHOWN];
    if (!value)
        return "none";
    if (json_is_integer(value))
        snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        number_text(json_real_value(value), false, text, size);
    else if (json_is_string(value))
        snprintf(text, size, "%s",
                 jm_printable(json_string_value(value), shown, sizeof shown));
    else
        snprintf(text, size, "%s",
                 json_is_true(value)    ? "true"
                 : json_is_false(value) ? "false"
                 : json_is_null(value)  ? "null"
                                        : "empty");
    return text;
}

static void print_row(const Difference *row, FILE *out) {
    char a[SHOWN], b[SHOWN], path[SHOWN], by[SHOWN];
    fprintf(out, "  %-30s %14s %14s", jm_printable(row->path, path, sizeof path),
            value_text(row->value[0], a, sizeof a),
            value_text(row->value[1], b, sizeof b));
    number_text(row->by, true, by, sizeof by);
    if (row->by != 0)
        fprintf(out, " %14s", by);
    if (row->by != 0 && isfinite(row->share))
        fprintf(out, " %+9.2f%%", row->share * 100);
    putc('\n', out);
}

/* Prints the rows of one kind, below a title if there are any. */
static void print_rows(const Differences *list, bool setup, FILE *out) {
    const char *title = setup ? "What was run" : "Results, B - A, and in % of A";
    for (size_t i = 0; i < list->count; i++) {
        if (is_setup(list->rows[i].path) != setup)
            continue;
        if (title)
            fprintf(out, "%s:\n", title);
        title = NULL;
        print_row(&list->rows[i], out);
    }
}

/* Prints how many nodes differ and the first of them: a sum can hide what nodes do. */
static bool print_nodes(const CompareRuns *runs, FILE *out) {
    const json_t *a = json_object_get(runs->root[0], "nodes");
    const json_t *b = json_object_get(runs->root[1], "nodes");
    size_t count = 0;
    if (json_array_size(a) != json_array_size(b))
        return true; /* the meshes differ */
    for (size_t i = 0; i < json_array_size(a); i++) {
        if (json_equal(json_array_get(a, i), json_array_get(b, i)))
            continue;
        if (count++ < NODES_NAMED)
            fprintf(out, "%s %zu", count == 1 ? "Nodes that differ:" : "", i);
    }
    if (count)
        fprintf(out, "%s (%zu of %zu)\n", count > NODES_NAMED ? " ..." : "", count,
                json_array_size(a));
    return count != 0;
}

bool compare_print(const CompareRuns *runs, FILE *out) {
    json_t *flat[RUNS] = {flattened(runs->root[0]), flattened(runs->root[1])};
    const Differences list = find(flat[0], flat[1]);
    qsort(list.rows, list.count, sizeof *list.rows, by_share);
    char shown[SHOWN];
    for (unsigned i = 0; list.count && i < RUNS; i++)
        fprintf(out, "%c: %s\n", "AB"[i],
                jm_printable(runs->name[i], shown, sizeof shown));
    print_rows(&list, true, out);
    print_rows(&list, false, out);
    const bool nodes = print_nodes(runs, out);
    const bool any = list.count || nodes;
    if (!any)
        fputs("The two runs are equal.\n", out);
    free(list.rows);
    json_decref(flat[0]);
    json_decref(flat[1]);
    return any;
}
