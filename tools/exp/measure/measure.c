/* Reads and evaluates measures by recursive descent; measure.h has the grammar. */
#include "tools/exp/measure/measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "tools/exp/measure/row.h"
#include "tools/exp/measure/selection.h"
#include "tools/host/memory.h"

enum { CONDITIONS_MAX = 10, NAME_SIZE = 32, TEXT_SIZE = 512, DEPTH_MAX = 8 };

typedef enum { EQUAL, LESS, MORE, AT_MOST, AT_LEAST } Relation;

/* One condition behind `where`. */
typedef struct {
    char name[NAME_SIZE];
    Relation relation;
    const char *value; /* text after the relation; "" with EQUAL: not set */
} Condition;

/* A measure being parsed. */
typedef struct {
    const Campaign *campaign;
    const char *self; /* the experiment that "this" stands for */
    Measure *result;
    JmError *error;
    const char *text; /* the whole measure */
    char *copy;       /* the same, cut into words */
    char *rest;       /* state of strtok_r */
    char *word;       /* next word to read, NULL at the end */
    unsigned depth;   /* open brackets */
} Reader;

static void advance(Reader *reader) {
    reader->word = strtok_r(NULL, " ", &reader->rest);
}

static bool is(const Reader *reader, const char *word) {
    return reader->word && strcmp(reader->word, word) == 0;
}

/* Reports what is wrong at the next word, and a name that may be meant (`near`, or
 * NULL). */
static bool fail_near(const Reader *reader, const char *what, JmSuggestion *near) {
    const size_t at =
        reader->word ? (size_t)(reader->word - reader->copy) : strlen(reader->text);
    return jm_fail_line(reader->error, reader->text, 0, (int)at + 1, "%s at '%s'%s",
                        what, reader->word ? reader->word : "the end",
                        near ? jm_suggest_text(near, "", "") : "");
}

static bool fail(const Reader *reader, const char *what) {
    return fail_near(reader, what, NULL);
}

/* Appends a term, its value and its number of runs to the detail of the result. */
static void say(Reader *reader, const char *text, double value, size_t count) {
    const size_t length = strlen(reader->result->detail);
    snprintf(reader->result->detail + length, sizeof reader->result->detail - length,
             "%s%s = %.5g (%zu runs)", length ? "; " : "", text, value, count);
}

/* ---- conditions ------------------------------------------------------------------ */

/* Checks that there is a column of the name that the next word has, or begins with. */
static bool check_column(const Reader *reader, const char *name) {
    if (row_has(name))
        return true;
    JmSuggestion near = jm_suggest_start(name);
    row_suggest(&near);
    return fail_near(reader, "no such column", &near);
}

/* Reads a condition. A misspelt name is an error, not a condition that nothing
 * satisfies. */
static bool read_condition(const Reader *reader, Condition *condition) {
    const size_t length = strcspn(reader->word, "=<>");
    const char *relation = reader->word + length;
    if (length == 0 || length >= sizeof condition->name || !relation[0])
        return fail(reader, "expected a condition");
    memcpy(condition->name, reader->word, length);
    condition->name[length] = '\0';
    if (!check_column(reader, condition->name))
        return false;
    const bool with_equals = relation[0] != '=' && relation[1] == '=';
    condition->relation = relation[0] == '='   ? EQUAL
                          : relation[0] == '<' ? (with_equals ? AT_MOST : LESS)
                                               : (with_equals ? AT_LEAST : MORE);
    condition->value = relation + 1 + with_equals;
    return true;
}

/* Compares texts first, so that a mesh or a word can be compared, then numbers.
 * Non-numbers and NaN satisfy no comparison. */
static bool holds(const Condition *condition, const Run *run) {
    const char *text = settings_text(&run->settings, condition->name);
    if (condition->relation == EQUAL && !condition->value[0])
        return !text; /* NAME=: not set */
    if (text && condition->relation == EQUAL && strcmp(text, condition->value) == 0)
        return true;
    const double value = row_number(run, condition->name);
    char *end;
    const double other = strtod(condition->value, &end);
    if (*end)
        return false;
    switch (condition->relation) {
    case EQUAL:
        return value == other && strcmp(condition->name, "mesh") != 0;
    case LESS:
        return value < other;
    case MORE:
        return value > other;
    case AT_MOST:
        return value <= other;
    default:
        return value >= other;
    }
}

static bool all_hold(const Condition *conditions, unsigned count, const Run *run) {
    for (unsigned i = 0; i < count; i++)
        if (!holds(&conditions[i], run))
            return false;
    return true;
}

/* ---- terms ----------------------------------------------------------------------- */

/* Whether the conditions on settings hold; conditions on results are ignored. */
static bool settings_hold(const Condition *conditions, unsigned count, const Run *run) {
    for (unsigned i = 0; i < count; i++)
        if (settings_text(&run->settings, conditions[i].name) &&
            !holds(&conditions[i], run))
            return false;
    return true;
}

/* The outcome of the runs that a term selects. */
typedef struct {
    size_t wanted;    /* runs with these settings */
    size_t undone;    /* of these, not done */
    size_t failed;    /* did not end as planned */
    size_t unsolved;  /* a model has no solution */
    const char *stop; /* how the first that failed, or has no solution, ended */
} Fate;

static void add_fate(Fate *fate, const Run *run) {
    const char *stop = run->outcome ? run->outcome->stop : NULL;
    const bool failed = run->outcome && !run->result;
    const bool unsolved = run->result && settings_text(&run->settings, "model") &&
                          stop && strcmp(stop, "solved") != 0;
    fate->wanted++;
    fate->undone += !run->outcome;
    fate->failed += failed;
    fate->unsolved += unsolved;
    if (!fate->stop && (failed || unsolved))
        fate->stop = stop;
}

/* Marks the measure as not measured; the first reason is kept. */
static void leave(Reader *reader, const char *format, ...) {
    va_list arguments;
    if (!reader->result->measured)
        return;
    reader->result->measured = false;
    va_start(arguments, format);
    vsnprintf(reader->result->why, sizeof reader->result->why, format, arguments);
    va_end(arguments);
}

/* Gives up a measure that selects no runs, or some of whose runs have no figures: the
 * remaining runs might only be the better ones. */
static void judge_fate(Reader *reader, const char *experiment, const Fate *fate) {
    if (!fate->wanted)
        leave(reader, "%s has no runs with such settings", experiment);
    else if (fate->failed)
        leave(reader, "%zu of %zu runs of %s did not end as planned (%s)", fate->failed,
              fate->wanted, experiment, fate->stop);
    else if (fate->undone)
        leave(reader, "%zu of %zu runs of %s were not done", fate->undone, fate->wanted,
              experiment);
    else if (fate->unsolved)
        leave(reader, "a model has no solution (%s) at %zu of %zu points of %s",
              fate->stop, fate->unsolved, fate->wanted, experiment);
}

/* Selects the runs of a plan that satisfy all conditions; a run shared by two points
 * counts for both. If no run has such settings, or one that has them has no figures,
 * nothing was measured. If all have figures but no result satisfies the conditions,
 * that is a finding: `measured` stays true. */
static void select_runs(Reader *reader, const char *experiment,
                        const Condition *conditions, unsigned count,
                        Selection *selection) {
    const Plan *plan = campaign_plan(reader->campaign, experiment);
    Fate fate = {.wanted = 0};
    if (!plan) {
        leave(reader, "%s was not run", experiment);
        return;
    }
    if (plan->swept.count) {
        reader->result->swept = true;
        snprintf(reader->result->why, sizeof reader->result->why,
                 "the runs of %s have several values of %s (--set)", experiment,
                 plan->swept.name[0]);
    }
    selection->runs = memory_array(plan_run_count(plan), sizeof *selection->runs);
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].run_count; k++) {
            const Run *run = plan->points[i].runs[k];
            if (settings_hold(conditions, count, run))
                add_fate(&fate, run);
            if (run->result && all_hold(conditions, count, run))
                selection->runs[selection->count++] = run;
        }
    judge_fate(reader, experiment, &fate);
}

/* Whether the next word is one of these characters. */
static bool is_one_of(const Reader *reader, const char *characters) {
    return reader->word && reader->word[0] && reader->word[1] == '\0' &&
           strchr(characters, reader->word[0]);
}

/* Reads the words that a statistic takes, as `form` has them (measure.def). */
static bool read_words(Reader *reader, Selection *selection, const char *form) {
    for (; *form; advance(reader)) {
        const size_t length = strcspn(form, " ");
        if (!reader->word)
            return fail(reader, "expected a word");
        if (strncmp(form, "COLUMN", length) == 0 && !check_column(reader, reader->word))
            return false;
        selection->words[selection->word_count++] = reader->word;
        form += length + (form[length] == ' ');
    }
    return true;
}

/* Reads the conditions after "where", up to an operator or a bracket. */
static bool read_conditions(Reader *reader, Condition *conditions, unsigned *count) {
    if (!is(reader, "where"))
        return true;
    for (advance(reader); reader->word && !is_one_of(reader, "+-*/)");
         advance(reader)) {
        if (*count == CONDITIONS_MAX)
            return fail(reader, "too many conditions");
        if (!read_condition(reader, &conditions[(*count)++]))
            return false;
    }
    return true;
}

/* Adds the term as text, with its value, to the detail. */
static void say_term(Reader *reader, const char *name, const char *experiment,
                     const Selection *selection, const Condition *conditions,
                     unsigned count, double value) {
    static const char *const sign[] = {"=", "<", ">", "<=", ">="};
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s%s%s of %s", name, selection->word_count ? " " : "",
             selection->word_count ? selection->words[0] : "", experiment);
    for (unsigned i = 0; i < count; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s%s%s", i ? " " : ", ",
                 conditions[i].name, sign[conditions[i].relation],
                 conditions[i].value[0] ? conditions[i].value : "as built");
    }
    say(reader, text, value, selection->count);
}

static bool read_experiment(Reader *reader, const char **name) {
    *name = reader->word;
    if (is(reader, "this") && reader->self)
        *name = reader->self;
    else if (!*name ||
             (!experiment_find(*name) && !campaign_plan(reader->campaign, *name)))
        return fail(reader, "no such experiment");
    advance(reader);
    return true;
}

/* Reads a statistic of an experiment and evaluates it. */
static bool read_statistic(Reader *reader, double *value) {
    unsigned count = 0;
    const char *words;
    Statistic *statistic = statistic_find(reader->word, &words);
    JmSuggestion near = jm_suggest_start(reader->word);
    if (!statistic) {
        statistic_suggest(&near);
        return fail_near(reader, "no such statistic", &near);
    }
    const char *name = reader->word, *experiment;
    Selection selection = {.runs = NULL};
    Condition conditions[CONDITIONS_MAX];
    advance(reader);
    if (!read_words(reader, &selection, words))
        return false;
    if (!is(reader, "of")) {
        *value = statistic(&selection);
        return !isnan(*value) || fail(reader, "this statistic needs an experiment");
    }
    advance(reader);
    if (!read_experiment(reader, &experiment) ||
        !read_conditions(reader, conditions, &count))
        return false;
    select_runs(reader, experiment, conditions, count, &selection);
    *value = selection.runs ? statistic(&selection) : NAN;
    /* There are runs, but none with a value for this statistic. */
    if (selection.count > 0 && isnan(*value))
        leave(reader, "the %zu run%s of %s show%s no %s%s%s", selection.count,
              selection.count == 1 ? "" : "s", experiment,
              selection.count == 1 ? "s" : "", name, *words ? " " : "",
              *words ? selection.words[0] : "");
    say_term(reader, name, experiment, &selection, conditions, count, *value);
    free(selection.runs);
    return true;
}

/* ---- the grammar ----------------------------------------------------------------- */

static bool read_sum(Reader *reader, double *value);

/* Reads a term: a measure in brackets, a number, or a statistic. */
static bool read_term(Reader *reader, double *value) {
    if (!reader->word)
        return fail(reader, "expected a term");
    if (is(reader, "(")) {
        if (++reader->depth > DEPTH_MAX)
            return fail(reader, "too many brackets");
        advance(reader);
        if (!read_sum(reader, value))
            return false;
        if (!is(reader, ")"))
            return fail(reader, "expected )");
        reader->depth--;
        advance(reader);
        return true;
    }
    char *end;
    *value = strtod(reader->word, &end);
    if (*end)
        return read_statistic(reader, value);
    advance(reader);
    return true;
}

static double apply(char operation, double a, double b) {
    switch (operation) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    default:
        return a / b;
    }
}

/* Reads one or more operands with `next`, with any of `operators` between them, and
 * evaluates from left to right. */
static bool read_row(Reader *reader, const char *operators,
                     bool (*next)(Reader *, double *), double *value) {
    bool good = next(reader, value);
    while (good && is_one_of(reader, operators)) {
        const char operation = reader->word[0];
        double right;
        advance(reader);
        good = next(reader, &right);
        if (good)
            *value = apply(operation, *value, right);
    }
    return good;
}

static bool read_product(Reader *reader, double *value) {
    return read_row(reader, "*/", read_term, value);
}

static bool read_sum(Reader *reader, double *value) {
    return read_row(reader, "+-", read_product, value);
}

bool measure(const Campaign *campaign, const char *self, const char *text,
             Measure *result, JmError *error) {
    char *copy = memory_checked(strdup(text));
    *result = (Measure){.measured = true};
    Reader reader = {.campaign = campaign,
                     .self = self,
                     .result = result,
                     .error = error,
                     .text = text,
                     .copy = copy};
    reader.word = strtok_r(copy, " ", &reader.rest);
    const bool good = read_sum(&reader, &result->value) &&
                      (!reader.word || fail(&reader, "expected an operator"));
    if (!result->measured || result->swept)
        result->value = NAN;
    free(copy);
    return good;
}
