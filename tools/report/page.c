/* Gathers the values of page.html from the files of a folder. */
#include "tools/report/page.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/report/chapters.h"
#include "tools/report/draw/gnuplot.h"
#include "tools/report/figures.h"
#include "tools/report/files/folder.h"
#include "tools/report/space.h"
#include "tools/report/verdicts.h"

/* ---- figures --------------------------------------------------------------------- */

/* Whether an experiment stands for a figure of the thesis. These have numbers; other
 * experiments have names or none. */
static bool is_of_thesis(const json_t *about) {
    const char *figure = folder_member(about, "figure");
    return !figures_is_own(about) && figure[0] && strchr("0123456789T", figure[0]);
}

/* Returns the label of an experiment: "Figure 4-4" for "4-4", or its title if the
 * thesis has no such figure. */
static json_t *label_of(const json_t *about) {
    const char *figure = folder_member(about, "figure");
    if (figures_is_own(about))
        return jvalue_text(folder_member(about, "name"));
    if (!figure[0])
        return jvalue_text("");
    return jvalue_textf(strchr("0123456789", figure[0]) ? "Figure %s" : "%s", figure);
}

/* Returns the experiment's parameters as a list, because templates loop over lists
 * only. */
static json_t *parameters_of(const json_t *about) {
    json_t *list = json_array();
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(about, "parameters"), name, value)
        json_array_append_new(
            list, json_pack("{s:o, s:O}", "name", jvalue_text(name), "value", value));
    return list;
}

/* Returns a copy of the experiment's object with the members that only the report
 * knows; `row` is NULL for an experiment of a file. */
static json_t *figure_of(const char *folder, const Figure *row, json_t *about,
                         const json_t *claims, JmError *error) {
    json_t *drawings = figures_draw(folder, about, error);
    json_t *tables = drawings ? figures_tables(folder, about, error) : NULL;
    if (!tables) {
        json_decref(drawings);
        return NULL;
    }
    json_t *result = json_copy(about);
    json_object_set_new(result, "label", label_of(about));
    json_object_set_new(result, "says", jvalue_text(row ? row->says : ""));
    json_object_set_new(result, "says_of", jvalue_text(row ? row->says_of : ""));
    json_object_set_new(result, "settings", parameters_of(about));
    json_object_set_new(
        result, "no_data",
        json_boolean(json_array_size(drawings) == 0 && figures_is_drawing(about)));
    json_object_set_new(result, "drawings", drawings);
    json_object_set_new(result, "tables", tables);
    json_object_set_new(result, "stated", figures_stated(about));
    json_object_set_new(result, "thesis_figure", json_boolean(is_of_thesis(about)));
    json_object_set_new(result, "claims", verdicts_of_figure(claims, about));
    json_object_set_new(result, "explains",
                        verdicts_explained_by(claims, folder_member(about, "name")));
    json_object_set_new(result, "verdict",
                        verdicts_sum(json_object_get(result, "claims")));
    if (figures_is_own(about))
        json_object_set(result, "figure", json_object_get(about, "name"));
    return result;
}

/* Adds a figure to the list. */
static bool add_figure(json_t *list, const char *folder, const Figure *row,
                       json_t *about, const json_t *claims, JmError *error) {
    json_t *figure = figure_of(folder, row, about, claims, error);
    if (figure)
        json_array_append_new(list, figure);
    return figure != NULL;
}

/* Returns the figures in the order of figures.def, then those of files; experiments
 * that were not run are left out. */
static json_t *all_figures(const char *folder, const json_t *experiments,
                           const json_t *claims, JmError *error) {
    json_t *list = json_array(), *about;
    bool good = true;
    for (unsigned i = 0; good && figure_at(i); i++)
        if ((about = folder_named(experiments, figure_at(i)->experiment)))
            good = add_figure(list, folder, figure_at(i), about, claims, error);
    for (size_t i = 0; good && i < json_array_size(experiments); i++)
        if (figures_is_own(about = json_array_get(experiments, i)))
            good = add_figure(list, folder, NULL, about, claims, error);
    if (good)
        return list;
    json_decref(list);
    return NULL;
}

/* Whether some experiment of a paper, or of the thesis, was run. */
static bool has_group(const json_t *experiments, bool of_paper) {
    for (unsigned i = 0; figure_at(i); i++)
        if (figure_at(i)->of_paper == of_paper &&
            folder_named(experiments, figure_at(i)->experiment))
            return true;
    return false;
}

/* Whether the page is about experiments of files alone. */
static bool is_own(const json_t *experiments) {
    size_t own = 0;
    for (size_t i = 0; i < json_array_size(experiments); i++)
        own += figures_is_own(json_array_get(experiments, i));
    return own && own == json_array_size(experiments);
}

/* Whether the page is about papers alone. */
static bool is_of_papers(const json_t *experiments) {
    return has_group(experiments, true) && !has_group(experiments, false);
}

/* Returns the names of experiments in figures.def that were not run. If none of a paper
 * was run, its experiments are not listed as missing; nor are the thesis's next to a
 * paper's. */
static json_t *missing_figures(const json_t *experiments) {
    json_t *list = json_array();
    const bool papers = has_group(experiments, true);
    const bool thesis = !is_of_papers(experiments) && !is_own(experiments);
    for (unsigned i = 0; figure_at(i); i++)
        if ((figure_at(i)->of_paper ? papers : thesis) &&
            !folder_named(experiments, figure_at(i)->experiment))
            json_array_append_new(list, jvalue_text(figure_at(i)->experiment));
    return list;
}

/* ---- the page -------------------------------------------------------------------- */

/* Prints JSON as the text of a script element, in which no "<" may stand: "</" would
 * end the element, and "<!--" changes how it is read. */
static json_t *script_data(const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(5)), *data = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&data, &size));
    assert(text);
    for (const char *at = text; *at; at++)
        if (*at == '<')
            fputs("\\u003c", out);
        else
            putc(*at, out);
    fclose(out);
    free(text);
    return jvalue_taken(data);
}

/* Whether some experiment was run in another size than the thesis's. */
static bool is_smaller(const json_t *experiments) {
    bool smaller = false;
    for (size_t i = 0; i < json_array_size(experiments); i++)
        smaller |= *folder_member(json_array_get(experiments, i), "scale") != 0;
    return smaller;
}

/* Returns the drawing at the top of the page: it shows the thesis's subject, that
 * shorter handlers make the machine slower. Null if neither of its two figures was
 * drawn. */
static json_t *key_figure(const char *folder, const json_t *figures) {
    static const char *const keys[] = {"fig4-4", "fig1-7"};
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const json_t *figure = folder_named(figures, keys[i]);
        JmError error;
        char *svg = json_array_size(json_object_get(figure, "drawings"))
                        ? gnuplot_inline(folder, keys[i], "key-", &error)
                        : NULL;
        if (!svg)
            continue;
        return json_pack("{s:o, s:O, s:O, s:O?, s:o}", "name", jvalue_text(keys[i]),
                         "label", json_object_get(figure, "label"), "title",
                         json_object_get(figure, "title"), "verdict",
                         json_object_get(figure, "verdict"), "svg", jvalue_taken(svg));
    }
    return json_null();
}

/* Returns the number of runs; "5 of 8" of a sweep that was stopped. NULL: unknown. */
static json_t *runs_of(const json_t *about) {
    const json_t *runs = json_object_get(about, "runs");
    const json_t *done = json_object_get(about, "done");
    if (!json_is_integer(runs) || !json_is_integer(done) ||
        json_integer_value(done) >= json_integer_value(runs))
        return json_deep_copy(runs);
    return jvalue_textf("%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT,
                        json_integer_value(done), json_integer_value(runs));
}

static json_t *put_together(const char *folder, const json_t *about, json_t *root,
                            JmError *error) {
    json_t *claims = json_object_get(root, "claims");
    json_t *experiments = json_object_get(about, "experiments");
    json_t *figures = all_figures(folder, experiments, claims, error);
    json_t *space = figures ? space_of(folder, experiments, error) : NULL;
    json_t *calibration =
        space ? verdicts_calibration(folder, experiments, error) : NULL;
    if (!calibration) {
        json_decref(figures);
        json_decref(space);
        return NULL;
    }
    json_t *page = json_pack(
        "{s:O, s:O, s:o?, s:b, s:O?, s:o, s:O, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:b}",
        "version", json_object_get(about, "version"), "command",
        json_object_get(about, "command"), "runs", runs_of(about), "smaller",
        is_smaller(experiments), "changed", json_object_get(about, "changed_settings"),
        "key", key_figure(folder, figures), "claims", claims, "counts",
        verdicts_count(claims), "checks", verdicts_checks(claims), "totals",
        verdicts_totals(json_object_get(root, "totals")), "figures", figures, "missing",
        missing_figures(experiments), "calibration", calibration, "css",
        jvalue_taken(embedded_text("page", ".css")), "js",
        jvalue_taken(embedded_text("page", ".js")), "space", space_is_there(space));
    assert(page);
    json_object_set_new(
        page, "one_run",
        json_boolean(json_integer_value(json_object_get(about, "runs")) == 1));
    json_object_set_new(page, "bars", verdicts_bars(claims));
    json_object_set_new(page, "chapters", chapters_of(figures, claims));
    json_object_set_new(page, "papers", json_boolean(is_of_papers(experiments)));
    json_object_set_new(page, "own", json_boolean(is_own(experiments)));
    json_object_set_new(page, "data", script_data(space));
    json_decref(space);
    return page;
}

/* Checks files that may have been edited or made by another program; only faults that
 * would break the page are refused. */
static bool check(const json_t *about, const json_t *claims, const char *folder,
                  JmError *error) {
    if (json_is_string(json_object_get(about, "version")) &&
        json_is_string(json_object_get(about, "command")) &&
        json_is_array(json_object_get(about, "experiments")) && json_is_array(claims))
        return true;
    return jm_fail(error, folder,
                   "experiments.json or claims.json is not what jm exp "
                   "run writes");
}

json_t *page_make(const char *folder, JmError *error) {
    json_t *about = folder_json(folder, "experiments", error);
    json_t *root = about ? folder_json(folder, "claims", error) : NULL;
    json_t *claims = json_object_get(root, "claims");
    json_t *page = NULL;
    if (root && check(about, claims, folder, error)) {
        verdicts_prepare(claims, json_object_get(about, "experiments"));
        verdicts_sort(claims);
        page = put_together(folder, about, root, error);
    }
    json_decref(about);
    json_decref(root);
    return page;
}
