/* Stops of the editor. A request names all of a group: those of a file, of symbols, of
 * instructions, of data, of faults. Those that it names again are kept, with their
 * hits. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"
#include "tools/jm/dap/dap.h"

/* ---- conditions ------------------------------------------------------------------ */

static const char *text_in(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static bool refuse(Breakpoint *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says why there is no stop. Returns false. */
static bool refuse(Breakpoint *b, const char *format, ...) {
    va_list list;
    va_start(list, format);
    free(b->why);
    b->why = memory_vtext(format, list);
    va_end(list);
    return false;
}

/* Takes a hit condition: "5" and ">= 5", "> 5", "== 5", "% 5". *ignored: hits that are
 * let pass by the debugger. */
static bool take_hit_condition(Breakpoint *b, const char *text, uint64_t *ignored) {
    uint64_t number;
    text += strspn(text, " ");
    const size_t length = strspn(text, ">=%");
    char sign[4] = "";
    memcpy(sign, text, length < sizeof sign ? length : 0);
    if (!number_parse(text + length + strspn(text + length, " "), 1, INT64_MAX,
                      &number))
        return refuse(b, "hit condition '%s': 5, >= 5, > 5, == 5 or %% 5 expected",
                      text);
    *ignored = number - 1;
    if (strcmp(sign, "%") == 0)
        b->every = number, *ignored = 0;
    else if (strcmp(sign, "==") == 0 || strcmp(sign, "=") == 0)
        b->only = number;
    else if (strcmp(sign, ">") == 0)
        *ignored = number;
    else if (length && strcmp(sign, ">=") != 0)
        return refuse(b, "hit condition '%s': 5, >= 5, > 5, == 5 or %% 5 expected",
                      text);
    return true;
}

/* Returns "after COUNT if CONDITION" of what the editor says, malloc'ed; NULL: it is
 * malformed. */
static char *clauses_of(Breakpoint *b) {
    const char *condition = text_in(b->asked, "condition");
    const char *hits = text_in(b->asked, "hitCondition");
    uint64_t ignored = 0;
    b->logs = text_in(b->asked, "logMessage");
    if (b->logs && !*b->logs)
        b->logs = NULL;
    if (hits && *hits && !take_hit_condition(b, hits, &ignored))
        return NULL;
    const bool has = condition && condition[strspn(condition, " ")];
    return memory_text("after %" PRIu64 "%s%s", ignored, has ? " if " : "",
                       has ? condition : "");
}

/* ---- defining -------------------------------------------------------------------- */

/* Each returns false after refuse(). */
typedef bool Define(Dap *dap, Breakpoint *b, const char *clauses);

/* Makes the message of dap_fail() the reason why there is no stop. Returns false. */
static bool refuse_failed(Dap *dap, Breakpoint *b) {
    free(b->why);
    b->why = dap->failure;
    dap->failure = NULL;
    return false;
}

/* Takes the id of the stop just defined, or the reason why there is none. */
static bool take_stop(Dap *dap, Breakpoint *b, bool good) {
    if (!good)
        return refuse(b, "%s", jm_debug_error(dap->debug));
    b->stop = jm_debug_state(dap->debug).last_id;
    return true;
}

static bool define_at(Dap *dap, Breakpoint *b, const JmDebugPlace *places,
                      unsigned count, const char *clauses) {
    return take_stop(dap, b, jm_debug_break(dap->debug, places, count, clauses) != 0);
}

enum { PLACES_MOST = 4096 };

/* Finds the instructions of a line. Returns how many there are; *places is malloc'ed.
 */
static unsigned line_places(Dap *dap, const char *file, int line,
                            JmDebugPlace **places) {
    *places = memory_array(PLACES_MOST, sizeof **places);
    const unsigned count =
        jm_debug_line_places(dap->debug, file, line, *places, PLACES_MOST);
    return count < PLACES_MOST ? count : PLACES_MOST;
}

/* A line of a file; its column, if it has one, counts the line's instructions. */
static bool define_line(Dap *dap, Breakpoint *b, const char *clauses) {
    const char *file = place_file(dap, b->path);
    int64_t column = 0;
    int line;
    JmDebugPlace *places;
    if (!file)
        return refuse(b, "the program has no such file");
    if (!want_line(dap, b->asked, "line", &line) ||
        !may_number(dap, b->asked, "column", &column))
        return refuse_failed(dap, b);
    const unsigned count = line_places(dap, file, line, &places);
    const int64_t index = column - !dap->columns_from_0;
    const bool one =
        index >= 0 && index < count && count > 1 && json_object_get(b->asked, "column");
    const bool good =
        count ? define_at(dap, b, places + (one ? index : 0), one ? 1 : count, clauses)
              : refuse(b, "line %d has no code%s", line,
                       jm_debug_lines_near(dap->debug, file, line));
    free(places);
    return good;
}

static bool define_function(Dap *dap, Breakpoint *b, const char *clauses) {
    const char *name = text_in(b->asked, "name");
    if (!name)
        return refuse(b, "'name': a text expected");
    return take_stop(dap, b, dap_do(dap, "break %s %s", name, clauses));
}

/* All nodes have the same program, so an instruction is one of all. */
static bool define_instruction(Dap *dap, Breakpoint *b, const char *clauses) {
    uint64_t bytes;
    if (!want_reference(dap, b->asked, "instructionReference", &bytes))
        return refuse_failed(dap, b);
    const JmDebugPlace place = {.address =
                                    (uint32_t)(bytes / WORD_BYTES) & JM_ADDRESS_MASK,
                                .low = bytes % WORD_BYTES >= LOW_BYTES};
    return define_at(dap, b, &place, 1, clauses);
}

/* The dataId is what `watch` takes. */
static bool define_data(Dap *dap, Breakpoint *b, const char *clauses) {
    const char *id = text_in(b->asked, "dataId");
    const char *access = text_in(b->asked, "accessType");
    if (!id)
        return refuse(b, "'dataId': a text expected");
    const char *command = access && strcmp(access, "read") == 0        ? "rwatch"
                          : access && strcmp(access, "readWrite") == 0 ? "awatch"
                                                                       : "watch";
    return take_stop(dap, b, dap_do(dap, "%s %s %s", command, id, clauses));
}

static bool define_fault(Dap *dap, Breakpoint *b, const char *clauses) {
    return take_stop(
        dap, b,
        dap_do(dap, "catch fault %s %s", text_in(b->asked, "filterId"), clauses));
}

/* ---- groups ---------------------------------------------------------------------- */

static void drop(Dap *dap, Breakpoint *b) {
    if (b->stop && dap->debug)
        dap_do(dap, "delete %u", b->stop);
    free(b->path);
    free(b->why);
    json_decref(b->asked);
}

/* The path is NULL but for the group of a file. */
static bool is_of_group(const Breakpoint *b, BreakpointKind kind, const char *path) {
    return b->kind == kind && (!path || strcmp(b->path, path) == 0);
}

static Breakpoint *find_kept(Dap *dap, BreakpointKind kind, const char *path,
                             const json_t *asked) {
    for (size_t i = 0; i < dap->breakpoint_count; i++) {
        Breakpoint *b = &dap->breakpoints[i];
        if (!b->kept && is_of_group(b, kind, path) && json_equal(b->asked, asked))
            return b;
    }
    return NULL;
}

/* How the stops of a group are defined, and the reason that is given for a hit. */
static const struct {
    Define *define;
    const char *reason;
} kinds[] = {[BREAKPOINT_LINE] = {define_line, "breakpoint"},
             [BREAKPOINT_FUNCTION] = {define_function, "function breakpoint"},
             [BREAKPOINT_INSTRUCTION] = {define_instruction, "instruction breakpoint"},
             [BREAKPOINT_DATA] = {define_data, "data breakpoint"},
             [BREAKPOINT_FAULT] = {define_fault, "exception"}};

static void define(Dap *dap, Breakpoint *b) {
    b->stop = 0;
    free(b->why);
    b->why = NULL;
    if (!dap->debugs) {
        refuse(b, "the program was launched without debugging");
        return;
    }
    char *clauses = clauses_of(b);
    if (clauses)
        kinds[b->kind].define(dap, b, clauses);
    free(clauses);
}

static Breakpoint *add(Dap *dap, BreakpointKind kind, const char *path, json_t *asked) {
    dap->breakpoints =
        memory_more(dap->breakpoints, dap->breakpoint_count, sizeof *dap->breakpoints);
    Breakpoint *b = &dap->breakpoints[dap->breakpoint_count++];
    *b = (Breakpoint){.id = ++dap->breakpoint_id,
                      .kind = kind,
                      .path = path ? memory_text("%s", path) : NULL,
                      .asked = json_incref(asked)};
    return b;
}

/* Returns a breakpoint as the editor sees it. */
static json_t *described(const Dap *dap, const Breakpoint *b) {
    JmDebugStop stop;
    json_t *object =
        json_pack("{s:I,s:b}", "id", (json_int_t)b->id, "verified", b->stop != 0);
    if (b->why)
        json_object_set_new(object, "message", jvalue_text(b->why));
    if (!b->stop || !jm_debug_stop(dap->debug, b->stop, &stop))
        return object;
    json_object_set_new(object, "message", jvalue_text(stop.text));
    if (!stop.places)
        return object;
    json_object_set_new(object, "instructionReference",
                        place_reference(0, stop.first.address, stop.first.low));
    place_add(dap, object, "source", &stop.first);
    return object;
}

/* Deletes the stops of a group that are not named again. */
static void drop_others(Dap *dap, BreakpointKind kind, const char *path) {
    size_t kept = 0;
    for (size_t i = 0; i < dap->breakpoint_count; i++) {
        Breakpoint *b = &dap->breakpoints[i];
        if (is_of_group(b, kind, path) && !b->kept)
            drop(dap, b);
        else
            dap->breakpoints[kept++] = *b;
    }
    dap->breakpoint_count = kept;
    for (size_t i = 0; i < kept; i++)
        dap->breakpoints[i].kept = false;
}

/* Replaces the stops of a group by those in a list. Returns true. */
static bool replace(Dap *dap, BreakpointKind kind, const char *path, json_t *list) {
    json_t *asked, *answers = json_array();
    size_t i;
    json_array_foreach (list, i, asked) {
        Breakpoint *b = find_kept(dap, kind, path, asked);
        if (!b) {
            b = add(dap, kind, path, asked);
            define(dap, b);
        }
        b->kept = true;
        json_array_append_new(answers, described(dap, b));
    }
    drop_others(dap, kind, path);
    return dap_give(dap, json_pack("{s:o}", "breakpoints", answers));
}

void breakpoints_again(Dap *dap) {
    for (size_t i = 0; i < dap->breakpoint_count; i++) {
        Breakpoint *b = &dap->breakpoints[i];
        define(dap, b);
        dap_event(dap, "breakpoint",
                  json_pack("{s:o,s:o}", "reason", jvalue_text("changed"), "breakpoint",
                            described(dap, b)));
    }
}

void breakpoints_free(Dap *dap) {
    for (size_t i = 0; i < dap->breakpoint_count; i++)
        drop(dap, &dap->breakpoints[i]);
    free(dap->breakpoints);
}

/* ---- requests -------------------------------------------------------------------- */

static bool replace_group(Dap *dap, const json_t *arguments, BreakpointKind kind,
                          const char *path) {
    json_t *list;
    if (!may_list(dap, arguments, "breakpoints", &list))
        return false;
    return replace(dap, kind, path, list);
}

bool request_setBreakpoints(Dap *dap, const json_t *arguments) {
    const char *path;
    return want_text(dap, json_object_get(arguments, "source"), "path", &path) &&
           replace_group(dap, arguments, BREAKPOINT_LINE, path);
}

bool request_setFunctionBreakpoints(Dap *dap, const json_t *arguments) {
    return replace_group(dap, arguments, BREAKPOINT_FUNCTION, NULL);
}

bool request_setInstructionBreakpoints(Dap *dap, const json_t *arguments) {
    return replace_group(dap, arguments, BREAKPOINT_INSTRUCTION, NULL);
}

bool request_setDataBreakpoints(Dap *dap, const json_t *arguments) {
    return replace_group(dap, arguments, BREAKPOINT_DATA, NULL);
}

/* ---- faults and ends ------------------------------------------------------------- */

/* Ends of the machine at which it may stop instead of ending the session. */
static const struct {
    const char *filter, *label, *text;
    unsigned stops; /* bits 1 << JmStop */
    bool standard;
} ends[] = {{"deadlock", "Deadlock", "messages wait for each other",
             1u << JM_STOP_DEADLOCK, true},
            {"stopped", "Stopped node", "a node stopped by a fault in fault mode",
             1u << JM_STOP_STOPPED, true},
            {"ended", "End of the program", "HOST_EXIT, or nothing will ever happen",
             1u << JM_STOP_EXIT | 1u << JM_STOP_IDLE, false}};

enum { ENDS = sizeof ends / sizeof *ends };

static void add_filter(json_t *filters, const char *filter, const char *label,
                       const char *text, bool standard, bool conditional) {
    json_array_append_new(filters,
                          json_pack("{s:o,s:o,s:o,s:b,s:b}", "filter",
                                    jvalue_text(filter), "label", jvalue_text(label),
                                    "description", jvalue_text(text), "default",
                                    standard, "supportsCondition", conditional));
}

json_t *breakpoints_filters(Dap *dap) {
    json_t *filters = json_array();
    for (size_t i = 0; i < ENDS; i++) {
        add_filter(filters, ends[i].filter, ends[i].label, ends[i].text,
                   ends[i].standard, false);
        if (ends[i].standard)
            dap->stops_at_ends |= ends[i].stops;
    }
#define FAULT(name, number, key, text)                                                 \
    add_filter(filters, #name, "Fault " #name, text, false, true);
#include "emu/isa/faults.def"
#undef FAULT
    return filters;
}

/* Takes a filter: an end of the machine, or a fault. False after a failure. */
static bool take_filter(Dap *dap, json_t *faults, unsigned *stops, json_t *option) {
    const char *filter = text_in(option, "filterId");
    if (!filter)
        return dap_fail(dap, "a filter is a text");
    JmSuggestion suggestion = jm_suggest_start(filter);
    for (size_t i = 0; i < ENDS; i++) {
        if (strcmp(ends[i].filter, filter) == 0) {
            *stops |= ends[i].stops;
            return true;
        }
        jm_suggest_consider(&suggestion, ends[i].filter);
    }
    for (unsigned fault = 0; fault < JM_FAULT_COUNT; fault++) {
        if (strcmp(jm_fault_name(fault), filter) == 0)
            return json_array_append(faults, option) == 0;
        jm_suggest_consider(&suggestion, jm_fault_name(fault));
    }
    return dap_fail(dap, "there is no filter '%s'%s", filter,
                    jm_suggest_text(&suggestion, "", ""));
}

bool request_setExceptionBreakpoints(Dap *dap, const json_t *arguments) {
    json_t *filters, *options, *filter, *faults = json_array();
    size_t i;
    unsigned stops = 0;
    bool good = may_list(dap, arguments, "filters", &filters) &&
                may_list(dap, arguments, "filterOptions", &options);
    if (good) {
        json_array_foreach (filters, i, filter) {
            json_t *option = json_pack("{s:O}", "filterId", filter);
            good = good && take_filter(dap, faults, &stops, option);
            json_decref(option);
        }
        json_array_foreach (options, i, filter)
            good = good && take_filter(dap, faults, &stops, filter);
    }
    if (good) {
        dap->stops_at_ends = stops;
        replace(dap, BREAKPOINT_FAULT, NULL, faults);
    }
    json_decref(faults);
    return good;
}

/* ---- data ------------------------------------------------------------------------ */

/* Answers for a register, or an expression in parentheses: `watch` looks at it after
 * every cycle. */
static json_t *value_info(const char *expression) {
    return json_pack("{s:o,s:o,s:[o]}", "dataId", jvalue_textf("(%s)", expression),
                     "description", jvalue_text(expression), "accessTypes",
                     jvalue_text("write"));
}

/* Answers for words of memory; `node` is -1 for those of all nodes. */
static json_t *memory_info(const Dap *dap, uint32_t address, uint64_t words,
                           int64_t node) {
    char on[32] = "", more[48] = "";
    if (node >= 0)
        snprintf(on, sizeof on, " on %" PRId64, node);
    if (words > 1)
        snprintf(more, sizeof more, ", %" PRIu64 " words", words);
    json_t *name = place_name(dap, &(JmDebugPlace){.address = address});
    json_t *info = json_pack(
        "{s:o,s:o,s:[o,o,o]}", "dataId",
        jvalue_textf("0x%05" PRIX32 " %" PRIu64 "%s", address, words, on),
        "description", jvalue_textf("%s%s%s", json_string_value(name), more, on),
        "accessTypes", jvalue_text("read"), jvalue_text("write"),
        jvalue_text("readWrite"));
    json_decref(name);
    return info;
}

static json_t *no_info(const char *why) {
    return json_pack("{s:n,s:o}", "dataId", "description", jvalue_text(why));
}

/* Answers for bytes of memory from a reference on. */
static bool bytes_info(Dap *dap, const json_t *arguments, int64_t count) {
    uint64_t bytes;
    if (!want_reference(dap, arguments, "name", &bytes))
        return false;
    const uint64_t first = bytes / WORD_BYTES;
    const uint64_t words = (bytes % WORD_BYTES + (uint64_t)count - 1) / WORD_BYTES + 1;
    return dap_give(dap, memory_info(dap, (uint32_t)first & JM_ADDRESS_MASK, words,
                                     (int64_t)(bytes >> NODE_BITS)));
}

/* Takes "[ADDRESS]" or "[ADDRESS]@NODE" apart: returns the address as text, malloc'ed,
 * and sets *node if one is named. NULL: it is something else. */
static char *word_address(const char *text, int64_t *node) {
    const char *at = strrchr(text, '@');
    const char *end = at ? at : text + strlen(text);
    uint64_t rank;
    if (*text != '[' || strchr(text, ']') != end - 1 ||
        (at && !number_parse(at + 1, 0, UINT32_MAX, &rank)))
        return NULL;
    if (at)
        *node = (int64_t)rank;
    return memory_text("%.*s", (int)(end - text - 2), text + 1);
}

/* Answers for an expression: a word of memory, a name or an address, or another one,
 * which is watched as a value. */
static json_t *expression_info(Dap *dap, const char *text, int64_t node) {
    JmDebugValue value;
    char *word = word_address(text, &node);
    const bool good = jm_debug_evaluate(dap->debug, word ? word : text, &value);
    const bool is_place = word || !strpbrk(text, "$[");
    free(word);
    if (!good)
        return no_info(value.text);
    return is_place && value.address != UINT32_MAX
               ? memory_info(dap, value.address, 1, node)
               : value_info(text);
}

bool request_dataBreakpointInfo(Dap *dap, const json_t *arguments) {
    const JmDebugFrame *frame;
    const char *name;
    int64_t reference = 0, bytes = 0;
    bool is_address = false;
    if (!want_text(dap, arguments, "name", &name) ||
        !may_number(dap, arguments, "variablesReference", &reference) ||
        !may_number(dap, arguments, "bytes", &bytes) ||
        !may_truth(dap, arguments, "asAddress", &is_address) ||
        !may_frame(dap, arguments, &frame))
        return false;
    if (is_address)
        return bytes_info(dap, arguments, bytes > 0 ? bytes : WORD_BYTES);
    char *expression =
        reference ? variable_expression(dap, reference, name) : memory_text("%s", name);
    dap->body =
        expression ? expression_info(dap, expression, frame ? (int64_t)frame->node : -1)
                   : no_info(dap->failure);
    free(expression);
    free(dap->failure);
    dap->failure = NULL;
    return true;
}

/* ---- lines with code ------------------------------------------------------------- */

/* Adds the instructions of a line; the columns of several count them. */
static void add_locations(Dap *dap, json_t *locations, const char *file, int line) {
    JmDebugPlace *places;
    const unsigned count = line_places(dap, file, line, &places);
    for (unsigned i = 0; i < count; i++) {
        json_t *location = json_pack("{s:i}", "line", line - dap->lines_from_0);
        if (count > 1)
            json_object_set_new(location, "column",
                                json_integer(i + !dap->columns_from_0));
        json_array_append_new(locations, location);
    }
    free(places);
}

bool request_breakpointLocations(Dap *dap, const json_t *arguments) {
    const char *path;
    int line, last;
    if (!want_text(dap, json_object_get(arguments, "source"), "path", &path) ||
        !want_line(dap, arguments, "line", &line))
        return false;
    last = line;
    if (json_object_get(arguments, "endLine") &&
        !want_line(dap, arguments, "endLine", &last))
        return false;
    if (last < line || last - line > PLACES_MOST)
        return dap_fail(dap, "lines %d to %d: at most %d", line, last, PLACES_MOST);
    const char *file = place_file(dap, path);
    json_t *locations = json_array();
    for (int i = line; file && i <= last; i++)
        add_locations(dap, locations, file, i);
    return dap_give(dap, json_pack("{s:o}", "breakpoints", locations));
}

/* ---- hits ------------------------------------------------------------------------ */

static const Breakpoint *find_stop(const Dap *dap, unsigned stop) {
    for (size_t i = 0; i < dap->breakpoint_count; i++)
        if (stop && dap->breakpoints[i].stop == stop)
            return &dap->breakpoints[i];
    return NULL;
}

/* Prints the log message of a breakpoint, with expressions in braces replaced by their
 * values. */
static void print_log(Dap *dap, const char *message, unsigned node) {
    const JmDebugState before = jm_debug_state(dap->debug);
    MemoryBytes text = {0};
    jm_debug_look(dap->debug, node, -1);
    while (*message) {
        const size_t plain = strcspn(message, "{");
        memory_append(&text, message, plain);
        message += plain;
        const char *end = *message ? strchr(message, '}') : NULL;
        if (!end) {
            memory_append(&text, message, strlen(message));
            break;
        }
        JmDebugValue value;
        char *expression = memory_text("%.*s", (int)(end - message - 1), message + 1);
        jm_debug_evaluate(dap->debug, expression, &value);
        memory_append(&text, value.text, strlen(value.text));
        free(expression);
        message = end + 1;
    }
    memory_append(&text, "\n", 1);
    jm_debug_look(dap->debug, before.node, before.context);
    dap_output(dap, "console", text.bytes, text.length);
    free(text.bytes);
}

/* Whether a hit is let pass: by its message, or its count. Going back, neither counts:
 * such stops are passed over. */
static bool passes(Dap *dap, const JmDebugHit *hit, bool back) {
    const Breakpoint *b = find_stop(dap, hit->id);
    JmDebugStop stop;
    if (!b || (!b->logs && !b->every && !b->only))
        return false;
    if (back)
        return true;
    if (!jm_debug_stop(dap->debug, b->stop, &stop))
        return false;
    if ((b->every && stop.hits % b->every) || (b->only && stop.hits != b->only))
        return true;
    if (b->logs)
        print_log(dap, b->logs, hit->node);
    return b->logs != NULL;
}

bool breakpoints_pass(Dap *dap, bool back) {
    JmDebugHit hit;
    bool all = true;
    unsigned count = 0;
    for (; jm_debug_hit(dap->debug, count, &hit); count++)
        all = passes(dap, &hit, back) && all;
    return count > 0 && all;
}

/* Adds an id to a list, unless it is there: several nodes may hit a stop. */
static void add_id(json_t *ids, int64_t id) {
    size_t i;
    json_t *other;
    json_array_foreach (ids, i, other) {
        if (json_integer_value(other) == id)
            return;
    }
    json_array_append_new(ids, json_integer(id));
}

/* A stop of a command alone, as of stepOut, has no id. What prints a message stops
 * nothing. */
const char *breakpoints_hit(Dap *dap, json_t *body) {
    json_t *ids = json_array();
    const char *reason = NULL;
    JmDebugHit hit;
    for (unsigned i = 0; jm_debug_hit(dap->debug, i, &hit); i++) {
        const Breakpoint *b = find_stop(dap, hit.id);
        if (b && b->logs)
            continue;
        if (!json_object_get(body, "text"))
            json_object_set_new(body, "text",
                                jvalue_text_of(hit.text, strcspn(hit.text, "\n")));
        if (hit.id && !reason)
            reason = kinds[b ? b->kind : BREAKPOINT_LINE].reason;
        if (b)
            add_id(ids, b->id);
    }
    json_object_set_new(body, "hitBreakpointIds", ids);
    return reason;
}
