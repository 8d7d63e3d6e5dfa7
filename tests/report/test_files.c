/* The files that the report reads and writes: tables, texts as values of a script, and
 * the page's drawings in space. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/report/draw/script.h"
#include "tools/report/files/csv.h"
#include "tools/report/space.h"

/* ---- tables ---------------------------------------------------------------------- */

/* A folder of its own for one test. */
static char *make_folder(void) {
    static const char name[] = "/tmp/report.XXXXXX";
    char *folder = strdup(name);
    cr_assert(folder && mkdtemp(folder));
    return folder;
}

static void write_file(const char *folder, const char *name, const char *text,
                       size_t size) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(text, 1, size, file) == size && fclose(file) == 0);
}

static void remove_folder(char *folder) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
    free(folder);
}

/* Reads a text as a table; its message, or "" if it is one. */
static void read_text(Csv *csv, const char *text, size_t size, char message[128]) {
    char *folder = make_folder(), path[128];
    JmError error = {.offset = -1};
    write_file(folder, "t.csv", text, size);
    snprintf(path, sizeof path, "%s/t.csv", folder);
    const bool good = csv_read(csv, path, &error);
    snprintf(message, 128, "%d:%.100s", good ? 0 : error.line, good ? "" : error.text);
    remove_folder(folder);
}

static void expect_refused(const char *text, size_t size, const char *message) {
    Csv csv;
    char got[128];
    read_text(&csv, text, size, got);
    cr_expect_str_eq(got, message, "%s: %s", text, got);
    csv_free(&csv);
}
#define REFUSED(text, message) expect_refused(text, sizeof text - 1, message)

Test(csv, fields) {
    Csv csv;
    char message[128];
    static const char text[] = "a,b,c\n1,\"x, \"\"y\"\"\",\n-2.5e3,,z";
    read_text(&csv, text, sizeof text - 1, message);
    cr_assert_str_eq(message, "0:");
    cr_expect(csv.rows == 2 && csv.columns == 3);
    cr_expect_eq(csv_column(&csv, "c"), 2);
    cr_expect_eq(csv_column(&csv, "d"), -1);
    cr_expect_str_eq(csv_text(&csv, 0, 1), "x, \"y\"");
    cr_expect_str_eq(csv_text(&csv, 0, 2), "");
    cr_expect_str_eq(csv_text(&csv, 1, 1), "");
    cr_expect_str_eq(csv_text(&csv, 1, 2), "z");
    cr_expect_str_eq(csv_text(&csv, 1, -1), "");
    cr_expect_eq(csv_number(&csv, 1, 0), -2500);
    cr_expect_eq(csv_number(&csv, 1, 1), 0);
    csv_free(&csv);
}

Test(csv, refused) {
    REFUSED("", "0:an empty table");
    REFUSED("a,b\n1,2\n3\n", "3:1 fields instead of 2");
    REFUSED("a,b\n1,2,3\n", "2:3 fields instead of 2");
    REFUSED("a,b\n1,\"2\n", "2:a quote is not closed");
    REFUSED("a,b\n1,\"2\n3\"\n", "2:a quote is not closed");
    REFUSED("a\n\n\xff\n", "3:this is not UTF-8 text");
    REFUSED("a\n1\0\n", "2:this is not UTF-8 text");
    REFUSED("a\n\xc3", "2:this is not UTF-8 text");
}

/* ---- values of a script ---------------------------------------------------------- */

static void expect_quoted(const char *text, const char *wanted) {
    char got[256] = "";
    FILE *out = fmemopen(got, sizeof got, "w");
    script_text(out, "t", text);
    fclose(out);
    got[strcspn(got, "\n")] = '\0';
    cr_expect_str_eq(got + strlen("t = "), wanted);
}

Test(script, quotes) {
    expect_quoted("", "''");
    expect_quoted("Makespan T, ms", "'Makespan T, ms'");
    expect_quoted("h\n!touch x\n#", "'h!touch x#'");
    expect_quoted("''.system(\"x\").''", "'\u2019\u2019.system(\"x\").\u2019\u2019'");
    expect_quoted("a\x7f\x1f\x01z", "'az'");
    expect_quoted("\xc2\x85\xc2\x9f"
                  "a\u00a0\u00c0",
                  "'a\u00a0\u00c0'");
    expect_quoted("a\uFFFD\xef\xbf\xbe\xef\xbf\xbf-", "'a\uFFFD-'");
    expect_quoted("]]> ]> ]]]>", "']] > ]> ]]] >'");
}

/* The output of script_series() for these columns of a table, and its names. */
static char *series_script(const char *table, const char *const *columns,
                           Names *names) {
    Csv csv;
    char message[128], *text = NULL;
    size_t size;
    read_text(&csv, table, strlen(table), message);
    Series series = {.csv = &csv};
    for (; *columns; columns++)
        series_add(&series, *columns);
    FILE *out = open_memstream(&text, &size);
    *names = script_series(out, &series);
    fclose(out);
    csv_free(&csv);
    return text;
}

#define EXPECT_SERIES(table, wanted, wanted_count, ...)                                \
    do {                                                                               \
        Names names;                                                                   \
        char *got =                                                                    \
            series_script(table, (const char *const[]){__VA_ARGS__, NULL}, &names);    \
        cr_expect_str_eq(got, wanted);                                                 \
        cr_expect_eq(names.count, wanted_count);                                       \
        free(got);                                                                     \
    } while (0)

/* Curves come in the order of their first rows; a column that is there twice, or not at
 * all, makes no difference. */
Test(script, series) {
    static const char table[] = "m,p,other\n3,1,\n3,2,a=1 b=2\n3,1,\n,2,\n'5,1,\n";
    EXPECT_SERIES(table,
                  "series = 'p'\narray values[2] = ['1', '2']\n"
                  "array names[2] = ['p = 1', 'p = 2']\n",
                  2, "p", "none", "p", "m p");
    EXPECT_SERIES(table,
                  "series = 'm other'\narray values[4] = ['3, ', '3, a=1 b=2', ', ', "
                  "'\u20195, ']\narray names[4] = ['m = 3', 'm = 3, a=1 b=2', "
                  "'as built', 'm = \u20195']\n",
                  4, "m", "other");
    EXPECT_SERIES(table,
                  "series = ''\narray values[1] = ['all']\n"
                  "array names[1] = ['all']\n",
                  0, "none");
}

/* ---- space ----------------------------------------------------------------------- */

static json_t *space_with(const char *mesh, const char *map, const char *frames) {
    char *folder = make_folder();
    json_t *experiments = json_pack("[{s:s, s:{s:s}}, {s:s}]", "name", "fig4-11",
                                    "parameters", "mesh", mesh, "name", "view");
    write_file(folder, "fig4-11.map.csv", map, strlen(map));
    write_file(folder, "view.frames.csv", frames, strlen(frames));
    JmError error;
    json_t *space = space_of(folder, experiments, &error);
    cr_assert(space, "%s", error.text);
    json_decref(experiments);
    remove_folder(folder);
    return space;
}

static void expect_mesh(const char *mesh, const char *wanted) {
    json_t *space = space_with(mesh, "overflows\n1\n", "time_ms\n");
    char *got = json_dumps(json_object_get(space, "mesh"), JSON_COMPACT);
    cr_expect_str_eq(got, wanted, "%s: %s", mesh, got);
    free(got);
    json_decref(space);
}

Test(space, meshes) {
    expect_mesh("8x4x2", "[8,4,2]");
    expect_mesh("1x1x1", "[1,1,1]");
    expect_mesh("32x32x64", "[32,32,64]");
    expect_mesh("33x1x1", "[0,0,0]");
    expect_mesh("1x33x1", "[0,0,0]");
    expect_mesh("1x1x65", "[0,0,0]");
    expect_mesh("0x8x8", "[0,0,0]");
    expect_mesh("-8x-8x8", "[0,0,0]");
    expect_mesh("8x8", "[0,0,0]");
    expect_mesh("8x8x8x", "[0,0,0]");
    expect_mesh("99999999999999999999x1x1", "[0,0,0]");
}

static void expect_text(const json_t *value, const char *wanted) {
    char *got = json_dumps(value, JSON_COMPACT);
    cr_expect_str_eq(got, wanted);
    free(got);
}

Test(space, numbers) {
    json_t *space =
        space_with("2x1x1", "node,overflows,queue_mean_words\n0,3,1.5\n1,2.5e19,nan\n",
                   "time_ms,node,queue_words,overflow_buffer_words\n"
                   "0.5,0,7,1\n0.5,1,8,2\n1,0,-1e19,inf\n");
    const json_t *maps = json_object_get(space, "maps");
    expect_text(json_object_get(json_array_get(maps, 0), "values"), "[3,2.5e19]");
    expect_text(json_object_get(json_array_get(maps, 3), "values"), "[1.5,null]");
    expect_text(json_object_get(space, "frames"),
                "[[0.5,[0,7,1,1,8,2]],[1,[0,-1e19,null]]]");
    cr_expect(space_is_there(space));
    json_decref(space);
    json_t *none = json_pack("{s:[], s:[]}", "maps", "frames");
    cr_expect_not(space_is_there(none));
    json_decref(none);
}

/* All digits of a number: gnuplot computes with them. What is none is NaN. */
static double number_or_nan(const char *entry) {
    char *end;
    const double number = strtod(entry, &end);
    return *entry && !*end ? number : NAN;
}

Test(script, numbers) {
    static const double wanted[] = {45, 1.23456789, NAN, NAN, -1234567, 0.5};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    script_numbers(out, "some", "45,1.23456789,snakes,,-1234567,0.5", number_or_nan);
    fclose(out);
    cr_assert(strstr(text, "some") && strrchr(text, '['), "%s", text);
    const char *at = strrchr(text, '[') + 1;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char *end;
        const double got = strtod(at, &end);
        cr_expect(isnan(wanted[i]) ? isnan(got) : fabs(got - wanted[i]) < 1e-9, "%s",
                  text);
        at = end + strspn(end, ", ");
    }
    cr_expect_eq(*at, ']', "%s", text);
    free(text);
}
