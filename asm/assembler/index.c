/* Makes the index for editors (index.h) at the end of a run, from the assembler's state
 * and from the data collected while lines were read (files.c). */
#include <string.h>

#include "asm/assembler/assemble.h"

/* Returns room for `count` items that the index keeps. */
static void *room(Assembler *as, int count, size_t size) {
    return heap_alloc(as->heap, (size_t)count * size);
}

static const char *text_of(Assembler *as, AsText text) {
    return mem_arena_copy(&as->arena, text.text, (size_t)text.length);
}

static void add_files(Assembler *as, AsmIndex *index) {
    AsmIndexFile *files = room(as, as->source_count, sizeof *files);
    for (int i = 0; i < as->source_count; i++)
        files[i] = (AsmIndexFile){as->sources[i].name, as->sources[i].text,
                                  as->sources[i].length};
    index->files = files;
    index->file_count = as->source_count;
}

/* Messages are sorted by now. The lines of each message are adjacent, in the order in
 * which messages were found. */
static void add_messages(Assembler *as, AsmIndex *index) {
    const AsIndexing *indexing = as->indexing;
    int *first = room(as, as->message_count + 1, sizeof *first);
    for (int i = indexing->said_count - 1; i >= 0; i--)
        first[indexing->said[i].order] = i;
    first[as->message_count] = indexing->said_count;
    AsmIndexMessage *messages = room(as, indexing->said_count + 1, sizeof *messages);
    int count = 0;
    for (int i = 0; i < as->message_count; i++) {
        const int order = as->messages[i].order;
        for (int j = first[order]; j < first[order + 1]; j++)
            messages[count++] = indexing->said[j].line;
    }
    if (as->stop)
        messages[count++] = (AsmIndexMessage){ASM_ERROR, {0}, "too many errors", NULL};
    index->messages = messages;
    index->message_count = count;
}

static AsmIndexSymbol symbol_of(const AsSymbol *symbol) {
    const AsValue *value = &symbol->value;
    return (AsmIndexSymbol){
        .name = symbol->name,
        .kind = symbol->kind,
        .global = symbol->global,
        .external = symbol->external,
        .known = symbol->known &&
                 (value->kind == AS_VALUE_ABSOLUTE || value->kind == AS_VALUE_SECTION),
        .section = value->kind == AS_VALUE_SECTION ? value->section : -1,
        .number = value->number,
        .at = as_place_spot(symbol->place, 0)};
}

/* For a symbol defined in a macro, `place` is only the line; the use that defines it
 * has the exact spot. */
static void place_symbols(const Assembler *as, AsmIndexSymbol *symbols) {
    const AsIndexing *indexing = as->indexing;
    for (int i = 0; i < indexing->use_count; i++) {
        const AsmIndexUse *use = &indexing->uses[i];
        if (use->kind == ASM_USE_SYMBOL && use->role == ASM_ROLE_DEFINITION)
            symbols[use->index].at = use->at;
    }
}

static void add_symbols(Assembler *as, AsmIndex *index) {
    AsmIndexSymbol *symbols = room(as, as->symbol_count, sizeof *symbols);
    for (int i = 0; i < as->symbol_count; i++)
        symbols[i] = symbol_of(as->symbols[i]);
    place_symbols(as, symbols);
    index->symbols = symbols;
    index->symbol_count = as->symbol_count;
}

static AsmIndexMacro macro_of(Assembler *as, const AsMacro *macro) {
    AsmIndexParameter *parameters = room(as, macro->count, sizeof *parameters);
    for (int i = 0; i < macro->count; i++) {
        const AsParameter *from = &macro->parameters[i];
        parameters[i] =
            (AsmIndexParameter){text_of(as, from->name), text_of(as, from->standard),
                                from->required, from->vararg};
    }
    const AsBody *body = &macro->body;
    const AsLine *last = body->count > 0 ? &body->lines[body->count - 1] : NULL;
    return (AsmIndexMacro){
        .name = text_of(as, macro->name),
        .at = as_place_spot(macro->place, macro->name.length),
        .end = 1 + (last ? last->statement->line : macro->place.statement->line),
        .parameters = parameters,
        .count = macro->count};
}

static void add_macros(Assembler *as, AsmIndex *index) {
    const int count = as->macros ? as->macros->number + 1 : 0;
    AsmIndexMacro *macros = room(as, count, sizeof *macros);
    for (const AsMacro *macro = as->macros; macro; macro = macro->next)
        macros[macro->number] = macro_of(as, macro);
    index->macros = macros;
    index->macro_count = count;
}

static void add_sections(Assembler *as, AsmIndex *index) {
    AsmIndexSection *sections = room(as, as->section_count, sizeof *sections);
    for (int i = 0; i < as->section_count; i++) {
        const AsSection *section = &as->sections[i];
        sections[i] = (AsmIndexSection){
            section->name, asm_object_place_name(section->place),
            section->address == ASM_OBJECT_NO_ADDRESS ? -1 : section->address};
    }
    index->sections = sections;
    index->section_count = as->section_count;
}

static void add_lines(Assembler *as, AsmIndex *index) {
    as_count_cycles(as);
    AsmIndexLine *lines = room(as, as->listed_count, sizeof *lines);
    for (int i = 0; i < as->listed_count; i++)
        lines[i] = as->listed[i].made;
    index->lines = lines;
    index->line_count = as->listed_count;
}

AsmIndex *as_index(Assembler *as) {
    if (!as->indexing)
        return NULL;
    AsmIndex *index = heap_alloc(as->heap, sizeof *index);
    add_files(as, index);
    add_messages(as, index);
    add_symbols(as, index);
    add_macros(as, index);
    add_sections(as, index);
    add_lines(as, index);
    index->uses = as->indexing->uses;
    index->use_count = as->indexing->use_count;
    return index;
}

AsmIndex *as_index_unread(Assembler *as, const char *name, const char *why) {
    if (!as->indexing)
        return NULL;
    AsmIndex *index = heap_alloc(as->heap, sizeof *index);
    AsmIndexMessage *message = room(as, 1, sizeof *message);
    *message = (AsmIndexMessage){
        ASM_ERROR, {.file = -1}, text_of(as, (AsText){why, (int)strlen(why)}), NULL};
    index->messages = message;
    index->message_count = 1;
    AsmIndexFile *file = room(as, 1, sizeof *file);
    *file = (AsmIndexFile){text_of(as, (AsText){name, (int)strlen(name)}), "", 0};
    index->files = file;
    index->file_count = 1;
    return index;
}

/* ---- one line -------------------------------------------------------------------- */

typedef struct {
    AsLine line;
    AsmLexeme *lexemes;
    int count;
} Lexing;

static void lex_work(Heap *heap, void *context) {
    static const AsmLexemeKind kinds[] = {
        [AS_TOKEN_NAME] = ASM_LEXEME_NAME,       [AS_TOKEN_NUMBER] = ASM_LEXEME_NUMBER,
        [AS_TOKEN_STRING] = ASM_LEXEME_STRING,   [AS_TOKEN_PUNCT] = ASM_LEXEME_PUNCT,
        [AS_TOKEN_NUMERIC] = ASM_LEXEME_NUMERIC, [AS_TOKEN_BAD] = ASM_LEXEME_BAD};
    Lexing *lexing = context;
    Assembler *as = heap_alloc(heap, sizeof *as);
    as->heap = heap;
    as_lex(as, &lexing->line);
    const char *const text = lexing->line.text;
    const AsToken *token = as->tokens;
    for (; token->kind != AS_TOKEN_END; token++)
        lexing->lexemes[lexing->count++] = (AsmLexeme){
            kinds[token->kind], (int)(token->text - text), token->length, token->value};
    const int end = (int)(token->text - text);
    if (end < lexing->line.length)
        lexing->lexemes[lexing->count++] =
            (AsmLexeme){ASM_LEXEME_COMMENT, end, lexing->line.length - end, 0};
}

int asm_lex_line(const char *text, int length, AsmLexeme *lexemes) {
    Lexing lexing = {{.text = text, .length = length}, lexemes, 0};
    return heap_run(lex_work, &lexing) ? lexing.count : 0;
}
