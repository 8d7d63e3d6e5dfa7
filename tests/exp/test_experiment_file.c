/* Experiments as text: what is read, what is printed, and where errors are. */
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

/* The full form has what it gives, and else what the short one has. */
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

/* ---- what is refused ------------------------------------------------------------- */

static void refuse(const char *text, int line, int column, const char *words) {
    JmError error = {.text = ""};
    ExperimentFile *file = file_of(text, &error);
    cr_assert_null(file, "%s", text);
    cr_expect(error.line == line && error.column == column, "%d:%d, not %d:%d: %s\n%s",
              error.line, error.column, line, column, error.text, text);
    cr_expect(strstr(error.text, words), "'%s' has no '%s'", error.text, words);
    cr_expect_str_eq(error.file, "lab/made.exp");
}

Test(experiment_file, lines) {
    refuse("", 1, 1, "no line 'title: ...'");
    refuse("title: a\n", 1, 1, "no line 'sweep: ...'");
    refuse("# x\n\ntitle: a\n b\nswep: h=4\n", 5, 1, "did you mean 'sweep'?");
    refuse("title: a\nsweep\n", 2, 1, "expected 'KEY: VALUE'");
    refuse("title: a\n: b\n", 2, 1, "expected 'KEY: VALUE'");
    refuse("title: a\nTitle: b\n", 2, 1, "expected 'KEY: VALUE'");
    refuse("title: a\ntitle: b\n", 2, 1, "given above");
    refuse("title:\n# b\nsweep: h=4", 1, 1, "no value");
    refuse("\n b\ntitle: a", 2, 1, "begins with a blank");
    refuse("title: a\x01", 1, 9, "control character");
    refuse("title: \xc3\xa9\n\xff", 2, 1, "not UTF-8");
    refuse(HEAD "sweep: h=4\nmeasure: x\n", 5, 1, "no key 'measure'");
    refuse("title: a\nx: h\nsweep: h=4\n", 0, 0, "no line 'y: ...'");
    refuse("title: a\nkind: map\ny: overflows\nsweep: h=4\n", 0, 0, "no line 'x: ...'");
}

Test(experiment_file, places_of_values) {
    refuse(HEAD "sweep: h=4 Q=8,7\n", 4, 16, "Q=7: expected a number from 8 to 1024");
    refuse(HEAD "sweep: h=4\nkind: cuve\n", 5, 7, "did you mean 'curve'?");
    refuse(HEAD "sweep: h=4\nlog: z\n", 5, 6, "expected x, y, or x y");
    refuse(HEAD "sweep: h=4\nruns: 0\n", 5, 7, "from 1 to 1000000");
    refuse(HEAD "sweep: h=4\nfull_runs:\n   1000001\n", 6, 4, "from 1 to 1000000");
    refuse(HEAD "sweep: h=4\nplane: 1024\n", 5, 8, "from 0 to 1023");
    refuse(HEAD "sweep: h=4 hh=5\n", 4, 12, "did you mean 'h'?");
    refuse(HEAD "sweep: model=amvaa\n", 4, 14, "|counted; did you mean 'amva'?");
    refuse(HEAD "sweep: m=2\n# c\n   L=3; h=4,x\n", 6, 13, "h=x: expected a number");
    refuse(HEAD "sweep: m=2; model=closed tau=3", 4, 26, "no setting 'tau'");
    refuse(HEAD "sweep: h=4; model=closd", 4, 19, "expected one of");
    refuse(HEAD "sweep: h=4; model=closed,amva", 4, 19, "a group has one model");
    refuse(HEAD "sweep: h=4; runs=0 m=2", 4, 18, "expected 1 to");
    refuse(HEAD "sweep: h=4 m\n", 4, 12, "expected NAME=VALUE");
    refuse(HEAD "sweep: h=4,,5\n", 4, 12, "h=: expected a number");
    refuse(HEAD "sweep: h=4\nfull_sweep: h=4 m=x", 5, 19, "m=x: expected");
    refuse(HEAD "sweep: h=1..200 m=1..101\n", 4, 19, "more than 20000 points");
    static const char *const ranges[] = {"9..8",     "8..9/2",   "8..9/0", "8..9/-1",
                                         "0.1..0.3", "0..10001", "nan..4"};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "sweep: m=2 h=7,%s\n", ranges[i]);
        refuse(text, 4, 16, "in FIRST..LAST");
    }
}

Test(experiment_file, places_of_columns) {
    refuse("title: a\nsweep: h=4\nx: h\ny: T_ms", 4, 4, "did you mean 'T_ms_mean'?");
    refuse("title: a\nsweep: h=4\nx: h\ny: T_mss_sd", 4, 4, "did you mean 'T_ms_sd'?");
    refuse("title: a\nsweep: h=4\nx: h\ny: T_ms_maen", 4, 4,
           "did you mean 'T_ms_mean'?");
    refuse("title: a\nsweep: h=4\nx: h\ny: T_mss_p99", 4, 4,
           "did you mean 'T_ms_p90'?");
    refuse("title: a\nsweep: h=4\nx: hh\ny: T_ms_mean", 3, 4, "did you mean 'h'?");
    refuse(HEAD "sweep: h=4\nerror: T_ms_s", 5, 8, "no column 'T_ms_s'");
    refuse(HEAD "sweep: h=4\nseries: m\n  Q qq", 6, 5, "no column 'qq'");
    refuse("title: a\nkind: times\nsweep: h=4\nx: h\ny: queue_max_mean", 4, 4,
           "no column 'h' of the kind 'times'");
    refuse("title: a\nkind: map\nsweep: h=4\nx: x\ny: overflow", 5, 4,
           "did you mean 'overflows'?");
    refuse("title: a\nkind: map\nsweep: h=4\nx: x\ny: overflows\nseries: m", 6, 9,
           "without a series");
    refuse("title: a\nkind: models\nsweep: model=closed\nx: tau\ny: p_full", 4, 4,
           "no point of the sweep takes the setting 'tau'");
    refuse(HEAD "sweep: h=4; model=abstract\n", 4, 8, "need 'kind: models'");
}

#define IN_CLAIM HEAD "sweep: h=4\nclaim: a\n"

Test(experiment_file, places_of_claims) {
    refuse(IN_CLAIM "title: b\n", 6, 1, "claims stand behind all other keys");
    refuse(IN_CLAIM "mesure: b\n", 6, 1, "did you mean 'measure'?");
    refuse(IN_CLAIM "claim: b\n", 5, 1, "no line 'statement: ...' of this claim");
    refuse(IN_CLAIM "statement: s\nmeasure: 1\n", 5, 1, "no line 'reproduced: ...'");
    refuse("title: a\nclaim: a\n", 1, 1, "no line 'sweep: ...'");
    refuse(HEAD "sweep: h=4\nclaim: 1a\n", 5, 8, "a name has letters");
    refuse(HEAD "sweep: h=4\nclaim: a b\n", 5, 8, "a name has letters");
    refuse(HEAD "sweep: h=4\n" CLAIM_OF("a", "1..") "claim: a\n", 9, 8, "'a' above");
    static const char *const ranges[] = {
        "..", "1", "2..1", "a..b", "1..2x", "nan..1", "1e400..", "1 .. 2", "1..2..3"};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, IN_CLAIM "reproduced: %s\n", ranges[i]);
        refuse(text, 6, 13, "expected LOW..HIGH");
    }
    refuse(IN_CLAIM
           "statement: s\nreproduced: 1..\nmeasure: mean T_ms\n# c\n  of thi\n",
           10, 6, "no such experiment at 'thi'");
    refuse(IN_CLAIM "statement: s\nreproduced: 1..\nmeasure: men T_ms of this\n", 8, 10,
           "did you mean 'mean'?");
    refuse(IN_CLAIM
           "statement: s\nreproduced: 1..\nmeasure: count of this where qh=3\n",
           8, 30, "no such column");
    refuse(IN_CLAIM "statement: s\nreproduced: 1..\nmeasure: 1 +\n", 8, 13,
           "expected a term at 'the end'");
}

/* The name is part of names of files, and not one that jm has. */
Test(experiment_file, names) {
    static const char *const bad[] = {".exp",       "a b.exp",     "a.b.exp", "1a.exp",
                                      "x/-a.exp",   "\xc3.exp",    "a\n.exp", "all.exp",
                                      "fig4-4.exp", "x/papers.exp"};
    static const char long_name[] = "abcdefghijklmnopqrstuvwxyz0123456.exp";
    for (size_t i = 0; i <= sizeof bad / sizeof bad[0]; i++) {
        const char *name = i ? bad[i - 1] : long_name;
        JmError error = {.text = ""};
        cr_expect_null(
            experiment_file_parse(name, "title: a\nsweep: h=4\n", 20, &error), "%s",
            name);
        cr_expect(strstr(error.text, "name"), "%s: %s", name, error.text);
    }
    JmError error;
    ExperimentFile *file =
        experiment_file_parse("/x.y/abcdefghijklmnopqrstuvwxyz012345.exp",
                              "title: a\nsweep: h=4\n", 20, &error);
    cr_assert(file);
    cr_expect_str_eq(experiment_file_row(file)->name,
                     "abcdefghijklmnopqrstuvwxyz012345");
    experiment_file_free(file);
}
