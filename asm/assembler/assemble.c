/* The run from source text to object; assemble.h lists the parts.
 *
 *     start      an empty .text, nothing defined
 *     run        lines, one by one, into sections and fixups; then the fixups
 *     finish     object and listing if there was no error; messages in any case
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/assembler/assemble.h"
#include "asm/objects/bytes.h"

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
    if (!as_lists(as)) {
        as_statement(as);
        return;
    }
    const int listed = as->listed_count;
    as_statement(as);
    as_list_line(as, line, before);
    /* Lines that the statement kept (a macro's body) come after it. */
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
    if (as->stop)
        return;
    as_resolve(as);
    as_check_assertions(as);
}

/* Makes the definitions of the command line ("sym=value", "sym") lines of a source that
 * is read before the main one, because its frame is on top. */
static void push_defines(Assembler *as) {
    MemText *const out = mem_text_open(as->heap);
    for (int i = 0; i < as->options->define_count; i++) {
        const char *define = as->options->defines[i];
        fprintf(out->out, "%s%s\n", define, strchr(define, '=') ? "" : " = 1");
    }
    const char *text = mem_text_close(as->heap, out);
    const int source = as_source_add(as, "<command line>", text, strlen(text));
    as_push_source(as, source, NULL, (AsPlace){0});
}

/* Section 0 is .text, where a source begins. */
static void start(Assembler *as, const AsmOptions *options) {
    static const AsmOptions standard = {0};
    static const char empty[] = "";
    as->options = options ? options : &standard;
    as->scope = empty;
    if (as->options->index)
        as->indexing = mem_arena_alloc(&as->arena, sizeof *as->indexing);
    as_section_find(as, ".text", 5);
    as->section = 0;
}

/* Makes the object only if there was no error. The listing shows the words as fixups
 * left them; the object copies them. */
static AsmResult finish(Assembler *as) {
    AsmResult result = {.errors = as->errors, .warnings = as->warnings};
    if (as->errors == 0)
        result.object = as_output(as);
    if (as->errors == 0 && as->options->listing)
        result.listing = as_listing(as);
    result.diagnostics = as_messages_text(as);
    result.index = as_index(as);
    return result;
}

/* Takes the results from the heap, which would free them with the rest of the work:
 * they belong to the caller from now on. */
static void hand_over(Heap *heap, const AsmResult *result) {
    if (result->object)
        heap_keep(heap, result->object);
    if (result->listing)
        heap_keep(heap, result->listing);
    heap_keep(heap, result->diagnostics);
}

/* Reports a source that cannot be read: there is no line to show, only the reader's
 * message. */
static AsmResult unread(Assembler *as, const char *name, const JmError *error) {
    char text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64];
    MemText *out = mem_text_open(as->heap);
    fprintf(out->out, "%s\n", jm_error_format(error, text, sizeof text));
    return (AsmResult){.errors = 1,
                       .diagnostics = mem_text_close(as->heap, out),
                       .index = as_index_unread(as, name, error->text)};
}

typedef struct {
    bool file; /* read the file `name`; else `text` is the source */
    const char *text;
    size_t length;
    const char *name;
    const AsmOptions *options;
    AsmResult result;
} Work;

/* Adds the first source, which is the one to assemble. */
static bool add_first(Assembler *as, const Work *work, JmError *error) {
    if (work->file)
        return as_source_read(as, work->name, false, error) >= 0;
    if (work->length > ASM_BYTES_SOURCE_MAX)
        return jm_fail(error, work->name, "file is larger than %d bytes",
                       ASM_BYTES_SOURCE_MAX);
    as_source_add(as, work->name, work->text, work->length);
    if (as->indexing)
        as_source_identify(as, 0);
    return true;
}

static void assemble_work(Heap *heap, void *context) {
    Work *work = context;
    Assembler *as = heap_alloc(heap, sizeof *as);
    JmError error;
    as->heap = as->arena.heap = as->symbol_names.heap = heap;
    start(as, work->options);
    if (!add_first(as, work, &error)) {
        work->result = unread(as, work->name, &error);
    } else {
        as_push_source(as, 0, NULL, (AsPlace){0});
        if (as->options->define_count > 0)
            push_defines(as);
        run(as);
        work->result = finish(as);
    }
    hand_over(heap, &work->result);
}

/* The heap of the assembler stays with the index. */
static AsmResult assemble_kept(Work work) {
    Heap *heap = heap_new();
    if (heap && heap_work(heap, assemble_work, &work) && work.result.index) {
        work.result.index->heap = heap;
        return work.result;
    }
    heap_delete(heap);
    return (AsmResult){.errors = 1};
}

static AsmResult assemble(Work work) {
    if (work.options && work.options->index)
        return assemble_kept(work);
    return heap_run(assemble_work, &work) ? work.result : (AsmResult){.errors = 1};
}

AsmResult asm_assemble(const char *text, size_t length, const char *name,
                       const AsmOptions *options) {
    return assemble((Work){false, text, length, name, options, {0}});
}

AsmResult asm_assemble_file(const char *path, const AsmOptions *options) {
    return assemble((Work){true, NULL, 0, path, options, {0}});
}

void asm_result_free(AsmResult *result) {
    asm_object_free(result->object);
    free(result->listing);
    free(result->diagnostics);
    if (result->index)
        heap_delete(result->index->heap);
    *result = (AsmResult){0};
}
