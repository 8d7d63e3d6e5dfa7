/* Completion: the names that fit at a place, each with its line of the tables
 * or of the source. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/answers.h"

/* Kinds of items of the protocol. */
enum {
    FUNCTION = 3,
    VARIABLE = 6,
    KEYWORD = 14,
    FILE_NAME = 17,
    FOLDER = 19,
    CONSTANT = 21,
    STRUCT = 22,
    OPERATOR = 24,
    TYPE = 25
};

typedef struct {
    Server *server;
    const At *at;
    json_t *items;
    size_t from, to;  /* bytes that an item replaces */
    const char *mark; /* in front of names of the source: "^" where a target belongs */
} Completion;

static json_t *add(const Completion *c, const char *label, int kind,
                   const char *detail) {
    json_t *item = json_pack("{s:o,s:i,s:o,s:o}", "label", jvalue_text(label), "kind",
                             kind, "detail", jvalue_text(detail), "textEdit",
                             text_edit(&c->at->document->text, c->from, c->to, label));
    json_array_append_new(c->items, item);
    return item;
}

/* ---- words ----------------------------------------------------------------------- */

static void add_words(const Completion *c, const Word *list, int kind) {
    for (; list->name; list++)
        add(c, list->name, kind, list->text);
}

static void add_instructions(const Completion *c) {
    for (const Word *word = word_instructions; word->name; word++) {
        json_t *item = add(c, WORD_NAME(word), KEYWORD, word->text);
        json_object_set_new(item, "documentation",
                            markdown(word_describe_instruction(word)));
    }
}

static void add_directives(const Completion *c) {
    for (const Word *word = word_directives; word->name; word++) {
        char *name = memory_text(".%s", word->name);
        json_t *item = add(c, name, KEYWORD, word->text);
        json_object_set_new(item, "documentation",
                            markdown(word_describe_directive(word)));
        free(name);
    }
}

static void add_macros(const Completion *c) {
    const AsmIndex *index = c->at->unit->result.index;
    for (int i = 0; i < index->macro_count; i++) {
        char *call = macro_call_text(&index->macros[i]);
        add(c, index->macros[i].name, FUNCTION, call);
        free(call);
    }
}

/* Registers whose numbers are before `end`: R0 to R3 come first, then A0 to A3. */
static void add_registers(const Completion *c, JmReg first, JmReg end) {
    for (const Word *word = word_registers; word->name; word++) {
        const int number = jm_reg_by_name(word->name, strlen(word->name));
        if (number >= (int)first && number < (int)end)
            add(c, WORD_NAME(word), VARIABLE, word->text);
    }
}

/* ---- names of the source --------------------------------------------------------- */

/* The last label in front of a row that is not local; "" if there is none. */
static const char *scope_at(const At *at) {
    const AsmIndex *index = at->unit->result.index;
    const char *scope = "";
    int line = 0;
    for (int i = 0; i < index->symbol_count; i++) {
        const AsmIndexSymbol *symbol = &index->symbols[i];
        if (symbol->kind == ASM_SYMBOL_LABEL && symbol->at.file == at->file &&
            symbol->at.line <= at->row + 1 && symbol->at.line > line &&
            !strpbrk(symbol->name, ".@")) {
            scope = symbol->name;
            line = symbol->at.line;
        }
    }
    return scope;
}

/* Local labels of the scope by their short names, no others; no made-up names. */
static void add_symbols(const Completion *c) {
    const AsmIndex *index = c->at->unit->result.index;
    const char *scope = scope_at(c->at);
    const size_t length = strlen(scope);
    for (int i = 0; i < index->symbol_count; i++) {
        const AsmIndexSymbol *symbol = &index->symbols[i];
        const char *name = symbol->name;
        const bool local =
            length > 0 && strncmp(name, scope, length) == 0 && name[length] == '.';
        if (strchr(name, '@') || (!local && strchr(name, '.')) ||
            (symbol->kind == ASM_SYMBOL_UNDEFINED && !symbol->external &&
             !symbol->global))
            continue;
        char *line = symbol_line(index, symbol);
        char *label = memory_text("%s%s", c->mark, local ? name + length : name);
        add(c, label, symbol->kind == ASM_SYMBOL_LABEL ? FUNCTION : CONSTANT, line);
        free(label);
        free(line);
    }
}

static void add_parameters(const Completion *c, const AsmIndexMacro *macro,
                           const char *behind) {
    char *call = macro_call_text(macro);
    for (int i = 0; i < macro->count; i++) {
        char *name = memory_text("%s%s", macro->parameters[i].name, behind);
        add(c, name, VARIABLE, call);
        free(name);
    }
    free(call);
}

/* ---- files ----------------------------------------------------------------------- */

static bool is_source(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".inc") == 0 || strcmp(dot, ".s") == 0);
}

static void add_entry(const Completion *c, const char *folder, const char *name) {
    struct stat info;
    char *path = memory_text("%s/%s", folder, name);
    const bool there = name[0] != '.' && stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) {
        char *label = memory_text("%s/", name);
        add(c, label, FOLDER, folder);
        free(label);
    } else if (there && is_source(name)) {
        add(c, name, FILE_NAME, folder);
    }
    free(path);
}

static void add_folder(const Completion *c, const char *folder) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        add_entry(c, folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Names of files behind the last slash that is typed: beside the document and in the
 * folders of -I. */
static void add_files(Completion *c) {
    const At *at = c->at;
    const AsmLexeme *string = &at->line.lexemes[at->lexeme];
    int from = string->offset + 1;
    for (int i = from; i < at->offset; i++)
        if (at->line.text[i] == '/')
            from = i + 1;
    const int typed = from - string->offset - 1;
    const char *path = at->line.text + string->offset + 1;
    const AsmOptions *options = &c->server->work.options;
    c->from = at->line.start + (size_t)from;
    c->to = at->line.start + (size_t)at->offset;
    const char *slash = strrchr(at->document->path, '/');
    char *folder =
        memory_text("%.*s/%.*s", slash ? (int)(slash - at->document->path) : 0,
                    at->document->path, typed, path);
    add_folder(c, folder);
    free(folder);
    for (int i = 0; i < options->include_count; i++) {
        folder = memory_text("%s/%.*s", options->include_dirs[i], typed, path);
        add_folder(c, folder);
        free(folder);
    }
}

/* ---- operands -------------------------------------------------------------------- */

static void add_value(const Completion *c) {
    add_words(c, word_constants, CONSTANT);
    add_symbols(c);
}

static bool is_name(const char *name, size_t length, const char *text) {
    return strlen(text) == length && strncmp(name, text, length) == 0;
}

static bool takes_tag(const Word *instruction) {
    return strcmp(instruction->name, "WTAG") == 0 ||
           strcmp(instruction->name, "CHECK") == 0;
}

static bool is_branch(const Word *instruction) {
    const int op = jm_op_by_name(instruction->name, strlen(instruction->name));
    const JmForm form = op < 0 ? JM_FORM_NONE : jm_op_info((unsigned)op)->form;
    return form == JM_FORM_BR || form == JM_FORM_S_BR;
}

/* Adds what an operand of a form may be; an operand of MOVE may be anything. */
static void add_operand(const Completion *c, const Word *instruction, int number) {
    size_t length;
    const char *name = operand_name(instruction, number, &length);
    if (!name)
        return;
    if (is_name(name, length, "Rs") || is_name(name, length, "Rd")) {
        add_registers(c, JM_REG_R0, JM_REG_A0);
    } else if (is_name(name, length, "dst")) {
        add_registers(c, JM_REG_R0, JM_REG_ID0);
    } else if (is_name(name, length, "reg")) {
        add_registers(c, JM_REG_R0, JM_REG_COUNT);
    } else if (is_name(name, length, "p")) {
        add(c, "0", CONSTANT, "priority 0");
        add(c, "1", CONSTANT, "priority 1");
    } else {
        if (takes_tag(instruction))
            add_words(c, word_tags, TYPE);
        Completion values = *c;
        values.mark = is_branch(instruction) ? "^" : "";
        add_registers(c, JM_REG_R0, instruction->operands ? JM_REG_COUNT : JM_REG_ID0);
        add_value(&values);
    }
}

static void add_after_directive(const Completion *c, const Word *directive) {
    static const char *const places[] = {"vectors", "onchip", "rom", "external",
                                         "code",    "data",   "fill"};
    if (strcmp(directive->name, "section") == 0)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            add(c, places[i], KEYWORD, directive->operands);
    else if (strcmp(directive->name, "macro") != 0 &&
             strcmp(directive->name, "include") != 0) {
        if (strcmp(directive->name, "word") == 0 ||
            strcmp(directive->name, "space") == 0)
            add_words(c, word_tags, TYPE);
        add_value(c);
    }
}

static void add_in_macro_call(const Completion *c, const AsmIndexMacro *macro) {
    add_parameters(c, macro, "=");
    add_registers(c, JM_REG_R0, JM_REG_COUNT);
    add_value(c);
}

static void complete_operand(const Completion *c, const Operand *operand) {
    const Word *instruction = head_instruction(c->at);
    const Word *directive = head_directive(c->at);
    const AsmIndexMacro *macro = head_macro(c->at);
    if (operand->memory && operand->second)
        add_registers(c, JM_REG_A0, JM_REG_ID0);
    else if (operand->memory) {
        add_registers(c, JM_REG_R0, JM_REG_A0);
        add_symbols(c);
    } else if (instruction)
        add_operand(c, instruction, operand->number);
    else if (directive)
        add_after_directive(c, directive);
    else if (macro)
        add_in_macro_call(c, macro);
    else
        add_value(c);
}

/* ---- the request ----------------------------------------------------------------- */

/* Whether the name at the place, or what will be one, stands behind this character. */
static bool follows(const Completion *c, char mark) {
    const size_t from = c->from - c->at->line.start;
    return from > 0 && c->at->line.text[from - 1] == mark;
}

/* The name that the place is in or behind. */
static void find_name(Completion *c) {
    const At *at = c->at;
    c->from = c->to = at->line.start + (size_t)at->offset;
    const AsmLexeme *lexeme = at->lexeme >= 0 ? &at->line.lexemes[at->lexeme] : NULL;
    const bool dot =
        lexeme && lexeme->length == 1 && at->line.text[lexeme->offset] == '.';
    if (!lexeme || (lexeme->kind != ASM_LEXEME_NAME && !dot) ||
        at->offset == lexeme->offset)
        return;
    c->from = at->line.start + (size_t)lexeme->offset;
    c->to = c->from + (size_t)lexeme->length;
}

static void complete(Completion *c) {
    const At *at = c->at;
    const AsmLexeme *lexeme = at->lexeme >= 0 ? &at->line.lexemes[at->lexeme] : NULL;
    const bool quoted =
        lexeme && at->offset > lexeme->offset && (at->line.text[lexeme->offset] == '"');
    if (lexeme && lexeme->kind == ASM_LEXEME_COMMENT && at->offset > lexeme->offset)
        return;
    const Word *directive = head_directive(at);
    if (quoted) {
        if (directive && strcmp(directive->name, "include") == 0)
            add_files(c);
        return;
    }
    find_name(c);
    if (follows(c, '^')) {
        add_symbols(c);
        return;
    }
    const AsmIndexMacro *macro = macro_around(at);
    const Operand operand = operand_at(at);
    if (follows(c, '\\') && macro) {
        add_parameters(c, macro, "");
    } else if (operand.number >= 0) {
        complete_operand(c, &operand);
    } else {
        add_instructions(c);
        add_directives(c);
        add_macros(c);
    }
}

json_t *answer_completion(Server *server, const json_t *params) {
    At at;
    json_t *items = NULL;
    if (at_find(server, params, &at)) {
        items = json_array();
        complete(
            &(Completion){.server = server, .at = &at, .items = items, .mark = ""});
    }
    at_free(&at);
    return items;
}
