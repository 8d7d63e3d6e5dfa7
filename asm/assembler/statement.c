/* Assembles one line: labels, then an instruction, a directive, a macro or name =
 * value; conditions, macros and repeats decide which lines those are.
 *
 *     line       = { label ':' } [ statement ] [ ';' comment ]
 *     label      = name | .name | 0 .. 99
 *     statement  = mnemonic [ operands ]
 *                | .directive [ operands ]
 *                | macro [ arguments ]
 *                | name '=' expression
 *
 * Names of all kinds are looked up in this order: directives and instructions cannot
 * be hidden by macros. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "asm/assembler/assemble.h"
#include "emu/core/suggest.h"

/* The function of a row of directives.def. */
typedef void AsDirective(Assembler *as);

/* ---- conditions ------------------------------------------------------------------ */

/* .if and its relatives. A condition belongs to the frame it was opened in.
 *
 *     outer   active  taken
 *     false   false   true      inside skipped lines: no branch is taken
 *     true    true    true      these lines are assembled
 *     true    false   false     a later branch may be taken
 *     true    false   true      a branch was taken before this one
 *
 * Conditions are a stack. Only the innermost decides whether lines are assembled,
 * because `outer` holds the state around it. */

/* Returns the condition that an .else or .endif here belongs to; NULL if there is none.
 * It must have begun in this frame: a macro cannot end what its caller began. */
static AsCondition *innermost(Assembler *as) {
    const int floor =
        as->frame_count > 0 ? as->frames[as->frame_count - 1].conditions : 0;
    return as->condition_count > floor ? &as->conditions[as->condition_count - 1]
                                       : NULL;
}

/* Whether the lines here are assembled, not skipped. */
static bool assembling(const Assembler *as) {
    return as->condition_count == 0 || as->conditions[as->condition_count - 1].active;
}

/* Inside skipped lines no branch is taken, whatever its value. */
static void open_condition(Assembler *as, bool value) {
    const bool outer = assembling(as);
    as->conditions = mem_grow(as->heap, as->conditions, (size_t)as->condition_count,
                              sizeof *as->conditions);
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
    as_index_use(as, as->at, ASM_USE_SYMBOL, ASM_ROLE_USE, symbol->number);
    int64_t number;
    const bool defined =
        symbol->kind != ASM_SYMBOL_UNDEFINED || as_predefined(symbol->name, &number);
    as->at++;
    as_expect_end(as);
    return defined;
}

/* A condition is opened even after an error in it, so that its .endif matches. */
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

/* After a branch was taken the value is not evaluated: it may contain symbols that are
 * defined only in other branches. */
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

/* Finds the directives that matter in a false branch. They are not parsed as ordinary
 * statements there, because labels before them must not be defined. */
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
    while (as->at->text != name.text - 1) /* skip labels, up to the dot */
        as->at++;
    as->at++;
    directive(as);
    return true;
}

/* ---- macros and repeats ---------------------------------------------------------- */

/* .macro, .rept, .irp: keeping lines, and reading them again with arguments.
 *
 *     collect          lines up to the end -> AsBody
 *     bind_arguments  text of the call -> one AsText for each parameter
 *     as_push         body and arguments -> a frame, which input.c reads
 *
 * A body keeps lines as they are written. Only directives that open or end a macro or
 * repeat are recognised in them, so a macro may contain anything. Texts point into the
 * line of the call or into the arena; both last to the end. */

/* Blanks around an argument are not part of it; inside it they stay. */
static AsText trimmed(AsText text) {
    while (text.length > 0 && isspace((unsigned char)text.text[0])) {
        text.text++;
        text.length--;
    }
    while (text.length > 0 && isspace((unsigned char)text.text[text.length - 1]))
        text.length--;
    return text;
}

/* Up to the END token, which stands where a comment begins. */
static AsText rest_from(const Assembler *as, const AsToken *token) {
    const AsToken *end = &as->tokens[as->token_count - 1];
    return trimmed((AsText){token->text, (int)(end->text - token->text)});
}

/* Length of the quoted text at `at`, 1 if the quote opens nothing. A comma in quotes
 * does not end an argument; an apostrophe of fip'p opens nothing. */
static int quoted_length(const char *at, const char *end) {
    if (*at == '\'') {
        const bool escape = end - at > 1 && at[1] == '\\';
        const bool number = escape && end - at > 2 && at[2] == 'x'; /* '\xHH' */
        const int length = number ? 6 : escape ? 4 : 3;
        return end - at >= length && at[length - 1] == '\'' ? length : 1;
    }
    int length = 1;
    while (at + length < end && at[length] != '"')
        length += at[length] == '\\' && at + length + 1 < end ? 2 : 1;
    return at + length < end ? length + 1 : length;
}

/* Splits text at commas that are not in quotes or brackets; -1: too many. */
static int split(AsText text, AsText *parts, int limit) {
    const char *end = text.text + text.length;
    const char *start = text.text;
    int count = 0;
    int depth = 0;
    if (text.length == 0)
        return 0;
    for (const char *at = start; at <= end; at++) {
        if (at == end || (*at == ',' && depth <= 0)) {
            if (count == limit)
                return -1;
            parts[count++] = trimmed((AsText){start, (int)(at - start)});
            start = at + 1;
        } else if (*at == '"' || *at == '\'') {
            at += quoted_length(at, end) - 1;
        } else {
            depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        }
    }
    return count;
}

/* Names of macros ignore case, like mnemonics. A linear search is enough: sources have
 * dozens of macros, and instructions are looked up first. */
static AsMacro *macro_find(const Assembler *as, AsText name) {
    for (AsMacro *macro = as->macros; macro; macro = macro->next)
        if (macro->name.length == name.length &&
            strncasecmp(macro->name.text, name.text, (size_t)name.length) == 0)
            return macro;
    return NULL;
}

/* Stores in `body` the lines of the innermost frame up to the one that ends `opener`.
 * Only the innermost frame is read: a construct ends in the file or macro it began in.
 * Nested openers of the same kind are counted. A body without an end is an error at its
 * opener, after it has taken the rest of its file or macro. */
static bool collect(Assembler *as, const char *opener, AsPlace place, AsBody *body) {
    const bool macro = strcmp(opener, "macro") == 0;
    int depth = 1;
    AsLine line;
    *body = (AsBody){0};
    while (as_frame_line(as, &line)) {
        const AsText name = as_line_directive(&line);
        if (macro ? as_text_is(name, "macro")
                  : as_text_is(name, "rept") || as_text_is(name, "irp"))
            depth++;
        as_list_plain(as, &line);
        if (as_text_is(name, macro ? "endm" : "endr") && --depth == 0)
            break;
        body->lines = mem_grow(as->heap, body->lines, (size_t)body->count, sizeof line);
        body->lines[body->count++] = line;
    }
    if (depth > 0 && !as->abandoned)
        as_error(as, place, "unterminated .%s: no .end%c before the end of this %s",
                 opener, macro ? 'm' : 'r',
                 as->frames[as->frame_count - 1].kind == AS_FRAME_FILE ? "file"
                                                                       : "macro");
    return depth == 0;
}

/* The tokens up to a comma outside brackets, as text. */
static AsText default_text(Assembler *as) {
    const AsToken *start = as->at;
    int depth = 0;
    while (!as_at_end(as) && !(as_is(as->at, ',') && depth == 0)) {
        depth += (as_is(as->at, '(') || as_is(as->at, '[')) -
                 (as_is(as->at, ')') || as_is(as->at, ']'));
        as->at++;
    }
    return trimmed((AsText){start->text, (int)(as->at->text - start->text)});
}

/* name, name=text, name:req, name:vararg. The comma after it may be missing, as in
 * other assemblers. */
static bool macro_parameter(Assembler *as, AsParameter *parameter) {
    if (as->at->kind != AS_TOKEN_NAME) {
        as_unexpected(as, "the name of a parameter");
        return false;
    }
    *parameter = (AsParameter){.name = as_token_text(as->at++)};
    if (as_accept(as, ':')) {
        parameter->vararg = as_word_is(as->at, "vararg");
        parameter->required = as_word_is(as->at, "req");
        if (!parameter->vararg && !parameter->required) {
            as_unexpected(as, "req or vararg");
            return false;
        }
        as->at++;
    }
    if (as_accept(as, '='))
        parameter->standard = default_text(as);
    as_accept(as, ',');
    if (parameter->vararg && !as_at_end(as)) {
        as_error(as, as_here(as, as->at), "a vararg parameter is the last one");
        return false;
    }
    return true;
}

static void macro_header(Assembler *as, AsMacro *macro) {
    macro->parameters =
        mem_arena_alloc(&as->arena, AS_ARGUMENTS_LIMIT * sizeof *macro->parameters);
    as_accept(as, ',');
    while (!as_at_end(as)) {
        if (macro->count == AS_ARGUMENTS_LIMIT) {
            as_error(as, as_here(as, as->at), "a macro has at most %d parameters",
                     AS_ARGUMENTS_LIMIT);
            return;
        }
        if (!macro_parameter(as, &macro->parameters[macro->count]))
            return;
        macro->count++;
    }
}

/* The rows of directives.def. */
static const struct {
    const char *name;
    AsDirective *function;
} directives[] = {
#define DIRECTIVE(name, function, operands, text) {#name, as_do_##function},
#include "asm/assembler/directives.def"
#undef DIRECTIVE
};

enum { DIRECTIVES = sizeof directives / sizeof *directives };

static AsDirective *directive_named(AsText name) {
    for (int i = 0; i < DIRECTIVES; i++)
        if (as_text_is(name, directives[i].name))
            return directives[i].function;
    return NULL;
}

/* Instructions and directives are looked up first, so a macro of that name could never
 * be called. */
static void check_macro_name(Assembler *as, const AsMacro *macro) {
    const AsMacro *other = macro_find(as, macro->name);
    const bool dot = macro->name.text[0] == '.';
    if (as_is_mnemonic(macro->name) ||
        (dot &&
         directive_named((AsText){macro->name.text + 1, macro->name.length - 1}))) {
        as_error(as, macro->place, "'%.*s' is an instruction or directive already",
                 macro->name.length, macro->name.text);
    } else if (other) {
        as_error(as, macro->place, "macro '%.*s' is already defined",
                 macro->name.length, macro->name.text);
        as_note(as, other->place, "first defined here");
    }
}

/* The body is collected even if the header is wrong, or else it would be assembled. A
 * macro with an error is still defined, unless it has no name, and calls of it yield
 * nothing, so that they give no further errors. The first of two definitions counts. */
void as_do_macro(Assembler *as) {
    const AsPlace place = as_here(as, as->at - 1);
    const AsToken *const name = as->at;
    AsMacro *macro = mem_arena_alloc(&as->arena, sizeof *macro);
    if (as->at->kind != AS_TOKEN_NAME) {
        as_unexpected(as, "the name of the macro");
    } else {
        macro->place = as_here(as, as->at);
        macro->name = as_token_text(as->at++);
        macro->name.text =
            mem_arena_copy(&as->arena, macro->name.text, (size_t)macro->name.length);
        check_macro_name(as, macro);
        if (!as->failed)
            macro_header(as, macro);
    }
    macro->wrong = as->failed;
    if (!collect(as, "macro", place, &macro->body) || macro->name.length == 0 ||
        macro_find(as, macro->name))
        return;
    macro->next = as->macros;
    macro->number = macro->next ? macro->next->number + 1 : 0;
    as->macros = macro;
    as_index_use(as, name, ASM_USE_MACRO, ASM_ROLE_DEFINITION, macro->number);
}

/* Returns the index of the parameter in "parameter = text", and the text; -1 if there
 * is none. With "==", as in a == 1, it is an expression, not a keyword argument. */
static int keyword_argument(const AsMacro *macro, AsText *text) {
    for (int i = 0; i < macro->count; i++) {
        const AsText name = macro->parameters[i].name;
        if (text->length <= name.length ||
            memcmp(text->text, name.text, (size_t)name.length))
            continue;
        const AsText tail =
            trimmed((AsText){text->text + name.length, text->length - name.length});
        if (tail.length == 0 || tail.text[0] != '=' ||
            (tail.length > 1 && tail.text[1] == '='))
            continue;
        *text = trimmed((AsText){tail.text + 1, tail.length - 1});
        return i;
    }
    return -1;
}

/* Reports required parameters without an argument; an empty argument counts as none. */
static void check_required(Assembler *as, const AsMacro *macro, const AsText *arguments,
                           AsPlace place) {
    for (int i = 0; i < macro->count && !as->failed; i++)
        if (macro->parameters[i].required && arguments[i].length == 0)
            as_error(as, place, "macro '%.*s' needs its argument '%.*s'",
                     macro->name.length, macro->name.text,
                     macro->parameters[i].name.length, macro->parameters[i].name.text);
}

/* Fills in the arguments of a call from its text. Positions count only arguments
 * without a keyword. An empty one keeps the default. A vararg parameter gets the rest
 * of the line, commas included. */
static void bind_arguments(Assembler *as, const AsMacro *macro, AsText text,
                           AsText *arguments, AsPlace place) {
    AsText parts[AS_ARGUMENTS_LIMIT];
    int given = split(text, parts, AS_ARGUMENTS_LIMIT);
    const bool vararg = macro->count > 0 && macro->parameters[macro->count - 1].vararg;
    int position = 0;
    if (given < 0 && vararg)
        given = AS_ARGUMENTS_LIMIT;
    for (int i = 0; i < macro->count; i++)
        arguments[i] = macro->parameters[i].standard;
    for (int i = 0; i < given; i++) {
        const int keyword = keyword_argument(macro, &parts[i]);
        if (keyword >= 0) {
            if (parts[i].length > 0)
                arguments[keyword] = parts[i];
        } else if (vararg && position == macro->count - 1) {
            const char *end = text.text + text.length;
            arguments[position] = (AsText){parts[i].text, (int)(end - parts[i].text)};
            break;
        } else if (position < macro->count) {
            if (parts[i].length > 0)
                arguments[position] = parts[i];
            position++;
        } else {
            given = -1;
        }
    }
    if (given < 0)
        as_error(as, place, "macro '%.*s' takes at most %d argument%s",
                 macro->name.length, macro->name.text, macro->count,
                 macro->count == 1 ? "" : "s");
    check_required(as, macro, arguments, place);
}

/* The arguments are the raw text of the line: they need not be valid tokens. The frame
 * borrows body and parameters from the macro, which stays as long as the run. */
static void macro_call(Assembler *as, const AsMacro *macro, const AsToken *token) {
    as_index_use(as, token, ASM_USE_MACRO, ASM_ROLE_USE, macro->number);
    if (macro->wrong)
        return;
    AsText *arguments =
        mem_arena_alloc(&as->arena, (size_t)macro->count * sizeof *arguments);
    const AsPlace place = as_here(as, token);
    const AsText text = rest_from(as, token + 1);
    bind_arguments(as, macro, text, arguments, place);
    if (as->failed)
        return;
    const size_t room = (size_t)macro->name.length + sizeof "in expansion of macro ''";
    char *what = mem_arena_alloc(&as->arena, room);
    snprintf(what, room, "in expansion of macro '%.*s'", macro->name.length,
             macro->name.text);
    as_push(as,
            (AsFrame){.kind = AS_FRAME_MACRO,
                      .body = macro->body,
                      .parameters = macro->parameters,
                      .count = macro->count,
                      .arguments = arguments},
            what, place);
}

/* The body is collected even if the count is wrong or zero. */
void as_do_rept(Assembler *as) {
    const AsPlace place = as_here(as, as->at - 1);
    const AsPlace number_place = as_here(as, as->at);
    int64_t count = 0;
    AsFrame frame = {.kind = AS_FRAME_REPEAT};
    if (as_constant(as, "a repeat count", &count)) {
        as_expect_end(as);
        if (count < 0)
            as_error(as, number_place, "a repeat count cannot be negative");
    }
    if (!collect(as, "rept", place, &frame.body) || as->failed || count == 0)
        return;
    frame.left = count - 1;
    as_push(as, frame, NULL, place);
}

/* A repeat whose one parameter gets the next text in each round. The arguments of its
 * frame are the texts of all rounds; the reader advances by one each round
 * (input.c). */
void as_do_irp(Assembler *as) {
    const AsPlace place = as_here(as, as->at - 1);
    AsFrame frame = {.kind = AS_FRAME_REPEAT, .count = 1};
    AsParameter *parameter = mem_arena_alloc(&as->arena, sizeof *parameter);
    AsText *texts = mem_arena_alloc(&as->arena, AS_ARGUMENTS_LIMIT * sizeof *texts);
    int count = 0;
    if (as->at->kind != AS_TOKEN_NAME) {
        as_unexpected(as, "the name of a parameter");
    } else {
        parameter->name = as_token_text(as->at++);
        if (!as_at_end(as) && as_expect(as, ',', "after the name"))
            count = split(rest_from(as, as->at), texts, AS_ARGUMENTS_LIMIT);
        if (count < 0)
            as_error(as, place, ".irp takes at most %d texts", AS_ARGUMENTS_LIMIT);
    }
    frame.parameters = parameter;
    frame.arguments = texts;
    if (!collect(as, "irp", place, &frame.body) || as->failed || count == 0)
        return;
    frame.left = count - 1;
    as_push(as, frame, NULL, place);
}

/* The names are local from the next line to the end of the expansion; in a repeat, to
 * the end of the round, since each round has its own number. */
void as_do_local(Assembler *as) {
    AsFrame *frame = &as->frames[as->frame_count - 1];
    if (frame->kind == AS_FRAME_FILE) {
        as_error(as, as_here(as, as->at - 1), ".local is for the lines of a macro");
        return;
    }
    if (!frame->locals)
        frame->locals =
            mem_arena_alloc(&as->arena, AS_ARGUMENTS_LIMIT * sizeof *frame->locals);
    do {
        if (as->at->kind != AS_TOKEN_NAME) {
            as_unexpected(as, "a name");
            return;
        }
        if (frame->local_count == AS_ARGUMENTS_LIMIT) {
            as_error(as, as_here(as, as->at), "at most %d local names in one macro",
                     AS_ARGUMENTS_LIMIT);
            return;
        }
        AsText name = as_token_text(as->at++);
        name.text = mem_arena_copy(&as->arena, name.text, (size_t)name.length);
        frame->locals[frame->local_count++] = name;
    } while (as_accept(as, ','));
    as_expect_end(as);
}

/* collect() consumes the .endm and .endr of bodies, so one that gets here ends
 * nothing. */
static void stray(Assembler *as, const char *what) {
    as_error(as, as_here(as, as->at - 1), "%s", what);
}

void as_do_endm(Assembler *as) {
    stray(as, ".endm without .macro");
}

void as_do_endr(Assembler *as) {
    stray(as, ".endr without .rept or .irp");
}

/* ---- a line ---------------------------------------------------------------------- */

/* Shows the text as it is written, escapes included. Inside a macro the notes name the
 * call: .error is meant for macros that check their arguments. */
void as_do_error(Assembler *as) {
    const AsToken *token = as->at;
    if (token->kind != AS_TOKEN_STRING)
        as_unexpected(as, "a \"text\"");
    else
        as_error(as, as_here(as, token - 1), "%.*s", token->length - 2,
                 token->text + 1);
}

void as_do_warning(Assembler *as) {
    const AsToken *token = as->at;
    if (token->kind != AS_TOKEN_STRING)
        as_unexpected(as, "a \"text\"");
    else
        as_warning(as, ASM_WARNING_DIRECTIVE, as_here(as, token - 1), "%.*s",
                   token->length - 2, token->text + 1);
}

/* A mistyped name as a string, cut to more than the longest known name. */
typedef struct {
    char text[JM_SUGGEST_LONGEST + 2];
} Mistyped;

static Mistyped mistyped(const AsToken *token) {
    Mistyped name;
    snprintf(name.text, sizeof name.text, "%.*s", token->length, token->text);
    return name;
}

/* Reports an unknown directive, and suggests a similar name if there is one. */
static void unknown_directive(Assembler *as, const AsToken *token) {
    const Mistyped name = mistyped(token);
    JmSuggestion near = jm_suggest_start(name.text + 1);
    for (int i = 0; i < DIRECTIVES; i++)
        jm_suggest_consider(&near, directives[i].name);
    as_index_suggest(as, ".", near.best);
    as_error(as, as_here(as, token), "unknown directive '%.*s'%s", token->length,
             token->text, jm_suggest_text(&near, ".", ""));
}

/* Macros are compared last, so that of equally near names the instruction is suggested.
 */
static void unknown_mnemonic(Assembler *as, const AsToken *token) {
    const Mistyped name = mistyped(token);
    JmSuggestion near = jm_suggest_start(name.text);
    jm_suggest_consider(&near, "MOVE");
    for (unsigned op = 0; op < JM_OP_COUNT; op++)
        if (jm_op_info(op)->name)
            jm_suggest_consider(&near, jm_op_info(op)->name);
    char lower[16] = ""; /* the table has mnemonics in upper case */
    for (int i = 0; near.best && near.best[i] && i < (int)sizeof lower - 1; i++)
        lower[i] = (char)tolower((unsigned char)near.best[i]);
    if (near.best)
        near.best = lower;
    for (const AsMacro *macro = as->macros; macro; macro = macro->next)
        jm_suggest_consider(&near, macro->name.text);
    as_index_suggest(as, "", near.best);
    as_error(as, as_here(as, token), "unknown instruction or macro '%.*s'%s",
             token->length, token->text, jm_suggest_text(&near, "", ""));
}

/* Labels at the start of the statement. Several labels name one place. */
static void labels(Assembler *as) {
    while ((as->at->kind == AS_TOKEN_NAME || as->at->kind == AS_TOKEN_NUMBER) &&
           as_is(as->at + 1, ':')) {
        as_define_label(as, as->at);
        as->at += 2;
    }
}

/* Statements other than directives: assignment, instruction, macro, in this order.
 * `name = value` comes first, so that a source may have symbols named like
 * instructions. */
static void named(Assembler *as, const AsToken *token) {
    const AsText name = as_token_text(token);
    const AsFrame *frame = &as->frames[as->frame_count - 1];
    const AsMacro *macro;
    if (as_accept(as, '='))
        as_define_value(as, token, false);
    else if (as_is_mnemonic(name))
        as_instruction(as, token);
    else if ((macro = macro_find(as, name)) != NULL)
        macro_call(as, macro, token);
    else if (as_text_is(name, "local") && frame->kind != AS_FRAME_FILE)
        as_do_local(as);
    else
        unknown_mnemonic(as, token);
}

void as_statement(Assembler *as) {
    labels(as);
    const AsToken *token = as->at;
    as->failed = false; /* a wrong label does not hide what follows it */
    if (as_at_end(as))
        return;
    if (token->kind != AS_TOKEN_NAME) {
        as_unexpected(as, "an instruction, a directive or a label");
        return;
    }
    as->at++;
    if (token->text[0] != '.' || as_is(as->at, '=')) {
        named(as, token);
        return;
    }
    AsDirective *directive =
        directive_named((AsText){token->text + 1, token->length - 1});
    const AsMacro *macro = macro_find(as, as_token_text(token));
    if (directive)
        directive(as);
    else if (macro)
        macro_call(as, macro, token);
    else
        unknown_directive(as, token);
}
