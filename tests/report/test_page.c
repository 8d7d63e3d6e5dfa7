/* All values of the page, from a folder small enough to check on paper; tables; and the
 * scripts of drawings. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/chapters.h"
#include "tools/report/draw/gnuplot.h"
#include "tools/report/figures.h"
#include "tools/report/page.h"

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

static bool is_true(const json_t *object, const char *key) {
    cr_expect(json_is_boolean(json_object_get(object, key)), "%s", key);
    return json_is_true(json_object_get(object, key));
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

Test(page, tables_of_one_experiment) {
    put("av-tables.printed.csv", "id,printed\nA1,3\n");
    put("av-tables.curves.csv", "model,k\nshared,4\nshared,8\n");
    JmError error;
    json_t *experiment = about("av-tables");
    json_t *list = figures_tables(made.folder, experiment, &error);
    cr_assert_eq(json_array_size(list), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *table = json_array_get(list, i);
        cr_expect_str_eq(text_of(table, "name"),
                         i ? "av-tables.curves.csv" : "av-tables.printed.csv");
        cr_expect_eq(json_array_size(json_object_get(table, "rows")), i + 1);
    }
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

/* The contents of a paper's figure are not attributed to the thesis. */
Test(page, sources_of_figures) {
    unsigned papers = 0;
    for (unsigned i = 0; figure_at(i); i++) {
        const Figure *row = figure_at(i);
        cr_expect_not(row->of_paper && strcmp(row->says_of, "Thesis") == 0, "%s",
                      row->experiment);
        papers += strcmp(row->says_of, "Paper") == 0;
    }
    cr_expect_gt(papers, 10);
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

/* ---- the page -------------------------------------------------------------------- */

/* Two experiments of the thesis with tables alone, and frames; the rest was not run. */
static const char experiments[] =
    "{\"version\": \"1.2\", \"command\": \"again\", \"runs\": 4,"
    " \"changed_settings\": [%s], \"experiments\": [%s"
    "{\"name\": \"fig4-3\", \"figure\": \"4-3\", \"title\": \"Handler\", \"scale\": "
    "\"\", \"parameters\": {\"p\": \"3\", \"h\": \"1,2\"}},"
    " {\"name\": \"table2-1\", \"figure\": \"Table 2.1\", \"title\": \"Costs\"},"
    " {\"name\": \"view\", \"kind\": \"view\", \"parameters\": {\"mesh\": "
    "\"2x1x1\"}}]}";
static const char claims[] =
    "{\"totals\": {}, \"claims\": ["
    "{\"id\": \"C\", \"check\": true, \"verdict\": \"reproduced\", \"figure\": "
    "\"4-3\"},"
    "{\"id\": \"A\", \"verdict\": \"reproduced\", \"figure\": \"4-3\"},"
    "{\"id\": \"B\", \"verdict\": \"not\", \"figure\": \"\", \"experiment\": "
    "\"table2-1\", \"explained_by\": [{\"experiment\": \"fig4-3\"}]}]}";

static json_t *page_with(const char *changed, const char *more, const char *judged) {
    char text[1024];
    JmError error;
    snprintf(text, sizeof text, experiments, changed, more);
    put("experiments.json", text);
    put("claims.json", judged);
    put("fig4-3.csv", "p,other\n3,x\n");
    put("table2-1.costs.csv", "item,measured\ntoken,52\n");
    put("view.frames.csv", "time_ms,node,queue_words,overflow_buffer_words\n"
                           "0.123456789,0,1,0\n0.123456789,1,12345678,0\n");
    json_t *page = page_make(made.folder, &error);
    cr_assert_not_null(page, "%s", error.text);
    return page;
}

static json_t *page_of(const char *changed, const char *more) {
    return page_with(changed, more, claims);
}

static const json_t *figure_of(const json_t *page, size_t index) {
    return json_array_get(json_object_get(page, "figures"), index);
}

Test(page, values) {
    json_t *page = page_of("", "");
    cr_expect_str_eq(text_of(page, "version"), "1.2");
    cr_expect_str_eq(text_of(page, "command"), "again");
    expect_json(json_object_get(page, "runs"), "4");
    cr_expect_eq(json_array_size(json_object_get(page, "changed")), 0);
    cr_expect_not(is_true(page, "smaller"));
    cr_expect_gt(json_array_size(json_object_get(page, "missing")), 0);
    cr_expect(is_true(page, "space"));
    cr_expect(json_is_null(json_object_get(page, "key")));
    cr_expect(json_is_null(json_object_get(page, "totals")));
    expect_json(json_object_get(page, "calibration"), "{}");
    expect_json(json_object_get(page, "checks"), "{\"all\":1,\"consistent\":1}");
    cr_expect_gt(strlen(text_of(page, "css")), 1000);
    cr_expect_gt(strlen(text_of(page, "js")), 1000);
    /* Five digits of a fraction, all of a whole number. */
    cr_expect_str_eq(text_of(page, "data"),
                     "{\"mesh\":[2,1,1],\"maps\":[],\"frames\":[[0.12346,"
                     "[0,1,0,1,12345678,0]]],\"frames_of\":\"\"}");
    const json_t *missing = json_object_get(page, "missing");
    size_t listed = 0;
    for (size_t i = 0; i < json_array_size(missing); i++) {
        const char *name = json_string_value(json_array_get(missing, i));
        cr_expect(strcmp(name, "fig4-3") != 0 && strcmp(name, "table2-1") != 0);
        listed += strcmp(name, "fig4-4") == 0;
    }
    cr_expect_eq(listed, 1);
    /* Claims first, then the checks. */
    cr_expect_str_eq(text_of(json_array_get(json_object_get(page, "claims"), 2), "id"),
                     "C");
    json_decref(page);
}

/* Figures stand in the order of figures.def, with what only the report knows. */
Test(page, figures) {
    json_t *page = page_of("", "");
    cr_assert_eq(json_array_size(json_object_get(page, "figures")), 2);
    const json_t *costs = figure_of(page, 0), *handler = figure_of(page, 1);
    cr_expect_str_eq(text_of(costs, "name"), "table2-1");
    cr_expect_str_eq(text_of(costs, "label"), "Table 2.1");
    cr_expect(is_true(costs, "thesis_figure"));
    expect_json(json_object_get(costs, "drawings"), "[]");
    expect_json(json_object_get(costs, "stated"), "[]");
    cr_expect_str_eq(text_of(costs, "explains"), "");
    cr_expect_eq(json_array_size(json_object_get(costs, "claims")), 1);
    cr_expect_str_eq(text_of(json_object_get(costs, "verdict"), "class"), "no");
    cr_expect_str_eq(text_of(handler, "label"), "Figure 4-3");
    cr_expect_str_eq(text_of(handler, "explains"), "B");
    cr_expect_eq(json_array_size(json_object_get(handler, "claims")), 2);
    cr_expect_str_eq(text_of(json_object_get(handler, "verdict"), "class"), "yes");
    expect_json(
        json_object_get(handler, "settings"),
        "[{\"name\":\"p\",\"value\":\"3\"},{\"name\":\"h\",\"value\":\"1,2\"}]");
    cr_expect_str_eq(
        text_of(json_array_get(json_object_get(handler, "tables"), 0), "name"),
        "fig4-3.csv");
    json_decref(page);
}

/* An experiment that stands for no figure of the thesis, in another size. */
Test(page, other_experiments) {
    put("yielding-limit.points.csv", "h,n\n");
    json_t *page = page_of("\"m=4\"", "{\"name\": \"yielding-limit\", \"figure\": "
                                      "\"\", \"scale\": \"L = 20\"},");
    expect_json(json_object_get(page, "changed"), "[\"m=4\"]");
    cr_expect(is_true(page, "smaller"));
    const json_t *other = figure_of(page, 2);
    cr_expect_str_eq(text_of(other, "name"), "yielding-limit");
    cr_expect_str_eq(text_of(other, "label"), "");
    cr_expect_not(is_true(other, "thesis_figure"));
    cr_expect(json_is_null(json_object_get(other, "verdict")));
    json_decref(page);
}

/* ---- chapters -------------------------------------------------------------------- */

/* Returns the claim with this id in some text of a chapter; NULL if none names it. */
static const json_t *named_in(const json_t *chapter, const char *id) {
    size_t i, k;
    json_t *paragraph, *part;
    json_array_foreach (json_object_get(chapter, "about"), i, paragraph)
        json_array_foreach (json_object_get(paragraph, "parts"), k, part) {
            const json_t *claim = json_object_get(part, "claim");
            cr_expect_null(strpbrk(text_of(part, "text"), "[]"));
            if (claim && strcmp(text_of(claim, "id"), id) == 0)
                return claim;
        }
    return NULL;
}

static void expect_chapter(const json_t *chapter, const char *id, const char *figure) {
    const json_t *figures = json_object_get(chapter, "figures");
    cr_expect_str_eq(text_of(chapter, "chapter"), id);
    cr_assert_eq(json_array_size(figures), 1);
    cr_expect_str_eq(text_of(json_array_get(figures, 0), "name"), figure);
}

/* Figures stand under their chapters. What is told of a model has the values and
 * verdicts of claims.json, and all claims of the chapter that are not reproduced. */
Test(page, chapters) {
    put("fig3-3.curves.csv", "program,line,mark\n");
    json_t *page = page_with(
        "", "{\"name\": \"fig3-3\", \"figure\": \"3-3\"},",
        "{\"totals\": {}, \"claims\": ["
        "{\"id\": \"TC-047b\", \"verdict\": \"not\", \"figure\": \"3-3\", "
        "\"measured\": 0.00217},"
        "{\"id\": \"TC-047\", \"verdict\": \"reproduced\", \"figure\": \"3-3\"},"
        "{\"id\": \"TC-066\", \"verdict\": \"in part\", \"measured\": 0.97},"
        "{\"id\": \"B\", \"verdict\": \"not\", \"figure\": \"4-3\"}]}");
    const json_t *chapters = json_object_get(page, "chapters");
    cr_assert_eq(json_array_size(chapters), 3);
    expect_chapter(json_array_get(chapters, 0), "chapter-2", "table2-1");
    expect_chapter(json_array_get(chapters, 1), "chapter-3", "fig3-3");
    expect_chapter(json_array_get(chapters, 2), "chapter-4", "fig4-3");
    const json_t *queues = json_array_get(chapters, 1);
    cr_expect_eq(json_array_size(json_object_get(queues, "about")), 3);
    cr_expect_str_eq(text_of(named_in(queues, "TC-066"), "value"), "0.97");
    cr_expect_str_eq(
        text_of(json_object_get(named_in(queues, "TC-066"), "judged"), "text"),
        "in part");
    cr_expect_str_eq(text_of(named_in(queues, "TC-047b"), "value"), "0.00217");
    expect_json(named_in(queues, "TC-066m"), "{\"id\":\"TC-066m\"}");
    const json_t *failing = json_object_get(queues, "failing");
    cr_expect_eq(json_array_size(failing), 1);
    cr_expect_str_eq(text_of(json_array_get(failing, 0), "id"), "TC-047b");
    const json_t *snakes = json_array_get(chapters, 2);
    expect_json(json_object_get(snakes, "about"), "[]");
    cr_expect_eq(json_array_size(json_object_get(snakes, "failing")), 0);
    json_decref(page);
}

/* A claim that two figures of a chapter show fails once. */
Test(page, a_claim_of_two_figures) {
    json_t *claim =
        json_pack("{s:s, s:{s:b}}", "id", "TC-024", "judged", "doubtful", 1);
    json_t *figures = json_pack("[{s:s, s:[O]}, {s:s, s:[O]}]", "name", "fig3-1",
                                "claims", claim, "name", "fig3-2", "claims", claim);
    json_t *all = json_pack("[o]", claim);
    json_t *list = chapters_of(figures, all);
    const json_t *failing = json_object_get(json_array_get(list, 0), "failing");
    cr_expect_eq(json_array_size(list), 1);
    cr_expect_eq(json_array_size(failing), 1);
    cr_expect_eq(json_array_get(failing, 0), claim);
    json_decref(list);
    json_decref(figures);
    json_decref(all);
}

static void expect_refused(const char *about_text, const char *claims_text,
                           const char *message) {
    JmError error = {.offset = -1};
    put("experiments.json", about_text);
    put("claims.json", claims_text);
    json_t *page = page_make(made.folder, &error);
    cr_expect_null(page, "%s %s", about_text, claims_text);
    cr_expect_not_null(strstr(error.text, message), "%s", error.text);
}

Test(page, refused) {
    static const char wrong[] = "is not what jm exp run writes";
    static const char good[] =
        "{\"version\": \"1\", \"command\": \"c\", \"experiments\": []}";
    expect_refused(good, "{}", wrong);
    expect_refused(good, "{\"claims\": 1}", wrong);
    expect_refused("{\"version\": 1, \"command\": \"c\", \"experiments\": []}", claims,
                   wrong);
    expect_refused("{\"version\": \"1\", \"command\": 1, \"experiments\": []}", claims,
                   wrong);
    expect_refused("{\"version\": \"1\", \"command\": \"c\", \"experiments\": {}}",
                   claims, wrong);
    expect_refused(good, "{", "near");
}

/* ---- what sources have wrong ----------------------------------------------------- */

static const struct {
    const char *chapter, *text[4];
} slips[] = {
#define SLIP(chapter, where, printed, used, why) {chapter, {where, printed, used, why}},
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
Test(page, slips_have_chapters) {
    for (size_t i = 0; i < SLIPS; i++) {
        cr_expect(has_chapter(slips[i].chapter), "%s", slips[i].chapter);
        for (size_t j = 0; j < 4; j++)
            cr_expect_gt(strlen(slips[i].text[j]), 0, "%s", slips[i].text[0]);
    }
}

Test(page, introductions_have_chapters) {
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
        for (const char *at = slips[i].text[3]; *at; at++) {
            double over, under, percent;
            if (!isdigit(*at) ||
                (at > slips[i].text[3] && (isdigit(at[-1]) || at[-1] == '.')) ||
                sscanf(at, "%lf/%lf - 1 = %lf %%", &over, &under, &percent) != 3)
                continue;
            quotients++;
            cr_expect_float_eq(100 * (over / under - 1), percent, 0.0501, "%s", at);
        }
    cr_expect_eq(quotients, 6);
}

/* They stand in their chapter, in the order of the table; other chapters have none. */
Test(page, slips) {
    put("fig3-3.curves.csv", "program,line,mark\n");
    json_t *page =
        page_with("", "{\"name\": \"fig3-3\", \"figure\": \"3-3\"},", claims);
    const json_t *chapters = json_object_get(page, "chapters");
    const json_t *queues = json_array_get(chapters, 1);
    size_t count = 0;
    for (size_t i = 0; i < SLIPS; i++)
        if (strcmp(slips[i].chapter, "chapter-3") == 0) {
            static const char *const keys[] = {"where", "printed", "used", "why"};
            json_t *row = json_array_get(json_object_get(queues, "slips"), count++);
            cr_assert_not_null(row);
            for (size_t k = 0; k < 4; k++)
                cr_expect_str_eq(text_of(row, keys[k]), slips[i].text[k]);
        }
    cr_expect_gt(count, 0);
    cr_expect_eq(json_array_size(json_object_get(queues, "slips")), count);
    expect_json(json_object_get(json_array_get(chapters, 2), "slips"), "[]");
    json_decref(page);
}
