/* Tables and pictures in the page, and what it tells of sources. What it refuses is in
 * tests/recorded/report-parts.cases. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/draw/gnuplot.h"
#include "tools/report/figures.h"

static struct { char folder[64]; } made;

static void make_folder(void) {
    strcpy(made.folder, "/tmp/page.XXXXXX");
    cr_assert_not_null(mkdtemp(made.folder));
}

static void remove_folder(void) {
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", made.folder);
    cr_expect_eq(system(command), 0);
}

static void put(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", made.folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", path);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "(none)";
}

static void expect_json(const json_t *value, const char *wanted) {
    char *got = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    cr_expect_str_eq(got ? got : "(none)", wanted);
    free(got);
}

/* ---- tables ---------------------------------------------------------------------- */

TestSuite(page, .init = make_folder, .fini = remove_folder);

static json_t *about(const char *name) {
    return json_pack("{s:s}", "name", name);
}

/* Repeated rows are shown once, fractions with four digits, columns that a file does
 * not have are empty. */
Test(page, table) {
    put("fig4-3.csv", "other,seed,h_min,p\n"
                      "1/3,1,28.123456,3\n1/3,2,28.123456,3\nnone,3,1234567,-4\n"
                      "1/3,4,28.123456,3\n,5,100000.5,2.0\n");
    JmError error;
    json_t *experiment = about("fig4-3");
    json_t *list = figures_tables(made.folder, experiment, &error);
    cr_assert_not_null(list, "%s", error.text);
    cr_assert_eq(json_array_size(list), 1);
    const json_t *table = json_array_get(list, 0);
    cr_expect_str_eq(text_of(table, "name"), "fig4-3.csv");
    expect_json(json_object_get(table, "head"),
                "[\"p\",\"other\",\"h_min\",\"h_got\"]");
    expect_json(json_object_get(table, "rows"),
                "[{\"cells\":[\"3\",\"1/3\",\"28.12\",\"\"]},"
                "{\"cells\":[\"-4\",\"none\",\"1234567\",\"\"]},"
                "{\"cells\":[\"3\",\"1/3\",\"28.12\",\"\"]},"
                "{\"cells\":[\"2.0\",\"\",\"1e+05\",\"\"]}]");
    json_decref(list);
    json_decref(experiment);
    experiment = about("view");
    list = figures_tables(made.folder, experiment, &error);
    expect_json(list, "[]");
    json_decref(list);
    json_decref(experiment);
}

/* ---- drawings -------------------------------------------------------------------- */

/* pictures.py looks at those with data. */
Test(page, a_table_without_numbers_is_not_drawn) {
    static const char *const tables[] = {"h,u\n", "h,u\n45,\n90,\n", "h,u\n,0.5\n"};
    JmError error;
    json_t *experiment = about("fig4-5");
    for (unsigned i = 0; i < 3; i++) {
        put("fig4-5.points.csv", tables[i]);
        json_t *list = figures_draw(made.folder, experiment, &error);
        expect_json(list, "[]");
        json_decref(list);
    }
    json_decref(experiment);
}

/* In a page every id has the drawing's name, so that no two drawings share one; black
 * is the text's colour, and there are no titles. */
Test(page, picture_in_a_page) {
    JmError error;
    put("fig-x.svg",
        "<?xml?><svg w='1'><title>G</title><desc/><g id=\"gnuplot_canvas\">"
        "<use href='#gpDot'/><path id='gpDot'/><use href='#gpBox'/><path id='gpBox'/>"
        "<filter id='textbox'/><filter id='greybox'/><g id=\"fig_x_plot_1\"><title>t"
        "</title><b fill='rgb(0,0,0)' stroke='rgb(  0,   0,   0)'/></g></g></svg>");
    char *got = gnuplot_inline(made.folder, "fig-x", "key-", &error);
    cr_assert_not_null(got, "%s", error.text);
    cr_expect_str_eq(
        got, "<svg w='1'><g id=\"key-fig-x-canvas\"><use href='#key-fig-x-gpDot'/>"
             "<path id='key-fig-x-gpDot'/><use href='#key-fig-x-gpBox'/>"
             "<path id='key-fig-x-gpBox'/><filter id='key-fig-x-textbox'/>"
             "<filter id='key-fig-x-greybox'/><g id=\"key-fig_x_plot_1\">"
             "<b fill='currentColor' stroke='currentColor'/></g></g></svg>");
    free(got);
    put("fig-x.svg", "<svg><title>G</title></svg>");
    cr_expect_null(gnuplot_inline(made.folder, "fig-x", "", &error));
    cr_expect_str_eq(error.text, "gnuplot's picture is not as expected");
}

/* ---- what sources have wrong ----------------------------------------------------- */

static const struct {
    const char *chapter, *why;
} slips[] = {
#define SLIP(chapter, where, printed, used, why) {chapter, why},
#include "tools/report/slips.def"
#undef SLIP
};
enum { SLIPS = sizeof slips / sizeof slips[0] };

/* Whether the page has a chapter. */
static bool has_chapter(const char *id) {
    static const char *const chapters[] = {
#define CHAPTER(id, name, first, heading, models, fails, found) id,
#define INTRODUCTION(...)
#include "tools/report/chapters.def"
#undef CHAPTER
#undef INTRODUCTION
    };
    for (size_t i = 0; i < sizeof chapters / sizeof chapters[0]; i++)
        if (strcmp(chapters[i], id) == 0)
            return true;
    return false;
}

/* A row of a chapter that is not there would not be shown. */
Test(page, rows_have_chapters) {
    for (size_t i = 0; i < SLIPS; i++)
        cr_expect(has_chapter(slips[i].chapter), "%s", slips[i].chapter);
#define CHAPTER(...)
#define INTRODUCTION(id, text) cr_expect(has_chapter(id), "%s", id);
#include "tools/report/chapters.def"
#undef CHAPTER
#undef INTRODUCTION
}

/* Every "A/B - 1 = R %" in the arithmetic is right in the digits of R. */
Test(page, slips_calculate) {
    unsigned quotients = 0;
    for (size_t i = 0; i < SLIPS; i++)
        for (const char *at = slips[i].why; *at; at++) {
            double over, under, percent;
            if (!isdigit(*at) ||
                (at > slips[i].why && (isdigit(at[-1]) || at[-1] == '.')) ||
                sscanf(at, "%lf/%lf - 1 = %lf %%", &over, &under, &percent) != 3)
                continue;
            quotients++;
            cr_expect_float_eq(100 * (over / under - 1), percent, 0.0501, "%s", at);
        }
    cr_expect_eq(quotients, 6);
}
