/* Experiments as text: reading and printing. Texts that are refused are in
 * tests/recorded/refused-exp.cases. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/measure.h"
#include "tools/exp/options.h"

/* A source of one text. */
static char *read_text(void *context, const char *path, size_t *size, JmError *error) {
    const char *text = context;
    (void)path;
    (void)error;
    *size = strlen(text);
    return strdup(text);
}

static ExperimentFile *file_of(const char *text, JmError *error) {
    static char *path = "lab/made.exp";
    const ExpSource source = {read_text, (char *)text};
    ExpOptions options = {.experiments = NULL};
    const bool good = exp_options_names(&options, 1, &path, source, error);
    ExperimentFile *file = good ? options.files[0] : NULL;
    options.file_count = 0; /* the file is the caller's */
    exp_options_free(&options);
    return file;
}

static ExperimentFile *good_file(const char *text) {
    JmError error = {.text = ""};
    ExperimentFile *file = file_of(text, &error);
    cr_assert(file, "%s\n%d:%d: %s", text, error.line, error.column, error.text);
    return file;
}

static char *printed(const Experiment *experiment) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    experiment_print(experiment, out);
    fclose(out);
    return text;
}

/* ---- rows of the tables ---------------------------------------------------------- */

/* Without the blanks that mean nothing: at the ends, beside another, beside a
 * semicolon. */
static void squeeze(const char *text, char *words, size_t size) {
    size_t length = 0;
    for (; *text && length + 1 < size; text++) {
        const bool gap = *text == ' ' && (length == 0 || words[length - 1] == ' ' ||
                                          words[length - 1] == ';');
        if (*text == ';' && length && words[length - 1] == ' ')
            length--;
        if (!gap)
            words[length++] = *text;
    }
    length -= length && words[length - 1] == ' ';
    words[length] = '\0';
}

enum { WORDS_SIZE = 65536 };

static void expect_words(const char *name, const char *key, const char *wanted,
                         const char *got) {
    static char first[WORDS_SIZE], second[WORDS_SIZE];
    cr_assert_eq(!wanted, !got, "%s: %s", name, key);
    squeeze(wanted ? wanted : "", first, sizeof first);
    squeeze(got ? got : "", second, sizeof second);
    cr_expect_str_eq(second, first, "%s: %s", name, key);
}

static void expect_row(const Experiment *a, const Experiment *b) {
    const char *const first[] = {a->figure, a->title,  a->caption, a->x,    a->x_label,
                                 a->y,      a->error,  a->y_label, a->full, a->quick,
                                 a->series, a->remark, a->paper,   a->log};
    const char *const second[] = {b->figure, b->title,  b->caption, b->x,    b->x_label,
                                  b->y,      b->error,  b->y_label, b->full, b->quick,
                                  b->series, b->remark, b->paper,   b->log};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        char place[16];
        snprintf(place, sizeof place, "text %zu", i);
        expect_words(a->name, place, first[i], second[i]);
    }
    cr_expect_eq(a->kind, b->kind, "%s", a->name);
    cr_expect_eq(a->plane, b->plane, "%s", a->name);
    cr_expect_eq(a->full_runs, b->full_runs, "%s", a->name);
    cr_expect_eq(a->quick_runs, b->quick_runs, "%s", a->name);
}

/* All are what their print says, and a file may have all that they have, but for models
 * in tables. */
Test(experiment_file, rows) {
    for (unsigned i = 0; i < experiment_count(); i++) {
        const Experiment *row = experiment_at(i);
        JmError error = {.text = ""};
        char *text = printed(row);
        ExperimentFile *file = file_of(text, &error);
        cr_assert(file, "%s: %d:%d: %s", row->name, error.line, error.column,
                  error.text);
        expect_row(row, experiment_file_row(file));
        experiment_file_free(file);
        free(text);
    }
}

/* ---- what is read ---------------------------------------------------------------- */

#define HEAD "title: a\nx: h\ny: T_ms_mean\n"

Test(experiment_file, values) {
    ExperimentFile *file = good_file("\xef\xbb\xbf# first\r\n"
                                     "title:  Two \t words # and no comment\r\n"
                                     "#caption: none\r\n"
                                     "\r\n"
                                     "   \r\n"
                                     "sweep:m=2,5\r\n"
                                     "# between\r\n"
                                     "\tL=10;   h=40..42\r\n"
                                     "  \r\n"
                                     " p=3\r\n"
                                     "x: h\ny:   T_ms_mean\nlog: x y\nplane: 7");
    const Experiment *row = experiment_file_row(file);
    cr_expect_str_eq(row->name, "made");
    cr_expect_str_eq(row->file, "lab/made.exp");
    cr_expect_str_eq(row->title, "Two words # and no comment");
    cr_expect_str_eq(row->quick, "m=2,5 L=10; h=40..42 p=3");
    cr_expect_str_eq(row->full, row->quick);
    cr_expect_eq(row->quick_runs, 1);
    cr_expect_eq(row->full_runs, 1);
    cr_expect_eq(row->kind, KIND_CURVE);
    cr_expect_str_eq(row->x_label, "h");
    cr_expect_str_eq(row->y_label, "T_ms_mean");
    cr_expect_str_eq(row->caption, "");
    cr_expect_null(row->error);
    cr_expect_null(row->series);
    cr_expect_null(row->paper);
    cr_expect_str_eq(row->log, "x y");
    cr_expect_eq(row->plane, 7);
    cr_expect_eq(row->claim_count, 0);
    experiment_file_free(file);
}

/* The full form has its own values, and those of the short form for the others. */
Test(experiment_file, full_form) {
    ExperimentFile *file =
        good_file(HEAD "runs: 3\nsweep: h=40\nfull_sweep: h=40,50\nx_label: cycles\n");
    const Experiment *row = experiment_file_row(file);
    cr_expect_str_eq(row->full, "h=40,50");
    cr_expect_eq(row->full_runs, 3);
    cr_expect_str_eq(row->x_label, "cycles");
    experiment_file_free(file);
    file = good_file(HEAD "full_runs: 9\nsweep: h=1..10001\n"); /* the longest range */
    cr_expect_eq(experiment_file_row(file)->quick_runs, 1);
    cr_expect_eq(experiment_file_row(file)->full_runs, 9);
    experiment_file_free(file);
}

/* ---- claims ---------------------------------------------------------------------- */

#define CLAIM_OF(id, range)                                                            \
    "claim: " id "\nstatement: s\nmeasure: mean T_ms of this\nreproduced: " range "\n"

Test(experiment_file, claims) {
    ExperimentFile *file =
        good_file(HEAD "sweep: h=40\n" CLAIM_OF("first", "2..") CLAIM_OF(
            "second-1", "..-0.5") "in_part: -1..1e-3\nexpected: less\nunit: "
                                  "ms\n" CLAIM_OF("third", "0.1..0.30000000000000004")
                                      CLAIM_OF("exact", "-3..-3"));
    const Experiment *row = experiment_file_row(file);
    cr_assert_eq(row->claim_count, 4);
    const Claim *claim = row->claims;
    cr_expect_str_eq(claim[0].id, "first");
    cr_expect_str_eq(claim[0].experiment, "made");
    cr_expect_str_eq(claim[0].measure, "mean T_ms of this");
    cr_expect_str_eq(claim[0].thesis, "2..");
    cr_expect(claim[0].low == 2 && isinf(claim[0].high));
    cr_expect(claim[0].part_low == 2 && isinf(claim[0].part_high));
    cr_expect(isinf(claim[1].low) && claim[1].high == -0.5);
    cr_expect(claim[1].part_low == -1 && claim[1].part_high == 1e-3);
    cr_expect_str_eq(claim[1].thesis, "less");
    cr_expect_str_eq(claim[1].unit, "ms");
    cr_expect_str_eq(claim[2].id, "third");
    cr_expect(claim[2].low == 0.1 && claim[2].high == 0.30000000000000004);
    cr_expect_str_eq(claim[2].unit, "");
    cr_expect(claim[3].low == -3 && claim[3].high == -3);
    experiment_file_free(file);
}

/* A printed experiment is read back as the same. */
static void expect_again(const char *text) {
    ExperimentFile *file = good_file(text);
    char *first = printed(experiment_file_row(file));
    ExperimentFile *again = good_file(first);
    char *second = printed(experiment_file_row(again));
    cr_expect_str_eq(second, first);
    expect_row(experiment_file_row(file), experiment_file_row(again));
    const Experiment *one = experiment_file_row(file),
                     *two = experiment_file_row(again);
    cr_assert_eq(one->claim_count, two->claim_count);
    for (unsigned i = 0; i < one->claim_count; i++) {
        cr_expect_eq(one->claims[i].low, two->claims[i].low);
        cr_expect_eq(one->claims[i].high, two->claims[i].high);
        cr_expect_eq(one->claims[i].part_low, two->claims[i].part_low);
        cr_expect_eq(one->claims[i].part_high, two->claims[i].part_high);
    }
    free(first);
    free(second);
    experiment_file_free(file);
    experiment_file_free(again);
}

Test(experiment_file, printed_and_read) {
    expect_again(HEAD "sweep: h=40\n" CLAIM_OF("a", "0.1..0.30000000000000004")
                     CLAIM_OF("b", "..1e-300") "in_part: ..1\n");
    expect_again(
        "title: # # #aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
        "#bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb : x: y\n"
        "kind: table\nfigure: 4-4\npaper: X\nremark: r\nsweep: ;;h=4;;\n");
    expect_again("title: t\nkind: map\nplane: 0\nx: x\ny: overflows\nsweep: h=4\n"
                 "full_sweep: h=5\nfull_runs: 2\n");
}

/* "this" is the experiment of the claim, and else nothing. */
Test(experiment_file, this) {
    const Variation variation = {.full = false};
    Campaign campaign = campaign_open(&variation);
    ExperimentFile *file = good_file(HEAD "sweep: h=40\n");
    Measure found;
    JmError error;
    cr_assert(campaign_add(&campaign, experiment_file_row(file), &error));
    cr_expect(measure(&campaign, "made", "count of this", &found, &error));
    cr_expect_str_eq(found.why, "1 of 1 runs of made were not done");
    cr_expect_not(measure(&campaign, NULL, "count of this", &found, &error));
    cr_expect_eq(error.column, 10);
    campaign_close(&campaign);
    experiment_file_free(file);
}
