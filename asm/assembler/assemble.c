/* The run from source text to object; assemble.h lists the parts.
 *
 *     start      an empty .text, nothing defined
 *     run        lines, one by one, into sections and fixups; then the fixups
 *     finish     object and listing if there was no error; messages in any case
 *     release    everything goes but the result
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/assembler/assemble.h"

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
        as_warning(as, as_here(as, token - 1), "%.*s", token->length - 2,
                   token->text + 1);
}

static void assemble_line(Assembler *as, const AsLine *line) {
    as->line = *line;
    as->phase = -1;
    as->labelled = false;
    as->failed = false;
    if (as_condition_line(as, line)) {
        as_list_plain(as, line);
        return;
    }
    const AsValue before = {.section = as->section, .number = as_current(as)->size};
    as_lex(as, line);
    if (!as->options->listing) {
        as_statement(as);
        return;
    }
    const int listed = as->listed_count;
    as_statement(as);
    as_list_line(as, line, before);
    /* Lines that the statement kept (a macro's body) come behind it. */
    for (int i = as->listed_count - 1; i > listed; i--) {
        const AsListed swap = as->listed[i];
        as->listed[i] = as->listed[i - 1];
        as->listed[i - 1] = swap;
    }
}

/* Fixups are resolved even after errors, to report theirs as well. */
static void run(Assembler *as) {
    AsLine line;
    while (!as->stop && as_next_line(as, &line))
        assemble_line(as, &line);
    if (!as->stop)
        as_resolve(as);
}

/* Makes the definitions of the command line ("sym=value", "sym") lines of a source that
 * is read before the main one: its frame lies on top. */
static void push_defines(Assembler *as) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    for (int i = 0; i < as->options->define_count; i++) {
        const char *define = as->options->defines[i];
        fprintf(out, "%s%s\n", define, strchr(define, '=') ? "" : " = 1");
    }
    if (fclose(out) != 0)
        abort();
    const int source = as_source_add(as, "<command line>", text, size);
    free(text);
    as_push_source(as, source, NULL, (AsPlace){0});
}

/* Section 0 is .text, where a source begins. */
static void start(Assembler *as, const AsmOptions *options) {
    static const AsmOptions standard = {0};
    static const char empty[] = "";
    as->options = options ? options : &standard;
    as->scope = empty;
    as_section_find(as, ".text", 5, ASM_OBJECT_PLACE_ONCHIP, true);
    as->section = 0;
}

/* An object only if nothing was wrong. The listing needs the words as fixups left
 * them, the object takes them over by copying. */
static AsmResult finish(Assembler *as) {
    AsmResult result = {.errors = as->errors, .warnings = as->warnings};
    if (as->errors == 0)
        result.object = as_output(as);
    if (as->errors == 0 && as->options->listing)
        result.listing = as_listing(as);
    result.diagnostics = as_messages_text(as);
    return result;
}

/* Frees what does not live in the arena, then the arena. */
static void release(Assembler *as) {
    for (int i = 0; i < as->section_count; i++)
        free(as->sections[i].words);
    as_messages_free(as);
    as_sources_free(as);
    free(as->conditions);
    free(as->tokens);
    free(as->symbols);
    names_free(&as->symbol_names);
    free(as->sections);
    free(as->rows);
    free(as->fixups);
    free(as->relocs);
    free(as->listed);
    as_arena_free(&as->arena);
    free(as);
}

/* Assembles the source that was added first. Everything is released here, whatever
 * happened. */
static AsmResult assemble(Assembler *as) {
    as_push_source(as, 0, NULL, (AsPlace){0});
    if (as->options->define_count > 0)
        push_defines(as);
    run(as);
    const AsmResult result = finish(as);
    release(as);
    return result;
}

AsmResult asm_assemble(const char *text, size_t length, const char *name,
                       const AsmOptions *options) {
    Assembler *as = mem_alloc(sizeof *as);
    start(as, options);
    as_source_add(as, name, text, length);
    return assemble(as);
}

/* A file that cannot be read has no line to show: the message is the reader's. */
AsmResult asm_assemble_file(const char *path, const AsmOptions *options) {
    Assembler *as = mem_alloc(sizeof *as);
    JmError error;
    start(as, options);
    if (as_source_read(as, path, false, &error) >= 0)
        return assemble(as);
    release(as);
    AsmResult result = {.errors = 1};
    result.diagnostics = mem_alloc(JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64);
    jm_error_format(&error, result.diagnostics,
                    JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 60);
    strcat(result.diagnostics, "\n");
    return result;
}

void asm_result_free(AsmResult *result) {
    asm_object_free(result->object);
    free(result->listing);
    free(result->diagnostics);
    *result = (AsmResult){0};
}
