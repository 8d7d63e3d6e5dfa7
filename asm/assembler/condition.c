/* .if and its relatives. A condition belongs to the frame it was opened in.
 *
 *     outer   active  taken
 *     false   false   true      inside lines that are not assembled: nothing is taken
 *     true    true    true      these lines are assembled
 *     true    false   false     a later branch may be taken
 *     true    false   true      a branch was taken before this one
 *
 * Conditions are a stack. Only the innermost says whether lines are assembled, since
 * `outer` carries on what is around it. */
#include <string.h>

#include "asm/assembler/assemble.h"

/* Returns the condition that an .else or .endif here belongs to; NULL if there is none.
 * It must have begun in this frame: a macro cannot end what its caller began. */
static AsCondition *innermost(Assembler *as) {
    const int floor =
        as->frame_count > 0 ? as->frames[as->frame_count - 1].conditions : 0;
    return as->condition_count > floor ? &as->conditions[as->condition_count - 1]
                                       : NULL;
}

/* Whether the lines here are assembled or only looked through. */
static bool assembling(const Assembler *as) {
    return as->condition_count == 0 || as->conditions[as->condition_count - 1].active;
}

/* Inside lines that are not assembled no branch is ever taken, whatever its value. */
static void open_condition(Assembler *as, bool value) {
    const bool outer = assembling(as);
    as->conditions = as_grow(as->heap, as->conditions, as->condition_count,
                             &as->condition_capacity, sizeof *as->conditions);
    as->conditions[as->condition_count++] =
        (AsCondition){.place = as_here(as, as->at > as->tokens ? as->at - 1 : as->at),
                      .outer = outer,
                      .active = outer && value,
                      .taken = !outer || value};
}

static bool condition_value(Assembler *as) {
    int64_t number = 0;
    if (!as_constant(as, "a condition", &number))
        return false;
    as_expect_end(as);
    return number != 0;
}

/* Whether the name that follows is a symbol defined so far. */
static bool defined_name(Assembler *as) {
    if (as->at->kind != AS_TOKEN_NAME) {
        as_unexpected(as, "a name");
        return false;
    }
    const AsSymbol *symbol = as_symbol_token(as, as->at);
    int64_t number;
    const bool defined =
        symbol->kind != AS_SYMBOL_UNDEFINED || as_predefined(symbol->name, &number);
    as->at++;
    as_expect_end(as);
    return defined;
}

/* A condition is opened even after an error in it, so that its .endif fits. */
static void open_with(Assembler *as, bool value_of(Assembler *), bool wanted) {
    const AsToken *keyword = as->at - 1;
    const bool value = assembling(as) && value_of(as) == wanted && !as->failed;
    as->at = keyword + 1;
    open_condition(as, value);
}

void as_do_if(Assembler *as) {
    open_with(as, condition_value, true);
}

void as_do_ifdef(Assembler *as) {
    open_with(as, defined_name, true);
}

void as_do_ifndef(Assembler *as) {
    open_with(as, defined_name, false);
}

/* Returns the condition that an .elseif or .else continues; NULL after an error. */
static AsCondition *continued(Assembler *as, const char *what) {
    AsCondition *condition = innermost(as);
    const AsPlace place = as_here(as, as->at - 1);
    if (!condition)
        as_error(as, place, "%s without .if in this file or macro", what);
    else if (condition->last) {
        as_error(as, place, "%s after .else", what);
        as_note(as, condition->place, "the .if is here");
        condition = NULL;
    }
    return condition;
}

/* After a branch was taken the value is not evaluated: it may hold symbols that are
 * defined only otherwise. */
void as_do_elseif(Assembler *as) {
    AsCondition *condition = continued(as, ".elseif");
    if (!condition)
        return;
    condition->active = false;
    if (condition->taken)
        return;
    const bool value = condition_value(as) && !as->failed;
    condition->active = condition->taken = value;
}

void as_do_else(Assembler *as) {
    AsCondition *condition = continued(as, ".else");
    if (!condition)
        return;
    condition->last = true;
    condition->active = !condition->taken;
    condition->taken = true;
    as_expect_end(as);
}

void as_do_endif(Assembler *as) {
    if (!innermost(as)) {
        as_error(as, as_here(as, as->at - 1),
                 ".endif without .if in this file or macro");
        return;
    }
    as->condition_count--;
    as_expect_end(as);
}

/* Finds the directives that count in a false branch. They are not parsed as ordinary
 * statements there, because labels in front of them must not be defined. */
static AsDirective *condition(AsText name) {
    static const struct {
        const char *name;
        AsDirective *function;
    } conditions[] = {{"if", as_do_if},         {"ifdef", as_do_ifdef},
                      {"ifndef", as_do_ifndef}, {"elseif", as_do_elseif},
                      {"else", as_do_else},     {"endif", as_do_endif}};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (as_text_is(name, conditions[i].name))
            return conditions[i].function;
    return NULL;
}

bool as_condition_line(Assembler *as, const AsLine *line) {
    if (assembling(as))
        return false; /* an ordinary directive */
    const AsText name = as_line_directive(line);
    AsDirective *directive = condition(name);
    if (!directive)
        return true;
    as_lex(as, line);
    while (as->at->text != name.text - 1) /* over labels, to the dot */
        as->at++;
    as->at++;
    directive(as);
    return true;
}

/* Called at the end of a frame: a condition left open is an error at its .if. */
void as_conditions_close(Assembler *as, int down_to) {
    while (as->condition_count > down_to) {
        const AsCondition *condition = &as->conditions[--as->condition_count];
        if (!as->abandoned)
            as_error(as, condition->place, ".if without .endif");
    }
}
